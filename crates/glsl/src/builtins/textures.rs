//! Functions of textures: those of today, and those of old versions with a name for each shape.

use super::Operation as Do;
use super::operation::{Axis, Grain, Level, Offsets, Sample};
use super::row::{Row, row};
use crate::language::{Since, Stage, since, since_or};

const NEW: Since = since_or(130, 300, &[]);
const SIZE: Since = since_or(130, 300, &[]);
const QUERY_LOD: Since = since(400, 0);
const QUERY_LOD_ARB: Since = since_or(0, 0, &["GL_ARB_texture_query_lod"]);
const QUERY_LEVELS: Since = since_or(430, 0, &["GL_ARB_texture_query_levels"]);
const SAMPLES: Since = since_or(450, 0, &["GL_ARB_shader_texture_image_samples"]);
const GATHER: Since = since_or(
    400,
    310,
    &["GL_ARB_texture_gather", "GL_ARB_gpu_shader5", "GL_EXT_gpu_shader5", "GL_OES_gpu_shader5"],
);
const GATHER5: Since = since_or(400, 310, &["GL_ARB_gpu_shader5"]);
const GATHER_FOUR: Since =
    since_or(400, 320, &["GL_ARB_gpu_shader5", "GL_EXT_gpu_shader5", "GL_OES_gpu_shader5"]);
const SHADOW_LOD: Since = since_or(0, 0, &["GL_EXT_texture_shadow_lod"]);
const FRAGMENT: &[Stage] = &[Stage::Fragment];

const PLAIN: Sample = Sample::PLAIN;
const PROJECTED: Sample = Sample { is_projected: true, ..PLAIN };
const LOD: Sample = Sample { level: Level::Explicit, ..PLAIN };
const GRADIENT: Sample = Sample { level: Level::Gradient, ..PLAIN };
const FETCH: Sample = Sample { is_fetch: true, level: Level::Explicit, ..PLAIN };
const GATHERED: Sample = Sample { is_gather: true, ..PLAIN };

const fn offset(sample: Sample) -> Do {
    Do::Sample(Sample { offsets: Offsets::One, ..sample })
}

const fn projected(sample: Sample) -> Sample {
    Sample { is_projected: true, ..sample }
}

const fn bias(sample: Sample) -> Do {
    Do::Sample(Sample { level: Level::Bias, ..sample })
}

/// Those of today. A bias is of fragment shaders: it has rows of its own.
pub(super) static ROWS: &[Row] = &[
    row("S textureSize(gsampler{1D,2D,3D,Cube,1DArray,2DArray,CubeArray},int)", "", SIZE, Do::TextureSize),
    row(
        "S textureSize(sampler{1DShadow,2DShadow,CubeShadow,1DArrayShadow,2DArrayShadow,CubeArrayShadow},int)",
        "",
        NEW,
        Do::TextureSize,
    ),
    row("S textureSize(gsampler{2DRect,Buffer,2DMS,2DMSArray})", "", NEW, Do::TextureSize),
    row("S textureSize(sampler{2DRectShadow})", "", NEW, Do::TextureSize),
    row("S textureSize(sampler{ExternalOES},int)", "", since(0, 300), Do::TextureSize),
    row("S textureSize(gtexture{1D,2D,3D,Cube,1DArray,2DArray,CubeArray},int)", "", NEW, Do::TextureSize).vulkan(),
    row("S textureSize(gtexture{2DRect,Buffer,2DMS,2DMSArray})", "", NEW, Do::TextureSize).vulkan(),
    row(
        "vec2 textureQueryLod(gsampler{1D,2D,3D,Cube,1DArray,2DArray,CubeArray},D)",
        "",
        QUERY_LOD,
        Do::TextureQueryLod,
    )
    .only(FRAGMENT),
    row(
        "vec2 textureQueryLod(sampler{1DShadow,2DShadow,CubeShadow,1DArrayShadow,2DArrayShadow,CubeArrayShadow},D)",
        "",
        QUERY_LOD,
        Do::TextureQueryLod,
    )
    .only(FRAGMENT),
    row(
        "vec2 textureQueryLOD(gsampler{1D,2D,3D,Cube,1DArray,2DArray,CubeArray},D)",
        "",
        QUERY_LOD_ARB,
        Do::TextureQueryLod,
    )
    .only(FRAGMENT),
    row(
        "vec2 textureQueryLOD(sampler{1DShadow,2DShadow,CubeShadow,1DArrayShadow,2DArrayShadow,CubeArrayShadow},D)",
        "",
        QUERY_LOD_ARB,
        Do::TextureQueryLod,
    )
    .only(FRAGMENT),
    row(
        "int textureQueryLevels(gsampler{1D,2D,3D,Cube,1DArray,2DArray,CubeArray})",
        "",
        QUERY_LEVELS,
        Do::TextureQueryLevels,
    ),
    row(
        "int textureQueryLevels(sampler{1DShadow,2DShadow,CubeShadow,1DArrayShadow,2DArrayShadow,CubeArrayShadow})",
        "",
        QUERY_LEVELS,
        Do::TextureQueryLevels,
    ),
    row(
        "int textureQueryLevels(gtexture{1D,2D,3D,Cube,1DArray,2DArray,CubeArray})",
        "",
        QUERY_LEVELS,
        Do::TextureQueryLevels,
    )
    .vulkan(),
    row("int textureSamples(gsampler{2DMS,2DMSArray})", "", SAMPLES, Do::TextureSamples),
    row("int textureSamples(gtexture{2DMS,2DMSArray})", "", SAMPLES, Do::TextureSamples).vulkan(),
    // texture
    row("gvec4 texture(gsampler{1D,2D,3D,Cube,1DArray,2DArray,CubeArray,2DRect},P)", "", NEW, Do::Sample(PLAIN)),
    row("gvec4 texture(gsampler{1D,2D,3D,Cube,1DArray,2DArray,CubeArray},P,float)", "", NEW, bias(PLAIN))
        .only(FRAGMENT),
    row("gvec4 texture(sampler{ExternalOES},P)", "", since(0, 300), Do::Sample(PLAIN)),
    row("gvec4 texture(sampler{ExternalOES},P,float)", "", since(0, 300), bias(PLAIN)).only(FRAGMENT),
    row(
        "float texture(sampler{1DShadow,2DShadow,CubeShadow,1DArrayShadow,2DArrayShadow,2DRectShadow},P)",
        "",
        NEW,
        Do::Sample(PLAIN),
    ),
    row("float texture(sampler{1DShadow,2DShadow,CubeShadow,1DArrayShadow},P,float)", "", NEW, bias(PLAIN))
        .only(FRAGMENT),
    row("float texture(sampler{2DArrayShadow},P,float)", "", SHADOW_LOD, bias(PLAIN)).only(FRAGMENT),
    row("float texture(sampler{CubeArrayShadow},P,float)", "", NEW, Do::Sample(PLAIN)),
    row("float texture(sampler{CubeArrayShadow},P,float,float)", "", SHADOW_LOD, bias(PLAIN)).only(FRAGMENT),
    // textureProj
    row("gvec4 textureProj(gsampler{1D},vec2)", "", NEW, Do::Sample(PROJECTED)),
    row("gvec4 textureProj(gsampler{1D},vec2,float)", "", NEW, bias(PROJECTED)).only(FRAGMENT),
    row("gvec4 textureProj(gsampler{2D,2DRect},vec3)", "", NEW, Do::Sample(PROJECTED)),
    row("gvec4 textureProj(gsampler{2D},vec3,float)", "", NEW, bias(PROJECTED)).only(FRAGMENT),
    row("gvec4 textureProj(gsampler{1D,2D,3D,2DRect},vec4)", "", NEW, Do::Sample(PROJECTED)),
    row("gvec4 textureProj(gsampler{1D,2D,3D},vec4,float)", "", NEW, bias(PROJECTED)).only(FRAGMENT),
    row("gvec4 textureProj(sampler{ExternalOES},vec3)", "", since(0, 300), Do::Sample(PROJECTED)),
    row("gvec4 textureProj(sampler{ExternalOES},vec4)", "", since(0, 300), Do::Sample(PROJECTED)),
    row("gvec4 textureProj(sampler{ExternalOES},vec3,float)", "", since(0, 300), bias(PROJECTED)).only(FRAGMENT),
    row("gvec4 textureProj(sampler{ExternalOES},vec4,float)", "", since(0, 300), bias(PROJECTED)).only(FRAGMENT),
    row("float textureProj(sampler{1DShadow,2DShadow,2DRectShadow},vec4)", "", NEW, Do::Sample(PROJECTED)),
    row("float textureProj(sampler{1DShadow,2DShadow},vec4,float)", "", NEW, bias(PROJECTED)).only(FRAGMENT),
    // textureLod
    row("gvec4 textureLod(gsampler{1D,2D,3D,Cube,1DArray,2DArray,CubeArray},P,float)", "", NEW, Do::Sample(LOD)),
    row("float textureLod(sampler{1DShadow,2DShadow,1DArrayShadow},P,float)", "", NEW, Do::Sample(LOD)),
    row("float textureLod(sampler{CubeShadow,2DArrayShadow},P,float)", "", SHADOW_LOD, Do::Sample(LOD)),
    row("float textureLod(sampler{CubeArrayShadow},P,float,float)", "", SHADOW_LOD, Do::Sample(LOD)),
    // textureOffset
    row("gvec4 textureOffset(gsampler{1D,2D,3D,1DArray,2DArray,2DRect},P,O)", "", NEW, offset(PLAIN)),
    row(
        "gvec4 textureOffset(gsampler{1D,2D,3D,1DArray,2DArray},P,O,float)",
        "",
        NEW,
        offset(Sample { level: Level::Bias, ..PLAIN }),
    )
    .only(FRAGMENT),
    row("float textureOffset(sampler{1DShadow,2DShadow,1DArrayShadow,2DRectShadow},P,O)", "", NEW, offset(PLAIN)),
    row("float textureOffset(sampler{2DArrayShadow},P,O)", "", since_or(430, 0, &[]), offset(PLAIN)),
    row(
        "float textureOffset(sampler{1DShadow,2DShadow,1DArrayShadow},P,O,float)",
        "",
        NEW,
        offset(Sample { level: Level::Bias, ..PLAIN }),
    )
    .only(FRAGMENT),
    // texelFetch
    row("gvec4 texelFetch(gsampler{1D,2D,3D,1DArray,2DArray,2DMS,2DMSArray},I,int)", "", NEW, Do::Sample(FETCH)),
    row("gvec4 texelFetch(gsampler{2DRect,Buffer},I)", "", NEW, Do::Sample(FETCH)),
    row("gvec4 texelFetch(sampler{ExternalOES},I,int)", "", since(0, 300), Do::Sample(FETCH)),
    row("gvec4 texelFetch(gtexture{1D,2D,3D,1DArray,2DArray,2DMS,2DMSArray},I,int)", "", NEW, Do::Sample(FETCH))
        .vulkan(),
    row("gvec4 texelFetch(gtexture{2DRect,Buffer},I)", "", NEW, Do::Sample(FETCH)).vulkan(),
    row("gvec4 texelFetchOffset(gsampler{1D,2D,3D,1DArray,2DArray},I,int,O)", "", NEW, offset(FETCH)),
    row("gvec4 texelFetchOffset(gsampler{2DRect},I,O)", "", NEW, offset(FETCH)),
    row("gvec4 texelFetchOffset(gtexture{1D,2D,3D,1DArray,2DArray},I,int,O)", "", NEW, offset(FETCH)).vulkan(),
    // Projected with offset.
    row("gvec4 textureProjOffset(gsampler{1D},vec2,O)", "", NEW, offset(PROJECTED)),
    row("gvec4 textureProjOffset(gsampler{2D,2DRect},vec3,O)", "", NEW, offset(PROJECTED)),
    row("gvec4 textureProjOffset(gsampler{1D,2D,3D,2DRect},vec4,O)", "", NEW, offset(PROJECTED)),
    row("float textureProjOffset(sampler{1DShadow,2DShadow,2DRectShadow},vec4,O)", "", NEW, offset(PROJECTED)),
    row(
        "gvec4 textureProjOffset(gsampler{1D},vec2,O,float)",
        "",
        NEW,
        offset(Sample { level: Level::Bias, ..PROJECTED }),
    )
    .only(FRAGMENT),
    row(
        "gvec4 textureProjOffset(gsampler{2D},vec3,O,float)",
        "",
        NEW,
        offset(Sample { level: Level::Bias, ..PROJECTED }),
    )
    .only(FRAGMENT),
    row(
        "gvec4 textureProjOffset(gsampler{1D,2D,3D},vec4,O,float)",
        "",
        NEW,
        offset(Sample { level: Level::Bias, ..PROJECTED }),
    )
    .only(FRAGMENT),
    row(
        "float textureProjOffset(sampler{1DShadow,2DShadow},vec4,O,float)",
        "",
        NEW,
        offset(Sample { level: Level::Bias, ..PROJECTED }),
    )
    .only(FRAGMENT),
    row("gvec4 textureLodOffset(gsampler{1D,2D,3D,1DArray,2DArray},P,float,O)", "", NEW, offset(LOD)),
    row("float textureLodOffset(sampler{1DShadow,2DShadow,1DArrayShadow},P,float,O)", "", NEW, offset(LOD)),
    row("float textureLodOffset(sampler{2DArrayShadow},P,float,O)", "", SHADOW_LOD, offset(LOD)),
    row("gvec4 textureProjLod(gsampler{1D},vec2,float)", "", NEW, Do::Sample(projected(LOD))),
    row("gvec4 textureProjLod(gsampler{2D},vec3,float)", "", NEW, Do::Sample(projected(LOD))),
    row("gvec4 textureProjLod(gsampler{1D,2D,3D},vec4,float)", "", NEW, Do::Sample(projected(LOD))),
    row("float textureProjLod(sampler{1DShadow,2DShadow},vec4,float)", "", NEW, Do::Sample(projected(LOD))),
    row("gvec4 textureProjLodOffset(gsampler{1D},vec2,float,O)", "", NEW, offset(projected(LOD))),
    row("gvec4 textureProjLodOffset(gsampler{2D},vec3,float,O)", "", NEW, offset(projected(LOD))),
    row("gvec4 textureProjLodOffset(gsampler{1D,2D,3D},vec4,float,O)", "", NEW, offset(projected(LOD))),
    row("float textureProjLodOffset(sampler{1DShadow,2DShadow},vec4,float,O)", "", NEW, offset(projected(LOD))),
    // textureGrad
    row(
        "gvec4 textureGrad(gsampler{1D,2D,3D,Cube,1DArray,2DArray,CubeArray,2DRect},P,D,D)",
        "",
        NEW,
        Do::Sample(GRADIENT),
    ),
    row(
        "float textureGrad(sampler{1DShadow,2DShadow,CubeShadow,1DArrayShadow,2DArrayShadow,2DRectShadow},P,D,D)",
        "",
        NEW,
        Do::Sample(GRADIENT),
    ),
    row("gvec4 textureGradOffset(gsampler{1D,2D,3D,1DArray,2DArray,2DRect},P,D,D,O)", "", NEW, offset(GRADIENT)),
    row(
        "float textureGradOffset(sampler{1DShadow,2DShadow,1DArrayShadow,2DArrayShadow,2DRectShadow},P,D,D,O)",
        "",
        NEW,
        offset(GRADIENT),
    ),
    row("gvec4 textureProjGrad(gsampler{1D},vec2,D,D)", "", NEW, Do::Sample(projected(GRADIENT))),
    row("gvec4 textureProjGrad(gsampler{2D,2DRect},vec3,D,D)", "", NEW, Do::Sample(projected(GRADIENT))),
    row("gvec4 textureProjGrad(gsampler{1D,2D,3D,2DRect},vec4,D,D)", "", NEW, Do::Sample(projected(GRADIENT))),
    row(
        "float textureProjGrad(sampler{1DShadow,2DShadow,2DRectShadow},vec4,D,D)",
        "",
        NEW,
        Do::Sample(projected(GRADIENT)),
    ),
    row("gvec4 textureProjGradOffset(gsampler{1D},vec2,D,D,O)", "", NEW, offset(projected(GRADIENT))),
    row("gvec4 textureProjGradOffset(gsampler{2D,2DRect},vec3,D,D,O)", "", NEW, offset(projected(GRADIENT))),
    row("gvec4 textureProjGradOffset(gsampler{1D,2D,3D,2DRect},vec4,D,D,O)", "", NEW, offset(projected(GRADIENT))),
    row(
        "float textureProjGradOffset(sampler{1DShadow,2DShadow,2DRectShadow},vec4,D,D,O)",
        "",
        NEW,
        offset(projected(GRADIENT)),
    ),
    // textureGather
    row("gvec4 textureGather(gsampler{2D,2DArray,Cube,CubeArray},Q)", "", GATHER, Do::Sample(GATHERED)),
    row("gvec4 textureGather(gsampler{2D,2DArray,Cube,CubeArray},Q,int)", "", GATHER5, Do::Sample(GATHERED)),
    row("gvec4 textureGather(gsampler{2DRect},Q[int])", "", GATHER5, Do::Sample(GATHERED)),
    row(
        "vec4 textureGather(sampler{2DShadow,2DArrayShadow,CubeShadow,CubeArrayShadow,2DRectShadow},Q,float)",
        "",
        GATHER5,
        Do::Sample(GATHERED),
    ),
    row("gvec4 textureGatherOffset(gsampler{2D,2DArray},Q,O)", "", GATHER, offset(GATHERED)),
    row("gvec4 textureGatherOffset(gsampler{2D,2DArray},Q,O,int)", "", GATHER5, offset(GATHERED)),
    row("gvec4 textureGatherOffset(gsampler{2DRect},Q,O[int])", "", GATHER5, offset(GATHERED)),
    row(
        "vec4 textureGatherOffset(sampler{2DShadow,2DArrayShadow,2DRectShadow},Q,float,O)",
        "",
        GATHER5,
        offset(GATHERED),
    ),
    row(
        "gvec4 textureGatherOffsets(gsampler{2D,2DArray,2DRect},Q,ivec2*4[int])",
        "",
        GATHER_FOUR,
        Do::Sample(Sample { offsets: Offsets::Four, ..GATHERED }),
    ),
    row(
        "vec4 textureGatherOffsets(sampler{2DShadow,2DArrayShadow,2DRectShadow},Q,float,ivec2*4)",
        "",
        GATHER_FOUR,
        Do::Sample(Sample { offsets: Offsets::Four, ..GATHERED }),
    ),
    // Derivatives.
    row("gen dFdx(gen)", "fh", DERIVATIVES, Do::Derivative(Axis::X, Grain::Any)).only(FRAGMENT),
    row("gen dFdy(gen)", "fh", DERIVATIVES, Do::Derivative(Axis::Y, Grain::Any)).only(FRAGMENT),
    row("gen fwidth(gen)", "fh", DERIVATIVES, Do::Derivative(Axis::Width, Grain::Any)).only(FRAGMENT),
    row("gen dFdxFine(gen)", "fh", CONTROL, Do::Derivative(Axis::X, Grain::Fine)).only(FRAGMENT),
    row("gen dFdyFine(gen)", "fh", CONTROL, Do::Derivative(Axis::Y, Grain::Fine)).only(FRAGMENT),
    row("gen fwidthFine(gen)", "fh", CONTROL, Do::Derivative(Axis::Width, Grain::Fine)).only(FRAGMENT),
    row("gen dFdxCoarse(gen)", "fh", CONTROL, Do::Derivative(Axis::X, Grain::Coarse)).only(FRAGMENT),
    row("gen dFdyCoarse(gen)", "fh", CONTROL, Do::Derivative(Axis::Y, Grain::Coarse)).only(FRAGMENT),
    row("gen fwidthCoarse(gen)", "fh", CONTROL, Do::Derivative(Axis::Width, Grain::Coarse)).only(FRAGMENT),
    row("gen interpolateAtCentroid(gen)", "fh", INTERPOLATION, Do::InterpolateAtCentroid).only(FRAGMENT),
    row("gen interpolateAtSample(gen,int)", "fh", INTERPOLATION, Do::InterpolateAtSample).only(FRAGMENT),
    row("gen interpolateAtOffset(gen,vec2)", "f", INTERPOLATION, Do::InterpolateAtOffset).only(FRAGMENT),
    row("gen interpolateAtOffset(gen,f16vec2)", "h", INTERPOLATION, Do::InterpolateAtOffset).only(FRAGMENT),
    row("gen dFdx(gen)", "d", WIDE, Do::Derivative(Axis::X, Grain::Any)).only(FRAGMENT),
    row("gen dFdy(gen)", "d", WIDE, Do::Derivative(Axis::Y, Grain::Any)).only(FRAGMENT),
    row("gen fwidth(gen)", "d", WIDE, Do::Derivative(Axis::Width, Grain::Any)).only(FRAGMENT),
    row("gen dFdxFine(gen)", "d", WIDE, Do::Derivative(Axis::X, Grain::Fine)).only(FRAGMENT),
    row("gen dFdyFine(gen)", "d", WIDE, Do::Derivative(Axis::Y, Grain::Fine)).only(FRAGMENT),
    row("gen fwidthFine(gen)", "d", WIDE, Do::Derivative(Axis::Width, Grain::Fine)).only(FRAGMENT),
    row("gen dFdxCoarse(gen)", "d", WIDE, Do::Derivative(Axis::X, Grain::Coarse)).only(FRAGMENT),
    row("gen dFdyCoarse(gen)", "d", WIDE, Do::Derivative(Axis::Y, Grain::Coarse)).only(FRAGMENT),
    row("gen fwidthCoarse(gen)", "d", WIDE, Do::Derivative(Axis::Width, Grain::Coarse)).only(FRAGMENT),
    row("gen interpolateAtCentroid(gen)", "d", WIDE, Do::InterpolateAtCentroid).only(FRAGMENT),
    row("gen interpolateAtSample(gen,int)", "d", WIDE, Do::InterpolateAtSample).only(FRAGMENT),
    row("gen interpolateAtOffset(gen,dvec2)", "d", WIDE, Do::InterpolateAtOffset).only(FRAGMENT),
];

const WIDE: Since = since_or(
    0,
    0,
    &["GL_EXT_shader_explicit_arithmetic_types", "GL_EXT_shader_explicit_arithmetic_types_float64"],
);
const DERIVATIVES: Since = since_or(110, 300, &["GL_OES_standard_derivatives"]);
const CONTROL: Since = since_or(450, 0, &["GL_ARB_derivative_control"]);
const INTERPOLATION: Since =
    since_or(400, 320, &["GL_ARB_gpu_shader5", "GL_OES_shader_multisample_interpolation"]);

const OLD: Since = since(110, 100);
const OLD_DESKTOP: Since = since(110, 0);
const OLD_3D: Since = since_or(110, 0, &["GL_OES_texture_3D"]);
const RECTANGLE: Since = since_or(140, 0, &["GL_ARB_texture_rectangle"]);
const ARB_LOD: Since = since_or(0, 0, &["GL_ARB_shader_texture_lod"]);
const EXT_LOD: Since = since_or(0, 0, &["GL_EXT_shader_texture_lod"]);
const ARRAYS: Since = since_or(0, 0, &["GL_EXT_texture_array"]);
const VERTEX: &[Stage] = &[Stage::Vertex];
const NOT_FRAGMENT: &[Stage] = &[
    Stage::Vertex,
    Stage::TessellationControl,
    Stage::TessellationEvaluation,
    Stage::Geometry,
    Stage::Compute,
];
/// From this version on, the core profile has no functions with shapes in their names; nor has ES from its second on.
const LAST: (u16, u16) = (420, 300);

const fn old(text: &'static str, since: Since, sample: Sample) -> Row {
    row(text, "", since, Do::Sample(sample)).until(LAST.0, LAST.1).opengl()
}

const fn old_bias(text: &'static str, since: Since, sample: Sample) -> Row {
    row(text, "", since, bias(sample)).until(LAST.0, LAST.1).opengl().only(FRAGMENT)
}

/// Those of old versions.
pub(super) static OLD_ROWS: &[Row] = &[
    old("vec4 texture1D(sampler1D,float)", OLD_DESKTOP, PLAIN),
    old_bias("vec4 texture1D(sampler1D,float,float)", OLD_DESKTOP, PLAIN),
    old("vec4 texture1DProj(sampler1D,vec2)", OLD_DESKTOP, PROJECTED),
    old("vec4 texture1DProj(sampler1D,vec4)", OLD_DESKTOP, PROJECTED),
    old_bias("vec4 texture1DProj(sampler1D,vec2,float)", OLD_DESKTOP, PROJECTED),
    old_bias("vec4 texture1DProj(sampler1D,vec4,float)", OLD_DESKTOP, PROJECTED),
    old("vec4 texture2D(sampler2D,vec2)", OLD, PLAIN),
    old_bias("vec4 texture2D(sampler2D,vec2,float)", OLD, PLAIN),
    old("vec4 texture2DProj(sampler2D,vec3)", OLD, PROJECTED),
    old("vec4 texture2DProj(sampler2D,vec4)", OLD, PROJECTED),
    old_bias("vec4 texture2DProj(sampler2D,vec3,float)", OLD, PROJECTED),
    old_bias("vec4 texture2DProj(sampler2D,vec4,float)", OLD, PROJECTED),
    old("vec4 texture2D(samplerExternalOES,vec2)", OLD, PLAIN),
    old("vec4 texture2DProj(samplerExternalOES,vec3)", OLD, PROJECTED),
    old("vec4 texture2DProj(samplerExternalOES,vec4)", OLD, PROJECTED),
    old("vec4 texture3D(sampler3D,vec3)", OLD_3D, PLAIN),
    old_bias("vec4 texture3D(sampler3D,vec3,float)", OLD_3D, PLAIN),
    old("vec4 texture3DProj(sampler3D,vec4)", OLD_3D, PROJECTED),
    old_bias("vec4 texture3DProj(sampler3D,vec4,float)", OLD_3D, PROJECTED),
    old("vec4 textureCube(samplerCube,vec3)", OLD, PLAIN),
    old_bias("vec4 textureCube(samplerCube,vec3,float)", OLD, PLAIN),
    old("vec4 shadow1D(sampler1DShadow,vec3)", OLD_DESKTOP, PLAIN),
    old_bias("vec4 shadow1D(sampler1DShadow,vec3,float)", OLD_DESKTOP, PLAIN),
    old("vec4 shadow2D(sampler2DShadow,vec3)", OLD_DESKTOP, PLAIN),
    old_bias("vec4 shadow2D(sampler2DShadow,vec3,float)", OLD_DESKTOP, PLAIN),
    old("vec4 shadow1DProj(sampler1DShadow,vec4)", OLD_DESKTOP, PROJECTED),
    old_bias("vec4 shadow1DProj(sampler1DShadow,vec4,float)", OLD_DESKTOP, PROJECTED),
    old("vec4 shadow2DProj(sampler2DShadow,vec4)", OLD_DESKTOP, PROJECTED),
    old_bias("vec4 shadow2DProj(sampler2DShadow,vec4,float)", OLD_DESKTOP, PROJECTED),
    old("vec4 texture2DRect(sampler2DRect,vec2)", RECTANGLE, PLAIN),
    old("vec4 texture2DRectProj(sampler2DRect,vec3)", RECTANGLE, PROJECTED),
    old("vec4 texture2DRectProj(sampler2DRect,vec4)", RECTANGLE, PROJECTED),
    old("vec4 shadow2DRect(sampler2DRectShadow,vec3)", RECTANGLE, PLAIN),
    old("vec4 shadow2DRectProj(sampler2DRectShadow,vec4)", RECTANGLE, PROJECTED),
    // With a level: of vertex shaders, and of all with the extension.
    old("vec4 texture1DLod(sampler1D,float,float)", OLD_DESKTOP, LOD).only(NOT_FRAGMENT),
    old("vec4 texture1DProjLod(sampler1D,vec2,float)", OLD_DESKTOP, projected(LOD)).only(NOT_FRAGMENT),
    old("vec4 texture1DProjLod(sampler1D,vec4,float)", OLD_DESKTOP, projected(LOD)).only(NOT_FRAGMENT),
    old("vec4 texture2DLod(sampler2D,vec2,float)", OLD, LOD).only(NOT_FRAGMENT),
    old("vec4 texture2DProjLod(sampler2D,vec3,float)", OLD, projected(LOD)).only(NOT_FRAGMENT),
    old("vec4 texture2DProjLod(sampler2D,vec4,float)", OLD, projected(LOD)).only(NOT_FRAGMENT),
    old("vec4 texture3DLod(sampler3D,vec3,float)", OLD_3D, LOD).only(NOT_FRAGMENT),
    old("vec4 texture3DProjLod(sampler3D,vec4,float)", OLD_3D, projected(LOD)).only(NOT_FRAGMENT),
    old("vec4 textureCubeLod(samplerCube,vec3,float)", OLD, LOD).only(NOT_FRAGMENT),
    old("vec4 shadow1DLod(sampler1DShadow,vec3,float)", OLD_DESKTOP, LOD).only(NOT_FRAGMENT),
    old("vec4 shadow2DLod(sampler2DShadow,vec3,float)", OLD_DESKTOP, LOD).only(NOT_FRAGMENT),
    old("vec4 shadow1DProjLod(sampler1DShadow,vec4,float)", OLD_DESKTOP, projected(LOD)).only(NOT_FRAGMENT),
    old("vec4 shadow2DProjLod(sampler2DShadow,vec4,float)", OLD_DESKTOP, projected(LOD)).only(NOT_FRAGMENT),
    old("vec4 texture1DLod(sampler1D,float,float)", ARB_OR_130, LOD).only(FRAGMENT),
    old("vec4 texture1DProjLod(sampler1D,vec2,float)", ARB_OR_130, projected(LOD)).only(FRAGMENT),
    old("vec4 texture1DProjLod(sampler1D,vec4,float)", ARB_OR_130, projected(LOD)).only(FRAGMENT),
    old("vec4 texture2DLod(sampler2D,vec2,float)", ARB_OR_130, LOD).only(FRAGMENT),
    old("vec4 texture2DProjLod(sampler2D,vec3,float)", ARB_OR_130, projected(LOD)).only(FRAGMENT),
    old("vec4 texture2DProjLod(sampler2D,vec4,float)", ARB_OR_130, projected(LOD)).only(FRAGMENT),
    old("vec4 texture3DLod(sampler3D,vec3,float)", ARB_OR_130, LOD).only(FRAGMENT),
    old("vec4 texture3DProjLod(sampler3D,vec4,float)", ARB_OR_130, projected(LOD)).only(FRAGMENT),
    old("vec4 textureCubeLod(samplerCube,vec3,float)", ARB_OR_130, LOD).only(FRAGMENT),
    old("vec4 shadow1DLod(sampler1DShadow,vec3,float)", ARB_OR_130, LOD).only(FRAGMENT),
    old("vec4 shadow2DLod(sampler2DShadow,vec3,float)", ARB_OR_130, LOD).only(FRAGMENT),
    old("vec4 shadow1DProjLod(sampler1DShadow,vec4,float)", ARB_OR_130, projected(LOD)).only(FRAGMENT),
    old("vec4 shadow2DProjLod(sampler2DShadow,vec4,float)", ARB_OR_130, projected(LOD)).only(FRAGMENT),
    // With derivatives that are given.
    old("vec4 texture1DGradARB(sampler1D,float,float,float)", ARB_LOD, GRADIENT),
    old("vec4 texture1DProjGradARB(sampler1D,vec2,float,float)", ARB_LOD, projected(GRADIENT)),
    old("vec4 texture1DProjGradARB(sampler1D,vec4,float,float)", ARB_LOD, projected(GRADIENT)),
    old("vec4 texture2DGradARB(sampler2D,vec2,vec2,vec2)", ARB_LOD, GRADIENT),
    old("vec4 texture2DProjGradARB(sampler2D,vec3,vec2,vec2)", ARB_LOD, projected(GRADIENT)),
    old("vec4 texture2DProjGradARB(sampler2D,vec4,vec2,vec2)", ARB_LOD, projected(GRADIENT)),
    old("vec4 texture3DGradARB(sampler3D,vec3,vec3,vec3)", ARB_LOD, GRADIENT),
    old("vec4 texture3DProjGradARB(sampler3D,vec4,vec3,vec3)", ARB_LOD, projected(GRADIENT)),
    old("vec4 textureCubeGradARB(samplerCube,vec3,vec3,vec3)", ARB_LOD, GRADIENT),
    old("vec4 shadow1DGradARB(sampler1DShadow,vec3,float,float)", ARB_LOD, GRADIENT),
    old("vec4 shadow1DProjGradARB(sampler1DShadow,vec4,float,float)", ARB_LOD, projected(GRADIENT)),
    old("vec4 shadow2DGradARB(sampler2DShadow,vec3,vec2,vec2)", ARB_LOD, GRADIENT),
    old("vec4 shadow2DProjGradARB(sampler2DShadow,vec4,vec2,vec2)", ARB_LOD, projected(GRADIENT)),
    old("vec4 texture2DRectGradARB(sampler2DRect,vec2,vec2,vec2)", ARB_LOD, GRADIENT),
    old("vec4 texture2DRectProjGradARB(sampler2DRect,vec3,vec2,vec2)", ARB_LOD, projected(GRADIENT)),
    old("vec4 texture2DRectProjGradARB(sampler2DRect,vec4,vec2,vec2)", ARB_LOD, projected(GRADIENT)),
    old("vec4 shadow2DRectGradARB(sampler2DRectShadow,vec3,vec2,vec2)", ARB_LOD, GRADIENT),
    old("vec4 shadow2DRectProjGradARB(sampler2DRectShadow,vec4,vec2,vec2)", ARB_LOD, projected(GRADIENT)),
    // GLSL ES 1.00 with its extension.
    old("vec4 texture2DLodEXT(sampler2D,vec2,float)", EXT_LOD, LOD).only(FRAGMENT),
    old("vec4 texture2DProjLodEXT(sampler2D,vec3,float)", EXT_LOD, projected(LOD)).only(FRAGMENT),
    old("vec4 texture2DProjLodEXT(sampler2D,vec4,float)", EXT_LOD, projected(LOD)).only(FRAGMENT),
    old("vec4 textureCubeLodEXT(samplerCube,vec3,float)", EXT_LOD, LOD).only(FRAGMENT),
    old("vec4 texture2DGradEXT(sampler2D,vec2,vec2,vec2)", EXT_LOD, GRADIENT),
    old("vec4 texture2DProjGradEXT(sampler2D,vec3,vec2,vec2)", EXT_LOD, projected(GRADIENT)),
    old("vec4 texture2DProjGradEXT(sampler2D,vec4,vec2,vec2)", EXT_LOD, projected(GRADIENT)),
    old("vec4 textureCubeGradEXT(samplerCube,vec3,vec3,vec3)", EXT_LOD, GRADIENT),
    // Arrays of textures by their extension.
    old("vec4 texture1DArray(sampler1DArray,vec2)", ARRAYS, PLAIN),
    old_bias("vec4 texture1DArray(sampler1DArray,vec2,float)", ARRAYS, PLAIN),
    old("vec4 texture2DArray(sampler2DArray,vec3)", ARRAYS, PLAIN),
    old_bias("vec4 texture2DArray(sampler2DArray,vec3,float)", ARRAYS, PLAIN),
    old("vec4 texture1DArrayLod(sampler1DArray,vec2,float)", ARRAYS, LOD).only(VERTEX),
    old("vec4 texture2DArrayLod(sampler2DArray,vec3,float)", ARRAYS, LOD).only(VERTEX),
    old("vec4 shadow1DArray(sampler1DArrayShadow,vec3)", ARRAYS, PLAIN),
    old("vec4 shadow2DArray(sampler2DArrayShadow,vec4)", ARRAYS, PLAIN),
];

const ARB_OR_130: Since = since_or(130, 0, &["GL_ARB_shader_texture_lod"]);
