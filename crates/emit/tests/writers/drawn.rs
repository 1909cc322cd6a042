//! Printed programs run on Mesa's software renderer and give what the interpreter of the tree gives.
//!
//! `glslrun.py` next to the corpus runs a shader on given inputs and compares its outputs; without it, or
//! without Mesa, these tests say so and do nothing. The GLSL text runs as it is; SPIR-V runs after a turn
//! through spirv-cross. Inputs and uniforms reach the program through the interface description alone.

use crate::corpus_programs;
use crate::corpus_programs::Sample;
use crate::tools;
use crate::trees;
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
    /// Geometry: the outputs of each vertex, primitive by primitive.
    strips: Vec<Vec<HashMap<u32, u32>>>,
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
            strips: vec![Vec::new()],
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
        self.strips.last_mut().unwrap().push(self.outputs.clone());
        1
    }

    fn end_primitive(&mut self, _stream: u32) -> u64 {
        self.strips.push(Vec::new());
        1
    }
}

/// The vertices of the triangles that strips are made of, in the order of the tool.
fn triangles(strips: &[Vec<HashMap<u32, u32>>]) -> Vec<&HashMap<u32, u32>> {
    let mut vertices = Vec::new();
    for strip in strips {
        for (index, triangle) in strip.windows(3).enumerate() {
            let order = if index % 2 == 0 { [0, 1, 2] } else { [1, 0, 2] };
            vertices.extend(order.map(|corner| &triangle[corner]));
        }
    }
    vertices
}

fn words(words: impl IntoIterator<Item = u32>) -> String {
    words.into_iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(" ")
}

/// Machine words of element `element` of a binding.
fn machine_words(binding: &Binding, element: u32) -> impl Iterator<Item = u32> {
    let first = binding.machine.first + binding.machine.stride * element;
    (0..u32::from(binding.components)).map(move |component| first + component)
}

/// What a binding holds, by the key that the tool has for each of its locations.
fn values<'b>(
    binding: &'b Binding,
    load: &'b mut dyn FnMut(u32) -> u32,
) -> impl Iterator<Item = (u32, Vec<u32>)> + 'b {
    (0..binding.elements.max(1))
        .map(|element| (element, machine_words(binding, element).map(&mut *load).collect()))
}

fn output_key(binding: &Binding, element: u32) -> Option<String> {
    match binding.kind {
        BindingKind::Output { location: Some(location), .. } => Some((location + element).to_string()),
        BindingKind::Position { .. } => Some("gl_Position".to_owned()),
        _ => None,
    }
}

/// Numbers that the renderer has to compute as the interpreter does.
fn is_ordinary(bits: u32) -> bool {
    let magnitude = f32::from_bits(bits).abs();
    magnitude == 0.0 || (1e-20..1e20).contains(&magnitude)
}

/// One case in the form of the tool: what goes in and, from the interpreter, what has to come out. `None`
/// where a result is no ordinary number, or a geometry program emits more than it declares.
fn case(program: &Program, interface: &[Binding], kind: StageKind, seed: u64) -> Option<(Vec<u8>, Value)> {
    let mut registers = Registers::new(seed, program, interface);
    let run = exec::run(program, &mut registers, Limits::fuel(1_000_000));
    if run.outcome != Outcome::Ended {
        return None;
    }
    let mut buffer = vec![0u8; 4096];
    let mut inputs = BTreeMap::new();
    for binding in interface {
        let space = binding.machine.space;
        for (element, values) in values(binding, &mut |word| registers.load(space, 0, word)) {
            match binding.kind {
                BindingKind::Input { location: Some(location), .. } => {
                    inputs.insert((location + element).to_string(), words(values));
                }
                BindingKind::Uniform { offset, stride, .. } => {
                    let start = (offset + stride * element) as usize;
                    for (place, value) in values.iter().enumerate() {
                        buffer[start + 4 * place..][..4].copy_from_slice(&value.to_le_bytes());
                    }
                }
                BindingKind::Output { location: Some(_), .. }
                | BindingKind::Position { .. }
                | BindingKind::Constant => {}
                _ => panic!("{} has no place", binding.name),
            }
        }
    }
    let vertex = |outputs: &HashMap<u32, u32>| -> Option<Value> {
        let mut described = serde_json::Map::new();
        for binding in interface {
            for (element, values) in values(binding, &mut |word| outputs.get(&word).copied().unwrap_or(0)) {
                let Some(key) = output_key(binding, element) else { continue };
                values.iter().all(|&bits| is_ordinary(bits)).then_some(())?;
                described.insert(key, words(values).into());
            }
        }
        Some(described.into())
    };
    let case = if kind == StageKind::Geometry {
        let emitted: usize = registers.strips.iter().map(Vec::len).sum();
        (emitted <= program.max_vertices.unwrap_or(64) as usize).then_some(())?;
        let vertices =
            triangles(&registers.strips).into_iter().map(vertex).collect::<Option<Vec<Value>>>()?;
        let inputs: BTreeMap<String, Vec<String>> =
            inputs.into_iter().map(|(key, words)| (key, vec![words])).collect();
        json!({ "in": inputs, "out": { "vertices": vertices } })
    } else {
        json!({ "in": inputs, "out": vertex(&registers.outputs)? })
    };
    Some((buffer, case))
}

/// The tool, if it is there and Mesa too.
fn tool() -> Option<PathBuf> {
    let path = unshade_corpus::shared("tools/glslrun.py");
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

/// A program that was printed.
struct Printed<'a> {
    name: String,
    kind: StageKind,
    program: &'a Program,
    text: &'a str,
    interface: &'a [Binding],
}

/// Runs a text on a few cases and compares; the number of cases.
fn check(tool: &Path, printed: &Printed<'_>, seed: u64) -> usize {
    let Printed { name, kind, program, text, interface } = printed;
    let folder = tempfile::tempdir().unwrap();
    let (stage, file) = match kind {
        StageKind::Geometry => ("geom", "shader.geom"),
        _ => ("vert", "shader.vert"),
    };
    let shader = folder.path().join(file);
    std::fs::write(&shader, text).unwrap();
    let info = Command::new("python3").arg(tool).arg("info").arg(&shader).output().unwrap();
    let described = String::from_utf8_lossy(&info.stdout).into_owned();
    assert!(info.status.success(), "{name}: {described}{}\n{text}", String::from_utf8_lossy(&info.stderr));
    let described: Value = serde_json::from_str(&described).unwrap();
    check_offsets(&described, interface);
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
        let Some((buffer, mut case)) = case(program, interface, *kind, seed * 64 + number) else { continue };
        let keep = |values: &mut Value, keys: &[String]| {
            values.as_object_mut().unwrap().retain(|key, _| keys.contains(key));
        };
        keep(&mut case["in"], &inputs);
        match case["out"].get_mut("vertices") {
            Some(vertices) => {
                vertices.as_array_mut().unwrap().iter_mut().for_each(|vertex| keep(vertex, &outputs));
            }
            None => keep(&mut case["out"], &outputs),
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
    // The renderer drops the outputs of a program that never emits, and the tool misses them.
    let emits = |case: &Value| !case["out"]["vertices"].as_array().is_some_and(Vec::is_empty);
    let compared = cases.len();
    if !cases.iter().any(emits) {
        return 0;
    }
    let mut document = json!({
        "schema": "glslrun-1", "shader": file, "stage": stage, "renderer": "",
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

/// The buffer has to be laid out as the interface says.
fn check_offsets(described: &Value, interface: &[Binding]) {
    let members = described["ubo"].get(0).map_or(&[][..], |buffer| buffer["members"].as_array().unwrap());
    for member in members {
        let name = member["name"].as_str().unwrap();
        let plain = name.rsplit('.').next().unwrap().trim_end_matches("[0]").trim_matches('_');
        // Renamed as a keyword here or there.
        let same = |binding: &&Binding| binding.name.trim_matches('_') == plain;
        let Some(binding) = interface.iter().find(same) else { panic!("{name} is not in the interface") };
        let BindingKind::Uniform { offset, stride, .. } = binding.kind else {
            panic!("{name} is no uniform")
        };
        assert_eq!(member["offset"].as_u64(), Some(u64::from(offset)), "{name}");
        let strides = [&member["array_stride"], &member["matrix_stride"]];
        assert!(binding.elements == 0 || strides.contains(&&json!(stride)), "{name}: {member}");
    }
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

fn comparable(kind: StageKind, seed: u64) -> Program {
    trees::random::program(seed, trees::random::Recipe { kind, comparable: true, doubles: seed % 2 == 1 })
}

fn check_glsl(kind: StageKind) {
    let Some(tool) = tool() else { return };
    let mut compared = 0;
    for seed in tools::seeds(8) {
        let program = comparable(kind, seed);
        let source = glsl::print(&program, &Options { strict: seed % 2 == 0, ..Options::new(kind) }).unwrap();
        let name = format!("{kind} program {seed}");
        let printed =
            Printed { name, kind, program: &program, text: &source.text, interface: &source.interface };
        compared += check(&tool, &printed, seed);
    }
    println!("{compared} cases");
    assert!(compared > 0);
}

#[test]
fn glsl_draws_what_the_tree_says() {
    check_glsl(StageKind::Vertex);
}

#[test]
fn glsl_emits_what_the_tree_says() {
    check_glsl(StageKind::Geometry);
}

/// The corpus in strict text, which holds for every input: a part of it, with `ALL=1` the whole.
#[test]
fn corpus_draws_what_the_tree_says() {
    let Some(tool) = tool() else { return };
    let step = if std::env::var_os("ALL").is_some() { 1 } else { 7 };
    let mut compared = 0;
    let programs = corpus_programs::programs().into_iter().filter(|sample| sample.strict && !sample.by_name);
    for Sample { name, kind, strict, program, .. } in programs.step_by(step) {
        let source = glsl::print(&program, &Options { strict, ..Options::new(kind) }).unwrap();
        let printed =
            Printed { name, kind, program: &program, text: &source.text, interface: &source.interface };
        compared += check(&tool, &printed, 7);
    }
    println!("{compared} cases");
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
    if Command::new("spirv-cross").output().is_err() {
        println!("skipped: spirv-cross is not installed");
        return;
    }
    let mut compared = 0;
    for seed in tools::seeds(8) {
        let kind = StageKind::Vertex;
        let program = comparable(kind, seed);
        let binary = naga::spirv(&program, &Options { strict: seed % 2 == 0, ..Options::new(kind) }).unwrap();
        let text = crossed(&binary.bytes());
        let name = format!("program {seed}");
        let printed = Printed { name, kind, program: &program, text: &text, interface: &binary.interface };
        compared += check(&tool, &printed, seed);
    }
    println!("{compared} cases");
    assert!(compared > 0);
}
