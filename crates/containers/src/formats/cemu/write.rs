//! Model to bytes.

use super::model::Cemu;
use super::raw::HEADER_LEN;
use crate::shared::fields::Record;
use unshade_bytes::{Error, ErrorKind, Result};

impl Cemu {
    /// The bytes of the file.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] where the table is not where the header says.
    pub fn write(&self) -> Result<Vec<u8>> {
        let start = HEADER_LEN.saturating_add(self.before.len()) as u64;
        if self.header.data_offset.0.wrapping_add(self.header.file_table_offset.0) != start {
            let expected = format!("a table at {start:#x}");
            let found =
                format!("{:#x} and {:#x}", self.header.data_offset.0, self.header.file_table_offset.0);
            return Err(Error::unplaced(ErrorKind::Unrepresentable, "file_table_offset", expected, found)
                .code("cemu.table"));
        }
        let mut bytes = Vec::new();
        self.header.write(&mut bytes)?;
        bytes.extend_from_slice(&self.before);
        for entry in &self.entries {
            entry.clone().write(&mut bytes)?;
        }
        bytes.extend_from_slice(&self.behind);
        Ok(bytes)
    }
}
