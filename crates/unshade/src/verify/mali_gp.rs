//! The interpreter of the Mali vertex processor, as [`super::verify`] needs it.

use super::compare::Words;
use super::machine::{Inputs, Leaves, Machine, Registers, Restored, words};
use super::outside::Reason;
use unshade_ir::{Global, Space};
use unshade_isa::cases::Kind;
use unshade_isa::mali_gp;
use unshade_isa::mali_gp::exec::{End, Program, State, Step, Timing, Trace, Vector, cases};
use unshade_isa::mali_gp::lift::{point_size, viewport};
use unshade_stage::Stage;

/// A program and the interpreter.
pub(super) struct MaliGp<'a> {
    stage: &'a Stage<'a>,
    program: Program,
    /// First word of scale and offset of the viewport.
    viewport: Option<usize>,
    /// First word of the bounds and the factor of point sizes.
    parameters: Option<usize>,
    /// Word of the outputs that holds the size of points.
    point_size: Option<usize>,
}

impl<'a> MaliGp<'a> {
    pub(super) fn new(stage: &'a Stage<'a>) -> Self {
        let place = |name: &str| {
            let symbol = stage.interface.symbols.iter().find(|symbol| symbol.name == name)?;
            symbol.offset.map(usize::from)
        };
        Self {
            stage,
            program: Program::new(stage),
            viewport: place(viewport::UNIFORM),
            parameters: place(point_size::UNIFORM),
            point_size: place("gl_PointSize"),
        }
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

impl super::machine::Verified for mali_gp::MaliGp {
    fn machine<'a>(stage: &'a Stage<'_>) -> Result<Box<dyn Machine + 'a>, String> {
        Ok(Box::new(MaliGp::new(stage)))
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

    fn leaves_assumptions(&self, inputs: &Inputs, fuel: u64, _: &[Global]) -> Option<Reason> {
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

    fn as_stored(&self, inputs: &Inputs, mut result: Words, restored: Restored) -> Words {
        let memory = words(inputs, Space::Uniform, 0);
        if restored.point_size
            && let Some(at) = self.point_size
            && let Some(size) = result.first_mut().and_then(|words| words.get_mut(at))
        {
            let parameter = |at: usize| memory.get(at).copied().map_or(0.0, f32::from_bits);
            let parameters = self.parameters.map(|at| [parameter(at), parameter(at + 1), parameter(at + 2)]);
            *size = point_size::transform(f32::from_bits(*size), parameters).to_bits();
        }
        let vector = |words: &[u32], first: usize| {
            [0, 1, 2, 3].map(|n| words.get(first + n).copied().map_or(0.0, f32::from_bits))
        };
        if restored.position
            && let Some(first) = self.viewport
            && let Some(position) = result.first_mut().and_then(|words| words.get_mut(..4))
        {
            let clip = vector(position, 0);
            let stored = viewport::transform(clip, vector(memory, first), vector(memory, first + 4));
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
    outside: Option<Reason>,
}

impl Trace<Program> for Watch {
    fn step(&mut self, step: &Step) {
        let is_finite = step.results.iter().all(|result| result.is_finite());
        Reason::NotFinite.note(!is_finite, &mut self.outside);
    }
}
