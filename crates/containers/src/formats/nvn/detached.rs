//! A stage of the Switch without its container: its sections as they stood there, and the names of its reflection.
//!
//! Containers keep a stage in three ways: a control and a code section (BNSH, BFSHA, raw pairs), a code section alone,
//! and a record of deko3d with code (DKSH). One becomes another as far as the bytes say what is needed:
//!
//! | from | to | what is made |
//! |---|---|---|
//! | DKSH | control section | anew, as the open compiler uam-nvn writes it; it has no place for how a tessellation evaluation program divides patches, nor for tables of advanced blending: such programs are refused |
//! | code section alone | control section | that of the stage in whose place it comes, with the sizes of the new code; who knows how many registers the program uses says so in [`Sections::Code`] |
//! | control section | DKSH | anew; refused for fragment programs that write depth or a sample mask, and for tessellation evaluation |
//!
//! The instructions stay as they are. So do the numbers of their resources, which compilers for the two drivers choose
//! differently.

use super::control::{CODE_MAGIC, Control, MAGIC, NvnStage, SPH_LEN, header_len};
use super::deko3d::DkshProgram;
use super::names::{Group, Names};
use super::stage::pair;
use crate::shared::Opaque;
use crate::shared::programs::{Details, unfit, wrong};
use unshade_bytes::Result;
use unshade_stage::{Interface, Isa, Stage, StageId, StageKind};

/// The program starts here in a code section.
const PROGRAM: usize = 0x30;
/// Constants, and the end of a code section, stand at multiples of this.
const ALIGNMENT: usize = 0x100;
/// Bytes of a control section as uam-nvn writes it, of version 1.5.
const CONTROL_LEN: usize = 0x7C8;
/// A word of every fragment program that uam writes.
const FRAGMENT_PARAMETER: u32 = 0x087F_6080;
/// First word of the empty header in front of compute programs of open compilers: the versions of header and code.
const EMPTY_HEADER: u32 = 0x0006_0060;
/// Fifth word of a header without stores that wait: from 0xFF to 0.
const NO_STORES: u32 = 0x000F_F000;

/// A stage of the Switch out of its container.
#[derive(Debug, Clone, PartialEq)]
pub struct Detached {
    /// Which step of the pipeline it is for.
    pub kind: StageKind,
    /// Its program.
    pub sections: Sections,
    /// Scratch memory as the record of a BNSH says it: recommended, and for a warp. `None` where nobody says.
    pub scratch: Option<[u32; 2]>,
    /// Names with their slots, none at all for a stage that is not reflected; `None` where the container keeps no names,
    /// so that nothing is known of them.
    pub names: Option<Names>,
    /// What an archive of the Switch says of the stage beside its names: sizes of blocks, and uniforms. `None` where it comes
    /// from another container.
    pub tables: Details,
}

/// A program as its container keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sections {
    /// What the driver reads and what the GPU reads.
    Nvn {
        /// The control section; one in parts is put together.
        control: Opaque,
        /// The code section.
        code: Opaque,
    },
    /// A code section alone.
    Code {
        /// The code section.
        code: Opaque,
        /// General registers that the program uses, which the section does not say.
        registers: Option<u32>,
    },
    /// A program of deko3d.
    Deko3d {
        /// Its record; places count in the file that it comes from.
        program: DkshProgram,
        /// Program header, where the stage has one, and instructions.
        code: Opaque,
        /// Constants of the compiler.
        constants: Opaque,
    },
}

impl Detached {
    /// The stage as its instruction set sees it. Offsets of the code count from the start of the code section.
    pub fn stage(&self) -> Stage<'_> {
        let (code, mut maxwell) = match &self.sections {
            Sections::Nvn { control, code } => pair(control, code, self.kind),
            Sections::Code { code, registers } => {
                let (code, mut maxwell) = super::section::decodable(code);
                maxwell.registers = maxwell.registers.or(*registers);
                (code, maxwell)
            }
            Sections::Deko3d { program, code, constants } => program.decodable(code, constants),
        };
        if let Some(names) = &self.names {
            maxwell.inputs = names.bindings(Group::Inputs);
            maxwell.outputs = names.bindings(Group::Outputs);
            maxwell.samplers = names.bindings(Group::Samplers);
            maxwell.constant_buffers = names.bindings(Group::ConstantBuffers);
            maxwell.storage_buffers = names.bindings(Group::UnorderedAccessBuffers);
            maxwell.images = names.bindings(Group::Images);
            maxwell.separate_textures = names.bindings(Group::SeparateTextures);
            maxwell.separate_samplers = names.bindings(Group::SeparateSamplers);
            if names.work_group != [0; 3] {
                maxwell.work_group = Some(names.work_group);
            }
        }
        let interface = Interface { maxwell: Some(Box::new(maxwell)), ..Interface::default() };
        let id = StageId(self.kind.name().to_owned());
        Stage { id, kind: self.kind, isa: Isa::Maxwell, code, interface }
    }

    /// Control and code section for a container that keeps both. `old` is the control section of the stage in whose
    /// place this one comes, where there is one.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for what cannot be derived; see the table of this module.
    pub(crate) fn pair(&self, old: Option<&[u8]>) -> Result<(Vec<u8>, Vec<u8>)> {
        match &self.sections {
            Sections::Nvn { control, code } => Ok((control.0.clone(), code.0.clone())),
            Sections::Code { code, registers } => {
                let old =
                    old.filter(|old| Control::new(old).is_some_and(|c| c.stage().kind() == Some(self.kind)));
                let (Some(old), Some(registers)) = (old, registers) else {
                    let expected = "the number of registers, and a stage whose control section stays: a code section \
                        by itself says neither what the driver sets up nor how many registers to give it";
                    let found = if registers.is_none() { "no number of registers" } else { "no such stage" };
                    return Err(unfit("registers", expected, found));
                };
                let (stage, _) = super::section::decodable(code);
                let header = header_len(self.kind, code.get(PROGRAM..).unwrap_or_default()) as usize;
                let len = header.saturating_add(stage.words.len().saturating_mul(4));
                let constants = super::section::constants(code);
                let at = code.len().saturating_sub(constants.len());
                let mut control = old.to_vec();
                let sizes = [
                    (0x6F8, len),
                    (0x6FC, constants.len()),
                    (0x700, at),
                    (0x704, code.len()),
                    (0x708, PROGRAM),
                    (0x70C, *registers as usize),
                ];
                for (offset, value) in sizes {
                    set(&mut control, offset, value)?;
                }
                Ok((control, code.0.clone()))
            }
            Sections::Deko3d { program, code, constants } => made_pair(self.kind, program, code, constants),
        }
    }

    /// A code section for a file that holds nothing else.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where one read by itself would have other instructions or
    /// constants.
    pub(crate) fn section(&self) -> Result<Vec<u8>> {
        let code = match &self.sections {
            Sections::Nvn { code, .. } | Sections::Code { code, .. } => code.0.clone(),
            Sections::Deko3d { code, constants, .. } => section(self.kind, code, constants).0,
        };
        let (found, maxwell) = super::section::decodable(&code);
        let wanted = self.stage();
        let known = wanted.interface.maxwell.as_deref();
        let constants = known.map(|known| known.constants.as_slice()).unwrap_or_default();
        let same_constants = maxwell.constants.get(..constants.len()) == Some(constants);
        let padded = wanted.code.words.iter().skip(found.words.len()).all(|word| *word == 0);
        if !wanted.code.words.starts_with(&found.words) || !padded || !same_constants {
            let expected = "code that ends in a branch to itself, with the constants behind it: a code section by \
                itself says nothing else of where they are";
            return Err(unfit("code", expected, "another"));
        }
        Ok(code)
    }

    /// Record, code and constants for a DKSH.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for what cannot be derived; see the table of this module.
    pub(crate) fn deko3d(&self) -> Result<(DkshProgram, Vec<u8>, Vec<u8>)> {
        let (control, code) = match &self.sections {
            Sections::Deko3d { program, code, constants } => {
                return Ok((*program, code.0.clone(), constants.0.clone()));
            }
            Sections::Nvn { control, code } => (control, code),
            Sections::Code { .. } => {
                let expected =
                    "a control section, which says registers, scratch memory and where constants are";
                return Err(unfit("control", expected, "a code section by itself"));
            }
        };
        let Some(known) = Control::new(control) else {
            let expected = "a control section that says where its program is";
            return Err(unfit("control", expected, "another"));
        };
        let program = known.program_in(code);
        let (header, instructions) = program
            .split_at_checked(header_len(self.kind, program) as usize)
            .unwrap_or((program, Default::default()));
        let mut stage = [0; 10];
        match self.kind {
            StageKind::Compute => {
                for (place, offset) in stage.iter_mut().zip((0x748..).step_by(4)).take(8) {
                    *place = known.word(offset).unwrap_or(0);
                }
            }
            StageKind::Fragment => {
                if header.get(0x4C).is_none_or(|bits| bits & 3 != 0) {
                    let expected = "a fragment program that writes colours alone: a DKSH says of others what no \
                        control section has";
                    return Err(unfit("header", expected, "one that writes depth or a sample mask"));
                }
                let flag = |offset: usize| u8::from(control.get(offset).is_some_and(|flag| *flag != 0));
                let flags = [0, flag(0x718), flag(0x719), flag(0x74A)];
                stage = [u32::from_le_bytes(flags), 0, 0, 0, 0, FRAGMENT_PARAMETER, 0, 0, 0, 0];
            }
            StageKind::TessEval => {
                let expected = "a stage other than tessellation evaluation: a DKSH says how such a program divides \
                    patches, and no control section does";
                return Err(unfit("control", expected, "a tessellation evaluation program"));
            }
            _ => {}
        }
        let constants = known.constants_in(code).to_vec();
        let program = DkshProgram {
            kind: NvnStage::of(self.kind).0,
            registers: known.registers(),
            constants_size: u32::try_from(constants.len()).unwrap_or(u32::MAX),
            scratch_per_warp: known.scratch(),
            stage,
            ..DkshProgram::default()
        };
        let front = if self.kind == StageKind::Compute { Default::default() } else { header };
        Ok((program, [front, instructions].concat(), constants))
    }

    /// Scratch memory for the record of a BNSH.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for a graphics program that needs some, of which nobody says how
    /// much is recommended.
    pub(crate) fn record_scratch(&self, control: &[u8]) -> Result<[u32; 2]> {
        if let Some(scratch) = self.scratch {
            return Ok(scratch);
        }
        let known = Control::new(control);
        // Compute programs count their call stack as scratch memory, which records do not.
        let stack = known.filter(|_| self.kind == StageKind::Compute).and_then(|control| control.word(0x760));
        let needed = known.map_or(0, Control::scratch).saturating_sub(stack.unwrap_or(0));
        if needed == 0 {
            return Ok([0; 2]);
        }
        let expected = "how much scratch memory is recommended, which only the record of a BNSH says";
        Err(unfit("scratch", expected, format!("a program that needs {needed} bytes for a warp")))
    }
}

/// Refuses a stage of another kind.
pub(crate) fn same_kind(id: &StageId, here: StageKind, new: StageKind) -> Result<()> {
    if here == new {
        return Ok(());
    }
    Err(wrong(&id.0, format!("a {here} stage"), format!("a {new} stage")))
}

fn set(bytes: &mut [u8], offset: usize, value: usize) -> Result<()> {
    let value = u32::try_from(value)
        .map_err(|_| unfit("control", "sizes of 32 bits", format!("{value} at {offset:#x}")))?;
    if let Some(place) = bytes.get_mut(offset..).and_then(|rest| rest.first_chunk_mut()) {
        *place = value.to_le_bytes();
    }
    Ok(())
}

/// A code section around a program and its constants, and where these are.
fn section(kind: StageKind, code: &[u8], constants: &[u8]) -> (Vec<u8>, usize) {
    let mut bytes = CODE_MAGIC.to_le_bytes().to_vec();
    bytes.resize(PROGRAM, 0);
    if kind == StageKind::Compute {
        // Instructions start at a multiple of 32 behind the room for a header.
        let mut header = vec![0; SPH_LEN as usize];
        for (place, word) in header.as_chunks_mut::<4>().0.iter_mut().zip([EMPTY_HEADER, 0, 0, 0, NO_STORES])
        {
            *place = word.to_le_bytes();
        }
        bytes.extend(header);
    }
    bytes.extend_from_slice(code);
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
    let at = bytes.len();
    bytes.extend_from_slice(constants);
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
    (bytes, at)
}

/// Control and code section of a program of deko3d, as uam-nvn writes them.
fn made_pair(
    kind: StageKind,
    program: &DkshProgram,
    code: &[u8],
    constants: &[u8],
) -> Result<(Vec<u8>, Vec<u8>)> {
    let [first, ..] = program.stage;
    let flags = first.to_le_bytes();
    if kind == StageKind::TessEval {
        let expected = "a stage other than tessellation evaluation: a DKSH says how such a program divides patches, \
            and no place for it in a control section is known";
        return Err(unfit("stage", expected, "a tessellation evaluation program"));
    }
    if kind == StageKind::Fragment && flags[0] != 0 {
        let expected = "a fragment program without tables of advanced blending, for which no place in a control \
            section is known";
        return Err(unfit("stage", expected, "one with such tables"));
    }
    let code = trimmed(code);
    let (bytes, constants_at) = section(kind, code, constants);
    let empty = if kind == StageKind::Compute { SPH_LEN as usize } else { 0 };
    let mut control = vec![0; CONTROL_LEN];
    // Parts that are not there start behind the fixed part.
    let end = 0x7C0;
    let words = [
        (0x000, MAGIC as usize),
        (0x004, 1),
        (0x008, 5),
        (0x00C, 0x120),
        (0x010, 0xB),
        (0x014, end),
        (0x020, end | 1),
        (0x6F0, end | 1),
        (0x6F8, code.len().saturating_add(empty)),
        (0x6FC, constants.len()),
        (0x700, constants_at),
        (0x704, bytes.len()),
        (0x708, PROGRAM),
        (0x70C, program.registers as usize),
        (0x710, program.scratch_per_warp as usize),
        (0x714, NvnStage::of(kind).0 as usize),
    ];
    for (offset, value) in words {
        set(&mut control, offset, value)?;
    }
    match kind {
        StageKind::Compute => {
            for (offset, word) in (0x748..).step_by(4).zip(program.stage).take(8) {
                set(&mut control, offset, word as usize)?;
            }
        }
        StageKind::Fragment => {
            let word = |offset: usize| {
                code.get(offset..).and_then(|rest| rest.first_chunk()).map_or(0, |b| u32::from_le_bytes(*b))
            };
            let targets = word(0x48);
            let colours = targets.to_le_bytes().into_iter().flat_map(|pair| [pair & 15, pair >> 4]);
            let colours = colours.filter(|mask| *mask != 0).count();
            set(&mut control, 0x734, colours)?;
            let bytes = [
                (0x718, flags[1]),
                (0x719, flags[2]),
                (0x71C, u8::from(word(0x4C) & 2 != 0)),
                (0x74A, flags[3]),
            ];
            for (offset, value) in bytes {
                if let Some(place) = control.get_mut(offset) {
                    *place = value;
                }
            }
        }
        _ => {}
    }
    Ok((control, bytes))
}

/// Code without the zeros up to the next part of its file; compilers fill it up to a multiple of 64 bytes.
fn trimmed(code: &[u8]) -> &[u8] {
    let used = code.as_chunks::<8>().0.iter().rposition(|word| *word != [0; 8]);
    let len = used.map_or(0, |index| index.saturating_add(1).saturating_mul(8));
    code.get(..len).unwrap_or(code)
}
