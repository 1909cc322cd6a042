//! What other lanes have.

use crate::{Function, Op, Value};
use std::collections::BTreeSet;

/// Values that hang on what other lanes have ([`Op::Shuffle`]), by whatever way they come.
pub fn of_other_lanes(function: &Function) -> BTreeSet<Value> {
    let mut values = BTreeSet::new();
    if !function.insts.iter().any(|inst| inst.op == Op::Shuffle) {
        return values;
    }
    loop {
        let before = values.len();
        for block in &function.blocks {
            for inst in block.insts.iter().filter_map(|id| function.insts.get(id.index())) {
                if inst.op == Op::Shuffle || inst.args.iter().any(|arg| values.contains(arg)) {
                    values.extend(inst.results.iter().copied());
                }
            }
            for target in block.terminator.targets() {
                let Some(to) = function.blocks.get(target.block.index()) else { continue };
                for (param, arg) in to.params.iter().zip(&target.args) {
                    if values.contains(arg) {
                        values.insert(*param);
                    }
                }
            }
        }
        if values.len() == before {
            return values;
        }
    }
}
