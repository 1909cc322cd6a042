//! Decompiled Mali programs beside the shaders they were compiled from: both run by a software OpenGL on the
//! same inputs. The corpus with its script and recorded results lies next to the checkout, and the script needs
//! python3 with EGL and llvmpipe; without one of them the test says so and passes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use unshade::{DecompileOptions, GlslVersion, Target};

/// Shaders whose decompiled source does something else than the original, and why: there the compiled code does
/// something else.
const DIFFERENT: &[(&str, &str)] =
    &[("f35_projbias.frag", "the compiler overwrites the bias before the fetch that needs it")];

fn shared() -> Option<PathBuf> {
    let folder = unshade_corpus::shared("");
    let script = folder.join("tools/glslrun.py");
    let sample = folder.join("corpus/mbs/lima-out/f00_const.frag");
    if !script.exists() || !sample.exists() {
        println!("skipped: no corpus at {}", folder.display());
        return None;
    }
    let works = check(&folder, "f00_const.frag", &sample).is_ok_and(|output| output.status.success());
    if !works {
        assert!(std::env::var_os("UNSHADE_REQUIRE_TOOLS").is_none(), "{} does not run", script.display());
        println!("skipped: {} does not run (python3 with EGL and llvmpipe)", script.display());
        return None;
    }
    Some(folder)
}

/// Runs a shader on the recorded inputs of `name` and compares with the recorded results. The limits are those
/// that the corpus gives for each machine: the pixel processor's constants have 16 bits.
fn check(shared: &Path, name: &str, shader: &Path) -> std::io::Result<Output> {
    let (rel, abs) = if name.ends_with(".frag") { ("4e-3", "4e-3") } else { ("1e-4", "1e-5") };
    Command::new("python3")
        .arg(shared.join("tools/glslrun.py"))
        .arg("check")
        .arg(shader)
        .arg("--inputs")
        .arg(shared.join(format!("corpus/mbs/vectors/{name}.json")))
        .args(["--rel", rel, "--abs", abs])
        .output()
}

/// Decompiles a shader and runs it; nothing if it does what the original does.
fn difference(shared: &Path, folder: &Path, name: &str, version: GlslVersion) -> Option<String> {
    let file = shared.join(format!("corpus/mbs/lima-out/{name}.mbs"));
    let opened = unshade::open(&std::fs::read(file).unwrap()).unwrap();
    let (_, stage) = opened.stages(None).next().unwrap();
    let options = DecompileOptions { target: Target::Glsl(version), ..DecompileOptions::default() };
    let source = match unshade::decompile(&stage, &options) {
        Ok(source) => source,
        Err(error) => return Some(error.to_string()),
    };
    // The script knows the stage by the name.
    let path = folder.join(format!("{name}.glsl"));
    std::fs::write(&path, source.bytes()).unwrap();
    let output = check(shared, name, &path).unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    (!output.status.success()).then(|| format!("{}\n{}", text(&output.stdout), text(&output.stderr)))
}

fn drawn(version: GlslVersion) {
    let Some(shared) = shared() else { return };
    let folder =
        std::env::temp_dir().join(format!("unshade-drawn-{}-{}", std::process::id(), version.name()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut names: Vec<String> = std::fs::read_dir(shared.join("corpus/mbs/vectors"))
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".json")?.to_owned()))
        .filter(|name| name.ends_with(".vert") || name.ends_with(".frag"))
        .collect();
    names.sort();
    let results = Mutex::new(Vec::new());
    let queue = Mutex::new(names.iter());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().next();
                    let Some(name) = next else { break };
                    let difference = difference(&shared, &folder, name, version);
                    results.lock().unwrap().push((name, difference));
                }
            });
        }
    });
    std::fs::remove_dir_all(&folder).unwrap();
    let mut results = results.into_inner().unwrap();
    results.sort();
    let mut unexpected = 0;
    for (name, difference) in &results {
        let known = DIFFERENT.iter().find(|(known, _)| known == name);
        match (difference, known) {
            (None, None) => {}
            (None, Some(_)) => panic!("{name} is listed as different and is not"),
            (Some(_), Some((_, reason))) => println!("{name}: {reason}"),
            (Some(difference), None) => {
                unexpected += 1;
                println!("{name} differs: {difference}");
            }
        }
    }
    println!("GLSL {}: {} shaders, {unexpected} differ for no known reason", version.name(), results.len());
    assert!(results.len() >= 67, "the corpus has 67 shaders, found {}", results.len());
    assert_eq!(unexpected, 0);
}

#[test]
fn es_100_does_what_the_original_does() {
    drawn(GlslVersion::Es100);
}
