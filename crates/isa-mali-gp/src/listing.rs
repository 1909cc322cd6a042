//! The native listing of a code: text that assembles back to the same words, whatever they are.

use super::asm::vector_text;
use super::inst::{Register, Source, SourceKind};
use super::names::{Area, Names};
use super::out::Out;
use super::table::{NO_OFFSET, any_source};
use super::{decode, instructions, print};
use std::collections::BTreeSet;
use unshade_isa_common::Remarks;
use unshade_isa_common::text::{PartKind, Sink};
use unshade_stage::{Code, CodeLabel, Symbol};

/// Column of the remarks.
const REMARKS: usize = 64;

/// Writes a listing of bare code, which [`super::asm::assemble`] takes back without knowing the symbols: it
/// starts with `.isa mali-gp` and defines the names it uses.
pub fn list_code(sink: &mut impl Sink, code: &Code<'_>, symbols: &[Symbol], remarks: Remarks) {
    let names = Names::of_symbols(symbols);
    sink.put(PartKind::Directive, ".isa ");
    sink.put(PartKind::Name, "mali-gp");
    sink.end_line();
    let used = used_names(&code.words, &names);
    if used.contains(&true) {
        sink.end_line();
    }
    for (name, _) in names.all().iter().zip(used).filter(|(_, used)| *used) {
        sink.put(PartKind::Directive, ".alias ");
        sink.put(PartKind::Name, &name.text);
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Register, &vector_text(name.area, u32::from(name.word / 4)));
        let first = usize::from(name.word % 4);
        sink.put(PartKind::Register, ".");
        sink.put(PartKind::Register, "xyzw".get(first..first + usize::from(name.components)).unwrap_or("x"));
        sink.end_line();
    }
    sink.end_line();
    write_code(sink, &code.words, &code.labels, &names, remarks);
}

/// For each name whether the instructions show it.
fn used_names(words: &[u32], names: &Names) -> Vec<bool> {
    let mut used = vec![false; names.all().len()];
    if used.is_empty() {
        return used;
    }
    let mut add = |area, word| {
        if let Some(used) = names.index(area, word).and_then(|index| used.get_mut(index)) {
            *used = true;
        }
    };
    let (all, _) = instructions(words);
    let mut previous = Register { number: 0, attribute: false };
    for (bits, inst) in all.map(|bits| (bits, decode(bits))) {
        let word = |vector: u32, component: u8| vector * 4 + u32::from(component);
        let loaded = |component| {
            word(inst.load.address.into(), if inst.load.offset == NO_OFFSET { component } else { 0 })
        };
        for source in print::sources(bits) {
            let (register, component) = match source.kind() {
                SourceKind::Load(component) => {
                    add(Area::Memory, loaded(component));
                    continue;
                }
                SourceKind::Reg0(component) => (inst.reg0, component),
                SourceKind::PreviousReg0(component) => (previous, component),
                _ => continue,
            };
            if register.attribute {
                add(Area::Attribute, word(register.number.into(), component));
            }
        }
        for (slot, store) in
            inst.store.iter().enumerate().filter(|(_, store)| store.varying && !store.temporary)
        {
            for (n, source) in store.sources.iter().enumerate() {
                if !source.is_none() {
                    add(Area::Varying, word(store.number.into(), (2 * slot + n) as u8));
                }
            }
        }
        previous = inst.reg0;
    }
    used
}

/// Names of the places that branches go to, by instruction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// Sorted by instruction.
    places: Vec<(u32, Box<str>)>,
}

impl Labels {
    /// The places that the code's branches go to, and those that the file names.
    pub fn of(words: &[u32], given: &[CodeLabel]) -> Self {
        let (all, _) = instructions(words);
        let count = all.len() as u32;
        let targets: BTreeSet<u32> =
            all.map(decode).filter(|inst| inst.branch).map(|inst| inst.target.into()).collect();
        let mut taken = BTreeSet::new();
        let mut places: Vec<(u32, Box<str>)> = Vec::new();
        for label in given {
            let is_name = super::names::is_word(&label.name) && !label.name.starts_with('?');
            if label.word % 4 == 0 && label.word / 4 <= count && is_name && taken.insert(&*label.name) {
                places.push((label.word / 4, label.name.as_str().into()));
            }
        }
        // One name for each place.
        places.sort();
        places.dedup_by_key(|place| place.0);
        for target in targets.into_iter().filter(|&target| target <= count) {
            let own = format!("L{target:03}");
            if places.binary_search_by_key(&target, |place| place.0).is_err() && !taken.contains(&*own) {
                places.push((target, own.into()));
                places.sort();
            }
        }
        Self { places }
    }

    /// The name of an instruction.
    #[inline]
    pub fn at(&self, instruction: u32) -> Option<&str> {
        if self.places.is_empty() {
            return None;
        }
        let found = self.places.binary_search_by_key(&instruction, |place| place.0).ok()?;
        self.places.get(found).map(|place| &*place.1)
    }
}

/// Writes the instructions, with the places that branches go to. [`super::asm::CodeReader`] takes them back.
pub fn write_code(
    sink: &mut impl Sink,
    words: &[u32],
    labels: &[CodeLabel],
    names: &Names,
    remarks: Remarks,
) {
    let labels = Labels::of(words, labels);
    let (all, rest) = instructions(words);
    let count = all.len() as u32;
    let mut all = all.map(|word| (word, decode(word))).peekable();
    let mut previous = None;
    let mut index = 0u32;
    let mut out = Out::new(sink);
    while let Some((word, inst)) = all.next() {
        out.reserve();
        place(&mut out, &labels, index);
        let shared = all.peek().is_some_and(|(next, _)| keeps(*next));
        let first_word = index.wrapping_mul(4);
        let context = print::Context { names, previous, shared, first_word };
        let label = if inst.branch { labels.at(inst.target.into()) } else { None };
        print::instruction(&mut out, &inst, word, context, label, |out| {
            remark(out, first_word, &super::words(word), remarks);
        });
        previous = Some(inst.reg0);
        index = index.wrapping_add(1);
    }
    place(&mut out, &labels, count);
    for (n, &word) in rest.iter().enumerate() {
        out.reserve();
        let at = count.wrapping_mul(4).wrapping_add(n as u32);
        out.text(PartKind::Directive, "    .word ");
        out.hex(PartKind::Immediate, word, 8);
        remark(&mut out, at, &[word], Remarks { words: false, ..remarks });
        out.words(at..at.wrapping_add(1));
        out.end_line();
    }
    out.finish();
}

/// Whether an instruction reads what the one before has loaded.
fn keeps(word: u128) -> bool {
    let kept = |source: Source| matches!(source.kind(), SourceKind::PreviousReg0(_));
    any_source(word, 0b111) && print::sources(word).any(kept)
}

fn place<S: Sink>(out: &mut Out<'_, S>, labels: &Labels, index: u32) {
    if let Some(name) = labels.at(index) {
        out.text(PartKind::Label, name);
        out.text(PartKind::Punctuation, ":");
        out.end_line();
    }
}

fn remark<S: Sink>(out: &mut Out<'_, S>, first_word: u32, words: &[u32], remarks: Remarks) {
    if remarks.offsets.is_none() && !remarks.words {
        return;
    }
    out.pad_to(REMARKS);
    out.text(PartKind::Comment, ";");
    if let Some(start) = remarks.offsets {
        let at = start.saturating_add(4 * u64::from(first_word));
        out.text(PartKind::Comment, " ");
        out.hex(PartKind::Comment, u32::try_from(at).unwrap_or(u32::MAX), 4);
        if remarks.words {
            out.text(PartKind::Comment, ":");
        }
    }
    if remarks.words {
        for &word in words {
            out.text(PartKind::Comment, " ");
            out.hex(PartKind::Comment, word, 8);
        }
    }
}
