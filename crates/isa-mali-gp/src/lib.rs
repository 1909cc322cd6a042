//! Mali GP, the vertex processor of Mali-200 and Mali-400 ("Utgard").
//!
//! A scalar machine with very long instructions: each of the 128-bit words steers six arithmetic units, three
//! vector loads, two store slots and a branch. Results have no registers; a unit reads what another unit
//! computed one or two instructions ago. Source of the facts: the reverse-engineered documentation of the
//! lima project, Mesa's lima driver, and the bytes that ARM's compiler wrote; each fact that rests on one
//! source says so.

pub mod asm;
pub mod decode;
pub mod encode;
pub mod exec;
pub mod inst;
pub mod lift;
pub mod lima;
pub mod lint;
pub mod listing;
mod machine;
pub mod names;
mod out;
pub mod print;
pub mod stats;
pub mod successors;
pub mod table;

pub use decode::{decode, instructions};
pub use encode::{encode, words};
pub use inst::{Add, Inst, Load, Mul, Register, Source, SourceKind, Store, StoreSource};
pub use machine::MaliGp;
pub use table::{AddOp, ComplexOp, Field, MulOp, PassOp, Unit};
