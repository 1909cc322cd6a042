//! Types and operations.
//!
//! An operation holds what is static (float rules, addresses); its operands are the instruction's `args`.
//! Each variant states `args -> results`. Unless it says otherwise an operation is pure.

use crate::{FunctionId, VarId};

/// Type of a value. A `B32` has no interpretation of its own: each operation says how it reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A truth value.
    Bool,
    /// 16 bits.
    B16,
    /// 32 bits.
    B32,
    /// 64 bits.
    B64,
}

/// Width of a float operation; the operands have the bit type of the same width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// binary16.
    F16,
    /// binary32.
    F32,
    /// binary64.
    F64,
}

impl Width {
    /// The bit type of this width.
    pub fn ty(self) -> Type {
        match self {
            Self::F16 => Type::B16,
            Self::F32 => Type::B32,
            Self::F64 => Type::B64,
        }
    }
}

/// Rounding to an integer or to a narrower float.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Round {
    /// To nearest, ties to even.
    Nearest,
    /// Towards zero.
    Zero,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
}

/// Rules that every float operation of a machine shares. Rounding of results is to nearest even unless
/// `round` says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FloatMode {
    /// Width of operands and result.
    pub width: Width,
    /// Denormal operands and results count as zero of the same sign.
    pub flush: bool,
    /// Rounding of the result.
    pub round: Round,
}

impl FloatMode {
    /// IEEE binary32, denormals kept, to nearest.
    pub const F32: Self = Self { width: Width::F32, flush: false, round: Round::Nearest };
}

/// What a multiply does with zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Multiply {
    /// IEEE: 0 * inf is NaN.
    Ieee,
    /// 0 * inf (either order, any signs) is +0; everything else, NaN and signed zeros included, is IEEE.
    /// PICA200 as emulators run it.
    InfTimesZero,
    /// 0 * anything, NaN included, is +0: the legacy multiply of Direct3D 9 class machines (Latte `MUL`).
    ZeroWins,
}

/// Which operand a minimum or maximum gives where the comparison does not decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MinMax {
    /// `a > b ? a : b` (for min `a < b ? a : b`): NaN and equal zeros give `b`.
    SecondUnlessOrdered,
    /// IEEE `maximumNumber`/`minimumNumber`: a NaN loses against a number, -0 < +0.
    Number,
}

/// Comparison of floats. All but `Ne` are false when an operand is NaN; `Ne` is true then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompareFloat {
    /// Equal.
    Eq,
    /// Not equal, or unordered.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

/// Comparison of integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompareInt {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Signed less.
    Slt,
    /// Signed less or equal.
    Sle,
    /// Unsigned less.
    Ult,
    /// Unsigned less or equal.
    Ule,
}

/// Address space of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Stage inputs. Read only.
    Input,
    /// Stage outputs.
    Output,
    /// Constant data set from outside. Read only.
    Uniform,
    /// Textures; only of globals, no load or store goes there. A unit is one word.
    Texture,
    /// A [`crate::LocalArray`] of the module; the binding is its index. Private to the invocation.
    Local,
    /// Memory shared by a work group.
    Shared,
    /// Storage buffers and global memory.
    Storage,
}

/// Where a load or store goes: 32-bit word `offset + index * stride` of `binding` in `space`.
///
/// Register machines number a register file word by word: component `k` of register `n` is word `4n + k`.
/// Reads outside what exists give 0, writes there vanish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    /// Address space.
    pub space: Space,
    /// Which buffer, register file or array of the space.
    pub binding: u32,
    /// Constant part of the address, in 32-bit words.
    pub offset: u32,
    /// Words per step of the dynamic index, which is then the first operand (read as a signed integer);
    /// 0: no dynamic index, no operand.
    pub stride: u32,
}

/// What a texture looks like to a fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextureShape {
    /// One coordinate.
    Line,
    /// Two coordinates.
    Plane,
    /// Three coordinates.
    Volume,
    /// Three coordinates: a direction.
    Cube,
    /// One coordinate and a layer.
    LineArray,
    /// Two coordinates and a layer.
    PlaneArray,
    /// A direction and a layer.
    CubeArray,
    /// Two coordinates that count texels; one level.
    Rectangle,
    /// An integer coordinate; a buffer of texels.
    Buffer,
    /// Two integer coordinates and a sample.
    PlaneSamples,
    /// Two integer coordinates, a layer, and a sample.
    PlaneSamplesArray,
}

impl TextureShape {
    /// Coordinates of a fetch, the layer included; the number of a sample is an operand of its own.
    pub fn coordinates(self) -> usize {
        match self {
            Self::Line | Self::Buffer => 1,
            Self::Plane | Self::LineArray | Self::Rectangle | Self::PlaneSamples => 2,
            Self::Volume | Self::Cube | Self::PlaneArray | Self::PlaneSamplesArray => 3,
            Self::CubeArray => 4,
        }
    }

    /// Coordinates that an offset in texels, a gradient or a size has: all but the layer; a cube has two in a
    /// size and three in a gradient, and no offset.
    pub fn axes(self) -> usize {
        match self {
            Self::Line | Self::LineArray | Self::Buffer => 1,
            Self::Plane
            | Self::PlaneArray
            | Self::Rectangle
            | Self::PlaneSamples
            | Self::PlaneSamplesArray => 2,
            Self::Volume | Self::Cube | Self::CubeArray => 3,
        }
    }

    /// Whether the last coordinate is a layer.
    pub fn is_array(self) -> bool {
        matches!(self, Self::LineArray | Self::PlaneArray | Self::CubeArray | Self::PlaneSamplesArray)
    }

    /// Whether texels have several samples.
    pub fn has_samples(self) -> bool {
        matches!(self, Self::PlaneSamples | Self::PlaneSamplesArray)
    }
}

/// What is asked of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextureQuery {
    /// The filtered colour at float coordinates; a layer is rounded to nearest.
    Sample,
    /// The texel at integer coordinates, unfiltered. [`TextureLevel::Given`] is an integer level; with
    /// samples the last operand is the sample.
    Texel,
    /// One component of the four texels that a filter would mix, in GLSL's order: (0, 1), (1, 1), (1, 0), (0, 0).
    Gather(u8),
    /// Integer size of the level that [`TextureLevel::Given`] names (others: level 0), in texels: one for each
    /// axis (a cube has two), then the layers (of an array of cubes: cubes), then 0; as fourth the number of
    /// levels, 1 where a shape has no more. No coordinates.
    Size,
    /// Level of detail that a sample would take: clamped to the levels there are, as computed, 0, 0. The
    /// coordinates are those of a sample without the layer.
    Level,
    /// Number of samples of a texel, 0, 0, 0. No coordinates.
    Samples,
}

/// Where a fetch takes its level of detail from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextureLevel {
    /// From the quad.
    Quad,
    /// From the quad, plus the last operand.
    Bias,
    /// From the last operand.
    Given,
    /// From gradients, the last operands: how each axis changes to the right, then upwards.
    Gradients,
}

/// A texture fetch: its static part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Texture {
    /// Which texture: its global has this as its offset in [`Space::Texture`].
    pub unit: u32,
    /// The first operand, a signed integer, is added to the unit.
    pub indexed: bool,
    /// Its shape.
    pub shape: TextureShape,
    /// What is asked.
    pub query: TextureQuery,
    /// Compares with a reference, the operand behind the coordinates: results are 1.0 or 0.0, filtered.
    pub shadow: bool,
    /// Its level.
    pub level: TextureLevel,
    /// Added to the coordinates, in texels.
    pub offset: [i8; 3],
}

impl Texture {
    /// A sample without comparison and offset.
    pub fn sample(unit: u32, shape: TextureShape, level: TextureLevel) -> Self {
        Self {
            unit,
            indexed: false,
            shape,
            query: TextureQuery::Sample,
            shadow: false,
            level,
            offset: [0; 3],
        }
    }

    /// Coordinates among its operands.
    pub fn coordinates(self) -> usize {
        match self.query {
            TextureQuery::Size | TextureQuery::Samples => 0,
            TextureQuery::Level => self.shape.axes(),
            TextureQuery::Sample | TextureQuery::Texel | TextureQuery::Gather(_) => self.shape.coordinates(),
        }
    }

    /// Operands behind coordinates and reference: level, bias, gradients, the number of a sample.
    pub fn level_operands(self) -> usize {
        match self.level {
            _ if self.has_sample_operand() => 1,
            TextureLevel::Quad => 0,
            TextureLevel::Bias | TextureLevel::Given => 1,
            TextureLevel::Gradients => 2 * self.shape.axes(),
        }
    }

    /// Whether the last operand is the number of a sample.
    pub fn has_sample_operand(self) -> bool {
        self.query == TextureQuery::Texel && self.shape.has_samples()
    }

    /// Operands of the fetch: `[index] coordinates.. [reference] [level..]`.
    pub fn operands(self) -> usize {
        usize::from(self.indexed) + self.coordinates() + usize::from(self.shadow) + self.level_operands()
    }

    /// Components of the answer that say something, from the first on. Sizes have the number of levels as fourth
    /// besides; all components of a comparison that is sampled are one.
    pub fn answer(self) -> u8 {
        let layers = u8::from(self.shape.is_array());
        match self.query {
            TextureQuery::Size => match self.shape {
                TextureShape::Cube | TextureShape::CubeArray => 2 + layers,
                shape => shape.axes() as u8 + layers,
            },
            TextureQuery::Level => 2,
            TextureQuery::Samples => 1,
            TextureQuery::Sample if self.shadow => 1,
            TextureQuery::Sample | TextureQuery::Texel | TextureQuery::Gather(_) => 4,
        }
    }

    /// Whether coordinates, and the level that is given, are integers.
    pub fn is_integer(self) -> bool {
        matches!(self.query, TextureQuery::Texel | TextureQuery::Size)
    }
}

/// Direction in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// To the right.
    X,
    /// Upwards, as OpenGL counts.
    Y,
}

/// A pixel of the 2x2 quad, seen from one of its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QuadSide {
    /// The left pixel of the same row.
    Left,
    /// The right pixel of the same row.
    Right,
    /// The lower pixel of the same column.
    Lower,
    /// The upper pixel of the same column.
    Upper,
}

/// An operation with its static parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    // ---- constants and variables
    /// `-> bool`.
    Bool(bool),
    /// `-> b16`.
    B16(u16),
    /// `-> b32`.
    B32(u32),
    /// `-> b64`.
    B64(u64),
    /// `-> T`. Reads a module variable; only before [`crate::ssa`]. Ordered.
    ReadVar(VarId),
    /// `T ->`. Writes a module variable; only before [`crate::ssa`]. Ordered.
    WriteVar(VarId),

    // ---- floats: operands and result of the mode's width
    /// `a b -> a + b`.
    FAdd(FloatMode),
    /// `a b -> a * b`.
    FMul(FloatMode, Multiply),
    /// `a b c -> a * b + c`, rounded once.
    FFma(FloatMode, Multiply),
    /// `a b -> a / b`, correctly rounded.
    FDiv(FloatMode),
    /// `a -> -a`: flips the sign bit, of NaN too.
    FNeg(Width),
    /// `a -> |a|`: clears the sign bit.
    FAbs(Width),
    /// `a b -> min`.
    FMin(FloatMode, MinMax),
    /// `a b -> max`.
    FMax(FloatMode, MinMax),
    /// `a -> a` rounded to an integral value.
    FRound(FloatMode, Round),
    /// `a -> clamp(a, 0, 1)`; NaN gives 0.
    FSaturate(FloatMode),
    /// `a -> 1 / a`, correctly rounded.
    FRcp(FloatMode),
    /// `a -> 1 / sqrt(a)`: two correctly rounded steps. Negative gives NaN, zeros give inf of their sign.
    FRsq(FloatMode),
    /// `a -> sqrt(a)`.
    FSqrt(FloatMode),
    /// `a -> 2^a`, within 1 ulp ([`crate::math::exp2`]).
    FExp2(FloatMode),
    /// `a -> log2(a)`, within 1 ulp ([`crate::math::log2`]).
    FLog2(FloatMode),
    /// `a -> sin(a)`, radians.
    FSin(FloatMode),
    /// `a -> cos(a)`, radians.
    FCos(FloatMode),
    /// `a -> atan(a)`, radians.
    FAtan(FloatMode),
    /// `y x -> atan(y, x)`, radians, all four quadrants.
    FAtan2(FloatMode),
    /// `a b -> bool`.
    FCompare(CompareFloat, FloatMode),
    /// `a -> bool`: is it NaN.
    FIsNan(Width),

    // ---- integers, two's complement, wrapping; b32 or b64 alike, result of the operands' type
    /// `a b -> a + b`.
    IAdd,
    /// `a b -> a - b`.
    ISub,
    /// `a b -> a * b`, low half.
    IMul,
    /// `a -> -a`.
    INeg,
    /// `a b -> bool`.
    ICompare(CompareInt),
    /// `a b -> a & b`; bool too.
    And,
    /// `a b -> a | b`; bool too.
    Or,
    /// `a b -> a ^ b`; bool too.
    Xor,
    /// `a -> !a`; bool too.
    Not,
    /// `a n -> a << n`; 0 for n >= width (n unsigned).
    Shl,
    /// `a n -> a >> n`, zeros in; 0 for n >= width.
    ShrU,
    /// `a n -> a >> n`, sign in; all sign for n >= width.
    ShrS,
    /// `a b -> min`, signed.
    SMin,
    /// `a b -> max`, signed.
    SMax,
    /// `a b -> min`, unsigned.
    UMin,
    /// `a b -> max`, unsigned.
    UMax,
    /// `a b -> a * b`, high half, signed.
    SMulHigh,
    /// `a b -> a * b`, high half, unsigned.
    UMulHigh,
    /// `a b -> a / b`, towards zero; 0 divides to 0, the smallest by -1 to itself.
    SDiv,
    /// `a b -> a / b`; 0 divides to all ones.
    UDiv,
    /// `a b -> a - a / b * b`, signed; by 0 gives a.
    SRem,
    /// `a b -> a - a / b * b`, unsigned; by 0 gives a.
    URem,

    // ---- conversions
    /// `float -> b32`: signed integer, rounded as said, saturated; NaN gives 0.
    FToS(Width, Round),
    /// `float -> b32`: unsigned integer, rounded as said, saturated; NaN gives 0.
    FToU(Width, Round),
    /// `b32 -> float`, from signed.
    SToF(FloatMode),
    /// `b32 -> float`, from unsigned.
    UToF(FloatMode),
    /// `bool -> b32`: 0 or 1.
    BToI,
    /// `bool a b -> bool ? a : b`. Any type.
    Select,

    // ---- memory and interface
    /// `[index] -> b32`. Ordered against stores to the same space.
    Load(Access),
    /// `[index] value ->`. Effect.
    Store(Access),

    // ---- textures, and the other pixels of the 2x2 quad
    /// `[index] coordinates.. [reference] [level..] -> r g b a`: asks a texture. Without a level of its own
    /// the level comes from how the coordinates differ in the quad.
    Texture(Texture),
    /// `a -> b32`: what `a` is in that pixel of the quad. Every pixel must come here with the same history.
    QuadRead(QuadSide),
    /// `a -> `: how a float grows along the axis: its value in the right (upper) pixel of the quad's row
    /// (column) minus that in the left (lower) one.
    Derivative(Axis, FloatMode),

    // ---- effects
    /// `params... -> results...`: calls a function of the module. Ordered.
    Call(FunctionId),
    /// `->`: emits the outputs as a vertex of the stream (geometry). Effect.
    EmitVertex(u32),
    /// `->`: ends the primitive of the stream (geometry). Effect.
    EndPrimitive(u32),

    // ---- compounds of readable mode: made by idiom passes, within 4 ulp of what they replace
    /// `a0.. b0.. -> a . b` over n lanes: 2n operands.
    Dot(u8),
    /// `a b -> a^b`.
    Pow,
    /// `a lo hi -> clamp`.
    Clamp,
    /// `a b t -> a + (b - a) * t`.
    Mix,
    /// `a -> a - floor(a)`.
    Fract,
    /// `a0.. -> n0..`: the vector of n lanes scaled to length 1. n results.
    Normalize(u8),
    /// `a0.. -> length`.
    Length(u8),
}

/// What an operation may do beside computing its results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Nothing: may be removed, repeated and moved.
    Pure,
    /// Nothing, but the other pixels of the quad have to come here too: may be removed, and moved inside of
    /// its block; never into or out of what happens under a condition.
    Quad,
    /// Reads state that some effect changes: may be removed, not moved across that effect.
    Reads,
    /// Changes state: stays, in its order.
    Writes,
}

impl Op {
    /// Effect of the operation. Loads of inputs and uniforms are pure, since nothing changes those.
    pub fn effect(&self) -> Effect {
        match self {
            Self::Load(access) => match access.space {
                Space::Input | Space::Uniform => Effect::Pure,
                _ => Effect::Reads,
            },
            Self::ReadVar(_) => Effect::Reads,
            Self::Texture(Texture { query: TextureQuery::Size | TextureQuery::Samples, .. }) => Effect::Pure,
            Self::Texture(_) | Self::QuadRead(_) | Self::Derivative(..) => Effect::Quad,
            Self::WriteVar(_)
            | Self::Store(_)
            | Self::Call(_)
            | Self::EmitVertex(_)
            | Self::EndPrimitive(_) => Effect::Writes,
            _ => Effect::Pure,
        }
    }

    /// The float rules that it follows; `None` where there are none.
    pub fn float_mode(&self) -> Option<FloatMode> {
        let mut op = *self;
        op.float_mode_mut().copied()
    }

    /// The same, to be changed.
    pub fn float_mode_mut(&mut self) -> Option<&mut FloatMode> {
        match self {
            Self::FAdd(mode)
            | Self::FMul(mode, _)
            | Self::FFma(mode, _)
            | Self::FDiv(mode)
            | Self::FMin(mode, _)
            | Self::FMax(mode, _)
            | Self::FRound(mode, _)
            | Self::FSaturate(mode)
            | Self::FRcp(mode)
            | Self::FRsq(mode)
            | Self::FSqrt(mode)
            | Self::FExp2(mode)
            | Self::FLog2(mode)
            | Self::FSin(mode)
            | Self::FCos(mode)
            | Self::FAtan(mode)
            | Self::FAtan2(mode)
            | Self::FCompare(_, mode)
            | Self::SToF(mode)
            | Self::UToF(mode)
            | Self::Derivative(_, mode) => Some(mode),
            _ => None,
        }
    }
}
