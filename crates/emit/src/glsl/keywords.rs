//! Words of GLSL 4.50 and GLSL ES 3.20 that a program may not use as names of its own.

use crate::names::Vocabulary;

/// Keywords, reserved words, built-in types and built-in functions of all versions that are printed: one
/// list for all, so that a program has the same names in each.
pub(super) const VOCABULARY: Vocabulary = Vocabulary { words: WORDS, prefixes: &["gl_"] };

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "EmitStreamVertex", "EmitVertex", "EndPrimitive", "EndStreamPrimitive", "abs", "acos", "acosh",
    "active", "all", "allInvocations", "allInvocationsEqual", "any", "anyInvocation", "asin", "asinh",
    "asm", "atan", "atanh", "atomicAdd", "atomicAnd", "atomicCompSwap", "atomicCounter",
    "atomicCounterDecrement", "atomicCounterIncrement", "atomicExchange", "atomicMax", "atomicMin",
    "atomicOr", "atomicXor", "atomic_uint", "attribute", "barrier", "bitCount", "bitfieldExtract",
    "bitfieldInsert", "bitfieldReverse", "bool", "break", "buffer", "bvec2", "bvec3", "bvec4", "case",
    "cast", "ceil", "centroid", "clamp", "class", "coherent", "common", "const", "continue", "cos", "cosh",
    "cross", "dFdx", "dFdxCoarse", "dFdxFine", "dFdy", "dFdyCoarse", "dFdyFine", "default", "defined",
    "degrees", "determinant", "discard", "distance", "dmat2", "dmat2x2", "dmat2x3", "dmat2x4", "dmat3",
    "dmat3x2", "dmat3x3", "dmat3x4", "dmat4", "dmat4x2", "dmat4x3", "dmat4x4", "do", "dot", "double",
    "dvec2", "dvec3", "dvec4", "else", "enum", "equal", "exp", "exp2", "extern", "external", "faceforward",
    "false", "filter", "findLSB", "findMSB", "fixed", "flat", "float", "floatBitsToInt", "floatBitsToUint",
    "floor", "fma", "for", "fract", "frexp", "ftransform", "fvec2", "fvec3", "fvec4", "fwidth",
    "fwidthCoarse", "fwidthFine", "goto", "greaterThan", "greaterThanEqual", "groupMemoryBarrier", "half",
    "highp", "hvec2", "hvec3", "hvec4", "if", "iimage1D", "iimage1DArray", "iimage2D", "iimage2DArray",
    "iimage2DMS", "iimage2DMSArray", "iimage2DRect", "iimage3D", "iimageBuffer", "iimageCube",
    "iimageCubeArray", "image1D", "image1DArray", "image2D", "image2DArray", "image2DMS", "image2DMSArray",
    "image2DRect", "image3D", "imageAtomicAdd", "imageAtomicAnd", "imageAtomicCompSwap",
    "imageAtomicExchange", "imageAtomicMax", "imageAtomicMin", "imageAtomicOr", "imageAtomicXor",
    "imageBuffer", "imageCube", "imageCubeArray", "imageLoad", "imageSamples", "imageSize", "imageStore",
    "imulExtended", "in", "inline", "inout", "input", "int", "intBitsToFloat", "interface",
    "interpolateAtCentroid", "interpolateAtOffset", "interpolateAtSample", "invariant", "inverse",
    "inversesqrt", "isampler1D", "isampler1DArray", "isampler2D", "isampler2DArray", "isampler2DMS",
    "isampler2DMSArray", "isampler2DRect", "isampler3D", "isamplerBuffer", "isamplerCube",
    "isamplerCubeArray", "isinf", "isnan", "isubpassInput", "isubpassInputMS", "itexture1D",
    "itexture1DArray", "itexture2D", "itexture2DArray", "itexture2DMS", "itexture2DMSArray",
    "itexture2DRect", "itexture3D", "itextureBuffer", "itextureCube", "itextureCubeArray", "ivec2", "ivec3",
    "ivec4", "layout", "ldexp", "length", "lessThan", "lessThanEqual", "log", "log2", "long", "lowp",
    "mat2", "mat2x2", "mat2x3", "mat2x4", "mat3", "mat3x2", "mat3x3", "mat3x4", "mat4", "mat4x2", "mat4x3",
    "mat4x4", "matrixCompMult", "max", "mediump", "memoryBarrier", "memoryBarrierAtomicCounter",
    "memoryBarrierBuffer", "memoryBarrierImage", "memoryBarrierShared", "min", "mix", "mod", "modf",
    "namespace", "noinline", "noise1", "noise2", "noise3", "noise4", "noperspective", "normalize", "not",
    "notEqual", "out", "outerProduct", "output", "packDouble2x32", "packHalf2x16", "packSnorm2x16",
    "packSnorm4x8", "packUnorm2x16", "packUnorm4x8", "partition", "patch", "pow", "precise", "precision",
    "public", "radians", "readonly", "reflect", "refract", "resource", "restrict", "return", "round",
    "roundEven", "sample", "sampler", "sampler1D", "sampler1DArray", "sampler1DArrayShadow",
    "sampler1DShadow", "sampler2D", "sampler2DArray", "sampler2DArrayShadow", "sampler2DMS",
    "sampler2DMSArray", "sampler2DRect", "sampler2DRectShadow", "sampler2DShadow", "sampler3D",
    "sampler3DRect", "samplerBuffer", "samplerCube", "samplerCubeArray", "samplerCubeArrayShadow",
    "samplerCubeShadow", "samplerExternalOES", "samplerShadow", "shadow1D", "shadow2D", "shared", "short",
    "sign", "sin", "sinh", "sizeof", "smooth", "smoothstep", "sqrt", "static", "step", "struct",
    "subpassInput", "subpassInputMS", "subpassLoad", "subroutine", "superp", "switch", "tan", "tanh",
    "template", "texelFetch", "texelFetchOffset", "texture", "texture1D", "texture1DArray", "texture1DLod",
    "texture1DProj", "texture1DProjLod", "texture2D", "texture2DArray", "texture2DLod", "texture2DMS",
    "texture2DMSArray", "texture2DProj", "texture2DProjLod", "texture2DRect", "texture3D", "texture3DLod",
    "texture3DProj", "textureBuffer", "textureCube", "textureCubeArray", "textureCubeLod", "textureGather",
    "textureGatherOffset", "textureGatherOffsets", "textureGrad", "textureGradOffset", "textureLod",
    "textureLodOffset", "textureOffset", "textureProj", "textureProjGrad", "textureProjGradOffset",
    "textureProjLod", "textureProjLodOffset", "textureProjOffset", "textureQueryLevels", "textureQueryLod",
    "textureSamples", "textureSize", "this", "transpose", "true", "trunc", "typedef", "uaddCarry",
    "uimage1D", "uimage1DArray", "uimage2D", "uimage2DArray", "uimage2DMS", "uimage2DMSArray",
    "uimage2DRect", "uimage3D", "uimageBuffer", "uimageCube", "uimageCubeArray", "uint", "uintBitsToFloat",
    "umulExtended", "uniform", "union", "unpackDouble2x32", "unpackHalf2x16", "unpackSnorm2x16",
    "unpackSnorm4x8", "unpackUnorm2x16", "unpackUnorm4x8", "unsigned", "usampler1D", "usampler1DArray",
    "usampler2D", "usampler2DArray", "usampler2DMS", "usampler2DMSArray", "usampler2DRect", "usampler3D",
    "usamplerBuffer", "usamplerCube", "usamplerCubeArray", "using", "usubBorrow", "usubpassInput",
    "usubpassInputMS", "utexture1D", "utexture1DArray", "utexture2D", "utexture2DArray", "utexture2DMS",
    "utexture2DMSArray", "utexture2DRect", "utexture3D", "utextureBuffer", "utextureCube",
    "utextureCubeArray", "uvec2", "uvec3", "uvec4", "varying", "vec2", "vec3", "vec4", "void", "volatile",
    "while", "writeonly",
];

#[cfg(test)]
mod tests {
    #[test]
    fn words_are_sorted() {
        assert!(super::WORDS.is_sorted());
    }
}
