//! A decoded instruction. Every bit of its words is in some field, so that encoding is exact.

use super::table::{
    Branch, Combine, Constant, Control, Field, FloatAdd, FloatMul, Sampler, Store, Uniform, Varying,
    VectorAdd, VectorMul, with_fields,
};

/// One instruction. A field that [`Control::fields`] does not name is zero and has no meaning.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Inst {
    /// The control word.
    pub control: Control,
    /// Field 0.
    pub varying: Varying,
    /// Field 1.
    pub sampler: Sampler,
    /// Field 2.
    pub uniform: Uniform,
    /// Field 3.
    pub vector_mul: VectorMul,
    /// Field 4.
    pub float_mul: FloatMul,
    /// Field 5.
    pub vector_add: VectorAdd,
    /// Field 6.
    pub float_add: FloatAdd,
    /// Field 7; [`Combine::of`] tells its forms apart.
    pub combine: u64,
    /// Field 8.
    pub store: Store,
    /// Field 9.
    pub branch: Branch,
    /// Fields 10 and 11.
    pub constants: [Constant; 2],
    /// What follows the last field up to the end of the instruction, 32 bits at a time, without zeros at
    /// the end. Compilers leave nothing there.
    pub tail: Vec<u32>,
}

macro_rules! access {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $bits:literal => ($($path:tt)+);)*) => {
        impl Inst {
            /// The bits of a field, present or not.
            pub fn field(&self, field: Field) -> u128 {
                match field { $(Field::$variant => self.$($path)+.into(),)* }
            }

            /// Sets the bits of a field that has its width.
            #[inline(always)]
            pub(super) fn put(&mut self, field: Field, bits: u128) {
                match field { $(Field::$variant => self.$($path)+ = bits as _,)* }
            }
        }
    };
}

with_fields!(access);

impl Inst {
    /// Whether a field is present.
    #[inline]
    pub fn has(&self, field: Field) -> bool {
        self.control.fields() & field.bit() != 0
    }

    /// Words of the instruction, control word included.
    #[inline]
    pub fn count(&self) -> u32 {
        self.control.count()
    }

    /// Sets the bits of a field and marks it as present; what does not fit is cut off.
    pub fn set_field(&mut self, field: Field, bits: u128) {
        self.put(field, bits & ((1 << field.width()) - 1));
        self.control = self.control.with_fields(self.control.fields() | field.bit());
    }

    /// Field 7 in its form, if it is present.
    #[inline]
    pub fn combine(&self) -> Option<Combine> {
        self.has(Field::Combine).then(|| Combine::of(self.combine))
    }

    /// Whether the four pixels of a quad must meet here: it fetches from a texture or looks at a neighbour.
    pub fn needs_sync(&self) -> bool {
        use super::table::AddOp;
        let derivative = |op| matches!(AddOp::of(op), Some(AddOp::DFdx | AddOp::DFdy));
        self.has(Field::Sampler)
            || self.has(Field::VectorAdd) && derivative(self.vector_add.op())
            || self.has(Field::FloatAdd) && derivative(self.float_add.op())
    }

    /// Where the branch goes, if there is one and it can be taken: distance in words from this instruction.
    pub fn branch_distance(&self) -> Option<i32> {
        (self.has(Field::Branch) && !self.branch.is_discard() && self.branch.condition() != 0)
            .then(|| self.branch.distance())
    }

    /// Whether it drops the pixel.
    pub fn discards(&self) -> bool {
        self.has(Field::Branch) && self.branch.is_discard()
    }
}

/// A piece of the code.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Item {
    /// An instruction.
    Inst(Inst),
    /// A word that no instruction can start with or that is missing its rest.
    Word(u32),
}

impl Item {
    /// Its words.
    pub fn words(&self) -> u32 {
        match self {
            Self::Inst(inst) => inst.count(),
            Self::Word(_) => 1,
        }
    }
}

impl VectorAdd {
    /// Whether one source is the other one negated, as compilers write derivatives.
    pub fn is_difference(self) -> bool {
        self.mul_in() == 0
            && self.arg0() == self.arg1()
            && self.arg0_swizzle() == self.arg1_swizzle()
            && self.arg0_absolute() == self.arg1_absolute()
            && self.arg0_negate() != self.arg1_negate()
    }
}

impl FloatAdd {
    /// Whether one source is the other one negated, as compilers write derivatives.
    pub fn is_difference(self) -> bool {
        self.mul_in() == 0
            && self.arg0() == self.arg1()
            && self.arg0_absolute() == self.arg1_absolute()
            && self.arg0_negate() != self.arg1_negate()
    }
}
