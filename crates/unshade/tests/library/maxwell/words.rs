//! Every form that computes, with all its modifiers: the machine, the lifted program and the source tree give the same
//! bits. A word is drawn, the registers that it names are filled from a bank, and what it leaves in registers,
//! predicates and the condition code is stored. `UNSHADE_WORDS` sets how many words of each form are drawn.

use std::collections::{BTreeMap, BTreeSet};
use unshade::Isa;
use unshade::verify::{Failure, verify};
use unshade_isa::cases::Random;
use unshade_isa::maxwell::asm::assemble;
use unshade_isa::maxwell::print::{self, Alone};
use unshade_isa::maxwell::{Class, Form, Instruction, Operation, Word, operand_fields};
use unshade_isa::text::PlainText;

/// Bank of what registers hold before.
const BANK: u64 = 3;
/// Where the constant that a word reads lies in it.
const CONSTANT: u64 = 0x480;

/// What is refused by name: no public definition says what it does, or no language has it (FORMATS.md).
const REFUSED: [&str; 8] = [
    "at which the machine stops",
    "shift to the left that goes on",
    "shift to the right that goes on",
    "funnel shift in a mode",
    "VABSDIFF4",
    "of the condition code",
    "FFma",
    "a video operation that saturates",
];

/// A word of a form with what it reads in reach; none where it is no instruction.
fn drawn(form: Form, random: &mut Random) -> Option<u64> {
    let mut word = random.next() & !form.mask() | form.value();
    // The guard always holds.
    if form.has_guard() {
        word = word & !(0xF << 16) | 7 << 16;
    }
    if operand_fields::constant(form, Word(word)).is_some() {
        word = word & !(0x3FFF << 20) | (CONSTANT / 4) << 20;
        word = word & !(0x1F << 34) | BANK << 34;
    }
    Instruction::decode(word).map(|_| word)
}

/// Words at the edges of what integers, halves and floats are.
const EDGES: [u32; 24] = [
    0,
    1,
    0xFFFF_FFFF,
    0x8000_0000,
    0x7FFF_FFFF,
    0x0000_8000,
    0x8000_7FFF,
    0x7F80_7F80,
    0x7C00_FC00,
    0x7C01_FFFF,
    0x0001_8001,
    0x03FF_83FF,
    0x3C00_BC00,
    0x7BFF_FBFF,
    0x0000_00FF,
    0x8080_8080,
    0x7F7F_7F7F,
    0x0000_001F,
    0x0000_0020,
    0xFFFF_FFE0,
    0x3F80_0000,
    0xBF80_0000,
    0x4F00_0000,
    0xCF00_0000,
];

/// The listing of a program that does the word and stores what it leaves. Some of what it reads is fixed.
fn program(form: Form, word: u64, random: &mut Random) -> Option<String> {
    let mut text = PlainText::default();
    print::instruction(word, 0, &Alone, &mut text);
    let line = text.into_text();
    let named: Vec<operand_fields::Place> = operand_fields::registers(form, Word(word)).collect();
    let used: BTreeSet<u32> = named.iter().flat_map(|place| place.first.0.into()..place.end()).collect();
    let helper = (0..250).find(|register| !used.contains(register))?;
    let mut lines = Vec::new();
    let mut at = 0;
    let mut fill = |lines: &mut Vec<String>, register: u32| {
        lines.push(format!("MOV R{register}, c[{BANK:#x}][{at:#x}]"));
        at += 4;
    };
    fill(&mut lines, helper);
    lines.push(format!("R2P PR, R{helper}, 0x7f"));
    fill(&mut lines, helper);
    lines.push(format!("R2P CC, R{helper}, 0xf"));
    for register in used.iter().filter(|register| **register < 255) {
        let drawn = random.next();
        match drawn & 7 {
            0 => lines.push(format!("MOV32I R{register}, {:#x}", (drawn >> 32) as u32)),
            1 | 2 => {
                let edge = EDGES[(drawn >> 32) as usize % EDGES.len()];
                lines.push(format!("MOV32I R{register}, {edge:#x}"));
            }
            _ => fill(&mut lines, *register),
        }
    }
    lines.push(line);
    let mut to = 0;
    let mut store = |lines: &mut Vec<String>, register: u32| {
        lines.push(format!("STS [{to:#x}], R{register}"));
        to += 4;
    };
    let written: BTreeSet<u32> = named
        .iter()
        .filter(|place| place.written)
        .flat_map(|place| place.first.0.into()..place.end())
        .filter(|register| *register < 255)
        .collect();
    for register in &written {
        store(&mut lines, *register);
    }
    for state in ["PR", "CC"] {
        lines.push(format!("P2R R{helper}, {state}, RZ, 0x7f"));
        store(&mut lines, helper);
    }
    lines.push("EXIT".to_owned());
    Some(lines.join("\n"))
}

#[test]
fn every_word_that_computes_is_lifted_to_what_it_does() {
    let count: u64 = std::env::var("UNSHADE_WORDS").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    let only = std::env::var("UNSHADE_WORDS_ONLY").unwrap_or_default();
    let (mut compared, mut failed) = (0, BTreeMap::<String, Vec<String>>::new());
    for form in Form::ALL.iter().copied().filter(|form| Class::of(*form).is_arithmetic()) {
        if !only.is_empty() && !form.name().starts_with(&only) {
            continue;
        }
        let mut random = Random::new(form as u64, 34);
        for _ in 0..count {
            let Some(word) = (0..40).find_map(|_| drawn(form, &mut random)) else { continue };
            if matches!(Instruction::decode(word).map(|found| found.operation), Some(Operation::System(_))) {
                continue;
            }
            let Some(text) = program(form, word, &mut random) else { continue };
            let words = assemble(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}")).words;
            let stage = unshade::raw_stage(Isa::Maxwell, words, Vec::new());
            let verdict = verify(&stage, 48, word);
            for (mode, section) in [("strict", verdict.strict), ("readable", verdict.readable)] {
                match section.failure {
                    None => compared += section.compared,
                    Some(Failure::Refused { message, .. })
                        if REFUSED.iter().any(|refused| message.contains(refused)) => {}
                    Some(failure) => {
                        let key = format!("{mode} {}", form.name());
                        failed.entry(key).or_default().push(format!("{failure}\n{text}"));
                    }
                }
            }
        }
    }
    println!("{compared} cases compared");
    for (key, found) in &failed {
        println!("{key}: {} of {}", found.len(), count);
        for one in found.iter().take(if only.is_empty() { 1 } else { 4 }) {
            println!("{one}\n");
        }
    }
    assert!(failed.is_empty(), "{:#?}", failed.keys());
    assert!(compared > 0);
}
