//! The tables of the machine: every field of the instruction word and every operation stands here, once.

/// A field of the 128-bit instruction word. Bit 0 is the least significant bit of the first of its four
/// little-endian 32-bit words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Name as listings write it.
    pub name: &'static str,
    /// Lowest bit.
    pub low: u32,
    /// How many bits.
    pub width: u32,
}

impl Field {
    /// Its value in an instruction word.
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

    /// Its bits, all 1.
    #[inline(always)]
    pub const fn mask(self) -> u128 {
        (self.limit() as u128) << self.low
    }

    /// The largest value that fits.
    #[inline(always)]
    pub const fn limit(self) -> u32 {
        (1 << self.width) - 1
    }
}

macro_rules! fields {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $low:literal, $width:literal;)*) => {
        /// The fields of the instruction word by name.
        pub mod field {
            use super::Field;
            $($(#[$doc])* pub const $constant: Field = Field { name: $name, low: $low, width: $width };)*
        }

        /// All fields in the order of their bits. Together they cover the word, and no two overlap.
        pub const FIELDS: &[Field] = &[$(field::$constant,)*];
    };
}

fields! {
    /// First source of the first multiplier.
    MUL0_SRC0 = "mul0.src0", 0, 5;
    /// Second source of the first multiplier.
    MUL0_SRC1 = "mul0.src1", 5, 5;
    /// First source of the second multiplier.
    MUL1_SRC0 = "mul1.src0", 10, 5;
    /// Second source of the second multiplier.
    MUL1_SRC1 = "mul1.src1", 15, 5;
    /// Negates the result of the first multiplier.
    MUL0_NEGATE = "mul0.negate", 20, 1;
    /// Negates the result of the second multiplier.
    MUL1_NEGATE = "mul1.negate", 21, 1;
    /// First source of the first adder.
    ADD0_SRC0 = "add0.src0", 22, 5;
    /// Second source of the first adder.
    ADD0_SRC1 = "add0.src1", 27, 5;
    /// First source of the second adder.
    ADD1_SRC0 = "add1.src0", 32, 5;
    /// Second source of the second adder.
    ADD1_SRC1 = "add1.src1", 37, 5;
    /// Negates the first source of the first adder.
    ADD0_NEGATE0 = "add0.negate0", 42, 1;
    /// Negates the second source of the first adder.
    ADD0_NEGATE1 = "add0.negate1", 43, 1;
    /// Negates the first source of the second adder.
    ADD1_NEGATE0 = "add1.negate0", 44, 1;
    /// Negates the second source of the second adder.
    ADD1_NEGATE1 = "add1.negate1", 45, 1;
    /// Which vector of the uniform and temporary memory is loaded.
    LOAD_ADDRESS = "load.address", 46, 9;
    /// What is added to that: 1-3 the address register of that number, 7 nothing, others unknown.
    LOAD_OFFSET = "load.offset", 55, 3;
    /// Which register or attribute the first load reads.
    REG0_ADDRESS = "reg0.address", 58, 4;
    /// The first load reads an attribute instead of a register.
    REG0_ATTRIBUTE = "reg0.attribute", 62, 1;
    /// Which register the second load reads.
    REG1_ADDRESS = "reg1.address", 63, 4;
    /// The first store slot writes to temporary memory.
    STORE0_TEMPORARY = "store0.temporary", 67, 1;
    /// The second store slot writes to temporary memory.
    STORE1_TEMPORARY = "store1.temporary", 68, 1;
    /// There is a branch.
    BRANCH = "branch", 69, 1;
    /// Its target is below 256.
    BRANCH_LOW = "branch.low", 70, 1;
    /// What the first store slot writes to x.
    STORE0_X = "store0.x", 71, 3;
    /// What the first store slot writes to y.
    STORE0_Y = "store0.y", 74, 3;
    /// What the second store slot writes to z.
    STORE1_Z = "store1.z", 77, 3;
    /// What the second store slot writes to w.
    STORE1_W = "store1.w", 80, 3;
    /// Operation of both adders.
    ADD_OP = "add.op", 83, 3;
    /// Operation of the complex unit.
    COMPLEX_OP = "complex.op", 86, 4;
    /// Which register or varying the first store slot writes.
    STORE0_ADDRESS = "store0.address", 90, 4;
    /// The first store slot writes a varying.
    STORE0_VARYING = "store0.varying", 94, 1;
    /// Which register or varying the second store slot writes.
    STORE1_ADDRESS = "store1.address", 95, 4;
    /// The second store slot writes a varying.
    STORE1_VARYING = "store1.varying", 99, 1;
    /// Operation of both multipliers.
    MUL_OP = "mul.op", 100, 3;
    /// Operation of the pass unit.
    PASS_OP = "pass.op", 103, 3;
    /// Source of the complex unit.
    COMPLEX_SRC = "complex.src", 106, 5;
    /// Source of the pass unit.
    PASS_SRC = "pass.src", 111, 5;
    /// Unknown: compilers write 12 beside a store to temporary memory, 13 beside a branch, else 0.
    UNKNOWN_1 = "unknown_1", 116, 4;
    /// Low eight bits of the index of the instruction to go to.
    BRANCH_TARGET = "branch.target", 120, 8;
}

/// The instruction that does nothing, as ARM's compiler fills unused fields: all units off, nothing loaded
/// or stored.
pub const EMPTY: u128 = 0x000A_D500_0007_FF80_0380_02B5_AD4A_D6B5;

/// Code of a source that is not used.
pub const UNUSED: u8 = 21;
/// Code of the complex unit's result one instruction ago, or of the neutral element.
pub const IDENTITY: u8 = 22;
/// Code of a load offset that adds nothing.
pub const NO_OFFSET: u8 = 7;
/// Code of a store that writes nothing.
pub const NO_STORE: u8 = 7;
/// [`field::UNKNOWN_1`] beside a store to temporary memory.
pub const BESIDE_TEMPORARY: u8 = 12;
/// [`field::UNKNOWN_1`] beside a branch.
pub const BESIDE_BRANCH: u8 = 13;

/// Instructions that a program may have (an error message of ARM's compiler, and Mesa).
pub const INSTRUCTIONS: usize = 512;
/// Vectors of four in the memory of uniforms, constants and temporaries (Mesa, limasc). Nine address bits
/// could name 512.
pub const MEMORY: usize = 304;

/// An arithmetic unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// First adder.
    Add0,
    /// Second adder.
    Add1,
    /// First multiplier.
    Mul0,
    /// Second multiplier.
    Mul1,
    /// The unit that passes values on and clamps.
    Pass,
    /// The unit of reciprocals, roots, powers and logarithms.
    Complex,
}

impl Unit {
    /// All units, in the order of Mesa's numbering of results.
    pub const ALL: [Self; 6] = [Self::Add0, Self::Add1, Self::Mul0, Self::Mul1, Self::Pass, Self::Complex];

    /// Name as listings write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add0 => "add0",
            Self::Add1 => "add1",
            Self::Mul0 => "mul0",
            Self::Mul1 => "mul1",
            Self::Pass => "pass",
            Self::Complex => "complex",
        }
    }
}

macro_rules! operations {
    ($(#[$what:meta])* $type:ident, $count:literal: $($(#[$doc:meta])* $variant:ident = $number:literal, $name:literal, $lima:literal, $sources:literal;)*) => {
        $(#[$what])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type { $($(#[$doc])* $variant = $number,)* }

        impl $type {
            /// All of them, by number.
            pub const ALL: [Self; $count] = [$(Self::$variant,)*];

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

            /// Name as listings write it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Name as Mesa's disassembler writes it.
            pub const fn lima(self) -> &'static str {
                match self { $(Self::$variant => $lima,)* }
            }

            /// How many sources it reads.
            pub const fn sources(self) -> usize {
                match self { $(Self::$variant => $sources,)* }
            }
        }
    };
}

operations! {
    /// What both adders do.
    AddOp, 8:
    /// `s0 + s1`.
    Add = 0, "add", "add", 2;
    /// Largest integer that is not above `s0`.
    Floor = 1, "floor", "floor", 1;
    /// -1, 0 or 1.
    Sign = 2, "sign", "sign", 1;
    /// Unknown.
    Op3 = 3, "op3", "op3", 1;
    /// `s0 >= s1 ? 1 : 0`.
    Ge = 4, "ge", "ge", 2;
    /// `s0 < s1 ? 1 : 0`.
    Lt = 5, "lt", "lt", 2;
    /// The smaller one; of truth values: and.
    Min = 6, "min", "min", 2;
    /// The larger one; of truth values: or.
    Max = 7, "max", "max", 2;
}

operations! {
    /// What the multipliers do. All but [`MulOp::Mul`] and [`MulOp::Complex2`] join both into one unit with
    /// four sources, whose result is that of the first.
    MulOp, 8:
    /// `s0 * s1`, in both.
    Mul = 0, "mul", "mul", 2;
    /// Last step of a function of the complex unit: takes the table value, the result of
    /// [`MulOp::Complex2`], the table value again, and the argument. Its result comes one instruction late.
    Complex1 = 1, "complex1", "complex1", 4;
    /// Unknown.
    Op2 = 2, "op2", "unknown2", 4;
    /// First step of a function of the complex unit, in the first multiplier; the second one multiplies.
    Complex2 = 3, "complex2", "complex2", 2;
    /// `mul0.s1 != 0 ? mul1.s0 : mul0.s0`.
    Select = 4, "select", "sel", 3;
    /// Unknown.
    Op5 = 5, "op5", "unknown5", 4;
    /// Unknown.
    Op6 = 6, "op6", "unknown6", 4;
    /// Unknown.
    Op7 = 7, "op7", "unknown7", 4;
}

operations! {
    /// What the complex unit does.
    ComplexOp, 16:
    /// Nothing: the unit is off.
    Off = 0, "off", "nop", 0;
    /// Unknown.
    Op1 = 1, "op1", "unk1", 1;
    /// Table value of `2^s`.
    Exp2 = 2, "exp2", "exp2", 1;
    /// Table value of the binary logarithm.
    Log2 = 3, "log2", "log2", 1;
    /// Table value of `1 / sqrt(s)`.
    Rsqrt = 4, "rsqrt", "rsqrt", 1;
    /// Table value of `1 / s`.
    Rcp = 5, "rcp", "rcp", 1;
    /// Unknown.
    Op6 = 6, "op6", "unk6", 1;
    /// Unknown.
    Op7 = 7, "op7", "unk7", 1;
    /// Unknown.
    Op8 = 8, "op8", "unk8", 1;
    /// `s`.
    Mov = 9, "mov", "mov", 1;
    /// Sets address registers 0 and 1 from the result of the pass unit (one source).
    Address01 = 10, "addr01", "unk10", 1;
    /// Unknown.
    Op11 = 11, "op11", "unk11", 1;
    /// Sets address register 0, which stores to temporary memory use.
    Address0 = 12, "addr0", "mov", 1;
    /// Sets address register 1, which loads may add.
    Address1 = 13, "addr1", "mov", 1;
    /// Sets address register 2, which loads may add.
    Address2 = 14, "addr2", "mov", 1;
    /// Sets address register 3, which loads may add.
    Address3 = 15, "addr3", "mov", 1;
}

operations! {
    /// What the pass unit does.
    PassOp, 8:
    /// Unknown.
    Op0 = 0, "op0", "unk0", 1;
    /// Unknown.
    Op1 = 1, "op1", "unk1", 1;
    /// `s`.
    Mov = 2, "mov", "mov", 1;
    /// Unknown.
    Op3 = 3, "op3", "unk3", 1;
    /// Prepares the argument of [`ComplexOp::Exp2`].
    PreExp2 = 4, "preexp2", "preexp2", 1;
    /// Finishes the result of a logarithm.
    PostLog2 = 5, "postlog2", "postlog2", 1;
    /// The source, not below x and not above y of the memory load of this instruction.
    Clamp = 6, "clamp", "clamp", 3;
    /// Unknown.
    Op7 = 7, "op7", "unk7", 1;
}

impl MulOp {
    /// Whether it joins both multipliers into one unit.
    pub const fn is_wide(self) -> bool {
        !matches!(self, Self::Mul | Self::Complex2)
    }
}

impl ComplexOp {
    /// The address registers that it sets, bit n = register n.
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
    fn the_fields_cover_the_word_once() {
        let mut next = 0;
        for field in FIELDS {
            assert_eq!(field.low, next, "{}", field.name);
            next += field.width;
        }
        assert_eq!(next, 128);
    }

    #[test]
    fn numbers_are_places() {
        assert!(AddOp::ALL.iter().enumerate().all(|(n, op)| op.number() as usize == n));
        assert!(MulOp::ALL.iter().enumerate().all(|(n, op)| op.number() as usize == n));
        assert!(ComplexOp::ALL.iter().enumerate().all(|(n, op)| op.number() as usize == n));
        assert!(PassOp::ALL.iter().enumerate().all(|(n, op)| op.number() as usize == n));
    }
}
