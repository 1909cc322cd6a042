//! The native listing of a program.

use super::field::Field;
use super::layout::{self, GROUP, Slot};
use super::print::{self, Around};
use super::{Form, control, table};
use unshade_isa_common::Remarks;
use unshade_isa_common::text::{PartKind, Sink};
use unshade_stage::Code;

const BLANKS: [u8; 16] = [b' '; 16];

/// What a listing shows of the control words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Control {
    /// What they say, in front of each instruction, so that the words come back.
    #[default]
    Shown,
    /// Nothing; the assembler makes safe ones.
    Hidden,
}

/// Writes the whole code, so that [`super::asm::assemble`] makes the same words of it.
///
/// ```
/// use unshade_isa_common::{Remarks, text::PlainText};
/// use unshade_isa_maxwell::{asm::assemble, listing::{Control, list_code}};
/// use unshade_stage::Code;
/// let words = [0xFDA0_07ED, 0x07FF_8400, 0x0007_000F, 0xE300_0000];
/// let mut text = PlainText::default();
/// let code = Code { words: (&words[..]).into(), ..Code::default() };
/// list_code(&code, Control::Shown, Remarks::default(), &mut text);
/// assert_eq!(text.text().lines().nth(1), Some("[B------:R-:W-:Y:S13]       EXIT"));
/// assert_eq!(assemble(text.text()).unwrap().words, words);
/// ```
pub fn list_code(code: &Code<'_>, control: Control, remarks: Remarks, sink: &mut impl Sink) {
    let words: Vec<u64> = layout::words(&code.words).collect();
    let labels = Labels::of(&words);
    let mut writer = Writer { words: &words, labels: &labels, control, remarks };
    for first in (0..words.len()).step_by(4) {
        writer.group(first, sink);
    }
    if !words.len().is_multiple_of(4) {
        sink.put(PartKind::Directive, ".cut");
        sink.end_line();
    }
    if let Some(half) = code.words.get(2 * words.len()) {
        sink.put(PartKind::Directive, ".half ");
        print::hex(sink, PartKind::Immediate, (*half).into(), 8);
        let at = 2 * words.len() as u32;
        sink.words(at..at + 1);
        sink.end_line();
    }
}

/// The same with a head that says which instruction set it is.
pub fn list_bare(code: &Code<'_>, control: Control, remarks: Remarks, sink: &mut impl Sink) {
    sink.put(PartKind::Directive, ".isa ");
    sink.put(PartKind::Name, "maxwell");
    sink.end_line();
    list_code(code, control, remarks, sink);
}

/// The place that a branch of a program goes to, if its word says so.
pub fn branch_target(word: u64, address: u64) -> Option<i64> {
    let template = table::template(Form::of(word)?)?;
    let relative = template.relative?;
    print::accepted(word)?;
    // Bit 5 takes the place from a constant, where the operation has this way.
    if template.constant && Field::new(5, 1).get(word) == 1 {
        return None;
    }
    Some((address as i64).wrapping_add(8).wrapping_add(relative.signed(word)))
}

/// The instructions that branches go to: for each word whether it is one.
struct Labels(Vec<bool>);

impl Labels {
    fn of(words: &[u64]) -> Self {
        let mut labels = vec![false; words.len()];
        for (index, word) in words.iter().enumerate().filter(|(index, _)| index % 4 != 0) {
            let target = branch_target(*word, index as u64 * 8).and_then(|target| u64::try_from(target).ok());
            let target = target.map(layout::target).filter(|target| target.is_multiple_of(8));
            let place = target.and_then(|target| labels.get_mut(usize::try_from(target / 8).ok()?));
            if let Some(place) = place {
                *place = true;
            }
        }
        Self(labels)
    }

    /// Whether a branch goes to an address.
    fn has(&self, address: u64) -> bool {
        let index = usize::try_from(address / 8).ok().filter(|_| address.is_multiple_of(8));
        index.and_then(|index| self.0.get(index)).copied().unwrap_or(false)
    }
}

struct Writer<'a> {
    words: &'a [u64],
    labels: &'a Labels,
    control: Control,
    remarks: Remarks,
}

/// What an instruction needs to know of the program.
struct Inside<'a> {
    labels: &'a Labels,
    reuse: u8,
}

impl Around for Inside<'_> {
    fn place(&self, target: i64, sink: &mut impl Sink) -> bool {
        let Ok(target) = u64::try_from(target) else { return false };
        let instruction = layout::target(target);
        if !self.labels.has(instruction) {
            return false;
        }
        // The control word of a group is reached by the name of what stands behind it.
        if target != instruction {
            sink.put(PartKind::Directive, "control(");
        }
        name(instruction, sink);
        if target != instruction {
            sink.put(PartKind::Directive, ")");
        }
        true
    }

    fn reuse(&self) -> u8 {
        self.reuse
    }
}

fn name(address: u64, sink: &mut impl Sink) {
    let mut digits = *b"L_00000000";
    let mut at = digits.len();
    let mut rest = address;
    while rest != 0 || at > digits.len() - 4 {
        at -= 1;
        digits[at] = b"0123456789abcdef"[(rest & 15) as usize];
        rest >>= 4;
        if at == 2 {
            break;
        }
    }
    sink.put(PartKind::Label, "L_");
    sink.ascii(PartKind::Label, digits.get(at..).unwrap_or_default());
}

impl Writer<'_> {
    /// A control word and the instructions behind it.
    fn group(&mut self, first: usize, sink: &mut impl Sink) {
        let Some(control) = self.words.get(first).copied() else { return };
        let behind = self.words.get(first + 1..).unwrap_or_default();
        let count = behind.len().min(3);
        if self.control == Control::Shown {
            // Bits that no instruction shows.
            let shown = (1_u64 << (21 * count)) - 1;
            if control & !shown != 0 || count == 0 {
                sink.put(PartKind::Directive, ".control ");
                print::hex(sink, PartKind::Immediate, control, 16);
                sink.words(first as u32 * 2..first as u32 * 2 + 2);
                sink.end_line();
            }
        }
        for (index, word) in behind.iter().take(count).enumerate() {
            let slot = Slot((control >> (21 * index) & 0x1F_FFFF) as u32);
            self.line(first + 1 + index, *word, slot, sink);
        }
    }

    fn line(&self, index: usize, word: u64, slot: Slot, sink: &mut impl Sink) {
        let address = index as u64 * 8;
        if self.labels.has(address) {
            name(address, sink);
            sink.put(PartKind::Punctuation, ":");
            sink.end_line();
        }
        let accepted = print::accepted(word);
        let mut inside = Inside { labels: self.labels, reuse: 0 };
        if self.control == Control::Shown {
            inside.reuse = slot.reuse();
            let untold = print::untold_reuse(accepted, word, slot);
            let (first, rest, len) = control::text(slot, untold);
            sink.short_ascii(PartKind::Comment, &first, 16);
            sink.short_ascii(PartKind::Comment, &rest, len - 16);
            sink.short_ascii(PartKind::Plain, &BLANKS, control::WIDTH.saturating_sub(len).max(1));
        } else {
            sink.short_ascii(PartKind::Plain, &BLANKS, 4);
        }
        let guard = super::Word(word).guard();
        match accepted {
            Some(template) => {
                let guarded = !template.unguarded && !guard.is_true();
                let blanks = if guarded { usize::from(!guard.not) } else { 5 };
                sink.short_ascii(PartKind::Plain, &BLANKS, blanks);
                print::known(template, word, address, &inside, sink);
            }
            None => print::data(word, sink),
        }
        self.remark(index, word, sink);
        let first = index as u32 * 2;
        // The first instruction of a group shows the control word too.
        let start = if self.control == Control::Shown && address % GROUP == 8 { first - 2 } else { first };
        sink.words(start..first + 2);
        sink.end_line();
    }

    fn remark(&self, index: usize, word: u64, sink: &mut impl Sink) {
        const COLUMN: usize = 88;
        if self.remarks == Remarks::default() {
            return;
        }
        sink.pad_to(COLUMN);
        sink.put(PartKind::Comment, ";");
        if let Some(first) = self.remarks.offsets {
            sink.put(PartKind::Comment, " ");
            let offset = first.saturating_add(8 * index as u64);
            sink.hex(PartKind::Comment, offset.min(u32::MAX.into()) as u32, 6);
        }
        if self.remarks.words {
            sink.put(PartKind::Comment, " ");
            print::hex(sink, PartKind::Comment, word, 16);
        }
    }
}
