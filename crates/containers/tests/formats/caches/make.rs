//! What the generators share: numbers by chance, bytes one behind the other, packing.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

/// Numbers by chance (xorshift), the same for the same seed.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 11) % end.max(1)
    }

    /// True once in `of` times.
    pub fn once_in(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }

    pub fn word(&mut self) -> u32 {
        (self.next() >> 16) as u32
    }

    pub fn words(&mut self, count: u64) -> Vec<u32> {
        (0..count).map(|_| self.word()).collect()
    }

    pub fn bytes(&mut self, count: u64) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }
}

/// Words as bytes, least significant first.
pub fn little(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Deflate with blocks that are stored or have the fixed codes, all literals.
pub fn deflate(bytes: &[u8], fixed: bool) -> Vec<u8> {
    if !fixed {
        let chunks: Vec<&[u8]> = if bytes.is_empty() { vec![bytes] } else { bytes.chunks(0xffff).collect() };
        let last = chunks.len() - 1;
        return chunks
            .iter()
            .enumerate()
            .flat_map(|(n, chunk)| {
                let len = chunk.len() as u16;
                [&[u8::from(n == last)], &len.to_le_bytes()[..], &(!len).to_le_bytes(), *chunk].concat()
            })
            .collect();
    }
    let mut out = Bits::default();
    out.put(0b011, 3);
    for &byte in bytes {
        // Codes of the fixed tree begin with their most significant bit.
        match byte {
            0..=143 => out.put_code(0x30 + u32::from(byte), 8),
            144..=255 => out.put_code(0x190 + u32::from(byte) - 144, 9),
        }
    }
    out.put_code(0, 7);
    out.bytes()
}

/// Brotli without compression: meta-blocks of at most 64 KiB as they are.
pub fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut out = Bits::default();
    out.put(0, 1);
    for chunk in bytes.chunks(1 << 16) {
        // Not the last; four nibbles of a length less one; not compressed.
        out.put(0, 3);
        out.put(chunk.len() as u32 - 1, 16);
        out.put(1, 1);
        out.align();
        out.0.extend_from_slice(chunk);
    }
    // The last, and empty.
    out.put(3, 2);
    out.bytes()
}

/// Bits, least significant first.
#[derive(Default)]
struct Bits(Vec<u8>, u32, u32);

impl Bits {
    fn put(&mut self, value: u32, count: u32) {
        for bit in 0..count {
            self.1 |= (value >> bit & 1) << self.2;
            self.2 += 1;
            if self.2 == 8 {
                self.align();
            }
        }
    }

    fn put_code(&mut self, code: u32, count: u32) {
        (0..count).rev().for_each(|bit| self.put(code >> bit & 1, 1));
    }

    fn align(&mut self) {
        if self.2 > 0 {
            self.0.push(self.1 as u8);
            (self.1, self.2) = (0, 0);
        }
    }

    fn bytes(mut self) -> Vec<u8> {
        self.align();
        self.0
    }
}

/// A zstd frame that asks for a dictionary, its content in blocks as it is or, where it is one byte again and again, as that. Of
/// unknown length where `known` is not.
pub fn frame(bytes: &[u8], dictionary: Option<u32>, known: bool) -> Vec<u8> {
    // Length of the content in four bytes; a window of 128 KiB; a dictionary's number in four bytes.
    let descriptor = if known { 0x80 } else { 0 } | if dictionary.is_some() { 3 } else { 0 };
    let mut out = vec![0x28, 0xb5, 0x2f, 0xfd, descriptor, 7 << 3];
    out.extend(dictionary.iter().flat_map(|id| id.to_le_bytes()));
    if known {
        out.extend((bytes.len() as u32).to_le_bytes());
    }
    let blocks: Vec<&[u8]> = if bytes.is_empty() { vec![bytes] } else { bytes.chunks(1 << 16).collect() };
    let last = blocks.len() - 1;
    for (n, block) in blocks.iter().enumerate() {
        let again = block.len() > 1 && block.iter().all(|byte| *byte == block[0]);
        let head = u32::from(n == last) | u32::from(again) << 1 | (block.len() as u32) << 3;
        out.extend(&head.to_le_bytes()[..3]);
        out.extend(if again { &block[..1] } else { block });
    }
    out
}

/// A zlib stream.
pub fn zlib(bytes: &[u8]) -> Vec<u8> {
    let sum = bytes.iter().fold((1_u32, 0_u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65521;
        (a, (b + a) % 65521)
    });
    [&[0x78, 0x9c], &deflate(bytes, true)[..], &(sum.1 << 16 | sum.0).to_be_bytes()].concat()
}
