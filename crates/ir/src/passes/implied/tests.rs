use super::*;
use crate::passes::testing::{assert_same, program};
use crate::passes::{BRANCHES, DEAD, VALUES, run as run_passes};
use crate::{CompareFloat, FloatMode, Target};

fn checked(module: &Module, seed: u64) -> String {
    let mut after = module.clone();
    assert!(run(&mut after, Rules::Exact).count > 0, "{module}");
    assert!(crate::verify::check(&after).is_empty(), "{after}");
    assert_same(module, &after, seed);
    run_passes(&mut after, &[VALUES, BRANCHES, DEAD, VALUES, BRANCHES, DEAD], None);
    assert_same(module, &after, seed);
    after.to_string()
}

#[test]
fn what_a_comparison_excludes_is_known() {
    let module = program(|builder, inputs| {
        let (zero, one) = (builder.bits(0), builder.bits(1));
        let is_zero = builder.value(Op::ICompare(CompareInt::Eq), &[inputs[0], zero]);
        let (then, otherwise, join) = (builder.block(), builder.block(), builder.block());
        let result = builder.param(join, Type::B32);
        builder.branch(is_zero, then, otherwise);
        builder.switch_to(then);
        let is_one = builder.value(Op::ICompare(CompareInt::Eq), &[one, inputs[0]]);
        let a = builder.value(Op::Select, &[is_one, inputs[1], inputs[2]]);
        builder.jump(join, &[a]);
        builder.switch_to(otherwise);
        let not_zero = builder.value(Op::ICompare(CompareInt::Ne), &[zero, inputs[0]]);
        let b = builder.value(Op::Select, &[not_zero, inputs[3], inputs[4]]);
        builder.jump(join, &[b]);
        builder.switch_to(join);
        vec![result]
    });
    let text = checked(&module, 1);
    assert!(!text.contains("load input 0[1]") && !text.contains("load input 0[4]"), "{text}");
}

#[test]
fn a_join_that_asks_again_is_passed() {
    let module = program(|builder, inputs| {
        let less = builder.value(Op::ICompare(CompareInt::Slt), &[inputs[0], inputs[1]]);
        let [then, ask, rest, join] = [(); 4].map(|()| builder.block());
        let carried = builder.param(ask, Type::B32);
        let result = builder.param(join, Type::B32);
        builder.terminate(Terminator::Branch {
            condition: less,
            then: Target::plain(then),
            otherwise: Target { block: ask, args: vec![inputs[2]] },
        });
        builder.switch_to(then);
        let sum = builder.value(Op::IAdd, &[inputs[2], inputs[3]]);
        builder.jump(ask, &[sum]);
        builder.switch_to(ask);
        builder.terminate(Terminator::Branch {
            condition: less,
            then: Target { block: join, args: vec![carried] },
            otherwise: Target::plain(rest),
        });
        builder.switch_to(rest);
        let product = builder.value(Op::IMul, &[carried, inputs[4]]);
        builder.jump(join, &[product]);
        builder.switch_to(join);
        vec![result]
    });
    let text = checked(&module, 2);
    assert_eq!(text.matches("branch").count(), 1, "{text}");
}

#[test]
fn a_choice_within_a_choice_knows_the_first() {
    let module = program(|builder, inputs| {
        let zero = builder.bits(0);
        let none = builder.value(Op::ICompare(CompareInt::Eq), &[inputs[0], zero]);
        let some = builder.value(Op::ICompare(CompareInt::Ne), &[zero, inputs[0]]);
        let inner = builder.value(Op::Select, &[some, inputs[1], inputs[2]]);
        vec![builder.value(Op::Select, &[none, inputs[3], inner])]
    });
    assert_eq!(checked(&module, 3).matches("select").count(), 1);
}

#[test]
fn orders_turn_round_only_without_nan() {
    let module = program(|builder, inputs| {
        let mode = FloatMode::F32;
        let less = builder.value(Op::FCompare(CompareFloat::Lt, mode), &[inputs[0], inputs[1]]);
        let (then, join) = (builder.block(), builder.block());
        let result = builder.param(join, Type::B32);
        builder.terminate(Terminator::Branch {
            condition: less,
            then: Target { block: join, args: vec![inputs[2]] },
            otherwise: Target::plain(then),
        });
        builder.switch_to(then);
        let not_less = builder.value(Op::FCompare(CompareFloat::Le, mode), &[inputs[1], inputs[0]]);
        let a = builder.value(Op::Select, &[not_less, inputs[3], inputs[4]]);
        builder.jump(join, &[a]);
        builder.switch_to(join);
        vec![result]
    });
    assert_eq!(run(&mut module.clone(), Rules::Exact).count, 0);
    let changes = run(&mut module.clone(), Rules::Finite);
    assert!(changes.count > 0);
    assert_eq!(changes.assumptions, [ASSUMPTION]);
}

#[test]
fn outcomes_are_what_comparing_gives() {
    use CompareInt::{Eq, Ne, Sle, Slt, Ule, Ult};
    let words = [0u64, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF];
    for by in [Eq, Ne, Slt, Sle, Ult, Ule] {
        for (a, b) in words.iter().flat_map(|a| words.map(|b| (*a, b))) {
            let mut function = Function::default();
            function.push_block();
            let mut make = |op, args: &[Value], ty| {
                let inst = function.push_inst(op, args, &[ty], Origin::default());
                function.result(inst, 0)
            };
            let x = make(Op::BitCount, &[Value(0)], Type::B32);
            let y = make(Op::B32(b as u32), &[], Type::B32);
            let compared = make(Op::ICompare(by), &[x, y], Type::Bool);
            let mut walk = Walk {
                function: &mut function,
                rules: Rules::Exact,
                known: Known::default(),
                constants: Vec::new(),
                truths: [None; 2],
                zero: None,
                changed: 0,
                assumed: false,
            };
            walk.known.learn_case(x, a as u32, true);
            let expected = evaluate(&Op::ICompare(by), Type::B32, &[a, b]).map(|bits| bits == 1);
            assert_eq!(walk.truth(compared, 1), expected, "{by:?} {a:x} {b:x}");
        }
    }
}

/// A register keeps what another lane handed over until a condition behind the join chooses something else.
#[test]
fn what_nobody_reads_of_other_lanes_is_left_out() {
    let module = program(|builder, inputs| {
        let zero = builder.bits(0);
        let is_zero = builder.value(Op::ICompare(CompareInt::Eq), &[inputs[0], zero]);
        let lane = builder.bits(2);
        let other = builder.value(Op::Shuffle, &[inputs[1], lane]);
        let (then, otherwise, join) = (builder.block(), builder.block(), builder.block());
        let kept = builder.param(join, Type::B32);
        builder.branch(is_zero, then, otherwise);
        builder.switch_to(then);
        builder.jump(join, &[inputs[2]]);
        builder.switch_to(otherwise);
        let sum = builder.value(Op::IAdd, &[other, inputs[3]]);
        builder.jump(join, &[sum]);
        builder.switch_to(join);
        vec![builder.value(Op::Select, &[is_zero, kept, inputs[4]])]
    });
    let text = checked(&module, 9);
    assert!(!text.contains("shuffle"), "{text}");
}
