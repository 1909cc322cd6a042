//! Another file in the place of an embedded one.
//!
//! One that fits stays where it is. One that does not goes behind everything else; of a Switch file the relocation
//! table, which stands at the end, goes behind that again.

use super::{Bfres, Console};
use unshade_bytes::{Endian, Error, ErrorKind, Result};

/// A file with another one inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The file.
    pub bytes: Vec<u8>,
    /// Where the embedded file was put, where it did not fit into its place.
    pub moved_to: Option<u64>,
}

/// Shader files and textures start at multiples of this.
const ALIGNMENT: u64 = 0x1000;

impl Bfres<'_> {
    /// Puts other bytes in the place of an embedded file. The same bytes change nothing.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where there is no such file, [`ErrorKind::Unrepresentable`] for more bytes than the
    /// fields can say.
    pub fn replace(&self, index: usize, new: &[u8]) -> Result<Replaced> {
        let file = self.files.get(index).ok_or_else(|| {
            let expected = format!("one of {} embedded files", self.files.len());
            Error::new(ErrorKind::OutOfBounds, 0, "embedded", expected, index.to_string())
                .code("bfres.embedded")
        })?;
        if self.file(index) == new {
            return Ok(Replaced { bytes: self.bytes.to_vec(), moved_to: None });
        }
        let mut out = Out { bytes: self.bytes.to_vec(), endian: self.endian };
        let (start, end) = (file.offset, file.offset.saturating_add(file.len.into()));
        let shared = self.files.iter().enumerate().any(|(other, known)| {
            let known_end = known.offset.saturating_add(known.len.into());
            other != index && known.offset < end && start < known_end
        });
        let len = u32::try_from(new.len()).map_err(|_| too_long(new.len() as u64))?;
        let mut moved_to = None;
        let place = if !shared && u64::from(len) <= self.room(index) {
            start
        } else {
            let place = self.place_behind(&mut out, (start, end), len.into(), shared)?;
            moved_to = (place != start).then_some(place);
            place
        };
        if !shared {
            out.fill(start, end);
        }
        out.put(place, new);
        let pointer = file.record;
        match self.console {
            Console::Switch => {
                out.u64(pointer, place);
                out.u32(pointer.saturating_add(8), len);
            }
            Console::WiiU => {
                let away =
                    i128::from(place).checked_sub(pointer.into()).and_then(|away| i32::try_from(away).ok());
                out.u32(pointer, away.ok_or_else(|| too_long(place))?.cast_unsigned());
                out.u32(pointer.saturating_add(4), len);
            }
        }
        Ok(Replaced { bytes: out.bytes, moved_to })
    }

    /// Bytes that the file at `index` may have without moving: its own, and zeros behind them that nothing else
    /// has.
    fn room(&self, index: usize) -> u64 {
        let Some(file) = self.files.get(index) else { return 0 };
        let end = file.offset.saturating_add(file.len.into());
        let mut limit = self.end();
        for other in &self.files {
            if other.offset >= end {
                limit = limit.min(other.offset);
            }
        }
        if let Some(table) = self.relocation().filter(|table| *table >= end) {
            limit = limit.min(table);
        }
        let gap = usize::try_from(end).ok().zip(usize::try_from(limit).ok());
        let gap = gap.and_then(|(end, limit)| self.bytes.get(end..limit)).unwrap_or_default();
        // Less than an alignment of zeros is what stands between files; more may be somebody's.
        let zeros = gap.len() < ALIGNMENT as usize && gap.iter().all(|&byte| byte == 0);
        let free = if zeros { gap.len() as u64 } else { 0 };
        u64::from(file.len).saturating_add(free)
    }

    /// How long the header says that the file is.
    fn end(&self) -> u64 {
        let at = if self.console == Console::Switch { 0x1c } else { 0xc };
        self.view.u32(at, "file_size").unwrap_or(0).into()
    }

    /// Where the relocation table is, of a Switch file that has one.
    fn relocation(&self) -> Option<u64> {
        if self.console != Console::Switch {
            return None;
        }
        let at = u64::from(self.view.u32(0x18, "relocation").ok()?);
        (at != 0 && self.view.take(at, 16, "relocation").ok()?.starts_with(b"_RLT")).then_some(at)
    }

    /// Makes room for `len` bytes at the end and gives their place.
    fn place_behind(&self, out: &mut Out, old: (u64, u64), len: u64, shared: bool) -> Result<u64> {
        let end = self.end();
        let table = self.relocation().filter(|table| *table >= old.1);
        let behind = usize::try_from(end).ok().and_then(|end| self.bytes.get(end..)).unwrap_or_default();
        let content_end = table.unwrap_or(end);
        // The last file before the table grows where it is.
        let last = !shared
            && self
                .bytes
                .get(usize::try_from(old.1).unwrap_or(usize::MAX)..usize::try_from(content_end).unwrap_or(0))
                .is_some_and(|gap| gap.len() < ALIGNMENT as usize && gap.iter().all(|&byte| byte == 0));
        let alignment = match self.console {
            Console::Switch => ALIGNMENT,
            Console::WiiU => {
                let said = u64::from(self.view.u32(0x10, "alignment")?);
                if said.is_power_of_two() && said <= 0x1_0000 { said.max(0x100) } else { ALIGNMENT }
            }
        };
        let place = if last {
            old.0
        } else {
            content_end.checked_next_multiple_of(alignment).ok_or_else(|| too_long(content_end))?
        };
        let data_end = place.saturating_add(len);
        let new_table = data_end.checked_next_multiple_of(8).ok_or_else(|| too_long(data_end))?;
        let moved = table.and_then(|table| {
            let range = usize::try_from(table).ok()?..usize::try_from(end).ok()?;
            Some((table, self.bytes.get(range)?))
        });
        let new_end = match moved {
            Some((_, bytes)) => new_table.saturating_add(bytes.len() as u64),
            None => data_end,
        };
        let size = u32::try_from(new_end).map_err(|_| too_long(new_end))?;
        out.u32(if self.console == Console::Switch { 0x1c } else { 0xc }, size);
        out.bytes.truncate(usize::try_from(content_end).unwrap_or(usize::MAX));
        out.bytes.resize(usize::try_from(new_end).unwrap_or(usize::MAX), 0);
        if let Some((_, bytes)) = moved {
            out.put(new_table, bytes);
            let place32 = u32::try_from(new_table).map_err(|_| too_long(new_table))?;
            out.u32(0x18, place32);
            out.u32(new_table.saturating_add(4), place32);
            self.sections(out, new_table, old.0, data_end);
        }
        out.bytes.extend_from_slice(behind);
        Ok(place)
    }

    /// The section of the relocation table that the embedded file was in reaches as far as it does now.
    fn sections(&self, out: &mut Out, table: u64, old: u64, data_end: u64) {
        let count = out.read_u32(table.saturating_add(8)).unwrap_or(0).min(0x100);
        for section in 0..u64::from(count) {
            let record = table.saturating_add(16).saturating_add(section.saturating_mul(0x18));
            let (Some(start), Some(size)) =
                (out.read_u32(record.saturating_add(8)), out.read_u32(record.saturating_add(12)))
            else {
                return;
            };
            let (start, end) = (u64::from(start), u64::from(start).saturating_add(size.into()));
            if (start..end).contains(&old) && data_end > end {
                let size = u32::try_from(data_end.saturating_sub(start)).unwrap_or(u32::MAX);
                out.u32(record.saturating_add(12), size);
            }
        }
    }
}

fn too_long(found: u64) -> Error {
    Error::new(ErrorKind::Unrepresentable, 0, "file_size", "at most 4 GiB", format!("{found:#x}"))
        .code("bfres.too-long")
}

struct Out {
    bytes: Vec<u8>,
    endian: Endian,
}

impl Out {
    fn put(&mut self, at: u64, new: &[u8]) {
        let Ok(at) = usize::try_from(at) else { return };
        let end = at.saturating_add(new.len());
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        if let Some(place) = self.bytes.get_mut(at..end) {
            place.copy_from_slice(new);
        }
    }

    fn fill(&mut self, start: u64, end: u64) {
        let range = usize::try_from(start).unwrap_or(usize::MAX)..usize::try_from(end).unwrap_or(0);
        let len = self.bytes.len();
        if let Some(place) = self.bytes.get_mut(range.start..range.end.min(len)) {
            place.fill(0);
        }
    }

    fn u32(&mut self, at: u64, value: u32) {
        self.put(
            at,
            &match self.endian {
                Endian::Little => value.to_le_bytes(),
                Endian::Big => value.to_be_bytes(),
            },
        );
    }

    fn u64(&mut self, at: u64, value: u64) {
        self.put(
            at,
            &match self.endian {
                Endian::Little => value.to_le_bytes(),
                Endian::Big => value.to_be_bytes(),
            },
        );
    }

    fn read_u32(&self, at: u64) -> Option<u32> {
        let at = usize::try_from(at).ok()?;
        let bytes = *self.bytes.get(at..)?.first_chunk()?;
        Some(match self.endian {
            Endian::Little => u32::from_le_bytes(bytes),
            Endian::Big => u32::from_be_bytes(bytes),
        })
    }
}
