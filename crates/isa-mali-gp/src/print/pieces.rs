//! What the lines are put together from: the names in the tables with what stands around them.

use super::super::out::Piece;
use super::super::table::{OFFSETS as OFFSET_NAMES, OPERATIONS, SLOTS, Slot, Unit};

/// What a line starts with: the first of an instruction, and the others.
const fn start(name: &str) -> [Piece; 2] {
    [Piece::new("    ").with(name).padded(13), Piece::new("||  ").with(name).padded(13)]
}

/// An operation of a slot.
#[derive(Clone, Copy)]
pub(in super::super) struct OperationText {
    /// Its name.
    pub native: Piece,
    /// Its name in Mesa's disassembler, with its tab and blank.
    pub lima: Piece,
    /// The bits that a line with it says.
    pub said: u128,
}

/// What the slots write, by the number of the operation.
pub(in super::super) static SLOT_TEXTS: [[OperationText; OPERATIONS]; SLOTS.len()] = {
    const NONE: OperationText = OperationText { native: Piece::EMPTY, lima: Piece::EMPTY, said: 0 };
    let mut all = [[NONE; OPERATIONS]; SLOTS.len()];
    let mut at = 0;
    while at < SLOTS.len() * OPERATIONS {
        let (slot, number) = (&SLOTS[at / OPERATIONS], at % OPERATIONS);
        if let Some(operation) = slot.operations[number] {
            let mut said = if let Some(negate) = slot.negate { negate.mask() } else { 0 };
            // Which operation the second multiplier multiplies beside is said by the line of the first one.
            if operation.number as usize == number {
                said |= slot.operation.mask();
            }
            let mut n = 0;
            while n < operation.operands.len() {
                said |= slot.operands[operation.operands[n]].mask();
                n += 1;
            }
            let native = Piece::new(operation.name).padded(9);
            all[at / OPERATIONS][number] = OperationText { native, lima: lima(slot, operation.lima), said };
        }
        at += 1;
    }
    all
};

/// An operation as Mesa's disassembler writes it.
pub(in super::super) const fn lima(slot: &Slot, name: &str) -> Piece {
    Piece::new("\t").with(name).with(".").with(slot.lima).with(" ")
}

/// What the lines of the slots start with.
pub(super) static STARTS: [[Piece; 2]; SLOTS.len()] = {
    let mut all = [[Piece::EMPTY; 2]; SLOTS.len()];
    let mut at = 0;
    while at < SLOTS.len() {
        all[at] = start(SLOTS[at].name);
        at += 1;
    }
    all
};
pub(super) static BRANCH: [Piece; 2] = start("branch");
pub(super) static STORE: [Piece; 2] = start("store");
pub(super) static OTHER_FIELDS: [Piece; 2] = start("fields");
pub(super) static NOP: [Piece; 2] = Piece::all(["    nop", "||  nop"]);
pub(super) static COMMA: Piece = Piece::new(", ");
pub(super) static ARROW: Piece = Piece::new(" -> ");
pub(in super::super) static MINUS: Piece = Piece::new("-");
pub(in super::super) static NEUTRAL: [Piece; 2] = Piece::all(["0", "1"]);
pub(super) static MOV: Piece = Piece::new("mov").padded(9);
pub(in super::super) static UNUSED: Piece = Piece::new("unused");
pub(super) static TEMPORARY: Piece = Piece::new("t[addr0].");
pub(in super::super) static CARET: Piece = Piece::new("^");
pub(in super::super) static MEMORY: Piece = Piece::new("t[");
pub(super) static DOT: Piece = Piece::new(".");
pub(super) static DOT_COMPONENTS: [Piece; 4] = Piece::all([".x", ".y", ".z", ".w"]);
/// Results by how many instructions ago they were made.
pub(super) static RESULTS: [[Piece; 6]; 3] = [results(""), results("^"), results("^^")];
pub(in super::super) static UNKNOWN: [Piece; 4] = Piece::numbered("unknown", "");
pub(super) static OFFSETS: [Piece; 8] = offsets(0);
pub(super) static THROUGH: [Piece; 2] = Piece::numbered("@reg", "");
pub(super) static PREVIOUS: Piece = Piece::new("reg0.");
pub(super) static VARYINGS: [Piece; 16] = Piece::numbered("v", ".");
/// Registers and attributes.
pub(in super::super) static REGISTERS: [[Piece; 16]; 2] =
    [Piece::numbered("$", "."), Piece::numbered("a", ".")];
/// Component letters by mask, bit 0 = x.
pub(super) static MASKS: [Piece; 16] = {
    let mut all = [Piece::EMPTY; 16];
    let mut mask = 0;
    while mask < 16 {
        let mut n = 0;
        while n < 4 {
            if mask >> n & 1 == 1 {
                all[mask] = all[mask].with(["x", "y", "z", "w"][n]);
            }
            n += 1;
        }
        mask += 1;
    }
    all
};

const fn results(carets: &str) -> [Piece; 6] {
    let mut all = [Piece::EMPTY; 6];
    let mut at = 0;
    while at < 6 {
        all[at] = Piece::new(carets).with(Unit::ALL[at].name());
        at += 1;
    }
    all
}

/// What the memory load adds, with the end of its brackets. The language is a column of the table.
pub(in super::super) const fn offsets(language: usize) -> [Piece; 8] {
    let mut all = [Piece::new("]."); 8];
    let mut at = 0;
    while at < 7 {
        all[at] = Piece::new("+").with(OFFSET_NAMES[at][language]).with("].");
        at += 1;
    }
    all
}
