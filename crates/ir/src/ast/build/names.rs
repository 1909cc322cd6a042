//! Names of functions and locals: identifiers, never two alike, taken from what things become.

use super::super::walk::for_each_stmt;
use super::super::{Builtin, Expr, ExprKind, Function, LocalRef, Place, Program, Scalar, Stmt};
use super::interface::Interface;
use crate::Module;
use std::collections::{BTreeMap, BTreeSet};

/// Names that are in use in the whole program.
pub(super) struct Taken {
    names: BTreeSet<String>,
    functions: BTreeSet<String>,
}

impl Taken {
    pub fn new(module: &Module, interface: &Interface) -> Self {
        let mut names: BTreeSet<String> = ["main".to_owned()].into();
        let globals = interface.globals().iter().map(|global| &global.name);
        for name in globals.chain(module.arrays.iter().map(|array| &array.name)) {
            names.insert(identifier(name));
            names.insert(name.clone());
        }
        Self { names, functions: BTreeSet::new() }
    }

    /// A name for a function.
    pub fn function(&mut self, name: &str, is_entry: bool) -> String {
        if is_entry {
            return "main".to_owned();
        }
        let name = match identifier(name) {
            name if name == "_" => "function".to_owned(),
            name => name,
        };
        let free = number_until_free(&name, |name| self.names.contains(name));
        self.names.insert(free.clone());
        self.functions.insert(free.clone());
        free
    }
}

/// Letters, digits and single underscores, not starting with a digit; `_` for nothing.
pub(super) fn identifier(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        if c == '_' && out.ends_with('_') {
            continue;
        }
        if out.is_empty() && c.is_ascii_digit() {
            out.push('_');
        }
        out.push(c);
    }
    if out.starts_with("gl_") {
        out.insert(0, 'u');
    }
    if out.is_empty() { "_".to_owned() } else { out }
}

fn number_until_free(name: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(name) {
        return name.to_owned();
    }
    (2u32..).map(|n| format!("{name}{n}")).find(|name| !taken(name)).unwrap_or_default()
}

/// Words of the target languages that hints could turn into.
const WORDS: [&str; 12] = [
    "color", "normal", "position", "sample", "texture", "input", "output", "in", "out", "half", "filter",
    "step",
];

/// Names the locals of all functions.
pub(super) fn name_locals(program: &mut Program, taken: &mut Taken) {
    let Program { globals, functions, .. } = program;
    let global = |at: u32| globals.get(at as usize).map(|found| &found.global);
    for function in functions {
        let mut hints: BTreeMap<LocalRef, String> = BTreeMap::new();
        collect(function, &global, &mut hints);
        let mut used: BTreeSet<String> = BTreeSet::new();
        let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
        let counters = counters(&function.body);
        for index in 0..function.locals.len() {
            let local = LocalRef(index as u32);
            let ty = function.locals[index].ty;
            let is_taken = |name: &str| taken.names.contains(name) || used.contains(name);
            let name = if counters.contains(&local) {
                ["i", "j", "k", "l", "m", "n"]
                    .into_iter()
                    .find(|name| !is_taken(name))
                    .map_or_else(|| number_until_free("i", is_taken), str::to_owned)
            } else {
                let hint = if function.locals[index].name.is_empty() {
                    hints.get(&local).map(|hint| identifier(hint))
                } else {
                    Some(function.locals[index].name.clone())
                };
                match hint.filter(|hint| hint != "_" && !WORDS.contains(&&hint[..])) {
                    Some(hint) => number_until_free(&hint, is_taken),
                    None => {
                        let stem = match (ty.scalar, ty.components) {
                            (Scalar::Bool, _) => "c",
                            (Scalar::Int, _) => "n",
                            (Scalar::Uint, _) => "u",
                            (Scalar::Float, 1) => "f",
                            (Scalar::Float, _) => "v",
                            (Scalar::Double, _) => "d",
                        };
                        {
                            let next = numbers.entry(stem).or_insert(0u32);
                            loop {
                                let name = format!("{stem}{next}");
                                *next += 1;
                                if !is_taken(&name) {
                                    break name;
                                }
                            }
                        }
                    }
                }
            };
            used.insert(name.clone());
            function.locals[index].name = name;
        }
    }
}

fn counters(body: &[Stmt]) -> BTreeSet<LocalRef> {
    let mut found = BTreeSet::new();
    for_each_stmt(body, &mut |stmt| {
        if let Stmt::For { counter, .. } = stmt {
            found.insert(*counter);
        }
    });
    found
}

/// What locals become, or what makes them.
fn collect<'p>(
    function: &Function,
    global: &impl Fn(u32) -> Option<&'p crate::Global>,
    hints: &mut BTreeMap<LocalRef, String>,
) {
    let mut weak: BTreeMap<LocalRef, &str> = BTreeMap::new();
    for_each_stmt(&function.body, &mut |stmt| match stmt {
        Stmt::Assign(Place::Global(to, ..), value) => {
            if let Some(local) = whole_local(value)
                && let Some(global) = global(to.0)
            {
                let name = match &global.semantic {
                    Some(semantic) if *semantic != global.name => semantic.clone(),
                    _ => format!("{}_value", global.name),
                };
                hints.entry(local).or_insert(name);
            }
        }
        Stmt::Declare(local, Some(value)) => {
            if let Some(word) = meaning(value) {
                weak.insert(*local, word);
            }
        }
        _ => {}
    });
    for (local, word) in weak {
        hints.entry(local).or_insert_with(|| word.to_owned());
    }
}

/// The local that an expression is, all of it or some components.
fn whole_local(expr: &Expr) -> Option<LocalRef> {
    match &expr.kind {
        ExprKind::Local(local) => Some(*local),
        ExprKind::Swizzle(inner, _) => whole_local(inner),
        ExprKind::Construct(parts) => whole_local(parts.first()?),
        ExprKind::Builtin(Builtin::Clamp | Builtin::Min | Builtin::Max | Builtin::Abs, args) => {
            whole_local(args.first()?)
        }
        _ => None,
    }
}

/// A word for what an expression computes.
fn meaning(expr: &Expr) -> Option<&'static str> {
    Some(match &expr.kind {
        ExprKind::Builtin(Builtin::Dot, _) => "d",
        ExprKind::Builtin(Builtin::Normalize, _) => "direction",
        ExprKind::Builtin(Builtin::Length, _) => "distance",
        ExprKind::Builtin(Builtin::InverseSqrt, _) => "scale",
        ExprKind::MatrixVector(..) | ExprKind::Product(_) => "transformed",
        ExprKind::Texture(_) => "texel",
        ExprKind::Swizzle(inner, _) if matches!(inner.kind, ExprKind::Texture(_)) => "texel",
        ExprKind::Convert(_) if expr.ty.scalar == Scalar::Int => "index",
        _ => return None,
    })
}
