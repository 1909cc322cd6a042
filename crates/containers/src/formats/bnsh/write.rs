//! From the model to bytes.

use super::model::Bnsh;
use unshade_bytes::Result;

impl Bnsh {
    /// The bytes of the file.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where structures share bytes, or a value does not fit its
    /// field.
    pub fn write(&self) -> Result<Vec<u8>> {
        self.write_behind(Vec::with_capacity(usize::try_from(self.len()).unwrap_or(0)))
    }

    /// The same behind the bytes of a file that it is in.
    pub(crate) fn write_behind(&self, before: Vec<u8>) -> Result<Vec<u8>> {
        let mut bytes = self.image.write_behind(before)?;
        bytes.extend_from_slice(&self.trailing);
        Ok(bytes)
    }

    /// Length of the file in bytes.
    pub fn len(&self) -> u64 {
        self.image.len.saturating_add(self.trailing.len() as u64)
    }

    /// Whether it has no bytes; no file is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
