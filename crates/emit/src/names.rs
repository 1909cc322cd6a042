//! Identifiers: names of the file made fit for a language, changed as little as possible.
//!
//! The change depends on the program alone, so that the same program always gets the same names.

use std::collections::BTreeSet;
use unshade_ir::Global;
use unshade_ir::ast::Program;

/// What a language does not leave free.
pub(crate) struct Vocabulary {
    /// Keywords, words reserved for later, built-in types and functions; sorted.
    pub words: &'static [&'static str],
    /// Beginnings of names that belong to the language.
    pub prefixes: &'static [&'static str],
}

impl Vocabulary {
    fn reserves(&self, name: &str) -> bool {
        self.words.binary_search(&name).is_ok() || self.prefixes.iter().any(|prefix| name.starts_with(prefix))
    }
}

/// Names of everything in a program.
pub(crate) struct Names {
    /// As [`Program::globals`].
    pub globals: Vec<String>,
    /// As [`Program::arrays`].
    pub arrays: Vec<String>,
    /// As [`Program::memories`].
    pub memories: Vec<String>,
    /// As [`Program::functions`].
    pub functions: Vec<String>,
    /// As [`Program::blocks`].
    pub blocks: Vec<String>,
    /// Locals of each function.
    pub locals: Vec<Vec<String>>,
    taken: BTreeSet<String>,
}

impl Names {
    /// Names everything. Globals choose first, then functions (the entry is `entry`), private arrays, the
    /// locals, which are unique inside their function only, and the globals that the language has a name of its own
    /// for (`built_in`, as [`Program::globals`]). None of them takes a `reserved` name.
    pub fn new(
        program: &Program,
        vocabulary: &Vocabulary,
        entry: &str,
        built_in: &[bool],
        reserved: &[&str],
    ) -> Self {
        let mut taken: BTreeSet<String> = reserved.iter().map(|name| (*name).to_owned()).collect();
        taken.insert(entry.to_owned());
        let mut choose = |name: &str| {
            let chosen = unused(&fit(name, vocabulary), |name| taken.contains(name));
            taken.insert(chosen.clone());
            chosen
        };
        let is_built_in = |index: usize| built_in.get(index) == Some(&true);
        let mut globals = vec![String::new(); program.globals.len()];
        for (index, global) in program.globals.iter().enumerate().filter(|(index, _)| !is_built_in(*index)) {
            globals[index] = choose(wish(&global.global));
        }
        let last = program.functions.len().wrapping_sub(1);
        let functions = program
            .functions
            .iter()
            .enumerate()
            .map(|(index, function)| if index == last { entry.to_owned() } else { choose(&function.name) })
            .collect();
        let blocks = program.blocks.iter().map(|block| choose(&block.name)).collect();
        let memories = program.memories.iter().map(|memory| choose(&memory.name)).collect();
        let arrays = program.arrays.iter().map(|array| choose(&array.name)).collect();
        let mut all = taken.clone();
        let locals = program
            .functions
            .iter()
            .map(|function| {
                let mut own = BTreeSet::new();
                let mut name_local = |name: &str| {
                    let chosen =
                        unused(&fit(name, vocabulary), |name| taken.contains(name) || own.contains(name));
                    own.insert(chosen.clone());
                    chosen
                };
                let names: Vec<String> =
                    function.locals.iter().map(|local| name_local(&local.name)).collect();
                all.extend(own);
                names
            })
            .collect();
        for (index, global) in program.globals.iter().enumerate().filter(|(index, _)| is_built_in(*index)) {
            let chosen = unused(&fit(&global.global.name, vocabulary), |name| all.contains(name));
            all.insert(chosen.clone());
            globals[index] = chosen;
        }
        Self { globals, arrays, memories, functions, blocks, locals, taken: all }
    }

    /// A name for something the printer adds: the wish, or the wish with a number.
    pub fn add(&mut self, wish: &str) -> String {
        let name = unused(wish, |name| self.taken.contains(name));
        self.taken.insert(name.clone());
        name
    }
}

/// The name that a global would like: of what an old language declares itself, a new one not, a name of the
/// same sound.
fn wish(global: &Global) -> &str {
    match global.name.as_str() {
        "gl_FragColor" => "fragColor",
        "gl_mali_ViewportTransform" => "mali_ViewportTransform",
        name => name,
    }
}

/// The first of `name`, `name_2`, `name_3` and so on that is not taken.
pub(crate) fn unused(name: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(name) {
        return name.to_owned();
    }
    let joint = if name.ends_with('_') { "" } else { "_" };
    let mut number = 2u32;
    loop {
        let next = format!("{name}{joint}{number}");
        if !taken(&next) {
            return next;
        }
        number = number.wrapping_add(1);
    }
}

/// An identifier of the language that looks like `name`: ASCII letters, digits and single underscores.
pub(crate) fn fit(name: &str, vocabulary: &Vocabulary) -> String {
    let mut fitted = String::with_capacity(name.len() + 1);
    for character in name.chars() {
        if character.is_ascii_alphanumeric() {
            if fitted.is_empty() && character.is_ascii_digit() {
                fitted.push('_');
            }
            fitted.push(character);
        } else if !fitted.ends_with('_') {
            fitted.push('_');
        }
    }
    if fitted.is_empty() || fitted == "_" {
        fitted = "unnamed".to_owned();
    }
    if vocabulary.prefixes.iter().any(|prefix| fitted.starts_with(prefix)) {
        fitted.insert(0, '_');
    }
    if vocabulary.reserves(&fitted) {
        fitted.push('_');
    }
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_ir::ast::{Function, Local, Scalar, Type};

    const VOCABULARY: Vocabulary = Vocabulary { words: &["mix", "sample"], prefixes: &["gl_"] };

    #[test]
    fn fits_strange_names() {
        for (name, fitted) in [
            ("color", "color"),
            ("a.b[2]", "a_b_2_"),
            ("a__b", "a_b"),
            ("3d", "_3d"),
            ("gl_Position", "_gl_Position"),
            ("sample", "sample_"),
            ("", "unnamed"),
            ("\u{fffd}", "unnamed"),
            ("größe", "gr_e"),
        ] {
            assert_eq!(fit(name, &VOCABULARY), fitted);
        }
    }

    #[test]
    fn keeps_names_apart() {
        let ty = Type { scalar: Scalar::Float, components: 4 };
        let function = |name: &str, locals: &[&str]| Function {
            name: name.to_owned(),
            locals: locals.iter().map(|name| Local { name: (*name).to_owned(), ty }).collect(),
            ..Function::default()
        };
        let program = Program {
            functions: vec![
                function("main", &["mix", "mix_", "r.0", "r_0"]),
                function("start", &["mix", "main_2"]),
            ],
            ..Program::default()
        };
        let mut names = Names::new(&program, &VOCABULARY, "main", &[], &[]);
        assert_eq!(names.functions, ["main_2", "main"]);
        assert_eq!(names.locals[0], ["mix_", "mix_2", "r_0", "r_0_2"]);
        assert_eq!(names.locals[1], ["mix_", "main_2_2"]);
        assert_eq!(names.add("mul0"), "mul0");
        assert_eq!(names.add("mul0"), "mul0_2");
        assert_eq!(names.add("r_0_2"), "r_0_2_2");
    }
}
