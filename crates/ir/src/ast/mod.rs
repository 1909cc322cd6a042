//! The structured source tree: statements and typed vector expressions, ready to print.
//!
//! Every back end reads this and nothing else. It is made from a structured [`crate::Module`] by
//! [`build`]; [`exec`] interprets it, so that everything up to the printed text is checked against the
//! machine.

pub mod build;
pub(crate) use build::wanted;
pub mod exec;
mod link;
pub mod unite;
pub mod walk;

pub use link::{Link, Links};

use crate::{AtomicOp, Barrier, Global, Image, InputPlace, LocalArray, Round, Space, Texture, UniformBlock};

/// Kind of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// Truth value.
    Bool,
    /// 32-bit signed integer.
    Int,
    /// 32-bit unsigned integer.
    Uint,
    /// binary32.
    Float,
    /// binary64.
    Double,
}

impl Scalar {
    /// The sign bit, where it has one as floats do.
    pub(crate) fn sign_bit(self) -> u64 {
        if self == Self::Double { 1 << 63 } else { 1 << 31 }
    }

    /// Whether it is a float of any width.
    pub fn is_float(self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }
}

/// Type of an expression or variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Type {
    /// Kind of the components.
    pub scalar: Scalar,
    /// Components, 1-4.
    pub components: u8,
}

/// A whole program.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Program {
    /// Inputs, outputs and uniforms that are used.
    pub globals: Vec<GlobalVar>,
    /// Buffers whose members are the globals of [`crate::Space::Uniform`] with the same binding, at their own
    /// offsets; all other uniforms are the loose ones of the program.
    pub blocks: Vec<UniformBlock>,
    /// Arrays private to the invocation.
    pub arrays: Vec<LocalArray>,
    /// Memory that invocations share.
    pub memories: Vec<MemoryVar>,
    /// Functions; a function stands before those that call it, the entry is the last.
    pub functions: Vec<Function>,
    /// What readable mode assumed, one sentence each; empty in strict mode.
    pub assumptions: Vec<String>,
    /// Geometry programs: an upper bound of the vertices that one run emits.
    pub max_vertices: Option<u32>,
}

/// A global as the source declares it.
#[derive(Debug, Clone, PartialEq)]
pub struct GlobalVar {
    /// Where it lives and what it is called.
    pub global: Global,
    /// Declared as a matrix with this many rows (each row one register), columns = components.
    pub matrix_rows: Option<u8>,
}

/// Memory that invocations share, or a part of it: of that of a work group, or of a storage buffer. The parts of one
/// memory follow each other in the order of their places, an array that goes on to the end is the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryVar {
    /// Its name.
    pub name: String,
    /// Whether the name of the memory stands in the file.
    pub named: bool,
    /// Name of the memory that it is a part of; an array has the same.
    pub block: String,
    /// [`Space::Shared`] or [`Space::Storage`].
    pub space: Space,
    /// Number of the buffer.
    pub binding: u32,
    /// Its first word in the memory.
    pub offset: u32,
    /// Words from one element to the next: 1, 2 or 4, as vectors of the components lie in arrays.
    pub stride: u32,
    /// Components of an element.
    pub components: u8,
    /// An array; else a single element, whose index is 0.
    pub is_array: bool,
    /// Its length; 0: as long as the buffer is.
    pub words: u32,
    /// What its words are declared as.
    pub scalar: Scalar,
}

impl MemoryVar {
    /// Type of an element.
    pub fn ty(&self) -> Type {
        Type { scalar: self.scalar, components: self.components.clamp(1, 4) }
    }

    /// Elements; 0: as many as the buffer has.
    pub fn elements(&self) -> u32 {
        self.words.div_ceil(self.stride.max(1))
    }

    /// Word of the memory that a component of an element is; none where no memory has it.
    pub fn word(&self, index: i32, component: u8) -> Option<u32> {
        let element = if self.is_array { i64::from(index) * i64::from(self.stride) } else { 0 };
        let word = i64::from(self.offset) + element + i64::from(component);
        u32::try_from(word).ok().filter(|word| *word <= i32::MAX as u32)
    }
}

/// Index of a [`GlobalVar`] in [`Program::globals`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalRef(pub u32);

/// Index of a [`Local`] in [`Function::locals`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalRef(pub u32);

/// Index of a function in [`Program::functions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionRef(pub u32);

/// A function.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Function {
    /// Name.
    pub name: String,
    /// Parameters, passed by value; they are the first locals.
    pub params: Vec<LocalRef>,
    /// Types of the results. One result is a plain return value; printers choose the form of several.
    pub results: Vec<Type>,
    /// Parameters and local variables.
    pub locals: Vec<Local>,
    /// Statements.
    pub body: Vec<Stmt>,
    /// What the links of its expressions and statements mean.
    pub links: Links,
}

/// A local variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Local {
    /// Name, unique in the function and different from every global and function.
    pub name: String,
    /// Type.
    pub ty: Type,
}

/// A place that can be assigned.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// A local, or some of its components (in order; empty = all).
    Local(LocalRef, Vec<u8>),
    /// An output global (element index for arrays), or some of its components (empty = all).
    Global(GlobalRef, Option<Box<Expr>>, Vec<u8>),
    /// A word of an array private to the invocation: raw bits (`uint`).
    Array(u32, Box<Expr>),
    /// An element of [`Program::memories`], or some of its components (ascending; empty = all).
    Word(u32, Box<Expr>, Vec<u8>),
}

/// What changes memory or waits for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Waits.
    Barrier(Barrier),
    /// Drops the pixel and goes on.
    Demote,
    /// An atomic operation on one of [`Program::memories`] of one component. Operands: the element, then values of the
    /// memory's kind.
    Atomic(AtomicOp, u32),
    /// A store to an image or an atomic operation on one. Operands: the element of an array of images, if it is one;
    /// a vector of int coordinates; the sample, where the shape has some; the vector of the texel, or the values,
    /// of the kind of its texels.
    Image(GlobalRef, Image),
}

/// An [`Action`] with what it takes and where its result goes.
#[derive(Debug, Clone, PartialEq)]
pub struct Act {
    /// What is done.
    pub action: Action,
    /// What it takes.
    pub operands: Vec<Expr>,
    /// Where what was in memory before goes; `None` drops it.
    pub result: Option<Place>,
    /// Which machine instructions it comes from.
    pub link: Link,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Stmt {
    /// Declares a local, at most once per local, before every use. `None`: no initial value; it is
    /// assigned on every path before it is read.
    Declare(LocalRef, Option<Expr>),
    /// Assigns.
    Assign(Place, Expr),
    /// Calls a function; results go to the places, `None` drops one.
    Call {
        /// Which.
        function: FunctionRef,
        /// Arguments.
        args: Vec<Expr>,
        /// Where the results go, as many as the function has.
        results: Vec<Option<Place>>,
        /// Which machine instructions it comes from.
        link: Link,
    },
    /// Condition.
    If {
        /// A bool.
        condition: Expr,
        /// If true.
        then: Vec<Stmt>,
        /// If false; may be empty.
        otherwise: Vec<Stmt>,
    },
    /// Counted loop: `for (local = start; condition; local += step)`. `continue` goes to the step.
    For {
        /// The counter; declared by this statement, not assigned in the body, not mentioned outside of
        /// the loop but by other loops that it counts.
        counter: LocalRef,
        /// First value.
        start: Expr,
        /// Goes on while this holds.
        condition: Expr,
        /// Added after each pass.
        step: Expr,
        /// Body.
        body: Vec<Stmt>,
    },
    /// `while (condition)`.
    While {
        /// Tested before each pass.
        condition: Expr,
        /// Body.
        body: Vec<Stmt>,
    },
    /// `do ... while (condition)`. `continue` goes to the test.
    DoWhile {
        /// Body, run at least once.
        body: Vec<Stmt>,
        /// Tested after each pass.
        condition: Expr,
    },
    /// Endless loop, left by `break` or `return`.
    Loop(Vec<Stmt>),
    /// Selection by integer. A case does not fall into the next; `break` leaves the switch.
    Switch {
        /// An int or uint.
        value: Expr,
        /// Cases, each with the values that select it.
        cases: Vec<(Vec<u32>, Vec<Stmt>)>,
        /// All other values.
        default: Vec<Stmt>,
    },
    /// Leaves the innermost loop or switch.
    Break,
    /// Goes to the next pass of the innermost loop.
    Continue,
    /// Leaves the function; in the entry function (no values) ends the program.
    Return(Vec<Expr>),
    /// Drops the pixel.
    Discard(Link),
    /// Changes memory or waits for others.
    Act(Box<Act>),
    /// Emits a vertex (geometry).
    EmitVertex(Link),
    /// Ends the primitive (geometry).
    EndPrimitive(Link),
    /// A comment line of its own.
    Comment(String),
}

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
    /// An element of [`Program::memories`].
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
    /// A texture fetch: red, green, blue, alpha.
    Texture(Box<Fetch>),
    /// A load from an image or its size. Operands as in [`Action::Image`]. Four components, of ints for sizes.
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
    /// expression; two vectors of gradients; or nothing.
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
    /// `bitfieldExtract` of a scalar: value, offset and count (ints).
    BitExtract,
    /// `bitfieldInsert` of scalars: base, what is put in, offset and count (ints).
    BitInsert,
    /// `packHalf2x16` of a vector of two floats: an unsigned integer.
    PackHalf,
    /// `unpackHalf2x16` of an unsigned integer: a vector of two floats.
    UnpackHalf,
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
