//! The tables of the machine: each field of the instruction word, each operation, each unit and each line of a listing
//! is a row here, and nowhere else. Decoding, encoding, both languages, the assembler and the lints go over them.

mod fields;
mod operations;
mod slots;
mod units;

pub(super) use fields::with_fields;
pub use fields::{FIELD_OF_BIT, FIELDS, Field, field};
pub use operations::{AddOp, ComplexOp, MulOp, Operation, PassOp};
pub use slots::{Line, OPERATIONS, Operand, SLOTS, STORES, Slot, StoreSlot, any_source, line, lines};
pub use units::{Source, SourceKind, StoreSource, Unit};

/// The instruction that does nothing, as ARM's compiler fills unused fields: all units off, nothing loaded
/// or stored.
pub const EMPTY: u128 = 0x000A_D500_0007_FF80_0380_02B5_AD4A_D6B5;

/// Code of a source that is not used.
pub const UNUSED: u8 = 21;
/// Code of the complex unit's result one instruction ago, or of the neutral element.
pub const IDENTITY: u8 = 22;
/// Code of a load offset that adds nothing.
pub const NO_OFFSET: u8 = 7;
/// Code of a store that writes nothing.
pub const NO_STORE: u8 = 7;
/// [`field::UNKNOWN_1`] beside a store to temporary memory.
pub const BESIDE_TEMPORARY: u8 = 12;
/// [`field::UNKNOWN_1`] beside a branch.
pub const BESIDE_BRANCH: u8 = 13;

/// What the memory load adds to its address, by the number in [`field::LOAD_OFFSET`]: the name in listings and that in Mesa's
/// disassembler. The last one adds nothing.
pub const OFFSETS: [[&str; 2]; 8] = [
    ["unknown0", "unk0"],
    ["addr1", "addr1"],
    ["addr2", "addr2"],
    ["addr3", "addr3"],
    ["unknown4", "unk4"],
    ["unknown5", "unk5"],
    ["unknown6", "unk6"],
    ["", ""],
];

/// Instructions that a program may have (an error message of ARM's compiler, and Mesa).
pub const INSTRUCTIONS: usize = 512;
/// Vectors of four in the memory of uniforms, constants and temporaries (Mesa, limasc). Nine address bits
/// could name 512.
pub const MEMORY: usize = 304;
