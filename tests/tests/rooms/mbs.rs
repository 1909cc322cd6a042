//! The promises about MBS files, over the samples and the corpus: identical from the model, from the extracted
//! parts and from the listing; every byte owned; other versions refused by name.

use std::{fs, path::PathBuf};
use unshade::{Severity, report};
use unshade_tests::{corpus, properties};

/// The samples, and the files of the corpus.
fn files() -> Vec<PathBuf> {
    let mut files = corpus::files(&corpus::root().join("samples"));
    if let Some(shared) = corpus::shared("MBS files") {
        for folder in ["real", "lima-out", "generated"] {
            files.extend(corpus::files(&shared.join("corpus/mbs").join(folder)));
        }
    }
    files.retain(|path| path.extension().is_some_and(|ending| ending == "mbs"));
    assert!(files.len() >= 3);
    files
}

#[test]
fn files_come_back() {
    for path in files() {
        let bytes = fs::read(&path).unwrap();
        let checked = report::check(&bytes, &[], None);
        if path.ends_with("g08_mbs2_refuse.mbs") {
            assert_eq!(checked.diagnostics[0].code, "mbs.version");
            continue;
        }
        let opened = unshade::open(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(opened.stages(None).count() > 0, "{}", path.display());
        properties::mbs(&bytes);
        let container = checked.diagnostics.iter().filter(|finding| finding.code.starts_with("mbs."));
        assert_eq!(
            container.filter(|finding| finding.severity == Severity::Error).count(),
            0,
            "{}",
            path.display()
        );
    }
}

#[test]
fn cut_and_flipped_files_hold_the_properties() {
    for path in files().into_iter().take(3) {
        let bytes = fs::read(&path).unwrap();
        for len in (0..bytes.len()).step_by(13) {
            properties::mbs(&bytes[..len]);
        }
        let mut damaged = bytes.clone();
        for bit in (0..bytes.len() * 8).step_by(37) {
            damaged[bit / 8] ^= 1 << (bit % 8);
            properties::mbs(&damaged);
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
    }
}
