//! What links a program to those who feed it and to what follows: global variables, arguments and results of the entry, and
//! what integer uniforms turn out to be.

use super::{
    Walk,
    interface::{Input, Interface},
    memory::Uniform,
    shape::Shape,
    value::{Matrix, Root, Value},
};
use crate::source::Bindings;
use crate::vector::{Lane, Op, Program, Relation, Written};
use naga::{AddressSpace, Binding, BuiltIn, Function, GlobalVariable, Handle, TypeInner};
use smallvec::SmallVec;
use unshade_bytes::problem::{Problem, Result};

/// How an integer uniform is used.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WholeUse {
    /// As the number of passes of a loop.
    passes: bool,
    /// As a truth: compared with zero.
    truth: bool,
}

/// A leaf of the entry's arguments or results.
pub(super) struct Leaf {
    pub name: String,
    pub shape: Shape,
    pub binding: Option<Binding>,
}

impl Walk<'_> {
    /// Gives every global variable its place, but for those that only other entry points of the text use.
    pub(super) fn declare(&mut self, entry: Handle<Function>) -> Result<()> {
        let (module, info) = (self.module, self.info);
        for (handle, variable) in module.global_variables.iter() {
            self.at(module.global_variables.get_span(handle));
            let is_ours = !self.hints.shared || !info[entry][handle].is_empty();
            let root = if is_ours { self.declare_one(handle, variable)? } else { None };
            self.globals.push(root);
        }
        Ok(())
    }

    fn declare_one(
        &mut self,
        handle: Handle<GlobalVariable>,
        variable: &GlobalVariable,
    ) -> Result<Option<Root>> {
        let name = variable.name.clone().unwrap_or_default();
        let span = self.place(self.module.global_variables.get_span(handle));
        let is_loose = self.hints.loose.contains(&name);
        // Blocks of GLSL have become variables too; only they have no name, or the members of a struct with a layout.
        let is_uniform = is_loose || variable.space == AddressSpace::Uniform || self.is_block(variable);
        match variable.space {
            _ if is_uniform => {}
            AddressSpace::Private => {
                let shape =
                    Shape::of(self.module, variable.ty).map_err(|problem| self.placed(problem, &span))?;
                let value = match variable.init {
                    Some(init) => self.global_value(init, 64)?,
                    None => super::expression::zero(&shape),
                };
                return Ok(Some(Root::Variable(self.variable(value))));
            }
            AddressSpace::Handle => {
                let message = "a vertex program of this machine cannot read textures";
                return Err(Problem::new("compile.texture", span, message)
                    .note("put what the texture holds into attributes or into an array of uniforms"));
            }
            _ => {
                let message = "the machine has no storage buffers or other memory: only uniforms";
                return Err(Problem::new("compile.unsupported", span, message)
                    .note("make it a uniform, or a variable of the program"));
            }
        }
        if variable.init.is_some() {
            let message = format!("the uniform `{name}` has a value in the text");
            return Err(Problem::new("compile.uniforms", span, message)
                .note("make it a constant, or set it from the program that draws"));
        }
        let shape = Shape::of(self.module, variable.ty).map_err(|problem| self.placed(problem, &span))?;
        let uniform = match &shape {
            Shape::Struct { .. } if is_loose => self.members(&name, &shape, &span, 8)?,
            Shape::Struct { members } => {
                let mut list = Vec::with_capacity(members.len());
                for (member, shape) in members {
                    let taken = self.is_taken(member);
                    let full = if taken { format!("{name}.{member}") } else { member.clone() };
                    list.push(self.members(&full, shape, &span, 8)?);
                }
                Uniform::Members(list)
            }
            _ => self.declared(&name, &shape, span)?,
        };
        self.uniforms.push(uniform);
        Ok(Some(Root::Uniform(self.uniforms.len() - 1)))
    }

    /// A problem that knows no place, at this one.
    fn placed(&self, mut problem: Box<Problem>, span: &std::ops::Range<usize>) -> Box<Problem> {
        problem.span = span.clone();
        problem
    }

    /// Whether a variable was a block of uniforms.
    fn is_block(&self, variable: &GlobalVariable) -> bool {
        let inner = self.module.types.get_handle(variable.ty).map(|ty| &ty.inner);
        self.hints.located.is_some()
            && matches!(inner, Ok(TypeInner::Struct { .. }))
            && self.hints.blocks.contains(variable.name.as_deref().unwrap_or_default())
    }

    fn is_taken(&self, name: &str) -> bool {
        let interface = &self.interface;
        let lists = [&interface.floats, &interface.truths, &interface.wholes];
        lists.into_iter().flatten().any(|uniform| uniform.name == name)
    }

    /// The members of a struct, each with the way to it as its name.
    fn members(
        &mut self,
        name: &str,
        shape: &Shape,
        span: &std::ops::Range<usize>,
        depth: u8,
    ) -> Result<Uniform> {
        match (shape, depth.checked_sub(1)) {
            (Shape::Struct { members }, Some(depth)) => {
                let list = members
                    .iter()
                    .map(|(member, shape)| self.members(&format!("{name}.{member}"), shape, span, depth));
                Ok(Uniform::Members(list.collect::<Result<_>>()?))
            }
            _ => self.declared(name, shape, span.clone()),
        }
    }

    /// Walks the entry: its arguments are attributes, its result outputs.
    pub(super) fn entry(&mut self, entry: Handle<Function>, bindings: &Bindings) -> Result<Vec<Written>> {
        let module = self.module;
        let function = &module.functions[entry];
        let mut arguments = Vec::new();
        for (argument, binding) in function.arguments.iter().zip(&bindings.arguments) {
            let name = argument.name.clone().unwrap_or_default();
            arguments.push(self.leaves(name, argument.ty, binding.clone())?);
        }
        let values = self.inputs(arguments)?;
        let result = self.call(entry, values)?;
        let Some(returned) = &function.result else { return Ok(Vec::new()) };
        let leaves = self.leaves("position".to_owned(), returned.ty, bindings.result.clone())?;
        self.outputs(leaves, result)
    }

    /// What an argument or a result consists of.
    fn leaves(
        &mut self,
        name: String,
        ty: Handle<naga::Type>,
        binding: Option<Binding>,
    ) -> Result<Vec<Leaf>> {
        let module = self.module;
        match &module.types[ty].inner {
            TypeInner::Struct { members, .. } if binding.is_none() => {
                let mut leaves = Vec::new();
                for member in members {
                    leaves.push(Leaf {
                        name: member.name.clone().unwrap_or_default(),
                        shape: Shape::of(module, member.ty)?,
                        binding: member.binding.clone(),
                    });
                }
                Ok(leaves)
            }
            _ => Ok(vec![Leaf { name, shape: Shape::of(module, ty)?, binding }]),
        }
    }

    /// Gives attributes their registers: by location where one stands in the text, else in order.
    fn inputs(&mut self, arguments: Vec<Vec<Leaf>>) -> Result<Vec<Value>> {
        let located = |walk: &Self, leaf: &Leaf| match (&leaf.binding, &walk.hints.located) {
            (Some(Binding::Location { location, .. }), Some(known)) if known.contains(&leaf.name) => {
                Some(*location)
            }
            (Some(Binding::Location { location, .. }), None) => Some(*location),
            _ => None,
        };
        let mut taken: Vec<u32> = Vec::new();
        for leaf in arguments.iter().flatten() {
            if let Some(location) = located(self, leaf) {
                if location > 15 || taken.contains(&location) {
                    let message = format!(
                        "`{}` cannot have location {location}: attributes have 0 to 15, each once",
                        leaf.name
                    );
                    return Err(self.named(&leaf.name, "compile.location", message));
                }
                taken.push(location);
            }
        }
        let mut values = Vec::new();
        for leaves in arguments {
            let is_struct = leaves.len() != 1 || leaves.first().is_some_and(|leaf| leaf.binding.is_none());
            let mut parts = Vec::new();
            for leaf in leaves {
                if let Some(Binding::BuiltIn(builtin)) = &leaf.binding {
                    if leaf.name.starts_with("gl_") {
                        let message = format!("the machine has no `{}`", leaf.name);
                        return Err(self
                            .named(&leaf.name, "compile.builtin", message)
                            .note("give it as an attribute"));
                    }
                    let message = format!("the machine has no `{}`", builtin_name(*builtin));
                    return Err(self.builtin(*builtin, message).note("give it as an attribute"));
                }
                // A matrix takes a register for each column.
                let (columns, width) = match leaf.shape {
                    Shape::Vector { width, .. } => (1, width),
                    Shape::Matrix { columns, rows } => (u32::from(columns), rows),
                    _ => {
                        let message = format!(
                            "the attribute `{}` is no vector: one register holds one attribute",
                            leaf.name
                        );
                        return Err(self
                            .named(&leaf.name, "compile.attribute", message)
                            .note("take an attribute for each vector"));
                    }
                };
                let register = match located(self, &leaf) {
                    Some(location) => location,
                    None => {
                        let is_free =
                            |first: u32| (first..first + columns).all(|number| !taken.contains(&number));
                        (0..16).find(|first| is_free(*first)).unwrap_or(16)
                    }
                };
                taken.extend(register..register + columns);
                let mut vectors: SmallVec<[crate::vector::Lanes; 4]> = SmallVec::new();
                for column in 0..columns {
                    let Some(register) = u8::try_from(register + column).ok().filter(|number| *number < 16)
                    else {
                        return Err(self.named(
                            &leaf.name,
                            "compile.attribute",
                            "there are more than 16 attributes",
                        ));
                    };
                    vectors.push(self.builder.read(Op::Input(register), width));
                    let name =
                        if columns == 1 { leaf.name.clone() } else { format!("{}.{column}", leaf.name) };
                    self.interface.inputs.push(Input { name, register, width });
                }
                parts.push(match (leaf.shape, vectors.pop()) {
                    (Shape::Vector { .. }, Some(only)) => Value::Vector(only),
                    (_, last) => {
                        vectors.extend(last);
                        Value::Matrix(Matrix::Columns(vectors))
                    }
                });
            }
            match (is_struct, parts.pop()) {
                (false, Some(only)) => values.push(only),
                (_, last) => {
                    parts.extend(last);
                    values.push(Value::List(parts));
                }
            }
        }
        self.interface.inputs.sort_by_key(|input| input.register);
        Ok(values)
    }

    /// An error about something with a name, where that stands in the text.
    pub(super) fn named(
        &self,
        name: &str,
        code: &'static str,
        message: impl Into<std::borrow::Cow<'static, str>>,
    ) -> Box<Problem> {
        Problem::new(code, self.place_of_name(name), message)
    }

    /// An error about a built-in value, by its name in either language.
    pub(super) fn builtin(&self, builtin: BuiltIn, message: String) -> Box<Problem> {
        let names = [builtin_place(builtin), builtin_name(builtin)];
        let older = match builtin {
            BuiltIn::VertexIndex => "gl_VertexID",
            BuiltIn::InstanceIndex => "gl_InstanceID",
            _ => "",
        };
        let mut places = names.into_iter().chain([older]).map(|name| self.place_of_name(name));
        let place = places.find(|place| !place.is_empty()).unwrap_or(0..0);
        let written = self.text.get(place.clone()).unwrap_or_default();
        let message =
            message.replace(builtin_name(builtin), if written.is_empty() { "value" } else { written });
        Problem::new("compile.builtin", place, message)
    }

    /// Where a name stands first in the text as a word of its own.
    fn place_of_name(&self, name: &str) -> std::ops::Range<usize> {
        let mut words = crate::source::words(self.text);
        words.find(|(word, _)| *word == name && !name.is_empty()).map_or(0..0, |(_, span)| span)
    }

    /// A comparison of an integer uniform with zero is a bool uniform, since that is what registers hold.
    pub(super) fn whole_as_truth(&mut self, relation: Relation, a: Lane, b: Lane) -> Result<Option<Lane>> {
        let (lane, other, relation) = match (self.whole_uniform(a), self.whole_uniform(b)) {
            (Some(whole), None) => (whole, b, relation),
            (None, Some(whole)) => (whole, a, relation.swapped()),
            _ => return Ok(None),
        };
        let turned = match relation {
            Relation::Ne | Relation::Gt => false,
            Relation::Eq | Relation::Le => true,
            _ => return Ok(None),
        };
        let (uniform, component) = lane;
        let is_single = self.interface.wholes.get(usize::from(uniform)).is_some_and(|declared| {
            matches!(declared.shape, Shape::Vector { width: 1, .. }) && declared.registers == 1
        });
        if !other.is(0.0) || component != 0 || !is_single {
            return Ok(None);
        }
        // The first test of a loop, `0 < n`, looks like this too.
        let is_order = !matches!(relation, Relation::Ne | Relation::Eq);
        let is_passes = self.wholes.get(usize::from(uniform)).is_some_and(|known| known.passes);
        if is_order && (is_passes || self.loops_probed > 0) {
            return Ok(None);
        }
        if let Some(known) = self.wholes.get_mut(usize::from(uniform)) {
            known.truth = true;
        }
        let truth = self.builder.read(Op::Truth(TRUTHS_OF_WHOLES + uniform), 1);
        let truth = truth.first().copied().unwrap_or(Lane::ZERO);
        Ok(Some(if turned { self.not_one(truth) } else { truth }))
    }

    /// An integer uniform says how often a loop runs.
    pub(super) fn use_as_passes(&mut self, uniform: u16) -> Result<()> {
        if let Some(known) = self.wholes.get_mut(usize::from(uniform)) {
            known.passes = true;
        }
        Ok(())
    }
}

/// Bool uniforms from here on are integer uniforms that are used as truths.
const TRUTHS_OF_WHOLES: u16 = 0x1000;

/// Gives integer uniforms their registers, now that all uses are known.
pub(super) fn settle(interface: &mut Interface, program: &mut Program, uses: &[WholeUse]) -> Result<()> {
    let mut truth_of: Vec<Option<u16>> = vec![None; uses.len()];
    let mut whole_of: Vec<Option<u16>> = vec![None; uses.len()];
    let mut wholes = Vec::new();
    for (index, (declared, known)) in std::mem::take(&mut interface.wholes).into_iter().zip(uses).enumerate()
    {
        if known.truth && known.passes {
            let message = format!("`{}` is both a truth and the number of passes of a loop", declared.name);
            return Err(Problem::new("compile.uniforms", declared.span, message)
                .note("these lie in different registers of the machine: take two uniforms"));
        }
        let to = if known.truth { &mut interface.truths } else { &mut wholes };
        let place = if known.truth { truth_of.get_mut(index) } else { whole_of.get_mut(index) };
        if let Some(place) = place {
            *place = u16::try_from(to.len()).ok();
        }
        to.push(declared);
    }
    interface.wholes = wholes;
    let moved =
        |list: &[Option<u16>], index: u16| list.get(usize::from(index)).copied().flatten().unwrap_or(0);
    for node in &mut program.nodes {
        match &mut node.op {
            Op::Truth(index) if *index >= TRUTHS_OF_WHOLES => {
                *index = moved(&truth_of, *index - TRUTHS_OF_WHOLES)
            }
            Op::Whole(index) => *index = moved(&whole_of, *index),
            _ => {}
        }
    }
    for of in &mut program.loops {
        if let crate::vector::Passes::Uniform(index) = &mut of.passes {
            *index = moved(&whole_of, *index);
        }
    }
    Ok(())
}

/// Float registers of the machine.
const FLOATS: u32 = 96;

/// Checks that no uniform alone is larger than the machine.
pub(super) fn fits(interface: &Interface) -> Result<()> {
    let registers = |uniform: &super::interface::Uniform| u32::from(uniform.registers);
    let Some(largest) = interface.floats.iter().max_by_key(|uniform| registers(uniform)) else {
        return Ok(());
    };
    if registers(largest) <= FLOATS {
        return Ok(());
    }
    let message = format!(
        "the uniform `{}` needs {} registers: the machine has {FLOATS} for all floats",
        largest.name,
        registers(largest)
    );
    Err(Problem::new("compile.machine", largest.span.clone(), message).note(
        "a `mat4` takes 4 registers and a `mat4x3` 3; take a shorter array, and draw in parts what needs more",
    ))
}

/// A built-in value as it stands in a text of its language.
fn builtin_place(builtin: BuiltIn) -> &'static str {
    match builtin {
        BuiltIn::VertexIndex => "vertex_index",
        BuiltIn::InstanceIndex => "instance_index",
        other => builtin_name(other),
    }
}

pub(super) fn builtin_name(builtin: BuiltIn) -> &'static str {
    match builtin {
        BuiltIn::VertexIndex => "gl_VertexIndex",
        BuiltIn::InstanceIndex => "gl_InstanceIndex",
        BuiltIn::PointSize => "gl_PointSize",
        BuiltIn::ClipDistances => "gl_ClipDistance",
        BuiltIn::CullDistance => "gl_CullDistance",
        _ => "value of that kind",
    }
}
