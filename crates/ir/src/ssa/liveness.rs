//! Which variables are wanted where, through calls.

use super::{Bits, calls, contains, insert, members, unite};
use crate::cfg::Cfg;
use crate::{BlockId, Function, Module, Op, Terminator};
use smallvec::smallvec;
use std::collections::VecDeque;

/// Sets of variables for each function and block.
pub(super) struct Liveness {
    words: usize,
    functions: Vec<Sets>,
}

struct Sets {
    /// May be written by the function or one that it calls.
    written: Bits,
    /// Wanted behind some call of the function.
    wanted: Bits,
    /// Wanted at the start of each block, `words` per block.
    live_in: Vec<u64>,
}

impl Liveness {
    /// Least solution over all functions at once: a function is looked at again when a callee needs more
    /// or a caller wants more. Sets only grow, which bounds the work.
    pub(super) fn new(module: &Module, graphs: &[Cfg]) -> Self {
        let words = module.variables.len().div_ceil(64);
        let empty: Bits = smallvec![0; words];
        let functions = module
            .functions
            .iter()
            .map(|function| Sets {
                written: directly_written(function, words),
                wanted: empty.clone(),
                live_in: vec![0; words * function.blocks.len()],
            })
            .collect();
        let mut liveness = Self { words, functions };
        let callers = callers(module);
        liveness.close_written(module, &callers);
        let count = module.functions.len();
        let mut queue: VecDeque<usize> = (0..count).collect();
        let mut queued = vec![true; count];
        while let Some(at) = queue.pop_front() {
            queued[at] = false;
            let (needs_more, wants_more) = liveness.visit(&module.functions[at], at, &graphs[at]);
            let again = needs_more.then_some(&callers[at]).into_iter().flatten().copied();
            for other in again.chain(wants_more) {
                if !std::mem::replace(&mut queued[other], true) {
                    queue.push_back(other);
                }
            }
        }
        liveness
    }

    /// Variables that a function takes as parameters.
    pub(super) fn params(&self, function: usize) -> &[u64] {
        self.live_in(function, BlockId(0))
    }

    /// Variables that a function gives back.
    pub(super) fn results(&self, function: usize) -> Bits {
        let sets = &self.functions[function];
        sets.written.iter().zip(&sets.wanted).map(|(written, wanted)| written & wanted).collect()
    }

    /// Whether a variable is wanted at the start of a block.
    pub(super) fn is_live_in(&self, function: usize, block: BlockId, variable: usize) -> bool {
        contains(self.live_in(function, block), variable)
    }

    fn live_in(&self, function: usize, block: BlockId) -> &[u64] {
        let start = block.index() * self.words;
        self.functions[function].live_in.get(start..start + self.words).unwrap_or(&[])
    }

    fn close_written(&mut self, module: &Module, callers: &[Vec<usize>]) {
        let mut work: Vec<usize> = (0..module.functions.len()).collect();
        while let Some(at) = work.pop() {
            let written = self.functions[at].written.clone();
            for caller in &callers[at] {
                if unite(&mut self.functions[*caller].written, written.iter().copied()) {
                    work.push(*caller);
                }
            }
        }
    }

    /// Solves one function with what is known of the others. Answers whether it needs more at its start
    /// than before, and which callees are wanted more from.
    fn visit(&mut self, function: &Function, at: usize, cfg: &Cfg) -> (bool, Vec<usize>) {
        let words = self.words;
        if words == 0 {
            return (false, Vec::new());
        }
        let blocks = function.blocks.len();
        let (mut needs, mut kills) = (vec![0; words * blocks], vec![0; words * blocks]);
        for block in &cfg.order {
            let range = block.index() * words..(block.index() + 1) * words;
            self.summarise(function, *block, &mut needs[range.clone()], &mut kills[range]);
        }
        let at_return = self.results(at);
        let before: Bits = self.params(at).into();
        // Backwards, each block once in post-order, then those whose successors changed.
        let mut queue: VecDeque<BlockId> = cfg.order.iter().rev().copied().collect();
        let mut queued = vec![true; blocks];
        let mut live: Bits = smallvec![0; words];
        while let Some(block) = queue.pop_front() {
            queued[block.index()] = false;
            self.live_out(function, at, block, cfg, &at_return, &mut live);
            let range = block.index() * words..(block.index() + 1) * words;
            let through = live.iter().zip(&needs[range.clone()]).zip(&kills[range.clone()]);
            let new = through.map(|((live, needs), kills)| needs | live & !kills);
            if unite(&mut self.functions[at].live_in[range], new) {
                for from in cfg.predecessors(block) {
                    if !std::mem::replace(&mut queued[from.index()], true) {
                        queue.push_back(*from);
                    }
                }
            }
        }
        let needs_more = self.params(at) != &before[..];
        (needs_more, self.want(function, at, cfg, &at_return))
    }

    fn live_out(
        &self,
        function: &Function,
        at: usize,
        block: BlockId,
        cfg: &Cfg,
        at_return: &[u64],
        live: &mut Bits,
    ) {
        live.iter_mut().for_each(|word| *word = 0);
        if let Terminator::Return(_) = function.blocks[block.index()].terminator {
            live.copy_from_slice(at_return);
        }
        for to in cfg.successors(block) {
            unite(live, self.live_in(at, *to).iter().copied());
        }
    }

    /// What a block needs from before it, and what it overwrites.
    fn summarise(&self, function: &Function, block: BlockId, needs: &mut [u64], kills: &mut [u64]) {
        for inst in &function.blocks[block.index()].insts {
            match function.insts[inst.index()].op {
                Op::ReadVar(variable) if !contains(kills, variable.index()) => {
                    insert(needs, variable.index());
                }
                Op::WriteVar(variable) => insert(kills, variable.index()),
                Op::Call(callee) => {
                    let callee = callee.index();
                    let new = self.params(callee).iter().zip(&*kills).map(|(needs, kills)| needs & !kills);
                    unite(needs, new);
                    unite(kills, self.functions[callee].written.iter().copied());
                }
                _ => {}
            }
        }
    }

    /// Tells callees what is live behind their calls. Answers those for which that is news.
    fn want(&mut self, function: &Function, at: usize, cfg: &Cfg, at_return: &[u64]) -> Vec<usize> {
        let mut more = Vec::new();
        let mut live: Bits = smallvec![0; self.words];
        for block in &cfg.order {
            let insts = &function.blocks[block.index()].insts;
            let is_call = |op| matches!(op, Op::Call(_));
            if !insts.iter().any(|inst| is_call(function.insts[inst.index()].op)) {
                continue;
            }
            self.live_out(function, at, *block, cfg, at_return, &mut live);
            for inst in insts.iter().rev() {
                match function.insts[inst.index()].op {
                    Op::ReadVar(variable) => insert(&mut live, variable.index()),
                    Op::WriteVar(variable) => {
                        live[variable.index() / 64] &= !(1 << (variable.index() % 64));
                    }
                    Op::Call(callee) => {
                        let callee = callee.index();
                        let sets = &mut self.functions[callee];
                        let news = live.iter().zip(&sets.written).map(|(live, written)| live & written);
                        if unite(&mut sets.wanted, news.collect::<Bits>().into_iter()) {
                            more.push(callee);
                        }
                        for (live, written) in live.iter_mut().zip(&self.functions[callee].written) {
                            *live &= !written;
                        }
                        let needs: Bits = self.params(callee).into();
                        unite(&mut live, needs.into_iter());
                    }
                    _ => {}
                }
            }
        }
        more
    }

    /// Blocks of a function that may change each variable: pairs of variable and block, sorted, each once.
    pub(super) fn definitions(&self, function: &Function, cfg: &Cfg) -> Vec<(u32, BlockId)> {
        let mut pairs = Vec::new();
        for block in &cfg.order {
            for inst in &function.blocks[block.index()].insts {
                match function.insts[inst.index()].op {
                    Op::WriteVar(variable) => pairs.push((variable.0, *block)),
                    Op::Call(callee) => {
                        let results = self.results(callee.index());
                        pairs.extend(members(&results).map(|variable| (variable as u32, *block)));
                    }
                    _ => {}
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

fn directly_written(function: &Function, words: usize) -> Bits {
    let mut written: Bits = smallvec![0; words];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        if let Op::WriteVar(variable) = function.insts[inst.index()].op {
            insert(&mut written, variable.index());
        }
    }
    written
}

/// For each function those that call it, each once.
fn callers(module: &Module) -> Vec<Vec<usize>> {
    let mut callers = vec![Vec::new(); module.functions.len()];
    for (at, function) in module.functions.iter().enumerate() {
        for callee in calls(function) {
            if let Some(list) = callers.get_mut(callee.index())
                && list.last() != Some(&at)
            {
                list.push(at);
            }
        }
    }
    callers
}
