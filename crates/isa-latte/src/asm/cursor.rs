//! A line of the text and how far it has been read.

use std::ops::Range;
use unshade_isa_common::assembly::lexer::Piece;
use unshade_isa_common::assembly::{Problem, Result};

/// What is left of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    rest: Piece<'a>,
}

impl<'a> Cursor<'a> {
    /// A line without its comment.
    pub(super) fn new(line: Piece<'a>) -> Self {
        Self { rest: line.trim() }
    }

    pub(super) fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// Byte offset in the whole text.
    pub(super) fn position(&self) -> usize {
        self.rest.at
    }

    /// What has not been read.
    pub(super) fn rest(&self) -> Piece<'a> {
        self.rest
    }

    /// From an earlier position to here, without blanks at the end.
    pub(super) fn since(&self, start: usize) -> Range<usize> {
        start..self.rest.at.max(start)
    }

    /// The next byte.
    pub(super) fn peek(&self) -> Option<u8> {
        self.rest.first()
    }

    fn skip(&mut self, count: usize) {
        self.rest = self.rest.skip(count);
    }

    pub(super) fn blank(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes this, if it stands next; leaves the blanks behind it.
    pub(super) fn tight(&mut self, text: &str) -> bool {
        let found = self.rest.text.starts_with(text);
        if found {
            self.skip(text.len());
        }
        found
    }

    /// Takes this and the blanks behind it, if it stands next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.tight(text);
        if found {
            self.blank();
        }
        found
    }

    /// Takes this and the blanks behind it, or complains.
    pub(super) fn expect(&mut self, text: &str) -> Result<()> {
        if self.eat(text) { Ok(()) } else { Err(self.unexpected(&format!("`{text}`"))) }
    }

    /// Takes what satisfies a condition, ASCII only; leaves the blanks behind it.
    pub(super) fn run(&mut self, accept: impl Fn(u8) -> bool) -> Piece<'a> {
        let count = self.rest.text.bytes().take_while(|byte| byte.is_ascii() && accept(*byte)).count();
        let piece = self.rest.take(count);
        self.skip(count);
        piece
    }

    /// Takes so many bytes; callers count ASCII characters only.
    pub(super) fn bytes(&mut self, count: usize) -> Piece<'a> {
        let piece = self.rest.take(count);
        self.skip(count);
        piece
    }

    /// Takes letters, digits and `_`, and the blanks behind them.
    pub(super) fn word(&mut self) -> Piece<'a> {
        let piece = self.run(is_letter);
        self.blank();
        piece
    }

    /// The next word without taking it.
    pub(super) fn sees_word(&self) -> Piece<'a> {
        let mut ahead = *self;
        ahead.run(is_letter)
    }

    /// Takes a number that is not negative, decimal or `0x`; leaves the blanks behind it.
    pub(super) fn number(&mut self, most: u32) -> Result<u32> {
        let piece = self.run(|byte| byte.is_ascii_alphanumeric());
        if piece.is_empty() {
            return Err(self.unexpected("a number"));
        }
        number(piece, most)
    }

    /// Takes `(number)` and the blanks behind it.
    pub(super) fn parenthesised(&mut self, most: u32) -> Result<u32> {
        self.expect("(")?;
        let value = self.number(most)?;
        self.blank();
        self.expect(")")?;
        Ok(value)
    }

    /// That something else was expected here.
    pub(super) fn unexpected(&self, expected: &str) -> Box<Problem> {
        let rest = self.rest.text;
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')'));
        let length = match end {
            Some(0) => rest.chars().next().map_or(0, char::len_utf8),
            Some(length) => length,
            None => rest.len(),
        };
        let found = rest.get(..length).unwrap_or_default();
        let span = self.rest.at..self.rest.at + length;
        if found.is_empty() {
            return Problem::new(
                "latte.asm.syntax",
                span,
                format!("expected {expected}, found the end of the line"),
            );
        }
        Problem::new("latte.asm.syntax", span, format!("expected {expected}, found `{found}`"))
    }
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A number, decimal or `0x`.
pub(super) fn number(piece: Piece<'_>, most: u32) -> Result<u32> {
    let text = piece.text;
    let value = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    match value {
        Ok(value) if value <= u64::from(most) => Ok(value as u32),
        Ok(_) => Err(Problem::new(
            "latte.asm.range",
            piece.span(),
            format!("`{text}` is too large: the most is {most}"),
        )),
        Err(_) => {
            Err(Problem::new("latte.asm.number", piece.span(), format!("`{text}` is no number that fits")))
        }
    }
}
