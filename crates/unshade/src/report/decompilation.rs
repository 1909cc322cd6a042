//! `decompile --json`: sources with their interfaces.

use super::MacroValue;
use crate::{Decompiled, OriginalSource};
use serde::Serialize;
use unshade_emit::{Binding, BindingKind, Target};
use unshade_ir::{Space, ast::Scalar};
use unshade_stage::StageKind;

/// The sources of a file's programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Decompilation {
    /// `unshade-decompile-1`.
    pub schema: String,
    /// As given.
    pub file: String,
    /// In file order.
    pub items: Vec<DecompiledItem>,
}

/// One program in another language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DecompiledItem {
    /// What stands behind `FILE` to name it.
    pub item: String,
    /// `vertex`, `geometry`.
    pub kind: String,
    /// `glsl`, `spirv`.
    pub target: String,
    /// Bit-exact instead of readable.
    pub strict: bool,
    /// The source; `None` for SPIR-V.
    pub source: Option<String>,
    /// The words of a SPIR-V binary.
    pub words: Option<Vec<u32>>,
    /// Inputs, outputs and uniforms.
    pub interface: Vec<InterfaceItem>,
    /// What readable mode assumed.
    pub assumptions: Vec<String>,
    /// Loops with a switch over a state variable: control flow that no structure could say.
    pub dispatchers: u32,
    /// What it was compiled from, where an archive of sources was given and has that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original: Option<OriginalItem>,
}

/// The source that a program was compiled from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OriginalItem {
    /// Its name in the archive.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The macros that the stage is compiled with.
    pub macros: Vec<MacroValue>,
}

impl From<OriginalSource> for OriginalItem {
    fn from(source: OriginalSource) -> Self {
        let macros = source.macros.into_iter().map(|(name, value)| MacroValue { name, value });
        Self { name: source.name, text: source.text, macros: macros.collect() }
    }
}

/// A name of the source with its place and the machine words that it stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InterfaceItem {
    /// Its name.
    pub name: String,
    /// `input`, `output`, `position`, `point-size`, `uniform`, `sampler`, `image`, `constant`, `built-in` for what the pipeline makes
    /// or reads beside these, or `ignored` for what nobody reads.
    pub kind: String,
    /// As GLSL writes it: `mat4`, `vec4[6]`; of a texture or an image what it gives.
    #[serde(rename = "type")]
    pub type_name: String,
    /// `float`, `double`, `int`, `uint` or `bool`.
    pub scalar: String,
    /// Components of the value, of an element or of a row.
    pub components: u8,
    /// Elements of an array or rows of a matrix; 0: neither.
    pub elements: u32,
    /// The elements are the rows of a matrix.
    pub matrix: bool,
    /// Location of an input or output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<u32>,
    /// Offset in the uniform buffer, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
    /// Where the machine has it, as the intermediate representation says: `input`, `output`, `uniform`, `texture`, `image`, `storage`,
    /// `shared`, `local` or `global`.
    pub machine_space: String,
    /// Buffer or register file of that space. PICA200: 0, 1 and 2 are the float, integer and truth constants.
    pub machine_binding: u32,
    /// First 32-bit word in it (register n, component k: word 4n + k; truth value n: word n); of textures and images the unit.
    pub machine_word: u32,
}

impl Decompilation {
    /// The document of these programs.
    pub fn new(file: &str, items: impl IntoIterator<Item = DecompiledItem>) -> Self {
        Self {
            schema: "unshade-decompile-1".to_owned(),
            file: file.to_owned(),
            items: items.into_iter().collect(),
        }
    }
}

impl DecompiledItem {
    /// One program.
    pub fn new(item: String, kind: StageKind, target: Target, strict: bool, decompiled: Decompiled) -> Self {
        let binary = !decompiled.words.is_empty();
        Self {
            item,
            kind: kind.name().to_owned(),
            target: target.name().to_owned(),
            strict,
            interface: decompiled.interface.iter().map(interface_item).collect(),
            source: (!binary).then_some(decompiled.text),
            words: binary.then_some(decompiled.words),
            assumptions: decompiled.assumptions,
            dispatchers: decompiled.structure.dispatchers,
            original: None,
        }
    }
}

fn interface_item(binding: &Binding) -> InterfaceItem {
    let (kind, location, offset) = match binding.kind {
        BindingKind::Input { location, .. } => ("input", location, None),
        BindingKind::BuiltIn => ("built-in", None, None),
        BindingKind::Output { location, .. } => ("output", location, None),
        BindingKind::Position { .. } => ("position", None, None),
        BindingKind::Uniform { offset, .. } => ("uniform", None, Some(offset)),
        BindingKind::PointSize => ("point-size", None, None),
        BindingKind::Loose => ("uniform", None, None),
        BindingKind::Sampler { binding } => ("sampler", binding, None),
        BindingKind::Image { binding } => ("image", binding, None),
        BindingKind::Constant => ("constant", None, None),
        BindingKind::Ignored => ("ignored", None, None),
    };
    let scalar = match binding.scalar {
        Scalar::Bool => "bool",
        Scalar::Int => "int",
        Scalar::Uint => "uint",
        Scalar::Float => "float",
        Scalar::Double => "double",
    };
    let space = match binding.machine.space {
        Space::Input => "input",
        Space::Output => "output",
        Space::Uniform => "uniform",
        Space::Texture => "texture",
        Space::Image => "image",
        Space::Local => "local",
        Space::Shared => "shared",
        Space::Storage => "storage",
        Space::Global => "global",
    };
    InterfaceItem {
        name: binding.name.clone(),
        kind: kind.to_owned(),
        type_name: binding.type_name(),
        scalar: scalar.to_owned(),
        components: binding.components,
        elements: binding.elements,
        matrix: binding.matrix,
        location,
        offset,
        machine_space: space.to_owned(),
        machine_binding: binding.machine.binding,
        machine_word: binding.machine.first,
    }
}
