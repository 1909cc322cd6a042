//! Conversions between formats of numbers.

use super::super::operation::{ConversionSource, Destination, FloatFormat, IntFormat, Rounding};
use super::float::round;
use super::registers::Flag;
use super::write::Writer;
use unshade_ir::{FloatMode, Op, Round, Type, Value, Width};

/// The IR's name of a format.
fn width(format: FloatFormat) -> Width {
    match format {
        FloatFormat::F16 => Width::F16,
        FloatFormat::F32 => Width::F32,
        FloatFormat::F64 => Width::F64,
    }
}

/// Sign and amount of a source.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sign {
    pub(super) negate: bool,
    pub(super) absolute: bool,
}

/// How a float becomes another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Between {
    pub(super) from: FloatFormat,
    pub(super) to: FloatFormat,
    pub(super) rounding: Rounding,
    pub(super) integral: bool,
    pub(super) flush: bool,
    pub(super) saturate: bool,
}

impl Writer<'_> {
    fn float_source(&mut self, a: ConversionSource, from: FloatFormat, sign: Sign) -> Value {
        let value = match a {
            ConversionSource::Double(source) => {
                let halves = self.source64(source);
                self.joined(halves)
            }
            ConversionSource::Word { source, part } => {
                let value = self.source(source);
                match from {
                    FloatFormat::F16 if part & 1 == 0 => self.value(Op::Low, &[value]),
                    FloatFormat::F16 => self.value(Op::High, &[value]),
                    _ => value,
                }
            }
        };
        self.signed(value, width(from), sign.negate, sign.absolute)
    }

    /// Writes a result of any width; 16 bits go into the lower half, zeros above.
    fn converted(&mut self, d: Destination, value: Value) {
        match self.builder.ty(value) {
            Type::B64 => self.result64(d, value),
            Type::B16 => {
                let none = self.value(Op::B16(0), &[]);
                let word = self.value(Op::Join, &[value, none]);
                self.result(d, word);
            }
            _ => self.result(d, value),
        }
    }

    pub(super) fn float_to_float(&mut self, d: Destination, a: ConversionSource, sign: Sign, how: Between) {
        let value = self.float_source(a, how.from, sign);
        let (from, to) = (width(how.from), width(how.to));
        let mode = FloatMode { width: to, flush: how.flush, round: round(how.rounding) };
        let mut value = value;
        if from != to {
            value = self.value(Op::FConvert(from, mode), &[value]);
        } else if how.integral {
            let exact = FloatMode { round: Round::Nearest, ..mode };
            value = self.value(Op::FRound(exact, round(how.rounding)), &[value]);
        } else if how.flush {
            value = self.value(Op::FConvert(from, mode), &[value]);
        }
        if how.saturate {
            value = self.value(Op::FSaturate(FloatMode { round: Round::Nearest, ..mode }), &[value]);
        }
        self.converted(d, value);
    }

    pub(super) fn float_to_int(
        &mut self,
        d: Destination,
        (a, from, sign): (ConversionSource, FloatFormat, Sign),
        to: IntFormat,
        rounding: Rounding,
        flush: bool,
    ) {
        let mut value = self.float_source(a, from, sign);
        let width = width(from);
        let mut round = round(rounding);
        if flush && matches!(rounding, Rounding::Up | Rounding::Down) {
            // A denormal is zero before it is rounded.
            let mode = FloatMode { width, flush, round: Round::Nearest };
            value = self.value(Op::FRound(mode, round), &[value]);
            round = Round::Zero;
        }
        let op = match (to.bits, to.signed) {
            (64, true) => Op::FToS64(width, round),
            (64, false) => Op::FToU64(width, round),
            (_, true) => Op::FToS(width, round),
            (_, false) => Op::FToU(width, round),
        };
        let value = self.value(op, &[value]);
        let value = if to.bits < 32 { self.clamped(value, to.signed, to) } else { value };
        self.converted(d, value);
    }

    /// A word clamped to a narrower format, itself read with or without a sign.
    fn clamped(&mut self, value: Value, signed: bool, to: IntFormat) -> Value {
        let bits = u32::from(to.bits.clamp(1, 32));
        let all = u32::MAX >> (32 - bits);
        match (signed, to.signed) {
            (true, true) => {
                let (least, most) = (self.bits(!(all >> 1)), self.bits(all >> 1));
                let above = self.value(Op::SMax, &[value, least]);
                self.value(Op::SMin, &[above, most])
            }
            (true, false) => {
                let least = self.bits(0);
                let above = self.value(Op::SMax, &[value, least]);
                let most = self.bits(all);
                self.value(Op::UMin, &[above, most])
            }
            (false, to_signed) => {
                let most = self.bits(if to_signed { all >> 1 } else { all });
                self.value(Op::UMin, &[value, most])
            }
        }
    }

    /// An integer source, extended to 32 bits (64 bits stay), with its sign.
    fn int_source(&mut self, a: ConversionSource, from: IntFormat, sign: Sign) -> Value {
        let mut value = match a {
            ConversionSource::Double(source) => {
                let halves = self.source64(source);
                self.joined(halves)
            }
            ConversionSource::Word { source, part } => {
                let value = self.source(source);
                let bits = u32::from(from.bits.min(32));
                let first = bits * u32::from(part);
                self.cut(value, first.min(32 - bits), bits, from.signed)
            }
        };
        if sign.absolute {
            let negative = self.value(Op::INeg, &[value]);
            value = self.value(Op::SMax, &[value, negative]);
        }
        if sign.negate { self.value(Op::INeg, &[value]) } else { value }
    }

    pub(super) fn int_to_float(
        &mut self,
        d: Destination,
        (a, from, sign): (ConversionSource, IntFormat, Sign),
        to: FloatFormat,
        rounding: Rounding,
    ) {
        let value = self.int_source(a, from, sign);
        let mode = FloatMode { width: width(to), flush: false, round: round(rounding) };
        let value = self.value(if from.signed { Op::SToF(mode) } else { Op::UToF(mode) }, &[value]);
        self.converted(d, value);
    }

    pub(super) fn int_to_int(
        &mut self,
        d: Destination,
        (a, from, sign): (ConversionSource, IntFormat, Sign),
        to: IntFormat,
        saturate: bool,
    ) {
        if from.bits == 64 || to.bits == 64 {
            return self.refuse("a conversion between integers of 64 bits");
        }
        let value = self.int_source(a, from, sign);
        let value = match saturate {
            true if to.bits < 32 || from.signed != to.signed => self.clamped(value, from.signed, to),
            true => value,
            false => self.cut(value, 0, to.bits.into(), to.signed),
        };
        self.result(d, value);
        if d.flags {
            let no = self.truth(false);
            self.set_flag(Flag::Overflow, no);
        }
    }
}
