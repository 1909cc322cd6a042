//! What questions say, as JSON.

use crate::Failure;
use serde::{Deserialize, de::DeserializeOwned};

/// A place in a file.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct At {
    /// Number of the file.
    pub file: u32,
    /// What stands behind the file's name: `:Model/x.szs#0`. Empty: the whole file.
    #[serde(default)]
    pub item: String,
}

/// How a listing is printed.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Disasm {
    #[serde(flatten)]
    pub at: At,
    /// Behind each instruction its words.
    #[serde(default)]
    pub words: bool,
    /// Behind each instruction its offset in the file.
    #[serde(default)]
    pub offsets: bool,
}

/// How a program is decompiled.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Decompile {
    #[serde(flatten)]
    pub at: At,
    /// `glsl`, `ir`; `hlsl`, `msl`, `wgsl` where they are in the build.
    #[serde(default)]
    pub to: Option<String>,
    /// `450`, `330`, `es300`, `es100`.
    #[serde(default)]
    pub glsl: Option<String>,
    /// Bit-exact instead of readable.
    #[serde(default)]
    pub strict: bool,
}

/// Fields of the structure.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Fields {
    #[serde(flatten)]
    pub at: At,
    /// Which of the trees.
    #[serde(default)]
    pub tree: usize,
    /// The way from the root of the tree: which child of which child.
    #[serde(default)]
    pub way: Vec<usize>,
    /// The first child that is wanted.
    #[serde(default)]
    pub from: usize,
    /// How many are wanted.
    #[serde(default)]
    pub count: usize,
}

/// Bytes of a file inside.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Window {
    #[serde(flatten)]
    pub at: At,
    /// Which of the trees they belong to.
    #[serde(default)]
    pub tree: usize,
    /// The first byte, from the start of the file inside.
    #[serde(default)]
    pub from: u64,
    /// How many.
    #[serde(default)]
    pub count: u64,
}

/// A path that `show` and findings print.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Find {
    #[serde(flatten)]
    pub at: At,
    /// The path, with the name of a file inside in front as findings have it.
    pub path: String,
}

/// What programs are wanted for.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Pick {
    #[serde(flatten)]
    pub at: At,
    /// Names of options or macros with values, in order.
    #[serde(default)]
    pub set: Vec<(String, String)>,
}

/// What changes in a file.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Edit {
    #[serde(flatten)]
    pub at: At,
    /// Paths or names with new values.
    #[serde(default)]
    pub set: Vec<(String, String)>,
    /// Names with new names.
    #[serde(default)]
    pub rename: Vec<(String, String)>,
}

/// A text that becomes the code of a program.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Asm {
    #[serde(flatten)]
    pub at: At,
    /// The listing.
    pub text: String,
}

/// Two places that are compared.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Two {
    pub old: At,
    pub new: At,
}

/// Programs for a material of a model.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct PickMaterial {
    /// The archive, or a shading model of it.
    #[serde(flatten)]
    pub at: At,
    /// Number of the file with the model.
    pub models: u32,
    /// The names of what is around the model's file, and the material.
    pub names: Vec<String>,
    /// Names of options or macros with values, in order.
    #[serde(default)]
    pub set: Vec<(String, String)>,
}

/// A pair of programs that is drawn from now on.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct DrawOpen {
    /// The program, or the stage itself.
    #[serde(flatten)]
    pub at: At,
    /// The stage that was chosen.
    pub chosen: String,
}

/// A mesh.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct DrawMesh {
    pub mesh: String,
}

/// A picture that starts.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct DrawStart {
    pub scene: unshade::draw::Scene,
}

/// Instructions that a picture may go on for.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Budget {
    pub steps: u64,
}

/// Inputs of chance.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Drawn {
    #[serde(flatten)]
    pub at: At,
    /// The same inputs for the same seed.
    #[serde(default)]
    pub seed: u64,
}

/// A run that starts.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Start {
    #[serde(flatten)]
    pub at: At,
    /// What `run --inputs` takes.
    #[serde(default)]
    pub inputs: String,
}

/// A command for a run.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Told {
    /// Number of the run.
    pub run: u32,
    pub command: unshade::debug::Command,
}

/// A run.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Run {
    pub run: u32,
}

/// The arguments of a question.
pub(crate) fn arguments<T: DeserializeOwned>(json: &str) -> Result<T, Failure> {
    serde_json::from_str(json).map_err(|error| Failure::new(format!("arguments: {error}")))
}
