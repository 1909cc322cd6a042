use super::*;
use crate::Access;
use crate::build::FunctionBuilder;
use crate::{CompareInt, FloatMode, FunctionId, LocalArray};

fn at(space: Space, offset: u32) -> Access {
    Access { space, binding: 0, offset, stride: 0 }
}

fn run(module: &Module, memory: &mut Memory, fuel: u64) -> Run {
    let program = Program::new(module).unwrap();
    Machine::new(&program).run(memory, Limits::fuel(fuel))
}

fn outputs() -> Memory {
    let mut memory = Memory::default();
    memory.set(Space::Output, 0, vec![0; 4]);
    memory
}

/// Sums 1..=n by a loop over block parameters that swap places in each pass.
fn summing() -> Module {
    let mut builder = FunctionBuilder::new("main");
    let (head, body, done) = (builder.block(), builder.block(), builder.block());
    let n = builder.value(Op::Load(at(Space::Input, 0)), &[]);
    let zero = builder.bits(0);
    builder.jump(head, &[zero, n]);
    builder.switch_to(head);
    let sum = builder.param(head, Type::B32);
    let left = builder.param(head, Type::B32);
    let zero = builder.bits(0);
    let more = builder.value(Op::ICompare(CompareInt::Ne), &[left, zero]);
    builder.branch(more, body, done);
    builder.switch_to(body);
    let minus_one = builder.bits(u32::MAX);
    let next = builder.value(Op::IAdd, &[left, minus_one]);
    let added = builder.value(Op::IAdd, &[sum, left]);
    builder.jump(head, &[added, next]);
    builder.switch_to(done);
    builder.effect(Op::Store(at(Space::Output, 0)), &[sum]);
    builder.returns(&[]);
    let mut module = Module::default();
    module.push_function(builder.finish());
    module
}

#[test]
fn a_loop_runs_and_fuel_ends_it() {
    let mut memory = outputs();
    memory.set(Space::Input, 0, vec![10]);
    let ended = run(&summing(), &mut memory, 1000);
    assert_eq!(ended.outcome, Outcome::Ended);
    assert_eq!(memory.words(Space::Output, 0)[0], 55);
    let short = run(&summing(), &mut memory, ended.steps - 1);
    assert_eq!(short.outcome, Outcome::OutOfFuel);
    let enough = run(&summing(), &mut memory, ended.steps);
    assert_eq!(enough, ended);
}

#[test]
fn parameters_that_swap_are_passed_at_once() {
    let mut builder = FunctionBuilder::new("main");
    let (head, done) = (builder.block(), builder.block());
    let (one, two, no) = (builder.bits(1), builder.bits(2), builder.truth(false));
    builder.jump(head, &[one, two, no]);
    builder.switch_to(head);
    let a = builder.param(head, Type::B32);
    let b = builder.param(head, Type::B32);
    let again = builder.param(head, Type::Bool);
    let yes = builder.truth(true);
    let to = |block, args: &[Value]| Target { block, args: args.to_vec() };
    builder.terminate(Terminator::Branch {
        condition: again,
        then: to(done, &[]),
        otherwise: to(head, &[b, a, yes]),
    });
    builder.switch_to(done);
    builder.effect(Op::Store(at(Space::Output, 0)), &[a]);
    builder.effect(Op::Store(at(Space::Output, 1)), &[b]);
    builder.terminate(Terminator::End);
    let mut module = Module::default();
    module.push_function(builder.finish());
    let mut memory = outputs();
    assert_eq!(run(&module, &mut memory, 100).outcome, Outcome::Ended);
    assert_eq!(memory.words(Space::Output, 0)[..2], [2, 1]);
}

#[test]
fn calls_pass_values_and_variables_are_shared() {
    let mut module = Module::default();
    let variable = module.push_variable("r0", 0, Type::B32, 5);
    let mut callee = FunctionBuilder::new("callee");
    let a = callee.param(callee.current(), Type::B32);
    let read = callee.read(variable, Type::B32);
    let sum = callee.value(Op::IAdd, &[a, read]);
    callee.write(variable, sum);
    callee.returns(&[sum, a]);
    let mut main = FunctionBuilder::new("main");
    let ten = main.bits(10);
    let results = main.call(FunctionId(1), &[ten], &[Type::B32, Type::B32]);
    let read = main.read(variable, Type::B32);
    for (word, value) in [results[0], results[1], read].into_iter().enumerate() {
        main.effect(Op::Store(at(Space::Output, word as u32)), &[value]);
    }
    main.returns(&[]);
    module.push_function(main.finish());
    module.push_function(callee.finish());
    let mut memory = outputs();
    assert_eq!(run(&module, &mut memory, 100).outcome, Outcome::Ended);
    assert_eq!(memory.words(Space::Output, 0)[..3], [15, 10, 15]);
}

#[test]
fn endless_recursion_is_too_deep() {
    let mut builder = FunctionBuilder::new("main");
    builder.call(FunctionId(0), &[], &[]);
    builder.returns(&[]);
    let mut module = Module::default();
    module.push_function(builder.finish());
    assert_eq!(run(&module, &mut Memory::default(), 1_000_000).outcome, Outcome::TooDeep);
    assert_eq!(run(&module, &mut Memory::default(), 20).outcome, Outcome::OutOfFuel);
}

#[test]
fn addresses_outside_read_zero_and_swallow_stores() {
    let mut module = Module::default();
    module.arrays.push(LocalArray { name: "a".into(), words: 2 });
    let mut builder = FunctionBuilder::new("main");
    for (index, expected) in [(-1, 0), (0, 7), (1, 7), (2, 0), (i32::MIN, 0)] {
        let index = builder.bits(index as u32);
        let value = builder.bits(expected);
        let access = |space| Access { space, binding: 0, offset: 0, stride: 1 };
        let seven = builder.bits(7);
        builder.effect(Op::Store(access(Space::Local)), &[index, seven]);
        let loaded = builder.value(Op::Load(access(Space::Local)), &[index]);
        let outside = builder.value(Op::Load(access(Space::Uniform)), &[index]);
        let sum = builder.value(Op::IAdd, &[loaded, outside]);
        let difference = builder.value(Op::Xor, &[sum, value]);
        let so_far = builder.value(Op::Load(at(Space::Output, 0)), &[]);
        let all = builder.value(Op::Or, &[so_far, difference]);
        builder.effect(Op::Store(at(Space::Output, 0)), &[all]);
    }
    builder.returns(&[]);
    module.push_function(builder.finish());
    let mut memory = outputs();
    assert_eq!(run(&module, &mut memory, 1000).outcome, Outcome::Ended);
    assert_eq!(memory.words(Space::Output, 0)[0], 0);
}

#[test]
fn vertices_are_snapshots() {
    let mut builder = FunctionBuilder::new("main");
    for n in 0..2 {
        let value = builder.float(n as f32);
        let double = builder.value(Op::FAdd(FloatMode::F32), &[value, value]);
        builder.effect(Op::Store(at(Space::Output, 1)), &[double]);
        builder.effect(Op::EmitVertex(0), &[]);
    }
    builder.effect(Op::EndPrimitive(0), &[]);
    builder.terminate(Terminator::Discard);
    let mut module = Module::default();
    module.push_function(builder.finish());
    let mut memory = outputs();
    assert_eq!(run(&module, &mut memory, 100).outcome, Outcome::Discarded);
    let vertex = |word| Event::Vertex { stream: 0, words: vec![0, word, 0, 0] };
    let two = 2.0f32.to_bits();
    assert_eq!(memory.events, [vertex(0), vertex(two), Event::EndPrimitive { stream: 0 }]);
}

#[test]
fn switches_choose() {
    for (selector, expected) in [(3, 30), (9, 90), (4, 1)] {
        let mut builder = FunctionBuilder::new("main");
        let done = builder.block();
        let value = builder.bits(selector);
        let args = [1, 30, 90].map(|bits| Target { block: done, args: vec![builder.bits(bits)] });
        let [default, three, nine] = args;
        builder.terminate(Terminator::Switch { value, cases: vec![(9, nine), (3, three)], default });
        builder.switch_to(done);
        let result = builder.param(done, Type::B32);
        builder.effect(Op::Store(at(Space::Output, 0)), &[result]);
        builder.returns(&[]);
        let mut module = Module::default();
        module.push_function(builder.finish());
        let mut memory = outputs();
        run(&module, &mut memory, 100);
        assert_eq!(memory.words(Space::Output, 0)[0], expected);
    }
}

#[test]
fn malformed_modules_are_refused() {
    let mut module = summing();
    module.functions[0].blocks[1].terminator =
        Terminator::Jump(Target { block: crate::BlockId(77), args: vec![] });
    assert!(matches!(Program::new(&module), Err(Refusal::Malformed(_))));
    assert!(matches!(Program::new(&Module::default()), Err(Refusal::Malformed(_))));
}
