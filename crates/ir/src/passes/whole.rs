//! Choices between whole vectors: a component that is the same on both sides needs no choice, and compilers leave it
//! out; `inside ? v : v.zyxw` is then a choice of `x` and `z` with `y` and `w` beside it. Where what is stored to one
//! output would be one vector on either side, the components that were left out take part again.
//!
//! Exact: a choice between a value and itself is that value. Runs behind everything that would take it away.

use super::Changes;
use crate::{Access, BlockId, Function, InstId, Module, Op, Origin, Space, Type, Value};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Components of an output vector.
const LANES: u32 = 4;

pub(super) fn run(module: &mut Module) -> Changes {
    if !module.from_shading_language {
        return Changes::default();
    }
    module.functions.iter_mut().map(rewrite).sum::<usize>().into()
}

fn rewrite(function: &mut Function) -> usize {
    let mut count = 0;
    for block in 0..function.blocks.len() {
        for Choice { condition, origin, missing } in found(function, BlockId(block as u32)) {
            for (component, store) in missing {
                let value = function.insts[store.index()].args[0];
                // A lane of the instruction that makes the others.
                let origin = Origin { lane: component, ..origin };
                let choice = function.push_inst(Op::Select, &[condition, value, value], &[Type::B32], origin);
                let result = function.result(choice, 0);
                function.insts[store.index()].args[0] = result;
                let list = &mut function.blocks[block].insts;
                if let Some(at) = list.iter().position(|id| *id == store) {
                    list.insert(at, choice);
                }
                count += 1;
            }
        }
    }
    count
}

/// A vector that is chosen but for some components.
struct Choice {
    condition: Value,
    /// Of the choice of its other components.
    origin: Origin,
    /// Components that are not chosen, with their stores.
    missing: SmallVec<[(u8, InstId); 4]>,
}

/// Vectors of a block that should be choices as a whole.
fn found(function: &Function, block: BlockId) -> Vec<Choice> {
    let mut outputs: BTreeMap<(u32, u32), BTreeMap<u32, InstId>> = BTreeMap::new();
    for id in &function.blocks[block.index()].insts {
        let inst = &function.insts[id.index()];
        match inst.op {
            Op::Store(access) if access.space == Space::Output && !access.is_indexed() => {
                let vector = outputs.entry((access.binding, access.offset / LANES)).or_default();
                vector.insert(access.offset % LANES, *id);
            }
            // Vertices end what is stored.
            Op::EmitVertex(_) => outputs.clear(),
            _ => {}
        }
    }
    outputs.into_values().filter_map(|stores| choice(function, &stores)).collect()
}

/// What one vector of an output would need to be a choice between two vectors.
fn choice(function: &Function, stores: &BTreeMap<u32, InstId>) -> Option<Choice> {
    let mut condition = None;
    let mut origin = None;
    let mut sides: [SmallVec<[Access; 4]>; 2] = Default::default();
    let mut missing = SmallVec::new();
    let mut choices = 0;
    for (component, id) in stores {
        let value = *function.insts[id.index()].args.first()?;
        let inst = function.definition(value)?;
        let [yes, no] = match (inst.op, &inst.args[..]) {
            (Op::Select, &[by, yes, no]) => {
                if *condition.get_or_insert(by) != by {
                    return None;
                }
                choices += 1;
                origin.get_or_insert(inst.origin);
                [yes, no]
            }
            _ => {
                missing.push((*component as u8, *id));
                [value, value]
            }
        };
        for (side, value) in sides.iter_mut().zip([yes, no]) {
            side.push(word(function, value)?);
        }
    }
    let whole = sides.iter().all(|side| is_vector(side));
    let enough = choices >= 2 && !missing.is_empty() && whole;
    enough.then_some(Choice { condition: condition?, origin: origin?, missing })
}

/// The word of an input or uniform that a value is.
fn word(function: &Function, value: Value) -> Option<Access> {
    match function.definition(value)?.op {
        Op::Load(access) if matches!(access.space, Space::Input | Space::Uniform) && !access.is_indexed() => {
            Some(access)
        }
        _ => None,
    }
}

/// Whether these are different components of one vector.
fn is_vector(words: &[Access]) -> bool {
    let vector = |access: &Access| (access.space, access.binding, access.offset / LANES);
    let first = words.first().map(vector);
    words.iter().enumerate().all(|(at, word)| {
        Some(vector(word)) == first && words[..at].iter().all(|other| other.offset != word.offset)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_same, program};
    use super::*;
    use crate::CompareInt;

    fn choices(module: &Module) -> usize {
        module.functions[0].insts.iter().filter(|inst| inst.op == Op::Select).count()
    }

    /// Components of inputs 0-3, some of them turned round where inputs 4 and 5 are equal.
    fn turned(order: [usize; 4]) -> Module {
        let mut module = program(|builder, x| {
            let equal = builder.value(Op::ICompare(CompareInt::Eq), &[x[4], x[5]]);
            let lane = |at: usize| (x[at], x[order[at]]);
            (0..4)
                .map(lane)
                .map(|(yes, no)| if yes == no { yes } else { builder.value(Op::Select, &[equal, yes, no]) })
                .collect()
        });
        module.from_shading_language = true;
        module
    }

    #[test]
    fn components_that_stay_take_part() {
        let before = turned([2, 1, 0, 3]);
        let mut after = before.clone();
        assert_eq!(run(&mut after).count, 2);
        assert_eq!((choices(&before), choices(&after)), (2, 4));
        assert_same(&before, &after, 1);
    }

    #[test]
    fn what_is_no_vector_stays() {
        // Twice the same component, and nothing that stays.
        for order in [[2, 1, 2, 3], [1, 0, 3, 2]] {
            let before = turned(order);
            let mut after = before.clone();
            assert_eq!(run(&mut after).count, 0, "{order:?}");
            assert_eq!(after, before);
        }
    }
}
