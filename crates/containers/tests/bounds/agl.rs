//! Archives of sources and of the Switch that mean harm: each is refused clearly or understood soundly, quickly, and without
//! taking more memory than its size allows.
#![allow(clippy::indexing_slicing)]

use crate::{cost, hostile};
use unshade_containers::Format;

const KIB: usize = 1 << 10;
/// The longest of them: four times that tells no more about what grows with the size.
const LONG: usize = 1 << 18;

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// As many records as fit in so many bytes, as an array that says so.
fn many(record: &[u8], len: usize) -> Vec<u8> {
    let count = len.saturating_sub(8) / record.len().max(1);
    [words(&[(count * record.len() + 8) as u32, count as u32]), record.repeat(count)].concat()
}

/// An array without records.
fn none() -> Vec<u8> {
    words(&[8, 0])
}

fn record(body: &[u8]) -> Vec<u8> {
    [words(&[body.len() as u32 + 4]), body.to_vec()].concat()
}

fn sources_of(version: u32, programs: Vec<u8>, sources: Vec<u8>, rest: Vec<u8>) -> Vec<u8> {
    let body = [b"a\0".to_vec(), programs, sources, rest].concat();
    [words(&[0x5348_4141, version, body.len() as u32 + 0x14, 1, 2]), body].concat()
}

/// A program whose array number `which` is `array` and whose others are empty.
fn program(version: u32, which: usize, array: &[u8]) -> Vec<u8> {
    let stages = if version >= 13 { 4 } else { 3 };
    let arrays = stages + 1 + usize::from(version >= 11) + if version >= 13 { 1 } else { 4 };
    let mut body = [words(&[2]), words(&vec![0; stages]), b"p\0".to_vec()].concat();
    for index in 0..arrays {
        body.extend(if index == which { array.to_vec() } else { none() });
    }
    let records = record(&body);
    [words(&[records.len() as u32 + 8, 1]), records].concat()
}

/// Arrays of the smallest records that there are, sizes and counts that the file has not.
fn hostile_sources() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let records: [(&str, Vec<u8>); 8] = [
        ("nothing", record(&[])),
        ("two words", record(&words(&[0]))),
        ("three words", record(&words(&[0, 0]))),
        ("four words", record(&words(&[0, 0, 0]))),
        ("six words", record(&words(&[0, 0, 0, 0, 0]))),
        ("lengths that lie", record(&words(&[u32::MAX, u32::MAX, u32::MAX, u32::MAX]))),
        ("sizes of zero", words(&[0])),
        ("sizes of everything", words(&[u32::MAX])),
    ];
    for version in [10, 11, 13] {
        for len in [KIB, 64 * KIB, LONG] {
            let mut add =
                |name: String, bytes: Vec<u8>| files.push((format!("{name}, {version} in {len:#x}"), bytes));
            for (name, record) in &records {
                let array = many(record, len);
                add(format!("programs of {name}"), sources_of(version, array.clone(), none(), none()));
                add(format!("sources of {name}"), sources_of(version, none(), array.clone(), none()));
                add(format!("information of {name}"), sources_of(version, none(), none(), array.clone()));
                for which in 0..9 {
                    let programs = program(version, which, &array);
                    add(format!("array {which} of {name}"), sources_of(version, programs, none(), none()));
                }
            }
            for count in [0, 1, u32::MAX] {
                for size in [0, 7, 8, len as u32, u32::MAX] {
                    let array = [words(&[size, count]), vec![0x11; len]].concat();
                    add(format!("{count} in an array of {size}"), sources_of(version, array, none(), none()));
                }
            }
            // Blocks in blocks: each is an array of one that is all of the rest.
            let mut nested = none();
            while nested.len() < len.min(64 * KIB) {
                let body = [words(&[0, 1]), vec![0], nested].concat();
                let one = record(&body);
                nested = [words(&[one.len() as u32 + 8, 1]), one].concat();
            }
            let last = if version >= 13 { 6 } else { 4 };
            add(
                "blocks in blocks".into(),
                sources_of(version, program(version, last, &nested), none(), none()),
            );
            // Programs that all have all sources.
            let many_sources = many(&record(&words(&[0, 0, 0])), len / 2);
            let small = program(version, 99, &[]);
            let programs = many(&small[8..], len / 2);
            add("programs and sources".into(), sources_of(version, programs, many_sources, none()));
        }
    }
    files
}

/// An archive of the Switch of these binaries and programs, with so many bytes of names and of pool.
fn switch(flags: u32, names: &[u8], binaries: Vec<u8>, programs: Vec<u8>, pool: &[u8]) -> Vec<u8> {
    let mut names = names.to_vec();
    names.resize(names.len().max(1).next_multiple_of(0x800), 0);
    let mut rest = [names.clone(), binaries, programs].concat();
    let at = (0x150 + rest.len()).next_multiple_of(0x1000);
    rest.resize(at - 0x150, 0);
    let head = [
        0x5348_4142,
        9,
        (at + pool.len()) as u32,
        flags,
        0,
        names.len() as u32,
        pool.len() as u32,
        at as u32,
    ];
    let mut file = words(&head);
    file.resize(0x150, 0);
    [file, rest, pool.to_vec()].concat()
}

/// A binary whose info block leads to code at a place, and whose tables have so many entries at one offset.
fn binary(code: u64, control: &[u8], count: u32, offset: u64, rest: &[u8]) -> Vec<u8> {
    let mut info =
        [code.to_le_bytes().to_vec(), words(&[control.len() as u32]), 0x60_u64.to_le_bytes().to_vec()]
            .concat();
    for _ in 0..6 {
        info.extend(words(&[count]));
        info.extend(offset.to_le_bytes());
    }
    info.resize(0x60, 0);
    let data = [info, control.to_vec(), rest.to_vec()].concat();
    record(&[words(&[1, 0, data.len() as u32]), data].concat())
}

/// A control section for as much code as there is.
fn control(code: u32) -> Vec<u8> {
    let mut control = vec![0; 0x748];
    control[..4].copy_from_slice(&0x9876_1234_u32.to_le_bytes());
    for (at, word) in [(0x6F8, code), (0x704, code), (0x708, 0), (0x714, 1)] {
        control[at..at + 4].copy_from_slice(&u32::to_le_bytes(word));
    }
    control
}

fn hostile_switches() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for len in [4 * KIB, 64 * KIB, LONG] {
        let mut add = |name: String, bytes: Vec<u8>| files.push((format!("{name} in {len:#x}"), bytes));
        for flags in [1, 5, 13] {
            for (name, one) in [
                ("nothing", record(&[])),
                ("no data", record(&words(&[0, 0, 0]))),
                ("a cut info block", record(&words(&[1, 0, 0x10, 1, 2, 3, 4]))),
                ("sizes of everything", words(&[u32::MAX])),
            ] {
                let all = many(&one, len);
                add(format!("binaries of {name}, {flags}"), switch(flags, b"a\0", all.clone(), none(), &[]));
                add(format!("programs of {name}, {flags}"), switch(flags, b"a\0", none(), all, &[]));
            }
            // Tables that all are all of the data, whose names lead anywhere.
            let rest = vec![0xA5; len / 2];
            let count = (rest.len() / 16) as u32;
            let tables = binary(0, &control(0x100), count, 0x60, &rest);
            add(
                format!("tables across each other, {flags}"),
                switch(flags, b"a\0", many(&tables, tables.len() + 8), none(), &[0; 0x1000]),
            );
            let long = vec![b'x'; len / 2];
            let rows: Vec<u8> = (0..len as u64 / 32)
                .flat_map(|row| [row.to_le_bytes().to_vec(), words(&[1])].concat())
                .collect();
            let named = binary(0, &control(0x100), len as u32 / 32, 0x60 + 0x748, &rows);
            add(
                format!("names of the same bytes, {flags}"),
                switch(flags, &long, many(&named, named.len() + 8), none(), &[0; 0x1000]),
            );
            // Many binaries that have all of the pool.
            let pool = vec![0x5A; len / 2];
            let all = binary(0, &control(pool.len() as u32), 0, 0, &[]);
            add(
                format!("binaries of all code, {flags}"),
                switch(flags, b"a\0", many(&all, len / 2), none(), &pool),
            );
            let endless = binary(0, &control(u32::MAX), u32::MAX, u64::MAX, &[]);
            add(
                format!("binaries of endless code, {flags}"),
                switch(flags, b"a\0", many(&endless, len / 2), none(), &pool),
            );
            let wrapped = binary(u64::MAX, &control(u32::MAX), 1, u64::MAX - 8, &[]);
            add(
                format!("places that wrap around, {flags}"),
                switch(flags, b"a\0", many(&wrapped, len / 2), none(), &pool),
            );
            // Programs that all claim all binaries.
            let small = binary(0, &control(0x100), 0, 0, &[]);
            let program = [words(&[2, 3, 0]), b"p\0".to_vec(), none(), none(), none()].concat();
            let programs = many(&record(&program), len / 2);
            add(
                format!("programs of one name, {flags}"),
                switch(flags, b"a\0", many(&small, len / 2), programs, &[0; 0x1000]),
            );
        }
        for (at, word) in [(8, 0), (0x14, u32::MAX), (0x18, u32::MAX), (0x1C, 0), (0x1C, u32::MAX), (0x18, 0)]
        {
            let mut file = switch(5, b"a\0", none(), none(), &vec![1; len]);
            file[at..at + 4].copy_from_slice(&u32::to_le_bytes(word));
            add(format!("{word:#x} at {at:#x}"), file);
        }
    }
    files
}

#[test]
fn hostile_archives_cost_no_more_than_their_size() {
    let _alone = cost::alone();
    for (format, files) in [(Format::Sharc, hostile_sources()), (Format::SharcfbNx, hostile_switches())] {
        hostile::cost_their_size(format, &files);
    }
}
