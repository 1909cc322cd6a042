//! The text of decaf's disassembler: what it printed for the corpus, and what our assembler makes of that.

use crate::corpus::{blocks, folder, made_by_mesa};
use std::collections::BTreeMap;
use unshade_isa_common::text::{Listing, PlainText};
use unshade_isa_latte::{asm::assemble, decaf};

fn decaf_text(words: &[u32]) -> String {
    let mut text = PlainText::default();
    decaf::list(words, &mut text);
    let mut listing = Listing::default();
    decaf::list(words, &mut listing);
    assert_eq!(listing.text(), text.text());
    text.into_text()
}

/// Without white space at the ends of lines and of the text.
fn plain(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_end().to_owned()
}

/// Listings of a reference file by program kind: each starts with a line `; ---- kind0 (size bytes)`.
fn references(text: &str) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for piece in text.split("; ---- ").skip(1) {
        let (head, body) = piece.split_once('\n').unwrap_or((piece, ""));
        let name = head.split(|c: char| c.is_ascii_digit() || c == ' ').next().unwrap();
        all.insert(name.to_owned(), plain(body));
    }
    all
}

/// Reference and our text of every program: no difference is known.
#[test]
fn the_text_is_that_of_decaf() {
    let Some(folder) = folder() else { return };
    let mut compared = 0;
    for (name, words) in made_by_mesa() {
        let path = folder.join("r700").join(format!("{name}.decaf.txt"));
        // The corpus has no listing of this one.
        if name == "mrt.ps" && !path.exists() {
            continue;
        }
        let reference = references(&std::fs::read_to_string(path).unwrap());
        assert_eq!(plain(&decaf_text(&words)), reference["raw"], "{name}");
        compared += 1;
    }
    for block in blocks() {
        let path = folder.join("ref").join(format!("{}.decaf.txt", block.file));
        let reference = references(&std::fs::read_to_string(path).unwrap());
        assert_eq!(plain(&decaf_text(&block.words)), reference[block.kind], "{} {}", block.file, block.kind);
        compared += 1;
    }
    assert!(compared > 110, "{compared}");
}

/// What decaf's text does not say of Wii U programs: padding behind the last clause, a hash that Nintendo's
/// compiler leaves there, fields without meaning (the component of a constant, the second source of an
/// operation with one).
fn meaning(words: &[u32]) -> Vec<u32> {
    let text = decaf_text(words);
    assemble(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}")).words
}

#[test]
fn listings_of_wii_u_programs_assemble_to_the_same_code() {
    let mut same = Vec::new();
    let mut other = Vec::new();
    for block in blocks() {
        let made = meaning(&block.words);
        assert_eq!(decaf_text(&made), decaf_text(&block.words), "{} {}", block.file, block.kind);
        let equal = block.words.starts_with(&made) && block.words[made.len()..].iter().all(|word| *word == 0);
        (if equal { &mut same } else { &mut other }).push(format!("{} {}", block.file, block.kind));
    }
    let expected = [
        // A hash behind the code.
        "rustgfd_program vertex",
        "rustgfd_program pixel",
        "rustgfd_shader vertex",
        "rustgfd_shader pixel",
        "rustgfd_vertex-program vertex",
        // Components of constants.
        "sdl_wiiu_shaders vertex",
        "sdl_wiiu_shaders_1 vertex",
    ];
    assert!(same.is_empty() && other.is_empty() || other == expected, "{other:#?}");
}

/// Mesa leaves more than that in unused fields; all that decaf prints comes back.
#[test]
fn listings_of_mesa_programs_assemble_to_the_same_text() {
    for (name, words) in made_by_mesa() {
        let made = meaning(&words);
        assert_eq!(decaf_text(&made), decaf_text(&words), "{name}");
    }
}
