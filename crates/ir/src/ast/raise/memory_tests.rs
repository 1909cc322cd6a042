//! Vectors and single values of memory: random loads, stores and counting, in all orders, leave what the module leaves.

use super::super::exec;
use super::text;
use super::*;
use crate::build::FunctionBuilder;
use crate::exec::{Limits, Machine, Memory, Outcome, Program as Flat};
use crate::random::Dice;
use crate::{Access, AtomicOp, Barrier, FloatMode, Op, Space, Value};

const ELEMENTS: u32 = 4;

fn access(space: Space, offset: u32, stride: u32) -> Access {
    Access { space, binding: 0, offset, stride }
}

/// A counter, then vectors of four that two indices go through, and a fixed one.
fn random(dice: &mut Dice) -> Module {
    let space = dice.pick(&[Space::Shared, Space::Storage]);
    let mut builder = FunctionBuilder::new("main");
    let input =
        |builder: &mut FunctionBuilder, word| builder.value(Op::Load(access(Space::Input, word, 0)), &[]);
    let indices = [0, 1].map(|word| input(&mut builder, word));
    let mut values: Vec<Value> = (2..6).map(|word| input(&mut builder, word)).collect();
    for _ in 0..24 {
        let lane = dice.below(4) as u32;
        let (place, index) = match dice.below(4) {
            0 => (access(space, 8 + lane, 0), None),
            1 => (access(space, 8 + lane, 4), Some(indices[0])),
            n => (access(space, 4 + lane, 4), Some(indices[n - 2])),
        };
        let value = dice.pick(&values);
        match dice.below(12) {
            0 => {
                let old = builder.value(Op::Atomic(AtomicOp::Add, access(space, 0, 0)), &[indices[0]]);
                builder.effect(Op::Store(access(Space::Output, 1, 0)), &[old]);
            }
            1 => builder.effect(Op::Barrier(Barrier::Group), &[]),
            2 | 3 => {
                let other = dice.pick(&values);
                values.push(builder.value(Op::FAdd(FloatMode::F32), &[value, other]));
            }
            4..8 => {
                // Often all lanes of one element.
                let args: Vec<Value> = index.into_iter().collect();
                for n in 0..dice.below(4) as u32 + 1 {
                    let place = Access { offset: place.offset / 4 * 4 + (lane + n) % 4, ..place };
                    values.push(builder.value(Op::Load(place), &args));
                }
            }
            _ => {
                for n in 0..dice.below(4) as u32 + 1 {
                    let place = Access { offset: place.offset / 4 * 4 + (lane + n) % 4, ..place };
                    let args: Vec<Value> = index.into_iter().chain([dice.pick(&values)]).collect();
                    builder.effect(Op::Store(place), &args);
                }
            }
        }
    }
    let last = dice.pick(&values);
    builder.effect(Op::Store(access(Space::Output, 0, 0)), &[last]);
    builder.returns(&[]);
    let vectors_by_use = dice.one_in(2);
    let mut module =
        Module { shared_words: 32, vectors_by_use, from_shading_language: true, ..Module::default() };
    module.push_function(builder.finish());
    module
}

fn memory(seed: u32) -> Memory {
    let floats = |count: u32| (0..count).map(|n| ((n * 7 + seed) as f32).to_bits()).collect::<Vec<_>>();
    let mut memory = Memory::default();
    let mut inputs = vec![seed % ELEMENTS, seed / ELEMENTS % ELEMENTS];
    inputs.extend(floats(6));
    memory.set(Space::Input, 0, inputs);
    for space in [Space::Shared, Space::Storage] {
        let mut words = floats(4 * ELEMENTS + 12);
        words[0] = 5;
        memory.set(space, 0, words);
    }
    memory.set(Space::Output, 0, vec![0; 2]);
    memory
}

#[test]
fn elements_of_memory_are_what_their_words_are() {
    let mut dice = Dice::new(0x5EED);
    let mut vectors = 0;
    for _ in 0..300 {
        let module = random(&mut dice);
        for mode in [Mode::Strict, Mode::Readable] {
            let tree = raise(&module, mode).unwrap_or_else(|error| panic!("{error}\n{module}")).program;
            vectors += usize::from(tree.memories.iter().any(|memory| memory.components == 4));
            for seed in 0..ELEMENTS * ELEMENTS {
                let (mut expected, mut got) = (memory(seed), memory(seed));
                let flat = Flat::new(&module).unwrap();
                let outcome = Machine::new(&flat).run(&mut expected, Limits::fuel(10_000)).outcome;
                assert_eq!(outcome, Outcome::Ended);
                assert_eq!(exec::run(&tree, &mut got, Limits::fuel(10_000)).outcome, Outcome::Ended);
                for space in [Space::Shared, Space::Storage, Space::Output] {
                    assert_eq!(
                        expected.words(space, 0),
                        got.words(space, 0),
                        "{mode:?} {seed}\n{module}\n{}",
                        text::program(&tree)
                    );
                }
            }
        }
    }
    assert!(vectors > 200, "{vectors}");
}
