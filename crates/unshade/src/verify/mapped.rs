//! The surroundings of a program as a text sees them: its words, units and buffers are other ones than the program's.

use super::machine::Restored;
use super::perturb::{FACTORS, OPERANDS};
use super::texels::Formats;
use std::collections::BTreeMap;
use unshade_ir::exec::Environment;
use unshade_ir::{
    AtomicOp, Barrier, Image, InputPlace, Module, QuadSide, Space, Texture, TextureShape, Vote,
};

/// A text as it runs in the place of a program.
pub(super) struct Text {
    pub(super) module: Module,
    pub(super) mapping: Mapping,
    pub(super) restored: Restored,
    pub(super) formats: Formats,
}

/// How a word of the program says what the text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// The same bits.
    Bits,
    /// A signed whole number, or a truth value, as a float.
    IntAsFloat,
    /// An unsigned whole number as a float.
    UintAsFloat,
    /// A truth value: whatever is not 0.
    Truth,
    /// A depth: the pipeline takes it for one from 0 to 1, and compilers may do so before.
    Depth,
}

/// A word of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub space: Space,
    pub binding: u32,
    pub word: u32,
    pub held: Held,
}

/// Where the program has what the text names. What is not in it reads as 0, and goes nowhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mapping {
    words: BTreeMap<(Space, u32), Vec<Option<Place>>>,
    /// Blocks and buffers of the text that are those of the program, with the word of the program where theirs begin.
    whole: BTreeMap<(Space, u32), (u32, u32)>,
    textures: BTreeMap<u32, u32>,
    images: BTreeMap<u32, u32>,
}

impl Mapping {
    pub(super) fn word(&mut self, space: Space, binding: u32, word: u32, place: Place) {
        let words = self.words.entry((space, binding)).or_default();
        let at = word as usize;
        if words.len() <= at {
            words.resize(at + 1, None);
        }
        words[at] = Some(place);
    }

    pub(super) fn whole(&mut self, space: Space, binding: u32, other: u32, first: u32) {
        self.whole.insert((space, binding), (other, first));
    }

    pub(super) fn texture(&mut self, unit: u32, other: u32) {
        self.textures.insert(unit, other);
    }

    pub(super) fn image(&mut self, unit: u32, other: u32) {
        self.images.insert(unit, other);
    }

    /// The words of the program that the text has.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        self.words.values().flatten().flatten().copied()
    }

    fn find(&self, space: Space, binding: u32, word: u32) -> Option<Place> {
        let is_perturbation =
            (space, binding) == (Space::Uniform, FACTORS) || (space, binding) == (Space::Output, OPERANDS);
        if space == Space::Shared || is_perturbation {
            return Some(Place { space, binding, word, held: Held::Bits });
        }
        if let Some((other, first)) = self.whole.get(&(space, binding)) {
            return Some(Place {
                space,
                binding: *other,
                word: word.saturating_add(*first),
                held: Held::Bits,
            });
        }
        *self.words.get(&(space, binding))?.get(word as usize)?
    }
}

/// Surroundings seen through a mapping.
pub(super) struct Mapped<'m, E> {
    pub(super) inner: &'m mut E,
    pub(super) mapping: &'m Mapping,
    /// Whether the text has read where nothing of its is: an index that leads out of its array.
    pub(super) has_strayed: bool,
}

/// A unit that no program has: what is asked of it is no answer of another.
const NO_UNIT: u32 = 1 << 30;

impl<E: Environment> Environment for Mapped<'_, E> {
    fn load(&mut self, space: Space, binding: u32, word: u32) -> u32 {
        let Some(place) = self.mapping.find(space, binding, word) else {
            self.has_strayed = true;
            return 0;
        };
        let bits = self.inner.load(place.space, place.binding, place.word);
        match place.held {
            Held::Bits | Held::Depth => bits,
            Held::IntAsFloat => f32::from_bits(bits) as i32 as u32,
            Held::UintAsFloat => f32::from_bits(bits) as u32,
            Held::Truth => u32::from(bits != 0),
        }
    }

    fn store(&mut self, space: Space, binding: u32, word: u32, value: u32) {
        let Some(place) = self.mapping.find(space, binding, word) else { return };
        let bits = match place.held {
            Held::Bits | Held::Truth => value,
            Held::Depth => f32::from_bits(value).clamp(0.0, 1.0).to_bits(),
            Held::IntAsFloat => (value as i32 as f32).to_bits(),
            Held::UintAsFloat => (value as f32).to_bits(),
        };
        self.inner.store(place.space, place.binding, place.word, bits);
    }

    fn emit_vertex(&mut self, stream: u32) -> u64 {
        self.inner.emit_vertex(stream)
    }

    fn end_primitive(&mut self, stream: u32) -> u64 {
        self.inner.end_primitive(stream)
    }

    fn texture(&mut self, texture: Texture, unit: u32, operands: &[u32]) -> [u32; 4] {
        let unit = self.mapping.textures.get(&unit).copied().unwrap_or(NO_UNIT);
        self.inner.texture(Texture { unit, indexed: false, ..texture }, unit, operands)
    }

    fn texture_shape(&mut self, unit: u32) -> Option<TextureShape> {
        let unit = self.mapping.textures.get(&unit)?;
        self.inner.texture_shape(*unit)
    }

    fn buffer_size(&mut self, binding: u32) -> u32 {
        match self.mapping.find(Space::Storage, binding, 0) {
            Some(place) => self.inner.buffer_size(place.binding).saturating_sub(place.word.saturating_mul(4)),
            None => 0,
        }
    }

    fn quad_read(&mut self, side: QuadSide, value: u32) -> u32 {
        self.inner.quad_read(side, value)
    }

    fn interpolate(&mut self, place: InputPlace, binding: u32, word: u32, operands: &[u32]) -> u32 {
        match self.mapping.find(Space::Input, binding, word) {
            Some(at) => self.inner.interpolate(place, at.binding, at.word, operands),
            None => 0,
        }
    }

    fn atomic(&mut self, op: AtomicOp, space: Space, binding: u32, word: u32, operands: &[u32]) -> u32 {
        match self.mapping.find(space, binding, word) {
            Some(place) => self.inner.atomic(op, place.space, place.binding, place.word, operands),
            None => 0,
        }
    }

    fn global_load(&mut self, address: u64) -> u32 {
        self.inner.global_load(address)
    }

    fn global_store(&mut self, address: u64, value: u32) {
        self.inner.global_store(address, value);
    }

    fn global_atomic(&mut self, op: AtomicOp, address: u64, operands: &[u32]) -> u32 {
        self.inner.global_atomic(op, address, operands)
    }

    fn image(&mut self, image: Image, unit: u32, operands: &[u32]) -> [u32; 4] {
        let unit = self.mapping.images.get(&unit).copied().unwrap_or(NO_UNIT);
        self.inner.image(Image { unit, indexed: false, ..image }, unit, operands)
    }

    fn vote(&mut self, vote: Vote, value: bool) -> bool {
        self.inner.vote(vote, value)
    }

    fn ballot(&mut self, value: bool) -> u32 {
        self.inner.ballot(value)
    }

    fn shuffle(&mut self, value: u32, lane: u32) -> u32 {
        self.inner.shuffle(value, lane)
    }

    fn barrier(&mut self, barrier: Barrier) {
        self.inner.barrier(barrier);
    }
}
