//! A program with what the interpreter needs to know beside its words.

use super::super::address_map::{driver, handle_bank};
use super::super::layout;
use super::super::operation::{Handle, Instruction, Operation, image_shapes};
use super::memory::Extent;
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::TextureShape;
use unshade_stage::{Maxwell, Stage, StageKind};

/// A program of the machine.
#[derive(Debug, Clone)]
pub struct Program {
    /// What each word does, control words included (they are none); by address / 8.
    pub(super) code: Vec<Option<Instruction>>,
    pub(super) kind: StageKind,
    /// Address of the first instruction.
    pub(super) entry: u64,
    /// Bank with the table of texture and image handles.
    pub(super) handles: u8,
    /// Images of the table that the program accesses, by their words.
    images: BTreeMap<u16, TextureShape>,
    maxwell: Maxwell,
    /// Memory of its own.
    pub(super) extent: Extent,
    /// Instructions that ask other lanes of a quad for what all have, by their addresses.
    shared_by_quad: BTreeSet<u64>,
}

/// Instructions in front of a difference of which one asks for the other lane's value.
const NEAR: usize = 32;

impl Program {
    /// The program of a stage. Never fails: what the machine cannot run, it runs into.
    pub fn new(stage: &Stage<'_>) -> Self {
        let mut maxwell = stage.interface.maxwell.as_deref().cloned().unwrap_or_default();
        maxwell.driver = driver(stage);
        Self::with(stage.kind, &stage.code.words, u64::from(stage.code.entry) * 4, maxwell)
    }

    /// A program from its words and what surrounds it; `entry` counts bytes.
    pub fn with(kind: StageKind, words: &[u32], entry: u64, maxwell: Maxwell) -> Self {
        let code: Vec<Option<Instruction>> = layout::words(words)
            .enumerate()
            .map(|(n, word)| if n % 4 == 0 { None } else { Instruction::decode(word) })
            .collect();
        let images = image_shapes(code.iter().flatten().map(|instruction| &instruction.operation));
        let handles = handle_bank(maxwell.driver);
        let shared_by_quad = BTreeSet::new();
        let extent = Extent::of(&maxwell);
        Self { code, kind, extent, entry: layout::target(entry), handles, images, maxwell, shared_by_quad }
    }

    /// The same program, of which it is known which shuffles ask for a value that all lanes of a quad have (addresses in
    /// bytes): where one lane runs alone they answer that, and a difference made of it is zero.
    pub(crate) fn sharing(mut self, shuffles: impl IntoIterator<Item = u64>) -> Self {
        self.shared_by_quad = shuffles.into_iter().collect();
        if self.shared_by_quad.is_empty() {
            return self;
        }
        let mut differences = Vec::new();
        for (n, instruction) in self.code.iter().enumerate() {
            let Some(Operation::FloatSwizzleAdd { a, .. }) = instruction.map(|found| found.operation) else {
                continue;
            };
            let before = (n.saturating_sub(NEAR)..n).rev().find_map(|n| {
                let asks = self.code.get(n).copied().flatten().map(|found| found.operation);
                matches!(asks, Some(Operation::Shuffle { d, .. }) if d == a).then_some(8 * n as u64)
            });
            differences.extend(before.filter(|at| self.shared_by_quad.contains(at)).map(|_| 8 * n as u64));
        }
        self.shared_by_quad.extend(differences);
        self
    }

    /// The same program, which has as many words of local and shared memory as source made of it.
    pub(crate) fn with_memory(mut self, local: u32, shared: u32) -> Self {
        self.extent = Extent { local: local as usize, shared: shared as usize };
        self
    }

    /// Whether an instruction asks other lanes of a quad for what all have.
    pub(super) fn is_shared_by_quad(&self, address: u64) -> bool {
        self.shared_by_quad.contains(&address)
    }

    /// Its stage.
    pub fn kind(&self) -> StageKind {
        self.kind
    }

    /// What surrounds it.
    pub fn maxwell(&self) -> &Maxwell {
        &self.maxwell
    }

    /// The instructions that have a meaning, with their addresses.
    pub fn instructions(&self) -> impl Iterator<Item = (u64, Instruction)> + '_ {
        self.code.iter().enumerate().filter_map(|(n, inst)| Some((n as u64 * 8, (*inst)?)))
    }

    /// The shape of an image of the table, if the program goes at one there.
    pub(super) fn image(&self, handle: Handle) -> Option<TextureShape> {
        match handle {
            Handle::Bound(word) => self.images.get(&word).copied(),
            Handle::Register(_) => None,
        }
    }

    /// The instruction at an address.
    pub(super) fn at(&self, address: u64) -> Option<Instruction> {
        usize::try_from(address / 8).ok().and_then(|n| self.code.get(n)).copied().flatten()
    }
}
