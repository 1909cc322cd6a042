//! Finding conditions and loops: from the control-flow graph of a function to nested sequences of steps.
//!
//! No code is duplicated and no state variable made where the graph allows it. What has to give way is
//! counted in [`Stats`]. Depth is bounded by [`MAX_NESTING`], so that what walks the result may recurse.

mod exits;
mod graph;
mod reduce;
mod regions;

pub use exits::for_each_held;
pub use graph::{Arm, Body, Graph, Node, NodeId, arm_of_slot};
pub use regions::{Flag, SequenceId, Step};

use crate::cfg::{Dominators, Loops};
use crate::{Function, Terminator};

/// Deepest nesting of conditions, loops and switches; a function that needs more is given a dispatcher.
pub const MAX_NESTING: usize = 120;

/// Instructions of a block that ends the function and may stand in several places for it.
const SHORT: usize = 3;

/// What could not be said by plain structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    /// Loops with a switch over a state variable.
    pub dispatchers: u32,
    /// Blocks that stand in one more place.
    pub duplicated_blocks: u32,
    /// State variables for ways out of several structures at once.
    pub flags: u32,
}

/// The structure of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structured {
    /// The nodes that the steps name.
    pub graph: Graph,
    /// All sequences. The first is the function; they name each other as a tree.
    pub sequences: Vec<Vec<Step>>,
    /// What was needed for it.
    pub stats: Stats,
}

impl Structured {
    /// The steps of a sequence.
    pub fn steps(&self, at: SequenceId) -> &[Step] {
        &self.sequences[at.index()]
    }
}

/// Answers the questions of [`exits`] from the function.
struct Ends<'a> {
    graph: &'a Graph,
    function: &'a Function,
}

impl exits::Leaves for Ends<'_> {
    fn is_plain(&self, node: NodeId) -> bool {
        let Body::Block(block) = self.graph.node(node).body else { return false };
        match self.function.blocks.get(block.index()).map(|block| &block.terminator) {
            Some(Terminator::Return(values)) => values.is_empty(),
            // In a function that is called this ends the whole program: see `ast::raise`, which turns it
            // into a return of its own before structuring.
            Some(Terminator::End | Terminator::Unreachable) => true,
            _ => false,
        }
    }

    fn is_short(&self, node: NodeId) -> bool {
        let node = self.graph.node(node);
        let Body::Block(block) = node.body else { return false };
        node.arms.is_empty()
            && self.function.blocks.get(block.index()).is_some_and(|block| block.insts.len() <= SHORT)
    }
}

/// Structures a function. It must be well-formed ([`crate::verify`]).
pub fn structure(function: &Function) -> Structured {
    if function.blocks.is_empty() {
        return Structured { graph: Graph::default(), sequences: vec![Vec::new()], stats: Stats::default() };
    }
    let mut graph = Graph::new(function);
    let mut reduced = reduce::Reduced::default();
    if !is_reducible(&graph) {
        reduced = reduce::reduce(&mut graph, function);
    }
    let structured = finish(graph, function, reduced);
    if nesting(&structured.sequences) <= MAX_NESTING {
        return structured;
    }
    let mut graph = Graph::new(function);
    let reduced = reduce::flatten(&mut graph);
    finish(graph, function, reduced)
}

fn is_reducible(graph: &Graph) -> bool {
    let cfg = graph.cfg();
    let dominators = Dominators::new(&cfg);
    Loops::new(&cfg, &dominators).irreducible.is_empty()
}

fn finish(graph: Graph, function: &Function, reduced: reduce::Reduced) -> Structured {
    let sequences = regions::regions(&graph);
    let (sequences, lowered) = exits::lower(sequences, &Ends { graph: &graph, function });
    let stats = Stats {
        dispatchers: reduced.dispatchers,
        duplicated_blocks: reduced.copies + lowered.copies,
        flags: lowered.flags,
    };
    Structured { graph, sequences, stats }
}

/// Deepest nesting of the sequences.
fn nesting(sequences: &[Vec<Step>]) -> usize {
    let mut deepest = 0;
    let mut work = vec![(SequenceId(0), 0)];
    while let Some((at, depth)) = work.pop() {
        deepest = deepest.max(depth);
        for step in &sequences[at.index()] {
            for_each_held(step, |inner| work.push((inner, depth + 1)));
        }
    }
    deepest
}

#[cfg(test)]
mod tests;
