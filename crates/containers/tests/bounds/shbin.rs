//! Bytes that mean harm, or met with some: each is refused clearly or understood soundly, quickly, and
//! without taking more memory than its size allows.

use crate::common;
use crate::cost;
use crate::cost::{Worst, cost};
use std::hint::black_box;
use unshade_containers::{Container, wrap::scan};

/// Small files, one for each form of the format.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut seeds = common::samples();
    seeds.retain(|(path, _)| !path.ends_with(".bcsdr"));
    assert!(seeds.len() >= 5);
    seeds
}

#[test]
fn files_cut_at_every_length() {
    let _alone = cost::alone();
    for (path, bytes) in seeds() {
        let read = (0..=bytes.len()).filter(|&len| common::sound(&bytes[..len])).count();
        println!("{path}: {read} of {} prefixes can be read", bytes.len() + 1);
        assert!(read >= 1);
    }
}

#[test]
fn every_single_bit_flipped() {
    let _alone = cost::alone();
    for (path, bytes) in seeds() {
        let mut damaged = bytes.clone();
        let mut read = 0;
        for bit in 0..bytes.len() * 8 {
            damaged[bit / 8] ^= 1 << (bit % 8);
            read += usize::from(common::sound(&damaged));
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
        println!("{path}: {read} of {} flips can be read", bytes.len() * 8);
        assert!(read > bytes.len());
    }
}

/// Words of a file under construction.
#[derive(Clone, Default)]
struct File(Vec<u8>);

impl File {
    fn words(&mut self, words: &[u32]) -> &mut Self {
        self.0.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        self
    }

    /// A DVLB with these DVLE offsets and an empty program of which every field may be given.
    fn linked(offsets: &[u32], program: [u32; 8]) -> Self {
        let mut file = Self::default();
        file.words(&[word(b"DVLB"), offsets.len() as u32]).words(offsets);
        file.words(&[word(b"DVLP"), 0]).words(&program);
        file
    }

    /// A DVLE header whose ten table words are given.
    fn executable(&mut self, tables: [u32; 10]) -> &mut Self {
        self.words(&[word(b"DVLE"), 0x1002, 0, 0, 0, 0]).words(&tables)
    }

    fn filled(mut self, len: usize, byte: u8) -> Vec<u8> {
        self.0.resize(len, byte);
        self.0
    }
}

fn word(magic: &[u8; 4]) -> u32 {
    u32::from_le_bytes(*magic)
}

const EMPTY: [u32; 8] = [0x28, 0, 0x28, 0, 0x28, 0, 0, 0];
const MIB: usize = 1 << 20;

/// Files of up to 1 MiB that ask for more than they hold: huge counts, many pointers to one place, many
/// tiny parts, overlaps of every kind.
fn hostile() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut add = |name: String, bytes: Vec<u8>| files.push((name, bytes));
    for len in [0x200, 0x4000, MIB] {
        let all = (len as u32 - 0x100) / 4;
        for count in [0x100, all / 32, all / 2, u32::MAX / 4, u32::MAX] {
            add(format!("{count} executables in {len} bytes"), File::linked(&[], EMPTY).filled(len, 0));
            let mut file = File::default();
            file.words(&[word(b"DVLB"), count]);
            add(format!("{count} executables at 0 in {len} bytes"), file.filled(len, 0));
        }
        for count in [1, len / 300, len / 70, len / 40, len / 8] {
            // All executables are one header, whose tables span the rest of the file.
            let header = 8 + 4 * count as u32 + 0x28;
            let rest = (len as u32).saturating_sub(header + 0x40);
            for (name, tables) in [
                ("empty", [0; 10]),
                ("one string table", [0, 0, 0, 0, 0, 0, 0, 0, 0x40, rest]),
                ("one constant table", [0x40, rest / 20, 0, 0, 0, 0, 0, 0, 0, 0]),
                ("one uniform table", [0, 0, 0, 0, 0, 0, 0x40, rest / 8, 0x40, rest]),
                (
                    "five equal tables",
                    [0x40, rest / 100, 0x40, rest / 100, 0x40, rest / 100, 0x40, rest / 100, 0x40, rest / 5],
                ),
            ] {
                let mut file = File::linked(&vec![header; count], EMPTY);
                file.executable(tables);
                add(format!("{count} times {name} in {len} bytes"), file.filled(len, b'a'));
            }
        }
        // As many executables of their own as fit, one behind the other, with and without tables.
        let count = (len - 0x40) / 0x60;
        let first = 8 + 4 * count as u32 + 0x28;
        for (name, tables) in [
            ("without tables", [0x40, 0, 0x40, 0, 0x40, 0, 0x40, 0, 0x40, 0]),
            ("with loose tables", [1, 0, 2, 0, 3, 0, 4, 0, 5, 0]),
            ("with one entry each", [0, 0, 0, 0, 0x40, 1, 0x48, 1, 0x50, 4]),
            ("with overlaps", [0, 1, 4, 1, 8, 1, 12, 1, 0, 16]),
        ] {
            let offsets: Vec<u32> = (0..count as u32).map(|index| first + 0x58 * index).collect();
            let mut file = File::linked(&offsets, EMPTY);
            for _ in 0..count {
                file.executable(tables).words(&[0x41; 6]);
            }
            add(format!("{count} executables {name}"), file.filled(len, 0));
        }
        // Lines that all name one long string.
        let lines = (len as u32 - 0x40) / 16;
        let names = 0x28 + lines * 8;
        let program = [0x28, 2, 0x28, 1, 0x28, lines, names, (len as u32).saturating_sub(names + 0x100)];
        add(format!("{lines} lines with one long name"), File::linked(&[], program).filled(len, b'x'));
        // An object whose nine tables are all the whole file.
        for part in [1, 2, 9, 20] {
            let mut file = File::default();
            file.words(&[word(b"DVOJ"), 0, 0, u32::MAX]);
            for size in [20, 16, 4, 8, 8, 12, 8, 8, 1] {
                file.words(&[0x58, (len as u32 - 0x58) / size / part]);
            }
            add(format!("object with tables of 1/{part} of {len} bytes"), file.filled(len, 0));
        }
    }
    files
}

#[test]
fn reading_takes_memory_in_proportion() {
    let _alone = cost::alone();
    let mut files = common::containers();
    let hostile = hostile();
    assert!(hostile.len() >= 50);
    files.extend(hostile);
    let mut worst = Worst::default();
    for (name, bytes) in &files {
        drop(worst.read(name, bytes));
    }
    println!("{}", worst.report());
}

#[test]
fn hostile_files_are_sound_and_quick() {
    let _alone = cost::alone();
    let mut worst = Worst::default();
    let mut read = 0;
    let files = hostile();
    for (name, bytes) in &files {
        let ok = worst.quick(name, || {
            let written =
                Container::read(bytes).map(|container| black_box(container.write().map(|bytes| bytes.len())));
            black_box(scan::scan(bytes).count());
            written.is_ok()
        });
        read += usize::from(ok);
        worst.ask(name, bytes.len(), || common::sound(bytes));
    }
    println!("{read} of {} files can be read; {}", files.len(), worst.report());
}

#[test]
fn false_magics_do_not_add_up() {
    let _alone = cost::alone();
    // Headers every 0x34 bytes, each with a code table that spans the rest of the blob.
    let mut blob = File::default();
    while blob.0.len() < MIB {
        let rest = ((MIB - blob.0.len()) as u32 / 4).saturating_sub(64);
        blob.words(&[word(b"DVLB"), 1, 0x10_0000, word(b"DVLP"), 0, 0x28, rest, 0x28, 0, 0, 0, 0, 0]);
    }
    let (found, cost) = cost(|| scan::scan(&blob.0).count());
    assert_eq!(found, 0);
    assert!(cost.time < cost::TIME_TO_READ, "{cost:?}");
    let wrapped = scan::Blob::read(&blob.0);
    assert_eq!(wrapped.write().unwrap(), blob.0);
}
