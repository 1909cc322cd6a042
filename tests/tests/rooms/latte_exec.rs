//! The properties of the interpreter of the Wii U's GPU over the corpus, whole, cut and with flipped bits.

use std::path::PathBuf;
use unshade_tests::properties::latte_exec::exec;

fn files() -> Vec<PathBuf> {
    let folder = unshade_corpus::shared("corpus/gfd/r700");
    let Ok(entries) = std::fs::read_dir(folder) else {
        println!("skipped: no corpus beside the checkout");
        return Vec::new();
    };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "bin"));
    files.sort();
    assert!(files.len() > 90);
    files
}

#[test]
fn corpus_whole_and_cut() {
    for path in files() {
        let data = std::fs::read(path).unwrap();
        exec(&data);
        for end in (0..data.len()).step_by(data.len() / 7 + 1) {
            exec(&data[..end]);
        }
    }
}

#[test]
fn flipped_bits() {
    for path in files() {
        let data = std::fs::read(path).unwrap();
        let bits = data.len() * 8;
        for bit in (0..bits).step_by((bits / 60).max(1)) {
            let mut flipped = data.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            exec(&flipped);
        }
    }
}

#[test]
fn random_words() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for round in 0..400 {
        let mut data = Vec::new();
        for _ in 0..4 * (round % 64 + 1) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            data.extend((state as u32).to_le_bytes());
        }
        exec(&data);
    }
    exec(&[]);
    exec(&[0xFF; 64]);
}
