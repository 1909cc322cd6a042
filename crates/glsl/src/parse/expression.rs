//! Expressions, by precedence.

use super::syntax::{ExpressionKind, Name, Ref, TypeBase, TypeName};
use super::{Parsed, Parser};
use crate::errors::{Kind, Problem};
use crate::language::word::{Keyword, Word};
use crate::lex::{Literal, Sign, TokenKind, literal};
use crate::place::Span;
use crate::tree::{Binary, Unary};

/// What a sign between two operands means.
enum Between {
    Operation(Binary),
    And,
    Or,
}

/// The sign and its precedence: higher ones bind more.
fn between(sign: Sign) -> Option<(Between, u8)> {
    let operation = |binary, level| Some((Between::Operation(binary), level));
    match sign {
        Sign::Or => Some((Between::Or, 1)),
        Sign::Xor => operation(Binary::LogicalXor, 2),
        Sign::And => Some((Between::And, 3)),
        Sign::Bar => operation(Binary::BitOr, 4),
        Sign::Caret => operation(Binary::BitXor, 5),
        Sign::Ampersand => operation(Binary::BitAnd, 6),
        Sign::Equal => operation(Binary::Equal, 7),
        Sign::NotEqual => operation(Binary::NotEqual, 7),
        Sign::Less => operation(Binary::Less, 8),
        Sign::Greater => operation(Binary::Greater, 8),
        Sign::LessEqual => operation(Binary::LessEqual, 8),
        Sign::GreaterEqual => operation(Binary::GreaterEqual, 8),
        Sign::ShiftLeft => operation(Binary::ShiftLeft, 9),
        Sign::ShiftRight => operation(Binary::ShiftRight, 9),
        Sign::Plus => operation(Binary::Add, 10),
        Sign::Minus => operation(Binary::Subtract, 10),
        Sign::Star => operation(Binary::Multiply, 11),
        Sign::Slash => operation(Binary::Divide, 11),
        Sign::Percent => operation(Binary::Remainder, 11),
        _ => None,
    }
}

/// What an assignment does before it assigns.
fn assignment(sign: Sign) -> Option<Option<Binary>> {
    Some(match sign {
        Sign::Assign => None,
        Sign::AddAssign => Some(Binary::Add),
        Sign::SubtractAssign => Some(Binary::Subtract),
        Sign::MultiplyAssign => Some(Binary::Multiply),
        Sign::DivideAssign => Some(Binary::Divide),
        Sign::RemainderAssign => Some(Binary::Remainder),
        Sign::ShiftLeftAssign => Some(Binary::ShiftLeft),
        Sign::ShiftRightAssign => Some(Binary::ShiftRight),
        Sign::AndAssign => Some(Binary::BitAnd),
        Sign::OrAssign => Some(Binary::BitOr),
        Sign::XorAssign => Some(Binary::BitXor),
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression with commas.
    pub(super) fn expression(&mut self) -> Parsed<Ref> {
        let mut left = self.assigned()?;
        while self.take(Sign::Comma) {
            let right = self.assigned()?;
            left = self.two(ExpressionKind::Comma(left, right), left, right)?;
        }
        Ok(left)
    }

    fn two(&mut self, kind: ExpressionKind, left: Ref, right: Ref) -> Parsed<Ref> {
        let span = self.span_of(left).to(self.span_of(right));
        self.add(kind, span, &[left, right])
    }

    /// An expression without commas.
    pub(super) fn assigned(&mut self) -> Parsed<Ref> {
        self.enter()?;
        let left = self.selected()?;
        let result = match self.peek(0) {
            TokenKind::Sign(sign) => match assignment(sign) {
                Some(operation) => {
                    self.advance();
                    let right = self.assigned()?;
                    self.two(ExpressionKind::Assign(operation, left, right), left, right)?
                }
                None => left,
            },
            _ => left,
        };
        self.leave();
        Ok(result)
    }

    /// An expression without assignments: what sizes and labels are.
    pub(super) fn selected(&mut self) -> Parsed<Ref> {
        let condition = self.binary(0)?;
        if !self.is(Sign::Question) {
            return Ok(condition);
        }
        self.advance();
        self.enter()?;
        let accept = self.expression()?;
        self.expect(Sign::Colon)?;
        let reject = self.assigned()?;
        self.leave();
        let span = self.span_of(condition).to(self.span_of(reject));
        self.add(ExpressionKind::Select(condition, accept, reject), span, &[condition, accept, reject])
    }

    fn binary(&mut self, least: u8) -> Parsed<Ref> {
        let mut left = self.unary()?;
        while let TokenKind::Sign(sign) = self.peek(0) {
            let Some((what, level)) = between(sign).filter(|(_, level)| *level > least) else { break };
            self.advance();
            let right = self.binary(level)?;
            let kind = match what {
                Between::Operation(operation) => ExpressionKind::Binary(operation, left, right),
                Between::And => ExpressionKind::And(left, right),
                Between::Or => ExpressionKind::Or(left, right),
            };
            left = self.two(kind, left, right)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Ref> {
        let token = self.token();
        let TokenKind::Sign(sign) = token.kind else { return self.postfix() };
        let make: fn(Ref) -> ExpressionKind = match sign {
            Sign::Minus => |value| ExpressionKind::Unary(Unary::Negate, value),
            Sign::Bang => |value| ExpressionKind::Unary(Unary::Not, value),
            Sign::Tilde => |value| ExpressionKind::Unary(Unary::Complement, value),
            Sign::Plus => ExpressionKind::Plus,
            Sign::Increment => |value| ExpressionKind::Step(value, true, true),
            Sign::Decrement => |value| ExpressionKind::Step(value, false, true),
            _ => return self.postfix(),
        };
        self.advance();
        self.enter()?;
        let value = self.unary()?;
        self.leave();
        let span = token.span.to(self.span_of(value));
        self.add(make(value), span, &[value])
    }

    fn postfix(&mut self) -> Parsed<Ref> {
        let mut value = self.primary()?;
        loop {
            let token = self.token();
            let start = self.span_of(value);
            let TokenKind::Sign(sign) = token.kind else { return Ok(value) };
            match sign {
                Sign::LeftBracket => {
                    self.advance();
                    let index = match self.is(Sign::RightBracket) {
                        true => None,
                        false => Some(self.expression()?),
                    };
                    let end = self.close(Sign::RightBracket, token.span)?;
                    let parts = [value, index.unwrap_or(value)];
                    value = self.add(ExpressionKind::Index(value, index), start.to(end), &parts)?;
                }
                Sign::Dot => {
                    self.advance();
                    let name = self.member_name()?;
                    match self.is(Sign::LeftParenthesis) {
                        true => {
                            let (arguments, end) = self.arguments()?;
                            let kind = ExpressionKind::Method(value, name, arguments);
                            value = self.add(kind, start.to(end), &[value])?;
                        }
                        false => {
                            let kind = ExpressionKind::Field(value, name);
                            value = self.add(kind, start.to(name.span), &[value])?;
                        }
                    }
                }
                Sign::LeftParenthesis => {
                    let kind = &self.syntax.get(value).kind;
                    if !matches!(kind, ExpressionKind::Name(_) | ExpressionKind::Index(..)) {
                        return Err(self.report(
                            Problem::error(Kind::Syntax, start, "only a function or a type can be called")
                                .help("an operator or `;` is missing before `(`"),
                        ));
                    }
                    let (arguments, end) = self.arguments()?;
                    let height = self.highest(&arguments).max(self.highest(&[value]));
                    value = self.add_of(ExpressionKind::Call(value, arguments), start.to(end), height)?;
                }
                Sign::Increment | Sign::Decrement => {
                    self.advance();
                    let kind = ExpressionKind::Step(value, sign == Sign::Increment, false);
                    value = self.add(kind, start.to(token.span), &[value])?;
                }
                _ => return Ok(value),
            }
        }
    }

    /// The name of a member, which words of the language may be: swizzles are looked at later.
    fn member_name(&mut self) -> Parsed<Name> {
        let token = self.token();
        match token.kind {
            TokenKind::Word(symbol) => {
                self.advance();
                Ok(Name { symbol, span: token.span })
            }
            _ => Err(self.unexpected("the name of a member")),
        }
    }

    /// `(a, b)`, `()` or `(void)`; and the place of the closing parenthesis.
    fn arguments(&mut self) -> Parsed<(Vec<Ref>, Span)> {
        let opened = self.expect(Sign::LeftParenthesis)?;
        let mut arguments = Vec::new();
        let is_void = self.word(0) == Some(Word::Type(crate::types::Type::Void))
            && self.peek(1) == TokenKind::Sign(Sign::RightParenthesis);
        if is_void {
            self.advance();
        } else if !self.is(Sign::RightParenthesis) {
            loop {
                arguments.push(self.assigned()?);
                if !self.take(Sign::Comma) {
                    break;
                }
            }
        }
        let end = self.close(Sign::RightParenthesis, opened)?;
        Ok((arguments, end))
    }

    fn primary(&mut self) -> Parsed<Ref> {
        let token = self.token();
        match token.kind {
            TokenKind::Number(symbol) => {
                self.advance();
                let kind = match literal(self.names.text(symbol)) {
                    Ok(Literal::Integer(bits, scalar)) => ExpressionKind::Integer(bits, scalar),
                    Ok(Literal::Float(value, scalar)) => ExpressionKind::Float(value, scalar),
                    Err(message) => {
                        self.problems.push(Problem::error(Kind::Number, token.span, message));
                        ExpressionKind::Integer(1, crate::types::Scalar::Int)
                    }
                };
                self.add(kind, token.span, &[])
            }
            TokenKind::Sign(Sign::LeftParenthesis) => {
                self.advance();
                self.enter()?;
                let value = self.expression()?;
                self.leave();
                let end = self.close(Sign::RightParenthesis, token.span)?;
                // The parentheses belong to the expression.
                if let Some(inner) = self.syntax.expressions.get_mut(value.0 as usize) {
                    inner.span = token.span.to(end);
                }
                Ok(value)
            }
            TokenKind::Word(symbol) => match self.class(symbol) {
                Word::Keyword(Keyword::True | Keyword::False) => {
                    let value = self.is_keyword(Keyword::True);
                    self.advance();
                    self.add(ExpressionKind::Bool(value), token.span, &[])
                }
                Word::Keyword(Keyword::Nonuniform)
                    if self.peek(1) == TokenKind::Sign(Sign::LeftParenthesis) =>
                {
                    // Advice about the value; it is the value.
                    self.advance();
                    self.primary()
                }
                Word::Type(ty) => {
                    self.advance();
                    let (arrays, end) = self.array_sizes()?;
                    if !self.is(Sign::LeftParenthesis) {
                        let text = self.names.text(symbol).to_owned();
                        let message = format!("the type `{text}` where a value is needed");
                        let problem = Problem::error(Kind::Syntax, token.span, message);
                        return Err(self.report(problem.help(format!("a constructor is `{text}(...)`"))));
                    }
                    let name = TypeName { base: TypeBase::Known(ty), arrays, span: token.span.to(end) };
                    let (arguments, end) = self.arguments()?;
                    let height = self.highest(&arguments);
                    self.add_of(
                        ExpressionKind::Construct(Box::new(name), arguments),
                        token.span.to(end),
                        height,
                    )
                }
                _ => {
                    let name = self.name("an expression")?;
                    self.add(ExpressionKind::Name(name.symbol), name.span, &[])
                }
            },
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// An initial value: an expression, or a list of them in braces.
    pub(super) fn initializer(&mut self) -> Parsed<Ref> {
        let token = self.token();
        if !self.take(Sign::LeftBrace) {
            return self.assigned();
        }
        self.enter()?;
        let mut list = Vec::new();
        while !self.is(Sign::RightBrace) {
            list.push(self.initializer()?);
            if !self.take(Sign::Comma) {
                break;
            }
        }
        let end = self.close(Sign::RightBrace, token.span)?;
        self.leave();
        let height = self.highest(&list);
        self.add_of(ExpressionKind::List(list), token.span.to(end), height)
    }
}
