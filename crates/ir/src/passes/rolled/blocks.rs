//! The loop of passes that each have a block: how it is compared, and how it is made.

use super::super::edit::{Forward, constant, is_constant};
use super::breaks::Run;
use super::plan::{ANYTHING, Node, Plan, Shapes};
use super::write::{NOWHERE, Writer, Written, make, param};
use crate::{
    Block, BlockId, CompareInt, Effect, Function, Global, InstId, Op, Target, Terminator, Type, Value,
};
use std::collections::BTreeSet;

/// A loop to be made of blocks.
pub(super) struct Loop {
    written: Written,
    /// What is asked in each pass, and what each way out gives; nothing where there is no way out.
    asked: Vec<usize>,
    /// Operations of a pass.
    pub(super) operations: usize,
    /// What the first block does in front of the loop, and the last one behind it.
    front: Vec<InstId>,
    behind: Vec<InstId>,
    /// Values of the last pass that are asked for behind the loop, and what carries them.
    left: Vec<(Value, usize)>,
    /// What a value is in the first pass that has no other start.
    filler: Vec<(usize, Type)>,
}

impl Loop {
    /// The loop of blocks each of which leads to the next by that way of it, with what these values are over the blocks.
    pub(super) fn new(
        function: &Function,
        globals: &[Global],
        blocks: &[BlockId],
        next: usize,
        roots: &[Vec<Value>],
    ) -> Option<Self> {
        let mut homes = vec![0_u32; function.insts.len()];
        for (pass, block) in blocks.iter().enumerate() {
            for id in &function.blocks[block.index()].insts {
                homes[id.index()] = pass as u32 + 1;
            }
        }
        let shapes = Shapes::new(function, blocks[0]);
        let (mut plan, asked) = Plan::of_blocks(function, globals, (blocks[0], &shapes), &homes, roots)?;
        // Every block has the operations of its pass and no others, but the first in front of them and the last behind.
        let (mut front, mut behind) = (Vec::new(), Vec::new());
        let mut of_passes: BTreeSet<Value> = BTreeSet::new();
        for (pass, block) in blocks.iter().enumerate() {
            for id in &function.blocks[block.index()].insts {
                let inst = &function.insts[id.index()];
                if plan.has(*id) {
                    of_passes.extend(inst.results.iter().copied());
                } else if is_constant(&inst.op)
                    || pass == 0 && inst.args.iter().all(|arg| !of_passes.contains(arg))
                {
                    front.push(*id);
                } else if pass + 1 == blocks.len() && inst.op.effect() == Effect::Pure {
                    behind.push(*id);
                } else {
                    return None;
                }
            }
        }
        let operations = of_passes.len() / blocks.len();
        // Who else asks for something of a pass asks for that of the last.
        let mut left: BTreeSet<Value> = BTreeSet::new();
        let inside: BTreeSet<BlockId> = blocks.iter().copied().collect();
        let mut ask = |value: Value| {
            if of_passes.contains(&value) {
                left.insert(value);
            }
        };
        for (at, block) in function.blocks.iter().enumerate() {
            let own = inside.contains(&BlockId(at as u32));
            for id in block.insts.iter().filter(|id| !own || !plan.has(**id)) {
                function.insts[id.index()].args.iter().for_each(|arg| ask(*arg));
            }
            if !own {
                block.terminator.targets().flat_map(|target| &target.args).for_each(|arg| ask(*arg));
                block.terminator.asked().into_iter().for_each(&mut ask);
                if let Terminator::Return(values) = &block.terminator {
                    values.iter().for_each(|value| ask(*value));
                }
            }
        }
        let last = &function.blocks[blocks[blocks.len() - 1].index()];
        if let Some(on) = last.terminator.targets().nth(next) {
            on.args.iter().for_each(|arg| ask(*arg));
        }
        let left: Option<Vec<(Value, usize)>> =
            left.into_iter().map(|value| Some((value, plan.left_by_last(value)?))).collect();
        let left = left?;
        let filler = plan.nodes.iter().enumerate().filter_map(|(at, node)| match node {
            Node::Carried { first: ANYTHING, .. } => {
                let (value, _) = left.iter().find(|(_, own)| *own == at)?;
                Some((at, function.ty(*value)))
            }
            _ => None,
        });
        let filler: Vec<(usize, Type)> = filler.collect();
        let starts = plan.nodes.iter().all(|node| match node {
            Node::Same(value) | Node::Carried { first: value, .. } => !of_passes.contains(value),
            _ => true,
        });
        let starts = starts && filler.iter().all(|(_, ty)| *ty == Type::B32);
        starts.then(|| Self {
            asked,
            operations,
            written: Written::of_blocks(plan),
            front,
            behind,
            left,
            filler,
        })
    }

    /// Makes the loop of the blocks, with the way out of a run if each pass has one. Answers the block of a pass.
    pub(super) fn write(
        mut self,
        function: &mut Function,
        blocks: &[BlockId],
        run: Option<&Run>,
    ) -> Option<BlockId> {
        let head = BlockId(function.blocks.len() as u32);
        let [body, latch, tail] = [1, 2, 3].map(|n| BlockId(head.0 + n));
        let last = blocks[blocks.len() - 1];
        let next = run.map_or(0, |run| run.next);
        let way_on = function.blocks[last.index()].terminator.targets().nth(next).cloned()?;
        let mut front = std::mem::take(&mut self.front);
        for (node, _) in &self.filler {
            let zero = make(function, &mut front, Op::B32(0), &[], NOWHERE);
            if let Node::Carried { first, .. } = &mut self.written.nodes[*node] {
                *first = zero;
            }
        }
        let mut carried: Vec<(usize, Value)> = Vec::new();
        for (at, node) in self.written.nodes.iter().enumerate() {
            match node {
                Node::Carried { first, .. } => carried.push((at, *first)),
                Node::Ratio { first, .. } => {
                    carried.push((at, make(function, &mut front, Op::B32(first.to_bits()), &[], NOWHERE)));
                }
                _ => {}
            }
        }
        let start = self.written.first_counters()[1];
        let counter = param(function, head, 0, Type::B32);
        let mut params = vec![counter];
        for (place, (_, value)) in carried.iter().enumerate() {
            let ty = function.ty(*value);
            params.push(param(function, head, place + 1, ty));
        }
        let entry = make(function, &mut front, Op::B32(start as u32), &[], NOWHERE);
        let args = std::iter::once(entry).chain(carried.iter().map(|(_, value)| *value)).collect();
        for block in &blocks[1..] {
            function.blocks[block.index()] = Block::default();
        }
        let here = &mut function.blocks[blocks[0].index()];
        here.insts = front;
        here.terminator = Terminator::Jump(Target { block: head, args });
        // The head counts.
        let mut insts = Vec::new();
        let end = make(function, &mut insts, Op::B32((start + blocks.len() as i64) as u32), &[], NOWHERE);
        let id = function.push_inst(Op::ICompare(CompareInt::Slt), &[counter, end], &[Type::Bool], NOWHERE);
        insts.push(id);
        let terminator = Terminator::Branch {
            condition: function.result(id, 0),
            then: Target { block: body, args: Vec::new() },
            otherwise: Target { block: tail, args: Vec::new() },
        };
        function.blocks.push(Block { params: params.clone(), insts, terminator, ..Block::default() });
        // A pass.
        let mut insts = Vec::new();
        let mut writer = Writer::new(&self.written, [counter, counter], [start, start]);
        for (place, (node, _)) in carried.iter().enumerate() {
            writer.set(*node, params[1 + place]);
        }
        let asked = if run.is_some() { &self.asked[..] } else { &[] };
        let asked: Vec<Value> = asked.iter().map(|node| writer.value(function, &mut insts, *node)).collect();
        let mut next: Vec<Value> = Vec::new();
        for (node, _) in &carried {
            next.push(writer.next(function, &mut insts, *node));
        }
        let on = Target { block: latch, args: Vec::new() };
        let terminator = match (run, &asked[..]) {
            (Some(run), [condition, gives @ ..]) => {
                let out = Target { block: run.out, args: gives.to_vec() };
                let (then, otherwise) = if run.next == 0 { (on, out) } else { (out, on) };
                Terminator::Branch { condition: *condition, then, otherwise }
            }
            _ => Terminator::Jump(on),
        };
        function.blocks.push(Block { insts, terminator, ..Block::default() });
        let mut insts = Vec::new();
        let one = make(function, &mut insts, Op::B32(1), &[], NOWHERE);
        let up = make(function, &mut insts, Op::IAdd, &[counter, one], NOWHERE);
        let args = std::iter::once(up).chain(next).collect();
        let terminator = Terminator::Jump(Target { block: head, args });
        function.blocks.push(Block { insts, terminator, ..Block::default() });
        let end = (start + blocks.len() as i64) as u64;
        let way_on = match run {
            Some(run) => self.count_on(function, run, way_on, (counter, start, end)),
            None => way_on,
        };
        let terminator = Terminator::Jump(way_on);
        function.blocks.push(Block { insts: self.behind, terminator, ..Block::default() });
        let mut forward = Forward::new(function);
        for (value, node) in &self.left {
            if let Some(place) = carried.iter().position(|(own, _)| own == node) {
                forward.set(*value, params[1 + place]);
            }
        }
        forward.apply(function);
        Some(body)
    }

    /// What is the counter where the loop is left is the counter where it ends, too.
    fn count_on(
        &self,
        function: &mut Function,
        run: &Run,
        mut way_on: Target,
        (counter, start, end): (Value, i64, u64),
    ) -> Target {
        let counts = |node: &usize| {
            matches!(&self.written.nodes[*node], Node::Int(course)
                if course.steps[1] == 1.0 && course.start == start as f64)
        };
        // Behind the condition is what is given.
        let gives = self.asked.get(1..).unwrap_or_default();
        let places: Vec<usize> = (0..gives.len()).filter(|at| counts(&gives[*at])).collect();
        let further = way_on.block != run.out;
        let mut ends = match further {
            // A block of its own that goes there.
            true => function.blocks[way_on.block.index()].terminator.clone(),
            false => Terminator::Jump(way_on.clone()),
        };
        if let Terminator::Jump(target) = &mut ends
            && target.block == run.out
        {
            for at in places {
                if let Some(arg) = target.args.get_mut(at)
                    && constant(function, *arg) == Some(end)
                {
                    *arg = counter;
                }
            }
            match further {
                true => function.blocks[way_on.block.index()].terminator = ends,
                false => way_on = target.clone(),
            }
        }
        way_on
    }
}
