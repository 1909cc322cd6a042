//! Fields set by their paths: what a tree prints sets a field to what it is; random settings are undone again; what cannot
//! be is refused and says why.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use common::edits::{Done, Random, leaves, undone};
use std::collections::{BTreeMap, BTreeSet};
use unshade_bytes::Severity;
use unshade_containers::{Coding, Container, edit::Setting};

/// Larger files are set in a few places only.
const SMALL: usize = 64 << 10;

fn files() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = common::samples();
    files.extend(common::mbs());
    files.extend(common::gfd());
    for ending in ["bnsh", "bfsha"] {
        files.extend(common::nx(ending));
    }
    for folder in ["corpus/shbin", "corpus/sharcfb", "corpus/bnsh/nvnbin", "corpus/maxwell/uam-out"] {
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
            if matches!(node.coding, Coding::Follows | Coding::Text) || node.size == 0 {
                continue;
            }
            let (start, end) = (node.offset as usize, node.end() as usize);
            let old = &bytes[start..end];
            let text = match node.coding {
                Coding::Bytes => old.iter().map(|byte| format!("{byte:02x} ")).collect(),
                _ => node.value.clone().unwrap(),
            };
            let new = node.coding.encode(&text, old, container.byte_order());
            // One byte in hexadecimal reads as a number, too.
            if !(node.coding == Coding::Bytes && node.size == 1) {
                assert_eq!(new.as_deref(), Ok(old), "{path}: {name}, a {:?}, says {text}", node.coding);
            }
            let format = container.format().name();
            *seen.entry(format).or_default() += 1;
        }
    }
    println!("{seen:?}");
    for format in ["shbin", "mbs", "gfd", "sharcfb", "bnsh", "bfsha", "dksh"] {
        assert!(seen.get(format).is_some_and(|count| *count > 100), "{format}: {seen:?}");
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
            .filter(|(_, node)| matches!(node.coding, Coding::Number | Coding::Float | Coding::Float24))
            .collect();
        let tries = if bytes.len() > SMALL { 2 } else { 12 };
        for _ in 0..tries.min(leaves.len()) {
            let (name, node) = &leaves[next() as usize % leaves.len()];
            let value = match node.coding {
                Coding::Number => (next() % 7).to_string(),
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

/// Random fields, texts of other lengths, names and values by name, one after the other, and all of them undone.
#[test]
fn sequences_are_undone() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut total: BTreeMap<&str, Done> = BTreeMap::new();
    for (path, bytes) in files() {
        if std::env::var("ONLY").is_ok_and(|only| !path.contains(&only)) {
            continue;
        }
        let format = Container::read(&bytes).unwrap().format().name();
        let steps = if bytes.len() > SMALL { 3 } else { 10 };
        undone(&path, &bytes, &mut random, steps, total.entry(format).or_default());
    }
    println!("{total:#?}");
    for format in ["shbin", "mbs", "gfd", "sharcfb", "bnsh", "bfsha"] {
        let done = total.get(format).unwrap_or_else(|| panic!("no {format}"));
        assert!(done.texts > 3 && done.renames > 3 && done.values > 3, "{format}: {done:?}");
    }
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
