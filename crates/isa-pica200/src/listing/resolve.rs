//! The second half of reading a listing: places become numbers, and operands find their descriptors.

use super::read::finding;
use crate::view::Shape;
use std::collections::{BTreeMap, HashMap};
use unshade_bytes::Diagnostic;
use unshade_isa_common::assembly::lexer::Piece;
use unshade_isa_common::assembly::{Problem, Result};

/// A place of the code as a text names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceRef<'a> {
    /// A word index.
    Word(u32),
    /// A label or a procedure.
    Name(Piece<'a>),
}

/// A run of words as a text names it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bounds<'a> {
    Procedure(Piece<'a>),
    FromTo(PlaceRef<'a>, PlaceRef<'a>),
}

/// What an instruction asks of its descriptor.
#[derive(Debug, Clone, Copy)]
pub(super) struct DescriptorUse<'a> {
    pub at: u32,
    pub shape: Shape,
    pub low: u32,
    /// `@n`.
    pub explicit: Option<u32>,
    pub head: Piece<'a>,
}

/// DST and NUM that depend on places.
#[derive(Debug, Clone, Copy)]
pub(super) enum FlowUse<'a> {
    /// DST and NUM from a run.
    Run { at: u32, bounds: Bounds<'a>, piece: Piece<'a> },
    /// DST is the word before `end`.
    LastBefore { at: u32, end: PlaceRef<'a>, piece: Piece<'a> },
    /// DST.
    To { at: u32, to: PlaceRef<'a>, piece: Piece<'a> },
}

/// Code that a listing described.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssembledCode {
    /// The code words.
    pub words: Vec<u32>,
    /// Operand descriptors, low words.
    pub descriptors: Vec<u32>,
    /// Operand descriptors, high words; as many as `descriptors`.
    pub high: Vec<u32>,
    places: BTreeMap<String, u32>,
    procedures: BTreeMap<String, (u32, u32)>,
}

impl AssembledCode {
    /// The word index of a place.
    ///
    /// # Errors
    /// The code has no such label.
    pub fn place(&self, place: PlaceRef<'_>) -> Result<u32> {
        match place {
            PlaceRef::Word(word) => Ok(word),
            PlaceRef::Name(name) => self.places.get(name.text).copied().ok_or_else(|| unknown_place(name)),
        }
    }

    /// First word and the word behind the last one of a procedure.
    pub fn procedure(&self, name: &str) -> Option<(u32, u32)> {
        self.procedures.get(name).copied()
    }
}

fn unknown_place(name: Piece<'_>) -> Box<Problem> {
    let message = format!("there is no label `{}`", name.text);
    Problem::new("pica200.listing.unknown-label", name.span(), message)
}

/// Everything read so far.
#[derive(Debug, Default)]
pub(super) struct Resolver<'a> {
    pub words: Vec<u32>,
    pub descriptors: Vec<u32>,
    pub high: Vec<u32>,
    labels: HashMap<&'a str, u32>,
    procedures: HashMap<&'a str, (u32, u32)>,
    described: Vec<DescriptorUse<'a>>,
    flow: Vec<(FlowUse<'a>, bool)>,
}

const DST: u32 = 0xFFF << 10;
const NUM: u32 = 0x3FF;

impl<'a> Resolver<'a> {
    /// Index of the next word.
    pub fn here(&self) -> u32 {
        self.words.len() as u32
    }

    pub fn label(&mut self, name: Piece<'a>, at: u32) -> Result<()> {
        if !name.is_identifier() {
            let message = format!("`{}` cannot be a label", name.text);
            return Err(Problem::new("pica200.listing.syntax", name.span(), message));
        }
        match self.labels.insert(name.text, at) {
            None => Ok(()),
            Some(_) => {
                let message = format!("`{}` is defined twice", name.text);
                Err(Problem::new("pica200.listing.duplicate-label", name.span(), message))
            }
        }
    }

    pub fn procedure(&mut self, name: Piece<'a>, start: u32, end: u32) {
        self.procedures.insert(name.text, (start, end));
    }

    pub fn describe(&mut self, what: DescriptorUse<'a>) {
        self.described.push(what);
    }

    /// Remembers a use; `pinned`: the text sets the unused bits next to NUM itself.
    pub fn flow(&mut self, what: FlowUse<'a>, pinned: bool) {
        self.flow.push((what, pinned));
    }

    /// DST and NUM of an IF whose block has ended.
    pub fn patch(&mut self, at: u32, from: u32, to: u32, piece: Piece<'_>) -> Result<()> {
        self.set(at, from, to.wrapping_sub(from), 0x3FF, piece)
    }

    /// DST of a LOOP whose block has ended before `end`.
    pub fn patch_last(&mut self, at: u32, end: u32, piece: Piece<'_>) -> Result<()> {
        let dst = end.checked_sub(1).filter(|&dst| dst < 0x1000);
        let dst = dst.ok_or_else(|| far(piece, end))?;
        if let Some(word) = self.words.get_mut(at as usize) {
            *word = *word & !DST | dst << 10;
        }
        Ok(())
    }

    fn set(&mut self, at: u32, dst: u32, num: u32, most: u32, piece: Piece<'_>) -> Result<()> {
        if dst > 0xFFF {
            return Err(far(piece, dst));
        }
        if num > most {
            let message = format!("a run of {num} words is too long: NUM holds {most} at most");
            return Err(Problem::new("pica200.listing.too-long", piece.span(), message));
        }
        if let Some(word) = self.words.get_mut(at as usize) {
            // A short run leaves bits 8 and 9 as the text set them.
            let mask = if most == 0xFF { 0xFF } else { NUM };
            *word = *word & !(DST | mask) | dst << 10 | num;
        }
        Ok(())
    }

    fn place(&self, place: PlaceRef<'_>) -> Result<u32> {
        match place {
            PlaceRef::Word(word) => Ok(word),
            PlaceRef::Name(name) => self.labels.get(name.text).copied().ok_or_else(|| unknown_place(name)),
        }
    }

    fn resolve_flow(&mut self, what: FlowUse<'a>, pinned: bool) -> Result<()> {
        match what {
            FlowUse::Run { at, bounds, piece } => {
                let (from, to, most) = match bounds {
                    Bounds::FromTo(from, to) => (self.place(from)?, self.place(to)?, 0xFF),
                    Bounds::Procedure(name) => {
                        let &(from, to) = self.procedures.get(name.text).ok_or_else(|| {
                            let message = format!("there is no procedure `{}`", name.text);
                            Problem::new("pica200.listing.unknown-procedure", name.span(), message)
                                .note("the words between two labels are written `from..to`")
                        })?;
                        (from, to, if pinned { 0xFF } else { 0x3FF })
                    }
                };
                let Some(num) = to.checked_sub(from) else {
                    let message = format!("`{}` ends before it starts", piece.text);
                    return Err(Problem::new("pica200.listing.backwards", piece.span(), message));
                };
                self.set(at, from, num, most, piece)
            }
            FlowUse::LastBefore { at, end, piece } => {
                let end = self.place(end)?;
                self.patch_last(at, end, piece)
            }
            FlowUse::To { at, to, piece } => {
                let dst = self.place(to)?;
                if dst > 0xFFF {
                    return Err(far(piece, dst));
                }
                if let Some(word) = self.words.get_mut(at as usize) {
                    *word = *word & !DST | dst << 10;
                }
                Ok(())
            }
        }
    }

    pub fn finish(
        mut self,
        mut findings: Vec<Diagnostic>,
    ) -> std::result::Result<AssembledCode, Vec<Diagnostic>> {
        for (what, pinned) in std::mem::take(&mut self.flow) {
            if let Err(problem) = self.resolve_flow(what, pinned) {
                findings.push(finding(*problem));
            }
        }
        findings.extend(self.resolve_descriptors());
        // A text with errors everywhere says so a hundred times, not a million.
        findings.truncate(100);
        if !findings.is_empty() {
            return Err(findings);
        }
        let owned = |(name, value): (&str, _)| (name.to_owned(), value);
        Ok(AssembledCode {
            words: self.words,
            descriptors: self.descriptors,
            high: self.high,
            places: self.labels.into_iter().map(owned).collect(),
            procedures: self.procedures.into_iter().map(|(name, run)| (name.to_owned(), run)).collect(),
        })
    }

    /// Gives each use its descriptor: the one it names, else the first that fits, else a new one.
    fn resolve_descriptors(&mut self) -> Vec<Diagnostic> {
        let uses = std::mem::take(&mut self.described);
        let listed = self.descriptors.len();
        let mut table = Table::new(&mut self.descriptors, &mut self.high, &uses);
        let mut chosen = Vec::with_capacity(uses.len());
        let mut findings = Vec::new();
        for (n, what) in uses.iter().enumerate() {
            let outcome = match what.explicit {
                Some(index) => check_explicit(what, index, table.low.get(..listed).unwrap_or_default()),
                None => table.find_or_add(what, n, &mut chosen),
            };
            chosen.push(match outcome {
                Ok(index) => index,
                Err(problem) => {
                    findings.push(finding(*problem));
                    0
                }
            });
            if findings.len() >= 100 {
                return findings;
            }
        }
        for (what, index) in uses.iter().zip(chosen) {
            if let Some(word) = self.words.get_mut(what.at as usize) {
                *word |= index;
            }
        }
        findings
    }
}

fn far(piece: Piece<'_>, place: u32) -> Box<Problem> {
    let message = format!("word {place:#x} cannot be reached: places are 12 bits wide");
    Problem::new("pica200.listing.far", piece.span(), message)
}

fn most_descriptors(shape: Shape) -> usize {
    if shape == Shape::Lanes3 { 32 } else { 128 }
}

fn check_explicit(what: &DescriptorUse<'_>, index: u32, listed: &[u32]) -> Result<u32> {
    if index as usize >= most_descriptors(what.shape) {
        let message = format!("`{}` has no room for descriptor {index}", what.head.text);
        return Err(Problem::new("pica200.listing.descriptor", what.head.span(), message));
    }
    match listed.get(index as usize) {
        Some(&low) if what.shape.same(what.low, low) => Ok(index),
        Some(_) => {
            let message = format!("descriptor {index} says something else than the operands");
            Err(Problem::new("pica200.listing.descriptor", what.head.span(), message)
                .note(format!("leave `@{index}` out to let the assembler find or add one that fits")))
        }
        // Outside the table nothing is known, so nothing can be said: the operands stand bare.
        None => {
            let mask = if what.shape == Shape::Address { 0x8 } else { what.shape.mask_bits() };
            let bare = mask | 0x1B << 5 | 0x1B << 14 | 0x1B << 23;
            if (what.low ^ bare) & what.shape.care(0xF) == 0 {
                return Ok(index);
            }
            let message = format!("there is no descriptor {index}, so masks and swizzles have no place");
            Err(Problem::new("pica200.listing.descriptor", what.head.span(), message))
        }
    }
}

/// A descriptor table that can grow.
struct Table<'t, 'a> {
    low: &'t mut Vec<u32>,
    high: &'t mut Vec<u32>,
    uses: &'t [DescriptorUse<'a>],
    found: HashMap<(Shape, u32), u32>,
    /// Set in every descriptor added: what all descriptors of the file have in common there.
    unknown_bit: u32,
    usual_high: u32,
}

impl<'t, 'a> Table<'t, 'a> {
    fn new(low: &'t mut Vec<u32>, high: &'t mut Vec<u32>, uses: &'t [DescriptorUse<'a>]) -> Self {
        let unknown_bit = if low.is_empty() { 0 } else { low.iter().fold(1 << 31, |all, low| all & low) };
        let usual_high = high.first().copied().filter(|first| high.iter().all(|high| high == first));
        Self { low, high, uses, found: HashMap::new(), unknown_bit, usual_high: usual_high.unwrap_or(0) }
    }

    fn find_or_add(&mut self, what: &DescriptorUse<'a>, n: usize, chosen: &mut [u32]) -> Result<u32> {
        let key = (what.shape, what.low);
        if let Some(&index) = self.found.get(&key) {
            return Ok(index);
        }
        let most = most_descriptors(what.shape);
        let candidates = self.low.get(..most).unwrap_or(self.low);
        let index = match candidates.iter().position(|&low| what.shape.same(what.low, low)) {
            Some(index) => index as u32,
            None => self.add(what, n, chosen)?,
        };
        self.found.insert(key, index);
        Ok(index)
    }

    fn add(&mut self, what: &DescriptorUse<'a>, n: usize, chosen: &mut [u32]) -> Result<u32> {
        let full = |most: usize| {
            let message = format!("no room for another descriptor: this instruction can name {most}");
            Err(Problem::new("pica200.listing.descriptor", what.head.span(), message))
        };
        let new = self.low.len();
        if new >= 128 {
            return full(most_descriptors(what.shape));
        }
        // Unread lanes get their own letters, so that other instructions can share the entry.
        let care = what.shape.care(what.low);
        let low = what.low & care | (0x1B << 5 | 0x1B << 14 | 0x1B << 23 | 0xF) & !care | self.unknown_bit;
        if new < most_descriptors(what.shape) {
            self.low.push(low);
            self.high.push(self.usual_high);
            return Ok(new as u32);
        }
        // MAD reaches 32 descriptors only: one that no MAD uses and no `@` pins makes room.
        let Some(slot) = (0..32).find(|&slot| self.can_move(slot, n, chosen)) else { return full(32) };
        let (Some(old), Some(old_high)) =
            (self.low.get(slot as usize).copied(), self.high.get(slot as usize).copied())
        else {
            return full(32);
        };
        self.low.push(old);
        self.high.push(old_high);
        if let (Some(place), Some(high)) = (self.low.get_mut(slot as usize), self.high.get_mut(slot as usize))
        {
            (*place, *high) = (low, self.usual_high);
        }
        for (what, chosen) in self.uses.iter().zip(chosen.iter_mut()) {
            if *chosen == slot && what.explicit.is_none() {
                *chosen = new as u32;
            }
        }
        self.found.clear();
        Ok(slot)
    }

    fn can_move(&self, slot: u32, done: usize, chosen: &[u32]) -> bool {
        let pinned = self.uses.iter().any(|what| what.explicit == Some(slot));
        let by_mad = self
            .uses
            .iter()
            .take(done)
            .zip(chosen)
            .any(|(what, &chosen)| chosen == slot && what.shape == Shape::Lanes3);
        !pinned && !by_mad
    }
}
