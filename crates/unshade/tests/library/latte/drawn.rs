//! Decompiled R700 programs on software OpenGL, fed with the machine's inputs by location, beside what the original
//! shaders gave. The corpus with its script lies next to the checkout, and the script needs python3 with EGL and
//! llvmpipe; without one of them the test says so and passes.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use unshade::{DecompileOptions, GlslVersion, Isa, Stage, StageKind, Target};
use unshade_emit::BindingKind;
use unshade_ir::Space;
use unshade_stage::Latte;
use unshade_stage::latte::{Dimension, FrontFace, Profile, Sampler};

fn shared() -> Option<PathBuf> {
    let folder = unshade_corpus::shared("");
    let script = folder.join("tools/glslrun.py");
    let sample = folder.join("corpus/gfd/r700/src/alu_basic.vert");
    let works = sample.exists()
        && Command::new("python3")
            .arg(&script)
            .arg("info")
            .arg(&sample)
            .output()
            .is_ok_and(|output| output.status.success());
    if !works {
        println!("skipped: no corpus with a software renderer at {}", folder.display());
    }
    works.then_some(folder)
}

fn dimension(target: &str) -> Option<Dimension> {
    Some(match target {
        "1D" => Dimension::D1,
        "2D" => Dimension::D2,
        "3D" => Dimension::D3,
        "CUBE" => Dimension::Cube,
        "1D_ARRAY" => Dimension::D1Array,
        "2D_ARRAY" => Dimension::D2Array,
        "RECT" => Dimension::Rect,
        "BUFFER" => Dimension::Buffer,
        _ => return None,
    })
}

/// What the recorded file says that the code does not.
fn surroundings(document: &Value) -> Latte {
    let mut latte = Latte { profile: Profile::Mesa, ..Latte::default() };
    for texture in document["interface"]["textures"].as_array().into_iter().flatten() {
        let name = texture["name"].as_str().unwrap();
        latte.samplers.push(Sampler {
            name: name.to_owned(),
            dimension: dimension(document["textures"][name]["target"].as_str().unwrap()),
            shadow: false,
            location: texture["key"].as_str().unwrap().parse().unwrap(),
        });
    }
    for (register, input) in document["machine"]["inputs"].as_object().into_iter().flatten() {
        let Some(number) = register.strip_prefix('R').and_then(|number| number.parse::<u8>().ok()) else {
            continue;
        };
        match input["builtin"].as_str() {
            Some("gl_FragCoord") => latte.frag_coord = Some(number),
            Some("gl_PointCoord") => latte.point_coord = Some(number),
            Some("gl_FrontFacing") => {
                latte.front_face = Some(FrontFace { register: number, component: 0, all_bits: false });
            }
            _ => {}
        }
    }
    let exports = &document["machine"]["exports"];
    let is = |export: &str, name: &str| exports[export].as_str().is_some_and(|known| known.starts_with(name));
    if is("POS61.x", "gl_PointSize") {
        (latte.position.misc, latte.position.point_size) = (true, true);
    }
    let distances = exports.as_object().unwrap().iter().filter(|(export, name)| {
        export.starts_with("POS6") && name.as_str().is_some_and(|name| name.starts_with("gl_ClipDistance"))
    });
    let count = distances.count();
    latte.position.distances = [count > 0, count > 4];
    latte.position.clip = ((1_u32 << count) - 1) as u8;
    latte
}

#[test]
fn programs_give_what_the_original_gives() {
    let Some(shared) = shared() else { return };
    let corpus = shared.join("corpus/gfd/r700");
    let folder = std::env::temp_dir().join(format!("unshade-latte-drawn-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut vectors: Vec<PathBuf> = std::fs::read_dir(corpus.join("vectors"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_str().unwrap().matches('.').count() == 2)
        .collect();
    vectors.sort();
    let (mut jobs, mut failures) = (Vec::new(), Vec::new());
    for path in &vectors {
        let document: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let kind = match document["stage"].as_str() {
            Some("frag") => StageKind::Fragment,
            Some("vert") => StageKind::Vertex,
            // Geometry programs are fed vertex by vertex; see their own tests.
            _ => continue,
        };
        let own = path.file_name().unwrap().to_str().unwrap().trim_end_matches(".json").to_owned();
        for binary in document["machine"]["binaries"].as_array().into_iter().flatten() {
            let binary = binary.as_str().unwrap();
            // One program serves several files; each draws it under its own name.
            let name = format!("{own} {binary}");
            let words = unshade::words_from_bytes(&std::fs::read(corpus.join(binary)).unwrap()).unwrap();
            let mut stage: Stage<'_> = unshade::raw_stage(Isa::Latte, words, Vec::new());
            stage.kind = kind;
            stage.interface.latte = Some(Box::new(surroundings(&document)));
            let options = DecompileOptions {
                target: Target::Glsl(GlslVersion::Core450),
                ..DecompileOptions::default()
            };
            let made = match unshade::decompile(&stage, &options) {
                Ok(made) => made,
                Err(error) => {
                    failures.push((name, error.to_string()));
                    continue;
                }
            };
            let mut registers = BTreeMap::new();
            for binding in &made.interface {
                if let BindingKind::Input { location: Some(location), .. } = binding.kind
                    && binding.machine.space == Space::Input
                {
                    registers.insert(location.to_string(), binding.machine.first / 4);
                }
            }
            let ending = if kind == StageKind::Fragment { "frag" } else { "vert" };
            let shader = folder.join(format!("{}.{ending}.glsl", name.replace(' ', "_")));
            std::fs::write(&shader, made.bytes()).unwrap();
            jobs.push(json!({ "name": name.replace(' ', "/"), "shader": shader, "vectors": path, "registers": registers }));
        }
    }
    let list = folder.join("jobs.json");
    std::fs::write(&list, Value::from(jobs).to_string()).unwrap();
    let output = Command::new("python3")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library/latte/drawn.py"))
        .arg(shared.join("tools"))
        .arg(&list)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut total = failures.len();
    for line in text.lines() {
        total += 1;
        let (name, result) = line.split_once(' ').unwrap_or((line, ""));
        if result != "ok" {
            failures.push((name.to_owned(), result.to_owned()));
        }
    }
    for (name, difference) in &failures {
        println!("{name} differs: {difference}");
    }
    println!("{total} programs drawn, {} differ", failures.len());
    if std::env::var_os("KEEP").is_none() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    assert!(total >= 120, "{total}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(failures.is_empty(), "{} of {total} differ", failures.len());
}
