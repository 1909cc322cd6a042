//! The interpreter against outside vectors: what the GLSL sources compute on another implementation of
//! OpenGL, and what an independent evaluator of the machine code computes.

use crate::corpus::{corpus, fragment_code, stage};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use unshade_ir::{TextureLevel, TextureShape};
use unshade_isa_common::texture::{Bank, Bound, Fetch, Filter, Procedural, Textures, face};
use unshade_isa_mali_pp::exec::{End, Float, Program, State, Step, Trace};

fn words(text: &str) -> Vec<u32> {
    text.split(' ').map(|word| u32::from_str_radix(word, 16).unwrap()).collect()
}

/// A value for each of four lanes: words for all of them or for each.
fn lanes(value: &Value, pool: &Value) -> [Option<Vec<u32>>; 4] {
    match value {
        Value::String(text) => {
            let text = match text.strip_prefix('@') {
                Some(id) => pool[id].as_str().unwrap(),
                None => text,
            };
            std::array::from_fn(|_| Some(words(text)))
        }
        Value::Array(each) => {
            std::array::from_fn(|n| each.get(n).or(each.first()).and_then(|value| value.as_str()).map(words))
        }
        _ => std::array::from_fn(|_| None),
    }
}

fn floats(words: &Option<Vec<u32>>) -> Vec<f32> {
    words.iter().flatten().map(|word| f32::from_bits(*word)).collect()
}

fn four(words: &Option<Vec<u32>>) -> [f32; 4] {
    let values = floats(words);
    std::array::from_fn(|n| values.get(n).copied().unwrap_or(0.0))
}

fn place(target: &mut Vec<f32>, at: usize, values: &[f32]) {
    if target.len() < at + values.len() {
        target.resize(at + values.len(), 0.0);
    }
    target[at..at + values.len()].copy_from_slice(values);
}

fn set_inputs(state: &mut State, input: &Value, pool: &Value) {
    for (key, value) in input["mem"].as_object().into_iter().flatten() {
        let [values, ..] = lanes(value, pool);
        place(&mut state.uniforms, key.parse().unwrap(), &floats(&values));
    }
    for (key, value) in input["vary"].as_object().into_iter().flatten() {
        for (lane, values) in state.lanes.iter_mut().zip(lanes(value, pool)) {
            place(&mut lane.varyings, key.parse().unwrap(), &floats(&values));
        }
    }
    for (name, value) in input.as_object().into_iter().flatten() {
        for (lane, values) in state.lanes.iter_mut().zip(lanes(value, pool)) {
            let [x, y, z, w] = four(&values);
            match name.as_str() {
                "fragcoord" => lane.frag_coord = [x, y, z, w],
                "pointcoord" => lane.point_coord = [x, y],
                "front" => lane.front_facing = x,
                "vary" | "mem" => {}
                other => panic!("unknown input {other}"),
            }
        }
    }
}

fn bank(textures: &Value, case: &Value) -> Bank {
    let number = |value: &Value| value.as_u64().unwrap_or(0) as u32;
    let units = textures.as_object().into_iter().flatten().map(|(unit, texture)| {
        let shape = match texture["target"].as_str().unwrap() {
            "2D" => TextureShape::Plane,
            "Cube" => TextureShape::Cube,
            other => panic!("{other}"),
        };
        let bound = match texture["kind"].as_str().unwrap() {
            "probe" => Bound::Probe,
            "f" => Bound::Procedural(Procedural {
                shape,
                size: [number(&texture["size"][0]), number(&texture["size"][1])],
                levels: number(&texture["levels"]),
                seed: number(&texture["seed"]) + number(&case["seed"]),
                filter: if case["filter"] == "linear" { Filter::Linear } else { Filter::Nearest },
            }),
            other => panic!("{other}"),
        };
        (unit.parse().unwrap(), bound)
    });
    Bank { units: units.collect(), ..Bank::default() }
}

/// Textures that remember where each pixel fetched.
struct Remembering {
    bank: Bank,
    fetches: Vec<(Fetch, [[f32; 4]; 4])>,
}

impl Textures for Remembering {
    fn fetch(&mut self, fetch: &Fetch) -> [[f32; 4]; 4] {
        let texels = self.bank.fetch(fetch);
        self.fetches.push((*fetch, texels));
        texels
    }
}

impl Remembering {
    /// Whether a pixel fetched so near to the border of a texel that another implementation may take the
    /// neighbour, or so near to the border of a level that it may take the other one.
    fn is_near_border(&self, pixel: usize) -> bool {
        self.fetches.iter().filter(|(fetch, _)| fetch.wanted[pixel]).any(|(fetch, texels)| {
            let Some(Bound::Procedural(texture)) = self.bank.units.get(&fetch.units[pixel]) else {
                return false;
            };
            // Which level a quad has whose pixels lie on different faces is every implementation's own affair.
            let faces = fetch.coordinates.map(face);
            if texture.shape == TextureShape::Cube && faces != [faces[0]; 4] {
                return true;
            }
            // So is the exact logarithm.
            let differ = |other: &[f32; 4]| (0..4).any(|n| (other[n] - texels[pixel][n]).abs() > 4e-3);
            let shifted = [-0.05, 0.05].map(|bias| {
                let levels = fetch.levels.map(|level| level + bias);
                let level = if fetch.level == TextureLevel::Quad { TextureLevel::Bias } else { fetch.level };
                texture.fetch(&Fetch { level, levels, ..*fetch }, pixel)
            });
            if shifted.iter().any(differ) {
                return true;
            }
            // A step of a thousandth of a texel, in each direction, must not change much.
            [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [1.0, 1.0], [-1.0, -1.0]].iter().any(|step| {
                let mut moved = *fetch;
                for coordinates in &mut moved.coordinates {
                    match texture.shape {
                        // A direction moves over its face by half of that.
                        TextureShape::Cube => {
                            let scale = coordinates.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
                            coordinates[0] += step[0] * 2e-3 / texture.size[0] as f32 * scale;
                            coordinates[1] += step[1] * 2e-3 / texture.size[0] as f32 * scale;
                            coordinates[2] += step[0] * step[1] * 2e-3 / texture.size[0] as f32 * scale;
                        }
                        _ => {
                            coordinates[0] += step[0] * 1e-3 / texture.size[0] as f32;
                            coordinates[1] += step[1] * 1e-3 / texture.size[1] as f32;
                        }
                    }
                }
                differ(&texture.fetch(&moved, pixel))
            })
        })
    }
}

/// The way of each pixel, and the largest number in its registers on it.
#[derive(Default)]
struct Ways {
    ways: [Vec<u32>; 4],
    largest: [f32; 4],
}

impl Trace<Program> for Ways {
    fn step(&mut self, step: &Step<'_>) {
        for n in (0..4).filter(|n| step.together[*n]) {
            self.ways[n].push(step.pc);
            let registers = step.lanes[n].registers.iter().flatten();
            self.largest[n] = registers.fold(self.largest[n], |most, x| most.max(x.abs()));
        }
    }
}

impl Ways {
    /// Whether rounding one of the numbers to a half is an error larger than the tolerance.
    fn loses_more_than(&self, pixel: usize, tol: &Value) -> bool {
        f64::from(self.largest[pixel]) / 2048.0 > tol["abs"].as_f64().unwrap()
    }
}

fn passes(got: f32, want: u32, tol: &Value) -> bool {
    let want = f32::from_bits(want);
    if got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()) || got == want {
        return true;
    }
    let limit = |name: &str| tol[name].as_f64().unwrap_or(-1.0);
    let error = (f64::from(got) - f64::from(want)).abs();
    error <= limit("abs") || error <= limit("rel") * f64::from(want).abs().max(1.0) || error <= 1e-37
}

/// Whether rounded coordinates made a pixel fetch something else.
fn texels_differ(a: &Remembering, b: &Remembering, pixel: usize) -> bool {
    let texels = |r: &Remembering| r.fetches.iter().map(|(_, texels)| texels[pixel]).collect::<Vec<_>>();
    let near = |a: &[f32; 4], b: &[f32; 4]| (0..4).all(|n| (a[n] - b[n]).abs() <= 2e-3);
    texels(a).iter().zip(&texels(b)).any(|(a, b)| !near(a, b))
}

#[derive(Default, Debug)]
struct Count {
    compared: usize,
    skipped: usize,
}

/// Runs the cases of a file; gives what differs.
fn check(corpus: &Path, path: &Path, float: Float, count: &mut Count) -> Vec<String> {
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let file = corpus.join(document["file"].as_str().unwrap());
    let program = Program::new(&stage(fragment_code(&std::fs::read(file).unwrap()).unwrap()));
    let pool = &document["pool"];
    let mut wrong = Vec::new();
    for case in document["cases"].as_array().unwrap() {
        let mut state = State::default();
        set_inputs(&mut state, &document["in"], pool);
        set_inputs(&mut state, &case["in"], pool);
        let mut wide = state.clone();
        let bank = bank(&document["textures"], case);
        let mut textures = Remembering { bank: bank.clone(), fetches: Vec::new() };
        let mut way = Ways::default();
        let outcome = program.run_with(&mut state, &mut textures, float, 100_000, &mut way);
        let (mut wide_textures, mut wide_way) = (Remembering { bank, fetches: Vec::new() }, Ways::default());
        program.run_with(&mut wide, &mut wide_textures, Float::F32, 100_000, &mut wide_way);
        let count_of_lanes = case["lanes"].as_u64().or(document["lanes"].as_u64()).unwrap_or(1) as usize;
        let want = lanes(&case["out"]["r"]["0"], pool);
        for pixel in 0..count_of_lanes {
            let half = float == Float::F16;
            let parted = way.ways[pixel] != wide_way.ways[pixel];
            let moved = half && texels_differ(&textures, &wide_textures, pixel);
            let coarse = half && wide_way.loses_more_than(pixel, &document["tol"]);
            if parted
                || moved
                || coarse
                || textures.is_near_border(pixel)
                || wide_textures.is_near_border(pixel)
            {
                count.skipped += 1;
                continue;
            }
            count.compared += 1;
            let id = format!("{} {} pixel {pixel}", path.file_name().unwrap().to_string_lossy(), case["id"]);
            let discard = case["out"]["discard"][pixel].as_u64() == Some(1);
            if (outcome.ends[pixel] == End::Discarded) != discard || outcome.ends[pixel] == End::OutOfFuel {
                wrong.push(format!("{id}: {:?}", outcome.ends[pixel]));
                continue;
            }
            let Some(want) = want[pixel].as_ref().filter(|_| !discard) else { continue };
            let got = state.lanes[pixel].registers[0];
            let bad = (0..want.len()).any(|n| !passes(got[n], want[n], &document["tol"]));
            if bad {
                let want: Vec<f32> = want.iter().map(|word| f32::from_bits(*word)).collect();
                wrong.push(format!("{id}: {got:?}, not {want:?}"));
            }
        }
    }
    wrong
}

fn run_files() -> Vec<std::path::PathBuf> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let folder = std::fs::read_dir(corpus.join("run/mali-pp")).unwrap();
    let mut files: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Files in which the machine code does something else than its source.
///
/// `f35_projbias`: the compiler keeps the bias in `$0.x`, which the load in between overwrites (words 0, 4, 8). The
/// evaluator's vectors of the same code pass.
const OTHER_CODE: &[&str] = &["f35_projbias.frag.json"];

/// Pixels that rounding to halves takes further than the tolerance though no single number is that large.
///
/// `f20`, `f33`: up to 64 rounds of `z * z + c`, which doubles an error again and again. `f18` squares a sum
/// three times.
const AMPLIFIED: &[&str] = &[
    "f18_if_else.frag.json \"f1\" pixel 0",
    "f20_loop_dyn.frag.json \"d20\" pixel 1",
    "f20_loop_dyn.frag.json \"d20\" pixel 2",
    "f33_discard_loop.frag.json \"f13\" pixel 0",
];

fn is_other_code(path: &Path) -> bool {
    OTHER_CODE.iter().any(|name| path.ends_with(name))
}

#[test]
fn run_vectors_in_binary32() {
    let mut count = Count::default();
    let mut wrong = BTreeMap::new();
    for path in run_files().into_iter().filter(|path| !is_other_code(path)) {
        let differences = check(&corpus().unwrap(), &path, Float::F32, &mut count);
        if !differences.is_empty() {
            wrong.insert(path, differences);
        }
    }
    println!("{count:?}");
    for (path, wrong) in &wrong {
        println!("{}: {} wrong, as {}", path.display(), wrong.len(), wrong[0]);
    }
    assert!(wrong.is_empty());
}

#[test]
fn run_vectors_in_halves() {
    let mut count = Count::default();
    let mut wrong = BTreeMap::new();
    for path in run_files() {
        // Of these the tolerance is for wider arithmetic.
        if path.to_string_lossy().ends_with(".eval.json") || is_other_code(&path) {
            continue;
        }
        let mut differences = check(&corpus().unwrap(), &path, Float::F16, &mut count);
        differences.retain(|wrong| !AMPLIFIED.iter().any(|known| wrong.starts_with(known)));
        if !differences.is_empty() {
            wrong.insert(path, differences);
        }
    }
    println!("{count:?}");
    for (path, wrong) in &wrong {
        println!("{}: {} wrong, as {}", path.display(), wrong.len(), wrong[0]);
    }
    assert!(wrong.is_empty());
}
