//! How registers, sources, swizzles and operations are written, in tables made at compile time, but for the largest.

use super::table::AluOp;
use std::sync::LazyLock;
use unshade_isa_common::text::Short;

/// Text of at most 22 letters, with its length.
type Letters = ([u8; 22], usize);

const EMPTY: Letters = ([0; 22], 0);

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

const fn append(mut text: Letters, more: &str) -> Letters {
    let bytes = more.as_bytes();
    let mut n = 0;
    while n < bytes.len() {
        text.0[text.1] = bytes[n];
        text.1 += 1;
        n += 1;
    }
    text
}

const fn number(mut text: Letters, value: usize) -> Letters {
    let mut place = 100;
    while place > 0 {
        if value >= place || place == 1 {
            text.0[text.1] = b'0' + (value / place % 10) as u8;
            text.1 += 1;
        }
        place /= 10;
    }
    text
}

const LETTERS: [&str; 4] = [".x", ".y", ".z", ".w"];

/// Registers, cached constants and the constant file, by selector and component, with a comma in front.
static SOURCE_LETTERS: [Letters; 2048] = {
    let mut all = [EMPTY; 2048];
    let mut n = 0;
    while n < 2048 {
        let sel = n / 4;
        let mut text = append(EMPTY, ", ");
        text = if sel < 128 {
            number(append(text, "R"), sel)
        } else if sel < 160 {
            append(number(append(text, "KC0["), sel - 128), "]")
        } else if sel < 192 {
            append(number(append(text, "KC1["), sel - 160), "]")
        } else if sel >= 256 {
            number(append(text, "C"), sel - 256)
        } else {
            text
        };
        all[n] = append(text, LETTERS[n % 4]);
        n += 1;
    }
    all
};

/// Destinations by register and component.
static REGISTER_LETTERS: [Letters; 512] = {
    let mut all = [EMPTY; 512];
    let mut n = 0;
    while n < 512 {
        all[n] = append(number(append(EMPTY, "R"), n / 4), LETTERS[n % 4]);
        n += 1;
    }
    all
};

static OPERATION_LETTERS: [Letters; 0x120] = {
    let mut all = [EMPTY; 0x120];
    let mut n = 0;
    while n < AluOp::NUMBERS.len() {
        let mut text = append(EMPTY, AluOp::INFOS[n].name);
        while text.1 < 15 {
            text = append(text, " ");
        }
        all[AluOp::NUMBERS[n] as usize] = append(text, " ");
        n += 1;
    }
    all
};

/// What stands for the four components of a target: letters, constants, or nothing, three bits each.
pub(super) const SELECTS: &[u8; 8] = b"xyzw01?_";

/// The selects of a destination that is not written.
pub(super) const MASKED: u32 = 0o7777;

/// The 4,096 texts of four selects, made when the first of them is asked for: as tables in the program they would be a hundredth of
/// what a page with it has to fetch.
static SELECT_LETTERS: LazyLock<Vec<[u8; 5]>> = LazyLock::new(|| {
    let letter = |selects: usize, lane: usize| SELECTS[selects >> (3 * lane) & 7];
    (0..4096).map(|n| [b'.', letter(n, 0), letter(n, 1), letter(n, 2), letter(n, 3)]).collect()
});

static SELECTED: LazyLock<Vec<Short<'static>>> = LazyLock::new(|| {
    let texts = SELECT_LETTERS.iter().map(|letters| core::str::from_utf8(letters).unwrap_or_default());
    texts.map(Short::new).collect()
});

/// Four selects, three bits each from the lowest on: `.xy0_`.
#[inline]
pub(super) fn selected(selects: u32) -> &'static Short<'static> {
    &SELECTED[selects as usize % 4096]
}

/// Numbers that groups have in ordinary programs.
const GROUPS: usize = 1000;

static HEAD_LETTERS: [Letters; GROUPS] = {
    let mut all = [EMPTY; GROUPS];
    let mut n = 0;
    while n < GROUPS {
        let mut text = number(append(EMPTY, "  "), n);
        while text.1 < 5 {
            text = append(text, " ");
        }
        all[n] = text;
        n += 1;
    }
    all
};

static PREVIOUS_LETTERS: [Letters; GROUPS] = {
    let mut all = [EMPTY; GROUPS];
    let mut n = 0;
    while n < GROUPS {
        all[n] = number(append(EMPTY, ", PV"), n);
        n += 1;
    }
    all
};

/// Starts of the first lines of groups.
pub(super) static HEADS: [Short<'static>; GROUPS] = shorts(&HEAD_LETTERS);
/// Results of vector units of groups, with a comma in front.
pub(super) static PREVIOUS: [Short<'static>; GROUPS] = shorts(&PREVIOUS_LETTERS);
/// Sources by selector and component, with a comma in front; only those that are registers or constants.
pub(super) static SOURCES: [Short<'static>; 2048] = shorts(&SOURCE_LETTERS);
/// Destinations by register and component.
pub(super) static REGISTERS: [Short<'static>; 512] = shorts(&REGISTER_LETTERS);
/// Names of arithmetic operations by number, filled up to 16 letters; empty where there is none.
pub(super) static OPERATIONS: [Short<'static>; 0x120] = shorts(&OPERATION_LETTERS);
/// Components.
pub(super) static COMPONENTS: [Short<'static>; 4] = Short::all(LETTERS);
/// Starts of lines of a group behind the first.
pub(super) static UNITS: [Short<'static>; 5] = Short::all([" x: ", " y: ", " z: ", " w: ", " t: "]);
/// The same with the room of the group's number.
pub(super) static FURTHER: [Short<'static>; 5] =
    Short::all(["      x: ", "      y: ", "      z: ", "      w: ", "      t: "]);
/// Constants from selector 248 on, as decaf writes them.
pub(super) static CONSTANTS: [Short<'static>; 5] = Short::all(["0.0f", "1.0f", "1", "-1", "0.5f"]);
/// What the index is, by the index mode.
pub(super) const INDICES: [&str; 8] =
    ["[AR.x]", "[AR.y]", "[AR.z]", "[AR.w]", "[AL]", "[GLOBAL]", "[GLOBAL+AR.x]", "[INDEX7]"];
/// Factors of a result.
pub(super) const FACTORS: [&str; 4] = ["", "*2", "*4", "/2"];

/// Targets of exports by kind, each with the number of its first place.
pub(super) const EXPORTS: [(&str, u32); 4] = [("PIX", 0), ("POS", 60), ("PARAM", 0), ("INVALID", 0)];

/// Names that decaf has for selectors of other chips of the family.
pub(super) const OTHER_SOURCES: [(&str, u32); 26] = [
    ("LDS_OQ_A_POP", 221),
    ("LDS_OQ_B_POP", 222),
    ("LDS_OQ_A", 219),
    ("LDS_OQ_B", 220),
    ("LDS_DIRECT_A", 223),
    ("LDS_DIRECT_B", 224),
    ("TIME_HI", 227),
    ("TIME_LO", 228),
    ("MASK_HI", 229),
    ("MASK_LO", 230),
    ("HW_WAVE_ID", 231),
    ("SIMD_ID", 232),
    ("SE_ID", 233),
    ("HW_THREADGRP_ID", 234),
    ("WAVE_ID_IN_GRP", 235),
    ("NUM_THREADGRP_WAVES", 236),
    ("HW_ALU_ODD", 237),
    ("AL", 238),
    ("PARAM_BASE_ADDR", 240),
    ("NEW_PRIM_MASK", 241),
    ("PRIM_MASK_HI", 242),
    ("PRIM_MASK_LO", 243),
    ("1.0_L", 244),
    ("1.0_M", 245),
    ("0.5_L", 246),
    ("0.5_M", 247),
];

/// The entry with that number; tables are as long as their field.
#[inline(always)]
pub(super) fn pick<T, const N: usize>(table: &'static [T; N], number: u32) -> &'static T {
    &table[number as usize % N]
}

/// The word with that number; tables are as long as their field.
#[inline]
pub(super) fn word<const N: usize>(table: &[&'static str; N], number: u32) -> &'static str {
    table[number as usize % N]
}
