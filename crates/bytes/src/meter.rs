//! How much work was done: a count that tests hold against the size of what was worked on.
//!
//! Time depends on the machine and on what else runs on it; this count does not. Fields that are read, runs that are
//! written or owned, and everything that is charged to a [`Budget`](crate::Budget) add to it. Without the feature
//! `meter`, which only tests have, nothing is counted and nothing costs anything.

#[cfg(feature = "meter")]
extern crate std;

#[cfg(feature = "meter")]
std::thread_local! {
    static WORK: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
}

/// Adds `units` to the work of this thread.
#[inline]
pub fn charge(units: u64) {
    #[cfg(feature = "meter")]
    WORK.with(|work| work.set(work.get().saturating_add(units)));
    #[cfg(not(feature = "meter"))]
    let _ = units;
}

/// The work of this thread so far, in units; 0 without the feature `meter`.
pub fn work() -> u64 {
    #[cfg(feature = "meter")]
    return WORK.with(core::cell::Cell::get);
    #[cfg(not(feature = "meter"))]
    0
}

#[cfg(all(test, feature = "meter"))]
mod tests {
    use super::*;
    use crate::{Budget, Coverage, Endian, Owner, Reader, Writer};

    /// What `action` adds.
    fn of(action: impl FnOnce()) -> u64 {
        let before = work();
        action();
        work().saturating_sub(before)
    }

    #[test]
    fn each_kind_of_work_counts() {
        let file = [1, 2, 3, 4, 5, 6, 7, 8];
        let mut reader = Reader::new(&file, Endian::Little);
        assert_eq!(of(|| assert!(reader.u32("a").is_ok())), 1);
        assert_eq!(of(|| assert!(reader.bytes(4, "b").is_ok())), 1);
        assert_eq!(of(|| assert!(reader.slice(0, 8, "c").is_ok())), 1);
        let mut budget = Budget::new(10);
        assert_eq!(of(|| assert!(budget.charge(7, 0, "d").is_ok())), 7);
        // What is refused was no work.
        assert_eq!(of(|| assert!(budget.charge(7, 0, "d").is_err())), 0);
        let mut writer = Writer::new(Endian::Little);
        assert_eq!(of(|| assert!(writer.append(&file, "e").is_ok())), 1);
        let mut coverage = Coverage::new(8);
        assert_eq!(of(|| coverage.own(0..8, Owner::Field, "f")), 1);
    }

    #[test]
    fn threads_count_apart() {
        let before = work();
        std::thread::spawn(|| charge(100)).join().unwrap();
        assert_eq!(work(), before);
    }
}
