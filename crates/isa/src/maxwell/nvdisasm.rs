//! NVIDIA's own text: what `nvdisasm -b SM53 -hex` prints for bare code.
//!
//! The number of blanks in front of the words in comments is not imitated: there the disassembler aligns by rules of
//! its own. It stops at the first word that it refuses; such words are `.word` here.

use super::layout::{self, GROUP, Slot};
use super::template::Template;
use super::{Form, control, print};
use crate::text::{PartKind, Sink};
use unshade_stage::Code;

/// Writes the text of one instruction as the disassembler has it at this address: branch targets are numbers. Nothing
/// for a word that it refuses.
///
/// ```
/// use unshade_isa::{maxwell::nvdisasm::instruction, text::PlainText};
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
    let refused = slot.is_some_and(|slot| Form::of(word).is_some_and(|form| !control::fits(form, slot)));
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
        let blanks = if opens { "         {         " } else { "                   " };
        sink.put(PartKind::Plain, blanks.get(..blanks.len() - width).unwrap_or_default());
        let column = sink.column();
        match template {
            Some(template) => {
                print::print(template, *word, address, &slot, sink);
            }
            None => print::data(*word, sink),
        }
        let bare = sink.column() - column == 3 && Form::of(*word) == Some(Form::Nop);
        if pair {
            sink.put(PartKind::Punctuation, "         }");
            sink.words(range);
            sink.end_line();
            word_line(*word, sink);
        } else {
            sink.put(PartKind::Punctuation, if bare { ";    " } else { " ;    " });
            comment(*word, sink);
            sink.words(range);
        }
        sink.end_line();
        pair = opens;
    }
}

fn place(address: u64, sink: &mut impl Sink) {
    let mut digits = *b"        /*0000*/";
    let mut rest = address;
    for digit in digits.iter_mut().take(14).skip(10).rev() {
        *digit = b"0123456789abcdef"[(rest & 15) as usize];
        rest >>= 4;
    }
    if rest == 0 {
        sink.ascii(PartKind::Comment, &digits);
    } else {
        sink.put(PartKind::Comment, "        /*");
        let mut long = crate::text::PlainText::default();
        print::hex(&mut long, PartKind::Comment, address, 1);
        sink.put(PartKind::Comment, long.text().trim_start_matches("0x"));
        sink.put(PartKind::Comment, "*/");
    }
}

fn word_line(word: u64, sink: &mut impl Sink) {
    sink.put(PartKind::Plain, "    ");
    comment(word, sink);
}

fn comment(word: u64, sink: &mut impl Sink) {
    let mut text = *b"/* 0x0000000000000000 */";
    text[5..21].copy_from_slice(&print::sixteen_digits(word));
    sink.ascii(PartKind::Comment, &text);
}
