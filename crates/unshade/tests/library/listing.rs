//! Whole files to listings and back.

use std::path::{Path, PathBuf};
use unshade::assembly::Source;
use unshade::listing::{
    ListingOptions, assemble_listing, disassemble_container, disassemble_container_to_text,
    disassemble_stage, item_listing, picasso_source,
};
use unshade::pica200::asm::{Options, assemble};
use unshade::pica200::listing::assemble_code;
use unshade::pica200::view::Shape;
use unshade::pica200::{Inst, Operands, decode, encode, lint};
use unshade::{Container, Severity};

/// The 3DS samples, and the files of the corpus next to the checkout, if it is there.
fn corpus() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = unshade_corpus::shared("corpus/shbin");
    if !corpus.is_dir() {
        println!("skipped but for the samples: no {}", corpus.display());
    }
    let folders = ["picasso-out", "real", "nihstro-out", "synthetic", "synthetic/malformed"];
    let mut files = Vec::new();
    for folder in folders.map(|name| corpus.join(name)).into_iter().chain([root.join("samples")]) {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for entry in entries.flatten().filter(|entry| entry.path().is_file()) {
            files.push((entry.path(), std::fs::read(entry.path()).unwrap()));
        }
    }
    // Other families have tests of their own. What cannot be read is for each test to judge.
    files.retain(|(_, bytes)| matches!(Container::read(bytes), Ok(Container::Shbin(_)) | Err(_)));
    files.sort();
    files
}

#[test]
fn every_readable_file_comes_back_from_its_listing() {
    let mut count = 0;
    for (path, bytes) in corpus() {
        let Ok(container) = Container::read(&bytes) else { continue };
        let options = ListingOptions { offsets: count % 2 == 1, words: count % 3 == 1, ..Default::default() };
        let text = disassemble_container_to_text(&container, &options);
        assert_eq!(disassemble_container(&container, &options).text(), text);
        let back = assemble_listing(&text).unwrap_or_else(|e| panic!("{}: {}\n{text}", path.display(), e[0]));
        assert_eq!(back, container, "{}\n{text}", path.display());
        assert_eq!(back.write().unwrap(), bytes, "{}", path.display());
        count += 1;
    }
    assert!(count >= 7, "only {count} files were readable");
}

#[test]
fn every_stage_assembles_as_code() {
    for (path, bytes) in corpus() {
        let Ok(container) = Container::read(&bytes) else { continue };
        for stage in container.stages() {
            let listing = disassemble_stage(&stage, &ListingOptions::default());
            let back = assemble_code(listing.text())
                .unwrap_or_else(|e| panic!("{}: {}\n{listing}", path.display(), e[0]));
            assert_eq!(back.words, *stage.code.words, "{}", path.display());
            assert_eq!(back.descriptors, *stage.code.descriptors);
            let data = item_listing(&stage);
            let words: Vec<u32> = data.instructions.iter().flat_map(|i| i.words.iter().copied()).collect();
            assert_eq!(words, *stage.code.words);
        }
    }
}

/// An instruction without the number of its descriptor, and what the descriptor means to it.
fn meaning(word: u32, descriptors: &[u32]) -> (u32, Option<u32>) {
    let inst = decode(word);
    let Inst::Known { opcode, mut operands } = inst else { return (word, None) };
    let Some(shape) = Shape::of(opcode) else { return (word, None) };
    let (Operands::One { desc, .. }
    | Operands::Two { desc, .. }
    | Operands::Mad { desc, .. }
    | Operands::Compare { desc, .. }) = &mut operands
    else {
        return (word, None);
    };
    let low = descriptors[usize::from(*desc)];
    *desc = 0;
    (encode(Inst::Known { opcode, operands }), Some(low & shape.care(low)))
}

#[test]
fn picasso_source_assembles_to_the_same_instructions() {
    let mut said = 0;
    for (path, bytes) in corpus() {
        if path.parent().is_some_and(|folder| folder.ends_with("malformed")) {
            continue;
        }
        let Ok(container) = Container::read(&bytes) else { continue };
        for stage in container.stages() {
            let (listing, notes) = picasso_source(&stage);
            let text = listing.text();
            let no_nop = notes.iter().any(|note| note.message.contains("--no-nop"));
            let name = path.display().to_string();
            if let Some(note) = notes.iter().find(|note| note.message.contains("cannot be said")) {
                println!("{name}: {note}");
                continue;
            }
            let made = assemble(&[Source { name: &name, text }], Options { no_nop })
                .unwrap_or_else(|e| panic!("{name}: {}\n{text}", e[0]));
            let program = made.program;
            assert_eq!(program.executables[0].kind, stage.kind, "{name}\n{text}");
            // Where another program's procedures are left out, the main program is still there.
            let left_out = notes.iter().any(|note| note.message.contains("left out"));
            let (new, old) = if left_out {
                let made = &program.executables[0];
                let end = stage.code.end.unwrap() as usize;
                (
                    &program.words[made.entry as usize..made.end as usize],
                    &stage.code.words[stage.code.entry as usize..end],
                )
            } else {
                (&*program.words, &*stage.code.words)
            };
            assert_eq!(new.len(), old.len(), "{name}\n{text}");
            for (at, (a, b)) in new.iter().zip(old).enumerate() {
                let (a, b) = (meaning(*a, &program.descriptors), meaning(*b, &stage.code.descriptors));
                assert_eq!(a, b, "{name} word {at}\n{text}");
            }
            said += 1;
        }
    }
    assert!(said >= 5, "only {said} programs could be said");
}

#[test]
fn an_edited_listing_brings_everything_along() {
    let path = unshade_corpus::shared("corpus/shbin/picasso-out/t12_calls.shbin");
    let Ok(bytes) = std::fs::read(&path) else {
        println!("skipped: no {}", path.display());
        return;
    };
    let container = Container::read(&bytes).unwrap();
    let text = disassemble_container_to_text(&container, &ListingOptions::default());
    // One more instruction in the first procedure: everything behind it moves, its callers see its length.
    let edited =
        text.replacen("    add     r1, u, r1\n", "    add     r1, u, r1\n    mul     r1.xy, r1.yx, r1\n", 1);
    let edited = edited.replacen(".out ", ".setf c95 (0.5, -2, inf)\n    .out ", 1);
    let changed = assemble_listing(&edited).unwrap();
    let again = Container::read(&changed.write().unwrap()).unwrap();
    let (old, new) = (container.stages().next().unwrap(), again.stages().next().unwrap());
    assert_eq!(new.code.words.len(), old.code.words.len() + 1);
    assert_eq!(new.code.entry, old.code.entry + 1);
    assert_eq!(new.code.end, old.code.end.map(|end| end + 1));
    assert_eq!(new.code.words[2], 0x9000_0002, "the call runs two words now");
    assert_eq!(new.code.descriptors.len(), old.code.descriptors.len() + 1);
    assert_eq!(new.code.constants.len(), 1);
    assert_eq!(new.interface, old.interface);
}

#[test]
fn damaged_listings_never_crash() {
    let files: [&[u8]; 2] = [
        include_bytes!("../../../../samples/labels_and_lines.shbin"),
        include_bytes!("../../../../samples/object.dvoj"),
    ];
    for file in files {
        damage(&disassemble_container_to_text(&Container::read(file).unwrap(), &ListingOptions::default()));
    }
}

fn damage(text: &str) {
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        let _ = assemble_listing(&text[..end]).map(|made| made.write());
    }
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    let mut random = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as usize % bound
    };
    const SPICE: &[u8] = b"@.[]-,:;=_!&|#0x9(\n \"abvco\\";
    for _ in 0..5000 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=random(3) {
            let at = random(bytes.len());
            match random(3) {
                0 => bytes[at] = SPICE[random(SPICE.len())],
                1 => {
                    bytes.remove(at);
                }
                _ => bytes.insert(at, SPICE[random(SPICE.len())]),
            }
        }
        let _ = assemble_listing(&String::from_utf8_lossy(&bytes)).map(|made| made.write());
    }
}

#[test]
fn lints_of_the_corpus() {
    for (path, bytes) in corpus() {
        let Ok(container) = Container::read(&bytes) else { continue };
        let name = path.file_stem().unwrap().to_str().unwrap();
        let malformed = path.parent().unwrap().ends_with("malformed");
        let expected = match name {
            "call_outside" => Some("pica200.call-outside"),
            "desc_index_outside" => Some("pica200.descriptor-outside"),
            "unknown_opcode" => Some("pica200.unknown-opcode"),
            "entry_outside" => Some("pica200.entry-outside"),
            "recursive_call" => Some("pica200.recursive-call"),
            _ => None,
        };
        let found: Vec<_> = container.stages().flat_map(|stage| lint::lint(&stage)).collect();
        if let Some(code) = expected.filter(|_| malformed) {
            assert!(found.iter().any(|finding| finding.code == code), "{name}: {found:?}");
        } else if !malformed {
            assert!(found.iter().all(|finding| finding.severity < Severity::Error), "{name}: {found:?}");
        }
        if !malformed && path.parent().unwrap().ends_with("real") {
            assert!(found.is_empty(), "{name}: {found:?}");
        }
    }
}
