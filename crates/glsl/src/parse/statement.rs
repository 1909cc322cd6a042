//! Statements.

use super::syntax::{Condition, Declaration, Statement, StatementKind};
use super::{Parsed, Parser, Reported};
use crate::errors::{Kind, Problem};
use crate::language::word::{Keyword, Word};
use crate::lex::{Sign, TokenKind};
use crate::place::Span;

impl Parser<'_> {
    /// Statements up to the closing brace, which is taken; its place.
    pub(super) fn statements_to_brace(&mut self, opened: Span) -> Parsed<(Vec<Statement>, Span)> {
        let mut list = Vec::new();
        loop {
            let token = self.token();
            if self.take(Sign::RightBrace) {
                return Ok((list, token.span));
            }
            if self.is_end() || self.is_over || self.problems.is_full() {
                if self.is_end() {
                    let problem =
                        Problem::error(Kind::Syntax, token.span, "expected `}`, found the end of the text");
                    self.problems.push(problem.note(Some(opened), "to close this"));
                }
                return Err(Reported);
            }
            let (from, depth) = (self.at, self.depth);
            match self.statement() {
                Ok(statement) => list.push(statement),
                Err(Reported) => {
                    self.depth = depth;
                    self.recover_statement(from);
                }
            }
        }
    }

    /// Goes on behind a statement with a mistake: behind its `;`, or before the brace that closes the block around it.
    fn recover_statement(&mut self, from: usize) {
        let mut depth = 0usize;
        for token in self.tokens.get(from..self.at).unwrap_or(&[]) {
            match token.kind {
                TokenKind::Sign(Sign::LeftBrace) => depth += 1,
                TokenKind::Sign(Sign::RightBrace) => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        while !self.is_end() {
            match self.token().kind {
                TokenKind::Sign(Sign::Semicolon) if depth == 0 => {
                    self.advance();
                    return;
                }
                TokenKind::Sign(Sign::LeftBrace) => depth += 1,
                TokenKind::Sign(Sign::RightBrace) if depth == 0 => {
                    if self.at == from {
                        self.advance();
                    }
                    return;
                }
                TokenKind::Sign(Sign::RightBrace) => {
                    depth -= 1;
                    if depth == 0 {
                        self.advance();
                        return;
                    }
                }
                // A word that begins a statement at the start of a line: the `;` before it was forgotten.
                TokenKind::Word(_) if depth == 0 && self.at > from && self.token().starts_line => {
                    if matches!(self.word(0), Some(Word::Keyword(_) | Word::Type(_))) {
                        return;
                    }
                }
                _ => {}
            }
            self.advance();
        }
    }

    fn statement(&mut self) -> Parsed<Statement> {
        self.enter()?;
        let start = self.token().span;
        let kind = self.statement_kind()?;
        self.leave();
        Ok(Statement { kind, span: start.to(self.before()) })
    }

    fn statement_kind(&mut self) -> Parsed<StatementKind> {
        let token = self.token();
        match token.kind {
            TokenKind::Sign(Sign::Semicolon) => {
                self.advance();
                return Ok(StatementKind::Empty);
            }
            TokenKind::Sign(Sign::LeftBrace) => {
                self.advance();
                return self.statements_to_brace(token.span).map(|(list, _)| StatementKind::Block(list));
            }
            TokenKind::Sign(Sign::LeftBracket) if self.peek(1) == TokenKind::Sign(Sign::LeftBracket) => {
                // `[[unroll]]` of GL_EXT_control_flow_attributes: advice that changes nothing.
                self.attributes()?;
                return self.statement_kind();
            }
            _ => {}
        }
        if let Some(Word::Keyword(keyword)) = self.word(0) {
            match keyword {
                Keyword::If => return self.if_(),
                Keyword::Switch => {
                    self.advance();
                    let opened = self.expect(Sign::LeftParenthesis)?;
                    let selector = self.expression()?;
                    self.close(Sign::RightParenthesis, opened)?;
                    let opened = self.expect(Sign::LeftBrace)?;
                    let (body, _) = self.statements_to_brace(opened)?;
                    return Ok(StatementKind::Switch(selector, body));
                }
                Keyword::Case => {
                    self.advance();
                    let value = self.expression()?;
                    self.expect(Sign::Colon)?;
                    return Ok(StatementKind::Case(value));
                }
                Keyword::Default => {
                    self.advance();
                    self.expect(Sign::Colon)?;
                    return Ok(StatementKind::Default);
                }
                Keyword::While => {
                    self.advance();
                    let opened = self.expect(Sign::LeftParenthesis)?;
                    let condition = self.condition()?;
                    self.close(Sign::RightParenthesis, opened)?;
                    return Ok(StatementKind::While(condition, Box::new(self.statement()?)));
                }
                Keyword::Do => {
                    self.advance();
                    let body = Box::new(self.statement()?);
                    if !self.take_keyword(Keyword::While) {
                        return Err(self.unexpected("`while` behind the body of `do`"));
                    }
                    let opened = self.expect(Sign::LeftParenthesis)?;
                    let condition = self.expression()?;
                    self.close(Sign::RightParenthesis, opened)?;
                    self.expect(Sign::Semicolon)?;
                    return Ok(StatementKind::Do(body, condition));
                }
                Keyword::For => return self.for_(),
                Keyword::Break => return self.word_alone(StatementKind::Break),
                Keyword::Continue => return self.word_alone(StatementKind::Continue),
                Keyword::Discard | Keyword::TerminateInvocation => {
                    return self.word_alone(StatementKind::Discard(false));
                }
                Keyword::Demote => return self.word_alone(StatementKind::Discard(true)),
                Keyword::Return => {
                    self.advance();
                    let value = match self.is(Sign::Semicolon) || self.is(Sign::RightBrace) {
                        true => None,
                        false => Some(self.expression()?),
                    };
                    self.semicolon()?;
                    return Ok(StatementKind::Return(value));
                }
                Keyword::Precision => {
                    let (precision, ty) = self.default_precision()?;
                    return Ok(StatementKind::Precision(precision, ty));
                }
                Keyword::Else => {
                    let problem =
                        Problem::error(Kind::Syntax, token.span, "`else` without an `if` before it");
                    return Err(self.report(
                        problem.help("if several statements belong to the `if`, put them in braces"),
                    ));
                }
                _ => {}
            }
        }
        if self.begins_declaration() {
            return self.local_declaration();
        }
        let value = self.expression()?;
        self.semicolon()?;
        Ok(StatementKind::Expression(value))
    }

    /// `[[name]]`
    pub(super) fn attributes(&mut self) -> Parsed<()> {
        let opened = self.token().span;
        let names = [
            "GL_EXT_control_flow_attributes",
            "GL_EXT_subgroup_uniform_control_flow",
            "GL_EXT_maximal_reconvergence",
        ];
        if !self.language.is_any_enabled(&names) {
            let problem = Problem::error(Kind::Version, opened, "attributes are an extension");
            self.problems.push(problem.help("`#extension GL_EXT_control_flow_attributes : enable`"));
        }
        self.advance();
        self.advance();
        while !self.is(Sign::RightBracket) && !self.is_end() {
            self.advance();
        }
        self.close(Sign::RightBracket, opened)?;
        self.close(Sign::RightBracket, opened)?;
        Ok(())
    }

    fn word_alone(&mut self, kind: StatementKind) -> Parsed<StatementKind> {
        self.advance();
        self.semicolon()?;
        Ok(kind)
    }

    fn if_(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let opened = self.expect(Sign::LeftParenthesis)?;
        let condition = self.expression()?;
        self.close(Sign::RightParenthesis, opened)?;
        let accept = Box::new(self.statement()?);
        let reject = match self.take_keyword(Keyword::Else) {
            true => Some(Box::new(self.statement()?)),
            false => None,
        };
        Ok(StatementKind::If(condition, accept, reject))
    }

    fn for_(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let opened = self.expect(Sign::LeftParenthesis)?;
        let start = self.token().span;
        let initial = match self.take(Sign::Semicolon) {
            true => None,
            false => {
                let kind = match self.begins_declaration() {
                    true => self.local_declaration()?,
                    false => {
                        let value = self.expression()?;
                        self.expect(Sign::Semicolon)?;
                        StatementKind::Expression(value)
                    }
                };
                Some(Box::new(Statement { kind, span: start.to(self.before()) }))
            }
        };
        let condition = match self.is(Sign::Semicolon) {
            true => None,
            false => Some(self.condition()?),
        };
        self.expect(Sign::Semicolon)?;
        let step = match self.is(Sign::RightParenthesis) {
            true => None,
            false => Some(self.expression()?),
        };
        self.close(Sign::RightParenthesis, opened)?;
        let body = Box::new(self.statement()?);
        Ok(StatementKind::For(initial, condition, step, body))
    }

    /// The condition of a loop: an expression, or a variable with its value.
    fn condition(&mut self) -> Parsed<Condition> {
        if !self.begins_declaration() {
            return self.expression().map(Condition::Expression);
        }
        let start = self.token().span;
        let qualifiers = self.qualifiers()?;
        let ty = self.type_name("a type")?;
        let name = self.name("the name of a variable")?;
        self.expect(Sign::Assign)?;
        let initial = Some(self.initializer()?);
        let declarator = super::syntax::Declarator { name, arrays: Vec::new(), initial };
        let span = start.to(self.before());
        Ok(Condition::Declare(Box::new(Declaration { qualifiers, ty, declarators: vec![declarator], span })))
    }

    /// Whether a declaration begins here: a qualifier, a type that is not called, or two names behind each other.
    fn begins_declaration(&mut self) -> bool {
        match self.word(0) {
            Some(Word::Keyword(Keyword::Nonuniform)) => {
                self.peek(1) != TokenKind::Sign(Sign::LeftParenthesis)
            }
            Some(Word::Keyword(keyword)) => !matches!(keyword, Keyword::True | Keyword::False),
            Some(Word::Type(_)) => {
                let ahead = self.behind_brackets(1);
                self.peek(ahead) != TokenKind::Sign(Sign::LeftParenthesis)
            }
            Some(Word::Name) => {
                let ahead = self.behind_brackets(1);
                matches!(self.word(ahead), Some(Word::Name | Word::Reserved))
            }
            _ => false,
        }
    }

    /// Where brackets that begin so far ahead end.
    fn behind_brackets(&self, mut ahead: usize) -> usize {
        while self.peek(ahead) == TokenKind::Sign(Sign::LeftBracket) {
            let mut depth = 0usize;
            loop {
                match self.peek(ahead) {
                    TokenKind::Sign(Sign::LeftBracket) => depth += 1,
                    TokenKind::Sign(Sign::RightBracket) => depth = depth.saturating_sub(1),
                    TokenKind::Sign(Sign::Semicolon | Sign::LeftBrace | Sign::RightBrace)
                    | TokenKind::End => {
                        return ahead;
                    }
                    _ => {}
                }
                ahead += 1;
                if depth == 0 {
                    break;
                }
            }
        }
        ahead
    }

    fn local_declaration(&mut self) -> Parsed<StatementKind> {
        let start = self.token().span;
        let qualifiers = self.qualifiers()?;
        if !qualifiers.is_empty()
            && self.word(0) == Some(Word::Name)
            && matches!(self.peek(1), TokenKind::Sign(Sign::Semicolon | Sign::Comma))
        {
            let mut names = vec![self.name("the name of a variable")?];
            while self.take(Sign::Comma) {
                names.push(self.name("the name of a variable")?);
            }
            self.expect(Sign::Semicolon)?;
            return Ok(StatementKind::Qualifiers(qualifiers, names));
        }
        let ty = self.type_name("a type")?;
        if self.take(Sign::Semicolon) {
            let span = start.to(self.before());
            return Ok(StatementKind::Declaration(Declaration {
                qualifiers,
                ty,
                declarators: Vec::new(),
                span,
            }));
        }
        let name = self.name("the name of a variable")?;
        if self.is(Sign::LeftParenthesis) {
            let prototype = self.prototype(qualifiers, ty, name, start)?;
            if self.is(Sign::LeftBrace) {
                let problem = Problem::error(Kind::Syntax, name.span, "a function inside a function");
                return Err(self.report(
                    problem.help("functions stand outside of all others; or a `}` is missing before it"),
                ));
            }
            self.expect(Sign::Semicolon)?;
            return Ok(StatementKind::Prototype(prototype));
        }
        self.declarators(qualifiers, ty, name, start).map(StatementKind::Declaration)
    }
}
