//! Programs of the corpus as trees.

use std::path::{Path, PathBuf};
use unshade_containers::Container;
use unshade_ir::ast::Program;
use unshade_ir::ast::build::{self, Mode};
use unshade_ir::passes;
use unshade_isa::pica200::lift::lift;
use unshade_stage::StageKind;

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

/// Name, kind, strict or not, and tree of every program that can be made into a tree.
pub fn programs() -> Vec<(String, StageKind, bool, Program)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/shbin");
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    if paths.is_empty() {
        println!("skipped: no corpus at {}", folder.display());
    }
    let mut programs = Vec::new();
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(container) = Container::read(&bytes) else { continue };
        for stage in container.stages() {
            let Ok(lifted) = lift(&stage) else { continue };
            for strict in [false, true] {
                let (list, mode) = match strict {
                    true => (passes::strict(), Mode::Strict),
                    false => (passes::readable(), Mode::Readable),
                };
                let mut module = lifted.clone();
                passes::run(&mut module, list, None);
                // Recursion is the only thing that no language has.
                let Ok(built) = build::build(&module, mode) else { continue };
                let file = path.file_stem().unwrap().to_string_lossy();
                let mode = if strict { "strict" } else { "readable" };
                programs.push((format!("{file}.{}.{mode}", stage.id), stage.kind, strict, built.program));
            }
        }
    }
    programs
}
