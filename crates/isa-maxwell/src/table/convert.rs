//! Conversions between kinds of numbers.

use super::{Form, Row, one};

pub(super) const ROWS: &[Row] = &[
    one(
        Form::F2fR,
        "F2F{.FTZ:44}{float_to:8}{float_from:10}{float_round:8+4,39+2,42}{.SAT:50} {d}, {r20 u1 neg45 abs49 \
         /half_of:10+2,41}",
    ),
    one(
        Form::F2fC,
        "F2F{.FTZ:44}{float_to:8}{float_from:10}{float_round:8+4,39+2,42}{.SAT:50} {d}, {c20 spf neg45 abs49 \
         /half_of:10+2,41}",
    ),
    one(
        Form::F2fI,
        "F2F{.FTZ:44}{float_to:8}{float_from:10}{float_round:8+4,39+2,42}{.SAT:50} {d}, {v neg45 abs49 \
         /half_of:10+2,41}",
    ),
    one(
        Form::F2iR,
        "F2I{.FTZ:44}{int_of_float:8+2,12}{float_from:10}{int_round:39} {d}, {r20 u1 neg45 abs49 /half:41}",
    ),
    one(
        Form::F2iC,
        "F2I{.FTZ:44}{int_of_float:8+2,12}{float_from:10}{int_round:39} {d}, {c20 sp neg45 abs49 /half:41}",
    ),
    one(
        Form::F2iI,
        "F2I{.FTZ:44}{int_of_float:8+2,12}{float_from:10}{int_round:39} {d}, {v neg45 abs49 /half:41}",
    ),
    one(
        Form::I2fR,
        "I2F{float_of_int:8}{int_from:10+2,13}{round:39} {d}, {r20 u1 neg45 abs49 /byte_of:10+2,41+2}",
    ),
    one(
        Form::I2fC,
        "I2F{float_of_int:8}{int_from:10+2,13}{round:39} {d}, {c20 sp neg45 abs49 /byte_of:10+2,41+2}",
    ),
    one(
        Form::I2fI,
        "I2F{float_of_int:8}{int_from:10+2,13}{round:39} {d}, {s20+19,56 neg45 abs49 /byte_of:10+2,41+2}",
    ),
    one(
        Form::I2iR,
        "I2I{int_to_int:8+2,12}{int_from_int:10+2,13}{.SAT:50} {d}, {r20 u1 neg45 abs49 /byte_of:10+2,41+2}",
    ),
    one(
        Form::I2iC,
        "I2I{int_to_int:8+2,12}{int_from_int:10+2,13}{.SAT:50} {d}, {c20 sp neg45 abs49 /byte_of:10+2,41+2}",
    ),
    one(
        Form::I2iI,
        "I2I{int_to_int:8+2,12}{int_from_int:10+2,13}{.SAT:50} {d}, {s20+19,56 neg45 abs49 /byte_of:10+2,41+2}",
    ),
];
