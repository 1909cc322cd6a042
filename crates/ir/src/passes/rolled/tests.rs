use super::super::testing::{assert_near, program};
use super::super::{DEAD, NUMBERS};
use super::*;
use crate::build::FunctionBuilder;
use crate::{Access, Multiply, Space};

const MUL: Op = Op::FMul(FloatMode::F32, Multiply::Ieee);

/// What becomes of a program, and how many loops it has.
fn rolled(write: impl Fn(&mut FunctionBuilder, &[Value]) -> Vec<Value>) -> (Module, usize) {
    let mut before = program(|builder, x| write(builder, x));
    before.from_shading_language = true;
    let mut after = before.clone();
    let count = run(&mut after).count;
    super::super::run(&mut after, &[NUMBERS, DEAD], None);
    assert!(crate::verify::check(&after).is_empty(), "{after}");
    assert_near(&before, &after, 3);
    (after, count)
}

/// `1 / (1 + (x - at)^2)`.
fn bump(builder: &mut FunctionBuilder, x: Value, at: Value) -> Value {
    let opposite = builder.value(Op::FNeg(crate::Width::F32), &[at]);
    let difference = builder.value(ADD, &[x, opposite]);
    let square = builder.value(MUL, &[difference, difference]);
    let one = builder.float(1.0);
    let sum = builder.value(ADD, &[square, one]);
    builder.value(Op::FRcp(FloatMode::F32), &[sum])
}

fn uniform(builder: &mut FunctionBuilder, word: u32) -> Value {
    builder.value(Op::Load(Access { space: Space::Uniform, binding: 0, offset: word, stride: 0 }), &[])
}

#[test]
fn sums_over_an_array() {
    let (module, count) = rolled(|builder, x| {
        let mut total = None;
        for n in 0..6 {
            let at = uniform(builder, 4 * n + 1);
            let term = bump(builder, x[0], at);
            total = Some(match total {
                None => term,
                Some(before) => builder.value(ADD, &[before, term]),
            });
        }
        vec![total.unwrap()]
    });
    assert_eq!(count, 1, "{module}");
    let text = module.to_string();
    assert!(text.contains("[1 + i*4]") && text.matches("frcp").count() == 1, "{text}");
}

#[test]
fn numbers_that_grow_are_the_counter() {
    let (module, count) = rolled(|builder, x| {
        let mut total = x[1];
        for n in 0..5 {
            let at = builder.float(n as f32 * 0.25 - 0.5);
            let term = bump(builder, x[0], at);
            total = builder.value(ADD, &[term, total]);
        }
        vec![total]
    });
    assert_eq!(count, 1, "{module}");
    assert_eq!(module.to_string().matches("frcp").count(), 1, "{module}");
}

#[test]
fn what_each_pass_leaves_is_carried() {
    let (module, count) = rolled(|builder, x| {
        let (mut at, mut weight, mut total) = (x[0], 0.5, None);
        for _ in 0..5 {
            let bump = bump(builder, at, x[1]);
            let factor = builder.float(weight);
            let term = builder.value(MUL, &[bump, factor]);
            total = Some(match total {
                None => term,
                Some(before) => builder.value(ADD, &[before, term]),
            });
            let two = builder.float(1.5);
            at = builder.value(MUL, &[at, two]);
            weight *= 0.5;
        }
        vec![total.unwrap()]
    });
    assert_eq!(count, 1, "{module}");
    assert_eq!(module.to_string().matches("frcp").count(), 1, "{module}");
}

#[test]
fn a_value_that_is_computed_again_and_again() {
    // A turn by a small angle, ten times over.
    let (module, count) = rolled(|builder, x| {
        let (mut a, mut b) = (x[0], x[1]);
        for _ in 0..10 {
            let [along, across, back] = [0.75, 0.5, -0.5].map(|number| builder.float(number));
            let [p, q, r, s] = [(a, along), (b, across), (a, back), (b, along)]
                .map(|(value, by)| builder.value(MUL, &[value, by]));
            (a, b) = (builder.value(ADD, &[p, q]), builder.value(ADD, &[r, s]));
        }
        vec![a, b]
    });
    assert_eq!(count, 1, "{module}");
    // The first pass computes from inputs, and stays in front of the loop.
    assert_eq!(module.to_string().matches("fmul").count(), 8, "{module}");
}

#[test]
fn grids_are_two_loops() {
    let (module, count) = rolled(|builder, x| {
        let mut total = None;
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            let at = |builder: &mut FunctionBuilder, base: Value, n: i32| match n {
                1 => base,
                n => {
                    let number = builder.float((n - 1) as f32 * 0.125);
                    builder.value(ADD, &[base, number])
                }
            };
            let (a, b) = (at(builder, x[0], i), at(builder, x[1], j));
            let term = bump(builder, a, b);
            total = Some(match total {
                None => term,
                Some(before) => builder.value(ADD, &[before, term]),
            });
        }
        vec![total.unwrap()]
    });
    assert_eq!(count, 1, "{module}");
    assert_eq!(module.to_string().matches("frcp").count(), 1, "{module}");
}

#[test]
fn what_is_not_alike_or_not_worth_it_stays() {
    // A short sum; terms of different numbers that do not grow evenly; components of a vector.
    let (_, count) = rolled(|builder, x| {
        let squares: Vec<Value> = (0..4).map(|n| builder.value(MUL, &[x[n], x[n]])).collect();
        let mut total = squares[0];
        for square in &squares[1..] {
            total = builder.value(ADD, &[total, *square]);
        }
        vec![total]
    });
    assert_eq!(count, 0);
    let (_, count) = rolled(|builder, x| {
        let mut total = x[1];
        for number in [0.1, 0.7, 0.2, 0.9, 0.4] {
            let at = builder.float(number);
            let term = bump(builder, x[0], at);
            total = builder.value(ADD, &[term, total]);
        }
        vec![total]
    });
    assert_eq!(count, 0);
    let (_, count) = rolled(|builder, x| {
        let mut total = x[1];
        for n in 0..4 {
            let at = uniform(builder, n);
            let term = bump(builder, x[0], at);
            total = builder.value(ADD, &[term, total]);
        }
        vec![total]
    });
    assert_eq!(count, 0);
}

#[test]
fn the_first_and_the_last_pass_may_be_written_otherwise() {
    // What is multiplied by 0 and by 1 is not multiplied.
    let (module, count) = rolled(|builder, x| {
        let mut total = None;
        for n in 0..12 {
            let by = builder.float(n as f32 / 11.0);
            let at = match n {
                0 => x[1],
                11 => builder.value(ADD, &[x[2], x[1]]),
                _ => {
                    let part = builder.value(MUL, &[x[2], by]);
                    builder.value(ADD, &[part, x[1]])
                }
            };
            let square = builder.value(MUL, &[at, x[3]]);
            let term = bump(builder, x[0], square);
            total = Some(match total {
                None => term,
                Some(before) => builder.value(ADD, &[before, term]),
            });
        }
        vec![total.unwrap()]
    });
    assert_eq!(count, 1, "{module}");
    assert!(module.to_string().matches("frcp").count() <= 3, "{module}");
}

/// A register behind a target of one component holds what the sum was in front of the last pass.
#[test]
fn a_sum_that_is_used_without_its_last_term() {
    // Two terms behind a sum stay beside its loop.
    for (at, left) in [(8, 1), (7, 3)] {
        let (module, count) = rolled(|builder, x| {
            let mut sums: Vec<Value> = Vec::new();
            for n in 0..10 {
                let number = builder.float(n as f32 * 0.25 - 1.0);
                let term = bump(builder, x[0], number);
                sums.push(match sums.last() {
                    None => term,
                    Some(before) => builder.value(ADD, &[*before, term]),
                });
            }
            vec![sums[9], sums[at]]
        });
        assert_eq!((count, module.to_string().matches("frcp").count()), (1, left), "{module}");
    }
}
