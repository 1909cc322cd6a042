//! A file with what was found in it, kept until something else is asked for.

use crate::{Failure, tree::Trees};
use std::cell::RefCell;
use std::rc::Rc;
use unshade::debug::Variables;
use unshade::{CompiledFor, Dictionaries, FilePath, Opened, Source, Stage, open_at};

/// A file that was opened.
#[derive(Debug)]
pub(crate) struct File {
    pub name: String,
    pub bytes: Vec<u8>,
    pub dictionaries: Dictionaries,
    /// The containers that were asked for last, and the names that chose them.
    opened: RefCell<Option<(Vec<String>, Rc<Opened>)>>,
    trees: RefCell<Option<(Vec<String>, Rc<Trees>)>>,
    compiled_for: RefCell<Option<(Vec<String>, Rc<CompiledFor>)>>,
    /// Of the program that was run last, whose run starts anew with each number that is changed.
    variables: RefCell<Option<(Vec<String>, Rc<Variables>)>>,
}

impl File {
    pub fn new(name: String, bytes: Vec<u8>, dictionaries: Dictionaries) -> Self {
        Self {
            name,
            bytes,
            dictionaries,
            opened: RefCell::default(),
            trees: RefCell::default(),
            compiled_for: RefCell::default(),
            variables: RefCell::default(),
        }
    }

    pub fn source(&self) -> Source<'_> {
        Source::new(&self.bytes, &self.dictionaries)
    }

    /// What stands behind the file's name, taken apart; the name itself may hold what separates.
    pub fn place(&self, item: &str) -> FilePath {
        FilePath { file: self.name.clone(), ..FilePath::parse(&format!("-{item}")) }
    }

    pub fn opened(&self, names: &[String]) -> Result<Rc<Opened>, Failure> {
        kept(&self.opened, names, || Ok(open_at(self.source(), names)?))
    }

    pub fn trees(&self, names: &[String]) -> Result<Rc<Trees>, Failure> {
        let opened = self.opened(names)?;
        kept(&self.trees, names, || Ok(Trees::new(&self.bytes, &opened)))
    }

    pub fn compiled_for(&self, names: &[String]) -> Result<Rc<CompiledFor>, Failure> {
        kept(&self.compiled_for, names, || Ok(CompiledFor::new(self.source(), names)))
    }

    /// The variables of a program, named by what stands behind the file's name.
    pub fn variables(&self, item: &str, stage: &Stage<'_>) -> Result<Rc<Variables>, Failure> {
        kept(&self.variables, &[item.to_owned()], || Ok(Variables::of(stage)))
    }

    /// The programs that are meant, each with what stands behind the file to name it. None where containers hold no code.
    pub fn programs(&self, place: &FilePath) -> Result<Vec<(String, Stage<'static>)>, Failure> {
        let found = unshade::programs(self.source(), &place.inner, place.item.as_deref())?;
        if found.stages.is_empty() && self.opened(&place.inner)?.containers.is_empty() {
            let error = found.failed.into_iter().next();
            let none = || Failure::new("no program in it that this version reads");
            return Err(error.map_or_else(none, Failure::from));
        }
        Ok(found.stages)
    }
}

/// What was made last, if for the same names.
fn kept<T>(
    last: &RefCell<Option<(Vec<String>, Rc<T>)>>,
    names: &[String],
    make: impl FnOnce() -> Result<T, Failure>,
) -> Result<Rc<T>, Failure> {
    if let Some((of, made)) = &*last.borrow()
        && of == names
    {
        return Ok(made.clone());
    }
    let made = Rc::new(make()?);
    *last.borrow_mut() = Some((names.to_vec(), made.clone()));
    Ok(made)
}
