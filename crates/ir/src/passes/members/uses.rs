//! Which words of blocks a program reads, and what it takes them for.

use super::{SLOT, uniform};
use crate::ast::{Scalar, wanted};
use crate::{Function, Op, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A float, or nobody can tell.
    Float,
    /// A signed integer.
    Int,
    /// An unsigned one.
    Uint,
}

/// How often a value is taken for what.
#[derive(Debug, Clone, Copy, Default)]
struct Votes {
    float: u32,
    int: u32,
    uint: u32,
    /// Integers whose sign does not matter.
    either: u32,
}

impl Votes {
    fn add(&mut self, other: Self) {
        self.float += other.float;
        self.int += other.int;
        self.uint += other.uint;
        self.either += other.either;
    }

    fn is_empty(self) -> bool {
        self.float + self.int + self.uint + self.either == 0
    }

    fn kind(self) -> Kind {
        if self.float > 0 || self.is_empty() {
            Kind::Float
        } else if self.uint > self.int {
            Kind::Uint
        } else {
            Kind::Int
        }
    }
}

/// How often values are followed through copies and choices.
const ROUNDS: usize = 4;

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
            let votes = votes(function);
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

/// Votes for each value, by what it is used for and what passes it on.
fn votes(function: &Function) -> Vec<Votes> {
    let mut votes = vec![Votes::default(); function.values.len()];
    let mut same: Vec<(Value, Value)> = Vec::new();
    for block in &function.blocks {
        for id in &block.insts {
            let inst = &function.insts[id.index()];
            for (position, arg) in inst.args.iter().enumerate() {
                votes[arg.index()].add(vote(&inst.op, position));
            }
            if let (Op::Select | Op::QuadRead(_) | Op::Shuffle, Some(result)) =
                (inst.op, inst.results.first())
            {
                let passed = if inst.op == Op::Select { 1..3 } else { 0..1 };
                same.extend(inst.args.get(passed).into_iter().flatten().map(|arg| (*arg, *result)));
            }
        }
        for target in block.terminator.targets() {
            let params = &function.blocks[target.block.index()].params;
            same.extend(target.args.iter().copied().zip(params.iter().copied()));
        }
    }
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (from, to) in &same {
            let known = votes[to.index()];
            if votes[from.index()].is_empty() && !known.is_empty() && function.ty(*from) == Type::B32 {
                votes[from.index()] = known;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    votes
}

/// What an operation takes an operand for.
fn vote(op: &Op, position: usize) -> Votes {
    let (mut float, mut int, mut uint, mut either) = (0, 0, 0, 0);
    match op {
        Op::IAdd
        | Op::ISub
        | Op::IMul
        | Op::INeg
        | Op::And
        | Op::Or
        | Op::Xor
        | Op::Not
        | Op::ICompare(_) => match wanted(op, position) {
            Some(Scalar::Int) => int = 1,
            Some(Scalar::Uint) => uint = 1,
            _ => either = 1,
        },
        Op::Shl if position == 0 => either = 1,
        Op::Load(access) | Op::Store(access) | Op::Atomic(_, access)
            if position < access.address_operands() =>
        {
            int = 1
        }
        Op::Store(_) | Op::Select | Op::Shuffle | Op::Call(_) => {}
        Op::Image(image) if position < usize::from(image.indexed) + image.coordinates() => int = 1,
        op => match wanted(op, position) {
            Some(Scalar::Float) => float = 1,
            Some(Scalar::Int) => int = 1,
            Some(Scalar::Uint) => uint = 1,
            _ => {}
        },
    }
    Votes { float, int, uint, either }
}
