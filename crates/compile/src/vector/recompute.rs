//! Values that are computed again where they are needed, instead of being kept: what comes from uniforms, inputs and constants
//! in a few operations, and what comes from values that are there anyway.

use super::{
    Id, Item, Lane, Lanes, Node, Op, Program, Relation,
    live::Uses,
    points::{Event, Needed, Parts, Point, Points, block_mut, is_computed, read},
};
use smallvec::SmallVec;
use std::{collections::HashMap, ops::Range};

/// Operations that a value may take to be computed again.
const COST: usize = 12;
/// Operations that one that is computed again may stand on.
const DEPTH: usize = 8;
/// Operations of a program that may still fit into the machine's code; so many more can be computed again.
const ROOM: usize = 640;

/// Lets no more than `registers` be in use anywhere, as far as that can be had by computing values again.
pub fn recompute(program: &mut Program, registers: usize) {
    for _ in 0..ROOM {
        let uses = Uses::new(program);
        if operations(program, &uses) > ROOM {
            return;
        }
        let points = Points::new(program, &uses);
        let mut crowded = points.all.iter().enumerate().filter(|(_, point)| point.registers() > registers);
        let found = crowded.find_map(|(at, _)| Some((at, candidate(program, &points, at)?)));
        let Some((_, candidate)) = found else { return };
        candidate.apply(program, &points);
    }
}

/// Operations that become at least an instruction each.
fn operations(program: &Program, uses: &Uses) -> usize {
    let is_one = |(node, mask): &(&Node, &u8)| {
        **mask != 0 && is_computed(node.op) && !node.op.hands_on() && node.op != Op::Pack
    };
    program.nodes.iter().zip(&uses.components).filter(is_one).count()
}

/// A value that could be computed again behind a point, where it is not read.
struct Candidate {
    id: Id,
    /// For each place where it is made again the points that read it.
    places: Vec<(Place, Vec<usize>)>,
}

/// Where something can be put: in front of an item of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    block: usize,
    index: usize,
    /// The point that it is in front of.
    point: usize,
}

/// The best value to drop at a point.
fn candidate(program: &Program, points: &Points, at: usize) -> Option<Candidate> {
    let point = points.all.get(at)?;
    let is_made = |id: Id| point.writes.iter().any(|(made, _)| *made == id);
    let mut best: Option<(f32, Candidate)> = None;
    for (id, mask) in point.after.values().filter(|(id, _)| !is_made(*id)) {
        let Some((candidate, cost)) = readers(program, points, at, id) else { continue };
        let distance = candidate.places.iter().map(|(place, _)| place.point.abs_diff(at)).min().unwrap_or(0);
        if distance == 0 {
            continue;
        }
        let gain = distance as f32 * mask.count_ones() as f32 / cost as f32;
        if best.as_ref().is_none_or(|(known, _)| gain > *known) {
            best = Some((gain, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Where a value is read that is kept over a point, and what it costs to make it again there.
fn readers(program: &Program, points: &Points, at: usize, id: Id) -> Option<(Candidate, usize)> {
    let writes = |point: &Point| point.writes.iter().any(|(written, _)| *written == id);
    let made = points.all.iter().position(writes)?;
    // A loop around the point brings control back to all readers in it, if the value is not made in it.
    let around: Option<&Range<usize>> = points
        .loops
        .iter()
        .filter(|range| range.contains(&at) && !range.contains(&made))
        .max_by_key(|range| range.len());
    let mut places: Vec<(Place, Vec<usize>)> = Vec::new();
    for (index, point) in points.all.iter().enumerate() {
        let is_read = point.reads.iter().any(|(read, _)| *read == id);
        let is_behind = points.reaches(at, index) && (index > at || around.is_some());
        let comes_round = around.is_some_and(|range| range.contains(&index));
        if !is_read || !(is_behind || comes_round) || index == made {
            continue;
        }
        let side = index > at;
        let known =
            places.iter_mut().find(|(place, _)| place.block == point.block && (place.point > at) == side);
        match known {
            Some((_, list)) => list.push(index),
            None => {
                let place = Place { block: point.block, index: point.index, point: index };
                places.push((place, vec![index]));
            }
        }
    }
    if places.is_empty() || is_index(program, id) {
        return None;
    }
    let mut cost = 0;
    for (place, _) in &places {
        cost += price(program, &points.all.get(place.point)?.before, id, DEPTH)?;
    }
    (cost <= COST * places.len()).then_some((Candidate { id, places }, cost))
}

/// Whether a value is an index of a table: elements are read by many, and name their index themselves.
fn is_index(program: &Program, id: Id) -> bool {
    let names = |node: &Node| node.arguments.iter().flatten().any(|lane| lane.node() == Some(id));
    program.nodes.iter().any(|node| matches!(node.op, Op::Element { .. }) && names(node))
}

/// Operations that it takes to make a value again where these values are there.
fn price(program: &Program, there: &Needed, id: Id, depth: usize) -> Option<usize> {
    let depth = depth.checked_sub(1)?;
    let node = program.node(id);
    let mut price = match node.op {
        op if op.hands_on() => return None,
        Op::Truth(_) => 3,
        Op::Truncate => 5,
        Op::Compare(Relation::Eq | Relation::Ne) => 3,
        _ => 1,
    };
    for from in inner(program, node) {
        // What keeps an operand alive does so in all of its components that are read here.
        if !holds(program, there, node, from) {
            price += self::price(program, there, from, depth)?;
        }
        if price > COST {
            return None;
        }
    }
    Some(price)
}

/// Whether all components of an operand that a value reads are there.
fn holds(program: &Program, there: &Needed, node: &Node, from: Id) -> bool {
    let mut parts = Parts::new();
    node.arguments.iter().flatten().for_each(|lane| read(program, *lane, &mut parts));
    parts.iter().all(|(id, mask)| *id != from || mask & !there.of(from) == 0)
}

/// The computed values that an operation stands on.
fn inner(program: &Program, node: &Node) -> SmallVec<[Id; 4]> {
    let mut parts = Parts::new();
    node.arguments.iter().flatten().for_each(|lane| read(program, *lane, &mut parts));
    parts.into_iter().map(|(id, _)| id).collect()
}

impl Candidate {
    fn apply(&self, program: &mut Program, points: &Points) {
        // From the last place on, so that indices of earlier ones stay what they are.
        let mut places: Vec<&(Place, Vec<usize>)> = self.places.iter().collect();
        places.sort_by_key(|(place, _)| std::cmp::Reverse((place.block, place.index)));
        for (place, readers) in places {
            let Some(there) = points.all.get(place.point).map(|point| &point.before) else { continue };
            let mut made = Made { there, copies: HashMap::new(), order: Vec::new() };
            let copy = made.again(program, self.id, DEPTH);
            for reader in readers {
                if let Some(point) = points.all.get(*reader) {
                    replace(program, point, self.id, copy);
                }
            }
            if let Some(block) = block_mut(program, place.block) {
                let at = place.index.min(block.len());
                block.splice(at..at, made.order.into_iter().map(Item::Node));
            }
        }
    }
}

/// Values that are made again at one place.
struct Made<'t> {
    there: &'t Needed,
    copies: HashMap<Id, Id>,
    order: Vec<Id>,
}

impl Made<'_> {
    fn again(&mut self, program: &mut Program, id: Id, depth: usize) -> Id {
        if let Some(known) = self.copies.get(&id) {
            return *known;
        }
        let mut node = program.node(id).clone();
        if let Some(depth) = depth.checked_sub(1) {
            for from in inner(program, &node) {
                if holds(program, self.there, &node, from) {
                    continue;
                }
                let copy = self.again(program, from, depth);
                for lane in node.arguments.iter_mut().flatten() {
                    *lane = self.renamed(program, *lane, from, copy, depth);
                }
            }
        }
        let copy = append(program, node);
        self.copies.insert(id, copy);
        self.order.push(copy);
        copy
    }

    /// A lane that reads a copy; an element becomes one that is indexed by the copy.
    fn renamed(&mut self, program: &mut Program, lane: Lane, from: Id, to: Id, depth: usize) -> Lane {
        let Lane::Of { node, component, negate } = lane else { return lane };
        if node == from {
            return Lane::Of { node: to, component, negate };
        }
        let of = program.node(node);
        let Some(depth) = depth.checked_sub(1) else { return lane };
        if is_computed(of.op) || !matches!(of.op, Op::Element { .. }) {
            return lane;
        }
        let mut of = of.clone();
        let before = of.arguments.clone();
        for index in of.arguments.iter_mut().flatten() {
            *index = self.renamed(program, *index, from, to, depth);
        }
        if of.arguments == before {
            return lane;
        }
        Lane::Of { node: append(program, of), component, negate }
    }
}

fn append(program: &mut Program, node: Node) -> Id {
    let id = Id(u32::try_from(program.nodes.len()).unwrap_or(u32::MAX));
    program.nodes.push(node);
    id
}

/// Lets what is read at a point be another value.
fn replace(program: &mut Program, point: &Point, from: Id, to: Id) {
    let rename = |lanes: &mut Lanes| {
        for lane in lanes {
            if let Lane::Of { node, .. } = lane
                && *node == from
            {
                *node = to;
            }
        }
    };
    let rename_part = |program: &mut Program, results: &[Id], part: usize| {
        for id in results {
            if let Some(list) =
                program.nodes.get_mut(id.index()).and_then(|node| node.arguments.get_mut(part))
            {
                rename(list);
            }
        }
    };
    // The end of a block belongs to the item around it.
    if point.event == Event::End {
        let Some((part, results, stop)) = around(program, point.block) else {
            for written in &mut program.outputs {
                for lane in written.lanes.iter_mut().flatten() {
                    if let Lane::Of { node, .. } = lane
                        && *node == from
                    {
                        *node = to;
                    }
                }
            }
            return;
        };
        rename_part(program, &results, part);
        if let Some(stop) = stop {
            let stop = asked(program, stop, from, to, 4);
            set_stop(&mut program.body, &mut point.block.clone(), stop);
        }
        return;
    }
    let Some(item) = block_mut(program, point.block).and_then(|block| block.get(point.index)) else { return };
    let condition = match item {
        Item::If { condition, .. } => Some(*condition),
        _ => None,
    };
    if let Some(condition) = condition {
        let condition = asked(program, condition, from, to, 4);
        let item = block_mut(program, point.block).and_then(|block| block.get_mut(point.index));
        if let Some(Item::If { condition: place, .. }) = item {
            *place = condition;
        }
        return;
    }
    let Some(item) = block_mut(program, point.block).and_then(|block| block.get(point.index)) else { return };
    match item {
        Item::Node(id) => {
            let id = *id;
            if let Some(node) = program.nodes.get_mut(id.index()) {
                node.arguments.iter_mut().for_each(rename);
            }
        }
        Item::Write { output, mask } => {
            let (output, mask) = (usize::from(*output), *mask);
            let lanes = program.outputs.get_mut(output).map(|written| &mut written.lanes);
            for (component, lane) in lanes.into_iter().flatten().enumerate() {
                if let (1, Some(Lane::Of { node, .. })) = (mask >> component & 1, lane)
                    && *node == from
                {
                    *node = to;
                }
            }
        }
        Item::Call { procedure, call, .. } => {
            let (procedure, call) = (*procedure as usize, *call as usize);
            let parameters = program.procedures.get(procedure).map(|of| of.parameters.clone());
            rename_part(program, &parameters.unwrap_or_default(), call);
        }
        Item::If { .. } => {}
        Item::Loop { results, .. } => {
            let results = results.clone();
            rename_part(program, &results, 0);
        }
    }
}

/// Part, results, and for a loop what ends it, of the item that a block is a part of.
fn around(program: &Program, block: usize) -> Option<(usize, Vec<Id>, Option<Lane>)> {
    fn find(items: &[Item], number: &mut usize) -> Option<(usize, Vec<Id>, Option<Lane>)> {
        for item in items {
            let (parts, results, stop): (SmallVec<[&[Item]; 2]>, _, _) = match item {
                Item::Node(_) | Item::Write { .. } | Item::Call { .. } => continue,
                Item::If { accept, reject, results, .. } => {
                    (smallvec::smallvec![accept.as_slice(), reject.as_slice()], results, None)
                }
                Item::Loop { body, results, stop, .. } => {
                    (smallvec::smallvec![body.as_slice()], results, Some(*stop))
                }
            };
            for (part, inner) in parts.into_iter().enumerate() {
                *number = number.checked_sub(1)?;
                if *number == 0 {
                    // What a pass hands on is the second list of what a loop carries.
                    let part = if stop.is_some() { 1 } else { part };
                    return Some((part, results.clone(), stop));
                }
                if let Some(found) = find(inner, number) {
                    return Some(found);
                }
                if *number == 0 {
                    return None;
                }
            }
        }
        None
    }
    let mut number = block;
    if number == 0 { None } else { find(&program.body, &mut number) }
}

/// Changes what ends the loop whose body has this number.
fn set_stop(items: &mut [Item], number: &mut usize, to: Lane) -> bool {
    for item in items {
        let done = match item {
            Item::Node(_) | Item::Write { .. } | Item::Call { .. } => false,
            Item::If { accept, reject, .. } => {
                *number = number.saturating_sub(1);
                let first = set_stop(accept, number, to);
                first || {
                    *number = number.saturating_sub(1);
                    set_stop(reject, number, to)
                }
            }
            Item::Loop { body, stop, .. } => {
                *number = number.saturating_sub(1);
                if *number == 0 {
                    *stop = to;
                    true
                } else {
                    set_stop(body, number, to)
                }
            }
        };
        if done {
            return true;
        }
    }
    false
}

/// A condition that compares another value. What is between the two is nothing that is computed, so it can stand twice.
fn asked(program: &mut Program, lane: Lane, from: Id, to: Id, depth: u8) -> Lane {
    let Lane::Of { node, component, negate } = lane else { return lane };
    if node == from {
        return Lane::Of { node: to, component, negate };
    }
    let mut of = program.node(node).clone();
    let Some(depth) = depth.checked_sub(1) else { return lane };
    let before = of.arguments.clone();
    for operand in of.arguments.iter_mut().filter_map(|list| list.get_mut(usize::from(component))) {
        match of.op {
            // What is compared is read itself.
            Op::Compare(_) => {
                if let Lane::Of { node, .. } = operand
                    && *node == from
                {
                    *node = to;
                }
            }
            Op::Mul | Op::Max | Op::Add => *operand = asked(program, *operand, from, to, depth),
            _ => return lane,
        }
    }
    if of.arguments == before {
        return lane;
    }
    Lane::Of { node: append(program, of), component, negate }
}
