//! The properties of the pixel processor's code over the corpus, whole, cut and with flipped bits.

use std::path::PathBuf;
use unshade_tests::properties::mali_pp;

/// Bare code of the corpus, without the file of random instructions, which has none.
fn files() -> Vec<PathBuf> {
    let folder = unshade_corpus::shared("corpus/mbs/lima-out");
    let Ok(entries) = std::fs::read_dir(folder) else {
        println!("skipped: no corpus beside the checkout");
        return Vec::new();
    };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(".frag.bin"));
    files.sort();
    assert!(files.len() > 30);
    files
}

#[test]
fn corpus() {
    for path in files() {
        let data = std::fs::read(path).unwrap();
        mali_pp::code(&data);
        mali_pp::programs(&data);
        mali_pp::each_instruction(&data);
    }
}

#[test]
fn every_prefix() {
    for path in files() {
        let data = std::fs::read(path).unwrap();
        for end in 0..data.len().min(400) {
            mali_pp::code(&data[..end]);
        }
    }
}

#[test]
fn flipped_bits() {
    for path in files() {
        let data = std::fs::read(path).unwrap();
        // A few hundred of each file, spread over all of it.
        let bits = data.len() * 8;
        for bit in (0..bits).step_by((bits / 300).max(1)) {
            let mut flipped = data.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            mali_pp::code(&flipped);
            if bit % 5 == 0 {
                mali_pp::programs(&flipped);
            }
        }
    }
}

#[test]
fn no_code() {
    for data in [&[][..], &[0; 4], &[0xFF; 64], &[1, 0, 0, 0]] {
        mali_pp::all(data);
        mali_pp::code(data);
        mali_pp::programs(data);
        mali_pp::text(data);
    }
}
