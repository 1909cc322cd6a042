//! Changing a file: what grew, came or went makes others move, and every pointer follows.
//!
//! A structure keeps its place when it can. Zeros in front of one that is aligned are used up before it moves.

mod map;
mod place;
mod pool;
mod relocate;

pub use map::Map;

use super::image::{Image, Object, object_len};
use crate::shared::Name;
use crate::shared::fields::{Pointer, Slot, Use, Walk};
use place::Placed;
use pool::{file_name, referred};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use unshade_bytes::{Error, ErrorKind, Result};

/// Places of structures that have none yet start here.
const UNPLACED: u64 = 1 << 40;

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
pub(crate) fn unreadable(mut error: Error) -> Error {
    error.found = Cow::Owned(format!("one that cannot: {error}"));
    error.expected = Cow::Borrowed("a changed file that can be read again");
    error.kind = ErrorKind::Unrepresentable;
    error
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
        let Placed { objects, mut map, end } = self.place(marks)?;
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
        self.add_inside(&mut map);
        let len = map.bound(self.image.len).max(end);
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

    /// Adds what moved inside of files in the file.
    fn add_inside(&self, map: &mut Map) {
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
    }
}
