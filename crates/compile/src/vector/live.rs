//! What of a program is needed, and what only hands on what was there before.

use super::{Id, Item, Lane, Lanes, Op, Program, condition::Test};
use smallvec::SmallVec;
use std::{collections::HashMap, rc::Rc};

/// What is needed of each value.
#[derive(Debug, Default)]
pub struct Uses {
    /// Components that are needed, bit 0 the first.
    pub components: Vec<u8>,
    /// How many operands read it.
    pub readers: Vec<u32>,
}

impl Uses {
    /// Components of a value that are needed.
    pub fn of(&self, id: Id) -> u8 {
        self.components.get(id.index()).copied().unwrap_or(0)
    }

    /// How many operands read a value.
    pub fn readers(&self, id: Id) -> u32 {
        self.readers.get(id.index()).copied().unwrap_or(0)
    }

    /// What is needed of a program.
    pub fn new(program: &Program) -> Self {
        let mut uses =
            Self { components: vec![0; program.nodes.len()], readers: vec![0; program.nodes.len()] };
        let mut open: Vec<(Id, u8)> = Vec::new();
        // Conditions are needed by what they leave.
        let mut asked: HashMap<Id, Rc<[Lane]>> = HashMap::new();
        for body in program.procedures.iter().map(|procedure| &procedure.body).chain([&program.body]) {
            conditions(program, body, &mut asked);
        }
        for lane in program.outputs.iter().flat_map(|written| written.lanes.iter().flatten().copied()) {
            if let Lane::Of { node, component, .. } = lane {
                open.push((node, component));
                uses.count(node);
            }
        }
        while let Some((id, component)) = open.pop() {
            let Some(known) = uses.components.get_mut(id.index()) else { continue };
            let bit = 1 << component;
            if *known & bit != 0 {
                continue;
            }
            let is_first = *known == 0;
            *known |= bit;
            if is_first && let Some(lanes) = asked.get(&id) {
                for lane in lanes.iter() {
                    if let Lane::Of { node, component, .. } = *lane {
                        open.push((node, component));
                        uses.count(node);
                    }
                }
            }
            let node = program.node(id);
            let by_lane = node.op.is_lanewise() || node.op.hands_on();
            for list in &node.arguments {
                let lanes: &[Lane] = match by_lane {
                    true => list.get(usize::from(component)).map_or(&[], std::slice::from_ref),
                    false if is_first => list,
                    false => &[],
                };
                open.extend(lanes.iter().filter_map(|lane| match lane {
                    Lane::Of { node, component, .. } => Some((*node, *component)),
                    Lane::Const(_) => None,
                }));
            }
        }
        for (index, node) in program.nodes.iter().enumerate() {
            if uses.components.get(index).is_some_and(|mask| *mask != 0) {
                for list in &node.arguments {
                    let mut seen: SmallVec<[Id; 4]> = SmallVec::new();
                    for id in list.iter().filter_map(|lane| lane.node()) {
                        if !seen.contains(&id) {
                            seen.push(id);
                            uses.count(id);
                        }
                    }
                }
            }
        }
        uses
    }

    fn count(&mut self, id: Id) {
        if let Some(count) = self.readers.get_mut(id.index()) {
            *count += 1;
        }
    }
}

/// For each value that conditions and loops leave, the lanes that they read to decide.
fn conditions(program: &Program, items: &[Item], asked: &mut HashMap<Id, Rc<[Lane]>>) {
    for item in items {
        match item {
            Item::Node(_) | Item::Write { .. } | Item::Call { .. } => {}
            Item::If { condition, accept, reject, results, .. } => {
                let lanes: Rc<[Lane]> = Test::of(program, *condition).lanes().collect();
                asked.extend(results.iter().map(|id| (*id, lanes.clone())));
                conditions(program, accept, asked);
                conditions(program, reject, asked);
            }
            Item::Loop { body, results, stop, .. } => {
                let lanes: Rc<[Lane]> = Test::of(program, *stop).lanes().collect();
                asked.extend(results.iter().map(|id| (*id, lanes.clone())));
                conditions(program, body, asked);
            }
        }
    }
}

/// What lanes are replaced by.
#[derive(Debug, Default)]
pub struct Replacements {
    of: HashMap<(Id, u8), Lane>,
}

impl Replacements {
    /// Replaces a component by a lane.
    pub fn add(&mut self, id: Id, component: u8, by: Lane) {
        self.of.insert((id, component), by);
    }

    /// What a lane has become.
    pub fn lane(&self, lane: Lane) -> Lane {
        let mut lane = lane;
        // Replacements of replacements; they cannot go in circles, but a bound costs nothing.
        for _ in 0..64 {
            let Lane::Of { node, component, negate } = lane else { return lane };
            match self.of.get(&(node, component)) {
                Some(&by) => lane = if negate { by.negated() } else { by },
                None => return lane,
            }
        }
        lane
    }

    /// Replaces everywhere in a program.
    pub fn apply(&self, program: &mut Program) {
        if self.of.is_empty() {
            return;
        }
        for node in &mut program.nodes {
            for lane in node.arguments.iter_mut().flatten() {
                *lane = self.lane(*lane);
            }
        }
        for lane in program.outputs.iter_mut().flat_map(|written| written.lanes.iter_mut().flatten()) {
            *lane = self.lane(*lane);
        }
        let mut body = std::mem::take(&mut program.body);
        self.items(&mut body);
        program.body = body;
        program.procedures.iter_mut().for_each(|procedure| self.items(&mut procedure.body));
    }

    fn items(&self, items: &mut [Item]) {
        for item in items {
            match item {
                Item::Node(_) | Item::Write { .. } | Item::Call { .. } => {}
                Item::If { condition, accept, reject, .. } => {
                    *condition = self.lane(*condition);
                    self.items(accept);
                    self.items(reject);
                }
                Item::Loop { body, stop, .. } => {
                    *stop = self.lane(*stop);
                    self.items(body);
                }
            }
        }
    }
}

/// Takes away lanes that a loop only hands on, or that both parts of a condition leave alike.
pub fn forward(program: &mut Program) {
    for _ in 0..8 {
        let mut replacements = Replacements::default();
        for index in 0..program.nodes.len() {
            let Some(node) = program.nodes.get_mut(index) else { break };
            let [first, second] = node.arguments.as_slice() else { continue };
            if node.op != Op::Choose {
                continue;
            }
            let id = Id(u32::try_from(index).unwrap_or(u32::MAX));
            let mut kept: Vec<usize> = Vec::new();
            for (lane, (&before, &next)) in first.iter().zip(second).enumerate() {
                let component = u8::try_from(lane).unwrap_or(0);
                let itself = Lane::Of { node: id, component, negate: false };
                if next == itself || next == before {
                    replacements.add(id, component, before);
                } else {
                    kept.push(lane);
                }
            }
            if kept.len() == first.len() {
                continue;
            }
            let pick =
                |list: &Lanes| -> Lanes { kept.iter().filter_map(|&lane| list.get(lane).copied()).collect() };
            let lists: SmallVec<[Lanes; 3]> = [pick(first), pick(second)].into_iter().collect();
            // The lanes that stay move up; two steps, so that a lane is not taken for another one that moved.
            let width = u8::try_from(kept.len()).unwrap_or(4);
            if width == 0 {
                node.arguments = SmallVec::new();
                node.op = Op::Unknown;
                continue;
            }
            node.width = width;
            node.arguments = lists;
            let moved: Vec<(u8, u8)> =
                (0u8..).zip(&kept).map(|(to, &from)| (u8::try_from(from).unwrap_or(0), to)).collect();
            let mut renumbered = Replacements::default();
            for (from, to) in moved.iter().filter(|(from, to)| from != to) {
                renumbered.add(id, *from, Lane::Of { node: MOVED, component: *to, negate: false });
            }
            // What goes has to be gone before lanes move.
            replacements.apply(program);
            renumbered.apply(program);
            let mut back = Replacements::default();
            for component in 0..4 {
                back.add(MOVED, component, Lane::Of { node: id, component, negate: false });
            }
            back.apply(program);
            replacements = Replacements::default();
        }
        if replacements.of.is_empty() {
            return;
        }
        replacements.apply(program);
    }
}

/// Stands for a value whose lanes are being renumbered.
const MOVED: Id = Id(u32::MAX);

/// Leaves only values that something can come to need, so that what goes over all of them is quick.
pub fn compact(program: &mut Program) {
    let mut reached = vec![false; program.nodes.len()];
    let mut open: Vec<Id> = Vec::new();
    let outputs = program.outputs.iter().flat_map(|written| written.lanes.iter().flatten());
    open.extend(outputs.filter_map(|lane| lane.node()));
    fn named(items: &[Item], open: &mut Vec<Id>) {
        for item in items {
            match item {
                Item::Node(_) | Item::Write { .. } => {}
                Item::Call { results, .. } => open.extend(results),
                Item::If { condition, accept, reject, results, .. } => {
                    open.extend(condition.node().iter().chain(results));
                    named(accept, open);
                    named(reject, open);
                }
                Item::Loop { body, results, stop, .. } => {
                    open.extend(stop.node().iter().chain(results));
                    named(body, open);
                }
            }
        }
    }
    named(&program.body, &mut open);
    for procedure in &program.procedures {
        open.extend(procedure.parameters.iter().chain(&procedure.results));
        named(&procedure.body, &mut open);
    }
    while let Some(id) = open.pop() {
        if let Some(known) = reached.get_mut(id.index()).filter(|known| !**known) {
            *known = true;
            open.extend(program.node(id).arguments.iter().flatten().filter_map(|lane| lane.node()));
        }
    }
    let mut next = 0u32;
    let mut new: Vec<Option<Id>> = Vec::with_capacity(reached.len());
    for known in &reached {
        new.push(known.then_some(Id(next)));
        next += u32::from(*known);
    }
    let renamed = |id: Id| new.get(id.index()).copied().flatten();
    let rename = |lane: &mut Lane| {
        if let Lane::Of { node, .. } = lane
            && let Some(new) = renamed(*node)
        {
            *node = new;
        }
    };
    let mut kept = reached.iter();
    program.nodes.retain(|_| kept.next() == Some(&true));
    program.nodes.iter_mut().flat_map(|node| node.arguments.iter_mut().flatten()).for_each(rename);
    program.outputs.iter_mut().flat_map(|written| written.lanes.iter_mut().flatten()).for_each(rename);
    fn rename_items(items: &mut Vec<Item>, rename: &impl Fn(&mut Lane), renamed: &impl Fn(Id) -> Option<Id>) {
        items.retain_mut(|item| {
            match item {
                Item::Node(id) => match renamed(*id) {
                    Some(new) => *id = new,
                    None => return false,
                },
                Item::Write { .. } => {}
                Item::Call { results, .. } => {
                    *results = results.iter().filter_map(|id| renamed(*id)).collect();
                }
                Item::If { condition, accept, reject, results, .. } => {
                    rename(condition);
                    *results = results.iter().filter_map(|id| renamed(*id)).collect();
                    rename_items(accept, rename, renamed);
                    rename_items(reject, rename, renamed);
                }
                Item::Loop { body, results, stop, .. } => {
                    rename(stop);
                    *results = results.iter().filter_map(|id| renamed(*id)).collect();
                    rename_items(body, rename, renamed);
                }
            }
            true
        });
    }
    rename_items(&mut program.body, &rename, &renamed);
    for procedure in &mut program.procedures {
        rename_items(&mut procedure.body, &rename, &renamed);
        for list in [&mut procedure.parameters, &mut procedure.results] {
            *list = list.iter().filter_map(|id| renamed(*id)).collect();
        }
    }
}
