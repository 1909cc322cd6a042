//! Watching a run: each instruction with what its units gave and where that went.

use super::super::inst::{Inst, StoreSource};
use super::super::table::Unit;
use super::Program;
use std::fmt;
use unshade_isa_common::trace::Steps;

impl Steps for Program {
    type Step<'a> = Step;
}

/// One instruction of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Its index.
    pub pc: u32,
    /// The instruction.
    pub inst: Inst,
    /// What the units gave, in the order of [`Unit::ALL`]; 0 for those that are off.
    pub results: [f32; 6],
    /// Address registers afterwards.
    pub addresses: [i32; 4],
    /// Where the program goes on; `None` at its end.
    pub next: Option<u32>,
}

/// As in `mul0 = 1.5 -> v0.xy, mul1 = -2, addr1 = 3, goes to 7`; empty if nothing happened. Floats are the
/// shortest decimals that read back as the same binary32.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        let mut comma = |f: &mut fmt::Formatter<'_>| {
            let comma = if std::mem::replace(&mut first, false) { "" } else { ", " };
            f.write_str(comma)
        };
        for unit in Unit::ALL {
            let targets = self.targets(StoreSource::of(unit));
            let joined = unit == Unit::Mul1 && self.inst.mul_op.is_wide();
            if (!self.inst.is_on(unit) || joined) && targets.is_empty() {
                continue;
            }
            comma(f)?;
            write!(f, "{} = {}", unit.name(), Number(self.results[unit as usize]))?;
            if !targets.is_empty() {
                write!(f, " -> {targets}")?;
            }
        }
        for n in (0..4).filter(|n| self.inst.complex_op.addresses() >> n & 1 != 0) {
            comma(f)?;
            write!(f, "addr{n} = {}", self.addresses[n & 3])?;
        }
        if self.inst.branch {
            comma(f)?;
            match self.next {
                Some(next) => write!(f, "goes to {next}")?,
                None => f.write_str("ends")?,
            }
        }
        Ok(())
    }
}

impl Step {
    /// Where a unit's result was stored: `$2.xy, v0.w`.
    fn targets(&self, source: StoreSource) -> String {
        let mut out = String::new();
        for (slot, store) in self.inst.store.iter().enumerate() {
            let letters = ["xy", "zw"][slot & 1].chars();
            let written: String = letters
                .zip(store.sources)
                .filter(|(_, stored)| *stored == source)
                .map(|(letter, _)| letter)
                .collect();
            if written.is_empty() {
                continue;
            }
            let comma = if out.is_empty() { "" } else { ", " };
            let place = match (store.temporary, store.varying) {
                (true, _) => format!("t[{}]", self.addresses[0]),
                (false, true) => format!("v{}", store.number),
                (false, false) => format!("${}", store.number),
            };
            out += &format!("{comma}{place}.{written}");
        }
        out
    }
}

/// Very large and very small numbers with an exponent, since the plain form can have forty digits.
struct Number(f32);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size != 0.0 && size.is_finite() && !(1e-5..1e9).contains(&size) {
            write!(f, "{:e}", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}
