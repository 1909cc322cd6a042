//! What is wrong or odd about an archive that could be read.

use super::{ENTRY, HASH_KEY, HEADER, MOST_ENTRIES, SFAT_HEADER, SFNT_HEADER, Sarc, alignment, hash};
use crate::shared::Name;
use crate::shared::path::refused;
use std::collections::BTreeMap;
use unshade_bytes::{Diagnostic, Limits, Location, Severity};

impl Sarc<'_> {
    /// All findings, most severe first, then by place; at most [`Limits::diagnostics`] and a note that counts the
    /// others.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut check = Check { found: Vec::new(), more: 0 };
        self.check_header(&mut check);
        self.check_entries(&mut check);
        self.check_data(&mut check);
        check.finish()
    }

    fn check_header(&self, check: &mut Check) {
        let len = self.len();
        if self.size as usize != len {
            let severity = if self.size as usize > len { Severity::Error } else { Severity::Warning };
            let message = format!("expected {len:#x}, the size of the file, found {:#x}", self.size);
            check.report(severity, "sarc.size", (8, 4), "size", message);
        }
        if self.version != 0x100 {
            let message = format!("expected 0x100, found {:#x}", self.version);
            check.report(Severity::Warning, "sarc.version", (0x10, 2), "version", message);
        }
        if self.hash_key != HASH_KEY {
            let message = format!("expected {HASH_KEY:#x} as everywhere else, found {:#x}", self.hash_key);
            check.report(Severity::Note, "sarc.hash-key", (0x1c, 4), "sfat.hash_key", message);
        }
        for (value, at, path) in [
            (self.reserved, 0x12, "reserved"),
            (self.names_reserved, self.names_offset().saturating_sub(2), "sfnt.reserved"),
        ] {
            if value != 0 {
                let message = format!("expected 0, found {value:#x}");
                check.report(Severity::Note, "sarc.reserved", (at, 2), path, message);
            }
        }
        if self.entries.len() >= MOST_ENTRIES {
            let message = format!("expected fewer than {MOST_ENTRIES}, found {}", self.entries.len());
            check.report(Severity::Error, "sarc.count", (0x1a, 2), "sfat.count", message);
        }
    }

    fn check_entries(&self, check: &mut Check) {
        let mut names: BTreeMap<&[u8], usize> = BTreeMap::new();
        let mut before: Option<(u32, u8)> = None;
        for (index, entry) in self.entries.iter().enumerate() {
            let at = entry_offset(index);
            let path = format!("sfat[{index}]");
            let number = entry.number();
            match before {
                Some((hash, _)) if entry.hash < hash => {
                    let message = format!(
                        "expected hashes in rising order, found {:#010x} behind {hash:#010x}: the console does not find the file",
                        entry.hash
                    );
                    check.report(Severity::Error, "sarc.order", (at, 4), &path, message);
                }
                Some((hash, last)) if entry.hash == hash && number <= last && number != 0 => {
                    let message =
                        format!("expected a number above {last} among equal hashes, found {number}");
                    check.report(
                        Severity::Warning,
                        "sarc.collision",
                        (at.saturating_add(4), 4),
                        &path,
                        message,
                    );
                }
                _ => {}
            }
            before = Some((entry.hash, number));
            let Some(name) = self.name(entry) else { continue };
            let wanted = hash(name, self.hash_key);
            let text = || Name(name.to_vec());
            if wanted != entry.hash {
                let message = format!(
                    "expected {wanted:#010x}, the hash of `{}`, found {:#010x}: the console does not find the file",
                    text(),
                    entry.hash
                );
                check.report(Severity::Error, "sarc.hash", (at, 4), &path, message);
            }
            if number == 0 {
                let message =
                    "expected a number from 1 in the high byte of a name's place, found 0".to_owned();
                check.report(Severity::Note, "sarc.number", (at.saturating_add(4), 4), &path, message);
            }
            if let Some(first) = names.insert(name, index) {
                let message = format!("expected names that differ, found `{}` as in sfat[{first}]", text());
                check.report(Severity::Warning, "sarc.name-twice", (at.saturating_add(4), 4), &path, message);
            }
            if let Some(why) = refused(name) {
                let message = format!("expected a name that can be a path, found `{}`: {why}", text());
                check.report(Severity::Warning, "sarc.name", (at.saturating_add(4), 4), &path, message);
            }
        }
    }

    fn check_data(&self, check: &mut Check) {
        let start = self.data_offset() as u64;
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        let range = |index: usize| self.entries.get(index).map_or((0, 0), |entry| (entry.begin, entry.end));
        order.sort_by_key(|&index| range(index));
        let mut reached = (0_u32, 0_usize);
        for index in order {
            let Some(entry) = self.entries.get(index) else { continue };
            let at = start.saturating_add(entry.begin.into());
            let path = format!("sfat[{index}]");
            let gap = self.data.get(reached.0 as usize..entry.begin as usize).unwrap_or_default();
            if entry.begin < reached.0 && !entry.is_empty() {
                let message =
                    format!("expected bytes of its own, found some that sfat[{}] has too", reached.1);
                check.report(Severity::Warning, "sarc.overlap", (at, entry.len().into()), &path, message);
            } else if gap.iter().any(|&byte| byte != 0) {
                let place = start.saturating_add(reached.0.into());
                let message = format!("expected zeros in front of sfat[{index}], found other bytes");
                check.report(Severity::Note, "sarc.gap", (place, gap.len() as u64), "data", message);
            }
            let wanted = alignment(self.name(entry).unwrap_or_default(), self.file(entry), self.endian);
            if !entry.is_empty() && !at.is_multiple_of(wanted.into()) {
                let message = format!("expected a multiple of {wanted:#x}, as its kind wants, found {at:#x}");
                let bytes = (entry_offset(index).saturating_add(8), 4);
                check.report(Severity::Warning, "sarc.alignment", bytes, &path, message);
            }
            if entry.end > reached.0 {
                reached = (entry.end, index);
            }
        }
        let rest = self.data.len().saturating_sub(reached.0 as usize) as u64;
        if rest > 0 {
            let at = start.saturating_add(reached.0.into());
            let message = format!("expected the end behind the last file, found {rest} more bytes");
            check.report(Severity::Note, "sarc.trailing", (at, rest), "data", message);
        }
    }

    /// Where the names start in the file.
    pub(super) fn names_offset(&self) -> u64 {
        (self.data_offset().saturating_sub(self.names.len())) as u64
    }
}

/// Where an entry stands in the file.
fn entry_offset(index: usize) -> u64 {
    let first = HEADER.saturating_add(SFAT_HEADER);
    index.saturating_mul(ENTRY).saturating_add(first) as u64
}

const _: () = assert!(SFNT_HEADER == 8);

struct Check {
    found: Vec<Diagnostic>,
    more: usize,
}

impl Check {
    /// Adds a finding about `bytes`: offset and length.
    fn report(
        &mut self,
        severity: Severity,
        code: &'static str,
        bytes: (u64, u64),
        path: &str,
        message: String,
    ) {
        if self.found.len() >= Limits::DEFAULT.diagnostics {
            self.more = self.more.saturating_add(1);
            return;
        }
        let place = Location::Bytes(bytes.0..bytes.0.saturating_add(bytes.1));
        self.found.push(Diagnostic::new(severity, code, place, path, message));
    }

    fn finish(mut self) -> Vec<Diagnostic> {
        let place = |found: &Diagnostic| match &found.location {
            Location::Bytes(range) => range.start,
            _ => 0,
        };
        self.found.sort_by_key(|found| (std::cmp::Reverse(found.severity), place(found)));
        if self.more > 0 {
            let message = format!("{} more findings like these", self.more);
            self.found.push(Diagnostic::new(Severity::Note, "sarc.more", Location::Whole, "", message));
        }
        self.found
    }
}
