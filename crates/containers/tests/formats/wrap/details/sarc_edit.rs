//! SARC: another file in the place of one, to the byte.

use unshade_bytes::Endian;
use unshade_containers::wrap::sarc::{self, Entry, HASH_KEY, Moved, Sarc};

/// An archive without names: files at these places of the data.
fn archive(ranges: &[(u32, u32)], data: &[u8]) -> Sarc<'static> {
    let entries: Vec<Entry> = ranges
        .iter()
        .zip(1..)
        .map(|(&(begin, end), hash)| Entry { hash, attribute: 0, begin, end })
        .collect();
    let mut sarc = Sarc {
        endian: Endian::Little,
        size: 0,
        version: 0x100,
        reserved: 0,
        hash_key: HASH_KEY,
        names_reserved: 0,
        entries,
        names: Vec::new().into(),
        data: data.to_vec().into(),
    };
    sarc.size = sarc.write().unwrap().len() as u32;
    sarc
}

/// The places of all files after one was replaced, the data, and how many others moved.
fn after(ranges: &[(u32, u32)], data: &[u8], index: usize, new: &[u8]) -> (Vec<(u32, u32)>, Vec<u8>, usize) {
    let before = archive(ranges, data);
    let mut sarc = before.clone();
    let moved = sarc.replace(index, new).unwrap();
    assert!(moved.changed);
    assert_eq!(sarc.size as usize, sarc.write().unwrap().len());
    for (other, (a, b)) in before.entries.iter().zip(&sarc.entries).enumerate() {
        assert_eq!(sarc.file(b), if other == index { new } else { before.file(a) }, "{other}");
    }
    let places = sarc.entries.iter().map(|entry| (entry.begin, entry.end)).collect();
    (places, sarc.data.to_vec(), moved.files)
}

/// Bytes of a length with some of them set.
fn bytes(len: usize, set: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![0; len];
    for (at, new) in set {
        bytes[*at..*at + new.len()].copy_from_slice(new);
    }
    bytes
}

#[test]
fn files_without_gaps_are_pushed() {
    let files = [(0, 4), (4, 8), (8, 12)];
    let found = after(&files, b"aaaabbbbcccc", 0, b"AAAAAAAA");
    assert_eq!(found, (vec![(0, 8), (8, 12), (12, 16)], b"AAAAAAAAbbbbcccc".to_vec(), 2));
    // To the next multiple of 4.
    let found = after(&files, b"aaaabbbbcccc", 1, b"BBBBB");
    assert_eq!(found, (vec![(0, 4), (4, 9), (12, 16)], b"aaaaBBBBB\0\0\0cccc".to_vec(), 1));
    // What fits moves nothing, and leaves zeros.
    let found = after(&files, b"aaaabbbbcccc", 1, b"B");
    assert_eq!(found, (vec![(0, 4), (4, 5), (8, 12)], b"aaaaB\0\0\0cccc".to_vec(), 0));
    // The last one takes the end of the archive with it.
    let found = after(&files, b"aaaabbbbcccc", 2, b"C");
    assert_eq!(found, (vec![(0, 4), (4, 8), (8, 9)], b"aaaabbbbC".to_vec(), 0));
    let found = after(&files, b"aaaabbbbcccc", 2, b"CCCCCC");
    assert_eq!(found, (vec![(0, 4), (4, 8), (8, 14)], b"aaaabbbbCCCCCC".to_vec(), 0));
}

#[test]
fn gaps_take_up_the_difference() {
    // Three files: the data starts at 0x58, so that 0x28 is at 0x80 of the file.
    let files = [(0, 4), (0x28, 0x2c), (0x2c, 0x30)];
    let data = bytes(0x30, &[(0, b"aaaa"), (0x28, b"bbbbcccc")]);
    let fits = vec![b'A'; 0x28];
    assert_eq!(after(&files, &data, 0, &fits).0, [(0, 0x28), (0x28, 0x2c), (0x2c, 0x30)]);
    // One byte too many: on to the next multiple of 0x80; what follows on without a gap does so again.
    let found = after(&files, &data, 0, &[b'A'; 0x29]);
    assert_eq!((found.0, found.2), (vec![(0, 0x29), (0xa8, 0xac), (0xac, 0xb0)], 2));
    // A file further away stays where it is, and so do all behind it.
    let files = [(0, 4), (0x28, 0x2c), (0x128, 0x12c), (0x12c, 0x130)];
    let data = bytes(0x130, &[(0, b"aaaa"), (0x28, b"bbbb"), (0x128, b"ccccdddd")]);
    let found = after(&files, &data, 0, &[b'A'; 0x40]);
    let at_ten = vec![(0, 0x40), (0x48, 0x4c), (0x128, 0x12c), (0x12c, 0x130)];
    assert_eq!((found.0, found.1.len(), found.2), (at_ten, 0x130, 1));
    // No more than 0x2000 is taken for intended.
    let start = 0x4000 - 0x58;
    let files = [(0, 4), (start, start + 4), (start + 4, start + 8)];
    let data = bytes(start as usize + 8, &[(0, b"aaaa"), (start as usize, b"bbbbcccc")]);
    let found = after(&files, &data, 0, &vec![b'A'; start as usize + 1]);
    assert_eq!(found.0[1], (start + 0x2000, start + 0x2004));
    // A file that has no bytes has no place to keep.
    let found = after(&[(0, 4), (5, 5), (8, 12)], b"aaaa\0\0\0\0cccc", 0, b"AAAAAAA");
    assert_eq!((found.0, found.2), (vec![(0, 7), (7, 7), (8, 12)], 1));
}

#[test]
fn bytes_that_nobody_has_stay() {
    // In front of a file: they go with it, and the file keeps its multiple, here 0x20 (0x58 and 8 are 0x60).
    let files = [(0, 4), (8, 12), (12, 16)];
    let data = b"aaaazz\0\0bbbbcccc";
    let found = after(&files, data, 0, b"AAAAA");
    assert_eq!((found.0, found.2), (vec![(0, 5), (0x28, 0x2c), (0x2c, 0x30)], 2));
    assert_eq!(found.1, bytes(0x30, &[(0, b"AAAAA"), (0x24, b"zz\0\0bbbbcccc")]));
    let found = after(&files, data, 0, b"A");
    assert_eq!((found.0, found.1), (vec![(0, 1), (8, 12), (12, 16)], b"A\0\0\0zz\0\0bbbbcccc".to_vec()));
    // Behind the last one.
    let files = [(0, 4), (4, 8)];
    let found = after(&files, b"aaaabbbbzz", 1, b"BB");
    assert_eq!((found.0, found.1), (vec![(0, 4), (4, 6)], b"aaaaBB\0\0zz".to_vec()));
    let found = after(&files, b"aaaabbbbzz", 0, b"AAAAAA");
    assert_eq!((found.0, found.1), (vec![(0, 6), (8, 12)], b"AAAAAA\0\0bbbbzz".to_vec()));
}

#[test]
fn shared_bytes_stay_with_the_others() {
    let files = [(0, 8), (4, 8), (8, 12)];
    let found = after(&files, b"aaaabbbbcccc", 0, b"new");
    assert_eq!(found, (vec![(12, 15), (4, 8), (8, 12)], b"aaaabbbbccccnew".to_vec(), 0));
    // A file without bytes shares none.
    let found = after(&[(0, 8), (4, 4)], b"aaaabbbb", 0, b"A");
    assert_eq!(found, (vec![(0, 1), (4, 4)], b"A\0\0\0".to_vec(), 0));
    // Several that share bytes move as one.
    let found = after(&[(0, 4), (4, 8), (4, 12), (8, 12)], b"aaaabbbbcccc", 0, b"AAAAA");
    assert_eq!((found.0, found.2), (vec![(0, 5), (8, 12), (8, 16), (12, 16)], 3));
    // At the end it starts at the multiple that it had, where a gap showed one: 0x80, and no more than 0x2000.
    let files = [(0, 4), (0x28, 0x30), (0x28, 0x30)];
    let data = bytes(0x30, &[(0, b"aaaa"), (0x28, b"bbbbbbbb")]);
    assert_eq!(after(&files, &data, 1, b"new").0[1], (0xa8, 0xab));
    let start = 0x4000 - 0x58;
    let files = [(0, 4), (start, start + 8), (start, start + 8)];
    let data = bytes(start as usize + 8, &[(0, b"aaaa"), (start as usize, b"bbbbbbbb")]);
    assert_eq!(after(&files, &data, 1, b"new").0[1], (start + 0x2000, start + 0x2003));
    // Without a gap: what its kind wants.
    let files = [(0, 0x28), (0x28, 0x30), (0x28, 0x30)];
    let data = bytes(0x30, &[(0, &[b'a'; 0x28]), (0x28, b"bbbbbbb\xbb")]);
    assert_eq!(after(&files, &data, 1, b"new").0[1], (0x30, 0x33));
}

#[test]
fn a_file_without_bytes_gets_some_at_the_end() {
    let found = after(&[(0, 4), (4, 4), (4, 7)], b"aaaaccc", 1, b"new");
    assert_eq!(found, (vec![(0, 4), (8, 11), (4, 7)], b"aaaaccc\0new".to_vec(), 0));
}

#[test]
fn what_the_header_claims_stays_where_it_was_wrong() {
    let mut sarc = archive(&[(0, 4), (4, 8)], b"aaaabbbb");
    assert_eq!(sarc.replace(0, b"aaaa").unwrap(), Moved::default());
    let error = sarc.replace(2, b"x").unwrap_err();
    assert_eq!(
        (error.code, error.path.as_str(), error.found.as_ref()),
        ("sarc.replace", "sfat[2]", "2 entries")
    );
    sarc.size = 0x51;
    assert_eq!(sarc.replace(0, b"A").unwrap(), Moved { changed: true, files: 0 });
    assert_eq!(sarc.size, 0x51);
    assert_eq!(sarc::read(&sarc.write().unwrap()).unwrap(), sarc);
}
