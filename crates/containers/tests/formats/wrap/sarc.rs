//! SARC: the corpus, archives of our own, changed files, damaged ones.

use crate::common;
use proptest::prelude::*;
use unshade_bytes::{Endian, Severity};
use unshade_containers::{
    Name,
    wrap::sarc::{self, File, HASH_KEY, Sarc, pack},
};

/// The file of that name in the corpus, if the corpus is there.
fn corpus(name: &str) -> Option<Vec<u8>> {
    Some(std::fs::read(common::shared("corpus/wrappers")?.join(name)).unwrap())
}

/// Reads, writes, covers; what it says of the archive.
fn sound(bytes: &[u8]) -> Option<Vec<(Severity, String)>> {
    let archive = match sarc::read(bytes) {
        Ok(archive) => archive,
        Err(error) => {
            assert!(error.diagnostic_code().starts_with("sarc."), "{error:?} has no code of its own");
            return None;
        }
    };
    assert!(archive.write().unwrap() == bytes, "written differently");
    let coverage = archive.tree().coverage(bytes.len() as u64);
    assert_eq!(coverage.unowned().collect::<Vec<_>>(), []);
    for (index, entry) in archive.entries.iter().enumerate() {
        assert_eq!(&bytes[archive.place(entry)], archive.file(entry));
        if let Some(name) = archive.name(entry) {
            assert!(archive.find(name).unwrap() <= index);
        }
    }
    Some(archive.check().into_iter().map(|found| (found.severity, found.code.into_owned())).collect())
}

#[test]
fn the_corpus_comes_back_from_bytes_and_from_its_files() {
    for (name, files, endian) in [
        ("plain_le.sarc", 3, Endian::Little),
        ("plain_be.sarc", 3, Endian::Big),
        ("hash_only_le.sarc", 2, Endian::Little),
        ("collision_le.sarc", 3, Endian::Little),
        ("empty_le.sarc", 0, Endian::Little),
        ("evil_names.sarc", 4, Endian::Little),
    ] {
        let Some(bytes) = corpus(name) else { return };
        let findings = sound(&bytes).unwrap();
        assert!(findings.iter().all(|(severity, _)| *severity < Severity::Error), "{name}: {findings:?}");
        let archive = sarc::read(&bytes).unwrap();
        assert_eq!((archive.entries.len(), archive.endian), (files, endian), "{name}");
        // The same bytes again, from names and contents alone.
        let files: Vec<File<'_>> = archive
            .entries
            .iter()
            .rev()
            .map(|entry| File {
                name: archive.name(entry).map(|name| Name(name.to_vec())).ok_or(entry.hash),
                data: archive.file(entry),
                alignment: 0,
            })
            .collect();
        assert_eq!(pack(endian, HASH_KEY, &files).unwrap().write().unwrap(), bytes, "{name}");
    }
}

#[test]
fn names_are_compared_where_hashes_collide() {
    let Some(bytes) = corpus("collision_le.sarc") else { return };
    let archive = sarc::read(&bytes).unwrap();
    let file = |name: &str| archive.file(&archive.entries[archive.find(name.as_bytes()).unwrap()]);
    assert_eq!(file("Shader/tzzqng.bnsh"), b"first");
    assert_eq!(file("Shader/enmaip.bnsh"), b"second");
    assert_eq!(file("n\u{e9}.txt"), b"non-ASCII");
    assert_eq!(sarc::hash(b"Shader/tzzqng.bnsh", HASH_KEY), 0x19a6_bad1);
    assert_eq!(sarc::hash(b"Shader/enmaip.bnsh", HASH_KEY), 0x19a6_bad1);
    let Some(bytes) = corpus("hash_only_le.sarc") else { return };
    let archive = sarc::read(&bytes).unwrap();
    let hash = sarc::hash(b"a/one.bnsh", HASH_KEY);
    assert!(archive.labels().contains(&format!("{hash:#010x}")));
}

#[test]
fn defects_are_named() {
    for (name, code) in [
        ("bad_bom.sarc", "sarc.byte-order"),
        ("bad_count.sarc", "sarc.count"),
        ("bad_range.sarc", "sarc.range"),
        ("bad_order.sarc", "sarc.range"),
        ("bad_name.sarc", "sarc.name"),
    ] {
        let Some(bytes) = corpus(name) else { return };
        let error = sarc::read(&bytes).unwrap_err();
        println!("{name}: {error}");
        assert_eq!(error.diagnostic_code(), code, "{name}");
    }
    let bytes = corpus("bad_hash.sarc").unwrap();
    let findings = sound(&bytes).unwrap();
    for code in ["sarc.hash", "sarc.order"] {
        assert!(findings.contains(&(Severity::Error, code.to_owned())), "{findings:?}");
    }
    let findings = sound(&corpus("evil_names.sarc").unwrap()).unwrap();
    assert_eq!(findings, vec![(Severity::Warning, "sarc.name".to_owned()); 4]);
}

/// An archive of several files of sizes and alignments, as generated from a seed.
fn archive(endian: Endian, sizes: &[(usize, u32)]) -> Sarc<'static> {
    let contents: Vec<Vec<u8>> =
        sizes.iter().enumerate().map(|(index, &(size, _))| vec![index as u8 + 1; size]).collect();
    let files: Vec<File<'_>> = contents
        .iter()
        .zip(sizes)
        .enumerate()
        .map(|(index, (data, &(_, alignment)))| File {
            name: Ok(Name(format!("folder/file{index}.bin").into_bytes())),
            data,
            alignment,
        })
        .collect();
    pack(endian, HASH_KEY, &files).unwrap()
}

#[test]
fn a_file_that_fits_leaves_the_others_in_place() {
    let before = archive(Endian::Big, &[(100, 0x80), (60, 0x80), (200, 0x80), (5, 0)]);
    for index in 0..before.entries.len() {
        for len in [0, 1, before.entries[index].len() as usize] {
            let mut after = before.clone();
            let moved = after.replace(index, &vec![0xee; len]).unwrap();
            assert_eq!(moved.files, 0);
            for (other, (a, b)) in before.entries.iter().zip(&after.entries).enumerate() {
                if other == index {
                    assert_eq!((a.begin, after.file(b)), (b.begin, &vec![0xee; len][..]));
                } else {
                    assert_eq!((a, before.file(a)), (b, after.file(b)));
                }
            }
            sound(&after.write().unwrap()).unwrap();
        }
        // Nothing changed, nothing changes.
        let mut same = before.clone();
        assert!(!same.replace(index, before.file(&before.entries[index])).unwrap().changed);
        assert_eq!(same, before);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_changed_file_is_there_and_the_others_keep_their_alignment(
        sizes in prop::collection::vec((0_usize..300, prop::sample::select(vec![0_u32, 8, 0x20, 0x100])), 1..8),
        big in any::<bool>(), at in 0_usize..8, len in 0_usize..900,
    ) {
        let before = archive(if big { Endian::Big } else { Endian::Little }, &sizes);
        prop_assert!(sound(&before.write().unwrap()).unwrap().is_empty());
        let index = at % sizes.len();
        let file = vec![0xee; len];
        let mut after = before.clone();
        let moved = after.replace(index, &file).unwrap();
        let bytes = after.write().unwrap();
        let findings = sound(&bytes).unwrap();
        prop_assert!(findings.iter().all(|(severity, _)| *severity < Severity::Warning), "{:?}", findings);
        let read = sarc::read(&bytes).unwrap();
        let mut elsewhere = 0;
        for (other, (a, b)) in before.entries.iter().zip(&read.entries).enumerate() {
            prop_assert_eq!((a.hash, a.attribute), (b.hash, b.attribute));
            if other == index {
                prop_assert_eq!(read.file(b), &file[..]);
                continue;
            }
            prop_assert_eq!(before.file(a), read.file(b));
            elsewhere += usize::from(a.begin != b.begin);
            let name = before.name(a).unwrap();
            let alignment = sizes[name[b"folder/file".len()..][0] as usize - usize::from(b'0')].1.max(4);
            let place = before.data_offset() as u32 + b.begin;
            // Where a gap showed the alignment, it holds still; a neighbour without a gap showed none.
            let shown = before.entries.iter().all(|other| other.end != a.begin) && a.begin > 0;
            prop_assert!(!shown || a.is_empty() || place.is_multiple_of(alignment), "{:#x} {:#x}", place, alignment);
        }
        prop_assert_eq!(elsewhere, moved.files);
    }

    #[test]
    fn any_table_is_refused_or_read(
        entries in prop::collection::vec((any::<u32>(), 0_u32..4, 0_u32..64, 0_u32..64), 0..6),
        names in prop::collection::vec(0_u8..3, 0..24), data in prop::collection::vec(any::<u8>(), 0..64),
        big in any::<bool>(),
    ) {
        let endian = if big { Endian::Big } else { Endian::Little };
        let entries: Vec<_> = entries
            .into_iter()
            .map(|(hash, name, begin, end)| sarc::Entry { hash, attribute: name << 24 | name, begin, end })
            .collect();
        let sarc = Sarc {
            endian, size: 0, version: 0x100, reserved: 0, hash_key: HASH_KEY, names_reserved: 0, entries,
            names: names.into(), data: data.into(),
        };
        let bytes = sarc.write().unwrap();
        if sound(&bytes).is_some() {
            let mut changed = sarc::read(&bytes).unwrap();
            for index in 0..changed.entries.len() {
                let before = changed.clone();
                changed.replace(index, b"twelve bytes").unwrap();
                for (other, entry) in changed.entries.iter().enumerate() {
                    let expected: &[u8] =
                        if other == index { b"twelve bytes" } else { before.file(&before.entries[other]) };
                    prop_assert_eq!(changed.file(entry), expected, "{} of {:?}", other, before);
                }
                sound(&changed.write().unwrap()).unwrap();
            }
        }
    }
}

#[test]
fn cut_and_flipped_archives() {
    let small = archive(Endian::Big, &[(9, 0), (0, 0), (33, 0x20)]).write().unwrap();
    let read = (0..=small.len()).filter(|&len| sound(&small[..len]).is_some()).count();
    println!("{read} of {} prefixes can be read", small.len() + 1);
    let mut damaged = small.clone();
    let mut read = 0;
    for bit in 0..small.len() * 8 {
        damaged[bit / 8] ^= 1 << (bit % 8);
        read += usize::from(sound(&damaged).is_some());
        damaged[bit / 8] ^= 1 << (bit % 8);
    }
    println!("{read} of {} flips can be read", small.len() * 8);
    assert!(read > small.len());
}
