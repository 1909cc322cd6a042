//! Calls: overloads of the text and of the language.

use super::scope::Entry;
use super::{Checked, Checker, Known};
use crate::builtins::{self, Operation, Parameter, Signature, Subgroup};
use crate::errors::{Kind, Problem};
use crate::language::{Stage, since};
use crate::lex::Symbol;
use crate::parse::syntax::{ExpressionKind as Syntax, Ref};
use crate::place::Span;
use crate::tree::{Argument, Direction, ExpressionId, ExpressionKind, FunctionId, Storage};
use crate::types::{Handle, Length, Part, Precision, Scalar, Type};

/// A function that may be meant.
enum Candidate {
    Own(FunctionId),
    Built(&'static Signature),
}

/// How an argument becomes a parameter; less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Exact,
    /// Of the same kind and wider: `float` to `double`, `int` to `uint`.
    Promotion,
    Conversion,
    /// To a `double`, which is worse than to a `float`.
    ToDouble,
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

    fn parameters(&self, id: FunctionId) -> Vec<(Type, Direction)> {
        let Some(function) = self.functions.get(id) else { return Vec::new() };
        let direction = |storage| match storage {
            Storage::Parameter(direction) => direction,
            _ => Direction::In,
        };
        let variables = function.parameters.iter().filter_map(|id| self.variables.get(*id));
        variables.map(|variable| (variable.ty, direction(variable.storage))).collect()
    }

    fn is_exact(&self, id: FunctionId, types: &[Type]) -> bool {
        let Some(function) = self.functions.get(id) else { return false };
        let same = |(id, ty): (&crate::tree::VariableId, &Type)| {
            self.variables.get(*id).is_some_and(|variable| self.types.same(variable.ty, *ty))
        };
        function.parameters.len() == types.len() && function.parameters.iter().zip(types).all(same)
    }

    fn is_exact_built(&self, signature: &Signature, types: &[Type]) -> bool {
        signature.parameters.len() == types.len()
            && signature.parameters.iter().zip(types).all(|(parameter, ty)| self.is_parameter(parameter, *ty))
    }

    fn is_parameter(&self, parameter: &Parameter, ty: Type) -> bool {
        match (parameter.array, ty) {
            (0, _) => parameter.ty == ty,
            (count, Type::Array(id)) => {
                let array = self.types.get_array(id);
                array.element == parameter.ty && array.length == Length::Known(count)
            }
            _ => false,
        }
    }

    /// How a type becomes another, if it does by itself.
    fn way(&self, from: Type, to: Type) -> Option<Way> {
        if self.types.same(from, to) {
            return Some(Way::Exact);
        }
        if !self.type_converts(from, to) {
            return None;
        }
        Some(match (from.scalar()?, to.scalar()?) {
            (Scalar::Float, Scalar::Double) => Way::Promotion,
            (from, to) if from.is_integer() && to.is_integer() => Way::Promotion,
            (from, to) if from.is_float() && to.is_float() => Way::Promotion,
            (_, Scalar::Double) => Way::ToDouble,
            _ => Way::Conversion,
        })
    }

    fn ways(&self, parameters: &[(Type, Direction)], types: &[Type]) -> Option<Vec<Way>> {
        if parameters.len() != types.len() {
            return None;
        }
        parameters
            .iter()
            .zip(types)
            .map(|((parameter, direction), ty)| match direction {
                Direction::In => self.way(*ty, *parameter),
                Direction::Out => self.way(*parameter, *ty),
                Direction::InOut => self.way(*ty, *parameter).filter(|way| *way == Way::Exact),
            })
            .collect()
    }

    /// The best of several functions: the number of it. An error where two are equally good.
    fn best(&mut self, all: &[Vec<Way>], name_span: Span, text: &str) -> Checked<Option<usize>> {
        let better = |one: &[Way], other: &[Way]| {
            one.iter().zip(other).all(|(a, b)| a <= b) && one.iter().zip(other).any(|(a, b)| a < b)
        };
        let Some(first) = all.first() else { return Some(None) };
        let mut best = (0, first);
        for (number, ways) in all.iter().enumerate().skip(1) {
            if better(ways, best.1) {
                best = (number, ways);
            }
        }
        let is_ambiguous =
            all.iter().enumerate().any(|(number, ways)| number != best.0 && !better(best.1, ways));
        if is_ambiguous && self.at_least(400, 310) {
            let message = format!("several functions `{text}` take these arguments equally well");
            let problem = Problem::error(Kind::Overload, name_span, message);
            self.report(problem.help("convert an argument, so that one of them is meant"));
            return None;
        }
        if is_ambiguous && self.is_tied(all, best.1) {
            let message = format!("several functions `{text}` take these arguments equally well");
            let problem = Problem::error(Kind::Overload, name_span, message);
            self.report(problem.help("convert an argument, so that one of them is meant"));
            return None;
        }
        Some(Some(best.0))
    }

    /// Before 4.00 there is no order among conversions.
    fn is_tied(&self, all: &[Vec<Way>], _best: &[Way]) -> bool {
        all.len() > 1
    }

    fn best_own(
        &mut self,
        own: &[FunctionId],
        types: &[Type],
        name_span: Span,
        text: &str,
    ) -> Checked<Option<FunctionId>> {
        let mut fitting = Vec::new();
        let mut ways = Vec::new();
        for id in own {
            if let Some(found) = self.ways(&self.parameters(*id), types) {
                fitting.push(*id);
                ways.push(found);
            }
        }
        let best = self.best(&ways, name_span, text)?;
        Some(best.and_then(|number| fitting.get(number).copied()))
    }

    fn best_built(
        &mut self,
        signatures: &[&'static Signature],
        types: &[Type],
        name_span: Span,
        text: &str,
    ) -> Checked<Option<&'static Signature>> {
        let mut fitting = Vec::new();
        let mut ways = Vec::new();
        for signature in signatures {
            if signature.parameters.len() != types.len() {
                continue;
            }
            let found: Option<Vec<Way>> = signature
                .parameters
                .iter()
                .zip(types)
                .map(|(parameter, ty)| match parameter.array {
                    0 if parameter.is_in && parameter.is_out => (*ty == parameter.ty).then_some(Way::Exact),
                    0 if parameter.is_out => self.way(parameter.ty, *ty),
                    0 => self.way(*ty, parameter.ty),
                    _ => self.is_parameter(parameter, *ty).then_some(Way::Exact),
                })
                .collect();
            if let Some(found) = found {
                fitting.push(*signature);
                ways.push(found);
            }
        }
        if ways.len() > 1 && !self.at_least(400, 310) {
            // Before 4.00 the only conversions are to floats: the first one that fits is the one that is meant.
            return Some(fitting.first().copied());
        }
        let best = self.best(&ways, name_span, text)?;
        Some(best.and_then(|number| fitting.get(number).copied()))
    }

    /// No function of the name takes these arguments, or there is none of the name.
    fn no_function(
        &mut self,
        symbol: Symbol,
        own: &[FunctionId],
        signatures: &[&'static Signature],
        types: &[Type],
        span: Span,
    ) {
        if own.is_empty() && self.unread.contains(&symbol) && self.problems.has_errors() {
            return;
        }
        let text = self.names.text(symbol);
        let given: Vec<String> = types.iter().map(|ty| self.types.name(*ty)).collect();
        let given = given.join(", ");
        if own.is_empty() && signatures.is_empty() {
            if let Some(function) = builtins::function(text) {
                let row = function.rows.iter().find(|row| row.stages.contains(&self.language.stage));
                if let Some(row) = row.or(function.rows.first()) {
                    let why = row.why_not(&self.language);
                    let message = format!("the function `{text}` is not there: {why}");
                    let problem = Problem::error(Kind::Version, span, message);
                    let problem = match self.newer_name(text) {
                        Some(newer) => problem.help(format!("`{newer}(...)` says the same here")),
                        None => problem,
                    };
                    self.report(problem);
                }
                return;
            }
            let problem = Problem::error(Kind::UnknownName, span, format!("there is no function `{text}`"));
            if let Some(since) = crate::language::word::would_need(text) {
                let needs = self.language.needs(&since);
                self.report(problem.help(needs));
                return;
            }
            let mut names: Vec<&str> = self.overloads.keys().map(|symbol| self.names.text(*symbol)).collect();
            names.extend(self.types.structures().map(|(_, structure)| structure.name.as_str()));
            for name in builtins::function_names() {
                names.push(name);
            }
            names.sort_unstable();
            let problem = problem.near(text, names);
            self.report(problem);
            return;
        }
        let message = format!("no function `{text}` takes ({given})");
        let mut problem = Problem::error(Kind::Overload, span, message);
        let mut shown: Vec<String> = Vec::new();
        for id in own.iter().take(6) {
            let parameters: Vec<String> =
                self.parameters(*id).iter().map(|(ty, _)| self.types.name(*ty)).collect();
            shown.push(format!("{text}({})", parameters.join(", ")));
        }
        let same = |signature: &&&'static Signature| signature.parameters.len() == types.len();
        let mut some: Vec<&&'static Signature> = signatures.iter().filter(same).collect();
        if some.is_empty() {
            some = signatures.iter().collect();
        }
        // Those that have the most parameters in common come first.
        some.sort_by_key(|signature| {
            let pairs = signature.parameters.iter().zip(types);
            std::cmp::Reverse(pairs.filter(|(parameter, ty)| self.is_parameter(parameter, **ty)).count())
        });
        for signature in some.into_iter().take(6) {
            let parameters: Vec<String> = signature
                .parameters
                .iter()
                .map(|parameter| match parameter.array {
                    0 => self.types.name(parameter.ty),
                    count => format!("{}[{count}]", self.types.name(parameter.ty)),
                })
                .collect();
            shown.push(format!("{text}({})", parameters.join(", ")));
        }
        if !shown.is_empty() {
            problem = problem.note(None, format!("there is {}", shown.join(", ")));
        }
        let close = |have: &Type, want: &Type| {
            have.scalar() == Some(Scalar::Int)
                && want.scalar() == Some(Scalar::Float)
                && have.components() == want.components()
        };
        let needs_point = signatures.iter().any(|signature| {
            signature.parameters.len() == types.len()
                && signature
                    .parameters
                    .iter()
                    .zip(types)
                    .all(|(parameter, ty)| parameter.ty == *ty || close(ty, &parameter.ty))
        });
        if needs_point {
            problem =
                problem.help("write whole numbers with a point, as in `1.0`, or convert with `float(...)`");
        }
        self.report(problem);
    }

    /// What a function of an old version is called in a new one.
    fn newer_name(&self, text: &str) -> Option<&'static str> {
        let rest = ["texture1D", "texture2D", "texture3D", "textureCube", "shadow1D", "shadow2D"]
            .into_iter()
            .find_map(|old| text.strip_prefix(old))?;
        match rest.trim_end_matches("EXT").trim_end_matches("ARB") {
            "" => Some("texture"),
            "Lod" => Some("textureLod"),
            "Proj" => Some("textureProj"),
            "ProjLod" => Some("textureProjLod"),
            "Grad" => Some("textureGrad"),
            "ProjGrad" => Some("textureProjGrad"),
            _ => None,
        }
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
        let _ = (since(0, 0), Part::Bool);
        Some(())
    }
}
