//! What hangs on other invocations: slopes, votes, values of others; and inputs at other places of the pixel.

use super::super::arithmetic::{mode, width};
use super::super::place::Kind;
use super::super::{Result, Translator, Values, unsupported};
use super::Arguments;
use super::math::one;
use smallvec::smallvec;
use unshade_glsl::builtins::{Axis, Subgroup};
use unshade_glsl::place::Span;
use unshade_glsl::tree::{ExpressionId, Operation};
use unshade_glsl::types::{Scalar, Type};
use unshade_ir::{CompareInt, InputPlace, Op, Space, Value, Vote};

impl Translator<'_> {
    pub(super) fn lanes_function(
        &mut self,
        operation: Operation,
        ty: Type,
        given: &Arguments,
    ) -> Option<Values> {
        match operation {
            Operation::Derivative(axis, _) => {
                let scalar = given.kind(0);
                let mut values = Values::new();
                for (lane, value) in given.all(0).iter().enumerate() {
                    self.lane(lane);
                    let single = self.converted(&[*value], scalar, Scalar::Float);
                    let slope = self.slope(axis, single[0]);
                    values.extend(self.converted(&[slope], Scalar::Float, scalar));
                }
                Some(values)
            }
            Operation::Subgroup(subgroup) => self.subgroup(subgroup, ty, given),
            _ => None,
        }
    }

    fn slope(&mut self, axis: Axis, value: Value) -> Value {
        let mode = mode(Scalar::Float);
        let along = |axis| Op::Derivative(axis, mode);
        match axis {
            Axis::X => self.op(along(unshade_ir::Axis::X), &[value]),
            Axis::Y => self.op(along(unshade_ir::Axis::Y), &[value]),
            Axis::Width => {
                let size = Op::FAbs(width(Scalar::Float));
                let x = self.op(along(unshade_ir::Axis::X), &[value]);
                let y = self.op(along(unshade_ir::Axis::Y), &[value]);
                let (x, y) = (self.op(size, &[x]), self.op(size, &[y]));
                self.op(Op::FAdd(mode), &[x, y])
            }
        }
    }

    fn subgroup(&mut self, subgroup: Subgroup, ty: Type, given: &Arguments) -> Option<Values> {
        let first = given.lane(0, 0);
        let vote = |vote| Op::Vote(vote);
        Some(match subgroup {
            Subgroup::All => one(self.op(vote(Vote::All), &[first])),
            Subgroup::Any => one(self.op(vote(Vote::Any), &[first])),
            Subgroup::AllEqual if given.kind(0) == Scalar::Bool && given.all(0).len() == 1 => {
                one(self.op(vote(Vote::Equal), &[first]))
            }
            Subgroup::Ballot => {
                let (mask, zero) = (self.op(Op::Ballot, &[first]), self.bits(0));
                match ty {
                    Type::Scalar(Scalar::Uint64) => one(self.op(Op::Join, &[mask, zero])),
                    _ => smallvec![mask, zero, zero, zero],
                }
            }
            Subgroup::Elect => {
                let (lane, elected) = (self.lane_id(), self.first_lane());
                one(self.op(Op::ICompare(CompareInt::Eq), &[lane, elected]))
            }
            Subgroup::BroadcastFirst => {
                let lane = self.first_lane();
                self.in_lane(given.kind(0), given.all(0), lane)?
            }
            Subgroup::Broadcast | Subgroup::Shuffle => {
                self.in_lane(given.kind(0), given.all(0), given.lane(1, 0))?
            }
            Subgroup::ShuffleXor => self.of_other(Op::Xor, given, given.lane(1, 0))?,
            Subgroup::ShuffleUp => self.of_other(Op::ISub, given, given.lane(1, 0))?,
            Subgroup::ShuffleDown => self.of_other(Op::IAdd, given, given.lane(1, 0))?,
            Subgroup::QuadSwapHorizontal | Subgroup::QuadSwapVertical | Subgroup::QuadSwapDiagonal => {
                let mask = match subgroup {
                    Subgroup::QuadSwapHorizontal => 1,
                    Subgroup::QuadSwapVertical => 2,
                    _ => 3,
                };
                let mask = self.bits(mask);
                self.of_other(Op::Xor, given, mask)?
            }
            Subgroup::QuadBroadcast => {
                let (lane, quad) = (self.lane_id(), self.bits(!3));
                let quad = self.op(Op::And, &[lane, quad]);
                let lane = self.op(Op::Or, &[quad, given.lane(1, 0)]);
                self.in_lane(given.kind(0), given.all(0), lane)?
            }
            Subgroup::Barrier => {
                self.effect(Op::Barrier(unshade_ir::Barrier::Control), &[]);
                Values::new()
            }
            Subgroup::MemoryBarrier(_) => {
                self.effect(Op::Barrier(unshade_ir::Barrier::Group), &[]);
                Values::new()
            }
            _ => return None,
        })
    }

    /// The first of the invocations that run.
    fn first_lane(&mut self) -> Value {
        let yes = self.op(Op::Bool(true), &[]);
        let mask = self.op(Op::Ballot, &[yes]);
        self.op(Op::FindLsb, &[mask])
    }

    fn of_other(&mut self, op: Op, given: &Arguments, by: Value) -> Option<Values> {
        let lane = self.lane_id();
        let other = self.op(op, &[lane, by]);
        self.in_lane(given.kind(0), given.all(0), other)
    }

    /// What values are in another lane.
    fn in_lane(&mut self, scalar: Scalar, values: &[Value], lane: Value) -> Option<Values> {
        let mut results = Values::new();
        for (number, value) in values.iter().enumerate() {
            self.lane(number);
            results.push(match scalar {
                Scalar::Bool => {
                    let word = self.op(Op::BToI, &[*value]);
                    let (there, zero) = (self.op(Op::Shuffle, &[word, lane]), self.bits(0));
                    self.op(Op::ICompare(CompareInt::Ne), &[there, zero])
                }
                Scalar::Int64 | Scalar::Uint64 | Scalar::Double => {
                    let (low, high) = (self.op(Op::Low, &[*value]), self.op(Op::High, &[*value]));
                    let (low, high) =
                        (self.op(Op::Shuffle, &[low, lane]), self.op(Op::Shuffle, &[high, lane]));
                    self.op(Op::Join, &[low, high])
                }
                Scalar::Float16 => return None,
                _ => self.op(Op::Shuffle, &[*value, lane]),
            });
        }
        Some(results)
    }

    /// An input at another place of the pixel.
    pub(super) fn interpolate(
        &mut self,
        operation: Operation,
        arguments: &[ExpressionId],
        span: Span,
    ) -> Result<Values> {
        let Some((&input, rest)) = arguments.split_first() else { return Ok(Values::new()) };
        let place = self.target(input)?;
        let Kind::Words(words) = place.kind else {
            return Err(unsupported("expected an input", span));
        };
        if words.space != Space::Input {
            return Err(unsupported("expected an input", span));
        }
        let mut at = Values::new();
        for argument in rest {
            at.extend(self.value(*argument)?);
        }
        let how = match operation {
            Operation::InterpolateAtCentroid => InputPlace::Centroid,
            Operation::InterpolateAtSample => InputPlace::Sample,
            _ => InputPlace::Offset,
        };
        let mut scalars = Vec::new();
        self.scalars_in(&words, place.ty, &mut scalars);
        let mut values = Values::new();
        for (lane, (words, _)) in scalars.iter().enumerate() {
            self.lane(lane);
            let (access, mut args) = Self::word_access(words);
            args.extend(at.iter().copied());
            values.push(self.op(Op::Interpolate(how, access), &args));
        }
        Ok(values)
    }
}
