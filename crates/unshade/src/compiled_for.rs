//! What the programs of shader archives were compiled for: the values of their options or macros.

use crate::archives::{self, ShaderArchive};
use std::collections::HashMap;
use unshade_containers::{bfsha::options::OptionTable, opaque::escape, wrap::nest::Source};

/// The options and macros of the archives in a file, to be asked about single programs.
#[derive(Debug, Default)]
pub struct CompiledFor {
    /// By what stands before the number of a program: `#model`, `:shaders.bfsha#model`.
    groups: HashMap<String, Group>,
}

/// What numbers programs.
#[derive(Debug)]
enum Group {
    /// A shading model.
    Model(OptionTable),
    /// A program with macros: the name of each and its values, the most significant first.
    Macros(Vec<(String, Vec<String>)>),
}

impl CompiledFor {
    /// The options and macros of the archives that `names` choose in a file. Files without any have none, and of
    /// damaged archives those that can be read are there: this only adds to what is said of a program.
    pub fn new<'f>(file: impl Into<Source<'f>>, names: &[String]) -> Self {
        let mut groups = HashMap::new();
        let all = archives::each_archive(file, names, |inner, archive| {
            let front = inner.map(|inner| format!(":{inner}")).unwrap_or_default();
            match archive {
                ShaderArchive::Models(archive) => {
                    for model in &archive.models {
                        let Ok(table) = archive.options(model) else { continue };
                        groups.insert(format!("{front}#{}", escape(model.name)), Group::Model(table));
                    }
                }
                archive => {
                    for (name, program) in archive.programs().unwrap_or_default() {
                        let Ok(list) = program.macro_list() else { continue };
                        let macros = list.macros.iter().map(|list| {
                            (escape(list.name), list.values.iter().map(|value| escape(value)).collect())
                        });
                        groups.insert(format!("{front}#{name}"), Group::Macros(macros.collect()));
                    }
                }
            }
            Ok(())
        });
        // Nothing can be said about what was not reached.
        drop(all);
        Self { groups }
    }

    /// The options of a program with the choice of each, or its macros with their values; `place` is what stands
    /// behind the file to name one of its stages: `#model/12/fragment`. Empty where there is nothing to choose.
    pub fn choices(&self, place: &str) -> Vec<(String, String)> {
        let mut parts = place.rsplitn(3, '/').skip(1);
        let (Some(number), Some(front)) = (parts.next(), parts.next()) else { return Vec::new() };
        let Ok(number) = number.parse::<u64>() else { return Vec::new() };
        match self.groups.get(front) {
            Some(Group::Model(table)) => {
                let program = usize::try_from(number).ok().filter(|program| *program < table.programs);
                let choices = program.map(|program| table.choices(program)).unwrap_or_default();
                choices.into_iter().map(|(name, choice)| (name.to_owned(), choice)).collect()
            }
            Some(Group::Macros(macros)) => {
                let mut left = number;
                let mut chosen = Vec::with_capacity(macros.len());
                for (name, values) in macros.iter().rev() {
                    let count = values.len() as u64;
                    let (Some(digit), Some(rest)) = (left.checked_rem(count), left.checked_div(count)) else {
                        return Vec::new();
                    };
                    left = rest;
                    let value = usize::try_from(digit).ok().and_then(|digit| values.get(digit));
                    chosen.push((name.clone(), value.cloned().unwrap_or_default()));
                }
                chosen.reverse();
                chosen
            }
            None => Vec::new(),
        }
    }

    /// The same as lines of a comment above a program: as many options to a line as fit.
    pub fn lines(&self, place: &str) -> Vec<String> {
        /// Characters of a line.
        const WIDTH: usize = 100;
        let mut lines: Vec<String> = Vec::new();
        for (name, value) in self.choices(place) {
            let text = format!("{name} = {value}");
            match lines.last_mut() {
                Some(line) if line.len() + 2 + text.len() <= WIDTH => {
                    line.push_str(", ");
                    line.push_str(&text);
                }
                _ => lines.push(text),
            }
        }
        lines
    }
}
