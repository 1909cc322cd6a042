//! What must hold for wrappers of any bytes.

use unshade::{
    report,
    wrap::{
        manifest::extract_wrapper,
        nest::{self, Bounds, Found, walk_within},
        sarc,
        yaz0::{self, Level, Yaz0},
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

/// A walk ends within its bounds; each wrapper is written identically, every byte of it has an owner, and what
/// extract makes of it builds the same bytes. A file inside that is changed is found again, and the others with it.
fn walked(bytes: &[u8]) {
    let bounds = Bounds { unpacked: 1 << 20, ..Bounds::default() };
    let found: Vec<Found> = walk_within(bytes, &[], bounds).take(2000).collect();
    let mut first = None;
    for found in &found {
        match found {
            Found::Wrapper { kind, piece, .. } => {
                let packed = piece.bytes(bytes);
                let (written, tree, findings) = match kind {
                    nest::Wrapper::Yaz0 => {
                        let file = yaz0::read(packed).expect("it was read before");
                        (file.write(), file.tree(), file.check())
                    }
                    nest::Wrapper::Sarc => {
                        let file = sarc::read(packed).expect("it was read before");
                        (file.write(), file.tree(), file.check())
                    }
                };
                assert_eq!(written.as_deref(), Ok(packed));
                let coverage = tree.coverage(packed.len() as u64);
                assert_eq!(coverage.unowned().next(), None);
                assert!(findings.iter().all(|finding| !finding.message.is_empty()));
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
    if let Some((chain, piece)) = first
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
