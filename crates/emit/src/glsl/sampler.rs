//! Types of samplers, and which version has which.

use super::GlslVersion;
use crate::Error;
use unshade_ir::{Texel, Texture, TextureShape};

/// The type without what its texels are, and whether it compares.
fn suffix(shape: TextureShape) -> &'static str {
    match shape {
        TextureShape::Line => "1D",
        TextureShape::Plane => "2D",
        TextureShape::Volume => "3D",
        TextureShape::Cube => "Cube",
        TextureShape::LineArray => "1DArray",
        TextureShape::PlaneArray => "2DArray",
        TextureShape::CubeArray => "CubeArray",
        TextureShape::Rectangle => "2DRect",
        TextureShape::Buffer => "Buffer",
        TextureShape::PlaneSamples => "2DMS",
        TextureShape::PlaneSamplesArray => "2DMSArray",
    }
}

/// The type: `isampler2DArray`.
pub(super) fn name(shape: TextureShape, shadow: bool, texel: Texel) -> String {
    let kind = match texel {
        Texel::Int if !shadow => "i",
        Texel::Uint if !shadow => "u",
        _ => "",
    };
    format!("{kind}sampler{}{}", suffix(shape), if shadow { "Shadow" } else { "" })
}

/// The type of an image: `uimage2D`.
pub(super) fn image_name(shape: TextureShape, texel: Texel) -> String {
    let kind = match texel {
        Texel::Float => "",
        Texel::Int => "i",
        Texel::Uint => "u",
    };
    format!("{kind}image{}", suffix(shape))
}

/// What a message calls it.
pub(super) fn description(texture: Texture) -> String {
    format!("a {}", name(texture.shape, texture.shadow, Texel::Float))
}

/// Whether the version gives the type a precision of its own.
pub(super) fn has_precision(shape: TextureShape, shadow: bool, texel: Texel) -> bool {
    matches!(shape, TextureShape::Plane | TextureShape::Cube) && !shadow && texel == Texel::Float
}

/// Refuses shapes that a version does not have.
pub(super) fn check(texture: Texture, version: GlslVersion) -> Result<(), Error> {
    use GlslVersion::{Core330, Core450, Es100, Es300, Es320};
    use TextureShape::{
        Buffer, Cube, CubeArray, Line, LineArray, Plane, PlaneArray, PlaneSamples, PlaneSamplesArray,
        Rectangle, Volume,
    };
    let shadow = texture.shadow;
    let comparable = !matches!(texture.shape, Volume | Buffer | PlaneSamples | PlaneSamplesArray);
    let has = match (version, texture.shape) {
        _ if shadow && !comparable => false,
        (Core330 | Core450, _) => true,
        (_, Line | LineArray | Rectangle) => false,
        (Es320, _) => true,
        (Es300, shape) => !matches!(shape, CubeArray | Buffer | PlaneSamples | PlaneSamplesArray),
        (Es100, Plane | Cube | Volume) => !shadow,
        (Es100, PlaneArray | CubeArray | Buffer | PlaneSamples | PlaneSamplesArray) => false,
    };
    if has {
        return Ok(());
    }
    let what = description(texture);
    Err(Error::unsupported(format!("{what} in GLSL {}", version.name())))
}

/// The extension that the type needs.
pub(super) fn extension(texture: Texture, version: GlslVersion) -> Option<&'static str> {
    match (version, texture.shape) {
        (GlslVersion::Core330, TextureShape::CubeArray) => Some("GL_ARB_texture_cube_map_array"),
        (GlslVersion::Es100, TextureShape::Volume) => Some("GL_OES_texture_3D"),
        _ => None,
    }
}
