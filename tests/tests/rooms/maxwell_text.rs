//! The properties of Maxwell code over the corpus, whole, cut and with flipped bits.

use std::path::PathBuf;
use unshade_tests::properties::maxwell;

fn files() -> Vec<PathBuf> {
    let folder = unshade_corpus::shared("corpus/maxwell/uam-out");
    let Ok(entries) = std::fs::read_dir(folder) else {
        println!("skipped: no corpus beside the checkout");
        return Vec::new();
    };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(".bin"));
    files.sort();
    assert!(files.len() > 40);
    files
}

#[test]
fn corpus() {
    for path in files() {
        maxwell::code(&std::fs::read(path).unwrap());
    }
}

#[test]
fn every_prefix() {
    for path in files().into_iter().step_by(9) {
        let data = std::fs::read(path).unwrap();
        for end in 0..data.len().min(300) {
            maxwell::code(&data[..end]);
        }
    }
}

#[test]
fn flipped_bits() {
    for path in files() {
        let data = std::fs::read(path).unwrap();
        let bits = data.len() * 8;
        for bit in (0..bits).step_by((bits / 40).max(1)) {
            let mut flipped = data.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            maxwell::code(&flipped);
        }
    }
}

/// The sample with letters taken out and doubled.
#[test]
fn broken_text() {
    let text = include_str!("../../../samples/transform.maxwell");
    maxwell::text(text.as_bytes());
    for at in (0..text.len()).step_by(3) {
        maxwell::text([&text[..at], &text[at + 1..]].concat().as_bytes());
        maxwell::text([&text[..=at], &text[at..]].concat().as_bytes());
        maxwell::text(&text.as_bytes()[..at]);
    }
}

#[test]
fn no_code() {
    for data in
        [&[][..], &[0; 8], &[0; 800], &[0xFF; 64], &[1, 0, 0, 0], b".cut", b".control 0x1\n.cut", b".half 1"]
    {
        maxwell::code(data);
        maxwell::text(data);
    }
}
