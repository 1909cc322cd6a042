//! Calls: overloads of the text and of the language.

use super::scope::Entry;
use super::{Checked, Checker, Known};
use crate::builtins::{self, Operation, Signature, Subgroup};
use crate::errors::{Kind, Problem};
use crate::language::Stage;
use crate::lex::Symbol;
use crate::parse::syntax::{ExpressionKind as Syntax, Ref};
use crate::place::Span;
use crate::tree::{Argument, Direction, ExpressionId, ExpressionKind, FunctionId, Storage};
use crate::types::{Handle, Precision, Scalar, Type};

/// A function that may be meant.
enum Candidate {
    Own(FunctionId),
    Built(&'static Signature),
}

impl Checker<'_> {
    /// `callee(arguments)`: a function, or a constructor of a structure.
    pub(super) fn call(&mut self, callee: Ref, arguments: &[Ref], span: Span) -> Checked {
        let syntax = self.syntax;
        let callee_span = self.span(callee);
        // `S[2](...)`
        let mut arrays = Vec::new();
        let mut inner = callee;
        while let Syntax::Index(base, index) = &syntax.get(inner).kind {
            arrays.push(*index);
            inner = *base;
        }
        arrays.reverse();
        let Syntax::Name(symbol) = &syntax.get(inner).kind else {
            self.error(Kind::Syntax, callee_span, "only a function or a type can be called");
            return None;
        };
        match self.entry(*symbol) {
            Some(Entry::Struct(id)) => {
                let ty = self.arrays_of(Type::Struct(id), &arrays, &[], callee_span)?;
                return self.construct(ty, arguments, span, callee_span);
            }
            Some(Entry::Wrong) => {
                for argument in arguments {
                    self.any_expression(*argument);
                }
                return None;
            }
            Some(Entry::Variable(_) | Entry::Member(..)) if !self.has_two_spaces() => {
                let message = format!("`{}` is a variable and cannot be called", self.text(*symbol));
                let declared = self.scopes.place(*symbol);
                let problem =
                    Problem::error(Kind::Type, callee_span, message).note(declared, "it is declared here");
                self.report(problem);
                return None;
            }
            _ => {}
        }
        if !arrays.is_empty() {
            self.error(Kind::Type, callee_span, "what is called is no type");
            return None;
        }
        let values = self.all_values(arguments)?;
        self.call_function(*symbol, callee_span, values, span)
    }

    fn call_function(
        &mut self,
        symbol: Symbol,
        name_span: Span,
        arguments: Vec<ExpressionId>,
        span: Span,
    ) -> Checked {
        let text = self.names.text(symbol);
        let types: Vec<Type> = arguments.iter().map(|argument| self.ty(*argument)).collect();
        // An exact one of the text, then of the language; then by conversions, of the text alone if it has any.
        let count = self.overloads.get(&symbol).map_or(0, Vec::len);
        if !self.charge(count, name_span) {
            return None;
        }
        let known = self.overloads.get(&symbol).map_or(&[][..], Vec::as_slice);
        let exact = known.iter().copied().find(|id| self.is_exact(*id, &types));
        if let Some(id) = exact {
            return self.call_own(id, arguments, span);
        }
        let built = builtins::function(text);
        let all = built.map_or(&[][..], builtins::Function::signatures);
        let exact = all.iter().find(|one| self.is_exact_built(one, &types) && one.is_in(&self.language));
        if let Some(signature) = exact {
            return self.call_built(signature, arguments, name_span, span);
        }
        let own = known.to_vec();
        let signatures: Vec<&'static Signature> =
            all.iter().filter(|one| one.is_in(&self.language)).collect();
        let found = match own.is_empty() {
            false => self.best_own(&own, &types, name_span, text)?.map(Candidate::Own),
            true => self.best_built(&signatures, &types, name_span, text)?.map(Candidate::Built),
        };
        match found {
            Some(Candidate::Own(id)) => self.call_own(id, arguments, span),
            Some(Candidate::Built(signature)) => self.call_built(signature, arguments, name_span, span),
            None => {
                self.no_function(symbol, &own, &signatures, &types, name_span);
                None
            }
        }
    }

    /// All arguments; each is looked at, also behind one that is wrong.
    pub(super) fn all_values(&mut self, arguments: &[Ref]) -> Checked<Vec<ExpressionId>> {
        let mut values = Vec::with_capacity(arguments.len());
        let mut is_right = true;
        for argument in arguments {
            match self.expression(*argument) {
                Some(value) => values.push(value),
                None => is_right = false,
            }
        }
        is_right.then_some(values)
    }

    fn call_own(&mut self, id: FunctionId, arguments: Vec<ExpressionId>, span: Span) -> Checked {
        let parameters = self.parameters(id);
        let mut given = Vec::with_capacity(arguments.len());
        let mut is_right = true;
        for (value, (ty, direction)) in arguments.into_iter().zip(parameters) {
            match direction {
                Direction::In => match self.as_type(value, ty, "for this parameter") {
                    Some(value) => given.push(Argument::In(value)),
                    None => is_right = false,
                },
                Direction::Out | Direction::InOut => {
                    is_right &= self.is_place(value, "given for `out`");
                    given.push(match direction {
                        Direction::Out => Argument::Out(value),
                        _ => Argument::InOut(value),
                    });
                }
            }
        }
        if !is_right {
            return None;
        }
        let function = self.functions.get(id)?;
        let (ty, precision) = (function.result, function.precision);
        if let Some(caller) = self.function {
            let known = self.functions.get(caller).map_or(0, |function| function.calls.len());
            self.charge(known / 4, span);
            if self.functions.get(caller).is_some_and(|function| !function.calls.contains(&id)) {
                self.functions[caller].calls.push(id);
            }
        }
        let kind = ExpressionKind::Call { function: id, arguments: given.into() };
        Some(self.add(kind, ty, precision, span, Known::Late))
    }

    fn call_built(
        &mut self,
        signature: &'static Signature,
        arguments: Vec<ExpressionId>,
        name_span: Span,
        span: Span,
    ) -> Checked {
        let mut given = Vec::with_capacity(arguments.len());
        for (value, parameter) in arguments.into_iter().zip(&signature.parameters) {
            let value = match (parameter.is_out, parameter.ty.scalar()) {
                (false, Some(scalar)) => self.converted(value, scalar, true, self.place(value)),
                (false, None) => value,
                (true, _) => {
                    if !self.is_place(value, "written by the function") {
                        return None;
                    }
                    value
                }
            };
            given.push(value);
        }
        let operation = signature.operation;
        if matches!(operation, Operation::Subgroup(_)) {
            self.check_narrow(signature, name_span);
        }
        self.check_built(operation, signature, &given, name_span)?;
        let ty = signature.result;
        let precision = self.precision_of_built(operation, &given, ty);
        if let Some(folded) = self.fold_call(operation, &given, ty) {
            return Some(self.constant(folded, precision, span));
        }
        let is_pure = !signature.parameters.iter().any(|parameter| parameter.is_out)
            && !signature.parameters.is_empty()
            && signature.parameters.iter().all(|parameter| parameter.ty.scalar().is_some())
            && !matches!(operation, Operation::Derivative(..) | Operation::Subgroup(_) | Operation::Noise);
        let known = match is_pure {
            true => self.known_of(&given),
            false => Known::Late,
        };
        let name = signature.row.name();
        let kind = ExpressionKind::Builtin { operation, name, arguments: given.into() };
        Some(self.add(kind, ty, precision, span, known))
    }

    /// Functions of subgroups take other numbers than those of 32 bits and doubles by extensions.
    fn check_narrow(&mut self, signature: &Signature, name_span: Span) {
        let scalars = signature.parameters.iter().filter_map(|parameter| parameter.ty.scalar());
        for scalar in scalars {
            let name = match scalar {
                Scalar::Int8 | Scalar::Uint8 => "GL_EXT_shader_subgroup_extended_types_int8",
                Scalar::Int16 | Scalar::Uint16 => "GL_EXT_shader_subgroup_extended_types_int16",
                Scalar::Int64 | Scalar::Uint64 => "GL_EXT_shader_subgroup_extended_types_int64",
                Scalar::Float16 => "GL_EXT_shader_subgroup_extended_types_float16",
                _ => continue,
            };
            if !self.language.is_enabled(name) {
                let message = format!("`{}` of `{}` is an extension", signature.row.name(), scalar.name());
                let problem = Problem::error(Kind::Version, name_span, message);
                self.report(problem.help(format!("`#extension {name} : enable`")));
                return;
            }
        }
    }

    fn precision_of_built(&self, operation: Operation, given: &[ExpressionId], ty: Type) -> Precision {
        if !self.is_es() || ty.is_bool() || ty == Type::Void {
            return Precision::Unspecified;
        }
        match operation {
            Operation::Sample(_) | Operation::ImageLoad => {
                given.first().map_or(Precision::Unspecified, |texture| self.precision(*texture))
            }
            Operation::TextureSize
            | Operation::Bitcast
            | Operation::PackUnorm2x16
            | Operation::PackSnorm2x16
            | Operation::PackHalf2x16
            | Operation::PackUnorm4x8
            | Operation::PackSnorm4x8 => Precision::High,
            _ => given.iter().map(|value| self.precision(*value)).max().unwrap_or_default(),
        }
    }

    /// What single functions ask of their arguments beside their types.
    fn check_built(
        &mut self,
        operation: Operation,
        signature: &Signature,
        given: &[ExpressionId],
        name_span: Span,
    ) -> Checked<()> {
        let first = given.first().copied();
        match operation {
            Operation::Atomic(_) => {
                let memory =
                    first.and_then(|first| self.root(first)).and_then(|root| self.variables.get(root));
                let fits = memory
                    .is_some_and(|variable| matches!(variable.storage, Storage::Buffer | Storage::Shared));
                if !fits {
                    let message = format!(
                        "`{}` works on members of buffers and on `shared` variables",
                        signature.row.name()
                    );
                    let place = first.map_or(name_span, |first| self.place(first));
                    self.error(Kind::LValue, place, message);
                    return None;
                }
            }
            Operation::ImageAtomic(_) | Operation::ImageLoad | Operation::ImageStore => {
                let root = first.and_then(|first| self.root(first));
                let Some(variable) = root.and_then(|root| self.variables.get(root)) else { return Some(()) };
                let (memory, format) = (variable.memory, variable.layout.format);
                let name = variable.name.clone();
                let is_parameter = matches!(variable.storage, Storage::Parameter(_));
                let writes = operation != Operation::ImageLoad;
                let reads = operation != Operation::ImageStore;
                if reads && memory.is_writeonly {
                    self.error(Kind::LValue, name_span, format!("`{name}` is `writeonly`"));
                    return None;
                }
                if writes && memory.is_readonly {
                    self.error(Kind::LValue, name_span, format!("`{name}` is `readonly`"));
                    return None;
                }
                if matches!(operation, Operation::ImageAtomic(_)) {
                    let is_float = signature.parameters.last().is_some_and(|last| last.ty == Type::FLOAT);
                    if is_float {
                        let is_exchange = operation == Operation::ImageAtomic(builtins::Atomic::Exchange);
                        let es_ok = !self.is_es() || self.at_least(0, 310);
                        if !is_exchange || !es_ok || !self.at_least(420, 310) {
                            let message = format!("`{}` of an image of floats", signature.row.name());
                            self.error(Kind::Overload, name_span, message);
                            return None;
                        }
                    }
                    if let Some(format) = format
                        && !matches!(format.name, "r32i" | "r32ui" | "r32f" | "r64i" | "r64ui")
                        && !is_parameter
                    {
                        let problem = Problem::error(
                            Kind::Layout,
                            name_span,
                            format!(
                                "`{name}` has the format `{}`, which has no atomic functions",
                                format.name
                            ),
                        );
                        self.report(problem.help("`r32i` and `r32ui` have"));
                        return None;
                    }
                }
            }
            Operation::InterpolateAtCentroid
            | Operation::InterpolateAtSample
            | Operation::InterpolateAtOffset => {
                let root = first.and_then(|first| self.root(first)).and_then(|root| self.variables.get(root));
                if !root.is_some_and(|variable| variable.storage == Storage::In) {
                    let place = first.map_or(name_span, |first| self.place(first));
                    let message = format!("`{}` takes an input", signature.row.name());
                    self.error(Kind::LValue, place, message);
                    return None;
                }
            }
            Operation::Sample(sample) => self.check_sample(sample, given, name_span)?,
            Operation::Subgroup(Subgroup::Clustered(_) | Subgroup::ClusteredRotate) => {
                let size = given.last().copied()?;
                let place = self.place(size);
                match self.value(size).and_then(|value| value.values.first().copied()) {
                    Some(crate::tree::Value::Uint(size)) if size.is_power_of_two() => {}
                    None if self.known(size) == Known::Specialized => {}
                    _ => {
                        self.error(
                            Kind::Constant,
                            place,
                            "the size of a cluster must be a constant power of 2",
                        );
                        return None;
                    }
                }
            }
            Operation::Subgroup(Subgroup::Broadcast) if signature.row.name() == "subgroupBroadcast" => {
                let lane = given.last().copied()?;
                if self.known(lane) == Known::Late && !self.language.is_vulkan() {
                    self.error(
                        Kind::Constant,
                        self.place(lane),
                        "the lane of a broadcast must be a constant",
                    );
                    return None;
                }
            }
            Operation::Barrier if self.language.stage == Stage::TessellationControl => {
                let is_main = self
                    .function
                    .and_then(|id| self.functions.get(id))
                    .is_some_and(|function| function.name == "main");
                if !is_main || self.depth_of_flow() > 0 {
                    let problem = Problem::error(
                        Kind::Flow,
                        name_span,
                        "`barrier()` under a condition or outside `main`",
                    );
                    self.report(problem.help(
                        "in tessellation control shaders it stands in `main`, in no condition or loop",
                    ));
                    return None;
                }
                if self.returns {
                    self.error(Kind::Flow, name_span, "`barrier()` behind a `return`");
                    return None;
                }
            }
            Operation::EmitStreamVertex | Operation::EndStreamPrimitive
                if first.is_some_and(|first| self.value(first).is_none()) =>
            {
                self.error(Kind::Constant, name_span, "the number of a stream must be a constant");
                return None;
            }
            _ => {}
        }
        Some(())
    }

    /// Offsets and components must be constants, in range.
    fn check_sample(
        &mut self,
        sample: builtins::Sample,
        given: &[ExpressionId],
        name_span: Span,
    ) -> Checked<()> {
        let Some(Type::Opaque(texture)) = given.first().map(|first| self.ty(*first)) else { return Some(()) };
        if texture.handle == Handle::Texture
            && sample.is_fetch
            && texture.dimension != crate::types::Dimension::Buffer
        {
            let since = crate::language::since_or(0, 0, &["GL_EXT_samplerless_texture_functions"]);
            self.need(&since, name_span, "functions of textures without samplers");
        }
        let count = given.len();
        let at = |role| sample.argument(role, texture, count).and_then(|at| given.get(at)).copied();
        if let Some(component) = at(builtins::Role::Component) {
            let place = self.place(component);
            match self.value(component).and_then(|value| value.values.first().copied()) {
                Some(crate::tree::Value::Int(0..=3)) => {}
                Some(_) => {
                    self.error(Kind::Constant, place, "the component must be from 0 to 3");
                    return None;
                }
                None => {
                    self.error(Kind::Constant, place, "the component must be a constant");
                    return None;
                }
            }
        }
        if let Some(offset) = at(builtins::Role::Offset) {
            let place = self.place(offset);
            let late_is_there = sample.is_gather
                && sample.offsets == builtins::Offsets::One
                && self.language.has(&crate::language::since_or(
                    400,
                    320,
                    &["GL_ARB_gpu_shader5", "GL_EXT_gpu_shader5", "GL_OES_gpu_shader5"],
                ));
            match self.value(offset) {
                Some(value) => {
                    let range = if sample.is_gather { -32..=31 } else { -8..=7 };
                    let out = value.values.iter().find(|value| match value {
                        crate::tree::Value::Int(value) => !range.contains(value),
                        _ => true,
                    });
                    if let (Some(crate::tree::Value::Int(value)), false) = (out.copied(), sample.is_gather) {
                        let message = format!("an offset of {value}; it must be from -8 to 7");
                        self.error(Kind::Constant, place, message);
                        return None;
                    }
                }
                None if late_is_there || self.known(offset) != Known::Late => {}
                None => {
                    self.error(Kind::Constant, place, "the offset must be a constant");
                    return None;
                }
            }
        }
        Some(())
    }
}
