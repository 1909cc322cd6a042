//! What is wrong with a cache that could be read.

use super::model::Citra;
use super::raw::VERTEX;
use super::read::entry;
use crate::shared::findings::Findings;
use unshade_bytes::{Diagnostic, Endian, Error, Reader, Under};

impl Citra {
    /// All findings, most severe first, then by place.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut found = Findings::default();
        for (index, (at, entry)) in self.placed().enumerate() {
            if entry.header.program_type != VERTEX {
                continue;
            }
            let (words, _) = entry.program();
            if entry.entry_point() as usize >= words.len() {
                let path = format!("entries[{index}].registers.vsh_entrypoint");
                let at = at.saturating_add(24).saturating_add(0x2BA * 4);
                found.error("citra.entry-point", (at, 4), &path, || {
                    format!(
                        "expected a word of the program below {}, found {}",
                        words.len(),
                        entry.entry_point()
                    )
                });
            }
        }
        if let Some(error) = self.rest_error() {
            found.take((vec![error.diagnostic()], 0));
        }
        found.finish("citra.more")
    }

    /// Why what is behind the last entry is none; `None` where nothing is there.
    pub(super) fn rest_error(&self) -> Option<Error> {
        if self.rest.is_empty() {
            return None;
        }
        let at = self.entries.iter().map(super::Entry::len).fold(4, u64::saturating_add);
        let mut reader = Reader::with_base(&self.rest, at, Endian::Little);
        let path = format!("entries[{}]", self.entries.len());
        let mut error = entry(&mut reader).under(|| path.as_str()).err()?;
        error.found = format!(
            "{}; whole entries before it: {}, bytes that are not read: {} from {at:#x} on",
            error.found,
            self.entries.len(),
            self.rest.len()
        )
        .into();
        Some(error)
    }
}
