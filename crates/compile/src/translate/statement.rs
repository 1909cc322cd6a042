//! Statements: branches, loops, switches, ways out.

use super::{Result, Translator, unsupported};
use unshade_glsl::tree::{
    Case, Condition, ExpressionId, ExpressionKind, LoopKind, Statement, StatementKind, Value as Known,
};
use unshade_ir::{BlockId, Op, Target, Terminator, Value};

/// Where `break` and `continue` go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exits {
    end: BlockId,
    /// The innermost loop's next pass.
    next: Option<BlockId>,
}

impl Translator<'_> {
    /// Statements one behind the other, up to the first that never lets go on.
    pub(super) fn statements(&mut self, statements: &[Statement]) -> Result<()> {
        for statement in statements {
            if self.has_ended {
                break;
            }
            self.statement(statement)?;
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement) -> Result<()> {
        self.enter(statement.span)?;
        self.do_statement(statement)?;
        self.depth -= 1;
        Ok(())
    }

    fn do_statement(&mut self, statement: &Statement) -> Result<()> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Declare { variable, initial } => {
                if let Some(initial) = initial
                    && self.shader.variables[*variable].is_used
                {
                    let values = self.value(*initial)?;
                    self.at(*initial);
                    let place = self.variable(*variable, span)?;
                    self.store(&place, &values, span)?;
                } else if let Some(initial) = initial {
                    self.value(*initial)?;
                }
            }
            StatementKind::Expression(id) => {
                self.value(*id)?;
            }
            StatementKind::Block(body) => self.statements(&body.statements)?,
            StatementKind::If { condition, accept, reject } => {
                let condition = self.scalar(*condition)?;
                let (then, otherwise, behind) = (self.code.block(), self.code.block(), self.code.block());
                self.branch(condition, then, otherwise);
                self.continue_in(then);
                self.statements(&accept.statements)?;
                let first_ends = self.has_ended;
                self.jump(behind);
                self.continue_in(otherwise);
                self.statements(&reject.statements)?;
                let second_ends = self.has_ended;
                self.jump(behind);
                self.continue_in(behind);
                self.has_ended = first_ends && second_ends;
            }
            StatementKind::Switch { selector, cases } => self.switch(*selector, cases)?,
            StatementKind::Loop { kind, initial, condition, step, body } => {
                self.statements(&initial.statements)?;
                let (head, pass) = (self.code.block(), self.code.block());
                let (next, end) = (self.code.block(), self.code.block());
                let asks_first = *kind != LoopKind::DoWhile;
                self.jump(if asks_first { head } else { pass });
                self.continue_in(head);
                self.condition(condition.as_ref(), pass, end)?;
                self.exits.push(Exits { end, next: Some(next) });
                self.continue_in(pass);
                self.statements(&body.statements)?;
                self.jump(next);
                self.exits.pop();
                self.continue_in(next);
                if let Some(step) = step {
                    self.value(*step)?;
                }
                self.jump(head);
                self.continue_in(end);
            }
            StatementKind::Break => {
                let end = self.exits.last().map(|exits| exits.end);
                let end =
                    end.ok_or_else(|| unsupported("expected a loop or `switch` around `break`", span))?;
                self.jump(end);
            }
            StatementKind::Continue => {
                let next = self.exits.last().and_then(|exits| exits.next);
                let next = next.ok_or_else(|| unsupported("expected a loop around `continue`", span))?;
                self.jump(next);
            }
            StatementKind::Return(value) => {
                let values = match value {
                    Some(value) => self.value(*value)?,
                    None => super::Values::new(),
                };
                let Some(frame) = self.frames.last() else { return Ok(()) };
                let (exit, result) = (frame.exit, frame.result.clone());
                if let Some(result) = result {
                    self.store(&result, &values, span)?;
                }
                self.jump(exit);
            }
            StatementKind::Discard { is_demote: true } => self.effect(Op::Demote, &[]),
            StatementKind::Discard { is_demote: false } => {
                if !self.has_ended {
                    self.code.terminate(Terminator::Discard);
                    self.has_ended = true;
                }
            }
        }
        Ok(())
    }

    fn condition(&mut self, condition: Option<&Condition>, pass: BlockId, end: BlockId) -> Result<()> {
        let asked: Value = match condition {
            None => {
                self.jump(pass);
                return Ok(());
            }
            Some(Condition::Expression(id)) => self.scalar(*id)?,
            Some(Condition::Declare { variable, initial }) => {
                let values = self.value(*initial)?;
                let span = self.span(*initial);
                let place = self.variable(*variable, span)?;
                self.store(&place, &values, span)?;
                values.first().copied().unwrap_or_default()
            }
        };
        self.branch(asked, pass, end);
        Ok(())
    }

    fn switch(&mut self, selector: ExpressionId, cases: &[Case]) -> Result<()> {
        let value = self.scalar(selector)?;
        let end = self.code.block();
        let blocks: Vec<BlockId> = cases.iter().map(|_| self.code.block()).collect();
        let mut default = Target::plain(end);
        let mut labels = Vec::new();
        for (case, block) in cases.iter().zip(&blocks) {
            for label in &case.labels {
                match label.value {
                    None => default = Target::plain(*block),
                    Some(id) => labels.push((self.label(id)?, Target::plain(*block))),
                }
            }
        }
        if !self.has_ended {
            self.code.terminate(Terminator::Switch { value, cases: labels, default });
            self.has_ended = true;
        }
        let next = self.exits.last().and_then(|exits| exits.next);
        self.exits.push(Exits { end, next });
        for (number, case) in cases.iter().enumerate() {
            self.continue_in(blocks[number]);
            self.statements(&case.body.statements)?;
            self.jump(blocks.get(number + 1).copied().unwrap_or(end));
        }
        self.exits.pop();
        self.continue_in(end);
        Ok(())
    }

    fn label(&self, id: ExpressionId) -> Result<u32> {
        let unknown = || unsupported("expected a number that is known", self.span(id));
        let ExpressionKind::Constant(constant) = self.shader.expressions[id].kind else {
            return Err(unknown());
        };
        match self.shader.constants[constant].values.first() {
            Some(Known::Int(number)) => Ok(*number as u32),
            Some(Known::Uint(number)) => Ok(*number as u32),
            _ => Err(unknown()),
        }
    }
}
