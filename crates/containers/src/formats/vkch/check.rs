//! What is wrong with a cache that could be read.

use super::model::Vkch;
use super::raw::{CONFIG_LEN, MOST, TYPES, VERTEX_CONFIG, VERTEX_PROGRAM};
use super::read::entry;
use crate::shared::findings::Findings;
use crate::shared::stages::Unpacking;
use unshade_bytes::{Diagnostic, Endian, Error, Reader, Under};

/// What unpacking costs that fails, in bytes: nobody knows how far it came.
const FAILED: u64 = 1 << 20;
/// First word of SPIR-V.
const SPIRV_MAGIC: [u8; 4] = [0x03, 0x02, 0x23, 0x07];

impl Vkch {
    /// All findings, most severe first, then by place. What is packed is unpacked.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut found = Findings::default();
        let work = Unpacking::new(self.len());
        for (index, (at, entry)) in self.placed().enumerate() {
            let path = format!("entries[{index}]");
            let payload = at.saturating_add(16);
            if usize::from(entry.header.entry_type) >= TYPES.len() {
                found.warning("vkch.type", (at.saturating_add(2), 2), &format!("{path}.entry_type"), || {
                    format!("expected a type below {}, found {}", TYPES.len(), entry.header.entry_type)
                });
            }
            if entry.footer.reserved.0 != 0 {
                let place = at.saturating_add(entry.len()).saturating_sub(8);
                found.warning("vkch.footer", (place, 8), &format!("{path}.footer.reserved"), || {
                    format!("expected 0, found {}", entry.footer.reserved)
                });
            }
            let content = match entry.header.entry_type {
                VERTEX_PROGRAM => entry.program().map(|_| ()),
                VERTEX_CONFIG => entry.content(CONFIG_LEN).map(|bytes| {
                    if bytes.len() != CONFIG_LEN {
                        found.error("vkch.config", (payload, 1), &format!("{path}.payload"), || {
                            format!("expected {CONFIG_LEN} bytes of a configuration, found {}", bytes.len())
                        });
                    }
                }),
                _ => entry.content(MOST).map(|bytes| {
                    if entry.is_spirv() && !bytes.starts_with(&SPIRV_MAGIC) {
                        found.error("vkch.spirv", (payload, 4), &format!("{path}.payload"), || {
                            format!(
                                "expected SPIR-V, which starts with 03 02 23 07, found \"{}\"",
                                bytes.get(..4).unwrap_or(&bytes).escape_ascii()
                            )
                        });
                    }
                    work.charge(bytes.len() as u64);
                }),
            };
            let mut cost = 0x1000;
            if let Err(error) = content.map_err(|error: Error| error.moved(payload)).under(|| path.as_str()) {
                found.take((vec![error.diagnostic()], 0));
                cost = FAILED;
            }
            if !work.charge(cost) {
                found.take((vec![work.error().diagnostic()], 0));
                break;
            }
        }
        if let Some(error) = self.rest_error() {
            found.take((vec![error.diagnostic()], 0));
        }
        found.finish("vkch.more")
    }

    /// Why what is behind the last entry is none; `None` where nothing is there.
    pub(super) fn rest_error(&self) -> Option<Error> {
        if self.rest.is_empty() {
            return None;
        }
        let at = self.len();
        let mut reader = Reader::with_base(&self.rest, at, Endian::Little);
        let path = format!("entries[{}]", self.entries.len());
        let mut error = entry(&mut reader).under(|| path.as_str()).err()?;
        error.found = format!(
            "{}; whole entries before it: {}, bytes that are not read: {} from {at:#x} on",
            error.found,
            self.entries.len(),
            self.rest.len()
        )
        .into();
        Some(error)
    }
}
