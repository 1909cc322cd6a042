//! A decoded instruction. Every bit of the instruction word is in some field, so that encoding is exact.

use super::table::{AddOp, ComplexOp, MulOp, NO_OFFSET, PassOp, UNUSED, Unit};
pub use super::table::{Source, SourceKind, StoreSource};

/// One instruction of 128 bits. Fields of units that are off keep their bits as data. In the default all numbers are 0; what
/// does nothing is [`Inst::empty`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Inst {
    /// The multipliers.
    pub mul: [Mul; 2],
    /// What both multipliers do.
    pub mul_op: MulOp,
    /// The adders.
    pub add: [Add; 2],
    /// What both adders do.
    pub add_op: AddOp,
    /// Source of the complex unit.
    pub complex: Source,
    /// What the complex unit does.
    pub complex_op: ComplexOp,
    /// Source of the pass unit.
    pub pass: Source,
    /// What the pass unit does.
    pub pass_op: PassOp,
    /// Load from the memory of uniforms and temporaries.
    pub load: Load,
    /// Load of a register or an attribute; the next instruction can read it too.
    pub reg0: Register,
    /// Load of a register, 0-15.
    pub reg1: u8,
    /// The store slots: the first writes x and y, the second z and w.
    pub store: [Store; 2],
    /// Whether there is a branch, taken if the pass unit's result of this instruction is not 0.
    pub branch: bool,
    /// Index of the instruction that the branch goes to, 0-511.
    pub target: u16,
    /// Bits 116-119, see [`super::table::field::UNKNOWN_1`].
    pub unknown_1: u8,
}

/// A multiplier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Mul {
    /// What it reads.
    pub sources: [Source; 2],
    /// The result is negated.
    pub negate: bool,
}

/// An adder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Add {
    /// What it reads.
    pub sources: [Source; 2],
    /// Which sources are negated.
    pub negate: [bool; 2],
}

/// A load from the memory of uniforms, constants and temporaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Load {
    /// Vector of four, 0-511.
    pub address: u16,
    /// Code of what is added: 1-3 an address register, 7 nothing, others unknown.
    pub offset: u8,
}

/// A load of a register or an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Register {
    /// Number, 0-15.
    pub number: u8,
    /// An attribute instead of a register.
    pub attribute: bool,
}

/// A store slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Store {
    /// What is written to its two components.
    pub sources: [StoreSource; 2],
    /// Number of the register or varying, 0-15; without meaning for temporary memory.
    pub number: u8,
    /// It writes a varying instead of a register.
    pub varying: bool,
    /// It writes to temporary memory, at the place that address register 0 names.
    pub temporary: bool,
}

impl Load {
    /// The address register that is added.
    #[inline]
    pub const fn register(self) -> Option<u8> {
        match self.offset & 7 {
            n @ 1..=3 => Some(n),
            _ => None,
        }
    }

    /// Whether the offset code is known.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(self.offset & 7, 1..=3 | NO_OFFSET)
    }
}

impl Store {
    /// Whether it writes anything.
    #[inline]
    pub const fn is_active(&self) -> bool {
        !(self.sources[0].is_none() && self.sources[1].is_none())
    }
}

impl Inst {
    /// Whether a unit is on. Both multipliers are on in an operation that joins them.
    #[inline]
    pub const fn is_on(&self, unit: Unit) -> bool {
        const fn any(mul: &Mul) -> bool {
            !(mul.sources[0].0 & 31 == UNUSED && mul.sources[1].0 & 31 == UNUSED)
        }
        match unit {
            Unit::Add0 => self.add[0].sources[0].0 & 31 != UNUSED,
            Unit::Add1 => self.add[1].sources[0].0 & 31 != UNUSED,
            Unit::Mul0 => self.mul_op.is_wide() || any(&self.mul[0]),
            Unit::Mul1 => self.mul_op.is_wide() || any(&self.mul[1]),
            Unit::Pass => self.pass.0 & 31 != UNUSED,
            Unit::Complex => !matches!(self.complex_op, ComplexOp::Off),
        }
    }

    /// The sources that units which are on read, with the unit and the position among its sources. A joined
    /// operation reads four sources (two of each multiplier), a selection three.
    pub fn sources(&self) -> impl Iterator<Item = (Unit, usize, Source)> + '_ {
        let adders = [Unit::Add0, Unit::Add1].into_iter().zip(&self.add).flat_map(|(unit, add)| {
            let count = if self.is_on(unit) { self.add_op.sources() } else { 0 };
            add.sources.iter().take(count).enumerate().map(move |(n, &source)| (unit, n, source))
        });
        let multipliers = [Unit::Mul0, Unit::Mul1].into_iter().zip(&self.mul).flat_map(|(unit, mul)| {
            let all = if unit == Unit::Mul1 && self.mul_op == MulOp::Select { 1 } else { 2 };
            let count = if self.is_on(unit) { all } else { 0 };
            mul.sources.iter().take(count).enumerate().map(move |(n, &source)| (unit, n, source))
        });
        let complex = self.is_on(Unit::Complex).then_some((Unit::Complex, 0, self.complex));
        let pass = self.is_on(Unit::Pass).then_some((Unit::Pass, 0, self.pass));
        adders.chain(multipliers).chain(complex).chain(pass)
    }

    /// Whether the memory load is read: by a source, or as the bounds of a clamp.
    pub fn reads_memory(&self) -> bool {
        self.clamps() || self.sources().any(|(_, _, source)| matches!(source.kind(), SourceKind::Load(_)))
    }

    /// Whether the pass unit clamps.
    pub fn clamps(&self) -> bool {
        self.is_on(Unit::Pass) && self.pass_op == PassOp::Clamp
    }

    /// Whether any store slot writes to temporary memory.
    pub fn stores_temporary(&self) -> bool {
        self.store.iter().any(|store| store.temporary && store.is_active())
    }

    /// What a unit only passes on.
    pub fn moved(&self, unit: Unit) -> Option<Source> {
        let adder = |add: &Add| {
            let moves = self.add_op == AddOp::Add
                && add.sources[1] == Source::IDENTITY
                && add.negate == [false, true];
            moves.then_some(add.sources[0])
        };
        let multiplier = |mul: &Mul, multiplies: bool| {
            (multiplies && mul.sources[1] == Source::IDENTITY && !mul.negate).then_some(mul.sources[0])
        };
        match unit {
            Unit::Add0 => adder(&self.add[0]),
            Unit::Add1 => adder(&self.add[1]),
            Unit::Mul0 => multiplier(&self.mul[0], self.mul_op == MulOp::Mul),
            Unit::Mul1 => multiplier(&self.mul[1], !self.mul_op.is_wide()),
            Unit::Pass => (self.pass_op == PassOp::Mov).then_some(self.pass),
            Unit::Complex => (self.complex_op == ComplexOp::Mov).then_some(self.complex),
        }
    }
}
