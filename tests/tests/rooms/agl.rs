//! The promises about archives of sources and of the Switch, over the samples and the corpus: identical from the model, from
//! the extracted parts and from the listing; every byte owned; cut and flipped files refused or kept.

use std::{fs, path::PathBuf};
use unshade_tests::{corpus, properties};

/// The samples, and the files of the corpus.
fn files() -> Vec<PathBuf> {
    let mut files = corpus::files(&corpus::root().join("samples"));
    if let Some(shared) = corpus::shared("archives of every version") {
        files.extend(corpus::files(&shared.join("corpus/sharc-versions")));
    }
    files.retain(|path| path.extension().is_some_and(|ending| ending == "sharc" || ending == "sharcb"));
    assert!(files.len() >= 2);
    files
}

fn property(path: &std::path::Path, bytes: &[u8]) {
    match path.extension().is_some_and(|ending| ending == "sharc") {
        true => properties::sharc(bytes),
        false => properties::sharcfb_nx(bytes),
    }
}

#[test]
fn archives_come_back() {
    for path in files() {
        let bytes = fs::read(&path).unwrap();
        unshade::open(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        property(&path, &bytes);
    }
}

#[test]
fn cut_and_flipped_archives_hold_the_properties() {
    let samples = corpus::root().join("samples");
    for path in files().into_iter().filter(|path| path.starts_with(&samples)) {
        let bytes = fs::read(&path).unwrap();
        let step = bytes.len() / 150 + 1;
        for len in (0..bytes.len()).step_by(step) {
            property(&path, &bytes[..len]);
        }
        let mut damaged = bytes.clone();
        for bit in (0..bytes.len() * 8).step_by(step * 9 + 1) {
            damaged[bit / 8] ^= 1 << (bit % 8);
            property(&path, &damaged);
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
    }
}
