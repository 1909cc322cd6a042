//! Where the printers of this machine write to: a buffer in front of a sink, since an instruction is many short
//! pieces, and a sink's length is far away.

use crate::text::{PartKind, Sink};
use std::ops::Range;

/// Room of the buffer, in bytes.
const ROOM: usize = 4096;

/// Up to 16 ASCII characters, with zeros behind them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    bytes: [u8; 16],
    length: usize,
}

impl Piece {
    /// The characters of a text of at most 16.
    pub(super) const fn new(text: &str) -> Self {
        let mut bytes = [0; 16];
        let all = text.as_bytes();
        let mut at = 0;
        while at < all.len() && at < 16 {
            bytes[at] = all[at];
            at += 1;
        }
        Self { bytes, length: at }
    }

    /// Several at once.
    pub(super) const fn all<const N: usize>(texts: [&str; N]) -> [Self; N] {
        let mut all = [Self::new(""); N];
        let mut at = 0;
        while at < N {
            all[at] = Self::new(texts[at]);
            at += 1;
        }
        all
    }

    fn text(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or(&self.bytes)
    }
}

/// A buffer in front of a sink. [`Out::finish`] empties it.
pub(super) struct Out<'a, S: Sink> {
    sink: &'a mut S,
    bytes: [u8; ROOM],
    length: usize,
    /// Where the current line starts, counted as `length`; below 0 if that is in the sink already.
    line: isize,
}

impl<'a, S: Sink> Out<'a, S> {
    /// An empty buffer. The sink is at the start of a line.
    pub(super) fn new(sink: &'a mut S) -> Self {
        Self { sink, bytes: [0; ROOM], length: 0, line: 0 }
    }

    /// Adds a piece.
    #[inline(always)]
    pub(super) fn put(&mut self, kind: PartKind, piece: &Piece) {
        self.put_two(kind, 16, kind, piece);
    }

    /// Adds a piece; its first `split` characters are of one kind, the others of another.
    #[inline(always)]
    pub(super) fn put_two(&mut self, first: PartKind, split: usize, second: PartKind, piece: &Piece) {
        if S::TYPED {
            let (head, tail) = piece.text().split_at(split.min(piece.length));
            self.sink.ascii(first, head);
            return self.sink.ascii(second, tail);
        }
        match self.bytes.get_mut(self.length..).and_then(<[u8]>::first_chunk_mut::<16>) {
            Some(room) => {
                *room = piece.bytes;
                self.length += piece.length;
            }
            None => self.long_text(first, piece.text()),
        }
    }

    /// Adds a number.
    #[inline(always)]
    pub(super) fn number(&mut self, kind: PartKind, value: u32) {
        if S::TYPED || value >= 10_000 {
            return self.long_number(kind, value);
        }
        let (high, low) = ((value / 100) as usize, (value % 100) as usize);
        let ([a, b], [c, d]) = (PAIRS[high % 100], PAIRS[low]);
        let skip = usize::from(value < 1000) + usize::from(value < 100) + usize::from(value < 10);
        let digits = u32::from_le_bytes([a, b, c, d]) >> (8 * skip);
        match self.bytes.get_mut(self.length..).and_then(<[u8]>::first_chunk_mut::<4>) {
            Some(room) => {
                *room = digits.to_le_bytes();
                self.length += 4 - skip;
            }
            None => self.long_number(kind, value),
        }
    }

    #[cold]
    fn long_number(&mut self, kind: PartKind, value: u32) {
        self.flush();
        let before = self.sink.column();
        self.sink.decimal(kind, value);
        self.line -= (self.sink.column() - before) as isize;
    }

    /// Adds one of `xyzw`.
    #[inline(always)]
    pub(super) fn component(&mut self, kind: PartKind, component: u8) {
        self.put(kind, &COMPONENTS[usize::from(component & 3)]);
    }

    /// Adds a text of any length, which is ASCII.
    #[inline]
    pub(super) fn text(&mut self, kind: PartKind, text: &str) {
        if S::TYPED {
            return self.sink.put(kind, text);
        }
        let end = self.length + text.len();
        match self.bytes.get_mut(self.length..end) {
            Some(room) => {
                room.copy_from_slice(text.as_bytes());
                self.length = end;
            }
            None => self.long_text(kind, text.as_bytes()),
        }
    }

    #[cold]
    fn long_text(&mut self, kind: PartKind, text: &[u8]) {
        self.flush();
        self.line -= text.len() as isize;
        self.sink.ascii(kind, text);
    }

    /// Adds blanks up to a column, or one blank if the line is there already.
    pub(super) fn pad_to(&mut self, column: usize) {
        if S::TYPED {
            return self.sink.pad_to(column);
        }
        let missing = column as isize - (self.length as isize - self.line);
        for _ in 0..missing.clamp(1, 256) {
            self.put(PartKind::Plain, &BLANK);
        }
    }

    /// Adds a hexadecimal number as [`Sink::hex`] does.
    pub(super) fn hex(&mut self, kind: PartKind, value: u32, width: usize) {
        self.flush();
        let before = self.sink.column();
        self.sink.hex(kind, value, width);
        self.line -= (self.sink.column() - before) as isize;
    }

    /// Says which code words the current line shows.
    #[inline(always)]
    pub(super) fn words(&mut self, words: Range<u32>) {
        if S::TYPED {
            self.sink.words(words);
        }
    }

    /// Ends the current line.
    #[inline(always)]
    pub(super) fn end_line(&mut self) {
        if S::TYPED {
            return self.sink.end_line();
        }
        self.put(PartKind::Plain, &LINE_FEED);
        self.line = self.length as isize;
    }

    /// Gives everything to the sink.
    fn flush(&mut self) {
        let Self { sink, bytes, length, .. } = self;
        if *length > 0 {
            sink.ascii(PartKind::Plain, bytes.get(..*length).unwrap_or_default());
        }
        self.line -= self.length as isize;
        self.length = 0;
    }

    /// Empties the buffer. The sink knows then where its line starts.
    pub(super) fn finish(mut self) {
        let ended = self.bytes.get(..self.length).and_then(<[u8]>::last) == Some(&b'\n');
        if ended {
            self.length -= 1;
        }
        self.flush();
        if ended {
            self.sink.end_line();
        }
    }
}

static BLANK: Piece = Piece::new(" ");
static LINE_FEED: Piece = Piece::new("\n");
static COMPONENTS: [Piece; 4] = Piece::all(["x", "y", "z", "w"]);

/// Two digits each.
static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut n = 0;
    while n < 100 {
        pairs[n] = [b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        n += 1;
    }
    pairs
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Listing, PlainText};

    fn write<S: Sink>(sink: &mut S) {
        let mut out = Out::new(sink);
        for value in (0..=12_000).chain([99_999, 100_000, u32::MAX]) {
            out.put_two(PartKind::Plain, 1, PartKind::Register, &Piece::new("\t^"));
            out.number(PartKind::Register, value);
            out.put(PartKind::Register, &Piece::new("."));
            out.component(PartKind::Register, value as u8);
            out.pad_to(12);
            out.text(PartKind::Name, ["a_name", "a_name_that_is_longer_than_sixteen"][value as usize & 1]);
            out.pad_to(12);
            out.hex(PartKind::Immediate, value, 2);
            out.words(value..value);
            out.end_line();
        }
        out.finish();
    }

    #[test]
    fn both_ways_give_the_same_text() {
        let (mut plain, mut listing) = (PlainText::default(), Listing::default());
        write(&mut plain);
        write(&mut listing);
        assert_eq!(plain.text(), listing.text());
        assert_eq!(plain.column(), 0);
        let line = listing.lines().nth(7).unwrap();
        assert_eq!(line.text, "\t^7.w       a_name_that_is_longer_than_sixteen 0x07");
        assert_eq!(line.words, Some(7..7));
        assert_eq!(line.parts().map(|part| part.text).nth(1), Some("^7.w"));
    }
}
