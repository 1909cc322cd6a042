//! Maxwell code to IR.
//!
//! # How
//! 1. `explore` follows the program over (address, branch stack) and finds the graph that the source had; `jump`
//!    finds the tables of computed jumps.
//! 2. `function` writes the graph as a function over variables, one for each register, predicate and bit of the
//!    condition code; `operation` leads to what writes each operation.
//! 3. `resolve` makes values of the variables and finds out which buffer an address means, which texture a handle,
//!    and what offsets in texels are.
//! 4. `interface` names what is loaded and stored.
//!
//! Where inputs and outputs lie in the address spaces: [`super::address_map`].

mod attributes;
mod bits;
mod condition;
mod convert;
mod double;
mod explore;
mod float;
mod function;
mod half;
pub mod idiom;
mod image;
mod integer;
mod interface;
mod jump;
mod lanes;
mod memory;
mod operation;
mod outputs;
mod registers;
mod resolve;
mod texture;
mod video;
mod write;

use super::Header;
use super::address_map::{VERTEX_WORDS, driver};
use super::memory::{LOCAL_WORDS, local_words, shared_words};
use super::operation::image_shapes;
use attributes::Interpolated;
use explore::explore;
use memory::LOCAL;
use registers::Registers;
use unshade_bytes::{Error, ErrorKind};
use unshade_ir::{LocalArray, Module};
use unshade_stage::maxwell::Driver;
use unshade_stage::{Isa, Maxwell, Stage};
use write::Writer;

/// Lifts a stage. The module is over values; `unshade_ir::passes` come next.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if the stage is for another machine or does what the IR cannot say,
/// [`ErrorKind::LimitExceeded`] if its control flow grows beyond all measure. The offset is that of the instruction.
pub fn lift(stage: &Stage<'_>) -> Result<Module, Error> {
    let offset = stage.code.file_offset;
    if stage.isa != Isa::Maxwell {
        return Err(Error::new(ErrorKind::Unsupported, offset, "", "Maxwell code", stage.isa.name()));
    }
    let place = |address: u32| offset + u64::from(address);
    let mut maxwell = stage.interface.maxwell.as_deref().cloned().unwrap_or_default();
    maxwell.driver = driver(stage);
    let maxwell = &maxwell;
    let header = Header::read(&maxwell.header).filter(|header| header.stage().is_some());
    let nodes = explore(&stage.code.words, maxwell, 4 * stage.code.entry).map_err(|stuck| {
        let kind = if stuck.limit { ErrorKind::LimitExceeded } else { ErrorKind::Unsupported };
        Error::new(kind, place(stuck.address), "code", stuck.expected, stuck.found)
    })?;
    let mut module = Module {
        from_shading_language: true,
        vectors_by_use: true,
        lines_may_be_buffers: maxwell.driver == Driver::Nvn,
        ..Module::default()
    };
    if nodes.iter().any(|node| memory::is_local(&node.instruction.operation)) {
        let words = local_words(header.as_ref()).unwrap_or(LOCAL_WORDS);
        module.arrays.push(LocalArray { name: LOCAL.to_owned(), words });
    }
    if nodes.iter().any(|node| memory::is_shared(&node.instruction.operation)) {
        module.shared_words = shared_words(maxwell);
    }
    let mut registers = Registers::default();
    let interpolated = Interpolated::new(&nodes, header.as_ref());
    let mut writer = Writer::new(&mut module, &mut registers, maxwell, stage.kind);
    writer.header = header;
    writer.interpolated = interpolated.clone();
    writer.images = image_shapes(nodes.iter().map(|node| &node.instruction.operation));
    let (function, refused) = function::write(writer, &nodes);
    let unsupported = |address, what: String| {
        Error::new(ErrorKind::Unsupported, place(address), "code", "what the IR can say", what)
    };
    if let Some((address, what)) = refused {
        return Err(unsupported(address, what));
    }
    module.entry = module.push_function(function);
    resolve::resolve(&mut module, maxwell, stage.kind)
        .map_err(|unresolved| unsupported(unresolved.address, unresolved.what))?;
    interface::name(stage, maxwell, header.as_ref(), &interpolated, &mut module);
    Ok(module)
}

/// Addresses of the attributes of a pixel that are interpolated with perspective.
pub fn perspective(stage: &Stage<'_>) -> Vec<u32> {
    let default = Maxwell::default();
    let maxwell = stage.interface.maxwell.as_deref().unwrap_or(&default);
    let header = Header::read(&maxwell.header).filter(|header| header.stage().is_some());
    let Ok(nodes) = explore(&stage.code.words, maxwell, 4 * stage.code.entry) else { return Vec::new() };
    let interpolated = Interpolated::new(&nodes, header.as_ref());
    (0..VERTEX_WORDS).map(|word| 4 * word).filter(|address| interpolated.is_perspective(*address)).collect()
}
