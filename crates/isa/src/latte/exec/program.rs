//! A program with what the interpreter needs to know beside its words.

use super::super::cubes::with_cubes;
use super::super::decode::{self, Group};
use super::super::fields::CfAlu;
use super::super::table::CfOp;
use std::collections::BTreeMap;
use unshade_stage::{Latte, Stage, StageKind};

/// Groups that are decoded before a run; those of longer programs are decoded when they run.
const GROUPS: usize = 1 << 16;

/// A program of the machine.
#[derive(Debug, Clone)]
pub struct Program {
    pub(super) words: Vec<u32>,
    pub(super) kind: StageKind,
    /// Address of the first instruction.
    pub(super) entry: u32,
    /// What surrounds it.
    pub(super) latte: Latte,
    /// The groups of the clauses that the control flow names, by the clause's bits.
    clauses: BTreeMap<(u32, u32), Vec<Group>>,
    ring_item: u32,
}

impl Program {
    /// The program of a stage. Never fails: what the machine cannot run, it runs into.
    pub fn new(stage: &Stage<'_>) -> Self {
        Self::with(stage, stage.interface.latte.as_deref().cloned().unwrap_or_default())
    }

    /// The program of a stage with other things around it than the stage says.
    pub fn with(stage: &Stage<'_>, latte: Latte) -> Self {
        let words = stage.code.words.to_vec();
        let code = decode::Program::new(&words);
        let latte = with_cubes(code, &latte).into_owned();
        let (mut clauses, mut groups, mut ring_item) = (BTreeMap::new(), 0, 0);
        for (_, cf) in code.control_flow() {
            if cf.is_alu() && groups < GROUPS {
                let decoded: Vec<Group> = code.groups(cf.alu()).collect();
                groups += decoded.len();
                clauses.insert((cf.alu().addr(), cf.alu().count()), decoded);
            }
            if cf.op() == Some(CfOp::MemRing) {
                let memory = cf.memory();
                let elements = memory.burst_count() + 1;
                ring_item = ring_item.max(memory.array_base() + elements * (memory.elem_size() + 1));
            }
        }
        if let Some(words) = latte.geometry.as_ref().map(|geometry| geometry.ring_words)
            && words > 0
        {
            // The register's unit; items of the ring behind the program's own words stay unread.
            ring_item = ring_item.max(words.min(1 << 12));
        }
        Self { words, kind: stage.kind, entry: stage.code.entry / 2, latte, clauses, ring_item }
    }

    /// Its code.
    pub fn code(&self) -> decode::Program<'_> {
        decode::Program::new(&self.words)
    }

    /// Words of one item of the ring that it writes: what the registers say, or what its writes reach to.
    pub fn ring_item(&self) -> u32 {
        self.ring_item
    }

    /// What surrounds it.
    pub fn latte(&self) -> &Latte {
        &self.latte
    }

    /// The groups of a clause, if they are decoded.
    pub(super) fn clause(&self, clause: CfAlu) -> Option<&[Group]> {
        self.clauses.get(&(clause.addr(), clause.count())).map(Vec::as_slice)
    }
}
