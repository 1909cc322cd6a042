//! The text of one instruction to its word.
//!
//! Every form with the name is tried with its template; the one that fits gives the word. Where none fits, the
//! finding is about the place that the best one reached.

use super::cursor::{Cursor, in_name};
use crate::maxwell::Form;
use crate::maxwell::field::Field;
use crate::maxwell::names::Names;
use crate::maxwell::number;
use crate::maxwell::print::{self, VIDEO_A, VIDEO_B, hides_types, video_part};
use crate::maxwell::table;
use crate::maxwell::template::{Core, Look, NONE, Piece, Template, VideoB, VideoTypes};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A word, and which operands' registers stay in the reuse cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Read {
    pub word: u64,
    pub reuse: u8,
}

/// Why a text is no instruction: a byte of the text, and what should be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Miss {
    pub at: usize,
    pub wanted: String,
}

impl Miss {
    /// Whether it says what is there instead.
    pub fn names(&self) -> bool {
        self.wanted.contains(", which `")
    }
}

/// What most operands may be.
const REGISTER: &str = "a register";

type Result<T> = std::result::Result<T, Miss>;

/// Where the instruction stands, and what the names of places mean.
pub(super) struct Place<'a> {
    pub address: u64,
    /// The address of a name; inside of `control(...)` that of the control word in front of it.
    pub named: &'a dyn Fn(&str, bool) -> Option<u64>,
}

/// The forms by the first part of their name.
static FORMS: LazyLock<HashMap<&'static str, Vec<(Form, &'static Template)>>> = LazyLock::new(|| {
    let mut forms: HashMap<_, Vec<_>> = HashMap::new();
    for (form, template) in table::all() {
        let first = template.name.split('.').next().unwrap_or_default();
        forms.entry(first).or_default().push((form, template));
    }
    forms
});

/// The names of all operations.
pub(super) fn operations() -> impl Iterator<Item = &'static str> {
    FORMS.keys().copied()
}

/// Reads an instruction: guard, name, modifiers, operands.
pub(super) fn instruction(text: &str, place: &Place<'_>) -> Result<Read> {
    let mut cursor = Cursor::new(text);
    cursor.blank();
    let guard = guard(&mut cursor)?;
    let start = cursor.at;
    let mnemonic = cursor.run(|byte| !matches!(byte, b' ' | b'\t' | b'['));
    let mut tokens = mnemonic.split('.').map(|token| (token, start + offset_in(mnemonic, token), false));
    let (name, _, _) = tokens.next().unwrap_or_default();
    let modifiers: Vec<_> = tokens.collect();
    let upper = name.to_ascii_uppercase();
    let Some(forms) = FORMS.get(upper.as_str()) else {
        return Err(Miss { at: start, wanted: String::new() });
    };
    let mut best: Option<Miss> = None;
    for (form, template) in forms {
        let mut reader = Reader {
            word: form.value(),
            decided: form.mask(),
            cursor,
            modifiers: modifiers.clone(),
            reuse: 0,
            types: None,
            place,
            farthest: None,
        };
        if !template.unguarded {
            reader.set(Field::new(16, 4), guard);
        } else if guard != 7 {
            return Err(Miss { at: 0, wanted: format!("no guard, which `{name}` does not have") });
        }
        match reader.template(template) {
            // A template of one form may write a word of another one, which is not what was meant.
            Ok(()) if Form::of(reader.word) == Some(*form) && print::is_instruction(reader.word) => {
                return Ok(Read { word: reader.word, reuse: reader.reuse });
            }
            Ok(()) => {
                let miss = Miss { at: start, wanted: "modifiers and operands that go together".to_owned() };
                best.get_or_insert(miss);
            }
            Err(miss) => {
                let miss = reader
                    .farthest
                    .take()
                    .filter(|far| far.at > miss.at || far.at == miss.at && far.names())
                    .unwrap_or(miss);
                // Of several that came as far: where a number stands a number was meant, else most likely a register.
                let digit = text
                    .as_bytes()
                    .get(miss.at)
                    .is_some_and(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+'));
                let likely = |miss: &Miss| {
                    if digit { miss.wanted.contains("number") } else { miss.wanted == REGISTER }
                };
                let likelier = |best: &Miss| miss.at == best.at && likely(&miss) && !likely(best);
                if best.as_ref().is_none_or(|best| miss.at > best.at || likelier(best)) {
                    best = Some(miss);
                }
            }
        }
    }
    Err(best.unwrap_or(Miss { at: start, wanted: String::new() }))
}

/// Where a part of a text starts in it.
fn offset_in(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// Number and inversion of the guard, as its four bits.
fn guard(cursor: &mut Cursor<'_>) -> Result<u64> {
    if !cursor.word("@") {
        return Ok(7);
    }
    let not = u64::from(cursor.word("!"));
    let Some(number) = predicate(cursor) else {
        return Err(Miss { at: cursor.at, wanted: "a predicate: P0 to P6, or PT".to_owned() });
    };
    cursor.blank();
    Ok(number | not << 3)
}

/// `P0` to `P6`, or `PT`.
fn predicate(cursor: &mut Cursor<'_>) -> Option<u64> {
    ["P0", "P1", "P2", "P3", "P4", "P5", "P6", "PT"]
        .iter()
        .position(|name| cursor.name(name))
        .map(|number| number as u64)
}

/// `R0` to `R254`, or `RZ`.
fn register(cursor: &mut Cursor<'_>) -> Option<u64> {
    if cursor.name("RZ") {
        return Some(255);
    }
    let start = cursor.at;
    if cursor.word("R") {
        let digits = cursor.run(in_name);
        let number =
            digits.parse().ok().filter(|number| *number < 255 && digits.bytes().all(|b| b.is_ascii_digit()));
        if number.is_some() {
            return number;
        }
    }
    cursor.at = start;
    None
}

struct Reader<'a, 'p> {
    word: u64,
    /// Bits of it that have been read.
    decided: u64,
    cursor: Cursor<'a>,
    /// Modifiers, where they start, and whether they have been used.
    modifiers: Vec<(&'a str, usize, bool)>,
    reuse: u8,
    /// Types of the sources of a video operation: part and sign, as [`print`] counts them.
    types: Option<(&'static str, &'static str)>,
    place: &'p Place<'p>,
    /// Where an attempt came farthest.
    farthest: Option<Miss>,
}

impl Reader<'_, '_> {
    fn set(&mut self, field: Field, value: u64) {
        self.word = field.put(self.word, value);
        self.decided |= field.mask();
    }

    fn miss<T>(&self, wanted: &str) -> Result<T> {
        Err(Miss { at: self.cursor.at, wanted: wanted.to_owned() })
    }

    /// A finding about what starts at `at`.
    fn miss_at<T>(at: usize, wanted: &str) -> Result<T> {
        Err(Miss { at, wanted: wanted.to_owned() })
    }

    fn template(&mut self, template: &Template) -> Result<()> {
        for part in template.name.split('.').skip(1) {
            self.always(part)?;
        }
        let (modifiers, operands) = template.pieces.split_at_checked(template.operands).unwrap_or_default();
        self.pieces(modifiers)?;
        if let Some((name, at, _)) = self.modifiers.iter().find(|(_, _, used)| !used) {
            return Err(Miss {
                at: *at,
                wanted: format!("a modifier of the operation, which `.{name}` is not"),
            });
        }
        self.pieces(operands)?;
        self.cursor.blank();
        if self.cursor.rest().is_empty() { Ok(()) } else { self.miss("the end of the instruction") }
    }

    fn pieces(&mut self, mut pieces: &[Piece]) -> Result<()> {
        while let [piece, rest @ ..] = pieces {
            pieces = rest;
            match *piece {
                Piece::Text(text) => self.text(text)?,
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
                Piece::Always(text) => {
                    for part in text.split('.').skip(1) {
                        self.always(part)?;
                    }
                }
                Piece::Physical => {
                    self.take(".PHYS");
                }
                Piece::Phase => {
                    for reuse in 1..3 {
                        if self.take(print::phase(reuse)) {
                            self.reuse |= reuse;
                        }
                    }
                }
                Piece::VideoTypes(_) => self.video_types()?,
                Piece::Flag(at, shows, text) => {
                    let is = self.take(text);
                    self.set(Field::new(at, 1), u64::from(is == shows));
                }
                Piece::Require(field, value) | Piece::Usual(field, value) => self.set(field, value),
                Piece::Operand(core, ref look) => self.operand(core, look)?,
                Piece::Set(at) => self.numbers(Field::new(at, 6))?,
                Piece::Either { field, value, known, first, second } => {
                    let (one, other, behind) = print::groups(rest, first, second);
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
    fn text(&mut self, text: &str) -> Result<()> {
        for byte in text.bytes() {
            self.cursor.blank();
            if byte != b' ' && !self.cursor.eat(byte) {
                return self.miss(&format!("`{}`", text.trim()));
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
        (0..self.modifiers.len()).any(|at| self.take_at(at, text))
    }

    fn take_at(&mut self, at: usize, text: &str) -> bool {
        let mut count = 0;
        for part in text.split('.').skip(1) {
            let fits = self
                .modifiers
                .get(at + count)
                .is_some_and(|(name, _, used)| !used && name.eq_ignore_ascii_case(part));
            if !fits {
                return false;
            }
            count += 1;
        }
        for modifier in self.modifiers.iter_mut().skip(at).take(count) {
            modifier.2 = true;
        }
        count > 0
    }

    fn always(&mut self, part: &str) -> Result<()> {
        let found =
            self.modifiers.iter_mut().find(|(name, _, used)| !used && name.eq_ignore_ascii_case(part));
        match found {
            Some(modifier) => {
                modifier.2 = true;
                Ok(())
            }
            None => Err(Miss {
                at: self.modifiers.first().map_or(self.cursor.at, |(_, at, _)| *at),
                wanted: format!("`.{part}`"),
            }),
        }
    }

    fn modifier(&mut self, field: Field, names: &Names, first: Option<&Names>) -> Result<()> {
        for at in 0..self.modifiers.len() {
            for (_, name) in names.by_length() {
                if name.is_empty() {
                    continue;
                }
                let Some(value) = self.value(field, names, name, first) else { continue };
                if self.take_at(at, name) {
                    self.set(field, value);
                    return Ok(());
                }
            }
        }
        match self.value(field, names, "", first) {
            Some(value) => {
                self.set(field, value);
                Ok(())
            }
            None => {
                let example = names.by_length().last().map_or("", |(_, name)| name);
                let at = self.modifiers.first().map_or(self.cursor.at, |(_, at, _)| *at);
                Err(Miss { at, wanted: format!("a modifier like `{example}`") })
            }
        }
    }

    /// The value with a name that goes with what has been read.
    fn value(&self, field: Field, names: &Names, name: &str, first: Option<&Names>) -> Option<u64> {
        let known = field.get(self.decided);
        let now = field.get(self.word);
        let name = Some(name);
        (0..names.len() as u64).find(|value| {
            names.get(*value) == name
                && (value ^ now) & known == 0
                && first.is_none_or(|first| first.get(*value) == first.get(now))
        })
    }

    /// A name as an operand.
    fn choice(&mut self, field: Field, names: &Names, first: Option<&Names>) -> Result<()> {
        self.cursor.blank();
        let start = self.cursor.at;
        for (_, name) in names.by_length() {
            if !name.is_empty() && self.cursor.name(name) {
                if let Some(value) = self.value(field, names, name, first) {
                    self.set(field, value);
                    return Ok(());
                }
                self.cursor.at = start;
            }
        }
        let example = names.by_length().last().map_or("", |(_, name)| name);
        self.miss(&format!("a name like `{example}`"))
    }

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

    fn operand(&mut self, core: Core, look: &Look) -> Result<()> {
        self.cursor.blank();
        let immediate = matches!(
            core,
            Core::Signed(_)
                | Core::Unsigned(_)
                | Core::Float(_)
                | Core::Double(_)
                | Core::Half(_)
                | Core::Converted
        );
        if immediate {
            self.core(core)?;
            for (bit, name) in [(look.neg, ".NEG"), (look.abs, ".ABS"), (look.not, ".INV")] {
                if bit != NONE {
                    let start = self.cursor;
                    self.cursor.blank();
                    let is = self.cursor.name(name);
                    if !is {
                        self.cursor = start;
                    }
                    self.sign(bit, if name == ".NEG" { look.unless } else { NONE }, is)?;
                }
            }
            return self.suffix(look);
        }
        if look.neg != NONE {
            let is = self.cursor.word("-");
            self.sign(look.neg, look.unless, is)?;
        }
        let abs = look.abs != NONE && self.cursor.word("|");
        if look.abs != NONE {
            self.sign(look.abs, NONE, abs)?;
        }
        if look.not != NONE {
            let is = self.cursor.word(if matches!(core, Core::Predicate(..)) { "!" } else { "~" });
            self.sign(look.not, NONE, is)?;
        }
        self.core(core)?;
        self.suffix(look)?;
        if look.cc != NONE {
            let is = self.cursor.name(".CC");
            self.sign(look.cc, NONE, is)?;
        }
        if abs && !self.cursor.eat(b'|') {
            return self.miss("`|`");
        }
        if look.reuse != NONE && self.cursor.name(".reuse") {
            self.reuse |= 1 << look.reuse;
        }
        Ok(())
    }

    /// Sets a bit of a look. Both bits of a pair together mean something else.
    fn sign(&mut self, bit: u8, unless: u8, is: bool) -> Result<()> {
        if unless != NONE {
            if is && self.word >> unless & 1 == 1 {
                return self.miss("an operand without a minus here");
            }
            if !is && self.decided >> bit & 1 == 1 {
                return Ok(());
            }
        }
        self.set(Field::new(bit, 1), u64::from(is));
        if unless != NONE && is {
            // The other one of the pair is not there then.
            self.set(Field::new(unless, 1), 0);
        }
        Ok(())
    }

    fn suffix(&mut self, look: &Look) -> Result<()> {
        let Some((field, names)) = look.suffix else { return Ok(()) };
        let start = self.cursor.at;
        for (_, name) in names.by_length() {
            // Numbers that are none, and negative zeros, have a blank behind them.
            if !name.is_empty() {
                self.cursor.blank();
            }
            if self.cursor.word(name)
                && (name.is_empty() || !self.cursor.peek().is_some_and(in_name))
                && let Some(value) = self.value(field, names, name, None)
            {
                self.set(field, value);
                return Ok(());
            }
            self.cursor.at = start;
        }
        self.miss("a part of the operand, like `.H0`")
    }

    fn core(&mut self, core: Core) -> Result<()> {
        let start = self.cursor.at;
        match core {
            Core::Register(at) => {
                let Some(number) = register(&mut self.cursor) else { return self.miss(REGISTER) };
                // One field may stand for two operands.
                if at == 0 && self.decided & 0xFF == 0xFF && self.word & 0xFF != number {
                    return self.miss("the register that is the destination");
                }
                self.set(Field::new(at, 8), number);
            }
            Core::Predicate(at, inverted) => {
                let Some(number) = predicate(&mut self.cursor) else { return self.miss("a predicate") };
                self.set(Field::new(at, 3), number ^ if inverted { 7 } else { 0 });
            }
            Core::Signed(field) => self.signed(field, 1)?,
            Core::Unsigned(field) => self.unsigned(field, 1)?,
            Core::Absolute(field) => {
                if let Some(target) = self.named()? {
                    self.set(field, target);
                } else {
                    self.unsigned(field, 1)?;
                }
            }
            Core::Relative(field) => self.relative(field)?,
            Core::Float(field) => {
                let Some(value) = self.fraction() else { return self.miss("a number with a fraction") };
                let bits = if value.is_nan() {
                    print::NAN_FLOAT | (value.is_sign_negative() as u32) << 31
                } else {
                    (value as f32).to_bits()
                };
                self.upper(
                    start,
                    field,
                    bits.into(),
                    32,
                    value.is_nan() || f64::from(value as f32) == value || is_printed(value),
                )?;
            }
            Core::Double(field) => {
                let Some(value) = self.fraction() else { return self.miss("a number with a fraction") };
                let bits = if value.is_nan() {
                    print::NAN_DOUBLE | u64::from(value.is_sign_negative()) << 63
                } else {
                    value.to_bits()
                };
                self.upper(start, field, bits, 64, true)?;
            }
            Core::Half(field) => {
                let Some(value) = self.fraction() else { return self.miss("a number with a fraction") };
                let Some(bits) = number::to_half(value) else {
                    return Self::miss_at(start, "a number that 16 bits hold exactly");
                };
                self.upper(start, field, bits.into(), 16, true)?;
            }
            Core::Converted => {
                let core = match self.word >> 10 & 3 {
                    1 => Core::Half(Field::new(20, 16)),
                    3 => Core::Double(Field::IMMEDIATE),
                    _ => Core::Float(Field::IMMEDIATE),
                };
                self.core(core)?;
            }
            Core::Constant => self.constant()?,
            Core::Bank(indexed) => self.bank(indexed)?,
            Core::Memory(offset, scale) => self.memory("[", offset, scale, None)?,
            Core::Attribute => {
                self.memory("a[", Field::new(20, 11), 1, Some(Field::new(20, 10)))?;
            }
            Core::Pointer(_) => {
                self.text("[")?;
                self.core(Core::Register(8))?;
                self.text("]")?;
            }
            Core::VideoA => self.video_a()?,
            Core::VideoB(kind) => self.video_b(kind)?,
            Core::Pair(which, wide) => self.pair(which, wide)?,
        }
        Ok(())
    }

    fn fraction(&mut self) -> Option<f64> {
        let start = self.cursor.at;
        let value = self.cursor.fraction().and_then(number::value);
        if value.is_none() {
            self.cursor.at = start;
        }
        value
    }

    /// The upper bits of a number; the lower ones must be zero, but for one that is none.
    fn upper(&mut self, start: usize, field: Field, bits: u64, of: u32, exact: bool) -> Result<()> {
        let below = of - field.bits();
        let nan = match of {
            16 => bits & 0x7FFF == 0x7FFF,
            32 => bits & 0x7FFF_FFFF == u64::from(print::NAN_FLOAT),
            _ => bits & print::NAN_DOUBLE == print::NAN_DOUBLE,
        };
        if !nan && (bits & ((1 << below) - 1) != 0 || !exact) {
            return Self::miss_at(start, "a number that the instruction's bits hold exactly");
        }
        self.set(field, bits >> below);
        Ok(())
    }

    fn signed(&mut self, field: Field, scale: i64) -> Result<()> {
        let start = self.cursor.at;
        let Some(value) = self.cursor.signed() else { return self.miss("a number") };
        let bits = field.bits();
        let most = 1_i64 << (bits - 1);
        // A whole word may be given either way.
        let range = -most..if bits == 32 { 2 * most } else { most };
        if value % scale != 0 || !range.contains(&(value / scale)) {
            return Self::miss_at(
                start,
                &format!("{} that {bits} bits with a sign hold", multiple(scale as u64)),
            );
        }
        self.set(field, (value / scale) as u64);
        Ok(())
    }

    fn unsigned(&mut self, field: Field, scale: u64) -> Result<()> {
        let start = self.cursor.at;
        let Some(value) = self.cursor.unsigned() else { return self.miss("a number") };
        let bits = field.bits();
        if value % scale != 0 || (value / scale) >> bits != 0 {
            return Self::miss_at(start, &format!("{} that {bits} bits hold", multiple(scale)));
        }
        self.set(field, value / scale);
        Ok(())
    }

    /// The address of a name, if a name stands here.
    fn named(&mut self) -> Result<Option<u64>> {
        let start = self.cursor.at;
        let quoted = self.cursor.word("`(");
        let control = !quoted && self.cursor.word("control(");
        let name = self.cursor.run(|byte| in_name(byte) || byte == b'.');
        if name.is_empty() || name.as_bytes().first().is_some_and(u8::is_ascii_digit) {
            self.cursor.at = start;
            return Ok(None);
        }
        match (self.place.named)(name, control) {
            Some(address) => {
                if (quoted || control) && !self.cursor.eat(b')') {
                    return self.miss("`)`");
                }
                Ok(Some(address))
            }
            None => Err(Miss { at: start, wanted: format!("a label, which `{name}` is not") }),
        }
    }

    fn relative(&mut self, field: Field) -> Result<()> {
        let start = self.cursor.at;
        let target = match self.named()? {
            Some(address) => Some(address as i64),
            None => self.cursor.signed(),
        };
        let Some(target) = target else { return self.miss("a label or an address") };
        let distance = target.wrapping_sub(self.place.address as i64).wrapping_sub(8);
        let most = 1_i64 << (field.bits() - 1);
        if !(-most..most).contains(&distance) {
            return Err(Miss { at: start, wanted: format!("a place less than {most} bytes away") });
        }
        self.set(field, distance as u64);
        Ok(())
    }

    fn constant(&mut self) -> Result<()> {
        self.text("c[")?;
        self.unsigned(Field::new(34, 5), 1)?;
        self.text("][")?;
        self.offset(Field::new(20, 14), 4)?;
        self.text("]")
    }

    /// An offset of 16 bits, with a sign or without.
    fn offset(&mut self, field: Field, scale: i64) -> Result<()> {
        match self.cursor.signed() {
            Some(offset) if (-0x8000..0x1_0000).contains(&offset) && offset % scale == 0 => {
                self.set(field, (offset as u16 / scale as u16).into());
                Ok(())
            }
            _ => self.miss(&format!("{} as an offset of 16 bits", multiple(scale as u64))),
        }
    }

    fn bank(&mut self, indexed: bool) -> Result<()> {
        self.text("c[")?;
        self.unsigned(Field::new(36, 5), 1)?;
        self.text("][")?;
        let offset = Field::new(20, 16);
        if indexed {
            let number = register(&mut self.cursor);
            self.set(Field::new(8, 8), number.unwrap_or(255));
            if number.is_some() && !self.cursor.eat(b'+') {
                self.set(offset, 0);
                return self.text("]");
            }
            self.cursor.blank();
        }
        self.offset(offset, 1)?;
        self.text("]")
    }

    /// `[R0+0x4]`; the offset without a register has no sign, and the field `alone`.
    fn memory(&mut self, open: &str, offset: Field, scale: u8, alone: Option<Field>) -> Result<()> {
        self.text(open)?;
        let number = register(&mut self.cursor);
        self.set(Field::new(8, 8), number.unwrap_or(255));
        match number {
            None => self.unsigned(alone.unwrap_or(offset), scale.into())?,
            Some(_) if !self.cursor.eat(b'+') => self.set(offset, 0),
            Some(_) => {
                self.cursor.blank();
                self.signed(offset, scale.into())?;
            }
        }
        self.text("]")
    }

    fn pair(&mut self, which: u8, wide: u8) -> Result<()> {
        let step = if self.word >> wide & 1 == 1 { 2 } else { 1 };
        let one = self.of_pair()?;
        self.text(",")?;
        let other = self.of_pair()?;
        let (kind, number) = match (one, other) {
            (None, None) => (0, 255),
            (Some(255), None) => (2, 255),
            (Some(255), Some(255)) => (1, 255),
            (Some(255), Some(number)) => (2, number),
            (Some(number), Some(255)) => (1, number),
            (Some(number), Some(next)) if next == number + step => (0, number),
            (Some(number), None) if number + step > 254 => (0, number),
            _ => return self.miss("RZ, or the register that follows the first one"),
        };
        self.set(Field::new(20, 8), number);
        self.set(Field::new(which, 2), kind);
        Ok(())
    }

    /// A register of a pair; none for `???255`, which has no name.
    fn of_pair(&mut self) -> Result<Option<u64>> {
        if self.cursor.word("???255") {
            return Ok(None);
        }
        match register(&mut self.cursor) {
            Some(number) => Ok(Some(number)),
            None => self.miss("a register"),
        }
    }

    fn video_types(&mut self) -> Result<()> {
        let known = |(name, _, used): &(&str, usize, bool)| {
            (!used).then(|| print::TYPES.iter().copied().find(|kind| kind.get(1..) == Some(*name))).flatten()
        };
        let found = self.modifiers.iter().position(|modifier| known(modifier).is_some());
        let two = found
            .and_then(|at| Some((at, known(self.modifiers.get(at)?)?, known(self.modifiers.get(at + 1)?)?)));
        self.types = two.map(|(_, a, b)| (a, b));
        let used = two.map_or(0..0, |(at, _, _)| at..at + 2);
        for modifier in self.modifiers.get_mut(used).unwrap_or_default() {
            modifier.2 = true;
        }
        if self.types.is_none() && found.is_some() {
            return self.miss("types of both sources");
        }
        Ok(())
    }

    fn video_a(&mut self) -> Result<()> {
        let Some(number) = register(&mut self.cursor) else { return self.miss("a register") };
        self.set(Field::new(8, 8), number);
        let part = self.video_part();
        let kind = self.types.map_or(".S32", |(a, _)| a);
        let Some(value) = typed(kind, part, 0..16) else {
            return self.miss("a part that goes with the type");
        };
        self.set(VIDEO_A, value);
        Ok(())
    }

    fn video_part(&mut self) -> &'static str {
        [1, 2, 3, 5].map(video_part).into_iter().find(|part| self.cursor.name(part)).unwrap_or_default()
    }

    fn video_b(&mut self, kind: VideoB) -> Result<()> {
        let shift = kind == VideoB::Shift;
        let types = if shift { VideoTypes::Shift } else { VideoTypes::Signed };
        let name = self.types.map(|(_, b)| b);
        if let Some(number) = register(&mut self.cursor) {
            self.set(Field::new(50, 1), 1);
            self.set(Field::new(20, 8), number);
            let part = self.video_part();
            let plain = if shift { ".U32" } else { ".S32" };
            // A shift's number has no sign.
            let values = if shift { 0..8 } else { 0..16 };
            let value = match (shift, name.unwrap_or(plain)) {
                (true, ".INVALIDSEL7") if part.is_empty() => Some(7),
                (_, name) => typed(name, part, values),
            };
            let Some(value) = value else { return self.miss("a part that goes with the type") };
            self.set(VIDEO_B, value & 7);
            if !shift {
                self.set(Field::new(49, 1), value >> 3);
            }
        } else {
            self.set(Field::new(50, 1), 0);
            let sign = match name {
                None | Some(".S16") => 1,
                Some(".U16") => 0,
                Some(_) => return self.miss("a register: a number is .U16 or .S16"),
            };
            if !shift {
                self.set(Field::new(49, 1), sign);
            }
            let field = Field::new(20, 16);
            if kind == VideoB::Typed && sign == 1 {
                self.signed(field, 1)?;
            } else {
                self.unsigned(field, 1)?;
            }
        }
        if name.is_none() && !hides_types(self.word, types) {
            return self.miss("an operation with types for its sources");
        }
        Ok(())
    }
}

/// What a number in steps must be.
fn multiple(scale: u64) -> String {
    if scale == 1 { "a number".to_owned() } else { format!("a multiple of {scale}") }
}

/// The part and sign with a type and a suffix.
fn typed(name: &str, part: &str, mut values: std::ops::Range<u64>) -> Option<u64> {
    values.find(|value| print::TYPES.get(*value as usize) == Some(&name) && video_part(value & 7) == part)
}

/// Whether a number is the text of one of 32 bits: it has twenty digits, not all of its digits.
fn is_printed(value: f64) -> bool {
    let near = f64::from(value as f32);
    number::value(number::digits(near).text().trim_end()) == Some(value)
}
