//! SARC: what is read, found and said.

use super::{fields, lines};
use unshade_bytes::{Endian, ErrorKind};
use unshade_containers::{
    Name,
    wrap::sarc::{self, Entry, File, HASH_KEY, Sarc, alignment, pack},
};

/// An archive of these entries; its size is right.
fn archive(entries: &[Entry], names: &[u8], data: &[u8]) -> Sarc<'static> {
    let mut sarc = Sarc {
        endian: Endian::Little,
        size: 0,
        version: 0x100,
        reserved: 0,
        hash_key: HASH_KEY,
        names_reserved: 0,
        entries: entries.to_vec(),
        names: names.to_vec().into(),
        data: data.to_vec().into(),
    };
    sarc.size = sarc.write().unwrap().len() as u32;
    sarc
}

fn entry(hash: u32, attribute: u32, begin: u32, end: u32) -> Entry {
    Entry { hash, attribute, begin, end }
}

/// The entry of a name that stands at a place in the table of names.
fn named(name: &str, place: u32, begin: u32, end: u32) -> Entry {
    entry(sarc::hash(name.as_bytes(), HASH_KEY), (1 << 24) | (place / 4), begin, end)
}

fn file<'a>(name: &str, data: &'a [u8]) -> File<'a> {
    File { name: Ok(Name::from(name)), data, alignment: 0 }
}

#[test]
fn headers_are_checked_field_by_field() {
    let sound = archive(&[entry(5, 0, 0, 4), entry(9, 0, 4, 8)], b"", b"abcdefgh");
    assert_eq!(lines(&sound.check()), [""; 0]);
    assert_eq!((sound.size, sound.data_offset()), (0x50, 0x48));
    let said = |change: &dyn Fn(&mut Sarc<'static>)| {
        let mut changed = sound.clone();
        change(&mut changed);
        lines(&changed.check())
    };
    assert_eq!(said(&|sarc| sarc.size = 0x51), ["error sarc.size 0x8..0xc size"]);
    assert_eq!(said(&|sarc| sarc.size = 0x4f), ["warning sarc.size 0x8..0xc size"]);
    assert_eq!(said(&|sarc| sarc.version = 0x200), ["warning sarc.version 0x10..0x12 version"]);
    assert_eq!(said(&|sarc| sarc.reserved = 1), ["note sarc.reserved 0x12..0x14 reserved"]);
    assert_eq!(said(&|sarc| sarc.hash_key = 0x66), ["note sarc.hash-key 0x1c..0x20 sfat.hash_key"]);
    assert_eq!(said(&|sarc| sarc.names_reserved = 1), ["note sarc.reserved 0x46..0x48 sfnt.reserved"]);
    // Most severe first, then by place.
    let both = said(&|sarc| (sarc.size, sarc.reserved, sarc.version) = (0x60, 1, 0));
    let expected = ["error sarc.size 0x8..0xc size", "warning sarc.version 0x10..0x12 version"];
    assert_eq!(both[..2], expected);
    // The console keeps the upper two bits of the count for itself.
    let many = |count: u32| {
        let entries: Vec<Entry> = (0..count).map(|hash| entry(hash, 0, 0, 0)).collect();
        lines(&archive(&entries, b"", b"").check())
    };
    assert_eq!(many(0x3fff), [""; 0]);
    assert_eq!(many(0x4000), ["error sarc.count 0x1a..0x1c sfat.count"]);
    // More than a thousand are counted: here each entry lies below the one before it.
    let entries: Vec<Entry> = (0..1004).map(|n| entry(2000 - n, 0, 0, 0)).collect();
    let found = archive(&entries, b"", b"").check();
    assert_eq!(found.len(), 1001);
    assert!(found[..1000].iter().all(|one| one.code == "sarc.order"));
    assert_eq!(found[1000].to_string(), "note[sarc.more]: 3 more findings like these");
    let found = archive(&entries[..1001], b"", b"").check();
    assert_eq!((found.len(), found[999].code.as_ref()), (1000, "sarc.order"));
}

#[test]
fn entries_are_held_against_each_other() {
    let said = |entries: &[Entry], names: &[u8]| lines(&archive(entries, names, b"").check());
    // Equal hashes without names, which have no number, may stand side by side.
    assert_eq!(said(&[entry(7, 0, 0, 0), entry(7, 0, 0, 0)], b""), [""; 0]);
    assert_eq!(
        said(&[entry(7, 0, 0, 0), entry(6, 0, 0, 0), entry(8, 0, 0, 0)], b""),
        ["error sarc.order 0x30..0x34 sfat[1]"]
    );
    // Two names of one hash; the numbers rise, or do not.
    let [a, b] = ["Shader/tzzqng.bnsh", "Shader/enmaip.bnsh"];
    let names = format!("{a}\0\0{b}\0");
    let hash = sarc::hash(a.as_bytes(), HASH_KEY);
    assert_eq!((hash, names.find(b)), (0x19a6_bad1, Some(20)));
    let two = |first: u32, second: u32| {
        said(&[entry(hash, first << 24, 0, 0), entry(hash, second << 24 | 5, 0, 0)], names.as_bytes())
    };
    assert_eq!(two(1, 2), [""; 0]);
    assert_eq!(two(1, 3), [""; 0]);
    assert_eq!(two(1, 1), ["warning sarc.collision 0x34..0x38 sfat[1]"]);
    assert_eq!(two(2, 1), ["warning sarc.collision 0x34..0x38 sfat[1]"]);
    // A name without a number: said as such, not as a collision.
    assert_eq!(two(1, 0), ["note sarc.number 0x34..0x38 sfat[1]"]);
    // Another hash than the name has; one name twice; a name that is no path.
    let mut wrong = named("a.bin", 0, 0, 0);
    wrong.hash -= 1;
    assert_eq!(said(&[wrong], b"a.bin\0\0\0"), ["error sarc.hash 0x20..0x24 sfat[0]"]);
    let twice = [named("a.bin", 0, 0, 0), Entry { attribute: 2 << 24, ..named("a.bin", 0, 0, 0) }];
    assert_eq!(said(&twice, b"a.bin\0\0\0"), ["warning sarc.name-twice 0x34..0x38 sfat[1]"]);
    assert_eq!(said(&[named("../a", 0, 0, 0)], b"../a\0\0\0\0"), ["warning sarc.name 0x24..0x28 sfat[0]"]);
}

#[test]
fn data_is_held_against_the_entries() {
    let said = |ranges: &[(u32, u32)], data: &[u8]| {
        let entries: Vec<Entry> =
            ranges.iter().zip(1..).map(|(&(begin, end), hash)| entry(hash, 0, begin, end)).collect();
        lines(&archive(&entries, b"", data).check())
    };
    // With two entries the data starts at 0x48.
    assert_eq!(said(&[(0, 4), (8, 12)], b"aaaa\0\0\0\0bbbb"), [""; 0]);
    assert_eq!(said(&[(0, 4), (8, 12)], b"aaaa\0\x01\0\0bbbb"), ["note sarc.gap 0x4c..0x50 data"]);
    assert_eq!(said(&[(0, 8), (4, 8)], b"aaaabbbb"), ["warning sarc.overlap 0x4c..0x50 sfat[1]"]);
    // An empty file has nothing to share; files that meet share nothing.
    assert_eq!(said(&[(0, 8), (4, 4)], b"aaaabbbb"), [""; 0]);
    assert_eq!(said(&[(4, 8), (0, 4)], b"aaaabbbb"), [""; 0]);
    assert_eq!(said(&[(0, 4), (5, 6)], b"aaaa\0b"), ["warning sarc.alignment 0x38..0x3c sfat[1]"]);
    assert_eq!(said(&[(0, 4), (5, 5)], b"aaaa\0"), ["note sarc.trailing 0x4d..0x4d data"][..0]);
    assert_eq!(said(&[(0, 4), (4, 6)], b"aaaabb\0\0\0"), ["note sarc.trailing 0x4e..0x51 data"]);
    // By place, whatever the order of the entries.
    assert_eq!(
        said(&[(5, 6), (1, 2)], b"\0a\0\0\0b"),
        ["warning sarc.alignment 0x28..0x2c sfat[0]", "warning sarc.alignment 0x38..0x3c sfat[1]"]
    );
    // What overlaps is held against the one that reaches furthest.
    let found = archive(&[entry(1, 0, 0, 12), entry(2, 0, 4, 12), entry(3, 0, 8, 12)], b"", &[1; 12]).check();
    let told: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 2);
    assert!(told[1].ends_with("found some that sfat[0] has too"), "{told:?}");
}

#[test]
fn every_kind_of_file_has_its_alignment() {
    let [little, big] = [Endian::Little, Endian::Big];
    for (name, endian, wanted) in [
        ("a.txt", little, 4),
        ("", big, 4),
        ("a.sharc", little, 0x1000),
        ("x/b.sharcb", big, 0x1000),
        ("a.gtx", big, 0x2000),
        ("a.bofx", big, 0x2000),
        ("a.genvres", big, 0x2000),
        ("a.ftx", big, 0x2000),
        ("a.fmd", big, 0x2000),
        ("a.bffnt", little, 0x1000),
        ("a.bffnt", big, 0x2000),
        ("a.baglmf", little, 0x80),
        ("a.ksky", little, 8),
        ("a.bksky", big, 8),
        ("a.bgsdw", big, 8),
        ("ksky", big, 8),
        ("gtx.txt", big, 4),
    ] {
        assert_eq!(alignment(name.as_bytes(), b"", endian), wanted, "{name} {endian:?}");
    }
    // Wii U images of layouts: two bytes, eight before the end.
    let image = |value: u16, behind: usize| [&[0; 16], &value.to_be_bytes()[..], &vec![0; behind]].concat();
    let of = |data: &[u8], endian| alignment(b"a.bflim", data, endian);
    assert_eq!(of(&image(0x800, 6), big), 0x800);
    assert_eq!(of(&image(0x800, 6), little), 4);
    assert_eq!(of(&image(0x801, 6), big), 4);
    assert_eq!(of(&image(0x800, 7), big), 4);
    assert_eq!(of(&image(0x800, 6)[16..], big), 0x800);
    assert_eq!(of(&image(0x800, 6)[17..], big), 4);
    assert_eq!(of(&image(2, 6), big), 4);
    // Newer files say it themselves, where their size tells that it is they who speak; it goes before the name.
    let header = |mark: [u8; 2], exponent: u8, size: [u8; 4]| {
        let mut data = vec![0; 0x30];
        data[0xc..0xe].copy_from_slice(&mark);
        data[0xe] = exponent;
        data[0x1c..0x20].copy_from_slice(&size);
        data
    };
    for (mark, exponent, size, wanted) in [
        ([0xff, 0xfe], 12, [0x30, 0, 0, 0], 0x1000),
        ([0xfe, 0xff], 12, [0, 0, 0, 0x30], 0x1000),
        ([0xff, 0xfe], 16, [0x30, 0, 0, 0], 0x1_0000),
        ([0xff, 0xfe], 1, [0x30, 0, 0, 0], 4),
        // Not believed: too much, another size, another order, no mark.
        ([0xff, 0xfe], 17, [0x30, 0, 0, 0], 0x2000),
        ([0xff, 0xfe], 12, [0x31, 0, 0, 0], 0x2000),
        ([0xff, 0xfe], 12, [0, 0, 0, 0x30], 0x2000),
        ([0, 0], 12, [0x30, 0, 0, 0], 0x2000),
    ] {
        let data = header(mark, exponent, size);
        assert_eq!(alignment(b"x.gtx", &data, little), wanted, "{mark:?} {exponent} {size:?}");
    }
}

#[test]
fn entries_and_labels() {
    let one = entry(0xab, 0x0200_0003, 8, 20);
    assert_eq!((one.name_offset(), one.number(), one.len(), one.is_empty()), (Some(12), 2, 12, false));
    assert_eq!((entry(1, 0, 4, 4).name_offset(), entry(1, 0, 4, 4).is_empty()), (None, true));
    assert_eq!(entry(1, 0x01ff_ffff, 0, 0).name_offset(), Some(0xff_ffff * 4));
    // A label that was there before, or that is empty, gives way to the number of the entry.
    let names = b"a\0\0\0\0\0\0\0";
    let entries = [
        entry(1, 1 << 24, 0, 0),
        entry(2, 1 << 24, 0, 0),
        entry(3, 1 << 24 | 1, 0, 0),
        entry(0x1e17_d63c, 0, 0, 0),
    ];
    let sarc = archive(&entries, names, b"");
    assert_eq!(sarc.labels(), ["a", "1", "2", "0x1e17d63c"]);
    assert_eq!((sarc.find(b"a"), sarc.find(b""), sarc.find(b"b")), (Some(0), Some(2), None));
    assert_eq!(sarc.describe(), "SARC with 4 files, little-endian");
    let mut other = archive(&entries[..1], names, b"");
    other.endian = Endian::Big;
    assert_eq!(other.describe(), "SARC with 1 file, big-endian");
    // Signed bytes: 0xff is one less than nothing.
    assert_eq!(sarc::hash(b"\xff", 0x65), u32::MAX);
    assert_eq!(sarc::hash(b"ab", 0x65), 0x61 * 0x65 + 0x62);
}

#[test]
fn gaps_are_what_nobody_has() {
    let data = b"\0xaaaa\0\0bbbby\0";
    let sarc = archive(&[entry(1, 0, 8, 12), entry(2, 0, 2, 6), entry(3, 0, 2, 4)], b"", data);
    assert_eq!(sarc.gaps(), [(0, &b"\0x"[..]), (12, b"y\0")]);
    let all = archive(&[entry(1, 0, 0, 4)], b"", b"aaaa");
    assert_eq!(all.gaps(), []);
}

#[test]
fn the_tree_has_every_byte() {
    // Two names, one of them shared, with bytes between them; files out of order, with gaps of both kinds.
    let names = b"a\0\0\0\0\0\0\0bc\0\x01";
    let entries =
        [entry(1, 1 << 24, 8, 12), entry(2, 1 << 24 | 2, 0, 2), entry(3, 2 << 24, 2, 2), entry(4, 0, 16, 17)];
    let mut sarc = archive(&entries, names, b"AA\0\0\0\0\0\0BBBB\0x\0\0C\0");
    sarc.reserved = 7;
    let bytes = sarc.write().unwrap();
    let read = sarc::read(&bytes).unwrap();
    assert_eq!(read, sarc);
    let tree = read.tree();
    assert_eq!(tree.coverage(bytes.len() as u64).unowned().next(), None);
    assert_eq!(
        fields(&tree),
        [
            "sarc 0x0+134 SARC with 4 files, little-endian",
            "sarc.magic 0x0+4 \"SARC\"",
            "sarc.header_size 0x4+2 0x14",
            "sarc.byte_order 0x6+2 ff fe (little)",
            "sarc.size 0x8+4 0x86",
            "sarc.data_offset 0xc+4 0x74",
            "sarc.version 0x10+2 0x100",
            "sarc.reserved 0x12+2 0x7",
            "sarc.sfat 0x14+76 4 entries",
            "sarc.sfat.magic 0x14+4 \"SFAT\"",
            "sarc.sfat.header_size 0x18+2 0xc",
            "sarc.sfat.count 0x1a+2 4",
            "sarc.sfat.hash_key 0x1c+4 0x65",
            "sarc.sfat[0] 0x20+16 \"a\"",
            "sarc.sfat[0].hash 0x20+4 0x00000001",
            "sarc.sfat[0].attribute 0x24+4 0x01000000 (number 1, name at 0x0)",
            "sarc.sfat[0].begin 0x28+4 0x8",
            "sarc.sfat[0].end 0x2c+4 0xc",
            "sarc.sfat[1] 0x30+16 \"bc\"",
            "sarc.sfat[1].hash 0x30+4 0x00000002",
            "sarc.sfat[1].attribute 0x34+4 0x01000002 (number 1, name at 0x8)",
            "sarc.sfat[1].begin 0x38+4 0x0",
            "sarc.sfat[1].end 0x3c+4 0x2",
            "sarc.sfat[2] 0x40+16 \"a\"",
            "sarc.sfat[2].hash 0x40+4 0x00000003",
            "sarc.sfat[2].attribute 0x44+4 0x02000000 (number 2, name at 0x0)",
            "sarc.sfat[2].begin 0x48+4 0x2",
            "sarc.sfat[2].end 0x4c+4 0x2",
            "sarc.sfat[3] 0x50+16 no name",
            "sarc.sfat[3].hash 0x50+4 0x00000004",
            "sarc.sfat[3].attribute 0x54+4 0x00000000 (no name)",
            "sarc.sfat[3].begin 0x58+4 0x10",
            "sarc.sfat[3].end 0x5c+4 0x11",
            "sarc.sfnt 0x60+20 -",
            "sarc.sfnt.magic 0x60+4 \"SFNT\"",
            "sarc.sfnt.header_size 0x64+2 0x8",
            "sarc.sfnt.reserved 0x66+2 0x0",
            "sarc.sfnt[0x0] 0x68+2 \"a\"",
            "sarc.sfnt.padding[2] 0x6a+6 6 bytes of 0x00 (padding 0)",
            "sarc.sfnt[0x8] 0x70+3 \"bc\"",
            "sarc.sfnt.padding[3] 0x73+1 0x01 (padding 1)",
            "sarc.data 0x74+18 18 bytes",
            "sarc.data[1] 0x74+2 \"bc\", 2 bytes",
            "sarc.data[2] 0x76+0 \"a\", 0 bytes",
            "sarc.data.gap[0] 0x76+6 6 bytes of 0x00 (padding 0)",
            "sarc.data[0] 0x7c+4 \"a\", 4 bytes",
            "sarc.data.gap[3] 0x80+4 4 bytes (opaque)",
            "sarc.data[3] 0x84+1 \"0x00000004\", 1 bytes",
            "sarc.data.gap[4] 0x85+1 1 bytes of 0x00 (padding 0)",
        ]
    );
    let mut big = archive(&[], b"", b"");
    big.endian = Endian::Big;
    assert!(fields(&big.tree()).contains(&"sarc.byte_order 0x6+2 fe ff (big)".to_owned()));
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let sound = archive(&[named("a.bin", 0, 0, 4), entry(9, 0, 4, 8)], b"a.bin\0\0\0", b"abcdefgh");
    let bytes = sound.write().unwrap();
    let said = |at: usize, new: &[u8]| {
        let mut changed = bytes.clone();
        changed[at..at + new.len()].copy_from_slice(new);
        let error = sarc::read(&changed).unwrap_err();
        format!("{} {}", error.diagnostic_code(), error)
    };
    for (at, new, expected) in [
        (0, &b"sARC"[..], "sarc.magic magic: expected \"SARC\", found \"sARC\" at 0x0"),
        (4, &[0x15], "sarc.header header_size: expected 0x14, found 0x15 at 0x4"),
        (
            6,
            &[0xff, 0xff],
            "sarc.byte-order byte_order: expected the mark fe ff (big endian) or ff fe (little endian), found [ff, ff] at 0x6",
        ),
        (0x14, b"SFAX", "sarc.sfat sfat.magic: expected \"SFAT\", found \"SFAX\" at 0x14"),
        (0x18, &[0xd], "sarc.header sfat.header_size: expected 0xc, found 0xd at 0x18"),
        (
            0x1a,
            &[6],
            "sarc.count sfat.entries: expected a place before 0x58, found 6 entries of 16 bytes from 0x20 to 0x80, and the end at 0x58 at 0x20",
        ),
        (0x40, b"SFNX", "sarc.sfnt sfnt.magic: expected \"SFNT\", found \"SFNX\" at 0x40"),
        (0x44, &[9], "sarc.header sfnt.header_size: expected 0x8, found 0x9 at 0x44"),
        (
            0xc,
            &[0x47],
            "sarc.data-offset data_offset: expected a place behind the tables, which end at 0x48, found 0x47 at 0xc",
        ),
        (
            0xc,
            &[0x59],
            "sarc.data-offset data_offset: expected a place before the end at 0x58, found 0x59 at 0xc",
        ),
        (
            0x28,
            &[5],
            "sarc.range sfat[0].begin: expected a place before the end of the file at 0x4, found 0x5 at 0x28",
        ),
        (0x3c, &[9], "sarc.range sfat[1].end: expected at most 0x8, the end of the data, found 0x9 at 0x3c"),
        (
            0x34,
            &[2, 0, 0, 1],
            "sarc.name sfat[1].attribute: expected a name that starts and ends before 0x8 of the names, found 0x8 at 0x34",
        ),
    ] {
        assert_eq!(said(at, new), expected);
    }
    // At the edge of each: an empty file at the end, the data at the end, a name at the last NUL.
    for (at, new) in [(0x28, &[4][..]), (0x38, &[8]), (0xc, &[0x48, 0]), (0x34, &[1, 0, 0, 1])] {
        let mut changed = bytes.clone();
        changed[at..at + new.len()].copy_from_slice(new);
        if at == 0xc {
            // No names then.
            changed[0x24..0x28].fill(0);
        }
        assert!(sarc::read(&changed).is_ok(), "{at:#x}");
    }
    for len in [0, 5, 7, 0x12, 0x19, 0x46] {
        assert_eq!(sarc::read(&bytes[..len]).unwrap_err().kind, ErrorKind::Truncated, "{len}");
    }
    // Names that share their bytes come to at most four times the table and 0x1000.
    let shared = |count: u32| {
        let entries: Vec<Entry> = (0..count).map(|hash| entry(hash, 1 << 24, 0, 0)).collect();
        let names = [vec![b'n'; 0x1003], vec![0]].concat();
        sarc::read(&archive(&entries, &names, b"").write().unwrap()).map(|_| ()).map_err(|error| error.code)
    };
    assert_eq!((shared(5), shared(6)), (Ok(()), Err("sarc.names")));
}

#[test]
fn both_byte_orders_are_written() {
    for endian in [Endian::Little, Endian::Big] {
        let mut sarc = archive(&[entry(0x0102_0304, 0x0500_0000, 0, 1)], b"n\0\0\0", b"x");
        sarc.endian = endian;
        (sarc.version, sarc.reserved, sarc.names_reserved) = (0x102, 0x304, 0x506);
        let bytes = sarc.write().unwrap();
        let number = |at: usize| match endian {
            Endian::Little => u16::from_le_bytes([bytes[at], bytes[at + 1]]),
            Endian::Big => u16::from_be_bytes([bytes[at], bytes[at + 1]]),
        };
        assert_eq!([4, 6, 0x10, 0x12, 0x18, 0x1a].map(number), [0x14, 0xfeff, 0x102, 0x304, 12, 1]);
        assert_eq!([0x34, 0x36].map(number), [8, 0x506]);
        assert_eq!(sarc::read(&bytes).unwrap(), sarc);
        assert_eq!(sarc::read(&bytes).unwrap().into_owned().write().unwrap(), bytes);
    }
    let many = archive(&[], b"", b"");
    let many = Sarc { entries: vec![entry(0, 0, 0, 0); 0x1_0000], ..many };
    let error = many.write().unwrap_err();
    assert_eq!(
        (error.code, error.path.as_str(), error.found.as_ref()),
        ("sarc.too-much", "sfat.count", "65536")
    );
}

#[test]
fn archives_are_laid_out_by_hash_and_alignment() {
    // 0x62 * key is above 0x61 * key.
    let files =
        [file("b.gtx", b"second"), file("a", b"first"), File { alignment: 0x40, ..file("c", b"third") }];
    let sarc = pack(Endian::Big, HASH_KEY, &files).unwrap();
    let found: Vec<_> = sarc.entries.iter().map(|entry| (sarc.label(entry), sarc.file(entry))).collect();
    let expected =
        [("a".to_owned(), &b"first"[..]), ("c".to_owned(), b"third"), ("b.gtx".to_owned(), b"second")];
    assert_eq!(found, expected);
    // Each at its multiple, the data at the widest, zeros between them, nothing behind the last one.
    let places: Vec<usize> = sarc.entries.iter().map(|entry| sarc.place(entry).start).collect();
    assert_eq!(places, [0x2000, 0x2040, 0x4000]);
    assert_eq!(sarc.size as usize, 0x4006);
    let bytes = sarc.write().unwrap();
    assert_eq!(bytes.len(), 0x4006);
    assert!(bytes[0x2005..0x2040].iter().all(|&byte| byte == 0));
    assert!(sarc.names.starts_with(b"a\0\0\0c\0\0\0b.gtx\0\0\0\0"));
    let attributes: Vec<u32> = sarc.entries.iter().map(|entry| entry.attribute).collect();
    assert_eq!(attributes, [1 << 24, 1 << 24 | 1, 1 << 24 | 2]);
    // An alignment of somebody's own: the next power of two, up to 64 KiB.
    for (wanted, start) in [(0, 0x3c), (3, 0x3c), (0x30, 0x40), (0x8000, 0x8000), (0x2_0000, 0x1_0000)] {
        let one = pack(Endian::Big, HASH_KEY, &[File { alignment: wanted, ..file("abc", b"x") }]).unwrap();
        assert_eq!(one.place(&one.entries[0]).start, start, "{wanted:#x}");
    }
}

#[test]
fn archives_that_cannot_be_are_refused() {
    let said = |key: u32, files: &[File<'_>]| match pack(Endian::Little, key, files) {
        Ok(_) => "fine".to_owned(),
        Err(error) => {
            assert_eq!((error.kind, error.code), (ErrorKind::Unrepresentable, "sarc.pack"));
            error.to_string()
        }
    };
    assert!(said(HASH_KEY, &[file("a\0b", b"")]).starts_with("name: "));
    let twice = said(HASH_KEY, &[file("a", b""), file("b", b""), file("a", b"")]);
    assert!(twice.contains("`a` twice"), "{twice}");
    // One hash for all names that end alike; their numbers have eight bits.
    let names: Vec<String> = (0..256).map(|n| format!("{n}x")).collect();
    let files: Vec<File<'_>> = names.iter().map(|name| file(name, b"")).collect();
    assert_eq!(said(0, &files[..255]), "fine");
    assert!(said(0, &files).contains("names that fit the table"));
    let sarc = pack(Endian::Little, 0, &files[..255]).unwrap();
    assert_eq!(sarc.entries.iter().map(Entry::number).max(), Some(255));
    assert_eq!(lines(&sarc.check()), ["note sarc.hash-key 0x1c..0x20 sfat.hash_key"]);
    let hashes: Vec<File<'_>> =
        (0..0x4000).map(|hash| File { name: Err(hash), data: b"", alignment: 0 }).collect();
    assert_eq!(said(HASH_KEY, &hashes[..0x3fff]), "fine");
    assert_eq!(said(HASH_KEY, &hashes), "sfat.count: expected fewer than 16384 files, found 16384 at 0x0");
    // Files without names are found by their hash alone.
    let nameless = pack(Endian::Little, HASH_KEY, &hashes[..2]).unwrap();
    assert!(nameless.entries.iter().all(|entry| entry.attribute == 0) && nameless.names.is_empty());
}

#[test]
fn what_is_packed_anew_keeps_the_header() {
    let mut old = archive(&[], b"", b"");
    (old.endian, old.version, old.reserved, old.names_reserved) = (Endian::Big, 0x101, 2, 3);
    for (key, expected) in [(0, HASH_KEY), (0x66, 0x66)] {
        old.hash_key = key;
        let new = old.repack(&[file("ab", b"x")]).unwrap();
        assert_eq!((new.endian, new.version, new.reserved, new.names_reserved), (Endian::Big, 0x101, 2, 3));
        assert_eq!((new.hash_key, new.entries[0].hash), (expected, sarc::hash(b"ab", expected)));
    }
}
