//! Labels become what source languages can say: falling off the end, `break`, `continue`, an early return.
//!
//! A way out that none of these can say sets a flag, leaves the innermost loop if it must, and what it
//! skips on its way is run only while the flag is not set.

use super::graph::NodeId;
use super::regions::{Flag, SequenceId, Step};
use std::collections::{BTreeMap, BTreeSet};

/// Where a way out leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Goal {
    /// To what stands behind the label of a node.
    At(NodeId),
    /// To the next pass of a loop.
    Again(NodeId),
    /// To the end of the function.
    End,
}

/// What the lowering asks about nodes without ways out.
pub trait Leaves {
    /// Whether leaving there is nothing but reaching the end of the function.
    fn is_plain(&self, node: NodeId) -> bool;
    /// Whether the node has no way out and is short enough to stand in several places.
    fn is_short(&self, node: NodeId) -> bool;
}

/// What was needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lowered {
    /// Flags in use.
    pub flags: u32,
    /// Returns that stand in one more place.
    pub copies: u32,
}

/// A sequence's surroundings.
#[derive(Debug, Clone, Copy)]
struct Context {
    /// The step that holds it.
    parent: Option<(SequenceId, usize)>,
    /// Where falling off its end leads.
    fall: Goal,
    /// Where `break` leads.
    breaks: Option<Goal>,
    /// Header of the innermost loop.
    innermost: Option<NodeId>,
}

struct Lowering<'a, L> {
    sequences: Vec<Vec<Step>>,
    contexts: Vec<Context>,
    leaves: &'a L,
    flags: BTreeMap<Goal, Flag>,
    /// Flags that are cleared before a step.
    clears: BTreeMap<(SequenceId, usize), BTreeSet<Flag>>,
    /// Flags that guard what follows a label or loop.
    guards: BTreeMap<(SequenceId, usize), BTreeSet<Flag>>,
    /// Flags that are tested behind a loop or switch, with what is done then.
    checks: BTreeMap<(SequenceId, usize), BTreeSet<(Flag, bool)>>,
    copies: u32,
}

/// Lowers all labels. The first sequence stays the whole function; sequences that were taken into others
/// are left empty.
pub fn lower<L: Leaves>(sequences: Vec<Vec<Step>>, leaves: &L) -> (Vec<Vec<Step>>, Lowered) {
    let count = sequences.len();
    let mut lowering = Lowering {
        contexts: Vec::new(),
        sequences,
        leaves,
        flags: BTreeMap::new(),
        clears: BTreeMap::new(),
        guards: BTreeMap::new(),
        checks: BTreeMap::new(),
        copies: 0,
    };
    let parents = lowering.parents();
    lowering.aim_breaks(&parents);
    lowering.find_contexts(&parents);
    for at in 0..count {
        lowering.resolve(SequenceId(at as u32));
    }
    for at in (0..count).rev() {
        lowering.rebuild(SequenceId(at as u32));
    }
    let lowered = Lowered { flags: lowering.flags.len() as u32, copies: lowering.copies };
    (lowering.sequences, lowered)
}

/// Sequences that a step holds.
pub fn held(step: &Step) -> &[SequenceId] {
    match step {
        Step::Loop { body, .. } | Step::Label { body, .. } | Step::IfFlag(_, _, body) => {
            std::slice::from_ref(body)
        }
        Step::Switch { arms, .. } => arms,
        _ => &[],
    }
}

/// Calls back for every sequence that a step holds.
pub fn for_each_held(step: &Step, mut visit: impl FnMut(SequenceId)) {
    if let Step::Branch { then, otherwise, .. } = step {
        visit(*then);
        visit(*otherwise);
    } else {
        held(step).iter().copied().for_each(visit);
    }
}

impl<L: Leaves> Lowering<'_, L> {
    fn parents(&self) -> Vec<Option<(SequenceId, usize)>> {
        let mut parents = vec![None; self.sequences.len()];
        for (at, steps) in self.sequences.iter().enumerate() {
            for (index, step) in steps.iter().enumerate() {
                for_each_held(step, |inner| parents[inner.index()] = Some((SequenceId(at as u32), index)));
            }
        }
        parents
    }

    fn step(&self, (at, index): (SequenceId, usize)) -> &Step {
        &self.sequences[at.index()][index]
    }

    fn goal(step: &Step) -> Option<Goal> {
        match step {
            Step::Exit(target) => Some(Goal::At(*target)),
            Step::Again(header) => Some(Goal::Again(*header)),
            _ => None,
        }
    }

    /// What follows a loop is only reached by `break`, so where the loop's end leads is free to choose. If
    /// no way out wants to go where the loop's surroundings end, another goal is put behind the loop.
    fn aim_breaks(&mut self, parents: &[Option<(SequenceId, usize)>]) {
        // For each loop, the goals outside of it in order of appearance.
        let mut wanted: BTreeMap<(SequenceId, usize), Vec<Goal>> = BTreeMap::new();
        for (at, steps) in self.sequences.iter().enumerate() {
            let Some(goal) = steps.last().and_then(Self::goal) else { continue };
            let mut up = parents[at];
            while let Some(place) = up {
                match self.step(place) {
                    Step::Label { target, .. } if goal == Goal::At(*target) => break,
                    Step::Loop { header, .. } => {
                        if goal == Goal::Again(*header) {
                            break;
                        }
                        let goals = wanted.entry(place).or_default();
                        if !goals.contains(&goal) && goals.len() < 64 {
                            goals.push(goal);
                        }
                    }
                    _ => {}
                }
                up = parents[place.0.index()];
            }
        }
        let mut falls = vec![Goal::End; self.sequences.len()];
        for at in 0..self.sequences.len() {
            let mut append = None;
            for (index, step) in self.sequences[at].iter().enumerate() {
                let fall = match step {
                    Step::Label { target, .. } => Goal::At(*target),
                    Step::Loop { header, .. } => {
                        if let Some(goals) = wanted.get(&(SequenceId(at as u32), index))
                            && !goals.contains(&falls[at])
                        {
                            append = goals.first().copied();
                        }
                        Goal::Again(*header)
                    }
                    _ => falls[at],
                };
                for_each_held(step, |inner| falls[inner.index()] = fall);
            }
            match append {
                Some(Goal::At(target)) => self.sequences[at].push(Step::Exit(target)),
                Some(Goal::Again(header)) => self.sequences[at].push(Step::Again(header)),
                Some(Goal::End) | None => {}
            }
        }
    }

    fn find_contexts(&mut self, parents: &[Option<(SequenceId, usize)>]) {
        let outermost = Context { parent: None, fall: Goal::End, breaks: None, innermost: None };
        self.contexts = vec![outermost; self.sequences.len()];
        // A sequence stands before those it holds.
        for at in 0..self.sequences.len() {
            let context = self.contexts[at];
            let steps = &self.sequences[at];
            for (index, step) in steps.iter().enumerate() {
                let behind = steps.get(index + 1).and_then(Self::goal).unwrap_or(context.fall);
                let mut inner = context;
                match step {
                    Step::Label { target, .. } => inner.fall = Goal::At(*target),
                    Step::Loop { header, .. } => {
                        inner.fall = Goal::Again(*header);
                        inner.breaks = Some(behind);
                        inner.innermost = Some(*header);
                    }
                    Step::Switch { .. } => inner.breaks = Some(behind),
                    _ => {}
                }
                for_each_held(step, |held| {
                    self.contexts[held.index()] = Context { parent: parents[held.index()], ..inner };
                });
            }
        }
    }

    /// Replaces the way out at the end of a sequence.
    fn resolve(&mut self, at: SequenceId) {
        let context = self.contexts[at.index()];
        let steps = &mut self.sequences[at.index()];
        let Some(last) = steps.last() else { return };
        if let Step::Leave(node) = last {
            if context.fall == Goal::End && self.leaves.is_plain(*node) {
                steps.pop();
            }
            return;
        }
        let Some(goal) = Self::goal(last) else { return };
        steps.pop();
        if context.fall == goal {
        } else if context.breaks == Some(goal) {
            steps.push(Step::Break);
        } else if context.innermost.is_some_and(|header| goal == Goal::Again(header)) {
            steps.push(Step::Continue);
        } else if let Goal::At(target) = goal
            && self.leaves.is_short(target)
        {
            steps.extend([Step::Code(target), Step::Leave(target)]);
            self.copies += 1;
        } else {
            let next = Flag(self.flags.len() as u32);
            let flag = *self.flags.entry(goal).or_insert(next);
            steps.push(Step::SetFlag(flag, true));
            self.route(at, goal, flag);
        }
    }

    /// Makes everything between a place that sets a flag and the goal give way.
    fn route(&mut self, from: SequenceId, goal: Goal, flag: Flag) {
        // Where control stands: at the start, or behind a loop or switch.
        let mut position: Option<(SequenceId, usize)> = None;
        let mut guards = Vec::new();
        // The outermost switch since then, and how many guards lie inside of it.
        let mut switch: Option<((SequenceId, usize), usize)> = None;
        let mut up = self.contexts[from.index()].parent;
        while let Some(place) = up {
            let reached = match self.step(place) {
                Step::Label { target, .. } if goal == Goal::At(*target) => {
                    self.clears.entry(place).or_default().insert(flag);
                    true
                }
                Step::Label { .. } => {
                    guards.push(place);
                    false
                }
                Step::Switch { .. } => {
                    switch = Some((place, guards.len()));
                    false
                }
                Step::Loop { header, body } => {
                    let here = goal == Goal::Again(*header);
                    if here {
                        self.clears.entry((*body, 0)).or_default().insert(flag);
                        // `continue` says it, from inside of a switch too.
                        if let Some(position) = position
                            && !guards.is_empty()
                        {
                            guards.clear();
                            self.checks.entry(position).or_default().insert((flag, false));
                        }
                    } else {
                        if let Some((inner, kept)) = switch.take() {
                            guards.truncate(kept);
                            for guard in guards.drain(..) {
                                self.guards.entry(guard).or_default().insert(flag);
                            }
                            position = Some(inner);
                        }
                        guards.clear();
                        match position {
                            Some(position) => {
                                self.checks.entry(position).or_default().insert((flag, true));
                            }
                            None => self.sequences[from.index()].push(Step::Break),
                        }
                        position = Some(place);
                        // What `aim_breaks` put behind the loop.
                        if self.sequences[place.0.index()].len() > place.1 + 1 {
                            guards.push(place);
                        }
                    }
                    here
                }
                _ => false,
            };
            if reached {
                break;
            }
            up = self.contexts[place.0.index()].parent;
        }
        for guard in guards {
            self.guards.entry(guard).or_default().insert(flag);
        }
    }

    fn push(&mut self, steps: Vec<Step>) -> SequenceId {
        self.sequences.push(steps);
        SequenceId(self.sequences.len() as u32 - 1)
    }

    /// Takes the bodies of labels into the sequence, adds what the flags need, and moves what follows an
    /// arm that never goes on out of the other arm. All held sequences are finished.
    fn rebuild(&mut self, at: SequenceId) {
        let steps = std::mem::take(&mut self.sequences[at.index()]);
        let mut out: Vec<Step> = Vec::new();
        let mut open: Vec<(Vec<Step>, Flag)> = Vec::new();
        for (index, step) in steps.into_iter().enumerate() {
            let place = (at, index);
            for flag in self.clears.remove(&place).unwrap_or_default() {
                out.push(Step::SetFlag(flag, false));
            }
            match step {
                Step::Label { body, .. } => {
                    let body = std::mem::take(&mut self.sequences[body.index()]);
                    append(&mut out, body);
                }
                Step::Branch { node, then, otherwise } => {
                    let (goes, falls) = (self.never_falls(then), self.never_falls(otherwise));
                    let short = self.sequences[then.index()].len() <= self.sequences[otherwise.index()].len();
                    let moved = match (goes, falls) {
                        (true, true) if short => otherwise,
                        (true, true) => then,
                        (true, false) => otherwise,
                        (false, true) => then,
                        (false, false) => {
                            out.push(Step::Branch { node, then, otherwise });
                            continue;
                        }
                    };
                    out.push(Step::Branch { node, then, otherwise });
                    let moved = std::mem::take(&mut self.sequences[moved.index()]);
                    append(&mut out, moved);
                }
                step => {
                    out.push(step);
                    for (flag, breaks) in self.checks.remove(&place).unwrap_or_default() {
                        let action = self.push(vec![if breaks { Step::Break } else { Step::Continue }]);
                        out.push(Step::IfFlag(flag, true, action));
                    }
                }
            }
            for flag in self.guards.remove(&place).unwrap_or_default() {
                open.push((std::mem::take(&mut out), flag));
            }
        }
        // A body that was empty may still have flags to clear at its start.
        for flag in self.clears.remove(&(at, 0)).unwrap_or_default() {
            out.insert(0, Step::SetFlag(flag, false));
        }
        while let Some((outer, flag)) = open.pop() {
            let inner = self.push(out);
            out = outer;
            out.push(Step::IfFlag(flag, false, inner));
        }
        self.sequences[at.index()] = out;
    }

    fn never_falls(&self, at: SequenceId) -> bool {
        match self.sequences[at.index()].last() {
            Some(Step::Break | Step::Continue | Step::Leave(_)) => true,
            // Its arms were emptied where they never go on, unless both stay: then one of them does.
            _ => false,
        }
    }
}

fn append(out: &mut Vec<Step>, more: Vec<Step>) {
    if out.is_empty() {
        *out = more;
    } else {
        out.extend(more);
    }
}
