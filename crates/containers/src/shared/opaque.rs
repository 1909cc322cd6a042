//! Bytes that are kept without being understood, and strings as files hold them.

use std::fmt;

/// Bytes that are kept exactly and not understood. In JSON and manifests: hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Default, Hash)]
pub struct Opaque(pub Vec<u8>);

impl Opaque {
    /// As hexadecimal digits, two a byte.
    pub fn to_hex(&self) -> String {
        to_hex(&self.0)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl std::ops::Deref for Opaque {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opaque({})", self.to_hex())
    }
}

impl From<Vec<u8>> for Opaque {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

/// Hexadecimal digits of `bytes`, two a byte, lower case.
pub fn to_hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().saturating_mul(2));
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(digit.into(), 16).unwrap_or('0'));
        }
    }
    text
}

/// The bytes that `text` spells in hexadecimal digits; white space between bytes is passed over. `None`
/// where it holds something else or ends in the middle of a byte.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.chars().filter(|character| !character.is_ascii_whitespace()).map(|c| c.to_digit(16));
    let mut bytes = Vec::with_capacity(text.len() / 2);
    let mut high = None;
    for digit in digits {
        let digit = u8::try_from(digit?).ok()?;
        match high.take() {
            None => high = Some(digit << 4),
            Some(upper) => bytes.push(upper | digit),
        }
    }
    high.is_none().then_some(bytes)
}

/// Bytes as text that gives the same bytes back: UTF-8 stays, a backslash is doubled, NUL is `\0`, and
/// whatever is no UTF-8 or a control character is `\xNN`.
pub fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\\' => text.push_str("\\\\"),
                '\0' => text.push_str("\\0"),
                '\u{1}'..='\u{1f}' | '\u{7f}' => text.push_str(&format!("\\x{:02x}", u32::from(character))),
                _ => text.push(character),
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

/// The bytes that [`escape`] made `text` of. `None` where a backslash is not followed by one of `\`, `0`,
/// `xNN`.
pub fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        bytes.push(match rest.next()? {
            '\\' => b'\\',
            '0' => 0,
            'x' => {
                let digits = [rest.next()?.to_digit(16)?, rest.next()?.to_digit(16)?];
                u8::try_from((digits[0] << 4) | digits[1]).ok()?
            }
            _ => return None,
        });
    }
    Some(bytes)
}

/// A name as a file holds it, without its NUL: bytes of unknown encoding. In JSON and manifests: text, as
/// [`escape`] writes it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Name(pub Vec<u8>);

impl Name {
    /// The name as text for people and other programs: what is no UTF-8 becomes U+FFFD, and only the first
    /// [`Limits::name`](unshade_bytes::Limits::name) bytes are looked at.
    pub fn text(&self) -> String {
        let near = self.0.get(..unshade_bytes::Limits::DEFAULT.name).unwrap_or(&self.0);
        String::from_utf8_lossy(near).into_owned()
    }
}

impl std::ops::Deref for Name {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Self(name.as_bytes().to_vec())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&escape(&self.0))
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Name({:?})", escape(&self.0))
    }
}

/// A string table: NUL-terminated strings back to back, named by their byte offset. Names are bytes; the
/// formats say nothing of their encoding. In JSON: one text with `\0` for NUL, as [`escape`] writes it.
#[derive(Clone, PartialEq, Eq, Default, Hash)]
pub struct Strings(pub Vec<u8>);

impl Strings {
    /// The string at `offset`, without its NUL. `None` when it starts outside or has no NUL.
    pub fn at(&self, offset: u32) -> Option<&[u8]> {
        let rest = self.0.get(usize::try_from(offset).ok()?..)?;
        rest.get(..rest.iter().position(|&byte| byte == 0)?)
    }

    /// The string at `offset` as text for people and other programs: what is no UTF-8 becomes U+FFFD, and
    /// only the first [`Limits::name`](unshade_bytes::Limits::name) bytes are looked at, so that a table
    /// of hostile names costs no more than its entries. `None` when it starts outside.
    pub fn text(&self, offset: u32) -> Option<String> {
        let rest = self.0.get(usize::try_from(offset).ok()?..).filter(|rest| !rest.is_empty())?;
        let near = rest.get(..unshade_bytes::Limits::DEFAULT.name).unwrap_or(rest);
        let end = near.iter().position(|&byte| byte == 0).unwrap_or(near.len());
        Some(String::from_utf8_lossy(near.get(..end).unwrap_or_default()).into_owned())
    }

    /// The offset of `name`, which is added at the end where the table does not hold it as a whole string.
    pub fn intern(&mut self, name: &[u8]) -> u32 {
        let mut at = 0_usize;
        for string in self.0.split_inclusive(|&byte| byte == 0) {
            if string.strip_suffix(&[0]) == Some(name) {
                return u32::try_from(at).unwrap_or(u32::MAX);
            }
            at = at.saturating_add(string.len());
        }
        if self.0.last().is_some_and(|&last| last != 0) {
            self.0.push(0);
        }
        let at = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        self.0.extend_from_slice(name);
        self.0.push(0);
        at
    }

    /// The strings in order, each with its offset and without its NUL; bytes behind the last NUL are not
    /// among them.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let mut at = 0_usize;
        self.0.split_inclusive(|&byte| byte == 0).filter_map(move |string| {
            let start = at;
            at = at.saturating_add(string.len());
            Some((start, string.strip_suffix(&[0])?))
        })
    }

    /// How many bytes from the start are whole strings: the offset behind the last NUL.
    pub fn terminated(&self) -> usize {
        self.0.iter().rposition(|&byte| byte == 0).map_or(0, |last| last.saturating_add(1))
    }
}

impl fmt::Debug for Strings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Strings({:?})", escape(&self.0))
    }
}

#[cfg(feature = "serde")]
mod json {
    use super::{Name, Opaque, Strings, escape, from_hex, unescape};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    impl Serialize for Opaque {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(&self.to_hex())
        }
    }

    impl<'de> Deserialize<'de> for Opaque {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = String::deserialize(deserializer)?;
            from_hex(&text).map(Self).ok_or_else(|| D::Error::custom("expected pairs of hexadecimal digits"))
        }
    }

    impl Serialize for Name {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(&escape(&self.0))
        }
    }

    impl<'de> Deserialize<'de> for Name {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = String::deserialize(deserializer)?;
            unescape(&text)
                .map(Self)
                .ok_or_else(|| D::Error::custom("expected one of \\\\ \\0 \\xNN behind a backslash"))
        }
    }

    impl Serialize for Strings {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(&escape(&self.0))
        }
    }

    impl<'de> Deserialize<'de> for Strings {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = String::deserialize(deserializer)?;
            unescape(&text)
                .map(Self)
                .ok_or_else(|| D::Error::custom("expected one of \\\\ \\0 \\xNN behind a backslash"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_both_ways() {
        assert_eq!(to_hex(&[0, 0x1f, 0xa0]), "001fa0");
        assert_eq!(from_hex("00 1F\na0"), Some(vec![0, 0x1f, 0xa0]));
        assert_eq!((from_hex("0"), from_hex("0g"), from_hex("")), (None, None, Some(vec![])));
    }

    #[test]
    fn every_byte_survives_escaping() {
        let all: Vec<u8> = (0..=255).chain(*b"\\x41\\").chain("é\u{fffd}".bytes()).collect();
        assert_eq!(unescape(&escape(&all)), Some(all));
        assert_eq!(escape(b"main\0a\\\xff"), "main\\0a\\\\\\xff");
        assert_eq!((unescape("\\"), unescape("\\n"), unescape("\\x4")), (None, None, None));
    }

    #[test]
    fn names_by_offset() {
        let mut strings = Strings(b"main\0end".to_vec());
        assert_eq!(
            (strings.at(0), strings.at(2), strings.at(5)),
            (Some(&b"main"[..]), Some(&b"in"[..]), None)
        );
        assert_eq!((strings.text(5), strings.text(8), strings.at(99)), (Some("end".to_owned()), None, None));
        assert_eq!((strings.terminated(), strings.iter().count()), (5, 1));
        assert_eq!((strings.intern(b"main"), strings.intern(b"x"), strings.intern(b"x")), (0, 9, 9));
        assert_eq!(strings.iter().last(), Some((9, &b"x"[..])));
        assert_eq!(Strings(vec![b'a'; 1000]).text(0).map(|text| text.len()), Some(256));
    }
}
