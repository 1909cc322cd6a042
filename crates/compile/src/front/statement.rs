//! Statements.

use super::{Exit, Frame, Walk, value::Value};
use crate::vector::{Item, Lane, Op, Relation};
use naga::{Block, Expression, Handle, Span, Statement, SwitchCase, SwitchValue};
use smallvec::smallvec;
use unshade_bytes::problem::Result;

impl<'m> Walk<'m> {
    /// Walks the statements of a block.
    pub(super) fn block(&mut self, frame: &mut Frame<'m>, block: &'m Block) -> Result<()> {
        let statements: Vec<(&'m Statement, Span)> =
            block.span_iter().map(|(statement, span)| (statement, *span)).collect();
        self.depth += 1;
        if self.depth > super::DEPTH {
            return self.refuse("compile.nesting", "calls and blocks nest too deep");
        }
        let done = self.statements(frame, &statements);
        self.depth -= 1;
        done
    }

    fn statements(&mut self, frame: &mut Frame<'m>, mut rest: &[(&'m Statement, Span)]) -> Result<()> {
        while let Some(((statement, span), behind)) = rest.split_first() {
            rest = behind;
            self.budget()?;
            self.at(*span);
            match statement {
                Statement::If { condition, accept, reject } => {
                    let condition = self.lanes(frame, *condition)?.first().copied().unwrap_or(Lane::ZERO);
                    if self.branches(frame, condition, accept, reject, rest)? {
                        return Ok(());
                    }
                }
                other => self.statement(frame, other, *span)?,
            }
            // What comes behind runs only where nothing was left.
            let left = self.left(frame);
            if left.is(1.0) {
                return Ok(());
            }
            if !left.is(0.0) && !rest.is_empty() {
                let stays = self.not_one(left);
                return self.under(stays, |walk| walk.statements(frame, rest));
            }
        }
        Ok(())
    }

    /// 1 where the function, the loop or the pass has been left.
    pub(super) fn left(&mut self, frame: &Frame<'m>) -> Lane {
        let mut left = self.flag(frame.returned);
        if let Some(exit) = frame.exits.last() {
            for variable in [Some(exit.broken), exit.continued].into_iter().flatten() {
                let flag = self.flag(variable);
                left = self.or(left, flag);
            }
            // Inside a switch the pass of a loop around may have been left too.
            if exit.continued.is_none()
                && let Some(continued) = frame.exits.iter().rev().find_map(|exit| exit.continued)
            {
                let flag = self.flag(continued);
                left = self.or(left, flag);
            }
        }
        left
    }

    /// What a variable holds that is a truth.
    pub(super) fn flag(&self, variable: usize) -> Lane {
        match self.get(variable) {
            Value::Vector(lanes) => lanes.first().copied().unwrap_or(Lane::ZERO),
            _ => Lane::ZERO,
        }
    }

    fn raise(&mut self, variable: usize) {
        self.set(variable, Self::number(1.0));
    }

    fn statement(&mut self, frame: &mut Frame<'m>, statement: &'m Statement, span: Span) -> Result<()> {
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone() {
                    self.emit(frame, handle)?;
                }
                Ok(())
            }
            Statement::Block(block) => self.block(frame, block),
            Statement::Store { pointer, value } => {
                let value = self.value(frame, *value)?;
                let Value::Pointer(pointer) = self.value(frame, *pointer)? else { return self.unexpected() };
                self.at(span);
                self.store(&pointer, value)
            }
            Statement::Call { function, arguments, result } => {
                let mut values = Vec::with_capacity(arguments.len());
                for &argument in arguments {
                    values.push(self.value(frame, argument)?);
                }
                let returned = self.call(*function, values)?;
                if let (Some(result), Some(value)) = (result, returned)
                    && let Some(place) = frame.values.get_mut(result.index())
                {
                    *place = Some(value);
                }
                Ok(())
            }
            Statement::Return { value } => {
                if let (Some(result), Some(value)) = (frame.result, value) {
                    let value = self.value(frame, *value)?;
                    self.set(result, value);
                }
                self.raise(frame.returned);
                Ok(())
            }
            Statement::Break => match frame.exits.last().copied() {
                Some(exit) => {
                    self.raise(exit.broken);
                    Ok(())
                }
                None => self.unexpected(),
            },
            Statement::Continue => match frame.exits.iter().rev().find_map(|exit| exit.continued) {
                Some(continued) => {
                    self.raise(continued);
                    Ok(())
                }
                None => self.unexpected(),
            },
            Statement::Loop { body, continuing, break_if } => self.repeat(frame, body, continuing, *break_if),
            Statement::Switch { selector, cases } => self.switch(frame, *selector, cases),
            Statement::Kill => self.refuse("compile.unsupported", "a vertex cannot be discarded"),
            _ => self.refuse("compile.unsupported", "the machine has nothing for this statement"),
        }
    }

    /// Walks what runs only where a truth is 1.
    pub(super) fn under(
        &mut self,
        condition: Lane,
        walk: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let span = self.builder.span;
        let before = self.variables.clone();
        self.builder.open();
        walk(self)?;
        self.compute_products(&before);
        let accept = self.builder.close();
        self.variables.truncate(before.len());
        let after = std::mem::replace(&mut self.variables, before.clone());
        self.builder.span = span;
        self.merge(condition, (accept, after), (Vec::new(), before))
    }

    /// A condition. What comes behind it is walked too where only one of its parts goes on; then the answer is yes.
    fn branches(
        &mut self,
        frame: &mut Frame<'m>,
        condition: Lane,
        accept: &'m Block,
        reject: &'m Block,
        rest: &[(&'m Statement, Span)],
    ) -> Result<bool> {
        match condition.value() {
            Some(0.0) => {
                self.block(frame, reject)?;
                return Ok(false);
            }
            Some(_) => {
                self.block(frame, accept)?;
                return Ok(false);
            }
            None => {}
        }
        let span = self.builder.span;
        let before = self.variables.clone();
        self.builder.open();
        self.block(frame, accept)?;
        self.compute_products(&before);
        let first_left = self.left(frame);
        let first_goes_on = first_left.is(0.0);
        // Whether the other part is left is known only when it has been walked, so the first one waits.
        let mut first = Some(self.builder.close());
        let mut after_first = std::mem::replace(&mut self.variables, before.clone());
        self.builder.open();
        self.block(frame, reject)?;
        let second_left = self.left(frame);
        let takes_rest = first_left.is(1.0) && second_left.is(0.0) && !rest.is_empty();
        if takes_rest {
            self.statements(frame, rest)?;
        }
        self.compute_products(&before);
        let second = self.builder.close();
        let after_second = std::mem::replace(&mut self.variables, before.clone());
        let mut gave_rest = false;
        if first_goes_on && second_left.is(1.0) && !rest.is_empty() {
            // The first part goes on alone: once more, with what comes behind.
            self.builder.open();
            for item in first.take().into_iter().flatten() {
                self.builder.push(item);
            }
            self.variables = after_first;
            self.statements(frame, rest)?;
            self.compute_products(&before);
            first = Some(self.builder.close());
            after_first = std::mem::replace(&mut self.variables, before);
            gave_rest = true;
        }
        self.builder.span = span;
        self.merge(condition, (first.unwrap_or_default(), after_first), (second, after_second))?;
        Ok(takes_rest || gave_rest)
    }

    /// A choice between many: conditions one behind the other.
    fn switch(
        &mut self,
        frame: &mut Frame<'m>,
        selector: Handle<Expression>,
        cases: &'m [SwitchCase],
    ) -> Result<()> {
        let selector = self.lanes(frame, selector)?.first().copied().unwrap_or(Lane::ZERO);
        let broken = self.variable(Self::number(0.0));
        frame.exits.push(Exit { broken, continued: None });
        // Cases that share a body: all but the last have nothing and fall through.
        let mut groups: Vec<(Vec<f32>, bool, usize)> = Vec::new();
        let (mut values, mut is_default) = (Vec::new(), false);
        for (index, case) in cases.iter().enumerate() {
            match case.value {
                SwitchValue::I32(value) => values.push(value as f32),
                SwitchValue::U32(value) => values.push(value as f32),
                SwitchValue::Default => is_default = true,
            }
            if !(case.fall_through && case.body.is_empty()) {
                groups.push((std::mem::take(&mut values), std::mem::take(&mut is_default), index));
            }
        }
        groups.sort_by_key(|(_, is_default, _)| *is_default);
        let done = self.switch_groups(frame, selector, cases, &groups);
        frame.exits.pop();
        done
    }

    fn switch_groups(
        &mut self,
        frame: &mut Frame<'m>,
        selector: Lane,
        cases: &'m [SwitchCase],
        groups: &[(Vec<f32>, bool, usize)],
    ) -> Result<()> {
        let Some(((values, is_default, index), others)) = groups.split_first() else { return Ok(()) };
        self.budget()?;
        if *is_default {
            return self.switch_case(frame, cases, *index);
        }
        let mut condition = Lane::ZERO;
        for &value in values {
            let value = smallvec![Lane::constant(value)];
            let is_it = self.builder.lanewise(Op::Compare(Relation::Eq), &[smallvec![selector], value]);
            let is_it = is_it.first().copied().unwrap_or(Lane::ZERO);
            condition = self.or(condition, is_it);
        }
        match condition.value() {
            Some(0.0) => return self.switch_groups(frame, selector, cases, others),
            Some(_) => return self.switch_case(frame, cases, *index),
            None => {}
        }
        self.depth += 1;
        if self.depth > super::DEPTH {
            return self.refuse("compile.nesting", "calls and blocks nest too deep");
        }
        let span = self.builder.span;
        let before = self.variables.clone();
        self.builder.open();
        self.switch_case(frame, cases, *index)?;
        self.compute_products(&before);
        let first = self.builder.close();
        let after_first = std::mem::replace(&mut self.variables, before.clone());
        self.builder.open();
        self.switch_groups(frame, selector, cases, others)?;
        self.compute_products(&before);
        let second = self.builder.close();
        let after_second = std::mem::replace(&mut self.variables, before);
        self.builder.span = span;
        self.depth -= 1;
        self.merge(condition, (first, after_first), (second, after_second))
    }

    /// A body, and the next ones as long as it falls through.
    fn switch_case(&mut self, frame: &mut Frame<'m>, cases: &'m [SwitchCase], index: usize) -> Result<()> {
        for case in cases.get(index..).unwrap_or_default() {
            self.block(frame, &case.body)?;
            if !case.fall_through {
                break;
            }
            let left = self.left(frame);
            if left.is(1.0) {
                break;
            }
            if !left.is(0.0) {
                return Err(self
                    .problem(
                        "compile.unsupported",
                        "a case that sometimes breaks and sometimes falls through",
                    )
                    .note("end each case with `break`"));
            }
        }
        Ok(())
    }

    /// Appends a condition to the program.
    pub(super) fn push_if(
        &mut self,
        condition: Lane,
        accept: Vec<Item>,
        reject: Vec<Item>,
        results: Vec<crate::vector::Id>,
    ) {
        let span = self.builder.span;
        self.builder.push(Item::If { condition, accept, reject, results, span });
    }
}
