//! PICA200 code to IR.
//!
//! # How
//! 1. `flow` says what each word may do to the control flow.
//! 2. `explore` follows the program from its entry over (word, open blocks) with the machine's exact stack
//!    rules, and finds the procedures that can stay functions; `reach` removes open blocks that cannot
//!    matter any more, so that the same code is not lifted twice.
//! 3. `function` writes each graph as a function over variables, one per component of a register;
//!    `arithmetic` and `operand` hold what instructions compute.
//! 4. `interface` names what is loaded and stored.
//!
//! # What the module looks like
//! | machine | IR |
//! |---|---|
//! | v`n` component k | `Load` of `Input`, binding 0, word 4n + k |
//! | c`n` | `Load` of `Uniform`, binding 0, word 4n + k; relative addressing: see `operand` |
//! | i`n` | `Load` of `Uniform`, binding 1, word 4n + k, the byte zero-extended |
//! | b`n` | `Load` of `Uniform`, binding 2, word n: 0 or 1 |
//! | r, a0, aL, cmp | variables |
//! | o`n` | variables; `Store` to `Output`, binding 0, word 4n + k, at END, for every component that the code writes or the output table names |
//! | LOOP | a variable that counts passes from 0, tested in front of each pass: `passes <= i.x` (which holds for the first, as the machine does at least one); aL is a variable of its own; in front of a loop inside a loop it is kept in another, from which it comes back behind it |
//! | EMIT | outputs to the variables of the slot, the two banks exchanged; with the primitive flag the slots are stored and `EmitVertex` done for slots 0 1 2 (winding inverted: 1 0 2), then `EndPrimitive` |
//!
//! SETEMIT leaves no trace: which slot an EMIT fills is a matter of the place in the program. The arithmetic
//! is that of [`super::exec::Float::F32`]. Every operation carries its machine word, step
//! ([`Step`]) and lane.

mod arithmetic;
mod explore;
mod flow;
mod function;
mod interface;
mod operand;
mod reach;
mod registers;
mod write;

pub use operand::{BOOL_BINDING, FLOAT_BINDING, INT_BINDING};
pub use write::Step;

use super::{Descriptor, Inst, Operands, decode};
use explore::{Action, Edge, Exit, Explorer, Graph, PLACE_LIMIT, Stop, What};
use flow::Flow;
use function::Program;
use std::collections::{BTreeMap, BTreeSet};
use unshade_bytes::{Error, ErrorKind};
use unshade_ir::{FunctionId, Module};
use unshade_stage::{Isa, Stage, StageKind};

/// Code words that the machine can address.
const WORDS: usize = 4096;

/// Lifts a stage. The module is over variables; `unshade_ir::ssa` comes next.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if the stage is for another machine, [`ErrorKind::LimitExceeded`] if its blocks
/// overlap in so many ways that it would grow beyond all measure.
pub fn lift(stage: &Stage<'_>) -> Result<Module, Error> {
    if stage.isa != Isa::Pica200 {
        let found = stage.isa.name();
        return Err(Error::new(ErrorKind::Unsupported, stage.code.file_offset, "", "PICA200 code", found));
    }
    let geometry = stage.kind == StageKind::Geometry;
    let insts: Vec<Inst> = stage.code.words.iter().take(WORDS).map(|word| decode(*word)).collect();
    let flow = insts.iter().map(|inst| Flow::of(*inst, geometry)).collect();
    let mut explorer = Explorer::new(flow);
    let main = explorer.program(stage.code.entry).map_err(|_: Stop| {
        Error::new(
            ErrorKind::LimitExceeded,
            stage.code.file_offset + 4 * u64::from(stage.code.entry),
            "code",
            format!("control flow with at most {PLACE_LIMIT} places in each function"),
            "blocks, calls and jumps that overlap in more ways",
        )
    })?;
    let graphs = explorer.graphs;
    let called = called(&main, &graphs);
    let mut functions = vec![None; graphs.len()];
    for (number, graph) in called.iter().enumerate() {
        functions[*graph] = Some(FunctionId(number as u32 + 1));
    }
    let reached = || std::iter::once(&main).chain(called.iter().map(|graph| &graphs[*graph]));
    let mut program = Program {
        insts: &insts,
        descriptors: &stage.code.descriptors,
        geometry,
        outputs: outputs(stage, &insts, reached()),
        functions,
        registers: Default::default(),
        bases: BTreeSet::new(),
    };
    let mut module = Module::default();
    let names = names(stage, &called, &graphs);
    let function = program.function(&mut module, &main, usize::MAX, "main".to_owned());
    module.entry = module.push_function(function);
    for (graph, name) in called.iter().zip(names) {
        let function = program.function(&mut module, &graphs[*graph], *graph, name);
        module.push_function(function);
    }
    module.globals = interface::globals(stage, &module, &program.outputs, &program.bases);
    Ok(module)
}

fn edges(graph: &Graph) -> impl Iterator<Item = &Edge> {
    graph
        .places
        .iter()
        .flat_map(|place| match &place.exit {
            Exit::Jump(edge) => [Some(edge), None],
            Exit::Branch { then, otherwise, .. } => [Some(then), Some(otherwise)],
            Exit::End => [None, None],
        })
        .flatten()
}

/// Graphs that are called, directly or not, in the order in which they are met.
fn called(main: &Graph, graphs: &[Graph]) -> Vec<usize> {
    let mut seen = vec![false; graphs.len()];
    let mut order = Vec::new();
    let mut graph = main;
    let mut next = 0;
    loop {
        for action in edges(graph).flat_map(|edge| &edge.actions) {
            if let Action::Call(callee) = *action
                && !std::mem::replace(&mut seen[callee], true)
            {
                order.push(callee);
            }
        }
        let Some(index) = order.get(next) else { return order };
        graph = &graphs[*index];
        next += 1;
    }
}

/// Components of the output registers that the reached code writes or the file names.
fn outputs<'a>(stage: &Stage<'_>, insts: &[Inst], graphs: impl Iterator<Item = &'a Graph>) -> [u8; 16] {
    let mut masks = [0; 16];
    for output in &stage.interface.outputs {
        if let Some(mask) = masks.get_mut(output.register as usize) {
            *mask |= output.mask & 15;
        }
    }
    for place in graphs.flat_map(|graph| &graph.places) {
        let What::Word(word) = place.what else { continue };
        let Some(Inst::Known { opcode, operands }) = insts.get(word as usize) else { continue };
        let (desc, dst) = match operands {
            Operands::One { desc, dst, .. } if *opcode != super::Opcode::Mova => (desc, dst),
            Operands::Two { desc, dst, .. } | Operands::Mad { desc, dst, .. } => (desc, dst),
            _ => continue,
        };
        if let Some(n) = dst.output() {
            let descriptor = stage.code.descriptors.get(usize::from(*desc)).copied().unwrap_or(0);
            masks[usize::from(n)] |= Descriptor(descriptor).mask();
        }
    }
    masks
}

/// Names of the called functions: the file's label at their first word (the one with the right length, if
/// several stand there), or `proc_` and the address. Different functions that start at one word are numbered.
fn names(stage: &Stage<'_>, called: &[usize], graphs: &[Graph]) -> Vec<String> {
    let mut times = BTreeMap::<String, u32>::from([("main".to_owned(), 1)]);
    called
        .iter()
        .map(|index| {
            let Graph { begin, end, .. } = &graphs[*index];
            let length = end.and_then(|end| end.checked_sub(*begin));
            let labels = || stage.code.labels.iter().filter(|label| label.word == *begin);
            let label = labels().find(|label| label.words == length).or_else(|| labels().next());
            let name = match label {
                Some(label) if !label.name.is_empty() => label.name.clone(),
                _ => format!("proc_{begin:03X}"),
            };
            let times = times.entry(name.clone()).or_insert(0);
            *times += 1;
            if *times == 1 { name } else { format!("{name}_{times}") }
        })
        .collect()
}
