//! Blocks without members before and after.

use super::*;
use crate::build::FunctionBuilder;
use crate::exec::{Limits, Machine, Memory, Program};
use crate::{Access, FloatMode, Multiply, Value};

const MUL: Op = Op::FMul(FloatMode::F32, Multiply::Ieee);
const ADD: Op = Op::FAdd(FloatMode::F32);

fn access(space: Space, offset: u32, stride: u32) -> Access {
    Access { space, binding: 0, offset, stride }
}

/// A program with one block without members, that stores what `write` makes of four inputs.
fn program(write: impl FnOnce(&mut FunctionBuilder, &[Value]) -> Vec<Value>) -> Module {
    let mut builder = FunctionBuilder::new("main");
    let inputs: Vec<Value> =
        (0..4).map(|word| builder.value(Op::Load(access(Space::Input, word, 0)), &[])).collect();
    for (word, value) in write(&mut builder, &inputs).into_iter().enumerate() {
        builder.effect(Op::Store(access(Space::Output, word as u32, 0)), &[value]);
    }
    builder.returns(&[]);
    let block = UniformBlock { name: "block".to_owned(), named: false, binding: 0, words: 400 };
    let mut module = Module { blocks: vec![block], ..Module::default() };
    module.push_function(builder.finish());
    module
}

fn outputs(module: &Module) -> Vec<u32> {
    let mut memory = Memory::default();
    memory.set(Space::Input, 0, vec![2, 1.5f32.to_bits(), 0.5f32.to_bits(), 3]);
    memory.set(Space::Uniform, 0, (0..400u32).map(|word| (word as f32).to_bits()).collect());
    memory.set(Space::Output, 0, vec![0; 8]);
    Machine::new(&Program::new(module).unwrap()).run(&mut memory, Limits::fuel(10_000));
    memory.words(Space::Output, 0).to_vec()
}

fn members(module: &Module) -> Vec<(&str, u32, Shape)> {
    module.globals.iter().map(|global| (&global.name[..], global.offset, global.shape)).collect()
}

#[test]
fn columns_and_what_else_is_there() {
    let before = program(|builder, x| {
        let word = |builder: &mut FunctionBuilder, at: u32| {
            builder.value(Op::Load(access(Space::Uniform, at, 0)), &[])
        };
        let mut values: Vec<Value> = (0..4)
            .map(|row| {
                let [b, a, c, d] = [4, 0, 8, 12].map(|column| word(builder, column + row));
                let (first, second) = (builder.value(MUL, &[x[1], b]), builder.value(MUL, &[x[0], a]));
                let sum = builder.value(ADD, &[first, second]);
                let third = builder.value(MUL, &[x[2], c]);
                let sum = builder.value(ADD, &[third, sum]);
                builder.value(ADD, &[sum, d])
            })
            .collect();
        let (integer, number) = (word(builder, 16), word(builder, 17));
        values.push(builder.value(Op::SToF(FloatMode::F32), &[integer]));
        values.push(builder.value(ADD, &[number, x[1]]));
        values
    });
    let mut after = before.clone();
    assert_eq!(run(&mut after).count, 3);
    let matrix = Shape::Matrix { columns: 4, rows: 4, elements: 0, element_stride: 0 };
    let expected = [
        ("block_matrix0", 0, matrix),
        ("block_value4", 16, Shape::Int { components: 1, elements: 0 }),
        ("block_value4_1", 17, Shape::Float { components: 1, elements: 0 }),
    ];
    assert_eq!(members(&after), expected);
    assert_eq!(outputs(&before), outputs(&after));
}

#[test]
fn an_array_of_matrices_by_rows() {
    let before = program(|builder, x| {
        let three = builder.bits(3);
        let index = builder.value(Op::IMul, &[x[0], three]);
        (0..3)
            .map(|row| {
                let mut sum = None;
                for component in 0..3 {
                    let at = access(Space::Uniform, 4 * row + component, 4);
                    let word = builder.value(Op::Load(at), &[index]);
                    let product = builder.value(MUL, &[x[1 + component as usize % 2], word]);
                    sum = Some(match sum {
                        Some(sum) => builder.value(ADD, &[sum, product]),
                        None => product,
                    });
                }
                sum.unwrap_or(x[0])
            })
            .collect()
    });
    let mut after = before.clone();
    run(&mut after);
    let matrix = Shape::Matrix { columns: 3, rows: 3, elements: 33, element_stride: 0 };
    assert_eq!(members(&after), [("block_matrices0", 0, matrix)]);
    assert!(after.to_string().contains("i*12"), "{after}");
    assert_eq!(outputs(&before), outputs(&after));
}

#[test]
fn what_an_index_goes_through_is_an_array() {
    let before = program(|builder, x| {
        let at = builder.value(Op::Load(access(Space::Uniform, 8, 8)), &[x[0]]);
        let first = builder.value(Op::Load(access(Space::Uniform, 2, 0)), &[]);
        vec![builder.value(ADD, &[at, first])]
    });
    let mut after = before.clone();
    run(&mut after);
    let array = Shape::Float { components: 4, elements: 98 };
    let expected =
        [("block_values2", 8, array), ("block_value0_2", 2, Shape::Float { components: 1, elements: 0 })];
    assert_eq!(members(&after), expected);
    assert_eq!(outputs(&before), outputs(&after));
}

/// `lights[i].kind`, `lights[i].color` and a first one that is read by itself; what lies behind is something else.
#[test]
fn what_steps_over_slots_is_an_array_of_structures() {
    let before = program(|builder, x| {
        let eight = builder.bits(2);
        let index = builder.value(Op::IMul, &[x[0], eight]);
        let fixed = |builder: &mut FunctionBuilder, at: u32| {
            builder.value(Op::Load(access(Space::Uniform, at, 0)), &[])
        };
        let kind = builder.value(Op::Load(access(Space::Uniform, 12, 4)), &[index]);
        let first_kind = fixed(builder, 4);
        let mut values: Vec<Value> = [kind, first_kind]
            .into_iter()
            .map(|word| builder.value(Op::SToF(FloatMode::F32), &[word]))
            .collect();
        for component in 0..3 {
            let color = builder.value(Op::Load(access(Space::Uniform, 16 + component, 4)), &[index]);
            let first = fixed(builder, 8 + component);
            values.push(builder.value(MUL, &[color, first]));
        }
        let behind = fixed(builder, 36);
        values.push(builder.value(MUL, &[behind, x[1]]));
        values
    });
    let mut after = before.clone();
    let changes = run(&mut after);
    assert!(changes.assumptions.contains(&ASSUMPTION), "{:?}", changes.assumptions);
    let expected = [
        ("block_items[].value0", 4, Shape::Int { components: 1, elements: 4 }),
        ("block_items[].vector4", 8, Shape::Float { components: 3, elements: 4 }),
        ("block_value9", 36, Shape::Float { components: 1, elements: 0 }),
    ];
    assert_eq!(members(&after), expected);
    assert!(after.globals[..2].iter().all(|global| global.stride == 8));
    assert!(after.to_string().contains("i*8"), "{after}");
    assert_eq!(outputs(&before), outputs(&after));
}

#[test]
fn an_array_ends_in_front_of_integers() {
    let before = program(|builder, x| {
        let indexed = builder.value(Op::Load(access(Space::Uniform, 0, 4)), &[x[0]]);
        let number = builder.value(Op::Load(access(Space::Uniform, 32, 0)), &[]);
        let double = builder.value(MUL, &[indexed, x[1]]);
        let integer = builder.value(Op::SToF(FloatMode::F32), &[number]);
        vec![double, integer]
    });
    let mut after = before.clone();
    let changes = run(&mut after);
    assert_eq!(changes.assumptions, [ASSUMPTION]);
    let expected = [
        ("block_values0", 0, Shape::Float { components: 4, elements: 8 }),
        ("block_value8", 32, Shape::Int { components: 1, elements: 0 }),
    ];
    assert_eq!(members(&after), expected);
    assert_eq!(outputs(&before), outputs(&after));
}

#[test]
fn arrays_of_two_kinds_are_two() {
    let before = program(|builder, x| {
        let mut load = |at: u32, stride: u32| {
            let index = if stride > 0 { &x[..1] } else { &[] };
            builder.value(Op::Load(access(Space::Uniform, at, stride)), index)
        };
        let (numbers, float, floats) = (load(0, 4), load(20, 0), load(40, 4));
        let integer = builder.value(Op::SToF(FloatMode::F32), &[numbers]);
        let doubles = [float, floats].map(|value| builder.value(MUL, &[value, x[1]]));
        vec![integer, doubles[0], doubles[1]]
    });
    let mut after = before.clone();
    assert_eq!(run(&mut after).assumptions, [ASSUMPTION]);
    let expected = [
        ("block_values0", 0, Shape::Int { components: 4, elements: 5 }),
        ("block_values10", 40, Shape::Float { components: 4, elements: 90 }),
        ("block_value5", 20, Shape::Float { components: 1, elements: 0 }),
    ];
    assert_eq!(members(&after), expected);
    assert_eq!(outputs(&before), outputs(&after));
}

#[test]
fn words_of_a_double_are_a_vector() {
    let mut module = program(|builder, _| {
        let mut load = |at: u32| builder.value(Op::Load(access(Space::Uniform, at, 0)), &[]);
        let (low, high) = (load(6), load(7));
        let double = builder.value(Op::Join, &[low, high]);
        vec![builder.value(Op::High, &[double])]
    });
    run(&mut module);
    assert_eq!(members(&module), [("block_vector1_2", 6, Shape::Uint { components: 2, elements: 0 })]);
}

#[test]
fn a_member_that_is_read_as_an_integer_is_one() {
    let mut module = program(|builder, _| {
        let number = builder.value(Op::Load(access(Space::Uniform, 4, 0)), &[]);
        vec![builder.value(Op::SToF(FloatMode::F32), &[number])]
    });
    let float = Shape::Float { components: 1, elements: 0 };
    module.globals.push(Global::new("count", Space::Uniform, 0, 4, float));
    module.globals.push(Global::new("unread", Space::Uniform, 0, 5, float));
    assert_eq!(run(&mut module).count, 1);
    let expected = [("count", 4, Shape::Int { components: 1, elements: 0 }), ("unread", 5, float)];
    assert_eq!(members(&module), expected);
}
