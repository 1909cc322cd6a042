//! What a program has in common with those who feed it: inputs, uniforms and outputs, with their names and registers.

use super::{places::Reason, shape::Shape};
use smallvec::SmallVec;

/// Everything that others see.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Interface {
    /// Attributes.
    pub inputs: Vec<Input>,
    /// Float uniforms, in the order of the source.
    pub floats: Vec<Uniform>,
    /// Bool uniforms.
    pub truths: Vec<Uniform>,
    /// Integer uniforms.
    pub wholes: Vec<Uniform>,
    /// Outputs, in the order of the source.
    pub outputs: Vec<Output>,
    /// Names of outputs that go nowhere, since that was asked for.
    pub dropped: Vec<String>,
    /// Names of all outputs that the source has.
    pub declared: Vec<String>,
}

/// An attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// v register, 0 to 15.
    pub register: u8,
    /// Components.
    pub width: u8,
}

/// One or several registers with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Uniform {
    /// The name that programs find it by.
    pub name: String,
    /// Registers, at least 1.
    pub registers: u16,
    /// How its values lie in them.
    pub shape: Shape,
    /// Place of the declaration in the source.
    pub span: std::ops::Range<usize>,
}

/// An output register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Its name in the source.
    pub name: String,
    /// What its components mean.
    pub parts: SmallVec<[Part; 2]>,
    /// Components.
    pub width: u8,
    /// o register, 0 to 6.
    pub register: u8,
    /// Component of the register that its first one is.
    pub first: u8,
    /// Why it means that.
    pub reason: Reason,
}

/// What some components of an output mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The meaning.
    pub meaning: Meaning,
    /// First component.
    pub first: u8,
    /// How many components.
    pub count: u8,
}

/// Meaning of an output, by the numbers of SHBIN files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Meaning {
    /// Position of the vertex, 4 components.
    Position = 0,
    /// Quaternion of the normal, 4 components.
    NormalQuat = 1,
    /// Colour, up to 4 components.
    Color = 2,
    /// First texture coordinate, 2 components; a third one is [`Meaning::TexCoord0W`].
    TexCoord0 = 3,
    /// Third component of the first texture coordinate.
    TexCoord0W = 4,
    /// Second texture coordinate, 2 components.
    TexCoord1 = 5,
    /// Third texture coordinate, 2 components.
    TexCoord2 = 6,
    /// View vector, 3 components.
    View = 8,
}

impl Interface {
    /// Gives outputs their registers: one each, but the texture coordinates share where the seven that the machine passes on
    /// do not suffice.
    pub(crate) fn place_outputs(&mut self) {
        let position = |list: &[Output], meaning: Meaning| {
            list.iter().position(|output| output.parts.first().is_some_and(|part| part.meaning == meaning))
        };
        let mut shared: Vec<(usize, usize)> = Vec::new();
        let mut share = |a: Meaning, b: Meaning, list: &[Output]| {
            if let (Some(a), Some(b)) = (position(list, a), position(list, b)) {
                shared.push((a, b));
            }
        };
        share(Meaning::TexCoord0, Meaning::TexCoord0W, &self.outputs);
        if self.outputs.len() > REGISTERS {
            share(Meaning::TexCoord1, Meaning::TexCoord2, &self.outputs);
        }
        let mut next = 0;
        for index in 0..self.outputs.len() {
            let is_second = shared.iter().any(|(_, second)| *second == index);
            if let Some(output) = self.outputs.get_mut(index).filter(|_| !is_second) {
                output.register = next;
                next += 1;
            }
        }
        for (first, second) in shared {
            let register = self.outputs.get(first).map_or(0, |output| output.register);
            if let Some(output) = self.outputs.get_mut(second) {
                (output.register, output.first) = (register, 2);
            }
        }
    }
}

/// Output registers that the machine passes on.
const REGISTERS: usize = 7;

impl Meaning {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Position,
        Self::NormalQuat,
        Self::Color,
        Self::TexCoord0,
        Self::TexCoord0W,
        Self::TexCoord1,
        Self::TexCoord2,
        Self::View,
    ];

    /// Name in sources of the reference assembler.
    pub fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::NormalQuat => "normalquat",
            Self::Color => "color",
            Self::TexCoord0 => "texcoord0",
            Self::TexCoord0W => "texcoord0w",
            Self::TexCoord1 => "texcoord1",
            Self::TexCoord2 => "texcoord2",
            Self::View => "view",
        }
    }

    /// Components that the machine takes.
    pub fn width(self) -> u8 {
        match self {
            Self::Position | Self::NormalQuat | Self::Color => 4,
            Self::TexCoord0 | Self::TexCoord1 | Self::TexCoord2 => 2,
            Self::TexCoord0W => 1,
            Self::View => 3,
        }
    }

    /// The meaning that a name says: the names of the reference assembler and what people write for them, with `out`, `o`,
    /// `v`, `vs`, `vertex`, `f`, `frag` or `fragment` in front, one or two of them, in any case and with any underscores.
    pub fn of_name(name: &str) -> Option<Self> {
        let plain: String = name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect();
        Self::of_plain(&plain, 2)
    }

    /// Of a name in lower case without underscores, with at most so many words in front that say only whose it is:
    /// `vcolor`, `outfragcolor`.
    fn of_plain(plain: &str, fronts: u8) -> Option<Self> {
        const FRONTS: [&str; 8] = ["out", "vs", "fragment", "frag", "vertex", "v", "o", "f"];
        Some(match plain {
            "position" | "pos" | "glposition" | "clip" | "clippos" | "clipposition" => Self::Position,
            "normalquat" | "nquat" | "quat" | "quaternion" | "normalquaternion" => Self::NormalQuat,
            "color" | "colour" | "clr" | "col" | "color0" | "glfrontcolor" => Self::Color,
            "texcoord0" | "tcoord0" | "tc0" | "uv0" | "tex0" | "texcoord" | "tcoord" | "uv" | "tex"
            | "texcoords" | "texturecoord" | "texturecoords" | "gltexcoord" => Self::TexCoord0,
            "texcoord0w" | "tcoord0w" => Self::TexCoord0W,
            "texcoord1" | "tcoord1" | "tc1" | "uv1" | "tex1" => Self::TexCoord1,
            "texcoord2" | "tcoord2" | "tc2" | "uv2" | "tex2" => Self::TexCoord2,
            "view" | "viewdir" | "viewdirection" | "viewvector" => Self::View,
            _ => {
                let fronts = fronts.checked_sub(1)?;
                return FRONTS.iter().find_map(|front| Self::of_plain(plain.strip_prefix(front)?, fronts));
            }
        })
    }

    /// The meaning that the reference assembler calls so.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|meaning| meaning.name().eq_ignore_ascii_case(name))
    }

    /// The meaning with this number in SHBIN files, which explicit locations name.
    pub fn of_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|meaning| *meaning as u32 == number)
    }
}
