//! Instruction sets of shader processors: bits to instructions to text and back, lints, a reference
//! interpreter, and the way into the common IR. One crate per machine, the same furniture in each; what they share stands in
//! `unshade-isa-common`. This crate is their face: the only one that names all machines.

mod registry;
pub mod successors;

pub use registry::ISAS;
pub use unshade_isa_common::{
    Machine, Remarks, Usage, assembly, cases, dump, machine, packed, text, texture,
};
pub use unshade_isa_latte as latte;
pub use unshade_isa_mali_gp as mali_gp;
pub use unshade_isa_mali_pp as mali_pp;
pub use unshade_isa_maxwell as maxwell;
pub use unshade_isa_pica200 as pica200;
pub use unshade_stage::Isa;
