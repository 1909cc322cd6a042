use super::*;
use crate::build::FunctionBuilder;
use crate::exec::{Environment, Limits, Machine, Outcome, Program};
use crate::passes::testing::{either, simplified};
use crate::random::Dice;
use crate::{AtomicOp, CompareInt};

/// Words of a buffer.
const WORDS: usize = 64;
/// Where the table of buffers starts in constant data.
const TABLE: BufferTable = BufferTable { binding: 9, offset: 0x50, stride: 4, count: 4, first: 1 };
/// Buffers lie here, from the first on; the carry of the low word is common.
const ADDRESSES: [u64; 4] = [0x1_FFFF_FF80, 0x5_0000_0000, 0x7FFF_FFF0, 0x2_8000_0010];

/// Buffers that are reached by address and by number alike.
struct Buffers {
    words: Vec<[u32; WORDS]>,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
}

impl Buffers {
    fn place(address: u64) -> Option<(usize, usize)> {
        ADDRESSES.iter().enumerate().find_map(|(buffer, first)| {
            let word = usize::try_from(address.checked_sub(*first)? / 4).ok()?;
            (word < WORDS).then_some((buffer, word))
        })
    }
}

impl Environment for Buffers {
    fn load(&mut self, space: Space, binding: u32, word: u32) -> u32 {
        match space {
            Space::Input => self.inputs.get(word as usize).copied().unwrap_or(0),
            Space::Uniform => {
                let Some(at) = word.checked_sub(TABLE.offset).filter(|_| binding == TABLE.binding) else {
                    return 0;
                };
                let address = ADDRESSES.get(at as usize / 4).copied().unwrap_or(0);
                [address as u32, (address >> 32) as u32, 4 * WORDS as u32, 0][at as usize % 4]
            }
            _ => self
                .words
                .get(binding.wrapping_sub(1) as usize)
                .and_then(|words| words.get(word as usize))
                .copied()
                .unwrap_or(0),
        }
    }

    fn store(&mut self, space: Space, binding: u32, word: u32, value: u32) {
        if space == Space::Output {
            self.outputs.push(value);
        } else if let Some(words) = self.words.get_mut(binding.wrapping_sub(1) as usize)
            && let Some(place) = words.get_mut(word as usize)
        {
            *place = value;
        }
    }

    fn emit_vertex(&mut self, _: u32) -> u64 {
        0
    }

    fn end_primitive(&mut self, _: u32) -> u64 {
        0
    }

    fn global_load(&mut self, address: u64) -> u32 {
        Self::place(address).map_or(0, |(buffer, word)| self.words[buffer][word])
    }

    fn global_store(&mut self, address: u64, value: u32) {
        if let Some((buffer, word)) = Self::place(address) {
            self.words[buffer][word] = value;
        }
    }
}

/// Everything that a run leaves.
fn outcome(module: &Module, inputs: &[u32]) -> (Vec<[u32; WORDS]>, Vec<u32>) {
    let mut dice = Dice::new(5);
    let words = ADDRESSES.map(|_| std::array::from_fn(|_| dice.next() as u32));
    let mut buffers = Buffers { words: words.to_vec(), inputs: inputs.to_vec(), outputs: Vec::new() };
    let run = Machine::new(&Program::new(module).unwrap()).run(&mut buffers, Limits::fuel(10_000));
    assert_eq!(run.outcome, Outcome::Ended);
    (buffers.words, buffers.outputs)
}

struct Writer<'a> {
    builder: &'a mut FunctionBuilder,
    dice: &'a mut Dice,
}

/// An offset: its low word, and its high word unless that is zero.
type Offset = (Value, Option<Value>);

impl Writer<'_> {
    fn base(&mut self, buffer: u32) -> (Value, Value) {
        let offset = TABLE.offset + 4 * (buffer - TABLE.first);
        [0, 1]
            .map(|word| {
                let access = Access {
                    space: Space::Uniform,
                    binding: TABLE.binding,
                    offset: offset + word,
                    stride: 0,
                };
                self.builder.value(Op::Load(access), &[])
            })
            .into()
    }

    /// `address + offset` as compilers write it, in any order.
    fn add(&mut self, (low, high): (Value, Value), (offset, upper): Offset) -> (Value, Value) {
        let sum = either(self.dice, self.builder, Op::IAdd, low, offset);
        let against = if self.dice.one_in(2) { low } else { offset };
        let wraps = self.builder.value(Op::ICompare(CompareInt::Ult), &[sum, against]);
        let carry = if self.dice.one_in(2) {
            self.builder.value(Op::BToI, &[wraps])
        } else {
            let (one, zero) = (self.builder.bits(1), self.builder.bits(0));
            self.builder.value(Op::Select, &[wraps, one, zero])
        };
        let upper = match upper {
            Some(upper) => upper,
            None => self.builder.bits(0),
        };
        let terms = if self.dice.one_in(2) { [high, upper, carry] } else { [carry, high, upper] };
        let first = either(self.dice, self.builder, Op::IAdd, terms[0], terms[1]);
        (sum, either(self.dice, self.builder, Op::IAdd, first, terms[2]))
    }

    /// `x * 2^n`, unsigned, signed, or a signed word with its own high word.
    fn scaled(&mut self, x: Value, n: u32) -> Offset {
        let (by, rest, top) = (self.builder.bits(n), self.builder.bits(32 - n), self.builder.bits(31));
        let low = self.builder.value(Op::Shl, &[x, by]);
        let upper = match self.dice.below(3) {
            0 => self.builder.value(Op::ShrU, &[x, rest]),
            1 => self.builder.value(Op::ShrS, &[x, rest]),
            _ => {
                let sign = self.builder.value(Op::ShrS, &[x, top]);
                let own = self.builder.value(Op::Shl, &[sign, by]);
                let pushed = self.builder.value(Op::ShrU, &[x, rest]);
                either(self.dice, self.builder, Op::Or, pushed, own)
            }
        };
        (low, Some(upper))
    }
}

fn global(offset: u32) -> Access {
    Access { space: Space::Global, binding: 0, offset, stride: 0 }
}

/// Builds, recovers, and compares on offsets that stay in the buffers.
fn check(seed: u64, write: impl FnOnce(&mut Writer<'_>, &[Value])) -> String {
    let mut dice = Dice::new(seed);
    let mut builder = FunctionBuilder::new("main");
    let input = |word| Access { space: Space::Input, binding: 0, offset: word, stride: 0 };
    let inputs: Vec<Value> = (0..4).map(|word| builder.value(Op::Load(input(word)), &[])).collect();
    write(&mut Writer { builder: &mut builder, dice: &mut dice }, &inputs);
    builder.returns(&[]);
    let mut module = Module { buffer_tables: vec![TABLE], ..Module::default() };
    module.push_function(builder.finish());
    let before = module.clone();
    let changes = run(&mut module);
    assert!(changes.count > 0, "{module}");
    assert_eq!(changes.assumptions, [ASSUMPTION]);
    for _ in 0..100 {
        let inputs: Vec<u32> = (0..4).map(|_| dice.below(WORDS / 4) as u32).collect();
        assert_eq!(outcome(&before, &inputs), outcome(&module, &inputs), "{before}\nbecame\n{module}");
    }
    let text = simplified(&mut module);
    assert!(!text.contains("global"), "{text}");
    text
}

#[test]
fn addresses_are_buffers() {
    for seed in 0..200 {
        check(seed, |writer, x| {
            // The buffer itself, a word of it, an element, and one with a part.
            let first = writer.base(2);
            let element = writer.scaled(x[0], 4);
            let near = writer.add(first, element);
            let eight = writer.builder.bits(8);
            let far = writer.add(near, (eight, None));
            let value = writer.builder.value(Op::Load(global(1)), &[near.0, near.1]);
            writer.builder.effect(Op::Store(global(3)), &[first.0, first.1, value]);
            writer.builder.effect(Op::Store(global(0)), &[far.0, far.1, x[1]]);
            let old = writer.builder.value(Op::Atomic(AtomicOp::Add, global(0)), &[near.0, near.1, x[2]]);
            let output = Access { space: Space::Output, binding: 0, offset: 0, stride: 0 };
            writer.builder.effect(Op::Store(output), &[old]);
        });
    }
}

#[test]
fn offsets_that_go_back() {
    for seed in 0..100 {
        check(seed, |writer, x| {
            let (four, back) = (writer.builder.bits(4), writer.builder.bits(4_u32.wrapping_neg()));
            let (two, sixteen) = (writer.builder.bits(2), writer.builder.bits(16));
            let all = writer.builder.bits(u32::MAX);
            let offset = writer.builder.value(Op::Shl, &[x[0], two]);
            let offset = writer.builder.value(Op::IAdd, &[offset, sixteen]);
            let base = writer.base(1);
            let near = writer.add(base, (offset, None));
            let before = writer.add(near, (back, Some(all)));
            let again = writer.add(before, (four, None));
            let value = writer.builder.value(Op::Load(global(0)), &[before.0, before.1]);
            writer.builder.effect(Op::Store(global(2)), &[again.0, again.1, value]);
        });
    }
}

/// Numbers alone: what goes forth and back is a word of the buffer, not one far behind it.
#[test]
fn numbers_that_go_back() {
    for seed in 0..100 {
        let text = check(seed, |writer, x| {
            let (eight, back) = (writer.builder.bits(8), writer.builder.bits(4_u32.wrapping_neg()));
            let all = writer.builder.bits(u32::MAX);
            let base = writer.base(3);
            let near = writer.add(base, (eight, None));
            let before = writer.add(near, (back, Some(all)));
            writer.builder.effect(Op::Store(global(0)), &[before.0, before.1, x[0]]);
            let first = writer.add(before, (back, Some(all)));
            writer.builder.effect(Op::Store(global(3)), &[first.0, first.1, x[1]]);
        });
        assert!(!text.contains("shr"), "{text}");
    }
}

/// Addresses of no buffer, carries of other sums and other constants stay as they are.
#[test]
fn other_addresses_stay() {
    let mut builder = FunctionBuilder::new("main");
    let constant = |offset| Access { space: Space::Uniform, binding: TABLE.binding, offset, stride: 0 };
    let x = builder.value(Op::Load(Access { space: Space::Input, binding: 0, offset: 0, stride: 0 }), &[]);
    let [low, high, size] = [0, 1, 2].map(|word| builder.value(Op::Load(constant(TABLE.offset + word)), &[]));
    let sum = builder.value(Op::IAdd, &[low, x]);
    let wraps = builder.value(Op::ICompare(CompareInt::Ult), &[x, sum]);
    let carry = builder.value(Op::BToI, &[wraps]);
    let upper = builder.value(Op::IAdd, &[high, carry]);
    for (low, high) in [(sum, upper), (sum, high), (high, size), (low, size), (x, x)] {
        builder.effect(Op::Store(global(0)), &[low, high, x]);
    }
    builder.returns(&[]);
    let mut module = Module { buffer_tables: vec![TABLE], ..Module::default() };
    module.push_function(builder.finish());
    assert_eq!(run(&mut module), Changes::default());
}
