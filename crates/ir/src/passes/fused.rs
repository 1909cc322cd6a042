//! Fused multiply-adds come apart into a product and a sum: a person writes `a * b + c`, and dot products, mixes and
//! powers are looked for among sums and products.

use super::Changes;
use crate::{InstId, Module, Op, Type};
use smallvec::smallvec;

/// What must hold.
const ASSUMPTION: &str = "a product may be rounded before something is added to it";

pub(super) fn run(module: &mut Module) -> Changes {
    let mut count = 0;
    for function in &mut module.functions {
        for block in 0..function.blocks.len() {
            let list = std::mem::take(&mut function.blocks[block].insts);
            let mut out: Vec<InstId> = Vec::with_capacity(list.len());
            for id in list {
                let inst = &function.insts[id.index()];
                if let (Op::FFma(mode, rule), &[a, b, c]) = (inst.op, &inst.args[..])
                    && mode.width.ty() == Type::B32
                {
                    let product =
                        function.push_inst(Op::FMul(mode, rule), &[a, b], &[Type::B32], inst.origin);
                    let value = function.result(product, 0);
                    let inst = &mut function.insts[id.index()];
                    (inst.op, inst.args) = (Op::FAdd(mode), smallvec![value, c]);
                    out.push(product);
                    count += 1;
                }
                out.push(id);
            }
            function.blocks[block].insts = out;
        }
    }
    Changes::from(count).assume(ASSUMPTION)
}
