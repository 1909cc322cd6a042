//! The plain environment: vectors of words.

use super::Environment;
use crate::{Barrier, Image, ImageQuery, Space, math};
use std::collections::BTreeMap;

/// Something that a program emitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A vertex: all output words (of all bindings, one after the other) at that time.
    Vertex {
        /// Which stream.
        stream: u32,
        /// The words.
        words: Vec<u32>,
    },
    /// The end of a primitive.
    EndPrimitive {
        /// Which stream.
        stream: u32,
    },
    /// A store to an image, or an atomic operation on one.
    Image {
        /// Which operation.
        image: Image,
        /// Which image.
        unit: u32,
        /// Its operands, without the index.
        operands: Vec<u32>,
    },
}

/// Words by space and binding, and what was emitted.
///
/// ```
/// use unshade_ir::{Space, exec::{Environment, Memory}};
/// let mut memory = Memory::default();
/// memory.set(Space::Uniform, 0, vec![7, 8]);
/// assert_eq!(memory.load(Space::Uniform, 0, 1), 8);
/// assert_eq!(memory.load(Space::Uniform, 0, 2), 0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Memory {
    /// Sorted by space and binding.
    regions: Vec<((Space, u32), Vec<u32>)>,
    /// What was emitted and done to images, in order.
    pub events: Vec<Event>,
    /// Words of memory by address that were written.
    pub global: BTreeMap<u64, u32>,
}

impl Memory {
    fn find(&self, space: Space, binding: u32) -> Result<usize, usize> {
        self.regions.binary_search_by_key(&(space, binding), |(key, _)| *key)
    }

    /// Gives a binding its words; its length is what exists of it.
    pub fn set(&mut self, space: Space, binding: u32, words: Vec<u32>) {
        match self.find(space, binding) {
            Ok(at) => self.regions[at].1 = words,
            Err(at) => self.regions.insert(at, ((space, binding), words)),
        }
    }

    /// The words of a binding; empty for one that was never set.
    pub fn words(&self, space: Space, binding: u32) -> &[u32] {
        self.find(space, binding).map_or(&[], |at| &self.regions[at].1)
    }

    /// The same, to be changed.
    pub fn words_mut(&mut self, space: Space, binding: u32) -> &mut [u32] {
        match self.find(space, binding) {
            Ok(at) => &mut self.regions[at].1,
            Err(_) => &mut [],
        }
    }
}

impl Environment for Memory {
    fn load(&mut self, space: Space, binding: u32, word: u32) -> u32 {
        self.words(space, binding).get(word as usize).copied().unwrap_or(0)
    }

    fn store(&mut self, space: Space, binding: u32, word: u32, value: u32) {
        if let Some(place) = self.words_mut(space, binding).get_mut(word as usize) {
            *place = value;
        }
    }

    fn emit_vertex(&mut self, stream: u32) -> u64 {
        let outputs = self.regions.iter().filter(|((space, _), _)| *space == Space::Output);
        let words: Vec<u32> = outputs.flat_map(|(_, words)| words).copied().collect();
        let cost = words.len() as u64 + 1;
        self.events.push(Event::Vertex { stream, words });
        cost
    }

    fn end_primitive(&mut self, stream: u32) -> u64 {
        self.events.push(Event::EndPrimitive { stream });
        1
    }

    fn buffer_size(&mut self, binding: u32) -> u32 {
        (self.words_mut(Space::Storage, binding).len() as u32).saturating_mul(4)
    }

    fn global_load(&mut self, address: u64) -> u32 {
        self.global.get(&address).copied().unwrap_or_else(|| math::probe_address(address))
    }

    fn global_store(&mut self, address: u64, value: u32) {
        self.global.insert(address, value);
    }

    fn image(&mut self, image: Image, unit: u32, operands: &[u32]) -> [u32; 4] {
        if matches!(image.query, ImageQuery::Store | ImageQuery::Atomic(_)) {
            self.events.push(Event::Image { image, unit, operands: operands.to_vec() });
        }
        math::probe_image(image, unit, operands)
    }

    /// Others have written to the memory of the work group: each word is now what its neighbour was. So a load
    /// that has crossed a barrier is seen.
    fn barrier(&mut self, barrier: Barrier) {
        let shared = self.words_mut(Space::Shared, 0);
        if barrier == Barrier::Control && !shared.is_empty() {
            shared.rotate_left(1);
        }
    }
}
