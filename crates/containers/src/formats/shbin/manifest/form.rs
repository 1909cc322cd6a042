//! The fields of a manifest, as TOML has them.

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// `shbin`; looked at before this is read.
    #[serde(rename = "format")]
    _format: String,
    pub kind: FileKind,
    pub layout: LayoutText,
    #[serde(default)]
    pub trailing: Option<String>,
    pub program: Program,
    #[serde(default)]
    pub relocations: Vec<[u32; 3]>,
    #[serde(default)]
    pub executable: Vec<Executable>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum FileKind {
    Dvlb,
    Dvoj,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum LayoutText {
    Producer(String),
    Steps(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Program {
    #[serde(default)]
    pub version: u16,
    #[serde(default)]
    pub unknown_06: u16,
    #[serde(default)]
    pub short_header: Option<u32>,
    pub code: String,
    #[serde(default)]
    pub descriptors: Vec<[u32; 2]>,
    #[serde(default)]
    pub file_names: Vec<String>,
    #[serde(default)]
    pub file_names_file: Option<String>,
    #[serde(default)]
    pub lines: Vec<(NameOrOffset, u32)>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum NameOrOffset {
    Offset(u32),
    Name(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Executable {
    pub kind: KindText,
    #[serde(default)]
    pub version: u16,
    #[serde(default)]
    pub flags: u8,
    #[serde(default)]
    pub entry: u32,
    #[serde(default)]
    pub end: u32,
    #[serde(default)]
    pub input_mask: u16,
    #[serde(default)]
    pub output_mask: u16,
    #[serde(default)]
    pub geometry: Option<[u8; 4]>,
    #[serde(default)]
    pub strings: Option<Vec<String>>,
    #[serde(default)]
    pub strings_file: Option<String>,
    #[serde(default)]
    pub constants: Vec<Constant>,
    #[serde(default)]
    pub labels: Vec<Label>,
    #[serde(default)]
    pub outputs: Vec<Output>,
    #[serde(default)]
    pub uniforms: Vec<Uniform>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum KindText {
    Name(String),
    Number(u8),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Constant {
    pub register: String,
    #[serde(default)]
    pub bool: Option<Bool>,
    #[serde(default)]
    pub int: Option<[u8; 4]>,
    #[serde(default)]
    pub float: Option<[Component; 4]>,
    #[serde(default)]
    pub kind: Option<u16>,
    #[serde(default)]
    pub payload: Option<String>,
    #[serde(default)]
    pub byte_03: u8,
    #[serde(default)]
    pub tail: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Bool {
    Truth(bool),
    Word(u32),
}

/// A float that is exact as text, or `"0x3b9999"`: its 24 bits, or the whole word.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Component {
    Float(f64),
    Raw(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Label {
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub name_at: Option<u32>,
    pub id: u16,
    #[serde(default)]
    pub unknown_02: u16,
    pub position: u32,
    #[serde(default)]
    pub size: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Output {
    pub semantic: String,
    pub register: u16,
    pub mask: MaskText,
    #[serde(default)]
    pub unknown_06: u16,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum MaskText {
    Letters(String),
    Number(u16),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Uniform {
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub name_at: Option<u32>,
    pub first: String,
    pub last: String,
}
