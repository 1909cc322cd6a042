//! The shader program header: 20 words in front of the code of a graphics stage, from which the machine knows
//! what the program reads, writes and needs before it runs.
//!
//! Source of the layout: NVIDIA's document "Shader Program Header Specification"; two bits of the first word
//! that it calls reserved are used by drivers and named here after their emulators' finds. Every bit belongs to
//! one [`Field`], so that nothing is lost and everything can be named and changed.

mod fields;
mod maps;

pub use fields::{Field, Shape};
pub use maps::{Interpolation, PixelOutput, PixelRegister};

use std::ops::RangeInclusive;
use unshade_stage::StageKind;

/// Words of a header.
pub const WORDS: usize = 20;

/// A program header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Header([u32; WORDS]);

/// Which of the two layouts a header has behind its first five words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layout {
    /// For stages that work on vertices: a bit for each word of the attribute space.
    Vertices,
    /// For pixels: two bits for each component that is interpolated.
    Pixels,
    /// Neither: the empty header that open compilers put in front of compute programs.
    Other,
}

/// What the vertices that a program emits are put together to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topology {
    /// Points.
    Points,
    /// A line strip.
    LineStrip,
    /// A triangle strip.
    TriangleStrip,
    /// A number without meaning.
    Other(u8),
}

impl Header {
    /// The header that starts with the first of these words; `None` where there are fewer than [`WORDS`].
    pub fn read(words: &[u32]) -> Option<Self> {
        words.first_chunk().copied().map(Self)
    }

    /// Its words: those that were read, but for fields that were set.
    pub fn write(&self) -> [u32; WORDS] {
        self.0
    }

    /// `len` bits from bit `at` on, counted through all words; `len` 1-32. Bits behind the end are zero.
    fn bits(&self, at: u32, len: u32) -> u32 {
        let word = |index: u32| u64::from(self.0.get(index as usize).copied().unwrap_or(0));
        let both = word(at / 32) | word(at / 32 + 1) << 32;
        (both >> (at % 32) & ((1 << len) - 1)) as u32
    }

    fn bit(&self, at: u32) -> bool {
        self.bits(at, 1) == 1
    }

    fn put(&mut self, at: u32, len: u32, value: u32) {
        let mask = ((1_u64 << len) - 1) << (at % 32);
        let value = u64::from(value) << (at % 32) & mask;
        for (index, shift) in [(at / 32, 0), (at / 32 + 1, 32)] {
            if let Some(word) = self.0.get_mut(index as usize) {
                *word = *word & !((mask >> shift) as u32) | (value >> shift) as u32;
            }
        }
    }

    /// What a field holds.
    pub fn get(&self, field: &Field) -> u32 {
        self.bits(field.at, field.len)
    }

    /// Puts a value into a field; whether it fits there. What does not fit changes nothing.
    pub fn set(&mut self, field: &Field, value: u32) -> bool {
        let fits = field.len >= 32 || value >> field.len == 0;
        if fits {
            self.put(field.at, field.len, value);
        }
        fits
    }

    /// The layout behind the first five words.
    pub fn layout(&self) -> Layout {
        match self.bits(0, 5) {
            1 => Layout::Vertices,
            2 => Layout::Pixels,
            _ => Layout::Other,
        }
    }

    /// The stage that it names.
    pub fn stage(&self) -> Option<StageKind> {
        Some(match self.bits(10, 4) {
            1 => StageKind::Vertex,
            2 => StageKind::TessControl,
            3 => StageKind::TessEval,
            4 => StageKind::Geometry,
            5 => StageKind::Fragment,
            _ => return None,
        })
    }

    /// Whether each colour goes to the target of its number; else the first goes to all.
    pub fn multiple_targets(&self) -> bool {
        self.bit(14)
    }

    /// Whether the program may drop pixels. Where not, `KIL` does nothing and raises an exception.
    pub fn kills_pixels(&self) -> bool {
        self.bit(15)
    }

    /// Whether the program may write global memory. Where not, `ST`, `ATOM` and `SUST` do nothing and raise an
    /// exception.
    pub fn stores_globally(&self) -> bool {
        self.bit(16)
    }

    /// Whether a geometry program hands on vertices as they are.
    pub fn geometry_passthrough(&self) -> bool {
        self.bit(24)
    }

    /// Whether the program may load or store. Where not, loads and stores of all kinds do nothing.
    pub fn loads_or_stores(&self) -> bool {
        self.bit(26)
    }

    /// Whether the program uses doubles. Where not, such instructions do nothing.
    pub fn uses_doubles(&self) -> bool {
        self.bit(27)
    }

    /// Which of the four streams of a geometry program are written, stream 0 as the lowest bit.
    pub fn streams(&self) -> u8 {
        self.bits(28, 4) as u8
    }

    /// Bytes of local memory of a thread, from address 0 up.
    pub fn local_memory(&self) -> u32 {
        self.bits(32, 24)
    }

    /// Bytes of local memory of a thread, from the end of its window down.
    pub fn local_memory_high(&self) -> u32 {
        self.bits(64, 24)
    }

    /// Bytes that the branch stack of a warp needs beside what the chip holds.
    pub fn branch_stack(&self) -> u32 {
        self.bits(96, 24)
    }

    /// Words that a tessellation control program writes for a patch.
    pub fn patch_words(&self) -> u32 {
        self.bits(56, 8)
    }

    /// Threads for each input primitive: vertices that a tessellation control program gives, invocations of a
    /// geometry program.
    pub fn threads(&self) -> u32 {
        self.bits(88, 8)
    }

    /// What a geometry program gives.
    pub fn topology(&self) -> Topology {
        match self.bits(120, 4) {
            1 => Topology::Points,
            6 => Topology::LineStrip,
            7 => Topology::TriangleStrip,
            other => Topology::Other(other as u8),
        }
    }

    /// The most vertices that a geometry program gives in one invocation.
    pub fn most_vertices(&self) -> u32 {
        self.bits(128, 12)
    }

    /// The words of the attribute space that the program reads back after it has written them; `None` where there
    /// are none.
    pub fn read_back(&self) -> Option<RangeInclusive<u32>> {
        let (first, last) = (self.bits(140, 8), self.bits(152, 8));
        (first <= last).then_some(first..=last)
    }
}

#[cfg(test)]
mod tests;
