//! Sums of products that came from one vector operation become dot products, in whatever order the terms
//! were added and with or without a zero to start from.
//!
//! `a.x * b.x + a.y * b.y + a.z * b.z + b.w` from one instruction is a dot product with `vec4(a.xyz, 1)`.
//!
//! The Wii U's compiler multiplies a lane first and gives the product to the instruction with a 1 beside it, where the
//! two factors cannot be read together: `dot(vec3(a.xy, a.z * b.z), vec3(b.xy, 1))` is `dot(a, b)`.

use super::Changes;
use super::edit::{constant, listed, use_counts};
use crate::{FloatMode, Function, Inst, InstId, Module, Op, Origin, Type, Value};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// What must hold.
const ASSUMPTION: &str = "the terms of a dot product may be added in any order";

/// Most terms of a dot product.
const TERMS: usize = 4;

pub(super) fn run(module: &mut Module) -> Changes {
    let registers = registers(module);
    let count = module.functions.iter_mut().map(|function| find_all(function, &registers)).sum();
    Changes { count, ..Changes::default() }.assume(ASSUMPTION)
}

/// Number of the register that each variable was a component of.
fn registers(module: &Module) -> Vec<u32> {
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    let variables = module.variables.iter();
    variables
        .map(|variable| {
            let next = numbers.len() as u32;
            *numbers.entry(&variable.register).or_insert(next)
        })
        .collect()
}

fn find_all(function: &mut Function, registers: &[u32]) -> usize {
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
            let Some(lanes) = sum.dot(function, registers) else { continue };
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
    fn dot(&self, function: &Function, registers: &[u32]) -> Option<Lanes> {
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
            let mut lanes: SmallVec<[(Value, Value); 4]> =
                products.iter().map(|(a, b, _)| (*a, *b)).collect();
            split_products(function, registers, &mut lanes);
            return Some(lanes.into_iter().map(|(a, b)| (Some(a), b)).collect());
        }
        // Three products and a value of the same instruction.
        let plain = self.terms.last().filter(|term| product(term).is_none())?;
        if !(one_instruction && products.len() == 3 && self.terms.len() == 4) {
            return None;
        }
        Some(products.iter().map(|(a, b, _)| (Some(*a), *b)).chain([(None, *plain)]).collect())
    }
}

/// Takes apart lanes that are a product and a 1, and puts the lanes in the order of their components.
fn split_products(function: &Function, registers: &[u32], lanes: &mut SmallVec<[(Value, Value); 4]>) {
    let factors = |lane: (Value, Value)| {
        let is_one = |value: Value| constant(function, value) == Some(1.0f32.to_bits().into());
        let product = match lane {
            (product, one) if is_one(one) => product,
            (one, product) if is_one(one) => product,
            _ => return None,
        };
        match function.definition(product) {
            Some(Inst { op: Op::FMul(FloatMode::F32, _), args, .. }) => Some((args[0], args[1])),
            _ => None,
        }
    };
    let whole: SmallVec<[_; 4]> = lanes.iter().copied().filter(|lane| factors(*lane).is_none()).collect();
    if whole.len() == lanes.len() || whole.is_empty() {
        return;
    }
    for lane in lanes.iter_mut() {
        let Some((a, b)) = factors(*lane) else { continue };
        let fits = |a: Value, b: Value| {
            whole
                .iter()
                .filter(|(one, other)| {
                    beside(function, registers, a, *one) && beside(function, registers, b, *other)
                })
                .count()
        };
        *lane = if fits(b, a) > fits(a, b) { (b, a) } else { (a, b) };
    }
    let firsts: SmallVec<[Value; 4]> = lanes.iter().map(|(a, _)| *a).collect();
    let seconds: SmallVec<[Value; 4]> = lanes.iter().map(|(_, b)| *b).collect();
    for side in [firsts, seconds] {
        // Lanes that are nothing but numbers come last.
        let vector = || side.iter().copied().filter(|value| constant(function, *value).is_none());
        let Some(one) = vector().next() else { continue };
        let is_one = vector().all(|value| beside(function, registers, value, one));
        let place = |value: Value| match constant(function, value) {
            Some(_) => Some(u32::MAX),
            None => component(function, value),
        };
        let order: Option<SmallVec<[u32; 4]>> = side.iter().map(|value| place(*value)).collect();
        if let (true, Some(order)) = (is_one, order) {
            let mut sorted: SmallVec<[_; 4]> = order.into_iter().zip(lanes.iter().copied()).collect();
            sorted.sort_by_key(|(component, _)| *component);
            lanes.iter_mut().zip(sorted).for_each(|(place, (_, lane))| *place = lane);
            return;
        }
    }
}

/// Whether two values are components of one vector, as far as they show it: loaded side by side, results of one
/// instruction, or of one register.
fn beside(function: &Function, registers: &[u32], one: Value, other: Value) -> bool {
    let (Some((a, first)), Some((b, second))) = (listed(function, one), listed(function, other)) else {
        return same_register(function, registers, one, other);
    };
    match (first.op, second.op) {
        (Op::Load(at), Op::Load(to)) => {
            (at.space, at.binding, at.stride, at.offset / 4)
                == (to.space, to.binding, to.stride, to.offset / 4)
                && first.args == second.args
        }
        _ if a == b => true,
        _ => same_register(function, registers, one, other),
    }
}

fn same_register(function: &Function, registers: &[u32], one: Value, other: Value) -> bool {
    let of = |value: Value| registers.get(function.values.get(value.index())?.variable?.index()).copied();
    of(one).is_some_and(|register| of(other) == Some(register))
}

/// The component that a value is of its vector, where it shows.
fn component(function: &Function, value: Value) -> Option<u32> {
    match listed(function, value) {
        Some((_, Inst { op: Op::Load(access), .. })) => Some(access.offset % 4),
        Some((_, inst)) if inst.results.len() > 1 => {
            inst.results.iter().position(|result| *result == value).map(|at| at as u32)
        }
        _ => None,
    }
}
