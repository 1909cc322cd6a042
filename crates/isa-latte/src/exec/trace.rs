//! Watching a run: each step with what it left in the registers it writes.

use super::super::bindings::{export_name, export_word};
use super::super::decode::Group;
use super::super::inst::{Cf, Fetch};
use super::super::table::CfOp;
use super::Program;
use super::state::Lane;
use std::fmt;
use unshade_isa_common::trace::Steps;

/// What a step was.
#[derive(Debug, Clone, Copy)]
pub enum Action<'a> {
    /// A control-flow instruction; of one that starts a clause, behind the steps of the clause.
    Flow(Cf),
    /// A group of an arithmetic clause.
    Group(&'a Group),
    /// A fetch.
    Fetch(Fetch),
}

/// Components of a register that a step wrote in one lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Written {
    /// Register.
    pub register: u8,
    /// Lane.
    pub lane: u8,
    /// Components, bit 0 = x.
    pub mask: u8,
}

impl Steps for Program {
    type Step<'a> = Step<'a>;
}

/// One step of a run.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// Its address, in units of 64 bits.
    pub address: u32,
    /// It belongs to the fetch program.
    pub fetch_program: bool,
    /// What it was.
    pub action: Action<'a>,
    /// The lanes, afterwards.
    pub lanes: &'a [Lane],
    /// Lanes at work afterwards, bit n = lane n.
    pub active: u8,
    /// Registers that were written, by register and lane.
    pub written: &'a [Written],
    /// Of a group, what its units gave in each lane, written to a register or not: x, y, z, w, t, as the next group
    /// may read them. Units without an instruction give 0.
    pub results: &'a [[u32; 5]; 4],
    /// Of a group, what its instructions took in each lane, in the order of the group, after absolute value and sign.
    /// Places without an operand give 0.
    pub sources: &'a [[[u32; 3]; 5]; 4],
}

/// As in `R3.xz = 1.5 -2`; of several lanes each in its own brackets.
impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alone = self.lanes.len() == 1;
        let mut before = None;
        for written in self.written {
            let Some(lane) = self.lanes.get(usize::from(written.lane)) else { continue };
            let components = || (0..4_usize).filter(|n| written.mask >> n & 1 != 0);
            if before != Some((written.register, written.mask)) {
                f.write_str(if before.is_some() { ", " } else { "" })?;
                write!(f, "R{}", written.register)?;
                if written.mask != 15 {
                    f.write_str(".")?;
                    components().try_for_each(|n| f.write_str(["x", "y", "z", "w"][n]))?;
                }
                f.write_str(" =")?;
                before = Some((written.register, written.mask));
            }
            if !alone {
                write!(f, " {}[", written.lane)?;
            }
            for (at, component) in components().enumerate() {
                let blank = if at == 0 && !alone { "" } else { " " };
                let bits = lane.registers[usize::from(written.register) & 127][component];
                write!(f, "{blank}{}", Number(bits))?;
            }
            if !alone {
                f.write_str("]")?;
            }
        }
        if let Action::Flow(cf) = self.action {
            if cf.op().is_some_and(CfOp::is_export) {
                before = self.exports(f, cf)?.or(before);
            }
            let all = (1_u16 << self.lanes.len()) - 1;
            if u16::from(self.active) != all {
                let separator = if before.is_some() { ", " } else { "" };
                write!(f, "{separator}active {:0width$b}", self.active, width = self.lanes.len())?;
            }
        }
        Ok(())
    }
}

impl Step<'_> {
    /// As in `POS60 = 1 2 3 1`; of several lanes each in its own brackets. Answers whether anything was exported.
    fn exports(&self, f: &mut fmt::Formatter<'_>, cf: Cf) -> Result<Option<(u8, u8)>, fmt::Error> {
        let export = cf.export();
        let targets = (0..=export.burst_count()).map(|n| export.array_base() + n);
        let words = targets.filter_map(|target| export_word(export.kind(), target));
        let mut any = None;
        for word in words {
            f.write_str(if any.is_some() { ", " } else { "" })?;
            write!(f, "{} =", export_name(word))?;
            for (n, lane) in self.lanes.iter().enumerate().filter(|(_, lane)| !lane.killed) {
                let values = lane.exports.get(word as usize..word as usize + 4).unwrap_or_default();
                let [x, y, z, w] = [0, 1, 2, 3].map(|n| Number(values.get(n).copied().unwrap_or(0)));
                match self.lanes.len() {
                    1 => write!(f, " {x} {y} {z} {w}")?,
                    _ => write!(f, " {n}[{x} {y} {z} {w}]")?,
                }
            }
            any = Some((0, 0));
        }
        Ok(any)
    }
}

/// Bits as a float, or as they are where that would say nothing: integers and NaN.
struct Number(u32);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = f32::from_bits(self.0);
        if value == 0.0 || (value.is_normal() && (1e-9..1e12).contains(&value.abs())) {
            write!(f, "{value}")
        } else {
            write!(f, "0x{:X}", self.0)
        }
    }
}
