//! Operators and conversions, scalar by scalar.

use super::{Result, Translator, Values, unsupported};
use smallvec::smallvec;
use unshade_glsl::place::Span;
use unshade_glsl::tree::{Binary, Unary};
use unshade_glsl::types::{Scalar, Type};
use unshade_ir::{CompareFloat, CompareInt, FloatMode, Multiply, Op, Round, Value, Width};

/// A value with its type.
pub(super) type Typed<'a> = (Type, &'a [Value]);

/// Width of a float.
pub(super) fn width(scalar: Scalar) -> Width {
    match scalar {
        Scalar::Float16 => Width::F16,
        Scalar::Double => Width::F64,
        _ => Width::F32,
    }
}

/// The rules for floats of this width: those of IEEE, to the nearest.
pub(super) fn mode(scalar: Scalar) -> FloatMode {
    FloatMode { width: width(scalar), ..FloatMode::F32 }
}

/// Bits of a scalar that is held in a word, where it has fewer.
fn narrow(scalar: Scalar) -> Option<u32> {
    match scalar {
        Scalar::Int8 | Scalar::Uint8 => Some(8),
        Scalar::Int16 | Scalar::Uint16 => Some(16),
        _ => None,
    }
}

impl Translator<'_> {
    // ---- operators

    pub(super) fn unary(&mut self, operation: Unary, scalar: Scalar, values: &[Value]) -> Values {
        let op = match operation {
            Unary::Negate if scalar.is_float() => Op::FNeg(width(scalar)),
            Unary::Negate => Op::INeg,
            Unary::Not | Unary::Complement => Op::Not,
        };
        let mut results = Values::new();
        for (lane, value) in values.iter().enumerate() {
            self.lane(lane);
            let result = self.op(op, &[*value]);
            results.push(self.wrapped(scalar, result));
        }
        results
    }

    pub(super) fn binary(
        &mut self,
        operation: Binary,
        left: Typed<'_>,
        right: Typed<'_>,
        span: Span,
    ) -> Result<Values> {
        match operation {
            Binary::MatrixTimesVector => return Ok(self.matrix_times_vector(left, right.1)),
            Binary::VectorTimesMatrix => return Ok(self.vector_times_matrix(left.1, right)),
            Binary::MatrixTimesMatrix => return Ok(self.matrix_times_matrix(left, right)),
            Binary::Equal | Binary::NotEqual => {
                let equal = self.equal(left, right.1, span)?;
                return Ok(smallvec![match operation {
                    Binary::Equal => equal,
                    _ => self.op(Op::Not, &[equal]),
                }]);
            }
            _ => {}
        }
        let scalar = left.0.scalar().unwrap_or(Scalar::Float);
        let count = left.1.len().max(right.1.len());
        let mut values = Values::new();
        for lane in 0..count {
            self.lane(lane);
            let pick = |values: &[Value]| {
                if values.len() == 1 { values[0] } else { values[lane.min(values.len() - 1)] }
            };
            if left.1.is_empty() || right.1.is_empty() {
                break;
            }
            let (a, b) = (pick(left.1), pick(right.1));
            let value = match operation {
                Binary::ShiftLeft | Binary::ShiftRight => self.shifted(operation, scalar, a, (b, right.0)),
                _ => self.operate(operation, scalar, a, b),
            };
            values.push(self.wrapped(scalar, value));
        }
        Ok(values)
    }

    /// An operator on two scalars of a kind.
    pub(super) fn operate(&mut self, operation: Binary, scalar: Scalar, a: Value, b: Value) -> Value {
        let float = scalar.is_float();
        let signed = scalar.is_signed();
        let mode = mode(scalar);
        let (op, turned) = match operation {
            Binary::Add if float => (Op::FAdd(mode), false),
            Binary::Add => (Op::IAdd, false),
            Binary::Subtract if float => {
                let negative = self.op(Op::FNeg(width(scalar)), &[b]);
                return self.op(Op::FAdd(mode), &[a, negative]);
            }
            Binary::Subtract => (Op::ISub, false),
            Binary::Multiply if float => (Op::FMul(mode, Multiply::Ieee), false),
            Binary::Multiply => (Op::IMul, false),
            Binary::Divide if float => (Op::FDiv(mode), false),
            Binary::Divide => (if signed { Op::SDiv } else { Op::UDiv }, false),
            Binary::Remainder => (if signed { Op::SRem } else { Op::URem }, false),
            Binary::BitAnd => (Op::And, false),
            Binary::BitOr => (Op::Or, false),
            Binary::BitXor | Binary::LogicalXor => (Op::Xor, false),
            Binary::Less => (self.compare(CompareFloat::Lt, scalar), false),
            Binary::LessEqual => (self.compare(CompareFloat::Le, scalar), false),
            Binary::Greater => (self.compare(CompareFloat::Gt, scalar), !float),
            Binary::GreaterEqual => (self.compare(CompareFloat::Ge, scalar), !float),
            Binary::Equal => return self.equal_scalars(scalar, a, b),
            Binary::NotEqual => {
                let equal = self.equal_scalars(scalar, a, b);
                return self.op(Op::Not, &[equal]);
            }
            Binary::ShiftLeft => (Op::Shl, false),
            Binary::ShiftRight => (if signed { Op::ShrS } else { Op::ShrU }, false),
            Binary::MatrixTimesVector | Binary::VectorTimesMatrix | Binary::MatrixTimesMatrix => {
                (Op::FMul(mode, Multiply::Ieee), false)
            }
        };
        let args = if turned { [b, a] } else { [a, b] };
        self.op(op, &args)
    }

    /// The comparison of a kind of scalar; of integers, greater is less the other way round.
    fn compare(&self, how: CompareFloat, scalar: Scalar) -> Op {
        if scalar.is_float() {
            return Op::FCompare(how, mode(scalar));
        }
        let or_equal = matches!(how, CompareFloat::Le | CompareFloat::Ge);
        Op::ICompare(match (scalar.is_signed(), or_equal) {
            (true, false) => CompareInt::Slt,
            (true, true) => CompareInt::Sle,
            (false, false) => CompareInt::Ult,
            (false, true) => CompareInt::Ule,
        })
    }

    fn shifted(
        &mut self,
        operation: Binary,
        scalar: Scalar,
        a: Value,
        (by, by_type): (Value, Type),
    ) -> Value {
        // The amount is a word, or has the width of what is shifted.
        let by = match by_type.scalar() {
            Some(Scalar::Int64 | Scalar::Uint64) => self.op(Op::Low, &[by]),
            _ => by,
        };
        self.operate(operation, scalar, a, by)
    }

    pub(super) fn equal_scalars(&mut self, scalar: Scalar, a: Value, b: Value) -> Value {
        match scalar {
            Scalar::Bool => {
                let differ = self.op(Op::Xor, &[a, b]);
                self.op(Op::Not, &[differ])
            }
            scalar if scalar.is_float() => self.op(Op::FCompare(CompareFloat::Eq, mode(scalar)), &[a, b]),
            _ => self.op(Op::ICompare(CompareInt::Eq), &[a, b]),
        }
    }

    /// Whether all parts of two values are equal.
    fn equal(&mut self, (ty, left): Typed<'_>, right: &[Value], span: Span) -> Result<Value> {
        let leaves = self.leaves(ty, span)?;
        let mut all: Option<Value> = None;
        for ((scalar, a), b) in leaves.iter().zip(left).zip(right) {
            let equal = self.equal_scalars(*scalar, *a, *b);
            all = Some(match all {
                Some(before) => self.op(Op::And, &[before, equal]),
                None => equal,
            });
        }
        all.ok_or_else(|| unsupported("expected something to compare", span))
    }

    /// A number of 8 or 16 bits as its word holds it: the bits above are zeros, or the sign.
    pub(super) fn wrapped(&mut self, scalar: Scalar, value: Value) -> Value {
        let Some(bits) = narrow(scalar) else { return value };
        // Comparisons give truth values.
        if self.code.ty(value) != unshade_ir::Type::B32 {
            return value;
        }
        let (from, count) = (self.bits(0), self.bits(bits));
        self.op(if scalar.is_signed() { Op::SBitExtract } else { Op::UBitExtract }, &[value, from, count])
    }

    // ---- products with matrices

    /// The sum of products, in their order.
    pub(super) fn sum_of_products(&mut self, scalar: Scalar, pairs: &[(Value, Value)]) -> Value {
        if (2..=4).contains(&pairs.len()) && scalar == Scalar::Float {
            let args: Values = pairs.iter().map(|(a, _)| *a).chain(pairs.iter().map(|(_, b)| *b)).collect();
            return self.op(Op::Dot(pairs.len() as u8), &args);
        }
        let mut sum: Option<Value> = None;
        for (a, b) in pairs {
            let product = self.operate(Binary::Multiply, scalar, *a, *b);
            sum = Some(match sum {
                Some(before) => self.operate(Binary::Add, scalar, before, product),
                None => product,
            });
        }
        sum.unwrap_or_default()
    }

    fn matrix_times_vector(&mut self, (ty, matrix): Typed<'_>, vector: &[Value]) -> Values {
        let Type::Matrix(scalar, columns, rows) = ty else { return Values::new() };
        let mut values = Values::new();
        for row in 0..usize::from(rows) {
            self.lane(row);
            let pairs: Vec<_> = (0..usize::from(columns))
                .filter_map(|column| {
                    Some((*matrix.get(column * usize::from(rows) + row)?, *vector.get(column)?))
                })
                .collect();
            values.push(self.sum_of_products(scalar, &pairs));
        }
        values
    }

    fn vector_times_matrix(&mut self, vector: &[Value], (ty, matrix): Typed<'_>) -> Values {
        let Type::Matrix(scalar, columns, rows) = ty else { return Values::new() };
        let mut values = Values::new();
        for column in 0..usize::from(columns) {
            self.lane(column);
            let pairs: Vec<_> = (0..usize::from(rows))
                .filter_map(|row| Some((*vector.get(row)?, *matrix.get(column * usize::from(rows) + row)?)))
                .collect();
            values.push(self.sum_of_products(scalar, &pairs));
        }
        values
    }

    fn matrix_times_matrix(&mut self, left: Typed<'_>, (ty, right): Typed<'_>) -> Values {
        let Type::Matrix(_, columns, rows) = ty else { return Values::new() };
        let mut values = Values::new();
        for column in 0..usize::from(columns) {
            let from = column * usize::from(rows);
            let vector = right.get(from..from + usize::from(rows)).unwrap_or_default();
            values.extend(self.matrix_times_vector(left, vector));
        }
        values
    }

    // ---- conversions

    /// The same numbers as another kind of scalar.
    pub(super) fn converted(&mut self, values: &[Value], from: Scalar, to: Scalar) -> Values {
        let mut results = Values::new();
        for (lane, value) in values.iter().enumerate() {
            self.lane(lane);
            results.push(self.convert(*value, from, to));
        }
        results
    }

    fn convert(&mut self, value: Value, from: Scalar, to: Scalar) -> Value {
        let wide = |scalar| matches!(scalar, Scalar::Int64 | Scalar::Uint64);
        if from == to {
            return value;
        }
        match (from, to) {
            (Scalar::Bool, to) if to.is_float() => {
                let (one, zero) = (self.number(to, 1.0), self.number(to, 0.0));
                self.op(Op::Select, &[value, one, zero])
            }
            (Scalar::Bool, to) if wide(to) => {
                let (low, high) = (self.op(Op::BToI, &[value]), self.bits(0));
                self.op(Op::Join, &[low, high])
            }
            (Scalar::Bool, _) => self.op(Op::BToI, &[value]),
            (from, Scalar::Bool) => {
                let zero = self.number(from, 0.0);
                match from.is_float() {
                    true => self.op(Op::FCompare(CompareFloat::Ne, mode(from)), &[value, zero]),
                    false => self.op(Op::ICompare(CompareInt::Ne), &[value, zero]),
                }
            }
            (from, to) if from.is_float() && to.is_float() => {
                self.op(Op::FConvert(width(from), mode(to)), &[value])
            }
            (from, to) if from.is_float() => {
                let width = width(from);
                let signed = to.is_signed();
                let op = match (wide(to), signed) {
                    (true, true) => Op::FToS64(width, Round::Zero),
                    (true, false) => Op::FToU64(width, Round::Zero),
                    // What does not fit is undefined in the language; the low bits of the next larger type are what machines give.
                    (false, true) => Op::FToS(width, Round::Zero),
                    (false, false) => Op::FToU(width, Round::Zero),
                };
                let whole = self.op(op, &[value]);
                self.wrapped(to, whole)
            }
            (from, to) if to.is_float() => {
                let op = if from.is_signed() { Op::SToF(mode(to)) } else { Op::UToF(mode(to)) };
                self.op(op, &[value])
            }
            (from, to) => match (wide(from), wide(to)) {
                (true, true) => value,
                (true, false) => {
                    let low = self.op(Op::Low, &[value]);
                    self.wrapped(to, low)
                }
                (false, true) => {
                    let high = match from.is_signed() {
                        true => {
                            let by = self.bits(31);
                            self.op(Op::ShrS, &[value, by])
                        }
                        false => self.bits(0),
                    };
                    self.op(Op::Join, &[value, high])
                }
                (false, false) => self.wrapped(to, value),
            },
        }
    }
}
