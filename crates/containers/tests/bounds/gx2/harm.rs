//! Files that ask for more than they hold, and large ones that are what they say.

use super::made::*;
use super::{BIG, MIB, sound};
use crate::common;
use crate::cost;
use crate::cost::{Worst, cost};
use std::time::Duration;
use unshade_bytes::Endian;
use unshade_containers::gx2::{Form, Member, ShaderKind, TableKind, layout::Programs};
use unshade_containers::{Container, sharcfb::Archive, wrap::scan};

/// Files of up to 1 MiB that ask for more than they hold.
fn hostile() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for len in [0x400, 0x8000, MIB] {
        let mut add = |name: &str, bytes: Vec<u8>| files.push((format!("{name}, {len:#x} bytes"), bytes));
        let many = |part: Vec<u8>| part.repeat(len / part.len());
        // Very many of the smallest parts.
        add("empty blocks", gfd(&many(block(5, &[]))));
        add("empty headers", gfd(&many(block(3, &[]))));
        add("blocks of an unknown type", gfd(&many(block(u32::MAX, &[]))));
        add("padding that aligns and aligns", gfd(&many([block(2, &[0; 0xA0]), block(5, &[])].concat())));
        add("end blocks", gfd(&many(block(1, &[]))));
        add(
            "blocks of 2^32 bytes",
            gfd(&many([&b"BLK{"[..], &words(&[0x20, 1, 0, 5, u32::MAX, 0, 0])].concat())),
        );
        add(
            "headers of 2^32 bytes",
            gfd(&many([&b"BLK{"[..], &words(&[u32::MAX, 1, 0, 5, 0, 0, 0])].concat())),
        );
        add("small structures", gfd(&many(block(14, &[0xFF; 0x84]))));
        // Tables that claim everything, all at the same place, whose names are one long text.
        for kind in ShaderKind::ALL {
            let size = kind.size();
            let rest = len.saturating_sub(size).max(0x100);
            for (what, tagged) in [("gsh", true), ("archive", false)] {
                let form = if tagged { Form::GFD } else { BIG };
                if kind == ShaderKind::Compute && !tagged {
                    continue;
                }
                let all = |name_at: u32, fill: u8| {
                    let mut data = vec![0; size];
                    data.resize(size + rest, fill);
                    let table_end = size + rest / 2;
                    for table in kind.tables() {
                        let count = (table_end - size) / table.entry_size();
                        set(kind, &mut data, form, Member::Count(table), count as u32);
                        set(kind, &mut data, form, Member::Pointer(table), form.data_pointer(size as u32));
                    }
                    let pointer = form.text_pointer(name_at);
                    for place in data[size..table_end].chunks_exact_mut(4) {
                        place.copy_from_slice(&pointer.to_be_bytes());
                    }
                    data[size + rest - 1] = 0;
                    data
                };
                let middle = (size + rest / 2) as u32;
                let wrap = |data: Vec<u8>| match what {
                    "gsh" => gfd(&block(
                        match kind {
                            ShaderKind::Vertex => 3,
                            ShaderKind::Pixel => 6,
                            ShaderKind::Geometry => 8,
                            ShaderKind::Compute => 14,
                        },
                        &data,
                    )),
                    _ => archive(
                        &array(&[record(&[words(&[kind as u32, 0, data.len() as u32]), data].concat())]),
                        &none(),
                    ),
                };
                let name = kind.name();
                add(&format!("{name} {what}: tables on one place, one long name"), wrap(all(middle, b'n')));
                add(
                    &format!("{name} {what}: names without an end"),
                    wrap({
                        let mut data = all(middle, b'n');
                        *data.last_mut().unwrap() = b'n';
                        data
                    }),
                );
                add(
                    &format!("{name} {what}: counts of 2^32"),
                    wrap({
                        let mut data = all(0, 0);
                        for table in kind.tables() {
                            set(kind, &mut data, form, Member::Count(table), u32::MAX);
                        }
                        data
                    }),
                );
                add(&format!("{name} {what}: all bits set"), wrap(vec![0xFF; len.max(size)]));
            }
        }
        // Names that end at the same place, each a byte longer.
        add("names in names", {
            let size = ShaderKind::Vertex.size();
            let count = (len / 32).max(1);
            let mut data = vec![0; size];
            let names = size + count * 12;
            set(ShaderKind::Vertex, &mut data, BIG, Member::Count(TableKind::Samplers), count as u32);
            set(ShaderKind::Vertex, &mut data, BIG, Member::Pointer(TableKind::Samplers), size as u32);
            for index in 0..count {
                data.extend(words(&[(names + index) as u32, 1, 0]));
            }
            data.extend(vec![b'n'; count]);
            data.push(0);
            archive(&array(&[record(&[words(&[0, 0, data.len() as u32]), data].concat())]), &none())
        });
        let empty_program = || program(b"", 7, 0, [none(), none(), none(), none(), none(), none()]);
        add("empty binaries", archive(&counted(u32::MAX, &many(record(&words(&[0, 0, 0])))), &none()));
        add("empty programs", archive(&none(), &counted(u32::MAX, &many(empty_program()))));
        add("damaged programs", archive(&none(), &counted(9, &many(record(&words(&[u32::MAX, 0, 0]))))));
        add("records of no size", archive(&counted(9, &many(words(&[0]))), &none()));
        add("records of 2^32 bytes", archive(&counted(9, &many(words(&[u32::MAX]))), &none()));
        let of = |place: usize, bytes: Vec<u8>| {
            let mut arrays = [none(), none(), none(), none(), none(), none()];
            arrays[place] = counted(u32::MAX, &bytes);
            archive(&none(), &array(&[program(b"p\0", 3, 0, arrays)]))
        };
        add("empty macros", of(0, many(record(&words(&[0, 0, 0])))));
        add("macros of 2^32 values", of(0, many(record(&words(&[0, u32::MAX, 0])))));
        add("a macro of empty values", of(0, macro_of(b"A\0", u32::MAX, &vec![0; len])));
        add("macros that multiply", of(0, many(macro_of(b"A\0", 2, b"0\x001\0"))));
        add("empty symbols", of(4, many(record(&words(&[0, 0, 0, 0, 0])))));
        add("a symbol of flags", of(4, symbol(0, &[], &vec![1; len])));
        add("a symbol of a default", of(2, symbol(0, &vec![1; len], &[])));
        // Every program claims every binary.
        let half = len / 2;
        let structure = record(&[words(&[0, 0, 0x134]), vec![0; 0x134]].concat());
        let binaries = structure.repeat((half / structure.len()).max(1));
        let claims = macro_of(b"A\0", 1 << 20, &b"x\0".repeat(20));
        let claiming = program(b"p\0", 3, 0, [array(&[claims]), none(), none(), none(), none(), none()]);
        add(
            "programs that claim every binary",
            archive(&counted(0, &binaries), &counted(0, &claiming.repeat((half / claiming.len()).max(1)))),
        );
        let plain = program(b"p\0", 3, 0, [none(), none(), none(), none(), none(), none()]);
        add(
            "programs that share two binaries",
            archive(&counted(0, &binaries), &counted(0, &plain.repeat((half / plain.len()).max(1)))),
        );
        add("an archive in an archive", {
            let inner = archive(&none(), &none());
            archive(&counted(0, &many(inner)), &none())
        });
    }
    files
}

#[test]
fn reading_takes_memory_in_proportion() {
    let _alone = cost::alone();
    let mut files = common::gfd();
    files.extend(common::sharcfb());
    files.extend(hostile());
    let mut worst = Worst::default();
    for (name, bytes) in &files {
        drop(worst.read(name, bytes));
        let (opened, taken) = cost(|| Archive::open(bytes).is_ok());
        assert!(!opened || taken.heap == 0, "{name}: opening took {} bytes", taken.heap);
    }
    println!("{}", worst.report());
}

#[test]
fn hostile_files_are_sound_and_quick() {
    let _alone = cost::alone();
    let files = hostile();
    assert!(files.len() >= 100);
    let mut worst = Worst::default();
    for (name, bytes) in &files {
        worst.quick(name, || {
            let written = Container::read(bytes).map(|container| container.write().unwrap().len());
            assert!(written.is_ok_and(|len| len == bytes.len()), "{name}");
            let scanned = scan::scan(bytes).count();
            assert!(scanned <= 1, "{name}");
        });
        assert!(worst.ask(name, bytes.len(), || sound(bytes)), "{name}");
    }
    println!("{} files; {}", files.len(), worst.report());
}

#[test]
fn false_magics_do_not_add_up() {
    let _alone = cost::alone();
    let head = |rest: usize| {
        [words(&[0x5348_4142, 8, rest as u32, 0, 0, 0]), words(&[rest as u32 - 0x18, 0])].concat()
    };
    let mut blob = Vec::new();
    while blob.len() + 0x40 < MIB {
        blob.extend(head(MIB - blob.len()));
    }
    blob.extend(b"Gfx2".repeat(MIB / 8));
    let (found, cost) = cost(|| scan::scan(&blob).count());
    assert_eq!(found, 0);
    assert!(cost.time < cost::TIME_TO_READ, "{cost:?}");
    assert!(scan::Blob::read(&blob).write().unwrap() == blob);
}

/// A big archive: 15,000 variations of two binaries each, 100 MB in all.
fn big() -> Vec<u8> {
    let mut binaries = Vec::new();
    let sizes = [10_u32, 10, 10, 15];
    let variations: u32 = sizes.iter().product();
    // The first record starts where the code of all of them is aligned; each is a multiple of 0x100 long.
    let name_len = 0x100 - (0x18 + 8);
    let start = 0x100 + 16;
    let records = [ShaderKind::Vertex, ShaderKind::Pixel].map(|kind| {
        let programs = Programs { code: &[0; 0xA00], copy: &[], fill: 0 };
        let data = contents(kind).to_binary(Form::sharcfb(Endian::Big), programs, start, 0x100).unwrap();
        let tail = vec![0; (data.len() + 16).next_multiple_of(0x100) - data.len() - 16 + 0x200];
        record(&[words(&[kind as u32, 0, data.len() as u32]), data, tail].concat())
    });
    for _ in 0..variations {
        binaries.extend(records.concat());
    }
    let macros: Vec<Vec<u8>> = sizes
        .iter()
        .enumerate()
        .map(|(index, &count)| {
            let values: String = (0..count).map(|value| format!("v{value}\0")).collect();
            macro_of(format!("M{index}\0").as_bytes(), count, values.as_bytes())
        })
        .collect();
    let flags = symbol(u32::MAX, &[], &vec![1; variations as usize]);
    let arrays = [array(&macros), none(), none(), none(), array(&[flags]), none()];
    let binaries = counted(2 * variations, &binaries);
    let programs = array(&[program(b"p\0", 3, 0, arrays)]);
    let size = (0x18 + name_len + binaries.len() + programs.len()) as u32;
    let mut name = vec![b'a'; name_len];
    name[name_len - 1] = 0;
    [words(&[0x5348_4142, 8, size, 0, 0, name_len as u32]), name, binaries, programs].concat()
}

#[test]
fn a_big_archive_costs_what_is_looked_at() {
    let _alone = cost::alone();
    let bytes = big();
    assert!(bytes.len() >= 100_000_000, "{}", bytes.len());
    let ((archive, program, list), opened) = cost(|| {
        let archive = Archive::open(&bytes).unwrap();
        let program = archive.program_named("p").unwrap();
        let list = program.macro_list().unwrap();
        assert_eq!(list.variations(), Some(15_000));
        (archive, program, list)
    });
    assert!(opened.heap <= 64 << 10, "{opened:?} to open and to know the macros");
    let (_, picked) = cost(|| {
        let given = [("M0", "v3"), ("M1", "v1"), ("M2", "v4"), ("M3", "v14")];
        let variation = list.variation_of(&given).unwrap();
        assert_eq!(variation, 3 * 1500 + 150 + 4 * 15 + 14);
        let number = program.binary_number(variation, ShaderKind::Pixel).unwrap();
        let binary = archive.binary(number).unwrap();
        assert_eq!(binary.shader().unwrap().latte().samplers[0].name, "samplers");
    });
    assert!(picked.heap <= 1 << 20, "{picked:?} to pick");
    let (_, listed) = cost(|| {
        for number in 0..archive.binary_count() {
            assert_eq!(archive.binary(number).unwrap().view.kind, number % 2);
        }
        for variation in 0..15_000 {
            assert_eq!(list.values_of(variation).unwrap().len(), 4);
        }
    });
    assert!(listed.time < Duration::from_secs(2), "{listed:?}");
    let (container, read) = cost(|| Container::read(&bytes).unwrap());
    assert!(read.heap < 2 * bytes.len(), "{read:?}");
    let (written, wrote) = cost(|| container.write().unwrap());
    assert!(written == bytes);
    println!("{} bytes: opened {opened:?}, picked {picked:?}, listed {listed:?}", bytes.len());
    println!("the model: read {read:?}, written {wrote:?}");
}
