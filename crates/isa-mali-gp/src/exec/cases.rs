//! Reproducible inputs: the same stage, seed and index give the same attributes and uniforms on every platform.
//!
//! Values that the file's symbols start with stay in every case. All other words of memory and all attributes
//! are drawn by [`Kind`]: [`Kind::Finite`] from ±[1/64, 64) and the integers -8 to 94, nothing else;
//! [`Kind::Full`] in four mixtures by the index, as the other instruction sets do: case 0, 4, 8... as `Finite`;
//! 1, 5, 9... with one value in sixteen from the boundary list; 2, 6, 10... with one in four; 3, 7, 11... with
//! one half boundary values and one quarter of any 32 bits.

use super::state::{State, initial};
pub use unshade_isa_common::cases::Kind;
use unshade_isa_common::cases::Random;
use unshade_stage::Stage;

/// The state before run number `index` of a series.
pub fn case(stage: &Stage<'_>, seed: u64, index: u64, kind: Kind) -> State {
    let mut random = Random::new(seed, index);
    let mut state = State::default();
    for vector in state.attributes.iter_mut().chain(&mut state.memory) {
        *vector = std::array::from_fn(|_| random.float(kind, index));
    }
    for (word, bits) in initial(stage) {
        state.set_memory(word, f32::from_bits(bits));
    }
    state
}
