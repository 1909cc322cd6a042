//! Numbers as operands.

use super::pieces::Reader;
use super::{Result, Wanted};
use crate::field::Field;
use crate::{number, print};

impl Reader<'_, '_> {
    /// A number with a fraction.
    pub(super) fn fraction(&mut self) -> Option<f64> {
        let start = self.cursor.at;
        let value = self.cursor.fraction().and_then(number::value);
        if value.is_none() {
            self.cursor.at = start;
        }
        value
    }

    /// The upper bits of a number; the lower ones must be zero, but for one that is none.
    pub(super) fn upper(
        &mut self,
        start: usize,
        field: Field,
        bits: u64,
        of: u32,
        exact: bool,
    ) -> Result<()> {
        let below = of - field.bits();
        let nan = match of {
            16 => bits & 0x7FFF == 0x7FFF,
            32 => bits & 0x7FFF_FFFF == u64::from(print::NAN_FLOAT),
            _ => bits & print::NAN_DOUBLE == print::NAN_DOUBLE,
        };
        if !nan && (bits & ((1 << below) - 1) != 0 || !exact) {
            let wanted = "a number that the instruction's bits hold exactly";
            return Self::miss_at(start, Wanted::Plain(wanted));
        }
        self.set(field, bits >> below);
        Ok(())
    }

    /// A whole number with a sign, in steps of `scale`.
    pub(super) fn signed(&mut self, field: Field, scale: i64) -> Result<()> {
        let start = self.cursor.at;
        let Some(value) = self.cursor.signed() else { return self.miss("a number") };
        let bits = field.bits();
        let most = 1_i64 << (bits - 1);
        // A whole word may be given either way.
        let range = -most..if bits == 32 { 2 * most } else { most };
        if value % scale != 0 || !range.contains(&(value / scale)) {
            let wanted = format!("{} that {bits} bits with a sign hold", multiple(scale as u64));
            return Self::miss_at(start, Wanted::Said(wanted));
        }
        self.set(field, (value / scale) as u64);
        Ok(())
    }

    /// A whole number without a sign, in steps of `scale`.
    pub(super) fn unsigned(&mut self, field: Field, scale: u64) -> Result<()> {
        let start = self.cursor.at;
        let Some(value) = self.cursor.unsigned() else { return self.miss("a number") };
        let bits = field.bits();
        if value % scale != 0 || (value / scale) >> bits != 0 {
            let wanted = format!("{} that {bits} bits hold", multiple(scale));
            return Self::miss_at(start, Wanted::Said(wanted));
        }
        self.set(field, value / scale);
        Ok(())
    }
}

/// What a number in steps must be.
pub(super) fn multiple(scale: u64) -> String {
    if scale == 1 { "a number".to_owned() } else { format!("a multiple of {scale}") }
}

/// Whether a number is the text of one of 32 bits: it has twenty digits, not all of its digits.
pub(super) fn is_printed(value: f64) -> bool {
    let near = f64::from(value as f32);
    number::value(number::digits(near).text().trim_end()) == Some(value)
}
