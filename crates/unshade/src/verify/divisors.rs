//! Seeing whether a program divides an integer by zero, which readable mode assumes that none does: no language says
//! what comes out.

use super::subject::Subject;
use unshade_ir::{Access, CompareInt, Function, InstId, Module, Op, Origin, Space, Type, Value};

/// Binding of the mark in the output space; no machine has that many.
const MARK: u32 = 1 << 16;

const PLACE: Access = Access { space: Space::Output, binding: MARK, offset: 0, stride: 0 };

/// Lets a module leave a mark where it divides by zero.
pub(super) fn watch(module: &mut Module) {
    for function in &mut module.functions {
        for block in 0..function.blocks.len() {
            let listed = std::mem::take(&mut function.blocks[block].insts);
            let mut insts = Vec::with_capacity(listed.len());
            for id in listed {
                let inst = &function.insts[id.index()];
                if let (Op::UDiv | Op::SDiv | Op::URem | Op::SRem, Some(divisor)) =
                    (inst.op, inst.args.get(1))
                {
                    mark(function, *divisor, &mut insts);
                }
                insts.push(id);
            }
            function.blocks[block].insts = insts;
        }
    }
}

/// Marks a divisor that is zero.
fn mark(function: &mut Function, divisor: Value, insts: &mut Vec<InstId>) {
    let ty = function.ty(divisor);
    if ty != Type::B32 {
        return;
    }
    let mut push = |op: Op, args: &[Value], results: &[Type]| {
        let inst = function.push_inst(op, args, results, Origin::default());
        insts.push(inst);
        results.first().map_or(divisor, |_| function.result(inst, 0))
    };
    let before = push(Op::Load(PLACE), &[], &[Type::B32]);
    let zero = push(Op::B32(0), &[], &[Type::B32]);
    let is_zero = push(Op::ICompare(CompareInt::Eq), &[divisor, zero], &[Type::Bool]);
    let marked = push(Op::BToI, &[is_zero], &[Type::B32]);
    let after = push(Op::Or, &[before, marked], &[Type::B32]);
    push(Op::Store(PLACE), &[after], &[]);
}

/// Takes the mark away before a run.
pub(super) fn clear(subject: &mut Subject<'_>) {
    subject.set(Space::Output, MARK, vec![0]);
}

/// Whether the last run left the mark.
pub(super) fn is_marked(subject: &Subject<'_>) -> bool {
    subject.words(Space::Output, MARK).first().is_some_and(|mark| *mark != 0)
}
