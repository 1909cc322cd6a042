//! NVIDIA's text of words and of programs.

use crate::corpus::{programs, rows};
use unshade_isa_common::text::PlainText;
use unshade_isa_maxwell::layout::{self, Placed};
use unshade_isa_maxwell::{asm, nvdisasm, print};
use unshade_stage::Code;

fn text(word: u64, address: u64) -> Option<String> {
    let mut text = PlainText::default();
    nvdisasm::instruction(word, address, None, &mut text).then(|| text.text().trim_end().to_owned())
}

#[test]
fn every_row_has_its_text() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for table in ["words", "sweep", "flow"] {
        for row in rows(table) {
            count += 1;
            let ours = text(row.word, row.address);
            if ours != row.text {
                wrong.push(format!(
                    "{:016x} at {:x}: {ours:?}, should be {:?}",
                    row.word, row.address, row.text
                ));
            }
        }
    }
    println!("{} of {count} rows are exact", count - wrong.len());
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_row_comes_back() {
    for table in ["words", "sweep", "flow"] {
        for row in rows(table) {
            let mut native = PlainText::default();
            print::instruction(row.word, row.address, &print::Alone, &mut native);
            assert_eq!(asm::word(native.text(), row.address), Some(row.word), "{}", native.text());
            let Some(text) = &row.text else { continue };
            let read = asm::word(text, row.address);
            let same = read == Some(row.word);
            assert_eq!(same, print::is_exact(row.word), "{:016x} {text} is {read:x?}", row.word);
            assert_eq!(read.and_then(|word| self::text(word, row.address)).as_ref(), Some(text));
        }
    }
}

/// What a line of a listing of bare code says, without what aligns it.
fn squeezed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ;", ";")
}

#[test]
fn listings_are_the_same() {
    let mut lines = 0;
    for program in programs() {
        let Some(listing) = &program.listing else { continue };
        // Listings of linked programs have labels and what the disassembler makes of the flow.
        // What it refused was replaced in others.
        if listing.contains(".section") || listing.contains("rejected") {
            continue;
        }
        let mut ours = PlainText::default();
        let code = Code { words: program.words.as_slice().into(), ..Code::default() };
        nvdisasm::list_code(&code, &mut ours);
        let mut theirs = listing.lines().filter(|line| !line.trim().is_empty());
        for line in ours.text().lines() {
            let their = theirs.next().unwrap_or_default();
            assert_eq!(squeezed(line), squeezed(their), "{}", program.name);
            // All but what stands behind the instruction is in its column.
            let front = |line: &str| line.split("/* 0x").next().unwrap().trim_end().to_owned();
            assert_eq!(front(line), front(their), "{}", program.name);
            lines += 1;
        }
        assert_eq!(theirs.next(), None, "{}", program.name);
    }
    println!("{lines} lines are the same");
    assert!(lines == 0 || lines > 4000, "{lines}");
}

#[test]
fn addresses_have_as_many_digits_as_they_need() {
    // Control words of 0 and NOP, somewhat more than 64 KiB.
    let words: Vec<u32> =
        (0..0x2008).flat_map(|at| if at % 4 == 0 { [0, 0] } else { [0x0007_0f00, 0x50b0_0000] }).collect();
    let mut text = PlainText::default();
    nvdisasm::list_code(&Code { words: words.into(), ..Code::default() }, &mut text);
    for place in ["        /*0008*/    ", "        /*fff8*/    ", "        /*10008*/    "] {
        assert_eq!(text.text().lines().filter(|line| line.starts_with(place)).count(), 1, "{place}");
    }
}

#[test]
fn instructions_of_linked_programs_are_the_same() {
    let mut count = 0;
    for program in programs() {
        let Some(listing) = program.listing.filter(|listing| listing.contains(".section")) else { continue };
        for Placed { address, word, slot } in layout::instructions(&program.words) {
            let mut ours = PlainText::default();
            let fits = nvdisasm::instruction(word, address, Some(slot), &mut ours);
            assert!(fits, "{} {address:x} {word:016x} {slot:x?}", program.name);
            let place = format!("/*{address:04x}*/");
            let line = listing.lines().find(|line| line.trim_start().starts_with(&place)).unwrap();
            let theirs = line.trim_start().trim_start_matches(place.as_str());
            let theirs = theirs.trim_start().trim_start_matches('{').trim_start();
            let end = [";", "         }", "(*"].iter().filter_map(|end| theirs.find(end)).min().unwrap();
            let theirs = theirs[..end].trim_end();
            // Places have names there.
            let stem = |text: &str| text.split(" 0x").next().unwrap().to_owned();
            match theirs.split_once("`(") {
                Some((front, _)) => {
                    assert_eq!(stem(ours.text()), front.trim_end(), "{} {address:x}", program.name)
                }
                None => assert_eq!(ours.text().trim_end(), theirs, "{} {address:x}", program.name),
            }
            count += 1;
        }
    }
    println!("{count} instructions are the same");
    assert!(count == 0 || count > 1500, "{count}");
}
