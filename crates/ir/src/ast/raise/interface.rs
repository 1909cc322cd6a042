//! From words of an address space to named globals, their elements and components.

use super::super::{GlobalRef, GlobalVar, MemoryVar, Program, Scalar};
use super::{Mode, RaiseError, blocks};
use crate::quick::QuickMap;
use crate::votes::{Votes, by_all};
use crate::{
    Access, FunctionId, Global, Module, Op, Shape, Space, Texel, Texture, TextureQuery, UniformBlock,
};
use smallvec::SmallVec;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// One word: a component of a global or of an element of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Lane {
    /// Index into the table of globals.
    pub global: u32,
    /// Element of an array.
    pub element: Option<u32>,
    /// Component.
    pub component: u8,
}

/// What a dynamic index goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Indexed {
    /// Elements of an array, from this one on; this component of each.
    Elements {
        /// The array.
        global: u32,
        /// Element at index 0.
        first: u32,
        /// Component.
        component: u8,
        /// Elements from one index to the next.
        steps: u32,
    },
    /// Single words of an array of four-component vectors: word `offset + index * stride`.
    Words {
        /// The array.
        global: u32,
        /// Word at index 0.
        offset: u32,
    },
}

/// Elements of an array that each vertex has.
const MOST_ARRAY: u32 = 64;

/// Words of a buffer that are taken seriously.
const MOST_WORDS: u32 = 1 << 16;

/// The globals of a program while it is built.
pub(super) struct Interface {
    pub(super) mode: Mode,
    globals: Vec<Global>,
    used: Vec<bool>,
    pub matrix_rows: Vec<Option<u8>>,
    /// Globals by space and binding, in order of the module.
    pub(super) bindings: BTreeMap<(Space, u32), Vec<u32>>,
    /// The global that stands for a whole binding, used where the others do not do.
    whole: BTreeMap<(Space, u32), u32>,
    /// Words that were looked up.
    words: QuickMap<(Space, u32, u32), SmallVec<[Lane; 1]>>,
    /// Whether readable mode took an index to stay inside of its array.
    pub(super) assumed_index: Cell<bool>,
    pub(super) names: BTreeSet<String>,
    /// Buffers with members of their own.
    pub(super) blocks: Vec<UniformBlock>,
    /// Memory that invocations share.
    pub(super) memories: Vec<MemoryVar>,
    /// Local arrays of nothing but floats.
    float_arrays: Vec<bool>,
}

/// Local arrays that nothing but floats is stored to or loaded from.
fn float_arrays(module: &Module) -> Vec<bool> {
    let mut found = vec![Votes::default(); module.arrays.len()];
    if found.is_empty() {
        return Vec::new();
    }
    for function in &module.functions {
        let votes = by_all(function);
        for inst in
            function.blocks.iter().flat_map(|block| &block.insts).map(|id| &function.insts[id.index()])
        {
            if let Op::Load(access) | Op::Store(access) = inst.op
                && access.space == Space::Local
                && let Some(of) = found.get_mut(access.binding as usize)
                && let Some(value) = inst.results.first().or_else(|| inst.args.last())
            {
                of.add(votes.get(value.index()).copied().unwrap_or_default());
            }
        }
    }
    found.into_iter().map(Votes::is_float).collect()
}

impl Interface {
    /// What the words of a local array are.
    pub(super) fn array(&self, array: u32) -> Scalar {
        match self.float_arrays.get(array as usize) {
            Some(true) => Scalar::Float,
            _ => Scalar::Uint,
        }
    }

    pub fn new(module: &Module, order: &[FunctionId], mode: Mode) -> Result<Self, RaiseError> {
        let mut interface = Self {
            mode,
            globals: module.globals.clone(),
            used: vec![false; module.globals.len()],
            matrix_rows: vec![None; module.globals.len()],
            bindings: BTreeMap::new(),
            whole: BTreeMap::new(),
            words: QuickMap::default(),
            assumed_index: Cell::new(false),
            names: module.globals.iter().map(|global| global.name.clone()).collect(),
            blocks: blocks::blocks(module),
            memories: Vec::new(),
            float_arrays: match mode {
                Mode::Strict => vec![false; module.arrays.len()],
                Mode::Readable => float_arrays(module),
            },
        };
        interface.spread_vertices();
        for (index, global) in interface.globals.iter().enumerate() {
            interface.bindings.entry((global.space, global.binding)).or_default().push(index as u32);
        }
        // Texels that go to memory say what that is.
        interface.find_memories(module, order);
        for global in &mut interface.globals {
            // The languages have a truth value for it.
            if global.semantic.as_deref() == Some("front-facing")
                && global.space == Space::Input
                && global.shape == (Shape::Float { components: 1, elements: 0 })
            {
                global.shape = Shape::Bool { components: 1, elements: 0 };
                global.as_float = true;
            }
        }
        interface.set_whole_apart();
        for block in &interface.blocks {
            if let Some(list) = interface.bindings.get_mut(&(Space::Uniform, block.binding)) {
                *list = blocks::members(&interface.globals, list);
            }
        }
        // Bindings with an index that may leave the array it starts in become one array each.
        let mut whole: BTreeMap<(Space, u32), u32> = BTreeMap::new();
        for id in order {
            let function = &module.functions[id.index()];
            for inst in function.blocks.iter().flat_map(|block| &block.insts) {
                let inst = &function.insts[inst.index()];
                if let Op::Texture(texture) = inst.op {
                    interface.add_sampler(texture, inst.origin.instruction)?;
                }
                if let Op::Image(image) = inst.op {
                    interface.add_image(image, inst.origin.instruction)?;
                }
                let (Op::Load(access) | Op::Store(access)) = inst.op else { continue };
                if matches!(access.space, Space::Shared | Space::Storage | Space::Global) {
                    continue;
                }
                let bare = interface.block(access.space, access.binding).is_some()
                    && interface.members_of(access.space, access.binding).is_empty();
                if access.space != Space::Local
                    && (bare
                        || access.is_indexed()
                            && (mode == Mode::Strict
                                && !interface.is_of_vertex(access)
                                && !interface.is_table(access)
                                || interface.array_at(access).is_none()))
                {
                    whole.entry((access.space, access.binding)).or_default();
                }
            }
        }
        for id in order {
            let function = &module.functions[id.index()];
            for inst in function.blocks.iter().flat_map(|block| &block.insts) {
                let (Op::Load(access) | Op::Store(access)) = function.insts[inst.index()].op else {
                    continue;
                };
                if let Some(end) = whole.get_mut(&(access.space, access.binding)) {
                    *end = (*end).max(access.offset.saturating_add(1));
                }
            }
        }
        for ((space, binding), end) in whole {
            interface.merge(space, binding, end);
        }
        Ok(interface)
    }

    /// What each vertex of a geometry program's input has is an array over the vertices; an array of each is
    /// one for every element.
    fn spread_vertices(&mut self) {
        for at in 0..self.globals.len() {
            let global = self.globals[at].clone();
            if global.vertices == 0 || !matches!(global.space, Space::Input | Space::Output) {
                continue;
            }
            let (count, vertices) = (global.shape.elements().min(MOST_ARRAY), global.vertices);
            let shape = match global.shape {
                Shape::Int { components, .. } => Shape::Int { components, elements: vertices },
                Shape::Uint { components, .. } => Shape::Uint { components, elements: vertices },
                shape => Shape::Float { components: shape.components(), elements: vertices },
            };
            let stride = global.vertex_stride.max(1);
            for element in 1..count {
                let name = self.free_name(&format!("{}_{element}", global.name));
                let offset = global.offset.wrapping_add(element.wrapping_mul(global.stride));
                let location = global.location.wrapping_add(element);
                self.add(Global { name, offset, location, shape, stride, ..global.clone() });
            }
            self.globals[at] = Global { shape, stride, ..global };
        }
    }

    /// Whether a word belongs to one of several vertices.
    fn is_of_vertex(&self, access: Access) -> bool {
        self.members_of(access.space, access.binding).iter().any(|at| {
            self.globals[*at as usize].vertices > 0
                && self.globals[*at as usize].locate(access.offset).is_some()
        })
    }

    /// Whether an access goes through words that the file holds, one by one.
    fn is_table(&self, access: Access) -> bool {
        match self.members_of(access.space, access.binding)[..] {
            [only] => {
                let global = self.global(only);
                global.constant.is_some() && (global.stride, global.offset) == (1, 0)
            }
            _ => false,
        }
    }

    /// A made-up array over all words of a binding is no name for any of them.
    fn set_whole_apart(&mut self) {
        for (place, members) in &mut self.bindings {
            let whole = members.iter().copied().find(|at| {
                let global = &self.globals[*at as usize];
                let (first, last) = (global.offset, global.end());
                let four = matches!(
                    global.shape,
                    Shape::Float { components: 4, elements: 1.. }
                        | Shape::Int { components: 4, elements: 1.. }
                );
                // What each vertex has has a name, though it may be the only one.
                !global.named
                    && global.vertices == 0
                    && four
                    && first == 0
                    && members.iter().all(|other| other == at || self.globals[*other as usize].end() <= last)
            });
            if let Some(whole) = whole {
                members.retain(|at| *at != whole);
                self.whole.insert(*place, whole);
            }
        }
    }

    /// Replaces all globals of a binding by one array over all of its words.
    fn merge(&mut self, space: Space, binding: u32, end: u32) {
        let members = self.bindings.remove(&(space, binding)).unwrap_or_default();
        if let Some(whole) = self.whole.get(&(space, binding)).copied()
            && self.globals[whole as usize].end() >= end
        {
            self.bindings.insert((space, binding), vec![whole]);
            return;
        }
        let end = members.iter().map(|at| self.globals[*at as usize].end()).fold(end, u32::max);
        let block = self.block(space, binding).cloned();
        let end = block.as_ref().map_or(end, |block| end.max(block.words.min(MOST_WORDS)));
        let kinds: Vec<Scalar> = members.iter().map(|at| self.scalar(*at)).collect();
        let bools = kinds.iter().all(|kind| *kind == Scalar::Bool) && !kinds.is_empty() && block.is_none();
        let ints = kinds.iter().all(|kind| *kind == Scalar::Int) && !kinds.is_empty();
        let elements = end.div_ceil(4).max(1);
        let shape = if bools {
            Shape::Bool { components: 1, elements: end.max(1) }
        } else if ints {
            Shape::Int { components: 4, elements }
        } else {
            Shape::Float { components: 4, elements }
        };
        let name = match space {
            Space::Input => "inputs",
            Space::Output => "outputs",
            _ => "uniforms",
        };
        let name = match &block {
            Some(block) => self.name_in(block, "values"),
            None => self.free_name(name),
        };
        let index = self.add(Global { named: false, ..Global::new(name, space, binding, 0, shape) });
        self.bindings.insert((space, binding), vec![index]);
    }

    /// The sampler that a fetch uses, and the element of it (at index 0, if there is one).
    pub fn sampler(&self, texture: Texture) -> Option<(u32, Option<u32>)> {
        let members = self.bindings.get(&(Space::Texture, 0))?;
        members.iter().find_map(|at| {
            let global = &self.globals[*at as usize];
            let Shape::Sampler { shape, elements, shadow, .. } = global.shape else { return None };
            let (element, _) = global.locate(texture.unit)?;
            let fits = match texture.query {
                TextureQuery::Size | TextureQuery::Level | TextureQuery::Samples => true,
                TextureQuery::Sample | TextureQuery::Texel | TextureQuery::Gather(_) => {
                    shadow == texture.shadow
                }
            };
            (shape == texture.shape && fits && (elements > 0 || !texture.indexed)).then_some((*at, element))
        })
    }

    /// What the answer to a question is made of.
    pub fn texel(&self, texture: Texture) -> Scalar {
        match texture.query {
            TextureQuery::Size | TextureQuery::Samples => return Scalar::Int,
            TextureQuery::Level => return Scalar::Float,
            TextureQuery::Sample | TextureQuery::Texel | TextureQuery::Gather(_) => {}
        }
        let global = self.sampler(texture).map(|(global, _)| self.globals[global as usize].shape);
        match global {
            Some(Shape::Sampler { texel: Texel::Int, shadow: false, .. }) => Scalar::Int,
            Some(Shape::Sampler { texel: Texel::Uint, shadow: false, .. }) => Scalar::Uint,
            _ => Scalar::Float,
        }
    }

    /// Makes a sampler for a fetch if nothing names one.
    fn add_sampler(&mut self, texture: Texture, instruction: u32) -> Result<(), RaiseError> {
        if self.sampler(texture).is_some() {
            return Ok(());
        }
        if texture.indexed {
            let operation = format!("a texture chosen by number, from unit {} on", texture.unit);
            return Err(RaiseError::Unsupported { operation, instruction });
        }
        let name = self.free_name(&format!("texture{}", texture.unit));
        let shape = Shape::Sampler {
            shape: texture.shape,
            elements: 0,
            external: false,
            shadow: texture.shadow,
            texel: Texel::Float,
        };
        let global = Global {
            named: false,
            location: texture.unit,
            ..Global::new(name, Space::Texture, 0, texture.unit, shape)
        };
        let global = self.add(global);
        self.bindings.entry((Space::Texture, 0)).or_default().push(global);
        Ok(())
    }

    pub(super) fn free_name(&self, name: &str) -> String {
        let mut free = name.to_owned();
        let mut n = 1;
        while self.names.contains(&free) {
            n += 1;
            free = format!("{name}_{n}");
        }
        free
    }

    pub(super) fn add(&mut self, global: Global) -> u32 {
        self.names.insert(global.name.clone());
        self.globals.push(global);
        self.used.push(false);
        self.matrix_rows.push(None);
        self.globals.len() as u32 - 1
    }

    pub fn global(&self, at: u32) -> &Global {
        &self.globals[at as usize]
    }

    pub fn globals(&self) -> &[Global] {
        &self.globals
    }

    /// Globals of a binding.
    pub(super) fn members_of(&self, space: Space, binding: u32) -> Vec<u32> {
        self.bindings.get(&(space, binding)).cloned().unwrap_or_default()
    }

    pub(super) fn is_used(&self, at: u32) -> bool {
        self.used[at as usize]
    }

    /// Names a global in the source from now on.
    pub fn use_global(&mut self, at: u32) {
        self.used[at as usize] = true;
    }

    /// How the words of a global are read.
    pub fn scalar(&self, at: u32) -> Scalar {
        let global = &self.globals[at as usize];
        match global.shape {
            _ if global.as_float => Scalar::Float,
            Shape::Float { .. } | Shape::Matrix { .. } | Shape::Sampler { .. } | Shape::Image { .. } => {
                Scalar::Float
            }
            Shape::Int { .. } => Scalar::Int,
            Shape::Uint { .. } => Scalar::Uint,
            Shape::Bool { .. } => Scalar::Bool,
        }
    }

    pub fn components(&self, at: u32) -> u8 {
        self.globals[at as usize].shape.components()
    }

    /// Everything that a word is called; a word without a name gets a global of its own.
    pub fn lanes(&mut self, access: Access) -> SmallVec<[Lane; 1]> {
        let key = (access.space, access.binding, access.offset);
        if let Some(lanes) = self.words.get(&key) {
            return lanes.clone();
        }
        let mut lanes: SmallVec<[Lane; 1]> = self
            .bindings
            .get(&(access.space, access.binding))
            .into_iter()
            .flatten()
            .filter_map(|at| {
                let (element, component) = self.globals[*at as usize].locate(access.offset)?;
                Some(Lane { global: *at, element, component })
            })
            .collect();
        if lanes.is_empty() {
            lanes.push(self.unnamed(access));
        }
        self.words.insert(key, lanes.clone());
        lanes
    }

    /// A global for the words around one that nothing names, as far as they have no name either.
    fn unnamed(&mut self, access: Access) -> Lane {
        let members = self.bindings.get(&(access.space, access.binding)).cloned().unwrap_or_default();
        let named = |word: u32| members.iter().any(|at| self.globals[*at as usize].locate(word).is_some());
        let start = access.offset & !3;
        let (mut first, mut last) = (access.offset, access.offset);
        while first > start && !named(first - 1) {
            first -= 1;
        }
        while last < start + 3 && !named(last + 1) {
            last += 1;
        }
        let block = self.block(access.space, access.binding).cloned();
        if block.is_some() {
            (first, last) = blocks::piece(access.offset, first, last);
        }
        let components = (last - first + 1) as u8;
        let shape = match members.first().map(|at| self.scalar(*at)) {
            Some(Scalar::Int) => Shape::Int { components, elements: 0 },
            Some(Scalar::Bool) if block.is_none() => Shape::Bool { components: 1, elements: 0 },
            _ => Shape::Float { components, elements: 0 },
        };
        let (offset, register) = match shape {
            Shape::Bool { .. } => (access.offset, access.offset),
            _ => (first, start / 4),
        };
        let name = match (access.space, shape) {
            (Space::Input, _) => format!("input{register}"),
            (Space::Output, _) => format!("output{register}"),
            (_, Shape::Int { .. }) => format!("integer{register}"),
            (_, Shape::Bool { .. }) => format!("flag{register}"),
            _ => format!("uniform{register}"),
        };
        let name = match &block {
            Some(block) => self.name_in(block, &register.to_string()),
            None => self.free_name(&name),
        };
        let global = self.add(Global {
            named: false,
            location: register,
            ..Global::new(name, access.space, access.binding, offset, shape)
        });
        self.bindings.entry((access.space, access.binding)).or_default().push(global);
        Lane { global, element: None, component: (access.offset - offset) as u8 }
    }

    /// The array that an indexed access starts in, if its step is that array's.
    fn array_at(&self, access: Access) -> Option<Indexed> {
        let members = self.bindings.get(&(access.space, access.binding))?;
        members.iter().find_map(|at| {
            let global = &self.globals[*at as usize];
            let (element, component) = global.locate(access.offset)?;
            let steps = match global.shape {
                Shape::Matrix { columns, elements: 1.., .. } if access.stride == global.element_stride() => {
                    columns.into()
                }
                Shape::Matrix { .. } if access.stride != global.stride => return None,
                _ if global.stride > 0 && access.stride.is_multiple_of(global.stride) => {
                    access.stride / global.stride
                }
                _ => return None,
            };
            Some(Indexed::Elements { global: *at, first: element?, component, steps })
        })
    }

    /// What an indexed access goes through.
    pub fn indexed(&self, access: Access) -> Option<Indexed> {
        if let Some(found) = self.array_at(access) {
            if let Indexed::Elements { global, .. } = found
                && self.mode == Mode::Readable
                && self.globals[global as usize].offset != 0
            {
                self.assumed_index.set(true);
            }
            return Some(found);
        }
        // Only a whole binding is left.
        let global = *self.bindings.get(&(access.space, access.binding))?.first()?;
        let whole = matches!(
            self.globals[global as usize].shape,
            Shape::Float { components: 4, elements: 1.. } | Shape::Int { components: 4, elements: 1.. }
        );
        whole.then_some(Indexed::Words { global, offset: access.offset })
    }

    pub fn assumptions(&self) -> Vec<String> {
        let mut list = Vec::new();
        if self.assumed_index.get() {
            list.push("a dynamic index stays inside of the array it starts in".to_owned());
        }
        list
    }

    /// What the file names is declared though nothing reads it, as the source did: whoever draws finds it by that name.
    /// Not what lies where something else does, which would be declared twice.
    fn keep_named(&mut self) {
        let bare = |block: &&UniformBlock| {
            block.named && block.words > 0 && self.members_of(Space::Uniform, block.binding).is_empty()
        };
        let bare: Vec<u32> = self.blocks.iter().filter(bare).map(|block| block.binding).collect();
        for binding in bare {
            self.merge(Space::Uniform, binding, 0);
            self.members_of(Space::Uniform, binding).into_iter().for_each(|at| self.use_global(at));
        }
        let mut unread = Vec::new();
        let (mut effort, mut shared) = (MOST_WORDS, vec![false; self.globals.len()]);
        for ((space, _), members) in &self.bindings {
            if !matches!(space, Space::Input | Space::Uniform | Space::Texture | Space::Image) {
                continue;
            }
            let mut by_place: Vec<(u32, u32)> =
                members.iter().map(|&at| (self.globals[at as usize].offset, at)).collect();
            by_place.sort_unstable();
            // Those before that have not ended.
            let mut open: Vec<u32> = Vec::new();
            for &(offset, at) in &by_place {
                open.retain(|other| self.globals[*other as usize].end() > offset);
                for &other in &open {
                    let (one, two) = (other as usize, at as usize);
                    let known = shared[one] && shared[two];
                    if !known && self.globals[one].overlaps(&self.globals[two], &mut effort) {
                        (shared[one], shared[two]) = (true, true);
                    }
                }
                open.push(at);
            }
            unread.extend(by_place.iter().map(|(_, at)| *at).filter(|at| {
                let global = &self.globals[*at as usize];
                // Names of the language: a compiler put it there.
                let declared = global.named && !global.name.starts_with("gl_");
                declared && global.semantic.is_none() && global.constant.is_none() && !shared[*at as usize]
            }));
        }
        unread.into_iter().for_each(|at| self.use_global(at));
    }

    /// Moves the globals that are used or named into the program and renumbers them there.
    pub fn finish(&mut self, program: &mut Program) {
        self.keep_named();
        self.finish_blocks(program);
        program.memories = std::mem::take(&mut self.memories);
        let mut numbers = vec![0; self.globals.len()];
        for (index, global) in self.globals.iter().enumerate() {
            if self.used[index] {
                numbers[index] = program.globals.len() as u32;
                let matrix_rows = self.matrix_rows[index];
                program.globals.push(GlobalVar { global: global.clone(), matrix_rows });
            }
        }
        for function in &mut program.functions {
            super::super::walk::for_each_global(&mut function.body, &mut |at: &mut GlobalRef| {
                at.0 = numbers[at.0 as usize];
            });
        }
    }
}
