//! The typed tree: what a shader says, with every name found, every conversion written out, every constant folded.
//!
//! Everything that others point at lies in an arena of the [`Shader`] and is named by an index: variables, functions, blocks,
//! expressions, constants. An index made by the reader is always inside its arena.
//!
//! - **Expressions** have a type and a place. Implicit conversions are nodes ([`ExpressionKind::Convert`]), so that operands have the
//!   types that the operation asks for; a scalar beside a vector or matrix stays a scalar.
//! - **Constants** are folded: an expression whose value is known is a [`ExpressionKind::Constant`], with the place of the whole
//!   expression. Specialization constants are variables and are not folded.
//! - **L-values** are [`Variable`](ExpressionKind::Variable), [`Field`](ExpressionKind::Field), [`Index`](ExpressionKind::Index) and
//!   [`Swizzle`](ExpressionKind::Swizzle) of one another. The target of an assignment, increment or `out` argument is always one.
//! - **Evaluation order** is that of the language: operands from left to right, `&&`, `||`, `?:` and `,` as their own nodes.
//! - **Blocks** are variables of a structure type. A member of a block without an instance name is a
//!   [`Field`](ExpressionKind::Field) of its variable.
//! - **Built-in variables** that are used stand in the arena as others do, with their [`Meaning`]. `gl_Position` and the like are
//!   plain variables where the stage writes one vertex, members of the block `gl_PerVertex` in `gl_in` and `gl_out`.

mod arena;
mod constant;
mod expression;
mod interface;
mod statement;

pub use arena::{Arena, Id};
pub use constant::{Constant, Value};
pub use expression::{Argument, Binary, Expression, ExpressionKind, Unary};
pub use interface::{
    Auxiliary, Block, BlockMember, DepthLayout, Direction, Format, FormatKind, GeometryInput, GeometryLayout,
    GeometryOutput, Interpolation, Layout, MatrixLayout, MemoryQualifiers, PrimitiveMode, Spacing,
    StageLayout, Storage, TessellationLayout, Variable, WorkGroup,
};
pub use statement::{Body, Case, Condition, Function, Label, LoopKind, Statement, StatementKind};

pub use crate::builtins::{Meaning, Operation};

use crate::language::{Extension, Stage, Target, Version};
use crate::types::Types;

/// Index of a variable.
pub type VariableId = Id<Variable>;
/// Index of a function.
pub type FunctionId = Id<Function>;
/// Index of a block.
pub type BlockId = Id<Block>;
/// Index of an expression.
pub type ExpressionId = Id<Expression>;
/// Index of a constant.
pub type ConstantId = Id<Constant>;

/// A shader that was read and is right.
#[derive(Debug, Clone)]
pub struct Shader {
    /// Its version.
    pub version: Version,
    /// Its stage.
    pub stage: Stage,
    /// The API whose rules it was held to.
    pub target: Target,
    /// Its lines `#extension`, in order.
    pub extensions: Vec<Extension>,
    /// Its lines `#pragma`, without that word.
    pub pragmas: Vec<String>,
    /// `#pragma STDGL invariant(all)`
    pub is_all_invariant: bool,
    /// Its arrays and structures.
    pub types: Types,
    /// Variables of all kinds: global, local, parameters, blocks, built-ins that are used.
    pub variables: Arena<Variable>,
    /// Its blocks.
    pub blocks: Arena<Block>,
    /// Its functions, in the order of their first declarations. Prototypes that are never defined have no body and are not called.
    pub functions: Arena<Function>,
    /// All expressions.
    pub expressions: Arena<Expression>,
    /// All constants.
    pub constants: Arena<Constant>,
    /// Global variables in their order: of the text, and built-ins where they are first used. Their initial values are computed before
    /// the entry runs, in this order.
    pub globals: Vec<VariableId>,
    /// The expressions of array sizes that are specialization constants ([`Length::Specialized`](crate::types::Length::Specialized)).
    pub lengths: Vec<ExpressionId>,
    /// What `layout(...) in;` and `layout(...) out;` say of the stage.
    pub layout: StageLayout,
    /// The function `main`.
    pub entry: FunctionId,
}

impl Shader {
    /// The variable that an l-value is in, or a part of; none where the expression is no place in memory.
    pub fn root(&self, mut expression: ExpressionId) -> Option<VariableId> {
        loop {
            match &self.expressions[expression].kind {
                ExpressionKind::Variable(id) => return Some(*id),
                ExpressionKind::Field { base, .. }
                | ExpressionKind::Index { base, .. }
                | ExpressionKind::Swizzle { base, .. } => expression = *base,
                _ => return None,
            }
        }
    }
}
