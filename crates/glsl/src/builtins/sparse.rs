//! Textures of which parts are not there, and levels that are not taken: GL_ARB_sparse_texture2, GL_ARB_sparse_texture_clamp.

use super::Operation as Do;
use super::operation::{Level, Offsets, Sample};
use super::row::{Row, row};
use crate::language::{Since, since_or};

const SPARSE: Since = since_or(0, 0, &["GL_ARB_sparse_texture2"]);
const EITHER: Since = since_or(0, 0, &["GL_ARB_sparse_texture2", "GL_ARB_sparse_texture_clamp"]);
const CLAMP: Since = since_or(0, 0, &["GL_ARB_sparse_texture_clamp"]);

const PLAIN: Sample = Sample { is_sparse: true, ..Sample::PLAIN };
const LOD: Sample = Sample { level: Level::Explicit, ..PLAIN };
const GRADIENT: Sample = Sample { level: Level::Gradient, ..PLAIN };
const FETCH: Sample = Sample { is_fetch: true, ..LOD };
const GATHER: Sample = Sample { is_gather: true, ..PLAIN };

const fn offset(sample: Sample) -> Sample {
    Sample { offsets: Offsets::One, ..sample }
}

const fn four(sample: Sample) -> Sample {
    Sample { offsets: Offsets::Four, ..sample }
}

const fn clamped(sample: Sample) -> Sample {
    Sample { is_clamped: true, ..sample }
}

/// All of them.
pub(super) static ROWS: &[Row] = &[
    row(
        "int sparseTextureARB(gsampler{2D,3D,Cube,2DArray,CubeArray},P,out gvec4[float])",
        "",
        SPARSE,
        Do::Sample(PLAIN),
    ),
    row(
        "int sparseTextureARB(sampler{2DShadow,CubeShadow},P,out float[float])",
        "",
        SPARSE,
        Do::Sample(PLAIN),
    ),
    row("int sparseTextureARB(gsampler{2DRect},P,out gvec4)", "", SPARSE, Do::Sample(PLAIN)),
    row(
        "int sparseTextureARB(sampler{2DRectShadow,2DArrayShadow},P,out float)",
        "",
        SPARSE,
        Do::Sample(PLAIN),
    ),
    row("int sparseTextureARB(sampler{CubeArrayShadow},P,float,out float)", "", SPARSE, Do::Sample(PLAIN)),
    row(
        "int sparseTextureLodARB(gsampler{2D,3D,Cube,2DArray,CubeArray},P,float,out gvec4)",
        "",
        SPARSE,
        Do::Sample(LOD),
    ),
    row("int sparseTextureLodARB(sampler{2DShadow},P,float,out float)", "", SPARSE, Do::Sample(LOD)),
    row(
        "int sparseTextureOffsetARB(gsampler{2D,3D,2DArray},P,O,out gvec4[float])",
        "",
        SPARSE,
        Do::Sample(offset(PLAIN)),
    ),
    row(
        "int sparseTextureOffsetARB(sampler{2DShadow},P,O,out float[float])",
        "",
        SPARSE,
        Do::Sample(offset(PLAIN)),
    ),
    row("int sparseTextureOffsetARB(gsampler{2DRect},P,O,out gvec4)", "", SPARSE, Do::Sample(offset(PLAIN))),
    row(
        "int sparseTextureOffsetARB(sampler{2DRectShadow,2DArrayShadow},P,O,out float)",
        "",
        SPARSE,
        Do::Sample(offset(PLAIN)),
    ),
    row(
        "int sparseTexelFetchARB(gsampler{2D,3D,2DArray,2DMS,2DMSArray},I,int,out gvec4)",
        "",
        SPARSE,
        Do::Sample(FETCH),
    ),
    row("int sparseTexelFetchARB(gsampler{2DRect},I,out gvec4)", "", SPARSE, Do::Sample(FETCH)),
    row(
        "int sparseTexelFetchOffsetARB(gsampler{2D,3D,2DArray},I,int,O,out gvec4)",
        "",
        SPARSE,
        Do::Sample(offset(FETCH)),
    ),
    row(
        "int sparseTexelFetchOffsetARB(gsampler{2DRect},I,O,out gvec4)",
        "",
        SPARSE,
        Do::Sample(offset(FETCH)),
    ),
    row(
        "int sparseTextureLodOffsetARB(gsampler{2D,3D,2DArray},P,float,O,out gvec4)",
        "",
        SPARSE,
        Do::Sample(offset(LOD)),
    ),
    row(
        "int sparseTextureLodOffsetARB(sampler{2DShadow},P,float,O,out float)",
        "",
        SPARSE,
        Do::Sample(offset(LOD)),
    ),
    row(
        "int sparseTextureGradARB(gsampler{2D,3D,Cube,2DArray,CubeArray,2DRect},P,D,D,out gvec4)",
        "",
        SPARSE,
        Do::Sample(GRADIENT),
    ),
    row(
        "int sparseTextureGradARB(sampler{2DShadow,CubeShadow,2DArrayShadow,2DRectShadow},P,D,D,out float)",
        "",
        SPARSE,
        Do::Sample(GRADIENT),
    ),
    row(
        "int sparseTextureGradOffsetARB(gsampler{2D,3D,2DArray,2DRect},P,D,D,O,out gvec4)",
        "",
        SPARSE,
        Do::Sample(offset(GRADIENT)),
    ),
    row(
        "int sparseTextureGradOffsetARB(sampler{2DShadow,2DArrayShadow,2DRectShadow},P,D,D,O,out float)",
        "",
        SPARSE,
        Do::Sample(offset(GRADIENT)),
    ),
    row(
        "int sparseTextureGatherARB(gsampler{2D,2DArray,Cube,CubeArray,2DRect},Q,out gvec4[int])",
        "",
        SPARSE,
        Do::Sample(GATHER),
    ),
    row(
        "int sparseTextureGatherARB(sampler{2DShadow,2DArrayShadow,CubeShadow,CubeArrayShadow,2DRectShadow},Q,float,out vec4)",
        "",
        SPARSE,
        Do::Sample(GATHER),
    ),
    row(
        "int sparseTextureGatherOffsetARB(gsampler{2D,2DArray,2DRect},Q,O,out gvec4[int])",
        "",
        SPARSE,
        Do::Sample(offset(GATHER)),
    ),
    row(
        "int sparseTextureGatherOffsetARB(sampler{2DShadow,2DArrayShadow,2DRectShadow},Q,float,O,out vec4)",
        "",
        SPARSE,
        Do::Sample(offset(GATHER)),
    ),
    row(
        "int sparseTextureGatherOffsetsARB(gsampler{2D,2DArray,2DRect},Q,ivec2*4,out gvec4[int])",
        "",
        SPARSE,
        Do::Sample(four(GATHER)),
    ),
    row(
        "int sparseTextureGatherOffsetsARB(sampler{2DShadow,2DArrayShadow,2DRectShadow},Q,float,ivec2*4,out vec4)",
        "",
        SPARSE,
        Do::Sample(four(GATHER)),
    ),
    row(
        "int sparseTextureClampARB(gsampler{1D,2D,3D,Cube,1DArray,2DArray,CubeArray},P,float,out gvec4[float])",
        "",
        CLAMP,
        Do::Sample(clamped(PLAIN)),
    ),
    row(
        "gvec4 textureClampARB(gsampler{1D,2D,3D,Cube,1DArray,2DArray,CubeArray},P,float[float])",
        "",
        CLAMP,
        Do::Sample(Sample { is_sparse: false, ..clamped(PLAIN) }),
    ),
    row(
        "int sparseTextureClampARB(sampler{1DShadow,2DShadow,CubeShadow,1DArrayShadow},P,float,out float[float])",
        "",
        CLAMP,
        Do::Sample(clamped(PLAIN)),
    ),
    row(
        "float textureClampARB(sampler{1DShadow,2DShadow,CubeShadow,1DArrayShadow},P,float[float])",
        "",
        CLAMP,
        Do::Sample(Sample { is_sparse: false, ..clamped(PLAIN) }),
    ),
    row(
        "int sparseTextureClampARB(sampler{2DArrayShadow},P,float,out float)",
        "",
        CLAMP,
        Do::Sample(clamped(PLAIN)),
    ),
    row(
        "float textureClampARB(sampler{2DArrayShadow},P,float)",
        "",
        CLAMP,
        Do::Sample(Sample { is_sparse: false, ..clamped(PLAIN) }),
    ),
    row(
        "int sparseTextureClampARB(sampler{CubeArrayShadow},P,float,float,out float)",
        "",
        CLAMP,
        Do::Sample(clamped(PLAIN)),
    ),
    row(
        "float textureClampARB(sampler{CubeArrayShadow},P,float,float)",
        "",
        CLAMP,
        Do::Sample(Sample { is_sparse: false, ..clamped(PLAIN) }),
    ),
    row(
        "int sparseTextureOffsetClampARB(gsampler{1D,2D,3D,1DArray,2DArray},P,O,float,out gvec4[float])",
        "",
        CLAMP,
        Do::Sample(clamped(offset(PLAIN))),
    ),
    row(
        "gvec4 textureOffsetClampARB(gsampler{1D,2D,3D,1DArray,2DArray},P,O,float[float])",
        "",
        CLAMP,
        Do::Sample(Sample { is_sparse: false, ..clamped(offset(PLAIN)) }),
    ),
    row(
        "int sparseTextureOffsetClampARB(sampler{1DShadow,2DShadow,1DArrayShadow},P,O,float,out float[float])",
        "",
        CLAMP,
        Do::Sample(clamped(offset(PLAIN))),
    ),
    row(
        "float textureOffsetClampARB(sampler{1DShadow,2DShadow,1DArrayShadow},P,O,float[float])",
        "",
        CLAMP,
        Do::Sample(Sample { is_sparse: false, ..clamped(offset(PLAIN)) }),
    ),
    row(
        "int sparseTextureOffsetClampARB(gsampler{2DRect},P,O,float,out gvec4)",
        "",
        CLAMP,
        Do::Sample(clamped(offset(PLAIN))),
    ),
    row(
        "gvec4 textureOffsetClampARB(gsampler{2DRect},P,O,float)",
        "",
        CLAMP,
        Do::Sample(Sample { is_sparse: false, ..clamped(offset(PLAIN)) }),
    ),
    row(
        "int sparseTextureOffsetClampARB(sampler{2DRectShadow,2DArrayShadow},P,O,float,out float)",
        "",
        CLAMP,
        Do::Sample(clamped(offset(PLAIN))),
    ),
    row(
        "float textureOffsetClampARB(sampler{2DRectShadow,2DArrayShadow},P,O,float)",
        "",
        CLAMP,
        Do::Sample(Sample { is_sparse: false, ..clamped(offset(PLAIN)) }),
    ),
    row(
        "int sparseTextureGradClampARB(gsampler{1D,2D,3D,Cube,1DArray,2DArray,CubeArray},P,D,D,float,out gvec4)",
        "",
        CLAMP,
        Do::Sample(clamped(GRADIENT)),
    ),
    row(
        "gvec4 textureGradClampARB(gsampler{1D,2D,3D,Cube,1DArray,2DArray,CubeArray},P,D,D,float)",
        "",
        CLAMP,
        Do::Sample(Sample { is_sparse: false, ..clamped(GRADIENT) }),
    ),
    row(
        "int sparseTextureGradClampARB(sampler{1DShadow,2DShadow,CubeShadow,1DArrayShadow,2DArrayShadow},P,D,D,float,out float)",
        "",
        CLAMP,
        Do::Sample(clamped(GRADIENT)),
    ),
    row(
        "float textureGradClampARB(sampler{1DShadow,2DShadow,CubeShadow,1DArrayShadow,2DArrayShadow},P,D,D,float)",
        "",
        CLAMP,
        Do::Sample(Sample { is_sparse: false, ..clamped(GRADIENT) }),
    ),
    row(
        "int sparseTextureGradOffsetClampARB(gsampler{1D,2D,3D,1DArray,2DArray},P,D,D,O,float,out gvec4)",
        "",
        CLAMP,
        Do::Sample(clamped(offset(GRADIENT))),
    ),
    row(
        "gvec4 textureGradOffsetClampARB(gsampler{1D,2D,3D,1DArray,2DArray},P,D,D,O,float)",
        "",
        CLAMP,
        Do::Sample(Sample { is_sparse: false, ..clamped(offset(GRADIENT)) }),
    ),
    row(
        "int sparseTextureGradOffsetClampARB(sampler{1DShadow,2DShadow,2DRectShadow,1DArrayShadow,2DArrayShadow},P,D,D,O,float,out float)",
        "",
        CLAMP,
        Do::Sample(clamped(offset(GRADIENT))),
    ),
    row(
        "float textureGradOffsetClampARB(sampler{1DShadow,2DShadow,2DRectShadow,1DArrayShadow,2DArrayShadow},P,D,D,O,float)",
        "",
        CLAMP,
        Do::Sample(Sample { is_sparse: false, ..clamped(offset(GRADIENT)) }),
    ),
    row(
        "int sparseImageLoadARB(gimage{2D,3D,2DRect,Cube,2DArray,CubeArray,2DMS,2DMSArray},I,out gvec4)",
        "",
        SPARSE,
        Do::SparseImageLoad,
    ),
    row("bool sparseTexelsResidentARB(int)", "", EITHER, Do::TexelsResident),
];
