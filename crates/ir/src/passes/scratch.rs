//! Local memory as the arrays that lie in it: a machine has one run of words for all arrays of a program, one behind the
//! other. Where its words change from floats to integers, or the other way round, another array starts.

use super::Changes;
use crate::votes::{Votes, by_all};
use crate::{LocalArray, Module, Op, Space};
use std::collections::BTreeMap;

/// What must hold.
const ASSUMPTION: &str = "indices of relative addressing stay inside what they address";

/// What is known of a word, of that behind an index where there is one.
#[derive(Debug, Clone, Copy, Default)]
struct Word {
    votes: Votes,
    /// Words from one index to the next, the most.
    stride: u32,
}

pub(super) fn run(module: &mut Module) -> Changes {
    let mut count = 0;
    // Arrays that are added are not looked at again.
    for array in 0..module.arrays.len() as u32 {
        let starts = starts(&words(module, array));
        if starts.len() > 1 && starts.iter().all(|start| module.arrays[array as usize].words > *start) {
            split(module, array, &starts);
            count += starts.len();
        }
    }
    Changes::from(count).assume(ASSUMPTION)
}

/// The words of an array that the program names.
fn words(module: &Module, array: u32) -> BTreeMap<u32, Word> {
    let mut words: BTreeMap<u32, Word> = BTreeMap::new();
    for function in &module.functions {
        let votes = by_all(function);
        for id in function.blocks.iter().flat_map(|block| &block.insts) {
            let Some(inst) = function.insts.get(id.index()) else { continue };
            let (Op::Load(access) | Op::Store(access)) = inst.op else { continue };
            if (access.space, access.binding) != (Space::Local, array) {
                continue;
            }
            let value = inst.results.first().or_else(|| inst.args.last());
            let known = value.and_then(|value| votes.get(value.index())).copied().unwrap_or_default();
            let word = words.entry(access.offset).or_default();
            word.votes.add(known);
            word.stride = word.stride.max(access.stride);
        }
    }
    words
}

/// The first words of the arrays; one for an array that stays as it is.
fn starts(words: &BTreeMap<u32, Word>) -> Vec<u32> {
    let is_float = |votes: Votes| match (votes.is_float(), votes.is_integer()) {
        (false, false) => None,
        (float, _) => Some(float),
    };
    let mut starts = vec![0];
    let mut open = None;
    // The end of the elements that indices lead to from the words in front.
    let mut reached = 0;
    for (offset, word) in words {
        let kind = is_float(word.votes);
        if kind.is_none() && !word.votes.is_empty() {
            return vec![0];
        }
        if kind.is_some() && open.is_some() && kind != open {
            // Elements that have both.
            if *offset < reached {
                return vec![0];
            }
            starts.push(*offset);
        }
        open = kind.or(open);
        // An index has two values at the least.
        let second = u32::from(word.stride > 0);
        reached = reached.max(offset.saturating_add(word.stride).saturating_add(second));
    }
    starts
}

/// Makes an array several; the first one stays where it was.
fn split(module: &mut Module, array: u32, starts: &[u32]) {
    let LocalArray { name, words } = module.arrays[array as usize].clone();
    let first = module.arrays.len() as u32;
    let ends = starts.iter().skip(1).copied().chain([words]);
    for (at, (start, end)) in starts.iter().zip(ends).enumerate() {
        let words = end - start;
        match at {
            0 => module.arrays[array as usize].words = words,
            _ => module.arrays.push(LocalArray { name: format!("{name}{}", at + 1), words }),
        }
    }
    for inst in module.functions.iter_mut().flat_map(|function| &mut function.insts) {
        if let Op::Load(access) | Op::Store(access) | Op::Atomic(_, access) = &mut inst.op
            && (access.space, access.binding) == (Space::Local, array)
        {
            let at = starts.partition_point(|start| *start <= access.offset).saturating_sub(1);
            access.offset -= starts[at];
            if at > 0 {
                access.binding = first + at as u32 - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{outputs, program};
    use super::*;
    use crate::{Access, FloatMode, Multiply};

    /// Two words of floats and integers behind them, with steps of so many words.
    fn memory(stride: u32) -> Module {
        let place = |offset, stride| Access { space: Space::Local, binding: 0, offset, stride };
        let mut module = program(|builder, x| {
            let product = builder.value(Op::FMul(FloatMode::F32, Multiply::Ieee), &[x[0], x[1]]);
            let sum = builder.value(Op::IAdd, &[x[2], x[3]]);
            builder.effect(Op::Store(place(0, 0)), &[product]);
            builder.effect(Op::Store(place(1, 0)), &[product]);
            builder.effect(Op::Store(place(2, 0)), &[sum]);
            builder.effect(Op::Store(place(3, 0)), &[x[4]]);
            let float = builder.value(Op::Load(place(0, stride)), &[x[5]]);
            let word = builder.value(Op::Load(place(2, stride)), &[x[5]]);
            vec![float, word]
        });
        module.arrays.push(LocalArray { name: "memory".to_owned(), words: 4 });
        module
    }

    #[test]
    fn words_of_another_kind_are_another_array() {
        let before = memory(1);
        let mut after = before.clone();
        assert_eq!(run(&mut after).count, 2);
        assert!(crate::verify::check(&after).is_empty(), "{after}");
        let lengths: Vec<(&str, u32)> =
            after.arrays.iter().map(|array| (array.name.as_str(), array.words)).collect();
        assert_eq!(lengths, [("memory", 2), ("memory2", 2)]);
        for index in 0..2 {
            let inputs = [11, 22, 33, 44, 55, index];
            assert_eq!(outputs(&before, &inputs), outputs(&after, &inputs), "{after}");
        }
    }

    /// Those of one step of four words, and those of an index whose second element is of the other kind.
    #[test]
    fn elements_of_both_kinds_stay() {
        for before in [memory(4), memory(2)] {
            let mut after = before.clone();
            assert_eq!(run(&mut after).count, 0);
            assert_eq!(before, after);
        }
    }
}
