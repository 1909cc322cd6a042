//! Fields of bits without what cannot be in them: masks that hide nothing, shifts of shifts, parts of words that were
//! put together from others.
//!
//! Exact; readable mode also goes by what inputs can be.

use super::Changes;
use super::edit::{listed, use_counts};
use super::known::{Known, field};
use crate::{CompareInt, Function, Global, Inst, InstId, Module, Op, Type, Value};
use smallvec::{SmallVec, smallvec};

/// What must hold where the meaning of an input was used.
const ASSUMPTION: &str =
    "a work group has no more than 1024 by 1024 by 64 invocations, a patch no more than 32 vertices";
/// How often one instruction is simplified further.
const STEPS: usize = 8;

/// What may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inputs {
    /// Inputs may be anything.
    Any,
    /// Inputs are what their meaning allows.
    Bounded,
}

pub(super) fn run(module: &mut Module, inputs: Inputs) -> Changes {
    let Module { functions, globals, .. } = module;
    let globals: &[Global] = if inputs == Inputs::Bounded { globals } else { &[] };
    let mut changes = Changes::default();
    let mut assumed = false;
    for function in functions {
        let uses = use_counts(function);
        for block in 0..function.blocks.len() {
            for at in 0..function.blocks[block].insts.len() {
                let known = Known { function, globals };
                let id = function.blocks[block].insts[at];
                let Some((last, value)) = exhausted(known, id, &uses) else { continue };
                assumed |=
                    !globals.is_empty() && exhausted(Known { globals: &[], ..known }, id, &uses).is_none();
                let inst = &mut function.insts[last.index()];
                (inst.op, inst.args) = (Op::Or, smallvec![value, value]);
                changes.count += 1;
            }
            let list = std::mem::take(&mut function.blocks[block].insts);
            let mut out = Vec::with_capacity(list.len());
            for id in list {
                for _ in 0..STEPS {
                    let Some(found) = simpler(Known { function, globals }, id) else { break };
                    assumed |= !globals.is_empty()
                        && simpler(Known { function, globals: &[] }, id).as_ref() != Some(&found);
                    found.apply(function, id, &mut out);
                    changes.count += 1;
                }
                out.push(id);
            }
            function.blocks[block].insts = out;
        }
    }
    if assumed { changes.assume(ASSUMPTION) } else { changes }
}

/// An operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arg {
    Value(Value),
    Number(u32),
}

/// What an instruction becomes.
#[derive(Debug, Clone, PartialEq)]
enum Simpler {
    /// A value that is there.
    Same(Value),
    /// A number.
    Number(u32),
    /// A truth value.
    Truth(bool),
    /// Another operation.
    Inst(Op, SmallVec<[Arg; 3]>),
}

impl Simpler {
    fn with(op: Op, a: Value, number: u32) -> Self {
        Self::Inst(op, smallvec![Arg::Value(a), Arg::Number(number)])
    }

    fn extract(a: Value, first: u32, count: u32) -> Self {
        Self::Inst(Op::UBitExtract, smallvec![Arg::Value(a), Arg::Number(first), Arg::Number(count)])
    }

    fn apply(self, function: &mut Function, id: InstId, before: &mut Vec<InstId>) {
        let origin = function.insts[id.index()].origin;
        let (op, args): (Op, SmallVec<[Value; 3]>) = match self {
            // The value itself: folding takes it from here.
            Self::Same(value) => (Op::Or, smallvec![value, value]),
            Self::Number(bits) => (Op::B32(bits), smallvec![]),
            Self::Truth(holds) => (Op::Bool(holds), smallvec![]),
            Self::Inst(op, args) => {
                let mut make = |arg: Arg| match arg {
                    Arg::Value(value) => value,
                    Arg::Number(bits) => {
                        let made = function.push_inst(Op::B32(bits), &[], &[Type::B32], origin);
                        before.push(made);
                        function.result(made, 0)
                    }
                };
                (op, args.into_iter().map(&mut make).collect())
            }
        };
        let inst = &mut function.insts[id.index()];
        (inst.op, inst.args) = (op, args);
    }
}

/// Most bits of a number whose choices are counted.
const CHOICES: u32 = 4;

/// The last choice of a chain of choices by the same number, if one of them is always taken: what it gives then.
fn exhausted(known: Known<'_>, root: InstId, uses: &[u32]) -> Option<(InstId, Value)> {
    let choice = |id: InstId| {
        let inst = known.function.insts.get(id.index()).filter(|inst| inst.op == Op::Select)?;
        let &[condition, yes, no] = &inst.args[..] else { return None };
        let test = known.function.definition(condition)?;
        let (Op::ICompare(CompareInt::Eq), &[a, b]) = (test.op, &test.args[..]) else { return None };
        let (number, is) = known.number(b).map(|is| (a, is)).or_else(|| Some((b, known.number(a)?)))?;
        Some((number, is, yes, no))
    };
    let (number, first, _, mut next) = choice(root)?;
    if known.function.ty(number) != Type::B32 {
        return None;
    }
    let possible = known.possible(number);
    if possible.count_ones() > CHOICES {
        return None;
    }
    let mut taken: SmallVec<[u32; 16]> = smallvec![first];
    let mut last = None;
    while uses.get(next.index()) == Some(&1)
        && taken.len() <= 1 << CHOICES
        && let Some((id, _)) = listed(known.function, next)
        && let Some((same, is, yes, no)) = choice(id)
        && same == number
    {
        taken.push(is);
        last = Some((id, yes));
        next = no;
    }
    // Every number with no other bits.
    let mut bits = possible;
    loop {
        if !taken.contains(&bits) {
            return None;
        }
        if bits == 0 {
            return last;
        }
        bits = (bits - 1) & possible;
    }
}

fn simpler(known: Known<'_>, id: InstId) -> Option<Simpler> {
    let inst = &known.function.insts[id.index()];
    if inst.args.first().is_none_or(|arg| known.function.ty(*arg) != Type::B32) {
        return None;
    }
    let bits = Bits { known };
    match (inst.op, &inst.args[..]) {
        (Op::And, &[a, b]) => match (known.number(a), known.number(b)) {
            (None, Some(mask)) => bits.masked(a, mask),
            (Some(mask), None) => bits.masked(b, mask),
            _ => None,
        },
        (Op::ShrU, &[a, n]) => bits.down(a, known.number(n).filter(|n| (1..32).contains(n))?),
        (Op::ShrS, &[a, n]) => {
            let n = known.number(n).filter(|n| (1..32).contains(n))?;
            (known.possible(a) >> 31 == 0).then(|| Simpler::with(Op::ShrU, a, n))
        }
        (Op::Shl, &[a, n]) => bits.up(a, known.number(n).filter(|n| (1..32).contains(n))?),
        (Op::UBitExtract, &[a, first, count]) => {
            bits.extracted(a, known.number(first)?, known.number(count)?)
        }
        (Op::BitInsert, &[a, b, first, count]) => {
            bits.inserted(a, b, known.number(first)?, known.number(count)?)
        }
        (Op::ICompare(by @ (CompareInt::Eq | CompareInt::Ne)), &[a, b]) => {
            let (value, number) = match (known.number(a), known.number(b)) {
                (None, Some(number)) => (a, number),
                (Some(number), None) => (b, number),
                _ => return None,
            };
            let never = number & !known.possible(value) != 0;
            never.then_some(Simpler::Truth(by == CompareInt::Ne))
        }
        (Op::ICompare(by), &[a, b]) => bits.order(by, a, b),
        _ => None,
    }
}

struct Bits<'a> {
    known: Known<'a>,
}

impl<'a> Bits<'a> {
    fn definition(&self, value: Value) -> Option<&'a Inst> {
        self.known.function.definition(value)
    }

    fn number(&self, value: Value) -> Option<u32> {
        self.known.number(value)
    }

    /// The operands of a value's definition, if that is an operation with a number; the number comes second.
    fn with_number(&self, value: Value, op: Op) -> Option<(Value, u32)> {
        let inst = self.definition(value).filter(|inst| inst.op == op)?;
        match (inst.args[0], inst.args[1]) {
            (a, b) if self.number(b).is_some() => Some((a, self.number(b)?)),
            (a, b) if op.is_commutative() => Some((b, self.number(a)?)),
            _ => None,
        }
    }

    /// The lower half that a word was made of.
    fn low_half(&self, value: Value) -> Option<Value> {
        let inst = self.definition(value).filter(|inst| inst.op == Op::Join)?;
        inst.args.first().copied()
    }

    /// The side of a word put together from two that gives the bits, if the other gives none of them.
    fn side(&self, value: Value, wanted: u32) -> Option<Value> {
        let inst = self.definition(value)?;
        match (inst.op, &inst.args[..]) {
            (Op::Or | Op::Xor, &[a, b]) => {
                if self.known.possible(a) & wanted == 0 {
                    Some(b)
                } else {
                    (self.known.possible(b) & wanted == 0).then_some(a)
                }
            }
            (Op::BitInsert, &[a, _, first, count]) => {
                let field = field(self.number(first)?, self.number(count)?);
                (field & wanted == 0).then_some(a)
            }
            _ => None,
        }
    }

    /// What was inserted, if all wanted bits are in it, and where.
    fn insert(&self, value: Value, wanted: u32) -> Option<(Value, u32)> {
        let inst = self.definition(value).filter(|inst| inst.op == Op::BitInsert)?;
        let (first, count) = (self.number(inst.args[2])?, self.number(inst.args[3])?);
        (wanted & !field(first, count) == 0 && wanted != 0).then_some((inst.args[1], first))
    }

    /// An unsigned comparison with a number beyond all that the other side can be. Signed ones stay: they are parts of divisions.
    fn order(&self, by: CompareInt, a: Value, b: Value) -> Option<Simpler> {
        let or_equal = match by {
            CompareInt::Ule => true,
            CompareInt::Ult => false,
            _ => return None,
        };
        let (value, number, is_first) = match (self.number(a), self.number(b)) {
            (None, Some(number)) => (a, number, true),
            (Some(number), None) => (b, number, false),
            _ => return None,
        };
        let most = self.known.possible(value);
        // `value < number`, and `number < value`.
        match (is_first, or_equal) {
            (true, false) if number == 0 => Some(Simpler::Truth(false)),
            (false, true) if number == 0 => Some(Simpler::Truth(true)),
            (true, false) if most < number => Some(Simpler::Truth(true)),
            (true, true) if most <= number => Some(Simpler::Truth(true)),
            (false, false) if most <= number => Some(Simpler::Truth(false)),
            (false, true) if most < number => Some(Simpler::Truth(false)),
            _ => None,
        }
    }

    /// `a & mask`.
    fn masked(&self, a: Value, mask: u32) -> Option<Simpler> {
        let possible = self.known.possible(a);
        if possible & mask == 0 {
            return Some(Simpler::Number(0));
        }
        if possible & !mask == 0 {
            return Some(Simpler::Same(a));
        }
        if let Some((inner, other)) = self.with_number(a, Op::And) {
            return Some(Simpler::with(Op::And, inner, mask & other));
        }
        if let Some((inserted, 0)) = self.insert(a, mask) {
            return Some(Simpler::with(Op::And, inserted, mask));
        }
        Some(Simpler::with(Op::And, self.side(a, mask)?, mask))
    }

    /// `a >> n`, zeros in.
    fn down(&self, a: Value, n: u32) -> Option<Simpler> {
        let possible = self.known.possible(a);
        if possible >> n == 0 {
            return Some(Simpler::Number(0));
        }
        if let Some((inner, more)) = self.with_number(a, Op::ShrU)
            && n.saturating_add(more) < 32
        {
            return Some(Simpler::with(Op::ShrU, inner, n + more));
        }
        if let Some((inner, up)) = self.with_number(a, Op::Shl)
            && up < 32
        {
            let kept = self.known.possible(inner) << up >> up == self.known.possible(inner);
            return match up.cmp(&n) {
                _ if !kept && up != n => None,
                std::cmp::Ordering::Equal => Some(Simpler::with(Op::And, inner, u32::MAX >> n)),
                std::cmp::Ordering::Greater => Some(Simpler::with(Op::Shl, inner, up - n)),
                std::cmp::Ordering::Less => Some(Simpler::with(Op::ShrU, inner, n - up)),
            };
        }
        if let Some((inner, mask)) = self.with_number(a, Op::And)
            && mask >> n == u32::MAX >> n
        {
            return Some(Simpler::with(Op::ShrU, inner, n));
        }
        // Bits that cannot be there need not lie in the field.
        let wanted = u32::MAX << n;
        if let Some((inserted, first)) = self.insert(a, wanted & possible)
            && first <= n
        {
            let end = 32 - (wanted & possible).leading_zeros();
            return Some(Simpler::extract(inserted, n - first, end - n));
        }
        Some(Simpler::with(Op::ShrU, self.side(a, wanted)?, n))
    }

    /// `a << n`.
    fn up(&self, a: Value, n: u32) -> Option<Simpler> {
        if let Some((inner, more)) = self.with_number(a, Op::Shl) {
            let both = n.saturating_add(more);
            return Some(if both < 32 { Simpler::with(Op::Shl, inner, both) } else { Simpler::Number(0) });
        }
        if let Some((inner, down)) = self.with_number(a, Op::ShrU)
            && down == n
        {
            return Some(Simpler::with(Op::And, inner, u32::MAX << n));
        }
        let wanted = u32::MAX >> n;
        if let Some((inner, mask)) = self.with_number(a, Op::And)
            && mask & wanted == wanted
        {
            return Some(Simpler::with(Op::Shl, inner, n));
        }
        Some(Simpler::with(Op::Shl, self.side(a, wanted)?, n))
    }

    /// So many bits of `a` from a number on, zeros above.
    fn extracted(&self, a: Value, first: u32, count: u32) -> Option<Simpler> {
        if first >= 32 || count == 0 {
            return Some(Simpler::Number(0));
        }
        let count = count.min(32 - first);
        let wanted = field(first, count);
        if self.known.possible(a) & wanted == 0 {
            return Some(Simpler::Number(0));
        }
        if first == 0 {
            return Some(if count == 32 { Simpler::Same(a) } else { Simpler::with(Op::And, a, wanted) });
        }
        if first + count == 32 || (self.known.possible(a) >> first) & !(wanted >> first) == 0 {
            return Some(Simpler::with(Op::ShrU, a, first));
        }
        if let Some((inner, up)) = self.with_number(a, Op::Shl)
            && up <= first
        {
            return Some(Simpler::extract(inner, first - up, count));
        }
        if let Some((inner, down)) = self.with_number(a, Op::ShrU)
            && down.saturating_add(first + count) <= 32
        {
            return Some(Simpler::extract(inner, first + down, count));
        }
        if let Some((inner, mask)) = self.with_number(a, Op::And)
            && mask & wanted == wanted
        {
            return Some(Simpler::extract(inner, first, count));
        }
        if let Some((inserted, at)) = self.insert(a, wanted)
            && at <= first
        {
            return Some(Simpler::extract(inserted, first - at, count));
        }
        Some(Simpler::extract(self.side(a, wanted)?, first, count))
    }

    /// `a` with so many of its bits, from a number on, those that `b` has lowest.
    fn inserted(&self, a: Value, b: Value, first: u32, count: u32) -> Option<Simpler> {
        let into = field(first, count);
        if into == 0 {
            return Some(Simpler::Same(a));
        }
        if into == u32::MAX {
            return Some(Simpler::Same(b));
        }
        let fits = self.known.possible(b) & !(into >> first) == 0;
        if self.number(a) == Some(0) && (fits || first + count >= 32) {
            return Some(Simpler::with(Op::Shl, b, first));
        }
        // Two halves.
        if (first, count) == (16, 16)
            && let (Some(low), Some(high)) = (self.low_half(a), self.low_half(b))
        {
            return Some(Simpler::Inst(Op::Join, smallvec![Arg::Value(low), Arg::Value(high)]));
        }
        // Of what is inserted only the field counts.
        let (inner, mask) = self.with_number(b, Op::And)?;
        (mask & (into >> first) == into >> first).then(|| {
            let args = smallvec![Arg::Value(a), Arg::Value(inner), Arg::Number(first), Arg::Number(count)];
            Simpler::Inst(Op::BitInsert, args)
        })
    }
}

#[cfg(test)]
mod tests;
