//! Yaz0: the streams that are made, against encoders that are slow and plain.

use super::yaz0::stream;
use proptest::prelude::*;
use unshade_containers::wrap::yaz0::{self, Level};

/// The longest piece before a position that goes on as the data does there, the nearest of equals: length and distance.
fn longest(data: &[u8], at: usize) -> (usize, usize) {
    let most = (data.len() - at).min(273);
    let length = |from: usize| (0..most).take_while(|&n| data[from + n] == data[at + n]).count();
    let found = (at.saturating_sub(0x1000)..at).map(|from| (length(from), at - from));
    found
        .filter(|(length, _)| *length >= 3)
        .max_by_key(|&(length, back)| (length, 0x1000 - back))
        .unwrap_or_default()
}

/// The bytes of a copy.
fn copy(length: usize, distance: usize) -> Vec<u8> {
    let back = distance - 1;
    match length {
        3..=17 => vec![((length - 2) << 4 | back >> 8) as u8, back as u8],
        _ => vec![(back >> 8) as u8, back as u8, (length - 18) as u8],
    }
}

/// The longest copy, put off by a literal as long as the next one is longer.
fn lazy(data: &[u8]) -> Vec<u8> {
    let (mut chunks, mut at) = (Vec::new(), 0);
    while at < data.len() {
        let (length, distance) = longest(data, at);
        let next = if at + 1 < data.len() { longest(data, at + 1).0 } else { 0 };
        if length == 0 || next > length {
            chunks.push(vec![data[at]]);
            at += 1;
        } else {
            chunks.push(copy(length, distance));
            at += length;
        }
    }
    stream(&chunks.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// The fewest bits that a stream for the data can have.
fn fewest(data: &[u8]) -> u64 {
    let mut costs = vec![0_u64; data.len() + 1];
    for at in (0..data.len()).rev() {
        let copies =
            (3..=longest(data, at).0).map(|length| costs[at + length] + if length <= 17 { 17 } else { 25 });
        costs[at] = copies.chain([costs[at + 1] + 9]).min().unwrap();
    }
    costs[0]
}

/// The bits of a stream that stands for so many bytes.
fn bits(stream: &[u8], size: usize) -> u64 {
    let (mut at, mut out, mut bits) = (0, 0, 0);
    while out < size {
        let flags = stream[at];
        at += 1;
        for place in 0..8 {
            if out >= size {
                break;
            }
            let (bytes, length) = match (flags << place & 0x80, stream[at] >> 4) {
                (0, 0) => (3, usize::from(stream[at + 2]) + 18),
                (0, length) => (2, usize::from(length) + 2),
                _ => (1, 1),
            };
            (at, out, bits) = (at + bytes, out + length, bits + 8 * bytes as u64 + 1);
        }
    }
    assert_eq!((at, out), (stream.len(), size));
    bits
}

/// What all levels must give.
fn check(data: &[u8]) {
    let normal = yaz0::encode(data, Level::Normal);
    assert!(normal == lazy(data), "{data:?}");
    let best = yaz0::encode(data, Level::Best);
    assert_eq!(bits(&best, data.len()), fewest(data), "{data:?}");
    let store = yaz0::encode(data, Level::Store);
    assert_eq!(store, stream(&data.chunks(1).collect::<Vec<_>>()));
    for stream in [normal, best, store, yaz0::encode(data, Level::Fast)] {
        let file = [b"Yaz0", &(data.len() as u32).to_be_bytes()[..], &[0; 8], &stream].concat();
        let read = yaz0::read(&file).unwrap();
        assert!(read.data == data && read.tail.is_empty());
    }
}

/// Bytes of few kinds, with no rule in them.
fn noise(len: usize, kinds: u32, seed: u32) -> Vec<u8> {
    let mut state = seed;
    let next = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 20) % kinds
    };
    std::iter::repeat_with(next).take(len).map(|byte| byte as u8).collect()
}

#[test]
fn lengths_and_distances_around_every_bound() {
    for length in [1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 18, 19, 33, 272, 273, 274, 275, 600] {
        check(&vec![7; length]);
        // The same piece again, something else between the two.
        for between in [0, 1, 5] {
            let piece = noise(length, 256, 1);
            check(&[&piece[..], &noise(between, 256, 2), &piece, b"end"].concat());
        }
    }
    for distance in [0xffe, 0xfff, 0x1000, 0x1001] {
        for length in [3, 4, 6, 16, 20] {
            let mut data = noise(distance, 256, 3);
            data.extend_from_within(..length);
            check(&data);
        }
    }
}

#[test]
fn of_equal_lengths_the_nearest_is_taken() {
    // `abcd` at three places, the last one nearest; then a longer one further back.
    check(b"abcdX.abcdY-abcdZ+abcd");
    check(b"abcdefgh.abcd-abcdefgh");
    check(b"abcdefgh.abcdefgi-abcdefgh");
    // A longer one at the next byte, and at the one behind that.
    check(b"abc.bcdef.abcdef");
    check(b"abcd.bcde.abcde");
    check(b"abc.bcde.cdefgh.abcdefgh");
}

#[test]
fn long_data_wraps_around_all_tables() {
    // Past the window several times, and past the room in which costs move.
    check(&noise(9000, 3, 5));
    check(&[noise(5000, 40, 6), noise(5000, 2, 7)].concat());
    let data = noise(40_000, 4, 8);
    let best = yaz0::encode(&data, Level::Best);
    let normal = yaz0::encode(&data, Level::Normal);
    assert_eq!(bits(&best, data.len()), fewest(&data));
    assert!(bits(&best, data.len()) < bits(&normal, data.len()));
}

#[test]
fn quick_streams_look_at_the_nearest_places() {
    // Four bytes at so many places, each time going on otherwise, and in front of them one place that goes on as the end does.
    for (between, same) in [(254, true), (255, true), (256, false), (300, false)] {
        let mut data = b"abcde".to_vec();
        for n in 0..between {
            data.extend([b'a', b'b', b'c', b'd', 0x80 | (n >> 7) as u8, 0x80 | (n & 127) as u8]);
        }
        data.extend(b"!abcde");
        let [fast, normal] = [Level::Fast, Level::Normal].map(|level| yaz0::encode(&data, level));
        assert!(normal == lazy(&data));
        assert_eq!(fast == normal, same, "{between}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn few_symbols(data in prop::collection::vec(0_u8..3, 0..700)) {
        check(&data);
    }

    #[test]
    fn pieces_again(
        pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..40), 1..5),
        order in prop::collection::vec((0_usize..5, 0_usize..8), 0..60),
    ) {
        let piece = |&(at, skip): &(usize, usize)| {
            let piece = &pieces[at % pieces.len()];
            piece[skip.min(piece.len() - 1)..].to_vec()
        };
        check(&order.iter().flat_map(piece).collect::<Vec<u8>>());
    }
}
