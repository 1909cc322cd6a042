//! Runs one word: A is R4, B R8, C R12, the result R0; pairs of registers for 64 bits.

use unshade_isa_common::texture::NoTextures;
use unshade_isa_maxwell::Form;
use unshade_isa_maxwell::exec::{End, Lane, Program, Resources};
use unshade_stage::{Maxwell, StageKind};

const EXIT: u64 = 0xe300_0000_0007_000f;
/// What the result holds before.
pub const BEFORE: u32 = 0x5555_5555;
/// Bank and byte of the constant source.
pub const CONSTANT: (u8, u32) = (3, 0x120);

/// Where the second or third source of a form is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Registers alone.
    R,
    /// B is a constant.
    C,
    /// B is an immediate of 20 bits, as an integer or the upper bits of a float.
    I,
    /// C is a constant, B the register of bits 39-46.
    Rc,
    /// B is an immediate of 32 bits.
    W,
    /// The same, and the third source is the destination.
    Wd,
    /// B is an immediate of 16 bits.
    I16,
    /// B is two immediates of ten bits.
    Ih,
}

/// Puts a word together: guard always.
pub fn word(form: Form, fields: &[(u32, u64)]) -> u64 {
    fields.iter().fold(form.value() | 7 << 16, |word, (at, value)| word | value << at)
}

pub fn halves(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

/// Runs lanes through one word.
#[track_caller]
pub fn run(word: u64, lanes: &mut [Lane], resources: &mut Resources, kind: StageKind) {
    let words = [0x7e0, word, EXIT, EXIT].map(|word: u64| [word as u32, (word >> 32) as u32]);
    let program = Program::with(kind, words.as_flattened(), 0, Maxwell::default());
    let outcome = program.run(lanes, resources, &mut NoTextures, 100);
    assert_eq!(outcome.end, End::Ended, "{word:016x}");
}

/// A lane with A, B, C.
pub fn lane([a, b, c]: [u64; 3]) -> Lane {
    let mut lane = Lane::default();
    (lane.registers[0], lane.registers[1]) = (BEFORE, BEFORE);
    for (at, value) in [(4, a), (8, b), (12, c)] {
        lane.registers[at..at + 2].copy_from_slice(&halves(value));
    }
    lane
}
