//! From the program to instructions: which ones, with which operands, in which order. What is not straight is in `flow`.

use super::{
    code::{Address, Code, Instruction, Operand, Operation, Register, Value},
    fit::Copies,
    flow::{Called, Depth},
};
use crate::allocate::{Home, Step, Text};
use crate::front::interface::Interface;
use crate::vector::build::{Source, source};
use crate::vector::condition::Comparison;
use crate::vector::counters::Count;
use crate::vector::live::Uses;
use crate::vector::{Id, Item, Lane, Lanes, Node, Op, Program, Relation, Span};
use smallvec::{SmallVec, smallvec};
use unshade_bytes::problem::{Problem, Result};

/// How to select, where the first way needs too many registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// What is copied out of uniforms and inputs is kept for other uses.
    pub shares_copies: bool,
}

/// Everything that was selected.
pub struct Selected {
    /// The code.
    pub code: Text<Code>,
    /// Where each value may lie.
    pub homes: Vec<Home>,
    /// Place in the source of each value.
    pub spans: Vec<Span>,
}

/// The selection.
pub(super) struct Select<'p> {
    pub program: &'p Program,
    pub interface: &'p Interface,
    pub uses: &'p Uses,
    pub counts: &'p [Option<Count>],
    style: Style,
    values: Vec<Option<Value>>,
    homes: Vec<Home>,
    spans: Vec<Span>,
    pub blocks: Vec<Vec<Step<Code>>>,
    pub copies: Copies,
    /// What the index registers hold, and which one was loaded last.
    pub addresses: [Option<Lane>; 2],
    last_address: usize,
    pub span: Span,
    /// What both flags say, where that is asked for soon.
    pub flags: Option<(Comparison, Comparison)>,
    /// Blocks that what is selected stands in.
    pub depth: Depth,
    /// How often it stands in the program, were calls written out.
    pub runs: usize,
    pub called: Vec<Called>,
    /// The value of each output, and components that have been written.
    pub outputs: Vec<Option<(Value, u8)>>,
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
        flags: None,
        depth: Depth::default(),
        runs: 1,
        called: vec![Called::default(); program.procedures.len()],
        outputs: vec![None; program.outputs.len()],
    };
    select.items(&program.body)?;
    for output in (0u16..).take(program.outputs.len()) {
        select.output(output, u8::MAX)?;
    }
    let main = select.blocks.pop().unwrap_or_default();
    let procedures = select.procedures()?;
    Ok(Selected { code: Text { main, procedures }, homes: select.homes, spans: select.spans })
}

impl Select<'_> {
    /// A value that is no node.
    pub(super) fn new_value(&mut self, home: Home) -> Value {
        self.homes.push(home);
        self.spans.push(self.span);
        self.homes.len() - 1
    }

    pub(super) fn value(&mut self, id: Id) -> Value {
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

    pub(super) fn refuse<T>(
        &self,
        code: &'static str,
        message: &'static str,
        note: &'static str,
    ) -> Result<T> {
        Err(Problem::new(code, self.span.range(), message).note(note))
    }

    pub(super) fn items(&mut self, items: &[Item]) -> Result<()> {
        for (index, item) in items.iter().enumerate() {
            match item {
                Item::Node(id) => self.node(*id)?,
                Item::Write { output, mask } => self.output(*output, *mask)?,
                Item::Call { procedure, call, results, span } => {
                    self.call(*procedure, *call, results, *span)?;
                }
                Item::If { condition, accept, reject, results, span } => {
                    let mut behind = items.get(index + 1..).unwrap_or_default().iter();
                    let next = self.asked_next(item, behind.find(|item| !self.is_nothing(item)));
                    self.condition(*condition, (accept, reject), results, (*span, next))?;
                }
                Item::Loop { index, body, results, stop, span } => {
                    self.repeat(*index, body, results, *stop, *span)?;
                }
            }
        }
        Ok(())
    }

    /// Components of a node that are needed.
    pub(super) fn needed(&self, id: Id) -> SmallVec<[u8; 4]> {
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
            op if op.hands_on() => return Ok(()),
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
    pub(super) fn copy_lanes(&mut self, value: Value, components: &[u8], lanes: &[Lane]) -> Result<()> {
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
    pub(super) fn truth_as_flag(&mut self, uniform: u16, turned: bool) -> Result<Code> {
        let value = self.new_value(Home::Any);
        self.put_truth(value, uniform)?;
        let read = Operand { register: Register::Value(value), components: smallvec![0, 0], negate: false };
        let relation = if turned { Relation::Eq } else { Relation::Ne };
        let zeros = constant(&[Lane::ZERO, Lane::ZERO]);
        self.fitted(Operation::Cmp(relation, relation), None, smallvec![zeros, read])?;
        Ok(Code::Flags("cmp.x", "!cmp.x", false))
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
