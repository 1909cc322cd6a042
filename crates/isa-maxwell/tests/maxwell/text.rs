//! Programs to native text and back.

use crate::corpus::programs;
use proptest::prelude::*;
use unshade_isa_common::Remarks;
use unshade_isa_common::cases::Random;
use unshade_isa_common::text::{Listing, PlainText};
use unshade_isa_maxwell::control::{Latency, NO_BARRIER, fits, latency};
use unshade_isa_maxwell::listing::{Control, list_code};
use unshade_isa_maxwell::{Form, asm, asm::assemble, layout, print};
use unshade_stage::Code;

fn list(words: &[u32], control: Control, remarks: Remarks) -> String {
    let mut text = PlainText::default();
    list_code(&Code { words: words.into(), ..Code::default() }, control, remarks, &mut text);
    text.into_text()
}

/// The text means the same words, with remarks and without, and is the same in parts.
fn round_trip(words: &[u32]) {
    let text = list(words, Control::Shown, Remarks::default());
    let back = assemble(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}"));
    if back.words != words {
        let at = words.iter().zip(&back.words).position(|(a, b)| a != b);
        panic!("{text}\nword {at:?}, {} of {} words", back.words.len(), words.len());
    }
    let mut listing = Listing::default();
    let code = Code { words: words.into(), ..Code::default() };
    list_code(&code, Control::Shown, Remarks::default(), &mut listing);
    assert_eq!(listing.text(), text);
    let remarked = list(words, Control::Shown, Remarks { offsets: Some(64), words: true });
    assert_eq!(assemble(&remarked).expect("remarks are remarks").words, words);
}

#[test]
fn the_corpus_comes_back() {
    let programs = programs();
    for program in &programs {
        round_trip(&program.words);
        let text = list(&program.words, Control::Shown, Remarks::default());
        // One compiler sets a bit of conversions to integers that has no text.
        if program.listing.is_none() {
            // Whole files, of which code is a part.
            continue;
        }
        let raw = |line: &&str| line.contains("{raw") && !line.contains("F2I.");
        assert_eq!(text.lines().find(raw), None, "{}", program.name);
        // Another compiler makes image operations that NVIDIA's disassembler refuses.
        let refused = program.listing.as_ref().map_or(0, |listing| listing.matches("// rejected").count());
        assert_eq!(text.matches(".word").count(), refused, "{}\n{text}", program.name);
        let warnings = assemble(&text).unwrap().warnings;
        assert!(warnings.is_empty(), "{}\n{warnings:#?}", program.name);
    }
    assert!(programs.is_empty() || programs.len() == 56, "{}", programs.len());
}

#[test]
fn control_data_is_made() {
    for program in &programs() {
        let text = list(&program.words, Control::Hidden, Remarks::default());
        assert!(!text.contains("[B"));
        let made = assemble(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}")).words;
        let theirs: Vec<_> = layout::instructions(&program.words).collect();
        let ours: Vec<_> = layout::instructions(&made).collect();
        let mut pending = 0_u8;
        for (their, our) in theirs.iter().zip(&ours) {
            assert_eq!((their.address, their.word), (our.address, our.word), "{}", program.name);
            // What the instruction before started has ended.
            assert_eq!(pending & !our.slot.waits(), 0, "{} {:x}", program.name, our.address);
            pending = 0;
            let Some(form) = Form::of(our.word) else { continue };
            assert!(fits(form, our.slot), "{form:?}");
            match latency(form) {
                Latency::Fixed(cycles) => assert!(our.slot.stall() >= cycles.min(15)),
                Latency::Variable(result) => {
                    assert_eq!(our.slot.write_barrier() != NO_BARRIER, result, "{form:?}");
                    for barrier in [our.slot.write_barrier(), our.slot.read_barrier()] {
                        if barrier != NO_BARRIER {
                            pending |= 1 << barrier;
                        }
                    }
                    assert!(our.slot.stall() >= 2);
                }
            }
        }
        assert_eq!(theirs.len(), ours.len(), "{}", program.name);
    }
}

#[test]
fn changed_programs_come_back() {
    for index in 0..6 {
        for (number, program) in programs().iter().enumerate() {
            let mut random = Random::new(number as u64, index);
            let mut words = program.words.clone();
            for _ in 0..=random.next() % 6 {
                let bits = random.next();
                let at = (bits >> 32) as usize % words.len();
                match bits & 7 {
                    0 => words[at] = random.next() as u32,
                    1 => words.truncate(at.max(1)),
                    2 => words.insert(at, bits as u32),
                    _ => words[at] ^= 1 << (bits >> 8 & 31),
                }
            }
            round_trip(&words);
        }
    }
}

/// A word near a form, with more zeros than ones or not.
fn likely(random: &mut Random) -> u64 {
    let form = Form::ALL[random.next() as usize % Form::ALL.len()];
    let mut word = random.next();
    for _ in 0..word >> 62 {
        word &= random.next();
    }
    if random.next().is_multiple_of(8) { word } else { word & !form.mask() | form.value() }
}

#[test]
fn words_come_back() {
    let mut random = Random::new(1, 2);
    let mut text = PlainText::default();
    for _ in 0..100_000 {
        let word = likely(&mut random);
        text = PlainText::with_capacity(text.text().len());
        print::instruction(word, 0x1000, &print::Alone, &mut text);
        assert_eq!(asm::word(text.text(), 0x1000), Some(word), "{}", text.text());
        if print::is_instruction(word) {
            assert_eq!(text.text().contains("{raw"), !print::is_exact(word));
        }
    }
}

#[test]
fn random_programs_come_back() {
    let mut random = Random::new(3, 4);
    for length in (0..40).chain([200, 1000]) {
        let words: Vec<u32> = (0..length)
            .flat_map(|index| {
                let word = if index % 4 == 0 { random.next() } else { likely(&mut random) };
                [word as u32, (word >> 32) as u32]
            })
            .chain((length % 5 == 0).then_some(7))
            .collect();
        round_trip(&words);
    }
}

proptest! {
    /// No text makes the assembler stop.
    #[test]
    fn any_text(text in "[ -~\n]{0,200}") {
        let _ = assemble(&text);
    }
}

/// The message and the characters that the first error of a text is about.
fn error(text: &str) -> (String, String) {
    let errors = assemble(text).expect_err(text);
    let unshade_bytes::Location::Text { span, .. } = &errors[0].location else { panic!("{errors:?}") };
    (errors[0].message.clone(), text[span.clone()].to_owned())
}

#[test]
fn errors_say_what_is_wrong() {
    for (text, message, place) in [
        ("FAD R0, R1, R2", "there is no operation with the name `FAD`", "FAD"),
        ("FADD R0, R1, Q2", "here should be a register, not `Q2`", "Q2"),
        ("FADD.FZT R0, R1, R2", "here should be a modifier of the operation, which `.FZT` is not", "FZT"),
        (
            "FADD R0, R1, 0.1",
            "here should be a number that the instruction's bits hold exactly, not `0.1`",
            "0.1",
        ),
        ("IADD R0, R1", "here should be `,`, not the end of the line", ""),
        ("BRA nowhere", "here should be a label, which `nowhere` is not", "nowhere"),
        (
            "[B------:R-:W-:-:S16] NOP",
            "`[B------:R-:W-:-:S16]` is not what a control word says",
            "[B------:R-:W-:-:S16]",
        ),
        (".isa latte", "this is the language of maxwell, not of `latte`", "latte"),
        ("a: NOP\na: NOP", "the label `a` is there twice", "a"),
        (
            "NOP {raw 0x5c58000000070000}",
            "the text and the word 0x5c58000000070000 behind it are two different instructions",
            "NOP {raw 0x5c58000000070000}",
        ),
    ] {
        let (said, at) = error(text);
        assert_eq!((said.as_str(), at.as_str()), (message, place), "{text}");
    }
}

#[test]
fn text_may_be_written_freely() {
    let one = |text: &str| asm::word(text, 8).unwrap_or_else(|| panic!("{text}"));
    assert_eq!(one("fadd.rm.ftz r0,r1, -|r2|"), one("FADD.FTZ.RM R0, R1, -|R2|"));
    assert_eq!(one("@!p0 MOV R1 , 16"), one("@!P0 MOV R1, 0x10"));
    assert_eq!(one("IMAD.HI.U32.U32 R1, R2, R3, R4"), one("IMAD.U32.U32.HI R1, R2, R3, R4"));
    assert_eq!(one("LDG.64.E R2, [ R4 + -0x8 ]"), one("LDG.E.64 R2, [R4+-0x8]"));
    assert_eq!(asm::word("IADD R0, -R1, -R2", 8), None);
}

#[test]
fn branches_go_to_labels() {
    let made = assemble("a: NOP\nBRA a\nBRA b\nBRA control(b)\nb: EXIT\nBRA 0x8").unwrap().words;
    let words: Vec<u64> = layout::words(&made).collect();
    let target = |index: usize| unshade_isa_maxwell::listing::branch_target(words[index], index as u64 * 8);
    // The fifth instruction is the second of the second group.
    assert_eq!([2, 3, 5, 7].map(target), [Some(8), Some(0x30), Some(0x30), Some(8)]);
}
