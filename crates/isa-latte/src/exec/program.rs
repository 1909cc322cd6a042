//! A program with what the interpreter needs to know beside its words.

use super::super::decode::{self, Group};
use super::super::fields::CfAlu;
use super::super::lift::copy::Copy;
use super::super::ring;
use super::super::shapes::with_shapes;
use super::state::{Buffer, Lane, Resources};
use super::surface::Surface;
use std::collections::BTreeMap;
use unshade_isa_common::texture::NoTextures;
use unshade_stage::{Latte, Stage, StageKind};

/// Groups that are decoded before a run; those of longer programs are decoded when they run.
const GROUPS: usize = 1 << 16;
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
        let (mut clauses, mut groups) = (BTreeMap::new(), 0);
        for (_, cf) in code.control_flow() {
            if cf.is_alu() && groups < GROUPS {
                let decoded: Vec<Group> = code.groups(cf.alu()).collect();
                groups += decoded.len();
                clauses.insert((cf.alu().addr(), cf.alu().count()), decoded);
            }
        }
        let ring_item = ring::written_words(code, &latte);
        let copy = (stage.kind == StageKind::Geometry).then(|| ring::copy_program(&latte)).flatten();
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
            Buffer { words: vertex.to_vec(), stride: Some(ring::STRIDE), swapped: true, ..Buffer::default() };
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
