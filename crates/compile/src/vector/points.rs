//! How many registers a program needs where: its code as a list of points, with the values that are computed and still needed
//! around each.

use super::{Id, Item, Lane, Op, Program, build::source, condition::Test, live::Uses};
use smallvec::SmallVec;
use std::ops::Range;

/// Components of values.
pub type Parts = SmallVec<[(Id, u8); 4]>;

/// What happens at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A value is computed, or components go to an output.
    Item,
    /// A condition decides.
    Condition,
    /// A loop starts: what it carries gets its first values.
    Start,
    /// The end of a block: of the program, of the first or second part of a condition, of the body of a loop.
    End,
}

/// A point of a program.
#[derive(Debug, Clone)]
pub struct Point {
    /// Number of the block that it stands in, see [`block_mut`].
    pub block: usize,
    /// Index of its item, or the number of items.
    pub index: usize,
    /// What happens.
    pub event: Event,
    /// What is read.
    pub reads: Parts,
    /// What is written.
    pub writes: Parts,
    /// Registers that it needs for itself.
    extra: usize,
    next: SmallVec<[usize; 2]>,
    /// What is needed in front of it.
    pub before: Needed,
    /// What is needed behind it.
    pub after: Needed,
}

impl Point {
    /// Registers that are in use here.
    pub fn registers(&self) -> usize {
        let mut during = self.after.clone();
        self.writes.iter().for_each(|(id, mask)| during.add(*id, *mask));
        during.registers().max(self.before.registers()) + self.extra
    }
}

/// Components that are needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needed(Vec<u8>);

impl Needed {
    /// Components of a value.
    pub fn of(&self, id: Id) -> u8 {
        self.0.get(id.index()).copied().unwrap_or(0)
    }

    /// Values of which something is needed.
    pub fn values(&self) -> impl Iterator<Item = (Id, u8)> + '_ {
        let known = (0u32..).zip(&self.0).filter(|(_, mask)| **mask != 0);
        known.map(|(index, mask)| (Id(index), *mask))
    }

    fn add(&mut self, id: Id, mask: u8) {
        if let Some(place) = self.0.get_mut(id.index()) {
            *place |= mask;
        }
    }

    fn remove(&mut self, id: Id, mask: u8) {
        if let Some(place) = self.0.get_mut(id.index()) {
            *place &= !mask;
        }
    }

    /// Registers that hold all of it, as close as values of one to four components lie.
    fn registers(&self) -> usize {
        let mut of = [0usize; 5];
        for mask in &self.0 {
            if let Some(count) = of.get_mut(mask.count_ones() as usize) {
                *count += 1;
            }
        }
        let [_, one, two, three, four] = of;
        // Beside three there is room for one, beside a two that has no other for two.
        let beside = three + (two % 2) * 2;
        four + three + two.div_ceil(2) + one.saturating_sub(beside).div_ceil(4)
    }
}

/// A program as points, in the order of its text.
#[derive(Debug, Default)]
pub struct Points {
    /// The points.
    pub all: Vec<Point>,
    /// The body of each loop, with its end.
    pub loops: Vec<Range<usize>>,
    /// The two parts of each condition, with their ends.
    pub conditions: Vec<(Range<usize>, Range<usize>)>,
    blocks: usize,
    /// Registers that each procedure needs.
    procedures: Vec<usize>,
}

impl Points {
    /// The points of a program.
    pub fn new(program: &Program, uses: &Uses) -> Self {
        let mut points = Self::default();
        for procedure in &program.procedures {
            // What it calls is in front of it, and so known.
            let mut inner = Self { procedures: points.procedures, ..Self::default() };
            inner.lay(program, uses, &procedure.body);
            let left = procedure.results.iter().map(|id| (*id, uses.of(*id))).collect();
            inner.end(0, procedure.body.len(), left, Parts::new());
            inner.flow(program.nodes.len());
            let (most, _) = inner.registers();
            points.procedures = inner.procedures;
            points.procedures.push(most);
        }
        points.lay(program, uses, &program.body);
        // What is written where is said by items; the rest goes out at the end.
        let mut early: Vec<u8> = vec![0; program.outputs.len()];
        written_early(&program.body, &mut early);
        let mut reads = Parts::new();
        for (written, early) in program.outputs.iter().zip(early) {
            for (component, lane) in written.lanes.iter().enumerate() {
                if let (Some(lane), 0) = (lane, early >> component & 1) {
                    read(program, *lane, &mut reads);
                }
            }
        }
        points.end(0, program.body.len(), reads, Parts::new());
        points.flow(program.nodes.len());
        points
    }

    /// The most registers that are in use anywhere, and the sum over all points.
    pub fn registers(&self) -> (usize, usize) {
        self.all.iter().map(Point::registers).fold((0, 0), |(most, sum), here| (most.max(here), sum + here))
    }

    /// Whether control can come from a point to another one behind it, or behind it in the same loop.
    pub fn reaches(&self, from: usize, to: usize) -> bool {
        let around = |range: &&Range<usize>| range.contains(&from) && range.contains(&to);
        if self.loops.iter().any(|range| around(&range)) {
            return true;
        }
        let apart = self.conditions.iter().any(|(a, b)| a.contains(&from) && b.contains(&to));
        to > from && !apart
    }

    fn push(&mut self, block: usize, index: usize, event: Event, reads: Parts, writes: Parts) -> usize {
        let here = self.all.len();
        let nothing = || Needed(Vec::new());
        let (before, after) = (nothing(), nothing());
        let next = smallvec::smallvec![here + 1];
        self.all.push(Point { block, index, event, reads, writes, extra: 0, next, before, after });
        here
    }

    fn end(&mut self, block: usize, index: usize, reads: Parts, writes: Parts) -> usize {
        self.push(block, index, Event::End, reads, writes)
    }

    fn lay(&mut self, program: &Program, uses: &Uses, items: &[Item]) {
        let block = self.blocks;
        self.blocks += 1;
        for (index, item) in items.iter().enumerate() {
            let (reads, writes) = own_parts(program, uses, item);
            match item {
                Item::Node(id) => {
                    let here = self.push(block, index, Event::Item, reads, writes);
                    if let Some(point) = self.all.get_mut(here) {
                        point.extra = extra(program, uses, *id);
                    }
                }
                Item::Write { .. } => {
                    self.push(block, index, Event::Item, reads, writes);
                }
                Item::Call { procedure, .. } => {
                    let most = self.procedures.get(*procedure as usize).copied().unwrap_or(0);
                    let here = self.push(block, index, Event::Item, reads, writes);
                    if let Some(point) = self.all.get_mut(here) {
                        point.extra = most;
                    }
                }
                Item::If { accept, reject, results, .. } => {
                    let head = self.push(block, index, Event::Condition, reads, Parts::new());
                    let first = self.all.len();
                    let inner = self.blocks;
                    self.lay(program, uses, accept);
                    let leaves = left(program, uses, results, 0);
                    let accepted = self.end(inner, accept.len(), leaves, writes.clone());
                    let second = self.all.len();
                    let inner = self.blocks;
                    self.lay(program, uses, reject);
                    let leaves = left(program, uses, results, 1);
                    let rejected = self.end(inner, reject.len(), leaves, writes);
                    if let Some(point) = self.all.get_mut(head) {
                        point.next.push(second);
                    }
                    if let Some(point) = self.all.get_mut(accepted) {
                        point.next = smallvec::smallvec![rejected + 1];
                    }
                    self.conditions.push((first..second, second..rejected + 1));
                }
                Item::Loop { body, results, stop, .. } => {
                    self.push(block, index, Event::Start, left(program, uses, results, 0), writes.clone());
                    let first = self.all.len();
                    let inner = self.blocks;
                    self.lay(program, uses, body);
                    let mut leaves = left(program, uses, results, 1);
                    Test::of(program, *stop).lanes().for_each(|lane| read(program, lane, &mut leaves));
                    let end = self.end(inner, body.len(), leaves, writes);
                    if let Some(point) = self.all.get_mut(end) {
                        point.next.push(first);
                    }
                    self.loops.push(first..end + 1);
                }
            }
        }
    }

    /// What is needed where: backwards until nothing changes, which is once more for each loop around another.
    fn flow(&mut self, values: usize) {
        let nothing = Needed(vec![0; values]);
        for point in &mut self.all {
            (point.before, point.after) = (nothing.clone(), nothing.clone());
        }
        loop {
            let mut changes = false;
            for index in (0..self.all.len()).rev() {
                let Some(point) = self.all.get(index) else { break };
                let mut after = nothing.clone();
                for next in &point.next {
                    if let Some(next) = self.all.get(*next) {
                        after.0.iter_mut().zip(&next.before.0).for_each(|(mask, next)| *mask |= next);
                    }
                }
                let mut before = after.clone();
                point.writes.iter().for_each(|(id, mask)| before.remove(*id, *mask));
                point.reads.iter().for_each(|(id, mask)| before.add(*id, *mask));
                changes |= before != point.before;
                if let Some(point) = self.all.get_mut(index) {
                    (point.before, point.after) = (before, after);
                }
            }
            if !changes {
                break;
            }
        }
    }
}

/// The items of a block by its number: the program's is 0, others follow as they stand in the text.
pub fn block_mut(program: &mut Program, number: usize) -> Option<&mut Vec<Item>> {
    fn find<'p>(items: &'p mut Vec<Item>, number: &mut usize) -> Option<&'p mut Vec<Item>> {
        let Some(rest) = number.checked_sub(1) else { return Some(items) };
        *number = rest;
        for item in items {
            let found = match item {
                Item::Node(_) | Item::Write { .. } | Item::Call { .. } => None,
                Item::If { accept, reject, .. } => match find(accept, number) {
                    Some(found) => Some(found),
                    None => find(reject, number),
                },
                Item::Loop { body, .. } => find(body, number),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }
    let mut number = number;
    find(&mut program.body, &mut number)
}

/// What an item reads and writes by itself, without what stands inside of it: a condition reads what it asks, and writes
/// what it leaves.
pub fn own_parts(program: &Program, uses: &Uses, item: &Item) -> (Parts, Parts) {
    let mut reads = Parts::new();
    let results = |results: &[Id]| -> Parts {
        results.iter().map(|id| (*id, uses.of(*id))).filter(|(_, mask)| *mask != 0).collect()
    };
    let writes = match item {
        Item::Node(id) => {
            let mask = uses.of(*id);
            operands(program, *id, mask).for_each(|lane| read(program, lane, &mut reads));
            if mask != 0 && is_computed(program.node(*id).op) {
                smallvec::smallvec![(*id, mask)]
            } else {
                reads.clear();
                Parts::new()
            }
        }
        Item::Write { output, mask } => {
            let lanes = program.outputs.get(usize::from(*output)).map(|written| &written.lanes);
            for (component, lane) in lanes.into_iter().flatten().enumerate() {
                if let (Some(lane), 1) = (lane, mask >> component & 1) {
                    read(program, *lane, &mut reads);
                }
            }
            Parts::new()
        }
        Item::Call { procedure, call, results: left, .. } => {
            for id in program.procedures.get(*procedure as usize).into_iter().flat_map(|of| &of.parameters) {
                let mask = uses.of(*id);
                let lanes = program.node(*id).arguments.get(*call as usize);
                for (component, lane) in lanes.into_iter().flatten().enumerate() {
                    if mask >> component & 1 != 0 {
                        read(program, *lane, &mut reads);
                    }
                }
            }
            results(left)
        }
        Item::If { condition, results: left, .. } => {
            Test::of(program, *condition).lanes().for_each(|lane| read(program, lane, &mut reads));
            results(left)
        }
        Item::Loop { results: left, .. } => results(left),
    };
    (reads, writes)
}

/// What a part of a condition or a pass of a loop hands on, or a loop starts with.
pub fn left(program: &Program, uses: &Uses, results: &[Id], part: usize) -> Parts {
    let mut reads = Parts::new();
    for &id in results {
        let mask = uses.of(id);
        let lanes = program.node(id).arguments.get(part);
        for (component, lane) in lanes.into_iter().flatten().enumerate() {
            if mask >> component & 1 != 0 {
                read(program, *lane, &mut reads);
            }
        }
    }
    reads
}

/// The lanes that an operation reads for the components that are needed of it.
pub fn operands(program: &Program, id: Id, mask: u8) -> impl Iterator<Item = Lane> + '_ {
    let node = program.node(id);
    let by_lane = node.op.is_lanewise();
    node.arguments.iter().flat_map(move |list| {
        let needed = move |(at, _): &(usize, &Lane)| !by_lane || mask >> *at & 1 != 0;
        list.iter().enumerate().filter(needed).map(|(_, lane)| *lane)
    })
}

/// Whether a value lies in a register that instructions write.
pub fn is_computed(op: Op) -> bool {
    matches!(op, Op::Truth(_)) || !op.is_read_only()
}

/// Adds what a lane is read from: an element of a table is read by its index.
pub fn read(program: &Program, lane: Lane, parts: &mut Parts) {
    let mut lane = lane;
    // Indices of indices of indices; a bound costs nothing.
    for _ in 0..16 {
        let Lane::Of { node, component, .. } = lane else { return };
        let of = program.node(node);
        if is_computed(of.op) {
            match parts.iter_mut().find(|(id, _)| *id == node) {
                Some((_, mask)) => *mask |= 1 << component,
                None => parts.push((node, 1 << component)),
            }
            return;
        }
        match (of.op, of.arguments.first().and_then(|list| list.first())) {
            (Op::Element { .. }, Some(index)) => lane = *index,
            _ => return,
        }
    }
}

/// Components of outputs that items write.
fn written_early(items: &[Item], early: &mut [u8]) {
    for item in items {
        if let Item::Write { output, mask } = item
            && let Some(known) = early.get_mut(usize::from(*output))
        {
            *known |= mask;
        }
    }
}

/// Registers that an operation needs beside operands and result: for copies of what one instruction cannot read.
fn extra(program: &Program, uses: &Uses, id: Id) -> usize {
    let node = program.node(id);
    if uses.of(id) == 0 || !is_computed(node.op) {
        return 0;
    }
    let own = match node.op {
        Op::Truncate => 2,
        Op::Compare(super::Relation::Eq | super::Relation::Ne) => 1,
        Op::Pack => return 0,
        _ => 0,
    };
    let (mut wide, mut inputs, mut mixed) = (0usize, SmallVec::<[u8; 3]>::new(), 0);
    for list in &node.arguments {
        let first = list.first().copied();
        if list.iter().any(|lane| source(Some(*lane)) != source(first)) {
            mixed += 1;
            continue;
        }
        match first.and_then(Lane::node).map(|id| program.node(id).op) {
            None | Some(Op::Uniform { .. } | Op::Element { .. }) => wide += 1,
            Some(Op::Input(number)) if !inputs.contains(&number) => inputs.push(number),
            _ => {}
        }
    }
    own + mixed + wide.saturating_sub(1) + inputs.len().saturating_sub(1)
}
