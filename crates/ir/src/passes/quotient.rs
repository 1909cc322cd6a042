//! Quotients of integers that compilers spell out, since their machine has reciprocals only: an approximate
//! reciprocal, the high half of its product with the numerator, and corrections by one.
//!
//! Every compiler corrects in its own way, so the way is not looked at: what is computed from the reciprocal is run
//! on many pairs of numbers, and what gives their quotient or remainder every time is that.

use super::Changes;
use super::edit::constant;
use super::slice::Slice;
use crate::cfg::Cfg;
use crate::exec::evaluate;
use crate::op::Effect;
use crate::{Function, InstId, Module, Op, Type, Value};
use smallvec::{SmallVec, smallvec};

/// What must hold.
const ASSUMPTION: &str = "integers are not divided by zero";

/// Instructions behind a reciprocal in which the rest of the division is looked for.
const WINDOW: usize = 1500;
/// Most values that are computed from a reciprocal and looked at.
const MEMBERS: usize = 96;
/// Most operations that a quotient is made of.
const STEPS: usize = 160;

pub(super) fn run(module: &mut Module) -> Changes {
    let count = module.functions.iter_mut().map(fold).sum();
    Changes { count, ..Changes::default() }.assume(ASSUMPTION)
}

fn fold(function: &mut Function) -> usize {
    let listed: Vec<InstId> = Cfg::new(function)
        .order
        .iter()
        .flat_map(|block| function.blocks[block.index()].insts.iter().copied())
        .collect();
    let mut count = 0;
    for (at, id) in listed.iter().enumerate() {
        let Some(denominator) = reciprocal_of(function, *id) else { continue };
        let members = members(function, &listed[at..listed.len().min(at + WINDOW)]);
        let questions = questions(function, &members, denominator);
        for member in members.iter().rev() {
            let found = questions.iter().find_map(|question| question.answer(function, *member));
            let inst = &mut function.insts[member.index()];
            if let Some((op, args)) = found
                && inst.op != op
            {
                (inst.op, inst.args) = (op, args);
                count += 1;
            }
        }
    }
    count
}

/// What an instruction is the reciprocal of: a constant divided by it, or `1 / float(it)`.
fn reciprocal_of(function: &Function, id: InstId) -> Option<Value> {
    let inst = &function.insts[id.index()];
    match (inst.op, &inst.args[..]) {
        (Op::UDiv, &[a, b]) => {
            let known = |value| constant(function, value).is_some();
            (known(a) && !known(b) && function.ty(b) == Type::B32).then_some(b)
        }
        (Op::FRcp(_), &[a]) => {
            let float = function.definition(a).filter(|inst| matches!(inst.op, Op::UToF(_) | Op::SToF(_)))?;
            float.args.first().copied()
        }
        _ => None,
    }
}

/// Instructions that compute something from the first one's result, the first one included.
fn members(function: &Function, listed: &[InstId]) -> Vec<InstId> {
    let mut members: Vec<InstId> = Vec::new();
    let mut reached: Vec<Value> = Vec::new();
    for id in listed {
        let inst = &function.insts[id.index()];
        let computes = inst.op.effect() == Effect::Pure && inst.results.len() == 1;
        if computes && (members.is_empty() || inst.args.iter().any(|arg| reached.contains(arg))) {
            members.push(*id);
            reached.push(inst.results[0]);
        }
        if members.len() >= MEMBERS {
            break;
        }
    }
    members
}

/// What the members may be: a quotient or remainder of these two.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Question {
    numerator: Value,
    denominator: Value,
    signed: bool,
}

/// Pairs of values that may be divided: the numerator is what meets the reciprocal in a product whose high half is
/// taken. Signed division divides amounts.
fn questions(function: &Function, members: &[InstId], denominator: Value) -> Vec<Question> {
    let made = |value: Value| members.iter().any(|id| function.insts[id.index()].results[0] == value);
    let mut numerators: SmallVec<[Value; 4]> = SmallVec::new();
    for id in members {
        let inst = &function.insts[id.index()];
        if inst.op != Op::UMulHigh {
            continue;
        }
        let other = match (made(inst.args[0]), made(inst.args[1])) {
            (true, false) => inst.args[1],
            (false, true) => inst.args[0],
            _ => continue,
        };
        if other != denominator && !numerators.contains(&other) && numerators.len() < 4 {
            numerators.push(other);
        }
    }
    let mut questions = Vec::new();
    for numerator in numerators {
        let amounts = [amount_of(function, numerator), amount_of(function, denominator)];
        if amounts != [None; 2] {
            let [n, d] = amounts;
            let (numerator, denominator) = (n.unwrap_or(numerator), d.unwrap_or(denominator));
            questions.push(Question { numerator, denominator, signed: true });
        }
        questions.push(Question { numerator, denominator, signed: false });
    }
    questions
}

/// `x` of `|x|`: the larger of `x` and `-x`, or one of them by a condition.
fn amount_of(function: &Function, value: Value) -> Option<Value> {
    let opposite = |a: Value, b: Value| {
        function.definition(a).is_some_and(|inst| match (inst.op, &inst.args[..]) {
            (Op::INeg, &[x]) => x == b,
            (Op::ISub, &[zero, x]) => x == b && constant(function, zero) == Some(0),
            _ => false,
        })
    };
    let inst = function.definition(value)?;
    let (a, b) = match (inst.op, &inst.args[..]) {
        (Op::SMax, &[a, b]) | (Op::Select, &[_, a, b]) => (a, b),
        _ => return None,
    };
    match (opposite(a, b), opposite(b, a)) {
        (true, _) => Some(b),
        (false, true) => Some(a),
        _ => None,
    }
}

impl Question {
    /// The division that an instruction's result is, if it is one.
    fn answer(&self, function: &Function, id: InstId) -> Option<(Op, SmallVec<[Value; 3]>)> {
        let root = *function.insts[id.index()].results.first()?;
        let slice = Slice::new(function, root, &[self.numerator, self.denominator], STEPS)?;
        let mut possible: SmallVec<[Op; 2]> =
            if self.signed { smallvec![Op::SDiv, Op::SRem] } else { smallvec![Op::UDiv, Op::URem] };
        let known = constant(function, self.numerator);
        let mut slots = Vec::new();
        for (numerator, denominator) in pairs() {
            let pair = [known.unwrap_or(numerator.into()), denominator.into()];
            // The one quotient that does not fit.
            if denominator == 0 || self.signed && denominator == u32::MAX && pair[0] == 1 << 31 {
                continue;
            }
            let result = Some(slice.run(&pair, &mut slots)?);
            possible.retain(|op| evaluate(op, Type::B32, &pair) == result);
            if possible.is_empty() {
                return None;
            }
        }
        Some((possible[0], smallvec![self.numerator, self.denominator]))
    }
}

/// Numbers to divide: small ones, those around powers of two, and others of every length.
fn pairs() -> impl Iterator<Item = (u32, u32)> {
    let edges = (0..32_u32).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1_u32 << bit).wrapping_neg()]);
    let edges: Vec<u32> = edges.chain([3, 5, 6, 7, 10, 100, 1000, 0x5555_5555, 0xAAAA_AAAB]).collect();
    // Xorshift (Marsaglia), cut to every length.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut draw = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u32 >> (state & 31)
    };
    let drawn: Vec<(u32, u32)> = (0..600)
        .map(|n| {
            let (a, b) = (draw(), draw());
            // Next to a multiple.
            if n % 3 == 0 { ((a / b.max(1)).wrapping_mul(b).wrapping_sub(n % 2), b) } else { (a, b) }
        })
        .collect();
    let all = edges.clone();
    drawn.into_iter().chain(edges.into_iter().flat_map(move |a| all.clone().into_iter().map(move |b| (a, b))))
}
