//! Programs replaced, added and removed, in files and through wrappers.

use std::path::{Path, PathBuf};
use unshade::{
    Container, ListingOptions,
    change::{
        Addition, ChangeError, InstructionEdit, InstructionPlace, Replacement, add_program, remove_program,
        replace_instruction, replace_program, replacement,
    },
    disassemble_stage_to_text, item_listing, open_at,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Larger files take long and show nothing more.
const LARGEST: u64 = 128 << 10;

/// The samples alone, or, with the corpus beside the checkout, from each folder some files, spread over its names.
pub(crate) fn files() -> Vec<(PathBuf, Vec<u8>)> {
    let mut folders = vec![root().join("samples")];
    let corpus = unshade_corpus::shared("corpus");
    if corpus.is_dir() {
        let mut open = vec![corpus];
        while let Some(folder) = open.pop() {
            let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
            open.extend(entries.filter(|path| path.is_dir()));
            folders.push(folder);
        }
    } else {
        println!("skipped but for the samples: no {}", corpus.display());
    }
    let mut files = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let small =
            |path: &PathBuf| path.metadata().is_ok_and(|data| data.is_file() && data.len() <= LARGEST);
        let mut paths: Vec<_> = entries.filter(small).collect();
        paths.sort();
        let read = paths.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap()));
        let known: Vec<_> = read.filter(|(_, bytes)| Container::read(bytes).is_ok()).collect();
        let step = if unshade_corpus::is_there() { (known.len() / 6).max(1) } else { 1 };
        files.extend(known.into_iter().step_by(step));
    }
    files
}

#[test]
fn what_is_replaced_by_itself_stays() {
    let mut programs = 0;
    for (path, bytes) in files() {
        let container = Container::read(&bytes).unwrap();
        // Caches of emulators are only read.
        let is_cache = path.components().any(|part| part.as_os_str() == "emulator-caches");
        if is_cache || !matches!(container.difference(&bytes), Ok(None)) {
            continue;
        }
        for stage in container.stages().take(4) {
            let (item, shown) = (stage.id.0.as_str(), format!("{} #{}", path.display(), stage.id));
            let text = disassemble_stage_to_text(&stage, &ListingOptions::default());
            let text = Replacement::Text { name: "listing".to_owned(), text };
            let same = replace_program(&bytes[..], &[], Some(item), text, false);
            match same {
                Ok(same) => assert!(same.rewritten.bytes == bytes, "{shown}: its listing changes it"),
                Err(error) => panic!("{shown}: its listing: {error}"),
            }
            let words = Replacement::Words(stage.code.words.to_vec());
            let same = replace_program(&bytes[..], &[], Some(item), words, false).unwrap();
            assert!(same.rewritten.bytes == bytes, "{shown}: its words change it");
            let listing = item_listing(&stage);
            let count = listing.instructions.len();
            for number in [0, count / 2, count.saturating_sub(1)] {
                let Some(instruction) = listing.instructions.get(number) else { continue };
                let edit = InstructionEdit {
                    place: Some(InstructionPlace::Number(number)),
                    expect: instruction.text.clone(),
                    value: instruction.text.clone(),
                };
                match replace_instruction(&bytes[..], &[], Some(item), &edit, false) {
                    Ok(same) => assert!(same.rewritten.bytes == bytes, "{shown}: {}", instruction.text),
                    Err(error) => panic!("{shown}: {}: {error}", instruction.text),
                }
            }
            // A copy program goes with its geometry program.
            let copy = stage.interface.latte.as_ref().is_some_and(|latte| latte.copy_program);
            if let (false, Ok(own)) = (copy, replacement(&bytes[..], ("own", &[], Some(item)), false)) {
                match replace_program(&bytes[..], &[], Some(item), own, false) {
                    Ok(same) => assert!(same.rewritten.bytes == bytes, "{shown}: itself, whole"),
                    Err(error) => panic!("{shown}: itself, whole: {error}"),
                }
            }
            programs += 1;
        }
    }
    println!("{programs} programs");
    assert!(programs >= 20, "only {programs} programs");
}

#[test]
fn an_instruction_that_is_changed_can_be_changed_back() {
    let mut changed = 0;
    for (path, bytes) in files() {
        let container = Container::read(&bytes).unwrap();
        if !matches!(container.difference(&bytes), Ok(None)) {
            continue;
        }
        for stage in container.stages().take(2) {
            let listing = item_listing(&stage);
            let texts: Vec<_> = listing.instructions.iter().map(|instruction| &instruction.text).collect();
            for (number, other) in [(0, 1), (texts.len() / 2, 0), (1, texts.len() / 3)] {
                let (Some(old), Some(new)) = (texts.get(number), texts.get(other)) else { continue };
                let place = Some(InstructionPlace::Number(number));
                let edit = |expect: &str, value: &str| InstructionEdit {
                    place,
                    expect: expect.to_owned(),
                    value: value.to_owned(),
                };
                let item = Some(stage.id.0.as_str());
                // What cannot stand there is refused; that is not what is looked at here.
                let Ok(done) = replace_instruction(&bytes[..], &[], item, &edit(old, new), true) else {
                    continue;
                };
                let file = Container::read(&done.rewritten.bytes).unwrap();
                let now = item_listing(&file.stage(&stage.id).unwrap());
                let Some(found) = now.instructions.get(number) else { panic!("{}", path.display()) };
                let shown = format!("{} #{} {number}: `{old}` to `{new}`", path.display(), stage.id);
                let undone =
                    replace_instruction(&done.rewritten.bytes[..], &[], item, &edit(&found.text, old), true);
                let undone = match undone {
                    Ok(undone) => undone,
                    // The only mention of a label is gone, and with it the label.
                    Err(ChangeError::Text { .. }) => continue,
                    Err(error) => panic!("{shown}: {error}"),
                };
                let file = Container::read(&undone.rewritten.bytes).unwrap();
                assert!(file.stage(&stage.id).unwrap().code.words == stage.code.words, "{shown}");
                changed += usize::from(old != new);
            }
        }
    }
    println!("{changed} instructions");
    assert!(changed >= 20, "only {changed} instructions were changed");
}

/// The sample that lies inside of others.
fn nested() -> (Vec<u8>, Vec<String>, Vec<u8>) {
    let bytes = std::fs::read(root().join("samples/nested.szs")).unwrap();
    let names = ["Layout/inner.szs", "effect/lighting.shbin"].map(str::to_owned).to_vec();
    let opened = open_at(&bytes[..], &names).unwrap();
    let inside = opened.containers[0].container.write().unwrap();
    (bytes, names, inside)
}

/// The bytes of the container that the names choose.
fn inside(bytes: &[u8], names: &[String]) -> Vec<u8> {
    open_at(bytes, names).unwrap().containers[0].container.write().unwrap()
}

#[test]
fn every_change_goes_through_wrappers() {
    let (bytes, names, alone) = nested();
    let edit = InstructionEdit {
        place: None,
        expect: "mov r0.xyz, position".to_owned(),
        value: "mov r0.xyz, normal".to_owned(),
    };
    let wrapped = replace_instruction(&bytes[..], &names, Some("0"), &edit, false).unwrap();
    let direct = replace_instruction(&alone[..], &[], Some("0"), &edit, false).unwrap();
    assert!(inside(&wrapped.rewritten.bytes, &names) == direct.rewritten.bytes);
    assert!(direct.rewritten.bytes != alone);

    let other = std::fs::read(root().join("samples/loops.shbin")).unwrap();
    let new = || replacement(&other[..], ("loops.shbin", &[], None), false).unwrap();
    let wrapped = replace_program(&bytes[..], &names, Some("0"), new(), true).unwrap();
    let direct = replace_program(&alone[..], &[], Some("0"), new(), true).unwrap();
    assert!(inside(&wrapped.rewritten.bytes, &names) == direct.rewritten.bytes);

    let addition = || Addition { programs: vec![new()], ..Addition::default() };
    let added = add_program(&bytes[..], &names, addition(), true).unwrap();
    let direct = add_program(&alone[..], &[], addition(), true).unwrap();
    assert!(inside(&added.rewritten.bytes, &names) == direct.rewritten.bytes);
    assert_eq!(added.programs[0].item, ":Layout/inner.szs:effect/lighting.shbin#1");

    let removed = remove_program(&added.rewritten.bytes[..], &names, "1").unwrap();
    assert!(inside(&removed.rewritten.bytes, &names) == alone);

    let source = std::fs::read_to_string(root().join("samples/passthrough.v.pica")).unwrap();
    let text = || Replacement::Text { name: "passthrough.v.pica".to_owned(), text: source.clone() };
    let wrapped = replace_program(&bytes[..], &names, Some("0"), text(), true).unwrap();
    let direct = replace_program(&alone[..], &[], Some("0"), text(), true).unwrap();
    assert!(inside(&wrapped.rewritten.bytes, &names) == direct.rewritten.bytes);
}

#[test]
fn registers_follow_code_up_and_down() {
    let bytes = std::fs::read(root().join("samples/blur.gsh")).unwrap();
    let registers = |bytes: &[u8]| {
        let container = Container::read(bytes).unwrap();
        container.stages().find(|stage| stage.id.0 == "pixel0").unwrap().interface.latte.unwrap().registers
    };
    let more = InstructionEdit {
        place: None,
        expect: "SAMPLE R1.xyzw, R0.zw__, t18, s0".to_owned(),
        value: "SAMPLE R100.xyzw, R0.zw__, t18, s0".to_owned(),
    };
    let back = InstructionEdit { place: None, expect: more.value.clone(), value: more.expect.clone() };
    let larger = replace_instruction(&bytes[..], &[], Some("pixel0"), &more, false).unwrap();
    assert_eq!(registers(&larger.rewritten.bytes), Some(101));
    let smaller =
        replace_instruction(&larger.rewritten.bytes[..], &[], Some("pixel0"), &back, false).unwrap();
    assert!(registers(&smaller.rewritten.bytes) < Some(101));
}

#[test]
fn a_varying_that_is_missing_is_named_and_nothing_changes() {
    let linked = std::fs::read(root().join("samples/linked.mbs")).unwrap();
    let other = std::fs::read(root().join("samples/lambert.vert.mbs")).unwrap();
    let new = || replacement(&other[..], ("lambert.vert.mbs", &[], None), false).unwrap();
    let Err(ChangeError::Mismatch(findings)) = replace_program(&linked[..], &[], Some("vert"), new(), false)
    else {
        panic!("a fragment program lost its varying")
    };
    assert_eq!(findings[0].message, "reads `v_c`, which the vertex program does not write");
    let anyway = replace_program(&linked[..], &[], Some("vert"), new(), true).unwrap();
    assert!(anyway.rewritten.bytes != linked);
}
