//! Instruction sets of shader processors: bits to instructions to text and back, lints, a reference
//! interpreter, and the way into the common IR. One room per machine, the same furniture in each.

pub mod assembly;
pub mod cases;
pub mod dump;
mod findings;
pub mod latte;
pub mod mali_gp;
pub mod mali_pp;
pub mod maxwell;
mod numbers;
pub mod packed;
pub mod pica200;
mod remarks;
pub mod text;
pub mod texture;
mod usage;
pub mod ways;

pub use remarks::Remarks;
pub use usage::Usage;
