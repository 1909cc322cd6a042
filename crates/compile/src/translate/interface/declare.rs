//! What the module and the interface say of each variable: the vectors, matrices and arrays that it is made of.

use super::super::place::{Kind, Place, Rule, Words};
use super::super::{MOST_INTERFACE, MOST_SCALARS, Translator, words_of};
use super::Variable;
use unshade_glsl::tree::{self, Auxiliary, Variable as Declared};
use unshade_glsl::types::{Scalar, Type};
use unshade_ir::{Global, Interpolation, Precision, Sampling, Shape, Space};

impl Translator<'_> {
    /// The words of a value, in order.
    pub(super) fn word_numbers(&mut self, words: &Words, ty: Type) -> Vec<u32> {
        let mut scalars = Vec::new();
        let count = self.types().scalars(ty);
        self.interface_words = self.interface_words.saturating_add(count);
        if count <= MOST_SCALARS && self.interface_words <= MOST_INTERFACE {
            self.scalars_in(words, ty, &mut scalars);
        }
        let all = scalars
            .iter()
            .flat_map(|(at, scalar)| (0..words_of(*scalar)).map(|n| at.offset.saturating_add(n)));
        all.collect()
    }

    /// Names the vectors, matrices and arrays of these that a type is made of, as two models are beside name and place.
    pub(super) fn declare(
        &mut self,
        (model, variable): (&Global, &Variable),
        name: &str,
        words: &Words,
        ty: Type,
    ) {
        if self.interface_words > MOST_INTERFACE {
            return;
        }
        let types = self.types();
        let (inner, count, stride) = match ty {
            Type::Array(id) => {
                let element = types.get_array(id).element;
                let Some(count) = types.length(ty) else { return };
                let whole = Place { ty, kind: Kind::Words(*words) };
                let next = self.element(&whole, 1);
                let stride = match next.kind {
                    Kind::Words(next) => next.offset.saturating_sub(words.offset),
                    _ => 0,
                };
                (element, count, stride)
            }
            other => (other, 0, 0),
        };
        match inner {
            Type::Struct(_) | Type::Array(_) => {
                let whole = Place { ty, kind: Kind::Words(*words) };
                // Beyond that nobody wants to see each element.
                for number in 0..count.clamp(1, 64) {
                    let (part, name) = match count {
                        0 => (whole.clone(), name.to_owned()),
                        _ => (self.element(&whole, number), format!("{name}[{number}]")),
                    };
                    let Kind::Words(words) = part.kind else { continue };
                    match part.ty {
                        Type::Struct(id) => {
                            let members = &types.structure(id).members;
                            for (number, member) in members.iter().enumerate() {
                                let place = self.member(&part, number as u32);
                                if let Kind::Words(words) = place.kind {
                                    let name = format!("{name}.{}", member.name);
                                    self.declare((model, variable), &name, &words, member.ty);
                                }
                            }
                        }
                        other => self.declare((model, variable), &name, &words, other),
                    }
                }
            }
            _ => {
                let Some(scalar) = inner.scalar() else { return };
                let mut global = model.clone();
                global.name = name.to_owned();
                global.offset = words.offset;
                global.location = match words.rule {
                    Rule::Location => {
                        model.location.saturating_add((words.offset / 4).saturating_sub(model.offset / 4))
                    }
                    _ => model.location,
                };
                let components = inner.components().unwrap_or(1).min(4);
                global.shape = match (inner, scalar) {
                    (Type::Matrix(_, columns, rows), _) => {
                        Shape::Matrix { columns, rows, elements: count, element_stride: stride }
                    }
                    (_, Scalar::Bool) => Shape::Bool { components, elements: count },
                    // Two words each: there is no shape for doubles.
                    (_, scalar) if words_of(scalar) == 2 => {
                        Shape::Uint { components: (2 * components).min(4), elements: count }
                    }
                    (_, scalar) if scalar.is_float() => Shape::Float { components, elements: count },
                    (_, scalar) if scalar.is_unsigned() => Shape::Uint { components, elements: count },
                    _ => Shape::Int { components, elements: count },
                };
                global.stride = match inner {
                    Type::Matrix(..) => {
                        let one = Place { ty: inner, kind: Kind::Words(*words) };
                        match self.element(&one, 1).kind {
                            Kind::Words(next) => next.offset.saturating_sub(words.offset),
                            _ => 4,
                        }
                    }
                    _ if count > 0 => stride,
                    _ => global.shape.stride(),
                };
                let numbers = self.word_numbers(words, ty);
                self.interface.variables.push(Variable {
                    name: name.to_owned(),
                    words: numbers,
                    scalar: Some(scalar),
                    location: variable.location.map(|_| global.location),
                    component: if matches!(words.rule, Rule::Location) { words.offset % 4 } else { 0 },
                    ..variable.clone()
                });
                // Buffers have no globals.
                if global.space != Space::Storage {
                    self.module.globals.push(global);
                }
            }
        }
    }
}

/// Qualifiers that the module has words for.
pub(super) struct Qualifiers {
    pub(super) interpolation: Interpolation,
    pub(super) sampling: Sampling,
    pub(super) precision: Option<Precision>,
    pub(super) stream: u32,
}

impl Qualifiers {
    pub(super) fn of(variable: &Declared) -> Self {
        let integers = variable.ty.scalar().is_some_and(Scalar::is_integer);
        let mut qualifiers = Self {
            interpolation: if integers { Interpolation::Flat } else { Interpolation::Smooth },
            sampling: Sampling::Center,
            precision: precision(variable.precision),
            stream: variable.layout.stream.unwrap_or(0),
        };
        qualifiers.qualify(variable.interpolation, variable.auxiliary);
        qualifiers
    }

    pub(super) fn member(&mut self, member: &tree::BlockMember) {
        self.qualify(member.interpolation, member.auxiliary);
        if let Some(stream) = member.layout.stream {
            self.stream = stream;
        }
    }

    fn qualify(&mut self, interpolation: tree::Interpolation, auxiliary: Auxiliary) {
        self.interpolation = match interpolation {
            tree::Interpolation::Unspecified => self.interpolation,
            tree::Interpolation::Smooth => Interpolation::Smooth,
            tree::Interpolation::Flat => Interpolation::Flat,
            tree::Interpolation::NoPerspective => Interpolation::Linear,
        };
        self.sampling = match auxiliary {
            Auxiliary::Centroid => Sampling::Centroid,
            Auxiliary::Sample => Sampling::Sample,
            Auxiliary::None | Auxiliary::Patch => self.sampling,
        };
    }
}

pub(super) fn precision(precision: unshade_glsl::types::Precision) -> Option<Precision> {
    use unshade_glsl::types::Precision as Said;
    match precision {
        Said::Unspecified => None,
        Said::Low => Some(Precision::Low),
        Said::Medium => Some(Precision::Medium),
        Said::High => Some(Precision::High),
    }
}
