//! From the syntax tree to the typed tree: names, types, overloads, conversions, constants, qualifiers, layouts.
//!
//! A part that is wrong is reported where it is found and gives nothing; what would use it then says nothing more of it.

mod block;
mod builtin;
mod call;
mod construct;
mod convert;
mod declare;
mod end;
mod expression;
mod fold;
mod fold_call;
mod function;
mod layout;
mod locations;
mod operator;
mod overload;
mod place;
mod qualifier;
mod scope;
mod stage_layout;
mod statement;
mod typename;
mod value;

use crate::errors::{Kind, Problem, Problems};
use crate::language::{Extension, Language};
use crate::lex::{Names, Quick, Symbol};
use crate::limits::Limits;
use crate::parse::syntax::{Item, ItemKind, Ref, Syntax};
use crate::place::Span;
use crate::tree::{
    Arena, Block, Constant, ConstantId, Expression, ExpressionId, ExpressionKind, Function, FunctionId, Id,
    Shader, StageLayout, Variable, VariableId,
};
use crate::types::{ArrayId, Precision, Scalar, Type, Types};
use scope::{Entry, Scopes};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

/// A part that is right, or nothing: then it was reported.
type Checked<T = ExpressionId> = Option<T>;

/// How much is known of an expression's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    /// The machine alone knows it.
    Late,
    /// It is one when specialization constants are.
    Specialized,
    /// The language calls it a constant expression.
    Constant,
}

/// Checks a syntax tree. There is a shader if nothing is wrong.
pub fn check(
    syntax: &Syntax,
    names: &Names,
    extensions: &[(usize, Extension)],
    pragmas: Vec<String>,
    language: Language,
    limits: &Limits,
    problems: &mut Problems,
) -> Option<Shader> {
    let mut checker = Checker {
        syntax,
        names,
        limits,
        problems,
        language,
        types: Types::default(),
        variables: Arena::with_capacity(32),
        blocks: Arena::default(),
        functions: Arena::default(),
        expressions: Arena::with_capacity(syntax.expressions.len() * 3 / 2),
        known: Vec::with_capacity(syntax.expressions.len() * 3 / 2),
        constants: Arena::with_capacity(64),
        globals: Vec::new(),
        lengths: Vec::new(),
        layout: StageLayout::default(),
        scopes: Scopes::new(names.len()),
        overloads: HashMap::default(),
        precisions: vec![Vec::new()],
        built_in: HashMap::default(),
        built_in_structures: HashMap::default(),
        per_vertex: None,
        implicit: HashMap::default(),
        stage_arrays: Vec::new(),
        function: None,
        loops: 0,
        switches: 0,
        flow: 0,
        returns: false,
        counters: HashMap::default(),
        defaults: layout::Defaults::default(),
        depth: 0,
        said: HashMap::new(),
        size_used: None,
        work: 0,
        unread: syntax.wrong.iter().map(|name| name.symbol).collect(),
        extents: Default::default(),
        structure_locations: HashMap::default(),
        lines: 0,
    };
    checker.set_default_precisions();
    let mut next = 0;
    for Item { kind, token } in &syntax.items {
        while let Some((_, extension)) = extensions.get(next).filter(|(at, _)| at <= token) {
            checker.language.apply(extension);
            next += 1;
        }
        if checker.problems.is_full() {
            return None;
        }
        checker.item(kind);
    }
    for (_, extension) in extensions.get(next..).unwrap_or(&[]) {
        checker.language.apply(extension);
    }
    checker.end();
    if checker.problems.has_errors() {
        return None;
    }
    let entry = checker.main()?;
    let is_all_invariant = pragmas
        .iter()
        .any(|pragma| pragma.split_whitespace().collect::<String>().starts_with("STDGLinvariant(all)"));
    Some(Shader {
        version: checker.language.version,
        stage: checker.language.stage,
        target: checker.language.target,
        extensions: extensions.iter().map(|(_, extension)| extension.clone()).collect(),
        pragmas,
        is_all_invariant,
        types: checker.types,
        variables: checker.variables,
        blocks: checker.blocks,
        functions: checker.functions,
        expressions: checker.expressions,
        constants: checker.constants,
        globals: checker.globals,
        lengths: checker.lengths,
        layout: checker.layout,
        entry,
    })
}

type Map<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

struct Checker<'a> {
    syntax: &'a Syntax,
    names: &'a Names,
    limits: &'a Limits,
    problems: &'a mut Problems,
    language: Language,
    types: Types,
    variables: Arena<Variable>,
    blocks: Arena<Block>,
    functions: Arena<Function>,
    expressions: Arena<Expression>,
    /// Of each expression.
    known: Vec<Known>,
    constants: Arena<Constant>,
    globals: Vec<VariableId>,
    lengths: Vec<ExpressionId>,
    layout: StageLayout,
    scopes: Scopes,
    /// The functions of each name.
    overloads: Map<Symbol, Vec<FunctionId>>,
    /// Default precisions, by scope.
    precisions: Vec<Vec<(Type, Precision)>>,
    /// Built-in variables that are used.
    built_in: Map<&'static str, VariableId>,
    built_in_structures: Map<&'static str, Type>,
    /// Members that a redeclared `gl_PerVertex` leaves of the outputs.
    per_vertex: Option<Vec<String>>,
    /// The largest index of arrays without a size.
    implicit: Map<u32, u32>,
    /// Arrays of inputs and outputs that have their size from the layout of the stage; whether an output.
    stage_arrays: Vec<(ArrayId, bool)>,
    function: Option<FunctionId>,
    loops: usize,
    switches: usize,
    /// Conditions and loops around the place.
    flow: usize,
    /// Whether the function returns a value anywhere.
    returns: bool,
    /// The next offset of atomic counters of each binding.
    counters: Map<u32, u32>,
    /// What `layout(...) uniform;` and the like say.
    defaults: layout::Defaults,
    depth: usize,
    /// In which line of `layout(...) in;` and the like each layout of the stage was said.
    said: HashMap<String, usize>,
    /// Where the size of the work group was used before the layout that says it.
    size_used: Option<Span>,
    /// Steps that were charged, of the limit `work`.
    work: u64,
    /// Names whose declarations could not be read.
    unread: HashSet<Symbol>,
    /// Extents of structures that were laid out.
    extents: crate::types::layout::Extents,
    /// Locations that structures take.
    structure_locations: Map<u32, u32>,
    /// How many such lines there were.
    lines: usize,
}

impl Checker<'_> {
    fn item(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Declaration(declaration) => {
                self.declaration(declaration, true);
            }
            ItemKind::Block(block) => {
                self.block(block);
            }
            ItemKind::Function(prototype, body, end) => self.definition(prototype, body, *end),
            ItemKind::Prototype(prototype) => {
                self.prototype(prototype, false);
            }
            ItemKind::Precision(precision, ty) => self.default_precision(*precision, ty),
            ItemKind::Qualifiers(qualifiers, names, span) => self.standalone(qualifiers, names, *span),
        }
    }

    /// Charges for steps of searching or computing; false where the limit is reached, which ends the reading.
    fn charge(&mut self, steps: usize, span: Span) -> bool {
        self.work = self.work.saturating_add(steps as u64);
        if self.work <= self.limits.work {
            return true;
        }
        if !self.problems.is_full() {
            let message = format!("more than {} steps (limit `work`)", self.limits.work);
            self.error(Kind::Limit, span, message);
            self.problems.fill();
        }
        false
    }

    fn report(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    fn error(&mut self, kind: Kind, span: Span, message: impl Into<String>) {
        self.problems.push(Problem::error(kind, span, message));
    }

    fn text(&self, symbol: Symbol) -> &str {
        self.names.text(symbol)
    }

    fn span(&self, at: Ref) -> Span {
        self.syntax.get(at).span
    }

    fn ty(&self, expression: ExpressionId) -> Type {
        self.expressions.get(expression).map_or(Type::Void, |expression| expression.ty)
    }

    fn place(&self, expression: ExpressionId) -> Span {
        self.expressions.get(expression).map_or(Span::default(), |expression| expression.span)
    }

    fn precision(&self, expression: ExpressionId) -> Precision {
        self.expressions.get(expression).map_or(Precision::Unspecified, |expression| expression.precision)
    }

    fn known(&self, expression: ExpressionId) -> Known {
        self.known.get(expression.index()).copied().unwrap_or(Known::Late)
    }

    /// The type's name in a message.
    fn shown(&self, ty: Type) -> String {
        format!("`{}`", self.types.name(ty))
    }

    /// Adds an expression that only the machine knows, or as much as its parts are.
    fn add(
        &mut self,
        kind: ExpressionKind,
        ty: Type,
        precision: Precision,
        span: Span,
        known: Known,
    ) -> ExpressionId {
        let id = self.expressions.push(Expression { kind, ty, precision, span });
        self.known.push(known);
        id
    }

    fn constant(&mut self, constant: Constant, precision: Precision, span: Span) -> ExpressionId {
        let ty = constant.ty;
        // A scalar takes 16 bytes.
        self.charge(constant.values.len().saturating_mul(16), span);
        let id = self.constants.push(constant);
        self.add(ExpressionKind::Constant(id), ty, precision, span, Known::Constant)
    }

    /// The value of an expression that was folded.
    fn value(&self, expression: ExpressionId) -> Option<&Constant> {
        match self.expressions.get(expression)?.kind {
            ExpressionKind::Constant(id) => self.constants.get(id),
            _ => None,
        }
    }

    fn constant_id(&self, expression: ExpressionId) -> Option<ConstantId> {
        match self.expressions.get(expression)?.kind {
            ExpressionKind::Constant(id) => Some(id),
            _ => None,
        }
    }

    /// How much is known of a whole by its parts.
    fn known_of(&self, parts: &[ExpressionId]) -> Known {
        parts.iter().map(|part| self.known(*part)).min().unwrap_or(Known::Constant)
    }

    fn entry(&self, symbol: Symbol) -> Option<Entry> {
        self.scopes.find(symbol)
    }

    /// Goes one deeper; false where the limit is reached.
    fn enter(&mut self, span: Span) -> bool {
        // The parser bounds nesting; this is for what it cannot see.
        if self.depth > self.limits.nesting.saturating_mul(2).saturating_add(self.limits.chain) {
            self.error(
                Kind::Limit,
                span,
                format!("nested more than {} deep (limit `nesting`)", self.limits.nesting),
            );
            return false;
        }
        self.depth += 1;
        true
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn next_variable(&self) -> VariableId {
        Id::new(self.variables.len())
    }

    /// Whether floats and whole numbers of the language have precisions.
    fn is_es(&self) -> bool {
        self.language.version.is_es()
    }

    /// Whether a version is reached: of desktop, of ES; 0 is never.
    fn at_least(&self, desktop: u16, es: u16) -> bool {
        self.language.version.is_at_least(desktop, es)
    }

    /// Reports something that the language does not have, with what it needs.
    fn need(&mut self, since: &crate::language::Since, span: Span, what: &str) -> bool {
        if self.language.has(since) {
            return true;
        }
        let needs = self.language.needs(since);
        let message = format!("{} has no {what}", self.language.version);
        self.report(Problem::error(Kind::Version, span, message).help(needs));
        false
    }

    fn is_numeric(ty: Type) -> bool {
        ty.scalar().is_some_and(|scalar| scalar != Scalar::Bool)
    }
}
