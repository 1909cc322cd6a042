//! GX2's numbers for the types of samplers (`GX2SamplerVarType`).
//!
//! Counted in files of the console's compiler, beside names and code that say the same: 1, 4, 10, 12 and 13; 0 and 3 stand
//! in the headers of open libraries, 17 and 18 in one of them. The numbers go on in the order in which OpenGL lists the types
//! of samplers, so that the ones in between follow from it: no file has shown them. 2 and 7 would be those of rectangles, which
//! GX2 does not define.

use unshade_stage::latte::Dimension;

/// What a number says of a sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SamplerType {
    /// The number.
    pub number: u32,
    /// The type in GLSL.
    pub name: &'static str,
    /// Shape of its texture.
    pub dimension: Dimension,
    /// It compares with a reference.
    pub shadow: bool,
}

const fn plain(number: u32, name: &'static str, dimension: Dimension) -> SamplerType {
    SamplerType { number, name, dimension, shadow: false }
}

const fn shadow(number: u32, name: &'static str, dimension: Dimension) -> SamplerType {
    SamplerType { number, name, dimension, shadow: true }
}

impl SamplerType {
    /// All that are known.
    pub const ALL: [Self; 14] = [
        plain(0, "sampler1D", Dimension::D1),
        plain(1, "sampler2D", Dimension::D2),
        plain(3, "sampler3D", Dimension::D3),
        plain(4, "samplerCube", Dimension::Cube),
        shadow(5, "sampler1DShadow", Dimension::D1),
        shadow(6, "sampler2DShadow", Dimension::D2),
        shadow(8, "samplerCubeShadow", Dimension::Cube),
        plain(9, "sampler1DArray", Dimension::D1Array),
        plain(10, "sampler2DArray", Dimension::D2Array),
        shadow(11, "sampler1DArrayShadow", Dimension::D1Array),
        shadow(12, "sampler2DArrayShadow", Dimension::D2Array),
        plain(13, "samplerCubeArray", Dimension::CubeArray),
        plain(17, "sampler2DMS", Dimension::D2Multisample),
        plain(18, "sampler2DMSArray", Dimension::D2MultisampleArray),
    ];

    /// The type with that number.
    pub fn of(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.number == number)
    }

    /// What a check expects in place of another number.
    pub(crate) fn expected() -> String {
        let all: Vec<_> = Self::ALL.iter().map(|kind| format!("{} ({})", kind.number, kind.name)).collect();
        all.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_there_once() {
        for (index, kind) in SamplerType::ALL.iter().enumerate() {
            assert_eq!(SamplerType::of(kind.number), Some(*kind));
            assert!(SamplerType::ALL.iter().skip(index + 1).all(|other| other.name != kind.name));
            assert_eq!(kind.shadow, kind.name.ends_with("Shadow"));
        }
        assert_eq!(SamplerType::of(15), None);
    }
}
