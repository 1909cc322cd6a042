//! Code without a container, as emulators hold it.

use crate::{
    error::Failure,
    file::{File, Origin, Program, Surroundings},
    stage::{Isa, Kind},
};
use std::ffi::c_char;

/// Maxwell: the program header of 80 bytes is in front of the code, as the GPU finds it in memory. It says which stage the
/// program is for and what it reads and writes.
pub const UNSHADE_CODE_HEADER: u32 = 1;

/// What is known of bare code. Everything that is zero is left to the library; a null pointer in place of the structure
/// leaves all of it.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CodeOptions {
    /// Size of this structure as the caller knows it, in bytes: `sizeof(unshade_code_options)`.
    pub size: usize,
    /// `UNSHADE_CODE_...`, or'ed together.
    pub flags: u32,
    /// What the program is for, an `unshade_kind`. 0: what its header or its code shows.
    pub kind: u32,
    /// Where it starts, in words of 32 bits from the start of the code.
    pub entry: u32,
    /// Must be 0.
    pub reserved: u32,
    /// PICA200: operand descriptors (`OPDESC`), which the instructions index. Null: none.
    pub descriptors: *const u32,
    /// How many there are.
    pub descriptor_count: usize,
    /// Who numbers resources: `gx2`, `mesa`, `cemu` (Wii U), `nvn`, `uam` (Switch). Null: the library's choice.
    pub profile: *const c_char,
    /// Wii U: the registers and resources around the program, as a JSON object (docs/state.md). Null: nothing.
    pub state: *const c_char,
}

/// [`CodeOptions`] as texts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Known<'k> {
    pub flags: u32,
    pub kind: u32,
    pub entry: u32,
    pub reserved: u32,
    pub descriptors: &'k [u32],
    pub surroundings: Surroundings<'k>,
}

impl File {
    /// Opens bare code.
    pub(crate) fn code(isa: u32, bytes: &[u8], known: &Known<'_>) -> Result<Self, Failure> {
        let number = isa;
        let isa = Isa::numbered(number);
        let isa = isa.ok_or_else(|| Failure::argument("isa", format!("{number} is no instruction set")))?;
        if known.flags & !UNSHADE_CODE_HEADER != 0 || known.reserved != 0 {
            return Err(Failure::argument("flags", "bits that mean nothing"));
        }
        if bytes.len() as u64 > unshade::MAX_INPUT {
            return Err(Failure::argument("len", format!("at most {} bytes", unshade::MAX_INPUT)));
        }
        let words = unshade::words_from_bytes(bytes)?;
        let mut stage = match (isa, known.flags & UNSHADE_CODE_HEADER) {
            (unshade::Isa::Maxwell, UNSHADE_CODE_HEADER) => unshade::raw_stage_with_header(words)?,
            (_, 0) => unshade::raw_stage(isa, words, known.descriptors.to_vec()),
            _ => return Err(Failure::argument("flags", format!("programs of {isa} have no such header"))),
        };
        if known.kind != 0 {
            let kind = Kind::numbered(known.kind);
            stage.kind = kind.ok_or_else(|| Failure::argument("kind", format!("{} is none", known.kind)))?;
        }
        if known.entry != 0 && known.entry as usize >= stage.code.words.len() {
            let message = format!("{}, but there are {} words", known.entry, stage.code.words.len());
            return Err(Failure::argument("entry", message));
        }
        stage.code.entry = known.entry;
        known.surroundings.apply(&mut stage)?;
        Ok(Self { origin: Origin::Code, programs: vec![Program::new("#0".to_owned(), stage)] })
    }
}
