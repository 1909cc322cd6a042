//! The records of fixed size, each said once: reading, writing, the tree, the ranges that `check` knows, paths of `edit` and the
//! suffixes of listings follow from these lists. Little endian; the places are those of the fields' documentation.
//!
//! Sources: the loader of the limare project, the writer of lima_compiler, Mesa's `lima_disasm`, and the bytes of files made by
//! ARM's compiler.

use super::model::{Framebuffer, Instructions, Stack, Symbol, TableKind};
use super::view::{kind_name, precision_name};
use crate::shared::fields::{Fields, Fill, Form, List, Listed, Number, Record, Style, Visitor};
use crate::shared::{Name, Opaque};
use unshade_bytes::{Endian, Result, Severity};

/// How numbers are stored.
pub(super) const FORM: Form = Form::plain(Endian::Little);

impl Record for Stack {
    const FORM: Form = FORM;

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.u32("stack_size", &mut self.stack_size)?;
        v.u32("stack_offset", &mut self.stack_offset)
    }
}

impl Record for Framebuffer {
    const FORM: Form = FORM;

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let truth =
            |name| Number::new(name).expected(&[0..=1], "0 or 1", Severity::Warning, "mbs.framebuffer");
        v.field(&truth("reads_color"), &mut self.reads_color)?;
        v.field(&truth("writes_color"), &mut self.writes_color)?;
        v.field(&truth("reads_depth"), &mut self.reads_depth)?;
        v.field(&truth("writes_depth"), &mut self.writes_depth)?;
        v.field(&truth("reads_stencil"), &mut self.reads_stencil)?;
        v.field(&truth("writes_stencil"), &mut self.writes_stencil)?;
        v.reserved("unknown_06", 2, &mut self.unknown_06)
    }
}

impl Record for Instructions {
    const FORM: Form = FORM;

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let unknown = Number::new("unknown_00").style(Style::Hex).unknown();
        let words = "0; its meaning is not known";
        v.field(
            &unknown.expected(&[0..=0], words, Severity::Note, "mbs.instructions-unknown"),
            &mut self.unknown_00,
        )?;
        v.u32("instruction_count", &mut self.instruction_count)?;
        let last = |prefetch: u64| match prefetch.checked_sub(1) {
            Some(last) => format!("instruction {last} is the last that loads an attribute"),
            None => "none loads an attribute".to_owned(),
        };
        v.field(&Number::new("attrib_prefetch").meaning(last), &mut self.attrib_prefetch)
    }
}

impl Symbol {
    /// Bytes of an attribute's record.
    pub const SHORT: usize = 16;
    /// Bytes of the record of a uniform or varying.
    pub const LONG: usize = 20;

    /// Bytes of the record of a symbol in a table of that kind.
    pub fn record_len(table: TableKind) -> usize {
        if table == TableKind::Attributes { Self::SHORT } else { Self::LONG }
    }

    /// A symbol of which the numbers that are nearly always the same are as ARM's compiler has them.
    pub fn usual() -> Self {
        Self { unknown_0: 2, dst_bits: 16, ..Self::default() }
    }

    /// The symbol without what does not stand in its record.
    pub fn record(&self) -> Self {
        let (name, stray) = (Name::default(), Opaque::default());
        Self { name, name_tail: None, chunks: Vec::new(), stray, ..*self }
    }

    /// Goes through the fields of its record. That of an attribute is shorter: `invariant` has two bytes, and there is no
    /// `parent`.
    ///
    /// # Errors
    /// Those of the visitor.
    pub fn visit(&mut self, table: TableKind, v: &mut dyn Visitor) -> Result<()> {
        let kind = |value: u64| kind_name(u8::try_from(value).unwrap_or(u8::MAX)).to_owned();
        let precision =
            |value: u64| u8::try_from(value).ok().and_then(precision_name).unwrap_or("unknown").to_owned();
        let floats = |name| Number::new(name).unit("floats");
        v.field(
            &Number::new("unknown_0").unknown().expected(
                &[0..=0, 2..=2],
                "0 or 2, of unknown meaning",
                Severity::Note,
                "mbs.unknown-0",
            ),
            &mut self.unknown_0,
        )?;
        v.field(&Number::new("type").meaning(kind), &mut self.kind)?;
        v.u16("component_count", &mut self.component_count)?;
        v.field(&floats("component_size"), &mut self.component_size)?;
        v.u16("entry_count", &mut self.entry_count)?;
        v.field(&floats("src_stride"), &mut self.src_stride)?;
        v.field(
            &Number::new("dst_bits").expected(
                &[16..=16, 24..=24],
                "16 or 24",
                Severity::Note,
                "mbs.dst-bits",
            ),
            &mut self.dst_bits,
        )?;
        v.field(
            &Number::new("precision").meaning(precision).expected(
                &[1..=3],
                "1 (lowp), 2 (mediump) or 3 (highp)",
                Severity::Warning,
                "mbs.precision",
            ),
            &mut self.precision,
        )?;
        let attribute = table == TableKind::Attributes;
        v.sized(
            &Number::new("invariant").expected(&[0..=1], "0 or 1", Severity::Warning, "mbs.invariant"),
            if attribute { 2 } else { 4 },
            &mut self.invariant,
        )?;
        v.optional(&floats("offset").ones("unused"), &mut self.offset)?;
        if attribute {
            return Ok(());
        }
        v.optional(&Number::new("parent").ones("none"), &mut self.parent)
    }

    /// The numbers of its record, by the names of its fields.
    pub fn numbers(&self, table: TableKind) -> Vec<Listed> {
        let mut list = List::new(FORM);
        // A list has room for every number.
        let _ = self.record().visit(table, &mut list);
        list.found
    }

    /// Gives the number of that name another value. Returns whether its record has such a field, and room for the value.
    pub fn set_number(&mut self, table: TableKind, name: &str, value: u64) -> bool {
        let mut fill = Fill::new(FORM, name, value);
        self.visit(table, &mut fill).is_ok() && fill.is_done()
    }
}
