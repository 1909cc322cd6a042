//! Ways into an empty join that only asks again: they go where the answer leads.

use super::{DEPTH, Graph, Walk};
use crate::cfg::{Cfg, Dominators};
use crate::{BlockId, Function, Target, Terminator, Value};
use std::collections::{HashMap, HashSet};

/// A way that may go past a block which only asks what is known.
pub(super) struct Thread {
    pub(super) from: BlockId,
    pub(super) slot: usize,
    pub(super) past: BlockId,
    /// Where the block that is passed goes otherwise.
    pub(super) other: BlockId,
    pub(super) to: Target,
}

/// Where an edge to an empty block with a known answer leads in truth.
pub(super) fn past(walk: &mut Walk<'_>, edge: &Target, graph: &Graph<'_>) -> Option<(Target, BlockId)> {
    let through = edge.block;
    let body = walk.function.blocks.get(through.index())?;
    let Terminator::Branch { condition, then, otherwise } = &body.terminator else { return None };
    let Graph { cfg, headers, .. } = graph;
    let is_header = |block: BlockId| headers[block.index()];
    if !body.insts.is_empty() || cfg.predecessors(through).len() < 2 || is_header(through) {
        return None;
    }
    let (condition, then, otherwise) = (*condition, then.clone(), otherwise.clone());
    let params = body.params.clone();
    let passed =
        |value: Value| params.iter().position(|param| *param == value).map_or(value, |at| edge.args[at]);
    let goes = walk.truth(passed(condition), DEPTH)?;
    let (to, other) = if goes { (then, otherwise) } else { (otherwise, then) };
    // What lies behind on one way only may use what the block brings along; and a loop keeps its one way in.
    if cfg.predecessors(to.block).len() < 2 || to.block == other.block || is_header(to.block) {
        return None;
    }
    let target = Target { block: to.block, args: to.args.iter().map(|arg| passed(*arg)).collect() };
    Some((target, other.block))
}

/// Blocks with parameters that are used where a turned edge leads as well.
fn tied_down(
    function: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
    threads: &[Thread],
) -> HashSet<BlockId> {
    let mut tied = HashSet::new();
    let mut bring: HashMap<Value, (BlockId, BlockId)> = HashMap::new();
    for thread in threads {
        for param in &function.blocks[thread.past.index()].params {
            if let Some((_, other)) = bring.insert(*param, (thread.past, thread.other))
                && other != thread.other
            {
                tied.insert(thread.past);
            }
        }
    }
    if bring.is_empty() {
        return tied;
    }
    for block in &cfg.order {
        let mut note = |value: Value| {
            if let Some((past, other)) = bring.get(&value)
                && block != past
                && !(cfg.predecessors(*other).len() == 1 && dominators.dominates(*other, *block))
            {
                tied.insert(*past);
            }
        };
        let body = &function.blocks[block.index()];
        for id in &body.insts {
            function.insts[id.index()].args.iter().copied().for_each(&mut note);
        }
        body.terminator.for_each_value(note);
    }
    tied
}

/// Turns edges, where at most one way into the block is left that does not know the answer: with more the
/// turned edges would jump over what the others share.
pub(super) fn go_past(
    function: &mut Function,
    cfg: &Cfg,
    dominators: &Dominators,
    threads: Vec<Thread>,
) -> usize {
    if threads.is_empty() {
        return 0;
    }
    let tied = tied_down(function, cfg, dominators, &threads);
    let mut turned: HashMap<BlockId, usize> = HashMap::new();
    for thread in &threads {
        *turned.entry(thread.past).or_default() += 1;
    }
    let mut count = 0;
    for Thread { from, slot, past, to, .. } in threads {
        let ways = cfg.predecessors(past).len();
        if tied.contains(&past) || turned.get(&past).is_none_or(|turned| turned + 1 < ways) {
            continue;
        }
        // Its own terminator may have been turned already.
        if turned.contains_key(&to.block) {
            turned.remove(&to.block);
        }
        if let Some(target) = function.blocks[from.index()].terminator.targets_mut().nth(slot) {
            *target = to;
            count += 1;
        }
    }
    count
}
