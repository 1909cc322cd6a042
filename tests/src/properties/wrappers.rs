//! What must hold for wrappers of any bytes.

use unshade::{
    bfres, report,
    wrap::{
        layer::Layer,
        manifest::extract_wrapper,
        nest::{self, Bounds, Found, walk_within},
        yaz0::{self, Level, Yaz0},
        zstd::{self, Dictionaries},
    },
};

/// The bytes as they are, see `walked`; as the content of a Yaz0 file of every level; and as a stream.
pub fn yaz0(data: &[u8]) {
    walked(data);
    let mut shortest = usize::MAX;
    for level in [Level::Store, Level::Normal, Level::Best] {
        let stream = yaz0::encode(data, level);
        assert!(stream.len() <= shortest, "{level:?} is longer than the level below");
        shortest = stream.len();
        let tail = Vec::new().into();
        let file = Yaz0 { alignment: 0, reserved: 0, stream: stream.into(), tail, data: data.to_vec() };
        let bytes = file.write().expect("a file can be written");
        assert_eq!(yaz0::read(&bytes).as_ref(), Ok(&file), "{level:?} gives something else");
    }
    let size = data.first_chunk::<2>().map_or(0, |size| u32::from(u16::from_be_bytes(*size)));
    let stream = data.get(2..).unwrap_or_default();
    walked(&[b"Yaz0", &size.to_be_bytes()[..], &[0; 8], stream].concat());
}

/// The bytes as they are, see `walked`; and behind the first bytes of an archive in either byte order.
pub fn sarc(data: &[u8]) {
    walked(data);
    for mark in [[0xff, 0xfe], [0xfe, 0xff]] {
        let mut bytes = data.to_vec();
        for (at, byte) in b"SARC\0\0".iter().chain(&mark).enumerate() {
            if let Some(place) = bytes.get_mut(at).filter(|_| !matches!(at, 4 | 5)) {
                *place = *byte;
            }
        }
        walked(&bytes);
    }
}

/// The bytes as they are, see `walked`; behind the first bytes of a frame; and packed.
pub fn zstd(data: &[u8]) {
    walked(data);
    walked(&[&zstd::MAGIC[..], data].concat());
    let packed = zstd::encode(data);
    let file = zstd::read(&packed, &Dictionaries::default()).expect("a file of our own reads");
    assert_eq!(file.data, data);
    assert_eq!(file.write(), packed);
    // A dictionary may be anything.
    let _ = zstd::Dictionary::read(data);
    let _ = zstd::Dictionary::read(&[&zstd::DICTIONARY_MAGIC[..], data].concat());
}

/// The bytes as they are, see `walked`; and behind the first bytes of a file of either console.
pub fn bfres(data: &[u8]) {
    walked(data);
    let len = u32::try_from(data.len()).unwrap_or(u32::MAX);
    for major in [5_u16, 9, 10] {
        let mut bytes = data.to_vec();
        let head = [&b"FRES    \0\0"[..], &major.to_le_bytes(), &[0xff, 0xfe]].concat();
        if bytes.len() >= 0x20 {
            bytes[..head.len()].copy_from_slice(&head);
            bytes[0x14] &= !1;
            bytes[0x1c..0x20].copy_from_slice(&len.to_le_bytes());
            walked(&bytes);
        }
    }
    let mut bytes = data.to_vec();
    if bytes.len() >= 0x10 {
        bytes[..10].copy_from_slice(b"FRES\x03\x04\0\x04\xfe\xff");
        bytes[0xc..0x10].copy_from_slice(&len.to_be_bytes());
        walked(&bytes);
    }
}

/// Materials read or say why not, and a file in the place of an embedded one is found again.
fn model_file(models: &bfres::Bfres<'_>) {
    if let Err(error) = models.models() {
        assert!(!error.code.is_empty(), "{error:?}");
    }
    for index in 0..models.files.len().min(3) {
        let new = [models.file(index), b"and more"].concat();
        let Ok(changed) = models.replace(index, &new) else { continue };
        // Where records or files lie over each other, writing one changes another.
        if let Ok(again) = bfres::read(&changed.bytes)
            && models.check().iter().all(|finding| finding.code != "bfres.overlap")
            && again.files.len() == models.files.len()
        {
            let _ = again.file(index);
        }
    }
}

/// A walk ends within its bounds; each wrapper is written identically, every byte of it has an owner, and what
/// extract makes of it builds the same bytes. A file inside that is changed is found again, and the others with it.
fn walked(bytes: &[u8]) {
    let bounds = Bounds { unpacked: 1 << 20, ..Bounds::default() };
    let mut walk = walk_within(bytes, &[], bounds);
    let found: Vec<Found> = walk.by_ref().take(2000).collect();
    let mut first = None;
    for found in &found {
        match found {
            Found::Wrapper { kind, piece, .. } => {
                let packed = piece.bytes(bytes);
                let known = walk.dictionaries();
                let layer = Layer::read(*kind, packed, known).expect("it was read before");
                assert_eq!(layer.write().as_deref(), Ok(packed));
                let coverage = layer.tree().coverage(packed.len() as u64);
                assert_eq!(coverage.unowned().next(), None);
                assert!(layer.check().iter().all(|finding| !finding.message.is_empty()));
                assert!(!layer.describe().is_empty());
                if let Layer::Bfres(models) = &layer {
                    model_file(models);
                }
            }
            Found::File { chain, piece, .. } if !chain.0.is_empty() => {
                first.get_or_insert((chain, piece));
            }
            Found::File { .. } => {}
            Found::Failed { error, .. } => assert!(!error.code.is_empty(), "{error:?}"),
            Found::Unknown { .. } => panic!("a name that nobody gave"),
        }
    }
    if nest::wrapper(bytes).is_some()
        && let Ok(parts) = extract_wrapper(bytes)
    {
        assert_eq!(unshade::build_file(&parts).as_deref(), Ok(bytes), "extract and build");
    }
    // Records of a damaged model file may lie in the files that it embeds.
    let in_models = first.iter().any(|(chain, _): &(&nest::Chain, &nest::Piece)| {
        chain.wrappers().any(|kind| kind == nest::Wrapper::Bfres)
    });
    if let Some((chain, piece)) = first.filter(|_| !in_models)
        && let Ok(same) = nest::replace(bytes, chain, piece.bytes(bytes).to_vec())
    {
        assert_eq!(same.bytes, bytes, "nothing was changed");
        let new = [piece.bytes(bytes), b"and more"].concat();
        if let Ok(changed) = nest::replace(bytes, chain, new.clone()) {
            let again = walk_within(&changed.bytes, &[], bounds).find_map(|found| match found {
                Found::File { chain: other, piece, .. } if other == *chain => Some(piece),
                _ => None,
            });
            assert_eq!(again.map(|piece| piece.bytes(&changed.bytes).to_vec()), Some(new), "a changed file");
        }
    }
    if bytes.len() < 1 << 16 {
        report::check(bytes, &[], None);
        if let Ok(opened) = unshade::open(bytes) {
            assert!(report::roundtrip(bytes, &opened).identical);
            report::info(bytes, &opened);
            report::show(bytes, &opened);
        }
    }
}
