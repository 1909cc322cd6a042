//! Typed text: what every printer of an instruction set writes into, so that terminal, web page and
//! script see the same listing with the same parts.
//!
//! A printer is generic over its [`Sink`]. [`PlainText`] keeps the characters only (the fast path);
//! [`Listing`] keeps for each part what it is, and for each line which code words it shows.

use std::ops::Range;

/// What a part of a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartKind {
    /// White space, and whatever needs no colour.
    Plain,
    /// Name of an operation.
    Mnemonic,
    /// A register of the machine, with index and component letters.
    Register,
    /// A number.
    Immediate,
    /// A place in the code: its definition or a reference to it.
    Label,
    /// A word that steers the assembler: `.proc`, `@5`.
    Directive,
    /// A remark that the assembler skips.
    Comment,
    /// Commas, brackets, signs.
    Punctuation,
    /// A name that the file gives: of a uniform, an input, an output.
    Name,
    /// Text in quotes.
    String,
}

impl PartKind {
    /// Lower-case name, as JSON and CSS classes use it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Mnemonic => "mnemonic",
            Self::Register => "register",
            Self::Immediate => "immediate",
            Self::Label => "label",
            Self::Directive => "directive",
            Self::Comment => "comment",
            Self::Punctuation => "punctuation",
            Self::Name => "name",
            Self::String => "string",
        }
    }
}

/// Where a printer writes to.
pub trait Sink {
    /// Whether it looks at the kinds of parts and at the words of lines. To a sink that does not, a printer may
    /// give many parts at once, line breaks among them.
    const TYPED: bool = true;

    /// Adds text to the current line. `text` holds no line break, unless the sink is not [`Sink::TYPED`].
    fn put(&mut self, kind: PartKind, text: &str);

    /// Adds a short text; quicker than [`Sink::put`] where the sink can use the room behind it.
    fn put_short(&mut self, kind: PartKind, short: &Short<'_>) {
        self.put(kind, short.text());
    }

    /// Length of the current line so far, in bytes.
    fn column(&self) -> usize;

    /// Says that the current line shows these code words, counted from the start of the code.
    fn words(&mut self, words: Range<u32>);

    /// Ends the current line.
    fn end_line(&mut self);

    /// Adds blanks up to `column`, or one blank if the line is there already.
    fn pad_to(&mut self, column: usize) {
        const BLANKS: &str = "                                                                ";
        let mut missing = column.saturating_sub(self.column()).max(1);
        while missing > 0 {
            let now = missing.min(BLANKS.len());
            self.put(PartKind::Plain, &BLANKS[..now]);
            missing -= now;
        }
    }

    /// Adds a decimal number.
    fn decimal(&mut self, kind: PartKind, value: u32) {
        let mut digits = [0; 10];
        let mut at = digits.len();
        let mut rest = value;
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.ascii(kind, &digits[at..]);
    }

    /// Adds a hexadecimal number with `0x` and at least `width` digits, at most eight.
    fn hex(&mut self, kind: PartKind, value: u32, width: usize) {
        let mut digits = [0; 10];
        let mut at = digits.len();
        let mut rest = value;
        while rest != 0 || at > digits.len() - width.clamp(1, 8) {
            at -= 1;
            digits[at] = b"0123456789ABCDEF"[(rest & 15) as usize];
            rest >>= 4;
        }
        at -= 2;
        digits[at] = b'0';
        digits[at + 1] = b'x';
        self.ascii(kind, &digits[at..]);
    }

    /// Adds characters that are known to be ASCII; others are left out.
    fn ascii(&mut self, kind: PartKind, bytes: &[u8]) {
        self.put(kind, std::str::from_utf8(bytes).unwrap_or_default());
    }

    /// Adds the first `length` of these characters, which are known to be ASCII; quicker than [`Sink::ascii`] where the
    /// sink can use the room behind them.
    fn short_ascii(&mut self, kind: PartKind, bytes: &[u8; 16], length: usize) {
        self.ascii(kind, bytes.get(..length).unwrap_or_default());
    }
}

/// A short text with room behind it, so that it can be copied as one piece of fixed size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Short<'a> {
    text: &'a str,
    /// The text, if it has at most 16 bytes, and zeros.
    padded: [u8; 16],
}

impl<'a> Short<'a> {
    /// The text with its room.
    pub const fn new(text: &'a str) -> Self {
        let mut padded = [0; 16];
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() && at < 16 {
            padded[at] = bytes[at];
            at += 1;
        }
        Self { text, padded }
    }

    /// Several at once.
    pub const fn all<const N: usize>(texts: [&'a str; N]) -> [Self; N] {
        let mut all = [Self::new(""); N];
        let mut at = 0;
        while at < N {
            all[at] = Self::new(texts[at]);
            at += 1;
        }
        all
    }

    /// The characters.
    #[inline]
    pub const fn text(&self) -> &'a str {
        self.text
    }
}

/// A sink that keeps the characters only.
#[derive(Debug, Clone, Default)]
pub struct PlainText {
    /// The text so far, and room behind it.
    bytes: Vec<u8>,
    /// Length of the text.
    length: usize,
    line_start: usize,
}

impl PlainText {
    /// An empty text with room for `bytes`.
    pub fn with_capacity(bytes: usize) -> Self {
        Self { bytes: vec![0; bytes], length: 0, line_start: 0 }
    }

    /// The text so far; each finished line ends with `\n`.
    pub fn text(&self) -> &str {
        let written = self.bytes.get(..self.length).unwrap_or_default();
        std::str::from_utf8(written).unwrap_or_default()
    }

    /// The text; each finished line ends with `\n`.
    pub fn into_text(mut self) -> String {
        self.bytes.truncate(self.length);
        String::from_utf8(self.bytes).unwrap_or_default()
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        self.bytes.resize(end.saturating_add(1024).max(self.bytes.len().saturating_mul(2)), 0);
    }
}

impl Sink for PlainText {
    const TYPED: bool = false;

    #[inline]
    fn put(&mut self, _: PartKind, text: &str) {
        let end = self.length.wrapping_add(text.len());
        if end > self.bytes.len() {
            self.grow(end);
        }
        if let Some(place) = self.bytes.get_mut(self.length..end) {
            place.copy_from_slice(text.as_bytes());
            self.length = end;
        }
    }

    #[inline(always)]
    fn put_short(&mut self, kind: PartKind, short: &Short<'_>) {
        let room = self.bytes.get_mut(self.length..).and_then(<[u8]>::first_chunk_mut::<16>);
        match room {
            Some(room) if short.text.len() <= 16 => {
                *room = short.padded;
                self.length = self.length.wrapping_add(short.text.len());
            }
            _ => self.put(kind, short.text),
        }
    }

    #[inline]
    fn ascii(&mut self, _: PartKind, bytes: &[u8]) {
        if !bytes.is_ascii() {
            return;
        }
        let end = self.length.wrapping_add(bytes.len());
        if end > self.bytes.len() {
            self.grow(end);
        }
        if let Some(place) = self.bytes.get_mut(self.length..end) {
            place.copy_from_slice(bytes);
            self.length = end;
        }
    }

    #[inline(always)]
    fn short_ascii(&mut self, kind: PartKind, bytes: &[u8; 16], length: usize) {
        let room = self.bytes.get_mut(self.length..).and_then(<[u8]>::first_chunk_mut::<16>);
        match room {
            Some(room) if length <= 16 && bytes.is_ascii() => {
                *room = *bytes;
                self.length = self.length.wrapping_add(length);
            }
            _ => self.ascii(kind, bytes.get(..length).unwrap_or_default()),
        }
    }

    #[inline]
    fn column(&self) -> usize {
        self.length - self.line_start
    }

    #[inline]
    fn words(&mut self, _: Range<u32>) {}

    #[inline]
    fn end_line(&mut self) {
        self.put(PartKind::Plain, "\n");
        self.line_start = self.length;
    }
}

/// One part of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part<'a> {
    /// What it is.
    pub kind: PartKind,
    /// Its characters.
    pub text: &'a str,
}

/// A text made of lines made of parts.
///
/// ```
/// use unshade_isa_common::text::{Listing, PartKind, Sink};
/// let mut listing = Listing::default();
/// listing.put(PartKind::Mnemonic, "end");
/// listing.words(0..1);
/// listing.end_line();
/// let line = listing.lines().next().unwrap();
/// assert_eq!((line.text, line.words.clone()), ("end", Some(0..1)));
/// assert_eq!(line.parts().next().unwrap().kind, PartKind::Mnemonic);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    text: String,
    /// Kind and end offset in `text` of each part.
    parts: Vec<(PartKind, usize)>,
    lines: Vec<LineEnd>,
    current: Option<Range<u32>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct LineEnd {
    /// Offset of the line's `\n` in the text.
    text: usize,
    /// Number of parts up to the end of the line.
    parts: usize,
    words: Option<Range<u32>>,
}

impl Sink for Listing {
    fn put(&mut self, kind: PartKind, text: &str) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        let first = self.lines.last().map_or(0, |line| line.parts);
        let end = self.text.len();
        match self.parts.get_mut(first..).and_then(<[_]>::last_mut) {
            Some(last) if last.0 == kind => last.1 = end,
            _ => self.parts.push((kind, end)),
        }
    }

    fn column(&self) -> usize {
        self.text.len() - self.lines.last().map_or(0, |line| line.text + 1)
    }

    fn words(&mut self, words: Range<u32>) {
        self.current = Some(words);
    }

    fn end_line(&mut self) {
        self.lines.push(LineEnd {
            text: self.text.len(),
            parts: self.parts.len(),
            words: self.current.take(),
        });
        self.text.push('\n');
    }
}

/// A finished line of a [`Listing`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'a> {
    /// The whole line without its line break.
    pub text: &'a str,
    /// The code words it shows, if it shows any.
    pub words: Option<Range<u32>>,
    parts: &'a [(PartKind, usize)],
    start: usize,
}

impl<'a> Line<'a> {
    /// The parts of the line from left to right; put together they are [`Line::text`].
    pub fn parts(&self) -> impl Iterator<Item = Part<'a>> + use<'a> {
        let (text, start, parts) = (self.text, self.start, self.parts);
        let mut from = 0;
        parts.iter().map(move |&(kind, end)| {
            let end = end - start;
            let part = Part { kind, text: text.get(from..end).unwrap_or_default() };
            from = end;
            part
        })
    }
}

impl Listing {
    /// The whole text; each line ends with `\n`.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The finished lines.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let mut start = 0;
        let mut first = 0;
        self.lines.iter().map(move |line| {
            let out = Line {
                text: self.text.get(start..line.text).unwrap_or_default(),
                words: line.words.clone(),
                parts: self.parts.get(first..line.parts).unwrap_or_default(),
                start,
            };
            start = line.text + 1;
            first = line.parts;
            out
        })
    }
}

impl std::fmt::Display for Listing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let mut text = PlainText::default();
        for value in [0, 9, 10, 4096, u32::MAX] {
            text.decimal(PartKind::Immediate, value);
            text.put(PartKind::Plain, " ");
            text.hex(PartKind::Immediate, value, 3);
            text.put(PartKind::Plain, " ");
        }
        assert_eq!(text.text(), "0 0x000 9 0x009 10 0x00A 4096 0x1000 4294967295 0xFFFFFFFF ");
    }

    #[test]
    fn short_texts() {
        let mut text = PlainText::default();
        for part in ["", "add", "exactly sixteen.", "seventeen letters"] {
            text.put_short(PartKind::Plain, &Short::new(part));
            text.put(PartKind::Plain, "|");
        }
        assert_eq!(text.text(), "|add|exactly sixteen.|seventeen letters|");
        text.short_ascii(PartKind::Plain, b"three and others", 5);
        text.short_ascii(PartKind::Plain, &[0xC3; 16], 2);
        assert_eq!(text.text(), "|add|exactly sixteen.|seventeen letters|three");
        assert_eq!(text.clone().into_text(), text.text());
    }

    #[test]
    fn parts_are_the_line() {
        let mut listing = Listing::default();
        listing.end_line();
        listing.put(PartKind::Mnemonic, "add");
        listing.pad_to(8);
        listing.put(PartKind::Register, "r0");
        listing.put(PartKind::Register, ".x");
        listing.words(4..5);
        listing.end_line();
        let lines: Vec<_> = listing.lines().collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].text, "");
        assert_eq!(lines[1].text, "add     r0.x");
        assert_eq!(lines[1].parts().map(|part| part.text).collect::<Vec<_>>(), ["add", "     ", "r0.x"]);
        assert_eq!(lines[1].words, Some(4..5));
        assert_eq!(listing.text(), "\nadd     r0.x\n");
    }
}
