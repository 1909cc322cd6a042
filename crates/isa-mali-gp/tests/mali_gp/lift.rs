//! The lift of Mali vertex code against the machine: the IR does what the interpreter does, as it was lifted
//! and behind every strict pass, bit for bit; and the position before the viewport transform.

use crate::corpus::{corpus, stages};
use proptest::prelude::*;
use unshade_ir::exec::{self, Limits, Machine, Memory};
use unshade_ir::{Space, passes, verify};
use unshade_isa_mali_gp::asm::assemble;
use unshade_isa_mali_gp::exec::{End, Program, State, cases};
use unshade_isa_mali_gp::lift::{self, viewport};
use unshade_isa_mali_gp::table::{EMPTY, FIELDS, field};
use unshade_isa_mali_gp::words;
use unshade_stage::{Code, Interface, Isa, Space as Area, Stage, StageId, StageKind, Symbol, SymbolType};

/// Machine instructions that a case may take before it counts as endless.
const FUEL: u64 = 4096;

fn stage(words: Vec<u32>, symbols: Vec<Symbol>) -> Stage<'static> {
    Stage {
        id: StageId("vertex".into()),
        kind: StageKind::Vertex,
        isa: Isa::MaliGp,
        code: Code { words: words.into(), ..Code::default() },
        interface: Interface { symbols, ..Interface::default() },
    }
}

fn memory(state: &State) -> Memory {
    let bits = |vectors: &[[f32; 4]]| vectors.iter().flatten().map(|x| x.to_bits()).collect::<Vec<_>>();
    let mut memory = Memory::default();
    memory.set(Space::Input, 0, bits(&state.attributes));
    memory.set(Space::Uniform, 0, bits(&state.memory));
    memory.set(Space::Output, 0, vec![0; 64]);
    memory
}

/// Bits with one NaN for all.
fn same(x: u32) -> u32 {
    if f32::from_bits(x).is_nan() { f32::NAN.to_bits() } else { x }
}

/// What leaves the machine; none if it does not end.
fn machine(stage: &Stage<'_>, start: &State) -> Option<Vec<u32>> {
    let mut state = start.clone();
    let outcome = Program::new(stage).run(&mut state, FUEL);
    (outcome.end == End::Ended).then(|| state.varyings.iter().flatten().map(|x| same(x.to_bits())).collect())
}

/// What leaves the IR; none if it does not end.
fn shown(program: &exec::Program, start: &State) -> Option<Vec<u32>> {
    let mut memory = memory(start);
    let run = Machine::new(program).run(&mut memory, Limits::fuel(FUEL * 200));
    let words = memory.words(Space::Output, 0);
    (run.outcome == exec::Outcome::Ended).then(|| words.iter().map(|x| same(*x)).collect())
}

/// Some cases, as lifted and behind the strict passes.
fn agree(stage: &Stage<'_>, seed: u64, count: u64) {
    let module = lift::lift(stage).expect("it lifts");
    let program = exec::Program::new(&module).expect("a lift makes a well-formed module");
    let mut strict = module.clone();
    passes::run(&mut strict, passes::strict(), None);
    let after = exec::Program::new(&strict).expect("passes keep a module well-formed");
    for index in 0..count {
        let start = cases::case(stage, seed, index, cases::Kind::Full);
        let Some(want) = machine(stage, &start) else {
            assert_eq!(shown(&program, &start), None, "case {index}: only the IR ends");
            continue;
        };
        assert_eq!(shown(&program, &start).as_ref(), Some(&want), "case {index}, as lifted");
        let got = shown(&after, &start);
        if got.as_ref() != Some(&want) {
            let wrong = (0..=passes::strict().len()).find(|count| {
                let mut module = module.clone();
                passes::run(&mut module, passes::strict(), Some(*count));
                shown(&exec::Program::new(&module).unwrap(), &start).as_ref() != Some(&want)
            });
            let name =
                wrong.and_then(|count| passes::strict().get(count.checked_sub(1)?)).map(|pass| pass.name);
            panic!("case {index}: first wrong behind {name:?}\n{got:x?}\n{want:x?}");
        }
    }
    let mut readable = module;
    viewport::run(&mut readable);
    passes::run(&mut readable, passes::readable(), None);
    let problems = verify::check(&readable);
    assert!(problems.is_empty(), "{}", problems[0]);
}

#[test]
fn corpus_programs() {
    let Some(corpus) = corpus() else { return };
    let stages = stages(&corpus);
    for (path, stage) in &stages {
        agree(stage, 7, if path.ends_with("fuzz_gp.mbs") { 32 } else { 256 });
    }
    assert!(stages.len() >= 40, "{} programs", stages.len());
    println!("{} programs agree", stages.len());
}

/// The programs whose position cannot be brought back.
#[test]
fn positions_of_the_corpus() {
    let Some(corpus) = corpus() else { return };
    let mut found = 0;
    let mut missing = Vec::new();
    for (path, stage) in stages(&corpus) {
        if path.ends_with("fuzz_gp.mbs") {
            continue;
        }
        let module = lift::lift(&stage).unwrap();
        let mut restored = module.clone();
        if viewport::run(&mut restored).count == 0 {
            missing.push(path);
            continue;
        }
        assert!(verify::check(&restored).is_empty(), "{}", path.display());
        found += 1;
        let place =
            module.globals.iter().find(|global| global.name == viewport::UNIFORM).unwrap().offset as usize;
        let program = exec::Program::new(&restored).unwrap();
        for index in 0..64 {
            let start = cases::case(&stage, 3, index, cases::Kind::Finite);
            let want = machine(&stage, &start).unwrap();
            let got = shown(&program, &start).unwrap();
            let float = |words: &[u32], n: usize| f32::from_bits(words[n]);
            let position = [0, 1, 2, 3].map(|n| float(&got, n));
            let again = viewport::transform(position, start.memory[place / 4], start.memory[place / 4 + 1]);
            for (n, again) in again.into_iter().enumerate() {
                let want = float(&want, n);
                // 1/w may be huge, and then so are the terms of the sum.
                let size = want.abs().max(1.0) + (again - start.memory[place / 4 + 1][n]).abs();
                let close = (again - want).abs() <= 1e-5 * size || !want.is_finite() && !again.is_finite();
                assert!(close, "{} case {index}: component {n} is {again}, not {want}", path.display());
            }
            assert_eq!(got[4..], want[4..], "{}", path.display());
        }
    }
    println!("{found} positions, not in {missing:?}");
    assert!(missing.is_empty() && found >= 39, "{found} positions, not in {missing:?}");
}

fn uniform(name: &str, offset: u16, values: Vec<u32>) -> Symbol {
    Symbol {
        name: name.into(),
        space: Area::Float,
        ty: SymbolType::Float,
        components: values.len() as u16,
        component_size: 4,
        elements: 0,
        stride: 4,
        precision: None,
        invariant: false,
        offset: Some(offset),
        parent: None,
        initial: Some(values),
    }
}

#[test]
fn temporaries_at_known_places_are_variables() {
    let constants = uniform("?__maligp2_constant_000", 8, vec![5.0_f32.to_bits(), 6.0_f32.to_bits()]);
    let text = "mul0 mov t[5].x -> v1.x\n|| mul1 mov a0.x -> v2.z\n\
                complex addr0 t[2].x\n|| mul0 mul a0.x, a0.y -> t[addr0].x\n|| add0 add a0.z, a0.w -> t[addr0].w\n\
                mul0 mov t[2].y\nmul1 mov ^mul0\ncomplex addr0 ^mul1\n|| pass mov a0.z -> t[addr0].y\n\
                mul0 mov t[5].x -> v0.x\n|| mul1 mov t[5].w -> v0.w\n|| add0 add t[5].y, 0 -> v0.y\n\
                mul0 mov t[6].y -> v0.z\n|| mul1 mov t[6].x -> v0.w";
    let code = assemble(text, &[]).unwrap().words;
    let stage = stage(code, vec![constants]);
    let module = lift::lift(&stage).unwrap();
    assert!(module.arrays.is_empty(), "known places need no arrays");
    agree(&stage, 1, 64);
}

#[test]
fn temporaries_anywhere_are_arrays() {
    let text = "complex addr0 a0.x\n|| mul0 mov a0.y -> t[addr0].yz\n\
                complex addr1 a1.x\nmul0 mov t[3].y -> v0.x\n|| mul1 mov t[3].x -> v0.y\n\
                pass mov t[0+addr1].z -> v0.z\n|| mul0 mov t[0+addr1].w -> v0.w";
    let code = assemble(text, &[]).unwrap().words;
    let stage = stage(code, Vec::new());
    assert_eq!(lift::lift(&stage).unwrap().arrays.len(), 2);
    agree(&stage, 1, 256);
}

/// Instructions whose fields are mostly as compilers set them, with branches into the code.
fn likely(length: u32) -> impl Strategy<Value = Vec<u32>> {
    // Reading registers, results and memory; the operations that are known.
    let source = prop::sample::select(vec![
        0, 1, 3, 4, 7, 8, 12, 13, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 31,
    ]);
    let change = (0..FIELDS.len(), any::<u32>(), source);
    let branch = (0..6_u32, 0..=length, 0..28_u32);
    (prop::collection::vec(change, 4..30), branch).prop_map(|(changes, (branch, target, condition))| {
        let mut word = EMPTY;
        let mut set = |field: unshade_isa_mali_gp::Field, value: u32| {
            word = word & !field.mask() | field.put(value);
        };
        for (at, value, source) in changes {
            let field = FIELDS[at];
            match field.name {
                "branch" | "branch.low" | "branch.target" | "unknown_1" => {}
                name if name.contains(".src") => set(field, source),
                "load.address" => set(field, value % 8),
                "store0.varying" | "store1.varying" => set(field, u32::from(value & 3 != 0)),
                "store0.temporary" | "store1.temporary" => set(field, u32::from(value & 7 == 0)),
                "reg0.address" | "reg1.address" | "store0.address" | "store1.address" => {
                    set(field, value & 1)
                }
                _ => set(field, value),
            }
        }
        if branch == 0 {
            set(field::BRANCH, 1);
            set(field::BRANCH_LOW, 1);
            set(field::BRANCH_TARGET, target);
            set(field::PASS_SRC, condition);
        }
        words(word).to_vec()
    })
}

fn program() -> impl Strategy<Value = Vec<u32>> {
    (1..24_u32)
        .prop_flat_map(|length| prop::collection::vec(likely(length), length as usize))
        .prop_map(|instructions| instructions.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, max_shrink_iters: 4000, ..ProptestConfig::default() })]

    #[test]
    fn any_program(words in program(), seed in any::<u64>()) {
        agree(&stage(words, Vec::new()), seed, 6);
    }

    #[test]
    fn any_words(words in prop::collection::vec(any::<u32>(), 0..60), seed in any::<u64>()) {
        agree(&stage(words, Vec::new()), seed, 4);
    }
}
