//! Every way from a file to a program of the Switch: its stage, its code, what surrounds it, and its names. The
//! corpus lies next to the checkout; without it these tests say so and pass.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use unshade::{Isa, Stage, StageKind, report};
use unshade_isa::maxwell::{Header, lint::lint};
use unshade_stage::Maxwell;
use unshade_stage::maxwell::{Binding, Driver};

fn corpus() -> Option<PathBuf> {
    let folder = unshade_corpus::shared("corpus");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no corpus at {}", folder.display());
    None
}

fn files(folder: &Path, end: &str) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.retain(|path| path.to_str().unwrap().ends_with(end));
    all.sort();
    let name =
        |path: &Path| path.file_name().unwrap().to_str().unwrap().strip_suffix(end).unwrap().to_owned();
    all.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    unshade::words_from_bytes(bytes).unwrap()
}

/// The stage that the ending of a source's name says: `f01_tex2d.frag`.
fn kind_of(name: &str) -> StageKind {
    match name.rsplit('.').next().unwrap() {
        "vert" => StageKind::Vertex,
        "tesc" => StageKind::TessControl,
        "tese" => StageKind::TessEval,
        "geom" => StageKind::Geometry,
        "frag" => StageKind::Fragment,
        "comp" => StageKind::Compute,
        other => panic!("{other}"),
    }
}

fn around<'s>(stage: &'s Stage<'_>) -> &'s Maxwell {
    assert_eq!(stage.isa, Isa::Maxwell);
    stage.interface.maxwell.as_deref().unwrap()
}

/// What uam's atomic operations on images are, slopes in y of the one program that has them, and nothing else.
fn clean(name: &str, stage: &Stage<'_>) {
    for finding in lint(stage) {
        let refused = finding.code == "maxwell.unknown-word" && finding.message.contains("nouveau");
        let slopes = finding.code == "maxwell.slopes" && name.ends_with("f08_deriv.frag");
        assert!(refused || slopes, "{name}: {finding:?}");
    }
}

#[test]
fn dksh_programs() {
    let Some(corpus) = corpus() else { return };
    for (name, bytes) in files(&corpus.join("maxwell/uam-out"), ".dksh") {
        let opened = unshade::open(&bytes).unwrap();
        let stages: Vec<_> = opened.stages(None).collect();
        assert_eq!(stages.len(), 1, "{name}");
        let (_, stage) = &stages[0];
        assert_eq!(stage.kind, kind_of(&name), "{name}");
        let bare = words(&std::fs::read(corpus.join(format!("maxwell/uam-out/{name}.bin"))).unwrap());
        // Behind the code there is padding up to its constants or the end.
        assert_eq!(stage.code.words[..bare.len()], bare, "{name}");
        assert!(stage.code.words[bare.len()..].iter().all(|word| *word == 0), "{name}");
        let around = around(stage);
        assert_eq!(around.driver, Driver::Deko3d);
        let header = Header::read(&around.header);
        assert_eq!(header.and_then(|header| header.stage()), Some(stage.kind).filter(|_| header.is_some()));
        assert_eq!(header.is_none(), stage.kind == StageKind::Compute, "{name}");
        assert_eq!(around.work_group.is_some(), stage.kind == StageKind::Compute, "{name}");
        clean(&name, stage);
        let bare = unshade::raw_stage(Isa::Maxwell, bare, Vec::new());
        assert_eq!(bare.kind, stage.kind, "{name}: what the code alone shows");
        clean(&name, &bare);
    }
}

/// The instructions of the code sections that uam-nvn made, each with the name of its source.
fn made_for_nvn(corpus: &Path) -> BTreeMap<Vec<u32>, String> {
    let sections = files(&corpus.join("maxwell/uam-out"), ".nvncode");
    let mut programs = BTreeMap::new();
    for (name, section) in sections {
        let control = std::fs::read(corpus.join(format!("maxwell/uam-out/{name}.nvnctrl"))).unwrap();
        let control = words(&control);
        let (start, size) = (control[0x708 / 4] as usize, control[0x6F8 / 4] as usize);
        programs.insert(words(&section[start + 0x50..start + size]), name);
    }
    programs
}

/// Every stage of the files that were built from programs: of the kind of its source, with its code.
#[test]
fn bnsh_and_bfsha_programs() {
    let Some(corpus) = corpus() else { return };
    let programs = made_for_nvn(&corpus);
    let mut kinds = BTreeMap::new();
    for (folder, end) in [("bnsh/generated", ".bnsh"), ("bfsha/generated", ".bfsha")] {
        for (file, bytes) in files(&corpus.join(folder), end) {
            if !file.starts_with("real_") {
                continue;
            }
            let opened = unshade::open(&bytes).unwrap();
            for (_, stage) in opened.stages(None) {
                let name = programs.get(&*stage.code.words);
                let name = name.unwrap_or_else(|| panic!("{file}#{}: no program has this code", stage.id));
                let place = format!("{file}{end}#{} {name}", stage.id);
                assert_eq!(stage.kind, kind_of(name), "{place}");
                *kinds.entry(stage.kind).or_insert(0) += 1;
                let around = around(&stage);
                assert_eq!(around.driver, Driver::Nvn, "{place}");
                assert!(around.registers.is_some(), "{place}");
                // uam puts an empty header in front of compute programs.
                let header = Header::read(&around.header).unwrap();
                let named = Some(stage.kind).filter(|kind| *kind != StageKind::Compute);
                assert_eq!(header.stage(), named, "{place}");
                clean(&place, &stage);
                names(&corpus, name, around, &place);
            }
            let findings = report::check(bytes.as_slice(), &[], None).diagnostics;
            let others = findings.iter().filter(|finding| finding.code.starts_with("maxwell."));
            let known = |message: &str| message.contains("nouveau") || message.contains("slopes in y");
            assert!(others.clone().all(|finding| known(&finding.message)), "{findings:#?}");
        }
    }
    println!("{kinds:?}");
    assert_eq!(kinds.len(), 6);
}

/// The names that the reflection gives are those of the source.
fn names(corpus: &Path, name: &str, around: &Maxwell, place: &str) {
    let vectors = std::fs::read_to_string(corpus.join(format!("maxwell/vectors/{name}.json"))).unwrap();
    let vectors: serde_json::Value = serde_json::from_str(&vectors).unwrap();
    let interface = &vectors["interface"];
    let of_source = |list: &str, slot: &str| -> BTreeSet<(String, i64)> {
        let entries = interface[list].as_array().unwrap().iter();
        let entries = entries.filter_map(|entry| {
            let name = entry["name"].as_str().unwrap();
            // Arrays are named by their first entry.
            Some((name.strip_suffix("[0]").unwrap_or(name).to_owned(), entry[slot].as_i64()?))
        });
        entries.collect()
    };
    let ours = |list: &[Binding]| -> BTreeSet<(String, i64)> {
        let name = |binding: &Binding| binding.name.strip_suffix("[0]").unwrap_or(&binding.name).to_owned();
        list.iter().map(|binding| (name(binding), binding.slot.into())).collect()
    };
    for (list, slot, found) in [
        ("inputs", "location", &around.inputs),
        ("outputs", "location", &around.outputs),
        ("ubo", "binding", &around.constant_buffers),
        ("ssbo", "binding", &around.storage_buffers),
        ("textures", "unit", &around.samplers),
        ("images", "unit", &around.images),
    ] {
        assert_eq!(ours(found), of_source(list, slot), "{place}: {list}");
    }
    // Members are told by BFSHA alone; in a file of all programs several have blocks of one name.
    if !place.contains("bfsha") || place.contains("real_all") {
        return;
    }
    // Version 5 has no storage blocks.
    let lists: &[&str] = if place.contains("real_v5") { &["ubo"] } else { &["ubo", "ssbo"] };
    let mut members = BTreeSet::new();
    for block in lists.iter().flat_map(|list| interface[list].as_array().unwrap()) {
        for member in block["members"].as_array().unwrap() {
            let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
            members.insert((
                text(&block["name"]),
                text(&member["name"]),
                member["offset"].as_u64().unwrap() as u32,
            ));
        }
    }
    let found: BTreeSet<_> = around
        .members
        .iter()
        .map(|member| (member.block.clone(), member.name.clone(), member.offset))
        .collect();
    assert_eq!(found, members, "{place}: members");
}

/// A code section by itself gives the same stage as with its control section, but for what only that knows.
#[test]
fn loose_code_sections() {
    let Some(corpus) = corpus() else { return };
    let programs = made_for_nvn(&corpus);
    for (name, bytes) in files(&corpus.join("maxwell/uam-out"), ".nvncode") {
        let opened = unshade::open(&bytes).unwrap();
        let (inner, stage) = opened.stages(None).next().unwrap();
        assert_eq!(stage.kind, kind_of(&name), "{name}");
        assert_eq!(programs.get(&*stage.code.words), Some(&name), "{name}: other code");
        let around = around(&stage);
        let control = std::fs::read(corpus.join(format!("maxwell/uam-out/{name}.nvnctrl"))).unwrap();
        let control = words(&control);
        let (at, size) = (control[0x700 / 4] as usize, control[0x6FC / 4] as usize);
        assert!(around.constants.starts_with(&bytes[at.min(bytes.len())..][..size]), "{name}");
        clean(&name, &stage);

        let mut container = inner.container.clone();
        assert_eq!(container.write().unwrap(), bytes, "{name}");
        assert_eq!(container.coverage().unowned().next(), None, "{name}");
        assert!(container.check().is_empty(), "{name}");
        let parts = unshade::extract(&container).unwrap();
        assert_eq!(unshade::build(&parts).unwrap(), container, "{name}");
        // Longer code moves the constants.
        let mut longer = stage.code.clone();
        let front: Vec<u32> = longer.words[..16].to_vec();
        longer.words.to_mut().splice(0..0, front);
        container.replace(&stage.id, &longer).unwrap();
        let changed = container.stage(&stage.id).unwrap();
        assert_eq!(changed.code.words, longer.words, "{name}");
        assert_eq!(around.constants, self::around(&changed).constants, "{name}");
    }
}
