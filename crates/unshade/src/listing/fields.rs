//! The arguments of a directive: what stands behind it, then suffixes `@name=value`.

use super::symbols::bytes_of;
use unshade_containers::{fields::Listed, opaque::from_hex};
use unshade_isa::assembly::lexer::{Arguments, Piece};
use unshade_isa::assembly::number::unsigned;
use unshade_isa::assembly::{Problem, Result};

fn wrong(piece: Piece<'_>, message: impl Into<std::borrow::Cow<'static, str>>) -> Box<Problem> {
    Problem::new("listing.syntax", piece.span(), message)
}

/// A number that its field can hold.
pub(super) fn fits<T: TryFrom<u32>>(value: u32, piece: Piece<'_>) -> Result<T> {
    T::try_from(value).map_err(|_| wrong(piece, format!("{value:#x} does not fit in its field")))
}

/// The suffixes of a line, `@name=value`, and what stands before them.
pub(super) struct Fields<'a> {
    /// The directive.
    pub head: Piece<'a>,
    /// What stands before the suffixes.
    pub plain: Arguments<'a>,
    suffixes: Vec<(Piece<'a>, Piece<'a>)>,
}

impl<'a> Fields<'a> {
    pub fn new(head: Piece<'a>, arguments: Arguments<'a>) -> Result<Self> {
        let rest = arguments.rest;
        let at = rest.find(b'@').unwrap_or(rest.text.len());
        let mut suffixes = Vec::new();
        let mut words = Arguments { rest: rest.skip(at) };
        while let Some(word) = words.blank() {
            let (name, value) = word
                .split(b'=')
                .ok_or_else(|| wrong(word, format!("expected `@name=value`, found `{}`", word.text)))?;
            suffixes.push((name.skip(1), value));
        }
        Ok(Self { head, plain: Arguments { rest: rest.take(at).trim_end() }, suffixes })
    }

    pub fn suffix(&mut self, name: &str) -> Option<Piece<'a>> {
        let at = self.suffixes.iter().position(|(known, _)| known.is(name))?;
        Some(self.suffixes.remove(at).1)
    }

    pub fn value<T: TryFrom<u32>>(&mut self, name: &str) -> Result<Option<T>> {
        self.suffix(name).map(|piece| unsigned(piece).and_then(|value| fits(value, piece))).transpose()
    }

    pub fn value_or_zero<T: TryFrom<u32> + Default>(&mut self, name: &str) -> Result<T> {
        Ok(self.value(name)?.unwrap_or_default())
    }

    /// Takes the suffixes that have the names of these numbers of a record. Returns the names.
    pub fn numbers(
        &mut self,
        numbers: &[Listed],
        mut set: impl FnMut(&'static str, u64) -> bool,
    ) -> Result<Vec<&'static str>> {
        let mut given = Vec::new();
        for number in numbers {
            let Some(piece) = self.suffix(number.name) else { continue };
            let value = unsigned(piece)?;
            if !set(number.name, value.into()) {
                return Err(wrong(piece, format!("{value:#x} does not fit in its field")));
            }
            given.push(number.name);
        }
        Ok(given)
    }

    pub fn word(&mut self, what: &str) -> Result<Piece<'a>> {
        let head = self.head;
        self.plain.blank().ok_or_else(|| wrong(head, format!("{what} is missing behind `{}`", head.text)))
    }

    pub fn comma(&mut self, what: &str) -> Result<Piece<'a>> {
        let head = self.head;
        let piece = self.plain.comma().filter(|piece| !piece.is_empty());
        piece.ok_or_else(|| wrong(head, format!("{what} is missing behind `{}`", head.text)))
    }

    /// Refuses what nobody asked for.
    pub fn end(self) -> Result<()> {
        if let Some((name, _)) = self.suffixes.first() {
            return Err(wrong(*name, format!("`{}` has no field `@{}`", self.head.text, name.text)));
        }
        if self.plain.is_done() {
            Ok(())
        } else {
            Err(wrong(self.plain.rest, format!("unexpected `{}`", self.plain.rest.text)))
        }
    }
}

/// The bytes of a name, bare or in quotes.
pub(super) fn name_bytes(piece: Piece<'_>) -> Result<Vec<u8>> {
    bytes_of(piece.text).ok_or_else(|| {
        wrong(piece, format!("`{}` is no name", piece.text))
            .note("names of other characters than letters, digits, `_`, `.` and `$` stand in quotes")
    })
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(piece: Piece<'_>) -> Result<Vec<u8>> {
    from_hex(piece.text).ok_or_else(|| wrong(piece, "expected pairs of hexadecimal digits"))
}
