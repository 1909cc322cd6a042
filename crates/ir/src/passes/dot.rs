//! Sums of products that came from one vector operation become dot products, in whatever order the terms
//! were added and with or without a zero to start from.
//!
//! `a.x * b.x + a.y * b.y + a.z * b.z + b.w` from one instruction is a dot product with `vec4(a.xyz, 1)`.

use super::Changes;
use super::edit::{constant, listed, use_counts};
use crate::{FloatMode, Function, Inst, InstId, Module, Op, Origin, Type, Value};
use smallvec::SmallVec;

/// What must hold.
const ASSUMPTION: &str = "the terms of a dot product may be added in any order";

/// Most terms of a dot product.
const TERMS: usize = 4;

pub(super) fn run(module: &mut Module) -> Changes {
    let count = module.functions.iter_mut().map(find_all).sum();
    Changes { count, ..Changes::default() }.assume(ASSUMPTION)
}

fn find_all(function: &mut Function) -> usize {
    let mut count = 0;
    let uses = use_counts(function);
    // Sums that became part of a dot product already.
    let mut taken = vec![false; function.insts.len()];
    for block in 0..function.blocks.len() {
        // The constant 1.0, made when the first dot product of the block needs it.
        let mut one = None;
        for position in (0..function.blocks[block].insts.len()).rev() {
            let id = function.blocks[block].insts[position];
            if taken[id.index()] || function.insts[id.index()].op != Op::FAdd(FloatMode::F32) {
                continue;
            }
            let Some(sum) = Sum::collect(function, id, &uses) else { continue };
            let Some(lanes) = sum.dot(function) else { continue };
            for inner in &sum.adds {
                taken[inner.index()] = true;
            }
            let firsts = lanes.iter().map(|(a, _)| {
                a.unwrap_or_else(|| {
                    let one = *one.get_or_insert_with(|| new_one(function));
                    function.result(one, 0)
                })
            });
            let mut args: SmallVec<[Value; 3]> = firsts.collect();
            args.extend(lanes.iter().map(|(_, b)| *b));
            let inst = &mut function.insts[id.index()];
            inst.op = Op::Dot(lanes.len() as u8);
            inst.args = args;
            taken.resize(function.insts.len(), false);
            count += 1;
        }
        function.blocks[block].insts.splice(0..0, one);
    }
    count
}

fn new_one(function: &mut Function) -> InstId {
    let nowhere = Origin { instruction: u32::MAX, step: 0, lane: 0 };
    function.push_inst(Op::B32(1.0f32.to_bits()), &[], &[Type::B32], nowhere)
}

/// Factors of each lane; no first factor stands for 1.
type Lanes = SmallVec<[(Option<Value>, Value); 4]>;

/// A tree of additions with its leaves.
struct Sum {
    adds: SmallVec<[InstId; 4]>,
    /// From left to right; zeros are left out.
    terms: SmallVec<[Value; 4]>,
}

impl Sum {
    /// None if there are more terms than a dot product has.
    fn collect(function: &Function, root: InstId, uses: &[u32]) -> Option<Self> {
        let mut sum = Self { adds: SmallVec::new(), terms: SmallVec::new() };
        let mut work: SmallVec<[(Value, bool); 8]> = SmallVec::new();
        work.push((function.result(root, 0), true));
        while let Some((value, is_root)) = work.pop() {
            match listed(function, value) {
                Some((id, inst))
                    if inst.op == Op::FAdd(FloatMode::F32) && (is_root || uses[value.index()] == 1) =>
                {
                    // A zero to start from is one more addition than there are terms.
                    if sum.adds.len() > TERMS {
                        return None;
                    }
                    sum.adds.push(id);
                    work.push((inst.args[1], false));
                    work.push((inst.args[0], false));
                }
                _ if constant(function, value).is_some_and(|bits| bits << 33 == 0) => {}
                _ if sum.terms.len() == TERMS => return None,
                _ => sum.terms.push(value),
            }
        }
        Some(sum)
    }

    /// The factors of each term, if this is a dot product.
    fn dot(&self, function: &Function) -> Option<Lanes> {
        let product = |value: &Value| match function.definition(*value) {
            Some(Inst { op: Op::FMul(FloatMode::F32, _), args, origin, .. }) => {
                Some((args[0], args[1], *origin))
            }
            _ => None,
        };
        let products: SmallVec<[_; 4]> = self.terms.iter().filter_map(product).collect();
        if products.len() < 2 {
            return None;
        }
        let (_, _, first) = products[0];
        let instruction = first.instruction;
        let same_products = products.iter().enumerate().all(|(n, (_, _, origin))| {
            let lanes_differ = products[..n].iter().all(|(_, _, other)| other.lane != origin.lane);
            (origin.instruction, origin.step) == (instruction, first.step) && lanes_differ
        });
        let one_instruction =
            self.adds.iter().all(|add| function.insts[add.index()].origin.instruction == instruction);
        if !same_products || instruction == u32::MAX {
            return None;
        }
        if products.len() == self.terms.len() {
            return Some(products.iter().map(|(a, b, _)| (Some(*a), *b)).collect());
        }
        // Three products and a value of the same instruction.
        let plain = self.terms.last().filter(|term| product(term).is_none())?;
        if !(one_instruction && products.len() == 3 && self.terms.len() == 4) {
            return None;
        }
        Some(products.iter().map(|(a, b, _)| (Some(*a), *b)).chain([(None, *plain)]).collect())
    }
}
