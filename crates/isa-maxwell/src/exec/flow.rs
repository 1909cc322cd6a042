//! The branch stack of a warp, and conditions.

use super::run::Fault;
use super::state::Flags;
use crate::operation::{ConditionCode, Token};

/// Entries that the branch stack holds at most; the hardware spills its own to memory.
const DEPTH: usize = 1024;

/// Lanes as bits.
pub type Mask = u32;

/// The numbers of lanes.
pub(super) fn each(lanes: Mask) -> impl Iterator<Item = usize> {
    (0..32).filter(move |n| lanes >> n & 1 != 0)
}

/// A place where lanes go on later.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// What pushed it; `None`: the other side of a branch.
    token: Option<Token>,
    address: u64,
    lanes: Mask,
}

/// An entry of the branch stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Open {
    /// What pushed it; `None`: the other side of a branch.
    pub token: Option<Token>,
    /// Where lanes go on.
    pub address: u64,
    /// Which, bit n = lane n of the warp.
    pub lanes: Mask,
}

/// The branch stack of a warp.
#[derive(Debug, Clone, Default)]
pub(super) struct Stack(Vec<Entry>);

impl Stack {
    /// Its entries, oldest first.
    pub(super) fn open(&self) -> Vec<Open> {
        let entry = |entry: &Entry| Open { token: entry.token, address: entry.address, lanes: entry.lanes };
        self.0.iter().map(entry).collect()
    }

    /// Remembers a place for lanes.
    pub(super) fn push(&mut self, token: Option<Token>, address: u64, lanes: Mask) -> Result<(), Fault> {
        if self.0.len() >= DEPTH {
            return Err(Fault::StackOverflow);
        }
        self.0.push(Entry { token, address, lanes });
        Ok(())
    }

    /// Lanes give up all places above their newest one of a kind. `false`: they have none of the kind.
    pub(super) fn leave(&mut self, token: Token, lanes: Mask) -> bool {
        let newest = self.0.iter().rposition(|entry| entry.token == Some(token) && entry.lanes & lanes != 0);
        let Some(newest) = newest else { return false };
        for entry in self.0.iter_mut().skip(newest + 1) {
            entry.lanes &= !lanes;
        }
        true
    }

    /// Takes the topmost place where lanes of `alive` are.
    pub(super) fn resume(&mut self, alive: Mask) -> Option<(u64, Mask)> {
        while let Some(entry) = self.0.pop() {
            let lanes = entry.lanes & alive;
            if lanes != 0 {
                return Some((entry.address, lanes));
            }
        }
        None
    }
}

/// Whether a condition on the condition code holds. The rules of zero, sign, carry and overflow are those of
/// NVIDIA's machines since Tesla (envytools' documentation of the condition codes), and all 26 were measured on the
/// console in each of the 16 states of the code (docs/maxwell-hardware.md). The six `CSM` and `FCSM` conditions ask
/// for state of other units, about which nothing public is known.
pub(super) fn holds(condition: ConditionCode, flags: Flags) -> Result<bool, Fault> {
    let Flags { zero: z, sign: s, carry: c, overflow: o } = flags;
    Ok(match condition.0 {
        0 => false,
        1 => (s && !z) != o,
        2 => z && !s,
        3 => s != (z || o),
        4 => !z && s == o,
        5 => !z,
        6 => s == o,
        7 => !(s && z),
        8 => s && z,
        9 => s != o,
        10 => z,
        11 => z || s != o,
        12 => s == (z || o),
        13 => !z || s,
        14 => (!s || z) != o,
        15 => true,
        16 => !o,
        17 => !c,
        18 => !s,
        19 => z || !c,
        20 => c && !z,
        21 => s,
        22 => c,
        23 => o,
        30 => z || s,
        31 => !z && !s,
        _ => return Err(Fault::UnknownCondition),
    })
}
