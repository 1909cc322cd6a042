//! The memory pool: which code lies where, and whose it is. Binaries with the same code share it, so that code that changes
//! for one of them comes in behind the others.

use super::model::{Binary, Pool, SharcfbNx};
use super::raw::{CODE_ALIGNMENT, POOL_ALIGNMENT};
use crate::formats::agl::model::Record;
use crate::shared::Opaque;
use crate::shared::programs::unfit;
use std::collections::BTreeMap;
use unshade_bytes::Result;

/// A code section.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Section {
    /// Its bytes, as the control section of its first binary says.
    pub len: usize,
    /// Numbers of the binaries that have it, ascending.
    pub binaries: Vec<usize>,
}

/// Bytes that were taken out of a pool: where, and which.
pub(super) type Cut = (usize, Vec<u8>);

impl SharcfbNx {
    /// The code sections by their places in the pool.
    pub(super) fn sections(&self) -> BTreeMap<usize, Section> {
        let mut sections: BTreeMap<usize, Section> = BTreeMap::new();
        for (number, binary) in self.binaries().enumerate() {
            let Some(binary) = binary else { continue };
            let Some(code) = self.code(binary) else { continue };
            let place = binary.info().and_then(|info| usize::try_from(info.code).ok());
            let Some(place) = place else { continue };
            let section = sections.entry(place).or_default();
            section.len = section.len.max(code.len());
            section.binaries.push(number);
        }
        sections
    }

    /// Gives a binary another control section and other code. Code that another binary has stays where it is for that one; code
    /// that is there already is shared.
    pub(super) fn set_code(&mut self, number: usize, control: &[u8], code: &[u8]) -> Result<()> {
        let binary =
            self.binary(number).ok_or_else(|| crate::shared::programs::missing(&format!("@{number}")))?;
        let info = binary.info().ok_or_else(|| unfit("info", "a whole info block", "a cut one"))?;
        let same_code = self.code(binary).is_some_and(|known| known == code);
        let place = if same_code { info.code } else { self.place_for(number, code)? };
        let binary =
            self.binary(number).ok_or_else(|| crate::shared::programs::missing(&format!("@{number}")))?;
        let rebuilt = super::layout::with_control(binary, &info, control, self.has_pooled_names())?;
        let Some(Record::Known(binary)) =
            self.binaries.as_mut().and_then(|array| array.items.get_mut(number))
        else {
            return Err(crate::shared::programs::missing(&format!("@{number}")));
        };
        if let Some(data) = rebuilt {
            binary.data = Opaque(data);
        }
        set_place(binary, place);
        Ok(())
    }

    /// Where code for a binary lies from now on: where the same lies, in the place of its own where that has the room and nobody
    /// else has it, or behind all code.
    fn place_for(&mut self, number: usize, code: &[u8]) -> Result<u64> {
        let sections = self.sections();
        let pool = self.pool();
        let same = sections.iter().find(|(place, section)| {
            let others = section.binaries.iter().any(|user| *user != number);
            let there = pool.get(**place..).and_then(|rest| rest.get(..section.len));
            others && there == Some(code)
        });
        if let Some((place, _)) = same {
            return Ok(*place as u64);
        }
        let own = sections.iter().find(|(_, section)| section.binaries == [number]).map(|(place, _)| *place);
        if let Some(place) = own {
            let behind = place.saturating_add(1);
            let next = sections.range(behind..).next().map_or(pool.len(), |(next, _)| *next);
            if place.saturating_add(code.len()) <= next {
                self.overwrite(place, next, code)?;
                return Ok(place as u64);
            }
        }
        let end = self.pool_end();
        self.append(code, end)
    }

    /// Where code ends, and whatever else is in the pool and not zero: what is not known stays.
    pub(super) fn pool_end(&self) -> usize {
        let ends = self.sections().into_iter().map(|(place, section)| place.saturating_add(section.len));
        let used = self.pool().iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(1));
        ends.max().unwrap_or(0).max(used)
    }

    /// Puts code behind the end of what is there.
    pub(super) fn append(&mut self, code: &[u8], end: usize) -> Result<u64> {
        let Pool::Behind { bytes, .. } = &mut self.pool else {
            return Err(unfit("pool", "a memory pool behind the programs", "one elsewhere"));
        };
        let start = end.next_multiple_of(CODE_ALIGNMENT as usize);
        let needed = start.saturating_add(code.len());
        if needed > bytes.0.len() {
            bytes.0.resize(needed.next_multiple_of(POOL_ALIGNMENT as usize), 0);
        }
        if let Some(room) = bytes.0.get_mut(start..needed) {
            room.copy_from_slice(code);
        }
        Ok(start as u64)
    }

    /// Writes code over what stands at a place of the pool, with zeros up to `end`.
    fn overwrite(&mut self, place: usize, end: usize, code: &[u8]) -> Result<()> {
        let Pool::Behind { bytes, .. } = &mut self.pool else {
            return Err(unfit("pool", "a memory pool behind the programs", "one elsewhere"));
        };
        let Some(room) = bytes.0.get_mut(place..end) else { return Ok(()) };
        let (front, rest) = room.split_at_mut_checked(code.len()).unwrap_or((&mut [], &mut []));
        front.copy_from_slice(code);
        rest.fill(0);
        Ok(())
    }

    /// Takes the code out that only these binaries have, each with the room behind it up to the next code, and moves what
    /// follows. Behind the last code zeros are left up to the next multiple of 0x1000.
    pub(super) fn cut_code(&mut self, gone: impl Fn(usize) -> bool) -> Vec<Cut> {
        let sections = self.sections();
        let len = self.pool().len();
        let places: Vec<usize> = sections.keys().copied().collect();
        let mut cuts: Vec<Cut> = Vec::new();
        let mut overlap = 0_usize;
        for (index, (place, section)) in sections.iter().enumerate() {
            let next = places.get(index.saturating_add(1)).copied().unwrap_or(len);
            let crossed = *place < overlap || place.saturating_add(section.len) > next;
            overlap = overlap.max(place.saturating_add(section.len));
            if crossed || !section.binaries.iter().all(|user| gone(*user)) {
                continue;
            }
            let bytes = self.pool().get(*place..next).unwrap_or_default().to_vec();
            cuts.push((*place, bytes));
        }
        let Pool::Behind { bytes, .. } = &mut self.pool else { return Vec::new() };
        if cuts.is_empty() {
            return cuts;
        }
        // In one go, and for each cut where it started and what is gone up to its end.
        let (mut kept, mut at, mut gone) = (Vec::with_capacity(len), 0_usize, 0_usize);
        let mut sums: Vec<(usize, usize)> = Vec::with_capacity(cuts.len());
        for (place, cut) in &cuts {
            kept.extend_from_slice(bytes.0.get(at..*place).unwrap_or_default());
            at = place.saturating_add(cut.len());
            gone = gone.saturating_add(cut.len());
            sums.push((*place, gone));
        }
        kept.extend_from_slice(bytes.0.get(at..).unwrap_or_default());
        kept.resize(kept.len().next_multiple_of(POOL_ALIGNMENT as usize), 0);
        bytes.0 = kept;
        self.moved(|place| {
            let before = sums.partition_point(|(start, _)| *start < place);
            let gone = before.checked_sub(1).and_then(|last| sums.get(last)).map_or(0, |(_, gone)| *gone);
            place.saturating_sub(gone)
        });
        cuts
    }

    /// Puts code back that was cut out, and makes the pool as long as it was.
    pub(super) fn restore_code(&mut self, cuts: &[Cut], len: usize) -> Result<()> {
        let Pool::Behind { bytes, .. } = &mut self.pool else {
            return Err(unfit("pool", "a memory pool behind the programs", "one elsewhere"));
        };
        let (mut whole, mut at, mut added) = (Vec::with_capacity(len), 0_usize, 0_usize);
        let mut sums: Vec<(usize, usize)> = Vec::with_capacity(cuts.len());
        for (place, cut) in cuts {
            // Where it was, less what was cut out in front of it.
            let here = place.saturating_sub(added);
            let Some(front) = bytes.0.get(at..here) else {
                return Err(unfit("pool", "the memory pool that the code came from", "another"));
            };
            whole.extend_from_slice(front);
            whole.extend_from_slice(cut);
            at = here;
            added = added.saturating_add(cut.len());
            sums.push((here, added));
        }
        whole.extend_from_slice(bytes.0.get(at..).unwrap_or_default());
        let used = whole.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(1));
        whole.resize(len.max(used.next_multiple_of(POOL_ALIGNMENT as usize)), 0);
        bytes.0 = whole;
        self.moved(|place| {
            let before = sums.partition_point(|(start, _)| *start <= place);
            let added = before.checked_sub(1).and_then(|last| sums.get(last)).map_or(0, |(_, added)| *added);
            place.saturating_add(added)
        });
        Ok(())
    }

    /// Moves the code of all binaries.
    fn moved(&mut self, to: impl Fn(usize) -> usize) {
        for record in self.binaries.iter_mut().flat_map(|array| &mut array.items) {
            let Record::Known(binary) = record else { continue };
            let place = binary.info().and_then(|info| usize::try_from(info.code).ok());
            if let Some(place) = place {
                set_place(binary, to(place) as u64);
            }
        }
    }
}

/// Says where the code of a binary lies.
pub(super) fn set_place(binary: &mut Binary, place: u64) {
    if let Some(field) = binary.data.0.first_chunk_mut() {
        *field = place.to_le_bytes();
    }
}
