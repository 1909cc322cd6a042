//! The quick way through the operands that nearly all instructions have: `-name[5].xyzw`, without index
//! register and with nothing wrong or doubtful, in one pass over the bytes. It gives up at anything else, and
//! [`super::operand`] judges; so whatever is accepted here means the same there.

use super::{
    lexer::{Arguments, Piece, is_space},
    operand::{Alias, Class, Names, Register, compose},
};
use crate::pica200::Swizzle;

/// A plain operand: as [`super::operand::Operand`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain {
    pub(super) register: Register,
    pub(super) negate: bool,
    pub(super) swizzle: Swizzle,
    pub(super) by_name: bool,
    pub(super) has_letters: bool,
}

/// A plain operand with its place in the source text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub(super) plain: Plain,
    pub(super) at: usize,
    pub(super) end: usize,
}

/// All arguments of an instruction, if they are `COUNT` plain operands.
pub(super) fn plain_arguments<const COUNT: usize>(
    arguments: Arguments<'_>,
    names: &impl Names,
) -> Option<[Placed; COUNT]> {
    let text = arguments.rest;
    let bytes = text.text.as_bytes();
    let skip = |mut at: usize| {
        while bytes.get(at).is_some_and(|&byte| is_space(byte)) {
            at += 1;
        }
        at
    };
    let nothing = Register { class: Class::Temp, number: 0 };
    let empty = Plain {
        register: nothing,
        negate: false,
        swizzle: Swizzle::IDENTITY,
        by_name: false,
        has_letters: false,
    };
    let mut placed = [Placed { plain: empty, at: 0, end: 0 }; COUNT];
    let mut at = 0;
    for (index, place) in placed.iter_mut().enumerate() {
        if index > 0 {
            if bytes.get(at) != Some(&b',') {
                return None;
            }
            at = skip(at + 1);
        }
        let (plain, end) = plain(text, at, names)?;
        *place = Placed { plain, at: text.at + at, end: text.at + end };
        at = skip(end);
    }
    (at == bytes.len()).then_some(placed)
}

/// A plain operand at a byte of a text, and where it ends: at a comma, white space or the end of the text.
#[inline]
pub(super) fn plain(text: Piece<'_>, start: usize, names: &impl Names) -> Option<(Plain, usize)> {
    let bytes = text.text.as_bytes();
    let negate = bytes.get(start) == Some(&b'-');
    let start = start + usize::from(negate);
    let direct = if names.hides_registers() { None } else { short_register(bytes.get(start..)?) };
    let (alias, mut at) = match direct {
        Some((register, length)) => (Alias::of(register), start + length),
        None => {
            let mut end = start;
            while bytes.get(end).is_some_and(|&byte| IN_NAME[usize::from(byte)]) {
                end += 1;
            }
            (names.find(text.text.get(start..end)?)?, end)
        }
    };
    let mut register = alias.register;
    if bytes.get(at) == Some(&b'[') {
        let (offset, length) = match *bytes.get(at + 1..)? {
            [ones @ b'0'..=b'9', b']', ..] => (ones - b'0', 3),
            [tens @ b'1'..=b'9', ones @ b'0'..=b'9', b']', ..] => ((tens - b'0') * 10 + (ones - b'0'), 4),
            _ => return None,
        };
        register.number = register.number.wrapping_add(offset);
        if register.number >= register.class.count() || alias.size > 1 && offset >= alias.size {
            return None;
        }
        at += length;
    }
    let mut swizzle = alias.swizzle;
    let has_letters = bytes.get(at) == Some(&b'.');
    if has_letters {
        let mut end = at + 1;
        while bytes.get(end).is_some_and(|&byte| COMPONENT[usize::from(byte)] < 4) {
            end += 1;
        }
        swizzle = compose(swizzle, short_swizzle(bytes.get(at + 1..end)?)?);
        at = end;
    }
    let ends = bytes.get(at).is_none_or(|&byte| byte == b',' || is_space(byte));
    let plain =
        Plain { register, negate: negate ^ alias.negate, swizzle, by_name: direct.is_none(), has_letters };
    ends.then_some((plain, at))
}

/// A register with a number of one or two digits without a leading zero, at the start of a text: the
/// register and its length. The name must not go on behind it.
fn short_register(bytes: &[u8]) -> Option<(Register, usize)> {
    let [letter, ones @ b'0'..=b'9', rest @ ..] = bytes else { return None };
    let (number, length) = match rest {
        [next @ b'0'..=b'9', ..] if *ones != b'0' => ((ones - b'0') * 10 + (next - b'0'), 3),
        _ => (ones - b'0', 2),
    };
    let class = Class::of_letter(*letter)?;
    let goes_on = bytes.get(length).is_some_and(|&byte| IN_NAME[usize::from(byte)]);
    (number < class.count() && !goes_on).then_some((Register { class, number }, length))
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
    let component = |letter: &u8| COMPONENT[usize::from(*letter)];
    let (x, y, z, w) = match letters {
        [x] => (x, x, x, x),
        [x, y] => (x, y, y, y),
        [x, y, z] => (x, y, z, z),
        [x, y, z, w] => (x, y, z, w),
        _ => return None,
    };
    let (x, y, z, w) = (component(x), component(y), component(z), component(w));
    ((x | y | z | w) < 4).then_some(Swizzle(x << 6 | y << 4 | z << 2 | w))
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
