//! The quick way through the operands that nearly all instructions have: `-name[5].xyzw`, without index
//! register and with nothing wrong or doubtful, in one pass over the bytes. It gives up at anything else, and
//! [`super::operand`] judges; so whatever is accepted here means the same there.

use super::operand::{Alias, Class, Names, Register, compose};
use crate::Swizzle;
use unshade_isa_common::assembly::lexer::{Arguments, is_space};

/// A plain operand: as [`super::operand::Operand`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain {
    pub(super) register: Register,
    pub(super) negate: bool,
    pub(super) swizzle: Swizzle,
    pub(super) by_name: bool,
    pub(super) has_letters: bool,
}

/// All arguments of an instruction, if they are `COUNT` plain operands.
#[inline]
pub(super) fn plain_arguments<const COUNT: usize>(
    arguments: Arguments<'_>,
    names: &impl Names,
) -> Option<[Plain; COUNT]> {
    let mut rest = arguments.rest.text;
    let mut operands = [NOTHING; COUNT];
    for (index, operand) in operands.iter_mut().enumerate() {
        if index > 0 {
            rest = without_blanks(rest.strip_prefix(',')?);
        }
        (*operand, rest) = plain(rest, names)?;
        rest = without_blanks(rest);
    }
    rest.is_empty().then_some(operands)
}

/// Fills the array until the operands are read.
const NOTHING: Plain = Plain {
    register: Register { class: Class::Temp, number: 0 },
    negate: false,
    swizzle: Swizzle::IDENTITY,
    by_name: false,
    has_letters: false,
};

#[inline(always)]
fn without_blanks(mut text: &str) -> &str {
    while let [b' ' | b'\t', ..] = text.as_bytes() {
        text = text.get(1..).unwrap_or_default();
    }
    text
}

/// A plain operand at the start of a text, and what follows it: a comma, white space or nothing.
#[inline(always)]
pub(super) fn plain<'a>(text: &'a str, names: &impl Names) -> Option<(Plain, &'a str)> {
    let (negate, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let bytes = text.as_bytes();
    let direct = if names.hides_registers() { None } else { short_register(bytes) };
    let (alias, mut rest) = match direct {
        Some((register, rest)) => (Alias::of(register), rest),
        None => {
            let end = bytes.iter().position(|&byte| !IN_NAME[usize::from(byte)]).unwrap_or(bytes.len());
            let (name, rest) = text.split_at_checked(end)?;
            (names.find(name)?, rest.as_bytes())
        }
    };
    let mut register = alias.register;
    if let [b'[', inside @ ..] = rest {
        let (offset, after) = match inside {
            [ones @ b'0'..=b'9', b']', after @ ..] => (ones - b'0', after),
            [tens @ b'1'..=b'9', ones @ b'0'..=b'9', b']', after @ ..] => {
                ((tens - b'0') * 10 + (ones - b'0'), after)
            }
            _ => return None,
        };
        register.number = register.number.wrapping_add(offset);
        if register.number >= register.class.count() || alias.size > 1 && offset >= alias.size {
            return None;
        }
        rest = after;
    }
    let mut swizzle = alias.swizzle;
    let mut has_letters = false;
    if let [b'.', letters @ ..] = rest {
        let (outer, after) = leading_swizzle(letters)?;
        (swizzle, rest, has_letters) = (compose(swizzle, outer), after, true);
    }
    let ends = match rest.first() {
        None => true,
        Some(&byte) => byte == b',' || is_space(byte),
    };
    if !ends {
        return None;
    }
    let rest = text.get(text.len() - rest.len()..)?;
    Some((
        Plain { register, negate: negate ^ alias.negate, swizzle, by_name: direct.is_none(), has_letters },
        rest,
    ))
}

/// A register with a number of one or two digits without a leading zero, at the start of a text, and what
/// follows it. The name must not go on.
#[inline(always)]
fn short_register(bytes: &[u8]) -> Option<(Register, &[u8])> {
    let [letter, ones @ b'0'..=b'9', rest @ ..] = bytes else { return None };
    let (number, rest) = match rest {
        [next @ b'0'..=b'9', rest @ ..] if *ones != b'0' => ((ones - b'0') * 10 + (next - b'0'), rest),
        _ => (ones - b'0', rest),
    };
    let class = Class::of_letter(*letter)?;
    let goes_on = rest.first().is_some_and(|&byte| IN_NAME[usize::from(byte)]);
    (number < class.count() && !goes_on).then_some((Register { class, number }, rest))
}

/// Bytes that belong to a name.
const IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_' || byte as u8 == b'$';
        byte += 1;
    }
    table
};

/// One to four letters of a swizzle; the last one repeats.
pub(super) fn short_swizzle(letters: &[u8]) -> Option<Swizzle> {
    leading_swizzle(letters).filter(|(_, rest)| rest.is_empty()).map(|(swizzle, _)| swizzle)
}

/// The swizzle letters at the start of a text, at most four, and what follows them.
#[inline(always)]
fn leading_swizzle(letters: &[u8]) -> Option<(Swizzle, &[u8])> {
    let mut rest = letters;
    let (mut bits, mut last) = (0u8, 0u8);
    for lane in 0..4 {
        match rest {
            [letter, after @ ..] if COMPONENT[usize::from(*letter)] < 4 => {
                last = COMPONENT[usize::from(*letter)];
                rest = after;
            }
            _ if lane == 0 => return None,
            _ => {
                // The last one fills the lanes that are left.
                let filled = last * 0x55;
                return Some((Swizzle(bits << (8 - 2 * lane) | filled >> (2 * lane)), rest));
            }
        }
        bits = bits << 2 | last;
    }
    Some((Swizzle(bits), rest))
}

/// For each letter of xyzw, rgba and stpq in either case its component, for others 4.
const COMPONENT: [u8; 256] = {
    let mut table = [4; 256];
    let sets: [&[u8; 4]; 6] = [b"xyzw", b"XYZW", b"rgba", b"RGBA", b"stpq", b"STPQ"];
    let mut set = 0;
    while set < 6 {
        let mut component = 0;
        while component < 4 {
            table[sets[set][component] as usize] = component as u8;
            component += 1;
        }
        set += 1;
    }
    table
};
