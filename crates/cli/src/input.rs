//! Where bytes come from: files by path, standard input, containers inside them.

use crate::args::{Numbering, Surroundings};
use crate::output::{Failure, Outcome};
use std::{
    io::{self, Read},
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

/// Takes `PATH[:INNER][#ITEM]` apart; a file of exactly that name comes first.
pub fn place(argument: &str) -> FilePath {
    if Path::new(argument).exists() { FilePath::literal(argument) } else { FilePath::parse(argument) }
}

/// A file with the containers in it that were asked for.
pub struct Input {
    pub place: FilePath,
    /// The whole file.
    pub bytes: Vec<u8>,
    pub opened: Opened,
}

/// Opens a file and what `:INNER` names in it.
pub fn open(argument: &str) -> Outcome<Input> {
    let place = place(argument);
    let bytes = read(&place.file)?;
    let opened = unshade::open(&bytes)
        .map_err(|error| Failure::file(place.file.clone(), error))?
        .select(&place.inner)
        .map_err(|error| Failure::usage(format!("{}: {error}", place.file)))?;
    Ok(Input { place, bytes, opened })
}

impl Input {
    /// What stands behind `#`.
    pub fn item(&self) -> Option<&str> {
        self.place.item.as_deref()
    }

    /// The programs that the argument names.
    pub fn stages(&self) -> Outcome<Vec<(&unshade::Inner, unshade::Stage<'_>)>> {
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
