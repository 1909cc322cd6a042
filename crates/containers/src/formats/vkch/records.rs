//! Header and footer of an entry, each said once. Little endian.

use super::model::{EntryFooter, EntryHeader};
use super::raw::TYPES;
use crate::shared::fields::{Fields, Form, Number, Record, Style, Visitor};
use unshade_bytes::{Endian, Result};

const FORM: Form = Form::plain(Endian::Little);

/// What entries of that type hold.
pub(super) fn type_name(number: u64) -> String {
    let name = usize::try_from(number).ok().and_then(|number| TYPES.get(number));
    name.copied().unwrap_or("unknown").to_owned()
}

impl Record for EntryHeader {
    const FORM: Form = FORM;

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.bits8("version", &mut self.version)?;
        let packed = |flags: u64| if flags & 1 != 0 { "zstd".to_owned() } else { "not packed".to_owned() };
        v.field(&Number::new("flags").style(Style::Hex).meaning(packed), &mut self.flags)?;
        v.field(&Number::new("entry_type").meaning(type_name), &mut self.entry_type)?;
        v.field(&Number::new("entry_size").unit("bytes").follows(), &mut self.entry_size)?;
        v.bits64("id", &mut self.id.0)
    }
}

impl Record for EntryFooter {
    const FORM: Form = FORM;

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.bits32("version_and_number", &mut self.version_and_number)?;
        v.field(&Number::new("entry_size").unit("bytes").follows(), &mut self.entry_size)?;
        v.bits64("reserved", &mut self.reserved.0)
    }
}
