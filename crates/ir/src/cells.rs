//! What memory and outputs are taken for, by all that a program stores there and loads from there.

use crate::votes::{Votes, by_all_and, declared};
use crate::{Access, Module, Op, Space};
use std::collections::BTreeMap;

/// Votes for the words of memory and outputs.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    /// By space, binding, first word and step.
    words: BTreeMap<(Space, u32, u32, u32), Votes>,
    /// By space, binding and vector: what is known of all its words. Of memory that is what indices go through.
    vectors: BTreeMap<(Space, u32, u32), Votes>,
    /// By space and binding of memory: where indices start, and how many words they go on by.
    steps: BTreeMap<(Space, u32), (u32, u32)>,
}

fn word(access: Access) -> (Space, u32, u32, u32) {
    (access.space, access.binding, access.offset, access.stride)
}

/// Whether others see what is stored there.
fn is_memory(space: Space) -> bool {
    matches!(space, Space::Shared | Space::Storage)
}

impl Cells {
    /// The words of all memory that a module names.
    pub fn new(module: &Module) -> Self {
        let cells = Self::gathered(module, &Self::default());
        // Several loads of a word are of one kind, and so is what they are stored to.
        let is_word =
            |(key, votes): (&(Space, u32, u32, u32), &Votes)| key.0 == Space::Uniform && !votes.is_empty();
        let is_open =
            |(key, votes): (&(Space, u32, u32, u32), &Votes)| key.0 != Space::Uniform && votes.is_empty();
        if cells.words.iter().any(is_word) && cells.words.iter().any(is_open) {
            return Self::gathered(module, &cells);
        }
        cells
    }

    fn gathered(module: &Module, before: &Self) -> Self {
        let mut cells = Self::default();
        let mut found = Vec::new();
        for function in &module.functions {
            let votes = by_all_and(function, |op| match (op, declared(module, op)) {
                (Op::Load(access), known) if known.is_empty() && access.space == Space::Uniform => {
                    before.words.get(&word(*access)).copied().unwrap_or_default()
                }
                (_, known) => known,
            });
            for id in function.blocks.iter().flat_map(|block| &block.insts) {
                let Some(inst) = function.insts.get(id.index()) else { continue };
                let (access, known) = match inst.op {
                    Op::Load(access) | Op::Store(access) => {
                        let value = inst.results.first().or_else(|| inst.args.last());
                        (
                            access,
                            value.and_then(|value| votes.get(value.index())).copied().unwrap_or_default(),
                        )
                    }
                    Op::Atomic(_, access) => (access, Votes::of_result(&inst.op)),
                    _ => continue,
                };
                if access.space == Space::Uniform {
                    cells.words.entry(word(access)).or_default().add(known);
                } else if is_memory(access.space) || matches!(access.space, Space::Local | Space::Output) {
                    cells.words.entry(word(access)).or_default().add(known);
                    // What is changed at once says nothing of what lies beside it.
                    if matches!(inst.op, Op::Atomic(..)) {
                        continue;
                    }
                    if !is_memory(access.space) || access.is_indexed() {
                        let first = (access.offset, 0);
                        let (start, step) =
                            cells.steps.entry((access.space, access.binding)).or_insert(first);
                        *start = access.offset.min(*start);
                        *step = access.stride.max(*step);
                    }
                    found.push((access, known));
                }
            }
        }
        for (access, known) in found {
            if let Some(vector) = cells.vector(access) {
                cells.vectors.entry(vector).or_default().add(known);
            }
        }
        cells
    }

    /// The vector of an array's elements, or of an output, that a word belongs to; local memory is one.
    fn vector(&self, access: Access) -> Option<(Space, u32, u32)> {
        let slot = match access.space {
            Space::Local => 0,
            Space::Output => access.offset / 4,
            space => {
                let (start, step) = *self.steps.get(&(space, access.binding))?;
                (access.offset >= start).then(|| access.offset.checked_rem(step).unwrap_or(0) / 4)?
            }
        };
        Some((access.space, access.binding, slot))
    }

    /// What an operation gives, or stores, by declarations, and else by these words.
    pub(crate) fn known(&self, module: &Module, op: &Op) -> Votes {
        match op {
            Op::Load(access) | Op::Store(access) => {
                let known = declared(module, op);
                if known.is_empty() { self.of(*access) } else { known }
            }
            op => declared(module, op),
        }
    }

    /// What a word is taken for; where nobody says, what all others of its vector are if they are of one kind.
    pub fn of(&self, access: Access) -> Votes {
        let own = self.words.get(&word(access)).copied().unwrap_or_default();
        if !own.is_empty() {
            return own;
        }
        let vector = self.vector(access).and_then(|vector| self.vectors.get(&vector)).copied();
        vector.filter(|votes| votes.is_integer() || votes.is_float()).unwrap_or_default()
    }
}
