//! The entries of the tables, bytes to value and value to bytes.

use super::model::{Constant, ConstantValue, Descriptor, Label, Line, Output, Relocation, Uniform};

/// A table entry of `N` bytes.
pub(super) trait Entry<const N: usize> {
    fn from_bytes(bytes: &[u8; N]) -> Self;
    fn to_bytes(&self) -> [u8; N];
}

impl Entry<4> for u32 {
    #[inline]
    fn from_bytes(bytes: &[u8; 4]) -> Self {
        Self::from_le_bytes(*bytes)
    }

    #[inline]
    fn to_bytes(&self) -> [u8; 4] {
        self.to_le_bytes()
    }
}

impl Entry<8> for Descriptor {
    #[inline]
    fn from_bytes(bytes: &[u8; 8]) -> Self {
        let [bits, high] = words(bytes);
        Self { bits, high }
    }

    fn to_bytes(&self) -> [u8; 8] {
        from_words([self.bits, self.high])
    }
}

impl Entry<8> for Line {
    #[inline]
    fn from_bytes(bytes: &[u8; 8]) -> Self {
        let [file, line] = words(bytes);
        Self { file, line }
    }

    fn to_bytes(&self) -> [u8; 8] {
        from_words([self.file, self.line])
    }
}

impl Entry<12> for Relocation {
    #[inline]
    fn from_bytes(bytes: &[u8; 12]) -> Self {
        let [word, first, second] = words(bytes);
        Self { word, unknown: [first, second] }
    }

    fn to_bytes(&self) -> [u8; 12] {
        let [first, second] = self.unknown;
        from_words([self.word, first, second])
    }
}

impl Entry<16> for Label {
    #[inline]
    fn from_bytes(bytes: &[u8; 16]) -> Self {
        let [ids, position, size, name] = words(bytes);
        let [id, unknown_02] = halves(ids);
        Self { id, unknown_02, position, size, name }
    }

    fn to_bytes(&self) -> [u8; 16] {
        from_words([join(self.id, self.unknown_02), self.position, self.size, self.name])
    }
}

impl Entry<8> for Output {
    #[inline]
    fn from_bytes(bytes: &[u8; 8]) -> Self {
        let [[semantic, register], [mask, unknown_06]] = words(bytes).map(halves);
        Self { semantic, register, mask, unknown_06 }
    }

    fn to_bytes(&self) -> [u8; 8] {
        from_words([join(self.semantic, self.register), join(self.mask, self.unknown_06)])
    }
}

impl Entry<8> for Uniform {
    #[inline]
    fn from_bytes(bytes: &[u8; 8]) -> Self {
        let [name, registers] = words(bytes);
        let [first, last] = halves(registers);
        Self { name, first, last }
    }

    fn to_bytes(&self) -> [u8; 8] {
        from_words([self.name, join(self.first, self.last)])
    }
}

impl Entry<20> for Constant {
    #[inline]
    fn from_bytes(bytes: &[u8; 20]) -> Self {
        let [k0, k1, register, byte_03, payload @ ..] = *bytes;
        let [a, b, c, d, tail @ ..] = payload;
        let value = match u16::from_le_bytes([k0, k1]) {
            0 => ConstantValue::Bool { word: u32::from_le_bytes([a, b, c, d]), tail },
            1 => ConstantValue::Int { xyzw: [a, b, c, d], tail },
            2 => ConstantValue::Float(words(&payload)),
            kind => ConstantValue::Unknown { kind, payload },
        };
        Self { register, byte_03, value }
    }

    fn to_bytes(&self) -> [u8; 20] {
        let [k0, k1] = self.value.kind().to_le_bytes();
        let payload = self.value.payload();
        let mut bytes = [0; 20];
        let fields = [k0, k1, self.register, self.byte_03].into_iter().chain(payload);
        for (byte, field) in bytes.iter_mut().zip(fields) {
            *byte = field;
        }
        bytes
    }
}

impl ConstantValue {
    /// The 16 bytes behind kind and register, as the file has them.
    pub fn payload(&self) -> [u8; 16] {
        let with_tail = |head: [u8; 4], tail: &[u8; 12]| {
            let mut bytes = [0; 16];
            for (byte, value) in bytes.iter_mut().zip(head.iter().chain(tail)) {
                *byte = *value;
            }
            bytes
        };
        match self {
            Self::Bool { word, tail } => with_tail(word.to_le_bytes(), tail),
            Self::Int { xyzw, tail } => with_tail(*xyzw, tail),
            Self::Float(floats) => from_words(*floats),
            Self::Unknown { payload, .. } => *payload,
        }
    }
}

/// The entries of a table; a last one that is cut off is not among them.
#[inline]
pub(super) fn read<const N: usize, T: Entry<N>>(bytes: &[u8]) -> Vec<T> {
    bytes.as_chunks::<N>().0.iter().map(T::from_bytes).collect()
}

/// Appends the bytes of a table.
pub(super) fn write<const N: usize, T: Entry<N>>(entries: &[T], out: &mut Vec<u8>) {
    out.reserve(entries.len().saturating_mul(N));
    for entry in entries {
        out.extend_from_slice(&entry.to_bytes());
    }
}

/// A row of `N` = 4 `W` bytes as words.
#[inline]
pub(super) fn words<const N: usize, const W: usize>(row: &[u8; N]) -> [u32; W] {
    let mut words = [0; W];
    for (word, bytes) in words.iter_mut().zip(row.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

fn from_words<const N: usize, const W: usize>(words: [u32; W]) -> [u8; N] {
    let mut row = [0; N];
    for (bytes, word) in row.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    row
}

#[inline]
pub(super) fn halves(word: u32) -> [u16; 2] {
    let [a, b, c, d] = word.to_le_bytes();
    [u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])]
}

fn join(low: u16, high: u16) -> u32 {
    u32::from(low) | u32::from(high) << 16
}
