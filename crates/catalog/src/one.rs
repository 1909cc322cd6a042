//! The rows of one file alone: those that a scan of it would write.

use crate::{
    file::{self, Room},
    paths,
    row::Row,
    scan,
};
use std::path::Path;
use unshade::Dictionaries;

/// How to look at one file.
#[derive(Debug, Clone)]
pub struct Options {
    /// How much memory it may take, in bytes. A file that needs more is a row that says so.
    pub memory: u64,
    /// For files that were compressed with dictionaries.
    pub dictionaries: Dictionaries,
}

impl Default for Options {
    fn default() -> Self {
        Self { memory: scan::MEMORY, dictionaries: Dictionaries::default() }
    }
}

/// Gives the rows of a file on disk to `take`, in the order of its parts, and asks it whether more are wanted. `name` is what the
/// file is called in them, instead of its path. What is wrong with it is a row.
pub fn of_file(path: &Path, name: Option<&str>, options: &Options, take: &mut dyn FnMut(Row) -> bool) {
    let mut input = paths::input(path);
    // By its own name it may be a file of dictionaries.
    let dictionaries = scan::dictionaries(std::slice::from_ref(&input), &options.dictionaries);
    if let Some(name) = name {
        input.path = name.to_owned();
    }
    look(&input.path, options, &dictionaries, take, |room, take| file::look(&input, room, take));
}

/// Gives the rows of a file whose bytes are at hand, as [`of_file`] does.
pub fn of_bytes(name: &str, bytes: &[u8], options: &Options, take: &mut dyn FnMut(Row) -> bool) {
    let mut dictionaries = options.dictionaries.clone();
    if scan::has_dictionaries(name, bytes.len() as u64) {
        scan::add_dictionaries(bytes, &mut dictionaries);
    }
    look(name, options, &dictionaries, take, |room, take| file::look_at_bytes(name, bytes, room, take));
}

fn look(
    name: &str,
    options: &Options,
    dictionaries: &Dictionaries,
    take: &mut dyn FnMut(Row) -> bool,
    look: impl FnOnce(&Room<'_>, &mut file::Take<'_>),
) {
    // As much as a scan gives to a file that runs alone.
    let most = scan::for_one_file(options.memory);
    let room = Room { unpacked: most, most, alone: &|work| work(), dictionaries };
    if file::guarded(|| look(&room, &mut |row, _| take(row))).is_err() {
        take(file::defect_row(name));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::table;
    use std::{fs, path::PathBuf};

    fn samples() -> Vec<PathBuf> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let mut all: Vec<PathBuf> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file())
            .collect();
        all.sort();
        all
    }

    fn rows(look: impl FnOnce(&mut dyn FnMut(Row) -> bool)) -> Vec<Row> {
        let mut rows = Vec::new();
        look(&mut |row| {
            rows.push(row);
            true
        });
        rows
    }

    /// What a scan of that file alone writes.
    fn scanned(path: &Path) -> Vec<Row> {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.jsonl");
        scan::scan(&[path.to_owned()], &out, &scan::Options::default(), &mut |_| true).unwrap();
        table::read(&out).unwrap().map(Result::unwrap).collect()
    }

    fn compare(path: &Path) {
        let expected = scanned(path);
        let options = Options::default();
        assert!(rows(|take| of_file(path, None, &options, take)) == expected, "{}", path.display());
        let named: Vec<Row> = expected.into_iter().map(|row| Row { path: "b/a".to_owned(), ..row }).collect();
        assert!(rows(|take| of_file(path, Some("b/a"), &options, take)) == named, "{}", path.display());
        // Its own name says whether it is a file of dictionaries.
        let name = path.to_str().unwrap();
        let bytes = fs::read(path).unwrap();
        let mut by_bytes = rows(|take| of_bytes(name, &bytes, &options, take));
        by_bytes.iter_mut().for_each(|row| row.path = "b/a".to_owned());
        assert!(by_bytes == named, "{}", path.display());
    }

    #[test]
    fn rows_are_those_of_a_scan() {
        samples().iter().for_each(|path| compare(path));
    }

    #[test]
    fn rows_of_long_files_are_those_of_a_scan() {
        // Programs in front, at the seam of two parts, and behind it.
        let sample = fs::read(samples().iter().find(|path| path.ends_with("loops.shbin")).unwrap()).unwrap();
        let mut bytes = vec![0_u8; 40 << 20];
        for at in [0x100, (16 << 20) - 0x20, 33 << 20] {
            bytes[at..at + sample.len()].copy_from_slice(&sample);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("image.bin");
        fs::write(&path, &bytes).unwrap();
        compare(&path);
        assert!(scanned(&path).len() >= 3);
    }

    #[test]
    fn what_cannot_be_read_is_a_row() {
        let found = rows(|take| of_file(Path::new("no/such/file"), Some("it"), &Options::default(), take));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].record.as_str(), found[0].path.as_str()), ("error", "it"));
        assert!(found[0].message.starts_with("[scan.io]"), "{}", found[0].message);
        // Nobody wants more than the first row.
        let mut count = 0;
        let path = samples().into_iter().find(|path| path.ends_with("two_stages.bnsh")).unwrap();
        of_file(&path, None, &Options::default(), &mut |_| {
            count += 1;
            false
        });
        assert_eq!(count, 1);
    }
}
