//! Numbers in the bits of others.

use super::super::arithmetic::{mode, width};
use super::super::{Translator, Values, ir_type};
use super::Arguments;
use super::math::one;
use unshade_glsl::tree::Operation;
use unshade_glsl::types::{Scalar, Type};
use unshade_ir::{Norm, Op, Value};

impl Translator<'_> {
    pub(super) fn packing_function(
        &mut self,
        operation: Operation,
        ty: Type,
        given: &Arguments,
    ) -> Option<Values> {
        let a = given.all(0);
        let norm = |signed, wide| Norm { signed, wide };
        Some(match operation {
            Operation::PackUnorm2x16 => one(self.op(Op::PackNorm(norm(false, true)), a)),
            Operation::PackSnorm2x16 => one(self.op(Op::PackNorm(norm(true, true)), a)),
            Operation::PackUnorm4x8 => one(self.op(Op::PackNorm(norm(false, false)), a)),
            Operation::PackSnorm4x8 => one(self.op(Op::PackNorm(norm(true, false)), a)),
            Operation::UnpackUnorm2x16 => self.fields(norm(false, true), a),
            Operation::UnpackSnorm2x16 => self.fields(norm(true, true), a),
            Operation::UnpackUnorm4x8 => self.fields(norm(false, false), a),
            Operation::UnpackSnorm4x8 => self.fields(norm(true, false), a),
            Operation::PackHalf2x16 => {
                let halves = self.converted(a, Scalar::Float, Scalar::Float16);
                one(self.op(Op::Join, &halves))
            }
            Operation::UnpackHalf2x16 => {
                let halves = [self.op(Op::Low, a), self.op(Op::High, a)];
                let convert = Op::FConvert(width(Scalar::Float16), mode(Scalar::Float));
                halves.into_iter().map(|half| self.op(convert, &[half])).collect()
            }
            Operation::Bitcast => {
                let to = ty.scalar().unwrap_or(Scalar::Float);
                let mut values = Values::new();
                for (lane, value) in a.iter().enumerate() {
                    self.lane(lane);
                    let bits = self.same_bits(*value, given.kind(0));
                    values.push(self.of_bits(bits, to));
                }
                values
            }
            Operation::Pack => {
                let to = ty.scalar()?;
                let parts: Values = a.iter().map(|value| self.same_bits(*value, given.kind(0))).collect();
                let whole = self.packed(&parts, given.kind(0).size() * 8)?;
                one(self.of_bits(whole, to))
            }
            Operation::Unpack => {
                let to = ty.scalar()?;
                let whole = self.same_bits(*a.first()?, given.kind(0));
                self.unpacked(whole, to, ty.components()?.into())
            }
            _ => return None,
        })
    }

    fn fields(&mut self, norm: Norm, word: &[Value]) -> Values {
        (0..norm.fields() as u8).map(|field| self.op(Op::UnpackNorm(norm, field), word)).collect()
    }

    /// A scalar's bits as a word, or as 64 bits; above those that it has are zeros.
    fn same_bits(&mut self, value: Value, scalar: Scalar) -> Value {
        match scalar {
            Scalar::Float16 => {
                let none = self.op(Op::B16(0), &[]);
                self.op(Op::Join, &[value, none])
            }
            Scalar::Int8 => self.wrapped(Scalar::Uint8, value),
            Scalar::Int16 => self.wrapped(Scalar::Uint16, value),
            _ => value,
        }
    }

    /// The scalar that has these bits.
    fn of_bits(&mut self, bits: Value, scalar: Scalar) -> Value {
        match (scalar, self.code.ty(bits)) {
            (Scalar::Float16, unshade_ir::Type::B32) => self.op(Op::Low, &[bits]),
            _ => self.wrapped(scalar, bits),
        }
    }

    /// Parts of so many bits, the first one lowest.
    fn packed(&mut self, parts: &[Value], bits: u32) -> Option<Value> {
        if let (32, &[low, high]) = (bits, parts) {
            return Some(self.op(Op::Join, &[low, high]));
        }
        let mut words = Values::new();
        for group in parts.chunks((32 / bits.clamp(8, 32)) as usize) {
            let mut word = *group.first()?;
            for (number, part) in group.iter().enumerate().skip(1) {
                let (at, count) = (self.bits(number as u32 * bits), self.bits(bits));
                word = self.op(Op::BitInsert, &[word, *part, at, count]);
            }
            words.push(word);
        }
        match words.as_slice() {
            [word] => Some(*word),
            &[low, high] => Some(self.op(Op::Join, &[low, high])),
            _ => None,
        }
    }

    fn unpacked(&mut self, whole: Value, to: Scalar, count: usize) -> Values {
        let words: Values = match self.code.ty(whole) {
            unshade_ir::Type::B64 => {
                [Op::Low, Op::High].into_iter().map(|op| self.op(op, &[whole])).collect()
            }
            _ => one(whole),
        };
        if ir_type(to) == unshade_ir::Type::B32 && to.size() == 4 {
            return words;
        }
        let bits = to.size() * 8;
        let each = (32 / bits.clamp(8, 32)) as usize;
        let mut values = Values::new();
        for number in 0..count {
            let Some(word) = words.get(number / each) else { break };
            let (at, size) = (self.bits((number % each) as u32 * bits), self.bits(bits));
            let field = self.op(Op::UBitExtract, &[*word, at, size]);
            values.push(self.of_bits(field, to));
        }
        values
    }
}
