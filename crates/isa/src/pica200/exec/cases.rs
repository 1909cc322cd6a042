//! Reproducible inputs: the same stage, seed and index give the same registers on every platform.
//!
//! | what | value |
//! |---|---|
//! | constants of the stage | as the file has them, in every case |
//! | v, c | by [`Kind`], see below |
//! | i | x (passes less one) 0-3, start of aL 0-15, step 0-2; one case in eight: start and step any byte |
//! | b | case 0 all false, case 1 all true, then at random |
//! | c0 of a geometry program in variable mode | a vertex count of 1-8 in all lanes, as the hardware puts there |
//!
//! [`Kind::Finite`] draws from ±[1/64, 64) and from the integers -8 to 94 (so that addresses and loops mean
//! something), nothing else. [`Kind::Full`] cycles through four mixtures by the index: case 0, 4, 8... as
//! `Finite`; 1, 5, 9... with one value in sixteen from the boundary list; 2, 6, 10... with one in four; 3, 7,
//! 11... with one half boundary values and one quarter of any 32 bits. Most cases thus keep enough ordinary
//! numbers for NaN not to swallow everything.

use super::state::State;
use unshade_stage::{GeometryMode, Space, Stage};

/// Which values the float registers get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Boundary values and any bits as well.
    Full,
    /// Finite numbers of ordinary size only.
    Finite,
}

/// Values at which float operations change their ways.
pub const BOUNDARIES: [f32; 26] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    // Denormals: the smallest, the largest.
    f32::from_bits(1),
    f32::from_bits(0x8000_0001),
    f32::from_bits(0x007F_FFFF),
    f32::MAX,
    f32::MIN,
    // Smallest normal and largest number of the hardware's 24 bits.
    f32::from_bits(0x2080_0000),
    f32::from_bits(0x5F7F_FF80),
    // Where the fraction ends, where addresses stop counting, where 32-bit integers end.
    8_388_608.0,
    -128.0,
    127.0,
    128.0,
    96.0,
    2_147_483_648.0,
    -2_147_483_904.0,
];

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

/// SplitMix64 (Steele, Lea, Flood): a counter and a mixing function.
pub(crate) struct Random(u64);

/// 2^64 divided by the golden ratio: the published step of the counter.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Random {
    pub(crate) fn new(seed: u64, index: u64) -> Self {
        // Mixed once, so that neighbouring seeds and indices do not give shifted copies of one series.
        Self(Self(seed).next() ^ Self(index.wrapping_mul(STEP)).next().rotate_left(32))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    pub(crate) fn float(&mut self, kind: Kind, index: u64) -> f32 {
        let bits = self.next();
        let [choice, pick, ..] = bits.to_be_bytes();
        // Sixteenths: boundary values, and any bits.
        let (boundary, any) = match (kind, index & 3) {
            (Kind::Finite, _) | (Kind::Full, 0) => (0, 0),
            (Kind::Full, 1) => (1, 0),
            (Kind::Full, 2) => (4, 0),
            (Kind::Full, _) => (8, 4),
        };
        let low = bits as u32;
        match choice & 15 {
            c if c < boundary => BOUNDARIES[usize::from(pick) % BOUNDARIES.len()],
            c if c < boundary + any => f32::from_bits(low),
            _ if pick & 3 == 0 => (i32::from(pick >> 2) * 104 / 64 - 8) as f32,
            // Sign and mantissa at random, exponent -6 to 5.
            _ => f32::from_bits((low & 0x807F_FFFF) | (127 - 6 + u32::from(pick >> 2) % 12) << 23),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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

    /// First numbers of the published reference program for the seed 1234567.
    #[test]
    fn the_series_is_splitmix64() {
        let mut random = Random(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
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
