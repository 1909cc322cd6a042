//! Scalars back into vectors.
//!
//! A pack is what one vector expression computes: up to four scalars that come from one operation. Lanes of
//! one machine instruction are packed first; then rows of matrices; then scalars that only meet in a vector
//! later; last, lists of scalars that are used together several times get a vector of their own.

use super::super::Scalar;
use super::interface::Indexed;
use super::memories::Element;
use super::operands::Leaf;
use super::statements::Unit;
use crate::quick::QuickMap;
use crate::{Access, BlockId, InputPlace, InstId, Op, Space, Type, Value, ValueDef};
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
pub(super) enum Key {
    Op(Op),
    /// Select by one condition.
    SelectBy(Value),
    /// An input at another place of the pixel: components of one element there.
    Interpolated(InputPlace, u32, Option<u32>, [Option<Value>; 2]),
    /// Indexed load of elements of an array.
    Element(u32, u32, u32, Value),
    /// Load of an element of memory, with its index, and how often memory was changed before.
    Word(Element, Option<Value>, u32),
    /// A field of a word that floats are packed into.
    Unpacked(crate::Norm, Value),
    /// Load of an element of an output: the output, the element at index 0, elements from one index to the next with the
    /// index, and how often anything was changed before.
    Output(u32, Option<u32>, Option<(u32, Value)>, u32),
}

/// A [`Key`] by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct KeyId(u32);

/// The keys of values, as far as somebody has asked.
#[derive(Debug, Default)]
pub(super) struct Keys {
    known: QuickMap<Key, KeyId>,
    of_value: Vec<Option<Option<KeyId>>>,
}

impl Keys {
    /// For so many values.
    pub(super) fn new(values: usize) -> Self {
        Self { known: QuickMap::default(), of_value: vec![None; values] }
    }
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

    /// Values that something needed reads.
    fn find_used(&self) -> Vec<bool> {
        let function = self.function;
        let mut used = vec![false; function.values.len()];
        for block in &self.cfg.order {
            let block = &function.blocks[block.index()];
            for id in block.insts.iter().filter(|id| self.needed[id.index()]) {
                function.insts[id.index()].args.iter().for_each(|arg| used[arg.index()] = true);
            }
            block.terminator.for_each_value(|value| used[value.index()] = true);
        }
        used
    }

    /// Packs parameters, and lanes of machine instructions. Where the program comes from a shading language, its uses
    /// say what belongs together ([`super::group`]), and all but parameters of functions are packs of their own first.
    pub(super) fn pack_machine_lanes(&mut self) {
        let joins = !self.module.vectors_by_use;
        self.counted = if self.module.from_shading_language { self.find_counted() } else { Vec::new() };
        let used = self.find_used();
        for at in 0..self.cfg.order.len() {
            let block = self.cfg.order[at];
            self.pack_params(block, joins || at == 0);
            // What later lanes may join: lanes of one machine instruction stand near each other.
            let mut open: VecDeque<((u32, u8, KeyId, Scalar), PackId)> = VecDeque::with_capacity(WINDOW);
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
                    Op::Atomic(..) | Op::Image(_) if inst.results.len() == 1 => {
                        // A result that nobody reads needs no variable.
                        if let Some(value) = inst.results.first().filter(|value| used[value.index()]) {
                            let (make, kind) = (Make::Call, self.kinds.of(*value));
                            let lanes = smallvec![*value];
                            self.add_pack(Pack { lanes, make, block, position, kind, alive: true });
                        }
                        continue;
                    }
                    Op::Normalize(_)
                    | Op::Cross
                    | Op::Refract(_)
                    | Op::InverseTimes(_)
                    | Op::TimesInverse(_)
                    | Op::Texture(_)
                    | Op::Image(_)
                        if !inst.results.is_empty() =>
                    {
                        let lanes = Lanes::from_slice(&inst.results);
                        let kind = match inst.op {
                            Op::Texture(texture) => self.interface.texel(texture),
                            Op::Image(image) => self.interface.image_scalar(image),
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
                if let Some(key) = key.filter(|_| joins && origin.instruction != u32::MAX) {
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

    pub(super) fn single(&mut self, value: Value, block: BlockId, position: u32) -> PackId {
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

    /// Parameters of a block, those of one register together if `joins`.
    fn pack_params(&mut self, block: BlockId, joins: bool) {
        let params = &self.function.blocks[block.index()].params;
        let mut lists: Vec<Lanes> = Vec::new();
        if joins {
            let is_entry = self.cfg.order.first() == Some(&block);
            let variable = |param: &Value| self.function.values[param.index()].variable;
            let scalars: Vec<_> =
                params.iter().map(|param| (variable(param), self.kinds.of(*param))).collect();
            for group in super::calls::group(self.registers, &scalars) {
                let members = group.members.iter().map(|at| params[*at]);
                // What counts passes is no component of a vector.
                let counts = |param: &Value| !is_entry && self.counted.get(param.index()) == Some(&true);
                let (alone, together): (Vec<Value>, Vec<Value>) = members.partition(counts);
                lists.extend((!together.is_empty()).then(|| together.into()));
                lists.extend(alone.into_iter().map(|param| Lanes::from_slice(&[param])));
            }
        } else {
            lists.extend(params.iter().map(|param| Lanes::from_slice(&[*param])));
        }
        for lanes in lists {
            let kind = self.kinds.of(lanes[0]);
            self.add_pack(Pack { lanes, make: Make::Params, block, position: 0, kind, alive: true });
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

    /// What an operation must share with another to be a lane of one vector operation, as a number that equal ones
    /// share; none for one that is always scalar.
    pub(super) fn key(&mut self, value: Value) -> Option<KeyId> {
        if let Some(known) = self.keys.of_value.get(value.index()).copied().flatten() {
            return known;
        }
        let found = self.find_key(value).map(|key| {
            let next = KeyId(self.keys.known.len() as u32);
            *self.keys.known.entry(key).or_insert(next)
        });
        if let Some(slot) = self.keys.of_value.get_mut(value.index()) {
            *slot = Some(found);
        }
        found
    }

    fn find_key(&mut self, value: Value) -> Option<Key> {
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
            | Op::Compound(_)
            | Op::Exponent
            | Op::Fract => Some(Key::Op(inst.op)),
            Op::FFma(mode, _) if mode.width == crate::Width::F16 => None,
            Op::FFma(_, rule) => (self.mode == super::Mode::Readable || rule == crate::Multiply::Ieee)
                .then_some(Key::Op(inst.op)),
            Op::Select if self.kinds.of(value) == Scalar::Float => Some(Key::Op(inst.op)),
            Op::Select => Some(Key::SelectBy(*inst.args.first()?)),
            Op::Load(access) if matches!(access.space, Space::Shared | Space::Storage) => {
                let element = self.interface.element(access).filter(|element| element.components > 1)?;
                let changes = *self.changes_before.get(&value)?;
                Some(Key::Word(Element { component: 0, ..element }, inst.args.first().copied(), changes))
            }
            Op::UnpackNorm(norm, _) => Some(Key::Unpacked(norm, *inst.args.first()?)),
            Op::Load(access) if access.space == Space::Output => {
                let changes = *self.changes_before.get(&value)?;
                match inst.args.first() {
                    Some(index) => match self.interface.indexed(access)? {
                        Indexed::Elements { global, first, steps, .. } => {
                            Some(Key::Output(global, Some(first), Some((steps, *index)), changes))
                        }
                        Indexed::Words { .. } => None,
                    },
                    None => {
                        let lane = *self.interface.lanes(access).first()?;
                        Some(Key::Output(lane.global, lane.element, None, changes))
                    }
                }
            }
            Op::Load(access) if access.is_indexed() => self.element_key(access, *inst.args.first()?),
            Op::Interpolate(place, access) if !access.is_indexed() => {
                let lane = *self.interface.lanes(access).first()?;
                let at = [inst.args.first().copied(), inst.args.get(1).copied()];
                Some(Key::Interpolated(place, lane.global, lane.element, at))
            }
            _ => None,
        }
    }

    fn element_key(&mut self, access: Access, index: Value) -> Option<Key> {
        if !matches!(access.space, Space::Input | Space::Uniform) {
            return None;
        }
        match self.interface.indexed(access)? {
            Indexed::Elements { global, first, steps, .. } => Some(Key::Element(global, first, steps, index)),
            Indexed::Words { .. } => None,
        }
    }

    /// Replaces single packs by one pack of their values.
    pub(super) fn replace(&mut self, lanes: Lanes, make: Make) -> PackId {
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
            self.turned[value.index()] = false;
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
}
