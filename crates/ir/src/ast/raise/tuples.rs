//! Scalars that only meet in a vector later, and lists of scalars that are used together several times.

use super::super::Scalar;
use super::operands::{Leaf, Source};
use super::packs::{Lanes, Make, Pack, PackId};
use super::schedule::EffectKind;
use super::statements::Unit;
use crate::quick::QuickMap;
use crate::{BlockId, Terminator, Value, ValueDef};
use smallvec::SmallVec;

impl Unit<'_> {
    /// All lists of several scalars that something uses as a vector, with the block of the use.
    pub(super) fn find_lists(&mut self) -> Vec<(BlockId, Lanes)> {
        self.fill_operands();
        let mut lists = Vec::new();
        let mut note = |block: BlockId, list: &Lanes| {
            if list.len() > 1 {
                lists.push((block, list.clone()));
            }
        };
        for (pack, operands) in self.packs.iter().zip(&self.operand_table) {
            if pack.alive {
                operands.iter().for_each(|operand| note(pack.block, &operand.values));
            }
        }
        for effect in &self.effects {
            self.effect_operands(effect).iter().for_each(|operand| note(effect.block, &operand.values));
        }
        self.stored_lists().iter().for_each(|(block, list)| note(*block, list));
        let function = self.function;
        for block in &self.cfg.order {
            let terminator = &function.blocks[block.index()].terminator;
            self.edge_lists(terminator).iter().for_each(|(_, list)| note(*block, list));
            if let Terminator::Return(values) = terminator {
                for group in &self.kinds.results {
                    note(*block, &group.members.iter().map(|at| values[*at]).collect());
                }
            }
        }
        lists
    }

    /// What is stored to the components of one element of an output, one after the other.
    fn stored_lists(&self) -> Vec<(BlockId, Lanes)> {
        let mut lists: Vec<(BlockId, Lanes)> = Vec::new();
        let mut last = None;
        for effect in &self.effects {
            let EffectKind::StoreIndexed { access, index, value } = &effect.kind else {
                last = None;
                continue;
            };
            let place = (effect.block, access.space, access.binding, access.stride, *index);
            let follows = last.is_some_and(|(before, word)| before == place && word + 1 == access.offset);
            match lists.last_mut().filter(|(_, list)| follows && list.len() < 4) {
                Some((_, list)) => list.push(*value),
                None => lists.push((effect.block, Lanes::from_slice(&[*value]))),
            }
            last = Some((place, access.offset));
        }
        lists
    }

    /// For each target of a terminator, for each pack of parameters, the arguments.
    pub(super) fn edge_lists(&self, terminator: &Terminator) -> Vec<(PackId, Lanes)> {
        terminator.targets().flat_map(|target| self.target_lists(target)).collect()
    }

    pub(super) fn target_lists(&self, target: &crate::Target) -> Vec<(PackId, Lanes)> {
        let params = &self.function.blocks[target.block.index()].params;
        let mut lists: Vec<(PackId, Lanes)> = Vec::new();
        for param in params {
            if let Some((pack, 0)) = self.pack_of[param.index()] {
                let arg = |value: &Value| match self.function.values[value.index()].def {
                    ValueDef::Param(_, at) => target.args.get(usize::from(at)).copied().unwrap_or_default(),
                    ValueDef::Result(..) => *value,
                };
                lists.push((pack, self.pack(pack).lanes.iter().map(arg).collect()));
            }
        }
        lists
    }

    /// How often each value is used.
    pub(super) fn count_uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.function.values.len()];
        for block in &self.cfg.order {
            let block = &self.function.blocks[block.index()];
            for id in &block.insts {
                if self.needed[id.index()] {
                    for arg in &self.function.insts[id.index()].args {
                        uses[arg.index()] += 1;
                    }
                }
            }
            block.terminator.for_each_value(|value| uses[value.index()] += 1);
        }
        uses
    }

    /// Comparisons stay single unless their truth values are used side by side.
    pub(super) fn split_comparisons(&mut self) {
        let candidate = |pack: &Pack| {
            pack.alive && pack.kind == Scalar::Bool && pack.make == Make::Operation && pack.lanes.len() > 1
        };
        if !self.packs.iter().any(candidate) {
            return;
        }
        let mut together = vec![false; self.packs.len()];
        for (_, list) in &self.lists {
            for part in self.plan(list, None).parts {
                if let Source::Pack(pack) = part.source {
                    let first = part.components[0];
                    together[pack.index()] |= part.components.iter().any(|component| *component != first);
                }
            }
        }
        let mut changed = false;
        for (index, together) in together.into_iter().enumerate() {
            if !together && candidate(&self.packs[index]) {
                self.dissolve(PackId(index as u32));
                changed = true;
            }
        }
        if changed {
            self.lists = self.find_lists();
        }
    }

    /// Gives lists that are used several times a vector of their own.
    pub(super) fn pack_tuples(&mut self) {
        let mut order: Vec<(Lanes, u32, Option<BlockId>)> = Vec::new();
        let mut known: QuickMap<Lanes, usize> = QuickMap::default();
        for (block, list) in std::mem::take(&mut self.lists) {
            if list.len() < 2 || self.is_one_run(&list) {
                continue;
            }
            // A list of negated values is found by what is negated.
            let list = self.plain(&list);
            if self.plan(&list, None).parts.len() < 2 {
                continue;
            }
            match known.get(&list) {
                Some(at) => {
                    let entry = &mut order[*at];
                    entry.1 += 1;
                    entry.2 = entry.2.filter(|other| *other == block);
                }
                None => {
                    known.insert(list.clone(), order.len());
                    order.push((list, 1, Some(block)));
                }
            }
        }
        for (list, count, used_in) in order {
            if count >= 2 {
                self.add_tuple(list, used_in);
            }
        }
    }

    fn plain(&self, list: &Lanes) -> Lanes {
        let inner = |value: &Value| match self.leaves[value.index()] {
            Leaf::Negated(inner) => Some(inner),
            _ => None,
        };
        list.iter().map(inner).collect::<Option<Lanes>>().unwrap_or_else(|| list.clone())
    }

    fn add_tuple(&mut self, list: Lanes, used_in: Option<BlockId>) {
        let mut block = None;
        let mut position = 0;
        let mut mixed = false;
        let mut kinds: SmallVec<[Scalar; 4]> = SmallVec::new();
        for value in &list {
            match self.leaves[value.index()] {
                Leaf::Pack => {
                    let Some((pack, _)) = self.pack_of[value.index()] else { return };
                    let pack = self.pack(pack);
                    kinds.push(pack.kind);
                    mixed |= *block.get_or_insert(pack.block) != pack.block;
                    position = position.max(pack.position);
                }
                Leaf::Global(lane) => kinds.push(self.interface.scalar(lane.global)),
                Leaf::Bits(_) => {}
                _ => return,
            }
        }
        let Some(kind) = kinds.first().copied() else { return };
        if kind == Scalar::Bool || kinds.iter().any(|other| *other != kind) {
            return;
        }
        let home = match block {
            Some(block) if !mixed => block,
            _ => match used_in {
                Some(block) => block,
                None => return,
            },
        };
        if block != Some(home) || mixed {
            position = 0;
        }
        let own = !mixed && block.is_some();
        let lanes = list.clone();
        let id = self.add_pack(Pack { lanes, make: Make::Tuple, block: home, position, kind, alive: true });
        if own {
            for (lane, value) in list.iter().enumerate() {
                let free = matches!(self.leaves[value.index()], Leaf::Pack)
                    && self.tuple_of[value.index()].is_none()
                    && self.pack_of[value.index()]
                        .is_some_and(|(pack, _)| self.pack(pack).make != Make::Params);
                if free {
                    self.tuple_of[value.index()] = Some((id, lane as u8));
                }
            }
        }
        self.tuples.insert(list, id);
    }
}
