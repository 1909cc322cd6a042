//! Reproducible inputs: the same stage, seed and index give the same numbers on every platform.
//!
//! | what | value |
//! |---|---|
//! | uniforms with an initial value in the file | that value, in every case |
//! | other uniforms, varyings | by [`Kind`], as the cases of the other machines |
//! | gl_FragCoord | x and y in the middle of a pixel of a picture of 2048 by 2048, z 0 to 1, w 0.25 to 4 |
//! | gl_PointCoord | 0 to 1 |
//! | gl_FrontFacing | 0 or 1 |
//! | the framebuffer | colours and depth 0 to 1 |
//!
//! There are as many uniforms and varyings as the code names, and some more where it puts a register into an
//! address.

use super::{Lane, Program};
pub use unshade_isa_common::cases::Kind;
use unshade_isa_common::cases::Random;
use unshade_stage::{Space, Stage};

/// Uniforms or varyings behind the last one named, where registers are in addresses.
const BEHIND: u32 = 64;

/// A pixel and its uniforms before run number `index` of a series.
pub fn case(stage: &Stage<'_>, program: &Program, seed: u64, index: u64, kind: Kind) -> (Lane, Vec<f32>) {
    let mut random = Random::new(seed, index);
    let more = if program.indexes() { BEHIND } else { 0 };
    let varyings = (program.varying_floats() + more) as usize;
    let count = (program.uniform_floats() + more) as usize;
    let mut uniforms: Vec<f32> = (0..count).map(|_| random.float(kind, index)).collect();
    for symbol in stage.interface.symbols.iter().filter(|symbol| symbol.space == Space::Float) {
        if let (Some(values), Some(offset), None) = (&symbol.initial, symbol.offset, symbol.parent) {
            for (place, value) in uniforms.iter_mut().skip(offset.into()).zip(values) {
                *place = f32::from_bits(*value);
            }
        }
    }
    let mut unit = || (random.next() >> 40) as f32 / (1 << 24) as f32;
    let framebuffer_color = [unit(), unit(), unit(), unit()];
    let framebuffer_depth = unit();
    let frag_coord =
        [(unit() * 2048.0).trunc() + 0.5, (unit() * 2048.0).trunc() + 0.5, unit(), 0.25 + 3.75 * unit()];
    let point_coord = [unit(), unit()];
    let front_facing = if unit() < 0.5 { 0.0 } else { 1.0 };
    let lane = Lane {
        varyings: (0..varyings).map(|_| random.float(kind, index)).collect(),
        frag_coord,
        point_coord,
        front_facing,
        framebuffer_color,
        framebuffer_depth,
        ..Lane::default()
    };
    (lane, uniforms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_stage::{Code, Interface, Isa, StageId, StageKind};

    #[test]
    fn same_arguments_same_case() {
        // load.v $0, 1; load.u 2, stop
        let stage = Stage {
            id: StageId("0".to_owned()),
            kind: StageKind::Fragment,
            isa: Isa::MaliPp,
            code: Code { words: vec![0x0200_0083, 0xF004_3C60, 0].into(), ..Code::default() },
            interface: Interface::default(),
        };
        let program = Program::new(&stage);
        let (lane, uniforms) = case(&stage, &program, 1, 2, Kind::Finite);
        assert_eq!((lane.varyings.len(), uniforms.len()), (8, 0));
        assert_eq!((lane.clone(), uniforms), case(&stage, &program, 1, 2, Kind::Finite));
        assert_ne!(lane, case(&stage, &program, 1, 3, Kind::Finite).0);
        assert!((0.25..=4.0).contains(&lane.frag_coord[3]));
    }
}
