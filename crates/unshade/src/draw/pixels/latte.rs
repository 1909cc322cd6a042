//! Quads of the Wii U's GPU.

use super::{Destination, Pixels, Quad, Shaded, fill};
use crate::run_json::latte::unfinished;
use crate::verify::{Inputs, latte_start, latte_uniforms};
use unshade_isa::latte::bindings::{FRAG_COORD_BINDING, FRONT_FACING_BINDING, REGISTER_BINDING};
use unshade_isa::latte::exec::{Lane, Program, Resources};
use unshade_isa::latte::lift::start::Start;
use unshade_isa::texture::Bank;
use unshade_stage::Stage;

/// Components of all registers.
const COMPONENTS: usize = 4 * 128;

pub(super) struct Latte {
    program: Program,
    resources: Resources,
    start: Vec<Start>,
    destinations: Vec<Destination>,
    bank: Bank,
}

impl Latte {
    pub(super) fn new(
        stage: &Stage<'_>,
        constants: &Inputs,
        destinations: Vec<Destination>,
        bank: Bank,
    ) -> Self {
        let program = Program::new(stage);
        let resources = latte_uniforms(constants);
        let start = latte_start(stage.kind, program.latte());
        Self { program, resources, start, destinations, bank }
    }
}

impl super::Drawn for unshade_isa::latte::Latte {
    fn pixels(
        stage: &Stage<'_>,
        constants: &Inputs,
        destinations: Vec<Destination>,
        bank: Bank,
    ) -> Result<Box<dyn Pixels>, String> {
        Ok(Box::new(Latte::new(stage, constants, destinations, bank)))
    }
}

impl Pixels for Latte {
    fn quad(&mut self, quad: &Quad<'_>, fuel: u64) -> Shaded {
        let mut lanes: [Lane; 4] = std::array::from_fn(|n| {
            let mut words = [0; COMPONENTS];
            fill(&mut words, REGISTER_BINDING, &self.destinations, quad.values[n], |bits| bits);
            let word = |binding, at: u32| match binding {
                REGISTER_BINDING => words.get(at as usize).copied().unwrap_or(0),
                FRAG_COORD_BINDING => quad.coordinates[n][at as usize & 3].to_bits(),
                FRONT_FACING_BINDING => (if quad.front { 1.0_f32 } else { 0.0 }).to_bits(),
                _ => 0,
            };
            let mut lane = Lane { helper: !quad.covered[n], ..Lane::default() };
            for (place, start) in lane.registers.iter_mut().flatten().zip(&self.start) {
                *place = crate::verify::latte_value(*start, &word);
            }
            lane
        });
        let mut bank = &self.bank;
        let outcome = self.program.run(&mut lanes, &self.resources, &mut bank, fuel);
        let words = lanes.map(|lane| (!lane.killed).then(|| lane.exports.to_vec()));
        Shaded { words, steps: outcome.steps, stopped: unfinished(outcome) }
    }
}
