//! One path for one thing: every path that a finding names is one that `show` prints and `edit` takes, in files of every
//! container as they are, cut, and damaged.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    fs,
};
use unshade::{Container, Format, report};
use unshade_tests::{corpus, mutate};

/// Damaged files for each that is sound.
const DAMAGED: u32 = 24;

/// Containers of every format: the samples, and some of the corpus.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut paths = corpus::files(&corpus::root().join("samples"));
    if let Some(shared) = corpus::shared("containers of every format") {
        for folder in ["gfd", "sharcfb", "sharc-versions", "mbs", "shbin", "bnsh", "bfsha"] {
            let of = corpus::files(&shared.join("corpus").join(folder));
            paths.extend(of.into_iter().step_by(7).take(12));
        }
    }
    let read = |path: std::path::PathBuf| {
        let bytes = fs::read(&path).unwrap();
        let small = bytes.len() < 1 << 17 && Container::read(&bytes).is_ok();
        small.then(|| (path.display().to_string(), bytes))
    };
    paths.into_iter().filter_map(read).collect()
}

/// A file, and what becomes of it.
fn versions(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut versions = vec![bytes.to_vec(), [bytes, &[1, 2, 3]].concat()];
    for seed in 0..DAMAGED {
        let mut dice = mutate::Dice::new(seed + 1);
        let mut damaged = bytes.to_vec();
        match seed % 3 {
            0 => damaged.truncate(dice.below(bytes.len())),
            1 => {
                for _ in 0..=dice.below(4) {
                    let at = dice.below(damaged.len());
                    damaged[at] ^= 1 << dice.below(8);
                }
            }
            _ => damaged = mutate::container(bytes, &mut dice).unwrap_or_default(),
        }
        versions.push(damaged);
    }
    versions
}

/// What the checks of the Wii U's files themselves say, before anything is put right.
#[test]
fn structures_name_fields_as_their_trees_do() {
    let mut wrong = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for (name, bytes) in files() {
        for version in versions(&bytes) {
            let Ok(container) = Container::read(&version) else { continue };
            let format = container.format();
            let found = container.check();
            if found.is_empty() || !matches!(format, Format::Gfd | Format::Sharcfb) {
                continue;
            }
            seen.insert(format.name());
            let mut known = HashSet::new();
            container.tree().walk(|path, _| {
                known.insert(path.to_owned());
            });
            for finding in
                found.iter().filter(|finding| !finding.path.is_empty() && !known.contains(&finding.path))
            {
                wrong.entry(finding.code.to_string()).or_insert_with(|| format!("{name}: {finding}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(seen.len(), 2);
}

/// What people see, of every container: code as well, and what lies inside of other files.
#[test]
fn every_finding_names_what_show_prints() {
    let mut formats = BTreeSet::new();
    for (name, bytes) in files() {
        for version in versions(&bytes) {
            let Ok(opened) = unshade::open(&version) else { continue };
            let report = report::check(&version, &[], None);
            let mut known = HashSet::new();
            for tree in report::show(&version, &opened).containers {
                let inner = tree.inner.map(|inner| format!(":{inner}"));
                known.extend(inner.clone());
                tree.tree.walk(|path, _| {
                    known.insert(inner.as_ref().map_or(path.to_owned(), |inner| format!("{inner} {path}")));
                });
            }
            for inner in &opened.containers {
                formats.insert(inner.container.format().name());
            }
            for finding in report.diagnostics.iter().filter(|finding| !finding.path.is_empty()) {
                assert!(known.contains(&finding.path), "{name}: {finding}");
            }
        }
    }
    assert!(formats.len() >= 5, "{formats:?}");
}
