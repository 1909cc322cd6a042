//! Indexed loads without the guards around them: machines wrap indices, clamp them, or give a default
//! behind the end; a person who writes `a[i]` takes `i` to be inside.
//!
//! * `select(number < end, load[number], constant)` becomes the load;
//! * in the index, `x & mask` becomes `x`, `select(x + c < end, x, constant)` becomes `x`, as does `x` between bounds in
//!   the index of a local array;
//! * `((x << 4) + 32) >> 4`, an index that a compiler counted in bytes, becomes `x + 2`;
//! * a constant that is added to the index moves into the address.

use super::Changes;
use super::edit::{Forward, constant};
use crate::{CompareInt, Function, Global, Inst, Module, Op, Space, Value};

/// What must hold of buffers, and of all else.
const IN_BUFFERS: &str = "addresses stay inside of what they address";
const ASSUMPTION: &str = "indices of relative addressing stay inside what they address";

pub(super) fn run(module: &mut Module) -> Changes {
    // Machines with buffers do not wrap indices: a mask there stands in the source.
    let wraps = module.blocks.is_empty();
    // So does one in front of a table of words that the file holds.
    let is_table = |global: &&Global| global.constant.is_some() && global.by_use;
    let tables: Vec<u32> = module.globals.iter().filter(is_table).map(|global| global.binding).collect();
    let (mut count, mut in_buffers) = (0, 0);
    for function in &mut module.functions {
        let (own, others) = strip(function, wraps, &tables);
        count += own;
        in_buffers += others;
    }
    let mut changes = Changes::from(count + in_buffers);
    changes.assumptions.extend((count > 0).then_some(ASSUMPTION));
    changes.assumptions.extend((in_buffers > 0).then_some(IN_BUFFERS));
    changes
}

/// How many loads and indices it changed, and how many indices of buffers.
fn strip(function: &mut Function, wraps: bool, tables: &[u32]) -> (usize, usize) {
    let (mut count, mut in_buffers) = (0, 0);
    let mut forward = Forward::new(function);
    for block in 0..function.blocks.len() {
        for position in 0..function.blocks[block].insts.len() {
            let inst = &function.insts[function.blocks[block].insts[position].index()];
            if let Some(loaded) = guarded_load(function, inst) {
                forward.set(inst.results[0], loaded);
                count += 1;
            }
        }
    }
    for block in 0..function.blocks.len() {
        for position in 0..function.blocks[block].insts.len() {
            let id = function.blocks[block].insts[position];
            let (Op::Load(mut access) | Op::Store(mut access) | Op::Atomic(_, mut access)) =
                function.insts[id.index()].op
            else {
                continue;
            };
            let spaces = [Space::Uniform, Space::Local, Space::Shared, Space::Storage];
            if !access.is_indexed() || !spaces.contains(&access.space) {
                continue;
            }
            let wraps = wraps && !tables.contains(&access.binding);
            let before = function.insts[id.index()].args[0];
            let mut index = before;
            let find = |index: Value| match access.space {
                Space::Local => bounded(function, index).map(|inner| (inner, 0)),
                // Words of a buffer that a compiler counted in bytes.
                Space::Shared | Space::Storage => in_bytes(function, index),
                _ => unguarded(function, index, wraps).or_else(|| in_bytes(function, index)),
            };
            while let Some((inner, added)) = find(index) {
                let moved = i64::from(added) * i64::from(access.stride) + i64::from(access.offset);
                let Ok(offset) = u32::try_from(moved) else { break };
                access.offset = offset;
                index = inner;
            }
            if index != before {
                let inst = &mut function.insts[id.index()];
                inst.op = match inst.op {
                    Op::Store(_) => Op::Store(access),
                    Op::Atomic(how, _) => Op::Atomic(how, access),
                    _ => Op::Load(access),
                };
                inst.args[0] = index;
                match access.space {
                    Space::Shared | Space::Storage => in_buffers += 1,
                    _ => count += 1,
                }
            }
        }
    }
    if count > 0 {
        forward.apply(function);
    }
    (count, in_buffers)
}

/// The load in `select(number < end, load[number], constant)`.
fn guarded_load(function: &Function, inst: &Inst) -> Option<Value> {
    if inst.op != Op::Select {
        return None;
    }
    let [condition, loaded, default] = inst.args[..] else { return None };
    constant(function, default)?;
    let load = function.definition(loaded)?;
    match load.op {
        Op::Load(access) if access.is_indexed() => {}
        _ => return None,
    }
    let check = function.definition(condition)?;
    let inside = check.op == Op::ICompare(CompareInt::Ult) && check.args[0] == load.args[0];
    (inside && constant(function, check.args[1]).is_some()).then_some(loaded)
}

/// What is kept between two numbers.
fn bounded(function: &Function, index: Value) -> Option<Value> {
    let inner = |value: Value, op: Op| {
        let inst = function.definition(value).filter(|inst| inst.op == op)?;
        constant(function, inst.args[1])?;
        Some(inst.args[0])
    };
    inner(index, Op::SMin)
        .and_then(|raised| inner(raised, Op::SMax))
        .or_else(|| inner(index, Op::SMax).and_then(|lowered| inner(lowered, Op::SMin)))
}

/// `x` and `n` of `((x << s) + (n << s)) >> s`, of `(x << s) >> s`, and of the latter as `x & mask`.
fn in_bytes(function: &Function, index: Value) -> Option<(Value, i32)> {
    let with_constant = |value: Value, op: Op| {
        let inst = function.definition(value).filter(|inst| inst.op == op)?;
        let &[a, b] = &inst.args[..] else { return None };
        match (constant(function, a), constant(function, b)) {
            (_, Some(number)) => Some((a, number as u32)),
            (Some(number), None) if op.is_commutative() => Some((b, number as u32)),
            _ => None,
        }
    };
    if let Some((x, mask)) = with_constant(index, Op::And) {
        return ((1..=8).contains(&mask.leading_zeros()) && mask.leading_zeros() + mask.count_ones() == 32)
            .then_some((x, 0));
    }
    let shifted = with_constant(index, Op::ShrU).or_else(|| with_constant(index, Op::ShrS));
    let (scaled, by) = shifted.filter(|(_, by)| (1..=8).contains(by))?;
    let (scaled, added) = match with_constant(scaled, Op::IAdd) {
        Some((inner, added)) if added.trailing_zeros() >= by => (inner, added as i32 >> by),
        Some(_) => return None,
        None => (scaled, 0),
    };
    let (x, left) = with_constant(scaled, Op::Shl)?;
    (left == by).then_some((x, added))
}

/// What is inside one guard of an index, and what is added to it.
fn unguarded(function: &Function, index: Value, wraps: bool) -> Option<(Value, i32)> {
    let inst = function.definition(index)?;
    match inst.op {
        Op::And if wraps => {
            let mask = constant(function, inst.args[1])?;
            (mask.wrapping_add(1).is_power_of_two() && mask > 0).then_some((inst.args[0], 0))
        }
        Op::IAdd => match (constant(function, inst.args[0]), constant(function, inst.args[1])) {
            (None, Some(bits)) => Some((inst.args[0], bits as u32 as i32)),
            (Some(bits), None) => Some((inst.args[1], bits as u32 as i32)),
            _ => None,
        },
        Op::Select => {
            constant(function, inst.args[2])?;
            let check = function.definition(inst.args[0])?;
            constant(function, *check.args.get(1)?)?;
            let checked = check.args[0];
            let offset = function.definition(checked).filter(|sum| sum.op == Op::IAdd);
            let is_range = check.op == Op::ICompare(CompareInt::Ult)
                && (checked == inst.args[1] || offset.is_some_and(|sum| sum.args.contains(&inst.args[1])));
            is_range.then_some((inst.args[1], 0))
        }
        _ => None,
    }
}
