//! What `#if` asks.

use super::Preprocessor;
use crate::errors::{Kind, Problem};
use crate::language::Profile;
use crate::lex::{Literal, Sign, Token, TokenKind, literal};
use crate::place::Span;

impl Preprocessor<'_> {
    /// The value of the expression behind `#if`. What is wrong with it was reported, and is 0.
    pub(super) fn condition(&mut self, line: &[Token], directive: Span) -> bool {
        let Some(tokens) = self.settle_defined(line) else { return false };
        let tokens = self.expand_list(&tokens);
        if self.is_over {
            return false;
        }
        if tokens.is_empty() {
            self.problems.push(
                Problem::error(Kind::Preprocessor, directive, "the condition is missing")
                    .help("`#if 0`, `#if defined(NAME)`"),
            );
            return false;
        }
        let mut reader = Reader { tokens: &tokens, at: 0, depth: 0, end: directive, is_asked: true };
        match reader.binary(self, 0) {
            Ok(value) => {
                if let Some(extra) = tokens.get(reader.at) {
                    let (span, text) = (extra.span, self.spelling(*extra));
                    self.error(span, format!("`{text}` behind the condition"));
                }
                value != 0
            }
            Err(problem) => {
                self.problems.push(*problem);
                false
            }
        }
    }

    /// The values of the expressions behind `#line`, one behind the other.
    pub(super) fn numbers(&mut self, tokens: &[Token], directive: Span) -> Result<Vec<i64>, Box<Problem>> {
        let mut reader = Reader { tokens, at: 0, depth: 0, end: directive, is_asked: true };
        let mut numbers = Vec::new();
        while reader.at < tokens.len() {
            numbers.push(match tokens.get(reader.at).map(|token| token.kind) {
                // The name of a file in quotes.
                Some(TokenKind::Text(_)) => {
                    reader.at += 1;
                    0
                }
                _ => reader.binary(self, 0)?,
            });
        }
        Ok(numbers)
    }

    /// Replaces `defined X` and `defined(X)` by 1 and 0, before macros are expanded.
    fn settle_defined(&mut self, line: &[Token]) -> Option<Vec<Token>> {
        let mut out = Vec::with_capacity(line.len());
        let mut tokens = line.iter().copied().peekable();
        while let Some(token) = tokens.next() {
            let is_defined =
                |kind| matches!(kind, TokenKind::Word(symbol) if Some(symbol) == self.well_known.defined);
            if !is_defined(token.kind) {
                out.push(token);
                continue;
            }
            let has_parenthesis =
                tokens.next_if(|next| next.kind == TokenKind::Sign(Sign::LeftParenthesis)).is_some();
            let name = tokens.next();
            let Some(Token { kind: TokenKind::Word(symbol), .. }) = name else {
                let span = name.map_or(token.span.after(), |name| name.span);
                self.error(span, "`defined` needs the name of a macro");
                return None;
            };
            if has_parenthesis
                && tokens.next_if(|next| next.kind == TokenKind::Sign(Sign::RightParenthesis)).is_none()
            {
                self.error(
                    name.map_or(token.span, |name| name.span.after()),
                    "`)` is missing behind `defined(`",
                );
                return None;
            }
            let text = if self.is_defined(symbol) { "1" } else { "0" };
            out.push(Token { kind: TokenKind::Number(self.names.add(text)), ..token });
        }
        Some(out)
    }
}

struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
    end: Span,
    /// Whether the value matters: behind `0 &&` it does not.
    is_asked: bool,
}

type Value = Result<i64, Box<Problem>>;

/// Signs with their precedence: higher ones bind more.
fn precedence(sign: Sign) -> Option<u8> {
    Some(match sign {
        Sign::Or => 1,
        Sign::And => 2,
        Sign::Bar => 3,
        Sign::Caret => 4,
        Sign::Ampersand => 5,
        Sign::Equal | Sign::NotEqual => 6,
        Sign::Less | Sign::Greater | Sign::LessEqual | Sign::GreaterEqual => 7,
        Sign::ShiftLeft | Sign::ShiftRight => 8,
        Sign::Plus | Sign::Minus => 9,
        Sign::Star | Sign::Slash | Sign::Percent => 10,
        _ => return None,
    })
}

impl Reader<'_> {
    fn problem(&self, span: Span, message: impl Into<String>) -> Box<Problem> {
        Box::new(Problem::error(Kind::Preprocessor, span, message))
    }

    fn place(&self) -> Span {
        let here = self.tokens.get(self.at).map(|token| token.span);
        here.or_else(|| self.tokens.last().map(|token| token.span.after())).unwrap_or(self.end)
    }

    fn binary(&mut self, pre: &Preprocessor<'_>, least: u8) -> Value {
        let mut left = self.unary(pre)?;
        while let Some(Token { kind: TokenKind::Sign(sign), span, .. }) = self.tokens.get(self.at).copied() {
            let Some(level) = precedence(sign).filter(|level| *level > least) else { break };
            self.at += 1;
            let was_asked = self.is_asked;
            let is_settled = (sign == Sign::And && left == 0) || (sign == Sign::Or && left != 0);
            self.is_asked &= !is_settled;
            let right = self.binary(pre, level)?;
            self.is_asked = was_asked;
            left = match sign {
                Sign::Or => i64::from(left != 0 || right != 0),
                Sign::And => i64::from(left != 0 && right != 0),
                Sign::Bar => left | right,
                Sign::Caret => left ^ right,
                Sign::Ampersand => left & right,
                Sign::Equal => i64::from(left == right),
                Sign::NotEqual => i64::from(left != right),
                Sign::Less => i64::from(left < right),
                Sign::Greater => i64::from(left > right),
                Sign::LessEqual => i64::from(left <= right),
                Sign::GreaterEqual => i64::from(left >= right),
                Sign::ShiftLeft => left.wrapping_shl((right & 63) as u32),
                Sign::ShiftRight => left.wrapping_shr((right & 63) as u32),
                Sign::Plus => left.wrapping_add(right),
                Sign::Minus => left.wrapping_sub(right),
                Sign::Star => left.wrapping_mul(right),
                _ if right == 0 && self.is_asked && !is_settled => {
                    return Err(self.problem(span, "a division by 0"));
                }
                _ if right == 0 => 0,
                Sign::Slash => left.wrapping_div(right),
                _ => left.wrapping_rem(right),
            };
        }
        Ok(left)
    }

    fn unary(&mut self, pre: &Preprocessor<'_>) -> Value {
        let Some(token) = self.tokens.get(self.at).copied() else {
            return Err(self.problem(self.place(), "a number or the name of a macro is missing here"));
        };
        self.at += 1;
        if self.depth >= pre.limits.macro_depth {
            let message =
                format!("conditions are more than {} deep (limit `macro_depth`)", pre.limits.macro_depth);
            return Err(Box::new(Problem::error(Kind::Limit, token.span, message)));
        }
        self.depth += 1;
        let value = match token.kind {
            TokenKind::Sign(Sign::Bang) => self.unary(pre).map(|value| i64::from(value == 0)),
            TokenKind::Sign(Sign::Minus) => self.unary(pre).map(i64::wrapping_neg),
            TokenKind::Sign(Sign::Plus) => self.unary(pre),
            TokenKind::Sign(Sign::Tilde) => self.unary(pre).map(|value| !value),
            TokenKind::Sign(Sign::LeftParenthesis) => {
                let value = self.binary(pre, 0);
                let closes = self.tokens.get(self.at).map(|next| next.kind);
                if value.is_ok() && closes != Some(TokenKind::Sign(Sign::RightParenthesis)) {
                    let problem = self.problem(self.place(), "`)` is missing in the condition");
                    return Err(Box::new(problem.note(Some(token.span), "the `(` is here")));
                }
                self.at += 1;
                value
            }
            TokenKind::Number(symbol) => {
                let text = pre.names.text(symbol);
                match literal(text) {
                    // As a whole number of 32 bits.
                    Ok(Literal::Integer(bits, _)) => Ok(i64::from(bits as u32 as i32)),
                    Ok(Literal::Float(..)) => {
                        Err(self
                            .problem(token.span, format!("`{text}` is no whole number, as conditions ask")))
                    }
                    Err(message) => Err(self.problem(token.span, message)),
                }
            }
            TokenKind::Word(symbol) => {
                let text = pre.names.text(symbol);
                if self.is_asked && pre.has_profile(Profile::Es) {
                    let message = format!("`{text}` is not defined, and GLSL ES does not take it for 0");
                    let known = pre.macros.keys().map(|name| pre.names.text(*name));
                    let problem = Problem::error(Kind::Preprocessor, token.span, message).near(text, known);
                    return Err(Box::new(problem));
                }
                Ok(0)
            }
            _ => {
                let text = pre.spelling(token);
                Err(self
                    .problem(token.span, format!("`{text}` where the condition needs a number or a name")))
            }
        };
        self.depth -= 1;
        value
    }
}
