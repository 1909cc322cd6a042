//! Functions of bits, component by component.

use super::super::Translator;
use super::Arguments;
use unshade_glsl::tree::Operation;
use unshade_glsl::types::Scalar;
use unshade_ir::{CompareInt, Op, Value};

impl Translator<'_> {
    /// A component of a function of bits.
    pub(super) fn bits_function(
        &mut self,
        operation: Operation,
        given: &Arguments,
        lane: usize,
    ) -> Option<Value> {
        let scalar = given.kind(0);
        let a = given.lane(0, lane);
        let signed = scalar.is_signed();
        let wide = matches!(scalar, Scalar::Int64 | Scalar::Uint64);
        Some(match operation {
            Operation::BitfieldExtract if !wide => {
                let op = if signed { Op::SBitExtract } else { Op::UBitExtract };
                self.op(op, &[a, given.lane(1, lane), given.lane(2, lane)])
            }
            Operation::BitfieldInsert if !wide => {
                self.op(Op::BitInsert, &[a, given.lane(1, lane), given.lane(2, lane), given.lane(3, lane)])
            }
            Operation::BitfieldReverse if !wide => self.op(Op::BitReverse, &[a]),
            Operation::BitCount if wide => {
                let (low, high) = (self.op(Op::Low, &[a]), self.op(Op::High, &[a]));
                let (low, high) = (self.op(Op::BitCount, &[low]), self.op(Op::BitCount, &[high]));
                self.op(Op::IAdd, &[low, high])
            }
            Operation::BitCount => self.op(Op::BitCount, &[a]),
            Operation::FindLsb if wide => {
                let (low, high) = (self.op(Op::Low, &[a]), self.op(Op::High, &[a]));
                let (first, second) = (self.op(Op::FindLsb, &[low]), self.op(Op::FindLsb, &[high]));
                self.of_halves(low, (first, second))
            }
            Operation::FindLsb => self.op(Op::FindLsb, &[a]),
            Operation::FindMsb if wide => {
                // Of a negative number the highest 0 counts.
                let a = match signed {
                    true => {
                        let by = self.bits(63);
                        let sign = self.op(Op::ShrS, &[a, by]);
                        self.op(Op::Xor, &[a, sign])
                    }
                    false => a,
                };
                let (low, high) = (self.op(Op::Low, &[a]), self.op(Op::High, &[a]));
                let (first, second) = (self.op(Op::UFindMsb, &[low]), self.op(Op::UFindMsb, &[high]));
                let half = self.bits(32);
                let above = self.op(Op::IAdd, &[second, half]);
                let zero = self.bits(0);
                let none = self.op(Op::ICompare(CompareInt::Eq), &[high, zero]);
                self.op(Op::Select, &[none, first, above])
            }
            Operation::FindMsb => self.op(if signed { Op::SFindMsb } else { Op::UFindMsb }, &[a]),
            _ => return None,
        })
    }

    /// What was found in the low word, or, where that is 0, in the high one.
    fn of_halves(&mut self, low: Value, (first, second): (Value, Value)) -> Value {
        let (zero, half, none) = (self.bits(0), self.bits(32), self.bits(u32::MAX));
        let above = self.op(Op::IAdd, &[second, half]);
        let nowhere = self.op(Op::ICompare(CompareInt::Eq), &[second, none]);
        let above = self.op(Op::Select, &[nowhere, none, above]);
        let empty = self.op(Op::ICompare(CompareInt::Eq), &[low, zero]);
        self.op(Op::Select, &[empty, above, first])
    }
}
