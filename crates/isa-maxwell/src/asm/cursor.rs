//! Walking along the text of an instruction.

/// A place in a line of text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    /// The whole line.
    text: &'a str,
    /// Bytes of it that have been read.
    pub at: usize,
}

/// Whether a byte may be inside of a name.
pub(super) fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

impl<'a> Cursor<'a> {
    /// The start of a line.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// What has not been read.
    pub fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next byte.
    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Goes over blanks.
    pub fn blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Goes over a byte, and blanks in front of it, if it is there.
    pub fn eat(&mut self, byte: u8) -> bool {
        let start = self.at;
        self.blank();
        let is = self.peek() == Some(byte);
        self.at = if is { self.at + 1 } else { start };
        is
    }

    /// Goes over a text that stands here, in upper or lower case.
    pub fn word(&mut self, word: &str) -> bool {
        let found = self.text.as_bytes().get(self.at..self.at + word.len());
        let is = found.is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()));
        self.at += if is { word.len() } else { 0 };
        is
    }

    /// The same, where the name ends with it.
    pub fn name(&mut self, name: &str) -> bool {
        let start = self.at;
        if self.word(name) && !self.peek().is_some_and(in_name) {
            return true;
        }
        self.at = start;
        false
    }

    /// The bytes from here on of which all are so.
    pub fn run(&mut self, is: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.bytes().position(|byte| !is(byte)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// A whole number without a sign, decimal or with `0x`.
    pub fn unsigned(&mut self) -> Option<u64> {
        let start = self.at;
        let (digits, base) = if self.word("0x") {
            (self.run(|byte| byte.is_ascii_hexdigit()), 16)
        } else {
            (self.run(|byte| byte.is_ascii_digit()), 10)
        };
        let value = u64::from_str_radix(digits, base).ok().filter(|_| !self.peek().is_some_and(in_name));
        if value.is_none() {
            self.at = start;
        }
        value
    }

    /// A whole number with or without a minus.
    pub fn signed(&mut self) -> Option<i64> {
        let start = self.at;
        let minus = self.word("-");
        let value = self.unsigned().and_then(|value| i64::try_from(value).ok());
        if value.is_none() {
            self.at = start;
        }
        value.map(|value| if minus { -value } else { value })
    }

    /// The characters of a number with a fraction, an infinity or a number that is none.
    pub fn fraction(&mut self) -> Option<&'a str> {
        let start = self.at;
        let from = self.rest();
        let _ = self.word("-") || self.word("+");
        if !(self.name("QNAN") || self.name("INF")) {
            let digits = self.run(|byte| byte.is_ascii_digit());
            let dot = self.rest().as_bytes();
            if dot.first() == Some(&b'.') && dot.get(1).is_some_and(u8::is_ascii_digit) {
                self.at += 1;
                self.run(|byte| byte.is_ascii_digit());
            }
            let mark = self.at;
            if self.word("e") {
                let _ = self.word("-") || self.word("+");
                if self.run(|byte| byte.is_ascii_digit()).is_empty() {
                    self.at = mark;
                }
            }
            if digits.is_empty() || self.peek().is_some_and(in_name) {
                self.at = start;
                return None;
            }
        }
        from.get(..self.at - start)
    }
}
