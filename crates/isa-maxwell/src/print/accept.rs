//! Which words are instructions: those that no part of their template refuses.

use crate::table;
use crate::template::{Core, Piece, Template, groups};
use crate::{Form, Word};

/// The template of a word that is an instruction.
#[inline]
pub(crate) fn accepted(word: u64) -> Option<&'static Template> {
    let form = Form::of(word)?;
    let template = table::template(form)?;
    accepts(&template.refusing, word).then_some(template)
}

fn accepts(mut pieces: &[Piece], word: u64) -> bool {
    while let [piece, rest @ ..] = pieces {
        pieces = rest;
        let accepted = match *piece {
            Piece::Require(field, value) => field.get(word) == value,
            Piece::Choice(field, names) | Piece::Shared(field, names) => names.get(field.get(word)).is_some(),
            Piece::Operand(Core::Attribute, _) => attribute(word).is_some(),
            Piece::Operand(Core::Pointer(true), _) => !Word(word).register(8).is_zero(),
            Piece::Operand(Core::Pair(which, _), _) => word >> which & 3 != 3,
            Piece::Either { field, value, first, second, .. } => {
                let (one, other, behind) = groups(rest, first, second);
                pieces = behind;
                accepts(if field.get(word) == value { other } else { one }, word)
            }
            _ => true,
        };
        if !accepted {
            return false;
        }
    }
    true
}

/// How ALD and AST give their address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Address {
    /// An offset alone.
    Offset,
    /// What AL2P made.
    Physical,
    /// A register and an offset; patch attributes only.
    Indexed,
}

/// The kind of address of a word of ALD or AST; none where it is refused.
pub(super) fn attribute(word: u64) -> Option<Address> {
    let word = Word(word);
    if word.register(8).is_zero() {
        Some(Address::Offset)
    } else if word.bit(31) {
        Some(Address::Indexed)
    } else {
        (word.bits(20, 11) == 0).then_some(Address::Physical)
    }
}
