//! What is wrong with an archive that could be read. The code is not looked at, but for its size and place.

mod binary;
mod program;
mod usage;

use super::model::{Array, Record, Sharcfb};
use super::raw::{self, HEADER};
use crate::Strings;
use crate::gx2::findings::{Findings, inside};
use crate::opaque::escape;
use unshade_bytes::{Diagnostic, Limits};

impl Sharcfb {
    /// All findings, most severe first, then by place; at most [`Limits::diagnostics`] and a note that counts
    /// the others.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut check = Check { found: Findings::default(), file: self, programs_at: Vec::new() };
        check.header();
        let mut at = self.first_binary().saturating_sub(8);
        match &self.binaries {
            Some(binaries) => {
                check.array(binaries, "binaries", at);
                at = check.binaries(at.saturating_add(8));
                at = at.saturating_add(binaries.stray.len() as u64);
            }
            None => check.missing("binaries", at),
        }
        match &self.programs {
            Some(programs) => {
                check.array(programs, "programs", at);
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

struct Check<'m> {
    found: Findings,
    file: &'m Sharcfb,
    /// Offset of each program's record.
    programs_at: Vec<u64>,
}

impl<'m> Check<'m> {
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
        if file.resolved != 0 {
            self.found.warning("sharcfb.resolved", (16, 4), "resolved", || {
                format!(
                    "expected 0, found {:#x}: the console believes that it was loaded already",
                    file.resolved
                )
            });
        }
        self.string(&file.name, HEADER as u64, "name");
    }

    fn missing(&mut self, name: &str, at: u64) {
        self.found.error("sharcfb.truncated", (at, 0), "", || {
            format!("expected size and count of the {name}, found the end of the file")
        });
    }

    /// Size, count and what is left of an array at `at`, and the records that were not understood.
    fn array<T>(&mut self, array: &Array<Record<T>>, path: &str, at: u64) {
        if let Some(size) = array.size {
            self.found.error("sharcfb.array-size", (at, 4), &inside(path, "size"), || {
                format!("expected 8 and the size of the records within the parent, found {size}")
            });
        }
        if let Some(count) = array.count {
            let records = array.items.len();
            self.found.error("sharcfb.count", (at.saturating_add(4), 4), &inside(path, "count"), || {
                format!("expected {records}, the number of records that fit, found {count}")
            });
        }
        if !array.stray.is_empty() {
            let len = array.stray.len();
            self.found.error("sharcfb.stray", (at, 8), &inside(path, "stray"), || {
                format!("expected records up to the end of the array, found {len} bytes that are none")
            });
        }
    }

    fn damaged(&mut self, bytes: &[u8], at: u64, path: &str, expected: &str) {
        let len = bytes.len();
        self.found.error("sharcfb.damaged", (at, (len as u64).saturating_add(4)), path, || {
            format!("expected {expected} inside of the record, found sizes that do not fit in {len} bytes")
        });
    }

    /// A string with its length.
    fn string(&mut self, text: &Strings, at: u64, path: &str) {
        let bytes = &text.0;
        let place = (at, bytes.len() as u64);
        match bytes.iter().position(|&byte| byte == 0) {
            None => self.found.error("sharcfb.string", place, path, || {
                format!("expected a NUL among {} bytes, found none", bytes.len())
            }),
            Some(nul) if nul.saturating_add(1) < bytes.len() => {
                self.found.warning("sharcfb.string-length", place, path, || {
                    format!("expected the NUL at the end of {} bytes, found it at {nul}", bytes.len())
                });
            }
            Some(_) => {}
        }
    }
}

/// A name for people.
fn shown(bytes: &[u8]) -> String {
    let text = raw::text(bytes);
    escape(text.get(..Limits::DEFAULT.name).unwrap_or(text))
}
