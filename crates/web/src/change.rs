//! Questions that make a changed file.

use crate::{
    Answer, Failure, Session,
    answer::{compact, document},
    ask::{Asm, At, Edit, arguments},
};
use serde::Serialize;
use unshade::{
    Change, Diagnostic, Renaming, Rewritten, Setting,
    report::{self, EditReport},
};

pub(crate) fn names(session: &Session, json: &str) -> Answer {
    let at: At = arguments(json)?;
    let file = session.file(at.file)?;
    document(&report::names(unshade::names(file.source(), &file.place(&at.item).inner)?))
}

/// A changed file, opened.
#[derive(Serialize)]
struct Made {
    /// Its number.
    file: u32,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<EditReport>,
}

impl Session {
    fn made(&mut self, of: u32, rewritten: Rewritten, report: Option<EditReport>) -> Answer {
        let name = self.file(of)?.name.clone();
        let bytes = rewritten.bytes.len();
        let file = self.open(&name, rewritten.bytes);
        compact(&Made { file, bytes, report })
    }
}

pub(crate) fn edit(session: &mut Session, json: &str) -> Answer {
    let Edit { at, set, rename } = arguments(json)?;
    let set = set.into_iter().map(|(path, value)| Change::Set(Setting { path, value }));
    let rename = rename.into_iter().map(|(name, new)| Change::Rename(Renaming { name, new }));
    let changes: Vec<Change> = set.chain(rename).collect();
    let file = session.file(at.file)?;
    let edited = unshade::edit(file.source(), &file.place(&at.item).inner, &changes)?;
    let report = report::edit(&edited.changed);
    session.made(at.file, edited.rewritten, Some(report))
}

/// What is wrong in a text for a program.
#[derive(Serialize)]
struct Checked {
    findings: Vec<Diagnostic>,
}

pub(crate) fn asm_check(session: &Session, json: &str) -> Answer {
    let Asm { at, text } = arguments(json)?;
    let file = session.file(at.file)?;
    let programs = file.programs(&file.place(&at.item))?;
    let (_, stage) = single(&programs)?;
    let findings = unshade::assemble_for(stage, &text).err().unwrap_or_default();
    compact(&Checked { findings })
}

pub(crate) fn asm(session: &mut Session, json: &str) -> Answer {
    let Asm { at, text } = arguments(json)?;
    let file = session.file(at.file)?;
    let place = file.place(&at.item);
    let programs = file.programs(&place)?;
    let (_, stage) = single(&programs)?;
    let code = unshade::assemble_for(stage, &text).map_err(Failure::text)?;
    let opened = file.opened(&place.inner)?;
    let rewritten = unshade::replace_code(file.source(), &opened, place.item.as_deref(), &code)?;
    session.made(at.file, rewritten, None)
}

pub(crate) fn single<T>(programs: &[T]) -> Result<&T, Failure> {
    match programs {
        [only] => Ok(only),
        several => Err(Failure::new(format!("expected one program, found {}", several.len()))),
    }
}
