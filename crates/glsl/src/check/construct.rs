//! Constructors and initial values.

use super::{Checked, Checker};
use crate::errors::{Kind, Problem};
use crate::language::since_or;
use crate::parse::syntax::{ExpressionKind as Syntax, Ref};
use crate::place::Span;
use crate::tree::{Constant, ExpressionId, ExpressionKind, Value};
use crate::types::{Handle, Length, Part, Precision, Scalar, Type};

/// What an initial value is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'t> {
    /// Its type; an array without a size gets that of the value.
    pub ty: Type,
    /// What it is for, in messages.
    pub what: &'t str,
}

impl Checker<'_> {
    /// An initial value: an expression, or a list in braces.
    pub(super) fn initial_value(&mut self, value: Ref, target: Target<'_>) -> Checked {
        let syntax = self.syntax;
        let span = self.span(value);
        let Syntax::List(items) = &syntax.get(value).kind else {
            let value = self.expression(value)?;
            let found = self.ty(value);
            if self.fits_unsized(target.ty, found) {
                return Some(value);
            }
            if self.types.has(found, Part::Array) {
                self.arrays_are_values(span);
            }
            return self.as_type(value, target.ty, target.what);
        };
        if !self.lists_are_there(span) {
            return None;
        }
        if !self.enter(span) {
            return None;
        }
        let made = self.list(items, target, span);
        self.leave();
        made
    }

    /// Whether an array of some length is a value for one without.
    fn fits_unsized(&self, target: Type, found: Type) -> bool {
        match (target, found) {
            (Type::Array(a), Type::Array(b)) => {
                let (a, b) = (self.types.get_array(a), self.types.get_array(b));
                let lengths = a.length == Length::Implicit || a.length == b.length;
                lengths && (self.types.same(a.element, b.element) || self.fits_unsized(a.element, b.element))
            }
            _ => false,
        }
    }

    /// `{a, b}` for an array, a structure, a vector or a matrix.
    fn list(&mut self, items: &[Ref], target: Target<'_>, span: Span) -> Checked {
        let ty = target.ty;
        let wanted: Option<Vec<Type>> = match ty {
            Type::Array(id) => {
                let array = self.types.get_array(id);
                match array.length {
                    Length::Known(count) | Length::Specialized(count, _) => {
                        (count as usize == items.len()).then(|| vec![array.element; items.len()])
                    }
                    Length::Implicit | Length::Runtime => Some(vec![array.element; items.len()]),
                }
            }
            Type::Struct(id) => {
                let members: Vec<Type> =
                    self.types.structure(id).members.iter().map(|member| member.ty).collect();
                (members.len() == items.len()).then_some(members)
            }
            Type::Vector(scalar, size) => {
                (usize::from(size) == items.len()).then(|| vec![Type::Scalar(scalar); items.len()])
            }
            Type::Matrix(scalar, columns, rows) => {
                (usize::from(columns) == items.len()).then(|| vec![Type::Vector(scalar, rows); items.len()])
            }
            Type::Scalar(_) if items.len() == 1 => Some(vec![ty]),
            _ => None,
        };
        let Some(wanted) = wanted else {
            let null = items.is_empty() && self.language.is_enabled("GL_EXT_null_initializer");
            if null && let Some(value) = self.zero(ty) {
                return Some(self.constant(value, Precision::Unspecified, span));
            }
            let message = format!("a list of {} values for {}", items.len(), self.shown(ty));
            self.report(Problem::error(Kind::Type, span, message).label(format!(
                "{} {}",
                self.types.name(ty),
                target.what
            )));
            return None;
        };
        if items.is_empty() {
            self.error(Kind::Type, span, "a list without values");
            return None;
        }
        let mut parts = Vec::with_capacity(items.len());
        for (item, ty) in items.iter().zip(wanted) {
            parts.push(self.initial_value(*item, Target { ty, what: "here" }));
        }
        let parts: Option<Vec<ExpressionId>> = parts.into_iter().collect();
        let parts = parts?;
        let ty = match ty {
            Type::Array(id) if self.types.has(ty, Part::Unsized) => {
                let element = parts.first().map_or(self.types.get_array(id).element, |part| self.ty(*part));
                if parts.iter().any(|part| !self.types.same(self.ty(*part), element)) {
                    self.error(Kind::Type, span, "the values of the list have different sizes");
                    return None;
                }
                self.types.array(element, Length::Known(u32::try_from(parts.len()).unwrap_or(u32::MAX)))
            }
            other => other,
        };
        Some(self.build(ty, parts, span))
    }

    /// The zero of a type.
    pub(super) fn zero(&self, ty: Type) -> Option<Constant> {
        let mut values = Vec::new();
        self.zeros(ty, &mut values)?;
        Some(Constant { ty, values: values.into() })
    }

    fn zeros(&self, ty: Type, values: &mut Vec<Value>) -> Option<()> {
        if self.types.scalars(ty) > self.limits.constant_size || self.types.has(ty, Part::Opaque) {
            return None;
        }
        match ty {
            Type::Array(id) => {
                let array = self.types.get_array(id);
                let Length::Known(count) = array.length else { return None };
                for _ in 0..count {
                    self.zeros(array.element, values)?;
                }
            }
            Type::Struct(id) => {
                for member in &self.types.structure(id).members {
                    self.zeros(member.ty, values)?;
                }
            }
            other => {
                let zero = super::value::small(0, other.scalar()?);
                values.extend(std::iter::repeat_n(zero, usize::from(other.components()?)));
            }
        }
        Some(())
    }

    /// An array, structure, vector or matrix of all its parts.
    fn build(&mut self, ty: Type, parts: Vec<ExpressionId>, span: Span) -> ExpressionId {
        let precision = parts.iter().map(|part| self.precision(*part)).max().unwrap_or_default();
        if let Some(values) = self.values_of(&parts) {
            return self.constant(Constant { ty, values: values.into() }, precision, span);
        }
        let known = self.known_of(&parts);
        let kind = match ty {
            Type::Array(_) | Type::Struct(_) => ExpressionKind::Build(parts.into()),
            _ => ExpressionKind::Compose(parts.into()),
        };
        self.add(kind, ty, precision, span, known)
    }

    /// The scalars of several parts, if all are known and not too many.
    pub(super) fn values_of(&self, parts: &[ExpressionId]) -> Option<Vec<Value>> {
        let mut values = Vec::new();
        for part in parts {
            let constant = self.value(*part)?;
            if (values.len() + constant.values.len()) as u64 > self.limits.constant_size {
                return None;
            }
            values.extend_from_slice(&constant.values);
        }
        Some(values)
    }

    /// `type(arguments)`
    pub(super) fn construct(&mut self, ty: Type, arguments: &[Ref], span: Span, type_span: Span) -> Checked {
        let values = self.all_values(arguments)?;
        if values.is_empty() {
            let message = format!("a constructor of {} without values", self.shown(ty));
            self.error(Kind::Overload, span, message);
            return None;
        }
        match ty {
            Type::Void => {
                self.error(Kind::Type, type_span, "`void` has no constructor");
                None
            }
            Type::Scalar(_) | Type::Vector(..) => self.construct_vector(ty, values, span),
            Type::Matrix(..) => self.construct_matrix(ty, values, span),
            Type::Array(_) => self.construct_array(ty, values, span),
            Type::Struct(id) => {
                let structure = self.types.structure(id);
                let wanted: Vec<(String, Type)> =
                    structure.members.iter().map(|member| (member.name.clone(), member.ty)).collect();
                if wanted.len() != values.len() {
                    let message = format!(
                        "{} has {} members, and is given {}",
                        self.shown(ty),
                        wanted.len(),
                        values.len()
                    );
                    let declared = structure.span;
                    let problem = Problem::error(Kind::Overload, span, message);
                    self.report(problem.note(Some(declared), "it is declared here"));
                    return None;
                }
                let mut parts = Vec::with_capacity(values.len());
                for (value, (name, ty)) in values.into_iter().zip(wanted) {
                    parts.push(self.as_type(value, ty, &format!("for the member `{name}`")));
                }
                let parts: Option<Vec<ExpressionId>> = parts.into_iter().collect();
                Some(self.build(ty, parts?, span))
            }
            Type::Opaque(opaque) if opaque.handle == Handle::Combined && self.language.is_vulkan() => {
                self.construct_sampler(ty, values, span)
            }
            Type::Opaque(_) | Type::AtomicCounter => {
                self.error(Kind::Type, type_span, format!("{} has no constructor", self.shown(ty)));
                None
            }
        }
    }

    /// `sampler2D(texture, sampler)` of Vulkan.
    fn construct_sampler(&mut self, ty: Type, values: Vec<ExpressionId>, span: Span) -> Checked {
        let handles: Vec<Option<Handle>> = values
            .iter()
            .map(|value| match self.ty(*value) {
                Type::Opaque(opaque) => Some(opaque.handle),
                _ => None,
            })
            .collect();
        if handles != [Some(Handle::Texture), Some(Handle::Sampler)] {
            let message = format!("{} is made of a texture and a sampler", self.shown(ty));
            self.error(Kind::Overload, span, message);
            return None;
        }
        let kind = ExpressionKind::Build(values.into());
        Some(self.add(kind, ty, Precision::Unspecified, span, super::Known::Late))
    }

    fn construct_vector(&mut self, ty: Type, values: Vec<ExpressionId>, span: Span) -> Checked {
        let (scalar, size) = (ty.scalar()?, ty.components()?);
        let mut have = 0usize;
        for (number, value) in values.iter().enumerate() {
            let given = self.ty(*value);
            let (Some(_), Some(count)) = (given.scalar(), given.components()) else {
                let message = format!("{} cannot be made of {}", self.shown(ty), self.shown(given));
                let place = self.place(*value);
                self.error(Kind::Type, place, message);
                return None;
            };
            if have >= usize::from(size) {
                let message = format!("{} has all its components before this", self.shown(ty));
                let problem = Problem::error(Kind::Overload, self.place(*value), message);
                self.report(problem.label(format!("value {} of {}", number + 1, values.len())));
                return None;
            }
            have += usize::from(count);
            if given.is_matrix() && self.language.version.number == 100 && self.is_es() {
                let place = self.place(*value);
                self.needs_version(110, 100, place, "vectors of matrices");
            }
        }
        let only = values.first().copied();
        let is_one = values.len() == 1;
        let given = only.map_or(Type::Void, |value| self.ty(value));
        if have < usize::from(size) && !(is_one && given.is_scalar()) {
            let message = format!("{} needs {size} components, and is given {have}", self.shown(ty));
            let problem = Problem::error(Kind::Overload, span, message);
            self.report(problem.help("or one scalar for all of them"));
            return None;
        }
        let parts = self.same_kind(values, scalar);
        let first = parts.first().copied()?;
        if is_one && self.ty(first) == ty {
            // A constructor is no place any more, and what it gives has the place of the whole.
            return Some(self.copy_of(first, span));
        }
        let precision = parts.iter().map(|part| self.precision(*part)).max().unwrap_or_default();
        if let Some(mut scalars) = self.values_of(&parts) {
            if is_one && given.is_scalar() {
                scalars = scalars.first().map_or(Vec::new(), |value| vec![*value; usize::from(size)]);
            }
            scalars.truncate(usize::from(size));
            return Some(self.constant(Constant { ty, values: scalars.into() }, precision, span));
        }
        let known = self.known_of(&parts);
        let kind = match is_one && given.is_scalar() && size > 1 {
            true => ExpressionKind::Splat(first),
            false => ExpressionKind::Compose(parts.into()),
        };
        Some(self.add(kind, ty, precision, span, known))
    }

    /// A value as it is, with another place.
    fn copy_of(&mut self, value: ExpressionId, span: Span) -> ExpressionId {
        let (ty, precision, known) = (self.ty(value), self.precision(value), self.known(value));
        if let Some(id) = self.constant_id(value) {
            return self.add(ExpressionKind::Constant(id), ty, precision, span, known);
        }
        match self.expressions[value].kind {
            ExpressionKind::Convert { value: inner, .. } => self.add(
                ExpressionKind::Convert { value: inner, is_implicit: false },
                ty,
                precision,
                span,
                known,
            ),
            _ => self.add(ExpressionKind::Convert { value, is_implicit: false }, ty, precision, span, known),
        }
    }

    fn same_kind(&mut self, values: Vec<ExpressionId>, scalar: Scalar) -> Vec<ExpressionId> {
        values.into_iter().map(|value| self.converted(value, scalar, false, self.place(value))).collect()
    }

    fn construct_matrix(&mut self, ty: Type, values: Vec<ExpressionId>, span: Span) -> Checked {
        let Type::Matrix(scalar, columns, rows) = ty else { return None };
        let only = values.first().copied()?;
        let given = self.ty(only);
        if values.len() == 1 && (given.is_scalar() || given.is_matrix()) {
            let value = self.converted(only, scalar, false, self.place(only));
            let (precision, known) = (self.precision(value), self.known(value));
            if let Some(folded) = self.fold_diagonal(value, ty) {
                return Some(self.constant(folded, precision, span));
            }
            if self.ty(value) == ty {
                return Some(self.copy_of(value, span));
            }
            let kind = match given.is_scalar() {
                true => ExpressionKind::Diagonal(value),
                false => {
                    self.need(&since_or(120, 300, &[]), span, "matrices of matrices");
                    ExpressionKind::Resize(value)
                }
            };
            return Some(self.add(kind, ty, precision, span, known));
        }
        let wanted = usize::from(columns) * usize::from(rows);
        let mut have = 0usize;
        for value in &values {
            let given = self.ty(*value);
            let place = self.place(*value);
            let fits = given.is_scalar() && given.scalar().is_some() || given.is_vector();
            if !fits {
                let message =
                    format!("{} cannot be made of several values with {}", self.shown(ty), self.shown(given));
                self.error(Kind::Type, place, message);
                return None;
            }
            if have >= wanted {
                self.error(
                    Kind::Overload,
                    place,
                    format!("{} has all its components before this", self.shown(ty)),
                );
                return None;
            }
            have += usize::from(given.components().unwrap_or(1));
        }
        if have < wanted {
            let message = format!("{} needs {wanted} components, and is given {have}", self.shown(ty));
            let help = format!("{columns} columns of `vec{rows}`, {wanted} scalars, or one for the diagonal");
            self.report(Problem::error(Kind::Overload, span, message).help(help));
            return None;
        }
        let parts = self.same_kind(values, scalar);
        let precision = parts.iter().map(|part| self.precision(*part)).max().unwrap_or_default();
        if let Some(mut scalars) = self.values_of(&parts) {
            scalars.truncate(wanted);
            return Some(self.constant(Constant { ty, values: scalars.into() }, precision, span));
        }
        let known = self.known_of(&parts);
        Some(self.add(ExpressionKind::Compose(parts.into()), ty, precision, span, known))
    }

    fn construct_array(&mut self, ty: Type, values: Vec<ExpressionId>, span: Span) -> Checked {
        let Type::Array(id) = ty else { return None };
        self.need(&since_or(120, 300, &["GL_3DL_array_objects"]), span, "constructors of arrays");
        let array = self.types.get_array(id);
        if let Some(length) = self.types.length(ty)
            && length as usize != values.len()
        {
            let message = format!("{} is given {} values", self.shown(ty), values.len());
            self.error(Kind::Overload, span, message);
            return None;
        }
        let mut element = array.element;
        if self.types.has(element, Part::Unsized) {
            let first = values.first().map_or(Type::Void, |value| self.ty(*value));
            if self.fits_unsized(element, first) {
                element = first;
            }
        }
        let count = u32::try_from(values.len()).unwrap_or(u32::MAX);
        let mut parts = Vec::with_capacity(values.len());
        for value in values {
            parts.push(self.as_type(value, element, "for this element"));
        }
        let parts: Option<Vec<ExpressionId>> = parts.into_iter().collect();
        let length = match array.length {
            Length::Implicit | Length::Runtime => Length::Known(count),
            known => known,
        };
        let ty = self.types.array(element, length);
        Some(self.build(ty, parts?, span))
    }
}
