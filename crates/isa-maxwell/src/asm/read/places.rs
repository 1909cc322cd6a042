//! Places in code, constants and memory, and pairs of registers.

use super::numbers::multiple;
use super::pieces::Reader;
use super::{Result, Wanted, register};
use crate::asm::cursor::in_name;
use crate::field::Field;

impl Reader<'_, '_> {
    /// The address of a name, if a name stands here.
    pub(super) fn named(&mut self) -> Result<Option<u64>> {
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
            None => Self::miss_at(start, Wanted::Said(format!("a label, which `{name}` is not"))),
        }
    }

    /// A place in the code, from the next instruction.
    pub(super) fn relative(&mut self, field: Field) -> Result<()> {
        let start = self.cursor.at;
        let target = match self.named()? {
            Some(address) => Some(address as i64),
            None => self.cursor.signed(),
        };
        let Some(target) = target else { return self.miss("a label or an address") };
        let distance = target.wrapping_sub(self.place.address as i64).wrapping_sub(8);
        let most = 1_i64 << (field.bits() - 1);
        if !(-most..most).contains(&distance) {
            return Self::miss_at(start, Wanted::Said(format!("a place less than {most} bytes away")));
        }
        self.set(field, distance as u64);
        Ok(())
    }

    /// `c[0x0][0x4]` of arithmetic.
    pub(super) fn constant(&mut self) -> Result<()> {
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
            _ => {
                let wanted = format!("{} as an offset of 16 bits", multiple(scale as u64));
                Self::miss_at(self.cursor.at, Wanted::Said(wanted))
            }
        }
    }

    /// `c[0x0][R0+0x4]` of other operations.
    pub(super) fn bank(&mut self, indexed: bool) -> Result<()> {
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
    pub(super) fn memory(
        &mut self,
        open: &'static str,
        offset: Field,
        scale: u8,
        alone: Option<Field>,
    ) -> Result<()> {
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

    /// The two registers of a compare and swap.
    pub(super) fn pair(&mut self, which: u8, wide: u8) -> Result<()> {
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
}
