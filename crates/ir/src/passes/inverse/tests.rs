use super::*;
use crate::build::FunctionBuilder;
use crate::exec::{Limits, Machine, Memory, Outcome, Program};
use crate::random::Dice;
use crate::{Access, Global, Shape};

const MUL: Op = Op::FMul(MODE, Multiply::Ieee);

/// The minor of a matrix by columns, without some rows and columns, as sums of products.
fn minor(builder: &mut FunctionBuilder, m: &[Vec<Value>], rows: &[usize], columns: &[usize]) -> Value {
    let [first, others @ ..] = columns else { panic!("no columns") };
    let mut sum = None;
    for (place, row) in rows.iter().enumerate() {
        let mut term = m[*first][*row];
        if !others.is_empty() {
            let rest: Vec<usize> = rows.iter().copied().filter(|other| other != row).collect();
            let inner = minor(builder, m, &rest, others);
            term = builder.value(MUL, &[inner, term]);
        }
        if place % 2 == 1 {
            term = builder.value(NEGATE, &[term]);
        }
        sum = Some(match sum {
            None => term,
            Some(sum) => builder.value(ADD, &[term, sum]),
        });
    }
    sum.unwrap()
}

/// A program that multiplies a vector with the inverse of a matrix in a buffer, and one element alone.
fn program(size: usize, vector_first: bool, missing: Option<usize>) -> Module {
    let mut builder = FunctionBuilder::new("main");
    let access = |space, offset| Access { space, binding: 0, offset, stride: 0 };
    let mut load = |space, offset: usize| builder.value(Op::Load(access(space, offset as u32)), &[]);
    let matrix: Vec<Vec<Value>> = (0..size)
        .map(|column| (0..size).map(|row| load(Space::Uniform, 4 * column + row)).collect())
        .collect();
    let vector: Vec<Value> = (0..size).map(|lane| load(Space::Input, lane)).collect();
    let all: Vec<usize> = (0..size).collect();
    let without = |n: usize| all.iter().copied().filter(|other| *other != n).collect::<Vec<_>>();
    let whole = minor(&mut builder, &matrix, &all, &all);
    let reciprocal = builder.value(Op::FRcp(MODE), &[whole]);
    let opposite = builder.value(NEGATE, &[reciprocal]);
    let mut quotient = |row: usize, column: usize| {
        let part = minor(&mut builder, &matrix, &without(column), &without(row));
        let factor = if (row + column).is_multiple_of(2) { reciprocal } else { opposite };
        builder.value(MUL, &[part, factor])
    };
    let elements: Vec<Vec<Value>> =
        (0..size).map(|row| (0..size).map(|column| quotient(row, column)).collect()).collect();
    let element = |to: usize, from: usize| if vector_first { elements[from][to] } else { elements[to][from] };
    for to in 0..size {
        let mut sum = None;
        for (from, value) in vector.iter().enumerate().filter(|(from, _)| Some(*from) != missing) {
            let term = builder.value(MUL, &[element(to, from), *value]);
            sum = Some(match sum {
                None => term,
                Some(sum) => builder.value(ADD, &[sum, term]),
            });
        }
        builder.effect(Op::Store(access(Space::Output, to as u32)), &[sum.unwrap()]);
    }
    builder.effect(Op::Store(access(Space::Output, 4)), &[elements[1][0]]);
    builder.returns(&[]);
    let mut module = Module::default();
    module.push_function(builder.finish());
    let shape = Shape::Float { components: size as u8, elements: 0 };
    module.globals.push(Global::new("vector", Space::Input, 0, 0, shape));
    module
}

fn outputs(module: &Module, matrix: &[u32], vector: &[u32]) -> Vec<u32> {
    let mut memory = Memory::default();
    memory.set(Space::Uniform, 0, matrix.to_vec());
    memory.set(Space::Input, 0, vector.to_vec());
    memory.set(Space::Output, 0, vec![0; 5]);
    let run = Machine::new(&Program::new(module).unwrap()).run(&mut memory, Limits::fuel(10_000));
    assert_eq!(run.outcome, Outcome::Ended);
    memory.words(Space::Output, 0).to_vec()
}

fn assert_same(before: &Module, after: &Module) {
    let mut dice = Dice::new(11);
    let mut number = || (dice.below(2001) as f32 - 1000.0) / 250.0;
    for _ in 0..50 {
        let mut matrix: Vec<f32> = (0..16).map(|_| number()).collect();
        // Far from having no inverse.
        (0..4).for_each(|n| matrix[5 * n] += 20.0);
        let bits = |list: &[f32]| list.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
        let vector: Vec<f32> = (0..4).map(|_| number()).collect();
        let (matrix, vector) = (bits(&matrix), bits(&vector));
        for (a, b) in outputs(before, &matrix, &vector).iter().zip(outputs(after, &matrix, &vector)) {
            let (a, b) = (f32::from_bits(*a), f32::from_bits(b));
            assert!((a - b).abs() < 1e-5, "{a} {b}\n{after}");
        }
    }
}

#[test]
fn cofactors_over_the_determinant_are_the_inverse() {
    for size in 2..=4 {
        for vector_first in [false, true] {
            for missing in [None, Some(size - 1)].into_iter().take(size - 1) {
                let before = program(size, vector_first, missing);
                let mut after = before.clone();
                // The product, and the column of the element alone.
                assert!(run(&mut after).count >= 2, "{size} {vector_first}");
                assert!(crate::verify::check(&after).is_empty());
                super::super::dead::run(&mut after);
                let text = after.to_string();
                let name = if vector_first { "times.inverse" } else { "inverse" };
                assert!(text.contains(name), "{text}");
                assert!(!text.contains("fadd") && !text.contains("frcp"), "{text}");
                assert_same(&before, &after);
            }
        }
    }
}

#[test]
fn other_quotients_stay() {
    // A determinant with one sign changed.
    let mut other = program(3, false, None);
    let function = &mut other.functions[0];
    let place = function.insts.iter().position(|inst| inst.op == NEGATE).unwrap();
    function.insts[place].op = Op::FAbs(Width::F32);
    assert_eq!(run(&mut other).count, 0);
}
