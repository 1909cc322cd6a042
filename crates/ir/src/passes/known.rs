//! Which bits of a word may be 1.

use super::edit::constant;
use crate::{Access, Function, Global, Op, Space, Value};

/// How far back bits are followed.
const DEPTH: u32 = 6;

/// What is known of the words of a function.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) function: &'a Function,
    /// Inputs whose meaning bounds them.
    pub(super) globals: &'a [Global],
}

/// Bits of an input that the pipeline gives. Sources: the limits that every implementation of OpenGL has, and the
/// fields in which the machine holds them.
fn of_meaning(semantic: &str, component: u8) -> u32 {
    match (semantic, component) {
        ("local-id", 0 | 1) => 0x3FF,
        ("local-id", _) => 0x3F,
        ("invocation-id" | "lane-id", _) => 0x1F,
        ("patch-vertices", _) => 0x3F,
        _ => u32::MAX,
    }
}

/// The bits that a field of so many bits has, from a number on.
pub(super) fn field(first: u32, count: u32) -> u32 {
    let all = if count >= 32 { u32::MAX } else { (1 << count) - 1 };
    all.checked_shl(first).unwrap_or(0)
}

/// All bits up to the highest one that is set.
fn filled(bits: u32) -> u32 {
    u32::MAX.checked_shr(bits.leading_zeros()).unwrap_or(0)
}

impl Known<'_> {
    /// The bits of a word that may be 1.
    pub(super) fn possible(&self, value: Value) -> u32 {
        self.within(value, DEPTH)
    }

    pub(super) fn number(&self, value: Value) -> Option<u32> {
        constant(self.function, value).map(|bits| bits as u32)
    }

    fn within(&self, value: Value, depth: u32) -> u32 {
        if let Some(bits) = self.number(value) {
            return bits;
        }
        let Some(inst) = self.function.definition(value).filter(|_| depth > 0) else { return u32::MAX };
        let of = |value: Value| self.within(value, depth - 1);
        match (inst.op, &inst.args[..]) {
            (Op::And, &[a, b]) => of(a) & of(b),
            (Op::Or | Op::Xor, &[a, b]) => of(a) | of(b),
            (Op::Select, &[_, a, b]) => of(a) | of(b),
            (Op::UMin, &[a, b]) => filled(of(a).min(of(b))),
            (Op::UMax, &[a, b]) => filled(of(a) | of(b)),
            (Op::Shl, &[a, n]) => match self.number(n) {
                Some(n) => of(a).checked_shl(n).unwrap_or(0),
                None => u32::MAX << of(a).trailing_zeros().min(31),
            },
            (Op::ShrU, &[a, n]) => match self.number(n) {
                Some(n) => of(a).checked_shr(n).unwrap_or(0),
                None => filled(of(a)),
            },
            (Op::IAdd, &[a, b]) => {
                let (a, b) = (of(a), of(b));
                above((a | b).trailing_zeros()) & a.checked_add(b).map_or(u32::MAX, filled)
            }
            (Op::IMul, &[a, b]) => {
                let (a, b) = (of(a), of(b));
                let zeros = a.trailing_zeros() + b.trailing_zeros();
                above(zeros) & a.checked_mul(b).map_or(u32::MAX, filled)
            }
            (Op::UBitExtract, &[a, first, count]) => match (self.number(first), self.number(count)) {
                (Some(first), Some(count)) => of(a).checked_shr(first).unwrap_or(0) & field(0, count),
                (_, Some(count)) => field(0, count),
                _ => u32::MAX,
            },
            (Op::BitInsert, &[a, b, first, count]) => match (self.number(first), self.number(count)) {
                (Some(first), Some(count)) => {
                    let field = field(first, count);
                    of(a) & !field | of(b).checked_shl(first).unwrap_or(0) & field
                }
                _ => u32::MAX,
            },
            (Op::BitCount, _) => 0x3F,
            (Op::Join, &[a, b]) => {
                let half = |value: Value| if self.number(value) == Some(0) { 0 } else { 0xFFFF };
                half(a) | half(b) << 16
            }
            (Op::BToI, _) => 1,
            (Op::UDiv, &[a, _]) => match inst.args.get(1).and_then(|by| self.number(*by)) {
                Some(by) if by > 0 => filled(of(a) / by),
                _ => u32::MAX,
            },
            (Op::URem, &[_, b]) => match self.number(b) {
                Some(by) if by > 0 => filled(by - 1),
                _ => u32::MAX,
            },
            (Op::Load(access), _) => self.of_input(access),
            _ => u32::MAX,
        }
    }

    fn of_input(&self, access: Access) -> u32 {
        if access.space != Space::Input || access.stride != 0 {
            return u32::MAX;
        }
        let mut globals = self
            .globals
            .iter()
            .filter(|global| (global.space, global.binding) == (access.space, access.binding));
        globals
            .find_map(|global| {
                let (_, component) = global.locate(access.offset)?;
                Some(of_meaning(global.semantic.as_deref()?, component))
            })
            .unwrap_or(u32::MAX)
    }
}

/// All bits but so many of the lowest.
fn above(zeros: u32) -> u32 {
    u32::MAX.checked_shl(zeros).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::evaluate;
    use crate::passes::testing::{program, word};
    use crate::random::Dice;
    use crate::{CompareInt, Type};

    /// What runs give lies within what may be.
    #[test]
    fn values_stay_within_what_is_possible() {
        const OPS: [Op; 12] = [
            Op::And,
            Op::Or,
            Op::Xor,
            Op::Shl,
            Op::ShrU,
            Op::IAdd,
            Op::IMul,
            Op::UMin,
            Op::UMax,
            Op::UDiv,
            Op::URem,
            Op::ISub,
        ];
        for seed in 0..500 {
            let mut dice = Dice::new(seed);
            let mut wanted: Vec<(Value, u64)> = Vec::new();
            let module = program(|builder, inputs| {
                let mut values: Vec<(Value, u64)> =
                    inputs.iter().map(|input| (*input, word(&mut dice).into())).collect();
                for _ in 0..24 {
                    let number = if dice.one_in(2) { dice.below(33) as u32 } else { word(&mut dice) };
                    values.push((builder.bits(number), number.into()));
                    let (a, b) = (dice.pick(&values), dice.pick(&values));
                    let (op, args) = match dice.below(16) {
                        12 => (Op::UBitExtract, vec![a, b, dice.pick(&values)]),
                        13 => (Op::BitInsert, vec![a, b, dice.pick(&values), dice.pick(&values)]),
                        14 => (Op::BitCount, vec![a]),
                        15 => {
                            let holds = builder.value(Op::ICompare(CompareInt::Ult), &[a.0, b.0]);
                            let choice = builder.value(Op::Select, &[holds, a.0, b.0]);
                            values.push((choice, if a.1 < b.1 { a.1 } else { b.1 }));
                            continue;
                        }
                        op => (OPS[op], vec![a, b]),
                    };
                    let bits: Vec<u64> = args.iter().map(|arg| arg.1).collect();
                    let args: Vec<Value> = args.iter().map(|arg| arg.0).collect();
                    let Some(result) = evaluate(&op, Type::B32, &bits) else { panic!("{op:?}") };
                    values.push((builder.value(op, &args), result));
                }
                wanted = values;
                Vec::new()
            });
            let function = &module.functions[0];
            let known = Known { function, globals: &[] };
            for (value, bits) in wanted {
                let possible = known.possible(value);
                assert_eq!(bits as u32 & !possible, 0, "{value} is {bits:x}, may be {possible:x}\n{module}");
            }
        }
    }
}
