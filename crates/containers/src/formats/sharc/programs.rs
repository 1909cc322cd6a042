//! Whole programs and sources of an archive of sources: found by name, put, added, removed.
//!
//! A stage says its source by a number: what is added or removed moves the numbers of the sources behind it.

use super::model::{Program, Record, Sharc, Source, SourceIndex, Stage, symbol_kinds};
use super::raw::Rules;
use crate::formats::agl::raw::text;
use crate::shared::programs::{Details, NewProgram, Removed, missing, unfit, wrong};
use crate::shared::{Name, Strings};
use unshade_bytes::{Endian, Error, ErrorKind, Result};
use unshade_stage::StageId;

/// What a name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// The program of that number.
    Program(usize),
    /// A stage of the program of that number, which has a source.
    Stage(usize, Stage),
    /// The source of that number.
    Source(usize),
}

/// A program or a source that was taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whole {
    what: Part,
    /// Byte order of its archive.
    endian: Endian,
    /// What its archive has.
    rules: Rules,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Program(Box<Program>),
    Source(Source),
}

impl Sharc {
    /// What a name means: `toon` a program, `toon/vertex` the source of its stage, `toon_vs.sh` a source. The first of a
    /// name is meant, and a program before a source.
    pub fn item(&self, name: &str) -> Option<Item> {
        let called = |own: &Strings, name: &str| Name(text(&own.0).to_vec()).text() == name;
        let program = |name: &str| self.programs().find(|(_, program)| called(&program.name, name));
        if let Some((number, _)) = program(name) {
            return Some(Item::Program(number));
        }
        if let Some((number, _)) = self.sources().find(|(_, source)| called(&source.name, name)) {
            return Some(Item::Source(number));
        }
        let (owner, word) = name.rsplit_once('/')?;
        let stage = Stage::ALL.into_iter().find(|stage| stage.name() == word)?;
        let (number, program) = program(owner)?;
        self.source_of(program, stage).map(|_| Item::Stage(number, stage))
    }

    /// The sources that a name means, each with its number: all of a program, in the order of its stages, or one.
    pub fn sources_named(&self, name: &str) -> Vec<(usize, &Source)> {
        let of = |number: usize, stages: &[Stage]| {
            let program = self.programs().find(|(known, _)| *known == number).map(|(_, program)| program);
            let numbers = stages.iter().filter_map(|stage| self.source_number(program?, *stage));
            let mut found: Vec<(usize, &Source)> = Vec::new();
            for number in numbers {
                // Stages may share a source.
                let known = found.iter().any(|(known, _)| *known == number as usize);
                if let Some(source) = self.source(number).filter(|_| !known) {
                    found.push((number as usize, source));
                }
            }
            found
        };
        match self.item(name) {
            Some(Item::Program(number)) => of(number, &Stage::ALL),
            Some(Item::Stage(number, stage)) => of(number, &[stage]),
            Some(Item::Source(number)) => self.sources().filter(|(known, _)| *known == number).collect(),
            None => Vec::new(),
        }
    }

    /// The program that a program of an archive of binaries was compiled from, by its number and name there: programs
    /// stand in the same order in both. Where another name stands at that place, the first of the name.
    pub fn program_of(&self, number: usize, name: &[u8]) -> Option<&Program> {
        let named = |program: &&Program| text(&program.name.0) == name;
        let here = self.programs.as_ref()?.items.get(number).and_then(|record| record.known());
        let here = here.map(AsRef::as_ref).filter(named);
        here.or_else(|| self.programs().map(|(_, program)| program).find(named))
    }

    /// Gives a source another text, which is `text` without a NUL.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no source has that name, nor a stage that has one;
    /// [`unshade_bytes::ErrorKind::BadValue`] for a text with a NUL, which would end there, and for a program with
    /// several sources.
    pub fn put_source(&mut self, name: &str, text: &[u8]) -> Result<()> {
        let text = terminated(text)?;
        let number = match self.sources_named(name).as_slice() {
            [] => return Err(missing(name)),
            [(number, _)] => *number,
            several => {
                let expected = "the name of one source, or of a stage of the program";
                return Err(wrong(name, expected, format!("a program with {} sources", several.len())));
            }
        };
        let record = self.sources.as_mut().and_then(|array| array.items.get_mut(number));
        let Some(Record::Known(source)) = record else { return Err(missing(name)) };
        source.text = text;
        Ok(())
    }

    /// Adds a program or a source that was taken out of an archive: a program behind the others or where it was, a source
    /// too, in front of which the numbers of the others stay.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::BadValue`] for stages and for a name that is there already;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for a program of another version or byte order.
    pub fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        self.whole()?;
        let Some(whole) = what.details.get::<Whole>() else {
            return Err(wrong("", "a program or a source of another archive of sources", "something else"));
        };
        if let Some((name, value)) = what.values.first() {
            return Err(wrong("", "the values of the program that is copied", format!("{name} = {value}")));
        }
        let name = what.name.as_deref().map(|name| terminated(name.as_bytes())).transpose()?;
        let rules = self.rules();
        match &whole.what {
            Part::Program(program) => {
                let mut program = program.clone();
                let words = symbol_kinds(rules).any(|kind| {
                    let symbols = program.symbols(kind).items.iter().filter_map(Record::known);
                    symbols.into_iter().any(|symbol| !symbol.default.is_empty())
                });
                if whole.rules != rules || whole.endian != self.endian && words {
                    let found = "one of another version or byte order";
                    return Err(unfit("", "a program of an archive of the same layout", found));
                }
                program.name = name.unwrap_or_else(|| program.name.clone());
                if self.programs().any(|(_, known)| known.text() == program.text()) {
                    let expected = "a name that no program of the archive has";
                    return Err(wrong("name", expected, format!("`{}`", program.text())));
                }
                let count = self.programs.as_ref().map_or(0, |array| array.items.len());
                let at = what.place(count)?;
                if let Some(array) = &mut self.programs {
                    array.items.insert(at, Record::Known(program));
                }
            }
            Part::Source(source) => {
                let mut source = source.clone();
                source.name = name.unwrap_or_else(|| source.name.clone());
                self.add_source(source, what.at)?;
            }
        }
        Ok(Vec::new())
    }

    /// Adds a source behind the others, or at a place among them.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::BadValue`] for a name that is there already and a place that is none;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where the number of a source has no room any more.
    pub fn add_source(&mut self, source: Source, at: Option<usize>) -> Result<()> {
        self.whole()?;
        if self.sources().any(|(_, known)| known.title() == source.title()) {
            let expected = "a name that no source of the archive has";
            return Err(wrong("name", expected, format!("`{}`", source.title())));
        }
        let count = self.sources.as_ref().map_or(0, |array| array.items.len());
        let place = NewProgram { at, ..NewProgram::default() }.place(count)?;
        self.renumber(|index| match index as usize >= place {
            true => index.checked_add(1),
            false => Some(index),
        })?;
        if let Some(array) = &mut self.sources {
            array.items.insert(place, Record::Known(source));
        }
        Ok(())
    }

    /// Takes out a program, or a source that no stage has.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where nothing has that name;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for a source that a program needs.
    pub fn remove(&mut self, item: &str) -> Result<Removed> {
        self.whole()?;
        let (endian, rules) = (self.endian, self.rules());
        let (what, at) = match self.item(item).ok_or_else(|| missing(item))? {
            Item::Stage(..) => {
                return Err(unfit(
                    item,
                    "a program, or a source that no program has",
                    "a stage of a program",
                ));
            }
            Item::Program(number) => {
                let Some(array) = self.programs.as_mut().filter(|array| number < array.items.len()) else {
                    return Err(missing(item));
                };
                match array.items.remove(number) {
                    Record::Known(program) => (Part::Program(program), number),
                    Record::Damaged(_) => return Err(missing(item)),
                }
            }
            Item::Source(number) => {
                let mut users = self.programs().filter(|(_, program)| {
                    let mut numbers = Stage::ALL.into_iter().filter_map(|s| self.source_number(program, s));
                    numbers.any(|known| known as usize == number)
                });
                if let Some((_, program)) = users.next() {
                    let found = format!("one that `{}` has", program.text());
                    return Err(unfit(item, "a source that no program has", found));
                }
                drop(users);
                self.renumber(|index| match index as usize > number {
                    true => index.checked_sub(1),
                    false => Some(index),
                })?;
                let Some(array) = self.sources.as_mut().filter(|array| number < array.items.len()) else {
                    return Err(missing(item));
                };
                match array.items.remove(number) {
                    Record::Known(source) => (Part::Source(source), number),
                    Record::Damaged(_) => return Err(missing(item)),
                }
            }
        };
        let whole = Whole { what, endian, rules };
        let again = NewProgram { at: Some(at), details: Details::new(whole), ..NewProgram::default() };
        Ok(Removed { stages: Vec::new(), again })
    }

    /// A program or source as it stands here, to be added again.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where nothing has that name;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for a stage.
    pub fn copy_of(&self, item: &str) -> Result<NewProgram> {
        let record = |number: usize| self.programs.as_ref()?.items.get(number)?.known();
        let what = match self.item(item) {
            Some(Item::Program(number)) => record(number).cloned().map(Part::Program),
            Some(Item::Source(number)) => {
                u32::try_from(number).ok().and_then(|number| self.source(number)).cloned().map(Part::Source)
            }
            Some(Item::Stage(..)) => {
                return Err(unfit(item, "a program or a source", "a stage of a program"));
            }
            None => None,
        };
        let what = what.ok_or_else(|| missing(item))?;
        let whole = Whole { what, endian: self.endian, rules: self.rules() };
        Ok(NewProgram { details: Details::new(whole), ..NewProgram::default() })
    }

    /// Gives every stage with a source another number for it.
    fn renumber(&mut self, number: impl Fn(u32) -> Option<u32>) -> Result<()> {
        let rules = self.rules();
        for record in self.programs.iter_mut().flat_map(|array| &mut array.items) {
            let Record::Known(program) = record else { continue };
            for word in &mut program.sources {
                let old = SourceIndex::of(*word, rules);
                let Some(index) = old.index else { continue };
                let new =
                    number(index).and_then(|index| SourceIndex { index: Some(index), ..old }.word(rules));
                *word =
                    new.ok_or_else(|| unfit("sources", "as many sources as their numbers count", "more"))?;
            }
        }
        Ok(())
    }

    /// Refuses an archive whose sizes are not those of what is in it: they would not follow.
    fn whole(&self) -> Result<()> {
        let odd = |size: Option<u32>, count: Option<u32>| size.is_some() || count.is_some();
        let programs = self.programs.as_ref().is_none_or(|array| odd(array.size, array.count));
        let sources = self.sources.as_ref().is_none_or(|array| odd(array.size, array.count));
        if programs || sources || self.file_size.is_some() {
            return Err(unfit("", "an archive whose sizes and counts are right", "a damaged one"));
        }
        Ok(())
    }
}

impl Source {
    /// A source of that name and text, both without NUL.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::BadValue`] where there is one.
    pub fn new(name: &[u8], text: &[u8]) -> Result<Self> {
        Ok(Self { name: terminated(name)?, text: terminated(text)?, ..Self::default() })
    }
}

/// A string with its NUL.
fn terminated(text: &[u8]) -> Result<Strings> {
    if text.contains(&0) {
        return Err(wrong("", "a text without NUL, which would end it", "one inside it"));
    }
    Ok(Strings(text.iter().copied().chain([0]).collect()))
}

/// An archive of sources has no code to be replaced.
pub(crate) fn no_code() -> Error {
    let (expected, found) = ("a file with compiled programs", "an archive of sources, which are text");
    Error::new(ErrorKind::Unsupported, 0, "", expected, found).code("sharc.text")
}
