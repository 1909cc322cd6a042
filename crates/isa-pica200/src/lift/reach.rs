//! Which entries of the stacks can still matter, so that places that differ in dead entries only are one.
//!
//! A jump out of a block leaves the block's entry on its stack for ever. If nothing that can follow ever
//! compares equal with it, it may as well not be there, and the code behind the jump exists once, not once
//! for each way there. Removing entries from the bottom of a stack is exact also where a stack overflows:
//! the machine drops its oldest entries first, which are the same ones.
//!
//! The question "can the top entry of a stack be popped from here" is answered by reachability in a graph
//! of the words that over-approximates every run: blocks of the *same* kind that open on the way are
//! stepped over (their entries lie on top of ours until they are popped), those of the other kinds may end
//! whenever their last word is passed.

use super::flow::{Context, Emission, Flow, Test, Transfer};
use std::collections::HashMap;

/// For which question a graph is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Call,
    If,
    Loop,
    /// Whether an EMIT comes before the next SETEMIT.
    Emission,
}

/// What surrounds the code that is explored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scope {
    /// The call stack starts with the return of a function, which stays.
    pub(super) in_function: bool,
    /// A loop is open around the call of the function; entries above it stay.
    pub(super) in_loop: bool,
}

/// How many of the oldest entries of each stack cannot matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Dead {
    pub(super) calls: usize,
    pub(super) ifs: usize,
    pub(super) loops: usize,
    /// What SETEMIT chose is not used.
    pub(super) emission: bool,
}

impl Dead {
    /// Takes them out of the context.
    pub(super) fn remove_from(self, context: &mut Context) {
        context.calls.drain(..self.calls.min(context.calls.len()));
        context.ifs.drain(..self.ifs.min(context.ifs.len()));
        context.loops.drain(..self.loops.min(context.loops.len()));
        if self.emission {
            context.emission = Emission::default();
        }
    }
}

/// Reachability over the words of one program; sets are made when they are first asked for.
#[derive(Debug)]
pub(super) struct Reach {
    flow: Vec<Flow>,
    /// Addresses at which a loop may be left or continued, and those at which an IF may end.
    loops_end: Vec<bool>,
    ifs_end: Vec<bool>,
    /// Predecessors of each node, by kind.
    graphs: HashMap<Kind, Vec<Vec<u32>>>,
    /// Words from which the last word of a block that ends at an address is reached.
    sets: HashMap<(Kind, u32), Vec<bool>>,
}

impl Reach {
    pub(super) fn new(flow: Vec<Flow>) -> Self {
        let mut loops_end = vec![false; flow.len() + 1];
        let mut ifs_end = loops_end.clone();
        for (at, meaning) in flow.iter().enumerate() {
            let (ends, address) = match meaning {
                Flow::Transfer(Transfer::Loop { end, .. }, _) => (&mut loops_end, *end as usize),
                Flow::Transfer(Transfer::Break, _) => (&mut loops_end, at + 1),
                Flow::Transfer(Transfer::If(block), _) => (&mut ifs_end, block.end as usize),
                _ => continue,
            };
            if let Some(flag) = ends.get_mut(address) {
                *flag = true;
            }
        }
        Self { flow, loops_end, ifs_end, graphs: HashMap::new(), sets: HashMap::new() }
    }

    /// What of a context cannot matter from `pc` on.
    pub(super) fn dead(&mut self, context: &Context, pc: u32, scope: Scope) -> Dead {
        let mut dead = Dead::default();
        if !scope.in_function {
            dead.calls = self.dead_calls(context, pc);
        }
        dead.ifs = self.dead_ifs(context, pc);
        // A loop entry also decides what becomes of aL behind an inner loop, so all go or none.
        if let Some(top) = context.loops.last()
            && !scope.in_loop
            && !self.reaches(Kind::Loop, top.end, pc)
        {
            dead.loops = context.loops.len();
        }
        dead.emission = context.emission != Emission::default() && !self.reaches(Kind::Emission, 0, pc);
        dead
    }

    fn dead_calls(&mut self, context: &Context, pc: u32) -> usize {
        let mut from = pc;
        for (at, call) in context.calls.iter().enumerate().rev() {
            let cascades = at + 1 < context.calls.len() && call.end == from;
            if !cascades && !self.reaches(Kind::Call, call.end, from) {
                return at + 1;
            }
            match call.back {
                Some(back) if !self.shares_end(call.end, Kind::Call) => from = back,
                _ => break,
            }
        }
        0
    }

    fn dead_ifs(&mut self, context: &Context, pc: u32) -> usize {
        let mut from = pc;
        for (at, block) in context.ifs.iter().enumerate().rev() {
            if !self.reaches(Kind::If, block.end, from) {
                return at + 1;
            }
            if self.shares_end(block.end, Kind::If) {
                break;
            }
            from = block.behind;
        }
        0
    }

    /// Whether something that wins over a block of that kind may end at the same address, so that the
    /// program may go on elsewhere than behind the block.
    fn shares_end(&self, end: u32, kind: Kind) -> bool {
        let at = |ends: &[bool]| ends.get(end as usize).copied().unwrap_or(false);
        at(&self.loops_end) || kind == Kind::Call && at(&self.ifs_end)
    }

    fn reaches(&mut self, kind: Kind, end: u32, from: u32) -> bool {
        let flow = &self.flow;
        let graphs = &mut self.graphs;
        let set = self.sets.entry((kind, end)).or_insert_with(|| {
            let graph = graphs.entry(kind).or_insert_with(|| predecessors(flow, kind));
            let goal = |word: usize| match (kind, flow[word]) {
                (Kind::Emission, flow) => flow == Flow::Emit,
                (Kind::Loop, Flow::Transfer(Transfer::Break | Transfer::Loop { .. }, _)) => true,
                _ => word as u32 + 1 == end,
            };
            backwards(graph, flow.len(), goal)
        });
        set.get(from as usize).copied().unwrap_or(false)
    }
}

/// Words from which a goal is reached; a goal reaches itself.
fn backwards(predecessors: &[Vec<u32>], words: usize, goal: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut seen = vec![false; predecessors.len()];
    let mut open: Vec<u32> = (0..words).filter(|word| goal(*word)).map(|word| word as u32).collect();
    for node in &open {
        seen[*node as usize] = true;
    }
    while let Some(node) = open.pop() {
        for before in &predecessors[node as usize] {
            if !std::mem::replace(&mut seen[*before as usize], true) {
                open.push(*before);
            }
        }
    }
    seen.truncate(words);
    seen
}

/// The graph for one kind, turned round. Node `w` is a word; beside the words there are, for each address
/// `e`, a node for "the word in front of `e` ends blocks of other kinds", one for "a call has returned to
/// `e`", and one node for "a loop is broken".
fn predecessors(flow: &[Flow], kind: Kind) -> Vec<Vec<u32>> {
    let words = flow.len() as u32;
    let ends = |address: u32| words + address;
    let returned = |address: u32| 2 * words + 1 + address;
    let broken = 3 * words + 2;
    let mut graph = vec![Vec::new(); broken as usize + 1];
    let mut edge = |from: u32, to: u32| {
        // Addresses behind the code end the program; nothing follows from there.
        let exists = |node: u32| (node as usize) < graph.len();
        if exists(from) && exists(to) {
            graph[to as usize].push(from);
        }
    };
    let word = |address: u32| if address < words { address } else { u32::MAX };
    let end = |address: u32| if address <= words { ends(address) } else { u32::MAX };
    for address in 0..=words {
        edge(returned(address), word(address));
    }
    for (at, meaning) in flow.iter().enumerate() {
        let at = at as u32;
        let next = at + 1;
        match *meaning {
            Flow::End => continue,
            // Behind SETEMIT an earlier choice does not matter.
            Flow::SetEmit(_) if kind == Kind::Emission => continue,
            _ => {}
        }
        edge(at, ends(next));
        let (transfer, test) = match *meaning {
            Flow::Transfer(transfer, test) => (transfer, test),
            _ => {
                edge(at, word(next));
                continue;
            }
        };
        let conditional = test != Test::Always;
        let breaks_at = |end: u32| {
            end.checked_sub(1)
                .and_then(|last| flow.get(last as usize))
                .is_some_and(|flow| matches!(flow, Flow::Transfer(Transfer::Break, _)))
        };
        match transfer {
            Transfer::Jump(to) => {
                edge(at, word(to));
                edge(at, word(next));
            }
            Transfer::Break => {
                if kind != Kind::Loop {
                    edge(at, broken);
                }
                edge(at, word(next));
            }
            Transfer::Call { begin, end: last } => {
                if conditional {
                    edge(at, word(next));
                }
                if kind == Kind::Call {
                    edge(at, word(next));
                    edge(at, end(last));
                    if breaks_at(last) {
                        edge(at, broken);
                    }
                } else {
                    edge(at, word(begin));
                    edge(end(last), returned(next));
                    if last <= words {
                        edge(returned(last), returned(next));
                    }
                }
            }
            Transfer::If(block) => {
                edge(at, word(block.end));
                if kind == Kind::If {
                    edge(at, word(block.behind));
                    edge(at, end(block.end));
                    if breaks_at(block.end) {
                        edge(at, broken);
                    }
                } else {
                    edge(at, word(next));
                    edge(end(block.end), word(block.behind));
                }
            }
            Transfer::Loop { end: last, .. } => {
                if kind == Kind::Loop {
                    edge(at, word(last));
                } else {
                    edge(at, word(next));
                    edge(end(last), word(next));
                    edge(end(last), word(last));
                    edge(broken, word(last));
                }
            }
        }
    }
    graph
}
