//! The headers as they stand in the file, field for field. Offsets and sizes in bytes, little endian.
//!
//! Sources: 3dbrew "SHBIN", GBATEK "Video Shaders", the output of the public assemblers.

use unshade_bytes::{Reader, Result, Writer};

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
    fn read(reader: &mut Reader<'_>, what: &'static str) -> Result<Self> {
        Ok(Self { offset: reader.u32(what)?, count: reader.u32(what)? })
    }

    fn write(self, writer: &mut Writer, at: u64) -> Result<()> {
        writer.patch_u32(at, self.offset, "table offset")?;
        writer.patch_u32(at.saturating_add(4), self.count, "table count")
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
    pub fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            version: reader.u16("version")?,
            unknown_06: reader.u16("unknown_06")?,
            code: Table::read(reader, "code")?,
            descriptors: Table::read(reader, "descriptors")?,
            lines: Table { offset: reader.u32("lines")?, count: 0 },
            file_names: Table::default(),
        })
    }

    /// Reads the fields that the long form has more.
    pub fn read_long(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        self.lines.count = reader.u32("lines")?;
        self.file_names = Table::read(reader, "file_names")?;
        Ok(())
    }

    /// Fills the reserved header at `at`.
    pub fn write(&self, writer: &mut Writer, at: u64, long: bool) -> Result<()> {
        let field = |offset| at.saturating_add(offset);
        writer.patch(at, &DVLP, "dvlp.magic")?;
        writer.patch_u16(field(4), self.version, "dvlp.version")?;
        writer.patch_u16(field(6), self.unknown_06, "dvlp.unknown_06")?;
        self.code.write(writer, field(8))?;
        self.descriptors.write(writer, field(0x10))?;
        if long {
            self.lines.write(writer, field(0x18))?;
            self.file_names.write(writer, field(0x20))
        } else {
            writer.patch_u32(field(0x18), self.lines.offset, "dvlp.word_18")
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
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self { version: reader.u16("version")?, kind: reader.u8("kind")?, flags: reader.u8("flags")? })
    }

    fn write(self, writer: &mut Writer, at: u64) -> Result<()> {
        writer.patch_u16(at, self.version, "version")?;
        writer.patch_u8(at.saturating_add(2), self.kind, "kind")?;
        writer.patch_u8(at.saturating_add(3), self.flags, "flags")
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
    pub fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            kind: Kind::read(reader)?,
            entry: reader.u32("entry")?,
            end: reader.u32("end")?,
            input_mask: reader.u16("input_mask")?,
            output_mask: reader.u16("output_mask")?,
            geometry: reader.array("geometry")?,
            tables: Tables {
                constants: Table::read(reader, "constants")?,
                labels: Table::read(reader, "labels")?,
                outputs: Table::read(reader, "outputs")?,
                uniforms: Table::read(reader, "uniforms")?,
                symbols: Table::read(reader, "symbols")?,
            },
        })
    }

    /// Fills the reserved header at `at`.
    pub fn write(&self, writer: &mut Writer, at: u64) -> Result<()> {
        let field = |offset| at.saturating_add(offset);
        writer.patch(at, &DVLE, "magic")?;
        self.kind.write(writer, field(4))?;
        writer.patch_u32(field(8), self.entry, "entry")?;
        writer.patch_u32(field(0xC), self.end, "end")?;
        writer.patch_u16(field(0x10), self.input_mask, "input_mask")?;
        writer.patch_u16(field(0x12), self.output_mask, "output_mask")?;
        writer.patch(field(0x14), &self.geometry, "geometry")?;
        self.tables.constants.write(writer, field(0x18))?;
        self.tables.labels.write(writer, field(0x20))?;
        self.tables.outputs.write(writer, field(0x28))?;
        self.tables.uniforms.write(writer, field(0x30))?;
        self.tables.symbols.write(writer, field(0x38))
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
    pub fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let kind = Kind::read(reader)?;
        let (input_mask, output_mask) = (reader.u16("input_mask")?, reader.u16("output_mask")?);
        let geometry = reader.array("geometry")?;
        let (constants, labels) = (Table::read(reader, "constants")?, Table::read(reader, "labels")?);
        let (code, descriptors) = (Table::read(reader, "code")?, Table::read(reader, "descriptors")?);
        let (lines, relocations) = (Table::read(reader, "lines")?, Table::read(reader, "relocations")?);
        let (outputs, uniforms) = (Table::read(reader, "outputs")?, Table::read(reader, "uniforms")?);
        let tables =
            Tables { constants, labels, outputs, uniforms, symbols: Table::read(reader, "symbols")? };
        Ok(Self { kind, input_mask, output_mask, geometry, tables, code, descriptors, lines, relocations })
    }

    /// Fills the reserved header at `at`.
    pub fn write(&self, writer: &mut Writer, at: u64) -> Result<()> {
        let field = |offset| at.saturating_add(offset);
        writer.patch(at, &DVOJ, "magic")?;
        self.kind.write(writer, field(4))?;
        writer.patch_u16(field(8), self.input_mask, "input_mask")?;
        writer.patch_u16(field(0xA), self.output_mask, "output_mask")?;
        writer.patch(field(0xC), &self.geometry, "geometry")?;
        let tables = [
            self.tables.constants,
            self.tables.labels,
            self.code,
            self.descriptors,
            self.lines,
            self.relocations,
            self.tables.outputs,
            self.tables.uniforms,
            self.tables.symbols,
        ];
        let mut offset = field(0x10);
        for table in tables {
            table.write(writer, offset)?;
            offset = offset.saturating_add(8);
        }
        Ok(())
    }
}
