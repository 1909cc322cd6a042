//! BNSH and BFSHA, of the Switch.

mod bench;
mod check;
mod corpus;
mod generator;
mod parts;
mod pick;
mod programs;
