//! Quads of the Switch's GPU.

use super::{Destination, Pixels, Quad, Shaded, fill, out_of_fuel};
use crate::verify::Inputs;
use std::sync::Arc;
use unshade_ir::Space;
use unshade_isa::maxwell::address_map::{ATTRIBUTE_BINDING, SPECIAL_BINDING, VERTEX_WORDS};
use unshade_isa::maxwell::cosimulation::{Beside, Words};
use unshade_isa::maxwell::exec::{End, Resources};
use unshade_isa::maxwell::lift;
use unshade_isa::texture::{Bank, Pictures};
use unshade_stage::Stage;

/// First word of the place of the pixel, as `gl_FragCoord`.
const COORDINATES: usize = 0x70 / 4;
/// Word of the facing: 0.0 from behind.
const FACING: usize = 0x3FC / 4;

pub(super) struct Maxwell {
    beside: Beside,
    resources: Resources,
    destinations: Vec<Destination>,
    pictures: Pictures,
}

impl Maxwell {
    /// Fails, with the lift's words, where the program cannot be lifted: what it reads is not known then.
    pub(super) fn new(
        stage: &Stage<'_>,
        constants: &Inputs,
        destinations: Vec<Destination>,
        bank: Bank,
    ) -> Result<Self, String> {
        let module = lift::lift(stage).map_err(|error| error.to_string())?;
        let beside = Beside::new(stage, &module);
        let words: Words = constants
            .iter()
            .filter(|file| file.space == Space::Uniform)
            .map(|file| ((file.space, file.binding), file.words.clone()))
            .collect();
        let resources = beside.resources(&words);
        let pictures = Pictures { textures: Arc::new(bank), ..Pictures::default() };
        Ok(Self { beside, resources, destinations, pictures })
    }
}

impl super::Drawn for unshade_isa::maxwell::Maxwell {
    fn pixels(
        stage: &Stage<'_>,
        constants: &Inputs,
        destinations: Vec<Destination>,
        bank: Bank,
    ) -> Result<Box<dyn Pixels>, String> {
        Ok(Box::new(Maxwell::new(stage, constants, destinations, bank)?))
    }
}

impl Pixels for Maxwell {
    fn quad(&mut self, quad: &Quad<'_>, fuel: u64) -> Shaded {
        let inputs: [Words; 4] = std::array::from_fn(|n| {
            let mut attributes = vec![0; VERTEX_WORDS as usize];
            let mut special = vec![n as u32];
            for (file, binding) in [(&mut attributes, ATTRIBUTE_BINDING), (&mut special, SPECIAL_BINDING)] {
                fill(file, binding, &self.destinations, quad.values[n], |bits| bits);
            }
            for (word, part) in attributes.iter_mut().skip(COORDINATES).zip(quad.coordinates[n]) {
                *word = part.to_bits();
            }
            if let Some(word) = attributes.get_mut(FACING) {
                *word = (if quad.front { 1.0_f32 } else { 0.0 }).to_bits();
            }
            Words::from([
                ((Space::Input, ATTRIBUTE_BINDING), attributes),
                ((Space::Input, SPECIAL_BINDING), special),
            ])
        });
        let (left, outcome) =
            self.beside.run_pixels(&inputs, quad.covered, &mut self.resources, &mut self.pictures, fuel);
        let words =
            left.map(|left| (!left.killed).then(|| left.words.into_iter().next().unwrap_or_default()));
        let stopped = match outcome.end {
            End::Ended => None,
            End::OutOfFuel => Some(out_of_fuel(outcome.steps)),
            End::Fault { address, fault } => Some(format!("stopped at {address:#x}: {}", fault.text())),
        };
        Shaded { words, steps: outcome.steps, stopped }
    }
}
