//! Statements.

use super::construct::Target;
use super::{Checked, Checker};
use crate::errors::{Kind, Problem};
use crate::language::Stage;
use crate::parse::syntax;
use crate::parse::syntax::StatementKind as Syntax;
use crate::place::Span;
use crate::tree::{Body, Case, Condition, ExpressionKind, Label, LoopKind, Statement, StatementKind, Value};
use crate::types::{Part, Scalar, Type};
use std::collections::HashMap;

impl Checker<'_> {
    /// Statements in the scope that is open.
    pub(super) fn statements(&mut self, list: &[syntax::Statement]) -> Vec<Statement> {
        let mut done = Vec::with_capacity(list.len());
        for statement in list {
            if self.problems.is_full() {
                break;
            }
            self.statement(statement, &mut done);
        }
        done
    }

    /// A statement in a scope of its own, as the body of a loop is.
    fn scoped(&mut self, statement: &syntax::Statement) -> Body {
        self.open_scope();
        let mut statements = Vec::new();
        match &statement.kind {
            Syntax::Block(list) => statements = self.statements(list),
            _ => self.statement(statement, &mut statements),
        }
        self.close_scope();
        Body { statements }
    }

    fn open_scope(&mut self) {
        self.scopes.push();
        self.precisions.push(Vec::new());
    }

    fn close_scope(&mut self) {
        self.scopes.pop();
        self.precisions.pop();
    }

    /// How many conditions and loops are around this place; only whether there are any is asked.
    pub(super) fn depth_of_flow(&self) -> usize {
        self.flow
    }

    fn statement(&mut self, statement: &syntax::Statement, done: &mut Vec<Statement>) {
        let span = statement.span;
        if !self.enter(span) {
            return;
        }
        if let Some(kind) = self.statement_kind(statement, done) {
            done.push(Statement { kind, span });
        }
        self.leave();
    }

    fn statement_kind(
        &mut self,
        statement: &syntax::Statement,
        done: &mut Vec<Statement>,
    ) -> Checked<StatementKind> {
        let span = statement.span;
        match &statement.kind {
            Syntax::Empty => None,
            Syntax::Declaration(declaration) => {
                done.extend(self.declaration(declaration, false));
                None
            }
            Syntax::Prototype(prototype) => {
                if self.is_es() {
                    let problem = Problem::error(
                        Kind::Syntax,
                        prototype.span,
                        "a function cannot be declared inside another",
                    );
                    self.report(problem.help("put this outside of all functions"));
                    return None;
                }
                self.prototype(prototype, false);
                None
            }
            Syntax::Precision(precision, ty) => {
                self.default_precision(*precision, ty);
                None
            }
            Syntax::Qualifiers(qualifiers, names) => {
                self.standalone(qualifiers, names, span);
                None
            }
            Syntax::Expression(value) => self.any_expression(*value).map(StatementKind::Expression),
            Syntax::Block(list) => {
                self.open_scope();
                let statements = self.statements(list);
                self.close_scope();
                Some(StatementKind::Block(Body { statements }))
            }
            Syntax::If(condition, accept, reject) => {
                let condition = self.condition_value(*condition, "if");
                self.flow += 1;
                let accept = self.scoped(accept);
                let reject = reject.as_ref().map_or(Body::default(), |reject| self.scoped(reject));
                self.flow -= 1;
                Some(StatementKind::If { condition: condition?, accept, reject })
            }
            Syntax::Switch(selector, list) => self.switch(*selector, list),
            Syntax::Case(_) | Syntax::Default => {
                let problem = Problem::error(Kind::Flow, span, "a label outside of `switch`");
                self.report(problem.help("labels stand directly in the braces of a `switch`"));
                None
            }
            Syntax::While(condition, body) => {
                self.open_scope();
                let condition = self.loop_condition(condition, "while");
                let body = self.loop_body(body);
                self.close_scope();
                Some(StatementKind::Loop {
                    kind: LoopKind::While,
                    initial: Body::default(),
                    condition: Some(condition?),
                    step: None,
                    body,
                })
            }
            Syntax::Do(body, condition) => {
                let body = self.loop_body(body);
                let condition = self.condition_value(*condition, "while");
                Some(StatementKind::Loop {
                    kind: LoopKind::DoWhile,
                    initial: Body::default(),
                    condition: Some(Condition::Expression(condition?)),
                    step: None,
                    body,
                })
            }
            Syntax::For(initial, condition, step, body) => {
                self.open_scope();
                let mut statements = Vec::new();
                if let Some(initial) = initial {
                    self.statement(initial, &mut statements);
                }
                let condition = match condition {
                    Some(condition) => self.loop_condition(condition, "for").map(Some),
                    None => Some(None),
                };
                let step = match step {
                    Some(step) => self.any_expression(*step).map(Some),
                    None => Some(None),
                };
                let body = self.loop_body(body);
                self.close_scope();
                Some(StatementKind::Loop {
                    kind: LoopKind::For,
                    initial: Body { statements },
                    condition: condition?,
                    step: step?,
                    body,
                })
            }
            Syntax::Break => {
                if self.loops == 0 && self.switches == 0 {
                    self.error(Kind::Flow, span, "`break` outside of a loop or `switch`");
                    return None;
                }
                Some(StatementKind::Break)
            }
            Syntax::Continue => {
                if self.loops == 0 {
                    self.error(Kind::Flow, span, "`continue` outside of a loop");
                    return None;
                }
                Some(StatementKind::Continue)
            }
            Syntax::Return(value) => self.return_(*value, span),
            Syntax::Discard(is_demote) => {
                if self.language.stage != Stage::Fragment {
                    let word = if *is_demote { "demote" } else { "discard" };
                    let message = format!(
                        "`{word}` is of fragment shaders, and this is a {} shader",
                        self.language.stage
                    );
                    self.error(Kind::Flow, span, message);
                    return None;
                }
                Some(StatementKind::Discard { is_demote: *is_demote })
            }
        }
    }

    fn loop_body(&mut self, body: &syntax::Statement) -> Body {
        self.loops += 1;
        self.flow += 1;
        // A `switch` around the loop is not the one that a `break` in it leaves.
        let body = self.scoped(body);
        self.flow -= 1;
        self.loops -= 1;
        body
    }

    /// A condition: a `bool`.
    fn condition_value(&mut self, value: syntax::Ref, word: &str) -> Checked {
        let value = self.expression(value)?;
        self.need_bool(value, word)?;
        if let ExpressionKind::Assign { operation: None, .. } = self.expressions[value].kind {
            let problem = Problem::warning(
                Kind::Type,
                self.place(value),
                format!("an assignment as the condition of `{word}`"),
            );
            self.report(problem.help("`==` compares"));
        }
        Some(value)
    }

    fn loop_condition(&mut self, condition: &syntax::Condition, word: &str) -> Checked<Condition> {
        match condition {
            syntax::Condition::Expression(value) => {
                self.condition_value(*value, word).map(Condition::Expression)
            }
            syntax::Condition::Declare(declaration) => {
                let statements = self.declaration(declaration, false);
                let Some(Statement {
                    kind: StatementKind::Declare { variable, initial: Some(initial) }, ..
                }) = statements.into_iter().next()
                else {
                    return None;
                };
                self.need_bool(initial, word)?;
                Some(Condition::Declare { variable, initial })
            }
        }
    }

    fn return_(&mut self, value: Option<syntax::Ref>, span: Span) -> Checked<StatementKind> {
        let function = self.function.and_then(|id| self.functions.get(id));
        let result = function.map(|function| (function.result, function.name.clone()));
        self.returns = true;
        match (value, result) {
            (Some(value), Some((result, name))) => {
                let checked = self.any_expression(value)?;
                if result == Type::Void {
                    let message =
                        format!("`{name}` gives nothing, and this is {}", self.shown(self.ty(checked)));
                    let is_void = self.ty(checked) == Type::Void;
                    if is_void && !self.is_es() && self.at_least(420, 0) {
                        // `return f();` of another function that gives nothing is still no value.
                    }
                    self.error(Kind::Type, self.place(checked), message);
                    return None;
                }
                let target = Target { ty: result, what: "to return" };
                if self.types.has(self.ty(checked), Part::Opaque) {
                    self.error(Kind::Type, self.place(checked), "a texture cannot be returned");
                    return None;
                }
                let checked = match self.ty(checked) {
                    Type::Void => {
                        self.error(
                            Kind::Type,
                            span,
                            "a function that gives nothing, where a value is needed",
                        );
                        return None;
                    }
                    _ => self.returned(checked, target)?,
                };
                Some(StatementKind::Return(Some(checked)))
            }
            (Some(value), None) => {
                self.any_expression(value);
                None
            }
            (None, Some((result, name))) if result != Type::Void => {
                let message = format!("`{name}` gives {}, and here nothing is returned", self.shown(result));
                self.error(Kind::Type, span, message);
                None
            }
            (None, _) => Some(StatementKind::Return(None)),
        }
    }

    /// A value to return: conversions there are of 4.20 on.
    fn returned(&mut self, value: crate::tree::ExpressionId, target: Target<'_>) -> Checked {
        let from = self.ty(value);
        if !self.types.same(from, target.ty) && self.type_converts(from, target.ty) && !self.is_es() {
            let since = crate::language::since_or(420, 0, &["GL_ARB_shading_language_420pack"]);
            if !self.language.has(&since) {
                let problem =
                    Problem::warning(Kind::Type, self.place(value), "the value is converted by itself");
                self.report(problem.help("versions before 4.20 may refuse it"));
            }
        }
        self.as_type(value, target.ty, target.what)
    }

    fn switch(&mut self, selector: syntax::Ref, list: &[syntax::Statement]) -> Checked<StatementKind> {
        let selector = self.expression(selector);
        let ty = selector.map(|selector| self.ty(selector));
        if let (Some(selector), Some(ty)) = (selector, ty)
            && !matches!(ty, Type::Scalar(scalar) if scalar.is_integer())
        {
            let message = format!("`switch` takes a whole number, and this is {}", self.shown(ty));
            let problem = Problem::error(Kind::Type, self.place(selector), message);
            self.report(problem.help("`int(...)` converts it"));
        }
        self.open_scope();
        self.switches += 1;
        self.flow += 1;
        let mut cases: Vec<Case> = Vec::new();
        let mut values: HashMap<i128, Span> = HashMap::new();
        let mut has_default = None;
        let mut is_label_open = false;
        let mut is_right = true;
        for statement in list {
            let value = match &statement.kind {
                Syntax::Case(value) => Some(Some(*value)),
                Syntax::Default => Some(None),
                _ => None,
            };
            let Some(value) = value else {
                is_label_open = false;
                match cases.last_mut() {
                    Some(_) => {
                        let mut done = Vec::new();
                        self.statement(statement, &mut done);
                        if let Some(case) = cases.last_mut() {
                            case.body.statements.extend(done);
                        }
                    }
                    None => {
                        let problem = Problem::error(
                            Kind::Flow,
                            statement.span,
                            "a statement before the first label of a `switch`",
                        );
                        self.report(problem.help("it would never run"));
                        is_right = false;
                    }
                }
                continue;
            };
            let label = self.label(value, ty, &mut values, &mut has_default, statement.span);
            let Some(label) = label else {
                is_right = false;
                continue;
            };
            match cases.last_mut().filter(|_| is_label_open) {
                Some(case) => case.labels.push(label),
                None => cases.push(Case { labels: vec![label], body: Body::default() }),
            }
            is_label_open = true;
        }
        if is_label_open {
            let span = list.last().map_or(Span::default(), |last| last.span);
            // The versions between did not ask for one.
            let number = self.language.version.number;
            let asks =
                if self.is_es() { number <= 300 || number >= 320 } else { number <= 430 || number >= 460 };
            let problem = Problem::error(Kind::Flow, span, "a label with no statement behind it");
            match asks {
                true => {
                    is_right = false;
                    self.report(problem.help("`break;`"));
                }
                false => {
                    self.report(Problem::warning(Kind::Flow, span, "a label with no statement behind it"))
                }
            }
        }
        self.flow -= 1;
        self.switches -= 1;
        self.close_scope();
        let selector = selector?;
        is_right.then_some(StatementKind::Switch { selector, cases })
    }

    fn label(
        &mut self,
        value: Option<syntax::Ref>,
        ty: Option<Type>,
        values: &mut HashMap<i128, Span>,
        has_default: &mut Option<Span>,
        span: Span,
    ) -> Checked<Label> {
        let Some(value) = value else {
            if let Some(first) = has_default.replace(span) {
                let problem = Problem::error(Kind::Flow, span, "`default` stands twice");
                self.report(problem.note(Some(first), "the first one is here"));
                return None;
            }
            return Some(Label { value: None, span });
        };
        let value = self.expression(value)?;
        self.whole_number(value, "a label")?;
        let mut value = value;
        if let Some(Type::Scalar(scalar)) = ty
            && self.ty(value) != Type::Scalar(scalar)
        {
            let from = self.ty(value).scalar().unwrap_or(Scalar::Int);
            let is_free = self.converts(from, scalar) || self.converts(scalar, from);
            if !is_free {
                let message = format!(
                    "a label of type {} for a `switch` over {}",
                    self.shown(self.ty(value)),
                    self.shown(Type::Scalar(scalar))
                );
                let problem = Problem::error(Kind::Type, self.place(value), message);
                self.report(problem.help(if scalar.is_unsigned() {
                    "`1u` is a number without a sign"
                } else {
                    ""
                }));
                return None;
            }
            value = self.converted(value, scalar, true, self.place(value));
        }
        let number = self.value(value).and_then(|value| value.values.first().copied());
        let number = match number {
            Some(Value::Int(number)) => i128::from(number),
            Some(Value::Uint(number)) => i128::from(number),
            _ => {
                self.error(Kind::Constant, span, "a label must be a constant");
                return None;
            }
        };
        if let Some(first) = values.insert(number, span) {
            let problem = Problem::error(Kind::Flow, span, format!("the label {number} stands twice"));
            self.report(problem.note(Some(first), "the first one is here"));
            return None;
        }
        Some(Label { value: Some(value), span })
    }
}
