//! The bytes of a file on disk: of a small one read, of a large one mapped, so that only what is looked at takes memory; and
//! written whole or not at all.

use crate::companions;
use std::{
    fs::{self, File},
    io::{self, Read, Write},
    ops::{Deref, Range},
    path::Path,
};

/// Files from this size on are mapped.
const MAPPED: u64 = 1 << 20;

/// Bytes of a file, or of a part of it.
#[derive(Debug)]
pub enum Bytes {
    /// Read into memory.
    Read(Vec<u8>),
    /// Mapped into memory.
    Mapped(memmap2::Mmap),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Read(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}

/// All bytes of a file of at most `limit` bytes. Files that belong together (a shader cache of Ryujinx) come as one.
///
/// # Errors
/// What the system says; [`io::ErrorKind::FileTooLarge`] for a longer file.
pub fn whole(path: impl AsRef<Path>, limit: u64) -> io::Result<Bytes> {
    if let Some(joined) = companions::joined(path.as_ref(), limit, too_large)? {
        return Ok(Bytes::Read(joined));
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() && (MAPPED..=limit).contains(&metadata.len()) {
        // A file system that cannot map gets the plain way.
        if let Ok(map) = map(&file, 0..metadata.len()) {
            return Ok(Bytes::Mapped(map));
        }
    }
    read_open(file, metadata.len(), limit).map(Bytes::Read)
}

/// Reads a whole file of at most `limit` bytes.
///
/// # Errors
/// As [`whole`].
pub fn read(path: impl AsRef<Path>, limit: u64) -> io::Result<Vec<u8>> {
    if let Some(joined) = companions::joined(path.as_ref(), limit, too_large)? {
        return Ok(joined);
    }
    let file = File::open(path)?;
    let len = file.metadata()?.len();
    read_open(file, len, limit)
}

fn read_open(file: File, len: u64, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if len <= limit {
        bytes.reserve_exact(usize::try_from(len).unwrap_or_default());
    }
    fill(file, bytes, limit)
}

/// Reads to the end of a stream of at most `limit` bytes.
///
/// # Errors
/// As [`whole`].
pub fn stream(stream: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    fill(stream, Vec::new(), limit)
}

fn fill(stream: impl Read, mut bytes: Vec<u8>, limit: u64) -> io::Result<Vec<u8>> {
    stream.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

/// Why a file of more than `limit` bytes is not read.
pub fn too_large(limit: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than the limit of {} MiB", limit >> 20))
}

/// A part of a file, mapped.
///
/// # Errors
/// What the system says.
pub fn part(file: &File, range: Range<u64>) -> io::Result<Bytes> {
    map(file, range).map(Bytes::Mapped)
}

fn map(file: &File, range: Range<u64>) -> io::Result<memmap2::Mmap> {
    let len = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX);
    let mut options = memmap2::MmapOptions::new();
    // SAFETY: the map is read-only and private to this process. Another process could change or cut the file
    // meanwhile; then we would read other bytes, which no reader trusts anyway, or be ended by the system, as any
    // program is that maps a file which is cut under it. Nothing is written in place by ourselves: results go to a new
    // file that is renamed.
    #[allow(unsafe_code, reason = "the only way to look into a large file without reading all of it")]
    unsafe {
        options.offset(range.start).len(len).map(file)
    }
}

/// Writes a file whole or not at all: into a file of another name first, which takes the place of the old one when all of it is on the disk: whatever
/// happens before, the old file is as it was. A link stays one; what it leads to is replaced. What is no file (a pipe, a
/// device such as `/dev/null`) is not replaced but written to.
///
/// # Errors
/// What the system says.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return fs::OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // Of the temporary's name nobody has heard.
    let failure = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => {
            io::Error::new(error.kind(), format!("there is no folder {}", folder.display()))
        }
        kind => kind.into(),
    };
    let mut file = tempfile::Builder::new().prefix(".unshade-").tempfile_in(folder).map_err(failure)?;
    file.write_all(bytes)?;
    set_usual_permissions(&file, &target)?;
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// Temporary files are private; a result has the permissions of the file whose place it takes, or those of any new one.
#[cfg(unix)]
fn set_usual_permissions(file: &tempfile::NamedTempFile, target: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let old = fs::metadata(target).map(|metadata| metadata.permissions());
    file.as_file().set_permissions(old.unwrap_or_else(|_| fs::Permissions::from_mode(0o644)))
}

#[cfg(not(unix))]
fn set_usual_permissions(_: &tempfile::NamedTempFile, _: &Path) -> io::Result<()> {
    Ok(())
}
