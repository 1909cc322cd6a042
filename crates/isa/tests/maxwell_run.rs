//! The interpreter on real programs: what it computes beside what the original shaders gave on software OpenGL. The
//! files lie beside the checkout; without them the test says so and passes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use unshade_ir::{CompareFloat, ImageFormat, Texel, TextureShape};
use unshade_isa::maxwell::exec::{
    Attributes, End, Event, Lane, Outcome, Program, Resources, special_number, work_group,
};
use unshade_isa::texture::{Bank, Bound, Filter, Image, Pictures, Sampler, Storage, texel_byte};
use unshade_stage::maxwell::Driver;
use unshade_stage::{Maxwell, StageKind};

const FUEL: u64 = 20_000_000;

fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    if folder.join("run/maxwell").is_dir() {
        return Some(folder);
    }
    println!("skipped: no corpus beside the checkout ({})", folder.display());
    None
}

/// Words of a value; `None`: not compared.
fn words(file: &Value, text: &str) -> Vec<Option<u32>> {
    let text = match text.strip_prefix('@') {
        Some(id) => file["pool"][id].as_str().unwrap(),
        None => text,
    };
    text.split_ascii_whitespace()
        .map(|word| (word != "-").then(|| u32::from_str_radix(word, 16).unwrap()))
        .collect()
}

/// Words of a value that is all there.
fn all_words(file: &Value, text: &str) -> Vec<u32> {
    words(file, text).into_iter().map(|word| word.unwrap()).collect()
}

/// The text of a value for one lane; `None`: not compared.
fn of_lane(value: &Value, lane: usize) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        Value::Array(lanes) => lanes.get(lane)?.as_str(),
        _ => None,
    }
}

/// Header and case together: the case wins, key by key in each space.
fn merged(file: &Value, case: &Value) -> BTreeMap<String, Map<String, Value>> {
    let mut all: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    for part in [&file["in"], &case["in"]] {
        for (space, entries) in part.as_object().into_iter().flatten() {
            let place = all.entry(space.clone()).or_default();
            place.extend(entries.as_object().unwrap().clone());
        }
    }
    all
}

fn shape(target: &str) -> TextureShape {
    match target {
        "1D" => TextureShape::Line,
        "2D" => TextureShape::Plane,
        "3D" => TextureShape::Volume,
        "Cube" => TextureShape::Cube,
        "1DArray" => TextureShape::LineArray,
        "2DArray" => TextureShape::PlaneArray,
        "CubeArray" => TextureShape::CubeArray,
        "2DMS" => TextureShape::PlaneSamples,
        "2DMSArray" => TextureShape::PlaneSamplesArray,
        "Buffer" => TextureShape::Buffer,
        other => panic!("{other}"),
    }
}

fn numbers(value: &Value) -> [u32; 3] {
    std::array::from_fn(|n| value[n].as_u64().unwrap_or(1) as u32)
}

/// A texture by formula.
fn texture(entry: &Value, case: &Value) -> Image {
    let shape = shape(entry["target"].as_str().unwrap());
    let size = numbers(&entry["size"]);
    let seed = entry["seed"].as_u64().unwrap_or(0) + case["seed"].as_u64().unwrap_or(0);
    let kind = entry["kind"].as_str().unwrap_or("f");
    let count = entry["levels"].as_u64().unwrap_or(1) as u32;
    let samples = entry["samples"].as_u64().unwrap_or(1) as u32;
    let volume = shape == TextureShape::Volume;
    let mut levels = Vec::new();
    for n in 0..count.max(samples) {
        let (level, sample) = if shape.has_samples() { (0, n) } else { (n, 0) };
        let [width, height] = [size[0], size[1]].map(|side| (side >> level).max(1));
        let height = if shape.axes() == 1 { 1 } else { height };
        let depth = if volume { (size[2] >> level).max(1) } else { size[2] };
        let mut texels = Vec::new();
        for z in 0..depth {
            for y in 0..height {
                for x in 0..width {
                    texels.push(std::array::from_fn(|channel| {
                        let byte = texel_byte([x, y, z], level, channel as u32, sample, seed as u32);
                        match kind {
                            "i" => (i32::from(byte) - 128) as u32,
                            "u" => byte.into(),
                            _ => (f32::from(byte) / 256.0).to_bits(),
                        }
                    }));
                }
            }
        }
        levels.push(texels);
    }
    let filter = if case["filter"] == "linear" { Filter::Linear } else { Filter::Nearest };
    let texel = match kind {
        "i" => Texel::Int,
        "u" => Texel::Uint,
        _ => Texel::Float,
    };
    let cubes = matches!(shape, TextureShape::Cube | TextureShape::CubeArray);
    let size = if cubes { [size[0], size[1], size[2] / 6] } else { size };
    let sampler = Sampler {
        min: filter,
        mag: filter,
        mip: Some(Filter::Nearest),
        compare: CompareFloat::Le,
        seamless: true,
        ..Sampler::default()
    };
    Image { shape, size, texel, levels, sampler }
}

/// An image by formula.
fn storage(entry: &Value, case: &Value) -> Storage {
    let name = entry["format"].as_str().unwrap();
    let format = ImageFormat::ALL.into_iter().find(|format| format.name() == name).unwrap();
    let size = numbers(&entry["size"]);
    let seed = (entry["seed"].as_u64().unwrap_or(0) + case["seed"].as_u64().unwrap_or(0)) as u32;
    let channels = if name.starts_with("rgba") { 4 } else { 1 };
    let mut bytes = Vec::new();
    for z in 0..size[2] {
        for y in 0..size[1] {
            for x in 0..size[0] {
                for channel in 0..channels {
                    let byte = texel_byte([x, y, z], 0, channel, 0, seed);
                    match name {
                        "rgba8" => bytes.push(byte),
                        "rgba16f" => {
                            let exact = half(f32::from(byte) / 256.0);
                            bytes.extend(exact.to_le_bytes());
                        }
                        "r32f" => bytes.extend((f32::from(byte) / 256.0).to_le_bytes()),
                        _ => bytes.extend(u32::from(byte).to_le_bytes()),
                    }
                }
            }
        }
    }
    Storage { shape: shape(entry["target"].as_str().unwrap()), size, format, bytes }
}

/// A multiple of 1/256 below 1 as a binary16: always exact.
fn half(value: f32) -> u16 {
    if value == 0.0 {
        return 0;
    }
    let bits = value.to_bits();
    let exponent = (bits >> 23) as i32 - 127 + 15;
    (exponent as u16) << 10 | (bits >> 13 & 0x3ff) as u16
}

/// One case, ready to run.
struct Setup {
    lanes: Vec<Lane>,
    resources: Resources,
    pictures: Pictures,
}

fn setup(file: &Value, case: &Value, lanes: usize) -> Setup {
    let inputs = merged(file, case);
    let mut lanes: Vec<Lane> = (0..lanes).map(|_| Lane::default()).collect();
    let mut resources = Resources::default();
    let hex = |text: &str| u64::from_str_radix(text, 16).unwrap();
    for (space, entries) in &inputs {
        for (key, value) in entries {
            match space.as_str() {
                "a" => {
                    for (n, lane) in lanes.iter_mut().enumerate() {
                        let words = all_words(file, of_lane(value, n).unwrap());
                        lane.attributes.set_all(hex(key) as u32, &words);
                    }
                }
                "corners" => {
                    let [base, right, up] = [0, 1, 2].map(|n| all_words(file, of_lane(value, n).unwrap()));
                    for (n, base) in base.iter().enumerate() {
                        let at = hex(key) as u32 + 4 * n as u32;
                        resources.planes.insert(at, [*base, right[n], up[n]]);
                    }
                }
                "av" => {
                    for (n, text) in value.as_array().unwrap().iter().enumerate() {
                        if resources.vertices.len() <= n {
                            resources.vertices.resize(n + 1, Attributes::default());
                        }
                        let words = all_words(file, text.as_str().unwrap());
                        resources.vertices[n].set_all(hex(key) as u32, &words);
                    }
                }
                "p" => {
                    let words = all_words(file, value.as_str().unwrap());
                    resources.patch.set_all(hex(key) as u32, &words);
                }
                "c" => {
                    let (bank, offset) = key.split_once(':').unwrap();
                    let words = all_words(file, value.as_str().unwrap());
                    resources.set_constants(hex(bank) as u8, hex(offset) as u32, &words);
                }
                "g" => {
                    let words = all_words(file, value.as_str().unwrap());
                    resources.global.regions.insert(hex(key), words);
                }
                "sr" => {
                    let number = special_number(key).unwrap();
                    for (n, lane) in lanes.iter_mut().enumerate() {
                        let word = hex(of_lane(value, n).unwrap()) as u32;
                        lane.special.insert(number, word);
                    }
                }
                "sys" => {
                    let value = value.as_u64().unwrap_or(0) as u32;
                    for lane in &mut lanes {
                        match key.as_str() {
                            "SampleMaskIn" => lane.sample_mask = value,
                            "SampleID" => lane.sample = value,
                            _ => {}
                        }
                    }
                }
                other => panic!("space {other}"),
            }
        }
    }
    let mut bank = Bank::default();
    for (unit, entry) in file["textures"].as_object().into_iter().flatten() {
        bank.units.insert(hex(unit) as u32, Bound::Image(texture(entry, case)));
    }
    let mut images = BTreeMap::new();
    for (unit, entry) in file["images"].as_object().into_iter().flatten() {
        images.insert(hex(unit) as u32, storage(entry, case));
    }
    Setup { lanes, resources, pictures: Pictures { textures: bank, images } }
}

/// Compares words as the file wants it.
struct Check<'a> {
    name: &'a str,
    file: &'a Value,
    problems: Vec<String>,
}

impl Check<'_> {
    fn word(&mut self, what: &str, exact: bool, got: u32, want: u32) {
        if got == want {
            return;
        }
        let (a, b) = (f32::from_bits(got), f32::from_bits(want));
        if !exact {
            let tol = |name: &str| self.file["tol"][name].as_f64();
            let error = (f64::from(a) - f64::from(b)).abs();
            let close = a.is_nan() && b.is_nan()
                || a == b
                || tol("abs").is_some_and(|limit| error <= limit)
                || tol("rel").is_some_and(|limit| error <= limit * f64::from(b).abs().max(1.0));
            let looser = LOOSER.iter().find(|(file, ..)| *file == self.name);
            if close || error <= looser.map_or(1e-37, |(_, limit, _)| *limit) {
                return;
            }
        }
        self.problems.push(format!("{what}: {got:08x} ({a:?}), expected {want:08x} ({b:?})"));
    }

    fn words(&mut self, space: &str, key: &str, text: &str, got: impl Fn(usize) -> u32) {
        let exact =
            self.file["exact"].as_array().is_some_and(|all| all.contains(&format!("{space}:{key}").into()));
        for (n, want) in words(self.file, text).into_iter().enumerate() {
            let place = format!("{space}:{key}");
            let skipped = NOT_COMPARED
                .iter()
                .any(|(file, at, word, _)| *file == self.name && *at == place && *word == n);
            if let Some(want) = want.filter(|_| !skipped) {
                self.word(&format!("{space}:{key}[{n}]"), exact, got(n), want);
            }
        }
    }
}

/// Vertices of the strips of stream 0 and the others, split.
fn split(events: &[Event], output: &str) -> Vec<Attributes> {
    let mut vertices = Vec::new();
    for stream in 0..4 {
        let mut strip: Vec<&Attributes> = Vec::new();
        let flush = |strip: &mut Vec<&Attributes>, vertices: &mut Vec<Attributes>| {
            match output {
                "points" => vertices.extend(strip.iter().map(|vertex| (*vertex).clone())),
                "line_strip" => {
                    for pair in strip.windows(2) {
                        vertices.extend(pair.iter().map(|vertex| (*vertex).clone()));
                    }
                }
                _ => {
                    for (n, three) in strip.windows(3).enumerate() {
                        let order = if n % 2 == 0 { [0, 1, 2] } else { [1, 0, 2] };
                        vertices.extend(order.map(|k| three[k].clone()));
                    }
                }
            }
            strip.clear();
        };
        for event in events {
            match event {
                Event::Vertex { stream: of, outputs } if *of == stream => strip.push(outputs),
                Event::Cut { stream: of } if *of == stream => flush(&mut strip, &mut vertices),
                _ => {}
            }
        }
        flush(&mut strip, &mut vertices);
    }
    vertices
}

fn run(name: &str, program: &Program, file: &Value, case: &Value, check: &mut Check<'_>) -> Outcome {
    let stage = file["stage"].as_str().unwrap();
    let count = match stage {
        "tess-control" => file["invocations"].as_u64().unwrap() as usize,
        "tess-eval" => match &case["in"]["a"]["2f0"] {
            Value::Array(lanes) => lanes.len(),
            _ => 1,
        },
        "geometry" | "compute" => 1,
        _ => case["lanes"].as_u64().or(file["lanes"].as_u64()).unwrap_or(1) as usize,
    };
    let mut setup = setup(file, case, count);
    if ATOMICS_SWAPPED.contains(&name) {
        setup.lanes.swap(2, 3);
    }
    let mut outcome = Outcome { end: End::Ended, steps: 0 };
    let mut events = Vec::new();
    match stage {
        "tess-control" => {
            for (n, lane) in setup.lanes.iter_mut().enumerate() {
                lane.special.insert(17, n as u32);
            }
            if file["order"] == "sequential" {
                for lane in &mut setup.lanes {
                    lane.special.insert(0, 0);
                    let lane = std::slice::from_mut(lane);
                    outcome = program.run(lane, &mut setup.resources, &mut setup.pictures, FUEL);
                }
            } else {
                outcome = program.run(&mut setup.lanes, &mut setup.resources, &mut setup.pictures, FUEL);
            }
        }
        "geometry" => {
            for n in 0..file["invocations"].as_u64().unwrap_or(1) {
                let mut lanes = vec![setup.lanes[0].clone()];
                lanes[0].special.insert(17, n as u32);
                outcome = program.run(&mut lanes, &mut setup.resources, &mut setup.pictures, FUEL);
                events.append(&mut lanes[0].events);
                events.extend((0..4).map(|stream| Event::Cut { stream }));
            }
        }
        "compute" => {
            let block = numbers(&file["block"]);
            let grid = if case["grid"].is_array() { numbers(&case["grid"]) } else { [1; 3] };
            for z in 0..grid[2] {
                for y in 0..grid[1] {
                    for x in 0..grid[0] {
                        let mut lanes = work_group(block, [x, y, z]);
                        for lane in &mut lanes {
                            for (number, value) in &setup.lanes[0].special {
                                lane.special.insert(*number, *value);
                            }
                        }
                        setup.resources.shared = Default::default();
                        outcome = program.run(&mut lanes, &mut setup.resources, &mut setup.pictures, FUEL);
                        if outcome.end != End::Ended {
                            return outcome;
                        }
                    }
                }
            }
        }
        _ => outcome = program.run(&mut setup.lanes, &mut setup.resources, &mut setup.pictures, FUEL),
    }
    if outcome.end != End::Ended {
        return outcome;
    }
    if ATOMICS_SWAPPED.contains(&name) {
        setup.lanes.swap(2, 3);
    }
    let hex = |text: &str| u64::from_str_radix(text, 16).unwrap();
    let killed = |lane: usize| case["out"]["discard"][lane].as_u64() == Some(1);
    for (space, entries) in case["out"].as_object().unwrap() {
        match space.as_str() {
            "discard" => {
                for (n, want) in entries.as_array().unwrap().iter().enumerate() {
                    let got = u32::from(setup.lanes[n].killed);
                    check.word(&format!("discard[{n}]"), true, got, want.as_u64().unwrap() as u32);
                }
            }
            "vertices" => {
                let vertices = split(&events, file["prim_out"].as_str().unwrap());
                let want = entries.as_array().unwrap();
                check.word("vertices", true, vertices.len() as u32, want.len() as u32);
                for (vertex, want) in vertices.iter().zip(want) {
                    for (key, text) in want.as_object().unwrap() {
                        let at = hex(key) as u32;
                        check.words("a", key, text.as_str().unwrap(), |n| vertex.get(at + 4 * n as u32));
                    }
                }
            }
            _ => {
                for (key, value) in entries.as_object().unwrap() {
                    let at = if space == "r" { 0 } else { hex(key) };
                    match space.as_str() {
                        "a" | "av" => {
                            for (n, lane) in setup.lanes.iter().enumerate() {
                                let Some(text) = of_lane(value, n) else { continue };
                                check.words(space, key, text, |k| lane.outputs.get(at as u32 + 4 * k as u32));
                            }
                        }
                        "p" => {
                            let patch = &setup.resources.patch;
                            let text = value.as_str().unwrap();
                            check.words(space, key, text, |k| patch.get(at as u32 + 4 * k as u32));
                        }
                        "r" => {
                            let first: usize = key.parse().unwrap();
                            for (n, lane) in setup.lanes.iter().enumerate().filter(|(n, _)| !killed(*n)) {
                                let Some(text) = of_lane(value, n) else { continue };
                                let key = &key.to_string();
                                // The depth, behind the colours, is clamped.
                                let depth = !first.is_multiple_of(4);
                                check.words(space, key, text, |k| {
                                    let bits = lane.registers[first + k];
                                    if depth { f32::from_bits(bits).clamp(0.0, 1.0).to_bits() } else { bits }
                                });
                            }
                        }
                        "g" => {
                            let global = &setup.resources.global;
                            check.words(space, key, value.as_str().unwrap(), |k| {
                                global.read(at + 4 * k as u64)
                            });
                        }
                        "img" => {
                            let bytes = &setup.pictures.images[&(at as u32)].bytes;
                            check.words(space, key, value.as_str().unwrap(), |k| {
                                let word = bytes[4 * k..][..4].try_into().unwrap();
                                u32::from_le_bytes(word)
                            });
                        }
                        other => panic!("space {other}"),
                    }
                }
            }
        }
    }
    outcome
}

/// The reference did the atomic operations of a quad in the order 0, 1, 3, 2.
const ATOMICS_SWAPPED: &[&str] = &["f15_ssbo.frag"];

/// Files of which not every case is as the reference has it, how many are, and why.
const KNOWN: &[(&str, usize, &str)] = &[
    ("f02_alltex.frag", 22, "a level of detail of cubes whose pixels lie on two faces"),
    ("f03_shadow.frag", 23, "a level of detail of cubes whose pixels lie on two faces"),
    ("f04_lodbias.frag", 20, "levels of cubes: pixels on two faces, a direction on the edge of two"),
    ("f05_grad.frag", 11, "the code makes gradients of cubes by moving the other pixels of the quad"),
    ("f15_ssbo.frag", 16, "the reference's order of a quad's atomic operations is not always 0, 1, 3, 2"),
    ("f22_earlyret.frag", 22, "samples where pixels of the quad have ended: their coordinates are undefined"),
    ("v07_noise_loop.vert", 23, "one case: the hash multiplies the error of a sine by 43758"),
];

/// Words that say something else in the reference, and why.
const NOT_COMPARED: &[(&str, &str, usize, &str)] =
    &[("f07_fetch_query.frag", "r:0", 1, "the unclamped level of detail, which the reference approximates")];

/// Absolute errors beyond the file's tolerance, and why.
const LOOSER: &[(&str, f64, &str)] = &[
    ("f09_interp.frag", 5e-5, "the code holds an offset of 0.1 in twelve bits"),
    ("v02_skin.vert", 1e-2, "sums of several hundred; the machine fuses, the reference does not"),
];

#[test]
fn programs_compute_what_their_shaders_do() {
    let Some(corpus) = corpus() else { return };
    let only = std::env::var("UNSHADE_RUN_ONLY").unwrap_or_default();
    let mut files: Vec<_> =
        std::fs::read_dir(corpus.join("run/maxwell")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if !name.contains(&only) {
            continue;
        }
        let file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let code = file["also"][0].as_str().unwrap();
        let bytes = std::fs::read(corpus.join(code)).unwrap();
        let code: Vec<u32> =
            bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        let kind = match file["stage"].as_str().unwrap() {
            "vertex" => StageKind::Vertex,
            "fragment" => StageKind::Fragment,
            "geometry" => StageKind::Geometry,
            "tess-control" => StageKind::TessControl,
            "tess-eval" => StageKind::TessEval,
            _ => StageKind::Compute,
        };
        let program = Program::with(kind, &code, 0, Maxwell { driver: Driver::Deko3d, ..Maxwell::default() });
        let cases = file["cases"].as_array().unwrap();
        let mut passed = 0;
        let mut first = None;
        for case in cases {
            let mut check = Check { name: &name, file: &file, problems: Vec::new() };
            let outcome = run(&name, &program, &file, case, &mut check);
            if outcome.end != End::Ended {
                check.problems.push(format!("{outcome:?}"));
            }
            if check.problems.is_empty() {
                passed += 1;
            } else {
                if !only.is_empty() {
                    println!("    {} {}: {:?}", case["id"], case["filter"], check.problems);
                }
                first.get_or_insert((case["id"].clone(), check.problems));
            }
        }
        println!("{name}: {passed} of {}", cases.len());
        if let Some((id, problems)) = &first {
            println!(
                "    {id}: {} problems, {}",
                problems.len(),
                problems[..problems.len().min(4)].join("; ")
            );
        }
        let known = KNOWN.iter().find(|(file, ..)| *file == name).map_or(cases.len(), |(_, count, _)| *count);
        if passed != known {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
