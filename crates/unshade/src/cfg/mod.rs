//! The control-flow graph of a stage, ready to be drawn: blocks of instructions with their lines of the listing, the ways
//! between them, and a place for each.
//!
//! Places are counted in characters and lines of text, so that a terminal and a page draw the same picture.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let bytes = std::fs::read("../../samples/lighting.shbin")?;
//! let opened = unshade::open(&bytes)?;
//! let stage = opened.containers[0].container.stages().next().ok_or("no stage")?;
//! let graph = unshade::cfg::cfg(&stage).ok_or("an instruction set that is not read")?;
//! assert!(graph.edges.iter().any(|edge| edge.back), "it has a loop");
//! # Ok(())
//! # }
//! ```

mod dot;
mod layered;
mod svg;

pub use dot::dot;
pub use svg::svg;

use crate::links::{LinkedInstruction, index_of, listed};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use unshade_isa::successors::{Step, Transfer, steps};
use unshade_stage::{Isa, Stage};

/// The control-flow graph of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlowGraph {
    /// The listing that the lines are those of: what `disasm` prints.
    pub listing: String,
    /// The blocks in the order of the code.
    pub blocks: Vec<FlowBlock>,
    /// The ways between them, in the order of the blocks that they come from.
    pub edges: Vec<FlowEdge>,
    /// Width of the picture, in characters.
    pub width: u32,
    /// Height of the picture, in lines.
    pub height: u32,
}

/// Instructions that are done one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlowBlock {
    /// First word, from the start of the code.
    pub word: u32,
    /// Behind the last word.
    pub end_word: u32,
    /// Offset of the first word in the file, in bytes.
    pub offset: u64,
    /// First line of the listing, counted from 0.
    pub line: u32,
    /// Behind the last line.
    pub end_line: u32,
    /// The program begins here, or a procedure.
    pub entry: bool,
    /// The program can end here.
    pub ends: bool,
    /// A procedure can go back from here.
    pub returns: bool,
    /// Left edge, in characters.
    pub x: u32,
    /// Upper edge, in lines.
    pub y: u32,
    /// Width, in characters.
    pub width: u32,
    /// Height, in lines.
    pub height: u32,
}

/// How control goes from one block to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EdgeKind {
    /// To what stands behind it.
    Fall,
    /// Elsewhere, always.
    Jump,
    /// A condition holds.
    Taken,
    /// A condition does not hold.
    NotTaken,
    /// Into a procedure, which comes back.
    Call,
}

impl EdgeKind {
    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fall => "fall",
            Self::Jump => "jump",
            Self::Taken => "taken",
            Self::NotTaken => "not-taken",
            Self::Call => "call",
        }
    }
}

/// A way from one block to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlowEdge {
    /// Index of the block that it comes from.
    pub from: u32,
    /// Index of the block that it leads to.
    pub to: u32,
    /// How.
    pub kind: EdgeKind,
    /// It goes back to a block that led here: the end of a loop.
    pub back: bool,
    /// Its corners in the picture, from block to block.
    pub points: Vec<Point>,
}

/// A place in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// In characters, from the left.
    pub x: u32,
    /// In lines, from the top.
    pub y: u32,
}

/// The control-flow graph of a stage; `None` for an instruction set that is not read.
pub fn cfg(stage: &Stage<'_>) -> Option<FlowGraph> {
    let (steps, entries) = steps(stage)?;
    let (listing, instructions) = listed(stage);
    let text = Text::new(&listing, &instructions, &steps, stage.isa);
    let mut blocks: Vec<FlowBlock> = Vec::new();
    let mut members: Vec<&Step> = Vec::new();
    let leaders = leaders(&steps, &entries);
    let mut index: BTreeMap<u32, u32> = BTreeMap::new();
    let mut before: Option<&Step> = None;
    for (word, step) in &steps {
        let goes_on = before.is_some_and(
            |before| matches!(&before.successors[..], [way] if way.kind == Transfer::Next && way.to == Some(*word)),
        );
        before = Some(step);
        let lines = text.lines(step);
        match (blocks.last_mut(), members.last_mut()) {
            (Some(block), Some(last)) if goes_on && !leaders.contains(word) => {
                block.end_word = step.words.end;
                block.end_line = block.end_line.max(lines.1);
                *last = step;
            }
            _ => {
                index.insert(*word, blocks.len() as u32);
                members.push(step);
                blocks.push(FlowBlock {
                    word: *word,
                    end_word: step.words.end,
                    offset: stage.code.file_offset.saturating_add(4 * u64::from(*word)),
                    line: lines.0,
                    end_line: lines.1,
                    entry: entries.contains(word),
                    ends: false,
                    returns: false,
                    x: 0,
                    y: 0,
                    width: 0,
                    height: 0,
                });
            }
        }
    }
    let mut edges = Vec::new();
    for (from, (block, last)) in blocks.iter_mut().zip(&members).enumerate() {
        for way in &last.successors {
            let kind = match way.kind {
                Transfer::Next => EdgeKind::Fall,
                Transfer::Jump => EdgeKind::Jump,
                Transfer::Taken => EdgeKind::Taken,
                Transfer::NotTaken => EdgeKind::NotTaken,
                Transfer::Call => EdgeKind::Call,
                Transfer::Return => {
                    block.returns = true;
                    continue;
                }
                Transfer::End => {
                    block.ends = true;
                    continue;
                }
            };
            match way.to.and_then(|to| index.get(&to)) {
                Some(to) => {
                    edges.push(FlowEdge {
                        from: from as u32,
                        to: *to,
                        kind,
                        back: false,
                        points: Vec::new(),
                    });
                }
                // Out of the code.
                None => block.ends = true,
            }
        }
    }
    for block in &mut blocks {
        let (width, height) = text.size(block.line, block.end_line);
        (block.width, block.height) = (width, height);
    }
    let (width, height) = layered::place(&mut blocks, &mut edges);
    Some(FlowGraph { listing, blocks, edges, width, height })
}

/// Words that begin a block.
fn leaders(steps: &BTreeMap<u32, Step>, entries: &[u32]) -> BTreeSet<u32> {
    let mut leaders: BTreeSet<u32> = entries.iter().copied().collect();
    for step in steps.values() {
        if let [way] = &step.successors[..]
            && way.kind == Transfer::Next
        {
            // Only what goes elsewhere than to the next instruction begins a block there.
            let behind = steps.range(step.words.start + 1..).next().map(|(word, _)| *word);
            leaders.extend(way.to.filter(|to| Some(*to) != behind));
            continue;
        }
        leaders.extend(step.successors.iter().filter_map(|way| way.to));
    }
    leaders
}

/// The listing by lines.
struct Text<'t> {
    lines: Vec<&'t str>,
    instructions: &'t [LinkedInstruction],
    /// Lines on which an instruction with ways begins, where the lines up to the next such belong to it.
    heads: Vec<u32>,
}

impl<'t> Text<'t> {
    fn new(
        listing: &'t str,
        instructions: &'t [LinkedInstruction],
        steps: &BTreeMap<u32, Step>,
        isa: Isa,
    ) -> Self {
        let mut heads = Vec::new();
        if isa == Isa::Latte {
            // A clause stands below the instruction that starts it.
            let line = |word: &u32| {
                instructions
                    .get(index_of(instructions, *word)?)
                    .and_then(|found| found.listing.first().copied())
            };
            heads = steps.keys().filter_map(line).collect();
            let behind = instructions.iter().filter_map(|instruction| instruction.listing.last());
            heads.push(behind.max().map_or(0, |line| line + 1));
            heads.sort_unstable();
        }
        Self { lines: listing.lines().collect(), instructions, heads }
    }

    /// The lines of an instruction: the first, and behind the last.
    fn lines(&self, step: &Step) -> (u32, u32) {
        let found = index_of(self.instructions, step.words.start).and_then(|at| self.instructions.get(at));
        let Some((first, last)) =
            found.and_then(|found| Some((*found.listing.first()?, *found.listing.last()?)))
        else {
            return (0, 0);
        };
        let next = self.heads.get(self.heads.partition_point(|head| *head <= first));
        (first, next.copied().unwrap_or(last + 1).max(last + 1))
    }

    /// Characters and lines that a block takes.
    fn size(&self, first: u32, end: u32) -> (u32, u32) {
        let lines = self.lines.get(first as usize..end as usize).unwrap_or_default();
        let width = lines.iter().map(|line| line.trim_end().chars().count()).max().unwrap_or(0);
        (width.max(1) as u32, lines.len().max(1) as u32)
    }
}
