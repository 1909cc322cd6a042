//! Modules, functions, blocks, instructions, values.

use crate::{Op, Type};
use smallvec::SmallVec;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident, $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into the table that holds it.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    )*};
}

ids! {
    /// A function of a module.
    FunctionId, "fn";
    /// A block of a function.
    BlockId, "b";
    /// An instruction of a function.
    InstId, "i";
    /// A value of a function.
    Value, "%";
    /// A variable of a module.
    VarId, "$";
}

/// One program.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Module {
    /// All functions; calls name them by index.
    pub functions: Vec<Function>,
    /// Where the program starts. It has no parameters.
    pub entry: FunctionId,
    /// Machine registers and flags, shared by all functions until [`crate::ssa`] turns them into values.
    /// Their names stay, since values remember which variable they were.
    pub variables: Vec<Variable>,
    /// Register ranges with dynamic index, scratch memory: private to the invocation, zero at start.
    pub arrays: Vec<LocalArray>,
    /// What the file names: inputs, outputs, uniforms.
    pub globals: Vec<Global>,
}

/// A scalar machine register (one component), address register or flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Register it belongs to, for debugging and for finding lanes again: `r0`, `a0`, `cmp`.
    pub register: String,
    /// Component of the register, 0-3.
    pub lane: u8,
    /// Type.
    pub ty: Type,
    /// Value at the start of the program: the bits, zero-extended.
    pub initial: u64,
}

/// An array private to the invocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalArray {
    /// Its name.
    pub name: String,
    /// Length in 32-bit words.
    pub words: u32,
}

/// A named part of an address space: what `load uniform` of some word means to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Global {
    /// Name from the file, or one made from its place or meaning.
    pub name: String,
    /// Whether the name stands in the file.
    pub named: bool,
    /// Address space.
    pub space: crate::Space,
    /// Buffer or register file, as in [`crate::Access`].
    pub binding: u32,
    /// First 32-bit word.
    pub offset: u32,
    /// What it is made of.
    pub shape: Shape,
    /// Meaning of an output or input that the pipeline knows: `position`, `color`.
    pub semantic: Option<String>,
    /// Location, attribute or register number, for the interface declaration.
    pub location: u32,
    /// Value that is always there (constants of the file), one entry per word.
    pub constant: Option<Vec<u32>>,
}

/// Shape of a global. Elements of arrays and rows of matrices start every 4 words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A float vector of 1-4 components; `elements` > 0: an array of those.
    Float {
        /// Components, 1-4.
        components: u8,
        /// 0: no array.
        elements: u32,
    },
    /// An integer vector.
    Int {
        /// Components, 1-4.
        components: u8,
        /// 0: no array.
        elements: u32,
    },
    /// A truth value in one word (0 or 1); elements of an array are one word apart.
    Bool {
        /// 0: no array.
        elements: u32,
    },
}

/// A function. Its parameters are the parameters of its first block.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Function {
    /// Name: from the file's labels, or made.
    pub name: String,
    /// Blocks; block 0 is where it starts.
    pub blocks: Vec<Block>,
    /// Instructions; blocks list them by id. One that no block lists is dead.
    pub insts: Vec<Inst>,
    /// Values.
    pub values: Vec<ValueData>,
    /// Types of the results; every `Return` gives as many values.
    pub results: Vec<Type>,
    /// Which variable each result was, where it was one (as many as `results`, or none).
    pub result_vars: Vec<VarId>,
}

/// A straight run of instructions with one way out.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Values that each way in brings along.
    pub params: Vec<Value>,
    /// In order.
    pub insts: Vec<InstId>,
    /// The way out.
    pub terminator: Terminator,
}

/// A block with the values for its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Where to.
    pub block: BlockId,
    /// As many as the block has parameters, of the same types.
    pub args: Vec<Value>,
}

/// How a block ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Terminator {
    /// Goes on there.
    Jump(Target),
    /// Goes on in one of two places.
    Branch {
        /// A `bool`.
        condition: Value,
        /// If true.
        then: Target,
        /// If false.
        otherwise: Target,
    },
    /// Goes where a `b32` says.
    Switch {
        /// The selector.
        value: Value,
        /// Distinct selectors with their places.
        cases: Vec<(u32, Target)>,
        /// All others.
        default: Target,
    },
    /// Leaves the function.
    Return(Vec<Value>),
    /// Ends the program, at any call depth. What was stored and emitted stays.
    End,
    /// Ends the program; the pixel is dropped.
    Discard,
    /// Never reached.
    Unreachable,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Inst {
    /// Operation with its static parameters.
    pub op: Op,
    /// Operands.
    pub args: SmallVec<[Value; 3]>,
    /// Results.
    pub results: SmallVec<[Value; 1]>,
    /// Where in the machine code it came from.
    pub origin: Origin,
}

/// Where something came from in the machine code: instruction and lane. Lanes of one vector instruction
/// find each other again by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Origin {
    /// Index of the machine instruction, in words from the start of the code; `u32::MAX` if none.
    pub instruction: u32,
    /// Step inside the machine instruction: multiply of a multiply-add, for instance, so that lanes of
    /// the same step go together.
    pub step: u8,
    /// Lane 0-3.
    pub lane: u8,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueData {
    /// Type.
    pub ty: Type,
    /// What makes it.
    pub def: ValueDef,
    /// Variable it was before SSA, if it was one: names of locals and their lanes come from it.
    pub variable: Option<VarId>,
}

/// What makes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueDef {
    /// Result `n` of an instruction.
    Result(InstId, u16),
    /// Parameter `n` of a block.
    Param(BlockId, u16),
}
