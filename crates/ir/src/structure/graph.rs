//! The graph that is structured: the blocks of a function, plus nodes that only steer.
//!
//! It starts as a picture of the function. [`super::reduce`] may let a block stand in several places or
//! add dispatchers; the function itself stays as it is.

use crate::cfg::Cfg;
use crate::{BlockId, Function, Terminator};
use std::collections::HashMap;

/// A node of a [`Graph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// As an index into [`Graph::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Body {
    /// Runs a block of the function; the node's arms are the ways out of its terminator.
    Block(BlockId),
    /// Sets the state variable of a dispatcher, then goes there.
    Set {
        /// Which dispatcher.
        dispatcher: u32,
        /// Index of the arm that the dispatcher will take.
        state: u32,
    },
    /// Goes to the arm that the state variable says.
    Dispatch {
        /// Number of the dispatcher in its function.
        dispatcher: u32,
    },
}

/// A way out of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arm {
    /// First of the block's targets (numbered as [`Terminator::targets`] gives them) that goes this way;
    /// targets to one place with the same arguments share an arm.
    pub slot: u32,
    /// Where to.
    pub to: NodeId,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What it does.
    pub body: Body,
    /// Where it may go.
    pub arms: Vec<Arm>,
}

/// A control-flow graph over [`Node`]s.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    /// All nodes; some may be unreachable.
    pub nodes: Vec<Node>,
    /// Where it starts.
    pub entry: u32,
}

impl Graph {
    /// The picture of a function: node `n` is block `n`.
    pub fn new(function: &Function) -> Self {
        let count = function.blocks.len();
        let nodes = function
            .blocks
            .iter()
            .enumerate()
            .map(|(index, block)| Node {
                body: Body::Block(BlockId(index as u32)),
                arms: arms(&block.terminator, count),
            })
            .collect();
        Self { nodes, entry: 0 }
    }

    /// A node by its id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Adds a node.
    pub fn push(&mut self, body: Body, arms: Vec<Arm>) -> NodeId {
        self.nodes.push(Node { body, arms });
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Order, predecessors and so on. A virtual block behind all nodes leads to the entry, since block 0
    /// of a [`Cfg`] is where it starts: node `n` is block `n + 1` there.
    pub fn cfg(&self) -> Cfg {
        let entry = std::iter::once(vec![BlockId(self.entry + 1)]);
        let lists: Vec<Vec<BlockId>> = entry
            .chain(self.nodes.iter().map(|node| node.arms.iter().map(|arm| BlockId(arm.to.0 + 1)).collect()))
            .collect();
        Cfg::from_successors(lists.into_iter().map(Vec::into_iter))
    }
}

/// Block number of a node in [`Graph::cfg`].
pub fn block_of(node: NodeId) -> BlockId {
    BlockId(node.0 + 1)
}

/// Node of a block of [`Graph::cfg`]; none for the virtual start.
pub fn node_of(block: BlockId) -> Option<NodeId> {
    block.0.checked_sub(1).map(NodeId)
}

/// Ways out of a terminator, targets that are alike taken together; those that do not exist left out.
fn arms(terminator: &Terminator, blocks: usize) -> Vec<Arm> {
    let mut seen = HashMap::new();
    let mut arms = Vec::new();
    for (slot, target) in terminator.targets().enumerate() {
        if target.block.index() >= blocks {
            continue;
        }
        // Both sides of a branch stay, so that a condition always has two arms.
        let branch = matches!(terminator, Terminator::Branch { .. });
        if branch || seen.insert((target.block, &target.args), slot).is_none() {
            arms.push(Arm { slot: slot as u32, to: NodeId(target.block.0) });
        }
    }
    arms
}

/// For each target of a terminator the arm that stands for it, as an index into the node's arms.
pub fn arm_of_slot(terminator: &Terminator, arms: &[Arm]) -> Vec<u32> {
    let targets: Vec<_> = terminator.targets().collect();
    let mut seen = HashMap::new();
    for (index, arm) in arms.iter().enumerate() {
        if let Some(target) = targets.get(arm.slot as usize) {
            seen.entry((target.block, &target.args)).or_insert(index as u32);
        }
    }
    targets.iter().map(|target| seen.get(&(target.block, &target.args)).copied().unwrap_or(0)).collect()
}
