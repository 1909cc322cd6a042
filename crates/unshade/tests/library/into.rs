//! Listings put into the files that they are listings of.

use crate::change::files;
use std::collections::BTreeSet;
use unshade::{
    Diagnostic, Isa, ListingKind, ListingOptions, Location, Syntax,
    change::{Change, ChangeError, InstructionEdit, replace_by_listing, replace_instruction},
    disassemble_opened, disassemble_stage, disassemble_stage_to_text, foreign_text, item_listing,
    item_listing_of,
    listing::ItemListing,
    open,
};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(unshade_corpus::sample(name)).unwrap()
}

fn listing(bytes: &[u8]) -> String {
    disassemble_opened(&open(bytes).unwrap(), &ListingOptions::default()).text().to_owned()
}

fn put(bytes: &[u8], text: &str) -> Result<Change, ChangeError> {
    replace_by_listing(bytes, &[], None, ("listing", text))
}

/// What is wrong with the text, each with its line from 1.
fn wrong(bytes: &[u8], text: &str) -> Vec<(usize, Diagnostic)> {
    let Err(ChangeError::Text { findings, text, .. }) = put(bytes, text) else {
        panic!("nothing is wrong in the text")
    };
    let line = |finding: &Diagnostic| match &finding.location {
        Location::Text { span, .. } => {
            text[..span.start].lines().count().max(1) + usize::from(text[..span.start].ends_with('\n'))
        }
        _ => 0,
    };
    findings.into_iter().map(|finding| (line(&finding), finding)).collect()
}

/// The only thing that is wrong: its line, the program, what is said.
fn only(bytes: &[u8], text: &str) -> (usize, String, String) {
    let mut found = wrong(bytes, text);
    assert_eq!(found.len(), 1, "{found:?}");
    let (line, finding) = found.remove(0);
    (line, finding.path, finding.message)
}

fn line_of(text: &str, part: &str) -> usize {
    text.lines().position(|line| line.contains(part)).unwrap() + 1
}

/// The word that a first line says what it is of.
fn first_word(text: &str) -> String {
    match ListingKind::of(text) {
        Some(ListingKind::Container(format)) => format!(".container {format}"),
        Some(ListingKind::Archive(format)) => format!(".archive {format}"),
        Some(ListingKind::Files) => ".files".to_owned(),
        Some(ListingKind::Code(isa)) => format!(".isa {isa}"),
        None => panic!("a listing that does not say what it is of: {}", text.lines().next().unwrap()),
    }
}

/// The code section of a program of the Switch, as dumps have it.
fn section() -> Vec<u8> {
    let opened = open(&sample("two_stages.bnsh")[..]).unwrap();
    let (_, stage) = opened.stages(None).next().unwrap();
    let mut words = vec![0x1234_5678_u32];
    words.resize(0x30 / 4, 0);
    words.extend(&stage.interface.maxwell.as_ref().unwrap().header);
    words.extend(&stage.code.words[..]);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn every_listing_goes_back_into_its_file() {
    let mut first = BTreeSet::new();
    let mut all = files();
    for name in ["nested.szs", "embedded.bcsdr", "model.bfres"] {
        all.push((unshade_corpus::sample(name), sample(name)));
    }
    all.push(("a code section".into(), section()));
    for (path, bytes) in all {
        let text = listing(&bytes);
        first.insert(first_word(&text));
        match put(&bytes, &text) {
            Ok(same) => {
                assert!(same.rewritten.bytes == bytes, "{}: its listing changes it", path.display());
                assert!(same.programs.is_empty() && same.rewritten.notes.is_empty(), "{}", path.display());
            }
            Err(error) => panic!("{}: {error}", path.display()),
        }
        // The code of one program alone.
        let opened = open(&bytes[..]).unwrap();
        let Some((inner, stage)) = opened.stages(None).next() else { continue };
        let text = disassemble_stage_to_text(&stage, &ListingOptions::default());
        first.insert(first_word(&text));
        let names: Vec<_> = inner.name.iter().flat_map(|name| name.split(':')).map(str::to_owned).collect();
        let same = replace_by_listing(&bytes[..], &names, Some(&stage.id.0), ("listing", &text));
        match same {
            Ok(same) => assert!(same.rewritten.bytes == bytes, "{} #{}", path.display(), stage.id),
            Err(error) => panic!("{} #{}: {error}", path.display(), stage.id),
        }
    }
    println!("{first:?}");
    let mut wanted = vec![
        ".archive bfsha",
        ".archive bnsh",
        ".archive dksh",
        ".archive nvn-code",
        ".archive sharcfb",
        ".container dvoj",
        ".container gfd",
        ".container mbs",
        ".container shbin",
        ".files",
        ".isa latte",
        ".isa mali-gp",
        ".isa mali-pp",
        ".isa maxwell",
        ".isa pica200",
    ];
    if unshade_corpus::shared("corpus").is_dir() {
        wanted.extend([".archive nvn", ".archive sharc"]);
    }
    for wanted in wanted {
        assert!(first.contains(wanted), "no listing starts with `{wanted}`");
    }
}

/// The archive with the first instruction of its program `number` that can be another of the same program changed, by the
/// name of the program.
fn changed(bytes: &[u8], number: usize) -> Option<(String, Vec<u8>)> {
    let opened = open(bytes).unwrap();
    let (_, stage) = opened.stages(None).nth(number)?;
    let texts = item_listing(&stage).instructions;
    texts.iter().enumerate().find_map(|(at, old)| {
        let new = texts.iter().skip(at + 1).find(|new| new.text != old.text)?;
        let edit = InstructionEdit {
            place: unshade::change::InstructionPlace::parse(&at.to_string()),
            expect: old.text.clone(),
            value: new.text.clone(),
        };
        let done = replace_instruction(bytes, &[], Some(&stage.id.0), &edit, true).ok()?;
        (done.rewritten.bytes != bytes).then(|| (stage.id.0.clone(), done.rewritten.bytes))
    })
}

#[test]
fn a_changed_instruction_changes_its_program_alone() {
    let mut archives = BTreeSet::new();
    for (path, bytes) in files() {
        let text = listing(&bytes);
        let Some(ListingKind::Archive(format)) = ListingKind::of(&text) else { continue };
        let count = open(&bytes[..]).unwrap().stages(None).count();
        for number in [0, count / 2, count.saturating_sub(1)] {
            let Some((item, other)) = changed(&bytes, number) else { continue };
            // Labels may have other names in it, but the words are those.
            let made = match put(&bytes, &listing(&other)) {
                Ok(made) => made,
                Err(error) => panic!("{} #{item}: {error}", path.display()),
            };
            assert!(made.rewritten.bytes == other, "{} #{item}: not what `replace` makes", path.display());
            let old = open(&bytes[..]).unwrap();
            let new = open(&made.rewritten.bytes[..]).unwrap();
            let told: BTreeSet<_> =
                made.programs.iter().map(|program| program.item.trim_start_matches('#')).collect();
            assert!(told.contains(item.as_str()), "{told:?}");
            for ((_, old), (_, new)) in old.stages(None).zip(new.stages(None)) {
                // Programs may share their code.
                assert_eq!(
                    old.code.words != new.code.words,
                    told.contains(old.id.0.as_str()),
                    "{} #{}",
                    path.display(),
                    old.id
                );
            }
            // And back. What was stated more generously than the code needs may be exact now.
            let back = put(&other, &text).unwrap();
            let back = open(&back.rewritten.bytes[..]).unwrap();
            for ((_, old), (_, back)) in old.stages(None).zip(back.stages(None)) {
                assert!(old.code.words == back.code.words, "{} #{}: not what was", path.display(), old.id);
            }
            archives.insert(format.to_owned());
        }
    }
    println!("{archives:?}");
    assert!(
        ["bfsha", "bnsh", "dksh", "sharcfb"].iter().all(|format| archives.contains(*format)),
        "{archives:?}"
    );
}

#[test]
fn what_the_text_does_not_name_stays() {
    let bytes = sample("surface.sharcfb");
    let (item, other) = changed(&bytes, 2).unwrap();
    let text = listing(&other);
    let mut parts = text.split("\n.item ");
    let head = parts.next().unwrap();
    let part = parts.find(|part| part.contains(&item.replace(':', "\\x3a"))).unwrap();
    let alone = format!("{head}\n.item {part}\n.end_archive\n");
    assert!(put(&bytes, &alone).unwrap().rewritten.bytes == other);
}

#[test]
fn tables_follow_the_code() {
    // A larger register in the listing: the registers of its program are stated anew, and of no other.
    let bytes = sample("surface.sharcfb");
    let text = listing(&bytes);
    let larger = text.replacen("MUL_IEEE        R0.x,", "MUL_IEEE        R100.x,", 1);
    assert_ne!(larger, text);
    let made = put(&bytes, &larger).unwrap();
    let registers = |bytes: &[u8]| -> Vec<Option<u8>> {
        let opened = open(bytes).unwrap();
        opened
            .stages(None)
            .map(|(_, stage)| stage.interface.latte.as_ref().and_then(|latte| latte.registers))
            .collect()
    };
    let (old, new) = (registers(&bytes), registers(&made.rewritten.bytes));
    assert_eq!(new.iter().filter(|registers| **registers == Some(101)).count(), 1, "{old:?} {new:?}");
    assert_eq!(old.iter().zip(&new).filter(|(old, new)| old != new).count(), 1, "{old:?} {new:?}");
}

#[test]
fn what_is_wrong_is_told_with_line_and_program() {
    let bytes = sample("surface.sharcfb");
    let text = listing(&bytes);
    let items: Vec<&str> = text.lines().filter(|line| line.starts_with(".item")).collect();
    let name = |line: &str| line.trim_start_matches(".item \"").trim_end_matches('"').to_owned();
    let second = name(items[1]);

    // A mistake in the code.
    let at = text.find(items[1]).unwrap();
    let code = at + text[at..].find(".code\n").unwrap() + 6;
    let broken = format!("{}    MOVE R1\n{}", &text[..code], &text[code..]);
    let found = wrong(&bytes, &broken);
    assert_eq!((found[0].0, found[0].1.path.as_str()), (line_of(&broken, "MOVE R1"), second.as_str()));
    assert!(found[0].1.notes.iter().any(|note| note.contains(&second)), "{found:?}");

    // A program that the file lacks, with one that it has and the text lacks.
    let other = text.replacen(items[1], &format!("{}x\"", items[1].trim_end_matches('"')), 1);
    let (line, path, message) = only(&bytes, &other);
    assert_eq!((line, path), (line_of(&text, items[1]), format!("{second}x")));
    assert_eq!(message, format!("the file has no program `{second}x`"));
    assert_eq!(wrong(&bytes, &other)[0].1.notes, [format!("there is `{second}`")]);

    // Twice.
    let twice = text.replacen(items[1], items[0], 1);
    let (line, path, message) = only(&bytes, &twice);
    assert_eq!(
        (line, path, message),
        (
            line_of(&text, items[1]),
            name(items[0]),
            format!("`{}` stands in the listing twice", name(items[0]))
        )
    );

    // A program without its code.
    let end = code + text[code..].find(".end_code").unwrap() + 9;
    let empty = format!("{}{}{}", &text[..at], items[1], &text[end..]);
    let (line, _, message) = only(&bytes, &empty);
    assert_eq!(
        (line, message),
        (line_of(&empty, items[2]), format!("`.item` of `{second}` has no `.code` behind it"))
    );

    // Another kind of file, and another file of the kind.
    let (line, path, message) = only(&sample("two_stages.bnsh"), &text);
    assert_eq!((line, path.as_str()), (line_of(&text, ".archive"), ""));
    assert_eq!(message, "this is a listing of a `sharcfb`, and the file is a `bnsh`");
    let renamed = text.replace(".item \"", ".item \"other/");
    let (line, _, message) = only(&bytes, &renamed);
    assert_eq!(line, line_of(&text, ".archive"));
    assert!(
        message.starts_with(&format!("the file has none of these {} programs, which has `", items.len())),
        "{message}"
    );
    let (line, _, message) = only(&sample("loops.shbin"), &listing(&sample("blur.gsh")));
    assert_eq!((line, message.as_str()), (2, "this is a listing of a `gfd`, and the file is a `shbin`"));
}

#[test]
fn a_listing_that_was_cut_changes_nothing() {
    for name in ["surface.sharcfb", "two_stages.bnsh", "options.bfsha", "texture.frag.dksh", "nested.szs"] {
        let bytes = sample(name);
        let text = listing(&bytes);
        let body = text.trim_end();
        for end in
            (0..body.len()).filter(|end| body.is_char_boundary(*end)).step_by(97).chain([body.len() - 1])
        {
            match put(&bytes, &body[..end]) {
                Err(ChangeError::Text { findings, .. }) => {
                    assert!(!findings.is_empty(), "{name} up to {end}");
                    let last = findings.last().unwrap();
                    assert!(matches!(last.location, Location::Text { .. }), "{name} up to {end}: {last:?}");
                }
                Err(error) => panic!("{name} up to {end}: {error}"),
                Ok(_) => panic!("{name} up to {end} is taken for the whole"),
            }
        }
        // Between two programs.
        let between = body.rfind("\n.item").or_else(|| body.rfind("\n.inside")).unwrap();
        let (line, _, message) = only(&bytes, &body[..between]);
        assert!(message.starts_with("the listing ends without `.end_"), "{name}: {message}");
        assert_eq!(line, body[..between].trim_end().lines().count(), "{name}");
    }
}

#[test]
fn listings_of_several_files_go_to_each() {
    let bytes = sample("nested.szs");
    let text = listing(&bytes);
    assert!(text.contains(".inside \"Layout/inner.szs\\x3aeffect/lighting.shbin\""), "{text}");
    // One instruction in one of them.
    let other = text.replacen("mov     r0.xyz, position", "mov     r0.xyz, normal", 1);
    assert_ne!(other, text);
    let made = put(&bytes, &other).unwrap();
    assert_eq!(listing(&made.rewritten.bytes), other);
    assert!(
        made.rewritten.notes.iter().any(|note| note.starts_with("SARC: `effect/lighting.shbin` replaced"))
    );
    // A file that is not there, and one that is named twice.
    let (line, path, message) = only(&bytes, &text.replace("phong.frag.mbs", "phong.frag"));
    assert_eq!((line, path.as_str()), (line_of(&text, "phong.frag.mbs"), "Model/phong.frag"));
    assert_eq!(message, "the file holds no `Model/phong.frag`");
    // The listing of one of them finds it by its kind.
    let mbs = listing(&sample("phong.frag.mbs"));
    assert!(put(&bytes, &mbs).unwrap().rewritten.bytes == bytes);
    let Err(ChangeError::Open(error)) = put(&bytes, &listing(&sample("loops.shbin"))) else {
        panic!("one of four")
    };
    assert!(error.to_string().contains("name one of them"), "{error}");
}

#[test]
fn data_is_in_the_text_that_is_asked_for() {
    let spaced = |text: &str| text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    for (name, syntax) in [
        ("loops.shbin", Syntax::Picasso),
        ("phong.frag.mbs", Syntax::Lima),
        ("lambert.vert.mbs", Syntax::Lima),
        ("blur.gsh", Syntax::Decaf),
        ("texture.frag.dksh", Syntax::Nvdisasm),
    ] {
        let bytes = sample(name);
        let opened = open(&bytes[..]).unwrap();
        let (_, stage) = opened.stages(None).next().unwrap();
        let (listing, _) = foreign_text(&stage, syntax).unwrap();
        let (other, own) = (item_listing_of(&stage, &listing), item_listing(&stage));
        assert_eq!((&other.item, &other.isa), (&own.item, &own.isa));
        assert!(!other.instructions.is_empty(), "{name}: no instructions in the text of {}", syntax.name());
        let lines: Vec<String> = listing.lines().map(|line| spaced(line.text)).collect();
        for instruction in &other.instructions {
            let first = lines.iter().any(|line| !line.is_empty() && instruction.text.starts_with(line));
            assert!(first, "{name}: `{}`", instruction.text);
        }
        // The same words, but for those of which only one of the two texts makes a line.
        let last = |item: &ItemListing| item.instructions.last().map(|last| last.offset);
        assert_eq!(last(&other), last(&own), "{name}");
        if stage.isa == Isa::Maxwell {
            let options = ListingOptions { no_control: true, ..ListingOptions::default() };
            let bare = item_listing_of(&stage, &disassemble_stage(&stage, &options));
            assert_eq!(bare.instructions.len(), own.instructions.len());
            let control =
                |item: &ItemListing| item.instructions.iter().filter(|one| one.text.starts_with('[')).count();
            assert_eq!((control(&bare), control(&own)), (0, own.instructions.len()));
        }
    }
}

#[test]
fn any_text_is_put_in_or_refused() {
    let (mut taken, mut refused) = (0, 0);
    for name in ["surface.sharcfb", "two_stages.bnsh", "options.bfsha", "texture.frag.dksh", "nested.szs"] {
        let bytes = sample(name);
        let text = listing(&bytes);
        let lines: Vec<&str> = text.lines().collect();
        for at in (0..lines.len()).step_by(lines.len() / 40 + 1) {
            let (before, line, behind) = (&lines[..at], lines[at], &lines[at + 1..]);
            let half = line.char_indices().nth(line.chars().count() / 2).map_or("", |(end, _)| &line[..end]);
            let other = lines[(at * 7 + 3) % lines.len()];
            for new in
                [&[][..], &[half], &[line, line], &[other], &[other, line], &[line, ".item \"", "\u{fe}"]]
            {
                let text = [before, new, behind].concat().join("\n");
                match put(&bytes, &text) {
                    Ok(made) => {
                        let opened = open(&made.rewritten.bytes[..]);
                        let opened =
                            opened.unwrap_or_else(|error| panic!("{name}: {error}\n{new:?} for {line}"));
                        let same = opened
                            .containers
                            .iter()
                            .all(|inner| inner.difference(&made.rewritten.bytes).is_none());
                        assert!(same, "{name}: {new:?} for {line}");
                        taken += 1;
                    }
                    Err(error) => {
                        assert!(!error.to_string().is_empty());
                        refused += 1;
                    }
                }
            }
        }
    }
    println!("{taken} taken, {refused} refused");
    assert!(taken > 50 && refused > 200, "{taken} taken, {refused} refused");
}
