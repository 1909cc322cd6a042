//! The structured source tree: statements and typed vector expressions, ready to print.
//!
//! Every back end reads this and nothing else. It is made from a structured [`crate::Module`] by
//! [`raise`]; [`exec`] interprets it, so that everything up to the printed text is checked against the
//! machine.

pub mod exec;
mod expr;
mod invocations;
mod link;
pub mod raise;
pub mod unite;
mod unread;
pub mod walk;

pub use expr::{Binary, Builtin, Expr, ExprKind, Fetch, Helper, Product, Unary};
pub use invocations::name_global_ids;
pub use link::{Link, Links};
pub use unread::Read;

pub use crate::scalar::Scalar;
use crate::{AtomicOp, Barrier, Global, Image, LocalArray, Space, UniformBlock};

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
    EmitVertex(u32, Link),
    /// Ends the primitive (geometry).
    EndPrimitive(u32, Link),
    /// A comment line of its own.
    Comment(String),
}
