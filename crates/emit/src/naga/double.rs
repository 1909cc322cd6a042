//! Doubles, which SPIR-V alone has of these languages. Their bits are an integer of 64 bits there.

use super::body::Body;
use super::expression::Lowered;
use super::types;
use crate::{Error, visit};
use ::naga::{BinaryOperator, Expression, Handle, Literal, ScalarKind, VectorSize};
use unshade_ir::ast::{Program, Scalar, Type};

/// Refuses doubles where the language has none.
pub(super) fn check(program: &Program, target: &str) -> Result<(), Error> {
    if target == "SPIR-V" || !visit::has_doubles(program) {
        return Ok(());
    }
    let why = match target {
        "HLSL" => ": its functions of them work on 32 bits",
        _ => ", which has no such type",
    };
    Err(Error::unsupported(format!("doubles, floats of 64 bits, in {target}{why}")))
}

impl Body<'_, '_, '_> {
    fn long(&mut self, bits: u64) -> Handle<Expression> {
        self.add(Expression::Literal(Literal::U64(bits)))
    }

    fn as_unsigned(&mut self, expr: Handle<Expression>, width: Option<u8>) -> Handle<Expression> {
        self.add(Expression::As { expr, kind: ScalarKind::Uint, convert: width })
    }

    fn operation(
        &mut self,
        op: BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Handle<Expression> {
        self.add(Expression::Binary { op, left, right })
    }

    /// A double of two words, the lower first.
    pub(super) fn joined_double(&mut self, words: Handle<Expression>) -> Handle<Expression> {
        let [low, high] = [0, 1].map(|index| {
            let word = self.add(Expression::AccessIndex { base: words, index });
            self.as_unsigned(word, Some(8))
        });
        // A shift by a constant of 32 bits, as all shifts.
        let by = self.literal(Scalar::Uint, 32u32);
        let high = self.operation(BinaryOperator::ShiftLeft, high, by);
        let bits = self.operation(BinaryOperator::InclusiveOr, low, high);
        self.add(Expression::As { expr: bits, kind: ScalarKind::Float, convert: None })
    }

    /// The two words of a double, the lower first.
    pub(super) fn words_of_double(&mut self, value: Handle<Expression>) -> Handle<Expression> {
        let bits = self.as_unsigned(value, None);
        let mask = self.long(0xFFFF_FFFF);
        let low = self.operation(BinaryOperator::And, bits, mask);
        let by = self.literal(Scalar::Uint, 32u32);
        let high = self.operation(BinaryOperator::ShiftRight, bits, by);
        let components = [low, high].map(|part| self.as_unsigned(part, Some(4))).to_vec();
        let ty = self.lower.ty(Type { scalar: Scalar::Uint, components: 2 });
        self.add(Expression::Compose { ty, components })
    }

    /// By the bits without the sign, which are above those of infinity.
    pub(super) fn is_nan_double(&mut self, value: Handle<Expression>, components: u8) -> Lowered {
        let wide = |body: &mut Self, bits: u64| {
            let value = body.long(bits);
            match types::size(components) {
                Some(size @ (VectorSize::Bi | VectorSize::Tri | VectorSize::Quad)) => {
                    body.add(Expression::Splat { size, value })
                }
                None => value,
            }
        };
        let (mask, infinity) = (wide(self, u64::MAX >> 1), wide(self, 0x7FF0_0000_0000_0000));
        let bits = self.as_unsigned(value, None);
        let magnitude = self.operation(BinaryOperator::And, bits, mask);
        Ok(self.operation(BinaryOperator::Greater, magnitude, infinity))
    }
}
