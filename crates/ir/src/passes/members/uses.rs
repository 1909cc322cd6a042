//! Which words of blocks a program reads, and what it takes them for.

use super::{SLOT, uniform};
use crate::Function;
use crate::votes::{Kind, Votes, by_use};
use std::collections::{BTreeMap, BTreeSet};

/// What is reached by an index.
#[derive(Debug, Default)]
struct Indexed {
    offsets: BTreeSet<u32>,
    steps: BTreeSet<u32>,
    votes: Votes,
    highest_row: u32,
}

/// The words of all blocks.
#[derive(Debug, Default)]
pub(super) struct Uses {
    words: BTreeMap<(u32, u32), Votes>,
    indexed: BTreeMap<u32, Indexed>,
}

impl Uses {
    pub(super) fn new(functions: &[Function]) -> Self {
        let mut uses = Self::default();
        for function in functions {
            let votes = by_use(function);
            for id in function.blocks.iter().flat_map(|block| &block.insts) {
                let inst = &function.insts[id.index()];
                let (Some(access), Some(result)) = (uniform(&inst.op), inst.results.first()) else {
                    continue;
                };
                let known = votes.get(result.index()).copied().unwrap_or_default();
                if access.is_indexed() {
                    let (_, step) =
                        super::matrices::stepped(function, inst.args.first().copied(), access.stride);
                    let indexed = uses.indexed.entry(access.binding).or_default();
                    indexed.offsets.insert(access.offset);
                    indexed.steps.insert(step);
                    indexed.votes.add(known);
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

    /// The lowest place that an index starts at.
    pub(super) fn first_indexed(&self, binding: u32) -> Option<u32> {
        self.indexed.get(&binding)?.offsets.first().copied()
    }

    /// Whether an index starts between two places.
    pub(super) fn is_indexed(&self, binding: u32, first: u32, last: u32) -> bool {
        self.indexed
            .get(&binding)
            .is_some_and(|indexed| indexed.offsets.range(first..last.max(first)).next().is_some())
    }

    /// Words from one index to the next, where products in indices count as steps.
    pub(super) fn steps(&self, binding: u32) -> impl Iterator<Item = u32> + '_ {
        self.indexed.get(&binding).into_iter().flat_map(|indexed| indexed.steps.iter().copied())
    }

    /// What the words behind an index are.
    pub(super) fn indexed_kind(&self, binding: u32) -> Kind {
        self.indexed.get(&binding).map_or(Kind::Float, |indexed| indexed.votes.kind())
    }

    /// Rows of the matrices behind an index.
    pub(super) fn indexed_rows(&self, binding: u32) -> u8 {
        self.indexed.get(&binding).map_or(4, |indexed| (indexed.highest_row + 1).max(2) as u8)
    }
}
