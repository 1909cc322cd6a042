//! The numbers of registers and meanings that the tables of a SHBIN use.

use crate::shared::encoding::Spelling;
use std::fmt;
use unshade_stage::Space;

/// How many registers of each class the hardware has.
pub const fn class_size(space: Space) -> u32 {
    match space {
        Space::Float => 96,
        Space::Int => 4,
        _ => 16,
    }
}

/// A register of the uniform table, which numbers all classes in one row: 0x00-0x0F v0-v15, 0x10-0x6F
/// c0-c95, 0x70-0x73 i0-i3, 0x78-0x87 b0-b15. Source: 3dbrew; verified on picasso's and nihstro's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unified(pub u16);

impl Unified {
    /// Class and number in it; `None` for 0x74-0x77 and 0x88 up, which name nothing.
    pub fn class(self) -> Option<(Space, u32)> {
        let (space, first) = match self.0 {
            0x00..=0x0F => (Space::Input, 0),
            0x10..=0x6F => (Space::Float, 0x10),
            0x70..=0x73 => (Space::Int, 0x70),
            0x78..=0x87 => (Space::Bool, 0x78),
            _ => return None,
        };
        Some((space, u32::from(self.0.saturating_sub(first))))
    }

    /// The number of register `number` of a class; `None` where the class has no such register here.
    pub fn of(space: Space, number: u32) -> Option<Self> {
        let first = match space {
            Space::Input => 0x00,
            Space::Float => 0x10,
            Space::Int => 0x70,
            Space::Bool => 0x78,
            _ => return None,
        };
        let number = u16::try_from(number).ok().filter(|_| number < class_size(space))?;
        Some(Self(number.saturating_add(first)))
    }

    /// The register that `text` names, as [`fmt::Display`] writes it: `c12`, or `0x75` for one without a
    /// class.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(digits) = text.strip_prefix("0x") {
            return u16::from_str_radix(digits, 16).ok().map(Self);
        }
        let mut characters = text.chars();
        let space = match characters.next()? {
            'v' => Space::Input,
            'c' => Space::Float,
            'i' => Space::Int,
            'b' => Space::Bool,
            _ => return None,
        };
        Self::of(space, characters.as_str().parse().ok()?)
    }
}

impl fmt::Display for Unified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.class() {
            Some((space, number)) => write!(f, "{}{number}", letter(space)),
            None => write!(f, "{:#x}", self.0),
        }
    }
}

/// The letter of a register class: `v`, `o`, `c`, `i`, `b`.
pub const fn letter(space: Space) -> char {
    match space {
        Space::Input => 'v',
        Space::Output => 'o',
        Space::Int => 'i',
        Space::Bool => 'b',
        _ => 'c',
    }
}

/// Meanings of output registers by their number in the output table; 7 and everything from 10 up has no
/// name in any source.
const SEMANTICS: [Option<&str>; 10] = [
    Some("position"),
    Some("normalquat"),
    Some("color"),
    Some("texcoord0"),
    Some("texcoord0w"),
    Some("texcoord1"),
    Some("texcoord2"),
    None,
    Some("view"),
    Some("dummy"),
];

/// The name of an output's meaning; `unknownN` where no source names it.
pub fn semantic_name(semantic: u16) -> String {
    match SEMANTICS.get(usize::from(semantic)).copied().flatten() {
        Some(name) => name.to_owned(),
        None => format!("unknown{semantic}"),
    }
}

/// The number of the meaning that [`semantic_name`] calls `name`.
pub fn semantic_number(name: &str) -> Option<u16> {
    if let Some(digits) = name.strip_prefix("unknown") {
        return digits.parse().ok().filter(|&number| semantic_name(number) == name);
    }
    let at = SEMANTICS.iter().position(|known| *known == Some(name))?;
    u16::try_from(at).ok()
}

/// Components of an output mask as letters, bit 0 = x: `xyw`; `-` for none.
pub fn mask_letters(mask: u16) -> String {
    let letters: String = ['x', 'y', 'z', 'w']
        .into_iter()
        .zip(0..)
        .filter(|&(_, bit)| mask >> bit & 1 == 1)
        .map(|(c, _)| c)
        .collect();
    if letters.is_empty() { "-".to_owned() } else { letters }
}

/// Registers of one class as the tables of a SHBIN print them: the letter of the class and a number.
#[derive(Debug)]
pub struct Numbered(pub char);

impl Spelling for Numbered {
    fn takes(&self) -> String {
        format!("a register such as {}0", self.0)
    }

    fn read(&self, text: &str, _: u64) -> Option<u64> {
        text.strip_prefix(self.0)?.parse().ok()
    }
}

/// Registers of the uniform table.
#[derive(Debug)]
pub struct AnyRegister;

impl Spelling for AnyRegister {
    fn takes(&self) -> String {
        "a register (v0-v15, c0-c95, i0-i3, b0-b15)".to_owned()
    }

    fn read(&self, text: &str, _: u64) -> Option<u64> {
        Unified::parse(text).map(|register| register.0.into())
    }
}

/// Meanings of outputs.
#[derive(Debug)]
pub struct Semantic;

impl Spelling for Semantic {
    fn takes(&self) -> String {
        let known: Vec<_> = SEMANTICS.iter().flatten().copied().collect();
        known.join(", ")
    }

    fn read(&self, text: &str, _: u64) -> Option<u64> {
        semantic_number(text).map(u64::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unified_numbers_both_ways() {
        for number in 0..=u16::MAX {
            let register = Unified(number);
            assert_eq!(Unified::parse(&register.to_string()), Some(register));
            if let Some((space, index)) = register.class() {
                assert_eq!(Unified::of(space, index), Some(register));
            }
        }
        let names: Vec<String> =
            [0, 0xF, 0x10, 0x6F, 0x73, 0x74, 0x78, 0x87, 0x88].map(|n| Unified(n).to_string()).into();
        assert_eq!(names, ["v0", "v15", "c0", "c95", "i3", "0x74", "b0", "b15", "0x88"]);
        assert_eq!((Unified::parse("c96"), Unified::parse("o1"), Unified::parse("")), (None, None, None));
    }

    #[test]
    fn semantics_both_ways() {
        for number in 0..=u16::MAX {
            assert_eq!(semantic_number(&semantic_name(number)), Some(number));
        }
        assert_eq!((semantic_name(4), semantic_name(7)), ("texcoord0w".to_owned(), "unknown7".to_owned()));
        assert_eq!(semantic_number("unknown1"), None);
    }

    #[test]
    fn masks_start_with_x() {
        assert_eq!((mask_letters(0b1011), mask_letters(0)), ("xyw".to_owned(), "-".to_owned()));
    }
}
