//! Removes what nothing needs: instructions, block parameters, parameters and results of functions, and
//! calls of functions that do nothing else. Since values are scalars, this works lane by lane.
//!
//! One work list over all functions: what an effect or a condition uses is needed; a needed parameter needs
//! its arguments at every call, a needed result of a call needs what the function returns. The tables are
//! packed afterwards.

use super::edit::{clear_unreachable, renumber_params, renumber_results, retain_at};
use crate::cfg::Cfg;
use crate::{BlockId, Effect, Function, Inst, InstId, Module, Op, Terminator, Value, ValueData, ValueDef};

/// Removes the dead parts of all functions; answers how many things went.
pub(super) fn run(module: &mut Module) -> usize {
    let graphs: Vec<Cfg> = module.functions.iter().map(Cfg::new).collect();
    for (function, cfg) in module.functions.iter_mut().zip(&graphs) {
        clear_unreachable(function, cfg);
    }
    let mut need = Need::new(module, &graphs);
    need.roots();
    need.spread();
    let Need { live, wanted, idle, .. } = need;
    let removed = sweep(module, &live, &wanted, &idle);
    module.functions.iter_mut().for_each(pack);
    removed
}

/// Drops what no block lists from the tables, so that later passes do not carry it along: instructions and
/// values get new numbers, in the order of the blocks.
fn pack(function: &mut Function) {
    let listed: usize = function.blocks.iter().map(|block| block.insts.len()).sum();
    if listed == function.insts.len() {
        return;
    }
    let mut number = vec![Value::default(); function.values.len()];
    let mut values = Vec::with_capacity(function.values.len());
    let mut insts: Vec<Inst> = Vec::with_capacity(listed);
    for (index, block) in function.blocks.iter_mut().enumerate() {
        for (n, param) in block.params.iter_mut().enumerate() {
            let new = Value(values.len() as u32);
            let def = ValueDef::Param(BlockId(index as u32), n as u16);
            values.push(ValueData { def, ..function.values[param.index()] });
            number[param.index()] = new;
            *param = new;
        }
        for id in &mut block.insts {
            let new = InstId(insts.len() as u32);
            let old = &mut function.insts[id.index()];
            let (args, results) = (std::mem::take(&mut old.args), std::mem::take(&mut old.results));
            let mut inst = Inst { op: old.op, args, results, origin: old.origin };
            *id = new;
            for (n, result) in inst.results.iter_mut().enumerate() {
                let value = Value(values.len() as u32);
                values.push(ValueData {
                    def: ValueDef::Result(new, n as u16),
                    ..function.values[result.index()]
                });
                number[result.index()] = value;
                *result = value;
            }
            insts.push(inst);
        }
    }
    for inst in &mut insts {
        inst.args.iter_mut().for_each(|arg| *arg = number[arg.index()]);
    }
    for block in &mut function.blocks {
        block.terminator.for_each_value_mut(|value| *value = number[value.index()]);
    }
    function.insts = insts;
    function.values = values;
}

struct Need<'a> {
    module: &'a Module,
    graphs: &'a [Cfg],
    /// Calls of each function: the caller and the instruction.
    sites: Vec<Vec<(usize, InstId)>>,
    /// For each function, which values are needed.
    live: Vec<Vec<bool>>,
    /// For each function, which results some caller needs.
    wanted: Vec<Vec<bool>>,
    /// Functions that do nothing but compute their results, and always return.
    idle: Vec<bool>,
    work: Vec<(usize, Value)>,
}

impl<'a> Need<'a> {
    fn new(module: &'a Module, graphs: &'a [Cfg]) -> Self {
        let mut sites = vec![Vec::new(); module.functions.len()];
        for (caller, function) in module.functions.iter().enumerate() {
            for inst in function.blocks.iter().flat_map(|block| &block.insts) {
                if let Op::Call(callee) = function.insts[inst.index()].op {
                    sites[callee.index()].push((caller, *inst));
                }
            }
        }
        let functions = module.functions.iter();
        let live = functions.clone().map(|function| vec![false; function.values.len()]).collect();
        let wanted = functions.map(|function| vec![false; function.results.len()]).collect();
        let idle = idle(module, graphs, &sites);
        Self { module, graphs, sites, live, wanted, idle, work: Vec::new() }
    }

    fn mark(&mut self, function: usize, value: Value) {
        if let Some(live) = self.live[function].get_mut(value.index())
            && !std::mem::replace(live, true)
        {
            self.work.push((function, value));
        }
    }

    fn roots(&mut self) {
        let module = self.module;
        for (at, function) in module.functions.iter().enumerate() {
            for block in &function.blocks {
                for inst in &block.insts {
                    let inst = &function.insts[inst.index()];
                    // What a call needs follows from its function.
                    if inst.op.effect() == Effect::Writes && !matches!(inst.op, Op::Call(_)) {
                        inst.args.iter().for_each(|arg| self.mark(at, *arg));
                    }
                }
                match &block.terminator {
                    Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => {
                        self.mark(at, *value);
                    }
                    _ => {}
                }
            }
        }
    }

    fn spread(&mut self) {
        let (module, graphs) = (self.module, self.graphs);
        while let Some((at, value)) = self.work.pop() {
            let function = &module.functions[at];
            match function.values[value.index()].def {
                ValueDef::Result(id, n) => {
                    let inst = &function.insts[id.index()];
                    match inst.op {
                        Op::Call(callee) => self.want(callee.index(), n.into()),
                        _ => inst.args.iter().for_each(|arg| self.mark(at, *arg)),
                    }
                }
                ValueDef::Param(BlockId(0), n) => {
                    for site in 0..self.sites[at].len() {
                        let (caller, site) = self.sites[at][site];
                        let arg = module.functions[caller].insts[site.index()].args.get(usize::from(n));
                        if let Some(arg) = arg {
                            self.mark(caller, *arg);
                        }
                    }
                }
                ValueDef::Param(block, n) => {
                    let mut before = None;
                    for from in graphs[at].predecessors(block) {
                        if before.replace(*from) == Some(*from) {
                            continue;
                        }
                        let targets = function.blocks[from.index()].terminator.targets();
                        for target in targets.filter(|target| target.block == block) {
                            if let Some(arg) = target.args.get(usize::from(n)) {
                                self.mark(at, *arg);
                            }
                        }
                    }
                }
            }
        }
    }

    fn want(&mut self, callee: usize, n: usize) {
        if self.wanted[callee].get(n) != Some(&false) {
            return;
        }
        self.wanted[callee][n] = true;
        let module = self.module;
        for block in &module.functions[callee].blocks {
            if let Terminator::Return(values) = &block.terminator
                && let Some(value) = values.get(n)
            {
                self.mark(callee, *value);
            }
        }
    }
}

/// Functions whose calls may go when no result is wanted: no effect, no end of the program, no loop, no
/// recursion.
fn idle(module: &Module, graphs: &[Cfg], sites: &[Vec<(usize, InstId)>]) -> Vec<bool> {
    let functions = &module.functions;
    // Calls that stand in the way still; functions that are never idle keep one.
    let mut left: Vec<usize> = vec![0; functions.len()];
    for (at, function) in functions.iter().enumerate() {
        let cfg = &graphs[at];
        let loops = cfg
            .order
            .iter()
            .any(|block| cfg.successors(*block).iter().any(|to| cfg.rank(*to) <= cfg.rank(*block)));
        let ends = cfg.order.iter().any(|block| {
            let terminator = &function.blocks[block.index()].terminator;
            matches!(terminator, Terminator::End | Terminator::Discard | Terminator::Unreachable)
        });
        left[at] = usize::from(loops || ends);
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            left[at] += usize::from(function.insts[inst.index()].op.effect() == Effect::Writes);
        }
    }
    let mut work: Vec<usize> = (0..functions.len()).filter(|at| left[*at] == 0).collect();
    while let Some(at) = work.pop() {
        for (caller, _) in &sites[at] {
            left[*caller] -= 1;
            if left[*caller] == 0 {
                work.push(*caller);
            }
        }
    }
    left.into_iter().map(|left| left == 0).collect()
}

fn sweep(module: &mut Module, live: &[Vec<bool>], wanted: &[Vec<bool>], idle: &[bool]) -> usize {
    let mut removed = 0;
    let params: Vec<Vec<bool>> = module
        .functions
        .iter()
        .zip(live)
        .map(|(function, live)| function.params().iter().map(|param| live[param.index()]).collect())
        .collect();
    for (at, function) in module.functions.iter_mut().enumerate() {
        let live = &live[at];
        removed += sweep_insts(function, live, wanted, &params, idle);
        removed += sweep_params(function, live);
        for block in &mut function.blocks {
            if let Terminator::Return(values) = &mut block.terminator {
                retain_at(values, &wanted[at]);
            }
        }
        retain_at(&mut function.results, &wanted[at]);
        retain_at(&mut function.result_vars, &wanted[at]);
    }
    removed
}

fn sweep_insts(
    function: &mut Function,
    live: &[bool],
    wanted: &[Vec<bool>],
    params: &[Vec<bool>],
    idle: &[bool],
) -> usize {
    let Function { blocks, insts, values, .. } = function;
    let mut removed = 0;
    for block in blocks {
        let before = block.insts.len();
        block.insts.retain(|id| {
            let inst = &mut insts[id.index()];
            let needed = inst.results.iter().any(|result| live[result.index()]);
            let Op::Call(callee) = inst.op else {
                return needed || inst.op.effect() == Effect::Writes;
            };
            let callee = callee.index();
            if !needed && idle[callee] {
                return false;
            }
            let keep = |flags: &[bool], n: usize| flags.get(n).copied().unwrap_or(true);
            let mut n = 0;
            inst.args.retain(|_| {
                n += 1;
                keep(&params[callee], n - 1)
            });
            let mut n = 0;
            inst.results.retain(|_| {
                n += 1;
                keep(&wanted[callee], n - 1)
            });
            renumber_results(inst, *id, values);
            true
        });
        removed += before - block.insts.len();
    }
    removed
}

fn sweep_params(function: &mut Function, live: &[bool]) -> usize {
    let keep: Vec<Option<Vec<bool>>> = function
        .blocks
        .iter()
        .map(|block| {
            let flags: Vec<bool> = block.params.iter().map(|param| live[param.index()]).collect();
            flags.contains(&false).then_some(flags)
        })
        .collect();
    let mut removed = 0;
    for index in 0..function.blocks.len() {
        if let Some(keep) = &keep[index] {
            removed += keep.iter().filter(|keep| !**keep).count();
            retain_at(&mut function.blocks[index].params, keep);
            renumber_params(function, BlockId(index as u32));
        }
        for target in function.blocks[index].terminator.targets_mut() {
            if let Some(keep) = &keep[target.block.index()] {
                retain_at(&mut target.args, keep);
            }
        }
    }
    removed
}
