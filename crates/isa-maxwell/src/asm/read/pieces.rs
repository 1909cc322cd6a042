//! A template piece by piece: modifiers, names and characters.

use super::{Miss, Place, Result, Wanted};
use crate::asm::cursor::Cursor;
use crate::field::Field;
use crate::names::Names;
use crate::print;
use crate::template::{Piece, Template, groups};

/// An attempt to read an instruction as one form.
pub(super) struct Reader<'a, 'p> {
    pub word: u64,
    /// Bits of it that have been read.
    pub decided: u64,
    pub cursor: Cursor<'a>,
    /// Modifiers, and where they start.
    pub modifiers: &'p [(&'a str, usize)],
    /// Which of them have been used.
    pub used: u64,
    pub reuse: u8,
    /// Types of the sources of a video operation: part and sign, as [`print`] counts them.
    pub types: Option<(&'static str, &'static str)>,
    pub place: &'p Place<'p>,
    /// Where an attempt came farthest.
    pub farthest: Option<Miss>,
}

impl Reader<'_, '_> {
    pub(super) fn set(&mut self, field: Field, value: u64) {
        self.word = field.put(self.word, value);
        self.decided |= field.mask();
    }

    /// A finding about what stands here.
    pub(super) fn miss<T>(&self, wanted: &'static str) -> Result<T> {
        Self::miss_at(self.cursor.at, Wanted::Plain(wanted))
    }

    /// A finding about what starts at `at`.
    pub(super) fn miss_at<T>(at: usize, wanted: Wanted) -> Result<T> {
        Err(Miss { at, wanted })
    }

    /// Where modifiers start, for findings about one that is not there.
    fn first_modifier(&self) -> usize {
        self.modifiers.first().map_or(self.cursor.at, |(_, at)| *at)
    }

    /// Reads everything behind the guard.
    pub(super) fn template(&mut self, template: &Template) -> Result<()> {
        for part in &template.fixed {
            self.always(part)?;
        }
        let (modifiers, operands) = template.pieces.split_at_checked(template.operands).unwrap_or_default();
        self.pieces(modifiers)?;
        if let Some((name, at)) = self.modifiers.get(self.used.trailing_ones() as usize) {
            let wanted = Wanted::Said(format!("a modifier of the operation, which `.{name}` is not"));
            return Self::miss_at(*at, wanted);
        }
        self.pieces(operands)?;
        self.cursor.blank();
        if self.cursor.rest().is_empty() { Ok(()) } else { self.miss("the end of the instruction") }
    }

    fn pieces(&mut self, mut pieces: &[Piece]) -> Result<()> {
        while let [piece, rest @ ..] = pieces {
            pieces = rest;
            match *piece {
                Piece::Text(ref text) => self.text(text.text())?,
                Piece::Choice(field, names) if self.is_modifier(names) => {
                    self.modifier(field, names, None)?
                }
                Piece::Choice(field, names) => self.choice(field, names, None)?,
                Piece::Shared(field, names) => {
                    self.modifier(field, names, None)?;
                    if names.is_shared(field.get(self.word)) {
                        self.decided &= !field.mask();
                    }
                }
                Piece::Other(field, names, first) => self.choice(field, names, Some(first))?,
                Piece::Always(ref text) => {
                    for part in text.text().split('.').skip(1) {
                        self.always(part)?;
                    }
                }
                Piece::Physical => {
                    self.take(".PHYS");
                }
                Piece::Phase => {
                    for reuse in 1..3_u8 {
                        if self.take(print::phase(reuse)) {
                            self.reuse |= reuse;
                        }
                    }
                }
                Piece::VideoTypes(_) => self.video_types()?,
                Piece::Flag(at, shows, ref text) => {
                    let is = self.take(text.text());
                    self.set(Field::new(at, 1), u64::from(is == shows));
                }
                Piece::Require(field, value) | Piece::Usual(field, value) => self.set(field, value),
                Piece::Operand(core, ref look) => self.operand(core, look)?,
                Piece::Set(at) => self.numbers(Field::new(at, 6))?,
                Piece::Either { field, value, known, first, second } => {
                    let (one, other, behind) = groups(rest, first, second);
                    pieces = behind;
                    if known {
                        let group = if field.get(self.word) == value { other } else { one };
                        self.pieces(group)?;
                    } else {
                        self.either(field, value, one, other)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The first of two texts where it is there, or the second.
    fn either(&mut self, field: Field, value: u64, one: &[Piece], other: &[Piece]) -> Result<()> {
        let before = (self.word, self.decided, self.cursor, self.reuse);
        match self.pieces(one) {
            Ok(()) => {
                if field.get(self.word) == value && field.bits() == 1 {
                    self.word = field.put(self.word, value ^ 1);
                }
                self.decided |= field.mask();
                Ok(())
            }
            Err(miss) => {
                if self
                    .farthest
                    .as_ref()
                    .is_none_or(|far| miss.at > far.at || miss.at == far.at && miss.names())
                {
                    self.farthest = Some(miss);
                }
                (self.word, self.decided, self.cursor, self.reuse) = before;
                self.set(field, value);
                self.pieces(other)
            }
        }
    }

    /// Characters, with blanks between them or not.
    pub(super) fn text(&mut self, text: &'static str) -> Result<()> {
        for byte in text.bytes() {
            self.cursor.blank();
            if byte != b' ' && !self.cursor.eat(byte) {
                return Self::miss_at(self.cursor.at, Wanted::Text(text.trim()));
            }
        }
        self.cursor.blank();
        Ok(())
    }

    /// Whether the names of a field are modifiers: they start with a full stop.
    fn is_modifier(&self, names: &Names) -> bool {
        names.by_length().next().is_some_and(|(_, name)| name.starts_with('.'))
    }

    /// Uses one or several modifiers that stand next to each other.
    fn take(&mut self, text: &str) -> bool {
        match (0..self.modifiers.len()).find_map(|at| Some((at, self.fits(at, text)?))) {
            Some((at, count)) => {
                self.mark(at, count);
                true
            }
            None => false,
        }
    }

    /// Uses modifiers.
    pub(super) fn mark(&mut self, at: usize, count: usize) {
        self.used |= ((1 << count) - 1) << at;
    }

    /// Whether a modifier has been used.
    pub(super) fn is_used(&self, at: usize) -> bool {
        self.used >> at & 1 == 1
    }

    /// How many modifiers from `at` on are this text, if they are.
    fn fits(&self, at: usize, text: &str) -> Option<usize> {
        let mut rest = text.as_bytes();
        let mut count = 0;
        while let [b'.', part @ ..] = rest {
            let (name, _) = self.modifiers.get(at + count)?;
            let (front, behind) = part.split_at_checked(name.len())?;
            let fits = front.eq_ignore_ascii_case(name.as_bytes()) && matches!(behind, [] | [b'.', ..]);
            if !fits || self.is_used(at + count) {
                return None;
            }
            rest = behind;
            count += 1;
        }
        (count > 0).then_some(count)
    }

    /// A modifier without its full stop that must be there.
    fn always(&mut self, part: &'static str) -> Result<()> {
        let is =
            |(at, (name, _)): &(usize, &(&str, usize))| !self.is_used(*at) && name.eq_ignore_ascii_case(part);
        match self.modifiers.iter().enumerate().find(is) {
            Some((at, _)) => {
                self.mark(at, 1);
                Ok(())
            }
            None => Self::miss_at(self.first_modifier(), Wanted::Said(format!("`.{part}`"))),
        }
    }

    fn modifier(&mut self, field: Field, names: &Names, first: Option<&Names>) -> Result<()> {
        for at in (0..self.modifiers.len()).filter(|at| !self.is_used(*at)) {
            for (lowest, name) in names.by_length() {
                let Some(count) = self.fits(at, name) else { continue };
                if let Some(value) = self.value(field, names, lowest, first) {
                    self.mark(at, count);
                    self.set(field, value);
                    return Ok(());
                }
            }
        }
        match names.unnamed().and_then(|lowest| self.value(field, names, lowest, first)) {
            Some(value) => {
                self.set(field, value);
                Ok(())
            }
            None => {
                let example = names.by_length().last().map_or("", |(_, name)| name);
                Self::miss_at(self.first_modifier(), Wanted::Like("a modifier", example))
            }
        }
    }

    /// The value with the name of another one, which is the lowest with it, that goes with what has been read.
    pub(super) fn value(
        &self,
        field: Field,
        names: &Names,
        lowest: u64,
        first: Option<&Names>,
    ) -> Option<u64> {
        let known = field.get(self.decided);
        let now = field.get(self.word);
        (lowest..names.len() as u64).find(|value| {
            (value ^ now) & known == 0
                && names.same(*value, lowest)
                && first.is_none_or(|first| first.same(*value, now))
        })
    }

    /// A name as an operand.
    fn choice(&mut self, field: Field, names: &Names, first: Option<&Names>) -> Result<()> {
        self.cursor.blank();
        let start = self.cursor.at;
        for (lowest, name) in names.by_length() {
            if !name.is_empty() && self.cursor.name(name) {
                if let Some(value) = self.value(field, names, lowest, first) {
                    self.set(field, value);
                    return Ok(());
                }
                self.cursor.at = start;
            }
        }
        let example = names.by_length().last().map_or("", |(_, name)| name);
        Self::miss_at(self.cursor.at, Wanted::Like("a name", example))
    }

    /// A set of numbers: `{5,3}`.
    fn numbers(&mut self, field: Field) -> Result<()> {
        if !self.cursor.eat(b'{') {
            return self.miss("`{`");
        }
        let mut set = 0;
        loop {
            self.cursor.blank();
            match self.cursor.unsigned() {
                Some(number) if number < 6 => set |= 1 << number,
                _ => return self.miss("the number of a barrier, 0 to 5"),
            }
            if !self.cursor.eat(b',') {
                break;
            }
        }
        if !self.cursor.eat(b'}') {
            return self.miss("`}`");
        }
        self.set(field, set);
        Ok(())
    }
}
