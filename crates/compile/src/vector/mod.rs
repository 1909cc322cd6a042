//! A program of vectors: what the front half makes of a source, and the back half makes machine code of.
//!
//! Values are vectors of one to four floats in SSA form; truth is 1.0 and 0.0, whole numbers are floats. A use names single
//! lanes ([`Lane`]), so swizzles, splats, signs and constants never are operations of their own, and `vec4(p.xyz, 1.0)` is
//! nothing at all until an operation needs it in one register. Control flow is a tree: conditions and loops with the values
//! that they leave ([`Op::Choose`]).
//!
//! Nothing here knows a machine but for the choice of operations: those that vertex units of this kind have.

pub mod build;
pub mod condition;
pub mod counters;
pub mod fold;
pub mod fuse;
mod known;
pub mod live;
pub mod nested;
pub mod points;
pub mod recompute;
pub mod schedule;

use smallvec::SmallVec;
use std::{ops::Range, sync::LazyLock};

/// A value of the program: index of its [`Node`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub u32);

impl Id {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One float, as it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lane {
    /// A constant: the bits of a binary32. There is no negative zero.
    Const(u32),
    /// A component of a value, with its sign changed or not.
    Of {
        /// The value.
        node: Id,
        /// Component, below the value's width.
        component: u8,
        /// Whether the sign is changed.
        negate: bool,
    },
}

impl Lane {
    /// Zero, and false.
    pub const ZERO: Self = Self::Const(0);
    /// One, and true.
    pub const ONE: Self = Self::Const(0x3F80_0000);

    /// A constant.
    pub fn constant(value: f32) -> Self {
        // The machine has no negative zero.
        Self::Const((value + 0.0).to_bits())
    }

    /// The value, if it is constant.
    pub fn value(self) -> Option<f32> {
        match self {
            Self::Const(bits) => Some(f32::from_bits(bits)),
            Self::Of { .. } => None,
        }
    }

    /// Whether it is this constant.
    pub fn is(self, value: f32) -> bool {
        self.value() == Some(value)
    }

    /// The same with its sign changed.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Const(bits) => Self::constant(-f32::from_bits(bits)),
            Self::Of { node, component, negate } => Self::Of { node, component, negate: !negate },
        }
    }

    /// The value that it is read from.
    pub fn node(self) -> Option<Id> {
        match self {
            Self::Const(_) => None,
            Self::Of { node, .. } => Some(node),
        }
    }

    /// Whether its sign is changed.
    pub fn is_negated(self) -> bool {
        matches!(self, Self::Of { negate: true, .. })
    }
}

/// One to four lanes: a vector as it is read.
pub type Lanes = SmallVec<[Lane; 4]>;

/// How two numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Equal.
    Eq,
    /// Not equal.
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

impl Relation {
    /// The relation that holds where this one does not.
    #[must_use]
    pub fn not(self) -> Self {
        match self {
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::Lt => Self::Ge,
            Self::Le => Self::Gt,
            Self::Gt => Self::Le,
            Self::Ge => Self::Lt,
        }
    }

    /// The relation with its sides exchanged.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
            same => same,
        }
    }

    /// Whether it holds.
    pub fn holds(self, a: f32, b: f32) -> bool {
        match self {
            Self::Eq => a == b,
            Self::Ne => a != b,
            Self::Lt => a < b,
            Self::Le => a <= b,
            Self::Gt => a > b,
            Self::Ge => a >= b,
        }
    }
}

/// Registers that an index can walk through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Table {
    /// A float uniform: index into the interface's.
    Uniform(u16),
    /// A constant array: index into [`Program::tables`].
    Constant(u16),
}

/// An operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// An input register.
    Input(u8),
    /// A register of a float uniform, counted from its first.
    Uniform {
        /// Which uniform.
        uniform: u16,
        /// Register in it.
        row: u16,
    },
    /// A register of a table, at a fixed row plus what the operand says.
    Element {
        /// The table.
        table: Table,
        /// The fixed part; may lie outside the table where the operand brings it back.
        row: i16,
    },
    /// A bool uniform.
    Truth(u16),
    /// An integer uniform, four components. Only loops can read it.
    Whole(u16),
    /// The counter of a loop: index into [`Program::loops`].
    Counter(u32),
    /// The value of a counter behind its loop, where nobody knows it.
    Unknown,
    /// Lane by lane.
    Add,
    /// Lane by lane; 0 times infinity is 0.
    Mul,
    /// Lane by lane, the product rounded.
    Mad,
    /// Lane by lane.
    Min,
    /// Lane by lane.
    Max,
    /// Lane by lane.
    Floor,
    /// Lane by lane towards zero.
    Truncate,
    /// Lane by lane: 1 or 0.
    Compare(Relation),
    /// Three products added.
    Dot3,
    /// Four products added.
    Dot4,
    /// Three products and the fourth lane of the second operand added.
    DotH,
    /// 1/x.
    Reciprocal,
    /// 1/sqrt(x).
    ReciprocalRoot,
    /// 2^x.
    Exp2,
    /// Logarithm to base 2.
    Log2,
    /// Lanes from several places in one register.
    Pack,
    /// What a condition leaves (operands: of the first part, of the other part) or a loop carries (operands: before, behind
    /// each pass).
    Choose,
    /// What a procedure is called with: an operand for each call.
    Parameter,
    /// What a procedure leaves at one call: its operand is made in the procedure.
    Returned,
}

impl Op {
    /// Whether each lane of the result depends on the same lane of the operands alone.
    pub fn is_lanewise(self) -> bool {
        matches!(
            self,
            Self::Add
                | Self::Mul
                | Self::Mad
                | Self::Min
                | Self::Max
                | Self::Floor
                | Self::Truncate
                | Self::Compare(_)
                | Self::Pack
        )
    }

    /// Whether it hands on what is made elsewhere, lane by lane: each lane of the result is one of the same lane of an operand.
    pub fn hands_on(self) -> bool {
        matches!(self, Self::Choose | Self::Parameter | Self::Returned)
    }

    /// Whether it is read from a register that no instruction writes.
    pub fn is_read_only(self) -> bool {
        matches!(
            self,
            Self::Input(_)
                | Self::Uniform { .. }
                | Self::Element { .. }
                | Self::Truth(_)
                | Self::Whole(_)
                | Self::Counter(_)
                | Self::Unknown
        )
    }
}

/// A value.
#[derive(Debug, Clone)]
pub struct Node {
    /// How it comes about.
    pub op: Op,
    /// Lanes, 1 to 4.
    pub width: u8,
    /// Operands.
    pub arguments: SmallVec<[Lanes; 3]>,
    /// Place in the source.
    pub span: Span,
}

/// A place in the text that the front end reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// Byte behind the last; 0 for a place that nobody knows.
    pub end: u32,
}

impl Span {
    /// As a range of bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What happens in a block, in order.
#[derive(Debug, Clone)]
pub enum Item {
    /// A value is computed.
    Node(Id),
    /// Components of an output are written. What no item writes goes out at the end.
    Write {
        /// Index into [`Program::outputs`].
        output: u16,
        /// The components, bit 0 the first.
        mask: u8,
    },
    /// One of two blocks runs.
    If {
        /// 1 or 0.
        condition: Lane,
        /// Runs for 1.
        accept: Vec<Item>,
        /// Runs for 0.
        reject: Vec<Item>,
        /// What is left: [`Op::Choose`].
        results: Vec<Id>,
        /// Place in the source.
        span: Span,
    },
    /// A procedure runs.
    Call {
        /// Index into [`Program::procedures`].
        procedure: u32,
        /// Which of its calls: index of the operands of its parameters.
        call: u32,
        /// What it leaves: [`Op::Returned`].
        results: Vec<Id>,
        /// Place in the source.
        span: Span,
    },
    /// A block runs several times.
    Loop {
        /// Index into [`Program::loops`].
        index: u32,
        /// What runs.
        body: Vec<Item>,
        /// What is carried from pass to pass: [`Op::Choose`].
        results: Vec<Id>,
        /// Leaves the loop behind a pass where this is 1.
        stop: Lane,
        /// Place in the source.
        span: Span,
    },
}

/// What is known of a loop beside its body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loop {
    /// How often it runs.
    pub passes: Passes,
    /// Value of the counter in the first pass.
    pub start: f32,
    /// What the counter grows by.
    pub step: f32,
    /// Whether the register that says how often also says that the machine counts from 0 in steps of 1: it does where the
    /// uniform is a single number.
    pub is_plain: bool,
}

/// How often a loop runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passes {
    /// So often, 1 to 256.
    Constant(u16),
    /// As often as the integer uniform's x says, and once more.
    Uniform(u16),
}

/// A part of the program that is called from several places.
#[derive(Debug, Clone, Default)]
pub struct Procedure {
    /// Name in the source.
    pub name: String,
    /// What runs. There is no loop in it, so that the machine's counter of a loop around a call stays what it is.
    pub body: Vec<Item>,
    /// What it is called with: [`Op::Parameter`].
    pub parameters: Vec<Id>,
    /// What it leaves.
    pub results: Vec<Id>,
    /// How many calls there are.
    pub calls: u32,
}

/// An output and what is written to it.
#[derive(Debug, Clone)]
pub struct Written {
    /// Index of the output in the interface.
    pub output: u16,
    /// Its components; `None` for one that the source never writes.
    pub lanes: SmallVec<[Option<Lane>; 4]>,
    /// Place in the source.
    pub span: Span,
}

/// A whole program.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// All values, also those that nobody needs.
    pub nodes: Vec<Node>,
    /// What runs.
    pub body: Vec<Item>,
    /// Parts that are called. What one calls stands in front of it.
    pub procedures: Vec<Procedure>,
    /// What is left at the end.
    pub outputs: Vec<Written>,
    /// Loops.
    pub loops: Vec<Loop>,
    /// Arrays of constants, a register for each row.
    pub tables: Vec<Vec<[u32; 4]>>,
}

impl Program {
    /// The value of an id. Ids come from the program itself, so there always is one; an unknown one for those that do not.
    pub fn node(&self, id: Id) -> &Node {
        static NOTHING: LazyLock<Node> = LazyLock::new(|| Node {
            op: Op::Unknown,
            width: 1,
            arguments: SmallVec::new(),
            span: Span { start: 0, end: 0 },
        });
        self.nodes.get(id.index()).unwrap_or(&NOTHING)
    }
}
