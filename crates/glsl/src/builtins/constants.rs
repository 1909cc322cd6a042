//! Built-in constants: what an implementation has room for. The values are those that glslangValidator assumes, which are those of
//! common hardware of 2012.

use crate::language::{Language, Since, since, since_or};

/// A built-in constant, an `int` but for two of three components.
#[derive(Debug, Clone, Copy)]
pub struct ConstantRow {
    /// Its name.
    pub name: &'static str,
    /// Its value; of an `ivec3`, all three.
    pub values: &'static [i64],
    /// From when on it is there.
    pub since: Since,
}

const fn row(name: &'static str, values: &'static [i64], since: Since) -> ConstantRow {
    ConstantRow { name, values, since }
}

const ALWAYS: Since = since(110, 100);
const OLD: Since = since(110, 0);
const D130: Since = since(130, 0);
const D150: Since = since(150, 0);
const GEOMETRY: Since = since_or(150, 320, &["GL_EXT_geometry_shader", "GL_OES_geometry_shader"]);
const GEOMETRY_ES: Since = since_or(150, 320, &["GL_EXT_geometry_shader", "GL_OES_geometry_shader"]);
const TESSELLATION: Since = since_or(
    400,
    320,
    &["GL_ARB_tessellation_shader", "GL_EXT_tessellation_shader", "GL_OES_tessellation_shader"],
);
const IMAGES: Since = since_or(420, 310, &["GL_ARB_shader_image_load_store"]);
const COUNTERS: Since = since_or(420, 310, &["GL_ARB_shader_atomic_counters"]);
const COMPUTE: Since = since_or(430, 310, &["GL_ARB_compute_shader"]);
const CULL: Since = since_or(450, 0, &["GL_ARB_cull_distance", "GL_EXT_clip_cull_distance"]);
const CLIP: Since = since_or(130, 0, &["GL_EXT_clip_cull_distance"]);
const FEEDBACK: Since = since(440, 0);
const SAMPLES: Since = since_or(450, 320, &["GL_OES_sample_variables"]);
const DUAL: Since = since_or(0, 0, &["GL_EXT_blend_func_extended"]);

/// All of them.
pub static CONSTANTS: &[ConstantRow] = &[
    row("gl_MaxVertexAttribs", &[64], ALWAYS),
    row("gl_MaxVertexTextureImageUnits", &[32], ALWAYS),
    row("gl_MaxCombinedTextureImageUnits", &[80], ALWAYS),
    row("gl_MaxTextureImageUnits", &[32], ALWAYS),
    row("gl_MaxDrawBuffers", &[32], ALWAYS),
    row("gl_MaxVertexUniformVectors", &[128], since(410, 100)),
    row("gl_MaxFragmentUniformVectors", &[16], since(410, 100)),
    row("gl_MaxVaryingVectors", &[8], since(410, 100)),
    row("gl_MaxVertexOutputVectors", &[16], since(0, 300)),
    row("gl_MaxFragmentInputVectors", &[15], since(0, 300)),
    row("gl_MinProgramTexelOffset", &[-8], since(130, 300)),
    row("gl_MaxProgramTexelOffset", &[7], since(130, 300)),
    row("gl_MaxLights", &[32], OLD),
    row("gl_MaxClipPlanes", &[6], OLD),
    row("gl_MaxTextureUnits", &[32], OLD),
    row("gl_MaxTextureCoords", &[32], OLD),
    row("gl_MaxVertexUniformComponents", &[4096], OLD),
    row("gl_MaxVaryingFloats", &[64], OLD),
    row("gl_MaxFragmentUniformComponents", &[4096], OLD),
    row("gl_MaxVaryingComponents", &[60], D130),
    row("gl_MaxClipDistances", &[8], CLIP),
    row("gl_MaxCullDistances", &[8], CULL),
    row("gl_MaxCombinedClipAndCullDistances", &[8], CULL),
    row("gl_MaxVertexOutputComponents", &[64], D150),
    row("gl_MaxFragmentInputComponents", &[128], D150),
    row("gl_MaxGeometryInputComponents", &[64], GEOMETRY),
    row("gl_MaxGeometryOutputComponents", &[128], GEOMETRY),
    row("gl_MaxGeometryTextureImageUnits", &[16], GEOMETRY),
    row("gl_MaxGeometryOutputVertices", &[256], GEOMETRY),
    row("gl_MaxGeometryTotalOutputComponents", &[1024], GEOMETRY),
    row("gl_MaxGeometryUniformComponents", &[1024], GEOMETRY),
    row("gl_MaxGeometryVaryingComponents", &[64], D150),
    row(
        "gl_MaxGeometryImageUniforms",
        &[0],
        since_or(420, 320, &["GL_EXT_geometry_shader", "GL_OES_geometry_shader"]),
    ),
    row(
        "gl_MaxGeometryAtomicCounters",
        &[0],
        since_or(420, 320, &["GL_EXT_geometry_shader", "GL_OES_geometry_shader"]),
    ),
    row(
        "gl_MaxGeometryAtomicCounterBuffers",
        &[0],
        since_or(420, 320, &["GL_EXT_geometry_shader", "GL_OES_geometry_shader"]),
    ),
    row("gl_MaxTessControlInputComponents", &[128], TESSELLATION),
    row("gl_MaxTessControlOutputComponents", &[128], TESSELLATION),
    row("gl_MaxTessControlTextureImageUnits", &[16], TESSELLATION),
    row("gl_MaxTessControlUniformComponents", &[1024], TESSELLATION),
    row("gl_MaxTessControlTotalOutputComponents", &[4096], TESSELLATION),
    row(
        "gl_MaxTessControlImageUniforms",
        &[0],
        since_or(420, 320, &["GL_EXT_tessellation_shader", "GL_OES_tessellation_shader"]),
    ),
    row(
        "gl_MaxTessControlAtomicCounters",
        &[0],
        since_or(420, 320, &["GL_EXT_tessellation_shader", "GL_OES_tessellation_shader"]),
    ),
    row(
        "gl_MaxTessControlAtomicCounterBuffers",
        &[0],
        since_or(420, 320, &["GL_EXT_tessellation_shader", "GL_OES_tessellation_shader"]),
    ),
    row("gl_MaxTessEvaluationInputComponents", &[128], TESSELLATION),
    row("gl_MaxTessEvaluationOutputComponents", &[128], TESSELLATION),
    row("gl_MaxTessEvaluationTextureImageUnits", &[16], TESSELLATION),
    row("gl_MaxTessEvaluationUniformComponents", &[1024], TESSELLATION),
    row(
        "gl_MaxTessEvaluationImageUniforms",
        &[0],
        since_or(420, 320, &["GL_EXT_tessellation_shader", "GL_OES_tessellation_shader"]),
    ),
    row(
        "gl_MaxTessEvaluationAtomicCounters",
        &[0],
        since_or(420, 320, &["GL_EXT_tessellation_shader", "GL_OES_tessellation_shader"]),
    ),
    row(
        "gl_MaxTessEvaluationAtomicCounterBuffers",
        &[0],
        since_or(420, 320, &["GL_EXT_tessellation_shader", "GL_OES_tessellation_shader"]),
    ),
    row("gl_MaxTessPatchComponents", &[120], TESSELLATION),
    row("gl_MaxPatchVertices", &[32], TESSELLATION),
    row("gl_MaxTessGenLevel", &[64], TESSELLATION),
    row("gl_MaxViewports", &[16], since_or(410, 0, &["GL_ARB_viewport_array"])),
    row("gl_MaxImageUnits", &[8], IMAGES),
    row("gl_MaxCombinedImageUnitsAndFragmentOutputs", &[8], since(420, 0)),
    row("gl_MaxCombinedShaderOutputResources", &[8], COMPUTE),
    row("gl_MaxImageSamples", &[0], since_or(420, 0, &["GL_ARB_shader_image_load_store"])),
    row("gl_MaxVertexImageUniforms", &[0], IMAGES),
    row("gl_MaxFragmentImageUniforms", &[8], IMAGES),
    row("gl_MaxComputeImageUniforms", &[8], COMPUTE),
    row("gl_MaxCombinedImageUniforms", &[8], IMAGES),
    row("gl_MaxVertexAtomicCounters", &[0], COUNTERS),
    row("gl_MaxFragmentAtomicCounters", &[8], COUNTERS),
    row("gl_MaxComputeAtomicCounters", &[8], COMPUTE),
    row("gl_MaxCombinedAtomicCounters", &[8], COUNTERS),
    row("gl_MaxAtomicCounterBindings", &[1], COUNTERS),
    row("gl_MaxVertexAtomicCounterBuffers", &[0], COUNTERS),
    row("gl_MaxFragmentAtomicCounterBuffers", &[1], COUNTERS),
    row("gl_MaxComputeAtomicCounterBuffers", &[1], COMPUTE),
    row("gl_MaxCombinedAtomicCounterBuffers", &[1], COUNTERS),
    row("gl_MaxAtomicCounterBufferSize", &[16384], COUNTERS),
    row("gl_MaxComputeWorkGroupCount", &[65535, 65535, 65535], COMPUTE),
    row("gl_MaxComputeWorkGroupSize", &[1024, 1024, 64], COMPUTE),
    row("gl_MaxComputeUniformComponents", &[1024], COMPUTE),
    row("gl_MaxComputeTextureImageUnits", &[16], COMPUTE),
    row("gl_MaxTransformFeedbackBuffers", &[4], FEEDBACK),
    row("gl_MaxTransformFeedbackInterleavedComponents", &[64], FEEDBACK),
    row("gl_MaxSamples", &[4], SAMPLES),
    row("gl_MaxDualSourceDrawBuffersEXT", &[1], DUAL),
    row("gl_MaxInputAttachments", &[1], GEOMETRY_ES),
];

/// The constant of a name in a language.
pub fn constant(name: &str, language: &Language) -> Option<&'static ConstantRow> {
    let row = CONSTANTS.iter().find(|row| row.name == name)?;
    language.has(&row.since).then_some(row)
}
