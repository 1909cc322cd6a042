//! The instruction set of the Switch's GPU: NVIDIA's second Maxwell generation, sm_53.
//!
//! Words of 64 bits; every fourth is a control word that tells the scheduler about the three behind it
//! ([`layout`]). [`form`] tells which instruction a word is, [`word`] takes it apart, [`operation`] says what it does.

pub mod exec;
pub mod form;
pub mod layout;
pub mod operation;
pub mod word;

pub use form::Form;
pub use operation::{Instruction, Operation};
pub use word::{Predicate, Register, Word};
