//! Instructions of the machine before registers are given.

use crate::{
    allocate::{Access, Accesses},
    vector::{Relation, Span},
};
use smallvec::SmallVec;

/// A value that gets a register: nodes of the program, outputs, and what selection adds.
pub type Value = usize;

/// Operations by their mnemonics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Copy.
    Mov,
    /// Sum.
    Add,
    /// Product.
    Mul,
    /// Product and sum.
    Mad,
    /// The smaller.
    Min,
    /// The greater.
    Max,
    /// Floor.
    Flr,
    /// 1 where greater or equal.
    Sge,
    /// 1 where less.
    Slt,
    /// Three products.
    Dp3,
    /// Four products.
    Dp4,
    /// Three products and a number.
    Dph,
    /// Reciprocal.
    Rcp,
    /// Reciprocal root.
    Rsq,
    /// Power of two.
    Ex2,
    /// Logarithm.
    Lg2,
    /// An index: a0.x or a0.y.
    Mova(Address),
    /// Nothing.
    Nop,
    /// Comparison of one or two lanes.
    Cmp(Relation, Relation),
}

impl Operation {
    /// Mnemonic.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mov => "mov",
            Self::Add => "add",
            Self::Mul => "mul",
            Self::Mad => "mad",
            Self::Min => "min",
            Self::Max => "max",
            Self::Flr => "flr",
            Self::Sge => "sge",
            Self::Slt => "slt",
            Self::Dp3 => "dp3",
            Self::Dp4 => "dp4",
            Self::Dph => "dph",
            Self::Rcp => "rcp",
            Self::Rsq => "rsq",
            Self::Ex2 => "ex2",
            Self::Lg2 => "lg2",
            Self::Mova(_) => "mova",
            Self::Nop => "nop",
            Self::Cmp(..) => "cmp",
        }
    }

    /// Whether each written lane reads the same lane of the operands.
    pub fn is_lanewise(self) -> bool {
        matches!(
            self,
            Self::Mov
                | Self::Add
                | Self::Mul
                | Self::Mad
                | Self::Min
                | Self::Max
                | Self::Flr
                | Self::Sge
                | Self::Slt
        )
    }
}

/// An index register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Address {
    /// a0.x
    X,
    /// a0.y
    Y,
    /// The counter of the loop.
    Counter,
}

/// What an operand reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Register {
    /// A value.
    Value(Value),
    /// An input register.
    Input(u8),
    /// A register of a uniform or a constant array, with an index or without.
    Table {
        /// Which.
        table: crate::vector::Table,
        /// Row.
        row: i32,
        /// What is added to it.
        index: Option<Address>,
    },
    /// Numbers that lie in one register somewhere.
    Constant(SmallVec<[u32; 4]>),
}

impl Register {
    /// Whether only a wide field can name it.
    pub fn is_wide(&self) -> bool {
        matches!(self, Self::Table { .. } | Self::Constant(_))
    }
}

/// An operand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// The register.
    pub register: Register,
    /// Component for each lane of the operation.
    pub components: SmallVec<[u8; 4]>,
    /// Whether the sign is changed.
    pub negate: bool,
}

/// An instruction.
#[derive(Debug, Clone)]
pub struct Instruction {
    /// What it does.
    pub operation: Operation,
    /// What it writes: a value and its components.
    pub target: Option<(Value, SmallVec<[u8; 4]>)>,
    /// What it reads.
    pub operands: SmallVec<[Operand; 3]>,
    /// Place in the source.
    pub span: Span,
}

/// What a condition or a loop needs beside its parts.
#[expect(clippy::large_enum_variant, reason = "nearly all of them are instructions")]
#[derive(Debug, Clone)]
pub enum Code {
    /// An ordinary instruction.
    Instruction(Instruction),
    /// A condition by the flags, as picasso writes it; turned round by the second. With a third, whether the flags are asked
    /// for behind it too.
    Flags(&'static str, &'static str, bool),
    /// A condition by a bool uniform, turned round or not.
    Truth(u16, bool),
    /// A loop by a constant register.
    Constant([u8; 4], Span),
    /// A loop by an integer uniform.
    Uniform(u16, Span),
}

impl Accesses for Code {
    fn access(&self) -> Access {
        let Self::Instruction(instruction) = self else { return Access::default() };
        let mut access = Access::default();
        for operand in &instruction.operands {
            if let Register::Value(value) = operand.register {
                for component in &operand.components {
                    let read = value * 4 + usize::from(*component);
                    if !access.reads.contains(&read) {
                        access.reads.push(read);
                    }
                }
            }
        }
        if let Some((value, components)) = &instruction.target {
            access.writes.extend(components.iter().map(|component| value * 4 + usize::from(*component)));
            if let (
                Operation::Mov,
                [Operand { register: Register::Value(from), components: read, negate: false }],
            ) = (instruction.operation, instruction.operands.as_slice())
            {
                let pairs = components.iter().zip(read);
                let pair =
                    |(to, read): (&u8, &u8)| (value * 4 + usize::from(*to), from * 4 + usize::from(*read));
                access.copies.extend(pairs.map(pair));
            }
        }
        access
    }
}
