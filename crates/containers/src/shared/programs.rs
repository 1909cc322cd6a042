//! Whole stages and programs on their way from one container to another: what every format takes and gives.
//!
//! [`Container`](crate::Container) has the operations; a format does them for its own kind of stage.

use super::held::Held;
use std::any::Any;
use std::fmt;
use unshade_bytes::{Error, ErrorKind, Result};
use unshade_stage::CodeFacts;
use unshade_stage::{Isa, Stage, StageId, StageKind};

/// What a format keeps of a stage that was taken out of its container. Formats that keep stages in the same way share
/// one type, so that a stage of the one goes into the other.
pub trait DetachedForm: Held {
    /// Which step of the pipeline it is for.
    fn kind(&self) -> StageKind;
    /// Which machine runs it.
    fn isa(&self) -> Isa;
    /// The stage as its instruction set sees it, whatever it is called there.
    fn stage(&self) -> Stage<'_>;
    /// What the container states of the program.
    fn code_facts(&self) -> CodeFacts;
    /// States what `facts` has, as far as there is a place for it and the number fits.
    fn set_code_facts(&mut self, facts: &CodeFacts);
    /// A copy of it.
    fn copy_stage(&self) -> Box<dyn DetachedForm>;
}

/// A stage taken out of its container with everything that the container says of it, so that it can go into another
/// one that holds the same instruction set.
pub struct DetachedStage(Box<dyn DetachedForm>);

impl DetachedStage {
    /// The stage as its format keeps it.
    pub fn get<T: DetachedForm>(&self) -> Option<&T> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// The stage as its format keeps it, to be changed.
    pub fn get_mut<T: DetachedForm>(&mut self) -> Option<&mut T> {
        (&mut *self.0 as &mut dyn Any).downcast_mut()
    }

    /// The stage as a format keeps it that takes no other.
    pub(crate) fn wanted<T: DetachedForm>(&self, what: &'static str) -> Result<&T> {
        self.get().ok_or_else(|| wrong("", what, format!("one for {}", self.isa())))
    }

    /// Which step of the pipeline it is for.
    pub fn kind(&self) -> StageKind {
        self.0.kind()
    }

    /// Which machine runs it.
    pub fn isa(&self) -> Isa {
        self.0.isa()
    }

    /// The stage as its instruction set sees it, named by its kind.
    pub fn stage(&self) -> Stage<'_> {
        Stage { id: StageId(self.kind().name().to_owned()), ..self.0.stage() }
    }

    /// What is stated of the program.
    pub fn code_facts(&self) -> CodeFacts {
        self.0.code_facts()
    }

    /// States what `facts` has, as far as the container has a place for it and the number fits. Returns whether
    /// anything changed.
    pub fn set_code_facts(&mut self, facts: &CodeFacts) -> bool {
        let before = self.code_facts();
        self.0.set_code_facts(facts);
        self.code_facts() != before
    }
}

impl<T: DetachedForm> From<T> for DetachedStage {
    fn from(stage: T) -> Self {
        Self(Box::new(stage))
    }
}

impl Clone for DetachedStage {
    fn clone(&self) -> Self {
        Self(self.0.copy_stage())
    }
}

impl PartialEq for DetachedStage {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

impl fmt::Debug for DetachedStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What shall be added to a container. What a program is, the format says: an executable (SHBIN), a chunk `CVER` or
/// `CFRA` (MBS), a shader with its blocks (GFD), a program or a variation (SHARCFB of either console, BNSH, BFSHA).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NewProgram {
    /// Its name, where programs of the format have names.
    pub name: Option<String>,
    /// Its stages, in the order in which the format lists them: variation by variation, where it has several.
    pub stages: Vec<DetachedStage>,
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

    /// The only stage, as a format keeps it that takes one.
    pub(crate) fn only<T: DetachedForm>(&self, what: &'static str) -> Result<&T> {
        let one = || match self.stages.as_slice() {
            [stage] => stage.get(),
            _ => None,
        };
        one().ok_or_else(|| wrong("", what, format!("{} stages", self.stages.len())))
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

/// What a container says of a program beside its stages, in its format's own words; nothing where it is made anew, as
/// known writers make it. [`Container::copy_of`](crate::Container::copy_of) and
/// [`Container::remove`](crate::Container::remove) fill it.
#[derive(Debug, Default)]
pub struct Details(Option<Box<dyn Held>>);

impl Details {
    /// Details of a format.
    pub fn new<T: Held>(details: T) -> Self {
        Self(Some(Box::new(details)))
    }

    /// The details of a format, if they are of it.
    pub fn get<T: Held>(&self) -> Option<&T> {
        (self.0.as_deref()? as &dyn Any).downcast_ref()
    }

    /// The details of a format, to be changed.
    pub fn get_mut<T: Held>(&mut self) -> Option<&mut T> {
        (self.0.as_deref_mut()? as &mut dyn Any).downcast_mut()
    }
}

impl Clone for Details {
    fn clone(&self) -> Self {
        Self(self.0.as_deref().map(Held::copy))
    }
}

impl PartialEq for Details {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(own), Some(other)) => own.equals(&**other),
            (None, None) => true,
            _ => false,
        }
    }
}

/// What was taken out of a container.
#[derive(Debug, Clone, PartialEq)]
pub struct Removed {
    /// The names that its stages had.
    pub stages: Vec<StageId>,
    /// What [`Container::add`](crate::Container::add) takes to put it back where it was.
    pub again: NewProgram,
}

/// No stage or program has that name.
pub(crate) fn missing(item: &str) -> Error {
    let expected = "the name of a stage or program of this file";
    Error::unplaced(ErrorKind::OutOfBounds, "", expected, format!("`{item}`")).code("programs.item")
}

/// What was given does not belong there.
pub(crate) fn wrong(item: &str, expected: impl Into<String>, found: impl Into<String>) -> Error {
    let (expected, found) = (expected.into(), found.into());
    Error::unplaced(ErrorKind::BadValue, item, expected, found).code("programs.value")
}

/// What was given has no room there.
pub(crate) fn unfit(item: &str, expected: impl Into<String>, found: impl Into<String>) -> Error {
    let (expected, found) = (expected.into(), found.into());
    Error::unplaced(ErrorKind::Unrepresentable, item, expected, found).code("programs.room")
}
