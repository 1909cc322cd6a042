//! Fields set by their paths: what a tree prints sets a field to what it is; random settings are undone again; what cannot
//! be is refused and says why.
#![allow(clippy::indexing_slicing)]

use crate::agl::writer;
use crate::common;
use crate::common::edits::{Done, Random, leaves, survives, undone};
use std::collections::{BTreeMap, BTreeSet};
use unshade_bytes::Severity;
use unshade_containers::{
    Container, FieldEncoding,
    edit::{Change, Renaming, Setting},
};

/// Larger files are set in a few places only.
const SMALL: usize = 64 << 10;

fn files() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = common::samples();
    files.extend(common::mbs());
    files.extend(common::gfd());
    files.extend(common::sharcfb());
    for ending in ["bnsh", "bfsha", "dksh"] {
        files.extend(common::nx(ending));
    }
    let folders = ["corpus/shbin", "corpus/bnsh/nvnbin", "corpus/maxwell/uam-out", "corpus/sharc-versions"];
    for folder in folders {
        if let Some(folder) = common::shared(folder) {
            let mut folders = vec![folder];
            while let Some(folder) = folders.pop() {
                for entry in std::fs::read_dir(folder).unwrap() {
                    let path = entry.unwrap().path();
                    if path.is_dir() {
                        folders.push(path);
                    } else {
                        files.push((path.to_string_lossy().into_owned(), std::fs::read(&path).unwrap()));
                    }
                }
            }
        }
    }
    for seed in 0..4 {
        files.push((format!("by chance: switch {seed}"), writer::switch(seed).0));
        for version in 10..=13 {
            files.push((format!("by chance: sources {version}, {seed}"), writer::sources(version, seed).0));
        }
    }
    files.sort();
    files.retain(|(_, bytes)| {
        Container::read(bytes).is_ok_and(|file| file.write().is_ok_and(|back| back == *bytes))
    });
    files
}

fn setting(path: &str, value: &str) -> Setting {
    Setting { path: path.to_owned(), value: value.to_owned() }
}

/// What `show` prints, `edit` takes, and nothing changes by it. Bytes that are kept without being understood are printed
/// as a summary; their hexadecimal form stands for them.
#[test]
fn what_is_printed_is_taken() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, bytes) in files() {
        let container = Container::read(&bytes).unwrap();
        let mut names = BTreeSet::new();
        for (name, node) in leaves(&container.tree()) {
            assert!(names.insert(name.clone()), "{path}: two fields are called {name}");
            if matches!(node.coding, FieldEncoding::Follows | FieldEncoding::Text) || node.size == 0 {
                continue;
            }
            let (start, end) = (node.offset as usize, node.end() as usize);
            let old = &bytes[start..end];
            let text = match node.coding {
                FieldEncoding::Bytes => old.iter().map(|byte| format!("{byte:02x} ")).collect(),
                _ => node.value.clone().unwrap(),
            };
            let new = node.coding.encode(&text, old, container.byte_order());
            // One byte in hexadecimal reads as a number, too.
            if !(node.coding == FieldEncoding::Bytes && node.size == 1) {
                assert_eq!(new.as_deref(), Ok(old), "{path}: {name}, a {:?}, says {text}", node.coding);
            }
            let format = container.format().name();
            *seen.entry(format).or_default() += 1;
        }
    }
    println!("{seen:?}");
    for format in ["shbin", "mbs", "gfd", "sharcfb", "bnsh", "bfsha", "dksh"] {
        let least = if format == "dksh" { unshade_corpus::at_least(15, 100) } else { 100 };
        assert!(seen.get(format).is_some_and(|count| *count >= least), "{format}: {seen:?}");
    }
}

/// Fields set to other values and back: the file is the same again.
#[test]
fn settings_are_undone() {
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let (mut done, mut refused) = (0, 0);
    for (path, bytes) in files() {
        let container = Container::read(&bytes).unwrap();
        // What a setting has mended, another may not damage again.
        if container.check().iter().any(|found| found.severity == Severity::Error) {
            continue;
        }
        let leaves: Vec<_> = leaves(&container.tree())
            .into_iter()
            .filter(|(_, node)| {
                matches!(node.coding, FieldEncoding::Number | FieldEncoding::Float | FieldEncoding::Float24)
            })
            .collect();
        let tries = if bytes.len() > SMALL { 2 } else { 12 };
        for _ in 0..tries.min(leaves.len()) {
            let (name, node) = &leaves[next() as usize % leaves.len()];
            let value = match node.coding {
                FieldEncoding::Number => (next() % 7).to_string(),
                _ => format!("{}.5", next() % 100),
            };
            match container.set(&[setting(name, &value)]) {
                Ok((edited, changed)) => {
                    let new = edited.write().unwrap();
                    assert_eq!(new.len(), bytes.len());
                    for (at, (new, old)) in new.iter().zip(&bytes).enumerate() {
                        assert!(
                            new == old || changed.iter().any(|change| change.place.contains(&(at as u64))),
                            "{path}: {name} = {value} changed a byte at {at:#x}"
                        );
                    }
                    assert_eq!(edited.coverage().unowned().next(), None, "{path}: {name} = {value}");
                    let old = node.value.clone().unwrap();
                    let (back, _) = edited.set(&[setting(name, &old)]).unwrap_or_else(|error| {
                        panic!("{path}: {name} = {value} and back to {old}: {error}")
                    });
                    assert!(back.write().unwrap() == bytes, "{path}: {name} = {value} and back");
                    done += 1;
                }
                Err(error) => {
                    assert!(error.code.starts_with("edit."), "{path}: {name} = {value}: {error}");
                    refused += 1;
                }
            }
        }
    }
    println!("{done} settings done and undone, {refused} refused");
    assert!(done > refused);
}

/// Chance that is the same for a file whatever other files there are, and in whatever order a folder lists them.
fn chance(path: &str) -> Random {
    let name = path.rsplit('/').next().unwrap_or(path);
    let hash = name.bytes().fold(0x2545_F491_4F6C_DD1D_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    Random(hash | 1)
}

/// How often something is tried on a file. The samples alone are few, so that more is tried on each.
fn tries((path, bytes): (&str, &[u8]), large: usize, small: usize) -> usize {
    let usual = if bytes.len() > SMALL { large } else { small };
    let is_alone = path.contains("/samples/") && !unshade_corpus::is_there();
    if is_alone { 8 * usual } else { usual }
}

/// Random fields, texts of other lengths, names and values by name, one after the other, and all of them undone.
#[test]
fn sequences_are_undone() {
    let mut total: BTreeMap<&str, Done> = BTreeMap::new();
    for (path, bytes) in files() {
        if std::env::var("ONLY").is_ok_and(|only| !path.contains(&only)) {
            continue;
        }
        let format = Container::read(&bytes).unwrap().format().name();
        let steps = tries((&path, &bytes), 3, 10);
        undone(&path, &bytes, &mut chance(&path), steps, total.entry(format).or_default());
    }
    println!("{total:#?}");
    for format in ["shbin", "mbs", "gfd", "sharcfb", "bnsh", "bfsha"] {
        let done = total.get(format).unwrap_or_else(|| panic!("no {format}"));
        assert!(done.texts > 3 && done.renames > 3 && done.values > 3, "{format}: {done:?}");
    }
}

/// Texts that no file has: taken or refused, and in either case the file is whole.
#[test]
fn strange_texts_are_taken_or_refused() {
    let mut taken = 0;
    for (path, bytes) in files() {
        let steps = tries((&path, &bytes), 2, 8);
        taken += survives(&path, &bytes, &mut chance(&path), steps);
    }
    assert!(taken > 100, "{taken}");
}

fn sample(name: &str) -> Container {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
    Container::read(&std::fs::read(format!("{path}/{name}")).unwrap()).unwrap()
}

fn rename(name: &str, new: &str) -> Renaming {
    Renaming { name: name.to_owned(), new: new.to_owned() }
}

/// Names of the file and their values.
fn value(container: &Container, name: &str) -> Option<String> {
    container.names().into_iter().find(|named| named.name == name)?.value
}

/// The first thing of each kind grows by one letter and by many: no finding that was not there before.
#[test]
fn names_grow_in_every_format() {
    let mut kinds: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (path, bytes) in files() {
        let container = Container::read(&bytes).unwrap();
        if bytes.len() > SMALL || container.check().iter().any(|found| found.severity == Severity::Error) {
            continue;
        }
        let before = container.check().len();
        for named in container.names() {
            let Some(own) = named.own.clone() else { continue };
            let kind = named.name.strip_suffix(&own).unwrap_or(&named.name).to_owned();
            if !kinds.entry(container.format().name()).or_default().insert(kind) {
                continue;
            }
            for new in [format!("{own}Q"), format!("{own}{}", "Q".repeat(300))] {
                let (edited, changed) =
                    container.rename(&[rename(&named.name, &new)]).unwrap_or_else(|error| {
                        panic!("{path}: {} to {new}: {error}", named.name);
                    });
                assert!(!changed.is_empty(), "{path}: {}", named.name);
                assert!(edited.check().len() <= before, "{path}: {} to {new}", named.name);
                assert_eq!(edited.coverage().unowned().next(), None, "{path}: {} to {new}", named.name);
            }
        }
    }
    for format in ["shbin", "mbs", "gfd", "sharcfb", "bnsh", "bfsha"] {
        assert!(kinds.get(format).is_some_and(|kinds| !kinds.is_empty()), "{format}: {kinds:?}");
    }
}

/// An archive's name that is one letter longer moves every binary; their code stays at multiples of 0x100.
#[test]
fn code_keeps_its_alignment() {
    for (path, bytes) in common::sharcfb() {
        let container = Container::read(&bytes).unwrap();
        let places = |container: &Container| -> Vec<u64> {
            container.stages().map(|stage| stage.code.file_offset % 0x100).collect()
        };
        let before = places(&container);
        let own = container.names().into_iter().find(|named| named.name == "archive").unwrap().own.unwrap();
        let mut longer = own.clone();
        for _ in 0..5 {
            longer.push('x');
            let (edited, changed) = container.rename(&[rename("archive", &longer)]).unwrap();
            assert_eq!(places(&edited), before, "{path}: {longer}");
            assert_eq!((changed.len(), changed[0].path.as_str()), (1, "name"), "{path}");
            let (back, _) = edited.rename(&[rename("name", &own)]).unwrap();
            assert!(back.write().unwrap() == bytes, "{path}: {longer} and back");
        }
    }
}

#[test]
fn values_by_name() {
    // Constants come in, change by element, and go again.
    let shader = sample("lighting.shbin");
    let bytes = shader.write().unwrap();
    let (edited, changed) = shader.set(&[setting("uniforms.ambient", "1, 0.5, 0.25, 1")]).unwrap();
    assert_eq!((changed[0].old.as_str(), changed[0].new.as_str()), ("none", "1.0, 0.5, 0.25, 1.0"));
    assert_eq!(changed[0].place.end, changed[0].place.start);
    assert_eq!(changed[0].now.end - changed[0].now.start, 16);
    let (edited, _) = edited.set(&[setting("uniforms.modelView[2]", "0 0 1 0")]).unwrap();
    assert_eq!(value(&edited, "uniforms.modelView").unwrap(), "none; none; 0.0, 0.0, 1.0, 0.0; none");
    let none = [setting("uniforms.ambient", "none"), setting("uniforms.modelView", "none")];
    assert!(edited.set(&none).unwrap().0.write().unwrap() == bytes);
    let (edited, _) = shader.set(&[setting("uniforms.moveTexture", "true")]).unwrap();
    assert_eq!(value(&edited, "uniforms.moveTexture").as_deref(), Some("true"));

    let both = sample("linked.mbs");
    let (edited, _) = both.set(&[setting("uniforms.?__maligp2_constant_000", "2")]).unwrap();
    assert_eq!(value(&edited, "uniforms.?__maligp2_constant_000").as_deref(), Some("2.0"));
    let (edited, _) = edited.set(&[setting("attributes.a_pos.location", "3")]).unwrap();
    assert_eq!(value(&edited, "attributes.a_pos.location").as_deref(), Some("3"));

    let archive = sample("surface.sharcfb");
    let (edited, _) = archive.set(&[setting("macros.SURFACE.default", "textured")]).unwrap();
    assert_eq!(value(&edited, "macros.SURFACE.default").as_deref(), Some("textured"));
    let model = sample("options.bfsha");
    let (edited, _) = model.set(&[setting("options.o_unused.default", "1")]).unwrap();
    assert_eq!(value(&edited, "options.o_unused.default").as_deref(), Some("1"));
}

/// Several changes at once, of which some move what others change; all or none.
#[test]
fn mixed_changes() {
    let shader = sample("lighting.shbin");
    let changes = [
        Change::Set(setting("dvle[0].outputs[0].semantic", "view")),
        Change::Rename(rename("uniforms.projection", "p")),
        Change::Rename(rename("uniforms.modelView", "projection")),
        Change::Set(setting("uniforms.ambient", "0, 0, 0, 1")),
        Change::Set(setting("dvle[0].symbols[0x0]", "\"place\"")),
    ];
    let (edited, changed) = shader.edit(&changes).unwrap();
    assert_eq!(changed.len(), changes.len());
    let names: Vec<_> = edited.names().into_iter().map(|named| named.name).collect();
    for name in ["uniforms.p", "uniforms.projection", "inputs.place"] {
        assert!(names.iter().any(|known| known == name), "{names:?}");
    }
    for wrong in [
        Change::Rename(rename("uniforms.ambient", "lights")),
        Change::Rename(rename("uniforms.ambiant", "x")),
        Change::Set(setting("uniforms.lights", "1")),
        Change::Set(setting("magic", "x")),
        Change::Set(setting("dvle[0].symbols[0x0]", "a\\0b")),
    ] {
        let mut all = changes.to_vec();
        all.push(wrong.clone());
        assert!(shader.edit(&all).is_err(), "{wrong:?}");
    }
    // Two things may exchange their names.
    let exchange = [rename("uniforms.projection", "modelView"), rename("uniforms.modelView", "projection")];
    let (exchanged, _) = shader.rename(&exchange).unwrap();
    let (back, _) = exchanged.rename(&exchange).unwrap();
    assert!(exchanged != shader && back == shader);
}

#[test]
fn what_cannot_be_is_refused() {
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/lighting.shbin")).unwrap();
    let container = Container::read(&bytes).unwrap();
    for (path, value, message) in [
        ("dvle[0].outputs[0].semantic", "brightness", "position, normalquat"),
        ("dvle[0].outputs[0].register", "70000", "0"),
        ("dvle[0].outputz", "1", "dvle[0]."),
        ("dvle[0].outputs", "1", "a structure of"),
        ("magic", "DVLP", "follows from the rest"),
        ("dvle_count", "7", "follows from the rest"),
        ("dvle[0].input_mask", "0x12345", "16 bits"),
    ] {
        let error = container.set(&[setting(path, value)]).unwrap_err().to_string();
        assert!(error.contains(message), "{path} = {value}: {error}");
    }
    // All or nothing, and the same field only once.
    let good = setting("dvle[0].outputs[0].semantic", "view");
    assert!(container.set(std::slice::from_ref(&good)).is_ok());
    assert!(container.set(&[good.clone(), setting("magic", "x")]).is_err());
    assert!(container.set(&[good.clone(), good]).unwrap_err().to_string().contains("set at the same time"));
}
