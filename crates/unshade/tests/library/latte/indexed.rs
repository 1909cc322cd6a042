//! Registers that an index reaches: how far the array goes that the source had.

use super::forms::{agrees, is_valid, stage, text};
use unshade::StageKind;
use unshade_stage::Latte;

/// A pixel program that picks one of the registers from R2 on; `mask` bounds the index, R3 serves for something else first.
fn picking(mask: &str) -> String {
    format!(
        "00 ALU:\n\
         \x20 0   x: ADD             R3.x, R0.x, R0.y\n\
         \x20 1   x: MUL             R1.x, R3.x, R0.z\n\
         \x20     t: FLT_TO_INT      R1.y, R0.w\n\
         \x20 2   x: MOV             R2.x, R0.x\n\
         \x20     y: {mask}\n\
         \x20 3   x: MOV             R3.x, R0.y\n\
         01 ALU:\n\
         \x20 4   y: MOVA_INT        ____, R1.y\n\
         \x20 5   x: ADD             R0.x, R2[AR.y].x, R1.x\n\
         02 EXP_DONE: PIX0, R0.x___\n\
         END_OF_PROGRAM\n"
    )
}

#[test]
fn what_served_for_other_things_belongs_to_the_array() {
    for mask in
        ["AND_INT         R1.y, R1.y, 1", "MIN_UINT        R1.y, R1.y, 1", "MOV             R1.y, R1.y"]
    {
        let program = stage(&picking(mask), StageKind::Fragment, Latte::default());
        let text = text(&program);
        assert!(text.contains("float registers[2];"), "{mask}\n{text}");
        assert!(text.contains("registers[1] = param0.y"), "{mask}\n{text}");
        is_valid(&text, StageKind::Fragment);
        agrees(&program, 200);
    }
}

/// What the index is kept below in the clause in front counts, whatever else its component holds before and behind that.
#[test]
fn bounds_hold_from_clause_to_clause() {
    let code = "00 ALU:\n\
         \x20 0   x: ADD             R5.x, R0.x, R0.y\n\
         \x20 1   x: MUL             R1.x, R5.x, R0.z\n\
         \x20     t: FLT_TO_INT      R1.y, R0.w\n\
         \x20 2   x: MOV             R2.x, R0.x\n\
         \x20     y: AND_INT         R1.y, R1.y, (0x00000003, 4.2e-45)\n\
         \x20 3   x: MOV             R3.x, R0.y\n\
         \x20 4   x: MOV             R4.x, R0.z\n\
         \x20 5   x: MOV             R5.x, R0.w\n\
         01 ALU:\n\
         \x20 6   y: MOVA_INT        ____, R1.y\n\
         \x20 7   x: ADD             R0.x, R2[AR.y].x, R1.x\n\
         \x20 8   t: FLT_TO_INT      R1.y, R0.x\n\
         02 ALU:\n\
         \x20 9   t: INT_TO_FLT      R0.y, R1.y\n\
         03 EXP_DONE: PIX0, R0.xy__\n\
         END_OF_PROGRAM\n";
    let program = stage(code, StageKind::Fragment, Latte::default());
    let text = text(&program);
    assert!(text.contains("float registers[4];"), "{text}");
    is_valid(&text, StageKind::Fragment);
    agrees(&program, 200);
}
