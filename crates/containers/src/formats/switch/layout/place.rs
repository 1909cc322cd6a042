//! Placing structures: in their order, each where it was when it can be.

use super::super::image::{Object, object_len};
use super::{Edit, Insertion, Map, UNPLACED};
use std::collections::BTreeMap;
use unshade_bytes::Result;

/// The structures at their new places, each with its old place or, of those that came in, its id.
pub(super) struct Placed<O> {
    pub(super) objects: BTreeMap<u64, (u64, O)>,
    /// Whole structures by their old places, so far without what is inside of them.
    pub(super) map: Map,
    /// Where the last one ends.
    pub(super) end: u64,
}

impl<O: Object> Edit<O> {
    /// Takes all structures and gives each a place.
    pub(super) fn place(&mut self, marks: &[(u64, u64)]) -> Result<Placed<O>> {
        let form = self.image.form;
        let mut map = Map { marks: marks.to_vec(), ..Map::default() };
        let mut objects = BTreeMap::new();
        let (mut old_end, mut new_end) = (0_u64, 0_u64);
        let mut insertions: BTreeMap<u64, Vec<Insertion<O>>> = BTreeMap::new();
        for insertion in std::mem::take(&mut self.insertions) {
            insertions.entry(insertion.after).or_default().push(insertion);
        }
        let mut old: BTreeMap<u64, Option<O>> = self.before.keys().map(|at| (*at, None)).collect();
        let present = std::mem::take(&mut self.image.objects);
        old.extend(present.into_iter().map(|(at, object)| (at, Some(object))));
        let mut gone = Vec::new();
        let mut carried = 1;
        let mark_at = |at: u64| {
            marks.iter().filter(|(place, _)| *place == at).map(|(_, alignment)| *alignment).max().unwrap_or(1)
        };
        // Pointers of the Wii U have 32 bits, and so stand records on multiples of 4.
        let usual = |object: &O| match object.alignment().max(1) {
            8 if form.relative => 4,
            other => other,
        };
        let mut tail = 0_u64;
        // What came in stands behind the tail.
        let mut paid = false;
        let mut behind_raw = false;
        for (at, object) in old {
            if old_end.saturating_add(tail) <= at {
                old_end = old_end.saturating_add(tail);
                new_end = new_end.saturating_add(if paid { 0 } else { tail });
            }
            paid = false;
            tail = object.as_ref().map_or(0, O::tail);
            let Some(object) = object else {
                // What follows moves up into the place of what is gone.
                old_end = at.saturating_add(self.before.get(&at).copied().unwrap_or(0));
                gone.push(map.objects.len());
                map.objects.push((at, old_end, new_end, new_end));
                carried = carried.max(mark_at(at));
                continue;
            };
            let kind = usual(&object);
            // What stands on less keeps to that.
            let kind = if at == 0 { kind } else { kind.min(1 << at.trailing_zeros().min(16)) };
            // What moves up into the place of what is gone has to be aligned as that was.
            let first = std::mem::replace(&mut carried, 1);
            let alignment = kind.max(mark_at(at)).max(first);
            let extra = old_end.next_multiple_of(alignment) != at;
            let natural = new_end.next_multiple_of(alignment);
            // Zeros around bytes that nobody knows may be theirs, and what only they lead to: they stay.
            let unknown = object.is_raw() || behind_raw && alignment <= 8;
            let place = match (extra && first == 1, at.checked_sub(old_end)) {
                (true, Some(zeros)) if unknown => new_end.saturating_add(zeros).next_multiple_of(alignment),
                (true, _) if at >= natural => at,
                _ => natural,
            };
            behind_raw = object.is_raw();
            let len = object_len(&object, form)?;
            let before = self.before.get(&at).copied().unwrap_or(len);
            old_end = at.saturating_add(before);
            new_end = place.saturating_add(len);
            map.objects.push((at, old_end, place, new_end));
            // What led to something that is gone leads to what moved up into its place.
            for index in gone.drain(..) {
                if let Some(span) = map.objects.get_mut(index) {
                    span.2 = place;
                }
            }
            objects.insert(place, (at, object));
            for Insertion { id, object, .. } in insertions.remove(&at).unwrap_or_default() {
                if !std::mem::replace(&mut paid, true) {
                    new_end = new_end.saturating_add(tail);
                }
                let place = new_end.next_multiple_of(usual(&object));
                new_end = place.saturating_add(object_len(&object, form)?);
                map.objects.push((id, id, place, new_end));
                objects.insert(place, (id, object));
            }
        }
        map.places.extend(map.objects.iter().map(|(old, _, new, _)| (*old, *new)));
        // Boundaries are those of what was there; what came in lies before the next one of these.
        let mut merged: Vec<(u64, u64, u64, u64)> = Vec::new();
        for span in std::mem::take(&mut map.objects) {
            match merged.last_mut() {
                Some(last) if span.0 >= UNPLACED => last.3 = span.3,
                _ => merged.push(span),
            }
        }
        map.objects = merged;
        map.places.sort_unstable();
        Ok(Placed { objects, map, end: new_end })
    }
}
