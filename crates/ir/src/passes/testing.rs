//! What the tests of passes share: small programs on words, and numbers to run them on.

use crate::build::FunctionBuilder;
use crate::exec::{Limits, Machine, Memory, Outcome, Program};
use crate::random::Dice;
use crate::{Access, Module, Op, Space, Value};

/// Words that a program reads.
pub const INPUTS: u32 = 6;

/// A program that stores what `write` makes of [`INPUTS`] words, in order.
pub fn program(write: impl FnOnce(&mut FunctionBuilder, &[Value]) -> Vec<Value>) -> Module {
    let mut builder = FunctionBuilder::new("main");
    let access = |space, offset| Access { space, binding: 0, offset, stride: 0 };
    let inputs: Vec<Value> =
        (0..INPUTS).map(|word| builder.value(Op::Load(access(Space::Input, word)), &[])).collect();
    for (word, value) in write(&mut builder, &inputs).into_iter().enumerate() {
        builder.effect(Op::Store(access(Space::Output, word as u32)), &[value]);
    }
    builder.returns(&[]);
    let mut module = Module::default();
    module.push_function(builder.finish());
    module
}

/// What a program stores.
pub fn outputs(module: &Module, inputs: &[u32]) -> Vec<u32> {
    let mut memory = Memory::default();
    memory.set(Space::Input, 0, inputs.to_vec());
    memory.set(Space::Output, 0, vec![0; 8]);
    let run = Machine::new(&Program::new(module).unwrap()).run(&mut memory, Limits::fuel(10_000));
    assert_eq!(run.outcome, Outcome::Ended);
    memory.words(Space::Output, 0).to_vec()
}

/// A word: those around powers of two and halves often.
pub fn word(dice: &mut Dice) -> u32 {
    const EDGES: [u32; 12] = [
        0,
        1,
        2,
        0x7FFF,
        0x8000,
        0xFFFF,
        0x1_0000,
        0x1_0001,
        0x7FFF_FFFF,
        0x8000_0000,
        0xFFFF_0000,
        u32::MAX,
    ];
    match dice.below(4) {
        0 => dice.pick(&EDGES),
        1 => (dice.next() >> 32) as u32 >> dice.below(32),
        2 => ((dice.next() >> 32) as u32 >> dice.below(32)).wrapping_neg(),
        _ => (dice.next() >> 32) as u32,
    }
}

/// Whether both programs store the same for many inputs.
pub fn assert_same(before: &Module, after: &Module, seed: u64) {
    let mut dice = Dice::new(seed);
    for _ in 0..200 {
        let inputs: Vec<u32> = (0..INPUTS).map(|_| word(&mut dice)).collect();
        assert_eq!(
            outputs(before, &inputs),
            outputs(after, &inputs),
            "{inputs:x?}\n{before}\nbecame\n{after}"
        );
    }
}

/// Whether both programs store nearly the same numbers for inputs of ordinary size: within some ulp of the largest
/// number that takes part.
pub fn assert_near(before: &Module, after: &Module, seed: u64) {
    let mut dice = Dice::new(seed);
    for _ in 0..300 {
        let numbers: Vec<f32> = (0..INPUTS).map(|_| dice.below(8000) as f32 / 1024.0 - 4.0).collect();
        let inputs: Vec<u32> = numbers.iter().map(|number| number.to_bits()).collect();
        let largest = numbers.iter().fold(1.0f32, |most, number| most.max(number.abs()));
        for (a, b) in outputs(before, &inputs).iter().zip(outputs(after, &inputs)) {
            let (a, b) = (f32::from_bits(*a), f32::from_bits(b));
            let near = a.to_bits() == b.to_bits()
                || (a - b).abs() <= 8.0 * f32::EPSILON * a.abs().max(largest * largest);
            assert!(near || a.is_nan() && b.is_nan(), "{a} became {b}\n{before}\nbecame\n{after}");
        }
    }
}

/// Operands that may change places, in either order.
pub fn either(dice: &mut Dice, builder: &mut FunctionBuilder, op: Op, a: Value, b: Value) -> Value {
    let args = if dice.one_in(2) { [a, b] } else { [b, a] };
    builder.value(op, &args)
}

/// The text after the program was simplified, which it leaves the same.
pub fn simplified(module: &mut Module) -> String {
    super::run(module, &[super::VALUES, super::DEAD], None);
    module.to_string()
}
