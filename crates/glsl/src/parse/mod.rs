//! The parser: tokens to the syntax tree.
//!
//! It knows words, not names: that `S x;` declares is seen by the two names behind each other, and `S(1)` is a call until names are
//! looked up. A mistake ends its statement or declaration; what follows is read again.

mod declaration;
mod expression;
mod statement;
pub mod syntax;

use crate::errors::{Kind, Problem, Problems};
use crate::language::word::{self, Keyword, Word};
use crate::language::{Extension, Language};
use crate::lex::{Names, Sign, Symbol, Token, TokenKind};
use crate::limits::Limits;
use crate::place::Span;
use syntax::{Expression, ExpressionKind, Item, Name, Ref, Syntax};

/// What is wrong was reported.
#[derive(Debug, Clone, Copy)]
struct Reported;

type Parsed<T> = Result<T, Reported>;

/// Parses tokens; the last of them is [`TokenKind::End`].
pub fn parse(
    tokens: &[Token],
    names: &Names,
    extensions: &[(usize, Extension)],
    language: Language,
    limits: &Limits,
    problems: &mut Problems,
) -> Syntax {
    let mut parser = Parser {
        tokens,
        at: 0,
        names,
        extensions,
        next_extension: 0,
        change: usize::MAX,
        language,
        words: vec![(0, Word::Name); names.len()],
        epoch: 1,
        limits,
        problems,
        syntax: Syntax::default(),
        depth: 0,
        is_over: false,
    };
    parser.change = extensions.first().map_or(usize::MAX, |first| first.0);
    parser.syntax.expressions.reserve(tokens.len() / 2);
    parser.renew();
    parser.items();
    parser.syntax
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    names: &'a Names,
    extensions: &'a [(usize, Extension)],
    next_extension: usize,
    /// Number of the token before which the next extension stands.
    change: usize,
    language: Language,
    /// What names are in the language here.
    words: Vec<(u32, Word)>,
    /// How often extensions changed: what was known of names before is not valid.
    epoch: u32,
    limits: &'a Limits,
    problems: &'a mut Problems,
    syntax: Syntax,
    depth: usize,
    is_over: bool,
}

impl Parser<'_> {
    /// All declarations.
    fn items(&mut self) {
        while !self.is_end() && !self.is_over && !self.problems.is_full() {
            let token = self.at;
            if self.take(Sign::Semicolon) {
                continue;
            }
            match self.item() {
                Ok(kind) => self.syntax.items.push(Item { kind, token }),
                Err(Reported) => self.recover_item(token),
            }
        }
    }

    /// Goes on behind a declaration with a mistake: behind `;` or a closing brace outside of all others.
    fn recover_item(&mut self, from: usize) {
        self.depth = 0;
        if self.at == from {
            self.advance();
        }
        let mut depth = 0usize;
        // Braces that were opened before the mistake.
        for token in self.tokens.get(from..self.at).unwrap_or(&[]) {
            match token.kind {
                TokenKind::Sign(Sign::LeftBrace) => depth += 1,
                TokenKind::Sign(Sign::RightBrace) => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        while !self.is_end() {
            let token = self.token();
            self.advance();
            match token.kind {
                TokenKind::Sign(Sign::LeftBrace) => depth += 1,
                TokenKind::Sign(Sign::RightBrace) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        self.take(Sign::Semicolon);
                        return;
                    }
                }
                TokenKind::Sign(Sign::Semicolon) if depth == 0 => return,
                _ => {}
            }
        }
    }

    /// Takes extensions in that stand before the token.
    fn renew(&mut self) {
        while let Some((at, extension)) = self.extensions.get(self.next_extension) {
            if *at > self.at {
                break;
            }
            self.language.apply(extension);
            self.next_extension += 1;
            self.epoch = self.epoch.wrapping_add(1);
        }
        self.change = self.extensions.get(self.next_extension).map_or(usize::MAX, |next| next.0);
    }

    fn end(&self) -> Token {
        let end = self.tokens.last().map_or(Span::default(), |token| token.span);
        Token { kind: TokenKind::End, span: end, after_space: true, starts_line: true, is_painted: false }
    }

    fn token(&self) -> Token {
        self.tokens.get(self.at).copied().unwrap_or_else(|| self.end())
    }

    fn peek(&self, ahead: usize) -> TokenKind {
        self.tokens.get(self.at.saturating_add(ahead)).map_or(TokenKind::End, |token| token.kind)
    }

    fn is_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }

    fn advance(&mut self) {
        if self.at < self.tokens.len() {
            self.at += 1;
        }
        if self.at >= self.change {
            self.renew();
        }
    }

    /// The place of the token before.
    fn before(&self) -> Span {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.map_or_else(|| self.token().span, |token| token.span)
    }

    fn is(&self, sign: Sign) -> bool {
        self.peek(0) == TokenKind::Sign(sign)
    }

    fn take(&mut self, sign: Sign) -> bool {
        let is = self.is(sign);
        if is {
            self.advance();
        }
        is
    }

    /// What a name is.
    fn class(&mut self, symbol: Symbol) -> Word {
        if let Some((epoch, word)) = self.words.get(symbol.0 as usize)
            && *epoch == self.epoch
        {
            return *word;
        }
        let word = word::word(self.names.text(symbol), &self.language);
        if let Some(slot) = self.words.get_mut(symbol.0 as usize) {
            *slot = (self.epoch, word);
        }
        word
    }

    /// What the word ahead is; none where it is no word.
    fn word(&mut self, ahead: usize) -> Option<Word> {
        match self.peek(ahead) {
            TokenKind::Word(symbol) => Some(self.class(symbol)),
            _ => None,
        }
    }

    fn is_keyword(&mut self, keyword: Keyword) -> bool {
        self.word(0) == Some(Word::Keyword(keyword))
    }

    fn take_keyword(&mut self, keyword: Keyword) -> bool {
        let is = self.is_keyword(keyword);
        if is {
            self.advance();
        }
        is
    }

    /// The token ahead, as a message names it.
    fn shown(&self, token: Token) -> String {
        match token.kind {
            TokenKind::Word(symbol) | TokenKind::Number(symbol) => format!("`{}`", self.names.text(symbol)),
            TokenKind::Text(symbol) => format!("\"{}\"", self.names.text(symbol)),
            TokenKind::Sign(sign) => format!("`{}`", sign.text()),
            TokenKind::Other(other) => format!("`{other}`"),
            TokenKind::LineEnd => "the end of the line".to_owned(),
            TokenKind::End => "the end of the text".to_owned(),
        }
    }

    fn report(&mut self, problem: Problem) -> Reported {
        self.problems.push(problem);
        Reported
    }

    /// The token here is not what was expected.
    fn unexpected(&mut self, expected: &str) -> Reported {
        let token = self.token();
        let message = format!("expected {expected}, found {}", self.shown(token));
        // What is missing at the end of a line is missing there, not in front of the next one.
        let is_missing = expected.starts_with('`') && (token.starts_line || token.kind == TokenKind::End);
        let problem = match is_missing && self.at > 0 {
            true => Problem::error(Kind::Syntax, self.before().after(), message)
                .label(format!("{expected} goes here")),
            false => Problem::error(Kind::Syntax, token.span, message),
        };
        let problem = self.explain(problem, token);
        self.report(problem)
    }

    /// Says of a word that is none here from when on it is one.
    fn explain(&mut self, problem: Problem, token: Token) -> Problem {
        let TokenKind::Word(symbol) = token.kind else { return problem };
        let text = self.names.text(symbol);
        match self.class(symbol) {
            Word::Reserved | Word::Name => match word::would_need(text) {
                Some(since) => {
                    problem.help(format!("`{text}` is no word here: {}", self.language.needs(&since)))
                }
                None => problem,
            },
            Word::Keyword(_) | Word::Type(_) => problem,
        }
    }

    /// The `;` behind a statement. One that was forgotten at the end of a line is reported, and the statement holds.
    fn semicolon(&mut self) -> Parsed<()> {
        if self.take(Sign::Semicolon) {
            return Ok(());
        }
        let token = self.token();
        let reported = self.unexpected("`;`");
        match token.starts_line || token.kind == TokenKind::Sign(Sign::RightBrace) {
            true => Ok(()),
            false => Err(reported),
        }
    }

    fn expect(&mut self, sign: Sign) -> Parsed<Span> {
        let span = self.token().span;
        match self.take(sign) {
            true => Ok(span),
            false => Err(self.unexpected(&format!("`{}`", sign.text()))),
        }
    }

    /// The closing sign of one that was opened at a place.
    fn close(&mut self, sign: Sign, opened: Span) -> Parsed<Span> {
        let token = self.token();
        if self.take(sign) {
            return Ok(token.span);
        }
        let message = format!("expected `{}`, found {}", sign.text(), self.shown(token));
        let problem = Problem::error(Kind::Syntax, token.span, message).note(Some(opened), "to close this");
        let problem = self.explain(problem, token);
        Err(self.report(problem))
    }

    /// A name that may be declared or used.
    fn name(&mut self, what: &str) -> Parsed<Name> {
        let token = self.token();
        if let TokenKind::Word(symbol) = token.kind {
            match self.class(symbol) {
                Word::Name => {
                    self.advance();
                    return Ok(Name { symbol, span: token.span });
                }
                Word::Reserved => {
                    let text = self.names.text(symbol);
                    let message = format!("`{text}` is a reserved word of {}", self.language.version);
                    let problem = Problem::error(Kind::Syntax, token.span, message);
                    let problem = self.explain(problem, token);
                    self.advance();
                    self.problems.push(problem);
                    return Ok(Name { symbol, span: token.span });
                }
                Word::Keyword(_) | Word::Type(_) => {}
            }
        }
        Err(self.unexpected(what))
    }

    /// Goes one deeper.
    fn enter(&mut self) -> Parsed<()> {
        if self.depth >= self.limits.nesting {
            let message = format!("nested more than {} deep (limit `nesting`)", self.limits.nesting);
            self.is_over = true;
            return Err(self.report(Problem::error(Kind::Limit, self.token().span, message)));
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// How high the highest of several expressions is.
    fn highest(&self, parts: &[Ref]) -> u16 {
        parts.iter().map(|part| self.syntax.get(*part).height.saturating_add(1)).max().unwrap_or(0)
    }

    fn add(&mut self, kind: ExpressionKind, span: Span, parts: &[Ref]) -> Parsed<Ref> {
        let height = self.highest(parts);
        self.add_of(kind, span, height)
    }

    fn add_of(&mut self, kind: ExpressionKind, span: Span, height: u16) -> Parsed<Ref> {
        if usize::from(height) > self.limits.chain {
            let message = format!(
                "an expression of more than {} operations in a chain (limit `chain`)",
                self.limits.chain
            );
            self.is_over = true;
            return Err(self.report(Problem::error(Kind::Limit, span, message)));
        }
        let at = Ref(u32::try_from(self.syntax.expressions.len()).unwrap_or(u32::MAX));
        self.syntax.expressions.push(Expression { kind, span, height });
        Ok(at)
    }

    fn span_of(&self, at: Ref) -> Span {
        self.syntax.get(at).span
    }
}
