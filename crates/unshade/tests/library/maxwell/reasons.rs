//! Why recorded runs of the Switch's programs differ, shown case by case. `run_vectors.rs` lists how many differ; here
//! each reason is put to the test: the reference is computed anew with the one thing changed that is said to be the
//! reason, by arithmetic where that is enough, else by the script beside the corpus that runs GLSL on a software OpenGL
//! (python3 with EGL and llvmpipe; without it those tests say so and pass).

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use unshade::run_json::{self, Document};

fn shared() -> Option<PathBuf> {
    let folder = unshade_corpus::shared("");
    if folder.join("corpus/run/maxwell").is_dir() {
        return Some(folder);
    }
    println!("skipped: no corpus at {}", folder.display());
    None
}

/// A recorded file: as recorded, and with what the interpreter computes in place of the results.
struct Recorded {
    recorded: Value,
    computed: Value,
}

fn text(shared: &Path, name: &str) -> String {
    std::fs::read_to_string(shared.join(format!("corpus/run/maxwell/{name}.json"))).unwrap()
}

fn computed(shared: &Path, text: &str) -> Value {
    let document = Document::parse(text).unwrap();
    let file = shared.join("corpus").join(document.file.as_deref().unwrap());
    let opened = unshade::open(&std::fs::read(file).unwrap()).unwrap();
    let (_, stage) = opened.require(document.item.as_deref()).unwrap().remove(0);
    let runs = run_json::run(&stage, &document, run_json::DEFAULT_FUEL).unwrap();
    assert!(runs.iter().all(|run| run.unfinished.is_none()));
    serde_json::from_str(&document.with_outputs(&runs)).unwrap()
}

fn recorded(shared: &Path, name: &str) -> Recorded {
    let text = text(shared, name);
    Recorded { recorded: serde_json::from_str(&text).unwrap(), computed: computed(shared, &text) }
}

/// Words of a value, whether it is one for all lanes or a list; `None` where a lane has none.
fn words(value: &Value, lane: usize) -> Option<Vec<u32>> {
    let text = match value {
        Value::Array(lanes) => lanes.get(lane)?,
        all => all,
    };
    text.as_str().map(|text| text.split(' ').map(|word| u32::from_str_radix(word, 16).unwrap()).collect())
}

fn floats(value: &Value, lane: usize) -> Option<Vec<f64>> {
    words(value, lane).map(|words| words.iter().map(|bits| f64::from(f32::from_bits(*bits))).collect())
}

impl Recorded {
    fn cases(&self) -> impl Iterator<Item = (&Value, &Value)> {
        let list = |value: &'_ Value| value["cases"].as_array().unwrap().len();
        assert_eq!(list(&self.recorded), list(&self.computed));
        let computed = self.computed["cases"].as_array().unwrap();
        self.recorded["cases"].as_array().unwrap().iter().zip(computed)
    }

    /// An input of a case, which the header may hold for all of them.
    fn input<'a>(&'a self, case: &'a Value, space: &str, key: &str) -> &'a Value {
        let own = &case["in"][space][key];
        if own.is_null() { &self.recorded["in"][space][key] } else { own }
    }

    fn pooled(&self, value: &Value) -> Vec<u32> {
        let id = value.as_str().unwrap();
        let value = id.strip_prefix('@').map_or(value, |id| &self.recorded["pool"][id]);
        words(value, 0).unwrap()
    }
}

fn close(got: f64, want: f64) -> bool {
    got.is_nan() && want.is_nan() || (got - want).abs() <= 1e-4 * want.abs().max(1.0)
}

/// f15: the quad was not drawn at once. Three of its pixels are in one triangle, and the pixel (0, 1) is in another that
/// was drawn after it: the triangle was clipped to the 2 by 2 pixels of the viewport. Run so, the pixels that a triangle
/// does not cover as helpers, memory and colours of all cases are as recorded.
#[test]
fn a_quad_was_drawn_in_two_triangles() {
    let Some(shared) = shared() else { return };
    let name = "f15_ssbo.frag";
    let file = recorded(&shared, name);
    let passes = [[0, 0, 1, 0], [1, 1, 0, 1]];
    let mut first = file.recorded.clone();
    first["in"]["sys"]["HelperInvocation"] = passes[0].into();
    let first = computed(&shared, &first.to_string());
    // Memory as the first triangle left it.
    let mut second = file.recorded.clone();
    second["in"]["sys"]["HelperInvocation"] = passes[1].into();
    let memory = |case: &Value| -> BTreeMap<u64, u32> {
        let parts = case["out"]["g"].as_object().unwrap().iter();
        let each = parts.flat_map(|(address, part)| {
            let address = u64::from_str_radix(address, 16).unwrap();
            (0..).zip(words(part, 0).unwrap()).map(move |(n, word): (u64, u32)| (address + 4 * n, word))
        });
        each.collect()
    };
    let buffer = |memory: &BTreeMap<u64, u32>, address: &str| -> Vec<u32> {
        let start = u64::from_str_radix(address, 16).unwrap();
        memory.range(start..start + 0x10_0000).map(|(_, word)| *word).collect()
    };
    let cases = |value: &Value| value["cases"].as_array().unwrap().clone();
    for (case, before) in second["cases"].as_array_mut().unwrap().iter_mut().zip(cases(&first)) {
        let before = memory(&before);
        for (address, words) in case["in"]["g"].as_object_mut().unwrap() {
            let text: Vec<String> =
                buffer(&before, address).iter().map(|word| format!("{word:08x}")).collect();
            *words = text.join(" ").into();
        }
    }
    let second = computed(&shared, &second.to_string());
    let mut different = 0;
    for (((case, at_once), first), second) in file.cases().zip(cases(&first)).zip(cases(&second)) {
        different += usize::from(case["out"]["r"] != at_once["out"]["r"]);
        for (address, want) in case["out"]["g"].as_object().unwrap() {
            assert_eq!(
                words(want, 0).unwrap(),
                buffer(&memory(&second), address),
                "{} {address}",
                case["id"]
            );
        }
        for (lane, helper) in passes[0].into_iter().enumerate() {
            let drawn = if helper == 0 { &first } else { &second };
            let (want, got) = (&case["out"]["r"]["0"], &drawn["out"]["r"]["0"]);
            let near = |(got, want): (&f64, &f64)| (got - want).abs() <= 1e-5 * want.abs().max(1.0);
            let (want, got) = (floats(want, lane).unwrap(), floats(got, lane).unwrap());
            assert!(got.iter().zip(&want).all(near), "{} lane {lane}", case["id"]);
        }
    }
    assert_eq!(different, 24);
}

/// f07: the reference takes the logarithm of the squared distance as its exponent plus its fraction, off by up to 0.043
/// levels and -63.5 for a distance of zero, where the machine has -128 at least. With that logarithm in place of the
/// exact one every case is as recorded.
#[test]
fn levels_of_detail_are_recorded_by_a_rough_logarithm() {
    let Some(shared) = shared() else { return };
    let file = recorded(&shared, "f07_fetch_query.frag");
    let size = 16.0_f32;
    assert_eq!(file.recorded["textures"]["00100001"]["size"], serde_json::json!([16, 16, 1]));
    let mut differ = 0;
    for (case, computed) in file.cases() {
        let u = file.input(case, "a", "90");
        let place = |lane: usize| {
            let words = words(u, lane).unwrap();
            [0, 1].map(|axis: usize| f32::from_bits(words[axis]))
        };
        let length = |to: usize| {
            let (from, to) = (place(0), place(to));
            let change = [0, 1].map(|axis: usize| (to[axis] - from[axis]) * size);
            change[0] * change[0] + change[1] * change[1]
        };
        let squared = length(1).max(length(2));
        let bits = squared.to_bits();
        let fraction = f32::from_bits(bits & 0x7f_ffff | 0x3f80_0000);
        let rough = f64::from(((bits >> 23) as f32 - 127.0 + fraction - 1.0) / 2.0);
        let exact = (f64::from(squared).log2() / 2.0 * 256.0).round_ties_even().max(-32768.0) / 256.0;
        for lane in 0..4 {
            let want = floats(&case["out"]["r"]["0"], lane).unwrap();
            let got = floats(&computed["out"]["r"]["0"], lane).unwrap();
            differ += usize::from(!close(got[1], want[1]));
            for k in 0..4 {
                let changed = if k == 1 { got[k] - exact + rough } else { got[k] };
                // The machine's levels are whole 256ths.
                let near = (changed - want[k]).abs() <= 1.0 / 256.0 + 1e-5 * want[k].abs();
                assert!(near, "{} lane {lane}: {changed}, recorded {}", case["id"], want[k]);
            }
        }
    }
    assert!(differ > 20, "{differ}");
}

/// f09: the machine's word for an offset has twelve bits of fraction, so that -0.1 is -410/4096. The slope of the input
/// times that difference is all that is missing.
#[test]
fn offsets_have_twelve_bits() {
    let Some(shared) = shared() else { return };
    let file = recorded(&shared, "f09_interp.frag");
    let mut differ = 0;
    for (case, computed) in file.cases() {
        let plane = file.input(case, "corners", "80");
        let (origin, up) = (floats(plane, 0).unwrap(), floats(plane, 2).unwrap());
        for lane in 0..4 {
            let want = floats(&case["out"]["r"]["0"], lane).unwrap();
            let got = floats(&computed["out"]["r"]["0"], lane).unwrap();
            for k in 0..4 {
                let missing = (up[k] - origin[k]) / 4.0 * (410.0 / 4096.0 - 0.1);
                let near = |value: f64| (value - want[k]).abs() <= 1e-5 * want[k].abs().max(1.0) + 1e-5;
                differ += usize::from(!near(got[k]));
                let changed = got[k] + missing;
                assert!(near(changed), "{} lane {lane}: {changed}, recorded {}", case["id"], want[k]);
            }
        }
    }
    assert!(differ > 10, "{differ}");
}

/// v02: positions of which terms of up to 81 000 cancel to 372. In binary64 the sum is 372.62543; the recorded one is
/// off by more than the machine's, and both by less than rounding each term once may do.
#[test]
fn sums_that_cancel() {
    let Some(shared) = shared() else { return };
    let file = recorded(&shared, "v02_skin.vert");
    let mut wrong = 0;
    for (case, computed) in file.cases() {
        let [bones, view] = ["2:0", "3:0"].map(|key| {
            let words = file.pooled(file.input(case, "c", key));
            words.into_iter().map(|bits| f64::from(f32::from_bits(bits))).collect::<Vec<f64>>()
        });
        let place = [&floats(file.input(case, "a", "80"), 0).unwrap()[..3], &[1.0]].concat();
        let index = words(file.input(case, "a", "90"), 0).unwrap();
        let weight = floats(file.input(case, "a", "a0"), 0).unwrap();
        // The sum and the sum of magnitudes of its terms.
        let (mut sum, mut terms) = ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]);
        for (index, weight) in index.iter().zip(&weight) {
            for k in 0..3 {
                for (n, place) in place.iter().enumerate() {
                    let term = bones[12 * *index as usize + 4 * k + n] * place * weight;
                    sum[k] += term;
                    terms[k] += term.abs();
                }
            }
        }
        let want = floats(&case["out"]["a"]["70"], 0).unwrap();
        let got = floats(&computed["out"]["a"]["70"], 0).unwrap();
        for k in 0..4 {
            let exact: f64 = (0..4).map(|n| view[4 * n + k] * sum[n]).sum();
            let size: f64 = (0..4).map(|n| (view[4 * n + k] * terms[n]).abs()).sum();
            // Eleven roundings lie between a bone and a position.
            let bound = 11.0 * size * 2.0_f64.powi(-24);
            assert!((got[k] - exact).abs() <= bound && (want[k] - exact).abs() <= bound, "{}", case["id"]);
            if (got[k] - want[k]).abs() > 1e-5 * want[k].abs().max(1.0) {
                wrong += 1;
                assert!((got[k] - exact).abs() < (want[k] - exact).abs(), "{}: {exact}", case["id"]);
            }
        }
    }
    assert_eq!(wrong, 1);
}

/// v07: the hash takes the fraction of 43758 times a sine, whose angle is a sum of larger terms. In case d12 the exact
/// product is 24242.9945, and what rounding may do to it is 0.23: that reaches over the whole number, and did so in the
/// machine's sum and not in the recorded one. Both are as near to the exact product as single floats can tell.
#[test]
fn a_fraction_beside_a_whole_number() {
    let Some(shared) = shared() else { return };
    let file = recorded(&shared, "v07_noise_loop.vert");
    let (case, computed) = file.cases().find(|(case, _)| case["id"] == "d12").unwrap();
    let noise = file.pooled(file.input(case, "c", "2:0"));
    let (octaves, amplitude) = (noise[0], f64::from(f32::from_bits(noise[1])));
    assert_eq!(octaves, 1);
    let place = floats(file.input(case, "a", "80"), 0).unwrap();
    let factors = [12.9898_f32, 78.233, 45.164].map(f64::from);
    let products: Vec<f64> = place.iter().zip(factors).map(|(x, factor)| x * factor).collect();
    let angle: f64 = products.iter().sum();
    let scale = f64::from(43_758.547_f32);
    let exact = angle.sin() * scale;
    assert!((exact - 24242.9945).abs() < 1e-4, "{exact}");
    // Half a unit in the last place of each product, each sum, the sine and the last product.
    let half_unit = |x: f64| 2.0_f64.powi(x.abs().log2().floor() as i32 - 24);
    let first = products[0] + products[1];
    let of_angle = products.iter().map(|x| half_unit(*x)).sum::<f64>() + half_unit(first) + half_unit(angle);
    let bound = of_angle * angle.cos().abs() * scale + half_unit(angle.sin()) * scale + half_unit(exact);
    assert!(bound < 0.25 && exact + bound > 24243.0, "{bound}");
    for (out, whole) in [(case, 24242.0), (computed, 24243.0)] {
        let sum = floats(&out["out"]["a"]["80"], 0).unwrap()[0];
        let product = whole + sum / amplitude;
        assert!((product - exact).abs() <= bound, "{product}");
    }
}

/// Runs a shader on the recorded inputs and answers its results.
fn drawn(shared: &Path, name: &str, source: &str) -> Option<Value> {
    let folder = std::env::temp_dir().join(format!("unshade-reasons-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (shader, out) = (folder.join(name), folder.join("out.json"));
    std::fs::write(&shader, source).unwrap();
    let ran = Command::new("python3")
        .arg(shared.join("tools/glslrun.py"))
        .arg("run")
        .arg(&shader)
        .arg("--inputs")
        .arg(shared.join(format!("corpus/maxwell/vectors/{name}.json")))
        .arg("--out")
        .arg(&out)
        .output();
    let value = match ran {
        Ok(ref output) if output.status.success() => {
            Some(serde_json::from_str(&std::fs::read_to_string(&out).unwrap()).unwrap())
        }
        _ => None,
    };
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(value.is_some() || std::env::var_os("UNSHADE_REQUIRE_TOOLS").is_none(), "{name}: {ran:?}");
    value
}

fn original(shared: &Path, name: &str) -> String {
    std::fs::read_to_string(shared.join(format!("corpus/maxwell/glsl/{name}"))).unwrap()
}

/// Cases of which some colour is not what another source computes.
fn unlike(file: &Recorded, other: &Value) -> Vec<String> {
    let mut unlike = Vec::new();
    for ((case, computed), other) in file.cases().zip(other["cases"].as_array().unwrap()) {
        let same = (0..4).all(|lane| {
            let got = floats(&computed["out"]["r"]["0"], lane);
            let want = floats(&other["out"]["0"], lane);
            match (got, want) {
                (Some(got), Some(want)) => got.iter().zip(&want).all(|(got, want)| close(*got, *want)),
                _ => true,
            }
        });
        if !same {
            unlike.push(case["id"].as_str().unwrap().to_owned());
        }
    }
    unlike
}

/// What the compiler puts in front of every access to a cube.
const DIVIDED: &str =
    "vec3 divided(vec3 v){ return v*(1.0/max(max(abs(v.x),abs(v.y)),abs(v.z))); }\nvoid main()";

/// The level of detail of a plane of 16 by 16 texels, by an exact logarithm.
const LEVEL: &str = "float level(vec2 v){ vec2 x=16.0*dFdx(v), y=16.0*dFdy(v); \
                     return 0.5*log2(max(dot(x,x),dot(y,y))); }\nvoid main()";

/// f02, f03, f05: the compiler divides directions by their largest coordinate before it asks a cube, so that how they
/// change in a quad is another change, and so may be the level of detail. It makes gradients of cubes out of pixels that
/// it moves, and divides those as well. With that in the source all colours are as computed here.
///
/// f04: besides, a level with a bias is taken from the rough logarithm of f07, which gives 2.49 for 2.52 in case f5.
/// With the exact one in the source, and directions divided, all colours are as computed here.
#[test]
fn directions_are_divided_before_they_are_asked_for() {
    let Some(shared) = shared() else { return };
    let gradient = "textureGrad(tc,divided(u.xyz),divided(u.xyz+d.xyz)-divided(u.xyz),\
                    divided(u.xyz+d.wzy)-divided(u.xyz))";
    let files: [(&str, &[(&str, &str)]); 4] = [
        (
            "f02_alltex.frag",
            &[
                ("texture(tc,u.xyz)", "texture(tc,divided(u.xyz))"),
                ("texture(tca,u)", "texture(tca,vec4(divided(u.xyz),u.w))"),
            ],
        ),
        (
            "f03_shadow.frag",
            &[
                ("texture(sc,u)", "texture(sc,vec4(divided(u.xyz),u.w))"),
                ("texture(sca,u,0.5)", "texture(sca,vec4(divided(u.xyz),u.w),0.5)"),
            ],
        ),
        (
            "f04_lodbias.frag",
            &[
                ("texture(tc,u.xyz,u.w)", "texture(tc,divided(u.xyz),u.w)"),
                ("texture(t,u.xy,u.z)", "textureLod(t,u.xy,level(u.xy)+u.z)"),
            ],
        ),
        ("f05_grad.frag", &[("textureGrad(tc,u.xyz,d.xyz,d.wzy)", gradient)]),
    ];
    for (name, changes) in files {
        let mut source =
            original(&shared, name).replace("void main()", DIVIDED).replace("void main()", LEVEL);
        for (from, to) in changes {
            assert!(source.contains(from), "{name}: {from}");
            source = source.replace(from, to);
        }
        let Some(other) = drawn(&shared, name, &source) else {
            println!("skipped: the script does not run");
            return;
        };
        let unlike = unlike(&recorded(&shared, name), &other);
        println!("{name}: {unlike:?} differ from the changed source");
        assert!(unlike.is_empty(), "{name}: {unlike:?}");
    }
}

/// f22, f5: where pixels of a quad have ended, the level of detail of the others is undefined (GLSL 4.60, 8.9: implicit
/// derivatives in control flow that is not uniform). Only one pixel of the quad is left, and what is computed for it here
/// is the colour of level 0.
///
/// f17: no pixel has ended, but the level is 2.5, as far from level 2 as from level 3: of the two rows of the quad the
/// squared distance is 32 in the one and a rounding error less in the other. What is computed here is the colour of
/// level 3, what is recorded that of level 3 in three pixels, and of level 2 in the one that was drawn by another
/// triangle (see f15).
#[test]
fn levels_that_are_undefined_or_between_two() {
    let Some(shared) = shared() else { return };
    let name = "f22_earlyret.frag";
    let file = recorded(&shared, name);
    let inputs = |id: &str| -> [Vec<f64>; 4] {
        let (case, _) = file.cases().find(|(case, _)| case["id"] == id).unwrap();
        std::array::from_fn(|lane| floats(file.input(case, "a", "80"), lane).unwrap())
    };
    assert_eq!(inputs("f5").map(|u| u[0] < 0.0), [true, true, true, false]);
    let quad = inputs("f17");
    assert!(quad.iter().all(|u| u[0] > 0.0));
    let squared = |a: usize, b: usize| -> f64 {
        (1..3).map(|k| (quad[a][k] - quad[b][k]) * 16.0).map(|change| change * change).sum()
    };
    assert!(squared(1, 0) >= 32.0 && squared(3, 2) < 32.0 && squared(3, 2) > 32.0 - 1e-4);
    assert!(squared(2, 0) < 32.0 && squared(3, 1) < 32.0);
    let at = |level: &str| {
        let source =
            original(&shared, name).replace("texture(t,u.yz)", &format!("textureLod(t,u.yz,{level})"));
        drawn(&shared, name, &source)
    };
    let (Some(level0), Some(level2), Some(level3)) = (at("0.0"), at("2.0"), at("3.0")) else {
        println!("skipped: the script does not run");
        return;
    };
    let unlike = |other: &Value, id: &str| unlike(&file, other).contains(&id.to_owned());
    assert!(!unlike(&level0, "f5") && !unlike(&level3, "f17"));
    let (number, (case, _)) = file.cases().enumerate().find(|(_, (case, _))| case["id"] == "f17").unwrap();
    for (lane, level) in [(0, &level3), (1, &level3), (2, &level2), (3, &level3)] {
        let want = floats(&case["out"]["r"]["0"], lane).unwrap();
        let other = floats(&level["cases"][number]["out"]["0"], lane).unwrap();
        assert!(want.iter().zip(&other).all(|(want, other)| close(*want, *other)), "lane {lane}");
    }
}
