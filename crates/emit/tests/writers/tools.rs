//! Outside validators, where they are installed.
#![allow(dead_code)]

use std::path::Path;
use std::process::Command;
use unshade_emit::{GlslVersion, Target};
use unshade_stage::StageKind;

/// Compares with the file of this name; `BLESS=1` writes it anew.
pub fn golden(name: &str, text: &str) {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == text, "{path} differs; BLESS=1 renews it. Now:\n{text}");
}

/// Seeds of random programs: so many, or `SEEDS=FIRST..END`.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let range = std::env::var("SEEDS").ok();
    let range = range.as_deref().and_then(|range| range.split_once(".."));
    range.map_or(0..count, |(first, end)| first.parse().unwrap()..end.parse().unwrap())
}

/// Whether the program starts; if not, one line says what is skipped.
pub fn installed(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: {tool} is not installed");
    }
    found
}

fn glslang(arguments: &[&str], files: &[(String, std::path::PathBuf)], texts: &dyn Fn(&str) -> String) {
    // One process for many files where they are not linked; on failure one for each, to name the culprit.
    let at_once = if arguments.is_empty() { 200 } else { 1 };
    let mut refused = Vec::new();
    for chunk in files.chunks(at_once) {
        let run = |paths: &mut dyn Iterator<Item = &Path>| {
            Command::new("glslangValidator").args(arguments).args(paths.collect::<Vec<_>>()).output().unwrap()
        };
        if run(&mut chunk.iter().map(|(_, path)| path.as_path())).status.success() {
            continue;
        }
        for (name, path) in chunk {
            let output = run(&mut std::iter::once(path.as_path()));
            if !output.status.success() {
                refused.push((name, String::from_utf8_lossy(&output.stdout).into_owned()));
            }
        }
    }
    if let Some((name, message)) = refused.first() {
        let names: Vec<&String> = refused.iter().map(|(name, _)| *name).collect();
        panic!("{name}: {message}\n{}\nrefused: {names:#?}", texts(name));
    }
}

/// Every text has to be accepted.
pub fn validate_glsl(texts: &[(String, StageKind, String)]) {
    validate_glsl_by(&[], texts);
}

/// Every text has to be accepted by the rules of Vulkan.
#[allow(dead_code, reason = "not every test prints for it")]
pub fn validate_vulkan(texts: &[(String, StageKind, String)]) {
    validate_glsl_by(&["--target-env", "vulkan1.2", "-o", "/dev/null"], texts);
}

fn validate_glsl_by(arguments: &[&str], texts: &[(String, StageKind, String)]) {
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
    glslang(arguments, &files, &|name| texts.iter().find(|(other, ..)| other == name).unwrap().2.clone());
}

/// Every text has to be accepted as HLSL.
pub fn validate_hlsl(texts: &[(String, StageKind, String)]) {
    if !installed("glslangValidator") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text_of = |name: &str| texts.iter().find(|(other, ..)| other == name).unwrap().2.clone();
    for (stage, kind) in [("vert", StageKind::Vertex), ("frag", StageKind::Fragment)] {
        let files: Vec<_> = texts
            .iter()
            .enumerate()
            .filter(|(_, (_, of, _))| *of == kind)
            .map(|(index, (name, _, text))| {
                let path = folder.path().join(format!("{index}.{stage}"));
                std::fs::write(&path, text).unwrap();
                (name.clone(), path)
            })
            .collect();
        glslang(&["-D", "-V", "-o", "/dev/null", "-e", "main", "-S", stage], &files, &text_of);
    }
}

/// Every module has to be accepted.
pub fn validate_spirv(modules: &[(String, Vec<u8>)]) {
    if !installed("spirv-val") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in modules {
        let path = folder.path().join("module.spv");
        std::fs::write(&path, bytes).unwrap();
        let output =
            Command::new("spirv-val").args(["--target-env", "vulkan1.1"]).arg(&path).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The text has to be accepted by naga's own parser and validator.
pub fn validate_wgsl(name: &str, text: &str) {
    let module = naga::front::wgsl::parse_str(text)
        .unwrap_or_else(|error| panic!("{name}: {}\n{text}", error.emit_to_string(text)));
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    let capabilities = Capabilities::MULTISAMPLED_SHADING
        | Capabilities::CUBE_ARRAY_TEXTURES
        | Capabilities::SHADER_FLOAT16_IN_FLOAT32
        | Capabilities::STORAGE_TEXTURE_16BIT_NORM_FORMATS
        | Capabilities::EARLY_DEPTH_TEST;
    let mut validator = Validator::new(ValidationFlags::all(), capabilities);
    if let Err(error) = validator.validate(&module) {
        panic!("{name}: {}\n{text}", error.emit_to_string(text));
    }
}

/// What glslangValidator makes of a GLSL text, as readable SPIR-V.
pub fn spirv_text(kind: StageKind, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let extension = Target::Glsl(GlslVersion::Core450).extension(kind);
    let path = folder.path().join(format!("text.{extension}"));
    std::fs::write(&path, text).unwrap();
    let output = Command::new("glslangValidator")
        .args(["-V", "-H", "-o"])
        .arg(folder.path().join("text.spv"))
        .arg(&path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}");
    said
}
