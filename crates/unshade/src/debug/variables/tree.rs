//! The source side: which statements assign what, and what they assign in a run.

use super::{VARIABLES, Variable};
use crate::debug::lines::first_word;
use crate::decompile::{DecompileOptions, lower, prepare};
use crate::links::{index_of, listed, unit};
use crate::verify::Inputs;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use unshade_emit::glsl;
use unshade_ir::ast::exec::{Watch, run_watched};
use unshade_ir::ast::{self, Expr, ExprKind, Function, LocalRef, Scalar, Stmt, walk};
use unshade_ir::exec::{Limits, Memory, Outcome, Textured};
use unshade_ir::{Space, math};
use unshade_isa::{Machine, with_machine};
use unshade_stage::Stage;

/// Steps of a run of the tree.
const FUEL: u64 = 1 << 17;
/// Assignments of a run that are kept; a longer run says nothing.
const EVENTS: usize = 1 << 14;

/// A place of the source that assigns to a variable.
#[derive(Debug)]
pub(super) struct Site {
    pub variable: usize,
    /// The components that it assigns.
    pub components: Vec<u8>,
    /// Words of the instructions that it comes from, as a run names them.
    pub words: BTreeSet<u32>,
    /// Constants that it assigns, by component of the variable.
    pub constants: [Option<u32>; 4],
    /// It stands in the entry, outside of everything.
    pub at_the_top: bool,
}

/// Words behind the last of a site's own that may still complete its value.
const BEHIND: u32 = 24;

impl Site {
    /// The words from its first instruction to a little behind its last.
    pub fn around(&self) -> Option<RangeInclusive<u32>> {
        Some(*self.words.first()?..=self.words.last()?.saturating_add(BEHIND))
    }
}

/// What a run assigned: the site, and the variable's value then.
pub(super) type Assigned = (usize, [u32; 4]);

/// A program as source, with its variables and what assigns to them.
pub(super) struct Source {
    program: ast::Program,
    pub variables: Vec<Variable>,
    pub sites: Vec<Site>,
    /// By the address of the statement, whether it is a loop's counting, and the local.
    by_statement: BTreeMap<(usize, bool, u32), usize>,
}

impl Source {
    pub fn of(stage: &Stage<'_>) -> Option<Self> {
        let how = DecompileOptions::default();
        let prepared = prepare(stage, &how, lower(stage, &how).ok()?).ok()?;
        let program = prepared.tree?;
        let printed = glsl::print(&program, &prepared.options).ok()?;
        let mut source =
            Self { program, variables: Vec::new(), sites: Vec::new(), by_statement: BTreeMap::new() };
        source.find(stage, &printed.locals);
        Some(source)
    }

    fn find(&mut self, stage: &Stage<'_>, names: &[(String, Vec<String>)]) {
        let (_, instructions) = listed(stage);
        let unit = unit(stage);
        let step = |place: u32| {
            let at = index_of(&instructions, place.saturating_mul(unit))?;
            let found = instructions.get(at)?;
            Some(first_word(stage.isa, &(found.word..found.word.saturating_add(found.words))))
        };
        let last = self.program.functions.len().saturating_sub(1);
        for (number, (function, (called, locals))) in self.program.functions.iter().zip(names).enumerate() {
            let first = self.variables.len();
            if first.saturating_add(function.locals.len()) > VARIABLES {
                break;
            }
            let variables = function.locals.iter().zip(locals).map(|(local, name)| Variable {
                name: name.clone(),
                function: (number != last).then(|| called.clone()),
                scalar: local.ty.scalar,
                components: local.ty.components.clamp(1, 4),
                found: 0,
            });
            self.variables.extend(variables);
            // What a parameter gets comes from the callers.
            let known = |local: LocalRef| {
                let variable = first.saturating_add(local.0 as usize);
                (!function.params.contains(&local) && variable < self.variables.len()).then_some(variable)
            };
            let top: BTreeSet<usize> = function.body.iter().map(address).collect();
            walk::for_each_stmt(&function.body, &mut |stmt| {
                for (local, components) in walk::written(stmt) {
                    let Some(variable) = known(local) else { continue };
                    let all = function.locals.get(local.0 as usize).map_or(0, |local| local.ty.components);
                    let components: Vec<u8> =
                        if components.is_empty() { (0..all.min(4)).collect() } else { components.to_vec() };
                    for part in parts(stmt) {
                        let links = part.exprs.iter().flat_map(|expr| words(function, expr));
                        let call = part.call.iter().flat_map(|link| function.links.of(*link)).copied();
                        let at_the_top = number == last && top.contains(&address(stmt));
                        // What a predicate may leave out is passed all the same: only at the top every pass assigns.
                        let counts = |word: &u32| at_the_top || !has_predicate(stage, *word);
                        let site = Site {
                            variable,
                            components: components.clone(),
                            words: links.chain(call).filter_map(step).filter(counts).collect(),
                            constants: part.constants(&components),
                            at_the_top,
                        };
                        let key = (address(stmt), part.after, local.0);
                        self.by_statement.insert(key, self.sites.len());
                        self.sites.push(site);
                    }
                }
            });
        }
    }

    /// What a run with these inputs assigns, in order; nothing where it does not end in time.
    pub fn run(&self, inputs: &Inputs, outputs: &[(u32, usize)]) -> Option<Vec<Assigned>> {
        let mut memory = Memory::default();
        for registers in inputs {
            memory.set(registers.space, registers.binding, registers.words.clone());
        }
        for (binding, words) in outputs {
            memory.set(Space::Output, *binding, vec![0; *words]);
        }
        // Without steps, so that a coordinate that is rounded otherwise shows as little.
        let mut memory = Textured { memory, answer: math::smooth_texture };
        let mut seen = Seen { source: self, events: Vec::new() };
        let run = run_watched(&self.program, &mut memory, Limits::fuel(FUEL), Some(&mut seen));
        let ended = matches!(run.outcome, Outcome::Ended | Outcome::Discarded);
        (ended && seen.events.len() < EVENTS).then_some(seen.events)
    }

    /// Whether a component of a variable can be found at all: words of the machine hold it.
    pub fn fits(&self, variable: usize) -> bool {
        self.variables.get(variable).is_some_and(|variable| variable.scalar != Scalar::Double)
    }
}

/// A statement's assignment to one local.
struct Part<'t> {
    exprs: Vec<&'t Expr>,
    call: Option<ast::Link>,
    after: bool,
}

impl Part<'_> {
    /// The constants that it assigns to these components of a variable, by component.
    fn constants(&self, components: &[u8]) -> [Option<u32>; 4] {
        let mut constants = [None; 4];
        if let ([expr], None) = (&self.exprs[..], self.call) {
            for (at, component) in components.iter().enumerate() {
                if let Some(constant) = constants.get_mut(usize::from(*component)) {
                    *constant = constant_of(expr, at);
                }
            }
        }
        constants
    }
}

/// The assignments of a statement: one, but for loops that count.
fn parts(stmt: &Stmt) -> Vec<Part<'_>> {
    let part = |exprs, after| Part { exprs, call: None, after };
    match stmt {
        Stmt::Declare(_, value) => vec![part(value.iter().collect(), false)],
        Stmt::Assign(_, value) => vec![part(vec![value], false)],
        Stmt::For { start, condition, step, .. } => {
            vec![part(vec![start], false), part(vec![condition, step], true)]
        }
        Stmt::Call { link, .. } => vec![Part { call: Some(*link), ..part(Vec::new(), false) }],
        Stmt::Act(act) => vec![Part { call: Some(act.link), ..part(Vec::new(), false) }],
        _ => Vec::new(),
    }
}

/// Whether a predicate leaves a part of what is done at once out, which [`Machine::at_work`] does not say.
///
/// [`Machine::at_work`]: crate::debug::machine::Machine::at_work
fn has_predicate(stage: &Stage<'_>, word: u32) -> bool {
    with_machine!(stage.isa, M => M::has_predicate(&stage.code, word), _ => false)
}

/// Instructions that an expression and all in it come from.
fn words<'t>(function: &'t Function, expr: &'t Expr) -> Vec<u32> {
    let mut words = Vec::new();
    walk::for_each_expr(expr, &mut |expr| words.extend_from_slice(function.links.of(expr.link)));
    words
}

/// The constant that a component of an expression is.
fn constant_of(expr: &Expr, component: usize) -> Option<u32> {
    match &expr.kind {
        ExprKind::Literal(bits) => Some(*bits.get(component)? as u32),
        ExprKind::Construct(parts) => {
            if let [one] = &parts[..]
                && one.ty.components == 1
            {
                return constant_of(one, 0);
            }
            let mut before = 0_usize;
            for part in parts {
                let behind = before.saturating_add(part.ty.components.into());
                if component < behind {
                    return constant_of(part, component.saturating_sub(before));
                }
                before = behind;
            }
            None
        }
        _ => None,
    }
}

/// What tells a statement of a tree that stays where it is from all others.
fn address(stmt: &Stmt) -> usize {
    std::ptr::from_ref(stmt).addr()
}

/// Writes down what a run assigns.
struct Seen<'s> {
    source: &'s Source,
    events: Vec<Assigned>,
}

impl Watch for Seen<'_> {
    fn assigned(&mut self, by: &Stmt, after: bool, local: LocalRef, value: [u64; 4]) {
        let site = self.source.by_statement.get(&(address(by), after, local.0));
        if let Some(site) = site
            && self.events.len() < EVENTS
        {
            self.events.push((*site, value.map(|bits| bits as u32)));
        }
    }
}
