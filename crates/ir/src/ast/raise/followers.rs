//! Lanes that stand alone beside a vector operation that does the same to the components in front of theirs.
//!
//! `color.w = clamp(...)` beside `color.xyz = clamp(...) * scale`: what the shorter way lacks keeps them apart where they
//! are used, but up to there they are one vector. Pairs follow pairs likewise.

use super::operands::Leaf;
use super::packs::{KeyId, Lanes, Make, PackId};
use super::statements::Unit;
use crate::quick::QuickMap;
use crate::{BlockId, Value};
use smallvec::SmallVec;

/// How far up lanes may follow a vector operation, in operations.
const DEEPEST: u32 = 16;
/// Operations of a scalar that are worth a vector.
const WORTH: u32 = 3;
/// Most operations that lanes follow.
const MOST: usize = 128;
/// Vectors that lanes are held against.
const TRIED: usize = 24;

/// What taking lanes into a vector operation takes.
#[derive(Default)]
struct Steps {
    /// Vector operations with what becomes their next lanes.
    joined: SmallVec<[(PackId, Lanes); 8]>,
    /// Operands that have to be put together.
    rough: u32,
}

impl Unit<'_> {
    /// Takes scalars and pairs that do what a vector operation of two or three lanes does, on the next components, into
    /// it.
    pub(super) fn join_followers(&mut self) {
        let mut open: QuickMap<(BlockId, KeyId), Vec<PackId>> = QuickMap::default();
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
            if !pack.alive || pack.make != Make::Operation || pack.lanes.len() > 2 {
                continue;
            }
            let (block, values) = (pack.block, pack.lanes.clone());
            let Some(key) = self.key(values[0]) else { continue };
            let Some(groups) = open.get(&(block, key)) else { continue };
            let groups: SmallVec<[PackId; 8]> = groups.iter().rev().take(TRIED).copied().collect();
            // One operation less for each step; of a pair it has operands that are whole vectors.
            let worth = if values.len() == 1 { WORTH } else { 1 };
            let found = groups.into_iter().filter(|group| group.index() != index).find_map(|group| {
                let mut steps = Steps::default();
                let follows = self.follows(group, &values, DEEPEST, &mut steps);
                (follows && steps.joined.len() as u32 >= worth + steps.rough).then_some(steps)
            });
            let Some(steps) = found else { continue };
            let joined = |(group, values): &(PackId, Lanes)| -> Lanes {
                self.pack(*group).lanes.iter().chain(values).copied().collect()
            };
            let joined: Vec<Lanes> = steps.joined.iter().map(joined).collect();
            if !joined.iter().all(|lanes| self.are_independent(lanes)) {
                continue;
            }
            for lanes in joined {
                let (first, count) = (lanes[0], lanes.len());
                let pack = self.replace(lanes, Make::Operation);
                // Another may follow this one.
                if count < 4
                    && let Some(key) = self.key(first)
                {
                    open.entry((block, key)).or_default().push(pack);
                }
            }
        }
    }

    /// Whether these are scalars of their own, or all lanes of one pair, that could go elsewhere.
    fn could_follow(&self, values: &[Value], block: BlockId) -> bool {
        let pack_of = |value: &Value| {
            let (id, _) = self.pack_of[value.index()]?;
            (self.leaves[value.index()] == Leaf::Pack).then_some(id)
        };
        let Some(packs) = values.iter().map(pack_of).collect::<Option<SmallVec<[PackId; 4]>>>() else {
            return false;
        };
        let free = |id: &PackId| {
            let pack = self.pack(*id);
            pack.alive && pack.make == Make::Operation && pack.block == block
        };
        let alone = packs.iter().all(|id| self.pack(*id).lanes.len() == 1);
        let pair = packs.iter().all(|id| *id == packs[0]) && self.pack(packs[0]).lanes.len() == values.len();
        let distinct = values.iter().enumerate().all(|(at, value)| !values[..at].contains(value));
        packs.iter().all(free) && distinct && (alone || pair)
    }

    /// Whether some values do what a pack does, on operands that are the next lanes of its operands. Notes what would
    /// have to be joined.
    fn follows(&mut self, group: PackId, values: &[Value], depth: u32, steps: &mut Steps) -> bool {
        if let Some(step) = steps.joined.iter().find(|step| step.0 == group) {
            return step.1[..] == *values;
        }
        let pack = self.pack(group);
        let (first, count, block) = (pack.lanes[0], pack.lanes.len(), pack.block);
        let fits = pack.alive
            && pack.make == Make::Operation
            && count >= 2
            && count + values.len() <= 4
            && !values.iter().any(|value| pack.lanes.contains(value))
            && !steps.joined.iter().any(|step| step.1.iter().any(|value| values.contains(value)));
        if depth == 0 || steps.joined.len() >= MOST || !fits || !self.could_follow(values, block) {
            return false;
        }
        let key = self.key(first);
        for value in values {
            if key.is_none() || self.kinds.of(first) != self.kinds.of(*value) || key != self.key(*value) {
                return false;
            }
            self.align(first, *value);
        }
        let before = steps.joined.len();
        steps.joined.push((group, values.into()));
        let lanes = self.pack(group).lanes.clone();
        let arity = self.function.definition(first).map_or(0, |inst| inst.args.len());
        for position in 0..arity {
            let list: Lanes = lanes.iter().map(|lane| self.operand_of(*lane, position)).collect();
            let own: Lanes = values.iter().map(|value| self.operand_of(*value, position)).collect();
            if self.are_next(&list, &own, depth, steps) {
                continue;
            }
            // One vector may be put together for it, of a whole and something short.
            let inner = self.distinct(&list);
            let short = own.iter().all(|value| !matches!(self.leaves[value.index()], Leaf::Pack));
            steps.rough += 1;
            if !short || !self.is_one_run(&inner) || steps.rough > 1 {
                steps.joined.truncate(before);
                return false;
            }
        }
        true
    }

    /// Whether values are the next lanes of a list.
    fn are_next(&mut self, list: &[Value], own: &[Value], depth: u32, steps: &mut Steps) -> bool {
        let same = |value: &Value| {
            let (leaf, first) = (self.leaves[value.index()], self.leaves[list[0].index()]);
            *value == list[0] || leaf == first && matches!(leaf, Leaf::Bits(_) | Leaf::Global(_))
        };
        let splat = list.iter().all(|lane| *lane == list[0]);
        if splat && own.iter().all(same) {
            return true;
        }
        let (all, signs): (Lanes, SmallVec<[bool; 4]>) = list
            .iter()
            .chain(own)
            .map(|value| match self.leaves[value.index()] {
                Leaf::Negated(inner) => (inner, true),
                _ => (*value, false),
            })
            .unzip();
        if signs.iter().any(|sign| *sign != signs[0]) {
            return false;
        }
        if self.is_one_run(&all) {
            // A pair is worth it for whole vectors only.
            let whole =
                own.len() == 1 || self.components(&all).is_some_and(|components| components.is_sorted());
            return !splat && whole;
        }
        let (lanes, own) = all.split_at(list.len());
        if self.leaves[lanes[0].index()] != Leaf::Pack {
            return false;
        }
        let Some((group, _)) = self.pack_of[lanes[0].index()] else { return false };
        let members = &self.pack(group).lanes;
        let whole = members.len() == lanes.len() && members.iter().all(|member| lanes.contains(member));
        whole && self.follows(group, own, depth - 1, steps)
    }
}
