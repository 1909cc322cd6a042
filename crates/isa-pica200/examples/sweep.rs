//! Every one of the 2^32 code words: decode, encode, compare. Uses all cores.
//!
//! `cargo run --release -p unshade-isa-pica200 --example sweep`
#![allow(clippy::print_stdout, reason = "an example reports on its standard output")]

use std::{process::ExitCode, thread, time::Instant};
use unshade_isa_pica200::{Inst, decode, encode};

/// What a share of the words showed.
#[derive(Default)]
struct Share {
    known: u64,
    unknown: u64,
    /// The first word that did not come back.
    wrong: Option<u32>,
}

/// Looks at the words whose upper 16 bits are in `high`.
fn share(high: std::ops::Range<u32>) -> Share {
    let mut out = Share::default();
    for high in high {
        for low in 0..=0xFFFF {
            let word = high << 16 | low;
            let inst = decode(word);
            match inst {
                Inst::Known { .. } => out.known += 1,
                Inst::Unknown(_) => out.unknown += 1,
            }
            if encode(inst) != word && out.wrong.is_none() {
                out.wrong = Some(word);
            }
        }
    }
    out
}

fn main() -> ExitCode {
    let start = Instant::now();
    let threads = thread::available_parallelism().map_or(1, |count| count.get() as u32);
    let shares: Vec<Share> = thread::scope(|scope| {
        let handles: Vec<_> = (0..threads)
            .map(|n| {
                let bound = |n: u32| (u64::from(n) * 0x1_0000 / u64::from(threads)) as u32;
                scope.spawn(move || share(bound(n)..bound(n + 1)))
            })
            .collect();
        handles.into_iter().filter_map(|handle| handle.join().ok()).collect()
    });
    let known: u64 = shares.iter().map(|share| share.known).sum();
    let unknown: u64 = shares.iter().map(|share| share.unknown).sum();
    if let Some(word) = shares.iter().find_map(|share| share.wrong) {
        println!("{word:#010x} does not come back");
        return ExitCode::FAILURE;
    }
    if known + unknown != 1 << 32 {
        println!("only {} words were looked at", known + unknown);
        return ExitCode::FAILURE;
    }
    println!(
        "all 4294967296 words come back: {known} instructions, {unknown} unknown; {:.1} s on {threads} threads",
        start.elapsed().as_secs_f64()
    );
    ExitCode::SUCCESS
}
