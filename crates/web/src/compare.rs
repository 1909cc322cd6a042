//! Questions about two places.

use crate::{
    Answer, Failure, Session,
    answer::{compact, document},
    ask::{At, Two, arguments},
};
use serde::Serialize;
use unshade::{
    ListingOptions,
    diff::{Place, RowKind, align_listings},
    disassemble_stage,
    report::DiffReport,
};

pub(crate) fn diff(session: &Session, json: &str) -> Answer {
    let Two { old, new } = arguments(json)?;
    let (before, after) = (session.file(old.file)?, session.file(new.file)?);
    let (from, to) = (before.place(&old.item), after.place(&new.item));
    let difference = unshade::diff(
        &Place { source: before.source(), names: &from.inner, item: from.item.as_deref() },
        &Place { source: after.source(), names: &to.inner, item: to.item.as_deref() },
    )
    .map_err(|found| Failure::from(found.error))?;
    let name = |name: &str, at: &At| format!("{name}{}", at.item);
    document(&DiffReport::new(name(&before.name, &old), name(&after.name, &new), difference))
}

/// The listings of two programs, line beside line.
#[derive(Serialize)]
struct Aligned {
    old: String,
    new: String,
    /// Kind, line of the old listing, line of the new one.
    rows: Vec<(RowKind, Option<usize>, Option<usize>)>,
    rough: bool,
}

pub(crate) fn rows(session: &Session, json: &str) -> Answer {
    let Two { old, new } = arguments(json)?;
    let listing = |at: &At| {
        let file = session.file(at.file)?;
        let programs = file.programs(&file.place(&at.item))?;
        match programs.as_slice() {
            [(_, stage)] => Ok(disassemble_stage(stage, &ListingOptions::default())),
            several => Err(Failure::new(format!("expected one program, found {}", several.len()))),
        }
    };
    let (old, new) = (listing(&old)?, listing(&new)?);
    let found = align_listings(&old, &new);
    compact(&Aligned {
        old: old.text().to_owned(),
        new: new.text().to_owned(),
        rows: found.rows.iter().map(|row| (row.kind, row.old, row.new)).collect(),
        rough: found.rough,
    })
}
