//! Where the tests find their files: the samples of the project, and a bigger corpus beside the checkout
//! where there is one.
#![allow(dead_code)]

pub mod edits;

use std::{
    fs,
    path::{Path, PathBuf},
};
use unshade_containers::{Container, Parts};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The samples that come with the project, sorted by name.
pub fn samples() -> Vec<(String, Vec<u8>)> {
    let files = files_in(&root().join("samples"));
    assert!(files.iter().any(|(path, _)| path.ends_with(".shbin")), "the samples are missing");
    files
}

/// The folder of the corpus, or `None` with a line that says so.
pub fn corpus() -> Option<PathBuf> {
    let folder = unshade_corpus::shared("corpus/shbin");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no corpus beside the checkout ({})", folder.display());
    None
}

/// The folder of another corpus beside the checkout, or `None` with a line that says so.
pub fn shared(name: &str) -> Option<PathBuf> {
    let folder = unshade_corpus::shared(name);
    if folder.exists() {
        return Some(folder);
    }
    println!("skipped: nothing beside the checkout ({})", folder.display());
    None
}

/// The MBS files: samples, and the corpus where there is one. The last two parts of their paths name them.
pub fn mbs() -> Vec<(String, Vec<u8>)> {
    let mut files = files_of(&root().join("samples"), &["mbs"]);
    assert!(files.len() >= 3, "the samples are missing");
    if let Some(corpus) = shared("corpus/mbs") {
        for folder in ["real", "lima-out", "generated"] {
            files.extend(files_of(&corpus.join(folder), &["mbs"]));
        }
    }
    files.retain(|(path, _)| !path.ends_with("refuse.mbs"));
    files
}

/// The GFD files: samples, and the corpus where there is one.
pub fn gfd() -> Vec<(String, Vec<u8>)> {
    let mut files = files_of(&root().join("samples"), &["gsh"]);
    if let Some(corpus) = shared("corpus/gfd") {
        files.extend(files_of(&corpus, &["gsh"]));
    }
    files
}

/// The SHARCFB archives: samples, and the corpus where there is one.
pub fn sharcfb() -> Vec<(String, Vec<u8>)> {
    let mut files = files_of(&root().join("samples"), &["sharcfb"]);
    if let Some(corpus) = shared("corpus/sharcfb") {
        files.extend(files_of(&corpus, &["sharcfb"]));
    }
    files
}

/// All files that a reader must take: the samples, and the corpus without its damaged ones.
pub fn well_formed() -> Vec<(String, Vec<u8>)> {
    let mut files = samples();
    if let Some(corpus) = corpus() {
        for folder in ["picasso-out", "real", "nihstro-out", "homebrew-built", "synthetic"] {
            files.extend(files_in(&corpus.join(folder)));
        }
    }
    files
}

/// The well-formed files that are a container by themselves.
pub fn containers() -> Vec<(String, Vec<u8>)> {
    let mut files = well_formed();
    files.retain(|(path, _)| !path.ends_with(".bcsdr"));
    files
}

/// The damaged files of the corpus.
pub fn malformed() -> Vec<(String, Vec<u8>)> {
    corpus().map(|corpus| files_in(&corpus.join("synthetic/malformed"))).unwrap_or_default()
}

/// The parts as they come from a folder: the manifest first, then the files that it asks for.
pub fn through_a_folder(extracted: &Parts) -> Parts {
    let mut parts = Parts::from_manifest(extracted.manifest()).unwrap();
    loop {
        let missing = parts.missing();
        if missing.is_empty() {
            break;
        }
        for name in missing {
            let (_, bytes) = extracted.files().find(|(known, _)| *known == name).expect("a file that exists");
            parts.insert(name, bytes);
        }
    }
    assert_eq!(parts, *extracted);
    parts
}

fn files_in(folder: &Path) -> Vec<(String, Vec<u8>)> {
    files_of(folder, &["shbin", "dvoj", "bin", "bcsdr"])
}

pub fn files_of(folder: &Path, endings: &[&str]) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("a folder that can be listed").path();
        let container = endings.iter().any(|end| path.extension().is_some_and(|e| e == *end));
        if path.is_file() && container {
            let bytes = fs::read(&path).expect("a file that can be read");
            files.push((path.to_string_lossy().into_owned(), bytes));
        }
    }
    files.sort();
    files
}

/// What must hold for any bytes: reading ends in a clear error or in a model that gives the same bytes
/// back, and nothing else that can be asked of the model panics. Whether it was read.
pub fn sound(bytes: &[u8]) -> bool {
    let container = match Container::read(bytes) {
        Ok(container) => container,
        Err(error) => {
            assert!(!error.diagnostic_code().starts_with("bytes."), "{error:?} has no code of its own");
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let written = container.write().expect("what was read can be written");
    assert!(written == bytes, "written differently: {:?}", container.difference(bytes));
    for diagnostic in container.check() {
        let known = [
            "shbin.",
            "mbs.",
            "gfd.",
            "sharcfb.",
            "gx2.",
            "sharc.",
            "sharcfb-nx.",
            "bnsh.",
            "ryujinx.",
            "yuzu.",
            "cemu.",
            "citra.",
            "vkch.",
        ]
        .iter()
        .any(|room| diagnostic.code.starts_with(room));
        assert!(known && !diagnostic.message.is_empty(), "{diagnostic}");
    }
    let coverage = container.coverage();
    assert_eq!(coverage.len, bytes.len() as u64);
    assert_eq!(coverage.unowned().count(), 0, "{:x?}", coverage.unowned().next());
    // A name is looked for among all: of very many only some are.
    let some = container.stages().count() / 256 + 1;
    for stage in container.stages().step_by(some) {
        // In a memory pool codes may lie across each other, and only one is told then.
        let apart = !matches!(container, Container::SharcfbNx(_)) && !stage.code.words.is_empty();
        if let Some(path) = coverage.owner(stage.code.file_offset).filter(|_| apart) {
            assert!(
                path.contains("code") && path.contains("[0x000]") || coverage.shared().next().is_some(),
                "{path}"
            );
        }
        // As text, since a constant may be NaN.
        assert_eq!(format!("{:?}", container.stage(&stage.id)), format!("{:?}", Some(stage)));
    }
    true
}

/// The files of a Switch format: samples, and the corpus where there is one.
pub fn nx(ending: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = files_of(&root().join("samples"), &[ending]);
    if let Some(corpus) = shared(&format!("corpus/{ending}")) {
        files.extend(files_of(&corpus.join("generated"), &[ending]));
    }
    files
}
