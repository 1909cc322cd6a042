//! The syntax tree: what stands in the text, before names mean anything.

use crate::lex::Symbol;
use crate::place::Span;
use crate::tree::{Binary, Unary};
use crate::types::{Precision, Scalar, Type};

/// Index of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ref(pub u32);

/// A name with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub symbol: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// A whole text.
#[derive(Debug, Default)]
pub struct Syntax {
    /// What it declares, in order.
    pub items: Vec<Item>,
    /// All expressions.
    pub expressions: Vec<Expression>,
    /// Names whose declarations could not be read.
    pub wrong: Vec<Name>,
}

impl Syntax {
    /// The expression of an index.
    pub fn get(&self, at: Ref) -> &Expression {
        static NONE: Expression = Expression {
            kind: ExpressionKind::Bool(false),
            span: Span { file: crate::place::FileId(0), start: 0, end: 0 },
            height: 0,
        };
        self.expressions.get(at.0 as usize).unwrap_or(&NONE)
    }
}

/// An expression.
#[derive(Debug)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where it stands.
    pub span: Span,
    /// How many expressions are one inside the other in it.
    pub height: u16,
}

/// What an expression is.
#[derive(Debug)]
pub enum ExpressionKind {
    /// A name.
    Name(Symbol),
    /// A whole number.
    Integer(u64, Scalar),
    /// A float.
    Float(f64, Scalar),
    /// `true`, `false`
    Bool(bool),
    /// `-x`
    Unary(Unary, Ref),
    /// `+x`
    Plus(Ref),
    /// `++x`: whether up, whether before.
    Step(Ref, bool, bool),
    /// `a + b`
    Binary(Binary, Ref, Ref),
    /// `a && b`
    And(Ref, Ref),
    /// `a || b`
    Or(Ref, Ref),
    /// `a = b`, `a += b`
    Assign(Option<Binary>, Ref, Ref),
    /// `a ? b : c`
    Select(Ref, Ref, Ref),
    /// `a, b`
    Comma(Ref, Ref),
    /// `f(a, b)`: what is called is a name, or an array of a name.
    Call(Ref, Vec<Ref>),
    /// `vec3(a, b)`
    Construct(Box<TypeName>, Vec<Ref>),
    /// `a.length()`
    Method(Ref, Name, Vec<Ref>),
    /// `a.b`
    Field(Ref, Name),
    /// `a[b]`; without an index only of types.
    Index(Ref, Option<Ref>),
    /// `{a, b}`
    List(Vec<Ref>),
}

/// A type as it is written.
#[derive(Debug)]
pub struct TypeName {
    /// What it is without arrays.
    pub base: TypeBase,
    /// Its array sizes from left to right.
    pub arrays: Vec<Option<Ref>>,
    /// Where it stands.
    pub span: Span,
}

/// A type without arrays.
#[derive(Debug)]
pub enum TypeBase {
    /// One of the language.
    Known(Type),
    /// A structure by name.
    Name(Symbol),
    /// A structure that is declared here.
    Struct(Box<StructBody>),
}

/// A structure's declaration.
#[derive(Debug)]
pub struct StructBody {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// Its members.
    pub members: Vec<Declaration>,
    /// From `struct` to the brace.
    pub span: Span,
}

/// A qualifier.
#[derive(Debug)]
pub struct Qualifier {
    /// What it is.
    pub kind: QualifierKind,
    /// Where it stands.
    pub span: Span,
}

/// What a qualifier is.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum QualifierKind {
    Const,
    In,
    Out,
    InOut,
    Attribute,
    Varying,
    Uniform,
    Buffer,
    Shared,
    Centroid,
    Sample,
    Patch,
    Smooth,
    Flat,
    NoPerspective,
    Invariant,
    Precise,
    NonUniform,
    Coherent,
    Volatile,
    Restrict,
    ReadOnly,
    WriteOnly,
    Subroutine,
    Precision(Precision),
    Layout(Vec<LayoutItem>),
}

/// `binding = 3`
#[derive(Debug)]
pub struct LayoutItem {
    /// The name.
    pub name: Name,
    /// The value.
    pub value: Option<Ref>,
}

/// Variables of one type.
#[derive(Debug)]
pub struct Declaration {
    /// What stands before the type.
    pub qualifiers: Vec<Qualifier>,
    /// The type.
    pub ty: TypeName,
    /// The names; of `struct S {...};`, none.
    pub declarators: Vec<Declarator>,
    /// The whole declaration.
    pub span: Span,
}

/// A name that is declared.
#[derive(Debug)]
pub struct Declarator {
    /// The name.
    pub name: Name,
    /// Its array sizes.
    pub arrays: Vec<Option<Ref>>,
    /// Its initial value.
    pub initial: Option<Ref>,
}

/// A parameter.
#[derive(Debug)]
pub struct Parameter {
    /// What stands before the type.
    pub qualifiers: Vec<Qualifier>,
    /// The type.
    pub ty: TypeName,
    /// The name, if it has one.
    pub name: Option<Name>,
    /// Array sizes behind the name.
    pub arrays: Vec<Option<Ref>>,
    /// The whole parameter.
    pub span: Span,
}

/// A function's first line.
#[derive(Debug)]
pub struct Prototype {
    /// What stands before the type.
    pub qualifiers: Vec<Qualifier>,
    /// What it gives.
    pub result: TypeName,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The first line.
    pub span: Span,
}

/// A block.
#[derive(Debug)]
pub struct Block {
    /// What stands before the name.
    pub qualifiers: Vec<Qualifier>,
    /// Its name.
    pub name: Name,
    /// Its members.
    pub members: Vec<Declaration>,
    /// The name of its instance with array sizes.
    pub instance: Option<(Name, Vec<Option<Ref>>)>,
    /// The whole block.
    pub span: Span,
}

/// What a text declares.
#[derive(Debug)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Number of its first token.
    pub token: usize,
}

/// What a text declares.
#[derive(Debug)]
pub enum ItemKind {
    /// Variables, or a structure.
    Declaration(Declaration),
    /// A block.
    Block(Block),
    /// A function that is defined; with the place of its closing brace.
    Function(Prototype, Vec<Statement>, Span),
    /// A function that is declared.
    Prototype(Prototype),
    /// `precision highp float;`
    Precision(Precision, TypeName),
    /// `invariant gl_Position;`, `layout(local_size_x = 8) in;`
    Qualifiers(Vec<Qualifier>, Vec<Name>, Span),
}

/// A statement.
#[derive(Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement is.
#[derive(Debug)]
pub enum StatementKind {
    /// `;`
    Empty,
    /// Variables, or a structure.
    Declaration(Declaration),
    /// A function that is declared inside another, which old versions had.
    Prototype(Prototype),
    /// `precision highp float;`
    Precision(Precision, TypeName),
    /// `invariant x;`, `precise x;`
    Qualifiers(Vec<Qualifier>, Vec<Name>),
    /// An expression.
    Expression(Ref),
    /// `{ ... }`
    Block(Vec<Statement>),
    /// `if (condition) accept else reject`
    If(Ref, Box<Statement>, Option<Box<Statement>>),
    /// `switch (selector) { ... }`
    Switch(Ref, Vec<Statement>),
    /// `case x:`
    Case(Ref),
    /// `default:`
    Default,
    /// `while`
    While(Condition, Box<Statement>),
    /// `do`
    Do(Box<Statement>, Ref),
    /// `for`
    For(Option<Box<Statement>>, Option<Condition>, Option<Ref>, Box<Statement>),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return x;`
    Return(Option<Ref>),
    /// `discard;`, `demote;`
    Discard(bool),
}

/// The condition of a loop.
#[derive(Debug)]
pub enum Condition {
    /// An expression.
    Expression(Ref),
    /// `bool b = x`
    Declare(Box<Declaration>),
}
