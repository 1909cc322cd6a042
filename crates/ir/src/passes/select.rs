//! Conditions that only choose between values become selects: `if (c) x = a; else x = b;` is
//! `x = c ? a : b` where both sides cost little: about one operation for each value. A side that computes against
//! one that does nothing stays a condition: `if (c) x += y;`.

use super::edit::{Forward, constant};
use crate::cfg::Cfg;
use crate::{BlockId, Effect, Function, InstId, Module, Op, Origin, Target, Terminator, Type, Value};

/// What counts as much as several operations.
const HEAVY: usize = 4;
/// Operations that the second of two conditions may take.
const QUESTION: usize = 12;
/// Selects that one condition may become.
const SELECTS: usize = 4;

/// Converts in all functions; answers how many conditions went.
pub(super) fn run(module: &mut Module) -> usize {
    module.functions.iter_mut().map(|function| convert(function, find)).sum()
}

/// Converts conditions both of whose ways lead to the same block at once: there is nothing on them, each hands on its values.
/// Passes of a loop that was written out are one block then.
pub(super) fn bare(module: &mut Module) -> usize {
    let bare = |function: &Function, block: BlockId, ways: &[usize]| {
        find(function, block, ways).filter(|shape| shape.emptied.is_empty())
    };
    module.functions.iter_mut().map(|function| convert(function, bare)).sum()
}

fn convert(function: &mut Function, find: impl Fn(&Function, BlockId, &[usize]) -> Option<Shape>) -> usize {
    let cfg = Cfg::new(function);
    let mut ways: Vec<usize> =
        (0..function.blocks.len()).map(|index| cfg.predecessors(BlockId(index as u32)).len()).collect();
    let mut converted = 0;
    // Inner conditions first.
    for block in cfg.order.iter().rev() {
        while let Some(shape) = find(function, *block, &ways) {
            apply(function, *block, shape, &mut ways);
            converted += 1;
        }
    }
    converted
}

/// Makes all conditions of some blocks selects, whatever they cost, so that the first block has all that they compute. The blocks
/// are in order, the inner ones behind those that lead to them; answers whether all conditions became selects.
pub(super) fn flatten(function: &mut Function, blocks: &[BlockId]) -> bool {
    let cfg = Cfg::new(function);
    let mut ways: Vec<usize> =
        (0..function.blocks.len()).map(|index| cfg.predecessors(BlockId(index as u32)).len()).collect();
    let Some(first) = blocks.first() else { return false };
    for block in blocks.iter().rev() {
        while let Some(shape) = meeting(function, *block, &ways) {
            let join = shape.join;
            apply(function, *block, shape, &mut ways);
            if !settle(function, *block, &ways) {
                break;
            }
            // What follows the last of the blocks stays what it is.
            if !blocks.contains(&join) {
                break;
            }
            absorb(function, *block, join, &mut ways);
        }
    }
    matches!(function.blocks[first.index()].terminator, Terminator::Jump(_))
}

/// Puts what a block hands on in the place of parameters, where the next block has no other way in; answers whether it has none.
fn settle(function: &mut Function, block: BlockId, ways: &[usize]) -> bool {
    let Terminator::Jump(target) = &mut function.blocks[block.index()].terminator else { return false };
    let next = target.block;
    if ways[next.index()] != 1 || next == BlockId(0) {
        return false;
    }
    let args = std::mem::take(&mut target.args);
    let params = std::mem::take(&mut function.blocks[next.index()].params);
    let mut forward = Forward::new(function);
    params.iter().zip(args).for_each(|(param, arg)| forward.set(*param, arg));
    forward.apply(function);
    true
}

/// A condition whose two sides meet again at once.
struct Shape {
    condition: Value,
    /// What stands on the sides, to be moved.
    moved: Vec<InstId>,
    join: BlockId,
    then: Vec<Value>,
    otherwise: Vec<Value>,
    /// Edges to the join: from the two sides.
    emptied: Vec<BlockId>,
}

/// A condition that may become a select at no great cost.
fn find(function: &Function, block: BlockId, ways: &[usize]) -> Option<Shape> {
    meeting(function, block, ways).filter(|shape| is_light(function, shape))
}

/// A condition whose sides compute something, nothing else, and meet again.
fn meeting(function: &Function, block: BlockId, ways: &[usize]) -> Option<Shape> {
    let Terminator::Branch { condition, then, otherwise } = &function.blocks[block.index()].terminator else {
        return None;
    };
    // A side is a light block with no other way in, or the edge itself.
    let side = |target: &Target| {
        let arm = &function.blocks[target.block.index()];
        match &arm.terminator {
            Terminator::Jump(next)
                if target.block != block
                    && ways[target.block.index()] == 1
                    && arm.params.is_empty()
                    && next.block != target.block =>
            {
                Some((target.block, next))
            }
            _ => None,
        }
    };
    let mut shape = Shape {
        condition: *condition,
        moved: Vec::new(),
        join: then.block,
        then: then.args.clone(),
        otherwise: otherwise.args.clone(),
        emptied: Vec::new(),
    };
    match (side(then), side(otherwise)) {
        (Some((a, first)), Some((b, second))) if first.block == second.block && a != b => {
            shape.join = first.block;
            shape.then = first.args.clone();
            shape.otherwise = second.args.clone();
            shape.emptied = vec![a, b];
        }
        (Some((a, first)), _) if first.block == otherwise.block => {
            shape.join = first.block;
            shape.then = first.args.clone();
            shape.emptied = vec![a];
        }
        (_, Some((b, second))) if second.block == then.block => {
            shape.otherwise = second.args.clone();
            shape.emptied = vec![b];
        }
        _ if then.block == otherwise.block => {}
        _ => return None,
    }
    // The way back of a loop is no place where sides meet.
    if shape.join == block {
        return None;
    }
    for arm in &shape.emptied {
        for id in &function.blocks[arm.index()].insts {
            if function.insts[id.index()].op.effect() != Effect::Pure {
                return None;
            }
            shape.moved.push(*id);
        }
    }
    Some(shape)
}

/// Whether the sides of a condition cost little.
fn is_light(function: &Function, shape: &Shape) -> bool {
    let different = shape.then.iter().zip(&shape.otherwise).filter(|(a, b)| a != b).count();
    let cost: usize = shape.moved.iter().map(|id| weight(&function.insts[id.index()].op)).sum();
    // `a && b` asks for `b` where `a` holds.
    let asks = |(a, b): (&Value, &Value)| {
        let decided = matches!(
            (constant(function, *a), constant(function, *b)),
            (None, Some(0)) | (Some(1), None) | (Some(_), Some(_))
        );
        function.ty(*a) == Type::Bool && decided
    };
    let truths =
        shape.then.iter().zip(&shape.otherwise).filter(|(a, b)| a != b).filter(|sides| asks(*sides)).count();
    let allowed = if different > 0 && truths == different {
        QUESTION * different
    } else if shape.emptied.len() == 2 {
        2 * different
    } else {
        0
    };
    different <= SELECTS && cost <= allowed || different == 0
}

fn weight(op: &Op) -> usize {
    match op {
        Op::Bool(_) | Op::B16(_) | Op::B32(_) | Op::B64(_) => 0,
        Op::Load(access) if !access.is_indexed() => 0,
        Op::FNeg(_) | Op::FAbs(_) | Op::Not => 0,
        Op::FRcp(_)
        | Op::FRsq(_)
        | Op::FSqrt(_)
        | Op::FDiv(_)
        | Op::FExp2(_)
        | Op::FLog2(_)
        | Op::FSin(_)
        | Op::FCos(_)
        | Op::FAtan(_)
        | Op::FAtan2(_)
        | Op::Dot(_)
        | Op::Pow
        | Op::Normalize(_)
        | Op::Cross
        | Op::Refract(_)
        | Op::InverseTimes(_)
        | Op::TimesInverse(_)
        | Op::Compound(_)
        | Op::Exponent
        | Op::Length(_) => HEAVY,
        _ => 1,
    }
}

fn apply(function: &mut Function, block: BlockId, shape: Shape, ways: &mut [usize]) {
    let mut args = Vec::with_capacity(shape.then.len());
    // Lanes of one vector find each other by the origin: that of the first value that has one.
    let origins = shape.then.iter().chain(&shape.otherwise).filter_map(|value| function.definition(*value));
    let instruction = origins.map(|inst| inst.origin.instruction).find(|at| *at != u32::MAX);
    let mut insts = shape.moved;
    for (n, (a, b)) in shape.then.iter().zip(&shape.otherwise).enumerate() {
        if a == b {
            args.push(*a);
            continue;
        }
        let param = function.blocks[shape.join.index()].params[n];
        let variable = function.values[param.index()].variable;
        let origin = |value: Value| function.definition(value).map(|inst| inst.origin.lane);
        let lane = origin(*a).or(origin(*b)).unwrap_or(0);
        let origin = Origin { instruction: instruction.unwrap_or(u32::MAX), step: u8::MAX, lane };
        let ty = function.ty(*a);
        let id = function.push_inst(Op::Select, &[shape.condition, *a, *b], &[ty], origin);
        let result = function.result(id, 0);
        function.values[result.index()].variable = variable;
        insts.push(id);
        args.push(result);
    }
    // Of the ways into the join one is left.
    ways[shape.join.index()] -= 1;
    for arm in shape.emptied {
        let arm = &mut function.blocks[arm.index()];
        arm.insts.clear();
        arm.terminator = Terminator::Unreachable;
    }
    let body = &mut function.blocks[block.index()];
    body.insts.extend(insts);
    body.terminator = Terminator::Jump(Target { block: shape.join, args });
    absorb(function, block, shape.join, ways);
}

/// Lets a block go on with the join when nothing else leads there, so that the condition around it sees a
/// light block. Its parameters must have gone already.
fn absorb(function: &mut Function, block: BlockId, join: BlockId, ways: &mut [usize]) {
    let body = &function.blocks[join.index()];
    if ways[join.index()] != 1 || !body.params.is_empty() || join == BlockId(0) {
        return;
    }
    let mut body = std::mem::take(&mut function.blocks[join.index()]);
    ways[join.index()] = 0;
    let front = &mut function.blocks[block.index()];
    front.insts.append(&mut body.insts);
    front.leave_as(&mut body);
}
