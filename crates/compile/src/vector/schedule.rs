//! The order of what is computed, so that few registers are in use at once.
//!
//! Values have no effects, so any order in which operands come first is right. Several ways to choose one are tried for all
//! blocks of a program, and the one that needs the fewest registers is taken; the order of the source is one of them.

use super::{
    Id, Item, Program,
    condition::Test,
    live::Uses,
    points::{Parts, Points, is_computed, left, own_parts, read},
};
use std::collections::HashMap;

/// A way to choose what comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// From the end: what frees the most; the later one of two.
    FromEnd,
    /// From the end: what frees the most; of two the one whose result was asked for last.
    Depth,
    /// From the start: what frees the most; the earlier one of two.
    FromStart,
}

/// Brings a program into an order that needs few registers. Outputs are written where they are known.
pub fn schedule(program: &mut Program) {
    let uses = Uses::new(program);
    let mut body = std::mem::take(&mut program.body);
    strip(program, &uses, &mut body);
    write_early(program, &mut body);
    sink(program, &uses, &mut body, &Parts::new());
    program.body = body;
    let mut best = Points::new(program, &uses).registers();
    let source = program.body.clone();
    for way in [Way::FromEnd, Way::Depth, Way::FromStart] {
        let mut body = source.clone();
        order(program, &uses, &mut body, &Parts::new(), way);
        let kept = std::mem::replace(&mut program.body, body);
        let found = Points::new(program, &uses).registers();
        if found < best {
            best = found;
        } else {
            program.body = kept;
        }
    }
}

/// Takes away what is not needed.
fn strip(program: &Program, uses: &Uses, items: &mut Vec<Item>) {
    items.retain_mut(|item| match item {
        Item::Node(id) => uses.of(*id) != 0 && is_computed(program.node(*id).op),
        Item::Write { .. } => true,
        Item::Call { results, .. } => results.iter().any(|id| uses.of(*id) != 0),
        Item::If { accept, reject, results, .. } => {
            strip(program, uses, accept);
            strip(program, uses, reject);
            results.iter().any(|id| uses.of(*id) != 0)
        }
        Item::Loop { body, results, .. } => {
            strip(program, uses, body);
            results.iter().any(|id| uses.of(*id) != 0)
        }
    });
}

/// Components of outputs become items of their own, by the value that they come from.
fn write_early(program: &Program, body: &mut Vec<Item>) {
    let mut writes = Vec::new();
    for (output, written) in (0u16..).zip(&program.outputs) {
        let mut known: Vec<(Option<Id>, u8)> = Vec::new();
        for (component, lane) in written.lanes.iter().enumerate() {
            let Some(lane) = lane else { continue };
            match known.iter_mut().find(|(node, _)| *node == lane.node()) {
                Some((_, mask)) => *mask |= 1 << component,
                None => known.push((lane.node(), 1 << component)),
            }
        }
        writes.extend(known.into_iter().map(|(_, mask)| Item::Write { output, mask }));
    }
    body.append(&mut writes);
}

/// Moves what only one part of a condition needs into that part.
fn sink(program: &Program, uses: &Uses, items: &mut Vec<Item>, end: &Parts) {
    let mut at = items.len();
    while let Some(here) = at.checked_sub(1) {
        at = here;
        let Some(Item::Node(id)) = items.get(here) else { continue };
        let id = *id;
        let reads_it = |parts: &Parts| parts.iter().any(|(read, _)| *read == id);
        if reads_it(end) {
            continue;
        }
        let mut readers = (here + 1..items.len())
            .filter(|at| items.get(*at).is_some_and(|item| reads_it(&all_reads(program, uses, item))));
        let (Some(only), None) = (readers.next(), readers.next()) else { continue };
        let Some(Item::If { condition, accept, reject, results, .. }) = items.get_mut(only) else { continue };
        let mut asked = Parts::new();
        Test::of(program, *condition).lanes().for_each(|lane| read(program, lane, &mut asked));
        if reads_it(&asked) {
            continue;
        }
        let inside = |items: &[Item], part: usize| {
            reads_it(&left(program, uses, results, part))
                || items.iter().any(|item| reads_it(&all_reads(program, uses, item)))
        };
        match (inside(accept, 0), inside(reject, 1)) {
            (true, false) => accept.insert(0, Item::Node(id)),
            (false, true) => reject.insert(0, Item::Node(id)),
            _ => continue,
        }
        items.remove(here);
    }
    for item in items {
        match item {
            Item::Node(_) | Item::Write { .. } | Item::Call { .. } => {}
            Item::If { accept, reject, results, .. } => {
                sink(program, uses, accept, &left(program, uses, results, 0));
                sink(program, uses, reject, &left(program, uses, results, 1));
            }
            Item::Loop { body, results, stop, .. } => {
                let mut end = left(program, uses, results, 1);
                Test::of(program, *stop).lanes().for_each(|lane| read(program, lane, &mut end));
                sink(program, uses, body, &end);
            }
        }
    }
}

/// Everything that an item reads, also inside, but for what it makes itself.
fn all_reads(program: &Program, uses: &Uses, item: &Item) -> Parts {
    let (mut reads, _) = own_parts(program, uses, item);
    let mut add = |parts: Parts| {
        for (id, mask) in parts {
            match reads.iter_mut().find(|(known, _)| *known == id) {
                Some((_, known)) => *known |= mask,
                None => reads.push((id, mask)),
            }
        }
    };
    match item {
        Item::Node(_) | Item::Write { .. } | Item::Call { .. } => {}
        Item::If { accept, reject, results, .. } => {
            add(left(program, uses, results, 0));
            add(left(program, uses, results, 1));
            accept.iter().chain(reject).for_each(|item| add(all_reads(program, uses, item)));
        }
        Item::Loop { body, results, stop, .. } => {
            add(left(program, uses, results, 0));
            add(left(program, uses, results, 1));
            let mut asked = Parts::new();
            Test::of(program, *stop).lanes().for_each(|lane| read(program, lane, &mut asked));
            add(asked);
            body.iter().for_each(|item| add(all_reads(program, uses, item)));
        }
    }
    let mut made = Vec::new();
    match item {
        Item::Node(_) | Item::Write { .. } | Item::Call { .. } => {}
        Item::If { accept, reject, .. } => {
            made.extend(accept.iter().chain(reject).flat_map(made_by).copied())
        }
        Item::Loop { body, results, .. } => {
            made.extend(body.iter().flat_map(made_by).chain(results).copied());
        }
    }
    reads.retain(|(id, _)| !made.contains(id));
    reads
}

/// Values that an item makes for those around it.
fn made_by(item: &Item) -> &[Id] {
    match item {
        Item::Node(id) => std::slice::from_ref(id),
        Item::Write { .. } => &[],
        Item::If { results, .. } | Item::Loop { results, .. } | Item::Call { results, .. } => results,
    }
}

/// Brings a block and those inside of it into order. `end` is what its end reads.
fn order(program: &Program, uses: &Uses, items: &mut Vec<Item>, end: &Parts, way: Way) {
    for item in items.iter_mut() {
        match item {
            Item::Node(_) | Item::Write { .. } | Item::Call { .. } => {}
            Item::If { accept, reject, results, .. } => {
                order(program, uses, accept, &left(program, uses, results, 0), way);
                order(program, uses, reject, &left(program, uses, results, 1), way);
            }
            Item::Loop { body, results, stop, .. } => {
                let mut end = left(program, uses, results, 1);
                Test::of(program, *stop).lanes().for_each(|lane| read(program, lane, &mut end));
                order(program, uses, body, &end, way);
            }
        }
    }
    let block = Block::new(program, uses, items);
    let found = match way {
        Way::FromStart => block.order_from_start(end),
        _ => block.order_from_end(end, way),
    };
    let mut taken: Vec<Option<Item>> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(found.into_iter().filter_map(|at| taken.get_mut(at)?.take()));
    // There is nothing left, unless items read each other in a circle.
    items.extend(taken.into_iter().flatten());
}

/// The items of a block as what they read and write.
struct Block {
    reads: Vec<Parts>,
    writes: Vec<Parts>,
    /// For each item those that read it, and those that it reads.
    readers: Vec<Vec<usize>>,
    read: Vec<Vec<usize>>,
}

impl Block {
    fn new(program: &Program, uses: &Uses, items: &[Item]) -> Self {
        let reads: Vec<Parts> = items.iter().map(|item| all_reads(program, uses, item)).collect();
        let writes: Vec<Parts> = items.iter().map(|item| own_parts(program, uses, item).1).collect();
        let mut writer: HashMap<Id, usize> = HashMap::new();
        for (at, parts) in writes.iter().enumerate() {
            writer.extend(parts.iter().map(|(id, _)| (*id, at)));
        }
        let mut readers = vec![Vec::new(); items.len()];
        let mut read = vec![Vec::new(); items.len()];
        for (at, parts) in reads.iter().enumerate() {
            for from in parts.iter().filter_map(|(id, _)| writer.get(id).copied()).filter(|from| *from != at)
            {
                let (Some(readers), Some(read)) = (readers.get_mut(from), read.get_mut(at)) else { continue };
                if !readers.contains(&at) {
                    readers.push(at);
                    read.push(from);
                }
            }
        }
        Self { reads, writes, readers, read }
    }

    fn parts(list: &[Parts], at: usize) -> &[(Id, u8)] {
        list.get(at).map_or(&[], |parts| parts)
    }

    /// From the end on: each time one that nobody who is open reads.
    fn order_from_end(&self, end: &Parts, way: Way) -> Vec<usize> {
        let mut live: HashMap<Id, (u8, usize)> = HashMap::new();
        for (id, mask) in end {
            live.entry(*id).or_insert((0, 0)).0 |= mask;
        }
        let mut open: Vec<usize> = self.readers.iter().map(Vec::len).collect();
        let mut ready: Vec<usize> = (0..open.len()).filter(|at| open.get(*at) == Some(&0)).collect();
        let mut found = Vec::new();
        let mut time = 0;
        while !ready.is_empty() {
            let score = |at: usize| {
                let masked = |id: &Id| live.get(id).map_or(0, |(mask, _)| *mask);
                let asks: u32 = Self::parts(&self.reads, at)
                    .iter()
                    .map(|(id, mask)| (mask & !masked(id)).count_ones())
                    .sum();
                let frees: u32 = Self::parts(&self.writes, at)
                    .iter()
                    .map(|(id, mask)| (mask & masked(id)).count_ones())
                    .sum();
                let since = Self::parts(&self.writes, at).iter().filter_map(|(id, _)| live.get(id));
                let since = since.map(|(_, since)| *since).max().unwrap_or(0);
                let since = if way == Way::Depth { since } else { 0 };
                (i64::from(frees) - i64::from(asks), since, at)
            };
            let Some(best) = (0..ready.len()).max_by_key(|at| ready.get(*at).map(|at| score(*at))) else {
                break;
            };
            let at = ready.swap_remove(best);
            time += 1;
            for (id, _) in Self::parts(&self.writes, at) {
                live.remove(id);
            }
            for (id, mask) in Self::parts(&self.reads, at) {
                live.entry(*id).or_insert((0, time)).0 |= mask;
            }
            for &from in self.read.get(at).into_iter().flatten() {
                if let Some(count) = open.get_mut(from) {
                    *count -= 1;
                    if *count == 0 {
                        ready.push(from);
                    }
                }
            }
            found.push(at);
        }
        found.reverse();
        found
    }

    /// From the start on: each time one whose operands are there.
    fn order_from_start(&self, end: &Parts) -> Vec<usize> {
        let mut open: Vec<usize> = self.read.iter().map(Vec::len).collect();
        let mut readers: Vec<usize> = self.readers.iter().map(Vec::len).collect();
        let mut ready: Vec<usize> = (0..open.len()).filter(|at| open.get(*at) == Some(&0)).collect();
        let is_kept = |at: usize| {
            Self::parts(&self.writes, at).iter().any(|(id, _)| end.iter().any(|(kept, _)| kept == id))
        };
        let size = |at: usize| -> i64 {
            Self::parts(&self.writes, at).iter().map(|(_, mask)| i64::from(mask.count_ones())).sum()
        };
        let mut found = Vec::new();
        while !ready.is_empty() {
            let score = |at: usize| {
                let last = self.read.get(at).into_iter().flatten();
                let frees: i64 = last
                    .filter(|from| readers.get(**from) == Some(&1) && !is_kept(**from))
                    .map(|from| size(*from))
                    .sum();
                (frees - size(at), std::cmp::Reverse(at))
            };
            let Some(best) = (0..ready.len()).max_by_key(|at| ready.get(*at).map(|at| score(*at))) else {
                break;
            };
            let at = ready.swap_remove(best);
            for &from in self.read.get(at).into_iter().flatten() {
                if let Some(count) = readers.get_mut(from) {
                    *count -= 1;
                }
            }
            for &to in self.readers.get(at).into_iter().flatten() {
                if let Some(count) = open.get_mut(to) {
                    *count -= 1;
                    if *count == 0 {
                        ready.push(to);
                    }
                }
            }
            found.push(at);
        }
        found
    }
}
