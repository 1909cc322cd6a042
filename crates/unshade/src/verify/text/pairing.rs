//! Which variable of a program is which of a text: by name, by what the pipeline knows it for, by place, and by order.

use super::super::mapped::{Held, Mapping, Place};
use std::collections::BTreeSet;
use unshade_compile::translate::Translation;
use unshade_compile::translate::interface::{Interface, Variable};
use unshade_emit::{Binding, BindingKind};
use unshade_ir::{Global, Module, Op, Space};

/// How two variables found each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum By {
    /// They have the same name, or the pipeline knows both for the same.
    Name,
    /// They have the same location or binding.
    Place,
    /// They are what was left on both sides, one after the other.
    Order,
}

/// A variable of the text with that of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// Name in the text.
    pub text: String,
    /// Name in the program's own source, as it is decompiled.
    pub program: String,
    /// How they found each other.
    pub by: By,
}

/// A variable that the other side does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alone {
    /// `input`, `output`, `uniform`, `block`, `buffer`, `texture`, `image`.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Whether it is the text's, or the program's.
    pub in_text: bool,
}

/// What is around a program, as its decompiled source names it.
pub(super) struct Program<'a> {
    /// By the rules of OpenGL, whose numbers texts state.
    pub bindings: &'a [Binding],
    /// The same ones' names by the rules of the language that the program was written in.
    pub names: Vec<&'a str>,
    /// The program behind the passes of readable mode.
    pub module: &'a Module,
}

/// What came of the search.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    pub mapping: Mapping,
    pub pairs: Vec<Pair>,
    pub alone: Vec<Alone>,
    used: Used,
}

/// What of its surroundings a text asks for: the words of all accesses, of those by a number that is not known the first one.
#[derive(Debug, Default)]
struct Used(BTreeSet<(Space, u32, u32)>);

impl Used {
    fn of(module: &Module) -> Self {
        let mut used = Self::default();
        for inst in module.functions.iter().flat_map(|function| &function.insts) {
            let (Op::Load(access) | Op::Store(access) | Op::Interpolate(_, access) | Op::Atomic(_, access)) =
                inst.op
            else {
                continue;
            };
            used.0.insert((access.space, access.binding, access.offset));
        }
        used
    }

    /// Whether the text asks for a variable: built-in variables stand in its interface as the members of their block do.
    fn has(&self, variable: &Variable) -> bool {
        let asked = |word: u32| self.0.contains(&(variable.space, variable.binding, word));
        variable.words.iter().any(|word| {
            let vertices = 0..variable.vertices.max(1);
            let mut each =
                vertices.map(|vertex| word.saturating_add(vertex.saturating_mul(variable.vertex_stride)));
            each.any(asked)
        })
    }
}

/// A part of a name behind the block's or instance's.
fn last_part(name: &str) -> &str {
    name.split_once('.').map_or(name, |(_, rest)| rest)
}

/// Words of the program, in the order of the language: column by column, element by element.
fn words(binding: &Binding, elements: u32) -> Vec<u32> {
    let place = binding.machine;
    let components = u32::from(binding.components.max(1));
    let count = components.saturating_mul(elements).min(1 << 16);
    let rows = elements;
    (0..count)
        .map(|number| {
            let (element, component) = match binding.matrix && !binding.by_column {
                true => (number % rows, number / rows),
                false => (number / components, number % components),
            };
            place.first.saturating_add(place.stride.saturating_mul(element)).saturating_add(component)
        })
        .collect()
}

fn held(binding: &Binding, variable: &Variable) -> Held {
    if variable.semantic == Some("frag-depth") {
        return Held::Depth;
    }
    use unshade_compile::translate::Scalar as Declared;
    match (binding.machine.as_float, variable.scalar) {
        (true, Some(Declared::Uint)) => Held::UintAsFloat,
        (true, Some(Declared::Int | Declared::Bool)) => Held::IntAsFloat,
        (false, Some(Declared::Bool)) => Held::Truth,
        _ => Held::Bits,
    }
}

impl Program<'_> {
    /// What the module says of a name.
    fn global(&self, binding: &Binding) -> Option<&Global> {
        let place = binding.machine;
        self.module.globals.iter().find(|global| {
            (global.space, global.binding, global.offset) == (place.space, place.binding, place.first)
        })
    }

    /// Whether a binding has the name of a variable, with or without its block's.
    fn is_named(&self, binding: &Binding, name: &str) -> bool {
        let number = self.bindings.iter().position(|other| std::ptr::eq(other, binding));
        let plain = number.and_then(|number| self.names.get(number)).copied();
        [binding.name.as_str(), plain.unwrap_or_default()]
            .iter()
            .any(|own| *own == name || *own == last_part(name))
    }

    /// Elements of a name: of what each vertex has, those of one vertex.
    fn elements(&self, binding: &Binding) -> u32 {
        match self.global(binding) {
            Some(global) if global.vertices > 0 => global.shape.elements().max(1),
            _ => binding.elements.max(1),
        }
    }
}

impl Pairing {
    pub(super) fn of(translation: &Translation, program: &Program<'_>) -> Self {
        let mut pairing = Self { used: Used::of(&translation.module), ..Self::default() };
        let text = &translation.interface;
        pairing.edge(text, program, Space::Input);
        pairing.edge(text, program, Space::Output);
        pairing.uniforms(text, program);
        pairing.buffers(text, program);
        pairing.units(text, program, Space::Texture);
        pairing.units(text, program, Space::Image);
        pairing
    }

    fn pair(&mut self, text: &str, program: &str, by: By) {
        self.pairs.push(Pair { text: text.to_owned(), program: program.to_owned(), by });
    }

    fn alone(&mut self, kind: &'static str, name: &str, in_text: bool) {
        self.alone.push(Alone { kind, name: name.to_owned(), in_text });
    }

    // ---- inputs and outputs

    fn edge(&mut self, text: &Interface, program: &Program<'_>, space: Space) {
        let kind = if space == Space::Input { "input" } else { "output" };
        let bindings: Vec<&Binding> =
            program.bindings.iter().filter(|binding| binding.machine.space == space).collect();
        let mut used = BTreeSet::new();
        let mut open: Vec<&Variable> = Vec::new();
        for variable in text.variables.iter().filter(|variable| variable.space == space) {
            let same = |binding: &Binding| {
                let known = program.global(binding).and_then(|global| global.semantic.as_deref());
                program.is_named(binding, &variable.name)
                    // A colour is one of several.
                    || variable.semantic.is_some_and(|semantic| semantic != "color" && known == Some(semantic))
            };
            let mut found = false;
            for (number, binding) in bindings.iter().enumerate().filter(|(_, binding)| same(binding)) {
                let from = match binding.kind {
                    BindingKind::Position { component } => component,
                    _ => 0,
                };
                self.words_of(program, variable, binding, from.into());
                self.pair(&variable.name, &binding.name, By::Name);
                used.insert(number);
                found = true;
            }
            if !found {
                open.push(variable);
            }
        }
        // By location, word by word: what is one variable here may be several there.
        let mut rest: Vec<&Variable> = Vec::new();
        for variable in open {
            let mut found = BTreeSet::new();
            for number in 0..variable.words.len() {
                let Some((location, component)) = location(variable, number) else { break };
                for (at, binding) in bindings.iter().enumerate() {
                    if let Some(word) = word_at(binding, program.elements(binding), location, component) {
                        self.word_of(program, variable, number, binding, word);
                        found.insert(at);
                    }
                }
            }
            for at in &found {
                self.pair(&variable.name, &bindings[*at].name, By::Place);
            }
            match found.is_empty() {
                true => rest.push(variable),
                false => used.extend(found),
            }
        }
        // A colour without a location.
        let mut left: Vec<usize> = (0..bindings.len()).filter(|at| !used.contains(at)).collect();
        for variable in rest {
            let next = left.iter().position(|at| {
                let binding = bindings[*at];
                let own = matches!(binding.kind, BindingKind::Input { .. } | BindingKind::Output { .. });
                own && variable.semantic.is_none_or(|semantic| semantic == "color")
            });
            match next {
                Some(next) => {
                    let binding = bindings[left.remove(next)];
                    self.words_of(program, variable, binding, 0);
                    self.pair(&variable.name, &binding.name, By::Order);
                }
                None if self.used.has(variable) => self.alone(kind, &variable.name, true),
                None => {}
            }
        }
        if space == Space::Output {
            let missing = left.into_iter().map(|at| bindings[at]);
            for binding in missing.filter(|binding| !matches!(binding.kind, BindingKind::Ignored)) {
                self.alone(kind, &binding.name, false);
            }
        }
    }

    /// Puts the words of a variable beside those of the program, of which the first is the variable's `from`.
    fn words_of(&mut self, program: &Program<'_>, variable: &Variable, binding: &Binding, from: usize) {
        for (number, word) in words(binding, program.elements(binding)).into_iter().enumerate() {
            if from + number < variable.words.len() {
                self.word_of(program, variable, from + number, binding, word);
            }
        }
    }

    fn word_of(
        &mut self,
        program: &Program<'_>,
        variable: &Variable,
        number: usize,
        binding: &Binding,
        word: u32,
    ) {
        let place = binding.machine;
        let stride = program.global(binding).map_or(0, |global| global.vertex_stride);
        let count = if stride == 0 { 1 } else { variable.vertices.max(1) };
        for vertex in 0..count {
            let own = variable.words[number].saturating_add(vertex.saturating_mul(variable.vertex_stride));
            let word = word.saturating_add(vertex.saturating_mul(stride));
            let at =
                Place { space: place.space, binding: place.binding, word, held: held(binding, variable) };
            self.mapping.word(variable.space, variable.binding, own, at);
        }
    }

    // ---- uniforms

    fn uniforms(&mut self, text: &Interface, program: &Program<'_>) {
        let bindings: Vec<&Binding> = program
            .bindings
            .iter()
            .filter(|binding| matches!(binding.kind, BindingKind::Uniform { .. } | BindingKind::Loose))
            .collect();
        let mut blocks: Vec<(&str, Option<u32>, u32, u32)> = Vec::new();
        for binding in &bindings {
            let BindingKind::Uniform { block: Some(block), binding: bound, offset, .. } = &binding.kind
            else {
                continue;
            };
            if !blocks.iter().any(|(name, ..)| name == block) {
                let first = binding.machine.first.saturating_sub(offset / 4);
                blocks.push((block, *bound, binding.machine.binding, first));
            }
        }
        let mut paired: BTreeSet<u32> = BTreeSet::new();
        let mut missing: BTreeSet<u32> = BTreeSet::new();
        for variable in text.variables.iter().filter(|variable| variable.space == Space::Uniform) {
            if variable.binding != 0 {
                if paired.contains(&variable.binding) {
                    continue;
                }
                let title = variable.name.split('.').next().unwrap_or_default();
                let by_name = blocks.iter().find(|(name, ..)| *name == title).map(|block| (block, By::Name));
                let by_place = || {
                    let bound = variable.bound?;
                    blocks.iter().find(|(_, own, ..)| *own == Some(bound)).map(|block| (block, By::Place))
                };
                if let Some(((name, _, other, first), by)) = by_name.or_else(by_place) {
                    self.mapping.whole(Space::Uniform, variable.binding, *other, *first);
                    self.pair(title, name, by);
                    paired.insert(variable.binding);
                    continue;
                }
            }
            let same = |binding: &&&Binding| program.is_named(binding, &variable.name);
            match bindings.iter().find(same) {
                Some(binding) => {
                    self.words_of(program, variable, binding, 0);
                    self.pair(&variable.name, &binding.name, By::Name);
                }
                None if variable.binding != 0 => {
                    if missing.insert(variable.binding) {
                        let title = variable.name.split('.').next().unwrap_or_default();
                        self.alone("block", title, true);
                    }
                }
                None => self.alone("uniform", &variable.name, true),
            }
        }
    }

    fn buffers(&mut self, text: &Interface, program: &Program<'_>) {
        let mut seen = BTreeSet::new();
        for variable in text.variables.iter().filter(|variable| variable.space == Space::Storage) {
            if !seen.insert(variable.binding) {
                continue;
            }
            let title = variable.name.split('.').next().unwrap_or_default();
            let buffers = &program.module.buffers;
            let by_name = buffers.iter().find(|buffer| buffer.name == title).map(|buffer| (buffer, By::Name));
            let found = by_name.or_else(|| {
                let bound = variable.bound.unwrap_or(variable.binding);
                buffers.iter().find(|buffer| buffer.binding == bound).map(|buffer| (buffer, By::Place))
            });
            match found {
                Some((buffer, by)) => {
                    self.mapping.whole(Space::Storage, variable.binding, buffer.binding, 0);
                    self.pair(title, &buffer.name, by);
                }
                None => self.alone("buffer", title, true),
            }
        }
    }

    // ---- textures and images

    fn units(&mut self, text: &Interface, program: &Program<'_>, space: Space) {
        let kind = if space == Space::Texture { "texture" } else { "image" };
        let bound = |binding: &Binding| match binding.kind {
            BindingKind::Sampler { binding } | BindingKind::Image { binding } => binding,
            _ => None,
        };
        let bindings: Vec<&Binding> =
            program.bindings.iter().filter(|binding| binding.machine.space == space).collect();
        let mut left: Vec<&Binding> = bindings.clone();
        let mut open = Vec::new();
        let variables: Vec<&Variable> =
            text.variables.iter().filter(|variable| variable.space == space).collect();
        for variable in variables {
            let same = |binding: &&&Binding| program.is_named(binding, &variable.name);
            match bindings.iter().find(same) {
                Some(binding) => {
                    self.unit(variable, binding);
                    self.pair(&variable.name, &binding.name, By::Name);
                    left.retain(|other| other.name != binding.name);
                }
                None => open.push(variable),
            }
        }
        let mut rest = Vec::new();
        for variable in open {
            let place =
                left.iter().position(|binding| variable.bound.is_some() && bound(binding) == variable.bound);
            match place {
                Some(place) => {
                    let binding = left.remove(place);
                    self.unit(variable, binding);
                    self.pair(&variable.name, &binding.name, By::Place);
                }
                None => rest.push(variable),
            }
        }
        for variable in rest {
            match left.is_empty() {
                false => {
                    let binding = left.remove(0);
                    self.unit(variable, binding);
                    self.pair(&variable.name, &binding.name, By::Order);
                }
                true => self.alone(kind, &variable.name, true),
            }
        }
    }

    fn unit(&mut self, variable: &Variable, binding: &Binding) {
        for (number, unit) in (0_u32..).zip(&variable.words) {
            let other = binding.machine.first.saturating_add(number);
            match variable.space {
                Space::Texture => self.mapping.texture(*unit, other),
                _ => self.mapping.image(*unit, other),
            }
        }
    }
}

/// The location and component of a word of a variable.
fn location(variable: &Variable, number: usize) -> Option<(u32, u32)> {
    let first = variable.words.first()?.checked_sub(variable.component)?;
    let at = variable.words.get(number)?.checked_sub(first)?;
    Some((variable.location?.checked_add(at / 4)?, at % 4))
}

/// The word of the program at a location.
fn word_at(binding: &Binding, elements: u32, location: u32, component: u32) -> Option<u32> {
    let (BindingKind::Input { location: own, component: from }
    | BindingKind::Output { location: own, component: from }) = binding.kind
    else {
        return None;
    };
    let element = location.checked_sub(own?)?;
    let lane = component.checked_sub(from.into())?;
    let inside = element < elements && lane < u32::from(binding.components.max(1));
    let place = binding.machine;
    inside.then(|| place.first.saturating_add(place.stride.saturating_mul(element)).saturating_add(lane))
}
