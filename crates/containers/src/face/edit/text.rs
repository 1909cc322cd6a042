//! Text as a person says it, and what all formats ask of it.

use crate::shared::names::Thing;
use crate::shared::opaque::{escape, unescape};

/// The characters that `value` says, as a tree prints them: in quotation marks or without, with `\\`, `\0` and `\xNN`.
///
/// # Errors
/// What is expected, and what was found.
pub(super) fn parse(value: &str) -> Result<Vec<u8>, (&'static str, String)> {
    let trimmed = value.trim();
    let inner = trimmed.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(trimmed);
    let Some(bytes) = unescape(inner) else {
        let expected = "text with `\\\\`, `\\0` or `\\xNN` where a backslash stands";
        return Err((expected, format!("`{}`", near(inner.as_bytes()))));
    };
    if bytes.contains(&0) {
        return Err(("text without NUL, which ends a text in the file", format!("`{}`", near(&bytes))));
    }
    Ok(bytes)
}

/// The first characters of a text, for messages.
pub(super) fn near(text: &[u8]) -> String {
    const SHOWN: usize = 64;
    match text.get(..SHOWN) {
        Some(front) if text.len() > SHOWN => format!("{}... ({} bytes)", escape(front), text.len()),
        _ => escape(text),
    }
}

/// A thing that has the name already which another of its kind shall get.
pub(super) fn rival<'t>(things: &'t [Thing], renamed: &Thing, new: &[u8]) -> Option<&'t Thing> {
    let same_kind = |other: &&Thing| other.owner == renamed.owner && other.kind == renamed.kind;
    let has = |other: &&Thing| other.own == new && other.tail.is_empty() && other.own != renamed.own;
    things.iter().filter(|_| !renamed.only).filter(same_kind).find(has)
}
