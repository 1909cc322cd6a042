//! Loops with a way out that the compiler wrote out: blocks that compute the same from what the block in front of them left, each of
//! which ends in a condition that leads out of the loop or to the next.
//!
//! Exact, but that a product may be scaled by a power of two before or after it is rounded ([`SCALED`]).

use super::super::edit::{constant, use_counts};
use super::blocks::Loop;
use super::write::make;
use super::{LEAST, MOST, MUL, predicated};
use crate::cfg::Cfg;
use crate::{BlockId, Function, Global, InstId, Terminator, Value, ValueDef};
use std::collections::BTreeSet;

/// Operations of a pass at the least: fewer are no shorter as a loop.
const WORTH: usize = 3;

/// Blocks each of which leads to the next or out of the loop.
#[derive(Debug, Clone)]
pub(super) struct Run {
    blocks: Vec<BlockId>,
    /// Which of the two ways leads to the next block.
    pub(super) next: usize,
    /// Where the other one leads.
    pub(super) out: BlockId,
}

/// Makes one loop; answers whether products are scaled elsewhere for it, if it did.
pub(super) fn once(function: &mut Function, globals: &[Global]) -> Option<bool> {
    let cfg = Cfg::new(function);
    for run in runs(function, &cfg) {
        // What the machine went through without branches is more of the same.
        let mut apart = function.clone();
        let end = apart.blocks[run.blocks[run.blocks.len() - 1].index()].terminator.targets().nth(run.next);
        let end = end.map(|target| target.block);
        if let Some(end) = end
            && cfg.predecessors(end).len() == 1
            && leads_only_to(&apart, end, run.out)
            && predicated::split(&mut apart, end)
        {
            let scaled = scales_last(&mut apart, &[&run.blocks[..], &[end]].concat());
            let cfg = Cfg::new(&apart);
            let longer = runs(&apart, &cfg).into_iter().find(|longer| longer.blocks[0] == run.blocks[0]);
            if longer.is_some_and(|longer| roll(&mut apart, globals, &longer)) {
                *function = apart;
                return Some(scaled);
            }
        }
        if roll(function, globals, &run) {
            return Some(false);
        }
    }
    None
}

/// Products with a power of two have that as their last factor in all passes, as they have where the machine scales a product.
fn scales_last(function: &mut Function, blocks: &[BlockId]) -> bool {
    let uses = use_counts(function);
    let mut count = 0;
    for block in blocks {
        let old = std::mem::take(&mut function.blocks[block.index()].insts);
        let mut gone: BTreeSet<InstId> = BTreeSet::new();
        let mut list = Vec::with_capacity(old.len());
        for id in old {
            let found = scaled_factor(function, &uses, id);
            if let Some((made, by, factor, other)) = found {
                gone.insert(made);
                let origin = function.insts[id.index()].origin;
                let product = make(function, &mut list, MUL, &[factor, other], origin);
                function.insts[id.index()].args = [product, by].into_iter().collect();
                count += 1;
            }
            list.push(id);
        }
        list.retain(|id| !gone.contains(id));
        function.blocks[block.index()].insts = list;
    }
    count > 0
}

/// Of a product with a factor that was scaled for it alone: who scaled, by what, the factor, and the other one.
fn scaled_factor(function: &Function, uses: &[u32], id: InstId) -> Option<(InstId, Value, Value, Value)> {
    let scale = |value: Value| {
        constant(function, value).is_some_and(|bits| {
            let number = f32::from_bits(bits as u32);
            number.is_normal() && number.to_bits() & 0x7F_FFFF == 0
        })
    };
    let product = |id: InstId| {
        let inst = &function.insts[id.index()];
        match (inst.op == MUL, &inst.args[..]) {
            (true, &[a, b]) => Some([a, b]),
            _ => None,
        }
    };
    let [a, b] = product(id)?;
    [(a, b), (b, a)].into_iter().find_map(|(inner, other)| {
        let ValueDef::Result(made, _) = function.values[inner.index()].def else { return None };
        let [c, d] = product(made)?;
        let alone = uses.get(inner.index()) == Some(&1) && scale(c) != scale(d) && !scale(other);
        alone.then(|| if scale(c) { (made, c, d, other) } else { (made, d, c, other) })
    })
}

fn leads_only_to(function: &Function, block: BlockId, to: BlockId) -> bool {
    matches!(&function.blocks[block.index()].terminator, Terminator::Jump(target) if target.block == to)
}

/// The runs of a function, as long as they go.
fn runs(function: &Function, cfg: &Cfg) -> Vec<Run> {
    let mut seen: BTreeSet<BlockId> = BTreeSet::new();
    let mut found = Vec::new();
    for block in &cfg.order {
        if seen.contains(block) {
            continue;
        }
        for next in [0, 1] {
            let Some(run) = run_from(function, cfg, *block, next) else { continue };
            seen.extend(run.blocks.iter().copied());
            if run.blocks.len() >= LEAST {
                found.push(run);
            }
        }
    }
    found
}

fn run_from(function: &Function, cfg: &Cfg, first: BlockId, next: usize) -> Option<Run> {
    let ways = |block: BlockId| -> Option<(BlockId, BlockId)> {
        let Terminator::Branch { then, otherwise, .. } = &function.blocks[block.index()].terminator else {
            return None;
        };
        let (on, out) = if next == 0 { (then, otherwise) } else { (otherwise, then) };
        let alone =
            cfg.predecessors(on.block).len() == 1 && function.blocks[on.block.index()].params.is_empty();
        (alone && on.block != out.block).then_some((on.block, out.block))
    };
    let (mut at, out) = ways(first)?;
    let mut blocks = vec![first];
    while blocks.len() < MOST {
        match ways(at) {
            Some((on, other)) if other == out => {
                blocks.push(at);
                at = on;
            }
            _ => break,
        }
    }
    Some(Run { blocks, next, out })
}

/// Makes a run a loop, without its first or last passes where those are others.
fn roll(function: &mut Function, globals: &[Global], run: &Run) -> bool {
    let shape = |block: BlockId| function.blocks[block.index()].insts.len();
    // Blocks that are as long as each other.
    let mut start = 0;
    let mut best = (0, 0);
    for at in 0..=run.blocks.len() {
        if at == run.blocks.len() || shape(run.blocks[at]) != shape(run.blocks[start]) {
            best = if at - start > best.1 - best.0 { (start, at) } else { best };
            start = at;
        }
    }
    let (first, end) = best;
    let fronts = [first.saturating_sub(1), first];
    let ends = [(end + 1).min(run.blocks.len()), end];
    fronts.iter().flat_map(|front| ends.iter().map(move |end| (*front, *end))).any(|(front, end)| {
        let blocks = &run.blocks[front..end];
        let asked = if blocks.len() >= LEAST { asked(function, blocks, run.next) } else { None };
        let found = asked.and_then(|roots| Loop::new(function, globals, blocks, run.next, &roots));
        let is_worth = found.as_ref().is_some_and(|found| found.operations >= WORTH);
        found.filter(|_| is_worth).is_some_and(|found| {
            found.write(function, blocks, Some(run));
            true
        })
    })
}

/// What each block asks before it leads on, and what it gives where it leads out, over the blocks.
fn asked(function: &Function, blocks: &[BlockId], next: usize) -> Option<Vec<Vec<Value>>> {
    let mut conditions = Vec::new();
    let mut gives: Vec<Vec<Value>> = Vec::new();
    for block in blocks {
        let Terminator::Branch { condition, then, otherwise } = &function.blocks[block.index()].terminator
        else {
            return None;
        };
        conditions.push(*condition);
        let out = if next == 0 { otherwise } else { then };
        gives.resize(out.args.len(), Vec::new());
        for (list, arg) in gives.iter_mut().zip(&out.args) {
            list.push(*arg);
        }
    }
    Some(std::iter::once(conditions).chain(gives).collect())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{outputs, program};
    use crate::build::FunctionBuilder;
    use crate::{CompareFloat, FloatMode, Module, Multiply, Op, Target, Terminator, Type, Value};

    const PASSES: u32 = 6;

    /// `for (n = 0; n < 6; n++) { x = x * x + c; if (x > 4) break; }`, written out; behind the block of this number without branches.
    fn written_out(predicated: u32, other: Option<u32>) -> Module {
        let mut module = program(|builder, inputs| {
            let (mut x, c) = (inputs[0], inputs[1]);
            let four = builder.float(4.0);
            let out = builder.block();
            let [left_x, left_n] = [Type::B32, Type::B32].map(|ty| builder.param(out, ty));
            let step = |builder: &mut FunctionBuilder, x: Value, pass: u32| {
                let squared = builder.value(Op::FMul(FloatMode::F32, Multiply::Ieee), &[x, x]);
                let added = if other == Some(pass) { inputs[2] } else { c };
                builder.value(Op::FAdd(FloatMode::F32), &[squared, added])
            };
            let to = |block, args: &[Value]| Target { block, args: args.into() };
            for pass in 0..predicated {
                x = step(builder, x, pass);
                let stays = builder.value(Op::FCompare(CompareFloat::Le, FloatMode::F32), &[x, four]);
                let number = builder.bits(pass);
                let on = builder.block();
                builder.terminate(Terminator::Branch {
                    condition: stays,
                    then: to(on, &[]),
                    otherwise: to(out, &[x, number]),
                });
                builder.switch_to(on);
            }
            let mut all: Option<Value> = None;
            let mut n = builder.bits(predicated);
            for pass in predicated..PASSES {
                let new = step(builder, x, pass);
                x = match all {
                    Some(all) => builder.value(Op::Select, &[all, new, x]),
                    None => new,
                };
                let own = builder.value(Op::FCompare(CompareFloat::Le, FloatMode::F32), &[x, four]);
                let holds = match all {
                    Some(all) => builder.value(Op::And, &[own, all]),
                    None => own,
                };
                let more = builder.bits(pass + 1);
                n = builder.value(Op::Select, &[holds, more, n]);
                all = Some(holds);
            }
            builder.jump(out, &[x, n]);
            builder.switch_to(out);
            vec![left_x, left_n]
        });
        module.from_shading_language = true;
        module
    }

    fn rolled(predicated: u32, other: Option<u32>) -> bool {
        let before = written_out(predicated, other);
        let mut after = before.clone();
        let found = super::super::run(&mut after).count > 0;
        assert!(crate::verify::check(&after).is_empty(), "{after}");
        for (x, c) in [(0.0_f32, 0.25_f32), (1.5, 0.5), (3.0, 1.0), (0.1, -1.0), (1.2, 0.2), (1.0, 0.9)] {
            let inputs = [x.to_bits(), c.to_bits(), 7, 0, 0, 0];
            assert_eq!(outputs(&before, &inputs), outputs(&after, &inputs), "{after}");
        }
        found
    }

    #[test]
    fn passes_with_a_way_out_are_a_loop() {
        assert!(rolled(PASSES, None));
    }

    #[test]
    fn passes_without_branches_belong_to_it() {
        assert!(rolled(4, None) && rolled(3, None));
    }

    #[test]
    fn another_pass_in_the_middle_stays() {
        assert!(!rolled(PASSES, Some(3)));
    }
}
