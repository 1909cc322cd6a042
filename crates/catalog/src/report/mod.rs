//! A report about catalogs: one HTML page with charts, which needs nothing but itself and runs no script.
//!
//! [`Tally`] counts what the rows say, [`families`] puts programs together that look alike, `treemap` divides a rectangle
//! by how much lies in which folder, `charts` draws, and `page` puts the drawings together.

mod charts;
mod families;
mod page;
mod svg;
mod tally;
mod treemap;

pub use families::{Family, families};
pub use svg::{Escaped, escape};
pub use tally::{Program, Tally};

use crate::{catalog::Catalog, scan};

/// A page, and what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The page.
    pub html: String,
    /// Programs that the catalogs tell of.
    pub programs: u64,
    /// How many of them are distinct.
    pub distinct: u64,
    /// Files that they are in.
    pub files: u64,
}

/// The page about catalogs. `title` stands at its head. The same catalogs give the same page.
///
/// # Errors
/// Where a catalog cannot be read.
pub fn report(title: &str, catalogs: &[Catalog]) -> Result<Page, scan::Error> {
    let mut tally = Tally::default();
    for catalog in catalogs {
        for row in catalog.rows()? {
            tally.row(row.map_err(catalog.fault())?);
        }
        tally.end_of_catalog();
    }
    Ok(Page {
        html: page::page(title, &tally),
        programs: tally.stages,
        distinct: tally.programs.len() as u64,
        files: tally.files,
    })
}
