//! The pixel processor of Mali-200 and Mali-400.

use super::words;
use unshade::{Code, Interface, Isa, Location, Stage, StageId, StageKind};
use unshade_ir::exec::{Limits, Machine, Memory, Outcome, Program};
use unshade_ir::{Module, Space, passes, verify};
use unshade_isa::mali_pp::exec::{self, End, Float, Lane, NoTrace, State, cases};
use unshade_isa::mali_pp::{self, Item, asm, lift, lima, lint, listing, stats};
use unshade_isa::text::PlainText;
use unshade_isa::texture::{Bank, Bound};

/// Everything below, by the first byte.
pub fn all(data: &[u8]) {
    match data.split_first() {
        Some((0..=15, rest)) => text(rest),
        Some((16..=127, rest)) => code(rest),
        Some((_, rest)) => programs(rest),
        None => {}
    }
}

fn stage(words: Vec<u32>) -> Stage<'static> {
    Stage {
        id: StageId("0".into()),
        kind: StageKind::Fragment,
        isa: Isa::MaliPp,
        code: Code { words: words.into(), ..Code::default() },
        interface: Interface::default(),
    }
}

/// Code words: decode and encode are inverse, the listing assembles back; lints and statistics end.
pub fn code(data: &[u8]) {
    let words = words(data);
    let items = mali_pp::decode(&words);
    assert_eq!(mali_pp::encode::encode_all(items.iter().map(|(_, item)| item)), words);
    let covered: u32 = items.iter().map(|(_, item)| item.words()).sum();
    assert_eq!(covered as usize, words.len());
    let stage = stage(words);
    let mut text = PlainText::default();
    listing::list_code(&stage.code, &[], &mut text);
    match asm::assemble(text.text(), &[]) {
        Ok(assembled) => assert_eq!(assembled.words, &*stage.code.words, "{}", text.text()),
        Err(findings) => panic!("a listing does not assemble: {findings:?}\n{}", text.text()),
    }
    let mut text = PlainText::default();
    lima::list(&stage.code.words, &mut text);
    assert_eq!(text.text().lines().count(), items.len());
    lint::lint(&stage);
    stats::stats(&stage);
}

/// Assembler text: code, or findings that point into the text.
pub fn text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let findings = match asm::assemble(text, &[]) {
        Ok(assembled) => {
            let bytes: Vec<u8> = assembled.words.iter().flat_map(|word| word.to_le_bytes()).collect();
            code(&bytes);
            assembled.warnings
        }
        Err(findings) => {
            assert!(!findings.is_empty());
            findings
        }
    };
    for finding in findings {
        if let Location::Text { source, span } = finding.location {
            assert!(source == 0 && text.get(span.clone()).is_some(), "{span:?}: {}", finding.message);
        }
    }
}

/// A program of any words: what the lift makes of it behaves like the machine, before and behind all strict
/// passes; a quad runs, in either arithmetic, and comes back in bounded time.
pub fn programs(data: &[u8]) {
    let words = words(data);
    if words.is_empty() {
        return;
    }
    let stage = stage(words);
    let program = exec::Program::new(&stage);
    let lifted = lift::lift(&stage).expect("any words of this length are lifted");
    assert!(verify::check(&lifted).is_empty(), "{:?}", verify::check(&lifted).first());
    let mut strict = lifted.clone();
    passes::run(&mut strict, passes::strict(), None);
    for index in 0..4 {
        let (lane, uniforms) = cases::case(&stage, &program, 1, index, cases::Kind::Full);
        let mut after = lane.clone();
        // The hardware has w for the language's 1/w.
        after.frag_coord[3] = 1.0 / after.frag_coord[3];
        let outcome =
            program.run_lane(&mut after, &uniforms, &mut Memory::default(), Float::F32, 500, &mut NoTrace);
        let expected = match outcome.ends[0] {
            End::Ended => Some(one_nan(after.registers[0].map(f32::to_bits))),
            End::Discarded => None,
            End::OutOfFuel => continue,
        };
        for module in [&lifted, &strict] {
            assert_eq!(shown(module, &lane, &uniforms), expected, "case {index}");
        }
    }
    quads(&stage, &program);
}

fn one_nan(words: [u32; 4]) -> [u32; 4] {
    words.map(|word| if f32::from_bits(word).is_nan() { f32::NAN.to_bits() } else { word })
}

/// The colour that a module computes; none if it drops the pixel.
fn shown(module: &Module, lane: &Lane, uniforms: &[f32]) -> Option<[u32; 4]> {
    let program = Program::new(module).expect("well-formed");
    let bits = |values: &[f32]| values.iter().map(|x| x.to_bits()).collect::<Vec<u32>>();
    let mut memory = Memory::default();
    memory.set(Space::Input, lift::VARYING_BINDING, bits(&lane.varyings));
    memory.set(Space::Input, lift::FRAG_COORD_BINDING, bits(&lane.frag_coord));
    memory.set(Space::Input, lift::POINT_COORD_BINDING, bits(&lane.point_coord));
    memory.set(Space::Input, lift::FRONT_FACING_BINDING, bits(&[lane.front_facing]));
    memory.set(Space::Input, lift::FRAMEBUFFER_COLOR_BINDING, bits(&lane.framebuffer_color));
    memory.set(Space::Input, lift::FRAMEBUFFER_DEPTH_BINDING, bits(&[lane.framebuffer_depth]));
    memory.set(Space::Uniform, lift::UNIFORM_BINDING, bits(uniforms));
    memory.set(Space::Output, lift::COLOR_BINDING, vec![0; 4]);
    let run = Machine::new(&program).run(&mut memory, Limits::fuel(4_000_000));
    match run.outcome {
        Outcome::Ended => {
            let words: [u32; 4] =
                std::array::from_fn(|n| memory.words(Space::Output, lift::COLOR_BINDING)[n]);
            Some(one_nan(words))
        }
        Outcome::Discarded => None,
        other => panic!("{other:?}"),
    }
}

fn quads(stage: &Stage<'_>, program: &exec::Program) {
    for (index, float) in [Float::F32, Float::F16].into_iter().enumerate() {
        let case = |n: u64| cases::case(stage, program, 2, 4 * index as u64 + n, cases::Kind::Full);
        let mut state = State { lanes: [0, 1, 2, 3].map(|n| case(n).0), uniforms: case(0).1 };
        let mut textures = Bank { units: [(0, Bound::Probe)].into(), ..Bank::default() };
        let outcome = program.run(&mut state, &mut textures, float, 500);
        assert!(outcome.steps <= 500);
    }
}

/// A program's instructions one after the other, so that each is looked at alone.
pub fn each_instruction(data: &[u8]) {
    let words = words(data);
    for (at, item) in mali_pp::decode(&words) {
        if let Item::Inst(inst) = item {
            let end = (at + inst.count()) as usize;
            let bytes: Vec<u8> = words
                .get(at as usize..end)
                .unwrap_or_default()
                .iter()
                .flat_map(|word| word.to_le_bytes())
                .collect();
            programs(&bytes);
        }
    }
}
