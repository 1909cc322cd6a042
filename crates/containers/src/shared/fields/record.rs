//! Records of fixed size whose layout is the same in all files.

use super::{Fill, Form, List, Listed, Loader, Saver, Visitor};
use unshade_bytes::Result;

/// A record whose fields are said once, in the order of the file.
pub trait Record: Clone + Default {
    /// How its numbers are stored.
    const FORM: Form;

    /// Goes through its fields.
    ///
    /// # Errors
    /// Those of the visitor.
    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()>;

    /// The record in exactly these bytes.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut record = Self::default();
        let mut loader = Loader::new(Self::FORM, bytes, 0);
        record.visit(&mut loader).ok()?;
        (loader.position() == bytes.len() as u64).then_some(record)
    }

    /// Appends its bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`](unshade_bytes::ErrorKind::Unrepresentable) for a value that its field has no room for.
    fn write(mut self, out: &mut Vec<u8>) -> Result<()> {
        let mut saver = Saver::behind(Self::FORM, std::mem::take(out));
        self.visit(&mut saver)?;
        *out = saver.bytes;
        Ok(())
    }

    /// Its numbers, by the names of their fields.
    fn numbers(&self) -> Vec<Listed> {
        let mut list = List::new(Self::FORM);
        // A list has room for every number.
        let _ = self.clone().visit(&mut list);
        list.found
    }

    /// Gives the number of that name another value. Returns whether the record has such a field, and room for the value.
    fn set_number(&mut self, name: &str, value: u64) -> bool {
        let mut fill = Fill::new(Self::FORM, name, value);
        self.visit(&mut fill).is_ok() && fill.is_done()
    }
}
