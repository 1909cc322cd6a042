//! Whole files to listings and back.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use unshade::{
    Container,
    listing::{
        ListingOptions, assemble_listing, disassemble_container, disassemble_container_to_text,
        disassemble_stage, item_listing,
    },
    pica200::listing::assemble_code,
};

/// The well-formed files of the corpus next to the checkout, if it is there.
fn corpus() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/shbin");
    let mut files = Vec::new();
    for folder in ["picasso-out", "real", "nihstro-out", "synthetic", "synthetic/malformed"] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else { continue };
        for entry in entries.flatten().filter(|entry| entry.path().is_file()) {
            files.push((entry.path(), std::fs::read(entry.path()).unwrap()));
        }
    }
    files.sort();
    if files.is_empty() {
        println!("skipped: no corpus beside the checkout");
    }
    files
}

#[test]
fn every_readable_file_comes_back_from_its_listing() {
    let mut count = 0;
    for (path, bytes) in corpus() {
        let Ok(container) = Container::read(&bytes) else { continue };
        let options = ListingOptions { offsets: count % 2 == 1, words: count % 3 == 1 };
        let text = disassemble_container_to_text(&container, &options);
        assert_eq!(disassemble_container(&container, &options).text(), text);
        let back = assemble_listing(&text)
            .unwrap_or_else(|e| panic!("{}: {}\n{text}", path.display(), e[0]));
        assert_eq!(back, container, "{}\n{text}", path.display());
        assert_eq!(back.write().unwrap(), bytes, "{}", path.display());
        count += 1;
    }
    assert!(count == 0 || count > 40, "only {count} files were readable");
}

#[test]
fn every_stage_assembles_as_code() {
    for (path, bytes) in corpus() {
        let Ok(container) = Container::read(&bytes) else { continue };
        for stage in container.stages() {
            let listing = disassemble_stage(&stage, &ListingOptions::default());
            let back = assemble_code(listing.text())
                .unwrap_or_else(|e| panic!("{}: {}\n{listing}", path.display(), e[0]));
            assert_eq!(back.words, *stage.code.words, "{}", path.display());
            assert_eq!(back.descriptors, *stage.code.descriptors);
            let data = item_listing(&stage);
            let words: Vec<u32> = data.instructions.iter().flat_map(|i| i.words.iter().copied()).collect();
            assert_eq!(words, *stage.code.words);
        }
    }
}
