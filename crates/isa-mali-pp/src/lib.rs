//! The pixel processor of Mali-200 and Mali-400 ("Utgard"), which runs fragment programs.
//!
//! An instruction is a control word and up to twelve fields, packed bit by bit; each field drives one unit
//! of a pipeline, and a later unit sees what an earlier one of the same instruction has written. Registers
//! are six vectors of four halves. Sources of the facts: what the lima drivers and their disassemblers do,
//! the project's wiki, and programs made by Arm's own compiler; each fact that rests on one source says so.

pub mod asm;
mod declare;
pub mod decode;
pub mod encode;
pub mod exec;
pub mod fields;
mod forms;
pub mod half;
pub mod inst;
pub mod lift;
pub mod lima;
pub mod lint;
pub mod listing;
mod machine;
mod names;
pub mod print;
pub mod reach;
pub mod stats;
pub mod successors;
pub mod symbols;
pub mod table;

pub use decode::{Walk, decode};
pub use encode::{encode, field_bits, words_needed};
pub use inst::{Inst, Item};
pub use machine::MaliPp;
pub use table::{AddOp, CombineOp, Control, Field, MulOp};
