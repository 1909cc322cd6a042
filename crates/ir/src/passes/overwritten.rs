//! Stores to outputs that a later store of the same block replaces, before anybody could have seen them: compilers
//! clear arrays of outputs at the start.

use super::Changes;
use crate::{Access, Function, Module, Op, Space};
use std::collections::BTreeSet;

pub(super) fn run(module: &mut Module) -> Changes {
    module.functions.iter_mut().map(remove_all).sum::<usize>().into()
}

fn remove_all(function: &mut Function) -> usize {
    let mut count = 0;
    let Function { blocks, insts, .. } = function;
    for block in blocks {
        // Words that are stored to again further down.
        let mut again: BTreeSet<(u32, u32)> = BTreeSet::new();
        let mut keep = vec![true; block.insts.len()];
        for (id, keep) in block.insts.iter().zip(&mut keep).rev() {
            match insts[id.index()].op {
                Op::Store(Access { space: Space::Output, binding, offset, stride: 0 }) => {
                    *keep = again.insert((binding, offset));
                    count += usize::from(!*keep);
                }
                Op::Store(access) | Op::Load(access) if access.space != Space::Output => {}
                Op::Store(_)
                | Op::Load(_)
                | Op::Call(_)
                | Op::Barrier(_)
                | Op::Demote
                | Op::EmitVertex(_)
                | Op::EndPrimitive(_)
                | Op::ReadVar(_)
                | Op::WriteVar(_) => again.clear(),
                _ => {}
            }
        }
        super::edit::retain_at(&mut block.insts, &keep);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_same, program};
    use super::*;
    use crate::Value;
    use crate::build::FunctionBuilder;

    fn store(builder: &mut FunctionBuilder, offset: u32, value: Value) {
        let access = Access { space: Space::Output, binding: 0, offset, stride: 0 };
        builder.effect(Op::Store(access), &[value]);
    }

    #[test]
    fn the_last_store_stays() {
        let before = program(|builder, x| {
            let zero = builder.bits(0);
            store(builder, 0, zero);
            store(builder, 1, x[3]);
            store(builder, 5, zero);
            vec![x[0], x[1]]
        });
        let mut after = before.clone();
        assert_eq!(run(&mut after).count, 2);
        assert_same(&before, &after, 1);
    }

    #[test]
    fn what_is_read_in_between_stays() {
        let before = program(|builder, x| {
            store(builder, 0, x[3]);
            let access = Access { space: Space::Output, binding: 0, offset: 0, stride: 0 };
            let loaded = builder.value(Op::Load(access), &[]);
            vec![x[0], loaded]
        });
        let mut after = before.clone();
        assert_eq!(run(&mut after).count, 0);
        assert_same(&before, &after, 1);
    }
}
