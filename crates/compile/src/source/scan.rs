//! Words and signs of a text, without comments: what has to be known of it before a parser reads it.

use std::ops::Range;

/// A word, a number or a sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// Its bytes in the text.
    pub span: Range<usize>,
    /// What stands there.
    pub text: &'a str,
}

/// All tokens of a text. A line that starts with `#` is one token.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut line_starts = true;
    std::iter::from_fn(move || {
        loop {
            let rest = bytes.get(at..)?;
            let first = *rest.first()?;
            match (first, rest.get(1)) {
                (b'\n', _) => {
                    line_starts = true;
                    at += 1;
                }
                (b'/', Some(b'/')) => at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()),
                (b'/', Some(b'*')) => {
                    let end = rest.windows(2).skip(2).position(|pair| pair == b"*/");
                    at += end.map_or(rest.len(), |end| end + 4);
                }
                (b'#', _) if line_starts => {
                    let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                    let span = at..at + end;
                    at += end;
                    return Some(Token { text: text.get(span.clone()).unwrap_or_default(), span });
                }
                (byte, _) if byte.is_ascii_whitespace() => at += 1,
                (byte, next) => {
                    line_starts = false;
                    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80;
                    let length = match rest.iter().position(|b| !is_word(b)) {
                        Some(0) => match (byte, next) {
                            (b'+' | b'-' | b'&' | b'|', Some(&second)) if second == byte => 2,
                            (b'=' | b'!' | b'<' | b'>', Some(b'=')) => 2,
                            _ => 1,
                        },
                        Some(length) => length,
                        None => rest.len(),
                    };
                    let span = at..at + length;
                    at += length;
                    return Some(Token { text: text.get(span.clone()).unwrap_or_default(), span });
                }
            }
        }
    })
}
