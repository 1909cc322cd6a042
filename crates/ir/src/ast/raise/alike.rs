//! Which operand of one lane belongs to which of another, where an operation takes two in any order.

use super::operands::Leaf;
use super::statements::Unit;
use crate::{Multiply, Op, Value};

/// How much a value looks like itself: more than any other does.
const SAME: u32 = 8;
/// How deep operands are compared to find which belongs to which.
const COMPARED: u32 = 2;

impl Unit<'_> {
    /// Turns the first two operands of a value round where they then match those of another better.
    pub(super) fn align(&mut self, first: Value, value: Value) {
        let commutes = self.function.definition(first).is_some_and(|inst| commutes(&inst.op));
        if !commutes || self.pack_of[value.index()].is_some_and(|(pack, _)| self.pack(pack).lanes.len() > 1) {
            return;
        }
        // The search comes here again and again; nothing is different before something else changes.
        if self.aligned.insert((first, value), self.arrangement) == Some(self.arrangement) {
            return;
        }
        let of = |value, position| self.operand_of(value, position);
        let (a, b, c, d) = (of(first, 0), of(first, 1), of(value, 0), of(value, 1));
        let straight = self.likeness(a, c, COMPARED) + self.likeness(b, d, COMPARED);
        // The rest is not looked at where it cannot win any more.
        if straight >= 2 * SAME {
            return;
        }
        let half = self.likeness(a, d, COMPARED);
        if half + SAME > straight && half + self.likeness(b, c, COMPARED) > straight {
            self.turned[value.index()] ^= true;
            self.arrangement += 1;
        }
    }

    /// How much two values look like lanes of one vector.
    fn likeness(&mut self, a: Value, b: Value, depth: u32) -> u32 {
        if a == b {
            return SAME;
        }
        match (self.leaves[a.index()], self.leaves[b.index()]) {
            (Leaf::Negated(a), Leaf::Negated(b)) | (Leaf::Not(a), Leaf::Not(b)) => self.likeness(a, b, depth),
            (Leaf::Global(a), Leaf::Global(b)) => {
                if (a.global, a.element) == (b.global, b.element) {
                    SAME
                } else if a.component == b.component && a.global == b.global {
                    3
                } else {
                    1
                }
            }
            (Leaf::Bits(_), Leaf::Bits(_)) | (Leaf::Truth(_), Leaf::Truth(_)) => 4,
            (Leaf::Pack, Leaf::Pack) => {
                if self.pack_of[a.index()].map(|(pack, _)| pack)
                    == self.pack_of[b.index()].map(|(pack, _)| pack)
                {
                    return SAME;
                }
                let key = self.key(a);
                if key.is_none() || key != self.key(b) {
                    return u32::from(self.is_param(a) && self.is_param(b)) * 3;
                }
                if depth == 0 {
                    return 3;
                }
                let arity = self.taken_by(a).len().min(self.taken_by(b).len()).min(3);
                let below = depth.saturating_sub(1);
                let alike = |unit: &mut Self, at: usize, other: usize| {
                    let (a, b) = (unit.operand_of(a, at), unit.operand_of(b, other));
                    unit.likeness(a, b, below)
                };
                let rest = if arity > 2 { alike(self, 2, 2) } else { 0 };
                let mut straight = rest + (0..arity.min(2)).map(|at| alike(self, at, at)).sum::<u32>();
                if arity >= 2
                    && 2 * SAME + rest > straight
                    && self.function.definition(a).is_some_and(|inst| commutes(&inst.op))
                {
                    let turned = rest + alike(self, 0, 1);
                    if turned + SAME > straight {
                        straight = straight.max(turned + alike(self, 1, 0));
                    }
                }
                (2 + straight / (arity.max(1) as u32)).min(SAME - 1)
            }
            _ => 0,
        }
    }

    /// An operand of a value, where the first two may have been turned round.
    pub(super) fn operand_of(&self, value: Value, position: usize) -> Value {
        let position = match position {
            0 | 1 if self.turned[value.index()] => 1 - position,
            position => position,
        };
        self.taken_by(value).get(position).copied().unwrap_or_default()
    }
}

/// Whether the first two operands may change places, bit for bit.
fn commutes(op: &Op) -> bool {
    matches!(
        op,
        Op::FAdd(_)
            | Op::FMul(_, Multiply::Ieee | Multiply::InfTimesZero | Multiply::ZeroWins)
            | Op::FFma(..)
            | Op::IAdd
            | Op::IMul
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::SMin
            | Op::SMax
    )
}
