//! `frexp(x, n)`, which compilers spell with the bits of floats: what a number is without its power of two, and that power.
//!
//! As in [`super::scaled`] what a form comes to is computed for every sign and exponent, not recognised.

use super::Changes;
use super::edit::constant;
use super::scaled::{FRACTIONS, Form, is_part};
use crate::exec::evaluate;
use crate::{CompareFloat, Compound, Function, InstId, Module, Op, Type, Value, Width};
use smallvec::{SmallVec, smallvec};

/// What must hold.
const ASSUMPTION: &str =
    "no number whose exponent is taken is infinite, NaN or too small for an exponent of its own";

/// The same where the form takes no sign off.
const POSITIVE: &str = super::scaled::POSITIVE;

/// Instructions that are looked at for the comparison with zero.
const MOST: usize = 16;
/// Where the exponent lies in a float.
const SHIFT: u64 = 23;
/// All bits but those of the exponent.
const REST: u64 = 0x807F_FFFF;

pub(super) fn run(module: &mut Module) -> Changes {
    let mut found = Vec::new();
    let mut only_positive = false;
    for (at, function) in module.functions.iter().enumerate() {
        let has = |wanted: u64| function.insts.iter().any(|inst| inst.op == Op::B32(wanted as u32));
        if !has(REST) && !has(SHIFT) {
            continue;
        }
        for id in function.blocks.iter().flat_map(|block| &block.insts) {
            if let Some((op, number, positive)) = part(function, *id) {
                only_positive |= positive;
                found.push((at, *id, op, number));
            }
        }
    }
    let count = found.len();
    for (at, id, op, number) in found {
        let inst = &mut module.functions[at].insts[id.index()];
        (inst.op, inst.args) = (op, smallvec![number]);
    }
    let changes = Changes::from(count).assume(ASSUMPTION);
    if only_positive { changes.assume(POSITIVE) } else { changes }
}

/// Which of both numbers an instruction gives, of which float, and whether only of floats that are not negative.
fn part(function: &Function, id: InstId) -> Option<(Op, Value, bool)> {
    let inst = &function.insts[id.index()];
    let root = *inst.results.first()?;
    if !matches!(inst.op, Op::Or | Op::BitInsert | Op::IAdd | Op::ISub | Op::Select)
        || function.ty(root) != Type::B32
    {
        return None;
    }
    let (compared, wanted) = compared(function, root)?;
    let mut number = Some(compared);
    while let Some(value) = number {
        if let Some(positive) = is_part_of(function, id, value, wanted) {
            return Some((wanted, value, positive));
        }
        // The sign may be taken off for the comparison alone.
        let inst = function.definition(value)?;
        number = (inst.op == Op::FAbs(Width::F32)).then(|| inst.args.first().copied()).flatten();
    }
    None
}

/// What is compared with zero on the way to a value, where the exponent of something is taken or left out.
fn compared(function: &Function, root: Value) -> Option<(Value, Op)> {
    let mut open: SmallVec<[Value; 16]> = smallvec![root];
    let mut seen: SmallVec<[Value; 16]> = SmallVec::new();
    let (mut zero, mut wanted) = (None, None);
    while let Some(value) = open.pop() {
        let Some(inst) = function.definition(value).filter(|inst| is_part(&inst.op)) else { continue };
        if seen.contains(&value) {
            continue;
        }
        seen.push(value);
        if seen.len() > MOST {
            return None;
        }
        let holds = |bits: u64| inst.args.iter().any(|arg| constant(function, *arg) == Some(bits));
        match inst.op {
            Op::FCompare(CompareFloat::Eq | CompareFloat::Ne, _) => {
                let &[a, b] = &inst.args[..] else { return None };
                zero = match (constant(function, a), constant(function, b)) {
                    (Some(0), None) => Some(b),
                    (None, Some(0)) => Some(a),
                    _ => return None,
                };
                continue;
            }
            Op::And if holds(REST) => wanted = Some(Op::Compound(Compound::Significand)),
            Op::ShrU | Op::ShrS | Op::UBitExtract if holds(SHIFT) && wanted.is_none() => {
                wanted = Some(Op::Exponent)
            }
            _ => {}
        }
        open.extend(inst.args.iter().copied());
    }
    Some((zero?, wanted?))
}

/// Whether an instruction gives what an operation does of a number; with it, whether only of one that is not negative.
fn is_part_of(function: &Function, id: InstId, number: Value, op: Op) -> Option<bool> {
    let form = Form::of(function, id, number)?;
    let mut only_positive = false;
    for high in 0..1_u32 << 9 {
        let exponent = high & 0xFF;
        for fraction in FRACTIONS {
            // What languages do not define.
            if exponent == 0xFF || exponent == 0 && fraction != 0 {
                continue;
            }
            let bits = high << SHIFT | fraction;
            let (number, got) = (form.number(bits)?, form.run(bits)?);
            if u64::from(got) != evaluate(&op, Type::B32, &[number.into()])? {
                if number >> 31 == 0 {
                    return None;
                }
                only_positive = true;
            }
        }
    }
    Some(only_positive)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{outputs, program};
    use super::*;
    use crate::FloatMode;
    use crate::build::FunctionBuilder;

    /// Both numbers as Mesa spells them, with another number in place of one of its constants.
    fn spelled(builder: &mut FunctionBuilder, x: Value, bias: i32, half: u32) -> [Value; 2] {
        let [zero, shift, bias, rest, half] =
            [0, SHIFT as u32, bias as u32, REST as u32, half].map(|bits| builder.bits(bits));
        let size = builder.value(Op::FAbs(Width::F32), &[x]);
        let some = builder.value(Op::FCompare(CompareFloat::Ne, FloatMode::F32), &[size, zero]);
        let exponent = builder.value(Op::ShrS, &[size, shift]);
        let bias = builder.value(Op::Select, &[some, bias, zero]);
        let exponent = builder.value(Op::IAdd, &[exponent, bias]);
        let rest = builder.value(Op::And, &[x, rest]);
        let half = builder.value(Op::Select, &[some, half, zero]);
        [builder.value(Op::Or, &[rest, half]), exponent]
    }

    fn found(bias: i32, half: u32) -> (Module, Module) {
        let before = program(|builder, x| spelled(builder, x[0], bias, half).to_vec());
        let mut after = before.clone();
        run(&mut after);
        (before, after)
    }

    #[test]
    fn bits_of_numbers_are_their_parts() {
        let (before, after) = found(-126, 0x3F00_0000);
        let text = after.to_string();
        assert!(text.contains("significand") && text.contains("exponent"), "{text}");
        let mut numbers = vec![0.0, -0.0, 1.0, -1.0, 0.75, 3e38, -1.5e-38];
        numbers.extend((0..200).map(|n| (n as f32 - 100.0) * 0.37));
        for number in numbers {
            let inputs = [number.to_bits(), 0, 0, 0, 0, 0];
            assert_eq!(outputs(&before, &inputs), outputs(&after, &inputs), "{number}");
        }
    }

    #[test]
    fn other_constants_are_none() {
        for (bias, half) in [(-127, 0x3F80_0000), (-125, 0x3E80_0000)] {
            let (before, after) = found(bias, half);
            assert_eq!(before, after);
        }
    }
}
