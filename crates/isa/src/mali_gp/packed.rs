//! Short texts as numbers: printers put them together in registers and write each in one go.

use crate::text::{PartKind, Sink};

/// Up to 16 ASCII characters, the first in the lowest byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Packed {
    bits: u128,
    length: u32,
}

impl Packed {
    /// The characters of a text of at most 16.
    pub(super) const fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut bits = 0;
        let mut at = 0;
        while at < bytes.len() && at < 16 {
            bits |= (bytes[at] as u128) << (8 * at);
            at += 1;
        }
        Self { bits, length: at as u32 }
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

    /// With another text behind it. What goes over 16 characters is lost.
    #[inline(always)]
    pub(super) const fn then(self, other: Self) -> Self {
        Self { bits: self.bits | other.bits << ((8 * self.length) & 127), length: self.length + other.length }
    }

    /// With one of `xyzw` behind it.
    #[inline(always)]
    pub(super) const fn component(self, component: u8) -> Self {
        // The letters are in a row but for w, which stands in front of x.
        let letter = b'w' + (component + 1) % 4;
        self.then(Self { bits: letter as u128, length: 1 })
    }

    /// With a number behind it.
    #[inline(always)]
    pub(super) fn number(self, value: u32) -> Self {
        if value < 10_000 { self.then(four_digits(value)) } else { self.long_number(value) }
    }

    #[cold]
    fn long_number(self, value: u32) -> Self {
        let low = four_digits(value % 10_000);
        let missing = 4 - low.length;
        let zeros = Self { bits: Self::new("0000").bits & ((1 << (8 * missing)) - 1), length: missing };
        self.number(value / 10_000).then(zeros).then(low)
    }

    /// Writes it: the first `split` characters are of one kind, the rest of another.
    #[inline(always)]
    pub(super) fn put(self, sink: &mut impl Sink, first: PartKind, split: usize, second: PartKind) {
        sink.put_packed(first, split, second, self.bits, self.length as usize);
    }
}

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

/// A number below 10000 without zeros in front.
#[inline(always)]
fn four_digits(value: u32) -> Packed {
    let (high, low) = (value / 100 % 100, value % 100);
    let [a, b] = PAIRS[high as usize];
    let [c, d] = PAIRS[low as usize];
    let skip = u32::from(value < 1000) + u32::from(value < 100) + u32::from(value < 10);
    let digits = u32::from_le_bytes([a, b, c, d]) >> (8 * skip);
    Packed { bits: digits.into(), length: 4 - skip }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::PlainText;

    #[test]
    fn numbers_and_letters() {
        for value in (0..=20_000).chain([99_999, 100_000, 1_000_001, 12_345_678, u32::MAX]) {
            let mut text = PlainText::default();
            let packed = Packed::new("^").number(value);
            packed.put(&mut text, PartKind::Plain, 0, PartKind::Plain);
            assert_eq!(text.text(), format!("^{value}"));
        }
        let letters: Vec<String> = (0..4)
            .map(|n| {
                let mut text = PlainText::default();
                Packed::new("a1.").component(n).put(&mut text, PartKind::Plain, 0, PartKind::Plain);
                text.into_text()
            })
            .collect();
        assert_eq!(letters, ["a1.x", "a1.y", "a1.z", "a1.w"]);
    }
}
