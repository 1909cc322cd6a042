use super::*;
use crate::random;

/// Every pass, on what the passes before it made of random modules, keeps what runs show.
#[test]
fn strict_passes_keep_every_bit() {
    for seed in 0..800 {
        let mut module = random::module(seed);
        let original = module.clone();
        for (n, pass) in strict().iter().enumerate() {
            let before = module.clone();
            (pass.run)(&mut module);
            random::assert_equal(&before, &module, seed, &format!("pass {n} ({})", pass.name));
        }
        random::assert_equal(&original, &module, seed, "all passes");
    }
}

/// Each pass that works before the variables are gone, there.
#[test]
fn passes_work_on_variables() {
    for seed in 0..300 {
        for pass in [BRANCHES, VALUES, DEAD, INLINE, SELECT, MASKS, KNOWN, FLAGS, SINK, CASES, LEAVES, LATER]
        {
            let before = random::module(seed);
            let mut after = before.clone();
            (pass.run)(&mut after);
            random::assert_equal(&before, &after, seed, pass.name);
        }
    }
}

#[test]
fn a_run_can_stop_and_reports() {
    let mut module = random::module(3);
    let report = run(&mut module, strict(), Some(2));
    assert_eq!(report.passes.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["ssa", "storage"]);
    assert!(report.assumptions.is_empty());
}

/// Readable passes keep modules well-formed, whatever they are given.
/// What a pass reports is what it did: leaving out passes that found nothing before changes nothing.
#[test]
fn idle_passes_are_idle_again() {
    for seed in 0..400 {
        let mut module = random::module(seed);
        module.from_shading_language = seed % 2 == 0;
        for passes in [strict(), readable()] {
            let (mut left_out, mut all) = (module.clone(), module.clone());
            run(&mut left_out, passes, None);
            for pass in passes {
                run(&mut all, std::slice::from_ref(pass), None);
            }
            assert_eq!(left_out.to_string(), all.to_string(), "seed {seed}");
        }
    }
}

#[test]
fn readable_passes_keep_modules_well_formed() {
    for seed in 0..400 {
        let mut module = random::module(seed);
        for (n, pass) in readable().iter().enumerate() {
            (pass.run)(&mut module);
            let problems = crate::verify::check(&module);
            assert!(problems.is_empty(), "pass {n} ({}), seed {seed}: {}\n{module}", pass.name, problems[0]);
        }
    }
}

mod idioms;

/// A module of one function with many blocks of arithmetic over 60 variables, and jumps near and far.
fn large(blocks: usize) -> Module {
    use crate::build::FunctionBuilder;
    use crate::{Access, FloatMode, Multiply, Op, Space, Terminator, Type};
    let mut dice = random::Dice::new(5);
    let mut module = Module::default();
    let variables: Vec<_> = (0..60).map(|n| module.push_variable("r", n, Type::B32, 0)).collect();
    let flag = module.push_variable("c", 0, Type::Bool, 0);
    let mut main = FunctionBuilder::new("main");
    let mut ids = vec![main.current()];
    ids.extend((1..blocks).map(|_| main.block()));
    for (n, id) in ids.iter().enumerate() {
        main.switch_to(*id);
        for _ in 0..6 {
            let a = main.read(dice.pick(&variables), Type::B32);
            let b = main.read(dice.pick(&variables), Type::B32);
            let product = main.value(Op::FMul(FloatMode::F32, Multiply::InfTimesZero), &[a, b]);
            let sum = main.value(Op::FAdd(FloatMode::F32), &[product, a]);
            main.write(dice.pick(&variables), sum);
        }
        if n + 1 == blocks {
            let access = Access { space: Space::Output, binding: 0, offset: 0, stride: 0 };
            let read = main.read(variables[0], Type::B32);
            main.effect(Op::Store(access), &[read]);
            main.terminate(Terminator::End);
            break;
        }
        let near = ids[(n + 1 + dice.below(12)).min(blocks - 1)];
        let far = if dice.one_in(20) { dice.pick(&ids[1..]) } else { ids[n + 1] };
        let condition = main.read(flag, Type::Bool);
        let zero = main.read(variables[1], Type::B32);
        let compared = main.value(Op::FCompare(crate::CompareFloat::Lt, FloatMode::F32), &[zero, zero]);
        main.write(flag, compared);
        main.branch(condition, near, far);
    }
    module.push_function(main.finish());
    module
}

/// Twice the program takes about twice the time: far from four times. Other work on the machine slows down one try or
/// the other, but not each.
#[test]
fn the_time_grows_with_the_size() {
    let time = |blocks| {
        let module = large(blocks);
        let start = std::time::Instant::now();
        for list in [strict(), readable()] {
            let mut module = module.clone();
            run(&mut module, list, None);
        }
        start.elapsed().as_secs_f64()
    };
    let mut tries = Vec::new();
    for _ in 0..4 {
        let (small, big) = (time(1000).max(0.01), time(8000));
        if big < small * 8.0 * 5.0 {
            return;
        }
        tries.push(format!("{small} s became {big} s"));
    }
    panic!("{tries:?}");
}
