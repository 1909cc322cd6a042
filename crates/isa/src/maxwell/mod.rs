//! The instruction set of the Switch's GPU: NVIDIA's second Maxwell generation, sm_53.
//!
//! Words of 64 bits; every fourth is a control word that tells the scheduler about the three behind it
//! ([`layout`]). [`form`] tells which instruction a word is, [`word`] takes it apart.

pub mod asm;
pub mod control;
mod field;
pub mod form;
pub mod layout;
pub mod listing;
mod names;
mod number;
pub mod nvdisasm;
pub mod print;
mod table;
mod template;
pub mod word;

pub use form::Form;
pub use word::{Predicate, Register, Word};
