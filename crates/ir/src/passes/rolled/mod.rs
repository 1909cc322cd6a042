//! Loops that the compiler wrote out, found by what they add up: `s = f(0) + f(1) + f(2) + ...` becomes
//! `for (i = 0; i < n; i++) s += f(i)`.
//!
//! The terms of a sum are the passes. Their operations are compared side by side ([`plan`]): where all passes have the same
//! operation, the loop has it once; numbers that grow evenly are the counter's, words of uniforms that lie evenly are an
//! array's elements, a value that each pass computes from that of the pass before is carried along. Sums whose terms share
//! what they are computed from are sums of one loop. [`write`] then makes the loop.
//!
//! Passes that have branches of their own: [`branches`]. Passes that each end in a way out of the loop: [`breaks`]; a machine that goes on without branches after some of
//! them is brought back to that first ([`predicated`]).

mod arms;
mod blocks;
mod branches;
mod breaks;
mod plan;
mod predicated;
mod write;

use super::Changes;
use super::edit::use_counts;
use super::fold::Rules;
use crate::cfg::Cfg;
use crate::{BlockId, FloatMode, Function, InstId, Module, Multiply, Op, Value, ValueDef};
use plan::{Plan, Shapes};
use std::collections::BTreeMap;
use write::Written;

const ADD: Op = Op::FAdd(FloatMode::F32);
const MUL: Op = Op::FMul(FloatMode::F32, Multiply::Ieee);

/// What must hold.
const ASSUMPTION: &str = "the terms of a sum may be added in any order";
/// Chains of a block that are tried.
const LEADERS: usize = 12;
/// Loops that are looked for in a function.
const ROUNDS: usize = 8;
/// Passes of a loop at the least and at the most.
const LEAST: usize = 3;
const MOST: usize = 256;
/// Instructions that a loop takes the place of, for each that it has, at the least, and how many at the least.
const GAIN: usize = 2;
const WORTH: usize = 14;

pub(super) fn run(module: &mut Module) -> Changes {
    if !module.from_shading_language {
        return Changes::default();
    }
    let (mut count, mut added, mut scaled, mut zeros) = (0, 0, false, false);
    for _ in 0..ROUNDS {
        let Module { functions, globals, .. } = &mut *module;
        let mut found = 0;
        for scaled_elsewhere in functions.iter_mut().filter_map(|function| breaks::once(function, globals)) {
            found += 1;
            scaled |= scaled_elsewhere;
        }
        let whole: usize =
            functions.iter_mut().map(|function| usize::from(branches::once(function, globals))).sum();
        found += whole;
        zeros |= whole > 0;
        let sums: usize = functions.iter_mut().map(|function| usize::from(once(function, globals))).sum();
        if found + sums == 0 {
            break;
        }
        count += found + sums;
        added += sums;
        // What is left of a sum without its last addition is a sum too.
        super::dead::run(module);
    }
    let mut changes = Changes { count, ..Changes::default() };
    if added > 0 {
        changes = changes.assume(ASSUMPTION);
    }
    if zeros {
        changes = changes.assume(super::number::ASSUMPTION);
    }
    if scaled {
        changes = changes.assume(super::rounding::ASSUMPTION);
    }
    if count > 0 {
        // Constants to their place, and what the loops have in common.
        changes.assumptions.extend(super::number::run(module, Rules::Finite).assumptions);
    }
    changes
}

/// A sum, taken apart.
#[derive(Debug, Clone)]
struct Reduction {
    /// The last addition.
    root: InstId,
    /// All additions.
    adds: Vec<InstId>,
    /// Terms that look alike, in the order of the passes.
    terms: Vec<Value>,
    /// The other terms.
    rest: Vec<Value>,
    /// The sum without one term, which something else uses too, and that term.
    partial: Option<(Value, Value)>,
}

/// Makes one loop; answers whether it did.
fn once(function: &mut Function, globals: &[crate::Global]) -> bool {
    let cfg = Cfg::new(function);
    let uses = use_counts(function);
    for block in &cfg.order {
        if function.blocks[block.index()].insts.len() < WORTH {
            continue;
        }
        let shapes = Shapes::new(function, *block);
        let of_sums = |function: &Function, sums: &[Reduction], leaders: &[usize]| {
            leaders.iter().find_map(|leader| {
                let plan = Plan::new(function, globals, (*block, &shapes), sums, *leader)?;
                plan.gain(function, &uses).then(|| Written::new(function, *block, plan))?
            })
        };
        // A sum may be used without its last term, too.
        let sums = reductions(function, *block, &uses, &shapes, true);
        let leaders: Vec<usize> = (0..sums.len()).filter(|at| sums[*at].partial.is_some()).collect();
        if let Some(plan) = of_sums(function, &sums, &leaders) {
            return write::write(function, *block, &plan);
        }
        let sums = reductions(function, *block, &uses, &shapes, false);
        let leaders: Vec<usize> = (0..sums.len()).collect();
        if let Some(plan) = of_sums(function, &sums, &leaders) {
            return write::write(function, *block, &plan);
        }
        let chains = plan::chains(function, *block);
        for leader in 0..chains.len().min(LEADERS) {
            if let Some(plan) = Plan::of_chain(function, globals, (*block, &shapes), &chains, leader, &uses)
                && plan.gain(function, &uses)
                && let Some(plan) = Written::new(function, *block, plan)
            {
                return write::write(function, *block, &plan);
            }
        }
    }
    false
}

/// The sums of a block with enough terms that look alike, those with the most first. `through`: a sum goes on behind one that
/// something else uses too.
fn reductions(
    function: &Function,
    block: BlockId,
    uses: &[u32],
    shapes: &Shapes,
    through: bool,
) -> Vec<Reduction> {
    let mut found: Vec<Reduction> = Vec::new();
    let mut inner = vec![false; function.insts.len()];
    for id in function.blocks[block.index()].insts.iter().rev() {
        if inner[id.index()] || function.insts[id.index()].op != ADD {
            continue;
        }
        let Some((adds, terms, partial)) = collect(function, *id, uses, shapes, through) else { continue };
        for add in &adds {
            inner[add.index()] = true;
        }
        // The largest group of terms that are alike.
        let mut groups: BTreeMap<u64, Vec<Value>> = BTreeMap::new();
        for term in &terms {
            groups.entry(shapes.of(*term)).or_default().push(*term);
        }
        let Some((shape, _)) = groups.iter().max_by_key(|(shape, list)| (list.len(), **shape)) else {
            continue;
        };
        let shape = *shape;
        let (alike, rest): (Vec<Value>, Vec<Value>) =
            terms.into_iter().partition(|term| shapes.of(*term) == shape);
        if (LEAST..=MOST).contains(&alike.len()) {
            found.push(Reduction { root: *id, adds, terms: alike, rest, partial });
        }
    }
    found.reverse();
    found.sort_by_key(|sum| std::cmp::Reverse(sum.terms.len()));
    found
}

/// The additions of a sum, its terms, and the sum without one term that something else uses too, with that term.
type Collected = (Vec<InstId>, Vec<Value>, Option<(Value, Value)>);

/// Takes a sum apart, with its terms from left to right: operands that nothing else uses are taken apart in turn, and where it
/// goes `through`, the one that something else does use and that lacks one term only.
fn collect(
    function: &Function,
    root: InstId,
    uses: &[u32],
    shapes: &Shapes,
    through: bool,
) -> Option<Collected> {
    let added = |value: Value| match function.values.get(value.index())?.def {
        ValueDef::Result(id, _) if function.insts[id.index()].op == ADD && shapes.has(id) => Some(id),
        _ => None,
    };
    let (mut adds, mut terms) = (vec![root], Vec::new());
    let &[a, b] = &function.insts[root.index()].args[..] else { return None };
    let is_shared = |value: Value| through && added(value).is_some() && uses.get(value.index()) != Some(&1);
    let partial = match (is_shared(a), is_shared(b)) {
        (true, false) => Some((a, b)),
        (false, true) => Some((b, a)),
        _ => None,
    };
    let mut work = vec![b, a];
    while let Some(value) = work.pop() {
        let goes_on = uses.get(value.index()) == Some(&1) || partial.is_some_and(|(sum, _)| sum == value);
        match added(value).filter(|_| goes_on) {
            Some(id) => {
                adds.push(id);
                let args = &function.insts[id.index()].args;
                work.push(*args.get(1)?);
                work.push(*args.first()?);
            }
            None => terms.push(value),
        }
        if adds.len() > 2 * MOST {
            return None;
        }
    }
    Some((adds, terms, partial))
}

#[cfg(test)]
mod tests;
