//! Loops with branches in their passes that the compiler wrote out: `for (i < 4) if (lights[i].enabled) sum += ...`.
//!
//! A pass is what lies between a branch and the block where all of its ways meet again, which begins the next pass. Each becomes
//! one block whose branches are choices; those are compared side by side, and the loop's pass gets its branches back ([`arms`]).
//!
//! The first pass adds to nothing, so that it has no addition: it gets one of 0 where the others have one.

use super::super::edit::constant;
use super::super::select;
use super::blocks::Loop;
use super::plan::Shapes;
use super::write::make;
use super::{ADD, LEAST, MOST, arms};
use crate::cfg::Cfg;
use crate::{BlockId, Effect, Function, Global, InstId, Op, Terminator, Type, Value, ValueDef};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Blocks of a pass, at most.
const BLOCKS: usize = 48;
/// Operations of a pass, at the least: fewer are no shorter as a loop.
const WORTH: usize = 6;
/// Instructions that one pass has and the next has not, at most: what it reads that the ones behind need not read again.
const APART: u32 = 6;
/// Kinds of instructions that are told apart.
const KINDS: usize = 64;
/// Operations that are gone back from a value to find that of the pass before.
const FAR: usize = 200;
/// Choices inside each other of which what is added to is looked for.
const DEEP: u32 = 4;

/// A branch, all that its ways lead over, and where they meet.
struct Region {
    /// In order, the branch first.
    blocks: Vec<BlockId>,
    /// How many instructions of each kind these have, by a hash of the kind.
    kinds: [u16; KINDS],
    end: BlockId,
}

/// Makes one loop; answers whether it did.
pub(super) fn once(function: &mut Function, globals: &[Global]) -> bool {
    let cfg = Cfg::new(function);
    let mut seen: BTreeSet<BlockId> = BTreeSet::new();
    for block in &cfg.order {
        if seen.contains(block) {
            continue;
        }
        let mut regions = Vec::new();
        let mut at = *block;
        while let Some(region) = region(function, &cfg, at).filter(|_| regions.len() < MOST) {
            seen.insert(at);
            at = region.end;
            regions.push(region);
        }
        for (start, end) in alike(&regions) {
            // Where three in the middle are no loop, all are none; it is cheaper to ask these.
            let middle = start + (end - start).saturating_sub(LEAST) / 2;
            if end - start > LEAST && roll(function, globals, &regions[middle..middle + LEAST]).is_none() {
                continue;
            }
            // The first pass may have a block less, since it adds to nothing; it and the last may be something else.
            let starts = start.saturating_sub(1)..=start + 1;
            for (first, end) in starts.flat_map(|first| [(first, end), (first, end - 1)]) {
                if first + LEAST <= end
                    && let Some(rolled) = roll(function, globals, &regions[first..end])
                {
                    *function = rolled;
                    return true;
                }
            }
        }
    }
    false
}

/// Where branches start and end that lead over as many blocks and about as many instructions as each other; others may stand in
/// front and behind.
fn alike(regions: &[Region]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    let look_alike = |a: &Region, b: &Region| {
        let apart: u32 = a.kinds.iter().zip(b.kinds).map(|(a, b)| u32::from(a.abs_diff(b))).sum();
        let size: usize = a.kinds.iter().map(|count| usize::from(*count)).sum();
        a.blocks.len() == b.blocks.len() && apart <= APART && size >= WORTH
    };
    for list in regions.chunk_by(look_alike) {
        let end = start + list.len();
        if end - start > 1 && end - start + 1 >= LEAST {
            found.push((start, end));
        }
        start = end;
    }
    found
}

/// What a branch leads over, if that computes values and nothing else.
fn region(function: &Function, cfg: &Cfg, head: BlockId) -> Option<Region> {
    let Terminator::Branch { .. } = function.blocks[head.index()].terminator else { return None };
    let mut blocks = vec![head];
    let mut open: BTreeSet<(u32, BlockId)> = BTreeSet::new();
    let mut at = head;
    loop {
        for next in cfg.successors(at) {
            // No loop, and no way out.
            if cfg.rank(*next) <= cfg.rank(at) {
                return None;
            }
            open.insert((cfg.rank(*next), *next));
        }
        let (_, next) = open.pop_first()?;
        if cfg.predecessors(next).iter().any(|from| !blocks.contains(from)) {
            return None;
        }
        if open.is_empty() {
            let kinds = kinds(function, &blocks);
            return Some(Region { blocks, kinds, end: next });
        }
        let insts = &function.blocks[next.index()].insts;
        let is_quiet = insts.iter().all(|id| function.insts[id.index()].op.effect() == Effect::Pure);
        if !is_quiet || blocks.len() >= BLOCKS {
            return None;
        }
        blocks.push(next);
        at = next;
    }
}

fn kinds(function: &Function, blocks: &[BlockId]) -> [u16; KINDS] {
    let mut kinds = [0_u16; KINDS];
    for id in blocks.iter().flat_map(|block| &function.blocks[block.index()].insts) {
        let mut hasher = DefaultHasher::new();
        std::mem::discriminant(&function.insts[id.index()].op).hash(&mut hasher);
        let count = &mut kinds[hasher.finish() as usize % KINDS];
        *count = count.saturating_add(1);
    }
    kinds
}

/// The function with these passes as a loop.
fn roll(function: &Function, globals: &[Global], regions: &[Region]) -> Option<Function> {
    let mut flat = function.clone();
    let mut blocks = Vec::new();
    for region in regions {
        let head = *region.blocks.first()?;
        let leads_on = |function: &Function| matches!(&function.blocks[head.index()].terminator, Terminator::Jump(target) if target.block == region.end);
        if !select::flatten(&mut flat, &region.blocks) || !leads_on(&flat) {
            return None;
        }
        blocks.push(head);
    }
    let homes = homes(&flat, &blocks);
    let roots: Option<Vec<Vec<Value>>> =
        left(&flat, &blocks).into_iter().map(|value| back(&flat, &homes, value, blocks.len())).collect();
    let roots = roots?;
    for lanes in &roots {
        add_to_nothing(&mut flat, blocks[0], lanes);
    }
    let found = Loop::new(&flat, globals, &blocks, 0, &roots).filter(|found| found.operations >= WORTH)?;
    let pass = found.write(&mut flat, &blocks, None)?;
    arms::restore(&mut flat, pass);
    Some(flat)
}

/// The pass of each instruction, from 1 on.
fn homes(function: &Function, blocks: &[BlockId]) -> Vec<usize> {
    let mut homes = vec![0; function.insts.len()];
    for (pass, block) in blocks.iter().enumerate() {
        for id in &function.blocks[block.index()].insts {
            homes[id.index()] = pass + 1;
        }
    }
    homes
}

/// Values of the last pass that something else asks for.
fn left(function: &Function, blocks: &[BlockId]) -> BTreeSet<Value> {
    let Some(last) = blocks.last() else { return BTreeSet::new() };
    let own: BTreeSet<Value> = function.blocks[last.index()]
        .insts
        .iter()
        .map(|id| &function.insts[id.index()])
        .filter(|inst| !inst.args.is_empty())
        .flat_map(|inst| inst.results.iter().copied())
        .collect();
    let mut left = BTreeSet::new();
    for (at, block) in function.blocks.iter().enumerate() {
        if at != last.index() {
            let args = block.insts.iter().flat_map(|id| &function.insts[id.index()].args);
            left.extend(args.copied().filter(|arg| own.contains(arg)));
        }
        block.terminator.for_each_value(|value| {
            if own.contains(&value) {
                left.insert(value);
            }
        });
    }
    left
}

/// What a value of the last pass is in all passes, the first one first.
fn back(function: &Function, homes: &[usize], value: Value, passes: usize) -> Option<Vec<Value>> {
    let mut lanes = vec![value];
    for pass in (1..passes).rev() {
        let value = *lanes.last()?;
        lanes.push(before(function, homes, value, pass)?);
    }
    lanes.reverse();
    Some(lanes)
}

/// What a value was in the pass before, of which this is the number: what it stays where the pass does nothing to it, or else
/// the one that looks like it.
fn before(function: &Function, homes: &[usize], value: Value, pass: usize) -> Option<Value> {
    let made = |value: Value| match function.values[value.index()].def {
        ValueDef::Result(id, _) => Some(id),
        ValueDef::Param(..) => None,
    };
    let home = |value: Value| made(value).and_then(|id| homes.get(id.index()).copied()).unwrap_or(0);
    let inst = &function.insts[made(value)?.index()];
    if inst.op == Op::Select {
        let stays: Vec<Value> = inst.args[1..].iter().copied().filter(|arg| home(*arg) == pass).collect();
        if let [stays] = stays[..] {
            return Some(stays);
        }
    }
    let mut work: Vec<Value> = inst.args.to_vec();
    let mut seen: BTreeSet<InstId> = BTreeSet::new();
    let mut found: BTreeSet<Value> = BTreeSet::new();
    while let Some(arg) = work.pop() {
        let Some(id) = made(arg) else { continue };
        match home(arg) {
            at if at == pass => _ = found.insert(arg),
            at if at == pass + 1 && seen.insert(id) && seen.len() < FAR => {
                work.extend(function.insts[id.index()].args.iter().copied());
            }
            _ => {}
        }
    }
    let shapes = |value: Value| Shapes::look(function, value);
    let mut alike = found.into_iter().filter(|other| shapes(*other) == shapes(value));
    match (alike.next(), alike.next()) {
        (Some(one), None) => Some(one),
        _ => None,
    }
}

/// Lets the first pass add to 0 where the second adds to what the first left.
fn add_to_nothing(function: &mut Function, block: BlockId, lanes: &[Value]) {
    let [first, second, ..] = lanes[..] else { return };
    let ValueDef::Result(id, _) = function.values[first.index()].def else { return };
    let Some(at) = function.blocks[block.index()].insts.iter().position(|own| *own == id) else { return };
    let mut made = Vec::new();
    let Some(zero) = start(function, (first, second), first, DEEP) else { return };
    let Some(value) = padded(function, (first, second), (first, zero), DEEP, &mut made) else { return };
    // What came out takes the place of the old one.
    if let ValueDef::Result(new, _) = function.values[value.index()].def {
        made.retain(|id| *id != new);
        let inst = &function.insts[new.index()];
        let (op, args) = (inst.op, inst.args.clone());
        let old = &mut function.insts[id.index()];
        (old.op, old.args) = (op, args);
    }
    function.blocks[block.index()].insts.splice(at..at, made);
}

/// What a sum starts with, if that is 0: what the first pass has where the second one has what the first left.
fn start(function: &Function, (first, second): (Value, Value), sum: Value, depth: u32) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    if second == sum {
        return Some(first).filter(|first| constant(function, *first) == Some(0));
    }
    let choice = |value: Value| match function.definition(value).map(|inst| (inst.op, &inst.args[..])) {
        Some((Op::Select, &[_, yes, no])) => Some((yes, no)),
        _ => None,
    };
    let (first, second) = (choice(first)?, choice(second)?);
    let of = |first, second| start(function, (first, second), sum, depth);
    of(first.0, second.0).or_else(|| of(first.1, second.1))
}

/// A value of the first pass with additions of `zero` where that of the second adds to `sum`; nothing where it has none to get.
fn padded(
    function: &mut Function,
    (first, second): (Value, Value),
    (sum, zero): (Value, Value),
    depth: u32,
    made: &mut Vec<InstId>,
) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    if function.ty(first) != Type::B32 || second == sum {
        return None;
    }
    let of = |function: &Function, value: Value| {
        function.definition(value).map(|inst| (inst.op, inst.args.clone(), inst.origin))
    };
    let (op, args, origin) = of(function, second)?;
    let own = of(function, first);
    match (op, &args[..]) {
        (Op::Select, &[_, yes, no]) => {
            let (Op::Select, own, origin) = own? else { return None };
            let [condition, first_yes, first_no] = own[..] else { return None };
            let padded_yes = padded(function, (first_yes, yes), (sum, zero), depth, made);
            let padded_no = padded(function, (first_no, no), (sum, zero), depth, made);
            if padded_yes.is_none() && padded_no.is_none() {
                return None;
            }
            let args = [condition, padded_yes.unwrap_or(first_yes), padded_no.unwrap_or(first_no)];
            Some(make(function, made, Op::Select, &args, origin))
        }
        (op, args) if op == ADD && args.contains(&sum) => {
            if own.is_some_and(|(op, args, _)| op == ADD && args.contains(&zero)) {
                return None;
            }
            let args = if args[0] == sum { [zero, first] } else { [first, zero] };
            Some(make(function, made, ADD, &args, origin))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{outputs, program};
    use crate::{CompareFloat, FloatMode, Module, Multiply, Op, Target, Terminator, Type, Value};

    const F32: FloatMode = FloatMode::F32;
    const MUL: Op = Op::FMul(F32, Multiply::Ieee);
    const ADD: Op = Op::FAdd(F32);

    /// `for (n = 0; n < 5; n++) if (x > n) { a = x * n + y; sum += a > 1 ? a * z : z * z; }`, written out. `folded`: the first pass
    /// does not add to 0; `other`: this one is another.
    fn written_out(folded: bool, other: Option<u32>) -> Module {
        let mut module = program(|builder, inputs| {
            let (x, y, z) = (inputs[0], inputs[1], inputs[2]);
            let one = builder.float(1.0);
            let mut sum = builder.float(0.0);
            for pass in 0..5 {
                let number = builder.float(pass as f32);
                let asked = builder.value(Op::FCompare(CompareFloat::Gt, F32), &[x, number]);
                let (inner, end) = (builder.block(), builder.block());
                let left = builder.param(end, Type::B32);
                let to = |block, args: &[Value]| Target { block, args: args.into() };
                builder.terminate(Terminator::Branch {
                    condition: asked,
                    then: to(inner, &[]),
                    otherwise: to(end, &[sum]),
                });
                builder.switch_to(inner);
                let product = builder.value(MUL, &[x, number]);
                let added = if other == Some(pass) { z } else { y };
                let a = builder.value(ADD, &[product, added]);
                let large = builder.value(Op::FCompare(CompareFloat::Gt, F32), &[a, one]);
                let (yes, no, meet) = (builder.block(), builder.block(), builder.block());
                let term = builder.param(meet, Type::B32);
                let way = |block| Target { block, args: Vec::new() };
                builder.terminate(Terminator::Branch {
                    condition: large,
                    then: way(yes),
                    otherwise: way(no),
                });
                for (block, factor) in [(yes, a), (no, z)] {
                    builder.switch_to(block);
                    let product = builder.value(MUL, &[factor, z]);
                    builder.jump(meet, &[product]);
                }
                builder.switch_to(meet);
                sum = match pass {
                    0 if folded => term,
                    _ => builder.value(ADD, &[sum, term]),
                };
                builder.jump(end, &[sum]);
                builder.switch_to(end);
                sum = left;
            }
            vec![sum]
        });
        module.from_shading_language = true;
        module
    }

    /// The blocks that a program becomes, if it becomes a loop.
    fn rolled(folded: bool, other: Option<u32>) -> Option<usize> {
        let before = written_out(folded, other);
        let mut after = before.clone();
        let found = super::super::run(&mut after).count > 0;
        assert!(crate::verify::check(&after).is_empty(), "{after}");
        for (x, y, z) in [(0.0_f32, 0.25_f32, 1.0_f32), (1.5, 0.5, 2.0), (3.5, -1.0, 0.5), (9.0, -9.0, 1.5)] {
            let inputs = [x.to_bits(), y.to_bits(), z.to_bits(), 0, 0, 0];
            assert_eq!(outputs(&before, &inputs), outputs(&after, &inputs), "{after}");
        }
        let branches = |module: &Module| {
            let blocks = &module.functions[0].blocks;
            blocks.iter().filter(|block| matches!(block.terminator, Terminator::Branch { .. })).count()
        };
        found.then(|| branches(&after))
    }

    /// One that counts, one that asks, one that chooses.
    #[test]
    fn passes_with_branches_are_a_loop_with_branches() {
        assert_eq!(rolled(false, None), Some(3));
    }

    #[test]
    fn the_first_pass_adds_to_nothing() {
        assert_eq!(rolled(true, None), Some(3));
    }

    #[test]
    fn a_first_pass_that_is_another_stays() {
        assert_eq!(rolled(false, Some(0)), Some(5));
    }

    #[test]
    fn another_pass_in_the_middle_stays() {
        assert_eq!(rolled(false, Some(2)), None);
    }
}
