//! Numbers that count as zero on the machine: readable source says that it assumes there are none, and `verify` takes a case
//! in which one decides for what it is, but no other.

use super::forms::{case, stage, stages};
use unshade::verify::{Failure, verify};
use unshade::{Stage, StageKind};
use unshade_stage::Latte;

/// A branch by R1 whose inside divides, takes a minimum or maximum, or chooses.
fn program(test: &str, inside: &str) -> Stage<'static> {
    let listing = format!(
        "00 ALU_PUSH_BEFORE:\n  0   w: MOV             R0.w, 1.0f\n  1   x: {test:<16}____, R1.y, 0.0f UPDATE_EXEC_MASK UPDATE_PRED\n\
         01 JUMP POP_CNT(1) ADDR(3) VALID_PIX\n02 ALU_POP_AFTER:\n{inside}03 EXP_DONE: PIX0, R0.wwww\nEND_OF_PROGRAM\n"
    );
    stage(&listing, StageKind::Fragment, Latte::default())
}

const INSIDE: [&str; 6] = [
    // A quotient by a reciprocal, used as it is, clamped, and in a maximum.
    "  2   t: RECIP_IEEE      R2.x, R1.z\n  3   w: MUL_IEEE        R0.w, R1.x, R2.x\n",
    "  2   t: RECIP_IEEE      R2.x, R1.z\n  3   w: MUL_IEEE        R0.w, R1.x, R2.x CLAMP\n",
    "  2   t: RECIP_IEEE      R2.x, R1.z\n  3   x: MUL_IEEE        R2.x, R1.x, R2.x\n  4   w: MAX             R0.w, R2.x, R1.w\n",
    // Roots as products with their reciprocals.
    "  2   t: RECIPSQRT_IEEE  R2.x, |R1.z|\n  3   w: MUL_IEEE        R0.w, |R1.z|, R2.x\n",
    // Choices that are a minimum or maximum.
    "  2   x: SETGT_DX10      R2.x, R1.x, R1.z\n  3   w: CNDE_INT        R0.w, R2.x, R1.x, R1.z\n",
    "  2   t: RECIP_IEEE      R2.x, R1.z\n  3   x: MUL_IEEE        R2.x, R1.x, R2.x\n  4   w: CNDGE           R0.w, R2.x, R2.x, 0.0f\n",
];

#[test]
fn numbers_that_count_as_zero() {
    for test in ["PRED_SETNE", "PRED_SETE", "PRED_SETGT", "PRED_SETGE"] {
        for inside in INSIDE {
            let program = program(test, inside);
            let verdict = verify(&program, 3000, 1);
            assert_eq!(verdict.strict.failure, None, "{test}\n{inside}");
            assert_eq!(verdict.readable.failure, None, "{test}\n{inside}");
        }
    }
}

#[test]
fn the_case_that_was_wrong() {
    let Some(bytes) = case("h4.gsh") else { return };
    let verdict = verify(&stages(&bytes)[0], 20_000, 1);
    assert!(!matches!(verdict.readable.failure, Some(Failure::Differs(_))), "{:?}", verdict.readable.failure);
    assert_eq!(verdict.strict.failure, None);
}
