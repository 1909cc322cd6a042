//! Programs to text and back.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod latte_corpus;

use latte_corpus::programs;
use proptest::prelude::*;
use unshade_isa::Remarks;
use unshade_isa::cases::Random;
use unshade_isa::latte::{asm::assemble, listing::list_code};
use unshade_isa::text::{Listing, PlainText};
use unshade_stage::Code;

fn list(words: &[u32], remarks: Remarks) -> String {
    let mut text = PlainText::default();
    list_code(&Code { words: words.into(), ..Code::default() }, remarks, &mut text);
    text.into_text()
}

/// The text means the same words, with remarks and without, and is the same in parts.
fn round_trip(words: &[u32]) {
    let text = list(words, Remarks::default());
    let back = assemble(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}"));
    if back.words != words {
        let at = words.iter().zip(&back.words).position(|(a, b)| a != b);
        panic!(
            "{text}\nword {at:?}, {} of {} words\n{words:08x?}\n{:08x?}",
            back.words.len(),
            words.len(),
            back.words
        );
    }
    let mut listing = Listing::default();
    list_code(&Code { words: words.into(), ..Code::default() }, Remarks::default(), &mut listing);
    assert_eq!(listing.text(), text);
    let remarked = list(words, Remarks { offsets: Some(64), words: true });
    assert_eq!(assemble(&remarked).expect("remarks are remarks").words, words);
}

#[test]
fn the_corpus_comes_back() {
    let programs = programs();
    let mut explicit = 0;
    for (name, words) in &programs {
        round_trip(words);
        let text = list(words, Remarks::default());
        explicit += usize::from(text.contains(": ADDR("));
        // Nintendo's compiler leaves a hash behind the code.
        let strays = text.matches(".word").count();
        assert!(strays == usize::from(name.starts_with("rustgfd")), "{name}\n{text}");
    }
    assert!(programs.is_empty() || programs.len() > 110 && explicit == 0, "{explicit} of {}", programs.len());
}

#[test]
fn changed_programs_come_back() {
    let programs = programs();
    for index in 0..4 {
        for (number, (_, words)) in programs.iter().enumerate() {
            let mut random = Random::new(number as u64, index);
            let mut words = words.clone();
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

/// Words of which many are control flow with places inside the program.
fn likely_words(seed: u64, count: usize) -> Vec<u32> {
    let mut random = Random::new(seed, 7);
    let flow = 2 * (1 + random.next() as usize % 12);
    let mut words: Vec<u32> = (0..count).map(|_| random.next() as u32).collect();
    for pair in words.iter_mut().take(flow).collect::<Vec<_>>().chunks_exact_mut(2) {
        let bits = random.next();
        let place = bits as u32 % (count as u32 / 2 + 2);
        let few = (bits >> 32) as u32 & 15;
        if bits >> 48 & 1 != 0 {
            *pair[0] = (*pair[0] & 0xFFC0_0000) | place;
            *pair[1] = (*pair[1] & 0x5E03_FFFF) | 0xA000_0000 | few << 18;
        } else {
            *pair[0] = place;
            *pair[1] =
                (*pair[1] & 0x000F_E3FF) | 0x8000_0000 | ((bits >> 40) as u32 & 31) << 23 | (few & 7) << 10;
        }
    }
    words
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_words_come_back(words in prop::collection::vec(any::<u32>(), 0..64)) {
        round_trip(&words);
    }

    #[test]
    fn likely_words_come_back(seed: u64, count in 2_usize..200) {
        round_trip(&likely_words(seed, count));
    }

    #[test]
    fn any_text_is_answered(text in "([ -~]|\n){0,200}") {
        let _ = assemble(&text);
    }
}
