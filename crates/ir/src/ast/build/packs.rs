//! Scalars back into vectors.
//!
//! A pack is what one vector expression computes: up to four scalars that come from one operation. Lanes of
//! one machine instruction are packed first; then rows of matrices; then scalars that only meet in a vector
//! later; last, lists of scalars that are used together several times get a vector of their own.

use super::super::Scalar;
use super::interface::Indexed;
use super::operands::{Leaf, Source};
use super::quick::QuickMap;
use super::statements::Unit;
use crate::{Access, BlockId, InstId, Op, Space, Terminator, Type, Value, ValueDef};
use smallvec::{SmallVec, smallvec};
use std::collections::VecDeque;

/// How many packs wait for more lanes.
const WINDOW: usize = 12;

/// Index of a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PackId(pub u32);

impl PackId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Up to four scalars.
pub(super) type Lanes = SmallVec<[Value; 4]>;

/// What makes a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Make {
    /// Parameters of a block.
    Params,
    /// The same operation in each lane.
    Operation,
    /// One instruction that gives them all.
    Results(InstId),
    /// Results of a call that are one vector.
    Call,
    /// Scalars of any origin, put together.
    Tuple,
    /// Components of a product with a matrix by columns.
    Product {
        /// The matrix.
        global: u32,
        /// Which of an array of matrices: at index 0, if there is one.
        element: u32,
        /// Dynamic index.
        index: Option<Value>,
        /// The vector.
        vector: Lanes,
        /// It stands before the matrix.
        vector_first: bool,
    },
    /// Rows of a matrix times a vector.
    Matrix {
        /// The matrix.
        global: u32,
        /// Row of the first lane.
        row: u32,
        /// The vector.
        vector: Lanes,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pack {
    pub lanes: Lanes,
    pub make: Make,
    pub block: BlockId,
    /// Place of its last lane in the block.
    pub position: u32,
    pub kind: Scalar,
    /// Not replaced by another pack.
    pub alive: bool,
}

/// What makes two operations the same one in two lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Op(Op),
    /// Select by one condition.
    SelectBy(Value),
    /// Indexed load of elements of an array.
    Element(u32, u32, Value),
}

impl Unit<'_> {
    pub(super) fn pack(&self, id: PackId) -> &Pack {
        &self.packs[id.index()]
    }

    pub(super) fn add_pack(&mut self, pack: Pack) -> PackId {
        let id = PackId(self.packs.len() as u32);
        for (lane, value) in pack.lanes.iter().enumerate() {
            if !matches!(pack.make, Make::Tuple) {
                self.pack_of[value.index()] = Some((id, lane as u8));
            }
        }
        self.packs.push(pack);
        id
    }

    /// Instructions that something observable needs.
    pub(super) fn find_needed(&mut self) {
        let function = self.function;
        let mut needed = vec![false; function.insts.len()];
        let mut work: Vec<Value> = Vec::new();
        let mut visit = |id: InstId, work: &mut Vec<Value>| {
            if !std::mem::replace(&mut needed[id.index()], true) {
                work.extend(&function.insts[id.index()].args);
            }
        };
        for block in &self.cfg.order {
            let block = &function.blocks[block.index()];
            for id in &block.insts {
                if function.insts[id.index()].op.effect() == crate::op::Effect::Writes {
                    visit(*id, &mut work);
                }
            }
            block.terminator.for_each_value(|value| work.push(value));
        }
        while let Some(value) = work.pop() {
            if let ValueDef::Result(id, _) = function.values[value.index()].def {
                visit(id, &mut work);
            }
        }
        self.needed = needed;
    }

    /// Packs parameters, and lanes of machine instructions.
    pub(super) fn pack_machine_lanes(&mut self) {
        let counted = if self.module.from_shading_language { self.find_counted() } else { Vec::new() };
        for at in 0..self.cfg.order.len() {
            let block = self.cfg.order[at];
            self.pack_params(block, &counted);
            // What later lanes may join: lanes of one machine instruction stand near each other.
            let mut open: VecDeque<((u32, u8, Key, Scalar), PackId)> = VecDeque::with_capacity(WINDOW);
            let function = self.function;
            for (position, id) in function.blocks[block.index()].insts.iter().enumerate() {
                if !self.needed[id.index()] {
                    continue;
                }
                let inst = &function.insts[id.index()];
                let position = position as u32;
                match inst.op {
                    Op::Call(callee) => {
                        let groups =
                            self.signatures[callee.index()].as_ref().map_or(&[][..], |found| &found.results);
                        for group in groups {
                            let lanes = group.members.iter().filter_map(|at| inst.results.get(*at)).copied();
                            let lanes: Lanes = lanes.collect();
                            let kind = group.kind;
                            let make = Make::Call;
                            self.add_pack(Pack { lanes, make, block, position, kind, alive: true });
                        }
                        continue;
                    }
                    Op::Normalize(_) | Op::Texture(_) => {
                        let lanes = Lanes::from_slice(&inst.results);
                        let kind = match inst.op {
                            Op::Texture(texture) => self.interface.texel(texture),
                            _ => Scalar::Float,
                        };
                        let make = Make::Results(*id);
                        self.add_pack(Pack { lanes, make, block, position, kind, alive: true });
                        continue;
                    }
                    _ => {}
                }
                let Some(value) = inst.results.first().copied() else { continue };
                if !matches!(self.leaves[value.index()], Leaf::Pack) {
                    continue;
                }
                let kind = self.kinds.of(value);
                let key = self.key(value);
                let origin = inst.origin;
                if let Some(key) = key.filter(|_| origin.instruction != u32::MAX) {
                    let place = (origin.instruction, origin.step, key, kind);
                    let known = open.iter().find(|(other, _)| *other == place).map(|(_, pack)| *pack);
                    if let Some(pack) = known
                        && self.join_lane(pack, value, position)
                    {
                        continue;
                    }
                    open.truncate(WINDOW - 1);
                    open.push_front((place, self.single(value, block, position)));
                } else {
                    self.single(value, block, position);
                }
            }
        }
    }

    fn single(&mut self, value: Value, block: BlockId, position: u32) -> PackId {
        let kind = self.kinds.of(value);
        let make = Make::Operation;
        self.add_pack(Pack { lanes: smallvec![value], make, block, position, kind, alive: true })
    }

    /// Adds a lane to a pack at its place by component, if the component is free.
    fn join_lane(&mut self, pack: PackId, value: Value, position: u32) -> bool {
        let lane = |value: Value| self.function.definition(value).map_or(0, |inst| inst.origin.lane);
        let lanes = &self.packs[pack.index()].lanes;
        let mine = lane(value);
        if lanes.len() >= 4 || lanes.iter().any(|other| lane(*other) == mine) {
            return false;
        }
        let at = lanes.iter().position(|other| lane(*other) > mine).unwrap_or(lanes.len());
        let pack_data = &mut self.packs[pack.index()];
        pack_data.lanes.insert(at, value);
        pack_data.position = position;
        self.number_lanes(pack);
        true
    }

    pub(super) fn number_lanes(&mut self, pack: PackId) {
        for (lane, value) in self.packs[pack.index()].lanes.iter().enumerate() {
            self.pack_of[value.index()] = Some((pack, lane as u8));
        }
    }

    /// `counted` may be empty.
    fn pack_params(&mut self, block: BlockId, counted: &[bool]) {
        let params = &self.function.blocks[block.index()].params;
        if params.is_empty() {
            return;
        }
        let scalars: Vec<_> = params
            .iter()
            .map(|param| (self.function.values[param.index()].variable, self.kinds.of(*param)))
            .collect();
        // What counts passes is no component of a vector.
        let counts = |at: &usize| counted.get(params[*at].index()) == Some(&true);
        for group in super::calls::group(self.registers, &scalars) {
            if group.members.len() > 1 && group.members.iter().any(counts) {
                for lanes in apart(&group.members, counts) {
                    let lanes = lanes.into_iter().map(|at| params[at]).collect();
                    let make = Make::Params;
                    self.add_pack(Pack { lanes, make, block, position: 0, kind: group.kind, alive: true });
                }
                continue;
            }
            let lanes = group.members.iter().map(|at| params[*at]).collect();
            let make = Make::Params;
            self.add_pack(Pack { lanes, make, block, position: 0, kind: group.kind, alive: true });
        }
    }

    /// Values that are compared, and a constant added to them.
    fn find_counted(&self) -> Vec<bool> {
        let function = self.function;
        let mut seen = vec![(false, false); function.values.len()];
        for id in function.blocks.iter().flat_map(|block| &block.insts) {
            let inst = &function.insts[id.index()];
            let steps = matches!(inst.op, Op::FAdd(_))
                && inst.args.iter().any(|arg| self.literal_bits(*arg).is_some());
            let compares = matches!(inst.op, Op::FCompare(..));
            for arg in inst.args.iter().filter(|_| steps || compares) {
                let (compared, stepped) = &mut seen[arg.index()];
                *compared |= compares;
                *stepped |= steps;
            }
        }
        seen.into_iter().map(|(compared, stepped)| compared && stepped).collect()
    }

    /// What an operation must share with another to be a lane of one vector operation; none for one that
    /// is always scalar.
    fn key(&mut self, value: Value) -> Option<Key> {
        let inst = self.function.definition(value)?;
        if self.function.ty(value) == Type::Bool && !matches!(inst.op, Op::FCompare(..)) {
            return None;
        }
        match inst.op {
            Op::FAdd(_)
            | Op::FMul(..)
            | Op::FDiv(_)
            | Op::FNeg(_)
            | Op::FAbs(_)
            | Op::FMin(..)
            | Op::FMax(..)
            | Op::FRound(..)
            | Op::FSaturate(_)
            | Op::FRcp(_)
            | Op::FRsq(_)
            | Op::FSqrt(_)
            | Op::FExp2(_)
            | Op::FLog2(_)
            | Op::FSin(_)
            | Op::FCos(_)
            | Op::FAtan(_)
            | Op::FAtan2(_)
            | Op::Derivative(..)
            | Op::FCompare(..)
            | Op::IAdd
            | Op::ISub
            | Op::IMul
            | Op::INeg
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Not
            | Op::SMin
            | Op::SMax
            | Op::FToS(..)
            | Op::FToU(..)
            | Op::SToF(_)
            | Op::UToF(_)
            | Op::Pow
            | Op::Clamp
            | Op::Mix
            | Op::Fract => Some(Key::Op(inst.op)),
            Op::FFma(_, rule) => (self.mode == super::Mode::Readable || rule == crate::Multiply::Ieee)
                .then_some(Key::Op(inst.op)),
            Op::Select if self.kinds.of(value) == Scalar::Float => Some(Key::Op(inst.op)),
            Op::Select => Some(Key::SelectBy(*inst.args.first()?)),
            Op::Load(access) if access.is_indexed() => self.element_key(access, *inst.args.first()?),
            _ => None,
        }
    }

    fn element_key(&mut self, access: Access, index: Value) -> Option<Key> {
        if !matches!(access.space, Space::Input | Space::Uniform) {
            return None;
        }
        match self.interface.indexed(access)? {
            Indexed::Elements { global, first, .. } => Some(Key::Element(global, first, index)),
            Indexed::Words { .. } => None,
        }
    }

    /// Replaces single packs by one pack of their values.
    fn replace(&mut self, lanes: Lanes, make: Make) -> PackId {
        let mut position = 0;
        let mut block = BlockId(0);
        for value in &lanes {
            if let Some((pack, _)) = self.pack_of[value.index()] {
                let pack = &mut self.packs[pack.index()];
                pack.alive = false;
                position = position.max(pack.position);
                block = pack.block;
            }
        }
        let kind = lanes.first().map_or(Scalar::Float, |value| self.kinds.of(*value));
        self.add_pack(Pack { lanes, make, block, position, kind, alive: true })
    }

    /// Packs of one lane each again, where a pack turned out to be in its own way.
    pub(super) fn dissolve(&mut self, id: PackId) {
        let pack = self.packs[id.index()].clone();
        self.packs[id.index()].alive = false;
        if pack.make == Make::Tuple {
            self.tuples.retain(|_, tuple| *tuple != id);
            for value in &pack.lanes {
                if self.tuple_of[value.index()].is_some_and(|(tuple, _)| tuple == id) {
                    self.tuple_of[value.index()] = None;
                }
            }
            return;
        }
        let function = self.function;
        for value in pack.lanes {
            let ValueDef::Result(inst, _) = function.values[value.index()].def else { continue };
            let list = &function.blocks[pack.block.index()].insts;
            let position = list.iter().position(|id| *id == inst).unwrap_or(0) as u32;
            self.single(value, pack.block, position);
        }
    }

    /// Joins dot products of one vector with consecutive rows of one uniform.
    pub(super) fn pack_matrices(&mut self) {
        let rows = super::matrices::find(self);
        for found in rows {
            let make = Make::Matrix { global: found.global, row: found.row, vector: found.vector };
            self.replace(found.lanes, make);
        }
        for (lanes, make) in super::products::find(self) {
            self.replace(lanes, make);
        }
    }

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

    /// Packs single operations of the same kind whose results only meet in one vector.
    pub(super) fn pack_by_use(&mut self) {
        let uses = self.count_uses();
        let mut work = std::mem::take(&mut self.lists);
        let mut turn = 0;
        let mut changed = false;
        while let Some((block, list)) = work.get(turn) {
            turn += 1;
            let plain = self.unsigned(list);
            let list = &plain;
            if list.len() >= 2 && self.can_pack(list, &uses, 0) {
                let (block, list) = (*block, plain);
                let pack = self.replace(list, Make::Operation);
                self.fill_operands();
                let operands = self.noted(pack).iter().filter(|operand| operand.values.len() > 1);
                work.extend(operands.map(|operand| (block, operand.values.clone())));
                changed = true;
            } else if list.len() >= 3 && self.module.from_shading_language {
                // A vector of three with something of its own behind, or the other way round.
                let (block, last) = (*block, list.len() - 1);
                let parts = [&list[..last], &list[1..]].map(Lanes::from_slice);
                let part = parts.into_iter().find(|part| self.can_pack(part, &uses, 0));
                work.extend(part.map(|part| (block, part)));
            }
        }
        self.lists = if changed { self.find_lists() } else { work };
    }

    /// What is negated, of a list that is in all its lanes.
    fn unsigned(&self, list: &[Value]) -> Lanes {
        let inner = |value: &Value| match self.leaves[value.index()] {
            Leaf::Negated(inner) if self.module.from_shading_language => Some(inner),
            _ => None,
        };
        list.iter().map(inner).collect::<Option<Lanes>>().unwrap_or_else(|| Lanes::from_slice(list))
    }

    /// Whether these scalars can and should become one operation.
    fn can_pack(&mut self, list: &[Value], uses: &[u32], depth: u32) -> bool {
        let list = &self.unsigned(list)[..];
        let mut key = None;
        let mut block = None;
        for (at, value) in list.iter().enumerate() {
            // Vectors of machines without any may be used several times, all of it or nothing.
            let often = self.module.from_shading_language && uses[value.index()] == uses[list[0].index()];
            if !matches!(self.leaves[value.index()], Leaf::Pack)
                || uses[value.index()] != 1 && !often
                || list[..at].contains(value)
            {
                return false;
            }
            let Some((pack, _)) = self.pack_of[value.index()] else { return false };
            let pack = self.pack(pack);
            if pack.lanes.len() != 1 || pack.make != Make::Operation {
                return false;
            }
            let here = (pack.block, pack.kind);
            let Some(mine) = self.key(*value) else { return false };
            if *key.get_or_insert(mine) != mine || *block.get_or_insert(here) != here {
                return false;
            }
        }
        let arity = self.function.definition(list[0]).map_or(0, |inst| inst.args.len());
        (0..arity).all(|position| {
            let arg = |value: &Value| {
                self.function.definition(*value).and_then(|inst| inst.args.get(position)).copied()
            };
            let Some(operands) = list.iter().map(arg).collect::<Option<Lanes>>() else { return false };
            if operands.iter().all(|value| *value == operands[0]) {
                return true;
            }
            let parts = self.plan(&operands, None).parts;
            let smooth = parts.len() == 1;
            let deepest = if self.module.from_shading_language { 16 } else { 6 };
            smooth || (depth < deepest && self.can_pack(&operands, uses, depth + 1))
        })
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

/// The members of a group without those that stand by themselves, then these one by one.
fn apart(members: &[usize], alone: impl Fn(&usize) -> bool) -> Vec<Vec<usize>> {
    let (single, together): (Vec<usize>, Vec<usize>) = members.iter().copied().partition(|at| alone(at));
    let together = (!together.is_empty()).then_some(together);
    together.into_iter().chain(single.into_iter().map(|at| vec![at])).collect()
}
