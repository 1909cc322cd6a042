//! How registers, components, masks and swizzles are written, in tables made at compile time.

use super::table::REGISTERS;
use crate::text::Short;

/// Text of at most ten letters, with its length.
type Letters = ([u8; 10], usize);

const fn short(letters: &'static Letters) -> Short<'static> {
    match core::str::from_utf8(letters.0.split_at(letters.1).0) {
        Ok(text) => Short::new(text),
        Err(_) => Short::new(""),
    }
}

const fn shorts<const N: usize>(letters: &'static [Letters; N]) -> [Short<'static>; N] {
    let mut all = [Short::new(""); N];
    let mut n = 0;
    while n < N {
        all[n] = short(&letters[n]);
        n += 1;
    }
    all
}

/// `$3.y`: register and component by the six bits of a field.
static SCALAR_LETTERS: [Letters; 64] = {
    let mut all = [([0; 10], 0); 64];
    let mut n = 0;
    while n < 64 {
        let name = REGISTERS[n / 4].as_bytes();
        let mut at = 0;
        while at < name.len() {
            all[n].0[at] = name[at];
            at += 1;
        }
        all[n].0[at] = b'.';
        all[n].0[at + 1] = b"xyzw"[n % 4];
        all[n].1 = at + 2;
        n += 1;
    }
    all
};

const fn swizzle_letters(shorten: bool) -> [Letters; 256] {
    let mut all = [([0; 10], 0); 256];
    let mut n = 0;
    while n < 256 {
        if n != 0xE4 {
            let mut length = 5;
            all[n].0[0] = b'.';
            let mut lane = 0;
            while lane < 4 {
                all[n].0[lane + 1] = b"xyzw"[n >> (2 * lane) & 3];
                lane += 1;
            }
            while shorten && length > 2 && all[n].0[length - 1] == all[n].0[length - 2] {
                length -= 1;
            }
            all[n].1 = length;
        }
        n += 1;
    }
    all
}

static SWIZZLE_LETTERS: [Letters; 256] = swizzle_letters(false);
static SHORT_SWIZZLE_LETTERS: [Letters; 256] = swizzle_letters(true);

/// Masks by their bits, bit 0 = x. The full one is not written.
static MASK_LETTERS: [Letters; 16] = {
    let mut all = [([0; 10], 0); 16];
    let mut n = 0;
    while n < 15 {
        all[n].0[0] = b'.';
        all[n].1 = 1;
        let mut lane = 0;
        while lane < 4 {
            if n >> lane & 1 != 0 {
                all[n].0[all[n].1] = b"xyzw"[lane];
                all[n].1 += 1;
            }
            lane += 1;
        }
        n += 1;
    }
    all
};

/// Components by their six bits: `$0.x`.
pub(super) static SCALARS: [Short<'static>; 64] = shorts(&SCALAR_LETTERS);
/// Registers as sources.
pub(super) static VECTORS: [Short<'static>; 16] = Short::all(REGISTERS);
/// Swizzles with all four letters; the identity is not written.
pub(super) static SWIZZLES: [Short<'static>; 256] = shorts(&SWIZZLE_LETTERS);
/// Swizzles, in which a letter that repeats at the end stands once.
pub(super) static SHORT_SWIZZLES: [Short<'static>; 256] = shorts(&SHORT_SWIZZLE_LETTERS);
/// Masks; the empty one is a full stop.
pub(super) static MASKS: [Short<'static>; 16] = shorts(&MASK_LETTERS);
/// Registers as destinations.
pub(super) static DESTINATIONS: [Short<'static>; 16] = Short::all([
    "$0", "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15",
]);

/// Destination components by their six bits, with plain register numbers: `$13.x`.
static DESTINATION_LETTERS: [Letters; 64] = {
    let mut all = SCALAR_LETTERS;
    let mut n = 48;
    while n < 64 {
        all[n] = ([b'$', b'1', b'0' + (n / 4 - 10) as u8, b'.', b"xyzw"[n % 4], 0, 0, 0, 0, 0], 5);
        n += 1;
    }
    all
};

/// Destination components by their six bits.
pub(super) static DESTINATION_SCALARS: [Short<'static>; 64] = shorts(&DESTINATION_LETTERS);

/// One of a table; the tables cover every value of their fields.
#[inline]
pub(super) fn pick<const N: usize>(
    table: &'static [Short<'static>; N],
    number: u32,
) -> &'static Short<'static> {
    &table[number as usize % N]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_they_should_be() {
        assert_eq!(pick(&SCALARS, 49).text(), "^const0.y");
        assert_eq!(pick(&DESTINATION_SCALARS, 49).text(), "$12.y");
        assert_eq!(pick(&DESTINATION_SCALARS, 63).text(), "$15.w");
        assert_eq!(pick(&SWIZZLES, 0xE4).text(), "");
        assert_eq!(pick(&SWIZZLES, 0).text(), ".xxxx");
        assert_eq!(pick(&SHORT_SWIZZLES, 0).text(), ".x");
        assert_eq!(pick(&SHORT_SWIZZLES, 0xA4).text(), ".xyz");
        assert_eq!(pick(&MASKS, 0b1010).text(), ".yw");
        assert_eq!(pick(&MASKS, 0).text(), ".");
        assert_eq!(pick(&MASKS, 15).text(), "");
    }
}
