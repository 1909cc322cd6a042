//! Statements.

use super::{Answer, Frame, Run, Value, unknown, zero};
use naga::{Block, Function, Handle, Statement, SwitchValue};

/// How a block ends.
enum Flow {
    On,
    Break,
    Continue,
    Return(Option<Value>),
}

impl<'r> Run<'r> {
    pub(super) fn call(&mut self, handle: Handle<Function>, arguments: Vec<Value>) -> Answer<Option<Value>> {
        self.burn()?;
        let module = &self.parsed.module;
        let function = &module.functions[handle];
        let values = vec![None; function.expressions.len()];
        let mut frame = Frame { function, handle, values, arguments, locals: Vec::new() };
        for (_, local) in function.local_variables.iter() {
            let value = match local.init {
                Some(init) => self.value(&mut frame, init)?,
                None => zero(module, local.ty),
            };
            self.memory.push(value);
            frame.locals.push(self.memory.len() - 1);
        }
        match self.block(&mut frame, &function.body)? {
            Flow::Return(value) => Ok(value),
            _ => Ok(None),
        }
    }

    fn block(&mut self, frame: &mut Frame<'r>, block: &'r Block) -> Answer<Flow> {
        for statement in block {
            self.burn()?;
            match self.statement(frame, statement)? {
                Flow::On => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::On)
    }

    fn truth(&mut self, frame: &mut Frame<'r>, handle: Handle<naga::Expression>) -> Answer<bool> {
        match self.value(frame, handle)? {
            Value::Vector(lanes) => Ok(lanes.first().is_some_and(|lane| lane.is_true())),
            other => unknown(other),
        }
    }

    fn statement(&mut self, frame: &mut Frame<'r>, statement: &'r Statement) -> Answer<Flow> {
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone() {
                    let value = self.evaluate(frame, handle)?;
                    if let Some(place) = frame.values.get_mut(handle.index()) {
                        *place = Some(value);
                    }
                }
            }
            Statement::Block(block) => return self.block(frame, block),
            Statement::If { condition, accept, reject } => {
                let chosen = if self.truth(frame, *condition)? { accept } else { reject };
                return self.block(frame, chosen);
            }
            Statement::Switch { selector, cases } => {
                let Value::Vector(lanes) = self.value(frame, *selector)? else { return unknown("selector") };
                let selector = lanes.first().map_or(0.0, |lane| lane.value);
                let is_it = |case: &naga::SwitchCase| match case.value {
                    SwitchValue::I32(value) => f64::from(value) == selector,
                    SwitchValue::U32(value) => f64::from(value) == selector,
                    SwitchValue::Default => false,
                };
                let default = cases.iter().position(|case| case.value == SwitchValue::Default);
                let Some(first) = cases.iter().position(is_it).or(default) else { return Ok(Flow::On) };
                for case in cases.get(first..).unwrap_or_default() {
                    match self.block(frame, &case.body)? {
                        Flow::On if case.fall_through => {}
                        Flow::On | Flow::Break => break,
                        other => return Ok(other),
                    }
                }
            }
            Statement::Loop { body, continuing, break_if } => loop {
                self.burn()?;
                match self.block(frame, body)? {
                    Flow::On | Flow::Continue => {}
                    Flow::Break => break,
                    other => return Ok(other),
                }
                self.block(frame, continuing)?;
                if let Some(condition) = break_if
                    && self.truth(frame, *condition)?
                {
                    break;
                }
            },
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
            Statement::Return { value } => {
                let value = value.map(|value| self.value(frame, value)).transpose()?;
                return Ok(Flow::Return(value));
            }
            Statement::Store { pointer, value } => {
                let value = self.value(frame, *value)?;
                let Value::Pointer(variable, way) = self.value(frame, *pointer)? else {
                    return unknown("pointer");
                };
                match self.memory.get_mut(variable) {
                    Some(place) => store(place, &way, value)?,
                    None => return unknown("variable"),
                }
            }
            Statement::Call { function, arguments, result } => {
                let mut values = Vec::new();
                for argument in arguments {
                    values.push(self.value(frame, *argument)?);
                }
                let returned = self.call(*function, values)?;
                if let Some(place) = result.and_then(|result| frame.values.get_mut(result.index())) {
                    *place = returned;
                }
            }
            other => return unknown(other),
        }
        Ok(Flow::On)
    }
}

fn store(place: &mut Value, way: &[usize], value: Value) -> Answer<()> {
    let Some((&step, rest)) = way.split_first() else {
        *place = value;
        return Ok(());
    };
    match place {
        Value::Vector(lanes) => match (lanes.get_mut(step), value) {
            (Some(lane), Value::Vector(new)) => {
                *lane = *new.first().unwrap_or(lane);
                Ok(())
            }
            _ => unknown("component"),
        },
        Value::Matrix(columns) => match columns.get_mut(step) {
            Some(column) => {
                let mut whole = Value::Vector(std::mem::take(column));
                store(&mut whole, rest, value)?;
                if let Value::Vector(lanes) = whole {
                    *column = lanes;
                }
                Ok(())
            }
            None => unknown("column"),
        },
        Value::List(list) => match list.get_mut(step) {
            Some(element) => store(element, rest, value),
            None => unknown("element"),
        },
        Value::Pointer(..) => unknown("pointer"),
    }
}
