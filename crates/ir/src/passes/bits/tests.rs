use super::*;
use crate::passes::testing::{assert_same, either, program, simplified, word};
use crate::random::Dice;
use crate::{Access, Shape, Space};

/// Fields of words made of fields, in every order, keep every bit.
#[test]
fn random_fields_keep_every_bit() {
    let mut changed = 0;
    for seed in 0..400 {
        let mut dice = Dice::new(seed);
        let mut module = program(|builder, inputs| {
            let mut values = inputs.to_vec();
            for _ in 0..20 {
                let (a, b) = (dice.pick(&values), dice.pick(&values));
                let amount = |dice: &mut Dice| dice.pick(&[0, 1, 2, 4, 8, 16, 16, 20, 24, 31, 32, 33]);
                let (n, m) = (amount(&mut dice), amount(&mut dice));
                let mask = match dice.below(3) {
                    0 => word(&mut dice),
                    1 => field(n, m),
                    _ => dice.pick(&[0xFF, 0xFFFF, 0xFFFF_0000, 0xFF00, 0x0F0F_0F0F]),
                };
                let [n, m, mask] = [n, m, mask].map(|bits| builder.bits(bits));
                let value = match dice.below(9) {
                    0 | 1 => either(&mut dice, builder, Op::And, a, mask),
                    2 => builder.value(Op::Shl, &[a, n]),
                    3 => builder.value(Op::ShrU, &[a, n]),
                    4 => builder.value(Op::ShrS, &[a, n]),
                    5 => either(&mut dice, builder, Op::Or, a, b),
                    6 => builder.value(Op::UBitExtract, &[a, n, m]),
                    7 => builder.value(Op::BitInsert, &[a, b, n, m]),
                    _ => {
                        let orders = [CompareInt::Ult, CompareInt::Ule, CompareInt::Slt, CompareInt::Sle];
                        let (one, other) = dice.pick(&[(a, mask), (mask, a)]);
                        let holds = match dice.below(2) {
                            0 => either(&mut dice, builder, Op::ICompare(CompareInt::Eq), a, mask),
                            _ => builder.value(Op::ICompare(dice.pick(&orders)), &[one, other]),
                        };
                        builder.value(Op::BToI, &[holds])
                    }
                };
                values.push(value);
            }
            values.split_off(values.len() - 8)
        });
        let before = module.clone();
        for inputs in [Inputs::Any, Inputs::Bounded] {
            let changes = run(&mut module, inputs);
            changed += changes.count;
            assert!(changes.assumptions.is_empty());
            assert_same(&before, &module, seed);
        }
    }
    assert!(changed > 1000, "{changed}");
}

fn text_of(write: impl FnOnce(&mut crate::build::FunctionBuilder, &[Value]) -> Vec<Value>) -> String {
    let mut module = program(write);
    let before = module.clone();
    assert!(run(&mut module, Inputs::Any).count > 0, "{module}");
    assert_same(&before, &module, 3);
    simplified(&mut module)
}

#[test]
fn parts_of_what_was_put_together() {
    let sixteen = |builder: &mut crate::build::FunctionBuilder| builder.bits(16);
    let text = text_of(|builder, x| {
        let (n, half) = (sixteen(builder), builder.bits(0xFFFF));
        let low = builder.value(Op::And, &[x[0], half]);
        let up = builder.value(Op::Shl, &[x[1], n]);
        let both = builder.value(Op::Or, &[up, low]);
        vec![builder.value(Op::ShrU, &[both, n]), builder.value(Op::And, &[both, half])]
    });
    assert_eq!((text.matches(" and ").count(), text.matches("sh").count()), (2, 0), "{text}");
    let text = text_of(|builder, x| {
        let (n, half) = (sixteen(builder), builder.bits(0xFFFF));
        let number = builder.bits(3);
        let which = builder.value(Op::And, &[x[0], number]);
        let both = builder.value(Op::BitInsert, &[x[1], which, n, n]);
        let bank = builder.value(Op::ShrU, &[both, n]);
        let seven = builder.bits(7);
        let is_seven = builder.value(Op::ICompare(CompareInt::Eq), &[bank, seven]);
        let choice = builder.value(Op::Select, &[is_seven, x[2], x[3]]);
        vec![bank, builder.value(Op::And, &[both, half]), choice]
    });
    assert!(!text.contains("select") && !text.contains("insert") && !text.contains("shr"), "{text}");
}

/// The three numbers of an invocation that the machine packs into one word.
#[test]
fn numbers_in_a_packed_word() {
    let mut builder = crate::build::FunctionBuilder::new("main");
    let access = |space, offset| Access { space, binding: 0, offset, stride: 0 };
    let ids: Vec<Value> =
        (0..3).map(|word| builder.value(Op::Load(access(Space::Input, word)), &[])).collect();
    let mut packed = ids[0];
    for (id, n) in ids[1..].iter().zip([16, 26]) {
        let n = builder.bits(n);
        let up = builder.value(Op::Shl, &[*id, n]);
        packed = builder.value(Op::Or, &[packed, up]);
    }
    for (word, (first, count)) in [(0, 16), (16, 10), (26, 6)].into_iter().enumerate() {
        let (first, count) = (builder.bits(first), builder.bits(count));
        let id = builder.value(Op::UBitExtract, &[packed, first, count]);
        builder.effect(Op::Store(access(Space::Output, word as u32)), &[id]);
    }
    builder.returns(&[]);
    let mut module = Module::default();
    module.push_function(builder.finish());
    module.globals.push(Global {
        semantic: Some("local-id".to_owned()),
        ..Global::new("id", Space::Input, 0, 0, Shape::Uint { components: 3, elements: 0 })
    });
    let mut exact = module.clone();
    assert!(run(&mut exact, Inputs::Any).assumptions.is_empty());
    let changes = run(&mut module, Inputs::Bounded);
    assert_eq!(changes.assumptions, [ASSUMPTION]);
    let text = simplified(&mut module);
    for name in [" or ", " and ", "sh", "bit"] {
        assert!(!text.contains(name), "{name} in\n{text}");
    }
}

/// A choice among as many as a number of few bits can be has no other.
#[test]
fn choices_that_are_all_there_are() {
    for count in [3, 4] {
        let mut module = program(|builder, x| {
            let three = builder.bits(3);
            let number = builder.value(Op::And, &[x[0], three]);
            let mut value = x[5];
            for n in 0..count {
                let this = builder.bits(n);
                let test = builder.value(Op::ICompare(CompareInt::Eq), &[this, number]);
                value = builder.value(Op::Select, &[test, x[1 + n as usize], value]);
            }
            vec![value]
        });
        let before = module.clone();
        let changes = run(&mut module, Inputs::Any);
        assert_eq!(changes.count, usize::from(count == 4), "{module}");
        assert_same(&before, &module, count.into());
        assert_eq!(simplified(&mut module).matches(" = select ").count(), 3);
    }
}

#[test]
fn halves_in_one_word() {
    let text = text_of(|builder, x| {
        let [low, high] = [x[0], x[1]].map(|word| builder.value(Op::Low, &[word]));
        let zero = builder.value(Op::B16(0), &[]);
        let [low, high] = [low, high].map(|half| builder.value(Op::Join, &[half, zero]));
        let n = builder.bits(16);
        vec![builder.value(Op::BitInsert, &[low, high, n, n])]
    });
    assert!(text.contains("join") && !text.contains("insert"), "{text}");
}

#[test]
fn comparisons_beyond_what_can_be_are_known() {
    let before = program(|builder, x| {
        let mask = builder.bits(15);
        let low = builder.value(Op::And, &[x[0], mask]);
        let mut out = Vec::new();
        for bits in [0, 14, 15, 16, 0x8000_0000, u32::MAX] {
            let other = builder.bits(bits);
            for by in [CompareInt::Ult, CompareInt::Ule, CompareInt::Slt, CompareInt::Sle] {
                for args in [[low, other], [other, low]] {
                    let holds = builder.value(Op::ICompare(by), &args);
                    out.push(builder.value(Op::BToI, &[holds]));
                }
            }
        }
        out
    });
    let mut after = before.clone();
    run(&mut after, Inputs::Any);
    assert_same(&before, &after, 3);
    // What is asked of 14, half of what is asked of 0 and of 15 has to be looked at.
    assert_eq!(after.to_string().matches("icmp u").count(), 8, "{after}");
    assert_eq!(after.to_string().matches("icmp s").count(), 24, "{after}");
}
