//! Where a container goes that a command made: to a file, or into one, through the wrappers around its place.

use crate::{
    args::{Destination, Target},
    input,
    output::{self, Failure, Outcome},
};
use unshade::{FilePath, Rewritten};

impl Destination {
    /// The place to put it into, if one was given.
    pub fn place(&self) -> Option<FilePath> {
        self.into.as_deref().map(input::place)
    }

    /// The file that will be written.
    pub fn path(&self) -> String {
        match (&self.output, self.place()) {
            (Some(output), _) => output.clone(),
            (None, Some(place)) => place.file,
            (None, None) => "-".to_owned(),
        }
    }

    /// Writes a whole container. What was written: path and size.
    pub fn write(&self, bytes: Vec<u8>) -> Outcome<(String, usize)> {
        let Some(place) = self.place() else { return self.write_file(&bytes) };
        if let Some(item) = &place.item {
            return Err(Failure::usage(format!(
                "--into {}#{item} takes the code of one program; what is to be put there is a whole file, so leave #{item} out",
                place.file
            )));
        }
        let file = input::read(&place.file)?;
        let rewritten = unshade::replace_file(input::source(&file), &place.inner, bytes)
            .map_err(|error| Failure::open(place.file.clone(), error))?;
        self.write_rewritten(&rewritten)
    }

    /// Writes a file that was changed, and says what happened to its wrappers.
    pub fn write_rewritten(&self, rewritten: &Rewritten) -> Outcome<(String, usize)> {
        let written = self.write_file(&rewritten.bytes)?;
        for note in &rewritten.notes {
            output::note(note);
        }
        Ok(written)
    }

    fn write_file(&self, bytes: &[u8]) -> Outcome<(String, usize)> {
        let path = self.path();
        output::write_file(&path, bytes)?;
        Ok((path, bytes.len()))
    }
}

/// Where the changed file goes, once that is settled.
pub enum Place {
    /// Nowhere: it was only to be seen what would change.
    Nowhere,
    /// A file that is written whole.
    File(String),
    /// The file that was read; its old contents are kept beside it.
    Original(String),
}

impl Target {
    /// The place that the arguments mean for a change of `file`.
    pub fn place(&self, file: &str) -> Outcome<Place> {
        match &self.output {
            _ if self.dry_run => Ok(Place::Nowhere),
            Some(output) if same_file(output, file) => Err(Failure::usage(format!(
                "-o {output} is the file itself; use --in-place, which keeps a backup"
            ))),
            Some(output) => Ok(Place::File(output.clone())),
            None if file == "-" => Err(Failure::usage("standard input has no place; use -o".to_owned())),
            None => Ok(Place::Original(file.to_owned())),
        }
    }
}

fn same_file(a: &str, b: &str) -> bool {
    match (std::fs::canonicalize(a), std::fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b && a != "-",
    }
}

impl Place {
    /// Writes the file, and says what happened to its wrappers: the path, and that of the backup.
    pub fn write(&self, rewritten: &Rewritten) -> Outcome<(Option<String>, Option<String>)> {
        let written = match self {
            Self::Nowhere => return Ok((None, None)),
            Self::File(path) => {
                output::write_file(path, &rewritten.bytes)?;
                (Some(path.clone()), None)
            }
            Self::Original(path) => {
                let backup = output::back_up(path)?;
                output::write_file(path, &rewritten.bytes).inspect_err(|_| {
                    // The file is as it was and needs no second copy.
                    let _ = std::fs::remove_file(&backup);
                })?;
                (Some(path.clone()), Some(backup))
            }
        };
        for note in &rewritten.notes {
            output::note(note);
        }
        Ok(written)
    }
}
