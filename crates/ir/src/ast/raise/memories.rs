//! Which memory and which images a program has, and what their words are.

use super::super::{MemoryVar, Scalar};
use super::interface::Interface;
use super::layout::{self, Member, Seen};
use super::{Mode, RaiseError};
use crate::cells::Cells;
use crate::scalar::{given, wanted};
use crate::votes;
use crate::{
    Access, AtomicOp, BufferLength, Function, FunctionId, Global, Image, ImageFormat, ImageQuery, Module, Op,
    Shape, Space, Texel, Type, Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// What the words of a memory were seen as.
#[derive(Debug, Clone, Copy, Default)]
struct Votes {
    float: u32,
    int: u32,
    uint: u32,
    /// Words of doubles.
    doubles: u32,
    /// Something changes a word as an integer at once.
    atomic: bool,
    /// Something is added to a word at once.
    counted: bool,
    /// The kind that a minimum or maximum at once takes its words for; there is one at most for each memory.
    ordered: Option<Scalar>,
}

impl Votes {
    fn is_empty(&self) -> bool {
        self.float + self.int + self.uint + self.doubles == 0 && !self.atomic
    }

    fn join(&mut self, other: Self) {
        self.float += other.float;
        self.int += other.int;
        self.uint += other.uint;
        self.doubles += other.doubles;
        self.atomic |= other.atomic;
        self.counted |= other.counted;
        self.ordered = self.ordered.or(other.ordered);
    }

    fn add(&mut self, kind: Option<Scalar>) {
        match kind {
            Some(Scalar::Double) => self.doubles += 1,
            Some(Scalar::Float) => self.float += 1,
            Some(Scalar::Int) => self.int += 1,
            Some(Scalar::Uint) => self.uint += 1,
            Some(Scalar::Bool) | None => {}
        }
    }

    fn kind(&self) -> Scalar {
        if let Some(kind) = self.ordered {
            kind
        } else if !self.atomic && self.float > self.int + self.uint + self.doubles {
            Scalar::Float
        } else if self.int > self.uint + self.doubles {
            Scalar::Int
        } else {
            Scalar::Uint
        }
    }
}

impl Votes {
    /// What nothing but words of doubles is, or any other kind.
    fn shown(&self) -> Scalar {
        match self.doubles > 0 && self.float + self.int + self.uint == 0 {
            true => Scalar::Double,
            false => self.kind(),
        }
    }
}

/// Space and binding of an access, its word at index 0, and its step.
type Words = (Space, u32, u32, u32);

fn words(access: Access) -> Words {
    (access.space, access.binding, access.offset, access.stride)
}

/// What is only copied is what it is copied from, or to.
fn spread<K: Ord>(found: &mut BTreeMap<K, Votes>, copies: &BTreeSet<(K, K)>) {
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

/// Words of which neither what is stored nor who reads says anything by itself are what that is passed on as.
fn note_moved(module: &Module, order: &[FunctionId], found: &mut BTreeMap<Words, Votes>) {
    if found.values().all(|votes| !votes.is_empty()) {
        return;
    }
    let cells = Cells::new(module);
    let mut moved: BTreeMap<Words, votes::Votes> = BTreeMap::new();
    for id in order {
        let function = &module.functions[id.index()];
        let known = votes::by_all_and(function, |op| cells.known(module, op));
        for inst in
            function.blocks.iter().flat_map(|block| &block.insts).map(|id| &function.insts[id.index()])
        {
            let (Op::Load(access) | Op::Store(access)) = inst.op else { continue };
            let value = inst.results.first().or_else(|| inst.args.last());
            if let (Some(votes), Some(value)) = (found.get(&words(access)), value)
                && votes.is_empty()
            {
                let known = known.get(value.index()).copied().unwrap_or_default();
                moved.entry(words(access)).or_default().add(known);
            }
        }
    }
    for (words, known) in moved.iter().filter(|(_, known)| !known.is_empty()) {
        if let Some(votes) = found.get_mut(words) {
            votes.add(Some(match known.kind() {
                votes::Kind::Float => Scalar::Float,
                votes::Kind::Int => Scalar::Int,
                votes::Kind::Uint => Scalar::Uint,
            }));
        }
    }
}

fn is_double(function: &Function, value: Option<&Value>) -> bool {
    value.is_some_and(|value| function.ty(*value) == Type::B64)
}

/// What an atomic operation takes its words for.
fn atomic_kind(op: AtomicOp) -> Option<Scalar> {
    match op {
        AtomicOp::SMin | AtomicOp::SMax => Some(Scalar::Int),
        AtomicOp::UMin | AtomicOp::UMax | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => Some(Scalar::Uint),
        _ => None,
    }
}

/// The parts of memory that invocations share.
fn variables(seen: &[Seen]) -> Vec<Member> {
    let starts = layout::starts(seen);
    if starts.len() == 1 {
        return layout::members(seen);
    }
    let mut members = Vec::new();
    for (at, start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(u32::MAX);
        let own = seen.iter().filter(|seen| (*start..end).contains(&seen.offset));
        let own: Vec<Seen> = own.map(|seen| Seen { offset: seen.offset - start, ..*seen }).collect();
        let moved = |member: Member| Member { offset: member.offset + start, ..member };
        members.extend(layout::members(&own).into_iter().map(moved));
    }
    members
}

/// A part of memory, with what goes to it.
struct Part {
    space: Space,
    binding: u32,
    member: Member,
    votes: Votes,
    accesses: Vec<Words>,
}

/// A component of an element of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Element {
    /// Which memory.
    pub memory: u32,
    /// Element at index 0.
    pub first: u32,
    /// Elements from one index to the next.
    pub steps: u32,
    /// Component.
    pub component: u8,
    /// Components of all elements.
    pub components: u8,
}

/// Globals by space and binding, for those who want to know what a word was declared as.
struct Declared {
    globals: BTreeMap<(Space, u32), Vec<u32>>,
}

impl Declared {
    fn new(globals: &[Global]) -> Self {
        let mut found: BTreeMap<(Space, u32), Vec<u32>> = BTreeMap::new();
        for (at, global) in globals.iter().enumerate() {
            found.entry((global.space, global.binding)).or_default().push(at as u32);
        }
        Self { globals: found }
    }

    /// What the words of an access were declared as; none where no global has them.
    fn kind(&self, interface: &Interface, access: Access) -> Option<Scalar> {
        let mut globals = self.globals.get(&(access.space, access.binding))?.iter();
        let known = globals.find(|at| interface.global(**at).locate(access.offset).is_some())?;
        Some(interface.scalar(*known)).filter(|kind| *kind != Scalar::Bool)
    }
}

impl Interface {
    /// Finds shared memory and storage buffers in what the functions do.
    pub(super) fn find_memories(&mut self, module: &Module, order: &[FunctionId]) {
        let declared = Declared::new(self.globals());
        let mut found: BTreeMap<Words, Votes> = BTreeMap::new();
        let mut copies: BTreeSet<(Words, Words)> = BTreeSet::new();
        let mut counted: BTreeSet<Words> = BTreeSet::new();
        for id in order {
            let function = &module.functions[id.index()];
            for inst in function.blocks.iter().flat_map(|block| &block.insts) {
                let inst = &function.insts[inst.index()];
                // What is counted is an array, though nothing goes to it.
                if let Op::BufferLength(BufferLength { binding, offset, stride }) = inst.op {
                    counted.insert((Space::Storage, binding, offset / 4, stride / 4));
                }
                let (Op::Load(access) | Op::Store(access) | Op::Atomic(_, access)) = inst.op else {
                    continue;
                };
                if !matches!(access.space, Space::Shared | Space::Storage) {
                    continue;
                }
                let votes = found.entry(words(access)).or_default();
                match inst.op {
                    Op::Atomic(op, _) => {
                        votes.atomic = true;
                        votes.counted |= matches!(op, AtomicOp::Add | AtomicOp::Increment);
                        votes.add(atomic_kind(op));
                        if matches!(op, AtomicOp::SMin | AtomicOp::SMax | AtomicOp::UMin | AtomicOp::UMax) {
                            votes.ordered = atomic_kind(op);
                        }
                    }
                    Op::Store(_) => {
                        let value = inst.args.last().and_then(|value| function.definition(*value));
                        votes.add(value.and_then(|inst| match inst.op {
                            Op::Low | Op::High if is_double(function, inst.args.first()) => {
                                Some(Scalar::Double)
                            }
                            Op::Load(from) => declared.kind(self, from),
                            op => self.made_as(op),
                        }));
                        if let Some(Op::Load(from)) = value.map(|inst| inst.op) {
                            copies.insert((words(from), words(access)));
                        }
                    }
                    _ => {}
                }
            }
            if !found.is_empty() {
                self.note_readers(function, &declared, &mut found);
            }
        }
        for (space, binding, offset, step) in counted {
            // Bytes are counted of any array.
            let range = (space, binding, 0, 0)..=(space, binding, u32::MAX, u32::MAX);
            if step > 0 || found.range(range).all(|(words, _)| words.3 == 0) {
                found.entry((space, binding, offset, step.max(1))).or_default();
            }
        }
        if self.mode == Mode::Readable {
            note_moved(module, order, &mut found);
        }
        let mut parts = self.parts(&found, &copies);
        let places: BTreeMap<Words, usize> = parts
            .iter()
            .enumerate()
            .flat_map(|(at, part)| part.accesses.iter().map(move |words| (*words, at)))
            .collect();
        let copied: BTreeSet<(usize, usize)> =
            copies.iter().filter_map(|(from, to)| Some((*places.get(from)?, *places.get(to)?))).collect();
        let mut votes: BTreeMap<usize, Votes> = parts.iter().map(|part| part.votes).enumerate().collect();
        spread(&mut votes, &copied);
        for (at, part) in parts.iter_mut().enumerate() {
            part.votes = votes.get(&at).copied().unwrap_or_default();
        }
        self.name_memories(module, &parts);
    }

    /// What each memory is made of.
    fn parts(&self, found: &BTreeMap<Words, Votes>, copies: &BTreeSet<(Words, Words)>) -> Vec<Part> {
        let mut known = found.clone();
        spread(&mut known, copies);
        let mut parts = Vec::new();
        let lists: Vec<_> = found.iter().collect();
        for list in lists.chunk_by(|(a, _), (b, _)| (a.0, a.1) == (b.0, b.1)) {
            let Some((space, binding)) = list.first().map(|(words, _)| (words.0, words.1)) else { continue };
            let seen: Vec<Seen> = list
                .iter()
                .map(|(words, votes)| {
                    let known = known.get(words).filter(|votes| !votes.is_empty());
                    let kind = known.map(Votes::shown);
                    Seen { offset: words.2, stride: words.3, kind, atomic: votes.atomic }
                })
                .collect();
            // What lies outside of memory, strict mode keeps.
            let members = match self.mode {
                Mode::Strict => vec![Member::WORDS],
                Mode::Readable if space == Space::Shared => {
                    let members = variables(&seen);
                    self.assumed_index.set(self.assumed_index.get() || members.len() > 1);
                    members
                }
                Mode::Readable => layout::members(&seen),
            };
            for (at, member) in members.iter().enumerate() {
                let end = members.get(at + 1).map_or(u32::MAX, |next| next.offset);
                let mut part =
                    Part { space, binding, member: *member, votes: Votes::default(), accesses: Vec::new() };
                let own = |words: &Words| words.2 >= member.offset && words.2 < end;
                for (words, votes) in list.iter().filter(|(words, _)| own(words)) {
                    part.votes.join(**votes);
                    part.accesses.push(**words);
                }
                parts.push(part);
            }
        }
        parts
    }

    /// Gives all parts of memory their names and kinds.
    fn name_memories(&mut self, module: &Module, parts: &[Part]) {
        for parts in parts.chunk_by(|a, b| (a.space, a.binding) == (b.space, b.binding)) {
            let Some(&Part { space, binding, .. }) = parts.first() else { continue };
            let known = module.buffers.iter().find(|buffer| buffer.binding == binding);
            let known = known.filter(|_| space == Space::Storage);
            let block = match (known, space) {
                (Some(buffer), _) => self.free_name(&buffer.name),
                (None, Space::Shared) => self.free_name("shared_words"),
                (None, _) => self.free_name(&format!("buffer{binding}")),
            };
            self.names.insert(block.clone());
            let named = known.is_some_and(|buffer| buffer.named);
            let singles = parts.iter().filter(|part| !part.member.is_array).count();
            let arrays = parts.iter().filter(|part| part.member.is_array).count();
            for (at, Part { member, votes, .. }) in parts.iter().enumerate() {
                let what = if votes.counted { "count" } else { "value" };
                let name = match (member.is_array, singles) {
                    (true, _) if arrays < 2 => block.clone(),
                    (true, _) => self.free_name(&format!("{block}{}", member.offset)),
                    (false, 1) => self.free_name(&format!("{block}_{what}")),
                    (false, _) => self.free_name(&format!("{block}_{what}{}", member.offset)),
                };
                self.names.insert(name.clone());
                let words = match (space, member.is_array) {
                    (_, false) => member.components.into(),
                    (Space::Shared, true) => {
                        let next = parts.get(at + 1).map_or(module.shared_words, |next| next.member.offset);
                        next.saturating_sub(member.offset).max(1)
                    }
                    (_, true) => 0,
                };
                self.memories.push(MemoryVar {
                    name,
                    named,
                    block: block.clone(),
                    space,
                    binding,
                    offset: member.offset,
                    stride: member.stride,
                    components: member.components,
                    is_array: member.is_array,
                    words,
                    scalar: votes.kind(),
                });
            }
        }
    }

    /// What an operation makes, as far as that says something.
    fn made_as(&self, op: Op) -> Option<Scalar> {
        match op {
            Op::Load(_) | Op::Call(_) | Op::Atomic(..) | Op::Bool(_) => None,
            Op::Image(image) => Some(self.image_scalar(image)),
            Op::Texture(texture) => Some(self.texel(texture)),
            Op::IAdd | Op::ISub | Op::IMul | Op::INeg => Some(Scalar::Int),
            Op::And | Op::Or | Op::Xor | Op::Not | Op::Shl => Some(Scalar::Uint),
            op => given(&op),
        }
    }

    fn note_readers(&self, function: &Function, declared: &Declared, found: &mut BTreeMap<Words, Votes>) {
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            let inst = &function.insts[inst.index()];
            for (position, arg) in inst.args.iter().enumerate() {
                let Some(Op::Load(access)) = function.definition(*arg).map(|inst| inst.op) else { continue };
                let Some(votes) = found.get_mut(&words(access)) else { continue };
                votes.add(match inst.op {
                    Op::IAdd | Op::ISub | Op::IMul | Op::INeg => Some(Scalar::Int),
                    Op::ICompare(_) => wanted(&inst.op, position).or(Some(Scalar::Int)),
                    Op::And | Op::Or | Op::Xor | Op::Not | Op::Shl => Some(Scalar::Uint),
                    Op::Store(to) if position + 1 == inst.args.len() => declared.kind(self, to),
                    Op::Image(image) if position + image.values() >= inst.args.len() => {
                        self.image_global(image).map(|global| self.texel_of(global))
                    }
                    Op::Join if is_double(function, inst.results.first()) => Some(Scalar::Double),
                    op => wanted(&op, position),
                });
            }
        }
    }

    /// The memory, or the part of one, that an access goes to; none for all other spaces.
    pub(super) fn memory(&self, access: Access) -> Option<u32> {
        if !matches!(access.space, Space::Shared | Space::Storage) {
            return None;
        }
        // The last one that starts in front of it.
        let found = |memory: &MemoryVar| {
            (memory.space, memory.binding) == (access.space, access.binding) && memory.offset <= access.offset
        };
        self.memories.iter().rposition(found).map(|at| at as u32)
    }

    /// The memory that an access goes to, and where in it.
    pub(super) fn element(&self, access: Access) -> Option<Element> {
        let memory = self.memory(access)?;
        let var = self.memories.get(memory as usize)?;
        let at = access.offset.checked_sub(var.offset)?;
        let stride = if var.is_array { var.stride.max(1) } else { 4 };
        Some(Element {
            memory,
            first: at / stride,
            steps: access.stride / stride,
            component: (at % stride) as u8,
            components: var.components,
        })
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
    pub(super) fn add_image(&mut self, image: Image, instruction: u32) -> Result<(), RaiseError> {
        if self.image(image).is_some() {
            return Ok(());
        }
        if image.indexed {
            let operation = format!("an image chosen by number, from unit {} on", image.unit);
            return Err(RaiseError::Unsupported { operation, instruction });
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
