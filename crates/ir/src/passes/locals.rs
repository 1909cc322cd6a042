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
    let words: usize =
        module.functions.iter_mut().map(|function| forward(function) + overwritten(function)).sum();
    words + without_gaps(module)
}

/// Takes out the words that nobody can reach of arrays whose elements lie further apart than they are long.
fn without_gaps(module: &mut Module) -> usize {
    // Largest number that divides all places, and the first word of all elements.
    let mut steps: Vec<u32> = vec![0; module.arrays.len()];
    for inst in module.functions.iter().flat_map(|function| &function.insts) {
        if let Op::Load(access) | Op::Store(access) | Op::Atomic(_, access) = inst.op
            && access.space == Space::Local
            && let Some(step) = steps.get_mut(access.binding as usize)
        {
            *step = gcd(gcd(*step, access.offset), access.stride);
        }
    }
    let mut count = 0;
    for (array, step) in module.arrays.iter_mut().zip(&steps) {
        if *step > 1 {
            array.words = array.words.div_ceil(*step);
            count += 1;
        }
    }
    if count == 0 {
        return 0;
    }
    for inst in module.functions.iter_mut().flat_map(|function| &mut function.insts) {
        if let Op::Load(access) | Op::Store(access) | Op::Atomic(_, access) = &mut inst.op
            && access.space == Space::Local
            && let Some(step) = steps.get(access.binding as usize).filter(|step| **step > 1)
        {
            access.offset /= step;
            access.stride /= step;
        }
    }
    count
}

/// Greatest common divisor; of 0 and a number that number.
fn gcd(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
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

    #[test]
    fn gaps_between_elements_go() {
        let place = |offset, stride| Access { space: Space::Local, binding: 0, offset, stride };
        let mut module = program(|builder, inputs| {
            builder.effect(Op::Store(place(4, 0)), &[inputs[0]]);
            builder.effect(Op::Store(place(8, 4)), &[inputs[5], inputs[1]]);
            let first = builder.value(Op::Load(place(0, 8)), &[inputs[5]]);
            let second = builder.value(Op::Load(place(4, 4)), &[inputs[5]]);
            vec![first, second]
        });
        module.arrays.push(LocalArray { name: "elements".to_owned(), words: 14 });
        let original = module.clone();
        assert_eq!(run(&mut module), 1, "{module}");
        assert_eq!(module.arrays[0].words, 4);
        for index in 0..6 {
            let inputs = [11, 22, 33, 44, 55, index];
            assert_eq!(outputs(&module, &inputs), outputs(&original, &inputs), "{module}");
        }
    }
}
