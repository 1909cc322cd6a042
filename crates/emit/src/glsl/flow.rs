//! Control flow: conditions, counted loops, switches, and the blocks that they decide about.

use super::expression::{Printed, precedence};
use super::literal::literal;
use super::statement::Steady;
use super::{Printer, types};
use unshade_ir::ast::{Expr, ExprKind, LocalRef, Scalar, Stmt, Unary};

use precedence::{ANY, UNARY};

impl Printer<'_> {
    /// [`Self::braces`] around what an expression decides.
    pub(super) fn decided_braces(&mut self, by: &Expr, block: &[Stmt]) -> Printed {
        self.decide_by(by);
        let printed = self.braces(block);
        self.decided();
        printed
    }

    pub(super) fn if_chain(&mut self, condition: &Expr, then: &[Stmt], otherwise: &[Stmt]) -> Printed {
        let condition_value = self.steady(condition)?;
        self.newline();
        let (mut condition, mut then, mut otherwise) = (condition, then, otherwise);
        let mut steady = Some(condition_value);
        loop {
            self.out.push_str("if (");
            self.mark_expression(condition);
            let negated = then.is_empty() && !otherwise.is_empty();
            if negated {
                self.out.push('!');
                (then, otherwise) = (otherwise, &[]);
            }
            match steady.take() {
                Some(Steady::Name(name)) => self.out.push_str(&name),
                _ => self.negatable(condition, negated)?,
            }
            self.out.push(')');
            self.decided_braces(condition, then)?;
            match otherwise {
                [] => return Ok(()),
                // What follows on a way out needs no `else`.
                _ if is_left(then) => {
                    self.decide_by(condition);
                    let printed = self.block(otherwise);
                    self.decided();
                    return printed;
                }
                // A condition that needs a local of its own cannot stand behind `else`.
                [Stmt::If { condition: next, then: next_then, otherwise: next_otherwise }]
                    if !self.needs_local(next) =>
                {
                    self.out.push_str(" else ");
                    (condition, then, otherwise) = (next, next_then, next_otherwise);
                }
                _ => {
                    self.mark_expression(condition);
                    self.out.push_str(" else");
                    return self.decided_braces(condition, otherwise);
                }
            }
        }
    }

    /// A condition, behind a `!` if it is negated.
    fn negatable(&mut self, condition: &Expr, negated: bool) -> Printed {
        match &condition.kind {
            // Two negations cancel out.
            ExprKind::Unary(Unary::Not, inner) if negated => {
                self.out.pop();
                self.expression(inner, ANY)
            }
            _ => self.expression(condition, if negated { UNARY } else { ANY }),
        }
    }

    pub(super) fn for_loop(
        &mut self,
        counter: LocalRef,
        [start, condition, step]: [&Expr; 3],
        body: &[Stmt],
    ) -> Printed {
        self.newline();
        self.out.push_str("for (");
        if !self.results.declares(counter) {
            let ty = self.program.functions[self.function].locals[counter.0 as usize].ty;
            self.out.push_str(types::name(ty));
            self.out.push(' ');
        }
        self.local_name(counter);
        self.out.push_str(" = ");
        self.expression(start, ANY)?;
        self.out.push_str("; ");
        self.expression(condition, ANY)?;
        self.out.push_str("; ");
        self.local_name(counter);
        match &step.kind {
            ExprKind::Literal(bits) if step.ty.scalar == Scalar::Int && bits.len() == 1 => {
                let word = bits[0] as u32;
                let step = word.cast_signed();
                match step {
                    1 => self.out.push_str("++"),
                    -1 => self.out.push_str("--"),
                    _ => {
                        let back = step < 0 && step != i32::MIN;
                        self.out.push_str(if back { " -= " } else { " += " });
                        let distance = if back { step.unsigned_abs() } else { word };
                        literal(&mut self.out, Scalar::Int, distance.into());
                    }
                }
            }
            ExprKind::Literal(bits) if step.ty.scalar == Scalar::Uint && bits[..] == [1] => {
                self.out.push_str("++");
            }
            _ => {
                self.out.push_str(" += ");
                self.expression(step, ANY)?;
            }
        }
        self.out.push(')');
        self.decided_braces(condition, body)
    }

    pub(super) fn switch(
        &mut self,
        value: &Expr,
        cases: &[(Vec<u32>, Vec<Stmt>)],
        default: &[Stmt],
    ) -> Printed {
        if cases.is_empty() && default.is_empty() {
            return Ok(());
        }
        let steady = self.steady(value)?;
        self.newline();
        self.out.push_str("switch (");
        self.mark_expression(value);
        match steady {
            Steady::Name(name) => self.out.push_str(&name),
            Steady::Expr(value) => self.expression(value, ANY)?,
        }
        self.out.push_str(") {");
        self.decide_by(value);
        for (selectors, body) in cases.iter().filter(|(selectors, _)| !selectors.is_empty()) {
            for (place, &selector) in selectors.iter().enumerate() {
                self.newline();
                self.mark_decision();
                self.out.push_str("case ");
                literal(&mut self.out, value.ty.scalar, selector.into());
                self.out.push(':');
                if place + 1 == selectors.len() {
                    self.case_body(body)?;
                }
            }
        }
        if !default.is_empty() {
            self.newline();
            self.mark_decision();
            self.out.push_str("default:");
            self.case_body(default)?;
        }
        self.decided();
        self.newline();
        self.out.push('}');
        Ok(())
    }

    fn case_body(&mut self, body: &[Stmt]) -> Printed {
        // A declaration must not be visible in the next case.
        let scoped = declares(body);
        if scoped {
            self.out.push_str(" {");
        }
        self.indent += 1;
        self.block(body)?;
        if !is_left(body) {
            self.say_decided("break;")?;
        }
        self.indent -= 1;
        if scoped {
            self.newline();
            self.out.push('}');
        }
        Ok(())
    }
}

/// Whether control leaves a block by a jump at its end.
fn is_left(block: &[Stmt]) -> bool {
    matches!(block.last(), Some(Stmt::Return(_) | Stmt::Discard(_) | Stmt::Break | Stmt::Continue))
}

/// Whether something is declared where the statements of a block stand.
fn declares(block: &[Stmt]) -> bool {
    block.iter().any(|statement| match statement {
        Stmt::Declare(..) | Stmt::Call { .. } => true,
        Stmt::If { then, otherwise, .. } => is_left(then) && declares(otherwise),
        _ => false,
    })
}
