//! Names: identifiers, never two alike, taken from what things are or become.
//!
//! docs/naming.md has the rules. `locals` names local variables, `globals` inputs, outputs and uniforms that the
//! file gives no name; `words` says what an expression is called. All of it goes through the tree in order and asks
//! nothing else, so that the same program always gets the same names.

mod globals;
mod locals;
mod varyings;
mod words;

use super::interface::Interface;
use crate::{Global, Module, Space};
pub(super) use globals::name_globals;
pub(super) use locals::name_locals;
use std::collections::BTreeSet;
pub use varyings::{VaryingWord, rename, varying_words};

/// Names that are in use in the whole program.
pub(super) struct Taken {
    names: BTreeSet<String>,
    functions: BTreeSet<String>,
}

impl Taken {
    pub fn new(module: &Module, interface: &Interface) -> Self {
        let mut names: BTreeSet<String> = ["main".to_owned()].into();
        let globals =
            interface.globals().iter().filter(|global| !is_built_in(global)).map(|global| &global.name);
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

/// Whether every language has a name of its own for an output.
fn is_built_in(global: &Global) -> bool {
    global.space == Space::Output
        && global.vertices == 0
        && matches!(global.semantic.as_deref(), Some("position" | "point-size"))
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
    // `color0` is numbered already.
    let joint = if name.ends_with(|last: char| last.is_ascii_digit()) { "_" } else { "" };
    (2u32..).map(|n| format!("{name}{joint}{n}")).find(|name| !taken(name)).unwrap_or_default()
}
