//! From a reducible graph to nested regions with labelled exits.
//!
//! The tree follows the dominator tree: what one node alone leads to stands inside its arm; what several
//! ways lead to stands behind a label that those ways leave. What is behind a loop but only reachable
//! through it is moved behind the loop, so that leaving the loop is a `break` where it can be.
//!
//! Sequences live in one table and name each other by index: no depth of the input can overflow a stack.

use super::graph::{Body, Graph, NodeId, block_of, node_of};
use crate::cfg::{Cfg, Dominators, LoopId, Loops};

/// Index of a sequence of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SequenceId(pub u32);

impl SequenceId {
    /// As an index into the table of sequences.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A state variable: true when a way out of several structures at once was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flag(pub u32);

/// A step of a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The instructions of a node, without its way out.
    Code(NodeId),
    /// Arguments of the target of an arm become parameters of the place it goes to.
    Edge {
        /// Which node is left.
        node: NodeId,
        /// Arm number.
        arm: u32,
    },
    /// By the condition of the node's terminator.
    Branch {
        /// Node whose condition it is.
        node: NodeId,
        /// If true.
        then: SequenceId,
        /// If false.
        otherwise: SequenceId,
    },
    /// By the selector of the node's terminator, or by the state of a dispatcher.
    Switch {
        /// Node whose selector it is.
        node: NodeId,
        /// One sequence for each arm of the node.
        arms: Vec<SequenceId>,
    },
    /// Repeats its body: falling off the end goes to its start.
    Loop {
        /// The header.
        header: NodeId,
        /// The body.
        body: SequenceId,
    },
    /// The node's return, end or discard.
    Leave(NodeId),
    /// Leaves the innermost loop or switch. Made by `exits`.
    Break,
    /// Goes to the next pass of the innermost loop. Made by `exits`.
    Continue,
    /// Gives a flag a value. Made by `exits`.
    SetFlag(Flag, bool),
    /// Runs a sequence only while a flag has this value. Made by `exits`.
    IfFlag(Flag, bool, SequenceId),
    /// A body after which `target` stands in the same sequence. Gone after `exits`.
    Label {
        /// Node that follows.
        target: NodeId,
        /// Body.
        body: SequenceId,
    },
    /// Goes to the end of the label of that node. Gone after `exits`.
    Exit(NodeId),
    /// Goes to the start of the loop of that header. Gone after `exits`.
    Again(NodeId),
}

/// What is placed where, besides the arms.
struct Places {
    /// Per node: joins that stand behind it inside its loop, and those behind its loop, by rank.
    inside: Vec<Vec<NodeId>>,
    behind: Vec<Vec<NodeId>>,
    /// Nodes reached by label.
    labelled: Vec<bool>,
}

/// Makes the sequences; the first is the whole function.
pub fn regions(graph: &Graph) -> Vec<Vec<Step>> {
    let cfg = graph.cfg();
    let dominators = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &dominators);
    let headers = loop_of_header(graph, &loops);
    let places = place(graph, &cfg, &dominators, &loops);
    let mut sequences: Vec<Vec<Step>> = vec![Vec::new()];
    let mut work = vec![(NodeId(graph.entry), SequenceId(0))];
    while let Some((node, at)) = work.pop() {
        let mut at = at;
        // The last join is the outermost label.
        let label = |sequences: &mut Vec<Vec<Step>>, work: &mut Vec<_>, at: SequenceId, target: NodeId| {
            let body = SequenceId(sequences.len() as u32);
            sequences.push(Vec::new());
            sequences[at.index()].push(Step::Label { target, body });
            work.push((target, at));
            body
        };
        for target in places.behind[node.index()].iter().rev() {
            at = label(&mut sequences, &mut work, at, *target);
        }
        if headers[node.index()].is_some() {
            let body = SequenceId(sequences.len() as u32);
            sequences.push(Vec::new());
            sequences[at.index()].push(Step::Loop { header: node, body });
            at = body;
        }
        for target in places.inside[node.index()].iter().rev() {
            at = label(&mut sequences, &mut work, at, *target);
        }
        sequences[at.index()].push(Step::Code(node));
        let arms = &graph.node(node).arms;
        let mut go = |sequences: &mut Vec<Vec<Step>>, arm: usize, at: SequenceId| {
            let to = arms[arm].to;
            sequences[at.index()].push(Step::Edge { node, arm: arm as u32 });
            let back = headers[to.index()].is_some() && dominators.dominates(block_of(to), block_of(node));
            if back {
                sequences[at.index()].push(Step::Again(to));
            } else if places.labelled[to.index()] {
                sequences[at.index()].push(Step::Exit(to));
            } else {
                work.push((to, at));
            }
        };
        match (graph.node(node).body, arms.len()) {
            (_, 0) => sequences[at.index()].push(Step::Leave(node)),
            (Body::Dispatch { .. }, _) | (_, 3..) => {
                let first = sequences.len() as u32;
                let arms: Vec<SequenceId> = (0..arms.len() as u32).map(|n| SequenceId(first + n)).collect();
                sequences.resize(sequences.len() + arms.len(), Vec::new());
                for (arm, to) in arms.iter().enumerate() {
                    go(&mut sequences, arm, *to);
                }
                sequences[at.index()].push(Step::Switch { node, arms });
            }
            (_, 1) => go(&mut sequences, 0, at),
            _ => {
                let then = SequenceId(sequences.len() as u32);
                let otherwise = SequenceId(then.0 + 1);
                sequences.resize(sequences.len() + 2, Vec::new());
                sequences[at.index()].push(Step::Branch { node, then, otherwise });
                go(&mut sequences, 0, then);
                go(&mut sequences, 1, otherwise);
            }
        }
    }
    sequences
}

/// For each node the loop it heads.
fn loop_of_header(graph: &Graph, loops: &Loops) -> Vec<Option<LoopId>> {
    let mut headers = vec![None; graph.nodes.len()];
    for (index, found) in loops.loops.iter().enumerate() {
        if let Some(node) = node_of(found.header) {
            headers[node.index()] = Some(LoopId(index as u32));
        }
    }
    headers
}

/// Decides which nodes stand behind a label, and behind which node.
fn place(graph: &Graph, cfg: &Cfg, dominators: &Dominators, loops: &Loops) -> Places {
    let count = graph.nodes.len();
    let mut places = Places {
        inside: vec![Vec::new(); count],
        behind: vec![Vec::new(); count],
        labelled: vec![false; count],
    };
    // Size of the subtree in the dominator tree.
    let mut size = vec![1u32; count + 1];
    for block in dominators.preorder.iter().rev() {
        if let Some(up) = dominators.immediate(*block) {
            size[up.index()] += size[block.index()];
        }
    }
    // For each loop: ways out that a single edge leads to, and whether some node stands behind it already.
    let mut single: Vec<Vec<NodeId>> = vec![Vec::new(); loops.loops.len()];
    let mut followed = vec![false; loops.loops.len()];
    let mut at_header: Vec<(LoopId, NodeId)> = Vec::new();
    for block in &cfg.order {
        let Some(node) = node_of(*block) else { continue };
        let Some(up) = dominators.immediate(*block).and_then(node_of) else { continue };
        let forward =
            cfg.predecessors(*block).iter().filter(|from| !dominators.dominates(*block, **from)).count();
        match left_loop(loops, up, node) {
            Some(left) if forward > 1 => {
                followed[left.0 as usize] = true;
                at_header.push((left, node));
            }
            Some(left) => single[left.0 as usize].push(node),
            None if forward > 1 => {
                places.inside[up.index()].push(node);
                places.labelled[node.index()] = true;
            }
            None => {}
        }
    }
    for (index, candidates) in single.iter().enumerate() {
        let steered = node_of(loops.loops[index].header)
            .is_some_and(|header| matches!(graph.node(header).body, Body::Dispatch { .. }));
        if followed[index] || steered {
            continue;
        }
        // One that leaves no inner loop with it, goes on, and has most code hanging on it; of equals the
        // first.
        let best = candidates.iter().rev().max_by_key(|node| {
            let up = dominators.immediate(block_of(**node));
            let direct = up.and_then(|up| loops.innermost(up)) == Some(LoopId(index as u32));
            (direct, ends_late(graph, dominators, **node), size[block_of(**node).index()])
        });
        if let Some(node) = best {
            at_header.push((LoopId(index as u32), *node));
        }
    }
    at_header.sort_by_key(|(_, node)| cfg.rank(block_of(*node)));
    for (left, node) in at_header {
        if let Some(header) = node_of(loops.get(left).header) {
            places.behind[header.index()].push(node);
            places.labelled[node.index()] = true;
        }
    }
    places
}

/// A way out that goes on to other code is a better follower of a loop than one that returns at once.
fn ends_late(graph: &Graph, dominators: &Dominators, node: NodeId) -> bool {
    let arms = &graph.node(node).arms;
    !arms.is_empty()
        && !arms.iter().all(|arm| {
            graph.node(arm.to).arms.is_empty() && dominators.dominates(block_of(node), block_of(arm.to))
        })
}

/// The outermost loop that holds `up`, the immediate dominator of `node`, but not `node`.
fn left_loop(loops: &Loops, up: NodeId, node: NodeId) -> Option<LoopId> {
    let depth = |at: Option<LoopId>| at.map_or(0, |id| loops.get(id).depth);
    let parent = |at: Option<LoopId>| at.and_then(|id| loops.get(id).parent);
    let (mut from, mut to) = (loops.innermost(block_of(up)), loops.innermost(block_of(node)));
    let mut left = None;
    while from != to {
        if depth(from) >= depth(to) {
            left = from;
            from = parent(from);
        } else {
            to = parent(to);
        }
    }
    left
}
