//! Shaders of the open graphics library deko3d (`DKSH`), as the open compilers uam and uam-nvn write them.
//!
//! ```text
//! header 0x18 | programs, 0x40 each | up to a multiple of 0x100 | code: header and instructions, constants
//! ```
//! Little endian. What the header calls the control section is everything before the code.

mod format;
#[cfg(feature = "manifest")]
mod manifest;
mod programs;

pub use crate::formats::nvn::DkshProgram;
use crate::formats::switch::check::Findings;
use crate::shared::fields::{Grow, Record};
use crate::shared::{Node, Opaque};
use unshade_bytes::{Diagnostic, Error, ErrorKind, Owner, Result, Severity};
use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

/// First bytes of the file.
pub const MAGIC: [u8; 4] = *b"DKSH";
/// Bytes of the header.
const HEADER_LEN: u32 = 0x18;
/// Bytes of a program.
const PROGRAM_LEN: u32 = 0x40;
/// Where a graphics program starts in a multiple of [`ALIGNMENT`].
const ENTRY: u32 = 0x30;
/// Code, its size and constants stand at multiples of this.
const ALIGNMENT: u32 = 0x100;
/// Where instructions start in the code of a graphics program, from its entry point.
const SPH_LEN: u32 = 0x50;

/// A DKSH.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dksh {
    /// Bytes of the header, 0x18.
    pub header_size: u32,
    /// Bytes before the code.
    pub control_size: u32,
    /// Bytes of the code.
    pub code_size: u32,
    /// Place of the programs.
    pub programs_offset: u32,
    /// The programs.
    pub programs: Vec<DkshProgram>,
    /// Between the header and the programs.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub before: Opaque,
    /// Between the programs and the code.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub behind: Opaque,
    /// The code of all programs.
    pub code: Opaque,
    /// What follows on it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub trailing: Opaque,
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word))
}

/// Reads a DKSH.
///
/// # Errors
/// [`ErrorKind::BadMagic`] for another file; [`ErrorKind::OutOfBounds`] where the header says more than there is.
pub fn read(bytes: &[u8]) -> Result<Dksh> {
    if !bytes.starts_with(&MAGIC) {
        let found = format!("\"{}\"", bytes.get(..4).unwrap_or(bytes).escape_ascii());
        return Err(Error::new(ErrorKind::BadMagic, 0, "magic", "\"DKSH\"", found).code("dksh.magic"));
    }
    let mut head = words(bytes).skip(1);
    let mut next = |at: u64, name: &'static str| {
        head.next().ok_or_else(|| {
            Error::new(ErrorKind::Truncated, at, name, "4 bytes", "the end").code("dksh.truncated")
        })
    };
    let header_size = next(4, "header_size")?;
    let control_size = next(8, "control_size")?;
    let code_size = next(12, "code_size")?;
    let programs_offset = next(16, "programs_offset")?;
    let count = next(20, "program_count")?;
    let part = |start: u32, size: u64, name: &'static str| {
        let start = start as usize;
        let end = usize::try_from(size).ok().and_then(|size| start.checked_add(size));
        end.and_then(|end| bytes.get(start..end)).ok_or_else(|| {
            let expected = format!("a place before the end of the file at {:#x}", bytes.len());
            let found = format!("{size:#x} bytes");
            Error::new(ErrorKind::OutOfBounds, start as u64, name, expected, found).code("dksh.section")
        })
    };
    let table_size = u64::from(count).saturating_mul(PROGRAM_LEN.into());
    let table = part(programs_offset, table_size, "programs")?;
    let table_end = programs_offset.saturating_add(u32::try_from(table_size).unwrap_or(u32::MAX));
    if programs_offset < HEADER_LEN || table_end > control_size {
        let expected = format!("programs between {HEADER_LEN:#x} and the code at {control_size:#x}");
        let found = format!("{count} at {programs_offset:#x}");
        return Err(Error::new(ErrorKind::OutOfBounds, 16, "programs", expected, found).code("dksh.section"));
    }
    let between = |start: u32, end: u32| part(start, u64::from(end.saturating_sub(start)), "control");
    let code = part(control_size, code_size.into(), "code")?;
    let end = control_size.saturating_add(code_size) as usize;
    Ok(Dksh {
        header_size,
        control_size,
        code_size,
        programs_offset,
        programs: table
            .as_chunks::<{ PROGRAM_LEN as usize }>()
            .0
            .iter()
            .filter_map(|bytes| DkshProgram::read(bytes))
            .collect(),
        before: Opaque(between(HEADER_LEN, programs_offset)?.to_vec()),
        behind: Opaque(between(table_end, control_size)?.to_vec()),
        code: Opaque(code.to_vec()),
        trailing: Opaque(bytes.get(end..).unwrap_or_default().to_vec()),
    })
}

/// How long a DKSH says that it is.
pub fn size(bytes: &[u8]) -> Option<u64> {
    let mut words = words(bytes).skip(2);
    let (control, code) = (words.next()?, words.next()?);
    Some(u64::from(control).saturating_add(code.into()))
}

impl Dksh {
    /// The bytes of the file.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] where sizes and places do not fit what is there.
    pub fn write(&self) -> Result<Vec<u8>> {
        let unfit = |expected: String, found: usize| {
            let found = found.to_string();
            Error::new(ErrorKind::Unrepresentable, 0, "sizes", expected, found).code("dksh.unfit")
        };
        let count = u32::try_from(self.programs.len()).unwrap_or(u32::MAX);
        let mut bytes = MAGIC.to_vec();
        for word in [self.header_size, self.control_size, self.code_size, self.programs_offset, count] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend_from_slice(&self.before);
        if bytes.len() != self.programs_offset as usize {
            return Err(unfit(format!("programs at {}", self.programs_offset), bytes.len()));
        }
        for program in &self.programs {
            program.write(&mut bytes)?;
        }
        bytes.extend_from_slice(&self.behind);
        if bytes.len() != self.control_size as usize || self.code.len() != self.code_size as usize {
            return Err(unfit(format!("code at {}", self.control_size), bytes.len()));
        }
        bytes.extend_from_slice(&self.code);
        bytes.extend_from_slice(&self.trailing);
        Ok(bytes)
    }

    /// What the file is, in a few words.
    pub fn describe(&self) -> String {
        let name = |program: &DkshProgram| {
            program.stage_kind().map_or_else(|| format!("stage {}", program.kind), |kind| kind.to_string())
        };
        let names: Vec<String> = self.programs.iter().map(name).collect();
        match names.as_slice() {
            [] => "DKSH without programs".to_owned(),
            [one] => format!("DKSH with a {one} program"),
            many => format!("DKSH with {} programs", many.len()),
        }
    }

    /// The structure of the file with names, values and places.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        let mut root = Node::new("dksh", 0).value(self.describe());
        root.field("magic", 4, "\"DKSH\"");
        root.field("header_size", 4, self.header_size);
        root.field("control_size", 4, self.control_size);
        root.field("code_size", 4, self.code_size);
        root.field("programs_offset", 4, format_args!("{:#x}", self.programs_offset));
        root.field("program_count", 4, self.programs.len());
        root.unused("before", &self.before);
        for (index, program) in self.programs.iter().enumerate() {
            let mut node = Node::new(format!("programs[{index}]"), root.end());
            let mut record = *program;
            record.visit(&mut Grow::new(DkshProgram::FORM, &mut node))?;
            root.push(node);
        }
        root.unused("behind", &self.behind);
        let mut code = Node::new("code", root.end()).value(format_args!("{} bytes", self.code.len()));
        code.size = self.code.len() as u64;
        root.push(code);
        if !self.trailing.is_empty() {
            let mut node = Node::new("trailing", root.end());
            node.size = self.trailing.len() as u64;
            node.owner = Owner::Opaque;
            node.opaque = Some(self.trailing.clone());
            root.push(node);
        }
        Ok(root)
    }

    /// All findings, most severe first, then by place.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut findings = Findings::default();
        if self.header_size != HEADER_LEN {
            let message = format!("expected {HEADER_LEN} bytes, found {}", self.header_size);
            findings.report(Severity::Error, "dksh.header-size", (4, 4), "header_size", message);
        }
        for (name, at, size) in [("control_size", 8, self.control_size), ("code_size", 12, self.code_size)] {
            if size % 0x100 != 0 {
                let message = format!("expected a multiple of 0x100, found {size:#x}");
                findings.report(Severity::Error, "dksh.alignment", (at, 4), name, message);
            }
        }
        if self.programs.is_empty() {
            findings.report(
                Severity::Warning,
                "dksh.no-program",
                (20, 4),
                "program_count",
                "found no program",
            );
        }
        for (index, program) in self.programs.iter().enumerate() {
            let path = format!("programs[{index}]");
            let offset = (index as u64).saturating_mul(PROGRAM_LEN.into());
            let place = (u64::from(self.programs_offset).saturating_add(offset), PROGRAM_LEN.into());
            match program.stage_kind() {
                None => {
                    let message = format!("expected a stage from 0 to 5, found {}", program.kind);
                    findings.report(Severity::Error, "dksh.stage", place, path.clone(), message);
                }
                Some(kind) if kind != StageKind::Compute => {
                    let header = self.code.get(program.entry as usize..).unwrap_or_default();
                    if crate::formats::nvn::control::header_stage(header) != Some(kind) {
                        let message = format!("expected a program header of a {kind} stage, found another");
                        let path = path.clone();
                        findings.report(Severity::Warning, "dksh.header-stage", place, path, message);
                    }
                }
                Some(_) => {}
            }
            if program.entry >= self.code_size {
                let message =
                    format!("expected a place in {} bytes of code, found {}", self.code_size, program.entry);
                findings.report(Severity::Error, "dksh.entry", place, path.clone(), message);
            }
            let end = u64::from(program.constants_offset).saturating_add(program.constants_size.into());
            if program.constants_size > 0 && end > self.code_size.into() {
                let message =
                    format!("expected constants in {} bytes of code, found an end at {end}", self.code_size);
                findings.report(Severity::Error, "dksh.constants", place, path, message);
            }
        }
        findings.finish()
    }

    /// Where programs start, with their padding, ascending.
    fn homes(&self) -> Vec<u32> {
        let mut homes: Vec<u32> = self.programs.iter().map(DkshProgram::home).collect();
        homes.sort_unstable();
        homes
    }

    /// Where the instructions of a program start and end in the code, in which programs start at `homes`.
    fn range(&self, program: &DkshProgram, homes: &[u32]) -> (usize, usize) {
        let header = if program.stage_kind() == Some(StageKind::Compute) { 0 } else { SPH_LEN };
        let start = program.entry.saturating_add(header);
        let next = homes.get(homes.partition_point(|home| *home <= program.entry)).copied();
        let constants = Some(program.constants_offset).filter(|at| *at > start && program.constants_size > 0);
        let end = next.into_iter().chain(constants).min().unwrap_or(self.code_size);
        (start as usize, end.max(start) as usize)
    }

    /// The programs as stages: `0/vertex`.
    pub fn stages(&self) -> impl Iterator<Item = Stage<'_>> {
        let homes = self.homes();
        let programs = self.programs.iter().enumerate();
        programs.filter_map(move |(index, program)| self.program_stage(index, program, &homes))
    }

    /// The stage of that name.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        let (index, program) = self.named(id)?;
        self.program_stage(index, program, &self.homes())
    }

    fn named(&self, id: &StageId) -> Option<(usize, &DkshProgram)> {
        let (index, kind) = id.0.split_once('/')?;
        let index = index.parse().ok().filter(|known: &usize| known.to_string() == index)?;
        let program = self.programs.get(index)?;
        (program.stage_kind()?.name() == kind).then_some((index, program))
    }

    fn program_stage(&self, index: usize, program: &DkshProgram, homes: &[u32]) -> Option<Stage<'_>> {
        let kind = program.stage_kind()?;
        let (_, end) = self.range(program, homes);
        let entry = program.entry as usize;
        let bytes = self.code.get(entry..end).or_else(|| self.code.get(entry..)).unwrap_or_default();
        let (code, maxwell) = program.decodable(bytes, self.constants(program));
        let here = u64::from(self.control_size).saturating_add(entry as u64);
        let code = Code { file_offset: here.saturating_add(code.file_offset), ..code };
        let interface = Interface { maxwell: Some(Box::new(maxwell)), ..Interface::default() };
        Some(Stage { id: StageId(format!("{index}/{kind}")), kind, isa: Isa::Maxwell, code, interface })
    }

    /// The constants of a program.
    fn constants(&self, program: &DkshProgram) -> &[u8] {
        let at = program.constants_offset as usize;
        self.code.get(at..at.saturating_add(program.constants_size as usize)).unwrap_or_default()
    }

    /// Gives a program other code, as long as it fits where the old one was; the rest becomes zero.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no program has that name; [`ErrorKind::Unrepresentable`] for code that
    /// needs more room than there is.
    pub fn replace(&mut self, id: &StageId, code: &Code<'_>) -> Result<()> {
        let program = self.named(id).map(|(_, program)| *program).ok_or_else(|| {
            Error::new(ErrorKind::OutOfBounds, 0, "", "the name of a stage of this file", format!("`{id}`"))
        })?;
        let (start, end) = self.range(&program, &self.homes());
        let bytes: Vec<u8> = code.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let room = self.code.0.get_mut(start..end).filter(|room| room.len() >= bytes.len());
        let Some(room) = room else {
            let expected = format!("code of at most {} bytes", end.saturating_sub(start));
            let found = format!("{} bytes", bytes.len());
            return Err(Error::new(ErrorKind::Unrepresentable, 0, "code", expected, found).code("dksh.code"));
        };
        room.fill(0);
        for (place, byte) in room.iter_mut().zip(bytes) {
            *place = byte;
        }
        Ok(())
    }
}
