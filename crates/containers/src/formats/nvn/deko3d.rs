//! The record of a program of deko3d.

use super::control::{NvnStage, SPH_LEN};
use crate::shared::Opaque;
use crate::shared::fields::{Fields, Form, Record, Visitor};
use std::borrow::Cow;
use unshade_bytes::{Endian, Result};
use unshade_stage::maxwell::Driver;
use unshade_stage::{Code, Maxwell, StageKind};

/// Where a graphics program starts in a multiple of [`ALIGNMENT`].
const ENTRY: u32 = 0x30;
/// Code stands at multiples of this.
const ALIGNMENT: u32 = 0x100;

/// The first words of a compute program that depend on the stage.
const COMPUTE: [&str; 8] = [
    "work_group_x",
    "work_group_y",
    "work_group_z",
    "shared_size",
    "local_positive_size",
    "local_negative_size",
    "call_stack_size",
    "barriers",
];
/// Names of words that depend on the stage, where nothing is known of them.
const UNKNOWN: [&str; 10] = [
    "stage_0", "stage_1", "stage_2", "stage_3", "stage_4", "stage_5", "stage_6", "stage_7", "stage_8",
    "stage_9",
];

/// A program. It has 0x40 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DkshProgram {
    /// 00: 0 vertex, 1 fragment, 2 geometry, 3 tessellation control, 4 tessellation evaluation, 5 compute.
    pub kind: u32,
    /// 04: where it starts in the code.
    pub entry: u32,
    /// 08: general registers that it uses.
    pub registers: u32,
    /// 0C: where its constants are in the code.
    #[doc(alias = "constbuf1_off")]
    pub constants_offset: u32,
    /// 10: bytes of its constants.
    #[doc(alias = "constbuf1_sz")]
    pub constants_size: u32,
    /// 14: scratch memory of a warp in bytes.
    pub scratch_per_warp: u32,
    /// 18: what depends on the stage; of compute programs three sizes of a work group, shared memory, local
    /// memory twice, call stack, barriers; of tessellation evaluation programs how patches are divided; of fragment
    /// programs four flags, of which the second byte asks for tests before the program.
    pub stage: [u32; 10],
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word))
}

impl Record for DkshProgram {
    const FORM: Form = Form::plain(Endian::Little);

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.u32("kind", &mut self.kind)?;
        v.u32("entry", &mut self.entry)?;
        v.u32("registers", &mut self.registers)?;
        v.u32("constants_offset", &mut self.constants_offset)?;
        v.u32("constants_size", &mut self.constants_size)?;
        v.u32("scratch_per_warp", &mut self.scratch_per_warp)?;
        let known: &[&'static str] = match self.stage_kind() {
            Some(StageKind::Compute) => &COMPUTE,
            Some(StageKind::Fragment) => &["fragment_flags"],
            Some(StageKind::TessEval) => &["tessellation_parameters"],
            _ => &[],
        };
        for (place, (word, unknown)) in self.stage.iter_mut().zip(UNKNOWN).enumerate() {
            if let Some(name) = known.get(place) {
                v.u32(name, word)?;
                continue;
            }
            let bytes = Some(*word).filter(|word| *word != 0).map(|word| word.to_le_bytes().to_vec());
            let mut bytes = Opaque(bytes.unwrap_or_default());
            v.reserved(unknown, 4, &mut bytes)?;
            *word = bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        }
        Ok(())
    }
}

impl DkshProgram {
    /// The stage that it is for.
    pub fn stage_kind(&self) -> Option<StageKind> {
        NvnStage(self.kind).kind()
    }

    /// Where the padding in front of its entry starts: programs with a header have it at 0x30 of a multiple of 0x100.
    pub(crate) fn home(&self) -> u32 {
        let front = if self.stage_kind() == Some(StageKind::Compute) { 0 } else { ENTRY };
        if self.entry % ALIGNMENT == front { self.entry.saturating_sub(front) } else { self.entry }
    }

    /// What an instruction set needs of a program: `bytes` are its header, where it has one, and its instructions.
    /// The offset of the code counts from the start of these.
    pub(crate) fn decodable(&self, bytes: &[u8], constants: &[u8]) -> (Code<'static>, Maxwell) {
        let kind = self.stage_kind();
        let header = if kind == Some(StageKind::Compute) { 0 } else { SPH_LEN as usize };
        let (header, instructions) = bytes.split_at_checked(header).unwrap_or((bytes, Default::default()));
        let [x, y, z, shared, ..] = self.stage;
        let compute = kind == Some(StageKind::Compute);
        let maxwell = Maxwell {
            driver: Driver::Deko3d,
            header: words(header).collect(),
            constants: constants.to_vec(),
            registers: Some(self.registers),
            scratch: self.scratch_per_warp,
            work_group: compute.then_some([x, y, z]),
            shared_memory: if compute { shared } else { 0 },
            early_tests: kind == Some(StageKind::Fragment) && x.to_le_bytes()[1] != 0,
            tessellation: (kind == Some(StageKind::TessEval)).then_some(x),
            ..Maxwell::default()
        };
        let code = Code {
            words: Cow::Owned(words(instructions).collect()),
            file_offset: header.len() as u64,
            ..Code::default()
        };
        (code, maxwell)
    }
}
