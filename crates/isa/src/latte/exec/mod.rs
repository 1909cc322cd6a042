//! Reference interpreter of the machine.

pub mod alu;
mod around;
mod double;
mod fetch;
mod flow;
mod format;
mod group;
mod memory;
mod program;
mod run;
pub mod sample;
mod state;
pub mod trace;
mod value;

pub use program::Program;
pub use run::{End, Fault, Outcome, VERTEX_LIMIT};
pub use state::{Buffer, Event, Lane, Layout, REGION_WORDS, Region, Resources, Vector};
pub use trace::{Action, NoTrace, Step, Trace, Written};
