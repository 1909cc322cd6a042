//! Halves, two at a time.

use super::super::Register;
use super::super::operation::{
    Combine, Combined, CompareFloat, Denormals, Destination, HalfOutput, Halves, Predicates, Swizzle, Truth,
};
use super::float::multiply;
use super::write::Writer;
use unshade_ir::{FloatMode, Multiply, Op, Round, Value, Width};

/// Rules of an operation on 16 bits.
fn mode(flush: bool) -> FloatMode {
    FloatMode { width: Width::F16, flush, round: Round::Nearest }
}

/// Rules of an operation on 32 bits that is rounded in a direction.
fn single(flush: bool, round: Round) -> FloatMode {
    FloatMode { width: Width::F32, flush, round }
}

/// How results of two halves land.
#[derive(Debug, Clone, Copy)]
pub(super) struct Landing {
    pub(super) d: Register,
    pub(super) output: HalfOutput,
    pub(super) saturate: bool,
}

/// An operation on halves, as one of a width.
#[derive(Debug, Clone, Copy)]
enum Sum {
    Add,
    Multiply(Multiply),
    Fused(Multiply),
}

impl Sum {
    fn op(self, mode: FloatMode) -> Op {
        match self {
            Self::Add => Op::FAdd(mode),
            Self::Multiply(rule) => Op::FMul(mode, rule),
            Self::Fused(rule) => Op::FFma(mode, rule),
        }
    }
}

impl Writer<'_> {
    /// The two halves of a source.
    fn two(&mut self, source: Halves) -> [Value; 2] {
        let word = self.source(source.source);
        let two = match source.swizzle {
            Swizzle::H1H0 => [self.value(Op::Low, &[word]), self.value(Op::High, &[word])],
            Swizzle::H0H0 => [self.value(Op::Low, &[word]); 2],
            Swizzle::H1H1 => [self.value(Op::High, &[word]); 2],
            // Sources of 32 bits are asked for by `two_wide`.
            Swizzle::F32 => [self.value(Op::FConvert(Width::F32, mode(false)), &[word]); 2],
        };
        two.map(|half| self.signed(half, Width::F16, source.negate, source.absolute))
    }

    /// The two numbers of a source in 32 bits, exactly. Denormals of 16 bits are none in 32: they become zero here.
    fn two_wide(&mut self, source: Halves, flush: bool) -> [Value; 2] {
        let word = self.source(source.source);
        let wide = |w: &mut Self, half: Op| {
            let half = w.value(half, &[word]);
            w.value(Op::FConvert(Width::F16, single(flush, Round::Nearest)), &[half])
        };
        let two = match source.swizzle {
            Swizzle::H1H0 => [wide(self, Op::Low), wide(self, Op::High)],
            Swizzle::H0H0 => [wide(self, Op::Low); 2],
            Swizzle::H1H1 => [wide(self, Op::High); 2],
            Swizzle::F32 => [word; 2],
        };
        two.map(|value| self.signed(value, Width::F32, source.negate, source.absolute))
    }

    /// An operation on both halves of its sources, rounded once. Where a source or the result has 32 bits, all of it
    /// is done in 32.
    fn each(&mut self, sum: Sum, sources: &[Halves], flush: bool, landing: Landing) {
        let has_wide = sources.iter().any(|source| source.swizzle == Swizzle::F32);
        let to_wide = landing.output == HalfOutput::F32;
        let sources: Vec<[Value; 2]> = sources
            .iter()
            .map(|source| if has_wide || to_wide { self.two_wide(*source, flush) } else { self.two(*source) })
            .collect();
        let results = [0, 1].map(|half| {
            let wanted = match landing.output {
                HalfOutput::Both => true,
                HalfOutput::F32 | HalfOutput::MergeLow => half == 0,
                HalfOutput::MergeHigh => half == 1,
            };
            if !wanted {
                return None;
            }
            let operands: Vec<Value> =
                sources.iter().filter_map(|source| source.get(half).copied()).collect();
            let (value, mode) = if to_wide {
                let mode = single(flush, Round::Nearest);
                (self.value(sum.op(mode), &operands), mode)
            } else if has_wide {
                let odd = self.odd(sum, &operands, flush);
                (self.value(Op::FConvert(Width::F32, mode(flush)), &[odd]), mode(flush))
            } else {
                (self.value(sum.op(mode(flush)), &operands), mode(flush))
            };
            Some(if landing.saturate { self.value(Op::FSaturate(mode), &[value]) } else { value })
        });
        self.land(results, landing);
    }

    /// A result of 32 bits that is odd where it is not exact: such a one rounds to 16 bits as the exact one does.
    fn odd(&mut self, sum: Sum, operands: &[Value], flush: bool) -> Value {
        let [cut, down, up] = [Round::Zero, Round::Down, Round::Up]
            .map(|round| self.value(sum.op(single(flush, round)), operands));
        let same = self.equal(down, up);
        let inexact = self.value(Op::Not, &[same]);
        let bit = self.value(Op::BToI, &[inexact]);
        self.value(Op::Or, &[cut, bit])
    }

    fn land(&mut self, results: [Option<Value>; 2], landing: Landing) {
        let value = match (landing.output, results) {
            (HalfOutput::F32, [Some(value), _]) => value,
            (_, [Some(low), Some(high)]) => self.value(Op::Join, &[low, high]),
            (_, [Some(low), None]) => {
                let old = self.register(landing.d);
                let high = self.value(Op::High, &[old]);
                self.value(Op::Join, &[low, high])
            }
            (_, [None, Some(high)]) => {
                let old = self.register(landing.d);
                let low = self.value(Op::Low, &[old]);
                self.value(Op::Join, &[low, high])
            }
            (_, [None, None]) => return,
        };
        self.set_register(landing.d, value);
    }

    pub(super) fn half_add(&mut self, sources: [Halves; 2], flush: bool, landing: Landing) {
        self.each(Sum::Add, &sources, flush, landing);
    }

    pub(super) fn half_multiply(&mut self, sources: [Halves; 2], denormals: Denormals, landing: Landing) {
        let (flush, rule) = multiply(denormals);
        self.each(Sum::Multiply(rule), &sources, flush, landing);
    }

    pub(super) fn half_multiply_add(&mut self, sources: [Halves; 3], denormals: Denormals, landing: Landing) {
        let (flush, rule) = multiply(denormals);
        self.each(Sum::Fused(rule), &sources, flush, landing);
    }

    /// Comparisons of both halves, in 32 bits where a source has them.
    fn half_truths(&mut self, a: Halves, b: Halves, compare: CompareFloat, flush: bool) -> [Value; 2] {
        let has_wide = [a, b].iter().any(|source| source.swizzle == Swizzle::F32);
        let ([a0, a1], [b0, b1], mode) = if has_wide {
            (self.two_wide(a, flush), self.two_wide(b, flush), single(flush, Round::Nearest))
        } else {
            (self.two(a), self.two(b), mode(flush))
        };
        [self.compare(compare, a0, b0, mode), self.compare(compare, a1, b1, mode)]
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
