//! Yaz0: headers, streams by hand, findings, what is told.

use super::{fields, lines};
use unshade_bytes::ErrorKind;
use unshade_containers::wrap::{
    inside::wrappers,
    yaz0::{self, Level, Yaz0},
};

/// A file with this stream, which stands for `size` bytes.
fn file(size: u32, stream: &[u8]) -> Vec<u8> {
    [b"Yaz0", &size.to_be_bytes()[..], &[0; 8], stream].concat()
}

/// A stream of chunks: one byte is a literal, two or three are a copy.
pub fn stream(chunks: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for group in chunks.chunks(8) {
        let literals = group.iter().enumerate().filter(|(_, chunk)| chunk.len() == 1);
        bytes.push(literals.fold(0, |flags, (place, _)| flags | 0x80 >> place));
        bytes.extend(group.concat());
    }
    bytes
}

fn unpacked(bytes: &[u8]) -> Yaz0<'static> {
    yaz0::read(bytes).unwrap().into_owned()
}

/// The error of a file: code, and what it says.
fn refused(bytes: &[u8]) -> String {
    let error = yaz0::read(bytes).unwrap_err();
    format!("{} {error}", error.diagnostic_code())
}

#[test]
fn copies_have_the_lengths_and_distances_of_the_format() {
    // One literal, then a copy from one byte back.
    for (copy, length) in [
        (&[0x10, 0][..], 3),
        (&[0x20, 0], 4),
        (&[0xf0, 0], 17),
        (&[0, 0, 0], 18),
        (&[0, 0, 1], 19),
        (&[0, 0, 0xff], 273),
    ] {
        let bytes = file(1 + length, &[&[0x80, b'x'], copy].concat());
        let read = unpacked(&bytes);
        assert_eq!(read.data, vec![b'x'; 1 + length as usize], "{length}");
        assert!(read.tail.is_empty());
        assert_eq!(wrappers(&bytes).next().unwrap().range, 0..bytes.len(), "{length}");
    }
    // The distance has twelve bits, and one is the least.
    for (high, low, distance) in
        [(0, 0, 1), (0, 1, 2), (0, 0xff, 0x100), (1, 0, 0x101), (15, 0xfe, 0xfff), (15, 0xff, 0x1000)]
    {
        let data: Vec<u8> = (0..distance).map(|n| (n % 251) as u8).collect();
        let copy = [0x10 | high, low];
        let mut chunks: Vec<&[u8]> = data.chunks(1).collect();
        chunks.push(&copy);
        let bytes = file(distance + 3, &stream(&chunks));
        let expected: Vec<u8> = data.iter().copied().cycle().take(data.len() + 3).collect();
        assert_eq!(unpacked(&bytes).data, expected, "{distance}");
        assert_eq!(wrappers(&bytes).next().unwrap().range, 0..bytes.len(), "{distance}");
        // With one byte less in front of it there is nothing so far back.
        chunks.remove(0);
        let bytes = file(distance + 2, &stream(&chunks));
        assert!(refused(&bytes).starts_with("yaz0.distance"), "{distance}");
        assert_eq!(wrappers(&bytes).count(), 0);
    }
    // Copies that overlap themselves repeat.
    let read = unpacked(&file(10, &[0xe0, b'a', b'b', b'c', 0x50, 2])).data;
    assert_eq!(read, b"abcabcabca");
    let read = unpacked(&file(6, &[0xe0, b'a', b'b', b'c', 0x10, 2])).data;
    assert_eq!(read, b"abcabc");
}

#[test]
fn the_end_comes_where_the_data_does() {
    // Flags beyond the last chunk mean nothing; what follows is the tail.
    let bytes = file(2, &[0xc0, b'a', b'b', b'c', b'd']);
    let read = unpacked(&bytes);
    assert_eq!((&read.data[..], &read.stream[..], &read.tail[..]), (&b"ab"[..], &bytes[16..19], &b"cd"[..]));
    // Eight literals at once, and one less than there is room for.
    let read = unpacked(&file(8, b"\xffabcdefgh"));
    assert_eq!((&read.data[..], read.tail.len()), (&b"abcdefgh"[..], 0));
    let read = unpacked(&file(7, b"\xffabcdefgh"));
    assert_eq!((&read.data[..], &read.tail[..]), (&b"abcdefg"[..], &b"h"[..]));
    let read = unpacked(&file(9, b"\xffabcdefgh\x80i"));
    assert_eq!(read.data, b"abcdefghi");
    assert_eq!(yaz0::read(&file(0, b"")).unwrap().data, b"");
    // A whole stream is as long as it must be: one byte less is too little.
    for stream in [&b"\xffabcdefgh"[..], &[0x80, b'x', 0xf0, 0], &[0x80, b'x', 0, 0, 0]] {
        let size = if stream[0] == 0xff { 8 } else { 18 + u32::from(stream.len() == 5) };
        assert!(yaz0::read(&file(size, stream)).is_ok());
        let cut = refused(&file(size, &stream[..stream.len() - 1]));
        assert!(cut.starts_with("yaz0.truncated"), "{cut}");
        assert_eq!(wrappers(&file(size, &stream[..stream.len() - 1])).count(), 0);
    }
    assert_eq!(
        refused(&file(18, &[0x80, b'x', 0xf0])),
        "yaz0.truncated stream: expected a stream that gives 18 bytes, found its end after 1 at 0x13"
    );
    assert_eq!(
        refused(&file(10, b"\xffabcdefgh")),
        "yaz0.truncated stream: expected a stream that gives 10 bytes, found its end after 8 at 0x19"
    );
    // Past the end, and from in front of the beginning.
    assert_eq!(
        refused(&file(3, &[0x80, b'x', 0x10, 0])),
        "yaz0.overrun stream: expected a copy of at most 2 bytes, up to the end, found 3 bytes at 0x12"
    );
    assert_eq!(
        refused(&file(5, &[0x80, b'x', 0x10, 1])),
        "yaz0.distance stream: expected a copy whose distance is at most 1, the bytes so far, found a distance of 2 at 0x12"
    );
    assert_eq!(wrappers(&file(3, &[0x80, b'x', 0x10, 0])).count(), 0);
}

#[test]
fn sizes_that_cannot_be_are_refused_before_memory_is_taken() {
    // A byte of a stream stands for 88 at most.
    let of = |size: u32| refused(&file(size, &[0x80, b'x']));
    assert_eq!(
        of(177),
        "yaz0.size size: expected at most 176, as a stream of 2 bytes can hold, found 177 at 0x4"
    );
    assert!(of(176).starts_with("yaz0.truncated"));
    let zeros = file(8, b"\xff\0\0\0\0\0\0\0\0");
    assert!(yaz0::read_within(&zeros, 8).is_ok());
    let error = yaz0::read_within(&zeros, 7).unwrap_err();
    assert_eq!((error.kind, error.code, error.offset), (ErrorKind::LimitExceeded, "yaz0.too-long", 4));
    assert_eq!(yaz0::announced(&zeros), Some(8));
    assert_eq!((yaz0::announced(b"Yaz0\0\0\x01"), yaz0::announced(b"Yaz1\0\0\0\x08")), (None, None));
    assert_eq!(yaz0::announced(b"Yaz0\x01\x02\x03\x04"), Some(0x0102_0304));
}

#[test]
fn findings_have_their_places() {
    let whole = unpacked(&file(8, b"\xffabcdefgh"));
    let said = |alignment, reserved, tail: &[u8]| {
        lines(&Yaz0 { alignment, reserved, tail: tail.to_vec().into(), ..whole.clone() }.check())
    };
    for alignment in [0, 1, 0x80, 0x2000, 1 << 31] {
        assert_eq!(said(alignment, 0, b""), [""; 0]);
    }
    for alignment in [3, 0x81, u32::MAX] {
        assert_eq!(said(alignment, 0, b""), ["warning yaz0.alignment 0x8..0xc alignment"]);
    }
    assert_eq!(said(0, 1, b""), ["note yaz0.reserved 0xc..0x10 reserved"]);
    // Zeros that may have filled the file up, and others.
    assert_eq!(said(0, 0, &[0; 31]), ["note yaz0.trailing 0x19..0x38 tail"]);
    assert_eq!(said(0, 0, &[0; 32]), ["warning yaz0.trailing 0x19..0x39 tail"]);
    assert_eq!(said(0, 0, b"\0x"), ["warning yaz0.trailing 0x19..0x1b tail"]);
}

#[test]
fn the_tree_counts_the_chunks() {
    // Two literals; 3 and 17 bytes in two, 18 and 273 in three; flags that mean nothing.
    let chunks: [&[u8]; 6] = [b"a", b"b", &[0x10, 0], &[0xf0, 0], &[0, 0, 0], &[0, 0, 255]];
    let mut bytes = [&file(2 + 3 + 17 + 18 + 273, &stream(&chunks))[..], b"tail"].concat();
    bytes[16] |= 3;
    let read = unpacked(&bytes);
    assert_eq!(read.describe(), "Yaz0, 313 bytes in 29");
    assert_eq!(
        fields(&read.tree()),
        [
            "yaz0 0x0+33 Yaz0, 313 bytes in 29",
            "yaz0.magic 0x0+4 \"Yaz0\"",
            "yaz0.size 0x4+4 313",
            "yaz0.alignment 0x8+4 0x0",
            "yaz0.reserved 0xc+4 0x0",
            "yaz0.stream 0x10+13 13 bytes: 2 literals, 2 short copies, 2 long copies",
            "yaz0.tail 0x1d+4 4 bytes (opaque)",
        ]
    );
    // More than one group, and as many chunks as there are bytes.
    let bytes = file(10, b"\xffabcdefgh\xc0ij");
    let tree = fields(&yaz0::read(&bytes).unwrap().tree());
    assert_eq!(tree[5], "yaz0.stream 0x10+12 12 bytes: 10 literals, 0 short copies, 0 long copies");
    let padded = [&bytes[..], &[0; 4]].concat();
    let tree = fields(&yaz0::read(&padded).unwrap().tree());
    assert_eq!(tree[6], "yaz0.tail 0x1c+4 4 bytes of 0x00 (padding 0)");
    // Where the stream is not one, as many as there are.
    let mut broken = yaz0::read(&bytes).unwrap();
    broken.stream = b"\xffab".to_vec().into();
    assert!(fields(&broken.tree())[5].contains("2 literals, 0 short"));
    broken.stream = Vec::new().into();
    assert!(fields(&broken.tree()).iter().all(|line| !line.contains("stream")));
    let shown = format!("{:?}", yaz0::read(&padded).unwrap());
    assert_eq!(shown, "Yaz0 { alignment: 0, reserved: 0, stream: 12, tail: 4, data: 10 }");
}

#[test]
fn padding_is_made_anew_to_the_same_multiple() {
    // 25 bytes: three more fill to a multiple of 4, seven to one of 32.
    let whole = file(8, b"\xffabcdefgh");
    // Afterwards 18 bytes and the tail.
    let tail = |old: &[u8]| {
        let mut read = yaz0::read(&[&whole[..], old].concat()).unwrap().into_owned();
        assert!(read.replace(b"x".to_vec(), Level::Store));
        assert_eq!((read.stream.len(), &read.data[..]), (2, &b"x"[..]));
        read.tail.to_vec()
    };
    assert_eq!(tail(b""), b"");
    assert_eq!(tail(&[0; 3]), [0; 2]);
    assert_eq!(tail(&[0; 7]), [0; 14]);
    // Not to any of them, or more than to the next one: it stays.
    assert_eq!(tail(&[0; 2]), [0; 2]);
    assert_eq!(tail(&[0; 39]), [0; 39]);
    assert_eq!(tail(&[0; 23]), [0; 23]);
    assert_eq!(tail(b"\0\0x"), b"\0\0x");
    let longer = file(16, b"\xffabcdefgh\xffabcdefgh");
    // 34 bytes, and 14 are 48.
    let mut read = yaz0::read(&[&longer[..], &[0; 14]].concat()).unwrap().into_owned();
    assert!(read.replace(b"x".to_vec(), Level::Store) && !read.replace(b"x".to_vec(), Level::Store));
    assert_eq!(*read.tail, [0; 14]);
    // A whole multiple of zeros fills nothing up.
    let even = file(14, b"\xffabcdefgh\xfcijklmn");
    let mut read = unpacked(&[&even[..], &[0; 32]].concat());
    assert_eq!((even.len(), read.tail.len()), (32, 32));
    assert!(read.replace(b"x".to_vec(), Level::Store));
    assert_eq!(*read.tail, [0; 32]);
    assert_eq!(Level::ALL.map(Level::name), ["store", "fast", "normal", "best"]);
}
