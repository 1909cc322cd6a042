//! A writer in two passes: places are decided and reserved first, bytes and offsets are filled in after.
//!
//! Every byte that is written has been placed once; a second claim on the same bytes is refused, so that a
//! model whose parts overlap cannot produce a file that reads as something else.

use crate::{Endian, Error, ErrorKind, Result, meter};
use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

/// Builds a file. Positions count from its start.
///
/// ```
/// use unshade_bytes::{Endian, Writer};
/// let mut writer = Writer::new(Endian::Little);
/// let header = writer.reserve(8, "header").unwrap();
/// let body = writer.append(&[1, 2, 3], "body").unwrap();
/// writer.align(4, 0);
/// writer.patch_u32(header, 0xAA, "magic").unwrap();
/// writer.patch_u32(header + 4, body as u32, "offset").unwrap();
/// assert_eq!(writer.finish().unwrap(), [0xAA, 0, 0, 0, 8, 0, 0, 0, 1, 2, 3, 0]);
/// ```
#[derive(Debug, Clone)]
pub struct Writer {
    bytes: Vec<u8>,
    endian: Endian,
    limit: u64,
    /// Owned runs, start to end; touching runs are one.
    owned: BTreeMap<u64, u64>,
    /// Reserved runs that still wait for their bytes, start to end.
    waiting: BTreeMap<u64, u64>,
}

impl Writer {
    /// An empty file of at most [`crate::Limits::DEFAULT`] bytes.
    pub fn new(endian: Endian) -> Self {
        Self {
            bytes: Vec::new(),
            endian,
            limit: crate::Limits::DEFAULT.bytes,
            owned: BTreeMap::new(),
            waiting: BTreeMap::new(),
        }
    }

    /// An empty file with room for `capacity` bytes.
    pub fn with_capacity(endian: Endian, capacity: usize) -> Self {
        Self { bytes: Vec::with_capacity(capacity), ..Self::new(endian) }
    }

    /// Length so far, which is where [`Writer::append`] goes on.
    pub fn position(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Puts `bytes` behind everything so far and returns where.
    ///
    /// # Errors
    /// [`ErrorKind::LimitExceeded`] when the file grows too long.
    pub fn append(&mut self, bytes: &[u8], what: &str) -> Result<u64> {
        let at = self.position();
        self.place(at, bytes, what)?;
        Ok(at)
    }

    /// Fills with `fill` up to the next multiple of `to` (0 and 1 do nothing).
    pub fn align(&mut self, to: u64, fill: u8) {
        let at = self.position();
        let end = at.checked_next_multiple_of(to.max(1)).filter(|&end| end <= self.limit).unwrap_or(at);
        self.bytes.resize(end as usize, fill);
        self.own(at, end);
    }

    /// Sets `len` zero bytes aside behind everything so far, to be patched later, and returns where.
    ///
    /// # Errors
    /// [`ErrorKind::LimitExceeded`] when the file grows too long.
    pub fn reserve(&mut self, len: u64, what: &str) -> Result<u64> {
        let at = self.position();
        let end = self.grown(at, len, what)?;
        self.bytes.resize(end as usize, 0);
        self.own(at, end);
        if at < end {
            self.waiting.insert(at, end);
        }
        Ok(at)
    }

    /// Puts `bytes` at `at`. What lies between the end so far and `at` becomes zero bytes without an
    /// owner, which may be placed later.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] when some of the place is taken, [`ErrorKind::LimitExceeded`] when
    /// the file grows too long.
    pub fn place(&mut self, at: u64, bytes: &[u8], what: &str) -> Result<()> {
        meter::charge(1);
        let end = self.grown(at, bytes.len() as u64, what)?;
        if let Some((start, stop)) = self.taken(at, end) {
            return Err(Error::new(
                ErrorKind::Unrepresentable,
                at,
                what,
                "a place that no other part claims",
                format!("{} bytes over the part at {start:#x} to {stop:#x}", bytes.len()),
            ));
        }
        self.put(at, end, bytes);
        self.own(at, end);
        Ok(())
    }

    /// Lets `bytes` at `at` share the place of other parts: bytes that have an owner must be equal, the
    /// others are placed.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] when an owned byte differs, [`ErrorKind::LimitExceeded`] when the
    /// file grows too long.
    pub fn share(&mut self, at: u64, bytes: &[u8], what: &str) -> Result<()> {
        meter::charge(1);
        let end = self.grown(at, bytes.len() as u64, what)?;
        let mut from = at;
        while from < end {
            let (start, stop) = self.taken(from, end).map_or((end, end), |(s, e)| (s.max(from), e.min(end)));
            let part = |a: u64, b: u64| {
                bytes.get(a.saturating_sub(at) as usize..b.saturating_sub(at) as usize).unwrap_or_default()
            };
            if self.bytes.get(start as usize..stop as usize).unwrap_or_default() != part(start, stop) {
                return Err(Error::new(
                    ErrorKind::Unrepresentable,
                    start,
                    what,
                    "the bytes of the part that it lies over",
                    "other bytes",
                ));
            }
            let free = part(from, start);
            self.put(from, start, free);
            self.own(from, start);
            from = stop;
        }
        Ok(())
    }

    /// Fills reserved bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] when the place was not reserved, or was filled already.
    pub fn patch(&mut self, at: u64, bytes: &[u8], what: &str) -> Result<()> {
        meter::charge(1);
        let end = at.saturating_add(bytes.len() as u64);
        let hole = self.waiting.range(..=at).next_back().map(|(&start, &stop)| (start, stop));
        let Some((start, stop)) = hole.filter(|&(_, stop)| end <= stop) else {
            return Err(Error::new(
                ErrorKind::Unrepresentable,
                at,
                what,
                "reserved bytes",
                format!("{} that were not reserved, or are filled", bytes.len()),
            ));
        };
        if at == end {
            return Ok(());
        }
        self.waiting.remove(&start);
        if start < at {
            self.waiting.insert(start, at);
        }
        if end < stop {
            self.waiting.insert(end, stop);
        }
        self.put(at, end, bytes);
        Ok(())
    }

    /// Fills one reserved byte.
    ///
    /// # Errors
    /// As [`Writer::patch`].
    pub fn patch_u8(&mut self, at: u64, value: u8, what: &str) -> Result<()> {
        self.patch(at, &[value], what)
    }

    /// Fills 2 reserved bytes with a number in the writer's byte order.
    ///
    /// # Errors
    /// As [`Writer::patch`].
    pub fn patch_u16(&mut self, at: u64, value: u16, what: &str) -> Result<()> {
        let bytes = match self.endian {
            Endian::Little => value.to_le_bytes(),
            Endian::Big => value.to_be_bytes(),
        };
        self.patch(at, &bytes, what)
    }

    /// Fills 4 reserved bytes with a number in the writer's byte order.
    ///
    /// # Errors
    /// As [`Writer::patch`].
    pub fn patch_u32(&mut self, at: u64, value: u32, what: &str) -> Result<()> {
        let bytes = match self.endian {
            Endian::Little => value.to_le_bytes(),
            Endian::Big => value.to_be_bytes(),
        };
        self.patch(at, &bytes, what)
    }

    /// The file.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] when reserved bytes were never filled, or bytes have no owner.
    pub fn finish(self) -> Result<Vec<u8>> {
        let unfilled = self.waiting.first_key_value().map(|(&at, &end)| (at, end, "bytes that were filled"));
        let all = self.position();
        let hole = match self.owned.first_key_value() {
            Some((0, &end)) if end >= all => None,
            Some((0, &end)) => {
                Some((end, self.owned.keys().find(|&&key| key > end).copied().unwrap_or(all), "an owner"))
            }
            Some((&start, _)) => Some((0, start, "an owner")),
            None if all > 0 => Some((0, all, "an owner")),
            None => None,
        };
        match unfilled.or(hole) {
            Some((at, end, expected)) => Err(Error::new(
                ErrorKind::Unrepresentable,
                at,
                String::new(),
                expected,
                format!("none for {} bytes", end.saturating_sub(at)),
            )),
            None => Ok(self.bytes),
        }
    }

    fn grown(&self, at: u64, len: u64, what: &str) -> Result<u64> {
        at.checked_add(len).filter(|&end| end <= self.limit && usize::try_from(end).is_ok()).ok_or_else(
            || {
                Error::new(
                    ErrorKind::LimitExceeded,
                    at,
                    what,
                    format!("a file of at most {} bytes", self.limit),
                    format!("{len} bytes at {at:#x}"),
                )
            },
        )
    }

    /// The first owned run that reaches into `at..end`.
    fn taken(&self, at: u64, end: u64) -> Option<(u64, u64)> {
        if at >= end {
            return None;
        }
        let before = self.owned.range(..=at).next_back().filter(|&(_, &stop)| stop > at);
        before.or_else(|| self.owned.range(at..end).next()).map(|(&start, &stop)| (start, stop))
    }

    fn own(&mut self, at: u64, end: u64) {
        if at >= end {
            return;
        }
        let mut start = at;
        if let Some((&before, stop)) = self.owned.range_mut(..=at).next_back()
            && *stop == at
        {
            *stop = end;
            start = before;
        } else {
            self.owned.insert(at, end);
        }
        if let Some(stop) = self.owned.remove(&end) {
            self.owned.insert(start, stop);
        }
    }

    fn put(&mut self, at: u64, end: u64, bytes: &[u8]) {
        if at == self.position() {
            self.bytes.extend_from_slice(bytes);
            return;
        }
        if end > self.position() {
            self.bytes.resize(end as usize, 0);
        }
        if let Some(place) = self.bytes.get_mut(at as usize..end as usize)
            && place.len() == bytes.len()
        {
            place.copy_from_slice(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn refused<T: core::fmt::Debug>(result: Result<T>) {
        assert_eq!(result.unwrap_err().kind, ErrorKind::Unrepresentable);
    }

    #[test]
    fn places_in_any_order() {
        let mut writer = Writer::new(Endian::Little);
        writer.place(4, &[5, 6], "late").unwrap();
        writer.place(0, &[1, 2], "early").unwrap();
        refused(writer.clone().finish());
        writer.place(2, &[3, 4], "middle").unwrap();
        assert_eq!(writer.owned.len(), 1);
        assert_eq!(writer.finish().unwrap(), vec![1, 2, 3, 4, 5, 6]);
        assert_eq!(Writer::new(Endian::Big).finish().unwrap(), vec![]);
        let mut writer = Writer::new(Endian::Little);
        writer.place(2, &[3], "late").unwrap();
        refused(writer.finish());
    }

    #[test]
    fn overlap_is_refused() {
        let mut writer = Writer::new(Endian::Little);
        writer.place(4, &[1, 2, 3, 4], "a").unwrap();
        for (at, len) in [(4, 1), (3, 2), (7, 1), (5, 2), (0, 5), (0, 20)] {
            refused(writer.place(at, &vec![9; len], "b"));
        }
        writer.place(6, &[], "nothing").unwrap();
        writer.place(8, &[5], "behind").unwrap();
        writer.place(0, &[0; 4], "before").unwrap();
        assert_eq!(writer.finish().unwrap(), vec![0, 0, 0, 0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn shared_bytes_must_agree() {
        let mut writer = Writer::new(Endian::Little);
        writer.place(2, &[3, 4], "a").unwrap();
        writer.place(6, &[7], "b").unwrap();
        refused(writer.share(2, &[3, 5], "c"));
        writer.share(0, &[1, 2, 3, 4, 5, 6, 7, 8], "all").unwrap();
        refused(writer.share(4, &[0], "d"));
        assert_eq!(writer.finish().unwrap(), vec![1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn holes_are_filled_once() {
        let mut writer = Writer::new(Endian::Big);
        let hole = writer.reserve(8, "hole").unwrap();
        writer.patch_u16(hole + 2, 0x0102, "inner").unwrap();
        refused(writer.patch_u16(hole + 3, 0, "again"));
        refused(writer.patch_u32(hole, 0, "across"));
        refused(writer.patch(hole + 6, &[0; 3], "behind"));
        refused(writer.clone().finish());
        writer.patch_u8(hole, 9, "first").unwrap();
        writer.patch_u8(hole + 1, 8, "second").unwrap();
        writer.patch_u32(hole + 4, 0x0A0B_0C0D, "last").unwrap();
        assert_eq!(writer.finish().unwrap(), vec![9, 8, 1, 2, 10, 11, 12, 13]);
    }

    #[test]
    fn alignment_and_limits() {
        let mut writer = Writer::new(Endian::Little);
        writer.append(&[1], "a").unwrap();
        writer.align(4, 0xFF);
        writer.align(4, 0xEE);
        writer.align(0, 0xDD);
        assert_eq!(writer.append(&[2], "b").unwrap(), 4);
        for at in [u64::MAX, 1 << 40] {
            assert_eq!(writer.place(at, &[1], "far").unwrap_err().kind, ErrorKind::LimitExceeded);
        }
        assert_eq!(writer.finish().unwrap(), vec![1, 0xFF, 0xFF, 0xFF, 2]);
    }

    #[test]
    fn what_is_missing_is_named() {
        let end = |writer: Writer| {
            let error = writer.finish().unwrap_err();
            (error.offset, error.expected.clone().into_owned(), error.found.clone().into_owned())
        };
        let mut writer = Writer::with_capacity(Endian::Little, 64);
        assert!(writer.bytes.capacity() >= 64);
        // Nothing that is set aside is nothing to wait for.
        writer.reserve(0, "nothing").unwrap();
        assert_eq!(writer.clone().finish().unwrap(), []);
        writer.append(&[1, 2], "a").unwrap();
        writer.place(6, &[3], "b").unwrap();
        writer.place(9, &[4], "c").unwrap();
        assert_eq!(end(writer.clone()), (2, "an owner".into(), "none for 4 bytes".into()));
        writer.place(2, &[0; 4], "hole").unwrap();
        assert_eq!(end(writer.clone()), (7, "an owner".into(), "none for 2 bytes".into()));
        let mut late = Writer::new(Endian::Little);
        late.place(3, &[1], "late").unwrap();
        assert_eq!(end(late), (0, "an owner".into(), "none for 3 bytes".into()));
        let mut nobodys = Writer::new(Endian::Little);
        nobodys.align(1, 0);
        nobodys.bytes = vec![0; 5];
        assert_eq!(end(nobodys), (0, "an owner".into(), "none for 5 bytes".into()));
        let mut waiting = Writer::new(Endian::Little);
        waiting.reserve(4, "later").unwrap();
        assert_eq!(end(waiting), (0, "bytes that were filled".into(), "none for 4 bytes".into()));
    }
}
