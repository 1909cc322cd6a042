//! What a BFRES says about materials and the shapes that use them, as far as choosing a shader program needs it.

/// A model: shapes, and the materials that they have.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// Its materials, in the order that shapes count them in.
    pub materials: Vec<Material>,
    /// Its shapes.
    pub shapes: Vec<Shape>,
}

impl Model {
    /// The shapes that have the material of that index.
    pub fn shapes_of(&self, material: usize) -> impl Iterator<Item = &Shape> {
        self.shapes.iter().filter(move |shape| usize::from(shape.material) == material)
    }
}

/// A part of a model that is drawn at once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shape {
    /// Its name.
    pub name: String,
    /// Index of its material.
    pub material: u16,
    /// How many bones move a vertex: 0 none or all vertices as one, 1 one for each, 2 to 8 several.
    pub skin: u8,
}

/// A material.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Material {
    /// Its name.
    pub name: String,
    /// Name of the archive that its shaders are in.
    pub archive: String,
    /// The shading model in that archive; the program, in one with macros.
    pub shading_model: String,
    /// Attribute of the shading model and attribute of the vertices.
    pub attributes: Vec<(String, String)>,
    /// Sampler of the shading model and sampler of the material; an empty one is bound to nothing.
    pub samplers: Vec<(String, String)>,
    /// The values that it gives options, in the order of the file.
    pub options: Vec<AssignedOption>,
    /// How many options its shading model had when it was made, where the file says that.
    pub option_count: Option<usize>,
    /// Settings for the renderer.
    pub render_info: Vec<RenderInfo>,
    /// How the machine draws it, which files of the Wii U say beside these settings.
    pub render_state: Option<RenderState>,
    /// Its samplers, each with the texture of the same index.
    pub textures: Vec<(String, String)>,
    /// Values for the variables of the material's uniform block, by name.
    pub parameters: Vec<Parameter>,
}

impl Material {
    /// The first value of a setting, as text.
    pub fn setting(&self, name: &str) -> Option<String> {
        self.render_info.iter().find(|info| info.name == name)?.values.first().cloned()
    }

    /// The same as its render state has it, in the words that settings use: for the mode, and for the test of alpha.
    pub fn state(&self, name: &str) -> Option<&'static str> {
        let state = self.render_state?;
        match name {
            "gsys_render_state_mode" => Some(state.mode()),
            "gsys_alpha_test_enable" => Some(if state.tests_alpha() { "true" } else { "false" }),
            "gsys_alpha_test_func" if state.tests_alpha() => Some(state.alpha_test()),
            _ => None,
        }
    }

    /// The texture of a sampler of the material.
    pub fn texture(&self, sampler: &str) -> Option<&str> {
        self.textures.iter().find(|(name, _)| name == sampler).map(|(_, texture)| texture.as_str())
    }
}

/// An option with the value that a material gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssignedOption {
    /// Its name; `None` where that stands in another file (`ExternalBinaryString`).
    pub name: Option<String>,
    /// Its index among the options of the shading model that the material was made for.
    pub position: usize,
    /// The value.
    pub value: OptionValue,
}

/// The value of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionValue {
    /// Name of a choice.
    Text(String),
    /// A bit (from version 10 on): the choice `1`/`0` or `True`/`False`.
    Bool(bool),
}

/// A choice's name in files that take the default.
pub const DEFAULT_VALUE: &str = "<Default Value>";

impl OptionValue {
    /// Whether it says no more than that the default is to be taken.
    pub fn is_default(&self) -> bool {
        matches!(self, Self::Text(text) if text == DEFAULT_VALUE)
    }

    /// The value as text, for an option with these choices: numbers and words for yes and no stand for each other.
    pub fn among(&self, has: impl Fn(&str) -> bool) -> String {
        let (text, other) = match self {
            Self::Bool(true) => ("1", "True"),
            Self::Bool(false) => ("0", "False"),
            Self::Text(text) => match text.as_str() {
                "True" | "true" => (text.as_str(), "1"),
                "False" | "false" => (text.as_str(), "0"),
                "1" => ("1", "True"),
                "0" => ("0", "False"),
                text => (text, text),
            },
        };
        if !has(text) && has(other) { other.to_owned() } else { text.to_owned() }
    }
}

impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Bool(value) => f.write_str(if *value { "1" } else { "0" }),
        }
    }
}

/// A setting for the renderer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderInfo {
    /// Its name.
    pub name: String,
    /// Its values, numbers as text.
    pub values: Vec<String>,
}

/// The render state of a material of the Wii U, as far as options of shading models follow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RenderState {
    /// Its first word; bits 0 and 1 are the mode.
    pub flags: u32,
    /// The register SX_ALPHA_TEST_CONTROL: bits 0 to 2 the comparison, bit 3 whether there is a test.
    pub alpha_control: u32,
}

impl RenderState {
    /// `custom`, `opaque`, `mask` or `translucent`.
    pub fn mode(self) -> &'static str {
        match self.flags & 3 {
            0 => "custom",
            1 => "opaque",
            2 => "mask",
            _ => "translucent",
        }
    }

    /// Whether pixels are dropped by their alpha: always those of a mask, never those of an opaque or translucent material.
    pub fn tests_alpha(self) -> bool {
        match self.mode() {
            "custom" => self.alpha_control & 8 != 0,
            mode => mode == "mask",
        }
    }

    /// How alpha is compared.
    pub fn alpha_test(self) -> &'static str {
        match self.alpha_control & 7 {
            0 => "never",
            1 => "less",
            2 => "equal",
            3 => "lequal",
            4 => "greater",
            5 => "nequal",
            6 => "gequal",
            _ => "always",
        }
    }
}

/// A value for a variable of the material's uniform block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Name of the variable.
    pub name: String,
    /// Its type as a number: 0 to 3 one to four booleans, 4 to 7 integers, 8 to 11 unsigned ones, 12 to 15 floats,
    /// 17 to 27 matrices, 28 to 31 transformations of textures.
    pub kind: u8,
    /// Where its value stands in the material's data, in bytes.
    pub offset: u32,
}
