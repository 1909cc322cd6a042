use super::super::exec::run;
use super::super::raise::{Mode, raise};
use super::super::{GlobalVar, Program};
use super::{Linking, unite};
use crate::build::FunctionBuilder;
use crate::exec::{Limits, Memory};
use crate::random::{inputs, module, observe, same};
use crate::{Access, FloatMode, Global, Module, Op, Shape, Space, UniformBlock, ssa};

const BY_LOCATION: Linking =
    Linking { varyings_by_name: false, machine_by_name: false, loose_uniforms: false, fill_left_out: false };

fn float(components: u8) -> Shape {
    Shape::Float { components, elements: 0 }
}

const MATRIX: Shape = Shape::Matrix { columns: 4, rows: 4, elements: 0, element_stride: 0 };

/// A stage that adds up what it reads and gives it away.
fn stage(
    block: bool,
    globals: &[(&str, bool, Space, u32, Shape)],
    reads: &[(Space, u32)],
    writes: u32,
) -> Program {
    let mut module = Module::default();
    for &(name, named, space, offset, shape) in globals {
        let location = if space == Space::Uniform { 0 } else { offset / 4 };
        module.globals.push(Global { named, location, ..Global::new(name, space, 0, offset, shape) });
    }
    if block {
        module.blocks.push(UniformBlock { name: "Scene".into(), named: true, binding: 0, words: 64 });
    }
    let mut code = FunctionBuilder::new("main");
    let load = |code: &mut FunctionBuilder, (space, offset): (Space, u32)| {
        code.value(Op::Load(Access { space, binding: 0, offset, stride: 0 }), &[])
    };
    for word in 0..writes {
        let mut sum = load(&mut code, reads[0]);
        for &from in &reads[1..] {
            let next = load(&mut code, from);
            sum = code.value(Op::FAdd(FloatMode::F32), &[sum, next]);
        }
        let to = Access { space: Space::Output, binding: 0, offset: word, stride: 0 };
        code.effect(Op::Store(to), &[sum]);
    }
    code.returns(&[]);
    module.entry = module.push_function(code.finish());
    ssa::run(&mut module);
    raise(&module, Mode::Strict).unwrap().program
}

fn outputs(program: &Program) -> Vec<u32> {
    let mut memory = Memory::default();
    for (space, first) in [(Space::Uniform, 1.0_f32), (Space::Input, 1000.0)] {
        memory.set(space, 0, (0..64).map(|word| (first + word as f32).to_bits()).collect());
    }
    memory.set(Space::Output, 0, vec![0; 8]);
    run(program, &mut memory, Limits::fuel(10_000));
    memory.words(Space::Output, 0).to_vec()
}

fn members(program: &Program) -> Vec<(&str, u32, Shape)> {
    let of = |variable: &'_ GlobalVar| variable.global.space == Space::Uniform;
    let list = program.globals.iter().filter(|variable| of(variable));
    list.map(|variable| (&variable.global.name[..], variable.global.offset, variable.global.shape)).collect()
}

#[test]
fn a_block_has_the_members_of_all_stages() {
    use Space::{Input, Output, Uniform};
    let mut front = stage(
        true,
        &[
            ("camera", true, Uniform, 16, MATRIX),
            ("Scene_vector0", false, Uniform, 0, float(4)),
            ("color", true, Output, 0, float(4)),
        ],
        &[(Uniform, 17), (Uniform, 25), (Uniform, 2)],
        4,
    );
    let mut back = stage(
        true,
        &[
            ("Scene_value2", false, Uniform, 2, float(2)),
            ("Scene_vector20", false, Uniform, 20, float(3)),
            ("fog", true, Uniform, 8, float(4)),
            ("v0", false, Input, 0, float(3)),
            ("result", true, Output, 0, float(1)),
        ],
        &[(Uniform, 3), (Uniform, 22), (Uniform, 9), (Input, 1), (Input, 2)],
        1,
    );
    let before = [outputs(&front), outputs(&back)];
    unite(&mut [&mut front, &mut back], BY_LOCATION);
    assert_eq!([outputs(&front), outputs(&back)], before);
    let expected = [("Scene_vector0", 0, float(4)), ("fog", 8, float(4)), ("camera", 16, MATRIX)];
    assert_eq!(members(&front), expected);
    assert_eq!(members(&back), expected);
    // What goes from one to the other is as wide as what is written, and has the name of the file.
    let passed = back.globals.iter().find(|variable| variable.global.space == Input).unwrap();
    assert_eq!((&passed.global.name[..], passed.global.shape), ("color", float(4)));
}

#[test]
fn members_that_contradict_each_other_stay() {
    use Space::{Output, Uniform};
    let int = Shape::Int { components: 1, elements: 0 };
    let mut front = stage(
        true,
        &[("count", true, Uniform, 0, int), ("color", true, Output, 0, float(1))],
        &[(Uniform, 0)],
        1,
    );
    let mut back = stage(
        true,
        &[("scale", true, Uniform, 0, float(4)), ("result", true, Output, 0, float(1))],
        &[(Uniform, 1)],
        1,
    );
    let before = [front.clone(), back.clone()];
    unite(&mut [&mut front, &mut back], BY_LOCATION);
    assert_eq!([front, back], before);
}

#[test]
fn registers_without_names_are_each_stages_own() {
    use Space::{Output, Uniform};
    let make = |name: &str| {
        stage(
            false,
            &[
                ("time", true, Uniform, 0, float(1)),
                ("scale", false, Uniform, 4, float(1)),
                (name, true, Output, 0, float(1)),
            ],
            &[(Uniform, 0), (Uniform, 4)],
            1,
        )
    };
    let (mut front, mut back) = (make("color"), make("result"));
    let before = [outputs(&front), outputs(&back)];
    unite(&mut [&mut front, &mut back], BY_LOCATION);
    assert_eq!([outputs(&front), outputs(&back)], before);
    let names = |program| members(program).into_iter().map(|(name, ..)| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&front), ["time", "scale", "scale2"]);
    assert_eq!(names(&back), names(&front));
}

/// Whatever two programs have in common, each does what it did.
#[test]
fn random_stages_do_the_same() {
    let mut checked = 0;
    for seed in 0..600 {
        let modules = [module(seed), module(seed + 1)];
        let trees = modules.iter().map(|before| {
            let mut module = before.clone();
            ssa::run(&mut module);
            raise(&module, Mode::Strict).ok().map(|built| built.program)
        });
        let Some([mut front, mut back]) =
            trees.collect::<Option<Vec<_>>>().and_then(|trees| <[Program; 2]>::try_from(trees).ok())
        else {
            continue;
        };
        for by_name in [false, true] {
            let linking = Linking {
                varyings_by_name: by_name,
                machine_by_name: false,
                loose_uniforms: by_name,
                fill_left_out: false,
            };
            unite(&mut [&mut front, &mut back], linking);
            for (module, tree) in modules.iter().zip([&front, &back]) {
                for case in 0..3 {
                    let Some(expected) = observe(module, seed ^ case << 32, 20_000) else { continue };
                    let mut memory = inputs(seed ^ case << 32);
                    let outcome = run(tree, &mut memory, Limits::fuel(400_000)).outcome;
                    assert!(same(&expected, &(outcome, memory)), "seed {seed}, case {case}\n{tree:#?}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 1000, "{checked}");
}

/// A stage that stores inputs and numbers to the words of its output, and one that adds up words of it.
fn filled(name: &str, named: bool, written: [Result<u32, f32>; 4], read: &[u32]) -> [Program; 2] {
    let finish = |mut code: FunctionBuilder, globals: Vec<Global>| {
        code.returns(&[]);
        let mut module = Module { globals, from_shading_language: true, ..Module::default() };
        module.entry = module.push_function(code.finish());
        ssa::run(&mut module);
        raise(&module, Mode::Readable).unwrap().program
    };
    let access = |space, offset| Access { space, binding: 0, offset, stride: 0 };
    let global =
        |name: &str, space, components| Global { named, ..Global::new(name, space, 0, 0, float(components)) };
    let mut front = FunctionBuilder::new("main");
    for (word, value) in (0..).zip(written) {
        let value = match value {
            Ok(from) => front.value(Op::Load(access(Space::Input, from)), &[]),
            Err(number) => front.float(number),
        };
        front.effect(Op::Store(access(Space::Output, word)), &[value]);
    }
    let front = finish(front, vec![global("position", Space::Input, 4), global(name, Space::Output, 4)]);
    let mut back = FunctionBuilder::new("main");
    for (to, from) in (0..).zip(read) {
        let value = back.value(Op::Load(access(Space::Input, *from)), &[]);
        back.effect(Op::Store(access(Space::Output, to)), &[value]);
    }
    let back = finish(back, vec![global(name, Space::Input, 4), global("result", Space::Output, 4)]);
    [front, back]
}

/// Of a register that is written in part the rest is zero, and may be read.
#[test]
fn what_is_not_written_stays() {
    let left = Linking { fill_left_out: true, ..BY_LOCATION };
    for count in 1..4 {
        let [_, mut back] = filled("v_param_0", false, [Ok(0), Ok(1), Ok(2), Ok(3)], &[2]);
        let globals = [
            ("position", false, Space::Input, 0, float(4)),
            ("v_param_0", false, Space::Output, 0, float(4)),
        ];
        let mut front = stage(false, &globals, &[(Space::Input, 0)], count);
        let before = [outputs(&front), outputs(&back)];
        unite(&mut [&mut front, &mut back], left);
        assert_eq!([outputs(&front), outputs(&back)], before, "{count}");
    }
}

#[test]
fn what_only_fills_up_a_register_is_left_out() {
    let left = Linking { fill_left_out: true, ..BY_LOCATION };
    let width = |program: &Program, space: Space| {
        let variable = program.globals.iter().find(|variable| variable.global.space == space).unwrap();
        variable.global.shape.components()
    };
    let zero = Err(0.0);
    for (written, read, expected) in [
        // Numbers behind what is read, or a repeated component; more where more is read.
        ([Ok(0), Ok(1), zero, Err(1.0)], &[0, 1][..], 2),
        ([Ok(0), Ok(1), zero, Err(1.0)], &[0], 2),
        ([Ok(0), Ok(1), zero, Err(1.0)], &[1, 2], 3),
        ([Ok(0), zero, zero, zero], &[0], 1),
        ([Ok(0), Ok(1), Ok(2), Ok(2)], &[0, 2], 3),
        // What says something stays, and what is read.
        ([Ok(0), Ok(1), Ok(2), Ok(3)], &[0, 1], 4),
        ([Ok(0), zero, zero, Ok(1)], &[0], 4),
        ([Ok(0), Ok(1), zero, Err(1.0)], &[0, 1, 2, 3], 4),
    ] {
        let [mut front, mut back] = filled("v_param_0", false, written, read);
        let before = [outputs(&front), outputs(&back)];
        unite(&mut [&mut front, &mut back], left);
        assert_eq!(
            [width(&front, Space::Output), width(&back, Space::Input)],
            [expected; 2],
            "{written:?} {read:?}"
        );
        let (kept, after) = (usize::from(expected), outputs(&front));
        assert_eq!(after[..kept], before[0][..kept]);
        assert_eq!(outputs(&back), before[1]);
        // Not where the file has a name for it, nor where nobody asks for it.
        for (named, linking) in [(true, left), (false, BY_LOCATION)] {
            let [mut front, mut back] = filled("uv", named, written, read);
            unite(&mut [&mut front, &mut back], linking);
            assert_eq!([width(&front, Space::Output), width(&back, Space::Input)], [4; 2]);
        }
    }
}
