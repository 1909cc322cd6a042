//! Reference interpreter of the machine: what the words do, one instruction after the other.
//!
//! A [`Program`] is made of a [`Stage`](unshade_stage::Stage). [`Program::run`] carries lanes in lockstep, 32 to a
//! warp, with textures and images behind traits: quads of pixels, vertices, work groups. [`Program::run_lane`]
//! carries one lane alone and asks an environment of the IR for its neighbours and texels, so that its results can
//! be compared with those of the lifted program.
//!
//! # Control flow
//! Each warp has one branch stack. An entry holds a kind, an address and the lanes that will go on there: tokens
//! that `SSY`, `PBK` and their kin push, and the other side of a branch that not all lanes take. Lanes that pop a
//! token (`SYNC`, `BRK`...) leave all entries above the newest one of its kind and wait for it; when no lane is left
//! at work the topmost entry goes on with those of its lanes that have not ended. For one lane that is what the
//! documents say: the newest place of the kind, and all above it dropped. Of a branch the lanes that do not take it
//! go on first.
//!
//! # Choices
//! What is known stands in docs/maxwell-hardware.md with who says so. Where no source speaks, this is what happens here:
//!
//! | question | choice |
//! |---|---|
//! | registers, predicates, condition code, local and shared memory at the start | zero |
//! | local memory behind what the header says, shared memory behind what the file says | reads give 0, writes vanish; the machine reports an error |
//! | result that is no number | 7fc00000 (binary64 7ff8000000000000; binary16 7fff, as measured) |
//! | `MUFU` | the IR's functions to nearest, denormals as zero in operand and result; `RRO` gives its operand |
//! | condition code of float results | zero, sign; both where it is no number; no carry, no overflow |
//! | condition code of logic, shifts, conversions | zero and sign; no carry, no overflow |
//! | conditions `CSM_*`, `FCSM_*` | [`Fault::UnknownCondition`] |
//! | `.X` of `SHL`, `SHR` and `SHF`, `.HI` of `SHF`, `VABSDIFF4` with an immediate, `BAR.SCAN`, `IPA.SC`, `TXA`, a limit of the level of `TLD`, `TXQ` but sizes and samples, `PIXLD` but coverage and index, system forms | [`Fault::Unsupported`]: nothing defines them |
//! | condition code between the words of `IMNMX.XHI`, `.XMED`, `.XLO` | zero: equal so far; sign: the first is the smaller |
//! | lanes that come to the same memory | in their order, each instruction for all of them |
//! | `XMAD` with `.CSFU` | C less 2^16 for each factor that is signed and negative |
//! | addresses that are no multiple of the access | rounded down |
//! | generic addresses | global memory |
//! | predicates of texture and image accesses | false: nothing was missing |
//! | textures without a quad (no fragment program) and without a level | level zero |
//! | offsets of a texture | those of the first lane of the quad that asks |
//! | `KIL` | the lane goes on; nothing that it stores is kept |
//! | lanes that `SHFL` names but the warp does not have | the lane itself |
//! | special registers that nothing is known of | 0; `LANEID` and the lane masks follow from the place of the lane |

mod access;
mod across;
mod arithmetic;
mod around;
mod convert;
mod float;
mod flow;
mod image;
mod integer;
mod memory;
mod operand;
mod program;
mod run;
mod sample;
mod single;
mod state;
pub mod trace;
mod video;
mod warp;

pub use flow::Open;
pub use memory::{Global, LOCAL_WORDS, OVERLAY_WORDS, Region, SHARED_WORDS};
pub use program::Program;
pub use run::{End, Fault, Outcome, Progress, WARP};
pub use state::{
    ATTRIBUTE_WORDS, Attributes, Event, Flags, Lane, Resources, SPECIAL, special_number, work_group,
};
pub use trace::{Step, Written};
pub use unshade_isa_common::trace::{NoTrace, Trace};
pub use warp::VERTEX_LIMIT;
