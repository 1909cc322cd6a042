//! Fields: runs of bits with names. Tables say with them what each bit of a word is for; decoders, encoders, listings and
//! lints go over these tables.

/// A run of bits in a word of up to 128 bits. Bit 0 is the least significant one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Name as listings write it.
    pub name: &'static str,
    /// Lowest bit.
    pub low: u32,
    /// How many bits, 1-32.
    pub width: u32,
}

impl Field {
    /// Its value in a word.
    #[inline(always)]
    pub const fn get(self, word: u128) -> u32 {
        // Within one half of the word the shift is that of one machine word.
        let part = if self.low >= 64 {
            (word >> 64) as u64 >> (self.low - 64)
        } else if self.low + self.width <= 64 {
            word as u64 >> self.low
        } else {
            (word >> self.low) as u64
        };
        part as u32 & self.limit()
    }

    /// Its bits with this value, all others 0. Bits of the value that do not fit are left out.
    #[inline(always)]
    pub const fn put(self, value: u32) -> u128 {
        ((value & self.limit()) as u128) << self.low
    }

    /// The word with another value in this field.
    #[inline(always)]
    #[must_use]
    pub const fn set(self, word: u128, value: u32) -> u128 {
        word & !self.mask() | self.put(value)
    }

    /// Its bits, all 1.
    #[inline(always)]
    pub const fn mask(self) -> u128 {
        (self.limit() as u128) << self.low
    }

    /// The largest value that fits.
    #[inline(always)]
    pub const fn limit(self) -> u32 {
        u32::MAX >> (32 - self.width)
    }
}

/// What a field can hold.
pub trait Held: Copy {
    /// The value with these bits.
    fn of(bits: u32) -> Self;
    /// Its bits.
    fn bits(self) -> u32;
}

/// Says of types what of their values a field holds: `Reg: |bits| Reg(bits as u8), |value| value.0.into();`.
#[macro_export]
macro_rules! held {
    ($($type:ty: |$bits:ident| $of:expr, |$value:ident| $back:expr;)*) => {$(
        impl $crate::field::Held for $type {
            #[inline(always)]
            fn of($bits: u32) -> Self {
                $of
            }
            #[inline(always)]
            fn bits(self) -> u32 {
                let $value = self;
                $back
            }
        }
    )*};
}
pub use held;

held! {
    bool: |bits| bits != 0, |value| value.into();
    u8: |bits| bits as u8, |value| value.into();
    u16: |bits| bits as u16, |value| value.into();
    u32: |bits| bits, |value| value;
}

/// The field of a name.
pub const fn find(fields: &[Field], name: &str) -> Option<Field> {
    let mut at = 0;
    while at < fields.len() {
        if is_same(fields[at].name.as_bytes(), name.as_bytes()) {
            return Some(fields[at]);
        }
        at += 1;
    }
    None
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// What a word has where it is of some kind: these bits with this value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    /// The bits that count.
    pub mask: u128,
    /// What they are.
    pub value: u128,
}

impl Pattern {
    /// These fields with these values; `None` without a field.
    pub const fn new(fields: &[(Field, u32)]) -> Option<Self> {
        let mut pattern = Self { mask: 0, value: 0 };
        let mut at = 0;
        while at < fields.len() {
            let (field, value) = fields[at];
            pattern.mask |= field.mask();
            pattern.value |= field.put(value);
            at += 1;
        }
        if at == 0 { None } else { Some(pattern) }
    }

    /// Whether a word has it.
    #[inline(always)]
    pub const fn fits(self, word: u128) -> bool {
        word & self.mask == self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_whole() {
        let fields = ["ab", "abc", "b"].map(|name| Field { name, low: 0, width: 1 });
        assert_eq!(find(&fields, "abc"), Some(fields[1]));
        assert_eq!(find(&fields, "a"), None);
        assert_eq!(find(&fields, "bc"), None);
    }

    #[test]
    fn values_stay_in_their_field() {
        for (low, width) in [(0, 1), (5, 9), (63, 4), (60, 32), (96, 32), (127, 1)] {
            let field = Field { name: "f", low, width };
            assert_eq!((field.get(u128::MAX), field.get(!field.mask())), (field.limit(), 0));
            for value in [0, 1, field.limit() >> 1, field.limit()] {
                assert_eq!(field.get(field.put(value)), value);
                assert_eq!(field.set(u128::MAX, value), !field.mask() | field.put(value));
                let pattern = Pattern::new(&[(field, value)]).unwrap();
                assert!(pattern.fits(field.set(0x0123_4567_89AB_CDEF, value)));
            }
            assert_eq!(field.put(u32::MAX), field.mask());
        }
    }
}
