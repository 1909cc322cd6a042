//! Versions of GLSL and what each can say.

use unshade_stage::StageKind;

/// A version of GLSL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GlslVersion {
    /// Desktop 4.50, core profile.
    Core450,
    /// Desktop 3.30, core profile.
    Core330,
    /// OpenGL ES 1.00, the language of OpenGL ES 2.0 and WebGL.
    Es100,
    /// OpenGL ES 3.00.
    Es300,
    /// OpenGL ES 3.20.
    Es320,
}

impl GlslVersion {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Core450, Self::Core330, Self::Es100, Self::Es300, Self::Es320];

    /// The name on the command line: `450`, `330`, `es100`, `es300`, `es320`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Core450 => "450",
            Self::Core330 => "330",
            Self::Es100 => "es100",
            Self::Es300 => "es300",
            Self::Es320 => "es320",
        }
    }

    /// What stands in the first line of the text.
    pub(super) fn directive(self) -> &'static str {
        match self {
            Self::Core450 => "#version 450\n",
            Self::Core330 => "#version 330\n",
            Self::Es100 => "#version 100\n",
            Self::Es300 => "#version 300 es\n",
            Self::Es320 => "#version 320 es\n",
        }
    }

    /// Kinds of programs that this version has and this crate prints.
    pub fn kinds(self) -> &'static [StageKind] {
        match self {
            Self::Es100 | Self::Es300 => &[StageKind::Vertex, StageKind::Fragment],
            Self::Core450 => &[
                StageKind::Vertex,
                StageKind::TessControl,
                StageKind::TessEval,
                StageKind::Geometry,
                StageKind::Fragment,
                StageKind::Compute,
            ],
            _ => &[StageKind::Vertex, StageKind::Geometry, StageKind::Fragment],
        }
    }

    pub(super) fn is_es(self) -> bool {
        matches!(self, Self::Es100 | Self::Es300 | Self::Es320)
    }

    /// `attribute` and `varying`, a function of its own for each shape of texture; no unsigned integers, no
    /// bits, no blocks, no `switch`.
    pub(super) fn is_old(self) -> bool {
        self == Self::Es100
    }

    fn is_modern(self) -> bool {
        matches!(self, Self::Core450 | Self::Es320)
    }

    /// `layout(binding = n)` on blocks, and locations between all stages.
    pub(super) fn has_bindings(self) -> bool {
        self.is_modern()
    }

    /// `layout(component = n)`.
    pub(super) fn has_components(self) -> bool {
        self == Self::Core450
    }

    /// The qualifier `precise`.
    pub(super) fn has_precise(self) -> bool {
        self.is_modern()
    }

    /// The function `fma`.
    pub(super) fn has_fma(self) -> bool {
        self.is_modern()
    }

    /// The function `frexp`.
    pub(super) fn has_frexp(self) -> bool {
        self.is_modern()
    }

    /// `mix(a, b, bvec)` of integers and truth values; all versions have it of floats.
    pub(super) fn mixes_integers(self) -> bool {
        self.is_modern()
    }

    /// `mix(a, b, bvec)` of floats.
    pub(super) fn mixes_by_truth(self) -> bool {
        !self.is_old()
    }

    /// Arrays among the inputs of a vertex program.
    pub(super) fn has_attribute_arrays(self) -> bool {
        matches!(self, Self::Core450 | Self::Core330)
    }

    /// Memory that invocations share, images, and functions on bits.
    pub(super) fn has_memory(self) -> bool {
        self == Self::Core450
    }

    /// Two halves in a word.
    pub(super) fn has_halves(self) -> bool {
        matches!(self, Self::Core450 | Self::Es300 | Self::Es320)
    }

    /// Doubles.
    pub(super) fn has_doubles(self) -> bool {
        self == Self::Core450
    }

    /// Arrays of arrays, which a geometry program's input arrays are.
    pub(super) fn has_arrays_of_arrays(self) -> bool {
        self.is_modern()
    }
}
