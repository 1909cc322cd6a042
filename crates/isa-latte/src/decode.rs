//! Words to instructions: control flow by address, clauses by the instruction that starts them. Total: an
//! address or count that leads out of the program gives a shorter clause, never an error.

use super::fields::{CfAlu, CfNormal};
use super::inst::{Alu, Cf, Fetch};
use super::table::{Units, facts};

/// A program. Addresses count in units of 64 bits from its start.
#[derive(Debug, Clone, Copy)]
pub struct Program<'a> {
    words: &'a [u32],
}

impl<'a> Program<'a> {
    /// The program in these words.
    pub fn new(words: &'a [u32]) -> Self {
        Self { words }
    }

    /// Its words.
    pub fn words(&self) -> &'a [u32] {
        self.words
    }

    /// Whole units of 64 bits.
    pub fn units(&self) -> u32 {
        (self.words.len() / 2).min(u32::MAX as usize) as u32
    }

    /// The unit at an address; `None` past the end.
    #[inline]
    pub fn unit(&self, address: u32) -> Option<u64> {
        let at = address as usize * 2;
        let &[low, high] = self.words.get(at..)?.first_chunk::<2>()?;
        Some(u64::from(high) << 32 | u64::from(low))
    }

    /// The control-flow instruction at an address.
    #[inline]
    pub fn cf(&self, address: u32) -> Option<Cf> {
        self.unit(address).map(Cf)
    }

    /// The control-flow instructions from the start to the one that ends the program, or to its last unit.
    pub fn control_flow(&self) -> impl Iterator<Item = (u32, Cf)> + 'a {
        let program = *self;
        let mut ended = false;
        (0..self.units()).map_while(move |address| {
            if ended {
                return None;
            }
            let cf = program.cf(address)?;
            ended = cf.ends_program();
            Some((address, cf))
        })
    }

    /// The groups of an arithmetic clause.
    pub fn groups(&self, clause: CfAlu) -> Groups<'a> {
        let first = clause.addr();
        let end = first.saturating_add(clause.count() + 1).min(self.units());
        Groups { program: *self, at: first, end }
    }

    /// The instructions of a fetch clause with their addresses. One that is cut off by the end of the program
    /// is left out.
    pub fn fetches(&self, clause: CfNormal) -> impl Iterator<Item = (u32, Fetch)> + 'a {
        let program = *self;
        let first = clause.addr();
        (0..clause.clause_length()).map_while(move |index| {
            let address = first.checked_add(2 * index)?;
            Some((address, program.fetch(address)?))
        })
    }

    /// The fetch instruction at an address.
    #[inline]
    pub fn fetch(&self, address: u32) -> Option<Fetch> {
        let low = self.unit(address)?;
        let high = self.unit(address.checked_add(1)?)?;
        Some(Fetch(u128::from(high) << 64 | u128::from(low)))
    }
}

/// Unit that an instruction of a group runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Unit {
    /// The vector unit of x.
    X,
    /// The vector unit of y.
    Y,
    /// The vector unit of z.
    Z,
    /// The vector unit of w.
    W,
    /// The fifth unit.
    T,
}

impl Unit {
    /// All units.
    pub const ALL: [Self; 5] = [Self::X, Self::Y, Self::Z, Self::W, Self::T];

    /// Its letter.
    #[inline]
    pub fn letter(self) -> char {
        match self {
            Self::X => 'x',
            Self::Y => 'y',
            Self::Z => 'z',
            Self::W => 'w',
            Self::T => 't',
        }
    }
}

/// Why a group is none that the machine can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Two instructions need the same unit.
    UnitTaken,
    /// The clause ends before the group's last instruction or its literals.
    CutOff,
    /// No instruction of five is marked as the last.
    NoLast,
}

/// Instructions that run together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Address of the first instruction.
    pub address: u32,
    insts: [Alu; 5],
    units: [Unit; 5],
    count: u8,
    /// Values of the literals; those that are not there are zero.
    pub literals: [u32; 4],
    /// Units of 64 bits that hold literals: 0 to 2.
    pub literal_units: u8,
    /// Why the machine cannot run it.
    pub fault: Option<Fault>,
}

impl Group {
    /// Instructions in order, each with its unit. Where the group has a [`Fault`], units may repeat.
    #[inline]
    pub fn insts(&self) -> impl ExactSizeIterator<Item = (Unit, Alu)> + '_ {
        let count = usize::from(self.count);
        self.units.iter().copied().zip(self.insts.iter().copied()).take(count)
    }

    /// The instruction on a unit.
    #[inline]
    pub fn on(&self, unit: Unit) -> Option<Alu> {
        self.insts().find(|&(on, _)| on == unit).map(|(_, inst)| inst)
    }

    /// Units of 64 bits that it takes, literals included.
    #[inline]
    pub fn size(&self) -> u32 {
        u32::from(self.count) + u32::from(self.literal_units)
    }
}

/// Walks through the groups of a clause.
#[derive(Debug, Clone)]
pub struct Groups<'a> {
    program: Program<'a>,
    at: u32,
    end: u32,
}

impl Groups<'_> {
    /// Address of what comes next.
    pub fn address(&self) -> u32 {
        self.at
    }
}

impl Iterator for Groups<'_> {
    type Item = Group;

    #[inline]
    fn next(&mut self) -> Option<Group> {
        if self.at >= self.end {
            return None;
        }
        let mut group = Group {
            address: self.at,
            insts: [Alu::default(); 5],
            units: [Unit::X; 5],
            count: 0,
            literals: [0; 4],
            literal_units: 0,
            fault: None,
        };
        let mut taken = 0_u8;
        let mut literals = 0;
        let mut closed = false;
        while !closed && group.count < 5 && self.at < self.end {
            let inst = Alu(self.program.unit(self.at)?);
            self.at += 1;
            let unit = unit_of(inst, taken);
            if taken & 1 << unit as u8 != 0 {
                group.fault = Some(Fault::UnitTaken);
            }
            taken |= 1 << unit as u8;
            let place = usize::from(group.count);
            group.insts[place] = inst;
            group.units[place] = unit;
            group.count += 1;
            literals = literals.max(literals_of(inst));
            closed = inst.last();
        }
        if !closed {
            group.fault = Some(if group.count < 5 { Fault::CutOff } else { Fault::NoLast });
        }
        // Literals follow the instruction that is marked as the last; without one there are none.
        if closed {
            for unit in 0..literals {
                let Some(bits) = self.program.unit(self.at).filter(|_| self.at < self.end) else {
                    group.fault = Some(Fault::CutOff);
                    break;
                };
                let place = 2 * usize::from(unit);
                group.literals[place] = bits as u32;
                group.literals[place + 1] = (bits >> 32) as u32;
                group.literal_units += 1;
                self.at += 1;
            }
        }
        Some(group)
    }
}

/// The unit of the next instruction of a group in which those of the bits in `taken` are in use: the vector
/// unit of its component, or the fifth, if only that can do it or the vector unit is in use and it can do it.
#[inline]
pub(super) fn unit_of(inst: Alu, taken: u8) -> Unit {
    let vector = Unit::ALL[inst.dst_chan() as usize];
    match facts(inst.number()).units {
        Units::Trans => Unit::T,
        Units::Any if taken & 1 << vector as u8 != 0 => Unit::T,
        _ => vector,
    }
}

/// Units of 64 bits that the literals of an instruction reach to. Every source field counts, also one that the
/// operation does not use.
#[inline]
pub(super) fn literals_of(inst: Alu) -> u8 {
    const LITERAL: u32 = 253;
    let two = inst.op2();
    let mut units = 0;
    if two.src0_sel() == LITERAL {
        units = 1 + (two.src0_chan() >> 1);
    }
    if two.src1_sel() == LITERAL {
        units = units.max(1 + (two.src1_chan() >> 1));
    }
    if inst.is_op3() {
        let three = inst.op3();
        if three.src2_sel() == LITERAL {
            units = units.max(1 + (three.src2_chan() >> 1));
        }
    }
    units as u8
}
