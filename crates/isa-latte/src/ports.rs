//! Which registers and constants a group can read at once.
//!
//! A vector unit reads its sources in three cycles, in an order that the bank swizzle chooses; in each cycle
//! one register can be read for each component. The fifth unit has its own orders, and constants take its
//! first cycles. Two pairs of components of constants can be read in a group. (AMD's manual of the R700
//! family; Mesa's driver keeps the same rules.)

use super::decode::Unit;
use super::inst::Alu;
use super::table::facts;
use std::fmt;

/// Cycle in which a vector unit reads source 0, 1, 2, by bank swizzle.
const VECTOR_CYCLES: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 2, 0], [1, 0, 2], [2, 0, 1], [2, 1, 0]];
/// Cycle in which the fifth unit reads source 0, 1, 2, by bank swizzle.
const TRANS_CYCLES: [[u8; 3]; 4] = [[2, 1, 0], [1, 2, 2], [2, 1, 2], [2, 2, 1]];

/// Names of bank swizzles of a vector unit.
pub const VECTOR_NAMES: [&str; 6] = ["VEC_012", "VEC_021", "VEC_120", "VEC_102", "VEC_201", "VEC_210"];
/// Names of bank swizzles of the fifth unit.
pub const TRANS_NAMES: [&str; 4] = ["SCL_210", "SCL_122", "SCL_212", "SCL_221"];

/// Bank swizzles that a unit has.
pub fn swizzles(unit: Unit) -> u32 {
    if unit == Unit::T { TRANS_NAMES.len() as u32 } else { VECTOR_NAMES.len() as u32 }
}

/// Why a group cannot read what it wants to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conflict {
    /// The unit has no such bank swizzle.
    Swizzle(Unit),
    /// Two registers in the same cycle for the same component.
    Register {
        /// Who comes too late.
        unit: Unit,
        /// The cycle.
        cycle: u8,
        /// The component.
        channel: u8,
        /// Who has the port.
        held: u8,
        /// Who wants it.
        wanted: u8,
    },
    /// More than two pairs of components of constants.
    Constants(Unit),
    /// More than two constants in the fifth unit.
    TransConstants,
    /// The fifth unit reads a register, or a result of the previous group, in a cycle that its constants take.
    TransCycle(u8),
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Swizzle(unit) => write!(f, "the unit {} has no such bank swizzle", unit.letter()),
            Self::Register { unit, cycle, channel, held, wanted } => {
                let letter = Unit::ALL[usize::from(channel & 3)].letter();
                write!(
                    f,
                    "the unit {} reads R{wanted}.{letter} in cycle {cycle}, in which R{held}.{letter} is read; \
                     there is one port for each component",
                    unit.letter()
                )
            }
            Self::Constants(unit) => write!(
                f,
                "the unit {} reads a third pair of components of constants; a group can read two",
                unit.letter()
            ),
            Self::TransConstants => f.write_str("the unit t reads three constants; it can read two"),
            Self::TransCycle(cycle) => {
                write!(f, "the unit t reads a register in cycle {cycle}, which its constants take")
            }
        }
    }
}

/// Ports in use.
#[derive(Debug, Clone, Copy)]
struct Ports {
    /// Register read in each cycle for each component; [`FREE`]: none.
    registers: [[u8; 4]; 3],
    /// Components, or pairs of them, of constants.
    constants: [u16; 4],
    generation: Generation,
}

/// Whose rule for constants counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Generation {
    /// Two pairs of components (x and y, z and w).
    #[default]
    R700,
    /// Four components. Some programs that were written for the Wii U by hand keep this rule only.
    R600,
}

const FREE: u8 = 0xFF;
const NO_PAIR: u16 = 0xFFFF;

impl Ports {
    #[inline]
    fn new(generation: Generation) -> Self {
        Self { registers: [[FREE; 4]; 3], constants: [NO_PAIR; 4], generation }
    }

    #[inline]
    fn register(&mut self, unit: Unit, cycle: u8, sel: u32, channel: u32) -> Result<(), Conflict> {
        let port = &mut self.registers[usize::from(cycle) % 3][channel as usize & 3];
        let wanted = sel as u8;
        if *port == FREE {
            *port = wanted;
        } else if *port != wanted {
            return Err(Conflict::Register { unit, cycle, channel: channel as u8, held: *port, wanted });
        }
        Ok(())
    }

    #[inline]
    fn constant(&mut self, unit: Unit, sel: u32, channel: u32) -> Result<(), Conflict> {
        let (wanted, most) = match self.generation {
            Generation::R700 => (sel << 1 | channel >> 1, 2),
            Generation::R600 => (sel << 2 | channel, 4),
        };
        let pair = wanted as u16;
        for place in self.constants.iter_mut().take(most) {
            if *place == NO_PAIR {
                *place = pair;
            }
            if *place == pair {
                return Ok(());
            }
        }
        Err(Conflict::Constants(unit))
    }

    /// Takes what an instruction reads.
    #[inline]
    fn take(&mut self, unit: Unit, inst: Alu) -> Result<(), Conflict> {
        let swizzle = inst.op2().bank_swizzle() as usize;
        let count = sources(inst);
        let two = inst.op2();
        let first = (two.src0_sel(), two.src0_chan());
        let second = (two.src1_sel(), two.src1_chan());
        let all = [first, second, (inst.op3().src2_sel(), inst.op3().src2_chan())];
        if unit == Unit::T {
            let Some(cycles) = TRANS_CYCLES.get(swizzle) else { return Err(Conflict::Swizzle(unit)) };
            let mut constants = 0;
            for &(sel, channel) in all.iter().take(count) {
                if is_constant(sel) {
                    constants += 1;
                    if constants > 2 {
                        return Err(Conflict::TransConstants);
                    }
                    if is_file(sel) {
                        self.constant(unit, sel, channel)?;
                    }
                }
            }
            for (&(sel, channel), &cycle) in all.iter().zip(cycles).take(count) {
                let register = sel < 128;
                if (register || matches!(sel, 254 | 255)) && cycle < constants {
                    return Err(Conflict::TransCycle(cycle));
                }
                if register {
                    self.register(unit, cycle, sel, channel)?;
                }
            }
            return Ok(());
        }
        let Some(cycles) = VECTOR_CYCLES.get(swizzle) else { return Err(Conflict::Swizzle(unit)) };
        for (index, &(sel, channel)) in all.iter().enumerate().take(count) {
            if sel < 128 {
                // The second source shares the first one's port.
                if index != 1 || second != first {
                    self.register(unit, cycles[index], sel, channel)?;
                }
            } else if is_file(sel) {
                self.constant(unit, sel, channel)?;
            }
        }
        Ok(())
    }
}

/// Sources that an instruction really reads.
#[inline]
fn sources(inst: Alu) -> usize {
    facts(inst.number()).sources.into()
}

/// Constants from a buffer or the constant file.
#[inline]
fn is_file(sel: u32) -> bool {
    matches!(sel, 128..=191 | 256..)
}

/// Constants of any kind.
#[inline]
fn is_constant(sel: u32) -> bool {
    is_file(sel) || matches!(sel, 248..=253)
}

/// Why a group, with the bank swizzles that it has, cannot read its sources.
#[inline]
pub fn check(insts: impl Iterator<Item = (Unit, Alu)>) -> Result<(), Conflict> {
    let mut ports = Ports::new(Generation::R700);
    for (unit, inst) in insts {
        ports.take(unit, inst)?;
    }
    Ok(())
}

/// Chooses bank swizzles for the instructions of a group whose place in `given` is false: the first legal
/// combination, the first instruction's number counting most.
///
/// # Errors
/// A rule that the combination that came furthest breaks.
pub fn choose(insts: &mut [(Unit, Alu)], given: &[bool], generation: Generation) -> Result<(), Conflict> {
    let mut furthest = (0, None);
    if descend(insts, given, 0, Ports::new(generation), &mut furthest) {
        return Ok(());
    }
    Err(furthest.1.unwrap_or(Conflict::TransConstants))
}

/// Places the instruction at `at` and those behind it: at most five deep.
fn descend(
    insts: &mut [(Unit, Alu)],
    given: &[bool],
    at: usize,
    ports: Ports,
    furthest: &mut (usize, Option<Conflict>),
) -> bool {
    let Some(&(unit, inst)) = insts.get(at) else { return true };
    let fixed = given.get(at).copied().unwrap_or(true);
    let first = if fixed { inst.op2().bank_swizzle() } else { 0 };
    let last = if fixed { first } else { swizzles(unit) - 1 };
    for swizzle in first..=last {
        let tried = Alu(inst.op2().with_bank_swizzle(swizzle).0);
        let mut with = ports;
        match with.take(unit, tried) {
            Ok(()) => {
                if let Some(place) = insts.get_mut(at) {
                    place.1 = tried;
                }
                if descend(insts, given, at + 1, with, furthest) {
                    return true;
                }
            }
            Err(conflict) => {
                if furthest.1.is_none() || at > furthest.0 {
                    *furthest = (at, Some(conflict));
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::{Op2, Op3};

    /// `ADD` of two sources, given as selector and component.
    fn add(sources: [(u32, u32); 2]) -> Alu {
        let [(a, x), (b, y)] = sources;
        Alu(Op2(0).with_src0_sel(a).with_src0_chan(x).with_src1_sel(b).with_src1_chan(y).0)
    }

    #[test]
    fn one_register_for_each_component_and_cycle() {
        let mut group = [
            (Unit::X, add([(1, 0), (2, 0)])),
            (Unit::Y, add([(3, 0), (1, 0)])),
            (Unit::Z, add([(2, 1), (2, 1)])),
        ];
        assert!(matches!(check(group.into_iter()), Err(Conflict::Register { unit: Unit::Y, .. })));
        assert_eq!(choose(&mut group, &[false; 3], Generation::R700), Ok(()));
        assert_eq!(check(group.into_iter()), Ok(()));
        assert_eq!(group.map(|(_, inst)| inst.op2().bank_swizzle()), [0, 4, 0]);
        let mut four = [1, 2, 3, 4].map(|n| (Unit::ALL[n as usize - 1], add([(n, 0), (n, 0)])));
        assert!(choose(&mut four, &[false; 4], Generation::R700).is_err());
    }

    #[test]
    fn two_pairs_of_constants() {
        let pairs = [(Unit::X, add([(256, 0), (256, 1)])), (Unit::Y, add([(257, 2), (257, 3)]))];
        assert_eq!(check(pairs.into_iter()), Ok(()));
        let three = [pairs[0], pairs[1], (Unit::Z, add([(256, 2), (1, 0)]))];
        assert_eq!(check(three.into_iter()), Err(Conflict::Constants(Unit::Z)));
        let mut three = [three[0], (Unit::Y, add([(257, 2), (1, 0)])), three[2]];
        assert_eq!(choose(&mut three, &[false; 3], Generation::R600), Ok(()));
    }

    #[test]
    fn constants_take_the_first_cycles_of_t() {
        // MULADD with two constants: the register must be read in cycle 2.
        let inst = |swizzle| {
            let word = Op3(0).with_inst(0x10).with_src0_sel(248).with_src1_sel(253).with_src2_sel(5);
            (Unit::T, Alu(word.with_bank_swizzle(swizzle).0))
        };
        assert_eq!(check([inst(0)].into_iter()), Err(Conflict::TransCycle(0)));
        let mut group = [inst(0)];
        assert_eq!(choose(&mut group, &[false], Generation::R700), Ok(()));
        assert_eq!(group, [inst(1)]);
    }
}
