//! The promises about wrappers, over the samples and the corpus: identical rewrites, names that choose what is inside,
//! defects under codes that name them, changes that reach the innermost file and nothing else.

use std::fs;
use unshade::{OpenError, Severity, open_at, report};
use unshade_tests::{corpus, properties::wrappers};

fn sample() -> Vec<u8> {
    fs::read(corpus::root().join("samples/nested.szs")).unwrap()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn names_choose_what_is_inside() {
    let bytes = sample();
    let all = report::items(&open_at(&bytes, &[]).unwrap(), None);
    assert_eq!((all.items.len(), all.unread.len(), all.others), (6, 1, 1));
    // Every name that `ls` prints chooses what it names.
    for item in &all.items {
        let place =
            unshade::FilePath::resolve(&format!("nested.szs{}", item.item), |path| path == "nested.szs");
        let opened = open_at(&bytes, &place.inner).unwrap();
        assert_eq!(report::items(&opened, place.item.as_deref()).items, std::slice::from_ref(item));
        assert!(report::roundtrip(&bytes, &opened).identical);
    }
    for (path, message) in [
        (&["Layout/inner.szs", "particle.shbin"][..], "there is :Layout/inner.szs:effect/lighting.shbin"),
        (&["9"], "there is no :9 in it; there is :blob.bcsdr"),
        (&["blob.bcsdr", "0x44"], "there is :blob.bcsdr:0x40, :blob.bcsdr:0x240"),
    ] {
        match open_at(&bytes, &names(path)) {
            Err(OpenError::Unknown(error)) => assert!(error.to_string().contains(message), "{error}"),
            other => panic!("{path:?}: {other:?}"),
        }
    }
    match open_at(&bytes, &names(&["Shader/plant.mc"])) {
        Ok(opened) => assert_eq!(opened.unread.len(), 1),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_damaged_file_does_not_hide_the_others() {
    let bytes = sample();
    let parts = unshade::extract_at(&bytes, &[]).unwrap();
    let mut damaged = parts.clone();
    let file = |name: &str| parts.files().find(|(known, _)| *known == name).unwrap().1.to_vec();
    let mut mbs = file("content/files/Model/phong.frag.mbs");
    mbs.truncate(40);
    damaged.insert("content/files/Model/phong.frag.mbs", mbs);
    let mut inner = file("content/files/Layout/inner.szs");
    inner[4] = 0x7f;
    damaged.insert("content/files/Layout/inner.szs", inner);
    let bytes = unshade::build_file(&damaged).unwrap();
    let opened = open_at(&bytes, &[]).unwrap();
    assert!(opened.containers.len() >= 2 && !opened.failed.is_empty());
    let checked = report::check(&bytes, &[], None);
    let of = |name: &str| {
        let errors = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error);
        errors.filter(|found| found.path.starts_with(name)).count()
    };
    assert!(of(":Layout/inner.szs") > 0 && of(":Model/phong.frag.mbs") > 0, "{:?}", checked.diagnostics);
    // Chosen by name, it is the error.
    match open_at(&bytes, &names(&["Layout/inner.szs"])) {
        Err(OpenError::Within(error)) => {
            assert_eq!(error.error.diagnostic_code(), "yaz0.size");
            assert!(error.to_string().starts_with(":Layout/inner.szs: size: expected"), "{error}");
            assert!(error.to_string().ends_with("at 0x4 (inside Yaz0, SARC)"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn changes_reach_the_innermost_file_and_nothing_else() {
    let bytes = sample();
    let path = names(&["Layout/inner.szs", "particles.shbin"]);
    let opened = open_at(&bytes, &path).unwrap();
    let (_, stage) = opened.stages(Some("0")).next().unwrap();
    let text = unshade::disassemble_stage_to_text(&stage, &Default::default());
    let code = unshade::assemble_for(&stage, &text).unwrap();
    let same = unshade::replace_code(&bytes, &opened, Some("0"), &code).unwrap();
    assert!(same.bytes == bytes && same.notes.is_empty());
    let text = text.replace("    nop\n", "    nop\n    nop\n    nop\n");
    let code = unshade::assemble_for(&stage, &text).unwrap();
    let changed = unshade::replace_code(&bytes, &opened, Some("0"), &code).unwrap();
    assert_eq!(changed.notes.len(), 4, "two archives, two layers of Yaz0: {:?}", changed.notes);
    let (before, after) = (open_at(&bytes, &[]).unwrap(), open_at(&changed.bytes, &[]).unwrap());
    let list = |opened| report::items(opened, None).items;
    for (a, b) in list(&before).into_iter().zip(list(&after)) {
        assert_eq!(a.item, b.item);
        assert_eq!(a == b, a.item != ":Layout/inner.szs:particles.shbin#0", "{a:?} {b:?}");
    }
    assert!(report::roundtrip(&changed.bytes, &after).identical);
    // A container of a blob in an archive.
    let path = names(&["blob.bcsdr", "0x40"]);
    let opened = open_at(&bytes, &path).unwrap();
    let (_, stage) = opened.stages(None).next().unwrap();
    let mut code = stage.code.clone();
    code.words.to_mut()[0] ^= 1 << 21;
    let changed = unshade::replace_code(&bytes, &opened, None, &code).unwrap();
    let after = open_at(&changed.bytes, &path).unwrap();
    assert_eq!(after.stages(None).next().unwrap().1.code.words, code.words);
    // A whole file, through the Yaz0 around it; or that as well.
    let new = fs::read(corpus::root().join("samples/loops.shbin")).unwrap();
    for path in [&["Layout/inner.szs", "effect/lighting.shbin"][..], &["blob.bcsdr"], &["Layout/inner.szs"]] {
        let replaced = unshade::replace_file(&bytes, &names(path), new.clone());
        if path == ["Layout/inner.szs"] {
            let error = replaced.unwrap_err().to_string();
            assert!(error.contains("2 files; name one of them"), "{error}");
            continue;
        }
        let replaced = replaced.unwrap();
        assert_eq!(
            open_at(&replaced.bytes, &names(path)).unwrap().containers[0].container.write().unwrap(),
            new
        );
    }
    let whole = unshade::replace_file(&bytes, &names(&["Layout/inner.szs"]), bytes.clone()).unwrap();
    assert_eq!(open_at(&whole.bytes, &[]).unwrap().stages(None).count(), 6 - 2 + 6);
}

#[test]
fn the_corpus_keeps_the_promises() {
    let Some(shared) = corpus::shared("wrappers of the corpus") else { return };
    let mut read = 0;
    let dictionaries = fs::read(shared.join("corpus/wrappers/ZsDic.pack.zs")).unwrap();
    let dictionaries = unshade::wrap::nest::dictionaries(&dictionaries).unwrap();
    for path in corpus::files(&shared.join("corpus/wrappers")) {
        let bytes = fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        wrappers::yaz0(bytes.get(..60_000).unwrap_or(&bytes));
        wrappers::sarc(&bytes);
        wrappers::zstd(bytes.get(..60_000).unwrap_or(&bytes));
        let source = unshade::Source::new(&bytes, &dictionaries);
        let checked = report::check(source, &[], None);
        let errors = checked.count(Severity::Error);
        let wrapper = name.ends_with(".szs")
            || name.ends_with(".sarc")
            || name.ends_with(".yaz0")
            || name.ends_with(".bfres")
            || name.ends_with(".zs")
            || name == "demo.sbfsha";
        let bad = name.starts_with("bad_") || name == "deep20.yaz0";
        if wrapper {
            assert_eq!(errors > 0, bad, "{name}: {:?}", checked.diagnostics);
            read += usize::from(!bad);
        } else if name.ends_with(".mc") {
            let finding = &checked.diagnostics[0];
            assert_eq!(finding.code, "container.not-read", "{name}: {finding}");
        }
    }
    assert_eq!(read, 29);
}

#[test]
fn cut_and_flipped_models_and_frames_hold_the_properties() {
    let folder = corpus::root().join("samples");
    let packed = fs::read(folder.join("options_dict.bfsha.zs")).unwrap();
    let archive = fs::read(folder.join("ZsDic.pack.zs")).unwrap();
    for bytes in [&packed, &archive] {
        for len in (0..bytes.len()).step_by(83) {
            wrappers::zstd(&bytes[..len]);
        }
    }
    for bit in (0..archive.len() * 8).step_by(211) {
        let mut damaged = archive.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        wrappers::zstd(&damaged);
    }
    let model = fs::read(folder.join("model.bfres")).unwrap();
    for len in (0..model.len()).step_by(2503) {
        wrappers::bfres(&model[..len]);
    }
    for bit in (0..0xd0 * 8).step_by(37).chain((0xd0 * 8..0x1000 * 8).step_by(1511)) {
        let mut damaged = model.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        wrappers::bfres(&damaged);
    }
}

#[test]
fn cut_and_flipped_files_hold_the_properties() {
    let bytes = sample();
    for len in (0..bytes.len()).step_by(19) {
        wrappers::yaz0(&bytes[..len]);
    }
    let archive = unshade::wrap::yaz0::read(&bytes).unwrap().data;
    for len in (0..archive.len()).step_by(37) {
        wrappers::sarc(&archive[..len]);
    }
    for (bytes, step) in [(bytes, 61), (archive, 67)] {
        let mut damaged = bytes.clone();
        // All bits of the headers and tables, some of the rest.
        for bit in (0..0x80 * 8).chain((0x80 * 8..bytes.len() * 8).step_by(step)) {
            damaged[bit / 8] ^= 1 << (bit % 8);
            wrappers::sarc(&damaged);
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
    }
}
