//! Lengths of vectors: `sqrt(dot(v, v))` is `length(v)`; `v * rsq(dot(v, v))`, lane by lane, is
//! `normalize(v)`; `v * (rsq(dot(v, v)) * 0.5)` is `normalize(v) * 0.5`.

use super::Changes;
use super::edit::{Forward, constant, listed};
use crate::{FloatMode, Function, Inst, InstId, Module, Multiply, Op, Type, Value};
use smallvec::smallvec;

const MODE: FloatMode = FloatMode::F32;

/// What must hold.
const ASSUMPTION: &str = "vectors that are normalized are not zero";

pub(super) fn run(module: &mut Module) -> Changes {
    let mut changes = Changes::default();
    let mut normalized = 0;
    for function in &mut module.functions {
        changes.count += lengths(function);
        normalized += normalize(function);
    }
    changes.count += normalized;
    if normalized > 0 { changes.assume(ASSUMPTION) } else { changes }
}

/// The vector of `dot(v, v)`.
fn squared<'a>(function: &'a Function, inst: &'a Inst) -> Option<&'a [Value]> {
    let Op::Dot(lanes) = inst.op else { return None };
    let (a, b) = inst.args.split_at(lanes.into());
    (a == b && a.iter().any(|lane| constant(function, *lane).is_none())).then_some(a)
}

fn lengths(function: &mut Function) -> usize {
    let mut count = 0;
    for index in 0..function.blocks.len() {
        for position in 0..function.blocks[index].insts.len() {
            let id = function.blocks[index].insts[position];
            let inst = &function.insts[id.index()];
            if inst.op != Op::FSqrt(MODE) {
                continue;
            }
            let vector = function.definition(inst.args[0]).and_then(|dot| squared(function, dot));
            if let Some(lanes) = vector {
                let (op, args) = (Op::Length(lanes.len() as u8), lanes.into());
                function.insts[id.index()].op = op;
                function.insts[id.index()].args = args;
                count += 1;
            }
        }
    }
    count
}

/// A product of a lane and the reciprocal length, which may have been multiplied with a number before.
struct Scaled {
    root: InstId,
    lane: usize,
    product: Value,
    times: Option<Value>,
}

fn normalize(function: &mut Function) -> usize {
    let mut scaled = find_scaled(function);
    // Stable: products of one root stay in order.
    scaled.sort_by_key(|found| found.root);
    let mut forward = Forward::new(function);
    let mut count = 0;
    let mut new: Vec<(InstId, InstId)> = Vec::new();
    for group in scaled.chunk_by(|a, b| a.root == b.root) {
        let root = group[0].root;
        let dot = function.insts[root.index()].args[0];
        let vector: Vec<Value> =
            function.definition(dot).and_then(|dot| squared(function, dot)).unwrap_or(&[]).to_vec();
        let scaled_lanes = (0..vector.len()).filter(|n| group.iter().any(|found| found.lane == *n)).count();
        if scaled_lanes < 2 {
            continue;
        }
        let origin = function.insts[group[0].product_inst(function).index()].origin;
        let types = vec![Type::B32; vector.len()];
        let id = function.push_inst(Op::Normalize(vector.len() as u8), &vector, &types, origin);
        for found in group {
            let lane = function.result(id, found.lane);
            if let Some(times) = found.times {
                // The number goes to the vector of length 1.
                let product = found.product_inst(function);
                function.insts[product.index()].args = smallvec![lane, times];
                continue;
            }
            let variable = function.values[found.product.index()].variable;
            if let Some(variable) = variable {
                function.values[lane.index()].variable.get_or_insert(variable);
            }
            forward.set(found.product, lane);
        }
        new.push((root, id));
        count += 1;
    }
    if count > 0 {
        // Behind the root, where the whole vector is known and all products come later.
        for block in &mut function.blocks {
            if !block.insts.iter().any(|id| new.binary_search_by_key(id, |(root, _)| *root).is_ok()) {
                continue;
            }
            let mut list = Vec::with_capacity(block.insts.len() + new.len());
            for id in &block.insts {
                list.push(*id);
                if let Ok(at) = new.binary_search_by_key(id, |(root, _)| *root) {
                    list.push(new[at].1);
                }
            }
            block.insts = list;
        }
        forward.apply(function);
    }
    count
}

impl Scaled {
    fn product_inst(&self, function: &Function) -> InstId {
        match function.values[self.product.index()].def {
            crate::ValueDef::Result(id, _) => id,
            crate::ValueDef::Param(..) => self.root,
        }
    }
}

fn find_scaled(function: &Function) -> Vec<Scaled> {
    let mut found = Vec::new();
    for id in function.blocks.iter().flat_map(|block| &block.insts) {
        let inst = &function.insts[id.index()];
        if inst.op != Op::FMul(MODE, Multiply::Ieee) {
            continue;
        }
        for (factor, lane) in [(inst.args[0], inst.args[1]), (inst.args[1], inst.args[0])] {
            let Some((root, times)) = reciprocal(function, factor) else { continue };
            let maker = &function.insts[root.index()];
            let vector = function.definition(maker.args[0]).and_then(|dot| squared(function, dot));
            if let Some(n) = vector.and_then(|vector| vector.iter().position(|value| *value == lane)) {
                found.push(Scaled { root, lane: n, product: inst.results[0], times });
                break;
            }
        }
    }
    found
}

/// The reciprocal root that a value is, or is a multiple of by a number.
fn reciprocal(function: &Function, value: Value) -> Option<(InstId, Option<Value>)> {
    let (id, inst) = listed(function, value)?;
    match (inst.op, &inst.args[..]) {
        (Op::FRsq(MODE), _) => Some((id, None)),
        (Op::FMul(MODE, Multiply::Ieee), &[a, b]) => {
            let (root, times) =
                [(a, b), (b, a)].into_iter().find(|(_, b)| constant(function, *b).is_some())?;
            let (id, inst) = listed(function, root)?;
            (inst.op == Op::FRsq(MODE)).then_some((id, Some(times)))
        }
        _ => None,
    }
}
