//! The entries of the tables, bytes to value and value to bytes.

use super::model::{
    Constant, ConstantValue, Descriptor, GeometryWord, Label, Line, Output, Relocation, Uniform,
};
use super::register::{AnyRegister, Numbered, Semantic, Unified, mask_letters, semantic_name};
use crate::shared::fields::{Fields, Form, Number, Record, Style, Visitor};
use unshade_bytes::{Endian, Result};

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

/// Says the fields of an entry once, in the order of the file: reading, writing, the tree and the paths of `edit` follow.
macro_rules! entry {
    ($name:ident: $size:literal { $($field:ident: $ty:ty = $number:expr,)+ }) => {
        impl Entry<$size> for $name {
            #[inline]
            fn from_bytes(bytes: &[u8; $size]) -> Self {
                let mut rest = bytes.as_slice();
                $(let $field = <$ty>::take(&mut rest);)+
                Self { $($field),+ }
            }

            fn to_bytes(&self) -> [u8; $size] {
                let mut bytes = [0; $size];
                let mut rest = bytes.as_mut_slice();
                $(self.$field.put(&mut rest);)+
                bytes
            }
        }

        impl Record for $name {
            const FORM: Form = FORM;

            fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
                $(v.field(&$number(stringify!($field)), &mut self.$field)?;)+
                Ok(())
            }
        }
    };
}

entry!(Descriptor: 8 {
    bits: u32 = hex,
    high: u32 = unknown,
});

entry!(Line: 8 {
    file: u32 = hex,
    line: u32 = Number::new,
});

entry!(Relocation: 12 {
    word: u32 = hex,
    unknown_04: u32 = unknown,
    unknown_08: u32 = unknown,
});

entry!(Label: 16 {
    id: u16 = Number::new,
    unknown_02: u16 = |name| Number::new(name).unknown(),
    position: u32 = hex,
    size: u32 = hex,
    name: u32 = hex,
});

entry!(Output: 8 {
    semantic: u16 = |name| Number::new(name).spelled(|value| semantic_name(low(value)).to_string(), &Semantic),
    register: u16 = |name| Number::new(name).spelled(|value| format!("o{value}"), &Numbered('o')),
    mask: u16 = |name| hex(name).meaning(|value| mask_letters(low(value))),
    unknown_06: u16 = unknown,
});

entry!(Uniform: 8 {
    name: u32 = hex,
    first: u16 = register,
    last: u16 = register,
});

entry!(GeometryWord: 4 {
    mode: u8 = Number::new,
    first_uniform: u8 = Number::new,
    full_vertices: u8 = Number::new,
    vertices: u8 = Number::new,
});

impl Piece for GeometryWord {
    #[inline]
    fn take(rest: &mut &[u8]) -> Self {
        Self::from_bytes(&u32::take(rest).to_le_bytes())
    }

    #[inline]
    fn put(&self, rest: &mut &mut [u8]) {
        u32::from_le_bytes(self.to_bytes()).put(rest);
    }
}

/// How numbers are stored.
const FORM: Form = Form::plain(Endian::Little);

fn hex(name: &'static str) -> Number {
    Number::new(name).style(Style::Hex)
}

fn unknown(name: &'static str) -> Number {
    hex(name).unknown()
}

fn register(name: &'static str) -> Number {
    Number::new(name).spelled(|value| Unified(low(value)).to_string(), &AnyRegister)
}

fn low(value: u64) -> u16 {
    u16::try_from(value).unwrap_or(u16::MAX)
}

/// A number of an entry. The entries' sizes are those of their fields together, so that no field goes without its bytes.
pub(super) trait Piece: Sized {
    fn take(rest: &mut &[u8]) -> Self;
    fn put(&self, rest: &mut &mut [u8]);
}

macro_rules! piece {
    ($($ty:ident),+) => {
        $(impl Piece for $ty {
            #[inline]
            fn take(rest: &mut &[u8]) -> Self {
                let (bytes, behind) = rest.split_first_chunk().unwrap_or((&[0; size_of::<$ty>()], &[]));
                *rest = behind;
                Self::from_le_bytes(*bytes)
            }

            #[inline]
            fn put(&self, rest: &mut &mut [u8]) {
                if let Some((bytes, behind)) = std::mem::take(rest).split_first_chunk_mut() {
                    *bytes = self.to_le_bytes();
                    *rest = behind;
                }
            }
        })+
    };
}
piece!(u8, u16, u32);

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
