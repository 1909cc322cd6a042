//! From instructions with registers to lines: copies that have become nothing go, components become masks and swizzles, and
//! what the machine asks of neighbours is kept.

use super::code::{Address, Code, Instruction, Operand, Operation, Register, Value};
use crate::{
    allocate::{Assigned, Step, Text},
    vector::{Span, Table},
};
use smallvec::SmallVec;

/// A line of the listing.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// An instruction.
    Do(Do),
    /// A condition by flags, as it is written.
    If(&'static str),
    /// A condition by a bool uniform.
    Ifu(u16),
    /// A jump over what follows if a bool uniform is true, to the label with this number.
    Jump(u16, usize),
    /// The place that a jump goes to.
    Label(usize),
    /// The other part.
    Else,
    /// The end of a condition or loop.
    End,
    /// A loop by constants.
    Loop([u8; 4]),
    /// A loop by an integer uniform.
    LoopUniform(u16),
    /// Leaves the loop by flags.
    Break(&'static str),
    /// A procedure runs, by its index.
    Call(usize),
    /// It runs under a condition by flags.
    CallIf(&'static str, usize),
    /// It runs if a bool uniform is true.
    CallTruth(u16, usize),
}

/// An instruction with its registers.
#[derive(Debug, Clone, PartialEq)]
pub struct Do {
    /// What it does.
    pub operation: Operation,
    /// What it writes.
    pub target: Option<Target>,
    /// What it reads.
    pub sources: SmallVec<[Source; 3]>,
    /// Place in the source.
    pub span: Span,
}

/// A register that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// An output, or a temporary.
    pub is_output: bool,
    /// Its number.
    pub number: u8,
    /// Lanes, bit 0 = x.
    pub mask: u8,
}

/// An operand with its register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The register.
    pub place: Place,
    /// Whether the sign is changed.
    pub negate: bool,
    /// For each lane the component; of constants the index of the number.
    pub swizzle: [u8; 4],
    /// Lanes that matter.
    pub reads: u8,
}

/// A register that is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// r.
    Temporary(u8),
    /// v.
    Input(u8),
    /// A row of a uniform or an array, with an index register or without.
    Table(Table, i32, Option<Address>),
    /// Numbers that get a register when all are known.
    Constant(SmallVec<[u32; 4]>),
}

struct Emit<'a> {
    assigned: &'a Assigned,
    lines: Vec<Line>,
    depth: usize,
    labels: usize,
    /// The comparison that the flags are of, as long as it would give the same.
    compared: Option<Do>,
}

/// All lines of a program, and of its procedures.
pub fn emit(text: &Text<Code>, assigned: &Assigned) -> (Vec<Line>, Vec<Vec<Line>>) {
    let mut emit = Emit { assigned, lines: Vec::new(), depth: 0, labels: 0, compared: None };
    emit.block(&text.main);
    let main = std::mem::take(&mut emit.lines);
    // In a procedure nothing may jump: it would miss the end.
    let procedures = text.procedures.iter().map(|code| emit.part(code)).collect();
    (main, procedures)
}

impl Emit<'_> {
    fn block(&mut self, code: &[Step<Code>]) {
        for step in code {
            match step {
                Step::Do(Code::Instruction(instruction)) => self.instruction(instruction),
                Step::Do(_) => {}
                Step::Call(index) => {
                    self.compared = None;
                    self.lines.push(Line::Call(*index));
                }
                Step::If(head, accept, reject) => self.condition(head, accept, reject),
                Step::Loop(head, body, stop) => {
                    self.lines.push(match head {
                        Code::Constant(values, _) => Line::Loop(*values),
                        Code::Uniform(uniform, _) => Line::LoopUniform(*uniform),
                        _ => continue,
                    });
                    let mut body = self.part(body);
                    if let Some(Code::Flags(flags, other, _)) = stop {
                        leave(&mut body, flags, other);
                    }
                    self.compared = None;
                    self.lines.append(&mut body);
                    self.lines.push(Line::End);
                }
            }
        }
    }

    fn part(&mut self, code: &[Step<Code>]) -> Vec<Line> {
        let before = std::mem::take(&mut self.lines);
        self.compared = None;
        self.depth += 1;
        self.block(code);
        self.depth -= 1;
        std::mem::replace(&mut self.lines, before)
    }

    fn condition(&mut self, head: &Code, accept: &[Step<Code>], reject: &[Step<Code>]) {
        let compared = self.compared.take();
        let (mut accept, mut reject) = (self.part(accept), self.part(reject));
        let changes = |line: &Line| match (line, &compared) {
            (Line::Do(made), Some(known)) => changes(made, known),
            (Line::Call(_) | Line::CallIf(..) | Line::CallTruth(..), _) => true,
            _ => false,
        };
        self.compared = if accept.iter().chain(&reject).any(changes) { None } else { compared.clone() };
        let is_asked_again = matches!(head, Code::Flags(_, _, true));
        let head = match head {
            Code::Flags(so, other, _) => match accept.is_empty() {
                true => {
                    std::mem::swap(&mut accept, &mut reject);
                    Line::If(other)
                }
                false => Line::If(so),
            },
            Code::Truth(uniform, turned) => {
                if *turned {
                    std::mem::swap(&mut accept, &mut reject);
                }
                if accept.is_empty() && !reject.is_empty() {
                    return self.unless(*uniform, reject);
                }
                Line::Ifu(*uniform)
            }
            _ => return,
        };
        if accept.is_empty() {
            // Both are: the comparison was for nothing.
            let is_comparison =
                |line: &Line| matches!(line, Line::Do(Do { operation: Operation::Cmp(..), .. }));
            if matches!(head, Line::If(_)) && !is_asked_again && self.lines.last().is_some_and(is_comparison)
            {
                self.lines.pop();
            }
            return;
        }
        if let ([Line::Call(procedure)], true) = (accept.as_slice(), reject.is_empty()) {
            let call = match head {
                Line::If(flags) => Some(Line::CallIf(flags, *procedure)),
                Line::Ifu(uniform) => Some(Line::CallTruth(uniform, *procedure)),
                _ => None,
            };
            if let Some(call) = call {
                self.lines.push(call);
                return;
            }
        }
        self.lines.push(head);
        self.lines.append(&mut accept);
        if !reject.is_empty() {
            self.lines.push(Line::Else);
            self.lines.append(&mut reject);
        }
        self.lines.push(Line::End);
    }

    /// What runs only if a bool uniform is false. A jump must not meet the end of a block.
    fn unless(&mut self, uniform: u16, mut code: Vec<Line>) {
        if self.depth == 0 {
            self.labels += 1;
            self.lines.push(Line::Jump(uniform, self.labels));
            self.lines.append(&mut code);
            self.lines.push(Line::Label(self.labels));
            return;
        }
        let nothing =
            Do { operation: Operation::Nop, target: None, sources: SmallVec::new(), span: Span::default() };
        self.lines.extend([Line::Ifu(uniform), Line::Do(nothing), Line::Else]);
        self.lines.append(&mut code);
        self.lines.push(Line::End);
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let Some((value, components)) = &instruction.target else {
            let lanes: SmallVec<[u8; 4]> = (0..4).collect();
            let made = self.made(instruction, None, &lanes, &lanes);
            return self.push(made);
        };
        // A copy to where it is already is none.
        let kept: SmallVec<[(u8, u8); 4]> = (0u8..)
            .zip(components.iter().copied())
            .filter(|(at, to)| !self.is_same(instruction, *value, *to, usize::from(*at)))
            .collect();
        if kept.is_empty() {
            return;
        }
        let mut target = Target { is_output: false, number: 0, mask: 0 };
        let mut lanes: SmallVec<[u8; 4]> = SmallVec::new();
        let mut of: SmallVec<[u8; 4]> = SmallVec::new();
        for (at, to) in kept {
            let component = value * 4 + usize::from(to);
            let (is_output, place) = match self.assigned.output(component) {
                Some(place) => (true, place),
                None => match self.assigned.register(component) {
                    Some(place) => (false, place),
                    // Nobody reads it.
                    None => continue,
                },
            };
            (target.is_output, target.number) = (is_output, place.0);
            target.mask |= 1 << place.1;
            lanes.push(place.1);
            of.push(at);
        }
        if target.mask != 0 {
            let made = self.made(instruction, Some(target), &lanes, &of);
            self.push(made);
        }
    }

    fn is_same(&self, instruction: &Instruction, value: Value, to: u8, at: usize) -> bool {
        let [Operand { register: Register::Value(from), components, negate: false }] =
            instruction.operands.as_slice()
        else {
            return false;
        };
        let Some(read) = components.get(at) else { return false };
        instruction.operation == Operation::Mov
            && self.assigned.is_same(value * 4 + usize::from(to), from * 4 + usize::from(*read))
    }

    /// The instruction with its registers. `lanes` are those that are written, `of` which lanes of the operation they are.
    fn made(&self, instruction: &Instruction, target: Option<Target>, lanes: &[u8], of: &[u8]) -> Do {
        let operation = instruction.operation;
        let mut sources = SmallVec::new();
        for operand in &instruction.operands {
            let (mut place, mut swizzle, mut reads) = (Place::Temporary(0), [0, 1, 2, 3], 0);
            for lane in 0..4u8 {
                // Which lane of the operation this lane of the source is for.
                let index = match operation.is_lanewise() {
                    true => lanes.iter().position(|to| *to == lane).and_then(|at| of.get(at).copied()),
                    false => Some(lane),
                };
                let component = index.and_then(|index| operand.components.get(usize::from(index)).copied());
                let Some(component) = component else { continue };
                let physical = match &operand.register {
                    Register::Value(value) => {
                        let at = self
                            .assigned
                            .register(value * 4 + usize::from(component))
                            .unwrap_or((0, component));
                        place = Place::Temporary(at.0);
                        at.1
                    }
                    Register::Input(number) => {
                        place = Place::Input(*number);
                        component
                    }
                    Register::Table { table, row, index } => {
                        place = Place::Table(*table, *row, *index);
                        component
                    }
                    Register::Constant(numbers) => {
                        place = Place::Constant(numbers.clone());
                        component
                    }
                };
                swizzle[usize::from(lane)] = physical;
                reads |= 1 << lane;
            }
            // Lanes that do not matter are as the last that does, so that they are easy to read.
            let matters = reads;
            let mut last = None;
            for (lane, component) in swizzle.iter_mut().enumerate() {
                if matters >> lane & 1 != 0 {
                    last = Some(*component);
                } else if let Some(last) = last.filter(|_| !operation.is_lanewise()) {
                    *component = last;
                }
            }
            sources.push(Source { place, negate: operand.negate, swizzle, reads: matters });
        }
        Do { operation, target, sources, span: instruction.span }
    }

    fn push(&mut self, made: Do) {
        if let Operation::Cmp(..) = made.operation {
            let is_known = self
                .compared
                .as_ref()
                .is_some_and(|known| (known.operation, &known.sources) == (made.operation, &made.sources));
            if is_known {
                return;
            }
            self.compared = Some(made.clone());
        } else if self.compared.as_ref().is_some_and(|known| changes(&made, known)) {
            self.compared = None;
        }
        if let Some(Line::Do(before)) = self.lines.last_mut() {
            if joined(before, &made) {
                return;
            }
            // Two in a row hang the machine.
            if let (Operation::Mova(_), Operation::Mova(_)) = (before.operation, made.operation) {
                let nothing =
                    Do { operation: Operation::Nop, target: None, sources: SmallVec::new(), span: made.span };
                self.lines.push(Line::Do(nothing));
            }
        }
        self.lines.push(Line::Do(made));
    }
}

/// Whether a comparison gives something else behind an instruction, or the flags are of another one.
fn changes(made: &Do, compared: &Do) -> bool {
    let is_written = |source: &Source| match (&source.place, made.target, made.operation) {
        (Place::Temporary(number), Some(target), _) => {
            !target.is_output && target.number == *number && read(source) & target.mask != 0
        }
        (Place::Table(_, _, Some(_)), _, Operation::Mova(_)) => true,
        _ => false,
    };
    matches!(made.operation, Operation::Cmp(..)) || compared.sources.iter().any(is_written)
}

/// Components that an operand reads.
fn read(source: &Source) -> u8 {
    (0..4).filter(|lane| source.reads >> lane & 1 != 0).fold(0, |mask, lane| mask | 1 << source.swizzle[lane])
}

/// Leaves a loop at the end of its body. What stands there under the opposite condition can as well stand behind the
/// `breakc`.
fn leave(body: &mut Vec<Line>, flags: &'static str, other: &'static str) {
    let mut depth = 0usize;
    let mut head = None;
    for (index, line) in body.iter().enumerate().rev() {
        match line {
            Line::End => depth += 1,
            Line::If(_) | Line::Ifu(_) | Line::Loop(_) | Line::LoopUniform(_) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    head = Some(index);
                    break;
                }
            }
            Line::Else if depth == 1 => break,
            Line::Do(Do { operation: Operation::Cmp(..), .. }) => break,
            _ if depth == 0 => break,
            _ => {}
        }
    }
    match head.and_then(|head| body.get_mut(head)) {
        Some(line) if *line == Line::If(other) => {
            *line = Line::Break(flags);
            body.pop();
        }
        _ => body.push(Line::Break(flags)),
    }
}

/// How far in front of an array its elements are addressed, by uniform: rows below zero.
pub fn before_first<'l>(lines: impl Iterator<Item = &'l Line>) -> Vec<(u16, i32)> {
    let mut found: Vec<(u16, i32)> = Vec::new();
    for line in lines {
        let Line::Do(made) = line else { continue };
        for source in &made.sources {
            if let Place::Table(Table::Uniform(uniform), row @ ..0, Some(_)) = source.place {
                found.push((uniform, row));
            }
        }
    }
    found
}

/// Makes one copy of two that write the same register from the same one.
fn joined(before: &mut Do, next: &Do) -> bool {
    let (Some(to), Some(next_to)) = (before.target, next.target) else { return false };
    let ([from], [next_from]) = (before.sources.as_mut_slice(), next.sources.as_slice()) else {
        return false;
    };
    let is_copy = before.operation == Operation::Mov && next.operation == Operation::Mov;
    let same_target =
        (to.is_output, to.number) == (next_to.is_output, next_to.number) && to.mask & next_to.mask == 0;
    // What the first writes the second must not read.
    let reads_itself = !to.is_output && from.place == Place::Temporary(to.number);
    let mut next_swizzle = next_from.swizzle;
    let mut place = from.place.clone();
    if let (Place::Constant(numbers), Place::Constant(others)) = (&mut place, &next_from.place) {
        // Numbers can lie in one register, four of them.
        for lane in (0..4).filter(|lane| next_to.mask >> lane & 1 != 0) {
            let Some(number) = others.get(usize::from(next_swizzle[lane])) else { return false };
            let at = numbers.iter().position(|known| known == number).unwrap_or_else(|| {
                numbers.push(*number);
                numbers.len() - 1
            });
            next_swizzle[lane] = u8::try_from(at).unwrap_or(u8::MAX);
        }
        if numbers.len() > 4 {
            return false;
        }
    } else if from.place != next_from.place {
        return false;
    }
    if !is_copy || !same_target || from.negate != next_from.negate || reads_itself {
        return false;
    }
    for (lane, (component, next)) in from.swizzle.iter_mut().zip(next_swizzle).enumerate() {
        if next_to.mask >> lane & 1 != 0 {
            *component = next;
        }
    }
    from.place = place;
    from.reads |= next_from.reads;
    before.target = Some(Target { mask: to.mask | next_to.mask, ..to });
    true
}
