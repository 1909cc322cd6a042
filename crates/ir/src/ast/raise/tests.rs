use super::super::exec;
use super::text;
use super::*;
use crate::build::FunctionBuilder;
use crate::exec::{Limits, Machine, Memory, Outcome, Program as Flat};
use crate::random::{Dice, same};
use crate::{
    Access, BlockId, CompareFloat, CompareInt, FloatMode, Function, Global, MinMax, Multiply, Op, Origin,
    Round, Shape, Space, Target, Terminator, Type, Value, VarId, Width, passes, ssa,
};

const F32: FloatMode = FloatMode::F32;

fn word(space: Space, offset: u32) -> Access {
    Access { space, binding: 0, offset, stride: 0 }
}

fn global(name: &str, space: Space, register: u32, elements: u32) -> Global {
    let shape = Shape::Float { components: 4, elements };
    Global { location: register, ..Global::new(name, space, 0, register * 4, shape) }
}

/// Inputs `a` and `b`, outputs `out` and `second`, uniforms `u`, `matrix` (four rows), `table` (eight).
fn module(functions: Vec<Function>) -> Module {
    Module {
        functions,
        globals: vec![
            global("a", Space::Input, 0, 0),
            global("b", Space::Input, 1, 0),
            global("out", Space::Output, 0, 0),
            global("second", Space::Output, 1, 0),
            global("u", Space::Uniform, 0, 0),
            global("matrix", Space::Uniform, 1, 4),
            global("table", Space::Uniform, 5, 8),
        ],
        ..Module::default()
    }
}

fn load(builder: &mut FunctionBuilder, space: Space, register: u32) -> [Value; 4] {
    [0, 1, 2, 3].map(|lane| builder.value(Op::Load(word(space, register * 4 + lane)), &[]))
}

fn store(builder: &mut FunctionBuilder, register: u32, values: [Value; 4]) {
    for (lane, value) in values.into_iter().enumerate() {
        builder.effect(Op::Store(word(Space::Output, register * 4 + lane as u32)), &[value]);
    }
}

/// The function, ended by a return without values.
fn returning(mut builder: FunctionBuilder) -> Function {
    builder.returns(&[]);
    builder.finish()
}

/// One operation in four lanes of a machine instruction.
fn lanes(builder: &mut FunctionBuilder, instruction: u32, op: Op, args: &[[Value; 4]]) -> [Value; 4] {
    [0, 1, 2, 3].map(|lane| {
        builder.at(Origin { instruction, step: 0, lane: lane as u8 });
        let args: Vec<Value> = args.iter().map(|arg| arg[lane]).collect();
        builder.value(op, &args)
    })
}

fn inputs(seed: u64) -> Memory {
    let mut dice = Dice::new(seed);
    let mut memory = Memory::default();
    memory.set(Space::Input, 0, (0..16).map(|_| dice.float().to_bits()).collect());
    memory.set(Space::Uniform, 0, (0..64).map(|_| dice.float().to_bits()).collect());
    memory.set(Space::Uniform, 1, (0..8).map(|_| dice.below(6) as u32).collect());
    memory.set(Space::Output, 0, vec![0; 16]);
    memory
}

/// Builds the strict tree, checks it against the interpreter of the module, and gives its text.
fn strict(module: &Module) -> String {
    let built = raise(module, Mode::Strict).unwrap_or_else(|error| panic!("{error}\n{module}"));
    compare(module, &built, 0..40);
    text::program(&built.program)
}

/// Compares runs of a module and of its tree; gives how many ended.
fn compare(module: &Module, built: &Built, seeds: std::ops::Range<u64>) -> u32 {
    let mut ended = 0;
    let flat = Flat::new(module).unwrap();
    for seed in seeds {
        let mut expected = inputs(seed);
        let run = Machine::new(&flat).run(&mut expected, Limits::fuel(20_000));
        if !matches!(run.outcome, Outcome::Ended | Outcome::Discarded) {
            continue;
        }
        ended += 1;
        let mut got = inputs(seed);
        let tree = exec::run(&built.program, &mut got, Limits::fuel(400_000));
        assert!(
            same(&(run.outcome, expected.clone()), &(tree.outcome, got.clone())),
            "seed {seed}: {expected:?}\nbecame {:?} {got:?}\n{module}\n{}",
            tree.outcome,
            text::program(&built.program)
        );
    }
    ended
}

fn readable(module: &Module) -> Program {
    raise(module, Mode::Readable).unwrap_or_else(|error| panic!("{error}\n{module}")).program
}

#[test]
fn lanes_of_an_instruction_are_one_expression() {
    let mut builder = FunctionBuilder::new("main");
    let a = load(&mut builder, Space::Input, 0);
    let u = load(&mut builder, Space::Uniform, 0);
    let product = lanes(&mut builder, 1, Op::FMul(F32, Multiply::Ieee), &[a, u]);
    let [x, y, z, w] = product;
    let sum = lanes(&mut builder, 2, Op::FAdd(F32), &[[w, z, y, x], u]);
    store(&mut builder, 0, sum);
    assert_eq!(strict(&module(vec![returning(builder)])), "main()\n  out = ((a * u).wzyx + u)\n");
}

#[test]
fn lanes_that_wait_for_each_other_are_taken_apart() {
    // x = a.x + a.y; y = x + a.y: one instruction by its origin, but no vector operation.
    let mut builder = FunctionBuilder::new("main");
    let a = load(&mut builder, Space::Input, 0);
    builder.at(Origin { instruction: 1, step: 0, lane: 0 });
    let x = builder.value(Op::FAdd(F32), &[a[0], a[1]]);
    builder.at(Origin { instruction: 1, step: 0, lane: 1 });
    let y = builder.value(Op::FAdd(F32), &[x, a[1]]);
    store(&mut builder, 0, [x, y, x, y]);
    let text = strict(&module(vec![returning(builder)]));
    assert!(text.contains("= (a.x + a.y)\n") && text.contains(" + a.y)\n"), "{text}");
}

#[test]
fn a_counted_loop_is_a_for() {
    // sum = a; for i = 0; i <= 3; i += 1 { sum += u }
    let mut builder = FunctionBuilder::new("main");
    let a = load(&mut builder, Space::Input, 0);
    let u = load(&mut builder, Space::Uniform, 0);
    let (zero, three, one) = (builder.bits(0), builder.bits(3), builder.bits(1));
    let (header, body, exit) = (builder.block(), builder.block(), builder.block());
    builder.jump(header, &[a[0], zero]);
    let sum = builder.param(header, Type::B32);
    let i = builder.param(header, Type::B32);
    builder.switch_to(header);
    let more = builder.value(Op::ICompare(CompareInt::Sle), &[i, three]);
    builder.branch(more, body, exit);
    builder.switch_to(body);
    let next = builder.value(Op::FAdd(F32), &[sum, u[0]]);
    let step = builder.value(Op::IAdd, &[i, one]);
    builder.jump(header, &[next, step]);
    builder.switch_to(exit);
    builder.effect(Op::Store(word(Space::Output, 0)), &[sum]);
    assert_eq!(
        strict(&module(vec![returning(builder)])),
        "main()\n  Float1 sum = a.x\n  for i = 0; (i < 4); i += 1\n    sum = (sum + u.x)\n  \
         out.x = sum\n"
    );
}

#[test]
fn values_that_change_places_go_through_a_copy() {
    let mut builder = FunctionBuilder::new("main");
    let a = load(&mut builder, Space::Input, 0);
    let (zero, one) = (builder.bits(0), builder.bits(1));
    let limit = builder.bits(5);
    let (header, body, exit) = (builder.block(), builder.block(), builder.block());
    builder.jump(header, &[a[0], a[1], zero]);
    let x = builder.param(header, Type::B32);
    let y = builder.param(header, Type::B32);
    let i = builder.param(header, Type::B32);
    builder.switch_to(header);
    let more = builder.value(Op::ICompare(CompareInt::Slt), &[i, limit]);
    builder.branch(more, body, exit);
    builder.switch_to(body);
    let step = builder.value(Op::IAdd, &[i, one]);
    builder.jump(header, &[y, x, step]);
    builder.switch_to(exit);
    store(&mut builder, 0, [x, y, x, y]);
    let text = strict(&module(vec![returning(builder)]));
    assert!(text.contains("for i = 0; (i < 5); i += 1"), "{text}");
}

#[test]
fn a_value_that_outlives_its_successor_is_kept() {
    // The lost copy: the parameter is used behind the loop, after its next value was made.
    let mut builder = FunctionBuilder::new("main");
    let a = load(&mut builder, Space::Input, 0);
    let (body, exit) = (builder.block(), builder.block());
    builder.jump(body, &[a[0]]);
    let x = builder.param(body, Type::B32);
    builder.switch_to(body);
    let next = builder.value(Op::FAdd(F32), &[x, a[1]]);
    let more = builder.value(Op::FCompare(CompareFloat::Lt, F32), &[next, a[2]]);
    builder.terminate(Terminator::Branch {
        condition: more,
        then: Target { block: body, args: vec![next] },
        otherwise: Target::plain(exit),
    });
    builder.switch_to(exit);
    store(&mut builder, 0, [x, x, next, x]);
    strict(&module(vec![returning(builder)]));
}

#[test]
fn a_test_at_the_end_is_a_do_loop() {
    let mut builder = FunctionBuilder::new("main");
    let a = load(&mut builder, Space::Input, 0);
    let (body, exit) = (builder.block(), builder.block());
    builder.jump(body, &[a[0]]);
    let x = builder.param(body, Type::B32);
    builder.switch_to(body);
    let next = builder.value(Op::FAdd(F32), &[x, a[1]]);
    let more = builder.value(Op::FCompare(CompareFloat::Lt, F32), &[next, a[2]]);
    builder.terminate(Terminator::Branch {
        condition: more,
        then: Target { block: body, args: vec![next] },
        otherwise: Target::plain(exit),
    });
    builder.switch_to(exit);
    builder.effect(Op::Store(word(Space::Output, 0)), &[next]);
    assert_eq!(
        strict(&module(vec![returning(builder)])),
        "main()\n  Float1 sum = a.x\n  do\n    sum = (sum + a.y)\n  while (sum < a.z)\n  \
         out.x = sum\n"
    );
}

#[test]
fn rows_of_a_uniform_with_one_vector_are_a_matrix() {
    let mut builder = FunctionBuilder::new("main");
    let a = load(&mut builder, Space::Input, 0);
    let one = builder.float(1.0);
    let vector = [a[0], a[1], a[2], one];
    let rows = [1, 2, 3, 4].map(|row| {
        let row = load(&mut builder, Space::Uniform, row);
        builder.value(Op::Dot(4), &[row, vector].concat())
    });
    store(&mut builder, 0, rows);
    let program = readable(&module(vec![returning(builder)]));
    assert_eq!(text::program(&program), "main()\n  out = matrix[0..4] * v4(a.xyz, 1)\n");
    assert_eq!(program.globals.iter().filter_map(|global| global.matrix_rows).collect::<Vec<_>>(), [4]);
}

#[test]
fn a_matrix_without_a_column_still_is_one() {
    let mut builder = FunctionBuilder::new("main");
    let a = load(&mut builder, Space::Input, 0);
    let one = builder.float(1.0);
    let rows = [1, 2, 3].map(|row| {
        let row = load(&mut builder, Space::Uniform, row);
        builder.value(Op::Dot(3), &[row[0], row[1], row[3], a[0], a[1], one])
    });
    store(&mut builder, 0, [rows[0], rows[1], rows[2], one]);
    assert_eq!(
        text::program(&readable(&module(vec![returning(builder)]))),
        "main()\n  out = v4(matrix[0..3] * v4(a.xy, (0, 1)), 1)\n"
    );
}

#[test]
fn an_end_inside_of_a_call_ends_the_callers() {
    // helper(x): if x < 0 end; return x + 1
    let mut helper = FunctionBuilder::new("helper");
    let x = helper.param(helper.current(), Type::B32);
    let zero = helper.float(0.0);
    let negative = helper.value(Op::FCompare(CompareFloat::Lt, F32), &[x, zero]);
    let (end, rest) = (helper.block(), helper.block());
    helper.branch(negative, end, rest);
    helper.switch_to(end);
    helper.effect(Op::Store(word(Space::Output, 1)), &[x]);
    helper.terminate(Terminator::End);
    helper.switch_to(rest);
    let one = helper.float(1.0);
    let sum = helper.value(Op::FAdd(F32), &[x, one]);
    helper.returns(&[sum]);
    let mut builder = FunctionBuilder::new("main");
    let a = load(&mut builder, Space::Input, 0);
    let first = builder.call(FunctionId(1), &[a[0]], &[Type::B32])[0];
    let second = builder.call(FunctionId(1), &[a[1]], &[Type::B32])[0];
    store(&mut builder, 0, [first, second, first, second]);
    let text = strict(&module(vec![returning(builder), helper.finish()]));
    assert!(text.starts_with("helper(") && text.matches("= helper(").count() == 2, "{text}");
}

#[test]
fn recursion_and_strange_widths_are_refused() {
    let mut builder = FunctionBuilder::new("round");
    builder.call(FunctionId(0), &[], &[]);
    let error = raise(&module(vec![returning(builder)]), Mode::Strict);
    assert_eq!(error, Err(RaiseError::Recursion { function: "round".into() }));
    let mut builder = FunctionBuilder::new("main");
    builder.at(Origin { instruction: 7, step: 0, lane: 0 });
    let wide = builder.value(Op::B64(1), &[]);
    builder.value(Op::UDiv, &[wide, wide]);
    let error = raise(&module(vec![returning(builder)]), Mode::Strict);
    assert!(matches!(error, Err(RaiseError::Unsupported { instruction: 7, .. })), "{error:?}");
}

#[test]
fn comparisons_keep_their_answer_for_nan() {
    let mut builder = FunctionBuilder::new("main");
    let a = load(&mut builder, Space::Input, 0);
    let (zero, one) = (builder.float(0.0), builder.float(1.0));
    let values = [CompareFloat::Lt, CompareFloat::Ne, CompareFloat::Ge, CompareFloat::Eq].map(|by| {
        let test = builder.value(Op::FCompare(by, F32), &[a[0], a[1]]);
        let not = builder.value(Op::Not, &[test]);
        builder.value(Op::Select, &[not, zero, one])
    });
    store(&mut builder, 0, values);
    strict(&module(vec![returning(builder)]));
}

#[test]
fn vertices_are_counted_through_loops() {
    let emit = |passes: u32| {
        let mut builder = FunctionBuilder::new("main");
        let (zero, limit, one) = (builder.bits(0), builder.bits(passes), builder.bits(1));
        let (header, body, exit) = (builder.block(), builder.block(), builder.block());
        builder.jump(header, &[zero]);
        let i = builder.param(header, Type::B32);
        builder.switch_to(header);
        let more = builder.value(Op::ICompare(CompareInt::Slt), &[i, limit]);
        builder.branch(more, body, exit);
        builder.switch_to(body);
        builder.effect(Op::EmitVertex(0), &[]);
        builder.effect(Op::EmitVertex(0), &[]);
        let step = builder.value(Op::IAdd, &[i, one]);
        builder.jump(header, &[step]);
        builder.switch_to(exit);
        builder.effect(Op::EmitVertex(0), &[]);
        readable(&module(vec![returning(builder)]))
    };
    assert_eq!(emit(5).max_vertices, Some(11));
    let many = emit(500);
    assert_eq!(many.max_vertices, Some(256));
    assert_eq!(many.assumptions, ["a run emits at most 256 vertices"]);
}

#[test]
fn large_functions_are_quick_and_shallow() {
    // A long line of operations that all hang together, and many blocks.
    let mut builder = FunctionBuilder::new("main");
    let a = load(&mut builder, Space::Input, 0);
    let mut x = a[0];
    for _ in 0..50_000 {
        x = builder.value(Op::FAdd(F32), &[x, a[1]]);
    }
    let (zero, one) = (builder.bits(0), builder.bits(1));
    let mut blocks = Vec::new();
    let mut params = Vec::new();
    for _ in 0..4096 {
        let block = builder.block();
        params.push(builder.param(block, Type::B32));
        blocks.push(block);
    }
    builder.jump(blocks[0], &[x]);
    for (at, block) in blocks.iter().enumerate() {
        builder.switch_to(*block);
        let value = params[at];
        if at + 1 == blocks.len() {
            builder.effect(Op::Store(word(Space::Output, 0)), &[value]);
            builder.returns(&[]);
            continue;
        }
        let sum = builder.value(Op::FMul(F32, Multiply::Ieee), &[value, a[2]]);
        let test = builder.value(Op::ICompare(CompareInt::Slt), &[zero, one]);
        let far = blocks[(at * 7 + 3) % blocks.len()];
        builder.terminate(Terminator::Branch {
            condition: test,
            then: Target { block: blocks[at + 1], args: vec![sum] },
            otherwise: Target { block: far, args: vec![value] },
        });
    }
    let start = std::time::Instant::now();
    let module = module(vec![builder.finish()]);
    let built = raise(&module, Mode::Strict).unwrap();
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    assert_eq!(built.stats.dispatchers, 1);
}

/// Random vector programs of a register machine: four registers of four lanes, an index register, two
/// flags, inputs, uniforms with an index, outputs, any jumps.
fn machine(seed: u64) -> Module {
    let mut dice = Dice::new(seed);
    let mut module = module(Vec::new());
    for register in 0..4 {
        for lane in 0..4 {
            module.push_variable(format!("r{register}"), lane, Type::B32, 0);
        }
    }
    module.push_variable("index", 0, Type::B32, 0);
    module.push_variable("flag", 0, Type::Bool, 0);
    module.push_variable("flag", 1, Type::Bool, 0);
    module.push_variable("pass", 0, Type::B32, 0);
    let functions = 1 + dice.below(3);
    for id in 0..functions {
        let mut builder = FunctionBuilder::new(format!("part{id}"));
        let count = 1 + dice.below(6);
        let mut blocks = vec![builder.current()];
        blocks.extend((1..count).map(|_| builder.block()));
        let mut instruction = id as u32 * 1000;
        for (at, block) in blocks.iter().enumerate() {
            builder.switch_to(*block);
            for _ in 0..dice.below(7) {
                instruction += 1;
                one_instruction(&mut dice, &mut builder, instruction, id, functions);
            }
            if at + 1 == count && id == 0 {
                for word_at in 0..8 {
                    let value = builder.read(VarId(word_at), Type::B32);
                    builder.effect(Op::Store(word(Space::Output, word_at)), &[value]);
                }
            }
            terminate(&mut dice, &mut builder, &blocks, at);
        }
        module.push_function(builder.finish());
    }
    module
}

fn terminate(dice: &mut Dice, builder: &mut FunctionBuilder, blocks: &[BlockId], at: usize) {
    if at + 1 == blocks.len() {
        builder.returns(&[]);
        return;
    }
    let ahead = |dice: &mut Dice| blocks[at + 1 + dice.below(blocks.len() - at - 1)];
    match dice.below(9) {
        0 => {
            let to = ahead(dice);
            builder.jump(to, &[]);
        }
        1..6 => {
            let flag = builder.read(VarId(17 + dice.below(2) as u32), Type::Bool);
            let first = if dice.one_in(20) { blocks[dice.below(at + 1)] } else { ahead(dice) };
            let second = ahead(dice);
            builder.branch(flag, first, second);
        }
        6 | 7 => {
            // A counted way anywhere, so that loops end.
            let pass = builder.read(VarId(19), Type::B32);
            let one = builder.bits(1);
            let next = builder.value(Op::IAdd, &[pass, one]);
            builder.write(VarId(19), next);
            let limit = builder.bits(3);
            let more = builder.value(Op::ICompare(CompareInt::Sle), &[next, limit]);
            let anywhere = blocks[dice.below(blocks.len())];
            let second = ahead(dice);
            builder.branch(more, anywhere, second);
        }
        _ => builder.returns(&[]),
    }
}

fn one_instruction(
    dice: &mut Dice,
    builder: &mut FunctionBuilder,
    instruction: u32,
    id: usize,
    functions: usize,
) {
    let mode = F32;
    let rule = dice.pick(&[Multiply::Ieee, Multiply::InfTimesZero, Multiply::ZeroWins]);
    let second = MinMax::SecondUnlessOrdered;
    let op = dice.pick(&[
        Op::FAdd(mode),
        Op::FMul(mode, rule),
        Op::FMin(mode, second),
        Op::FMax(mode, second),
        Op::FRound(mode, Round::Down),
        Op::FRsq(mode),
        Op::Select,
        Op::FNeg(Width::F32),
        Op::FFma(mode, Multiply::Ieee),
    ]);
    let mask = 1 + dice.below(15);
    let to = dice.below(4) as u32;
    let sources: Vec<(usize, [u32; 4], bool)> = (0..3)
        .map(|_| {
            let mut swizzle = [0, 1, 2, 3];
            if dice.one_in(2) {
                swizzle = [0, 1, 2, 3].map(|_| dice.below(4) as u32);
            }
            (dice.below(8), swizzle, dice.one_in(4))
        })
        .collect();
    let special = dice.below(12);
    if special == 0 && id + 1 < functions {
        builder.call(FunctionId((id + 1) as u32), &[], &[]);
        return;
    }
    let mut results = Vec::new();
    let dynamic = Access { space: Space::Uniform, binding: 0, offset: 20, stride: 4 };
    let index = builder.read(VarId(16), Type::B32);
    for lane in (0..4u32).filter(|lane| mask >> lane & 1 == 1) {
        builder.at(Origin { instruction, step: 0, lane: lane as u8 });
        let args: Vec<Value> = sources
            .iter()
            .map(|(source, swizzle, negated)| {
                let component = swizzle[lane as usize];
                let value = match source {
                    0..4 => builder.read(VarId(*source as u32 * 4 + component), Type::B32),
                    4 => builder.value(Op::Load(word(Space::Input, component)), &[]),
                    5 => builder.value(Op::Load(word(Space::Uniform, component)), &[]),
                    6 => {
                        let access = Access { offset: dynamic.offset + component, ..dynamic };
                        builder.value(Op::Load(access), &[index])
                    }
                    _ => builder.float(component as f32 - 1.0),
                };
                if *negated { builder.value(Op::FNeg(Width::F32), &[value]) } else { value }
            })
            .collect();
        let value = match (special, op) {
            (1, _) => {
                builder.at(Origin { instruction, step: 1, lane: lane as u8 });
                builder.value(Op::FCompare(CompareFloat::Gt, mode), &args[..2])
            }
            (2, _) => builder.value(Op::FToS(Width::F32, Round::Zero), &args[..1]),
            (_, Op::Select) => {
                builder.at(Origin { instruction, step: 2, lane: lane as u8 });
                let test = builder.value(Op::FCompare(CompareFloat::Ge, mode), &args[..2]);
                builder.at(Origin { instruction, step: 0, lane: lane as u8 });
                builder.value(Op::Select, &[test, args[1], args[2]])
            }
            (_, Op::FFma(..)) => builder.value(op, &args),
            (_, Op::FRound(..) | Op::FRsq(_) | Op::FNeg(_)) => builder.value(op, &args[..1]),
            _ => builder.value(op, &args[..2]),
        };
        results.push((lane, value));
    }
    for (lane, value) in results {
        match special {
            1 if lane < 2 => builder.write(VarId(17 + lane), value),
            1 => {}
            2 => builder.write(VarId(16), value),
            3 => builder.effect(Op::Store(word(Space::Output, 8 + lane)), &[value]),
            _ => builder.write(VarId(to * 4 + lane), value),
        }
    }
}

#[test]
fn trees_of_vector_programs_show_the_same() {
    let (mut ended, mut all) = (0, 0);
    for seed in 0..1500 {
        let mut module = machine(seed);
        let problems = verify::check(&module);
        assert!(problems.is_empty(), "{}\n{module}", problems[0]);
        ssa::run(&mut module);
        let built = raise(&module, Mode::Strict).unwrap_or_else(|error| panic!("{seed}: {error}\n{module}"));
        compare(&module, &built, seed * 8..seed * 8 + 4);
        passes::run(&mut module, passes::strict(), None);
        let built = raise(&module, Mode::Strict).unwrap_or_else(|error| panic!("{seed}: {error}\n{module}"));
        ended += compare(&module, &built, seed * 8..seed * 8 + 4);
        all += 4;
        // Readable trees have no exact counterpart, but they are made and they run.
        let mut module = machine(seed);
        passes::run(&mut module, passes::readable(), None);
        let program = readable(&module);
        exec::run(&program, &mut inputs(seed), Limits::fuel(10_000));
    }
    assert!(ended * 10 > all * 6, "{ended} of {all}");
}
