//! A line of the text and how far it has been read.

use std::ops::Range;
use unshade_isa_common::assembly::{Problem, Result};

/// What is left of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    rest: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// A line, without its remark, that starts at byte `at` of the text.
    pub(super) fn new(line: &'a str, at: usize) -> Self {
        let mut cursor = Self { rest: line.trim_end(), at };
        cursor.blank();
        cursor
    }

    fn blank(&mut self) {
        let count = self.rest.bytes().take_while(u8::is_ascii_whitespace).count();
        self.skip(count);
    }

    /// Callers skip what they have compared with ASCII only.
    fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
        self.at += count;
    }

    pub(super) fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// Byte offset in the whole text.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Where the line ends.
    pub(super) fn end(&self) -> usize {
        self.at + self.rest.len()
    }

    /// What has not been read.
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }

    /// Whether this stands next.
    pub(super) fn sees(&self, text: &str) -> bool {
        self.rest.starts_with(text)
    }

    /// Takes this and the blanks behind it, if it stands next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.sees(text);
        if found {
            self.skip(text.len());
            self.blank();
        }
        found
    }

    /// Takes `count` bytes and the blanks behind them.
    pub(super) fn pass(&mut self, count: usize) {
        self.skip(count);
        self.blank();
    }

    /// Takes this or complains.
    pub(super) fn expect(&mut self, text: &str) -> Result<()> {
        if self.eat(text) { Ok(()) } else { Err(self.unexpected(&format!("`{text}`"))) }
    }

    /// Takes letters, digits, `_` and `.`, and the blanks behind them.
    pub(super) fn word(&mut self) -> (&'a str, Range<usize>) {
        self.run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
    }

    /// Takes what satisfies a condition, ASCII only, and the blanks behind it.
    pub(super) fn run(&mut self, accept: impl Fn(u8) -> bool) -> (&'a str, Range<usize>) {
        let (text, span) = self.tight(accept);
        self.blank();
        (text, span)
    }

    /// As [`Self::run`], but leaves the blanks.
    pub(super) fn tight(&mut self, accept: impl Fn(u8) -> bool) -> (&'a str, Range<usize>) {
        let count = self.rest.bytes().take_while(|byte| byte.is_ascii() && accept(*byte)).count();
        let (text, start) = (self.rest.get(..count).unwrap_or_default(), self.at);
        self.skip(count);
        (text, start..start + count)
    }

    /// Takes `name:` from the front, if a colon ends the first word.
    pub(super) fn label(&mut self) -> Option<(&'a str, Range<usize>)> {
        let mut ahead = *self;
        let (name, span) = ahead.word();
        if name.is_empty() || !ahead.eat(":") {
            return None;
        }
        *self = ahead;
        Some((name, span))
    }

    /// Takes a number that is not negative: decimal or `0x`.
    pub(super) fn number(&mut self, most: u64) -> Result<u64> {
        let (text, span) = self.run(|byte| byte.is_ascii_alphanumeric());
        let value = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        match value {
            Ok(value) if value <= most => Ok(value),
            Ok(_) => Err(Problem::new(
                "mali-pp.asm.range",
                span,
                format!("`{text}` is too large: the most is {most}"),
            )),
            Err(_) if text.is_empty() => Err(self.unexpected("a number")),
            Err(_) => {
                Err(Problem::new("mali-pp.asm.number", span, format!("`{text}` is no number that fits")))
            }
        }
    }

    /// That something else was expected here.
    pub(super) fn unexpected(&self, expected: &str) -> Box<Problem> {
        let length = self.rest.bytes().take_while(|b| !b.is_ascii_whitespace() && *b != b',').count();
        // Cut at a character.
        let length = (length.max(1)..=self.rest.len()).find(|n| self.rest.is_char_boundary(*n)).unwrap_or(0);
        let found = self.rest.get(..length).unwrap_or_default();
        let span = self.at..self.at + length;
        if found.is_empty() {
            return Problem::new(
                "mali-pp.asm.syntax",
                span,
                format!("expected {expected}, found the end of the line"),
            );
        }
        Problem::new("mali-pp.asm.syntax", span, format!("expected {expected}, found `{found}`"))
    }
}
