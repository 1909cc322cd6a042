//! What is wrong with a cache that could be read.

use super::model::Cemu;
use super::pipeline::Pipeline;
use super::raw::{ENTRY_LEN, HEADER_LEN, MOST_CODE, MOST_REGISTERS, version};
use super::record::{Record, code};
use crate::shared::findings::Findings;
use crate::shared::stages::Unpacking;
use unshade_bytes::{Diagnostic, Error, Under};

/// The first byte of the names that tells the kind of program.
const KIND_BITS: u64 = 7 << 61;

impl Cemu {
    /// All findings, most severe first, then by place. What is packed is unpacked where the dictionaries are there.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut found = Findings::default();
        if version(self.header.magic) == Some(1) {
            found.note("cemu.version", (0, 4), "magic", || {
                "expected store version 2 or 3, found 1: Cemu reads these no more since 1.7.4".to_owned()
            });
        }
        if !(self.header.file_table_size as usize).is_multiple_of(ENTRY_LEN) {
            found.error("cemu.table", (24, 4), "file_table_size", || {
                format!("expected a multiple of {ENTRY_LEN}, found {}", self.header.file_table_size)
            });
        }
        let work = Unpacking::new(self.len());
        for index in self.records() {
            if let Err(error) = self.check_record(index, &work, &mut found) {
                found.take((vec![error.diagnostic()], 0));
            }
        }
        found.finish("cemu.more")
    }

    fn check_record(&self, index: usize, work: &Unpacking, found: &mut Findings) -> Result<(), Error> {
        let path = format!("records[{index}]");
        if !work.charge(self.record_cost(index)) {
            return Err(work.error());
        }
        let (at, bytes) = self.record_bytes(index)?;
        if Pipeline::read(&bytes).is_some() {
            return Ok(());
        }
        let record = Record::read(&bytes).map_err(|error| error.moved(at)).under(|| path.as_str())?;
        if let Some(entry) = self.entries.get(index) {
            let place =
                HEADER_LEN.saturating_add(self.before.len()).saturating_add(index.saturating_mul(ENTRY_LEN));
            let name = record.base.0 & !KIND_BITS | (record.kind as u64) << 61;
            if (entry.name1.0, entry.name2.0) != (name, record.aux.0) {
                found.warning("cemu.name", (place as u64, 16), &format!("entries[{index}].name1"), || {
                    format!(
                        "expected {name:016x} and {}, as the record says, found {} and {}",
                        record.aux, entry.name1, entry.name2
                    )
                });
            }
        }
        if !self.is_unpackable() {
            return Ok(());
        }
        let sizes = record.programs.iter().map(|program| u64::from(program.size.unwrap_or(0)).min(MOST_CODE));
        if !work.charge(sizes.fold(MOST_REGISTERS, u64::saturating_add)) {
            return Err(work.error());
        }
        record.state(&self.dictionaries).map_err(|error| error.moved(at)).under(|| path.as_str())?;
        for (place, program) in record.programs.iter().enumerate() {
            let code = code(program, &self.dictionaries)
                .map_err(|error| error.moved(at))
                .under(|| format!("{path}.programs[{place}]"))?;
            if !code.len().is_multiple_of(8) {
                found.warning("cemu.code-size", (at, 1), &format!("{path}.programs[{place}]"), || {
                    format!("expected a multiple of 8 bytes, found {}", code.len())
                });
            }
        }
        Ok(())
    }
}
