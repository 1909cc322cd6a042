//! From the model to bytes.

use super::model::Bfsha;
use unshade_bytes::Result;

impl Bfsha {
    /// The bytes of the file.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where structures share bytes, or a value does not fit its
    /// field.
    pub fn write(&self) -> Result<Vec<u8>> {
        let mut bytes = self.image.write()?;
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
