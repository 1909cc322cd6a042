//! Blocks: their members, their layout in memory, and `gl_PerVertex` declared again.

use super::layout::Of;
use super::qualifier::{Qualifiers, Word};
use super::scope::Entry;
use super::{Checked, Checker};
use crate::builtins::PER_VERTEX;
use crate::errors::{Kind, Problem};
use crate::language::{Stage, since, since_or};
use crate::parse::syntax;
use crate::place::Span;
use crate::tree::{Block, BlockMember, Id, Interpolation, Layout, MatrixLayout, Storage, VariableId};
use crate::types::layout::{Packing, extent_with, next_multiple};
use crate::types::{Length, Part, Struct, Type};

impl Checker<'_> {
    /// A block.
    pub(super) fn block(&mut self, block: &syntax::Block) -> Checked<()> {
        let qualifiers = self.qualifiers(&block.qualifiers);
        let name_text = self.text(block.name.symbol).to_owned();
        if name_text == "gl_PerVertex" {
            return self.per_vertex(block, &qualifiers);
        }
        let done = self.block_inner(block, &qualifiers, &name_text);
        if done.is_none() {
            // Its names are known as wrong.
            match &block.instance {
                Some((name, _)) => self.wrong(*name),
                None => {
                    for declarator in block.members.iter().flat_map(|member| &member.declarators) {
                        self.wrong(declarator.name);
                    }
                }
            }
        }
        done
    }

    fn block_inner(
        &mut self,
        block: &syntax::Block,
        qualifiers: &Qualifiers<'_>,
        name_text: &str,
    ) -> Checked<()> {
        let stage = self.language.stage;
        let Some((word, word_span)) = qualifiers.word else {
            let problem = Problem::error(
                Kind::Qualifier,
                block.name.span,
                format!("the block `{name_text}` has no storage"),
            );
            self.report(problem.help("`uniform`, `buffer`, `in` or `out` before its name"));
            return None;
        };
        let storage = match word {
            Word::Uniform => {
                self.need(&Self::UNIFORM_BLOCKS, block.name.span, "uniform blocks");
                Storage::Uniform
            }
            Word::Buffer => {
                let since = since_or(430, 310, &["GL_ARB_shader_storage_buffer_object"]);
                self.need(&since, block.name.span, "buffer blocks");
                Storage::Buffer
            }
            Word::In | Word::Out => {
                self.need(&Self::IO_BLOCKS, block.name.span, "blocks between stages");
                let is_outside = match (stage, word) {
                    (Stage::Vertex, Word::In) => Some("the attributes of a vertex shader"),
                    (Stage::Fragment, Word::Out) => Some("the colours of a fragment shader"),
                    (Stage::Compute, _) => Some("a compute shader"),
                    _ => None,
                };
                if let Some(place) = is_outside {
                    self.error(Kind::Qualifier, word_span, format!("{place} cannot be a block"));
                    return None;
                }
                if word == Word::In { Storage::In } else { Storage::Out }
            }
            Word::Shared if self.language.is_enabled("GL_EXT_shared_memory_block") => Storage::Shared,
            _ => {
                self.error(Kind::Qualifier, word_span, format!("a block cannot be `{}`", word.text()));
                return None;
            }
        };
        let mut layout = self.layout_of(qualifiers, Of::Block(word));
        let is_memory = matches!(storage, Storage::Uniform | Storage::Buffer);
        if let Some(span) = qualifiers.memory_span
            && !is_memory
        {
            self.error(Kind::Qualifier, span, "only buffers have qualifiers of memory");
        }
        if qualifiers.is_const.is_some()
            || qualifiers.precision != Default::default()
            || qualifiers.is_invariant
        {
            self.error(Kind::Qualifier, qualifiers.span, "a block has no such qualifier; its members may");
        }
        if is_memory && let Some(span) = qualifiers.interpolation_span {
            self.error(Kind::Qualifier, span, "uniforms and buffers are not interpolated");
        }
        let members = self.members(&block.members, true)?;
        let defaults = if storage == Storage::Buffer { self.defaults.buffer } else { self.defaults.uniform };
        let vulkan_default = match storage {
            Storage::Buffer => Packing::Std430,
            _ if layout.is_push_constant => Packing::Std430,
            _ => Packing::Std140,
        };
        let packing = layout.packing.or(defaults.0).unwrap_or(match self.language.is_vulkan() {
            true => vulkan_default,
            false => Packing::Shared,
        });
        let matrix = layout.matrix.or(defaults.1).unwrap_or(MatrixLayout::ColumnMajor);
        if is_memory {
            layout.packing = Some(packing);
        }
        if layout.offset.is_some() {
            self.error(Kind::Layout, qualifiers.span, "`offset` is of the members of a block");
        }
        // What is said of each member.
        let mut said = Vec::new();
        let mut types: Vec<Type> = members.iter().map(|member| member.ty).collect();
        let count = members.len();
        let mut number = 0;
        for declaration in &block.members {
            let of_member = self.qualifiers(&declaration.qualifiers);
            let mut member = self.block_member(&of_member, word, qualifiers, matrix);
            // One location for several members is that of none.
            if declaration.declarators.len() > 1 {
                member.layout.location = None;
            }
            for declarator in &declaration.declarators {
                if let Some(ty) = types.get_mut(number) {
                    *ty = self.block_member_type(
                        *ty,
                        storage,
                        number + 1 == count,
                        declarator.name.span,
                        &member,
                    );
                }
                said.push(member.clone());
                number += 1;
            }
        }
        self.check_locations(&said, &layout, block.name.span, is_memory);
        let mut members = members;
        for (member, ty) in members.iter_mut().zip(&types) {
            member.ty = *ty;
        }
        let structure = self.types.add_struct(Struct {
            name: name_text.to_owned(),
            members,
            span: block.name.span,
            is_block: true,
        });
        let mut ty = Type::Struct(structure);
        self.small_enough(ty, block.name.span)?;
        let size = match is_memory {
            true => self.place_members(ty, &mut said, packing, &layout),
            false => 0,
        };
        let mut by_stage = None;
        if let Some((instance, arrays)) = &block.instance {
            self.check_name(*instance);
            ty = self.arrays_of(ty, &[], arrays, instance.span)?;
            if !arrays.is_empty() && is_memory {
                self.need(&since(140, 300), instance.span, "arrays of blocks");
            }
        }
        let unsized_id = match ty {
            Type::Array(id) if self.types.get_array(id).length == Length::Implicit => Some(id),
            _ => None,
        };
        let instance = block.instance.as_ref().map(|(name, _)| *name);
        let name = instance.map_or(String::new(), |name| self.text(name.symbol).to_owned());
        let span = instance.map_or(block.name.span, |name| name.span);
        let mut variable = Self::plain_variable(name, ty, storage, span);
        variable.auxiliary = qualifiers.auxiliary;
        variable.interpolation = qualifiers.interpolation;
        variable.memory = qualifiers.memory;
        variable.layout = layout;
        if let Some(side) = self.stage_array_side(&variable) {
            match ty {
                Type::Array(id) => by_stage = Some((id, side)),
                _ => {
                    let message =
                        format!("the block `{name_text}` must be an array: it has values for each vertex");
                    self.report(Problem::error(Kind::Type, span, message).help("`} name[];`"));
                }
            }
        }
        if let Some((id, side)) = by_stage {
            self.stage_arrays.push((id, side));
            match (self.stage_array_length(side), unsized_id) {
                (Some(length), Some(id)) => self.types.set_length(id, Length::Known(length)),
                (Some(length), None) => {
                    let known = self.types.length(ty).unwrap_or(length);
                    if known != length {
                        let message =
                            format!("`{name_text}` has {known} elements, and the layout asks for {length}");
                        self.error(Kind::Layout, span, message);
                    }
                }
                _ => {}
            }
        } else if unsized_id.is_some() && self.is_es() {
            self.error(Kind::Type, span, "an array of blocks needs a size");
        }
        let id: VariableId = self.next_variable();
        variable.block = Some(Id::new(self.blocks.len()));
        self.blocks.push(Block {
            name: name_text.to_owned(),
            variable: id,
            structure,
            packing,
            members: said,
            size,
            span: block.name.span,
        });
        self.variables.push(variable);
        self.globals.push(id);
        self.declare_block_name(block.name, storage)?;
        match instance {
            Some(instance) => {
                if self.may_declare(instance) {
                    self.scopes.declare(instance.symbol, Entry::Variable(id), instance.span);
                }
            }
            None => {
                for (number, declarator) in
                    (0..).zip(block.members.iter().flat_map(|member| &member.declarators))
                {
                    let name = declarator.name;
                    self.check_name(name);
                    if self.may_declare(name) {
                        self.scopes.declare(name.symbol, Entry::Member(id, number), name.span);
                    }
                }
            }
        }
        Some(())
    }

    /// The name of a block, which no variable may have.
    fn declare_block_name(&mut self, name: syntax::Name, storage: Storage) -> Checked<()> {
        let text = self.text(name.symbol).to_owned();
        self.check_name(name);
        self.charge(self.blocks.len(), name.span);
        let same = |block: &Block, this: &Self| {
            block.name == text
                && this.variables.get(block.variable).map(|variable| variable.storage) == Some(storage)
        };
        let twice = self.blocks.iter().filter(|(_, block)| same(block, self)).count() > 1;
        if twice {
            self.error(Kind::Redeclared, name.span, format!("the block `{text}` is declared twice"));
            return None;
        }
        match self.scopes.here(name.symbol) {
            Some((Entry::Wrong, _)) | None => {}
            Some((_, first)) => {
                let problem =
                    Problem::error(Kind::Redeclared, name.span, format!("`{text}` is declared twice"));
                self.report(problem.note(Some(first), "the first one is here"));
            }
        }
        Some(())
    }

    fn block_member(
        &mut self,
        qualifiers: &Qualifiers<'_>,
        word: Word,
        of_block: &Qualifiers<'_>,
        matrix: MatrixLayout,
    ) -> BlockMember {
        let is_memory = matches!(word, Word::Uniform | Word::Buffer);
        if let Some((other, span)) = qualifiers.word {
            let fits = other == word
                || (word == Word::In && self.language.stage == Stage::Fragment && other == Word::Varying);
            if !fits {
                let message = format!("a member is `{}` in a block that is `{}`", other.text(), word.text());
                self.error(Kind::Qualifier, span, message);
            }
        }
        if let Some(span) = qualifiers.is_const {
            self.error(Kind::Qualifier, span, "members of a block are not `const`");
        }
        if is_memory && let Some(span) = qualifiers.interpolation_span {
            self.error(Kind::Qualifier, span, "uniforms and buffers are not interpolated");
        }
        if is_memory && qualifiers.is_invariant {
            self.error(Kind::Qualifier, qualifiers.span, "uniforms and buffers are not `invariant`");
        }
        if let Some(span) = qualifiers.memory_span
            && !is_memory
        {
            self.error(Kind::Qualifier, span, "only buffers have qualifiers of memory");
        }
        let layout = self.layout_of(qualifiers, Of::Member(word));
        let mut memory = qualifiers.memory;
        memory.coherent |= of_block.memory.coherent;
        memory.is_volatile |= of_block.memory.is_volatile;
        memory.is_restrict |= of_block.memory.is_restrict;
        memory.is_readonly |= of_block.memory.is_readonly;
        memory.is_writeonly |= of_block.memory.is_writeonly;
        BlockMember {
            offset: 0,
            array_stride: 0,
            matrix_stride: 0,
            is_row_major: layout.matrix.unwrap_or(matrix) == MatrixLayout::RowMajor,
            layout,
            interpolation: match qualifiers.interpolation {
                Interpolation::Unspecified => of_block.interpolation,
                said => said,
            },
            auxiliary: match qualifiers.auxiliary {
                crate::tree::Auxiliary::None => of_block.auxiliary,
                said => said,
            },
            is_invariant: qualifiers.is_invariant,
            is_precise: qualifiers.is_precise,
            memory,
            meaning: None,
        }
    }

    /// The type of a member: an array without a size at the end of a buffer is as long as the buffer.
    fn block_member_type(
        &mut self,
        ty: Type,
        storage: Storage,
        is_last: bool,
        span: Span,
        member: &BlockMember,
    ) -> Type {
        if self.types.has(ty, Part::Opaque) || self.types.has(ty, Part::AtomicCounter) {
            self.error(Kind::Type, span, format!("{} cannot be in a block", self.shown(ty)));
        }
        let is_memory = matches!(storage, Storage::Uniform | Storage::Buffer);
        if !is_memory && self.types.has(ty, Part::Bool) {
            self.report(Problem::warning(Kind::Type, span, "a `bool` does not go between stages"));
        }
        if self.language.stage == Stage::Fragment
            && storage == Storage::In
            && member.interpolation != Interpolation::Flat
            && (self.types.has(ty, Part::Integer) || self.types.has(ty, Part::Double))
        {
            let problem =
                Problem::warning(Kind::Qualifier, span, "whole numbers and doubles are not interpolated");
            self.report(problem.help("`flat` before the member says so"));
        }
        let Type::Array(id) = ty else { return ty };
        let array = self.types.get_array(id);
        if array.length != Length::Implicit {
            return ty;
        }
        match storage {
            Storage::Buffer if is_last => self.types.array(array.element, Length::Runtime),
            _ if self.is_es() => {
                let problem = Problem::error(Kind::Type, span, "this array needs a size");
                self.report(problem.help("only the last member of a buffer has none"));
                ty
            }
            _ => ty,
        }
    }

    /// All members of a block between stages have a location, or none.
    fn check_locations(&mut self, members: &[BlockMember], block: &Layout, span: Span, is_memory: bool) {
        if is_memory || block.location.is_some() {
            return;
        }
        let with = members.iter().filter(|member| member.layout.location.is_some()).count();
        if with > 0 && with < members.len() {
            let message = "some members of the block have a location and some have none";
            self.error(Kind::Layout, span, message);
        }
    }

    /// Gives each member its offset; the size of the whole.
    fn place_members(&mut self, ty: Type, said: &mut [BlockMember], packing: Packing, block: &Layout) -> u32 {
        let Type::Struct(id) = ty else { return 0 };
        let members: Vec<(Type, Span)> =
            self.types.structure(id).members.iter().map(|member| (member.ty, member.span)).collect();
        let (mut end, mut largest) = (0u32, 1);
        for (member, (ty, span)) in said.iter_mut().zip(members) {
            let one = extent_with(&self.types, ty, packing, member.is_row_major, &mut self.extents);
            let mut offset = next_multiple(end, one.align);
            if let Some(asked) = member.layout.offset {
                if asked % one.align.max(1) != 0 {
                    let message = format!("`offset` is {asked}; it must be a multiple of {} here", one.align);
                    self.error(Kind::Layout, span, message);
                } else if asked < end && !self.language.is_vulkan() {
                    let message = format!("`offset` is {asked}, and the member before ends at {end}");
                    self.error(Kind::Layout, span, message);
                }
                offset = asked;
            }
            let align = member.layout.align.or(block.align).unwrap_or(1);
            offset = next_multiple(offset, align);
            member.offset = offset;
            member.array_stride = one.array_stride;
            member.matrix_stride = one.matrix_stride;
            end = offset.saturating_add(one.size);
            largest = largest.max(one.align);
        }
        if !matches!(packing, Packing::Std430 | Packing::Scalar) {
            largest = next_multiple(largest, 16);
        }
        next_multiple(end, largest)
    }

    /// `out gl_PerVertex { ... };`, `in gl_PerVertex { ... } gl_in[];`
    fn per_vertex(&mut self, block: &syntax::Block, qualifiers: &Qualifiers<'_>) -> Checked<()> {
        let stage = self.language.stage;
        let since = since_or(
            410,
            320,
            &[
                "GL_ARB_separate_shader_objects",
                "GL_EXT_shader_io_blocks",
                "GL_OES_shader_io_blocks",
                "GL_EXT_geometry_shader",
                "GL_EXT_tessellation_shader",
            ],
        );
        if self.language.version.number < 150 || self.is_es() {
            self.need(&since, block.name.span, "blocks of built-ins declared again");
        }
        let word = qualifiers.word.map(|(word, _)| word);
        let instance = block.instance.as_ref().map(|(name, arrays)| (*name, arrays));
        let instance_text = instance.map(|(name, _)| self.text(name.symbol).to_owned());
        let fits = match (word, stage) {
            (Some(Word::Out), Stage::Vertex | Stage::TessellationEvaluation | Stage::Geometry) => {
                instance_text.is_none()
            }
            (Some(Word::Out), Stage::TessellationControl) => instance_text.as_deref() == Some("gl_out"),
            (
                Some(Word::In),
                Stage::TessellationControl | Stage::TessellationEvaluation | Stage::Geometry,
            ) => instance_text.as_deref() == Some("gl_in"),
            _ => false,
        };
        if !fits {
            let message = format!("`gl_PerVertex` cannot be declared so in a {stage} shader");
            let problem = Problem::error(Kind::Redeclared, block.name.span, message);
            self.report(problem.help("`out gl_PerVertex { ... };`, `in gl_PerVertex { ... } gl_in[];`"));
            return None;
        }
        let word = word?;
        let members = self.members(&block.members, true)?;
        for declaration in &block.members {
            let of_member = self.qualifiers(&declaration.qualifiers);
            let _ = self.layout_of(&of_member, Of::Member(word));
        }
        for member in &members {
            let Some((_, ty, ..)) = PER_VERTEX.iter().find(|row| row.0 == member.name) else {
                let message = format!("`gl_PerVertex` has no member `{}`", member.name);
                let names = PER_VERTEX.iter().map(|row| row.0);
                self.report(Problem::error(Kind::Redeclared, member.span, message).near(&member.name, names));
                return None;
            };
            let element = match member.ty {
                Type::Array(id) if ty.ends_with("[]") => self.types.get_array(id).element,
                other => other,
            };
            if Type::by_name(ty.trim_end_matches("[]")) != Some(element) {
                let message =
                    format!("`{}` is a `{ty}`, and cannot be {}", member.name, self.shown(member.ty));
                self.error(Kind::Redeclared, member.span, message);
                return None;
            }
        }
        match instance {
            None => {
                self.per_vertex = Some(members.iter().map(|member| member.name.clone()).collect());
                for member in members {
                    if let Some(id) = self.built_in(&member.name, member.span) {
                        self.give_size(id, member.ty);
                    }
                }
            }
            Some((name, arrays)) => {
                let is_output = word == Word::Out;
                let length = match arrays.first() {
                    Some(Some(_)) => Some(self.arrays_of(Type::FLOAT, &[], arrays, name.span)?),
                    _ => None,
                };
                let length = length.and_then(|ty| self.types.length(ty));
                self.per_vertex_array(name.span, &members, is_output, length);
            }
        }
        Some(())
    }

    /// A built-in array gets the size of its new declaration.
    pub(super) fn give_size(&mut self, id: VariableId, ty: Type) {
        let Some(variable) = self.variables.get(id) else { return };
        if let (Type::Array(old), Some(length)) = (variable.ty, self.types.length(ty)) {
            self.types.set_length(old, Length::Known(length));
        }
    }
}
