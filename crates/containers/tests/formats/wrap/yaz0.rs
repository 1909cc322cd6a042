//! Yaz0: what the corpus and generated data say of the decoder and the encoders.

use crate::common;
use proptest::prelude::*;
use unshade_bytes::{Coverage, ErrorKind};
use unshade_containers::wrap::yaz0::{self, Level, Yaz0};

/// A file with this content.
fn packed(data: &[u8], level: Level) -> Vec<u8> {
    let stream = yaz0::encode(data, level).into();
    Yaz0 { alignment: 0, reserved: 0, stream, tail: Vec::new().into(), data: data.to_vec() }.write().unwrap()
}

/// Every level gives the data back; no level is worse than the one before. The sizes of the streams.
fn levels(data: &[u8]) -> [usize; 4] {
    let sizes = Level::ALL.map(|level| {
        let file = packed(data, level);
        let read = yaz0::read(&file).unwrap_or_else(|error| panic!("{level:?}: {error}"));
        assert!(read.data == data, "{level:?} gives other bytes");
        assert!(read.tail.is_empty(), "{level:?}: {} bytes too many", read.tail.len());
        assert_eq!(read.write().unwrap(), file);
        read.stream.len()
    });
    let [store, fast, normal, best] = sizes;
    assert_eq!(store, data.len() + data.len().div_ceil(8));
    assert!(best <= normal && normal <= store && best <= fast && fast <= store, "{sizes:?}");
    sizes
}

#[test]
fn any_data_comes_back_at_every_level() {
    for data in [&b""[..], b"a", b"ab", b"abc", b"aaaa", b"abababababab", b"abcabcabcabcabcd"] {
        levels(data);
    }
    // Lengths around the limits of the two kinds of copy, distances around the window.
    for length in (1..=20).chain([271, 272, 273, 274, 275, 546, 547, 548]) {
        levels(&vec![7; length]);
        for distance in [1, 2, 3, 17, 255, 256, 4094, 4095, 4096, 4097] {
            let mut data: Vec<u8> = (0..distance as u32).map(|n| ((n * n) >> 3) as u8).collect();
            data.extend_from_within(..length.min(distance));
            levels(&data);
        }
    }
    let zeros = levels(&[0; 100_000]);
    // One literal, then copies of 273: 3 bytes each, and a flag byte for eight.
    let copies = (100_000 - 1_usize).div_ceil(273);
    assert_eq!(zeros[3], 1 + copies * 3 + (copies + 1).div_ceil(8));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn random_bytes(data in prop::collection::vec(any::<u8>(), 0..3000)) {
        levels(&data);
    }

    #[test]
    fn few_symbols(data in prop::collection::vec(0_u8..3, 0..6000)) {
        levels(&data);
    }

    #[test]
    fn repeated_pieces(
        pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..60), 1..8),
        order in prop::collection::vec((0_usize..8, 1_usize..7), 0..200),
    ) {
        let data: Vec<u8> =
            order.iter().flat_map(|&(at, step)| pieces[at % pieces.len()].iter().copied().step_by(step)).collect();
        levels(&data);
    }

    #[test]
    fn any_stream_is_refused_or_read(
        size in 0_u32..400, stream in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        let file = [b"Yaz0", &size.to_be_bytes()[..], &[0; 8], &stream].concat();
        if let Ok(read) = yaz0::read(&file) {
            prop_assert_eq!(read.data.len(), size as usize);
            prop_assert_eq!(read.write().unwrap(), file);
        }
    }
}

/// The file of that name in the corpus, if the corpus is there.
fn corpus(name: &str) -> Option<Vec<u8>> {
    Some(std::fs::read(common::shared("corpus/wrappers")?.join(name)).unwrap())
}

#[test]
fn the_vendors_rule_gives_the_same_stream_as_an_independent_encoder() {
    for name in [
        "lazy.szs",
        "demo_le.szs",
        "demo_be.szs",
        "demo.sbfsha",
        "nested_le.szs",
        "nested_be.szs",
        "far.yaz0",
    ] {
        let Some(bytes) = corpus(name) else { return };
        let read = yaz0::read(&bytes).unwrap();
        let normal = yaz0::encode(&read.data, Level::Normal);
        assert!(normal == *read.stream, "{name}: {} bytes, theirs {}", normal.len(), read.stream.len());
        let best = yaz0::encode(&read.data, Level::Best);
        println!("{name}: {} bytes; best {}", normal.len(), best.len());
        assert!(best.len() <= normal.len());
    }
    let stored = corpus("stored.szs").unwrap();
    let read = yaz0::read(&stored).unwrap();
    assert_eq!(yaz0::encode(&read.data, Level::Store), *read.stream);
}

#[test]
fn legal_oddities_stay() {
    for (name, alignment, reserved, tail, size) in [
        ("empty.yaz0", 0, 0, 0, 0),
        ("trailing.yaz0", 0, 0, 11, 21),
        ("reserved.yaz0", 0x1122_3344, 0xdead_beef, 0, 17),
        ("overlap.yaz0", 0, 0, 0, 274),
        ("far.yaz0", 0, 0, 0, 4144),
        ("greedy.szs", 0x80, 0, 0, 0),
        ("bomb_4m.yaz0", 0, 0, 0, 4_195_192),
    ] {
        let Some(bytes) = corpus(name) else { return };
        let read = yaz0::read(&bytes).unwrap();
        assert_eq!((read.alignment, read.reserved, read.tail.len()), (alignment, reserved, tail), "{name}");
        assert!(size == 0 || read.data.len() == size, "{name}: {}", read.data.len());
        assert_eq!(read.write().unwrap(), bytes, "{name}");
        let coverage: Coverage = read.tree().coverage(bytes.len() as u64);
        assert_eq!(coverage.unowned().count(), 0, "{name}");
        // With other bytes inside, the words of the header stay.
        let mut changed = read.clone();
        assert!(
            changed.replace(b"other".to_vec(), Level::Normal)
                && !changed.replace(b"other".to_vec(), Level::Best)
        );
        let written = changed.write().unwrap();
        let again = yaz0::read(&written).unwrap();
        assert_eq!((again.alignment, again.reserved, &again.data[..]), (alignment, reserved, &b"other"[..]));
    }
    assert_eq!(yaz0::read(&corpus("overlap.yaz0").unwrap()).unwrap().data, [b'A'; 274]);
    let codes = |name| -> Vec<_> {
        let bytes = corpus(name).unwrap();
        let read = yaz0::read(&bytes).unwrap();
        read.check().into_iter().map(|found| found.code.into_owned()).collect()
    };
    assert_eq!(codes("reserved.yaz0"), ["yaz0.alignment", "yaz0.reserved"]);
    assert_eq!(codes("trailing.yaz0"), ["yaz0.trailing"]);
    assert!(codes("lazy.szs").is_empty());
}

#[test]
fn defects_are_named() {
    for (name, code, kind, offset) in [
        ("bad_size_4g.yaz0", "yaz0.size", ErrorKind::BadValue, 4),
        ("bad_truncated.szs", "yaz0.size", ErrorKind::BadValue, 4),
        ("bad_distance.yaz0", "yaz0.distance", ErrorKind::BadValue, 18),
        ("bad_overrun.yaz0", "yaz0.overrun", ErrorKind::BadValue, 18),
        ("bad_magic.yaz0", "yaz0.magic", ErrorKind::BadMagic, 0),
    ] {
        let Some(bytes) = corpus(name) else { return };
        let error = yaz0::read(&bytes).unwrap_err();
        println!("{name}: {error}");
        assert_eq!((error.diagnostic_code(), error.kind, error.offset), (code, kind, offset), "{name}");
    }
    // More than so short a stream can hold: no memory is asked for.
    let error = yaz0::read(b"Yaz0\0\0\x10\0\0\0\0\0\0\0\0\0\xff12345678").unwrap_err();
    assert_eq!((error.diagnostic_code(), error.kind), ("yaz0.size", ErrorKind::BadValue));
    // A file that was cut near its end: the size may be right, but the stream ends.
    let whole = corpus("lazy.szs").unwrap();
    let error = yaz0::read(&whole[..whole.len() - 20]).unwrap_err();
    assert_eq!((error.diagnostic_code(), error.offset), ("yaz0.truncated", whole.len() as u64 - 20));
    let error = yaz0::read_within(&whole, 100).unwrap_err();
    assert_eq!((error.diagnostic_code(), error.kind), ("yaz0.too-long", ErrorKind::LimitExceeded));
    for len in 0..16 {
        assert_eq!(
            yaz0::read(&b"Yaz0\0\0\0\0\0\0\0\0\0\0\0\0"[..len]).unwrap_err().kind,
            ErrorKind::Truncated
        );
    }
}

#[test]
fn padding_is_made_anew_and_other_bytes_stay() {
    let file = |tail: &[u8]| [&packed(b"hello hello hello", Level::Normal), tail].concat();
    let len = file(b"").len();
    for (multiple, tail) in [(32, 32 - len % 32), (16, 16 - len % 16)] {
        let padded = file(&vec![0; tail]);
        let mut read = yaz0::read(&padded).unwrap();
        read.replace(b"something else altogether".to_vec(), Level::Best);
        let written = read.write().unwrap();
        assert!(written.len().is_multiple_of(multiple), "{}", written.len());
        assert_eq!(yaz0::read(&written).unwrap().data, b"something else altogether");
    }
    let kept = file(b"signed");
    let mut read = yaz0::read(&kept).unwrap();
    read.replace(b"x".to_vec(), Level::Store);
    assert!(read.write().unwrap().ends_with(b"signed"));
}
