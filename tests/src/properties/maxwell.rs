//! The Switch's Maxwell: words, text, the text of NVIDIA's disassembler.

use super::words;
use unshade::maxwell::{asm, listing, listing::Control, nvdisasm};
use unshade::text::PlainText;
use unshade::{Code, Isa, ListingOptions, Location};

/// Longest program that is tried, in words.
const LONGEST: usize = 512;

/// Code words: the listing assembles back, also as a listing with a head; without control data it assembles to the
/// same instructions; NVIDIA's text ends.
pub fn code(data: &[u8]) {
    let words = words(data);
    let stage = unshade::raw_stage(Isa::Maxwell, words, Vec::new());
    let mut text = PlainText::default();
    listing::list_code(&stage.code, Control::Shown, Default::default(), &mut text);
    comes_back(text.text(), &stage.code);
    let options = ListingOptions { offsets: true, words: true, ..Default::default() };
    let head = unshade::disassemble_stage(&stage, &options);
    comes_back(head.text(), &stage.code);
    let mut text = PlainText::default();
    listing::list_code(&stage.code, Control::Hidden, Default::default(), &mut text);
    match asm::assemble(text.text()) {
        Ok(made) => {
            for (at, (one, other)) in made.words.iter().zip(&*stage.code.words).enumerate() {
                assert!(at % 8 < 2 || one == other, "{at}: {}", text.text());
            }
        }
        Err(findings) => panic!("a listing does not assemble: {findings:?}\n{}", text.text()),
    }
    let mut text = PlainText::default();
    nvdisasm::list_code(&stage.code, &mut text);
    assert!(text.text().len() <= 200 + stage.code.words.len() * 120, "{} bytes", text.text().len());
}

fn comes_back(text: &str, code: &Code<'_>) {
    match asm::assemble(text) {
        Ok(assembled) => assert_eq!(assembled.words, &*code.words, "{text}"),
        Err(findings) => panic!("a listing does not assemble: {findings:?}\n{text}"),
    }
}

/// Assembler text: code that lists and assembles to itself, or findings that point into the text. What comes out is no
/// larger than the text asks for.
pub fn text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let findings = match asm::assemble(text) {
        Ok(assembled) => {
            for (word, line) in &assembled.origins {
                assert!((*word as usize) < assembled.words.len() && *line < text.len());
            }
            assert!(assembled.words.len() <= 16 + text.len() * 8);
            if assembled.words.len() <= LONGEST {
                let bytes: Vec<u8> = assembled.words.iter().flat_map(|word| word.to_le_bytes()).collect();
                code(&bytes);
            }
            assembled.warnings
        }
        Err(findings) => {
            assert!(!findings.is_empty());
            findings
        }
    };
    for finding in &findings {
        match &finding.location {
            Location::Text { span, .. } => {
                assert!(text.get(span.clone()).is_some() || span.start == text.len(), "{finding:?}");
            }
            other => panic!("a finding without a place: {other:?}"),
        }
    }
}

/// Any bytes as text and as code.
pub fn all(data: &[u8]) {
    text(data);
    code(data);
}
