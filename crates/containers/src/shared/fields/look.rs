//! Who looks at the fields of a record: collecting pointers, numbers, and what files do not have.

use super::{Expected, Form, Meaning, Number, Pointer, Style, Use, Visitor};
use crate::shared::Opaque;
use unshade_bytes::Result;

/// A pointer field of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Its place from the start of the record.
    pub offset: u64,
    /// Name of the field.
    pub name: &'static str,
    /// What it leads to.
    pub target: Use,
}

/// Calls a function with each pointer of a record, and counts its bytes.
pub struct Walk<F> {
    form: Form,
    /// Bytes of the fields so far.
    pub len: u64,
    visit: F,
}

impl<F: FnMut(Slot, &mut Pointer)> Walk<F> {
    /// Nothing visited yet.
    pub fn new(form: Form, visit: F) -> Self {
        Self { form, len: 0, visit }
    }
}

impl<F: FnMut(Slot, &mut Pointer)> Visitor for Walk<F> {
    fn form(&self) -> Form {
        self.form
    }

    fn number(&mut self, _: &'static str, size: u8, _: Style, _: &mut u64) -> Result<()> {
        self.len = self.len.saturating_add(size.into());
        Ok(())
    }

    fn pointer(&mut self, name: &'static str, target: Use, value: &mut Pointer) -> Result<()> {
        (self.visit)(Slot { offset: self.len, name, target }, value);
        self.len = self.len.saturating_add(target.size(self.form));
        Ok(())
    }

    fn bytes(&mut self, _: &'static str, size: u64, _: Meaning, _: &mut Opaque) -> Result<()> {
        self.len = self.len.saturating_add(size);
        Ok(())
    }

    fn magic(&mut self, _: &'static str, value: &mut [u8]) -> Result<()> {
        self.len = self.len.saturating_add(value.len() as u64);
        Ok(())
    }
}

/// Bytes of a record that should be zero and are not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirtyField {
    /// Place from the start of the record.
    pub offset: u64,
    /// How many bytes the field has.
    pub size: u64,
    /// Name of the field.
    pub name: &'static str,
}

/// Collects the reserved fields that are not zero.
pub struct DirtyFields {
    form: Form,
    at: u64,
    /// What was found.
    pub found: Vec<DirtyField>,
}

impl DirtyFields {
    /// Nothing found yet.
    pub fn new(form: Form) -> Self {
        Self { form, at: 0, found: Vec::new() }
    }
}

impl Visitor for DirtyFields {
    fn form(&self) -> Form {
        self.form
    }

    fn number(&mut self, _: &'static str, size: u8, _: Style, _: &mut u64) -> Result<()> {
        self.at = self.at.saturating_add(size.into());
        Ok(())
    }

    fn pointer(&mut self, _: &'static str, target: Use, _: &mut Pointer) -> Result<()> {
        self.at = self.at.saturating_add(target.size(self.form));
        Ok(())
    }

    fn bytes(&mut self, name: &'static str, size: u64, meaning: Meaning, value: &mut Opaque) -> Result<()> {
        if meaning == Meaning::Reserved && value.iter().any(|&byte| byte != 0) {
            self.found.push(DirtyField { offset: self.at, size, name });
        }
        self.at = self.at.saturating_add(size);
        Ok(())
    }

    fn magic(&mut self, _: &'static str, value: &mut [u8]) -> Result<()> {
        self.at = self.at.saturating_add(value.len() as u64);
        Ok(())
    }
}

/// A number of a record with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// Name of the field.
    pub name: &'static str,
    /// Place from the start of the record.
    pub offset: u64,
    /// How many bytes it has.
    pub size: u8,
    /// How it is shown.
    pub style: Style,
    /// The value.
    pub value: u64,
}

/// Lists the numbers of a record.
pub struct List {
    form: Form,
    at: u64,
    /// The numbers in their order.
    pub found: Vec<Listed>,
}

impl List {
    /// Nothing listed yet.
    pub fn new(form: Form) -> Self {
        Self { form, at: 0, found: Vec::new() }
    }
}

impl Visitor for List {
    fn form(&self) -> Form {
        self.form
    }

    fn number(&mut self, name: &'static str, size: u8, style: Style, value: &mut u64) -> Result<()> {
        self.found.push(Listed { name, offset: self.at, size, style, value: *value });
        self.at = self.at.saturating_add(size.into());
        Ok(())
    }

    fn pointer(&mut self, _: &'static str, target: Use, _: &mut Pointer) -> Result<()> {
        self.at = self.at.saturating_add(target.size(self.form));
        Ok(())
    }

    fn bytes(&mut self, _: &'static str, size: u64, _: Meaning, _: &mut Opaque) -> Result<()> {
        self.at = self.at.saturating_add(size);
        Ok(())
    }

    fn magic(&mut self, _: &'static str, value: &mut [u8]) -> Result<()> {
        self.at = self.at.saturating_add(value.len() as u64);
        Ok(())
    }
}

/// Gives one number of a record another value.
pub struct Fill<'a> {
    form: Form,
    name: &'a str,
    value: Option<u64>,
}

impl<'a> Fill<'a> {
    /// The number of that name shall have that value.
    pub fn new(form: Form, name: &'a str, value: u64) -> Self {
        Self { form, name, value: Some(value) }
    }

    /// Whether a field has that name and holds that value.
    pub fn is_done(&self) -> bool {
        self.value.is_none()
    }
}

impl Visitor for Fill<'_> {
    fn form(&self) -> Form {
        self.form
    }

    fn number(&mut self, name: &'static str, size: u8, _: Style, value: &mut u64) -> Result<()> {
        let room = u64::MAX >> 64_u32.saturating_sub(u32::from(size).saturating_mul(8));
        if name == self.name
            && let Some(new) = self.value.take_if(|new| *new <= room)
        {
            *value = new;
        }
        Ok(())
    }

    fn pointer(&mut self, _: &'static str, _: Use, _: &mut Pointer) -> Result<()> {
        Ok(())
    }

    fn bytes(&mut self, _: &'static str, _: u64, _: Meaning, _: &mut Opaque) -> Result<()> {
        Ok(())
    }

    fn magic(&mut self, _: &'static str, _: &mut [u8]) -> Result<()> {
        Ok(())
    }
}

/// A number with a value that files do not have.
#[derive(Debug, Clone, Copy)]
pub struct Surprise {
    /// The field.
    pub field: Listed,
    /// What files have there.
    pub expected: Expected,
}

/// Collects the numbers with values that files do not have.
pub struct Surprises {
    list: List,
    /// What was found.
    pub found: Vec<Surprise>,
}

impl Surprises {
    /// Nothing found yet.
    pub fn new(form: Form) -> Self {
        Self { list: List::new(form), found: Vec::new() }
    }
}

impl Visitor for Surprises {
    fn form(&self) -> Form {
        self.list.form
    }

    fn number(&mut self, name: &'static str, size: u8, style: Style, value: &mut u64) -> Result<()> {
        self.list.number(name, size, style, value)
    }

    fn described(&mut self, number: &Number, size: u8, value: &mut u64) -> Result<()> {
        let field =
            Listed { name: number.name, offset: self.list.at, size, style: number.style, value: *value };
        if let Some(expected) = number.expected
            && !expected.values.iter().any(|values| values.contains(value))
        {
            self.found.push(Surprise { field, expected });
        }
        self.number(number.name, size, number.style, value)
    }

    fn pointer(&mut self, name: &'static str, target: Use, value: &mut Pointer) -> Result<()> {
        self.list.pointer(name, target, value)
    }

    fn bytes(&mut self, name: &'static str, size: u64, meaning: Meaning, value: &mut Opaque) -> Result<()> {
        self.list.bytes(name, size, meaning, value)
    }

    fn magic(&mut self, name: &'static str, value: &mut [u8]) -> Result<()> {
        self.list.magic(name, value)
    }
}
