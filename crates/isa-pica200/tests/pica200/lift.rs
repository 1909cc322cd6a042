//! The lift against the machine: for any words whatever the IR does what the interpreter does.

use proptest::prelude::*;
use unshade_ir::exec::{self, Event, Limits, Machine, Memory};
use unshade_ir::{Module, Space};
use unshade_isa_pica200::exec::{End, Outcome, Program, State, Vertex, cases};
use unshade_isa_pica200::lift;
use unshade_stage::{Code, Geometry, GeometryMode, Interface, Isa, Stage, StageId, StageKind};

fn stage(words: Vec<u32>, descriptors: Vec<u32>, kind: StageKind, entry: u32) -> Stage<'static> {
    let geometry = Geometry { mode: GeometryMode::Point, merge_outputs: false };
    Stage {
        id: StageId("0".to_owned()),
        kind,
        isa: Isa::Pica200,
        code: Code { words: words.into(), descriptors: descriptors.into(), entry, ..Code::default() },
        interface: Interface {
            geometry: (kind == StageKind::Geometry).then_some(geometry),
            ..Interface::default()
        },
    }
}

fn memory(state: &State) -> Memory {
    let bits = |registers: &[[f32; 4]]| registers.iter().flatten().map(|x| x.to_bits()).collect::<Vec<_>>();
    let mut memory = Memory::default();
    memory.set(Space::Input, 0, bits(&state.v));
    memory.set(Space::Uniform, lift::FLOAT_BINDING, bits(&state.c));
    memory.set(Space::Uniform, lift::INT_BINDING, state.i.iter().flatten().map(|x| u32::from(*x)).collect());
    memory.set(Space::Uniform, lift::BOOL_BINDING, state.b.iter().map(|x| u32::from(*x)).collect());
    memory.set(Space::Output, 0, vec![0; 64]);
    memory
}

/// Bits with one NaN for all.
fn same(x: u32) -> u32 {
    if f32::from_bits(x).is_nan() { f32::NAN.to_bits() } else { x }
}

/// What leaves a program: the outputs, or the vertices of triangles in winding order.
fn machine_result(kind: StageKind, state: &State, outcome: &Outcome) -> Vec<Vec<u32>> {
    let words = |o: &[[f32; 4]; 16]| o.iter().flatten().map(|x| same(x.to_bits())).collect();
    if kind != StageKind::Geometry {
        return vec![words(&state.o)];
    }
    let triangle = |t: &[Vertex]| {
        let order = if t[0].inverted { [1, 0, 2] } else { [0, 1, 2] };
        order.map(|n| words(&t[n].o))
    };
    outcome.emitted.chunks_exact(3).flat_map(triangle).collect()
}

fn ir_result(kind: StageKind, memory: &Memory) -> Vec<Vec<u32>> {
    let words = |words: &[u32]| words.iter().map(|x| same(*x)).collect();
    if kind != StageKind::Geometry {
        return vec![words(memory.words(Space::Output, 0))];
    }
    let vertex = |event: &Event| match event {
        Event::Vertex { words: w, .. } => Some(words(w)),
        _ => None,
    };
    memory.events.iter().filter_map(vertex).collect()
}

/// Machine instructions that a case may take before it counts as endless.
const FUEL: u64 = 400;

/// Runs some cases: each one ends in both worlds with equal results, or in neither.
fn agree(stage: &Stage<'_>, module: &Module, seed: u64, count: u64) {
    let machine = Program::new(stage);
    let program = exec::Program::new(module).expect("a lift makes a well-formed module");
    let mut runner = Machine::new(&program);
    for index in 0..count {
        let start = cases::case(stage, seed, index, cases::Kind::Full);
        let mut memory = memory(&start);
        let mut state = start.clone();
        let mut outcome = machine.run(&mut state, FUEL);
        // An EMIT stores all components three times.
        let run = runner.run(&mut memory, Limits::fuel(FUEL * 1500));
        match (outcome.end, run.outcome) {
            (End::Ended, exec::Outcome::Ended) => {}
            (End::OutOfFuel | End::TooManyVertices, exec::Outcome::OutOfFuel) => continue,
            (End::OutOfFuel, exec::Outcome::Ended) => {
                state = start.clone();
                outcome = machine.run(&mut state, FUEL * 2000);
                assert_eq!(outcome.end, End::Ended, "case {index}: only the IR ends");
            }
            (machine, ir) => panic!("case {index}: the machine {machine:?}, the IR {ir:?}"),
        }
        let (want, got) = (machine_result(stage.kind, &state, &outcome), ir_result(stage.kind, &memory));
        assert_eq!(want, got, "case {index}");
    }
}

/// One word: an opcode, any operands, targets and lengths near the code.
fn word(length: u32, arithmetic: bool) -> impl Strategy<Value = u32> {
    let heads: Vec<u32> = if arithmetic {
        (0x00..=0x3F).collect()
    } else {
        // Mostly flow, and something that shows where the program has been.
        (0x20..=0x2F).chain([0x00, 0x08, 0x13, 0x3F, 0x21]).chain(0x23..=0x2D).collect()
    };
    (prop::sample::select(heads), any::<u32>(), 0..=length + 1, 0..6_u32).prop_map(
        |(head, low, target, number)| {
            let word = head << 26 | low & 0x03FF_FFFF;
            let flows = matches!(head, 0x23..=0x29 | 0x2C | 0x2D);
            if flows { word & !0x003F_FCFF | target << 10 | number } else { word }
        },
    )
}

type Sample = (Vec<u32>, Vec<u32>, bool, u32);

fn program(arithmetic: bool) -> impl Strategy<Value = Sample> {
    (1..28_u32).prop_flat_map(move |length| {
        (
            prop::collection::vec(word(length, arithmetic), length as usize),
            prop::collection::vec(any::<u32>(), 100),
            any::<bool>(),
            0..length,
        )
    })
}

fn check((words, descriptors, geometry, entry): Sample, seed: u64) {
    let kind = if geometry { StageKind::Geometry } else { StageKind::Vertex };
    let stage = stage(words, descriptors, kind, entry);
    // Some words overlap so much that lifting them is refused.
    if let Ok(module) = lift::lift(&stage) {
        agree(&stage, &module, seed, 6);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, max_shrink_iters: 4000, ..ProptestConfig::default() })]

    #[test]
    fn any_arithmetic(program in program(true), seed in any::<u64>()) {
        check(program, seed);
    }

    #[test]
    fn any_flow(program in program(false), seed in any::<u64>()) {
        check(program, seed);
    }

    #[test]
    fn any_words(words in prop::collection::vec(any::<u32>(), 1..40), seed in any::<u64>()) {
        check((words, vec![0x0DDB_6DBF; 60], seed & 1 != 0, 0), seed);
    }
}
