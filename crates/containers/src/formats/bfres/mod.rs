//! BFRES (`.bfres`, `.sbfres`): models with whatever was embedded in them, of the Switch and the Wii U.
//!
//! Two parts of it concern shaders: the files that are embedded in it, among them shader archives, and what its
//! materials say about the shaders they want. Everything else is kept as it is and not looked at.

mod check;
mod edit;
mod embedded;
#[cfg(feature = "manifest")]
pub(crate) mod manifest;
pub mod material;
pub mod select;
mod switch;
mod tree;
mod view;
mod wiiu;

pub use edit::Replaced;
pub use embedded::{Embedded, read};
pub use material::{Material, Model, OptionValue, RenderState, Shape};

use crate::shared::Name;
use unshade_bytes::Endian;
use view::{Pointers, View};

/// First bytes of a file; the Switch's has four spaces behind them, the Wii U's the version.
pub const MAGIC: [u8; 4] = *b"FRES";

/// Versions of the Switch whose layout is known.
pub const SWITCH: std::ops::RangeInclusive<u16> = 3..=10;

/// Versions of the Wii U whose layout is known.
pub const WIIU: std::ops::RangeInclusive<u8> = 3..=4;

/// Which console a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Console {
    /// Nintendo Switch.
    Switch,
    /// Wii U.
    WiiU,
}

impl Console {
    /// `Nintendo Switch`, `Wii U`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Switch => "Nintendo Switch",
            Self::WiiU => "Wii U",
        }
    }
}

/// A BFRES over its bytes, of which the header and the list of embedded files were read.
#[derive(Debug)]
pub struct Bfres<'a> {
    /// The whole file.
    pub bytes: &'a [u8],
    /// Which console it is for.
    pub console: Console,
    /// Order of the bytes of its numbers.
    pub endian: Endian,
    /// The numbers of its version, the first one first.
    pub version: Vec<u16>,
    /// Its name.
    pub name: String,
    /// The files that are embedded in it, in the order of their table.
    pub files: Vec<Embedded>,
    view: View<'a>,
}

/// Whether the bytes start like a file of a version that is read.
pub fn is_read(bytes: &[u8]) -> bool {
    let Some(([magic, version, _, mark], _)) = bytes
        .split_first_chunk::<16>()
        .map(|(head, rest)| (head.as_chunks::<4>().0, rest))
        .and_then(|(head, rest)| head.first_chunk::<4>().map(|head| (head, rest)))
    else {
        return false;
    };
    if *magic != MAGIC {
        return false;
    }
    match version {
        b"    " => {
            let little = mark.starts_with(&[0xff, 0xfe]);
            let number = bytes.get(8..12).unwrap_or_default();
            let major = match (number, little) {
                ([_, _, low, high], true) => u16::from_le_bytes([*low, *high]),
                ([high, low, ..], false) => u16::from_be_bytes([*high, *low]),
                _ => 0,
            };
            SWITCH.contains(&major)
        }
        [major, ..] => WIIU.contains(major),
    }
}

impl Bfres<'_> {
    /// What it is, in a few words.
    pub fn describe(&self) -> String {
        let version: Vec<_> = self.version.iter().map(u16::to_string).collect();
        let files = self.files.len();
        let plural = if files == 1 { "" } else { "s" };
        format!(
            "BFRES {} of the {} with {files} embedded file{plural}, {}-endian",
            version.join("."),
            self.console.name(),
            self.endian.name()
        )
    }

    /// What all embedded files are called in paths: their names; where a name was there before, or is empty, the
    /// number of the file instead.
    pub fn labels(&self) -> Vec<String> {
        let mut seen = std::collections::BTreeSet::new();
        let label = |(index, file): (usize, &Embedded)| {
            let label = file.name.as_ref().map(|name| Name(name.clone().into_bytes()).to_string());
            match label {
                Some(label) if !label.is_empty() && seen.insert(label.clone()) => label,
                _ => index.to_string(),
            }
        };
        self.files.iter().enumerate().map(label).collect()
    }

    /// The bytes of an embedded file.
    pub fn file(&self, index: usize) -> &[u8] {
        self.files.get(index).and_then(|file| self.bytes.get(file.range())).unwrap_or_default()
    }

    /// The models with their materials and shapes.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::Truncated`] where a table leads out of the file,
    /// [`unshade_bytes::ErrorKind::BadMagic`] where one leads to something else, and
    /// [`unshade_bytes::ErrorKind::LimitExceeded`] where many lead to the same long one.
    pub fn models(&self) -> unshade_bytes::Result<Vec<Model>> {
        match self.console {
            Console::Switch => switch::models(&self.view, self.version.first().copied().unwrap_or(0)),
            Console::WiiU => wiiu::models(&self.view),
        }
    }
}
