//! Version, sizes, numbers of registers.

/// The version, which is the first word of the file.
pub const VERSION: u32 = 1;
/// Bytes of the header of an entry, with the number of its registers.
pub const HEADER_LEN: usize = 24;
/// Registers of the GPU.
pub const REGISTERS: u64 = 0x300;
/// Words of a program and its operand descriptors: half of them each.
pub const WORDS: u64 = 0x2000;
/// Words of a program.
pub const PROGRAM_WORDS: usize = 0x1000;
/// Operand descriptors that instructions can name.
pub const DESCRIPTORS: usize = 128;
/// What an entry is for: 0 vertex, 1 fragment, 2 geometry.
pub const VERTEX: u32 = 0;
