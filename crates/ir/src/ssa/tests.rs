use crate::build::FunctionBuilder;
use crate::exec::{Limits, Machine, Memory, Outcome, Program};
use crate::{Access, FunctionId, Module, Op, Space, Type, random};

#[test]
fn random_modules_keep_their_meaning() {
    for seed in 0..1500 {
        let before = random::module(seed);
        let mut after = before.clone();
        super::run(&mut after);
        let left = after.functions.iter().flat_map(|function| {
            let listed = function.blocks.iter().flat_map(|block| &block.insts);
            listed.map(|inst| function.insts[inst.index()].op)
        });
        assert!(!left.into_iter().any(|op| matches!(op, Op::ReadVar(_) | Op::WriteVar(_))), "{after}");
        random::assert_equal(&before, &after, seed, "ssa");
    }
}

/// A procedure that reads r0, writes r0 and r1; the caller wants r1 only.
#[test]
fn functions_take_and_give_what_is_wanted() {
    let mut module = Module::default();
    let r0 = module.push_variable("r0", 0, Type::B32, 7);
    let r1 = module.push_variable("r1", 0, Type::B32, 0);
    let r2 = module.push_variable("r2", 0, Type::B32, 0);
    let mut main = FunctionBuilder::new("main");
    main.call(FunctionId(1), &[], &[]);
    let read = main.read(r1, Type::B32);
    let output = Access { space: Space::Output, binding: 0, offset: 0, stride: 0 };
    main.effect(Op::Store(output), &[read]);
    main.returns(&[]);
    let mut callee = FunctionBuilder::new("callee");
    let read = callee.read(r0, Type::B32);
    let sum = callee.value(Op::IAdd, &[read, read]);
    callee.write(r0, sum);
    callee.write(r1, sum);
    callee.write(r2, sum);
    callee.returns(&[]);
    module.push_function(main.finish());
    module.push_function(callee.finish());
    super::run(&mut module);
    let callee = &module.functions[1];
    assert_eq!(callee.params().len(), 1);
    assert_eq!(callee.values[callee.params()[0].index()].variable, Some(r0));
    assert_eq!(callee.result_vars, [r1]);
    let program = Program::new(&module).unwrap();
    let mut memory = Memory::default();
    memory.set(Space::Output, 0, vec![0]);
    let run = Machine::new(&program).run(&mut memory, Limits::fuel(100));
    assert_eq!((run.outcome, memory.words(Space::Output, 0)), (Outcome::Ended, &[14][..]));
}

/// A long chain of blocks that all write and read: the work must stay linear.
#[test]
fn ten_thousand_joins() {
    let mut module = Module::default();
    let variables: Vec<_> = (0..64).map(|n| module.push_variable("r", n, Type::B32, 0)).collect();
    let flag = module.push_variable("c", 0, Type::Bool, 0);
    let mut main = FunctionBuilder::new("main");
    for n in 0..10_000 {
        let condition = main.read(flag, Type::Bool);
        let (then, join) = (main.block(), main.block());
        main.branch(condition, then, join);
        main.switch_to(then);
        let read = main.read(variables[n % 64], Type::B32);
        main.write(variables[n * 7 % 64], read);
        main.jump(join, &[]);
        main.switch_to(join);
    }
    main.returns(&[]);
    module.push_function(main.finish());
    let start = std::time::Instant::now();
    super::run(&mut module);
    assert!(crate::verify::check(&module).is_empty());
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}
