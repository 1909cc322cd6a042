//! Watching a run: each step with what it left in the registers it changed.

use super::Program;
use super::flow::Mask;
use super::state::Lane;
use crate::Instruction;
use std::fmt;
use unshade_isa_common::trace::Steps;

/// What a step changed in one lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Written {
    /// A register.
    Register {
        /// Which.
        register: u8,
        /// Of which lane.
        lane: u8,
    },
    /// A predicate.
    Predicate {
        /// Which.
        predicate: u8,
        /// Of which lane.
        lane: u8,
    },
}

impl Steps for Program {
    type Step<'a> = Step<'a>;
}

/// One step of a run: an instruction of one warp.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// Address of the instruction in bytes.
    pub address: u64,
    /// What it was.
    pub instruction: Instruction,
    /// The lanes of the warp, afterwards.
    pub lanes: &'a [Lane],
    /// Lanes that did it, bit n = lane n.
    pub at_work: u32,
    /// Lanes at work behind it.
    pub active: u32,
    /// What changed, by register and lane.
    pub written: &'a [Written],
}

/// What differs between two states of the lanes of a mask.
pub(super) fn changed(before: &[Lane], after: &[Lane], lanes: Mask) -> Vec<Written> {
    let mut all = Vec::new();
    for (n, (before, after)) in before.iter().zip(after).enumerate() {
        if lanes >> n & 1 == 0 {
            continue;
        }
        let lane = n as u8;
        let registers = before.registers.iter().zip(after.registers.iter()).enumerate();
        let changed = registers.filter(|(_, (old, new))| old != new);
        all.extend(changed.map(|(n, _)| Written::Register { register: n as u8, lane }));
        let predicates = (0..7_u8).filter(|n| (before.predicates ^ after.predicates) >> n & 1 != 0);
        all.extend(predicates.map(|predicate| Written::Predicate { predicate, lane }));
    }
    all.sort_by_key(|written| match *written {
        Written::Register { register, lane } => (0, register, lane),
        Written::Predicate { predicate, lane } => (1, predicate, lane),
    });
    all
}

/// As in `R3 = 3fc00000 (1.5)`; of several lanes each in its own brackets.
impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alone = self.lanes.len() == 1;
        let mut before = None;
        for written in self.written {
            let (name, number, lane) = match *written {
                Written::Register { register, lane } => ('R', register, lane),
                Written::Predicate { predicate, lane } => ('P', predicate, lane),
            };
            let Some(state) = self.lanes.get(usize::from(lane)) else { continue };
            if before != Some((name, number)) {
                f.write_str(if before.is_some() { ", " } else { "" })?;
                write!(f, "{name}{number} =")?;
                before = Some((name, number));
            }
            f.write_str(" ")?;
            if !alone {
                write!(f, "{lane}[")?;
            }
            if name == 'R' {
                let bits = state.registers[usize::from(number)];
                write!(f, "{bits:08x} ({:?})", f32::from_bits(bits))?;
            } else {
                write!(f, "{}", state.predicates >> number & 1)?;
            }
            if !alone {
                f.write_str("]")?;
            }
        }
        let all = ((1_u64 << self.lanes.len().min(32)) - 1) as u32;
        if self.active != all {
            let separator = if before.is_some() { ", " } else { "" };
            write!(f, "{separator}active {:0width$b}", self.active, width = self.lanes.len())?;
        }
        Ok(())
    }
}
