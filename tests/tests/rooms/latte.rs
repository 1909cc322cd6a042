//! The properties of Latte code over the corpus, whole, cut and with flipped bits.

use std::path::PathBuf;
use unshade_tests::properties::latte;

fn files(end: &str) -> Vec<PathBuf> {
    let folder = unshade_corpus::shared("corpus/gfd/r700");
    let Ok(entries) = std::fs::read_dir(folder) else {
        println!("skipped: no corpus beside the checkout");
        return Vec::new();
    };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(end));
    files.sort();
    assert!(files.len() > 90);
    files
}

#[test]
fn corpus() {
    for path in files(".bin") {
        latte::code(&std::fs::read(path).unwrap());
    }
}

#[test]
fn every_prefix() {
    for path in files(".bin").into_iter().step_by(7) {
        let data = std::fs::read(path).unwrap();
        for end in 0..data.len().min(600) {
            latte::code(&data[..end]);
        }
    }
}

#[test]
fn flipped_bits() {
    for path in files(".bin") {
        let data = std::fs::read(path).unwrap();
        // A hundred of each file, spread over all of it.
        let bits = data.len() * 8;
        for bit in (0..bits).step_by((bits / 100).max(1)) {
            let mut flipped = data.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            latte::code(&flipped);
        }
    }
}

/// Listings of decaf with letters taken out and doubled.
#[test]
fn broken_text() {
    for path in files(".decaf.txt").into_iter().step_by(5) {
        let text = std::fs::read_to_string(path).unwrap();
        latte::text(text.as_bytes());
        for at in (0..text.len()).step_by(37) {
            latte::text([&text[..at], &text[at + 1..]].concat().as_bytes());
            latte::text([&text[..=at], &text[at..]].concat().as_bytes());
            latte::text(&text.as_bytes()[..at]);
        }
    }
}

#[test]
fn no_code() {
    for data in [&[][..], &[0; 4], &[0; 800], &[0xFF; 64], &[1, 0, 0, 0], b".size 999999", b".at 9\n.word 1"]
    {
        latte::code(data);
        latte::text(data);
    }
}
