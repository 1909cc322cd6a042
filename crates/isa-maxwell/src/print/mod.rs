//! An instruction word as text.
//!
//! What is printed is NVIDIA's text; [`instruction`] adds `{raw 0x...}` where the text alone does not give the word
//! back: the disassembler does not show some bits, and a few values share a name.

mod accept;
mod digits;
mod printer;
mod video;

use super::layout::Slot;
use super::template::{Piece, Template};
pub(super) use accept::accepted;
pub(super) use digits::{hex, sixteen_digits};
pub(super) use printer::{phase, print};
use unshade_isa_common::text::{PartKind, Sink};
pub(super) use video::{TYPES, VIDEO_A, VIDEO_B, hides_types, video_part};

/// Bits of a number that is none, as reading gives it.
pub(super) const NAN_FLOAT: u32 = 0x7FFF_FFFF;
/// The same of 64 bits.
pub(super) const NAN_DOUBLE: u64 = u64::MAX >> 1;

/// What stands around an instruction.
pub trait Around {
    /// Writes what a branch target is called, if it has a name.
    fn place(&self, _target: i64, _sink: &mut impl Sink) -> bool {
        false
    }

    /// Which operands' registers stay in the reuse cache: bits 17-20 of the control slot, moved down.
    fn reuse(&self) -> u8 {
        0
    }
}

/// Nothing is known about what stands around.
#[derive(Debug, Clone, Copy)]
pub struct Alone;

impl Around for Alone {}

/// Only the control slot is known.
impl Around for Slot {
    fn reuse(&self) -> u8 {
        Slot::reuse(*self)
    }
}

/// Writes an instruction, or `.word 0x...` for a word that is none.
///
/// ```
/// use unshade_isa_common::text::PlainText;
/// use unshade_isa_maxwell::print::{Alone, instruction};
/// let mut text = PlainText::default();
/// instruction(0x5c58_1000_0007_0000, 8, &Alone, &mut text);
/// assert_eq!(text.text(), "FADD.FTZ R0, R0, R0");
/// ```
pub fn instruction(word: u64, address: u64, around: &impl Around, sink: &mut impl Sink) {
    match accepted(word) {
        Some(template) => known(template, word, address, around, sink),
        None => data(word, sink),
    }
}

/// Writes an instruction whose template is known.
pub(super) fn known(
    template: &Template,
    word: u64,
    address: u64,
    around: &impl Around,
    sink: &mut impl Sink,
) {
    if !print(template, word, address, around, sink).exact {
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Directive, "{raw ");
        hex(sink, PartKind::Immediate, word, 16);
        sink.put(PartKind::Directive, "}");
    }
}

/// Writes a word as what it is: `.word 0x0123456789abcdef`.
pub fn data(word: u64, sink: &mut impl Sink) {
    sink.put(PartKind::Directive, ".word ");
    hex(sink, PartKind::Immediate, word, 16);
}

/// Whether a word is an instruction whose text alone gives it back.
pub fn is_exact(word: u64) -> bool {
    accepted(word).is_some_and(|template| print(template, word, 0, &Alone, &mut Nothing).exact)
}

/// The reuse flags of a slot that the text of a word does not tell.
#[inline]
pub(super) fn untold_reuse(template: Option<&Template>, word: u64, slot: Slot) -> u8 {
    match template {
        Some(template) if slot.reuse() != 0 => untold(template, word, slot),
        _ => slot.reuse(),
    }
}

fn untold(template: &Template, word: u64, slot: Slot) -> u8 {
    let reuse = slot.reuse();
    let told = print(template, word, 0, &slot, &mut Nothing).reuse;
    // A phase of three is not told.
    if told == 3 && template.pieces.iter().any(|piece| matches!(piece, Piece::Phase)) && reuse & 3 == 3 {
        return reuse;
    }
    reuse & !told
}

/// Whether NVIDIA's disassembler takes a word for an instruction (with a control slot that fits).
pub fn is_instruction(word: u64) -> bool {
    accepted(word).is_some()
}

/// A sink that keeps nothing.
struct Nothing;

impl Sink for Nothing {
    const TYPED: bool = false;

    fn put(&mut self, _: PartKind, _: &str) {}

    fn column(&self) -> usize {
        0
    }

    fn words(&mut self, _: std::ops::Range<u32>) {}

    fn end_line(&mut self) {}
}

/// Writes the text alone, as NVIDIA's disassembler prints it.
pub fn plain(word: u64, address: u64, sink: &mut impl Sink) {
    if let Some(template) = accepted(word) {
        print(template, word, address, &Alone, sink);
    }
}
