//! What is wrong with a container that could be read. The instructions are not looked at.

use super::model::Mbs;
use unshade_bytes::{Diagnostic, Location, Severity};

impl Mbs {
    /// All findings, most severe first, then by place.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        if self.size.is_some() {
            found.push(Diagnostic::new(
                Severity::Error,
                "mbs.size",
                Location::Bytes(4..8),
                "size",
                "cut off",
            ));
        }
        found
    }
}
