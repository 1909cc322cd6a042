//! What a text is a listing of: its first statement says so.

use std::{fmt, ops::Range};
use unshade_isa::assembly::lexer::{Lines, Statement};

/// What a listing holds, by its first statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListingKind<'t> {
    /// `.container FORMAT`: a whole file.
    Container(&'t str),
    /// `.archive FORMAT`: the programs of a container, whose other parts the text does not hold.
    Archive(&'t str),
    /// `.files`: listings of several containers that lie in one file.
    Files,
    /// `.isa NAME`: the code of one program.
    Code(&'t str),
}

impl<'t> ListingKind<'t> {
    /// What the text says that it is a listing of; `None` where it says nothing, as source for picasso does.
    pub fn of(text: &'t str) -> Option<Self> {
        Self::with_place(text).map(|(kind, _)| kind)
    }

    /// The same with the place of that statement in the text.
    pub fn with_place(text: &'t str) -> Option<(Self, Range<usize>)> {
        let line = Lines::new(text)
            .find(|line| !matches!(line.statement(), Statement::None | Statement::Marker(_)))?;
        let Statement::Directive { name, mut arguments, .. } = line.statement() else { return None };
        let mut word = || arguments.blank().map_or("", |word| word.text);
        let kind = if name.is("container") {
            Self::Container(word())
        } else if name.is("archive") {
            Self::Archive(word())
        } else if name.is("files") {
            Self::Files
        } else if name.is("isa") {
            Self::Code(word())
        } else {
            return None;
        };
        Some((kind, line.body.span()))
    }

    /// Whether programs of a container that is there are all that the text holds, so that it goes into that container
    /// and makes no file of its own.
    pub fn goes_into(self) -> bool {
        matches!(self, Self::Archive(_) | Self::Files)
    }
}

impl fmt::Display for ListingKind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Container(format) => write!(f, "a listing of a whole file ({format})"),
            Self::Archive(format) => write!(f, "a listing of the programs of a file ({format})"),
            Self::Files => f.write_str("a listing of several files"),
            Self::Code(isa) => write!(f, "a listing of the code of one program ({isa})"),
        }
    }
}

/// Whether the text is a listing of a file: its first statement is `.container`.
pub fn is_container_listing(text: &str) -> bool {
    matches!(ListingKind::of(text), Some(ListingKind::Container(_)))
}

/// Whether the text is a listing of an archive: its first statement is `.archive`.
pub fn is_archive_listing(text: &str) -> bool {
    matches!(ListingKind::of(text), Some(ListingKind::Archive(_)))
}

#[cfg(test)]
mod tests {
    use super::ListingKind;

    #[test]
    fn the_first_statement_tells() {
        for (text, kind) in [
            ("; a\n\n.container  gfd @gpu=2\n", Some(ListingKind::Container("gfd"))),
            ("# 1 \"a\"\n.ARCHIVE bnsh ; b", Some(ListingKind::Archive("bnsh"))),
            (".files\n.inside \"a\"", Some(ListingKind::Files)),
            (".isa latte\n.container gfd", Some(ListingKind::Code("latte"))),
            (".container", Some(ListingKind::Container(""))),
            ("mov r0, v0\n.isa pica200", None),
            (".proc main", None),
            ("", None),
        ] {
            assert_eq!(ListingKind::of(text), kind, "{text}");
        }
        assert!(ListingKind::Files.goes_into() && !ListingKind::Code("latte").goes_into());
    }
}
