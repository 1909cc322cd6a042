//! BNSH and BFSHA, of the Switch.

mod check;
mod corpus;
mod generator;
mod parts;
mod pick;
mod programs;
