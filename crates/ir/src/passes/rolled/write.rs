//! Makes the loop of a plan: what stands in front of it, its head, its body, and what comes behind.

use super::super::edit::Forward;
use super::MUL;
use super::plan::{Course, Node, Plan};
use crate::{
    Access, Block, BlockId, CompareInt, Effect, FloatMode, Function, InstId, Op, Origin, Target, Terminator,
    Type, Value, ValueData, ValueDef,
};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

const ADD: Op = Op::FAdd(FloatMode::F32);
pub(super) const NOWHERE: Origin = Origin { instruction: u32::MAX, step: 0, lane: 0 };

/// What of a block stands in front of the loop, and what behind: all that needs its sums, and effects that come later
/// than such. Nothing if the loop itself needs what comes behind.
fn split(function: &Function, block: BlockId, plan: &Plan<'_>) -> Option<(Vec<InstId>, Vec<InstId>)> {
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    let mut later: BTreeSet<Value> = BTreeSet::new();
    let mut effects = false;
    for id in &function.blocks[block.index()].insts {
        let inst = &function.insts[id.index()];
        let ordered = matches!(inst.op.effect(), Effect::Writes | Effect::Reads);
        let ends = |value: &Value| later.contains(value) || plan.finals.iter().any(|(last, _)| last == value);
        let needs = plan.sums.iter().any(|sum| sum.root == *id) || inst.args.iter().any(ends);
        if needs || ordered && effects {
            effects |= ordered;
            later.extend(inst.results.iter().copied());
            behind.push(*id);
        } else {
            before.push(*id);
        }
    }
    let fits = plan.nodes.iter().all(|node| match node {
        Node::Same(value) | Node::Carried { first: value, .. } => !later.contains(value),
        Node::Affine { base, unit, .. } => {
            !later.contains(base) && unit.iter().all(|unit| !later.contains(unit))
        }
        _ => true,
    });
    fits.then_some((before, behind))
}

/// Makes the loop; answers whether it could.
pub(super) fn write(function: &mut Function, block: BlockId, plan: &Written) -> bool {
    let Written { before, behind, .. } = plan;
    let count = function.blocks.len() as u32;
    let two = plan.passes[0] > 1;
    let (outer, inner) = (BlockId(count), BlockId(count + u32::from(two)));
    let (body, exit) = (BlockId(inner.0 + 1), BlockId(inner.0 + 2));
    let mut front: Vec<InstId> = before.clone();
    // Where the sums start.
    let later: BTreeSet<Value> =
        behind.iter().flat_map(|id| function.insts[id.index()].results.iter().copied()).collect();
    let mut starts = Vec::new();
    let mut open: Vec<Vec<Value>> = Vec::new();
    for sum in &plan.sums {
        let (ready, rest): (Vec<Value>, Vec<Value>) =
            sum.rest.iter().partition(|value| !later.contains(value));
        let mut total = None;
        for value in ready {
            total = Some(match total {
                None => value,
                Some(before) => make(function, &mut front, ADD, &[before, value], NOWHERE),
            });
        }
        starts.push(total.unwrap_or_else(|| make(function, &mut front, Op::B32(0), &[], NOWHERE)));
        open.push(rest);
    }
    let mut carried: Vec<(usize, Value)> = Vec::new();
    for (at, node) in plan.nodes.iter().enumerate() {
        match node {
            Node::Carried { first, .. } => carried.push((at, *first)),
            Node::Ratio { first, .. } => {
                carried.push((at, make(function, &mut front, Op::B32(first.to_bits()), &[], NOWHERE)));
            }
            Node::Before(sum) => carried.push((at, starts[*sum])),
            _ => {}
        }
    }
    let first = plan.first_counters();
    let state: Vec<Value> = starts.iter().copied().chain(carried.iter().map(|(_, value)| *value)).collect();
    // Heads.
    let heads: Vec<BlockId> = if two { vec![outer, inner] } else { vec![inner] };
    let mut params: Vec<Vec<Value>> = Vec::new();
    for head in &heads {
        let mut list = vec![param(function, *head, 0, Type::B32)];
        for (place, value) in state.iter().enumerate() {
            let ty = function.ty(*value);
            list.push(param(function, *head, place + 1, ty));
        }
        params.push(list);
    }
    let innermost = params.last().cloned().unwrap_or_default();
    let counters = [params[0][0], innermost[0]];
    // Body.
    let mut insts: Vec<InstId> = Vec::new();
    let mut writer = Writer::new(plan, counters, first);
    for (place, (node, _)) in carried.iter().enumerate() {
        writer.set(*node, innermost[1 + starts.len() + place]);
    }
    let mut next: Vec<Value> = Vec::new();
    for (place, sum) in plan.sums.iter().enumerate() {
        let term = writer.value(function, &mut insts, sum.term);
        let origin = function.insts[sum.root.index()].origin;
        next.push(make(function, &mut insts, ADD, &[innermost[1 + place], term], origin));
    }
    for (node, _) in &carried {
        next.push(match plan.nodes[*node] {
            Node::Before(sum) => innermost[1 + sum],
            _ => writer.next(function, &mut insts, *node),
        });
    }
    let step = |function: &mut Function, list: &mut Vec<InstId>, counter: Value| {
        let one = make(function, list, Op::B32(1), &[], NOWHERE);
        make(function, list, Op::IAdd, &[counter, one], NOWHERE)
    };
    let up = step(function, &mut insts, innermost[0]);
    // Behind the loop: the sums as the head has them last, with what came too late.
    let sums: Vec<Value> = params[0][1..=starts.len()].to_vec();
    let mut forward = Forward::new(function);
    let mut tail: Vec<InstId> = Vec::new();
    for id in behind {
        let Some(place) = plan.sums.iter().position(|sum| sum.root == *id) else {
            tail.push(*id);
            continue;
        };
        let result = function.result(*id, 0);
        let mut total = sums[place];
        for value in &open[place] {
            total = make(function, &mut tail, ADD, &[total, *value], NOWHERE);
        }
        forward.set(result, total);
    }
    for (last, node) in &plan.finals {
        if let Some(place) = carried.iter().position(|(own, _)| own == node) {
            forward.set(*last, params[0][1 + starts.len() + place]);
        }
    }
    // Blocks.
    let compared = |function: &mut Function, counter: Value, start: i64, count: usize| {
        let mut list = Vec::new();
        let end = make(function, &mut list, Op::B32((start + count as i64) as u32), &[], NOWHERE);
        let id = function.push_inst(Op::ICompare(CompareInt::Slt), &[counter, end], &[Type::Bool], NOWHERE);
        list.push(id);
        (list, function.result(id, 0))
    };
    let start_of = |function: &mut Function, list: &mut Vec<InstId>, dimension: usize| {
        make(function, list, Op::B32(first[dimension] as u32), &[], NOWHERE)
    };
    let entry = start_of(function, &mut front, usize::from(!two));
    let mut old = Block { insts: tail, ..Block::default() };
    let here = &mut function.blocks[block.index()];
    old.leave_as(here);
    here.insts = front;
    here.terminator = Terminator::Jump(Target {
        block: heads[0],
        args: std::iter::once(entry).chain(state.iter().copied()).collect(),
    });
    let away = Target { block: exit, args: Vec::new() };
    if two {
        let (mut list, condition) = compared(function, params[0][0], first[0], plan.passes[0]);
        let entry = start_of(function, &mut list, 1);
        let args = std::iter::once(entry).chain(params[0][1..].iter().copied()).collect();
        let then = Target { block: inner, args };
        let terminator = Terminator::Branch { condition, then, otherwise: away.clone() };
        function.blocks.push(Block {
            params: params[0].clone(),
            insts: list,
            terminator,
            ..Block::default()
        });
    }
    let (list, condition) = compared(function, innermost[0], first[1], plan.passes[1]);
    // The outer loop's counter goes on in a block of its own.
    let after = BlockId(exit.0 + 1);
    let otherwise = if two { Target { block: after, args: Vec::new() } } else { away };
    let then = Target { block: body, args: Vec::new() };
    let terminator = Terminator::Branch { condition, then, otherwise };
    function.blocks.push(Block { params: innermost.clone(), insts: list, terminator, ..Block::default() });
    let args = std::iter::once(up).chain(next).collect();
    let terminator = Terminator::Jump(Target { block: inner, args });
    function.blocks.push(Block { insts, terminator, ..Block::default() });
    function.blocks.push(old);
    if two {
        let mut insts = Vec::new();
        let up = step(function, &mut insts, params[0][0]);
        let args = std::iter::once(up).chain(innermost[1..].iter().copied()).collect();
        let terminator = Terminator::Jump(Target { block: outer, args });
        function.blocks.push(Block { insts, terminator, ..Block::default() });
    }
    forward.apply(function);
    true
}

pub(super) fn make(
    function: &mut Function,
    list: &mut Vec<InstId>,
    op: Op,
    args: &[Value],
    origin: Origin,
) -> Value {
    let id = function.push_inst(op, args, &[Type::B32], origin);
    list.push(id);
    function.result(id, 0)
}

pub(super) fn param(function: &mut Function, block: BlockId, place: usize, ty: Type) -> Value {
    let value = Value(function.values.len() as u32);
    function.values.push(ValueData { ty, def: ValueDef::Param(block, place as u16), variable: None });
    value
}

/// A plan that no longer needs the function, with the parts of its block.
#[derive(Debug)]
pub(super) struct Written {
    passes: [usize; 2],
    pub(super) nodes: Vec<Node>,
    sums: Vec<super::plan::Sum>,
    finals: Vec<(Value, usize)>,
    before: Vec<InstId>,
    behind: Vec<InstId>,
}

impl Written {
    /// Nothing if the loop needs what can only stand behind it.
    pub(super) fn new(function: &Function, block: BlockId, plan: Plan<'_>) -> Option<Self> {
        let (before, behind) = split(function, block, &plan)?;
        // What comes too late is added behind the loop, which what a sum was in front of its last pass has too.
        let mut results = behind.iter().flat_map(|id| &function.insts[id.index()].results);
        let has_before = |sum: usize| plan.nodes.contains(&Node::Before(sum));
        let is_late = |value: &Value| {
            plan.sums.iter().enumerate().any(|(at, sum)| has_before(at) && sum.rest.contains(value))
        };
        if results.any(is_late) {
            return None;
        }
        let Plan { passes, nodes, sums, finals, .. } = plan;
        Some(Self { passes, nodes, sums, finals, before, behind })
    }

    /// The plan of passes that each have a block.
    pub(super) fn of_blocks(plan: Plan<'_>) -> Self {
        let Plan { passes, nodes, sums, finals, .. } = plan;
        Self { passes, nodes, sums, finals, before: Vec::new(), behind: Vec::new() }
    }

    /// Where the counters start: where a float of the loop does that grows by one, else at 0.
    pub(super) fn first_counters(&self) -> [i64; 2] {
        [0, 1].map(|dimension| {
            let start = self.nodes.iter().find_map(|node| match node {
                Node::Float(course) | Node::Affine { course, .. } => {
                    let alone = course.steps[1 - dimension] == 0.0;
                    let whole = course.start.fract() == 0.0 && course.start.abs() < 1e4;
                    (course.steps[dimension] == 1.0 && alone && whole).then_some(course.start as i64)
                }
                _ => None,
            });
            start.unwrap_or(0)
        })
    }
}

pub(super) struct Writer<'a> {
    plan: &'a Written,
    /// Of the outer and the inner loop.
    counters: [Value; 2],
    first: [i64; 2],
    values: BTreeMap<usize, Value>,
    /// Operations that are there: that of the first pass, with its operands.
    made: BTreeMap<(InstId, SmallVec<[Value; 3]>), InstId>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(plan: &'a Written, counters: [Value; 2], first: [i64; 2]) -> Self {
        Self { plan, counters, first, values: BTreeMap::new(), made: BTreeMap::new() }
    }

    /// Says what a node is.
    pub(super) fn set(&mut self, node: usize, value: Value) {
        self.values.insert(node, value);
    }

    /// What the next pass has of a node that is carried.
    pub(super) fn next(&mut self, function: &mut Function, list: &mut Vec<InstId>, node: usize) -> Value {
        let own = self.values[&node];
        match &self.plan.nodes[node] {
            Node::Carried { next, .. } => self.value(function, list, *next),
            Node::Ratio { by, .. } => {
                let by = make(function, list, Op::B32(by.to_bits()), &[], NOWHERE);
                make(function, list, MUL, &[own, by], NOWHERE)
            }
            _ => own,
        }
    }

    pub(super) fn value(&mut self, function: &mut Function, list: &mut Vec<InstId>, at: usize) -> Value {
        if let Some(known) = self.values.get(&at) {
            return *known;
        }
        let value = match self.plan.nodes[at].clone() {
            Node::Same(value) => value,
            Node::Float(course) => self.float(function, list, course),
            Node::Int(course) => self.int(function, list, course),
            Node::Affine { base, unit, course } => {
                let number = self.float(function, list, course);
                let part = match unit {
                    Some(unit) => make(function, list, MUL, &[number, unit], NOWHERE),
                    None => number,
                };
                make(function, list, ADD, &[base, part], NOWHERE)
            }
            Node::Load { access, steps } => self.load(function, list, access, steps),
            Node::Op { inst, result, args } => {
                let args: SmallVec<[Value; 3]> =
                    args.iter().map(|arg| self.value(function, list, *arg)).collect();
                let known = self.made.get(&(inst, args.clone())).copied();
                let id = known.unwrap_or_else(|| {
                    let model = function.insts[inst.index()].clone();
                    let types: Vec<Type> = model.results.iter().map(|result| function.ty(*result)).collect();
                    let id = function.push_inst(model.op, &args, &types, model.origin);
                    list.push(id);
                    self.made.insert((inst, args), id);
                    id
                });
                function.result(id, result.into())
            }
            // These are parameters.
            Node::Carried { first, .. } => first,
            Node::Ratio { .. } | Node::Before(_) => self.counters[1],
        };
        self.values.insert(at, value);
        value
    }

    /// Which loops a course grows in, with its start at counters of 0.
    fn parts(&self, course: Course) -> (Vec<(usize, f64)>, f64) {
        let parts: Vec<(usize, f64)> =
            course.steps.iter().copied().enumerate().filter(|(_, step)| *step != 0.0).collect();
        let start =
            parts.iter().fold(course.start, |start, (at, step)| start - step * self.first[*at] as f64);
        (parts, start)
    }

    fn float(&mut self, function: &mut Function, list: &mut Vec<InstId>, course: Course) -> Value {
        let (parts, start) = self.parts(course);
        let number = |function: &mut Function, list: &mut Vec<InstId>, number: f64| {
            make(function, list, Op::B32((number as f32).to_bits()), &[], NOWHERE)
        };
        let mut total = None;
        for (at, step) in parts {
            let counter = make(function, list, Op::SToF(FloatMode::F32), &[self.counters[at]], NOWHERE);
            let scaled = if step == 1.0 {
                counter
            } else {
                let by = number(function, list, step);
                make(function, list, MUL, &[counter, by], NOWHERE)
            };
            total = Some(match total {
                None => scaled,
                Some(before) => make(function, list, ADD, &[before, scaled], NOWHERE),
            });
        }
        match total {
            Some(total) if start == 0.0 => total,
            Some(total) => {
                let start = number(function, list, start);
                make(function, list, ADD, &[total, start], NOWHERE)
            }
            None => number(function, list, start),
        }
    }

    fn int(&mut self, function: &mut Function, list: &mut Vec<InstId>, course: Course) -> Value {
        let (parts, start) = self.parts(course);
        let mut total = None;
        for (at, step) in parts {
            let mut scaled = self.counters[at];
            if step != 1.0 {
                let by = make(function, list, Op::B32(step as i64 as u32), &[], NOWHERE);
                scaled = make(function, list, Op::IMul, &[scaled, by], NOWHERE);
            }
            total = Some(match total {
                None => scaled,
                Some(before) => make(function, list, Op::IAdd, &[before, scaled], NOWHERE),
            });
        }
        match total {
            Some(total) if start == 0.0 => total,
            Some(total) => {
                let start = make(function, list, Op::B32(start as i64 as u32), &[], NOWHERE);
                make(function, list, Op::IAdd, &[total, start], NOWHERE)
            }
            None => make(function, list, Op::B32(start as i64 as u32), &[], NOWHERE),
        }
    }

    fn load(
        &mut self,
        function: &mut Function,
        list: &mut Vec<InstId>,
        access: Access,
        steps: [u32; 2],
    ) -> Value {
        let (mut a, mut b) = (steps[0], steps[1]);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let stride = a.max(1);
        let course = Course { start: 0.0, steps: steps.map(|step| f64::from(step / stride)) };
        let index = self.int(function, list, course);
        make(function, list, Op::Load(Access { stride, ..access }), &[index], NOWHERE)
    }
}
