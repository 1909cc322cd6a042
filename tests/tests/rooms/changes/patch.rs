//! Patches: exact on the file that they were made from, and careful with others.

use crate::changes::related::{self, Numbers};
use std::{collections::BTreeMap, fs, time::Instant};
use unshade::{
    Container, Parts, Severity,
    patch::{self, Changes, PatchError},
};
use unshade_tests::{corpus, properties::patch as property};

fn sample(name: &str) -> Vec<u8> {
    fs::read(corpus::root().join("samples").join(name)).unwrap()
}

/// Neighbours of the sorted files of samples and corpus, and random pairs of one kind (see `related::pairs`), one way.
/// With `UNSHADE_PAIRS` all neighbours, and so many random pairs.
#[test]
fn patches_between_related_files_are_exact() {
    let started = Instant::now();
    let files = related::files("patches between related files");
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let asked = std::env::var("UNSHADE_PAIRS").ok().and_then(|text| text.parse().ok());
    // The samples alone are few: more pairs of them.
    let usual = if unshade_corpus::is_there() { (3, 60) } else { (1, 300) };
    let (step, random) = asked.map_or(usual, |random| (1, random));
    for (old, new) in related::pairs(&files, step, random) {
        let (a, b) = (fs::read(&old).unwrap(), fs::read(&new).unwrap());
        let made = patch::make(&a, &b);
        for section in &made.sections {
            *kinds
                .entry(match section.changes {
                    Changes::Fields(_) => "fields",
                    Changes::Parts(_) => "parts",
                    Changes::Bytes(_) => "bytes",
                })
                .or_default() += 1;
        }
        *kinds.entry(if made.rest.is_some() { "rest" } else { "no rest" }).or_default() += 1;
        println!("{} {}", old.display(), new.display());
        property::makes(&a, &b);
    }
    eprintln!("{kinds:?} in {:?}", started.elapsed());
    assert!(kinds.len() > 3, "{kinds:?}");
}

#[test]
fn a_patch_of_nothing_changes_nothing() {
    for name in ["lighting.shbin", "nested.szs", "README.md"] {
        let bytes = sample(name);
        property::makes(&bytes, &bytes);
    }
    property::makes(b"", b"new");
    property::makes(b"old", b"");
}

/// The container with other text in its manifest.
fn rebuilt(bytes: &[u8], change: impl Fn(&str) -> String) -> Vec<u8> {
    let mut parts = unshade::extract(&Container::read(bytes).unwrap()).unwrap();
    let manifest = change(parts.manifest());
    assert_ne!(manifest, parts.manifest());
    parts.insert(Parts::MANIFEST, manifest);
    unshade::build(&parts).unwrap().write().unwrap()
}

fn set(path: &str, value: &str) -> unshade::Change {
    unshade::Change::Set(unshade::Setting { path: path.to_owned(), value: value.to_owned() })
}

fn edited(bytes: &[u8], settings: &[(&str, &str)]) -> Vec<u8> {
    let changes: Vec<_> = settings.iter().map(|(path, value)| set(path, value)).collect();
    unshade::edit(bytes, &[], &changes).unwrap().rewritten.bytes
}

fn errors(bytes: &[u8]) -> usize {
    let found = Container::read(bytes).unwrap().check();
    found.iter().filter(|found| found.severity == Severity::Error).count()
}

const FIRST_UNIFORM: &str = "uniforms = [\n";
const ANOTHER: &str = "    { name = \"inFront\", first = 56, last = 57 },\n";

/// A field that was changed, in a file in which a table grew in front of it.
#[test]
fn fields_are_found_where_tables_grew() {
    let old = sample("lighting.shbin");
    // The last uniform's register is another one.
    let new = edited(&old, &[("dvle[0].uniforms[11].first", "b3"), ("dvle[0].uniforms[11].last", "b3")]);
    let made = patch::make(&old, &new);
    assert!(matches!(made.sections[0].changes, Changes::Fields(_)));
    let other = rebuilt(&old, |text| text.replacen(FIRST_UNIFORM, &format!("{FIRST_UNIFORM}{ANOTHER}"), 1));
    let applied = patch::apply(&made, &other).unwrap();
    assert!(!applied.exact);
    let expected =
        rebuilt(&new, |text| text.replacen(FIRST_UNIFORM, &format!("{FIRST_UNIFORM}{ANOTHER}"), 1));
    assert_eq!(applied.rewritten.bytes, expected);
    assert_eq!(errors(&applied.rewritten.bytes), 0);
}

/// An entry more at the end of a table, in a file that has one more at its start.
#[test]
fn parts_are_found_where_others_changed() {
    let old = sample("lighting.shbin");
    let added = |text: &str| {
        text.replacen(
            "    { name = \"moveTexture\"",
            "    { name = \"added\", first = 66, last = 66 },\n    { name = \"moveTexture\"",
            1,
        )
    };
    let grown = |text: &str| text.replacen(FIRST_UNIFORM, &format!("{FIRST_UNIFORM}{ANOTHER}"), 1);
    let (new, other) = (rebuilt(&old, added), rebuilt(&old, grown));
    let made = patch::make(&old, &new);
    assert!(matches!(made.sections[0].changes, Changes::Parts(_)));
    let applied = patch::apply(&made, &other).unwrap();
    assert_eq!(applied.rewritten.bytes, rebuilt(&other, added));
    assert_eq!(errors(&applied.rewritten.bytes), 0);
}

/// A program of an archive got other code of another length; the patch is applied where another program was changed.
#[test]
fn programs_are_found_where_others_changed() {
    let old = sample("surface.sharcfb");
    let longer = |name: &str, bytes: &[u8]| {
        let mut parts = unshade::extract(&Container::read(bytes).unwrap()).unwrap();
        let code = parts.files().find(|(file, _)| *file == name).map(|(_, code)| code.to_vec()).unwrap();
        parts.insert(name, [code, vec![7; 64]].concat());
        unshade::build(&parts).unwrap().write().unwrap()
    };
    let new = longer("3-pixel-code.bin", &old);
    let other = longer("8-vertex-code.bin", &old);
    let made = patch::make(&old, &new);
    property::makes(&old, &new);
    let applied = patch::apply(&made, &other).unwrap();
    assert_eq!(applied.rewritten.bytes, longer("3-pixel-code.bin", &other));
    assert_eq!(errors(&applied.rewritten.bytes), errors(&old));
}

#[test]
fn hunks_without_a_place_are_named() {
    let old = sample("lighting.shbin");
    let new = edited(&old, &[("dvle[0].outputs[0].semantic", "view"), ("dvle[0].constants[0].x", "0.5")]);
    let made = patch::make(&old, &new);
    let other = edited(&old, &[("dvle[0].outputs[0].semantic", "color")]);
    let Err(PatchError::Failed(failed)) = patch::apply(&made, &other) else { panic!("it has no place") };
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert_eq!(failed[0].place, "dvle[0].outputs[0].semantic");
    assert!(failed[0].expected.contains("hash to") && failed[0].found.contains("hash to"), "{failed:?}");
    // Of a file of another kind nothing is found.
    assert!(patch::apply(&made, &sample("phong.frag.mbs")).is_err());
    assert!(patch::apply(&made, b"").is_err());
    // The result has it already.
    assert!(patch::apply(&made, &new).unwrap().already);
}

/// Lines of a manifest that are not there are told with their numbers.
#[test]
fn lines_without_a_place_are_named() {
    let old = sample("lighting.shbin");
    let new = rebuilt(&old, |text| text.replacen("name = \"ambient\"", "name = \"ambientLight\"", 1));
    let other = rebuilt(&old, |text| text.replacen("name = \"ambient\"", "name = \"somethingElse\"", 1));
    let made = patch::make(&old, &new);
    let Err(PatchError::Failed(failed)) = patch::apply(&made, &other) else { panic!("it has no place") };
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0].place.starts_with("manifest.toml line "), "{failed:?}");
}

#[test]
fn files_in_wrappers_are_patched_where_they_lie() {
    let old = sample("nested.szs");
    let inner = ["Layout/inner.szs".to_owned(), "effect/lighting.shbin".to_owned()];
    let edit = |bytes: &[u8], path: &str, value: &str| {
        unshade::edit(bytes, &inner, &[set(path, value)]).unwrap().rewritten.bytes
    };
    let new = edit(&old, "dvle[0].outputs[0].register", "5");
    let made = patch::make(&old, &new);
    assert_eq!(made.sections[0].name, "Layout/inner.szs:effect/lighting.shbin");
    property::makes(&old, &new);
    let other = edit(&old, "dvle[0].constants[0].x", "0.5");
    let applied = patch::apply(&made, &other).unwrap();
    assert_eq!(applied.rewritten.bytes, edit(&other, "dvle[0].outputs[0].register", "5"));
}

/// An archive in which a file has another size and name, under its compression: what is in it is copied.
#[test]
fn archives_are_patched_under_their_compression() {
    let old = sample("nested.szs");
    let mut parts = unshade::extract_file(&old, &unshade::open(&old).unwrap()).unwrap();
    let manifests: Vec<_> = parts.files().map(|(name, _)| name.to_owned()).collect();
    let archive = manifests.iter().find(|name| *name == "content/manifest.toml").unwrap();
    let text = parts
        .files()
        .find(|(name, _)| name == archive)
        .map(|(_, text)| String::from_utf8(text.to_vec()).unwrap());
    let renamed = text.unwrap().replace("name = \"readme.txt\"", "name = \"notes.txt\"");
    parts.insert(archive.as_str(), renamed);
    let new = unshade::build_file(&parts).unwrap();
    assert_ne!(old, new);
    property::makes(&old, &new);
    let made = patch::make(&old, &new);
    assert!(made.sections.iter().any(|section| section.name == patch::UNPACKED), "{made}");
    assert!(made.rest.is_none() && made.to_string().len() < old.len(), "{made}");
}

/// Texts of patches that were cut or changed, as the fuzz target has them.
#[test]
fn any_text_is_survived() {
    let mut numbers = Numbers(5);
    let cases = if cfg!(debug_assertions) { 200 } else { 1000 };
    for _ in 0..cases {
        let len = numbers.below(120);
        let data: Vec<u8> = (0..len).map(|_| numbers.below(256) as u8).collect();
        property::patch(&data);
    }
    for (old, new) in [("lighting.shbin", "shared_transform.shbin"), ("varying.frag.mbs", "phong.frag.mbs")] {
        let text = patch::make(&sample(old), &sample(new)).to_string();
        for end in (0..text.len()).step_by(7) {
            property::patch(&text.as_bytes()[..end]);
        }
    }
    let hostile = [
        "unshade-patch 1\nfrom 0 0000000000000000\nto 0 0000000000000000\nfile -\nfrom 0 0000000000000000\nto 0 0000000000000000\nbytes\n  copy 0x0 18446744073709551615 0000000000000000\n",
        "unshade-patch 1\nfrom 0 0000000000000000\nto 0 0000000000000000\nrest 612 0e5a9c44d366ba79\n  copy 0xffffffffffffffff 18446744073709551615 0000000000000000\n",
        "unshade-patch 1\nfrom 0 0000000000000000\nto 0 0000000000000000\nfile -\nfrom 0 0000000000000000\nto 0 0000000000000000\nfields\nat magic +18446744073709551615 18446744073709551615 0000000000000000 entry 0000000000000000\n",
        "unshade-patch 1\nfrom 0 0000000000000000\nto 0 0000000000000000\nfile -\nfrom 0 0000000000000000\nto 0 0000000000000000\nparts\nlines manifest.toml 0 18446744073709551615 0000000000000000 before after\nlines manifest.toml 18446744073709551615 0 0000000000000000 before after\nadd manifest.toml\n",
    ];
    for text in hostile {
        assert!(patch::parse(text).is_ok(), "{text}");
        property::patch(text.as_bytes());
    }
}
