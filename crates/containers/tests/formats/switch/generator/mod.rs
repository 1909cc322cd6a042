//! Files of the generator against its own descriptions, in every field: the corpus, and fresh random ones.
#![allow(clippy::indexing_slicing)]

pub mod describe;
mod edits;
pub mod sha256;

use crate::common;
use serde_json::Value;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use unshade_bytes::Severity;
use unshade_containers::{Container, bfsha, bnsh, build, extract};

/// The first place where two descriptions differ.
pub fn difference(expected: &Value, found: &Value, path: &str) -> Option<String> {
    // Equal halves are passed over as a whole: only what differs is walked, and named.
    if expected == found {
        return None;
    }
    match (expected, found) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys());
            keys.map(|key| (key, a.get(key), b.get(key))).find_map(|(key, a, b)| match (a, b) {
                (Some(a), Some(b)) => difference(a, b, &format!("{path}.{key}")),
                (a, b) => Some(format!("{path}.{key}: expected {a:?}, found {b:?}")),
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .find_map(|(index, (a, b))| difference(a, b, &format!("{path}[{index}]"))),
        (a, b) => Some(format!("{path}: expected {a}, found {b}")),
    }
}

/// Everything that must hold for a file that the generator made.
fn agrees(bytes: &[u8], expected: &Value, name: &str) {
    let (written, found, findings, tree) = if bytes.starts_with(b"BNSH") {
        let file = bnsh::read(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        (file.write(), describe::bnsh(&file, bytes.len() as u64), file.check(), file.tree())
    } else {
        let file = bfsha::read(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found =
            if file.is_wiiu() { describe::cafe(&file) } else { describe::bfsha(&file, bytes.len() as u64) };
        (file.write(), found, file.check(), file.tree())
    };
    assert!(written.unwrap() == bytes, "{name}: written differently");
    assert_eq!(difference(expected, &found, ""), None, "{name}");
    let coverage = tree.unwrap().coverage(bytes.len() as u64);
    assert_eq!((coverage.unowned().next(), coverage.shared().next()), (None, None), "{name}");
    let errors: Vec<_> = findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
}

fn gunzip(path: &Path) -> String {
    let output = Command::new("gzip").arg("-dc").arg(path).output().unwrap();
    assert!(output.status.success(), "{}", path.display());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn corpus_in_every_field() {
    let mut count = 0;
    for ending in ["bnsh", "bfsha"] {
        for (path, bytes) in common::nx(ending) {
            let path = Path::new(&path);
            let name = format!("{}.json.gz", path.file_name().unwrap().to_string_lossy());
            let description = path.parent().unwrap().join("../json").join(name);
            if description.exists() {
                let expected: Value = serde_json::from_str(&gunzip(&description)).unwrap();
                agrees(&bytes, &expected, &path.to_string_lossy());
                count += 1;
            }
        }
    }
    println!("{count} files of the corpus agree with their descriptions");
}

/// So many random files are edited.
const EDITED: u32 = 80;

/// Random files of both formats and byte orders. `UNSHADE_RANDOM` says how many of each format, 1000 for the
/// whole proof.
#[test]
fn random_in_every_field() {
    let Some(tool) = common::shared("tools/make_bfsha.py") else { return };
    let r700 = common::shared("corpus/gfd/r700");
    let count: u32 = std::env::var("UNSHADE_RANDOM").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
    let driver = concat!(include_str!("generator.py"), include_str!("random.py"));
    let mut child = Command::new("python3")
        .arg("-c")
        .arg(driver)
        .arg(&tool)
        .arg("0")
        .arg(count.to_string())
        .arg(r700.unwrap_or_default())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    let (mut seen, mut edits) = (0_u32, common::edits::Done::default());
    loop {
        let mut sizes = [0; 8];
        if out.read_exact(&mut sizes).is_err() {
            break;
        }
        let [a, b, c, d, e, f, g, h] = sizes;
        let mut file = vec![0; u32::from_le_bytes([a, b, c, d]) as usize];
        let mut text = vec![0; u32::from_le_bytes([e, f, g, h]) as usize];
        out.read_exact(&mut file).unwrap();
        out.read_exact(&mut text).unwrap();
        agrees(&file, &serde_json::from_slice(&text).unwrap(), &format!("random file {seen}"));
        let container = Container::read(&file).unwrap();
        let parts = common::through_a_folder(&extract(&container).unwrap());
        assert!(build(&parts).unwrap() == container, "random file {seen}: another model from the folder");
        // Edits take most of the time; in longer runs the first files have them.
        if seen % 4 < 2 && seen < EDITED {
            let mut random = common::edits::Random(u64::from(seen) + 1);
            common::edits::undone(&format!("random file {seen}"), &file, &mut random, 5, &mut edits);
        }
        seen += 1;
    }
    assert!(child.wait().unwrap().success());
    assert!(seen >= 2 * count, "{seen} files");
    println!("{seen} random files agree with their descriptions, {edits:?}");
    assert!(edits.texts > 10 && edits.renames > 10 && edits.values > 10, "{edits:?}");
}
