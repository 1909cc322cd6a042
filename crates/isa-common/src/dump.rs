//! Code words out of pasted text: hex dumps of debuggers and tools, initialisers of source code, and what
//! Mesa's lima driver prints with `LIMA_DEBUG=gp,pp,dump`.

/// Takes 32-bit words out of a pasted dump.
///
/// A word is eight hexadecimal digits, with `0x` in front or without, or fewer behind `0x`; words may be
/// separated by anything that is no letter and no digit. Passed over are what is no word, offsets (digits in
/// front of a colon, or alone at the start of a line that goes on with bytes), characters behind a `|`, and
/// comments behind `//` and `;`.
///
/// Sixteen digits behind `0x` are two words, the lower half first. Where no such word is found, or none has more than two digits,
/// bytes are taken: pairs of digits with `0x` in front or without, groups of four as `xxd` prints them, and runs of any length;
/// four bytes make a word, the lowest first, since every machine whose dumps come as bytes is little-endian.
///
/// ```
/// use unshade_isa_common::dump::words_from_dump;
/// assert_eq!(words_from_dump("000: ad4ad6b5 038002b5 0007ff80 000ad500"), [0xAD4A_D6B5, 0x0380_02B5, 0x0007_FF80, 0x000A_D500]);
/// assert_eq!(words_from_dump("{ 0x00021025, 0xe4c }"), [0x0002_1025, 0xE4C]);
/// assert_eq!(words_from_dump("00000000  25 10 02 00 4c 0e 00 00  |%...L...|"), [0x0002_1025, 0xE4C]);
/// ```
pub fn words_from_dump(text: &str) -> Vec<u32> {
    let all = || text.lines().flat_map(tokens);
    let words: Vec<u32> = all().flat_map(words).flatten().collect();
    // `0x25, 0x10, 0x02, 0x00`: an initialiser of bytes.
    let are_bytes = || {
        let short = |token: &Token<'_>| word(*token).is_some() && token.text.len() <= 4;
        all().filter(short).count() == words.len()
    };
    if words.len() > 3 && are_bytes() {
        let bytes: Vec<u8> = all().filter_map(|token| u8::try_from(word(token)?).ok()).collect();
        return little_endian(&bytes);
    }
    if all().any(is_run) && all().filter(|token| !is_run(*token)).all(|token| word(token).is_none()) {
        let runs: Vec<u8> =
            all().filter(|token| is_run(*token)).flat_map(|token| pairs(token.text)).collect();
        return little_endian(&runs);
    }
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
    /// A zero of an initialiser, which needs no `0x`.
    is_zero: bool,
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
        let text = rest.get(..length)?;
        let is_zero = text == "0" && data.get(at..)?.trim_start().starts_with([',', '}']);
        Some(Token { text, is_offset, is_first, is_zero })
    })
}

fn word(token: Token<'_>) -> Option<u32> {
    if token.is_zero {
        return Some(0);
    }
    let marked = token.text.strip_prefix("0x").or_else(|| token.text.strip_prefix("0X"));
    // Behind a number of C stands what type it has.
    let digits = marked.map_or(token.text, |digits| digits.trim_end_matches(['u', 'U', 'l', 'L']));
    let long = digits.len() == 8 || marked.is_some() && (1..8).contains(&digits.len());
    let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if token.is_offset || !long || !plain { None } else { u32::from_str_radix(digits, 16).ok() }
}

/// The words of a token: one, or the halves of one of 64 bits, the lower first.
fn words(token: Token<'_>) -> [Option<u32>; 2] {
    let marked = token.text.strip_prefix("0x").or_else(|| token.text.strip_prefix("0X"));
    if let Some(digits) = marked.filter(|digits| digits.len() == 16 && !token.is_offset)
        && let Ok(long) = u64::from_str_radix(digits, 16)
    {
        return [Some(long as u32), Some((long >> 32) as u32)];
    }
    [word(token), None]
}

/// Whether a token is a row of bytes without anything between them.
fn is_run(token: Token<'_>) -> bool {
    let digits = token.text.bytes().all(|byte| byte.is_ascii_hexdigit());
    digits && !token.is_offset && token.text.len() > 8 && token.text.len().is_multiple_of(8)
}

fn pairs(text: &str) -> impl Iterator<Item = u8> + '_ {
    let pair =
        |pair: &[u8]| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok());
    text.as_bytes().chunks(2).filter_map(pair)
}

fn little_endian(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
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
        all.extend(tokens(line).filter_map(bytes).flat_map(pairs));
    }
    little_endian(&all)
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
            "unsigned char code[] = {\n  0xb5, 0xd6, 0x4a, 0xad, 0xb5, 0x02, 0x80, 0x03,\n  0x80, 0xff, 0x07, 0x00, 0x00, 0xd5, 0x0a, 0x00\n};",
            "{ 0xb5, 0xd6, 0x4a, 0xad, 0xb5, 0x2, 0x80, 0x3, 0x80, 0xff, 0x7, 0, 0, 0xd5, 0xa, 0 }",
            "b5d64aadb502800380ff070000d50a00",
            "b5d64aadb5028003\n80ff070000d50a00\n",
            "0x038002b5ad4ad6b5, 0x000ad5000007ff80",
            "AD4AD6B5,038002B5,0007FF80,000AD500",
            "0xad4ad6b5u, 0x038002b5U, 0x7ff80ul, 0xad500",
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
