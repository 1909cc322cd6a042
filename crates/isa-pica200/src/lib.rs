//! PICA200, the shader units of the Nintendo 3DS.
//!
//! Four-component registers, a stream of 32-bit words, and a side table of operand descriptors (masks,
//! swizzles, signs) that the words index. Source of the facts: 3dbrew (GPU/Shader Instruction Set), GBATEK,
//! and what reference assemblers and emulators do; each fact that rests on one source says so.

pub mod asm;
pub mod decode;
pub mod descriptor;
pub mod encode;
pub mod exec;
mod fields;
pub mod inst;
pub mod lift;
pub mod lint;
pub mod listing;
mod machine;
pub mod names;
pub mod print;
pub mod reach;
pub mod stats;
pub mod successors;
pub mod table;
pub mod view;
pub mod written;

pub use decode::decode;
pub use descriptor::{Descriptor, Swizzle};
pub use encode::encode;
pub use inst::{Compare, Condition, Dest, Index, Inst, Operands, Reg};
pub use machine::Pica200;
pub use table::{Format, Opcode, Row};
