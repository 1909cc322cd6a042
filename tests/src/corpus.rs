//! The corpus beside the checkout: real and generated files, reference results. It is not part of the
//! project, so tests that want it skip when it is not there.

use std::path::{Path, PathBuf};

pub use unshade_corpus::root;

/// The folder `shared/` beside the checkout (or where `UNSHADE_SHARED` says), if it is there. Says in one
/// line what is skipped if not.
#[allow(clippy::print_stderr)]
pub fn shared(what: &str) -> Option<PathBuf> {
    let folder = unshade_corpus::shared("");
    if folder.join("corpus").is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: {what}: no corpus at {}", folder.display());
    None
}

/// All files under a folder, sorted by path.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// The project's own samples: SHBIN files, sorted by name.
pub fn samples() -> Vec<PathBuf> {
    let mut found = files(&root().join("samples"));
    found
        .retain(|path| path.extension().is_some_and(|extension| extension == "shbin" || extension == "dvoj"));
    found
}

/// Files of the SHBIN corpus that are well formed, with the samples; without corpus the samples alone.
pub fn well_formed_shbin(what: &str) -> Vec<PathBuf> {
    let mut found = samples();
    if let Some(shared) = shared(what) {
        let folder = shared.join("corpus/shbin");
        for part in ["picasso-out", "real", "nihstro-out", "synthetic"] {
            found.extend(files(&folder.join(part)));
        }
        let defect = |path: &PathBuf| {
            path.parent().is_some_and(|parent| parent.ends_with("malformed"))
                && !path.ends_with("trailing_garbage.shbin")
                && !path.ends_with("recursive_call.shbin")
        };
        found.retain(|path| !defect(path));
    }
    found
}
