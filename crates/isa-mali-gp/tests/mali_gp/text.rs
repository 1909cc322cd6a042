//! Text of the Mali vertex processor, compared with the text of Mesa's disassembler.

use crate::corpus::{corpus, programs, stages, vertex_stage};
use proptest::prelude::*;
use unshade_bytes::{Diagnostic, Location};
use unshade_isa_common::Remarks;
use unshade_isa_common::text::PlainText;
use unshade_isa_mali_gp::asm::assemble;
use unshade_isa_mali_gp::listing::{list_code, write_code};
use unshade_isa_mali_gp::names::Names;
use unshade_isa_mali_gp::table::{EMPTY, FIELDS};
use unshade_isa_mali_gp::{decode, encode, lima};
use unshade_stage::{Code, Declared, Stage};

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

fn listing(stage: &Stage<'_>, remarks: Remarks) -> String {
    let mut text = PlainText::default();
    list_code(&mut text, &stage.code, &stage.interface.symbols, remarks);
    text.into_text()
}

/// Findings with their places, for messages.
fn show(text: &str, findings: &[Diagnostic]) -> String {
    let mut out = String::new();
    for finding in findings {
        let at = match &finding.location {
            Location::Text { span, .. } => span.clone(),
            _ => 0..0,
        };
        let line = text[..at.start.min(text.len())].lines().count().max(1);
        let marked = text.get(at).unwrap_or_default();
        out += &format!("line {line} `{marked}` {}: {}\n", finding.code, finding.message);
    }
    out
}

#[test]
fn listings_come_back() {
    let Some(corpus) = corpus() else { return };
    let remarks = [Remarks::default(), Remarks { offsets: Some(64), words: true }];
    let stages = stages(&corpus);
    assert!(stages.len() >= 40, "only {} stages", stages.len());
    for (path, stage) in &stages {
        for remarks in remarks {
            let text = listing(stage, remarks);
            let back = assemble(&text, &[])
                .unwrap_or_else(|findings| panic!("{}:\n{}", path.display(), show(&text, &findings)));
            assert_eq!(back.words, *stage.code.words, "{}", path.display());
            if let Some(Declared::MaliVertex { instructions, attribute_prefetch }) = stage.interface.declared
                && !path.ends_with("fuzz_gp.mbs")
            {
                let counted = (back.instructions, back.attribute_prefetch);
                assert_eq!(counted, (instructions, attribute_prefetch), "{}", path.display());
            }
        }
        // The same text with the names of the symbols alone.
        let names = Names::of_symbols(&stage.interface.symbols);
        let mut text = PlainText::default();
        write_code(&mut text, &stage.code.words, &[], &names, Remarks::default());
        let back = assemble(text.text(), &stage.interface.symbols).unwrap();
        assert_eq!(back.words, *stage.code.words, "{}", path.display());
    }
}

#[test]
fn names_values_and_labels_are_shown() {
    let Some(corpus) = corpus() else { return };
    let read = |name: &str| vertex_stage(&std::fs::read(corpus.join(name)).unwrap()).unwrap();
    let text = listing(&read("mbs/real/memtester_cube_v_libmali.mbs"), Remarks::default());
    for part in ["in_position.", "normalMatrix[0].x", "-> gl_Position.x", "coord.", ".alias in_normal a1.xyz"]
    {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    let text = listing(&read("mbs/lima-out/v16_loop_dyn.vert.mbs"), Remarks::default());
    assert!(text.contains("branch   pass, L0") && text.contains("\nL0"), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_words_come_back_from_text(words in proptest::collection::vec(any::<u32>(), 0..40)) {
        let code = Code { words: words.as_slice().into(), ..Code::default() };
        let mut text = PlainText::default();
        list_code(&mut text, &code, &[], Remarks::default());
        let back = assemble(text.text(), &[]);
        let back = back.unwrap_or_else(|findings| panic!("{}\n{}", text.text(), show(text.text(), &findings)));
        prop_assert_eq!(back.words, words);
    }

    /// Words like those of programs: most units off, the others with likely sources.
    #[test]
    fn likely_words_come_back_from_text(changes in proptest::collection::vec(
        proptest::collection::vec((0..FIELDS.len(), any::<u32>()), 0..14), 1..8)
    ) {
        let mut words = Vec::new();
        for changes in changes {
            let mut word = EMPTY;
            for (field, value) in changes {
                word = word & !FIELDS[field].mask() | FIELDS[field].put(value);
            }
            words.extend(unshade_isa_mali_gp::words(word));
        }
        let code = Code { words: words.as_slice().into(), ..Code::default() };
        let mut text = PlainText::default();
        list_code(&mut text, &code, &[], Remarks::default());
        let back = assemble(text.text(), &[]);
        let back = back.unwrap_or_else(|findings| panic!("{}\n{}", text.text(), show(text.text(), &findings)));
        prop_assert_eq!(back.words, words, "{}", text.text());
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~\n]{0,200}") {
        let _ = assemble(&text, &[]);
    }

    #[test]
    fn any_likely_text_is_read_or_refused(
        parts in proptest::collection::vec(proptest::sample::select(vec![
            "add0", "add1", "mul0", "mul01", "pass", "complex", "branch", "store", "fields", "||", "\n", "->", ",",
            "mov", "add", "select", "complex2", "clamp", "rcp", "^mul0", "^^add1", "^complex", "^$1.x", "-", "$1.x",
            "$2.y@reg0", "a0.x", "a1.z", "t[5].x", "t[5+addr1].y", "v0.xy", "t[addr0].zw", "L1", "L1:", "1", "0",
            "unused", "reg0.address=3", ".word", "0x10", ".alias", "nop", "^reg0.x",
        ]), 0..60)
    ) {
        let _ = assemble(&parts.join(" "), &[]);
    }
}
