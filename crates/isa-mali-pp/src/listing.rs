//! The native listing of a program.

use super::declare;
use super::decode::outline;
use super::print::{Around, instruction};
use super::symbols::{Symbols, is_identifier};
use super::{Item, Walk};
use std::collections::{BTreeMap, BTreeSet};
use unshade_isa_common::Remarks;
use unshade_isa_common::text::{PartKind, Sink};
use unshade_stage::{Code, Symbol};

/// Writes the whole code, so that [`super::asm::assemble`] with the same symbols makes the same words of it.
///
/// ```
/// use unshade_isa_common::text::PlainText;
/// use unshade_isa_mali_pp::{asm::assemble, listing::list_code};
/// use unshade_stage::Code;
/// let words = [0x0002_1025, 0x0000_0e4c, 0x03c0_07cf, 0x03c0_03c0, 0x0000_03c0];
/// let mut text = PlainText::default();
/// list_code(&Code { words: (&words[..]).into(), ..Code::default() }, &[], &mut text);
/// assert!(text.text().contains("mov.v1      $0, ^const0"));
/// assert_eq!(assemble(text.text(), &[]).unwrap().words, words);
/// ```
pub fn list_code(code: &Code<'_>, symbols: &[Symbol], sink: &mut impl Sink) {
    list_code_with(code, symbols, Remarks::default(), sink);
}

/// The same with a head that says what the symbols are, so that [`super::asm::assemble`] takes it back without
/// knowing them.
pub fn list_bare(code: &Code<'_>, symbols: &[Symbol], remarks: Remarks, sink: &mut impl Sink) {
    sink.put(PartKind::Directive, ".isa ");
    sink.put(PartKind::Name, "mali-pp");
    sink.end_line();
    declare::write(sink, symbols);
    sink.end_line();
    list_code_with(code, symbols, remarks, sink);
}

/// As [`list_code`], with remarks.
pub fn list_code_with(code: &Code<'_>, symbols: &[Symbol], remarks: Remarks, sink: &mut impl Sink) {
    let words = &*code.words;
    let symbols = Symbols::new(symbols);
    let places = Places::new(code);
    let mut labels = places.labels.iter().peekable();
    let mut label_text = String::new();
    for (at, item) in Walk::new(words) {
        while let Some((_, name)) = labels.next_if(|(word, _)| **word <= at) {
            label(sink, name);
        }
        remark(sink, at, words.get(at as usize..(at + item.words()) as usize).unwrap_or_default(), remarks);
        let place = at..at + item.words();
        let inst = match &item {
            Item::Inst(inst) => inst,
            Item::Word(word) => {
                sink.words(place);
                sink.put(PartKind::Plain, "    ");
                sink.put(PartKind::Directive, ".word ");
                sink.hex(PartKind::Immediate, *word, 8);
                sink.end_line();
                continue;
            }
        };
        let mut around = Around { next: places.count(at + inst.count()), words: place, ..Around::default() };
        if inst.has(super::Field::Branch) {
            around.target = i64::from(at) + i64::from(inst.branch.distance());
            if let Ok(target) = u32::try_from(around.target) {
                around.target_count = places.count(target);
                if let Some(name) = places.labels.get(&target) {
                    label_text.clone_from(name);
                    around.label = Some(&label_text);
                }
            }
        }
        instruction(sink, inst, &symbols, &around);
    }
    for (_, name) in labels {
        label(sink, name);
    }
}

fn label(sink: &mut impl Sink, name: &str) {
    sink.put(PartKind::Label, name);
    sink.put(PartKind::Punctuation, ":");
    sink.end_line();
}

fn remark(sink: &mut impl Sink, at: u32, words: &[u32], remarks: Remarks) {
    if remarks == Remarks::default() {
        return;
    }
    sink.put(PartKind::Comment, "    ;");
    if let Some(first) = remarks.offsets {
        sink.put(PartKind::Comment, " ");
        sink.hex(PartKind::Comment, first.saturating_add(4 * u64::from(at)) as u32, 6);
    }
    if remarks.words {
        sink.put(PartKind::Comment, " ");
        for word in words {
            sink.put(PartKind::Comment, " ");
            let digits: [u8; 8] =
                std::array::from_fn(|n| b"0123456789ABCDEF"[(word >> (28 - 4 * n) & 15) as usize]);
            sink.ascii(PartKind::Comment, &digits);
        }
    }
    sink.end_line();
}

/// Where instructions start, and how places are called.
struct Places {
    /// For each word and the end: words of the instruction that starts there, 0 for a word that is none,
    /// [`INSIDE`] where nothing starts.
    counts: Vec<u8>,
    labels: BTreeMap<u32, String>,
}

const INSIDE: u8 = 0xFF;

impl Places {
    fn new(code: &Code<'_>) -> Self {
        let words = &*code.words;
        let mut counts = vec![INSIDE; words.len() + 1];
        let mut targets = BTreeSet::new();
        let mut at = 0_u32;
        while let Some(rest) = words.get(at as usize..).filter(|rest| !rest.is_empty()) {
            let (count, branch) = outline(rest).unwrap_or_default();
            if let Some(place) = counts.get_mut(at as usize) {
                *place = count as u8;
            }
            if let Some(branch) = branch
                && !branch.is_discard()
                && let Some(target) = at.checked_add_signed(branch.distance())
            {
                targets.insert(target);
            }
            at += count.max(1);
        }
        if let Some(end) = counts.last_mut() {
            *end = 0;
        }
        let starts = |word: u32| counts.get(word as usize).is_some_and(|count| *count != INSIDE);
        let mut labels = BTreeMap::new();
        let mut taken = BTreeSet::new();
        for given in &code.labels {
            // Names of the form that places without one get could be taken twice.
            let made =
                given.name.strip_prefix('L').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
            if starts(given.word) && is_identifier(&given.name) && !made && taken.insert(&*given.name) {
                labels.entry(given.word).or_insert_with(|| given.name.clone());
            }
        }
        for target in targets.into_iter().filter(|target| starts(*target)) {
            labels.entry(target).or_insert_with(|| format!("L{target}"));
        }
        Self { counts, labels }
    }

    /// Words of the instruction that starts there; 0 if none does.
    fn count(&self, at: u32) -> u32 {
        match self.counts.get(at as usize) {
            Some(&count) if count != INSIDE => count.into(),
            _ => 0,
        }
    }
}
