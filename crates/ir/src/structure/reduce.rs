//! Making a graph reducible: every loop gets one way in.
//!
//! A part of the graph that is a cycle with several ways in is first tried by copying: the ways in other
//! than the chosen header get their own copy of the nodes up to the header, if these are few instructions.
//! Otherwise a dispatcher becomes the one way in: who wants to enter sets a state variable and goes to it.

use super::graph::{Arm, Body, Graph, NodeId};
use crate::Function;
use std::collections::{BTreeSet, HashMap};

/// Instructions that one cycle may copy.
const COPY_ONE: usize = 24;
/// Instructions that one function may copy.
const COPY_ALL: usize = 400;

/// What was done to a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reduced {
    /// Dispatchers that were added.
    pub dispatchers: u32,
    /// Nodes that were copied.
    pub copies: u32,
}

/// Makes the graph reducible.
pub fn reduce(graph: &mut Graph, function: &Function) -> Reduced {
    let mut done = Reduced::default();
    let mut copied = 0;
    // Parts still to look at, each a set of nodes; edges out of a part do not matter inside it.
    let mut parts = vec![(0..graph.nodes.len() as u32).map(NodeId).collect::<Vec<_>>()];
    let mut part_of = vec![0u32; graph.nodes.len()];
    let mut cut: Vec<bool> = Vec::new();
    let mut next_part = 0;
    while let Some(part) = parts.pop() {
        next_part += 1;
        for node in &part {
            part_of[node.index()] = next_part;
        }
        cut.resize(graph.nodes.len(), false);
        for cycle in cycles(graph, &part, &part_of, next_part, &cut) {
            next_part += 1;
            for node in &cycle {
                part_of[node.index()] = next_part;
            }
            let entries = entries(graph, &cycle, &part_of, next_part);
            let header = match entries[..] {
                [] => continue,
                [header] => header,
                _ => {
                    let choice = cheapest_header(graph, function, &cycle, &entries, &part_of, next_part);
                    match choice {
                        Some((header, cost)) if cost <= COPY_ONE && copied + cost <= COPY_ALL => {
                            copied += cost;
                            let count = graph.nodes.len();
                            copy(graph, header, &entries, &part_of, next_part);
                            done.copies += (graph.nodes.len() - count) as u32;
                            part_of.resize(graph.nodes.len(), 0);
                            cut.resize(graph.nodes.len(), false);
                            // The copies may hold cycles of their own.
                            parts.push((count as u32..graph.nodes.len() as u32).map(NodeId).collect());
                            header
                        }
                        _ => {
                            let header = dispatch(graph, done.dispatchers, &entries);
                            done.dispatchers += 1;
                            part_of.resize(graph.nodes.len(), 0);
                            cut.resize(graph.nodes.len(), false);
                            header
                        }
                    }
                }
            };
            // Without its header the cycle falls apart; what is left may hold inner cycles.
            cut[header.index()] = true;
            parts.push(cycle.into_iter().filter(|node| *node != header).collect());
        }
    }
    done
}

/// Lets one dispatcher lead to every node that is a join or an arm of a branch, so that nothing nests
/// deeply any more.
pub fn flatten(graph: &mut Graph) -> Reduced {
    let mut ways_in = vec![0u32; graph.nodes.len()];
    for node in &graph.nodes {
        for arm in &node.arms {
            ways_in[arm.to.index()] += if node.arms.len() > 1 { 2 } else { 1 };
        }
    }
    ways_in[graph.entry as usize] += 2;
    let entries: Vec<NodeId> =
        (0..graph.nodes.len() as u32).map(NodeId).filter(|node| ways_in[node.index()] > 1).collect();
    dispatch(graph, 0, &entries);
    Reduced { dispatchers: 1, copies: 0 }
}

/// Strongly connected parts with at least one edge inside, within a part. Tarjan's method, without
/// recursion.
fn cycles(graph: &Graph, part: &[NodeId], part_of: &[u32], id: u32, cut: &[bool]) -> Vec<Vec<NodeId>> {
    // Number, lowest number that it reaches, whether on the stack.
    let mut order: HashMap<NodeId, (u32, u32, bool)> = HashMap::with_capacity(part.len());
    let (mut counter, mut found) = (0u32, Vec::new());
    let mut stack: Vec<NodeId> = Vec::new();
    let inside = |node: NodeId| part_of[node.index()] == id && !cut[node.index()];
    for root in part {
        if order.contains_key(root) || !inside(*root) {
            continue;
        }
        let mut walk = vec![(*root, 0usize)];
        while let Some((node, at)) = walk.last_mut() {
            let node = *node;
            if *at == 0 && !order.contains_key(&node) {
                counter += 1;
                order.insert(node, (counter, counter, true));
                stack.push(node);
            }
            if let Some(arm) = graph.node(node).arms.get(*at) {
                *at += 1;
                if !inside(arm.to) {
                    continue;
                }
                match order.get(&arm.to).copied() {
                    None => walk.push((arm.to, 0)),
                    Some((number, _, true)) => {
                        if let Some(entry) = order.get_mut(&node) {
                            entry.1 = entry.1.min(number);
                        }
                    }
                    Some(_) => {}
                }
                continue;
            }
            walk.pop();
            let (number, low, _) = order[&node];
            if let Some((up, _)) = walk.last()
                && let Some(entry) = order.get_mut(up)
            {
                entry.1 = entry.1.min(low);
            }
            if number == low {
                let mut members = Vec::new();
                while let Some(member) = stack.pop() {
                    if let Some(entry) = order.get_mut(&member) {
                        entry.2 = false;
                    }
                    members.push(member);
                    if member == node {
                        break;
                    }
                }
                let cyclic = members.len() > 1 || graph.node(node).arms.iter().any(|arm| arm.to == node);
                if cyclic {
                    members.sort_unstable();
                    found.push(members);
                }
            }
        }
    }
    found
}

/// Nodes of a cycle that are entered from outside of it.
fn entries(graph: &Graph, cycle: &[NodeId], part_of: &[u32], id: u32) -> Vec<NodeId> {
    let mut entered = vec![false; cycle.len()];
    for (index, node) in graph.nodes.iter().enumerate() {
        if part_of[index] == id {
            continue;
        }
        for arm in &node.arms {
            if part_of[arm.to.index()] == id
                && let Ok(at) = cycle.binary_search(&arm.to)
            {
                entered[at] = true;
            }
        }
    }
    if let Ok(at) = cycle.binary_search(&NodeId(graph.entry)) {
        entered[at] = true;
    }
    cycle.iter().zip(entered).filter(|(_, entered)| *entered).map(|(node, _)| *node).collect()
}

/// Which entry is best kept as the header, and how many instructions the copies for the others cost.
fn cheapest_header(
    graph: &Graph,
    function: &Function,
    cycle: &[NodeId],
    entries: &[NodeId],
    part_of: &[u32],
    id: u32,
) -> Option<(NodeId, usize)> {
    if entries.len() > 4 || cycle.len() > COPY_ONE {
        return None;
    }
    let mut best = None;
    for header in entries {
        let mut cost = 0;
        for node in up_to(graph, *header, entries, part_of, id) {
            cost += 1;
            if let Body::Block(block) = graph.node(node).body {
                cost += function.blocks.get(block.index()).map_or(0, |block| block.insts.len());
            }
        }
        if best.is_none_or(|(_, least)| cost < least) {
            best = Some((*header, cost));
        }
    }
    best
}

/// Nodes of the cycle that the other entries reach without passing the header.
fn up_to(graph: &Graph, header: NodeId, entries: &[NodeId], part_of: &[u32], id: u32) -> Vec<NodeId> {
    let mut seen = BTreeSet::new();
    let mut work: Vec<NodeId> = entries.iter().copied().filter(|entry| *entry != header).collect();
    while let Some(node) = work.pop() {
        if seen.insert(node) {
            work.extend(
                graph
                    .node(node)
                    .arms
                    .iter()
                    .map(|arm| arm.to)
                    .filter(|to| *to != header && part_of[to.index()] == id),
            );
        }
    }
    seen.into_iter().collect()
}

/// Gives everyone outside, who goes to an entry other than the header, copies of the way to the header.
fn copy(graph: &mut Graph, header: NodeId, entries: &[NodeId], part_of: &[u32], id: u32) {
    let nodes = up_to(graph, header, entries, part_of, id);
    let first = graph.nodes.len() as u32;
    let copy_of =
        |node: NodeId| nodes.binary_search(&node).ok().map(|at| NodeId(first + at as u32)).unwrap_or(node);
    for index in 0..graph.nodes.len() {
        if part_of[index] != id {
            for arm in &mut graph.nodes[index].arms {
                if part_of[arm.to.index()] == id && arm.to != header {
                    arm.to = copy_of(arm.to);
                }
            }
        }
    }
    if part_of[graph.entry as usize] == id {
        graph.entry = copy_of(NodeId(graph.entry)).0;
    }
    for node in &nodes {
        let mut node = graph.node(*node).clone();
        for arm in &mut node.arms {
            arm.to = copy_of(arm.to);
        }
        graph.nodes.push(node);
    }
}

/// Puts a dispatcher before some nodes: everyone who goes to one of them sets the state and goes to the
/// dispatcher instead. Gives the dispatcher.
fn dispatch(graph: &mut Graph, dispatcher: u32, entries: &[NodeId]) -> NodeId {
    let count = graph.nodes.len();
    let mut state_of = vec![u32::MAX; count];
    for (state, entry) in entries.iter().enumerate() {
        state_of[entry.index()] = state as u32;
    }
    let arms =
        entries.iter().enumerate().map(|(state, entry)| Arm { slot: state as u32, to: *entry }).collect();
    let switch = graph.push(Body::Dispatch { dispatcher }, arms);
    let set = |graph: &mut Graph, state: u32| {
        graph.push(Body::Set { dispatcher, state }, vec![Arm { slot: 0, to: switch }])
    };
    for index in 0..count {
        for at in 0..graph.nodes[index].arms.len() {
            let to = graph.nodes[index].arms[at].to;
            let state = state_of[to.index()];
            if state != u32::MAX {
                graph.nodes[index].arms[at].to = set(graph, state);
            }
        }
    }
    let state = state_of[graph.entry as usize];
    if state != u32::MAX {
        graph.entry = set(graph, state).0;
    }
    switch
}
