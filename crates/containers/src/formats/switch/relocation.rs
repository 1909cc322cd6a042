//! The relocation table: which words of the file are pointers, so that a console can turn offsets into
//! addresses. A pointer is listed in the section that holds what it leads to.

use crate::shared::fields::{Fields, Pointer, Use, Visitor};
use unshade_bytes::Result;

/// Signature of the table.
pub const RLT: [u8; 4] = *b"_RLT";

/// A part of the file that may be loaded at a place of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Section {
    /// Address, filled in at run time.
    #[cfg_attr(feature = "serde", serde(with = "crate::formats::switch::wide"))]
    pub address: u64,
    /// Where it starts.
    pub position: u32,
    /// Its length in bytes.
    pub size: u32,
    /// Its first entry.
    pub first: u32,
    /// How many entries it has.
    pub count: u32,
}

impl Section {
    /// Whether a place lies in it.
    pub fn contains(&self, at: u64) -> bool {
        at.checked_sub(self.position.into()).is_some_and(|offset| offset < self.size.into())
    }
}

/// Pointers at equal distances: `structs` times `pointers` words of 8 bytes, then `gap` words of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Entry {
    /// Place of the first pointer.
    pub position: u32,
    /// How often.
    pub structs: u16,
    /// Pointers one after the other.
    pub pointers: u8,
    /// Words of 8 bytes behind them.
    pub gap: u8,
}

impl Entry {
    /// How many pointers it lists.
    pub fn count(&self) -> u64 {
        u64::from(self.structs).saturating_mul(self.pointers.into())
    }

    /// The places of its pointers.
    pub fn slots(self) -> impl Iterator<Item = u64> {
        let stride = u64::from(self.pointers).saturating_add(self.gap.into()).saturating_mul(8);
        (0..u64::from(self.structs)).flat_map(move |index| {
            let start = u64::from(self.position).saturating_add(index.saturating_mul(stride));
            (0..u64::from(self.pointers)).map(move |word| start.saturating_add(word.saturating_mul(8)))
        })
    }
}

/// A relocation table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Relocation {
    /// `_RLT`.
    pub signature: [u8; 4],
    /// Where the table says that it stands.
    pub own: Pointer,
    /// Not used.
    pub reserved: u32,
    /// Parts of the file.
    pub sections: Vec<Section>,
    /// Pointers; a section has `count` of them from `first` on.
    pub entries: Vec<Entry>,
}

impl Relocation {
    /// Goes through its fields.
    ///
    /// # Errors
    /// What the visitor says.
    pub fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.magic("signature", &mut self.signature)?;
        v.pointer("own_offset", Use::End, &mut self.own)?;
        let mut count = u32::try_from(self.sections.len()).unwrap_or(u32::MAX);
        v.u32("section_count", &mut count)?;
        v.u32("reserved", &mut self.reserved)?;
        v.entries(&mut self.sections, count.into(), 24)?;
        for (index, section) in self.sections.iter_mut().enumerate() {
            v.enter("sections", index as u64);
            v.bits64("address", &mut section.address)?;
            v.bits32("position", &mut section.position)?;
            v.bits32("size", &mut section.size)?;
            v.u32("first_entry", &mut section.first)?;
            v.u32("entry_count", &mut section.count)?;
            v.leave();
        }
        let end = |section: &Section| u64::from(section.first).saturating_add(section.count.into());
        let count = self.sections.iter().map(end).max().unwrap_or(0);
        v.entries(&mut self.entries, count, 8)?;
        for (index, entry) in self.entries.iter_mut().enumerate() {
            v.enter("entries", index as u64);
            v.bits32("position", &mut entry.position)?;
            v.u16("structs", &mut entry.structs)?;
            v.u8("pointers", &mut entry.pointers)?;
            v.u8("gap", &mut entry.gap)?;
            v.leave();
        }
        Ok(())
    }

    /// Brings along places and sizes of the sections.
    pub fn rescale(&mut self, map: &super::layout::Map) {
        for section in &mut self.sections {
            let size = map.size(section.position.into(), section.size.into());
            section.size = u32::try_from(size).unwrap_or(u32::MAX);
            section.position = u32::try_from(map.bound(section.position.into())).unwrap_or(u32::MAX);
        }
    }

    /// The entries of a section.
    pub fn of(&self, section: &Section) -> &[Entry] {
        let first = usize::try_from(section.first).unwrap_or(usize::MAX);
        let end = first.saturating_add(usize::try_from(section.count).unwrap_or(usize::MAX));
        self.entries.get(first..end).unwrap_or_default()
    }

    /// How many pointers it lists.
    pub fn count(&self) -> u64 {
        let entries = self.sections.iter().flat_map(|section| self.of(section));
        entries.fold(0, |sum: u64, entry| sum.saturating_add(entry.count()))
    }

    /// The section that a pointer to `target` is listed in.
    pub fn section_of(&self, target: u64) -> Option<usize> {
        self.sections.iter().position(|section| section.contains(target))
    }

    /// Makes the entries anew for pointers in file order, each with its section.
    pub fn rebuild(&mut self, slots: &[(u64, usize)]) {
        self.entries.clear();
        let mut before = 0_u32;
        for (index, section) in self.sections.iter_mut().enumerate() {
            // A section without entries may say any place; one that says the usual one goes on to say it.
            let unusual = section.count == 0 && section.first != before;
            before = before.saturating_add(section.count);
            let own: Vec<u64> =
                slots.iter().filter(|(_, owner)| *owner == index).map(|(slot, _)| *slot).collect();
            let entries = fold(&own);
            if !(unusual && entries.is_empty()) {
                section.first = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
            }
            section.count = u32::try_from(entries.len()).unwrap_or(u32::MAX);
            self.entries.extend(entries);
        }
    }
}

/// Ascending places as few entries: words that follow each other are one, and such runs of one length at equal
/// distances are one entry.
pub fn fold(slots: &[u64]) -> Vec<Entry> {
    let mut runs: Vec<(u64, u8)> = Vec::new();
    for &slot in slots {
        match runs.last_mut() {
            Some((start, len))
                if *len < u8::MAX && start.saturating_add(u64::from(*len).saturating_mul(8)) == slot =>
            {
                *len = len.saturating_add(1);
            }
            _ => runs.push((slot, 1)),
        }
    }
    let mut entries = Vec::new();
    let mut rest = runs.as_slice();
    while let Some((&(position, pointers), tail)) = rest.split_first() {
        let mut structs = 1_u16;
        let mut gap = 0;
        if let Some(&(next, _)) = tail.first() {
            let stride = next.saturating_sub(position);
            let words = stride.saturating_sub(u64::from(pointers).saturating_mul(8)) / 8;
            if let Ok(words) = u8::try_from(words) {
                let mut expected = next;
                for &(start, len) in tail {
                    if structs == u16::MAX || len != pointers || start != expected {
                        break;
                    }
                    structs = structs.saturating_add(1);
                    expected = expected.saturating_add(stride);
                }
                gap = if structs > 1 { words } else { 0 };
            }
        }
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        entries.push(Entry { position, structs, pointers, gap });
        rest = rest.get(usize::from(structs)..).unwrap_or_default();
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_and_back() {
        let slots = [8, 16, 40, 48, 72, 80, 200, 300 * 8, 301 * 8];
        let entries = fold(&slots);
        assert_eq!(
            entries,
            [
                Entry { position: 8, structs: 3, pointers: 2, gap: 2 },
                Entry { position: 200, structs: 1, pointers: 1, gap: 0 },
                Entry { position: 2400, structs: 1, pointers: 2, gap: 0 },
            ]
        );
        let back: Vec<u64> = entries.into_iter().flat_map(Entry::slots).collect();
        assert_eq!(back, slots);
        assert_eq!(fold(&[]), []);
    }
}
