//! Reference interpreter of the machine.

pub mod alu;
pub mod sample;
