//! zstd files: frames, dictionaries, bounds, and what is written.
#![allow(clippy::indexing_slicing)]

use crate::common;
use unshade_bytes::ErrorKind;
use unshade_containers::wrap::{
    manifest::extract_wrapper,
    nest::{Found, Source, dictionaries, replace, walk},
    zstd::{self, Dictionaries, FrameKind},
};

fn corpus(name: &str) -> Option<Vec<u8>> {
    Some(std::fs::read(common::shared("corpus/wrappers")?.join(name)).unwrap())
}

/// Content that packs to sequences and to literals.
fn sample(len: usize) -> Vec<u8> {
    (0..len as u32)
        .map(|n| if n % 97 < 60 { (n % 13) as u8 } else { (n.wrapping_mul(2_654_435_761) >> 24) as u8 })
        .collect()
}

/// A frame of blocks that are not compressed: header written by hand, without the encoder under test.
fn raw_frame(content: &[u8], size: bool, blocks: usize) -> Vec<u8> {
    let mut file = vec![0x28, 0xb5, 0x2f, 0xfd];
    if size {
        file.push(0xa0);
        file.extend((content.len() as u32).to_le_bytes());
    } else {
        file.extend([0x00, 0x70]);
    }
    let step = content.len().div_ceil(blocks).max(1);
    let mut parts: Vec<&[u8]> = content.chunks(step).collect();
    if parts.is_empty() {
        parts.push(&[]);
    }
    for (index, part) in parts.iter().enumerate() {
        let last = u32::from(index + 1 == parts.len());
        file.extend(&((part.len() as u32) << 3 | last).to_le_bytes()[..3]);
        file.extend(*part);
    }
    file
}

#[test]
fn frames_follow_each_other() {
    let none = Dictionaries::default();
    let (a, b) = (sample(5000), sample(300));
    let skipped = [&[0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    let bytes = [&raw_frame(&a, true, 3)[..], &skipped, &raw_frame(&b, false, 1)].concat();
    let file = zstd::read(&bytes, &none).unwrap();
    assert_eq!(file.data, [&a[..], &b].concat());
    assert_eq!(file.frames.len(), 3);
    assert_eq!(file.frames[1].kind, FrameKind::Skippable { magic: 0x184d_2a5a });
    assert!(file.write() == bytes && file.tail.is_empty());
    assert_eq!(file.check().iter().map(|found| found.code.to_string()).collect::<Vec<_>>(), ["zstd.no-size"]);
    assert_eq!(file.tree().coverage(bytes.len() as u64).unowned().next(), None);
    // A file may start with what is skipped, and end with what is no frame.
    let bytes = [&skipped[..], &raw_frame(&b, true, 1), b"end"].concat();
    let file = zstd::read(&bytes, &none).unwrap();
    assert_eq!((file.data.as_slice(), &*file.tail), (&b[..], &b"end"[..]));
    assert!(file.write() == bytes);
    assert_eq!(file.check().last().unwrap().code, "zstd.trailing");
    assert_eq!(file.tree().coverage(bytes.len() as u64).unowned().next(), None);
}

#[test]
fn what_changes_is_packed_anew() {
    let none = Dictionaries::default();
    for len in [0, 1, 255, 256, 5000, 300_000] {
        let data = sample(len);
        let bytes = raw_frame(&data, true, 4);
        let mut file = zstd::read(&bytes, &none).unwrap().into_owned();
        assert!(!file.replace(data.clone()).unwrap() && file.write() == bytes);
        let new = [&data[..], b"more"].concat();
        assert!(file.replace(new.clone()).unwrap());
        let written = file.write();
        assert_eq!(zstd::read(&written, &none).unwrap().data, new);
        assert!(len < 5000 || written.len() < new.len(), "{len}: {}", written.len());
        let parts = extract_wrapper(&bytes).unwrap();
        assert_eq!(unshade_containers::parts::build_whole(&parts).unwrap(), bytes);
    }
}

#[test]
fn the_corpus_unpacks() {
    let Some(dictionary) = corpus("ZsDic.pack.zs") else { return };
    let known = dictionaries(&dictionary).unwrap();
    let ids: Vec<u32> = known.0.iter().map(|dictionary| dictionary.id).collect();
    assert_eq!(ids.len(), 2, "{ids:?}");
    let plain = corpus("demo.bfsha.zs").unwrap();
    let expected = zstd::read(&plain, &known).unwrap().data;
    assert!(expected.starts_with(b"FSHA"));
    for name in ["demo_dict.bfsha.zs", "demo_nosize.bfsha.zs"] {
        assert!(zstd::read(&corpus(name).unwrap(), &known).unwrap().data == expected, "{name}");
    }
    for name in ["demo.pack.zs", "demo_wrongdict.pack.zs"] {
        let bytes = corpus(name).unwrap();
        assert!(zstd::read(&bytes, &known).unwrap().data.starts_with(b"SARC"), "{name}");
        let inside =
            walk(Source::new(&bytes, &known), &[]).filter(|found| matches!(found, Found::File { .. }));
        assert!(inside.count() > 0, "{name}");
    }
    let two = corpus("two_frames.zs").unwrap();
    let file = zstd::read(&two, &known).unwrap();
    assert!(file.frames.len() == 3 && file.write() == two);
    // Without the dictionary: which one is missing, and how to give it.
    let dict = corpus("demo_dict.bfsha.zs").unwrap();
    let error = zstd::read(&dict, &Dictionaries::default()).unwrap_err();
    assert_eq!((error.kind, error.diagnostic_code()), (ErrorKind::Unsupported, "zstd.dictionary"));
    assert!(error.to_string().contains("--dictionary"), "{error}");
    // Only the other one.
    let wanted = zstd::read(&dict, &known).unwrap().dictionaries();
    let others = Dictionaries(known.0.iter().filter(|known| !wanted.contains(&known.id)).cloned().collect());
    assert_eq!(zstd::read(&dict, &others).unwrap_err().diagnostic_code(), "zstd.dictionary");
    // A change is packed without the dictionary.
    let chain = walk(Source::new(&dict, &known), &[])
        .find_map(|found| match found {
            Found::File { chain, .. } => Some(chain),
            _ => None,
        })
        .unwrap();
    let same = replace(Source::new(&dict, &known), &chain, expected.clone()).unwrap();
    assert!(same.bytes == dict && same.notes.is_empty());
    let new = [&expected[..], &[0; 16]].concat();
    let changed = replace(Source::new(&dict, &known), &chain, new.clone()).unwrap();
    assert!(changed.notes[0].contains("without a dictionary"), "{:?}", changed.notes);
    assert!(zstd::read(&changed.bytes, &Dictionaries::default()).unwrap().data == new);
    let parts = extract_wrapper(Source::new(&dict, &known)).unwrap();
    assert!(unshade_containers::parts::build_whole(&parts).unwrap() == dict);
    let cut = corpus("bad_truncated.zs").unwrap();
    assert_eq!(zstd::read(&cut, &known).unwrap_err().diagnostic_code(), "zstd.truncated");
}

#[test]
fn a_dictionary_beside_the_file_is_found() {
    let Some(dictionary) = corpus("ZsDic.pack.zs") else { return };
    let packed = corpus("demo_dict.bfsha.zs").unwrap();
    let known = dictionaries(&dictionary).unwrap();
    let file = |name: &str, data: &[u8]| (name.to_owned(), data.to_vec());
    let mut files = vec![file("a.bfsha.zs", &packed)];
    files.extend(known.0.iter().map(|one| file(&format!("z{}.zsdic", one.id), &one.bytes)));
    let files: Vec<_> = files
        .iter()
        .map(|(name, data)| unshade_containers::wrap::sarc::File {
            name: Ok(name.as_str().into()),
            data,
            alignment: 0,
        })
        .collect();
    let archive = unshade_containers::wrap::sarc::pack(unshade_bytes::Endian::Little, 0x65, &files)
        .unwrap()
        .write()
        .unwrap();
    let found = walk(&archive, &["a.bfsha.zs".to_owned()]).any(|found| match found {
        Found::File { piece, .. } => piece.bytes(&archive).starts_with(b"FSHA"),
        _ => false,
    });
    assert!(found);
}

#[test]
fn bounds_hold() {
    let none = Dictionaries::default();
    // Blocks that repeat one byte: 3 bytes for 128 KiB.
    let mut bomb = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x70];
    for index in 0..8192_u32 {
        bomb.extend(&(0x2_0000_u32 << 3 | 1 << 1 | u32::from(index == 8191)).to_le_bytes()[..3]);
        bomb.push(0);
    }
    let error = zstd::read_within(&bomb, 4 << 20, &none).unwrap_err();
    assert_eq!((error.kind, error.diagnostic_code()), (ErrorKind::LimitExceeded, "zstd.too-long"));
    assert!(
        matches!(walk(&bomb, &[]).last(), Some(Found::Failed { error, .. }) if error.code == "wrap.unpacked")
    );
    // A size that nobody believes.
    let mut liar = vec![0x28, 0xb5, 0x2f, 0xfd, 0xe0];
    liar.extend((1_u64 << 60).to_le_bytes());
    liar.extend([1, 0, 0]);
    assert_eq!(zstd::read(&liar, &none).unwrap_err().diagnostic_code(), "zstd.too-long");
    let mut short = raw_frame(b"abcdef", true, 1);
    short[5] = 7;
    assert_eq!(zstd::read(&short, &none).unwrap_err().diagnostic_code(), "zstd.content-size");
    // Every cut, and every bit.
    let mut whole = zstd::encode(&sample(700));
    whole.extend(raw_frame(&sample(100), true, 2));
    for len in 0..whole.len() {
        let _ = zstd::read(&whole[..len], &none);
    }
    for bit in 0..whole.len() * 8 {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        if let Ok(file) = zstd::read(&flipped, &none) {
            assert!(file.write() == flipped);
            assert_eq!(file.tree().coverage(flipped.len() as u64).unowned().next(), None);
        }
    }
}
