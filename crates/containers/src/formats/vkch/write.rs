//! Model to bytes.

use super::model::Vkch;
use super::raw::AROUND;
use crate::shared::fields::Record;
use unshade_bytes::{Error, ErrorKind, Result};

impl Vkch {
    /// The bytes of the file.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] where an entry does not have the size that it says.
    pub fn write(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let size = entry.payload.len().saturating_add(AROUND);
            if entry.header.entry_size as usize != size || entry.footer.entry_size as usize != size {
                let path = format!("entries[{index}].entry_size");
                let found = format!("{} and {}", entry.header.entry_size, entry.footer.entry_size);
                return Err(Error::unplaced(ErrorKind::Unrepresentable, path, size.to_string(), found)
                    .code("vkch.sizes"));
            }
            entry.header.write(&mut bytes)?;
            bytes.extend_from_slice(&entry.payload);
            entry.footer.write(&mut bytes)?;
        }
        bytes.extend_from_slice(&self.rest);
        Ok(bytes)
    }
}
