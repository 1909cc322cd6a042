//! Levels of detail with a lower limit (`.LC`): the level is the larger of the two (`ARB_sparse_texture_clamp`), and
//! comparisons (`.DC`).

use super::run::word;
use unshade_ir::{Texel, TextureShape};
use unshade_isa_common::texture::{Bank, Bound, Filter, Image, Pictures, Sampler};
use unshade_isa_maxwell::Form;
use unshade_isa_maxwell::exec::{End, Lane, Program, Resources};
use unshade_stage::{Maxwell, StageKind};

/// A plane of 16 by 16 texels with five levels, each texel the number of its level.
fn pictures() -> Pictures {
    let levels = (0..5_u32).map(|level| vec![[(level as f32).to_bits(); 4]; 256 >> (2 * level)]).collect();
    let sampler = Sampler { mip: Some(Filter::Nearest), ..Sampler::default() };
    let image = Image { shape: TextureShape::Plane, size: [16, 16, 1], texel: Texel::Float, levels, sampler };
    let mut bank = Bank::default();
    bank.units.insert(0, Bound::Image(image));
    Pictures { textures: bank.into(), ..Pictures::default() }
}

/// The level that each pixel of a quad gets, whose coordinates go two texels to the right and upwards: level 1.
fn level(code: u64, kind: StageKind, operands: [u32; 4]) -> f32 {
    let mut lanes: Vec<Lane> = (0..4)
        .map(|n| {
            let mut lane = Lane::default();
            let place = [n & 1, n >> 1].map(|steps: u32| (0.25 + steps as f32 / 8.0).to_bits());
            lane.registers[4..6].copy_from_slice(&place);
            lane.registers[6] = operands[3];
            lane.registers[8..12].copy_from_slice(&operands);
            lane
        })
        .collect();
    let words = [0x7e0, code, 0xe300_0000_0007_000f, 0].map(|word: u64| [word as u32, (word >> 32) as u32]);
    let program = Program::with(kind, words.as_flattened(), 0, Maxwell::default());
    let outcome = program.run(&mut lanes, &mut Resources::default(), &mut pictures(), 10);
    assert_eq!(outcome.end, End::Ended, "{code:016x}");
    let first = lanes[0].registers[0];
    assert!(lanes.iter().all(|lane| lane.registers[0] == first));
    f32::from_bits(first)
}

#[test]
fn samples() {
    // Plane, one component; R4 and R5 are the coordinates, operands from R8 on; no predicate.
    let tex = |level: u64, limited: u64| {
        word(Form::Tex, &[(8, 4), (20, 8), (28, 2), (31, 1), (51, 7), (55, level), (58, limited)])
    };
    let (pixel, vertex) = (StageKind::Fragment, StageKind::Vertex);
    for (limit, want) in [(0.0_f32, 1.0_f32), (1.0, 1.0), (3.0, 3.0), (9.0, 4.0)] {
        let limit = limit.to_bits();
        assert_eq!(level(tex(0, 0), pixel, [limit; 4]), 1.0);
        assert_eq!(level(tex(0, 1), pixel, [limit, 0, 0, 0]), want);
        // A bias of one in front of the limit.
        assert_eq!(level(tex(2, 1), pixel, [1.0_f32.to_bits(), limit, 0, 0]), want.max(2.0));
        // A level that is given.
        assert_eq!(level(tex(3, 1), pixel, [2.0_f32.to_bits(), limit, 0, 0]), want.max(2.0));
        // Without a quad the level is zero.
        let want = f32::from_bits(limit).min(4.0);
        assert_eq!(level(tex(0, 1), vertex, [limit, 0, 0, 0]), want);
    }
}

#[test]
fn gradients() {
    // Gradients of two texels each way in R8 to R11; the limit is in R6, the register behind the coordinates.
    let txd = |limited: u64| word(Form::Txd, &[(8, 4), (20, 8), (28, 2), (31, 1), (51, 7), (50, limited)]);
    let change = (2.0_f32 / 16.0).to_bits();
    for (limit, want) in [(0_u32, 1.0_f32), (2 << 8, 2.0), (3 << 8, 3.0)] {
        let operands = [change, 0, 0, limit << 20];
        assert_eq!(level(txd(0), StageKind::Vertex, operands), 1.0);
        assert_eq!(level(txd(1), StageKind::Vertex, operands), want);
    }
}

/// A comparison stands in three components; the fourth is 1.
#[test]
fn comparisons() {
    // At level 0, whose texels are 0: the reference is R9, behind the level.
    let compared = |mask: u64, reference: f32| {
        let code = word(Form::Tex, &[(8, 4), (20, 8), (28, 2), (31, mask), (50, 1), (51, 7), (55, 1)]);
        let mut lanes = [Lane::default()];
        let lane = &mut lanes[0];
        lane.registers[0..4].fill(7);
        (lane.registers[8], lane.registers[9]) = (reference.to_bits(), reference.to_bits());
        let words =
            [0x7e0, code, 0xe300_0000_0007_000f, 0].map(|word: u64| [word as u32, (word >> 32) as u32]);
        let program = Program::with(StageKind::Compute, words.as_flattened(), 0, Maxwell::default());
        let outcome = program.run(&mut lanes, &mut Resources::default(), &mut pictures(), 10);
        assert_eq!(outcome.end, End::Ended);
        [0, 1, 2, 3].map(|n| lanes[0].registers[n])
    };
    let one = 1.0_f32.to_bits();
    assert_eq!(compared(0xf, -1.0), [one; 4]);
    assert_eq!(compared(0xf, 1.0), [0, 0, 0, one]);
    assert_eq!(compared(0x9, 1.0), [0, one, 7, 7]);
}
