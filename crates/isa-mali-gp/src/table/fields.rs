//! Every field of the instruction word: its bits, its name in listings, and what of an instruction it holds. Decoding and
//! encoding follow.

pub use unshade_isa_common::field::Field;

/// Hands the rows of all fields to a macro: a name for the code, the name in listings, bits, and after an arrow the place of an
/// [`Inst`](super::super::Inst) that holds the value. Fields without an arrow make a value together.
macro_rules! with_fields {
    ($macro:ident) => {
        $macro! {
            /// First source of the first multiplier.
            MUL0_SRC0 = "mul0.src0", 0 + 5 => (mul[0].sources[0]);
            /// Second source of the first multiplier.
            MUL0_SRC1 = "mul0.src1", 5 + 5 => (mul[0].sources[1]);
            /// First source of the second multiplier.
            MUL1_SRC0 = "mul1.src0", 10 + 5 => (mul[1].sources[0]);
            /// Second source of the second multiplier.
            MUL1_SRC1 = "mul1.src1", 15 + 5 => (mul[1].sources[1]);
            /// Negates the result of the first multiplier.
            MUL0_NEGATE = "mul0.negate", 20 + 1 => (mul[0].negate);
            /// Negates the result of the second multiplier.
            MUL1_NEGATE = "mul1.negate", 21 + 1 => (mul[1].negate);
            /// First source of the first adder.
            ADD0_SRC0 = "add0.src0", 22 + 5 => (add[0].sources[0]);
            /// Second source of the first adder.
            ADD0_SRC1 = "add0.src1", 27 + 5 => (add[0].sources[1]);
            /// First source of the second adder.
            ADD1_SRC0 = "add1.src0", 32 + 5 => (add[1].sources[0]);
            /// Second source of the second adder.
            ADD1_SRC1 = "add1.src1", 37 + 5 => (add[1].sources[1]);
            /// Negates the first source of the first adder.
            ADD0_NEGATE0 = "add0.negate0", 42 + 1 => (add[0].negate[0]);
            /// Negates the second source of the first adder.
            ADD0_NEGATE1 = "add0.negate1", 43 + 1 => (add[0].negate[1]);
            /// Negates the first source of the second adder.
            ADD1_NEGATE0 = "add1.negate0", 44 + 1 => (add[1].negate[0]);
            /// Negates the second source of the second adder.
            ADD1_NEGATE1 = "add1.negate1", 45 + 1 => (add[1].negate[1]);
            /// Which vector of the uniform and temporary memory is loaded.
            LOAD_ADDRESS = "load.address", 46 + 9 => (load.address);
            /// What is added to that: a number of [`OFFSETS`](crate::table::OFFSETS).
            LOAD_OFFSET = "load.offset", 55 + 3 => (load.offset);
            /// Which register or attribute the first load reads.
            REG0_ADDRESS = "reg0.address", 58 + 4 => (reg0.number);
            /// The first load reads an attribute instead of a register.
            REG0_ATTRIBUTE = "reg0.attribute", 62 + 1 => (reg0.attribute);
            /// Which register the second load reads.
            REG1_ADDRESS = "reg1.address", 63 + 4 => (reg1);
            /// The first store slot writes to temporary memory.
            STORE0_TEMPORARY = "store0.temporary", 67 + 1 => (store[0].temporary);
            /// The second store slot writes to temporary memory.
            STORE1_TEMPORARY = "store1.temporary", 68 + 1 => (store[1].temporary);
            /// There is a branch.
            BRANCH = "branch", 69 + 1 => (branch);
            /// Its target is below 256.
            BRANCH_LOW = "branch.low", 70 + 1;
            /// What the first store slot writes to x.
            STORE0_X = "store0.x", 71 + 3 => (store[0].sources[0]);
            /// What the first store slot writes to y.
            STORE0_Y = "store0.y", 74 + 3 => (store[0].sources[1]);
            /// What the second store slot writes to z.
            STORE1_Z = "store1.z", 77 + 3 => (store[1].sources[0]);
            /// What the second store slot writes to w.
            STORE1_W = "store1.w", 80 + 3 => (store[1].sources[1]);
            /// Operation of both adders.
            ADD_OP = "add.op", 83 + 3 => (add_op);
            /// Operation of the complex unit.
            COMPLEX_OP = "complex.op", 86 + 4 => (complex_op);
            /// Which register or varying the first store slot writes.
            STORE0_ADDRESS = "store0.address", 90 + 4 => (store[0].number);
            /// The first store slot writes a varying.
            STORE0_VARYING = "store0.varying", 94 + 1 => (store[0].varying);
            /// Which register or varying the second store slot writes.
            STORE1_ADDRESS = "store1.address", 95 + 4 => (store[1].number);
            /// The second store slot writes a varying.
            STORE1_VARYING = "store1.varying", 99 + 1 => (store[1].varying);
            /// Operation of both multipliers.
            MUL_OP = "mul.op", 100 + 3 => (mul_op);
            /// Operation of the pass unit.
            PASS_OP = "pass.op", 103 + 3 => (pass_op);
            /// Source of the complex unit.
            COMPLEX_SRC = "complex.src", 106 + 5 => (complex);
            /// Source of the pass unit.
            PASS_SRC = "pass.src", 111 + 5 => (pass);
            /// Unknown: compilers write 12 beside a store to temporary memory, 13 beside a branch, else 0.
            UNKNOWN_1 = "unknown_1", 116 + 4 => (unknown_1);
            /// Low eight bits of the index of the instruction to go to.
            BRANCH_TARGET = "branch.target", 120 + 8;
        }
    };
}
pub(in super::super) use with_fields;

macro_rules! constants {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $low:literal + $width:literal $(=> ($($path:tt)+))?;)*) => {
        /// The fields of the instruction word by name.
        pub mod field {
            use super::Field;
            $($(#[$doc])* pub const $constant: Field = Field { name: $name, low: $low, width: $width };)*
        }

        /// All fields in the order of their bits. Together they cover the word, and no two overlap.
        pub const FIELDS: &[Field] = &[$(field::$constant,)*];
    };
}

with_fields!(constants);

/// For each bit of the word, which of [`FIELDS`] it belongs to.
pub static FIELD_OF_BIT: [u8; 128] = {
    let mut all = [0; 128];
    let (mut bit, mut field) = (0, 0);
    while bit < 128 {
        if bit >= FIELDS[field].low + FIELDS[field].width {
            field += 1;
        }
        all[bit as usize] = field as u8;
        bit += 1;
    }
    all
};

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
}
