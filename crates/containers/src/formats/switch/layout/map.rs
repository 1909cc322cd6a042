//! Where places went.

/// From the places before a change to those after it.
#[derive(Debug, Clone, Default)]
pub struct Map {
    /// Whole structures, by their old places: old place, old end, new place, new end.
    pub(super) objects: Vec<(u64, u64, u64, u64)>,
    /// Also what moved inside of one: old place, new place.
    pub(super) places: Vec<(u64, u64)>,
    /// Old boundaries that are aligned, and to what.
    pub(super) marks: Vec<(u64, u64)>,
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
