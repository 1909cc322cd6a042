//! The headers as they stand in the file, field for field. Offsets and sizes in bytes, little endian.
//!
//! Sources: 3dbrew "SHBIN", GBATEK "Video Shaders", the output of the public assemblers.

use super::entries::{halves, words};
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

impl Table {
    #[inline]
    fn new([offset, count]: [u32; 2]) -> Self {
        Self { offset, count }
    }

    fn append(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.offset.to_le_bytes());
        out.extend_from_slice(&self.count.to_le_bytes());
    }
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

impl DvlpHeader {
    /// Reads the fields that both forms have, from behind the magic number.
    ///
    /// # Errors
    /// Where the bytes end before the header does; so do the others here.
    #[inline]
    pub fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let [kind, c0, c1, d0, d1, lines] = words(&reader.array::<24>("")?);
        let [version, unknown_06] = halves(kind);
        Ok(Self {
            version,
            unknown_06,
            code: Table::new([c0, c1]),
            descriptors: Table::new([d0, d1]),
            lines: Table { offset: lines, count: 0 },
            file_names: Table::default(),
        })
    }

    /// Reads the fields that the long form has more.
    ///
    /// # Errors
    /// As [`DvlpHeader::read`].
    #[inline]
    pub fn read_long(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let [lines, n0, n1] = words(&reader.array::<12>("")?);
        self.lines.count = lines;
        self.file_names = Table::new([n0, n1]);
        Ok(())
    }

    /// Appends the header.
    pub fn append(&self, out: &mut Vec<u8>, long: bool) {
        out.extend_from_slice(&DVLP);
        out.extend_from_slice(&self.version.to_le_bytes());
        out.extend_from_slice(&self.unknown_06.to_le_bytes());
        self.code.append(out);
        self.descriptors.append(out);
        if long {
            self.lines.append(out);
            self.file_names.append(out);
        } else {
            out.extend_from_slice(&self.lines.offset.to_le_bytes());
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

impl Kind {
    #[inline]
    fn new(word: u32) -> Self {
        let [a, b, kind, flags] = word.to_le_bytes();
        Self { version: u16::from_le_bytes([a, b]), kind, flags }
    }

    fn append(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.version.to_le_bytes());
        out.extend_from_slice(&[self.kind, self.flags]);
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
    /// 0x14. Mode, first uniform, full vertices, vertices.
    pub geometry: [u8; 4],
    /// 0x18.
    pub tables: Tables,
}

impl DvleHeader {
    /// Reads the header from behind the magic number.
    ///
    /// # Errors
    /// As [`DvlpHeader::read`].
    #[inline]
    pub fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let [kind, entry, end, masks, geometry, tables @ ..] = words::<60, 15>(&reader.array("")?);
        let [c0, c1, l0, l1, o0, o1, u0, u1, s0, s1] = tables;
        let [input_mask, output_mask] = halves(masks);
        Ok(Self {
            kind: Kind::new(kind),
            entry,
            end,
            input_mask,
            output_mask,
            geometry: geometry.to_le_bytes(),
            tables: Tables {
                constants: Table::new([c0, c1]),
                labels: Table::new([l0, l1]),
                outputs: Table::new([o0, o1]),
                uniforms: Table::new([u0, u1]),
                symbols: Table::new([s0, s1]),
            },
        })
    }

    /// Appends the header.
    pub fn append(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&DVLE);
        self.kind.append(out);
        out.extend_from_slice(&self.entry.to_le_bytes());
        out.extend_from_slice(&self.end.to_le_bytes());
        out.extend_from_slice(&self.input_mask.to_le_bytes());
        out.extend_from_slice(&self.output_mask.to_le_bytes());
        out.extend_from_slice(&self.geometry);
        let Tables { constants, labels, outputs, uniforms, symbols } = self.tables;
        for table in [constants, labels, outputs, uniforms, symbols] {
            table.append(out);
        }
    }
}

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
    pub geometry: [u8; 4],
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

impl DvojHeader {
    /// Reads the header from behind the magic number.
    ///
    /// # Errors
    /// As [`DvlpHeader::read`].
    pub fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let [kind, masks, geometry, tables @ ..] = words::<84, 21>(&reader.array("")?);
        let [c0, c1, l0, l1, w0, w1, d0, d1, b0, b1, r0, r1, o0, o1, u0, u1, s0, s1] = tables;
        let [input_mask, output_mask] = halves(masks);
        Ok(Self {
            kind: Kind::new(kind),
            input_mask,
            output_mask,
            geometry: geometry.to_le_bytes(),
            tables: Tables {
                constants: Table::new([c0, c1]),
                labels: Table::new([l0, l1]),
                outputs: Table::new([o0, o1]),
                uniforms: Table::new([u0, u1]),
                symbols: Table::new([s0, s1]),
            },
            code: Table::new([w0, w1]),
            descriptors: Table::new([d0, d1]),
            lines: Table::new([b0, b1]),
            relocations: Table::new([r0, r1]),
        })
    }

    /// Appends the header.
    pub fn append(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&DVOJ);
        self.kind.append(out);
        out.extend_from_slice(&self.input_mask.to_le_bytes());
        out.extend_from_slice(&self.output_mask.to_le_bytes());
        out.extend_from_slice(&self.geometry);
        let Tables { constants, labels, outputs, uniforms, symbols } = self.tables;
        let Self { code, descriptors, lines, relocations, .. } = *self;
        for table in [constants, labels, code, descriptors, lines, relocations, outputs, uniforms, symbols] {
            table.append(out);
        }
    }
}
