//! Where the printers of this machine write to: a buffer in front of a sink, since an instruction is many short
//! pieces, and a sink's length is far away.

use std::ops::Range;
use unshade_isa_common::text::{PartKind, Sink};

/// Room of the buffer, in bytes.
const ROOM: usize = 4096;
/// So much of it is free when an instruction starts and behind each text of any length: more than all pieces
/// of an instruction need.
const FREE: usize = 2560;

/// Up to 16 ASCII characters, with zeros behind them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    bytes: [u8; 16],
    length: usize,
}

impl Piece {
    /// No characters.
    pub(super) const EMPTY: Self = Self { bytes: [0; 16], length: 0 };

    /// The characters of a text of at most 16.
    pub(super) const fn new(text: &str) -> Self {
        Self::EMPTY.with(text)
    }

    /// With more characters; those behind the sixteenth are left out.
    pub(super) const fn with(mut self, text: &str) -> Self {
        let all = text.as_bytes();
        let mut at = 0;
        while at < all.len() && self.length < 16 {
            self.bytes[self.length] = all[at];
            self.length += 1;
            at += 1;
        }
        self
    }

    /// With blanks up to a length.
    pub(super) const fn padded(mut self, length: usize) -> Self {
        while self.length < length {
            self = self.with(" ");
        }
        self
    }

    /// Several at once.
    pub(super) const fn all<const N: usize>(texts: [&str; N]) -> [Self; N] {
        let mut all = [Self::EMPTY; N];
        let mut at = 0;
        while at < N {
            all[at] = Self::new(texts[at]);
            at += 1;
        }
        all
    }

    /// The numbers from 0, each between two texts: `$0.`, `$1.`.
    pub(super) const fn numbered<const N: usize>(head: &str, tail: &str) -> [Self; N] {
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let mut all = [Self::EMPTY; N];
        let mut at = 0;
        while at < N {
            let tens = if at < 10 { "" } else { DIGITS[at / 10 % 10] };
            all[at] = Self::new(head).with(tens).with(DIGITS[at % 10]).with(tail);
            at += 1;
        }
        all
    }

    fn text(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or(&self.bytes)
    }
}

/// A place in a buffer. It is a value of its own so that its index stays in a register while pieces are added.
pub(super) struct Cursor<'a, S: Sink> {
    sink: &'a mut S,
    bytes: &'a mut [u8; ROOM],
    at: usize,
}

impl<S: Sink> Cursor<'_, S> {
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
        if let Some(room) = self.bytes.get_mut(self.at..).and_then(<[u8]>::first_chunk_mut::<16>) {
            *room = piece.bytes;
            self.at += piece.length;
        }
    }

    /// Adds a number.
    #[inline(always)]
    pub(super) fn number(&mut self, kind: PartKind, value: u32) {
        if S::TYPED {
            return self.sink.decimal(kind, value);
        }
        match value {
            0..10_000 => self.digits(four_digits(value), 4),
            10_000..100_000_000 => {
                let (high, low) = (four_digits(value / 10_000), four_digits(value % 10_000));
                self.digits(high | low << 32, 8);
            }
            _ => self.long_number(value),
        }
    }

    /// Adds some of these digits, the first in the lowest byte, without the zeros in front.
    #[inline(always)]
    fn digits(&mut self, digits: u64, count: u32) {
        // The last one stays, whatever it is.
        let zeros = ((digits & 0x0F0F_0F0F_0F0F_0F0F) | 1 << (8 * count - 8)).trailing_zeros() / 8;
        if let Some(room) = self.bytes.get_mut(self.at..).and_then(<[u8]>::first_chunk_mut::<8>) {
            *room = (digits >> (8 * zeros)).to_le_bytes();
            self.at += (count - zeros) as usize;
        }
    }

    #[cold]
    fn long_number(&mut self, value: u32) {
        self.digits(four_digits(value / 100_000_000), 4);
        for part in [value / 10_000 % 10_000, value % 10_000] {
            for pair in [part / 100, part % 100] {
                if let Some(room) = self.bytes.get_mut(self.at..).and_then(<[u8]>::first_chunk_mut::<2>) {
                    *room = PAIRS[pair as usize];
                    self.at += 2;
                }
            }
        }
    }

    /// Adds one of `xyzw`.
    #[inline(always)]
    pub(super) fn component(&mut self, kind: PartKind, component: u8) {
        self.put(kind, &COMPONENTS[usize::from(component & 3)]);
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
    }
}

/// The digits of a number below 10,000, the first in the lowest byte.
#[inline(always)]
fn four_digits(value: u32) -> u64 {
    let ([a, b], [c, d]) = (PAIRS[(value / 100 % 100) as usize], PAIRS[(value % 100) as usize]);
    u32::from_le_bytes([a, b, c, d]).into()
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

    /// Makes room for an instruction.
    #[inline]
    pub(super) fn reserve(&mut self) {
        if self.length > ROOM - FREE {
            self.flush();
        }
    }

    /// Lets pieces be added one after the other, up to the end of some line.
    #[inline(always)]
    pub(super) fn lines(&mut self, write: impl FnOnce(&mut Cursor<'_, S>)) {
        self.with_cursor(write);
        self.line = self.length as isize;
    }

    #[inline(always)]
    fn with_cursor(&mut self, write: impl FnOnce(&mut Cursor<'_, S>)) {
        let mut cursor = Cursor { sink: self.sink, bytes: &mut self.bytes, at: self.length };
        write(&mut cursor);
        self.length = cursor.at;
    }

    /// As [`Cursor::put`].
    #[inline(always)]
    pub(super) fn put(&mut self, kind: PartKind, piece: &Piece) {
        self.with_cursor(|cursor| cursor.put(kind, piece));
    }

    /// As [`Cursor::put_two`].
    #[inline(always)]
    pub(super) fn put_two(&mut self, first: PartKind, split: usize, second: PartKind, piece: &Piece) {
        self.with_cursor(|cursor| cursor.put_two(first, split, second, piece));
    }

    /// As [`Cursor::number`].
    #[inline(always)]
    pub(super) fn number(&mut self, kind: PartKind, value: u32) {
        self.with_cursor(|cursor| cursor.number(kind, value));
    }

    /// As [`Cursor::component`].
    #[inline(always)]
    pub(super) fn component(&mut self, kind: PartKind, component: u8) {
        self.with_cursor(|cursor| cursor.component(kind, component));
    }

    /// Adds a text of any length, which is ASCII.
    #[inline]
    pub(super) fn text(&mut self, kind: PartKind, text: &str) {
        if S::TYPED {
            return self.sink.put(kind, text);
        }
        let end = self.length + text.len();
        match self.bytes.get_mut(self.length..end) {
            Some(room) if end <= ROOM - FREE => {
                room.copy_from_slice(text.as_bytes());
                self.length = end;
            }
            _ => self.long_text(kind, text.as_bytes()),
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
    use unshade_isa_common::text::{Listing, PlainText};

    fn write<S: Sink>(sink: &mut S) {
        let mut out = Out::new(sink);
        for value in (0..=12_000).chain([99_999, 100_000, 99_999_999, 100_000_000, u32::MAX]) {
            out.reserve();
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
