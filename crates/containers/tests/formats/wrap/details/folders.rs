//! Wrappers taken apart into folders, and put together again.

use super::sample;
use unshade_bytes::{Endian, ErrorKind};
use unshade_containers::{
    Name, Parts,
    parts::build_whole,
    wrap::{
        manifest::extract_wrapper,
        sarc::{self, Entry, File, HASH_KEY, Sarc, pack},
        yaz0::{self, Level},
        zstd,
    },
};

fn file<'a>(name: &str, data: &'a [u8]) -> File<'a> {
    File { name: Ok(Name::from(name)), data, alignment: 0 }
}

fn packed(data: &[u8], tail: &[u8]) -> Vec<u8> {
    let size = (data.len() as u32).to_be_bytes();
    [b"Yaz0", &size[..], &[0, 0, 0, 0x80, 0, 0, 0, 5], &yaz0::encode(data, Level::Store), tail].concat()
}

/// Names and bytes of all files but the manifests.
fn listed(parts: &Parts) -> Vec<(String, Vec<u8>)> {
    let files = parts.files().filter(|(name, _)| !name.ends_with("manifest.toml"));
    files.map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).collect()
}

/// The lines of a manifest that are no comments.
fn manifest(parts: &Parts, name: &str) -> Vec<String> {
    let bytes = parts.files().find(|(known, _)| *known == name).unwrap().1;
    let text = std::str::from_utf8(bytes).unwrap();
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// Takes apart; what is put together again must be the same.
fn taken_apart(bytes: &[u8]) -> Parts {
    let parts = extract_wrapper(bytes).unwrap();
    assert!(build_whole(&parts).unwrap() == bytes);
    // From a folder: the manifest asks for exactly the files that there are.
    let mut again = Parts::from_manifest(parts.manifest()).unwrap();
    while let Some(name) = again.missing().first().cloned() {
        let (_, bytes) = parts.files().find(|(known, _)| *known == name).unwrap();
        again.insert(name, bytes);
    }
    assert_eq!(again, parts);
    parts
}

/// Parts with one file changed.
fn with(parts: &Parts, name: &str, bytes: &[u8]) -> Parts {
    let mut parts = parts.clone();
    parts.insert(name, bytes);
    parts
}

/// What is built of a manifest in which one text stands for another, everywhere.
fn built(parts: &Parts, from: &str, to: &str) -> Result<Vec<u8>, String> {
    let text = parts.manifest();
    assert!(text.contains(from), "{text}");
    let parts = with(parts, "manifest.toml", text.replace(from, to).as_bytes());
    build_whole(&parts).map_err(|error| error.to_string())
}

#[test]
fn compressed_files() {
    let parts = taken_apart(&packed(b"something", b"end"));
    assert_eq!(
        manifest(&parts, "manifest.toml"),
        [
            "format = \"yaz0\"",
            "alignment = 0x80",
            "reserved = 0x5",
            "size = 9",
            "stream = \"stream.bin\"",
            "tail = \"tail.bin\"",
            "file = \"content.bin\""
        ]
    );
    let names: Vec<String> = listed(&parts).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["content.bin", "stream.bin", "tail.bin"]);
    // Another content is compressed anew, the words and the tail stay.
    let changed = build_whole(&with(&parts, "content.bin", b"other")).unwrap();
    let read = yaz0::read(&changed).unwrap();
    assert_eq!(
        (read.alignment, read.reserved, &read.data[..], &*read.tail),
        (0x80, 5, &b"other"[..], &b"end"[..])
    );
    // A stream that does not read is not used.
    let broken = build_whole(&with(&parts, "stream.bin", b"")).unwrap();
    assert_eq!(yaz0::read(&broken).unwrap().data, b"something");
    let said = built(&parts, "file = \"content.bin\"", "").unwrap_err();
    assert!(said.contains("expected one of `folder` and `file`, found none or both"), "{said}");
    assert!(built(&parts, "file = ", "folder = \"x\"\nfile = ").is_err());
    assert!(built(&parts, "content.bin", "../content.bin").is_err());
    assert!(built(&parts, "content.bin", "gone.bin").is_err());
    // Without a tail there is none.
    assert!(
        manifest(&taken_apart(&packed(b"x", b"")), "manifest.toml").iter().all(|line| !line.contains("tail"))
    );

    let frames = [&zstd::encode(b"something")[..], b"end"].concat();
    let parts = taken_apart(&frames);
    assert_eq!(
        manifest(&parts, "manifest.toml"),
        ["format = \"zstd\"", "frames = \"frames.bin\"", "tail = \"tail.bin\"", "file = \"content.bin\""]
    );
    let changed = build_whole(&with(&parts, "content.bin", b"other")).unwrap();
    assert_eq!(changed, [&zstd::encode(b"other")[..], b"end"].concat());
    // Without frames, and with some that are none, or that have something behind them.
    let anew = [&zstd::encode(b"something")[..], b"end"].concat();
    assert_eq!(built(&parts, "frames = \"frames.bin\"\n", "").unwrap(), anew);
    assert_eq!(build_whole(&with(&parts, "frames.bin", b"none")).unwrap(), anew);
    assert_eq!(build_whole(&with(&parts, "frames.bin", &frames)).unwrap(), anew);
    assert!(built(&parts, "file = \"content.bin\"", "").is_err());
    assert!(built(&parts, "frames.bin", "a/../b").is_err());
    assert!(built(&parts, "frames.bin\"", "frames.bin\"\ndictionaries = [\"../d\"]").is_err());
}

#[test]
fn what_is_known_inside_has_a_folder() {
    // A container, an archive; and what only looks like one.
    let shader = sample("loops.shbin");
    let sarc = pack(Endian::Little, HASH_KEY, &[file("a", b"x")]).unwrap().write().unwrap();
    for (inside, known) in [(&shader, true), (&sarc, true), (&b"DVLB".to_vec(), false)] {
        for bytes in [packed(inside, b""), zstd::encode(inside)] {
            let parts = taken_apart(&bytes);
            let lines = manifest(&parts, "manifest.toml");
            assert_eq!(lines.contains(&"folder = \"content\"".to_owned()), known);
            assert_eq!(lines.contains(&"file = \"content.bin\"".to_owned()), !known);
            let inner = parts.files().any(|(name, _)| name == "content/manifest.toml");
            assert_eq!(inner, known);
        }
    }
    assert_eq!(extract_wrapper(&b"nothing".to_vec()).unwrap_err().kind, ErrorKind::UnknownFormat);
    // Sixteen around a file, and one more.
    let mut deep = b"leaf".to_vec();
    for _ in 0..16 {
        deep = packed(&deep, b"");
    }
    let parts = taken_apart(&deep);
    assert!(parts.files().any(|(name, _)| name == "content/".repeat(15) + "content.bin"));
    let error = extract_wrapper(&packed(&deep, b"")).unwrap_err();
    assert_eq!((error.code, error.found.as_ref()), ("wrap.depth", "16 and more"));
}

#[test]
fn archives_that_are_as_usual_say_little() {
    let sarc = pack(Endian::Big, HASH_KEY, &[file("b/c.txt", b"two"), file("a", b"one")]).unwrap();
    let parts = taken_apart(&sarc.write().unwrap());
    assert_eq!(
        manifest(&parts, "manifest.toml"),
        [
            "format = \"sarc\"",
            "byte_order = \"big\"",
            "data_offset = 0x54",
            "[[file]]",
            "name = \"a\"",
            "begin = 0x0",
            "size = 3",
            "file = \"files/a\"",
            "[[file]]",
            "name = \"b/c.txt\"",
            "begin = 0x4",
            "size = 3",
            "file = \"files/b/c.txt\"",
        ]
    );
    assert_eq!(
        listed(&parts),
        [("files/a".to_owned(), b"one".to_vec()), ("files/b/c.txt".to_owned(), b"two".to_vec())]
    );
    // A longer file moves the one behind it; what is read again is sound.
    let changed = build_whole(&with(&parts, "files/a", b"longer than one")).unwrap();
    let read = sarc::read(&changed).unwrap();
    assert_eq!((read.check(), read.file(&read.entries[0])), (Vec::new(), &b"longer than one"[..]));
    // A gap stood in front of it, and its place, 0x58, is a multiple of 8.
    assert_eq!((read.file(&read.entries[1]), read.entries[1].begin), (&b"two"[..], 0x14));
    // Another name that fits the table, in the order of the hashes.
    let renamed = built(&parts, "name = \"a\"", "name = \"z\"").unwrap();
    let read = sarc::read(&renamed).unwrap();
    assert_eq!((read.labels(), read.check()), (vec!["z".to_owned(), "b/c.txt".to_owned()], Vec::new()));
    let renamed = built(&parts, "name = \"a\"", "name = \"zzz/zzz\"").unwrap();
    let read = sarc::read(&renamed).unwrap();
    assert_eq!((read.labels(), read.check()), (vec!["zzz/zzz".to_owned(), "b/c.txt".to_owned()], Vec::new()));
    let renamed = built(&parts, "name = \"b/c.txt\"", "name = \"A\"").unwrap();
    let read = sarc::read(&renamed).unwrap();
    assert_eq!((read.labels(), read.check()), (vec!["A".to_owned(), "a".to_owned()], Vec::new()));
    let order = built(&parts, "byte_order = \"big\"", "byte_order = \"little\"").unwrap();
    assert_eq!(sarc::read(&order).unwrap().endian, Endian::Little);
}

#[test]
fn archives_that_are_not_as_usual_say_how() {
    let entry = |hash, attribute, begin, end| Entry { hash, attribute, begin, end };
    let a = sarc::hash(b"a", 0x66);
    let sarc = Sarc {
        endian: Endian::Little,
        size: 0x1234,
        version: 0x101,
        reserved: 2,
        hash_key: 0x66,
        names_reserved: 3,
        entries: vec![entry(a, 1 << 24, 0, 2), entry(7, 2 << 24 | 1, 4, 5), entry(0xabcd, 0, 5, 7)],
        names: b"a\0\0\0../b\0\0\0\0".to_vec().into(),
        data: b"aaz\0bccy\0".to_vec().into(),
    };
    let parts = taken_apart(&sarc.write().unwrap());
    assert_eq!(
        manifest(&parts, "manifest.toml"),
        [
            "format = \"sarc\"",
            "byte_order = \"little\"",
            "version = 0x101",
            "reserved = 0x2",
            "hash_key = 0x66",
            "names_reserved = 0x3",
            "announced_size = 0x1234",
            "data_offset = 0x64",
            "data_size = 0x9",
            "names = \"names.bin\"",
            "[[file]]",
            "name = \"a\"",
            "attribute = 0x01000000",
            "begin = 0x0",
            "size = 2",
            "file = \"files/a\"",
            "[[file]]",
            "name = \"../b\"",
            "hash = 0x00000007",
            "attribute = 0x02000001",
            "begin = 0x4",
            "size = 1",
            "file = \"files/unnamed/1.bin\"",
            "[[file]]",
            "hash = 0x0000abcd",
            "attribute = 0x00000000",
            "begin = 0x5",
            "size = 2",
            "file = \"files/unnamed/2.bin\"",
            "[[gap]]",
            "begin = 0x2",
            "file = \"gap-0x2.bin\"",
            "[[gap]]",
            "begin = 0x7",
            "file = \"gap-0x7.bin\"",
        ]
    );
    assert!(parts.manifest().contains("# The name is not used as a path: it leaves its folder."));
    let said = |from: &str, to: &str| built(&parts, from, to).unwrap_err();
    assert!(said("gap-0x2.bin", "../gap").contains("../gap"));
    assert!(said("names.bin", "/names").contains("/names"));
    assert!(said("files/a", "files/../../a").contains("expected a path that stays in the folder"));
    assert!(
        said("hash = 0x0000abcd\n", "")
            .contains("expected a `name` or a `hash` of every file, found neither")
    );
    assert!(said("begin = 0x5", "begin = 0xffffffff").contains("expected at most 4 GiB, found more"));
    // Another length of a file in the middle of what is unusual: the size that was announced stays as it is.
    let changed = build_whole(&with(&parts, "files/unnamed/1.bin", b"")).unwrap();
    let read = sarc::read(&changed).unwrap();
    assert_eq!((read.size, read.file(&read.entries[2])), (0x1234, &b"cc"[..]));
}

#[test]
fn archives_out_of_order_come_back() {
    // As they are read, so they are written, with names and without.
    let mut sarc = pack(Endian::Little, HASH_KEY, &[file("a", b"one"), file("b", b"two")]).unwrap();
    sarc.entries.swap(0, 1);
    let parts = taken_apart(&sarc.write().unwrap());
    assert!(manifest(&parts, "manifest.toml").contains(&"names = \"names.bin\"".to_owned()));
    // The same, with a table of names that is in the order of the entries.
    sarc.names = b"b\0\0\0a\0\0\0".to_vec().into();
    for (place, entry) in sarc.entries.iter_mut().enumerate() {
        entry.attribute = 1 << 24 | place as u32;
    }
    taken_apart(&sarc.write().unwrap());
    let nameless = [7, 5, 6].map(|hash| File { name: Err(hash), data: b"x", alignment: 0 });
    let mut sarc = pack(Endian::Little, HASH_KEY, &nameless).unwrap();
    let parts = taken_apart(&sarc.write().unwrap());
    // Another one without a name, in its place by its hash.
    let text = parts.manifest().to_owned() + "\n[[file]]\nhash = 2\nfile = \"files/unnamed/0.bin\"\n";
    let bytes = build_whole(&with(&parts, "manifest.toml", text.as_bytes())).unwrap();
    let read = sarc::read(&bytes).unwrap();
    assert_eq!(read.entries.iter().map(|entry| entry.hash).collect::<Vec<_>>(), [2, 5, 6, 7]);
    assert_eq!(read.check(), []);
    sarc.entries.swap(0, 2);
    taken_apart(&sarc.write().unwrap());
}

#[test]
fn sizes_must_fit_the_files() {
    // The data of a manifest can be four times the files, 0x4000 for each of them, and 1 MiB.
    let sarc = pack(Endian::Little, HASH_KEY, &[file("a", &[1; 100])]).unwrap();
    let parts = taken_apart(&sarc.write().unwrap());
    let here: usize = parts.files().map(|(_, bytes)| bytes.len()).sum();
    let text = parts.manifest();
    let line = text.lines().find(|line| line.starts_with("data_offset")).unwrap();
    let of = |size: usize| {
        let text = text.replace(line, &format!("{line}\ndata_size = {size}"));
        let longer = text.len() - parts.manifest().len();
        let most = 4 * (here + longer) + 0x4000 + (1 << 20);
        (build_whole(&with(&parts, "manifest.toml", text.as_bytes())), most)
    };
    let most = of(1_000_000).1;
    assert_eq!(of(most).0.unwrap().len(), sarc.data_offset() + most);
    assert!(of(most + 1).0.unwrap_err().to_string().contains("expected sizes that fit the files"));
    // So can the table of names.
    let of = |room: usize| {
        let text = text.replace(line, &format!("data_offset = {}", 0x38 + room));
        let longer = text.len() as i64 - parts.manifest().len() as i64;
        let most = 4 * (here as i64 + longer) as usize + 0x4000 + (1 << 20);
        (build_whole(&with(&parts, "manifest.toml", text.as_bytes())), most)
    };
    let most = of(1_000_000).1;
    let wide = of(most).0.unwrap();
    assert_eq!(sarc::read(&wide).unwrap().data_offset(), 0x38 + most);
    assert!(of(most + 1).0.is_err());
    // No room for the names, or no place at all: laid out anew.
    for room in [0, 3] {
        let bytes = of(room).0.unwrap();
        assert_eq!(sarc::read(&bytes).unwrap().check(), []);
    }
    // A place without a start of the data says nothing but that the file started somewhere: at a multiple of 0x2000 here.
    let anew = built(&parts, line, "").unwrap();
    let read = sarc::read(&anew).unwrap();
    assert_eq!((read.check(), read.data_offset()), (Vec::new(), 0x2000));
    let anew = built(&parts, &format!("{line}\n"), "").unwrap();
    assert_eq!(anew.len(), 0x2000 + 100);
    let anew = built(&parts, "begin = 0x0\n", "").unwrap();
    assert_eq!(anew, sarc.write().unwrap());
}

#[test]
fn an_archive_that_is_laid_out_anew_keeps_alignments() {
    // One file at a multiple of 0x100, and one that a new file stands beside.
    let files = [File { alignment: 0x100, ..file("a", b"one") }, file("b", b"two")];
    let sarc = pack(Endian::Little, HASH_KEY, &files).unwrap();
    let parts = taken_apart(&sarc.write().unwrap());
    let text = parts.manifest().to_owned() + "\n[[file]]\nname = \"c\"\nfile = \"files/a\"\n";
    let bytes = build_whole(&with(&parts, "manifest.toml", text.as_bytes())).unwrap();
    let read = sarc::read(&bytes).unwrap();
    let starts: Vec<usize> = read.entries.iter().map(|entry| read.place(entry).start).collect();
    assert_eq!(
        (read.labels(), read.check()),
        (vec!["a".to_owned(), "b".to_owned(), "c".to_owned()], Vec::new())
    );
    assert_eq!(starts, [0x100, 0x104, 0x108]);
    // Zeros behind the names are as usual.
    assert!(!manifest(&parts, "manifest.toml").iter().any(|line| line.starts_with("names")));
    // No more than 0x2000 is kept.
    let files = [File { alignment: 0x8000, ..file("a", b"one") }];
    let sarc = pack(Endian::Little, HASH_KEY, &files).unwrap();
    assert_eq!(sarc.data_offset(), 0x8000);
    let parts = taken_apart(&sarc.write().unwrap());
    let text = parts.manifest().to_owned() + "\n[[file]]\nname = \"c\"\nfile = \"files/a\"\n";
    let bytes = build_whole(&with(&parts, "manifest.toml", text.as_bytes())).unwrap();
    assert_eq!(sarc::read(&bytes).unwrap().data_offset(), 0x2000);
}

#[test]
fn names_that_would_meet_on_some_system_stay_apart() {
    let names = ["A/b", "a/B", "a", "x", "X/y", "manifest.toml", "q/MANIFEST.toml", "unnamed/0.bin", "ok"];
    let files: Vec<File<'_>> = names.iter().map(|name| file(name, name.as_bytes())).collect();
    let sarc = pack(Endian::Little, HASH_KEY, &files).unwrap();
    let parts = taken_apart(&sarc.write().unwrap());
    let listed = listed(&parts);
    let lower: std::collections::BTreeSet<String> =
        listed.iter().map(|(name, _)| name.to_lowercase()).collect();
    assert_eq!((lower.len(), listed.len()), (names.len(), names.len()));
    for (name, _) in &listed {
        let above = name.to_lowercase();
        assert!(!lower.iter().any(|other| other.starts_with(&format!("{above}/"))), "{name}");
    }
    // In the order of the table: whoever comes first keeps its name.
    let taken: Vec<&str> =
        listed.iter().map(|(name, _)| name.as_str()).filter(|name| !name.contains("unnamed")).collect();
    assert_eq!(taken, ["files/a", "files/ok", "files/x"]);
    let files = [file("A/b", b"1"), file("a/B", b"2"), file("a/c", b"3"), file("A/b/c", b"4")];
    // A folder that is there before a file of its name.
    let before = [file("aazaa/y", b"1"), file("aazaa", b"2")];
    let before = pack(Endian::Little, HASH_KEY, &before).unwrap();
    assert_eq!(before.labels(), ["aazaa/y", "aazaa"]);
    let names: Vec<String> =
        self::listed(&taken_apart(&before.write().unwrap())).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["files/aazaa/y", "files/unnamed/1.bin"]);
    let sarc = pack(Endian::Little, HASH_KEY, &files).unwrap();
    let parts = taken_apart(&sarc.write().unwrap());
    let first: Vec<String> = sarc.labels();
    assert_eq!(first, ["A/b", "a/B", "a/c", "A/b/c"]);
    let names: Vec<String> = self::listed(&parts).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["files/A/b", "files/a/c", "files/unnamed/1.bin", "files/unnamed/3.bin"]);
}
