//! Reference interpreter of the machine: what the words do, one instruction after the other.
//!
//! A [`Program`] is made of a [`Stage`](unshade_stage::Stage). [`Program::run`] carries up to four lanes in lockstep,
//! with textures behind a trait: four pixels of a quad, or one vertex or primitive. [`Program::run_lane`] carries one
//! lane alone and asks an environment of the IR for its neighbours and texels, so that its results can be compared with
//! those of the lifted program. What operations compute and what texture instructions ask
//! stands in [`super::semantics`], which serves the lift too.
//!
//! # Control flow
//! One set of masks steers all lanes. There are three stacks: of masks (PUSH, POP, ELSE and the clauses that do the
//! same), of loops, and of calls; POP cannot reach below a call. A lane that leaves a loop or returns falls through
//! with the others; POP and ELSE do not bring it back, the end of the loop or the last RETURN does. A jump is taken when
//! no lane passes its condition, LOOP_BREAK's and LOOP_CONTINUE's when no lane of the loop is left in the pass. Such a jump
//! may skip a POP: the end of the loop drops the masks that were pushed inside of it.
//!
//! # Choices
//! Where no source speaks, this is what happens here:
//!
//! | question | choice |
//! |---|---|
//! | registers, predicate, kept gradients, the loop index at the start | zero |
//! | registers 120 to 127 | like the others; they keep their value over clauses |
//! | PV and PS of units without an instruction, and of all units at the start of a clause | zero |
//! | AR at the start of a clause | zero |
//! | PV.x to PV.w behind DOT4 and MAX4 | the result in all four |
//! | an instruction that PRED_SEL switches off | writes nothing and makes no predicate; PV and PS get its result |
//! | several predicates in a group | the last one counts |
//! | NOP with a write mask | writes nothing |
//! | kcache behind the lines that the clause holds | zero |
//! | registers outside of 0 to 127, constants outside of 0 to 255 | read as zero, are not written |
//! | sources that the table calls reserved, counters, masks, identifiers | zero |
//! | dropped pixels | stay in the masks, nothing waits for them, they write nothing; the program ends with the last |
//! | MOVA with a write mask | the integer goes to the register too |
//! | LOOP_START_NO_AL, LOOP_START_DX10 | the index of the loop outside stays |
//! | PUSH where no lane passes | POP_COUNT entries are dropped, then it jumps |
//! | PUSH_ELSE, POP_PUSH_ELSE | pushes the mask; lanes go on that do not pass the condition |
//! | POP_JUMP | drops entries, then jumps where no lane passes |
//! | RETURN of some lanes | they wait for the others; where nothing was called the program ends |
//! | the end of a fetch program without RETURN | as RETURN |
//! | indices 5 to 7 (global) | [`Fault::IndexMode`] |
//! | MEM_RING, MEM_STREAM, MEM_EXPORT | word `base + (index + n) * size + component`; nothing behind the array size |
//! | MEM_SCRATCH, MEM_REDUCTION | word `(base + index + n) * 4 + component` |
//! | a vertex that is emitted | the words of the ring from `number of vertices before * item` on |
//! | fetch: bytes outside of the buffer | zero |
//! | fetch: components that a format does not have | 0, 0, 1 |
//! | fetch from a constant buffer | stride 16; its words are what the constant cache gives, without a swap |
//! | selectors of exports and fetches: 6 | as 7, nothing |
//! | a running program's faults | the run ends, see [`Fault`] |

mod alu_clause;
mod around;
mod branch;
pub mod cases;
mod double;
mod fetch;
mod fetch_clause;
mod flow;
pub mod format;
mod group;
mod memory;
mod outcome;
mod program;
mod progress;
mod run;
mod state;
pub mod surface;
pub mod trace;
mod value;

pub use flow::Open;
pub use outcome::{End, Fault, Outcome};
pub use program::Program;
pub use progress::{Progress, Upcoming};
pub use run::VERTEX_LIMIT;
pub use state::{Buffer, Event, Lane, Layout, REGION_WORDS, Region, Resources, Vector};
pub use trace::{Action, Step, Written};
pub use unshade_isa_common::trace::{NoTrace, Trace};
