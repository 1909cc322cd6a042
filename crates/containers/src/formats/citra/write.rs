//! Model to bytes.

use super::model::Citra;
use super::raw::{REGISTERS, VERTEX, WORDS};
use crate::shared::fields::Record;
use unshade_bytes::{Error, ErrorKind, Result};

impl Citra {
    /// The bytes of the file.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] where an entry has another number of registers or words than the format.
    pub fn write(&self) -> Result<Vec<u8>> {
        let mut bytes = self.version.to_le_bytes().to_vec();
        for (index, entry) in self.entries.iter().enumerate() {
            let vertex = entry.header.program_type == VERTEX;
            let words = if vertex { WORDS } else { 0 };
            for (name, is, count) in
                [("registers", &entry.registers, REGISTERS), ("program_code", &entry.program_code, words)]
            {
                if is.len() as u64 != count.saturating_mul(4) {
                    let path = format!("entries[{index}].{name}");
                    let (expected, found) = (format!("{count} words"), format!("{} bytes", is.len()));
                    return Err(Error::unplaced(ErrorKind::Unrepresentable, path, expected, found)
                        .code("citra.sizes"));
                }
            }
            entry.header.write(&mut bytes)?;
            bytes.extend_from_slice(&entry.registers);
            if vertex {
                bytes.extend(WORDS.to_le_bytes());
                bytes.extend_from_slice(&entry.program_code);
            }
        }
        bytes.extend_from_slice(&self.rest);
        Ok(bytes)
    }
}
