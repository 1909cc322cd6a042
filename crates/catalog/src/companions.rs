//! Files that belong together: one of them stands for all, whichever was named.
//!
//! The cache of Ryujinx is four files, of which the tables say where things are in the others. They are read together and joined
//! ([`unshade::ryujinx::join`]); to everything above they are one file.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};
use unshade::ryujinx::{Files, join, raw};

/// The files of a cache that one of them is beside.
#[derive(Debug, PartialEq, Eq)]
struct Cache {
    guest_toc: PathBuf,
    guest_data: PathBuf,
    /// Of a table under another name nobody knows which list of programs belongs to it.
    shared_toc: Option<PathBuf>,
    shared_data: PathBuf,
}

/// The table that a file belongs to, where it is one of a cache: by its own name and by the first bytes of the table, which has
/// to be there.
fn cache_of(path: &Path) -> Option<Cache> {
    let name = path.file_name().and_then(OsStr::to_str)?;
    let (stem, ending) = name.rsplit_once('.')?;
    if !matches!(ending, "toc" | "data") {
        return None;
    }
    // A table under another name is read with the data under that name.
    let guest = if stem == "shared" { "guest" } else { stem };
    let beside = |name: String| path.with_file_name(name);
    let cache = Cache {
        guest_toc: beside(format!("{guest}.toc")),
        guest_data: beside(format!("{guest}.data")),
        shared_toc: (guest == "guest").then(|| beside("shared.toc".to_owned())),
        shared_data: beside("shared.data".to_owned()),
    };
    starts_with(&cache.guest_toc, &raw::GUEST_MAGIC).then_some(cache)
}

fn starts_with(path: &Path, magic: &[u8]) -> bool {
    let mut front = Vec::new();
    let read = File::open(path).and_then(|file| file.take(magic.len() as u64).read_to_end(&mut front));
    read.is_ok() && front == magic
}

/// The joined files of the cache that a file is of, of at most `limit` bytes together; `None` where it is of none, or nothing of it
/// but its table is there.
///
/// # Errors
/// What the system says of a file that is there and cannot be read; [`io::ErrorKind::NotFound`] for one whose table is missing.
pub(crate) fn joined(
    path: &Path,
    limit: u64,
    too_large: fn(u64) -> io::Error,
) -> io::Result<Option<Vec<u8>>> {
    let Some(cache) = cache_of(path) else {
        return lonely(path).map_or(Ok(None), |said| Err(io::Error::new(io::ErrorKind::NotFound, said)));
    };
    let mut left = limit;
    let mut read = |path: &Path| match File::open(path) {
        Ok(file) => {
            let mut bytes = Vec::new();
            file.take(left.saturating_add(1)).read_to_end(&mut bytes)?;
            left = left.checked_sub(bytes.len() as u64).ok_or_else(|| too_large(limit))?;
            Ok(bytes)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    let (guest_toc, guest_data) = (read(&cache.guest_toc)?, read(&cache.guest_data)?);
    let list =
        cache.shared_toc.filter(|path| starts_with(path, &raw::SHARED_MAGIC) && cache.shared_data.is_file());
    let (shared_toc, shared_data) = match list {
        Some(list) => (read(&list)?, read(&cache.shared_data)?),
        None => (Vec::new(), Vec::new()),
    };
    if guest_data.is_empty() && shared_toc.is_empty() {
        return Ok(None);
    }
    Ok(Some(join(Files {
        guest_toc: &guest_toc,
        guest_data: &guest_data,
        shared_toc: &shared_toc,
        shared_data: &shared_data,
    })))
}

/// Whether another file stands for this one in lists of files.
pub(crate) fn is_behind_another(path: &Path) -> bool {
    cache_of(path).is_some_and(|cache| cache.guest_toc != path)
}

/// What to say of a file of a cache whose table is not beside it. It is known by its name alone, so what starts as a file of
/// another kind is that.
fn lonely(path: &Path) -> Option<String> {
    let name = path.file_name().and_then(OsStr::to_str)?;
    if !matches!(name, "guest.data" | "shared.data" | "shared.toc") {
        return None;
    }
    let mut front = Vec::new();
    File::open(path).ok()?.take(64).read_to_end(&mut front).ok()?;
    let other = unshade::detect(&front).is_some() || unshade::wrap::nest::wrapper(&front).is_some();
    (!other).then(|| {
        "a part of a shader cache; guest.toc, which says what is where in it, is expected beside it and is not there"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Files, Path, io, is_behind_another};
    use std::fs;

    fn joined(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
        super::joined(path, limit, |_| io::ErrorKind::FileTooLarge.into())
    }

    #[test]
    fn whichever_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("guest.data"), b"data").unwrap();
        assert_eq!(joined(&at("guest.data"), 100).unwrap_err().kind(), io::ErrorKind::NotFound);
        let toc = [&b"TOCG"[..], &[0; 28]].concat();
        fs::write(at("guest.toc"), &toc).unwrap();
        let bytes = joined(&at("guest.data"), 100).unwrap().unwrap();
        let files = Files::of(&bytes).unwrap();
        assert_eq!((files.guest_toc, files.guest_data), (&toc[..], &b"data"[..]));
        assert_eq!(joined(&at("guest.toc"), 100).unwrap(), Some(bytes));
        assert!(is_behind_another(&at("guest.data")) && !is_behind_another(&at("guest.toc")));
        // What the descriptions are of is another file of the four.
        fs::write(at("shared.toc"), b"TOCS").unwrap();
        fs::write(at("shared.data"), b"x").unwrap();
        let bytes = joined(&at("shared.toc"), 100).unwrap().unwrap();
        assert_eq!(Files::of(&bytes).unwrap().shared_data, b"x");
        assert!(joined(&at("guest.toc"), 10).is_err());
        // A table alone is a file by itself.
        fs::remove_file(at("guest.data")).unwrap();
        fs::remove_file(at("shared.data")).unwrap();
        assert_eq!(joined(&at("guest.toc"), 100).unwrap(), None);
    }
}
