//! Code of the pixel processor to IR.
//!
//! # What the module looks like
//! | machine | IR |
//! |---|---|
//! | varyings | `Load` of `Input`, [`VARYING_BINDING`], by float |
//! | gl_FragCoord, of which the hardware has w for 1/w, gl_PointCoord, gl_FrontFacing | `Load` of `Input`, [`FRAG_COORD_BINDING`], [`POINT_COORD_BINDING`], [`FRONT_FACING_BINDING`] |
//! | colour and depth in the framebuffer | `Load` of `Input`, [`FRAMEBUFFER_COLOR_BINDING`], [`FRAMEBUFFER_DEPTH_BINDING`] |
//! | uniforms | `Load` of `Uniform`, [`UNIFORM_BINDING`], by float |
//! | registers | variables `r0` to `r11`, one for each component |
//! | temporaries | a local array; float `n` is its word `n - start` ([`Reach::temporaries`]) |
//! | `^v0`, `^s0`, `^texture`, `^uniform`, constants | values of the instruction |
//! | a fetch | `Texture`; the unit is the sampler's index |
//! | `dFdx a, -a`, `dFdy -a, a` | `Derivative` of `a` |
//! | other derivatives | a sum of `QuadRead` |
//! | `stop` | `$0` to `Output`, [`COLOR_BINDING`], and the end |
//! | `discard` | `Discard` |
//!
//! The arithmetic is that of [`super::exec::Float::F32`], operation for operation. Every operation carries
//! its machine word, a step inside the instruction (the field's number times 16, and what is done there) and
//! a lane.

mod arithmetic;
mod function;
mod interface;
mod memory;
mod write;

use super::half::Constants;
use super::reach::Reach;
use unshade_bytes::{Error, ErrorKind};
use unshade_ir::{LocalArray, Module};
use unshade_stage::{Isa, Stage};

/// Input binding of the varyings.
pub const VARYING_BINDING: u32 = 0;
/// Input binding of the window coordinates, four words.
pub const FRAG_COORD_BINDING: u32 = 1;
/// Input binding of the place in a point, two words.
pub const POINT_COORD_BINDING: u32 = 2;
/// Input binding of the facing, one word: 1.0 or 0.0.
pub const FRONT_FACING_BINDING: u32 = 3;
/// Input binding of the colour in the framebuffer, four words.
pub const FRAMEBUFFER_COLOR_BINDING: u32 = 4;
/// Input binding of the depth in the framebuffer, one word.
pub const FRAMEBUFFER_DEPTH_BINDING: u32 = 5;
/// Uniform binding.
pub const UNIFORM_BINDING: u32 = 0;
/// Output binding of the colour.
pub const COLOR_BINDING: u32 = 0;

/// Words of code that are lifted; the longest programs known have a few thousand.
const WORDS: usize = 1 << 20;

/// Lifts a stage. The module is over variables; `unshade_ir::ssa` comes next.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if the stage is for another machine, [`ErrorKind::LimitExceeded`] if it has more
/// than a million words.
pub fn lift(stage: &Stage<'_>) -> Result<Module, Error> {
    lift_with(stage, Constants::Exact)
}

/// As [`lift`], with the constants of the code read in that way: a [`Program`](super::exec::Program) of the same
/// constants computes the same.
///
/// # Errors
/// As [`lift`].
pub fn lift_with(stage: &Stage<'_>, constants: Constants) -> Result<Module, Error> {
    let offset = stage.code.file_offset;
    if stage.isa != Isa::MaliPp {
        return Err(Error::new(ErrorKind::Unsupported, offset, "", "Mali PP code", stage.isa.name()));
    }
    let words = stage.code.words.len();
    if words > WORDS {
        let found = format!("{words} words");
        return Err(Error::new(
            ErrorKind::LimitExceeded,
            offset,
            "code",
            format!("at most {WORDS} words"),
            found,
        ));
    }
    let reach = Reach::new(&stage.code.words);
    let mut module = Module { from_shading_language: true, ..Module::default() };
    let temporaries = reach.temporaries();
    if !temporaries.is_empty() {
        module.arrays.push(LocalArray { name: "stack".to_owned(), words: temporaries.len() as u32 });
    }
    let function = function::write(&mut module, &reach, constants);
    module.entry = module.push_function(function);
    module.globals = interface::globals(stage, &module);
    Ok(module)
}
