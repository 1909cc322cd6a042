//! What must hold for patches of any text, and between any two files.

use unshade::patch;

/// Any bytes as the text of a patch; as changes to the text of a patch that is one; and as two files.
pub fn patch(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        read(text);
    }
    changed(data);
    between(data);
}

/// A text: no patch, and it is said where; or a patch, which is written as it is read, and which other files survive.
fn read(text: &str) {
    let read = match patch::parse(text) {
        Ok(read) => read,
        Err(error) => {
            assert!(!error.path.is_empty() && !error.expected.is_empty(), "{error:?}");
            return;
        }
    };
    let written = read.to_string();
    let again = patch::parse(&written).expect("a patch that was written reads");
    assert_eq!(again.to_string(), written);
    for old in OLD {
        match patch::apply(&read, *old) {
            Ok(applied) => {
                assert!(!applied.exact || patch::Fingerprint::of(&applied.rewritten.bytes) == read.to)
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

const OLD: &[&[u8]] = &[
    include_bytes!("../../../samples/lighting.shbin"),
    include_bytes!("../../../samples/varying.frag.mbs"),
    include_bytes!("../../../samples/nested.szs"),
];
const NEW: &[&[u8]] = &[
    include_bytes!("../../../samples/shared_transform.shbin"),
    include_bytes!("../../../samples/phong.frag.mbs"),
    include_bytes!("../../../samples/embedded.bcsdr"),
];

/// Letters of a patch replaced: pairs of a place and a letter.
fn changed(data: &[u8]) {
    let Some((&which, data)) = data.split_first() else { return };
    let at = usize::from(which) % OLD.len();
    let mut text = patch::make(OLD[at], NEW[at]).to_string().into_bytes();
    for &[high, low, letter] in data.get(..96).unwrap_or(data).as_chunks::<3>().0 {
        let place = usize::from(u16::from_be_bytes([high, low])) % text.len();
        text[place] = letter & 0x7f;
    }
    if let Ok(text) = std::str::from_utf8(&text) {
        read(text);
    }
}

/// Two files: the first byte says where one ends and the other starts.
fn between(data: &[u8]) {
    let Some((&cut, data)) = data.split_first() else { return };
    let (old, new) = data.split_at(data.len() * usize::from(cut) / 255);
    makes(old, new);
    // What has most in common.
    let mut longer = OLD[usize::from(cut) % OLD.len()].to_vec();
    let at = new.first().map_or(0, |first| usize::from(*first)) * longer.len() / 256;
    longer.splice(at..at, new.iter().copied());
    makes(OLD[usize::from(cut) % OLD.len()], &longer);
}

/// The patch between two files gives the one from the other, and holds no run of 32 bytes of the old one.
pub fn makes(old: &[u8], new: &[u8]) {
    differ(old, new);
    let made = patch::make(old, new);
    let text = made.to_string();
    let read = patch::parse(&text).expect("a patch that was made reads");
    assert_eq!(read.to_string(), text);
    let applied = patch::apply(&read, old).expect("a patch fits the file that it was made from");
    assert!(applied.exact && applied.rewritten.bytes == new, "another file");
    holds_nothing_of(old, &text);
}

/// Two files are compared the one way and the other, and are the same where their bytes are.
fn differ(old: &[u8], new: &[u8]) {
    let place = |bytes| unshade::diff::Place { source: bytes, names: &[], item: None };
    for (a, b) in [(old, new), (new, old)] {
        let found = unshade::diff(&place(a.into()), &place(b.into())).expect("whole files have no names");
        assert_eq!(found.same, a == b);
    }
}

/// Neither the letters of a patch nor what they say are runs of 32 bytes of the old file, but for those of one byte.
pub fn holds_nothing_of(old: &[u8], text: &str) {
    let known: std::collections::HashSet<&[u8]> =
        old.windows(32).filter(|window| window.iter().any(|byte| *byte != window[0])).collect();
    let holds = |said: &[u8]| said.windows(32).any(|window| known.contains(window));
    // Digits say what they say: that an old file has such letters somewhere is chance. What they mean is held below.
    let digits = |line: &&str| line.starts_with("  bytes ") || line.starts_with("  copy ");
    let letters: Vec<&str> = text.lines().filter(|line| !digits(line)).collect();
    assert!(!holds(letters.join("\n").as_bytes()), "the text of the patch is of the old file");
    let nibble = |digit: u8| char::from(digit).to_digit(16).expect("a digit") as u8;
    let decode = |digits: &[u8]| -> Vec<u8> {
        digits.as_chunks::<2>().0.iter().map(|pair| nibble(pair[0]) << 4 | nibble(pair[1])).collect()
    };
    let mut piece = Vec::new();
    for line in text.lines().chain([""]) {
        if let Some(digits) = line.strip_prefix("  bytes ") {
            piece.extend(decode(digits.as_bytes()));
            continue;
        }
        assert!(!holds(&piece), "a piece of the patch is of the old file");
        piece.clear();
        for digits in line.split(|c: char| !c.is_ascii_hexdigit()).filter(|digits| digits.len() >= 64) {
            assert!(!holds(&decode(digits.as_bytes())), "digits of the patch are of the old file: {line}");
        }
    }
}
