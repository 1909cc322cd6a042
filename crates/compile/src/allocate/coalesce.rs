//! Values that can lie in one register without a copy between them.

use super::{Accesses, Component, Home, Interference, Step, Text};
use smallvec::SmallVec;

/// Values that lie together.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    /// What lies in each of the four places.
    pub places: [Vec<Component>; 4],
    /// The output that it is.
    pub output: Option<u8>,
    /// Some path may write a component of it twice, which outputs must not have.
    is_rewritten: bool,
}

/// All values in cells.
#[derive(Debug, Clone, Default)]
pub struct Cells {
    /// The cells; those that were merged into others are empty.
    pub cells: Vec<Cell>,
    /// Cell and place of each component.
    pub of: Vec<Option<(usize, usize)>>,
}

/// A copy between values.
struct Copy {
    pairs: SmallVec<[(Component, Component); 4]>,
    /// The block that it stands in.
    block: usize,
    priority: usize,
}

/// A block of the code: the one around it, and the condition that it is a part of.
struct Block {
    parent: usize,
    condition: Option<usize>,
}

/// Where a component is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    Nowhere,
    /// Once, in this block, or once in each part of a condition that stands in it.
    In(usize),
    /// In one part of this condition so far.
    Part {
        condition: usize,
        block: usize,
    },
    Repeatedly,
}

struct Coalescing<'i> {
    cells: Cells,
    interference: &'i Interference,
    reads: Vec<u32>,
    /// Reads that are copies which have gone.
    gone: Vec<u32>,
    written: Vec<Written>,
    blocks: Vec<Block>,
    conditions: usize,
    copies: Vec<Copy>,
}

/// Puts values into cells so that as many copies as possible go away. `homes` says for each value where it may lie.
pub fn coalesce<I: Accesses>(text: &Text<I>, homes: &[Home], interference: &Interference) -> Cells {
    let components = homes.len() * 4;
    let mut walk = Coalescing {
        cells: Cells { cells: Vec::new(), of: vec![None; components] },
        interference,
        reads: vec![0; components],
        gone: vec![0; components],
        written: vec![Written::Nowhere; components],
        blocks: vec![Block { parent: 0, condition: None }],
        conditions: 0,
        copies: Vec::new(),
    };
    walk.collect(&text.main, 0, 0, homes);
    for code in &text.procedures {
        // A block of its own: what is written in it is not written where it is called from.
        walk.blocks.push(Block { parent: 0, condition: None });
        let block = walk.blocks.len() - 1;
        walk.collect(code, block, 0, homes);
    }
    for (value, home) in homes.iter().enumerate() {
        let mut cell = Cell::default();
        for (place, list) in cell.places.iter_mut().enumerate() {
            let component = value * 4 + place;
            let written = walk.written.get(component).copied().unwrap_or(Written::Nowhere);
            let is_read = walk.reads.get(component).is_some_and(|reads| *reads > 0);
            if written == Written::Nowhere && !is_read {
                continue;
            }
            list.push(component);
            cell.is_rewritten |= !matches!(written, Written::In(_));
            if let Some(of) = walk.cells.of.get_mut(component) {
                *of = Some((value, place));
            }
        }
        if let Home::Output(output) = home {
            (cell.output, cell.is_rewritten) = (Some(*output), false);
        }
        walk.cells.cells.push(cell);
    }
    let mut copies = std::mem::take(&mut walk.copies);
    copies.sort_by_key(|copy| std::cmp::Reverse(copy.priority));
    for copy in &copies {
        walk.merge(copy);
    }
    walk.cells
}

/// Comes before all other copies: outputs cannot be read, so a copy into one costs an instruction for sure.
const TO_OUTPUT: usize = 1 << 20;

impl Coalescing<'_> {
    fn collect<I: Accesses>(&mut self, code: &[Step<I>], block: usize, depth: usize, homes: &[Home]) {
        for step in code {
            match step {
                Step::Do(instruction) => self.one(instruction, block, depth, homes),
                Step::Call(_) => {}
                Step::If(test, accept, reject) => {
                    self.one(test, block, depth, homes);
                    self.conditions += 1;
                    let condition = self.conditions;
                    for part in [accept, reject] {
                        self.blocks.push(Block { parent: block, condition: Some(condition) });
                        let inner = self.blocks.len() - 1;
                        self.collect(part, inner, depth, homes);
                    }
                }
                Step::Loop(head, body, stop) => {
                    self.one(head, block, depth, homes);
                    self.blocks.push(Block { parent: block, condition: None });
                    let inner = self.blocks.len() - 1;
                    self.collect(body, inner, depth + 1, homes);
                    if let Some(stop) = stop {
                        self.one(stop, inner, depth + 1, homes);
                    }
                }
            }
        }
    }

    fn one<I: Accesses>(&mut self, instruction: &I, block: usize, depth: usize, homes: &[Home]) {
        let access = instruction.access();
        for read in &access.reads {
            if let Some(count) = self.reads.get_mut(*read) {
                *count += 1;
            }
        }
        let here = self.blocks.get(block).map(|block| (block.parent, block.condition));
        for written in &access.writes {
            if let Some(place) = self.written.get_mut(*written) {
                *place = match (*place, here) {
                    (Written::Nowhere, Some((_, Some(condition)))) => Written::Part { condition, block },
                    (Written::Nowhere, _) => Written::In(block),
                    (Written::Part { condition, block: other }, Some((parent, Some(this))))
                        if this == condition && other != block =>
                    {
                        Written::In(parent)
                    }
                    _ => Written::Repeatedly,
                };
            }
        }
        if !access.copies.is_empty() {
            let to_output =
                access.copies.iter().any(|(to, _)| matches!(homes.get(to / 4), Some(Home::Output(_))));
            let priority = depth + if to_output { TO_OUTPUT } else { 0 };
            self.copies.push(Copy { pairs: access.copies, block, priority });
        }
    }

    /// The block that a component is written in, once.
    fn block_of(&self, component: Component) -> Option<usize> {
        match self.written.get(component) {
            Some(Written::In(block) | Written::Part { block, .. }) => Some(*block),
            _ => None,
        }
    }

    fn place(&self, component: Component) -> Option<(usize, usize)> {
        self.cells.of.get(component).copied().flatten()
    }

    /// Puts source and destination of a copy into one cell, if nothing is against it.
    fn merge(&mut self, copy: &Copy) {
        let Some(&(to, from)) = copy.pairs.first() else { return };
        let (Some((target, _)), Some((source, _))) = (self.place(to), self.place(from)) else { return };
        let mut way: [Option<usize>; 4] = [None; 4];
        let mut pairs: SmallVec<[(Component, Component); 4]> = SmallVec::new();
        for &(to, from) in &copy.pairs {
            let (Some((_, to_place)), Some((_, from_place))) = (self.place(to), self.place(from)) else {
                return;
            };
            if source == target {
                if to_place == from_place {
                    pairs.push((to, from));
                }
                continue;
            }
            let Some(place) = way.get(from_place).copied() else { return };
            let is_free = place.is_none() && !way.contains(&Some(to_place));
            if is_free && let Some(place) = way.get_mut(from_place) {
                *place = Some(to_place);
            }
            if is_free || place == Some(to_place) {
                pairs.push((to, from));
            }
        }
        // A component that goes to two places is still read for one of them.
        let stays =
            |component: Component| copy.pairs.iter().any(|pair| pair.1 == component && !pairs.contains(pair));
        let going: SmallVec<[Component; 4]> =
            pairs.iter().map(|(_, from)| *from).filter(|from| !stays(*from)).collect();
        if source == target || pairs.is_empty() {
            going.into_iter().for_each(|component| self.goes(component));
            return;
        }
        let (Some(from), Some(into)) = (self.cells.cells.get(source), self.cells.cells.get(target)) else {
            return;
        };
        if from.output.is_some() {
            return;
        }
        // What the copy does not name needs a place too.
        for place in 0..4 {
            if from.places[place].is_empty() || way[place].is_some() {
                continue;
            }
            if into.output.is_some() {
                return;
            }
            let free = [place, 0, 1, 2, 3].into_iter().find(|to| {
                !way.contains(&Some(*to)) && !self.collide(&from.places[place], &into.places[*to])
            });
            match free {
                Some(free) => way[place] = Some(free),
                None => return,
            }
        }
        for (place, to) in way.iter().enumerate() {
            if let Some(to) = to
                && self.collide(&from.places[place], &into.places[*to])
            {
                return;
            }
        }
        let crosses = pairs.iter().any(|(_, from)| self.block_of(*from) != Some(copy.block));
        if into.output.is_some() {
            let is_read = from.places.iter().flatten().any(|component| {
                let here = u32::from(going.contains(component));
                let count = |list: &[u32]| list.get(*component).copied().unwrap_or(0);
                count(&self.reads) != count(&self.gone) + here
            });
            if crosses || from.is_rewritten || is_read {
                return;
            }
        }
        let is_rewritten = from.is_rewritten || crosses;
        let moved = std::mem::take(&mut self.cells.cells[source]);
        let into = &mut self.cells.cells[target];
        into.is_rewritten |= is_rewritten;
        for (list, to) in moved.places.into_iter().zip(way) {
            let Some(to) = to else { continue };
            for component in list {
                into.places[to].push(component);
                if let Some(of) = self.cells.of.get_mut(component) {
                    *of = Some((target, to));
                }
            }
        }
        going.into_iter().for_each(|component| self.goes(component));
    }

    fn goes(&mut self, component: Component) {
        if let Some(gone) = self.gone.get_mut(component) {
            *gone += 1;
        }
    }

    fn collide(&self, some: &[Component], others: &[Component]) -> bool {
        some.iter().any(|&a| others.iter().any(|&b| self.interference.holds(a, b)))
    }
}
