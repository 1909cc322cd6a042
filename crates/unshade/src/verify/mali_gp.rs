//! The interpreter of the Mali vertex processor, as [`super::verify`] needs it.

use super::Words;
use super::machine::{Inputs, Leaves, Machine, Registers, words};
use unshade_ir::{Global, Space};
use unshade_isa::cases::Kind;
use unshade_isa::mali_gp::exec::{End, Program, State, Step, Timing, Trace, Vector, cases};
use unshade_isa::mali_gp::lift::viewport::{UNIFORM, transform};
use unshade_stage::Stage;

/// A program and the interpreter.
pub(super) struct MaliGp<'a> {
    stage: &'a Stage<'a>,
    program: Program,
    /// First word of scale and offset of the viewport.
    viewport: Option<usize>,
}

impl<'a> MaliGp<'a> {
    pub(super) fn new(stage: &'a Stage<'a>) -> Self {
        let symbols = &stage.interface.symbols;
        let viewport = symbols.iter().find(|symbol| symbol.name == UNIFORM).and_then(|symbol| symbol.offset);
        Self { stage, program: Program::new(stage), viewport: viewport.map(usize::from) }
    }

    fn state(&self, inputs: &Inputs) -> State {
        let mut state = State::new(self.stage);
        let fill = |vectors: &mut [Vector], words: &[u32]| {
            for (place, word) in vectors.iter_mut().flatten().zip(words) {
                *place = f32::from_bits(*word);
            }
        };
        fill(&mut state.attributes, words(inputs, Space::Input, 0));
        fill(&mut state.memory, words(inputs, Space::Uniform, 0));
        state
    }
}

impl Machine for MaliGp<'_> {
    fn inputs(&self, seed: u64, index: u64, kind: Kind) -> Inputs {
        let state = cases::case(self.stage, seed, index, kind);
        let bits = |vectors: &[Vector]| vectors.iter().flatten().map(|x| x.to_bits()).collect();
        vec![
            Registers { space: Space::Input, binding: 0, words: bits(&state.attributes) },
            Registers { space: Space::Uniform, binding: 0, words: bits(&state.memory) },
        ]
    }

    fn run(&self, inputs: &Inputs, fuel: u64) -> (Option<Words>, u64) {
        let mut state = self.state(inputs);
        let outcome = self.program.run(&mut state, fuel);
        let words = || state.varyings.iter().flatten().map(|x| x.to_bits()).collect();
        ((outcome.end == End::Ended).then(|| vec![words()]), outcome.steps)
    }

    fn leaves_assumptions(&self, inputs: &Inputs, fuel: u64, _: &[Global]) -> bool {
        let mut watch = Watch::default();
        self.program.run_with(&mut self.state(inputs), fuel, Timing::Relaxed, &mut watch);
        watch.outside
    }

    fn output_words(&self) -> usize {
        4 * 16
    }

    fn leaves(&self) -> Leaves {
        Leaves::Outputs
    }

    fn as_stored(&self, inputs: &Inputs, mut result: Words) -> Words {
        let memory = words(inputs, Space::Uniform, 0);
        let vector = |words: &[u32], first: usize| {
            [0, 1, 2, 3].map(|n| words.get(first + n).copied().map_or(0.0, f32::from_bits))
        };
        if let Some(viewport) = self.viewport
            && let Some(position) = result.first_mut().and_then(|words| words.get_mut(..4))
        {
            let clip = vector(position, 0);
            let stored = transform(clip, vector(memory, viewport), vector(memory, viewport + 4));
            position.copy_from_slice(&stored.map(f32::to_bits));
        }
        result
    }

    fn output_name(&self, word: usize) -> String {
        format!("v{}.{}", word / 4, ["x", "y", "z", "w"][word % 4])
    }
}

/// Sees whether a number on the way is an infinity or NaN.
#[derive(Default)]
struct Watch {
    outside: bool,
}

impl Trace for Watch {
    fn step(&mut self, step: &Step) {
        self.outside |= step.results.iter().any(|result| !result.is_finite());
    }
}
