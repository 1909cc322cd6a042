//! What the units compute. The expressions are those of the interpreter, operation for operation.

use super::super::exec::{TURN, power};
use super::super::table::{
    AddOp, Combine, CombineOp, FloatAdd, FloatMul, MulOp, Outmod, VectorAdd, VectorMul, shift,
};
use super::super::{Field, Inst};
use super::memory::{sampler, store, uniform, varying};
use super::write::{Step, Vector, Writer};
use unshade_ir::{Axis, CompareFloat, FloatMode, MinMax, Op, QuadSide, Round, Value, Width};

const F32: FloatMode = FloatMode::F32;
const SECOND: MinMax = MinMax::SecondUnlessOrdered;

/// What the units of one instruction pass on; none: the unit is not there.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Links {
    constants: [Option<[f32; 4]>; 2],
    pub(super) coordinates: Option<Vector>,
    pub(super) texture: Option<Vector>,
    pub(super) uniform: Option<Vector>,
    vector_mul: Option<Vector>,
    float_mul: Option<Value>,
}

/// Writes all but the branch.
pub(super) fn instruction(writer: &mut Writer<'_>, inst: &Inst) -> Links {
    let how = writer.constants;
    let constant = |field: Field, n: usize| {
        inst.has(field).then(|| inst.constants[n].halves().map(|half| how.read(half)))
    };
    let mut links =
        Links { constants: [constant(Field::Const0, 0), constant(Field::Const1, 1)], ..Links::default() };
    if inst.has(Field::Varying) {
        writer.field = Field::Varying;
        varying(writer, inst, &mut links);
    }
    if inst.has(Field::Sampler) {
        writer.field = Field::Sampler;
        sampler(writer, inst, &mut links);
    }
    if inst.has(Field::Uniform) {
        writer.field = Field::Uniform;
        uniform(writer, inst, &mut links);
    }
    // Both multiply units read before either writes, and so do both add units.
    links.vector_mul = inst.has(Field::VectorMul).then(|| vector_mul(writer, inst, &links));
    links.float_mul = inst.has(Field::FloatMul).then(|| float_mul(writer, inst.float_mul, &links));
    if let Some(values) = links.vector_mul {
        writer.write_masked(inst.vector_mul.dest(), inst.vector_mul.mask(), values);
    }
    if let (Some(value), 1) = (links.float_mul, inst.float_mul.output_enable()) {
        write_component(writer, inst.float_mul.dest(), value);
    }
    let vector = inst.has(Field::VectorAdd).then(|| vector_add(writer, inst.vector_add, &links));
    let scalar = inst.has(Field::FloatAdd).then(|| float_add(writer, inst.float_add, &links));
    if let Some(values) = vector {
        writer.write_masked(inst.vector_add.dest(), inst.vector_add.mask(), values);
    }
    if let (Some(value), 1) = (scalar, inst.float_add.output_enable()) {
        write_component(writer, inst.float_add.dest(), value);
    }
    if let Some(form) = inst.combine() {
        writer.field = Field::Combine;
        combine(writer, form, &links);
    }
    if inst.has(Field::Store) {
        writer.field = Field::Store;
        store(writer, inst, &links);
    }
    links
}

fn write_component(writer: &mut Writer<'_>, component: u32, value: Value) {
    writer.write(component >> 2, component as usize & 3, value);
}

/// One component of a source register.
pub(super) fn component(writer: &mut Writer<'_>, links: &Links, register: u32, lane: usize) -> Value {
    let of = |vector: Option<Vector>| vector.and_then(|vector| vector.get(lane).copied());
    let linked = match register & 15 {
        number @ (12 | 13) => {
            let constant = links.constants[number as usize - 12].unwrap_or_default();
            Some(writer.float(constant[lane & 3]))
        }
        14 => of(links.texture),
        15 => of(links.uniform),
        number => return writer.read(number as usize, lane),
    };
    linked.unwrap_or_else(|| writer.float(0.0))
}

/// A component by its six bits.
pub(super) fn scalar(writer: &mut Writer<'_>, links: &Links, number: u32, source: u8) -> Value {
    writer.at(Step::Read(source), 0);
    component(writer, links, number >> 2, number as usize & 3)
}

/// A source with its signs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signs {
    pub(super) absolute: u32,
    pub(super) negate: u32,
}

fn signed(writer: &mut Writer<'_>, value: Value, signs: Signs, source: u8, lane: usize) -> Value {
    let mut value = value;
    if signs.absolute != 0 {
        writer.at(Step::Absolute(source), lane);
        value = writer.value(Op::FAbs(Width::F32), &[value]);
    }
    if signs.negate != 0 {
        writer.at(Step::Negate(source), lane);
        value = writer.negate(value);
    }
    value
}

/// A lane of a vector source.
pub(super) fn lane_of(
    writer: &mut Writer<'_>,
    links: &Links,
    register: u32,
    swizzle: u32,
    signs: Signs,
    source: u8,
    lane: usize,
) -> Value {
    writer.at(Step::Read(source), lane);
    let value = component(writer, links, register, (swizzle >> (2 * lane)) as usize & 3);
    signed(writer, value, signs, source, lane)
}

/// What is written, or looked at by the unit behind.
fn lanes(wanted: u32, zero: Value, mut make: impl FnMut(usize) -> Value) -> Vector {
    let mut values = [zero; 4];
    for (lane, value) in values.iter_mut().enumerate().filter(|(lane, _)| wanted >> lane & 1 != 0) {
        *value = make(lane);
    }
    values
}

fn modify(writer: &mut Writer<'_>, outmod: u32, value: Value, lane: usize) -> Value {
    writer.at(Step::Modify, lane);
    match Outmod::of(outmod) {
        Outmod::None => value,
        Outmod::Saturate => writer.value(Op::FSaturate(F32), &[value]),
        Outmod::Positive => {
            let zero = writer.float(0.0);
            writer.value(Op::FMax(F32, SECOND), &[value, zero])
        }
        Outmod::Integer => writer.value(Op::FRound(F32, Round::Zero), &[value]),
    }
}

fn compare(writer: &mut Writer<'_>, comparison: CompareFloat, a: Value, b: Value) -> Value {
    writer.value(Op::FCompare(comparison, F32), &[a, b])
}

fn truth(writer: &mut Writer<'_>, a: Value) -> Value {
    let zero = writer.float(0.0);
    compare(writer, CompareFloat::Ne, a, zero)
}

fn number(writer: &mut Writer<'_>, truth: Value) -> Value {
    let (one, zero) = (writer.float(1.0), writer.float(0.0));
    writer.value(Op::Select, &[truth, one, zero])
}

/// One lane of a multiply unit.
fn multiply(writer: &mut Writer<'_>, op: u32, a: Value, b: Value, lane: usize) -> Value {
    writer.at(Step::Result(0), lane);
    let Some(known) = MulOp::of(op) else { return writer.float(0.0) };
    let comparison = match known {
        MulOp::Mul => {
            let product = writer.mul(a, b);
            if shift(op) == 0 {
                return product;
            }
            writer.at(Step::Result(1), lane);
            let power = writer.float(power(shift(op)));
            return writer.mul(product, power);
        }
        MulOp::Mov => return a,
        MulOp::Min => return writer.value(Op::FMin(F32, SECOND), &[a, b]),
        MulOp::Max => return writer.value(Op::FMax(F32, SECOND), &[a, b]),
        MulOp::Not => {
            let zero = writer.float(0.0);
            compare(writer, CompareFloat::Eq, a, zero)
        }
        MulOp::And | MulOp::Or | MulOp::Xor => {
            let (a, b) = (truth(writer, a), truth(writer, b));
            writer.at(Step::Result(1), lane);
            let op = match known {
                MulOp::And => Op::And,
                MulOp::Or => Op::Or,
                _ => Op::Xor,
            };
            writer.value(op, &[a, b])
        }
        MulOp::Ne => compare(writer, CompareFloat::Ne, a, b),
        MulOp::Gt => compare(writer, CompareFloat::Gt, a, b),
        MulOp::Ge => compare(writer, CompareFloat::Ge, a, b),
        MulOp::Eq => compare(writer, CompareFloat::Eq, a, b),
    };
    writer.at(Step::Result(2), lane);
    number(writer, comparison)
}

/// One lane of an add unit, but sums.
fn add(
    writer: &mut Writer<'_>,
    op: Option<AddOp>,
    difference: bool,
    [a, b]: [Value; 2],
    condition: Option<Value>,
    lane: usize,
) -> Value {
    writer.at(Step::Result(0), lane);
    let Some(op) = op else { return writer.float(0.0) };
    let comparison = match op {
        AddOp::Add => return writer.add(a, b),
        AddOp::Mov => return a,
        AddOp::Min => return writer.value(Op::FMin(F32, SECOND), &[a, b]),
        AddOp::Max => return writer.value(Op::FMax(F32, SECOND), &[a, b]),
        AddOp::Floor => return writer.value(Op::FRound(F32, Round::Down), &[a]),
        AddOp::Ceil => return writer.value(Op::FRound(F32, Round::Up), &[a]),
        AddOp::Fract => {
            let floor = writer.value(Op::FRound(F32, Round::Down), &[a]);
            writer.at(Step::Result(1), lane);
            let less = writer.negate(floor);
            writer.at(Step::Result(2), lane);
            return writer.add(a, less);
        }
        AddOp::Sel => {
            let condition = match condition {
                Some(condition) => condition,
                None => writer.float(0.0),
            };
            let condition = truth(writer, condition);
            writer.at(Step::Result(1), lane);
            return writer.value(Op::Select, &[condition, a, b]);
        }
        AddOp::DFdx if difference => return writer.value(Op::Derivative(Axis::X, F32), &[a]),
        AddOp::DFdy if difference => return writer.value(Op::Derivative(Axis::Y, F32), &[b]),
        AddOp::DFdx | AddOp::DFdy => {
            let sides = if op == AddOp::DFdx {
                [QuadSide::Right, QuadSide::Left]
            } else {
                [QuadSide::Lower, QuadSide::Upper]
            };
            let first = writer.value(Op::QuadRead(sides[0]), &[a]);
            writer.at(Step::Result(1), lane);
            let second = writer.value(Op::QuadRead(sides[1]), &[b]);
            writer.at(Step::Result(2), lane);
            return writer.add(first, second);
        }
        AddOp::Sum3 | AddOp::Sum4 => return writer.float(0.0),
        AddOp::Ne => compare(writer, CompareFloat::Ne, a, b),
        AddOp::Gt => compare(writer, CompareFloat::Gt, a, b),
        AddOp::Ge => compare(writer, CompareFloat::Ge, a, b),
        AddOp::Eq => compare(writer, CompareFloat::Eq, a, b),
    };
    writer.at(Step::Result(1), lane);
    number(writer, comparison)
}

fn vector_mul(writer: &mut Writer<'_>, inst: &Inst, links: &Links) -> Vector {
    writer.field = Field::VectorMul;
    let field: VectorMul = inst.vector_mul;
    let linked = inst.has(Field::VectorAdd) && inst.vector_add.mul_in() != 0;
    let zero = writer.float(0.0);
    let signs = [
        Signs { absolute: field.arg0_absolute(), negate: field.arg0_negate() },
        Signs { absolute: field.arg1_absolute(), negate: field.arg1_negate() },
    ];
    lanes(if linked { 15 } else { field.mask() }, zero, |lane| {
        let a = lane_of(writer, links, field.arg0(), field.arg0_swizzle(), signs[0], 0, lane);
        let one = MulOp::of(field.op()).is_some_and(|op| op.row().sources == 1);
        let b = match one {
            true => a,
            false => lane_of(writer, links, field.arg1(), field.arg1_swizzle(), signs[1], 1, lane),
        };
        let value = multiply(writer, field.op(), a, b, lane);
        modify(writer, field.outmod(), value, lane)
    })
}

fn float_mul(writer: &mut Writer<'_>, field: FloatMul, links: &Links) -> Value {
    writer.field = Field::FloatMul;
    let a = scalar(writer, links, field.arg0(), 0);
    let a = signed(writer, a, Signs { absolute: field.arg0_absolute(), negate: field.arg0_negate() }, 0, 0);
    let b = if MulOp::of(field.op()).is_some_and(|op| op.row().sources == 1) {
        a
    } else {
        let b = scalar(writer, links, field.arg1(), 1);
        signed(writer, b, Signs { absolute: field.arg1_absolute(), negate: field.arg1_negate() }, 1, 0)
    };
    let value = multiply(writer, field.op(), a, b, 0);
    modify(writer, field.outmod(), value, 0)
}

fn vector_add(writer: &mut Writer<'_>, field: VectorAdd, links: &Links) -> Vector {
    writer.field = Field::VectorAdd;
    let op = AddOp::of(field.op());
    let first_signs = Signs { absolute: field.arg0_absolute(), negate: field.arg0_negate() };
    let second_signs = Signs { absolute: field.arg1_absolute(), negate: field.arg1_negate() };
    let zero = writer.float(0.0);
    let first = |writer: &mut Writer<'_>, lane: usize| {
        if field.mul_in() == 0 {
            return lane_of(writer, links, field.arg0(), field.arg0_swizzle(), first_signs, 0, lane);
        }
        let from = (field.arg0_swizzle() >> (2 * lane)) as usize & 3;
        let value = links.vector_mul.map_or(zero, |vector| vector[from]);
        signed(writer, value, first_signs, 0, lane)
    };
    if let Some(AddOp::Sum3 | AddOp::Sum4) = op {
        let count = if op == Some(AddOp::Sum3) { 3 } else { 4 };
        let mut sum = first(writer, 0);
        for lane in 1..count {
            let term = first(writer, lane);
            writer.at(Step::Result(lane as u8 - 1), 0);
            sum = writer.add(sum, term);
        }
        return [modify(writer, field.outmod(), sum, 0); 4];
    }
    let one = op.is_some_and(|op| op.row().sources == 1);
    lanes(field.mask(), zero, |lane| {
        let a = first(writer, lane);
        let b = match one {
            true => a,
            false => lane_of(writer, links, field.arg1(), field.arg1_swizzle(), second_signs, 1, lane),
        };
        let value = add(writer, op, field.is_difference(), [a, b], links.float_mul, lane);
        modify(writer, field.outmod(), value, lane)
    })
}

fn float_add(writer: &mut Writer<'_>, field: FloatAdd, links: &Links) -> Value {
    writer.field = Field::FloatAdd;
    let op = AddOp::of_scalar(field.op());
    let a = match (field.mul_in(), links.float_mul) {
        (0, _) => scalar(writer, links, field.arg0(), 0),
        (_, Some(value)) => value,
        (_, None) => writer.float(0.0),
    };
    let a = signed(writer, a, Signs { absolute: field.arg0_absolute(), negate: field.arg0_negate() }, 0, 0);
    let b = if op.is_some_and(|op| op.row().sources == 1) {
        a
    } else {
        let b = scalar(writer, links, field.arg1(), 1);
        signed(writer, b, Signs { absolute: field.arg1_absolute(), negate: field.arg1_negate() }, 1, 0)
    };
    let value = add(writer, op, field.is_difference(), [a, b], links.float_mul, 0);
    modify(writer, field.outmod(), value, 0)
}

/// A function of the combine unit.
fn function(writer: &mut Writer<'_>, op: u32, a: Value, b: Value) -> Value {
    writer.at(Step::Result(0), 0);
    let op = match CombineOp::of(op) {
        Some(CombineOp::Mov) => return a,
        Some(CombineOp::Rcp) => Op::FRcp(F32),
        Some(CombineOp::Sqrt) => Op::FSqrt(F32),
        Some(CombineOp::Rsqrt) => Op::FRsq(F32),
        Some(CombineOp::Exp2) => Op::FExp2(F32),
        Some(CombineOp::Log2) => Op::FLog2(F32),
        Some(op @ (CombineOp::Sin | CombineOp::Cos)) => {
            let turn = writer.float(TURN);
            let angle = writer.mul(a, turn);
            writer.at(Step::Result(1), 0);
            return writer.value(if op == CombineOp::Sin { Op::FSin(F32) } else { Op::FCos(F32) }, &[angle]);
        }
        Some(CombineOp::Atan) => Op::FAtan(F32),
        Some(CombineOp::Atan2) => return writer.value(Op::FAtan2(F32), &[a, b]),
        None => return writer.float(0.0),
    };
    writer.value(op, &[a])
}

fn combine(writer: &mut Writer<'_>, form: Combine, links: &Links) {
    match form {
        Combine::Scalar(field) => {
            let a = scalar(writer, links, field.arg0(), 0);
            let a = signed(
                writer,
                a,
                Signs { absolute: field.arg0_absolute(), negate: field.arg0_negate() },
                0,
                0,
            );
            let b = scalar(writer, links, field.arg1(), 1);
            let b = signed(
                writer,
                b,
                Signs { absolute: field.arg1_absolute(), negate: field.arg1_negate() },
                1,
                0,
            );
            let value = function(writer, field.op(), a, b);
            let value = modify(writer, field.outmod(), value, 0);
            write_component(writer, field.dest(), value);
        }
        Combine::Atan(field) => {
            let a = scalar(writer, links, field.arg0(), 0);
            let a = signed(
                writer,
                a,
                Signs { absolute: field.arg0_absolute(), negate: field.arg0_negate() },
                0,
                0,
            );
            let b = scalar(writer, links, field.arg1(), 1);
            let b = signed(
                writer,
                b,
                Signs { absolute: field.arg1_absolute(), negate: field.arg1_negate() },
                1,
                0,
            );
            let value = function(writer, field.op(), a, b);
            let values = match CombineOp::of(field.op()) {
                Some(CombineOp::Atan | CombineOp::Atan2) => {
                    let (one, zero) = (writer.float(1.0), writer.float(0.0));
                    [value, one, zero, zero]
                }
                _ => [value; 4],
            };
            writer.write_masked(field.dest(), field.mask(), values);
        }
        Combine::Mul(field) => {
            let a = scalar(writer, links, field.arg0(), 0);
            let a = signed(
                writer,
                a,
                Signs { absolute: field.arg0_absolute(), negate: field.arg0_negate() },
                0,
                0,
            );
            let plain = Signs { absolute: 0, negate: 0 };
            let zero = writer.float(0.0);
            let values = lanes(field.mask(), zero, |lane| {
                let b = lane_of(writer, links, field.arg1(), field.arg1_swizzle(), plain, 1, lane);
                writer.at(Step::Result(0), lane);
                writer.mul(a, b)
            });
            writer.write_masked(field.dest(), field.mask(), values);
        }
        Combine::AtanSecond(field) => {
            let plain = Signs { absolute: 0, negate: 0 };
            let value = lane_of(writer, links, field.arg1(), field.arg1_swizzle(), plain, 0, 0);
            let value = modify(writer, field.outmod(), value, 0);
            write_component(writer, field.dest(), value);
        }
    }
}

/// Whether the branch is taken, where that is a question.
pub(super) fn branch_condition(writer: &mut Writer<'_>, inst: &Inst, links: &Links) -> Value {
    let field = inst.branch;
    let (a, b) = (scalar(writer, links, field.arg0(), 0), scalar(writer, links, field.arg1(), 1));
    writer.at(Step::Flow, 0);
    let comparison = match field.condition() {
        1 => CompareFloat::Gt,
        2 => CompareFloat::Eq,
        3 => CompareFloat::Ge,
        4 => CompareFloat::Lt,
        5 => CompareFloat::Ne,
        6 => CompareFloat::Le,
        condition => return writer.builder.truth(condition == 7),
    };
    compare(writer, comparison, a, b)
}
