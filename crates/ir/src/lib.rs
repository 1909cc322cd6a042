//! The common language of Unshade: what every machine's code is lifted to, what the passes rewrite, and
//! what the source printers read.
//!
//! Values are scalars in SSA form with block parameters; operations carry the float rules of the machine
//! they came from, so that the interpreter ([`exec`]) gives the machine's results bit for bit.
//!
//! The way through the crate: a lift builds a [`Module`] over variables ([`Op::ReadVar`], [`Op::WriteVar`]);
//! [`ssa`] turns these into values; the [`passes`] rewrite it; [`structure`] finds loops and conditions;
//! [`ast`] makes statements and vector expressions out of it, which the printers print.
//!
//! The crate knows no instruction set and no file format.

mod access;
pub mod ast;
pub mod bounds;
pub mod build;
mod cells;
pub mod cfg;
pub mod exec;
mod image;
pub mod inverse;
pub mod lanes;
pub mod math;
pub mod module;
pub mod op;
pub mod passes;
mod place;
pub mod print;
mod quick;
#[cfg(test)]
mod random;
mod scalar;
pub mod ssa;
pub mod structure;
mod texture;
mod typing;
pub mod verify;
pub mod votes;

pub use access::{Access, AtomicOp, Barrier, BufferLength, InputPlace, Space, Vote};
pub use image::{Image, ImageFormat, ImageQuery};
pub use module::{
    Block, BlockId, BufferTable, Function, FunctionId, Global, Inst, InstId, Interpolation, LocalArray,
    Module, Origin, Precision, STREAMS, Sampling, Shape, StorageBuffer, Target, Terminator, Texel,
    TexelTable, UniformBlock, Value, ValueData, ValueDef, VarId, Variable,
};
pub use op::{
    Axis, CompareFloat, CompareInt, Compound, Effect, FloatMode, MinMax, Multiply, Norm, Op, QuadSide, Round,
    Type, Width,
};
pub use texture::{Texture, TextureLevel, TextureQuery, TextureShape};
