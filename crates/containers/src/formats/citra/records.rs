//! The header of an entry, said once. Little endian.

use super::model::EntryHeader;
use crate::shared::fields::{Fields, Form, Number, Record, Style, Visitor};
use unshade_bytes::{Endian, Result};

impl Record for EntryHeader {
    const FORM: Form = Form::plain(Endian::Little);

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.u32("kind", &mut self.kind)?;
        v.bits64("unique_identifier", &mut self.unique_identifier.0)?;
        let meaning = |number| match number {
            0 => "vertex".to_owned(),
            1 => "fragment".to_owned(),
            2 => "geometry".to_owned(),
            _ => "unknown".to_owned(),
        };
        v.field(&Number::new("program_type").meaning(meaning), &mut self.program_type)?;
        v.field(&Number::new("register_count").style(Style::Hex).follows(), &mut self.register_count.0)
    }
}
