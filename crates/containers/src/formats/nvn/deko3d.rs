//! The record of a program of deko3d.

use super::control::{NvnStage, SPH_LEN};
use std::borrow::Cow;
use unshade_stage::maxwell::Driver;
use unshade_stage::{Code, Maxwell, StageKind};

/// Where a graphics program starts in a multiple of [`ALIGNMENT`].
const ENTRY: u32 = 0x30;
/// Code stands at multiples of this.
const ALIGNMENT: u32 = 0x100;

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
    pub constants_at: u32,
    /// 10: bytes of its constants.
    pub constants_size: u32,
    /// 14: scratch memory of a warp in bytes.
    pub scratch: u32,
    /// 18: what depends on the stage; of compute programs three sizes of a work group, shared memory, local
    /// memory twice, call stack, barriers; of tessellation evaluation programs how patches are divided; of fragment
    /// programs four flags, of which the second byte asks for tests before the program.
    pub stage: [u32; 10],
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word))
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
            scratch: self.scratch,
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

    pub(crate) fn fields(&self) -> impl Iterator<Item = u32> {
        let first =
            [self.kind, self.entry, self.registers, self.constants_at, self.constants_size, self.scratch];
        first.into_iter().chain(self.stage)
    }
}
