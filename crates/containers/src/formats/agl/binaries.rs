//! The binaries of an archive are found by their numbers alone. A program says the number of its first one, and has as many as its
//! variations need: what comes in or goes moves the first binary of every program behind it.

use super::model::Array;
use crate::shared::programs::{unfit, wrong};
use std::ops::Range;
use unshade_bytes::Result;

/// The number of the first binary of a program that has none.
pub const NO_BINARIES: u32 = u32::MAX;

/// The binaries of a program that has `count` from `base` on, all of which are there; none where it has no first one.
///
/// # Errors
/// [`unshade_bytes::ErrorKind::Unrepresentable`] where they are not among `all`.
pub(crate) fn own(base: u32, count: Option<u64>, all: usize, title: &str) -> Result<Range<usize>> {
    if base == NO_BINARIES {
        return Ok(0..0);
    }
    let start = base as usize;
    let count = count.and_then(|count| usize::try_from(count).ok());
    match count.and_then(|count| start.checked_add(count)).filter(|&end| end <= all) {
        Some(end) => Ok(start..end),
        None => Err(unfit(title, format!("a program whose binaries are among {all}"), "another")),
    }
}

/// The binaries that a program says are its own, of those that there are.
pub(crate) fn claim(base: u32, count: Option<u64>, all: usize) -> Option<Range<usize>> {
    if base == NO_BINARIES {
        return None;
    }
    let start = (base as usize).min(all);
    let end = usize::try_from(count?).map_or(all, |count| start.saturating_add(count).min(all));
    Some(start..end)
}

/// The binaries of a program that none of the others claims.
pub(crate) fn unshared(own: Range<usize>, claims: impl Iterator<Item = Range<usize>>) -> Vec<usize> {
    let mut claims: Vec<Range<usize>> = claims.filter(|claim| !claim.is_empty()).collect();
    claims.sort_by_key(|claim| claim.start);
    let mut binaries = Vec::new();
    let mut next = own.start;
    for claim in claims.iter().filter(|claim| claim.start < own.end) {
        binaries.extend(next..claim.start.max(next));
        next = next.max(claim.end);
    }
    binaries.extend(next.min(own.end)..own.end);
    binaries
}

/// The numbers of the binaries of some variations, of which each has `per`.
pub(crate) fn places(variations: &[u64], per: usize, start: usize) -> Vec<usize> {
    let first = |variation: u64| (variation as usize).saturating_mul(per).saturating_add(start);
    variations.iter().map(|variation| first(*variation)).flat_map(|at| at..at.saturating_add(per)).collect()
}

/// Puts records at these places, which ascend, and moves the programs behind them.
///
/// # Errors
/// [`unshade_bytes::ErrorKind::Unrepresentable`] for more than 32 bits count;
/// [`unshade_bytes::ErrorKind::BadValue`] for a place behind the end.
pub(crate) fn insert<'p, T>(
    bases: impl Iterator<Item = &'p mut u32>,
    binaries: Option<&mut Array<T>>,
    places: &[usize],
    records: Vec<T>,
) -> Result<()> {
    for base in bases.filter(|base| **base != NO_BINARIES) {
        let before = places.iter().zip(0_u64..);
        let moved = before
            .take_while(|(place, passed)| **place as u64 <= u64::from(*base).saturating_add(*passed))
            .count();
        let now = u64::from(*base).saturating_add(moved as u64);
        let now = u32::try_from(now).ok().filter(|&base| base != NO_BINARIES);
        *base = now.ok_or_else(|| unfit("binaries", "binaries that 32 bits count", "more"))?;
    }
    let Some(array) = binaries else { return Ok(()) };
    // From both in one go: many binaries of a large archive are not moved one by one.
    let old = std::mem::take(&mut array.items);
    let mut merged = Vec::with_capacity(old.len().saturating_add(records.len()));
    let (mut old, mut records) = (old.into_iter(), records.into_iter());
    let mut places = places.iter().peekable();
    loop {
        let next = match places.next_if(|place| **place == merged.len()) {
            Some(_) => records.next(),
            None => old.next(),
        };
        match next {
            Some(record) => merged.push(record),
            None => break,
        }
    }
    array.items = merged;
    match places.next() {
        None => Ok(()),
        Some(place) => {
            let expected = format!("a place among {} binaries", array.items.len());
            Err(wrong("at", expected, place.to_string()))
        }
    }
}

/// Takes the records at these places out, which ascend, and moves the programs behind them.
pub(crate) fn remove<'p, T>(
    bases: impl Iterator<Item = &'p mut u32>,
    binaries: Option<&mut Array<T>>,
    places: &[usize],
) {
    for base in bases.filter(|base| **base != NO_BINARIES) {
        let before = places.partition_point(|&place| (place as u64) < u64::from(*base));
        *base = base.saturating_sub(u32::try_from(before).unwrap_or(u32::MAX));
    }
    let Some(array) = binaries else { return };
    let (mut index, mut next) = (0_usize, places.iter().peekable());
    array.items.retain(|_| {
        let here = index;
        index = index.saturating_add(1);
        next.next_if(|place| **place == here).is_none()
    });
}
