//! Model to bytes.

use super::join::{Files, join};
use super::model::{Guest, Ryujinx, Shared};
use super::raw::{GUEST_MAGIC, SHARED_MAGIC};
use crate::shared::fields::Record;
use unshade_bytes::{Error, ErrorKind, Result};

impl Ryujinx {
    /// The bytes that the cache was read from: its joined files, or `guest.toc` alone.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] for a model with what a lone `guest.toc` has no room for, or with `shared.data` alone.
    pub fn write(&self) -> Result<Vec<u8>> {
        let guest_toc = self.guest.toc()?;
        if !self.joined {
            if self.shared.is_some() || !self.guest.data.is_empty() {
                let found = "other files with it";
                return Err(Error::unplaced(ErrorKind::Unrepresentable, "joined", "guest.toc alone", found)
                    .code("ryujinx.joined"));
            }
            return Ok(guest_toc);
        }
        let shared_toc = self.shared.as_ref().map(Shared::toc).transpose()?.unwrap_or_default();
        Ok(join(Files {
            guest_toc: &guest_toc,
            guest_data: &self.guest.data,
            shared_toc: &shared_toc,
            shared_data: self.shared.as_ref().map_or(&[], |shared| &shared.data),
        }))
    }
}

impl Guest {
    fn toc(&self) -> Result<Vec<u8>> {
        let mut bytes = GUEST_MAGIC.to_vec();
        self.header.clone().write(&mut bytes)?;
        for entry in &self.entries {
            entry.write(&mut bytes)?;
        }
        bytes.extend_from_slice(&self.trailing);
        Ok(bytes)
    }
}

impl Shared {
    fn toc(&self) -> Result<Vec<u8>> {
        let mut bytes = SHARED_MAGIC.to_vec();
        self.header.write(&mut bytes)?;
        bytes.extend(self.offsets.iter().flat_map(|offset| offset.0.to_le_bytes()));
        bytes.extend_from_slice(&self.trailing);
        Ok(bytes)
    }
}
