//! The vectors of the corpus: inputs of shaders, and what their sources made of them.

use super::lanes::{Bindings, Lane, Shared, run};
use super::{textures, words};
use serde_json::Value;
use std::path::Path;
use unshade_compile::translate::interface::{COUNTERS, Variable};
use unshade_compile::translate::{Translation, translate};
use unshade_glsl::language::Stage;
use unshade_glsl::tree::{GeometryOutput, Shader};
use unshade_glsl::types::Scalar;
use unshade_ir::Space;
use unshade_ir::exec::{Outcome, Program};

/// A shader with its vectors.
struct Vectors {
    shader: Shader,
    translation: Translation,
    program: Program,
    file: Value,
    /// Cubes mix texels of neighbouring faces, as they do but in ES.
    seamless: bool,
    /// What two right evaluations of a made-up program may differ by; of a program of the corpus its file says it.
    tolerance: Option<(f64, f64)>,
}

/// What a case came to: how many words were compared, and what differs.
#[derive(Debug, Default)]
struct Compared {
    words: usize,
    differences: Vec<String>,
}

impl Vectors {
    fn variables(&self, space: Space) -> impl Iterator<Item = &Variable> {
        self.translation.interface.variables.iter().filter(move |variable| variable.space == space)
    }

    /// The variable of a key: a location or binding, or a name.
    fn variable(&self, space: Space, key: &str) -> Option<&Variable> {
        let number = key.parse::<u32>().ok();
        self.variables(space).find(|variable| {
            variable.name == key
                || number.is_some_and(|number| variable.location == Some(number))
                || key.strip_suffix("[0]") == Some(&variable.name)
        })
    }

    /// The unit of a texture or image by its key: a binding, or a name.
    fn unit(&self, space: Space, key: &str) -> Option<u32> {
        let number = key.parse::<u32>().ok();
        let by_binding = self.variables(space).find_map(|variable| {
            let at = number?.checked_sub(variable.bound?)?;
            variable.words.get(at as usize).copied()
        });
        by_binding.or_else(|| self.variable(space, key)?.words.first().copied())
    }

    fn count(&self, space: Space) -> usize {
        let ends = self.variables(space).flat_map(|variable| {
            let before = variable.vertex_stride * variable.vertices.saturating_sub(1);
            variable.words.iter().map(move |word| word + before + 1)
        });
        ends.max().unwrap_or(0) as usize
    }

    fn put(&self, into: &mut [u32], key: &str, vertex: u32, values: &[u32]) {
        // The one geometry program of the Wii U has names of its own for what comes in.
        let key = match (key, self.shader.stage) {
            ("p", Stage::Geometry) => "gl_Position",
            ("q", Stage::Geometry) => "gA",
            (key, _) => key,
        };
        let Some(variable) = self.variable(Space::Input, key) else { return };
        // Whoever reads more than was given reads 0, 0, 1.
        for (n, word) in variable.words.iter().enumerate() {
            let value = values.get(n).copied().unwrap_or(0);
            if let Some(place) = into.get_mut((word + vertex * variable.vertex_stride) as usize) {
                *place = value;
            }
        }
    }

    fn put_known(&self, into: &mut [u32], semantic: &str, values: &[u32]) {
        for variable in self.variables(Space::Input).filter(|variable| variable.semantic == Some(semantic)) {
            for (word, value) in variable.words.iter().zip(values) {
                if let Some(place) = into.get_mut(*word as usize) {
                    *place = *value;
                }
            }
        }
    }

    fn shared(&self, case: &Value) -> Shared {
        let mut shared = Shared::default();
        let module = &self.translation.module;
        let pool = |id: &Value| words(&self.file["pool"][id.as_str().unwrap_or_default()]);
        let object = |value: &'_ Value| value.as_object().cloned().unwrap_or_default();
        for (key, id) in object(&case["ubo"]) {
            let values = if self.file["pool"].is_null() { words(&id) } else { pool(&id) };
            let number = key.parse::<u32>().ok();
            let block = module
                .blocks
                .iter()
                .find(|block| block.name == key || number.is_some_and(|number| block.binding == number + 1));
            if let Some(block) = block.or(module.blocks.first()) {
                shared.uniforms.insert(block.binding, values);
            }
        }
        let mut loose = vec![0; 4096];
        for (key, values) in object(&case["uniform"]) {
            let values = words(&values);
            if let Some(variable) = self.variable(Space::Uniform, &key) {
                for (word, value) in variable.words.iter().zip(values) {
                    loose[*word as usize] = value;
                }
            }
        }
        shared.uniforms.insert(0, loose);
        for (key, id) in object(&case["ssbo"]) {
            let number = key.parse::<u32>().ok();
            let buffer = module
                .buffers
                .iter()
                .find(|buffer| buffer.name == key || number.is_some_and(|number| buffer.binding == number));
            shared.buffers.insert(buffer.map_or(0, |buffer| buffer.binding), pool(&id));
        }
        for buffer in module.buffers.iter().filter(|buffer| buffer.binding >= COUNTERS) {
            shared.buffers.entry(buffer.binding).or_insert_with(|| vec![0; 64]);
        }
        shared.memory = vec![0; module.shared_words as usize];
        let seed = case["seed"].as_u64().unwrap_or(0) as u32;
        let filter = case["filter"].as_str().unwrap_or("nearest");
        let mut bank = unshade_isa::texture::Bank::default();
        for (key, texture) in object(&self.file["textures"]) {
            if let Some(unit) = self.unit(Space::Texture, &key) {
                let image = textures::texture(&texture, seed, filter, self.seamless);
                bank.units.insert(unit, unshade_isa::texture::Bound::Image(image));
            }
        }
        shared.pictures.textures = bank.into();
        for (key, image) in object(&self.file["images"]) {
            if let Some(unit) = self.unit(Space::Image, &key) {
                shared.pictures.images.insert(unit, textures::image(&image, seed));
            }
        }
        shared
    }

    /// A number of the system, as a word.
    fn system(case: &Value, name: &str) -> u32 {
        match &case["sys"][name] {
            Value::String(word) => u32::from_str_radix(word, 16).unwrap_or(0),
            Value::Array(words) => words.first().map_or(0, |word| super::words(word)[0]),
            value => value.as_i64().unwrap_or(0) as u32,
        }
    }

    fn case(&self, case: &Value) -> Compared {
        let mut compared = Compared::default();
        let mut shared = self.shared(case);
        let lane = Lane {
            inputs: vec![0; self.count(Space::Input)],
            outputs: vec![0; self.count(Space::Output)],
            ..Lane::default()
        };
        match self.shader.stage {
            Stage::Vertex => {
                let mut lane = lane;
                for (key, values) in case["in"].as_object().into_iter().flatten() {
                    let mut values = words(values);
                    let one = self.variable(Space::Input, key).and_then(|variable| variable.scalar);
                    let one = if one.is_some_and(Scalar::is_integer) { 1 } else { 1.0_f32.to_bits() };
                    values.extend([0, 0, 0, one].iter().skip(values.len()));
                    self.put(&mut lane.inputs, key, 0, &values);
                }
                for (semantic, name) in [
                    ("vertex-id", "VertexID"),
                    ("instance-id", "InstanceID"),
                    ("base-vertex", "BaseVertex"),
                    ("base-instance", "BaseInstance"),
                ] {
                    self.put_known(&mut lane.inputs, semantic, &[Self::system(case, name)]);
                }
                let mut lanes = [lane];
                run(&self.program, &mut lanes, &mut shared);
                self.compare_outputs(&case["out"], &lanes[0].outputs, &mut compared);
            }
            Stage::Fragment => self.quad(case, &lane, &mut shared, &mut compared),
            Stage::Compute => self.groups(case, &lane, &mut shared, &mut compared),
            Stage::TessellationControl => self.patch(case, &lane, &mut shared, &mut compared),
            Stage::TessellationEvaluation | Stage::Geometry => {
                self.primitive(case, &lane, &mut shared, &mut compared)
            }
        }
        self.compare_memory(case, &shared, &mut compared);
        compared
    }

    fn quad(&self, case: &Value, lane: &Lane, shared: &mut Shared, compared: &mut Compared) {
        let pixels = case["in"]
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(_, lanes)| Some(lanes.as_array()?.len()));
        let count = pixels.chain(case["sys"]["FragCoord"].as_array().map(Vec::len)).max().unwrap_or(4);
        let mut lanes = vec![lane.clone(); count];
        for (pixel, lane) in lanes.iter_mut().enumerate() {
            for (key, values) in case["in"].as_object().into_iter().flatten() {
                self.put(&mut lane.inputs, key, 0, &words(&values[pixel]));
            }
            let each = |name: &str| words(&case["sys"][name][pixel]);
            self.put_known(&mut lane.inputs, "frag-coord", &each("FragCoord"));
            self.put_known(&mut lane.inputs, "point-coord", &each("PointCoord"));
            let front = Self::system(case, "FrontFacing");
            let front = if front == 0 { 0.0_f32 } else { 1.0 };
            self.put_known(&mut lane.inputs, "front-facing", &[front.to_bits()]);
            self.put_known(&mut lane.inputs, "primitive-id", &[Self::system(case, "PrimitiveID")]);
            self.put_known(&mut lane.inputs, "sample-position", &[0.5_f32.to_bits(); 2]);
            self.put_known(&mut lane.inputs, "sample-mask-in", &[1]);
            if let Some(corners) = case["corners"].as_object() {
                let mut slopes = [vec![0.0; lane.inputs.len()], vec![0.0; lane.inputs.len()]];
                for (key, values) in corners {
                    let Some(variable) = self.variable(Space::Input, key) else { continue };
                    let corner = |n: usize| words(&values[n]);
                    let (at, right, up) = (corner(0), corner(1), corner(2));
                    for (n, word) in variable.words.iter().enumerate() {
                        let value = |from: &[u32]| f32::from_bits(from.get(n).copied().unwrap_or(0));
                        slopes[0][*word as usize] = (value(&right) - value(&at)) / 4.0;
                        slopes[1][*word as usize] = (value(&up) - value(&at)) / 4.0;
                    }
                }
                lane.slopes = Some(slopes);
            }
        }
        let outcomes = run(&self.program, &mut lanes, shared);
        let discarded =
            if case["out"]["discard"].is_null() { &case["discard"] } else { &case["out"]["discard"] };
        for (pixel, (lane, outcome)) in lanes.iter().zip(&outcomes).enumerate() {
            let was = discarded[pixel].as_u64().unwrap_or(0) != 0;
            compared.words += 1;
            if was != (*outcome == Outcome::Discarded) {
                compared
                    .differences
                    .push(format!("pixel {pixel}: expected discarded {was}, found {outcome:?}"));
                continue;
            }
            if was {
                continue;
            }
            for (key, values) in case["out"].as_object().into_iter().flatten() {
                let Some(words) = values.get(pixel).filter(|value| value.is_string()) else { continue };
                let key = if key == "depth" { "gl_FragDepth" } else { key };
                self.compare(key, &super::words(words), &lane.outputs, 0, compared);
            }
        }
    }

    fn groups(&self, case: &Value, lane: &Lane, shared: &mut Shared, compared: &mut Compared) {
        let side = |axis: usize| case["groups"][axis].as_u64().unwrap_or(1) as u32;
        let size = self.shader.layout.work_group.size;
        for z in 0..side(2) {
            for y in 0..side(1) {
                for x in 0..side(0) {
                    let mut lanes = Vec::new();
                    for local in 0..size[0] * size[1] * size[2] {
                        let mut lane = lane.clone();
                        let place = [local % size[0], local / size[0] % size[1], local / size[0] / size[1]];
                        self.put_known(&mut lane.inputs, "local-id", &place);
                        self.put_known(&mut lane.inputs, "workgroup-id", &[x, y, z]);
                        self.put_known(&mut lane.inputs, "workgroup-count", &[side(0), side(1), side(2)]);
                        lanes.push(lane);
                    }
                    shared.memory.fill(0);
                    for outcome in run(&self.program, &mut lanes, shared) {
                        if outcome != Outcome::Ended {
                            compared.differences.push(format!("{outcome:?}"));
                        }
                    }
                }
            }
        }
    }

    fn vertices_of(&self, case: &Value, lane: &mut Lane) {
        for (key, values) in case["in"].as_object().into_iter().flatten() {
            match values.as_array() {
                Some(vertices) => {
                    for (vertex, values) in vertices.iter().enumerate() {
                        self.put(&mut lane.inputs, key, vertex as u32, &words(values));
                    }
                }
                None => self.put(&mut lane.inputs, key, 0, &words(values)),
            }
        }
        self.put_known(&mut lane.inputs, "patch-vertices", &[Self::system(case, "PatchVerticesIn")]);
        let known = if case["sys"]["PrimitiveIDIn"].is_null() { "PrimitiveID" } else { "PrimitiveIDIn" };
        self.put_known(&mut lane.inputs, "primitive-id", &[Self::system(case, known)]);
    }

    fn patch(&self, case: &Value, lane: &Lane, shared: &mut Shared, compared: &mut Compared) {
        let count = self.shader.layout.tessellation.vertices.unwrap_or(1);
        shared.outputs = Some(lane.outputs.clone());
        let mut lanes = vec![lane.clone(); count as usize];
        for (number, lane) in lanes.iter_mut().enumerate() {
            self.vertices_of(case, lane);
            self.put_known(&mut lane.inputs, "invocation-id", &[number as u32]);
        }
        run(&self.program, &mut lanes, shared);
        let outputs = shared.outputs.clone().unwrap_or_default();
        let (outer, inner) = match self.file["domain"].as_str() {
            Some("triangles") => (3, 1),
            Some("isolines") => (2, 0),
            _ => (4, 2),
        };
        for (key, values) in case["out"].as_object().into_iter().flatten() {
            match values.as_array() {
                Some(vertices) => {
                    for (vertex, values) in vertices.iter().enumerate() {
                        self.compare(key, &words(values), &outputs, vertex as u32, compared);
                    }
                }
                None => {
                    let mut wanted = words(values);
                    match key.as_str() {
                        "gl_TessLevelOuter" => wanted.truncate(outer),
                        "gl_TessLevelInner" => wanted.truncate(inner),
                        _ => {}
                    }
                    if values.is_string() {
                        self.compare(key, &wanted, &outputs, 0, compared);
                    }
                }
            }
        }
    }

    fn primitive(&self, case: &Value, lane: &Lane, shared: &mut Shared, compared: &mut Compared) {
        let mut lane = lane.clone();
        self.vertices_of(case, &mut lane);
        let wanted = case["out"]["vertices"].as_array().cloned().unwrap_or_default();
        if self.shader.stage == Stage::TessellationEvaluation {
            for vertex in &wanted {
                let mut lanes = [lane.clone()];
                self.put_known(&mut lanes[0].inputs, "tess-coord", &words(&vertex["tc"]));
                run(&self.program, &mut lanes, shared);
                self.compare_outputs(vertex, &lanes[0].outputs, compared);
            }
            return;
        }
        let mut made = Vec::new();
        for invocation in 0..self.shader.layout.geometry.invocations.unwrap_or(1) {
            let mut lanes = [lane.clone()];
            self.put_known(&mut lanes[0].inputs, "invocation-id", &[invocation]);
            run(&self.program, &mut lanes, shared);
            let mut strip: Vec<Vec<u32>> = Vec::new();
            let ends = std::iter::once((0, None));
            for (stream, vertex) in std::mem::take(&mut lanes[0].vertices).into_iter().chain(ends) {
                match vertex {
                    Some(words) if stream == 0 => strip.push(words),
                    Some(_) => {}
                    None if stream == 0 => made.extend(self.parts(&std::mem::take(&mut strip))),
                    None => {}
                }
            }
        }
        compared.words += 1;
        if made.len() != wanted.len() {
            compared.differences.push(format!("expected {} vertices, found {}", wanted.len(), made.len()));
            return;
        }
        for (wanted, made) in wanted.iter().zip(&made) {
            self.compare_outputs(wanted, made, compared);
        }
    }

    /// The points, lines or triangles of a strip, as transform feedback has them.
    fn parts(&self, strip: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let size = match self.shader.layout.geometry.output {
            Some(GeometryOutput::LineStrip) => 2,
            Some(GeometryOutput::TriangleStrip) => 3,
            _ => 1,
        };
        let mut vertices = Vec::new();
        for (number, part) in strip.windows(size).enumerate() {
            let mut part = part.to_vec();
            if size == 3 && number % 2 == 1 {
                part.swap(0, 1);
            }
            vertices.extend(part);
        }
        vertices
    }

    fn compare_outputs(&self, wanted: &Value, outputs: &[u32], compared: &mut Compared) {
        for (key, values) in wanted.as_object().into_iter().flatten() {
            if values.is_string() && key != "tc" {
                self.compare(key, &words(values), outputs, 0, compared);
            }
        }
    }

    fn compare(&self, key: &str, wanted: &[u32], outputs: &[u32], vertex: u32, compared: &mut Compared) {
        let key =
            if key == "gl_FragColor" && self.variable(Space::Output, key).is_none() { "0" } else { key };
        let Some(variable) = self.variable(Space::Output, key) else {
            // What the source does not write.
            if !key.starts_with("gl_") {
                compared.differences.push(format!("there is no output {key}"));
            }
            return;
        };
        let scalar = variable.scalar.unwrap_or(Scalar::Float);
        for (n, (word, wanted)) in variable.words.iter().zip(wanted).enumerate() {
            let found = outputs.get((word + vertex * variable.vertex_stride) as usize).copied().unwrap_or(0);
            compared.words += 1;
            let equal = match scalar {
                Scalar::Float => self.near(f32::from_bits(*wanted), f32::from_bits(found)),
                Scalar::Double => true,
                _ => *wanted == found,
            };
            if !equal {
                let shown = |word: u32| format!("{word:08x} ({})", f32::from_bits(word));
                compared.differences.push(format!(
                    "{key}[{n}]: expected {}, found {}",
                    shown(*wanted),
                    shown(found)
                ));
            }
        }
    }

    fn near(&self, wanted: f32, found: f32) -> bool {
        if wanted.to_bits() == found.to_bits() || (wanted.is_nan() && found.is_nan()) || wanted == found {
            return true;
        }
        let tol = &self.file["tol"];
        let number = |name: &str, otherwise: f64| tol[name].as_f64().unwrap_or(otherwise);
        let (mut relative, mut absolute) = (number("rel", 1e-4).max(1e-4), number("abs", 1e-5).max(1e-5));
        if let Some(both) = tol["abs_or_rel"].as_f64() {
            (relative, absolute) = (both.max(2e-5), both.max(2e-5));
        }
        if let Some(tolerance) = self.tolerance {
            (absolute, relative) = tolerance;
        }
        let (wanted, found) = (f64::from(wanted), f64::from(found));
        (wanted - found).abs() <= absolute + relative * wanted.abs()
    }

    fn compare_memory(&self, case: &Value, shared: &Shared, compared: &mut Compared) {
        let skipped = |key: &str, at: usize| {
            let ignored = &self.file["ignore"][key];
            ignored == "all"
                || ignored
                    .as_array()
                    .is_some_and(|words| words.iter().any(|word| word.as_u64() == Some(at as u64)))
        };
        let mut check = |key: &str, wanted: Vec<u32>, found: &[u32], floats: bool| {
            for (at, wanted) in wanted.iter().enumerate().filter(|(at, _)| !skipped(key, *at)) {
                compared.words += 1;
                let found = found.get(at).copied().unwrap_or(0);
                let near = |bits: u32| self.near(f32::from_bits(*wanted), f32::from_bits(bits));
                if *wanted != found && !(floats && near(found)) {
                    compared
                        .differences
                        .push(format!("{key}[{at}]: expected {wanted:08x}, found {found:08x}"));
                }
            }
        };
        for (key, values) in case["out"]["ssbo"].as_object().into_iter().flatten() {
            let buffer = key.parse::<u32>().unwrap_or(0);
            let of = |bindings: &Bindings| bindings.get(&buffer).cloned().unwrap_or_default();
            check(&format!("ssbo.{key}"), words(values), &of(&shared.buffers), true);
        }
        for (key, values) in case["out"]["img"].as_object().into_iter().flatten() {
            let image = self.unit(Space::Image, key).and_then(|unit| shared.pictures.images.get(&unit));
            let bytes = image.map(|image| image.bytes.clone()).unwrap_or_default();
            let found: Vec<u32> = bytes
                .chunks(4)
                .map(|word| {
                    let mut bytes = [0; 4];
                    bytes[..word.len()].copy_from_slice(word);
                    u32::from_le_bytes(bytes)
                })
                .collect();
            let format = self.file["images"][key]["format"].as_str().unwrap_or_default();
            if matches!(format, "rgba8" | "rgba16f") {
                // A step of a byte, or of a float of 16 bits, is what rounding may do.
                let wanted = words(values);
                let bytes = format == "rgba8";
                let near = |a: u32, b: u32| match bytes {
                    true => a.to_le_bytes().iter().zip(b.to_le_bytes()).all(|(a, b)| a.abs_diff(b) <= 1),
                    false => (a & 0xffff).abs_diff(b & 0xffff) <= 1 && (a >> 16).abs_diff(b >> 16) <= 1,
                };
                let close: Vec<u32> =
                    wanted.iter().zip(&found).map(|(a, b)| if near(*a, *b) { *a } else { *b }).collect();
                check(&format!("img.{key}"), wanted, &close, false);
            } else {
                check(&format!("img.{key}"), words(values), &found, format.ends_with("32f"));
            }
        }
    }
}

/// Reads, translates and runs all vectors of a folder: how many programs, cases, words, and what differs.
fn folder_of(
    vectors: &Path,
    sources: impl Fn(&str) -> std::path::PathBuf,
    seamless: bool,
    tolerance: Option<(f64, f64)>,
) -> (usize, usize, usize, Vec<String>) {
    let mut names: Vec<String> = std::fs::read_dir(vectors)
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".json")?.to_owned()))
        .filter(|name| !name.starts_with('_'))
        .collect();
    names.sort();
    let only = std::env::var("UNSHADE_ONLY").ok();
    let (mut programs, mut cases, mut words, mut wrong) = (0, 0, 0, Vec::new());
    for name in names.iter().filter(|name| only.as_ref().is_none_or(|only| name.contains(only.as_str()))) {
        let file: Value =
            serde_json::from_str(&std::fs::read_to_string(vectors.join(format!("{name}.json"))).unwrap())
                .unwrap();
        let path = sources(file["shader"].as_str().unwrap());
        let text = std::fs::read_to_string(&path).unwrap();
        let shader = match super::read(&path, &text) {
            Ok(shader) => shader,
            Err(message) => {
                wrong.push(format!("{name}: {message}"));
                continue;
            }
        };
        let translation = match translate(&shader) {
            Ok(translation) => translation,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        let program = match Program::new(&translation.module) {
            Ok(program) => program,
            Err(refusal) => {
                wrong.push(format!("{name}: {refusal}"));
                continue;
            }
        };
        programs += 1;
        let vectors = Vectors { shader, translation, program, file, seamless, tolerance };
        let mut differ = 0;
        let mut first = String::new();
        for (number, case) in vectors.file["cases"].as_array().unwrap().iter().enumerate() {
            let compared = vectors.case(case);
            cases += 1;
            words += compared.words;
            if let Some(difference) = compared.differences.first() {
                if differ == 0 {
                    first = format!("case {number}: {difference}");
                }
                differ += 1;
            }
        }
        if differ > 0 {
            wrong.push(format!("{name}: {differ} cases differ; {first}"));
        }
    }
    println!("{}: {programs} programs, {cases} cases, {words} words", vectors.display());
    wrong.iter().for_each(|line| println!("{line}"));
    (programs, cases, words, wrong)
}

fn corpus(folder: &str) -> Option<std::path::PathBuf> {
    let path = unshade_corpus::shared("corpus").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: no corpus at {}", path.display());
    None
}

/// Programs of which some cases differ, and how many, for reasons that are not the translation's: the same as those of the compiled
/// programs on the machine (`vectors.rs` of the library's tests of Maxwell).
const KNOWN: [&str; 5] = [
    // Levels at their borders.
    "f04_lodbias.frag: 2 cases",
    // What software OpenGL answers where there are no slopes.
    "f07_fetch_query.frag: 21 cases",
    // In which order lanes reach a counter.
    "f15_ssbo.frag: 24 cases",
    // A slope behind a return.
    "f22_earlyret.frag: 2 cases",
    // A fraction of a large number.
    "v07_noise_loop.vert: 1 cases",
];

#[test]
fn sources_of_the_switch() {
    let Some(folder) = corpus("maxwell") else { return };
    let (programs, cases, words, wrong) =
        folder_of(&folder.join("vectors"), |name| folder.join("glsl").join(name), true, None);
    let unknown = wrong.iter().filter(|line| !KNOWN.iter().any(|known| line.starts_with(known)));
    assert_eq!(unknown.collect::<Vec<_>>(), [""; 0]);
    assert!(programs >= 42 && cases >= 990 && words >= 80_000);
}

#[test]
fn sources_of_mali() {
    let Some(folder) = corpus("mbs") else { return };
    let (programs, cases, words, wrong) =
        folder_of(&folder.join("vectors"), |name| folder.join("lima-out").join(name), false, None);
    assert_eq!(wrong, [""; 0]);
    assert!(programs >= 67 && cases >= 1600 && words >= 20_000);
}

#[test]
fn sources_of_the_wii_u() {
    let Some(folder) = corpus("gfd/r700") else { return };
    let (programs, cases, words, wrong) =
        folder_of(&folder.join("vectors"), |name| folder.join("src").join(name), true, None);
    assert_eq!(wrong, [""; 0]);
    assert!(programs >= 67 && cases >= 1600 && words >= 15_000);
}

/// Vectors of other programs, where a folder with `src` and `vectors` is named.
#[test]
fn sources_of_others() {
    let Some(folder) = std::env::var_os("UNSHADE_VECTORS") else { return };
    let folder = Path::new(&folder);
    let (programs, _, _, wrong) =
        folder_of(&folder.join("vectors"), |name| folder.join("src").join(name), true, Some((5e-4, 2e-4)));
    println!("{} of {programs} differ", wrong.len());
    assert!(wrong.is_empty());
}
