//! The headers as they stand in the file, field for field. Offsets and sizes in bytes, little endian.
//!
//! Sources: 3dbrew "SHBIN", GBATEK "Video Shaders", the output of the public assemblers.

use super::entries::Piece;
use super::model::GeometryWord;
use unshade_bytes::{Reader, Result};

/// Magic number of a linked shader binary.
pub const DVLB: [u8; 4] = *b"DVLB";
/// Magic number of the program inside.
pub const DVLP: [u8; 4] = *b"DVLP";
/// Magic number of an executable inside.
pub const DVLE: [u8; 4] = *b"DVLE";
/// Magic number of a single unlinked object.
pub const DVOJ: [u8; 4] = *b"DVOJ";

/// DVLB header in front of the table of DVLE offsets.
pub const DVLB_HEADER: u64 = 8;
/// DVLP header with all fields.
pub const DVLP_HEADER: u64 = 0x28;
/// DVLP header as nihstro writes it, without the line count and the file names.
pub const DVLP_HEADER_SHORT: u64 = 0x1C;
/// DVLE header.
pub const DVLE_HEADER: u64 = 0x40;
/// DVOJ header.
pub const DVOJ_HEADER: u64 = 0x58;

/// Where a table is: its offset from the structure that names it, and how many entries it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Table {
    /// Offset from the magic number of the structure.
    pub offset: u32,
    /// Entries; bytes for string tables, words for code.
    pub count: u32,
}

impl Piece for Table {
    #[inline]
    fn take(rest: &mut &[u8]) -> Self {
        Self { offset: u32::take(rest), count: u32::take(rest) }
    }

    #[inline]
    fn put(&self, rest: &mut &mut [u8]) {
        self.offset.put(rest);
        self.count.put(rest);
    }
}

/// Says the fields of a header once, in the order of the file behind the magic number.
macro_rules! header {
    ($name:ident, $magic:ident, $read:ident, $append:ident: $size:literal { $($($field:ident).+,)+ }) => {
        impl $name {
            /// Reads the header from behind the magic number.
            ///
            /// # Errors
            /// Where the bytes end before the header does.
            #[inline]
            pub fn $read(reader: &mut Reader<'_>) -> Result<Self> {
                let bytes = reader.array::<$size>("")?;
                let mut rest = bytes.as_slice();
                let mut header = Self::default();
                $(header.$($field).+ = Piece::take(&mut rest);)+
                Ok(header)
            }

            /// Appends the header with its magic number.
            pub fn $append(&self, out: &mut Vec<u8>) {
                let mut bytes = [0; $size];
                let mut rest = bytes.as_mut_slice();
                $(self.$($field).+.put(&mut rest);)+
                out.extend_from_slice(&$magic);
                out.extend_from_slice(&bytes);
            }
        }
    };
}

/// DVLP header, 0x28 bytes, or 0x1C where `lines.count` and `file_names` do not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DvlpHeader {
    /// 0x04. Not 0 in files of the official tools.
    pub version: u16,
    /// 0x06. 0 so far.
    pub unknown_06: u16,
    /// 0x08. Code, in words.
    pub code: Table,
    /// 0x10. Operand descriptors, 8 bytes each.
    pub descriptors: Table,
    /// 0x18. Line table, 8 bytes an entry. In the short form only the offset exists.
    pub lines: Table,
    /// 0x20. Names of source files, in bytes.
    pub file_names: Table,
}

// The fields that both forms have.
header!(DvlpHeader, DVLP, read, append_short: 24 {
    version,
    unknown_06,
    code,
    descriptors,
    lines.offset,
});

impl DvlpHeader {
    /// Reads the fields that the long form has more.
    ///
    /// # Errors
    /// As [`DvlpHeader::read`].
    #[inline]
    pub fn read_long(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let bytes = reader.array::<12>("")?;
        let mut rest = bytes.as_slice();
        self.lines.count = Piece::take(&mut rest);
        self.file_names = Piece::take(&mut rest);
        Ok(())
    }

    /// Appends the header.
    pub fn append(&self, out: &mut Vec<u8>, long: bool) {
        self.append_short(out);
        if long {
            let mut bytes = [0; 12];
            let mut rest = bytes.as_mut_slice();
            self.lines.count.put(&mut rest);
            self.file_names.put(&mut rest);
            out.extend_from_slice(&bytes);
        }
    }
}

/// The five tables of an executable, in the order of the header fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tables {
    /// Constants, 0x14 bytes each.
    pub constants: Table,
    /// Labels, 0x10 bytes each.
    pub labels: Table,
    /// Outputs, 8 bytes each.
    pub outputs: Table,
    /// Names of inputs and uniforms, 8 bytes each.
    pub uniforms: Table,
    /// Strings, in bytes.
    pub symbols: Table,
}

/// What DVLE and DVOJ headers say of the kind of program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Kind {
    /// Version of the structure.
    pub version: u16,
    /// 0 vertex, 1 geometry.
    pub kind: u8,
    /// Bit 0: merge the output maps of vertex and geometry program.
    pub flags: u8,
}

impl Piece for Kind {
    #[inline]
    fn take(rest: &mut &[u8]) -> Self {
        Self { version: u16::take(rest), kind: u8::take(rest), flags: u8::take(rest) }
    }

    #[inline]
    fn put(&self, rest: &mut &mut [u8]) {
        self.version.put(rest);
        self.kind.put(rest);
        self.flags.put(rest);
    }
}

/// DVLE header, 0x40 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DvleHeader {
    /// 0x04.
    pub kind: Kind,
    /// 0x08. Entry point, in words.
    pub entry: u32,
    /// 0x0C. End of the main procedure, in words.
    pub end: u32,
    /// 0x10. Input registers in use.
    pub input_mask: u16,
    /// 0x12. Output registers in use.
    pub output_mask: u16,
    /// 0x14. How a geometry program is fed.
    pub geometry: GeometryWord,
    /// 0x18.
    pub tables: Tables,
}

header!(DvleHeader, DVLE, read, append: 60 {
    kind,
    entry,
    end,
    input_mask,
    output_mask,
    geometry,
    tables.constants,
    tables.labels,
    tables.outputs,
    tables.uniforms,
    tables.symbols,
});

/// DVOJ header, 0x58 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DvojHeader {
    /// 0x04.
    pub kind: Kind,
    /// 0x08. Input registers in use.
    pub input_mask: u16,
    /// 0x0A. Output registers in use.
    pub output_mask: u16,
    /// 0x0C. By analogy with DVLE 0x14 the geometry parameters; 0xFFFFFFFF where not set.
    pub geometry: GeometryWord,
    /// 0x10, 0x18, 0x40, 0x48, 0x50.
    pub tables: Tables,
    /// 0x20. Code, in words.
    pub code: Table,
    /// 0x28. Operand descriptors, 8 bytes each.
    pub descriptors: Table,
    /// 0x30. Line table (block 1), 8 bytes an entry.
    pub lines: Table,
    /// 0x38. Relocation table (block 2), 12 bytes an entry.
    pub relocations: Table,
}

header!(DvojHeader, DVOJ, read, append: 84 {
    kind,
    input_mask,
    output_mask,
    geometry,
    tables.constants,
    tables.labels,
    code,
    descriptors,
    lines,
    relocations,
    tables.outputs,
    tables.uniforms,
    tables.symbols,
});
