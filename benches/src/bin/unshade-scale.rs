//! `unshade-scale`: what rows cost at growing sizes, as a table with tabs. `tools/plots` starts it and draws.
#![allow(clippy::print_stderr, reason = "a program for a terminal")]

use peak_alloc::PeakAlloc;
use std::process::ExitCode;
use unshade_benches::scale::{Heap, print};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

fn main() -> ExitCode {
    let heap =
        Heap { now: || HEAP.current_usage(), reset: || HEAP.reset_peak_usage(), peak: || HEAP.peak_usage() };
    match print(heap) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
