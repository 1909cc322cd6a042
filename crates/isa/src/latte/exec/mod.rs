//! Reference interpreter of the machine.

pub mod alu;
