//! Names as numbers.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// The number of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// All names of a shader, each once.
#[derive(Debug, Clone, Default)]
pub struct Names {
    texts: Vec<Rc<str>>,
    numbers: HashMap<Rc<str>, Symbol, BuildHasherDefault<Quick>>,
}

impl Names {
    /// None yet, with room for some.
    pub fn with_capacity(count: usize) -> Self {
        let numbers = HashMap::with_capacity_and_hasher(count, BuildHasherDefault::default());
        Self { texts: Vec::with_capacity(count), numbers }
    }

    /// The number of a name.
    pub fn add(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.numbers.get(text) {
            return *symbol;
        }
        let symbol = Symbol(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        let text: Rc<str> = text.into();
        self.texts.push(text.clone());
        self.numbers.insert(text, symbol);
        symbol
    }

    /// The name of a number.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol.0 as usize).map_or("", |text| text)
    }

    /// The number of a name that was seen.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.numbers.get(text).copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

/// A hash for short texts: the standard one takes longer than all else of the lexer. Texts that are made to collide cost at most the
/// square of their number, which the limits of bytes and tokens hold down: the multiplication is followed by a fold, and names of one
/// text that collide in all 64 bits are not found by trying.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quick(u64);

impl Quick {
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        self.0 = (product >> 64) as u64 ^ product as u64 ^ self.0.rotate_left(23);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            if let Ok(word) = chunk.try_into() {
                self.mix(u64::from_le_bytes(word));
            }
        }
        let rest = chunks.remainder().iter().fold(0, |word: u64, byte| (word << 8) | u64::from(*byte));
        self.mix(rest.wrapping_add(bytes.len() as u64).rotate_left(7));
    }

    fn write_u8(&mut self, byte: u8) {
        self.mix(u64::from(byte));
    }

    fn write_u32(&mut self, word: u32) {
        self.mix(u64::from(word).wrapping_add(1));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
