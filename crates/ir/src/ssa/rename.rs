//! Placing block parameters and renaming, one function at a time.

use super::{Liveness, members};
use crate::cfg::{Cfg, Dominators};
use crate::{
    BlockId, Function, Inst, InstId, Op, Origin, Terminator, Type, Value, ValueData, ValueDef, VarId,
    Variable,
};

/// No value yet.
const NONE: Value = Value(u32::MAX);

pub(super) struct Renaming<'a> {
    pub(super) variables: &'a [Variable],
    pub(super) liveness: &'a Liveness,
    /// Index of the function.
    pub(super) id: usize,
    pub(super) is_entry: bool,
}

/// What the walk over the dominator tree carries along.
struct Walk {
    /// The value of each variable here.
    current: Vec<Value>,
    /// Which machine instruction wrote that value there; `u32::MAX`: none, or one of several.
    writer: Vec<u32>,
    /// What to restore when a subtree is left: depth of its root, variable, value and writer before.
    undo: Vec<(u32, u32, Value, u32)>,
    /// The value that a read of a variable gave.
    replacement: Vec<Value>,
    /// Which machine instruction wrote what such a read gave.
    read_from: Vec<u32>,
}

impl Walk {
    fn set(&mut self, depth: u32, variable: usize, value: Value) {
        self.set_by(depth, variable, value, u32::MAX);
    }

    fn set_by(&mut self, depth: u32, variable: usize, value: Value, writer: u32) {
        let before = std::mem::replace(&mut self.current[variable], value);
        let writer = std::mem::replace(&mut self.writer[variable], writer);
        self.undo.push((depth, variable as u32, before, writer));
    }

    fn resolve(&self, value: &mut Value) {
        if let Some(replacement) = self.replacement.get(value.index())
            && *replacement != NONE
        {
            *value = *replacement;
        }
    }
}

impl Renaming<'_> {
    /// Rewrites the function; answers how many reads and writes went.
    pub(super) fn run(&self, function: &mut Function, cfg: &Cfg, dominators: &Dominators) -> usize {
        let mut walk = Walk {
            current: vec![NONE; self.variables.len()],
            writer: vec![u32::MAX; self.variables.len()],
            undo: Vec::new(),
            replacement: vec![NONE; function.values.len()],
            read_from: vec![u32::MAX; function.values.len()],
        };
        self.enter(function, &mut walk);
        let placed = self.place_params(function, cfg, dominators);
        let results = self.liveness.results(self.id);
        let mut replaced = 0;
        for block in &dominators.preorder {
            let depth = dominators.depth(*block);
            while let Some((from, variable, before, writer)) = walk.undo.last().copied()
                && from >= depth
                && *block != BlockId(0)
            {
                walk.current[variable as usize] = before;
                walk.writer[variable as usize] = writer;
                walk.undo.pop();
            }
            for (variable, param) in &placed[block.index()] {
                walk.set(depth, *variable as usize, *param);
            }
            replaced += self.rewrite_block(function, *block, depth, &mut walk);
            let mut terminator =
                std::mem::replace(&mut function.blocks[block.index()].terminator, Terminator::Unreachable);
            terminator.for_each_value_mut(|value| walk.resolve(value));
            if let Terminator::Return(values) = &mut terminator {
                values.extend(members(&results).map(|variable| walk.current[variable]));
            }
            for target in terminator.targets_mut() {
                let wanted = &placed[target.block.index()];
                target.args.extend(wanted.iter().map(|(variable, _)| walk.current[*variable as usize]));
            }
            function.blocks[block.index()].terminator = terminator;
        }
        if function.results.is_empty() {
            function.result_vars = members(&results).map(|variable| VarId(variable as u32)).collect();
        } else if members(&results).next().is_some() {
            function.result_vars.clear();
        }
        function.results.extend(members(&results).map(|variable| self.variables[variable].ty));
        replaced
    }

    /// Values of the variables at the start: constants in the entry function, else parameters.
    fn enter(&self, function: &mut Function, walk: &mut Walk) {
        let mut constants = Vec::new();
        for variable in members(self.liveness.params(self.id)) {
            let data = &self.variables[variable];
            let value = if self.is_entry {
                let op = match data.ty {
                    Type::Bool => Op::Bool(data.initial != 0),
                    Type::B16 => Op::B16(data.initial as u16),
                    Type::B32 => Op::B32(data.initial as u32),
                    Type::B64 => Op::B64(data.initial),
                };
                let nowhere = Origin { instruction: u32::MAX, step: 0, lane: 0 };
                let inst = function.push_inst(op, &[], &[data.ty], nowhere);
                constants.push(inst);
                let value = function.result(inst, 0);
                function.values[value.index()].variable = Some(VarId(variable as u32));
                value
            } else {
                function.push_param(BlockId(0), data.ty, Some(VarId(variable as u32)))
            };
            walk.set(0, variable, value);
        }
        function.blocks[0].insts.splice(0..0, constants);
    }

    /// Gives parameters to the blocks where definitions meet: the iterated dominance frontier of each
    /// variable's definitions, as far as the variable is live there.
    fn place_params(
        &self,
        function: &mut Function,
        cfg: &Cfg,
        dominators: &Dominators,
    ) -> Vec<Vec<(u32, Value)>> {
        let mut placed = vec![Vec::new(); function.blocks.len()];
        let definitions = self.liveness.definitions(function, cfg);
        if definitions.is_empty() {
            return placed;
        }
        let frontiers = dominators.frontiers(cfg);
        let mut seen = vec![u32::MAX; function.blocks.len()];
        let mut work = Vec::new();
        for group in definitions.chunk_by(|a, b| a.0 == b.0) {
            let variable = group[0].0;
            work.extend(group.iter().map(|(_, block)| *block));
            while let Some(block) = work.pop() {
                for join in &frontiers[block.index()] {
                    if std::mem::replace(&mut seen[join.index()], variable) != variable
                        && self.liveness.is_live_in(self.id, *join, variable as usize)
                    {
                        let ty = self.variables[variable as usize].ty;
                        let param = function.push_param(*join, ty, Some(VarId(variable)));
                        placed[join.index()].push((variable, param));
                        work.push(*join);
                    }
                }
            }
        }
        placed
    }

    fn rewrite_block(&self, function: &mut Function, block: BlockId, depth: u32, walk: &mut Walk) -> usize {
        let mut list = std::mem::take(&mut function.blocks[block.index()].insts);
        let before = list.len();
        list.retain(|id| {
            let Function { insts, values, .. } = &mut *function;
            let inst = &mut insts[id.index()];
            if let (Op::Store(_), Some(stored)) = (inst.op, inst.args.last())
                && let Some(writer) = walk.read_from.get(stored.index())
                && inst.origin.instruction == u32::MAX
            {
                // What a machine hands on at the end stands in a register: what put it there is what stores it.
                inst.origin.instruction = *writer;
            }
            inst.args.iter_mut().for_each(|arg| walk.resolve(arg));
            match inst.op {
                Op::ReadVar(variable) => {
                    walk.read_from[inst.results[0].index()] = walk.writer[variable.index()];
                    walk.replacement[inst.results[0].index()] = walk.current[variable.index()];
                    false
                }
                Op::WriteVar(variable) => {
                    let value = inst.args[0];
                    values[value.index()].variable.get_or_insert(variable);
                    walk.set_by(depth, variable.index(), value, inst.origin.instruction);
                    false
                }
                Op::Call(callee) => {
                    self.rewrite_call(inst, *id, callee.index(), values, depth, walk);
                    true
                }
                _ => true,
            }
        });
        let replaced = before - list.len();
        function.blocks[block.index()].insts = list;
        replaced
    }

    fn rewrite_call(
        &self,
        inst: &mut Inst,
        id: InstId,
        callee: usize,
        values: &mut Vec<ValueData>,
        depth: u32,
        walk: &mut Walk,
    ) {
        let needs = members(self.liveness.params(callee));
        inst.args.extend(needs.map(|variable| walk.current[variable]));
        for variable in members(&self.liveness.results(callee)) {
            let value = Value(values.len() as u32);
            values.push(ValueData {
                ty: self.variables[variable].ty,
                def: ValueDef::Result(id, inst.results.len() as u16),
                variable: Some(VarId(variable as u32)),
            });
            inst.results.push(value);
            walk.set(depth, variable, value);
        }
    }
}
