//! The Mali files that lie next to the checkout, where they are there. Only as much of the container is read
//! as its code needs; the container's own room is tested elsewhere.

#![allow(dead_code)]

use std::path::{Path, PathBuf};
use unshade_stage::{Code, Declared, Interface, Isa, Space, Stage, StageId, StageKind, Symbol, SymbolType};

/// The folder of the corpus, or `None` with one printed line.
pub fn corpus() -> Option<PathBuf> {
    let path = unshade_corpus::shared("corpus");
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

/// The symbol tables of a file's vertex stage.
pub fn vertex_symbols(bytes: &[u8]) -> Vec<Symbol> {
    let mut all = Vec::new();
    let Some(stage) = vertex(bytes) else { return all };
    for (table, tag, head, space) in [
        (b"SUNI", b"VUNI", 8, Space::Float),
        (b"SATT", b"VATT", 4, Space::Input),
        (b"SVAR", b"VVAR", 4, Space::Output),
    ] {
        let Some(content) = child(stage, table).and_then(|content| content.get(head..)) else { continue };
        for (_, record) in chunks(content).into_iter().filter(|chunk| chunk.0 == tag) {
            let name = child(record, b"STRI").unwrap_or_default();
            let fixed = &record[8 + name.len()..];
            let half = |at: usize| u16::from_le_bytes([fixed[at], fixed[at + 1]]);
            let attribute = space == Space::Input;
            let offset = if attribute { half(14) } else { half(16) };
            let parent = if attribute { u16::MAX } else { half(18) };
            let ty = match fixed[1] {
                1 => SymbolType::Float,
                2 => SymbolType::Int,
                3 => SymbolType::Bool,
                4 => SymbolType::Matrix,
                5 => SymbolType::Sampler2d,
                6 => SymbolType::SamplerCube,
                8 => SymbolType::Struct,
                other => SymbolType::Unknown(other),
            };
            let end = name.iter().position(|&b| b == 0).unwrap_or(name.len());
            all.push(Symbol {
                name: String::from_utf8_lossy(&name[..end]).into_owned(),
                space,
                ty,
                components: half(2),
                component_size: half(4),
                elements: half(6),
                stride: half(8),
                precision: None,
                invariant: false,
                offset: Some(offset).filter(|&offset| offset != u16::MAX),
                parent: Some(parent).filter(|&parent| parent != u16::MAX),
                initial: fixed
                    .get(20..)
                    .and_then(|rest| child(rest, b"VINI"))
                    .map(|values| words(&values[4..])),
            });
        }
    }
    all
}

/// The vertex stage of a file as a stage, with what the file declares.
pub fn vertex_stage(bytes: &[u8]) -> Option<Stage<'static>> {
    let declared = words(child(vertex(bytes)?, b"FINS")?);
    Some(Stage {
        id: StageId("vertex".into()),
        kind: StageKind::Vertex,
        isa: Isa::MaliGp,
        code: Code { words: vertex_code(bytes)?.into(), ..Code::default() },
        interface: Interface {
            symbols: vertex_symbols(bytes),
            declared: Some(Declared::MaliVertex {
                instructions: declared[1],
                attribute_prefetch: declared[2],
            }),
            ..Interface::default()
        },
    })
}

/// Every vertex stage of the corpus with the path of its file.
pub fn stages(corpus: &Path) -> Vec<(PathBuf, Stage<'static>)> {
    ["mbs/real", "mbs/lima-out", "mbs/generated"]
        .into_iter()
        .flat_map(|folder| files(&corpus.join(folder), ".mbs"))
        .filter_map(|path| {
            let stage = vertex_stage(&std::fs::read(&path).ok()?)?;
            Some((path, stage))
        })
        .collect()
}
