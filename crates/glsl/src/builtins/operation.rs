//! What built-in functions mean.

use crate::types::{Dimension, Opaque};

/// What a built-in function does. The types of its operands say the rest: `Abs` of an `ivec2` is one of whole numbers. Where nothing
/// else is said, operands are those of the function in the language, in their order, and vectors are worked on by component; a
/// function that takes a scalar beside vectors (`max(v, 0.0)`) keeps it a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Operation {
    // Angles.
    Radians,
    Degrees,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    /// `atan(y_over_x)`
    Atan,
    /// `atan(y, x)`
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    // Powers.
    Pow,
    Exp,
    Log,
    Exp2,
    Log2,
    Sqrt,
    InverseSqrt,
    // Numbers.
    Abs,
    Sign,
    Floor,
    Trunc,
    Round,
    RoundEven,
    Ceil,
    Fract,
    Mod,
    /// `modf(x, out whole)`
    Modf,
    Min,
    Max,
    Clamp,
    /// `mix` with a weight that is a float.
    Mix,
    /// `mix` with a truth: the second where it holds, the first elsewhere.
    MixBool,
    Step,
    SmoothStep,
    IsNan,
    IsInf,
    /// The same bits as another type: `floatBitsToInt`, `double2int64` and the like.
    Bitcast,
    Fma,
    /// `frexp(x, out exponent)`
    Frexp,
    Ldexp,
    Min3,
    Max3,
    Mid3,
    // Packed numbers. The first component is in the lowest bits.
    PackUnorm2x16,
    PackSnorm2x16,
    PackUnorm4x8,
    PackSnorm4x8,
    PackHalf2x16,
    UnpackUnorm2x16,
    UnpackSnorm2x16,
    UnpackUnorm4x8,
    UnpackSnorm4x8,
    UnpackHalf2x16,
    /// Bits of the components of a vector as one scalar (`packDouble2x32`, `packInt2x32`, `packFloat2x16`, `pack32`, ...).
    Pack,
    /// Bits of a scalar as the components of a vector.
    Unpack,
    // Vectors.
    Length,
    Distance,
    Dot,
    Cross,
    Normalize,
    FaceForward,
    Reflect,
    Refract,
    /// `ftransform()`
    Ftransform,
    // Matrices.
    MatrixComponentMultiply,
    OuterProduct,
    Transpose,
    Determinant,
    Inverse,
    // Comparisons by component.
    LessThan,
    LessThanEqual,
    GreaterThan,
    GreaterThanEqual,
    EqualTo,
    NotEqualTo,
    Any,
    All,
    Not,
    // Bits and carries.
    /// `uaddCarry(x, y, out carry)`
    AddCarry,
    /// `usubBorrow(x, y, out borrow)`
    SubtractBorrow,
    /// `umulExtended(x, y, out high, out low)`, `imulExtended`
    MultiplyExtended,
    BitfieldExtract,
    BitfieldInsert,
    BitfieldReverse,
    BitCount,
    FindLsb,
    FindMsb,
    // Textures and images.
    /// Everything that gives texels of a texture; [`Sample::argument`] says which argument is what.
    Sample(Sample),
    /// `textureSize(sampler [, lod])`
    TextureSize,
    /// `textureQueryLod(sampler, coordinate)`
    TextureQueryLod,
    /// `textureQueryLevels(sampler)`
    TextureQueryLevels,
    /// `textureSamples(sampler)`
    TextureSamples,
    /// `imageLoad(image, coordinate [, sample])`
    ImageLoad,
    /// `sparseImageLoadARB(image, coordinate [, sample], out texel)`: gives a code of residency.
    SparseImageLoad,
    /// `sparseTexelsResidentARB(code)`
    TexelsResident,
    /// `imageStore(image, coordinate [, sample], texel)`
    ImageStore,
    /// `imageSize(image)`
    ImageSize,
    /// `imageSamples(image)`
    ImageSamples,
    /// `imageAtomicAdd(image, coordinate [, sample], data)`; `CompareExchange` has the value compared with before the data.
    ImageAtomic(Atomic),
    /// `subpassLoad(subpass [, sample])`
    SubpassLoad,
    // Memory.
    /// `atomicAdd(inout memory, data)`; `CompareExchange` has the value compared with before the data.
    Atomic(Atomic),
    /// `atomicCounter(counter)`
    CounterLoad,
    /// `atomicCounterIncrement(counter)`: gives the value before.
    CounterIncrement,
    /// `atomicCounterDecrement(counter)`: gives the value after.
    CounterDecrement,
    /// `atomicCounterAdd(counter, data)` and its kin.
    Counter(Atomic),
    /// `barrier()`
    Barrier,
    /// `memoryBarrier()` and its kin.
    MemoryBarrier(Memory),
    // Fragments.
    /// `dFdx`, `dFdy`, `fwidth` with their forms.
    Derivative(Axis, Grain),
    InterpolateAtCentroid,
    InterpolateAtSample,
    InterpolateAtOffset,
    /// `noise1` to `noise4`, by the number of components of the result.
    Noise,
    // Geometry.
    EmitVertex,
    EndPrimitive,
    /// `EmitStreamVertex(stream)`
    EmitStreamVertex,
    /// `EndStreamPrimitive(stream)`
    EndStreamPrimitive,
    // Other lanes.
    /// Functions of subgroups; the operands are those of the function.
    Subgroup(Subgroup),
    /// `helperInvocationEXT()`
    HelperInvocation,
    /// `clockARB()`, `clockRealtimeEXT()` and their two-word forms.
    Clock,
}

/// What an atomic operation does with the old value and the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Atomic {
    Add,
    Subtract,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    CompareExchange,
    Load,
    Store,
}

/// What a memory barrier holds for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Memory {
    All,
    AtomicCounter,
    Buffer,
    Shared,
    Image,
    Group,
    /// `memoryBarrierTessellationControl...`; there is none in the language.
    Subgroup,
}

/// Of which derivative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// `dFdx`
    X,
    /// `dFdy`
    Y,
    /// `fwidth`: the sum of both without their signs.
    Width,
}

/// How exact a derivative is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Grain {
    /// As the implementation likes.
    Any,
    /// Of the own neighbours.
    Fine,
    /// One for all four of a quad.
    Coarse,
}

/// Which level of a texture is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Level {
    /// By the derivatives of the coordinate.
    Implicit,
    /// The same, with a number added to the level.
    Bias,
    /// A number that is given.
    Explicit,
    /// By derivatives that are given.
    Gradient,
}

/// How a function reads a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sample {
    /// Which level.
    pub level: Level,
    /// The last component of the coordinate divides the others, and the value to compare with.
    pub is_projected: bool,
    /// One texel by whole numbers (`texelFetch`), of the level that is given or the sample.
    pub is_fetch: bool,
    /// One component of four texels (`textureGather`).
    pub is_gather: bool,
    /// One offset for all, or four (`textureGatherOffsets`).
    pub offsets: Offsets,
    /// The level is at least a number that is given (`textureClampARB`).
    pub is_clamped: bool,
    /// Gives a code of residency and puts the texel into its last argument (`sparseTextureARB`); where there is a bias or a component
    /// of a gather, the texel comes before it.
    pub is_sparse: bool,
}

/// The offsets of a function that reads a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Offsets {
    /// None.
    None,
    /// One.
    One,
    /// Four, as an array.
    Four,
}

/// What an argument of a function that reads a texture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Role {
    Sampler,
    /// With layer, and with the value compared with or the divisor where it has room for them.
    Coordinate,
    /// The value compared with, where it is an argument of its own.
    Compare,
    /// Level of detail: `textureLod`, `texelFetch`.
    Lod,
    /// The sample of a multisampled texture.
    SampleIndex,
    GradientX,
    GradientY,
    Offset,
    Clamp,
    /// The texel that a sparse function gives.
    Texel,
    Bias,
    /// The component that is gathered.
    Component,
}

impl Sample {
    /// `texture(sampler, coordinate)`
    pub const PLAIN: Self = Self {
        level: Level::Implicit,
        is_projected: false,
        is_fetch: false,
        is_gather: false,
        offsets: Offsets::None,
        is_clamped: false,
        is_sparse: false,
    };

    /// Number of the argument that has a role, in a call with so many arguments for a texture of this kind; none where the call has
    /// no such argument.
    pub fn argument(&self, role: Role, texture: Opaque, count: usize) -> Option<usize> {
        let separate = texture.is_shadow
            && (self.is_gather || (texture.dimension == Dimension::Cube && texture.is_array));
        let has_sample = self.is_fetch && texture.is_multisampled;
        let has_lod = match self.is_fetch {
            true => !has_sample && !matches!(texture.dimension, Dimension::Rectangle | Dimension::Buffer),
            false => self.level == Level::Explicit,
        };
        let gradient = self.level == Level::Gradient;
        let present = [
            (Role::Sampler, true),
            (Role::Coordinate, true),
            (Role::Compare, separate),
            (Role::Lod, has_lod),
            (Role::SampleIndex, has_sample),
            (Role::GradientX, gradient),
            (Role::GradientY, gradient),
            (Role::Offset, self.offsets != Offsets::None),
            (Role::Clamp, self.is_clamped),
            (Role::Texel, self.is_sparse),
            (Role::Bias, self.level == Level::Bias),
            (Role::Component, self.is_gather && !texture.is_shadow),
        ];
        let at = present.iter().filter(|(_, is_there)| *is_there).position(|(other, _)| *other == role)?;
        (at < count).then_some(at)
    }
}

/// What a function of subgroups does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Subgroup {
    Barrier,
    MemoryBarrier(Memory),
    Elect,
    /// `subgroupAll`, `allInvocationsARB`
    All,
    /// `subgroupAny`, `anyInvocationARB`
    Any,
    /// `subgroupAllEqual`, `allInvocationsEqualARB`
    AllEqual,
    Broadcast,
    BroadcastFirst,
    /// To a `uvec4`; `ballotARB` gives a `uint64_t`.
    Ballot,
    InverseBallot,
    BallotBitExtract,
    BallotBitCount,
    BallotInclusiveBitCount,
    BallotExclusiveBitCount,
    BallotFindLsb,
    BallotFindMsb,
    Shuffle,
    ShuffleXor,
    ShuffleUp,
    ShuffleDown,
    Rotate,
    ClusteredRotate,
    Reduce(Reduction),
    InclusiveScan(Reduction),
    ExclusiveScan(Reduction),
    Clustered(Reduction),
    /// `subgroupPartitionNV`: which lanes have the same value.
    Partition,
    Partitioned(Reduction),
    PartitionedInclusiveScan(Reduction),
    PartitionedExclusiveScan(Reduction),
    QuadBroadcast,
    QuadSwapHorizontal,
    QuadSwapVertical,
    QuadSwapDiagonal,
}

/// How the values of several lanes become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Reduction {
    Add,
    Mul,
    Min,
    Max,
    And,
    Or,
    Xor,
}
