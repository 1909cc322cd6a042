//! Statements.

use super::body::{Body, Held, LocalForm};
use crate::Error;
use crate::interface::{Form, Role};
use crate::visit::gives_first_value;
use ::naga::{Block, Expression, Function, Handle, Statement, SwitchCase, SwitchValue, UnaryOperator};
use unshade_ir::ast::{self, Expr, LocalRef, Place, Scalar, Stmt};
use unshade_stage::StageKind;

impl Body<'_, '_, '_> {
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
            if matches!(first, Stmt::Break | Stmt::Continue | Stmt::Return(_) | Stmt::Discard(_)) {
                break;
            }
        }
        Ok(())
    }

    fn first_value(&mut self, statement: &Stmt, local: LocalRef) -> Result<(), Error> {
        let value = match statement {
            Stmt::Assign(_, value) => self.expr(value)?,
            Stmt::Act(act) => match self.act(act)? {
                Some(old) => old,
                None => return Ok(()),
            },
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
                let mut made = self.expr(value)?;
                // Arrays are declared as words.
                if matches!(place, Place::Array(..)) {
                    made = self.bitcast(made, value.ty, Scalar::Uint);
                }
                self.assign(place, made)
            }
            Stmt::Call { function, args, results, .. } => {
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
                let negated = then.is_empty() && !otherwise.is_empty();
                let condition = if negated { self.negated(condition)? } else { self.expr(condition)? };
                let (then, otherwise) = if negated { (otherwise, then) } else { (then, otherwise) };
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
                    end = Some(inner.negated(condition)?);
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
            Stmt::Discard(_) if self.lower.kind == StageKind::Fragment => {
                self.push(Statement::Kill);
                Ok(())
            }
            Stmt::Act(act) => match (self.act(act)?, &act.result) {
                (Some(old), Some(place)) => self.assign(place, old),
                _ => Ok(()),
            },
            Stmt::Discard(_) | Stmt::EmitVertex(..) | Stmt::EndPrimitive(..) => {
                let what = match statement {
                    Stmt::Discard(_) => "discard",
                    Stmt::EmitVertex(..) => "EmitVertex",
                    _ => "EndPrimitive",
                };
                Err(Error::unsupported(format!("{what} in a {} program", self.lower.kind)))
            }
            Stmt::Comment(_) => Ok(()),
        }
    }

    fn leave_unless(&mut self, condition: &Expr) -> Result<(), Error> {
        let condition = self.negated(condition)?;
        let accept = self.nested(|inner| {
            inner.push(Statement::Break);
            Ok(())
        })?;
        self.push(Statement::If { condition, accept, reject: Block::new() });
        Ok(())
    }

    fn negated(&mut self, condition: &Expr) -> Result<Handle<Expression>, Error> {
        if let ast::ExprKind::Unary(ast::Unary::Not, inner) = &condition.kind {
            return self.expr(inner);
        }
        let condition = self.expr(condition)?;
        Ok(self.add(Expression::Unary { op: UnaryOperator::LogicalNot, expr: condition }))
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
                let held = &mut self.globals[global.0 as usize];
                if held.is_none() && slot.role.is_written() {
                    *held = Some(Held::Value(value));
                    let name = self.lower.names.globals[global.0 as usize].clone();
                    self.name(value, name);
                    return Ok(());
                }
                let Some(Held::Pointer(mut pointer, _)) = self.globals[global.0 as usize] else {
                    return Err(Error::invalid("an assignment to something that is no output"));
                };
                if !slot.role.is_written() {
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
            Place::Word(memory, index, lanes) => {
                self.store_word(*memory, index, lanes, value)?;
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
    pub(super) fn store_lanes(
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
            self.drop_at_end();
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
}
