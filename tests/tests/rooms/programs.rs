//! The promise about programs, over the samples and the corpus: what is made of them computes what the machine
//! computes.

use std::fs;
use unshade_tests::corpus;

/// Cases for each program and mode.
const CASES: u32 = 4096;
/// A program of the corpus that calls itself and never ends, whatever its inputs.
const ENDLESS: &str = "recursive_call.shbin";

#[test]
fn machine_and_source_agree() {
    let mut programs = 0;
    for path in corpus::well_formed_shbin("verification over the corpus") {
        let opened = unshade::open(&fs::read(&path).unwrap()).unwrap();
        for (inner, stage) in opened.stages(None) {
            if path.ends_with(ENDLESS) {
                let verdict = unshade::verify(&stage, 16, 1);
                let strict = &verdict.strict;
                assert!(strict.failure.is_none() && strict.is_unfinished(), "{verdict:?}");
                assert_eq!(strict.unfinished + strict.left, 16, "{verdict:?}");
                continue;
            }
            let verdict = unshade::verify(&stage, CASES, 1);
            let name = format!("{}{}", path.display(), inner.item_name(&stage.id));
            assert!(verdict.passed(), "{name}: {verdict:?}");
            assert_eq!(verdict.strict.compared, CASES, "{name}");
            assert!(verdict.strict.unfinished * 10 <= CASES, "{name}");
            assert_eq!(verdict.readable.compared + verdict.readable.outside.total(), CASES, "{name}");
            programs += 1;
        }
    }
    assert!(programs >= 10, "{programs}");
}
