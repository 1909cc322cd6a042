//! Local variables for the packs that are not written where they are used.
//!
//! Parameters of blocks and what is passed to them share a variable wherever their lives do not overlap,
//! so that a loop reads `sum = sum + x` and not through copies.

use super::super::{Local, LocalRef, Scalar, Type};
use super::operands::{Part, Source};
use super::packs::{Make, PackId};
use super::schedule::Item;
use super::statements::Unit;
use crate::{BlockId, Value};
use smallvec::SmallVec;

/// Most words of liveness tables; beyond, nothing shares a variable.
const TABLE_WORDS: usize = 1 << 22;
/// Most values that may share one component of a variable.
const SHARED: usize = 48;

/// Where the lanes of a pack live.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Home {
    pub local: LocalRef,
    pub components: SmallVec<[u8; 4]>,
}

/// A lane of a pack that has a home: what lives.
type Slot = u32;

#[derive(Debug, Clone, Default)]
struct Life {
    block: u32,
    /// Place in the block: 0 for parameters, items from 1, the end `u32::MAX - 1`.
    start: u32,
    /// Last use in each block with one; by block, once all are known.
    last: SmallVec<[(u32, u32); 2]>,
}

impl Life {
    /// Uses come block by block, and in order inside of one.
    fn used(&mut self, block: u32, place: u32) {
        match self.last.last_mut() {
            Some((at, last)) if *at == block => *last = place,
            _ => self.last.push((block, place)),
        }
    }

    fn last_in(&self, block: u32) -> Option<u32> {
        self.last.binary_search_by_key(&block, |(at, _)| *at).ok().map(|at| self.last[at].1)
    }
}

struct Lives {
    slots: Vec<Life>,
    /// First slot of each pack.
    first: Vec<Slot>,
    /// Number of those slots that live across blocks.
    wide: Vec<u32>,
    words: usize,
    live_in: Vec<u64>,
    live_out: Vec<u64>,
    known: bool,
}

impl Lives {
    fn is(&self, table: &[u64], block: u32, slot: Slot) -> bool {
        let bit = self.wide[slot as usize];
        bit != u32::MAX && table[block as usize * self.words + bit as usize / 64] >> (bit % 64) & 1 == 1
    }

    /// Whether a slot is still needed behind a place.
    fn is_live_after(&self, slot: Slot, block: u32, place: u32) -> bool {
        let life = &self.slots[slot as usize];
        let begun =
            if life.block == block { life.start <= place } else { self.is(&self.live_in, block, slot) };
        begun
            && (self.is(&self.live_out, block, slot) || life.last_in(block).is_some_and(|last| last > place))
    }

    fn overlap(&self, a: Slot, b: Slot) -> bool {
        let (x, y) = (&self.slots[a as usize], &self.slots[b as usize]);
        if x.block == y.block && x.start == y.start {
            return true;
        }
        self.is_live_after(a, y.block, y.start) || self.is_live_after(b, x.block, x.start)
    }
}

/// A variable in the making: the slots of each component.
#[derive(Debug, Clone)]
struct Class {
    kind: Scalar,
    components: Vec<Vec<Slot>>,
    packs: Vec<PackId>,
}

impl Unit<'_> {
    /// Gives every pack that needs it a home, and fills the table of locals. Parameters of the function
    /// come first.
    pub(super) fn find_homes(&mut self) {
        let lives = self.find_lives();
        let mut class_of: Vec<u32> = vec![u32::MAX; self.packs.len()];
        let mut at_component: Vec<SmallVec<[u8; 4]>> = vec![SmallVec::new(); self.packs.len()];
        let mut classes: Vec<Class> = Vec::new();
        for index in 0..self.packs.len() {
            let id = PackId(index as u32);
            if !self.has_home(id) {
                continue;
            }
            let pack = self.pack(id);
            class_of[index] = classes.len() as u32;
            at_component[index] = (0..pack.lanes.len() as u8).collect();
            classes.push(Class {
                kind: pack.kind,
                components: (0..pack.lanes.len() as u32)
                    .map(|lane| vec![lives.first[index] + lane])
                    .collect(),
                packs: vec![id],
            });
        }
        if lives.known {
            self.share(&lives, &mut class_of, &mut at_component, &mut classes);
        }
        self.homes = vec![None; self.packs.len()];
        let mut local_of = vec![None; classes.len()];
        let params = self.function_params();
        let order = params.iter().copied().chain((0..self.packs.len() as u32).map(PackId));
        for id in order {
            let class = class_of[id.index()];
            if class == u32::MAX || self.homes[id.index()].is_some() {
                continue;
            }
            let data = &classes[class as usize];
            let local = *local_of[class as usize].get_or_insert_with(|| {
                let ty = Type { scalar: data.kind, components: data.components.len() as u8 };
                self.locals.push(Local { name: String::new(), ty });
                LocalRef(self.locals.len() as u32 - 1)
            });
            self.homes[id.index()] = Some(Home { local, components: at_component[id.index()].clone() });
        }
    }

    /// Packs of the function's parameters, in order of its signature.
    pub(super) fn function_params(&self) -> Vec<PackId> {
        let params = self.function.params();
        self.kinds
            .params
            .iter()
            .filter_map(|group| self.pack_of[params[group.members[0]].index()].map(|(pack, _)| pack))
            .collect()
    }

    fn has_home(&self, id: PackId) -> bool {
        self.pack(id).alive && !self.inline[id.index()]
    }

    /// Packs with a home that evaluating a list reads, through what is written in place.
    fn for_each_read(&self, values: &[Value], own: Option<PackId>, visit: &mut impl FnMut(PackId, u8)) {
        let mut inner: SmallVec<[PackId; 8]> = SmallVec::new();
        let mut read = |values: &[Value], own: Option<PackId>, inner: &mut SmallVec<[PackId; 8]>| {
            self.for_each_lane(values, own, |pack, lane, begins| {
                if self.has_home(pack) {
                    visit(pack, lane);
                } else if begins {
                    inner.push(pack);
                }
            });
        };
        read(values, own, &mut inner);
        while let Some(pack) = inner.pop() {
            let own = (self.pack(pack).make == Make::Tuple).then_some(pack);
            for operand in self.noted(pack) {
                read(&operand.values, own, &mut inner);
            }
        }
    }

    fn find_lives(&self) -> Lives {
        let blocks = self.function.blocks.len();
        let mut lives = Lives {
            slots: Vec::new(),
            first: vec![0; self.packs.len()],
            wide: Vec::new(),
            words: 0,
            live_in: Vec::new(),
            live_out: Vec::new(),
            known: false,
        };
        for (index, pack) in self.packs.iter().enumerate() {
            lives.first[index] = lives.slots.len() as u32;
            let life = Life { block: pack.block.0, ..Life::default() };
            lives.slots.extend(std::iter::repeat_n(life, pack.lanes.len()));
        }
        const END: u32 = u32::MAX - 1;
        for block in &self.cfg.order {
            for (index, item) in self.items[block.index()].iter().enumerate() {
                let place = index as u32 + 1;
                let mut read = |values: &[Value], own: Option<PackId>| {
                    self.for_each_read(values, own, &mut |pack, lane| {
                        let life = &mut lives.slots[(lives.first[pack.index()] + u32::from(lane)) as usize];
                        life.used(block.0, place);
                    });
                };
                match item {
                    Item::Pack(id) if self.has_home(*id) => {
                        let own = (self.pack(*id).make == Make::Tuple).then_some(*id);
                        self.noted(*id).iter().for_each(|operand| read(&operand.values, own));
                        let first = lives.first[id.index()];
                        for lane in 0..self.pack(*id).lanes.len() as u32 {
                            lives.slots[(first + lane) as usize].start = place;
                        }
                    }
                    Item::Pack(_) => {}
                    Item::Effect(effect) => {
                        let effect = &self.effects[*effect as usize];
                        self.effect_operands(effect).iter().for_each(|operand| read(&operand.values, None));
                        for pack in self.call_results(effect) {
                            let first = lives.first[pack.index()];
                            for lane in 0..self.pack(pack).lanes.len() as u32 {
                                lives.slots[(first + lane) as usize].start = place;
                            }
                        }
                    }
                }
            }
            for list in self.end_lists(*block) {
                self.for_each_read(&list, None, &mut |pack, lane| {
                    let life = &mut lives.slots[(lives.first[pack.index()] + u32::from(lane)) as usize];
                    life.used(block.0, END);
                });
            }
        }
        // Only what is used in another block than its own takes part in the tables.
        let mut count = 0;
        for life in &mut lives.slots {
            life.last.sort_unstable();
            let wide = life.last.iter().any(|(block, _)| *block != life.block);
            lives.wide.push(if wide { count } else { u32::MAX });
            count += u32::from(wide);
        }
        lives.words = (count as usize).div_ceil(64);
        if lives.words * blocks > TABLE_WORDS {
            return lives;
        }
        lives.live_in = vec![0; lives.words * blocks];
        lives.live_out = vec![0; lives.words * blocks];
        self.spread(&mut lives);
        lives.known = true;
        lives
    }

    /// From each use back to the definition.
    fn spread(&self, lives: &mut Lives) {
        for slot in 0..lives.slots.len() {
            let bit = lives.wide[slot];
            if bit == u32::MAX {
                continue;
            }
            let (word, mask) = (bit as usize / 64, 1u64 << (bit % 64));
            let home = lives.slots[slot].block;
            let mut work: Vec<u32> =
                lives.slots[slot].last.iter().map(|(at, _)| *at).filter(|at| *at != home).collect();
            while let Some(block) = work.pop() {
                let entry = &mut lives.live_in[block as usize * lives.words + word];
                if *entry & mask != 0 {
                    continue;
                }
                *entry |= mask;
                for from in self.cfg.predecessors(BlockId(block)) {
                    lives.live_out[from.index() * lives.words + word] |= mask;
                    if from.0 != home {
                        work.push(from.0);
                    }
                }
            }
        }
    }

    /// Lets what is passed to a parameter share its variable, and what a register becomes the variable of
    /// what it was.
    fn share(
        &self,
        lives: &Lives,
        class_of: &mut [u32],
        at_component: &mut [SmallVec<[u8; 4]>],
        classes: &mut [Class],
    ) {
        let function_params = self.function_params();
        for at in 0..self.cfg.order.len() {
            let block = self.cfg.order[at];
            for (params, list) in self.edge_lists(&self.function.blocks[block.index()].terminator) {
                for (position, part) in with_positions(self.plan(&list, None).parts) {
                    let Source::Pack(pack) = part.source else { continue };
                    if part.opposite || !self.has_home(pack) || !self.has_home(params) {
                        continue;
                    }
                    if function_params.contains(&pack) || function_params.contains(&params) {
                        continue;
                    }
                    // Component of the parameters' variable for each lane of the pack.
                    let mut to: SmallVec<[Option<u8>; 4]> =
                        SmallVec::from_elem(None, self.pack(pack).lanes.len());
                    for (offset, lane) in part.components.iter().enumerate() {
                        let component = at_component[params.index()][position + offset];
                        to[usize::from(*lane)].get_or_insert(component);
                    }
                    merge(lives, class_of, at_component, classes, (params, pack), &to);
                }
            }
        }
        for at in 0..self.cfg.order.len() {
            let block = self.cfg.order[at];
            for item in &self.items[block.index()] {
                let Item::Pack(id) = *item else { continue };
                if !self.has_home(id) {
                    continue;
                }
                if let Some(before) = self.predecessor(id)
                    && !function_params.contains(&before)
                {
                    let to: SmallVec<[Option<u8>; 4]> =
                        at_component[before.index()].iter().map(|component| Some(*component)).collect();
                    merge(lives, class_of, at_component, classes, (before, id), &to);
                }
            }
        }
    }

    /// The pack of the same lanes of the same register that a pack is computed from.
    fn predecessor(&self, id: PackId) -> Option<PackId> {
        let lanes = &self.pack(id).lanes;
        let register = |value: &Value| self.registers.of(self.function.values.get(value.index())?.variable);
        let registers = lanes.iter().map(register).collect::<Option<SmallVec<[_; 4]>>>()?;
        let mut found = None;
        let own = (self.pack(id).make == Make::Tuple).then_some(id);
        // Where registers are given out as they come free, one that comes again says nothing; what is changed in place
        // does.
        if self.module.vectors_by_use {
            let operand = self.noted(id).first()?;
            let plan = self.plan(&operand.values, own);
            let [Part { source: Source::Pack(pack), opposite: false, .. }] = plan.parts[..] else {
                return None;
            };
            let other = self.pack(pack);
            let alike = !plan.opposite
                && other.kind == self.pack(id).kind
                && other.lanes.len() == lanes.len()
                && self.has_home(pack)
                && operand.values.iter().eq(&other.lanes);
            return alike.then_some(pack);
        }
        for operand in self.noted(id) {
            self.for_each_read(&operand.values, own, &mut |pack, _| {
                let other = self.pack(pack);
                let alike = other.kind == self.pack(id).kind
                    && other.lanes.len() == lanes.len()
                    && other.lanes.iter().zip(&registers).all(|(lane, mine)| register(lane) == Some(*mine));
                if alike {
                    found = found.or(Some(pack));
                }
            });
        }
        found
    }
}

/// Parts with the place of their first lane.
fn with_positions(parts: Vec<Part>) -> impl Iterator<Item = (usize, Part)> {
    let mut next = 0;
    parts.into_iter().map(move |part| {
        let position = next;
        next += part.components.len();
        (position, part)
    })
}

/// Merges the class of a pack into the class of parameters, lane by lane, if that is sound.
fn merge(
    lives: &Lives,
    class_of: &mut [u32],
    at_component: &mut [SmallVec<[u8; 4]>],
    classes: &mut [Class],
    (params, pack): (PackId, PackId),
    to: &[Option<u8>],
) {
    let (into, from) = (class_of[params.index()], class_of[pack.index()]);
    if into == from || classes[into as usize].kind != classes[from as usize].kind {
        return;
    }
    // Where each component of the old variable goes.
    let mut map: Vec<Option<u8>> = vec![None; classes[from as usize].components.len()];
    for (lane, component) in to.iter().enumerate() {
        map[usize::from(at_component[pack.index()][lane])] = *component;
    }
    let Some(map) = map.into_iter().collect::<Option<Vec<u8>>>() else { return };
    for (old, new) in map.iter().enumerate() {
        if map[..old].contains(new) {
            return;
        }
        let a = &classes[from as usize].components[old];
        let b = &classes[into as usize].components[usize::from(*new)];
        if a.len() + b.len() > SHARED || a.iter().any(|a| b.iter().any(|b| lives.overlap(*a, *b))) {
            return;
        }
    }
    let old = std::mem::replace(
        &mut classes[from as usize],
        Class { kind: Scalar::Float, components: Vec::new(), packs: Vec::new() },
    );
    let target = &mut classes[into as usize];
    for (component, slots) in old.components.into_iter().enumerate() {
        target.components[usize::from(map[component])].extend(slots);
    }
    for pack in old.packs {
        class_of[pack.index()] = into;
        for component in &mut at_component[pack.index()] {
            *component = map[usize::from(*component)];
        }
        target.packs.push(pack);
    }
}
