//! From SSA to the source tree.
//!
//! One function after the other, callees first. For each: `kinds` says what its bits are, `packs` puts
//! scalars back into vectors, `schedule` orders them and decides what is written where it is used,
//! `homes` gives the rest local variables, `statements` writes statements along the structure that
//! [`crate::structure`] found; `tidy` and `declare` make it read well.

mod acts;
mod alike;
mod any;
mod arrange;
mod arrays;
mod blocks;
mod calls;
mod complete;
mod counters;
mod counts;
mod declare;
mod directed;
mod do_while;
mod doubles;
mod ends;
mod exchange;
mod expressions;
mod fetches;
mod finite;
mod followers;
mod forms;
mod globals;
mod group;
mod guards;
mod halves;
mod homes;
mod idioms;
mod interface;
mod kinds;
mod lanes;
mod layout;
mod lengths;
mod matrices;
mod memories;
mod names;
mod narrow;
mod once;
mod operands;
mod operations;
mod outcomes;
mod packs;
mod products;
mod quad;
mod registers;
mod repeated;
mod rolled;
mod schedule;
mod shifts;
mod sides;
mod statements;
mod tails;
mod tidy;
mod tuples;
mod vertices;
mod wide;

use super::{FunctionRef, Program};
use crate::cfg::{Cfg, Dominators, Loops};
use crate::verify::Problem;
use crate::{FunctionId, Module, Op, VarId, verify};
use calls::Signature;
use interface::Interface;
pub use names::{VaryingWord, rename, varying_words};
use std::fmt;

/// What the tree has to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Every bit of every result.
    Strict,
    /// Results on finite inputs, within a few ulp; what is assumed is named in [`Program::assumptions`].
    Readable,
}

/// How the tree came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    /// Local variables, parameters included.
    pub locals: u32,
    /// Loops with a switch over a state variable.
    pub dispatchers: u32,
    /// Blocks that stand in one more place.
    pub duplicated_blocks: u32,
    /// State variables for ways out of several structures at once.
    pub flags: u32,
    /// Loops of the graph, of all functions.
    pub loops: u32,
    /// Loops that the compiler wrote out and that are loops again, beside [`Stats::loops`].
    pub rolled: u32,
    /// Operations of the module that blocks hold, of all functions.
    pub operations: u32,
}

/// A tree, with how it came out.
#[derive(Debug, Clone, PartialEq)]
pub struct Built {
    /// The tree.
    pub program: Program,
    /// How it came out.
    pub stats: Stats,
}

/// Why a module has no tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RaiseError {
    /// It is not well-formed.
    Malformed(Problem),
    /// It still reads or writes machine variables: [`crate::ssa`] has not run.
    Variable(VarId),
    /// A function calls itself, directly or through others; no target language has that.
    Recursion {
        /// Name of the function.
        function: String,
    },
    /// An operation that the tree cannot say.
    Unsupported {
        /// The operation.
        operation: String,
        /// Index of the machine instruction it came from; `u32::MAX` if none.
        instruction: u32,
    },
}

impl fmt::Display for RaiseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(problem) => problem.fmt(f),
            Self::Variable(variable) => write!(f, "variable {variable} is still in use"),
            Self::Recursion { function } => write!(f, "function `{function}` calls itself"),
            Self::Unsupported { operation, instruction } if *instruction == u32::MAX => {
                write!(f, "no source form for {operation}")
            }
            Self::Unsupported { operation, instruction } => {
                write!(f, "no source form for {operation} of instruction {instruction}")
            }
        }
    }
}

impl std::error::Error for RaiseError {}

/// Makes the source tree of a module in SSA form.
pub fn raise(module: &Module, mode: Mode) -> Result<Built, RaiseError> {
    if let Some(problem) = verify::check(module).into_iter().next() {
        return Err(RaiseError::Malformed(problem));
    }
    let order = calls::order(module)?;
    check_operations(module, &order, mode)?;
    let (loops, operations) = size(module, &order);
    let widened = wide::lower(module, &order);
    let module = widened.as_ref().unwrap_or(module);
    let mut lowered = ends::lower(module, &order);
    if let Some(exchanged) = exchange::lower(lowered.as_ref().unwrap_or(module), &order) {
        lowered = Some(exchanged);
    }
    if counters::has_loops(lowered.as_ref().unwrap_or(module)) {
        counters::run(lowered.get_or_insert_with(|| module.clone()));
    }
    let module = lowered.as_ref().unwrap_or(module);
    let mut interface = Interface::new(module, &order, mode)?;
    let mut taken = names::Taken::new(module, &interface);
    let registers = registers::Registers::new(module);
    let mut signatures: Vec<Option<Signature>> = vec![None; module.functions.len()];
    let mut stats = Stats { loops, operations, ..Stats::default() };
    let mut functions = Vec::new();
    for id in &order {
        let mut unit = statements::Unit::new(module, *id, mode, &mut interface, &signatures, &registers)?;
        let name = taken.function(&module.functions[id.index()].name, *id == module.entry);
        let function = unit.raise(name, &mut stats)?;
        let mut signature = unit.into_signature();
        signature.function = FunctionRef(functions.len() as u32);
        signatures[id.index()] = Some(signature);
        functions.push(function);
    }
    let mut assumptions = interface.assumptions();
    if mode == Mode::Readable && rounds_by_direction(module, &order) {
        assumptions
            .push("results that the machine rounds in one direction are rounded to nearest".to_owned());
    }
    let max_vertices = vertices::bound(&functions, &mut assumptions);
    let mut program =
        Program { arrays: module.arrays.clone(), functions, assumptions, max_vertices, ..Program::default() };
    interface.finish(&mut program);
    if mode == Mode::Readable {
        complete::run(&mut program);
        let mut insts = module.functions.iter().flat_map(|function| &function.insts);
        if insts.any(|inst| matches!(inst.op, Op::Join | Op::Low | Op::High)) {
            program.functions.iter_mut().for_each(doubles::run);
        }
        let wraps = program.max_vertices.is_some();
        arrays::run(&mut program, wraps);
        for function in &mut program.functions {
            stats.rolled += rolled::run(function, &program.globals, wraps);
        }
    }
    names::name_globals(&mut program, &mut taken);
    names::name_locals(&mut program, &mut taken);
    stats.locals = program.functions.iter().map(|function| function.locals.len() as u32).sum();
    Ok(Built { program, stats })
}

/// How many loops and operations the functions have.
fn size(module: &Module, order: &[FunctionId]) -> (u32, u32) {
    let (mut loops, mut operations) = (0, 0);
    for function in order.iter().map(|id| &module.functions[id.index()]) {
        let cfg = Cfg::new(function);
        loops += Loops::new(&cfg, &Dominators::new(&cfg)).loops.len() as u32;
        operations +=
            cfg.order.iter().map(|block| function.blocks[block.index()].insts.len() as u32).sum::<u32>();
    }
    (loops, operations)
}

/// Whether something is rounded otherwise than to nearest.
fn rounds_by_direction(module: &Module, order: &[FunctionId]) -> bool {
    order.iter().map(|id| &module.functions[id.index()]).any(|function| {
        let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
        insts.any(|inst| {
            let op = &function.insts[inst.index()].op;
            let mode = op.float_mode().filter(|_| !directed::is_coarse(op));
            mode.is_some_and(|mode| mode.round != crate::Round::Nearest)
        })
    })
}

/// Refuses what no form of the tree has, before any work is done.
fn check_operations(module: &Module, order: &[FunctionId], mode: Mode) -> Result<(), RaiseError> {
    for id in order {
        let function = &module.functions[id.index()];
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            let inst = &function.insts[inst.index()];
            if let Op::ReadVar(variable) | Op::WriteVar(variable) = inst.op {
                return Err(RaiseError::Variable(variable));
            }
            let types = inst.args.iter().chain(&inst.results).map(|value| function.ty(*value));
            if !operands::is_sayable(&inst.op, types, mode) {
                return Err(RaiseError::Unsupported {
                    operation: format!("{:?}", inst.op),
                    instruction: inst.origin.instruction,
                });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod memory_tests;
#[cfg(test)]
mod shading_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod text;
