//! The module: globals, the uniform buffer, functions, the entry point.

use super::body::{Body, Outputs};
use super::levels::Levels;
use super::types;
use crate::Error;
use crate::interface::structures::{self, Structures};
use crate::interface::{Form, Role, Slot};
use crate::names::Names;
use crate::system::System;
use crate::{interface, visit};
use ::naga::{
    AddressSpace, Binding, BuiltIn, EntryPoint, Function, FunctionArgument, FunctionResult, GlobalVariable,
    Handle, Interpolation, Literal, Module, ResourceBinding, Sampling, ShaderStage, Span, StructMember, Type,
    TypeInner,
};
use std::collections::BTreeMap;
use unshade_ir::ast::{self, GlobalRef, Program, Scalar};
use unshade_stage::StageKind;

/// Where a global of the tree is in the module.
#[derive(Debug, Clone, Copy)]
pub(super) enum Home {
    /// Member of a uniform buffer ([`Slot::block`]), of this declared shape.
    Uniform { member: u32, stored: Stored },
    /// A field of an array of structures, which is a member of a uniform buffer.
    Structures { member: u32, field: u32, stored: Stored },
    /// A private variable: inputs, outputs and constants that not only the entry uses.
    Private(Handle<GlobalVariable>),
    /// A parameter or local of the entry; a constant of one value is a literal where it is used.
    Local,
}

/// How the words of a global are declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stored {
    /// As the tree reads it.
    Plain,
    /// A matrix whose columns are the registers.
    Matrix,
    /// Elements of four components, of which the first ones count: what a uniform array needs.
    Padded,
    /// A word that is true where it is not 0.
    Word,
    /// Elements of four words, of which the first is such a word.
    PaddedWord,
}

/// Bindings of a texture: itself and its sampler.
pub(super) const PER_TEXTURE: u32 = 2;

/// In front of WGSL text with fetches or derivatives.
pub(super) const UNIFORMITY: &str = "diagnostic(off, derivative_uniformity);\n\n";

/// The module in work.
pub(super) struct Lower<'a> {
    pub program: &'a Program,
    pub slots: Vec<Slot>,
    pub names: Names,
    pub module: Module,
    /// The buffers, by [`Slot::block`].
    pub uniforms: BTreeMap<Option<usize>, Handle<GlobalVariable>>,
    /// As [`Program::globals`].
    pub homes: Vec<Home>,
    /// As [`Program::arrays`].
    pub arrays: Vec<Handle<GlobalVariable>>,
    /// As [`Program::functions`], those lowered so far.
    pub functions: Vec<Handle<Function>>,
    /// Helper functions in use.
    pub helpers: BTreeMap<super::helper::Use, Handle<Function>>,
    pub kind: StageKind,
    /// Texture and sampler of each element of a global that is fetched from.
    pub textures: super::texture::Textures,
    pub memories: super::memory::Memories,
    local_size: [u32; 3],
    early_tests: bool,
    /// SPIR-V alone: levels that naga's validator must not see.
    pub levels: Option<Levels>,
}

/// Makes the module.
pub(super) fn module(
    program: &Program,
    slots: Vec<Slot>,
    names: Names,
    options: &crate::Options,
    is_spirv: bool,
) -> Result<(Module, Levels), Error> {
    let kind = options.kind;
    let mut lower = Lower {
        program,
        slots,
        names,
        module: Module::default(),
        uniforms: BTreeMap::new(),
        homes: Vec::new(),
        arrays: Vec::new(),
        functions: Vec::new(),
        helpers: BTreeMap::new(),
        kind,
        textures: super::texture::Textures::new(),
        memories: super::memory::Memories::default(),
        local_size: options.local_size,
        early_tests: options.early_tests,
        levels: is_spirv.then(Levels::default),
    };
    lower.globals();
    for block in std::iter::once(None).chain((0..program.blocks.len()).map(Some)) {
        lower.uniform_buffer(block)?;
    }
    lower.declare_textures()?;
    lower.declare_memories()?;
    lower.private_arrays();
    let Some((entry, functions)) = program.functions.split_last() else {
        return Err(Error::invalid("a program without functions"));
    };
    for (index, function) in functions.iter().enumerate() {
        lower.function(index, function).map_err(|error| error.within(&function.name))?;
    }
    lower.entry(functions.len(), entry).map_err(|error| error.within(&entry.name))?;
    Ok((lower.module, lower.levels.unwrap_or_default()))
}

impl Lower<'_> {
    pub fn ty(&mut self, ty: ast::Type) -> Handle<Type> {
        types::value(&mut self.module, ty)
    }

    /// Decides where everything lives and makes the private variables.
    fn globals(&mut self) {
        let shared = shared_globals(self.program);
        for (index, slot) in self.slots.clone().into_iter().enumerate() {
            let home = match slot.role {
                // The number of the member follows when the buffer is made.
                Role::Uniform => Home::Uniform { member: 0, stored: stored_in_buffer(&slot) },
                Role::Sampler | Role::Image => Home::Local,
                _ if shared[index] && !(slot.role == Role::Constant && slot.form == Form::Single) => {
                    let ty = self.unpacked(&slot);
                    Home::Private(self.private(&self.names.globals[index].clone(), ty))
                }
                _ => Home::Local,
            };
            self.homes.push(home);
        }
    }

    fn private(&mut self, name: &str, ty: Handle<Type>) -> Handle<GlobalVariable> {
        let variable = GlobalVariable {
            name: Some(name.to_owned()),
            space: AddressSpace::Private,
            binding: None,
            ty,
            init: None,
            memory_decorations: ::naga::MemoryDecorations::empty(),
        };
        self.module.global_variables.append(variable, Span::UNDEFINED)
    }

    /// Type of a value, or of an array of its elements or registers, outside of buffers.
    pub fn unpacked(&mut self, slot: &Slot) -> Handle<Type> {
        let base = self.ty(if slot.role == Role::Position { position_type() } else { slot.ty });
        match slot.form {
            Form::Single => base,
            _ => types::array(
                &mut self.module,
                base,
                slot.elements(),
                types::packed_stride(slot.ty.components),
            ),
        }
    }

    /// Makes a buffer: the one of the loose uniforms, or a block. Members that are nobody's fill the gaps of a
    /// block, since not every language can name an offset.
    fn uniform_buffer(&mut self, block: Option<usize>) -> Result<(), Error> {
        let mut list: Vec<usize> = (0..self.slots.len())
            .filter(|index| {
                matches!(self.homes[*index], Home::Uniform { .. }) && self.slots[*index].block == block
            })
            .collect();
        if list.is_empty() {
            return Ok(());
        }
        list.sort_by_key(|index| self.slots[*index].place);
        let arrays = match block {
            Some(block) => structures::of_block(self.program, &self.slots, block)?,
            None => Vec::new(),
        };
        let mut members = Vec::new();
        let mut end = 0u32;
        for index in list {
            let slot = self.slots[index];
            let Home::Uniform { stored, .. } = self.homes[index] else { continue };
            if let Some(array) = arrays.iter().find(|array| array.members.contains(&index)) {
                if array.members.first() == Some(&index) {
                    self.padding(&mut members, end, array.start);
                    let member = self.structures(array, members.len() as u32);
                    members.push(member);
                    end = array.end();
                }
                continue;
            }
            let (natural, after) = interface::std140(&slot, end)
                .ok_or_else(|| Error::unsupported("a uniform buffer past 4 GiB"))?;
            if block.is_some() && natural < slot.place {
                self.padding(&mut members, end, slot.place);
            }
            self.homes[index] = Home::Uniform { member: members.len() as u32, stored };
            end = after.saturating_add(slot.place.saturating_sub(natural));
            let (ty, _) = self.member_type(&slot, stored);
            members.push(StructMember {
                name: Some(self.names.globals[index].clone()),
                ty,
                binding: None,
                offset: slot.place,
            });
        }
        let inner = TypeInner::Struct { members, span: end.next_multiple_of(16) };
        let (name, variable, binding) = match block {
            None => (self.names.add("Uniforms"), "uniforms".to_owned(), interface::free_buffer(self.program)),
            Some(block) => {
                let name = self.names.blocks[block].clone();
                let variable = format!("{}_buffer", name.trim_end_matches('_'));
                (name, variable, self.program.blocks[block].binding)
            }
        };
        let ty = self.module.types.insert(Type { name: Some(name), inner }, Span::UNDEFINED);
        let variable = GlobalVariable {
            name: Some(self.names.add(&variable)),
            space: AddressSpace::Uniform,
            binding: Some(ResourceBinding { group: 0, binding }),
            ty,
            init: None,
            memory_decorations: ::naga::MemoryDecorations::empty(),
        };
        let handle = self.module.global_variables.append(variable, Span::UNDEFINED);
        self.uniforms.insert(block, handle);
        Ok(())
    }

    /// The member of a buffer that an array of structures is, of this number.
    fn structures(&mut self, array: &Structures, member: u32) -> StructMember {
        let mut fields = Vec::new();
        let mut end = 0;
        for index in &array.members {
            let slot = structures::alone(&self.slots[*index]);
            let place = slot.place - array.start;
            if interface::std140(&slot, end).is_none_or(|(natural, _)| natural != place) {
                self.padding(&mut fields, end, place);
            }
            end = interface::std140(&slot, place).map_or(place, |(_, after)| after);
            let stored = stored_in_buffer(&slot);
            self.homes[*index] = Home::Structures { member, field: fields.len() as u32, stored };
            let (ty, _) = self.member_type(&slot, stored);
            let name = &self.program.globals[*index].global;
            let name = structures::names(name).map_or(&name.name[..], |(_, member)| member).to_owned();
            fields.push(StructMember { name: Some(name), ty, binding: None, offset: place });
        }
        if end.next_multiple_of(16) < array.step {
            self.padding(&mut fields, end, array.step);
        }
        let first = array.members.first().map(|index| &self.program.globals[*index].global);
        let name = first.and_then(structures::names).map_or("items", |(name, _)| name).to_owned();
        let inner = TypeInner::Struct { members: fields, span: array.step };
        let ty = Type { name: Some(self.names.add(&format!("{name}_element"))), inner };
        let ty = self.module.types.insert(ty, Span::UNDEFINED);
        let ty = types::array(&mut self.module, ty, array.count.max(1), array.step);
        StructMember { name: Some(name), ty, binding: None, offset: array.start }
    }

    /// Members between two places in bytes.
    fn padding(&mut self, members: &mut Vec<StructMember>, mut from: u32, to: u32) {
        while from < to {
            let whole = (to - from) / 16;
            let (ty, size) = if from.is_multiple_of(16) && whole > 0 {
                let quad = self.ty(position_type());
                (types::array(&mut self.module, quad, whole, 16), 16 * whole)
            } else {
                (self.ty(ast::Type { scalar: Scalar::Float, components: 1 }), 4)
            };
            let name = Some(self.names.add("padding"));
            members.push(StructMember { name, ty, binding: None, offset: from });
            from += size;
        }
    }

    /// Type of a member of the buffer and its size in bytes.
    fn member_type(&mut self, slot: &Slot, stored: Stored) -> (Handle<Type>, u32) {
        let elements = slot.elements();
        let padded = |scalar| ast::Type { scalar, components: 4 };
        match stored {
            Stored::Matrix => {
                let columns = types::size(u8::try_from(elements).unwrap_or(4));
                let rows = types::size(slot.ty.components);
                let quad = ::naga::VectorSize::Quad;
                let ty = types::matrix(&mut self.module, columns.unwrap_or(quad), rows.unwrap_or(quad));
                (ty, elements * 16)
            }
            Stored::Word => {
                let words = ast::Type { scalar: Scalar::Uint, ..slot.ty };
                (self.ty(words), 4 * u32::from(slot.ty.components))
            }
            Stored::Plain if slot.form == Form::Single => {
                (self.ty(slot.ty), 4 * u32::from(slot.ty.components))
            }
            _ => {
                let element = match stored {
                    Stored::Plain => slot.ty,
                    Stored::PaddedWord => padded(Scalar::Uint),
                    _ => padded(slot.ty.scalar),
                };
                let base = self.ty(element);
                (types::array(&mut self.module, base, elements, 16), elements.saturating_mul(16))
            }
        }
    }

    fn private_arrays(&mut self) {
        for (index, array) in self.program.arrays.iter().enumerate() {
            let word = self.ty(ast::Type { scalar: Scalar::Uint, components: 1 });
            let ty = types::array(&mut self.module, word, array.words.max(1), 4);
            let name = self.names.arrays[index].clone();
            let variable = self.private(&name, ty);
            self.arrays.push(variable);
        }
    }

    fn function(&mut self, index: usize, function: &ast::Function) -> Result<(), Error> {
        let result = match function.results.as_slice() {
            [] => None,
            &[only] => Some(self.ty(only)),
            several => Some(self.result_struct(index, several)),
        };
        let arguments = function
            .params
            .iter()
            .map(|param| FunctionArgument {
                name: Some(self.names.locals[index][param.0 as usize].clone()),
                ty: self.ty(function.locals[param.0 as usize].ty),
                binding: None,
            })
            .collect();
        let lowered = Function {
            name: Some(self.names.functions[index].clone()),
            arguments,
            result: result.map(|ty| FunctionResult { ty, binding: None }),
            ..Function::default()
        };
        let names = self.names.locals[index].clone();
        let mut body = Body::new(self, function, names, lowered);
        body.start(if function.results.len() > 1 { result } else { None })?;
        body.statements(&function.body)?;
        let lowered = body.finish();
        let at = self.module.functions.append(lowered, Span::UNDEFINED);
        self.functions.push(at);
        self.finish_levels(Some(at));
        Ok(())
    }

    fn finish_levels(&mut self, at: Option<Handle<Function>>) {
        if let Some(levels) = &mut self.levels {
            levels.finish(at);
        }
    }

    /// A structure for several results.
    fn result_struct(&mut self, index: usize, results: &[ast::Type]) -> Handle<Type> {
        let (mut offset, mut widest) = (0u32, 16);
        let mut members = Vec::with_capacity(results.len());
        for (place, &ty) in results.iter().enumerate() {
            let size = if ty.scalar == Scalar::Double { 8 } else { 4 };
            let align: u32 = match ty.components {
                1 => size,
                2 => 2 * size,
                _ => 4 * size,
            };
            widest = widest.max(align);
            offset = offset.next_multiple_of(align);
            members.push(StructMember {
                name: Some(format!("value{place}")),
                ty: self.ty(ty),
                binding: None,
                offset,
            });
            offset += size * u32::from(ty.components);
        }
        let inner = TypeInner::Struct { members, span: offset.next_multiple_of(widest) };
        let name = format!("{}_result", self.names.functions[index]);
        let name = self.names.add(&name);
        self.module.types.insert(Type { name: Some(name), inner }, Span::UNDEFINED)
    }

    fn entry(&mut self, index: usize, function: &ast::Function) -> Result<(), Error> {
        let arguments = self.entry_arguments();
        let (ty, outputs) = self.entry_result();
        let lowered = Function {
            name: None,
            arguments,
            result: ty.map(|ty| FunctionResult { ty, binding: None }),
            ..Function::default()
        };
        let names = self.names.locals[index].clone();
        let mut body = Body::new(self, function, names, lowered);
        body.start_entry(ty, outputs)?;
        body.statements(&function.body)?;
        body.drop_at_end();
        body.return_outputs();
        let function = body.finish();
        self.module.entry_points.push(EntryPoint {
            name: super::ENTRY.to_owned(),
            stage: match self.kind {
                StageKind::Fragment => ShaderStage::Fragment,
                StageKind::Compute => ShaderStage::Compute,
                _ => ShaderStage::Vertex,
            },
            early_depth_test: self.early_tests.then_some(::naga::EarlyDepthTest::Force),
            workgroup_size: match self.kind {
                StageKind::Compute => self.local_size.map(|size| size.max(1)),
                _ => [0; 3],
            },
            workgroup_size_overrides: None,
            function,
            mesh_info: None,
            task_payload: None,
            incoming_ray_payload: None,
        });
        self.finish_levels(None);
        Ok(())
    }

    /// A parameter for each input or element of one.
    fn entry_arguments(&mut self) -> Vec<FunctionArgument> {
        let mut arguments = Vec::new();
        for (index, slot) in self.slots.clone().iter().enumerate() {
            if let Role::BuiltIn(built_in) = slot.role {
                let (binding, ty) = built_in_input(built_in);
                let name = Some(self.names.globals[index].clone());
                let binding = Some(Binding::BuiltIn(binding));
                arguments.push(FunctionArgument { name, ty: self.ty(ty), binding });
            }
            if slot.role != Role::Input {
                continue;
            }
            // Of a fragment program's inputs it has to be said how they come from the corners.
            let is_float = slot.ty.scalar == Scalar::Float;
            let global = &self.program.globals[index].global;
            let interpolation = (self.kind == StageKind::Fragment).then_some(match global.interpolation {
                _ if !is_float => Interpolation::Flat,
                unshade_ir::Interpolation::Flat => Interpolation::Flat,
                unshade_ir::Interpolation::Linear => Interpolation::Linear,
                unshade_ir::Interpolation::Smooth => Interpolation::Perspective,
            });
            let sampling = match global.sampling {
                unshade_ir::Sampling::Center => Sampling::Center,
                unshade_ir::Sampling::Centroid => Sampling::Centroid,
                unshade_ir::Sampling::Sample => Sampling::Sample,
            };
            let sampling = interpolation.filter(|kind| *kind != Interpolation::Flat).map(|_| sampling);
            for element in 0..slot.elements().max(1) {
                let name = &self.names.globals[index];
                let name = match slot.form {
                    Form::Single => name.clone(),
                    _ => format!("{name}_{element}"),
                };
                let location = slot.place.saturating_add(element);
                let binding = Some(Binding::Location {
                    location,
                    interpolation,
                    sampling,
                    blend_src: None,
                    per_primitive: false,
                });
                arguments.push(FunctionArgument { name: Some(name), ty: self.ty(slot.ty), binding });
            }
        }
        arguments
    }

    /// The structure that the entry returns, and the global and element behind each member; the position,
    /// which every vertex program has to give, comes first and has none.
    fn entry_result(&mut self) -> (Option<Handle<Type>>, Outputs) {
        let mut members = Vec::new();
        let mut offset = 0u32;
        let is_vertex = self.kind == StageKind::Vertex;
        if is_vertex {
            members.push(StructMember {
                name: Some("position".to_owned()),
                ty: self.ty(position_type()),
                binding: Some(Binding::BuiltIn(BuiltIn::Position { invariant: false })),
                offset,
            });
            offset = 16;
        }
        let mut outputs = Vec::new();
        for (index, slot) in self.slots.clone().iter().enumerate() {
            if slot.role == Role::PointSize {
                let name = Some(self.names.globals[index].clone());
                let binding = Some(Binding::BuiltIn(BuiltIn::PointSize));
                members.push(StructMember { name, ty: self.ty(slot.ty), binding, offset });
                offset = offset.saturating_add(16);
                outputs.push((GlobalRef(u32::try_from(index).unwrap_or(u32::MAX)), None));
            }
            if slot.role == Role::Fixed(interface::Fixed::Depth) {
                let name = Some(self.names.globals[index].clone());
                let binding = Some(Binding::BuiltIn(BuiltIn::FragDepth));
                members.push(StructMember { name, ty: self.ty(slot.ty), binding, offset });
                offset = offset.saturating_add(16);
                outputs.push((GlobalRef(u32::try_from(index).unwrap_or(u32::MAX)), None));
            }
            if slot.role != Role::Output {
                continue;
            }
            for element in 0..slot.elements().max(1) {
                let name = &self.names.globals[index];
                let (name, element_index) = match slot.form {
                    Form::Single => (name.clone(), None),
                    _ => (format!("{name}_{element}"), Some(element)),
                };
                let is_float = slot.ty.scalar == Scalar::Float;
                let binding = Some(Binding::Location {
                    location: slot.place.saturating_add(element),
                    interpolation: is_vertex.then_some(if is_float {
                        Interpolation::Perspective
                    } else {
                        Interpolation::Flat
                    }),
                    sampling: (is_vertex && is_float).then_some(Sampling::Center),
                    blend_src: None,
                    per_primitive: false,
                });
                members.push(StructMember { name: Some(name), ty: self.ty(slot.ty), binding, offset });
                offset = offset.saturating_add(16);
                outputs.push((GlobalRef(u32::try_from(index).unwrap_or(u32::MAX)), element_index));
            }
        }
        if members.is_empty() {
            return (None, outputs);
        }
        let inner = TypeInner::Struct { members, span: offset };
        let name = Some(self.names.add(if is_vertex { "VertexOutput" } else { "FragmentOutput" }));
        (Some(self.module.types.insert(Type { name, inner }, Span::UNDEFINED)), outputs)
    }
}

const UINT: ast::Type = ast::Type { scalar: Scalar::Uint, components: 1 };

/// What naga calls an input of the pipeline, and its type.
fn built_in_input(built_in: interface::BuiltIn) -> (BuiltIn, ast::Type) {
    let float = |components| ast::Type { scalar: Scalar::Float, components };
    match built_in {
        interface::BuiltIn::FragCoord => (BuiltIn::Position { invariant: false }, float(4)),
        interface::BuiltIn::PointCoord => (BuiltIn::PointCoord, float(2)),
        interface::BuiltIn::VertexId => (BuiltIn::VertexIndex, UINT),
        interface::BuiltIn::InstanceId => (BuiltIn::InstanceIndex, UINT),
        // The others are refused before.
        interface::BuiltIn::PrimitiveId | interface::BuiltIn::Positions | interface::BuiltIn::PointSizes => {
            (BuiltIn::PrimitiveIndex, UINT)
        }
        interface::BuiltIn::System(system) => {
            let components = system.components;
            let ty = ast::Type { scalar: Scalar::Uint, components };
            (system_input(system.semantic).unwrap_or(BuiltIn::PrimitiveIndex), ty)
        }
        interface::BuiltIn::FrontFacing => {
            (BuiltIn::FrontFacing, ast::Type { scalar: Scalar::Bool, components: 1 })
        }
    }
}

/// What naga calls an input; none for one that it does not have.
fn system_input(semantic: &str) -> Option<BuiltIn> {
    Some(match semantic {
        "sample-id" => BuiltIn::SampleIndex,
        "sample-mask-in" => BuiltIn::SampleMask,
        "workgroup-id" => BuiltIn::WorkGroupId,
        "workgroup-count" => BuiltIn::NumWorkGroups,
        "local-id" => BuiltIn::LocalInvocationId,
        "global-id" => BuiltIn::GlobalInvocationId,
        "local-index" => BuiltIn::LocalInvocationIndex,
        _ => return None,
    })
}

/// Whether naga has an input.
pub(super) fn has_input(system: &System) -> bool {
    system_input(system.semantic).is_some()
}

/// The position is whole even where the program writes a part of it.
pub(super) fn position_type() -> ast::Type {
    ast::Type { scalar: Scalar::Float, components: 4 }
}

/// A finite literal of one component.
pub(super) fn literal(scalar: Scalar, bits: u64) -> Literal {
    let word = bits as u32;
    match scalar {
        Scalar::Bool => Literal::Bool(bits != 0),
        Scalar::Int => Literal::I32(word.cast_signed()),
        Scalar::Uint => Literal::U32(word),
        Scalar::Float => Literal::F32(f32::from_bits(word)),
        Scalar::Double => Literal::F64(f64::from_bits(bits)),
    }
}

fn stored_in_buffer(slot: &Slot) -> Stored {
    match (slot.ty.scalar, slot.form) {
        (Scalar::Bool, Form::Single) => Stored::Word,
        (Scalar::Bool, _) => Stored::PaddedWord,
        (_, Form::Single) => Stored::Plain,
        // The columns of a matrix of two rows are 8 bytes apart in these languages.
        (_, Form::Matrix(_) | Form::Columns(_, 0)) if slot.ty.components > 2 => Stored::Matrix,
        _ if slot.ty.components > 2 => Stored::Plain,
        _ => Stored::Padded,
    }
}

/// Which globals functions other than the entry use.
fn shared_globals(program: &Program) -> Vec<bool> {
    let mut shared = vec![false; program.globals.len()];
    let functions = program.functions.split_last().map_or(&[][..], |(_, functions)| functions);
    for function in functions {
        visit::globals(&function.body, &mut |global| shared[global.0 as usize] = true);
    }
    shared
}
