//! What is wrong with a cache that could be read.

use super::model::{GuestEntry, GuestHeader, Ryujinx, SharedHeader};
use super::raw::{ENTRY_LEN, HEADER_LEN, MOST_CODE, MOST_STATE};
use crate::formats::caches::maxwell::graphics_stage;
use crate::shared::fields::{Record, Surprises};
use crate::shared::findings::Findings;
use crate::shared::stages::Unpacking;
use unshade_bytes::{Diagnostic, Error, Severity};
use unshade_stage::StageKind;

/// The kind that the program header of an entry says, if it has one; `None` where the entry cannot be unpacked.
type Unpacked = Option<Option<StageKind>>;

impl Ryujinx {
    /// All findings, most severe first, then by place. What is packed is unpacked.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut found = Findings::default();
        let mut surprises = Surprises::new(GuestHeader::FORM);
        // Looking at numbers cannot fail.
        let _ = self.guest.header.clone().visit(&mut surprises);
        found.surprises(&surprises, 4, "guest_toc");
        if !self.guest.trailing.is_empty() {
            let len = self.guest.trailing.len();
            let at = self.data_at().saturating_sub(len as u64);
            found.error("ryujinx.guest-toc", (at, len as u64), "guest_toc.trailing", || {
                format!(
                    "expected whole entries of {ENTRY_LEN} bytes, found {len} more bytes: guest.toc was cut"
                )
            });
        }
        let len =
            self.guest.data.len().saturating_add(self.shared.as_ref().map_or(0, |shared| shared.data.len()));
        let work = Unpacking::new(len as u64);
        let mut kinds = Vec::new();
        if !self.guest.data.is_empty() {
            kinds = self.check_codes(&mut found, &work);
        } else if !self.guest.entries.is_empty() {
            found.take((vec![missing_data().diagnostic()], 0));
        }
        self.check_programs(&kinds, &mut found, &work);
        found.finish("ryujinx.more")
    }

    /// Unpacks all entries, and tells of what kind each is that has a program header.
    fn check_codes(&self, found: &mut Findings, work: &Unpacking) -> Vec<Unpacked> {
        let mut kinds = Vec::new();
        for (index, entry) in self.guest.entries.iter().enumerate() {
            let GuestEntry { code_size, .. } = entry;
            if !work.charge(u64::from(*code_size).min(MOST_CODE as u64)) {
                found.take((vec![work.error().diagnostic()], 0));
                break;
            }
            let code = self.code(index);
            kinds.push(code.as_ref().ok().map(|code| graphics_stage(code)));
            match code {
                Ok(code) if !code.len().is_multiple_of(8) => {
                    let at = HEADER_LEN.saturating_add(index.saturating_mul(ENTRY_LEN)).saturating_add(4);
                    found.warning(
                        "ryujinx.code-size",
                        (at as u64, 4),
                        &entry_path(index, "code_size"),
                        || format!("expected a multiple of 8, found {}", code.len()),
                    );
                }
                Ok(_) => {}
                Err(error) => found.take((vec![error.diagnostic()], 0)),
            }
        }
        kinds
    }

    fn check_programs(&self, kinds: &[Unpacked], found: &mut Findings, work: &Unpacking) {
        let Some(shared) = &self.shared else { return };
        let mut surprises = Surprises::new(SharedHeader::FORM);
        let mut header = shared.header;
        let _ = header.visit(&mut surprises);
        found.surprises(&surprises, self.shared_at().saturating_add(4), "shared_toc");
        if !shared.trailing.is_empty() {
            let len = shared.trailing.len();
            let at = self.states_at().saturating_sub(len as u64);
            found.error("ryujinx.shared-toc", (at, len as u64), "shared_toc.trailing", || {
                format!("expected whole places of 8 bytes, found {len} more bytes: shared.toc was cut")
            });
        }
        for (index, offset) in shared.offsets.iter().enumerate() {
            if !work.charge(MOST_STATE as u64 / 4) {
                found.take((vec![work.error().diagnostic()], 0));
                return;
            }
            let program = match self.program(index) {
                Ok(program) => program,
                Err(error) => {
                    found.take((vec![error.diagnostic()], 0));
                    continue;
                }
            };
            let path = format!("shared_data.programs[{index}]");
            let place = (self.states_at().saturating_add(offset.0), 1);
            if let Some(error) = &program.damage {
                found.warning("ryujinx.state", place, &path, || {
                    format!("what its stages were translated for is not known: {error}")
                });
            }
            for (slot, guest) in &program.stages {
                let entry = usize::try_from(*guest).ok().filter(|index| *index < self.guest.entries.len());
                let Some(entry) = entry else {
                    let count = self.guest.entries.len();
                    found.error("ryujinx.guest-index", place, &path, || {
                        format!(
                            "expected an entry of guest.toc below {count} as {}, found {guest}",
                            slot.name()
                        )
                    });
                    continue;
                };
                // What cannot be unpacked was told.
                let Some(Some(said)) = kinds.get(entry).filter(|_| slot.kind() != StageKind::Compute) else {
                    continue;
                };
                let said = *said;
                if said != Some(slot.kind()) {
                    found.report(Severity::Warning, "ryujinx.stage", place, &path, || {
                        let said = said.map_or("none".to_owned(), |kind| format!("that of a {kind} program"));
                        format!("expected a program header for {}, found {said}", slot.name())
                    });
                }
            }
        }
    }
}

fn entry_path(index: usize, field: &str) -> String {
    format!("guest_toc.entries[{index}].{field}")
}

/// What to say of a `guest.toc` whose programs are not there.
pub(super) fn missing_data() -> Error {
    let kind = unshade_bytes::ErrorKind::Truncated;
    let found = "none: only the table of the programs can be read";
    Error::unplaced(kind, "guest_data", "guest.data beside guest.toc", found).code("ryujinx.guest-data")
}
