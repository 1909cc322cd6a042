//! The operations of the units, one row each.

use unshade_isa_common::field::held;

/// What the table says of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// Its number in the field of its unit.
    pub number: u32,
    /// Name as listings write it.
    pub name: &'static str,
    /// Name as Mesa's disassembler writes it.
    pub lima: &'static str,
    /// Which of the [operands](super::Slot::operands) of its unit it reads, in the order in which listings name them.
    pub operands: &'static [usize],
    /// Whether it is known what it does.
    pub known: bool,
}

macro_rules! operations {
    ($(
        $(#[$what:meta])*
        $type:ident, $count:literal {
            $($(#[$doc:meta])* $variant:ident = $number:literal, $name:literal, $lima:literal, [$($operand:literal),*] $(, $unknown:ident)?;)*
        }
    )*) => {$(
        $(#[$what])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type { $($(#[$doc])* $variant = $number,)* }

        impl $type {
            /// All of them, by number.
            pub const ALL: [Self; $count] = {
                let mut all = Self::LISTED;
                $(all[$number] = Self::$variant;)*
                all
            };

            /// All of them, in the order in which messages list them.
            const LISTED: [Self; $count] = [$(Self::$variant,)*];

            /// The rows of [`Self::LISTED`].
            pub(super) const LISTED_ROWS: &[&Operation] = &[$(Self::$variant.row(),)*];

            /// The rows by number.
            pub(super) const ROWS: &[Operation] = &{
                let mut rows = [Operation { number: 0, name: "", lima: "", operands: &[], known: false }; $count];
                $(rows[$number] = Operation {
                    number: $number,
                    name: $name,
                    lima: $lima,
                    operands: &[$($operand),*],
                    known: [$(stringify!($unknown),)? ""].len() == 1,
                };)*
                rows
            };

            /// The operation of this number, of which the low bits count.
            #[inline]
            pub const fn of(number: u32) -> Self {
                Self::ALL[number as usize & ($count - 1)]
            }

            /// Its number.
            #[inline]
            pub const fn number(self) -> u32 {
                self as u32
            }

            /// What the table says of it.
            #[inline]
            pub const fn row(self) -> &'static Operation {
                &Self::ROWS[self as usize]
            }

            /// Name as listings write it.
            pub const fn name(self) -> &'static str {
                self.row().name
            }

            /// Name as Mesa's disassembler writes it.
            pub const fn lima(self) -> &'static str {
                self.row().lima
            }

            /// How many sources it reads.
            #[inline]
            pub const fn sources(self) -> usize {
                self.row().operands.len()
            }
        }

        held! {
            $type: |bits| Self::of(bits), |value| value.number();
        }

        impl Default for $type {
            /// That of number 0.
            fn default() -> Self {
                Self::of(0)
            }
        }
    )*};
}

// A row: number, name in listings, name in Mesa's disassembler, operands. The order is that in which messages list the names:
// what is known first.
operations! {
    /// What both adders do.
    AddOp, 8 {
        /// `s0 + s1`.
        Add = 0, "add", "add", [0, 1];
        /// Largest integer that is not above `s0`.
        Floor = 1, "floor", "floor", [0];
        /// -1, 0 or 1.
        Sign = 2, "sign", "sign", [0];
        /// `s0 >= s1 ? 1 : 0`.
        Ge = 4, "ge", "ge", [0, 1];
        /// `s0 < s1 ? 1 : 0`.
        Lt = 5, "lt", "lt", [0, 1];
        /// The smaller one; of truth values: and.
        Min = 6, "min", "min", [0, 1];
        /// The larger one; of truth values: or.
        Max = 7, "max", "max", [0, 1];
        /// Unknown.
        Op3 = 3, "op3", "op3", [0], unknown;
    }

    /// What the multipliers do. All but [`MulOp::Mul`] and [`MulOp::Complex2`] join both into one unit with
    /// four sources, whose result is that of the first.
    MulOp, 8 {
        /// `s0 * s1`, in both.
        Mul = 0, "mul", "mul", [0, 1];
        /// Last step of a function of the complex unit: takes the table value, the result of
        /// [`MulOp::Complex2`], the table value again, and the argument. Its result comes one instruction late.
        Complex1 = 1, "complex1", "complex1", [0, 1, 2, 3];
        /// First step of a function of the complex unit, in the first multiplier; the second one multiplies.
        Complex2 = 3, "complex2", "complex2", [0, 1];
        /// `mul0.s1 != 0 ? mul1.s0 : mul0.s0`.
        Select = 4, "select", "sel", [1, 2, 0];
        /// Unknown.
        Op2 = 2, "op2", "unknown2", [0, 1, 2, 3], unknown;
        /// Unknown.
        Op5 = 5, "op5", "unknown5", [0, 1, 2, 3], unknown;
        /// Unknown.
        Op6 = 6, "op6", "unknown6", [0, 1, 2, 3], unknown;
        /// Unknown.
        Op7 = 7, "op7", "unknown7", [0, 1, 2, 3], unknown;
    }

    /// What the complex unit does.
    ComplexOp, 16 {
        /// Nothing: the unit is off.
        Off = 0, "off", "nop", [];
        /// Table value of `2^s`.
        Exp2 = 2, "exp2", "exp2", [0];
        /// Table value of the binary logarithm.
        Log2 = 3, "log2", "log2", [0];
        /// Table value of `1 / sqrt(s)`.
        Rsqrt = 4, "rsqrt", "rsqrt", [0];
        /// Table value of `1 / s`.
        Rcp = 5, "rcp", "rcp", [0];
        /// `s`.
        Mov = 9, "mov", "mov", [0];
        /// Sets address register 0, which stores to temporary memory use.
        Address0 = 12, "addr0", "mov", [0];
        /// Sets address register 1, which loads may add.
        Address1 = 13, "addr1", "mov", [0];
        /// Sets address register 2, which loads may add.
        Address2 = 14, "addr2", "mov", [0];
        /// Sets address register 3, which loads may add.
        Address3 = 15, "addr3", "mov", [0];
        /// Sets address registers 0 and 1 from the result of the pass unit (one source).
        Address01 = 10, "addr01", "unk10", [0];
        /// Unknown.
        Op1 = 1, "op1", "unk1", [0], unknown;
        /// Unknown.
        Op6 = 6, "op6", "unk6", [0], unknown;
        /// Unknown.
        Op7 = 7, "op7", "unk7", [0], unknown;
        /// Unknown.
        Op8 = 8, "op8", "unk8", [0], unknown;
        /// Unknown.
        Op11 = 11, "op11", "unk11", [0], unknown;
    }

    /// What the pass unit does.
    PassOp, 8 {
        /// `s`.
        Mov = 2, "mov", "mov", [0];
        /// The source, not below x and not above y of the memory load of this instruction.
        Clamp = 6, "clamp", "clamp", [0, 1, 2];
        /// Prepares the argument of [`ComplexOp::Exp2`].
        PreExp2 = 4, "preexp2", "preexp2", [0];
        /// Finishes the result of a logarithm.
        PostLog2 = 5, "postlog2", "postlog2", [0];
        /// Unknown.
        Op0 = 0, "op0", "unk0", [0], unknown;
        /// Unknown.
        Op1 = 1, "op1", "unk1", [0], unknown;
        /// Unknown.
        Op3 = 3, "op3", "unk3", [0], unknown;
        /// Unknown.
        Op7 = 7, "op7", "unk7", [0], unknown;
    }
}

impl MulOp {
    /// Whether it joins both multipliers into one unit.
    #[inline]
    pub const fn is_wide(self) -> bool {
        self.sources() > 2
    }
}

impl ComplexOp {
    /// The address registers that it sets, bit n = register n.
    #[inline]
    pub const fn addresses(self) -> u8 {
        match self {
            Self::Address01 => 0b0011,
            Self::Address0 => 0b0001,
            Self::Address1 => 0b0010,
            Self::Address2 => 0b0100,
            Self::Address3 => 0b1000,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_places() {
        assert!(AddOp::ALL.iter().enumerate().all(|(n, op)| op.number() as usize == n));
        assert!(MulOp::ALL.iter().enumerate().all(|(n, op)| op.number() as usize == n));
        assert!(ComplexOp::ALL.iter().enumerate().all(|(n, op)| op.number() as usize == n));
        assert!(PassOp::ALL.iter().enumerate().all(|(n, op)| op.number() as usize == n));
    }
}
