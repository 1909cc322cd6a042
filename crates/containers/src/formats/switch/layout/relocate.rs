//! The relocation table: it lists the pointers that there are behind a change, in entries as its writer folds them.

use super::super::image::{Image, Object};
use super::super::relocation::{Entry, Relocation, fold};
use super::{Edit, Map};
use crate::shared::fields::{Pointer, Slot, Use, Walk};
use std::collections::BTreeSet;
use unshade_bytes::{Error, ErrorKind, Result};

impl<O: Object> Edit<O> {
    /// Makes the relocation table list exactly the pointers that there are now.
    pub(super) fn relocate(&mut self, map: &Map) -> Result<()> {
        let Some((at, mut table)) = self.image.relocation().map(|(at, table)| (at, table.clone())) else {
            return Ok(());
        };
        let slots = self.image.slots()?;
        let raw = raw_slots(&self.image, &table, map);
        let places: Vec<u64> = raw.iter().map(|(slot, _)| *slot).collect();
        move_raw(&mut self.image, &places, map);
        let mut wanted: Vec<(u64, usize)> = slots
            .iter()
            .map(|(slot, _, target)| (*slot, table.section_of(target.0).unwrap_or(0)))
            .chain(raw)
            .collect();
        wanted.sort_unstable();
        if canonical(&table, self.pointers) {
            table.rebuild(&wanted);
        } else {
            keep_entries(&mut table, &wanted, map);
        }
        let len = {
            let mut walk = Walk::new(self.image.form, |_: Slot, _: &mut Pointer| {});
            table.visit(&mut walk)?;
            walk.len
        };
        let behind = self.image.objects.range(at.saturating_add(1)..).next();
        if behind.is_some() {
            let expected = "a relocation table behind everything else";
            let error =
                Error::new(ErrorKind::Unrepresentable, at, "relocation", expected, "others behind it");
            return Err(error.code("nx.relocation"));
        }
        table.own = Pointer(at);
        let end = at.saturating_add(len);
        self.image.len = end;
        if let Some(place) = self.image.objects.get_mut(&at).and_then(O::as_relocation_mut) {
            *place = table;
        }
        // What leads to nothing may lead into the table, which may have become shorter.
        if slots.iter().any(|(.., target)| target.0 >= end) {
            for object in self.image.objects.values_mut().filter(|object| object.has_fields()) {
                let mut walk = Walk::new(self.image.form, |slot: Slot, value: &mut Pointer| {
                    if !matches!(slot.target, Use::End) {
                        value.0 = value.0.min(end.saturating_sub(1));
                    }
                });
                object.visit(&mut walk)?;
            }
        }
        // The header says where the file ends.
        if let Some(header) = self.image.objects.get_mut(&0) {
            let mut walk = Walk::new(self.image.form, |slot: Slot, value: &mut Pointer| {
                if slot.target == Use::End && slot.name == "file_size" {
                    value.0 = end;
                }
            });
            header.visit(&mut walk)?;
        }
        Ok(())
    }
}

/// Whether the entries are those that [`fold`] makes of the places that they list.
fn canonical(table: &Relocation, pointers: usize) -> bool {
    let limit = (pointers as u64).saturating_mul(2).saturating_add(1024);
    table.count() <= limit
        && table.sections.iter().all(|section| {
            let entries = table.of(section);
            let mut slots: Vec<u64> = entries.iter().flat_map(|entry| entry.slots()).collect();
            slots.sort_unstable();
            fold(&slots) == entries
        })
}

/// Keeps the entries that still fit what they list, and folds the others.
fn keep_entries(table: &mut Relocation, wanted: &[(u64, usize)], map: &Map) {
    let mut left: BTreeSet<(usize, u64)> = wanted.iter().map(|(slot, section)| (*section, *slot)).collect();
    let mut sections = Vec::new();
    for (index, section) in table.sections.iter().enumerate() {
        let mut kept = Vec::new();
        for entry in table.of(section) {
            let limit = (wanted.len() as u64).saturating_mul(2);
            if entry.count() > limit {
                continue;
            }
            let moved: Vec<u64> = entry.slots().map(|slot| map.get(slot)).collect();
            let present: Vec<u64> =
                moved.iter().copied().filter(|slot| left.remove(&(index, *slot))).collect();
            let new = Entry {
                position: moved.first().map_or(0, |slot| u32::try_from(*slot).unwrap_or(u32::MAX)),
                ..*entry
            };
            if present.len() == moved.len() && new.slots().eq(moved.iter().copied()) {
                kept.push(new);
            } else {
                let mut present = present;
                present.sort_unstable();
                kept.extend(fold(&present));
            }
        }
        sections.push(kept);
    }
    for (index, kept) in sections.iter_mut().enumerate() {
        let rest: Vec<u64> =
            left.iter().filter(|(section, _)| *section == index).map(|(_, slot)| *slot).collect();
        kept.extend(fold(&rest));
    }
    table.entries.clear();
    for (section, kept) in table.sections.iter_mut().zip(sections) {
        section.first = u32::try_from(table.entries.len()).unwrap_or(u32::MAX);
        section.count = u32::try_from(kept.len()).unwrap_or(u32::MAX);
        table.entries.extend(kept);
    }
}

/// Pointers among bytes of which only the relocation table tells.
fn raw_slots<O: Object>(image: &Image<O>, table: &Relocation, map: &Map) -> Vec<(u64, usize)> {
    let mut found = Vec::new();
    if !image.objects.values().any(Object::is_raw) || table.count() > image.len {
        return found;
    }
    for (index, section) in table.sections.iter().enumerate() {
        for slot in table.of(section).iter().flat_map(|entry| entry.slots()) {
            let slot = map.get(slot);
            let inside = image.objects.range(..=slot).next_back();
            if inside.is_some_and(|(at, object)| {
                let len = object.bytes().map_or(0, <[u8]>::len) as u64;
                object.is_raw() && slot.saturating_add(8) <= at.saturating_add(len)
            }) {
                found.push((slot, index));
            }
        }
    }
    found
}

/// Moves the pointers in bytes of which only the relocation table tells.
fn move_raw<O: Object>(image: &mut Image<O>, slots: &[u64], map: &Map) {
    let big = image.form.big_endian;
    for &slot in slots {
        let Some((&at, object)) = image.objects.range_mut(..=slot).next_back() else { continue };
        let Some(bytes) = object.raw_mut() else { continue };
        let from = usize::try_from(slot.saturating_sub(at)).unwrap_or(usize::MAX);
        let Some(place) = bytes.get_mut(from..).and_then(|rest| rest.first_chunk_mut::<8>()) else {
            continue;
        };
        let value = if big { u64::from_be_bytes(*place) } else { u64::from_le_bytes(*place) };
        if value != 0 {
            let value = map.get(value);
            *place = if big { value.to_be_bytes() } else { value.to_le_bytes() };
        }
    }
}
