//! The records of fixed size, each said once. Little endian.

use super::model::{GuestEntry, GuestHeader, SharedHeader};
use crate::shared::fields::{Fields, Form, Number, Record, Style, Visitor};
use unshade_bytes::{Endian, Result, Severity};

const FORM: Form = Form::plain(Endian::Little);

impl Record for GuestHeader {
    const FORM: Form = FORM;

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let version = Number::new("version").style(Style::Hex).expected(
            &[0x1_0001..=0x1_0001],
            "0x10001 (1.1)",
            Severity::Warning,
            "ryujinx.version",
        );
        v.field(&version, &mut self.version)?;
        v.u32("padding", &mut self.padding)?;
        v.u32("modules_count", &mut self.modules_count)?;
        v.reserved("reserved", 16, &mut self.reserved)
    }
}

impl Record for GuestEntry {
    const FORM: Form = FORM;

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let bytes = |name| Number::new(name).unit("bytes");
        v.field(&Number::new("offset").style(Style::Hex), &mut self.offset)?;
        v.field(&bytes("code_size"), &mut self.code_size)?;
        v.field(&bytes("cb1_data_size"), &mut self.cb1_data_size)?;
        v.field(&Number::new("hash").style(Style::Hex), &mut self.hash)
    }
}

impl Record for SharedHeader {
    const FORM: Form = FORM;

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let version = Number::new("format_version").style(Style::Hex).expected(
            &[0x1_0002..=0x1_0002],
            "0x10002 (1.2)",
            Severity::Warning,
            "ryujinx.version",
        );
        v.field(&version, &mut self.format_version)?;
        v.u32("code_gen_version", &mut self.code_gen_version)?;
        v.u32("padding", &mut self.padding)?;
        v.field(&Number::new("timestamp").unit("seconds"), &mut self.timestamp.0)?;
        v.bits64("reserved", &mut self.reserved.0)
    }
}
