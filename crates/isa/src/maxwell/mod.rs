//! The instruction set of the Switch's GPU: NVIDIA's second Maxwell generation, sm_53.
//!
//! Words of 64 bits; every fourth is a control word that tells the scheduler about the three behind it
//! ([`layout`]). [`form`] tells which instruction a word is, [`word`] takes it apart, [`operation`] says what it does.

pub mod attribute;
pub mod beside;
pub mod exec;
pub mod form;
pub mod header;
pub mod layout;
pub mod lift;
pub mod operation;
pub mod spaces;
pub mod word;

pub use attribute::Attribute;
pub use form::Form;
pub use header::Header;
pub use operation::{Instruction, Operation};
pub use word::{Predicate, Register, Word};
