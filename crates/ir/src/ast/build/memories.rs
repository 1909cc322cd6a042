//! Which memory and which images a program has, and what their words are.

use super::super::{MemoryVar, Scalar};
use super::BuildError;
use super::interface::Interface;
use super::kinds::{given, wanted};
use crate::{
    Access, AtomicOp, Function, FunctionId, Global, Image, ImageFormat, ImageQuery, Module, Op, Shape, Space,
    Texel,
};
use std::collections::{BTreeMap, BTreeSet};

/// What the words of a memory were seen as.
#[derive(Default)]
struct Votes {
    float: u32,
    int: u32,
    uint: u32,
    /// Something changes a word as an integer at once.
    atomic: bool,
    /// The kind that a minimum or maximum at once takes its words for; there is one at most for each memory.
    ordered: Option<Scalar>,
}

impl Votes {
    fn is_empty(&self) -> bool {
        self.float + self.int + self.uint == 0 && !self.atomic
    }

    fn add(&mut self, kind: Option<Scalar>) {
        match kind {
            Some(Scalar::Float | Scalar::Double) => self.float += 1,
            Some(Scalar::Int) => self.int += 1,
            Some(Scalar::Uint) => self.uint += 1,
            Some(Scalar::Bool) | None => {}
        }
    }

    fn kind(&self) -> Scalar {
        if let Some(kind) = self.ordered {
            kind
        } else if !self.atomic && self.float > self.int + self.uint {
            Scalar::Float
        } else if self.int > self.uint {
            Scalar::Int
        } else {
            Scalar::Uint
        }
    }
}

/// Space and binding.
type Memory = (Space, u32);

/// What is only copied is what it is copied from, or to.
fn spread(found: &mut BTreeMap<Memory, Votes>, copies: &BTreeSet<(Memory, Memory)>) {
    // As far as copies of copies go.
    for _ in 0..4 {
        for (from, to) in copies {
            for (known, open) in [(from, to), (to, from)] {
                let kind = found.get(known).filter(|votes| !votes.is_empty()).map(Votes::kind);
                if let (Some(votes), Some(kind)) = (found.get_mut(open), kind)
                    && votes.is_empty()
                {
                    votes.add(Some(kind));
                }
            }
        }
    }
}

/// What an atomic operation takes its words for.
fn atomic_kind(op: AtomicOp) -> Option<Scalar> {
    match op {
        AtomicOp::SMin | AtomicOp::SMax => Some(Scalar::Int),
        AtomicOp::UMin | AtomicOp::UMax | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => Some(Scalar::Uint),
        _ => None,
    }
}

impl Interface {
    /// Finds shared memory and storage buffers in what the functions do.
    pub(super) fn find_memories(&mut self, module: &Module, order: &[FunctionId]) {
        let mut found: BTreeMap<(Space, u32), Votes> = BTreeMap::new();
        let mut copies: BTreeSet<(Memory, Memory)> = BTreeSet::new();
        for id in order {
            let function = &module.functions[id.index()];
            for inst in function.blocks.iter().flat_map(|block| &block.insts) {
                let inst = &function.insts[inst.index()];
                let (Op::Load(access) | Op::Store(access) | Op::Atomic(_, access)) = inst.op else {
                    continue;
                };
                if !matches!(access.space, Space::Shared | Space::Storage) {
                    continue;
                }
                let votes = found.entry((access.space, access.binding)).or_default();
                match inst.op {
                    Op::Atomic(op, _) => {
                        votes.atomic = true;
                        votes.add(atomic_kind(op));
                        if matches!(op, AtomicOp::SMin | AtomicOp::SMax | AtomicOp::UMin | AtomicOp::UMax) {
                            votes.ordered = atomic_kind(op);
                        }
                    }
                    Op::Store(_) => {
                        let value = inst.args.last().and_then(|value| function.definition(*value));
                        votes.add(value.and_then(|inst| self.made_as(inst.op)));
                        if let Some(Op::Load(from)) = value.map(|inst| inst.op) {
                            copies.insert(((from.space, from.binding), (access.space, access.binding)));
                        }
                    }
                    _ => {}
                }
            }
            self.note_readers(function, &mut found);
        }
        spread(&mut found, &copies);
        for ((space, binding), votes) in found {
            let known = module.buffers.iter().find(|buffer| buffer.binding == binding);
            let known = known.filter(|_| space == Space::Storage);
            let name = match (known, space) {
                (Some(buffer), _) => self.free_name(&buffer.name),
                (None, Space::Shared) => self.free_name("shared_words"),
                (None, _) => self.free_name(&format!("buffer{binding}")),
            };
            self.names.insert(name.clone());
            let words = if space == Space::Shared { module.shared_words.max(1) } else { 0 };
            let named = known.is_some_and(|buffer| buffer.named);
            self.memories.push(MemoryVar { name, named, space, binding, words, scalar: votes.kind() });
        }
    }

    /// What an operation makes, as far as that says something.
    fn made_as(&self, op: Op) -> Option<Scalar> {
        match op {
            Op::Load(_) | Op::Call(_) | Op::Atomic(..) | Op::Image(_) | Op::Bool(_) => None,
            Op::Texture(texture) => Some(self.texel(texture)),
            Op::IAdd | Op::ISub | Op::IMul | Op::INeg => Some(Scalar::Int),
            Op::And | Op::Or | Op::Xor | Op::Not | Op::Shl => Some(Scalar::Uint),
            op => given(&op),
        }
    }

    fn note_readers(&self, function: &Function, found: &mut BTreeMap<(Space, u32), Votes>) {
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            let inst = &function.insts[inst.index()];
            for (position, arg) in inst.args.iter().enumerate() {
                let Some(Op::Load(access)) = function.definition(*arg).map(|inst| inst.op) else { continue };
                let Some(votes) = found.get_mut(&(access.space, access.binding)) else { continue };
                votes.add(match inst.op {
                    Op::IAdd | Op::ISub | Op::IMul | Op::INeg => Some(Scalar::Int),
                    Op::And | Op::Or | Op::Xor | Op::Not | Op::Shl => Some(Scalar::Uint),
                    op => wanted(&op, position),
                });
            }
        }
    }

    /// The memory that an access goes to; none for all other spaces.
    pub(super) fn memory(&self, access: Access) -> Option<u32> {
        if !matches!(access.space, Space::Shared | Space::Storage) {
            return None;
        }
        let found = |memory: &MemoryVar| (memory.space, memory.binding) == (access.space, access.binding);
        self.memories.iter().position(found).map(|at| at as u32)
    }

    /// The image that an operation uses, and the element of it (at index 0, if there is one).
    pub(super) fn image(&self, image: Image) -> Option<(u32, Option<u32>)> {
        self.members_of(Space::Image, 0).into_iter().find_map(|at| {
            let global = self.global(at);
            let Shape::Image { shape, elements, .. } = global.shape else { return None };
            let (element, _) = global.locate(image.unit)?;
            (shape == image.shape && (elements > 0 || !image.indexed)).then_some((at, element))
        })
    }

    pub(super) fn image_global(&self, image: Image) -> Option<u32> {
        self.image(image).map(|(global, _)| global)
    }

    /// What the texels of an image are.
    pub(super) fn texel_of(&self, global: u32) -> Scalar {
        match self.global(global).shape {
            Shape::Image { texel: Texel::Int, .. } => Scalar::Int,
            Shape::Image { texel: Texel::Uint, .. } => Scalar::Uint,
            _ => Scalar::Float,
        }
    }

    /// What an operation on an image gives.
    pub(super) fn image_scalar(&self, image: Image) -> Scalar {
        match image.query {
            ImageQuery::Size => Scalar::Int,
            _ => self.image_global(image).map_or(Scalar::Float, |global| self.texel_of(global)),
        }
    }

    /// Makes an image for an operation if nothing names one.
    pub(super) fn add_image(&mut self, image: Image, instruction: u32) -> Result<(), BuildError> {
        if self.image(image).is_some() {
            return Ok(());
        }
        if image.indexed {
            let operation = format!("an image chosen by number, from unit {} on", image.unit);
            return Err(BuildError::Unsupported { operation, instruction });
        }
        let name = self.free_name(&format!("image{}", image.unit));
        let (texel, format) = match image.query {
            ImageQuery::Atomic(op) if atomic_kind(op) == Some(Scalar::Int) => {
                (Texel::Int, Some(ImageFormat::R32i))
            }
            ImageQuery::Atomic(_) => (Texel::Uint, Some(ImageFormat::R32ui)),
            _ => (Texel::Float, None),
        };
        let shape = Shape::Image { shape: image.shape, elements: 0, texel, format };
        let global = Global {
            named: false,
            location: image.unit,
            ..Global::new(name, Space::Image, 0, image.unit, shape)
        };
        let global = self.add(global);
        self.bindings.entry((Space::Image, 0)).or_default().push(global);
        Ok(())
    }
}
