//! All built-in functions, variables and constants of the language, as tables.

mod atomics;
mod constants;
mod lanes;
mod numbers;
mod operation;
mod row;
mod sparse;
mod textures;
mod variables;

pub use constants::{CONSTANTS, ConstantRow, constant};
pub use row::{Function, Parameter, Row, Signature, function, function_names, rows};
pub use variables::{Kind, PER_VERTEX, STRUCTURES, VARIABLES, VariableRow, variable};

pub use operation::{
    Atomic, Axis, Grain, Level, Memory, Offsets, Operation, Reduction, Role, Sample, Subgroup,
};

/// What a built-in variable stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Meaning {
    // What goes from stage to stage; members of `gl_PerVertex` as well.
    Position,
    PointSize,
    ClipDistance,
    CullDistance,
    ClipVertex,
    // Vertex.
    VertexId,
    InstanceId,
    /// Vulkan's `gl_VertexIndex`, which counts from the first vertex of the draw.
    VertexIndex,
    InstanceIndex,
    DrawId,
    BaseVertex,
    BaseInstance,
    // Tessellation and geometry.
    PatchVertices,
    PrimitiveId,
    InvocationId,
    TessLevelOuter,
    TessLevelInner,
    TessCoord,
    Layer,
    ViewportIndex,
    /// `gl_PrimitiveIDIn`
    PrimitiveIdIn,
    /// `gl_in`, an array of the block `gl_PerVertex`.
    In,
    /// `gl_out`
    Out,
    BoundingBox,
    // Fragment.
    FragCoord,
    FrontFacing,
    PointCoord,
    SampleId,
    SamplePosition,
    SampleMaskIn,
    SampleMask,
    HelperInvocation,
    FragDepth,
    FragColor,
    FragData,
    SecondaryFragColor,
    SecondaryFragData,
    FragStencilRef,
    /// `gl_LastFragData`
    LastFragData,
    LastFragColor,
    // Compute.
    NumWorkGroups,
    WorkGroupSize,
    WorkGroupId,
    LocalInvocationId,
    GlobalInvocationId,
    LocalInvocationIndex,
    // Subgroups.
    NumSubgroups,
    SubgroupId,
    SubgroupSize,
    SubgroupInvocationId,
    SubgroupEqMask,
    SubgroupGeMask,
    SubgroupGtMask,
    SubgroupLeMask,
    SubgroupLtMask,
    // Views.
    ViewId,
    DeviceIndex,
    // The fixed-function pipeline of the compatibility profile.
    Color,
    SecondaryColor,
    Normal,
    Vertex,
    /// `gl_MultiTexCoord0` to `7`, by number.
    MultiTexCoord(u8),
    FogCoord,
    FrontColor,
    BackColor,
    FrontSecondaryColor,
    BackSecondaryColor,
    TexCoord,
    FogFragCoord,
    /// State as a uniform: matrices, lights, materials, fog; the name says which.
    State,
    /// `gl_NumSamples`
    NumSamples,
    /// `gl_DepthRange`
    DepthRange,
}
