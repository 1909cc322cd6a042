//! Reproducible inputs: the same stage, seed and index give the same registers on every platform.
//!
//! | what | value |
//! |---|---|
//! | constants of the stage | as the file has them, in every case |
//! | v, c | by [`Kind`] |
//! | i | x (passes less one) 0-3, start of aL 0-15, step 0-2; one case in eight: start and step any byte |
//! | b | case 0 all false, case 1 all true, then at random |
//! | c0 of a geometry program in variable mode | a vertex count of 1-8 in all lanes, as the hardware puts there |
//!
//! The values of `v` and `c` are those of [`unshade_isa_common::cases`].

use super::state::State;
pub use unshade_isa_common::cases::Kind;
use unshade_isa_common::cases::Random;
use unshade_stage::{GeometryMode, Space, Stage};

/// The registers before run number `index` of a series.
pub fn case(stage: &Stage<'_>, seed: u64, index: u64, kind: Kind) -> State {
    let mut random = Random::new(seed, index);
    let mut state = State::new(stage);
    let fixed = |space: Space, register: usize| {
        stage.code.constants.iter().any(|c| c.space == space && c.register as usize == register)
    };
    for register in &mut state.v {
        *register = std::array::from_fn(|_| random.float(kind, index));
    }
    for (n, register) in state.c.iter_mut().enumerate() {
        // Drawn also where a constant stays, so that the other registers do not depend on it.
        let value = std::array::from_fn(|_| random.float(kind, index));
        if !fixed(Space::Float, n) {
            *register = value;
        }
    }
    for (n, register) in state.i.iter_mut().enumerate() {
        let bits = random.next();
        let [passes, start, step, unused, wild, ..] = bits.to_le_bytes();
        let (start, step) = if wild & 7 == 0 { (start, step) } else { (start & 15, step % 3) };
        if !fixed(Space::Int, n) {
            *register = [passes & 3, start, step, unused];
        }
    }
    let bits = match index {
        0 => 0,
        1 => u64::MAX,
        _ => random.next(),
    };
    for (n, register) in state.b.iter_mut().enumerate() {
        if !fixed(Space::Bool, n) {
            *register = bits >> n & 1 != 0;
        }
    }
    if let Some(geometry) = stage.interface.geometry
        && matches!(geometry.mode, GeometryMode::Variable { .. })
        && !fixed(Space::Float, 0)
    {
        state.c[0] = [1.0 + (random.next() % 8) as f32; 4];
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_isa_common::cases::BOUNDARIES;
    use unshade_stage::{Code, Constant, ConstantValue, Interface, Isa, StageId, StageKind};

    fn stage() -> Stage<'static> {
        let constants = vec![
            Constant { space: Space::Float, register: 7, value: ConstantValue::Float([0.25, 1.0, 2.0, 3.0]) },
            Constant { space: Space::Int, register: 1, value: ConstantValue::Int([9, 8, 7, 6]) },
            Constant { space: Space::Bool, register: 3, value: ConstantValue::Bool(true) },
        ];
        Stage {
            id: StageId("0".to_owned()),
            kind: StageKind::Vertex,
            isa: Isa::Pica200,
            code: Code { constants, ..Code::default() },
            interface: Interface::default(),
        }
    }

    fn bits(state: &State) -> Vec<u32> {
        state.v.iter().chain(&state.c).flatten().map(|x| x.to_bits()).collect()
    }

    #[test]
    fn same_arguments_same_case() {
        let stage = stage();
        assert_eq!(bits(&case(&stage, 5, 6, Kind::Full)), bits(&case(&stage, 5, 6, Kind::Full)));
        assert_ne!(bits(&case(&stage, 5, 6, Kind::Full)), bits(&case(&stage, 6, 5, Kind::Full)));
        // Fixes the series itself: a change here changes every recorded counterexample.
        assert_eq!(Random::new(1, 2).next(), 5_649_075_439_385_630_086);
    }

    #[test]
    fn constants_of_the_stage_stay() {
        for index in 0..64 {
            let state = case(&stage(), 1, index, Kind::Full);
            assert_eq!(state.c[7], [0.25, 1.0, 2.0, 3.0]);
            assert_eq!(state.i[1], [9, 8, 7, 6]);
            assert!(state.b[3]);
            assert!(state.i.iter().enumerate().all(|(n, i)| n == 1 || i[0] < 4));
        }
    }

    #[test]
    fn finite_is_finite_and_full_has_every_boundary() {
        let stage = stage();
        let mut seen = vec![false; BOUNDARIES.len()];
        for index in 0..256 {
            for x in bits(&case(&stage, 3, index, Kind::Finite)).into_iter().map(f32::from_bits) {
                assert!(x.is_finite() && x.abs() < 96.0 && (x == 0.0 || x.abs() >= 1.0 / 64.0), "{x}");
            }
            for word in bits(&case(&stage, 3, index, Kind::Full)) {
                if let Some(n) = BOUNDARIES.iter().position(|b| b.to_bits() == word) {
                    seen[n] = true;
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen), "{seen:?}");
    }
}
