//! What only one side of a condition uses is computed there, not in front of the condition.
//!
//! Machines and their compilers compute early; a person computes where the value is wanted. Every pure
//! instruction moves down to the nearest block that dominates all its uses, but never into a loop. Lanes of one
//! vector instruction move together or not at all. Exact.

use super::edit::is_constant;
use crate::cfg::{Cfg, Dominators, Loops};
use crate::quick::QuickMap;
use crate::{BlockId, Effect, Function, InstId, Module, Op, Origin, Terminator};
use std::mem::{Discriminant, discriminant};

/// Lanes of one machine instruction: its number, its step, and what the operation is.
type Lanes = (u32, u8, Discriminant<Op>);

/// How far up the tree of dominators is looked for a place, for each use.
const CLIMB: usize = 64;

pub(super) fn run(module: &mut Module) -> usize {
    module.functions.iter_mut().map(of_function).sum()
}

/// Where an instruction would go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing uses it.
    Nowhere,
    Block(BlockId),
    /// It stays, or it is not known where it goes.
    Here,
}

struct Mover<'a> {
    function: &'a Function,
    dominators: &'a Dominators,
    loops: &'a Loops,
    /// By value: a block that dominates all uses seen so far.
    wanted: Vec<Place>,
    /// By value: uses by lanes that wait for the others of their instruction.
    pending: Vec<u32>,
}

impl Mover<'_> {
    /// The nearest block that dominates both.
    fn meet(&self, a: BlockId, b: BlockId) -> Option<BlockId> {
        let (mut a, mut b) = (a, b);
        for _ in 0..2 * CLIMB {
            if a == b {
                return Some(a);
            }
            if self.dominators.depth(a) >= self.dominators.depth(b) {
                a = self.dominators.immediate(a)?;
            } else {
                b = self.dominators.immediate(b)?;
            }
        }
        None
    }

    fn used(&mut self, value: crate::Value, block: BlockId) {
        let Some(place) = self.wanted.get(value.index()).copied() else { return };
        let now = match place {
            Place::Nowhere => Place::Block(block),
            Place::Block(other) => self.meet(other, block).map_or(Place::Here, Place::Block),
            Place::Here => Place::Here,
        };
        self.wanted[value.index()] = now;
    }

    /// Where an instruction of a block goes.
    fn place(&self, id: InstId, from: BlockId) -> Place {
        let inst = &self.function.insts[id.index()];
        let plain_load = matches!(inst.op, Op::Load(access) if !access.is_indexed());
        if inst.op.effect() != Effect::Pure || is_constant(&inst.op) || plain_load {
            return Place::Here;
        }
        let mut to: Option<BlockId> = None;
        for result in &inst.results {
            if self.pending[result.index()] > 0 {
                return Place::Here;
            }
            match (self.wanted[result.index()], to) {
                (Place::Nowhere, _) => {}
                (Place::Block(block), None) => to = Some(block),
                (Place::Block(block), Some(other)) => match self.meet(block, other) {
                    Some(met) => to = Some(met),
                    None => return Place::Here,
                },
                (Place::Here, _) => return Place::Here,
            }
        }
        let Some(mut to) = to else { return Place::Here };
        let depth = |block| self.loops.innermost(block).map_or(0, |id| self.loops.get(id).depth);
        for _ in 0..CLIMB {
            if to == from || !self.dominators.dominates(from, to) {
                return Place::Here;
            }
            if self.loops.innermost(to) == self.loops.innermost(from) || depth(to) < depth(from) {
                return Place::Block(to);
            }
            match self.dominators.immediate(to) {
                Some(up) => to = up,
                None => return Place::Here,
            }
        }
        Place::Here
    }
}

fn of_function(function: &mut Function) -> usize {
    if function.blocks.len() < 2 {
        return 0;
    }
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &dominators);
    let wanted = vec![Place::Nowhere; function.values.len()];
    let pending = vec![0; function.values.len()];
    let mut mover = Mover { function, dominators: &dominators, loops: &loops, wanted, pending };
    // The new place of each instruction that moves; the last of a block come first.
    let mut moved: Vec<(InstId, BlockId)> = Vec::new();
    for block in cfg.order.iter().rev() {
        of_block(&mut mover, *block, &mut moved);
    }
    if moved.is_empty() {
        return 0;
    }
    let mut target: Vec<Option<BlockId>> = vec![None; function.insts.len()];
    let mut arriving: Vec<Vec<InstId>> = vec![Vec::new(); function.blocks.len()];
    for (id, to) in moved.iter().rev() {
        target[id.index()] = Some(*to);
    }
    for block in &cfg.order {
        for id in &function.blocks[block.index()].insts {
            if let Some(to) = target[id.index()] {
                arriving[to.index()].push(*id);
            }
        }
    }
    for (index, arriving) in arriving.into_iter().enumerate() {
        let body = &mut function.blocks[index];
        body.insts.retain(|id| target[id.index()].is_none());
        body.insts.splice(0..0, arriving);
    }
    moved.len()
}

/// Decides about the instructions of a block, the last first: what uses them has been decided about.
fn of_block(mover: &mut Mover<'_>, block: BlockId, moved: &mut Vec<(InstId, BlockId)>) {
    let function = mover.function;
    let body = &function.blocks[block.index()];
    match &body.terminator {
        Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => {
            mover.used(*value, block);
        }
        Terminator::Return(values) => values.iter().for_each(|value| mover.used(*value, block)),
        _ => {}
    }
    for target in body.terminator.targets() {
        target.args.iter().for_each(|arg| mover.used(*arg, block));
    }
    // Lanes of one machine instruction: how many are to come, and those so far.
    let mut groups: QuickMap<Lanes, (usize, Vec<InstId>)> = QuickMap::default();
    let key = |id: InstId| {
        let inst = &function.insts[id.index()];
        let Origin { instruction, step, .. } = inst.origin;
        // One word of some machines does several things at once.
        (instruction != u32::MAX).then_some((instruction, step, discriminant(&inst.op)))
    };
    for id in &body.insts {
        if let Some(key) = key(*id) {
            groups.entry(key).or_default().0 += 1;
        }
    }
    for id in body.insts.iter().rev() {
        let Some((left, members)) = key(*id).and_then(|key| groups.get_mut(&key)) else {
            settle(mover, &[*id], block, moved);
            continue;
        };
        *left -= 1;
        members.push(*id);
        for arg in &function.insts[id.index()].args {
            mover.pending[arg.index()] += 1;
        }
        if *left == 0 {
            let members = std::mem::take(members);
            for arg in members.iter().flat_map(|id| &function.insts[id.index()].args) {
                mover.pending[arg.index()] -= 1;
            }
            settle(mover, &members, block, moved);
        }
    }
}

/// Moves lanes that go to one place, and notes where their operands are used.
fn settle(mover: &mut Mover<'_>, members: &[InstId], block: BlockId, moved: &mut Vec<(InstId, BlockId)>) {
    let function = mover.function;
    let mut places = members.iter().map(|id| mover.place(*id, block));
    let place = places.next().unwrap_or(Place::Here);
    let at = match place {
        Place::Block(to) if places.all(|other| other == place) => {
            moved.extend(members.iter().map(|id| (*id, to)));
            to
        }
        _ => block,
    };
    for id in members {
        function.insts[id.index()].args.iter().for_each(|arg| mover.used(*arg, at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{assert_same, program};
    use crate::{CompareInt, Type};

    /// `x = a + b; y = x * c; if (d < e) r = y; else r = f`, with `x` used on the other side too if asked for.
    fn module(other_too: bool) -> Module {
        program(|builder, inputs| {
            builder.at(Origin { instruction: 4, step: 0, lane: 0 });
            let sum = builder.value(Op::IAdd, &[inputs[0], inputs[1]]);
            builder.at(Origin { instruction: 5, step: 0, lane: 0 });
            let product = builder.value(Op::IMul, &[sum, inputs[2]]);
            builder.at(Origin { instruction: 6, step: 0, lane: 0 });
            let less = builder.value(Op::ICompare(CompareInt::Slt), &[inputs[3], inputs[4]]);
            let [then, otherwise, join] = [(); 3].map(|()| builder.block());
            let result = builder.param(join, Type::B32);
            builder.branch(less, then, otherwise);
            builder.switch_to(then);
            let more = builder.value(Op::Xor, &[product, inputs[5]]);
            builder.jump(join, &[more]);
            builder.switch_to(otherwise);
            let other = if other_too { sum } else { inputs[5] };
            let less = builder.value(Op::ISub, &[other, inputs[1]]);
            builder.jump(join, &[less]);
            builder.switch_to(join);
            vec![result]
        })
    }

    #[test]
    fn what_one_side_uses_moves_there() {
        for (other_too, expected) in [(false, 2), (true, 1)] {
            let before = module(other_too);
            let mut after = before.clone();
            assert_eq!(run(&mut after), expected, "{after}");
            assert!(crate::verify::check(&after).is_empty(), "{after}");
            assert_same(&before, &after, 1);
            assert_eq!(run(&mut after), 0);
        }
    }

    #[test]
    fn nothing_moves_into_a_loop() {
        let module = program(|builder, inputs| {
            let (zero, one, limit) = (builder.bits(0), builder.bits(1), builder.bits(4));
            let product = builder.value(Op::IMul, &[inputs[0], inputs[1]]);
            let [head, body, out] = [(); 3].map(|()| builder.block());
            let (count, sum) = (builder.param(head, Type::B32), builder.param(head, Type::B32));
            builder.jump(head, &[zero, zero]);
            builder.switch_to(head);
            let more = builder.value(Op::ICompare(CompareInt::Ult), &[count, limit]);
            builder.branch(more, body, out);
            builder.switch_to(body);
            let next = builder.value(Op::IAdd, &[count, one]);
            let total = builder.value(Op::IAdd, &[sum, product]);
            builder.jump(head, &[next, total]);
            builder.switch_to(out);
            vec![sum]
        });
        assert_eq!(run(&mut module.clone()), 0);
    }
}
