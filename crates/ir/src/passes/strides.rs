//! Indices that a compiler counted in rows of a structure, on machines whose address registers hold floats: the load at
//! `int(i * 2.0 + 1.0)` rows of four words is one at `int(i)` structures of eight, from the second row on.
//!
//! This holds where `i` is a whole number: a counter, what was rounded, an integer of the file. Numbers that are so large that a
//! product of them is rounded lead out of everything that there is to address.

use super::Changes;
use super::edit::{constant, with_room_before};
use crate::{Access, Function, Inst, Module, Op, Round, Shape, Space, Type, Value, Width};
use std::collections::{BTreeMap, BTreeSet};

const ASSUMPTION: &str = "indices of relative addressing stay inside what they address";

/// Rows of a structure.
const MOST_ROWS: f32 = 256.0;
/// The largest constant that is added.
const MOST_ADDED: f32 = 65_536.0;
/// Values that are looked at for whether one is whole.
const MOST_VALUES: usize = 256;

pub(super) fn run(module: &mut Module) -> Changes {
    let mut count = 0;
    // Words that hold whole numbers as floats.
    let mut whole: BTreeSet<(Space, u32, u32)> = BTreeSet::new();
    for global in module.globals.iter().filter(|global| global.as_float) {
        if matches!(global.shape, Shape::Int { .. } | Shape::Uint { .. } | Shape::Bool { .. }) {
            let words = (global.offset..global.end()).filter(|word| global.locate(*word).is_some());
            whole.extend(words.map(|word| (global.space, global.binding, word)));
        }
    }
    for function in &mut module.functions {
        let incoming = incoming(function);
        count += with_room_before(function, |function, id, before| {
            let Op::Load(access) = function.insts[id.index()].op else { return false };
            if !access.is_indexed() || !matches!(access.space, Space::Uniform | Space::Input) {
                return false;
            }
            let Some(index) = function.insts[id.index()].args.first().copied() else { return false };
            let Some((base, stride, offset)) = rows(function, index, access) else { return false };
            if !is_whole(function, base, &incoming, &whole) {
                return false;
            }
            let origin = function.insts[id.index()].origin;
            let number = Op::FToS(Width::F32, Round::Zero);
            let number = function.push_inst(number, &[base], &[Type::B32], origin);
            before.push(number);
            let index = function.result(number, 0);
            let inst = &mut function.insts[id.index()];
            inst.op = Op::Load(Access { stride, offset, ..access });
            inst.args[0] = index;
            true
        });
    }
    let mut changes = Changes::from(count);
    changes.assumptions.extend((count > 0).then_some(ASSUMPTION));
    changes
}

/// What each parameter of a block gets.
fn incoming(function: &Function) -> BTreeMap<Value, Vec<Value>> {
    let mut found: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for block in &function.blocks {
        for target in block.terminator.targets() {
            let Some(to) = function.blocks.get(target.block.index()) else { continue };
            for (param, arg) in to.params.iter().zip(&target.args) {
                found.entry(*param).or_default().push(*arg);
            }
        }
    }
    found
}

/// The number that an index is made of, words from one of them to the next, and the first word.
fn rows(function: &Function, index: Value, access: Access) -> Option<(Value, u32, u32)> {
    let inst = function.definition(index)?;
    let Op::FToS(Width::F32, Round::Zero) = inst.op else { return None };
    let (mut base, mut factor, mut added) = (*inst.args.first()?, 1.0_f32, 0.0_f32);
    for _ in 0..4 {
        let Some(inst) = function.definition(base) else { break };
        let Some((inner, number)) = with_number(function, inst) else { break };
        match inst.op {
            Op::FMul(..) if (1.0..=MOST_ROWS).contains(&(factor * number)) => factor *= number,
            Op::FAdd(_) if (factor * number).abs() <= MOST_ADDED => added += factor * number,
            _ => break,
        }
        base = inner;
    }
    let stride = access.stride.checked_mul(factor as u32)?;
    let offset = i64::from(access.offset) + i64::from(added as i32) * i64::from(access.stride);
    let offset = u32::try_from(offset).ok()?;
    (factor > 1.0).then_some((base, stride, offset))
}

/// The operand of a product or sum whose other operand is a whole number that is written in the code, and that number.
fn with_number(function: &Function, inst: &Inst) -> Option<(Value, f32)> {
    let &[a, b] = &inst.args[..] else { return None };
    let number = |value: Value| {
        let number = f32::from_bits(constant(function, value)? as u32);
        (number.fract() == 0.0 && number.abs() <= MOST_ADDED).then_some(number)
    };
    match (number(a), number(b)) {
        (None, Some(number)) => Some((a, number)),
        (Some(number), None) => Some((b, number)),
        _ => None,
    }
}

/// Whether a float is a whole number, whatever the inputs are.
fn is_whole(
    function: &Function,
    value: Value,
    incoming: &BTreeMap<Value, Vec<Value>>,
    words: &BTreeSet<(Space, u32, u32)>,
) -> bool {
    let mut seen = BTreeSet::from([value]);
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if seen.len() > MOST_VALUES {
            return false;
        }
        // A cycle is whole if all that goes into it is.
        let mut look = |values: &[Value]| open.extend(values.iter().filter(|value| seen.insert(**value)));
        if let Some(number) = constant(function, value) {
            if f32::from_bits(number as u32).fract() != 0.0 {
                return false;
            }
            continue;
        }
        if let Some(arguments) = incoming.get(&value) {
            look(arguments);
            continue;
        }
        let Some(inst) = function.definition(value) else { return false };
        match inst.op {
            Op::FRound(..) | Op::SToF(_) | Op::UToF(_) => {}
            Op::FAdd(_) | Op::FMul(..) | Op::FNeg(_) | Op::FAbs(_) | Op::FMin(..) | Op::FMax(..) => {
                look(&inst.args)
            }
            Op::Select => look(inst.args.get(1..).unwrap_or_default()),
            Op::Load(access) if !access.is_indexed() => {
                if !words.contains(&(access.space, access.binding, access.offset)) {
                    return false;
                }
            }
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::FunctionBuilder;
    use crate::{FloatMode, Global, Multiply, Terminator};

    /// A program that reads word `at` of a table at `int(x * rows + add)`, with `x` made by `whole`.
    fn program(rows: f32, add: f32, at: u32, round: bool) -> Module {
        let mut module = Module::default();
        let mut builder = FunctionBuilder::new("main".to_owned());
        let access = |space, offset, stride| Access { space, binding: 0, offset, stride };
        let mut index = builder.values(Op::Load(access(Space::Input, 0, 0)), &[])[0];
        if round {
            index = builder.values(Op::FRound(FloatMode::F32, Round::Zero), &[index])[0];
        }
        let scale = builder.bits(rows.to_bits());
        let mut row = builder.values(Op::FMul(FloatMode::F32, Multiply::Ieee), &[index, scale])[0];
        if add != 0.0 {
            let more = builder.bits(add.to_bits());
            row = builder.values(Op::FAdd(FloatMode::F32), &[more, row])[0];
        }
        let number = builder.values(Op::FToS(Width::F32, Round::Zero), &[row])[0];
        let value = builder.values(Op::Load(access(Space::Uniform, at, 4)), &[number])[0];
        builder.effect(Op::Store(access(Space::Output, 0, 0)), &[value]);
        builder.terminate(Terminator::End);
        module.functions.push(builder.finish());
        module
    }

    fn loaded(module: &Module) -> Access {
        let insts = &module.functions[0].insts;
        let found = insts.iter().find_map(|inst| match inst.op {
            Op::Load(access) if access.is_indexed() => Some(access),
            _ => None,
        });
        found.unwrap()
    }

    #[test]
    fn rows_become_structures() {
        for (rows, add, at, whole, wanted) in [
            (2.0, 0.0, 0, true, (8, 0)),
            (2.0, 1.0, 0, true, (8, 4)),
            (3.0, -1.0, 9, true, (12, 5)),
            // No place in front of the first, and no number of rows.
            (3.0, -1.0, 1, true, (4, 1)),
            (2.5, 0.0, 0, true, (4, 0)),
            // Half of a row is none.
            (2.0, 0.0, 0, false, (4, 0)),
        ] {
            let mut module = program(rows, add, at, whole);
            run(&mut module);
            let access = loaded(&module);
            assert_eq!((access.stride, access.offset), wanted, "{rows} {add} {at} {whole}");
        }
    }

    #[test]
    fn integers_of_the_file_are_whole() {
        let mut module = program(2.0, 1.0, 0, false);
        let shape = Shape::Int { components: 1, elements: 0 };
        module.globals.push(Global { as_float: true, ..Global::new("i", Space::Input, 0, 0, shape) });
        assert_eq!(run(&mut module).count, 1);
        assert_eq!(loaded(&module).stride, 8);
    }
}
