//! Words as runs of bits with names. A type keeps the bits themselves, so nothing of a word can be lost; the
//! runs give names to all of them.

pub use crate::field::Field;

/// Types over the bits of a field: a getter and a `with_` for each run, and [`Field`]s for all of them.
#[macro_export]
macro_rules! packed {
    ($(
        $(#[$doc:meta])*
        $name:ident($raw:ty) {
            $($(#[$part_doc:meta])* $part:ident, $with:ident: $low:literal + $bits:literal,)*
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub $raw);

        impl $name {
            /// All runs of bits, from the lowest to the highest, without a gap.
            pub const PARTS: &'static [$crate::packed::Field] = &[
                $($crate::packed::Field { name: stringify!($part), low: $low, width: $bits },)*
            ];

            $(
                $(#[$part_doc])*
                #[inline]
                pub fn $part(self) -> u32 {
                    const MASK: $raw = (1 << $bits) - 1;
                    (self.0 >> $low & MASK) as u32
                }

                /// The same bits with this run set to the low bits of `value`.
                #[inline]
                #[must_use]
                pub fn $with(self, value: u32) -> Self {
                    const MASK: $raw = (1 << $bits) - 1;
                    Self(self.0 & !(MASK << $low) | (<$raw>::from(value) & MASK) << $low)
                }
            )*
        }
    )*};
}

pub use packed;
