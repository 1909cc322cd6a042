//! Any words whatever, from the lift through all passes to the source tree.

use proptest::prelude::*;
use unshade::verify::{Failure, verify};
use unshade_stage::{Code, Geometry, GeometryMode, Interface, Isa, Stage, StageId, StageKind};

/// One word: an opcode, any operands, targets and lengths near the code.
fn word(length: u32, heads: &'static [u32]) -> impl Strategy<Value = u32> {
    (prop::sample::select(heads), any::<u32>(), 0..=length, 0..6_u32).prop_map(
        |(head, low, target, number)| {
            let word = head << 26 | low & 0x03FF_FFFF;
            let flows = matches!(head, 0x23..=0x29 | 0x2C | 0x2D);
            if flows { word & !0x003F_FCFF | target << 10 | number } else { word }
        },
    )
}

/// Mostly arithmetic with conditions and loops; EMIT and SETEMIT do nothing in vertex programs.
const HEADS: [u32; 40] = [
    0x00, 0x01, 0x02, 0x03, 0x05, 0x06, 0x07, 0x08, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x12,
    0x13, 0x13, 0x18, 0x1A, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x28, 0x29, 0x2A, 0x2B, 0x2C,
    0x2D, 0x2E, 0x2F, 0x30, 0x38, 0x3F,
];

fn stage(words: Vec<u32>, descriptors: Vec<u32>, kind: StageKind) -> Stage<'static> {
    let geometry = Geometry { mode: GeometryMode::Point, merge_outputs: false };
    Stage {
        id: StageId("0".to_owned()),
        kind,
        isa: Isa::Pica200,
        code: Code { words: words.into(), descriptors: descriptors.into(), ..Code::default() },
        interface: Interface {
            geometry: (kind == StageKind::Geometry).then_some(geometry),
            ..Interface::default()
        },
    }
}

/// A count of passes, of which the machine has the low 8 bits, is drawn as four numbers in a word too.
#[test]
fn counts_of_passes_have_as_many_bits_as_the_machine_gives_them() {
    let words = vec![
        0x90002803, 0x00952E9D, 0x21BCE980, 0x00000000, 0xA6C03000, 0x00000000, 0x01DFA964, 0x90000004,
        0x00000000, 0x00000000, 0x009EB000, 0x02615908, 0xB0000000, 0x90000001, 0x0003DB99, 0x017F6FDE,
        0x00000000, 0x00000000, 0x00000000,
    ];
    let mut descriptors = vec![0; 100];
    (descriptors[0], descriptors[8]) = (0x01367AD1, 0x10F708D4);
    let verdict = verify(&stage(words, descriptors, StageKind::Vertex), 8, 16_654_729_957_974_744_883);
    assert_eq!((verdict.strict.failure, verdict.readable.failure), (None, None));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, max_shrink_iters: 3000, ..ProptestConfig::default() })]

    #[test]
    fn any_program(
        words in (1..24_u32).prop_flat_map(|n| prop::collection::vec(word(n, &HEADS), n as usize)),
        descriptors in prop::collection::vec(any::<u32>(), 100),
        geometry in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let kind = if geometry { StageKind::Geometry } else { StageKind::Vertex };
        let verdict = verify(&stage(words, descriptors, kind), 8, seed);
        for section in [verdict.strict, verdict.readable] {
            match section.failure {
                None => {}
                // Some words overlap so much that lifting them is refused.
                Some(Failure::Refused { point, .. }) if point == "lift" => {}
                Some(failure) => prop_assert!(false, "{failure}"),
            }
        }
    }
}
