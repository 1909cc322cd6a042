//! Registers of one shader unit.

use unshade_stage::{ConstantValue, Space, Stage};

/// A register of four components, x y z w.
pub type Vector = [f32; 4];

/// Everything that a program reads and writes. All fields are free to set before a run and to read after it.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// v0-v15, the inputs.
    pub v: [Vector; 16],
    /// o0-o15, the outputs: for geometry programs the bank that is active.
    pub o: [Vector; 16],
    /// The output bank that is not active; EMIT exchanges the two.
    pub o_other: [Vector; 16],
    /// r0-r15, the temporaries.
    pub r: [Vector; 16],
    /// c0-c95, the float uniforms.
    pub c: [Vector; 96],
    /// i0-i3, the integer uniforms: number of passes less one, start of aL, step of aL, unused.
    pub i: [[u8; 4]; 4],
    /// b0-b15, the bool uniforms.
    pub b: [bool; 16],
    /// a0.x and a0.y.
    pub a0: [i32; 2],
    /// aL, the loop counter.
    pub al: i32,
    /// cmp.x and cmp.y.
    pub cmp: [bool; 2],
    /// What SETEMIT chose.
    pub emission: Emission,
    /// Vertex slots of a geometry program: what EMIT last put there.
    pub slots: [[Vector; 16]; 4],
}

/// What the next EMIT does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Emission {
    /// Vertex slot, 0-3.
    pub vertex: u8,
    /// Slots 0, 1 and 2 leave as a triangle.
    pub primitive: bool,
    /// The triangle's winding is inverted.
    pub invert: bool,
}

/// A vertex that left a geometry program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vertex {
    /// All outputs; which of them the rasteriser sees is a matter of the output mask.
    pub o: [Vector; 16],
    /// It belongs to a triangle whose winding is inverted. The vertices stay in slot order.
    pub inverted: bool,
}

impl Vertex {
    /// The first `count` outputs that `mask` (bit n = o`n`) enables, filled up with zero vectors.
    pub fn enabled(&self, mask: u32, count: usize) -> Vec<Vector> {
        let chosen = self.o.iter().enumerate().filter(|(n, _)| mask >> n & 1 != 0).map(|(_, o)| *o);
        chosen.chain(std::iter::repeat([0.0; 4])).take(count).collect()
    }
}

impl Default for State {
    fn default() -> Self {
        Self {
            v: [[0.0; 4]; 16],
            o: [[0.0; 4]; 16],
            o_other: [[0.0; 4]; 16],
            r: [[0.0; 4]; 16],
            c: [[0.0; 4]; 96],
            i: [[0; 4]; 4],
            b: [false; 16],
            a0: [0; 2],
            al: 0,
            cmp: [false; 2],
            emission: Emission::default(),
            slots: [[[0.0; 4]; 16]; 4],
        }
    }
}

impl State {
    /// All zero, then the stage's constants in file order. Constants that name a register which does not
    /// exist are left out.
    pub fn new(stage: &Stage<'_>) -> Self {
        let mut state = Self::default();
        for constant in &stage.code.constants {
            let register = constant.register as usize;
            match (constant.space, constant.value) {
                (Space::Float, ConstantValue::Float(value)) => put(&mut state.c, register, value),
                (Space::Int, ConstantValue::Int(value)) => put(&mut state.i, register, value),
                (Space::Bool, ConstantValue::Bool(value)) => put(&mut state.b, register, value),
                _ => {}
            }
        }
        state
    }
}

fn put<T>(registers: &mut [T], register: usize, value: T) {
    if let Some(place) = registers.get_mut(register) {
        *place = value;
    }
}
