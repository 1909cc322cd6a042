//! What is found in bytes that nobody knows, and where it ends.

use super::sample;
use unshade_bytes::Endian;
use unshade_containers::{
    Container, Name, detect,
    wrap::{
        inside::{Inside, wrappers},
        nest::Wrapper,
        sarc::{File, HASH_KEY, pack},
        scan::{Blob, Piece, Place, behind, places_before, scan},
        yaz0,
    },
};

fn archive(endian: Endian) -> Vec<u8> {
    let file = File { name: Ok(Name::from("a")), data: b"aaaaa", alignment: 0 };
    pack(endian, HASH_KEY, &[file]).unwrap().write().unwrap()
}

fn yaz0_file() -> Vec<u8> {
    [&b"Yaz0\0\0\0\x08\0\0\0\0\0\0\0\0"[..], &yaz0::encode(b"12345678", yaz0::Level::Store)].concat()
}

fn ranges(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    wrappers(bytes).map(|found| found.range).collect()
}

#[test]
fn archives_end_where_they_say() {
    for endian in [Endian::Little, Endian::Big] {
        let mut bytes = archive(endian);
        let len = bytes.len();
        bytes.extend(b"more");
        assert_eq!(wrappers(&bytes).collect::<Vec<_>>(), [Inside { range: 0..len, kind: Wrapper::Sarc }]);
        let with = |at: usize, value: u32| {
            let mut changed = bytes.clone();
            changed[at..at + 4].copy_from_slice(&match endian {
                Endian::Little => value.to_le_bytes(),
                Endian::Big => value.to_be_bytes(),
            });
            ranges(&changed)
        };
        // All there is; more than that; less than the file in it needs; data behind the end.
        let all = bytes.len() as u32;
        assert_eq!(with(8, all), [0..bytes.len()]);
        assert_eq!(with(8, all + 1), []);
        assert_eq!(with(8, len as u32 - 1), []);
        assert_eq!(with(0xc, len as u32 + 1), []);
        // An empty one ends with its tables.
        let empty = pack(endian, HASH_KEY, &[]).unwrap().write().unwrap();
        assert_eq!(ranges(&[&empty[..], b"more"].concat()), [0..empty.len()]);
    }
}

#[test]
fn false_starts_leave_enough_for_what_follows() {
    // What an archive says of its tables costs nothing where it cannot be.
    let wrong = [&b"SARC\x14\0\xff\xfe\x10\0\0\0\xff\xff\xff\xff"[..], &yaz0_file()].concat();
    assert_eq!(ranges(&wrong), [16..41]);
    // Streams that all go on to the end: of a small file all are followed.
    let mut streams = Vec::new();
    for _ in 0..60 {
        streams.extend(b"Yaz0\0\0\xff\xff");
        streams.extend([0xff; 28]);
    }
    let start = streams.len();
    streams.extend(yaz0_file());
    assert_eq!(ranges(&streams), [start..start + 25]);
}

#[test]
fn models_end_where_they_say() {
    let models = sample("model.bfres");
    let bytes = [&models[..], b"more"].concat();
    assert_eq!(ranges(&bytes), [0..models.len()]);
    assert_eq!(wrappers(&bytes).next().unwrap().kind, Wrapper::Bfres);
    let mut longer = bytes.clone();
    let size = models.len() as u32 + 5;
    assert_eq!(&models[0x1c..0x20], &(models.len() as u32).to_le_bytes());
    longer[0x1c..0x20].copy_from_slice(&size.to_le_bytes());
    assert_eq!(ranges(&longer), []);
}

#[test]
fn what_follows_starts_at_the_next_multiple_of_four() {
    let one = yaz0_file();
    assert_eq!(one.len(), 25);
    for (padding, found) in [(0, 1), (1, 1), (2, 1), (3, 2), (4, 1), (7, 2)] {
        let bytes = [&one[..], &vec![0; padding], &one].concat();
        let places = ranges(&bytes);
        assert_eq!(places.len(), found, "{padding}");
        assert_eq!(places[0], 0..25);
        assert!(found == 1 || places[1] == (25 + padding..50 + padding));
        // Both kinds of places in one pass.
        let all: Vec<usize> = places_before(&bytes, bytes.len())
            .map(|place| match place {
                Place::Wrapper(inside) => inside.range.start,
                Place::Container(_) => panic!("a container"),
            })
            .collect();
        assert_eq!(all, places.iter().map(|place| place.start).collect::<Vec<_>>());
    }
    // At the start, in front of a bound, and at it.
    let bytes = [&[0xa5; 16][..], &one].concat();
    for (before, count) in [(0, 0), (16, 0), (17, 1), (100, 1), (usize::MAX, 1)] {
        assert_eq!(places_before(&bytes, before).count(), count, "{before}");
    }
    // A wrapper without content takes its header.
    assert_eq!(ranges(b"Yaz0\0\0\0\0\0\0\0\0\0\0\0\0Yaz0\0\0\0\0\0\0\0\0\0\0\0\0"), [0..16, 16..32]);
}

#[test]
fn containers_are_found_where_they_lie() {
    for name in
        ["loops.shbin", "phong.frag.mbs", "blur.gsh", "surface.sharcfb", "two_stages.bnsh", "options.bfsha"]
    {
        let file = sample(name);
        let mut bytes = vec![0xa5; 8];
        bytes.extend(&file);
        let padded = bytes.len().next_multiple_of(4);
        bytes.resize(padded, 0xa5);
        bytes.extend(yaz0_file());
        let found: Vec<Place> = places_before(&bytes, bytes.len()).collect();
        let [Place::Container(container), Place::Wrapper(inside)] = found.as_slice() else {
            panic!("{name}: {found:?}")
        };
        assert_eq!((container.offset, inside.range.start), (8, padded), "{name}");
        let len = container.len as usize;
        assert_eq!(len, file.len(), "{name}");
        assert_eq!(container.container, Container::read(&file).unwrap(), "{name}");
        let rest = behind(&bytes[8..]).count();
        assert_eq!(rest, 0, "{name}");
    }
}

#[test]
fn shaders_take_the_zeros_that_fill_them_up() {
    let shader = sample("loops.shbin");
    let Ok(Container::Shbin(_)) = Container::read(&shader) else { panic!("no SHBIN") };
    // The end of the last table, whatever stands behind it.
    let end = shader.len();
    let cut = [&shader[..], &[1; 8]].concat();
    let found: Vec<_> = scan(&cut).map(|found| (found.offset, found.len)).collect();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].0, found[0].1 as usize), (0, end));
    let two = [&shader[..], &shader].concat();
    assert_eq!(scan(&two).map(|found| found.offset as usize).collect::<Vec<_>>(), [0, end]);
}

#[test]
fn a_blob_is_its_pieces() {
    let shader = sample("loops.shbin");
    let bytes = [b"head", &shader[..], b"between!", &shader[..], b"tail"].concat();
    let blob = Blob::read(&bytes);
    let kinds: Vec<Option<Vec<u8>>> = blob
        .pieces
        .iter()
        .map(|piece| match piece {
            Piece::Rest(rest) => Some(rest.0.to_vec()),
            Piece::Container(_) => None,
        })
        .collect();
    let rest = |bytes: &[u8]| Some(bytes.to_vec());
    assert_eq!(kinds, [rest(b"head"), None, rest(b"between!"), None, rest(b"tail")]);
    assert_eq!(blob.write().unwrap(), bytes);
    assert_eq!(blob.containers().count(), 2);
    assert!(blob.containers().all(|container| container.write().unwrap() == shader));
    // Nothing between, nothing around; nothing at all.
    let close = Blob::read(&[&shader[..], &shader].concat());
    assert_eq!(close.pieces.len(), 2);
    assert_eq!(Blob::read(b"").pieces, []);
    assert_eq!(Blob::read(b"some").pieces.len(), 1);
}

#[test]
fn what_lies_behind_is_counted_from_the_start() {
    let shader = sample("loops.shbin");
    for name in ["phong.frag.mbs", "two_stages.bnsh", "options.bfsha", "texture.frag.dksh", "loops.shbin"] {
        let first = sample(name);
        let mut bytes = first.clone();
        bytes.resize(first.len().next_multiple_of(4), 0);
        let place = bytes.len();
        bytes.extend(&shader);
        bytes.extend(&shader);
        let found: Vec<_> = behind(&bytes).map(|found| (found.offset as usize, found.len as usize)).collect();
        let expected = [(place, shader.len()), (place + shader.len(), shader.len())];
        assert_eq!(found, expected, "{name}");
        // The container itself is not behind itself, and nothing is behind what has no end.
        assert!(detect(&first).is_some() && behind(&first).count() == 0);
    }
    assert_eq!(behind(b"no container at all").count(), 0);
}
