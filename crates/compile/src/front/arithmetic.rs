//! Operators, and choices between values.

use super::{
    Walk,
    shape::Kind,
    value::{Matrix, Value},
};
use crate::vector::{Lane, Lanes, Op, Relation};
use naga::{BinaryOperator, UnaryOperator};
use smallvec::{SmallVec, smallvec};
use unshade_bytes::problem::Result;

/// Matrices in a product that is kept as one.
const FACTORS: usize = 6;

impl Walk<'_> {
    pub(super) fn unary(&mut self, op: UnaryOperator, value: Value, kind: Kind) -> Result<Value> {
        match (op, value) {
            (UnaryOperator::Negate, Value::Vector(lanes)) => {
                Ok(Value::Vector(lanes.into_iter().map(Lane::negated).collect()))
            }
            (UnaryOperator::Negate, Value::Matrix(matrix)) => {
                let columns = matrix.columns(&mut self.builder);
                let negated = |column: Lanes| column.into_iter().map(Lane::negated).collect();
                Ok(Value::Matrix(Matrix::Columns(columns.into_iter().map(negated).collect())))
            }
            (UnaryOperator::LogicalNot, Value::Vector(lanes)) => Ok(Value::Vector(self.not(&lanes))),
            (UnaryOperator::BitwiseNot, Value::Vector(lanes)) if kind == Kind::Signed => {
                // -x - 1
                let ones: Lanes = smallvec![Lane::constant(-1.0); lanes.len()];
                let negated = lanes.into_iter().map(Lane::negated).collect();
                Ok(Value::Vector(self.builder.lanewise(Op::Add, &[negated, ones])))
            }
            (UnaryOperator::BitwiseNot, _) => self.bits("~"),
            _ => self.unexpected(),
        }
    }

    /// Truths turned round.
    pub(super) fn not(&mut self, lanes: &Lanes) -> Lanes {
        lanes.iter().map(|&lane| self.not_one(lane)).collect()
    }

    /// A truth turned round: a comparison becomes the opposite one.
    pub(super) fn not_one(&mut self, lane: Lane) -> Lane {
        if let Lane::Of { node, component, negate: false } = lane {
            let of = self.builder.program.node(node);
            if let Op::Compare(relation) = of.op {
                let operand = |at: usize| -> Option<Lanes> {
                    Some(smallvec![*of.arguments.get(at)?.get(usize::from(component))?])
                };
                if let (Some(a), Some(b)) = (operand(0), operand(1)) {
                    let not = self.builder.lanewise(Op::Compare(relation.not()), &[a, b]);
                    return not.first().copied().unwrap_or(lane);
                }
            }
            // What was turned round once.
            if of.op == Op::Add
                && let (Some(a), Some(b)) = (of.arguments.first(), of.arguments.get(1))
                && let (Some(a), Some(b)) = (a.get(usize::from(component)), b.get(usize::from(component)))
                && b.is(1.0)
                && a.is_negated()
                && self.builder.is_truth(a.negated())
            {
                return a.negated();
            }
        }
        self.builder.add_one(lane.negated(), Lane::ONE)
    }

    fn bits<T>(&self, operator: &str) -> Result<T> {
        let message = format!("the machine has no bits to work on with `{operator}`: its numbers are floats");
        Err(self
            .problem("compile.bits", message)
            .note("compute with sums, products and `floor`, or use bool uniforms"))
    }

    pub(super) fn binary(&mut self, op: BinaryOperator, a: Value, b: Value, kind: Kind) -> Result<Value> {
        match (a, b) {
            (Value::Vector(a), Value::Vector(b)) => {
                let (a, b) = alike(a, b);
                if a.len() != b.len() {
                    return self.unexpected();
                }
                Ok(Value::Vector(self.binary_lanes(op, a, b, kind)?))
            }
            (a, b) => self.binary_matrices(op, a, b),
        }
    }

    fn binary_lanes(&mut self, op: BinaryOperator, a: Lanes, b: Lanes, kind: Kind) -> Result<Lanes> {
        use BinaryOperator as Op2;
        let relation = |relation| Ok::<_, Box<unshade_bytes::Problem>>(relation);
        let relation = match op {
            Op2::Equal => relation(Relation::Eq)?,
            Op2::NotEqual => relation(Relation::Ne)?,
            Op2::Less => relation(Relation::Lt)?,
            Op2::LessEqual => relation(Relation::Le)?,
            Op2::Greater => relation(Relation::Gt)?,
            Op2::GreaterEqual => relation(Relation::Ge)?,
            Op2::Add => return Ok(self.builder.lanewise(Op::Add, &[a, b])),
            Op2::Subtract => return Ok(self.subtract(a, b)),
            Op2::Multiply => return Ok(self.builder.lanewise(Op::Mul, &[a, b])),
            Op2::Divide if kind.is_whole() => return Ok(self.divide_whole(&a, &b)),
            Op2::Divide => return Ok(self.divide(a, &b)),
            Op2::Modulo if kind.is_whole() => {
                let quotient = self.divide_whole(&a, &b);
                let back = self.builder.lanewise(Op::Mul, &[quotient, b]);
                return Ok(self.subtract(a, back));
            }
            Op2::Modulo => {
                // a - b * trunc(a / b)
                let quotient = self.divide(a.clone(), &b);
                let whole = self.builder.lanewise(Op::Truncate, &[quotient]);
                let back = self.builder.lanewise(Op::Mul, &[whole, b]);
                return Ok(self.subtract(a, back));
            }
            Op2::LogicalAnd | Op2::And if kind == Kind::Bool => {
                return Ok(a.iter().zip(&b).map(|(&a, &b)| self.and(a, b)).collect());
            }
            Op2::LogicalOr | Op2::InclusiveOr if kind == Kind::Bool => {
                return Ok(a.iter().zip(&b).map(|(&a, &b)| self.or(a, b)).collect());
            }
            Op2::ExclusiveOr if kind == Kind::Bool => {
                return Ok(self.builder.lanewise(Op::Compare(Relation::Ne), &[a, b]));
            }
            Op2::And => return self.masked(&a, &b),
            Op2::ShiftLeft => return self.shifted(&a, &b, false),
            Op2::ShiftRight => return self.shifted(&a, &b, true),
            Op2::InclusiveOr => return self.bits("|"),
            Op2::ExclusiveOr => return self.bits("^"),
            Op2::LogicalAnd | Op2::LogicalOr => return self.unexpected(),
        };
        if kind.is_whole() && a.len() == 1 {
            let sides = (a.first().copied().unwrap_or(Lane::ZERO), b.first().copied().unwrap_or(Lane::ZERO));
            if let Some(truth) = self.whole_as_truth(relation, sides.0, sides.1)? {
                return Ok(smallvec![truth]);
            }
        }
        Ok(self.builder.lanewise(Op::Compare(relation), &[a, b]))
    }

    /// `a - b`.
    pub(super) fn subtract(&mut self, a: Lanes, b: Lanes) -> Lanes {
        let negated = b.into_iter().map(Lane::negated).collect();
        self.builder.lanewise(Op::Add, &[a, negated])
    }

    /// `a / b` of floats: a product with the reciprocal.
    pub(super) fn divide(&mut self, a: Lanes, b: &Lanes) -> Lanes {
        let reciprocals = b.iter().map(|&lane| self.builder.scalar(Op::Reciprocal, lane)).collect();
        self.builder.lanewise(Op::Mul, &[a, reciprocals])
    }

    /// `a / b` of whole numbers, towards zero. The reciprocal is not exact, so the quotient is moved by half of the smallest
    /// step that it can have: away from zero for what is cut off afterwards.
    fn divide_whole(&mut self, a: &Lanes, b: &Lanes) -> Lanes {
        let pairs: SmallVec<[(Lane, Lane); 4]> = a.iter().copied().zip(b.iter().copied()).collect();
        pairs.into_iter().map(|(a, b)| self.divide_whole_one(a, b)).collect()
    }

    fn divide_whole_one(&mut self, a: Lane, b: Lane) -> Lane {
        if let (Some(a), Some(b)) = (a.value(), b.value())
            && b != 0.0
        {
            return Lane::constant((a / b).trunc());
        }
        let reciprocal = self.builder.scalar(Op::Reciprocal, b);
        let quotient = self.builder.multiply_one(a, reciprocal);
        let half = self.builder.multiply_one(reciprocal, Lane::constant(0.5));
        let half = self.absolute(&smallvec![half]);
        let half = half.first().copied().unwrap_or(Lane::ZERO);
        let part = |walk: &mut Self, quotient: Lane| {
            let moved = walk.builder.add_one(quotient, half);
            let kept = walk.builder.lanewise(Op::Max, &[smallvec![moved], smallvec![Lane::ZERO]]);
            walk.builder.lanewise(Op::Floor, &[kept]).first().copied().unwrap_or(Lane::ZERO)
        };
        let positive = part(self, quotient);
        if self.is_never_negative(a, 6) && self.is_never_negative(b, 6) {
            return positive;
        }
        let negative = part(self, quotient.negated());
        self.builder.add_one(positive, negative.negated())
    }

    /// Whether a number is not below zero for sure.
    fn is_never_negative(&self, lane: Lane, depth: u8) -> bool {
        if let Some((low, _)) = self.builder.range(lane) {
            return low >= 0.0;
        }
        let (Some(depth), Lane::Of { node, component, negate: false }) = (depth.checked_sub(1), lane) else {
            return false;
        };
        let node = self.builder.program.node(node);
        let mut operands =
            node.arguments.iter().map(|list| list.get(usize::from(component)).copied().unwrap_or(Lane::ZERO));
        match node.op {
            Op::Add | Op::Mul | Op::Min | Op::Floor | Op::Truncate => {
                operands.all(|lane| self.is_never_negative(lane, depth))
            }
            Op::Max => operands.any(|lane| self.is_never_negative(lane, depth)),
            Op::Exp2 | Op::ReciprocalRoot => true,
            _ => false,
        }
    }

    /// `x & (2^n - 1)`: what is left of a division.
    fn masked(&mut self, a: &Lanes, b: &Lanes) -> Result<Lanes> {
        let power = |lane: &Lane| {
            let value = lane.value()? + 1.0;
            (value >= 1.0 && value.log2().fract() == 0.0).then_some(value)
        };
        let (value, powers) =
            match (b.iter().map(power).collect::<Option<Vec<f32>>>(), a.iter().map(power).collect()) {
                (Some(powers), _) => (a, powers),
                (None, Some(powers)) => (b, powers),
                (None, None) => return self.bits("&"),
            };
        let down = powers.iter().map(|power| Lane::constant(1.0 / power)).collect();
        let up = powers.iter().map(|power| Lane::constant(*power)).collect();
        let parts = self.builder.lanewise(Op::Mul, &[value.clone(), down]);
        let whole = self.builder.lanewise(Op::Floor, &[parts]);
        let back = self.builder.lanewise(Op::Mul, &[whole, up]);
        Ok(self.subtract(value.clone(), back))
    }

    /// Shifts by constants: products with powers of two.
    fn shifted(&mut self, a: &Lanes, b: &Lanes, right: bool) -> Result<Lanes> {
        let power = |lane: &Lane| lane.value().filter(|by| (0.0..32.0).contains(by)).map(f32::exp2);
        let Some(powers) = b.iter().map(power).collect::<Option<Vec<f32>>>() else {
            return self.bits(if right { ">>" } else { "<<" });
        };
        let factor = |power: &f32| Lane::constant(if right { 1.0 / power } else { *power });
        let factors = powers.iter().map(factor).collect();
        let product = self.builder.lanewise(Op::Mul, &[a.clone(), factors]);
        Ok(if right { self.builder.lanewise(Op::Floor, &[product]) } else { product })
    }

    fn binary_matrices(&mut self, op: BinaryOperator, a: Value, b: Value) -> Result<Value> {
        match (op, a, b) {
            (BinaryOperator::Multiply, Value::Matrix(a), Value::Matrix(b)) => Ok(self.matrix_product(a, b)),
            (BinaryOperator::Multiply, Value::Matrix(a), Value::Vector(b)) if b.len() > 1 => {
                Ok(Value::Vector(a.times_vector(&b, &mut self.builder)))
            }
            (BinaryOperator::Multiply, Value::Vector(a), Value::Matrix(b)) if a.len() > 1 => {
                Ok(Value::Vector(b.vector_times(&a, &mut self.builder)))
            }
            (op, a, b) => {
                let (a, b) = match (a, b) {
                    (Value::Matrix(a), Value::Matrix(b)) => {
                        (a.columns(&mut self.builder), b.columns(&mut self.builder))
                    }
                    (Value::Matrix(a), Value::Vector(b)) => {
                        let a = a.columns(&mut self.builder);
                        let b = smallvec![b; a.len()];
                        (a, b)
                    }
                    (Value::Vector(a), Value::Matrix(b)) => {
                        let b = b.columns(&mut self.builder);
                        let a = smallvec![a; b.len()];
                        (a, b)
                    }
                    _ => return self.unexpected(),
                };
                let is_equality = matches!(op, BinaryOperator::Equal | BinaryOperator::NotEqual);
                let mut columns: SmallVec<[Lanes; 4]> = SmallVec::new();
                for (a, b) in a.into_iter().zip(b) {
                    let (a, b) = alike(a, b);
                    columns.push(self.binary_lanes(op, a, b, Kind::Float)?);
                }
                if is_equality {
                    let mut all = columns.into_iter().flatten();
                    let first = all.next().unwrap_or(Lane::ZERO);
                    let is_all = op == BinaryOperator::Equal;
                    let truth = all
                        .fold(first, |so, lane| if is_all { self.and(so, lane) } else { self.or(so, lane) });
                    return Ok(Value::lane(truth));
                }
                Ok(Value::Matrix(Matrix::Columns(columns)))
            }
        }
    }

    fn matrix_product(&mut self, a: Matrix, b: Matrix) -> Value {
        fn factors(matrix: &Matrix) -> usize {
            match matrix {
                Matrix::Columns(_) => 1,
                Matrix::Product(a, b) => factors(a) + factors(b),
            }
        }
        let both = factors(&a) + factors(&b);
        let product = Matrix::Product(Box::new(a), Box::new(b));
        if both > FACTORS {
            let columns = product.columns(&mut self.builder);
            return Value::Matrix(Matrix::Columns(columns));
        }
        Value::Matrix(product)
    }

    /// |x|.
    pub(super) fn absolute(&mut self, lanes: &Lanes) -> Lanes {
        let plain: Lanes =
            lanes.iter().map(|lane| if lane.is_negated() { lane.negated() } else { *lane }).collect();
        let negated = plain.iter().map(|lane| lane.negated()).collect();
        self.builder.lanewise(Op::Max, &[plain, negated])
    }

    /// Where the truth is 1 the first value, else the second.
    pub(super) fn select(&mut self, condition: &Lanes, accept: Value, reject: Value) -> Result<Value> {
        match (accept, reject) {
            (Value::Vector(accept), Value::Vector(reject)) => {
                if accept.len() != reject.len() {
                    return self.unexpected();
                }
                let condition: Lanes = match condition.len() {
                    1 => smallvec![condition.first().copied().unwrap_or(Lane::ZERO); accept.len()],
                    _ => condition.clone(),
                };
                Ok(Value::Vector(self.select_lanes(&condition, &accept, &reject)))
            }
            (Value::Matrix(accept), Value::Matrix(reject)) => {
                let (accept, reject) = (accept.columns(&mut self.builder), reject.columns(&mut self.builder));
                let mut columns: SmallVec<[Lanes; 4]> = SmallVec::new();
                for (accept, reject) in accept.into_iter().zip(reject) {
                    match self.select(condition, Value::Vector(accept), Value::Vector(reject))? {
                        Value::Vector(lanes) => columns.push(lanes),
                        _ => return self.unexpected(),
                    }
                }
                Ok(Value::Matrix(Matrix::Columns(columns)))
            }
            (Value::List(accept), Value::List(reject)) if accept.len() == reject.len() => {
                let pairs = accept.into_iter().zip(reject);
                let list = pairs.map(|(accept, reject)| self.select(condition, accept, reject));
                Ok(Value::List(list.collect::<Result<_>>()?))
            }
            _ => self.unexpected(),
        }
    }

    fn select_lanes(&mut self, condition: &Lanes, accept: &Lanes, reject: &Lanes) -> Lanes {
        let mut result: Lanes = SmallVec::new();
        let mut open: SmallVec<[usize; 4]> = SmallVec::new();
        for (lane, ((&condition, &accept), &reject)) in condition.iter().zip(accept).zip(reject).enumerate() {
            match self.chosen(condition, accept, reject) {
                Some(found) => result.push(found),
                None => {
                    open.push(lane);
                    result.push(Lane::ZERO);
                }
            }
        }
        let pick =
            |list: &Lanes| -> Lanes { open.iter().filter_map(|&lane| list.get(lane).copied()).collect() };
        let (conditions, accepts, rejects) = (pick(condition), pick(accept), pick(reject));
        let Some(&first) = conditions.first() else { return result };
        let chosen: Lanes = if conditions.iter().all(|&lane| lane == first) {
            self.branch(first, &accepts, &rejects)
        } else {
            // 0 times anything is 0 on this machine, so this is exact.
            let others = self.not(&conditions);
            let kept = self.builder.lanewise(Op::Mul, &[accepts, conditions]);
            let other = self.builder.lanewise(Op::Mul, &[rejects, others]);
            self.builder.lanewise(Op::Add, &[kept, other])
        };
        for (lane, value) in open.into_iter().zip(chosen) {
            if let Some(place) = result.get_mut(lane) {
                *place = value;
            }
        }
        result
    }

    /// A choice that needs no branch.
    pub(super) fn chosen(&mut self, condition: Lane, accept: Lane, reject: Lane) -> Option<Lane> {
        if accept == reject || condition.is(1.0) {
            return Some(accept);
        }
        if condition.is(0.0) {
            return Some(reject);
        }
        if condition.node().is_some_and(|id| matches!(self.builder.program.node(id).op, Op::Truth(_)))
            && !(accept.is(1.0) && reject.is(0.0))
        {
            // A branch on a uniform costs one word.
            return None;
        }
        if let (Some(a), Some(b)) = (accept.value(), reject.value()) {
            match (a == 1.0, b == 0.0, a == 0.0, b == 1.0) {
                (true, true, ..) => return Some(condition),
                (.., true, true) => return Some(self.not_one(condition)),
                _ => {}
            }
            if b == 0.0 {
                return Some(self.builder.multiply_one(condition, accept));
            }
            if a == 0.0 {
                let other = self.not_one(condition);
                return Some(self.builder.multiply_one(other, reject));
            }
        }
        // The smaller or the greater of two.
        let Lane::Of { node, component, negate: false } = condition else { return None };
        let of = self.builder.program.node(node);
        let Op::Compare(relation) = of.op else { return None };
        let operand = |at: usize| of.arguments.get(at)?.get(usize::from(component)).copied();
        let (a, b) = (operand(0)?, operand(1)?);
        let less = matches!(relation, Relation::Lt | Relation::Le);
        let more = matches!(relation, Relation::Gt | Relation::Ge);
        let op = match () {
            () if (accept, reject) == (a, b) && less || (accept, reject) == (b, a) && more => Op::Min,
            () if (accept, reject) == (a, b) && more || (accept, reject) == (b, a) && less => Op::Max,
            () => return None,
        };
        self.builder.lanewise(op, &[smallvec![accept], smallvec![reject]]).first().copied()
    }
}

/// Two vectors of the same length: a number alone goes with each component.
fn alike(a: Lanes, b: Lanes) -> (Lanes, Lanes) {
    let repeat = |lanes: Lanes, count: usize| match lanes.first() {
        Some(&lane) if lanes.len() == 1 => smallvec![lane; count],
        _ => lanes,
    };
    let count = a.len().max(b.len());
    (repeat(a, count), repeat(b, count))
}
