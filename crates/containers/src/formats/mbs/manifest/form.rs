//! The fields of a manifest, as TOML has them.

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// `mbs`; looked at before this is read.
    #[serde(rename = "format")]
    _format: String,
    /// The size word of a file that was cut.
    #[serde(default)]
    pub size: Option<u32>,
    #[serde(default)]
    pub stray: Option<String>,
    #[serde(default)]
    pub trailing: Option<String>,
    #[serde(default)]
    pub chunk: Vec<Chunk>,
}

/// A program, or any other chunk of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chunk {
    #[serde(default)]
    pub program: Option<String>,
    #[serde(default)]
    pub core: Option<u32>,
    #[serde(default)]
    pub part: Vec<Part>,
    #[serde(default)]
    pub stray: Option<String>,
    #[serde(default)]
    pub tag: Option<String>,
    #[serde(default)]
    pub file: Option<String>,
}

/// A chunk of a program: one of these, with what belongs to it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    #[serde(default)]
    pub stack: Option<Stack>,
    #[serde(default)]
    pub discard: Option<Flag>,
    #[serde(default)]
    pub framebuffer: Option<[u8; 8]>,
    #[serde(default)]
    pub instructions: Option<Instructions>,
    #[serde(default)]
    pub uniforms: Option<Vec<Entry>>,
    #[serde(default)]
    pub attributes: Option<Vec<Entry>>,
    #[serde(default)]
    pub varyings: Option<Vec<Entry>>,
    #[serde(default)]
    pub code: Option<String>,
    #[serde(default)]
    pub tag: Option<String>,

    /// Of uniforms; worked out where it is not given.
    #[serde(default)]
    pub space: Option<u32>,
    /// Of a table that states another number than it has.
    #[serde(default)]
    pub count: Option<u32>,
    /// Of a table or of code: bytes behind the last whole entry.
    #[serde(default)]
    pub stray: Option<String>,
    /// Of another chunk: its contents.
    #[serde(default)]
    pub file: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stack {
    pub size: u32,
    pub offset: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Instructions {
    #[serde(default)]
    pub unknown_00: u32,
    pub count: u32,
    pub attribute_prefetch: u32,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Flag {
    Truth(bool),
    Word(u32),
}

/// An entry of a table: a symbol with its name, or another chunk with its tag.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    #[serde(default)]
    pub tag: Option<String>,
    #[serde(default)]
    pub bytes: Option<String>,

    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub name_tail: Option<String>,
    #[serde(default, rename = "type")]
    pub ty: Option<Type>,
    #[serde(default)]
    pub array: Option<u16>,
    /// Of a struct.
    #[serde(default)]
    pub members: Option<u16>,
    #[serde(default)]
    pub parent: Option<u16>,
    #[serde(default)]
    pub offset: Option<u16>,
    #[serde(default)]
    pub unused: bool,
    #[serde(default)]
    pub component_size: Option<u16>,
    #[serde(default)]
    pub stride: Option<u16>,
    #[serde(default)]
    pub precision: Option<Precision>,
    #[serde(default)]
    pub invariant: Option<Flag>,
    #[serde(default)]
    pub dst_bits: Option<u8>,
    #[serde(default)]
    pub unknown_0: Option<u8>,
    #[serde(default)]
    pub index: Option<[i64; 3]>,
    #[serde(default)]
    pub initial: Option<Vec<Float>>,
    /// In place of `index` and `initial`, where a symbol has other chunks too.
    #[serde(default)]
    pub chunks: Option<Vec<SymbolChunk>>,
    #[serde(default)]
    pub stray: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Type {
    Name(String),
    /// Number of the type, and components.
    Numbers([u16; 2]),
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Precision {
    Name(String),
    Number(u8),
}

/// A float that is exact as text, or its bits as `"0x7fc00000"`.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Float {
    Value(f64),
    Bits(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SymbolChunk {
    #[serde(default)]
    pub index: Option<[i64; 3]>,
    #[serde(default)]
    pub initial: Option<Vec<Float>>,
    #[serde(default)]
    pub count: Option<u32>,
    #[serde(default)]
    pub tag: Option<String>,
    #[serde(default)]
    pub bytes: Option<String>,
}
