//! Passes that each have a block: what a pass has of the one before stands in the block before.

use super::{FUEL, Node, Plan, Shapes};
use crate::{BlockId, Function, Global, Value};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// What is carried starts as this where it is only asked for behind the loop, which has a pass at the least.
pub(in crate::passes::rolled) const ANYTHING: Value = Value(u32::MAX);

impl<'a> Plan<'a> {
    /// The loop of passes that each have a block, with the nodes of these values: what they are in each pass.
    pub(in crate::passes::rolled) fn of_blocks(
        function: &'a Function,
        globals: &'a [Global],
        (block, shapes): (BlockId, &'a Shapes),
        homes: &'a [u32],
        roots: &[Vec<Value>],
    ) -> Option<(Self, Vec<usize>)> {
        let mut plan = Self {
            function,
            globals,
            block,
            shapes,
            passes: [1, roots.first()?.len()],
            nodes: Vec::new(),
            sums: Vec::new(),
            finals: Vec::new(),
            chains: &[],
            homes: Some(homes),
            nexts: BTreeMap::new(),
            known: BTreeMap::new(),
            insts: BTreeSet::new(),
            fuel: FUEL,
        };
        let nodes: Option<Vec<usize>> = roots.iter().map(|lanes| plan.node(lanes, 0)).collect();
        plan.close(Self::node)?;
        plan.compute_again();
        Some((plan, nodes?))
    }

    /// What is carried that follows from other things that are is computed from those again, as a source has it: squares of what
    /// the pass before left.
    fn compute_again(&mut self) {
        let carriers: BTreeMap<usize, (usize, Value)> = self
            .nodes
            .iter()
            .enumerate()
            .filter_map(|(at, node)| match node {
                Node::Carried { first, next } => Some((*next, (at, *first))),
                _ => None,
            })
            .collect();
        for (next, (at, first)) in &carriers {
            let Some(Node::Op { inst, result, args }) = self.nodes.get(*next).cloned() else { continue };
            let op = self.function.insts[inst.index()].op;
            let before: Option<SmallVec<[(usize, Value); 3]>> = args
                .iter()
                .map(|arg| match self.nodes[*arg] {
                    Node::Same(value) => Some((*arg, value)),
                    _ => carriers.get(arg).copied().filter(|(own, _)| own != at),
                })
                .collect();
            let starts = self.function.definition(*first).filter(|start| start.op == op);
            if let (Some(before), Some(starts)) = (before, starts)
                && starts.args.iter().eq(before.iter().map(|(_, value)| value))
                && before.iter().all(|(own, _)| !matches!(self.nodes[*own], Node::Op { .. }))
            {
                let args = before.iter().map(|(own, _)| *own).collect();
                self.nodes[*at] = Node::Op { inst, result, args };
            }
        }
    }

    /// What is carried to the next pass of what a value of the last one is.
    pub(in crate::passes::rolled) fn left_by_last(&mut self, value: Value) -> Option<usize> {
        let count = self.passes[1];
        let (_, node) =
            self.known.iter().find(|(lanes, _)| lanes.len() == count && lanes.last() == Some(&value))?;
        let node = *node;
        let carries = |other: &Node| matches!(other, Node::Carried { next, .. } if *next == node);
        if let Some(at) = self.nodes.iter().position(carries) {
            return Some(at);
        }
        self.nodes.push(Node::Carried { first: ANYTHING, next: node });
        Some(self.nodes.len() - 1)
    }

    /// What is the value in the pass before, where each has a block.
    pub(super) fn of_the_block_before(&mut self, lanes: &[Value]) -> Option<usize> {
        let homes = self.homes?;
        let home = |value: &Value| {
            self.made_by(*value).and_then(|(id, _)| homes.get(id.index())).copied().unwrap_or(0) as usize
        };
        let goes_on = lanes.iter().enumerate().skip(1).all(|(pass, value)| home(value) == pass);
        if lanes.len() < 2 || !goes_on {
            return None;
        }
        let at = self.push(lanes, Node::Carried { first: lanes[0], next: usize::MAX });
        self.nexts.insert(at, lanes[1..].to_vec());
        Some(at)
    }
}
