//! A stream back to the bytes it stands for.

use super::HEADER;
use unshade_bytes::{Error, ErrorKind, Result};

/// Unpacks `size` bytes: the bytes, and how much of `packed` they took. The caller has compared `size` with the
/// length of the stream.
pub(super) fn decode(packed: &[u8], size: usize) -> Result<(Vec<u8>, usize)> {
    let mut out = Vec::with_capacity(size);
    let mut rest = packed;
    while out.len() < size {
        let Some((&flags, behind)) = rest.split_first() else { return Err(ends(packed, &out, size)) };
        rest = behind;
        let room = size.saturating_sub(out.len());
        if flags == 0xff
            && room >= 8
            && let Some((literals, behind)) = rest.split_first_chunk::<8>()
        {
            out.extend_from_slice(literals);
            rest = behind;
            continue;
        }
        let mut flags = flags;
        for _ in 0..8 {
            if out.len() == size {
                // Bits of the last group that stand for nothing.
                break;
            }
            let (length, distance, behind) = match Token::take(flags, rest) {
                Some((Token::Literal(byte), behind)) => {
                    out.push(byte);
                    (0, 1, behind)
                }
                Some((Token::Copy { length, distance }, behind)) => (length, distance, behind),
                None => return Err(ends(packed, &out, size)),
            };
            if length > 0 && !copy(&mut out, length, distance, size) {
                return Err(bad_copy(packed, rest, &out, (length, distance), size));
            }
            rest = behind;
            flags <<= 1;
        }
    }
    Ok((out, packed.len().saturating_sub(rest.len())))
}

/// One chunk of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Literal(u8),
    Copy { length: usize, distance: usize },
}

impl Token {
    /// The chunk that the highest bit of `flags` announces, and what lies behind it.
    #[inline(always)]
    fn take(flags: u8, rest: &[u8]) -> Option<(Self, &[u8])> {
        if flags & 0x80 != 0 {
            let (&byte, behind) = rest.split_first()?;
            return Some((Self::Literal(byte), behind));
        }
        let (&[high, low], behind) = rest.split_first_chunk::<2>()?;
        let distance = (usize::from(high & 15) << 8 | usize::from(low)).wrapping_add(1);
        match high >> 4 {
            0 => {
                let (&third, behind) = behind.split_first()?;
                Some((Self::Copy { length: usize::from(third).wrapping_add(18), distance }, behind))
            }
            n => Some((Self::Copy { length: usize::from(n).wrapping_add(2), distance }, behind)),
        }
    }
}

/// Copies what was unpacked before; `false` where it starts before the beginning or runs past `size`.
#[inline(always)]
fn copy(out: &mut Vec<u8>, length: usize, distance: usize, size: usize) -> bool {
    let Some(start) = out.len().checked_sub(distance) else { return false };
    if length > size.saturating_sub(out.len()) {
        return false;
    }
    if distance >= length {
        out.extend_from_within(start..start.wrapping_add(length));
        return true;
    }
    // The copy overlaps itself: what it has written so far repeats.
    let mut left = length;
    while left > 0 {
        let part = left.min(out.len().wrapping_sub(start));
        out.extend_from_within(start..start.wrapping_add(part));
        left = left.wrapping_sub(part);
    }
    true
}

#[cold]
fn ends(packed: &[u8], out: &[u8], size: usize) -> Error {
    let expected = format!("a stream that gives {size} bytes");
    let found = format!("its end after {}", out.len());
    let offset = packed.len().saturating_add(HEADER) as u64;
    Error::new(ErrorKind::Truncated, offset, "stream", expected, found).code("yaz0.truncated")
}

#[cold]
fn bad_copy(packed: &[u8], rest: &[u8], out: &[u8], copy: (usize, usize), size: usize) -> Error {
    let (length, distance) = copy;
    let offset = packed.len().saturating_sub(rest.len()).saturating_add(HEADER) as u64;
    let (code, expected, found) = if distance > out.len() {
        let expected = format!("a copy whose distance is at most {}, the bytes so far", out.len());
        ("yaz0.distance", expected, format!("a distance of {distance}"))
    } else {
        let expected = format!("a copy of at most {} bytes, up to the end", size.saturating_sub(out.len()));
        ("yaz0.overrun", expected, format!("{length} bytes"))
    };
    Error::new(ErrorKind::BadValue, offset, "stream", expected, found).code(code)
}

/// How many bytes of `packed` stand for `size` bytes; `None` where they do not give so many, or copy what was not there.
/// `charge` is told of each group what it takes, and says whether to go on.
pub(super) fn extent(packed: &[u8], size: usize, mut charge: impl FnMut(usize) -> bool) -> Option<usize> {
    let (mut rest, mut out) = (packed, 0_usize);
    while out < size {
        let before = rest.len();
        let (&first, behind) = rest.split_first()?;
        rest = behind;
        let mut flags = first;
        for _ in 0..8 {
            if out >= size {
                break;
            }
            let (token, behind) = Token::take(flags, rest)?;
            let length = match token {
                Token::Literal(_) => 1,
                Token::Copy { length, distance } if distance <= out => length,
                Token::Copy { .. } => return None,
            };
            out = out.checked_add(length).filter(|&end| end <= size)?;
            rest = behind;
            flags <<= 1;
        }
        if !charge(before.saturating_sub(rest.len())) {
            return None;
        }
    }
    Some(packed.len().saturating_sub(rest.len()))
}

/// How often a stream uses which kind of chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tokens {
    pub literals: u64,
    /// Copies of two bytes, 3 to 17 long.
    pub short: u64,
    /// Copies of three bytes, 18 to 273 long.
    pub long: u64,
}

/// Counts the chunks of a stream that was decoded to `size` bytes.
pub(super) fn tokens(stream: &[u8], size: usize) -> Tokens {
    let mut tokens = Tokens::default();
    let (mut rest, mut out) = (stream, 0_usize);
    while out < size {
        let Some((&first, behind)) = rest.split_first() else { break };
        rest = behind;
        let mut flags = first;
        for _ in 0..8 {
            if out >= size {
                break;
            }
            let Some((token, behind)) = Token::take(flags, rest) else { return tokens };
            let (count, length) = match token {
                Token::Literal(_) => (&mut tokens.literals, 1),
                Token::Copy { length, .. } if length < 18 => (&mut tokens.short, length),
                Token::Copy { length, .. } => (&mut tokens.long, length),
            };
            *count = count.saturating_add(1);
            out = out.saturating_add(length);
            rest = behind;
            flags <<= 1;
        }
    }
    tokens
}
