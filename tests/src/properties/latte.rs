//! The Wii U's Latte: words, text, the text of decaf.

use super::words;
use unshade::latte::{Layout, Program, asm, decaf, layout::Role, lint, listing, stats};
use unshade::text::PlainText;
use unshade::{Code, Interface, Isa, ListingOptions, Location, Stage, StageId, StageKind};

/// Longest program that is tried, in words.
const LONGEST: usize = 512;

/// Code words: the listing assembles back, also as a listing with a head; the map of the program has each unit
/// once; the text of decaf, lints and counts end.
pub fn code(data: &[u8]) {
    let words = words(data);
    let stage = unshade::raw_stage(Isa::Latte, words, Vec::new());
    let program = Program::new(&stage.code.words);
    let layout = Layout::new(&program);
    let flow = layout.flow().count();
    let clauses: u32 = layout.clauses.iter().map(|clause| clause.units).sum();
    let units = (0..program.units()).filter_map(|unit| layout.role(unit));
    let (mut in_flow, mut in_clauses) = (0, 0);
    for role in units {
        in_flow += usize::from(role == Role::Flow);
        in_clauses += u32::from(role == Role::Clause);
    }
    assert_eq!((flow, clauses), (in_flow, in_clauses));
    let mut text = PlainText::default();
    listing::list_code(&stage.code, Default::default(), &mut text);
    comes_back(text.text(), &stage.code);
    let head = unshade::disassemble_stage(
        &stage,
        &ListingOptions { offsets: true, words: true, ..Default::default() },
    );
    comes_back(head.text(), &stage.code);
    let mut text = PlainText::default();
    decaf::list(&stage.code.words, &mut text);
    // Each clause is printed once at most, but for a few.
    assert!(text.text().len() <= (1 << 18) + stage.code.words.len() * 600, "{} bytes", text.text().len());
    lint::lint(&stage);
    let stats = stats::stats(&stage);
    assert!(stats.uses.flow as usize == flow && stats.strays <= program.units() as usize);
}

fn comes_back(text: &str, code: &Code<'_>) {
    match asm::assemble(text) {
        Ok(assembled) => assert_eq!(assembled.words, &*code.words, "{text}"),
        Err(findings) => panic!("a listing does not assemble: {findings:?}\n{text}"),
    }
}

/// Assembler text: code that lists and assembles to itself, or findings that point into the text. What comes out
/// is no larger than the text asks for.
pub fn text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let findings = match asm::assemble(text) {
        Ok(assembled) => {
            for (word, line) in &assembled.origins {
                assert!((*word as usize) < assembled.words.len() && *line < text.len());
            }
            // A large address makes large code of a short text; most of it is zeros.
            if assembled.words.len() <= 1 << 16 {
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
    for finding in findings {
        if let Location::Text { source, span } = finding.location {
            assert!(source == 0 && text.get(span.clone()).is_some(), "{span:?}: {}", finding.message);
        }
    }
}

/// A program of any words: what the lift takes behaves like the machine at every point of the way, and prints in every
/// language or is refused.
pub fn latte_lift(data: &[u8]) {
    let Some((&flags, rest)) = data.split_first() else { return };
    let mut code = words(rest);
    code.truncate(LONGEST);
    if code.is_empty() {
        return;
    }
    let kind = match flags & 3 {
        0 => StageKind::Vertex,
        3 => StageKind::Geometry,
        _ => StageKind::Fragment,
    };
    let stage = Stage {
        id: StageId("0".into()),
        kind,
        isa: Isa::Latte,
        code: Code { words: code.into(), ..Code::default() },
        interface: Interface::default(),
    };
    super::program(&stage, 4);
}
