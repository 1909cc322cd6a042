//! Makes the tree of a record.

use super::{Form, Meaning, Number, Pointer, Style, Use, Visitor};
use crate::shared::{FieldEncoding, Node, Opaque, opaque::escape};
use unshade_bytes::{Endian, Result};

/// Adds the fields of a record to a node, each behind the one before.
pub struct Grow<'a> {
    form: Form,
    /// The node of the record.
    pub node: &'a mut Node,
}

impl<'a> Grow<'a> {
    /// Adds fields to that node.
    pub fn new(form: Form, node: &'a mut Node) -> Self {
        Self { form, node }
    }
}

/// Adds a number to a node.
pub(crate) fn number(node: &mut Node, form: Form, number: &Number, size: u8, value: u64) {
    let text = number.show(size, value);
    if number.known {
        if number.follows {
            return node.field(number.name, size.into(), text);
        }
        let encoding = number.spelling.map_or(FieldEncoding::Number, FieldEncoding::Spelled);
        return node.coded(number.name, size.into(), text, encoding);
    }
    let bytes = match form.endian() {
        Endian::Little => value.to_le_bytes().get(..usize::from(size)).map(<[u8]>::to_vec),
        Endian::Big => value.to_be_bytes().get(8_usize.saturating_sub(size.into())..).map(<[u8]>::to_vec),
    };
    node.unknown(number.name, &bytes.unwrap_or_default(), text);
}

/// Adds bytes without a type to a node; none at all stand for `size` zeros.
pub(crate) fn bytes(node: &mut Node, name: &'static str, size: u64, meaning: Meaning, value: &[u8]) {
    let zeros;
    let bytes = if value.is_empty() {
        zeros = vec![0; usize::try_from(size).unwrap_or(0)];
        zeros.as_slice()
    } else {
        value
    };
    match meaning {
        Meaning::Reserved => node.unused(name, bytes),
        Meaning::Unknown => node.unknown(name, bytes, format_args!("{} bytes", bytes.len())),
    }
}

/// Adds characters to a node that are always the same, or nearly.
pub(crate) fn magic(node: &mut Node, name: &'static str, value: &[u8]) {
    node.field(name, value.len() as u64, format_args!("\"{}\"", escape(value)));
}

impl Visitor for Grow<'_> {
    fn form(&self) -> Form {
        self.form
    }

    fn number(&mut self, name: &'static str, size: u8, style: Style, value: &mut u64) -> Result<()> {
        self.described(&Number::new(name).style(style), size, value)
    }

    fn described(&mut self, number: &Number, size: u8, value: &mut u64) -> Result<()> {
        self::number(self.node, self.form, number, size, *value);
        Ok(())
    }

    fn pointer(&mut self, name: &'static str, target: Use, value: &mut Pointer) -> Result<()> {
        self.node.field(name, target.size(self.form), format_args!("{:#x}", value.0));
        Ok(())
    }

    fn bytes(&mut self, name: &'static str, size: u64, meaning: Meaning, value: &mut Opaque) -> Result<()> {
        bytes(self.node, name, size, meaning, value);
        Ok(())
    }

    fn magic(&mut self, name: &'static str, value: &mut [u8]) -> Result<()> {
        magic(self.node, name, value);
        Ok(())
    }
}
