//! From naga's module to a program of vectors: functions are called by walking them, variables are what they hold at the
//! moment, and loops that are short are walked as often as they run.

mod arithmetic;
mod call;
mod conversion;
mod expression;
mod functions;
pub mod interface;
mod inverse;
mod links;
mod loops;
mod memory;
mod merge;
mod outline;
mod outputs;
mod passes;
pub mod places;
pub mod shape;
mod statement;
mod trigonometry;
pub mod value;

use crate::source::{Hints, Offsets, Parsed};
use crate::vector::build::Builder;
use crate::vector::{Program, Span};
use interface::Interface;
use naga::{Function, Handle, Module, valid::ModuleInfo};
pub(crate) use outline::Plan;
use std::ops::Range;
use unshade_bytes::problem::{Problem, Result};
use value::Value;

/// A program and what it has in common with others.
#[derive(Debug)]
pub struct Walked {
    /// The program.
    pub program: Program,
    /// Inputs, uniforms, outputs.
    pub interface: Interface,
    /// What may be a mistake.
    pub warnings: Vec<Problem>,
}

/// Operations that a walk may make, and statements that it may visit: far more than the machine holds.
const NODES: usize = 1 << 15;
const STATEMENTS: usize = 1 << 17;
/// Calls and blocks inside each other.
const DEPTH: usize = 96;

/// A walk through a module.
pub(crate) struct Walk<'m> {
    module: &'m Module,
    info: &'m ModuleInfo,
    hints: &'m Hints,
    offsets: &'m Offsets,
    text: &'m str,
    pub(crate) builder: Builder,
    interface: Interface,
    warnings: Vec<Problem>,
    /// What is wrong that does not end the walk.
    errors: Vec<Problem>,
    /// What outputs were asked to be, and which of them the fragment program samples with.
    asked: &'m [(String, places::Choice)],
    sampled: &'m [String],
    /// What each variable holds.
    variables: Vec<Value>,
    /// Where global variables lie.
    globals: Vec<Option<value::Root>>,
    /// Uniforms as trees of registers.
    uniforms: Vec<memory::Uniform>,
    /// How integer uniforms are used.
    wholes: Vec<links::WholeUse>,
    constants: Vec<Option<Value>>,
    statements: usize,
    depth: usize,
    /// Loops that are walked to see how often they run.
    loops_probed: usize,
    /// The innermost of them, by the variable that says that it is left.
    probed: Option<usize>,
    plan: &'m mut Plan,
    /// Functions that are procedures of the program, in its order.
    apart: Vec<outline::Apart>,
}

/// A function that is being walked.
pub(crate) struct Frame<'m> {
    function: &'m Function,
    handle: Handle<Function>,
    /// What expressions are, where that is known.
    values: Vec<Option<Value>>,
    arguments: Vec<Value>,
    /// Indices of local variables.
    locals: Vec<Option<usize>>,
    /// Variable that holds what is returned.
    result: Option<usize>,
    /// Variables that say what has been left: the function, loops and switches, innermost last.
    returned: usize,
    exits: Vec<Exit>,
}

/// What `break` and `continue` leave.
#[derive(Debug, Clone, Copy)]
struct Exit {
    /// Variable that is 1 behind a `break`.
    broken: usize,
    /// Variable that is 1 behind a `continue`; `None` for a switch.
    continued: Option<usize>,
}

/// Walks a module.
pub(crate) fn walk<'m>(
    parsed: &'m Parsed,
    text: &'m str,
    plan: &'m mut Plan,
    asked: &'m [(String, places::Choice)],
    sampled: &'m [String],
) -> std::result::Result<Walked, Vec<Problem>> {
    plan.begin();
    let mut walk = Walk {
        module: &parsed.module,
        info: &parsed.info,
        hints: &parsed.hints,
        offsets: &parsed.offsets,
        text,
        builder: Builder::default(),
        interface: Interface::default(),
        warnings: Vec::new(),
        errors: Vec::new(),
        asked,
        sampled,
        variables: Vec::new(),
        globals: Vec::new(),
        uniforms: Vec::new(),
        wholes: Vec::new(),
        constants: vec![None; parsed.module.global_expressions.len()],
        statements: 0,
        depth: 0,
        loops_probed: 0,
        probed: None,
        plan,
        apart: Vec::new(),
    };
    let one = |problem: Box<Problem>| vec![*problem];
    walk.declare(parsed.entry).map_err(one)?;
    let outputs = walk.entry(parsed.entry, &parsed.bindings).map_err(one)?;
    if !walk.errors.is_empty() {
        return Err(walk.errors);
    }
    walk.say_nowhere();
    let (mut program, mut interface, wholes) = (walk.builder.finish(), walk.interface, walk.wholes);
    program.outputs = outputs;
    links::settle(&mut interface, &mut program, &wholes).map_err(one)?;
    links::fits(&interface).map_err(one)?;
    Ok(Walked { program, interface, warnings: walk.warnings })
}

impl<'m> Walk<'m> {
    /// A place of naga's as bytes of the text.
    fn place(&self, span: naga::Span) -> Range<usize> {
        span.to_range().map_or(0..0, |range| self.offsets.to_text(range, self.text.len()))
    }

    /// What comes next comes from here.
    fn at(&mut self, span: naga::Span) {
        let range = self.place(span);
        if !range.is_empty() {
            let word = |at: usize| u32::try_from(at).unwrap_or(0);
            self.builder.span = Span { start: word(range.start), end: word(range.end) };
        }
    }

    /// An error where the walk stands.
    fn refuse<T>(&self, code: &'static str, message: impl Into<std::borrow::Cow<'static, str>>) -> Result<T> {
        Err(self.problem(code, message))
    }

    fn problem(
        &self,
        code: &'static str,
        message: impl Into<std::borrow::Cow<'static, str>>,
    ) -> Box<Problem> {
        Problem::new(code, self.builder.span.range(), message)
    }

    /// An error that only a module can bring about that naga should have refused.
    fn unexpected<T>(&self) -> Result<T> {
        self.refuse("compile.unsupported", "this is not known here")
    }

    fn budget(&mut self) -> Result<()> {
        self.statements += 1;
        if self.statements > STATEMENTS || self.builder.program.nodes.len() > NODES {
            let message = "the program is too long once calls and loops are followed";
            return Err(self
                .problem("compile.size", message)
                .note("the machine holds 512 words of code for a vertex program"));
        }
        Ok(())
    }

    /// A new variable.
    fn variable(&mut self, value: Value) -> usize {
        self.variables.push(value);
        self.variables.len() - 1
    }

    fn get(&self, variable: usize) -> &Value {
        static NOTHING: Value = Value::List(Vec::new());
        self.variables.get(variable).unwrap_or(&NOTHING)
    }

    fn set(&mut self, variable: usize, value: Value) {
        if let Some(place) = self.variables.get_mut(variable) {
            *place = value;
        }
    }
}
