//! The interpreter of the Mali pixel processor, as [`super::verify`] needs it: one pixel alone, with the IR's
//! own answers for textures and neighbours, so that both sides get the same.

use super::compare::Words;
use super::machine::{Inputs, Leaves, Machine, Registers, words};
use super::outside::Reason;
use unshade_ir::exec::Memory;
use unshade_ir::{Global, Space};
use unshade_isa::cases::Kind;
use unshade_isa::mali_pp;
use unshade_isa::mali_pp::exec::{End, Float, Lane, NoTrace, Program, Step, Trace, cases, trace::writes};
use unshade_isa::mali_pp::half::Constants;
use unshade_isa::mali_pp::lift::{
    FRAG_COORD_BINDING, FRAMEBUFFER_COLOR_BINDING, FRAMEBUFFER_DEPTH_BINDING, FRONT_FACING_BINDING,
    POINT_COORD_BINDING, UNIFORM_BINDING, VARYING_BINDING,
};
use unshade_stage::Stage;

/// A program and the interpreter.
pub(super) struct MaliPp<'a> {
    stage: &'a Stage<'a>,
    program: Program,
}

impl<'a> MaliPp<'a> {
    pub(super) fn new(stage: &'a Stage<'a>, constants: Constants) -> Self {
        Self { stage, program: Program::with_constants(stage, constants) }
    }

    fn run_traced(&self, inputs: &Inputs, fuel: u64, trace: &mut impl Trace<Program>) -> (Lane, End, u64) {
        let floats = |space, binding| -> Vec<f32> {
            words(inputs, space, binding).iter().copied().map(f32::from_bits).collect()
        };
        let input = |binding| {
            let floats = floats(Space::Input, binding);
            [0, 1, 2, 3].map(|n| floats.get(n).copied().unwrap_or_default())
        };
        let [x, y, ..] = input(POINT_COORD_BINDING);
        let mut lane = Lane {
            varyings: floats(Space::Input, VARYING_BINDING),
            frag_coord: hardware(input(FRAG_COORD_BINDING)),
            point_coord: [x, y],
            front_facing: input(FRONT_FACING_BINDING)[0],
            framebuffer_color: input(FRAMEBUFFER_COLOR_BINDING),
            framebuffer_depth: input(FRAMEBUFFER_DEPTH_BINDING)[0],
            ..Lane::default()
        };
        let uniforms = floats(Space::Uniform, UNIFORM_BINDING);
        // Answers by formula, as every environment without textures does.
        let mut environment = Memory::default();
        let outcome = self.program.run_lane(&mut lane, &uniforms, &mut environment, Float::F32, fuel, trace);
        (lane, outcome.ends[0], outcome.steps)
    }
}

/// `gl_FragCoord` as the hardware has it: with w in the place of 1/w.
pub(crate) fn hardware([x, y, z, inverse]: [f32; 4]) -> [f32; 4] {
    [x, y, z, 1.0 / inverse]
}

impl super::machine::Verified for mali_pp::MaliPp {
    fn machine<'a>(stage: &'a Stage<'_>) -> Result<Box<dyn Machine + 'a>, String> {
        Ok(Box::new(MaliPp::new(stage, Constants::Exact)))
    }

    fn readable<'a>(stage: &'a Stage<'_>) -> Result<Box<dyn Machine + 'a>, String> {
        Ok(Box::new(MaliPp::new(stage, Constants::Written)))
    }
}

impl Machine for MaliPp<'_> {
    fn inputs(&self, seed: u64, index: u64, kind: Kind) -> Inputs {
        let (lane, uniforms) = cases::case(self.stage, &self.program, seed, index, kind);
        let registers = |space, binding, values: &[f32]| Registers {
            space,
            binding,
            words: values.iter().map(|value| value.to_bits()).collect(),
        };
        vec![
            registers(Space::Input, VARYING_BINDING, &lane.varyings),
            registers(Space::Input, FRAG_COORD_BINDING, &lane.frag_coord),
            registers(Space::Input, POINT_COORD_BINDING, &lane.point_coord),
            registers(Space::Input, FRONT_FACING_BINDING, &[lane.front_facing]),
            registers(Space::Input, FRAMEBUFFER_COLOR_BINDING, &lane.framebuffer_color),
            registers(Space::Input, FRAMEBUFFER_DEPTH_BINDING, &[lane.framebuffer_depth]),
            registers(Space::Uniform, UNIFORM_BINDING, &uniforms),
        ]
    }

    fn registers(&self, mut inputs: Inputs) -> Inputs {
        for registers in &mut inputs {
            if (registers.space, registers.binding) == (Space::Input, FRAG_COORD_BINDING)
                && let Some(inverse) = registers.words.get_mut(3)
            {
                *inverse = (1.0 / f32::from_bits(*inverse)).to_bits();
            }
        }
        inputs
    }

    fn run(&self, inputs: &Inputs, fuel: u64) -> (Option<Words>, u64) {
        let (lane, end, steps) = self.run_traced(inputs, fuel, &mut NoTrace);
        let result = match end {
            End::Ended => {
                let color = lane.registers[0].map(f32::to_bits);
                Some(vec![color.into_iter().chain([0]).collect()])
            }
            End::Discarded => Some(vec![vec![0, 0, 0, 0, 1]]),
            End::OutOfFuel => None,
        };
        (result, steps)
    }

    fn leaves_assumptions(&self, inputs: &Inputs, fuel: u64, _: &[Global]) -> Option<Reason> {
        let mut watch = Watch::default();
        self.run_traced(inputs, fuel, &mut watch);
        watch.outside
    }

    fn output_words(&self) -> usize {
        4
    }

    fn leaves(&self) -> Leaves {
        Leaves::Pixel
    }

    fn output_name(&self, word: usize) -> String {
        match ["x", "y", "z", "w"].get(word) {
            Some(component) => format!("$0.{component}"),
            None => "discard".to_owned(),
        }
    }
}

/// Sees whether a register gets an infinity or NaN.
#[derive(Default)]
struct Watch {
    outside: Option<Reason>,
}

impl Trace<Program> for Watch {
    fn step(&mut self, step: &Step<'_>) {
        for lane in step.lanes {
            for (register, mask) in lane.registers.iter().zip(writes(step.inst)) {
                let written = register.iter().enumerate().filter(|(n, _)| mask >> n & 1 != 0);
                let is_finite = written.into_iter().all(|(_, value)| value.is_finite());
                Reason::NotFinite.note(!is_finite, &mut self.outside);
            }
        }
    }
}
