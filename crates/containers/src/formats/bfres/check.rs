//! What is odd about the table of embedded files.

use super::{Bfres, Console};
use crate::shared::path::refused;
use unshade_bytes::{Diagnostic, Limits, Location, Severity};

impl Bfres<'_> {
    /// Findings about the header and the embedded files, and a material that cannot be read, by place.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut report = |severity, code, bytes, path: String, message: String| {
            if found.len() < Limits::DEFAULT.diagnostics {
                found.push(Diagnostic::new(severity, code, Location::Bytes(bytes), path, message));
            }
        };
        let size_at = if self.console == Console::Switch { 0x1c_u64 } else { 0xc };
        let said = u64::from(self.view.u32(size_at, "file_size").unwrap_or(0));
        let len = self.bytes.len() as u64;
        if said != len {
            let message = format!("expected {len:#x}, the size of the file, found {said:#x}");
            let place = size_at..size_at.saturating_add(4);
            report(Severity::Warning, "bfres.size", place, "header.file_size".to_owned(), message);
        }
        let mut reached: Option<(u64, usize)> = None;
        let mut order: Vec<usize> = (0..self.files.len()).collect();
        order.sort_by_key(|index| self.files.get(*index).map(|file| file.offset));
        for index in order {
            let Some(file) = self.files.get(index) else { continue };
            let (path, end) = (format!("embedded[{index}]"), file.offset.saturating_add(file.len.into()));
            let place = file.record..file.record.saturating_add(8);
            match &file.name {
                None => {
                    let message = "expected a name for every embedded file, found fewer names".to_owned();
                    report(Severity::Warning, "bfres.name", place.clone(), path.clone(), message);
                }
                Some(name) => {
                    if let Some(why) = refused(name.as_bytes()) {
                        let message = format!("expected a name that can be a path, found `{name}`: {why}");
                        report(Severity::Warning, "bfres.name", place.clone(), path.clone(), message);
                    }
                }
            }
            match reached {
                Some((before, other)) if file.offset < before && file.len > 0 => {
                    let message =
                        format!("expected bytes of its own, found some that embedded[{other}] has too");
                    report(Severity::Warning, "bfres.overlap", file.offset..end, path, message);
                }
                _ => {}
            }
            if reached.is_none_or(|(before, _)| end > before) {
                reached = Some((end, index));
            }
        }
        if let Err(error) = self.models() {
            let mut diagnostic = error.diagnostic();
            diagnostic.severity = Severity::Warning;
            found.push(diagnostic);
        }
        found
    }
}
