//! Shifts by what is known to be less than the width, which the languages have: nothing is asked and nothing bounded.

use super::super::{Binary, Expr, Type};
use super::forms::{binary, broadcast, float};
use super::statements::Unit;
use crate::{Function, Module, Op, Space, Value};

/// How many operations back a bound is looked for.
const DEPTH: u32 = 4;
const WIDTH: u64 = 32;

impl Unit<'_> {
    /// Whether a value is a shift by less than the width that is not a constant.
    pub(super) fn shifts_inside(&self, value: Value) -> bool {
        let by = self.function.definition(value).and_then(|inst| inst.args.get(1).copied());
        by.is_some_and(|by| self.literal_bits(by).is_none() && self.is_below_32(by))
    }

    pub(super) fn is_below_32(&self, value: Value) -> bool {
        bound(self.module, self.function, value, DEPTH) <= WIDTH
    }

    /// The shift.
    pub(super) fn shift_inside(&self, op: &Op, result: Type, args: Vec<Expr>) -> Expr {
        let operator = if matches!(op, Op::Shl) { Binary::ShiftLeft } else { Binary::ShiftRight };
        let mut args = args.into_iter().map(|arg| broadcast(arg, result.components.into()));
        let (a, by) = (args.next().unwrap_or_else(|| float(0.0)), args.next().unwrap_or_else(|| float(0.0)));
        binary(operator, a, by)
    }
}

/// A number that a word is below, without a sign.
pub(super) fn bound(module: &Module, function: &Function, value: Value, depth: u32) -> u64 {
    const ALL: u64 = 1 << 32;
    let (Some(inst), Some(depth)) = (function.definition(value), depth.checked_sub(1)) else { return ALL };
    let of = |at: usize| inst.args.get(at).map_or(ALL, |arg| bound(module, function, *arg, depth));
    let known = |at: usize| {
        let inst = function.definition(*inst.args.get(at)?)?;
        if let Op::B32(bits) = inst.op { Some(bits) } else { None }
    };
    match inst.op {
        Op::B32(bits) => u64::from(bits) + 1,
        Op::BToI => 2,
        Op::And | Op::UMin => of(0).min(of(1)),
        Op::UMax => of(0).max(of(1)),
        Op::Select => of(1).max(of(2)),
        Op::ShrU => known(1).map_or(ALL, |by| (of(0) - 1).checked_shr(by).unwrap_or(0) + 1),
        Op::UBitExtract => known(2).map_or(ALL, |count| 1_u64.checked_shl(count.min(32)).unwrap_or(ALL)),
        Op::URem => known(1).map_or(ALL, |by| if by == 0 { ALL } else { u64::from(by) }),
        Op::BitCount => WIDTH + 1,
        Op::Load(access) if access.space == Space::Input && !access.is_indexed() => {
            let global = module.globals.iter().find(|global| {
                (global.space, global.binding, global.offset) == (access.space, access.binding, access.offset)
            });
            // Neither a pixel nor a patch has more of these.
            match global.and_then(|global| global.semantic.as_deref()) {
                Some("sample-id" | "invocation-id") if global.is_some_and(|global| !global.as_float) => WIDTH,
                _ => ALL,
            }
        }
        _ => ALL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::program;

    /// What the first stored word of a program is below.
    fn of(write: impl FnOnce(&mut crate::build::FunctionBuilder, &[Value]) -> Value) -> u64 {
        let mut found = None;
        let module = program(|builder, x| {
            let value = write(builder, x);
            found = Some(value);
            vec![value]
        });
        bound(&module, &module.functions[0], found.unwrap(), DEPTH)
    }

    #[test]
    fn bounds_come_from_masks_and_fields() {
        let mask = |bits: u32| {
            of(move |builder, x| {
                let mask = builder.bits(bits);
                builder.value(Op::And, &[x[0], mask])
            })
        };
        assert_eq!((mask(31), mask(32), mask(7)), (32, 33, 8));
        assert_eq!(of(|_, x| x[0]), 1 << 32);
        let shifted = |by: u32| {
            of(move |builder, x| {
                let by = builder.bits(by);
                builder.value(Op::ShrU, &[x[0], by])
            })
        };
        assert_eq!((shifted(27), shifted(26), shifted(32)), (32, 64, 1));
        let sum = of(|builder, x| {
            let mask = builder.bits(7);
            let a = builder.value(Op::And, &[x[0], mask]);
            builder.value(Op::IAdd, &[a, mask])
        });
        assert_eq!(sum, 1 << 32);
    }
}
