//! What is wrong with an archive that could be read. The code is not looked at, but for its size and place.

mod binary;
mod program;
mod usage;

use super::model::Sharcfb;
use super::raw::{HEADER, LAST_VERSION, VERSION};
use crate::formats::agl::check::{Codes, Records, codes};
use crate::shared::findings::Findings;
use unshade_bytes::Diagnostic;

impl Sharcfb {
    /// All findings, most severe first, then by place; at most [`unshade_bytes::Limits::diagnostics`] and a note that
    /// counts the others.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut check = Check { found: Findings::default(), file: self, programs_at: Vec::new() };
        check.header();
        let mut at = self.first_binary().saturating_sub(8);
        match &self.binaries {
            Some(binaries) => {
                check.records().array(binaries, "binaries", at);
                at = check.binaries(at.saturating_add(8));
                at = at.saturating_add(binaries.stray.len() as u64);
            }
            None => check.missing("binaries", at),
        }
        match &self.programs {
            Some(programs) => {
                check.records().array(programs, "programs", at);
                at = check.programs(at.saturating_add(8));
                at = at.saturating_add(programs.stray.len() as u64);
            }
            None if self.binaries.is_some() => check.missing("programs", at),
            None => {}
        }
        if !self.trailing.is_empty() {
            let len = self.trailing.len() as u64;
            check.found.warning("sharcfb.trailing", (at, len), "trailing", || {
                format!("expected the end of the file behind the programs, found {len} more bytes")
            });
        }
        check.usage();
        check.found.finish("sharcfb.more")
    }
}

/// What findings about shared records are called here.
const CODES: Codes = codes!("sharcfb");

struct Check<'m> {
    found: Findings,
    file: &'m Sharcfb,
    /// Offset of each program's record.
    programs_at: Vec<u64>,
}

impl Check<'_> {
    fn records(&mut self) -> Records<'_> {
        Records { found: &mut self.found, codes: &CODES }
    }

    fn header(&mut self) {
        let file = self.file;
        if let Some(word) = file.endian_word {
            self.found.error("sharcfb.endian", (12, 4), "endian", || {
                let expected = if word == 0 { 1 } else { 0 };
                let order = file.endian.name();
                format!("expected {expected} in a {order}-endian file, found {word:#x}: the console mistakes the order")
            });
        }
        if let Some(size) = file.file_size {
            self.found.error("sharcfb.file-size", (8, 4), "file_size", || {
                format!("expected the size of the file, found {size}")
            });
        }
        if !(VERSION..=LAST_VERSION).contains(&file.version) {
            self.found.warning("sharcfb.version", (4, 4), "version", || {
                let near = file.version.clamp(VERSION, LAST_VERSION);
                format!(
                    "expected version {VERSION} or {LAST_VERSION}, found {}, which is read as version {near}: every size adds up",
                    file.version
                )
            });
        }
        if file.resolved != 0 {
            self.found.warning("sharcfb.resolved", (16, 4), "resolved", || {
                format!(
                    "expected 0, found {:#x}: the console believes that it was loaded already",
                    file.resolved
                )
            });
        }
        self.records().string(&file.name, HEADER as u64, "name");
    }

    fn missing(&mut self, name: &str, at: u64) {
        self.found.error("sharcfb.truncated", (at, 0), "", || {
            format!("expected size and count of the {name}, found the end of the file")
        });
    }
}
