//! What a stranger's file may cost: named limits, and a budget of work that every visit is charged to.

use crate::{Error, ErrorKind, Result};
use alloc::format;

/// Limits of reading. The default holds for every command and every door; a caller may raise them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that reading one file may take, unpacked: 512 MiB.
    pub bytes: u64,
    /// How deep wrappers, trees and calls may nest.
    pub depth: u32,
    /// Bytes of a name that are looked at; the rest of a longer one stays in its table.
    pub name: usize,
    /// Findings that one check reports before it only counts.
    pub diagnostics: usize,
}

impl Limits {
    /// The default limits, usable in constants.
    pub const DEFAULT: Self = Self { bytes: 512 << 20, depth: 64, name: 256, diagnostics: 1000 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Work that may still be done for one file.
///
/// Formats made of offsets let many pointers name one big array. Each byte is charged each time something
/// claims it, so the cost of reading stays proportional to the file however its pointers are arranged.
#[derive(Debug, Clone)]
pub struct Budget {
    left: u64,
    total: u64,
}

impl Budget {
    /// A budget of `total` units (bytes, mostly).
    pub fn new(total: u64) -> Self {
        Self { left: total, total }
    }

    /// What is left of it.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Takes `work` units for `what` at `offset` of the file.
    ///
    /// # Errors
    /// [`ErrorKind::LimitExceeded`] when less is left; the budget then counts as spent.
    #[inline]
    pub fn charge(&mut self, work: u64, offset: u64, what: &'static str) -> Result<()> {
        match self.left.checked_sub(work) {
            Some(left) => {
                crate::meter::charge(work);
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(self.spent(work, offset, what))
            }
        }
    }

    #[cold]
    fn spent(&self, work: u64, offset: u64, what: &'static str) -> Error {
        Error::new(
            ErrorKind::LimitExceeded,
            offset,
            what,
            format!("tables that claim at most {} bytes together", self.total),
            format!("{work} more"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_ends() {
        let mut budget = Budget::new(10);
        assert_eq!(budget.left(), 10);
        assert!(budget.charge(6, 0, "a").is_ok());
        assert_eq!(budget.left(), 4);
        assert!(budget.charge(4, 0, "b").is_ok());
        assert!(budget.charge(0, 0, "c").is_ok());
        let error = budget.charge(1, 0x20, "d").unwrap_err();
        assert_eq!((error.kind, error.offset), (ErrorKind::LimitExceeded, 0x20));
        let mut budget = Budget::new(10);
        assert!(budget.charge(11, 0, "e").is_err() && budget.charge(1, 0, "f").is_err());
    }
}
