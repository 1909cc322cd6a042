//! Value numbering: in reverse post-order, each operation is simplified, then replaced by an equal one that
//! dominates it. Block parameters that get the same value from everywhere go the same way.
//!
//! Behind a branch its condition is known, as far as the branch dominates.
//!
//! Constants are kept once each, at the start of block 0, so that they are at hand everywhere.

use super::Changes;
use super::edit::{Forward, clear_unreachable, is_constant};
use super::fold::{FixedWords, Folder, Rules, Simpler};
use crate::cfg::{Cfg, Dominators};
use crate::{BlockId, Effect, Function, InstId, Module, Op, Origin, Space, Terminator, Type, Value};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// What must hold where a rule of [`Rules::Finite`] was used that is not exact.
pub(super) const ASSUMPTION: &str = "the sign of a zero does not matter, and no NaN is compared";

/// Numbers all functions; counts the instructions and parameters that were replaced or simplified.
pub(super) fn run(module: &mut Module, rules: Rules) -> Changes {
    let fixed = FixedWords::new(module);
    let mut table = Table::default();
    let mut changed = 0;
    let mut assumed = false;
    for function in &mut module.functions {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        table.clear(function.insts.len());
        let forward = Forward::new(function);
        let place = vec![BlockId(0); function.insts.len()];
        let mut numbering = Numbering {
            function,
            cfg: &cfg,
            dominators: &dominators,
            fixed: &fixed,
            rules,
            forward,
            table: &mut table,
            place,
            constants: Vec::new(),
            facts: Facts::default(),
            changed: 0,
            assumed: false,
        };
        numbering.run();
        changed += numbering.changed;
        assumed |= numbering.assumed;
    }
    let changes = Changes::from(changed);
    if assumed { changes.assume(ASSUMPTION) } else { changes }
}

struct Numbering<'a> {
    function: &'a mut Function,
    cfg: &'a Cfg,
    dominators: &'a Dominators,
    fixed: &'a FixedWords,
    rules: Rules,
    forward: Forward,
    table: &'a mut Table,
    /// Block of each instruction that is in the table.
    place: Vec<BlockId>,
    /// The constants, for the start of block 0.
    constants: Vec<InstId>,
    facts: Facts,
    changed: usize,
    /// A rule that is not exact was used.
    assumed: bool,
}

/// Conditions that are known in a block and all that it dominates: lists by value, the last first.
#[derive(Debug, Default)]
struct Facts {
    first: Vec<u32>,
    /// Block, what holds there, the fact about the same value before.
    list: Vec<(BlockId, bool, u32)>,
}

impl Facts {
    const END: u32 = u32::MAX;

    fn add(&mut self, condition: Value, block: BlockId, holds: bool) {
        if self.first.len() <= condition.index() {
            self.first.resize(condition.index() + 1, Self::END);
        }
        let before = std::mem::replace(&mut self.first[condition.index()], self.list.len() as u32);
        self.list.push((block, holds, before));
    }

    fn get(&self, condition: Value, block: BlockId, dominators: &Dominators) -> Option<bool> {
        let mut at = *self.first.get(condition.index())?;
        // So many branches on one value are looked at, no more.
        for _ in 0..64 {
            let (region, holds, before) = *self.list.get(at as usize)?;
            if dominators.dominates(region, block) {
                return Some(holds);
            }
            at = before;
        }
        None
    }
}

/// Parameters in front of one that are compared with it.
const MOST_ALIKE: usize = 32;

/// How often one instruction is simplified further; each step makes it smaller, so this is never reached in
/// practice.
const STEPS: usize = 16;

impl Numbering<'_> {
    fn run(&mut self) {
        let cfg = self.cfg;
        for block in &cfg.order {
            self.params(*block);
            self.learn(*block);
            let mut list = std::mem::take(&mut self.function.blocks[block.index()].insts);
            list.retain(|inst| self.visit(*block, *inst));
            let body = &mut self.function.blocks[block.index()];
            body.insts = list;
            let forward = &mut self.forward;
            body.terminator.for_each_value_mut(|value| *value = forward.resolve(*value));
            if let Terminator::Branch { condition, .. } = body.terminator
                && let Some(holds) = self.known(condition, *block)
                && let Terminator::Branch { condition, .. } =
                    &mut self.function.blocks[block.index()].terminator
            {
                *condition = holds;
                self.changed += 1;
            }
        }
        // Unreachable blocks may still name values that were replaced.
        clear_unreachable(self.function, cfg);
        let first = &mut self.function.blocks[0].insts;
        first.splice(0..0, self.constants.drain(..));
    }

    /// What a block that only one side of a branch leads to knows of its condition.
    fn learn(&mut self, block: BlockId) {
        // Block 0 has one more way in: the start.
        let ([from], true) = (self.cfg.predecessors(block), block != BlockId(0)) else { return };
        if let Terminator::Branch { condition, then, .. } = &self.function.blocks[from.index()].terminator {
            self.facts.add(*condition, block, then.block == block);
        }
    }

    /// The constant that a condition is in a block, where it is known.
    fn known(&mut self, condition: Value, block: BlockId) -> Option<Value> {
        if self.function.ty(condition) != Type::Bool {
            return None;
        }
        let holds = self.facts.get(condition, block, self.dominators)?;
        Some(self.new_constant(Op::Bool(holds)))
    }

    /// Replaces the parameters of a block that are the same from everywhere.
    fn params(&mut self, block: BlockId) {
        let params = std::mem::take(&mut self.function.blocks[block.index()].params);
        if block != BlockId(0) {
            let mut kept: Vec<(usize, Value)> = Vec::new();
            for (n, param) in params.iter().enumerate() {
                let same = self.same_from_everywhere(block, n, *param);
                if let Some(value) = same.or_else(|| self.same_as_another(block, n, &kept)) {
                    self.forward.set(*param, value);
                    self.changed += 1;
                } else {
                    kept.push((n, *param));
                }
            }
        }
        self.function.blocks[block.index()].params = params;
    }

    fn same_from_everywhere(&mut self, block: BlockId, n: usize, param: Value) -> Option<Value> {
        let mut same = None;
        let mut before = None;
        for from in self.cfg.predecessors(block) {
            // Edges from one block stand together; all of them are looked at the first time.
            if before.replace(*from) == Some(*from) {
                continue;
            }
            for target in self.function.blocks[from.index()].terminator.targets() {
                if target.block != block {
                    continue;
                }
                let arg = self.forward.resolve(*target.args.get(n)?);
                if arg != param && *same.get_or_insert(arg) != arg {
                    return None;
                }
            }
        }
        same
    }

    /// The parameter in front of one that gets the same as that one from everywhere.
    fn same_as_another(&mut self, block: BlockId, n: usize, others: &[(usize, Value)]) -> Option<Value> {
        let mut left: SmallVec<[(usize, Value); 8]> = others.iter().copied().take(MOST_ALIKE).collect();
        for from in self.cfg.predecessors(block) {
            for target in self.function.blocks[from.index()].terminator.targets() {
                if target.block != block || left.is_empty() {
                    continue;
                }
                let arg = self.forward.resolve(*target.args.get(n)?);
                left.retain(|(other, _)| {
                    target.args.get(*other).is_some_and(|other| self.forward.resolve(*other) == arg)
                });
            }
        }
        left.first().map(|(_, param)| *param)
    }

    /// Whether the instruction stays where it is.
    fn visit(&mut self, block: BlockId, id: InstId) -> bool {
        for at in 0..self.function.insts[id.index()].args.len() {
            let arg = self.function.insts[id.index()].args[at];
            let arg = self.forward.resolve(arg);
            let known = self.known(arg, block);
            self.changed += usize::from(known.is_some());
            self.function.insts[id.index()].args[at] = known.unwrap_or(arg);
        }
        for _ in 0..STEPS {
            let inst = &self.function.insts[id.index()];
            if is_constant(&inst.op) {
                let (op, result) = (inst.op, inst.results[0]);
                return self.constant(id, &op, result);
            }
            let folder = Folder { function: self.function, fixed: self.fixed, rules: self.rules };
            let Some(simpler) = folder.simplify(id) else { break };
            if self.rules == Rules::Finite && !self.assumed {
                let exact = Folder { rules: Rules::Exact, ..folder };
                self.assumed = exact.simplify(id).as_ref() != Some(&simpler);
            }
            self.changed += 1;
            match simpler {
                Simpler::Value(value) => {
                    self.replace(id, value);
                    return false;
                }
                Simpler::Constant(op) => {
                    self.function.insts[id.index()].op = op;
                    self.function.insts[id.index()].args.clear();
                }
                Simpler::Inst(op, args) => {
                    self.function.insts[id.index()].op = op;
                    self.function.insts[id.index()].args = args;
                }
                Simpler::WithConstant(op, value, constant) => {
                    let constant = self.new_constant(constant);
                    self.function.insts[id.index()].op = op;
                    self.function.insts[id.index()].args = [value, constant].into_iter().collect();
                }
            }
        }
        let inst = &self.function.insts[id.index()];
        let effect = inst.op.effect();
        if inst.results.is_empty() || !matches!(effect, Effect::Pure | Effect::Quad) {
            return true;
        }
        match self.table.find(self.function, id) {
            Entry::Found(slot, known) => {
                let place = self.place[known.index()];
                if place == block || effect == Effect::Pure && self.dominators.dominates(place, block) {
                    for n in 0..self.function.insts[id.index()].results.len() {
                        let (from, to) = (self.function.result(id, n), self.function.result(known, n));
                        self.inherit(from, to);
                        self.forward.set(from, to);
                    }
                    self.changed += 1;
                    return false;
                }
                self.table.put(slot, id);
            }
            Entry::Free(slot) => self.table.add(slot, id),
        }
        self.place[id.index()] = block;
        true
    }

    fn replace(&mut self, id: InstId, value: Value) {
        let result = self.function.insts[id.index()].results[0];
        self.inherit(result, value);
        self.forward.set(result, value);
    }

    /// A value that had no variable takes that of the value it replaces.
    fn inherit(&mut self, from: Value, to: Value) {
        if let Some(variable) = self.function.values[from.index()].variable {
            self.function.values[to.index()].variable.get_or_insert(variable);
        }
    }

    /// Moves a constant to the start of block 0, or replaces it by the one that is there.
    fn constant(&mut self, id: InstId, op: &Op, result: Value) -> bool {
        match self.table.find(self.function, id) {
            Entry::Found(_, known) => {
                let known = self.function.result(known, 0);
                self.forward.set(result, known);
            }
            Entry::Free(slot) => {
                debug_assert!(is_constant(op));
                self.table.add(slot, id);
                self.place[id.index()] = BlockId(0);
                self.constants.push(id);
            }
        }
        false
    }

    fn new_constant(&mut self, op: Op) -> Value {
        let ty = match op {
            Op::Bool(_) => Type::Bool,
            Op::B16(_) => Type::B16,
            Op::B64(_) => Type::B64,
            _ => Type::B32,
        };
        let nowhere = Origin { instruction: u32::MAX, step: 0, lane: 0 };
        let id = self.function.push_inst(op, &[], &[ty], nowhere);
        self.place.push(BlockId(0));
        let result = self.function.result(id, 0);
        self.constant(id, &op, result);
        self.forward.resolve(result)
    }
}

/// Instructions by operation and operands: open addressing over ids.
#[derive(Debug, Default)]
struct Table {
    slots: Vec<u32>,
    used: usize,
}

enum Entry {
    /// In that slot stands an equal one.
    Found(usize, InstId),
    /// That slot is free for it.
    Free(usize),
}

const FREE: u32 = u32::MAX;

impl Table {
    fn clear(&mut self, insts: usize) {
        let size = (insts * 2).next_power_of_two().max(64);
        self.slots.clear();
        self.slots.resize(size, FREE);
        self.used = 0;
    }

    fn find(&mut self, function: &Function, id: InstId) -> Entry {
        if self.used * 4 > self.slots.len() * 3 {
            self.grow(function);
        }
        let inst = &function.insts[id.index()];
        let mask = self.slots.len() - 1;
        let mut slot = hash(function, id) as usize & mask;
        loop {
            let at = self.slots[slot];
            if at == FREE {
                return Entry::Free(slot);
            }
            let other = &function.insts[at as usize];
            if other.op == inst.op && same_args(function, &inst.op, &inst.args, &other.args) {
                return Entry::Found(slot, InstId(at));
            }
            slot = (slot + 1) & mask;
        }
    }

    fn put(&mut self, slot: usize, id: InstId) {
        self.slots[slot] = id.0;
    }

    fn add(&mut self, slot: usize, id: InstId) {
        self.put(slot, id);
        self.used += 1;
    }

    fn grow(&mut self, function: &Function) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![FREE; old.len() * 2];
        let mask = self.slots.len() - 1;
        for id in old.into_iter().filter(|id| *id != FREE) {
            let mut slot = hash(function, InstId(id)) as usize & mask;
            while self.slots[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = id;
        }
    }
}

fn same_args(function: &Function, op: &Op, a: &[Value], b: &[Value]) -> bool {
    // A dot product is the same with its vectors in the other order, each product being so. That is looked for where a matrix
    // comes in: elsewhere the order that a person wrote says more than one name for both.
    if let Op::Dot(lanes) = op
        && let (Some((a, with_a)), Some((b, with_b))) =
            (a.split_at_checked((*lanes).into()), b.split_at_checked((*lanes).into()))
        && (a, with_a) == (with_b, b)
    {
        return is_across(function, a) || is_across(function, b);
    }
    a == b || (op.is_commutative() && a.len() >= 2 && a[..2] == [b[1], b[0]] && a[2..] == b[2..])
}

/// Whether values are a row of a matrix by columns: loaded from uniforms a vector apart.
fn is_across(function: &Function, values: &[Value]) -> bool {
    let place = |value: &Value| match function.definition(*value)?.op {
        Op::Load(access) if access.space == Space::Uniform => Some((access.binding, access.offset)),
        _ => None,
    };
    let Some((binding, first)) = values.first().and_then(place) else { return false };
    (0_u32..).zip(values).all(|(n, value)| place(value) == Some((binding, first.wrapping_add(4 * n))))
}

/// Multiply and rotate, which spreads small numbers well enough; equal for operands that may change places.
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64((*byte).into());
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x517C_C1B7_2722_0A95);
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }

    fn finish(&self) -> u64 {
        self.0 >> 20
    }
}

fn hash(function: &Function, id: InstId) -> u64 {
    let inst = &function.insts[id.index()];
    let mut mixer = Mixer(0);
    inst.op.hash(&mut mixer);
    match inst.args[..] {
        _ if matches!(inst.op, Op::Dot(_)) => {
            let (a, b) = inst.args.split_at(inst.args.len() / 2);
            for (a, b) in a.iter().zip(b) {
                mixer.write_u32(a.0.min(b.0));
                mixer.write_u32(a.0.max(b.0));
            }
        }
        [a, b, ..] if inst.op.is_commutative() => {
            mixer.write_u32(a.0.min(b.0));
            mixer.write_u32(a.0.max(b.0));
            inst.args[2..].iter().for_each(|arg| mixer.write_u32(arg.0));
        }
        _ => inst.args.iter().for_each(|arg| mixer.write_u32(arg.0)),
    }
    mixer.finish()
}
