//! Random Maxwell words through text and back: those of every form in turn, with many and with few bits set, and words
//! of any kind. Uses all cores.
//!
//! `cargo run --release -p unshade-isa --example maxwell_sweep [WORDS]`
#![allow(clippy::print_stdout, reason = "an example reports on its standard output")]

use std::{process::ExitCode, thread, time::Instant};
use unshade_isa::cases::Random;
use unshade_isa::maxwell::{Form, asm, print};
use unshade_isa::text::PlainText;

/// What a share of the work found.
#[derive(Default)]
struct Found {
    words: u64,
    exact: u64,
    refused: u64,
    wrong: Option<u64>,
}

/// A word of a form, or any word.
fn likely(random: &mut Random, count: u64) -> u64 {
    let mut word = random.next();
    for _ in 0..random.next() % 3 {
        word &= random.next();
    }
    match Form::ALL.get(count as usize % (Form::ALL.len() + 20)) {
        Some(form) => word & !form.mask() | form.value(),
        None => random.next(),
    }
}

fn sweep(seed: u64, words: u64) -> Found {
    const ADDRESS: u64 = 0x1000;
    let mut random = Random::new(seed, 0);
    let mut found = Found::default();
    for count in 0..words {
        let word = likely(&mut random, count);
        let mut text = PlainText::with_capacity(160);
        print::instruction(word, ADDRESS, &print::Alone, &mut text);
        found.words += 1;
        found.exact += u64::from(print::is_exact(word));
        found.refused += u64::from(!print::is_instruction(word));
        if asm::word(text.text(), ADDRESS) != Some(word) {
            found.wrong.get_or_insert(word);
        }
    }
    found
}

fn main() -> ExitCode {
    let words = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(100_000_000_u64);
    let start = Instant::now();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let done: Vec<Found> = thread::scope(|scope| {
        let share = words.div_ceil(threads as u64);
        let handles: Vec<_> =
            (0..threads).map(|number| scope.spawn(move || sweep(number as u64, share))).collect();
        handles.into_iter().filter_map(|handle| handle.join().ok()).collect()
    });
    if done.len() != threads {
        println!("a thread stopped");
        return ExitCode::FAILURE;
    }
    if let Some(word) = done.iter().find_map(|found| found.wrong) {
        println!("this word does not come back: {word:016x}");
        return ExitCode::FAILURE;
    }
    let sum = |part: fn(&Found) -> u64| done.iter().map(part).sum::<u64>();
    println!(
        "{} words come back from their text, {} of them without their bits behind it, {} that are no instruction; \
         {:.1} s on {threads} threads",
        sum(|found| found.words),
        sum(|found| found.exact),
        sum(|found| found.refused),
        start.elapsed().as_secs_f64()
    );
    ExitCode::SUCCESS
}
