//! What is wrong with a file.

use crate::{
    error::Kept,
    file::{File, Origin},
};
use unshade::{Diagnostic, Source, report};

/// How bad a finding is.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Worth knowing, nothing is wrong.
    Note = 0,
    /// Legal, but probably not what was meant, or known to upset some loader.
    Warning = 1,
    /// A loader or the hardware will reject or misread it.
    Error = 2,
}

impl Severity {
    pub(crate) fn of(severity: unshade::Severity) -> Self {
        match severity {
            unshade::Severity::Note => Self::Note,
            unshade::Severity::Warning => Self::Warning,
            unshade::Severity::Error => Self::Error,
        }
    }
}

/// What an offset counts.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Nothing: it is about the whole file, or an argument.
    None = 0,
    /// Bytes from the start of the file; of one in an archive, from the start of that file.
    Bytes = 1,
    /// Bytes of a text that was given.
    Text = 2,
    /// Words of 32 bits from the start of the code.
    Words = 3,
}

/// The findings of a check, most severe first, then by place.
#[derive(Debug)]
pub struct Findings(Vec<Kept>);

impl Findings {
    pub(crate) fn of(file: &File) -> Self {
        let found: Vec<Diagnostic> = match &file.origin {
            Origin::File { bytes, dictionaries, place } => {
                let source = Source { bytes, dictionaries: dictionaries.as_ref() };
                report::check(source, &place.inner, place.item.as_deref()).diagnostics
            }
            Origin::Code => {
                let mut found: Vec<_> =
                    file.programs.iter().flat_map(|program| report::lint(&program.stage)).collect();
                found.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
                found
            }
        };
        Self(found.into_iter().map(Kept::new).collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Kept> {
        self.0.get(index)
    }
}
