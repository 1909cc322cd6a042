//! The control-flow graph of a function: predecessors, reverse post-order, dominators, loop nesting.
//!
//! Everything is a table indexed by block, computed without recursion, in time that is linear in blocks and
//! edges (times a logarithm for dominators).

use crate::{BlockId, Function};

/// Marks a block that cannot be reached, in tables of numbers.
const NONE: u32 = u32::MAX;

/// Edges and order of the blocks of one function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cfg {
    /// Reachable blocks in reverse post-order; block 0 first.
    pub order: Vec<BlockId>,
    rank: Vec<u32>,
    predecessor_start: Vec<u32>,
    predecessors: Vec<BlockId>,
    successor_start: Vec<u32>,
    successors: Vec<BlockId>,
}

impl Cfg {
    /// Reads the terminators of a function. Targets that do not exist are left out.
    pub fn new(function: &Function) -> Self {
        Self::from_successors(
            function.blocks.iter().map(|block| block.terminator.targets().map(|target| target.block)),
        )
    }

    /// A graph given by the successors of each block. Targets that do not exist are left out.
    pub fn from_successors<L: Iterator<Item = BlockId>>(lists: impl ExactSizeIterator<Item = L>) -> Self {
        let blocks = lists.len();
        let mut successors = Vec::with_capacity(blocks * 2);
        let mut successor_start = Vec::with_capacity(blocks + 1);
        for list in lists {
            successor_start.push(successors.len() as u32);
            successors.extend(list.filter(|to| to.index() < blocks));
        }
        successor_start.push(successors.len() as u32);
        let mut cfg = Self {
            order: Vec::new(),
            rank: vec![NONE; blocks],
            predecessor_start: Vec::new(),
            predecessors: Vec::new(),
            successor_start,
            successors,
        };
        cfg.find_order(blocks);
        cfg.find_predecessors(blocks);
        cfg
    }

    fn find_order(&mut self, blocks: usize) {
        if blocks == 0 {
            return;
        }
        let mut order = Vec::with_capacity(blocks);
        let mut seen = vec![false; blocks];
        // A block with the index of its next successor; successors are taken from last to first, so that in
        // the reversed order the first successor (the `then` side, the loop body) comes first.
        let mut stack = vec![(BlockId(0), self.successors(BlockId(0)).len())];
        seen[0] = true;
        while let Some((block, left)) = stack.last_mut() {
            if *left == 0 {
                order.push(*block);
                stack.pop();
                continue;
            }
            *left -= 1;
            let (from, at) = (*block, *left);
            let next = self.successors(from)[at];
            if !seen[next.index()] {
                seen[next.index()] = true;
                stack.push((next, self.successors(next).len()));
            }
        }
        order.reverse();
        for (position, block) in order.iter().enumerate() {
            self.rank[block.index()] = position as u32;
        }
        self.order = order;
    }

    fn find_predecessors(&mut self, blocks: usize) {
        // Counting sort by target; sources in reverse post-order, unreachable ones left out.
        let mut start = vec![0u32; blocks + 1];
        for block in &self.order {
            for to in self.successors(*block) {
                start[to.index() + 1] += 1;
            }
        }
        for index in 0..blocks {
            start[index + 1] += start[index];
        }
        let mut fill = start.clone();
        let mut predecessors = vec![BlockId(0); start[blocks] as usize];
        for block in &self.order {
            for to in self.successors(*block) {
                predecessors[fill[to.index()] as usize] = *block;
                fill[to.index()] += 1;
            }
        }
        self.predecessor_start = start;
        self.predecessors = predecessors;
    }

    /// Number of blocks of the function, unreachable ones included.
    pub fn blocks(&self) -> usize {
        self.rank.len()
    }

    /// Where a block may go to, one entry per edge, in the order of its terminator's targets.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        let index = block.index();
        &self.successors[self.successor_start[index] as usize..self.successor_start[index + 1] as usize]
    }

    /// Which reachable blocks lead to a block, one entry per edge.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        let index = block.index();
        &self.predecessors[self.predecessor_start[index] as usize..self.predecessor_start[index + 1] as usize]
    }

    /// Whether block 0 leads there.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.rank.get(block.index()).is_some_and(|rank| *rank != NONE)
    }

    /// Position in [`Self::order`]; `u32::MAX` for an unreachable block.
    pub fn rank(&self, block: BlockId) -> u32 {
        self.rank.get(block.index()).copied().unwrap_or(NONE)
    }
}

/// The dominator tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dominators {
    /// Blocks in preorder of the tree; a block stands behind its dominator. Children stand in reverse
    /// post-order of the graph.
    pub preorder: Vec<BlockId>,
    immediate: Vec<u32>,
    first: Vec<u32>,
    last: Vec<u32>,
    depth: Vec<u32>,
}

impl Dominators {
    /// Semidominators over a depth-first tree with path compression, then nearest common ancestors
    /// (the method called Semi-NCA).
    pub fn new(cfg: &Cfg) -> Self {
        let blocks = cfg.blocks();
        let mut tree = Self {
            preorder: Vec::with_capacity(cfg.order.len()),
            immediate: vec![NONE; blocks],
            first: vec![NONE; blocks],
            last: vec![0; blocks],
            depth: vec![0; blocks],
        };
        if cfg.order.is_empty() {
            return tree;
        }
        let (vertex, number, parent) = depth_first(cfg);
        let count = vertex.len();
        // From here on in numbers of the depth-first preorder.
        let mut semi: Vec<u32> = (0..count as u32).collect();
        let mut label: Vec<u32> = (0..count as u32).collect();
        let mut ancestor = parent.clone();
        let mut immediate = parent.clone();
        let mut path = Vec::new();
        for at in (1..count).rev() {
            let mut least = parent[at];
            for from in cfg.predecessors(vertex[at]) {
                let from = number[from.index()];
                least = least.min(evaluate(from, at as u32 + 1, &mut ancestor, &mut label, &semi, &mut path));
            }
            semi[at] = least;
        }
        for at in 1..count {
            let mut up = immediate[at];
            while up > semi[at] {
                up = immediate[up as usize];
            }
            immediate[at] = up;
        }
        for at in 1..count {
            tree.immediate[vertex[at].index()] = vertex[immediate[at] as usize].0;
        }
        tree.number_tree(cfg);
        tree
    }

    fn number_tree(&mut self, cfg: &Cfg) {
        let blocks = cfg.blocks();
        // Children as linked lists; pushing them in reverse order of the graph makes each list ordered.
        let (mut child, mut sibling) = (vec![NONE; blocks], vec![NONE; blocks]);
        for block in cfg.order.iter().rev() {
            let up = self.immediate[block.index()];
            if up != NONE {
                sibling[block.index()] = child[up as usize];
                child[up as usize] = block.0;
            }
        }
        let mut stack = vec![cfg.order[0].0];
        while let Some(block) = stack.last().copied() {
            let index = block as usize;
            if self.first[index] == NONE {
                self.first[index] = self.preorder.len() as u32;
                self.depth[index] = stack.len() as u32 - 1;
                self.preorder.push(BlockId(block));
            }
            let next = child[index];
            if next == NONE {
                self.last[index] = self.preorder.len() as u32;
                stack.pop();
            } else {
                child[index] = sibling[next as usize];
                stack.push(next);
            }
        }
    }

    /// The nearest strict dominator; none for block 0 and unreachable blocks.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.immediate.get(block.index()).filter(|up| **up != NONE).map(|up| BlockId(*up))
    }

    /// Whether every way to `b` passes `a`. A block dominates itself; unreachable blocks dominate nothing.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let (a, b) = (a.index(), b.index());
        a < self.first.len()
            && b < self.first.len()
            && self.first[a] <= self.first[b]
            && self.first[b] < self.last[a]
    }

    /// Depth in the tree; 0 for block 0.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.depth.get(block.index()).copied().unwrap_or(0)
    }

    /// Dominance frontier of every block: the blocks where its dominance ends. Lists hold no block twice.
    pub fn frontiers(&self, cfg: &Cfg) -> Vec<Vec<BlockId>> {
        let mut frontiers = vec![Vec::new(); cfg.blocks()];
        for block in &cfg.order {
            let predecessors = cfg.predecessors(*block);
            if predecessors.len() < 2 && block.index() != 0 {
                continue;
            }
            let stop = self.immediate(*block);
            for from in predecessors {
                let mut up = Some(*from);
                while up != stop
                    && let Some(runner) = up
                {
                    let frontier: &mut Vec<BlockId> = &mut frontiers[runner.index()];
                    // All further up were reached from another predecessor already.
                    if frontier.last() == Some(block) {
                        break;
                    }
                    frontier.push(*block);
                    up = self.immediate(runner);
                }
            }
        }
        frontiers
    }
}

/// Preorder of a depth-first walk: blocks by number, numbers by block, parents by number.
fn depth_first(cfg: &Cfg) -> (Vec<BlockId>, Vec<u32>, Vec<u32>) {
    let mut vertex = Vec::with_capacity(cfg.order.len());
    let mut number = vec![NONE; cfg.blocks()];
    let mut parent = Vec::with_capacity(cfg.order.len());
    let mut stack = vec![(cfg.order[0], 0u32)];
    while let Some((block, from)) = stack.pop() {
        if number[block.index()] != NONE {
            continue;
        }
        let at = vertex.len() as u32;
        number[block.index()] = at;
        vertex.push(block);
        parent.push(from);
        for next in cfg.successors(block).iter().rev() {
            if number[next.index()] == NONE {
                stack.push((*next, at));
            }
        }
    }
    (vertex, number, parent)
}

/// Least semidominator on the way from `v` up to the forest root it hangs on, among numbers >= `last`;
/// compresses that way.
fn evaluate(
    v: u32,
    last: u32,
    ancestor: &mut [u32],
    label: &mut [u32],
    semi: &[u32],
    path: &mut Vec<u32>,
) -> u32 {
    if v < last {
        return v;
    }
    path.clear();
    let mut up = v;
    while ancestor[up as usize] >= last {
        path.push(up);
        up = ancestor[up as usize];
    }
    while let Some(below) = path.pop() {
        let above = ancestor[below as usize] as usize;
        if semi[label[above] as usize] < semi[label[below as usize] as usize] {
            label[below as usize] = label[above];
        }
        ancestor[below as usize] = ancestor[above];
    }
    semi[label[v as usize] as usize]
}

/// A loop of a [`Loops`] table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub u32);

/// A natural loop: a header that dominates all of it, and what leads back to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The one way in.
    pub header: BlockId,
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// Sources of the edges back to the header, each once.
    pub latches: Vec<BlockId>,
}

/// Loop nesting of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loops {
    /// All loops; a loop stands before those inside it.
    pub loops: Vec<Loop>,
    /// Edges that go backwards in the order without a header that dominates their source: where there is
    /// one, the graph is irreducible.
    pub irreducible: Vec<(BlockId, BlockId)>,
    innermost: Vec<u32>,
}

impl Loops {
    /// Finds the loops by the edges back to a dominator.
    pub fn new(cfg: &Cfg, dominators: &Dominators) -> Self {
        let mut table =
            Self { loops: Vec::new(), irreducible: Vec::new(), innermost: vec![NONE; cfg.blocks()] };
        let mut heads: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
        for block in &cfg.order {
            let mut latches = Vec::new();
            for from in cfg.predecessors(*block) {
                if dominators.dominates(*block, *from) {
                    if latches.last() != Some(from) {
                        latches.push(*from);
                    }
                } else if cfg.rank(*from) >= cfg.rank(*block) {
                    table.irreducible.push((*from, *block));
                }
            }
            if !latches.is_empty() {
                heads.push((*block, latches));
            }
        }
        table.loops = heads
            .into_iter()
            .map(|(header, latches)| Loop { header, parent: None, depth: 0, latches })
            .collect();
        table.fill(cfg, dominators);
        table
    }

    /// Walks backwards from the latches, inner loops first; what belongs to an inner loop is passed in one
    /// step, from any of its blocks to its header.
    fn fill(&mut self, cfg: &Cfg, dominators: &Dominators) {
        // Outermost loop found so far that holds the loop, with halved paths.
        let mut outer: Vec<u32> = (0..self.loops.len() as u32).collect();
        let mut work: Vec<BlockId> = Vec::new();
        for at in (0..self.loops.len()).rev() {
            let header = self.loops[at].header;
            work.extend(&self.loops[at].latches);
            while let Some(block) = work.pop() {
                if block == header {
                    continue;
                }
                let inner = self.innermost[block.index()];
                let from = if inner == NONE {
                    self.innermost[block.index()] = at as u32;
                    block
                } else {
                    let mut top = inner;
                    while outer[top as usize] != top {
                        outer[top as usize] = outer[outer[top as usize] as usize];
                        top = outer[top as usize];
                    }
                    if top == at as u32 {
                        continue;
                    }
                    outer[top as usize] = at as u32;
                    self.loops[top as usize].parent = Some(LoopId(at as u32));
                    self.loops[top as usize].header
                };
                // A way into the loop that avoids the header exists only in an irreducible graph; it is
                // not followed out of the part that the header dominates.
                work.extend(cfg.predecessors(from).iter().filter(|up| dominators.dominates(header, **up)));
            }
            if self.innermost[header.index()] == NONE {
                self.innermost[header.index()] = at as u32;
            }
        }
        for at in 0..self.loops.len() {
            self.loops[at].depth =
                1 + self.loops[at].parent.map_or(0, |parent| self.loops[parent.0 as usize].depth);
        }
    }

    /// The innermost loop around a block; a header belongs to its own loop.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost.get(block.index()).filter(|at| **at != NONE).map(|at| LoopId(*at))
    }

    /// How many loops are around a block.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.innermost(block).map_or(0, |id| self.get(id).depth)
    }

    /// A loop by its id.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id.0 as usize]
    }

    /// Whether a loop holds a block, itself or in a loop inside it.
    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        let depth = self.get(id).depth;
        let mut at = self.innermost(block);
        while let Some(inner) = at {
            if inner == id {
                return true;
            }
            let inner = self.get(inner);
            if inner.depth <= depth {
                return false;
            }
            at = inner.parent;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::FunctionBuilder;
    use proptest::prelude::*;

    /// A function with the given edges; block 0 first, at most two edges used per block.
    fn graph(edges: &[Vec<usize>]) -> Function {
        let mut builder = FunctionBuilder::new("g");
        let mut blocks = vec![builder.current()];
        blocks.extend((1..edges.len()).map(|_| builder.block()));
        for (from, to) in edges.iter().enumerate() {
            builder.switch_to(blocks[from]);
            match to[..] {
                [] => builder.returns(&[]),
                [only] => builder.jump(blocks[only], &[]),
                [first, second, ..] => {
                    let condition = builder.truth(true);
                    builder.branch(condition, blocks[first], blocks[second]);
                }
            }
        }
        builder.finish()
    }

    fn reaches_without(edges: &[Vec<usize>], avoid: usize) -> Vec<bool> {
        let mut seen = vec![false; edges.len()];
        let mut work = if avoid == 0 { vec![] } else { vec![0] };
        while let Some(at) = work.pop() {
            if at != avoid && !std::mem::replace(&mut seen[at], true) {
                work.extend(edges[at].iter().take(2));
            }
        }
        seen
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn dominators_agree_with_their_definition(
            edges in prop::collection::vec(prop::collection::vec(0usize..9, 0..3), 9)
        ) {
            let function = graph(&edges);
            let cfg = Cfg::new(&function);
            let dominators = Dominators::new(&cfg);
            let reachable = reaches_without(&edges, usize::MAX);
            for a in 0..edges.len() {
                let without = reaches_without(&edges, a);
                for b in 0..edges.len() {
                    let expected = reachable[a] && reachable[b] && !without[b];
                    let (a, b) = (BlockId(a as u32), BlockId(b as u32));
                    prop_assert_eq!(dominators.dominates(a, b), expected, "{} {}", a, b);
                }
            }
            // A block is in the frontier of what dominates a predecessor of it, but not strictly it.
            let frontiers = dominators.frontiers(&cfg);
            for a in &cfg.order {
                for b in &cfg.order {
                    let strict = a != b && dominators.dominates(*a, *b);
                    let expected =
                        !strict && cfg.predecessors(*b).iter().any(|from| dominators.dominates(*a, *from));
                    prop_assert_eq!(frontiers[a.index()].contains(b), expected, "{} {}", a, b);
                }
            }
        }

        #[test]
        fn loops_agree_with_their_definition(
            edges in prop::collection::vec(prop::collection::vec(0usize..9, 0..3), 9)
        ) {
            let function = graph(&edges);
            let cfg = Cfg::new(&function);
            let dominators = Dominators::new(&cfg);
            let loops = Loops::new(&cfg, &dominators);
            for (at, found) in loops.loops.iter().enumerate() {
                // Body: what reaches a latch without passing the header.
                let mut body = vec![false; edges.len()];
                let mut work = found.latches.clone();
                body[found.header.index()] = true;
                while let Some(block) = work.pop() {
                    if !std::mem::replace(&mut body[block.index()], true) {
                        work.extend(
                            cfg.predecessors(block).iter().filter(|up| dominators.dominates(found.header, **up)),
                        );
                    }
                }
                for block in &cfg.order {
                    prop_assert_eq!(
                        loops.contains(LoopId(at as u32), *block), body[block.index()],
                        "loop at {} and {}", found.header, block
                    );
                }
            }
        }
    }

    #[test]
    fn a_ladder_of_blocks_is_quick() {
        let count = 40_000;
        let edges: Vec<Vec<usize>> =
            (0..count).map(|at| if at + 1 < count { vec![at + 1, count - 1] } else { vec![] }).collect();
        let cfg = Cfg::new(&graph(&edges));
        let dominators = Dominators::new(&cfg);
        assert_eq!(dominators.immediate(BlockId(count as u32 - 1)), Some(BlockId(0)));
        assert_eq!(dominators.depth(BlockId(count as u32 - 2)), count as u32 - 2);
    }
}
