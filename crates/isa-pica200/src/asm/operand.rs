//! Operands: registers with offset, index, sign and swizzle; conditions; comparison names.
//!
//! Written `-name[index].swizzle`, where `name` is a register or an alias. Nothing here knows the state of
//! an assembly but the aliases, which come in through [`Names`]; without any, pass `&()`.

use super::plain::{Plain, plain, short_swizzle};
use crate::{Compare, Condition, Dest, Index, Reg, Swizzle};
use std::fmt;
use unshade_isa_common::assembly::lexer::Piece;
use unshade_isa_common::assembly::number;

pub use unshade_isa_common::assembly::{Problem, Result};

/// What kind of register it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// v0-v15, read only.
    Input,
    /// o0-o15, write only.
    Output,
    /// r0-r15.
    Temp,
    /// c0-c95, read only.
    Float,
    /// i0-i3, for loops.
    Int,
    /// b0-b15, for conditions.
    Bool,
}

impl Class {
    /// The letter that registers of this class start with.
    pub fn letter(self) -> char {
        match self {
            Self::Input => 'v',
            Self::Output => 'o',
            Self::Temp => 'r',
            Self::Float => 'c',
            Self::Int => 'i',
            Self::Bool => 'b',
        }
    }

    /// The class of a lower-case letter.
    pub fn of_letter(letter: u8) -> Option<Self> {
        Some(match letter {
            b'v' => Self::Input,
            b'o' => Self::Output,
            b'r' => Self::Temp,
            b'c' => Self::Float,
            b'i' => Self::Int,
            b'b' => Self::Bool,
            _ => return None,
        })
    }

    /// How many registers there are.
    pub fn count(self) -> u8 {
        match self {
            Self::Input | Self::Output | Self::Temp | Self::Bool => 16,
            Self::Float => 96,
            Self::Int => 4,
        }
    }

    /// What to call it in a message: `an input register`.
    pub fn article(self) -> &'static str {
        match self {
            Self::Input => "an input register",
            Self::Output => "an output register",
            Self::Temp => "a temporary register",
            Self::Float => "a float uniform",
            Self::Int => "an integer uniform",
            Self::Bool => "a bool uniform",
        }
    }
}

/// A register of the language; `number` is below [`Class::count`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register {
    /// Its class.
    pub class: Class,
    /// Its number in the class.
    pub number: u8,
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.class.letter(), self.number)
    }
}

impl Register {
    /// As a source, if it can be one.
    pub fn source(self) -> Option<Reg> {
        match self.class {
            Class::Input => Some(Reg::input(self.number)),
            Class::Temp => Some(Reg::temp(self.number)),
            Class::Float => Some(Reg::float(self.number)),
            Class::Output | Class::Int | Class::Bool => None,
        }
    }

    /// As a destination, if it can be one.
    pub fn dest(self) -> Option<Dest> {
        match self.class {
            Class::Output => Some(Dest(self.number & 0x0F)),
            Class::Temp => Some(Dest(0x10 | self.number & 0x0F)),
            _ => None,
        }
    }
}

/// What an alias stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alias {
    /// The (first) register.
    pub register: Register,
    /// Swizzle that every use starts from.
    pub swizzle: Swizzle,
    /// Sign that every use starts from.
    pub negate: bool,
    /// How many registers it covers: above 1 for arrays.
    pub size: u8,
}

impl Alias {
    /// A plain name of one register.
    pub fn of(register: Register) -> Self {
        Self { register, swizzle: Swizzle::IDENTITY, negate: false, size: 1 }
    }
}

/// Where [`operand`] looks names up. Names come before registers, so a name like `c5` hides the register.
pub trait Names {
    /// What the name stands for.
    fn find(&self, name: &str) -> Option<Alias>;

    /// Whether a name may have the form of a register.
    fn hides_registers(&self) -> bool {
        true
    }
}

/// No aliases.
impl Names for () {
    fn find(&self, _: &str) -> Option<Alias> {
        None
    }

    fn hides_registers(&self) -> bool {
        false
    }
}

/// A register operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand<'a> {
    /// The register, offset and alias applied.
    pub register: Register,
    /// Relative addressing; not yet checked against class or place.
    pub index: Index,
    /// Whether it is negated, sign of the alias included.
    pub negate: bool,
    /// The swizzle, that of the alias included.
    pub swizzle: Swizzle,
    /// The text of the operand.
    pub piece: Piece<'a>,
    /// The register was reached through an alias.
    pub by_name: bool,
    /// A swizzle stands at the operand itself.
    pub has_letters: bool,
    /// Things that are legal but deserve a warning.
    pub doubt: Option<Doubt>,
}

/// What may be a mistake in an operand that assembles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// The number was read as octal: `r010` is r8.
    Octal,
    /// The offset leads past the end of the array that the name stands for.
    PastArray,
}

impl Operand<'_> {
    /// The destination mask that the swizzle stands for, in descriptor order (bit 3 = x): the set of its
    /// letters.
    pub fn mask(&self) -> u8 {
        mask(self.swizzle)
    }

    /// Whether the letters stand in the order of the components, as they should in a mask.
    pub fn mask_is_ordered(&self) -> bool {
        mask_is_ordered(self.swizzle)
    }
}

pub(super) fn mask(letters: Swizzle) -> u8 {
    (0..4).fold(0, |mask, lane| mask | 8 >> letters.component(lane))
}

pub(super) fn mask_is_ordered(letters: Swizzle) -> bool {
    (1..4).all(|lane| letters.component(lane - 1) <= letters.component(lane))
}

/// Whether a name has the form of a register: a register letter in either case and a digit.
pub fn looks_like_register(name: &str) -> bool {
    matches!(name.as_bytes(), [letter, digit, ..]
        if Class::of_letter(letter.to_ascii_lowercase()).is_some() && digit.is_ascii_digit())
}

/// Reads a register operand.
///
/// # Errors
/// Unknown name, register out of its class, bad index or swizzle, or text that belongs to nothing.
pub fn operand<'a>(piece: Piece<'a>, names: &impl Names) -> Result<Operand<'a>> {
    match plain(piece.text, names) {
        Some((Plain { register, negate, swizzle, by_name, has_letters }, "")) => Ok(Operand {
            register,
            index: Index::None,
            negate,
            swizzle,
            piece,
            by_name,
            has_letters,
            doubt: None,
        }),
        _ => any_operand(piece, names),
    }
}

fn any_operand<'a>(piece: Piece<'a>, names: &impl Names) -> Result<Operand<'a>> {
    let mut body = piece;
    let mut negate = false;
    if body.first() == Some(b'-') {
        negate = true;
        body = body.skip(1).trim_start();
    }
    let end = body.text.bytes().position(|b| b == b'[' || b == b'.').unwrap_or(body.text.len());
    let name = body.take(end).trim_end();
    let mut rest = body.skip(end);
    let mut index = Index::None;
    let mut offset = 0;
    if rest.first() == Some(b'[') {
        let Some((inside, after)) = rest.skip(1).split(b']') else {
            return Err(Problem::new("pica200.asm.syntax", rest.span(), "`[` without `]`"));
        };
        (index, offset) = subscript(inside.trim())?;
        rest = after.trim_start();
    }
    let mut letters = Swizzle::IDENTITY;
    let has_letters = rest.first() == Some(b'.');
    if has_letters {
        letters = swizzle(rest.skip(1))?;
    } else if !rest.is_empty() {
        let message = format!("unexpected `{}` behind the index", rest.text);
        return Err(Problem::new("pica200.asm.trailing-text", rest.span(), message));
    }
    let (alias, by_name, octal) = match names.find(name.text) {
        Some(alias) => (alias, true, false),
        None => register(name).map(|(register, octal)| (Alias::of(register), false, octal))?,
    };
    let number = i64::from(alias.register.number).saturating_add(offset);
    let class = alias.register.class;
    if !(0..i64::from(class.count())).contains(&number) {
        let message = format!(
            "`{}` is past the last register: {} ends at {}{}",
            piece.text,
            alias.register,
            class.letter(),
            class.count() - 1
        );
        return Err(Problem::new("pica200.asm.register-range", piece.span(), message));
    }
    let doubt = if octal {
        Some(Doubt::Octal)
    } else if alias.size > 1 && index == Index::None && offset >= i64::from(alias.size) {
        Some(Doubt::PastArray)
    } else {
        None
    };
    Ok(Operand {
        register: Register { class, number: number as u8 },
        index,
        negate: negate ^ alias.negate,
        swizzle: compose(alias.swizzle, letters),
        piece,
        by_name,
        has_letters,
        doubt,
    })
}

/// The swizzle that taking `outer` of `inner` makes.
pub(super) fn compose(inner: Swizzle, outer: Swizzle) -> Swizzle {
    if inner == Swizzle::IDENTITY {
        return outer;
    }
    Swizzle::new([0, 1, 2, 3].map(|lane| inner.component(outer.component(lane)) as u8))
}

/// A register name, and whether its number was written in octal.
fn register(name: Piece<'_>) -> Result<(Register, bool)> {
    let unknown = || {
        let message = if name.is_empty() {
            "a register is missing here".to_string()
        } else {
            format!("`{}` is neither a register nor a known name", name.text)
        };
        Problem::new("pica200.asm.unknown-name", name.span(), message)
    };
    if !looks_like_register(name.text) {
        return Err(unknown());
    }
    let Some(class) = name.first().and_then(Class::of_letter) else {
        let message = format!("register letters are lower case: write `{}`", name.text.to_ascii_lowercase());
        return Err(Problem::new("pica200.asm.capital-register", name.span(), message).note(
            "picasso takes this for the register with that number in the common numbering, v or o first",
        ));
    };
    let digits = name.skip(1);
    let Some((number, rest)) = number::c_integer(digits) else { return Err(unknown()) };
    if !rest.is_empty() {
        let message = format!("unexpected `{}` behind a register", rest.trim().text);
        let mut problem = Problem::new("pica200.asm.trailing-text", rest.trim().span(), message);
        if digits.first() == Some(b'0') && digits.text.bytes().all(|b| b.is_ascii_digit()) {
            problem = problem.note("a number that starts with 0 is octal");
        }
        return Err(problem);
    }
    if !(0..i64::from(class.count())).contains(&number) {
        let letter = class.letter();
        let message =
            format!("there is no `{}`: {letter}0 to {letter}{} exist", name.text, class.count() - 1);
        return Err(Problem::new("pica200.asm.register-range", name.span(), message));
    }
    let octal = number > 0 && digits.first() == Some(b'0') && digits.text.bytes().all(|b| b.is_ascii_digit());
    let octal = octal && digits.text.trim_start_matches('0') != number.to_string();
    Ok((Register { class, number: number as u8 }, octal))
}

/// What stands between brackets: an index register, an offset, or both joined by `+`.
fn subscript(inside: Piece<'_>) -> Result<(Index, i64)> {
    let index = |name: Piece<'_>| {
        Some(match name {
            _ if name.is("a0.x") || name.is("a0") => Index::A0X,
            _ if name.is("a0.y") || name.is("a1") => Index::A0Y,
            _ if name.is("al") || name.is("lcnt") || name.is("a2") => Index::AL,
            _ => return None,
        })
    };
    if let Some(index) = index(inside) {
        return Ok((index, 0));
    }
    let (index, offset) = match inside.split(b'+') {
        Some((name, offset)) => {
            let name = name.trim();
            let Some(index) = index(name) else {
                let message = format!("`{}` is no index register: a0.x, a0.y and aL are", name.text);
                return Err(Problem::new("pica200.asm.index", name.span(), message));
            };
            (index, offset.trim())
        }
        None => (Index::None, inside),
    };
    if offset.is_empty() {
        return Ok((index, 0));
    }
    match number::decimal_integer(offset) {
        Some((value, rest)) if rest.is_empty() => Ok((index, value)),
        _ => {
            let message = format!("`{}` is no offset", offset.text);
            Err(Problem::new("pica200.asm.index", offset.span(), message)
                .note("an index is written [n], [a0.x] or [a0.x+n], with n in decimal"))
        }
    }
}

/// Reads one to four letters of xyzw, rgba or stpq, in either case; the last one repeats.
///
/// # Errors
/// No letter, more than four, or another character.
pub fn swizzle(letters: Piece<'_>) -> Result<Swizzle> {
    short_swizzle(letters.text.as_bytes()).ok_or_else(|| {
        let message = format!("`.{}` is no swizzle", letters.text);
        Problem::new("pica200.asm.swizzle", letters.span(), message)
            .note("a swizzle is one to four letters of xyzw, rgba or stpq")
    })
}

/// Reads a condition on the compare flags: `[!]cmp.x`, `[!]cmp.y`, or both joined by `&`, `&&`, `|`, `||`.
/// Flags without effect are set, as the reference assembler does.
///
/// # Errors
/// Something else than a flag, or one flag twice.
pub fn condition(piece: Piece<'_>) -> Result<Condition> {
    let joint = piece.text.bytes().position(|b| b == b'&' || b == b'|');
    let Some(joint) = joint else {
        let (which, value) = flag(piece)?;
        let (ref_x, ref_y) = if which == 0 { (value, true) } else { (true, value) };
        return Ok(Condition { op: 2 + which, ref_x, ref_y });
    };
    let kind = piece.text.as_bytes().get(joint).copied();
    let mut second = piece.skip(joint + 1);
    if second.first() == kind {
        second = second.skip(1);
    }
    let (first, a) = flag(piece.take(joint).trim())?;
    let (second, b) = flag(second.trim())?;
    if first == second {
        return Err(Problem::new("pica200.asm.condition", piece.span(), "one flag is asked twice"));
    }
    let (ref_x, ref_y) = if first == 0 { (a, b) } else { (b, a) };
    Ok(Condition { op: u8::from(kind == Some(b'&')), ref_x, ref_y })
}

/// One flag: 0 for cmp.x, 1 for cmp.y, and the value that it must have.
fn flag(piece: Piece<'_>) -> Result<(u8, bool)> {
    let mut name = piece;
    let mut value = true;
    while name.first() == Some(b'!') {
        name = name.skip(1).trim_start();
        value = !value;
    }
    if name.is("cmp.x") {
        Ok((0, value))
    } else if name.is("cmp.y") {
        Ok((1, value))
    } else {
        let message = format!("`{}` is no condition flag: cmp.x and cmp.y are", piece.text);
        Err(Problem::new("pica200.asm.condition", piece.span(), message))
    }
}

/// Reads a comparison name: `eq ne lt le gt ge`.
///
/// # Errors
/// Another word.
pub fn compare(piece: Piece<'_>) -> Result<Compare> {
    Ok(match piece {
        _ if piece.is("eq") => Compare::Eq,
        _ if piece.is("ne") => Compare::Ne,
        _ if piece.is("lt") => Compare::Lt,
        _ if piece.is("le") => Compare::Le,
        _ if piece.is("gt") => Compare::Gt,
        _ if piece.is("ge") => Compare::Ge,
        _ => {
            let message = format!("`{}` is no comparison: eq, ne, lt, le, gt and ge are", piece.text);
            return Err(Problem::new("pica200.asm.comparison", piece.span(), message));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(&'static str, Alias);
    impl Names for One {
        fn find(&self, name: &str) -> Option<Alias> {
            (name == self.0).then_some(self.1)
        }
    }

    fn read(text: &str) -> Operand<'_> {
        operand(Piece::new(text), &()).unwrap()
    }

    fn refused(text: &str) -> String {
        operand(Piece::new(text), &()).unwrap_err().message.into_owned()
    }

    #[test]
    fn registers_carry_offset_index_sign_and_swizzle() {
        let a = read("-c8 [ a0.y + 4 ] .wZg");
        assert_eq!((a.register.to_string(), a.index, a.negate), ("c12".into(), Index::A0Y, true));
        assert_eq!(a.swizzle, Swizzle::new([3, 2, 1, 1]));
        assert_eq!(read("v14[1]").register.to_string(), "v15");
        assert_eq!(read("r4[-2]").register.to_string(), "r2");
        assert_eq!(read("c0x10").register.to_string(), "c16");
        assert_eq!((read("r010").register.number, read("r010").doubt), (8, Some(Doubt::Octal)));
        assert_eq!(read("r07").doubt, None);
        assert_eq!(read("c1[lcnt]").index, Index::AL);
    }

    #[test]
    fn aliases_compose() {
        let alias = Alias {
            register: Register { class: Class::Float, number: 2 },
            swizzle: Swizzle::new([3, 1, 0, 2]),
            negate: true,
            size: 4,
        };
        let names = One("m", alias);
        let a = operand(Piece::new("-m[3].xxww"), &names).unwrap();
        assert_eq!((a.register.number, a.negate, a.swizzle), (5, false, Swizzle::new([3, 3, 2, 2])));
        assert_eq!(operand(Piece::new("m[4]"), &names).unwrap().doubt, Some(Doubt::PastArray));
    }

    #[test]
    fn masks_are_sets() {
        assert_eq!((read("o0.xyz").mask(), read("o0.xyz").mask_is_ordered()), (0b1110, true));
        assert_eq!((read("o0.wx").mask(), read("o0.wx").mask_is_ordered()), (0b1001, false));
    }

    #[test]
    fn what_is_no_operand_says_why() {
        assert_eq!(refused("R5"), "register letters are lower case: write `r5`");
        assert_eq!(refused("r15[1]"), "`r15[1]` is past the last register: r15 ends at r15");
        assert_eq!(refused("r1abc"), "unexpected `abc` behind a register");
        assert_eq!(refused("r08"), "unexpected `8` behind a register");
        assert_eq!(refused("i4"), "there is no `i4`: i0 to i3 exist");
        assert_eq!(refused("c96"), "there is no `c96`: c0 to c95 exist");
        assert_eq!(refused("foo"), "`foo` is neither a register nor a known name");
        assert_eq!(refused(""), "a register is missing here");
        assert_eq!(refused("r0."), "`.` is no swizzle");
        assert_eq!(refused("r0.xyzwx"), "`.xyzwx` is no swizzle");
        assert_eq!(refused("r0[1"), "`[` without `]`");
        assert_eq!(refused("c0[foo]"), "`foo` is no offset");
        assert_eq!(refused("c0[b+1]"), "`b` is no index register: a0.x, a0.y and aL are");
        assert_eq!(refused("c0[a0.x-1]"), "`a0.x-1` is no offset");
        assert_eq!(refused("c0[1]x.y"), "unexpected `x.y` behind the index");
        assert_eq!(
            refused("c0[99999999999999999999]"),
            "`c0[99999999999999999999]` is past the last register: c0 ends at c95"
        );
    }

    #[test]
    fn conditions_and_comparisons() {
        let read = |text| condition(Piece::new(text)).unwrap();
        assert_eq!(read("cmp.x"), Condition { op: 2, ref_x: true, ref_y: true });
        assert_eq!(read("!CMP.Y"), Condition { op: 3, ref_x: true, ref_y: false });
        assert_eq!(read("!!cmp.y && !cmp.x"), Condition { op: 1, ref_x: false, ref_y: true });
        assert_eq!(read("cmp.x|cmp.y"), Condition { op: 0, ref_x: true, ref_y: true });
        for text in ["", "cmp.x & cmp.x", "cmp.z", "cmp.x &&& cmp.y", "cmp.x & cmp.y & cmp.x"] {
            assert!(condition(Piece::new(text)).is_err(), "{text}");
        }
        assert_eq!(compare(Piece::new("GE")).unwrap(), Compare::Ge);
        assert!(compare(Piece::new("==")).is_err());
    }
}
