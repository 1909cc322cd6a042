//! Memory that invocations share, images, barriers, dropped pixels, functions on bits.

use super::body::Body;
use super::expression::Lowered;
use super::lower::Lower;
use super::types;
use crate::Error;
use crate::visit;
use ::naga::{
    AddressSpace, ArraySize, AtomicFunction, Barrier, Block, Expression, GlobalVariable, Handle, ImageClass,
    ImageDimension, ImageQuery as Asked, MathFunction, MemoryDecorations, PredeclaredType, ResourceBinding,
    Span, Statement, StorageAccess, StorageFormat, StructMember, Type as Declared, TypeInner,
};
use std::collections::BTreeMap;
use unshade_ir::ast::{Act, Action, Builtin, Expr, ExprKind, GlobalRef, Place, Scalar, Stmt, Type};
use unshade_ir::{AtomicOp, Image, ImageFormat, ImageQuery, Shape, Space, Texel, TextureShape};
use unshade_stage::StageKind;

/// Bind group of storage buffers, and that of images.
const BUFFERS: u32 = 2;
const IMAGES: u32 = 3;

/// What of the surroundings was declared.
#[derive(Debug, Default)]
pub(super) struct Memories {
    /// As [`unshade_ir::ast::Program::memories`]: the variable, and which member of its structure, if it is one.
    words: Vec<(Handle<GlobalVariable>, Option<u32>)>,
    /// Whether their words are changed at once, in the same order.
    atomic: Vec<bool>,
    /// Images by global.
    images: BTreeMap<u32, Handle<GlobalVariable>>,
    /// Whether the pixel is dropped, where that can happen before the end.
    dropped: Option<Handle<GlobalVariable>>,
}

/// Whether a program changes memory at once.
pub(super) fn has_atomics(program: &unshade_ir::ast::Program) -> bool {
    let mut found = false;
    for function in &program.functions {
        visit::statements(&function.body, &mut |statement| {
            found |= matches!(statement, Stmt::Act(act) if matches!(act.action, Action::Atomic(..)));
        });
    }
    found
}

/// What naga calls a format; none for one that it does not have.
fn format(format: ImageFormat) -> Option<StorageFormat> {
    use ImageFormat as From;
    use StorageFormat as To;
    Some(match format {
        From::Rgba32f => To::Rgba32Float,
        From::Rgba16f => To::Rgba16Float,
        From::Rg32f => To::Rg32Float,
        From::Rg16f => To::Rg16Float,
        From::R11fG11fB10f => To::Rg11b10Ufloat,
        From::R32f => To::R32Float,
        From::R16f => To::R16Float,
        From::Rgba16 => To::Rgba16Unorm,
        From::Rgb10A2 => To::Rgb10a2Unorm,
        From::Rgba8 => To::Rgba8Unorm,
        From::Rg16 => To::Rg16Unorm,
        From::Rg8 => To::Rg8Unorm,
        From::R16 => To::R16Unorm,
        From::R8 => To::R8Unorm,
        From::Rgba16Snorm => To::Rgba16Snorm,
        From::Rgba8Snorm => To::Rgba8Snorm,
        From::Rg16Snorm => To::Rg16Snorm,
        From::Rg8Snorm => To::Rg8Snorm,
        From::R16Snorm => To::R16Snorm,
        From::R8Snorm => To::R8Snorm,
        From::Rgba32i => To::Rgba32Sint,
        From::Rgba16i => To::Rgba16Sint,
        From::Rgba8i => To::Rgba8Sint,
        From::Rg32i => To::Rg32Sint,
        From::Rg16i => To::Rg16Sint,
        From::Rg8i => To::Rg8Sint,
        From::R32i => To::R32Sint,
        From::R16i => To::R16Sint,
        From::R8i => To::R8Sint,
        From::Rgba32ui => To::Rgba32Uint,
        From::Rgba16ui => To::Rgba16Uint,
        From::Rgb10A2ui => To::Rgb10a2Uint,
        From::Rgba8ui => To::Rgba8Uint,
        From::Rg32ui => To::Rg32Uint,
        From::Rg16ui => To::Rg16Uint,
        From::Rg8ui => To::Rg8Uint,
        From::R32ui => To::R32Uint,
        From::R16ui => To::R16Uint,
        From::R8ui => To::R8Uint,
    })
}

/// How naga sees a shape of images, and whether the last coordinate is a layer.
fn dimension(shape: TextureShape) -> Option<(ImageDimension, bool)> {
    Some(match shape {
        TextureShape::Line => (ImageDimension::D1, false),
        TextureShape::Plane | TextureShape::Rectangle => (ImageDimension::D2, false),
        TextureShape::Volume => (ImageDimension::D3, false),
        TextureShape::PlaneArray => (ImageDimension::D2, true),
        _ => return None,
    })
}

/// How an image is used.
fn access(program: &unshade_ir::ast::Program, global: u32) -> StorageAccess {
    let mut access = StorageAccess::empty();
    for function in &program.functions {
        visit::block(&function.body, &mut |node| {
            if let visit::Node::Expr(Expr { kind: ExprKind::Image(found, image, _), .. }) = node
                && (found.0, image.query) == (global, ImageQuery::Load)
            {
                access |= StorageAccess::LOAD;
            }
        });
        visit::statements(&function.body, &mut |statement| {
            let Stmt::Act(act) = statement else { return };
            let Action::Image(found, image) = act.action else { return };
            if found.0 == global {
                access |= match image.query {
                    ImageQuery::Atomic(_) => {
                        StorageAccess::LOAD | StorageAccess::STORE | StorageAccess::ATOMIC
                    }
                    _ => StorageAccess::STORE,
                };
            }
        });
    }
    if access.is_empty() { StorageAccess::LOAD } else { access }
}

impl Lower<'_> {
    /// Declares memory and images, and what notes that a pixel is dropped.
    pub fn declare_memories(&mut self) -> Result<(), Error> {
        let program = self.program;
        let mut memories = Memories { atomic: vec![false; program.memories.len()], ..Memories::default() };
        let mut written = vec![false; program.memories.len()];
        let mut drops = false;
        for function in &program.functions {
            visit::statements(&function.body, &mut |statement| match statement {
                Stmt::Act(act) => match act.action {
                    Action::Atomic(_, memory) => {
                        memories.atomic[memory as usize] = true;
                        written[memory as usize] = true;
                    }
                    Action::Demote => drops = true,
                    _ => {}
                },
                Stmt::Assign(Place::Word(memory, ..), _) => written[*memory as usize] = true,
                _ => {}
            });
        }
        let mut first = 0;
        for parts in program.memories.chunk_by(|a, b| (a.space, a.binding) == (b.space, b.binding)) {
            let all = first..first + parts.len();
            first = all.end;
            let Some(memory) = parts.first() else { continue };
            let in_group = memory.space == Space::Shared;
            if in_group && self.kind != StageKind::Compute {
                let message = format!("the memory of a work group in a {} program", self.kind);
                return Err(Error::unsupported(message));
            }
            let any_written = all.clone().any(|at| written[at]);
            let mut declared = Vec::new();
            for (index, part) in all.clone().zip(parts) {
                let ty = if memories.atomic[index] {
                    self.insert(TypeInner::Atomic(types::scalar(part.scalar)))
                } else {
                    self.ty(part.ty())
                };
                let size = match (in_group, std::num::NonZeroU32::new(part.elements())) {
                    (true, Some(elements)) => ArraySize::Constant(elements),
                    (true, None) => ArraySize::Constant(std::num::NonZeroU32::MIN),
                    (false, _) => ArraySize::Dynamic,
                };
                let array = TypeInner::Array { base: ty, size, stride: 4 * part.stride };
                declared.push(if part.is_array { self.insert(array) } else { ty });
            }
            if in_group {
                for (index, ty) in all.zip(declared) {
                    let name = self.names.memories[index].clone();
                    memories.words.push((self.variable(&name, AddressSpace::WorkGroup, None, ty), None));
                }
                continue;
            }
            let stores = if any_written { StorageAccess::STORE } else { StorageAccess::empty() };
            let space = AddressSpace::Storage { access: StorageAccess::LOAD | stores };
            let binding = Some(ResourceBinding { group: BUFFERS, binding: memory.binding });
            if let ([part], [ty]) = (parts, &declared[..])
                && part.is_array
                && part.offset == 0
            {
                let name = self.names.memories[all.start].clone();
                memories.words.push((self.variable(&name, space, binding, *ty), None));
                continue;
            }
            // Parts lie where they lie: naga takes any place that the types allow.
            let mut members = Vec::new();
            let mut end = 0;
            for ((index, part), ty) in all.zip(parts).zip(declared) {
                let name = Some(self.names.memories[index].clone());
                members.push(StructMember { name, ty, binding: None, offset: 4 * part.offset });
                end = 4 * (part.offset + if part.is_array { part.stride } else { part.components.into() });
            }
            let widest = parts.iter().map(|part| u32::from(part.components).next_power_of_two()).max();
            let inner = TypeInner::Struct { members, span: end.next_multiple_of(4 * widest.unwrap_or(1)) };
            let name = self.names.add(&format!("{}_type", memory.block));
            let ty = self.module.types.insert(Declared { name: Some(name), inner }, Span::UNDEFINED);
            let name = self.names.add(&memory.block);
            let variable = self.variable(&name, space, binding, ty);
            memories.words.extend((0_u32..).zip(parts).map(|(member, _)| (variable, Some(member))));
        }
        for index in 0..self.slots.len() {
            let global = &program.globals[index].global;
            let Shape::Image { shape, elements, texel, format: known } = global.shape else { continue };
            let name = self.names.globals[index].clone();
            let access = access(program, index as u32);
            let default = match (texel, access.contains(StorageAccess::ATOMIC)) {
                (Texel::Float, _) => ImageFormat::Rgba32f,
                (Texel::Int, false) => ImageFormat::Rgba32i,
                (Texel::Int, true) => ImageFormat::R32i,
                (Texel::Uint, false) => ImageFormat::Rgba32ui,
                (Texel::Uint, true) => ImageFormat::R32ui,
            };
            let known = known.unwrap_or(default);
            let (Some((dim, arrayed)), Some(format), 0) = (dimension(shape), format(known), elements) else {
                return Err(Error::unsupported(format!("{name}, an image of the shape {shape:?},")));
            };
            let class = ImageClass::Storage { format, access };
            let ty = self.insert(TypeInner::Image { dim, arrayed, class });
            let binding = Some(ResourceBinding { group: IMAGES, binding: global.offset });
            let image = self.variable(&name, AddressSpace::Handle, binding, ty);
            memories.images.insert(index as u32, image);
        }
        if drops {
            let name = self.names.add("dropped");
            let ty = self.ty(Type { scalar: Scalar::Bool, components: 1 });
            memories.dropped = Some(self.variable(&name, AddressSpace::Private, None, ty));
        }
        self.memories = memories;
        Ok(())
    }

    fn insert(&mut self, inner: TypeInner) -> Handle<Declared> {
        self.module.types.insert(Declared { name: None, inner }, Span::UNDEFINED)
    }

    fn variable(
        &mut self,
        name: &str,
        space: AddressSpace,
        binding: Option<ResourceBinding>,
        ty: Handle<Declared>,
    ) -> Handle<GlobalVariable> {
        let name = Some(name.to_owned());
        let memory_decorations = MemoryDecorations::empty();
        let variable = GlobalVariable { name, space, binding, ty, init: None, memory_decorations };
        self.module.global_variables.append(variable, Span::UNDEFINED)
    }
}

impl Body<'_, '_, '_> {
    /// A part of memory: an array, or a single element.
    pub(super) fn memory_pointer(&mut self, memory: u32) -> Handle<Expression> {
        let (variable, member) = self.lower.memories.words[memory as usize];
        let base = self.add(Expression::GlobalVariable(variable));
        match member {
            Some(index) => self.add(Expression::AccessIndex { base, index }),
            None => base,
        }
    }

    /// A pointer to an element of memory that invocations share.
    pub(super) fn word_pointer(&mut self, memory: u32, index: &Expr) -> Lowered {
        let base = self.memory_pointer(memory);
        let part = &self.lower.program.memories[memory as usize];
        if !part.is_array {
            return Ok(base);
        }
        let elements = match part.elements() {
            0 => u32::MAX,
            elements => elements,
        };
        match self.element_pointer(base, elements, index)? {
            Some(pointer) => Ok(pointer),
            None => Err(Error::unsupported("a word behind the end of the memory of a work group")),
        }
    }

    /// Stores to components of an element, unless the pixel is dropped.
    pub(super) fn store_word(
        &mut self,
        memory: u32,
        index: &Expr,
        lanes: &[u8],
        value: Handle<Expression>,
    ) -> Result<(), Error> {
        let pointer = self.word_pointer(memory, index)?;
        let dropped = self.lower.memories.dropped.is_some();
        let part = &self.lower.program.memories[memory as usize];
        let components = part.components;
        if !dropped || part.space != Space::Storage {
            self.store_lanes(pointer, components, lanes, value);
            return Ok(());
        }
        self.unless_dropped(|body| {
            body.store_lanes(pointer, components, lanes, value);
            Ok(())
        })
    }

    fn unless_dropped(&mut self, then: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        match self.lower.memories.dropped {
            None => then(self),
            Some(_) => {
                let Some(condition) = self.load_dropped() else { return Ok(()) };
                // What is computed so far belongs before the condition.
                self.emit();
                let reject = self.nested(then)?;
                self.push(Statement::If { condition, accept: Block::new(), reject });
                Ok(())
            }
        }
    }

    fn load_dropped(&mut self) -> Option<Handle<Expression>> {
        let pointer = self.add(Expression::GlobalVariable(self.lower.memories.dropped?));
        Some(self.add(Expression::Load { pointer }))
    }

    /// A dropped pixel ends here.
    pub(super) fn drop_at_end(&mut self) {
        let Some(condition) = self.load_dropped() else { return };
        let accept = self.nested(|body| {
            body.push(Statement::Kill);
            Ok(())
        });
        if let Ok(accept) = accept {
            self.push(Statement::If { condition, accept, reject: Block::new() });
        }
    }

    /// An action; answers what was in memory before, if somebody wants to know.
    pub(super) fn act(&mut self, act: &Act) -> Result<Option<Handle<Expression>>, Error> {
        match act.action {
            Action::Barrier(_) if self.lower.kind != StageKind::Compute => Err(Error::unsupported(format!(
                "a barrier in a {} program in this language",
                self.lower.kind
            ))),
            Action::Barrier(barrier) => {
                let all = Barrier::WORK_GROUP | Barrier::STORAGE;
                self.emit();
                self.push(match barrier {
                    unshade_ir::Barrier::Control => Statement::ControlBarrier(all),
                    unshade_ir::Barrier::Group | unshade_ir::Barrier::Memory => Statement::MemoryBarrier(all),
                });
                Ok(None)
            }
            Action::Demote if self.lower.kind == StageKind::Fragment => {
                let Some(dropped) = self.lower.memories.dropped else { return Ok(None) };
                let pointer = self.add(Expression::GlobalVariable(dropped));
                let value = self.literal(Scalar::Bool, 1u32);
                self.store(pointer, value);
                Ok(None)
            }
            Action::Demote => Err(Error::unsupported(format!("discard in a {} program", self.lower.kind))),
            Action::Atomic(op, memory) => self.atomic(op, memory, act),
            Action::Image(global, image) => match image.query {
                ImageQuery::Atomic(_) => {
                    let name = &self.lower.program.globals[global.0 as usize].global.name;
                    Err(Error::unsupported(format!(
                        "an atomic operation on the image {name} in this language"
                    )))
                }
                _ => self.image_store(global, image, &act.operands).map(|()| None),
            },
        }
    }

    fn atomic(&mut self, op: AtomicOp, memory: u32, act: &Act) -> Result<Option<Handle<Expression>>, Error> {
        if self.lower.memories.dropped.is_some() {
            let message = "an atomic operation of a pixel that may be dropped in this language";
            return Err(Error::unsupported(message));
        }
        let [word, values @ ..] = &act.operands[..] else {
            return Err(Error::invalid("an atomic operation without a place"));
        };
        let pointer = self.word_pointer(memory, word)?;
        let values = values.iter().map(|value| self.expr(value)).collect::<Result<Vec<_>, _>>()?;
        let scalar = self.lower.program.memories[memory as usize].scalar;
        let (fun, value) = match (op, &values[..]) {
            (AtomicOp::Add, &[value]) => (AtomicFunction::Add, value),
            (AtomicOp::SMin | AtomicOp::UMin, &[value]) => (AtomicFunction::Min, value),
            (AtomicOp::SMax | AtomicOp::UMax, &[value]) => (AtomicFunction::Max, value),
            (AtomicOp::And, &[value]) => (AtomicFunction::And, value),
            (AtomicOp::Or, &[value]) => (AtomicFunction::InclusiveOr, value),
            (AtomicOp::Xor, &[value]) => (AtomicFunction::ExclusiveOr, value),
            (AtomicOp::Exchange, &[value]) => (AtomicFunction::Exchange { compare: None }, value),
            (AtomicOp::CompareExchange, &[compare, value]) => {
                (AtomicFunction::Exchange { compare: Some(compare) }, value)
            }
            _ => return Err(Error::unsupported(format!("the atomic operation {op:?} in this language"))),
        };
        let comparison = matches!(fun, AtomicFunction::Exchange { compare: Some(_) });
        let ty = if comparison {
            let result = PredeclaredType::AtomicCompareExchangeWeakResult(types::scalar(scalar));
            self.lower.module.generate_predeclared_type(result)
        } else {
            self.lower.ty(Type { scalar, components: 1 })
        };
        self.emit();
        let result = self.add(Expression::AtomicResult { ty, comparison });
        self.push(Statement::Atomic { pointer, fun, value, result: Some(result) });
        if act.result.is_none() {
            return Ok(None);
        }
        Ok(Some(if comparison {
            self.add(Expression::AccessIndex { base: result, index: 0 })
        } else {
            result
        }))
    }

    /// Image, coordinates and layer.
    #[allow(clippy::type_complexity)]
    fn image_place(
        &mut self,
        global: GlobalRef,
        image: Image,
        operands: &[Expr],
    ) -> Result<(Handle<Expression>, Handle<Expression>, Option<Handle<Expression>>), Error> {
        let Some(variable) = self.lower.memories.images.get(&global.0).copied() else {
            return Err(Error::invalid("an image that is not declared"));
        };
        let place = operands.first().ok_or_else(|| Error::invalid("an image without coordinates"))?;
        let declared = self.add(Expression::GlobalVariable(variable));
        let coordinates = self.expr(place)?;
        if image.shape != TextureShape::PlaneArray {
            return Ok((declared, coordinates, None));
        }
        let flat = self.swizzle(coordinates, 3, &[0, 1]);
        let layer = self.swizzle(coordinates, 3, &[2]);
        Ok((declared, flat, Some(layer)))
    }

    fn image_store(&mut self, global: GlobalRef, image: Image, operands: &[Expr]) -> Result<(), Error> {
        let (declared, coordinate, array_index) = self.image_place(global, image, operands)?;
        let texel = operands.last().ok_or_else(|| Error::invalid("a store without a texel"))?;
        let value = self.expr(texel)?;
        self.unless_dropped(|body| {
            body.emit();
            body.push(Statement::ImageStore { image: declared, coordinate, array_index, value });
            Ok(())
        })
    }

    /// A texel, or the size of an image with zeros behind.
    pub(super) fn image_expression(&mut self, global: GlobalRef, image: Image, operands: &[Expr]) -> Lowered {
        if image.query == ImageQuery::Load {
            let (declared, coordinate, array_index) = self.image_place(global, image, operands)?;
            let load =
                Expression::ImageLoad { image: declared, coordinate, array_index, sample: None, level: None };
            return Ok(self.add(load));
        }
        let Some(variable) = self.lower.memories.images.get(&global.0).copied() else {
            return Err(Error::invalid("an image that is not declared"));
        };
        let declared = self.add(Expression::GlobalVariable(variable));
        let size = self.add(Expression::ImageQuery { image: declared, query: Asked::Size { level: None } });
        let size = self.convert(size, Scalar::Int);
        let mut components = vec![size];
        let mut count = image.size_components();
        if image.shape == TextureShape::PlaneArray {
            let layers = self.add(Expression::ImageQuery { image: declared, query: Asked::NumLayers });
            components.push(self.convert(layers, Scalar::Int));
            count = 3;
        }
        for _ in count..4 {
            let zero = self.literal(Scalar::Int, 0u32);
            components.push(zero);
        }
        let ty = self.lower.ty(Type { scalar: Scalar::Int, components: 4 });
        Ok(self.add(Expression::Compose { ty, components }))
    }

    /// Functions on bits. Their numbers are unsigned here.
    pub(super) fn bits(
        &mut self,
        builtin: Builtin,
        operands: &[Expr],
        values: &[Handle<Expression>],
    ) -> Lowered {
        let mut values = values.to_vec();
        let numbers = match builtin {
            Builtin::BitExtract => 1,
            Builtin::BitInsert => 2,
            _ => values.len(),
        };
        for (value, operand) in values.iter_mut().zip(operands).skip(numbers) {
            if operand.ty.scalar != Scalar::Uint {
                *value = self.convert(*value, Scalar::Uint);
            }
        }
        let fun = match builtin {
            Builtin::BitCount => MathFunction::CountOneBits,
            Builtin::BitReverse => MathFunction::ReverseBits,
            Builtin::FindMsb => MathFunction::FirstLeadingBit,
            Builtin::FindLsb => MathFunction::FirstTrailingBit,
            Builtin::BitExtract => MathFunction::ExtractBits,
            Builtin::BitInsert => MathFunction::InsertBits,
            Builtin::PackHalf => MathFunction::Pack2x16float,
            Builtin::PackNorm(norm) => match (norm.signed, norm.wide) {
                (false, false) => MathFunction::Pack4x8unorm,
                (false, true) => MathFunction::Pack2x16unorm,
                (true, false) => MathFunction::Pack4x8snorm,
                (true, true) => MathFunction::Pack2x16snorm,
            },
            Builtin::UnpackNorm(norm) => match (norm.signed, norm.wide) {
                (false, false) => MathFunction::Unpack4x8unorm,
                (false, true) => MathFunction::Unpack2x16unorm,
                (true, false) => MathFunction::Unpack4x8snorm,
                (true, true) => MathFunction::Unpack2x16snorm,
            },
            _ => MathFunction::Unpack2x16float,
        };
        let result = self.math(fun, &values);
        let number = matches!(builtin, Builtin::BitCount | Builtin::FindMsb | Builtin::FindLsb);
        if number && operands.first().is_some_and(|operand| operand.ty.scalar == Scalar::Uint) {
            // The languages give such a number the type of the operand.
            return Ok(self.convert(result, Scalar::Int));
        }
        Ok(result)
    }
}
