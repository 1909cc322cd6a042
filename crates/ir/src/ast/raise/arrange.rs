//! Vector operations after they are found: lanes in their natural order.
//!
//! A machine names the components of a vector in any order (`sin(v.yzwx)`, and whoever reads the result turns it back).
//! The order in which an operation and its readers need the fewest swizzles is the one that a person had.

use super::interface::Indexed;
use super::operands::Leaf;
use super::packs::{Lanes, Make, PackId};
use super::statements::Unit;
use crate::quick::QuickMap;
use crate::{Op, Value};
use smallvec::SmallVec;

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
        // What is computed first is put in order first.
        let mut order: Vec<usize> = (0..self.packs.len()).collect();
        order.sort_by_key(|index| (self.packs[*index].block, self.packs[*index].position));
        for index in order {
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
            let mut sources: Vec<SmallVec<[u8; 4]>> =
                operands.iter().filter_map(|operand| self.components(operand)).collect();
            // What lies in memory in order is read in order, even where that alone saves nothing.
            let loaded = self.loaded_components(id);
            sources.extend(loaded.iter().chain(&loaded).cloned());
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

    /// Components of the element that a pack is loaded from.
    fn loaded_components(&self, id: PackId) -> Option<SmallVec<[u8; 4]>> {
        let component = |value: &Value| {
            let Op::Load(access) = self.function.definition(*value)?.op else { return None };
            match self.interface.element(access) {
                Some(element) => Some(element.component),
                None => match self.interface.indexed(access)? {
                    Indexed::Elements { component, .. } => Some(component),
                    Indexed::Words { .. } => None,
                },
            }
        };
        self.pack(id).lanes.iter().map(component).collect()
    }

    /// Components of the one vector that a list comes from.
    pub(super) fn components(&self, list: &[Value]) -> Option<SmallVec<[u8; 4]>> {
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
}

/// Whether each component occurs at most once.
fn is_permutation(components: &[u8]) -> bool {
    components.iter().enumerate().all(|(at, component)| !components[..at].contains(component))
}
