//! Wrappers and containers in bytes that nobody knows.

use crate::cost::{alone, cost, heap_to_read};
use std::time::Duration;
use unshade_bytes::Endian;
use unshade_containers::{
    Name,
    wrap::{
        inside::{Inside, wrappers},
        nest::{self, Bounds, Chain, Found, Wrapper, walk_within},
        sarc::{File, HASH_KEY, pack},
        scan::{behind, scan},
        yaz0::{self, Level, Yaz0},
        zstd,
    },
};

fn packed(data: &[u8]) -> Vec<u8> {
    let stream = yaz0::encode(data, Level::Normal).into();
    Yaz0 { alignment: 0, reserved: 0, stream, tail: Vec::new().into(), data: data.to_vec() }.write().unwrap()
}

fn archive(endian: Endian, files: &[(&str, &[u8])]) -> Vec<u8> {
    let files: Vec<File<'_>> =
        files.iter().map(|(name, data)| File { name: Ok(Name::from(*name)), data, alignment: 0 }).collect();
    pack(endian, HASH_KEY, &files).unwrap().write().unwrap()
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/").to_owned() + name).unwrap()
}

/// Bytes without meaning.
fn noise(len: usize, seed: u32) -> Vec<u8> {
    let mut state = seed;
    std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(len)
    .collect()
}

/// A blob with files in it, each at a multiple of 32, noise around them: the blob and where each file lies.
fn blob(files: &[&[u8]]) -> (Vec<u8>, Vec<usize>) {
    let mut bytes = noise(1000, 1);
    let mut places = Vec::new();
    for (index, file) in files.iter().enumerate() {
        bytes.resize(bytes.len().next_multiple_of(32), 0xa5);
        places.push(bytes.len());
        bytes.extend_from_slice(file);
        bytes.extend(noise(100 + 7 * index, 2 + index as u32));
    }
    (bytes, places)
}

/// What a walk comes by that is no wrapper: name, wrappers, bytes.
fn files(bytes: &[u8], names: &[&str]) -> Vec<(String, String, Vec<u8>)> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut files = Vec::new();
    for found in walk_within(bytes, &names, Bounds::EVERYTHING) {
        match found {
            Found::Wrapper { .. } => {}
            Found::File { chain, piece, .. } => {
                files.push((chain.name().unwrap_or_default(), chain.to_string(), piece.bytes(bytes).to_vec()))
            }
            other => panic!("{other:?}"),
        }
    }
    files
}

#[test]
fn every_kind_is_found_at_its_place() {
    let _alone = alone();
    let shader = sample("loops.shbin");
    let model = sample("model.bfres");
    let little = archive(Endian::Little, &[("a.shbin", &shader)]);
    let big = packed(&archive(Endian::Big, &[("b.szs", &packed(&shader))]));
    // Two frames behind each other are one file.
    let (front, back) = shader.split_at(40);
    let frames = [zstd::encode(front), zstd::encode(back)].concat();
    let all: [&[u8]; 5] = [&packed(&shader), &little, &big, &frames, &model];
    let (bytes, places) = blob(&all);
    let found: Vec<Inside> = wrappers(&bytes).collect();
    let kinds = [Wrapper::Yaz0, Wrapper::Sarc, Wrapper::Yaz0, Wrapper::Zstd, Wrapper::Bfres];
    let expected: Vec<Inside> = places
        .iter()
        .zip(all)
        .zip(kinds)
        .map(|((&start, file), kind)| Inside { range: start..start + file.len(), kind })
        .collect();
    assert_eq!(found, expected);

    // The blob itself comes first, then what lies in it.
    let found = files(&bytes, &[]);
    let at = |index: usize| format!("{:#x}", places[index]);
    let shaders: Vec<_> = found.iter().filter(|(_, _, inside)| *inside == shader).collect();
    assert_eq!(found[0].2, bytes);
    assert_eq!(
        shaders.iter().map(|(name, wrappers, _)| (name.clone(), wrappers.as_str())).collect::<Vec<_>>(),
        [
            (at(0), "Yaz0"),
            (format!("{}:a.shbin", at(1)), "SARC"),
            (format!("{}:b.szs", at(2)), "Yaz0, SARC, Yaz0"),
            (at(3), "zstd"),
        ]
    );
    assert!(found.iter().any(|(name, wrappers, _)| name.starts_with(&at(4)) && wrappers == "BFRES"));
    // A name chooses one of them.
    assert_eq!(files(&bytes, &[&at(2), "b.szs"]).len(), 1);
    assert_eq!(files(&bytes, &[&at(3)]), [(at(3), "zstd".to_owned(), shader.clone())]);
    // Without asking for it, only the blob is there.
    assert_eq!(nest::walk(&bytes, &[]).count(), 1);
    // In an archive it is the same.
    let outer = archive(Endian::Big, &[("image.bin", &bytes)]);
    let name = format!("image.bin:{}:a.shbin", at(1));
    assert!(files(&outer, &[]).iter().any(|(found, _, inside)| *found == name && *inside == shader));
    assert_eq!(files(&outer, &["image.bin", &at(0)])[0].2, shader);
}

#[test]
fn what_a_wrapper_holds_is_not_taken_for_a_container_beside_it() {
    let _alone = alone();
    let shader = sample("loops.shbin");
    // Stored without packing, so that the shader's own bytes are there to be found.
    let stored = yaz0::encode(&shader, Level::Store).into();
    let stored =
        Yaz0 { alignment: 0, reserved: 0, stream: stored, tail: Vec::new().into(), data: shader.clone() };
    let sarc = archive(Endian::Little, &[("a.shbin", &shader)]);
    let (bytes, places) = blob(&[&shader, &stored.write().unwrap(), &sarc, &shader]);
    let found: Vec<u64> = scan(&bytes).map(|found| found.offset).collect();
    assert_eq!(found, [places[0] as u64, places[3] as u64]);
}

#[test]
fn what_does_not_follow_its_own_structure_is_passed_over() {
    let _alone = alone();
    let shader = sample("loops.shbin");
    for file in [packed(&shader), archive(Endian::Big, &[("a", &shader)]), zstd::encode(&shader)] {
        for cut in [4, 8, 16, 40, file.len() / 2, file.len() - 1] {
            let found: Vec<Inside> = wrappers(&file[..cut]).collect();
            assert!(found.is_empty(), "{cut} of {}: {found:?}", file.len());
        }
        assert_eq!(wrappers(&file).count(), 1);
    }
    // A copy from in front of the first byte.
    assert_eq!(wrappers(b"Yaz0\0\0\0\x08\0\0\0\0\0\0\0\0\x00\x10\x00\0\0\0\0\0").count(), 0);
    // A copy past the end.
    assert_eq!(wrappers(b"Yaz0\0\0\0\x02\0\0\0\0\0\0\0\0\x80\xaa\xf0\x00\0\0\0\0").count(), 0);
}

#[test]
fn changed_in_place() {
    let _alone = alone();
    let (old, new) = (sample("loops.shbin"), sample("lighting.shbin"));
    let (bytes, places) = blob(&[&packed(&old), &packed(&old)]);
    let chain = walk_within(&bytes, &[format!("{:#x}", places[1])], Bounds::EVERYTHING)
        .find_map(|found| match found {
            Found::File { chain, .. } => Some(chain),
            _ => None,
        })
        .unwrap();
    let unchanged = nest::replace(&bytes, &chain, old.clone()).unwrap();
    assert_eq!((unchanged.bytes, unchanged.notes.len()), (bytes.clone(), 0));
    // Shorter: zeros behind it, and all else where it was.
    let changed = nest::replace(&bytes, &chain, old[..40].to_vec()).unwrap();
    assert_eq!(changed.bytes.len(), bytes.len());
    assert!(changed.notes[1].ends_with("are zeros now"), "{:?}", changed.notes);
    assert_eq!(files(&changed.bytes, &[&format!("{:#x}", places[1])])[0].2, old[..40]);
    assert_eq!(changed.bytes[..places[1]], bytes[..places[1]]);
    // Longer: it says so.
    let changed = nest::replace(&bytes, &chain, [new.clone(), noise(3000, 9)].concat()).unwrap();
    assert!(changed.notes[1].ends_with("what lies behind them moved"), "{:?}", changed.notes);
    assert!(files(&changed.bytes, &[&format!("{:#x}", places[1])])[0].2.starts_with(&new));
    // A step to bytes that are not there.
    assert!(nest::replace(&bytes[..100], &chain, old).is_err());
    assert_eq!(Chain::default().name(), None);
}

/// A mebibyte full of beginnings, each of which can be followed for long, or says that it is long.
#[test]
fn false_starts_do_not_add_up() {
    let _alone = alone();
    let mut literals = Vec::new();
    while literals.len() < 1 << 20 {
        // Flags of all groups are literals, those too that fall on the last byte of a header's size: each stream goes on to the end.
        literals.extend_from_slice(b"Yaz0\x00\x0f\xff\xff");
        literals.extend_from_slice(&[0xff; 28]);
    }
    let mut blocks = Vec::new();
    while blocks.len() < 1 << 20 {
        // Each block of zstd leads to the next one.
        blocks.extend_from_slice(&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 0x18, 0x00, 0x00, 0x18, 0x00, 0x00]);
    }
    let mut archives = Vec::new();
    while archives.len() < 1 << 20 {
        archives.extend_from_slice(b"SARC\x14\0\xff\xfe\0\0\x08\0\0\0\x08\0\0\x01\0\0SFAT\x0c\0\xff\x3f");
    }
    let mut models = Vec::new();
    while models.len() < 1 << 20 {
        models.extend_from_slice(b"FRES    \x05\0\x05\0\xff\xfe\x0c\0\0\0\0\0\0\0\0\0\0\0\x08\0");
    }
    for bytes in [literals, blocks, archives, models] {
        let (_, spent) = cost(|| wrappers(&bytes).count());
        assert!(spent.heap <= heap_to_read(bytes.len()), "{spent:?}");
        assert!(spent.time < Duration::from_secs(1), "{spent:?}");
        let (_, spent) = cost(|| walk_within(&bytes, &[], Bounds::EVERYTHING).count());
        assert!(spent.time < Duration::from_secs(1), "{spent:?}");
    }
}

#[test]
fn what_lies_behind_a_container_is_found() {
    let _alone = alone();
    for name in [
        "loops.shbin",
        "phong.frag.mbs",
        "blur.gsh",
        "surface.sharcfb",
        "two_stages.bnsh",
        "options.bfsha",
        "texture.frag.dksh",
    ] {
        let (first, second) = (sample(name), sample("lighting.shbin"));
        assert_eq!(behind(&first).count(), 0, "{name}");
        let mut bytes = first.clone();
        bytes.resize(bytes.len().next_multiple_of(16) + 32, 0);
        let place = bytes.len() as u64;
        bytes.extend_from_slice(&second);
        let found: Vec<u64> = behind(&bytes).map(|found| found.offset).collect();
        assert_eq!(found, [place], "{name}");
    }
}
