//! Inputs and outputs that the pipeline makes or reads, beside those with rules of their own in
//! [`crate::interface`].

use unshade_ir::ast::Scalar;
use unshade_ir::{Global, Shape, Space};
use unshade_stage::StageKind::{self, Compute, Fragment, Geometry, TessControl, TessEval, Vertex};

/// One of them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct System {
    pub space: Space,
    /// [`Global::semantic`].
    pub semantic: &'static str,
    pub kinds: &'static [StageKind],
    /// The name in GLSL.
    pub glsl: &'static str,
    pub scalar: Scalar,
    pub components: u8,
    /// It is an array of single components.
    pub array: bool,
    /// Extension of GLSL 4.50 that it needs; empty: none.
    pub extension: &'static str,
}

const fn number(semantic: &'static str, kinds: &'static [StageKind], glsl: &'static str) -> System {
    let (space, scalar) = (Space::Input, Scalar::Int);
    System { space, semantic, kinds, glsl, scalar, components: 1, array: false, extension: "" }
}

const fn counted(semantic: &'static str, glsl: &'static str, components: u8) -> System {
    System { scalar: Scalar::Uint, components, ..number(semantic, &[Compute], glsl) }
}

const fn levels(space: Space, semantic: &'static str, glsl: &'static str) -> System {
    let kinds: &[StageKind] = match space {
        Space::Output => &[TessControl],
        _ => &[TessEval],
    };
    System { space, scalar: Scalar::Float, array: true, ..number(semantic, kinds, glsl) }
}

const DRAW: &str = "GL_ARB_shader_draw_parameters";

/// All of them.
static SYSTEMS: [System; 26] = [
    System { extension: DRAW, ..number("base-vertex", &[Vertex], "gl_BaseVertexARB") },
    System { extension: DRAW, ..number("base-instance", &[Vertex], "gl_BaseInstanceARB") },
    System { extension: DRAW, ..number("draw-id", &[Vertex], "gl_DrawIDARB") },
    number("invocation-id", &[TessControl, Geometry], "gl_InvocationID"),
    number("patch-vertices", &[TessControl, TessEval], "gl_PatchVerticesIn"),
    number("primitive-id", &[TessControl, TessEval], "gl_PrimitiveID"),
    System { scalar: Scalar::Float, components: 3, ..number("tess-coord", &[TessEval], "gl_TessCoord") },
    levels(Space::Input, "tess-level-outer", "gl_TessLevelOuter"),
    levels(Space::Input, "tess-level-inner", "gl_TessLevelInner"),
    levels(Space::Output, "tess-level-outer", "gl_TessLevelOuter"),
    levels(Space::Output, "tess-level-inner", "gl_TessLevelInner"),
    number("layer", &[Fragment], "gl_Layer"),
    number("viewport", &[Fragment], "gl_ViewportIndex"),
    number("sample-id", &[Fragment], "gl_SampleID"),
    System {
        scalar: Scalar::Float,
        components: 2,
        ..number("sample-position", &[Fragment], "gl_SamplePosition")
    },
    number("sample-mask-in", &[Fragment], "gl_SampleMaskIn[0]"),
    System { scalar: Scalar::Bool, ..number("helper-invocation", &[Fragment], "gl_HelperInvocation") },
    System { scalar: Scalar::Float, array: true, ..number("clip-distance", &[Fragment], "gl_ClipDistance") },
    counted("workgroup-id", "gl_WorkGroupID", 3),
    counted("workgroup-count", "gl_NumWorkGroups", 3),
    counted("local-id", "gl_LocalInvocationID", 3),
    counted("global-id", "gl_GlobalInvocationID", 3),
    counted("local-index", "gl_LocalInvocationIndex", 1),
    System { space: Space::Output, ..number("sample-mask", &[Fragment], "gl_SampleMask[0]") },
    System { space: Space::Output, ..number("primitive-id", &[Geometry], "gl_PrimitiveID") },
    System {
        scalar: Scalar::Uint,
        extension: "GL_KHR_shader_subgroup_basic",
        ..number(
            "lane-id",
            &[Vertex, TessControl, TessEval, Geometry, Fragment, Compute],
            "gl_SubgroupInvocationID",
        )
    },
];

/// The one that a global is.
pub(crate) fn find(global: &Global, kind: StageKind) -> Option<&'static System> {
    let semantic = global.semantic.as_deref()?;
    let (scalar, components, elements) = match global.shape {
        Shape::Float { components, elements } => (Scalar::Float, components, elements),
        Shape::Int { components, elements } => (Scalar::Int, components, elements),
        Shape::Uint { components, elements } => (Scalar::Uint, components, elements),
        Shape::Bool { components, elements } => (Scalar::Bool, components, elements),
        _ => return None,
    };
    SYSTEMS.iter().find(|system| {
        (system.space, system.semantic, system.scalar) == (global.space, semantic, scalar)
            && system.kinds.contains(&kind)
            && components <= system.components
            && system.array == (elements > 0)
            && global.vertices == 0
    })
}
