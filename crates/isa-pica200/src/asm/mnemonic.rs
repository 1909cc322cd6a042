//! Mnemonics and directives by name, in either case.

use crate::{Opcode, table::TABLE};

/// Up to eight characters as one number, letters in lower case; 0 for longer words, which no name is.
const fn key(word: &[u8]) -> u64 {
    if word.len() > 8 {
        return 0;
    }
    let mut key = 0;
    let mut at = 0;
    while at < word.len() {
        key = key << 8 | word[at].to_ascii_lowercase() as u64;
        at += 1;
    }
    key
}

const SLOTS: usize = 256;

const fn slot(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize
}

/// Open addressing: key and index into the opcode table.
const MNEMONICS: [(u64, u8); SLOTS] = {
    let mut slots = [(0, 0); SLOTS];
    let mut row = 0;
    while row < TABLE.len() {
        // The language calls the machine's LOOP by another name.
        let name = match TABLE[row].opcode {
            Opcode::Loop => "for",
            _ => TABLE[row].name,
        };
        let key = key(name.as_bytes());
        let mut at = slot(key);
        while slots[at].0 != 0 {
            at = (at + 1) % SLOTS;
        }
        slots[at] = (key, row as u8);
        row += 1;
    }
    slots
};

/// The operation of a mnemonic. `for` is the machine's LOOP.
pub(super) fn opcode(word: &str) -> Option<Opcode> {
    let key = key(word.as_bytes());
    let mut at = slot(key);
    while key != 0 && MNEMONICS[at].0 != 0 {
        if MNEMONICS[at].0 == key {
            return TABLE.get(usize::from(MNEMONICS[at].1)).map(|row| row.opcode);
        }
        at = (at + 1) % SLOTS;
    }
    None
}

/// A directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Directive {
    Proc,
    Else,
    End,
    Alias,
    FloatUniform,
    IntUniform,
    BoolUniform,
    FloatConstant,
    IntConstant,
    FloatArray,
    SetFloat,
    SetInt,
    SetBool,
    In,
    Out,
    Entry,
    NoExecutable,
    Geometry,
}

/// The directive of a name without its full stop.
pub(super) fn directive(word: &str) -> Option<Directive> {
    use Directive::*;
    const NAMES: [(&str, Directive); 18] = [
        ("proc", Proc),
        ("else", Else),
        ("end", End),
        ("alias", Alias),
        ("fvec", FloatUniform),
        ("ivec", IntUniform),
        ("bool", BoolUniform),
        ("constf", FloatConstant),
        ("consti", IntConstant),
        ("constfa", FloatArray),
        ("setf", SetFloat),
        ("seti", SetInt),
        ("setb", SetBool),
        ("in", In),
        ("out", Out),
        ("entry", Entry),
        ("nodvle", NoExecutable),
        ("gsh", Geometry),
    ];
    NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|&(_, directive)| directive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_its_mnemonic() {
        for row in TABLE.iter().filter(|row| row.opcode != Opcode::Loop) {
            assert_eq!(opcode(row.name), Some(row.opcode));
            assert_eq!(opcode(&row.name.to_ascii_uppercase()), Some(row.opcode));
        }
        assert_eq!(opcode("For"), Some(Opcode::Loop));
        for word in ["", "loop", "addx", "setemits", "setemitss", "ad"] {
            assert_eq!(opcode(word), None, "{word}");
        }
    }
}
