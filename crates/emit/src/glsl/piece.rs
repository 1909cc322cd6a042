//! Pieces of a text: one for each thing that is declared in front of the functions, so that several stages can have
//! one of it.

use super::Printer;
use super::expression::Printed;

/// What is declared together; the order is that of the text of one stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    Extension,
    Precision,
    Primitives,
    Block,
    Loose,
    Memory,
    Sampler,
    Image,
    Input,
    Output,
    /// What is said of outputs that the language declares itself.
    BuiltIn,
    Constant,
    Private,
    Emit,
    Helper,
}

impl Group {
    /// Whether each piece has a blank line in front of it.
    fn is_apart(self) -> bool {
        matches!(self, Self::Block | Self::Memory | Self::Emit | Self::Helper)
    }

    /// Whether stages that have the same piece can have one of it.
    pub fn can_be_shared(self) -> bool {
        matches!(
            self,
            Self::Extension
                | Self::Precision
                | Self::Block
                | Self::Loose
                | Self::Memory
                | Self::Sampler
                | Self::Image
                | Self::Constant
                | Self::Helper
        )
    }

    /// Whether it stands in front of everything.
    pub fn is_first(self) -> bool {
        matches!(self, Self::Extension | Self::Precision)
    }
}

/// A declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub group: Group,
    /// Whole lines.
    pub text: String,
    /// The same with precisions that are the default written out.
    pub explicit: String,
    /// The parts of something that goes from one stage to the next.
    pub passed: Option<Passed>,
}

/// The declaration of something that goes from one stage to the next, `in` and `out` aside.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Passed {
    /// Index of the global.
    pub index: usize,
    /// `layout(location = 0) `.
    pub layout: String,
    /// `flat `: words on how it is interpolated.
    pub interpolation: String,
    pub precise: bool,
    pub patch: bool,
    /// `vec3 vNormal`, up to the semicolon.
    pub rest: String,
    /// Its name.
    pub name: String,
}

impl Passed {
    /// The declaration with a storage qualifier.
    pub fn text(&self, keyword: &str) -> String {
        let Self { layout, interpolation, rest, .. } = self;
        let precise = if self.precise { "precise " } else { "" };
        let patch = if self.patch { "patch " } else { "" };
        format!("{layout}{interpolation}{precise}{patch}{keyword} {rest};\n")
    }
}

/// Prints pieces one below the other, with blank lines between groups; `below`: something stands above.
pub(super) fn list<'p>(out: &mut String, pieces: impl IntoIterator<Item = &'p Piece>, below: bool) {
    let mut last = None;
    for piece in pieces {
        let first = last.is_none() && !below;
        if !first && (last != Some(piece.group) || piece.group.is_apart()) {
            out.push('\n');
        }
        out.push_str(&piece.text);
        last = Some(piece.group);
    }
}

impl Printer<'_> {
    /// Makes a piece of what is printed.
    pub(super) fn piece(&mut self, group: Group, print: impl FnOnce(&mut Self) -> Printed) -> Printed {
        let start = self.out.len();
        self.line_start = start;
        print(self)?;
        let text = self.out.split_off(start);
        let text = text.trim_start_matches('\n');
        if !text.is_empty() {
            let text = text.to_owned();
            self.pieces.push(Piece { group, explicit: text.clone(), text, passed: None });
        }
        Ok(())
    }
}
