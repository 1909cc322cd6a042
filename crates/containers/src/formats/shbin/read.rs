//! From bytes to the model. Refused is only what the model cannot hold: a header that is cut off, a wrong
//! magic number, a table that does not lie inside the file, a file whose tables claim its bytes over and
//! over.

use super::entries;
use super::layout::{Item, Layout, Part, Producer, Scope, Section};
use super::model::{Code, Dvlb, Dvle, Dvlp, Dvoj, Executable, HeaderForm, Shbin};
use super::plan::{Form, Shape, Step, padding, standard};
use super::raw::{self, DvleHeader, DvlpHeader, DvojHeader, Table, Tables};
use crate::shared::{Opaque, Strings};
use unshade_bytes::{Budget, Endian, Error, ErrorKind, Reader, Result, Under};

/// A file whose headers were read and whose tables are known to lie inside it.
pub(crate) struct Heads<'a> {
    data: &'a [u8],
    heads: Kinds,
}

enum Kinds {
    Linked { form: Form, program: DvlpHeader, executables: Vec<Placed> },
    Object(DvojHeader),
}

/// A DVLE header with its offset from the DVLB.
struct Placed {
    offset: u32,
    header: DvleHeader,
}

/// How much the tables of a file may claim together: twice its bytes, so that executables may share
/// tables, but not so often that a small file becomes a big model.
pub(crate) fn budget(len: usize) -> Budget {
    Budget::new((len as u64).saturating_mul(2).saturating_add(1024))
}

/// Reads a whole file.
///
/// # Errors
/// Where the file is not what its magic number says, with a code that names the part.
pub fn read(bytes: &[u8]) -> Result<Shbin> {
    let heads = Heads::read(bytes, 0, &mut budget(bytes.len()))?;
    Ok(heads.model(bytes.len()))
}

impl<'a> Heads<'a> {
    /// Reads the headers of the container at the start of `data`, which lies at `base` of the whole file.
    pub(crate) fn read(data: &'a [u8], base: u64, budget: &mut Budget) -> Result<Self> {
        let mut reader = Reader::with_base(data, base, Endian::Little);
        let heads = match data.first_chunk() {
            Some(&raw::DVLB) => Self::linked(reader, budget)?,
            Some(&raw::DVOJ) => Self::object(reader, budget)?,
            _ => {
                reader.magic(&raw::DVLB, "magic").code("shbin.magic")?;
                return Err(Error::new(ErrorKind::UnknownFormat, base, "magic", "DVLB or DVOJ", "another"));
            }
        };
        Ok(Self { data, heads })
    }

    fn linked(mut reader: Reader<'_>, budget: &mut Budget) -> Result<Kinds> {
        let (start, whole) = (reader.offset(), reader);
        reader.magic(&raw::DVLB, "magic").code("shbin.magic")?;
        let count = reader.u32("dvle_count").code("shbin.dvlb.truncated")?;
        let offsets = whole
            .counted(raw::DVLB_HEADER, count.into(), 4, "dvle_offsets")
            .and_then(|offsets| {
                // A header counts twice, which a file without shared tables can always afford: many
                // offsets of one header would otherwise make a small file a big model.
                let headers = u64::from(count).saturating_mul(raw::DVLE_HEADER.saturating_mul(2));
                budget.charge(headers.saturating_add(offsets.len() as u64), start, "dvle_count")?;
                Ok(offsets)
            })
            .code("shbin.dvlb.dvle-count")?;
        let program_start = raw::DVLB_HEADER.saturating_add(offsets.len() as u64);
        let in_program = || Scope::Program.to_string();

        let mut program_reader = whole.at(program_start, "dvlp").code("shbin.dvlp.truncated")?;
        program_reader.magic(&raw::DVLP, "magic").under(in_program).code("shbin.dvlp.magic")?;
        let mut program =
            DvlpHeader::read(&mut program_reader).under(in_program).code("shbin.dvlp.truncated")?;
        let offsets = offsets.as_chunks::<4>().0;
        let long = !is_short(program_start, &program, offsets);
        if long {
            program.read_long(&mut program_reader).under(in_program).code("shbin.dvlp.truncated")?;
        }
        let form = Form::Linked { executables: count, long };
        for section in Section::PROGRAM {
            claim(whole, budget, program_start, section, program_table(&program, section))
                .under(in_program)?;
        }

        let mut executables = Vec::with_capacity(offsets.len());
        for (index, offset) in offsets.iter().enumerate() {
            let offset = u32::from_le_bytes(*offset);
            let header = executable(whole, budget, offset).under(|| format!("dvle[{index}]"))?;
            executables.push(Placed { offset, header });
        }
        Ok(Kinds::Linked { form, program, executables })
    }

    fn object(reader: Reader<'_>, budget: &mut Budget) -> Result<Kinds> {
        let in_object = || Scope::Object.to_string();
        let mut fields = reader;
        fields.magic(&raw::DVOJ, "magic").code("shbin.magic")?;
        let header = DvojHeader::read(&mut fields).under(in_object).code("shbin.dvoj.truncated")?;
        budget.charge(raw::DVOJ_HEADER, reader.offset(), "dvoj").code("shbin.dvoj.truncated")?;
        for section in Section::OBJECT {
            let table = object_table(&header, section);
            claim(reader, budget, 0, section, table)
                .map_err(|error| error.code(object_code(section)))
                .under(in_object)?;
        }
        Ok(Kinds::Object(header))
    }

    /// Where the last part ends.
    pub(crate) fn extent(&self) -> usize {
        let form = self.form();
        let mut extent = form.headers();
        form.parts(|part| {
            let size = self.size(part);
            if size > 0 {
                extent = extent.max(self.start(part).saturating_add(size));
            }
        });
        usize::try_from(extent).unwrap_or(usize::MAX).min(self.data.len())
    }

    /// The model of the container, whose bytes are the first `len` of the data. What lies behind its last
    /// part is trailing.
    pub(crate) fn model(&self, len: usize) -> Shbin {
        let data = self.data.get(..len).unwrap_or(self.data);
        let (layout, end) = self.layout(data);
        let trailing = Opaque(data.get(end..).unwrap_or_default().to_vec());
        match &self.heads {
            Kinds::Linked { form, program, executables } => {
                let long = matches!(form, Form::Linked { long: true, .. });
                let start = form.program_start();
                Shbin::Linked(Dvlb {
                    program: Dvlp {
                        header: if long {
                            HeaderForm::Long
                        } else {
                            HeaderForm::Short { word_18: program.lines.offset }
                        },
                        version: program.version,
                        unknown_06: program.unknown_06,
                        code: self.code(start, program.code, program.descriptors, program.lines),
                        file_names: Strings(
                            self.bytes(start, program.file_names, Section::FileNames).to_vec(),
                        ),
                    },
                    executables: executables.iter().map(|placed| self.dvle(placed)).collect(),
                    layout,
                    trailing,
                })
            }
            Kinds::Object(header) => {
                let mut executable = self.tables(0, &header.tables);
                executable.version = header.kind.version;
                executable.kind = header.kind.kind;
                executable.flags = header.kind.flags;
                executable.input_mask = header.input_mask;
                executable.output_mask = header.output_mask;
                executable.geometry = header.geometry;
                Shbin::Object(Dvoj {
                    executable,
                    code: self.code(0, header.code, header.descriptors, header.lines),
                    relocations: entries::read(self.bytes(0, header.relocations, Section::Relocations)),
                    layout,
                    trailing,
                })
            }
        }
    }

    fn form(&self) -> Form {
        match &self.heads {
            Kinds::Linked { form, .. } => *form,
            Kinds::Object(_) => Form::Object,
        }
    }

    /// The header field of a part (for a DVLE header: its offset, one entry).
    fn table(&self, part: Part) -> Table {
        match (&self.heads, part.scope) {
            (Kinds::Linked { program, .. }, Scope::Program) => program_table(program, part.section),
            (Kinds::Linked { executables, .. }, Scope::Executable(index)) => {
                match (executables.get(index as usize), part.section) {
                    (None, _) => Table::default(),
                    (Some(placed), Section::Header) => Table { offset: placed.offset, count: 1 },
                    (Some(placed), section) => executable_table(&placed.header.tables, section),
                }
            }
            (Kinds::Object(header), Scope::Object) => object_table(header, part.section),
            _ => Table::default(),
        }
    }

    fn base(&self, part: Part) -> u64 {
        match (part.scope, part.section) {
            (Scope::Program, _) => self.form().program_start(),
            (Scope::Object, _) | (_, Section::Header) => 0,
            (scope, _) => self.table(Part { scope, section: Section::Header }).offset.into(),
        }
    }

    fn start(&self, part: Part) -> u64 {
        self.base(part).saturating_add(self.table(part).offset.into())
    }

    fn size(&self, part: Part) -> u64 {
        u64::from(self.table(part).count).saturating_mul(part.section.entry_size())
    }

    /// The layout of the first `data` bytes, and where it ends.
    fn layout(&self, data: &[u8]) -> (Layout, usize) {
        let shape = Shape { form: self.form(), size: &|part| self.size(part) };
        let names = Part { scope: Scope::Program, section: Section::FileNames };
        for producer in Producer::ALL {
            // These two write no file names, so a file with some is not theirs.
            if matches!(producer, Producer::Picasso | Producer::Aemstro) && self.size(names) > 0 {
                continue;
            }
            if let Some(end) = self.follows(producer, shape, data) {
                return (Layout::Standard(producer), end);
            }
        }
        let (items, end) = self.explicit(shape, data);
        (Layout::Explicit(items), end)
    }

    /// Whether the parts lie exactly as `producer` would put them, and where that ends.
    fn follows(&self, producer: Producer, shape: Shape<'_>, data: &[u8]) -> Option<usize> {
        let mut cursor = shape.form.headers();
        let same = standard(producer, shape, |step| match step {
            Step::Part(part) => {
                let here = self.start(part) == cursor;
                cursor = cursor.saturating_add(self.size(part));
                here
            }
            Step::Align(to) => {
                let start = cursor;
                cursor = cursor.saturating_add(padding(cursor, to));
                start == cursor || zeros(data, start, cursor)
            }
            Step::Loose(part, offset) => self.table(part).offset == offset,
            Step::Zeros(_) | Step::Opaque(_) => false,
        });
        usize::try_from(cursor).ok().filter(|&end| same && end <= data.len())
    }

    /// The parts in file order with what lies between them.
    fn explicit(&self, shape: Shape<'_>, data: &[u8]) -> (Vec<Item>, usize) {
        let mut parts = Vec::with_capacity(shape.form.slots());
        shape.form.parts(|part| parts.push((self.start(part), self.size(part), part)));
        // At one place the empty parts come first: they may stand in front of a part, not inside it.
        parts.sort_unstable();
        // Counted before they are made: a file of many small parts must not cost twice its model.
        let mut count = 1_usize;
        row(shape.form.headers(), &parts, |_| count = count.saturating_add(1));
        let mut items = Vec::with_capacity(count);
        let mut cursor = row(shape.form.headers(), &parts, |step| {
            items.push(match step {
                Found::Gap(start, end) => gap(data, start, end),
                Found::Part(part) => Item::Part(part),
                Found::Detached(part) => Item::Loose(part, self.table(part).offset),
            });
        });
        let padded = cursor.saturating_add(padding(cursor, 4));
        if padded > cursor && padded <= data.len() as u64 && zeros(data, cursor, padded) {
            items.push(Item::Align(4));
            cursor = padded;
        }
        (items, usize::try_from(cursor).unwrap_or(usize::MAX).min(data.len()))
    }

    /// The bytes of a table, which [`claim`] found to lie inside the file.
    fn bytes(&self, base: u64, table: Table, section: Section) -> &'a [u8] {
        if table.count == 0 {
            return &[];
        }
        let start = base.saturating_add(table.offset.into());
        let len = u64::from(table.count).saturating_mul(section.entry_size());
        let range = usize::try_from(start).ok().zip(usize::try_from(start.saturating_add(len)).ok());
        range.and_then(|(start, end)| self.data.get(start..end)).unwrap_or_default()
    }

    fn code(&self, base: u64, code: Table, descriptors: Table, lines: Table) -> Code {
        Code {
            words: entries::read(self.bytes(base, code, Section::Code)),
            descriptors: entries::read(self.bytes(base, descriptors, Section::Descriptors)),
            lines: entries::read(self.bytes(base, lines, Section::Lines)),
        }
    }

    fn dvle(&self, placed: &Placed) -> Dvle {
        let header = &placed.header;
        Dvle {
            entry: header.entry,
            end: header.end,
            executable: Executable {
                version: header.kind.version,
                kind: header.kind.kind,
                flags: header.kind.flags,
                input_mask: header.input_mask,
                output_mask: header.output_mask,
                geometry: header.geometry,
                ..self.tables(placed.offset.into(), &header.tables)
            },
        }
    }

    fn tables(&self, base: u64, tables: &Tables) -> Executable {
        Executable {
            constants: entries::read(self.bytes(base, tables.constants, Section::Constants)),
            labels: entries::read(self.bytes(base, tables.labels, Section::Labels)),
            outputs: entries::read(self.bytes(base, tables.outputs, Section::Outputs)),
            uniforms: entries::read(self.bytes(base, tables.uniforms, Section::Uniforms)),
            symbols: Strings(self.bytes(base, tables.symbols, Section::Symbols).to_vec()),
            ..Executable::default()
        }
    }
}

/// Reads the header of an executable and claims its tables.
fn executable(whole: Reader<'_>, budget: &mut Budget, offset: u32) -> Result<DvleHeader> {
    let mut reader = whole.at(offset.into(), "").code("shbin.dvle.offset")?;
    if let Err(error) = reader.magic(&raw::DVLE, "magic") {
        let code = match error.kind {
            ErrorKind::BadMagic if offset.is_multiple_of(4) => "shbin.dvle.magic",
            ErrorKind::BadMagic => "shbin.dvle.offset",
            _ => "shbin.dvle.truncated",
        };
        return Err(error.code(code));
    }
    let header = DvleHeader::read(&mut reader).code("shbin.dvle.truncated")?;
    for section in Section::TABLES {
        claim(whole, budget, offset.into(), section, executable_table(&header.tables, section))?;
    }
    Ok(header)
}

/// Checks that a table lies inside the file, and charges it.
#[inline]
fn claim(whole: Reader<'_>, budget: &mut Budget, base: u64, section: Section, table: Table) -> Result<()> {
    if table.count == 0 {
        return Ok(());
    }
    let start = base.saturating_add(table.offset.into());
    whole
        .counted(start, table.count.into(), section.entry_size(), section.name())
        .and_then(|bytes| {
            budget.charge(bytes.len() as u64, whole.offset().saturating_add(start), section.name())
        })
        .code(code(section))
}

/// Code of a table of a DVLP or DVLE that does not lie inside the file.
pub(super) const fn code(section: Section) -> &'static str {
    match section {
        Section::Header => "shbin.dvle.truncated",
        Section::Constants => "shbin.dvle.constant-table",
        Section::Labels => "shbin.dvle.label-table",
        Section::Outputs => "shbin.dvle.output-table",
        Section::Uniforms => "shbin.dvle.uniform-table",
        Section::Symbols => "shbin.dvle.symbols",
        Section::Code => "shbin.dvlp.code",
        Section::Descriptors => "shbin.dvlp.descriptors",
        Section::Lines => "shbin.dvlp.line-table",
        Section::FileNames => "shbin.dvlp.file-names",
        Section::Relocations => "shbin.dvoj.relocation-table",
    }
}

/// Code of a table of a DVOJ that does not lie inside the file.
pub(super) const fn object_code(section: Section) -> &'static str {
    match section {
        Section::Constants => "shbin.dvoj.constant-table",
        Section::Labels => "shbin.dvoj.label-table",
        Section::Outputs => "shbin.dvoj.output-table",
        Section::Uniforms => "shbin.dvoj.uniform-table",
        Section::Symbols => "shbin.dvoj.symbols",
        Section::Code => "shbin.dvoj.code",
        Section::Descriptors => "shbin.dvoj.descriptors",
        Section::Lines => "shbin.dvoj.line-table",
        Section::Header | Section::FileNames | Section::Relocations => "shbin.dvoj.relocation-table",
    }
}

/// nihstro's header ends at 0x1C: something that must lie behind the header starts there.
fn is_short(program_start: u64, program: &DvlpHeader, offsets: &[[u8; 4]]) -> bool {
    let between = raw::DVLP_HEADER_SHORT..raw::DVLP_HEADER;
    let executable = |offset: &[u8; 4]| {
        let offset = u64::from(u32::from_le_bytes(*offset));
        offset.checked_sub(program_start).is_some_and(|offset| between.contains(&offset))
    };
    let code = program.code.count > 0 && between.contains(&program.code.offset.into());
    code || offsets.iter().any(executable)
}

fn program_table(program: &DvlpHeader, section: Section) -> Table {
    match section {
        Section::Code => program.code,
        Section::Descriptors => program.descriptors,
        Section::Lines => program.lines,
        Section::FileNames => program.file_names,
        _ => Table::default(),
    }
}

fn executable_table(tables: &Tables, section: Section) -> Table {
    match section {
        Section::Constants => tables.constants,
        Section::Labels => tables.labels,
        Section::Outputs => tables.outputs,
        Section::Uniforms => tables.uniforms,
        Section::Symbols => tables.symbols,
        _ => Table::default(),
    }
}

fn object_table(header: &DvojHeader, section: Section) -> Table {
    match section {
        Section::Code => header.code,
        Section::Descriptors => header.descriptors,
        Section::Lines => header.lines,
        Section::Relocations => header.relocations,
        _ => executable_table(&header.tables, section),
    }
}

/// Whether the bytes from `start` to `end` exist and are zero.
fn zeros(data: &[u8], start: u64, end: u64) -> bool {
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    let bytes = range.and_then(|(start, end)| data.get(start..end));
    bytes.is_some_and(|bytes| bytes.iter().all(|&byte| byte == 0))
}

/// What comes next in a file, in the order of the places.
enum Found {
    Gap(u64, u64),
    Part(Part),
    Detached(Part),
}

/// Walks the sorted parts from `cursor` on, and returns where the row ends.
fn row(mut cursor: u64, parts: &[(u64, u64, Part)], mut visit: impl FnMut(Found)) -> u64 {
    for group in parts.chunk_by(|(first, ..), (second, ..)| first == second) {
        let Some(&(start, size, _)) = group.last() else { continue };
        // Only a part with bytes ends a gap; an empty one inside it is loose.
        if start > cursor && size > 0 {
            visit(Found::Gap(cursor, start));
            cursor = start;
        }
        for &(start, size, part) in group {
            if start == cursor {
                visit(Found::Part(part));
                cursor = cursor.saturating_add(size);
            } else {
                visit(Found::Detached(part));
            }
        }
    }
    cursor
}

/// Describes what lies between two parts.
fn gap(data: &[u8], start: u64, end: u64) -> Item {
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    let bytes = range.and_then(|(start, end)| data.get(start..end)).unwrap_or_default();
    let all_zero = bytes.iter().all(|&byte| byte == 0);
    match u32::try_from(bytes.len()) {
        Ok(len) if all_zero && u64::from(len) == padding(start, 4) => Item::Align(4),
        Ok(len) if all_zero => Item::Zeros(len),
        _ => Item::Opaque(Opaque(bytes.to_vec())),
    }
}
