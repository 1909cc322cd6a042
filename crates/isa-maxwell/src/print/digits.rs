//! Registers and whole numbers.

use unshade_isa_common::text::{PartKind, Short, Sink};

/// `R0` to `R254` and `RZ`, four characters each.
const DIGITS: [u8; 1024] = {
    let mut text = [b' '; 1024];
    let mut number = 0;
    while number < 255 {
        let at = 4 * number;
        text[at] = b'R';
        let mut rest = number;
        let mut place = length(number as u8);
        while place > 1 {
            place -= 1;
            text[at + place] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        number += 1;
    }
    text[1020] = b'R';
    text[1021] = b'Z';
    text
};

/// Characters of a register's name.
const fn length(number: u8) -> usize {
    match number {
        0..=9 | 255 => 2,
        10..=99 => 3,
        _ => 4,
    }
}

/// The names of the registers.
static REGISTERS: [Short<'static>; 256] = {
    let mut names = [Short::new(""); 256];
    let mut number = 0;
    while number < 256 {
        let (name, _) = DIGITS.split_at(4 * number).1.split_at(length(number as u8));
        if let Ok(name) = std::str::from_utf8(name) {
            names[number] = Short::new(name);
        }
        number += 1;
    }
    names
};

/// Writes the name of a register.
#[inline]
pub(super) fn register(sink: &mut impl Sink, number: u8) {
    sink.put_short(PartKind::Register, &REGISTERS[usize::from(number)]);
}

/// The eight hexadecimal digits of a word, the highest first: all at once, each in a byte of its own.
const fn eight_digits(value: u32) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let spread = value as u64;
    let spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF;
    let spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF;
    let spread = (spread | spread << 4) & (0x0F * ONES);
    // Those from 10 on are letters, which do not follow the digits.
    let letters = (spread + 6 * ONES) >> 4 & ONES;
    let letter = (b'a' - b'0' - 10) as u64;
    (spread + b'0' as u64 * ONES + letters * letter).to_be_bytes()
}

/// The sixteen hexadecimal digits of a number, the highest first.
pub(crate) fn sixteen_digits(value: u64) -> [u8; 16] {
    let mut digits = [0; 16];
    digits[..8].copy_from_slice(&eight_digits((value >> 32) as u32));
    digits[8..].copy_from_slice(&eight_digits(value as u32));
    digits
}

/// Writes a number in hexadecimal with at least `width` digits.
pub(crate) fn hex(sink: &mut impl Sink, kind: PartKind, value: u64, width: usize) {
    let digits = (67 - value.leading_zeros() as usize) / 4;
    let digits = digits.max(width.clamp(1, 16));
    let mut text = [0; 18];
    text[0] = b'0';
    text[1] = b'x';
    let short = u32::try_from(value).ok().filter(|_| digits <= 8);
    if let Some(value) = short {
        // Most numbers: the digits that count are moved to the front at once.
        let all = u64::from_be_bytes(eight_digits(value));
        let front = all << (8 * (8 - digits));
        text[2..10].copy_from_slice(&front.to_be_bytes());
    } else {
        text[2..2 + digits].copy_from_slice(&sixteen_digits(value)[16 - digits..]);
    }
    match text.first_chunk() {
        Some(short) if digits <= 14 => sink.short_ascii(kind, short, 2 + digits),
        _ => sink.ascii(kind, text.get(..2 + digits).unwrap_or_default()),
    }
}

/// Writes a number in hexadecimal with its sign.
pub(super) fn signed(sink: &mut impl Sink, value: i64) {
    if value < 0 {
        sink.put_short(PartKind::Immediate, &super::printer::MINUS);
    }
    hex(sink, PartKind::Immediate, value.unsigned_abs(), 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_isa_common::text::PlainText;

    #[test]
    fn numbers() {
        let mut text = PlainText::default();
        for number in [0, 9, 10, 99, 100, 254, 255] {
            register(&mut text, number);
            text.put(PartKind::Plain, " ");
        }
        for (value, width) in [(0, 1), (15, 1), (16, 1), (0x1_0000_0000, 4), (u64::MAX, 1), (7, 16)] {
            hex(&mut text, PartKind::Immediate, value, width);
            text.put(PartKind::Plain, " ");
        }
        signed(&mut text, i64::MIN);
        assert_eq!(
            text.text(),
            "R0 R9 R10 R99 R100 R254 RZ 0x0 0xf 0x10 0x100000000 0xffffffffffffffff 0x0000000000000007 \
             -0x8000000000000000"
        );
    }
}
