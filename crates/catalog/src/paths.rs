//! The files that a scan is about.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};
use twox_hash::XxHash3_64;

/// A file to look into.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Input {
    /// What it is called in rows: as it was given, with `/` between folders.
    pub(crate) path: String,
    /// Where it is.
    pub(crate) file: PathBuf,
    /// How long it is.
    pub(crate) bytes: u64,
    /// When it was changed last, in nanoseconds since 1970; 0 where nobody knows.
    pub(crate) modified: u64,
    /// Why it, or the folder of that name, cannot be looked into.
    pub(crate) error: Option<String>,
}

/// All files below `roots`, sorted by path, each once. Links to folders are not followed, since they may lead around in
/// circles; those that are given themselves are.
pub(crate) fn list(roots: &[PathBuf]) -> Vec<Input> {
    let mut inputs = Vec::new();
    for root in roots {
        add(root, shown(root), true, &mut inputs);
    }
    inputs.sort();
    inputs.dedup_by(|one, other| one.path == other.path);
    inputs
}

/// One file, as it would be listed.
pub(crate) fn input(file: &Path) -> Input {
    let path = shown(file);
    let metadata = fs::metadata(file);
    let metadata = metadata.and_then(|metadata| match metadata.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(metadata),
    });
    match metadata {
        Ok(metadata) => {
            let modified = modified(&metadata);
            Input { path, file: file.to_owned(), bytes: metadata.len(), modified, error: None }
        }
        Err(error) => {
            Input { path, file: file.to_owned(), bytes: 0, modified: 0, error: Some(error.to_string()) }
        }
    }
}

/// When a file was changed last, in nanoseconds since 1970; 0 where nobody knows.
fn modified(metadata: &fs::Metadata) -> u64 {
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    modified.map_or(0, |time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
}

fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    match text.trim_end_matches('/') {
        "" => text,
        trimmed => trimmed.to_owned(),
    }
}

fn add(file: &Path, path: String, given: bool, inputs: &mut Vec<Input>) {
    let mut folders = vec![(file.to_owned(), path, given)];
    // Folders are kept on a list of their own, so that depth costs no stack.
    while let Some((file, path, given)) = folders.pop() {
        let broken = |error: io::Error| Input {
            path: path.clone(),
            file: file.clone(),
            bytes: 0,
            modified: 0,
            error: Some(error.to_string()),
        };
        let link = fs::symlink_metadata(&file).is_ok_and(|metadata| metadata.is_symlink());
        let metadata = match fs::metadata(&file) {
            Ok(metadata) => metadata,
            Err(error) => {
                inputs.push(broken(error));
                continue;
            }
        };
        if metadata.is_file() {
            let modified = modified(&metadata);
            inputs.push(Input { path, file, bytes: metadata.len(), modified, error: None });
        } else if metadata.is_dir() && (given || !link) {
            let entries = fs::read_dir(&file).and_then(Iterator::collect::<io::Result<Vec<_>>>);
            match entries {
                Ok(entries) => folders.extend(entries.into_iter().map(|entry| {
                    let name = entry.file_name();
                    let separator = if path.ends_with('/') { "" } else { "/" };
                    (entry.path(), format!("{path}{separator}{}", name.to_string_lossy()), false)
                })),
                Err(error) => inputs.push(broken(error)),
            }
        }
    }
}

/// Whether a file belongs to part `index` (from 1) of `count`: a matter of its path alone, so that every machine that knows
/// the same paths divides them alike.
pub(crate) fn in_shard(path: &str, index: u32, count: u32) -> bool {
    let hash = XxHash3_64::oneshot(path.as_bytes());
    hash.checked_rem(count.into()).is_some_and(|part| part + 1 == u64::from(index))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_file_once_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in ["b/two", "b/one", "a", "b.x", "b/deep/er/three"] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), name).unwrap();
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(root, root.join("b/circle")).unwrap();
            std::os::unix::fs::symlink(root.join("a"), root.join("link")).unwrap();
            std::os::unix::fs::symlink(root.join("nowhere"), root.join("broken")).unwrap();
        }
        let found = list(&[root.to_owned(), root.join("a"), root.join("missing")]);
        let names: Vec<&str> =
            found.iter().map(|input| input.path.strip_prefix(root.to_str().unwrap()).unwrap()).collect();
        let mut expected = vec!["/a", "/b.x", "/b/deep/er/three", "/b/one", "/b/two", "/missing"];
        if cfg!(unix) {
            expected.extend(["/broken", "/link"]);
        }
        expected.sort_unstable();
        assert_eq!(names, expected);
        let parts: usize =
            (1..=3).map(|index| found.iter().filter(|input| in_shard(&input.path, index, 3)).count()).sum();
        assert_eq!(parts, found.len());
        assert!(
            found
                .iter()
                .filter(|input| input.error.is_some())
                .all(|input| input.path.ends_with("missing") || input.path.ends_with("broken"))
        );
    }
}
