//! One function in work: its expressions, its blocks, its locals.

use super::lower::{Lower, Stored};
use super::types;
use crate::Error;
use crate::visit::{self, Node};
use ::naga::{Block, Expression, Function, Handle, LocalVariable, Span, Statement, Type};
use std::collections::BTreeMap;
use unshade_ir::ast::{self, GlobalRef, LocalRef, Place, Scalar};

/// How a local of the tree is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LocalForm {
    /// Written once where it is declared, which has not come yet.
    Fixed,
    /// A value.
    Value(Handle<Expression>),
    /// Written several times; its variable is not made yet.
    Changing,
    /// A pointer to its variable.
    Variable(Handle<Expression>),
}

/// Blocks nested deeper than this are refused: naga's writers recurse with large frames.
const NESTING_LIMIT: usize = 96;

/// One function in work.
pub(super) struct Body<'l, 'p, 't> {
    pub lower: &'l mut Lower<'p>,
    pub tree: &'t ast::Function,
    /// Names of the locals.
    pub names: Vec<String>,
    /// The structure of several results.
    pub result: Option<Handle<Type>>,
    pub function: Function,
    pub block: Block,
    /// First expression that no statement has emitted yet.
    unemitted: usize,
    nesting: usize,
    pub locals: Vec<LocalForm>,
    /// Of each expression: it is made of literals alone.
    literal_only: Vec<bool>,
    literals: BTreeMap<(Scalar, u64), Handle<Expression>>,
    /// Values or pointers that stand for globals in this function, as [`ast::Program::globals`].
    pub globals: Vec<Option<Held>>,
    /// Globals with a computed index.
    pub indexed: Vec<bool>,
    /// Elements of the globals that are held so.
    pub elements: BTreeMap<usize, Vec<Handle<Expression>>>,
    /// Expressions below the current one that no name cuts off.
    pub height: usize,
    /// The entry: type of the result and what goes into it.
    pub outputs: Option<(Option<Handle<Type>>, Outputs)>,
    pub position: Option<Handle<Expression>>,
}

/// Outputs in the order of the result's members, each with its element where it is an array.
pub type Outputs = Vec<(GlobalRef, Option<u32>)>;

/// A global in a function.
#[derive(Debug, Clone, Copy)]
pub(super) enum Held {
    Value(Handle<Expression>),
    Pointer(Handle<Expression>, Stored),
    /// A field of each structure of an array.
    Field {
        pointer: Handle<Expression>,
        field: u32,
        stored: Stored,
    },
    /// Each element by itself, in [`Body::elements`]: no index is computed.
    Elements,
}

impl<'l, 'p, 't> Body<'l, 'p, 't> {
    pub fn new(
        lower: &'l mut Lower<'p>,
        tree: &'t ast::Function,
        names: Vec<String>,
        function: Function,
    ) -> Self {
        let globals = vec![None; lower.program.globals.len()];
        Self {
            lower,
            tree,
            names,
            result: None,
            function,
            block: Block::new(),
            unemitted: 0,
            nesting: 0,
            locals: local_forms(tree),
            literal_only: Vec::new(),
            literals: BTreeMap::new(),
            indexed: vec![false; globals.len()],
            globals,
            elements: BTreeMap::new(),
            height: 0,
            outputs: None,
            position: None,
        }
    }

    /// `value != 0`, component by component.
    pub fn is_true(&mut self, value: Handle<Expression>, components: u8) -> Handle<Expression> {
        let mut zero = self.literal(Scalar::Uint, 0u32);
        if let Some(size) = types::size(components) {
            zero = self.add(Expression::Splat { size, value: zero });
        }
        self.add(Expression::Binary { op: ::naga::BinaryOperator::NotEqual, left: value, right: zero })
    }

    /// Ends the function.
    pub fn finish(mut self) -> Function {
        self.emit();
        self.function.body = self.block;
        self.function
    }

    // ---- expressions

    /// Adds an expression, to be evaluated before the next statement.
    pub fn add(&mut self, expression: Expression) -> Handle<Expression> {
        let at_once = expression.needs_pre_emit()
            || matches!(expression, Expression::CallResult(_) | Expression::AtomicResult { .. });
        if at_once {
            self.emit();
        }
        let is_literal = matches!(expression, Expression::Literal(_));
        let handle = self.function.expressions.append(expression, Span::UNDEFINED);
        self.literal_only.push(is_literal);
        if at_once {
            self.unemitted = self.function.expressions.len();
        }
        handle
    }

    pub fn mark_literal_only(&mut self, handle: Handle<Expression>) {
        self.literal_only[handle.index()] = true;
    }

    pub fn is_literal_only(&self, handle: Handle<Expression>) -> bool {
        self.literal_only[handle.index()]
    }

    /// Evaluates what has been added.
    pub fn emit(&mut self) {
        if self.function.expressions.len() > self.unemitted {
            let range = self.function.expressions.range_from(self.unemitted);
            self.block.push(Statement::Emit(range), Span::UNDEFINED);
            self.unemitted = self.function.expressions.len();
        }
    }

    /// A literal with digits.
    pub fn literal(&mut self, scalar: Scalar, bits: impl Into<u64>) -> Handle<Expression> {
        let bits = bits.into();
        if let Some(&handle) = self.literals.get(&(scalar, bits)) {
            return handle;
        }
        let handle = self.add(Expression::Literal(super::lower::literal(scalar, bits)));
        self.literals.insert((scalar, bits), handle);
        handle
    }

    /// Gives a value a name of its own in the text, if it has none.
    pub fn name(&mut self, value: Handle<Expression>, name: String) {
        let expression = &self.function.expressions[value];
        if !expression.needs_pre_emit() && !matches!(expression, Expression::CallResult(_)) {
            self.function.named_expressions.entry(value).or_insert(name);
        }
    }

    pub fn variable(&mut self, name: &str, ty: Handle<Type>) -> Handle<Expression> {
        let variable = LocalVariable { name: Some(name.to_owned()), ty, init: None };
        let variable = self.function.local_variables.append(variable, Span::UNDEFINED);
        self.add(Expression::LocalVariable(variable))
    }

    pub fn local_pointer(&mut self, local: LocalRef) -> Handle<Expression> {
        if let LocalForm::Variable(pointer) = self.locals[local.0 as usize] {
            return pointer;
        }
        let ty = self.tree.locals[local.0 as usize].ty;
        let ty = self.lower.ty(ty);
        let name = self.names[local.0 as usize].clone();
        let pointer = self.variable(&name, ty);
        self.locals[local.0 as usize] = LocalForm::Variable(pointer);
        pointer
    }

    pub fn read_local(&mut self, local: LocalRef) -> Handle<Expression> {
        match self.locals[local.0 as usize] {
            LocalForm::Value(value) => value,
            _ => {
                let pointer = self.local_pointer(local);
                self.add(Expression::Load { pointer })
            }
        }
    }

    // ---- statements

    pub fn push(&mut self, statement: Statement) {
        self.emit();
        self.block.push(statement, Span::UNDEFINED);
    }

    pub fn store(&mut self, pointer: Handle<Expression>, value: Handle<Expression>) {
        self.push(Statement::Store { pointer, value });
    }

    /// Lowers into a block of its own.
    pub fn nested(&mut self, fill: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<Block, Error> {
        if self.nesting >= NESTING_LIMIT {
            return Err(Error::invalid(format!("blocks nested deeper than {NESTING_LIMIT}")));
        }
        self.emit();
        self.nesting += 1;
        let around = std::mem::replace(&mut self.block, Block::new());
        let filled = fill(self);
        self.emit();
        self.nesting -= 1;
        let block = std::mem::replace(&mut self.block, around);
        filled.map(|()| block)
    }

    /// A value that naga does not take for a constant.
    pub fn opaque(&mut self, value: Handle<Expression>, ty: ast::Type) -> Handle<Expression> {
        let ty = types::value(&mut self.lower.module, ty);
        let pointer = self.variable("constant", ty);
        self.store(pointer, value);
        self.add(Expression::Load { pointer })
    }
}

/// The form of each local before the body is lowered: values where one write makes them.
fn local_forms(function: &ast::Function) -> Vec<LocalForm> {
    let mut changes = vec![0u32; function.locals.len()];
    for param in &function.params {
        changes[param.0 as usize] = 1;
    }
    let mut count = |local: LocalRef, by: u32| {
        let changes = &mut changes[local.0 as usize];
        *changes = changes.saturating_add(by);
    };
    visit::block(&function.body, &mut |node| match node {
        Node::First(local) => count(local, 1),
        Node::Write(Place::Local(local, _)) => count(*local, 1),
        Node::Counter(local) => count(local, 2),
        Node::Expr(_) | Node::Write(_) | Node::Image(_) | Node::Return => {}
    });
    changes.iter().map(|&count| if count > 1 { LocalForm::Changing } else { LocalForm::Fixed }).collect()
}
