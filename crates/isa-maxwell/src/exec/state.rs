//! What a program runs on and what it leaves: lanes, attributes, constants, memory.

use super::memory::{Global, Region};
use crate::word::Predicate;
use std::collections::BTreeMap;

/// Words of attribute space (bytes 0 to 0x3ff).
pub const ATTRIBUTE_WORDS: usize = 256;

/// Attribute space: its words, and which of them were set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attributes {
    words: Box<[u32; ATTRIBUTE_WORDS]>,
    known: [u64; ATTRIBUTE_WORDS / 64],
}

impl Default for Attributes {
    fn default() -> Self {
        Self { words: Box::new([0; ATTRIBUTE_WORDS]), known: [0; ATTRIBUTE_WORDS / 64] }
    }
}

impl Attributes {
    /// The word at byte `address` (rounded down to a word); 0 where none was set or outside.
    pub fn get(&self, address: u32) -> u32 {
        self.words.get(address as usize / 4).copied().unwrap_or(0)
    }

    /// Whether the word at byte `address` was set.
    pub fn is_known(&self, address: u32) -> bool {
        let word = address as usize / 4;
        self.known.get(word / 64).is_some_and(|bits| bits >> (word % 64) & 1 != 0)
    }

    /// Sets the word at byte `address`; outside nothing happens.
    pub fn set(&mut self, address: u32, value: u32) {
        let word = address as usize / 4;
        if let (Some(place), Some(bits)) = (self.words.get_mut(word), self.known.get_mut(word / 64)) {
            *place = value;
            *bits |= 1 << (word % 64);
        }
    }

    /// Sets consecutive words from byte `address` on.
    pub fn set_all(&mut self, address: u32, words: &[u32]) {
        for (n, word) in (0_u32..).zip(words) {
            self.set(address.saturating_add(4 * n), *word);
        }
    }

    /// The words that were set, with their addresses.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..ATTRIBUTE_WORDS as u32)
            .map(|word| 4 * word)
            .filter(|&at| self.is_known(at))
            .map(|at| (at, self.get(at)))
    }
}

/// Something that a geometry program did with the primitives of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A vertex: the outputs as they were.
    Vertex {
        /// The stream, 0 to 3.
        stream: u32,
        /// The outputs.
        outputs: Attributes,
    },
    /// The primitive ended.
    Cut {
        /// The stream.
        stream: u32,
    },
}

/// The condition code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags {
    /// The result was zero; with `sign`: no number.
    pub zero: bool,
    /// Its sign.
    pub sign: bool,
    /// A carry came out.
    pub carry: bool,
    /// The signed result did not fit.
    pub overflow: bool,
}

/// One invocation: a vertex, a pixel, a thread of a work group, an output vertex of a patch. All fields are free
/// to set before a run and to read after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    /// R0 to R254; what is at 255 is never read. Those of a pixel at its `EXIT` are its results.
    pub registers: Box<[u32; 256]>,
    /// P0 to P6, bit n = Pn.
    pub predicates: u8,
    /// The condition code.
    pub flags: Flags,
    /// Input attributes. Of a pixel: what `IPA` gives in any mode when it is multiplied by nothing; what the
    /// rasteriser interpolated with perspective is divided by w, so with `a[0x7c]` = 1.0 it is the value itself.
    pub attributes: Attributes,
    /// Output attributes.
    pub outputs: Attributes,
    /// Special registers by number; those that are not here follow from the place of the lane or are 0.
    pub special: BTreeMap<u8, u32>,
    /// Samples that the pixel covers (`PIXLD.COVMASK`).
    pub sample_mask: u32,
    /// Number of the sample (`PIXLD.MY_INDEX`).
    pub sample: u32,
    /// It takes part for its neighbours only: a pixel outside of the primitive. Nothing it stores is kept.
    pub helper: bool,
    /// It was dropped by `KIL`; it goes on as a helper.
    pub killed: bool,
    /// Memory of its own.
    pub local: Region,
    /// Vertices and ends of primitives.
    pub events: Vec<Event>,
}

impl Lane {
    /// Whether a predicate holds, such as the guard of an instruction. P7 always does, so inverted it never does.
    #[inline]
    pub fn holds(&self, predicate: Predicate) -> bool {
        (predicate.number == 7 || self.predicates >> predicate.number & 1 != 0) != predicate.not
    }
}

impl Default for Lane {
    fn default() -> Self {
        Self {
            registers: Box::new([0; 256]),
            predicates: 0,
            flags: Flags::default(),
            attributes: Attributes::default(),
            outputs: Attributes::default(),
            special: BTreeMap::new(),
            sample_mask: 1,
            sample: 0,
            helper: false,
            killed: false,
            local: Region::default(),
            events: Vec::new(),
        }
    }
}

/// Special registers by the names of NVIDIA's listings, without `SR_`.
pub const SPECIAL: &[(&str, u8)] = &[
    ("LANEID", 0),
    ("VIRTCFG", 2),
    ("VIRTID", 3),
    ("ORDERING_TICKET", 15),
    ("PRIM_TYPE", 16),
    ("INVOCATION_ID", 17),
    ("Y_DIRECTION", 18),
    ("THREAD_KILL", 19),
    ("SHADER_TYPE", 20),
    ("INVOCATION_INFO", 29),
    ("WSCALEFACTOR_XY", 30),
    ("WSCALEFACTOR_Z", 31),
    ("TID", 32),
    ("TID.X", 33),
    ("TID.Y", 34),
    ("TID.Z", 35),
    ("CTAID.X", 37),
    ("CTAID.Y", 38),
    ("CTAID.Z", 39),
    ("NTID", 40),
    ("SWINLO", 48),
    ("SWINSZ", 49),
    ("SMEMSZ", 50),
    ("LWINLO", 52),
    ("LWINSZ", 53),
    ("EQMASK", 56),
    ("LTMASK", 57),
    ("LEMASK", 58),
    ("GTMASK", 59),
    ("GEMASK", 60),
    ("CLOCKLO", 80),
    ("CLOCKHI", 81),
    ("GLOBALTIMERLO", 82),
    ("GLOBALTIMERHI", 83),
];

/// Number of a special register.
pub fn special_number(name: &str) -> Option<u8> {
    SPECIAL.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
}

/// The lanes of one work group: invocation n has the coordinates that count x fastest.
pub fn work_group(block: [u32; 3], group: [u32; 3]) -> Vec<Lane> {
    let mut lanes = Vec::new();
    for z in 0..block[2] {
        for y in 0..block[1] {
            for x in 0..block[0] {
                let mut lane = Lane::default();
                let packed = x & 0xffff | (y & 0x3ff) << 16 | z << 26;
                lane.special.insert(32, packed);
                for (n, value) in (33..).zip([x, y, z]) {
                    lane.special.insert(n, value);
                }
                for (n, value) in (37..).zip(group) {
                    lane.special.insert(n, value);
                }
                lanes.push(lane);
            }
        }
    }
    lanes
}

/// What all lanes read and write together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resources {
    /// Constant banks, word by word. What is not there is 0.
    pub constants: BTreeMap<u8, Vec<u32>>,
    /// Global memory.
    pub global: Global,
    /// Shared memory of the work group.
    pub shared: Region,
    /// Attributes of the vertices of the primitive or patch that geometry and tessellation read.
    pub vertices: Vec<Attributes>,
    /// Attributes of the patch: control writes them, evaluation reads them.
    pub patch: Attributes,
    /// Where an input is read at an offset in the pixel: by address its values at the places (0, 0), (4, 0), (0, 4)
    /// in pixels from the corner of the first pixel of the quad, y upwards; floats as bits.
    pub planes: BTreeMap<u32, [u32; 3]>,
}

impl Resources {
    /// A word of a constant bank, by byte.
    #[inline]
    pub fn constant(&self, bank: u8, byte: u32) -> u32 {
        let words = self.constants.get(&bank);
        words.and_then(|words| words.get(byte as usize / 4)).copied().unwrap_or(0)
    }

    /// Sets words of a constant bank from a byte on; at most 64 KiB.
    pub fn set_constants(&mut self, bank: u8, byte: u32, words: &[u32]) {
        let place = self.constants.entry(bank).or_default();
        for (n, word) in (byte as usize / 4..1 << 14).zip(words) {
            if n >= place.len() {
                place.resize(n + 1, 0);
            }
            if let Some(place) = place.get_mut(n) {
                *place = *word;
            }
        }
    }
}
