//! Every program of the corpus in every language: all of it has to be accepted by the validators.
//! `KEEP=FOLDER` leaves the texts there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod tools;

use std::path::{Path, PathBuf};
use unshade_containers::Container;
use unshade_emit::{ErrorKind, GlslVersion, Options, glsl, naga};
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
fn programs() -> Vec<(String, StageKind, bool, Program)> {
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

fn keep(name: &str, text: &str) {
    if let Some(folder) = std::env::var_os("KEEP") {
        std::fs::write(Path::new(&folder).join(name), text).unwrap();
    }
}

#[test]
fn glsl_is_valid() {
    let mut texts = Vec::new();
    for (name, kind, strict, program) in programs() {
        for version in GlslVersion::ALL {
            let options = Options { glsl: version, strict, header: vec![name.clone()], ..Options::new(kind) };
            match glsl::print(&program, &options) {
                Ok(source) => {
                    keep(&format!("{name}.{}.glsl", version.name()), &source.text);
                    texts.push((format!("{name}.{}", version.name()), kind, source.text));
                }
                Err(error) => {
                    assert_eq!(error.kind, ErrorKind::Unsupported, "{name}: {error}");
                    assert!(!version.kinds().contains(&kind), "{name}: {error}");
                }
            }
        }
    }
    println!("{} texts", texts.len());
    tools::validate_glsl(&texts);
}

#[test]
fn naga_languages_are_valid() {
    let (mut hlsl, mut spirv) = (Vec::new(), Vec::new());
    for (name, kind, strict, program) in programs() {
        let options = Options { strict, header: vec![name.clone()], ..Options::new(kind) };
        if kind != StageKind::Vertex {
            assert_eq!(naga::wgsl(&program, &options).unwrap_err().kind, ErrorKind::Unsupported);
            continue;
        }
        let wgsl = naga::wgsl(&program, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        keep(&format!("{name}.wgsl"), &wgsl.text);
        tools::validate_wgsl(&name, &wgsl.text);
        let text = naga::hlsl(&program, &options).unwrap_or_else(|error| panic!("{name}: {error}")).text;
        keep(&format!("{name}.hlsl"), &text);
        hlsl.push((name.clone(), text));
        let text = naga::msl(&program, &options).unwrap_or_else(|error| panic!("{name}: {error}")).text;
        keep(&format!("{name}.metal"), &text);
        let words = naga::spirv(&program, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        spirv.push((name, words.bytes()));
    }
    println!("{} programs", spirv.len());
    tools::validate_hlsl(&hlsl);
    tools::validate_spirv(&spirv);
}
