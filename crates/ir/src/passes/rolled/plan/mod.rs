//! What the passes of a loop have in common: their operations side by side.

mod alike;
mod blocks;
mod numbers;

pub(super) use alike::{Shapes, chains};
pub(super) use blocks::ANYTHING;
pub(super) use numbers::Course;

use super::super::edit::constant;
use super::{GAIN, Reduction, WORTH};
use crate::{Access, BlockId, Effect, Function, Global, InstId, Op, Space, Value, ValueDef};
use alike::{ALIKE, as_added, comes_from, in_order, shape};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// How deep passes are compared.
const DEEPEST: usize = 48;
/// Values that a plan has at most.
const NODES: usize = 400;
/// Instructions that are gone back from a value to see that it comes from another.
const FAR: usize = 200;
/// Values that are looked at for one loop, over and over again too.
const FUEL: usize = 2000;
/// Passes in front and behind that a loop may do without, in the order in which that is tried, and how many it has at least
/// then.
const TRIMS: [(usize, usize); 5] = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1)];
const TRIMMED: usize = 8;
/// How deep a pass is looked at to see that it lacks something.
const LOOK: u32 = 4;

/// A value of a pass.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// The same in all passes.
    Same(Value),
    /// A float that grows evenly.
    Float(Course),
    /// An integer that does.
    Int(Course),
    /// `base + unit * number`; without a unit `base + number`.
    Affine { base: Value, unit: Option<Value>, course: Course },
    /// A word of a uniform: the access of the first pass, and words from pass to pass.
    Load { access: Access, steps: [u32; 2] },
    /// An operation: that of the first pass, which of its results, and the operands.
    Op { inst: InstId, result: u16, args: SmallVec<[usize; 3]> },
    /// What the pass before left: its value in the first pass, and what it is in the next.
    Carried { first: Value, next: usize },
    /// A float that each pass multiplies with a number.
    Ratio { first: f32, by: f32 },
    /// What a sum was in front of the last pass.
    Before(usize),
}

/// A sum of the loop.
#[derive(Debug, Clone)]
pub(super) struct Sum {
    pub(super) root: InstId,
    pub(super) adds: Vec<InstId>,
    pub(super) rest: Vec<Value>,
    pub(super) term: usize,
}

/// A loop to be made.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    function: &'a Function,
    globals: &'a [Global],
    block: BlockId,
    shapes: &'a Shapes,
    /// Passes, of the outer and the inner loop; the outer one has one where there is none.
    pub(super) passes: [usize; 2],
    pub(super) nodes: Vec<Node>,
    pub(super) sums: Vec<Sum>,
    /// Values behind the last pass that something else needs, and what is carried that they are.
    pub(super) finals: Vec<(Value, usize)>,
    /// Lists of values each of which is computed from the one before in the same way.
    chains: &'a [Vec<Value>],
    /// The pass whose block each instruction stands in, from 1 on, where each pass has its own; 0 for those of no pass.
    homes: Option<&'a [u32]>,
    /// What the next pass has of what is carried, by node.
    nexts: BTreeMap<usize, Vec<Value>>,
    known: BTreeMap<Vec<Value>, usize>,
    /// Instructions of all passes.
    insts: BTreeSet<InstId>,
    /// Values that may still be looked at.
    fuel: usize,
}

impl<'a> Plan<'a> {
    /// The loop of a sum, with all others that come from the same passes.
    pub(super) fn new(
        function: &'a Function,
        globals: &'a [Global],
        (block, shapes): (BlockId, &'a Shapes),
        sums: &[Reduction],
        leader: usize,
    ) -> Option<Self> {
        let all = in_order(function, &sums[leader].terms);
        // The first pass and the last may be written otherwise: something was multiplied by 0 or 1 there.
        let trims = if all.len() > TRIMMED { &TRIMS[..] } else { &TRIMS[..1] };
        let of = |all: &[Value], (front, back): (usize, usize)| {
            let (terms, last) = all.split_at(all.len() - back);
            let (first, terms) = terms.split_at(front);
            let mut lead = sums[leader].clone();
            lead.rest.extend(first.iter().chain(last));
            Self::of_sum(function, globals, (block, shapes), sums, (leader, lead, terms))
        };
        // A first pass that lacks what was multiplied by 0 stands behind the others, and looks otherwise.
        let turned = || {
            let looks = |at: usize| all.get(at).map(|value| shape(function, *value, LOOK));
            let is_other = trims.len() > 1 && looks(all.len() - 1) != looks(1);
            is_other.then(|| {
                let mut all = all.clone();
                all.rotate_right(1);
                all
            })
        };
        // A compiler may compute a pass in front of the one before, and add it behind that.
        let added = || {
            let added = as_added(function, &sums[leader].terms);
            (added != all).then_some(added)
        };
        of(&all, trims[0])
            .or_else(|| of(&added()?, trims[0]))
            .or_else(|| of(&turned()?, trims[0]))
            .or_else(|| trims[1..].iter().find_map(|trim| of(&all, *trim)))
    }

    /// The loop of these terms of a sum.
    fn of_sum(
        function: &'a Function,
        globals: &'a [Global],
        (block, shapes): (BlockId, &'a Shapes),
        sums: &[Reduction],
        (leader, lead, terms): (usize, Reduction, &[Value]),
    ) -> Option<Self> {
        let count = terms.len();
        let grids =
            (2..=count / 2).filter(|inner| count.is_multiple_of(*inner)).map(|inner| [count / inner, inner]);
        // One loop, or one in another.
        [[1, count]].into_iter().chain(grids.filter(|_| count >= 6)).find_map(|passes| {
            let mut plan = Self {
                function,
                globals,
                block,
                shapes,
                passes,
                nodes: Vec::new(),
                sums: Vec::new(),
                finals: Vec::new(),
                chains: &[],
                homes: None,
                nexts: BTreeMap::new(),
                known: BTreeMap::new(),
                insts: BTreeSet::new(),
                fuel: FUEL,
            };
            plan.add(&lead, terms.to_vec())?;
            // Which pass an instruction of the first sum belongs to, where it belongs to one alone.
            let places = plan.places();
            for (at, sum) in sums.iter().enumerate() {
                if at != leader && sum.terms.len() == sums[leader].terms.len() {
                    plan.follow(sum, &places, count);
                }
            }
            plan.is_before_its_sums().then_some(plan)
        })
    }

    /// The loop of a value that is computed again and again from the one before.
    pub(super) fn of_chain(
        function: &'a Function,
        globals: &'a [Global],
        (block, shapes): (BlockId, &'a Shapes),
        chains: &'a [Vec<Value>],
        leader: usize,
        uses: &[u32],
    ) -> Option<Self> {
        let all = &chains[leader];
        let trims = if all.len() > TRIMMED { &TRIMS[..] } else { &TRIMS[..1] };
        trims.iter().find_map(|(front, back)| {
            let list = &all[*front..all.len() - back];
            Self::of_list(function, globals, (block, shapes), chains, list, uses)
        })
    }

    /// The loop of these values, each of which is computed from the one before.
    fn of_list(
        function: &'a Function,
        globals: &'a [Global],
        (block, shapes): (BlockId, &'a Shapes),
        chains: &'a [Vec<Value>],
        list: &[Value],
        uses: &[u32],
    ) -> Option<Self> {
        let mut plan = Self {
            function,
            globals,
            block,
            shapes,
            passes: [1, list.len()],
            nodes: Vec::new(),
            sums: Vec::new(),
            finals: Vec::new(),
            chains,
            homes: None,
            nexts: BTreeMap::new(),
            known: BTreeMap::new(),
            insts: BTreeSet::new(),
            fuel: FUEL,
        };
        plan.operations(list, 0)?;
        // What is carried is what comes out of the last pass.
        plan.close(Self::operations)?;
        let carries_itself = plan.finals.iter().any(|(last, _)| list.last() == Some(last));
        plan.finals.retain(|(last, _)| uses.get(last.index()).is_some_and(|count| *count > 0));
        (carries_itself && !plan.finals.is_empty() && plan.is_before_its_sums()).then_some(plan)
    }

    /// Says of all that is carried what the next pass has of it.
    fn close(&mut self, find: fn(&mut Self, &[Value], usize) -> Option<usize>) -> Option<()> {
        let mut at = 0;
        while at < self.nodes.len() {
            if let Node::Carried { first, next: usize::MAX } = self.nodes[at] {
                let list = self.nexts.get(&at)?.clone();
                let next = match self.known_as(&list) {
                    Some(known) => known,
                    None => find(self, &list, 0)?,
                };
                self.nodes[at] = Node::Carried { first, next };
            }
            at += 1;
        }
        Some(())
    }

    /// Whether an instruction is one of the passes.
    pub(super) fn has(&self, id: InstId) -> bool {
        self.insts.contains(&id)
    }

    /// What is the value of a chain in the pass before.
    fn of_the_pass_before(&mut self, lanes: &[Value]) -> Option<usize> {
        if lanes.len() != self.passes[1] || lanes.len() < 2 {
            return None;
        }
        // Other chains may have one more in front or behind.
        let next = self.chains.iter().find_map(|chain| {
            let at = chain.iter().position(|value| *value == lanes[1])?;
            let next = chain.get(at..at + lanes.len())?;
            (next[..lanes.len() - 1] == lanes[1..]).then_some(next)
        })?;
        let last = *next.last()?;
        let at = self.push(lanes, Node::Carried { first: lanes[0], next: usize::MAX });
        self.finals.push((last, at));
        self.nexts.insert(at, next.to_vec());
        Some(at)
    }

    fn add(&mut self, sum: &Reduction, terms: Vec<Value>) -> Option<()> {
        let term = self.node(&terms, 0)?;
        let Reduction { root, adds, rest, partial, .. } = sum.clone();
        if let Some((partial, lacks)) = partial {
            if terms.last() != Some(&lacks) {
                return None;
            }
            self.nodes.push(Node::Before(self.sums.len()));
            self.finals.push((partial, self.nodes.len() - 1));
        }
        self.sums.push(Sum { root, adds, rest, term });
        Some(())
    }

    /// Another sum of the same passes.
    fn follow(&mut self, sum: &Reduction, places: &BTreeMap<InstId, Option<usize>>, count: usize) {
        let mut ordered: Vec<Option<Value>> = vec![None; count];
        let mut sum = sum.clone();
        let all = std::mem::take(&mut sum.terms);
        let mut rest = Vec::new();
        for term in &all {
            let place = self.place(*term, places);
            match place.and_then(|place| ordered.get_mut(place)) {
                Some(slot @ None) => *slot = Some(*term),
                _ => rest.push(*term),
            }
        }
        let terms: Option<Vec<Value>> = ordered.into_iter().collect();
        let terms = match terms {
            Some(terms) => {
                sum.rest.append(&mut rest);
                terms
            }
            None if all.len() == count => in_order(self.function, &all),
            None => return,
        };
        let sum = &sum;
        self.tried(|plan| plan.add(sum, terms).filter(|()| plan.is_before_its_sums()));
    }

    /// The passes that instructions belong to; none for what several have.
    fn places(&self) -> BTreeMap<InstId, Option<usize>> {
        let mut places = BTreeMap::new();
        for lanes in self.known.keys().filter(|lanes| lanes.len() == self.passes[0] * self.passes[1]) {
            for (pass, value) in lanes.iter().enumerate() {
                if let ValueDef::Result(id, _) = self.function.values[value.index()].def {
                    let known = places.entry(id).or_insert(Some(pass));
                    if *known != Some(pass) {
                        *known = None;
                    }
                }
            }
        }
        places
    }

    /// The pass that something a value is computed from belongs to.
    fn place(&self, value: Value, places: &BTreeMap<InstId, Option<usize>>) -> Option<usize> {
        let mut work = vec![value];
        let mut seen = BTreeSet::new();
        while let Some(value) = work.pop() {
            let ValueDef::Result(id, _) = self.function.values[value.index()].def else { continue };
            if let Some(Some(pass)) = places.get(&id) {
                return Some(*pass);
            }
            if !seen.insert(id) || seen.len() > FAR {
                continue;
            }
            work.extend(self.function.insts[id.index()].args.iter().copied());
        }
        None
    }

    /// Whether nothing of the loop needs what the loop adds up.
    fn is_before_its_sums(&self) -> bool {
        let list = &self.function.blocks[self.block.index()].insts;
        let mut later: BTreeSet<Value> = BTreeSet::new();
        let roots: BTreeSet<InstId> = self.sums.iter().map(|sum| sum.root).collect();
        later.extend(self.finals.iter().map(|(last, _)| *last));
        let last: BTreeSet<Value> = later.clone();
        for id in list {
            let inst = &self.function.insts[id.index()];
            if roots.contains(id) || inst.args.iter().any(|arg| later.contains(arg)) {
                later.extend(inst.results.iter().copied());
            }
        }
        let stands = |value: &Value| !later.contains(value) || last.contains(value);
        self.insts.iter().all(|id| self.function.insts[id.index()].results.iter().all(stands))
            && self.nodes.iter().all(|node| match node {
                Node::Same(value) | Node::Carried { first: value, .. } => !later.contains(value),
                Node::Affine { base, unit, .. } => {
                    !later.contains(base) && unit.iter().all(|unit| !later.contains(unit))
                }
                _ => true,
            })
            && self.sums.iter().all(|sum| {
                sum.adds
                    .iter()
                    .filter(|add| **add != sum.root)
                    .all(|add| self.function.insts[add.index()].results.iter().all(stands))
            })
    }

    /// Whether the loop is shorter than what it takes the place of.
    pub(super) fn gain(&self, function: &Function, uses: &[u32]) -> bool {
        let mut left = uses.to_vec();
        let mut gone: BTreeSet<InstId> = BTreeSet::new();
        let mut work: Vec<InstId> = self.sums.iter().map(|sum| sum.root).collect();
        for (last, _) in &self.finals {
            left[last.index()] = 0;
            work.extend(self.made_by(*last).map(|(id, _)| id));
        }
        while let Some(id) = work.pop() {
            if !gone.insert(id) {
                continue;
            }
            for arg in &function.insts[id.index()].args {
                let Some(count) = left.get_mut(arg.index()) else { continue };
                *count = count.saturating_sub(1);
                if let ValueDef::Result(inner, _) = function.values[arg.index()].def
                    && (self.insts.contains(&inner) || self.sums.iter().any(|sum| sum.adds.contains(&inner)))
                    && function.insts[inner.index()].results.iter().all(|result| left[result.index()] == 0)
                {
                    work.push(inner);
                }
            }
        }
        let own = self
            .nodes
            .iter()
            .filter(|node| matches!(node, Node::Op { .. } | Node::Load { .. } | Node::Affine { .. }));
        let own = own.count() + self.sums.len();
        // What stays behind, since something else needs it too, stands there twice.
        let stays = self.insts.iter().filter(|id| !gone.contains(id)).count();
        let passes = self.passes[0] * self.passes[1];
        gone.len() >= WORTH
            && gone.len() >= GAIN * own
            && stays * 3 <= gone.len()
            && own >= 2
            && passes >= super::LEAST
    }

    fn made_by(&self, value: Value) -> Option<(InstId, u16)> {
        match self.function.values.get(value.index())?.def {
            ValueDef::Result(id, place) => Some((id, place)),
            ValueDef::Param(..) => None,
        }
    }

    /// What a value is in each pass; those of fewer passes are what a pass leaves to the next.
    fn node(&mut self, lanes: &[Value], depth: usize) -> Option<usize> {
        self.fuel = self.fuel.checked_sub(1)?;
        if depth > DEEPEST || self.nodes.len() > NODES {
            return None;
        }
        if let Some(known) = self.known_as(lanes) {
            return Some(known);
        }
        let first = *lanes.first()?;
        let node = if lanes.iter().all(|value| *value == first) {
            Some(Node::Same(first))
        } else {
            self.numbers(lanes).or_else(|| self.same_load(lanes)).or_else(|| self.loads(lanes))
        };
        if let Some(node) = node {
            return Some(self.push(lanes, node));
        }
        if let Some(carried) = self.of_the_pass_before(lanes) {
            return Some(carried);
        }
        if self.homes.is_some() {
            return match self.of_the_block_before(lanes) {
                Some(carried) => Some(carried),
                None => self.operations(lanes, depth),
            };
        }
        if let Some(node) = self.affine(lanes) {
            return Some(self.push(lanes, node));
        }
        if let Some(scaled) = self.scaled(lanes, depth) {
            return Some(scaled);
        }
        // The same operation in all passes; else what a pass leaves to the next.
        if let Some(found) = self.tried(|plan| plan.operations(lanes, depth)) {
            return Some(found);
        }
        let single = self.passes[0] == 1 && self.chains.is_empty();
        if !single || lanes.len() < 3 || !self.comes_from(lanes[1], first) {
            return None;
        }
        self.carried(lanes, depth)
    }

    /// An attempt that leaves nothing behind where it fails.
    fn tried<T>(&mut self, attempt: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let (nodes, sums, finals) = (self.nodes.len(), self.sums.len(), self.finals.len());
        let (known, insts) = (self.known.clone(), self.insts.clone());
        let done = attempt(self);
        if done.is_none() {
            self.nodes.truncate(nodes);
            self.sums.truncate(sums);
            self.finals.truncate(finals);
            self.nexts.split_off(&nodes);
            (self.known, self.insts) = (known, insts);
        }
        done
    }

    fn push(&mut self, lanes: &[Value], node: Node) -> usize {
        self.nodes.push(node);
        self.known.insert(lanes.to_vec(), self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// A list that is there, or the start of one.
    fn known_as(&self, lanes: &[Value]) -> Option<usize> {
        let (found, at) = self.known.range(lanes.to_vec()..).next()?;
        found.starts_with(lanes).then_some(*at)
    }

    /// Whether a value is computed from another that is no constant.
    fn comes_from(&self, value: Value, from: Value) -> bool {
        constant(self.function, from).is_none() && comes_from(self.function, value, from)
    }

    fn carried(&mut self, lanes: &[Value], depth: usize) -> Option<usize> {
        // What refers to it on the way finds it.
        let at = self.push(lanes, Node::Carried { first: lanes[0], next: usize::MAX });
        for value in &lanes[1..] {
            if let Some((id, _)) = self.made_by(*value) {
                self.insts.insert(id);
            }
        }
        let next = self.operations(&lanes[1..], depth + 1)?;
        self.nodes[at] = Node::Carried { first: lanes[0], next };
        Some(at)
    }

    /// One operation in all passes.
    fn operations(&mut self, lanes: &[Value], depth: usize) -> Option<usize> {
        let (first, result) = self.made_by(*lanes.first()?)?;
        let inst = &self.function.insts[first.index()];
        let (op, count) = (inst.op, inst.args.len());
        let may = matches!(op.effect(), Effect::Pure | Effect::Quad)
            && !matches!(op, Op::Load(access) if access.space != Space::Uniform || !access.is_indexed())
            && count > 0
            && self.stands_in(first, 0);
        if !may {
            return None;
        }
        let mut all: Vec<InstId> = Vec::new();
        for (pass, value) in lanes.iter().enumerate() {
            let (id, place) = self.made_by(*value)?;
            let inst = &self.function.insts[id.index()];
            if inst.op != op || place != result || inst.args.len() != count || !self.stands_in(id, pass) {
                return None;
            }
            all.push(id);
        }
        let column = |position: usize, turned: &[bool]| -> Vec<Value> {
            let args = |(pass, id): (usize, &InstId)| {
                let position = if turned[pass] && position < 2 { 1 - position } else { position };
                self.function.insts[id.index()].args[position]
            };
            all.iter().enumerate().map(args).collect()
        };
        // Operands that may change places stand as in the first pass.
        let mut turned = vec![false; all.len()];
        if op.is_commutative() && count >= 2 {
            let own = |id: &InstId, at: usize| self.function.insts[id.index()].args[at];
            let looks = |value: Value| shape(self.function, value, ALIKE);
            let (a, b) = (own(&all[0], 0), own(&all[0], 1));
            for (pass, id) in all.iter().enumerate().skip(1) {
                let (c, d) = (own(id, 0), own(id, 1));
                let straight = usize::from(a == c) + usize::from(b == d);
                let across = usize::from(a == d) + usize::from(b == c);
                turned[pass] = match straight.cmp(&across) {
                    std::cmp::Ordering::Less => true,
                    std::cmp::Ordering::Greater => false,
                    std::cmp::Ordering::Equal => {
                        let (la, lb, lc, ld) = (looks(a), looks(b), looks(c), looks(d));
                        usize::from(la == lc) + usize::from(lb == ld)
                            < usize::from(la == ld) + usize::from(lb == lc)
                    }
                };
            }
        }
        let columns: Vec<Vec<Value>> = (0..count).map(|position| column(position, &turned)).collect();
        let mut args: SmallVec<[usize; 3]> = SmallVec::new();
        for column in columns {
            args.push(self.node(&column, depth + 1)?);
        }
        self.insts.extend(all);
        Some(self.push(lanes, Node::Op { inst: first, result, args }))
    }

    fn stands_here(&self, id: InstId) -> bool {
        self.shapes.has(id)
    }

    /// Whether an instruction stands where a pass may have it.
    fn stands_in(&self, id: InstId, pass: usize) -> bool {
        match self.homes {
            Some(homes) => homes.get(id.index()).is_some_and(|home| *home as usize == pass + 1),
            None => self.stands_here(id),
        }
    }
}
