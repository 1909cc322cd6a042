//! From the program to instructions: which ones, with which operands, in which order.

use super::{
    code::{Address, Code, Instruction, Operand, Operation, Register, Value},
    fit::Copies,
};
use crate::{
    allocate::{Home, Step},
    front::interface::Interface,
    problem::{Problem, Result},
    vector::{
        Id, Item, Lane, Lanes, Node, Op, Passes, Program, Relation, Span, Written,
        build::{Source, source},
        condition::{Comparison, Join, Test},
        counters::Count,
        live::Uses,
    },
};
use smallvec::{SmallVec, smallvec};

/// How to select, where the first way needs too many registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// What is copied out of uniforms and inputs is kept for other uses.
    pub shares_copies: bool,
}

/// Everything that was selected.
pub struct Selected {
    /// The code.
    pub code: Vec<Step<Code>>,
    /// Where each value may lie.
    pub homes: Vec<Home>,
    /// Place in the source of each value.
    pub spans: Vec<Span>,
}

/// Conditions and loops inside each other, as the machine's stacks hold them.
const CONDITIONS: usize = 8;
const LOOPS: usize = 4;

/// The selection.
pub(super) struct Select<'p> {
    pub program: &'p Program,
    interface: &'p Interface,
    uses: &'p Uses,
    counts: &'p [Option<Count>],
    style: Style,
    values: Vec<Option<Value>>,
    homes: Vec<Home>,
    spans: Vec<Span>,
    pub blocks: Vec<Vec<Step<Code>>>,
    pub copies: Copies,
    /// What the index registers hold, and which one was loaded last.
    addresses: [Option<Lane>; 2],
    last_address: usize,
    pub span: Span,
    conditions: usize,
    loops: usize,
}

/// Selects the instructions of a program.
pub fn select(
    program: &Program,
    interface: &Interface,
    uses: &Uses,
    counts: &[Option<Count>],
    style: Style,
) -> Result<Selected> {
    let mut select = Select {
        program,
        interface,
        uses,
        counts,
        style,
        values: vec![None; program.nodes.len()],
        homes: Vec::new(),
        spans: Vec::new(),
        blocks: vec![Vec::new()],
        copies: Copies::default(),
        addresses: [None; 2],
        last_address: 1,
        span: Span::default(),
        conditions: 0,
        loops: 0,
    };
    select.items(&program.body)?;
    for written in &program.outputs {
        select.output(written)?;
    }
    Ok(Selected { code: select.blocks.pop().unwrap_or_default(), homes: select.homes, spans: select.spans })
}

impl Select<'_> {
    /// A value that is no node.
    pub(super) fn new_value(&mut self, home: Home) -> Value {
        self.homes.push(home);
        self.spans.push(self.span);
        self.homes.len() - 1
    }

    fn value(&mut self, id: Id) -> Value {
        if let Some(Some(value)) = self.values.get(id.index()) {
            return *value;
        }
        let value = self.new_value(Home::Any);
        if let Some(place) = self.values.get_mut(id.index()) {
            *place = Some(value);
        }
        value
    }

    pub(super) fn push(&mut self, step: Step<Code>) {
        if let Some(block) = self.blocks.last_mut() {
            block.push(step);
        }
    }

    pub(super) fn instruction(
        &mut self,
        operation: Operation,
        target: Option<(Value, SmallVec<[u8; 4]>)>,
        operands: SmallVec<[Operand; 3]>,
    ) {
        let span = self.span;
        self.push(Step::Do(Code::Instruction(Instruction { operation, target, operands, span })));
    }

    /// Whether copies are kept.
    pub(super) fn shares_copies(&self) -> bool {
        self.style.shares_copies
    }

    fn refuse<T>(&self, code: &'static str, message: &'static str, note: &'static str) -> Result<T> {
        Err(Problem::new(code, self.span.range(), message).note(note))
    }

    fn items(&mut self, items: &[Item]) -> Result<()> {
        for item in items {
            match item {
                Item::Node(id) => self.node(*id)?,
                Item::If { condition, accept, reject, results, span } => {
                    self.condition(*condition, (accept, reject), results, *span)?;
                }
                Item::Loop { index, body, results, stop, span } => {
                    self.repeat(*index, body, results, *stop, *span)?;
                }
            }
        }
        Ok(())
    }

    /// Components of a node that are needed.
    fn needed(&self, id: Id) -> SmallVec<[u8; 4]> {
        let mask = self.uses.of(id);
        (0..4).filter(|component| mask >> component & 1 != 0).collect()
    }

    fn node(&mut self, id: Id) -> Result<()> {
        let components = self.needed(id);
        let program = self.program;
        let node = program.node(id);
        if components.is_empty() {
            return Ok(());
        }
        self.span = node.span;
        let operation = match node.op {
            Op::Truth(uniform) => return self.truth(id, uniform),
            op if op.is_read_only() => return Ok(()),
            Op::Choose => return Ok(()),
            Op::Pack => {
                let lanes = node.arguments.first().cloned().unwrap_or_default();
                let value = self.value(id);
                return self.copy_lanes(value, &components, &lanes);
            }
            Op::Truncate => return self.truncate(id, node, components),
            Op::Compare(relation) => return self.comparison(id, node, relation, components),
            Op::Add => Operation::Add,
            Op::Mul => Operation::Mul,
            Op::Mad => Operation::Mad,
            Op::Min => Operation::Min,
            Op::Max => Operation::Max,
            Op::Floor => Operation::Flr,
            Op::Dot3 => Operation::Dp3,
            Op::Dot4 => Operation::Dp4,
            Op::DotH => Operation::Dph,
            Op::Reciprocal => Operation::Rcp,
            Op::ReciprocalRoot => Operation::Rsq,
            Op::Exp2 => Operation::Ex2,
            Op::Log2 => Operation::Lg2,
            _ => return Ok(()),
        };
        let operands = self.operands(node, &components)?;
        let value = self.value(id);
        self.fitted(operation, Some((value, components)), operands)
    }

    /// The operands of a node, of operations lane by lane only for the lanes that are needed.
    fn operands(&mut self, node: &Node, components: &[u8]) -> Result<SmallVec<[Operand; 3]>> {
        let mut operands = SmallVec::new();
        for list in &node.arguments {
            let lanes: Lanes = match node.op.is_lanewise() {
                true => components
                    .iter()
                    .map(|at| list.get(usize::from(*at)).copied().unwrap_or(Lane::ZERO))
                    .collect(),
                false => list.clone(),
            };
            operands.push(self.operand(&lanes)?);
        }
        Ok(operands)
    }

    /// An operand out of lanes; they are brought into one register if they are not.
    pub(super) fn operand(&mut self, lanes: &[Lane]) -> Result<Operand> {
        let first = source(lanes.first().copied());
        if lanes.iter().any(|lane| source(Some(*lane)) != first) {
            let mut places: Lanes = SmallVec::new();
            for lane in lanes {
                if !places.contains(lane) {
                    places.push(*lane);
                }
            }
            let value = self.new_value(Home::Any);
            let all: SmallVec<[u8; 4]> = (0u8..).take(places.len()).collect();
            self.copy_lanes(value, &all, &places)?;
            let at = |lane: &Lane| places.iter().position(|place| place == lane).unwrap_or(0) as u8;
            let components = lanes.iter().map(at).collect();
            return Ok(Operand { register: Register::Value(value), components, negate: false });
        }
        let components = lanes
            .iter()
            .map(|lane| match lane {
                Lane::Of { component, .. } => *component,
                Lane::Const(_) => 0,
            })
            .collect();
        let (node, negate) = match first {
            Source::Constant => return Ok(constant(lanes)),
            Source::Node(node, negate) => (node, negate),
        };
        let of = self.program.node(node);
        let register = match of.op {
            Op::Input(number) => Register::Input(number),
            Op::Uniform { uniform, row } => Register::Table {
                table: crate::vector::Table::Uniform(uniform),
                row: i32::from(row),
                index: None,
            },
            Op::Element { table, row } => {
                let index = of.arguments.first().and_then(|list| list.first().copied()).unwrap_or(Lane::ZERO);
                match index.value() {
                    Some(value) => Register::Table { table, row: i32::from(row) + value as i32, index: None },
                    None => {
                        let (index, offset) = self.address(index)?;
                        Register::Table { table, row: i32::from(row) + offset, index: Some(index) }
                    }
                }
            }
            Op::Whole(_) => {
                return self.refuse(
                    "compile.integer-uniform",
                    "an integer uniform can only say how often a loop runs",
                    "the machine cannot read it as a number: make it a float uniform, or a bool if it is one of two",
                );
            }
            Op::Unknown | Op::Counter(_) => {
                return self.refuse(
                    "compile.counter",
                    "nobody knows what the counter of this loop holds behind it",
                    "count in a variable of its own, as `count += 1.0`",
                );
            }
            _ => Register::Value(self.value(node)),
        };
        Ok(Operand { register, components, negate })
    }

    /// Brings an index into an index register; what has to be added to the row beside it.
    fn address(&mut self, index: Lane) -> Result<(Address, i32)> {
        if let Some(Op::Counter(of)) = index.node().map(|id| self.program.node(id).op) {
            let offset = self.counts.get(of as usize).copied().flatten().map_or(0, |count| count.offset);
            return Ok((Address::Counter, offset));
        }
        let names = [Address::X, Address::Y];
        if let Some(known) = self.addresses.iter().position(|known| *known == Some(index)) {
            self.last_address = known;
            return Ok((names[known & 1], 0));
        }
        let chosen = match self.addresses.iter().position(Option::is_none) {
            Some(free) => free,
            None => 1 - (self.last_address & 1),
        };
        let operand = self.operand(&[index, index])?;
        self.instruction(Operation::Mova(names[chosen & 1]), None, smallvec![operand]);
        self.last_address = chosen;
        if let Some(place) = self.addresses.get_mut(chosen) {
            *place = Some(index);
        }
        Ok((names[chosen & 1], 0))
    }

    /// Copies lanes into components of a value, one instruction for each register that they come from.
    fn copy_lanes(&mut self, value: Value, components: &[u8], lanes: &[Lane]) -> Result<()> {
        let mut open: SmallVec<[(u8, Lane); 4]> = components
            .iter()
            .filter_map(|component| Some((*component, lanes.get(usize::from(*component)).copied()?)))
            .collect();
        while let Some(&(_, first)) = open.first() {
            let from = source(Some(first));
            let (these, others): (SmallVec<[(u8, Lane); 4]>, _) =
                open.into_iter().partition(|(_, lane)| source(Some(*lane)) == from);
            open = others;
            let lanes: Lanes = these.iter().map(|(_, lane)| *lane).collect();
            let operand = self.operand(&lanes)?;
            let to: SmallVec<[u8; 4]> = these.iter().map(|(component, _)| *component).collect();
            let is_itself =
                operand.register == Register::Value(value) && operand.components == to && !operand.negate;
            if !is_itself {
                self.instruction(Operation::Mov, Some((value, to)), smallvec![operand]);
            }
        }
        Ok(())
    }

    /// A bool uniform as a number.
    fn truth(&mut self, id: Id, uniform: u16) -> Result<()> {
        let value = self.value(id);
        self.put_truth(value, uniform)
    }

    /// A bool uniform in the flags, where the machine can ask them alone.
    fn truth_as_flag(&mut self, uniform: u16, turned: bool) -> Result<Code> {
        let value = self.new_value(Home::Any);
        self.put_truth(value, uniform)?;
        let read = Operand { register: Register::Value(value), components: smallvec![0, 0], negate: false };
        let relation = if turned { Relation::Eq } else { Relation::Ne };
        let zeros = constant(&[Lane::ZERO, Lane::ZERO]);
        self.fitted(Operation::Cmp(relation, relation), None, smallvec![zeros, read])?;
        Ok(Code::Flags("cmp.x", "!cmp.x"))
    }

    fn put_truth(&mut self, value: Value, uniform: u16) -> Result<()> {
        let span = self.span;
        let set = move |lane: Lane| {
            Step::Do(Code::Instruction(Instruction {
                operation: Operation::Mov,
                target: Some((value, smallvec![0])),
                operands: smallvec![constant(&[lane])],
                span,
            }))
        };
        self.nested(1, 0)?;
        self.push(Step::If(Code::Truth(uniform, false), vec![set(Lane::ONE)], vec![set(Lane::ZERO)]));
        Ok(())
    }

    /// Towards zero: floors of both sides.
    fn truncate(&mut self, id: Id, node: &Node, components: SmallVec<[u8; 4]>) -> Result<()> {
        let lanes: Lanes = node.arguments.first().cloned().unwrap_or_default();
        let picked: Lanes =
            components.iter().map(|at| lanes.get(usize::from(*at)).copied().unwrap_or(Lane::ZERO)).collect();
        let zeros = || constant(&[Lane::ZERO]);
        let zero = |count: usize| {
            let mut operand = zeros();
            operand.components = smallvec![0; count];
            operand
        };
        let all: SmallVec<[u8; 4]> = (0u8..).take(picked.len()).collect();
        let mut parts: SmallVec<[Value; 2]> = SmallVec::new();
        for negate in [false, true] {
            let signed: Lanes =
                picked.iter().map(|lane| if negate { lane.negated() } else { *lane }).collect();
            let operand = self.operand(&signed)?;
            let part = self.new_value(Home::Any);
            self.fitted(Operation::Max, Some((part, all.clone())), smallvec![zero(picked.len()), operand])?;
            let floor = self.new_value(Home::Any);
            let read = Operand { register: Register::Value(part), components: all.clone(), negate: false };
            self.fitted(Operation::Flr, Some((floor, all.clone())), smallvec![read])?;
            parts.push(floor);
        }
        let read = |value: Option<&Value>, negate| Operand {
            register: Register::Value(value.copied().unwrap_or(0)),
            components: all.clone(),
            negate,
        };
        let operands = smallvec![read(parts.first(), false), read(parts.get(1), true)];
        let value = self.value(id);
        self.fitted(Operation::Add, Some((value, components)), operands)
    }

    /// 1 where a relation holds, else 0.
    fn comparison(
        &mut self,
        id: Id,
        node: &Node,
        relation: Relation,
        components: SmallVec<[u8; 4]>,
    ) -> Result<()> {
        let mut operands = self.operands(node, &components)?;
        let value = self.value(id);
        let (operation, swapped) = match relation {
            Relation::Lt => (Operation::Slt, false),
            Relation::Gt => (Operation::Slt, true),
            Relation::Ge => (Operation::Sge, false),
            Relation::Le => (Operation::Sge, true),
            Relation::Eq | Relation::Ne => {
                let is_equal = relation == Relation::Eq;
                let operation = if is_equal { Operation::Sge } else { Operation::Slt };
                let all: SmallVec<[u8; 4]> = (0u8..).take(components.len()).collect();
                let mut parts: SmallVec<[Operand; 3]> = SmallVec::new();
                for swapped in [false, true] {
                    let mut sides = operands.clone();
                    if swapped {
                        sides.swap(0, 1);
                    }
                    let part = self.new_value(Home::Any);
                    self.fitted(operation, Some((part, all.clone())), sides)?;
                    parts.push(Operand {
                        register: Register::Value(part),
                        components: all.clone(),
                        negate: false,
                    });
                }
                let join = if is_equal { Operation::Mul } else { Operation::Add };
                return self.fitted(join, Some((value, components)), parts);
            }
        };
        if swapped && operands.len() == 2 {
            operands.swap(0, 1);
        }
        self.fitted(operation, Some((value, components)), operands)
    }

    /// Enters blocks; the machine remembers only so many.
    fn nested(&self, conditions: usize, loops: usize) -> Result<()> {
        if self.conditions + conditions > CONDITIONS {
            return self.refuse(
                "compile.depth",
                "conditions stand inside each other more than 8 deep",
                "the machine remembers 8; compute some as numbers, with `step`, `min` and `max`",
            );
        }
        if self.loops + loops > LOOPS {
            return self.refuse(
                "compile.depth",
                "loops stand inside each other more than 4 deep",
                "the machine remembers 4; write the innermost out",
            );
        }
        Ok(())
    }

    /// The head of a condition, behind the comparison that it needs.
    fn test(&mut self, test: Test) -> Result<Code> {
        let (comparisons, flags): (SmallVec<[Comparison; 2]>, _) = match test {
            Test::Truth(uniform, turned) => return Ok(Code::Truth(uniform, turned)),
            Test::One(one) => (smallvec![one, one], ("cmp.x", "!cmp.x")),
            Test::Two(a, b, Join::And) => (smallvec![a, b], ("cmp.x && cmp.y", "!cmp.x || !cmp.y")),
            Test::Two(a, b, Join::Or) => (smallvec![a, b], ("cmp.x || cmp.y", "!cmp.x && !cmp.y")),
        };
        let [a, b] = comparisons.as_slice() else { return Ok(Code::Flags("cmp.x", "!cmp.x")) };
        // The side that the machine can read from anywhere gets what only it can read.
        let swap = |comparison: &Comparison| Comparison {
            relation: comparison.relation.swapped(),
            a: comparison.b,
            b: comparison.a,
        };
        let kind = |lane: Lane| match lane.node().map(|id| self.program.node(id).op) {
            None => 3,
            Some(Op::Uniform { .. } | Op::Element { .. }) => 2,
            Some(Op::Input(_)) => 1,
            _ => 0,
        };
        let orient = |comparison: &Comparison| match kind(comparison.b) > kind(comparison.a) {
            true => swap(comparison),
            false => *comparison,
        };
        let (a, b) = (orient(a), orient(b));
        let first = self.operand(&[a.a, b.a])?;
        let second = self.operand(&[a.b, b.b])?;
        self.fitted(Operation::Cmp(a.relation, b.relation), None, smallvec![first, second])?;
        Ok(Code::Flags(flags.0, flags.1))
    }

    fn open(&mut self) {
        self.blocks.push(Vec::new());
        self.copies.open();
    }

    fn close(&mut self) -> Vec<Step<Code>> {
        self.copies.close();
        self.blocks.pop().unwrap_or_default()
    }

    fn condition(
        &mut self,
        condition: Lane,
        (accept, reject): (&[Item], &[Item]),
        results: &[Id],
        span: Span,
    ) -> Result<()> {
        self.span = span;
        if !results.iter().any(|id| self.uses.of(*id) != 0) {
            // Nothing in it is needed.
            return Ok(());
        }
        self.nested(1, 0)?;
        let head = self.test(Test::of(self.program, condition))?;
        self.conditions += 1;
        let addresses = self.addresses;
        let mut parts = Vec::with_capacity(2);
        for (part, items) in [accept, reject].into_iter().enumerate() {
            self.addresses = addresses;
            self.open();
            self.items(items)?;
            self.span = span;
            for &id in results {
                let components = self.needed(id);
                let lanes = self.program.node(id).arguments.get(part).cloned().unwrap_or_default();
                let value = self.value(id);
                self.copy_lanes(value, &components, &lanes)?;
            }
            parts.push(self.close());
        }
        self.conditions -= 1;
        self.addresses = [None; 2];
        let reject = parts.pop().unwrap_or_default();
        let accept = parts.pop().unwrap_or_default();
        self.push(Step::If(head, accept, reject));
        Ok(())
    }

    fn repeat(&mut self, index: u32, body: &[Item], results: &[Id], stop: Lane, span: Span) -> Result<()> {
        self.span = span;
        if !results.iter().any(|id| self.uses.of(*id) != 0) {
            return Ok(());
        }
        self.nested(0, 1)?;
        let Some(of) = self.program.loops.get(index as usize) else { return Ok(()) };
        let count = self.counts.get(index as usize).copied().flatten();
        let head = match of.passes {
            Passes::Uniform(uniform) => Code::Uniform(uniform, span),
            Passes::Constant(passes) => {
                let last = u8::try_from(passes.saturating_sub(1)).unwrap_or(u8::MAX);
                let (start, step) = count.map_or((0, 1), |count| (count.start, count.step));
                Code::Constant([last, start, step, 0], span)
            }
        };
        for &id in results {
            let components = self.needed(id);
            let lanes = self.program.node(id).arguments.first().cloned().unwrap_or_default();
            let value = self.value(id);
            self.copy_lanes(value, &components, &lanes)?;
        }
        self.loops += 1;
        self.addresses = [None; 2];
        self.open();
        self.items(body)?;
        self.span = span;
        // Flags stay what they are while values are handed on.
        let stop = match Test::of(self.program, stop) {
            _ if stop.is(0.0) => None,
            Test::Truth(uniform, turned) => Some(self.truth_as_flag(uniform, turned)?),
            test => Some(self.test(test)?),
        };
        self.hand_on(results)?;
        let body = self.close();
        self.loops -= 1;
        self.addresses = [None; 2];
        self.push(Step::Loop(head, body, stop));
        Ok(())
    }

    /// What a pass leaves for the next one. All of it happens at once, so what is overwritten is kept first.
    fn hand_on(&mut self, results: &[Id]) -> Result<()> {
        let mut all: Vec<(Id, SmallVec<[u8; 4]>, Lanes)> = Vec::new();
        for &id in results {
            let components = self.needed(id);
            let lanes = self.program.node(id).arguments.get(1).cloned().unwrap_or_default();
            all.push((id, components, lanes));
        }
        let is_written = |node: Id, component: u8| {
            results.contains(&node)
                && all.iter().any(|(id, components, lanes)| {
                    let itself = Lane::Of { node, component, negate: false };
                    *id == node
                        && components.contains(&component)
                        && lanes.get(usize::from(component)) != Some(&itself)
                })
        };
        let mut kept: Vec<(Id, u8)> = Vec::new();
        for (id, components, lanes) in &all {
            for &to in components {
                if let Some(Lane::Of { node, component, .. }) = lanes.get(usize::from(to)).copied()
                    && is_written(node, component)
                    && (node, component) != (*id, to)
                    && !kept.contains(&(node, component))
                {
                    kept.push((node, component));
                }
            }
        }
        let mut moved: Vec<((Id, u8), (Value, u8))> = Vec::new();
        for (node, component) in kept {
            let value = self.new_value(Home::Any);
            let operand = self.operand(&[Lane::Of { node, component, negate: false }])?;
            self.instruction(Operation::Mov, Some((value, smallvec![0])), smallvec![operand]);
            moved.push(((node, component), (value, 0)));
        }
        for (id, components, lanes) in all {
            let value = self.value(id);
            let mut plain: SmallVec<[u8; 4]> = SmallVec::new();
            for to in components {
                let kept = match lanes.get(usize::from(to)).copied() {
                    Some(Lane::Of { node, component, negate }) if (node, component) != (id, to) => {
                        moved.iter().find(|(of, _)| *of == (node, component)).map(|(_, from)| (*from, negate))
                    }
                    _ => None,
                };
                let Some(((from, component), negate)) = kept else {
                    plain.push(to);
                    continue;
                };
                let operand =
                    Operand { register: Register::Value(from), components: smallvec![component], negate };
                self.instruction(Operation::Mov, Some((value, smallvec![to])), smallvec![operand]);
            }
            self.copy_lanes(value, &plain, &lanes)?;
        }
        Ok(())
    }

    fn output(&mut self, written: &Written) -> Result<()> {
        self.span = written.span;
        let Some(output) = self.interface.outputs.get(usize::from(written.output)) else { return Ok(()) };
        let value = self.new_value(Home::Output(output.register));
        // In front of its first component nothing of it stands.
        let before = std::iter::repeat_n(None, usize::from(output.first));
        let lanes: SmallVec<[Option<Lane>; 4]> = before.chain(written.lanes.iter().copied()).collect();
        let components: SmallVec<[u8; 4]> =
            (0u8..).zip(&lanes).filter(|(_, lane)| lane.is_some()).map(|(at, _)| at).collect();
        let lanes: Lanes = lanes.iter().map(|lane| lane.unwrap_or(Lane::ZERO)).collect();
        self.copy_lanes(value, &components, &lanes)
    }
}

/// Numbers as an operand.
pub(super) fn constant(lanes: &[Lane]) -> Operand {
    let mut numbers: SmallVec<[u32; 4]> = SmallVec::new();
    let mut components: SmallVec<[u8; 4]> = SmallVec::new();
    for lane in lanes {
        let bits = lane.value().unwrap_or(0.0).to_bits();
        let at = numbers.iter().position(|known| *known == bits).unwrap_or_else(|| {
            numbers.push(bits);
            numbers.len() - 1
        });
        components.push(u8::try_from(at).unwrap_or(0));
    }
    Operand { register: Register::Constant(numbers), components, negate: false }
}
