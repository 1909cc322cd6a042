//! How registers, components, masks and swizzles are written, in tables made at compile time.

use super::table::{ADD_OPS, COMBINE_OPS, MUL_OPS, REGISTERS, Row};
use unshade_isa_common::text::Short;

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

/// Text of at most sixteen letters, with its length.
type Long = ([u8; 16], usize);

/// Mnemonics by the number of the operation and the change of the result.
pub(super) type Mnemonics = [[Short<'static>; 4]; 32];
type MnemonicLetters = [[Long; 4]; 32];

/// What a multiply's number says besides, by number.
pub(super) const SCALES: [&str; 8] = ["", ".x2", ".x4", ".x8", ".d16", ".d8", ".d4", ".d2"];
/// Changes of results.
const OUTMODS: [&str; 4] = ["", ".sat", ".pos", ".int"];

const fn append(mut text: Long, more: &str) -> Long {
    let bytes = more.as_bytes();
    let mut n = 0;
    while n < bytes.len() {
        text.0[text.1] = bytes[n];
        text.1 += 1;
        n += 1;
    }
    text
}

/// The name of an operation, or `op` and its number.
const fn base(rows: &[Row], number: usize) -> Long {
    let mut n = 0;
    while n < rows.len() {
        if rows[n].first as usize <= number && number <= rows[n].last as usize {
            return append(([0; 16], 0), rows[n].name);
        }
        n += 1;
    }
    let mut text = append(([0; 16], 0), "op");
    if number >= 10 {
        text.0[text.1] = b'0' + (number / 10) as u8;
        text.1 += 1;
    }
    text.0[text.1] = b'0' + (number % 10) as u8;
    text.1 += 1;
    text
}

/// `unsummed`: the sums are unknown to this unit. `scaled`: shifts of a multiply are in its name.
const fn letters(rows: &[Row], unit: &str, unsummed: bool, scaled: bool) -> MnemonicLetters {
    let mut all = [[([0; 16], 0); 4]; 32];
    let mut number = 0;
    while number < 32 {
        let known = if unsummed && (number == 16 || number == 17) { &[] } else { rows };
        let mut name = base(known, number);
        if scaled && number < 8 {
            name = append(name, SCALES[number]);
        }
        let mut outmod = 0;
        while outmod < 4 {
            all[number][outmod] = append(append(name, OUTMODS[outmod]), unit);
            outmod += 1;
        }
        number += 1;
    }
    all
}

const fn mnemonics(letters: &'static MnemonicLetters) -> Mnemonics {
    let mut all = [[Short::new(""); 4]; 32];
    let mut number = 0;
    while number < 32 {
        let mut outmod = 0;
        while outmod < 4 {
            let (bytes, length) = &letters[number][outmod];
            if let Ok(text) = core::str::from_utf8(bytes.split_at(*length).0) {
                all[number][outmod] = Short::new(text);
            }
            outmod += 1;
        }
        number += 1;
    }
    all
}

macro_rules! mnemonic_tables {
    ($($(#[$doc:meta])* $name:ident, $letters:ident = $rows:ident, $unit:literal, $unsummed:literal, $scaled:literal;)*) => {$(
        static $letters: MnemonicLetters = letters($rows, $unit, $unsummed, $scaled);
        $(#[$doc])*
        pub(super) static $name: Mnemonics = mnemonics(&$letters);
    )*};
}

mnemonic_tables! {
    /// Vector multiply in the native text.
    VECTOR_MUL, VECTOR_MUL_LETTERS = MUL_OPS, ".v0", false, true;
    /// Multiply in the native text.
    FLOAT_MUL, FLOAT_MUL_LETTERS = MUL_OPS, ".s0", false, true;
    /// Vector add.
    VECTOR_ADD, VECTOR_ADD_LETTERS = ADD_OPS, ".v1", false, false;
    /// Add.
    FLOAT_ADD, FLOAT_ADD_LETTERS = ADD_OPS, ".s1", true, false;
    /// Functions of a component.
    COMBINE, COMBINE_LETTERS = COMBINE_OPS, ".s2", false, false;
    /// The same with a vector destination.
    COMBINE_VECTOR, COMBINE_VECTOR_LETTERS = COMBINE_OPS, ".v2", false, false;
    /// Vector multiply in Mesa's text.
    LIMA_VECTOR_MUL, LIMA_VECTOR_MUL_LETTERS = MUL_OPS, ".v0 ", false, false;
    /// Multiply in Mesa's text.
    LIMA_FLOAT_MUL, LIMA_FLOAT_MUL_LETTERS = MUL_OPS, ".s0 ", false, false;
    /// Vector add in Mesa's text.
    LIMA_VECTOR_ADD, LIMA_VECTOR_ADD_LETTERS = ADD_OPS, ".v1 ", false, false;
    /// Add in Mesa's text.
    LIMA_FLOAT_ADD, LIMA_FLOAT_ADD_LETTERS = ADD_OPS, ".s1 ", true, false;
    /// Combine in Mesa's text. Its list of names ends before the number does, and behind it in memory lie
    /// those of the add units.
    LIMA_COMBINE, LIMA_COMBINE_LETTERS = LIMA_COMBINE_OPS, ".s2 ", false, false;
}

const LIMA_COMBINE_OPS: &[Row] = &{
    let mut rows = [Row { name: "", first: 255, last: 0, sources: 0 }; 12];
    let mut n = 0;
    while n < COMBINE_OPS.len() {
        rows[n] = COMBINE_OPS[n];
        n += 1;
    }
    rows[n] = Row { first: 10, last: 10, ..ADD_OPS[0] };
    rows[n + 1] = Row { first: 14, last: 14, ..ADD_OPS[1] };
    rows
};

/// One of a table of mnemonics.
#[inline]
pub(super) fn mnemonic(table: &'static Mnemonics, op: u32, outmod: u32) -> &'static Short<'static> {
    &table[op as usize % 32][outmod as usize % 4]
}

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
        assert_eq!(mnemonic(&VECTOR_MUL, 7, 1).text(), "mul.d2.sat.v0");
        assert_eq!(mnemonic(&FLOAT_ADD, 16, 0).text(), "op16.s1");
        assert_eq!(mnemonic(&VECTOR_ADD, 16, 3).text(), "sum3.int.v1");
        assert_eq!(mnemonic(&LIMA_VECTOR_MUL, 7, 1).text(), "mul.sat.v0 ");
        assert_eq!(
            ["add.s2 ", "op11.s2 ", "fract.s2 "],
            [10, 11, 14].map(|op| mnemonic(&LIMA_COMBINE, op, 0).text())
        );
    }
}
