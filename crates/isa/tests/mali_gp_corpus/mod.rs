//! The Mali files that lie next to the checkout, where they are there. Only as much of the container is read
//! as its code needs; the container's own room is tested elsewhere.

use std::path::{Path, PathBuf};

/// The folder of the corpus, or `None` with one printed line.
pub fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    if path.join("mbs").is_dir() {
        return Some(path);
    }
    println!("skipped: no corpus at {}", path.display());
    None
}

/// Files of `folder` with this ending, in order of their names.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_str().is_some_and(|path| path.ends_with(ending)))
        .collect();
    files.sort();
    files
}

/// Children of a chunk: tag and content.
pub fn chunks(mut bytes: &[u8]) -> Vec<(&[u8], &[u8])> {
    let mut all = Vec::new();
    while let Some((head, rest)) = bytes.split_first_chunk::<8>() {
        let size = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let Some(content) = rest.get(..size) else { break };
        all.push((&bytes[..4], content));
        bytes = &rest[size..];
    }
    all
}

/// The content of the first child with this tag.
pub fn child<'a>(bytes: &'a [u8], tag: &[u8]) -> Option<&'a [u8]> {
    chunks(bytes).into_iter().find(|chunk| chunk.0 == tag).map(|chunk| chunk.1)
}

/// Little-endian words.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect()
}

/// The vertex stage of a file, without its core number.
pub fn vertex(bytes: &[u8]) -> Option<&[u8]> {
    child(child(bytes, b"MBS1")?, b"CVER")?.get(4..)
}

/// The code of a file's vertex stage.
pub fn vertex_code(bytes: &[u8]) -> Option<Vec<u32>> {
    Some(words(child(vertex(bytes)?, b"DBIN")?))
}

/// Every vertex stage of the corpus: path of its file, and the code.
pub fn programs(corpus: &Path) -> Vec<(PathBuf, Vec<u32>)> {
    ["mbs/real", "mbs/lima-out", "mbs/generated"]
        .into_iter()
        .flat_map(|folder| files(&corpus.join(folder), ".mbs"))
        .filter_map(|path| {
            let code = vertex_code(&std::fs::read(&path).ok()?)?;
            Some((path, code))
        })
        .collect()
}
