//! Which inputs of a program decide where it reads and what it divides by: the words that its indices and integer divisors are
//! made of. Drawn as floats of any size, they lead out of nearly every array, and a case with that says nothing of readable source.

use super::machine::Inputs;
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::{Access, Function, FunctionId, InstId, Module, Op, Space, Terminator, Value};

/// Words of the inputs, by their places.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Roots {
    /// By space and binding.
    pub(super) words: BTreeMap<(Space, u32), BTreeSet<u32>>,
    /// Elements of the smallest array that is indexed: an index below that is inside of every one.
    pub(super) elements: Option<u32>,
}

impl Roots {
    /// The words that whole numbers are made of by which loops end.
    pub(super) fn of_bounds(module: &Module, inputs: &Inputs) -> Self {
        let mut search = Search::new(module, inputs);
        search.only_whole = true;
        search.begin_bounds();
        while let Some((function, value)) = search.open.pop() {
            search.behind(function, value);
        }
        search.roots
    }

    /// Of a program as values. The inputs of any case say how long bindings are.
    pub(super) fn of(module: &Module, inputs: &Inputs) -> Self {
        let mut search = Search::new(module, inputs);
        search.begin();
        while let Some((function, value)) = search.open.pop() {
            search.behind(function, value);
        }
        search.roots
    }
}

/// Where a value comes from.
#[derive(Clone, Copy)]
enum Source {
    /// An instruction.
    Inst(InstId),
    /// A parameter of a block: which, and its number.
    Param(usize, usize),
}

struct Search<'m> {
    module: &'m Module,
    lengths: BTreeMap<(Space, u32), u32>,
    /// Where the values of each function come from.
    sources: Vec<BTreeMap<Value, Source>>,
    /// What each block of each function gets for its parameters, from each way in.
    incoming: Vec<BTreeMap<usize, Vec<&'m [Value]>>>,
    /// What each value of each function is compared with where ways part: in a loop that says how far it goes.
    compared: Vec<BTreeMap<Value, Vec<Value>>>,
    /// Values that are stored into local arrays, or into all of a space that is written and read.
    stored: BTreeMap<(Space, u32), Vec<(usize, Value)>>,
    /// Calls of each function.
    calls: BTreeMap<FunctionId, Vec<(usize, InstId)>>,
    /// Values that go into each variable.
    written: BTreeMap<unshade_ir::VarId, Vec<(usize, Value)>>,
    seen: BTreeSet<(usize, Value)>,
    open: Vec<(usize, Value)>,
    /// Only what integers are made of, and not what they are compared with.
    only_whole: bool,
    roots: Roots,
}

impl<'m> Search<'m> {
    fn new(module: &'m Module, inputs: &Inputs) -> Self {
        let length = |file: &super::Registers| {
            ((file.space, file.binding), u32::try_from(file.words.len()).unwrap_or(u32::MAX))
        };
        let mut search = Self {
            module,
            lengths: inputs.iter().map(length).collect(),
            sources: Vec::new(),
            incoming: Vec::new(),
            compared: Vec::new(),
            stored: BTreeMap::new(),
            calls: BTreeMap::new(),
            written: BTreeMap::new(),
            seen: BTreeSet::new(),
            open: Vec::new(),
            only_whole: false,
            roots: Roots::default(),
        };
        let arrays = (0..).zip(&module.arrays).map(|(number, array)| ((Space::Local, number), array.words));
        search.lengths.extend(arrays);
        for (number, function) in module.functions.iter().enumerate() {
            let mut sources = BTreeMap::new();
            for (at, block) in function.blocks.iter().enumerate() {
                let params = block.params.iter().enumerate();
                sources.extend(params.map(|(place, param)| (*param, Source::Param(at, place))));
                for id in &block.insts {
                    let inst = &function.insts[id.index()];
                    sources.extend(inst.results.iter().map(|result| (*result, Source::Inst(*id))));
                    match inst.op {
                        Op::Store(access) => {
                            let value = inst.args.get(access.address_operands());
                            let place = search.stored.entry((access.space, access.binding)).or_default();
                            place.extend(value.map(|value| (number, *value)));
                        }
                        Op::WriteVar(var) => {
                            let value = inst.args.first();
                            search
                                .written
                                .entry(var)
                                .or_default()
                                .extend(value.map(|value| (number, *value)));
                        }
                        Op::Call(callee) => search.calls.entry(callee).or_default().push((number, *id)),
                        _ => {}
                    }
                }
            }
            let mut incoming: BTreeMap<usize, Vec<&[Value]>> = BTreeMap::new();
            let mut compared: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
            for block in &function.blocks {
                for target in block.terminator.targets() {
                    incoming.entry(target.block.index()).or_default().push(&target.args);
                }
                if let Terminator::Branch { condition, .. } = block.terminator
                    && let Some(Source::Inst(id)) = sources.get(&condition)
                    && let inst = &function.insts[id.index()]
                    && matches!(inst.op, Op::ICompare(_) | Op::FCompare(..))
                    && let [left, right] = inst.args[..]
                {
                    compared.entry(left).or_default().push(right);
                    compared.entry(right).or_default().push(left);
                }
            }
            search.sources.push(sources);
            search.incoming.push(incoming);
            search.compared.push(compared);
        }
        search
    }

    /// Indices and divisors.
    fn begin(&mut self) {
        for (number, function) in self.module.functions.iter().enumerate() {
            for id in function.blocks.iter().flat_map(|block| &block.insts) {
                let inst = &function.insts[id.index()];
                match inst.op {
                    Op::UDiv | Op::SDiv | Op::URem | Op::SRem => self.look(number, inst.args.get(1)),
                    Op::Load(access) | Op::Store(access) | Op::Atomic(_, access) if access.is_indexed() => {
                        if let Some(words) = self.lengths.get(&(access.space, access.binding)) {
                            let own = self.module.globals.iter().find(|global| {
                                let place = (global.space, global.binding, global.stride);
                                let is_own = global.named && global.shape.elements() > 0;
                                is_own
                                    && place == (access.space, access.binding, access.stride)
                                    && global.locate(access.offset).is_some()
                            });
                            let words = own.map_or(*words, unshade_ir::Global::end);
                            let elements = words.saturating_sub(access.offset).div_ceil(access.stride).max(1);
                            let least = self.roots.elements.map_or(elements, |least| least.min(elements));
                            self.roots.elements = Some(least);
                        }
                        self.look(number, inst.args.first());
                    }
                    _ => {}
                }
            }
        }
    }

    /// What integers are compared with that grow from pass to pass.
    fn begin_bounds(&mut self) {
        let module = self.module;
        for (number, function) in module.functions.iter().enumerate() {
            let insts = || {
                function.blocks.iter().flat_map(|block| &block.insts).map(|id| &function.insts[id.index()])
            };
            // Sums of a block's parameter that go back into it.
            let mut counters = BTreeSet::new();
            for inst in insts().filter(|inst| matches!(inst.op, Op::IAdd | Op::ISub)) {
                let Some(sum) = inst.results.first() else { continue };
                for arg in &inst.args {
                    let Some(Source::Param(block, place)) =
                        self.sources.get(number).and_then(|sources| sources.get(arg)).copied()
                    else {
                        continue;
                    };
                    let incoming = self.incoming.get(number).and_then(|incoming| incoming.get(&block));
                    if incoming.into_iter().flatten().any(|args| args.get(place) == Some(sum)) {
                        counters.extend([*sum, *arg]);
                    }
                }
            }
            for inst in insts().filter(|inst| matches!(inst.op, Op::ICompare(_))) {
                if let [left, right] = inst.args[..]
                    && let (one, other) = (counters.contains(&left), counters.contains(&right))
                    && one != other
                {
                    self.look(number, Some(if one { &right } else { &left }));
                }
            }
        }
    }

    fn look(&mut self, function: usize, value: Option<&Value>) {
        if let Some(value) = value
            && self.seen.insert((function, *value))
        {
            self.open.push((function, *value));
        }
    }

    /// What a value is made of.
    fn behind(&mut self, number: usize, value: Value) {
        let module = self.module;
        let Some(function) = module.functions.get(number) else { return };
        match self.sources.get(number).and_then(|sources| sources.get(&value)).copied() {
            Some(Source::Inst(id)) => self.made_by(number, function, id),
            Some(Source::Param(block, place)) => {
                let incoming = self.incoming.get(number).and_then(|incoming| incoming.get(&block)).cloned();
                for args in incoming.unwrap_or_default() {
                    self.look(number, args.get(place));
                }
                if block == 0 {
                    let calls = self.calls.get(&FunctionId(number as u32)).cloned().unwrap_or_default();
                    for (caller, id) in calls {
                        let inst =
                            module.functions.get(caller).and_then(|caller| caller.insts.get(id.index()));
                        self.look(caller, inst.and_then(|inst| inst.args.get(place)));
                    }
                }
            }
            None => {}
        }
        if self.only_whole {
            return;
        }
        let compared = self.compared.get(number).and_then(|compared| compared.get(&value)).cloned();
        for other in compared.unwrap_or_default() {
            self.look(number, Some(&other));
        }
    }

    fn made_by(&mut self, number: usize, function: &Function, id: InstId) {
        let inst = &function.insts[id.index()];
        let is_whole = matches!(
            inst.op,
            Op::Load(_)
                | Op::ReadVar(_)
                | Op::Call(_)
                | Op::IAdd
                | Op::ISub
                | Op::INeg
                | Op::Select
                | Op::SMin
                | Op::SMax
                | Op::UMin
                | Op::UMax
        );
        if self.only_whole && !is_whole {
            return;
        }
        match inst.op {
            Op::Load(access) | Op::Interpolate(_, access) => self.loaded(access),
            Op::ReadVar(var) => {
                for (function, value) in self.written.get(&var).cloned().unwrap_or_default() {
                    self.look(function, Some(&value));
                }
            }
            Op::Call(callee) => {
                let called = self.module.functions.get(callee.index());
                for block in called.map(|function| function.blocks.as_slice()).unwrap_or_default() {
                    if let Terminator::Return(values) = &block.terminator {
                        values.iter().for_each(|value| self.look(callee.index(), Some(value)));
                    }
                }
                return;
            }
            // The values of a texture are not drawn.
            Op::Texture(_) | Op::Image(_) => return,
            _ => {}
        }
        inst.args.iter().for_each(|arg| self.look(number, Some(arg)));
    }

    /// The words that may be read there.
    fn loaded(&mut self, access: Access) {
        let file = (access.space, access.binding);
        for (function, value) in self.stored.get(&file).cloned().unwrap_or_default() {
            self.look(function, Some(&value));
        }
        if access.space == Space::Local {
            return;
        }
        let length = self.lengths.get(&file).copied().unwrap_or(0);
        let words = self.roots.words.entry(file).or_default();
        if access.is_indexed() {
            let first = access.offset % access.stride;
            words.extend((first..length).step_by(access.stride as usize));
        } else if access.offset < length {
            words.insert(access.offset);
        }
    }
}
