//! The promises about GFD files and SHARCFB archives, over the samples and the corpus: identical from the model, from
//! the extracted parts and from the listing; every byte owned; other kinds refused by name.

use std::{fs, path::PathBuf};
use unshade::{Container, ListingOptions, Severity, report};
use unshade_tests::{corpus, properties};

/// The samples, and the files of the corpus.
fn files() -> Vec<PathBuf> {
    let mut files = corpus::files(&corpus::root().join("samples"));
    if let Some(shared) = corpus::shared("GFD files and SHARCFB archives") {
        for folder in ["gfd", "sharcfb"] {
            files.extend(corpus::files(&shared.join("corpus").join(folder)));
        }
    }
    files.retain(|path| path.extension().is_some_and(|ending| ending == "gsh" || ending == "sharcfb"));
    assert!(files.len() >= 2);
    files
}

fn property(path: &std::path::Path, bytes: &[u8]) {
    match path.extension().is_some_and(|ending| ending == "gsh") {
        true => properties::gfd(bytes),
        false => properties::sharcfb(bytes),
    }
}

#[test]
fn files_come_back() {
    for path in files() {
        let bytes = fs::read(&path).unwrap();
        let checked = report::check(&bytes, &[], None);
        unshade::open(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        property(&path, &bytes);
        let rooms = ["gfd.", "sharcfb.", "gx2."];
        let mut container = checked
            .diagnostics
            .iter()
            .filter(|finding| rooms.iter().any(|room| finding.code.starts_with(room)));
        let error = container.find(|finding| finding.severity == Severity::Error);
        assert_eq!(error, None, "{}", path.display());
    }
}

#[test]
fn cut_and_flipped_files_hold_the_properties() {
    let samples = corpus::root().join("samples");
    for path in files().into_iter().filter(|path| path.starts_with(&samples)) {
        let bytes = fs::read(&path).unwrap();
        for len in (0..bytes.len()).step_by(59) {
            property(&path, &bytes[..len]);
        }
        let mut damaged = bytes.clone();
        for bit in (0..bytes.len() * 8).step_by(389) {
            damaged[bit / 8] ^= 1 << (bit % 8);
            property(&path, &damaged);
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn listings_can_be_edited() {
    for path in files() {
        let bytes = fs::read(&path).unwrap();
        let before = Container::read(&bytes).unwrap();
        let listing = unshade::disassemble_container(&before, &ListingOptions::default());
        if let Container::Sharcfb(_) = before {
            assert!(unshade::is_archive_listing(listing.text()));
            let wrong = listing.text().replacen(".item \"", ".item \"no", 1);
            let mut same = before.clone();
            let found = unshade::assemble_into(&mut same, &wrong).unwrap_err();
            assert!(found.iter().any(|finding| finding.message.contains("no program")), "{found:?}");
            assert_eq!(same, before);
            // One program alone, with an instruction less, leaves the others as they are.
            let stage = before.stages().next().unwrap();
            let text = format!(
                ".archive sharcfb\n.item \"{}\"\n.code\n.word 1, 2, 3, 4\n.end_code\n.end_archive\n",
                stage.id
            );
            let mut after = before.clone();
            if unshade::assemble_into(&mut after, &text).is_ok() {
                for (old, new) in before.stages().zip(after.stages()).skip(1) {
                    assert_eq!(old.code.words, new.code.words, "{}", path.display());
                }
            }
        } else {
            assert!(unshade::is_container_listing(listing.text()));
            let container = unshade::assemble_listing(listing.text()).unwrap();
            assert_eq!(container.write().unwrap(), bytes, "{}", path.display());
            for (from, to, expected) in [
                (".block", ".blok", "no directive of this place"),
                ("@id=0", "@id=0 @speed=3", "no field `@speed`"),
                (".container gfd", ".container gfd @gpu=x", "x"),
            ] {
                let found = unshade::assemble_listing(&listing.text().replacen(from, to, 1)).unwrap_err();
                assert!(found.iter().any(|finding| finding.message.contains(expected)), "{to}: {found:?}");
            }
        }
    }
}
