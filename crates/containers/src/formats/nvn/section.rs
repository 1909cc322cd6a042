//! A code section by itself, as dumps and open compilers leave them: without its control section the program header
//! says the stage, and the code itself where it ends.
//!
//! ```text
//! 0x12345678 | zeros up to 0x30 | program header, 0x50 bytes | code | constants
//! ```

use super::control::{CODE_MAGIC, header_len, header_stage};
use super::detached::{Detached, Sections, same_kind};
use crate::formats::switch::check::Findings;
use crate::shared::programs::{Details, missing};
use crate::shared::{Node, Opaque};
use std::borrow::Cow;
use unshade_bytes::{Diagnostic, Error, ErrorKind, Owner, Result, Severity};
use unshade_stage::maxwell::Driver;
use unshade_stage::{Code, Interface, Isa, Maxwell, Stage, StageId, StageKind};

/// Where the program starts: its header, or without one its code.
const PROGRAM: usize = 0x30;
/// Constants start at a multiple of this.
const ALIGNMENT: usize = 0x100;
/// Compilers fill code up to a multiple of so many bytes.
const BLOCK: usize = 0x40;

/// A code section.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NvnCode {
    /// All of its bytes.
    pub bytes: Opaque,
}

/// Where the parts of a section are, as offsets in it.
struct Parts {
    kind: StageKind,
    /// First byte of the instructions.
    code: usize,
    /// Behind the instructions and their padding.
    end: usize,
    /// Whether the code said where it ends.
    ended: bool,
}

/// Whether a file starts like a code section: its magic number, then zeros up to the program.
pub fn detect(bytes: &[u8]) -> bool {
    let prefix = bytes.get(..PROGRAM).filter(|_| bytes.len() > PROGRAM);
    prefix.is_some_and(|prefix| {
        prefix.starts_with(&CODE_MAGIC.to_le_bytes()) && prefix.iter().skip(4).all(|byte| *byte == 0)
    })
}

/// Reads a code section.
///
/// # Errors
/// [`ErrorKind::BadMagic`] for another file.
pub fn read(bytes: &[u8]) -> Result<NvnCode> {
    if !detect(bytes) {
        let expected = format!("{CODE_MAGIC:#x} and zeros up to {PROGRAM:#x}");
        return Err(Error::new(ErrorKind::BadMagic, 0, "magic", expected, "others").code("nvn.code-magic"));
    }
    Ok(NvnCode { bytes: Opaque(bytes.to_vec()) })
}

/// Whether an instruction is a branch to itself, which compilers put behind the code: unconditional, backwards over
/// itself, or to the control word in front of it.
fn is_end(word: u64) -> bool {
    const BRANCH: u64 = 0xE240_0000_0007_000F;
    const MASK: u64 = 0xFFF0_0000_000F_003F;
    let offset = word >> 20 & 0xFF_FFFF;
    word & MASK == BRANCH && matches!(offset, 0xFF_FFF8 | 0xFF_FFF0)
}

impl Parts {
    /// Looks where the parts of a section are.
    fn of(bytes: &[u8]) -> Self {
        let program = bytes.get(PROGRAM..).unwrap_or_default();
        let named = header_stage(program);
        let kind = named.unwrap_or(StageKind::Compute);
        let code = PROGRAM.saturating_add(header_len(kind, program) as usize).min(bytes.len());
        let words = bytes.get(code..).unwrap_or_default().as_chunks::<8>().0;
        // Every fourth word controls the three behind it.
        let end = words
            .iter()
            .enumerate()
            .position(|(index, word)| index % 4 != 0 && is_end(u64::from_le_bytes(*word)));
        let len = match end {
            Some(index) => index.saturating_add(1).saturating_mul(8).next_multiple_of(BLOCK),
            None => words.len().saturating_mul(8),
        };
        let end_at = code.saturating_add(len).min(bytes.len());
        Self { kind, code, end: end_at, ended: end.is_some() }
    }

    /// What is behind the code from the next multiple of 0x100 on: the constants of the compiler.
    fn constants<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        bytes.get(self.end.next_multiple_of(ALIGNMENT)..).unwrap_or_default()
    }
}

/// The constants of a code section by itself.
pub(super) fn constants(section: &[u8]) -> &[u8] {
    Parts::of(section).constants(section)
}

/// What an instruction set needs of a code section by itself.
pub(super) fn decodable(section: &[u8]) -> (Code<'static>, Maxwell) {
    let parts = Parts::of(section);
    let words = |bytes: &[u8]| -> Vec<u32> {
        bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
    };
    let maxwell = Maxwell {
        driver: Driver::Nvn,
        header: words(section.get(PROGRAM..parts.code).unwrap_or_default()),
        constants: parts.constants(section).to_vec(),
        ..Maxwell::default()
    };
    let code = Code {
        words: Cow::Owned(words(section.get(parts.code..parts.end).unwrap_or_default())),
        file_offset: parts.code as u64,
        ..Code::default()
    };
    (code, maxwell)
}

impl NvnCode {
    fn parts(&self) -> Parts {
        Parts::of(&self.bytes)
    }

    fn constants(&self, parts: &Parts) -> &[u8] {
        parts.constants(&self.bytes)
    }

    /// The bytes of the file.
    pub fn write(&self) -> Vec<u8> {
        self.bytes.0.clone()
    }

    /// What the file is, in a few words.
    pub fn describe(&self) -> String {
        format!("NVN code section of a {} stage, without its control section", self.parts().kind)
    }

    /// The structure of the file with names, values and places.
    pub fn tree(&self) -> Node {
        let parts = self.parts();
        let mut root = Node::new("nvn_code", 0).value(self.describe());
        root.field("magic", 4, format_args!("{CODE_MAGIC:#x}"));
        root.unused("prefix", self.bytes.get(4..PROGRAM).unwrap_or_default());
        let mut program = Node::new("program", PROGRAM as u64);
        program.size = parts.end.saturating_sub(PROGRAM) as u64;
        program.value = Some(format!("{} bytes", program.size));
        root.push(program);
        let constants = self.constants(&parts);
        let gap = self.bytes.len().saturating_sub(constants.len());
        root.unused("padding", self.bytes.get(parts.end..gap).unwrap_or_default());
        if !constants.is_empty() {
            let mut node =
                Node::new("constants", root.end()).value(format_args!("{} bytes", constants.len()));
            node.size = constants.len() as u64;
            node.owner = Owner::Opaque;
            node.opaque = Some(Opaque(constants.to_vec()));
            root.push(node);
        }
        root
    }

    /// All findings.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut findings = Findings::default();
        let parts = self.parts();
        if !parts.ended {
            let place = (parts.code as u64, parts.end.saturating_sub(parts.code) as u64);
            let message = "expected a branch to itself behind the code, found none: all counts as code";
            findings.report(Severity::Warning, "nvn.code-end", place, "program", message);
        }
        findings.finish()
    }

    /// The stage, by the name of its kind.
    pub fn stages(&self) -> impl Iterator<Item = Stage<'_>> {
        let (code, maxwell) = decodable(&self.bytes);
        let parts = self.parts();
        let interface = Interface { maxwell: Some(Box::new(maxwell)), ..Interface::default() };
        let id = StageId(parts.kind.to_string());
        std::iter::once(Stage { id, kind: parts.kind, isa: Isa::Maxwell, code, interface })
    }

    /// The stage of that name.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        self.stages().find(|stage| stage.id == *id)
    }

    /// Gives the stage other code. Header and constants stay; the constants move.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no stage has that name; [`ErrorKind::Unrepresentable`] for code that is no
    /// whole number of instructions, or that does not end in a branch to itself.
    pub fn replace(&mut self, id: &StageId, code: &Code<'_>) -> Result<()> {
        let parts = self.parts();
        if parts.kind.name() != id.0 {
            let expected = "the name of a stage of this file";
            return Err(Error::new(ErrorKind::OutOfBounds, 0, "", expected, format!("`{id}`")));
        }
        let constants = self.constants(&parts).to_vec();
        let mut bytes = self.bytes.get(..parts.code).unwrap_or_default().to_vec();
        bytes.extend(code.words.iter().flat_map(|word| word.to_le_bytes()));
        let written = bytes.len();
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        bytes.extend_from_slice(&constants);
        let changed = Self { bytes: Opaque(bytes) };
        let found = changed.parts();
        if !code.words.len().is_multiple_of(2) || !found.ended || found.end != written {
            let expected = "instructions of 64 bits that end in a branch to itself and fill 64 bytes";
            let found = format!("{} words of 32 bits", code.words.len());
            return Err(Error::new(ErrorKind::Unrepresentable, 0, "code", expected, found).code("nvn.code"));
        }
        *self = changed;
        Ok(())
    }
}

impl NvnCode {
    /// The stage of that name, whole.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where it has another name.
    pub fn take(&self, id: &StageId) -> Result<Detached> {
        let kind = self.parts().kind;
        if kind.name() != id.0 {
            return Err(missing(&id.0));
        }
        let sections = Sections::Code { code: self.bytes.clone(), registers: None };
        Ok(Detached { kind, sections, scratch: None, names: None, tables: Details::default() })
    }

    /// Puts the code section of another stage of the same kind in its place. What a code section has no room for,
    /// the control section and names, is left out.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where the stage has another name; [`ErrorKind::BadValue`] for a stage of another
    /// kind; [`ErrorKind::Unrepresentable`] for code of which a section by itself would not say where it ends.
    pub fn put(&mut self, id: &StageId, stage: &Detached) -> Result<()> {
        let here = self.take(id)?;
        same_kind(id, here.kind, stage.kind)?;
        if stage.sections != here.sections {
            self.bytes = Opaque(stage.section()?);
        }
        Ok(())
    }
}
