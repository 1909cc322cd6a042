//! Words for what goes from one stage to the next.
//!
//! A stage alone numbers its varyings; where all stages of a program are there, each side says what it thinks of one,
//! and whoever has them all gives both sides the same name.

use super::super::super::walk::bodies;
use super::super::super::{Place, Program, Stmt};
use super::globals::{Uses, place};
use super::words::Words;
use crate::Space;
use std::collections::BTreeMap;

/// What a stage says of an input or an output without a name of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VaryingWord {
    /// Index in [`Program::globals`].
    pub global: usize,
    /// The word, if the stage has one: `normal`.
    pub word: Option<String>,
}

/// The varyings of a program that the file does not name, with the words for them.
pub fn varying_words(program: &Program) -> Vec<VaryingWord> {
    let mut list = Vec::new();
    let mut stored: BTreeMap<u32, String> = BTreeMap::new();
    let words = Words { globals: &program.globals, memories: &program.memories, locals: BTreeMap::new() };
    for function in &program.functions {
        let mut words = Words { locals: BTreeMap::new(), ..words };
        for (at, local) in function.locals.iter().enumerate() {
            // Without its number and components.
            let word = local.name.trim_end_matches(|c: char| c.is_ascii_digit());
            let word = word.trim_end_matches(['X', 'Y', 'Z', 'W']);
            words.locals.insert(super::super::super::LocalRef(at as u32), word.to_owned());
        }
        outputs(&function.body, &words, &mut stored);
    }
    let mut uses = Uses::new(program);
    for function in &program.functions {
        uses.function(function);
    }
    for (index, variable) in program.globals.iter().enumerate() {
        let global = &variable.global;
        let open = ["varying", "param"].iter().any(|stem| place(&global.name, stem).is_some());
        if global.named || global.semantic.is_some() || !open {
            continue;
        }
        let word = match global.space {
            Space::Output => stored.get(&(index as u32)).filter(|word| LASTING.contains(&&word[..])).cloned(),
            Space::Input => uses.word(index as u32).map(str::to_owned),
            _ => continue,
        };
        list.push(VaryingWord { global: index, word });
    }
    list
}

/// Words that say what something is; others say how it was computed.
const LASTING: [&str; 12] = [
    "color",
    "normal",
    "tangent",
    "position",
    "texCoord",
    "worldPosition",
    "viewPosition",
    "clipPosition",
    "direction",
    "depth",
    "intensity",
    "reflected",
];

/// Gives globals other names; a name that something else has is left.
pub fn rename(program: &mut Program, names: &BTreeMap<usize, String>) {
    for (index, name) in names {
        let is_taken = program.globals.iter().any(|other| other.global.name == *name);
        if let Some(variable) = program.globals.get_mut(*index).filter(|_| !is_taken) {
            variable.global.name.clone_from(name);
        }
    }
}

fn outputs(body: &[Stmt], words: &Words<'_>, found: &mut BTreeMap<u32, String>) {
    for stmt in body {
        if let Stmt::Assign(Place::Global(to, ..), value) = stmt
            && let Some(word) = words.of(value)
        {
            found.entry(to.0).or_insert(word);
        }
        for inner in bodies(stmt) {
            outputs(inner, words, found);
        }
    }
}
