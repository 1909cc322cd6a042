//! The arithmetic units, and the numbers by which their results are stored and read.

use super::{IDENTITY, NO_STORE, UNUSED};
use unshade_isa_common::field::held;

macro_rules! units {
    ($($(#[$doc:meta])* $unit:ident = $name:literal, $stored:literal $(, [$one:literal, $two:literal])?;)*) => {
        /// An arithmetic unit.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Unit { $($(#[$doc])* $unit,)* }

        impl Unit {
            /// All units, in the order of Mesa's numbering of results.
            pub const ALL: [Self; 6] = [$(Self::$unit,)*];

            /// Name as listings write it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$unit => $name,)* }
            }
        }

        impl Source {
            /// What it means. Bits above the fifth do not exist.
            #[inline]
            pub const fn kind(self) -> SourceKind {
                match self.0 & 31 {
                    n @ 0..=3 => SourceKind::Reg0(n),
                    n @ 4..=7 => SourceKind::Reg1(n - 4),
                    n @ 8..=11 => SourceKind::Unknown(n - 8),
                    n @ 12..=15 => SourceKind::Load(n - 12),
                    $($($one => SourceKind::Result(Unit::$unit, 1), $two => SourceKind::Result(Unit::$unit, 2),)?)*
                    UNUSED => SourceKind::Unused,
                    IDENTITY => SourceKind::Identity,
                    n => SourceKind::PreviousReg0(n - 28),
                }
            }

            /// The source that reads a unit's result so many instructions ago. `None` where there is none: the
            /// complex unit's result lasts one instruction, all others two.
            pub const fn result(unit: Unit, back: u8) -> Option<Self> {
                Some(Self(match (unit, back) {
                    (Unit::Complex, 1) => IDENTITY,
                    $($((Unit::$unit, 1) => $one, (Unit::$unit, 2) => $two,)?)*
                    _ => return None,
                }))
            }
        }

        impl StoreSource {
            /// The unit whose result of this instruction is written. `None` if nothing is written, or if the number
            /// is 5.
            #[inline]
            pub const fn unit(self) -> Option<Unit> {
                match self.0 & NO_STORE { $($stored => Some(Unit::$unit),)* _ => None }
            }

            /// The store of a unit's result.
            #[inline]
            pub const fn of(unit: Unit) -> Self {
                Self(match unit { $(Unit::$unit => $stored,)* })
            }
        }
    };
}

// A row: name, number in a store, and the numbers as a source one and two instructions later.
units! {
    /// First adder.
    Add0 = "add0", 0, [16, 24];
    /// Second adder.
    Add1 = "add1", 1, [17, 25];
    /// First multiplier.
    Mul0 = "mul0", 2, [18, 26];
    /// Second multiplier.
    Mul1 = "mul1", 3, [19, 27];
    /// The unit that passes values on and clamps.
    Pass = "pass", 4, [20, 23];
    /// The unit of reciprocals, roots, powers and logarithms. As a source its result is [`IDENTITY`].
    Complex = "complex", 6;
}

/// What a unit reads, as a number of five bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Source(pub u8);

/// What the number of a [`Source`] means. Components count from 0 = x.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SourceKind {
    /// A component of the first register load.
    Reg0(u8),
    /// A component of the second register load.
    Reg1(u8),
    /// Without known meaning, 0-3.
    Unknown(u8),
    /// A component of the memory load.
    Load(u8),
    /// The result of a unit, one or two instructions ago.
    Result(Unit, u8),
    /// Nothing: the unit is off.
    Unused,
    /// The result of the complex unit one instruction ago; as second source of an adder or multiplier the
    /// neutral element.
    Identity,
    /// A component of the first register load of the instruction before.
    PreviousReg0(u8),
}

/// What a store slot writes to one component, as a number of three bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct StoreSource(pub u8);

held! {
    Source: |bits| Self(bits as u8), |value| value.0.into();
    StoreSource: |bits| Self(bits as u8), |value| value.0.into();
}

impl Source {
    /// No source.
    pub const UNUSED: Self = Self(UNUSED);
    /// The neutral element, or the complex unit's result.
    pub const IDENTITY: Self = Self(IDENTITY);

    /// A component of the first register load.
    pub const fn reg0(component: u8) -> Self {
        Self(component & 3)
    }

    /// A component of the second register load.
    pub const fn reg1(component: u8) -> Self {
        Self(4 + (component & 3))
    }

    /// One of the numbers without known meaning, 0-3.
    pub const fn unknown(n: u8) -> Self {
        Self(8 + (n & 3))
    }

    /// A component of the memory load.
    pub const fn load(component: u8) -> Self {
        Self(12 + (component & 3))
    }

    /// A component of the first register load of the instruction before.
    pub const fn previous(component: u8) -> Self {
        Self(28 + (component & 3))
    }
}

impl StoreSource {
    /// Nothing is written.
    pub const NONE: Self = Self(NO_STORE);
    /// The number without known meaning.
    pub const UNKNOWN: Self = Self(5);

    /// Whether nothing is written.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 & 7 == NO_STORE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_lead_to_their_numbers() {
        for number in 0..32 {
            let source = Source(number);
            let back = match source.kind() {
                SourceKind::Reg0(component) => Source::reg0(component),
                SourceKind::Reg1(component) => Source::reg1(component),
                SourceKind::Unknown(n) => Source::unknown(n),
                SourceKind::Load(component) => Source::load(component),
                SourceKind::Result(unit, back) => Source::result(unit, back).unwrap(),
                SourceKind::Unused => Source::UNUSED,
                SourceKind::Identity => Source::result(Unit::Complex, 1).unwrap(),
                SourceKind::PreviousReg0(component) => Source::previous(component),
            };
            assert_eq!(back, source);
        }
        assert!(Unit::ALL.into_iter().all(|unit| StoreSource::of(unit).unit() == Some(unit)));
    }
}
