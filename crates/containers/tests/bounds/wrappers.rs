//! Wrappers in wrappers: the corpus, hostile files, changed files, and taking them apart.

use crate::common;
use crate::cost;
use crate::cost::cost;
use std::time::Duration;
use unshade_bytes::Endian;
use unshade_containers::{
    Name, Parts,
    parts::build_whole,
    wrap::{
        manifest::extract_wrapper,
        nest::{self, Bounds, Found, Wrapper, walk, walk_within},
        recognise::{Unread, recognise},
        sarc::{self, Entry, File, HASH_KEY, Sarc, pack},
        yaz0::{self, Level, Yaz0},
    },
};

fn packed(data: &[u8]) -> Vec<u8> {
    let stream = yaz0::encode(data, Level::Normal).into();
    Yaz0 { alignment: 0x80, reserved: 0, stream, tail: Vec::new().into(), data: data.to_vec() }
        .write()
        .unwrap()
}

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let files: Vec<File<'_>> =
        files.iter().map(|(name, data)| File { name: Ok(Name::from(*name)), data, alignment: 0 }).collect();
    pack(Endian::Big, HASH_KEY, &files).unwrap().write().unwrap()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The files that a walk comes by: name, wrappers, bytes. Everything else must go well.
fn files(bytes: &[u8], wanted: &[&str]) -> Vec<(String, String, Vec<u8>)> {
    let mut files = Vec::new();
    for found in walk(bytes, &names(wanted)) {
        match found {
            Found::Wrapper { .. } => {}
            Found::File { chain, piece, names } => {
                assert!(names.is_empty(), "{names:?}");
                files.push((
                    chain.name().unwrap_or_default(),
                    chain.to_string(),
                    piece.bytes(bytes).to_vec(),
                ));
            }
            other => panic!("{other:?}"),
        }
    }
    files
}

fn corpus(name: &str) -> Option<Vec<u8>> {
    Some(std::fs::read(common::shared("corpus/wrappers")?.join(name)).unwrap())
}

fn other_corpus(name: &str) -> Vec<u8> {
    std::fs::read(common::shared("corpus").unwrap().join(name)).unwrap()
}

#[test]
fn nested_files_of_the_corpus_are_found() {
    let _alone = cost::alone();
    let Some(bytes) = corpus("nested_be.szs") else { return };
    let found = files(&bytes, &[]);
    assert_eq!(found.len(), 2);
    let (name, wrappers, inside) = &found[0];
    assert_eq!((name.as_str(), wrappers.as_str()), ("note.txt", "Yaz0, SARC"));
    assert_eq!(inside, b"own sample, big endian container\n");
    let (name, wrappers, inside) = &found[1];
    assert_eq!(name, "Layout/inner.szs:agl/shader.sharcfb");
    assert_eq!(wrappers, "Yaz0, SARC, Yaz0, SARC");
    assert!(*inside == other_corpus("sharcfb/homebrew_be.sharcfb"));
    for path in [
        &["Layout/inner.szs", "agl/shader.sharcfb"][..],
        &["Layout/inner.szs"],
        &["1"],
        &["Layout/inner.szs", "0"],
    ] {
        assert_eq!(files(&bytes, path), &found[1..], "{path:?}");
    }
    let bytes = corpus("nested_le.szs").unwrap();
    let found: Vec<_> =
        files(&bytes, &[]).into_iter().map(|(name, _, inside)| (name, recognise(&inside))).collect();
    assert_eq!(
        found,
        [
            ("Shader/other.sbnsh".to_owned(), Some(Unread::Bnsh)),
            ("Model/demo.szs:demo.bfsha".to_owned(), Some(Unread::Bfsha))
        ]
    );
    for (name, unread) in [
        ("mesh.bfres.mc", Unread::MeshCodec),
        ("demo.bfsha.zs", Unread::Zstd),
        ("two_frames.zs", Unread::Zstd),
        ("bad_magic.yaz0", Unread::Yaz1),
        ("gen_v5.bfres", Unread::Bfres),
    ] {
        assert_eq!(recognise(&corpus(name).unwrap()), Some(unread), "{name}");
    }
    let bytes = corpus("gen_v5.sbfres.szs").unwrap();
    let inside = files(&bytes, &[]).pop().unwrap();
    assert!(inside.2.starts_with(b"FSHA") && inside.1.ends_with("BFRES"), "{} {}", inside.0, inside.1);
}

#[test]
fn bounds_hold() {
    let _alone = cost::alone();
    let mut deep = b"leaf".to_vec();
    for layers in 1..=20 {
        deep = packed(&deep);
        let last = walk(&deep, &[]).last().unwrap();
        match last {
            Found::File { piece, .. } => assert!(layers <= 16 && piece.bytes(&deep) == b"leaf"),
            Found::Failed { chain, error } => {
                assert!(layers > 16 && error.diagnostic_code() == "wrap.depth" && chain.0.len() == 16)
            }
            other => panic!("{other:?}"),
        }
    }
    if let Some(bytes) = corpus("deep20.yaz0") {
        assert!(
            matches!(walk(&bytes, &[]).last(), Some(Found::Failed { error, .. }) if error.code == "wrap.depth")
        );
    }
    // Ten files of 100 KiB each, of which three may be unpacked.
    let inside = packed(&vec![0; 100 << 10]);
    let list: Vec<String> = (0..10).map(|n| format!("{n}.szs")).collect();
    let list: Vec<(&str, &[u8])> = list.iter().map(|name| (name.as_str(), inside.as_slice())).collect();
    let bytes = archive(&list);
    let bounds = Bounds { unpacked: 300 << 10, ..Bounds::default() };
    let found: Vec<_> = walk_within(&bytes, &[], bounds).collect();
    let count = |code| {
        found
            .iter()
            .filter(|found| matches!(found, Found::Failed { error, .. } if error.code == code))
            .count()
    };
    assert_eq!(count("wrap.unpacked"), 7);
    assert_eq!(found.iter().filter(|found| matches!(found, Found::File { .. })).count(), 3);
}

/// An archive of many entries that all are the same bytes.
fn shared(entries: u16, data: &[u8]) -> Vec<u8> {
    let end = data.len() as u32;
    let entries = (0..entries).map(|hash| Entry { hash: hash.into(), attribute: 0, begin: 0, end }).collect();
    let mut sarc = Sarc {
        endian: Endian::Little,
        size: 0,
        version: 0x100,
        reserved: 0,
        hash_key: HASH_KEY,
        names_reserved: 0,
        entries,
        names: Vec::new().into(),
        data: data.into(),
    };
    sarc.size = sarc.write().unwrap().len() as u32;
    sarc.write().unwrap()
}

/// Files that ask for more than they are.
fn hostile() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| files.push((name.to_owned(), bytes));
    for size in [1_u32 << 10, 1 << 20, 1 << 28, u32::MAX] {
        let header = [b"Yaz0", &size.to_be_bytes()[..], &[0; 8]].concat();
        for stream in [vec![0; 64], vec![0xff; 64], vec![0; 1 << 16], vec![0xff; 1 << 16]] {
            add(
                &format!("yaz0 of {size} from {} bytes of {}", stream.len(), stream[0]),
                [&header[..], &stream].concat(),
            );
        }
    }
    // Zeros pack best: each layer is about 1/90 of the one inside.
    let bomb = packed(&vec![0; 4 << 20]);
    add("bomb", bomb.clone());
    add("bomb in bomb", packed(&bomb));
    add("bomb 10,000 times", shared(10_000, &bomb));
    add("archive in archives", shared(1000, &shared(1000, &shared(1000, b"x"))));
    add("big file 16,000 times", shared(16_000, &vec![b'x'; 1 << 20]));
    add("packed archive of bombs", packed(&shared(2000, &packed(&shared(2000, &bomb)))));
    // One name of 64 KiB, which all entries have.
    let mut names = sarc::read(&shared(16_000, b"")).unwrap().into_owned();
    names.names = [vec![b'n'; 1 << 16], vec![0; 4]].concat().into();
    names.entries.iter_mut().for_each(|entry| entry.attribute = 1 << 24);
    add("one name 16,000 times", names.write().unwrap());
    for count in [0x3fff_u16, 0xffff] {
        for (endian, mark) in [(0, [0xff, 0xfe]), (1, [0xfe, 0xff])] {
            let two = |n: u16| if endian == 0 { n.to_le_bytes() } else { n.to_be_bytes() };
            let mut bytes =
                [b"SARC", &two(0x14)[..], &mark, &[0xff; 4], &[0; 8], b"SFAT", &two(12), &two(count)]
                    .concat();
            bytes.resize(1 << 12, 0);
            add(&format!("{count} entries, {endian}"), bytes);
        }
    }
    files
}

#[test]
fn hostile_files_take_little_memory_and_time() {
    let _alone = cost::alone();
    let mut files = hostile();
    if let Some(folder) = common::shared("corpus/wrappers") {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            files.push((path.display().to_string(), std::fs::read(&path).unwrap()));
        }
    }
    for (name, bytes) in &files {
        let bounds = Bounds { unpacked: 64 << 20, ..Bounds::default() };
        let (mut found, mut failed, mut most) = (0, 0, 0);
        let (_, taken) = cost(|| {
            for found_here in walk_within(bytes, &[], bounds) {
                found += 1;
                match found_here {
                    Found::Failed { .. } => failed += 1,
                    Found::File { piece, .. } => {
                        most = most.max(piece.unpacked.map_or(0, |unpacked| unpacked.len()))
                    }
                    _ => {}
                }
            }
        });
        println!("{name}: {} bytes, {found} found, {failed} failed, {taken:?}", bytes.len());
        // What lives at a time: the packed file's tables and the wrappers that were unpacked on the way.
        assert!(taken.heap <= 16 * bytes.len() + 3 * most.max(1 << 10) + (8 << 20), "{name}: {taken:?}");
        assert!(taken.time < Duration::from_secs(4), "{name}: {taken:?}");
    }
    // What is refused for its size asks for no memory first.
    for name in ["yaz0 of 4294967295 from 64 bytes of 0", "yaz0 of 268435456 from 65536 bytes of 255"] {
        let bytes = &files.iter().find(|(known, _)| known == name).unwrap().1;
        let (refused, taken) = cost(|| yaz0::read(bytes).is_err());
        assert!(refused && taken.heap < 4096, "{name}: {taken:?}");
    }
}

#[test]
fn frames_that_are_too_long_do_not_add_up() {
    let _alone = cost::alone();
    // Zeros of which zstd must remember all, and does not say how many they are.
    let mut zeros = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88];
    for block in 0..1024_u32 {
        zeros.extend(&(0x2_0000_u32 << 3 | 1 << 1 | u32::from(block == 1023)).to_le_bytes()[..3]);
        zeros.push(0);
    }
    let bytes = shared(10_000, &zeros);
    let bounds = Bounds { unpacked: 16 << 20, ..Bounds::default() };
    let (found, taken) = cost(|| walk_within(&bytes, &[], bounds).count());
    assert!(found > 500, "{found}");
    assert!(taken.heap <= 3 * (16 << 20) && taken.time < Duration::from_secs(4), "{taken:?}");
}

#[test]
fn a_changed_file_is_found_again_in_all_its_wrappers() {
    let _alone = cost::alone();
    let inner = packed(&archive(&[("a.bin", b"one"), ("b.bin", &[7; 300])]));
    let outer = packed(&archive(&[("inner.szs", &inner), ("note.txt", b"note"), ("z.txt", b"last")]));
    let chain = |path: &[&str]| {
        let found = walk(&outer, &names(path)).find_map(|found| match found {
            Found::File { chain, .. } => Some(chain),
            _ => None,
        });
        found.unwrap()
    };
    let same = nest::replace(&outer, &chain(&["inner.szs", "a.bin"]), b"one".to_vec()).unwrap();
    assert!(same.bytes == outer && same.notes.is_empty());
    for (path, new) in [
        (&["inner.szs", "a.bin"][..], vec![1; 3]),
        (&["inner.szs", "a.bin"], vec![1; 5000]),
        (&["inner.szs", "b.bin"], Vec::new()),
        (&["note.txt"], b"a longer note than before".to_vec()),
    ] {
        let changed = nest::replace(&outer, &chain(path), new.clone()).unwrap();
        assert!(changed.notes.iter().any(|note| note.contains("compressed anew")), "{:?}", changed.notes);
        let (before, after) = (files(&outer, &[]), files(&changed.bytes, &[]));
        for (a, b) in before.iter().zip(&after) {
            let expected = if a.0 == path.join(":") { &new } else { &a.2 };
            assert_eq!((&a.0, &a.1, expected), (&b.0, &b.1, &b.2));
        }
        for found in walk(&changed.bytes, &[]) {
            if let Found::Wrapper { kind: Wrapper::Sarc, piece, .. } = found {
                assert_eq!(sarc::read(piece.bytes(&changed.bytes)).unwrap().check(), []);
            }
        }
        let alignment = yaz0::read(&changed.bytes).unwrap().alignment;
        assert_eq!(alignment, 0x80, "the header's word stays");
    }
}

/// Parts as from a folder, with one file changed.
fn with(parts: &Parts, name: &str, bytes: &[u8]) -> Parts {
    let mut parts = parts.clone();
    assert!(parts.files().any(|(known, _)| known == name), "{name}");
    parts.insert(name, bytes);
    parts
}

#[test]
fn extract_and_build_give_the_same_file() {
    let _alone = cost::alone();
    let mut files = hostile();
    files.retain(|(name, _)| name == "bomb" || name == "bomb in bomb");
    let inner = packed(&archive(&[("a.bin", b"one"), ("b.bin", &[7; 300])]));
    files.push(("own".to_owned(), packed(&archive(&[("inner.szs", &inner), ("note.txt", b"note")]))));
    let odd = archive(&[
        ("A.txt", b"1"),
        ("a.TXT", b"2"),
        ("a.txt/b", b"3"),
        ("nul", b"4"),
        ("x/manifest.toml", b"5"),
    ]);
    files.push(("odd names".to_owned(), odd));
    if let Some(folder) = common::shared("corpus/wrappers") {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            files.push((path.display().to_string(), std::fs::read(&path).unwrap()));
        }
    }
    let mut count = 0;
    for (name, bytes) in &files {
        let Ok(parts) = extract_wrapper(bytes) else { continue };
        for (file, _) in parts.files() {
            assert!(!file.contains("..") && !file.starts_with('/') && !file.contains('\\'), "{name}: {file}");
        }
        let built =
            build_whole(&common::through_a_folder(&parts)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(built == *bytes, "{name}");
        count += 1;
    }
    println!("{count} files taken apart and put together");
    assert!(count >= 4);
}

#[test]
fn a_changed_folder_gives_a_changed_file() {
    let _alone = cost::alone();
    let bytes = packed(&archive(&[("a.bin", b"one"), ("b.bin", &[7; 300]), ("c/d.bin", b"end")]));
    let parts = extract_wrapper(&bytes).unwrap();
    let changed = build_whole(&with(&parts, "content/files/b.bin", &[9; 301])).unwrap();
    let expected = [("a.bin", &b"one"[..]), ("b.bin", &[9; 301]), ("c/d.bin", b"end")];
    for (name, content) in expected {
        assert_eq!(files(&changed, &[name])[0].2, content, "{name}");
    }
    // Another name and another file: the archive is laid out anew.
    let manifest = parts.files().find(|(name, _)| *name == "content/manifest.toml").unwrap().1;
    let text = String::from_utf8(manifest.to_vec()).unwrap();
    let text = text.replace("name = \"a.bin\"", "name = \"renamed/and/much/longer.bin\"")
        + "\n[[file]]\nname = \"new\"\nfile = \"files/a.bin\"\n";
    let changed = build_whole(&with(&parts, "content/manifest.toml", text.as_bytes())).unwrap();
    let list: Vec<String> = files(&changed, &[]).into_iter().map(|(name, ..)| name).collect();
    assert_eq!(list.len(), 4);
    for found in walk(&changed, &[]) {
        if let Found::Wrapper { kind: Wrapper::Sarc, piece, .. } = found {
            assert_eq!(sarc::read(piece.bytes(&changed)).unwrap().check(), []);
        }
    }
    assert_eq!(files(&changed, &["renamed/and/much/longer.bin"])[0].2, b"one");
    // Without the stream it is compressed anew.
    let text = parts.manifest().replace("stream = \"stream.bin\"\n", "");
    assert_eq!(build_whole(&with(&parts, "manifest.toml", text.as_bytes())).unwrap(), bytes);
    // What a manifest asks for stays in its folder.
    for (from, to) in [("files/a.bin", "../a.bin"), ("files/a.bin", "/etc/passwd"), ("files/a.bin", "C:x")] {
        let text = String::from_utf8(manifest.to_vec()).unwrap().replace(from, to);
        let error = build_whole(&with(&parts, "content/manifest.toml", text.as_bytes())).unwrap_err();
        assert!(error.to_string().contains("stays in the folder"), "{error}");
    }
    let text =
        String::from_utf8(manifest.to_vec()).unwrap().replace("data_offset = 0x", "data_offset = 0x7fff");
    assert!(
        build_whole(&with(&parts, "content/manifest.toml", text.as_bytes())).is_err(),
        "2 GiB of nothing"
    );
}
