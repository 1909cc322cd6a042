use super::*;
use crate::build::FunctionBuilder;
use crate::passes::testing::{assert_same, either, program, simplified};
use crate::random::Dice;

/// A multiply-add of halves as the machine has it, by its definition.
#[derive(Default, Clone, Copy)]
struct Xmad {
    upper_a: bool,
    upper_b: bool,
    signed: bool,
    /// The product goes to the upper half.
    shifted: bool,
    /// The other word, shifted, is added too.
    with_b: bool,
    /// The lower half of the sum with the lower half of the other word.
    merged: bool,
}

struct Writer<'a> {
    builder: &'a mut FunctionBuilder,
    dice: &'a mut Dice,
}

impl Writer<'_> {
    fn with(&mut self, op: Op, a: Value, bits: u32) -> Value {
        let bits = self.builder.bits(bits);
        if matches!(op, Op::And | Op::IAdd) {
            return either(self.dice, self.builder, op, a, bits);
        }
        self.builder.value(op, &[a, bits])
    }

    fn half(&mut self, a: Value, upper: bool, signed: bool) -> Value {
        match (upper, signed) {
            (false, false) => self.with(Op::And, a, 0xFFFF),
            (true, false) => self.with(Op::ShrU, a, 16),
            (true, true) => self.with(Op::ShrS, a, 16),
            (false, true) => {
                let up = self.with(Op::Shl, a, 16);
                self.with(Op::ShrS, up, 16)
            }
        }
    }

    fn both(&mut self, op: Op, a: Value, b: Value) -> Value {
        either(self.dice, self.builder, op, a, b)
    }

    fn xmad(&mut self, how: Xmad, a: Value, b: Value, c: Value) -> Value {
        let first = self.half(a, how.upper_a, how.signed);
        let second = self.half(b, how.upper_b, how.signed);
        let mut product = self.both(Op::IMul, first, second);
        if how.shifted {
            product = self.with(Op::Shl, product, 16);
        }
        let mut sum = self.both(Op::IAdd, product, c);
        if how.with_b {
            let up = self.with(Op::Shl, b, 16);
            sum = self.both(Op::IAdd, sum, up);
        }
        if how.merged {
            let low = self.with(Op::And, sum, 0xFFFF);
            let up = self.with(Op::Shl, b, 16);
            sum = self.both(Op::Or, low, up);
        }
        sum
    }

    /// `a * b + c` in three steps.
    fn chain(&mut self, a: Value, b: Value, c: Value, signed: bool) -> Value {
        let zero = self.builder.bits(0);
        let first = self.xmad(Xmad::default(), a, b, c);
        let merged = self.xmad(Xmad { upper_b: true, merged: true, ..Xmad::default() }, a, b, zero);
        let last =
            Xmad { upper_a: true, upper_b: true, shifted: true, with_b: true, signed, ..Xmad::default() };
        self.xmad(last, a, merged, first)
    }

    /// `a * number + c` in two steps.
    fn short_chain(&mut self, a: Value, number: u32, c: Value, signed: bool) -> Value {
        let number = self.builder.bits(number);
        let first = self.xmad(Xmad::default(), a, number, c);
        let last = Xmad { upper_a: true, shifted: true, signed, ..Xmad::default() };
        self.xmad(last, a, number, first)
    }
}

/// Checks that there are so many multiplications, and nothing that shifts or masks, and the same results.
fn check(
    seed: u64,
    products: usize,
    allowed: &[&str],
    write: impl FnOnce(&mut Writer<'_>, &[Value]) -> Vec<Value>,
) {
    let mut dice = Dice::new(seed);
    let mut module = program(|builder, inputs| write(&mut Writer { builder, dice: &mut dice }, inputs));
    let before = module.clone();
    // The machine's own zeros, and masks of what has no more bits, are gone before.
    if seed % 2 == 0 {
        simplified(&mut module);
    }
    assert!(run(&mut module) > 0, "{module}");
    assert_same(&before, &module, seed);
    let text = simplified(&mut module);
    assert_same(&before, &module, seed);
    assert_eq!(text.matches("imul").count(), products, "{text}\nfrom\n{before}");
    for name in [" and ", " shru ", " shrs ", " or ", " shl "] {
        assert!(allowed.contains(&name) || !text.contains(name), "{name} in\n{text}\nfrom\n{before}");
    }
}

#[test]
fn three_steps_are_a_product() {
    for seed in 0..120 {
        let signed = seed % 3 == 0;
        check(seed, 1, &[], |writer, x| vec![writer.chain(x[0], x[1], x[2], signed)]);
        check(seed, 1, &[], |writer, x| {
            let zero = writer.builder.bits(0);
            vec![writer.chain(x[0], x[1], zero, signed)]
        });
    }
}

#[test]
fn squares_and_what_is_added_twice() {
    for seed in 0..60 {
        check(seed, 1, &[], |writer, x| vec![writer.chain(x[0], x[0], x[1], false)]);
        // The partial products serve several sums.
        check(seed, 1, &[], |writer, x| {
            vec![writer.chain(x[0], x[1], x[2], false), writer.chain(x[0], x[1], x[3], false)]
        });
    }
}

#[test]
fn products_of_products() {
    for seed in 0..60 {
        check(seed, 3, &[], |writer, x| {
            let first = writer.chain(x[0], x[1], x[2], false);
            let second = writer.chain(first, x[3], first, false);
            vec![writer.chain(second, first, x[4], false)]
        });
    }
}

#[test]
fn numbers_need_fewer_steps() {
    for seed in 0..60 {
        for number in [0x120, 0x30, 12, 100, 0xFFFF, 0x8000] {
            let signed = seed % 3 == 0 && number < 0x8000;
            let (products, shift) = if number == 0x8000 { (0, " shl ") } else { (1, "") };
            check(seed, products, &[shift], |writer, x| vec![writer.short_chain(x[0], number, x[1], signed)]);
        }
        for number in [0xFFFF_FFF6, 0x1_0003, 0x5555_5556] {
            check(seed, 1, &[], |writer, x| {
                let number = writer.builder.bits(number);
                vec![writer.chain(x[0], number, x[1], false)]
            });
            check(seed, 1, &[], |writer, x| {
                let number = writer.builder.bits(number);
                vec![writer.chain(number, x[0], x[1], false)]
            });
        }
    }
}

/// Operands that have no upper half, as bit fields, and sums of such.
#[test]
fn bytes_times_words() {
    for seed in 0..60 {
        check(seed, 1, &[" and ", " shru "], |writer, x| {
            let byte = writer.with(Op::And, x[0], 0xFF);
            let shifted = writer.with(Op::ShrU, x[1], 8);
            let other = writer.with(Op::And, shifted, 0xFF);
            let addend = writer.with(Op::And, x[2], 0xFFFF);
            vec![writer.chain(byte, other, addend, false)]
        });
        check(seed, 1, &[" and "], |writer, x| {
            let byte = writer.with(Op::And, x[0], 0xFF);
            vec![writer.chain(byte, x[1], x[2], false)]
        });
        check(seed, 1, &[" and "], |writer, x| {
            let byte = writer.with(Op::And, x[0], 0xFF);
            vec![writer.chain(x[1], byte, x[2], false)]
        });
    }
}

/// A step too few, or one of other halves, is no product.
#[test]
fn almost_products_stay() {
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        let mut module = program(|builder, x| {
            let mut writer = Writer { builder, dice: &mut dice };
            let first = writer.xmad(Xmad::default(), x[0], x[1], x[2]);
            let shifted = Xmad { upper_a: true, shifted: true, ..Xmad::default() };
            let upper = writer.xmad(shifted, x[0], x[1], first);
            let wrong = writer.xmad(Xmad { signed: true, ..Xmad::default() }, x[3], x[4], x[5]);
            let crossed = writer.xmad(Xmad { upper_a: true, ..Xmad::default() }, x[3], x[4], wrong);
            vec![first, upper, wrong, crossed]
        });
        let before = module.clone();
        run(&mut module);
        assert_same(&before, &module, seed);
        let text = simplified(&mut module);
        assert!(text.contains(" and "), "{text}");
    }
}

/// Sums of many halves in any order keep what they are.
#[test]
fn random_sums_keep_every_bit() {
    for seed in 0..150 {
        let mut dice = Dice::new(seed);
        let mut module = program(|builder, x| {
            let mut values = x.to_vec();
            let mut writer = Writer { builder, dice: &mut dice };
            for _ in 0..14 {
                let (a, b) = (writer.dice.pick(&values), writer.dice.pick(&values));
                let (upper, signed) = (writer.dice.one_in(2), writer.dice.one_in(4));
                let value = match writer.dice.below(7) {
                    0 | 1 => writer.half(a, upper, signed),
                    2 => writer.both(Op::IMul, a, b),
                    3 => writer.with(Op::Shl, a, 16),
                    4 => writer.both(Op::Or, a, b),
                    5 => writer.builder.value(Op::ISub, &[a, b]),
                    _ => writer.both(Op::IAdd, a, b),
                };
                values.push(value);
            }
            let last = writer.chain(values[9], values[15], values[18], signed_of(seed));
            vec![last, values[19], values[17]]
        });
        let before = module.clone();
        run(&mut module);
        assert_same(&before, &module, seed);
    }
}

fn signed_of(seed: u64) -> bool {
    seed % 2 == 1
}
