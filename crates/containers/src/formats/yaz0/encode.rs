//! Bytes to a stream: literals only, a quick one, one that chooses as the vendor's encoder does, and the
//! shortest there is.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "positions in the data that is being compressed; no number comes from a file"
)]

use super::{LONGEST, WINDOW};

/// How much trouble to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Literals only: nine bytes for eight.
    Store,
    /// As [`Level::Normal`], but of the places where a copy could come from only the nearest 256 are looked at.
    Fast,
    /// The longest copy, the nearest one among equals; put off by a byte as long as that makes it longer.
    /// This is what the files of the vendor show, but for a few decisions in ten thousand.
    Normal,
    /// The shortest stream there is.
    Best,
}

impl Level {
    /// All of them, the longest stream first.
    pub const ALL: [Self; 4] = [Self::Store, Self::Fast, Self::Normal, Self::Best];

    /// The name used in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Store => "store",
            Self::Fast => "fast",
            Self::Normal => "normal",
            Self::Best => "best",
        }
    }
}

/// Shortest copy that the format has.
const SHORTEST: usize = 3;

/// Longest copy that takes two bytes.
const SHORT: usize = 17;

/// The stream of `data`, without the header. The same data and level give the same stream on every machine.
pub fn encode(data: &[u8], level: Level) -> Vec<u8> {
    let mut groups = Groups::for_data(data.len());
    match level {
        Level::Store => data.iter().for_each(|&byte| groups.literal(byte)),
        Level::Fast => lazy(data, 256, &mut groups),
        Level::Normal => lazy(data, WINDOW, &mut groups),
        Level::Best => shortest(data, &mut groups),
    }
    groups.bytes
}

/// The stream under construction.
struct Groups {
    bytes: Vec<u8>,
    /// Where the flags of the group stand that is being filled.
    flags: usize,
    /// How many chunks it has.
    chunks: u32,
}

impl Groups {
    fn for_data(len: usize) -> Self {
        Self { bytes: Vec::with_capacity(len / 2 + 16), flags: 0, chunks: 8 }
    }

    fn chunk(&mut self, literal: bool) {
        if self.chunks == 8 {
            self.flags = self.bytes.len();
            self.bytes.push(0);
            self.chunks = 0;
        }
        if literal {
            self.bytes[self.flags] |= 0x80 >> self.chunks;
        }
        self.chunks += 1;
    }

    fn literal(&mut self, byte: u8) {
        self.chunk(true);
        self.bytes.push(byte);
    }

    fn copy(&mut self, found: Match) {
        self.chunk(false);
        let [high, low] = (found.distance - 1).to_be_bytes();
        if usize::from(found.length) <= SHORT {
            self.bytes.extend([((found.length - 2) as u8) << 4 | high, low]);
        } else {
            self.bytes.extend([high, low, (found.length - 18) as u8]);
        }
    }
}

/// A place earlier in the data that goes on in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Match {
    /// How many bytes are the same; 0 for none.
    length: u16,
    /// How many bytes back.
    distance: u16,
}

/// For every position the earlier ones that start with the same bytes, nearest first: one chain for each of a few
/// lengths. The chain of the longer start is short, and what it holds nothing of bounds the search in the next.
struct Matcher<'a> {
    data: &'a [u8],
    chains: [Chain; STARTS.len()],
    /// The first position that is not in the chains yet.
    next: usize,
}

/// How many bytes must be the same for two positions to be in one chain.
const STARTS: [usize; 4] = [SHORTEST, 4, 6, 16];

/// Positions of equal hash.
struct Chain {
    /// The last position of each hash, plus one; 0 for none.
    last: Vec<u32>,
    /// For a position modulo the window, how far back the one before it of equal hash is; 0 for too far.
    back: Vec<u16>,
}

/// Bits of a hash.
const HASH: u32 = 16;

impl Chain {
    fn enter(&mut self, at: usize, start: &[u8]) {
        let key = start
            .iter()
            .fold(0_u64, |key, &byte| (key ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let last = &mut self.last[(key >> (64 - HASH)) as usize];
        let back = (at + 1).wrapping_sub(*last as usize);
        self.back[at % WINDOW] = if *last > 0 && back <= WINDOW { back as u16 } else { 0 };
        *last = (at + 1) as u32;
    }
}

impl<'a> Matcher<'a> {
    fn new(data: &'a [u8]) -> Self {
        let chains = STARTS.map(|_| Chain { last: vec![0; 1 << HASH], back: vec![0; WINDOW] });
        Self { data, chains, next: 0 }
    }

    /// Takes positions into the chains up to and with `position`.
    fn enter(&mut self, position: usize) {
        while self.next <= position {
            let at = self.next;
            self.next += 1;
            for (chain, len) in self.chains.iter_mut().zip(STARTS) {
                // What is shorter than that is not looked for in this chain.
                if let Some(start) = self.data.get(at..at + len) {
                    chain.enter(at, start);
                }
            }
        }
    }

    /// The longest match at `position`, the nearest among equals, after at most `depth` places in each chain.
    /// Positions are asked for in rising order.
    fn longest(&mut self, position: usize, depth: usize) -> Match {
        self.enter(position);
        let mut most = self.data[position..].len().min(LONGEST);
        for (chain, len) in self.chains.iter().zip(STARTS).rev() {
            if most < len {
                continue;
            }
            let found = chain.longest(self.data, position, depth, len..=most);
            if found.length > 0 {
                return found;
            }
            // Whatever is that long would have been in this chain.
            most = len - 1;
        }
        Match::default()
    }
}

impl Chain {
    /// The longest match of a length in `lengths`, the nearest among equals.
    fn longest(
        &self,
        data: &[u8],
        position: usize,
        depth: usize,
        lengths: std::ops::RangeInclusive<usize>,
    ) -> Match {
        let most = *lengths.end();
        let here = &data[position..position + most];
        let mut found = Match::default();
        let mut best = lengths.start() - 1;
        let mut at = position;
        for _ in 0..depth {
            let back = usize::from(self.back[at % WINDOW]);
            if back == 0 || position - at + back > WINDOW {
                break;
            }
            at -= back;
            let there = &data[at..at + most];
            // Only what goes on where the best one ends can be better.
            if there[best] != here[best] || there[best - 1] != here[best - 1] {
                continue;
            }
            let length = same(here, there);
            if length > best {
                best = length;
                found = Match { length: length as u16, distance: (position - at) as u16 };
                if length == most {
                    break;
                }
            }
        }
        found
    }
}

/// How many bytes `there` has in common with the start of `here`, which is at least as long.
fn same(here: &[u8], there: &[u8]) -> usize {
    let (a, b) = (here[..there.len()].as_chunks::<8>(), there.as_chunks::<8>());
    for (index, (x, y)) in a.0.iter().zip(b.0).enumerate() {
        let different = u64::from_le_bytes(*x) ^ u64::from_le_bytes(*y);
        if different != 0 {
            return index * 8 + different.trailing_zeros() as usize / 8;
        }
    }
    a.0.len() * 8 + a.1.iter().zip(b.1).take_while(|(x, y)| x == y).count()
}

/// The longest match, put off by a byte as long as the next one is longer.
fn lazy(data: &[u8], depth: usize, groups: &mut Groups) {
    let mut matcher = Matcher::new(data);
    let mut position = 0;
    let mut found = Match::default();
    let mut known = false;
    while let Some(&byte) = data.get(position) {
        if !known {
            found = matcher.longest(position, depth);
        }
        known = false;
        if found.length == 0 {
            groups.literal(byte);
            position += 1;
            continue;
        }
        let length = usize::from(found.length);
        // A copy has more than one byte, so there is a next position.
        if length < LONGEST {
            let next = matcher.longest(position + 1, depth);
            if next.length > found.length {
                groups.literal(byte);
                position += 1;
                found = next;
                known = true;
                continue;
            }
        }
        groups.copy(found);
        position += length;
    }
}

/// The stream with the fewest bits: from the end, each position takes what is cheapest together with what
/// follows. What a copy costs depends on its length alone, so the nearest of the longest will do for all
/// lengths up to its own.
fn shortest(data: &[u8], groups: &mut Groups) {
    let mut matcher = Matcher::new(data);
    let mut matches: Vec<Match> = (0..data.len()).map(|at| matcher.longest(at, WINDOW)).collect();
    drop(matcher);
    let mut costs = Costs::new();
    for found in matches.iter_mut().rev() {
        let (cost, length) = costs.cheapest(usize::from(found.length));
        costs.push(cost);
        found.length = length as u16;
    }
    let mut position = 0;
    while let Some(&byte) = data.get(position) {
        let found = matches[position];
        if usize::from(found.length) < SHORTEST {
            groups.literal(byte);
            position += 1;
        } else {
            groups.copy(found);
            position += usize::from(found.length);
        }
    }
}

/// What the positions behind the current one cost up to the end, in bits: as many as a copy can reach.
struct Costs {
    /// A window that moves towards the start of a longer array, so that it need not wrap around.
    bits: Vec<u64>,
    /// Where the cost of the next position stands.
    start: usize,
}

impl Costs {
    const ROOM: usize = 1 << 14;

    fn new() -> Self {
        Self { bits: vec![0; Self::ROOM], start: Self::ROOM - LONGEST - 1 }
    }

    /// The cost of a position at which a copy of up to `longest` bytes is possible, and the length to take: 1 for
    /// a literal.
    fn cheapest(&self, longest: usize) -> (u64, usize) {
        let behind = &self.bits[self.start..];
        let mut cheapest = (9 + behind[0], 1);
        // The longer one among equals; none where `lengths` is empty.
        let mut offer = |bits: u64, lengths: std::ops::RangeInclusive<usize>| {
            let ends = behind.get(*lengths.start() - 1..*lengths.end()).unwrap_or_default();
            if let Some(least) = ends.iter().copied().min()
                && bits + least <= cheapest.0
            {
                let at = ends.iter().rposition(|&cost| cost == least).unwrap_or_default();
                cheapest = (bits + least, lengths.start() + at);
            }
        };
        offer(17, SHORTEST..=longest.min(SHORT));
        offer(25, SHORT + 1..=longest);
        cheapest
    }

    /// Goes on to the position before, whose cost this is.
    fn push(&mut self, cost: u64) {
        if self.start == 0 {
            let end = Self::ROOM - LONGEST - 1;
            self.bits.copy_within(..LONGEST + 1, end);
            self.start = end;
        }
        self.start -= 1;
        self.bits[self.start] = cost;
    }
}
