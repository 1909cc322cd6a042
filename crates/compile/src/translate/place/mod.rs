//! Places: what l-values name, and how they are read and written.

mod access;

use super::{MOST_VARIABLES, Result, Translator, ir_type, unsupported, words_of};
use smallvec::SmallVec;
use std::rc::Rc;
use unshade_glsl::place::Span;
use unshade_glsl::tree::{ExpressionId, ExpressionKind, Storage, VariableId};
use unshade_glsl::types::layout::{self, Packing};
use unshade_glsl::types::{Opaque, Part, Scalar, Type};
use unshade_ir::{Access, Op, Space, Value, VarId};

/// A variable, or a part of one.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// What lies there.
    pub ty: Type,
    /// Where.
    pub kind: Kind,
}

/// Where something lies.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// In variables of the module, one for each scalar.
    Variables(SmallVec<[VarId; 4]>),
    /// In an address space.
    Words(Words),
    /// Each member, or element, in a place of its own.
    Parts(Rc<[Place]>),
    /// A block that each vertex has: its members in the first vertex, and the words from one vertex to the next.
    PerVertex(Rc<[Place]>, u32),
    /// One of these, by a number.
    Choice(Rc<[Place]>, Value),
    /// A texture with its sampler, an image, or an array of these.
    Handle(Handle),
}

/// Words of an address space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words {
    /// The address space.
    pub space: Space,
    /// Which buffer or register file of it.
    pub binding: u32,
    /// The first word.
    pub offset: u32,
    /// A number that is added, and the words for each step of it.
    pub index: Option<(Value, u32)>,
    /// How what lies there is laid out.
    pub rule: Rule,
    /// Of a vector, which components it has.
    pub lanes: [u8; 4],
    /// Of a vector, words from one component to the next.
    pub step: u32,
}

/// How parts of a type follow each other in an address space.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rule {
    /// Without gaps; a scalar has a word, or two.
    Tight,
    /// By locations, of four words each.
    Location,
    /// An array with an element for each vertex, which lie so many words apart.
    Vertices { stride: u32, has_locations: bool },
    /// As in blocks.
    Block { packing: Packing, is_row_major: bool },
}

/// Textures or images.
#[derive(Debug, Clone, Copy)]
pub(super) struct Handle {
    /// The first unit.
    pub unit: u32,
    /// A number that is added to the unit.
    pub index: Option<Value>,
    /// What they are.
    pub opaque: Opaque,
}

impl Rule {
    /// The rule for the elements of what is laid out by this one.
    fn of_elements(self) -> Self {
        match self {
            Self::Vertices { has_locations: true, .. } => Self::Location,
            Self::Vertices { .. } => Self::Tight,
            rule => rule,
        }
    }
}

impl Words {
    /// The start of a space's binding.
    pub fn new(space: Space, binding: u32, offset: u32, rule: Rule) -> Self {
        Self { space, binding, offset, index: None, rule, lanes: [0, 1, 2, 3], step: 1 }
    }

    fn shifted(mut self, words: u32) -> Self {
        self.offset = self.offset.saturating_add(words);
        self
    }

    fn access(&self, further: u32) -> Access {
        let stride = self.index.map_or(0, |(_, stride)| stride);
        Access {
            space: self.space,
            binding: self.binding,
            offset: self.offset.saturating_add(further),
            stride,
        }
    }
}

impl Translator<'_> {
    // ---- where variables and l-values lie

    /// Where an expression's value lies, if it is an l-value.
    pub(super) fn place(&mut self, id: ExpressionId) -> Result<Option<Place>> {
        if self.shader.root(id).is_none() {
            return Ok(None);
        }
        let span = self.span(id);
        Ok(match &self.shader.expressions[id].kind {
            ExpressionKind::Variable(variable) => Some(self.variable(*variable, span)?),
            ExpressionKind::Field { base, member } => {
                self.place(*base)?.map(|base| self.member(&base, *member))
            }
            ExpressionKind::Index { base, index } => {
                let Some(base) = self.place(*base)? else { return Ok(None) };
                match self.known_index(*index) {
                    Some(number) => Some(self.element(&base, number)),
                    None => {
                        let index = self.index(*index)?;
                        Some(self.element_at(&base, index, span)?)
                    }
                }
            }
            ExpressionKind::Swizzle { base, lanes } => {
                self.place(*base)?.map(|base| self.components(&base, lanes))
            }
            _ => None,
        })
    }

    /// The place of an l-value.
    pub(super) fn target(&mut self, id: ExpressionId) -> Result<Place> {
        let span = self.span(id);
        self.place(id)?.ok_or_else(|| unsupported("expected a variable or a part of one", span))
    }

    /// Where a variable lies.
    pub(super) fn variable(&mut self, id: VariableId, span: Span) -> Result<Place> {
        if let Some(place) = self.handles.get(&id) {
            return Ok(place.clone());
        }
        if let Some(Some(place)) = self.homes.get(id.index()) {
            return Ok(place.clone());
        }
        let variable = &self.shader.variables[id];
        if !matches!(variable.storage, Storage::Global | Storage::Local | Storage::Parameter(_)) {
            let name = &variable.name;
            return Err(unsupported(format!("`{name}` has no place in the common language"), span));
        }
        let indexed = self.indexed.get(id.index()).copied().unwrap_or(false);
        let place = self.private(&variable.name, variable.ty, indexed, span)?;
        if let Some(home) = self.homes.get_mut(id.index()) {
            *home = Some(place.clone());
        }
        Ok(place)
    }

    /// A new private place.
    pub(super) fn private(&mut self, name: &str, ty: Type, indexed: bool, span: Span) -> Result<Place> {
        if self.types().has(ty, Part::Opaque) || self.types().has(ty, Part::AtomicCounter) {
            return Err(unsupported(
                format!("expected a number or truth value in `{name}`, found a texture"),
                span,
            ));
        }
        let leaves = self.leaves(ty, span)?;
        let kind = if indexed || leaves.len() as u64 > MOST_VARIABLES {
            let words = leaves.iter().map(|scalar| words_of(*scalar)).sum();
            Kind::Words(Words::new(Space::Local, self.local_array(name, words), 0, Rule::Tight))
        } else {
            let of_one = leaves.len() <= 4;
            let variables = leaves.iter().enumerate().map(|(n, scalar)| {
                let lane = if of_one { n } else { 0 };
                let name = if of_one { name.to_owned() } else { format!("{name}.{n}") };
                self.module.push_variable(name, lane as u8, ir_type(*scalar), 0)
            });
            Kind::Variables(variables.collect())
        };
        Ok(Place { ty, kind })
    }

    /// A constant index.
    pub(super) fn known_index(&self, id: ExpressionId) -> Option<u32> {
        let ExpressionKind::Constant(constant) = self.shader.expressions[id].kind else { return None };
        use unshade_glsl::tree::Value::{Int, Uint};
        match *self.shader.constants[constant].values.first()? {
            Int(number) => u32::try_from(number).ok(),
            Uint(number) => u32::try_from(number).ok(),
            _ => None,
        }
    }

    /// The value of an index, as a word.
    pub(super) fn index(&mut self, id: ExpressionId) -> Result<Value> {
        let value = self.scalar(id)?;
        Ok(match self.ty(id).scalar() {
            Some(Scalar::Int64 | Scalar::Uint64) => self.op(Op::Low, &[value]),
            _ => value,
        })
    }

    // ---- parts of places

    fn each(places: &[Place], part: impl FnMut(&Place) -> Place) -> Rc<[Place]> {
        places.iter().map(part).collect()
    }

    /// A member of a structure.
    pub(super) fn member(&self, place: &Place, number: u32) -> Place {
        let types = self.types();
        let Type::Struct(id) = place.ty else { return place.clone() };
        let members = &types.structure(id).members;
        let ty = members.get(number as usize).map_or(Type::Void, |member| member.ty);
        let kind = match &place.kind {
            Kind::Variables(variables) => {
                let before =
                    members.iter().take(number as usize).map(|member| types.scalars(member.ty)).sum();
                Kind::Variables(run(variables, before, types.scalars(ty)))
            }
            Kind::Words(words) => {
                let offset = match words.rule {
                    Rule::Block { packing, is_row_major } => {
                        let (placed, _) = layout::members(types, place.ty, packing, is_row_major);
                        placed.get(number as usize).map_or(0, |(offset, _)| offset / 4)
                    }
                    _ => members
                        .iter()
                        .take(number as usize)
                        .map(|member| self.extent(member.ty, words.rule))
                        .sum(),
                };
                Kind::Words(self.unfolded(words.shifted(offset), ty))
            }
            Kind::Parts(parts) | Kind::PerVertex(parts, _) => {
                return parts
                    .get(number as usize)
                    .cloned()
                    .unwrap_or(Place { ty, kind: Kind::Parts(Rc::new([])) });
            }
            Kind::Choice(places, index) => {
                Kind::Choice(Self::each(places, |place| self.member(place, number)), *index)
            }
            Kind::Handle(handle) => Kind::Handle(*handle),
        };
        Place { ty, kind }
    }

    /// Words of a type, by its rule: for vectors, how their components lie.
    pub(super) fn unfolded(&self, mut words: Words, ty: Type) -> Words {
        if let Type::Scalar(scalar) | Type::Vector(scalar, _) | Type::Matrix(scalar, ..) = ty {
            words.step = words_of(scalar);
            words.lanes = [0, 1, 2, 3];
        }
        words
    }

    /// Words from the start of a type to what follows it, by a rule.
    pub(super) fn extent(&self, ty: Type, rule: Rule) -> u32 {
        let types = self.types();
        match (rule, ty) {
            (Rule::Vertices { .. }, _) => self.extent(ty, rule.of_elements()),
            (Rule::Block { packing, is_row_major }, _) => {
                layout::extent(types, ty, packing, is_row_major).size / 4
            }
            (_, Type::Array(id)) => {
                let count = types.length(ty).unwrap_or(0);
                self.extent(types.get_array(id).element, rule).saturating_mul(count)
            }
            (_, Type::Struct(id)) => {
                let members = types.structure(id).members.iter();
                members.map(|member| self.extent(member.ty, rule)).fold(0, u32::saturating_add)
            }
            (Rule::Tight, _) => ty.scalar().map_or(0, words_of) * u32::from(ty.components().unwrap_or(0)),
            (Rule::Location, Type::Matrix(scalar, columns, rows)) => {
                self.extent(Type::Vector(scalar, rows), rule) * u32::from(columns)
            }
            (Rule::Location, _) => {
                let words = ty.scalar().map_or(1, words_of) * u32::from(ty.components().unwrap_or(1));
                if words > 4 { 8 } else { 4 }
            }
        }
    }

    /// Words from one element of an array, or column of a matrix, to the next, and those between components of a column.
    fn strides(&self, ty: Type, rule: Rule) -> (u32, u32) {
        let types = self.types();
        match ty {
            Type::Matrix(scalar, columns, rows) => match rule {
                Rule::Block { packing, is_row_major } => {
                    let extent =
                        layout::extent(types, Type::Matrix(scalar, columns, rows), packing, is_row_major);
                    let (far, near) = (extent.matrix_stride / 4, words_of(scalar));
                    if is_row_major { (near, far) } else { (far, near) }
                }
                _ => (self.extent(Type::Vector(scalar, rows), rule), words_of(scalar)),
            },
            Type::Array(id) => match rule {
                Rule::Vertices { stride, .. } => (stride, 1),
                Rule::Block { packing, is_row_major } => {
                    (layout::extent(types, ty, packing, is_row_major).array_stride / 4, 1)
                }
                _ => (self.extent(types.get_array(id).element, rule), 1),
            },
            _ => (1, 1),
        }
    }

    /// An element of an array, a column of a matrix, a component of a vector.
    pub(super) fn element(&self, place: &Place, number: u32) -> Place {
        let types = self.types();
        let Some(ty) = types.element(place.ty) else { return place.clone() };
        let kind = match &place.kind {
            Kind::Variables(variables) => {
                let count = types.scalars(ty);
                Kind::Variables(run(variables, count.saturating_mul(number.into()), count))
            }
            Kind::Words(words) => match place.ty {
                Type::Vector(..) => return self.components(place, &[number.min(3) as u8]),
                _ => {
                    let (stride, step) = self.strides(place.ty, words.rule);
                    let mut words = self.unfolded(words.shifted(stride.saturating_mul(number)), ty);
                    words.rule = words.rule.of_elements();
                    if place.ty.is_matrix() {
                        words.step = step;
                    }
                    Kind::Words(words)
                }
            },
            Kind::Parts(parts) => {
                return parts
                    .get(number as usize)
                    .cloned()
                    .unwrap_or(Place { ty, kind: Kind::Parts(Rc::new([])) });
            }
            Kind::PerVertex(members, stride) => {
                let shift = stride.saturating_mul(number);
                Kind::Parts(Self::each(members, |member| shifted(member, shift)))
            }
            Kind::Choice(places, index) => {
                Kind::Choice(Self::each(places, |place| self.element(place, number)), *index)
            }
            Kind::Handle(handle) => {
                let step = self.handles_of(ty).saturating_mul(number);
                Kind::Handle(Handle { unit: handle.unit.saturating_add(step), ..*handle })
            }
        };
        Place { ty, kind }
    }

    /// The same by a number that is not known.
    pub(super) fn element_at(&mut self, place: &Place, index: Value, span: Span) -> Result<Place> {
        let types = self.types();
        let Some(ty) = types.element(place.ty) else { return Ok(place.clone()) };
        let kind = match &place.kind {
            Kind::Words(words) if !place.ty.is_vector() && !place.ty.is_matrix() => {
                let (stride, _) = self.strides(place.ty, words.rule);
                let mut words = self.moved(*words, index, stride);
                words.rule = words.rule.of_elements();
                Kind::Words(self.unfolded(words, ty))
            }
            Kind::PerVertex(members, stride) => {
                let (members, stride) = (members.clone(), *stride);
                let mut parts = Vec::with_capacity(members.len());
                for member in members.iter() {
                    parts.push(self.moved_place(member, index, stride));
                }
                Kind::Parts(parts.into())
            }
            Kind::Handle(handle) => {
                let step = self.handles_of(ty);
                let handle = *handle;
                let scaled = self.scaled(index, step);
                let index = match handle.index {
                    Some(before) => self.op(Op::IAdd, &[before, scaled]),
                    None => scaled,
                };
                Kind::Handle(Handle { index: Some(index), ..handle })
            }
            Kind::Choice(places, chosen) => {
                let (places, chosen) = (places.clone(), *chosen);
                let mut parts = Vec::with_capacity(places.len());
                for place in places.iter() {
                    parts.push(self.element_at(place, index, span)?);
                }
                Kind::Choice(parts.into(), chosen)
            }
            Kind::Variables(_) | Kind::Words(_) | Kind::Parts(_) => {
                let count = types.length(place.ty).unwrap_or(0);
                if u64::from(count) > MOST_VARIABLES {
                    let message =
                        format!("expected at most {MOST_VARIABLES} places to choose from, found {count}");
                    return Err(unsupported(message, span));
                }
                Kind::Choice((0..count).map(|number| self.element(place, number)).collect(), index)
            }
        };
        Ok(Place { ty, kind })
    }

    /// Components of a vector, or of a scalar.
    pub(super) fn components(&self, place: &Place, lanes: &[u8]) -> Place {
        let ty = Type::of(place.ty.scalar().unwrap_or(Scalar::Float), lanes.len() as u8);
        let kind = match &place.kind {
            Kind::Variables(variables) => Kind::Variables(
                lanes.iter().filter_map(|lane| variables.get(usize::from(*lane))).copied().collect(),
            ),
            Kind::Words(words) => {
                let mut words = *words;
                let before = words.lanes;
                for (to, from) in words.lanes.iter_mut().zip(lanes) {
                    *to = before.get(usize::from(*from)).copied().unwrap_or(0);
                }
                Kind::Words(words)
            }
            Kind::Choice(places, index) => {
                Kind::Choice(Self::each(places, |place| self.components(place, lanes)), *index)
            }
            other => other.clone(),
        };
        Place { ty, kind }
    }

    /// How many units the textures or images of a type have.
    pub(super) fn handles_of(&self, ty: Type) -> u32 {
        match ty {
            Type::Array(id) => {
                let count = self.types().length(ty).unwrap_or(1);
                self.handles_of(self.types().get_array(id).element).saturating_mul(count)
            }
            _ => 1,
        }
    }

    fn scaled(&mut self, index: Value, by: u32) -> Value {
        if by == 1 {
            return index;
        }
        let by = self.bits(by);
        self.op(Op::IMul, &[index, by])
    }

    /// The words that many steps further on.
    fn moved(&mut self, mut words: Words, index: Value, stride: u32) -> Words {
        words.index = Some(match words.index {
            None => (index, stride),
            Some((before, by)) if by == stride => (self.op(Op::IAdd, &[before, index]), stride),
            Some((before, by)) => {
                let (before, index) = (self.scaled(before, by), self.scaled(index, stride));
                (self.op(Op::IAdd, &[before, index]), 1)
            }
        });
        words
    }

    fn moved_place(&mut self, place: &Place, index: Value, stride: u32) -> Place {
        let kind = match &place.kind {
            Kind::Words(words) => Kind::Words(self.moved(*words, index, stride)),
            other => other.clone(),
        };
        Place { ty: place.ty, kind }
    }
}

/// So many variables, from one on.
fn run(variables: &[VarId], from: u64, count: u64) -> SmallVec<[VarId; 4]> {
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    variables.iter().skip(from).take(usize::try_from(count).unwrap_or(usize::MAX)).copied().collect()
}

fn shifted(place: &Place, words: u32) -> Place {
    let kind = match &place.kind {
        Kind::Words(at) => Kind::Words(at.shifted(words)),
        other => other.clone(),
    };
    Place { ty: place.ty, kind }
}
