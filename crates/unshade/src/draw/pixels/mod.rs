//! Quads of pixels on the interpreters.

mod latte;
mod mali_pp;
mod maxwell;

use crate::verify::Inputs;
use unshade_isa::texture::Bank;
use unshade_isa::{Machine, mali_gp::MaliGp, pica200::Pica200, with_machine};
use unshade_stage::Stage;

/// Where a value that is interpolated goes: input binding and word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Destination {
    pub(super) binding: u32,
    pub(super) word: u32,
}

/// What a quad is run on: pixels (0, 0), (1, 0), (0, 1), (1, 1), y upwards.
#[derive(Debug)]
pub(super) struct Quad<'q> {
    /// Of each pixel its values as bits, in the order of the destinations.
    pub(super) values: [&'q [u32]; 4],
    /// Of each pixel what `gl_FragCoord` is.
    pub(super) coordinates: [[f32; 4]; 4],
    /// Whether the triangle is seen from the front.
    pub(super) front: bool,
    /// Pixels that belong to the triangle; the others only help.
    pub(super) covered: [bool; 4],
}

/// What a quad came to.
#[derive(Debug, Default)]
pub(super) struct Shaded {
    /// Of each pixel the words of output binding 0; none where it was dropped.
    pub(super) words: [Option<Vec<u32>>; 4],
    /// Instructions done.
    pub(super) steps: u64,
    /// Why it did not come to its end.
    pub(super) stopped: Option<String>,
}

/// A fragment program with its constants and textures, ready to run quads.
pub(super) trait Pixels {
    /// Runs one, at most `fuel` instructions.
    fn quad(&mut self, quad: &Quad<'_>, fuel: u64) -> Shaded;
}

/// A machine that draws pixels, or has no fragment programs.
trait Drawn: Machine {
    /// The interpreter of a fragment program.
    fn pixels(
        _stage: &Stage<'_>,
        _constants: &Inputs,
        _destinations: Vec<Destination>,
        _bank: Bank,
    ) -> Result<Box<dyn Pixels>, String> {
        Err(format!("{} has no fragment programs", Self::ISA))
    }
}

impl Drawn for Pica200 {}
impl Drawn for MaliGp {}

/// The interpreter of a fragment program.
pub(super) fn pixels(
    stage: &Stage<'_>,
    constants: &Inputs,
    destinations: Vec<Destination>,
    bank: Bank,
) -> Result<Box<dyn Pixels>, String> {
    let none = || format!("{} has no fragment programs", stage.isa);
    with_machine!(stage.isa, M => M::pixels(stage, constants, destinations, bank), _ => Err(none()))
}

/// Puts those values of a pixel that go to a binding into its words, as what `of` makes of their bits.
fn fill<T>(
    words: &mut [T],
    binding: u32,
    destinations: &[Destination],
    values: &[u32],
    of: impl Fn(u32) -> T,
) {
    for (place, value) in destinations.iter().zip(values) {
        if place.binding == binding
            && let Some(word) = words.get_mut(place.word as usize)
        {
            *word = of(*value);
        }
    }
}

/// Why a run that used up its fuel did not end.
fn out_of_fuel(steps: u64) -> String {
    format!("still running after {steps} instructions")
}
