//! Expressions.

use super::{ConstantId, ExpressionId, FunctionId, Operation, VariableId};
use crate::place::Span;
use crate::types::{Precision, Type};

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// The type of its value.
    pub ty: Type,
    /// The precision of its value, of texts that have such.
    pub precision: Precision,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq)]
pub enum ExpressionKind {
    /// A value known to the compiler.
    Constant(ConstantId),
    /// A variable: its value, or the place itself.
    Variable(VariableId),
    /// A member of a structure or block, by number.
    Field {
        /// The structure.
        base: ExpressionId,
        /// Number of the member.
        member: u32,
    },
    /// An element of an array, a column of a matrix, a component of a vector. Constant indices are in range.
    Index {
        /// What is indexed.
        base: ExpressionId,
        /// `int` or `uint`, or another integer of the extensions.
        index: ExpressionId,
    },
    /// Components of a vector, or of a scalar where the language has that.
    Swizzle {
        /// The vector.
        base: ExpressionId,
        /// Which components, from 0 on; of an l-value none twice.
        lanes: Box<[u8]>,
    },
    /// `length()` of an array whose length is known to the machine alone: an `int`.
    Length(ExpressionId),
    /// The same shape of another kind of scalar.
    Convert {
        /// What is converted.
        value: ExpressionId,
        /// Whether the text says nothing of it.
        is_implicit: bool,
    },
    /// A scalar for every component of a vector: `vec3(x)`. The scalar is of the vector's kind.
    Splat(ExpressionId),
    /// A scalar for the diagonal of a matrix: `mat3(1.0)`.
    Diagonal(ExpressionId),
    /// A matrix of another shape: what is missing is that of the identity.
    Resize(ExpressionId),
    /// A vector or matrix of the scalars of several values in order; of the last one, those too many are dropped. All are of the
    /// kind of the result.
    Compose(Box<[ExpressionId]>),
    /// An array of its elements, a structure of its members.
    Build(Box<[ExpressionId]>),
    /// An operation with one operand.
    Unary {
        /// Which.
        operation: Unary,
        /// The operand.
        value: ExpressionId,
    },
    /// An operation with two operands, both of which are evaluated.
    Binary {
        /// Which.
        operation: Binary,
        /// The left operand.
        left: ExpressionId,
        /// The right operand.
        right: ExpressionId,
    },
    /// `&&`: the right operand is evaluated only where the left one holds.
    And {
        /// The left operand.
        left: ExpressionId,
        /// The right operand.
        right: ExpressionId,
    },
    /// `||`: the right operand is evaluated only where the left one does not hold.
    Or {
        /// The left operand.
        left: ExpressionId,
        /// The right operand.
        right: ExpressionId,
    },
    /// `?:`: one of the two is evaluated.
    Select {
        /// A `bool`.
        condition: ExpressionId,
        /// Where it holds.
        accept: ExpressionId,
        /// Where it does not.
        reject: ExpressionId,
    },
    /// `=`, or an operation with its result assigned. The value of the expression is what was assigned.
    Assign {
        /// An l-value.
        target: ExpressionId,
        /// Of `+=` and the like: applied to the target and the value, with a result of the target's type.
        operation: Option<Binary>,
        /// The value, of the target's type; beside an operation, what it takes.
        value: ExpressionId,
    },
    /// `++x`, `x++`, `--x`, `x--`: by component. The value of the expression is that after the step where it is a prefix, that before
    /// it where not.
    Step {
        /// An l-value.
        target: ExpressionId,
        /// Up or down.
        is_increment: bool,
        /// Before or behind the operand.
        is_prefix: bool,
    },
    /// `a, b`: the value is that of `b`.
    Sequence {
        /// Evaluated first.
        first: ExpressionId,
        /// Evaluated then.
        second: ExpressionId,
    },
    /// A function of the shader.
    Call {
        /// Which.
        function: FunctionId,
        /// One for each parameter.
        arguments: Box<[Argument]>,
    },
    /// A built-in function. Arguments that it writes are l-values; one of another kind of scalar than the function gives is converted to
    /// when it is copied out.
    Builtin {
        /// What it does.
        operation: Operation,
        /// Its name in the text: `texture2DLod`.
        name: &'static str,
        /// Its operands in the order of the language.
        arguments: Box<[ExpressionId]>,
    },
}

/// An argument of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// Of a parameter that is `in`: its value, of the parameter's type.
    In(ExpressionId),
    /// Of a parameter that is `out`: an l-value. If it is of another type than the parameter, what the function leaves there is
    /// converted (the same shape of another scalar) when it is copied out.
    Out(ExpressionId),
    /// Of a parameter that is `inout`: an l-value of the same type.
    InOut(ExpressionId),
}

impl Argument {
    /// The expression.
    pub fn expression(self) -> ExpressionId {
        match self {
            Self::In(id) | Self::Out(id) | Self::InOut(id) => id,
        }
    }
}

/// An operation with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `-x`
    Negate,
    /// `!x` of a `bool`
    Not,
    /// `~x`
    Complement,
}

/// An operation with two operands. Those that compare numbers take scalars; the others work by component, and one operand may be a
/// scalar beside a vector or matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*` by component.
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `matrix * vector`
    MatrixTimesVector,
    /// `vector * matrix`
    VectorTimesMatrix,
    /// `matrix * matrix`
    MatrixTimesMatrix,
    /// `<<`; the right operand may be of another kind of integer.
    ShiftLeft,
    /// `>>`, arithmetic where the left operand is signed.
    ShiftRight,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `^^`
    LogicalXor,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `==` of any type: one `bool` for all parts.
    Equal,
    /// `!=` of any type.
    NotEqual,
}

impl Binary {
    /// As it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply | Self::MatrixTimesVector | Self::VectorTimesMatrix | Self::MatrixTimesMatrix => {
                "*"
            }
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::LogicalXor => "^^",
            Self::Less => "<",
            Self::Greater => ">",
            Self::LessEqual => "<=",
            Self::GreaterEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
        }
    }
}
