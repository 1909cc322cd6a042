//! Random Maxwell words through text and back: words near instructions, of which a few bits change again and again;
//! words of every form in turn, with many and with few bits set; and words of any kind. Some of them also as
//! programs, through listing and assembler. Uses all cores.
//!
//! `cargo run --release -p unshade-isa-maxwell --example maxwell_sweep [WORDS]`
#![allow(clippy::print_stdout, reason = "an example reports on its standard output")]

use std::{fmt::Write, process::ExitCode, thread, time::Instant};
use unshade_isa_common::cases::Random;
use unshade_isa_common::{Remarks, text::PlainText};
use unshade_isa_maxwell::listing::{Control, list_code};
use unshade_isa_maxwell::{Form, Instruction, asm, print};
use unshade_stage::Code;

const ADDRESS: u64 = 0x1000;
/// Words of a program.
const PROGRAM: usize = 16;
/// One program for so many words.
const SHARE: u64 = 512;

/// What a share of the work found.
#[derive(Default)]
struct Found {
    words: u64,
    instructions: u64,
    exact: u64,
    decoded: u64,
    programs: u64,
    wrong: Option<String>,
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

/// A word near the last instruction of a form in turn, which it replaces if it is one.
fn near(random: &mut Random, last: &mut [u64], count: u64) -> u64 {
    let number = count as usize % last.len();
    let bits = random.next();
    let changed = (0..=bits >> 62).fold(0, |changed, bit| changed | 1 << (bits >> (6 * bit) & 63));
    // A change of the form itself only now and then.
    let changed = if bits >> 56 & 15 == 0 { changed } else { changed & !Form::ALL[number].mask() };
    let word = last[number] ^ changed;
    if print::is_instruction(word) && Form::of(word) == Some(Form::ALL[number]) {
        last[number] = word;
    }
    word
}

/// The first words that come back wrong from the text of a program.
fn program(random: &mut Random, words: &[u64]) -> Option<String> {
    let mut code = Vec::with_capacity(words.len() * 3);
    for group in words.chunks(3) {
        let control = random.next();
        code.extend(
            std::iter::once(control)
                .chain(group.iter().copied())
                .flat_map(|word| [word as u32, (word >> 32) as u32]),
        );
    }
    let mut text = PlainText::default();
    let listed = Code { words: code.as_slice().into(), ..Code::default() };
    list_code(&listed, Control::Shown, Remarks::default(), &mut text);
    match asm::assemble(text.text()) {
        Ok(made) if made.words == code => None,
        _ => Some(text.into_text()),
    }
}

fn sweep(seed: u64, words: u64) -> Found {
    let mut random = Random::new(seed, 0);
    let mut found = Found::default();
    let mut last: Vec<u64> = Form::ALL.iter().map(|form| form.value()).collect();
    let mut some = Vec::with_capacity(PROGRAM);
    for count in 0..words {
        let word = match count % 3 {
            0 => likely(&mut random, count / 3),
            _ => near(&mut random, &mut last, count),
        };
        let mut text = PlainText::with_capacity(160);
        print::instruction(word, ADDRESS, &print::Alone, &mut text);
        found.words += 1;
        found.instructions += u64::from(print::is_instruction(word));
        found.exact += u64::from(print::is_exact(word));
        found.decoded += u64::from(Instruction::decode(word).is_some());
        if asm::word(text.text(), ADDRESS) != Some(word) {
            found.wrong.get_or_insert_with(|| format!("{word:016x} {}", text.text()));
        }
        if count % SHARE < PROGRAM as u64 {
            some.push(word);
        } else if !some.is_empty() {
            found.programs += 1;
            let length = some.len() - count as usize / SHARE as usize % 3;
            if let Some(text) = program(&mut random, &some[..length]) {
                found.wrong.get_or_insert(text);
            }
            some.clear();
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
    if let Some(wrong) = done.iter().find_map(|found| found.wrong.as_ref()) {
        println!("this does not come back: {wrong}");
        return ExitCode::FAILURE;
    }
    let sum = |part: fn(&Found) -> u64| done.iter().map(part).sum::<u64>();
    let mut report = format!("{} words come back from their text:", sum(|found| found.words));
    for (what, part) in [
        ("instructions", (|found| found.instructions) as fn(&Found) -> u64),
        ("instructions without their bits behind the text", |found| found.exact),
        ("with a meaning", |found| found.decoded),
        ("programs that assemble again", |found| found.programs),
    ] {
        let _ = write!(report, " {} {what},", sum(part));
    }
    println!("{report} {:.1} s on {threads} threads", start.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}
