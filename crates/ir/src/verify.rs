//! What a well-formed module is: ids that exist, operands of the right types, definitions before uses.
//!
//! Every pass keeps a module well-formed and may rely on it. [`check`] is run on what a lift made and, in
//! tests, behind each pass.

use crate::cfg::{Cfg, Dominators};
use crate::{
    BlockId, Function, FunctionId, InstId, Module, Op, Space, Target, Terminator, Type, Value, ValueDef,
    VarId,
};
use smallvec::SmallVec;
use std::fmt;

/// Something that makes a module ill-formed, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// In which function.
    pub function: FunctionId,
    /// In which block, if in one.
    pub block: Option<BlockId>,
    /// At which instruction; none: the block's parameters or terminator.
    pub inst: Option<InstId>,
    /// What is wrong.
    pub kind: ProblemKind,
}

/// Kinds of [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemKind {
    /// The entry function is not there.
    NoEntry,
    /// The entry function has parameters.
    EntryParameters,
    /// A function without blocks.
    NoBlocks,
    /// An id of a function that is not there.
    NoFunction(FunctionId),
    /// An id of a block that is not there.
    NoBlock(BlockId),
    /// An id of an instruction that is not there.
    NoInstruction(InstId),
    /// An id of a value that is not there.
    NoValue(Value),
    /// An id of a variable that is not there.
    NoVariable(VarId),
    /// An access to a local array that is not there.
    NoArray(u32),
    /// An instruction that stands in two places.
    Repeated(InstId),
    /// A result or parameter whose entry in the value table names another maker.
    WrongDefinition(Value),
    /// A value that is used where its definition does not reach.
    NotDominated(Value),
    /// Operands that do not fit the operation.
    Operands,
    /// Results that do not fit the operation.
    Results,
    /// Arguments of a call, a jump or a return that do not fit the parameters or results.
    Arguments,
    /// A condition that is no `bool`, a selector that is no `b32`.
    Selector,
    /// Two cases of a switch with the same selector.
    RepeatedCase(u32),
    /// As many variables of results as there are results, or none: neither holds.
    ResultVariables,
    /// A store to a space that is read only.
    ReadOnly,
    /// A load or store in a space that only has globals.
    NoMemory,
    /// An access to all memory with a stride or a binding.
    Address,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.function)?;
        if let Some(block) = self.block {
            write!(f, " {block}")?;
        }
        if let Some(inst) = self.inst {
            write!(f, " {inst}")?;
        }
        f.write_str(": ")?;
        match self.kind {
            ProblemKind::NoEntry => f.write_str("the entry function does not exist"),
            ProblemKind::EntryParameters => f.write_str("the entry function has parameters"),
            ProblemKind::NoBlocks => f.write_str("a function without blocks"),
            ProblemKind::NoFunction(id) => write!(f, "{id} does not exist"),
            ProblemKind::NoBlock(id) => write!(f, "{id} does not exist"),
            ProblemKind::NoInstruction(id) => write!(f, "{id} does not exist"),
            ProblemKind::NoValue(id) => write!(f, "{id} does not exist"),
            ProblemKind::NoVariable(id) => write!(f, "{id} does not exist"),
            ProblemKind::NoArray(index) => write!(f, "local array {index} does not exist"),
            ProblemKind::Repeated(id) => write!(f, "{id} stands in two places"),
            ProblemKind::WrongDefinition(id) => write!(f, "the value table names another maker for {id}"),
            ProblemKind::NotDominated(id) => write!(f, "{id} is used where its definition does not reach"),
            ProblemKind::Operands => f.write_str("the operands do not fit the operation"),
            ProblemKind::Results => f.write_str("the results do not fit the operation"),
            ProblemKind::Arguments => f.write_str("the arguments do not fit the parameters"),
            ProblemKind::Selector => f.write_str("the selector has the wrong type"),
            ProblemKind::RepeatedCase(case) => write!(f, "two cases for {case}"),
            ProblemKind::ResultVariables => f.write_str("not one variable per result"),
            ProblemKind::ReadOnly => f.write_str("a store to a space that is read only"),
            ProblemKind::NoMemory => f.write_str("a load or store in a space of textures or images"),
            ProblemKind::Address => f.write_str("an access by address with a stride or a binding"),
        }
    }
}

impl std::error::Error for Problem {}

/// All problems of a module; empty for a well-formed one. Linear in the size of the module.
pub fn check(module: &Module) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, function) in module.functions.iter().enumerate() {
        let id = FunctionId(index as u32);
        Checker { module, function, id, problems: &mut problems, types: Vec::new() }.run();
    }
    let mut at_entry =
        |kind| problems.push(Problem { function: module.entry, block: None, inst: None, kind });
    match module.functions.get(module.entry.index()) {
        None => at_entry(ProblemKind::NoEntry),
        Some(entry) if !entry.params().is_empty() => at_entry(ProblemKind::EntryParameters),
        Some(_) => {}
    }
    problems
}

/// Place of a value's definition in its block; parameters come before everything.
const PARAM: u32 = 0;

struct Checker<'a> {
    module: &'a Module,
    function: &'a Function,
    id: FunctionId,
    problems: &'a mut Vec<Problem>,
    types: Vec<Type>,
}

impl Checker<'_> {
    fn report(&mut self, block: Option<BlockId>, inst: Option<InstId>, kind: ProblemKind) {
        self.problems.push(Problem { function: self.id, block, inst, kind });
    }

    fn run(&mut self) {
        let function = self.function;
        if function.blocks.is_empty() {
            return self.report(None, None, ProblemKind::NoBlocks);
        }
        if !function.result_vars.is_empty() && function.result_vars.len() != function.results.len() {
            self.report(None, None, ProblemKind::ResultVariables);
        }
        let before = self.problems.len();
        let places = self.places();
        if self.problems.len() != before {
            return;
        }
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        for (index, block) in function.blocks.iter().enumerate() {
            let here = BlockId(index as u32);
            let reachable = cfg.is_reachable(here);
            let reach = |checker: &mut Self, inst, value: Value, at: u32| {
                match places.get(value.index()) {
                    None => return checker.report(Some(here), inst, ProblemKind::NoValue(value)),
                    // A value in the table that no listed instruction makes reaches nowhere.
                    Some((from, made)) => {
                        if *from != BlockId(u32::MAX)
                            && (!reachable
                                || if *from == here { *made < at } else { dominators.dominates(*from, here) })
                        {
                            return;
                        }
                    }
                }
                checker.report(Some(here), inst, ProblemKind::NotDominated(value));
            };
            for (position, id) in block.insts.iter().enumerate() {
                let inst = &function.insts[id.index()];
                for arg in &inst.args {
                    reach(self, Some(*id), *arg, position as u32 + 1);
                }
                self.inst(here, *id);
            }
            let at = block.insts.len() as u32 + 1;
            block.terminator.for_each_value(|value| reach(self, None, value, at));
            self.terminator(here, &block.terminator);
        }
    }

    /// Where each value is made: its block and its place there. Reports what is not where it should be.
    fn places(&mut self) -> Vec<(BlockId, u32)> {
        let function = self.function;
        let mut places = vec![(BlockId(u32::MAX), 0); function.values.len()];
        let mut listed = vec![false; function.insts.len()];
        for (index, block) in function.blocks.iter().enumerate() {
            let here = BlockId(index as u32);
            for (position, param) in block.params.iter().enumerate() {
                match function.values.get(param.index()) {
                    Some(data) if data.def == ValueDef::Param(here, position as u16) => {
                        places[param.index()] = (here, PARAM);
                    }
                    Some(_) => self.report(Some(here), None, ProblemKind::WrongDefinition(*param)),
                    None => self.report(Some(here), None, ProblemKind::NoValue(*param)),
                }
            }
            for (position, id) in block.insts.iter().enumerate() {
                let Some(inst) = function.insts.get(id.index()) else {
                    self.report(Some(here), None, ProblemKind::NoInstruction(*id));
                    continue;
                };
                if std::mem::replace(&mut listed[id.index()], true) {
                    self.report(Some(here), Some(*id), ProblemKind::Repeated(*id));
                }
                for (n, result) in inst.results.iter().enumerate() {
                    match function.values.get(result.index()) {
                        Some(data) if data.def == ValueDef::Result(*id, n as u16) => {
                            places[result.index()] = (here, position as u32 + 1);
                        }
                        Some(_) => self.report(Some(here), Some(*id), ProblemKind::WrongDefinition(*result)),
                        None => self.report(Some(here), Some(*id), ProblemKind::NoValue(*result)),
                    }
                }
            }
        }
        places
    }

    fn fits(&self, args: &[Value], types: impl ExactSizeIterator<Item = Type>) -> bool {
        args.len() == types.len() && args.iter().zip(types).all(|(arg, ty)| self.function.ty(*arg) == ty)
    }

    fn inst(&mut self, block: BlockId, id: InstId) {
        let inst = &self.function.insts[id.index()];
        self.types.clear();
        self.types.extend(inst.args.iter().map(|arg| self.function.ty(*arg)));
        let (types, fails) = match inst.op {
            Op::ReadVar(variable) | Op::WriteVar(variable) => {
                let Some(variable) = self.module.variables.get(variable.index()) else {
                    return self.report(Some(block), Some(id), ProblemKind::NoVariable(variable));
                };
                let reads = matches!(inst.op, Op::ReadVar(_));
                let fits = if reads { self.types.is_empty() } else { self.types[..] == [variable.ty] };
                let results: SmallVec<[Type; 1]> = reads.then_some(variable.ty).into_iter().collect();
                (results, (!fits).then_some(ProblemKind::Operands))
            }
            Op::Call(callee) => {
                let Some(callee) = self.module.functions.get(callee.index()) else {
                    return self.report(Some(block), Some(id), ProblemKind::NoFunction(callee));
                };
                let fits = self.fits(&inst.args, callee.params().iter().map(|param| callee.ty(*param)));
                let results = callee.results.iter().copied().collect();
                (results, (!fits).then_some(ProblemKind::Arguments))
            }
            op => {
                let fits = op.takes(&self.types);
                (op.results(&self.types), (!fits).then_some(ProblemKind::Operands))
            }
        };
        if let Some(kind) = fails {
            self.report(Some(block), Some(id), kind);
        }
        if !self.fits(&inst.results, types.iter().copied()) {
            self.report(Some(block), Some(id), ProblemKind::Results);
        }
        match inst.op {
            Op::Store(access) if matches!(access.space, Space::Input | Space::Uniform) => {
                self.report(Some(block), Some(id), ProblemKind::ReadOnly);
            }
            Op::Load(access) | Op::Store(access) if matches!(access.space, Space::Texture | Space::Image) => {
                self.report(Some(block), Some(id), ProblemKind::NoMemory);
            }
            Op::Load(access) | Op::Store(access) | Op::Atomic(_, access)
                if access.space == Space::Global && (access.stride, access.binding) != (0, 0) =>
            {
                self.report(Some(block), Some(id), ProblemKind::Address);
            }
            Op::Load(access) | Op::Store(access)
                if access.space == Space::Local && access.binding as usize >= self.module.arrays.len() =>
            {
                self.report(Some(block), Some(id), ProblemKind::NoArray(access.binding));
            }
            _ => {}
        }
    }

    fn target(&mut self, block: BlockId, target: &Target) {
        let Some(to) = self.function.blocks.get(target.block.index()) else {
            return self.report(Some(block), None, ProblemKind::NoBlock(target.block));
        };
        if !self.fits(&target.args, to.params.iter().map(|param| self.function.ty(*param))) {
            self.report(Some(block), None, ProblemKind::Arguments);
        }
    }

    fn terminator(&mut self, block: BlockId, terminator: &Terminator) {
        for target in terminator.targets() {
            self.target(block, target);
        }
        match terminator {
            Terminator::Branch { condition, .. } if self.function.ty(*condition) != Type::Bool => {
                self.report(Some(block), None, ProblemKind::Selector);
            }
            Terminator::Switch { value, cases, .. } => {
                if self.function.ty(*value) != Type::B32 {
                    self.report(Some(block), None, ProblemKind::Selector);
                }
                let mut selectors: Vec<u32> = cases.iter().map(|(selector, _)| *selector).collect();
                selectors.sort_unstable();
                for pair in selectors.windows(2) {
                    if pair[0] == pair[1] {
                        self.report(Some(block), None, ProblemKind::RepeatedCase(pair[0]));
                    }
                }
            }
            Terminator::Return(values) if !self.fits(values, self.function.results.iter().copied()) => {
                self.report(Some(block), None, ProblemKind::Arguments);
            }
            _ => {}
        }
    }
}
