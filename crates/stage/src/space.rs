//! The register spaces that inputs, outputs and uniforms lie in.

/// Where a variable lives. Register machines count in registers of four components; buffers in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Space {
    /// Input registers (PICA200: v0-v15; Mali GP: attributes a0-a15; Mali PP: varyings).
    Input,
    /// Output registers (PICA200: o0-o15; Mali GP: varyings v0-v15).
    Output,
    /// Float uniform registers (PICA200: c0-c95; Mali: uniform memory).
    Float,
    /// Integer uniform registers (PICA200: i0-i3).
    Int,
    /// Bool uniforms (PICA200: b0-b15).
    Bool,
}
