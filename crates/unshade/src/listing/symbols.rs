//! Names in a listing, and the string table that they make.

use std::collections::HashMap;
use unshade_containers::{Strings, opaque};

/// Longest name that a listing spells out where it is mentioned; a longer one is only an offset there, so
/// that many mentions of one long string cost no more than their number.
const LONGEST: usize = 255;

/// How a listing makes a string table from the names that it mentions.
///
/// Without a `.symbols` directive each name is added at the end as it is mentioned. With one the table is
/// given, and a name stands for the first string that equals it; only a new one is added.
#[derive(Debug, Clone, Default)]
pub(super) struct SymbolRule {
    table: Vec<u8>,
    /// First place of each whole string of a given table.
    places: Option<HashMap<Vec<u8>, u32>>,
}

impl SymbolRule {
    /// A table that is given.
    pub fn given(table: Vec<u8>) -> Self {
        let mut places = HashMap::new();
        let mut at = 0u32;
        for string in table.split_inclusive(|&byte| byte == 0) {
            if let Some(name) = string.strip_suffix(&[0]).filter(|name| name.len() <= LONGEST) {
                places.entry(name.to_vec()).or_insert(at);
            }
            at = at.saturating_add(u32::try_from(string.len()).unwrap_or(u32::MAX));
        }
        Self { table, places: Some(places) }
    }

    /// Whether the table is given.
    pub fn is_given(&self) -> bool {
        self.places.is_some()
    }

    /// The offset of a name in a given table.
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        self.places.as_ref()?.get(name).copied()
    }

    /// The offset that mentioning `name` gives.
    pub fn mention(&mut self, name: &[u8]) -> u32 {
        if let Some(at) = self.find(name) {
            return at;
        }
        if self.is_given() && self.table.last().is_some_and(|&last| last != 0) {
            self.table.push(0);
        }
        let at = u32::try_from(self.table.len()).unwrap_or(u32::MAX);
        self.table.extend_from_slice(name);
        self.table.push(0);
        if let Some(places) = &mut self.places {
            places.insert(name.to_vec(), at);
        }
        at
    }

    /// The table with everything mentioned.
    pub fn into_table(self) -> Strings {
        Strings(self.table)
    }

    /// Whether mentioning these offsets of `table` in this order, and nothing else, makes `table`.
    pub fn makes(table: &Strings, offsets: impl Iterator<Item = u32>) -> bool {
        let mut next = 0;
        for offset in offsets {
            if offset as usize != next {
                return false;
            }
            let Some(name) = name_at(table, offset) else { return false };
            next += name.len() + 1;
        }
        next == table.0.len()
    }
}

/// The name at an offset, if it is one that a listing spells out.
pub(super) fn name_at(table: &Strings, offset: u32) -> Option<&[u8]> {
    let rest = table.0.get(offset as usize..)?;
    let near = rest.get(..=LONGEST).unwrap_or(rest);
    near.get(..near.iter().position(|&byte| byte == 0)?)
}

/// Whether a name can stand without quotes.
fn is_bare(name: &[u8]) -> bool {
    let plain = |&b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$');
    name.first().is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'$'))
        && name.iter().all(plain)
}

/// A name as a listing writes it: bare, or in quotes with everything escaped that would end a statement.
pub(super) fn written(name: &[u8]) -> String {
    if is_bare(name) {
        return String::from_utf8_lossy(name).into_owned();
    }
    quoted(name)
}

/// Bytes in quotes.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for character in opaque::escape(bytes).chars() {
        match character {
            // What the text layer would take for a comment, a label, a suffix, an end or a divider.
            ';' | ':' | '@' | '"' | ' ' | ',' => text.push_str(&format!("\\x{:02x}", u32::from(character))),
            // Line breaks and blanks of other scripts too.
            c if c.is_whitespace() || c.is_control() => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    text.push_str(&format!("\\x{byte:02x}"));
                }
            }
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

/// The bytes of a name, bare or in quotes; `None` where it is neither.
pub(super) fn bytes_of(text: &str) -> Option<Vec<u8>> {
    match text.strip_prefix('"') {
        Some(rest) => opaque::unescape(rest.strip_suffix('"')?),
        None => is_bare(text.as_bytes()).then(|| text.as_bytes().to_vec()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_string_comes_back() {
        let all: Vec<u8> = (0..=255).collect();
        for name in [&all[..], b"", b"light.pos", b"a b", b"9", b"\"", "m\u{e4}\u{2028}".as_bytes()] {
            let text = written(name);
            assert!(!text.contains([' ', ';', ':', '@', '\n', ',']), "{text}");
            assert_eq!(bytes_of(&text).as_deref(), Some(name));
        }
        assert_eq!(written(b"light.pos"), "light.pos");
        assert_eq!((bytes_of("\"a"), bytes_of("a b"), bytes_of("")), (None, None, None));
    }

    #[test]
    fn the_rule_makes_the_usual_table() {
        let table = Strings(b"a\0bc\0".to_vec());
        assert!(SymbolRule::makes(&table, [0, 2].into_iter()));
        assert!(!SymbolRule::makes(&table, [2, 0].into_iter()));
        assert!(!SymbolRule::makes(&table, [0].into_iter()));
        assert!(!SymbolRule::makes(&table, [0, 2, 2].into_iter()));
    }
}
