//! Findings about blocks and calls: depths of the three stacks, recursion, ends that coincide, jumps and
//! breaks in the wrong place.

use crate::{
    Opcode,
    reach::{Flow, Reach, Run},
};
use std::collections::BTreeSet;
use unshade_bytes::Severity::Warning;
use unshade_isa_common::findings::Findings;

/// Entries of the hardware's stacks (3dbrew).
const CALLS: u32 = 4;
const IFS: u32 = 8;
const LOOPS: u32 = 4;

/// Words that [`depths`] may look at in all.
const WORK: usize = 1 << 22;

pub(super) fn check(findings: &mut Findings<'_>, reach: &Reach) {
    let words = &*findings.stage.code.words;
    let nesting = Nesting::new(words, reach);
    ends(findings, reach);
    for (at, &word) in (0u32..).zip(words) {
        let inside = nesting.loops.get(at as usize).copied().unwrap_or(0);
        let is_break = matches!(Opcode::of_word(word), Some(Opcode::Break | Opcode::Breakc));
        if is_break && inside == 0 && reach.words.get(at as usize) == Some(&true) {
            let message = "`break` outside a loop can hang the hardware if no loop is running";
            findings.word(Warning, "pica200.break-outside-loop", at, message);
        }
    }
    if let Some(order) = call_order(findings, reach) {
        depths(findings, reach, &nesting, &order);
    }
}

/// How many first parts of IFs, and how many loops, are around each word.
struct Nesting {
    ifs: Vec<u32>,
    loops: Vec<u32>,
}

impl Nesting {
    fn new(words: &[u32], reach: &Reach) -> Self {
        let mut ifs = vec![0i32; words.len() + 1];
        let mut loops = ifs.clone();
        let cover = |depth: &mut Vec<i32>, from: u32, to: u32| {
            let to = (to as usize).min(words.len());
            if (from as usize) < to {
                depth[from as usize] += 1;
                depth[to] -= 1;
            }
        };
        for (at, &word) in (0u32..).zip(words).filter(|(at, _)| reach.words.get(*at as usize) == Some(&true))
        {
            match Flow::of(word) {
                Flow::If { then_end, .. } => cover(&mut ifs, at + 1, then_end),
                Flow::Loop { last } => cover(&mut loops, at + 1, last + 1),
                _ => {}
            }
        }
        let sum = |depth: Vec<i32>| {
            let mut now = 0i32;
            depth
                .into_iter()
                .map(|change| {
                    now += change;
                    now.max(0) as u32
                })
                .collect()
        };
        Self { ifs: sum(ifs), loops: sum(loops) }
    }
}

/// Ends of blocks that coincide, and transfers on the last word of a block.
fn ends(findings: &mut Findings<'_>, reach: &Reach) {
    let words = &*findings.stage.code.words;
    let reached = |at: u32| reach.words.get(at as usize) == Some(&true);
    // How many blocks end in front of each word, and whether one of them is a loop.
    let mut count = vec![0u32; words.len() + 1];
    let mut ends_loop = vec![false; words.len() + 1];
    let mut add = |at: u32| {
        if let Some(count) = count.get_mut(at as usize) {
            *count += 1;
        }
    };
    let mut empty = Vec::new();
    for (at, &word) in (0u32..).zip(words).filter(|(at, _)| reached(*at)) {
        match Flow::of(word) {
            Flow::If { then_end, end } => {
                add(then_end);
                if end != then_end {
                    add(end);
                }
                if then_end == at + 1 {
                    empty.push(at);
                }
            }
            Flow::Loop { last } => {
                add(last + 1);
                if let Some(is_loop) = ends_loop.get_mut(last as usize + 1) {
                    *is_loop = true;
                }
            }
            _ => {}
        }
    }
    let run_ends: BTreeSet<u32> = reach.runs.iter().filter_map(|run| run.end).collect();
    run_ends.iter().for_each(|&end| add(end));
    for at in empty {
        let message = "the first part is empty: the hardware wants a `nop` in it";
        findings.word(Warning, "pica200.missing-nop", at, message);
    }
    for (at, &word) in (0u32..).zip(words).filter(|(at, _)| reached(*at)) {
        let here = count.get(at as usize + 1).copied().unwrap_or(0);
        if here > 1 {
            let message =
                format!("{here} blocks end behind this word: the hardware wants a `nop` between their ends");
            findings.word(Warning, "pica200.missing-nop", at, message);
        }
        if here == 0 {
            continue;
        }
        let opcode = Opcode::of_word(word);
        match Flow::of(word) {
            Flow::Jump { .. } => {
                let message =
                    "a jump on the last word of a block is never taken: a `nop` is missing behind it";
                findings.word(Warning, "pica200.jump-at-block-end", at, message);
            }
            Flow::Call { .. } => {
                let message = "a call on the last word of a block: a `nop` is missing behind it";
                findings.word(Warning, "pica200.missing-nop", at, message);
            }
            _ if matches!(opcode, Some(Opcode::Break | Opcode::Breakc))
                && ends_loop.get(at as usize + 1) == Some(&true) =>
            {
                let message = "a break on the last word of a loop: a `nop` is missing behind it";
                findings.word(Warning, "pica200.missing-nop", at, message);
            }
            _ => {}
        }
    }
}

/// The runs so that every run stands behind those that it calls; `None` where calls go in circles.
fn call_order(findings: &mut Findings<'_>, reach: &Reach) -> Option<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; reach.runs.len()];
    let mut order = Vec::with_capacity(reach.runs.len());
    let mut stack = vec![(0usize, 0usize)];
    let mut recursive = false;
    while let Some(top) = stack.last_mut() {
        let (run, next) = *top;
        top.1 += 1;
        let Some(this) = reach.runs.get(run) else { break };
        if next == 0 {
            state[run] = State::Open;
        }
        match this.calls.get(next) {
            Some(&(at, callee)) => match state.get(callee) {
                Some(State::New) => stack.push((callee, 0)),
                Some(State::Open) => {
                    recursive = true;
                    let message = "this call can come back to itself: the stack of calls holds 4 entries";
                    findings.word(Warning, "pica200.recursive-call", at, message);
                }
                _ => {}
            },
            None => {
                state[run] = State::Done;
                order.push(run);
                stack.pop();
            }
        }
    }
    (!recursive).then_some(order)
}

/// How much of each stack a run needs, with everything that it calls.
#[derive(Clone, Copy, Default)]
struct Depth {
    calls: u32,
    ifs: u32,
    loops: u32,
    has_loop: bool,
}

fn depths(findings: &mut Findings<'_>, reach: &Reach, nesting: &Nesting, order: &[usize]) {
    let words = &*findings.stage.code.words;
    let mut depth = vec![Depth::default(); reach.runs.len()];
    let mut work = WORK.max(words.len());
    let range = |run: &Run| {
        let end = run.end.map_or(words.len(), |end| (end as usize).min(words.len()));
        let begin = if run.end.is_none() { 0 } else { run.begin as usize };
        begin.min(end)..end
    };
    for &index in order {
        let Some(run) = reach.runs.get(index) else { continue };
        let words_of_run = range(run);
        let Some(left) = work.checked_sub(words_of_run.len()) else { return };
        work = left;
        let most = |depths: &[u32]| {
            depths.get(words_of_run.clone()).into_iter().flatten().copied().max().unwrap_or(0)
        };
        let reached_loop = |at: usize| {
            reach.words.get(at) == Some(&true)
                && words.get(at).is_some_and(|&word| matches!(Flow::of(word), Flow::Loop { .. }))
        };
        let mut this = Depth {
            calls: 0,
            ifs: most(&nesting.ifs),
            loops: most(&nesting.loops),
            has_loop: words_of_run.clone().any(reached_loop),
        };
        for &(at, callee) in &run.calls {
            let below = depth.get(callee).copied().unwrap_or_default();
            let ifs = nesting.ifs.get(at as usize).copied().unwrap_or(0);
            let loops = nesting.loops.get(at as usize).copied().unwrap_or(0);
            this.calls = this.calls.max(below.calls + 1);
            this.ifs = this.ifs.max(ifs.saturating_add(below.ifs));
            this.loops = this.loops.max(loops.saturating_add(below.loops));
            this.has_loop |= below.has_loop;
            if loops > 0 && below.has_loop {
                let message =
                    "a loop calls a procedure that loops: some emulators take a wrong aL behind the call";
                findings.word(Warning, "pica200.nested-loop-call", at, message);
            }
        }
        depth[index] = this;
    }
    let main = depth.first().copied().unwrap_or_default();
    for (needed, most, code, what) in [
        (main.calls, CALLS, "pica200.call-depth", "calls"),
        (main.ifs, IFS, "pica200.if-depth", "conditions"),
        (main.loops, LOOPS, "pica200.loop-depth", "loops"),
    ] {
        if needed > most {
            let message = format!("{what} nest {needed} deep; the stack of the hardware holds {most}");
            findings.whole(Warning, code, message);
        }
    }
}
