//! Types and operations.
//!
//! An operation holds what is static (float rules, addresses); its operands are the instruction's `args`.
//! Each variant states `args -> results`. Unless it says otherwise an operation is pure.

use crate::{
    Access, AtomicOp, Barrier, BufferLength, FunctionId, Image, ImageQuery, InputPlace, Space, Texture,
    TextureQuery, VarId, Vote,
};

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

impl CompareFloat {
    /// The same comparison with its operands the other way round, which is also that of their opposites: `a < b` is
    /// `b > a` and `-a > -b`.
    pub fn turned(self) -> Self {
        match self {
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
            same @ (Self::Eq | Self::Ne) => same,
        }
    }
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

    // ---- bits of a b32
    /// `a -> n`: how many bits are 1.
    BitCount,
    /// `a -> a`: the bits in reverse order.
    BitReverse,
    /// `a -> n`: number of the highest bit that is 1; -1 where none is.
    UFindMsb,
    /// `a -> n`: number of the highest bit that differs from the sign; -1 where none does.
    SFindMsb,
    /// `a -> n`: number of the lowest bit that is 1; -1 where none is.
    FindLsb,
    /// `a offset count -> a`: so many bits from a number on, zeros above. Bits past the last one are 0.
    UBitExtract,
    /// `a offset count -> a`: the same with the highest of these bits above; bits past the last one are the sign.
    /// No bits give 0.
    SBitExtract,
    /// `a b offset count -> a`: `a` with so many of its bits, from a number on, those that `b` has lowest. Bits past
    /// the last one are dropped.
    BitInsert,

    // ---- conversions
    /// `float -> float`: a float of that width as one of the mode's width, rounded; a NaN stays one. A float of
    /// 16 bits is a `b16`. Flushing is of operand and result.
    FConvert(Width, FloatMode),
    /// `b64 -> b32`, `b32 -> b16`: the low half of the bits.
    Low,
    /// `b64 -> b32`, `b32 -> b16`: the high half of the bits.
    High,
    /// `low high -> b64` of two b32, `-> b32` of two b16.
    Join,
    /// `float -> b64`: signed integer, rounded as said, saturated; NaN gives 0.
    FToS64(Width, Round),
    /// `float -> b64`: unsigned integer, rounded as said, saturated; NaN gives 0.
    FToU64(Width, Round),
    /// `float -> b32`: signed integer, rounded as said, saturated; NaN gives 0.
    FToS(Width, Round),
    /// `float -> b32`: unsigned integer, rounded as said, saturated; NaN gives 0.
    FToU(Width, Round),
    /// `b32 -> float` or `b64 -> float`, from signed, rounded.
    SToF(FloatMode),
    /// `b32 -> float` or `b64 -> float`, from unsigned, rounded.
    UToF(FloatMode),
    /// `bool -> b32`: 0 or 1.
    BToI,
    /// `bool a b -> bool ? a : b`. Any type.
    Select,

    // ---- memory and interface
    /// `[address] -> b32`. Ordered against stores to the same space.
    Load(Access),
    /// `[address] value ->`. Effect.
    Store(Access),
    /// `[address] a -> old` ([`AtomicOp::CompareExchange`]: `[address] compare a -> old`): changes a word of
    /// [`Space::Shared`], [`Space::Storage`] or [`Space::Global`] at once. Effect.
    Atomic(AtomicOp, Access),
    /// `-> b32`: whole elements of a storage buffer; none where it ends before they start. Sizes are below 2^31.
    BufferLength(BufferLength),
    /// `[index] [place..] -> b32`: an input of a fragment program, taken at another place of the pixel.
    Interpolate(InputPlace, Access),
    /// `[index] coordinates.. [sample] values.. -> ...`: an image. Loads are ordered against stores; stores and
    /// atomic operations are effects.
    Image(Image),

    // ---- textures, and the other pixels of the 2x2 quad
    /// `[index] coordinates.. [reference] [level..] -> r g b a`: asks a texture. Without a level of its own
    /// the level comes from how the coordinates differ in the quad.
    Texture(Texture),
    /// `a -> b32`: what `a` is in that pixel of the quad. Every pixel must come here with the same history.
    QuadRead(QuadSide),
    /// `a -> `: how a float grows along the axis: its value in the right (upper) pixel of the quad's row
    /// (column) minus that in the left (lower) one.
    Derivative(Axis, FloatMode),

    // ---- the other invocations that run in step with this one; every one must come here with the same history
    /// `bool -> bool`: asks all of them.
    Vote(Vote),
    /// `bool -> b32`: bit `n` says what it is in lane `n`.
    Ballot,
    /// `a lane -> b32`: what `a` is in that lane; lanes that are not there give `a` itself.
    Shuffle,

    // ---- effects
    /// `->`: waits. Effect.
    Barrier(Barrier),
    /// `->`: the pixel is dropped, but the invocation goes on, for what others of its quad need of it: from here on
    /// its stores to buffers and images and its atomic operations do nothing, and those give 0. The run ends as a
    /// discarded one. Effect.
    Demote,
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
    /// `a0 a1 a2 b0 b1 b2 -> c0 c1 c2`: the cross product.
    Cross,
    /// `i0.. n0.. eta -> r0..`: what comes in along a vector of n lanes, two or three, refracted at a normal; zero where
    /// all of it is reflected. n results.
    Refract(u8),
    /// `c0.. v0.. -> r0..`: the inverse of a matrix of n rows and columns, two to four, times a vector. The matrix column by
    /// column, then the vector. n results.
    InverseTimes(u8),
    /// The same with the vector in front: `v * inverse(c)`, which is the transposed inverse times the vector.
    TimesInverse(u8),
    /// A function of the source languages, lane by lane.
    Compound(Compound),
    /// `a -> n`: the power of two that belongs to [`Compound::Significand`], an integer; of zeros, infinities and NaN 0.
    Exponent,
    /// `a0.. -> b32`: floats from 0 (-1 with a sign) to 1 as fields of a word, the first one lowest.
    PackNorm(Norm),
    /// `b32 -> a`: such a field as a float, by its number.
    UnpackNorm(Norm, u8),
}

/// Floats between 0, or -1, and 1 as integers of a few bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Norm {
    /// From -1, in two's complement.
    pub signed: bool,
    /// 16 instead of 8 bits.
    pub wide: bool,
}

impl Norm {
    /// Bits of a field.
    pub fn bits(self) -> u32 {
        if self.wide { 16 } else { 8 }
    }

    /// Fields of a word.
    pub fn fields(self) -> usize {
        if self.wide { 2 } else { 4 }
    }

    /// What 1 is as an integer.
    pub fn scale(self) -> f32 {
        match (self.signed, self.wide) {
            (false, false) => 255.0,
            (false, true) => 65535.0,
            (true, false) => 127.0,
            (true, true) => 32767.0,
        }
    }
}

/// Functions of the source languages that machines have to spell out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Compound {
    /// `a -> e^a`.
    Exp,
    /// `a -> ln(a)`.
    Log,
    /// `a b -> a - b * floor(a / b)`.
    Modulo,
    /// `a -> -1, 0 or 1`.
    Sign,
    /// `edge a -> a < edge ? 0 : 1`.
    Step,
    /// `low high a -> t * t * (3 - 2 * t)` of `t = clamp((a - low) / (high - low), 0, 1)`.
    Smoothstep,
    /// `a -> tan(a)`: the sine over the cosine.
    Tan,
    /// `a -> asin(a)`, by a polynomial that is within 1e-3 of it ([`crate::math::asin`]).
    Asin,
    /// `a -> acos(a)`, the same way.
    Acos,
    /// `a -> atan(a)`, by a polynomial that is within 1e-4 of it ([`crate::math::atan`]).
    Atan,
    /// `y x -> atan(y, x)`, all four quadrants, by the same polynomial.
    Atan2,
    /// `a -> (e^a - e^-a) / 2`.
    Sinh,
    /// `a -> (e^a + e^-a) / 2`.
    Cosh,
    /// `a -> (e^2a - 1) / (e^2a + 1)`.
    Tanh,
    /// `a -> ln(a + sqrt(a * a + 1))`.
    Asinh,
    /// `a -> ln(a + sqrt(a * a - 1))`.
    Acosh,
    /// `a -> ln((1 + a) / (1 - a)) / 2`.
    Atanh,
    /// `a -> s`: what `a` is without its power of two, of an amount from 0.5 up to 1: `a = s * 2^n`; zeros stay. The
    /// power is [`Op::Exponent`].
    Significand,
}

impl Compound {
    /// How many operands it takes.
    pub fn operands(self) -> usize {
        match self {
            Self::Modulo | Self::Step | Self::Atan2 => 2,
            Self::Smoothstep => 3,
            _ => 1,
        }
    }

    /// Its name in print.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exp => "exp",
            Self::Log => "log",
            Self::Modulo => "mod",
            Self::Sign => "sign",
            Self::Step => "step",
            Self::Smoothstep => "smoothstep",
            Self::Tan => "tan",
            Self::Asin => "asin",
            Self::Acos => "acos",
            Self::Atan => "atan",
            Self::Atan2 => "atan2",
            Self::Sinh => "sinh",
            Self::Cosh => "cosh",
            Self::Tanh => "tanh",
            Self::Asinh => "asinh",
            Self::Acosh => "acosh",
            Self::Atanh => "atanh",
            Self::Significand => "significand",
        }
    }
}

/// What an operation may do beside computing its results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Nothing: may be removed, repeated and moved.
    Pure,
    /// Nothing, but the other pixels of the quad, or all invocations in step, have to come here too: may be removed, and moved inside of
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
            Self::Image(image) => match image.query {
                ImageQuery::Size => Effect::Pure,
                ImageQuery::Load => Effect::Reads,
                ImageQuery::Store | ImageQuery::Atomic(_) => Effect::Writes,
            },
            Self::Texture(Texture { query: TextureQuery::Size | TextureQuery::Samples, .. }) => Effect::Pure,
            Self::Texture(_)
            | Self::QuadRead(_)
            | Self::Derivative(..)
            | Self::Vote(_)
            | Self::Ballot
            | Self::Shuffle => Effect::Quad,
            Self::WriteVar(_)
            | Self::Store(_)
            | Self::Atomic(..)
            | Self::Barrier(_)
            | Self::Demote
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
            | Self::FConvert(_, mode)
            | Self::Derivative(_, mode) => Some(mode),
            _ => None,
        }
    }
}
