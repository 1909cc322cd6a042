//! The forms of arithmetic fields, one row each. Which runs of bits hold the operation, the destination and the operands
//! follows from the names of the runs in [`super::fields`]: `op`, `outmod`, `dest`, `mask` or `output_enable`, `arg0`,
//! `arg0_swizzle`, `arg0_absolute`, `arg0_negate`, the same of `arg1`, and `mul_in`.

use super::names::{
    COMBINE, COMBINE_VECTOR, FLOAT_ADD, FLOAT_MUL, LIMA_FLOAT_ADD, LIMA_FLOAT_MUL, LIMA_VECTOR_ADD,
    LIMA_VECTOR_MUL, Mnemonics, VECTOR_ADD, VECTOR_MUL,
};
use super::table::{
    ADD_OPS, COMBINE_OPS, CombineAtan, CombineAtanSecond, CombineMul, CombineScalar, Field, FloatAdd,
    FloatMul, MUL_OPS, Part, Row, VectorAdd, VectorMul,
};
use unshade_isa_common::field::find;
use unshade_isa_common::text::Short;

static COMBINE_MUL: [Short<'static>; 4] = Short::all(["mul.v2"; 4]);
static ATAN_SECOND: [Short<'static>; 4] =
    Short::all(["atan_pt2.s2", "atan_pt2.sat.s2", "atan_pt2.pos.s2", "atan_pt2.int.s2"]);

/// A source of a form.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operand {
    /// The register; of a scalar with its component.
    pub register: Part,
    /// Its swizzle; `None`: it is a scalar.
    pub swizzle: Option<Part>,
    /// It loses its sign.
    pub absolute: Option<Part>,
    /// It is negated, after that.
    pub negate: Option<Part>,
    /// It is what the multiply unit of the same instruction gives, whatever the register says.
    pub link: Option<Part>,
}

/// A form of an arithmetic field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// The field.
    pub field: Field,
    /// What the names of its operations end with.
    pub unit: &'static str,
    /// Its runs of bits.
    pub parts: &'static [Part],
    /// Its operations.
    pub rows: &'static [Row],
    /// The names of its operations, with the change of the result.
    pub names: Names,
    /// The same in Mesa's text; the combine unit has its own way there.
    pub lima: Option<&'static Mnemonics>,
    /// What tells it from the other forms of its field.
    pub fixed: u64,
    /// Number of the operation.
    pub op: Option<Part>,
    /// Change of the result.
    pub outmod: Option<Part>,
    /// Destination register; of a scalar with its component.
    pub dest: Part,
    /// Components written; `None`: the destination is a scalar.
    pub mask: Option<Part>,
    /// Whether the destination is written; `None`: always.
    pub written: Option<Part>,
    /// What it reads.
    pub operands: [Operand; 2],
    /// How many sources an operation reads, by its number; 0 where that is not known.
    pub sources: [u8; 32],
    /// Runs without meaning in this form.
    pub unused: u64,
}

/// How operations are named.
#[derive(Debug, Clone, Copy)]
pub(super) enum Names {
    /// By their numbers.
    Table(&'static Mnemonics),
    /// There is one, without a number; and its names by the change of the result.
    One(&'static str, &'static [Short<'static>; 4]),
}

/// The forms. Those of the combine unit come last, by the two bits that tell them apart.
pub(super) const FORMS: [Form; 8] = [
    Form::new(Field::VectorMul, "v0", VectorMul::PARTS, MUL_OPS, &VECTOR_MUL).lima(&LIMA_VECTOR_MUL),
    Form::new(Field::FloatMul, "s0", FloatMul::PARTS, MUL_OPS, &FLOAT_MUL).lima(&LIMA_FLOAT_MUL),
    Form::new(Field::VectorAdd, "v1", VectorAdd::PARTS, ADD_OPS, &VECTOR_ADD).lima(&LIMA_VECTOR_ADD),
    Form::new(Field::FloatAdd, "s1", FloatAdd::PARTS, ADD_OPS, &FLOAT_ADD).lima(&LIMA_FLOAT_ADD),
    Form::new(Field::Combine, "s2", CombineScalar::PARTS, COMBINE_OPS, &COMBINE).combine(0, 1),
    Form::new(Field::Combine, "v2", CombineAtan::PARTS, COMBINE_OPS, &COMBINE_VECTOR).combine(1, 2),
    Form::new(Field::Combine, "s2", CombineAtanSecond::PARTS, &[], &COMBINE)
        .combine(2, 1)
        .one("atan_pt2", &ATAN_SECOND),
    Form::new(Field::Combine, "v2", CombineMul::PARTS, &[], &COMBINE).combine(3, 2).one("mul", &COMBINE_MUL),
];

/// A run that every form has.
const fn or(part: Option<Part>) -> Part {
    match part {
        Some(part) => part,
        None => Part { name: "", low: 0, width: 1 },
    }
}

/// The runs of a source, whose names start with this one.
macro_rules! operand {
    ($parts:expr, $name:literal, $link:expr) => {
        Operand {
            register: or(find($parts, $name)),
            swizzle: find($parts, concat!($name, "_swizzle")),
            absolute: find($parts, concat!($name, "_absolute")),
            negate: find($parts, concat!($name, "_negate")),
            link: $link,
        }
    };
}

const fn bits(part: Option<Part>) -> u64 {
    match part {
        Some(part) => part.mask() as u64,
        None => 0,
    }
}

impl Operand {
    /// All of its bits.
    #[inline(always)]
    pub(super) const fn mask(&self) -> u64 {
        self.register.mask() as u64 | bits(self.swizzle) | bits(self.absolute) | bits(self.negate)
    }
}

impl Form {
    const fn new(
        field: Field,
        unit: &'static str,
        parts: &'static [Part],
        rows: &'static [Row],
        names: &'static Mnemonics,
    ) -> Self {
        let mask = find(parts, "mask");
        let first = operand!(parts, "arg0", find(parts, "mul_in"));
        let second = operand!(parts, "arg1", None);
        let mut sources = [0; 32];
        let mut n = 0;
        while n < rows.len() {
            let mut number = rows[n].first;
            while number <= rows[n].last {
                sources[number as usize] = rows[n].sources;
                number += 1;
            }
            n += 1;
        }
        // The unit of one lane cannot sum.
        if matches!(field, Field::FloatAdd) {
            (sources[16], sources[17]) = (0, 0);
        }
        Self {
            field,
            unit,
            parts,
            rows,
            names: Names::Table(names),
            lima: None,
            fixed: 0,
            op: find(parts, "op"),
            outmod: find(parts, "outmod"),
            dest: or(find(parts, "dest")),
            mask,
            written: if mask.is_some() { mask } else { find(parts, "output_enable") },
            // A form without a first source has the second one as its only one.
            operands: [if find(parts, "arg0").is_some() { first } else { second }, second],
            sources,
            unused: bits(find(parts, "unused_14")),
        }
    }

    const fn lima(mut self, names: &'static Mnemonics) -> Self {
        self.lima = Some(names);
        self
    }

    /// A form of the combine unit, which always writes: its two bits, and how many sources its functions have at most.
    const fn combine(mut self, fixed: u64, most: u8) -> Self {
        self.fixed = fixed;
        self.written = None;
        if most == 1 {
            self.sources = [1; 32];
        }
        self
    }

    const fn one(mut self, name: &'static str, names: &'static [Short<'static>; 4]) -> Self {
        self.names = Names::One(name, names);
        self
    }

    /// How many sources an operation reads; one that is not known, two.
    #[inline(always)]
    pub(super) const fn source_count(&self, op: u32) -> u8 {
        match self.sources[op as usize % 32] {
            0 => 2,
            count => count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_a_form_has_its_use() {
        for form in &FORMS {
            let runs = [form.op, form.outmod, Some(form.dest), form.mask, form.written];
            let mut used = runs.into_iter().fold(form.unused, |used, run| used | bits(run));
            for operand in form.operands {
                used |= operand.mask() | bits(operand.link);
            }
            let told_apart = if form.field == Field::Combine { 3 } else { 0 };
            assert_eq!(used | told_apart, (1 << form.field.width()) - 1, "{}", form.unit);
        }
    }
}
