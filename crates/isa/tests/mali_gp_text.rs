#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
//! Text of the Mali vertex processor, compared with the text of Mesa's disassembler.

mod mali_gp_corpus;

use mali_gp_corpus::{corpus, programs};
use proptest::prelude::*;
use unshade_isa::mali_gp::{decode, encode, lima};
use unshade_isa::text::PlainText;

#[test]
fn lima_text_is_that_of_the_reference() {
    let Some(corpus) = corpus() else { return };
    let mut compared = 0;
    for (path, code) in programs(&corpus) {
        let Ok(want) = std::fs::read_to_string(path.with_extension("txt")) else { continue };
        let mut text = PlainText::default();
        lima::list(&code, &mut text);
        // White space inside a line counts, at its end it does not.
        for (number, (got, want)) in text.text().lines().zip(want.lines()).enumerate() {
            assert_eq!(got.trim_end(), want.trim_end(), "{} line {}", path.display(), number + 1);
        }
        assert_eq!(text.text().lines().count(), want.lines().count(), "{}", path.display());
        compared += 1;
    }
    assert!(compared >= 34, "only {compared} listings compared");
    println!("{compared} listings equal");
}

proptest! {
    #[test]
    fn words_come_back(word: u128) {
        let inst = decode(word);
        prop_assert_eq!(encode(&inst), word);
        prop_assert_eq!(decode(encode(&inst)), inst);
    }
}
