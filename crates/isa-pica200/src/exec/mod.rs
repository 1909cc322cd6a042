//! Reference interpreter of PICA200: what the shader units do, one instruction after the other.
//!
//! A [`Program`] is decoded once from a [`Stage`](unshade_stage::Stage); a [`State`] holds every register as
//! plain public data; [`Program::run`] carries one invocation from the entry point to END. [`batch`] does the
//! same for many vertices at once, and [`cases`] makes reproducible inputs.
//!
//! # Sources
//! Control flow, the two output banks and the special values follow 3dbrew (GPU/Shader Instruction Set) and,
//! where that is silent, the interpreter of the Azahar emulator, with which the recorded runs were made. Each
//! choice between disagreeing or missing sources:
//!
//! | question | choice |
//! |---|---|
//! | registers and flags at the start | zero, false |
//! | running past the last code word, or past word 4095 | END |
//! | word that is no instruction | nothing happens, like NOP |
//! | descriptor index behind the end of the table | a descriptor of all zero bits (writes nothing) |
//! | EMIT and SETEMIT in a vertex program | nothing happens |
//! | BREAK outside any LOOP | nothing happens (3dbrew: the hardware hangs) |
//! | end of a pass of LOOP, and BREAK | aL grows by the step in both cases |
//! | aL behind a LOOP inside another LOOP | what it was in front of the inner LOOP: the surrounding loop's value (Azahar's interpreter and recompiler; Panda3DS keeps the inner loop's). Behind an outermost LOOP aL keeps its last value |
//! | comparison codes 6 and 7 | true |
//! | LITP with NaN | as MAX and MIN: `max(x, 0)`, `min(max(y, -l), l)`, `max(w, 0)`, each giving its second operand |
//! | EMIT into slot 3 | kept in a fourth slot that no triangle uses |
//!
//! # Two kinds of arithmetic
//! [`Float::F32`] is IEEE binary32 with 0 * inf = 0 and no other rule, as emulators compute: results are equal
//! to theirs bit for bit (EX2 and LG2 within 2 ulp). Its functions are those of [`unshade_ir::math`].
//! [`Float::F24`] keeps the width and the special values of the hardware; see [`f24`] for what is known of it
//! and what is assumed.

mod alu;
pub mod batch;
pub mod cases;
pub mod f24;
mod flow;
mod program;
mod reads;
mod run;
mod state;
pub mod trace;

pub use f24::Rounding;
pub use flow::Open;
pub use program::Program;
pub use reads::Read;
pub use run::{EMIT_LIMIT, End, Float, Outcome, Progress};
pub use state::{Emission, State, Vector, Vertex};
pub use trace::{Step, Write};
pub use unshade_isa_common::trace::{NoTrace, Trace};
