//! What the lines are put together from.

use super::super::out::Piece;

/// What a line starts with: the first of an instruction, and the others.
pub(super) static UNITS: [[Piece; 2]; 6] = [
    Piece::all(["    add0     ", "||  add0     "]),
    Piece::all(["    add1     ", "||  add1     "]),
    Piece::all(["    mul0     ", "||  mul0     "]),
    Piece::all(["    mul1     ", "||  mul1     "]),
    Piece::all(["    pass     ", "||  pass     "]),
    Piece::all(["    complex  ", "||  complex  "]),
];
pub(super) static MUL01: [Piece; 2] = Piece::all(["    mul01    ", "||  mul01    "]);
pub(super) static BRANCH: [Piece; 2] = Piece::all(["    branch   ", "||  branch   "]);
pub(super) static STORE: [Piece; 2] = Piece::all(["    store    ", "||  store    "]);
pub(super) static OTHER_FIELDS: [Piece; 2] = Piece::all(["    fields   ", "||  fields   "]);
pub(super) static NOP: [Piece; 2] = Piece::all(["    nop", "||  nop"]);
pub(super) static COMMA: Piece = Piece::new(", ");
pub(super) static ARROW: Piece = Piece::new(" -> ");
pub(super) static MINUS: Piece = Piece::new("-");
pub(super) static ZERO: Piece = Piece::new("0");
pub(super) static ONE: Piece = Piece::new("1");
pub(super) static MOV: Piece = Piece::new("mov      ");
pub(super) static UNUSED: Piece = Piece::new("unused");
pub(super) static TEMPORARY: Piece = Piece::new("t[addr0].");
pub(super) static CARET: Piece = Piece::new("^");
pub(super) static MEMORY: Piece = Piece::new("t[");
pub(super) static DOT: Piece = Piece::new(".");
pub(super) static DOT_COMPONENTS: [Piece; 4] = Piece::all([".x", ".y", ".z", ".w"]);
pub(super) static RESULTS: [[Piece; 6]; 3] = [
    Piece::all(["add0", "add1", "mul0", "mul1", "pass", "complex"]),
    Piece::all(["^add0", "^add1", "^mul0", "^mul1", "^pass", "^complex"]),
    Piece::all(["^^add0", "^^add1", "^^mul0", "^^mul1", "^^pass", "^^complex"]),
];
pub(super) static UNKNOWN: [Piece; 4] = Piece::all(["unknown0", "unknown1", "unknown2", "unknown3"]);
pub(super) static OFFSETS: [Piece; 8] = Piece::all([
    "+unknown0].",
    "+addr1].",
    "+addr2].",
    "+addr3].",
    "+unknown4].",
    "+unknown5].",
    "+unknown6].",
    "].",
]);
pub(super) static THROUGH: [Piece; 2] = Piece::all(["@reg0", "@reg1"]);
pub(super) static PREVIOUS: Piece = Piece::new("reg0.");
pub(super) static VARYINGS: [Piece; 16] = Piece::all([
    "v0.", "v1.", "v2.", "v3.", "v4.", "v5.", "v6.", "v7.", "v8.", "v9.", "v10.", "v11.", "v12.", "v13.",
    "v14.", "v15.",
]);
/// Component letters by mask, bit 0 = x.
pub(super) static MASKS: [Piece; 16] = Piece::all([
    "", "x", "y", "xy", "z", "xz", "yz", "xyz", "w", "xw", "yw", "xyw", "zw", "xzw", "yzw", "xyzw",
]);
pub(super) static ADD: [Piece; 8] = Piece::all([
    "add      ",
    "floor    ",
    "sign     ",
    "op3      ",
    "ge       ",
    "lt       ",
    "min      ",
    "max      ",
]);
pub(super) static MUL: [Piece; 8] = Piece::all([
    "mul      ",
    "complex1 ",
    "op2      ",
    "complex2 ",
    "select   ",
    "op5      ",
    "op6      ",
    "op7      ",
]);
pub(super) static COMPLEX: [Piece; 16] = Piece::all([
    "off      ",
    "op1      ",
    "exp2     ",
    "log2     ",
    "rsqrt    ",
    "rcp      ",
    "op6      ",
    "op7      ",
    "op8      ",
    "mov      ",
    "addr01   ",
    "op11     ",
    "addr0    ",
    "addr1    ",
    "addr2    ",
    "addr3    ",
]);
pub(super) static PASS: [Piece; 8] = Piece::all([
    "op0      ",
    "op1      ",
    "mov      ",
    "op3      ",
    "preexp2  ",
    "postlog2 ",
    "clamp    ",
    "op7      ",
]);
