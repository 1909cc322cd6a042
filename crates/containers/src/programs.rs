//! Whole stages and programs: taken out of one container, put into another, added, removed.
//!
//! [`Container::replace`] changes the words of a program and nothing else. What stands here moves a stage with
//! everything that its container says of it: registers, tables, names, sizes. An edit is done whole or not at all, and
//! one that would give the file an error that it had not before is refused.

use crate::{Container, bfsha, bnsh, edit, gfd, gx2, mbs, nvn, sharc, sharcfb, sharcfb_nx, shbin};
use unshade_bytes::{Error, ErrorKind, Result};
use unshade_stage::{Isa, Stage, StageId, StageKind};

/// A stage taken out of its container with everything that the container says of it, so that it can go into another
/// one that holds the same instruction set.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum LooseStage {
    /// An executable of a SHBIN with the code that it runs.
    Pica200(Box<shbin::Loose>),
    /// A program of an MBS.
    Mali(Box<mbs::Program>),
    /// A GX2 structure with its programs, of a GFD or a SHARCFB. A geometry shader and its copy program are one.
    Gx2(Box<gx2::Loose>),
    /// A control section and a code section with the names of the reflection.
    Nvn(Box<nvn::Loose>),
}

impl LooseStage {
    /// Which step of the pipeline it is for.
    pub fn kind(&self) -> StageKind {
        match self {
            Self::Pica200(stage) => stage.kind(),
            Self::Mali(program) => program.kind.stage(),
            Self::Gx2(shader) => shader.stage_kind(),
            Self::Nvn(stage) => stage.kind,
        }
    }

    /// Which machine runs it.
    pub fn isa(&self) -> Isa {
        match self {
            Self::Pica200(_) => Isa::Pica200,
            Self::Mali(program) => program.kind.isa(),
            Self::Gx2(_) => Isa::Latte,
            Self::Nvn(_) => Isa::Maxwell,
        }
    }

    /// The stage as its instruction set sees it, named by its kind.
    pub fn stage(&self) -> Stage<'_> {
        let stage = match self {
            Self::Pica200(stage) => stage.stage(),
            Self::Mali(program) => program.stage(0),
            Self::Gx2(shader) => shader.stage(),
            Self::Nvn(stage) => stage.stage(),
        };
        Stage { id: StageId(self.kind().name().to_owned()), ..stage }
    }
}

/// What shall be added to a container. What a program is, the format says: an executable (SHBIN), a chunk `CVER` or
/// `CFRA` (MBS), a shader with its blocks (GFD), a program or a variation (SHARCFB of either console, BNSH, BFSHA).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NewProgram {
    /// Its name, where programs of the format have names.
    pub name: Option<String>,
    /// Its stages, in the order in which the format lists them: variation by variation, where it has several.
    pub stages: Vec<LooseStage>,
    /// Options or macros with their values.
    pub values: Vec<(String, String)>,
    /// The program (SHARCFB) or shading model (BFSHA) that a variation goes into.
    pub into: Option<String>,
    /// Where it goes among its kind; `None`: behind the others.
    pub at: Option<usize>,
    /// What the container says of the program as a whole, where it is a copy of one.
    pub details: Details,
}

impl NewProgram {
    /// Where it goes among `count` others.
    pub(crate) fn place(&self, count: usize) -> Result<usize> {
        match self.at {
            Some(at) if at > count => Err(wrong("at", format!("a place from 0 to {count}"), at.to_string())),
            at => Ok(at.unwrap_or(count)),
        }
    }

    /// Refuses a name, values and a program to go into, which `what` has not.
    pub(crate) fn bare(&self, what: &str) -> Result<()> {
        let found = match (&self.name, self.values.first(), &self.into) {
            (Some(name), _, _) => format!("the name `{name}`"),
            (_, Some((name, value)), _) => format!("{name} = {value}"),
            (_, _, Some(into)) => format!("something in `{into}`"),
            (None, None, None) => return Ok(()),
        };
        Err(wrong("", format!("no name, no values and no program around {what}"), found))
    }
}

/// What a container says of a program beside its stages. [`Container::copy_of`] and [`Container::remove`] fill it.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub enum Details {
    /// Nothing: it is made anew, as known writers make it.
    #[default]
    None,
    /// Where the blocks of a shader stood.
    Gfd(Box<gfd::programs::Stood>),
    /// How a SHBIN was laid out.
    Shbin(shbin::programs::Stood),
    /// The record of a program of a SHARCFB.
    Sharcfb(Box<sharcfb::programs::Whole>),
    /// Which symbols the variations with a value of a macro use.
    SharcfbValue(sharcfb::programs::Flags),
    /// The record of a program of an archive of the Switch, with what went with it.
    SharcfbNx(Box<sharcfb_nx::programs::Whole>),
    /// Stages of an archive of the Switch that went with a value of a macro, or alone.
    SharcfbNxStages(Box<sharcfb_nx::programs::Gone>),
    /// A program or a source of a SHARC.
    Sharc(Box<sharc::programs::Whole>),
    /// Of a variation of a BNSH.
    Variation(Box<bnsh::programs::VariationDetails>),
    /// Of a program of a BFSHA.
    Program(Box<bfsha::programs::ProgramDetails>),
    /// Of a program of a BFSHA of the Wii U.
    CafeProgram(Box<bfsha::programs::cafe::CafeDetails>),
}

/// What was taken out of a container.
#[derive(Debug, Clone, PartialEq)]
pub struct Removed {
    /// The names that its stages had.
    pub stages: Vec<StageId>,
    /// What [`Container::add`] takes to put it back where it was.
    pub again: NewProgram,
}

impl Container {
    /// The stage of that name with everything that the container says of it.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no stage has that name; [`ErrorKind::Unrepresentable`] for a stage that cannot
    /// leave its container.
    pub fn take(&self, id: &StageId) -> Result<LooseStage> {
        match self {
            Self::Mbs(file) => file.take(id).map(Box::new).map(LooseStage::Mali),
            Self::Shbin(file) => file.take(id).map(Box::new).map(LooseStage::Pica200),
            Self::Gfd(file) => file.take(id).map(Box::new).map(LooseStage::Gx2),
            Self::Sharcfb(file) => file.take(id).map(Box::new).map(LooseStage::Gx2),
            Self::SharcfbNx(file) => file.take(id).map(Box::new).map(LooseStage::Nvn),
            Self::Sharc(_) => Err(missing(&id.0)),
            Self::Bnsh(file) => file.take(id).map(Box::new).map(LooseStage::Nvn),
            Self::Bfsha(file) if file.is_cafe() => file.take_cafe(id).map(Box::new).map(LooseStage::Gx2),
            Self::Bfsha(file) => file.take(id).map(Box::new).map(LooseStage::Nvn),
            Self::Nvn(file) => file.take(id).map(Box::new).map(LooseStage::Nvn),
            Self::NvnCode(file) => file.take(id).map(Box::new).map(LooseStage::Nvn),
            Self::Dksh(file) => file.take(id).map(Box::new).map(LooseStage::Nvn),
        }
    }

    /// Puts another stage, of the same kind and instruction set, in the place of that name. Everything that depends
    /// on it follows. Nothing changes where it fails.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no stage has that name; [`ErrorKind::BadValue`] for a stage of another kind or
    /// instruction set, and where the file would get an error; [`ErrorKind::Unrepresentable`] where it has no room.
    pub fn put(&mut self, id: &StageId, stage: &LooseStage) -> Result<()> {
        let Some(here) = self.stage(id) else { return Err(missing(&id.0)) };
        if here.isa != stage.isa() {
            let expected = format!("a stage for {}", here.isa);
            return Err(wrong(&id.0, expected, format!("one for {}", stage.isa())));
        }
        self.attempt(|container| match (container, stage) {
            (Self::Mbs(file), LooseStage::Mali(program)) => file.put(id, program),
            (Self::Shbin(file), LooseStage::Pica200(stage)) => file.put(id, stage),
            (Self::Gfd(file), LooseStage::Gx2(shader)) => file.put(id, shader),
            (Self::Sharcfb(file), LooseStage::Gx2(shader)) => file.put(id, shader),
            (Self::SharcfbNx(file), LooseStage::Nvn(stage)) => file.put(id, stage),
            (Self::Bnsh(file), LooseStage::Nvn(stage)) => file.put(id, stage),
            (Self::Bfsha(file), LooseStage::Nvn(stage)) => file.put(id, stage),
            (Self::Bfsha(file), LooseStage::Gx2(shader)) => file.put_cafe(id, shader),
            (Self::Nvn(file), LooseStage::Nvn(stage)) => file.put(id, stage),
            (Self::NvnCode(file), LooseStage::Nvn(stage)) => file.put(id, stage),
            (Self::Dksh(file), LooseStage::Nvn(stage)) => file.put(id, stage),
            (container, _) => Err(container.unsupported("put in")),
        })
    }

    /// Adds stages as a program of its own and returns the names of the new stages. Nothing changes where it fails.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] for stages that make no program of this format; [`ErrorKind::Unrepresentable`] where
    /// there is no room; [`ErrorKind::Unsupported`] for a format that holds no further program.
    pub fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        self.attempt(|container| match container {
            Self::Mbs(file) => file.add(what),
            Self::Shbin(file) => file.add(what),
            Self::Gfd(file) => file.add(what),
            Self::Sharcfb(file) => file.add(what),
            Self::SharcfbNx(file) => file.add(what),
            Self::Sharc(file) => file.add(what),
            Self::Bnsh(file) => file.add(what),
            Self::Bfsha(file) if file.is_cafe() => file.add_cafe(what),
            Self::Bfsha(file) => file.add(what),
            Self::Dksh(file) => file.add(what),
            container => Err(container.unsupported("added")),
        })
    }

    /// Takes a program with all its stages out, or a stage where that is one: an item as `ls` prints it. Nothing
    /// changes where it fails.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where nothing has that name; [`ErrorKind::Unrepresentable`] where something else
    /// needs it.
    pub fn remove(&mut self, item: &str) -> Result<Removed> {
        self.attempt(|container| match container {
            Self::Mbs(file) => file.remove(item),
            Self::Shbin(file) => file.remove(item),
            Self::Gfd(file) => file.remove(item),
            Self::Sharcfb(file) => file.remove(item),
            Self::SharcfbNx(file) => file.remove(item),
            Self::Sharc(file) => file.remove(item),
            Self::Bnsh(file) => file.remove(item),
            Self::Bfsha(file) if file.is_cafe() => file.remove_cafe(item),
            Self::Bfsha(file) => file.remove(item),
            Self::Dksh(file) => file.remove(item),
            container => Err(container.unsupported("removed")),
        })
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
        let again = match self {
            Self::SharcfbNx(file) => file.copy_of(item)?,
            Self::Sharc(file) => file.copy_of(item)?,
            Self::Bnsh(file) => file.copy_of(item)?,
            Self::Bfsha(file) if file.is_cafe() => file.copy_of_cafe(item)?,
            Self::Bfsha(file) => file.copy_of(item)?,
            _ => self.clone().remove(item)?.again,
        };
        Ok(NewProgram { at: None, ..again })
    }

    /// Edits a copy and takes it, if it can be written and read again and has no new errors.
    fn attempt<T>(&mut self, edit: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let mut edited = self.clone();
        let done = edit(&mut edited)?;
        edit::reread(&edited.write()?, "")
            .map_err(|error| unfit("", "a file that reads as it was written", error.found))?;
        edit::no_new_errors(self, &edited, false)?;
        *self = edited;
        Ok(done)
    }

    fn no_sources(&self) -> Error {
        Error::new(ErrorKind::Unsupported, 0, "", "an archive of sources", self.format().name())
            .code("programs.format")
    }

    fn unsupported(&self, what: &str) -> Error {
        let expected = format!("a format whose stages can be {what} whole");
        Error::new(ErrorKind::Unsupported, 0, "", expected, self.format().name()).code("programs.format")
    }
}

/// No stage or program has that name.
pub(crate) fn missing(item: &str) -> Error {
    let expected = "the name of a stage or program of this file";
    Error::new(ErrorKind::OutOfBounds, 0, "", expected, format!("`{item}`")).code("programs.item")
}

/// What was given does not belong there.
pub(crate) fn wrong(item: &str, expected: impl Into<String>, found: impl Into<String>) -> Error {
    let (expected, found) = (expected.into(), found.into());
    Error::new(ErrorKind::BadValue, 0, item, expected, found).code("programs.value")
}

/// What was given has no room there.
pub(crate) fn unfit(item: &str, expected: impl Into<String>, found: impl Into<String>) -> Error {
    let (expected, found) = (expected.into(), found.into());
    Error::new(ErrorKind::Unrepresentable, 0, item, expected, found).code("programs.room")
}
