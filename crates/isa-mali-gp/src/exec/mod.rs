//! Reference interpreter of the Mali vertex processor: one vertex, one instruction after the other.
//!
//! A [`Program`] is decoded once from a [`Stage`](unshade_stage::Stage); a [`State`] holds everything that a
//! program reads and writes, the results on their way between the units included, as plain public data;
//! [`Program::run`] carries one vertex from the first instruction behind the last. [`cases`] makes
//! reproducible inputs.
//!
//! # Two modes
//! [`Timing::Relaxed`] lets the next instruction see every write. [`Timing::Strict`] delays writes as the
//! machine does: a register is read anew three instructions after its store, temporary memory and the address
//! registers of loads four. Code of compilers gives the same results in both.
//!
//! # What is not known
//! The tables of the complex unit are not public. Its operations give the true function of their source,
//! `complex1` hands its first source on, and `preexp2` and `postlog2` change nothing: each sequence that
//! compilers make then gives the function, up to rounding. Further choices, where no source says anything:
//!
//! | question | choice |
//! |---|---|
//! | registers, results and addresses at the start | zero |
//! | result of a unit that is off, of an unknown operation, of the second multiplier where both are joined | 0 |
//! | sources without known meaning, and unused ones | 0 |
//! | `complex2` | the product of its sources |
//! | negation of a joined multiplication | as of a product |
//! | `complex1` read or stored too early | relaxed: its result; strict: 0 |
//! | NaN in minimum, maximum and clamp | the second operand (`a > b ? a : b`) |
//! | sign of NaN, and of zeros | +0 |
//! | address registers | set to the source without its fraction, saturated; NaN gives 0 |
//! | memory behind vector 303, or in front of 0 | reads as 0, writes vanish |
//! | offset codes 0, 4, 5, 6 | nothing is added |
//! | branch behind the code | ends the program |
//! | `addr01` | both registers get the result of the pass unit of the same instruction |

pub mod cases;
mod run;
mod state;
pub mod trace;

pub use run::{End, Outcome, Program, Progress, Timing};
pub(crate) use state::initial;
pub use state::{State, Vector};
pub use trace::Step;
pub use unshade_isa_common::trace::{NoTrace, Trace};
