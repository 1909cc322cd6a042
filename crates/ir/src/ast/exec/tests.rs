use super::super::raise::{Mode, RaiseError, raise};
use super::*;
use crate::build::FunctionBuilder;
use crate::exec;
use crate::exec::Memory;
use crate::random::{inputs, module, observe, same};
use crate::{Access, FloatMode, Global, MinMax, Module, Multiply, Op, Round, Shape, Space, passes, ssa};

fn observe_tree(program: &Program, seed: u64, fuel: u64) -> Option<(Outcome, Memory)> {
    let mut memory = inputs(seed);
    let run = run(program, &mut memory, Limits::fuel(fuel));
    matches!(run.outcome, Outcome::Ended | Outcome::Discarded).then_some((run.outcome, memory))
}

/// Checks that the tree of a module shows what the module shows; false if it has no tree.
fn check(before: &Module, module: &Module, seed: u64, what: &str) -> bool {
    let built = match raise(module, Mode::Strict) {
        Ok(built) => built,
        Err(RaiseError::Recursion { .. }) => return false,
        Err(error) => panic!("{what}, seed {seed}: {error}\n{module}"),
    };
    for case in 0..6 {
        let Some(expected) = observe(before, seed ^ case << 32, 20_000) else { continue };
        let got = observe_tree(&built.program, seed ^ case << 32, 400_000);
        assert!(
            got.as_ref().is_some_and(|got| same(&expected, got)),
            "{what}, seed {seed}, case {case}: {expected:?}\nbecame {got:?}\nmodule:\n{module}\ntree:\n{:#?}",
            built.program
        );
    }
    true
}

#[test]
fn trees_of_random_modules_show_the_same() {
    let mut checked = 0;
    for seed in 0..3000 {
        let before = module(seed);
        let mut after = before.clone();
        ssa::run(&mut after);
        checked += u32::from(check(&before, &after, seed, "ssa"));
        passes::run(&mut after, passes::strict(), None);
        check(&before, &after, seed, "strict passes");
    }
    assert!(checked > 2000, "{checked}");
}

/// Programs that read the bits of a NaN as an integer see the same NaN in the tree.
#[test]
fn nan_has_the_same_bits() {
    let [plain, flushing] = [FloatMode::F32, FloatMode { flush: true, ..FloatMode::F32 }];
    let mut ops = Vec::new();
    for mode in [plain, flushing] {
        ops.extend([Op::FAdd(mode), Op::FDiv(mode), Op::FRcp(mode), Op::FRsq(mode), Op::FSqrt(mode)]);
        ops.extend(
            [Multiply::Ieee, Multiply::InfTimesZero, Multiply::ZeroWins].map(|how| Op::FMul(mode, how)),
        );
        ops.extend([Op::FLog2(mode), Op::FExp2(mode), Op::FSin(mode), Op::FRound(mode, Round::Down)]);
        ops.extend([Op::FMin(mode, MinMax::Number), Op::FMax(mode, MinMax::SecondUnlessOrdered)]);
    }
    let word = |space, offset| Access { space, binding: 0, offset, stride: 0 };
    let mut module = Module::default();
    for (name, space) in [("a", Space::Input), ("o", Space::Output)] {
        let shape = Shape::Float { components: 4, elements: ops.len() as u32 };
        module.globals.push(Global::new(name, space, 0, 0, shape));
    }
    let mut builder = FunctionBuilder::new("main");
    for (number, op) in (0..).zip(&ops) {
        let count = if matches!(op, Op::FAdd(_) | Op::FDiv(_) | Op::FMul(..) | Op::FMin(..) | Op::FMax(..)) {
            2
        } else {
            1
        };
        let args: Vec<_> = (0..count).map(|n| builder.value(Op::Load(word(Space::Input, n)), &[])).collect();
        let result = builder.value(*op, &args);
        let bits = builder.bits(1);
        let seen = builder.value(Op::Xor, &[result, bits]);
        builder.effect(Op::Store(word(Space::Output, 4 * number)), &[seen]);
    }
    builder.returns(&[]);
    module.entry = module.push_function(builder.finish());
    let built = raise(&module, Mode::Strict).unwrap();
    let program = exec::Program::new(&module).unwrap();
    let infinite = [0x7F80_0000, 0xFF80_0000];
    for a in [0xFFC0_0000, 0x7F80_0001, 0x7FFF_FFFF, (-1.0_f32).to_bits()].into_iter().chain(infinite) {
        for b in [0, 0x7FC1_2345, 0xFFFF_FFFF, 1.0_f32.to_bits()].into_iter().chain(infinite) {
            let start = || {
                let mut memory = Memory::default();
                memory.set(Space::Input, 0, vec![a, b, 0, 0]);
                memory.set(Space::Output, 0, vec![0; 4 * ops.len()]);
                memory
            };
            let (mut expected, mut got) = (start(), start());
            exec::Machine::new(&program).run(&mut expected, Limits::fuel(1000));
            run(&built.program, &mut got, Limits::fuel(1000));
            for (number, op) in ops.iter().enumerate() {
                let of = |memory: &Memory| memory.words(Space::Output, 0)[4 * number];
                assert_eq!(of(&got), of(&expected), "{op:?} {a:08x} {b:08x}");
            }
        }
    }
}
