//! What is no output of a pixel: headers name all four components of a target whatever the source declared, and registers
//! of the others hold what the program had there last.

use super::super::super::address_map::PIXEL_BINDING;
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::lanes::of_other_lanes;
use unshade_ir::votes::{Votes, by_all};
use unshade_ir::{Effect, Function, Inst, Module, Op, Space, Value, ValueDef, passes};

/// Words of the targets.
const WORDS: u32 = 32;

/// Values that are followed to find out whether another is something else besides an output.
const MOST: usize = 64;

/// Components of targets, by number of the target, that the program computed for something else as well.
pub(super) type Spare = BTreeSet<(u32, u32)>;

/// Finds them while every instruction still stands that reads one.
pub(super) fn spare(module: &Module) -> Spare {
    let mut found = Spare::new();
    for function in &module.functions {
        let beside = Beside::new(function);
        for inst in listed(function) {
            if let (Some(place), Some(value)) = (output(inst), inst.args.last())
                && beside.is_spare(*value)
            {
                found.insert(place);
            }
        }
    }
    found
}

/// The target and the component of it that an instruction stores.
fn output(inst: &Inst) -> Option<(u32, u32)> {
    match inst.op {
        Op::Store(access)
            if (access.space, access.binding) == (Space::Output, PIXEL_BINDING) && access.offset < WORDS =>
        {
            Some((access.offset / 4, access.offset % 4))
        }
        _ => None,
    }
}

/// Removes outputs that hold what no source can name, and those behind them in the same target: a source declares the first
/// components. That is the address of a storage buffer, and, where the compiler is one whose headers name all four
/// (`alone`), what another lane has, and what is a float beside a first component that is an integer, or the other way
/// round, and that the program computed for something else.
pub(super) fn forget(module: &mut Module, alone: bool, spare: &Spare) {
    let tables = module.buffer_tables.clone();
    // Both words of an address, and what follows it in the table.
    let is_foreign = |inst: &Inst| match inst.op {
        Op::Load(access) if access.space == Space::Uniform && !access.is_indexed() => {
            tables.iter().any(|table| {
                let first = |back: u32| access.offset.checked_sub(back);
                (0..2).filter_map(first).any(|word| table.buffer(access.binding, word).is_some())
            })
        }
        _ => false,
    };
    // By target: the first component that is none.
    let mut ends: BTreeMap<u32, u32> = BTreeMap::new();
    let mut plain = module.clone();
    let spelled = passes::readable().iter().filter(|pass| alone && matches!(pass.name, "scaled" | "frexp"));
    let changed: usize = spelled.map(|pass| (pass.run)(&mut plain).count).sum();
    // What is a step of such a form, and nothing besides.
    let steps = |at: usize| -> BTreeSet<Value> {
        let (Some(before), Some(after), true) =
            (module.functions.get(at), plain.functions.get(at), changed > 0)
        else {
            return BTreeSet::new();
        };
        let is_sure = |inst: &Inst| output(inst).is_none_or(|place| place.1 == 0 || !spare.contains(&place));
        let after = live(after, is_sure);
        live(before, is_sure).into_iter().filter(|value| !after.contains(value)).collect()
    };
    let foreign = if alone { foreign(&plain) } else { Vec::new() };
    let is_of_others =
        |at: usize, value: Value| foreign.get(at).is_some_and(|values| values.contains(&value));
    for (at, function) in plain.functions.iter().enumerate() {
        let stored = listed(function).filter_map(|inst| Some((output(inst)?, *inst.args.last()?)));
        let stored: Vec<((u32, u32), Value)> = stored.collect();
        let steps = steps(at);
        let beside = alone.then(|| Beside::new(function));
        let mixed = beside.as_ref().map(|beside| beside.other_kinds(&stored, spare)).unwrap_or_default();
        let is_step = |value| beside.as_ref().is_some_and(|beside| beside.is_one_of(value, &steps));
        for &((target, component), value) in stored.iter().filter(|((_, component), _)| *component > 0) {
            let is_step = spare.contains(&(target, component)) && is_step(value);
            let is_other = is_step || mixed.contains(&(target, component)) || is_of_others(at, value);
            if is_other || function.definition(value).is_some_and(is_foreign) {
                let end = ends.entry(target).or_insert(component);
                *end = (*end).min(component);
            }
        }
    }
    if ends.is_empty() {
        return;
    }
    for function in &mut module.functions {
        let insts = &function.insts;
        let is_none = |inst: &Inst| {
            output(inst)
                .is_some_and(|(target, component)| ends.get(&target).is_some_and(|end| component >= *end))
        };
        for block in &mut function.blocks {
            block.insts.retain(|id| !insts.get(id.index()).is_some_and(is_none));
        }
    }
}

/// Values of each function that hang on what other lanes have, but for fetches with gradients: what is left in registers of
/// coordinates that lanes handed over. None where something else than an output hangs on them.
fn foreign(module: &Module) -> Vec<BTreeSet<Value>> {
    let shuffles = |module: &Module| {
        let insts = module.functions.iter().flat_map(|function| &function.insts);
        insts.into_iter().any(|inst| inst.op == Op::Shuffle)
    };
    if !shuffles(module) {
        return Vec::new();
    }
    let mut made = module.clone();
    super::gradient::restore(&mut made);
    let mut all = Vec::new();
    for function in &made.functions {
        let values = of_other_lanes(function);
        // A fetch at places of other lanes may be left over itself.
        let is_sure = |inst: &Inst| {
            let may_be_left = output(inst).is_some_and(|(_, component)| component > 0);
            !(may_be_left && inst.args.last().is_some_and(|value| values.contains(value)))
        };
        let live = live(function, is_sure);
        let pixel = |inst: &Inst| matches!(inst.op, Op::Store(access) if (access.space, access.binding) == (Space::Output, PIXEL_BINDING));
        let steers = function
            .blocks
            .iter()
            .any(|block| block.terminator.asked().is_some_and(|value| values.contains(&value)));
        let matters = listed(function).any(|inst| {
            let hangs = inst.args.iter().any(|arg| values.contains(arg));
            let is_read = inst.results.iter().any(|result| live.contains(result));
            let is_texture = matches!(inst.op, Op::Texture(_)) && is_read;
            hangs && !pixel(inst) && (inst.op.effect() == Effect::Writes || is_texture)
        });
        if steers || matters {
            return Vec::new();
        }
        all.push(values);
    }
    all
}

/// Values on which something hangs that a program leaves, of what it is sure to leave.
fn live(function: &Function, is_sure: impl Fn(&Inst) -> bool) -> BTreeSet<Value> {
    let mut live = BTreeSet::new();
    loop {
        let before = live.len();
        for block in &function.blocks {
            live.extend(block.terminator.asked());
            for target in block.terminator.targets() {
                let Some(to) = function.blocks.get(target.block.index()) else { continue };
                for (param, arg) in to.params.iter().zip(&target.args) {
                    if live.contains(param) {
                        live.insert(*arg);
                    }
                }
            }
        }
        for inst in listed(function) {
            let stays = inst.op.effect() == Effect::Writes && is_sure(inst);
            if stays || inst.results.iter().any(|result| live.contains(result)) {
                live.extend(inst.args.iter().copied());
            }
        }
        if live.len() == before {
            return live;
        }
    }
}

fn listed(function: &Function) -> impl Iterator<Item = &Inst> {
    let ids = function.blocks.iter().flat_map(|block| &block.insts);
    ids.filter_map(|id| function.insts.get(id.index()))
}

/// What values are beside outputs.
struct Beside<'f> {
    function: &'f Function,
    votes: Vec<Votes>,
    /// How often each value is used, outputs included.
    uses: Vec<u32>,
    /// Constants that a float operation takes.
    floats: BTreeSet<Value>,
    /// What each parameter of a block may be.
    passed: BTreeMap<Value, Vec<Value>>,
}

impl<'f> Beside<'f> {
    fn new(function: &'f Function) -> Self {
        let mut uses = vec![0; function.values.len()];
        let mut floats = BTreeSet::new();
        let mut passed: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
        let mut count = |value: Value| {
            if let Some(count) = uses.get_mut(value.index()) {
                *count += 1;
            }
        };
        for inst in listed(function) {
            for (position, arg) in inst.args.iter().enumerate() {
                count(*arg);
                if Votes::of_operand(&inst.op, position).is_float() {
                    floats.insert(*arg);
                }
            }
        }
        for block in &function.blocks {
            block.terminator.for_each_value(&mut count);
            for target in block.terminator.targets() {
                let Some(to) = function.blocks.get(target.block.index()) else { continue };
                for (param, arg) in to.params.iter().zip(&target.args) {
                    passed.entry(*param).or_default().push(*arg);
                }
            }
        }
        Self { function, votes: by_all(function), uses, floats, passed }
    }

    /// Components that are of another kind than the first of their target, and not computed to be outputs.
    fn other_kinds(&self, stored: &[((u32, u32), Value)], spare: &Spare) -> BTreeSet<(u32, u32)> {
        let mut found = BTreeSet::new();
        for &((target, component), value) in stored {
            // The first component of which that is known.
            let before = |n: u32| stored.iter().find(|(place, _)| *place == (target, n));
            let mut first = (0..component).filter_map(|n| self.is_float(before(n)?.1));
            let Some(first) = first.next() else { continue };
            let is_other = match (component, self.constant(value)) {
                (0, _) => false,
                (_, Some(_)) if !first && self.floats.contains(&value) => true,
                _ if !spare.contains(&(target, component)) => false,
                _ if first => self.votes_of(value).is_integer(),
                _ => self.is_float(value) == Some(true),
            };
            if is_other {
                found.insert((target, component));
            }
        }
        found
    }

    fn constant(&self, value: Value) -> Option<u32> {
        match self.function.definition(value)?.op {
            Op::B32(bits) => Some(bits),
            _ => None,
        }
    }

    /// Whether it is a float or an integer for sure.
    fn is_float(&self, value: Value) -> Option<bool> {
        let votes = self.votes_of(value);
        match (votes.is_float(), votes.is_integer()) {
            (true, _) => Some(true),
            (_, true) if !self.has_float_bits(value) => Some(false),
            _ => None,
        }
    }

    /// What a value is taken for; of a texel that nobody reads, what its other components are.
    fn votes_of(&self, value: Value) -> Votes {
        let of = |value: Value| self.votes.get(value.index()).copied().unwrap_or_default();
        let mut votes = of(value);
        if votes.is_empty()
            && let Some(inst) = self.function.definition(value)
            && matches!(inst.op, Op::Texture(_) | Op::Image(_))
        {
            inst.results.iter().for_each(|result| votes.add(of(*result)));
        }
        votes
    }

    /// Whether an integer is made of the bits of a float.
    fn has_float_bits(&self, value: Value) -> bool {
        let mut open = vec![value];
        let mut seen = BTreeSet::new();
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            let votes = self.votes.get(value.index()).copied().unwrap_or_default();
            if seen.len() > MOST || !votes.is_empty() && !votes.is_integer() {
                return true;
            }
            open.extend(self.passed.get(&value).into_iter().flatten());
            if let Some(inst) = self.function.definition(value)
                && matches!(inst.op, Op::And | Op::Or | Op::Xor | Op::BitInsert | Op::Select | Op::Shl)
            {
                open.extend(inst.args.iter().filter(|arg| self.function.ty(**arg) != unshade_ir::Type::Bool));
            }
        }
        false
    }

    /// Whether a value is one of these whichever way it comes, numbers aside.
    fn is_one_of(&self, value: Value, values: &BTreeSet<Value>) -> bool {
        let mut open = vec![value];
        let mut seen = BTreeSet::new();
        let mut found = false;
        while let Some(value) = open.pop() {
            if !seen.insert(value) || self.constant(value).is_some() {
                continue;
            }
            match self.passed.get(&value) {
                _ if seen.len() > MOST => return false,
                _ if values.contains(&value) => found = true,
                Some(passed) => open.extend(passed),
                None => return false,
            }
        }
        found
    }

    /// Whether something else than an output was made of all that a value may be.
    fn is_spare(&self, value: Value) -> bool {
        let mut open = vec![value];
        let mut seen = BTreeSet::new();
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            if seen.len() > MOST {
                return false;
            }
            if self.uses.get(value.index()).is_some_and(|uses| *uses > 1) {
                continue;
            }
            match self.function.values.get(value.index()).map(|value| value.def) {
                Some(ValueDef::Param(..)) => {
                    open.extend(self.passed.get(&value).into_iter().flatten());
                    continue;
                }
                Some(ValueDef::Result(id, _)) => match self.function.insts.get(id.index()) {
                    Some(Inst { op: Op::B32(_) | Op::Texture(_) | Op::Image(_), .. }) => {}
                    Some(Inst { op: Op::Select, args, .. }) => {
                        open.extend(args.get(1..).into_iter().flatten())
                    }
                    _ => return false,
                },
                None => return false,
            }
        }
        true
    }
}
