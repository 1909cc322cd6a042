//! Walking down, choosing by name, and writing back up.

use super::sample;
use unshade_bytes::{Endian, ErrorKind};
use unshade_containers::{
    Name, bfres,
    wrap::{
        nest::{
            Bounds, Chain, Found, Piece, Rewritten, Source, Step, Wrapper, dictionaries, replace, walk,
            walk_within,
        },
        sarc::{self, Entry, File, HASH_KEY, Sarc, pack},
        yaz0::{self, Level, Yaz0},
        zstd,
    },
};

fn packed(data: &[u8]) -> Vec<u8> {
    let stream = yaz0::encode(data, Level::Store).into();
    Yaz0 { alignment: 0, reserved: 0, stream, tail: Vec::new().into(), data: data.to_vec() }.write().unwrap()
}

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let files: Vec<File<'_>> =
        files.iter().map(|(name, data)| File { name: Ok(Name::from(*name)), data, alignment: 0 }).collect();
    pack(Endian::Big, HASH_KEY, &files).unwrap().write().unwrap()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// What a walk comes by, a line each.
fn walked(bytes: &[u8], wanted: &[&str], bounds: Bounds) -> Vec<String> {
    let line = |found: Found| match found {
        Found::Wrapper { chain, kind, names, .. } => format!("{kind} in [{chain}] {names:?}"),
        Found::File { chain, piece, names } => {
            let name = chain.name().unwrap_or_default();
            format!("{name}: {} {names:?}", piece.bytes(bytes).escape_ascii())
        }
        Found::Failed { chain, error } => format!("[{chain}] {} {error}", error.diagnostic_code()),
        Found::Unknown { chain, wanted, known } => format!("[{chain}] no {wanted} in {known:?}"),
    };
    walk_within(bytes, &names(wanted), bounds).map(line).collect()
}

fn found(bytes: &[u8], wanted: &[&str]) -> Vec<String> {
    walked(bytes, wanted, Bounds::default())
}

#[test]
fn chains_are_told_from_the_outside_in() {
    let chain = |steps: Vec<Step>| Chain(steps);
    let label = |label: &str| label.to_owned();
    let all = chain(vec![
        Step::Yaz0,
        Step::Yaz0,
        Step::Yaz0,
        Step::Sarc { index: 1, label: label("a") },
        Step::Bytes { range: 0x40..0x50 },
        Step::Zstd,
        Step::Bfres { index: 0, label: label("b") },
    ]);
    assert_eq!(all.to_string(), "Yaz0 (3 times), SARC, zstd, BFRES");
    assert_eq!(all.name().as_deref(), Some("a:0x40:b"));
    assert_eq!(all.labels(), ["a", "0x40", "b"]);
    assert_eq!(chain(vec![Step::Zstd, Step::Zstd]).to_string(), "zstd (2 times)");
    assert_eq!(chain(vec![Step::Zstd]).name(), None);
    assert_eq!((Chain::default().to_string().as_str(), Chain::default().name()), ("", None));
    let piece = Piece { unpacked: None, range: 2..5 };
    assert_eq!((piece.len(), piece.is_empty(), piece.bytes(b"abcdefg")), (3, false, &b"cde"[..]));
    assert!(Piece::whole(0).is_empty() && Piece::whole(7).len() == 7);
    // Anything that is bytes can be walked.
    let none = zstd::Dictionaries::default();
    let bytes = packed(b"x");
    assert_eq!(walk(&bytes, &[]).count(), 2);
    assert_eq!(walk(bytes.as_slice(), &[]).count(), 2);
    assert_eq!(walk(Source::new(&bytes, &none), &[]).count(), 2);
    assert_eq!(walk(b"Yaz0\0\0\0\x01\0\0\0\0\0\0\0\0\x80x", &[]).count(), 2);
}

#[test]
fn names_choose() {
    let bytes = archive(&[("a", b"1"), ("a:b", b"2"), ("0", b"3"), ("d", b"4")]);
    let order = sarc::read(&bytes).unwrap().labels();
    let number = |name: &str| order.iter().position(|label| label == name).unwrap().to_string();
    let archive_line = |names: &[&str]| format!("SARC in [] {names:?}");
    let chosen = |wanted: &[&str]| {
        let lines = found(&bytes, wanted);
        assert_eq!(lines[0], archive_line(wanted));
        lines[1..].to_vec()
    };
    assert_eq!(chosen(&["a"]), ["a: 1 []"]);
    // A name may hold colons; what it does not take is left over.
    assert_eq!(chosen(&["a", "b"]), ["a: 1 [\"b\"]"]);
    assert_eq!(chosen(&["d", "x", "y"]), ["d: 4 [\"x\", \"y\"]"]);
    // Names come before numbers, and hashes before them.
    assert_eq!(chosen(&["0"]), ["0: 3 []"]);
    assert_eq!(chosen(&[&number("d")]), if number("d") == "0" { ["0: 3 []"] } else { ["d: 4 []"] });
    let hash = format!("{:#x}", sarc::hash(b"d", HASH_KEY));
    assert_eq!(chosen(&[&hash, "rest"]), ["d: 4 [\"rest\"]"]);
    assert_eq!(found(&bytes, &["4"]), [format!("[] no 4 in {order:?}")]);
    assert_eq!(found(&bytes, &["0xffff"]), [format!("[] no 0xffff in {order:?}")]);
    assert_eq!(chosen(&[]).len(), 4);
    // Colons across several names.
    let two = archive(&[("x:y:z", b"1"), ("q", b"2")]);
    assert_eq!(found(&two, &["x", "y", "z", "w"])[1], "x:y:z: 1 [\"w\"]");
    // An archive of one file opens by itself.
    let one = archive(&[("only", &archive(&[("in", b"1"), ("other", b"2")]))]);
    assert_eq!(found(&one, &["in"]).last().unwrap(), "only:in: 1 []");
    assert_eq!(found(&one, &["only", "in"]).last().unwrap(), "only:in: 1 []");
    assert_eq!(found(&one, &["gone"]).last().unwrap(), "[SARC] no gone in [\"in\", \"other\"]");
    assert_eq!(found(&archive(&[]), &["x"]), ["[] no x in []"]);
    // Nothing takes a name where there is nothing to choose.
    assert_eq!(found(&packed(b"x"), &["y"]), ["Yaz0 in [] [\"y\"]", ": x [\"y\"]"]);
}

#[test]
fn bytes_that_nobody_knows_are_chosen_by_offset() {
    let mut bytes = vec![0xa5; 64];
    bytes.extend(packed(b"one"));
    bytes.resize(128, 0xa5);
    bytes.extend(packed(b"two"));
    let everything = |wanted: &[&str]| walked(&bytes, wanted, Bounds::EVERYTHING);
    let whole = format!(": {} ", bytes.escape_ascii());
    assert_eq!(
        everything(&[]),
        [&(whole.clone() + "[]"), "Yaz0 in [] []", "0x40: one []", "Yaz0 in [] []", "0x80: two []"]
    );
    assert_eq!(everything(&["0x80", "x"]), ["Yaz0 in [] [\"x\"]", "0x80: two [\"x\"]"]);
    // What is no offset, or not one of a wrapper, chooses nothing.
    for wrong in ["0x44", "128", "0xz", "x"] {
        assert_eq!(everything(&[wrong]), [format!("{whole}[\"{wrong}\"]")]);
    }
    // The same inside something that was unpacked.
    let outer = packed(&bytes);
    assert_eq!(
        walked(&outer, &["0x40"], Bounds::EVERYTHING),
        ["Yaz0 in [] [\"0x40\"]", "Yaz0 in [Yaz0] []", "0x40: one []"]
    );
    // A container is not searched.
    let shader = [sample("loops.shbin"), packed(b"one")].concat();
    assert_eq!(walked(&shader, &[], Bounds::EVERYTHING).len(), 1);
}

#[test]
fn bounds_are_kept_to_the_byte() {
    let files: Vec<(&str, Vec<u8>)> =
        vec![("a", packed(b"123456")), ("b", zstd::encode(b"12345")), ("c", packed(b"x"))];
    let list: Vec<(&str, &[u8])> = files.iter().map(|(name, data)| (*name, data.as_slice())).collect();
    let bytes = archive(&list);
    let within = |unpacked| walked(&bytes, &[], Bounds { unpacked, ..Bounds::default() });
    assert!(within(12).iter().all(|line| !line.contains("wrap.")));
    // One byte less: what still fits is unpacked all the same.
    assert_eq!(
        within(11).last().unwrap(),
        "[SARC] wrap.unpacked size: expected at most 11 bytes unpacked altogether, found 1 more than 11 at 0x4"
    );
    let lines = within(10);
    let zstd = lines.iter().find(|line| line.contains("wrap.unpacked")).unwrap();
    assert_eq!(
        zstd,
        "[SARC] wrap.unpacked content: expected at most 10 bytes unpacked altogether, found 5 more than 6 at 0x0"
    );
    assert_eq!(lines.last().unwrap(), "c: x []");
    // A frame that does not say its size is unpacked before anybody knows that it is too long: nothing is left then. So it
    // is with a damaged one.
    let frame = |len: u32| {
        let head = (len << 3 | 1).to_le_bytes();
        [&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x70][..], &head[..3], &vec![b'y'; len as usize]].concat()
    };
    let wrong = [&zstd::encode(&[b'z'; 60])[..10], &frame(60)[6..], &[0; 4]].concat();
    for (first, code) in [(frame(60), "wrap.unpacked"), (wrong, "zstd.checksum")] {
        let bytes = archive(&[("a", &first), ("b", &packed(b"0123456789"))]);
        let within = |unpacked| walked(&bytes, &[], Bounds { unpacked, ..Bounds::default() });
        let lines = within(if code == "wrap.unpacked" { 59 } else { 60 });
        assert!(lines[1].contains(code), "{lines:?}");
        assert!(lines[2].contains("wrap.unpacked"), "{lines:?}");
        assert_eq!(within(70).last().unwrap(), "b: 0123456789 []");
    }
    // Wrappers around a file.
    let twice = packed(&packed(b"x"));
    let deep = |depth| walked(&twice, &[], Bounds { depth, ..Bounds::default() });
    assert_eq!(deep(2).last().unwrap(), ": x []");
    assert_eq!(
        deep(1).last().unwrap(),
        "[Yaz0] wrap.depth expected at most 1 wrappers around a file, found one more at 0x0"
    );
    assert_eq!((Bounds::EVERYTHING.in_bytes, Bounds::default().in_bytes), (true, false));
}

#[test]
fn bytes_are_visited_sixteen_times() {
    // Entries that all are the same 8 KiB.
    let size = 8192_u32;
    let entries: Vec<Entry> =
        (0..200).map(|hash| Entry { hash, attribute: 0, begin: 0, end: size }).collect();
    let mut sarc = Sarc {
        endian: Endian::Little,
        size: 0,
        version: 0x100,
        reserved: 0,
        hash_key: HASH_KEY,
        names_reserved: 0,
        entries,
        names: Vec::new().into(),
        data: vec![b'x'; size as usize].into(),
    };
    sarc.size = sarc.write().unwrap().len() as u32;
    let bytes = sarc.write().unwrap();
    let lines = found(&bytes, &[]);
    let most = (15 * bytes.len() + (64 << 10)) / size as usize;
    assert_eq!(lines.len(), 1 + most + 1);
    assert!(lines.last().unwrap().contains("wrap.visits"), "{}", lines.last().unwrap());
    assert!(lines.last().unwrap().contains("found 8192 bytes that were visited 16 times before"));
    // Unpacked, the bytes inside have visits of their own.
    let lines = found(&packed(&bytes), &[]);
    let around = packed(&bytes).len();
    let most =
        (16 * around + (64 << 10) - around + 16 * bytes.len() + (64 << 10) - bytes.len()) / size as usize;
    assert_eq!(lines.len(), 2 + most + 1);
}

#[test]
fn where_there_is_no_dictionary() {
    let said = |bytes: &[u8]| {
        let error = dictionaries(bytes).unwrap_err();
        (error.kind, error.code, error.to_string())
    };
    let (kind, code, text) = said(b"something");
    assert_eq!((kind, code), (ErrorKind::BadValue, "zstd.no-dictionary"));
    assert_eq!(text, "expected a zstd dictionary, or an archive with some, found \"some\" at 0x0");
    assert_eq!(said(b"ab").1, "zstd.no-dictionary");
    assert_eq!(said(&archive(&[("a", b"x")])).1, "zstd.no-dictionary");
    // A broken one says why; so does an archive that does not open.
    assert_eq!(said(&[0x37, 0xa4, 0x30, 0xec, 1, 0, 0, 0]).1, "zstd.dictionary");
    assert_eq!(said(b"SARC").1, "sarc.header");
}

#[test]
fn dictionaries_are_at_hand_on_the_way() {
    let given = zstd::Dictionaries(vec![zstd::Dictionary { id: 7, bytes: b"seven".as_slice().into() }]);
    let bytes = archive(&[("a", b"x")]);
    assert_eq!(walk(Source::new(&bytes, &given), &[]).dictionaries(), &given);
    assert_eq!(walk(&bytes, &[]).dictionaries().0, []);
    // Those of the corpus; a wrapper behind them that does not open does not hide them.
    let corpus = unshade_corpus::shared("corpus/wrappers/ZsDic.pack.zs");
    let Ok(packed) = std::fs::read(corpus) else {
        return;
    };
    let known = dictionaries(&packed).unwrap();
    let mut files = vec![("z.szs".to_owned(), b"Yaz0".to_vec())];
    files.extend(known.0.iter().map(|one| (format!("{}.zsdic", one.id), one.bytes.to_vec())));
    let list: Vec<(&str, &[u8])> =
        files.iter().map(|(name, data)| (name.as_str(), data.as_slice())).collect();
    let mut sarc = sarc::read(&archive(&list)).unwrap().into_owned();
    // The broken one last.
    let last = sarc.find(b"z.szs").unwrap();
    let end = sarc.entries.len() - 1;
    sarc.entries.swap(last, end);
    let found = dictionaries(&sarc.write().unwrap()).unwrap();
    assert_eq!(found.0.len(), known.0.len());
    assert!(known.0.iter().all(|one| found.get(one.id) == Some(one)));
    let mut walk = walk(&packed, &[]);
    assert!(walk.by_ref().count() > 2);
    assert_eq!(walk.dictionaries(), &known);
}

/// Another content at the end of the way to a name.
fn changed(bytes: &[u8], wanted: &[&str], new: &[u8]) -> Rewritten {
    let chain = walk_within(bytes, &names(wanted), Bounds::EVERYTHING)
        .filter_map(|found| match found {
            Found::File { chain, .. } => Some(chain),
            _ => None,
        })
        .find(|chain| chain.labels().len() >= wanted.len())
        .unwrap();
    let Rewritten { bytes: written, notes } = replace(bytes, &chain, new.to_vec()).unwrap();
    let again = walk_within(&written, &names(wanted), Bounds::EVERYTHING).any(|found| match found {
        Found::File { piece, .. } => piece.bytes(&written).starts_with(new),
        _ => false,
    });
    assert!(again, "{notes:?}");
    Rewritten { bytes: written, notes }
}

#[test]
fn what_happened_to_each_wrapper_is_told() {
    let bytes = archive(&[("a", b"aaaa"), ("b", b"bbbb"), ("c", b"cccc")]);
    let notes = |bytes: &[u8], wanted: &[&str], new: &[u8]| changed(bytes, wanted, new).notes;
    assert_eq!(notes(&bytes, &["c"], b"longer one"), ["SARC: `c` replaced, all other files in their places"]);
    assert_eq!(notes(&bytes, &["b"], b"longer one"), ["SARC: `b` replaced, 1 file behind it moved"]);
    assert_eq!(notes(&bytes, &["a"], b"longer one"), ["SARC: `a` replaced, 2 files behind it moved"]);
    assert_eq!(notes(&bytes, &["a"], b"aaaa"), [""; 0]);
    // From the inside out.
    let nested = packed(&zstd::encode(b"content"));
    let told = notes(&nested, &[], b"other content");
    let inner = zstd::encode(b"other content");
    let stream = yaz0::encode(&inner, Level::Normal);
    let before = zstd::encode(b"content").len();
    assert_eq!(
        told,
        [
            format!("zstd: compressed anew, {before} bytes became {} (13 unpacked)", inner.len()),
            format!(
                "Yaz0: compressed anew, {} bytes became {} ({} unpacked)",
                nested.len(),
                16 + stream.len(),
                inner.len()
            ),
        ]
    );
    // In bytes that nobody knows: as long, shorter, longer.
    let mut blob = vec![0xa5; 64];
    blob.extend(archive(&[("a", b"aaaa")]));
    let end = blob.len();
    blob.extend([0x5a; 8]);
    let same = changed(&blob, &["0x40", "a"], b"AAAA");
    assert_eq!(same.notes[1], "bytes at 0x40: replaced in their place");
    let less = changed(&blob, &["0x40", "a"], b"A");
    assert_eq!(less.notes[1], "bytes at 0x40: replaced in their place, the last 3 of them are zeros now");
    let more = changed(&blob, &["0x40", "a"], b"AAAAAA");
    assert_eq!(more.notes[1], "bytes at 0x40: 2 more than there were, what lies behind them moved");
    for (written, len) in [(&same.bytes, end), (&less.bytes, end), (&more.bytes, end + 2)] {
        assert_eq!((&written[..64], &written[len..]), (&blob[..64], &[0x5a; 8][..]));
    }
    assert_eq!(less.bytes[end - 3..end], [0; 3]);
    // Models.
    let models = sample("model.bfres");
    let file = walk(&models, &[]).find_map(|found| match found {
        Found::File { chain, piece, .. } => Some((chain, piece.bytes(&models).to_vec())),
        _ => None,
    });
    let (chain, mut inside) = file.unwrap();
    let label = chain.labels().remove(0);
    *inside.last_mut().unwrap() ^= 1;
    let replaced = replace(&models, &chain, inside.clone()).unwrap();
    assert_eq!(replaced.notes, [format!("BFRES: `{label}` replaced in its place")]);
    inside.resize(inside.len() + 0x10000, 1);
    let place = bfres::read(&models).unwrap().replace(0, &inside).unwrap().moved_to;
    let told = match place {
        None => format!("BFRES: `{label}` replaced in its place"),
        Some(place) => format!("BFRES: `{label}` replaced, now at {place:#x} behind all others"),
    };
    assert_eq!(replace(&models, &chain, inside).unwrap().notes, [told]);
    assert_eq!(chain.wrappers().collect::<Vec<_>>(), [Wrapper::Bfres]);
}

#[test]
fn ways_that_lead_nowhere_are_refused() {
    let bytes = archive(&[("a", b"aaaa")]);
    let step = |step| replace(&bytes, &Chain(vec![step]), b"new".to_vec()).unwrap_err();
    let error = step(Step::Sarc { index: 1, label: "b".to_owned() });
    assert_eq!((error.code, error.found.as_ref()), ("wrap.entry", "`b`"));
    let error = step(Step::Bytes { range: 0..bytes.len() + 1 });
    assert_eq!((error.code, error.found.as_ref()), ("wrap.entry", "`0x0`"));
    assert_eq!(step(Step::Yaz0).code, "yaz0.magic");
    let same = replace(&bytes, &Chain::default(), b"new".to_vec()).unwrap();
    assert_eq!((same.bytes.as_slice(), same.notes.len()), (&b"new"[..], 0));
}
