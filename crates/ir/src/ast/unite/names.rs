//! Names that are free in several programs at once.

use super::super::Program;
use crate::{Global, Space};
use std::collections::BTreeSet;

/// The names around all functions of a program.
pub(super) fn of(program: &Program) -> BTreeSet<String> {
    let Program { globals, blocks, arrays, memories, functions, .. } = program;
    let declared = globals.iter().filter(|variable| !is_built_in(&variable.global));
    let mut names: BTreeSet<String> = declared.map(|variable| variable.global.name.clone()).collect();
    names.extend(blocks.iter().map(|block| block.name.clone()));
    names.extend(arrays.iter().map(|array| array.name.clone()));
    names.extend(memories.iter().map(|memory| memory.name.clone()));
    names.extend(functions.iter().map(|function| function.name.clone()));
    names
}

/// Whether every language has a name of its own for an output.
fn is_built_in(global: &Global) -> bool {
    global.space == Space::Output
        && global.vertices == 0
        && matches!(global.semantic.as_deref(), Some("position" | "point-size"))
}

/// Gives locals other names that are called like something around all functions.
pub(super) fn give_way(program: &mut Program) {
    let outside = of(program);
    for function in &mut program.functions {
        let mut own: BTreeSet<String> = function.locals.iter().map(|local| local.name.clone()).collect();
        for local in function.locals.iter_mut().filter(|local| outside.contains(&local.name)) {
            let name =
                free(&format!("{}Value", local.name), |name| outside.contains(name) || own.contains(name));
            own.insert(name.clone());
            local.name = name;
        }
    }
}

/// The wish, or the wish with the first number that makes it free.
pub(super) fn free(wish: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(wish) {
        return wish.to_owned();
    }
    // `color0` is numbered already.
    let joint = if wish.ends_with(|last: char| last.is_ascii_digit()) { "_" } else { "" };
    (2u32..).map(|number| format!("{wish}{joint}{number}")).find(|name| !taken(name)).unwrap_or_default()
}
