//! Instruction sets of shader processors: bits to instructions to text and back, lints, a reference
//! interpreter, and the way into the common IR. One room per machine, the same furniture in each.

pub mod dump;
pub mod mali_gp;
pub mod pica200;
pub mod text;
