//! Floats of 64 bits.

use super::super::Predicate;
use super::super::operation::{CompareFloat, Destination, Double, Rounding};
use super::float::round;
use super::write::Writer;
use unshade_ir::{FloatMode, Multiply, Op, Value, Width};

/// Rules of an operation on 64 bits: denormals stay.
pub(super) fn mode(rounding: Rounding) -> FloatMode {
    FloatMode { width: Width::F64, flush: false, round: round(rounding) }
}

impl Writer<'_> {
    pub(super) fn double_add(&mut self, d: Destination, a: Double, b: Double, rounding: Rounding) {
        let (a, b) = (self.double(a), self.double(b));
        let value = self.value(Op::FAdd(mode(rounding)), &[a, b]);
        self.result64(d, value);
    }

    pub(super) fn double_multiply(&mut self, d: Destination, a: Double, b: Double, rounding: Rounding) {
        let (a, b) = (self.double(a), self.double(b));
        let value = self.value(Op::FMul(mode(rounding), Multiply::Ieee), &[a, b]);
        self.result64(d, value);
    }

    pub(super) fn double_multiply_add(&mut self, d: Destination, sources: [Double; 3], rounding: Rounding) {
        let sources = sources.map(|source| self.double(source));
        let value = self.value(Op::FFma(mode(rounding), Multiply::Ieee), &sources);
        self.result64(d, value);
    }

    pub(super) fn double_min_max(&mut self, d: Destination, a: Double, b: Double, least: Predicate) {
        let (a, b) = (self.double(a), self.double(b));
        let value = self.min_max(a, b, least, mode(Rounding::Nearest));
        self.result64(d, value);
    }

    pub(super) fn double_compare(&mut self, compare: CompareFloat, a: Double, b: Double) -> Value {
        let (a, b) = (self.double(a), self.double(b));
        self.compare(compare, a, b, mode(Rounding::Nearest))
    }
}
