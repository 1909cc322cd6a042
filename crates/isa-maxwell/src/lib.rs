//! The instruction set of the Switch's GPU: NVIDIA's second Maxwell generation, sm_53.
//!
//! Words of 64 bits; every fourth is a control word that tells the scheduler about the three behind it
//! ([`layout`]). [`form`] tells which instruction a word is, [`word`] takes it apart, [`operation`] says what it does.

pub mod address_map;
pub mod asm;
pub mod attribute;
pub mod class;
pub mod control;
pub mod cosimulation;
pub mod exec;
mod field;
pub mod form;
pub mod header;
pub mod layout;
pub mod lift;
pub mod lint;
pub mod listing;
mod machine;
pub mod memory;
mod names;
mod number;
pub mod nvdisasm;
pub mod operand_fields;
pub mod operation;
pub mod print;
pub mod reachable;
pub mod special;
pub mod stats;
pub mod successors;
mod table;
mod template;
pub mod usage;
pub mod word;

pub use attribute::Attribute;
pub use class::Class;
pub use form::Form;
pub use header::Header;
pub use machine::Maxwell;
pub use operation::{Instruction, Operation};
pub use reachable::Reach;
pub use usage::Uses;
pub use word::{Predicate, Register, Word};
