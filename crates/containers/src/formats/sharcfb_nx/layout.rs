//! The data of a binary as known writers lay it out, taken apart and put together: info block, control section, tables, names.

use super::model::{Binary, SharcfbNx, Slot};
use super::raw::{INFO, Info, OLD_INFO, Table};
use crate::formats::agl::raw::text;
use crate::shared::programs::unfit;
use crate::shared::{Name, Strings};
use std::collections::HashMap;
use unshade_bytes::Result;

/// The control section starts at a multiple of this behind the info block.
const CONTROL_ALIGNMENT: usize = 0x10;
/// Data fills a multiple of so many bytes.
const DATA_ALIGNMENT: usize = 8;
/// Names fill a multiple of so many bytes.
const NAMES_ALIGNMENT: usize = 0x1000;

/// Where names of variables go.
pub(super) enum NamePlaces<'p> {
    /// Into the data.
    Data,
    /// Among those of the archive, where new ones come in.
    Pool(&'p mut NamePool),
    /// Among those of the archive, where they all are.
    Known(&'p NamePool),
}

/// What the data of a binary says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Contents {
    /// Place of the code in the memory pool.
    pub code: u64,
    /// The info block is an older one, without storage blocks.
    pub old: bool,
    /// The control section.
    pub control: Vec<u8>,
    /// The tables.
    pub tables: [Vec<Slot>; 6],
}

/// The names of an archive that are added to.
pub(super) struct NamePool {
    bytes: Vec<u8>,
    /// Bytes that names take.
    used: usize,
    places: HashMap<Vec<u8>, u64>,
}

impl NamePool {
    /// The names of an archive.
    pub(super) fn of(names: &Strings) -> Self {
        let bytes = names.0.clone();
        let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(2));
        let used = used.min(bytes.len());
        let mut places = HashMap::new();
        let mut at = 0_usize;
        for string in bytes.get(..used).unwrap_or_default().split_inclusive(|&byte| byte == 0) {
            places.entry(text(string).to_vec()).or_insert(at as u64);
            at = at.saturating_add(string.len());
        }
        Self { bytes, used, places }
    }

    /// The place of a name, which comes in behind the others where it is new.
    pub(super) fn place(&mut self, name: &[u8]) -> u64 {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let start = self.used;
        let end = start.saturating_add(name.len()).saturating_add(1);
        if end > self.bytes.len() {
            self.bytes.resize(end.next_multiple_of(NAMES_ALIGNMENT), 0);
        }
        if let Some(room) = self.bytes.get_mut(start..end.saturating_sub(1)) {
            room.copy_from_slice(name);
        }
        self.used = end;
        self.places.insert(name.to_vec(), start as u64);
        start as u64
    }

    /// The names with those that came in.
    pub(super) fn into_names(self) -> Strings {
        Strings(self.bytes)
    }
}

impl Contents {
    /// What the data of a binary says; `None` where a name leads nowhere, or parts do not fit.
    pub(super) fn of(file: &SharcfbNx, binary: &Binary) -> Option<Self> {
        let info = binary.info().filter(|info| info.fits(&binary.data))?;
        let mut tables: [Vec<Slot>; 6] = Default::default();
        for (table, place) in Table::ALL.into_iter().zip(&mut tables) {
            let entries = info.entries(&binary.data, table);
            let slot = |entry: super::raw::Entry| {
                let name = Name(file.text(binary, entry.name)?.to_vec());
                Some(Slot { name, location: entry.location, size: entry.size })
            };
            *place = entries.map(slot).collect::<Option<_>>()?;
        }
        Some(Self {
            code: info.code,
            old: info.len() == OLD_INFO,
            control: info.control_in(&binary.data).to_vec(),
            tables,
        })
    }

    /// What it says, where known writers lay it out so: the data comes back from it. `pool`: the names of the archive, where
    /// they stand there.
    pub(super) fn usual(file: &SharcfbNx, binary: &Binary, pool: Option<&NamePool>) -> Option<Self> {
        let contents = Self::of(file, binary)?;
        let data = contents.to_data(pool.map_or(NamePlaces::Data, NamePlaces::Known)).ok()?;
        (data == *binary.data).then_some(contents)
    }

    /// The data.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for what an info block has no room for.
    pub(super) fn to_data(&self, names: NamePlaces<'_>) -> Result<Vec<u8>> {
        let info_len = if self.old { OLD_INFO } else { INFO };
        if self.old && self.tables.get(Table::Buffers as usize).is_some_and(|table| !table.is_empty()) {
            return Err(unfit("buffers", "no storage blocks: the info block has no room for them", "some"));
        }
        let control_at = info_len.next_multiple_of(CONTROL_ALIGNMENT);
        let tables_at = control_at.saturating_add(self.control.len()).next_multiple_of(4);
        let lens = Table::ALL.into_iter().zip(&self.tables);
        let lens = lens.map(|(table, slots)| slots.len().saturating_mul(table.entry_len()));
        let names_at = lens.fold(tables_at, usize::saturating_add);
        let word = |value: usize| {
            u32::try_from(value).map_err(|_| unfit("data", "parts of 32 bits", format!("{value:#x}")))
        };
        let mut data = self.code.to_le_bytes().to_vec();
        data.extend(word(self.control.len())?.to_le_bytes());
        data.extend((control_at as u64).to_le_bytes());
        let (mut rows, mut own) = (Vec::new(), Vec::new());
        let mut names = names;
        for (table, slots) in Table::ALL.into_iter().zip(&self.tables) {
            if table == Table::Buffers && self.old {
                continue;
            }
            let at = if slots.is_empty() { 0 } else { tables_at.saturating_add(rows.len()) };
            data.extend(word(slots.len())?.to_le_bytes());
            data.extend((at as u64).to_le_bytes());
            for slot in slots {
                let place = match &mut names {
                    NamePlaces::Pool(pool) => pool.place(&slot.name),
                    NamePlaces::Known(pool) => pool
                        .places
                        .get(&slot.name.0)
                        .copied()
                        .ok_or_else(|| unfit("names", "names of the archive", "another"))?,
                    NamePlaces::Data => {
                        let place = names_at.saturating_add(own.len()) as u64;
                        own.extend_from_slice(&slot.name);
                        own.push(0);
                        place
                    }
                };
                rows.extend(place.to_le_bytes());
                rows.extend(slot.location.to_le_bytes());
                if table.has_size() {
                    rows.extend(slot.size.unwrap_or(0).to_le_bytes());
                }
            }
        }
        data.resize(control_at, 0);
        data.extend_from_slice(&self.control);
        data.resize(tables_at, 0);
        data.extend_from_slice(&rows);
        data.extend_from_slice(&own);
        data.resize(data.len().next_multiple_of(DATA_ALIGNMENT), 0);
        Ok(data)
    }
}

/// The data of a binary with another control section; `None` where it is the same. What lies behind the section moves, by
/// whole eights.
pub(super) fn with_control(
    binary: &Binary,
    info: &Info,
    control: &[u8],
    pooled: bool,
) -> Result<Option<Vec<u8>>> {
    let data = &binary.data.0;
    if info.control_in(data) == control {
        return Ok(None);
    }
    if !info.fits(data) {
        return Err(unfit("info", "a control section and tables inside of the data", "some that lead out"));
    }
    let start = usize::try_from(info.control).unwrap_or(usize::MAX);
    let end = start.saturating_add(info.control_size as usize);
    let more = control.len().saturating_sub(info.control_size as usize).next_multiple_of(DATA_ALIGNMENT);
    let mut section = control.to_vec();
    section.resize((info.control_size as usize).saturating_add(more), 0);
    let mut changed = spliced(data, info, start..end, &section, pooled)?;
    let size = u32::try_from(control.len());
    let size =
        size.map_err(|_| unfit("control", "a control section of 32 bits", control.len().to_string()))?;
    set(&mut changed, 8, &size.to_le_bytes());
    Ok(Some(changed))
}

/// The data of a binary with other bytes in the place of some, which belong to one part; what lies behind them moves, and the
/// block and the tables say so. `pooled`: names do not stand in the data.
pub(super) fn spliced(
    data: &[u8],
    info: &Info,
    range: std::ops::Range<usize>,
    new: &[u8],
    pooled: bool,
) -> Result<Vec<u8>> {
    let (start, end) = (range.start as u64, range.end as u64);
    let moved = |place: u64| match place >= end {
        true => place.saturating_sub(end).saturating_add(start).saturating_add(new.len() as u64),
        false => place,
    };
    let mut changed = data.to_vec();
    if !pooled {
        for table in Table::ALL {
            let Some((_, offset)) = info.table(table) else { continue };
            for (index, entry) in info.entries(data, table).enumerate() {
                let row = usize::try_from(offset).unwrap_or(usize::MAX);
                let row = row.saturating_add(index.saturating_mul(table.entry_len()));
                set(&mut changed, row, &moved(entry.name).to_le_bytes());
            }
        }
    }
    let across = |offset: u64, len: u64| offset < end && offset.saturating_add(len) > start;
    for table in Table::ALL {
        let Some((count, offset)) = info.table(table).filter(|(count, _)| *count > 0) else { continue };
        let len = (count as usize).saturating_mul(table.entry_len()) as u64;
        if across(offset, len) {
            return Err(unfit(
                table.name(),
                "a table beside the other parts of the data",
                "one across another",
            ));
        }
        if let Some(at) = info.pair_at(table) {
            set(&mut changed, at.saturating_add(4), &moved(offset).to_le_bytes());
        }
    }
    set(&mut changed, 12, &moved(info.control).to_le_bytes());
    if range.end > changed.len() || range.start > range.end {
        return Err(unfit("data", "parts inside of the data", "one that leads out"));
    }
    changed.splice(range, new.iter().copied());
    Ok(changed)
}

fn set(bytes: &mut [u8], at: usize, new: &[u8]) {
    if let Some(place) = bytes.get_mut(at..at.saturating_add(new.len())) {
        place.copy_from_slice(new);
    }
}

/// The names of an archive with another text in the place of the one at `at`, and by how much names behind it move.
pub(super) fn renamed(names: &Strings, at: usize, new: &[u8]) -> Option<(Strings, usize, i64)> {
    let all = &names.0;
    let rest = all.get(at..)?;
    let end = at.checked_add(rest.iter().position(|&byte| byte == 0)?)?;
    let used =
        all.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(2)).min(all.len());
    let mut bytes = all.get(..at)?.to_vec();
    bytes.extend_from_slice(new);
    bytes.extend_from_slice(all.get(end..used.max(end))?);
    let filled = bytes.len().next_multiple_of(NAMES_ALIGNMENT);
    // As known writers fill it up, or at least as long as it was.
    let usual = used.next_multiple_of(NAMES_ALIGNMENT) == all.len();
    let len = match usual {
        true => filled,
        false if bytes.len() <= all.len() => all.len(),
        false => filled,
    };
    bytes.resize(len, 0);
    let moved = (new.len() as i64).checked_sub(end.checked_sub(at)? as i64)?;
    Some((Strings(bytes), end, moved))
}
