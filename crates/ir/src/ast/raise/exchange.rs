//! Atomic operations that no language has: increments and decrements with a bound, sums of floats, and signed
//! minima and maxima of words that are compared as unsigned ones elsewhere. A loop
//! computes what is to be left, and tries to exchange it until nobody was in between.

use crate::{
    AtomicOp, Block, CompareInt, FloatMode, Function, FunctionId, InstId, Module, Op, Space, Target,
    Terminator, Type, Value, ValueDef,
};
use std::collections::BTreeSet;

/// Memories whose words are compared as unsigned integers at once.
type Unsigned = BTreeSet<(Space, u32)>;

fn is_missing(op: Op, unsigned: &Unsigned) -> bool {
    match op {
        Op::Atomic(AtomicOp::Increment | AtomicOp::Decrement | AtomicOp::FAdd, _) => true,
        Op::Atomic(AtomicOp::SMin | AtomicOp::SMax, access) => {
            unsigned.contains(&(access.space, access.binding))
        }
        _ => false,
    }
}

fn unsigned(module: &Module, order: &[FunctionId]) -> Unsigned {
    let functions = order.iter().map(|id| &module.functions[id.index()]);
    let insts = functions.flat_map(|function| {
        let listed = function.blocks.iter().flat_map(|block| &block.insts);
        listed.map(|inst| function.insts[inst.index()].op)
    });
    insts
        .filter_map(|op| match op {
            Op::Atomic(AtomicOp::UMin | AtomicOp::UMax, access) => Some((access.space, access.binding)),
            _ => None,
        })
        .collect()
}

/// Lowers them in the given functions. None if there is nothing to do.
pub(super) fn lower(module: &Module, order: &[FunctionId]) -> Option<Module> {
    let unsigned = unsigned(module, order);
    let listed = |function: &Function| {
        let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
        insts.any(|inst| is_missing(function.insts[inst.index()].op, &unsigned))
    };
    if !order.iter().any(|id| listed(&module.functions[id.index()])) {
        return None;
    }
    let mut module = module.clone();
    for id in order {
        let function = &mut module.functions[id.index()];
        let mut at = 0;
        // Blocks that are split off are looked at in their turn.
        while at < function.blocks.len() {
            let insts = &function.blocks[at].insts;
            let place = insts.iter().position(|inst| is_missing(function.insts[inst.index()].op, &unsigned));
            if let Some(place) = place {
                split(function, at, place);
            }
            at += 1;
        }
    }
    Some(module)
}

/// `old = load; do { seen = exchange(old, left(old)); again = seen != old; old = seen; } while (again);`
fn split(function: &mut Function, at: usize, place: usize) {
    let id = function.blocks[at].insts[place];
    let inst = function.insts[id.index()].clone();
    let Op::Atomic(op, access) = inst.op else { return };
    let behind = function.blocks[at].insts.split_off(place + 1);
    function.blocks[at].insts.pop();
    let (address, values) = inst.args.split_at(access.address_operands());
    let operand = values.first().copied().unwrap_or_default();
    let origin = inst.origin;
    let push = |function: &mut Function, block: usize, op: Op, args: &[Value], ty: Type| {
        let id = function.push_inst(op, args, &[ty], origin);
        function.blocks[block].insts.push(id);
        function.result(id, 0)
    };
    let first = push(function, at, Op::Load(access), address, Type::B32);
    let turn = function.push_block();
    let next = function.push_block();
    let old = function.push_param(turn, Type::B32, None);
    let turn_at = turn.index();
    let left =
        left(function, op, old, operand, &mut |function, op, args, ty| push(function, turn_at, op, args, ty));
    let mut args = address.to_vec();
    args.extend([old, left]);
    let exchange = Op::Atomic(AtomicOp::CompareExchange, access);
    let seen = push(function, turn_at, exchange, &args, Type::B32);
    let again = push(function, turn_at, Op::ICompare(CompareInt::Ne), &[seen, old], Type::Bool);
    let mut rest = Block { insts: behind, ..Block::default() };
    rest.leave_as(&mut function.blocks[at]);
    function.blocks[at].terminator = Terminator::Jump(Target { block: turn, args: vec![first] });
    function.blocks[turn_at].terminator = Terminator::Branch {
        condition: again,
        then: Target { block: turn, args: vec![seen] },
        otherwise: Target::plain(next),
    };
    function.blocks[next.index()] = rest;
    replace(function, id, seen);
}

/// Adds an instruction with one result.
type Push<'f> = dyn FnMut(&mut Function, Op, &[Value], Type) -> Value + 'f;

/// What is to be left, of what was there and the operand.
fn left(function: &mut Function, op: AtomicOp, old: Value, operand: Value, push: &mut Push<'_>) -> Value {
    let compare = |by| Op::ICompare(by);
    match op {
        AtomicOp::FAdd => {
            let mode = FloatMode { flush: true, ..FloatMode::F32 };
            push(function, Op::FAdd(mode), &[old, operand], Type::B32)
        }
        AtomicOp::SMin => push(function, Op::SMin, &[old, operand], Type::B32),
        AtomicOp::SMax => push(function, Op::SMax, &[old, operand], Type::B32),
        AtomicOp::Increment => {
            let full = push(function, compare(CompareInt::Ule), &[operand, old], Type::Bool);
            let (zero, one) =
                (push(function, Op::B32(0), &[], Type::B32), push(function, Op::B32(1), &[], Type::B32));
            let more = push(function, Op::IAdd, &[old, one], Type::B32);
            push(function, Op::Select, &[full, zero, more], Type::B32)
        }
        _ => {
            let (zero, one) =
                (push(function, Op::B32(0), &[], Type::B32), push(function, Op::B32(1), &[], Type::B32));
            let empty = push(function, compare(CompareInt::Eq), &[old, zero], Type::Bool);
            let above = push(function, compare(CompareInt::Ult), &[operand, old], Type::Bool);
            let wraps = push(function, Op::Or, &[empty, above], Type::Bool);
            let less = push(function, Op::ISub, &[old, one], Type::B32);
            push(function, Op::Select, &[wraps, operand, less], Type::B32)
        }
    }
}

/// Everyone who read the old result reads the new one.
fn replace(function: &mut Function, id: InstId, by: Value) {
    let Some(old) = function.values.iter().position(|data| data.def == ValueDef::Result(id, 0)) else {
        return;
    };
    function.replace_uses(Value(old as u32), by);
}
