//! Reference interpreter of the pixel processor: what the units do, one instruction after the other.
//!
//! A [`Program`] is decoded once from a [`Stage`](unshade_stage::Stage). [`Program::run`] carries the four
//! pixels of a quad in lockstep, with textures behind a trait; [`Program::run_lane`] carries one pixel alone
//! and asks an environment of the IR for its neighbours and texels. [`cases`] makes reproducible inputs.
//!
//! # Sources
//! The pipeline, its links and operations follow what Mesa's and limadriver's compilers rely on. Where no
//! source speaks, this is what happens here:
//!
//! | question | choice |
//! |---|---|
//! | registers at the start | zero |
//! | `$6` to `$11`, which the encoding has and the hardware has not | registers like the others |
//! | destinations 12 to 15 | nothing is written |
//! | links of units that are not in the instruction (`^v0`, `^s0`, `^texture`, `^uniform`, constants, coordinates) | zero |
//! | both multiply units, or both add units, write one component | the scalar unit's result stays |
//! | loads of one or two floats | in x and y; the other lanes are zero |
//! | gl_PointCoord, gl_FrontFacing | (x, y, 0, 0); in all four lanes |
//! | division with `sub` 1 | none |
//! | a cube direction | passed on as it is |
//! | normalisation | `v * (1 / sqrt(x*x + y*y + z*z))`; w stays |
//! | register added to an address | cut to an integer, NaN is 0 |
//! | uniforms and varyings that do not exist | zero |
//! | temporaries that [`Reach::temporaries`](super::reach::Reach::temporaries) does not cover | read as zero, not written |
//! | truth of a number | not zero; NaN is true |
//! | minimum, maximum | `a < b ? a : b`, `a > b ? a : b` |
//! | `.sat` and `.pos` of NaN | 0 |
//! | branch if not equal | taken for NaN too; the other comparisons are not |
//! | arc tangents | the first part gives (result, 1, 0, 0), the second x; multiplying x by y in between, as compilers do, changes nothing |
//! | unknown operations | 0 |
//! | `stop` together with a branch | the program ends |
//! | running out of the code, or to a word that starts no instruction | the program ends |
//! | pixels that wait elsewhere, or are done, in a fetch or derivative | their registers as they are |
//! | depth from the framebuffer | in x; the other lanes are zero |
//!
//! # Two kinds of arithmetic
//! [`Float::F32`] computes in binary32, bit for bit as the lifted program does. [`Float::F16`] rounds to halves
//! whatever is written to a register or passed on by a link, and uniforms when they are loaded; texture
//! coordinates that go straight to the texture unit keep their precision. A unit rounds once, at its end.

mod around;
pub mod cases;
mod program;
mod run;
mod state;
pub mod trace;
mod units;

pub use program::Program;
pub(super) use run::texture;
pub use run::{End, Float, Outcome, Progress};
pub use state::{Lane, State, Vector};
pub use trace::Step;
pub(super) use units::{TURN, power};
pub use unshade_isa_common::trace::{NoTrace, Trace};
