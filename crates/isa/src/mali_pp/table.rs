//! The one table of the machine: fields with their widths, the bits of each field by name, operations by
//! number. Everything else (decoder, encoder, both texts, lint, interpreter, lift) reads it here.
//!
//! A field is kept as its bits, so nothing of it can be lost; the types below give names to the bits. Where a
//! field has several forms, each form is a type over the same bits and names **all** of them.

pub use crate::packed::Part;
use crate::packed::packed;

packed! {
    /// The control word in front of every instruction.
    Control(u32) {
        /// Words of the instruction, this one included.
        count, with_count: 0 + 5,
        /// The program ends behind this instruction.
        stop, with_stop: 5 + 1,
        /// The four pixels of a quad meet here; set for texture fetches and derivatives.
        sync, with_sync: 6 + 1,
        /// Fields that follow, bit n = [`Field`] number n.
        fields, with_fields: 7 + 12,
        /// Words of the instruction behind this one; 0 in the last.
        next, with_next: 19 + 6,
        /// `next` counts.
        prefetch, with_prefetch: 25 + 1,
        /// Always zero.
        reserved, with_reserved: 26 + 6,
    }

    /// Field 0 in the form that reads the interpolator ([`Self::source_type`] 0, 2 with sub 0 or 3, 3).
    Varying(u64) {
        /// Source type 0 and 1: 2 divides by z, 3 by w. Others: which special input.
        sub, with_sub: 0 + 2,
        /// 0 varying, 1 register, 2 cube map direction and others, 3 point coordinate and facing.
        source_type, with_source_type: 2 + 2,
        /// Always zero.
        reserved_4, with_reserved_4: 4 + 1,
        /// Floats loaded: 0 one, 1 two, 2 and 3 four.
        alignment, with_alignment: 5 + 2,
        /// Always zero.
        reserved_7, with_reserved_7: 7 + 3,
        /// Register whose component is added to the index; 15: none.
        offset_register, with_offset_register: 10 + 4,
        /// Always zero.
        reserved_14, with_reserved_14: 14 + 2,
        /// Component of the offset register.
        offset_component, with_offset_component: 16 + 2,
        /// Place, in units of the alignment.
        index, with_index: 18 + 6,
        /// Destination register; 15: none, the coordinates go to the texture unit.
        dest, with_dest: 24 + 4,
        /// Components written, bit 0 = x.
        mask, with_mask: 28 + 4,
        /// Always zero.
        reserved_32, with_reserved_32: 32 + 2,
    }

    /// Field 0 in the form that reads a register (source type 1, and 2 with sub 1 or 2).
    VaryingRegister(u64) {
        /// As in [`Varying`].
        sub, with_sub: 0 + 2,
        /// As in [`Varying`].
        source_type, with_source_type: 2 + 2,
        /// Always zero.
        reserved_4, with_reserved_4: 4 + 2,
        /// Said to normalise (one source; another has it at bit 7). Without known effect.
        normalize, with_normalize: 6 + 1,
        /// Always zero.
        reserved_7, with_reserved_7: 7 + 3,
        /// Source register.
        source, with_source: 10 + 4,
        /// The source is negated, after [`Self::absolute`].
        negate, with_negate: 14 + 1,
        /// The source loses its sign.
        absolute, with_absolute: 15 + 1,
        /// Component of the source for each lane, two bits each.
        swizzle, with_swizzle: 16 + 8,
        /// As in [`Varying`].
        dest, with_dest: 24 + 4,
        /// As in [`Varying`].
        mask, with_mask: 28 + 4,
        /// Always zero.
        reserved_32, with_reserved_32: 32 + 2,
    }

    /// Field 1: a texture fetch, at the coordinates that field 0 of the same instruction gives.
    Sampler(u64) {
        /// Component that holds the level of detail or the bias.
        lod_register, with_lod_register: 0 + 6,
        /// Component that is added to the index.
        offset_register, with_offset_register: 6 + 6,
        /// Always zero.
        reserved_12, with_reserved_12: 12 + 5,
        /// The value of the lod register is the level, not a bias.
        explicit_lod, with_explicit_lod: 17 + 1,
        /// The lod register counts.
        lod_enable, with_lod_enable: 18 + 1,
        /// Always zero.
        reserved_19, with_reserved_19: 19 + 5,
        /// 0 two coordinates, 31 cube map.
        kind, with_kind: 24 + 5,
        /// The offset register counts.
        offset_enable, with_offset_enable: 29 + 1,
        /// Number of the sampler.
        index, with_index: 30 + 12,
        /// Always [`SAMPLER_CONSTANT`].
        constant, with_constant: 42 + 20,
    }

    /// Field 2: a load of uniforms or temporaries, to `^uniform`.
    Uniform(u64) {
        /// 0 uniforms, 3 temporaries.
        source, with_source: 0 + 2,
        /// Always zero.
        reserved_2, with_reserved_2: 2 + 8,
        /// Floats loaded: 0 one, 1 two, 2 four.
        alignment, with_alignment: 10 + 2,
        /// Always zero.
        reserved_12, with_reserved_12: 12 + 6,
        /// Component that is added to the index.
        offset_register, with_offset_register: 18 + 6,
        /// The offset register counts.
        offset_enable, with_offset_enable: 24 + 1,
        /// Place in units of the alignment, signed.
        index, with_index: 25 + 16,
    }

    /// Field 3: multiply unit, four lanes. `^v0` takes the result too.
    VectorMul(u64) {
        /// First source.
        arg0, with_arg0: 0 + 4,
        /// Its swizzle, two bits for each lane.
        arg0_swizzle, with_arg0_swizzle: 4 + 8,
        /// It loses its sign.
        arg0_absolute, with_arg0_absolute: 12 + 1,
        /// It is negated, after that.
        arg0_negate, with_arg0_negate: 13 + 1,
        /// Second source.
        arg1, with_arg1: 14 + 4,
        /// Its swizzle.
        arg1_swizzle, with_arg1_swizzle: 18 + 8,
        /// It loses its sign.
        arg1_absolute, with_arg1_absolute: 26 + 1,
        /// It is negated, after that.
        arg1_negate, with_arg1_negate: 27 + 1,
        /// Destination register.
        dest, with_dest: 28 + 4,
        /// Components written, bit 0 = x; 0: none.
        mask, with_mask: 32 + 4,
        /// Change of the result: see [`Outmod`].
        outmod, with_outmod: 36 + 2,
        /// Operation: see [`MulOp`].
        op, with_op: 38 + 5,
    }

    /// Field 4: multiply unit, one lane. `^s0` takes the result too.
    FloatMul(u64) {
        /// First source: 4 times the register plus the component.
        arg0, with_arg0: 0 + 6,
        /// It loses its sign.
        arg0_absolute, with_arg0_absolute: 6 + 1,
        /// It is negated, after that.
        arg0_negate, with_arg0_negate: 7 + 1,
        /// Second source.
        arg1, with_arg1: 8 + 6,
        /// It loses its sign.
        arg1_absolute, with_arg1_absolute: 14 + 1,
        /// It is negated, after that.
        arg1_negate, with_arg1_negate: 15 + 1,
        /// Destination component.
        dest, with_dest: 16 + 6,
        /// The destination is written.
        output_enable, with_output_enable: 22 + 1,
        /// Change of the result: see [`Outmod`].
        outmod, with_outmod: 23 + 2,
        /// Operation: see [`MulOp`].
        op, with_op: 25 + 5,
    }

    /// Field 5: add unit, four lanes.
    VectorAdd(u64) {
        /// First source.
        arg0, with_arg0: 0 + 4,
        /// Its swizzle.
        arg0_swizzle, with_arg0_swizzle: 4 + 8,
        /// It loses its sign.
        arg0_absolute, with_arg0_absolute: 12 + 1,
        /// It is negated, after that.
        arg0_negate, with_arg0_negate: 13 + 1,
        /// Second source.
        arg1, with_arg1: 14 + 4,
        /// Its swizzle.
        arg1_swizzle, with_arg1_swizzle: 18 + 8,
        /// It loses its sign.
        arg1_absolute, with_arg1_absolute: 26 + 1,
        /// It is negated, after that.
        arg1_negate, with_arg1_negate: 27 + 1,
        /// Destination register.
        dest, with_dest: 28 + 4,
        /// Components written, bit 0 = x; 0: none.
        mask, with_mask: 32 + 4,
        /// Change of the result: see [`Outmod`].
        outmod, with_outmod: 36 + 2,
        /// Operation: see [`AddOp`].
        op, with_op: 38 + 5,
        /// The first source is `^v0`, whatever [`Self::arg0`] says.
        mul_in, with_mul_in: 43 + 1,
    }

    /// Field 6: add unit, one lane.
    FloatAdd(u64) {
        /// First source: 4 times the register plus the component.
        arg0, with_arg0: 0 + 6,
        /// It loses its sign.
        arg0_absolute, with_arg0_absolute: 6 + 1,
        /// It is negated, after that.
        arg0_negate, with_arg0_negate: 7 + 1,
        /// Second source.
        arg1, with_arg1: 8 + 6,
        /// It loses its sign.
        arg1_absolute, with_arg1_absolute: 14 + 1,
        /// It is negated, after that.
        arg1_negate, with_arg1_negate: 15 + 1,
        /// Destination component.
        dest, with_dest: 16 + 6,
        /// The destination is written.
        output_enable, with_output_enable: 22 + 1,
        /// Change of the result: see [`Outmod`].
        outmod, with_outmod: 23 + 2,
        /// Operation: see [`AddOp`].
        op, with_op: 25 + 5,
        /// The first source is `^s0`, whatever [`Self::arg0`] says.
        mul_in, with_mul_in: 30 + 1,
    }

    /// Field 7, a function of one component: `dest_vector` 0, `vector_source` 0.
    CombineScalar(u64) {
        /// The destination is a vector.
        dest_vector, with_dest_vector: 0 + 1,
        /// Bits 2-13 hold a vector source.
        vector_source, with_vector_source: 1 + 1,
        /// Operation: see [`CombineOp`].
        op, with_op: 2 + 4,
        /// The second source loses its sign.
        arg1_absolute, with_arg1_absolute: 6 + 1,
        /// The second source is negated.
        arg1_negate, with_arg1_negate: 7 + 1,
        /// Second source, which no known operation of this form has.
        arg1, with_arg1: 8 + 6,
        /// The source loses its sign.
        arg0_absolute, with_arg0_absolute: 14 + 1,
        /// The source is negated, after that.
        arg0_negate, with_arg0_negate: 15 + 1,
        /// Source component.
        arg0, with_arg0: 16 + 6,
        /// Change of the result: see [`Outmod`].
        outmod, with_outmod: 22 + 2,
        /// Destination component.
        dest, with_dest: 24 + 6,
    }

    /// Field 7, first part of an arc tangent: `dest_vector` 1, `vector_source` 0.
    CombineAtan(u64) {
        /// 1.
        dest_vector, with_dest_vector: 0 + 1,
        /// 0.
        vector_source, with_vector_source: 1 + 1,
        /// Operation: see [`CombineOp`].
        op, with_op: 2 + 4,
        /// The second source loses its sign.
        arg1_absolute, with_arg1_absolute: 6 + 1,
        /// The second source is negated, after that.
        arg1_negate, with_arg1_negate: 7 + 1,
        /// Second source of atan2, the x.
        arg1, with_arg1: 8 + 6,
        /// The first source loses its sign.
        arg0_absolute, with_arg0_absolute: 14 + 1,
        /// The first source is negated, after that.
        arg0_negate, with_arg0_negate: 15 + 1,
        /// First source component.
        arg0, with_arg0: 16 + 6,
        /// Components written, bit 0 = x.
        mask, with_mask: 22 + 4,
        /// Destination register.
        dest, with_dest: 26 + 4,
    }

    /// Field 7, one component times a vector: `dest_vector` 1, `vector_source` 1.
    CombineMul(u64) {
        /// 1.
        dest_vector, with_dest_vector: 0 + 1,
        /// 1.
        vector_source, with_vector_source: 1 + 1,
        /// Swizzle of the vector.
        arg1_swizzle, with_arg1_swizzle: 2 + 8,
        /// The vector.
        arg1, with_arg1: 10 + 4,
        /// The component loses its sign.
        arg0_absolute, with_arg0_absolute: 14 + 1,
        /// The component is negated, after that.
        arg0_negate, with_arg0_negate: 15 + 1,
        /// The component.
        arg0, with_arg0: 16 + 6,
        /// Components written, bit 0 = x.
        mask, with_mask: 22 + 4,
        /// Destination register.
        dest, with_dest: 26 + 4,
    }

    /// Field 7, second part of an arc tangent: `dest_vector` 0, `vector_source` 1.
    CombineAtanSecond(u64) {
        /// 0.
        dest_vector, with_dest_vector: 0 + 1,
        /// 1.
        vector_source, with_vector_source: 1 + 1,
        /// Swizzle of the vector.
        arg1_swizzle, with_arg1_swizzle: 2 + 8,
        /// What the first part gave.
        arg1, with_arg1: 10 + 4,
        /// Not used in this form.
        unused_14, with_unused_14: 14 + 8,
        /// Change of the result: see [`Outmod`].
        outmod, with_outmod: 22 + 2,
        /// Destination component.
        dest, with_dest: 24 + 6,
    }

    /// Field 8: a store to temporaries.
    Store(u64) {
        /// Always 3.
        target, with_target: 0 + 2,
        /// Always zero.
        reserved_2, with_reserved_2: 2 + 2,
        /// Component stored; of two and four floats the register alone counts.
        source, with_source: 4 + 6,
        /// Floats stored: 0 one, 1 two, 2 four.
        alignment, with_alignment: 10 + 2,
        /// Always zero.
        reserved_12, with_reserved_12: 12 + 6,
        /// Component that is added to the index.
        offset_register, with_offset_register: 18 + 6,
        /// The offset register counts.
        offset_enable, with_offset_enable: 24 + 1,
        /// Place in units of the alignment, signed.
        index, with_index: 25 + 16,
    }

    /// Field 8: a read of the framebuffer. [`Self::kind`] tells it from a store.
    FramebufferRead(u64) {
        /// 1 colour, 0 depth.
        color, with_color: 0 + 1,
        /// [`FRAMEBUFFER_READ`].
        kind, with_kind: 1 + 5,
        /// Destination register.
        dest, with_dest: 6 + 4,
        /// Always 2.
        unknown_10, with_unknown_10: 10 + 31,
    }

    /// Field 9: a branch. [`DISCARD`] stands in its place to drop the pixel.
    Branch(u128) {
        /// Always zero.
        reserved_0, with_reserved_0: 0 + 4,
        /// Second component compared.
        arg1, with_arg1: 4 + 6,
        /// First component compared.
        arg0, with_arg0: 10 + 6,
        /// When the branch is taken: bit 0 first greater than second, bit 1 equal, bit 2 less.
        condition, with_condition: 16 + 3,
        /// Always zero.
        reserved_19, with_reserved_19: 19 + 22,
        /// Where to: signed, in words from the start of this instruction.
        target, with_target: 41 + 27,
        /// Words of the instruction there.
        target_count, with_target_count: 68 + 5,
    }

    /// Fields 10 and 11: four halves.
    Constant(u64) {
        /// First half.
        x, with_x: 0 + 16,
        /// Second half.
        y, with_y: 16 + 16,
        /// Third half.
        z, with_z: 32 + 16,
        /// Fourth half.
        w, with_w: 48 + 16,
    }
}

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

macro_rules! fields {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $bits:literal;)*) => {
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

/// How many fields there are.
pub const FIELDS: usize = 12;

fields! {
    /// Interpolator.
    Varying = "varying", 34;
    /// Texture fetch.
    Sampler = "sampler", 62;
    /// Load of uniforms and temporaries.
    Uniform = "uniform", 41;
    /// Multiply, four lanes.
    VectorMul = "vector-mul", 43;
    /// Multiply, one lane.
    FloatMul = "float-mul", 30;
    /// Add, four lanes.
    VectorAdd = "vector-add", 44;
    /// Add, one lane.
    FloatAdd = "float-add", 31;
    /// Functions of one component, component times vector.
    Combine = "combine", 30;
    /// Store to temporaries, read of the framebuffer.
    Store = "store", 41;
    /// Branch, discard.
    Branch = "branch", 73;
    /// First vector of constants.
    Const0 = "const0", 64;
    /// Second vector of constants.
    Const1 = "const1", 64;
}

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
                next += part.bits;
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
