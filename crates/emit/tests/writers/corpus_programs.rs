//! Programs of the corpus as trees.

use std::path::{Path, PathBuf};
use unshade_containers::Container;
use unshade_ir::ast::Program;
use unshade_ir::ast::raise::{self, Mode};
use unshade_ir::{Module, passes};
use unshade_isa::{mali_gp, mali_pp, pica200};
use unshade_stage::{Isa, Stage, StageKind};

/// Files below a folder, in order of their names.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// A program of the corpus.
pub struct Sample {
    pub name: String,
    pub kind: StageKind,
    pub strict: bool,
    /// What is outside of it is found by name.
    pub by_name: bool,
    pub program: Program,
}

fn lift(stage: &Stage<'_>) -> Option<Module> {
    match stage.isa {
        Isa::Pica200 => pica200::lift::lift(stage).ok(),
        Isa::MaliGp => mali_gp::lift::lift(stage).ok(),
        Isa::MaliPp => mali_pp::lift::lift(stage).ok(),
        _ => None,
    }
}

/// Every program that can be made into a tree.
pub fn programs() -> Vec<Sample> {
    let corpus = unshade_corpus::shared("corpus");
    let mut paths = Vec::new();
    files(&corpus.join("shbin"), &mut paths);
    files(&corpus.join("mbs"), &mut paths);
    if paths.is_empty() {
        println!("skipped: no corpus at {}", corpus.display());
    }
    let mut programs = Vec::new();
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(container) = Container::read(&bytes) else { continue };
        for stage in container.stages() {
            let Some(lifted) = lift(&stage) else { continue };
            for strict in [false, true] {
                let (list, mode) = match strict {
                    true => (passes::strict(), Mode::Strict),
                    false => (passes::readable(), Mode::Readable),
                };
                let mut module = lifted.clone();
                passes::run(&mut module, list, None);
                // Recursion is the only thing that no language has.
                let Ok(built) = raise::raise(&module, mode) else { continue };
                let file = path.file_stem().unwrap().to_string_lossy();
                let mode = if strict { "strict" } else { "readable" };
                programs.push(Sample {
                    name: format!("{file}.{}.{mode}", stage.id),
                    kind: stage.kind,
                    strict,
                    by_name: stage.isa != Isa::Pica200,
                    program: built.program,
                });
            }
        }
    }
    programs
}
