//! Where tests find files: the samples in the checkout, and the corpus beside it, which is not part of the project. Every test asks
//! here, so that one variable hides the corpus from all of them: `UNSHADE_SHARED=/nonexistent cargo test --workspace` is what
//! somebody sees who has the checkout alone.

use std::path::{Path, PathBuf};

/// The folder that stands for `shared/` beside the checkout.
const VARIABLE: &str = "UNSHADE_SHARED";

/// Root of the checkout.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A sample of the project's own.
pub fn sample(name: &str) -> PathBuf {
    root().join("samples").join(name)
}

/// A file or folder below `shared/`, as in `corpus/mbs`: beside the checkout, or where `UNSHADE_SHARED` says. It may not be there; a
/// test then says in one line what it skipped.
pub fn shared(path: &str) -> PathBuf {
    let folder = std::env::var_os(VARIABLE).map_or_else(|| root().join("../shared"), PathBuf::from);
    folder.join(path)
}

/// Whether there is a corpus.
pub fn is_there() -> bool {
    shared("corpus").is_dir()
}

/// How many cases a test must have seen at least: with the samples alone, or with the corpus beside them. A test that looks at
/// nothing cannot fail, so that both bounds are near what there is.
pub fn at_least(samples: usize, corpus: usize) -> usize {
    if is_there() { corpus } else { samples }
}
