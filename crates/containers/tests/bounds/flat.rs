//! DKSH files, pairs of stages and code sections that mean harm: each is refused clearly or understood soundly,
//! quickly, and without taking more memory than its size allows.
#![allow(clippy::indexing_slicing)]

use crate::{cost, hostile};
use unshade_containers::Format;

const KIB: usize = 1 << 10;
/// The longest of them: four times that tells no more about what grows with the size.
const LONG: usize = 1 << 18;

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A DKSH with this header behind its magic, and records of programs.
fn dksh(header: [u32; 5], programs: impl Iterator<Item = [u32; 16]>, len: usize, fill: u8) -> Vec<u8> {
    let mut file = b"DKSH".to_vec();
    file.extend(bytes(&header));
    for program in programs {
        file.extend(bytes(&program));
    }
    file.resize(len.max(file.len()), fill);
    file
}

/// A record: stage, entry, constants.
fn program(kind: u32, entry: u32, constants: [u32; 2]) -> [u32; 16] {
    let mut record = [0; 16];
    record[..5].copy_from_slice(&[kind, entry, 8, constants[0], constants[1]]);
    record
}

/// Counts and sizes that the file has not, programs that share all of it, and places that lead nowhere.
fn hostile_dksh() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for len in [KIB, 64 * KIB, LONG] {
        let mut add = |name: String, bytes: Vec<u8>| files.push((format!("{name} in {len:#x}"), bytes));
        let (half, all) = ((len / 2) as u32, len as u32);
        for count in [0, 1, half / 0x40, u32::MAX / 0x40, u32::MAX] {
            add(
                format!("{count} programs of nothing"),
                dksh([24, half, half, 24, count], [].into_iter(), len, 0),
            );
        }
        for (name, header) in [
            ("a control section of everything", [24, all, 0, 24, 1]),
            ("a code section of everything", [24, 24, all, 24, 0]),
            ("code behind the end", [24, half, all, 24, 1]),
            ("sections that wrap around", [24, u32::MAX, 2, 24, 1]),
            ("programs in front of the header's end", [24, half, half, 0, 1]),
            ("programs in the code", [24, 0x40, all - 0x40, half, 1]),
            ("programs behind the end", [24, half, half, all, 1]),
            ("a header of everything", [u32::MAX, half, half, 24, 1]),
        ] {
            add(name.into(), dksh(header, [].into_iter(), len, 0xFF));
        }
        let count = (half - 0x100) / 0x40;
        let control = (24 + 0x40 * count).next_multiple_of(0x100);
        let code = (all - control) & !0xFF;
        let header = [24, control, code, 24, count];
        let mut many = |name: &str, record: &dyn Fn(u32) -> [u32; 16]| {
            add(format!("{count} programs {name}"), dksh(header, (0..count).map(record), len, 0x5A));
        };
        for kind in [0, 1, 5] {
            many(&format!("of kind {kind} that are all of the code"), &|_| program(kind, 0, [0; 2]));
            many(&format!("of kind {kind} with all of the code for constants"), &|n| {
                program(kind, 8 * n, [0, code])
            });
            many(&format!("of kind {kind}, each the rest of the code"), &|n| {
                program(kind, n * 8 % code, [0; 2])
            });
        }
        many("without a stage", &|n| program(6 + n, 0x30, [0; 2]));
        many("behind the end", &|n| program(0, code + n, [code, u32::MAX]));
        many("whose places wrap around", &|n| program(1, u32::MAX - n, [u32::MAX, u32::MAX]));
        many("with constants in their instructions", &|n| program(0, 0x30, [0x31 + n, 1]));
    }
    files
}

/// A control section whose parts are here and there, `len` long as it says.
fn control(len: u32, code: u32) -> Vec<u8> {
    let mut section = vec![0; 0x748.max(len as usize)];
    section[..4].copy_from_slice(&0x9876_1234_u32.to_le_bytes());
    for at in [0x14, 0x20, 0x6F0, 0x7C8, 0x7E8] {
        if at + 4 <= section.len() {
            section[at..at + 4].copy_from_slice(&len.to_le_bytes());
        }
    }
    for at in [0x700, 0x704, 0x708, 0x70C, 0x710, 0x714] {
        section[at..at + 4].copy_from_slice(&code.to_le_bytes());
    }
    section
}

/// Four offsets to sections that share bytes, have none, or claim more than there is.
fn hostile_pairs() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for len in [8 * KIB, 64 * KIB, LONG] {
        for (what, control_len) in [("short", 0x748), ("long", len as u32 / 4), ("endless", u32::MAX - 3)] {
            for code_len in [0, 0x30, len as u32 / 4, u32::MAX] {
                let section = control(control_len.min(len as u32 / 4), code_len);
                let mut section = section;
                for at in [0x14, 0x20, 0x6F0] {
                    section[at..at + 4].copy_from_slice(&control_len.to_le_bytes());
                }
                let (a, b) = (16, 16 + section.len());
                let c = b + section.len();
                for (shape, offsets) in [
                    ("apart", [a, b, c, c + 0x40]),
                    ("shared", [a, a, c, c]),
                    ("crossed", [b, a, c + 0x40, c]),
                ] {
                    let mut file = bytes(&offsets.map(|offset| offset as u32));
                    file.extend(&section);
                    file.extend(&section);
                    for _ in 0..2 {
                        file.extend(0x1234_5678_u32.to_le_bytes());
                        file.resize(file.len() + 0x3C, 0);
                    }
                    file.resize(len.max(file.len()), 0xA5);
                    let name = format!("{shape} {what} control sections, code of {code_len:#x}, in {len:#x}");
                    files.push((name, file));
                }
            }
        }
    }
    files
}

/// Code sections: of one byte again and again, of headers alone, with ends everywhere.
fn hostile_sections() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for len in [0x80, 0x1000, 64 * KIB, LONG] {
        for kind in 0..8_u32 {
            for (name, word) in [
                ("nothing", [0; 8]),
                ("ends", 0xE240_0FFF_FF87_000F_u64.to_le_bytes()),
                ("ones", [0xFF; 8]),
                ("headers", [0x61, 0x04, 0, 0, 0x61, 0x04, 0, 0]),
            ] {
                let mut file = 0x1234_5678_u32.to_le_bytes().to_vec();
                file.resize(0x30, 0);
                file.extend((0x0002_0061 | kind << 10).to_le_bytes());
                file.resize(0x80, 0);
                while file.len() < len {
                    file.extend(word);
                }
                files.push((format!("a section of {name}, kind {kind}, in {len:#x}"), file));
            }
        }
    }
    files
}

#[test]
fn hostile_files_cost_no_more_than_their_size() {
    let _alone = cost::alone();
    for (format, files) in [
        (Format::Dksh, hostile_dksh()),
        (Format::Nvn, hostile_pairs()),
        (Format::NvnCode, hostile_sections()),
    ] {
        hostile::cost_their_size(format, &files);
    }
}
