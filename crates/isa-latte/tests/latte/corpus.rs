//! Programs of the corpus next to the checkout: what Mesa made, and the code blocks of shader files.
#![allow(dead_code, reason = "each test uses its part and says what it skips")]

use std::path::{Path, PathBuf};

/// The folder, if it is there.
pub fn folder() -> Option<PathBuf> {
    let folder = unshade_corpus::shared("corpus/gfd");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: {} is not there", folder.display());
    None
}

fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == end))
        .collect();
    all.sort();
    all
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Name and words of each program that Mesa made.
pub fn made_by_mesa() -> Vec<(String, Vec<u32>)> {
    let Some(folder) = folder() else { return Vec::new() };
    let files = files(&folder.join("r700"), "bin");
    files
        .into_iter()
        .map(|path| {
            (path.file_stem().unwrap().to_str().unwrap().to_owned(), words(&std::fs::read(&path).unwrap()))
        })
        .collect()
}

/// A code block of a shader file.
pub struct Block {
    /// Name of the file without its end.
    pub file: String,
    /// Kind of the program.
    pub kind: &'static str,
    /// Its code.
    pub words: Vec<u32>,
}

/// The code blocks of all shader files. A file is a header of its own size, then blocks: `BLK{`, size of this
/// header, two version words, kind, size of what follows, two more words; all big-endian, the code itself not.
pub fn blocks() -> Vec<Block> {
    let Some(folder) = folder() else { return Vec::new() };
    let mut all = Vec::new();
    for path in files(&folder, "gsh") {
        let bytes = std::fs::read(&path).unwrap();
        let number = |at: usize| -> Option<usize> {
            Some(u32::from_be_bytes(bytes.get(at..)?.first_chunk::<4>().copied()?) as usize)
        };
        let mut at = number(4).unwrap_or(0);
        while bytes.get(at..at + 4) == Some(b"BLK{") {
            let (Some(header), Some(kind), Some(size)) = (number(at + 4), number(at + 16), number(at + 20))
            else {
                break;
            };
            let start = at + header;
            let Some(data) = bytes.get(start..start + size) else { break };
            let kind = match kind {
                5 => Some("vertex"),
                7 => Some("pixel"),
                9 => Some("geometry"),
                _ => None,
            };
            if let Some(kind) = kind {
                let file = path.file_stem().unwrap().to_str().unwrap().to_owned();
                all.push(Block { file, kind, words: words(data) });
            }
            at = start + size;
        }
    }
    all
}

/// All programs.
pub fn programs() -> Vec<(String, Vec<u32>)> {
    let blocks = blocks().into_iter().map(|block| (format!("{}.{}", block.file, block.kind), block.words));
    made_by_mesa().into_iter().chain(blocks).collect()
}

/// Words of each program whose results were recorded from the GLSL that it was compiled from.
pub fn recorded() -> Vec<Vec<u32>> {
    let Some(folder) = folder() else { return Vec::new() };
    let programs = folder.join("r700");
    let mut names = std::collections::BTreeSet::new();
    for path in files(&programs.join("vectors"), "json") {
        let document: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let binaries = document["machine"]["binaries"].as_array().unwrap();
        names.extend(binaries.iter().map(|name| name.as_str().unwrap().to_owned()));
        let stem = path.file_stem().unwrap().to_str().unwrap();
        names.extend([format!("{stem}.bin"), format!("{stem}.opt.bin")]);
    }
    let read = |name: &String| std::fs::read(programs.join(name)).ok().map(|bytes| words(&bytes));
    names.iter().filter_map(read).collect()
}
