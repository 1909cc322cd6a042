//! The order of what a block does, and what is written where it is used.

use super::interface::Lane;
use super::memories::Element;
use super::packs::{Lanes, Make, PackId};
use super::statements::Unit;
use crate::{Access, BlockId, FunctionId, InstId, Op, Space, Terminator, Value};
use smallvec::{SmallVec, smallvec};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Deepest expression, in operations.
const DEEPEST: u32 = 40;
/// Most operations of one expression before a local is given to a part of it.
const LARGEST: u32 = 14;

/// Something that must happen in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Effect {
    pub block: BlockId,
    pub position: u32,
    pub kind: EffectKind,
    /// The machine instructions that it comes from.
    pub instructions: SmallVec<[u32; 4]>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EffectKind {
    /// Components of a global, or of an element of it.
    Store {
        /// Global and element.
        global: u32,
        element: Option<u32>,
        /// Ascending.
        components: Vec<u8>,
        values: Lanes,
    },
    StoreIndexed {
        access: Access,
        index: Value,
        value: Value,
    },
    StoreArray {
        access: Access,
        index: Option<Value>,
        value: Value,
    },
    /// Components of an element of memory that invocations share.
    StoreWords {
        /// Of the last of them.
        access: Access,
        index: Option<Value>,
        /// Ascending.
        components: Vec<u8>,
        values: Lanes,
    },
    Call {
        inst: InstId,
        callee: FunctionId,
    },
    /// Changes memory or waits for others; its result, if there is one and somebody reads it, is a pack.
    Act(InstId),
    EmitVertex(u32),
    EndPrimitive(u32),
}

/// What a block does, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item {
    Pack(PackId),
    Effect(u32),
}

/// Stores that may still become one: by output and element, then by component, each with its position in the
/// block and its value.
type OpenStores = BTreeMap<(u32, Option<u32>), BTreeMap<u8, (u32, Value)>>;

/// Stores to the components of one element of memory, one behind the other.
struct OpenElement {
    element: Element,
    access: Access,
    index: Option<Value>,
    /// By component.
    values: BTreeMap<u8, Value>,
    /// Of the last one.
    position: u32,
    /// The machine instructions that store.
    instructions: SmallVec<[u32; 4]>,
}

/// Circles that are opened one by one; after that all that wait are taken apart.
const CIRCLES: u32 = 24;

/// Packs that cannot be ordered.
struct Stuck {
    /// Those of one circle.
    circle: Vec<PackId>,
    /// All that wait.
    all: Vec<PackId>,
}

/// Whether a space is an array of words for the tree.
fn is_words(access: Access) -> bool {
    access.space == Space::Local || is_shared(access)
}

/// Whether a space is memory that invocations share.
fn is_shared(access: Access) -> bool {
    matches!(access.space, Space::Shared | Space::Storage)
}

impl Unit<'_> {
    /// Finds the effects of all blocks; stores to components of one output become one.
    pub(super) fn find_effects(&mut self) {
        for at in 0..self.cfg.order.len() {
            let block = self.cfg.order[at];
            let function = self.function;
            // Stores to outputs since the last thing that could see them.
            let mut open = OpenStores::new();
            let mut words: Option<OpenElement> = None;
            // What may change memory so far.
            let mut changes = 0_u32;
            // And stores to outputs, which leave memory as it is.
            let mut outputs = 0_u32;
            let first = self.effects.len();
            for (position, id) in function.blocks[block.index()].insts.iter().enumerate() {
                let inst = &function.insts[id.index()];
                let position = position as u32;
                let kind = match (inst.op, &inst.args[..]) {
                    (Op::Load(access), _) if is_shared(access) => {
                        self.close_words(block, &mut words);
                        if let Some(value) = inst.results.first() {
                            self.changes_before.insert(*value, changes);
                        }
                        continue;
                    }
                    (Op::Store(access), [index @ .., value]) if is_shared(access) => {
                        let Some(element) = self.interface.element(access) else { continue };
                        let (index, component) = (index.first().copied(), element.component);
                        let element = Element { component: 0, ..element };
                        let same = |open: &OpenElement| {
                            (open.element, open.index) == (element, index)
                                && !open.values.contains_key(&component)
                        };
                        if !words.as_ref().is_some_and(same) {
                            self.close_words(block, &mut words);
                        }
                        let (values, instructions) = (BTreeMap::new(), SmallVec::new());
                        let new = OpenElement { element, access, index, values, position, instructions };
                        let open = words.get_or_insert(new);
                        open.instructions.push(inst.origin.instruction);
                        open.values.insert(component, *value);
                        (open.access, open.position) = (access, position);
                        changes += 1;
                        continue;
                    }
                    (Op::Store(access), [value]) if !is_words(access) => {
                        outputs += 1;
                        for Lane { global, element, component } in self.interface.lanes(access) {
                            let stores = open.entry((global, element)).or_default();
                            stores.insert(component, (position, *value));
                        }
                        continue;
                    }
                    (Op::Store(access), [index, value]) if !is_words(access) => {
                        EffectKind::StoreIndexed { access, index: *index, value: *value }
                    }
                    (Op::Store(access), [value]) => {
                        EffectKind::StoreArray { access, index: None, value: *value }
                    }
                    (Op::Store(access), [index, value]) => {
                        EffectKind::StoreArray { access, index: Some(*index), value: *value }
                    }
                    (Op::Call(callee), _) => EffectKind::Call { inst: *id, callee },
                    (Op::Atomic(..) | Op::Barrier(_) | Op::Demote, _) => EffectKind::Act(*id),
                    (Op::Image(image), _) if image.results() < 4 => EffectKind::Act(*id),
                    (Op::EmitVertex(stream), _) => EffectKind::EmitVertex(stream),
                    (Op::EndPrimitive(stream), _) => EffectKind::EndPrimitive(stream),
                    (Op::Load(access), _) if access.space == Space::Output => {
                        self.close_stores(block, &mut open);
                        if let Some(value) = inst.results.first() {
                            self.changes_before.insert(*value, changes + outputs);
                        }
                        continue;
                    }
                    _ => continue,
                };
                if !matches!(kind, EffectKind::StoreArray { .. }) {
                    self.close_stores(block, &mut open);
                    self.close_words(block, &mut words);
                    changes += 1;
                }
                let instructions = smallvec![inst.origin.instruction];
                self.effects.push(Effect { block, position, kind, instructions });
            }
            self.close_stores(block, &mut open);
            self.close_words(block, &mut words);
            self.effects[first..].sort_by_key(|effect| effect.position);
        }
    }

    fn close_stores(&mut self, block: BlockId, open: &mut OpenStores) {
        for ((global, element), stores) in std::mem::take(open) {
            let position = stores.values().map(|(position, _)| *position).max().unwrap_or(0);
            let components = stores.keys().copied().collect();
            let values = stores.values().map(|(_, value)| *value).collect();
            let insts = &self.function.blocks[block.index()].insts;
            let instructions = stores
                .values()
                .filter_map(|(position, _)| insts.get(*position as usize))
                .map(|inst| self.function.insts[inst.index()].origin.instruction)
                .collect();
            let kind = EffectKind::Store { global, element, components, values };
            self.effects.push(Effect { block, position, kind, instructions });
        }
    }

    fn close_words(&mut self, block: BlockId, open: &mut Option<OpenElement>) {
        let Some(OpenElement { access, index, values, position, instructions, .. }) = open.take() else {
            return;
        };
        let components = values.keys().copied().collect();
        let values = values.into_values().collect();
        let kind = EffectKind::StoreWords { access, index, components, values };
        self.effects.push(Effect { block, position, kind, instructions });
    }

    /// Orders the items of every block. Packs that wait for each other are dissolved.
    pub(super) fn order_items(&mut self) {
        let mut by_block: Vec<Vec<u32>> = vec![Vec::new(); self.function.blocks.len()];
        for (index, effect) in self.effects.iter().enumerate() {
            by_block[effect.block.index()].push(index as u32);
        }
        let mut packs: Vec<Vec<PackId>> = vec![Vec::new(); self.function.blocks.len()];
        for (index, pack) in self.packs.iter().enumerate() {
            packs[pack.block.index()].push(PackId(index as u32));
        }
        self.items = vec![Vec::new(); self.function.blocks.len()];
        self.fill_operands();
        let mut maker = Vec::new();
        for at in 0..self.cfg.order.len() {
            let block = self.cfg.order[at];
            let mut members = std::mem::take(&mut packs[block.index()]);
            for turn in 0.. {
                members.retain(|pack| self.pack(*pack).alive);
                match self.sort_items(block, &members, &by_block[block.index()], &mut maker) {
                    Ok(items) => {
                        self.items[block.index()] = items;
                        break;
                    }
                    Err(Stuck { circle, all }) => {
                        let stuck = if turn < CIRCLES { circle } else { all };
                        let rank = |id: &PackId| match self.pack(*id).make {
                            Make::Tuple => 2,
                            Make::Matrix { .. } | Make::Product { .. } | Make::Operation
                                if self.pack(*id).lanes.len() > 1 =>
                            {
                                1
                            }
                            _ => 0,
                        };
                        let highest = stuck.iter().map(rank).max().unwrap_or(0);
                        let chosen: Vec<PackId> =
                            stuck.into_iter().filter(|id| rank(id) == highest).collect();
                        let known = self.packs.len() as u32;
                        for id in &chosen {
                            self.dissolve(*id);
                        }
                        self.fill_operands();
                        members.extend((known..self.packs.len() as u32).map(PackId));
                        if highest == 0 {
                            // Scalars of a well-formed function never wait for each other.
                            break;
                        }
                    }
                }
            }
        }
    }

    /// Topological order, as near to the original one as it gets. Else the packs that wait for each other.
    /// `maker` is a table of packs to work in.
    fn sort_items(
        &self,
        block: BlockId,
        packs: &[PackId],
        effects: &[u32],
        maker: &mut Vec<u32>,
    ) -> Result<Vec<Item>, Stuck> {
        maker.resize(self.packs.len(), u32::MAX);
        let items: Vec<Item> = packs
            .iter()
            .filter(|pack| !matches!(self.pack(**pack).make, Make::Params | Make::Call))
            .map(|pack| Item::Pack(*pack))
            .chain(effects.iter().map(|effect| Item::Effect(*effect)))
            .collect();
        // Which item makes a pack.
        for (index, item) in items.iter().enumerate() {
            if let Item::Pack(pack) = item {
                maker[pack.index()] = index as u32;
            }
        }
        let first_effect = items.len() - effects.len();
        for pack in packs {
            if self.pack(*pack).make == Make::Call {
                let position = self.pack(*pack).position;
                let call = effects.iter().position(|effect| {
                    let effect = &self.effects[*effect as usize];
                    effect.position == position
                        && matches!(effect.kind, EffectKind::Call { .. } | EffectKind::Act(_))
                });
                if let Some(call) = call {
                    maker[pack.index()] = (first_effect + call) as u32;
                }
            }
        }
        let mut waiting = vec![0u32; items.len()];
        let mut after: Vec<Vec<u32>> = vec![Vec::new(); items.len()];
        let mut wait = |before: u32, item: usize| {
            after[before as usize].push(item as u32);
            waiting[item] += 1;
        };
        for (index, item) in items.iter().enumerate() {
            self.for_each_source(*item, &mut |pack| {
                if self.pack(pack).block == block && maker[pack.index()] != u32::MAX {
                    wait(maker[pack.index()], index);
                }
            });
        }
        for index in first_effect + 1..items.len() {
            wait(index as u32 - 1, index);
        }
        // What reads memory stays between the effects around it.
        for (index, item) in items.iter().enumerate() {
            if let Item::Pack(pack) = item
                && self.reads(*pack)
            {
                let position = self.pack(*pack).position;
                let next =
                    effects.partition_point(|effect| self.effects[*effect as usize].position < position);
                if next > 0 {
                    wait((first_effect + next - 1) as u32, index);
                }
                if next < effects.len() {
                    wait(index as u32, first_effect + next);
                }
            }
        }
        let position = |item: &Item| match item {
            Item::Pack(pack) => (self.pack(*pack).position, u32::from(self.pack(*pack).make == Make::Tuple)),
            Item::Effect(effect) => (self.effects[*effect as usize].position, 2),
        };
        let mut ready: BinaryHeap<Reverse<((u32, u32), u32)>> = items
            .iter()
            .enumerate()
            .filter(|(index, _)| waiting[*index] == 0)
            .map(|(index, item)| Reverse((position(item), index as u32)))
            .collect();
        let mut order = Vec::with_capacity(items.len());
        while let Some(Reverse((_, index))) = ready.pop() {
            order.push(items[index as usize]);
            for next in &after[index as usize] {
                let count = &mut waiting[*next as usize];
                *count -= 1;
                if *count == 0 {
                    ready.push(Reverse((position(&items[*next as usize]), *next)));
                }
            }
        }
        if order.len() == items.len() {
            return Ok(order);
        }
        // What waits has somebody that it waits for: going back leads into a circle.
        let mut before = vec![u32::MAX; items.len()];
        for (index, after) in after.iter().enumerate().filter(|(index, _)| waiting[*index] > 0) {
            after.iter().for_each(|next| before[*next as usize] = index as u32);
        }
        let packs_of = |indices: &mut dyn Iterator<Item = usize>| -> Vec<PackId> {
            let pack = |index: usize| match items[index] {
                Item::Pack(pack) => Some(pack),
                Item::Effect(_) => None,
            };
            indices.filter_map(pack).collect()
        };
        let mut left = (0..items.len()).filter(|index| waiting[*index] > 0);
        let mut circle = Vec::new();
        if let Some(first) = left.clone().next() {
            let mut at = first;
            for _ in 0..items.len() {
                at = before[at] as usize;
            }
            let end = at;
            loop {
                circle.push(at);
                at = before[at] as usize;
                if at == end {
                    break;
                }
            }
        }
        Err(Stuck { circle: packs_of(&mut circle.into_iter()), all: packs_of(&mut left) })
    }

    fn reads(&self, pack: PackId) -> bool {
        let value = self.pack(pack).lanes.first();
        let inst = value.and_then(|value| self.function.definition(*value));
        matches!(self.pack(pack).make, Make::Operation | Make::Results(_))
            && inst.is_some_and(|inst| inst.op.effect() == crate::op::Effect::Reads)
    }

    /// Calls back for every run of lanes that an item takes from a pack.
    fn for_each_source(&self, item: Item, visit: &mut impl FnMut(PackId)) {
        let mut list = |values: &[Value], own: Option<PackId>| {
            self.for_each_lane(values, own, |pack, _, begins| {
                if begins {
                    visit(pack);
                }
            });
        };
        match item {
            Item::Pack(id) => {
                let own = (self.pack(id).make == Make::Tuple).then_some(id);
                for operand in self.noted(id) {
                    list(&operand.values, own);
                    if operand.repeated {
                        list(&operand.values, own);
                    }
                }
            }
            Item::Effect(effect) => {
                for operand in self.effect_operands(&self.effects[effect as usize]) {
                    list(&operand.values, None);
                    if operand.repeated {
                        list(&operand.values, None);
                    }
                }
            }
        }
    }

    /// Lists that the end of a block reads: condition or selector first, then what its edges pass along or
    /// what it returns.
    pub(super) fn end_lists(&self, block: BlockId) -> Vec<Lanes> {
        let terminator = &self.function.blocks[block.index()].terminator;
        let mut lists = Vec::new();
        match terminator {
            Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => {
                lists.push(Lanes::from_slice(&[*value]));
            }
            Terminator::Return(values) => {
                lists.extend(
                    self.kinds
                        .results
                        .iter()
                        .map(|group| group.members.iter().map(|at| values[*at]).collect::<Lanes>()),
                );
            }
            _ => {}
        }
        // Arms that share a target and its arguments are written once.
        let mut seen: Vec<&crate::Target> = Vec::new();
        for target in terminator.targets() {
            if seen.len() < 8 && seen.contains(&target) && matches!(terminator, Terminator::Switch { .. }) {
                continue;
            }
            seen.push(target);
            lists.extend(self.target_lists(target).into_iter().map(|(_, list)| list));
        }
        lists
    }

    /// Decides which packs are written where they are used: those used in one place of their own block, if
    /// nothing they depend on happens in between, and the expression stays readable.
    pub(super) fn place_inline(&mut self) {
        #[derive(Clone, Copy)]
        struct Use {
            count: u32,
            /// Index of the using item in its block; `u32::MAX` for the end of the block.
            by: u32,
            block: BlockId,
        }
        let mut uses = vec![Use { count: 0, by: 0, block: BlockId(0) }; self.packs.len()];
        for block in &self.cfg.order {
            let mut note = |pack: PackId, by: u32| {
                let entry = &mut uses[pack.index()];
                *entry = Use { count: entry.count + 1, by, block: *block };
            };
            for (index, item) in self.items[block.index()].iter().enumerate() {
                self.for_each_source(*item, &mut |pack| note(pack, index as u32));
            }
            for list in self.end_lists(*block) {
                self.for_each_lane(&list, None, |pack, _, begins| {
                    if begins {
                        note(pack, u32::MAX);
                    }
                });
            }
        }
        let mut inline = vec![false; self.packs.len()];
        let mut sizes = vec![0u32; self.packs.len()];
        for block in &self.cfg.order {
            let items = &self.items[block.index()];
            // Sizes, if all that can be is written in place.
            for item in items {
                let Item::Pack(id) = *item else { continue };
                let mut size = 1u32;
                self.for_each_source(*item, &mut |pack| size = size.saturating_add(sizes[pack.index()]));
                let used = uses[id.index()];
                let candidate = used.count == 1 && used.block == *block && size <= LARGEST;
                inline[id.index()] = candidate;
                sizes[id.index()] = if candidate { size } else { 0 };
            }
            // From the last item to the first: where the expression that an item is part of is written.
            let mut effects_before = vec![0u32; items.len() + 1];
            for (index, item) in items.iter().enumerate() {
                effects_before[index + 1] =
                    effects_before[index] + u32::from(matches!(item, Item::Effect(_)));
            }
            let mut root = vec![(items.len(), 0u32); items.len()];
            for index in (0..items.len()).rev() {
                let Item::Pack(id) = items[index] else {
                    root[index] = (index, 0);
                    continue;
                };
                root[index] = (index, 0);
                if !inline[id.index()] {
                    continue;
                }
                let by = uses[id.index()].by;
                let (at, depth) = if by == u32::MAX { (items.len(), 0) } else { root[by as usize] };
                let moved = self.reads(id) && effects_before[at] != effects_before[index];
                if depth + 1 > DEEPEST || moved {
                    inline[id.index()] = false;
                } else {
                    root[index] = (at, depth + 1);
                }
            }
        }
        self.inline = inline;
        self.keep_quads_out();
    }
}
