//! The corpus next to the checkout: words with NVIDIA's text, programs and their listings.
#![allow(dead_code, reason = "each test uses its part")]

use std::path::PathBuf;
use std::process::Command;

/// A folder of the corpus, if it is there.
pub fn folder(name: &str) -> Option<PathBuf> {
    let folder = unshade_corpus::shared("corpus").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: {} is not there", folder.display());
    None
}

/// A word, where it stands, and NVIDIA's text; none where the disassembler refuses it.
pub struct Row {
    pub address: u64,
    pub word: u64,
    pub text: Option<String>,
}

/// The rows of one of the three tables: `words`, `sweep`, `flow`. Unpacked by `gzip`.
pub fn rows(table: &str) -> Vec<Row> {
    let Some(folder) = folder("maxwell") else { return Vec::new() };
    let path = folder.join(format!("nvdisasm-{table}.tsv.gz"));
    let Ok(output) = Command::new("gzip").arg("-dc").arg(&path).output() else {
        println!("skipped: gzip is not there");
        return Vec::new();
    };
    let text = String::from_utf8(output.stdout).unwrap();
    let number = |text: &str| u64::from_str_radix(text, 16).unwrap();
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let parts: Vec<&str> = line.split('\t').collect();
            let (address, word, text) = match parts.as_slice() {
                [address, word, text] => (number(address), number(word), *text),
                [word, text] => (8, number(word), *text),
                _ => panic!("{line}"),
            };
            let mut text = (text != "INVALID").then(|| text.to_owned());
            // The tool that made the table took the closing brace for that of a pair.
            if let Some(text) = &mut text
                && text.contains("DEPBAR")
                && text.contains('{')
            {
                text.push('}');
            }
            Row { address, word, text }
        })
        .collect()
}

/// A program: its name, code, and listing where there is one.
pub struct Program {
    pub name: String,
    pub words: Vec<u32>,
    pub listing: Option<String>,
}

/// Every program with bare code.
pub fn programs() -> Vec<Program> {
    let mut all = Vec::new();
    for name in ["maxwell/uam-out", "maxwell/ptx-out", "bnsh/nvnbin"] {
        let Some(folder) = folder(name) else { continue };
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "bin")) {
            let bytes = std::fs::read(path).unwrap();
            let words = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
            let stem = path.file_stem().unwrap().to_str().unwrap();
            let listing = folder.join(format!("{}.sass", stem.split(".text.").next().unwrap()));
            all.push(Program {
                name: stem.to_owned(),
                words,
                listing: std::fs::read_to_string(listing).ok(),
            });
        }
    }
    all
}
