//! A program with what the interpreter needs to know beside its words.

use super::super::decode::{self, Group};
use super::super::fields::CfAlu;
use super::super::lift::buffer::RING_STRIDE;
use super::super::lift::copy::{self, Copy};
use super::super::shapes::with_shapes;
use super::super::table::CfOp;
use super::state::{Buffer, Lane, Resources};
use super::surface::Surface;
use crate::texture::NoTextures;
use std::collections::BTreeMap;
use unshade_stage::{Latte, Stage, StageKind};

/// Groups that are decoded before a run; those of longer programs are decoded when they run.
const GROUPS: usize = 1 << 16;
/// Words of a vertex on the ring, at most.
const RING_WORDS: u32 = 1 << 12;
/// Steps of a copy program, at most: it is a straight one.
const COPY_STEPS: u64 = 1 << 16;

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
    /// The copy program of a geometry program, where it does nothing but copy.
    copy: Option<Box<Program>>,
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
        let latte = with_shapes(code, &latte).into_owned();
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
        let (vertex, ring) =
            latte.geometry.as_ref().map_or((0, 0), |geometry| (geometry.vertex_words, geometry.ring_words));
        if vertex > 0 {
            ring_item = vertex.min(RING_WORDS);
        } else if ring > 0 {
            // All vertices together; items of the ring behind the program's own words stay unread.
            ring_item = ring_item.max(ring.min(RING_WORDS));
        }
        let copy = (stage.kind == StageKind::Geometry).then(|| copy::stage(&latte)).flatten();
        let copy = copy.filter(|copy| Copy::of(copy).is_some()).map(|copy| Box::new(Self::new(&copy)));
        Self { words, kind: stage.kind, entry: stage.code.entry / 2, latte, clauses, ring_item, copy }
    }

    /// The copy program of a geometry program, where the file holds it and it does nothing but copy: what it exports is
    /// what the geometry program hands over.
    pub fn copy(&self) -> Option<&Self> {
        self.copy.as_deref()
    }

    /// What the copy program makes of a vertex, the words of its item. Nothing where there is none.
    pub fn copied(&self, vertex: &[u32]) -> Option<Lane> {
        let copy = self.copy()?;
        let mut lane = Lane::default();
        let mut resources = Resources::default();
        let ring =
            Buffer { words: vertex.to_vec(), stride: Some(RING_STRIDE), swapped: true, ..Buffer::default() };
        for resource in Surface::new(copy).rings {
            resources.buffers.insert(resource, ring.clone());
        }
        copy.run(std::slice::from_mut(&mut lane), &resources, &mut NoTextures, COPY_STEPS);
        Some(lane)
    }

    /// Its code.
    pub fn code(&self) -> decode::Program<'_> {
        decode::Program::new(&self.words)
    }

    /// Words of one vertex on the ring that it writes: what the registers say, or what its writes reach to.
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
