//! Statements.

use super::lower::{Home, Lower, Stored, position_type};
use super::types;
use crate::Error;
use crate::interface::{Form, Role};
use crate::visit::{self, Node, gives_first_value};
use ::naga::{
    Block, Expression, Function, Handle, LocalVariable, Span, Statement, SwitchCase, SwitchValue, Type,
    UnaryOperator,
};
use std::collections::BTreeMap;
use unshade_ir::ast::{self, Expr, GlobalRef, LocalRef, Place, Scalar, Stmt};

/// How a local of the tree is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LocalForm {
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
    tree: &'t ast::Function,
    /// Names of the locals.
    names: Vec<String>,
    /// The structure of several results.
    result: Option<Handle<Type>>,
    pub function: Function,
    block: Block,
    /// First expression that no statement has emitted yet.
    unemitted: usize,
    nesting: usize,
    locals: Vec<LocalForm>,
    /// Of each expression: it is made of literals alone.
    literal_only: Vec<bool>,
    literals: BTreeMap<(Scalar, u32), Handle<Expression>>,
    /// Values or pointers that stand for globals in this function, as [`ast::Program::globals`].
    pub globals: Vec<Option<Held>>,
    /// Expressions below the current one that no name cuts off.
    pub height: usize,
    /// The entry: type of the result and what goes into it.
    outputs: Option<(Handle<Type>, Vec<(GlobalRef, Option<u32>)>)>,
    position: Option<Handle<Expression>>,
}

/// A global in a function.
#[derive(Debug, Clone, Copy)]
pub(super) enum Held {
    Value(Handle<Expression>),
    Pointer(Handle<Expression>, Stored),
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
            globals,
            height: 0,
            outputs: None,
            position: None,
        }
    }

    /// Brings parameters and uniforms in; `result` is the structure of several results.
    pub fn start(&mut self, result: Option<Handle<Type>>) -> Result<(), Error> {
        self.result = result;
        for (position, &param) in self.tree.params.iter().enumerate() {
            let value = self.add(Expression::FunctionArgument(u32::try_from(position).unwrap_or(u32::MAX)));
            if self.locals[param.0 as usize] == LocalForm::Fixed {
                self.locals[param.0 as usize] = LocalForm::Value(value);
            } else {
                let pointer = self.local_pointer(param);
                self.store(pointer, value);
            }
        }
        self.hold_globals(false)
    }

    /// As [`Self::start`] for the entry, with its inputs, outputs and constants.
    pub fn start_entry(
        &mut self,
        ty: Handle<Type>,
        outputs: Vec<(GlobalRef, Option<u32>)>,
    ) -> Result<(), Error> {
        self.hold_globals(true)?;
        let mut argument = 0u32;
        for index in 0..self.lower.slots.len() {
            let slot = self.lower.slots[index];
            match slot.role {
                Role::Input => {
                    let mut elements = Vec::new();
                    for _ in 0..slot.elements().max(1) {
                        elements.push(self.add(Expression::FunctionArgument(argument)));
                        argument += 1;
                    }
                    self.hold_input(index, &elements);
                }
                Role::Output => {
                    self.hold_variable(index);
                }
                // Several globals may write parts of the one position.
                Role::Position => match (self.globals[index], self.position) {
                    (None, Some(pointer)) => {
                        self.globals[index] = Some(Held::Pointer(pointer, Stored::Plain))
                    }
                    _ => self.position = Some(self.hold_variable(index)),
                },
                Role::Constant => self.hold_constant(index)?,
                Role::Uniform => {}
            }
        }
        self.outputs = Some((ty, outputs));
        Ok(())
    }

    /// The variable of a global: its private one, or a local that is made here.
    fn hold_variable(&mut self, index: usize) -> Handle<Expression> {
        if let Some(Held::Pointer(pointer, _)) = self.globals[index] {
            return pointer;
        }
        let slot = self.lower.slots[index];
        let ty = self.lower.unpacked(&slot);
        let name = self.lower.names.globals[index].clone();
        let pointer = self.variable(&name, ty);
        self.globals[index] = Some(Held::Pointer(pointer, Stored::Plain));
        pointer
    }

    /// Fills the variable of a constant with several values.
    fn hold_constant(&mut self, index: usize) -> Result<(), Error> {
        let slot = self.lower.slots[index];
        if slot.form == Form::Single {
            return Ok(());
        }
        let base = self.hold_variable(index);
        for element in 0..slot.elements() {
            let value = self.constant_value(index, element)?;
            let target = self.add(Expression::AccessIndex { base, index: element });
            self.store(target, value);
        }
        Ok(())
    }

    /// The literal of an element of a constant.
    fn constant_value(&mut self, index: usize, element: u32) -> Result<Handle<Expression>, Error> {
        let ty = self.lower.slots[index].ty;
        let words = self.lower.program.globals[index].global.constant.as_deref().unwrap_or_default();
        let first = element as usize * if ty.scalar == Scalar::Bool { 1 } else { 4 };
        let bits: Vec<u32> = (0..usize::from(ty.components))
            .map(|lane| words.get(first + lane).copied().unwrap_or(0))
            .collect();
        self.literal_vector(ty, &bits)
    }

    /// Parameters of the entry become the value of an input, or fill its variable.
    fn hold_input(&mut self, index: usize, elements: &[Handle<Expression>]) {
        let slot = self.lower.slots[index];
        if self.globals[index].is_none() && slot.form == Form::Single {
            self.globals[index] = elements.first().map(|&value| Held::Value(value));
            return;
        }
        let pointer = self.hold_variable(index);
        for (element, &value) in elements.iter().enumerate() {
            let target = match slot.form {
                Form::Single => pointer,
                _ => {
                    let index = u32::try_from(element).unwrap_or(u32::MAX);
                    self.add(Expression::AccessIndex { base: pointer, index })
                }
            };
            self.store(target, value);
        }
    }

    /// Uniforms and private variables that this function uses. A uniform that is a single value or a matrix
    /// is read once, under its own name.
    fn hold_globals(&mut self, is_entry: bool) -> Result<(), Error> {
        let mut used = vec![false; self.lower.slots.len()];
        visit::block(&self.tree.body, &mut |node| {
            let global = match node {
                Node::Expr(expr) => match expr.kind {
                    ast::ExprKind::Global(global, _) | ast::ExprKind::MatrixVector(global, ..) => global,
                    _ => return,
                },
                Node::Write(Place::Global(global, ..)) => *global,
                _ => return,
            };
            used[global.0 as usize] = true;
        });
        let buffer = self.lower.uniforms.map(|uniforms| self.add(Expression::GlobalVariable(uniforms)));
        for (index, used) in used.into_iter().enumerate() {
            let slot = self.lower.slots[index];
            match self.lower.homes[index] {
                Home::Uniform { member, stored } if used => {
                    let Some(base) = buffer else { continue };
                    let pointer = self.add(Expression::AccessIndex { base, index: member });
                    self.globals[index] = Some(Held::Pointer(pointer, stored));
                    if stored == Stored::Matrix || slot.form == Form::Single {
                        let value = self.add(Expression::Load { pointer });
                        let value = if stored == Stored::Word { self.is_true(value) } else { value };
                        let name = self.lower.names.globals[index].clone();
                        self.name(value, name);
                        self.globals[index] = Some(Held::Value(value));
                    }
                }
                Home::Private(variable) if used || is_entry => {
                    let pointer = self.add(Expression::GlobalVariable(variable));
                    self.globals[index] = Some(Held::Pointer(pointer, Stored::Plain));
                }
                Home::Local if used && slot.role == Role::Constant && slot.form == Form::Single => {
                    let value = self.constant_value(index, 0)?;
                    let name = self.lower.names.globals[index].clone();
                    self.name(value, name);
                    self.globals[index] = Some(Held::Value(value));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// `value != 0`.
    pub fn is_true(&mut self, value: Handle<Expression>) -> Handle<Expression> {
        let zero = self.literal(Scalar::Uint, 0);
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
        let at_once = expression.needs_pre_emit() || matches!(expression, Expression::CallResult(_));
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
    pub fn literal(&mut self, scalar: Scalar, bits: u32) -> Handle<Expression> {
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

    fn local_pointer(&mut self, local: LocalRef) -> Handle<Expression> {
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
    fn nested(&mut self, fill: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<Block, Error> {
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

    pub fn statements(&mut self, block: &[Stmt]) -> Result<(), Error> {
        let mut rest = block;
        while let [first, tail @ ..] = rest {
            rest = tail;
            if let (Stmt::Declare(local, None), [second, behind @ ..]) = (first, tail)
                && self.locals[local.0 as usize] == LocalForm::Fixed
                && gives_first_value(second, *local)
            {
                rest = behind;
                self.first_value(second, *local)?;
            } else {
                self.statement(first)?;
            }
            // Nothing behind a jump is reached, and naga allows nothing there.
            if matches!(first, Stmt::Break | Stmt::Continue | Stmt::Return(_) | Stmt::Discard) {
                break;
            }
        }
        Ok(())
    }

    fn first_value(&mut self, statement: &Stmt, local: LocalRef) -> Result<(), Error> {
        let value = match statement {
            Stmt::Assign(_, value) => self.expr(value)?,
            Stmt::Call { function, args, .. } => match self.call(function.0 as usize, args)? {
                Some(value) => value,
                None => return Err(Error::invalid("a result of a function that has none")),
            },
            _ => return Ok(()),
        };
        self.fix(local, value);
        Ok(())
    }

    fn fix(&mut self, local: LocalRef, value: Handle<Expression>) {
        let name = self.names[local.0 as usize].clone();
        self.name(value, name);
        self.emit();
        self.locals[local.0 as usize] = LocalForm::Value(value);
    }

    fn statement(&mut self, statement: &Stmt) -> Result<(), Error> {
        match statement {
            Stmt::Declare(local, value) => self.declare(*local, value.as_ref()),
            Stmt::Assign(place, value) => {
                let value = self.expr(value)?;
                self.assign(place, value)
            }
            Stmt::Call { function, args, results } => {
                let result = self.call(function.0 as usize, args)?;
                match (result, results.as_slice()) {
                    (Some(value), [Some(place)]) => self.assign(place, value),
                    (Some(whole), several) if several.len() > 1 => {
                        for (index, place) in several.iter().enumerate() {
                            if let Some(place) = place {
                                let index = u32::try_from(index).unwrap_or(u32::MAX);
                                let value = self.add(Expression::AccessIndex { base: whole, index });
                                self.assign(place, value)?;
                            }
                        }
                        Ok(())
                    }
                    _ => Ok(()),
                }
            }
            Stmt::If { condition, then, otherwise } => {
                let condition = self.expr(condition)?;
                let accept = self.nested(|body| body.statements(then))?;
                let reject = self.nested(|body| body.statements(otherwise))?;
                self.push(Statement::If { condition, accept, reject });
                Ok(())
            }
            Stmt::For { counter, start, condition, step, body } => {
                let start = self.expr(start)?;
                let pointer = self.local_pointer(*counter);
                self.store(pointer, start);
                let body = self.nested(|inner| {
                    inner.leave_unless(condition)?;
                    inner.statements(body)
                })?;
                let continuing = self.nested(|inner| {
                    let value = inner.add(Expression::Load { pointer });
                    let step = inner.expr(step)?;
                    let op = ::naga::BinaryOperator::Add;
                    let next = inner.add(Expression::Binary { op, left: value, right: step });
                    inner.store(pointer, next);
                    Ok(())
                })?;
                self.push(Statement::Loop { body, continuing, break_if: None });
                Ok(())
            }
            Stmt::While { condition, body } => {
                let body = self.nested(|inner| {
                    inner.leave_unless(condition)?;
                    inner.statements(body)
                })?;
                self.push(Statement::Loop { body, continuing: Block::new(), break_if: None });
                Ok(())
            }
            Stmt::DoWhile { body, condition } => {
                let body = self.nested(|inner| inner.statements(body))?;
                let mut end = None;
                let continuing = self.nested(|inner| {
                    let condition = inner.expr(condition)?;
                    let op = UnaryOperator::LogicalNot;
                    end = Some(inner.add(Expression::Unary { op, expr: condition }));
                    Ok(())
                })?;
                self.push(Statement::Loop { body, continuing, break_if: end });
                Ok(())
            }
            Stmt::Loop(body) => {
                let body = self.nested(|inner| inner.statements(body))?;
                self.push(Statement::Loop { body, continuing: Block::new(), break_if: None });
                Ok(())
            }
            Stmt::Switch { value, cases, default } => self.switch(value, cases, default),
            Stmt::Return(values) => self.return_values(values),
            Stmt::Break => {
                self.push(Statement::Break);
                Ok(())
            }
            Stmt::Continue => {
                self.push(Statement::Continue);
                Ok(())
            }
            Stmt::Discard => Err(Error::unsupported("discard in a vertex program")),
            Stmt::EmitVertex => Err(Error::unsupported("EmitVertex in a vertex program")),
            Stmt::EndPrimitive => Err(Error::unsupported("EndPrimitive in a vertex program")),
            Stmt::Comment(_) => Ok(()),
        }
    }

    fn leave_unless(&mut self, condition: &Expr) -> Result<(), Error> {
        let condition = self.expr(condition)?;
        let reject = self.nested(|inner| {
            inner.push(Statement::Break);
            Ok(())
        })?;
        self.push(Statement::If { condition, accept: Block::new(), reject });
        Ok(())
    }

    fn declare(&mut self, local: LocalRef, value: Option<&Expr>) -> Result<(), Error> {
        let Some(value) = value else {
            self.local_pointer(local);
            return Ok(());
        };
        let value = self.expr(value)?;
        if self.locals[local.0 as usize] == LocalForm::Fixed {
            self.fix(local, value);
        } else {
            let pointer = self.local_pointer(local);
            self.store(pointer, value);
        }
        Ok(())
    }

    fn assign(&mut self, place: &Place, value: Handle<Expression>) -> Result<(), Error> {
        match place {
            Place::Local(local, lanes) => {
                let components = self.tree.locals[local.0 as usize].ty.components;
                let pointer = self.local_pointer(*local);
                self.store_lanes(pointer, components, lanes, value);
            }
            Place::Global(global, index, lanes) => {
                let slot = self.lower.slots[global.0 as usize];
                let Some(Held::Pointer(mut pointer, _)) = self.globals[global.0 as usize] else {
                    return Err(Error::invalid("an assignment to something that is no output"));
                };
                if !matches!(slot.role, Role::Output | Role::Position) {
                    return Err(Error::invalid("an assignment to something that is no output"));
                }
                match (slot.form, index) {
                    (Form::Single, None) => {}
                    (Form::Single, Some(_)) | (_, None) => {
                        return Err(Error::invalid("an output with an index that it does not have"));
                    }
                    (_, Some(index)) => match self.element_pointer(pointer, slot.elements(), index)? {
                        Some(element) => pointer = element,
                        None => return Ok(()),
                    },
                }
                if slot.role == Role::Position {
                    let own: Vec<u8> = (0..slot.ty.components).collect();
                    let lanes = if lanes.is_empty() { &own } else { lanes };
                    let lanes: Vec<u8> = lanes.iter().map(|lane| lane + slot.component).collect();
                    self.store_lanes(pointer, 4, &lanes, value);
                } else {
                    self.store_lanes(pointer, slot.ty.components, lanes, value);
                }
            }
            Place::Array(array, index) => {
                let base = self.add(Expression::GlobalVariable(self.lower.arrays[*array as usize]));
                let words = self.lower.program.arrays[*array as usize].words;
                if let Some(pointer) = self.element_pointer(base, words, index)? {
                    self.store(pointer, value);
                }
            }
        }
        Ok(())
    }

    /// Stores to some components of a vector variable.
    fn store_lanes(
        &mut self,
        pointer: Handle<Expression>,
        components: u8,
        lanes: &[u8],
        value: Handle<Expression>,
    ) {
        let all = lanes.len() == usize::from(components)
            && lanes.iter().enumerate().all(|(place, &lane)| usize::from(lane) == place);
        if lanes.is_empty() || all || components == 1 {
            return self.store(pointer, value);
        }
        for (place, &lane) in lanes.iter().enumerate() {
            let target = self.add(Expression::AccessIndex { base: pointer, index: u32::from(lane) });
            let component = match lanes.len() {
                1 => value,
                _ => {
                    let index = u32::try_from(place).unwrap_or(u32::MAX);
                    self.add(Expression::AccessIndex { base: value, index })
                }
            };
            self.store(target, component);
        }
    }

    /// A call; its result, if the function has any.
    fn call(&mut self, function: usize, args: &[Expr]) -> Result<Option<Handle<Expression>>, Error> {
        let arguments = args.iter().map(|arg| self.expr(arg)).collect::<Result<Vec<_>, _>>()?;
        let has_result = !self.lower.program.functions[function].results.is_empty();
        let function = self.lower.functions[function];
        Ok(self.call_function(function, arguments, has_result))
    }

    pub fn call_function(
        &mut self,
        function: Handle<Function>,
        arguments: Vec<Handle<Expression>>,
        has_result: bool,
    ) -> Option<Handle<Expression>> {
        self.emit();
        let result = has_result.then(|| self.add(Expression::CallResult(function)));
        self.push(Statement::Call { function, arguments, result });
        result
    }

    fn switch(
        &mut self,
        value: &Expr,
        cases: &[(Vec<u32>, Vec<Stmt>)],
        default: &[Stmt],
    ) -> Result<(), Error> {
        let signed = value.ty.scalar == Scalar::Int;
        let selector = self.expr(value)?;
        let mut lowered = Vec::with_capacity(cases.len() + 1);
        for (selectors, body) in cases {
            let Some((&last, others)) = selectors.split_last() else { continue };
            let value = |bits: u32| {
                if signed { SwitchValue::I32(bits.cast_signed()) } else { SwitchValue::U32(bits) }
            };
            for &other in others {
                lowered.push(SwitchCase { value: value(other), body: Block::new(), fall_through: true });
            }
            let body = self.nested(|inner| inner.statements(body))?;
            lowered.push(SwitchCase { value: value(last), body, fall_through: false });
        }
        let body = self.nested(|inner| inner.statements(default))?;
        lowered.push(SwitchCase { value: SwitchValue::Default, body, fall_through: false });
        self.push(Statement::Switch { selector, cases: lowered });
        Ok(())
    }

    fn return_values(&mut self, values: &[Expr]) -> Result<(), Error> {
        if self.outputs.is_some() {
            self.return_outputs();
            return Ok(());
        }
        let values = values.iter().map(|value| self.expr(value)).collect::<Result<Vec<_>, _>>()?;
        let value = match (values.as_slice(), self.result) {
            (several, Some(ty)) if several.len() > 1 => {
                Some(self.add(Expression::Compose { ty, components: values }))
            }
            (values, _) => values.first().copied(),
        };
        self.push(Statement::Return { value });
        Ok(())
    }

    /// Ends the entry with its outputs, unless it has just ended.
    pub fn return_outputs(&mut self) {
        if matches!(self.block.last(), Some(Statement::Return { .. })) {
            return;
        }
        let Some((ty, outputs)) = self.outputs.clone() else { return };
        let position = match self.position {
            Some(pointer) => self.add(Expression::Load { pointer }),
            None => {
                let ty = self.lower.ty(position_type());
                self.add(Expression::ZeroValue(ty))
            }
        };
        let mut components = vec![position];
        for (global, element) in outputs {
            let Some(Held::Pointer(mut pointer, _)) = self.globals[global.0 as usize] else { continue };
            if let Some(index) = element {
                pointer = self.add(Expression::AccessIndex { base: pointer, index });
            }
            components.push(self.add(Expression::Load { pointer }));
        }
        let value = Some(self.add(Expression::Compose { ty, components }));
        self.push(Statement::Return { value });
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
        Node::Expr(_) | Node::Write(_) => {}
    });
    changes.iter().map(|&count| if count > 1 { LocalForm::Changing } else { LocalForm::Fixed }).collect()
}
