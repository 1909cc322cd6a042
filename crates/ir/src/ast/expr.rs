//! Expressions of the source tree.

use super::{GlobalRef, Link, LocalRef, Type};
use crate::{Image, InputPlace, Norm, Round, Texture};

/// An expression with its type.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// Type.
    pub ty: Type,
    /// Which machine instructions it comes from.
    pub link: Link,
    /// What it is.
    pub kind: ExprKind,
}

impl Expr {
    /// An expression that no machine instruction is known to stand behind.
    pub fn new(ty: Type, kind: ExprKind) -> Self {
        Self { ty, link: Link::NONE, kind }
    }

    /// The same with the machine instructions behind another, where those of this one are not known.
    pub fn linked(mut self, link: Link) -> Self {
        if self.link.is_none() {
            self.link = link;
        }
        self
    }
}

/// What an expression is. Vector operations work lane by lane unless they say otherwise.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A literal: bits of each component (bool: 0 or 1), zeros above those of its kind.
    Literal(Vec<u64>),
    /// A local.
    Local(LocalRef),
    /// An input, uniform or output, whole, or one element of an array or one row of a matrix.
    Global(GlobalRef, Option<Box<Expr>>),
    /// A word of a private array, raw bits.
    Array(u32, Box<Expr>),
    /// An element of [`super::Program::memories`].
    Word(u32, Box<Expr>),
    /// Components of a vector, 1-4 of them, each 0-3.
    Swizzle(Box<Expr>, Vec<u8>),
    /// A vector from parts whose components add up. One part of one component: that one repeated.
    Construct(Vec<Expr>),
    /// One operand.
    Unary(Unary, Box<Expr>),
    /// Two operands of one type; the float operators + - * / also take a scalar with a vector.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `condition ? a : b`, condition a single bool.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A function of the target languages.
    Builtin(Builtin, Vec<Expr>),
    /// A function with the machine's exact rule, printed as a helper function.
    Helper(Helper, Vec<Expr>),
    /// Rows of a matrix global (first row, count; row i is register i of the global) each dotted with the
    /// vector: as many components as rows. The vector has 3 or 4 components; with 3 the rows are cut.
    MatrixVector(GlobalRef, u8, u8, Box<Expr>),
    /// A column of a matrix that is declared by columns ([`crate::Shape::Matrix`]): the matrix, which of an
    /// array of them, the column.
    Column(GlobalRef, Option<Box<Expr>>, Box<Expr>),
    /// A product with a matrix that is declared by columns.
    Product(Box<Product>),
    /// Elements of a storage buffer's last part, an array as long as the buffer: an int.
    Elements(u32),
    /// A texture fetch: red, green, blue, alpha.
    Texture(Box<Fetch>),
    /// A load from an image or its size. Operands as in [`super::Action::Image`]. Four components, of ints for sizes.
    Image(GlobalRef, Image, Vec<Expr>),
    /// An input of a fragment program at another place of the pixel. Operands: the element of an array, if it is
    /// one; the number of the sample, or a vector of two floats.
    Interpolate(InputPlace, GlobalRef, Vec<Expr>),
    /// Value conversion to the type's scalar kind (int(x), float(n), vec4(bvec4)); float to integer
    /// truncates, a bool becomes 0 or 1.
    Convert(Box<Expr>),
    /// The same bits read as another kind.
    Bitcast(Box<Expr>),
}

/// A vector and a matrix that is declared by columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Product {
    /// The matrix.
    pub matrix: GlobalRef,
    /// Which of an array of matrices.
    pub element: Option<Expr>,
    /// The vector, of 2-4 components.
    pub vector: Expr,
    /// `vector * matrix`: the vector dotted with each of the first columns, as many as the result has
    /// components, the columns cut to the vector. Else `matrix * vector`: each of the first columns, as many as
    /// the vector has components, times a component of the vector, added up; the columns cut to the result.
    pub vector_first: bool,
}

/// A question to a texture. Its type has four components, of ints for sizes, else of what the texels are; a
/// comparison that is sampled and the level of detail have floats.
#[derive(Debug, Clone, PartialEq)]
pub struct Fetch {
    /// The sampler.
    pub sampler: GlobalRef,
    /// Which of an array of samplers.
    pub element: Option<Expr>,
    /// What is asked. Its unit is that of the sampler, the number of the element aside.
    pub texture: Texture,
    /// A vector of as many components as [`Texture::coordinates`] says: floats, or ints where
    /// [`Texture::is_integer`]. None if there are none.
    pub coordinates: Option<Expr>,
    /// What a comparison compares with.
    pub reference: Option<Expr>,
    /// What the level takes, as [`Texture::level_operands`] says: a bias, a level or the number of a sample, one
    /// expression; two vectors of gradients; or nothing. Of a gather the offset, where it is
    /// an operand ([`Texture::moved`]): a vector of ints.
    pub levels: Vec<Expr>,
}

impl Fetch {
    /// Its operands.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        self.element.iter().chain(&self.coordinates).chain(&self.reference).chain(&self.levels)
    }

    /// The same, to be changed.
    pub fn operands_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let Self { element, coordinates, reference, levels, .. } = self;
        element.iter_mut().chain(coordinates).chain(reference).chain(levels)
    }
}

/// Operators of one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unary {
    /// `-a`.
    Negate,
    /// `!a` (a single bool).
    Not,
    /// `~a`.
    BitNot,
}

/// Operators of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binary {
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`. Of integers: towards zero; by zero no language says what it is.
    Div,
    /// `%` of integers: what division leaves; of negative ones not every language says what it is.
    Rem,
    /// `==` of scalars.
    Eq,
    /// `!=` of scalars.
    Ne,
    /// `<` of scalars.
    Lt,
    /// `<=` of scalars.
    Le,
    /// `>` of scalars.
    Gt,
    /// `>=` of scalars.
    Ge,
    /// `&&`.
    LogicalAnd,
    /// `||`.
    LogicalOr,
    /// `^^`, different truth values.
    LogicalXor,
    /// `&`.
    BitAnd,
    /// `|`.
    BitOr,
    /// `^`.
    BitXor,
    /// `<<`.
    ShiftLeft,
    /// `>>`: by the sign of the left operand's type.
    ShiftRight,
}

/// Functions that every target language has, with the meaning the languages give them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Builtin {
    /// `abs`.
    Abs,
    /// `floor`.
    Floor,
    /// `ceil`.
    Ceil,
    /// `trunc`.
    Trunc,
    /// `roundEven`.
    RoundEven,
    /// `fract`.
    Fract,
    /// `sqrt`.
    Sqrt,
    /// `inversesqrt`.
    InverseSqrt,
    /// `exp2`.
    Exp2,
    /// `log2`.
    Log2,
    /// `sin`.
    Sin,
    /// `cos`.
    Cos,
    /// `atan` of one operand.
    Atan,
    /// `atan` of two: y, x.
    Atan2,
    /// `atan` of one operand that the machine's code has a polynomial for ([`crate::math::atan`]).
    AtanNear,
    /// `atan` of two, y and x, the same way.
    Atan2Near,
    /// `tan`.
    Tan,
    /// `asin`; here as the polynomial that the machine's code has ([`crate::math::asin`]).
    Asin,
    /// `acos`, the same way.
    Acos,
    /// `sinh`.
    Sinh,
    /// `cosh`.
    Cosh,
    /// `tanh`.
    Tanh,
    /// `asinh`.
    Asinh,
    /// `acosh`.
    Acosh,
    /// `atanh`.
    Atanh,
    /// What `frexp` gives.
    Significand,
    /// The exponent that `frexp` gives beside it: an int.
    Exponent,
    /// `pow`.
    Pow,
    /// `min`.
    Min,
    /// `max`.
    Max,
    /// `clamp`.
    Clamp,
    /// `mix` of floats.
    Mix,
    /// `step`.
    Step,
    /// `smoothstep`.
    Smoothstep,
    /// `exp`.
    Exp,
    /// `log`.
    Log,
    /// `mod` of floats.
    Modulo,
    /// `dot`: one component.
    Dot,
    /// `length`: one component.
    Length,
    /// `normalize`.
    Normalize,
    /// `cross`.
    Cross,
    /// `reflect`: what comes in, the normal.
    Reflect,
    /// `refract`: what comes in, the normal, the ratio of the indices of refraction.
    Refract,
    /// `inverse(matrix) * vector`: the columns of the matrix, two to four vectors of as many components, then the vector.
    InverseTimes,
    /// `vector * inverse(matrix)`, with the same operands.
    TimesInverse,
    /// `faceforward`: a vector, what comes in, what tells the side that the vector is to look to.
    FaceForward,
    /// `sign`.
    Sign,
    /// `fma`.
    Fma,
    /// `any` of a bool vector: a single bool.
    Any,
    /// `all` of a bool vector: a single bool.
    All,
    /// `isnan` of a scalar.
    IsNan,
    /// `isinf` of a scalar float.
    IsInf,
    /// `lessThan` and friends: lane-wise comparison of two float vectors, result a bool vector.
    LessThan,
    /// `lessThanEqual`.
    LessThanEqual,
    /// `greaterThan`.
    GreaterThan,
    /// `greaterThanEqual`.
    GreaterThanEqual,
    /// `equal`.
    Equal,
    /// `notEqual`.
    NotEqual,
    /// `mix(a, b, bvec)`: lane-wise choice of b where true. Operands a, b, condition.
    Choose,
    /// How a value grows to the right, in the 2x2 quad.
    DerivativeX,
    /// How a value grows upwards, in the 2x2 quad.
    DerivativeY,
    /// The sum of the amounts of both.
    DerivativeWidth,
    /// `bitCount`, of an unsigned integer: an int.
    BitCount,
    /// `bitfieldReverse`.
    BitReverse,
    /// `findMSB`: an int.
    FindMsb,
    /// `findLSB`: an int.
    FindLsb,
    /// `bitfieldExtract` of a scalar: value, offset and count (ints).
    BitExtract,
    /// `bitfieldInsert` of scalars: base, what is put in, offset and count (ints).
    BitInsert,
    /// `packHalf2x16` of a vector of two floats: an unsigned integer.
    PackHalf,
    /// `unpackHalf2x16` of an unsigned integer: a vector of two floats.
    UnpackHalf,
    /// `packUnorm4x8` and its kin, of a vector of floats: an unsigned integer.
    PackNorm(Norm),
    /// `unpackUnorm4x8` and its kin, of an unsigned integer: a vector of floats.
    UnpackNorm(Norm),
    /// `packDouble2x32` of a vector of two unsigned integers, the lower half first: a double.
    PackDouble,
    /// `unpackDouble2x32` of a double: a vector of two unsigned integers, the lower half first.
    UnpackDouble,
    /// Is a truth value true in all invocations that run in step.
    VoteAll,
    /// Is it true in one of them.
    VoteAny,
    /// Is it the same in all of them.
    VoteEqual,
    /// The truth values of the first 32 lanes: an unsigned integer.
    Ballot,
    /// What a scalar is in another lane, an unsigned integer.
    Shuffle,
}

/// Operations that no target language has exactly; strict mode prints a function for each that is used. Those of
/// floats are there for doubles too, by their operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Helper {
    /// Multiply where 0 * inf is 0 ([`crate::Multiply::InfTimesZero`]).
    MulInfTimesZero,
    /// Multiply where 0 * anything is 0 ([`crate::Multiply::ZeroWins`]).
    MulZeroWins,
    /// `a > b ? a : b`, lane by lane.
    MaxSecond,
    /// `a < b ? a : b`, lane by lane.
    MinSecond,
    /// `isnan(a) ? 0 : clamp(a, 0, 1)`.
    Saturate,
    /// Float to signed integer, towards zero, saturated, NaN gives 0.
    ToIntSaturate,
    /// Float to unsigned integer, towards zero, saturated, NaN gives 0.
    ToUintSaturate,
    /// Minimum, lane by lane: a NaN loses against a number, -0 < +0.
    MinNumber,
    /// Maximum, lane by lane: a NaN loses against a number, -0 < +0.
    MaxNumber,
    /// A denormal becomes the zero of its sign; all else passes.
    FlushDenormal,
    /// Signed division towards zero; by 0 gives 0, the smallest number by -1 itself.
    DivideInt,
    /// Unsigned division; by 0 gives all ones.
    DivideUint,
    /// What signed division leaves, with the sign of the first operand; by 0 that operand.
    RemainderInt,
    /// What unsigned division leaves; by 0 the first operand.
    RemainderUint,
    /// High half of a signed product.
    MulHighInt,
    /// High half of an unsigned product.
    MulHighUint,
    /// [`crate::Op::SBitExtract`] of a scalar; offset and count are ints.
    BitExtractInt,
    /// [`crate::Op::UBitExtract`] of a scalar; offset and count are ints.
    BitExtractUint,
    /// [`crate::Op::BitInsert`] of scalars; offset and count are ints.
    BitInsert,
    /// To the nearest float of 16 bits, a float.
    RoundHalf,
    /// A denormal of 16 bits becomes the zero of its sign; all else passes.
    FlushHalf,
    /// `a * b + c` of floats of 16 bits, rounded once to one.
    FmaHalf,
    /// A double rounded to a float of 32 bits in the given direction.
    ToSingle(Round),
    /// A float or a double rounded to a float of 16 bits in the given direction, a float.
    ToHalf(Round),
    /// The sum of two doubles rounded once to a float of 32 bits in the given direction. For doubles that are floats
    /// of 32 bits or products of two, which no sum takes out of a double's range.
    SumToSingle(Round),
    /// The sum of two doubles, rounded in the given direction.
    AddToward(Round),
    /// The product of two doubles, rounded in the given direction.
    MulToward(Round),
}
