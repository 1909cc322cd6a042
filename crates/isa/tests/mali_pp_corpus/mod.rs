//! The corpus of Mali fragment programs beside the checkout, and just enough of its container to get at the
//! code.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

/// The corpus folder; says so and gives none where there is none.
pub fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    if !path.is_dir() {
        println!("skipped: no corpus beside the checkout");
        return None;
    }
    Some(path)
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).map_or(0, |bytes| u32::from_le_bytes(bytes.try_into().unwrap()))
}

/// The payload of the first chunk with this tag.
pub fn chunk<'a>(bytes: &'a [u8], tag: &[u8; 4]) -> Option<&'a [u8]> {
    let mut at = 0;
    while at + 8 <= bytes.len() {
        let size = word(bytes, at + 4) as usize;
        let payload = bytes.get(at + 8..at + 8 + size)?;
        if &bytes[at..at + 4] == tag {
            return Some(payload);
        }
        at += 8 + size;
    }
    None
}

/// The code of the fragment program of an MBS file.
pub fn fragment_code(file: &[u8]) -> Option<Vec<u32>> {
    let fragment = chunk(chunk(file, b"MBS1")?, b"CFRA")?;
    let code = chunk(&fragment[4..], b"DBIN")?;
    Some((0..code.len() / 4).map(|n| word(code, 4 * n)).collect())
}

/// Name and code of every fragment program that comes with a reference listing, and the listing.
pub fn listed() -> Vec<(String, Vec<u32>, String)> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let mut all = Vec::new();
    for folder in ["mbs/real", "mbs/lima-out"] {
        let mut files: Vec<_> =
            std::fs::read_dir(corpus.join(folder)).unwrap().map(|e| e.unwrap().path()).collect();
        files.sort();
        for path in files.into_iter().filter(|path| path.extension().is_some_and(|e| e == "mbs")) {
            let Some(words) = fragment_code(&std::fs::read(&path).unwrap()) else { continue };
            let Ok(text) = std::fs::read_to_string(path.with_extension("txt")) else { continue };
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let bare = path.with_extension("bin");
            if let Ok(bytes) = std::fs::read(bare) {
                let same: Vec<u32> = (0..bytes.len() / 4).map(|n| word(&bytes, 4 * n)).collect();
                assert_eq!(words, same, "{name}: bare code and container differ");
            }
            all.push((name, words, text));
        }
    }
    assert!(all.len() > 40, "{} programs", all.len());
    all
}
