//! Bytes that entries start and end with, types, sizes.

/// First byte of an entry.
pub const HEADER_MARK: u8 = 0x42;
/// First byte of its footer.
pub const FOOTER_MARK: u8 = 0x24;
/// Bytes of header and footer together.
pub const AROUND: usize = 32;
/// Longest entry, in bytes.
pub const MOST: usize = 4 << 20;
/// First bytes of the payload of the first entry.
pub const INFO_MAGIC: [u8; 4] = *b"VKCH";
/// Bytes of a vertex program, unpacked.
pub const PROGRAM_LEN: usize = 32_784;
/// Bytes of a configuration of a vertex program, unpacked.
pub const CONFIG_LEN: usize = 216;

/// Types of entries, by their numbers.
pub const TYPES: [&str; 9] = [
    "file info",
    "vertex config",
    "vertex program",
    "vertex SPIR-V",
    "fragment config",
    "fragment SPIR-V",
    "geometry config",
    "geometry SPIR-V",
    "pipeline",
];
/// See [`TYPES`].
pub const VERTEX_CONFIG: u16 = 1;
/// See [`TYPES`].
pub const VERTEX_PROGRAM: u16 = 2;
/// The types whose payload is SPIR-V.
pub const SPIRV: [u16; 3] = [3, 5, 7];
