//! Quads of the Mali pixel processor, in arithmetic of 32 bits.

use super::{Destination, Pixels, Quad, Shaded, fill, out_of_fuel};
use crate::verify::Inputs;
use unshade_ir::Space;
use unshade_isa::mali_pp::exec::{End, Float, Lane, Program, State};
use unshade_isa::mali_pp::lift::{UNIFORM_BINDING, VARYING_BINDING};
use unshade_isa::texture::Bank;
use unshade_stage::Stage;

pub(super) struct MaliPp {
    program: Program,
    uniforms: Vec<f32>,
    destinations: Vec<Destination>,
    /// Floats of the varyings.
    varyings: usize,
    bank: Bank,
}

impl MaliPp {
    pub(super) fn new(
        stage: &Stage<'_>,
        constants: &Inputs,
        destinations: Vec<Destination>,
        bank: Bank,
    ) -> Self {
        let program = Program::new(stage);
        let of = |registers: &&crate::verify::Registers| {
            (registers.space, registers.binding) == (Space::Uniform, UNIFORM_BINDING)
        };
        let uniforms = constants.iter().find(of).map(|file| &file.words[..]).unwrap_or_default();
        let uniforms = uniforms.iter().copied().map(f32::from_bits).collect();
        let named = destinations.iter().map(|place| place.word.saturating_add(1)).max().unwrap_or(0);
        let varyings = program.varying_floats().max(named).min(1 << 12) as usize;
        Self { program, uniforms, destinations, varyings, bank }
    }
}

impl super::Drawn for unshade_isa::mali_pp::MaliPp {
    fn pixels(
        stage: &Stage<'_>,
        constants: &Inputs,
        destinations: Vec<Destination>,
        bank: Bank,
    ) -> Result<Box<dyn Pixels>, String> {
        Ok(Box::new(MaliPp::new(stage, constants, destinations, bank)))
    }
}

impl Pixels for MaliPp {
    fn quad(&mut self, quad: &Quad<'_>, fuel: u64) -> Shaded {
        let lanes = std::array::from_fn(|n| {
            let mut lane = Lane { varyings: vec![0.0; self.varyings], ..Lane::default() };
            let (varyings, values) = (&mut lane.varyings, quad.values[n]);
            fill(varyings, VARYING_BINDING, &self.destinations, values, f32::from_bits);
            lane.frag_coord = crate::verify::hardware(quad.coordinates[n]);
            lane.front_facing = if quad.front { 1.0 } else { 0.0 };
            lane
        });
        let mut state = State { lanes, uniforms: std::mem::take(&mut self.uniforms) };
        let mut bank = &self.bank;
        let outcome = self.program.run(&mut state, &mut bank, Float::F32, fuel);
        let words = std::array::from_fn(|n| {
            (outcome.ends[n] == End::Ended).then(|| state.lanes[n].registers[0].map(f32::to_bits).to_vec())
        });
        self.uniforms = state.uniforms;
        let endless = outcome.ends.contains(&End::OutOfFuel);
        Shaded { words, steps: outcome.steps, stopped: endless.then(|| out_of_fuel(outcome.steps)) }
    }
}
