//! PICA200, the vertex units of the Nintendo 3DS: which instructions a program becomes (`select`), what one of them can
//! read (`fit`), and the listing that the assembler takes (`listing`).
//!
//! A second machine is a room like this one: its own operations, its own `select`, `fit` and `emit`. The front half
//! (`front`), the program (`vector`) and the allocator (`allocate`) know nothing of it.

pub mod code;
pub mod emit;
mod fit;
mod flow;
pub mod listing;
mod number;
pub mod pool;
pub mod select;

use crate::allocate::{Home, assign, coalesce, interference};
use crate::front::Walked;
use crate::front::interface::Interface;
use crate::vector::counters::{Count, counters};
use crate::vector::fuse::multiply_adds;
use crate::vector::live::{Uses, compact, forward};
use crate::vector::nested::nested;
use crate::vector::recompute::recompute;
use crate::vector::schedule::schedule;
use crate::vector::{Id, Lane, Op, Program, Span};
use emit::Line;
use listing::{Listing, Names};
use select::{Selected, Style, select};
use std::collections::HashMap;
use unshade_bytes::problem::{Problem, Result};

/// Temporary registers.
const REGISTERS: usize = 16;
/// Values that the allocator takes: far more than 512 words can have.
const VALUES: usize = 4096;
/// Values of a program that is brought into another order to need fewer registers: no more fit into its code either.
const CROWDED: usize = 2048;
/// What is said where registers do not suffice.
const FULL: &str = "compile.registers";

/// A program in instructions.
#[derive(Debug)]
pub struct Generated {
    /// The instructions.
    pub lines: Vec<Line>,
    /// The procedures that they call: names and instructions.
    pub procedures: Vec<(String, Vec<Line>)>,
    /// Arrays of constants that they read.
    pub tables: Vec<Vec<[u32; 4]>>,
    /// Registers that it uses.
    pub registers: usize,
    /// What may be a mistake.
    pub warnings: Vec<Problem>,
}

impl Generated {
    /// All instructions.
    pub fn all_lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().chain(self.procedures.iter().flat_map(|(_, lines)| lines))
    }

    /// The listing, with what it has in common with others.
    pub fn listing(&self, interface: &Interface, names: &Names<'_>) -> Listing {
        listing::listing(self, interface, names)
    }

    /// Whether an array would have to start later, were its first register this one.
    pub fn starts_too_early(&self, interface: &Interface, bases: &HashMap<String, u16>) -> bool {
        emit::before_first(self.all_lines()).into_iter().any(|(uniform, row)| {
            let base =
                interface.floats.get(usize::from(uniform)).and_then(|uniform| bases.get(&uniform.name));
            base.is_some_and(|base| i32::from(*base) + row < 0)
        })
    }
}

/// Makes the instructions of a program. `fuses` allows multiply-adds, which reach fewer descriptors than other instructions.
pub fn generate(walked: &Walked, fuses: bool) -> Result<Generated> {
    let mut program = walked.program.clone();
    forward(&mut program);
    nested(&mut program);
    forward(&mut program);
    addresses(&mut program);
    let counts = counters(&mut program);
    forward(&mut program);
    if fuses {
        multiply_adds(&mut program);
    }
    let mut full = match attempt(&program, walked, &counts) {
        Ok(done) => return Ok(done),
        Err(problem) if problem.code == FULL => problem,
        Err(problem) => return Err(problem),
    };
    // Another order, and what is cheap computed again: at first as little of it as may do, since what is estimated is not
    // always what fits.
    compact(&mut program);
    if program.nodes.len() <= CROWDED {
        schedule(&mut program);
        for registers in [REGISTERS, REGISTERS - 1, REGISTERS - 2, REGISTERS - 4, REGISTERS - 7] {
            recompute(&mut program, registers);
            match attempt(&program, walked, &counts) {
                Ok(done) => return Ok(done),
                Err(problem) if problem.code == FULL => full = problem,
                Err(problem) => return Err(problem),
            }
        }
    }
    Err(full)
}

/// Selects and gives registers in the ways that there are.
fn attempt(program: &Program, walked: &Walked, counts: &[Option<Count>]) -> Result<Generated> {
    let uses = Uses::new(program);
    let mut full = None;
    for style in [Style { shares_copies: true }, Style { shares_copies: false }] {
        let selected = select(program, &walked.interface, &uses, counts, style)?;
        match allocated(&selected) {
            Ok((assigned, registers)) => {
                let (lines, procedures) = emit::emit(&selected.code, &assigned);
                let names = program.procedures.iter().map(|procedure| procedure.name.clone());
                let procedures = names.zip(procedures).collect();
                let warnings = precision(program, &uses);
                return Ok(Generated {
                    lines,
                    procedures,
                    tables: program.tables.clone(),
                    registers,
                    warnings,
                });
            }
            Err(problem) => full = Some(problem),
        }
    }
    Err(full.unwrap_or_else(|| Problem::new(FULL, 0..0, "no registers")))
}

fn allocated(selected: &Selected) -> Result<(crate::allocate::Assigned, usize)> {
    let homes = &selected.homes;
    if homes.len() > VALUES {
        let message =
            format!("the program has {} values, far more than the machine has room for", homes.len());
        return Err(Problem::new("compile.size", 0..0, message));
    }
    let at_end: Vec<usize> = homes
        .iter()
        .enumerate()
        .filter(|(_, home)| matches!(home, Home::Output(_)))
        .flat_map(|(value, _)| value * 4..value * 4 + 4)
        .collect();
    let interference = interference(&selected.code, homes.len() * 4, &at_end);
    let cells = coalesce(&selected.code, homes, &interference);
    let assigned = assign(&cells, &interference, REGISTERS).map_err(|full| {
        let span = selected.spans.get(full.component / 4).copied().unwrap_or(Span::default());
        Problem::new(
            FULL,
            span.range(),
            "what is computed here finds no temporary register: the machine has 16, and all hold what is needed later",
        )
        .note("compute what needs many values at once in parts, or write outputs as early as they are known")
    })?;
    let registers = assigned.registers;
    Ok((assigned, registers))
}

/// Indices go without their whole part being taken: the machine does that when it loads them.
fn addresses(program: &mut Program) {
    let uses = Uses::new(program);
    let truncated = |program: &Program, lane: Lane| -> Option<(Id, Lane)> {
        let Lane::Of { node, component, negate: false } = lane else { return None };
        let of = program.node(node);
        (of.op == Op::Truncate).then_some(())?;
        Some((node, of.arguments.first()?.get(usize::from(component)).copied()?))
    };
    // Directly behind an index.
    for index in 0..program.nodes.len() {
        let Some(node) = program.nodes.get(index) else { continue };
        let lane = node.arguments.first().and_then(|list| list.first().copied());
        if matches!(node.op, Op::Element { .. })
            && let Some((_, inner)) = lane.and_then(|lane| truncated(program, lane))
            && let Some(place) =
                program.nodes.get_mut(index).and_then(|node| node.arguments.first_mut()?.first_mut())
        {
            *place = inner;
        }
    }
    // What only indices need, times the rows of an element: the floor is as good, since an index is not below zero.
    let mut others = vec![false; program.nodes.len()];
    let mut is_index = vec![false; program.nodes.len()];
    for node in &program.nodes {
        let list = node.arguments.first().into_iter().flatten();
        if matches!(node.op, Op::Element { .. }) {
            list.filter_map(|lane| lane.node()).for_each(|id| set(&mut is_index, id));
        }
    }
    for _ in 0..4 {
        for index in 0..program.nodes.len() {
            let Some(node) = program.nodes.get(index) else { continue };
            if is_index.get(index) == Some(&true) && matches!(node.op, Op::Add | Op::Mul) {
                node.arguments
                    .iter()
                    .flatten()
                    .filter_map(|lane| lane.node())
                    .for_each(|id| set(&mut is_index, id));
            }
        }
    }
    for (index, node) in program.nodes.iter().enumerate() {
        let is_needed = uses.components.get(index).is_some_and(|mask| *mask != 0);
        let only_index = matches!(node.op, Op::Element { .. })
            || (is_index.get(index) == Some(&true) && matches!(node.op, Op::Add | Op::Mul));
        if is_needed && !only_index {
            node.arguments
                .iter()
                .flatten()
                .filter_map(|lane| lane.node())
                .for_each(|id| set(&mut others, id));
        }
    }
    let outputs = program.outputs.iter().flat_map(|written| written.lanes.iter().flatten());
    outputs.filter_map(|lane| lane.node()).for_each(|id| set(&mut others, id));
    for (index, node) in program.nodes.iter_mut().enumerate() {
        if node.op == Op::Truncate && is_index.get(index) == Some(&true) && others.get(index) == Some(&false)
        {
            node.op = Op::Floor;
        }
    }
}

fn set(list: &mut [bool], id: Id) {
    if let Some(place) = list.get_mut(id.index()) {
        *place = true;
    }
}

/// Warns of constants that lose what was meant.
fn precision(program: &Program, uses: &Uses) -> Vec<Problem> {
    let mut warnings: Vec<Problem> = Vec::new();
    let mut told: Vec<u32> = Vec::new();
    let mut tell = |bits: u32, span: Span| {
        if told.contains(&bits) {
            return;
        }
        if let Some(message) = number::loses(f32::from_bits(bits)) {
            told.push(bits);
            warnings.push(*Problem::new("compile.precision", span.range(), message));
        }
    };
    for (index, node) in program.nodes.iter().enumerate() {
        if uses.components.get(index).is_some_and(|mask| *mask != 0) {
            for lane in node.arguments.iter().flatten() {
                if let Lane::Const(bits) = lane {
                    tell(*bits, node.span);
                }
            }
        }
    }
    for written in &program.outputs {
        for lane in written.lanes.iter().flatten() {
            if let Lane::Const(bits) = lane {
                tell(*bits, written.span);
            }
        }
    }
    for bits in program.tables.iter().flatten().flatten() {
        tell(*bits, Span::default());
    }
    warnings
}
