//! Pieces of a text as the preprocessor sees them.

use std::ops::Range;

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or keyword.
    Word,
    /// A number, with all letters and dots that hang on it.
    Number,
    /// One sign.
    Sign,
    /// Blanks and comments.
    Space,
    /// The end of a line, where no backslash stands in front of it.
    Line,
    /// A character that the language does not have, with the words that hang on it.
    Foreign,
    /// A comment without an end.
    Open,
}

/// A piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Range<usize>,
}

impl Token {
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.span.clone()).unwrap_or_default()
    }
}

const SIGNS: &[u8] = b"+-*/%<>[](){}^|&~=!:;,?.#";

/// All pieces of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut list = Vec::new();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let (kind, length) = piece(rest);
        let end = (at + length.max(1)).min(bytes.len());
        list.push(Token { kind, span: at..end });
        at = end;
    }
    list
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Bytes of a backslash with the end of a line behind it.
fn splice(rest: &[u8]) -> Option<usize> {
    match rest {
        [b'\\', b'\n', ..] => Some(2),
        [b'\\', b'\r', b'\n', ..] => Some(3),
        _ => None,
    }
}

fn piece(rest: &[u8]) -> (Kind, usize) {
    let run = |is: &dyn Fn(u8) -> bool| rest.iter().position(|byte| !is(*byte)).unwrap_or(rest.len());
    match rest {
        [b'\n', ..] => (Kind::Line, 1),
        [b'/', b'/', ..] => {
            let mut at = 2;
            while let Some(behind) =
                rest.get(at..).filter(|behind| behind.first().is_some_and(|b| *b != b'\n'))
            {
                at += splice(behind).unwrap_or(1);
            }
            (Kind::Space, at)
        }
        [b'/', b'*', ..] => match rest.windows(2).skip(2).position(|pair| pair == b"*/") {
            Some(end) => (Kind::Space, end + 4),
            None => (Kind::Open, 2),
        },
        [first, ..] if first.is_ascii_whitespace() => {
            (Kind::Space, run(&|byte| byte.is_ascii_whitespace() && byte != b'\n'))
        }
        // A mark that some editors put in front of a text.
        [0xEF, 0xBB, 0xBF, ..] => (Kind::Space, 3),
        [first, second, ..] if first.is_ascii_digit() || (*first == b'.' && second.is_ascii_digit()) => {
            (Kind::Number, number(rest))
        }
        [first] if first.is_ascii_digit() => (Kind::Number, 1),
        [first, ..] if is_word(*first) => (Kind::Word, run(&is_word)),
        [first, ..] if SIGNS.contains(first) => (Kind::Sign, 1),
        _ => match splice(rest) {
            Some(length) => (Kind::Space, length),
            None => {
                let is_foreign =
                    |byte: u8| is_word(byte) || !(byte.is_ascii_whitespace() || SIGNS.contains(&byte));
                (Kind::Foreign, run(&is_foreign))
            }
        },
    }
}

fn number(rest: &[u8]) -> usize {
    let is_hex = matches!(rest, [b'0', b'x' | b'X', ..]);
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        let is_sign = matches!(byte, b'+' | b'-')
            && !is_hex
            && at
                .checked_sub(1)
                .and_then(|before| rest.get(before))
                .is_some_and(|before| matches!(before, b'e' | b'E'));
        if !(is_word(byte) || byte == b'.' || is_sign) {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_the_text() {
        let text = "#define a(b) b##1 // x\\\ny\n1.0e-5+.5f /* \n */ $PROCESS$ é \\\n /*";
        let list = tokens(text);
        assert!(list.windows(2).all(|pair| pair[0].span.end == pair[1].span.start));
        assert_eq!(list.last().unwrap().span.end, text.len());
        let of = |kind| list.iter().filter(|t| t.kind == kind).map(|t| t.text(text)).collect::<Vec<_>>();
        assert_eq!(of(Kind::Number), ["1", "1.0e-5", ".5f"]);
        assert_eq!(of(Kind::Foreign), ["$PROCESS$", "é"]);
        assert_eq!(of(Kind::Line).len(), 1);
        assert_eq!(of(Kind::Open), ["/*"]);
    }
}
