//! Which words of blocks a program reads, and what it takes them for.

use super::{SLOT, uniform};
use crate::bounds::Bounds;
use crate::cells::Cells;
use crate::votes::{Kind, Votes, by_all_and, by_use};
use crate::{Access, BlockId, Function, Module, Op};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What is reached by an index.
#[derive(Debug, Default)]
struct Indexed {
    /// Where indices start, and what is read there.
    offsets: BTreeMap<u32, Votes>,
    steps: BTreeSet<u32>,
    highest_row: u32,
    /// The word behind the last one that an index reaches that starts at a place, where the code shows that.
    ends: BTreeMap<u32, Option<u32>>,
}

/// What a slot is read as.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct SlotUse {
    /// An index starts in it.
    pub(super) indexed: bool,
    pub(super) float: bool,
    pub(super) integer: bool,
    /// A double lies in it.
    pub(super) double: bool,
}

/// The words of all blocks.
#[derive(Debug, Default)]
pub(super) struct Uses {
    words: BTreeMap<(u32, u32), Votes>,
    indexed: BTreeMap<u32, Indexed>,
    /// Words that are the lower half of a double, with the next one as the higher.
    doubles: BTreeSet<(u32, u32)>,
}

impl Uses {
    pub(super) fn new(module: &Module) -> Self {
        let mut uses = Self::by(module, by_use);
        // What nobody takes for anything is what the place is where it goes.
        if uses.all().any(|votes| votes.is_empty()) {
            let cells = Cells::new(module);
            let known = |op: &Op| match op {
                Op::Store(access) => cells.of(*access),
                _ => Votes::default(),
            };
            let moved = Self::by(module, |function| by_all_and(function, known));
            for (own, other) in uses.words.values_mut().zip(moved.words.values()) {
                own.take(*other);
            }
            for (own, other) in uses.indexed.values_mut().zip(moved.indexed.values()) {
                for (own, other) in own.offsets.values_mut().zip(other.offsets.values()) {
                    own.take(*other);
                }
            }
        }
        if !uses.indexed.is_empty() {
            module.functions.iter().for_each(|function| uses.reach(function));
        }
        uses
    }

    /// How far indices lead.
    fn reach(&mut self, function: &Function) {
        let mut bounds = None;
        for (number, block) in (0..).zip(&function.blocks) {
            for inst in block.insts.iter().map(|id| &function.insts[id.index()]) {
                let Some(access) = uniform(&inst.op).filter(Access::is_indexed) else { continue };
                let bounds = bounds.get_or_insert_with(|| Bounds::new(function));
                let most = inst.args.first().and_then(|index| bounds.most(*index, BlockId(number)));
                let end = most
                    .and_then(|most| most.checked_mul(access.stride))
                    .and_then(|words| words.checked_add(access.offset)?.checked_add(1));
                let ends = &mut self.indexed.entry(access.binding).or_default().ends;
                let known = ends.entry(access.offset).or_insert(end);
                *known = known.zip(end).map(|(one, other)| one.max(other));
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = &Votes> {
        self.words.values().chain(self.indexed.values().flat_map(|indexed| indexed.offsets.values()))
    }

    fn by(module: &Module, votes: impl Fn(&Function) -> Vec<Votes>) -> Self {
        let mut uses = Self::default();
        for function in &module.functions {
            let votes = votes(function);
            for id in function.blocks.iter().flat_map(|block| &block.insts) {
                let inst = &function.insts[id.index()];
                if let (Op::Join, &[low, high]) = (inst.op, &inst.args[..]) {
                    let word = |value| function.definition(value).and_then(|inst| uniform(&inst.op));
                    if let (Some(low), Some(high)) = (word(low), word(high))
                        && low.is_indexed() == high.is_indexed()
                        && low.binding == high.binding
                        && low.offset.is_multiple_of(2)
                        && low.offset + 1 == high.offset
                    {
                        uses.doubles.insert((low.binding, low.offset));
                    }
                }
                let (Some(access), Some(result)) = (uniform(&inst.op), inst.results.first()) else {
                    continue;
                };
                let known = votes.get(result.index()).copied().unwrap_or_default();
                if access.is_indexed() {
                    let (_, step) =
                        super::matrices::stepped(function, inst.args.first().copied(), access.stride);
                    let indexed = uses.indexed.entry(access.binding).or_default();
                    indexed.offsets.entry(access.offset).or_default().add(known);
                    indexed.steps.insert(step);
                    indexed.highest_row = indexed.highest_row.max(access.offset % SLOT);
                } else {
                    uses.words.entry((access.binding, access.offset)).or_default().add(known);
                }
            }
        }
        uses
    }

    /// Words at fixed places between two places.
    pub(super) fn words(
        &self,
        binding: u32,
        first: u32,
        last: u32,
    ) -> impl Iterator<Item = (u32, Kind)> + '_ {
        let range = (binding, first)..(binding, last.max(first));
        self.words.range(range).map(|((_, word), votes)| (*word, votes.kind()))
    }

    /// Whether nobody says what a word is.
    pub(super) fn is_open(&self, binding: u32, word: u32) -> bool {
        self.words.get(&(binding, word)).is_some_and(|votes| votes.is_empty())
    }

    /// Whether a word and the next one are a double.
    pub(super) fn is_double(&self, binding: u32, word: u32) -> bool {
        self.doubles.contains(&(binding, word))
    }

    /// What is read where indices start.
    pub(super) fn indexed(&self, binding: u32) -> impl Iterator<Item = (u32, Votes)> + '_ {
        let indexed = self.indexed.get(&binding).into_iter().flat_map(|indexed| &indexed.offsets);
        indexed.map(|(word, votes)| (*word, *votes))
    }

    /// Words between two places that are the lower half of a double.
    pub(super) fn doubles(&self, binding: u32, words: Range<u32>) -> impl Iterator<Item = u32> + '_ {
        let range = (binding, words.start)..(binding, words.end.max(words.start));
        self.doubles.range(range).map(|(_, word)| *word)
    }

    /// The lowest place that an index starts at.
    pub(super) fn first_indexed(&self, binding: u32) -> Option<u32> {
        self.indexed.get(&binding)?.offsets.keys().next().copied()
    }

    /// Whether an index starts between two places.
    pub(super) fn is_indexed(&self, binding: u32, first: u32, last: u32) -> bool {
        self.indexed
            .get(&binding)
            .is_some_and(|indexed| indexed.offsets.range(first..last.max(first)).next().is_some())
    }

    /// The word behind the last one that indices reach that start between two places; nothing where the code does not show that.
    pub(super) fn end(&self, binding: u32, first: u32, last: u32) -> Option<u32> {
        let indexed = self.indexed.get(&binding)?;
        let mut ends = indexed.ends.range(first..last.max(first)).map(|(_, end)| *end);
        ends.try_fold(0, |highest, end| Some(end?.max(highest)))
    }

    /// Words from one index to the next, where products in indices count as steps.
    pub(super) fn steps(&self, binding: u32) -> impl Iterator<Item = u32> + '_ {
        self.indexed.get(&binding).into_iter().flat_map(|indexed| indexed.steps.iter().copied())
    }

    /// What the words are that indices lead to which start between two places.
    pub(super) fn indexed_kind(&self, binding: u32, first: u32, last: u32) -> Kind {
        let mut votes = Votes::default();
        let starts = self.indexed.get(&binding).map(|indexed| indexed.offsets.range(first..last.max(first)));
        starts.into_iter().flatten().for_each(|(_, known)| votes.add(*known));
        votes.kind()
    }

    /// What the slots from a place on are read as, those of which anything is known.
    pub(super) fn slots(&self, binding: u32, first: u32) -> BTreeMap<u32, SlotUse> {
        let mut slots: BTreeMap<u32, SlotUse> = BTreeMap::new();
        let mut add = |word: u32, votes: &Votes, indexed: bool| {
            let slot = slots.entry(word / SLOT).or_default();
            slot.indexed |= indexed;
            slot.double |= self.is_double(binding, word & !1);
            slot.integer |= votes.is_integer();
            slot.float |= !votes.is_empty() && !votes.is_integer();
        };
        for (word, votes) in
            self.indexed.get(&binding).into_iter().flat_map(|indexed| indexed.offsets.range(first..))
        {
            add(*word, votes, true);
        }
        for ((_, word), votes) in self.words.range((binding, first)..=(binding, u32::MAX)) {
            add(*word, votes, false);
        }
        slots
    }

    /// Rows of the matrices behind an index.
    pub(super) fn indexed_rows(&self, binding: u32) -> u8 {
        self.indexed.get(&binding).map_or(4, |indexed| (indexed.highest_row + 1).max(2) as u8)
    }
}
