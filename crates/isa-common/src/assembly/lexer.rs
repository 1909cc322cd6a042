//! The text layer of the assembly language: lines, labels, statements, arguments.
//!
//! The language is line oriented. A line is `label: label: head arguments ; comment`; the head is a
//! mnemonic or a directive (which starts with a full stop). How the arguments are divided depends on the
//! head: by commas (instructions), by blanks (`.alias`, `.in`, `.out`...), or by a parenthesis and commas
//! (constants). [`Arguments`] is the cursor for all three. Everything borrows the text and knows its byte
//! offset in it, so that a finding can point at the very characters.

use std::ops::Range;

/// A part of the source text and where it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The characters.
    pub text: &'a str,
    /// Byte offset of the first one in the whole source text.
    pub at: usize,
}

/// What C calls white space: blank, tab, line feed, vertical tab, form feed, carriage return.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

impl<'a> Piece<'a> {
    /// A whole source text.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Byte range in the source text. An empty piece has an empty range at its place.
    #[inline]
    pub fn span(self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }

    /// Whether there is nothing in it.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// First byte, if any.
    #[inline]
    pub fn first(self) -> Option<u8> {
        self.text.as_bytes().first().copied()
    }

    /// The first `count` bytes. Callers cut at ASCII characters only; any other cut gives nothing.
    #[inline]
    pub fn take(self, count: usize) -> Self {
        Self { text: self.text.get(..count).unwrap_or(""), at: self.at }
    }

    /// What follows the first `count` bytes, under the same condition.
    #[inline]
    pub fn skip(self, count: usize) -> Self {
        match self.text.get(count..) {
            Some(text) => Self { text, at: self.at + count },
            None => Self { text: "", at: self.at + self.text.len() },
        }
    }

    /// The bytes from `from` up to `to`, under the same condition.
    fn between(self, from: usize, to: usize) -> Self {
        Self { text: self.text.get(from..to).unwrap_or(""), at: self.at + from }
    }

    /// Without white space at both ends.
    #[inline]
    pub fn trim(self) -> Self {
        // Most pieces have none.
        if let [first, .., last] = self.text.as_bytes()
            && *first > b' '
            && *last > b' '
        {
            return self;
        }
        self.trim_start().trim_end()
    }

    /// Without white space at the start.
    pub fn trim_start(self) -> Self {
        let bytes = self.text.as_bytes();
        match bytes.iter().position(|&b| !is_space(b)) {
            Some(0) => self,
            Some(count) => self.skip(count),
            None => self.skip(bytes.len()),
        }
    }

    /// Without white space at the end.
    pub fn trim_end(self) -> Self {
        let bytes = self.text.as_bytes();
        match bytes.iter().rposition(|&b| !is_space(b)) {
            Some(last) if last + 1 == bytes.len() => self,
            Some(last) => self.take(last + 1),
            None => self.take(0),
        }
    }

    /// Byte index of the first occurrence of an ASCII character.
    pub fn find(self, ascii: u8) -> Option<usize> {
        self.text.as_bytes().iter().position(|&b| b == ascii)
    }

    /// Divides at the first occurrence of an ASCII character, which belongs to neither part.
    pub fn split(self, ascii: u8) -> Option<(Self, Self)> {
        self.find(ascii).map(|at| (self.take(at), self.skip(at + 1)))
    }

    /// Whether it is this word, in upper or lower case.
    pub fn is(self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }

    /// Whether it is an identifier: letters, digits, `_` and `$`, no digit in front, not empty.
    pub fn is_identifier(self) -> bool {
        let bytes = self.text.as_bytes();
        !bytes.is_empty()
            && !bytes[0].is_ascii_digit()
            && bytes.iter().all(|&b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$')
    }
}

/// The lines of a source text. See [`Line`].
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    rest: Option<Piece<'a>>,
}

/// One line without its comment and without white space at both ends; it may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// What is left of it: labels and the statement.
    pub body: Piece<'a>,
    /// Whether a colon is in it, so that [`Line::label`] has something to look for.
    has_colon: bool,
}

impl<'a> Lines<'a> {
    /// All lines of a text. A carriage return before the line feed is white space.
    pub fn new(text: &'a str) -> Self {
        Self { rest: Some(Piece::new(text)) }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.rest?;
        // Blanks in front, which most lines have, need not be looked at again.
        let rest = rest.skip(rest.text.bytes().take_while(|&b| b == b' ' || b == b'\t').count());
        let bytes = rest.text.as_bytes();
        let (end, has_colon) = statement_end(bytes);
        let body = rest.take(end).trim();
        let line_feed = match bytes.get(end) {
            Some(b';') => bytes[end..].iter().position(|&b| b == b'\n').map(|at| end + at),
            Some(_) => Some(end),
            None => None,
        };
        self.rest = line_feed.map(|at| rest.skip(at + 1));
        Some(Line { body, has_colon })
    }
}

/// Where the statement of a line ends, at a line feed, a semicolon or the end of the text, and whether a
/// colon stands before. Eight bytes at a time, since every byte of a source passes here.
#[inline]
fn statement_end(bytes: &[u8]) -> (usize, bool) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The highest bit of each byte that equals `byte`; above such a byte there may be false ones.
    let equal = |chunk: u64, byte: u8| {
        let difference = chunk ^ ONES.wrapping_mul(u64::from(byte));
        difference.wrapping_sub(ONES) & !difference & (ONES << 7)
    };
    let mut has_colon = false;
    let (chunks, rest) = bytes.as_chunks::<8>();
    for (index, chunk) in chunks.iter().enumerate() {
        let chunk = u64::from_le_bytes(*chunk);
        let end = equal(chunk, b'\n') | equal(chunk, b';');
        let colon = equal(chunk, b':');
        if end != 0 {
            return (
                index * 8 + end.trailing_zeros() as usize / 8,
                has_colon || colon.trailing_zeros() < end.trailing_zeros(),
            );
        }
        has_colon |= colon != 0;
    }
    let done = bytes.len() - rest.len();
    for (index, byte) in rest.iter().enumerate() {
        match byte {
            b'\n' | b';' => return (done + index, has_colon),
            b':' => has_colon = true,
            _ => {}
        }
    }
    (bytes.len(), has_colon)
}

impl<'a> Line<'a> {
    /// Takes the next `name:` off the front of the line: the name without white space around it, which is
    /// an identifier in correct sources. Line markers have no labels.
    #[inline]
    pub fn label(&mut self) -> Option<Piece<'a>> {
        if !self.has_colon || self.body.first() == Some(b'#') {
            return None;
        }
        let Some((name, rest)) = self.body.split(b':') else {
            self.has_colon = false;
            return None;
        };
        self.body = rest.trim_start();
        Some(name.trim_end())
    }

    /// The statement behind the labels.
    #[inline]
    pub fn statement(self) -> Statement<'a> {
        match self.body.first() {
            None => Statement::None,
            Some(b'#') => Statement::Marker(Marker::parse(self.body)),
            Some(first) => {
                let bytes = self.body.text.as_bytes();
                let mut end = 0;
                while bytes.get(end).is_some_and(|&b| b != b' ' && b != b'\t') {
                    end += 1;
                }
                let mut next = end;
                while bytes.get(next).is_some_and(|&b| is_space(b)) {
                    next += 1;
                }
                let head = self.body.take(end);
                let arguments = Arguments { rest: self.body.skip(next) };
                if first == b'.' {
                    Statement::Directive { head, name: head.skip(1), arguments }
                } else {
                    Statement::Instruction { head, arguments }
                }
            }
        }
    }
}

/// What a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statement<'a> {
    /// Nothing, or labels only.
    None,
    /// `# line "file"`: the next line is line `line` of `file`.
    Marker(Marker<'a>),
    /// `.name arguments`.
    Directive {
        /// The name with its full stop.
        head: Piece<'a>,
        /// The name.
        name: Piece<'a>,
        /// What follows.
        arguments: Arguments<'a>,
    },
    /// `mnemonic arguments`.
    Instruction {
        /// The mnemonic.
        head: Piece<'a>,
        /// What follows.
        arguments: Arguments<'a>,
    },
}

/// A line marker, as C preprocessors write them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marker<'a> {
    /// Number of the line that follows; 0 where the text is no number.
    pub line: u32,
    /// Name of the file, without its quotes; nothing where the marker names none.
    pub file: Option<Piece<'a>>,
}

impl<'a> Marker<'a> {
    fn parse(body: Piece<'a>) -> Self {
        let mut rest = body.skip(1).trim_start();
        // The form of the C language itself: #line 5 "file".
        if rest.text.as_bytes().get(..5).is_some_and(|word| word == b"line ") {
            rest = rest.skip(5).trim_start();
        }
        let digits = rest.text.bytes().take_while(u8::is_ascii_digit).count();
        let line = rest.take(digits).text.parse().unwrap_or(0);
        let rest = rest.skip(digits).trim_start();
        let file = match rest.first() {
            None => None,
            // Flags of the preprocessor may follow the closing quote.
            Some(b'"') => {
                let name = rest.skip(1);
                Some(name.take(name.text.bytes().rposition(|b| b == b'"').unwrap_or(name.text.len())))
            }
            Some(_) => Some(rest),
        };
        Self { line, file: file.filter(|name| !name.is_empty()) }
    }
}

/// Cursor over what follows a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arguments<'a> {
    /// What has not been taken yet.
    pub rest: Piece<'a>,
}

impl<'a> Arguments<'a> {
    /// Whether nothing is left.
    #[inline]
    pub fn is_done(self) -> bool {
        self.rest.is_empty()
    }

    /// What stands before the next comma, or all that is left. `None` at the end of the line, so a comma
    /// at the very end is not followed by an empty argument.
    pub fn comma(&mut self) -> Option<Piece<'a>> {
        self.until(b',')
    }

    /// What stands before the next opening parenthesis, or all that is left; `None` at the end.
    pub fn parenthesis(&mut self) -> Option<Piece<'a>> {
        self.until(b'(')
    }

    /// What stands before the next blank or tab, or all that is left; `None` at the end.
    pub fn blank(&mut self) -> Option<Piece<'a>> {
        if self.is_done() {
            return None;
        }
        let end = self.rest.text.bytes().position(|b| b == b' ' || b == b'\t');
        let piece = self.rest.take(end.unwrap_or(self.rest.text.len())).trim();
        self.rest = self.rest.skip(end.unwrap_or(self.rest.text.len())).trim_start();
        Some(piece)
    }

    fn until(&mut self, ascii: u8) -> Option<Piece<'a>> {
        let bytes = self.rest.text.as_bytes();
        if bytes.is_empty() {
            return None;
        }
        let start = bytes.iter().take_while(|&&b| is_space(b) && b != ascii).count();
        let mut end = start;
        while bytes.get(end).is_some_and(|&b| b != ascii) {
            end += 1;
        }
        let piece = self.rest.between(start, end);
        self.rest = self.rest.skip((end + 1).min(bytes.len()));
        Some(if piece.text.as_bytes().last().is_some_and(|&b| b <= b' ') { piece.trim_end() } else { piece })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_labels_head_arguments() {
        let text = "a: b :\tmov  r0.xy , c1[a0.x] ; why: not";
        let mut line = Lines::new(text).next().unwrap();
        assert_eq!(line.label().unwrap().text, "a");
        assert_eq!(line.label().unwrap().text, "b");
        assert_eq!(line.label(), None);
        let Statement::Instruction { head, mut arguments } = line.statement() else { panic!() };
        assert_eq!((head.text, head.at), ("mov", 7));
        let first = arguments.comma().unwrap();
        assert_eq!((first.text, &text[first.span()]), ("r0.xy", "r0.xy"));
        assert_eq!(arguments.comma().unwrap().text, "c1[a0.x]");
        assert_eq!(arguments.comma(), None);
    }

    #[test]
    fn markers_name_line_and_file() {
        for (text, line, file) in [
            ("# 100 \"a b.vsh\"", 100, Some("a b.vsh")),
            ("#7", 7, None),
            ("#line 3 \"x\" 2", 3, Some("x")),
            ("# 9 x.pica", 9, Some("x.pica")),
            ("# 4294967296", 0, None),
            ("#", 0, None),
        ] {
            let Statement::Marker(marker) = Lines::new(text).next().unwrap().statement() else { panic!() };
            assert_eq!((marker.line, marker.file.map(|f| f.text)), (line, file), "{text}");
        }
    }

    #[test]
    fn lines_end_with_the_text() {
        let bodies: Vec<_> = Lines::new("a;x\n\n b\r\n").map(|line| (line.body.text, line.body.at)).collect();
        assert_eq!(bodies, [("a", 0), ("", 4), ("b", 6), ("", 9)]);
    }
}
