//! Fields that compute.

use super::super::names::{
    COMBINE, COMBINE_VECTOR, DESTINATION_SCALARS, FLOAT_ADD, FLOAT_MUL, SCALARS, SHORT_SWIZZLES, VECTOR_ADD,
    VECTOR_MUL, VECTORS, pick,
};
use super::super::table::{
    AddOp, Combine, CombineAtan, CombineAtanSecond, CombineMul, CombineOp, CombineScalar, FloatAdd, FloatMul,
    MulOp, VectorAdd, VectorMul,
};
use super::operand::{comma, head, mnemonic, nothing, register, scalar, signed, vector, vector_dest};
use super::pieces::{ATAN_SECOND, COMBINE_MUL, FLOAT_LINK, VECTOR_LINK};
use super::rest;
use unshade_isa_common::text::{PartKind, Sink};

pub(super) fn vector_mul(sink: &mut impl Sink, field: VectorMul) {
    let op = MulOp::of(field.op());
    head(sink, &VECTOR_MUL, field.op(), field.outmod());
    let mut said = field;
    if field.mask() == 0 {
        said = said.with_dest(0);
        nothing(sink);
    } else {
        vector_dest(sink, field.dest(), field.mask());
    }
    comma(sink);
    vector(sink, field.arg0(), field.arg0_swizzle(), field.arg0_absolute(), field.arg0_negate());
    if op.is_some_and(|op| op.row().sources == 1) {
        said = said.with_arg1(0).with_arg1_swizzle(0).with_arg1_absolute(0).with_arg1_negate(0);
    } else {
        comma(sink);
        vector(sink, field.arg1(), field.arg1_swizzle(), field.arg1_absolute(), field.arg1_negate());
    }
    rest(sink, VectorMul::PARTS, field.0.into(), said.0.into());
}

pub(super) fn float_mul(sink: &mut impl Sink, field: FloatMul) {
    let op = MulOp::of(field.op());
    head(sink, &FLOAT_MUL, field.op(), field.outmod());
    let mut said = field;
    if field.output_enable() == 0 {
        said = said.with_dest(0);
        nothing(sink);
    } else {
        register(sink, pick(&DESTINATION_SCALARS, field.dest()));
    }
    comma(sink);
    scalar(sink, field.arg0(), field.arg0_absolute(), field.arg0_negate());
    if op.is_some_and(|op| op.row().sources == 1) {
        said = said.with_arg1(0).with_arg1_absolute(0).with_arg1_negate(0);
    } else {
        comma(sink);
        scalar(sink, field.arg1(), field.arg1_absolute(), field.arg1_negate());
    }
    rest(sink, FloatMul::PARTS, field.0.into(), said.0.into());
}

/// Between the operands: a select shows its condition.
pub(super) fn between(sink: &mut impl Sink, op: Option<AddOp>) {
    if op == Some(AddOp::Sel) {
        sink.put(PartKind::Punctuation, " : ");
    } else {
        comma(sink);
    }
}

pub(super) fn condition(sink: &mut impl Sink, op: Option<AddOp>) {
    if op == Some(AddOp::Sel) {
        sink.put(PartKind::Register, "^s0");
        sink.put(PartKind::Punctuation, " ? ");
    }
}

pub(super) fn vector_add(sink: &mut impl Sink, field: VectorAdd) {
    let op = AddOp::of(field.op());
    head(sink, &VECTOR_ADD, field.op(), field.outmod());
    let mut said = field;
    if field.mask() == 0 {
        said = said.with_dest(0);
        nothing(sink);
    } else {
        vector_dest(sink, field.dest(), field.mask());
    }
    comma(sink);
    condition(sink, op);
    signed(sink, field.arg0_absolute(), field.arg0_negate(), |sink| {
        if field.mul_in() == 0 {
            register(sink, pick(&VECTORS, field.arg0()));
        } else {
            said = said.with_arg0(0);
            register(sink, &VECTOR_LINK);
        }
        register(sink, pick(&SHORT_SWIZZLES, field.arg0_swizzle()));
    });
    if op.is_some_and(|op| op.row().sources == 1) {
        said = said.with_arg1(0).with_arg1_swizzle(0).with_arg1_absolute(0).with_arg1_negate(0);
    } else {
        between(sink, op);
        vector(sink, field.arg1(), field.arg1_swizzle(), field.arg1_absolute(), field.arg1_negate());
    }
    rest(sink, VectorAdd::PARTS, field.0.into(), said.0.into());
}

pub(super) fn float_add(sink: &mut impl Sink, field: FloatAdd) {
    let op = AddOp::of_scalar(field.op());
    head(sink, &FLOAT_ADD, field.op(), field.outmod());
    let mut said = field;
    if field.output_enable() == 0 {
        said = said.with_dest(0);
        nothing(sink);
    } else {
        register(sink, pick(&DESTINATION_SCALARS, field.dest()));
    }
    comma(sink);
    condition(sink, op);
    signed(sink, field.arg0_absolute(), field.arg0_negate(), |sink| {
        if field.mul_in() == 0 {
            register(sink, pick(&SCALARS, field.arg0()));
        } else {
            said = said.with_arg0(0);
            register(sink, &FLOAT_LINK);
        }
    });
    if op.is_some_and(|op| op.row().sources == 1) {
        said = said.with_arg1(0).with_arg1_absolute(0).with_arg1_negate(0);
    } else {
        between(sink, op);
        scalar(sink, field.arg1(), field.arg1_absolute(), field.arg1_negate());
    }
    rest(sink, FloatAdd::PARTS, field.0.into(), said.0.into());
}

pub(super) fn combine(sink: &mut impl Sink, raw: u64) {
    match Combine::of(raw) {
        Combine::Scalar(field) => {
            head(sink, &COMBINE, field.op(), field.outmod());
            register(sink, pick(&DESTINATION_SCALARS, field.dest()));
            comma(sink);
            scalar(sink, field.arg0(), field.arg0_absolute(), field.arg0_negate());
            let said = field.with_arg1(0).with_arg1_absolute(0).with_arg1_negate(0);
            rest(sink, CombineScalar::PARTS, raw.into(), said.0.into());
        }
        Combine::Atan(field) => {
            let op = CombineOp::of(field.op());
            head(sink, &COMBINE_VECTOR, field.op(), 0);
            vector_dest(sink, field.dest(), field.mask());
            comma(sink);
            scalar(sink, field.arg0(), field.arg0_absolute(), field.arg0_negate());
            let mut said = field;
            if op.is_some_and(|op| op.row().sources == 1) {
                said = said.with_arg1(0).with_arg1_absolute(0).with_arg1_negate(0);
            } else {
                comma(sink);
                scalar(sink, field.arg1(), field.arg1_absolute(), field.arg1_negate());
            }
            rest(sink, CombineAtan::PARTS, raw.into(), said.0.into());
        }
        Combine::Mul(field) => {
            mnemonic(sink, &COMBINE_MUL);
            vector_dest(sink, field.dest(), field.mask());
            comma(sink);
            scalar(sink, field.arg0(), field.arg0_absolute(), field.arg0_negate());
            comma(sink);
            vector(sink, field.arg1(), field.arg1_swizzle(), 0, 0);
            rest(sink, CombineMul::PARTS, raw.into(), field.0.into());
        }
        Combine::AtanSecond(field) => {
            mnemonic(sink, pick(&ATAN_SECOND, field.outmod()));
            register(sink, pick(&DESTINATION_SCALARS, field.dest()));
            comma(sink);
            vector(sink, field.arg1(), field.arg1_swizzle(), 0, 0);
            rest(sink, CombineAtanSecond::PARTS, raw.into(), field.with_unused_14(0).0.into());
        }
    }
}
