//! Promises that the sources themselves must keep (docs/promises.md).

use std::collections::BTreeMap;
use unshade_tests::corpus::{files, root};

/// Lines of a file without comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(at, line)| (at + 1, line.split("//").next().unwrap_or_default()))
}

/// Where `unsafe` may stand, and on how many lines: what maps files, and the two files of the C interface that know
/// pointers. In `doors.rs` there is a line for each function that C calls, which says that its name stays; those that take
/// pointers to bytes, texts and structures have two more.
const UNSAFE: [(&str, usize); 3] = [
    ("crates/capi/src/doors.rs", DOORS + 2 * DOORS_WITH_POINTERS),
    ("crates/capi/src/pointers.rs", 29),
    ("crates/catalog/src/content.rs", 1),
];
const DOORS: usize = 19;
const DOORS_WITH_POINTERS: usize = 6;

#[test]
fn unsafe_stands_where_it_must() {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for path in files(&root().join("crates")) {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        // The tests of the C interface do what C does.
        if !name.ends_with(".rs") || name.starts_with("crates/capi/tests/") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        // With the dash, so that what a page says of its scripts ('unsafe-inline') is another word.
        let between = |c: char| !c.is_alphanumeric() && c != '_' && c != '-';
        let is_unsafe = |line: &str| line.split(between).any(|word| word == "unsafe");
        let lines = code(&text).filter(|(_, line)| is_unsafe(line)).count();
        if lines > 0 {
            found.insert(name, lines);
        }
    }
    let found: Vec<(&str, usize)> = found.iter().map(|(name, lines)| (name.as_str(), *lines)).collect();
    assert_eq!(found, UNSAFE);
}

/// Every block of it in the C interface says why it holds.
#[test]
fn unsafe_blocks_are_explained() {
    for (name, _) in UNSAFE.iter().filter(|(name, _)| name.starts_with("crates/capi/")) {
        let text = std::fs::read_to_string(root().join(name)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (at, _) in
            code(&text).filter(|(_, line)| line.contains("unsafe {") || line.contains("unsafe impl"))
        {
            let above = lines[..at - 1].iter().rev().map(|line| line.trim());
            let explained =
                above.take_while(|line| line.starts_with("//")).any(|line| line.contains("SAFETY"));
            assert!(explained, "{name}:{at}");
        }
    }
}

#[test]
fn libraries_forbid_what_panics() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    for lint in
        ["unsafe_code = \"forbid\"", "unwrap_used = \"deny\"", "expect_used = \"deny\"", "panic = \"deny\""]
    {
        assert!(manifest.contains(lint), "{lint}");
    }
    assert!(manifest.contains("overflow-checks = true"));
    let forbidding =
        ["bytes", "stage", "containers", "isa", "ir", "emit", "unshade", "cli", "python", "serve", "web"];
    for name in forbidding {
        let own = std::fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
        assert!(own.contains("[lints]\nworkspace = true"), "{name}");
    }
    for name in ["catalog", "capi"] {
        let own = std::fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
        for lint in
            ["unsafe_code = \"deny\"", "unwrap_used = \"deny\"", "expect_used = \"deny\"", "panic = \"deny\""]
        {
            assert!(own.contains(lint), "{name}: {lint}");
        }
    }
    for name in ["bytes", "containers"] {
        let lib = std::fs::read_to_string(root().join("crates").join(name).join("src/lib.rs")).unwrap();
        assert!(lib.contains("deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)"), "{name}");
    }
}

/// What the page of promises names is there.
#[test]
fn tests_that_are_named_exist() {
    let page = std::fs::read_to_string(root().join("docs/promises.md")).unwrap();
    let (mut sources, mut stems) = (String::new(), Vec::new());
    for folder in ["crates", "tests"] {
        for path in files(&root().join(folder)) {
            stems.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
            if path.extension().is_some_and(|ending| ending == "rs")
                && path.to_string_lossy().contains("tests")
            {
                sources.push_str(&std::fs::read_to_string(&path).unwrap_or_default());
            }
        }
    }
    let quoted = || page.split('`').skip(1).step_by(2).filter(|name| !name.contains(['=', '*', ' ']));
    let places: Vec<&str> =
        quoted().filter(|name| name.starts_with("crates/") || name.starts_with("tests/")).collect();
    assert!(places.len() >= 4, "{places:?}");
    for place in &places {
        assert!(root().join(place).exists(), "{place}");
    }
    let named: Vec<&str> = quoted().filter(|name| name.contains("_") && !places.contains(name)).collect();
    assert!(named.len() >= 4, "{named:?}");
    for name in named {
        let is_test = sources.contains(&format!("fn {name}()"));
        assert!(is_test || stems.iter().any(|stem| stem == name), "{name}");
    }
}
