//! What a join is handed and nobody reads: registers of a compiler keep what other lanes handed over until something else is
//! put into them, and a condition behind the join chooses that.

use crate::cfg::Dominators;
use crate::lanes::of_other_lanes;
use crate::{BlockId, Function, Op, Target, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Parameters of joins that are read where a condition holds, or where it does not, and nowhere else; and what hangs on other
/// lanes.
#[derive(Default)]
pub(super) struct Unread {
    asked: BTreeMap<Value, (Value, bool)>,
    lanes: BTreeSet<Value>,
}

impl Unread {
    pub(super) fn of(function: &Function, dominators: &Dominators) -> Self {
        let lanes = of_other_lanes(function);
        if lanes.is_empty() {
            return Self::default();
        }
        let mut homes: BTreeMap<Value, BlockId> = BTreeMap::new();
        let mut params: BTreeMap<Value, BlockId> = BTreeMap::new();
        // None: read in another way.
        let mut asked: BTreeMap<Value, Option<(Value, bool)>> = BTreeMap::new();
        for (index, block) in function.blocks.iter().enumerate() {
            let id = BlockId(index as u32);
            homes.extend(block.params.iter().map(|param| (*param, id)));
            params.extend(block.params.iter().map(|param| (*param, id)));
            for inst in block.insts.iter().filter_map(|id| function.insts.get(id.index())) {
                homes.extend(inst.results.iter().map(|result| (*result, id)));
                for (at, arg) in inst.args.iter().enumerate() {
                    let way = match (inst.op, at, inst.args.first()) {
                        (Op::Select, 1 | 2, Some(condition)) => Some((*condition, at == 1)),
                        _ => None,
                    };
                    let known = asked.entry(*arg).or_insert(way);
                    *known = known.filter(|known| Some(*known) == way);
                }
            }
            block.terminator.for_each_value(|value| {
                asked.insert(value, None);
            });
        }
        // The condition is of the same turn as what the join is handed.
        let before = |param: &Value, condition: &Value| {
            let (Some(join), Some(home)) = (params.get(param), homes.get(condition)) else { return false };
            join != home && dominators.dominates(*home, *join)
        };
        let asked = asked
            .into_iter()
            .filter_map(|(value, way)| Some((value, way?)))
            .filter(|(value, (condition, _))| before(value, condition))
            .collect();
        Self { asked, lanes }
    }

    /// The condition that must be so for an argument to be read, if it hangs on other lanes.
    pub(super) fn asked(&self, function: &Function, target: &Target, at: usize) -> Option<(Value, bool)> {
        let arg = target.args.get(at).filter(|arg| self.lanes.contains(arg))?;
        let param = function.blocks.get(target.block.index())?.params.get(at)?;
        (function.ty(*arg) == Type::B32).then(|| self.asked.get(param).copied()).flatten()
    }
}
