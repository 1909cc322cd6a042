//! Vector operations after they are found: lanes in their natural order, and lanes that stand alone beside them.
//!
//! A machine names the components of a vector in any order (`sin(v.yzwx)`, and whoever reads the result turns it back).
//! The order in which an operation and its readers need the fewest swizzles is the one that a person had.

use super::operands::Leaf;
use super::packs::{Lanes, Make, PackId};
use super::quick::QuickMap;
use super::statements::Unit;
use crate::{BlockId, Value};
use smallvec::SmallVec;

/// How far up a scalar may follow a vector operation, in operations.
const DEEPEST: u32 = 16;
/// Operations of a scalar that are worth a vector.
const WORTH: u32 = 3;
/// Vectors that a scalar is held against.
const TRIED: usize = 24;

impl Unit<'_> {
    /// Turns the lanes of operations into the order with the fewest swizzles.
    pub(super) fn order_lanes(&mut self) {
        // Who reads each pack as a whole, in which order.
        let mut readers: QuickMap<PackId, Vec<SmallVec<[u8; 4]>>> = QuickMap::default();
        for (_, list) in &self.lists {
            let mut order: SmallVec<[u8; 4]> = SmallVec::new();
            let mut packs: SmallVec<[PackId; 4]> = SmallVec::new();
            self.for_each_lane(list, None, |pack, lane, _| {
                order.push(lane);
                packs.push(pack);
            });
            if let Some(first) = packs.first().copied()
                && packs.iter().all(|pack| *pack == first)
            {
                readers.entry(first).or_default().push(order);
            }
        }
        for index in 0..self.packs.len() {
            let id = PackId(index as u32);
            let pack = self.pack(id);
            if !pack.alive || pack.lanes.len() < 2 || !matches!(pack.make, Make::Operation) {
                continue;
            }
            let operands: Vec<Lanes> = self
                .operands(id)
                .into_iter()
                .map(|operand| operand.values)
                .filter(|list| list.len() > 1)
                .collect();
            let sources: Vec<SmallVec<[u8; 4]>> =
                operands.iter().filter_map(|operand| self.components(operand)).collect();
            let read = readers.get(&id).map_or(&[][..], Vec::as_slice);
            // Orders worth a look: those in which an operand or a reader needs no swizzle.
            let mut orders: Vec<SmallVec<[u8; 4]>> = Vec::new();
            let lanes = self.pack(id).lanes.len() as u8;
            for source in &sources {
                let mut order: SmallVec<[u8; 4]> = (0..lanes).collect();
                order.sort_by_key(|lane| source[usize::from(*lane)]);
                orders.push(order);
            }
            orders.extend(
                read.iter()
                    .filter(|order| order.len() == usize::from(lanes) && is_permutation(order))
                    .cloned(),
            );
            let cost = |order: &[u8]| {
                let of_source = |source: &SmallVec<[u8; 4]>| {
                    let turned = order.iter().map(|lane| source[usize::from(*lane)]);
                    u32::from(!turned.is_sorted())
                };
                // Where each lane goes.
                let of_reader = |reader: &SmallVec<[u8; 4]>| {
                    let place = |lane: &u8| order.iter().position(|at| at == lane);
                    u32::from(!reader.iter().map(place).is_sorted())
                };
                sources.iter().map(of_source).sum::<u32>() + read.iter().take(16).map(of_reader).sum::<u32>()
            };
            let now: SmallVec<[u8; 4]> = (0..lanes).collect();
            let (mut best, mut least) = (now.clone(), cost(&now));
            for order in orders.into_iter().take(8) {
                let cost = cost(&order);
                if cost < least {
                    (best, least) = (order, cost);
                }
            }
            if best != now {
                let lanes: Lanes = best.iter().map(|lane| self.pack(id).lanes[usize::from(*lane)]).collect();
                self.packs[index].lanes = lanes;
                self.number_lanes(id);
                // Readers behind see the new order.
                let turn = |lane: u8| best.iter().position(|at| *at == lane).unwrap_or(0) as u8;
                for reader in readers.get_mut(&id).into_iter().flatten() {
                    reader.iter_mut().for_each(|lane| *lane = turn(*lane));
                }
            }
        }
    }

    /// Components of the one vector that a list comes from.
    fn components(&self, list: &[Value]) -> Option<SmallVec<[u8; 4]>> {
        if !self.is_one_run(list) {
            return None;
        }
        let component = |value: &Value| match self.leaves[value.index()] {
            Leaf::Global(lane) => Some(lane.component),
            Leaf::Pack => Some(self.home_of(*value, None).1),
            _ => None,
        };
        let components: SmallVec<[u8; 4]> = list.iter().map(component).collect::<Option<_>>()?;
        is_permutation(&components).then_some(components)
    }

    /// Takes scalars that do what a vector operation of two or three lanes does, on the next component, into it.
    pub(super) fn join_followers(&mut self) {
        let mut open: QuickMap<(BlockId, super::packs::Key), Vec<PackId>> = QuickMap::default();
        for index in 0..self.packs.len() {
            let pack = &self.packs[index];
            if pack.alive && pack.make == Make::Operation && (2..4).contains(&pack.lanes.len()) {
                let (block, first) = (pack.block, pack.lanes[0]);
                if let Some(key) = self.key(first) {
                    open.entry((block, key)).or_default().push(PackId(index as u32));
                }
            }
        }
        if open.is_empty() {
            return;
        }
        // The last operations first: what they take follows.
        for index in (0..self.packs.len()).rev() {
            let pack = &self.packs[index];
            if !pack.alive || pack.make != Make::Operation || pack.lanes.len() != 1 {
                continue;
            }
            let (block, value) = (pack.block, pack.lanes[0]);
            let Some(key) = self.key(value) else { continue };
            let Some(groups) = open.get(&(block, key)) else { continue };
            for group in groups.iter().rev().take(TRIED).copied().collect::<SmallVec<[PackId; 8]>>() {
                let mut steps: SmallVec<[(PackId, Value); 8]> = SmallVec::new();
                if self.follows(group, value, DEEPEST, &mut steps) && steps.len() as u32 >= WORTH {
                    let alone = |lanes: &Lanes| self.are_independent(lanes);
                    let joined = |(group, value): &(PackId, Value)| {
                        let mut lanes = self.pack(*group).lanes.clone();
                        lanes.push(*value);
                        lanes
                    };
                    let joined: Vec<Lanes> = steps.iter().map(joined).collect();
                    if joined.iter().all(alone) {
                        joined.into_iter().for_each(|lanes| {
                            self.replace(lanes, Make::Operation);
                        });
                        break;
                    }
                }
            }
        }
    }

    /// Whether a scalar does what a pack does, on operands that are the next lanes of its operands. Notes what would
    /// have to be joined.
    fn follows(
        &mut self,
        group: PackId,
        value: Value,
        depth: u32,
        steps: &mut SmallVec<[(PackId, Value); 8]>,
    ) -> bool {
        if let Some(step) = steps.iter().find(|step| step.0 == group) {
            return step.1 == value;
        }
        let pack = self.pack(group);
        let (first, count, block) = (pack.lanes[0], pack.lanes.len(), pack.block);
        let single = self.pack_of[value.index()].map(|(pack, _)| self.pack(pack));
        let is_free = single.is_some_and(|single| {
            single.alive && single.make == Make::Operation && single.lanes.len() == 1 && single.block == block
        });
        let alike = self.leaves[value.index()] == Leaf::Pack
            && pack.alive
            && pack.make == Make::Operation
            && (2..4).contains(&count)
            && self.kinds.of(first) == self.kinds.of(value)
            && !steps.iter().any(|step| step.1 == value);
        if !is_free || !alike || depth == 0 || self.key(first).is_none() || self.key(first) != self.key(value)
        {
            return false;
        }
        self.align(first, value);
        let before = steps.len();
        steps.push((group, value));
        let lanes = self.pack(group).lanes.clone();
        let arity = self.function.definition(first).map_or(0, |inst| inst.args.len());
        for position in 0..arity {
            let list: Lanes = lanes.iter().map(|lane| self.operand_of(*lane, position)).collect();
            let own = self.operand_of(value, position);
            if !self.is_next(&list, own, depth, steps) {
                steps.truncate(before);
                return false;
            }
        }
        true
    }

    /// Whether a value is one more lane of a list.
    fn is_next(
        &mut self,
        list: &[Value],
        value: Value,
        depth: u32,
        steps: &mut SmallVec<[(PackId, Value); 8]>,
    ) -> bool {
        let splat = list.iter().all(|lane| *lane == list[0]);
        if splat
            && (value == list[0]
                || self.leaves[value.index()] == self.leaves[list[0].index()]
                    && matches!(self.leaves[value.index()], Leaf::Bits(_)))
        {
            return true;
        }
        let mut all = Lanes::from_slice(list);
        let (inner, signs): (Lanes, SmallVec<[bool; 4]>) = list
            .iter()
            .chain([&value])
            .map(|value| match self.leaves[value.index()] {
                Leaf::Negated(inner) => (inner, true),
                _ => (*value, false),
            })
            .unzip();
        if signs.iter().any(|sign| *sign != signs[0]) {
            return false;
        }
        all.clone_from(&inner);
        if self.is_one_run(&all) {
            return !splat;
        }
        let lanes = &all[..list.len()];
        if self.leaves[lanes[0].index()] != Leaf::Pack {
            return false;
        }
        let Some((group, 0)) = self.pack_of[lanes[0].index()] else { return false };
        self.pack(group).lanes[..] == *lanes && self.follows(group, all[list.len()], depth - 1, steps)
    }
}

/// Whether each component occurs at most once.
fn is_permutation(components: &[u8]) -> bool {
    components.iter().enumerate().all(|(at, component)| !components[..at].contains(component))
}
