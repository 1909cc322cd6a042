//! Where bytes come from: files by path, standard input, containers inside them.

use crate::args::{Numbering, Surroundings};
use crate::output::{self, Failure, Outcome, Status};
use std::{
    io::{self, Read},
    ops::Deref,
    path::Path,
};
use unshade::{FilePath, Opened};

/// Reads a whole file, or standard input for `-`, up to the library's size limit.
pub fn read(path: &str) -> Outcome<Vec<u8>> {
    let failure = |error| Failure::Io {
        path: if path == "-" { "standard input".into() } else { path.into() },
        action: "read",
        error,
    };
    let limit = unshade::MAX_INPUT;
    let mut bytes = Vec::new();
    if path == "-" {
        io::stdin().lock().take(limit + 1).read_to_end(&mut bytes).map_err(failure)?;
    } else {
        let file = std::fs::File::open(path).map_err(failure)?;
        let length = file.metadata().map_err(failure)?.len();
        if length <= limit {
            bytes.reserve_exact(usize::try_from(length).unwrap_or_default());
        }
        file.take(limit + 1).read_to_end(&mut bytes).map_err(failure)?;
    }
    if bytes.len() as u64 > limit {
        let message = format!("larger than the limit of {} MiB", limit >> 20);
        return Err(failure(io::Error::new(io::ErrorKind::FileTooLarge, message)));
    }
    Ok(bytes)
}

/// The bytes of a file: read, or, of a large one, mapped, so that only what is looked at takes memory.
pub enum Bytes {
    Read(Vec<u8>),
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

/// Files from this size on are mapped.
const MAPPED: u64 = 1 << 20;

/// The bytes of a file that is only looked at.
pub fn map(path: &str) -> Outcome<Bytes> {
    let failure = |error| Failure::Io { path: path.into(), action: "read", error };
    if path != "-" {
        let file = std::fs::File::open(path).map_err(failure)?;
        let metadata = file.metadata().map_err(failure)?;
        if metadata.is_file() && (MAPPED..=unshade::MAX_INPUT).contains(&metadata.len()) {
            // SAFETY: the map is read-only and private to this process. Another process could change or cut the
            // file meanwhile; then we would read other bytes, which no reader trusts anyway, or be ended by the
            // system, as any program is that maps a file which is cut under it. Nothing is written in place by
            // ourselves: results go to a new file that is renamed.
            #[allow(unsafe_code, reason = "the only way to look into a large file without reading all of it")]
            let map = unsafe { memmap2::Mmap::map(&file) };
            // A file system that cannot map gets the plain way.
            if let Ok(map) = map {
                return Ok(Bytes::Mapped(map));
            }
        }
    }
    read(path).map(Bytes::Read)
}

/// Reads a text file.
pub fn read_text(path: &str) -> Outcome<String> {
    String::from_utf8(read(path)?).map_err(|error| Failure::Io {
        path: path.into(),
        action: "read",
        error: io::Error::new(
            io::ErrorKind::InvalidData,
            format!("byte {:#x} is no UTF-8 text", error.utf8_error().valid_up_to()),
        ),
    })
}

/// Takes `PATH[:INNER][#ITEM]` apart, where a file ends that exists.
pub fn place(argument: &str) -> FilePath {
    FilePath::resolve(argument, |path| path == "-" || Path::new(path).is_file())
}

/// A file with the containers in it that were asked for.
pub struct Input {
    pub place: FilePath,
    /// The whole file.
    pub bytes: Bytes,
    pub opened: Opened,
}

/// Opens a file and what `:INNER` names in it.
pub fn open(argument: &str) -> Outcome<Input> {
    let place = place(argument);
    let bytes = map(&place.file)?;
    let opened =
        unshade::open_at(&bytes, &place.inner).map_err(|error| Failure::open(place.file.clone(), error))?;
    for error in &opened.failed {
        output::report_failure(&Failure::open(place.file.clone(), error.clone().into()));
    }
    Ok(Input { place, bytes, opened })
}

impl Input {
    /// What stands behind `#`.
    pub fn item(&self) -> Option<&str> {
        self.place.item.as_deref()
    }

    /// How a command ends that did what it could: badly where something inside is damaged, which was said when it
    /// was opened.
    pub fn status(&self) -> Status {
        if self.opened.failed.is_empty() { Status::Good } else { Status::Bad }
    }

    /// The programs that the argument names; that there are none at all is a failure.
    pub fn stages(&self) -> Outcome<Vec<(&unshade::Inner, unshade::Stage<'_>)>> {
        if self.opened.containers.is_empty() {
            return Err(Failure::NoPrograms(output::no_programs(&self.place.file, &self.opened)));
        }
        self.opened
            .require(self.item())
            .map_err(|error| Failure::usage(format!("{}: {error}", self.place.file)))
    }
}

/// Puts what the command line says of a program's surroundings over what the file says.
pub fn surround(stage: &mut unshade::Stage<'_>, said: &Surroundings) -> Outcome<()> {
    if let Some(path) = &said.state {
        let text = std::fs::read_to_string(path).map_err(|error| Failure::Io {
            path: path.clone(),
            action: "read",
            error,
        })?;
        unshade::apply_state(stage, &text).map_err(|error| Failure::usage(format!("{path}: {error}")))?;
    }
    if let Some(numbering) = said.profile {
        let name = match numbering {
            Numbering::Gx2 => "gx2",
            Numbering::Mesa => "mesa",
            Numbering::Cemu => "cemu",
        };
        if let Some(profile) = unshade::profile_named(name) {
            unshade::apply_profile(stage, profile);
        }
    }
    Ok(())
}
