//! Whole executables of a SHBIN: taken, put, added, removed.
//!
//! All executables of a linked binary share its words and descriptors. What is put in may take the place of what only
//! the old one needed; what others need stays where it is, and what has no room goes to the end.

use super::detached::Detached;
use super::layout::{Item, Layout, Part, Producer, Scope, Section};
use super::link::{Linked, Reuse, link};
use super::model::{Dvlb, HeaderForm, Shbin};
use super::plan::{Shape, Step, padding, standard};
use super::share::Shares;
use crate::shared::Strings;
use crate::shared::programs::{Details, NewProgram, Removed, missing, unfit, wrong};
use std::collections::BTreeSet;
use unshade_bytes::Result;
use unshade_stage::StageId;

/// How the file was laid out that an executable was removed from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement(Layout);

impl Shbin {
    /// The executable of that name with its tables and its program.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name.
    pub fn take(&self, id: &StageId) -> Result<Detached> {
        let number = number(id)?;
        let loose = match self {
            Self::Linked(file) => Detached::linked(file, number),
            Self::Object(file) => (number == 0).then(|| Detached::object(file)),
        };
        loose.ok_or_else(|| missing(&id.0))
    }

    /// Puts another executable of the same kind in the place of that name: constants, labels, outputs, uniforms, and
    /// its code with what that needs.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name;
    /// [`unshade_bytes::ErrorKind::BadValue`] for one of another kind, and for linked code in an object;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where its code has no room.
    pub fn put(&mut self, id: &StageId, stage: &Detached) -> Result<()> {
        let here = self.take(id)?;
        if here == *stage {
            return Ok(());
        }
        let (Some((old, ..)), Some((new, ..))) = (here.parts(), stage.parts()) else {
            return Err(missing(&id.0));
        };
        if old.executable.kind != new.executable.kind {
            let name = |kind: u8| match kind {
                0 => "vertex program".to_owned(),
                1 => "geometry program".to_owned(),
                kind => format!("program of kind {kind}"),
            };
            return Err(wrong(
                &id.0,
                format!("a {}", name(old.executable.kind)),
                format!("a {}", name(new.executable.kind)),
            ));
        }
        match self {
            Self::Linked(file) => {
                let number = number(id)?;
                let odd = file.odd_parts()?;
                let shares = Shares::of(&file.program.code, &file.executables, Some(number));
                let dvle = file.link(&shares, stage, Reuse::All, &id.0)?;
                if let Some(place) = file.executables.get_mut(number) {
                    *place = dvle;
                }
                file.align(&odd);
            }
            Self::Object(file) => {
                let (Some(relocations), Some((dvle, code, _))) = (&stage.relocations, stage.parts()) else {
                    let expected = "an object: nobody knows the relocations that other code would need";
                    return Err(wrong(&id.0, expected, "linked code"));
                };
                file.executable = dvle.executable.clone();
                file.code = code.clone();
                file.relocations = relocations.clone();
            }
        }
        Ok(())
    }

    /// Adds an executable. Code that the program has already is not added again.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::BadValue`] for anything but one stage for the PICA200, without name and values;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for an object, and where the code has no room.
    pub fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        let stage: &Detached = what.only("one program for the PICA200")?;
        what.bare("an executable of a SHBIN")?;
        let file = self.linked_mut("")?;
        let number = what.place(file.executables.len())?;
        let name = number.to_string();
        let stood = match (what.details.get::<Placement>(), what.at) {
            (Some(stood), Some(_)) => Some(stood.0.clone()),
            _ => None,
        };
        let odd = file.odd_parts()?;
        let shares = Shares::of(&file.program.code, &file.executables, None);
        let reuse = if stood.is_some() { Reuse::All } else { Reuse::Needed };
        let dvle = file.link(&shares, stage, reuse, &name)?;
        match stood {
            Some(layout) => {
                file.layout = layout;
                file.executables.insert(number, dvle);
            }
            None => {
                file.make_room(number);
                file.executables.insert(number, dvle);
                let moved = |part: Part| match part.scope {
                    Scope::Executable(index) if index as usize >= number => {
                        Part { scope: Scope::Executable(index.saturating_add(1)), ..part }
                    }
                    _ => part,
                };
                file.align(&odd.into_iter().map(moved).collect());
            }
        }
        Ok(vec![StageId(name)])
    }

    /// Takes the executable of that name out, with the code behind that of the others.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for an object.
    pub fn remove(&mut self, item: &str) -> Result<Removed> {
        let id = StageId(item.to_owned());
        let stage = self.take(&id)?;
        let number = number(&id)?;
        let file = self.linked_mut(item)?;
        let again = NewProgram {
            at: Some(number),
            details: Details::new(Placement(file.layout.clone())),
            ..NewProgram::default()
        };
        let odd = file.odd_parts()?;
        let shares = Shares::needed(&file.program.code, &file.executables, number);
        file.executables.remove(number);
        file.cut(&shares, item)?;
        file.close_gap(number);
        let left = |part: Part| match part.scope {
            Scope::Executable(index) if index as usize > number => {
                Part { scope: Scope::Executable(index.saturating_sub(1)), ..part }
            }
            _ => part,
        };
        file.align(&odd.into_iter().map(left).collect());
        let stages = vec![stage.into()];
        Ok(Removed { stages: vec![id], again: NewProgram { stages, ..again } })
    }

    fn linked_mut(&mut self, item: &str) -> Result<&mut Dvlb> {
        match self {
            Self::Linked(file) => Ok(file),
            Self::Object(_) => {
                Err(unfit(item, "a linked binary (DVLB)", "an object (DVOJ), which is one executable"))
            }
        }
    }
}

/// The number that is a stage's name.
fn number(id: &StageId) -> Result<usize> {
    let number = id.0.parse().ok().filter(|number: &usize| number.to_string() == id.0);
    number.ok_or_else(|| missing(&id.0))
}

impl Dvlb {
    /// Brings the code of an executable in, and returns the executable.
    fn link(&mut self, shares: &Shares, stage: &Detached, reuse: Reuse, item: &str) -> Result<super::Dvle> {
        let program = &mut self.program;
        let Linked { code, file_names, dvle } =
            link(&program.code, &program.file_names, shares, stage, reuse, item)?;
        (program.code, program.file_names) = (code, file_names);
        if program.header != HeaderForm::Long {
            // There is no place for them.
            program.code.lines = Vec::new();
            program.file_names = Strings::default();
        }
        Ok(dvle)
    }

    /// Cuts what only one executable needed off the end of the code, with the names of its lines.
    fn cut(&mut self, shares: &Shares, item: &str) -> Result<()> {
        let code = &mut self.program.code;
        let lined = code.lines.len() == code.words.len();
        if !lined && !code.lines.is_empty() && shares.words.tail < code.words.len() {
            let found = format!("{} for {} words", code.lines.len(), code.words.len());
            return Err(unfit(item, "a line for each word", found));
        }
        code.words.truncate(shares.words.tail);
        code.descriptors.truncate(shares.descriptors.tail);
        if shares.words.tail == 0 {
            // They came with the code.
            code.lines.clear();
            self.program.file_names = Strings::default();
        } else if lined {
            let gone = code.lines.split_off(shares.words.tail.min(code.lines.len()));
            let names = &mut self.program.file_names;
            let end = |line: &super::Line| {
                let len = names.at(line.file).map_or(0, <[u8]>::len);
                (line.file as usize).saturating_add(len).saturating_add(1)
            };
            let kept = code.lines.iter().map(end).max().unwrap_or(0);
            let first = gone.iter().map(|line| line.file as usize).filter(|&file| file >= kept).min();
            if let Some(first) = first {
                names.0.truncate(first);
            }
        }
        Ok(())
    }

    /// Numbers the parts of a layout anew, so that an executable can come to that place. Its own parts, which no list
    /// names, go to the end.
    fn make_room(&mut self, number: usize) {
        if self.layout == Layout::Standard(Producer::Nihstro) {
            // That one lays out a single executable; another one would not be aligned.
            self.layout = Layout::Explicit(self.items(Producer::Nihstro));
        }
        if let Layout::Explicit(items) = &mut self.layout {
            for item in items {
                if let Some(index) = executable(item) {
                    *index = index.saturating_add((*index as usize >= number).into());
                }
            }
        }
    }

    /// Takes the parts of an executable out of a layout.
    fn close_gap(&mut self, number: usize) {
        if let Layout::Explicit(items) = &mut self.layout {
            items.retain_mut(|item| executable(item).is_none_or(|index| *index as usize != number));
            for item in items {
                if let Some(index) = executable(item) {
                    *index = index.saturating_sub((*index as usize > number).into());
                }
            }
        }
    }

    /// The parts that do not lie at a multiple of 4, as they should.
    fn odd_parts(&self) -> Result<BTreeSet<Part>> {
        let file = Shbin::Linked(self.clone());
        let plan = file.plan()?;
        let mut odd = BTreeSet::new();
        file.form().parts(|part| {
            if !plan.start(part).is_multiple_of(4) && file.size(part) > 0 {
                odd.insert(part);
            }
        });
        Ok(odd)
    }

    /// Brings the parts of a layout to multiples of 4 where something in front of them has another length now; those in
    /// `odd` may lie anywhere.
    fn align(&mut self, odd: &BTreeSet<Part>) {
        let file = Shbin::Linked(self.clone());
        let items = match &self.layout {
            Layout::Explicit(items) => items.clone(),
            Layout::Standard(producer) => self.items(*producer),
        };
        let mut at = file.form().headers();
        let (mut made, mut changed) = (Vec::with_capacity(items.len()), false);
        for item in items {
            let len = match &item {
                Item::Part(part) => {
                    let anywhere = matches!(part.section, Section::Symbols | Section::FileNames);
                    let size = file.size(*part);
                    if !anywhere && size > 0 && !at.is_multiple_of(4) && !odd.contains(part) {
                        at = at.saturating_add(padding(at, 4));
                        made.push(Item::Align(4));
                        changed = true;
                    }
                    size
                }
                Item::Align(to) => padding(at, *to),
                Item::Zeros(count) => u64::from(*count),
                Item::Opaque(bytes) => bytes.len() as u64,
                Item::Loose(..) => 0,
            };
            at = at.saturating_add(len);
            made.push(item);
        }
        if changed {
            self.layout = Layout::Explicit(made);
        }
    }

    /// The steps of a producer's layout as a list.
    fn items(&self, producer: Producer) -> Vec<Item> {
        let file = Shbin::Linked(self.clone());
        let mut items = Vec::new();
        standard(producer, Shape { form: file.form(), size: &|part| file.size(part) }, |step| {
            items.push(match step {
                Step::Part(part) => Item::Part(part),
                Step::Align(to) => Item::Align(to),
                Step::Zeros(count) => Item::Zeros(count),
                Step::Opaque(bytes) => Item::Opaque(bytes.clone()),
                Step::Loose(part, offset) => Item::Loose(part, offset),
            });
            true
        });
        items
    }
}

/// The number of the executable whose part a step of a layout is.
fn executable(item: &mut Item) -> Option<&mut u32> {
    match item {
        Item::Part(part) | Item::Loose(part, _) => match &mut part.scope {
            Scope::Executable(index) => Some(index),
            Scope::Program | Scope::Object => None,
        },
        Item::Align(_) | Item::Zeros(_) | Item::Opaque(_) => None,
    }
}
