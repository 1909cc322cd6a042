//! Sums of squares under a root are the dot product of a vector with itself, whatever its components are: from there
//! it is a length, or what makes a vector as long as 1.

use super::Changes;
use super::edit::{constant, use_counts};
use super::terms::{self, Sum, Words, find_vectors};
use crate::{FloatMode, Function, InstId, Module, Multiply, Op, Origin, Type, Value};
use smallvec::SmallVec;

const MODE: FloatMode = FloatMode::F32;
const MUL: Op = Op::FMul(MODE, Multiply::Ieee);

/// What must hold.
const ASSUMPTION: &str = "the terms of a dot product may be added in any order";

/// Most components of a vector.
const LANES: usize = 4;

pub(super) fn run(module: &mut Module) -> Changes {
    let Module { functions, globals, .. } = module;
    let words = Words::new(globals);
    let count = functions.iter_mut().map(|function| find_all(function, &words)).sum();
    Changes { count, ..Changes::default() }.assume(ASSUMPTION)
}

fn find_all(function: &mut Function, words: &Words<'_>) -> usize {
    let roots: Vec<InstId> = function
        .blocks
        .iter()
        .flat_map(|block| &block.insts)
        .copied()
        .filter(|id| matches!(function.insts[id.index()].op, Op::FSqrt(MODE) | Op::FRsq(MODE)))
        .collect();
    if roots.is_empty() {
        return 0;
    }
    let uses = use_counts(function);
    let mut vectors = None;
    let mut new: Vec<(InstId, InstId)> = Vec::new();
    let mut count = 0;
    for root in roots {
        let Some(under) = function.insts[root.index()].args.first().copied() else { continue };
        let Some((id, inst)) = super::edit::listed(function, under) else { continue };
        let found = match (inst.op, &inst.args[..]) {
            (Op::FAdd(MODE), _) => {
                terms::collect(function, id, &uses).and_then(|sum| squares(function, &sum))
            }
            (Op::Dot(width), args) => {
                let (a, b) = args.split_at(width.into());
                // One of a vector with itself has nothing to be found.
                if a == b { None } else { multiplied(function, a, b).map(|lanes| (lanes, None)) }
            }
            _ => None,
        };
        let Some((mut lanes, number)) = found else { continue };
        if let Some(square) = number {
            let Some(length) = component(function, root, square) else { continue };
            let nowhere = Origin { instruction: u32::MAX, step: 0, lane: 0 };
            let made = function.push_inst(Op::B32(length.to_bits()), &[], &[Type::B32], nowhere);
            new.push((id, made));
            lanes.push(function.result(made, 0));
        } else {
            let vectors = vectors.get_or_insert_with(|| find_vectors(function, words));
            let lane = |value: &Value| {
                vectors.get(value.index()).and_then(|list| list.first()).map(|(key, lane)| (*key, *lane))
            };
            // In the order of the vector that they are components of, else in that in which they were made.
            let known: SmallVec<[_; 4]> = lanes.iter().filter_map(lane).collect();
            let one_vector = known.len() == lanes.len() && known.iter().all(|(key, _)| *key == known[0].0);
            lanes.sort_by_key(|value| (lane(value).filter(|_| one_vector).map(|(_, lane)| lane), *value));
        }
        let args = [&lanes[..], &lanes[..]].concat();
        let inst = &mut function.insts[id.index()];
        (inst.op, inst.args) = (Op::Dot(lanes.len() as u8), SmallVec::from_vec(args));
        count += 1;
    }
    insert(function, &new);
    count
}

/// What is squared and added, with a positive number beside it.
fn squares(function: &Function, sum: &Sum) -> Option<(SmallVec<[Value; 4]>, Option<f32>)> {
    let mut lanes: SmallVec<[Value; 4]> = SmallVec::new();
    let mut number = None;
    for term in &sum.terms {
        if let Some(bits) = constant(function, *term) {
            let square = f32::from_bits(bits as u32);
            if number.is_some() || square <= 0.0 || !square.is_finite() {
                return None;
            }
            number = Some(square);
            continue;
        }
        let inst = function.definition(*term)?;
        match (inst.op, &inst.args[..]) {
            (MUL, &[a, b]) if a == b => lanes.push(a),
            (Op::Dot(width), args) => {
                let (a, b) = args.split_at(width.into());
                if a != b {
                    return None;
                }
                lanes.extend_from_slice(a);
            }
            _ => return None,
        }
    }
    let all = lanes.len() + usize::from(number.is_some());
    ((2..=LANES).contains(&all) && !lanes.is_empty()).then_some((lanes, number))
}

/// The lanes of a dot product of a vector with itself of which some were multiplied before:
/// `dot(vec3(n.xy, n.z * n.z), vec3(n.xy, 1.0))`.
fn multiplied(function: &Function, a: &[Value], b: &[Value]) -> Option<SmallVec<[Value; 4]>> {
    let one = u64::from(1.0_f32.to_bits());
    let lane = |(&a, &b): (&Value, &Value)| {
        if a == b {
            return Some(a);
        }
        let product = match (constant(function, a), constant(function, b)) {
            (_, Some(bits)) if bits == one => a,
            (Some(bits), _) if bits == one => b,
            _ => return None,
        };
        let inst = function.definition(product)?;
        match (inst.op, &inst.args[..]) {
            (MUL, &[a, b]) if a == b => Some(a),
            _ => None,
        }
    };
    a.iter().zip(b).map(lane).collect()
}

/// The number whose square was folded: that by which the reciprocal root is multiplied.
fn component(function: &Function, root: InstId, square: f32) -> Option<f32> {
    let scale = function.insts[root.index()].results.first().copied()?;
    function.blocks.iter().flat_map(|block| &block.insts).find_map(|id| {
        let inst = &function.insts[id.index()];
        let (MUL, &[a, b]) = (inst.op, &inst.args[..]) else { return None };
        let factor = if a == scale { b } else { (b == scale).then_some(a)? };
        let length = f32::from_bits(constant(function, factor)? as u32);
        ((length * length - square).abs() <= 4.0 * f32::EPSILON * square).then_some(length)
    })
}

/// Puts instructions in front of others.
fn insert(function: &mut Function, new: &[(InstId, InstId)]) {
    if new.is_empty() {
        return;
    }
    let mut sorted = new.to_vec();
    sorted.sort_unstable();
    for block in &mut function.blocks {
        let mut list = Vec::with_capacity(block.insts.len() + 1);
        for id in &block.insts {
            if let Ok(at) = sorted.binary_search_by_key(id, |(at, _)| *at) {
                list.push(sorted[at].1);
            }
            list.push(*id);
        }
        block.insts = list;
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_near, program};
    use super::*;
    use crate::build::FunctionBuilder;

    fn sum(builder: &mut FunctionBuilder, terms: &[Value]) -> Value {
        let mut total = terms[0];
        for term in &terms[1..] {
            total = builder.value(Op::FAdd(MODE), &[*term, total]);
        }
        total
    }

    #[test]
    fn lanes_that_were_multiplied_before_are_squares() {
        let before = |by: f32| {
            program(|builder, x| {
                let square = builder.value(MUL, &[x[2], x[2]]);
                let one = builder.float(by);
                let sum = builder.value(Op::Dot(3), &[x[0], one, x[1], x[0], square, x[1]]);
                let scale = builder.value(Op::FRsq(MODE), &[sum]);
                [x[0], x[1], x[2]].map(|lane| builder.value(MUL, &[lane, scale])).to_vec()
            })
        };
        let after = |by: f32| {
            let mut after = before(by);
            super::super::run(&mut after, &[super::super::SQUARES, super::super::VECTORS], None);
            after
        };
        let found = after(1.0);
        assert!(found.to_string().contains("normalize3"), "{found}");
        assert_near(&before(1.0), &found, 3);
        // Twice a square is none.
        assert!(!after(2.0).to_string().contains("normalize3"));
    }

    #[test]
    fn roots_of_squares_are_lengths() {
        let before = program(|builder, x| {
            let squares = [1, 0, 2].map(|n| builder.value(MUL, &[x[n], x[n]]));
            let total = sum(builder, &squares);
            vec![builder.value(Op::FSqrt(MODE), &[total])]
        });
        let mut after = before.clone();
        super::super::run(&mut after, &[super::super::SQUARES, super::super::VECTORS], None);
        let text = after.to_string();
        assert!(text.contains("length3"), "{text}");
        assert_near(&before, &after, 3);
    }

    #[test]
    fn a_number_is_a_component() {
        let before = program(|builder, x| {
            let mut squares = [1, 0].map(|n| builder.value(MUL, &[x[n], x[n]])).to_vec();
            squares.push(builder.float(1.3 * 1.3));
            let total = sum(builder, &squares);
            let scale = builder.value(Op::FRsq(MODE), &[total]);
            let length = builder.float(1.3);
            [x[1], x[0], length].map(|lane| builder.value(MUL, &[lane, scale])).to_vec()
        });
        let mut after = before.clone();
        super::super::run(
            &mut after,
            &[super::super::SQUARES, super::super::VALUES, super::super::VECTORS],
            None,
        );
        let text = after.to_string();
        assert!(text.contains("normalize3"), "{text}");
        assert_near(&before, &after, 3);
    }
}
