//! Any words through all passes: what a lift made does the same before and after, bit for bit, and stays
//! well-formed in readable mode.

use proptest::prelude::*;
use unshade_ir::exec::{Event, Limits, Machine, Memory, Outcome, Program};
use unshade_ir::{Module, Space, passes, verify};
use unshade_isa_pica200::exec::{State, cases};
use unshade_isa_pica200::lift;
use unshade_stage::{Code, Geometry, GeometryMode, Interface, Isa, Stage, StageId, StageKind};

fn stage(words: Vec<u32>, descriptors: Vec<u32>, geometry: bool) -> Stage<'static> {
    let mode = Geometry { mode: GeometryMode::Point, merge_outputs: false };
    Stage {
        id: StageId("0".to_owned()),
        kind: if geometry { StageKind::Geometry } else { StageKind::Vertex },
        isa: Isa::Pica200,
        code: Code { words: words.into(), descriptors: descriptors.into(), ..Code::default() },
        interface: Interface { geometry: geometry.then_some(mode), ..Interface::default() },
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

/// What a run shows, with one NaN for all; none if it did not end.
fn shown(module: &Module, state: &State, fuel: u64) -> Option<Vec<Vec<u32>>> {
    let program = Program::new(module).expect("well-formed");
    let mut memory = memory(state);
    let run = Machine::new(&program).run(&mut memory, Limits::fuel(fuel));
    let same = |words: &[u32]| {
        let one = |x: &u32| if f32::from_bits(*x).is_nan() { f32::NAN.to_bits() } else { *x };
        words.iter().map(one).collect::<Vec<u32>>()
    };
    (run.outcome == Outcome::Ended).then(|| {
        let events = memory.events.iter().map(|event| match event {
            Event::Vertex { words, .. } => same(words),
            _ => Vec::new(),
        });
        events.chain([same(memory.words(Space::Output, 0))]).collect()
    })
}

/// One word: mostly flow with targets near the code, some arithmetic.
fn word(length: u32) -> impl Strategy<Value = u32> {
    let heads: Vec<u32> = (0x20..=0x2F).chain(0x23..=0x2D).chain(0x00..=0x1B).chain(0x30..=0x3F).collect();
    (prop::sample::select(heads), any::<u32>(), 0..=length, 0..6_u32).prop_map(
        |(head, low, target, number)| {
            let word = head << 26 | low & 0x03FF_FFFF;
            let flows = matches!(head, 0x23..=0x29 | 0x2C | 0x2D);
            if flows { word & !0x003F_FCFF | target << 10 | number } else { word }
        },
    )
}

fn program() -> impl Strategy<Value = Vec<u32>> {
    (4..40_u32).prop_flat_map(|length| prop::collection::vec(word(length), length as usize))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300, max_shrink_iters: 2000, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn any_program_survives_all_passes(
        words in program(),
        descriptors in prop::collection::vec(any::<u32>(), 128),
        geometry in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let stage = stage(words, descriptors, geometry);
        // Some words overlap so much that lifting them is refused.
        let Ok(before) = lift::lift(&stage) else { return Ok(()) };
        let mut after = before.clone();
        passes::run(&mut after, passes::strict(), None);
        for index in 0..4 {
            let state = cases::case(&stage, seed, index, cases::Kind::Full);
            let Some(expected) = shown(&before, &state, 100_000) else { continue };
            let got = shown(&after, &state, 1_000_000);
            if got.as_ref() != Some(&expected) {
                let wrong = (0..=passes::strict().len()).find(|count| {
                    let mut module = before.clone();
                    passes::run(&mut module, passes::strict(), Some(*count));
                    shown(&module, &state, 1_000_000).as_ref() != Some(&expected)
                });
                let name = wrong.and_then(|count| passes::strict().get(count.checked_sub(1)?)).map(|pass| pass.name);
                prop_assert!(false, "case {index}: first wrong behind {name:?} ({wrong:?})");
            }
        }
        let mut readable = before.clone();
        passes::run(&mut readable, passes::readable(), None);
        let problems = verify::check(&readable);
        prop_assert!(problems.is_empty(), "{}", problems[0]);
    }
}
