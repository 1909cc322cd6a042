//! Printed programs run on Mesa's software renderer and give what the interpreter of the tree gives.
//!
//! `glslrun.py` next to the corpus runs a shader on given inputs and compares its outputs; without it, or
//! without Mesa, these tests say so and do nothing. The GLSL text runs as it is; SPIR-V runs after a turn
//! through spirv-cross. Inputs and uniforms reach the program through the interface description alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod tools;
mod trees;

use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use unshade_emit::{Binding, BindingKind, Options, glsl, naga};
use unshade_ir::Space;
use unshade_ir::ast::{Program, Scalar, exec};
use unshade_ir::exec::{Environment, Limits, Outcome};
use unshade_stage::StageKind;

/// The registers of a machine: whatever is stored, else the random word of the place.
struct Registers {
    seed: u64,
    booleans: Vec<(u32, u32)>,
    integers: Vec<(u32, u32)>,
    constants: HashMap<u32, u32>,
    outputs: HashMap<u32, u32>,
}

impl Registers {
    /// Registers that hold what the interface says of them: small floats, small integers, truth values.
    fn new(seed: u64, program: &Program, interface: &[Binding]) -> Self {
        let words = |scalar: Scalar| {
            let of_kind = interface.iter().filter(move |binding| binding.scalar == scalar);
            let of_kind = of_kind.filter(|binding| binding.machine.space == Space::Uniform);
            of_kind
                .map(|binding| {
                    let end = binding.machine.first + binding.machine.stride * binding.elements.max(1);
                    (binding.machine.first, end)
                })
                .collect()
        };
        let constants = program.globals.iter().flat_map(|variable| {
            let words = variable.global.constant.as_deref().unwrap_or_default();
            (variable.global.offset..).zip(words.iter().copied())
        });
        Self {
            seed,
            booleans: words(Scalar::Bool),
            integers: words(Scalar::Int),
            constants: constants.collect(),
            outputs: HashMap::new(),
        }
    }
}

impl Environment for Registers {
    fn load(&mut self, space: Space, _binding: u32, word: u32) -> u32 {
        if space == Space::Output {
            return self.outputs.get(&word).copied().unwrap_or(0);
        }
        if space == Space::Uniform
            && let Some(&value) = self.constants.get(&word)
        {
            return value;
        }
        let mut hash = self.seed ^ (u64::from(word) << 8) ^ (u64::from(space == Space::Input) << 40);
        for _ in 0..3 {
            hash = (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
        let random = (hash >> 33) as u32;
        let inside = |ranges: &[(u32, u32)]| ranges.iter().any(|&(first, end)| (first..end).contains(&word));
        if space == Space::Uniform && inside(&self.booleans) {
            random & 1
        } else if space == Space::Uniform && inside(&self.integers) {
            random % 7
        } else {
            ((random % 65) as f32 / 8.0 - 4.0).to_bits()
        }
    }

    fn store(&mut self, space: Space, _binding: u32, word: u32, value: u32) {
        assert_eq!(space, Space::Output);
        self.outputs.insert(word, value);
    }

    fn emit_vertex(&mut self, _stream: u32) -> u64 {
        panic!("a vertex program that emits")
    }

    fn end_primitive(&mut self, _stream: u32) -> u64 {
        panic!("a vertex program that emits")
    }
}

fn words(words: impl IntoIterator<Item = u32>) -> String {
    words.into_iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(" ")
}

/// Machine words of element `element` of a binding.
fn machine_words(binding: &Binding, element: u32) -> impl Iterator<Item = u32> {
    let first = binding.machine.first + binding.machine.stride * element;
    (0..u32::from(binding.components)).map(move |component| first + component)
}

/// One case in the form of the tool: what goes in and, from the interpreter, what has to come out. `None`
/// where a result is no ordinary number, which the renderer may compute in another way.
fn case(program: &Program, interface: &[Binding], seed: u64) -> Option<(Vec<u8>, Value)> {
    let mut registers = Registers::new(seed, program, interface);
    let run = exec::run(program, &mut registers, Limits::fuel(1_000_000));
    if run.outcome != Outcome::Ended {
        return None;
    }
    let mut buffer = vec![0u8; 4096];
    let (mut inputs, mut outputs) = (BTreeMap::new(), BTreeMap::new());
    for binding in interface {
        let space = binding.machine.space;
        for element in 0..binding.elements.max(1) {
            let values: Vec<u32> =
                machine_words(binding, element).map(|word| registers.load(space, 0, word)).collect();
            match binding.kind {
                BindingKind::Input { location: Some(location) } => {
                    inputs.insert((location + element).to_string(), words(values));
                }
                BindingKind::Uniform { offset, stride, .. } => {
                    let start = (offset + stride * element) as usize;
                    for (place, value) in values.iter().enumerate() {
                        buffer[start + 4 * place..][..4].copy_from_slice(&value.to_le_bytes());
                    }
                }
                BindingKind::Output { location: Some(location), .. } => {
                    outputs.insert((location + element).to_string(), values);
                }
                BindingKind::Position { .. } => {
                    outputs.insert("gl_Position".to_owned(), values);
                }
                BindingKind::Constant => {}
                _ => panic!("{} has no place", binding.name),
            }
        }
    }
    let ordinary = |bits: &u32| {
        let magnitude = f32::from_bits(*bits).abs();
        magnitude == 0.0 || (1e-20..1e20).contains(&magnitude)
    };
    if !outputs.values().flatten().all(ordinary) {
        return None;
    }
    let outputs: BTreeMap<String, String> =
        outputs.into_iter().map(|(key, values)| (key, words(values))).collect();
    Some((buffer, json!({ "in": inputs, "out": outputs })))
}

/// The tool, if it is there and Mesa too.
fn tool() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/tools/glslrun.py");
    let probe = tempfile::tempdir().unwrap();
    let shader = probe.path().join("probe.vert");
    std::fs::write(&shader, "#version 450\nvoid main() { gl_Position = vec4(0.0); }\n").unwrap();
    let works = path.exists()
        && Command::new("python3")
            .arg(&path)
            .arg("info")
            .arg(&shader)
            .output()
            .is_ok_and(|output| output.status.success());
    if !works {
        println!("skipped: no software renderer");
    }
    works.then_some(path)
}

/// Runs a text on the cases and compares.
fn check(tool: &Path, name: &str, text: &str, program: &Program, interface: &[Binding], seed: u64) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let shader = folder.path().join("shader.vert");
    std::fs::write(&shader, text).unwrap();
    let info = Command::new("python3").arg(tool).arg("info").arg(&shader).output().unwrap();
    let described = String::from_utf8_lossy(&info.stdout).into_owned();
    assert!(info.status.success(), "{name}: {described}{}\n{text}", String::from_utf8_lossy(&info.stderr));
    let described: Value = serde_json::from_str(&described).unwrap();
    let key_of_buffer = described["ubo"].get(0).map(|buffer| buffer["key"].as_str().unwrap().to_owned());
    let size = described["ubo"].get(0).map_or(0, |buffer| buffer["size"].as_u64().unwrap() as usize);
    // An input or output that is not used may be gone; the tool knows nothing of it then.
    let known = |part: &str| -> Vec<String> {
        let entries = described[part].as_array().unwrap();
        let mut keys = Vec::new();
        for entry in entries {
            let key = entry["key"].as_str().unwrap().to_owned();
            let columns = entry["type"].as_str().and_then(|ty| ty.strip_prefix("mat"));
            match (columns, key.parse::<u32>()) {
                (Some(columns), Ok(first)) => {
                    let columns = columns[..1].parse::<u32>().unwrap();
                    keys.extend((first..first + columns).map(|key| key.to_string()));
                }
                _ => keys.push(key),
            }
        }
        keys
    };
    let (inputs, outputs) = (known("inputs"), known("outputs"));
    let mut pool = serde_json::Map::new();
    let mut cases = Vec::new();
    for number in 0..6 {
        let Some((buffer, mut case)) = case(program, interface, seed * 64 + number) else { continue };
        for (part, keys) in [("in", &inputs), ("out", &outputs)] {
            case[part].as_object_mut().unwrap().retain(|key, _| keys.contains(key));
        }
        join_matrices(&mut case["in"], &described);
        if let Some(key) = &key_of_buffer {
            let id = format!("u{number}");
            let buffer_words = buffer[..size.next_multiple_of(4)]
                .chunks(4)
                .map(|word| u32::from_le_bytes(word.try_into().unwrap()));
            pool.insert(id.clone(), words(buffer_words).into());
            case["ubo"] = json!({ key.as_str(): id });
        }
        case["kind"] = "dyadic".into();
        cases.push(case);
    }
    let compared = cases.len();
    let mut document = json!({
        "schema": "glslrun-1", "shader": "shader.vert", "stage": "vert", "renderer": "",
        "interface": described, "pool": pool, "textures": {}, "images": {}, "ignore": {},
    });
    document["cases"] = cases.into();
    let path = folder.path().join("in.json");
    std::fs::write(&path, document.to_string()).unwrap();
    let output = Command::new("python3")
        .arg(tool)
        .args(["check"])
        .arg(&shader)
        .arg("--inputs")
        .arg(&path)
        .args(["--ulp", "8", "--rel", "1e-5", "--abs", "1e-5"])
        .output()
        .unwrap();
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {said}\n{text}");
    compared
}

/// The columns of a matrix input are one entry for the tool.
fn join_matrices(inputs: &mut Value, described: &Value) {
    for entry in described["inputs"].as_array().unwrap() {
        let Some(columns) = entry["type"].as_str().and_then(|ty| ty.strip_prefix("mat")) else { continue };
        let first: u32 = entry["key"].as_str().unwrap().parse().unwrap();
        let columns = columns[..1].parse::<u32>().unwrap();
        let inputs = inputs.as_object_mut().unwrap();
        let joined: Vec<String> = (first..first + columns)
            .filter_map(|key| inputs.remove(&key.to_string()))
            .map(|words| words.as_str().unwrap().to_owned())
            .collect();
        inputs.insert(first.to_string(), joined.join(" ").into());
    }
}

fn comparable(seed: u64) -> Program {
    trees::random::program(seed, trees::random::Recipe { kind: StageKind::Vertex, comparable: true })
}

#[test]
fn glsl_draws_what_the_tree_says() {
    let Some(tool) = tool() else { return };
    let mut compared = 0;
    for seed in tools::seeds(8) {
        let program = comparable(seed);
        for strict in [false, true] {
            let options = Options { strict, ..Options::new(StageKind::Vertex) };
            let source = glsl::print(&program, &options).unwrap();
            compared +=
                check(&tool, &format!("program {seed}"), &source.text, &program, &source.interface, seed);
        }
    }
    println!("{compared} cases");
    assert!(compared > 0);
}

/// SPIR-V as GLSL of the version that the renderer takes.
fn crossed(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("module.spv");
    std::fs::write(&path, bytes).unwrap();
    let output = Command::new("spirv-cross").arg(&path).args(["--version", "450"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn spirv_draws_what_the_tree_says() {
    let Some(tool) = tool() else { return };
    if !tools::installed("spirv-cross") && Command::new("spirv-cross").output().is_err() {
        return;
    }
    let mut compared = 0;
    for seed in tools::seeds(8) {
        let program = comparable(seed);
        let options = Options { strict: seed % 2 == 0, ..Options::new(StageKind::Vertex) };
        let binary = naga::spirv(&program, &options).unwrap();
        let text = crossed(&binary.bytes());
        compared += check(&tool, &format!("program {seed}"), &text, &program, &binary.interface, seed);
    }
    println!("{compared} cases");
    assert!(compared > 0);
}
