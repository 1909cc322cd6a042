//! Decoding and Mesa's text, against the listings of the corpus and random words.

use crate::corpus::{code, listed};
use proptest::prelude::*;
use unshade_isa_common::text::PlainText;
use unshade_isa_mali_pp::{Item, decode, encode::encode_all, lima, words_needed};

fn lima_text(words: &[u32]) -> String {
    let mut text = PlainText::default();
    lima::list(words, &mut text);
    text.into_text()
}

fn blanks_apart(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ,", ",")
}

#[test]
fn lima_text_is_that_of_the_reference() {
    let mut lines = 0;
    for (name, words, text) in listed() {
        let own = lima_text(&words);
        for (own, reference) in own.lines().zip(text.lines()) {
            assert_eq!(blanks_apart(own), blanks_apart(reference), "{name}");
            lines += 1;
        }
        assert_eq!(own.lines().count(), text.lines().count(), "{name}");
    }
    println!("{lines} lines equal");
}

#[test]
fn the_corpus_walks_to_its_end() {
    for (name, words, _) in listed() {
        let items = decode(&words);
        for (n, (at, item)) in items.iter().enumerate() {
            let Item::Inst(inst) = item else { panic!("{name}: no instruction at {at}") };
            let next = items.get(n + 1).map_or(0, |(_, item)| item.words());
            if !name.starts_with("fuzz") {
                assert_eq!(inst.control.next(), next, "{name} at {at}");
                assert_eq!(inst.count(), words_needed(inst.control.fields()), "{name} at {at}");
                assert!(inst.tail.is_empty(), "{name} at {at}");
            }
        }
        assert_eq!(encode_all(items.iter().map(|(_, item)| item)), words, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn decoding_loses_nothing(words in prop_oneof![code(), prop::collection::vec(any::<u32>(), 0..64)]) {
        let items = decode(&words);
        prop_assert_eq!(encode_all(items.iter().map(|(_, item)| item)), &words[..]);
        let mut next = 0;
        for (at, item) in &items {
            prop_assert_eq!(*at, next);
            next += item.words();
        }
        prop_assert_eq!(lima_text(&words).lines().count(), items.len());
    }
}

mod native {
    use super::*;
    use unshade_isa_mali_pp::asm::assemble;
    use unshade_isa_mali_pp::listing::list_code;
    use unshade_stage::Code;

    pub fn native_text(words: &[u32]) -> String {
        let mut text = PlainText::default();
        list_code(&Code { words: words.into(), ..Code::default() }, &[], &mut text);
        text.into_text()
    }

    #[track_caller]
    fn comes_back(words: &[u32]) {
        let text = native_text(words);
        match assemble(&text, &[]) {
            Ok(assembled) => assert_eq!(assembled.words, words, "{text}"),
            Err(errors) => panic!("{}\n{text}", errors[0]),
        }
    }

    #[test]
    fn every_program_comes_back_from_its_text() {
        for (name, words, _) in listed() {
            println!("{name}");
            comes_back(&words);
            if !name.starts_with("fuzz") {
                assert!(!native_text(&words).contains(".word"), "{name}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_words_come_back_from_their_text(words in prop_oneof![code(), prop::collection::vec(any::<u32>(), 0..64)]) {
            comes_back(&words);
        }
    }
}
