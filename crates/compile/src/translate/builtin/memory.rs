//! Atomic operations on memory and counters.

use super::super::place::{Kind, Words};
use super::super::{Result, Translator, Values, unsupported};
use super::math::one;
use unshade_glsl::builtins::Atomic;
use unshade_glsl::place::Span;
use unshade_glsl::tree::{ExpressionId, Operation};
use unshade_glsl::types::{Scalar, Type};
use unshade_ir::{AtomicOp, CompareInt, Op, Space, Value};

/// The operation of the common language; subtractions add the negative number.
pub(super) fn atomic_op(atomic: Atomic, scalar: Scalar) -> Option<AtomicOp> {
    let signed = scalar.is_signed();
    let float = scalar.is_float();
    Some(match atomic {
        Atomic::Add if float => AtomicOp::FAdd,
        Atomic::Exchange => AtomicOp::Exchange,
        _ if float => return None,
        Atomic::Add | Atomic::Subtract => AtomicOp::Add,
        Atomic::Min => {
            if signed {
                AtomicOp::SMin
            } else {
                AtomicOp::UMin
            }
        }
        Atomic::Max => {
            if signed {
                AtomicOp::SMax
            } else {
                AtomicOp::UMax
            }
        }
        Atomic::And => AtomicOp::And,
        Atomic::Or => AtomicOp::Or,
        Atomic::Xor => AtomicOp::Xor,
        Atomic::CompareExchange => AtomicOp::CompareExchange,
        Atomic::Load | Atomic::Store => return None,
    })
}

impl Translator<'_> {
    pub(super) fn atomic(
        &mut self,
        operation: Operation,
        arguments: &[ExpressionId],
        span: Span,
    ) -> Result<Values> {
        let Some((&target, rest)) = arguments.split_first() else { return Ok(Values::new()) };
        let place = self.target(target)?;
        let scalar = match place.ty {
            Type::AtomicCounter => Scalar::Uint,
            ty => ty.scalar().unwrap_or(Scalar::Uint),
        };
        if scalar.size() != 4 {
            let found = scalar.name();
            return Err(unsupported(
                format!("expected an atomic operation on 32 bits, found one on `{found}`"),
                span,
            ));
        }
        let mut data = Values::new();
        for argument in rest {
            data.push(self.scalar(*argument)?);
        }
        let atomic = match operation {
            Operation::Atomic(atomic) | Operation::Counter(atomic) => atomic,
            Operation::CounterLoad => Atomic::Load,
            Operation::CounterIncrement => {
                data.push(self.bits(1));
                Atomic::Add
            }
            _ => {
                data.push(self.bits(u32::MAX));
                Atomic::Add
            }
        };
        if atomic == Atomic::Subtract
            && let Some(amount) = data.pop()
        {
            data.push(self.op(Op::INeg, &[amount]));
        }
        let old = match place.kind {
            Kind::Words(words) => self.atomic_on(&words, atomic, scalar, &data, span)?,
            Kind::Choice(places, index) => {
                // One of several buffers.
                let result = self.private("old", Type::UINT, false, span)?;
                for (number, place) in places.iter().enumerate() {
                    let Kind::Words(words) = place.kind else { continue };
                    let number = self.bits(number as u32);
                    let is_it = self.op(Op::ICompare(CompareInt::Eq), &[index, number]);
                    let (then, behind) = (self.code.block(), self.code.block());
                    self.branch(is_it, then, behind);
                    self.continue_in(then);
                    let old = self.atomic_on(&words, atomic, scalar, &data, span)?;
                    self.store(&result, &[old], span)?;
                    self.jump(behind);
                    self.continue_in(behind);
                }
                self.load(&result, span)?.first().copied().unwrap_or_default()
            }
            _ => return Err(unsupported("expected a number in a buffer or in shared memory", span)),
        };
        Ok(match operation {
            // The value behind it.
            Operation::CounterDecrement => {
                let less = self.bits(u32::MAX);
                one(self.op(Op::IAdd, &[old, less]))
            }
            _ => one(old),
        })
    }

    fn atomic_on(
        &mut self,
        words: &Words,
        atomic: Atomic,
        scalar: Scalar,
        data: &[Value],
        span: Span,
    ) -> Result<Value> {
        if !matches!(words.space, Space::Shared | Space::Storage) {
            return Err(unsupported("expected a number in a buffer or in shared memory", span));
        }
        match atomic {
            Atomic::Load => Ok(self.load_word(words, 0)),
            Atomic::Store => {
                let (access, mut args) = Self::word_access(words);
                args.extend(data.first().copied());
                self.effect(Op::Store(access), &args);
                Ok(data.first().copied().unwrap_or_default())
            }
            _ => {
                let op = atomic_op(atomic, scalar);
                let op =
                    op.ok_or_else(|| unsupported("this atomic operation is not known of floats", span))?;
                let (access, mut args) = Self::word_access(words);
                args.extend(data.iter().copied());
                Ok(self.op(Op::Atomic(op, access), &args))
            }
        }
    }
}
