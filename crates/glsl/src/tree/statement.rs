//! Statements and functions.

use super::{ExpressionId, VariableId};
use crate::place::Span;
use crate::types::{Precision, Type};

/// A function of the shader.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters in order.
    pub parameters: Vec<VariableId>,
    /// What it gives.
    pub result: Type,
    /// The precision of what it gives.
    pub precision: Precision,
    /// Whether what it gives is `precise`.
    pub is_precise: bool,
    /// What it does. A prototype that is defined nowhere has none.
    pub body: Option<Body>,
    /// The name at its definition, or at its first declaration.
    pub span: Span,
    /// The whole definition, from the type to the closing brace.
    pub extent: Span,
    /// Functions that it calls, each once, in the order of first calls. There are no circles.
    pub calls: Vec<super::FunctionId>,
}

/// Statements one after the other. Names declared in it end with it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Body {
    /// The statements.
    pub statements: Vec<Statement>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where it stands, with all that belongs to it.
    pub span: Span,
}

/// What a statement is.
#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    /// A variable comes to life, with its initial value; without one it holds anything. A `const` whose value is known is a declaration
    /// too, and its uses are constants.
    Declare {
        /// The variable.
        variable: VariableId,
        /// Of the variable's type.
        initial: Option<ExpressionId>,
    },
    /// An expression whose value nobody wants.
    Expression(ExpressionId),
    /// `{ ... }`
    Block(Body),
    /// `if`
    If {
        /// A `bool`.
        condition: ExpressionId,
        /// Where it holds.
        accept: Body,
        /// Where it does not; empty where there is no `else`.
        reject: Body,
    },
    /// `switch`. A case that does not end with `break` goes on into the next.
    Switch {
        /// `int` or `uint`.
        selector: ExpressionId,
        /// The cases in order. The scope of names is that of the whole `switch`.
        cases: Vec<Case>,
    },
    /// `for`, `while`, `do`.
    Loop {
        /// Which of them.
        kind: LoopKind,
        /// What `for` does first; empty else.
        initial: Body,
        /// Whether another pass follows; none is for ever. Of `do`, asked behind the body.
        condition: Option<Condition>,
        /// What `for` does behind each pass, where `continue` goes.
        step: Option<ExpressionId>,
        /// A pass.
        body: Body,
    },
    /// Leaves the innermost loop or `switch`.
    Break,
    /// Ends a pass of the innermost loop.
    Continue,
    /// Leaves the function.
    Return(Option<ExpressionId>),
    /// Ends the fragment; `is_demote` for one that goes on as a helper.
    Discard {
        /// `demote`
        is_demote: bool,
    },
}

/// Which loop it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LoopKind {
    /// `for`
    For,
    /// `while`
    While,
    /// `do ... while`: the condition is asked behind the body.
    DoWhile,
}

/// The condition of a loop.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// A `bool`.
    Expression(ExpressionId),
    /// `while (bool b = ...)`: a variable of each pass.
    Declare {
        /// The variable, a `bool`.
        variable: VariableId,
        /// Its value.
        initial: ExpressionId,
    },
}

/// Labels with the statements up to the next ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// One or more.
    pub labels: Vec<Label>,
    /// What follows them.
    pub body: Body,
}

/// A label of a `switch`.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// The value, a constant of the selector's type; none for `default`. No value stands twice.
    pub value: Option<ExpressionId>,
    /// Where it stands.
    pub span: Span,
}
