//! Latte code to IR.
//!
//! # How
//! 1. `flow` says what each control-flow instruction does to the state of one pixel; `explore` follows the
//!    program over (address, state) and finds the graph that the source had.
//! 2. `function` writes the graph as a function over variables, one per component of a register; `group` holds
//!    arithmetic, `fetch` textures and buffers, `export` what leaves the program.
//! 3. `interface` names what is loaded and stored. What a geometry program hands over is what the copy program behind
//!    it exports (`copy`): the function stores to these outputs when it emits a vertex.
//!
//! Where inputs and outputs lie in the address spaces: [`super::bindings`]. What operations compute:
//! [`super::semantics::alu`], through which the interpreter goes too.

pub mod buffer;
pub mod copy;
mod explore;
mod export;
mod fetch;
mod flow;
mod function;
pub mod geometry;
mod group;
mod interface;
mod memory;
mod reached;
mod registers;
mod relative;
pub mod start;
mod write;

use super::Program;
use super::bindings::MESA_TEXELS;
use super::shapes::with_shapes;
use explore::{PLACE_LIMIT, TooMany, explore};
use registers::Registers;
pub use relative::Reach;
use unshade_bytes::{Error, ErrorKind};
use unshade_ir::{LocalArray, Module};
use unshade_stage::latte::Profile;
use unshade_stage::{Isa, Latte, Stage};
use write::Writer;

/// Name of the local array of the registers that an index reaches.
pub const REGISTERS: &str = "registers";

/// Lifts a stage. The module is over variables; `unshade_ir::ssa` comes next.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if the stage is for another machine, [`ErrorKind::LimitExceeded`] if its control flow
/// grows beyond all measure.
pub fn lift(stage: &Stage<'_>) -> Result<Module, Error> {
    lift_with(stage, Reach::Everywhere)
}

/// The registers that indices of a program most likely reach, if there are any.
///
/// # Errors
/// As [`lift`].
pub fn likely_reach(stage: &Stage<'_>) -> Result<Option<Reach>, Error> {
    let program = Program::new(&stage.code.words);
    let array = relative::array(program, &explored(stage, program)?.1, Reach::Array).registers;
    Ok(array.end.checked_sub(1).map(|last| Reach::Through { first: array.start, last }))
}

/// The graph of a program.
fn explored(
    stage: &Stage<'_>,
    program: Program<'_>,
) -> Result<(explore::Destination, Vec<explore::Place>), Error> {
    explore(program, stage.code.entry / 2).map_err(|_: TooMany| {
        let limit = format!("control flow with at most {PLACE_LIMIT} places");
        Error::new(
            ErrorKind::LimitExceeded,
            stage.code.file_offset,
            "code",
            limit,
            "pushes and jumps in more ways",
        )
    })
}

/// As [`lift`], with registers that an index reaches taken to be as many as that.
///
/// # Errors
/// As [`lift`].
pub fn lift_with(stage: &Stage<'_>, reach: Reach) -> Result<Module, Error> {
    let offset = stage.code.file_offset;
    if stage.isa != Isa::Latte {
        return Err(Error::new(ErrorKind::Unsupported, offset, "", "Latte code", stage.isa.name()));
    }
    let program = Program::new(&stage.code.words);
    let (start, places) = explored(stage, program)?;
    let default = Latte::default();
    let latte = with_shapes(program, stage.interface.latte.as_deref().unwrap_or(&default));
    let latte = latte.as_ref();
    let mut module = Module { from_shading_language: true, vectors_by_use: true, ..Module::default() };
    if latte.profile == Profile::Mesa {
        module.texel_table = Some(MESA_TEXELS);
    }
    let mut registers = Registers::default();
    registers.array = relative::array(program, &places, reach);
    if !registers.array.registers.is_empty() {
        let words = 4 * registers.array.registers.len() as u32;
        module.arrays.push(LocalArray { name: REGISTERS.to_owned(), words });
    }
    let writer = Writer::new(&mut module, &mut registers, stage, latte);
    let (function, refused) = function::write(writer, stage, program, start, &places);
    if let Some((address, what)) = refused {
        let place = offset + 8 * u64::from(address);
        return Err(Error::new(ErrorKind::Unsupported, place, "code", "what the IR can say", what));
    }
    module.entry = module.push_function(function);
    interface::name(stage, latte, &mut module);
    Ok(module)
}
