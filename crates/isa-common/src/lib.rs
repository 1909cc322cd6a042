//! What the instruction sets of shader processors share: the characters of their assembly, the marks of listings, findings of
//! lints, texture sampling, bit fields, and the successors of an instruction.

pub mod assembly;
pub mod cases;
pub mod dump;
pub mod field;
pub mod findings;
pub mod machine;
pub mod numbers;
pub mod packed;
mod remarks;
pub mod successors;
pub mod text;
pub mod texture;
pub mod trace;
mod usage;

pub use findings::Findings;
pub use machine::Machine;
pub use remarks::Remarks;
pub use usage::Usage;
