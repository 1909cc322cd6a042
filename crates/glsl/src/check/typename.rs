//! Types as they are written: structures, array sizes, default precisions.

use super::scope::Entry;
use super::{Checked, Checker, Known};
use crate::errors::{Kind, Problem};
use crate::language::{Stage, since, since_or};
use crate::parse::syntax::{Declaration, Name, QualifierKind, Ref, StructBody, TypeBase, TypeName};
use crate::place::Span;
use crate::tree::{ExpressionId, Value};
use crate::types::{
    Dimension, Handle, Length, Member, Opaque, Part, Precision, Scalar, Struct, StructId, Type,
};

/// How deep arrays may be.
const ARRAYS: usize = 8;

impl Checker<'_> {
    /// The type of a name with its arrays, and those behind the declared name.
    pub(super) fn full_type(&mut self, ty: &TypeName, behind: &[Option<Ref>]) -> Checked<Type> {
        let base = self.base_type(ty)?;
        self.arrays_of(base, &ty.arrays, behind, ty.span)
    }

    /// `base[type arrays]` declared with `[behind]`: `float[3] a[2]` is two arrays of three.
    pub(super) fn arrays_of(
        &mut self,
        base: Type,
        arrays: &[Option<Ref>],
        behind: &[Option<Ref>],
        span: Span,
    ) -> Checked<Type> {
        let count = arrays.len() + behind.len();
        if count == 0 {
            return Some(base);
        }
        if count > 1 {
            let since = since_or(430, 310, &["GL_ARB_arrays_of_arrays"]);
            self.need(&since, span, "arrays of arrays");
        }
        if count > ARRAYS {
            self.error(Kind::Limit, span, format!("arrays of more than {ARRAYS} dimensions"));
            return None;
        }
        if !arrays.is_empty() {
            self.need(&since_or(120, 300, &["GL_3DL_array_objects"]), span, "arrays before the name");
        }
        if base == Type::Void {
            self.error(Kind::Type, span, "an array of `void`");
            return None;
        }
        let mut ty = base;
        let sizes: Vec<&Option<Ref>> = behind.iter().chain(arrays).collect();
        for (number, size) in sizes.iter().enumerate().rev() {
            let length = match size {
                Some(size) => self.array_length(*size)?,
                None if number > 0 => {
                    // Only the outermost size may be left out; initializers give the others.
                    Length::Implicit
                }
                None => Length::Implicit,
            };
            ty = self.types.array(ty, length);
            self.small_enough(ty, span)?;
        }
        Some(ty)
    }

    /// Whether a type is not too large.
    pub(super) fn small_enough(&mut self, ty: Type, span: Span) -> Checked<()> {
        let scalars = self.types.scalars(ty);
        if scalars <= self.limits.type_size {
            return Some(());
        }
        let message = format!(
            "a type of {scalars} scalars; {} are the most (limit `type_size`)",
            self.limits.type_size
        );
        self.error(Kind::Limit, span, message);
        None
    }

    /// The number of elements of an array.
    fn array_length(&mut self, size: Ref) -> Checked<Length> {
        let value = self.expression(size)?;
        let span = self.span(size);
        let (count, known) = self.whole_number(value, "the size of an array")?;
        if count <= 0 {
            let message = format!("the size of an array is {count}; it must be at least 1");
            self.error(Kind::Constant, span, message);
            return None;
        }
        let Ok(count) = u32::try_from(count) else {
            self.error(Kind::Constant, span, format!("the size of an array is {count}, which is too much"));
            return None;
        };
        match known {
            Known::Specialized => {
                let number = u32::try_from(self.lengths.len()).unwrap_or(u32::MAX);
                self.lengths.push(value);
                Some(Length::Specialized(count, number))
            }
            _ => Some(Length::Known(count)),
        }
    }

    /// A constant `int` or `uint`: its value, or the default one of a specialization constant.
    pub(super) fn whole_number(&mut self, value: ExpressionId, what: &str) -> Checked<(i64, Known)> {
        let (ty, span) = (self.ty(value), self.place(value));
        if !matches!(ty, Type::Scalar(scalar) if scalar.is_integer()) {
            let message = format!("{what} must be a whole number, and this is {}", self.shown(ty));
            self.error(Kind::Type, span, message);
            return None;
        }
        let known = self.known(value);
        let number = match known {
            Known::Specialized => self.default_value(value),
            _ => self.value(value).and_then(|constant| constant.values.first().copied()),
        };
        let number = match number {
            Some(Value::Int(number)) => Some(number),
            Some(Value::Uint(number)) => i64::try_from(number).ok(),
            _ => None,
        };
        match number {
            Some(number) if known != Known::Late => Some((number, known)),
            _ => {
                let problem =
                    Problem::error(Kind::Constant, span, format!("{what} must be a constant expression"));
                self.report(problem.label("its value is not known here"));
                None
            }
        }
    }

    /// The value that an expression of specialization constants has by default, where it is one of them or simple arithmetic.
    fn default_value(&mut self, value: ExpressionId) -> Option<Value> {
        use crate::tree::ExpressionKind as E;
        match self.expressions.get(value)?.kind.clone() {
            E::Variable(id) => {
                let constant = self.variables.get(id)?.constant?;
                self.constants.get(constant)?.values.first().copied()
            }
            E::Constant(id) => self.constants.get(id)?.values.first().copied(),
            E::Convert { value: inner, .. } => {
                let inner = self.default_value(inner)?;
                Some(super::value::convert(inner, self.ty(value).scalar()?))
            }
            E::Binary { operation, left, right } => {
                let scalar = self.ty(value).scalar()?;
                let (left, right) = (self.default_value(left)?, self.default_value(right)?);
                super::fold::scalars(operation, left, right, scalar)
            }
            E::Index { base, index } => {
                // gl_WorkGroupSize[0] and the like.
                let at = usize::try_from(super::value::as_integer(self.default_value(index)?)?).ok()?;
                let size = self.layout.work_group.size.get(at).copied();
                let is_size = matches!(self.expressions.get(base)?.kind, E::Variable(_));
                size.filter(|_| is_size).map(|size| Value::Uint(u64::from(size)))
            }
            E::Swizzle { base, lanes } => {
                let size = self.layout.work_group.size.get(usize::from(*lanes.first()?)).copied();
                let is_size = matches!(self.expressions.get(base)?.kind, E::Variable(_));
                size.filter(|_| is_size).map(|size| Value::Uint(u64::from(size)))
            }
            _ => Some(Value::Int(1)),
        }
    }

    /// A type without its arrays.
    pub(super) fn base_type(&mut self, ty: &TypeName) -> Checked<Type> {
        match &ty.base {
            TypeBase::Known(known) => {
                if let Type::Opaque(opaque) = known {
                    self.check_opaque(*opaque, ty.span);
                }
                Some(*known)
            }
            TypeBase::Struct(body) => self.structure(body).map(Type::Struct),
            TypeBase::Name(symbol) => match self.entry(*symbol) {
                Some(Entry::Struct(id)) => Some(Type::Struct(id)),
                Some(Entry::Wrong) => None,
                Some(_) => {
                    let message = format!("`{}` is no type", self.text(*symbol));
                    let declared = self.scopes.place(*symbol);
                    self.report(
                        Problem::error(Kind::Type, ty.span, message).note(declared, "it is declared here"),
                    );
                    None
                }
                None => {
                    if let Some(ty) = self.built_in_structure(self.names.text(*symbol)) {
                        return Some(ty);
                    }
                    self.unknown_type(*symbol, ty.span);
                    None
                }
            },
        }
    }

    fn check_opaque(&mut self, opaque: Opaque, span: Span) {
        if opaque.handle == Handle::Subpass && self.language.stage != Stage::Fragment {
            self.error(Kind::Version, span, "subpasses are of fragment shaders");
        }
    }

    fn unknown_type(&mut self, symbol: crate::lex::Symbol, span: Span) {
        let text = self.text(symbol).to_owned();
        let problem = Problem::error(Kind::UnknownName, span, format!("there is no type `{text}`"));
        let problem = match crate::language::word::would_need(&text) {
            Some(since) => problem.help(self.language.needs(&since)),
            None => {
                const TYPES: [&str; 16] = [
                    "void",
                    "bool",
                    "int",
                    "uint",
                    "float",
                    "double",
                    "vec2",
                    "vec3",
                    "vec4",
                    "ivec2",
                    "ivec3",
                    "ivec4",
                    "mat2",
                    "mat3",
                    "mat4",
                    "sampler2D",
                ];
                let structures = self.types.structures().map(|(_, structure)| structure.name.as_str());
                problem.near(&text, TYPES.into_iter().chain(structures))
            }
        };
        self.report(problem);
    }

    fn structure(&mut self, body: &StructBody) -> Checked<StructId> {
        if !self.enter(body.span) {
            return None;
        }
        let members = self.members(&body.members, false);
        self.leave();
        let name = body.name;
        let wrong = |this: &mut Self| {
            if let Some(name) = name {
                this.scopes.declare(name.symbol, Entry::Wrong, name.span);
            }
        };
        let Some(members) = members else {
            wrong(self);
            return None;
        };
        let id = self.types.add_struct(Struct {
            name: name.map_or(String::new(), |name| self.text(name.symbol).to_owned()),
            members,
            span: name.map_or(body.span, |name| name.span),
            is_block: false,
        });
        let ty = Type::Struct(id);
        if self.small_enough(ty, body.span).is_none() {
            wrong(self);
            return None;
        }
        if let Some(name) = name {
            self.check_name(name);
            if self.may_declare(name) {
                self.scopes.declare(name.symbol, Entry::Struct(id), name.span);
            }
        }
        Some(id)
    }

    /// The members of a structure, or of a block, whose qualifiers are looked at elsewhere.
    pub(super) fn members(&mut self, declarations: &[Declaration], is_block: bool) -> Checked<Vec<Member>> {
        let mut members: Vec<Member> = Vec::new();
        let mut seen: std::collections::HashMap<crate::lex::Symbol, Span> = std::collections::HashMap::new();
        let mut is_right = true;
        for declaration in declarations {
            let mut precision = Precision::Unspecified;
            for qualifier in &declaration.qualifiers {
                match qualifier.kind {
                    QualifierKind::Precision(said) => precision = said,
                    _ if is_block => {}
                    _ => {
                        let message = "members of a structure have no qualifiers but precision";
                        self.error(Kind::Qualifier, qualifier.span, message);
                    }
                }
            }
            if let TypeBase::Struct(body) = &declaration.ty.base
                && (self.is_es() && self.language.version.number < 300 || is_block)
            {
                self.error(Kind::Syntax, body.span, "a structure cannot be declared among members here");
            }
            let base = self.base_type(&declaration.ty);
            for declarator in &declaration.declarators {
                let name = declarator.name;
                if let Some(first) = seen.insert(name.symbol, name.span) {
                    let message = format!("the member `{}` stands twice", self.text(name.symbol));
                    let problem = Problem::error(Kind::Redeclared, name.span, message);
                    self.report(problem.note(Some(first), "the first one is here"));
                    is_right = false;
                    continue;
                }
                let ty = base.and_then(|base| {
                    self.arrays_of(base, &declaration.ty.arrays, &declarator.arrays, declaration.ty.span)
                });
                let Some(ty) = ty else {
                    is_right = false;
                    continue;
                };
                if ty == Type::Void {
                    self.error(Kind::Type, declaration.ty.span, "a member of type `void`");
                    is_right = false;
                    continue;
                }
                if !is_block && self.types.has(ty, Part::Unsized) {
                    let message =
                        format!("the array `{}` needs a size in a structure", self.text(name.symbol));
                    self.error(Kind::Type, name.span, message);
                    is_right = false;
                    continue;
                }
                let precision = self.precision_of(ty, precision, name.span);
                let name_text = self.text(name.symbol).to_owned();
                members.push(Member { name: name_text, ty, precision, span: name.span });
            }
        }
        is_right.then_some(members)
    }

    /// Whether names that begin so may be declared.
    pub(super) fn check_name(&mut self, name: Name) {
        let text = self.text(name.symbol);
        if text.starts_with("gl_") {
            let message = format!("`{text}`: names that begin with `gl_` are the language's");
            self.error(Kind::Redeclared, name.span, message);
        } else if text.contains("__") {
            let message = format!("`{text}`: names with `__` are the language's");
            match self.is_es() && self.language.version.number < 300 {
                true => self.error(Kind::Redeclared, name.span, message),
                false => self.report(Problem::warning(Kind::Redeclared, name.span, message)),
            }
        }
    }

    /// Whether a name is free in this scope; if not, that is reported.
    pub(super) fn may_declare(&mut self, name: Name) -> bool {
        match self.scopes.here(name.symbol) {
            None => true,
            Some((Entry::Wrong, _)) => true,
            Some((Entry::Function(_), _)) if self.has_two_spaces() => true,
            Some((_, first)) => {
                let message = format!("`{}` is declared twice", self.text(name.symbol));
                let problem = Problem::error(Kind::Redeclared, name.span, message);
                self.report(problem.note(Some(first), "the first one is here"));
                false
            }
        }
    }

    /// In GLSL 1.10, functions and variables have names of their own.
    pub(super) fn has_two_spaces(&self) -> bool {
        self.language.version.number == 110
    }

    /// What precisions are by default.
    pub(super) fn set_default_precisions(&mut self) {
        if !self.is_es() {
            return;
        }
        let is_fragment = self.language.stage == Stage::Fragment;
        let combined = |dimension| {
            Type::Opaque(Opaque {
                handle: Handle::Combined,
                dimension,
                is_array: false,
                is_multisampled: false,
                is_shadow: false,
                component: Scalar::Float,
            })
        };
        let mut list = vec![
            (combined(Dimension::D2), Precision::Low),
            (combined(Dimension::Cube), Precision::Low),
            (combined(Dimension::External), Precision::Low),
            (Type::AtomicCounter, Precision::High),
        ];
        match is_fragment {
            true => list.push((Type::INT, Precision::Medium)),
            false => list.extend([(Type::INT, Precision::High), (Type::FLOAT, Precision::High)]),
        }
        self.precisions = vec![list];
    }

    /// `precision highp float;`
    pub(super) fn default_precision(&mut self, precision: Precision, ty: &TypeName) {
        let Some(base) = self.base_type(ty) else { return };
        let fits = matches!(base, Type::FLOAT | Type::INT | Type::Opaque(_) | Type::AtomicCounter);
        if !fits || !ty.arrays.is_empty() {
            let message = format!("{} has no default precision", self.shown(base));
            let problem = Problem::error(Kind::Qualifier, ty.span, message);
            self.report(problem.help("`float`, `int`, samplers and images have one"));
            return;
        }
        if base == Type::AtomicCounter && precision != Precision::High {
            self.error(Kind::Qualifier, ty.span, "counters are `highp` only");
            return;
        }
        if let Some(scope) = self.precisions.last_mut() {
            scope.push((base, precision));
        }
    }

    /// The precision of something that is declared: what is said, or the default.
    pub(super) fn precision_of(&mut self, ty: Type, said: Precision, span: Span) -> Precision {
        let innermost = self.types.innermost(ty);
        let asked = match innermost {
            Type::Opaque(_) | Type::AtomicCounter => innermost,
            other => match other.scalar() {
                Some(Scalar::Float) => Type::FLOAT,
                Some(Scalar::Int | Scalar::Uint) => Type::INT,
                _ => {
                    if said != Precision::Unspecified && !matches!(innermost, Type::Struct(_)) {
                        let message = format!("{} has no precision", self.shown(innermost));
                        self.error(Kind::Qualifier, span, message);
                    } else if said != Precision::Unspecified {
                        self.error(Kind::Qualifier, span, "structures have no precision, their members have");
                    }
                    return Precision::Unspecified;
                }
            },
        };
        if !self.is_es() {
            return said;
        }
        if said != Precision::Unspecified {
            if asked == Type::AtomicCounter && said != Precision::High {
                self.error(Kind::Qualifier, span, "counters are `highp` only");
            }
            return said;
        }
        let found = self.precisions.iter().rev().find_map(|scope| {
            scope.iter().rev().find(|(ty, _)| *ty == asked).map(|(_, precision)| *precision)
        });
        if let Some(precision) = found {
            return precision;
        }
        let name = self.types.name(asked);
        let message = format!("`{name}` has no precision here, and none by default");
        let help = format!("`precision mediump {name};` at the beginning, or `mediump` before the type");
        self.report(Problem::error(Kind::Qualifier, span, message).help(help));
        // Once is enough.
        if let Some(scope) = self.precisions.first_mut() {
            scope.push((asked, Precision::Medium));
        }
        Precision::Medium
    }

    /// Whether arrays are values: assigned, compared, given.
    pub(super) fn arrays_are_values(&mut self, span: Span) -> bool {
        let since = since_or(120, 300, &["GL_3DL_array_objects"]);
        self.need(&since, span, "arrays as values")
    }

    /// What initializer lists need.
    pub(super) fn lists_are_there(&mut self, span: Span) -> bool {
        self.need(&since_or(420, 0, &["GL_ARB_shading_language_420pack"]), span, "initializer lists")
    }

    /// Uniform and buffer blocks, constant folding of `const` in ES 1.00 and the like ask this.
    pub(super) fn needs_version(&mut self, desktop: u16, es: u16, span: Span, what: &str) -> bool {
        self.need(&since(desktop, es), span, what)
    }
}
