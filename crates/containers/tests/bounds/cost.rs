//! What an action costs in heap, work and time, and the bounds that reading and questions keep for any bytes.
//!
//! A file of tests that measures has this as a module of its own; its tests then share one counted heap.
#![allow(dead_code, reason = "not every file of tests measures everything")]

use peak_alloc::PeakAlloc;
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use unshade_bytes::meter;
use unshade_containers::Container;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The heap is one for all tests of a program: only one of them measures at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Waits until no other test measures, and lets none as long as this is held.
pub fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What an action took.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// Bytes of heap that it held at most, beside those held before.
    pub heap: usize,
    /// Units of [`meter`]: fields read, runs written or owned, bytes charged to a budget.
    pub work: u64,
    /// Time on a processor; where the system does not tell, time by the clock.
    pub time: Duration,
}

/// Does something and says what it took.
pub fn cost<T>(action: impl FnOnce() -> T) -> (T, Cost) {
    let (start, busy) = (Instant::now(), on_processor());
    HEAP.reset_peak_usage();
    let (heap, work) = (HEAP.current_usage(), meter::work());
    let made = action();
    let (heap, work) = (HEAP.peak_usage().saturating_sub(heap), meter::work() - work);
    let time = match (busy, on_processor()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => start.elapsed(),
    };
    (made, Cost { heap, work, time })
}

/// How long this thread was on a processor, where the system tells (Linux does).
fn on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

/// Heap that reading may take: 16 times the file and 64 KiB.
pub fn heap_to_read(len: usize) -> usize {
    16 * len + (64 << 10)
}

/// Units of work that reading may take: 8 for each byte, and 64 Ki.
pub fn work_to_read(len: usize) -> u64 {
    8 * len as u64 + (64 << 10)
}

/// Units of work that writing, checking and telling all about a file may take: 64 for each byte, and 1 Mi.
pub fn work_to_ask(len: usize) -> u64 {
    64 * len as u64 + (1 << 20)
}

/// Code that counts its lines is slower.
const SLOWER: u64 = if cfg!(coverage) { 8 } else { 1 };

/// Time that reading and writing may take, of a file of 1 MiB at most.
pub const TIME_TO_READ: Duration = Duration::from_millis(500 * SLOWER);

/// Time that all questions together may take, of a file of 1 MiB at most.
pub const TIME_TO_ASK: Duration = Duration::from_secs(4 * SLOWER);

/// The files that came nearest to a bound.
#[derive(Debug, Default)]
pub struct Worst {
    files: usize,
    heap: (f64, String),
    work: (f64, String),
    time: (Duration, String),
    asked: (f64, String),
    answered: (Duration, String),
}

impl Worst {
    /// Reads a file within the bounds of heap and work.
    pub fn read(&mut self, name: &str, bytes: &[u8]) -> unshade_bytes::Result<Container> {
        let (read, cost) = cost(|| Container::read(bytes));
        let len = bytes.len();
        assert!(cost.heap <= heap_to_read(len), "{name}: {} bytes of heap for {len}", cost.heap);
        assert!(cost.work <= work_to_read(len), "{name}: {} units of work to read {len} bytes", cost.work);
        self.files += 1;
        let share = |amount: f64, free: f64| (amount - free).max(0.0) / len.max(1) as f64;
        keep(&mut self.heap, share(cost.heap as f64, 65536.0), name);
        keep(&mut self.work, share(cost.work as f64, 65536.0), name);
        read
    }

    /// Does what every command does first with a file of at most 1 MiB, within the bound of time.
    pub fn quick<T>(&mut self, name: &str, action: impl FnOnce() -> T) -> T {
        let (made, cost) = cost(action);
        assert!(cost.time <= TIME_TO_READ, "{name}: {:?}", cost.time);
        if cost.time > self.time.0 {
            self.time = (cost.time, name.to_owned());
        }
        made
    }

    /// Asks a file of `len` bytes, at most 1 MiB, all that can be asked, within the bounds of work and time.
    pub fn ask<T>(&mut self, name: &str, len: usize, questions: impl FnOnce() -> T) -> T {
        let (made, cost) = cost(questions);
        assert!(cost.work <= work_to_ask(len), "{name}: {} units of work for {len} bytes", cost.work);
        assert!(cost.time <= TIME_TO_ASK, "{name}: {:?}", cost.time);
        keep(&mut self.asked, (cost.work as f64 - f64::from(1 << 20)).max(0.0) / len.max(1) as f64, name);
        if cost.time > self.answered.0 {
            self.answered = (cost.time, name.to_owned());
        }
        made
    }

    /// What came nearest to the bounds, for whoever reads the output of a test.
    pub fn report(&self) -> String {
        let mut text = String::new();
        if self.files > 0 {
            let _ = write!(text, "{} files;", self.files);
        }
        let mut tell = |what: &str, number: String, name: &str| {
            if !name.is_empty() {
                let _ = write!(text, " {what} {number} ({name});");
            }
        };
        tell("heap beyond 64 KiB at most", format!("{:.1} times the file", self.heap.0), &self.heap.1);
        tell("work to read beyond 64 Ki at most", format!("{:.2} a byte", self.work.0), &self.work.1);
        tell("read and written in at most", format!("{:?}", self.time.0), &self.time.1);
        tell("work to ask beyond 1 Mi at most", format!("{:.1} a byte", self.asked.0), &self.asked.1);
        tell("all asked in at most", format!("{:?}", self.answered.0), &self.answered.1);
        text
    }
}

fn keep(worst: &mut (f64, String), share: f64, name: &str) {
    if share > worst.0 {
        *worst = (share, name.to_owned());
    }
}
