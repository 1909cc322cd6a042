//! The one table of the machine: fields with their widths, operations by number, registers. Everything else
//! (decoder, encoder, both texts, lint, interpreter, lift) reads it here and in [`super::fields`].

pub use super::fields::*;
pub use unshade_isa_common::field::Field as Part;

/// Field 9 with this value drops the pixel.
pub const DISCARD: u128 = 0x007F_0003;
/// [`Sampler::constant`] as every compiler writes it.
pub const SAMPLER_CONSTANT: u32 = 0x39001;
/// [`FramebufferRead::kind`] of a read.
pub const FRAMEBUFFER_READ: u32 = 0b00111;
/// [`FramebufferRead::unknown_10`] as compilers write it.
pub const FRAMEBUFFER_CONSTANT: u32 = 2;
/// [`Sampler::kind`] of a cube map.
pub const CUBE: u32 = 31;
/// [`Uniform::source`] of temporaries.
pub const TEMPORARY: u32 = 3;

/// Register number of `^const0`.
pub const CONST0: u32 = 12;
/// Register number of `^const1`.
pub const CONST1: u32 = 13;
/// Register number of `^texture`.
pub const TEXTURE: u32 = 14;
/// Register number of `^uniform` as a source; as the destination of a varying load, `^discard`.
pub const UNIFORM: u32 = 15;
/// [`Varying::offset_register`] where no register is added.
pub const NO_OFFSET: u32 = 15;
/// The swizzle that changes nothing.
pub const IDENTITY: u32 = 0xE4;

/// How many fields there are.
pub const FIELDS: usize = 12;

/// Hands the rows of all fields to a macro: name, name in statistics, width in bits, and the place of an
/// [`Inst`](super::Inst) that holds it.
macro_rules! with_fields {
    ($macro:ident) => {
        $macro! {
            /// Interpolator.
            Varying = "varying", 34 => (varying.0);
            /// Texture fetch.
            Sampler = "sampler", 62 => (sampler.0);
            /// Load of uniforms and temporaries.
            Uniform = "uniform", 41 => (uniform.0);
            /// Multiply, four lanes.
            VectorMul = "vector-mul", 43 => (vector_mul.0);
            /// Multiply, one lane.
            FloatMul = "float-mul", 30 => (float_mul.0);
            /// Add, four lanes.
            VectorAdd = "vector-add", 44 => (vector_add.0);
            /// Add, one lane.
            FloatAdd = "float-add", 31 => (float_add.0);
            /// Functions of one component, component times vector.
            Combine = "combine", 30 => (combine);
            /// Store to temporaries, read of the framebuffer.
            Store = "store", 41 => (store.0);
            /// Branch, discard.
            Branch = "branch", 73 => (branch.0);
            /// First vector of constants.
            Const0 = "const0", 64 => (constants[0].0);
            /// Second vector of constants.
            Const1 = "const1", 64 => (constants[1].0);
        }
    };
}
pub(super) use with_fields;

macro_rules! fields {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $bits:literal => ($($path:tt)+);)*) => {
        /// A field of an instruction: one unit of the pipeline, in the order in which they work.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Field { $($(#[$doc])* $variant,)* }

        impl Field {
            /// All fields in their order.
            pub const ALL: [Self; FIELDS] = [$(Self::$variant,)*];
        }

        /// Width of each field in bits.
        pub const WIDTHS: [u32; FIELDS] = [$($bits,)*];
        const NAMES: [&str; FIELDS] = [$($name,)*];
    };
}

with_fields!(fields);

impl Field {
    /// Its bit in [`Control::fields`].
    pub fn bit(self) -> u32 {
        1 << self as u32
    }

    /// Width in bits.
    pub fn width(self) -> u32 {
        WIDTHS[self as usize]
    }

    /// Name, as statistics print it.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }
}

/// A row of a table of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Mnemonic.
    pub name: &'static str,
    /// First number that selects it.
    pub first: u8,
    /// Last number that selects it.
    pub last: u8,
    /// How many sources it reads.
    pub sources: u8,
}

macro_rules! operations {
    ($(#[$doc:meta])* $name:ident, $owner:ident, $table:ident, $bits:literal {
        $($(#[$row_doc:meta])* $variant:ident = $first:literal ..= $last:literal, $text:literal, $sources:literal;)*
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$row_doc])* $variant,)* }

        #[doc = concat!("The operations of [`", stringify!($name), "`], in its order.")]
        pub const $table: &[Row] = &[
            $(Row { name: $text, first: $first, last: $last, sources: $sources },)*
        ];

        /// Which operation owns each number.
        static $owner: [Option<$name>; 1 << $bits] = {
            let mut owner = [None; 1 << $bits];
            $(
                let mut number = $first;
                while number <= $last {
                    owner[number] = Some($name::$variant);
                    number += 1;
                }
            )*
            owner
        };

        impl $name {
            /// All operations.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its row of the table.
            pub fn row(self) -> &'static Row {
                &$table[self as usize]
            }

            /// The operation that a number selects, if it is known.
            #[inline]
            pub fn of(number: u32) -> Option<Self> {
                $owner.get(number as usize).copied().flatten()
            }
        }
    };
}

operations! {
    /// An operation of the multiply units.
    MulOp, MUL_OWNER, MUL_OPS, 5 {
        /// `a * b * 2^s`; the number is `s` in three bits, two's complement.
        Mul = 0 ..= 7, "mul", 2;
        /// `a == 0`.
        Not = 8 ..= 8, "not", 1;
        /// `a != 0 && b != 0`.
        And = 9 ..= 9, "and", 2;
        /// `a != 0 || b != 0`.
        Or = 10 ..= 10, "or", 2;
        /// Exactly one is not zero.
        Xor = 11 ..= 11, "xor", 2;
        /// `a != b`.
        Ne = 12 ..= 12, "ne", 2;
        /// `a > b`.
        Gt = 13 ..= 13, "gt", 2;
        /// `a >= b`.
        Ge = 14 ..= 14, "ge", 2;
        /// `a == b`.
        Eq = 15 ..= 15, "eq", 2;
        /// The smaller.
        Min = 16 ..= 16, "min", 2;
        /// The larger.
        Max = 17 ..= 17, "max", 2;
        /// `a`.
        Mov = 31 ..= 31, "mov", 1;
    }
}

operations! {
    /// An operation of the add units.
    AddOp, ADD_OWNER, ADD_OPS, 5 {
        /// `a + b`.
        Add = 0 ..= 0, "add", 2;
        /// `a - floor(a)`.
        Fract = 4 ..= 4, "fract", 1;
        /// `a != b`.
        Ne = 8 ..= 8, "ne", 2;
        /// `a > b`.
        Gt = 9 ..= 9, "gt", 2;
        /// `a >= b`.
        Ge = 10 ..= 10, "ge", 2;
        /// `a == b`.
        Eq = 11 ..= 11, "eq", 2;
        /// Towards minus infinity.
        Floor = 12 ..= 12, "floor", 1;
        /// Towards plus infinity.
        Ceil = 13 ..= 13, "ceil", 1;
        /// The smaller.
        Min = 14 ..= 14, "min", 2;
        /// The larger.
        Max = 15 ..= 15, "max", 2;
        /// `a.x + a.y + a.z` in all lanes; vector unit only.
        Sum3 = 16 ..= 16, "sum3", 1;
        /// `a.x + a.y + a.z + a.w` in all lanes; vector unit only.
        Sum4 = 17 ..= 17, "sum4", 1;
        /// `a` of the right pixel plus `b` of the left.
        DFdx = 20 ..= 20, "dFdx", 2;
        /// `a` of the lower pixel plus `b` of the upper.
        DFdy = 21 ..= 21, "dFdy", 2;
        /// `^s0 != 0 ? a : b`.
        Sel = 23 ..= 23, "sel", 2;
        /// `a`.
        Mov = 31 ..= 31, "mov", 1;
    }
}

operations! {
    /// A function of the combine unit.
    CombineOp, COMBINE_OWNER, COMBINE_OPS, 4 {
        /// `1 / a`.
        Rcp = 0 ..= 0, "rcp", 1;
        /// `a`.
        Mov = 1 ..= 1, "mov", 1;
        /// Square root.
        Sqrt = 2 ..= 2, "sqrt", 1;
        /// `1 / sqrt(a)`.
        Rsqrt = 3 ..= 3, "rsqrt", 1;
        /// `2^a`.
        Exp2 = 4 ..= 4, "exp2", 1;
        /// Logarithm to base 2.
        Log2 = 5 ..= 5, "log2", 1;
        /// Sine; `a` counts turns.
        Sin = 6 ..= 6, "sin", 1;
        /// Cosine; `a` counts turns.
        Cos = 7 ..= 7, "cos", 1;
        /// First part of `atan(a)`.
        Atan = 8 ..= 8, "atan", 1;
        /// First part of `atan(a, b)`.
        Atan2 = 9 ..= 9, "atan2", 2;
    }
}

impl AddOp {
    /// The operation that a number selects in the unit of one lane, which cannot sum.
    #[inline]
    pub fn of_scalar(number: u32) -> Option<Self> {
        Self::of(number).filter(|op| !matches!(op, Self::Sum3 | Self::Sum4))
    }
}

/// Power of two that a multiply number 0-7 stands for: 0 1 2 3 -4 -3 -2 -1.
pub fn shift(op: u32) -> i32 {
    ((op as i32 & 7) ^ 4) - 4
}

/// Change of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outmod {
    /// None.
    None,
    /// To 0 to 1.
    Saturate,
    /// At least 0.
    Positive,
    /// To an integer, towards zero.
    Integer,
}

impl Outmod {
    /// From the two bits of the field.
    pub fn of(bits: u32) -> Self {
        match bits & 3 {
            0 => Self::None,
            1 => Self::Saturate,
            2 => Self::Positive,
            _ => Self::Integer,
        }
    }
}

impl Varying {
    /// What the field reads.
    #[inline]
    pub fn source(self) -> VaryingSource {
        match (self.source_type(), self.sub()) {
            (0, _) => VaryingSource::Varying,
            (1, _) => VaryingSource::Register,
            (2, 0) => VaryingSource::Cube,
            (2, 1) => VaryingSource::CubeRegister,
            (2, 2) => VaryingSource::Normalize,
            (2, _) => VaryingSource::FragCoord,
            (_, 0) => VaryingSource::PointCoord,
            _ => VaryingSource::FrontFacing,
        }
    }

    /// The same bits in the form with a register.
    pub fn register(self) -> VaryingRegister {
        VaryingRegister(self.0)
    }
}

/// What field 0 reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VaryingSource {
    /// A varying; [`Varying::sub`] says whether it is divided.
    Varying,
    /// A register, likewise.
    Register,
    /// A varying as a direction.
    Cube,
    /// A register as a direction.
    CubeRegister,
    /// A register, scaled to length 1.
    Normalize,
    /// Window coordinates, w as it is.
    FragCoord,
    /// Place in the point.
    PointCoord,
    /// 1 for a front face, else 0.
    FrontFacing,
}

impl VaryingSource {
    /// Whether the field has the form [`VaryingRegister`].
    #[inline]
    pub fn is_register(self) -> bool {
        matches!(self, Self::Register | Self::CubeRegister | Self::Normalize)
    }

    /// Whether the place in the varyings counts.
    #[inline]
    pub fn is_place(self) -> bool {
        matches!(self, Self::Varying | Self::Cube)
    }
}

/// The forms of field 7.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// A function of one component.
    Scalar(CombineScalar),
    /// First part of an arc tangent.
    Atan(CombineAtan),
    /// One component times a vector.
    Mul(CombineMul),
    /// Second part of an arc tangent.
    AtanSecond(CombineAtanSecond),
}

impl Combine {
    /// The form that the low two bits choose.
    #[inline]
    pub fn of(raw: u64) -> Self {
        match raw & 3 {
            0 => Self::Scalar(CombineScalar(raw)),
            1 => Self::Atan(CombineAtan(raw)),
            2 => Self::AtanSecond(CombineAtanSecond(raw)),
            _ => Self::Mul(CombineMul(raw)),
        }
    }
}

impl Store {
    /// The read of the framebuffer, if it is one.
    #[inline]
    pub fn framebuffer_read(self) -> Option<FramebufferRead> {
        let read = FramebufferRead(self.0);
        (read.kind() == FRAMEBUFFER_READ).then_some(read)
    }
}

impl Branch {
    /// Whether it drops the pixel.
    #[inline]
    pub fn is_discard(self) -> bool {
        self.0 == DISCARD
    }

    /// Distance to the target in words.
    #[inline]
    pub fn distance(self) -> i32 {
        (self.target() << 5) as i32 >> 5
    }
}

impl Constant {
    /// The four halves.
    #[inline]
    pub fn halves(self) -> [u16; 4] {
        [0, 16, 32, 48].map(|low| (self.0 >> low) as u16)
    }

    /// From four halves.
    pub fn new(halves: [u16; 4]) -> Self {
        Self(halves.iter().rev().fold(0, |bits, half| bits << 16 | u64::from(*half)))
    }
}

/// Name of a register as a source.
pub const REGISTERS: [&str; 16] = [
    "$0", "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "$10", "$11", "^const0", "^const1",
    "^texture", "^uniform",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_their_fields() {
        let check = |parts: &[Part], bits: u32| {
            let mut next = 0;
            for part in parts {
                assert_eq!(part.low, next, "{}", part.name);
                next += part.width;
            }
            assert_eq!(next, bits);
        };
        check(Control::PARTS, 32);
        check(Varying::PARTS, Field::Varying.width());
        check(VaryingRegister::PARTS, Field::Varying.width());
        check(Sampler::PARTS, Field::Sampler.width());
        check(Uniform::PARTS, Field::Uniform.width());
        check(VectorMul::PARTS, Field::VectorMul.width());
        check(FloatMul::PARTS, Field::FloatMul.width());
        check(VectorAdd::PARTS, Field::VectorAdd.width());
        check(FloatAdd::PARTS, Field::FloatAdd.width());
        for parts in [CombineScalar::PARTS, CombineAtan::PARTS, CombineMul::PARTS, CombineAtanSecond::PARTS] {
            check(parts, Field::Combine.width());
        }
        check(Store::PARTS, Field::Store.width());
        check(FramebufferRead::PARTS, Field::Store.width());
        check(Branch::PARTS, Field::Branch.width());
        check(Constant::PARTS, Field::Const0.width());
    }

    #[test]
    fn shifts_are_twos_complement() {
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(shift), [0, 1, 2, 3, -4, -3, -2, -1]);
    }

    #[test]
    fn numbers_find_their_operations() {
        assert_eq!(MulOp::of(5), Some(MulOp::Mul));
        assert_eq!(MulOp::of(18), None);
        assert_eq!(AddOp::of_scalar(16), None);
        for (op, row) in AddOp::ALL.iter().zip(ADD_OPS) {
            assert_eq!(AddOp::of(row.first.into()), Some(*op));
        }
    }
}
