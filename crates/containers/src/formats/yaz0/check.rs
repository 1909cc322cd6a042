//! What is odd about a Yaz0 file that could be read.

use super::{HEADER, Yaz0};
use unshade_bytes::{Diagnostic, Location, Severity};

impl Yaz0<'_> {
    /// All findings, by place. What a decoder would stumble over is no finding: it does not read.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut report = |severity, code, bytes, path: &str, message: String| {
            found.push(Diagnostic::new(severity, code, Location::Bytes(bytes), path, message));
        };
        if self.alignment != 0 && !self.alignment.is_power_of_two() {
            let message = format!("expected 0 or a power of two, found {:#x}", self.alignment);
            report(Severity::Warning, "yaz0.alignment", 8..12, "alignment", message);
        }
        if self.reserved != 0 {
            let message = format!("expected 0, found {:#x}", self.reserved);
            report(Severity::Note, "yaz0.reserved", 12..16, "reserved", message);
        }
        if !self.tail.is_empty() {
            let start = HEADER.saturating_add(self.stream.len()) as u64;
            let end = start.saturating_add(self.tail.len() as u64);
            let zeros = self.tail.iter().all(|&byte| byte == 0) && self.tail.len() < 32;
            let severity = if zeros { Severity::Note } else { Severity::Warning };
            let message = format!("expected the end of the file, found {} more bytes", self.tail.len());
            report(severity, "yaz0.trailing", start..end, "tail", message);
        }
        found
    }
}
