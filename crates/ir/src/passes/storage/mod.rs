//! Accesses to all memory at addresses that start at a storage buffer become accesses to that buffer: the buffer's
//! address stands in constant data ([`crate::BufferTable`]), and offsets are added to it in two words.

use super::Changes;
use super::edit::constant;
use super::wide::{self, Sum};
use crate::{Access, BufferTable, Function, Inst, InstId, Module, Op, Space, Type, Value};
use smallvec::SmallVec;

/// What must hold.
const ASSUMPTION: &str = "what is addressed from the start of a storage buffer lies in that buffer";

pub(super) fn run(module: &mut Module) -> Changes {
    let Module { functions, buffer_tables, .. } = module;
    if buffer_tables.is_empty() {
        return Changes::default();
    }
    let count = functions.iter_mut().map(|function| recover(function, buffer_tables)).sum();
    Changes { count, ..Changes::default() }.assume(ASSUMPTION)
}

fn recover(function: &mut Function, tables: &[BufferTable]) -> usize {
    let mut count = 0;
    for block in 0..function.blocks.len() {
        let list = std::mem::take(&mut function.blocks[block].insts);
        let mut out = Vec::with_capacity(list.len());
        for id in list {
            if let Some((buffer, sum)) = found(function, &function.insts[id.index()], tables) {
                rewrite(function, id, buffer, &sum.offsets, &mut out);
                count += 1;
            }
            out.push(id);
        }
        function.blocks[block].insts = out;
    }
    count
}

/// The access of an instruction to all memory.
fn global_access(inst: &Inst) -> Option<Access> {
    match inst.op {
        Op::Load(access) | Op::Store(access) | Op::Atomic(_, access) if access.space == Space::Global => {
            Some(access)
        }
        _ => None,
    }
}

/// The buffer that an instruction goes to, and how the address is made from that of the buffer.
fn found(function: &Function, inst: &Inst, tables: &[BufferTable]) -> Option<(u32, Sum)> {
    global_access(inst)?;
    let [low, high, ..] = inst.args[..] else { return None };
    wide::sums(function, low, high).into_iter().find_map(|sum| {
        let word = |value: Value| match function.definition(value)?.op {
            Op::Load(access) if access.space == Space::Uniform && access.stride == 0 => {
                Some((access.binding, access.offset))
            }
            _ => None,
        };
        let (binding, first) = word(sum.base.0)?;
        if word(sum.base.1) != Some((binding, first.checked_add(1)?)) {
            return None;
        }
        let buffer = tables.iter().find_map(|table| table.buffer(binding, first))?;
        Some((buffer, sum))
    })
}

/// Makes it an access to the buffer, at the sum of the offsets.
fn rewrite(function: &mut Function, id: InstId, buffer: u32, offsets: &[Value], before: &mut Vec<InstId>) {
    let origin = function.insts[id.index()].origin;
    let mut make = |function: &mut Function, op: Op, args: &[Value]| {
        let made = function.push_inst(op, args, &[Type::B32], origin);
        before.push(made);
        function.result(made, 0)
    };
    // Whole words that are always added go into the address; together, since some may go back.
    let own = global_access(&function.insts[id.index()]).map_or(0, |access| access.offset);
    let mut fixed = 0_i64;
    let mut bytes: Option<Value> = None;
    for offset in offsets {
        let words = constant(function, *offset).filter(|bytes| bytes.is_multiple_of(4));
        match (words, bytes) {
            (Some(bytes), _) => fixed += i64::from(bytes as u32 as i32) / 4,
            (None, Some(sum)) => bytes = Some(make(function, Op::IAdd, &[sum, *offset])),
            (None, None) => bytes = Some(*offset),
        }
    }
    let first = u32::try_from(i64::from(own) + fixed).ok();
    if first.is_none() {
        // What lies in front of the buffer counts with the rest.
        let back = make(function, Op::B32((4 * fixed) as u32), &[]);
        bytes = Some(match bytes {
            Some(bytes) => make(function, Op::IAdd, &[bytes, back]),
            None => back,
        });
    }
    let index = bytes.map(|bytes| {
        let two = make(function, Op::B32(2), &[]);
        make(function, Op::ShrU, &[bytes, two])
    });
    let inst = &mut function.insts[id.index()];
    let mut args: SmallVec<[Value; 3]> = index.into_iter().collect();
    args.extend(inst.args.iter().skip(2).copied());
    inst.args = args;
    if let Op::Load(access) | Op::Store(access) | Op::Atomic(_, access) = &mut inst.op {
        let stride = u32::from(index.is_some());
        *access =
            Access { space: Space::Storage, binding: buffer, offset: first.unwrap_or(access.offset), stride };
    }
}

#[cfg(test)]
mod tests;
