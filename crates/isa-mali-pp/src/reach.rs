//! What a program can come to: the instructions reachable from its first word.

use super::decode::instruction;
use super::table::TEMPORARY;
use super::{Field, Inst};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The reachable instructions of a program, by word index. Branches may lead into the middle of other
/// instructions; the machine decodes from wherever it comes to. Where it comes to a word that starts no
/// instruction, or leaves the code, the program is taken to end.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reach {
    /// All reachable instructions.
    pub insts: BTreeMap<u32, Inst>,
    /// Words that are reached and start no instruction; the end of the code is one of them.
    pub dead_ends: BTreeSet<u32>,
    /// Branches whose target lies outside of the code: word index of the branch.
    pub outside: Vec<u32>,
}

/// Where an instruction can lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Successors {
    /// To the instruction behind it.
    pub next: Option<u32>,
    /// To the target of its branch; it may lie outside of the code.
    pub taken: Option<i64>,
    /// Out of the program, with a colour.
    pub stops: bool,
    /// Out of the program, without one.
    pub discards: bool,
}

impl Successors {
    /// The ways of an instruction that stands at `at`. `stop` ends the program whatever the branch does.
    pub fn of(at: u32, inst: &Inst) -> Self {
        let discards = inst.discards();
        let stops = inst.control.stop() != 0 && !discards;
        let ends = stops || discards;
        let branch = inst.branch_distance().filter(|_| !ends);
        let always = branch.is_some() && inst.branch.condition() == 7;
        Self {
            next: (!ends && !always).then(|| at.saturating_add(inst.count())),
            taken: branch.map(|distance| i64::from(at) + i64::from(distance)),
            stops,
            discards,
        }
    }
}

impl Reach {
    /// Follows the code from its first word.
    pub fn new(words: &[u32]) -> Self {
        let mut reach = Self::default();
        let mut open = vec![0_u32];
        while let Some(at) = open.pop() {
            if reach.insts.contains_key(&at) || reach.dead_ends.contains(&at) {
                continue;
            }
            let Some(inst) = words.get(at as usize..).and_then(instruction) else {
                reach.dead_ends.insert(at);
                continue;
            };
            let ways = Successors::of(at, &inst);
            reach.insts.insert(at, inst);
            if let Some(target) = ways.taken {
                match u32::try_from(target).ok().filter(|target| (*target as usize) < words.len()) {
                    Some(target) => open.push(target),
                    None => reach.outside.push(at),
                }
            }
            open.extend(ways.next);
        }
        reach.outside.sort_unstable();
        reach
    }

    /// Floats of the temporaries that the program can mean, counted from the base of its stack; with a
    /// register in the address, [`INDEXED`] vectors in either direction. At most [`TEMPORARIES`] vectors in
    /// either direction exist.
    pub fn temporaries(&self) -> Range<i32> {
        let mut range = 0..0;
        for inst in self.insts.values() {
            let load = inst.has(Field::Uniform) && inst.uniform.source() == TEMPORARY;
            let store = inst.has(Field::Store) && inst.store.framebuffer_read().is_none();
            let (load, store) = (load.then_some(inst.uniform), store.then_some(inst.store));
            let places = [
                load.map(|load| (load.index(), load.alignment(), load.offset_enable())),
                store.map(|store| (store.index(), store.alignment(), store.offset_enable())),
            ];
            for (index, alignment, indexed) in places.into_iter().flatten() {
                let width = floats(alignment) as i32;
                let first = i32::from(index as u16 as i16) * width;
                let around = if indexed != 0 { 4 * INDEXED } else { 0 };
                range.start = range.start.min(first - around);
                range.end = range.end.max(first + width + around);
            }
        }
        // Whole vectors.
        let start = range.start.div_euclid(4).max(-TEMPORARIES) * 4;
        let end = (range.end + 3).div_euclid(4).min(TEMPORARIES) * 4;
        start..end
    }
}

/// Vectors of temporaries around an address that has a register in it.
pub const INDEXED: i32 = 64;
/// Vectors of temporaries that exist in either direction.
pub const TEMPORARIES: i32 = 4096;

/// Floats of an access by its alignment field.
pub fn floats(alignment: u32) -> u32 {
    match alignment {
        0 => 1,
        1 => 2,
        _ => 4,
    }
}
