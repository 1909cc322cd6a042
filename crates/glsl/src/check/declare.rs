//! Declarations of variables.

use super::construct::Target;
use super::layout::Of;
use super::qualifier::{Qualifiers, Word};
use super::scope::Entry;
use super::{Checked, Checker, Known};
use crate::errors::{Kind, Problem};
use crate::language::{Stage, since, since_or};
use crate::parse::syntax::{Declaration, Declarator, Name, TypeBase, TypeName};
use crate::place::Span;
use crate::tree::{
    Auxiliary, ExpressionId, Interpolation, Layout, Statement, StatementKind, Storage, Variable, VariableId,
};
use crate::types::{Handle, Length, Part, Precision, Scalar, Type};

impl Checker<'_> {
    /// A declaration of variables or a structure. Gives the statements of local variables.
    pub(super) fn declaration(&mut self, declaration: &Declaration, is_global: bool) -> Vec<Statement> {
        let qualifiers = self.qualifiers(&declaration.qualifiers);
        let base = self.base_type(&declaration.ty);
        let mut statements = Vec::new();
        if declaration.declarators.is_empty() {
            let is_struct = matches!(declaration.ty.base, TypeBase::Struct(_));
            if !is_struct {
                let problem =
                    Problem::warning(Kind::Syntax, declaration.span, "a declaration without a name");
                self.report(problem);
            }
            return statements;
        }
        for declarator in &declaration.declarators {
            // `gl_FragCoord` and the like are declared again.
            if is_global && self.text(declarator.name.symbol).starts_with("gl_") {
                if let Some(base) = base {
                    self.redeclare_built_in(&qualifiers, base, &declaration.ty, declarator);
                }
                continue;
            }
            let declared = base.and_then(|base| match is_global {
                true => self.global(&qualifiers, base, &declaration.ty, declarator),
                false => self.local(&qualifiers, base, &declaration.ty, declarator),
            });
            match declared {
                Some((variable, initial)) if !is_global => {
                    let end = declarator.initial.map_or(declarator.name.span, |initial| self.span(initial));
                    let span = declaration.ty.span.to(declarator.name.span).to(end);
                    statements.push(Statement { kind: StatementKind::Declare { variable, initial }, span });
                }
                Some(_) => {}
                None => self.wrong(declarator.name),
            }
        }
        statements
    }

    /// A name whose declaration is wrong: its uses are not reported.
    pub(super) fn wrong(&mut self, name: Name) {
        if self.scopes.here(name.symbol).is_none() {
            self.scopes.declare(name.symbol, Entry::Wrong, name.span);
        }
    }

    /// A variable as it begins: nothing said of it.
    pub(super) fn plain_variable(name: String, ty: Type, storage: Storage, span: Span) -> Variable {
        Variable {
            name,
            ty,
            storage,
            is_constant: false,
            precision: Precision::Unspecified,
            interpolation: Interpolation::Unspecified,
            auxiliary: Auxiliary::None,
            is_invariant: false,
            is_precise: false,
            memory: Default::default(),
            layout: Layout::default(),
            constant: None,
            initial: None,
            meaning: None,
            block: None,
            is_used: false,
            span,
        }
    }

    /// A variable inside a function.
    fn local(
        &mut self,
        qualifiers: &Qualifiers<'_>,
        base: Type,
        ty: &TypeName,
        declarator: &Declarator,
    ) -> Checked<(VariableId, Option<ExpressionId>)> {
        let name = declarator.name;
        if let Some((word, span)) = qualifiers.word {
            let message = format!("`{}` inside a function", word.text());
            let problem = Problem::error(Kind::Qualifier, span, message);
            self.report(problem.help("such variables are declared outside of functions"));
            return None;
        }
        if let Some(span) = qualifiers.interpolation_span {
            self.error(Kind::Qualifier, span, "variables inside a function are not interpolated");
        }
        if qualifiers.is_invariant {
            self.error(Kind::Qualifier, qualifiers.span, "only outputs and inputs are `invariant`");
        }
        if let Some(span) = qualifiers.memory_span {
            self.error(Kind::Qualifier, span, "variables inside a function are no memory that is shared");
        }
        self.no_layout(qualifiers, "variables inside a function");
        self.variable(qualifiers, base, ty, declarator, Storage::Local, Layout::default(), name)
    }

    /// A variable outside of functions.
    fn global(
        &mut self,
        qualifiers: &Qualifiers<'_>,
        base: Type,
        ty: &TypeName,
        declarator: &Declarator,
    ) -> Checked<(VariableId, Option<ExpressionId>)> {
        let name = declarator.name;
        let stage = self.language.stage;
        if let Some((word, span)) = qualifiers.word
            && !self.check_storage(word, span)
        {
            return None;
        }
        let word = qualifiers.word.map(|(word, _)| word);
        let layout = self.layout_of(qualifiers, Of::Variable(word));
        let storage = match word {
            None => Storage::Global,
            Some(Word::In | Word::Attribute) => Storage::In,
            Some(Word::Out) => Storage::Out,
            Some(Word::Varying) if stage == Stage::Vertex => Storage::Out,
            Some(Word::Varying) => Storage::In,
            Some(Word::InOut) => Storage::InOut,
            Some(Word::Uniform) => Storage::Uniform,
            Some(Word::Shared) => Storage::Shared,
            Some(Word::Buffer) => {
                let problem = Problem::error(Kind::Qualifier, name.span, "a buffer must be a block");
                self.report(problem.help("`buffer Name { ... };`"));
                return None;
            }
        };
        self.variable(qualifiers, base, ty, declarator, storage, layout, name)
    }

    #[allow(clippy::too_many_arguments)]
    fn variable(
        &mut self,
        qualifiers: &Qualifiers<'_>,
        base: Type,
        ty_name: &TypeName,
        declarator: &Declarator,
        storage: Storage,
        layout: Layout,
        name: Name,
    ) -> Checked<(VariableId, Option<ExpressionId>)> {
        let mut ty = self.arrays_of(base, &ty_name.arrays, &declarator.arrays, ty_name.span)?;
        if ty == Type::Void {
            self.error(
                Kind::Type,
                name.span,
                format!("the variable `{}` has the type `void`", self.text(name.symbol)),
            );
            return None;
        }
        self.check_name(name);
        let before = self.redeclared_array(name, ty, storage);
        if before.is_none() && !self.may_declare(name) {
            return None;
        }
        let is_constant = qualifiers.is_const.is_some() && !matches!(storage, Storage::In);
        if qualifiers.is_const.is_some() && !matches!(storage, Storage::Global | Storage::Local) {
            self.error(Kind::Qualifier, qualifiers.span, "`const` beside a word of storage");
        }
        let mut initial = None;
        if let Some(value) = declarator.initial {
            let span = self.span(value);
            match storage {
                Storage::Uniform
                    if self.is_es() || self.language.version.number < 120 || self.language.is_vulkan() =>
                {
                    self.error(Kind::Qualifier, span, "uniforms have no initial values here");
                }
                Storage::Shared if self.language.is_enabled("GL_EXT_null_initializer") => {}
                Storage::In | Storage::Out | Storage::InOut | Storage::Shared | Storage::Buffer => {
                    let what =
                        if storage == Storage::Shared { "`shared` variables" } else { "inputs and outputs" };
                    self.error(Kind::Qualifier, span, format!("{what} have no initial values"));
                }
                _ => {}
            }
            let what = format!("for `{}`", self.text(name.symbol));
            // The name is not yet there in its own initial value.
            let checked = self.initial_value(value, Target { ty, what: &what });
            let Some(checked) = checked else {
                // The variable is there all the same: its type is known.
                if !self.types.has(ty, Part::Unsized) {
                    self.finish_variable(qualifiers, ty, storage, layout, name, false);
                }
                return None;
            };
            ty = self.sized_by(ty, checked);
            initial = Some(checked);
        } else if is_constant {
            let problem = Problem::error(
                Kind::Qualifier,
                name.span,
                format!("the constant `{}` has no value", self.text(name.symbol)),
            );
            self.report(problem.help(format!(
                "`const {} {} = ...;`",
                self.types.name(ty),
                self.text(name.symbol)
            )));
        }
        if let Some((id, _)) = before {
            // The size of an array that was declared without one.
            if let (Type::Array(old), Some(length)) = (self.variables[id].ty, self.types.length(ty)) {
                if let Some(largest) = self.implicit.get(&old.0)
                    && *largest >= length
                {
                    let message = format!("`{}` is indexed with {largest} before", self.text(name.symbol));
                    self.error(Kind::Redeclared, name.span, message);
                }
                self.types.set_length(old, Length::Known(length));
            }
            return Some((id, None));
        }
        let id = self.finish_variable(qualifiers, ty, storage, layout, name, is_constant);
        if let Some(value) = initial {
            let known = self.known(value);
            let needs_constant = match storage {
                Storage::Local => is_constant && !self.at_least(420, 300) && !self.has_420(),
                Storage::Global if self.is_es() => {
                    let late = since_or(0, 0, &["GL_EXT_shader_non_constant_global_initializers"]);
                    is_constant || !self.language.has(&late)
                }
                Storage::Global => is_constant,
                Storage::Uniform => true,
                _ => false,
            };
            if needs_constant && known == Known::Late {
                let message =
                    format!("the value of `{}` must be a constant expression", self.text(name.symbol));
                let span = self.place(value);
                // GLSL ES before 3.20 is often written with others; the language of then allowed a warning.
                let lenient = self.is_es() && storage == Storage::Global && !is_constant;
                match lenient && self.language.version.number == 100 {
                    true => self.report(Problem::warning(Kind::Constant, span, message)),
                    false => self.error(Kind::Constant, span, message),
                }
            }
            let constant = self.constant_id(value);
            let specialized = layout.constant_id.is_some();
            if let Some(variable) = self.variables.get(id).cloned() {
                let mut variable = variable;
                if is_constant && (known == Known::Constant || specialized) {
                    variable.constant = constant;
                }
                if storage != Storage::Local {
                    variable.initial = Some(value);
                }
                self.variables[id] = variable;
            }
            if specialized && known == Known::Late {
                self.error(
                    Kind::Constant,
                    self.place(value),
                    "the default of a specialization constant must be a constant",
                );
            }
        }
        Some((id, initial))
    }

    fn has_420(&self) -> bool {
        self.language.is_enabled("GL_ARB_shading_language_420pack")
    }

    /// Enters a variable into the arena and its scope.
    fn finish_variable(
        &mut self,
        qualifiers: &Qualifiers<'_>,
        ty: Type,
        storage: Storage,
        layout: Layout,
        name: Name,
        is_constant: bool,
    ) -> VariableId {
        let precision = match self.is_es() && is_constant && qualifiers.precision == Precision::Unspecified {
            // Constants need no precision.
            true => Precision::Unspecified,
            false => self.precision_of(ty, qualifiers.precision, name.span),
        };
        let mut variable = Self::plain_variable(self.text(name.symbol).to_owned(), ty, storage, name.span);
        variable.is_constant = is_constant;
        variable.precision = precision;
        variable.interpolation = qualifiers.interpolation;
        variable.auxiliary = qualifiers.auxiliary;
        variable.is_invariant = qualifiers.is_invariant;
        variable.is_precise = qualifiers.is_precise;
        variable.memory = qualifiers.memory;
        variable.layout = layout;
        self.check_type(&mut variable, qualifiers, name.span);
        let id = self.variables.push(variable);
        if storage != Storage::Local {
            self.globals.push(id);
        }
        self.scopes.declare(name.symbol, Entry::Variable(id), name.span);
        id
    }

    /// The type of a variable whose size its initial value gives.
    fn sized_by(&mut self, ty: Type, value: ExpressionId) -> Type {
        let found = self.ty(value);
        match (ty, found) {
            (Type::Array(_), Type::Array(_)) if self.types.has(ty, Part::Unsized) => found,
            _ => ty,
        }
    }

    /// The variable of an array without a size that is declared again with one.
    fn redeclared_array(&mut self, name: Name, ty: Type, storage: Storage) -> Option<(VariableId, Span)> {
        let (Entry::Variable(id), span) = self.scopes.here(name.symbol)? else { return None };
        let known = self.variables.get(id)?;
        let (Type::Array(old), Type::Array(new)) = (known.ty, ty) else { return None };
        let (old, new) = (self.types.get_array(old), self.types.get_array(new));
        self.charge(self.stage_arrays.len(), name.span);
        let known = self.variables.get(id)?;
        let is_stage =
            self.stage_arrays.iter().any(|(id, _)| known.ty == Type::Array(*id)) && old.length == new.length;
        let fits = (old.length == Length::Implicit || is_stage)
            && known.storage == storage
            && self.types.same(old.element, new.element);
        fits.then_some((id, span))
    }

    /// What a stage allows of the type of a variable.
    fn check_type(&mut self, variable: &mut Variable, qualifiers: &Qualifiers<'_>, span: Span) {
        let ty = variable.ty;
        let storage = variable.storage;
        let name = variable.name.clone();
        let is_opaque = self.types.has(ty, Part::Opaque) || self.types.has(ty, Part::AtomicCounter);
        if is_opaque && storage != Storage::Uniform {
            let message = format!("{} must be `uniform` or a parameter", self.shown(ty));
            self.report(
                Problem::error(Kind::Qualifier, span, message)
                    .help(format!("`uniform {} {name};`", self.types.name(ty))),
            );
            return;
        }
        let image = match self.types.innermost(ty) {
            Type::Opaque(opaque) if opaque.handle == Handle::Image => Some(opaque),
            _ => None,
        };
        if let Some(memory) = qualifiers.memory_span
            && image.is_none()
            && storage != Storage::Buffer
            && storage != Storage::Shared
        {
            self.error(Kind::Qualifier, memory, "only images and buffers have qualifiers of memory");
        }
        if let Some(opaque) = image {
            self.check_image(opaque, variable, span);
        } else if variable.layout.format.is_some() {
            self.error(Kind::Layout, span, "only images have a format");
        }
        if self.types.has(ty, Part::AtomicCounter) {
            self.place_counter(variable, span);
        } else if variable.layout.offset.is_some() {
            self.error(Kind::Layout, span, "`offset` is of counters and members of blocks");
        }
        if variable.layout.binding.is_some() && !is_opaque {
            self.error(Kind::Layout, span, "`binding` is of blocks, textures, images and counters");
        }
        if self.language.is_vulkan() && storage == Storage::Uniform {
            if !is_opaque {
                let problem = Problem::error(Kind::Qualifier, span, "Vulkan has uniforms in blocks only");
                self.report(problem.help("put it into `uniform Name { ... };`"));
            } else if self.types.has(ty, Part::AtomicCounter) {
                self.error(Kind::Version, span, "Vulkan has no atomic counters");
            }
        }
        if matches!(storage, Storage::In | Storage::Out | Storage::InOut) {
            self.check_interface(variable, qualifiers, span);
        } else {
            if let Some(place) = qualifiers.interpolation_span {
                let message = "only inputs and outputs are interpolated";
                match storage {
                    Storage::Global => self.report(Problem::warning(Kind::Qualifier, place, message)),
                    _ => self.error(Kind::Qualifier, place, message),
                }
            }
            if qualifiers.is_invariant {
                self.error(Kind::Qualifier, qualifiers.span, "only inputs and outputs are `invariant`");
            }
        }
        // An array without a size: its largest constant index is it.
        if let Type::Array(id) = ty
            && self.types.get_array(id).length == Length::Implicit
        {
            let by_stage = self.stage_array_side(variable);
            match by_stage {
                Some(is_output) => {
                    self.stage_arrays.push((id, is_output));
                    if let Some(length) = self.stage_array_length(is_output) {
                        self.types.set_length(id, Length::Known(length));
                    }
                }
                None if self.is_es() => {
                    self.error(Kind::Type, span, format!("the array `{name}` needs a size in GLSL ES"));
                }
                None => {}
            }
        } else if let Type::Array(id) = ty
            && let Some(is_output) = self.stage_array_side(variable)
        {
            self.stage_arrays.push((id, is_output));
            if let (Some(length), Some(known)) = (self.stage_array_length(is_output), self.types.length(ty))
                && length != known
            {
                let message =
                    format!("`{name}` has {known} elements, and the stage's layout asks for {length}");
                self.error(Kind::Layout, span, message);
            }
        }
        let inner = match ty {
            Type::Array(id) => self.types.get_array(id).element,
            other => other,
        };
        if self.types.has(inner, Part::Unsized) {
            self.error(
                Kind::Type,
                span,
                format!("only the first size of the array `{name}` may be left out"),
            );
        }
    }

    /// Whether a variable is an array by vertex, and of the outputs.
    pub(super) fn stage_array_side(&self, variable: &Variable) -> Option<bool> {
        if variable.auxiliary == Auxiliary::Patch {
            return None;
        }
        match (self.language.stage, variable.storage) {
            (Stage::Geometry | Stage::TessellationControl | Stage::TessellationEvaluation, Storage::In) => {
                Some(false)
            }
            (Stage::TessellationControl, Storage::Out) => Some(true),
            _ => None,
        }
    }

    /// The size of arrays by vertex, if the layout has said it.
    pub(super) fn stage_array_length(&self, is_output: bool) -> Option<u32> {
        match (self.language.stage, is_output) {
            (Stage::Geometry, false) => self.layout.geometry.input.map(|input| input.vertices()),
            (Stage::TessellationControl, true) => self.layout.tessellation.vertices,
            // gl_MaxPatchVertices
            (Stage::TessellationControl | Stage::TessellationEvaluation, false) => Some(32),
            _ => None,
        }
    }

    fn check_image(&mut self, opaque: crate::types::Opaque, variable: &Variable, span: Span) {
        use crate::tree::FormatKind;
        if let Some(format) = variable.layout.format {
            let fits = match format.kind {
                FormatKind::Int => {
                    opaque.component.is_signed() && (format.bits == 64) == (opaque.component == Scalar::Int64)
                }
                FormatKind::Uint => {
                    opaque.component.is_unsigned()
                        && (format.bits == 64) == (opaque.component == Scalar::Uint64)
                }
                _ => opaque.component.is_float(),
            };
            if !fits {
                let message = format!("the format `{}` does not fit `{}`", format.name, opaque.name());
                self.error(Kind::Layout, span, message);
            }
            let is_single = format.bits == 32 && format.components == 1;
            if self.is_es() && !is_single && !variable.memory.is_readonly && !variable.memory.is_writeonly {
                let message =
                    format!("an image of the format `{}` must be `readonly` or `writeonly`", format.name);
                self.error(Kind::Layout, span, message);
            }
        } else if variable.storage == Storage::Uniform {
            let formatless = self.language.is_enabled("GL_EXT_shader_image_load_formatted");
            if !variable.memory.is_writeonly && !formatless {
                let problem = Problem::error(Kind::Layout, span, "an image that is read needs a format");
                self.report(problem.help("`layout(rgba8) uniform ...`, or `writeonly`"));
            }
        }
    }

    /// The offset of an atomic counter.
    fn place_counter(&mut self, variable: &mut Variable, span: Span) {
        let Some(binding) = variable.layout.binding else {
            let problem = Problem::error(Kind::Layout, span, "a counter needs a binding");
            self.report(problem.help("`layout(binding = 0) uniform atomic_uint ...`"));
            return;
        };
        let next = self.counters.get(&binding).copied().unwrap_or(0);
        let offset = variable.layout.offset.unwrap_or(next);
        if !offset.is_multiple_of(4) {
            self.error(
                Kind::Layout,
                span,
                format!("`offset` is {offset}; that of a counter is a multiple of 4"),
            );
        }
        let count = u32::try_from(self.types.scalars(variable.ty)).unwrap_or(u32::MAX);
        variable.layout.offset = Some(offset);
        self.counters.insert(binding, offset.saturating_add(count.saturating_mul(4)));
    }

    /// What may go between stages.
    fn check_interface(&mut self, variable: &Variable, qualifiers: &Qualifiers<'_>, span: Span) {
        let ty = variable.ty;
        let stage = self.language.stage;
        let name = &variable.name;
        let is_in = variable.storage == Storage::In;
        let side = if is_in { "input" } else { "output" };
        let version = self.language.version;
        let has = |part| self.types.has(ty, part);
        if has(Part::Bool) {
            let message = format!("the {side} `{name}` is or has a `bool`");
            self.report(Problem::error(Kind::Type, span, message).help("an `int` with 0 and 1 serves"));
            return;
        }
        let is_vertex_input = stage == Stage::Vertex && is_in;
        let is_colour = stage == Stage::Fragment && !is_in;
        let (has_struct, has_array, has_matrix) = (has(Part::Struct), has(Part::Array), has(Part::Matrix));
        let has_whole = has(Part::Integer) || has(Part::Integer64);
        let has_double = has(Part::Double);
        if is_vertex_input {
            if has_struct {
                self.error(Kind::Type, span, format!("the attribute `{name}` is a structure"));
            }
            if has_array {
                self.need(&since(110, 0), span, "arrays of attributes");
            }
            if has_double {
                self.need(&since_or(410, 0, &["GL_ARB_vertex_attrib_64bit"]), span, "attributes of doubles");
            }
            if variable.auxiliary != Auxiliary::None || variable.interpolation != Interpolation::Unspecified {
                self.error(Kind::Qualifier, qualifiers.span, "attributes are not interpolated");
            }
            if qualifiers.is_invariant {
                self.error(Kind::Qualifier, qualifiers.span, "attributes are not `invariant`");
            }
            return;
        }
        if is_colour {
            if has_struct {
                self.error(Kind::Type, span, format!("the colour `{name}` is a structure"));
            }
            if has_matrix {
                self.error(Kind::Type, span, format!("the colour `{name}` is a matrix"));
            }
            if has_double {
                self.error(Kind::Type, span, format!("the colour `{name}` is of doubles"));
            }
            if variable.auxiliary != Auxiliary::None || variable.interpolation != Interpolation::Unspecified {
                self.error(Kind::Qualifier, qualifiers.span, "colours are not interpolated");
            }
            return;
        }
        if has_struct {
            self.need(&since(150, 300), span, "structures between stages");
        }
        if has_whole && !version.is_es() {
            self.need(&since_or(130, 300, &[]), span, "whole numbers between stages");
        }
        // Only floats are interpolated.
        let asks_flat = match stage {
            Stage::Fragment => is_in,
            _ => version.is_es() && version.number == 300 && !is_in,
        };
        if asks_flat && (has_whole || has_double) && variable.interpolation != Interpolation::Flat {
            let kind = if has_whole { "whole numbers" } else { "doubles" };
            let message = format!("the {side} `{name}` has {kind}, which are not interpolated");
            self.report(
                Problem::error(Kind::Qualifier, span, message)
                    .help(format!("`flat {side}` says so", side = if is_in { "in" } else { "out" })),
            );
        }
        if variable.auxiliary == Auxiliary::Patch {
            if variable.interpolation != Interpolation::Unspecified {
                self.error(Kind::Qualifier, qualifiers.span, "what is of a patch is not interpolated");
            }
            let fits = matches!(
                (stage, is_in),
                (Stage::TessellationControl, false) | (Stage::TessellationEvaluation, true)
            );
            if !fits {
                self.error(
                    Kind::Qualifier,
                    qualifiers.span,
                    format!("`patch` of an {side} of a {stage} shader"),
                );
            }
        }
        if self.stage_array_side(variable).is_some() && !matches!(ty, Type::Array(_)) {
            let message = format!("the {side} `{name}` must be an array: it has a value for each vertex");
            self.report(Problem::error(Kind::Type, span, message).help(format!("`{name}[]`")));
        }
    }
}
