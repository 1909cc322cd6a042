//! Inputs that once broke a property, or took long: tests/regressions/TARGET/WHAT, or `as-found-…` where
//! several have one cause.

use std::time::{Duration, Instant};
use unshade_tests::corpus::{files, root};
use unshade_tests::targets;

/// Most time for one of them. What was found took minutes or grew without end; this leaves room for a busy machine.
const LONGEST: Duration = Duration::from_secs(5);

#[test]
fn what_was_found_stays_mended() {
    let folder = root().join("tests/regressions");
    let found = files(&folder);
    assert!(!found.is_empty());
    for path in found {
        let name = path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        let target = name.split('/').next().and_then(targets::find);
        assert!(target.is_some(), "{name}: no such target");
        let start = Instant::now();
        println!("{name}");
        (target.unwrap().property)(&std::fs::read(&path).unwrap());
        assert!(start.elapsed() < LONGEST, "{name}: {:?}", start.elapsed());
    }
}

/// Each target has its program under `fuzz`, and no program is without one.
#[test]
fn targets_have_programs() {
    let mut programs: Vec<String> = files(&root().join("fuzz/fuzz_targets"))
        .iter()
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let mut known: Vec<&str> = targets::ALL.iter().map(|target| target.name).collect();
    programs.sort();
    known.sort_unstable();
    assert_eq!(programs, known);
    let manifest = std::fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
    for name in known {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
        let program = std::fs::read_to_string(root().join(format!("fuzz/fuzz_targets/{name}.rs"))).unwrap();
        assert!(program.contains(&format!("target!(\"{name}\")")), "{name}");
    }
}
