//! What compilers spell out, and what readable mode makes of it.

use super::*;
use crate::build::FunctionBuilder;
use crate::exec::{Limits, Machine, Memory, Outcome, Program};
use crate::{
    Access, CompareFloat, CompareInt, FloatMode, MinMax, Multiply, Op, Origin, Round, Space, Value, Width,
};

const MODE: FloatMode = FloatMode::F32;
const MUL: Op = Op::FMul(MODE, Multiply::InfTimesZero);
const ADD: Op = Op::FAdd(MODE);
const RULE: MinMax = MinMax::SecondUnlessOrdered;
const INPUTS: u32 = 8;

/// A program that stores what `write` makes of eight inputs, in order.
fn program(write: impl Fn(&mut FunctionBuilder, &[Value]) -> Vec<Value>) -> Module {
    let mut builder = FunctionBuilder::new("main");
    let access = |space, offset| Access { space, binding: 0, offset, stride: 0 };
    let inputs: Vec<Value> = (0..INPUTS)
        .map(|word| {
            builder.at(Origin { instruction: word / 4, step: 1, lane: (word % 4) as u8 });
            builder.value(Op::Load(access(Space::Input, word)), &[])
        })
        .collect();
    builder.at(Origin { instruction: 10, step: 0, lane: 0 });
    for (word, value) in write(&mut builder, &inputs).into_iter().enumerate() {
        builder.effect(Op::Store(access(Space::Output, word as u32)), &[value]);
    }
    builder.returns(&[]);
    let mut module = Module::default();
    module.push_function(builder.finish());
    module
}

fn outputs(module: &Module, inputs: &[f32]) -> Vec<f32> {
    let mut memory = Memory::default();
    memory.set(Space::Input, 0, inputs.iter().map(|value| value.to_bits()).collect());
    memory.set(Space::Uniform, 0, (0..64).map(|word| (word as f32).to_bits()).collect());
    memory.set(Space::Output, 0, vec![0; 8]);
    let run = Machine::new(&Program::new(module).unwrap()).run(&mut memory, Limits::fuel(10_000));
    assert_eq!(run.outcome, Outcome::Ended);
    memory.words(Space::Output, 0).iter().map(|bits| f32::from_bits(*bits)).collect()
}

/// Runs the readable passes, looks for an operation in the text, and compares results on positive inputs
/// of ordinary size: within 4 ulp of the largest number that takes part.
fn check(module: Module, expected: &str, absent: &[&str]) {
    let mut after = module.clone();
    run(&mut after, readable(), None);
    let text = after.to_string();
    assert!(text.contains(expected), "no {expected} in\n{text}\nfrom\n{module}");
    for name in absent {
        assert!(!text.contains(name), "{name} in\n{text}");
    }
    let mut dice = random::Dice::new(7);
    for _ in 0..300 {
        let inputs: Vec<f32> = (0..INPUTS).map(|_| (dice.below(4000) + 100) as f32 / 1024.0).collect();
        let (a, b) = (outputs(&module, &inputs), outputs(&after, &inputs));
        let largest = inputs.iter().fold(0.0f32, |most, value| most.max(value.abs()));
        for (a, b) in a.iter().zip(&b) {
            let scale = a.abs().max(largest);
            assert!((a - b).abs() <= 4.0 * f32::EPSILON * scale, "{a} became {b}\n{module}\n{after}");
        }
    }
}

fn at(builder: &mut FunctionBuilder, instruction: u32, step: u8, lane: usize) {
    builder.at(Origin { instruction, step, lane: lane as u8 });
}

/// `((0 + a0 * b0) + a1 * b1) ...` of one instruction.
fn dot(builder: &mut FunctionBuilder, instruction: u32, a: &[Value], b: &[Value]) -> Value {
    let mut sum = builder.float(0.0);
    let mut products = Vec::new();
    for (lane, (a, b)) in a.iter().zip(b).enumerate() {
        at(builder, instruction, 13, lane);
        products.push(builder.value(MUL, &[*a, *b]));
    }
    for (lane, product) in products.into_iter().enumerate() {
        at(builder, instruction, 17 + lane as u8, 0);
        sum = builder.value(ADD, &[sum, product]);
    }
    sum
}

/// Magnitudes, signs and corrections as compilers put them around an unsigned quotient.
#[derive(Clone, Copy, PartialEq)]
enum Reciprocal {
    /// 2^32 / d in integers, off by one at most, and corrected both ways.
    Integer,
    /// 2^32 / d by way of floats, improved once, and corrected upwards twice.
    Float,
}

fn quotient(builder: &mut FunctionBuilder, how: Reciprocal, [n, d]: [Value; 2], remainder: bool) -> Value {
    let (zero, one) = (builder.bits(0), builder.bits(1));
    let high = |builder: &mut FunctionBuilder, a, b| builder.value(Op::UMulHigh, &[a, b]);
    let at_least = |builder: &mut FunctionBuilder, a, b| {
        let holds = builder.value(Op::ICompare(CompareInt::Ule), &[b, a]);
        builder.value(Op::BToI, &[holds])
    };
    let choose = |builder: &mut FunctionBuilder, test, a, b| {
        let is_zero = builder.value(Op::ICompare(CompareInt::Eq), &[test, zero]);
        builder.value(Op::Select, &[is_zero, a, b])
    };
    if how == Reciprocal::Integer {
        let all = builder.bits(u32::MAX);
        let rcp = builder.value(Op::UDiv, &[all, d]);
        let (low, upper) = (builder.value(Op::IMul, &[rcp, d]), high(builder, rcp, d));
        let minus = builder.value(Op::INeg, &[low]);
        let amount = choose(builder, upper, minus, low);
        let error = high(builder, amount, rcp);
        let (more, less) = (builder.value(Op::IAdd, &[rcp, error]), builder.value(Op::ISub, &[rcp, error]));
        let rcp = choose(builder, upper, more, less);
        let q = high(builder, rcp, n);
        let product = builder.value(Op::IMul, &[q, d]);
        let rest = builder.value(Op::ISub, &[n, product]);
        let (large, positive) = (at_least(builder, rest, d), at_least(builder, n, product));
        let both = builder.value(Op::And, &[large, positive]);
        let (step, up, down) = if remainder { (d, Op::ISub, Op::IAdd) } else { (one, Op::IAdd, Op::ISub) };
        let value = if remainder { rest } else { q };
        let (up, down) = (builder.value(up, &[value, step]), builder.value(down, &[value, step]));
        let value = choose(builder, both, value, up);
        return choose(builder, positive, down, value);
    }
    let float = builder.value(Op::UToF(MODE), &[d]);
    let rcp = builder.value(Op::FRcp(MODE), &[float]);
    let scale = builder.float(4_294_966_784.0);
    let rcp = builder.value(Op::FMul(MODE, Multiply::Ieee), &[rcp, scale]);
    let rcp = builder.value(Op::FToU(Width::F32, Round::Zero), &[rcp]);
    let minus = builder.value(Op::INeg, &[d]);
    let error = builder.value(Op::IMul, &[rcp, minus]);
    let error = high(builder, rcp, error);
    let rcp = builder.value(Op::IAdd, &[rcp, error]);
    let mut q = high(builder, n, rcp);
    let product = builder.value(Op::IMul, &[q, d]);
    let mut rest = builder.value(Op::ISub, &[n, product]);
    for _ in 0..2 {
        let more = builder.value(Op::ICompare(CompareInt::Ule), &[d, rest]);
        let (next, less) = (builder.value(Op::IAdd, &[q, one]), builder.value(Op::ISub, &[rest, d]));
        q = builder.value(Op::Select, &[more, next, q]);
        rest = builder.value(Op::Select, &[more, less, rest]);
    }
    if remainder { rest } else { q }
}

fn signed_quotient(
    builder: &mut FunctionBuilder,
    how: Reciprocal,
    [n, d]: [Value; 2],
    remainder: bool,
) -> Value {
    let zero = builder.bits(0);
    let amount = |builder: &mut FunctionBuilder, x| {
        let minus = builder.value(Op::INeg, &[x]);
        if how == Reciprocal::Float {
            return builder.value(Op::SMax, &[x, minus]);
        }
        let negative = builder.value(Op::ICompare(CompareInt::Slt), &[x, zero]);
        builder.value(Op::Select, &[negative, minus, x])
    };
    let amounts = [n, d].map(|x| amount(builder, x));
    let value = quotient(builder, how, amounts, remainder);
    let minus = builder.value(Op::INeg, &[value]);
    let sign = if remainder { n } else { builder.value(Op::Xor, &[n, d]) };
    let negative = builder.value(Op::ICompare(CompareInt::Slt), &[sign, zero]);
    builder.value(Op::Select, &[negative, minus, value])
}

#[test]
fn integer_division() {
    for how in [Reciprocal::Integer, Reciprocal::Float] {
        for (signed, remainder, name) in
            [(false, false, "udiv"), (false, true, "urem"), (true, false, "sdiv"), (true, true, "srem")]
        {
            let module = program(|builder, inputs| {
                // Numerators are computed too.
                let n = builder.value(Op::IAdd, &[inputs[0], inputs[2]]);
                let operands = [n, inputs[1]];
                let write = if signed { signed_quotient } else { quotient };
                vec![write(builder, how, operands, remainder)]
            });
            let mut after = module.clone();
            let report = run(&mut after, readable(), None);
            let text = after.to_string();
            assert!(text.contains(name), "no {name} in\n{text}");
            assert!(!text.contains("umulhigh") && !text.contains("frcp"), "{text}");
            assert_eq!(report.assumptions, ["integers are not divided by zero"]);
            let mut dice = random::Dice::new(11);
            for _ in 0..2000 {
                let mut word = || {
                    let bits = (dice.below(1 << 16) as u32 * 65_537) ^ dice.below(1 << 16) as u32;
                    bits >> dice.below(32)
                };
                let (mut a, b, c) = (word(), word().max(1), word());
                if dice.one_in(2) {
                    a = a.wrapping_neg();
                }
                let inputs = [a, b, c, 0, 0, 0, 0, 0].map(f32::from_bits);
                let [x, y] = [&module, &after].map(|module| outputs(module, &inputs)[0].to_bits());
                assert_eq!(x, y, "{name} {a} + {c} by {b}");
            }
        }
    }
}

/// Multiples that are made of shifts, and negatives that are added.
#[test]
fn multiples_and_differences() {
    let module = program(|builder, x| {
        let three = builder.bits(3);
        let eight = builder.value(Op::Shl, &[x[0], three]);
        let minus = builder.value(Op::INeg, &[x[0]]);
        let other = builder.value(Op::INeg, &[x[1]]);
        let difference = builder.value(Op::ISub, &[x[0], x[1]]);
        vec![
            builder.value(Op::IAdd, &[eight, minus]),
            builder.value(Op::IAdd, &[x[0], eight]),
            builder.value(Op::IAdd, &[other, x[2]]),
            builder.value(Op::ISub, &[x[3], other]),
            builder.value(Op::INeg, &[difference]),
        ]
    });
    let mut after = module.clone();
    run(&mut after, strict(), None);
    let text = after.to_string();
    assert!(!text.contains("ineg") && !text.contains("shl"), "{text}");
    assert_eq!(text.matches("imul").count(), 2, "{text}");
    let mut dice = random::Dice::new(3);
    for _ in 0..200 {
        let inputs: Vec<f32> = (0..INPUTS).map(|_| f32::from_bits(dice.next() as u32 >> 9)).collect();
        let bits = |module: &Module| -> Vec<u32> {
            outputs(module, &inputs).iter().map(|number| number.to_bits()).collect()
        };
        assert_eq!(bits(&module), bits(&after), "{text}");
    }
}

/// What is not a division in every case stays.
#[test]
fn almost_a_division() {
    let module = program(|builder, inputs| {
        let q = quotient(builder, Reciprocal::Float, [inputs[0], inputs[1]], false);
        let three = builder.bits(3);
        let is_three = builder.value(Op::ICompare(CompareInt::Eq), &[inputs[1], three]);
        vec![builder.value(Op::Select, &[is_three, three, q])]
    });
    let mut after = module.clone();
    run(&mut after, readable(), None);
    let text = after.to_string();
    assert!(text.contains("udiv") && text.contains("select"), "{text}");
}

#[test]
fn dot_products() {
    for lanes in 2..=4 {
        let module = program(|builder, x| vec![dot(builder, 3, &x[..lanes], &x[4..4 + lanes])]);
        check(module, &format!("dot{lanes}"), &["fadd", "fmul"]);
    }
}

#[test]
fn a_homogeneous_dot_product_has_a_one() {
    let module = program(|builder, x| {
        let one = builder.float(1.0);
        vec![dot(builder, 3, &[x[0], x[1], x[2], one], &x[4..8])]
    });
    check(module, "dot4", &["fadd"]);
    let module = program(|builder, x| {
        let sum = dot(builder, 3, &x[..3], &x[4..7]);
        vec![builder.value(ADD, &[sum, x[7]])]
    });
    check(module, "dot4", &["fadd"]);
}

#[test]
fn a_sum_behind_a_dot_product_stays() {
    let module = program(|builder, x| {
        let sum = dot(builder, 3, &x[..3], &x[4..7]);
        at(builder, 4, 17, 0);
        vec![builder.value(ADD, &[sum, x[7]])]
    });
    check(module, "dot3", &["dot4"]);
}

#[test]
fn a_multiply_and_sums_of_its_lanes_are_a_dot_product() {
    let module = program(|builder, x| {
        let products: Vec<Value> = (0..3)
            .map(|lane| {
                at(builder, 3, 17, lane);
                builder.value(MUL, &[x[lane], x[4 + lane]])
            })
            .collect();
        at(builder, 4, 17, 0);
        let sum = builder.value(ADD, &[products[1], products[2]]);
        at(builder, 5, 17, 0);
        vec![builder.value(ADD, &[products[0], sum])]
    });
    check(module, "dot3", &["fadd"]);
}

#[test]
fn a_chain_of_multiply_adds_is_none() {
    let module = program(|builder, x| {
        let mut sum = x[7];
        for n in 0..3 {
            at(builder, 3 + n as u32, 13, 0);
            let product = builder.value(MUL, &[x[n], x[n + 3]]);
            at(builder, 3 + n as u32, 17, 0);
            sum = builder.value(ADD, &[product, sum]);
        }
        vec![sum]
    });
    check(module, "fadd", &["dot"]);
}

#[test]
fn zero_lanes_of_a_dot_product_go() {
    let module = program(|builder, x| {
        let zero = builder.float(0.0);
        let one = builder.float(1.0);
        vec![
            dot(builder, 3, &x[..4], &[one, zero, zero, zero]),
            dot(builder, 4, &x[..4], &[x[4], zero, x[5], zero]),
        ]
    });
    check(module, "dot2", &["dot4", "fmul"]);
}

#[test]
fn normalizing_and_lengths() {
    let module = program(|builder, x| {
        let square = dot(builder, 3, &x[..3], &x[..3]);
        at(builder, 4, 17, 0);
        let scale = builder.value(Op::FRsq(MODE), &[square]);
        (0..3)
            .map(|lane| {
                at(builder, 5, 17, lane);
                builder.value(MUL, &[x[lane], scale])
            })
            .collect()
    });
    check(module, "normalize3", &["frsq", "fmul", "dot"]);
    let module = program(|builder, x| {
        let square = dot(builder, 3, &x[..3], &x[..3]);
        let scale = builder.value(Op::FRsq(MODE), &[square]);
        vec![builder.value(Op::FRcp(MODE), &[scale]), builder.value(MUL, &[square, scale])]
    });
    check(module, "length3", &["frsq", "frcp", "dot", "fsqrt"]);
}

#[test]
fn division_and_roots() {
    let module = program(|builder, x| {
        let reciprocal = builder.value(Op::FRcp(MODE), &[x[3]]);
        (0..3).map(|lane| builder.value(MUL, &[x[lane], reciprocal])).collect()
    });
    check(module, "fdiv", &["frcp", "fmul"]);
    let module = program(|builder, x| {
        let root = builder.value(Op::FRsq(MODE), &[x[0]]);
        vec![builder.value(MUL, &[x[0], root])]
    });
    check(module, "fsqrt", &["frsq"]);
}

#[test]
fn powers() {
    let module = program(|builder, x| {
        let log = builder.value(Op::FLog2(MODE), &[x[0]]);
        let product = builder.value(MUL, &[x[1], log]);
        vec![builder.value(Op::FExp2(MODE), &[product])]
    });
    check(module, "pow", &["fexp2", "flog2"]);
}

#[test]
fn clamp_mix_fract_and_abs() {
    for (swap, rule) in [(false, RULE), (true, RULE), (false, MinMax::Number), (true, MinMax::Number)] {
        let module = program(|builder, x| {
            let [low, high] = [0.5, 2.0].map(|value| builder.float(value));
            let args = if swap { [low, x[0]] } else { [x[0], low] };
            let raised = builder.value(Op::FMax(MODE, rule), &args);
            vec![builder.value(Op::FMin(MODE, rule), &[raised, high])]
        });
        check(module, "clamp", &["fmin", "fmax"]);
    }
    let module = program(|builder, x| {
        let minus = builder.value(Op::FNeg(Width::F32), &[x[0]]);
        let difference = builder.value(ADD, &[x[1], minus]);
        let part = builder.value(MUL, &[difference, x[2]]);
        vec![builder.value(ADD, &[part, x[0]])]
    });
    check(module, "mix", &["fadd"]);
    let module = program(|builder, x| {
        let one = builder.float(1.0);
        let minus = builder.value(Op::FNeg(Width::F32), &[x[2]]);
        let rest = builder.value(ADD, &[one, minus]);
        let first = builder.value(MUL, &[rest, x[0]]);
        let second = builder.value(MUL, &[x[1], x[2]]);
        vec![builder.value(ADD, &[second, first])]
    });
    check(module, "mix", &["fadd"]);
    let module = program(|builder, x| {
        let floor = builder.value(Op::FRound(MODE, Round::Down), &[x[0]]);
        let minus = builder.value(Op::FNeg(Width::F32), &[floor]);
        vec![builder.value(ADD, &[minus, x[0]])]
    });
    check(module, "fract", &["fround"]);
    let module = program(|builder, x| {
        let minus = builder.value(Op::FNeg(Width::F32), &[x[0]]);
        vec![builder.value(Op::FMax(MODE, RULE), &[minus, x[0]])]
    });
    check(module, "fabs", &["fmax"]);
}

#[test]
fn bounds_out_of_order_are_no_clamp() {
    let module = program(|builder, x| {
        let [low, high] = [2.0, 0.5].map(|value| builder.float(value));
        let raised = builder.value(Op::FMax(MODE, RULE), &[x[0], low]);
        vec![builder.value(Op::FMin(MODE, RULE), &[raised, high])]
    });
    check(module, "fmin", &["clamp"]);
}

#[test]
fn sums_of_squares_have_no_sign() {
    let module = program(|builder, x| {
        let squares = [0, 1].map(|n| builder.value(Op::FMul(MODE, Multiply::Ieee), &[x[n], x[n]]));
        let sum = builder.value(ADD, &squares);
        let amount = builder.value(Op::FAbs(Width::F32), &[sum]);
        vec![builder.value(Op::FRsq(MODE), &[amount])]
    });
    check(module, "rsq", &["fabs"]);
}

#[test]
fn a_choice_in_the_same_choice_is_known() {
    let module = program(|builder, x| {
        let condition = builder.value(Op::FCompare(CompareFloat::Lt, MODE), &[x[0], x[1]]);
        let inner = builder.value(Op::Select, &[condition, x[2], x[3]]);
        let other = builder.value(Op::Select, &[condition, x[4], x[5]]);
        vec![builder.value(Op::Select, &[condition, inner, other])]
    });
    check(module, "select", &["x3", "input 0[3]"]);
}

#[test]
fn guards_of_an_index_go() {
    let module = program(|builder, x| {
        let a = builder.value(Op::FToS(Width::F32, Round::Zero), &[x[0]]);
        let [half, whole, zero] = [128, 256, 0].map(|bits| builder.bits(bits));
        let moved = builder.value(Op::IAdd, &[a, half]);
        let near = builder.value(Op::ICompare(CompareInt::Ult), &[moved, whole]);
        let offset = builder.value(Op::Select, &[near, a, zero]);
        let [base, seven, end] = [3, 127, 96].map(|bits| builder.bits(bits));
        let sum = builder.value(Op::IAdd, &[offset, base]);
        let number = builder.value(Op::And, &[sum, seven]);
        let inside = builder.value(Op::ICompare(CompareInt::Ult), &[number, end]);
        let access = Access { space: Space::Uniform, binding: 0, offset: 1, stride: 4 };
        let loaded = builder.value(Op::Load(access), &[number]);
        let one = builder.float(1.0);
        vec![builder.value(Op::Select, &[inside, loaded, one])]
    });
    check(module, "load uniform 0[13 + i*4]", &["select", "and", "icmp", "iadd"]);
}

/// A program of a shading language compiler.
fn compiled(write: impl Fn(&mut FunctionBuilder, &[Value]) -> Vec<Value>) -> Module {
    Module { from_shading_language: true, ..program(write) }
}

/// 1.0 where a is less than b, else 0.0.
fn less(builder: &mut FunctionBuilder, a: Value, b: Value) -> Value {
    let condition = builder.value(Op::FCompare(CompareFloat::Lt, MODE), &[a, b]);
    let (one, zero) = (builder.float(1.0), builder.float(0.0));
    builder.value(Op::Select, &[condition, one, zero])
}

/// All ones where a is less than b, else 0.
fn mask(builder: &mut FunctionBuilder, a: Value, b: Value) -> Value {
    let condition = builder.value(Op::FCompare(CompareFloat::Lt, MODE), &[a, b]);
    let (all, none) = (builder.bits(u32::MAX), builder.bits(0));
    builder.value(Op::Select, &[condition, all, none])
}

#[test]
fn masks_are_truth_values() {
    // Joined, inverted, tested.
    let module = program(|builder, x| {
        let (a, b) = (mask(builder, x[0], x[1]), mask(builder, x[2], x[3]));
        let both = builder.value(Op::And, &[a, b]);
        let neither = builder.value(Op::Not, &[both]);
        let zero = builder.bits(0);
        let test = builder.value(Op::ICompare(CompareInt::Ne), &[zero, neither]);
        vec![builder.value(Op::Select, &[test, x[4], x[5]])]
    });
    check(module, " = and ", &["icmp", "not", "b32 0xffffffff"]);
    // Over a bit pattern.
    let module = program(|builder, x| {
        let (a, one) = (mask(builder, x[0], x[1]), builder.float(1.0));
        vec![builder.value(Op::And, &[a, one])]
    });
    check(module, "select", &["and", "b32 0xffffffff"]);
    // Over values.
    let module = program(|builder, x| {
        let a = mask(builder, x[0], x[1]);
        let opposite = builder.value(Op::Not, &[a]);
        let yes = builder.value(Op::And, &[a, x[2]]);
        let no = builder.value(Op::And, &[x[3], opposite]);
        vec![builder.value(Op::Or, &[yes, no])]
    });
    check(module, "select", &[" = and ", " = or ", " = not ", "b32"]);
}

#[test]
fn truth_values_as_numbers_are_truth_values() {
    let module = compiled(|builder, x| {
        let (a, b) = (less(builder, x[0], x[1]), less(builder, x[2], x[3]));
        let (one, zero) = (builder.float(1.0), builder.float(0.0));
        let minus = builder.value(Op::FNeg(Width::F32), &[b]);
        let not_b = builder.value(ADD, &[one, minus]);
        let both = builder.value(Op::FMin(MODE, RULE), &[a, not_b]);
        let any = builder.value(Op::FMax(MODE, RULE), &[both, b]);
        let holds = builder.value(Op::FCompare(CompareFloat::Ne, MODE), &[any, zero]);
        let differ = builder.value(Op::FCompare(CompareFloat::Ne, MODE), &[a, b]);
        vec![
            builder.value(Op::Select, &[holds, x[4], x[5]]),
            builder.value(Op::Select, &[differ, x[6], x[7]]),
        ]
    });
    check(module, " xor ", &["fmin", "fmax", "fadd", "fneg"]);
}

#[test]
fn two_comparisons_are_one() {
    let module = compiled(|builder, x| {
        let mut compare = |by, a, b| builder.value(Op::FCompare(by, MODE), &[a, b]);
        let (ge, le) = (compare(CompareFloat::Ge, x[0], x[1]), compare(CompareFloat::Ge, x[1], x[0]));
        let equal = builder.value(Op::And, &[ge, le]);
        vec![builder.value(Op::Select, &[equal, x[2], x[3]])]
    });
    check(module, "fcmp.f32 eq", &["and", "ge"]);
}

/// Products and sums of instructions of their own, in any order.
#[test]
fn dot_products_over_instructions() {
    let scattered = |builder: &mut FunctionBuilder, pairs: &[(Value, Value)]| {
        let mut sum = None;
        for (n, (a, b)) in pairs.iter().enumerate() {
            at(builder, 40 + 2 * n as u32, 0, 0);
            let product = builder.value(MUL, &[*a, *b]);
            at(builder, 41 + 2 * n as u32, 1, 0);
            sum = Some(match sum {
                Some(sum) => builder.value(ADD, &[product, sum]),
                None => product,
            });
        }
        sum.unwrap_or(pairs[0].0)
    };
    let module = |write: &dyn Fn(&mut FunctionBuilder, &[Value]) -> Vec<Value>| {
        let mut module = compiled(write);
        for (name, offset) in [("a", 0), ("b", 4)] {
            let shape = crate::Shape::Float { components: 4, elements: 0 };
            module.globals.push(crate::Global::new(name, Space::Input, 0, offset, shape));
        }
        module
    };
    let plain = module(&|builder, x| vec![scattered(builder, &[(x[6], x[2]), (x[0], x[4]), (x[5], x[1])])]);
    check(plain, "dot3", &["fadd", "fmul"]);
    // One component of a vector times another vector is a vector as well.
    let scaled = module(&|builder, x| {
        let products = [1, 0, 2].map(|n| (builder.value(MUL, &[x[3], x[4 + n]]), x[n]));
        vec![scattered(builder, &products)]
    });
    check(scaled, "dot3", &["fadd"]);
    let negative = module(&|builder, x| {
        let terms: Vec<Value> = (0..3)
            .map(|n| {
                let product = builder.value(MUL, &[x[n], x[4 + n]]);
                builder.value(Op::FNeg(Width::F32), &[product])
            })
            .collect();
        let sum = builder.value(ADD, &[terms[0], terms[1]]);
        vec![builder.value(ADD, &[sum, terms[2]])]
    });
    check(negative, "dot3", &["fadd", "fmul"]);
    // Components of nothing in common are no vectors.
    let loose = module(&|builder, x| {
        let sine = builder.value(Op::FSin(MODE), &[x[3]]);
        let cosine = builder.value(Op::FCos(MODE), &[x[3]]);
        vec![scattered(builder, &[(x[0], sine), (x[1], cosine)])]
    });
    check(loose, "fmul", &["dot"]);
}

#[test]
fn angles_and_ceilings_that_are_spelled_out() {
    let module = compiled(|builder, x| {
        let turn = builder.float(0.159_179_69);
        let two_pi = builder.float(std::f32::consts::TAU);
        let turns = builder.value(MUL, &[x[0], turn]);
        let angle = builder.value(MUL, &[turns, two_pi]);
        vec![builder.value(Op::FSin(MODE), &[angle])]
    });
    let mut after = module.clone();
    let report = run(&mut after, readable(), None);
    assert!(!after.to_string().contains("fmul"), "{after}");
    assert!(report.assumptions.iter().any(|sentence| sentence.contains("angles")));
    let module = compiled(|builder, x| {
        let negative = builder.value(Op::FNeg(Width::F32), &[x[0]]);
        let floor = builder.value(Op::FRound(MODE, Round::Down), &[negative]);
        vec![builder.value(Op::FNeg(Width::F32), &[floor])]
    });
    check(module, "fround.f32 up", &["fneg", "down"]);
}

/// Whole turns are taken off a product whose constant factor has `1 / 2pi` in it.
#[test]
fn angles_of_products_get_their_factor_back() {
    for swapped in [false, true] {
        let module = compiled(|builder, x| {
            let [scale, half, minus, two_pi] =
                [159.154_94, 0.5, -0.5, std::f32::consts::TAU].map(|number| builder.float(number));
            let scaled = builder.value(MUL, &[x[0], scale]);
            let args = if swapped { [x[1], scaled] } else { [scaled, x[1]] };
            let turns = builder.value(MUL, &args);
            let turns = builder.value(ADD, &[turns, half]);
            let floor = builder.value(Op::FRound(MODE, Round::Down), &[turns]);
            let floor = builder.value(Op::FNeg(Width::F32), &[floor]);
            let part = builder.value(ADD, &[turns, floor]);
            let part = builder.value(ADD, &[part, minus]);
            let angle = builder.value(MUL, &[part, two_pi]);
            vec![builder.value(Op::FSin(MODE), &[angle])]
        });
        let mut after = module.clone();
        run(&mut after, readable(), None);
        let text = after.to_string();
        assert!(!text.contains("fadd") && text.contains("b32 1000.0"), "{text}");
    }
}

#[test]
fn assumptions_are_named() {
    let mut module = program(|builder, x| {
        let log = builder.value(Op::FLog2(MODE), &[x[0]]);
        let product = builder.value(MUL, &[x[1], log]);
        vec![builder.value(Op::FExp2(MODE), &[product])]
    });
    let report = run(&mut module, readable(), None);
    assert_eq!(report.assumptions.len(), 2, "{:?}", report.assumptions);
    let mut module = program(|builder, x| {
        let zero = builder.float(0.0);
        vec![builder.value(ADD, &[x[0], zero])]
    });
    let report = run(&mut module, readable(), None);
    assert_eq!(report.assumptions, ["the sign of a zero does not matter, and no NaN is compared"]);
}

/// Conditions that only choose become selects, in strict mode too.
#[test]
fn light_conditions_become_selects() {
    let mut builder = FunctionBuilder::new("main");
    let access = |space, offset| Access { space, binding: 0, offset, stride: 0 };
    let mut module = Module::default();
    let variable = module.push_variable("r0", 0, crate::Type::B32, 0);
    let x = builder.value(Op::Load(access(Space::Input, 0)), &[]);
    let y = builder.value(Op::Load(access(Space::Input, 1)), &[]);
    let less = builder.value(Op::FCompare(CompareFloat::Lt, MODE), &[x, y]);
    let (then, otherwise, join) = (builder.block(), builder.block(), builder.block());
    builder.branch(less, then, otherwise);
    for (block, value) in [(then, x), (otherwise, y)] {
        builder.switch_to(block);
        let sum = builder.value(ADD, &[value, value]);
        builder.write(variable, sum);
        builder.jump(join, &[]);
    }
    builder.switch_to(join);
    let read = builder.read(variable, crate::Type::B32);
    builder.effect(Op::Store(access(Space::Output, 0)), &[read]);
    builder.returns(&[]);
    module.push_function(builder.finish());
    run(&mut module, strict(), None);
    assert_eq!(module.functions[0].blocks.len(), 1, "{module}");
    assert!(module.to_string().contains("select"));
}
