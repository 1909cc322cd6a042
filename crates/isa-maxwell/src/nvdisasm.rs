//! NVIDIA's own text: what `nvdisasm -b SM53 -hex` prints for bare code.
//!
//! The number of blanks in front of the words in comments is not imitated: there the disassembler aligns by rules of
//! its own. It stops at the first word that it refuses; such words are `.word` here.

use super::layout::{self, GROUP, Slot};
use super::template::Template;
use super::{Form, control, print};
use unshade_isa_common::text::{PartKind, Short, Sink};
use unshade_stage::Code;

/// Writes the text of one instruction as the disassembler has it at this address: branch targets are numbers. Nothing
/// for a word that it refuses.
///
/// ```
/// use unshade_isa_common::text::PlainText;
/// use unshade_isa_maxwell::nvdisasm::instruction;
/// let mut text = PlainText::default();
/// assert!(instruction(0xe240_0000_0308_000f, 0x110, None, &mut text));
/// assert_eq!(text.text(), "@!P0 BRA 0x148");
/// assert!(!instruction(0, 8, None, &mut text));
/// ```
pub fn instruction(word: u64, address: u64, slot: Option<Slot>, sink: &mut impl Sink) -> bool {
    match fitting(word, slot) {
        Some(template) => {
            print::print(template, word, address, &slot.unwrap_or(Slot::PLAIN), sink);
            true
        }
        None => false,
    }
}

/// The template of a word that is not refused with its control slot.
fn fitting(word: u64, slot: Option<Slot>) -> Option<&'static Template> {
    let template = print::accepted(word)?;
    let barrier = slot.filter(|slot| slot.sets_barrier());
    let refused = barrier.is_some_and(|slot| Form::of(word).is_some_and(|form| !control::fits(form, slot)));
    (!refused).then_some(template)
}

/// Writes a whole program: the disassembler's first line, control words as comments, instructions in their columns,
/// braces around those that issue together.
pub fn list_code(code: &Code<'_>, sink: &mut impl Sink) {
    sink.put(PartKind::Directive, "\t.headerflags\t");
    sink.put(PartKind::String, "@\"EF_CUDA_64BIT_ADDRESS EF_CUDA_SM53 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM53)\"");
    sink.end_line();
    let words: Vec<u64> = layout::words(&code.words).collect();
    // Whether the instruction before issues together with this one.
    let mut pair = false;
    let mut control = 0;
    for (index, word) in words.iter().enumerate() {
        let address = index as u64 * 8;
        let range = index as u32 * 2..index as u32 * 2 + 2;
        if address.is_multiple_of(GROUP) {
            control = *word;
            word_line(*word, sink);
            sink.words(range);
            sink.end_line();
            continue;
        }
        let slot = Slot((control >> (21 * (index % 4 - 1)) & 0x1F_FFFF) as u32);
        place(address, sink);
        let opens = !pair && slot.stall() == 0 && slot.stays() && index + 1 < words.len();
        let guard = super::Word(*word).guard();
        let template = fitting(*word, Some(slot));
        let guarded = !guard.is_true() && template.is_some_and(|template| !template.unguarded);
        let width = if guarded { 4 + usize::from(guard.not) } else { 0 };
        let blanks = COLUMN - width;
        sink.short_ascii(PartKind::Plain, if opens { OPEN } else { BLANKS }, blanks.min(16));
        sink.short_ascii(PartKind::Plain, BLANKS, blanks.saturating_sub(16));
        let column = sink.column();
        match template {
            Some(template) => {
                print::print(template, *word, address, &slot, sink);
            }
            None => print::data(*word, sink),
        }
        let bare = sink.column() - column == 3 && Form::of(*word) == Some(Form::Nop);
        if pair {
            sink.put_short(PartKind::Punctuation, &CLOSE);
            sink.words(range);
            sink.end_line();
            word_line(*word, sink);
        } else {
            sink.put_short(PartKind::Punctuation, &ENDS[usize::from(bare)]);
            comment(*word, sink);
            sink.words(range);
        }
        sink.end_line();
        pair = opens;
    }
}

/// Blanks between the address and what a name without a guard starts with.
const COLUMN: usize = 19;
const BLANKS: &[u8; 16] = b"                ";
/// The same with the brace in front of two instructions that issue together.
const OPEN: &[u8; 16] = b"         {      ";
static CLOSE: Short<'static> = Short::new("         }");
/// Behind an instruction, and behind one of a name alone.
static ENDS: [Short<'static>; 2] = Short::all([" ;    ", ";    "]);
/// Around an address.
static PLACE: [Short<'static>; 2] = Short::all(["        /*", "*/"]);
/// Around a word in hexadecimal.
static COMMENT: [Short<'static>; 2] = Short::all(["/* 0x", " */"]);
static MARGIN: Short<'static> = Short::new("    ");

fn place(address: u64, sink: &mut impl Sink) {
    // At least four digits; the first that count are moved to the front.
    let digits = ((67 - address.leading_zeros()) / 4).max(4);
    let all = u128::from_be_bytes(print::sixteen_digits(address)) << (8 * (16 - digits));
    sink.put_short(PartKind::Comment, &PLACE[0]);
    sink.short_ascii(PartKind::Comment, &all.to_be_bytes(), digits as usize);
    sink.put_short(PartKind::Comment, &PLACE[1]);
}

fn word_line(word: u64, sink: &mut impl Sink) {
    sink.put_short(PartKind::Plain, &MARGIN);
    comment(word, sink);
}

fn comment(word: u64, sink: &mut impl Sink) {
    sink.put_short(PartKind::Comment, &COMMENT[0]);
    sink.short_ascii(PartKind::Comment, &print::sixteen_digits(word), 16);
    sink.put_short(PartKind::Comment, &COMMENT[1]);
}
