//! `guest.toc` and the files beside it.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::make::{Chance, brotli, deflate, little};
use super::{cases, corpus};
use crate::common;
use unshade_bytes::Severity;
use unshade_containers::ryujinx::{Files, join};
use unshade_containers::{Container, Format, build, extract};
use unshade_stage::maxwell::TextureKind;
use unshade_stage::{Stage, StageId, StageKind};

/// A shader that the generator put into a cache.
struct Shader {
    kind: StageKind,
    header: Vec<u32>,
    code: Vec<u32>,
    constants: Vec<u8>,
}

/// A texture of a program: stage, word of its handle, shape.
type Texture = (u32, u32, u8);

/// A program: its stages as names and numbers of shaders, what was bound, the size of its work group.
struct Program {
    stages: Vec<(&'static str, usize)>,
    textures: Vec<Texture>,
    group: Option<[u32; 3]>,
}

#[derive(Default)]
struct Cache {
    shaders: Vec<Shader>,
    programs: Vec<Program>,
    files: [Vec<u8>; 4],
}

const SLOTS: [(&str, StageKind, u32); 6] = [
    ("vertex-a", StageKind::Vertex, 1),
    ("vertex", StageKind::Vertex, 1),
    ("tess-control", StageKind::TessControl, 2),
    ("tess-eval", StageKind::TessEval, 3),
    ("geometry", StageKind::Geometry, 4),
    ("fragment", StageKind::Fragment, 5),
];

const KINDS: [TextureKind; 9] = [
    TextureKind::D1,
    TextureKind::D2,
    TextureKind::D3,
    TextureKind::Cube,
    TextureKind::D1Array,
    TextureKind::D2Array,
    TextureKind::Buffer,
    TextureKind::Rect,
    TextureKind::CubeArray,
];

fn packed(chance: &mut Chance, bytes: &[u8]) -> Vec<u8> {
    match chance.below(4) {
        0 => [&[0], bytes].concat(),
        n @ (1 | 2) => [&[1], &deflate(bytes, n == 1)[..]].concat(),
        _ => [&[2], &brotli(bytes)[..]].concat(),
    }
}

fn block(tag: &[u8; 4], bytes: &[u8]) -> Vec<u8> {
    [&tag[..], &(bytes.len() as u32).to_le_bytes(), bytes].concat()
}

impl Cache {
    /// A cache by chance. Without `shared.toc` where `alone`.
    fn new(chance: &mut Chance, alone: bool) -> Self {
        let mut cache = Self::default();
        let (mut toc, mut data) = (little(&[0x4743_4f54, 0x1_0001, 0, 0, 0, 0, 0, 0]), Vec::new());
        for _ in 0..1 + chance.below(6) {
            cache.program(chance);
        }
        for shader in &cache.shaders {
            let (at, bytes) = (data.len() as u32, little(&[&shader.header[..], &shader.code].concat()));
            data.extend_from_slice(&shader.constants);
            data.extend(packed(chance, &bytes));
            toc.extend(little(&[at, bytes.len() as u32, shader.constants.len() as u32, chance.word()]));
        }
        let (mut shared, mut states) = (little(&[0x5343_4f54, 0x1_0002, chance.word(), 0]), Vec::new());
        shared.extend(little(&[chance.word(), 0, 0, 0]));
        for program in &cache.programs {
            shared.extend((states.len() as u64).to_le_bytes());
            let state = state(chance, program);
            states.extend(packed(chance, &state));
        }
        cache.files = match alone {
            true => [toc, data, Vec::new(), Vec::new()],
            false => [toc, data, shared, states],
        };
        cache
    }

    fn program(&mut self, chance: &mut Chance) {
        let compute = chance.once_in(5);
        let mut stages = Vec::new();
        let chosen: Vec<_> = match compute {
            true => vec![("compute", StageKind::Compute, 0)],
            false => SLOTS.into_iter().filter(|slot| slot.0 == "vertex" || chance.once_in(2)).collect(),
        };
        for (name, kind, number) in &chosen {
            // Now and then one that is there already.
            let known = self.shaders.iter().position(|shader| shader.kind == *kind);
            if let Some(known) = known.filter(|_| chance.once_in(4)) {
                stages.push((*name, known));
                continue;
            }
            let mut header = Vec::new();
            if !compute {
                header = chance.words(20);
                let sort = if *number == 5 { 2 } else { 1 };
                header[0] = sort | 3 << 5 | number << 10 | 3 << 17;
            }
            let len = 2 * (1 + chance.below(40));
            let mut code = chance.words(len);
            // A compute program without a header that looks like none.
            code[0] |= 0x3ff;
            let len = 4 * chance.below(4) * chance.below(2);
            let constants = chance.bytes(len);
            stages.push((*name, self.shaders.len()));
            self.shaders.push(Shader { kind: *kind, header, code, constants });
        }
        let texture = |chance: &mut Chance| {
            let stage = if compute { 0 } else { chance.below(5) as u32 };
            (stage, 8 + 2 * chance.below(100) as u32, chance.below(9) as u8)
        };
        let textures = (0..chance.below(5)).map(|_| texture(chance)).collect();
        let group = compute.then(|| [8, 4, 1 + chance.below(4) as u32]);
        self.programs.push(Program { stages, textures, group });
    }

    fn joined(&self) -> Vec<u8> {
        let [guest_toc, guest_data, shared_toc, shared_data] = &self.files;
        join(Files { guest_toc, guest_data, shared_toc, shared_data })
    }

    fn is(&self, stage: &Stage<'_>, shader: usize, name: &str) {
        let shader = &self.shaders[shader];
        assert_eq!((stage.id.0.as_str(), stage.kind), (name, shader.kind));
        assert_eq!(stage.code.words, shader.code);
        let maxwell = stage.interface.maxwell.as_deref().unwrap();
        assert_eq!((&maxwell.header, &maxwell.constants), (&shader.header, &shader.constants));
    }
}

fn state(chance: &mut Chance, program: &Program) -> Vec<u8> {
    let bit = |name: &str| SLOTS.iter().position(|slot| slot.0 == name).map_or(0, |bit| 1 << bit);
    let mask: u32 = program.stages.iter().map(|(name, _)| bit(name)).sum();
    let mut state = little(&[mask]);
    state.extend(program.stages.iter().flat_map(|(_, shader)| (*shader as u32).to_le_bytes()));
    let feedback = chance.once_in(4);
    state.extend(little(&[if feedback { 8 } else { 0 }]));
    match program.group {
        Some([x, y, z]) => {
            state.push(1);
            // Structures grow at their ends.
            state.extend(block(
                b"COMS",
                &[little(&[x, y, z, 0, 512]), vec![1; 1 + chance.below(5) as usize]].concat(),
            ));
        }
        None => {
            state.push(0);
            let len = 16 + chance.below(9);
            state.extend(block(b"GFXS", &chance.bytes(len)));
        }
    }
    state.extend(little(&[0b101, 3, 5]));
    let pipeline = chance.once_in(2);
    state.push(u8::from(pipeline));
    if pipeline {
        state.extend(block(b"PGPS", &chance.bytes(40)));
    }
    if feedback {
        state.extend(2_u16.to_le_bytes());
        state.extend(block(b"TFBD", &[1, 2]));
        state.extend(block(b"TFBD", &[]));
    }
    state.extend((program.textures.len() as u16).to_le_bytes());
    for (stage, handle, shape) in &program.textures {
        state.extend(block(b"TEXK", &little(&[*stage, *handle, u32::MAX])));
        state.extend(block(b"TEXS", &[little(&[3, 0x25]), vec![0, *shape, 1]].concat()));
    }
    state
}

/// What holds of a sound cache: read, the same bytes, no findings, all of it named, through a folder.
fn holds(bytes: &[u8]) -> Container {
    let container = Container::read(bytes).unwrap();
    assert_eq!(container.format(), Format::Ryujinx);
    assert!(common::sound(bytes));
    assert_eq!(container.check(), []);
    let again = build(&common::through_a_folder(&extract(&container).unwrap())).unwrap();
    assert_eq!(again, container);
    container
}

#[test]
fn caches_by_chance_are_what_their_generator_says() {
    let mut stages_compared = 0;
    for seed in 0..cases() {
        let chance = &mut Chance::new(seed);
        let alone = chance.once_in(4);
        let cache = Cache::new(chance, alone);
        let container = holds(&cache.joined());
        let stages: Vec<_> = container.stages().collect();
        stages_compared += stages.len();
        if alone {
            assert_eq!(stages.len(), cache.shaders.len());
            stages.iter().enumerate().for_each(|(n, stage)| cache.is(stage, n, &n.to_string()));
            continue;
        }
        let mut left = stages.iter();
        for (n, program) in cache.programs.iter().enumerate() {
            for (name, shader) in &program.stages {
                let stage = left.next().unwrap();
                cache.is(stage, *shader, &format!("{n}/{name}"));
                let maxwell = stage.interface.maxwell.as_deref().unwrap();
                assert_eq!(maxwell.work_group, program.group);
                let number = match *name {
                    "vertex-a" | "vertex" | "compute" => 0,
                    other => SLOTS.iter().position(|slot| slot.0 == other).unwrap() as u32 - 1,
                };
                let mut expected: Vec<_> = program
                    .textures
                    .iter()
                    .filter(|(stage, ..)| *stage == number)
                    .map(|(_, handle, shape)| (4 * handle, Some(KINDS[usize::from(*shape)])))
                    .collect();
                expected.sort();
                let found: Vec<_> =
                    maxwell.bound_textures.iter().map(|bound| (bound.offset, bound.kind)).collect();
                assert_eq!(found, expected);
            }
        }
        assert_eq!(left.next(), None);
    }
    println!("{} caches, {stages_compared} stages", cases());
}

#[test]
fn the_corpus_is_read() {
    let (Some(toc), Some(data)) = (corpus("guest.toc"), corpus("guest.data")) else { return };
    let files = Files { guest_toc: &toc, guest_data: &data, ..Files::default() };
    let container = holds(&join(files));
    assert_eq!(container.describe(), "shader cache of Ryujinx with 2 shaders");
    let kinds: Vec<_> = container.stages().map(|stage| (stage.id.0.clone(), stage.kind)).collect();
    assert_eq!(kinds, [("0".into(), StageKind::Vertex), ("1".into(), StageKind::Fragment)]);
}

#[test]
fn a_table_alone_says_what_is_missing() {
    let cache = Cache::new(&mut Chance::new(7), false);
    let toc = &cache.files[0];
    let container = Container::read(toc).unwrap();
    assert_eq!(container.write().unwrap(), *toc);
    assert_eq!(container.stages().count(), 0);
    let cut = Container::cut(Format::Ryujinx, toc).unwrap();
    assert_eq!(
        cut.to_string(),
        "guest_data: expected guest.data beside guest.toc, found none: only the table of the programs can be read"
    );
    assert!(container.check().iter().any(|found| found.code == "ryujinx.guest-data"));
    assert_eq!(Container::cut(Format::Ryujinx, &cache.joined()), None);
}

/// The code of the only error that a changed cache has, and the path.
fn finding(files: &[Vec<u8>; 4]) -> (String, String) {
    let [guest_toc, guest_data, shared_toc, shared_data] = files;
    let bytes = join(Files { guest_toc, guest_data, shared_toc, shared_data });
    assert!(common::sound(&bytes));
    let found = Container::read(&bytes).unwrap().check();
    let worst = found.first().unwrap();
    assert!(worst.severity >= Severity::Warning, "{worst}");
    (worst.code.to_string(), worst.path.to_string())
}

#[test]
fn damage_is_named_and_the_rest_is_read() {
    let sound = || Cache::new(&mut Chance::new(3), false).files;
    let is = |files: &[Vec<u8>; 4], code: &str, path: &str| {
        assert_eq!(finding(files), (code.to_owned(), path.to_owned()));
    };
    let mut files = sound();
    files[0].extend([1, 2, 3]);
    is(&files, "ryujinx.guest-toc", "guest_toc.trailing");
    let mut files = sound();
    files[0][4] = 2;
    is(&files, "ryujinx.version", "guest_toc.version");
    // The first entry, elsewhere.
    let mut files = sound();
    files[0][32..36].copy_from_slice(&u32::MAX.to_le_bytes());
    is(&files, "ryujinx.place", "guest_data.entries[0].offset");
    // An algorithm that nobody knows.
    let mut files = sound();
    let constants = usize::from(files[0][40]);
    files[1][constants] = 9;
    is(&files, "ryujinx.algorithm", "guest_data.entries[0].algorithm");
    // Longer than any program.
    let mut files = sound();
    files[0][36..40].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
    is(&files, "ryujinx.code-size", "guest_data.entries[0].code");
    // Cut data: all but the last entries.
    let mut files = sound();
    let half = files[1].len() / 2;
    files[1].truncate(half);
    let before = Container::read(&Cache::new(&mut Chance::new(3), false).joined()).unwrap().stages().count();
    let (code, _) = finding(&files);
    assert!(["ryujinx.place", "ryujinx.packed", "ryujinx.truncated"].contains(&code.as_str()), "{code}");
    let [guest_toc, guest_data, shared_toc, shared_data] = &files;
    let bytes = join(Files { guest_toc, guest_data, shared_toc, shared_data });
    let left = Container::read(&bytes).unwrap().stages().count();
    assert!(left > 0 && left < before, "{left} of {before}");
    let mut files = sound();
    files[2].push(0);
    is(&files, "ryujinx.shared-toc", "shared_toc.trailing");
    let mut files = sound();
    files[2][32..40].copy_from_slice(&u64::MAX.to_le_bytes());
    is(&files, "ryujinx.program-place", "shared_data.programs[0]");
}

#[test]
fn caches_are_not_changed() {
    let mut container = Container::read(&Cache::new(&mut Chance::new(5), false).joined()).unwrap();
    let before = container.clone();
    let stage = container.stages().next().unwrap().into_owned();
    let refused = container.replace(&stage.id, &stage.code).unwrap_err();
    assert_eq!(refused.diagnostic_code(), "caches.read-only");
    assert_eq!(container.remove("0").unwrap_err(), refused);
    assert_eq!(container.set(&[]).unwrap_err(), refused);
    assert_eq!(
        refused.to_string(),
        "expected a file that may be changed, found a shader cache of Ryujinx, which throws away what it did not write itself: caches are only read"
    );
    assert!(container.stage(&StageId("0/nothing".into())).is_none());
    assert_eq!(container, before);
}

#[test]
fn cuts_and_flipped_bits() {
    let bytes = Cache::new(&mut Chance::new(11), false).joined();
    super::sweep(&bytes, 7);
    // What of the files is cut and not of the joined ones.
    let cache = Cache::new(&mut Chance::new(12), false);
    for file in 0..4 {
        for len in (0..cache.files[file].len()).step_by(5) {
            let mut files = cache.files.clone();
            files[file].truncate(len);
            let [guest_toc, guest_data, shared_toc, shared_data] = &files;
            common::sound(&join(Files { guest_toc, guest_data, shared_toc, shared_data }));
        }
    }
}
