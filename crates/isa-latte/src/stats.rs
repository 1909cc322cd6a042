//! What a program uses, and how close it comes to the limits of the machine.

use super::decode::Program;
use super::layout::Layout;
use super::usage::Uses;
use unshade_isa_common::Usage;
use unshade_stage::Stage;

/// Registers of a thread.
pub const REGISTERS: usize = 128;
/// Constant buffers.
pub const BUFFERS: usize = 16;
/// Textures that a pixel or vertex program has (GX2).
pub const TEXTURES: usize = 16;
/// Registers of the constant file.
pub const CONSTANTS: usize = 256;
/// Parameters from vertex to pixel.
pub const PARAMETERS: usize = 32;
/// Colours.
pub const COLOURS: usize = 8;

/// Counts over all code of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    /// What the code uses.
    pub uses: Uses,
    /// Code words.
    pub words: usize,
    /// Units of 64 bits that nothing leads to and that are not zero.
    pub strays: usize,
    /// Named resources.
    pub resources: Vec<(&'static str, Usage)>,
}

/// Counts a stage.
pub fn stats(stage: &Stage<'_>) -> Stats {
    let program = Program::new(&stage.code.words);
    let layout = Layout::new(&program);
    let uses = Uses::new(&program, &layout);
    let strays = layout.strays(&program).iter().map(|stretch| stretch.len()).sum();
    let usage = |used: usize, limit: usize| Usage { used, limit };
    let instructions: u32 = uses.units.iter().sum();
    let groups = uses.groups as usize;
    let colours = uses.pixels.keys().filter(|place| (**place as usize) < COLOURS).count();
    let mut resources = vec![
        ("registers", usage(uses.registers as usize, REGISTERS)),
        ("stack", usage(uses.stack_entries() as usize, 255)),
        ("constants", usage(uses.constants as usize, CONSTANTS)),
        ("buffers", usage(uses.banks.len(), BUFFERS)),
        ("textures", usage(uses.textures.len(), TEXTURES)),
        ("parameters", usage(uses.parameters.len(), PARAMETERS)),
        ("colours", usage(colours, COLOURS)),
        ("slots", usage(instructions as usize, 5 * groups)),
    ];
    let units = super::Unit::ALL.into_iter().zip(["slot-x", "slot-y", "slot-z", "slot-w", "slot-t"]);
    resources.extend(units.map(|(unit, name)| (name, usage(uses.on(unit) as usize, groups))));
    Stats { uses, words: stage.code.words.len(), strays, resources }
}
