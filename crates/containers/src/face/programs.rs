//! Whole stages and programs: taken out of one container, put into another, added, removed.
//!
//! [`Container::replace`] changes the words of a program and nothing else. What stands here moves a stage with
//! everything that its container says of it: registers, tables, names, sizes. An edit is done whole or not at all, and
//! one that would give the file an error that it had not before is refused.

use super::container::{Container, with_file};
use super::edit;
use crate::formats::sharc;
use crate::shared::format::FileFormat;
use crate::shared::programs::{DetachedStage, NewProgram, Removed, missing, unfit, wrong};
use unshade_bytes::{Error, ErrorKind, Result};
use unshade_stage::StageId;

impl Container {
    /// The stage of that name with everything that the container says of it.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no stage has that name; [`ErrorKind::Unrepresentable`] for a stage that cannot
    /// leave its container.
    pub fn take(&self, id: &StageId) -> Result<DetachedStage> {
        with_file!(self, file => FileFormat::take(file, id))
    }

    /// Puts another stage, of the same kind and instruction set, in the place of that name. Everything that depends
    /// on it follows. Nothing changes where it fails.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no stage has that name; [`ErrorKind::BadValue`] for a stage of another kind or
    /// instruction set, and where the file would get an error; [`ErrorKind::Unrepresentable`] where it has no room.
    pub fn put(&mut self, id: &StageId, stage: &DetachedStage) -> Result<()> {
        let Some(here) = self.stage(id) else { return Err(missing(&id.0)) };
        if here.isa != stage.isa() {
            let expected = format!("a stage for {}", here.isa);
            return Err(wrong(&id.0, expected, format!("one for {}", stage.isa())));
        }
        self.attempt(|container| with_file!(container, file => FileFormat::put(file, id, stage)))
    }

    /// Adds stages as a program of its own and returns the names of the new stages. Nothing changes where it fails.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] for stages that make no program of this format; [`ErrorKind::Unrepresentable`] where
    /// there is no room; [`ErrorKind::Unsupported`] for a format that holds no further program.
    pub fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        self.attempt(|container| with_file!(container, file => FileFormat::add(file, what)))
    }

    /// Takes a program with all its stages out, or a stage where that is one: an item as `ls` prints it. Nothing
    /// changes where it fails.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where nothing has that name; [`ErrorKind::Unrepresentable`] where something else
    /// needs it.
    pub fn remove(&mut self, item: &str) -> Result<Removed> {
        self.attempt(|container| with_file!(container, file => FileFormat::remove(file, item)))
    }

    /// Gives a source of an archive of sources another text, which has no NUL. Nothing changes where it fails.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no source has that name; [`ErrorKind::BadValue`] for a text with a NUL, and for a name
    /// of several sources; [`ErrorKind::Unsupported`] for another format.
    pub fn put_source(&mut self, item: &str, text: &[u8]) -> Result<()> {
        self.attempt(|container| match container {
            Self::Sharc(file) => file.put_source(item, text),
            container => Err(container.no_sources()),
        })
    }

    /// Adds a source behind those of an archive of sources. Nothing changes where it fails.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] for a name that is there already; [`ErrorKind::Unsupported`] for another format.
    pub fn add_source(&mut self, source: sharc::Source) -> Result<()> {
        self.attempt(|container| match container {
            Self::Sharc(file) => file.add_source(source, None),
            container => Err(container.no_sources()),
        })
    }

    /// A program as it stands here, to be added again: here under another name, or to another container.
    ///
    /// # Errors
    /// As [`Container::remove`].
    pub fn copy_of(&self, item: &str) -> Result<NewProgram> {
        let again = with_file!(self, file => FileFormat::copy_of(file, item))?;
        Ok(NewProgram { at: None, ..again })
    }

    /// Edits a copy and takes it, if it can be written and read again and has no new errors.
    fn attempt<T>(&mut self, edit: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.unlocked()?;
        let mut edited = self.clone();
        let done = edit(&mut edited)?;
        edit::reread(&edited.write()?, "")
            .map_err(|error| unfit("", "a file that reads as it was written", error.into_details().found))?;
        edit::no_new_errors(self, &edited, false)?;
        *self = edited;
        Ok(done)
    }

    /// Refuses a file of a format that is only read.
    pub(crate) fn unlocked(&self) -> Result<()> {
        self.format().locked().map_or(Ok(()), Err)
    }

    fn no_sources(&self) -> Error {
        Error::new(ErrorKind::Unsupported, 0, "", "an archive of sources", self.format().name())
            .code("programs.format")
    }
}
