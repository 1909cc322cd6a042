//! From the model to bytes: first every part gets its place, then headers and tables are filled in.

use super::entries;
use super::layout::{Part, Scope, Section};
use super::model::{Code, Dvlb, Dvle, Dvoj, Executable, HeaderForm, Shbin};
use super::plan::{Fill, Form, Plan, Shape};
use super::raw::{self, DvleHeader, DvlpHeader, DvojHeader, Kind, Table, Tables};
use unshade_bytes::{Endian, Error, ErrorKind, Result, Under, Writer};

impl Shbin {
    /// The bytes of the file.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] when parts overlap and differ, the layout names a part twice or one
    /// that is not there, or a table does not lie behind the header that names it.
    pub fn write(&self) -> Result<Vec<u8>> {
        let plan = self.plan()?;
        let form = self.form();
        let trailing = match self {
            Self::Linked(file) => &file.trailing,
            Self::Object(file) => &file.trailing,
        };
        let capacity = plan.end.saturating_add(trailing.0.len() as u64);
        let mut writer = Writer::with_capacity(Endian::Little, usize::try_from(capacity).unwrap_or(0));
        let mut bytes = Vec::new();
        self.headers(&plan, &mut bytes)?;
        writer.place(0, &bytes, "headers")?;

        // In file order, so that the file grows at its end; fill and parts take turns.
        let mut parts = Vec::with_capacity(form.slots());
        form.parts(|part| parts.push((plan.start(part), self.size(part), part)));
        parts.retain(|&(_, size, _)| size > 0);
        parts.sort_unstable();
        let mut fills = plan.fills.iter().peekable();
        let mut over = Vec::new();
        for (start, _, part) in parts {
            while let Some(fill) = fills.next_if(|fill| fill.start <= start) {
                place_fill(&mut writer, fill)?;
            }
            bytes.clear();
            self.part(part, &plan, &mut bytes)?;
            if start < writer.position() {
                over.push((start, part));
            } else {
                writer.place(start, &bytes, "").under(|| part.to_string())?;
            }
        }
        for fill in fills {
            place_fill(&mut writer, fill)?;
        }
        writer.append(&trailing.0, "trailing")?;
        // Parts that own no bytes of their own say what stands there already.
        for (start, part) in over {
            bytes.clear();
            self.part(part, &plan, &mut bytes)?;
            writer.share(start, &bytes, "").under(|| part.to_string()).code("shbin.overlap")?;
        }
        writer.finish()
    }

    pub(super) fn form(&self) -> Form {
        match self {
            Self::Linked(file) => Form::Linked {
                executables: u32::try_from(file.executables.len()).unwrap_or(u32::MAX),
                long: file.program.header == HeaderForm::Long,
            },
            Self::Object(_) => Form::Object,
        }
    }

    /// Works out where everything lies.
    pub(super) fn plan(&self) -> Result<Plan> {
        let (layout, missing) = match self {
            Self::Linked(file) => {
                let short = file.program.header != HeaderForm::Long;
                let names = !file.program.code.lines.is_empty() || !file.program.file_names.0.is_empty();
                (&file.layout, short && names)
            }
            Self::Object(file) => (&file.layout, false),
        };
        if missing {
            return Err(Error::new(
                ErrorKind::Unrepresentable,
                0,
                "dvlp.header",
                "the long header, which has a line table and file names",
                "the short one",
            )
            .code("shbin.dvlp.header"));
        }
        Plan::new(layout, Shape { form: self.form(), size: &|part| self.size(part) })
    }

    /// Entries of a part.
    pub(super) fn count(&self, part: Part) -> usize {
        let code = |code: &Code| match part.section {
            Section::Code => code.words.len(),
            Section::Descriptors => code.descriptors.len(),
            Section::Lines => code.lines.len(),
            _ => 0,
        };
        let executable = |executable: &Executable| match part.section {
            Section::Constants => executable.constants.len(),
            Section::Labels => executable.labels.len(),
            Section::Outputs => executable.outputs.len(),
            Section::Uniforms => executable.uniforms.len(),
            Section::Symbols => executable.symbols.0.len(),
            _ => 0,
        };
        match (self, part.scope, part.section) {
            (Self::Linked(file), Scope::Program, Section::FileNames) => file.program.file_names.0.len(),
            (Self::Linked(file), Scope::Program, _) => code(&file.program.code),
            (Self::Linked(file), Scope::Executable(index), section) => {
                match (file.executables.get(index as usize), section) {
                    (None, _) => 0,
                    (Some(_), Section::Header) => 1,
                    (Some(dvle), _) => executable(&dvle.executable),
                }
            }
            (Self::Object(file), Scope::Object, Section::Relocations) => file.relocations.len(),
            (Self::Object(file), Scope::Object, Section::Code | Section::Descriptors | Section::Lines) => {
                code(&file.code)
            }
            (Self::Object(file), Scope::Object, _) => executable(&file.executable),
            _ => 0,
        }
    }

    /// Bytes of a part.
    pub(super) fn size(&self, part: Part) -> u64 {
        (self.count(part) as u64).saturating_mul(part.section.entry_size())
    }

    /// Where a part lies, as the header says it.
    pub(super) fn table(&self, plan: &Plan, scope: Scope, section: Section) -> Result<Table> {
        let part = Part { scope, section };
        let count = u32::try_from(self.count(part)).map_err(|_| {
            Error::new(ErrorKind::Unrepresentable, 0, part.to_string(), "a count of 32 bits", "a larger one")
        })?;
        Ok(Table { offset: plan.offset(part)?, count })
    }

    fn tables(&self, plan: &Plan, scope: Scope) -> Result<Tables> {
        Ok(Tables {
            constants: self.table(plan, scope, Section::Constants)?,
            labels: self.table(plan, scope, Section::Labels)?,
            outputs: self.table(plan, scope, Section::Outputs)?,
            uniforms: self.table(plan, scope, Section::Uniforms)?,
            symbols: self.table(plan, scope, Section::Symbols)?,
        })
    }

    /// Appends the headers at the start of the file.
    fn headers(&self, plan: &Plan, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::Linked(file) => self.linked_headers(file, plan, out),
            Self::Object(file) => self.object_header(file, plan, out),
        }
    }

    fn linked_headers(&self, file: &Dvlb, plan: &Plan, out: &mut Vec<u8>) -> Result<()> {
        let count = u32::try_from(file.executables.len()).map_err(|_| {
            Error::new(ErrorKind::Unrepresentable, 4, "dvle_count", "a count of 32 bits", "a larger one")
        })?;
        out.extend_from_slice(&raw::DVLB);
        out.extend_from_slice(&count.to_le_bytes());
        for index in 0..count {
            let part = Part { scope: Scope::Executable(index), section: Section::Header };
            out.extend_from_slice(&plan.offset(part)?.to_le_bytes());
        }
        let table = |section| self.table(plan, Scope::Program, section);
        let mut header = DvlpHeader {
            version: file.program.version,
            unknown_06: file.program.unknown_06,
            code: table(Section::Code)?,
            descriptors: table(Section::Descriptors)?,
            ..DvlpHeader::default()
        };
        match file.program.header {
            HeaderForm::Long => {
                header.lines = table(Section::Lines)?;
                header.file_names = table(Section::FileNames)?;
            }
            HeaderForm::Short { word_18 } => header.lines.offset = word_18,
        }
        header.append(out, file.program.header == HeaderForm::Long);
        Ok(())
    }

    fn object_header(&self, file: &Dvoj, plan: &Plan, out: &mut Vec<u8>) -> Result<()> {
        let table = |section| self.table(plan, Scope::Object, section);
        let executable = &file.executable;
        let header = DvojHeader {
            kind: kind(executable),
            input_mask: executable.input_mask,
            output_mask: executable.output_mask,
            geometry: executable.geometry,
            tables: self.tables(plan, Scope::Object)?,
            code: table(Section::Code)?,
            descriptors: table(Section::Descriptors)?,
            lines: table(Section::Lines)?,
            relocations: table(Section::Relocations)?,
        };
        header.append(out);
        Ok(())
    }

    /// Appends the bytes of a part.
    fn part(&self, part: Part, plan: &Plan, out: &mut Vec<u8>) -> Result<()> {
        match (self, part.scope) {
            (Self::Linked(file), Scope::Program) if part.section == Section::FileNames => {
                out.extend_from_slice(&file.program.file_names.0);
            }
            (Self::Linked(file), Scope::Program) => code(&file.program.code, part.section, out),
            (Self::Linked(file), Scope::Executable(index)) => {
                let Some(dvle) = file.executables.get(index as usize) else { return Ok(()) };
                if part.section == Section::Header {
                    self.executable_header(dvle, index, plan)?.append(out);
                } else {
                    table(&dvle.executable, part.section, out);
                }
            }
            (Self::Object(file), _) => match part.section {
                Section::Code | Section::Descriptors | Section::Lines => code(&file.code, part.section, out),
                Section::Relocations => entries::write(&file.relocations, out),
                section => table(&file.executable, section, out),
            },
            _ => {}
        }
        Ok(())
    }

    fn executable_header(&self, dvle: &Dvle, index: u32, plan: &Plan) -> Result<DvleHeader> {
        let executable = &dvle.executable;
        Ok(DvleHeader {
            kind: kind(executable),
            entry: dvle.entry,
            end: dvle.end,
            input_mask: executable.input_mask,
            output_mask: executable.output_mask,
            geometry: executable.geometry,
            tables: self.tables(plan, Scope::Executable(index))?,
        })
    }
}

fn place_fill(writer: &mut Writer, fill: &Fill) -> Result<()> {
    match &fill.bytes {
        Some(bytes) => writer.place(fill.start, &bytes.0, "layout"),
        None => writer.place(fill.start, &vec![0; usize::try_from(fill.len).unwrap_or(0)], "layout"),
    }
}

fn kind(executable: &Executable) -> Kind {
    Kind { version: executable.version, kind: executable.kind, flags: executable.flags }
}

fn code(code: &Code, section: Section, out: &mut Vec<u8>) {
    match section {
        Section::Code => entries::write(&code.words, out),
        Section::Descriptors => entries::write(&code.descriptors, out),
        _ => entries::write(&code.lines, out),
    }
}

fn table(executable: &Executable, section: Section, out: &mut Vec<u8>) {
    match section {
        Section::Constants => entries::write(&executable.constants, out),
        Section::Labels => entries::write(&executable.labels, out),
        Section::Outputs => entries::write(&executable.outputs, out),
        Section::Uniforms => entries::write(&executable.uniforms, out),
        _ => out.extend_from_slice(&executable.symbols.0),
    }
}
