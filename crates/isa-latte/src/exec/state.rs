//! Registers, buffers and what leaves a program.

use super::super::bindings::EXPORT_WORDS;
use super::super::table::DataFormat;
use std::collections::BTreeMap;
use unshade_stage::{Latte, latte::UniformMode};

/// Four components, x y z w, as bits.
pub type Vector = [u32; 4];

/// Words that a region of memory has at most; writes behind them vanish, reads there give 0.
pub const REGION_WORDS: usize = 1 << 16;

/// Words that grow with what is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Region {
    /// The words up to the last one written.
    pub words: Vec<u32>,
}

impl Region {
    /// A word; 0 where none was written.
    pub fn read(&self, word: u64) -> u32 {
        usize::try_from(word).ok().and_then(|word| self.words.get(word)).copied().unwrap_or(0)
    }

    /// Changes a word.
    pub fn write(&mut self, word: u64, value: u32) {
        let Ok(word) = usize::try_from(word) else { return };
        if word >= REGION_WORDS {
            return;
        }
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] = value;
    }
}

/// Something that a geometry program did with its strips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A vertex, with the words of its item of the ring.
    Vertex(Vec<u32>),
    /// The strip ended.
    Cut,
}

/// One invocation: a vertex, a pixel, a primitive. All fields are free to set before a run and to read after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    /// R0 to R127.
    pub registers: Box<[Vector; 128]>,
    /// It takes part for its neighbours only: a pixel outside of the primitive.
    pub helper: bool,
    /// It was dropped.
    pub killed: bool,
    /// Exports, where [`super::super::bindings::export_word`] says.
    pub exports: Box<[u32; EXPORT_WORDS as usize]>,
    /// Export targets that were written, bit n = words 4n to 4n + 3.
    pub exported: u64,
    /// What went to the stream-out buffers.
    pub streams: [Region; 4],
    /// What went to the ring.
    pub ring: Region,
    /// Scratch memory.
    pub scratch: Region,
    /// The reduction buffer.
    pub reduction: Region,
    /// What went to memory by MEM_EXPORT, by word.
    pub memory: Region,
    /// Vertices and ends of strips.
    pub events: Vec<Event>,
}

impl Default for Lane {
    fn default() -> Self {
        Self {
            registers: Box::new([[0; 4]; 128]),
            helper: false,
            killed: false,
            exports: Box::new([0; EXPORT_WORDS as usize]),
            exported: 0,
            streams: Default::default(),
            ring: Region::default(),
            scratch: Region::default(),
            reduction: Region::default(),
            memory: Region::default(),
            events: Vec::new(),
        }
    }
}

/// How the elements of a buffer are laid out, where the fetch instruction leaves it to the resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Components and their sizes.
    pub format: DataFormat,
    /// 0 normalised, 1 integer, 2 converted to float.
    pub numbers: u32,
    /// Signed.
    pub signed: bool,
    /// How signed normalised numbers reach -1: false clamps the smallest number, true spreads all of them.
    pub spread: bool,
    /// Bytes that are swapped: 0 none, 1 in 16 bits, 2 in 32 bits, 3 in 64 bits.
    pub swap: u32,
}

impl Default for Layout {
    fn default() -> Self {
        Self { format: DataFormat::X32Y32Z32W32Float, numbers: 2, signed: true, spread: true, swap: 0 }
    }
}

/// A buffer to fetch from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Buffer {
    /// Its memory as little-endian words.
    pub words: Vec<u32>,
    /// Bytes from one element to the next; none: as many as the fetch takes, in whole words.
    pub stride: Option<u32>,
    /// The words are what a fetch sees behind its endian swap, which then does not count.
    pub swapped: bool,
    /// Layout for fetches that take it from the resource.
    pub layout: Layout,
}

/// What a program reads beside its registers, the same for all lanes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resources {
    /// Constant buffers 0 to 15, word by word. What is not there is 0.
    pub constants: [Vec<u32>; 16],
    /// The constant file, register n at words 4n to 4n + 3.
    pub constant_file: Vec<u32>,
    /// Loop constants: count in bits 0-11, first value in 12-23 (signed), step in 24-31 (signed).
    pub loops: [u32; 32],
    /// Bool constants, bit n = constant n.
    pub bools: u32,
    /// Other buffers by resource number.
    pub buffers: BTreeMap<u32, Buffer>,
    /// The program that CALL_FS runs; without one the attributes are in the registers already.
    pub fetch_program: Option<Vec<u32>>,
}

impl Resources {
    /// Puts what the file says about constants where the program reads them: initial values of uniforms, and loop
    /// constants.
    pub fn load(&mut self, latte: &Latte) {
        for initial in &latte.initial_values {
            // What has a place in a block is in the buffer of that block.
            let at = |uniform: &&unshade_stage::latte::Uniform| uniform.offset == initial.offset;
            let block = latte.uniforms.iter().find(at).and_then(|uniform| uniform.block);
            let buffer = match (latte.uniform_mode, block) {
                (UniformMode::Registers, _) => Some(&mut self.constant_file),
                (UniformMode::Blocks, block) => {
                    let number =
                        block.and_then(|block| latte.blocks.get(block as usize)).map_or(0, |at| at.buffer);
                    self.constants.get_mut(number as usize)
                }
            };
            // The constant file has 1024 words, a buffer of 64 KiB 16384.
            let (Some(buffer), Some(offset @ 0..16_380)) = (buffer, usize::try_from(initial.offset).ok())
            else {
                continue;
            };
            if buffer.len() < offset + 4 {
                buffer.resize(offset + 4, 0);
            }
            buffer[offset..offset + 4].copy_from_slice(&initial.value);
        }
        for constant in &latte.loops {
            if let Some(place) = self.loops.get_mut(constant.slot as usize) {
                *place = constant.value;
            }
        }
    }

    /// A vector of a constant buffer; what is outside is 0.
    #[inline]
    pub(super) fn constant(&self, buffer: u32, vector: u64) -> Vector {
        self.constants.get(buffer as usize).map_or([0; 4], |words| vector_of(words, vector))
    }

    /// A register of the constant file.
    #[inline]
    pub(super) fn file(&self, register: i64) -> Vector {
        match u64::try_from(register) {
            Ok(register @ 0..=255) => vector_of(&self.constant_file, register),
            _ => [0; 4],
        }
    }
}

#[inline]
fn vector_of(words: &[u32], vector: u64) -> Vector {
    let start = vector.saturating_mul(4);
    std::array::from_fn(|n| {
        let word = usize::try_from(start.saturating_add(n as u64)).ok();
        word.and_then(|word| words.get(word)).copied().unwrap_or(0)
    })
}
