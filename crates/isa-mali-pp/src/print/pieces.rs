//! What the lines are put together from.

use super::BRANCHES;
use unshade_isa_common::text::Short;

pub(super) static FIRST: Short<'static> = Short::new("    ");
pub(super) static FURTHER: Short<'static> = Short::new("  | ");
pub(super) static CONST0: Short<'static> = Short::new("const0");
pub(super) static CONST1: Short<'static> = Short::new("const1");
pub(super) static NOTHING: Short<'static> = Short::new("_");
pub(super) static DISCARD: Short<'static> = Short::new("^discard");
pub(super) static VECTOR_LINK: Short<'static> = Short::new("^v0");
pub(super) static FLOAT_LINK: Short<'static> = Short::new("^s0");
pub(super) static LOADS: [Short<'static>; 4] =
    Short::all(["load.v", "load.v.proj1", "load.v.projz", "load.v.projw"]);
pub(super) static LOAD_CUBE: Short<'static> = Short::new("load.v.cube");
pub(super) static LOAD_NORMALIZE: Short<'static> = Short::new("load.v.normalize");
pub(super) static LOAD_UNIFORM: Short<'static> = Short::new("load.u");
pub(super) static LOAD_TEMPORARY: Short<'static> = Short::new("load.t");
pub(super) static STORE: Short<'static> = Short::new("store.t");
pub(super) static READ_COLOR: Short<'static> = Short::new("fb.color");
pub(super) static READ_DEPTH: Short<'static> = Short::new("fb.depth");
/// What stands between a mnemonic of that many letters and its operands; one of sixteen letters counts as none.
pub(super) static GAPS: [Short<'static>; 16] = Short::all([
    " ",
    "           ",
    "          ",
    "         ",
    "        ",
    "       ",
    "      ",
    "     ",
    "    ",
    "   ",
    "  ",
    " ",
    " ",
    " ",
    " ",
    " ",
]);
pub(super) static COMMA: Short<'static> = Short::new(", ");
pub(super) static SIGNS: [Short<'static>; 4] = Short::all(["", "abs(", "-", "-abs("]);
pub(super) static CLOSE: Short<'static> = Short::new(")");
pub(super) static LETTERS: [Short<'static>; 4] = Short::all([".x", ".y", ".z", ".w"]);
pub(super) static PAIRS: [Short<'static>; 4] = Short::all([".xy", ".yz", ".zw", ""]);

pub(super) static BRANCH_TEXTS: [Short<'static>; 8] = Short::all(BRANCHES);
