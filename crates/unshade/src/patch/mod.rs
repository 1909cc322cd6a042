//! Patches: what one file adds to another, and nothing of the other.
//!
//! A patch names places by path and item, and says by hashes what must stand there; bytes that the old file has already
//! are copied from it. So it holds no run of 32 bytes of the old file, and can be given to those who have that file. On
//! the very file that it was made from it gives the new one, byte for byte. On another it changes what it finds, or says
//! exactly what it does not find, and changes nothing. `docs/patch.md` describes the text.

mod apply;
mod fields;
mod holds;
mod make;
mod parts;
mod pieces;
mod text;

pub use apply::{Applied, FailedHunk, PatchError, apply, file_at};
pub use make::make;
pub use text::parse;

use twox_hash::XxHash3_64;

/// A file as patches know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    /// Its size in bytes.
    pub len: u64,
    /// XXH3-64 of its bytes.
    pub hash: u64,
}

impl Fingerprint {
    /// Of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self { len: bytes.len() as u64, hash: hash(bytes) }
    }
}

impl Fingerprint {
    fn words(&self) -> String {
        format!("{} that hash to {:016x}", counted(self.len, "byte"), self.hash)
    }
}

/// `1 byte`, `2 bytes`.
fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// What all hashes in patches are.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// A patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// The file that it was made from.
    pub from: Fingerprint,
    /// The file that it makes of it.
    pub to: Fingerprint,
    /// What changes in the files inside, one after the other.
    pub sections: Vec<Section>,
    /// What is left to be done to the whole file then.
    pub rest: Option<Rest>,
}

/// Stands for the name of what is inside of the compression that is around everything: an archive, mostly.
pub const UNPACKED: &str = "=";

/// What changes in a file in wrappers, or in the file itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The file's name behind `:`, see [`file_token`]; empty where the file needs no name, [`UNPACKED`] for what the
    /// compression around everything holds.
    pub name: String,
    /// The file that it was made from.
    pub from: Fingerprint,
    /// What it makes of it.
    pub to: Fingerprint,
    /// How.
    pub changes: Changes,
}

/// The kinds of changes to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changes {
    /// Fields get other bytes, and nothing moves.
    Fields(Vec<FieldHunk>),
    /// The file is taken apart, as `extract` does it, its parts are changed, and it is put together again.
    Parts(Vec<PartHunk>),
    /// The whole file is put together from pieces.
    Bytes(Vec<Piece>),
}

/// Bytes of a field that become others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldHunk {
    /// The field's path, see [`token`].
    pub path: String,
    /// First byte in the field.
    pub offset: u64,
    /// How many bytes.
    pub len: u64,
    /// Hash of the bytes that must stand there.
    pub old: u64,
    /// Hash of what the entry of a table that it lies in holds, of the whole file without one.
    pub entry: u64,
    /// Hash of the entry's name, where it has one.
    pub name: Option<u64>,
    /// What stands there then.
    pub new: Vec<Piece>,
    /// For people: the value as `show` prints it, on one line; quotes and control characters have a backslash.
    pub remark: Option<String>,
}

/// A part of a file that was taken apart, and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartHunk {
    /// Lines of the manifest, or of another text, are replaced.
    Lines {
        /// The part.
        part: String,
        /// Number of the first line, from 1, in the file that the patch was made from.
        line: u64,
        /// How many lines.
        count: u64,
        /// Hash of these lines.
        old: u64,
        /// Hashes of up to three lines in front of them, nearest first.
        before: Vec<u64>,
        /// Hashes of up to three lines behind them, nearest first.
        after: Vec<u64>,
        /// The lines that stand there then.
        new: Vec<Piece>,
    },
    /// A part becomes another.
    Change {
        /// The part.
        part: String,
        /// What it was.
        old: Fingerprint,
        /// What it is put together from.
        new: Vec<Piece>,
    },
    /// A part more.
    Add {
        /// The part.
        part: String,
        /// What it is put together from.
        new: Vec<Piece>,
    },
    /// A part less.
    Remove {
        /// The part.
        part: String,
        /// What it was.
        old: Fingerprint,
    },
    /// A part under another name.
    Rename {
        /// The part.
        part: String,
        /// Its name then.
        to: String,
        /// What it was.
        old: Fingerprint,
    },
}

/// What is left to be done to the whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rest {
    /// Whether only wrappers are packed in another way, so that it may be left out of a file that is not the one that the
    /// patch was made from.
    pub packing: bool,
    /// The whole file as the sections leave it.
    pub from: Fingerprint,
    /// What the new file is put together from; copies are from that file, behind its end from the old one.
    pub pieces: Vec<Piece>,
}

/// Some bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// New bytes.
    Bytes(Vec<u8>),
    /// Bytes of the old file, which are known by their place and their hash.
    Copy {
        /// First byte; behind the end of the file in question the offset goes on in the outermost file.
        from: u64,
        /// How many.
        len: u64,
        /// Their hash.
        hash: u64,
    },
}

impl Piece {
    /// How many bytes it is.
    pub fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Copy { len, .. } => *len,
        }
    }

    /// Whether it is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Longer names are cut, since they may stand in the old file.
const LONG: usize = 24;

/// A field's path as one word: what is no plain character stands as `%` and two digits, and for the end of a long name a
/// hash of all of it. What stands in brackets is one name, whatever it holds.
pub fn token(path: &str) -> String {
    let (mut token, mut name, mut depth) = (String::with_capacity(path.len()), String::new(), 0_usize);
    for c in path.chars() {
        let ends = match c {
            '[' => {
                depth += 1;
                depth == 1
            }
            ']' => {
                depth = depth.saturating_sub(1);
                depth == 0
            }
            c => c == '.' && depth == 0,
        };
        if ends {
            put(&mut token, &name);
            name.clear();
            token.push(c);
        } else {
            name.push(c);
        }
    }
    put(&mut token, &name);
    token
}

/// The name of a file, or of one in others with colons between, as one word; see [`token`].
pub fn file_token(name: &str) -> String {
    let mut token = String::with_capacity(name.len());
    for (at, name) in name.split(':').enumerate() {
        if at > 0 {
            token.push(':');
        }
        put(&mut token, name);
    }
    token
}

fn put(token: &mut String, name: &str) {
    let mut end = name.len();
    if end > LONG {
        end = (0..=LONG / 2).rev().find(|&at| name.is_char_boundary(at)).unwrap_or_default();
    }
    for byte in name.as_bytes().iter().take(end) {
        match byte {
            b'!'..=b'~' if !matches!(byte, b'%' | b'#' | b'~') => token.push(char::from(*byte)),
            _ => token.push_str(&format!("%{byte:02x}")),
        }
    }
    if end < name.len() {
        token.push_str(&format!("~{:016x}", hash(name.as_bytes())));
    }
}

#[cfg(test)]
mod tests {
    use super::token;

    #[test]
    fn tokens_are_words() {
        assert_eq!(token("dvle[0].outputs[1].semantic"), "dvle[0].outputs[1].semantic");
        assert_eq!(token("a b%c"), "a%20b%25c");
        let long = token("models[a_name.that_is[0].much_longer].x");
        assert!(long.starts_with("models[a_name.that_~") && long.ends_with("].x"), "{long}");
        assert!(!long.contains("longer"));
        assert_eq!(super::file_token("a/b.szs:x y"), "a/b.szs:x%20y");
        assert!(token("ööööööööööööööööööööö").starts_with("%c3%b6"));
    }
}
