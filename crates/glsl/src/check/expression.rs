//! Expressions: names, members, indices, assignments.

use super::scope::Entry;
use super::{Checked, Checker, Known};
use crate::builtins::{self, Meaning};
use crate::errors::{Kind, Problem};
use crate::language::since_or;
use crate::lex::Symbol;
use crate::parse::syntax::{ExpressionKind as Syntax, Name, Ref};
use crate::place::Span;
use crate::tree::{Constant, ExpressionId, ExpressionKind, Storage, Value, VariableId};
use crate::types::{Handle, Length, Opaque, Part, Precision, Scalar, Type};

impl Checker<'_> {
    /// An expression with a value.
    pub(super) fn expression(&mut self, at: Ref) -> Checked {
        let value = self.any_expression(at)?;
        if self.ty(value) == Type::Void {
            let span = self.place(value);
            self.error(Kind::Type, span, "a function that gives nothing, where a value is needed");
            return None;
        }
        Some(value)
    }

    /// An expression, also one of type `void`.
    pub(super) fn any_expression(&mut self, at: Ref) -> Checked {
        let span = self.span(at);
        if !self.enter(span) {
            return None;
        }
        let value = self.expression_inner(at, span);
        self.leave();
        value
    }

    fn expression_inner(&mut self, at: Ref, span: Span) -> Checked {
        let syntax = self.syntax;
        match &syntax.get(at).kind {
            Syntax::Name(symbol) => self.name(*symbol, span),
            Syntax::Integer(bits, scalar) => {
                if *scalar != Scalar::Int {
                    self.literal_kind(*scalar, span);
                }
                let value = super::value::integer(i128::from(*bits), *scalar);
                let ty = Type::Scalar(*scalar);
                Some(self.constant(Constant { ty, values: [value].into() }, Precision::Unspecified, span))
            }
            Syntax::Float(value, scalar) => {
                if *scalar != Scalar::Float {
                    self.literal_kind(*scalar, span);
                }
                let value = super::value::float(*value, *scalar);
                let ty = Type::Scalar(*scalar);
                Some(self.constant(Constant { ty, values: [value].into() }, Precision::Unspecified, span))
            }
            Syntax::Bool(value) => {
                let values = [Value::Bool(*value)].into();
                Some(self.constant(Constant { ty: Type::BOOL, values }, Precision::Unspecified, span))
            }
            Syntax::Unary(operation, value) => {
                let value = self.expression(*value)?;
                self.unary(*operation, value, span)
            }
            Syntax::Plus(value) => {
                let value = self.expression(*value)?;
                self.plus(value, span)
            }
            Syntax::Step(target, is_increment, is_prefix) => {
                self.step(*target, *is_increment, *is_prefix, span)
            }
            Syntax::Binary(..) | Syntax::And(..) | Syntax::Or(..) => self.chain(at),
            Syntax::Assign(operation, target, value) => self.assign(*operation, *target, *value, span),
            Syntax::Select(condition, accept, reject) => self.select(*condition, *accept, *reject, span),
            Syntax::Comma(..) => self.commas(at),
            Syntax::Call(callee, arguments) => self.call(*callee, arguments, span),
            Syntax::Construct(ty, arguments) => {
                let ty_span = ty.span;
                let ty = self.full_type(ty, &[])?;
                self.construct(ty, arguments, span, ty_span)
            }
            Syntax::Method(base, name, arguments) => self.method(*base, *name, arguments, span),
            Syntax::Field(base, name) => self.field(*base, *name, span),
            Syntax::Index(base, index) => self.index(*base, *index, span),
            Syntax::List(_) => {
                self.error(Kind::Syntax, span, "a list in braces is an initial value only");
                None
            }
        }
    }

    fn literal_kind(&mut self, scalar: Scalar, span: Span) {
        let name = scalar.name();
        let since = crate::language::word::type_since(name, Type::Scalar(scalar));
        self.need(&since, span, &format!("numbers of type `{name}`"));
    }

    /// `a, b, c`, without going deep.
    fn commas(&mut self, at: Ref) -> Checked {
        let syntax = self.syntax;
        let mut rest = Vec::new();
        let mut first = at;
        while let Syntax::Comma(left, right) = &syntax.get(first).kind {
            rest.push((*right, self.span(first)));
            first = *left;
        }
        let mut value = self.any_expression(first);
        for (right, span) in rest.into_iter().rev() {
            let second = self.any_expression(right);
            value = match (value, second) {
                (Some(first), Some(second)) => {
                    let (ty, precision) = (self.ty(second), self.precision(second));
                    let is_old_array = self.types.has(ty, Part::Array) && self.is_es();
                    if is_old_array {
                        self.error(Kind::Type, span, "an array behind `,`");
                    }
                    // GLSL ES says that it is no constant; where both are, nothing is lost by it.
                    let known = match self.is_es() && self.language.version.number >= 300 {
                        true => Known::Late,
                        false => self.known_of(&[first, second]),
                    };
                    Some(self.add(ExpressionKind::Sequence { first, second }, ty, precision, span, known))
                }
                _ => None,
            };
        }
        value
    }

    /// A name as a value or a place.
    fn name(&mut self, symbol: Symbol, span: Span) -> Checked {
        match self.entry(symbol) {
            Some(Entry::Variable(id)) => Some(self.variable_use(id, span)),
            Some(Entry::Member(id, member)) => {
                let base = self.variable_use(id, span);
                Some(self.member(base, member, span))
            }
            Some(Entry::Wrong) => None,
            Some(Entry::Struct(_)) => {
                let text = self.text(symbol).to_owned();
                let problem =
                    Problem::error(Kind::Type, span, format!("the type `{text}` where a value is needed"));
                self.report(problem.help(format!("a constructor is `{text}(...)`")));
                None
            }
            Some(Entry::Function(_)) => {
                let text = self.text(symbol).to_owned();
                let problem = Problem::error(Kind::Type, span, format!("`{text}` is a function"));
                self.report(problem.help(format!("`{text}(...)` calls it")));
                None
            }
            None => self.built_in_name(symbol, span),
        }
    }

    fn built_in_name(&mut self, symbol: Symbol, span: Span) -> Checked {
        let text = self.names.text(symbol);
        if !text.starts_with("gl_") {
            self.unknown_name(symbol, span);
            return None;
        }
        if let Some(row) = builtins::constant(text, &self.language) {
            let values: Box<[Value]> = row.values.iter().map(|value| Value::Int(*value)).collect();
            let ty = Type::of(Scalar::Int, u8::try_from(values.len()).unwrap_or(1));
            let precision = if self.is_es() { Precision::Medium } else { Precision::Unspecified };
            return Some(self.constant(Constant { ty, values }, precision, span));
        }
        if self.is_left_out(text) {
            let message = format!("`{text}` is not in the block `gl_PerVertex` that is declared here");
            self.error(Kind::UnknownName, span, message);
            return None;
        }
        match self.built_in(text, span) {
            Some(id) => {
                if self.variables.get(id).and_then(|variable| variable.meaning)
                    == Some(Meaning::WorkGroupSize)
                {
                    return self.work_group_size(id, span);
                }
                Some(self.variable_use(id, span))
            }
            None => {
                self.unknown_name(symbol, span);
                None
            }
        }
    }

    /// `gl_WorkGroupSize`, a constant unless specialization constants say it.
    fn work_group_size(&mut self, id: VariableId, span: Span) -> Checked {
        let group = self.layout.work_group;
        if !group.is_declared && self.size_used.is_none() {
            self.size_used = Some(span);
        }
        if group.ids.iter().any(Option::is_some) {
            return Some(self.variable_use(id, span));
        }
        let values = group.size.iter().map(|size| Value::Uint(u64::from(*size))).collect();
        Some(self.constant(Constant { ty: Type::Vector(Scalar::Uint, 3), values }, Precision::High, span))
    }

    /// A use of a variable: its value where that is known.
    pub(super) fn variable_use(&mut self, id: VariableId, span: Span) -> ExpressionId {
        let Some(variable) = self.variables.get(id) else {
            return self.add(
                ExpressionKind::Variable(id),
                Type::Void,
                Precision::Unspecified,
                span,
                Known::Late,
            );
        };
        let (ty, precision) = (variable.ty, variable.precision);
        let constant =
            variable.constant.filter(|_| variable.is_constant && variable.layout.constant_id.is_none());
        let known = match variable.layout.constant_id {
            Some(_) => Known::Specialized,
            None if variable.meaning == Some(Meaning::WorkGroupSize) => Known::Specialized,
            None => match variable.initial {
                Some(initial) if variable.is_constant => self.known(initial),
                _ => Known::Late,
            },
        };
        if !variable.is_used {
            self.variables[id].is_used = true;
        }
        match constant {
            Some(constant) => {
                self.add(ExpressionKind::Constant(constant), ty, precision, span, Known::Constant)
            }
            None => self.add(ExpressionKind::Variable(id), ty, precision, span, known),
        }
    }

    /// A member of a structure, by number.
    pub(super) fn member(&mut self, base: ExpressionId, member: u32, span: Span) -> ExpressionId {
        let Type::Struct(id) = self.ty(base) else { return base };
        let structure = self.types.structure(id);
        let Some(found) = structure.members.get(member as usize) else { return base };
        let (ty, precision) = (found.ty, found.precision);
        if let Some(constant) = self.value(base) {
            let skip =
                structure.members.iter().take(member as usize).map(|member| self.types.scalars(member.ty));
            let skip = usize::try_from(skip.sum::<u64>()).unwrap_or(0);
            let count = usize::try_from(self.types.scalars(ty)).unwrap_or(0);
            if let Some(values) = constant.values.get(skip..skip.saturating_add(count)) {
                let values = values.into();
                return self.constant(Constant { ty, values }, precision, span);
            }
        }
        let known = self.known(base);
        self.add(ExpressionKind::Field { base, member }, ty, precision, span, known)
    }

    /// `base.name`
    fn field(&mut self, base: Ref, name: Name, span: Span) -> Checked {
        let base = self.expression(base)?;
        let ty = self.ty(base);
        let text: &str = self.names.text(name.symbol);
        match ty {
            Type::Struct(id) => {
                let count = self.types.structure(id).members.len();
                if !self.charge(count, span) {
                    return None;
                }
                let structure = self.types.structure(id);
                let found = structure.members.iter().position(|member| member.name == text);
                let is_vertex = structure.is_block && structure.name == "gl_PerVertex";
                if is_vertex && let Some(row) = builtins::PER_VERTEX.iter().find(|row| row.0 == text) {
                    self.need(&row.3, name.span, &format!("`{text}` here"));
                }
                match found.and_then(|number| u32::try_from(number).ok()) {
                    Some(number) => Some(self.member(base, number, span)),
                    None => {
                        let message = format!("{} has no member `{text}`", self.shown(ty));
                        let structure = self.types.structure(id);
                        let names = structure.members.iter().map(|member| member.name.as_str());
                        let problem = Problem::error(Kind::UnknownName, name.span, message).near(text, names);
                        self.report(problem);
                        None
                    }
                }
            }
            Type::Vector(scalar, size) => self.swizzle(base, scalar, size, text, name.span, span),
            Type::Scalar(scalar) => {
                let since = since_or(420, 0, &["GL_ARB_shading_language_420pack"]);
                if !self.need(&since, name.span, "components of a scalar") {
                    return None;
                }
                self.swizzle(base, scalar, 1, text, name.span, span)
            }
            _ => {
                let message = format!("{} has no members", self.shown(ty));
                let problem = Problem::error(Kind::Type, name.span, message);
                let problem = match ty {
                    Type::Array(_) if text == "length" => problem.help("`.length()`"),
                    Type::Array(_) => problem.help("an index is missing, as in `[0]`"),
                    Type::Matrix(..) => problem.help("`[0]` is the first column"),
                    _ => problem,
                };
                self.report(problem);
                None
            }
        }
    }

    fn swizzle(
        &mut self,
        base: ExpressionId,
        scalar: Scalar,
        size: u8,
        text: &str,
        name: Span,
        span: Span,
    ) -> Checked {
        const SETS: [&str; 3] = ["xyzw", "rgba", "stpq"];
        let wrong = |this: &mut Self, message: String, help: &str| {
            let problem = Problem::error(Kind::UnknownName, name, message);
            this.report(problem.help(help));
            None
        };
        let have = Type::of(scalar, size);
        let set = text.chars().next().and_then(|first| SETS.into_iter().find(|set| set.contains(first)));
        let Some(set) = set else {
            let message = format!("{} has no component `{text}`", self.shown(have));
            return wrong(self, message, "components are `xyzw`, `rgba` or `stpq`");
        };
        let mut lanes = Vec::new();
        for letter in text.chars() {
            let Some(lane) = set.find(letter) else {
                let message = match SETS.iter().any(|set| set.contains(letter)) {
                    true => format!("`{text}` mixes the names of components"),
                    false => format!("{} has no component `{letter}`", self.shown(have)),
                };
                return wrong(
                    self,
                    message,
                    "components are `xyzw`, `rgba` or `stpq`, of one of these alone",
                );
            };
            if lane >= usize::from(size) {
                let message = format!("{} has no component `{letter}`", self.shown(have));
                let there = set.get(..usize::from(size)).unwrap_or("");
                return wrong(self, message, &format!("it has `{there}`"));
            }
            lanes.push(lane as u8);
        }
        if lanes.len() > 4 {
            return wrong(self, format!("`{text}` takes more than 4 components"), "a vector has at most 4");
        }
        let ty = Type::of(scalar, lanes.len() as u8);
        let precision = self.precision(base);
        if let Some(constant) = self.value(base) {
            let values: Option<Box<[Value]>> =
                lanes.iter().map(|lane| constant.values.get(usize::from(*lane)).copied()).collect();
            if let Some(values) = values {
                return Some(self.constant(Constant { ty, values }, precision, span));
            }
        }
        let known = self.known(base);
        Some(self.add(ExpressionKind::Swizzle { base, lanes: lanes.into() }, ty, precision, span, known))
    }

    /// `base.length()`
    fn method(&mut self, base: Ref, name: Name, arguments: &[Ref], span: Span) -> Checked {
        let base = self.expression(base)?;
        let text = self.text(name.symbol).to_owned();
        if text != "length" {
            let message = format!("there is no method `{text}`");
            self.report(
                Problem::error(Kind::UnknownName, name.span, message).help("the only one is `length()`"),
            );
            return None;
        }
        if !arguments.is_empty() {
            self.error(Kind::Overload, span, "`length()` takes no arguments");
        }
        let ty = self.ty(base);
        let precision = if self.is_es() { Precision::High } else { Precision::Unspecified };
        match ty {
            Type::Array(id) => {
                self.need(&since_or(120, 300, &["GL_3DL_array_objects"]), span, "`length()`");
                match self.types.get_array(id).length {
                    Length::Known(count) => {
                        let values = [Value::Int(i64::from(count))].into();
                        Some(self.constant(Constant { ty: Type::INT, values }, precision, span))
                    }
                    Length::Specialized(..) => Some(self.add(
                        ExpressionKind::Length(base),
                        Type::INT,
                        precision,
                        span,
                        Known::Specialized,
                    )),
                    Length::Runtime => {
                        Some(self.add(ExpressionKind::Length(base), Type::INT, precision, span, Known::Late))
                    }
                    Length::Implicit => {
                        let is_stage = self.stage_arrays.iter().any(|(array, _)| *array == id);
                        let problem = match is_stage {
                            true => Problem::error(
                                Kind::Layout,
                                span,
                                "`length()` before the layout that says it",
                            )
                            .help("`layout(triangles) in;` and the like before this"),
                            false => {
                                Problem::error(Kind::Type, span, "`length()` of an array without a size")
                            }
                        };
                        self.report(problem);
                        None
                    }
                }
            }
            Type::Vector(..) | Type::Matrix(..) => {
                self.need(
                    &since_or(420, 0, &["GL_ARB_shading_language_420pack"]),
                    span,
                    "`length()` of vectors",
                );
                let count = self.types.length(ty).unwrap_or(1);
                let values = [Value::Int(i64::from(count))].into();
                Some(self.constant(Constant { ty: Type::INT, values }, precision, span))
            }
            _ => {
                self.error(Kind::Type, span, format!("{} has no length", self.shown(ty)));
                None
            }
        }
    }

    /// `base[index]`
    fn index(&mut self, base: Ref, index: Option<Ref>, span: Span) -> Checked {
        let base_value = self.expression(base);
        let Some(index) = index else {
            self.error(Kind::Syntax, span, "an index is missing");
            return None;
        };
        let index_value = self.expression(index);
        let (base, index) = (base_value?, index_value?);
        let ty = self.ty(base);
        let Some(element) = self.types.element(ty) else {
            let message = format!("{} cannot be indexed", self.shown(ty));
            let place = self.place(base);
            self.error(Kind::Type, place, message);
            return None;
        };
        let (index_ty, place) = (self.ty(index), self.place(index));
        if self.types.length(ty).is_none() && !self.charge(self.stage_arrays.len(), place) {
            return None;
        }
        if !matches!(index_ty, Type::Scalar(scalar) if scalar.is_integer()) {
            let message = format!("an index must be a whole number, and this is {}", self.shown(index_ty));
            let problem = Problem::error(Kind::Type, place, message);
            self.report(problem.help(if index_ty.is_scalar() {
                "`int(...)` converts it"
            } else {
                "a scalar"
            }));
            return None;
        }
        let known_index = self.value(index).and_then(|constant| constant.values.first().copied());
        let known_index = known_index.and_then(super::value::as_integer);
        let length = self.types.length(ty).map(i128::from);
        match (known_index, length) {
            (Some(number), _) if number < 0 => {
                self.error(Kind::Constant, place, format!("the index is {number}, which is below 0"));
                return None;
            }
            (Some(number), Some(length)) if number >= length => {
                let message = format!("the index is {number}, and {} has {length} elements", self.shown(ty));
                self.error(Kind::Constant, place, message);
                return None;
            }
            (Some(number), None) => {
                if let Type::Array(id) = ty
                    && self.types.get_array(id).length == Length::Implicit
                {
                    let number = u32::try_from(number).unwrap_or(u32::MAX);
                    if u64::from(number) >= self.limits.type_size {
                        self.error(Kind::Limit, place, format!("the index is {number} (limit `type_size`)"));
                        return None;
                    }
                    let largest = self.implicit.entry(id.0).or_insert(0);
                    *largest = (*largest).max(number);
                }
            }
            (None, None) => {
                if let Type::Array(id) = ty
                    && self.types.get_array(id).length == Length::Implicit
                    && !self.stage_arrays.iter().any(|(array, _)| *array == id)
                    && !self.is_open(id)
                {
                    let problem =
                        Problem::error(Kind::Type, place, "an array without a size needs a constant index");
                    self.report(problem.help("declare the array with its size"));
                    return None;
                }
            }
            _ => {}
        }
        if known_index.is_none() {
            self.check_late_index(base, element, place);
        }
        let precision = self.precision(base);
        if let (Some(constant), Some(number)) = (self.value(base), known_index) {
            let count = usize::try_from(self.types.scalars(element)).unwrap_or(0);
            let start = usize::try_from(number).unwrap_or(0).saturating_mul(count);
            if let Some(values) = constant.values.get(start..start.saturating_add(count)) {
                let values = values.into();
                return Some(self.constant(Constant { ty: element, values }, precision, span));
            }
        }
        let known = self.known_of(&[base, index]);
        Some(self.add(ExpressionKind::Index { base, index }, element, precision, span, known))
    }

    /// Arrays of textures and blocks without a size are as long as what is bound, where the language has that.
    fn is_open(&mut self, id: crate::types::ArrayId) -> bool {
        let element = self.types.get_array(id).element;
        let may_be = match element {
            Type::Opaque(_) => true,
            Type::Struct(id) => self.types.structure(id).is_block,
            _ => false,
        };
        let is_open = may_be && self.language.is_enabled("GL_EXT_nonuniform_qualifier");
        if is_open {
            self.types.set_length(id, Length::Runtime);
        }
        is_open
    }

    /// Arrays of textures, blocks and colours, which some versions index by constants only.
    fn check_late_index(&mut self, base: ExpressionId, element: Type, place: Span) {
        let root = self.root(base);
        let is_direct = matches!(self.expressions[base].kind, ExpressionKind::Variable(_));
        if let Type::Opaque(Opaque { handle: Handle::Combined | Handle::Image, .. }) = element {
            if self.language.version.number >= 130 {
                let since =
                    since_or(400, 320, &["GL_ARB_gpu_shader5", "GL_EXT_gpu_shader5", "GL_OES_gpu_shader5"]);
                self.need(&since, place, "indices of arrays of textures that are no constants");
            }
            return;
        }
        let Some(variable) = root.and_then(|root| self.variables.get(root)) else { return };
        if variable.block.is_some() && is_direct && matches!(element, Type::Struct(_)) {
            let storage = variable.storage;
            match storage {
                Storage::Uniform => {
                    let since = since_or(
                        400,
                        320,
                        &["GL_ARB_gpu_shader5", "GL_EXT_gpu_shader5", "GL_OES_gpu_shader5"],
                    );
                    self.need(&since, place, "indices of arrays of blocks that are no constants");
                }
                Storage::Buffer if self.is_es() => {
                    let since = since_or(430, 320, &["GL_EXT_gpu_shader5", "GL_OES_gpu_shader5"]);
                    self.need(&since, place, "indices of arrays of buffers that are no constants");
                }
                _ => {}
            }
            return;
        }
        if variable.storage == Storage::Out
            && self.is_es()
            && self.language.stage == crate::language::Stage::Fragment
            && is_direct
            && variable.meaning != Some(Meaning::SampleMask)
        {
            let message = "colours are indexed by constants in GLSL ES";
            if self.language.version.number >= 300 || variable.meaning == Some(Meaning::FragData) {
                self.error(Kind::Constant, place, message);
            }
        }
    }
}
