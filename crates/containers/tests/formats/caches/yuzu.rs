//! `vulkan.bin` and `opengl.bin` of yuzu and its followers.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::make::{Chance, little};
use super::{cases, corpus};
use crate::common;
use unshade_containers::{Container, Format, build, extract};
use unshade_stage::maxwell::{BoundConstant, BoundTexture, Driver, TextureKind};
use unshade_stage::{Stage, StageKind};

const STAGES: [(&str, StageKind, u32); 7] = [
    ("vertex", StageKind::Vertex, 1),
    ("tess-control", StageKind::TessControl, 2),
    ("tess-eval", StageKind::TessEval, 3),
    ("geometry", StageKind::Geometry, 4),
    ("fragment", StageKind::Fragment, 5),
    ("compute", StageKind::Compute, 0),
    ("vertex-a", StageKind::Vertex, 1),
];

const KINDS: [TextureKind; 9] = [
    TextureKind::D1,
    TextureKind::D1Array,
    TextureKind::D2,
    TextureKind::D2Array,
    TextureKind::D3,
    TextureKind::Cube,
    TextureKind::CubeArray,
    TextureKind::Buffer,
    TextureKind::Rect,
];

/// A stage as the generator put it there.
struct Made {
    id: String,
    kind: StageKind,
    code: Vec<u32>,
    header: Vec<u32>,
    group: Option<[u32; 3]>,
    driver: Driver,
    textures: Vec<BoundTexture>,
    constants: Vec<BoundConstant>,
}

/// A cache by chance with keys of these lengths: its bytes, where each pipeline ends, its stages.
fn cache(chance: &mut Chance, version: u32, key: u64) -> (Vec<u8>, Vec<usize>, Vec<Made>) {
    let mut bytes = [&b"yuzucach"[..], &version.to_le_bytes()].concat();
    let (mut ends, mut made) = (Vec::new(), Vec::new());
    for index in 0..1 + chance.below(6) {
        let compute = chance.once_in(4);
        let chosen: Vec<u32> = match compute {
            true => vec![5],
            // In the order of the emulator: the one in front of the vertex program first.
            false => [6, 0, 1, 2, 3, 4].into_iter().filter(|n| *n == 0 || chance.once_in(2)).collect(),
        };
        bytes.extend((chosen.len() as u32).to_le_bytes());
        for number in chosen {
            let stage = stage(chance, index, number, &mut bytes);
            made.push(stage);
        }
        bytes.extend(chance.bytes(if compute { 24 } else { key }));
        ends.push(bytes.len());
    }
    (bytes, ends, made)
}

fn stage(chance: &mut Chance, index: u64, number: u32, out: &mut Vec<u8>) -> Made {
    let (name, kind, sph) = STAGES[number as usize];
    let compute = kind == StageKind::Compute;
    let mut header = Vec::new();
    if !compute {
        header = chance.words(20);
        header[0] = if sph == 5 { 2 } else { 1 } | 3 << 5 | sph << 10;
    }
    let len = 2 * (1 + chance.below(30));
    let code = chance.words(len);
    let start = 8 * chance.below(1 << 16) as u32;
    // Delimited by the branch to self, the program header is in front; else something else may be.
    let (lowest, front) = match chance.once_in(3) {
        _ if compute => (start, Vec::new()),
        true => (start + 0x40, chance.words(4)),
        false => (start, header.clone()),
    };
    let body = little(&[&front[..], &code].concat());
    let driver = if chance.once_in(5) { 0 } else { 2 };
    // Handles are words of the driver's bank.
    let handles: Vec<u32> =
        (0..chance.below(4)).map(|n| 0x1000 * (n as u32 + 1) + chance.below(99) as u32).collect();
    let shapes: Vec<u32> = handles.iter().map(|_| chance.below(9) as u32).collect();
    let mut constants: Vec<BoundConstant> = handles
        .iter()
        .enumerate()
        .map(|(n, handle)| BoundConstant { bank: driver as u8, offset: 0x20 + 8 * n as u32, value: *handle })
        .collect();
    let textures = constants.iter().zip(&shapes).map(|(constant, shape)| BoundTexture {
        bank: None,
        offset: constant.offset,
        kind: Some(KINDS[*shape as usize]),
        format: (constant.value % 2 == 0).then_some(77),
        normalised: (*shape == 8).then_some(false),
    });
    let textures: Vec<_> = textures.collect();
    if chance.once_in(2) {
        constants.push(BoundConstant { bank: 1, offset: 0x10, value: 7 });
    }
    let formats: Vec<u32> = handles.iter().copied().filter(|handle| handle % 2 == 0).collect();
    let replaced = chance.below(2);
    for count in
        [body.len() as u64, handles.len() as u64, formats.len() as u64, constants.len() as u64, replaced]
    {
        out.extend(count.to_le_bytes());
    }
    let highest = lowest + body.len() as u32 - 8;
    out.extend(little(&[16, driver, start, lowest, highest, 1, number]));
    out.extend(&body);
    handles.iter().zip(&shapes).for_each(|(handle, shape)| out.extend(little(&[*handle, *shape])));
    formats.iter().for_each(|handle| out.extend(little(&[*handle, 77])));
    constants.iter().for_each(|word| out.extend(little(&[word.offset, word.bank.into(), word.value])));
    (0..replaced).for_each(|_| out.extend(little(&[0x640, 0, 1])));
    let mut group = None;
    if compute {
        group = Some([8, 8, 1 + chance.below(3) as u32]);
        out.extend(little(&group.unwrap()));
        out.extend(256_u32.to_le_bytes());
    } else {
        out.extend(little(&header));
        if kind == StageKind::Geometry {
            out.extend(chance.bytes(32));
        }
    }
    constants.sort();
    let mut sorted = textures;
    sorted.sort_by_key(|texture| texture.offset);
    let driver = if driver == 2 { Driver::Nvn } else { Driver::Deko3d };
    Made { id: format!("{index}/{name}"), kind, code, header, group, driver, textures: sorted, constants }
}

fn are(stages: &[Stage<'_>], made: &[Made]) {
    assert_eq!(stages.len(), made.len());
    for (stage, made) in stages.iter().zip(made) {
        assert_eq!((&stage.id.0, stage.kind), (&made.id, made.kind));
        assert_eq!(stage.code.words, made.code);
        let maxwell = stage.interface.maxwell.as_deref().unwrap();
        assert_eq!((&maxwell.header, maxwell.work_group), (&made.header, made.group));
        assert_eq!((maxwell.driver, &maxwell.bound_constants), (made.driver, &made.constants));
        assert_eq!(maxwell.bound_textures, made.textures);
    }
}

fn holds(bytes: &[u8]) -> Container {
    let container = Container::read(bytes).unwrap();
    assert_eq!(container.format(), Format::Yuzu);
    assert!(common::sound(bytes));
    assert_eq!(container.check(), []);
    let again = build(&common::through_a_folder(&extract(&container).unwrap())).unwrap();
    assert_eq!(again, container);
    container
}

/// The versions that are known, with the lengths of their keys.
const KNOWN: [(u32, u64); 4] = [(11, 1032), (18, 1056), (10, 624), (15, 624)];

#[test]
fn caches_by_chance_are_what_their_generator_says() {
    let mut compared = 0;
    for seed in 0..cases() {
        let chance = &mut Chance::new(seed);
        let (version, key) = KNOWN[chance.below(4) as usize];
        let (bytes, _, made) = cache(chance, version, key);
        let container = holds(&bytes);
        are(&container.stages().collect::<Vec<_>>(), &made);
        compared += made.len();
    }
    println!("{} caches, {compared} stages", cases());
}

#[test]
fn keys_of_unknown_versions_are_found_by_looking_ahead() {
    for seed in 0..cases() {
        let chance = &mut Chance::new(seed + 1_000_000);
        let (version, key) = (900 + chance.below(1000) as u32, 24 + 4 * chance.below(1018));
        let (bytes, _, made) = cache(chance, version, key);
        let container = holds(&bytes);
        are(&container.stages().collect::<Vec<_>>(), &made);
        // A version that is known with another key than that: what adds up is right, where something follows that can.
        let graphics = made.iter().filter(|made| made.id.ends_with("/vertex")).count();
        if graphics < 2 {
            continue;
        }
        let mut other = bytes.clone();
        other[8] = 11;
        other[9] = 0;
        are(&holds(&other).stages().collect::<Vec<_>>(), &made);
    }
}

#[test]
fn of_a_cut_file_all_whole_pipelines_are_read() {
    for seed in 0..cases() / 4 {
        let chance = &mut Chance::new(seed + 2_000_000);
        let (bytes, ends, made) = cache(chance, 11, 1032);
        let cut = 12 + chance.below(bytes.len() as u64 - 12) as usize;
        let whole = ends.iter().filter(|end| **end <= cut).count();
        let container = Container::read(&bytes[..cut]).unwrap();
        assert!(common::sound(&bytes[..cut]));
        let stages: Vec<_> = container.stages().collect();
        let expected = made
            .iter()
            .take_while(|made| made.id.split('/').next().unwrap().parse::<usize>().unwrap() < whole);
        assert_eq!(stages.len(), expected.count());
        let end = ends.get(whole.wrapping_sub(1)).copied().unwrap_or(12);
        let said = Container::cut(Format::Yuzu, &bytes[..cut]);
        assert_eq!(said.is_some(), end != cut, "{said:?}");
        let Some(said) = said else { continue };
        let line = said.to_string();
        assert!(line.contains(&format!("whole pipelines before it: {whole}, ")), "{line}");
        assert_eq!(container.check()[0].message, format!("expected {}, found {}", said.expected, said.found));
    }
}

#[test]
fn the_corpus_is_read() {
    for (name, version) in [("vulkan.bin", 11), ("vulkan_eden.bin", 18), ("opengl.bin", 10)] {
        let Some(bytes) = corpus(name) else { return };
        let container = holds(&bytes);
        assert_eq!(container.describe(), format!("shader cache of yuzu, version {version}, 40 pipelines"));
        // Six of 40 are compute pipelines, the others have a vertex and a fragment stage.
        assert_eq!(container.stages().count(), 6 + 2 * 34);
    }
}

#[test]
fn damage_is_told() {
    let (bytes, ends, _) = cache(&mut Chance::new(9), 11, 1032);
    let code = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        assert!(common::sound(&bytes));
        let container = Container::read(&bytes).unwrap();
        container.check().first().map(|found| (found.code.to_string(), found.path.to_string()))
    };
    let is = |found: Option<(String, String)>, code: &str, path: &str| {
        assert_eq!(found, Some((code.to_owned(), path.to_owned())));
    };
    is(code(12, 9), "yuzu.stage-count", "pipelines[0].stage_count");
    is(code(16, 1), "yuzu.record", "pipelines[0].stages[0].code_size");
    is(code(16 + 11, 1), "yuzu.record", "pipelines[0].stages[0].num_texture_types");
    is(code(16 + 64, 7), "yuzu.record", "pipelines[0].stages[0].stage");
    is(code(16 + 60, 2), "yuzu.viewport-transform", "pipelines[0].stages[0].viewport_transform_state");
    is(code(ends[0] + 1, 9), "yuzu.stage-count", "pipelines[1].stage_count");
    assert_eq!(Container::read(b"yuzucach").unwrap_err().diagnostic_code(), "yuzu.truncated");
    // No pipeline at all is a cache, too.
    assert_eq!(holds(b"yuzucach\x0b\0\0\0").stages().count(), 0);
}

#[test]
fn cuts_and_flipped_bits() {
    super::sweep(&cache(&mut Chance::new(11), 11, 1032).0, 11);
    super::sweep(&cache(&mut Chance::new(12), 77, 40).0, 5);
}
