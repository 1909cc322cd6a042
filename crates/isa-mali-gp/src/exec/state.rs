//! Everything that one vertex reads and writes.

use super::super::table::MEMORY;
use unshade_stage::{Space, Stage};

/// Four components, x y z w.
pub type Vector = [f32; 4];

/// Registers, memory, and the results that units read from each other. All fields are free to set before a run
/// and to read after it.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// a0-a15, the attributes.
    pub attributes: [Vector; 16],
    /// v0-v15, the varyings. v0 is the position behind the viewport transform, with 1/w in w.
    pub varyings: [Vector; 16],
    /// `$0` to `$15`.
    pub registers: [Vector; 16],
    /// `t[0]` to `t[303]`: uniforms, constants and temporaries.
    pub memory: Vec<Vector>,
    /// Address registers: 0 for stores to temporary memory, 1-3 for loads.
    pub addresses: [i32; 4],
    /// Results of the units one and two instructions ago, in the order of
    /// [`Unit::ALL`](super::super::Unit::ALL).
    pub results: [[f32; 6]; 2],
    /// What the first register load brought in the instruction before.
    pub kept: Vector,
}

impl Default for State {
    fn default() -> Self {
        Self {
            attributes: [[0.0; 4]; 16],
            varyings: [[0.0; 4]; 16],
            registers: [[0.0; 4]; 16],
            memory: vec![[0.0; 4]; MEMORY],
            addresses: [0; 4],
            results: [[0.0; 6]; 2],
            kept: [0.0; 4],
        }
    }
}

impl State {
    /// All zero, then the values that the file's symbols start with.
    pub fn new(stage: &Stage<'_>) -> Self {
        let mut state = Self::default();
        for (word, bits) in initial(stage) {
            state.set_memory(word, f32::from_bits(bits));
        }
        state
    }

    /// Sets a word of the memory, counted in components; words that do not exist are left out.
    pub fn set_memory(&mut self, word: usize, value: f32) {
        if let Some(vector) = self.memory.get_mut(word / 4) {
            vector[word % 4] = value;
        }
    }
}

/// Words of the memory that the file gives values to, in file order, each with its value. Members of
/// structures have none.
pub fn initial<'s>(stage: &'s Stage<'_>) -> impl Iterator<Item = (usize, u32)> + 's {
    let uniforms = stage.interface.symbols.iter().filter(|symbol| symbol.space == Space::Float);
    uniforms.filter(|symbol| symbol.parent.is_none()).flat_map(|symbol| {
        let first = symbol.offset.map(usize::from);
        let values = symbol.initial.as_deref().unwrap_or_default();
        first.into_iter().flat_map(move |first| {
            values.iter().take(4 * MEMORY).enumerate().map(move |(n, &bits)| (first + n, bits))
        })
    })
}
