//! Tokens of GLSL, as its specification cuts them: names, numbers, and operators of the greatest length.
//!
//! Comments and blanks are none. Lines of the preprocessor are none either: `#version` and `#extension` say what
//! language follows, and none of the originals has a macro.

/// Operators of more than one character, the longest first.
const OPERATORS: [&str; 22] = [
    "<<=", ">>=", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "^^", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "##",
];

/// The tokens of a text in their order.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut line_starts = true;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\n' => {
                line_starts = true;
                rest = &rest[1..];
                continue;
            }
            '#' if line_starts => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            first if first.is_whitespace() => {
                rest = &rest[first.len_utf8()..];
                continue;
            }
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            '/' if rest.starts_with("/*") => {
                rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
                continue;
            }
            first if first.is_ascii_digit() || first == '.' && digit_at(rest, 1) => number(rest),
            first if is_of_name(first) => rest.find(|c| !is_of_name(c)).unwrap_or(rest.len()),
            first => OPERATORS
                .iter()
                .find(|operator| rest.starts_with(*operator))
                .map_or(first.len_utf8(), |operator| operator.len()),
        };
        found.push(&rest[..length]);
        rest = &rest[length..];
        line_starts = false;
    }
    found
}

/// Whether a token is a name or a keyword.
pub fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| is_of_name(c) && !c.is_ascii_digit())
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn digit_at(text: &str, at: usize) -> bool {
    text.as_bytes().get(at).is_some_and(u8::is_ascii_digit)
}

/// Length of the number at the start of a text, with exponent and suffix.
fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let mut end = 0;
    while let Some(byte) = bytes.get(end) {
        let exponent = !hexadecimal && matches!(byte, b'e' | b'E');
        let signed = exponent && matches!(bytes.get(end + 1), Some(b'+' | b'-')) && digit_at(text, end + 2);
        if signed {
            end += 2;
        } else if byte.is_ascii_alphanumeric() || *byte == b'.' {
            end += 1;
        } else {
            break;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn text_is_cut_where_the_language_cuts_it() {
        let text = "#version 450\nfloat a = -1.5e-3f; // why\na<<=.5+v.xy/**/;i++<=0x1Fu;";
        let expected = [
            "float", "a", "=", "-", "1.5e-3f", ";", "a", "<<=", ".5", "+", "v", ".", "xy", ";", "i", "++",
            "<=", "0x1Fu", ";",
        ];
        assert_eq!(tokens(text), expected);
    }
}
