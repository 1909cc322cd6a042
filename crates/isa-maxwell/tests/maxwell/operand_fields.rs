//! The registers and constants that words name, against the text of NVIDIA's disassembler.

use crate::stages::folder;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use unshade_isa_maxwell::operand_fields::{constant, registers};
use unshade_isa_maxwell::{Form, Word};

/// The rows of a packed table, unpacked by the system's gzip; nothing where that is not there.
fn rows(name: &str) -> Option<String> {
    let path = folder()?.join(name);
    let Ok(output) = Command::new("gzip").arg("-dc").arg(path).output() else {
        println!("skipped: no gzip");
        return None;
    };
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Numbers behind a letter that stands alone, without those of names such as `CC.RGT` or `SR7`.
fn numbers(text: &str) -> BTreeSet<u8> {
    let mut found = BTreeSet::new();
    for part in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        if let Some(number) = part.strip_prefix('R').and_then(|number| number.parse().ok()) {
            found.insert(number);
        }
    }
    found
}

#[test]
fn registers_are_those_of_the_text() {
    let Some(rows) = rows("nvdisasm-words.tsv.gz") else { return };
    let mut wrong: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut compared = 0;
    for row in rows.lines() {
        let Some((word, text)) = row.split_once('\t') else { continue };
        let Ok(word) = u64::from_str_radix(word, 16) else { continue };
        let Some(form) = Form::of(word).filter(|_| !text.starts_with("INVALID")) else { continue };
        compared += 1;
        let mut ours: BTreeSet<u8> = registers(form, Word(word)).map(|place| place.first.0).collect();
        let theirs = numbers(text);
        // The text names the value that a comparison puts, which stands behind the one that it compares with.
        if text.contains(".CAS") {
            let last = registers(form, Word(word)).last();
            let place = last.map(|place| place.first.0 + (place.count / 2).max(1));
            ours.extend(place.filter(|place| theirs.contains(place)));
        }
        // Nothing is moved where no component is.
        if text.ends_with(", 0x0") || text.contains("???0") {
            ours.extend(theirs.get(&(word as u8)));
        }
        if ours != theirs {
            wrong.entry(form.name()).or_default().push(format!("{word:016x} {text}: {ours:?}"));
        }
    }
    println!("{compared} words");
    for (name, rows) in &wrong {
        println!("{name}: {} {:#?}", rows.len(), &rows[..rows.len().min(3)]);
    }
    assert!(wrong.is_empty());
}

#[test]
fn constants_are_those_of_the_text() {
    let Some(rows) = rows("nvdisasm-words.tsv.gz") else { return };
    let mut compared = 0;
    for row in rows.lines() {
        let Some((word, text)) = row.split_once('\t') else { continue };
        let Ok(word) = u64::from_str_radix(word, 16) else { continue };
        let Some(form) = Form::of(word).filter(|_| !text.starts_with("INVALID")) else { continue };
        let Some(found) = constant(form, Word(word)) else {
            let branch = (word >> 56) == 0xe2 || (word >> 56) == 0xe3;
            assert!(branch || !text.contains("c["), "{word:016x} {text}");
            continue;
        };
        compared += 1;
        let place = text.split("c[").nth(1).unwrap();
        assert!(place.starts_with(&format!("{:#x}]", found.bank)), "{word:016x} {text}: {found:?}");
        let place = place.split(']').nth(1).unwrap().trim().trim_start_matches('[');
        let offset = found.offset as i16;
        let sign = if offset < 0 { "-" } else { "" };
        let expected = format!("{sign}{:#x}", offset.unsigned_abs());
        let offset_named = place.ends_with(&expected) || (offset == 0 && found.indexed);
        assert!(offset_named, "{word:016x} {text}: {found:?}");
    }
    println!("{compared} constants");
}
