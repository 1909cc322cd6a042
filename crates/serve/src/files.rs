//! The files that were named when the server was started.

use serde::Serialize;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Files by number.
#[derive(Debug, Clone, Default)]
pub struct Files(Vec<(String, PathBuf)>);

/// A file as `/files.json` lists it; its number is its place in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Served {
    /// Its name, without the folder.
    pub name: String,
    /// Its length in bytes now.
    pub size: u64,
}

impl Files {
    /// Takes files by path.
    ///
    /// # Errors
    /// A path that is no file: the path with what the system says.
    pub fn new(paths: impl IntoIterator<Item = PathBuf>) -> Result<Self, (PathBuf, io::Error)> {
        let mut files = Vec::new();
        for path in paths {
            // What is written later goes to the same file, whatever the folder of the process is then.
            match path.canonicalize() {
                Ok(whole) if whole.is_file() => {
                    let name = path.file_name().or(whole.file_name());
                    let name = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
                    files.push((name, whole));
                }
                Ok(_) => return Err((path, io::Error::new(io::ErrorKind::InvalidInput, "it is no file"))),
                Err(error) => return Err((path, error)),
            }
        }
        Ok(Self(files))
    }

    /// The list.
    pub fn list(&self) -> Vec<Served> {
        let size = |path: &Path| path.metadata().map_or(0, |data| data.len());
        self.0.iter().map(|(name, path)| Served { name: name.clone(), size: size(path) }).collect()
    }

    /// The path of the file of that number.
    pub(crate) fn path(&self, number: usize) -> Option<&Path> {
        self.0.get(number).map(|(_, path)| path.as_path())
    }
}

/// Reads a whole file that is no longer than `most`.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is longer than {most} bytes")));
    }
    Ok(bytes)
}

/// Writes a whole file: beside it, then in its place, so that nobody ever sees half of it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".unshade-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    if let Ok(old) = path.metadata() {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
