//! From one type of numbers to another. All of them are floats here.

use super::{Walk, shape::Kind, value::Value};
use crate::vector::{Lane, Lanes, Op, Relation};
use unshade_bytes::problem::Result;

use smallvec::smallvec;

impl Walk<'_> {
    /// The same value as another kind of number.
    pub(super) fn convert(&mut self, value: Value, from: Kind, to: Kind) -> Result<Value> {
        let lanes = match value {
            Value::Vector(lanes) => lanes,
            Value::Matrix(_) if from == to => return Ok(value),
            _ => return self.unexpected(),
        };
        let lanes: Lanes = match (from, to) {
            (Kind::Float, Kind::Signed | Kind::Unsigned) => self.builder.lanewise(Op::Truncate, &[lanes]),
            (Kind::Float | Kind::Signed | Kind::Unsigned, Kind::Bool) => {
                let mut truths = Lanes::new();
                for lane in lanes {
                    truths.push(self.truth_of(lane, from)?);
                }
                truths
            }
            _ => lanes,
        };
        Ok(Value::Vector(lanes))
    }

    /// Whether a number is not zero.
    fn truth_of(&mut self, lane: Lane, from: Kind) -> Result<Lane> {
        if from.is_whole()
            && let Some(truth) = self.whole_as_truth(Relation::Ne, lane, Lane::ZERO)?
        {
            return Ok(truth);
        }
        let relation = Op::Compare(Relation::Ne);
        let truth = self.builder.lanewise(relation, &[smallvec![lane], smallvec![Lane::ZERO]]);
        Ok(truth.first().copied().unwrap_or(lane))
    }
}
