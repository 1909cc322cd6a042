//! Arithmetic of integers with what it does to the condition code, and operations on bits.

use super::state::Flags;
use crate::operation::{AddPart, AddShift, CompareInt, PermuteMode};

/// Zero and sign of a result that carries nothing.
pub(super) fn plain(result: u32) -> Flags {
    Flags { zero: result == 0, sign: result >> 31 != 0, carry: false, overflow: false }
}

/// The sum of words and ones, with the condition code. What is to be subtracted comes inverted, with a one.
pub(super) fn sum(words: &[u32], ones: u32) -> (u32, Flags) {
    let unsigned = words.iter().map(|word| u64::from(*word)).sum::<u64>() + u64::from(ones);
    let signed = words.iter().map(|word| i64::from(*word as i32)).sum::<i64>() + i64::from(ones);
    let result = unsigned as u32;
    let flags =
        Flags { carry: unsigned >> 32 != 0, overflow: signed != i64::from(result as i32), ..plain(result) };
    (result, flags)
}

/// What `IADD3` takes of a source.
pub(super) fn part(word: u32, part: AddPart) -> u32 {
    match part {
        AddPart::Word => word,
        AddPart::Low => word & 0xffff,
        AddPart::High => word >> 16,
    }
}

/// `IADD3`: two adders one behind the other, each with a carry of its own. That of the first sum becomes overflow in
/// the condition code, that of the second carry (measured). With `carried` (`.X`) both come in again: a sum of three
/// words can carry two. A negative is the complement with a one; of two in the first adder the second one goes into the
/// other. A shifted sum has 33 bits before it is shifted (measured).
pub(super) fn sum_of_three(
    [(a, not_a), (b, not_b), (c, not_c)]: [(u32, bool); 3],
    shift: AddShift,
    carried: Option<Flags>,
) -> (u32, Flags) {
    let wide = u64::from;
    let (a, b, c, first_in, second_in) = match shift {
        AddShift::None => {
            let signed = |word: u32, negate: bool| if negate { !word } else { word };
            let (words, ones) =
                ((signed(a, not_a), signed(b, not_b), signed(c, not_c)), [not_a, not_b, not_c]);
            let ins = match carried {
                Some(flags) => [flags.overflow.into(), flags.carry.into()],
                None => [(ones[0] || ones[1]).into(), u64::from(ones[0] && ones[1]) + u64::from(ones[2])],
            };
            (words.0, words.1, words.2, ins[0], ins[1])
        }
        AddShift::Right | AddShift::Left => {
            let signed = |word: u32, negate: bool| if negate { word.wrapping_neg() } else { word };
            let ins = carried.map_or(0, |flags| u64::from(flags.overflow) + u64::from(flags.carry));
            (signed(a, not_a), signed(b, not_b), signed(c, not_c), 0, ins)
        }
    };
    let first = wide(a) + wide(b) + first_in;
    let shifted = match shift {
        AddShift::None => first as u32,
        AddShift::Right => (first >> 16) as u32,
        AddShift::Left => (first as u32) << 16,
    };
    let second = wide(shifted) + wide(c) + second_in;
    let result = second as u32;
    (result, Flags { overflow: first >> 32 != 0, carry: second >> 32 != 0, ..plain(result) })
}

/// A sum that stays at the limits of signed words.
pub(super) fn saturated(result: u32, flags: Flags) -> u32 {
    match (flags.overflow, flags.sign) {
        (false, _) => result,
        // The sign of a sum that overflowed is the wrong one.
        (true, true) => i32::MAX as u32,
        (true, false) => i32::MIN as u32,
    }
}

/// 64 bits of a product.
pub(super) fn product(a: u32, b: u32, signed: [bool; 2]) -> i128 {
    let wide = |word: u32, signed: bool| if signed { i128::from(word as i32) } else { i128::from(word) };
    wide(a, signed[0]) * wide(b, signed[1])
}

pub(super) fn compare(compare: CompareInt, a: u32, b: u32, signed: bool) -> bool {
    let order = if signed { (a as i32).cmp(&(b as i32)) } else { a.cmp(&b) };
    order.is_lt() && compare.less || order.is_eq() && compare.equal || order.is_gt() && compare.greater
}

/// Comparison of the upper halves of numbers whose lower halves left `low` behind when they were subtracted.
pub(super) fn compare_extended(compare: CompareInt, a: u32, b: u32, signed: bool, low: Flags) -> bool {
    let (result, flags) = sum(&[a, !b], u32::from(low.carry));
    let equal = low.zero && result == 0;
    let less = if signed { flags.sign != flags.overflow } else { !flags.carry };
    less && compare.less || equal && compare.equal || !less && !equal && compare.greater
}

/// The smaller or the larger (`least` false) of numbers of several words, word by word from the highest on (`.XHI`,
/// then `.XMED`, then `.XLO`). What a word leaves for the next one in the condition code: zero while all were equal,
/// else the sign says whether the first number is the smaller one. NVIDIA's compiler makes minima of 64 bits so; how
/// the machine packs this in its condition code is not known.
pub(super) fn extremum((a, b): (u32, u32), signed: bool, least: bool, before: Option<Flags>) -> (u32, Flags) {
    let (equal, less) = match before {
        Some(flags) if !flags.zero => (false, flags.sign),
        _ if signed => (a == b, (a as i32) < b as i32),
        _ => (a == b, a < b),
    };
    let flags = Flags { zero: equal, sign: less, carry: false, overflow: false };
    (if less == least { a } else { b }, flags)
}

/// Bits from `at` on, `len` of them (PTX `bfe`): past the last bit zeros, or the sign.
pub(super) fn extract(a: u32, packed: u32, signed: bool) -> u32 {
    let (at, len) = (packed & 0xff, packed >> 8 & 0xff);
    if len == 0 {
        return 0;
    }
    let last = (at + len - 1).min(31);
    let above = if signed && a >> last & 1 != 0 { u32::MAX } else { 0 };
    let field = if at < 32 { a >> at } else { 0 };
    let count = if at < 32 { len.min(32 - at) } else { 0 };
    let mask = if count >= 32 { u32::MAX } else { (1 << count) - 1 };
    field & mask | above & !mask
}

/// `c` with the lowest bits of `a` put in (PTX `bfi`).
pub(super) fn insert(a: u32, packed: u32, c: u32) -> u32 {
    let (at, len) = (packed & 0xff, packed >> 8 & 0xff);
    if at > 31 {
        return c;
    }
    let mask = if len >= 32 { u32::MAX } else { (1 << len) - 1 };
    c & !(mask << at) | (a & mask) << at
}

/// Number of the highest bit that is set, or, signed, that differs from the sign; all ones where none is.
pub(super) fn leading_one(a: u32, signed: bool) -> u32 {
    let a = if signed && a >> 31 != 0 { !a } else { a };
    31_u32.wrapping_sub(a.leading_zeros())
}

/// Bytes of `{c:a}` by a selector (PTX `prmt`).
pub(super) fn permute(a: u32, selector: u32, c: u32, mode: PermuteMode) -> u32 {
    let bytes = u64::from(a) | u64::from(c) << 32;
    let n = selector & 3;
    let pick = |k: u32| -> u32 {
        match mode {
            PermuteMode::Index => selector >> (4 * k) & 15,
            PermuteMode::Forward4Extract => n + k,
            PermuteMode::Backward4Extract => n.wrapping_sub(k) & 7,
            PermuteMode::Replicate8 => n,
            PermuteMode::EdgeClampLeft => k.max(n),
            PermuteMode::EdgeClampRight => k.min(n),
            PermuteMode::Replicate16 => (n & 1) * 2 + (k & 1),
        }
    };
    (0..4).fold(0, |all, k| {
        let number = pick(k);
        let byte = (bytes >> (8 * (number & 7))) as u32 & 0xff;
        let byte = match mode {
            // Bit 3 of a nibble asks for the sign of the byte.
            PermuteMode::Index if number & 8 != 0 => (byte >> 7) * 0xff,
            _ => byte,
        };
        all | byte << (8 * k)
    })
}

/// Bit by bit an entry of a table of eight.
pub(super) fn table(a: u32, b: u32, c: u32, table: u8) -> u32 {
    (0..8_u32).filter(|entry| table >> entry & 1 != 0).fold(0, |all, entry| {
        let side = |word: u32, bit: u32| if entry >> bit & 1 != 0 { word } else { !word };
        all | side(a, 2) & side(b, 1) & side(c, 0)
    })
}
