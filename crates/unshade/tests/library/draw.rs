//! Pictures by the interpreters: samples of every machine, against what can be said of them without a graphics processor. The
//! page's tests hold the same pictures against WebGL.
#![allow(clippy::indexing_slicing)]

use std::path::Path;
use unshade::draw::{
    Drawing, Given, MESHES, Pair, PairError, Picture, Scene, SceneError, Uniform, difference,
};
use unshade::{CompiledFor, Dictionaries, Member, Origin, Source, open_at, programs};

/// The pair of an item of a sample; of nothing: of its first.
fn pair(name: &str, item: &str) -> Result<Pair, PairError> {
    let bytes =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)).unwrap();
    let dictionaries = Dictionaries::default();
    let source = Source::new(&bytes, &dictionaries);
    open_at(source, &[]).unwrap();
    let members: Vec<Member<'static>> = programs(source, &[], None).unwrap().stages;
    let compiled_for = CompiledFor::new(source, &[]);
    let origin = Origin { name, source, inner: &[], compiled_for: &compiled_for };
    let item = if item.is_empty() { &members[0].0 } else { item };
    Pair::new(&origin, &members, item)
}

/// A camera that looks along z at what is within -1 to 1, as columns.
const LENS: [f32; 16] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -0.5, 0.0, 0.0, 0.0, 0.0, 1.0];
const SAME: [f32; 16] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

fn given(name: &str, values: &[f32]) -> Given {
    Given { name: name.to_owned(), values: values.to_vec() }
}

fn scene(mesh: &str, uniforms: Vec<Given>) -> Scene {
    Scene { mesh: mesh.to_owned(), width: 48, height: 32, ground: 0.5, uniforms }
}

fn preview(mesh: &str, more: Vec<Given>) -> Scene {
    let mut uniforms = vec![given("preview_projection", &LENS), given("preview_world", &SAME)];
    uniforms.extend(more);
    scene(mesh, uniforms)
}

fn drawn(pair: &Pair, scene: &Scene) -> Picture {
    let mut drawing = Drawing::new(pair, scene).unwrap();
    let progress = drawing.go(u64::MAX);
    assert!(progress.finished, "{progress:?}");
    assert_eq!(progress.unfinished, 0, "{:?}", drawing.why());
    drawing.picture().clone()
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let at = 4 * (y * picture.width + x) as usize;
    picture.bytes[at..at + 3].try_into().unwrap()
}

/// Items that are drawn, of each family.
const ITEMS: &[(&str, &str)] = &[
    ("lighting.shbin", "#0"),
    ("lambert.vert.mbs", "#vert"),
    ("phong.frag.mbs", "#frag"),
    ("varying.frag.mbs", "#frag"),
    ("blur.gsh", "#pixel0"),
    ("blur.gsh", "#vertex0"),
    ("surface.sharcfb", "#surface/0/pixel"),
    ("wiiu.bfsha", "#model_0_mtx/0/fragment"),
    ("two_stages.bnsh", "#0/fragment"),
    ("options.bfsha", "#options/0/vertex"),
    ("texture.frag.dksh", ""),
];

#[test]
fn every_family_is_drawn_and_slices_change_nothing() {
    for (name, item) in ITEMS {
        let pair = pair(name, item).unwrap_or_else(|error| panic!("{name}{item}: {error}"));
        let uniforms = vec![given("preview_projection", &LENS), given("preview_world", &SAME)];
        for mesh in MESHES {
            let scene = scene(mesh, uniforms.clone());
            let whole = drawn(&pair, &scene);
            let mut drawing = Drawing::new(&pair, &scene).unwrap();
            let mut slices = 0;
            let mut last = 0.0;
            loop {
                let progress = drawing.go(2_000);
                assert!(progress.done >= last, "{name}{item}: goes back");
                last = progress.done;
                slices += 1;
                if progress.finished {
                    break;
                }
            }
            assert!(slices >= 1);
            assert_eq!(drawing.picture(), &whole, "{name}{item} on {mesh}");
        }
    }
}

#[test]
fn stand_ins_cover_the_screen_with_what_the_program_gives() {
    // The screen covers every pixel, whatever the fragment program does.
    for (name, item) in
        [("phong.frag.mbs", "#frag"), ("varying.frag.mbs", "#frag"), ("texture.frag.dksh", "")]
    {
        let pair = pair(name, item).unwrap();
        assert!(pair.notes[0].starts_with("The vertex program is made up"), "{:?}", pair.notes);
        let [light, dark] = [0.25, 0.75].map(|ground| {
            let scene = Scene { ground, ..preview("screen", vec![]) };
            drawn(&pair, &scene)
        });
        assert_eq!(light, dark, "{name}: the ground shows through");
    }
}

#[test]
fn what_no_browser_draws_the_interpreter_draws() {
    let pair = pair("options.bfsha", "#options/1/fragment").unwrap();
    let why = pair.beyond.as_deref().unwrap_or_default();
    assert!(why.contains("samplerCubeArrayShadow"), "{why}");
    assert!(pair.fragment_text.starts_with("#version 450"), "{}", pair.fragment_text);
    assert!(pair.uniforms.iter().all(|uniform| !uniform.values.is_empty()), "{:?}", pair.uniforms);
    let set = |uniform: &Uniform| given(&uniform.name, &uniform.values);
    let picture = drawn(&pair, &scene("screen", pair.uniforms.iter().map(set).collect()));
    // Every comparison passes, also those of the shapes that only the interpreter has; their sum is white.
    assert!(picture.bytes.iter().all(|byte| *byte == 255));
    for (name, item) in ITEMS {
        assert_eq!(self::pair(name, item).unwrap().beyond, None, "{name}{item}");
    }
}

#[test]
fn uniforms_are_those_that_the_source_declares() {
    for (name, item) in ITEMS {
        let pair = pair(name, item).unwrap();
        let texts = format!("{}{}", pair.vertex_text, pair.fragment_text);
        for uniform in &pair.uniforms {
            let declares = |line: &&str| {
                let mut words = line.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
                words.any(|word| word == uniform.name)
            };
            let line = texts.lines().find(declares).unwrap_or_default();
            let is_matrix = line.contains("mat");
            assert_eq!(uniform.columns > 1, is_matrix, "{name}{item}: {uniform:?} in {line:?}");
            let count = usize::from(uniform.columns) * usize::from(uniform.rows);
            assert_eq!(uniform.values.len() % count, 0, "{name}{item}: {uniform:?}");
            assert_eq!(uniform.role.is_some(), count == 16, "{name}{item}: {uniform:?}");
        }
    }
}

#[test]
fn a_varying_goes_over_the_screen_in_a_line() {
    // The sample's input is what its name suggests to the stand-in: u and v of the screen, among others.
    let pair = pair("varying.frag.mbs", "#frag").unwrap();
    let picture = drawn(&pair, &preview("screen", vec![]));
    let mut falls = 0;
    for y in 0..picture.height {
        let row: Vec<[u8; 3]> = (0..picture.width).map(|x| pixel(&picture, x, y)).collect();
        falls += row.windows(2).filter(|pair| pair[0][0] > pair[1][0]).count();
    }
    assert_eq!(falls, 0, "red grows along u");
}

#[test]
fn what_cannot_be_drawn_is_said() {
    assert_eq!(
        pair("particles.shbin", "#0").err().map(|error| error.to_string()),
        Some("A geometry program is not drawn.".to_owned())
    );
    assert_eq!(pair("lighting.shbin", "#9").err(), Some(PairError::Missing));
    let pair = pair("lighting.shbin", "#0").unwrap();
    let refused = |scene: Scene| Drawing::new(&pair, &scene).err();
    assert_eq!(refused(scene("teapot", vec![])), Some(SceneError::Mesh("teapot".to_owned())));
    for size in [[0, 4], [4, 1 << 11]] {
        let wrong = Scene { width: size[0], height: size[1], ..scene("cube", vec![]) };
        assert_eq!(refused(wrong), Some(SceneError::Size(size)));
    }
}

#[test]
fn uniforms_decide_what_is_seen() {
    let pair = pair("lighting.shbin", "#0").unwrap();
    let dark = drawn(&pair, &scene("sphere", vec![]));
    let names: Vec<&str> = pair.vertex_text.lines().filter(|line| line.contains("mat4")).collect();
    assert!(!names.is_empty(), "{}", pair.vertex_text);
    let matrices =
        ["projection", "modelView"].map(|name| given(name, if name == "projection" { &LENS } else { &SAME }));
    let seen = drawn(&pair, &scene("sphere", matrices.into()));
    let found = difference(&dark.bytes, &seen.bytes, 0).unwrap();
    // A sphere of radius 0.9 covers 64 % of the picture.
    let part = f64::from(found.beyond) / f64::from(found.pixels);
    assert!((0.55..0.66).contains(&part), "{part}");
}

#[test]
fn any_numbers_make_some_picture() {
    let pairs = [("phong.frag.mbs", "#frag"), ("lighting.shbin", "#0"), ("two_stages.bnsh", "#0/fragment")];
    for (name, item) in pairs {
        let pair = pair(name, item).unwrap();
        // Every name that the sources declare, with numbers that mean nothing.
        let texts = format!("{}{}", pair.vertex_text, pair.fragment_text);
        let names: Vec<&str> = texts
            .split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
            .filter(|word| !word.is_empty())
            .collect();
        for value in [f32::NAN, f32::INFINITY, f32::MAX, -1e30, 1e-45, 0.0] {
            for mixed in [false, true] {
                let values: Vec<f32> =
                    (0..64).map(|n| if mixed && n % 3 == 0 { n as f32 - 7.5 } else { value }).collect();
                let uniforms = names.iter().map(|name| given(name, &values)).collect();
                let mut drawing = Drawing::new(&pair, &scene("torus", uniforms)).unwrap();
                assert!(drawing.go(u64::MAX).finished, "{name} with {value}");
            }
        }
    }
}
