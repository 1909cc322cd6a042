//! Programs of the corpus next to the checkout: uam's, each as bare code and with what its DKSH says around it,
//! and those of NVIDIA's assembler.
#![allow(dead_code, reason = "each test uses its part and says what it skips")]

use std::path::{Path, PathBuf};
use unshade_stage::{Code, Interface, Isa, Maxwell, Stage, StageId, StageKind};

/// The folder, if it is there.
pub fn folder() -> Option<PathBuf> {
    let folder = unshade_corpus::shared("corpus/maxwell");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: {} is not there", folder.display());
    None
}

/// The words of a file.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_str().unwrap().ends_with(end))
        .collect();
    all.sort();
    all
}

/// Names and bare code of the kernels that NVIDIA's assembler made.
pub fn kernels() -> Vec<(String, Vec<u32>)> {
    let Some(folder) = folder() else { return Vec::new() };
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    files(&folder.join("ptx-out"), ".bin")
        .iter()
        .map(|path| (name(path), words(&std::fs::read(path).unwrap())))
        .collect()
}

/// A stage of these words.
pub fn stage(code: Vec<u32>, kind: StageKind, maxwell: Option<Maxwell>) -> Stage<'static> {
    Stage {
        id: StageId("0".into()),
        kind,
        isa: Isa::Maxwell,
        code: Code { words: code.into(), ..Code::default() },
        interface: Interface { maxwell: maxwell.map(Box::new), ..Interface::default() },
    }
}

/// uam's programs: name without ending, and the stage with its header and register count. A DKSH of one program
/// has its record at 0x18 and its code behind what the header calls the control section; a header of 0x50 bytes
/// stands in front of the instructions of all but compute programs.
pub fn programs() -> Vec<(String, Stage<'static>)> {
    let Some(folder) = folder() else { return Vec::new() };
    let mut all = Vec::new();
    for path in files(&folder.join("uam-out"), ".dksh") {
        let file = words(&std::fs::read(&path).unwrap());
        let code_at = file[2] as usize / 4;
        let record = &file[file[4] as usize / 4..];
        let kind = match record[0] {
            0 => StageKind::Vertex,
            1 => StageKind::Fragment,
            2 => StageKind::Geometry,
            3 => StageKind::TessControl,
            4 => StageKind::TessEval,
            _ => StageKind::Compute,
        };
        let header_len = if kind == StageKind::Compute { 0 } else { 20 };
        let header_at = code_at + record[1] as usize / 4;
        let header = file[header_at..header_at + header_len].to_vec();
        let name = path.file_name().unwrap().to_str().unwrap().strip_suffix(".dksh").unwrap().to_owned();
        let code = words(&std::fs::read(path.with_file_name(format!("{name}.bin"))).unwrap());
        assert_eq!(file[header_at + header_len..][..code.len()], code, "{name}");
        let maxwell = Maxwell { header, registers: Some(record[2]), ..Maxwell::default() };
        all.push((name, stage(code, kind, Some(maxwell))));
    }
    all
}
