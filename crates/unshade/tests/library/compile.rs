//! Compiled programs as files: sound, found by name, several in one, and decompiled to what their source says.
#![cfg(feature = "compile")]

use std::{fs, path::PathBuf};
use unshade::compile::{CompiledShbin, Language, Options, Source, compile_shbin};
use unshade::{DecompileOptions, decompile, open, report, verify::verify};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/compile-programs")
}

/// Names and texts of all programs.
fn sources() -> Vec<(String, String)> {
    sources_of(&["programs", "corpus"])
}

fn sources_of(folders: &[&str]) -> Vec<(String, String)> {
    let mut sources = Vec::new();
    for inner in folders {
        for entry in fs::read_dir(folder().join(inner)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if Language::of_name(&name).is_some() {
                sources.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    sources.sort();
    sources
}

fn compiled(sources: &[(&str, &str)]) -> CompiledShbin {
    let sources: Vec<Source<'_>> = sources
        .iter()
        .map(|(name, text)| Source { name, text, language: Language::of_name(name).unwrap() })
        .collect();
    compile_shbin(&sources, &Options::default()).unwrap()
}

#[test]
fn files_are_sound_and_machine_and_ir_agree() {
    for (name, text) in sources() {
        let bytes = compiled(&[(&name, &text)]).write().unwrap();
        let found = report::check(bytes.as_slice(), &[], None);
        assert!(found.diagnostics.is_empty(), "{name}: {:?}", found.diagnostics);
        let opened = open(&bytes).unwrap();
        let stage = opened.stages(None).next().unwrap().1;
        let verdict = verify(&stage, 32, 1);
        assert_eq!(verdict.strict.failure, None, "{name}");
    }
}

#[test]
fn several_sources_share_uniforms_by_name() {
    let first = "#version 450\nin vec4 p; uniform mat4 mvp; uniform vec4 tint; out vec4 color;\nvoid main() { gl_Position = mvp * p; color = tint; }";
    let second = "#version 300 es\nin vec4 p; uniform vec4 offset; uniform mat4 mvp;\nvoid main() { gl_Position = mvp * (p + offset); }";
    let bytes = compiled(&[("a.vert.glsl", first), ("b.vert.glsl", second)]).write().unwrap();
    let opened = open(&bytes).unwrap();
    let stages: Vec<_> = opened.stages(None).map(|(_, stage)| stage).collect();
    assert_eq!(stages.len(), 2);
    let register = |stage: usize, name: &str| {
        let uniforms = &stages[stage].interface.uniforms;
        uniforms.iter().find(|uniform| uniform.name == name).map(|uniform| uniform.range.first)
    };
    assert_eq!(register(0, "mvp"), register(1, "mvp"));
    assert_eq!(register(1, "tint"), None);
    assert!(register(1, "offset") > register(0, "tint"));
    let found = report::check(bytes.as_slice(), &[], None);
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
}

/// Names that assembly has for registers or hides are names like others in a file.
#[test]
fn names_are_kept() {
    let text = "#version 450\nin vec4 v1; in vec4 r0; uniform vec4 c5; uniform mat4 _m; uniform float a0;\nvoid main() { gl_Position = _m * v1 + r0 * c5 * a0; }";
    let bytes = compiled(&[("a.vert.glsl", text)]).write().unwrap();
    let opened = open(&bytes).unwrap();
    let interface = opened.stages(None).next().unwrap().1.interface;
    let names: Vec<&str> = interface.uniforms.iter().map(|uniform| uniform.name.as_ref()).collect();
    assert_eq!(names, ["c5", "_m", "a0"]);
    let names: Vec<&str> = interface.inputs.iter().map(|input| input.name.as_ref()).collect();
    assert_eq!(names, ["v1", "r0"]);
}

/// What is decompiled has the names and the structure of the source: a golden file for each program.
#[test]
fn decompiled_programs_are_recognised() {
    let bless = std::env::var_os("BLESS").is_some();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (file, text) in sources_of(&["programs"]) {
        let name = file.split('.').next().unwrap();
        let bytes = compiled(&[(&file, &text)]).write().unwrap();
        let opened = open(&bytes).unwrap();
        let stage = opened.stages(None).next().unwrap().1;
        let found = decompile(&stage, &DecompileOptions::default()).unwrap().text;
        count += 1;
        let path = folder().join(format!("decompiled/{name}.vert.glsl"));
        if bless {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &found).unwrap();
        } else if fs::read_to_string(&path).ok().as_deref() != Some(&*found) {
            wrong.push(format!("{name}: not as in {}; BLESS=1 writes it anew\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 60, "{count}");
}
