//! The lexer: one file, token by token.

use super::{Names, Sign, Symbol, Token, TokenKind};
use crate::place::{FileId, Span};
use std::rc::Rc;

/// Where a file is read.
#[derive(Debug, Clone)]
pub struct Lexer {
    text: Rc<str>,
    file: FileId,
    at: usize,
    starts_line: bool,
    /// Where a comment begins that does not end.
    pub(crate) unfinished: Option<Span>,
}

impl Lexer {
    /// At the start of a file.
    pub fn new(file: FileId, text: Rc<str>) -> Self {
        Self { text, file, at: 0, starts_line: true, unfinished: None }
    }

    /// The file that is read.
    pub fn file(&self) -> FileId {
        self.file
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at.saturating_add(ahead)).copied().unwrap_or(0)
    }

    fn is_end(&self) -> bool {
        self.at >= self.text.len()
    }

    fn span(&self, start: usize) -> Span {
        let [start, end] = [start, self.at].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        Span { file: self.file, start, end }
    }

    /// Length of a joined line's end (`\` and line break) that begins so many bytes ahead, or 0.
    fn joint(&self, ahead: usize) -> usize {
        match (self.byte(ahead), self.byte(ahead + 1), self.byte(ahead + 2)) {
            (b'\\', b'\r', b'\n') => 3,
            (b'\\', b'\n' | b'\r', _) => 2,
            _ => 0,
        }
    }

    /// The place from here to the end of the line, and its text; the lexer stands at the line's end then. Joined lines are one.
    pub fn rest_of_line(&mut self) -> (Span, String) {
        let start = self.at;
        while !self.is_end() && !matches!(self.byte(0), b'\n' | b'\r') {
            self.at += self.joint(0).max(1);
        }
        let span = self.span(start);
        let text = self.text.get(start..self.at).unwrap_or("");
        (span, text.replace("\\\r\n", "").replace("\\\n", "").trim().to_owned())
    }

    /// Skips whole lines up to one whose first sign is `#`, or to the end: what a condition leaves out need not be tokens.
    pub fn skip_to_directive(&mut self) {
        while !self.is_end() {
            // Spaces and comments before the line's first token; a comment may go over several lines.
            self.space();
            match self.byte(0) {
                b'#' => {
                    self.starts_line = true;
                    return;
                }
                b'\n' | b'\r' => self.at += 1,
                _ => {
                    while !self.is_end() && !matches!(self.byte(0), b'\n' | b'\r') {
                        match (self.byte(0), self.byte(1)) {
                            (b'/', b'*' | b'/') => {
                                self.space();
                            }
                            _ => self.at += self.joint(0).max(1),
                        }
                    }
                }
            }
        }
    }

    /// Skips spaces and comments of a line; whether there were any.
    fn space(&mut self) -> bool {
        let start = self.at;
        loop {
            match (self.byte(0), self.byte(1)) {
                (b' ' | b'\t' | 0x0b | 0x0c, _) => {
                    let rest = self.text.as_bytes().get(self.at..).unwrap_or(&[]);
                    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | 0x0b | 0x0c);
                    self.at += rest.iter().take_while(|byte| blank(byte)).count();
                }
                (b'/', b'/') => {
                    while !self.is_end() && !matches!(self.byte(0), b'\n' | b'\r') {
                        self.at += self.joint(0).max(1);
                    }
                }
                (b'/', b'*') => {
                    let rest = self.text.as_bytes().get(self.at + 2..).unwrap_or(&[]);
                    match rest.windows(2).position(|two| two == b"*/") {
                        Some(length) => self.at += length + 4,
                        None => {
                            let from = self.at;
                            self.at += 2;
                            self.unfinished = Some(self.span(from));
                            self.at = self.text.len();
                        }
                    }
                }
                (b'\\', _) if self.joint(0) > 0 => self.at += self.joint(0),
                _ => return self.at > start,
            }
        }
    }

    /// The next token.
    pub fn next(&mut self, names: &mut Names) -> Token {
        let after_space = self.space();
        let start = self.at;
        let starts_line = std::mem::replace(&mut self.starts_line, false);
        let kind = self.kind(names);
        if kind == TokenKind::LineEnd {
            self.starts_line = true;
        }
        Token { kind, span: self.span(start), after_space, starts_line, is_painted: false }
    }

    fn kind(&mut self, names: &mut Names) -> TokenKind {
        if self.is_end() {
            return TokenKind::End;
        }
        let (first, second) = (self.byte(0), self.byte(1));
        match first {
            b'\r' if second == b'\n' => {
                self.at += 2;
                TokenKind::LineEnd
            }
            b'\n' | b'\r' => {
                self.at += 1;
                TokenKind::LineEnd
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                TokenKind::Word(self.take(names, |byte, _| byte.is_ascii_alphanumeric() || byte == b'_'))
            }
            b'0'..=b'9' => TokenKind::Number(self.number(names)),
            b'.' if second.is_ascii_digit() => TokenKind::Number(self.number(names)),
            b'"' => {
                self.at += 1;
                let text = self.take(names, |byte, _| !matches!(byte, b'"' | b'\n' | b'\r'));
                if self.byte(0) == b'"' {
                    self.at += 1;
                }
                TokenKind::Text(text)
            }
            _ => self.sign(),
        }
    }

    /// What a number consists of: digits, letters, points, and a sign behind an `e` of a decimal one.
    fn number(&mut self, names: &mut Names) -> Symbol {
        let is_hexadecimal = self.byte(0) == b'0' && matches!(self.byte(1), b'x' | b'X');
        self.take(names, |byte, before| match byte {
            b'+' | b'-' => !is_hexadecimal && matches!(before, b'e' | b'E'),
            _ => byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_',
        })
    }

    /// Bytes for which `test` holds, by themselves and the byte before; lines that are joined inside are put together.
    fn take(&mut self, names: &mut Names, test: impl Fn(u8, u8) -> bool) -> Symbol {
        let start = self.at;
        let (mut before, mut is_joined) = (0, false);
        loop {
            // Most tokens have no joined line in them.
            let bytes = self.text.as_bytes().get(self.at..).unwrap_or(&[]);
            let mut length = 0;
            for byte in bytes {
                if *byte == b'\\' || !test(*byte, before) {
                    break;
                }
                before = *byte;
                length += 1;
            }
            self.at += length;
            let joint = self.joint(0);
            if joint > 0 {
                // A joint at the end of the token belongs to the space behind it.
                let mut ahead = joint;
                while self.joint(ahead) > 0 {
                    ahead += self.joint(ahead);
                }
                let next = self.byte(ahead);
                if self.at + ahead >= self.text.len() || !test(next, before) {
                    break;
                }
                is_joined = true;
                self.at += ahead;
                continue;
            }
            let byte = self.byte(0);
            if self.is_end() || !test(byte, before) {
                break;
            }
            before = byte;
            self.at += 1;
        }
        let text = self.text.get(start..self.at).unwrap_or("");
        match is_joined {
            true => names.add(&text.replace("\\\r\n", "").replace("\\\n", "").replace("\\\r", "")),
            false => names.add(text),
        }
    }

    fn sign(&mut self) -> TokenKind {
        let three = [self.byte(0), self.byte(1), self.byte(2)];
        let found = match three {
            [b'<', b'<', b'='] => Some((Sign::ShiftLeftAssign, 3)),
            [b'>', b'>', b'='] => Some((Sign::ShiftRightAssign, 3)),
            [first, second, _] => {
                two(first, second).map(|sign| (sign, 2)).or_else(|| one(first).map(|sign| (sign, 1)))
            }
        };
        if let Some((sign, length)) = found {
            self.at += length;
            return TokenKind::Sign(sign);
        }
        let other = self.text.get(self.at..).and_then(|rest| rest.chars().next()).unwrap_or('\u{fffd}');
        self.at += other.len_utf8();
        TokenKind::Other(other)
    }
}

fn two(first: u8, second: u8) -> Option<Sign> {
    Some(match (first, second) {
        (b'+', b'+') => Sign::Increment,
        (b'-', b'-') => Sign::Decrement,
        (b'<', b'=') => Sign::LessEqual,
        (b'>', b'=') => Sign::GreaterEqual,
        (b'=', b'=') => Sign::Equal,
        (b'!', b'=') => Sign::NotEqual,
        (b'&', b'&') => Sign::And,
        (b'|', b'|') => Sign::Or,
        (b'^', b'^') => Sign::Xor,
        (b'<', b'<') => Sign::ShiftLeft,
        (b'>', b'>') => Sign::ShiftRight,
        (b'+', b'=') => Sign::AddAssign,
        (b'-', b'=') => Sign::SubtractAssign,
        (b'*', b'=') => Sign::MultiplyAssign,
        (b'/', b'=') => Sign::DivideAssign,
        (b'%', b'=') => Sign::RemainderAssign,
        (b'&', b'=') => Sign::AndAssign,
        (b'|', b'=') => Sign::OrAssign,
        (b'^', b'=') => Sign::XorAssign,
        (b'#', b'#') => Sign::Paste,
        _ => return None,
    })
}

fn one(first: u8) -> Option<Sign> {
    Some(match first {
        b'(' => Sign::LeftParenthesis,
        b')' => Sign::RightParenthesis,
        b'[' => Sign::LeftBracket,
        b']' => Sign::RightBracket,
        b'{' => Sign::LeftBrace,
        b'}' => Sign::RightBrace,
        b'.' => Sign::Dot,
        b',' => Sign::Comma,
        b';' => Sign::Semicolon,
        b':' => Sign::Colon,
        b'?' => Sign::Question,
        b'=' => Sign::Assign,
        b'+' => Sign::Plus,
        b'-' => Sign::Minus,
        b'*' => Sign::Star,
        b'/' => Sign::Slash,
        b'%' => Sign::Percent,
        b'<' => Sign::Less,
        b'>' => Sign::Greater,
        b'!' => Sign::Bang,
        b'~' => Sign::Tilde,
        b'&' => Sign::Ampersand,
        b'|' => Sign::Bar,
        b'^' => Sign::Caret,
        b'#' => Sign::Hash,
        _ => return None,
    })
}
