//! What operations compute and what texture instructions ask, said once for the interpreter ([`super::exec`]) and the lift
//! ([`super::lift`]): both go through these functions, the one with numbers, the other with instructions of the IR.
//!
//! So the two cannot check each other here. What is written in this room is held to outside sources alone: the vectors of the
//! hardware tables, and programs whose results others computed.

pub mod alu;
mod compare;
pub mod sample;
