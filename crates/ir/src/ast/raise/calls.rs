//! The order of functions, and how their scalars are grouped into vectors at calls.

use super::super::{FunctionRef, Scalar, Type};
use super::RaiseError;
use super::registers::Registers;
use crate::quick::QuickMap;
use crate::{Function, FunctionId, Module, Op, VarId};
use smallvec::{SmallVec, smallvec};

/// Scalars that go together as one vector: positions in the list of parameters or results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// In the order of components.
    pub members: SmallVec<[usize; 4]>,
    /// Kind of all of them.
    pub kind: Scalar,
}

impl Group {
    pub fn ty(&self) -> Type {
        Type { scalar: self.kind, components: self.members.len() as u8 }
    }
}

/// How a function is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signature {
    pub function: FunctionRef,
    pub params: Vec<Group>,
    pub results: Vec<Group>,
}

/// Functions that the entry leads to, callees first. No recursion in the walk, and none in the input.
pub(super) fn order(module: &Module) -> Result<Vec<FunctionId>, RaiseError> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let callees = |id: FunctionId| -> Vec<FunctionId> {
        let function = &module.functions[id.index()];
        let listed = function.blocks.iter().flat_map(|block| &block.insts);
        listed
            .filter_map(|inst| match function.insts[inst.index()].op {
                Op::Call(callee) => Some(callee),
                _ => None,
            })
            .collect()
    };
    let mut states = vec![State::New; module.functions.len()];
    let mut order = Vec::new();
    let mut walk = vec![(module.entry, callees(module.entry), 0)];
    states[module.entry.index()] = State::Open;
    while let Some((id, list, at)) = walk.last_mut() {
        let Some(next) = list.get(*at).copied() else {
            states[id.index()] = State::Done;
            order.push(*id);
            walk.pop();
            continue;
        };
        *at += 1;
        match states[next.index()] {
            State::New => {
                states[next.index()] = State::Open;
                walk.push((next, callees(next), 0));
            }
            State::Open => {
                let function = module.functions[next.index()].name.clone();
                return Err(RaiseError::Recursion { function });
            }
            State::Done => {}
        }
    }
    Ok(order)
}

/// Groups scalars by the register they were and their kind, each group ordered by component.
pub(super) fn group(registers: &Registers, scalars: &[(Option<VarId>, Scalar)]) -> Vec<Group> {
    let lane = |position: usize| registers.of(scalars[position].0).map_or(0, |(_, lane)| lane);
    let mut groups: Vec<Group> = Vec::new();
    // Latest group of a register and kind.
    let mut latest: QuickMap<(u32, Scalar), usize> = QuickMap::default();
    for (position, (variable, kind)) in scalars.iter().enumerate() {
        let key = registers.of(*variable).map(|(register, _)| (register, *kind));
        if let Some(key) = key
            && let Some(at) = latest.get(&key).copied()
        {
            let group: &mut Group = &mut groups[at];
            if group.members.len() < 4 && group.members.iter().all(|other| lane(*other) != lane(position)) {
                group.members.push(position);
                group.members.sort_by_key(|position| lane(*position));
                continue;
            }
        }
        if let Some(key) = key {
            latest.insert(key, groups.len());
        }
        groups.push(Group { members: smallvec![position], kind: *kind });
    }
    groups
}

/// Variables of the results of a function, none where they were none.
pub(super) fn result_variable(function: &Function, position: usize) -> Option<VarId> {
    function.result_vars.get(position).copied()
}
