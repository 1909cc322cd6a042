//! What memory and outputs are taken for, by all that a program stores there and loads from there.

use crate::passes::varyings::declared;
use crate::votes::{Votes, by_all_and};
use crate::{Access, Module, Op, Space};
use std::collections::BTreeMap;

/// Votes for the words of memory and outputs.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    /// By space, binding, first word and step.
    words: BTreeMap<(Space, u32, u32, u32), Votes>,
    /// By space, binding and, of outputs, the vector.
    wholes: BTreeMap<(Space, u32, u32), Votes>,
}

fn word(access: Access) -> (Space, u32, u32, u32) {
    (access.space, access.binding, access.offset, access.stride)
}

fn whole(access: Access) -> (Space, u32, u32) {
    (access.space, access.binding, if access.space == Space::Output { access.offset / 4 } else { 0 })
}

impl Cells {
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

    /// The words of all memory that a module names.
    pub fn new(module: &Module) -> Self {
        let mut cells = Self::default();
        for function in &module.functions {
            let votes = by_all_and(function, |op| declared(module, op));
            for id in function.blocks.iter().flat_map(|block| &block.insts) {
                let Some(inst) = function.insts.get(id.index()) else { continue };
                let (access, known) = match inst.op {
                    Op::Load(access) | Op::Store(access) => {
                        let value = inst.results.first().or_else(|| inst.args.last());
                        (access, value.and_then(|value| votes.get(value.index())).copied())
                    }
                    Op::Atomic(_, access) => (access, Some(Votes::of_result(&inst.op))),
                    _ => continue,
                };
                if matches!(access.space, Space::Shared | Space::Storage | Space::Local | Space::Output) {
                    let known = known.unwrap_or_default();
                    cells.words.entry(word(access)).or_default().add(known);
                    cells.wholes.entry(whole(access)).or_default().add(known);
                }
            }
        }
        cells
    }

    /// What a word is taken for; where nobody says, what all others of its memory, or of its vector, are if they are
    /// of one kind.
    pub fn of(&self, access: Access) -> Votes {
        let own = self.words.get(&word(access)).copied().unwrap_or_default();
        if !own.is_empty() {
            return own;
        }
        let one_kind = |votes: &Votes| votes.is_integer() || votes.is_float();
        self.wholes.get(&whole(access)).copied().filter(one_kind).unwrap_or_default()
    }
}
