//! Promises that the sources themselves must keep (docs/promises.md).
#![allow(clippy::unwrap_used, clippy::panic)]

use unshade_tests::corpus::{files, root};

/// Lines of a file without comments and texts.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(at, line)| (at + 1, line.split("//").next().unwrap_or_default()))
}

#[test]
fn one_line_is_unsafe() {
    let mut found = Vec::new();
    for path in files(&root().join("crates")) {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        if !name.ends_with(".rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let is_unsafe =
            |line: &str| line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe");
        found.extend(code(&text).filter(|(_, line)| is_unsafe(line)).map(|(at, _)| format!("{name}:{at}")));
    }
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("crates/catalog/src/content.rs:"), "{found:?}");
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
    for name in ["bytes", "stage", "containers", "isa", "ir", "emit", "unshade", "cli", "python"] {
        let own = std::fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
        assert!(own.contains("[lints]\nworkspace = true"), "{name}");
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
    let named: Vec<&str> = page
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| name.contains("_") && !name.contains(['=', '*', ' ']))
        .collect();
    assert!(named.len() >= 4, "{named:?}");
    for name in named {
        let is_test = sources.contains(&format!("fn {name}()"));
        assert!(is_test || stems.iter().any(|stem| stem == name), "{name}");
    }
}
