use super::super::build::{Mode, build};
use super::super::exec::run;
use super::super::{GlobalVar, Program};
use super::{Linking, unite};
use crate::build::FunctionBuilder;
use crate::exec::{Limits, Memory};
use crate::random::{inputs, module, observe, same};
use crate::{Access, FloatMode, Global, Module, Op, Shape, Space, UniformBlock, ssa};

const BY_LOCATION: Linking =
    Linking { varyings_by_name: false, machine_by_name: false, loose_uniforms: false };

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
    build(&module, Mode::Strict).unwrap().program
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
            build(&module, Mode::Strict).ok().map(|built| built.program)
        });
        let Some([mut front, mut back]) =
            trees.collect::<Option<Vec<_>>>().and_then(|trees| <[Program; 2]>::try_from(trees).ok())
        else {
            continue;
        };
        for by_name in [false, true] {
            let linking =
                Linking { varyings_by_name: by_name, machine_by_name: false, loose_uniforms: by_name };
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
