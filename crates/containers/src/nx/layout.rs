//! Changing a file: what grew, came or went makes others move, and every pointer follows.
//!
//! A structure keeps its place when it can. Zeros in front of one that is aligned are used up before it moves.

use super::fields::{Pointer, Slot, Use, Walk};
use super::image::{Image, Object, object_len};
use super::relocation::{Relocation, fold};
use crate::Name;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use unshade_bytes::{Error, ErrorKind, Result};

/// Places of structures that have none yet start here.
const UNPLACED: u64 = 1 << 40;

/// From the places before a change to those after it.
#[derive(Debug, Clone, Default)]
pub struct Map {
    /// Whole structures, by their old places: old place, old end, new place, new end.
    objects: Vec<(u64, u64, u64, u64)>,
    /// Also what moved inside of one: old place, new place.
    places: Vec<(u64, u64)>,
    /// Old boundaries that are aligned, and to what.
    marks: Vec<(u64, u64)>,
}

impl Map {
    /// Where a place is now. It keeps its distance from the structure that it is in or behind.
    pub fn get(&self, at: u64) -> u64 {
        let behind = self.places.partition_point(|(old, _)| *old <= at);
        match behind.checked_sub(1).and_then(|index| self.places.get(index)) {
            Some((old, new)) => new.saturating_add(at.saturating_sub(*old)),
            None => at,
        }
    }

    /// Where a boundary is now: the start of a structure, or an end behind one and its padding.
    pub fn bound(&self, at: u64) -> u64 {
        let behind = self.objects.partition_point(|(old, ..)| *old < at);
        if let Some((old, _, new, _)) = self.objects.get(behind)
            && *old == at
        {
            return *new;
        }
        let Some((_, end, _, new)) = behind.checked_sub(1).and_then(|index| self.objects.get(index)) else {
            return at;
        };
        if at < *end {
            return self.get(at);
        }
        // An end that stands on more by chance need not stay there, unless it is said to.
        let explains = |alignment: &u64| *alignment > 0 && end.next_multiple_of(*alignment) == at;
        let marked = self.marks.iter().find(|(place, _)| *place == at).map(|(_, alignment)| *alignment);
        let usual = [1, 2, 4, 8, 0x100, 0x1000].into_iter();
        match marked.into_iter().chain(usual).find(explains) {
            Some(alignment) => new.next_multiple_of(alignment),
            None => new.saturating_add(at.saturating_sub(*end)),
        }
    }

    /// The new size of the structure at `at`, where it had `size` bytes without padding; else as [`Map::size`].
    pub fn len(&self, at: u64, size: u64) -> u64 {
        let index = self.objects.binary_search_by_key(&at, |(old, ..)| *old).ok();
        match index.and_then(|index| self.objects.get(index)) {
            Some((old, end, new, new_end)) if end.saturating_sub(*old) == size => {
                new_end.saturating_sub(*new)
            }
            _ => self.size(at, size),
        }
    }

    /// The new size of what had `size` bytes from `at` on.
    pub fn size(&self, at: u64, size: u64) -> u64 {
        self.bound(at.saturating_add(size)).saturating_sub(self.bound(at))
    }
}

/// A structure that comes in.
struct Insertion<O> {
    after: u64,
    id: u64,
    object: O,
}

/// A change of a file. Structures may be changed in place, also in their length; others come and go. Pointers
/// to what comes are good at once, and all become places in [`Edit::finish`].
pub struct Edit<O> {
    /// The file, still with the old places.
    pub image: Image<O>,
    before: BTreeMap<u64, u64>,
    referred: BTreeSet<u64>,
    insertions: Vec<Insertion<O>>,
    texts: Vec<(u64, Name)>,
    /// Where strings are, and those that come in, once one was asked for.
    known: Option<HashMap<Vec<u8>, Pointer>>,
    inner: Vec<(u64, Map)>,
    inside: Vec<(u64, u64, u64)>,
    next: u64,
    /// How many pointers there were.
    pointers: usize,
    /// The place of the string that the header names the file by.
    name: Option<u64>,
}

/// What is said of a change whose file could not be read again: structures of a file that means harm may stand in each
/// other's way once they move.
pub(crate) fn unreadable(error: Error) -> Error {
    let found = Cow::Owned(format!("one that cannot: {error}"));
    let expected = Cow::Borrowed("a changed file that can be read again");
    Error { kind: ErrorKind::Unrepresentable, expected, found, ..error }
}

impl<O: Object> Edit<O> {
    /// Starts a change.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn new(image: Image<O>) -> Result<Self> {
        let mut before = BTreeMap::new();
        for (&at, object) in &image.objects {
            before.insert(at, object_len(object, image.form)?);
        }
        let referred = referred(&image)?;
        let pointers = image.slots()?.len();
        let name = file_name(&image)?;
        Ok(Self {
            image,
            before,
            referred,
            insertions: Vec::new(),
            texts: Vec::new(),
            known: None,
            inner: Vec::new(),
            inside: Vec::new(),
            next: UNPLACED,
            pointers,
            name,
        })
    }

    /// Says how long a structure was, where it is longer now.
    pub fn was(&mut self, at: u64, len: u64) {
        self.before.insert(at, len);
    }

    /// Brings in a structure behind the one at `after`, and behind those that came in there before.
    pub fn insert(&mut self, after: u64, object: O) -> Pointer {
        let id = self.id();
        self.insertions.push(Insertion { after, id, object });
        Pointer(id)
    }

    fn id(&mut self) -> u64 {
        let id = self.next;
        // Structures may be as long as a file.
        self.next = self.next.saturating_add(UNPLACED >> 4);
        id
    }

    /// What came in before.
    pub fn inserted(&mut self, at: Pointer) -> Option<&mut O> {
        self.insertions
            .iter_mut()
            .find(|insertion| insertion.id == at.0)
            .map(|insertion| &mut insertion.object)
    }

    /// A pointer to a string, which comes into the pool where it is not there.
    pub fn text(&mut self, text: &[u8]) -> Pointer {
        if self.known.is_none() {
            let texts = self.image.texts();
            // Of equal ones the first.
            self.known = Some(texts.all().rev().map(|(at, text)| (text.to_vec(), at)).collect());
        }
        if let Some(at) = self.known.as_ref().and_then(|known| known.get(text)) {
            return *at;
        }
        let id = self.id();
        self.texts.push((id, Name(text.to_vec())));
        if let Some(known) = &mut self.known {
            known.insert(text.to_vec(), Pointer(id));
        }
        Pointer(id)
    }

    /// Says what moved inside of a file in the file.
    pub fn moved_inside(&mut self, at: u64, map: Map) {
        self.inner.push((at, map));
    }

    /// A pointer to what came in at `place` inside of the file in the file at `at`.
    pub fn inside(&mut self, at: u64, place: u64) -> Pointer {
        let id = self.id();
        self.inside.push((id, at, place));
        Pointer(id)
    }

    /// The string that a pointer leads to, also one that comes into the pool.
    pub fn text_of(&self, at: Pointer) -> Vec<u8> {
        let new = self.texts.iter().find(|(id, _)| *id == at.0).map(|(_, text)| text.0.clone());
        new.unwrap_or_else(|| self.image.texts().get(at).unwrap_or_default().to_vec())
    }

    /// Makes the trie of a dictionary fit its keys. `keys` are their strings, in order.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] for a name that stands there twice.
    pub fn rebuild(
        dictionary: &mut super::Dictionary,
        keys: &[Vec<u8>],
        family: super::Family,
    ) -> Result<()> {
        let nodes: Vec<(Pointer, Pointer)> =
            dictionary.nodes.iter().skip(1).map(|node| (node.key, node.value)).collect();
        let keys: Vec<(&[u8], Pointer, Pointer)> =
            keys.iter().zip(nodes).map(|(text, (key, value))| (text.as_slice(), key, value)).collect();
        dictionary.rebuild(&keys, family)
    }

    /// Takes out what nothing leads to any more. What comes in stays, and what that leads to.
    pub fn collect(&mut self, first: Vec<super::Target<O::Kind>>) {
        let mut reached = BTreeSet::new();
        let mut pending: Vec<u64> = first.into_iter().map(|target| target.at).collect();
        pending.extend(self.insertions.iter().map(|insertion| insertion.id));
        let mut targets = Vec::new();
        while let Some(at) = pending.pop() {
            let object = if at < UNPLACED {
                self.image.objects.get(&at)
            } else {
                // Ids grow.
                let index = self.insertions.binary_search_by_key(&at, |insertion| insertion.id).ok();
                index.and_then(|index| self.insertions.get(index)).map(|insertion| &insertion.object)
            };
            let Some(object) = object.filter(|_| reached.insert(at)) else { continue };
            object.targets(at, &self.image, &mut targets);
            pending.extend(targets.drain(..).map(|target| target.at));
        }
        self.image
            .objects
            .retain(|at, object| reached.contains(at) || object.is_raw() || object.as_text().is_some());
    }

    /// Places everything. `marks` are places at which what is there must be aligned, and to what.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] when there is no pool for new strings, or the relocation table does not
    /// stand behind everything else.
    pub fn finish(mut self, marks: &[(u64, u64)]) -> Result<(Image<O>, Map)> {
        let (pool_places, id_places) = self.change_pool()?;
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
        if let Some((pool_at, old_places)) = pool_places {
            let new_at = map.get(pool_at);
            let new = objects.get(&new_at).and_then(|(_, object)| object.as_strings());
            let places: Vec<u64> = new.map(|pool| pool.places(new_at, form).collect()).unwrap_or_default();
            for (old, index) in old_places {
                map.places.extend(places.get(index).map(|new| (old, *new)));
            }
            for (id, index) in id_places {
                map.places.extend(places.get(index).map(|new| (id, *new)));
            }
        }
        map.places.sort_unstable();
        for (id, at, place) in &self.inside {
            // Ids lie behind all places, so the order stays.
            map.places.push((*id, map.get(*at).saturating_add(*place)));
        }
        let outer = map.clone();
        for (at, inner) in &self.inner {
            let new = outer.get(*at);
            let inside = inner.places.iter().filter(|(old, _)| *old < UNPLACED);
            let moved: Vec<_> =
                inside.map(|(a, b)| (at.saturating_add(*a), new.saturating_add(*b))).collect();
            // The file itself starts where its header does.
            map.places.retain(|(old, _)| old != at);
            map.places.extend(moved);
        }
        map.places.sort_unstable();
        map.places.dedup_by_key(|(old, _)| *old);
        let len = map.bound(self.image.len).max(new_end);
        if len > u32::MAX.into() {
            let expected = "a file of less than 4 GiB, whose places have 32 bits";
            let found = format!("{len} bytes");
            return Err(Error::new(ErrorKind::Unrepresentable, 0, "", expected, found).code("nx.too-long"));
        }
        self.image.len = len;
        for (place, (old, mut object)) in objects {
            object.rescale(old, &map);
            if object.has_fields() {
                let mut walk = Walk::new(form, |slot: Slot, value: &mut Pointer| {
                    if let Some(at) = value.get() {
                        value.0 = match slot.target {
                            Use::End => map.bound(at),
                            _ => map.get(at),
                        };
                    }
                });
                object.visit(&mut walk)?;
            }
            self.image.objects.insert(place, object);
        }
        self.relocate(&map)?;
        Ok((self.image, map))
    }

    /// Brings strings into the pool, and takes those out that nothing leads to any more. Returns where the
    /// strings were, each with its index now, and the same for those that came in.
    #[expect(clippy::type_complexity, reason = "two lists of places, used once")]
    fn change_pool(&mut self) -> Result<(Option<(u64, Vec<(u64, usize)>)>, Vec<(u64, usize)>)> {
        let form = self.image.form;
        let Some((at, _)) = self.image.strings() else {
            if self.texts.is_empty() {
                return Ok((None, Vec::new()));
            }
            let error = Error::new(ErrorKind::Unrepresentable, 0, "strings", "a pool of strings", "none");
            return Err(error.code("nx.strings"));
        };
        let mut after = referred(&self.image)?;
        for insertion in &mut self.insertions {
            refers(&mut insertion.object, form, &mut after)?;
        }
        let new_name = file_name(&self.image)?;
        let Some(pool) = self.image.objects.get_mut(&at).and_then(O::as_strings_mut) else {
            return Ok((None, Vec::new()));
        };
        let mut old: Vec<Option<u64>> = pool.places(at, form).map(Some).collect();
        let gone = |place: &Option<u64>| {
            place.is_some_and(|place| self.referred.contains(&place) && !after.contains(&place))
        };
        // In a pool without an order a string that comes takes the place of one that goes; so a name that changes and
        // changes back leaves the pool as it was.
        let mut coming: Vec<(u64, &Name)> =
            self.texts.iter().filter(|(id, _)| after.contains(id)).map(|(id, text)| (*id, text)).collect();
        coming.reverse();
        // Some writers put the name of the file behind the others, which have an order.
        let last = pool.texts.iter().rposition(|text| !text.is_empty());
        let apart = last.filter(|last| self.name.is_some() && old.get(*last) == Some(&self.name));
        let apart = apart.filter(|_| !pool.is_sorted(None));
        let is_sorted = pool.is_sorted(apart);
        let mut ids: Vec<Option<u64>> = vec![None; old.len()];
        let leaving: Vec<usize> = (0..old.len())
            .filter(|index| old.get(*index).is_some_and(gone))
            .filter(|index| pool.texts.get(*index).is_some_and(|text| !text.is_empty()))
            .collect();
        let mut removed = BTreeSet::new();
        for index in leaving {
            let taken = match is_sorted {
                true if apart == Some(index) => {
                    let at = coming.iter().position(|(id, _)| Some(*id) == new_name);
                    at.map(|at| coming.remove(at))
                }
                true => None,
                false => coming.pop(),
            };
            match (taken, pool.texts.get_mut(index)) {
                (Some((id, text)), Some(place)) => {
                    *place = text.clone();
                    if let (Some(old), Some(place)) = (old.get_mut(index), ids.get_mut(index)) {
                        (*old, *place) = (None, Some(id));
                    }
                }
                _ => drop(removed.insert(index)),
            }
        }
        let stays = |index: &usize| !removed.contains(index);
        let mut kept: Vec<(Option<u64>, Option<u64>)> = Vec::with_capacity(old.len());
        let mut texts = Vec::with_capacity(pool.texts.len());
        for (index, text) in
            std::mem::take(&mut pool.texts).into_iter().enumerate().filter(|(at, _)| stays(at))
        {
            kept.push((old.get(index).copied().flatten(), ids.get(index).copied().flatten()));
            texts.push(text);
        }
        pool.texts = texts;
        if let Some((_, count)) = &mut pool.block {
            *count = count.saturating_sub(u32::try_from(removed.len()).unwrap_or(u32::MAX));
        }
        let is_name = |place: &Option<u64>, id: &Option<u64>| {
            place.is_some() && *place == self.name || id.is_some() && *id == new_name
        };
        let name = kept.iter().position(|(place, id)| is_name(place, id));
        coming.reverse();
        let new: Vec<&[u8]> = coming.iter().map(|(_, text)| text.0.as_slice()).collect();
        let (stayed, came) = pool.insert(&new, name);
        let places = || kept.iter().zip(&stayed);
        let old = places().filter_map(|((place, _), index)| Some(((*place)?, *index))).collect();
        let mut ids: Vec<(u64, usize)> =
            places().filter_map(|((_, id), index)| Some(((*id)?, *index))).collect();
        ids.extend(coming.iter().zip(came).map(|((id, _), index)| (*id, index)));
        Ok((Some((at, old)), ids))
    }

    /// Makes the relocation table list exactly the pointers that there are now.
    fn relocate(&mut self, map: &Map) -> Result<()> {
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

/// The place of the string that the header names the file by.
fn file_name<O: Object>(image: &Image<O>) -> Result<Option<u64>> {
    let mut name = None;
    if let Some(header) = image.objects.get(&0) {
        let mut walk = Walk::new(image.form, |slot: Slot, value: &mut Pointer| {
            if slot.target == Use::Characters && !value.is_null() {
                name = Some(value.0.saturating_sub(2));
            }
        });
        header.clone().visit(&mut walk)?;
    }
    Ok(name)
}

/// The places of the strings that a file's structures lead to.
fn referred<O: Object>(image: &Image<O>) -> Result<BTreeSet<u64>> {
    let mut found = BTreeSet::new();
    for object in image.objects.values() {
        if object.has_fields() {
            refers(&mut object.clone(), image.form, &mut found)?;
        }
    }
    Ok(found)
}

fn refers<O: Object>(object: &mut O, form: super::fields::Form, found: &mut BTreeSet<u64>) -> Result<()> {
    if !object.has_fields() {
        return Ok(());
    }
    let mut walk = Walk::new(form, |slot: Slot, value: &mut Pointer| {
        let place = match slot.target {
            Use::Text => value.0,
            Use::Characters => value.0.saturating_sub(2),
            _ => return,
        };
        if !value.is_null() {
            found.insert(place);
        }
    });
    object.visit(&mut walk)
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
            let new = super::relocation::Entry {
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
