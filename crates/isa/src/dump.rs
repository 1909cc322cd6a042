//! Code words out of pasted text: hex dumps of debuggers and tools, initialisers of source code, and what
//! Mesa's lima driver prints with `LIMA_DEBUG=gp,pp,dump`.

/// Takes 32-bit words out of a pasted dump.
///
/// A word is eight hexadecimal digits, with `0x` in front or without, or fewer behind `0x`; words may be
/// separated by anything that is no letter and no digit. Passed over are what is no word, offsets (digits in
/// front of a colon, or alone at the start of a line that goes on with bytes), characters behind a `|`, and
/// comments behind `//` and `;`.
///
/// Where no such word is found, bytes are taken: pairs of digits, and groups of four as `xxd` prints them;
/// four bytes make a word, the lowest first, since every machine whose dumps come as bytes is little-endian.
///
/// ```
/// use unshade_isa::dump::words_from_dump;
/// assert_eq!(words_from_dump("000: ad4ad6b5 038002b5 0007ff80 000ad500"), [0xAD4A_D6B5, 0x0380_02B5, 0x0007_FF80, 0x000A_D500]);
/// assert_eq!(words_from_dump("{ 0x00021025, 0xe4c }"), [0x0002_1025, 0xE4C]);
/// assert_eq!(words_from_dump("00000000  25 10 02 00 4c 0e 00 00  |%...L...|"), [0x0002_1025, 0xE4C]);
/// ```
pub fn words_from_dump(text: &str) -> Vec<u32> {
    let words: Vec<u32> = text.lines().flat_map(|line| tokens(line).filter_map(word)).collect();
    let lonely_offsets =
        || text.lines().all(|line| tokens(line).filter_map(word).count() <= 1 && has_bytes(line));
    if words.is_empty() || lonely_offsets() {
        return words_from_bytes(text);
    }
    words
}

/// A run of letters and digits.
#[derive(Debug, Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    /// Whether a colon follows.
    is_offset: bool,
    /// Whether nothing but white space stands in front of it.
    is_first: bool,
}

/// Runs of letters, digits and `_` in the part of a line that holds data.
fn tokens(line: &str) -> impl Iterator<Item = Token<'_>> {
    let data = ["|", "//", ";"]
        .into_iter()
        .fold(line, |line, mark| line.split_once(mark).map_or(line, |(data, _)| data));
    let mut at = 0;
    let mut first = true;
    std::iter::from_fn(move || {
        let rest = data.get(at..)?;
        let start = at + rest.find(|c: char| c.is_alphanumeric() || c == '_')?;
        let rest = data.get(start..)?;
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        at = start + length;
        let is_first = std::mem::replace(&mut first, false);
        let is_offset = data.as_bytes().get(at) == Some(&b':');
        Some(Token { text: rest.get(..length)?, is_offset, is_first })
    })
}

fn word(token: Token<'_>) -> Option<u32> {
    let marked = token.text.strip_prefix("0x").or_else(|| token.text.strip_prefix("0X"));
    let digits = marked.unwrap_or(token.text);
    let long = digits.len() == 8 || marked.is_some() && (1..8).contains(&digits.len());
    let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if token.is_offset || !long || !plain { None } else { u32::from_str_radix(digits, 16).ok() }
}

/// The bytes of a token: one or two of them.
fn bytes(token: Token<'_>) -> Option<&str> {
    let plain = token.text.bytes().all(|byte| byte.is_ascii_hexdigit());
    (plain && !token.is_offset && matches!(token.text.len(), 2 | 4)).then_some(token.text)
}

fn has_bytes(line: &str) -> bool {
    tokens(line)
        .all(|token| token.is_offset || token.is_first && token.text.len() == 8 || bytes(token).is_some())
}

fn words_from_bytes(text: &str) -> Vec<u32> {
    let mut all: Vec<u8> = Vec::new();
    for line in text.lines().filter(|line| has_bytes(line)) {
        for pair in tokens(line).filter_map(bytes).flat_map(|text| text.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok());
            all.extend(pair);
        }
    }
    all.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: [u32; 4] = [0xAD4A_D6B5, 0x0380_02B5, 0x0007_FF80, 0x000A_D500];

    #[test]
    fn what_tools_print() {
        for text in [
            // Mesa's driver: one instruction a line, with its number; the disassembly may stand between.
            "========codegen========\n000: ad4ad6b5 038002b5 0007ff80 000ad500 \n-----------------------\n000:\tnop\n",
            "  0 (@     0): 0xad4ad6b5, 0x038002b5,\n  1 (@     2): 0x0007ff80, 0x000ad500,",
            "static const uint32_t code[] = {\n\t0xad4ad6b5, 0x038002b5, // one\n\t0x7ff80, 0xad500,\n};",
            "0000: AD4AD6B5 038002B5 ; 12345678\n0008: 0007FF80 000AD500",
            "0xad4ad6b5 0x038002b5 0x0007ff80 0x000ad500",
            "00000000  b5 d6 4a ad b5 02 80 03  80 ff 07 00 00 d5 0a 00  |..J.............|\n00000010",
            "00000000: b5d6 4aad b502 8003 80ff 0700 00d5 0a00  |..J.|",
            "b5 d6 4a ad b5 02 80 03\n80 ff 07 00 00 d5 0a 00",
        ] {
            assert_eq!(words_from_dump(text), CODE, "{text}");
        }
    }

    #[test]
    fn what_is_no_dump_gives_nothing() {
        for text in
            ["", "no words here", "123456789 1234567g \u{e4}00000001x", "000:\tmul.m0 ^2/$0.y t[1].z a0.y"]
        {
            assert_eq!(words_from_dump(text), [0; 0], "{text}");
        }
    }
}
