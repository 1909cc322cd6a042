//! The records of fixed size, each said once. Little endian.

use super::model::{ConstantValue, EnvironmentHeader, Replacement, TextureEntry};
use crate::shared::fields::{Fields, Form, Number, Record, Style, Visitor};
use unshade_bytes::{Endian, Result, Severity};

const FORM: Form = Form::plain(Endian::Little);

/// What a number of a stage stands for.
pub(super) fn stage_name(stage: u64) -> String {
    let names = [
        "vertex",
        "tessellation control",
        "tessellation evaluation",
        "geometry",
        "fragment",
        "compute",
        "vertex A",
    ];
    let name = usize::try_from(stage).ok().and_then(|stage| names.get(stage));
    name.copied().unwrap_or("unknown").to_owned()
}

impl Record for EnvironmentHeader {
    const FORM: Form = FORM;

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let bytes = |name| Number::new(name).unit("bytes");
        let address = |name| Number::new(name).style(Style::Hex);
        v.field(&bytes("code_size").follows(), &mut self.code_size.0)?;
        v.field(&Number::new("num_texture_types").follows(), &mut self.num_texture_types.0)?;
        v.field(&Number::new("num_texture_pixel_formats").follows(), &mut self.num_texture_pixel_formats.0)?;
        v.field(&Number::new("num_cbuf_values").follows(), &mut self.num_cbuf_values.0)?;
        v.field(
            &Number::new("num_cbuf_replacement_values").follows(),
            &mut self.num_cbuf_replacement_values.0,
        )?;
        v.field(&bytes("local_memory_size"), &mut self.local_memory_size)?;
        v.u32("texture_bound", &mut self.texture_bound)?;
        v.field(&address("start_address"), &mut self.start_address)?;
        v.field(&address("cached_lowest"), &mut self.cached_lowest)?;
        v.field(&address("cached_highest"), &mut self.cached_highest)?;
        let truth = Number::new("viewport_transform_state").expected(
            &[0..=1],
            "0 or 1",
            Severity::Warning,
            "yuzu.viewport-transform",
        );
        v.field(&truth, &mut self.viewport_transform_state)?;
        v.field(&Number::new("stage").meaning(stage_name), &mut self.stage)
    }
}

impl Record for TextureEntry {
    const FORM: Form = FORM;

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.bits32("handle", &mut self.handle)?;
        v.u32("value", &mut self.value)
    }
}

impl Record for ConstantValue {
    const FORM: Form = FORM;

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.bits32("offset", &mut self.offset)?;
        v.u32("bank", &mut self.bank)?;
        v.bits32("value", &mut self.value)
    }
}

impl Record for Replacement {
    const FORM: Form = FORM;

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.bits32("offset", &mut self.offset)?;
        v.u32("bank", &mut self.bank)?;
        let meaning = |value| match value {
            0 => "base instance".to_owned(),
            1 => "base vertex".to_owned(),
            2 => "number of the draw".to_owned(),
            _ => "unknown".to_owned(),
        };
        v.field(&Number::new("value").meaning(meaning), &mut self.value)
    }
}
