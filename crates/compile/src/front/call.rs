//! Calls: a function is walked where it is called.

use super::{DEPTH, Frame, Walk, shape::Shape, value::Value};
use naga::{Function, Handle};
use unshade_bytes::problem::Result;

impl<'m> Walk<'m> {
    /// Walks a function where it is called; what it returns, if it returns something.
    pub(super) fn inlined(
        &mut self,
        handle: Handle<Function>,
        arguments: Vec<Value>,
    ) -> Result<Option<Value>> {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.refuse("compile.nesting", "calls and blocks nest too deep");
        }
        let module = self.module;
        let function = &module.functions[handle];
        let kept = self.variables.len();
        let returned = self.variable(Self::number(0.0));
        let result = match &function.result {
            Some(result) => {
                let shape = Shape::of(module, result.ty)?;
                Some(self.variable(super::expression::zero(&shape)))
            }
            None => None,
        };
        let mut frame = Frame {
            function,
            handle,
            values: vec![None; function.expressions.len()],
            arguments,
            locals: vec![None; function.local_variables.len()],
            result,
            returned,
            exits: Vec::new(),
        };
        for (local, variable) in function.local_variables.iter() {
            let shape = Shape::of(module, variable.ty)?;
            let value = match variable.init {
                Some(init) => self.value(&mut frame, init)?,
                None => super::expression::zero(&shape),
            };
            let index = self.variable(value);
            if let Some(place) = frame.locals.get_mut(local.index()) {
                *place = Some(index);
            }
        }
        self.block(&mut frame, &function.body)?;
        let value = result.map(|result| self.get(result).clone());
        self.variables.truncate(kept);
        self.depth -= 1;
        Ok(value)
    }
}
