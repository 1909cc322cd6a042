//! What is known of values without computing them: constants, ranges, whole numbers, and operations that are none.

use super::{Lane, Op, Relation, build::Builder, fold};
use smallvec::SmallVec;

impl Builder {
    /// What an operation on single lanes is without being computed.
    pub(super) fn simpler(&self, op: Op, each: &mut SmallVec<[Lane; 3]>) -> Simpler {
        let known: SmallVec<[Option<f32>; 3]> = each.iter().map(|lane| lane.value()).collect();
        if let Some(values) = known.iter().copied().collect::<Option<SmallVec<[f32; 3]>>>()
            && let Some(value) = fold::lanewise(op, &values)
        {
            return Simpler::Lane(Lane::constant(value));
        }
        let mut negate = false;
        match (op, each.as_mut_slice()) {
            (Op::Add, [a, b]) => {
                if a.is(0.0) {
                    return Simpler::Lane(*b);
                }
                if b.is(0.0) {
                    return Simpler::Lane(*a);
                }
                if *a == b.negated() && a.value().is_none() && !self.may_be_infinite(*a) {
                    return Simpler::Lane(Lane::ZERO);
                }
                // One sum for a + b and for -a - b.
                let negative =
                    |lane: &Lane| lane.is_negated() || lane.value().is_some_and(|value| value < 0.0);
                if negative(a) && negative(b) {
                    (*a, *b) = (a.negated(), b.negated());
                    negate = true;
                }
            }
            (Op::Mul, [a, b]) => {
                for (x, y) in [(*a, *b), (*b, *a)] {
                    if x.is(0.0) {
                        return Simpler::Lane(Lane::ZERO);
                    }
                    if x.is(1.0) {
                        return Simpler::Lane(y);
                    }
                    if x.is(-1.0) {
                        return Simpler::Lane(y.negated());
                    }
                }
                for lane in [a, b] {
                    if lane.is_negated() || lane.value().is_some_and(|value| value < 0.0) {
                        *lane = lane.negated();
                        negate = !negate;
                    }
                }
            }
            (Op::Min | Op::Max, [a, b]) => {
                if a == b {
                    return Simpler::Lane(*a);
                }
                if let Some((one, other)) = self.range(*a).zip(self.range(*b)) {
                    let first_is_less = one.1 <= other.0;
                    let second_is_less = other.1 <= one.0;
                    match op {
                        _ if !first_is_less && !second_is_less => {}
                        Op::Min => return Simpler::Lane(if first_is_less { *a } else { *b }),
                        _ => return Simpler::Lane(if first_is_less { *b } else { *a }),
                    }
                }
            }
            (Op::Floor | Op::Truncate, [a]) if self.is_whole(*a) => return Simpler::Lane(*a),
            (Op::Truncate, [a]) if a.is_negated() => {
                *a = a.negated();
                negate = true;
            }
            (Op::Compare(relation), [a, b]) => {
                if let Some(truth) = self.compared(relation, *a, *b) {
                    return Simpler::Lane(if truth { Lane::ONE } else { Lane::ZERO });
                }
            }
            (Op::Pack, [a]) => return Simpler::Lane(*a),
            _ => {}
        }
        Simpler::Operation { negate }
    }

    fn compared(&self, relation: Relation, a: Lane, b: Lane) -> Option<bool> {
        let assumed = self.assumed.iter().find(|(known, x, y, _)| (*known, *x, *y) == (relation, a, b));
        if let Some((_, _, _, truth)) = assumed {
            return Some(*truth);
        }
        if a == b {
            return Some(matches!(relation, Relation::Eq | Relation::Le | Relation::Ge));
        }
        let (one, other) = (self.range(a)?, self.range(b)?);
        let (less, more) = (one.1 < other.0, one.0 > other.1);
        let (not_more, not_less) = (one.1 <= other.0, one.0 >= other.1);
        match relation {
            Relation::Lt if less => Some(true),
            Relation::Lt if not_less => Some(false),
            Relation::Le if not_more => Some(true),
            Relation::Le if more => Some(false),
            Relation::Gt if more => Some(true),
            Relation::Gt if not_more => Some(false),
            Relation::Ge if not_less => Some(true),
            Relation::Ge if less => Some(false),
            Relation::Eq if less || more => Some(false),
            Relation::Ne if less || more => Some(true),
            _ => None,
        }
    }

    /// Between which numbers a lane lies, where that is known.
    pub fn range(&self, lane: Lane) -> Option<(f32, f32)> {
        self.range_within(lane, 8)
    }

    fn range_within(&self, lane: Lane, depth: u8) -> Option<(f32, f32)> {
        let (node, component, negate) = match lane {
            Lane::Const(bits) => return Some((f32::from_bits(bits), f32::from_bits(bits))),
            Lane::Of { node, component, negate } => (node, usize::from(component), negate),
        };
        let depth = depth.checked_sub(1)?;
        let node = self.program.node(node);
        let argument = |index: usize| {
            let lane = node.arguments.get(index)?.get(component).copied()?;
            self.range_within(lane, depth)
        };
        let (low, high) = match node.op {
            Op::Counter(index) => {
                let of = self.program.loops.get(index as usize)?;
                let super::Passes::Constant(passes) = of.passes else { return None };
                let last = of.start + of.step * f32::from(passes.saturating_sub(1));
                (of.start.min(last), of.start.max(last))
            }
            Op::Compare(_) | Op::Truth(_) => (0.0, 1.0),
            Op::Add => {
                let (a, b) = (argument(0)?, argument(1)?);
                (a.0 + b.0, a.1 + b.1)
            }
            Op::Mul => {
                let (a, b) = (argument(0)?, argument(1)?);
                let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
                (
                    all.into_iter().fold(f32::INFINITY, f32::min),
                    all.into_iter().fold(f32::NEG_INFINITY, f32::max),
                )
            }
            _ => return None,
        };
        let (low, high) = if negate { (-high, -low) } else { (low, high) };
        (low.is_finite() && high.is_finite()).then_some((low, high))
    }

    /// Whether a lane is a whole number for sure.
    pub fn is_whole(&self, lane: Lane) -> bool {
        self.is_whole_within(lane, 8)
    }

    fn is_whole_within(&self, lane: Lane, depth: u8) -> bool {
        let (node, component) = match lane {
            Lane::Const(bits) => return f32::from_bits(bits).fract() == 0.0,
            Lane::Of { node, component, .. } => (node, usize::from(component)),
        };
        let Some(depth) = depth.checked_sub(1) else { return false };
        let node = self.program.node(node);
        match node.op {
            Op::Floor | Op::Truncate | Op::Compare(_) | Op::Counter(_) | Op::Truth(_) => true,
            Op::Add | Op::Mul | Op::Min | Op::Max => node
                .arguments
                .iter()
                .all(|list| list.get(component).is_some_and(|lane| self.is_whole_within(*lane, depth))),
            _ => false,
        }
    }

    /// Whether a lane is 0 or 1 for sure.
    pub fn is_truth(&self, lane: Lane) -> bool {
        lane.is(0.0)
            || lane.is(1.0)
            || (!lane.is_negated()
                && lane
                    .node()
                    .is_some_and(|id| matches!(self.program.node(id).op, Op::Compare(_) | Op::Truth(_))))
    }

    /// Sums that cancel are 0 unless they are of infinities, which only these operations make of finite numbers.
    fn may_be_infinite(&self, lane: Lane) -> bool {
        let op = lane.node().map(|id| self.program.node(id).op);
        matches!(op, Some(Op::Reciprocal | Op::ReciprocalRoot | Op::Exp2 | Op::Log2))
    }
}

/// What becomes of an operation on single lanes.
pub(super) enum Simpler {
    /// This.
    Lane(Lane),
    /// The operation on the changed operands, with its sign changed or not.
    Operation { negate: bool },
}
