//! The slots of an instruction: what a line of a listing can say, one row each. A slot is a unit, or both multipliers
//! together; its row names the fields of its operation and operands.

use super::operations::{AddOp, ComplexOp, MulOp, Operation, PassOp};
use super::{Field, Source, Unit, field};
use unshade_isa_common::field::Pattern;

/// Operations that the field of a slot can name.
pub const OPERATIONS: usize = 16;
/// Operands of the slot that has most of them.
const WIDEST: usize = 4;

const UNUSED: u32 = super::UNUSED as u32;
const IDENTITY: u32 = super::IDENTITY as u32;

/// What a line can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// A source in a field.
    Source {
        /// The field of the source.
        field: Field,
        /// The number that [`IDENTITY`](super::IDENTITY) stands for; `None`: there it is the complex unit's result.
        neutral: Option<u8>,
        /// The field of its sign.
        negate: Option<Field>,
    },
    /// This component of the memory load, whatever fields say.
    Bound(u8),
}

impl Operand {
    #[inline(always)]
    const fn source(self, word: u128) -> Source {
        match self {
            Self::Source { field, .. } => Source(field.get(word) as u8),
            Self::Bound(component) => Source::load(component),
        }
    }

    #[inline(always)]
    const fn is_negated(self, word: u128) -> bool {
        matches!(self, Self::Source { negate: Some(negate), .. } if negate.get(word) != 0)
    }

    /// The bits of its fields.
    pub(crate) const fn mask(self) -> u128 {
        match self {
            Self::Source { field, negate: Some(negate), .. } => field.mask() | negate.mask(),
            Self::Source { field, .. } => field.mask(),
            Self::Bound(_) => 0,
        }
    }
}

/// What one line of an instruction can say.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// What the line starts with.
    pub name: &'static str,
    /// What Mesa's disassembler writes after an operation.
    pub lima: &'static str,
    /// The unit whose result it is.
    pub unit: Unit,
    /// Field of its operation.
    pub operation: Field,
    /// Its operation, by the number in that field; `None` where there is no such line.
    pub operations: [Option<&'static Operation>; OPERATIONS],
    /// All operations of its unit, in the order in which messages list them.
    listed: &'static [&'static Operation],
    /// What its operations can read.
    pub operands: &'static [Operand],
    /// Field of the sign of its result.
    pub negate: Option<Field>,
    /// What its fields have where it is off.
    off: &'static [(Field, u32)],
    /// What the fields of the second operand have where operation 0 passes the first one on, which is written `mov`.
    pub neutral: &'static [(Field, u32)],
    /// The operation after which messages list this `mov`.
    moves_after: &'static str,
}

macro_rules! slots {
    ($(
        $unit:ident $(as $name:literal)?, $lima:literal: $operation:ident, $all:ident in $operations:expr,
            reads [$($operand:tt),*] $(sign $negate:ident)?,
            off [$($off:ident = $unused:expr),*], neutral [$($neutral:ident = $value:expr),*] $(after $after:literal)?;
    )*) => {
        /// The slots in the order of the text.
        pub const SLOTS: [Slot; 7] = [$(Slot {
            name: slots!(@name $unit $($name)?),
            lima: $lima,
            unit: Unit::$unit,
            operation: field::$operation,
            operations: $operations,
            listed: $all::LISTED_ROWS,
            operands: &[$(slots!(@operand $operand)),*],
            negate: slots!(@option $($negate)?),
            off: &[$((field::$off, $unused)),*],
            neutral: &[$((field::$neutral, $value)),*],
            moves_after: concat!($($after)?),
        },)*];
    };
    (@operand ($(- $negate:ident)? $field:ident $(or $number:literal)?)) => {
        Operand::Source {
            field: field::$field,
            neutral: slots!(@number $($number)?),
            negate: slots!(@option $($negate)?),
        }
    };
    (@operand $bound:literal) => { Operand::Bound($bound) };
    (@name $unit:ident) => { Unit::$unit.name() };
    (@name $unit:ident $name:literal) => { $name };
    (@option) => { None };
    (@option $field:ident) => { Some(field::$field) };
    (@number) => { None };
    (@number $number:literal) => { Some($number) };
}

// A row: unit of the result, name in Mesa's disassembler, field of the operation, what operations it has; what they can read,
// with the field of the sign in front and the neutral element after it; sign of the result; when it is off; `mov`.
slots! {
    Add0, "a0": ADD_OP, AddOp in operations(AddOp::ROWS, 1, 2),
        reads [(-ADD0_NEGATE0 ADD0_SRC0), (-ADD0_NEGATE1 ADD0_SRC1 or 0)],
        off [ADD0_SRC0 = UNUSED], neutral [ADD0_NEGATE1 = 1, ADD0_SRC1 = IDENTITY] after "max";
    Add1, "a1": ADD_OP, AddOp in operations(AddOp::ROWS, 1, 2),
        reads [(-ADD1_NEGATE0 ADD1_SRC0), (-ADD1_NEGATE1 ADD1_SRC1 or 0)],
        off [ADD1_SRC0 = UNUSED], neutral [ADD1_NEGATE1 = 1, ADD1_SRC1 = IDENTITY] after "max";
    Mul0, "m0": MUL_OP, MulOp in operations(MulOp::ROWS, 1, 2),
        reads [(MUL0_SRC0), (MUL0_SRC1 or 1)] sign MUL0_NEGATE,
        off [MUL0_SRC0 = UNUSED, MUL0_SRC1 = UNUSED], neutral [MUL0_SRC1 = IDENTITY] after "mul";
    Mul1, "m1": MUL_OP, MulOp in products(),
        reads [(MUL1_SRC0), (MUL1_SRC1 or 1)] sign MUL1_NEGATE,
        off [MUL1_SRC0 = UNUSED, MUL1_SRC1 = UNUSED], neutral [MUL1_SRC1 = IDENTITY] after "mul";
    Mul0 as "mul01", "m01": MUL_OP, MulOp in operations(MulOp::ROWS, 3, 4),
        reads [(MUL0_SRC0), (MUL0_SRC1 or 1), (MUL1_SRC0), (MUL1_SRC1 or 1)], off [], neutral [];
    Complex, "c": COMPLEX_OP, ComplexOp in operations(ComplexOp::ROWS, 1, 1),
        reads [(COMPLEX_SRC)], off [], neutral [];
    Pass, "p": PASS_OP, PassOp in operations(PassOp::ROWS, 1, 3),
        reads [(PASS_SRC), 0, 1], off [PASS_SRC = UNUSED], neutral [];
}

/// The operations of a unit that have so many operands, by number.
const fn operations(
    rows: &'static [Operation],
    least: usize,
    most: usize,
) -> [Option<&'static Operation>; OPERATIONS] {
    let mut all = [None; OPERATIONS];
    let mut number = 0;
    while number < rows.len() {
        if rows[number].operands.len() >= least && rows[number].operands.len() <= most {
            all[number] = Some(&rows[number]);
        }
        number += 1;
    }
    all
}

/// What the second multiplier does: it multiplies, also beside another operation of the first one.
const fn products() -> [Option<&'static Operation>; OPERATIONS] {
    let mut all = [None; OPERATIONS];
    all[MulOp::Mul as usize] = Some(MulOp::Mul.row());
    all[MulOp::Complex2 as usize] = Some(MulOp::Mul.row());
    all
}

impl Slot {
    /// The number that [`IDENTITY`](super::IDENTITY) stands for in an operand, if it is one.
    #[inline(always)]
    pub fn neutral_at(&self, operand: usize) -> Option<u8> {
        match &self.operands[operand] {
            Operand::Source { neutral, .. } => *neutral,
            Operand::Bound(_) => None,
        }
    }

    /// Whether its lines can name an operation of its unit.
    fn can_name(&self, row: &Operation) -> bool {
        let found = self.operations.get(row.number as usize).copied().flatten();
        found.is_some_and(|found| found.number == row.number)
    }

    /// The operation of a name, if its lines can name it.
    pub fn find(&self, name: &str) -> Option<&'static Operation> {
        self.listed.iter().copied().find(|row| row.name == name).filter(|row| self.can_name(row))
    }

    /// The names of what its lines can do, as messages list them.
    pub fn names(&self) -> Vec<&'static str> {
        let moves = |row: &Operation| (row.name == self.moves_after).then_some("mov");
        let named = self.listed.iter().filter(|row| self.can_name(row));
        named.flat_map(|row| [row.name].into_iter().chain(moves(row))).collect()
    }
}

/// What a slot says in an instruction word.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    /// Which one of [`SLOTS`].
    pub index: usize,
    /// The slot.
    pub slot: &'static Slot,
    /// Its operation.
    pub operation: &'static Operation,
    /// The number in its field.
    pub number: usize,
    /// The second operand changes nothing: it is that of a `mov`.
    pub neutral: bool,
    sources: [Source; WIDEST],
    negated: [bool; WIDEST],
}

impl Line {
    /// It is a `mov`, of which the second operand is not written.
    #[inline(always)]
    pub fn moves(&self) -> bool {
        self.neutral && self.operation.number == 0
    }

    /// Which operands of the slot it names, in the order of the text.
    #[inline(always)]
    pub fn operands(&self) -> &'static [usize] {
        if self.moves() { &self.operation.operands[..1] } else { self.operation.operands }
    }

    /// What an operand reads.
    #[inline(always)]
    pub fn source(&self, operand: usize) -> Source {
        self.sources[operand % WIDEST]
    }

    /// Whether there is a minus in front of an operand.
    #[inline(always)]
    pub fn is_negated(&self, operand: usize) -> bool {
        self.negated[operand % WIDEST]
    }
}

/// What the slot of this index says in an instruction word, if it is on. The index is a constant, so that shifts and masks are.
#[inline(always)]
pub fn line<const INDEX: usize>(word: u128) -> Option<Line> {
    let slot = const { &SLOTS[INDEX] };
    let number = const { SLOTS[INDEX].operation }.get(word) as usize % OPERATIONS;
    let operation = slot.operations[number]?;
    if const { Pattern::new(SLOTS[INDEX].off) }.is_some_and(|off| off.fits(word)) {
        return None;
    }
    let [a, b, c, d] = const { widened(SLOTS[INDEX].operands) };
    let sources = [a.source(word), b.source(word), c.source(word), d.source(word)];
    // The sign of a product stands at its second factor.
    let product = const { SLOTS[INDEX].negate }.is_some_and(|negate| negate.get(word) != 0);
    let negated = [a.is_negated(word), product || b.is_negated(word), c.is_negated(word), d.is_negated(word)];
    let neutral = const { Pattern::new(SLOTS[INDEX].neutral) }.is_some_and(|neutral| neutral.fits(word));
    Some(Line { index: INDEX, slot, operation, number, neutral: neutral && !product, sources, negated })
}

/// Operands with others after them that read nothing in particular.
const fn widened(operands: &[Operand]) -> [Operand; WIDEST] {
    let mut wide = [Operand::Bound(0); WIDEST];
    let mut at = 0;
    while at < operands.len() {
        wide[at] = operands[at];
        at += 1;
    }
    wide
}

/// What the slots that are on say in an instruction word, in the order of the text.
pub fn lines(word: u128) -> impl Iterator<Item = Line> {
    let all = [line::<0>, line::<1>, line::<2>, line::<3>, line::<4>, line::<5>, line::<6>];
    all.into_iter().filter_map(move |line| line(word))
}

/// Whether any source field, of a slot that is on or off, has these three upper bits. This is quick, and most
/// instructions have none.
#[inline]
pub fn any_source(word: u128, upper: u32) -> bool {
    // Bit 2 of each source field: there its three upper bits are moved on each other.
    const PLACES: u128 = {
        let mut places = 0;
        let mut at = 0;
        while at < SLOTS.len() * WIDEST {
            if let Operand::Source { field, .. } = widened(SLOTS[at / WIDEST].operands)[at % WIDEST] {
                places |= 1 << (field.low + 2);
            }
            at += 1;
        }
        places
    };
    let alike = |shift: u32| if upper >> shift & 1 == 1 { word >> shift } else { !(word >> shift) };
    alike(0) & alike(1) & alike(2) & PLACES != 0
}

/// A slot that stores to two components.
#[derive(Debug, Clone, Copy)]
pub struct StoreSlot {
    /// What is written to each.
    pub components: [Field; 2],
    /// It writes to temporary memory.
    pub temporary: Field,
    /// It writes a varying.
    pub varying: Field,
    /// The number of the register or varying.
    pub address: Field,
}

/// The store slots, as in [`Inst::store`](super::super::Inst::store).
pub const STORES: [StoreSlot; 2] = [
    StoreSlot {
        components: [field::STORE0_X, field::STORE0_Y],
        temporary: field::STORE0_TEMPORARY,
        varying: field::STORE0_VARYING,
        address: field::STORE0_ADDRESS,
    },
    StoreSlot {
        components: [field::STORE1_Z, field::STORE1_W],
        temporary: field::STORE1_TEMPORARY,
        varying: field::STORE1_VARYING,
        address: field::STORE1_ADDRESS,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_list_what_a_slot_can_do() {
        let names = SLOTS.map(|slot| slot.names().join(", "));
        assert_eq!(names[0], "add, floor, sign, ge, lt, min, max, mov, op3");
        assert_eq!(names[1], names[0]);
        assert_eq!(names[2], "mul, mov, complex2");
        assert_eq!(names[3], "mul, mov");
        assert_eq!(names[4], "complex1, select, op2, op5, op6, op7");
        let complex =
            "exp2, log2, rsqrt, rcp, mov, addr0, addr1, addr2, addr3, addr01, op1, op6, op7, op8, op11";
        assert_eq!(names[5], complex);
        assert_eq!(names[6], "mov, clamp, preexp2, postlog2, op0, op1, op3, op7");
    }
}
