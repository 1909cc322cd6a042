//! Lifted programs against the interpreter, before and behind all strict passes, bit for bit.

use crate::corpus::{listed, random_code, stage};
use proptest::prelude::*;
use unshade_ir::exec::{Limits, Machine, Memory, Outcome, Program};
use unshade_ir::{Module, Op, Precision, Space, passes, verify};
use unshade_isa_mali_pp::exec::{self, End, Float, Lane, NoTrace, cases};
use unshade_isa_mali_pp::{Item, decode, lift};
use unshade_stage::{Stage, Symbol, SymbolType};

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// One NaN for all.
fn same(words: &[u32]) -> Vec<u32> {
    words.iter().map(|x| if f32::from_bits(*x).is_nan() { f32::NAN.to_bits() } else { *x }).collect()
}

fn memory(lane: &Lane, uniforms: &[f32]) -> Memory {
    let mut memory = Memory::default();
    memory.set(Space::Input, lift::VARYING_BINDING, bits(&lane.varyings));
    memory.set(Space::Input, lift::FRAG_COORD_BINDING, bits(&lane.frag_coord));
    memory.set(Space::Input, lift::POINT_COORD_BINDING, bits(&lane.point_coord));
    memory.set(Space::Input, lift::FRONT_FACING_BINDING, bits(&[lane.front_facing]));
    memory.set(Space::Input, lift::FRAMEBUFFER_COLOR_BINDING, bits(&lane.framebuffer_color));
    memory.set(Space::Input, lift::FRAMEBUFFER_DEPTH_BINDING, bits(&[lane.framebuffer_depth]));
    memory.set(Space::Uniform, lift::UNIFORM_BINDING, bits(uniforms));
    memory.set(Space::Output, lift::COLOR_BINDING, vec![0; 4]);
    memory
}

/// What a run of a module shows: dropped, or a colour; none if it did not end.
fn shown(module: &Module, lane: &Lane, uniforms: &[f32], fuel: u64) -> Option<Option<Vec<u32>>> {
    let program = Program::new(module).expect("well-formed");
    let mut memory = memory(lane, uniforms);
    match Machine::new(&program).run(&mut memory, Limits::fuel(fuel)).outcome {
        Outcome::Ended => Some(Some(same(memory.words(Space::Output, lift::COLOR_BINDING)))),
        Outcome::Discarded => Some(None),
        Outcome::OutOfFuel => None,
        other => panic!("{other:?}"),
    }
}

/// What the machine shows.
fn expected(program: &exec::Program, lane: &Lane, uniforms: &[f32]) -> Option<Option<Vec<u32>>> {
    let mut lane = lane.clone();
    // The hardware has w for the language's 1/w.
    lane.frag_coord[3] = 1.0 / lane.frag_coord[3];
    let mut surroundings = Memory::default();
    let outcome = program.run_lane(&mut lane, uniforms, &mut surroundings, Float::F32, 2000, &mut NoTrace);
    match outcome.ends[0] {
        End::Ended => Some(Some(same(&bits(&lane.registers[0])))),
        End::Discarded => Some(None),
        End::OutOfFuel => None,
    }
}

/// Compares on `count` cases; gives how many of them ended.
fn compare(stage: &Stage<'_>, count: u64, kind: cases::Kind) -> Result<u64, String> {
    let program = exec::Program::new(stage);
    let before = lift::lift(stage).unwrap();
    let problems = verify::check(&before);
    assert!(problems.is_empty(), "{}", problems[0]);
    let mut after = before.clone();
    passes::run(&mut after, passes::strict(), None);
    let mut ended = 0;
    for index in 0..count {
        let (lane, uniforms) = cases::case(stage, &program, 1, index, kind);
        let Some(expected) = expected(&program, &lane, &uniforms) else { continue };
        ended += 1;
        for (name, module) in [("before", &before), ("behind", &after)] {
            let got = shown(module, &lane, &uniforms, 4_000_000);
            if got.as_ref() != Some(&expected) {
                return Err(format!("case {index}, {name} the passes: {got:x?}, not {expected:x?}"));
            }
        }
    }
    Ok(ended)
}

#[test]
fn every_program_of_the_corpus_is_lifted_exactly() {
    for (name, words, _) in listed() {
        if name.starts_with("fuzz") {
            continue;
        }
        for kind in [cases::Kind::Full, cases::Kind::Finite] {
            let ended =
                compare(&stage(words.clone()), 200, kind).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
            assert!(ended > 100, "{name}: {ended}");
        }
    }
}

#[test]
fn every_instruction_of_the_random_ones_is_lifted_exactly() {
    for (_, words, _) in listed().into_iter().filter(|(name, ..)| name.starts_with("fuzz")) {
        for (at, item) in decode(&words) {
            let Item::Inst(inst) = item else { panic!() };
            let mut words = words[at as usize..(at + inst.count()) as usize].to_vec();
            // A colour out of whatever it writes: registers 0 to 3 and one more, added up.
            words.extend(sum_of_registers());
            if let Err(wrong) = compare(&stage(words), 12, cases::Kind::Full) {
                panic!("at {at}: {wrong}");
            }
        }
    }
}

/// `add.v1 $0, $0, $n` for all others, and the end.
fn sum_of_registers() -> Vec<u32> {
    let mut text = String::new();
    for n in 1..12 {
        text += &format!("add.v1 $0, $0, ${n}\n");
    }
    unshade_isa_mali_pp::asm::assemble(&(text + "mov.v1 $0, $0 | stop\n"), &[]).unwrap().words
}

#[test]
fn derivatives_are_recognised() {
    let text = "load.v $0, 0\ndFdx.v1 $1.xy, $0, -$0\ndFdy.s1 $1.z, -$0.x, $0.x\ndFdx.s1 $1.w, $0.x, $0.y\nmov.v1 $0, $1 | stop\n";
    let words = unshade_isa_mali_pp::asm::assemble(text, &[]).unwrap().words;
    let module = lift::lift(&stage(words.clone())).unwrap();
    let insts = || module.functions[0].insts.iter();
    assert_eq!(insts().filter(|inst| matches!(inst.op, Op::Derivative(..))).count(), 3);
    assert_eq!(insts().filter(|inst| matches!(inst.op, Op::QuadRead(_))).count(), 2);
    compare(&stage(words), 64, cases::Kind::Full).unwrap();
}

#[test]
fn globals_are_what_the_file_names() {
    let words = unshade_isa_mali_pp::asm::assemble(
        "load.v ^discard.xy, 1.xy | texld 1 | mov.v1 $1, ^texture
         load.v $2, gl_FragCoord
         load.u 5 | mul.v0 $1, $1, ^uniform
         load.u 0.x + $2.x | mov.v1 $2, ^uniform
         mov.v1 $0, $1 | stop",
        &[],
    )
    .unwrap()
    .words;
    let symbol = |name: &str, space, ty, shape: [u16; 4], offset, parent| Symbol {
        name: name.to_owned(),
        space,
        ty,
        components: shape[0],
        component_size: shape[1],
        elements: shape[2],
        stride: shape[3],
        precision: Some(unshade_stage::Precision::Medium),
        invariant: false,
        offset: Some(offset),
        parent,
        initial: None,
    };
    let mut stage = stage(words);
    use unshade_stage::Space::{Float as Memory, Input};
    stage.interface.symbols = vec![
        symbol("v_uv", Input, SymbolType::Float, [2, 2, 0, 2], 4, None),
        symbol("u_sky", Memory, SymbolType::SamplerCube, [3, 1, 0, 1], 1, None),
        symbol("u_turn", Memory, SymbolType::Matrix, [3, 4, 0, 12], 8, None),
        symbol("u_lights", Memory, SymbolType::Struct, [2, 8, 4, 8], 32, None),
        symbol("color", Memory, SymbolType::Float, [3, 4, 0, 4], 0, Some(2)),
        symbol("on", Memory, SymbolType::Bool, [1, 1, 0, 1], 4, Some(2)),
    ];
    let globals = lift::lift(&stage).unwrap().globals;
    let shown = |globals: &[unshade_ir::Global]| -> Vec<String> {
        globals.iter().map(|g| format!("{} {:?} {} {}", g.name, g.space, g.offset, g.stride)).collect()
    };
    let mut expected = vec!["v_uv Input 4 4", "gl_FragCoord Input 0 4", "u_turn Uniform 8 4"];
    let lights: Vec<String> = (0..4)
        .flat_map(|n| {
            let at = 32 + 8 * n;
            [format!("u_lights[{n}].color Uniform {at} 4"), format!("u_lights[{n}].on Uniform {} 1", at + 4)]
        })
        .collect();
    expected.extend(lights.iter().map(String::as_str));
    let rest = ["u_sky Texture 1 1", "uniform5 Uniform 20 4", "uniforms_0 Uniform 0 4", "color Output 0 4"];
    expected.extend(rest);
    assert_eq!(shown(&globals), expected);
    assert!(globals.iter().all(|g| g.space == Space::Texture || g.precision == Some(Precision::Medium)));
    // Where the code reaches into them with an index, each member is an array.
    stage.interface.symbols[3].offset = Some(0);
    let shown = shown(&lift::lift(&stage).unwrap().globals);
    for line in ["u_lights[].color Uniform 0 8", "u_lights[].on Uniform 4 8"] {
        assert!(shown.iter().any(|found| found == line), "{line}: {shown:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_program_is_lifted_exactly(words in random_code()) {
        if let Err(wrong) = compare(&stage(words), 6, cases::Kind::Full) {
            prop_assert!(false, "{}", wrong);
        }
    }
}
