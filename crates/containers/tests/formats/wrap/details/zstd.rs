//! zstd: headers, lengths of blocks, checks, by hand (RFC 8878).

use super::{fields, lines};
use unshade_bytes::ErrorKind;
use unshade_containers::wrap::{
    inside::wrappers,
    zstd::{self, Data, Dictionaries, Dictionary, Frame, FrameKind, Zstd},
};

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// A block: the last one or not, its kind (0 as it is, 1 one byte repeated), its size, its bytes.
fn block(last: bool, kind: u32, size: u32, bytes: &[u8]) -> Vec<u8> {
    let head = size << 3 | kind << 1 | u32::from(last);
    [&head.to_le_bytes()[..3], bytes].concat()
}

/// A frame: what stands behind the magic number, then blocks.
fn frame(header: &[u8], blocks: &[Vec<u8>]) -> Vec<u8> {
    [&MAGIC[..], header, &blocks.concat()].concat()
}

fn unpacked(bytes: &[u8]) -> Zstd<'static> {
    zstd::read(bytes, &Dictionaries::default()).unwrap().into_owned()
}

/// The error of a file: kind, code, and what it says.
fn refused(bytes: &[u8]) -> (ErrorKind, String) {
    let error = zstd::read(bytes, &Dictionaries::default()).unwrap_err();
    (error.kind, format!("{} {error}", error.diagnostic_code()))
}

/// Bytes without a dictionary's tables, sized as the fields ask for.
fn content(len: usize) -> Vec<u8> {
    (0..len).map(|n| ((n * 7) >> 2) as u8).collect()
}

/// A frame that a header stands in front of, with one block of some content.
fn with(header: &[u8], len: usize) -> Vec<u8> {
    frame(header, &[block(true, 0, len as u32, &content(len))])
}

fn data(file: &Zstd<'_>, index: usize) -> Data {
    match &file.frames[index].kind {
        FrameKind::Data(data) => data.clone(),
        FrameKind::Skippable { .. } => panic!("to be skipped"),
    }
}

#[test]
fn headers_say_their_own_lengths() {
    for (header, len, window, size, told) in [
        // A window, no size; then sizes of one, two (256 more than it says), four and eight bytes.
        (&[0x00, 0x70][..], 10, Some(0x70), None, "frames[0].window 0x5+1 0x70"),
        (&[0x20, 10], 10, None, Some(10), "frames[0].content_size 0x5+1 10"),
        (&[0x60, 0x2c, 0x01], 556, None, Some(556), "frames[0].content_size 0x5+2 556"),
        (&[0x40, 0x70, 0, 0], 256, Some(0x70), Some(256), "frames[0].content_size 0x6+2 256"),
        (&[0xa0, 0x2c, 1, 0, 0], 300, None, Some(300), "frames[0].content_size 0x5+4 300"),
        (&[0x80, 0x70, 9, 0, 0, 0], 9, Some(0x70), Some(9), "frames[0].content_size 0x6+4 9"),
        (&[0xe0, 9, 0, 0, 0, 0, 0, 0, 0], 9, None, Some(9), "frames[0].content_size 0x5+8 9"),
        // A dictionary of one, two and four bytes that is none: zero.
        (&[0x21, 0, 9], 9, None, Some(9), "frames[0].dictionary 0x5+1 0"),
        (&[0x22, 0, 0, 9], 9, None, Some(9), "frames[0].dictionary 0x5+2 0"),
        (&[0x23, 0, 0, 0, 0, 9], 9, None, Some(9), "frames[0].dictionary 0x5+4 0"),
    ] {
        let bytes = with(header, len);
        let file = unpacked(&bytes);
        let expected = Data {
            descriptor: header[0],
            window,
            dictionary: 0,
            content_size: size,
            checksum: false,
            header: 4 + header.len() as u64,
        };
        assert_eq!(data(&file, 0), expected);
        assert_eq!(
            file.frames,
            [Frame { offset: 0, len: bytes.len() as u64, kind: FrameKind::Data(expected) }]
        );
        assert_eq!((file.data.clone(), file.tail.len()), (content(len), 0));
        assert_eq!(zstd::announced(&bytes), size);
        assert_eq!(file.frames[0].dictionary(), None);
        assert_eq!(wrappers(&bytes).next().unwrap().range, 0..bytes.len());
        let tree = file.tree();
        assert_eq!(tree.coverage(bytes.len() as u64).unowned().next(), None);
        let fields = fields(&tree);
        assert!(fields.contains(&format!("zstd.{told}")), "{fields:?}");
        assert!(!fields.iter().any(|line| line.contains("checksum")), "{fields:?}");
        let said = if size.is_none() {
            vec![format!("note zstd.no-size 0x0..{:#x} frames[0]", bytes.len())]
        } else {
            Vec::new()
        };
        assert_eq!(lines(&file.check()), said);
        // Cut anywhere it is refused as cut.
        for len in 4..bytes.len() {
            let (kind, said) = refused(&bytes[..len]);
            assert!(kind == ErrorKind::Truncated && said.starts_with("zstd.truncated frames[0]."), "{said}");
            assert_eq!(wrappers(&bytes[..len]).count(), 0);
        }
    }
    // A dictionary that there is not, in each length.
    for (header, id) in
        [(&[0x21, 5, 9][..], 5), (&[0x22, 5, 1, 9], 0x105), (&[0x23, 5, 1, 2, 3, 9], 0x0302_0105)]
    {
        let (kind, said) = refused(&with(header, 9));
        assert_eq!(kind, ErrorKind::Unsupported);
        assert_eq!(
            said,
            format!(
                "zstd.dictionary frames[0].dictionary: expected the dictionary {id} (give the file that holds it: --dictionary FILE), found none at 0x0"
            )
        );
    }
    let (kind, said) = refused(&with(&[0x28, 9], 9));
    assert_eq!(kind, ErrorKind::BadValue);
    assert!(said.starts_with("zstd.descriptor frames[0].descriptor: "), "{said}");
    assert!(zstd::read(&with(&[0x30, 9], 9), &Dictionaries::default()).is_ok(), "bit 4 means nothing");
    assert_eq!(zstd::announced(b"something"), None);
    let (kind, said) = refused(b"some");
    assert_eq!(kind, ErrorKind::BadMagic);
    assert_eq!(said, "zstd.magic frames[0].magic: expected 28 b5 2f fd, found \"some\" at 0x0");
}

#[test]
fn frames_to_be_skipped() {
    for magic in 0x50..=0x5f_u8 {
        let bytes = [&[magic, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2][..], &with(&[0x20, 3], 3)].concat();
        assert!(zstd::starts(&bytes));
        let file = unpacked(&bytes);
        let kind = FrameKind::Skippable { magic: 0x184d_2a00 | u32::from(magic) };
        assert_eq!(file.frames[0], Frame { offset: 0, len: 10, kind });
        assert_eq!((file.frames[1].offset, file.frames[1].dictionary()), (10, None));
        assert_eq!(file.frames[0].dictionary(), None);
        assert_eq!(zstd::announced(&bytes), None);
        let expected = [
            "zstd.frames[0] 0x0+10 to be skipped".to_owned(),
            format!("zstd.frames[0].magic 0x0+4 0x184d2a{magic:x}"),
            "zstd.frames[0].size 0x4+4 2".to_owned(),
            "zstd.frames[0].bytes 0x8+2 2 bytes (opaque)".to_owned(),
        ];
        assert_eq!(fields(&file.tree())[1..5], expected);
    }
    for bytes in [
        [0x4f, 0x2a, 0x4d, 0x18],
        [0x60, 0x2a, 0x4d, 0x18],
        [0x50, 0x2a, 0x4d, 0x19],
        [0x28, 0xb5, 0x2f, 0xfe],
    ] {
        assert!(!zstd::starts(&bytes));
    }
    let empty = [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0];
    assert_eq!(fields(&unpacked(&empty).tree()).len(), 4);
    // All there is, and one byte too few.
    let skipped = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    assert_eq!(unpacked(&skipped).data, b"");
    let (kind, said) = refused(&skipped[..10]);
    assert_eq!(kind, ErrorKind::Truncated);
    assert_eq!(said, "zstd.truncated frames[0].size: expected 3 bytes to be skipped, found 2 bytes at 0x0");
    // Behind another frame the offset is that in the file.
    let bytes = [&with(&[0x20, 3], 3)[..], &skipped[..10]].concat();
    let error = zstd::read(&bytes, &Dictionaries::default()).unwrap_err();
    assert_eq!((error.offset, error.path.as_str()), (12, "frames[1].size"));
}

#[test]
fn blocks_lead_to_the_end() {
    // As it is, one byte repeated, nothing at all; then what is behind the file.
    let blocks = [
        block(false, 0, 3, b"abc"),
        block(false, 1, 5, b"z"),
        block(false, 0, 0, b""),
        block(true, 0, 1, b"!"),
    ];
    let bytes = frame(&[0x20, 9], &blocks);
    assert_eq!(unpacked(&bytes).data, b"abczzzzz!");
    let followed = [&bytes[..], b"behind it"].concat();
    assert_eq!(wrappers(&followed).next().unwrap().range, 0..bytes.len());
    assert_eq!(unpacked(&followed).describe(), format!("zstd, 9 bytes in {}", bytes.len()));
    assert_eq!(
        lines(&unpacked(&followed).check()),
        [format!("warning zstd.trailing {:#x}..{:#x} tail", bytes.len(), followed.len())]
    );
    let tree = fields(&unpacked(&followed).tree());
    assert_eq!(tree.last().unwrap(), &format!("zstd.tail {:#x}+9 9 bytes (opaque)", bytes.len()));
    assert_eq!(tree[4], "zstd.frames[0].content_size 0x5+1 9");
    assert_eq!(tree[5], format!("zstd.frames[0].blocks 0x6+{} {} bytes", bytes.len() - 6, bytes.len() - 6));
    // A size of more than one byte, in all three.
    let long =
        frame(&[0x00, 0x70], &[block(false, 0, 0x1_0203, &content(0x1_0203)), block(true, 1, 0x123, b"x")]);
    assert_eq!(unpacked(&long).data.len(), 0x1_0326);
    assert_eq!(wrappers(&long).next().unwrap().range, 0..long.len());
    // A kind of block that there is not.
    let reserved = frame(&[0x20, 9], &[block(true, 3, 0, b"")]);
    assert_eq!(refused(&reserved).0, ErrorKind::BadValue);
    assert!(refused(&reserved).1.starts_with("zstd.damaged frames[0].blocks: "));
    assert_eq!(wrappers(&[&reserved[..], &[0; 64]].concat()).count(), 0);
    // Packed blocks have their packed size.
    let packed = zstd::encode(&content(5000).repeat(3));
    let more = [&packed[..], &[1; 9]].concat();
    assert_eq!(wrappers(&more).next().unwrap().range, 0..packed.len());
    // Two frames are one file; a broken one behind them is not of it.
    let two = [&bytes[..], &[0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0], &bytes].concat();
    assert_eq!(wrappers(&[&two[..], &reserved].concat()).next().unwrap().range, 0..two.len());
    assert_eq!(unpacked(&two).describe(), format!("zstd, 18 bytes in {}, 3 frames", two.len()));
    assert_eq!(wrappers(&[&two[..], &skipped(9)[..16]].concat()).next().unwrap().range, 0..two.len());
    assert_eq!(wrappers(&[&two[..], &skipped(9)].concat()).next().unwrap().range, 0..two.len() + 17);
}

/// A frame to be skipped of so many bytes.
fn skipped(len: usize) -> Vec<u8> {
    [&[0x50, 0x2a, 0x4d, 0x18][..], &(len as u32).to_le_bytes(), &vec![0; len]].concat()
}

#[test]
fn checksums_and_sizes_are_held_against_the_content() {
    // XXH64 of nothing is ef46db3751d8e999; a frame keeps its lower half.
    let sum = [0x99, 0xe9, 0xd8, 0x51];
    let bytes = [&frame(&[0x24, 0], &[block(true, 0, 0, b"")])[..], &sum].concat();
    let file = unpacked(&bytes);
    assert!(data(&file, 0).checksum && file.data.is_empty());
    assert_eq!(wrappers(&bytes).next().unwrap().range, 0..bytes.len());
    assert_eq!(wrappers(&bytes[..12]).count(), 0);
    let tree = fields(&file.tree());
    assert_eq!(
        tree[5..],
        ["zstd.frames[0].blocks 0x6+3 3 bytes", "zstd.frames[0].checksum 0x9+4 of the content"]
    );
    assert_eq!(file.tree().coverage(13).unowned().next(), None);
    let mut wrong = bytes.clone();
    wrong[9] = 0x98;
    let (kind, said) = refused(&wrong);
    assert_eq!(kind, ErrorKind::BadValue);
    assert_eq!(
        said,
        "zstd.checksum frames[0].checksum: expected 0x51d8e998, the checksum of the content, found 0x51d8e999 at 0x9"
    );
    assert_eq!(refused(&bytes[..11]).0, ErrorKind::Truncated);
    // Another size than the header says, behind another frame: offsets are those of the file.
    let two = [&with(&[0x20, 4], 4)[..], &with(&[0x20, 5], 4)].concat();
    let (kind, said) = refused(&two);
    assert_eq!(kind, ErrorKind::BadValue);
    assert_eq!(
        said,
        "zstd.content-size frames[1].content_size: expected 5 bytes, as the header says, found 4 at 0xd"
    );
    let two = [&with(&[0x20, 4], 4)[..], &with(&[0x20, 4], 4)[..8]].concat();
    let (kind, said) = refused(&two);
    assert_eq!(kind, ErrorKind::Truncated);
    assert!(
        said.starts_with(
            "zstd.truncated frames[1].blocks: expected a whole zstd frame, found the end after "
        )
    );
}

#[test]
fn limits_are_those_of_all_frames_together() {
    let within = |bytes: &[u8], limit| {
        let read = zstd::read_within(bytes, limit, &Dictionaries::default());
        read.map(|file| file.data.len()).map_err(|error| (error.code, error.found.clone().into_owned()))
    };
    let (sized, unsized_) = (with(&[0x20, 100], 100), with(&[0x00, 0x70], 100));
    for (first, found) in [(&sized, "200"), (&unsized_, "200")] {
        let two = [&first[..], &sized].concat();
        assert_eq!(within(&two, 200), Ok(200));
        assert_eq!(within(&two, 199), Err(("zstd.too-long", found.to_owned())));
        let two = [&first[..], &unsized_].concat();
        assert_eq!(within(&two, 200), Ok(200));
        assert_eq!(within(&two, 199), Err(("zstd.too-long", found.to_owned())));
    }
    // Stopped on the way: not all of 16 MiB is unpacked to find that 1 MiB is too much.
    let blocks: Vec<Vec<u8>> = (0..128).map(|n| block(n == 127, 1, 0x2_0000, b"x")).collect();
    let bomb = frame(&[0x00, 0x70], &blocks);
    let (code, found) = within(&bomb, 1 << 20).unwrap_err();
    assert_eq!(code, "zstd.too-long");
    assert_eq!(found.parse::<u64>().unwrap(), (1 << 20) + (1 << 18), "{found}");
    assert_eq!(within(&bomb, 16 << 20), Ok(16 << 20));
}

#[test]
fn what_is_packed_says_its_size() {
    for len in [0, 1, 255, 256, 65_791, 65_792, 300_000] {
        let bytes = zstd::encode(&content(len));
        let file = unpacked(&bytes);
        let header = data(&file, 0);
        assert_eq!((file.frames.len(), header.content_size, header.dictionary), (1, Some(len as u64), 0));
        assert!(header.checksum && file.data == content(len) && file.tail.is_empty());
        assert_eq!(lines(&file.check()), [""; 0]);
    }
}

#[test]
fn dictionaries_are_known_by_their_id() {
    let said = |bytes: &[u8]| {
        let error = Dictionary::read(bytes).unwrap_err();
        assert_eq!(error.code, "zstd.dictionary");
        (error.kind, error.to_string())
    };
    let (kind, text) = said(&[0x37, 0xa4, 0x30, 0xec, 1, 0, 0]);
    assert_eq!((kind, text.as_str()), (ErrorKind::Truncated, "expected a dictionary, found 7 bytes at 0x0"));
    let (kind, text) = said(b"12345678");
    assert_eq!(kind, ErrorKind::BadMagic);
    assert!(text.starts_with("magic: expected 37 a4 30 ec"));
    assert_eq!(said(&[0x37, 0xa4, 0x30, 0xec, 1, 0, 0, 0]).0, ErrorKind::BadValue);
    let mut known = Dictionaries::default();
    let one = |id: u32, byte: u8| Dictionary { id, bytes: vec![byte].into() };
    for id in [7, 9, 7] {
        known.add(one(id, known.0.len() as u8));
    }
    assert_eq!(known.0, [one(7, 0), one(9, 1)]);
    assert_eq!((known.get(9), known.get(8)), (Some(&one(9, 1)), None));
    // What is no dictionary is no offer.
    known.offer(b"something else");
    known.offer(&[0x37, 0xa4, 0x30, 0xec, 1, 0, 0, 0]);
    assert_eq!(known.0.len(), 2);
    for id in 0..100 {
        known.add(one(id, 0));
    }
    assert_eq!(known.0.len(), 64);
    // The ids of those there are stand in the error.
    known.0.truncate(2);
    let error = zstd::read(&with(&[0x21, 5, 9], 9), &known).unwrap_err();
    assert_eq!(error.found, "7, 9");
    // A dictionary that is no sound one.
    let error = zstd::read(&with(&[0x21, 7, 9], 9), &known).unwrap_err();
    assert_eq!((error.code, error.path.as_str()), ("zstd.damaged", "frames[0].dictionary"));
}

#[test]
fn what_a_file_wants_is_told_once() {
    let kind = |dictionary| {
        let data = Data {
            descriptor: 0x21,
            window: None,
            dictionary,
            content_size: Some(0),
            checksum: false,
            header: 7,
        };
        FrameKind::Data(data)
    };
    let wants = |ids: &[u32]| {
        let mut file = unpacked(&with(&[0x20, 3], 3));
        file.frames = ids.iter().map(|&id| Frame { offset: 0, len: 12, kind: kind(id) }).collect();
        (file.dictionaries(), file.describe())
    };
    assert_eq!(wants(&[0]), (vec![], "zstd, 3 bytes in 12".to_owned()));
    assert_eq!(wants(&[5]), (vec![5], "zstd, 3 bytes in 12, dictionary 5".to_owned()));
    assert_eq!(
        wants(&[5, 0, 2, 5]),
        (vec![2, 5], "zstd, 3 bytes in 12, 4 frames, dictionaries 2, 5".to_owned())
    );
    let shown = format!("{:?}", unpacked(&with(&[0x20, 3], 3)));
    assert!(shown.starts_with("Zstd { frames: [Frame {") && shown.ends_with("tail: 0, data: 3 }"), "{shown}");
}
