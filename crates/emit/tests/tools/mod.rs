//! Outside validators, where they are installed.
#![allow(dead_code)]

use std::path::Path;
use std::process::Command;
use unshade_emit::{GlslVersion, Target};
use unshade_stage::StageKind;

/// Whether the program starts; if not, one line says what is skipped.
pub fn installed(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: {tool} is not installed");
    }
    found
}

fn glslang(arguments: &[&str], files: &[(String, std::path::PathBuf)], texts: &dyn Fn(&str) -> String) {
    // One process for many files; on failure one for each, to name the culprit.
    for chunk in files.chunks(200) {
        let run = |paths: &mut dyn Iterator<Item = &Path>| {
            Command::new("glslangValidator").args(arguments).args(paths.collect::<Vec<_>>()).output().unwrap()
        };
        if run(&mut chunk.iter().map(|(_, path)| path.as_path())).status.success() {
            continue;
        }
        for (name, path) in chunk {
            let output = run(&mut std::iter::once(path.as_path()));
            let message = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{name}: {message}\n{}", texts(name));
        }
    }
}

/// Every text has to be accepted.
pub fn validate_glsl(texts: &[(String, StageKind, String)]) {
    if !installed("glslangValidator") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<_> = texts
        .iter()
        .enumerate()
        .map(|(index, (name, kind, text))| {
            let extension = Target::Glsl(GlslVersion::Core450).extension(*kind);
            let path = folder.path().join(format!("{index}.{extension}"));
            std::fs::write(&path, text).unwrap();
            (name.clone(), path)
        })
        .collect();
    glslang(&[], &files, &|name| texts.iter().find(|(other, ..)| other == name).unwrap().2.clone());
}
