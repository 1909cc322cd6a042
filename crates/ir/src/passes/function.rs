//! Functions that source languages have and the machine spells out: `pow`, `clamp`, `mix`, `fract`, `abs`.

use super::Changes;
use super::edit::{constant, use_counts};
use crate::{FloatMode, Function, Inst, MinMax, Module, Multiply, Op, Round, Value, Width};
use smallvec::{SmallVec, smallvec};

const MODE: FloatMode = FloatMode::F32;
const MUL: Op = Op::FMul(MODE, Multiply::Ieee);
const ADD: Op = Op::FAdd(MODE);

/// What must hold for `pow`.
const POSITIVE: &str = "powers are taken of positive numbers";
/// What must hold for the rest.
const NUMBERS: &str = "no operand of abs, clamp, mix or fract is NaN or infinite";

pub(super) fn run(module: &mut Module) -> Changes {
    let mut changes = Changes::default();
    let (mut powers, mut others) = (0, 0);
    for function in &mut module.functions {
        let uses = use_counts(function);
        for block in 0..function.blocks.len() {
            for position in 0..function.blocks[block].insts.len() {
                let id = function.blocks[block].insts[position];
                let finder = Finder { function, uses: &uses };
                let Some((op, args)) = finder.find(&function.insts[id.index()]) else { continue };
                if op == Op::Pow {
                    powers += 1;
                } else {
                    others += 1;
                }
                function.insts[id.index()].op = op;
                function.insts[id.index()].args = args;
            }
        }
    }
    changes.count = powers + others;
    if powers > 0 {
        changes.assumptions.push(POSITIVE);
    }
    if others > 0 {
        changes.assumptions.push(NUMBERS);
    }
    changes
}

type Found = Option<(Op, SmallVec<[Value; 3]>)>;

struct Finder<'a> {
    function: &'a Function,
    uses: &'a [u32],
}

impl Finder<'_> {
    fn find(&self, inst: &Inst) -> Found {
        match (inst.op, &inst.args[..]) {
            (Op::FExp2(MODE), &[a]) => self.power(a),
            (Op::FMin(MODE, rule), &[a, b]) => {
                self.bound(false, rule, a, b).or_else(|| self.bound(false, rule, b, a))
            }
            (Op::FMax(MODE, rule), &[a, b]) => {
                self.bound(true, rule, a, b).or_else(|| self.bound(true, rule, b, a))
            }
            (ADD, &[a, b]) => self.sum(a, b).or_else(|| self.sum(b, a)),
            _ => None,
        }
    }

    /// The operands of a value's definition, if that is the operation.
    fn operands(&self, value: Value, op: Op) -> Option<&[Value]> {
        let inst = self.function.definition(value)?;
        (inst.op == op).then_some(&inst.args[..])
    }

    /// The same for two operands, if nothing else uses the value.
    fn pair_used_once(&self, value: Value, op: Op) -> Option<(Value, Value)> {
        match self.operands(value, op)? {
            [a, b] if self.uses.get(value.index()) == Some(&1) => Some((*a, *b)),
            _ => None,
        }
    }

    fn negated(&self, value: Value) -> Option<Value> {
        self.operands(value, Op::FNeg(Width::F32)).map(|args| args[0])
    }

    /// Whether two numbers are each other's negatives.
    fn opposite(&self, a: Value, b: Value) -> bool {
        let number = |value| constant(self.function, value).map(|bits| f32::from_bits(bits as u32));
        matches!((number(a), number(b)), (Some(a), Some(b)) if a == -b && a != 0.0)
    }

    /// `exp2(log2(a) * b)`.
    fn power(&self, exponent: Value) -> Found {
        let factors = self.operands(exponent, MUL)?;
        [(factors[0], factors[1]), (factors[1], factors[0])].into_iter().find_map(|(a, b)| {
            let base = self.operands(a, Op::FLog2(MODE))?;
            Some((Op::Pow, smallvec![base[0], b]))
        })
    }

    /// `max(x, -x)`, and `min(max(x, low), high)` with constant bounds in order.
    fn bound(&self, maximum: bool, rule: MinMax, a: Value, b: Value) -> Found {
        if maximum && self.negated(b) == Some(a) {
            return Some((Op::FAbs(Width::F32), smallvec![a]));
        }
        let float = |value| Some(f32::from_bits(constant(self.function, value)? as u32));
        let outer = float(b)?;
        let inner_op = if maximum { Op::FMin(MODE, rule) } else { Op::FMax(MODE, rule) };
        let (x, y) = self.pair_used_once(a, inner_op)?;
        let (x, bound) = if float(y).is_some() { (x, y) } else { (y, x) };
        let inner = float(bound)?;
        let (low, high) = if maximum { (b, bound) } else { (bound, b) };
        let ordered = if maximum { outer <= inner } else { inner <= outer };
        // What has these bounds already is not bound again.
        let x = match self.operands(x, Op::Clamp) {
            Some(&[inside, least, most]) if (float(least), float(most)) == (float(low), float(high)) => {
                inside
            }
            _ => x,
        };
        (ordered && float(x).is_none()).then(|| (Op::Clamp, smallvec![x, low, high]))
    }

    /// `x - floor(x)`, `a + (b - a) * t`, `a * (1 - t) + b * t`.
    fn sum(&self, a: Value, b: Value) -> Found {
        if let Some(floor) = self.negated(b)
            && self.operands(floor, Op::FRound(MODE, Round::Down)) == Some(&[a])
        {
            return Some((Op::Fract, smallvec![a]));
        }
        let (p, q) = self.pair_used_once(b, MUL)?;
        for (difference, t) in [(p, q), (q, p)] {
            let Some((x, y)) = self.pair_used_once(difference, ADD) else { continue };
            for (end, minus) in [(x, y), (y, x)] {
                if self.negated(minus) == Some(a) || self.opposite(minus, a) {
                    return Some((Op::Mix, smallvec![a, end, t]));
                }
            }
        }
        let (r, s) = self.pair_used_once(a, MUL)?;
        for (start, rest) in [(r, s), (s, r)] {
            let Some((x, y)) = self.pair_used_once(rest, ADD) else { continue };
            for (one, minus) in [(x, y), (y, x)] {
                let is_one = constant(self.function, one) == Some(u64::from(1.0f32.to_bits()));
                let Some(t) = self.negated(minus).filter(|_| is_one) else { continue };
                for (end, other) in [(p, q), (q, p)] {
                    if other == t {
                        return Some((Op::Mix, smallvec![start, end, t]));
                    }
                }
            }
        }
        None
    }
}
