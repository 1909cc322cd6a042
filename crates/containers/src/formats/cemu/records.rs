//! The records of fixed size of the store, each said once. Little endian.

use super::model::{StoreEntry, StoreHeader};
use crate::shared::fields::{Fields, Form, Number, Record, Style, Visitor};
use unshade_bytes::{Endian, Result};

const FORM: Form = Form::plain(Endian::Little);

impl Record for StoreHeader {
    const FORM: Form = FORM;

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.bits32("magic", &mut self.magic)?;
        v.bits32("extra_version", &mut self.extra_version)?;
        v.bits64("data_offset", &mut self.data_offset.0)?;
        v.bits64("file_table_offset", &mut self.file_table_offset.0)?;
        v.field(&Number::new("file_table_size").unit("bytes"), &mut self.file_table_size)
    }
}

impl Record for StoreEntry {
    const FORM: Form = FORM;

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let name = |name| Number::new(name).style(Style::Hex);
        v.field(&name("name1"), &mut self.name1.0)?;
        v.field(&name("name2"), &mut self.name2.0)?;
        v.bits64("offset", &mut self.offset.0)?;
        v.field(&Number::new("size").unit("bytes"), &mut self.size)?;
        v.bits8("flags", &mut self.flags)?;
        v.reserved("reserved", 3, &mut self.reserved)
    }
}
