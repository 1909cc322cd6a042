//! Built-in variables.

use super::Meaning;
use crate::language::{Language, Since, Stage, since, since_or};

/// How a built-in variable may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Read only.
    In,
    /// Written, and read as what was written.
    Out,
    /// State of the fixed-function pipeline.
    Uniform,
    /// A constant of the stage: `gl_WorkGroupSize`.
    Const,
}

/// A built-in variable of some stages.
#[derive(Debug, Clone, Copy)]
pub struct VariableRow {
    /// Its name.
    pub name: &'static str,
    /// Its type: `float[]` has the size that the stage or a redeclaration gives it; `gl_PerVertex[]` is an array of the block.
    pub ty: &'static str,
    /// How it may be used.
    pub kind: Kind,
    /// What it stands for.
    pub meaning: Meaning,
    /// The stages that have it.
    pub stages: &'static [Stage],
    /// From when on it is there.
    pub since: Since,
    /// Taken out of the core profile from this version on; 0 for never.
    pub until_core: u16,
    /// Taken out of GLSL ES from this version on; 0 for never.
    pub until_es: u16,
    /// Whether OpenGL and Vulkan have it.
    pub apis: (bool, bool),
}

const fn row(
    name: &'static str,
    ty: &'static str,
    kind: Kind,
    meaning: Meaning,
    stages: &'static [Stage],
    since: Since,
) -> VariableRow {
    VariableRow { name, ty, kind, meaning, stages, since, until_core: 0, until_es: 0, apis: (true, true) }
}

impl VariableRow {
    const fn until(self, until_core: u16, until_es: u16) -> Self {
        Self { until_core, until_es, ..self }
    }

    const fn opengl(self) -> Self {
        Self { apis: (true, false), ..self }
    }

    const fn vulkan(self) -> Self {
        Self { apis: (false, true), ..self }
    }

    /// Whether a language has it.
    pub fn is_in(&self, language: &Language) -> bool {
        let version = language.version;
        let is_out = match version.is_es() {
            true => self.until_es != 0 && version.number >= self.until_es,
            false => self.until_core != 0 && version.number >= self.until_core && !version.is_compatible(),
        };
        let has_api = if language.is_vulkan() { self.apis.1 } else { self.apis.0 };
        self.stages.contains(&language.stage) && has_api && !is_out && language.has(&self.since)
    }

    /// Why a language does not have it.
    pub fn why_not(&self, language: &Language) -> String {
        if !(if language.is_vulkan() { self.apis.1 } else { self.apis.0 }) {
            return match language.is_vulkan() {
                true => "Vulkan does not have it".to_owned(),
                false => "only Vulkan has it".to_owned(),
            };
        }
        if !self.stages.contains(&language.stage) {
            let stages: Vec<&str> = self.stages.iter().map(|stage| stage.name()).collect();
            return format!("it is one of {} shaders", stages.join(", "));
        }
        match language.has(&self.since) {
            true => format!("{} does not have it any more", language.version),
            false => language.needs(&self.since),
        }
    }
}

use Stage::{
    Compute as C, Fragment as F, Geometry as G, TessellationControl as TC, TessellationEvaluation as TE,
    Vertex as V,
};

const VTG: &[Stage] = &[V, TE, G];
const ALL: &[Stage] = &[V, TC, TE, G, F, C];
const ALWAYS: Since = since(110, 100);
const OLD: Since = since(110, 0);
const GEOMETRY: Since = since_or(150, 320, &["GL_EXT_geometry_shader", "GL_OES_geometry_shader"]);
const TESSELLATION: Since = since_or(
    150,
    320,
    &["GL_ARB_tessellation_shader", "GL_EXT_tessellation_shader", "GL_OES_tessellation_shader"],
);
const BOUNDS: Since = since_or(0, 320, &["GL_EXT_primitive_bounding_box", "GL_OES_primitive_bounding_box"]);
const CLIP: Since = since_or(130, 0, &["GL_EXT_clip_cull_distance"]);
const CULL: Since = since_or(450, 0, &["GL_ARB_cull_distance", "GL_EXT_clip_cull_distance"]);
const SAMPLES: Since =
    since_or(400, 320, &["GL_ARB_sample_shading", "GL_OES_sample_variables", "GL_ARB_gpu_shader5"]);
const COMPUTE: Since = since_or(430, 310, &["GL_ARB_compute_shader"]);
const BASIC: Since = since_or(0, 0, &["GL_KHR_shader_subgroup_basic"]);
const BALLOT: Since = since_or(0, 0, &["GL_KHR_shader_subgroup_ballot"]);
const BALLOT_ARB: Since = since_or(0, 0, &["GL_ARB_shader_ballot"]);
const DRAW: Since = since(460, 0);
const DRAW_ARB: Since = since_or(0, 0, &["GL_ARB_shader_draw_parameters"]);
const LAYER: Since = since_or(
    0,
    0,
    &["GL_ARB_shader_viewport_layer_array", "GL_AMD_vertex_shader_layer", "GL_NV_viewport_array2"],
);
const VIEWPORT: Since = since_or(
    0,
    0,
    &["GL_ARB_shader_viewport_layer_array", "GL_AMD_vertex_shader_viewport_index", "GL_NV_viewport_array2"],
);
const VIEWS: Since = since_or(0, 0, &["GL_OVR_multiview", "GL_OVR_multiview2"]);
const FETCH: Since = since_or(0, 0, &["GL_EXT_shader_framebuffer_fetch"]);
const DUAL: Since = since_or(0, 0, &["GL_EXT_blend_func_extended"]);

/// The members of `gl_PerVertex`: name, type, meaning, and from when on.
pub static PER_VERTEX: &[(&str, &str, Meaning, Since)] = &[
    ("gl_Position", "vec4", Meaning::Position, ALWAYS),
    (
        "gl_PointSize",
        "float",
        Meaning::PointSize,
        since_or(
            110,
            0,
            &[
                "GL_EXT_geometry_point_size",
                "GL_OES_geometry_point_size",
                "GL_EXT_tessellation_point_size",
                "GL_OES_tessellation_point_size",
            ],
        ),
    ),
    ("gl_ClipDistance", "float[]", Meaning::ClipDistance, CLIP),
    ("gl_CullDistance", "float[]", Meaning::CullDistance, CULL),
    ("gl_ClipVertex", "vec4", Meaning::ClipVertex, OLD),
    ("gl_FrontColor", "vec4", Meaning::FrontColor, OLD),
    ("gl_BackColor", "vec4", Meaning::BackColor, OLD),
    ("gl_FrontSecondaryColor", "vec4", Meaning::FrontSecondaryColor, OLD),
    ("gl_BackSecondaryColor", "vec4", Meaning::BackSecondaryColor, OLD),
    ("gl_TexCoord", "vec4[]", Meaning::TexCoord, OLD),
    ("gl_FogFragCoord", "float", Meaning::FogFragCoord, OLD),
];

/// All of them.
pub static VARIABLES: &[VariableRow] = &[
    // What a stage writes for each vertex.
    row("gl_Position", "vec4", Kind::Out, Meaning::Position, VTG, ALWAYS),
    row("gl_PointSize", "float", Kind::Out, Meaning::PointSize, &[V], ALWAYS),
    row(
        "gl_PointSize",
        "float",
        Kind::Out,
        Meaning::PointSize,
        &[TE],
        since_or(110, 0, &["GL_EXT_tessellation_point_size", "GL_OES_tessellation_point_size"]),
    ),
    row(
        "gl_PointSize",
        "float",
        Kind::Out,
        Meaning::PointSize,
        &[G],
        since_or(110, 0, &["GL_EXT_geometry_point_size", "GL_OES_geometry_point_size"]),
    ),
    row("gl_ClipDistance", "float[]", Kind::Out, Meaning::ClipDistance, VTG, CLIP),
    row("gl_CullDistance", "float[]", Kind::Out, Meaning::CullDistance, VTG, CULL),
    row("gl_ClipVertex", "vec4", Kind::Out, Meaning::ClipVertex, VTG, OLD).until(140, 0).opengl(),
    row("gl_FrontColor", "vec4", Kind::Out, Meaning::FrontColor, VTG, OLD).until(140, 0).opengl(),
    row("gl_BackColor", "vec4", Kind::Out, Meaning::BackColor, VTG, OLD).until(140, 0).opengl(),
    row("gl_FrontSecondaryColor", "vec4", Kind::Out, Meaning::FrontSecondaryColor, VTG, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_BackSecondaryColor", "vec4", Kind::Out, Meaning::BackSecondaryColor, VTG, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_TexCoord", "vec4[]", Kind::Out, Meaning::TexCoord, VTG, OLD).until(140, 0).opengl(),
    row("gl_FogFragCoord", "float", Kind::Out, Meaning::FogFragCoord, VTG, OLD).until(140, 0).opengl(),
    // Vertex.
    row("gl_VertexID", "int", Kind::In, Meaning::VertexId, &[V], since_or(130, 300, &[])).opengl(),
    row("gl_InstanceID", "int", Kind::In, Meaning::InstanceId, &[V], since_or(140, 300, &[])).opengl(),
    row(
        "gl_InstanceIDARB",
        "int",
        Kind::In,
        Meaning::InstanceId,
        &[V],
        since_or(0, 0, &["GL_ARB_draw_instanced"]),
    )
    .opengl(),
    row("gl_VertexIndex", "int", Kind::In, Meaning::VertexIndex, &[V], since(140, 310)).vulkan(),
    row("gl_InstanceIndex", "int", Kind::In, Meaning::InstanceIndex, &[V], since(140, 310)).vulkan(),
    row("gl_DrawID", "int", Kind::In, Meaning::DrawId, &[V], DRAW),
    row("gl_BaseVertex", "int", Kind::In, Meaning::BaseVertex, &[V], DRAW),
    row("gl_BaseInstance", "int", Kind::In, Meaning::BaseInstance, &[V], DRAW),
    row("gl_DrawIDARB", "int", Kind::In, Meaning::DrawId, &[V], DRAW_ARB),
    row("gl_BaseVertexARB", "int", Kind::In, Meaning::BaseVertex, &[V], DRAW_ARB),
    row("gl_BaseInstanceARB", "int", Kind::In, Meaning::BaseInstance, &[V], DRAW_ARB),
    row("gl_Vertex", "vec4", Kind::In, Meaning::Vertex, &[V], OLD).until(140, 0).opengl(),
    row("gl_Normal", "vec3", Kind::In, Meaning::Normal, &[V], OLD).until(140, 0).opengl(),
    row("gl_Color", "vec4", Kind::In, Meaning::Color, &[V], OLD).until(140, 0).opengl(),
    row("gl_SecondaryColor", "vec4", Kind::In, Meaning::SecondaryColor, &[V], OLD).until(140, 0).opengl(),
    row("gl_FogCoord", "float", Kind::In, Meaning::FogCoord, &[V], OLD).until(140, 0).opengl(),
    row("gl_MultiTexCoord0", "vec4", Kind::In, Meaning::MultiTexCoord(0), &[V], OLD).until(140, 0).opengl(),
    row("gl_MultiTexCoord1", "vec4", Kind::In, Meaning::MultiTexCoord(1), &[V], OLD).until(140, 0).opengl(),
    row("gl_MultiTexCoord2", "vec4", Kind::In, Meaning::MultiTexCoord(2), &[V], OLD).until(140, 0).opengl(),
    row("gl_MultiTexCoord3", "vec4", Kind::In, Meaning::MultiTexCoord(3), &[V], OLD).until(140, 0).opengl(),
    row("gl_MultiTexCoord4", "vec4", Kind::In, Meaning::MultiTexCoord(4), &[V], OLD).until(140, 0).opengl(),
    row("gl_MultiTexCoord5", "vec4", Kind::In, Meaning::MultiTexCoord(5), &[V], OLD).until(140, 0).opengl(),
    row("gl_MultiTexCoord6", "vec4", Kind::In, Meaning::MultiTexCoord(6), &[V], OLD).until(140, 0).opengl(),
    row("gl_MultiTexCoord7", "vec4", Kind::In, Meaning::MultiTexCoord(7), &[V], OLD).until(140, 0).opengl(),
    // Tessellation and geometry.
    row("gl_in", "gl_PerVertex[]", Kind::In, Meaning::In, &[TC, TE, G], since_or(150, 310, &[])),
    row("gl_out", "gl_PerVertex[]", Kind::Out, Meaning::Out, &[TC], since_or(150, 310, &[])),
    row("gl_PatchVerticesIn", "int", Kind::In, Meaning::PatchVertices, &[TC, TE], TESSELLATION),
    row("gl_PrimitiveID", "int", Kind::In, Meaning::PrimitiveId, &[TC, TE], TESSELLATION),
    row("gl_InvocationID", "int", Kind::In, Meaning::InvocationId, &[TC], TESSELLATION),
    row("gl_InvocationID", "int", Kind::In, Meaning::InvocationId, &[G], GEOMETRY),
    row("gl_TessLevelOuter", "float[4]", Kind::Out, Meaning::TessLevelOuter, &[TC], TESSELLATION),
    row("gl_TessLevelInner", "float[2]", Kind::Out, Meaning::TessLevelInner, &[TC], TESSELLATION),
    row("gl_TessLevelOuter", "float[4]", Kind::In, Meaning::TessLevelOuter, &[TE], TESSELLATION),
    row("gl_TessLevelInner", "float[2]", Kind::In, Meaning::TessLevelInner, &[TE], TESSELLATION),
    row("gl_TessCoord", "vec3", Kind::In, Meaning::TessCoord, &[TE], TESSELLATION),
    row("gl_BoundingBox", "vec4[2]", Kind::Out, Meaning::BoundingBox, &[TC], BOUNDS),
    row("gl_BoundingBoxEXT", "vec4[2]", Kind::Out, Meaning::BoundingBox, &[TC], BOUNDS),
    row("gl_BoundingBoxOES", "vec4[2]", Kind::Out, Meaning::BoundingBox, &[TC], BOUNDS),
    row("gl_PrimitiveIDIn", "int", Kind::In, Meaning::PrimitiveIdIn, &[G], GEOMETRY),
    row("gl_PrimitiveID", "int", Kind::Out, Meaning::PrimitiveId, &[G], GEOMETRY),
    row("gl_Layer", "int", Kind::Out, Meaning::Layer, &[G], GEOMETRY),
    row("gl_Layer", "int", Kind::Out, Meaning::Layer, &[V, TE], LAYER),
    row(
        "gl_ViewportIndex",
        "int",
        Kind::Out,
        Meaning::ViewportIndex,
        &[G],
        since_or(410, 0, &["GL_ARB_viewport_array"]),
    ),
    row("gl_ViewportIndex", "int", Kind::Out, Meaning::ViewportIndex, &[V, TE], VIEWPORT),
    // Fragment.
    row("gl_FragCoord", "vec4", Kind::In, Meaning::FragCoord, &[F], ALWAYS),
    row("gl_FrontFacing", "bool", Kind::In, Meaning::FrontFacing, &[F], ALWAYS),
    row("gl_PointCoord", "vec2", Kind::In, Meaning::PointCoord, &[F], since(120, 100)),
    row("gl_ClipDistance", "float[]", Kind::In, Meaning::ClipDistance, &[F], CLIP),
    row("gl_CullDistance", "float[]", Kind::In, Meaning::CullDistance, &[F], CULL),
    row("gl_PrimitiveID", "int", Kind::In, Meaning::PrimitiveId, &[F], GEOMETRY),
    row("gl_SampleID", "int", Kind::In, Meaning::SampleId, &[F], SAMPLES),
    row("gl_SamplePosition", "vec2", Kind::In, Meaning::SamplePosition, &[F], SAMPLES),
    row("gl_SampleMaskIn", "int[1]", Kind::In, Meaning::SampleMaskIn, &[F], SAMPLES),
    row("gl_SampleMask", "int[1]", Kind::Out, Meaning::SampleMask, &[F], SAMPLES),
    row(
        "gl_Layer",
        "int",
        Kind::In,
        Meaning::Layer,
        &[F],
        since_or(
            430,
            320,
            &["GL_ARB_fragment_layer_viewport", "GL_EXT_geometry_shader", "GL_OES_geometry_shader"],
        ),
    ),
    row(
        "gl_ViewportIndex",
        "int",
        Kind::In,
        Meaning::ViewportIndex,
        &[F],
        since_or(430, 0, &["GL_ARB_fragment_layer_viewport"]),
    ),
    row("gl_HelperInvocation", "bool", Kind::In, Meaning::HelperInvocation, &[F], since(450, 310)),
    row("gl_FragDepth", "float", Kind::Out, Meaning::FragDepth, &[F], since(110, 300)),
    row(
        "gl_FragDepthEXT",
        "float",
        Kind::Out,
        Meaning::FragDepth,
        &[F],
        since_or(0, 0, &["GL_EXT_frag_depth"]),
    ),
    row("gl_FragColor", "vec4", Kind::Out, Meaning::FragColor, &[F], ALWAYS).until(420, 300),
    row("gl_FragData", "vec4[32]", Kind::Out, Meaning::FragData, &[F], ALWAYS).until(420, 300),
    row("gl_SecondaryFragColorEXT", "vec4", Kind::Out, Meaning::SecondaryFragColor, &[F], DUAL)
        .until(0, 300)
        .opengl(),
    row("gl_SecondaryFragDataEXT", "vec4[1]", Kind::Out, Meaning::SecondaryFragData, &[F], DUAL)
        .until(0, 300)
        .opengl(),
    row("gl_LastFragData", "vec4[32]", Kind::In, Meaning::LastFragData, &[F], FETCH).until(0, 300).opengl(),
    row(
        "gl_FragStencilRefARB",
        "int",
        Kind::Out,
        Meaning::FragStencilRef,
        &[F],
        since_or(0, 0, &["GL_ARB_shader_stencil_export"]),
    ),
    row("gl_Color", "vec4", Kind::In, Meaning::Color, &[F], OLD).until(140, 0).opengl(),
    row("gl_SecondaryColor", "vec4", Kind::In, Meaning::SecondaryColor, &[F], OLD).until(140, 0).opengl(),
    row("gl_TexCoord", "vec4[]", Kind::In, Meaning::TexCoord, &[F], OLD).until(140, 0).opengl(),
    row("gl_FogFragCoord", "float", Kind::In, Meaning::FogFragCoord, &[F], OLD).until(140, 0).opengl(),
    // Compute.
    row("gl_NumWorkGroups", "uvec3", Kind::In, Meaning::NumWorkGroups, &[C], COMPUTE),
    row("gl_WorkGroupSize", "uvec3", Kind::Const, Meaning::WorkGroupSize, &[C], COMPUTE),
    row("gl_WorkGroupID", "uvec3", Kind::In, Meaning::WorkGroupId, &[C], COMPUTE),
    row("gl_LocalInvocationID", "uvec3", Kind::In, Meaning::LocalInvocationId, &[C], COMPUTE),
    row("gl_GlobalInvocationID", "uvec3", Kind::In, Meaning::GlobalInvocationId, &[C], COMPUTE),
    row("gl_LocalInvocationIndex", "uint", Kind::In, Meaning::LocalInvocationIndex, &[C], COMPUTE),
    // Subgroups.
    row("gl_NumSubgroups", "uint", Kind::In, Meaning::NumSubgroups, &[C], BASIC),
    row("gl_SubgroupID", "uint", Kind::In, Meaning::SubgroupId, &[C], BASIC),
    row("gl_SubgroupSize", "uint", Kind::In, Meaning::SubgroupSize, ALL, BASIC),
    row("gl_SubgroupInvocationID", "uint", Kind::In, Meaning::SubgroupInvocationId, ALL, BASIC),
    row("gl_SubgroupEqMask", "uvec4", Kind::In, Meaning::SubgroupEqMask, ALL, BALLOT),
    row("gl_SubgroupGeMask", "uvec4", Kind::In, Meaning::SubgroupGeMask, ALL, BALLOT),
    row("gl_SubgroupGtMask", "uvec4", Kind::In, Meaning::SubgroupGtMask, ALL, BALLOT),
    row("gl_SubgroupLeMask", "uvec4", Kind::In, Meaning::SubgroupLeMask, ALL, BALLOT),
    row("gl_SubgroupLtMask", "uvec4", Kind::In, Meaning::SubgroupLtMask, ALL, BALLOT),
    row("gl_SubGroupSizeARB", "uint", Kind::In, Meaning::SubgroupSize, ALL, BALLOT_ARB),
    row("gl_SubGroupInvocationARB", "uint", Kind::In, Meaning::SubgroupInvocationId, ALL, BALLOT_ARB),
    row("gl_SubGroupEqMaskARB", "uint64_t", Kind::In, Meaning::SubgroupEqMask, ALL, BALLOT_ARB),
    row("gl_SubGroupGeMaskARB", "uint64_t", Kind::In, Meaning::SubgroupGeMask, ALL, BALLOT_ARB),
    row("gl_SubGroupGtMaskARB", "uint64_t", Kind::In, Meaning::SubgroupGtMask, ALL, BALLOT_ARB),
    row("gl_SubGroupLeMaskARB", "uint64_t", Kind::In, Meaning::SubgroupLeMask, ALL, BALLOT_ARB),
    row("gl_SubGroupLtMaskARB", "uint64_t", Kind::In, Meaning::SubgroupLtMask, ALL, BALLOT_ARB),
    row("gl_ViewID_OVR", "uint", Kind::In, Meaning::ViewId, ALL, VIEWS),
    row("gl_ViewIndex", "int", Kind::In, Meaning::ViewId, ALL, since_or(0, 0, &["GL_EXT_multiview"])),
    row(
        "gl_DeviceIndex",
        "int",
        Kind::In,
        Meaning::DeviceIndex,
        ALL,
        since_or(0, 0, &["GL_EXT_device_group"]),
    ),
    // State.
    row("gl_DepthRange", "gl_DepthRangeParameters", Kind::Uniform, Meaning::DepthRange, ALL, ALWAYS).opengl(),
    row(
        "gl_NumSamples",
        "int",
        Kind::Uniform,
        Meaning::NumSamples,
        &[F],
        since_or(420, 320, &["GL_OES_sample_variables", "GL_ARB_sample_shading"]),
    )
    .opengl(),
    row("gl_ModelViewMatrix", "mat4", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_ProjectionMatrix", "mat4", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_ModelViewProjectionMatrix", "mat4", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_TextureMatrix", "mat4[32]", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_NormalMatrix", "mat3", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_ModelViewMatrixInverse", "mat4", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_ProjectionMatrixInverse", "mat4", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_ModelViewProjectionMatrixInverse", "mat4", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_TextureMatrixInverse", "mat4[32]", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_ModelViewMatrixTranspose", "mat4", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_ProjectionMatrixTranspose", "mat4", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_ModelViewProjectionMatrixTranspose", "mat4", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_TextureMatrixTranspose", "mat4[32]", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_ModelViewMatrixInverseTranspose", "mat4", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_ProjectionMatrixInverseTranspose", "mat4", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_ModelViewProjectionMatrixInverseTranspose", "mat4", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_TextureMatrixInverseTranspose", "mat4[32]", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_NormalScale", "float", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_ClipPlane", "vec4[6]", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_Point", "gl_PointParameters", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_FrontMaterial", "gl_MaterialParameters", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_BackMaterial", "gl_MaterialParameters", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_LightSource", "gl_LightSourceParameters[32]", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_LightModel", "gl_LightModelParameters", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_FrontLightModelProduct", "gl_LightModelProducts", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_BackLightModelProduct", "gl_LightModelProducts", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_FrontLightProduct", "gl_LightProducts[32]", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_BackLightProduct", "gl_LightProducts[32]", Kind::Uniform, Meaning::State, ALL, OLD)
        .until(140, 0)
        .opengl(),
    row("gl_TextureEnvColor", "vec4[32]", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_EyePlaneS", "vec4[32]", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_EyePlaneT", "vec4[32]", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_EyePlaneR", "vec4[32]", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_EyePlaneQ", "vec4[32]", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_ObjectPlaneS", "vec4[32]", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_ObjectPlaneT", "vec4[32]", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_ObjectPlaneR", "vec4[32]", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_ObjectPlaneQ", "vec4[32]", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
    row("gl_Fog", "gl_FogParameters", Kind::Uniform, Meaning::State, ALL, OLD).until(140, 0).opengl(),
];

/// The structures of built-in variables: name, and members with their types.
pub static STRUCTURES: &[(&str, &[(&str, &str)])] = &[
    ("gl_DepthRangeParameters", &[("near", "float"), ("far", "float"), ("diff", "float")]),
    (
        "gl_PointParameters",
        &[
            ("size", "float"),
            ("sizeMin", "float"),
            ("sizeMax", "float"),
            ("fadeThresholdSize", "float"),
            ("distanceConstantAttenuation", "float"),
            ("distanceLinearAttenuation", "float"),
            ("distanceQuadraticAttenuation", "float"),
        ],
    ),
    (
        "gl_MaterialParameters",
        &[
            ("emission", "vec4"),
            ("ambient", "vec4"),
            ("diffuse", "vec4"),
            ("specular", "vec4"),
            ("shininess", "float"),
        ],
    ),
    (
        "gl_LightSourceParameters",
        &[
            ("ambient", "vec4"),
            ("diffuse", "vec4"),
            ("specular", "vec4"),
            ("position", "vec4"),
            ("halfVector", "vec4"),
            ("spotDirection", "vec3"),
            ("spotExponent", "float"),
            ("spotCutoff", "float"),
            ("spotCosCutoff", "float"),
            ("constantAttenuation", "float"),
            ("linearAttenuation", "float"),
            ("quadraticAttenuation", "float"),
        ],
    ),
    ("gl_LightModelParameters", &[("ambient", "vec4")]),
    ("gl_LightModelProducts", &[("sceneColor", "vec4")]),
    ("gl_LightProducts", &[("ambient", "vec4"), ("diffuse", "vec4"), ("specular", "vec4")]),
    (
        "gl_FogParameters",
        &[("color", "vec4"), ("density", "float"), ("start", "float"), ("end", "float"), ("scale", "float")],
    ),
];

/// The variable of a name in a language; or, where it has none, one of another.
pub fn variable(
    name: &str,
    language: &Language,
) -> Result<&'static VariableRow, Option<&'static VariableRow>> {
    let mut other = None;
    for row in VARIABLES.iter().filter(|row| row.name == name) {
        if row.is_in(language) {
            return Ok(row);
        }
        // One of the right stage says more of why it is not here.
        if other.is_none() || row.stages.contains(&language.stage) {
            other = Some(row);
        }
    }
    Err(other)
}
