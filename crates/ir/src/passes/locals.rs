//! Words of local arrays at fixed places: what was stored is what is loaded, as long as nothing was stored through an
//! index in between; what is stored again before anything could load it was stored for nothing.
//!
//! Exact.

use super::edit::Forward;
use crate::{Access, Function, InstId, Module, Op, Space, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Looks at all functions; answers how many loads and stores went.
pub(super) fn run(module: &mut Module) -> usize {
    if module.arrays.is_empty() {
        return 0;
    }
    module.functions.iter_mut().map(|function| forward(function) + overwritten(function)).sum()
}

/// An array and a word of it.
type Word = (u32, u32);

/// What an instruction does to local arrays.
enum Act {
    Load(Word),
    LoadIndexed(u32),
    Store(Word, Value),
    StoreIndexed(u32),
    /// It may do anything.
    Any,
    Nothing,
}

fn act(function: &Function, id: InstId) -> Act {
    let inst = &function.insts[id.index()];
    let word = |access: Access| (access.binding, access.offset);
    match inst.op {
        Op::Load(access) if access.space == Space::Local => match access.is_indexed() {
            true => Act::LoadIndexed(access.binding),
            false => Act::Load(word(access)),
        },
        Op::Store(access) if access.space == Space::Local => match (access.is_indexed(), inst.args.last()) {
            (false, Some(value)) => Act::Store(word(access), *value),
            _ => Act::StoreIndexed(access.binding),
        },
        Op::Call(_) => Act::Any,
        _ => Act::Nothing,
    }
}

/// Loads get what was stored before them in their block.
fn forward(function: &mut Function) -> usize {
    let mut forward = Forward::new(function);
    let mut count = 0;
    for block in 0..function.blocks.len() {
        let mut known: BTreeMap<Word, Value> = BTreeMap::new();
        let mut list = std::mem::take(&mut function.blocks[block].insts);
        list.retain(|id| {
            match act(function, *id) {
                Act::Load(word) => {
                    let result = function.result(*id, 0);
                    match known.get(&word) {
                        Some(value) if *value != result => {
                            forward.set(result, *value);
                            count += 1;
                            return false;
                        }
                        _ => {
                            known.insert(word, result);
                        }
                    }
                }
                Act::Store(word, value) => {
                    known.insert(word, value);
                }
                Act::StoreIndexed(array) => known.retain(|(of, _), _| *of != array),
                Act::Any => known.clear(),
                Act::LoadIndexed(_) | Act::Nothing => {}
            }
            true
        });
        function.blocks[block].insts = list;
    }
    if count > 0 {
        forward.apply(function);
    }
    count
}

/// Stores go of which their block makes others before anything could load.
fn overwritten(function: &mut Function) -> usize {
    let mut count = 0;
    for block in 0..function.blocks.len() {
        let mut again: BTreeSet<Word> = BTreeSet::new();
        let mut list = std::mem::take(&mut function.blocks[block].insts);
        list.reverse();
        list.retain(|id| {
            match act(function, *id) {
                Act::Load(word) => {
                    again.remove(&word);
                }
                Act::LoadIndexed(array) => again.retain(|(of, _)| *of != array),
                Act::Store(word, _) => {
                    if !again.insert(word) {
                        count += 1;
                        return false;
                    }
                }
                Act::Any => again.clear(),
                Act::StoreIndexed(_) | Act::Nothing => {}
            }
            true
        });
        list.reverse();
        function.blocks[block].insts = list;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::super::testing::{outputs, program};
    use super::*;
    use crate::LocalArray;

    #[test]
    fn words_are_stored_and_loaded_once() {
        let fixed = |offset| Access { space: Space::Local, binding: 0, offset, stride: 0 };
        let indexed = Access { space: Space::Local, binding: 0, offset: 0, stride: 1 };
        let mut module = program(|builder, inputs| {
            let store = |builder: &mut crate::build::FunctionBuilder, offset, value| {
                builder.effect(Op::Store(fixed(offset)), &[value]);
            };
            store(builder, 0, inputs[0]);
            store(builder, 0, inputs[1]);
            store(builder, 1, inputs[2]);
            let first = builder.value(Op::Load(fixed(0)), &[]);
            builder.effect(Op::Store(indexed), &[inputs[5], inputs[3]]);
            let second = builder.value(Op::Load(fixed(0)), &[]);
            let third = builder.value(Op::Load(fixed(0)), &[]);
            store(builder, 1, inputs[4]);
            let last = builder.value(Op::Load(indexed), &[inputs[5]]);
            vec![first, second, third, last]
        });
        module.arrays.push(LocalArray { name: "words".to_owned(), words: 4 });
        let original = module.clone();
        // The first store to each word, the first load and the third.
        assert_eq!(run(&mut module), 4, "{module}");
        assert!(crate::verify::check(&module).is_empty(), "{module}");
        for index in 0..3 {
            let inputs = [11, 22, 33, 44, 55, index];
            assert_eq!(outputs(&module, &inputs), outputs(&original, &inputs), "{module}");
        }
    }
}
