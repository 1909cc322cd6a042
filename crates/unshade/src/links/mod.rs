//! Which lines of the listing, of the intermediate representation and of the source of a stage belong together.
//!
//! The machine instruction is what all three have in common: a listing line shows one, an operation of the intermediate
//! representation remembers the one that it was lifted from, and what a source line computes comes from some. The texts are
//! byte for byte those that `disasm`, `decompile --to ir` and `decompile --to glsl` print.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let bytes = std::fs::read("../../samples/passthrough.shbin")?;
//! let opened = unshade::open(&bytes)?;
//! let stage = opened.containers[0].container.stages().next().ok_or("no stage")?;
//! let links = unshade::links::links(&stage, &Default::default())?;
//! for instruction in &links.instructions {
//!     for line in &instruction.source {
//!         assert!((*line as usize) < links.source.text.lines().count());
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod folded;
mod groups;

pub(crate) use groups::unit;

use crate::decompile::{DecompileError, DecompileOptions, Decompiled, decompile, lift, lift_readable};
use crate::listing::{ListingOptions, disassemble_stage};
use serde::Serialize;
use unshade_emit::Target;
use unshade_stage::Stage;

/// The three texts of a stage with the lines of each that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageLinks {
    /// What `disasm` prints.
    pub listing: LinkedText,
    /// What `decompile --to ir` prints.
    pub ir: LinkedText,
    /// What `decompile --to glsl` prints.
    pub source: LinkedText,
    /// The machine instructions in the order of the code.
    pub instructions: Vec<LinkedInstruction>,
}

/// A text, and the machine instructions behind each of its lines.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinkedText {
    /// The text.
    pub text: String,
    /// For each line, as indices into [`StageLinks::instructions`], ascending.
    pub lines: Vec<Vec<u32>>,
}

/// A machine instruction and the lines that it stands behind; all counted from 0, ascending.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinkedInstruction {
    /// Its first word, from the start of the code.
    pub word: u32,
    /// How many words it has.
    pub words: u32,
    /// Its offset in the file, in bytes.
    pub offset: u64,
    /// Lines of the listing: one for each unit of a machine that has several.
    pub listing: Vec<u32>,
    /// Lines of the intermediate representation.
    pub ir: Vec<u32>,
    /// Lines of the source.
    pub source: Vec<u32>,
    /// No operation of the intermediate representation is left of it: the lines are those of the operations that it became
    /// a part of, such as the dot product that a multiplication and three additions are.
    pub ir_folded: bool,
    /// The same of the source.
    pub source_folded: bool,
}

/// Decompiles a stage and links its lines. Of the options the target counts for the version of GLSL only.
///
/// # Errors
/// As [`decompile`].
pub fn links(stage: &Stage<'_>, how: &DecompileOptions) -> Result<StageLinks, DecompileError> {
    let target = match how.target {
        target @ Target::Glsl(_) => target,
        _ => DecompileOptions::default().target,
    };
    let source = decompile(stage, &DecompileOptions { target, ..how.clone() })?;
    let ir = decompile(stage, &DecompileOptions { target: Target::Ir, ..how.clone() })?;
    Ok(join(stage, &ir, &source, how.strict))
}

/// Links the lines of a stage that is decompiled to both.
pub(crate) fn join(stage: &Stage<'_>, ir: &Decompiled, source: &Decompiled, strict: bool) -> StageLinks {
    let (listing, mut instructions) = listed(stage);
    let unit = unit(stage);
    for (line, place) in &ir.lines {
        if let Some(at) = index_of(&instructions, place.saturating_mul(unit)) {
            instructions[at].ir.push(*line);
        }
    }
    for (line, place) in &source.lines {
        if let Some(at) = index_of(&instructions, place.saturating_mul(unit)) {
            instructions[at].source.push(*line);
        }
    }
    let lifted = if strict { lift(stage).ok() } else { lift_readable(stage).ok().map(|(module, _)| module) };
    if let Some(mut module) = lifted {
        unshade_ir::ssa::run(&mut module);
        let uses = folded::Uses::of(&module, unit);
        fold(&mut instructions, &uses, |instruction| (&mut instruction.ir, &mut instruction.ir_folded));
        fold(&mut instructions, &uses, |instruction| {
            (&mut instruction.source, &mut instruction.source_folded)
        });
    }
    for instruction in &mut instructions {
        for lines in [&mut instruction.ir, &mut instruction.source] {
            lines.sort_unstable();
            lines.dedup();
        }
    }
    let ir = back(&ir.text, &instructions, |instruction| &instruction.ir);
    let source = back(&source.text, &instructions, |instruction| &instruction.source);
    let listing = back(&listing, &instructions, |instruction| &instruction.listing);
    StageLinks { listing, ir, source, instructions }
}

/// The listing, and the instructions with their lines of it.
pub(crate) fn listed(stage: &Stage<'_>) -> (String, Vec<LinkedInstruction>) {
    let listing = disassemble_stage(stage, &ListingOptions::default());
    let groups = groups::Groups::of(stage);
    let mut instructions: Vec<LinkedInstruction> = Vec::new();
    for (line, shown) in listing.lines().enumerate() {
        let Some(words) = shown.words.clone() else { continue };
        let words = groups.around(words);
        let line = line as u32;
        let count = words.end.saturating_sub(words.start);
        match instructions.last_mut() {
            // An instruction of several units stands on several lines.
            Some(last) if (last.word, last.words) == (words.start, count) => last.listing.push(line),
            _ => instructions.push(LinkedInstruction {
                word: words.start,
                words: count,
                offset: stage.code.file_offset.saturating_add(4 * u64::from(words.start)),
                listing: vec![line],
                ..LinkedInstruction::default()
            }),
        }
    }
    instructions.sort_by_key(|instruction| instruction.word);
    // Where instructions lie over each other (two clauses may share words), they are one.
    instructions.dedup_by(|next, kept| {
        let end = kept.word.saturating_add(kept.words);
        if next.word >= end {
            return false;
        }
        kept.words = end.max(next.word.saturating_add(next.words)).saturating_sub(kept.word);
        kept.listing.append(&mut next.listing);
        kept.listing.sort_unstable();
        kept.listing.dedup();
        true
    });
    (listing.text().to_owned(), instructions)
}

/// The instruction that has a word of the code.
pub(crate) fn index_of(instructions: &[LinkedInstruction], word: u32) -> Option<usize> {
    let at = instructions.partition_point(|instruction| instruction.word <= word).checked_sub(1)?;
    let found = instructions.get(at)?;
    (word - found.word < found.words).then_some(at)
}

/// Gives lines to instructions that have none of their own: those of what uses them.
fn fold(
    instructions: &mut [LinkedInstruction],
    uses: &folded::Uses,
    of: impl Fn(&mut LinkedInstruction) -> (&mut Vec<u32>, &mut bool),
) {
    let bare: Vec<bool> = instructions.iter_mut().map(|instruction| of(instruction).0.is_empty()).collect();
    for at in 0..instructions.len() {
        if !bare[at] {
            continue;
        }
        let Some(words) = instructions.get(at).map(|found| found.word..found.word + found.words) else {
            continue;
        };
        let has_lines = |word: u32| index_of(instructions, word).filter(|at| bare.get(*at) == Some(&false));
        let users = uses.nearest(words, has_lines);
        let mut lines: Vec<u32> = Vec::new();
        for user in users {
            if let Some(user) = instructions.get_mut(user) {
                lines.extend(of(user).0.iter());
            }
        }
        lines.sort_unstable();
        lines.dedup();
        if let Some(instruction) = instructions.get_mut(at) {
            let (own, folded) = of(instruction);
            *folded = !lines.is_empty();
            *own = lines;
        }
    }
}

/// The other direction: for each line of a text its instructions.
fn back(
    text: &str,
    instructions: &[LinkedInstruction],
    of: impl Fn(&LinkedInstruction) -> &Vec<u32>,
) -> LinkedText {
    let mut lines = vec![Vec::new(); text.lines().count()];
    for (index, instruction) in instructions.iter().enumerate() {
        for line in of(instruction) {
            if let Some(list) = lines.get_mut(*line as usize) {
                list.push(index as u32);
            }
        }
    }
    LinkedText { text: text.to_owned(), lines }
}
