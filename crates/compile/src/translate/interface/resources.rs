//! Uniforms, blocks, buffers, textures, images, counters and shared memory.

use super::super::place::{Handle, Kind, Place, Rule, Words};
use super::super::{MOST_INTERFACE, Result, Translator, unsupported};
use super::declare::{Qualifiers, precision};
use super::{COUNTERS, Variable, shape, take};
use std::collections::BTreeSet;
use unshade_glsl::tree::{BlockId, Layout, Storage as Kept, Variable as Declared};
use unshade_glsl::types::layout::Packing;
use unshade_glsl::types::{Dimension, Handle as HandleKind, Length, Opaque, Part, Scalar, Type};
use unshade_ir::{Global, ImageFormat, Shape, Space, StorageBuffer, Texel, UniformBlock};

/// How uniforms outside of blocks lie.
const LOOSE: Rule = Rule::Block { packing: Packing::Std140, is_row_major: false };

/// Where the next free location, word or unit is.
#[derive(Default)]
struct Free {
    uniforms: u32,
    blocks: BTreeSet<u32>,
    buffers: BTreeSet<u32>,
    textures: BTreeSet<u32>,
    images: BTreeSet<u32>,
}

impl Translator<'_> {
    pub(super) fn place_resources(&mut self) -> Result<()> {
        let shader = self.shader;
        let ids =
            self.globals(|variable| matches!(variable.storage, Kept::Uniform | Kept::Buffer | Kept::Shared));
        let mut free = Free::default();
        for &id in &ids {
            let variable = &shader.variables[id];
            let Some(binding) = variable.layout.binding else { continue };
            let count = self.handles_of(variable.ty).min(1 << 12);
            let range = |first: u32| first..first.saturating_add(count);
            match (variable.storage, self.types().innermost(variable.ty)) {
                (_, Type::Opaque(opaque)) if opaque.handle == HandleKind::Image => {
                    free.images.extend(range(binding))
                }
                (_, Type::Opaque(_)) => free.textures.extend(range(binding)),
                (Kept::Buffer, _) => free.buffers.extend(range(binding)),
                (Kept::Uniform, _) if variable.block.is_some() => free.blocks.extend(range(binding)),
                _ => {}
            }
        }
        for id in ids {
            let variable = &shader.variables[id];
            let place = match (variable.storage, variable.block) {
                (Kept::Shared, _) => self.shared(variable)?,
                (_, Some(block)) => self.block(variable, block, &mut free)?,
                _ => self.uniform(&variable.name, variable.ty, variable, &mut free)?,
            };
            if let Some(home) = self.homes.get_mut(id.index()) {
                *home = Some(place);
            }
        }
        Ok(())
    }

    /// A uniform outside of blocks.
    fn uniform(&mut self, name: &str, ty: Type, variable: &Declared, free: &mut Free) -> Result<Place> {
        let span = variable.span;
        match self.types().innermost(ty) {
            Type::Opaque(opaque) => return self.handle(name, ty, opaque, variable, free),
            Type::AtomicCounter => return Ok(self.counter(name, ty, &variable.layout)),
            _ => {}
        }
        if self.types().has(ty, Part::Opaque) {
            // A structure with textures in it: each member has its own place.
            let mut parts = Vec::new();
            match ty {
                Type::Struct(id) => {
                    for member in &self.types().structure(id).members {
                        let name = format!("{name}.{}", member.name);
                        parts.push(self.uniform(&name, member.ty, variable, free)?);
                    }
                }
                Type::Array(id) => {
                    let element = self.types().get_array(id).element;
                    for number in 0..self.types().length(ty).unwrap_or(0) {
                        parts.push(self.uniform(&format!("{name}[{number}]"), element, variable, free)?);
                    }
                }
                _ => {}
            }
            return Ok(Place { ty, kind: Kind::Parts(parts.into()) });
        }
        self.leaves(ty, span)?;
        let at = free.uniforms;
        free.uniforms = at.saturating_add(self.extent(ty, LOOSE).next_multiple_of(4).max(4));
        let words = self.unfolded(Words::new(Space::Uniform, 0, at, LOOSE), ty);
        let mut global =
            Global::new(name, Space::Uniform, 0, at, Shape::Float { components: 1, elements: 0 });
        global.location = variable.layout.location.unwrap_or(0);
        global.precision = Qualifiers::of(variable).precision;
        let model = Variable {
            location: variable.layout.location,
            ..self.resource(name, Space::Uniform, 0, Vec::new(), ty)
        };
        self.declare((&global, &model), name, &words, ty);
        Ok(Place { ty, kind: Kind::Words(words) })
    }

    pub(super) fn resource(
        &self,
        name: &str,
        space: Space,
        binding: u32,
        words: Vec<u32>,
        ty: Type,
    ) -> Variable {
        Variable {
            name: name.to_owned(),
            space,
            binding,
            words,
            scalar: self.types().innermost(ty).scalar(),
            location: None,
            component: 0,
            bound: None,
            semantic: None,
            vertices: 0,
            vertex_stride: 0,
            is_patch: false,
        }
    }

    fn handle(
        &mut self,
        name: &str,
        ty: Type,
        opaque: Opaque,
        variable: &Declared,
        free: &mut Free,
    ) -> Result<Place> {
        let span = variable.span;
        let count = self.handles_of(ty);
        if count > 1 << 12 {
            return Err(unsupported(
                format!("expected at most 4096 textures or images, found {count}"),
                span,
            ));
        }
        let is_image = opaque.handle == HandleKind::Image;
        if !matches!(opaque.handle, HandleKind::Image | HandleKind::Combined) {
            let found = opaque.name();
            return Err(unsupported(
                format!("expected a texture with its sampler, as `sampler2D`, found `{found}`"),
                span,
            ));
        }
        let taken = if is_image { &mut free.images } else { &mut free.textures };
        // Of members of structures the variable's binding says nothing.
        let stated = variable.layout.binding.filter(|_| variable.ty == ty);
        let unit = stated.unwrap_or_else(|| take(taken, count));
        let shape = shape(opaque)
            .ok_or_else(|| unsupported(format!("`{}` is no texture here", opaque.name()), span))?;
        let elements = if matches!(ty, Type::Array(_)) { count } else { 0 };
        let texel = match opaque.component {
            Scalar::Int | Scalar::Int64 => Texel::Int,
            Scalar::Uint | Scalar::Uint64 => Texel::Uint,
            _ => Texel::Float,
        };
        let space = if is_image { Space::Image } else { Space::Texture };
        let external = opaque.dimension == Dimension::External;
        let shape = match is_image {
            true => Shape::Image {
                shape,
                elements,
                texel,
                format: variable.layout.format.and_then(|format| {
                    ImageFormat::ALL.into_iter().find(|known| known.name() == format.name)
                }),
            },
            false => Shape::Sampler { shape, elements, external, shadow: opaque.is_shadow, texel },
        };
        let mut global = Global::new(name, space, 0, unit, shape);
        global.location = if is_image { unit } else { variable.layout.location.unwrap_or(0) };
        self.module.globals.push(global);
        let words = (unit..unit.saturating_add(count)).collect();
        self.interface.variables.push(Variable {
            bound: stated,
            scalar: None,
            ..self.resource(name, space, 0, words, ty)
        });
        Ok(Place { ty, kind: Kind::Handle(Handle { unit, index: None, opaque }) })
    }

    fn counter(&mut self, name: &str, ty: Type, layout: &Layout) -> Place {
        let bound = layout.binding.unwrap_or(0);
        let binding = COUNTERS.saturating_add(bound);
        let at = layout.offset.unwrap_or(0) / 4;
        self.buffer(&format!("counters{bound}"), binding);
        let count = self.handles_of(ty).min(1 << 12);
        let words: Vec<u32> = (at..at.saturating_add(count)).collect();
        self.interface.variables.push(Variable {
            bound: Some(bound),
            scalar: Some(Scalar::Uint),
            ..self.resource(name, Space::Storage, binding, words, ty)
        });
        Place { ty, kind: Kind::Words(Words::new(Space::Storage, binding, at, Rule::Tight)) }
    }

    fn buffer(&mut self, name: &str, binding: u32) {
        if !self.module.buffers.iter().any(|buffer| buffer.binding == binding) {
            self.module.buffers.push(StorageBuffer { name: name.to_owned(), named: true, binding });
        }
    }

    /// A block of uniforms or a buffer, or an array of these.
    fn block(&mut self, variable: &Declared, id: BlockId, free: &mut Free) -> Result<Place> {
        let is_buffer = variable.storage == Kept::Buffer;
        let count = self.handles_of(variable.ty);
        if count > 1 << 12 {
            return Err(unsupported(format!("expected at most 4096 blocks, found {count}"), variable.span));
        }
        let taken = if is_buffer { &mut free.buffers } else { &mut free.blocks };
        let first = variable.layout.binding.unwrap_or_else(|| take(taken, count));
        let mut number = first;
        self.instances(variable, id, variable.ty, &mut number, String::new())
    }

    fn instances(
        &mut self,
        variable: &Declared,
        id: BlockId,
        ty: Type,
        number: &mut u32,
        suffix: String,
    ) -> Result<Place> {
        if let Type::Array(array) = ty {
            let element = self.types().get_array(array).element;
            let mut parts = Vec::new();
            for instance in 0..self.types().length(ty).unwrap_or(0) {
                parts.push(self.instances(variable, id, element, number, format!("{suffix}[{instance}]"))?);
            }
            return Ok(Place { ty, kind: Kind::Parts(parts.into()) });
        }
        let block = &self.shader.blocks[id];
        // Each instance has all members.
        self.interface_words = self.interface_words.saturating_add(block.members.len() as u64);
        if self.interface_words > MOST_INTERFACE {
            let message = format!("expected at most {MOST_INTERFACE} numbers that go in and out, found more");
            return Err(unsupported(message, variable.span));
        }
        let bound = *number;
        *number = number.saturating_add(1);
        let is_buffer = variable.storage == Kept::Buffer;
        let (space, binding) = match is_buffer {
            true => (Space::Storage, bound),
            false => (Space::Uniform, bound.saturating_add(1)),
        };
        let title = format!("{}{suffix}", block.name);
        match is_buffer {
            true => self.buffer(&title, binding),
            false => self.module.blocks.push(UniformBlock {
                name: title.clone(),
                named: true,
                binding,
                words: block.size.div_ceil(4),
            }),
        }
        let mut parts = Vec::new();
        for (member, declared) in block.members.iter().zip(&self.types().structure(block.structure).members) {
            let rule = Rule::Block { packing: block.packing, is_row_major: member.is_row_major };
            let words = self.unfolded(Words::new(space, binding, member.offset / 4, rule), declared.ty);
            let name = format!("{title}.{}", declared.name);
            // Of an array without a length, the first element.
            let shown = match declared.ty {
                Type::Array(array) if self.types().get_array(array).length == Length::Runtime => {
                    self.types().get_array(array).element
                }
                other => other,
            };
            let mut global =
                Global::new(&name, space, binding, words.offset, Shape::Float { components: 1, elements: 0 });
            global.precision = precision(declared.precision);
            let model = Variable {
                bound: variable.layout.binding.map(|_| bound),
                ..self.resource(&name, space, binding, Vec::new(), shown)
            };
            self.declare((&global, &model), &name, &self.unfolded(words, shown), shown);
            parts.push(Place { ty: declared.ty, kind: Kind::Words(words) });
        }
        Ok(Place { ty, kind: Kind::Parts(parts.into()) })
    }

    fn shared(&mut self, variable: &Declared) -> Result<Place> {
        self.leaves(variable.ty, variable.span).map(|_| ())?;
        let at = self.module.shared_words;
        self.module.shared_words = at.saturating_add(self.extent(variable.ty, Rule::Tight));
        let words = self.unfolded(Words::new(Space::Shared, 0, at, Rule::Tight), variable.ty);
        Ok(Place { ty: variable.ty, kind: Kind::Words(words) })
    }
}
