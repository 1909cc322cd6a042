//! Functions: first lines, definitions.

use super::qualifier::Word;
use super::scope::Entry;
use super::{Checked, Checker};
use crate::builtins;
use crate::errors::{Kind, Problem};
use crate::parse::syntax::{Name, Parameter, Prototype, Statement};
use crate::place::Span;
use crate::tree::{Body, Direction, Function, FunctionId, Storage, Variable, VariableId};
use crate::types::{Part, Precision, Type};

impl Checker<'_> {
    /// A function's first line. Gives the function, and its parameters as they are named here.
    pub(super) fn prototype(
        &mut self,
        prototype: &Prototype,
        is_definition: bool,
    ) -> Checked<(FunctionId, Vec<Variable>)> {
        let name = prototype.name;
        let text = self.text(name.symbol).to_owned();
        let qualifiers = self.qualifiers(&prototype.qualifiers);
        if let Some((word, span)) = qualifiers.word {
            self.error(Kind::Qualifier, span, format!("a function is not `{}`", word.text()));
        }
        if qualifiers.is_const.is_some() || qualifiers.interpolation_span.is_some() || qualifiers.is_invariant
        {
            self.error(Kind::Qualifier, qualifiers.span, "a function has no such qualifier");
        }
        self.no_layout(&qualifiers, "functions");
        let result = self.full_type(&prototype.result, &[]);
        let mut parameters = Vec::new();
        let mut is_right = true;
        for parameter in &prototype.parameters {
            match self.parameter(parameter) {
                Some(variable) => parameters.push(variable),
                None => is_right = false,
            }
        }
        let (Some(result), true) = (result, is_right) else {
            self.wrong(name);
            return None;
        };
        if self.types.has(result, Part::Opaque) || self.types.has(result, Part::AtomicCounter) {
            self.error(
                Kind::Type,
                prototype.result.span,
                format!("a function cannot give {}", self.shown(result)),
            );
            return None;
        }
        if self.types.has(result, Part::Unsized) {
            self.error(Kind::Type, prototype.result.span, "an array that a function gives needs a size");
            return None;
        }
        if matches!(result, Type::Array(_)) {
            self.arrays_are_values(prototype.result.span);
        }
        let precision = match result {
            Type::Void => Precision::Unspecified,
            _ => self.precision_of(result, qualifiers.precision, prototype.result.span),
        };
        if text == "main" {
            if result != Type::Void {
                let problem = Problem::error(Kind::Type, prototype.result.span, "`main` gives nothing");
                self.report(problem.help("`void main()`"));
            }
            if !parameters.is_empty() {
                self.error(Kind::Type, prototype.span, "`main` takes nothing");
            }
        } else {
            self.check_name(name);
        }
        self.check_built_name(name, &text, &parameters)?;
        match self.scopes.here(name.symbol) {
            None | Some((Entry::Function(_) | Entry::Wrong, _)) => {}
            Some(_) if self.has_two_spaces() => {}
            Some((_, first)) if self.scopes.is_global() => {
                let message = format!("`{text}` is declared already, and is no function");
                let problem = Problem::error(Kind::Redeclared, name.span, message);
                self.report(problem.note(Some(first), "it is declared here"));
                return None;
            }
            Some(_) => {}
        }
        let types: Vec<Type> = parameters.iter().map(|parameter| parameter.ty).collect();
        let count = self.overloads.get(&name.symbol).map_or(0, Vec::len);
        if !self.charge(count, name.span) {
            return None;
        }
        let known = self.overloads.get(&name.symbol).into_iter().flatten().copied().find(|id| {
            let function = self.functions.get(*id);
            function.is_some_and(|function| {
                function.parameters.len() == types.len()
                    && function.parameters.iter().zip(&types).all(|(id, ty)| {
                        self.variables.get(*id).is_some_and(|variable| self.types.same(variable.ty, *ty))
                    })
            })
        });
        if let Some(id) = known {
            return self.same_function(id, prototype, result, parameters, is_definition);
        }
        let ids: Vec<VariableId> =
            parameters.iter().map(|parameter| self.variables.push(parameter.clone())).collect();
        let id = self.functions.push(Function {
            name: text,
            parameters: ids,
            result,
            precision,
            is_precise: qualifiers.is_precise,
            body: None,
            span: name.span,
            extent: prototype.span,
            calls: Vec::new(),
        });
        self.overloads.entry(name.symbol).or_default().push(id);
        if self.scopes.is_global() && !self.has_two_spaces() {
            self.scopes.declare(name.symbol, Entry::Function(id), name.span);
        }
        Some((id, parameters))
    }

    /// A function that was declared before.
    fn same_function(
        &mut self,
        id: FunctionId,
        prototype: &Prototype,
        result: Type,
        parameters: Vec<Variable>,
        is_definition: bool,
    ) -> Checked<(FunctionId, Vec<Variable>)> {
        let function = self.functions.get(id)?;
        let (text, first) = (function.name.clone(), function.span);
        let span = prototype.name.span;
        if !self.types.same(function.result, result) {
            let message = format!(
                "`{text}` gives {}, and gave {} before",
                self.shown(result),
                self.shown(function.result)
            );
            let problem = Problem::error(Kind::Redeclared, prototype.result.span, message);
            self.report(problem.note(Some(first), "it is declared here"));
            return None;
        }
        let storages =
            function.parameters.iter().filter_map(|id| self.variables.get(*id)).map(|one| one.storage);
        let same = storages.zip(&parameters).all(|(storage, parameter)| storage == parameter.storage);
        if !same {
            let message = format!("`{text}` has other qualifiers of its parameters than before");
            let problem = Problem::error(Kind::Redeclared, span, message);
            self.report(problem.note(Some(first), "it is declared here"));
            return None;
        }
        if is_definition && function.body.is_some() {
            let problem = Problem::error(Kind::Redeclared, span, format!("`{text}` is defined twice"));
            self.report(problem.note(Some(first), "the first one is here"));
            return None;
        }
        Some((id, parameters))
    }

    /// Functions of the language that a text declares again.
    fn check_built_name(&mut self, name: Name, text: &str, parameters: &[Variable]) -> Checked<()> {
        let Some(function) = builtins::function(text) else { return Some(()) };
        if !self.is_es() {
            return Some(());
        }
        let here: Vec<_> = function.signatures().iter().filter(|one| one.is_in(&self.language)).collect();
        if here.is_empty() {
            return Some(());
        }
        let same = here.iter().any(|signature| {
            signature.parameters.len() == parameters.len()
                && signature.parameters.iter().zip(parameters).all(|(one, other)| one.ty == other.ty)
        });
        if self.language.version.number >= 300 || same {
            let message =
                format!("`{text}` is a function of the language, and cannot be declared in GLSL ES");
            self.error(Kind::Redeclared, name.span, message);
            return None;
        }
        Some(())
    }

    fn parameter(&mut self, parameter: &Parameter) -> Checked<Variable> {
        let qualifiers = self.qualifiers(&parameter.qualifiers);
        let direction = match qualifiers.word {
            None | Some((Word::In, _)) => Direction::In,
            Some((Word::Out, _)) => Direction::Out,
            Some((Word::InOut, _)) => Direction::InOut,
            Some((word, span)) => {
                self.error(Kind::Qualifier, span, format!("a parameter is not `{}`", word.text()));
                return None;
            }
        };
        if let Some(span) = qualifiers.interpolation_span {
            self.error(Kind::Qualifier, span, "parameters are not interpolated");
        }
        if qualifiers.is_invariant {
            self.error(Kind::Qualifier, qualifiers.span, "parameters are not `invariant`");
        }
        if let Some(span) = qualifiers.is_const
            && direction != Direction::In
        {
            self.error(Kind::Qualifier, span, "`const` beside `out`");
        }
        self.no_layout(&qualifiers, "parameters");
        let ty = self.full_type(&parameter.ty, &parameter.arrays)?;
        let span = parameter.name.map_or(parameter.span, |name| name.span);
        if ty == Type::Void {
            self.error(Kind::Type, parameter.span, "a parameter of type `void`");
            return None;
        }
        if self.types.has(ty, Part::Unsized) {
            self.error(Kind::Type, span, "an array that is a parameter needs a size");
            return None;
        }
        let is_opaque = self.types.has(ty, Part::Opaque) || self.types.has(ty, Part::AtomicCounter);
        if is_opaque && direction != Direction::In {
            self.error(Kind::Qualifier, span, format!("{} cannot be `out`", self.shown(ty)));
            return None;
        }
        let text = parameter.name.map_or(String::new(), |name| self.text(name.symbol).to_owned());
        if let Some(name) = parameter.name {
            self.check_name(name);
        }
        let mut variable = Self::plain_variable(text, ty, Storage::Parameter(direction), span);
        variable.is_constant = qualifiers.is_const.is_some();
        variable.precision = self.precision_of(ty, qualifiers.precision, span);
        variable.is_precise = qualifiers.is_precise;
        variable.memory = qualifiers.memory;
        Some(variable)
    }

    /// A function with its body.
    pub(super) fn definition(&mut self, prototype: &Prototype, body: &[Statement], end: Span) {
        let declared = self.prototype(prototype, true);
        self.scopes.push();
        self.precisions.push(Vec::new());
        let mut id = None;
        if let Some((function, parameters)) = declared {
            id = Some(function);
            // The names are those of the definition.
            let ids: Vec<VariableId> =
                self.functions.get(function).map_or(Vec::new(), |function| function.parameters.clone());
            for (variable, new) in ids.iter().zip(parameters) {
                if self.variables.get(*variable).is_some() {
                    self.variables[*variable] = new;
                }
            }
            for (parameter, variable) in prototype.parameters.iter().zip(ids) {
                if let Some(name) = parameter.name
                    && self.may_declare(name)
                {
                    self.scopes.declare(name.symbol, Entry::Variable(variable), name.span);
                }
            }
        } else {
            for name in prototype.parameters.iter().filter_map(|parameter| parameter.name) {
                self.scopes.declare(name.symbol, Entry::Wrong, name.span);
            }
        }
        let outer = std::mem::replace(&mut self.function, id);
        self.returns = false;
        // A body has the scope of the parameters, but for GLSL ES 1.00, where it has one inside it.
        let is_nested = self.is_es() && self.language.version.number < 300;
        if is_nested {
            self.scopes.push();
        }
        let statements = self.statements(body);
        if is_nested {
            self.scopes.pop();
        }
        if let Some(id) = id
            && let Some(function) = self.functions.get(id)
        {
            let (result, text) = (function.result, function.name.clone());
            // A `return` that could not be read was reported.
            let extent = prototype.span.to(end);
            if result != Type::Void && !self.returns && !self.problems.has_errors_in(extent) {
                let message = format!("`{text}` gives {}, and nothing in it returns one", self.shown(result));
                let problem = Problem::error(Kind::Flow, end, message);
                self.report(problem.note(Some(prototype.result.span), "because of this type"));
            }
            let function = &mut self.functions[id];
            function.body = Some(Body { statements });
            function.span = prototype.name.span;
            function.extent = prototype.span.to(end);
        }
        self.function = outer;
        self.precisions.pop();
        self.scopes.pop();
    }
}
