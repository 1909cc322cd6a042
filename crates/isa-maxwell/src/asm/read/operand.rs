//! Operands.

use super::numbers::is_printed;
use super::pieces::Reader;
use super::{REGISTER, Result, Wanted, predicate, register};
use crate::asm::cursor::in_name;
use crate::field::Field;
use crate::template::{Core, Look, NONE};
use crate::{number, print};

impl Reader<'_, '_> {
    /// An operand with its signs, its part, and what stands behind it.
    pub(super) fn operand(&mut self, core: Core, look: &Look) -> Result<()> {
        self.cursor.blank();
        if core.is_immediate() {
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
        for (lowest, name) in names.by_length() {
            // Numbers that are none, and negative zeros, have a blank behind them.
            if !name.is_empty() {
                self.cursor.blank();
            }
            if self.cursor.word(name)
                && (name.is_empty() || !self.cursor.peek().is_some_and(in_name))
                && let Some(value) = self.value(field, names, lowest, None)
            {
                self.set(field, value);
                return Ok(());
            }
            self.cursor.at = start;
        }
        self.miss("a part of the operand, like `.H0`")
    }

    pub(super) fn core(&mut self, core: Core) -> Result<()> {
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
                    return Self::miss_at(start, Wanted::Plain("a number that 16 bits hold exactly"));
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
}
