//! Which language a text is in: version, profile, stage, API, extensions.

mod extension;
mod features;
pub mod word;

pub use extension::{Behaviour, Extension, KNOWN, Known, is_known};
pub use features::{Language, Since, since, since_or};

use std::fmt;

/// A kind of program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Vertex shader.
    Vertex,
    /// Tessellation control shader.
    TessellationControl,
    /// Tessellation evaluation shader.
    TessellationEvaluation,
    /// Geometry shader.
    Geometry,
    /// Fragment shader.
    Fragment,
    /// Compute shader.
    Compute,
}

impl Stage {
    /// All six.
    pub const ALL: [Self; 6] = [
        Self::Vertex,
        Self::TessellationControl,
        Self::TessellationEvaluation,
        Self::Geometry,
        Self::Fragment,
        Self::Compute,
    ];

    /// The name in messages: `tessellation control`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::TessellationControl => "tessellation control",
            Self::TessellationEvaluation => "tessellation evaluation",
            Self::Geometry => "geometry",
            Self::Fragment => "fragment",
            Self::Compute => "compute",
        }
    }

    /// The usual end of a file's name: `tesc`.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Vertex => "vert",
            Self::TessellationControl => "tesc",
            Self::TessellationEvaluation => "tese",
            Self::Geometry => "geom",
            Self::Fragment => "frag",
            Self::Compute => "comp",
        }
    }

    /// The stage of a file by the usual end of its name.
    pub fn by_ending(ending: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.ending() == ending)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What `#version` says beside the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// Desktop before 1.50, which has no profiles.
    None,
    /// Desktop, `core`.
    Core,
    /// Desktop, `compatibility`.
    Compatibility,
    /// OpenGL ES.
    Es,
}

/// Version and profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The number of the directive: 450 is 4.50.
    pub number: u16,
    /// The profile.
    pub profile: Profile,
}

impl Version {
    /// Desktop GLSL that there is.
    pub const DESKTOP: [u16; 13] = [110, 120, 130, 140, 150, 330, 400, 410, 420, 430, 440, 450, 460];
    /// GLSL ES that there is.
    pub const ES: [u16; 4] = [100, 300, 310, 320];

    /// Whether it is GLSL ES.
    pub fn is_es(self) -> bool {
        self.profile == Profile::Es
    }

    /// Whether the language is at least that version: of desktop, of ES; 0 is never.
    pub fn is_at_least(self, desktop: u16, es: u16) -> bool {
        let least = if self.is_es() { es } else { desktop };
        least != 0 && self.number >= least
    }

    /// Whether things that were taken out of the core profile are there.
    pub fn is_compatible(self) -> bool {
        matches!(self.profile, Profile::None | Profile::Compatibility)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = (self.number / 100, self.number % 100);
        match self.profile {
            Profile::Es => write!(f, "GLSL ES {major}.{minor:02}"),
            Profile::Compatibility => write!(f, "GLSL {major}.{minor:02} compatibility"),
            _ => write!(f, "GLSL {major}.{minor:02}"),
        }
    }
}

/// The API that a text is for; a few rules and the built-in names of Vulkan differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Target {
    /// OpenGL and OpenGL ES.
    #[default]
    OpenGl,
    /// Vulkan: descriptor sets, separate textures and samplers, push constants, subpasses, specialization constants.
    Vulkan,
}
