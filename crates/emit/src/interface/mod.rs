//! Inputs, outputs and uniforms: their types, the std140 layout of the uniform buffer, locations.

pub(crate) mod structures;

use crate::names::Names;
use crate::system::{self, System};
use crate::{Binding, BindingKind, Error, MachineWords, Options};
use std::collections::BTreeMap;
use unshade_ir::ast::{GlobalVar, Program, Scalar, Type};
use unshade_ir::{Global, Interpolation, Shape, Space};
use unshade_stage::StageKind;

/// What a global is in the printed program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Input,
    Output,
    Position,
    PointSize,
    /// Another output that the pipeline reads.
    Fixed(Fixed),
    /// An output that no language has: a variable that nobody reads.
    Ignored,
    /// An input that the pipeline makes.
    BuiltIn(BuiltIn),
    /// A member of the uniform buffer.
    Uniform,
    /// A uniform that is declared by itself.
    Loose,
    Sampler,
    Image,
    Constant,
}

/// Inputs that the pipeline makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuiltIn {
    FragCoord,
    PointCoord,
    FrontFacing,
    VertexId,
    InstanceId,
    PrimitiveId,
    /// Positions of the vertices of a geometry or tessellation program.
    Positions,
    /// Sizes of their points.
    PointSizes,
    /// One without rules of its own.
    System(&'static System),
}

/// Outputs that the pipeline reads, beside position and size of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fixed {
    Depth,
    Layer,
    Viewport,
    ClipDistance,
    CullDistance,
    /// Positions of the vertices that a tessellation control program makes.
    Positions,
    /// Sizes of their points.
    PointSizes,
    /// One without rules of its own.
    System(&'static System),
}

impl Fixed {
    /// The name in GLSL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Depth => "gl_FragDepth",
            Self::Layer => "gl_Layer",
            Self::Viewport => "gl_ViewportIndex",
            Self::ClipDistance => "gl_ClipDistance",
            Self::CullDistance => "gl_CullDistance",
            Self::Positions | Self::PointSizes => "gl_out",
            Self::System(system) => system.glsl,
        }
    }
}

impl Role {
    /// Whether the program may assign to it.
    pub fn is_written(self) -> bool {
        matches!(self, Self::Output | Self::Position | Self::PointSize | Self::Fixed(_) | Self::Ignored)
    }
}

/// How the values of a global are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// One vector or scalar.
    Single,
    /// So many of them.
    Array(u32),
    /// So many rows, 2-4, each with 2-4 components.
    Matrix(u8),
    /// So many columns, 2-4, each with 2-4 components; elements > 0: an array of such matrices.
    Columns(u8, u32),
}

/// A global with everything that its declaration needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot {
    pub role: Role,
    /// Of the value, an element or a row.
    pub ty: Type,
    pub form: Form,
    /// Inputs and outputs: location; uniforms: byte offset.
    pub place: u32,
    /// Outputs: first component of the location or of the position.
    pub component: u8,
    /// Uniforms: which of [`Program::blocks`].
    pub block: Option<usize>,
    /// Each vertex has one: the elements are the vertices.
    pub of_vertices: bool,
}

impl Slot {
    /// Locations that it takes.
    pub fn locations(&self) -> u32 {
        if self.of_vertices { 1 } else { self.elements().max(1) }
    }

    /// Elements, rows or columns, those of all matrices of an array; 0: none of these.
    pub fn elements(&self) -> u32 {
        match self.form {
            Form::Single => 0,
            Form::Array(count) => count,
            Form::Matrix(rows) => u32::from(rows),
            Form::Columns(columns, elements) => u32::from(columns).saturating_mul(elements.max(1)),
        }
    }
}

/// What a language allows at the interface.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    /// Several outputs may share a location, each with components of its own.
    pub components: bool,
    /// Outputs may be matrices; elsewhere they are arrays of their columns.
    pub matrix_outputs: bool,
    /// Outputs of a vertex program and both sides of a geometry program have locations.
    pub varying_locations: bool,
    /// Uniforms are declared one by one, outside of a buffer.
    pub loose: bool,
    /// Number of the uniform buffer; `None`: the language leaves it to the caller.
    pub buffer: Option<u32>,
    /// The number of a texture is so many times its unit; `None`: the language leaves it to the caller.
    pub samplers: Option<u32>,
}

#[cfg(test)]
impl Rules {
    /// Those of a language that allows everything.
    pub(crate) const ALL: Self = Self {
        components: true,
        matrix_outputs: true,
        varying_locations: true,
        loose: false,
        buffer: None,
        samplers: None,
    };
}

/// Slots of all globals, as [`Program::globals`].
pub(crate) fn slots(program: &Program, kind: StageKind, rules: Rules) -> Result<Vec<Slot>, Error> {
    let mut slots = Vec::with_capacity(program.globals.len());
    let mut buffer = Buffer::default();
    for variable in &program.globals {
        let global = &variable.global;
        let name = &global.name;
        let (ty, form) = shape(variable)?;
        let of_vertices = global.vertices > 0;
        let role = match global.space {
            Space::Input => built_in(global, kind).map_or(Role::Input, Role::BuiltIn),
            Space::Output if is_position(variable, kind) => Role::Position,
            Space::Output if of_vertices && global.semantic.as_deref() == Some("position") => {
                Role::Fixed(Fixed::Positions)
            }
            Space::Output if of_vertices && global.semantic.as_deref() == Some("point-size") => {
                Role::Fixed(Fixed::PointSizes)
            }
            Space::Output if kind != StageKind::Fragment && is_single(global, "point-size", 1) => {
                Role::PointSize
            }
            Space::Output if global.semantic.as_deref() == Some("edge-flag") => Role::Ignored,
            Space::Output if fixed(global, kind).is_some() => {
                fixed(global, kind).map_or(Role::Output, Role::Fixed)
            }
            Space::Output => Role::Output,
            Space::Uniform if global.constant.is_some() => Role::Constant,
            Space::Uniform if rules.loose => Role::Loose,
            Space::Uniform => Role::Uniform,
            Space::Texture if matches!(global.shape, Shape::Sampler { .. }) => Role::Sampler,
            Space::Image if matches!(global.shape, Shape::Image { .. }) => Role::Image,
            Space::Texture | Space::Image | Space::Local | Space::Shared | Space::Storage | Space::Global => {
                return Err(Error::unsupported(format!("{:?} memory ({name})", global.space)));
            }
        };
        if (role == Role::Sampler) != matches!(global.shape, Shape::Sampler { .. })
            || (role == Role::Image) != matches!(global.shape, Shape::Image { .. })
        {
            return Err(Error::invalid(format!("{name} is a texture in a place without textures")));
        }
        let between = matches!(role, Role::Input | Role::Output | Role::Position | Role::Fixed(_));
        if global.patch && !matches!(kind, StageKind::TessControl | StageKind::TessEval) {
            return Err(Error::unsupported(format!("{name}, of a patch, in a {kind} program")));
        }
        if ty.scalar == Scalar::Bool && between {
            return Err(Error::unsupported(format!("a truth value between stages ({name})")));
        }
        let lone = !of_vertices && !global.patch;
        let passed = matches!(role, Role::Input | Role::Output | Role::Position | Role::PointSize);
        let nowhere = match kind {
            StageKind::Compute => passed,
            StageKind::TessControl => passed && lone,
            StageKind::TessEval => role == Role::Input && lone,
            _ => false,
        };
        if nowhere {
            return Err(Error::unsupported(format!(
                "{name}, of no vertex and no patch, in a {kind} program"
            )));
        }
        // Outputs are written element by element.
        let form = match form {
            Form::Matrix(rows) if role == Role::Output => Form::Array(u32::from(rows)),
            Form::Columns(columns, elements) if role == Role::Output && !rules.matrix_outputs => {
                Form::Array(u32::from(columns).saturating_mul(elements.max(1)))
            }
            form => form,
        };
        let has_vertices = match kind {
            StageKind::Geometry | StageKind::TessEval => global.space == Space::Input,
            StageKind::TessControl => true,
            _ => false,
        };
        if of_vertices && !(has_vertices && matches!(form, Form::Array(_))) {
            return Err(Error::unsupported(format!("{name}, of several vertices, in a {kind} program")));
        }
        if let (Form::Columns(..), true) = (form, role.is_written() && role != Role::Output) {
            return Err(Error::unsupported(format!("the output {name}, which is a matrix")));
        }
        let locations = match form {
            _ if of_vertices => 1,
            Form::Array(elements) => elements,
            Form::Columns(columns, elements) => u32::from(columns).saturating_mul(elements.max(1)),
            _ => 0,
        };
        if role == Role::Input && locations > MOST_LOCATIONS {
            return Err(Error::unsupported(format!(
                "the input array {name} of more than {MOST_LOCATIONS} elements"
            )));
        }
        let component = match role {
            Role::Output if is_streamed(global) => 0,
            Role::Output | Role::Position => u8::try_from(global.offset % 4).unwrap_or(0),
            Role::Input if kind == StageKind::Fragment && form == Form::Single => {
                u8::try_from(global.offset % 4).unwrap_or(0)
            }
            _ => 0,
        };
        if component + ty.components > 4 {
            let what = if role == Role::Input { "input" } else { "output" };
            return Err(Error::invalid(format!("{what} {name} goes past component w of its register")));
        }
        let mut slot = Slot { role, ty, form, place: global.location, component, block: None, of_vertices };
        if role == Role::Uniform {
            slot.block = program.blocks.iter().position(|block| block.binding == global.binding);
        }
        if slot.block.is_some() {
            slot.place = member(global, &slot)?;
        } else if role == Role::Uniform {
            slot.place =
                buffer.add(&slot).ok_or_else(|| Error::unsupported("a uniform buffer past 4 GiB"))?;
        }
        slots.push(slot);
    }
    check_blocks(program, &slots)?;
    place(&mut slots, Role::Output, rules.components, &[])?;
    if kind == StageKind::Fragment {
        // What the machine reads from the framebuffer comes behind what the vertex program gives.
        let framebuffer: Vec<bool> =
            program.globals.iter().map(|variable| is_framebuffer(&variable.global)).collect();
        place(&mut slots, Role::Input, rules.components, &framebuffer)?;
    }
    Ok(slots)
}

/// Description of the interface for the caller.
pub(crate) fn describe(
    program: &Program,
    slots: &[Slot],
    names: &Names,
    rules: Rules,
    kind: StageKind,
) -> Vec<Binding> {
    let block_names = &names.blocks;
    let kind_of_stage = kind;
    let describe_one = |variable: &GlobalVar, slot: &Slot, name: &String| {
        let location = |varying: bool| (!varying || rules.varying_locations).then_some(slot.place);
        let kind = match slot.role {
            Role::Input => BindingKind::Input {
                location: location(kind != StageKind::Vertex),
                component: slot.component,
            },
            Role::Output => BindingKind::Output {
                location: location(kind != StageKind::Fragment),
                component: slot.component,
            },
            Role::Position => BindingKind::Position { component: slot.component },
            Role::Uniform => BindingKind::Uniform {
                binding: match slot.block {
                    Some(block) => rules.buffer.map(|_| program.blocks[block].binding),
                    None => rules.buffer,
                },
                block: slot.block.map(|block| block_names[block].clone()),
                offset: slot.place,
                stride: if slot.form == Form::Single { 0 } else { 16 },
                size: size(slot).unwrap_or(u32::MAX),
            },
            Role::Constant => BindingKind::Constant,
            Role::PointSize => BindingKind::PointSize,
            Role::BuiltIn(_) | Role::Fixed(_) => BindingKind::BuiltIn,
            Role::Ignored => BindingKind::Ignored,
            Role::Loose => BindingKind::Loose,
            Role::Image => BindingKind::Image {
                binding: rules.samplers.map(|times| times.saturating_mul(variable.global.offset)),
            },
            Role::Sampler => BindingKind::Sampler {
                binding: rules.samplers.map(|times| times.saturating_mul(variable.global.offset)),
            },
        };
        Binding {
            name: name.clone(),
            kind,
            scalar: slot.ty.scalar,
            components: slot.ty.components,
            elements: slot.elements(),
            matrix: matches!(slot.form, Form::Matrix(_) | Form::Columns(..)),
            by_column: matches!(slot.form, Form::Columns(..)),
            flat: kind_of_stage == StageKind::Fragment
                && slot.role == Role::Input
                && (variable.global.interpolation == Interpolation::Flat || slot.ty.scalar != Scalar::Float),
            machine: MachineWords {
                space: variable.global.space,
                binding: variable.global.binding,
                first: variable.global.offset,
                stride: variable.global.stride,
                as_float: variable.global.as_float,
            },
        }
    };
    program
        .globals
        .iter()
        .zip(slots)
        .zip(&names.globals)
        .map(|((variable, slot), name)| describe_one(variable, slot, name))
        .collect()
}

/// Structures of an array that are described one by one.
const MOST_DESCRIBED: u32 = 4096;

/// What is described of a member of all structures of an array, `l[].color`: it has a name in each.
pub(crate) fn in_each_structure(binding: Binding) -> Vec<Binding> {
    let Some((front, back)) = binding.name.split_once("[]") else { return vec![binding] };
    let one = |element: u32| {
        let first = element.wrapping_mul(binding.machine.stride);
        let first = binding.machine.first.wrapping_add(first);
        Binding {
            name: format!("{front}[{element}]{back}"),
            elements: 0,
            machine: MachineWords { first, stride: 4, ..binding.machine },
            ..binding.clone()
        }
    };
    (0..binding.elements.min(MOST_DESCRIBED)).map(one).collect()
}

/// Refuses kinds of programs that a language does not have.
pub(crate) fn entry_kind_supported(
    options: &Options,
    kinds: &[StageKind],
    target: &str,
) -> Result<(), Error> {
    if kinds.contains(&options.kind) {
        return Ok(());
    }
    Err(Error::unsupported(format!("a {} program in {target}", options.kind)))
}

fn is_position(variable: &GlobalVar, kind: StageKind) -> bool {
    kind != StageKind::Fragment
        && variable.global.semantic.as_deref() == Some("position")
        && variable.global.vertices == 0
        && matches!(variable.global.shape, Shape::Float { elements: 0, .. })
}

fn is_single(global: &Global, semantic: &str, components: u8) -> bool {
    global.semantic.as_deref() == Some(semantic)
        && global.shape.elements() == 0
        && global.shape.components() == components
        && !matches!(global.shape, Shape::Matrix { .. } | Shape::Sampler { .. })
}

/// What the machine reads from the framebuffer, which no language that is printed has: an input.
pub(crate) fn is_framebuffer(global: &Global) -> bool {
    global.space == Space::Input
        && matches!(global.semantic.as_deref(), Some("framebuffer-color" | "framebuffer-depth"))
}

/// The input of the pipeline that a global is.
fn built_in(global: &Global, kind: StageKind) -> Option<BuiltIn> {
    let number = |semantic| is_single(global, semantic, 1) && matches!(global.shape, Shape::Int { .. });
    if let Some(system) = system::find(global, kind) {
        return Some(BuiltIn::System(system));
    }
    match kind {
        StageKind::Vertex if number("vertex-id") => return Some(BuiltIn::VertexId),
        StageKind::Vertex if number("instance-id") => return Some(BuiltIn::InstanceId),
        StageKind::Geometry | StageKind::Fragment if number("primitive-id") => {
            return Some(BuiltIn::PrimitiveId);
        }
        _ if global.vertices > 0 && matches!(global.shape, Shape::Float { .. }) => {
            return match global.semantic.as_deref() {
                Some("position") => Some(BuiltIn::Positions),
                Some("point-size") => Some(BuiltIn::PointSizes),
                _ => None,
            };
        }
        StageKind::Fragment => {}
        _ => return None,
    }
    if (1..=4).any(|components| is_single(global, "frag-coord", components)) {
        return Some(BuiltIn::FragCoord);
    }
    if is_single(global, "point-coord", 2) {
        return Some(BuiltIn::PointCoord);
    }
    let is_facing = is_single(global, "front-facing", 1) && matches!(global.shape, Shape::Bool { .. });
    is_facing.then_some(BuiltIn::FrontFacing)
}

/// The output of the pipeline that a global is.
fn fixed(global: &Global, kind: StageKind) -> Option<Fixed> {
    let number = |semantic| is_single(global, semantic, 1) && matches!(global.shape, Shape::Int { .. });
    let float = matches!(global.shape, Shape::Float { components: 1, .. });
    let distances =
        |semantic| float && global.semantic.as_deref() == Some(semantic) && global.shape.elements() > 0;
    if let Some(system) = system::find(global, kind) {
        return Some(Fixed::System(system));
    }
    if kind == StageKind::Fragment {
        return (is_single(global, "frag-depth", 1) && float).then_some(Fixed::Depth);
    }
    if number("layer") {
        Some(Fixed::Layer)
    } else if number("viewport") {
        Some(Fixed::Viewport)
    } else if distances("clip-distance") {
        Some(Fixed::ClipDistance)
    } else if distances("cull-distance") {
        Some(Fixed::CullDistance)
    } else {
        None
    }
}

/// An output that goes to a buffer instead of the rasteriser.
pub(crate) fn is_streamed(global: &Global) -> bool {
    global.space == Space::Output && global.semantic.as_deref() == Some("stream-out")
}

/// Type and grouping of a global.
fn shape(variable: &GlobalVar) -> Result<(Type, Form), Error> {
    let (scalar, components, elements) = match variable.global.shape {
        Shape::Float { components, elements } => (Scalar::Float, components, elements),
        Shape::Int { components, elements } => (Scalar::Int, components, elements),
        Shape::Uint { components, elements } => (Scalar::Uint, components, elements),
        Shape::Bool { components, elements } => (Scalar::Bool, components, elements),
        Shape::Matrix { columns, rows, elements, .. } => {
            if !(2..=4).contains(&columns) || !(2..=4).contains(&rows) {
                let name = &variable.global.name;
                return Err(Error::invalid(format!("{name} has {columns} columns of {rows} rows")));
            }
            return Ok((Type { scalar: Scalar::Float, components: rows }, Form::Columns(columns, elements)));
        }
        Shape::Sampler { elements, .. } | Shape::Image { elements, .. } => (Scalar::Int, 1, elements),
    };
    let name = &variable.global.name;
    if !(1..=4).contains(&components) {
        return Err(Error::invalid(format!("{name} has {components} components")));
    }
    let matrix = match variable.matrix_rows {
        Some(rows @ 2..=4) if scalar == Scalar::Float && components >= 2 => {
            (elements == 0 || elements == u32::from(rows)).then_some(rows)
        }
        _ => None,
    };
    let form = match (matrix, elements) {
        (Some(rows), _) => Form::Matrix(rows),
        (None, 0) => Form::Single,
        (None, count) => Form::Array(count),
    };
    Ok((Type { scalar, components }, form))
}

/// Size of a member of a std140 block in bytes: elements and rows are 16 bytes apart.
fn size(slot: &Slot) -> Option<u32> {
    match slot.form {
        Form::Single => Some(4 * u32::from(slot.ty.components)),
        _ => slot.elements().checked_mul(16),
    }
}

/// The std140 layout as it grows.
#[derive(Default)]
struct Buffer {
    end: u32,
}

impl Buffer {
    fn add(&mut self, slot: &Slot) -> Option<u32> {
        let (offset, end) = std140(slot, self.end)?;
        self.end = end;
        Some(offset)
    }
}

fn alignment(slot: &Slot) -> u32 {
    match (slot.form, slot.ty.components) {
        (Form::Single, 1) => 4,
        (Form::Single, 2) => 8,
        _ => 16,
    }
}

/// Where std140 puts a member behind `end`, and where that one ends.
pub(crate) fn std140(slot: &Slot, end: u32) -> Option<(u32, u32)> {
    let offset = end.checked_next_multiple_of(alignment(slot))?;
    let end = offset.checked_add(size(slot)?)?;
    // A member after an array or a matrix starts behind the whole of it.
    Some((offset, if slot.form == Form::Single { end } else { end.checked_next_multiple_of(16)? }))
}

/// The place of a member of a block in bytes.
fn member(global: &Global, slot: &Slot) -> Result<u32, Error> {
    let name = &global.name;
    let place = global.offset.checked_mul(4);
    let place = place.ok_or_else(|| Error::unsupported("a uniform buffer past 4 GiB"))?;
    // A member of structures lies as it would in one.
    let of_structures = structures::names(global).is_some() && matches!(slot.form, Form::Array(_));
    let slot = if of_structures { &structures::alone(slot) } else { slot };
    let apart = slot.form == Form::Single || global.stride == 4 && global.element_stride().is_multiple_of(4);
    if !place.is_multiple_of(alignment(slot)) || !apart || size(slot).is_none() {
        return Err(Error::unsupported(format!(
            "the member {name} of a uniform buffer at word {}",
            global.offset
        )));
    }
    Ok(place)
}

/// Refuses members that lie over each other, and buffers that are one.
fn check_blocks(program: &Program, slots: &[Slot]) -> Result<(), Error> {
    for (index, block) in program.blocks.iter().enumerate() {
        if program.blocks[..index].iter().any(|other| other.binding == block.binding) {
            return Err(Error::invalid(format!("two uniform buffers with the number {}", block.binding)));
        }
        let arrays = structures::of_block(program, slots, index)?;
        let in_array = |at: &usize| arrays.iter().any(|array| array.members.contains(at));
        // Where each starts and ends.
        let mut places: Vec<(u32, Option<u32>)> = (0..slots.len())
            .filter(|at| slots[*at].role == Role::Uniform && slots[*at].block == Some(index) && !in_array(at))
            .map(|at| (slots[at].place, std140(&slots[at], slots[at].place).map(|(_, after)| after)))
            .chain(arrays.iter().map(|array| (array.start, Some(array.end()))))
            .collect();
        places.sort_unstable();
        let mut end = 0;
        for (place, after) in places {
            if place < end {
                return Err(Error::invalid(format!("members of {} over each other", block.name)));
            }
            end = after.ok_or_else(|| Error::unsupported("a uniform buffer past 4 GiB"))?;
        }
    }
    Ok(())
}

/// Number of the buffer of the loose uniforms: the first that no block has.
pub(crate) fn free_buffer(program: &Program) -> u32 {
    let taken = |number: &u32| program.blocks.iter().any(|block| block.binding == *number);
    (0..=u32::MAX).find(|number| !taken(number)).unwrap_or(0)
}

/// Gives everything of a role a location: its own where that is free, otherwise the first free one. What
/// keeps its own comes first, so that one in conflict does not push another away. `anywhere`: these have none
/// of their own.
fn place(slots: &mut [Slot], role: Role, components: bool, anywhere: &[bool]) -> Result<(), Error> {
    // Components in use of each location.
    let mut used = BTreeMap::<u32, u8>::new();
    let mut homeless = Vec::new();
    for (index, slot) in slots.iter_mut().enumerate().filter(|(_, slot)| slot.role == role) {
        let count = slot.locations();
        if count > MOST_LOCATIONS {
            let what = if role == Role::Input { "input" } else { "output" };
            return Err(Error::unsupported(format!("an {what} array of {count} elements")));
        }
        // Outputs of different kinds cannot share a location.
        let shares = components && slot.form == Form::Single && slot.ty.scalar == Scalar::Float;
        if !shares {
            slot.component = 0;
        }
        let mask = if shares { ((1u8 << slot.ty.components) - 1) << slot.component } else { 0xf };
        if anywhere.get(index) == Some(&true) || !claim(&mut used, slot.place, count, mask) {
            homeless.push(index);
        }
    }
    for index in homeless {
        let slot = &mut slots[index];
        slot.component = 0;
        let count = slot.locations();
        slot.place = 0;
        while !claim(&mut used, slot.place, count, 0xf) {
            slot.place += 1;
        }
    }
    Ok(())
}

/// Takes components of consecutive locations if they are free.
fn claim(used: &mut BTreeMap<u32, u8>, first: u32, count: u32, mask: u8) -> bool {
    let Some(end) = first.checked_add(count) else { return false };
    if used.range(first..end).any(|(_, taken)| taken & mask != 0) {
        return false;
    }
    for location in first..end {
        *used.entry(location).or_default() |= mask;
    }
    true
}

/// Locations that one input or output may take.
const MOST_LOCATIONS: u32 = 64;

#[cfg(test)]
mod tests;
