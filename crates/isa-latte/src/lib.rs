//! Latte: the instruction set of the Wii U's GPU7, of AMD's R700 generation.
//!
//! A program is a list of control-flow instructions that start clauses: groups of up to five arithmetic
//! instructions that run together, texture fetches, buffer fetches; exports are control-flow instructions
//! themselves. Sources of the facts: AMD's manual of the R700 family, Mesa's r600 driver, the tables of two
//! emulators, and programs made by Mesa for an RV770; each fact that rests on one source says so.

pub mod asm;
pub mod bindings;
pub mod decaf;
pub mod decode;
pub mod exec;
pub mod fields;
pub mod inst;
pub mod layout;
pub mod lift;
pub mod lint;
pub mod listing;
mod machine;
mod names;
pub mod ports;
pub mod print;
pub mod ring;
pub mod semantics;
pub mod shapes;
pub mod stats;
pub mod successors;
pub mod table;
pub mod usage;

pub use decode::{Fault, Group, Groups, Program, Unit};
pub use inst::{Alu, Cf, Fetch, Operand, Source};
pub use layout::Layout;
pub use machine::Latte;
pub use table::{AluInfo, AluOp, CfOp, DataFormat, Domain, Effect, FetchOp, Units};
pub use usage::Uses;
