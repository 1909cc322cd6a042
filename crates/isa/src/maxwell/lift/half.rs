//! Halves, two at a time.

use super::super::Register;
use super::super::operation::{
    Combine, Combined, CompareFloat, Denormals, Destination, HalfOutput, Halves, Predicates, Swizzle, Truth,
};
use super::float::multiply;
use super::write::Writer;
use unshade_ir::{FloatMode, Op, Round, Value, Width};

/// Rules of an operation on 16 bits.
fn mode(flush: bool) -> FloatMode {
    FloatMode { width: Width::F16, flush, round: Round::Nearest }
}

/// How results of two halves land.
#[derive(Debug, Clone, Copy)]
pub(super) struct Landing {
    pub(super) d: Register,
    pub(super) output: HalfOutput,
    pub(super) saturate: bool,
}

impl Writer<'_> {
    /// The two halves of a source.
    fn two(&mut self, source: Halves) -> [Value; 2] {
        let word = self.source(source.source);
        let two = match source.swizzle {
            Swizzle::H1H0 => [self.value(Op::Low, &[word]), self.value(Op::High, &[word])],
            Swizzle::H0H0 => [self.value(Op::Low, &[word]); 2],
            Swizzle::H1H1 => [self.value(Op::High, &[word]); 2],
            Swizzle::F32 => [self.value(Op::FConvert(Width::F32, mode(false)), &[word]); 2],
        };
        two.map(|half| self.signed(half, Width::F16, source.negate, source.absolute))
    }

    /// An operation on both halves of its sources.
    fn each(&mut self, op: Op, sources: &[Halves], mode: FloatMode, landing: Landing) {
        let sources: Vec<[Value; 2]> = sources.iter().map(|source| self.two(*source)).collect();
        let results = [0, 1].map(|half| {
            let operands: Vec<Value> =
                sources.iter().filter_map(|source| source.get(half).copied()).collect();
            let value = self.value(op, &operands);
            if landing.saturate { self.value(Op::FSaturate(mode), &[value]) } else { value }
        });
        self.land(results, landing);
    }

    fn land(&mut self, [low, high]: [Value; 2], landing: Landing) {
        let value = match landing.output {
            HalfOutput::Both => self.value(Op::Join, &[low, high]),
            HalfOutput::F32 => self.value(Op::FConvert(Width::F16, FloatMode::F32), &[low]),
            HalfOutput::MergeLow => {
                let old = self.register(landing.d);
                let high = self.value(Op::High, &[old]);
                self.value(Op::Join, &[low, high])
            }
            HalfOutput::MergeHigh => {
                let old = self.register(landing.d);
                let low = self.value(Op::Low, &[old]);
                self.value(Op::Join, &[low, high])
            }
        };
        self.set_register(landing.d, value);
    }

    pub(super) fn half_add(&mut self, sources: [Halves; 2], flush: bool, landing: Landing) {
        self.each(Op::FAdd(mode(flush)), &sources, mode(flush), landing);
    }

    pub(super) fn half_multiply(&mut self, sources: [Halves; 2], denormals: Denormals, landing: Landing) {
        let (flush, multiply) = multiply(denormals);
        self.each(Op::FMul(mode(flush), multiply), &sources, mode(flush), landing);
    }

    pub(super) fn half_multiply_add(&mut self, sources: [Halves; 3], denormals: Denormals, landing: Landing) {
        let (flush, multiply) = multiply(denormals);
        self.each(Op::FFma(mode(flush), multiply), &sources, mode(flush), landing);
    }

    fn half_truths(&mut self, a: Halves, b: Halves, compare: CompareFloat, flush: bool) -> [Value; 2] {
        let ([a0, a1], [b0, b1]) = (self.two(a), self.two(b));
        [self.compare(compare, a0, b0, mode(flush)), self.compare(compare, a1, b1, mode(flush))]
    }

    pub(super) fn half_set(
        &mut self,
        d: Register,
        [a, b]: [Halves; 2],
        compare: CompareFloat,
        combined: Combined,
        flush: bool,
        truth: Truth,
    ) {
        let all: u32 = match truth {
            Truth::Mask => 0xFFFF,
            Truth::Float => 0x3C00,
        };
        let [low, high] = self.half_truths(a, b, compare, flush).map(|holds| self.combined(holds, combined));
        let none = self.bits(0);
        let [low_all, high_all] = [self.bits(all), self.bits(all << 16)];
        let low = self.select(low, low_all, none);
        let high = self.select(high, high_all, none);
        let value = self.value(Op::Or, &[low, high]);
        self.result(Destination { register: d, flags: false }, value);
    }

    pub(super) fn half_set_predicate(
        &mut self,
        p: Predicates,
        [a, b]: [Halves; 2],
        compare: CompareFloat,
        combined: Combined,
        flush: bool,
        both: bool,
    ) {
        let [low, high] = self.half_truths(a, b, compare, flush);
        if both {
            let all = self.combine(Combine::And, low, high);
            return self.truth_predicates(p, all, combined);
        }
        let [low, high] = [low, high].map(|holds| self.combined(holds, combined));
        self.set_predicate(p.result, low);
        self.set_predicate(p.opposite, high);
    }
}
