//! Magic numbers, sizes, dictionaries.

/// Bits of the first word that all versions share; the lowest byte tells them apart.
pub const MAGIC: u32 = 0x8371_B694;
/// Bytes of the numbers at the start of the header.
pub const HEADER_LEN: usize = 28;
/// Bytes of an entry of the table.
pub const ENTRY_LEN: usize = 32;
/// Both names of the entry that is the table itself.
pub const TABLE_NAMES: (u64, u64) = (0xEFEF_EFEF_EFEF_EFEF, 0xFEFE_FEFE_FEFE_FEFE);
/// The dictionary that registers are packed with.
pub const REGISTER_DICTIONARY: u32 = 0x6318_73D9;
/// The dictionary that programs are packed with.
pub const PROGRAM_DICTIONARY: u32 = 0x149F_2E51;
/// Longest program that is unpacked, in bytes. The emulator takes 128 MiB; the machine's programs are far shorter.
pub const MOST_CODE: u64 = 4 << 20;
/// Longest record of a store whose files are packed, in bytes.
pub const MOST_RECORD: usize = 16 << 20;
/// Longest run coding of registers, in bytes.
pub const MOST_REGISTERS: u64 = 8192;

/// The version of a store with that magic number: 1 up to 3.
pub fn version(magic: u32) -> Option<u32> {
    magic.checked_sub(MAGIC).filter(|version| *version < 3).map(|version| version.saturating_add(1))
}
