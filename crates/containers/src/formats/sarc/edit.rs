//! Another file in the place of one, and everything else where it was, as far as that can be.

use super::{Entry, Sarc, alignment};
use std::ops::Range;
use unshade_bytes::{Error, ErrorKind, Result};

/// What a change did to the other files of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moved {
    /// Whether anything changed at all.
    pub changed: bool,
    /// How many other files lie at other places now.
    pub files: usize,
}

/// A run of the data that moves as one: a file, or several that share bytes, with bytes in front of it that
/// belong to nobody and are not zero.
struct Cluster {
    range: Range<usize>,
    /// It may start only at places that are the same as `start` modulo this.
    multiple: usize,
    /// Where its first file starts.
    start: usize,
    entries: Vec<usize>,
}

impl Sarc<'_> {
    /// Gives the entry `index` other bytes. The same bytes change nothing. A file that fits where the old one
    /// was, up to the next one, leaves all others in place; else those behind move as little as their
    /// alignment allows, until the gaps between them have taken up the difference. Files that share bytes with
    /// the old one keep them: the new one then goes to the end.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] when there is no such entry, or the archive would go past 4 GiB.
    pub fn replace(&mut self, index: usize, file: &[u8]) -> Result<Moved> {
        let bad = |expected: &'static str, found: String| {
            Error::new(ErrorKind::Unrepresentable, 0, format!("sfat[{index}]"), expected, found)
                .code("sarc.replace")
        };
        let Some(&old) = self.entries.get(index) else {
            return Err(bad("an entry of the archive", format!("{} entries", self.entries.len())));
        };
        if self.file(&old) == file {
            return Ok(Moved::default());
        }
        let sound = self.size as usize == self.len();
        let clusters = self.clusters();
        let own = clusters.iter().position(|cluster| cluster.entries.contains(&index));
        let shared = |cluster: &Cluster| {
            let others = cluster.entries.iter().filter(|&&entry| entry != index);
            others.filter_map(|&entry| self.entries.get(entry)).any(|other| !other.is_empty())
        };
        let whole = self.data.len();
        let mut data = Vec::with_capacity(whole.saturating_add(file.len()));
        let mut moved = Moved { changed: true, files: 0 };
        let mut entries = self.entries.clone();
        match own.and_then(|own| Some((clusters.get(own)?, clusters.get(own.saturating_add(1)..)?))) {
            Some((cluster, behind)) if !shared(cluster) && !old.is_empty() => {
                let (begin, end) = (old.begin as usize, old.end as usize);
                data.extend_from_slice(self.data.get(..begin).unwrap_or_default());
                data.extend_from_slice(file);
                // Whatever lay behind the old end lies there still, unless it has to move.
                data.resize(data.len().max(end), 0);
                let mut reached = end;
                for cluster in behind {
                    let free = data.len();
                    let place = cluster.place(free, reached);
                    data.resize(place, 0);
                    data.extend_from_slice(self.data.get(cluster.range.clone()).unwrap_or_default());
                    for &entry in &cluster.entries {
                        if let Some(entry) = entries.get_mut(entry) {
                            let shift = |at: u32| {
                                u32::try_from(
                                    (at as usize).wrapping_add(place).wrapping_sub(cluster.range.start),
                                )
                            };
                            match (shift(entry.begin), shift(entry.end)) {
                                (Ok(begin), Ok(end)) => {
                                    moved.files = moved.files.saturating_add((begin != entry.begin).into());
                                    (entry.begin, entry.end) = (begin, end);
                                }
                                _ => return Err(bad("at most 4 GiB", format!("{place:#x}"))),
                            }
                        }
                    }
                    reached = cluster.range.end;
                }
                let tail = self.data.get(reached..).unwrap_or_default();
                if behind.is_empty() && tail.is_empty() {
                    let others = self.entries.iter().enumerate().filter(|(other, _)| *other != index);
                    let floor = others.map(|(_, other)| other.end as usize).max().unwrap_or(0);
                    data.truncate(begin.saturating_add(file.len()).max(floor));
                }
                data.extend_from_slice(tail);
                self.place_at(&mut entries, index, begin, file.len())
                    .ok_or_else(|| bad("at most 4 GiB", format!("{} bytes", data.len())))?;
            }
            _ => {
                data.extend_from_slice(&self.data);
                let multiple = self.multiple_of(&old, file) as usize;
                let start = self.data_offset();
                let end = start.saturating_add(data.len());
                let begin = end.checked_next_multiple_of(multiple).unwrap_or(end).saturating_sub(start);
                data.resize(begin, 0);
                data.extend_from_slice(file);
                self.place_at(&mut entries, index, begin, file.len())
                    .ok_or_else(|| bad("at most 4 GiB", format!("{} bytes", data.len())))?;
            }
        }
        self.entries = entries;
        self.data = data.into();
        if sound {
            self.size = u32::try_from(self.len())
                .map_err(|_| bad("at most 4 GiB", format!("{} bytes", self.len())))?;
        }
        Ok(moved)
    }

    fn place_at(&self, entries: &mut [Entry], index: usize, begin: usize, len: usize) -> Option<()> {
        let entry = entries.get_mut(index)?;
        entry.begin = u32::try_from(begin).ok()?;
        entry.end = u32::try_from(begin.checked_add(len)?).ok()?;
        Some(())
    }

    /// The alignment to keep for an entry: what its kind asks for, and what it had, where that looks intended.
    fn multiple_of(&self, entry: &Entry, file: &[u8]) -> u32 {
        let name = self.name(entry).unwrap_or_default();
        alignment(name, file, self.endian).max(self.kept_alignment(entry))
    }

    /// The largest power of two, up to 0x2000, that an entry starts at a multiple of, where bytes were left out in
    /// front of it to reach that; else 1.
    pub(super) fn kept_alignment(&self, entry: &Entry) -> u32 {
        let before =
            self.entries.iter().filter(|other| other.end <= entry.begin).map(|other| other.end).max();
        if before.unwrap_or(0) == entry.begin {
            return 1;
        }
        let start = (self.data_offset() as u64).saturating_add(entry.begin.into());
        1_u32.checked_shl(start.trailing_zeros().min(13)).unwrap_or(1)
    }

    /// The files as runs of the data, in its order.
    fn clusters(&self) -> Vec<Cluster> {
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        let range = |index: usize| self.entries.get(index).map_or((0, 0), |entry| (entry.begin, entry.end));
        order.sort_by_key(|&index| range(index));
        let start = self.data_offset();
        let mut clusters: Vec<Cluster> = Vec::new();
        let mut reached = 0_usize;
        for index in order {
            let Some(entry) = self.entries.get(index) else { continue };
            let (begin, end) = (entry.begin as usize, entry.end as usize);
            if let Some(last) = clusters.last_mut()
                && begin < last.range.end
            {
                last.range.end = last.range.end.max(end);
                last.entries.push(index);
                reached = reached.max(end);
                continue;
            }
            let gap = self.data.get(reached..begin).unwrap_or_default();
            let kept = gap.iter().any(|&byte| byte != 0);
            let wanted = alignment(self.name(entry).unwrap_or_default(), self.file(entry), self.endian);
            let place = start.saturating_add(begin);
            let power = 1_usize << place.trailing_zeros().min(13);
            // An empty file has no place to keep; one that follows on directly kept none.
            let multiple = if begin > reached { power.max(wanted as usize) } else { wanted as usize };
            clusters.push(Cluster {
                range: if kept { reached } else { begin }..end,
                multiple: if entry.is_empty() { 1 } else { multiple },
                start: begin,
                entries: vec![index],
            });
            reached = reached.max(end);
        }
        clusters
    }
}

impl Cluster {
    /// Where it goes when everything up to `free` is taken that ended at `reached` before: where it was, if it can
    /// stay, else the next place that is the same modulo its alignment.
    fn place(&self, free: usize, reached: usize) -> usize {
        if free <= self.range.start.max(reached) {
            return self.range.start;
        }
        let lead = self.start.saturating_sub(self.range.start);
        let least = free.saturating_add(lead);
        let multiple = self.multiple.max(1);
        // `multiple` is at least 1, and both remainders are less than it.
        let (have, want) = (least.checked_rem(multiple), self.start.checked_rem(multiple));
        let (have, want) = (have.unwrap_or(0), want.unwrap_or(0));
        let up = if want >= have {
            want.wrapping_sub(have)
        } else {
            multiple.wrapping_sub(have).wrapping_add(want)
        };
        free.saturating_add(up)
    }
}
