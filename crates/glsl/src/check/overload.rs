//! Overloads: which function takes arguments, and what is said where none does.

use super::{Checked, Checker};
use crate::builtins::{self, Parameter, Signature};
use crate::errors::{Kind, Problem};
use crate::lex::Symbol;
use crate::place::Span;
use crate::tree::{Direction, FunctionId, Storage};
use crate::types::{Length, Scalar, Type};

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
    pub(super) fn parameters(&self, id: FunctionId) -> Vec<(Type, Direction)> {
        let Some(function) = self.functions.get(id) else { return Vec::new() };
        let direction = |storage| match storage {
            Storage::Parameter(direction) => direction,
            _ => Direction::In,
        };
        let variables = function.parameters.iter().filter_map(|id| self.variables.get(*id));
        variables.map(|variable| (variable.ty, direction(variable.storage))).collect()
    }

    pub(super) fn is_exact(&self, id: FunctionId, types: &[Type]) -> bool {
        let Some(function) = self.functions.get(id) else { return false };
        let same = |(id, ty): (&crate::tree::VariableId, &Type)| {
            self.variables.get(*id).is_some_and(|variable| self.types.same(variable.ty, *ty))
        };
        function.parameters.len() == types.len() && function.parameters.iter().zip(types).all(same)
    }

    pub(super) fn is_exact_built(&self, signature: &Signature, types: &[Type]) -> bool {
        signature.parameters.len() == types.len()
            && signature.parameters.iter().zip(types).all(|(parameter, ty)| self.is_parameter(parameter, *ty))
    }

    pub(super) fn is_parameter(&self, parameter: &Parameter, ty: Type) -> bool {
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
        let is_better = |(number, ways): (usize, &Vec<Way>)| number == best.0 || better(best.1, ways);
        if !all.iter().enumerate().all(is_better) {
            let message = format!("several functions `{text}` take these arguments equally well");
            let problem = Problem::error(Kind::Overload, name_span, message);
            self.report(problem.help("convert an argument, so that one of them is meant"));
            return None;
        }
        Some(Some(best.0))
    }

    pub(super) fn best_own(
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

    pub(super) fn best_built(
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
    pub(super) fn no_function(
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
}
