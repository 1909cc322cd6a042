//! What is different between two files: structure first, then programs, then bytes.
//!
//! Files are paired by their names in wrappers, containers by their places, entries of tables by what they are, programs by
//! name and code. What the structure does not explain is told as ranges of bytes.

mod bytes;
mod files;
mod instructions;
mod programs;
mod sequence;
mod sources;
pub(crate) mod structure;

pub use files::{ContainerDifference, DiffError, Difference, FileDifference, FileFate, Place, diff};
pub use instructions::{Row, RowKind, Rows, align_listings};
pub use programs::{Hunk, HunkRow, ProgramDifference, ProgramFate};
pub use sequence::{Alignment, Gap, Run, align};
pub use sources::SourceDifference;
pub use structure::{
    BytesDifference, FieldDifference, PartDifference, PartFate, Side, StructureDifference, structure,
};
