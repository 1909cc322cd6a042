//! Conversions between formats of numbers.

use super::super::operation::{ConversionSource, Destination, FloatFormat, IntFormat, Rounding};
use super::float::round;
use super::write::Writer;
use unshade_ir::{CompareFloat, FloatMode, Op, Round, Value, Width};

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

    /// Writes a float of any width, with its condition code; 16 bits go into the lower half, zeros above.
    fn converted(&mut self, d: Destination, value: Value, width: Width) {
        if d.flags {
            self.float_flags(value, FloatMode { width, flush: false, round: Round::Nearest });
        }
        match width {
            Width::F64 => {
                let [low, high] = self.halves(value);
                self.set_register(d.register, low);
                self.set_register(d.register.further(1), high);
            }
            Width::F16 => {
                let none = self.value(Op::B16(0), &[]);
                let word = self.value(Op::Join, &[value, none]);
                self.set_register(d.register, word);
            }
            Width::F32 => self.set_register(d.register, value),
        }
    }

    pub(super) fn float_to_float(&mut self, d: Destination, a: ConversionSource, sign: Sign, how: Between) {
        let value = self.float_source(a, how.from, sign);
        let (from, to) = (width(how.from), width(how.to));
        // Denormals of doubles stay, also where only one side is a double, and those of 16 bits.
        let has_double = from == Width::F64 || to == Width::F64;
        let flush = how.flush && !has_double;
        let mode = |width| FloatMode {
            width,
            flush: flush && from == Width::F32 && width == Width::F32,
            round: round(how.rounding),
        };
        let exact = FloatMode { round: Round::Nearest, ..mode(to) };
        let mut value = value;
        if from == Width::F32 && to == Width::F16 && flush {
            // The rule of a conversion is about its result; here it is about the source.
            value = self
                .value(Op::FConvert(Width::F32, FloatMode { round: Round::Nearest, ..mode(from) }), &[value]);
        }
        if from != to {
            value = self.value(Op::FConvert(from, mode(to)), &[value]);
        } else if how.integral {
            value = self.value(Op::FRound(exact, round(how.rounding)), &[value]);
        } else if flush && from == Width::F32 {
            value = self.value(Op::FConvert(from, mode(to)), &[value]);
        } else if from == Width::F16 && !how.saturate {
            // What is no number becomes the one that operations on halves give.
            let is_none = self.value(Op::FCompare(CompareFloat::Ne, exact), &[value, value]);
            let none = self.value(Op::B16(0x7FFF), &[]);
            value = self.select(is_none, none, value);
        }
        if how.saturate && !has_double {
            value = self.value(Op::FSaturate(exact), &[value]);
        }
        self.converted(d, value, to);
    }

    pub(super) fn float_to_int(
        &mut self,
        d: Destination,
        (a, from, sign): (ConversionSource, FloatFormat, Sign),
        to: IntFormat,
        rounding: Rounding,
        flush: bool,
    ) {
        let source = self.float_source(a, from, sign);
        let width = width(from);
        let (mut value, mut round) = (source, round(rounding));
        if flush && width == Width::F32 && matches!(rounding, Rounding::Up | Rounding::Down) {
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
        // The IR's conversions make 0 of what is no number.
        let lowest = match (to.bits, from) {
            (64, _) => Some(Op::B64(1 << 63)),
            (32, FloatFormat::F64) => Some(Op::B32(1 << 31)),
            _ => None,
        };
        let value = match lowest {
            Some(lowest) => {
                let lowest = self.value(lowest, &[]);
                let no_number = self.value(Op::FIsNan(width), &[source]);
                self.select(no_number, lowest, value)
            }
            None => value,
        };
        if to.bits == 64 {
            let [low, high] = self.halves(value);
            self.set_register(d.register, low);
            self.set_register(d.register.further(1), high);
            if d.flags {
                let no = self.truth(false);
                self.flags(low, no, no);
            }
            return;
        }
        self.result(d, value);
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

    /// An integer source, extended to 32 bits (64 bits stay), with its sign: of a signed one in its own width, where
    /// the amount of the lowest number is that number.
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
        let narrow = from.signed && from.bits < 32;
        if sign.absolute && from.signed {
            let negative = self.value(Op::INeg, &[value]);
            value = self.value(Op::SMax, &[value, negative]);
        }
        if sign.negate {
            value = self.value(Op::INeg, &[value]);
        }
        if narrow && (sign.absolute || sign.negate) {
            value = self.cut(value, 0, from.bits.into(), true);
        }
        value
    }

    pub(super) fn int_to_float(
        &mut self,
        d: Destination,
        (a, from, sign): (ConversionSource, IntFormat, Sign),
        to: FloatFormat,
        rounding: Rounding,
    ) {
        let to = width(to);
        // The negative of 32 or 64 bits without a sign has no type: the amount is rounded, the other way.
        let outside = sign.negate && !from.signed && from.bits >= 32;
        let value = self.int_source(a, from, Sign { negate: sign.negate && !outside, ..sign });
        let rounding = match (rounding, outside) {
            (Rounding::Down, true) => Rounding::Up,
            (Rounding::Up, true) => Rounding::Down,
            (rounding, _) => rounding,
        };
        let mode = FloatMode { width: to, flush: false, round: round(rounding) };
        // Fewer bits than 32 leave room for a sign.
        let is_signed = from.signed || sign.negate && !outside;
        let mut result = self.value(if is_signed { Op::SToF(mode) } else { Op::UToF(mode) }, &[value]);
        if outside {
            let opposite = self.value(Op::FNeg(to), &[result]);
            let zero = match from.bits {
                64 => {
                    let [low, high] = self.halves(value);
                    let any = self.value(Op::Or, &[low, high]);
                    self.is_zero(any)
                }
                _ => self.is_zero(value),
            };
            result = self.select(zero, result, opposite);
        }
        self.converted(d, result, to);
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
        // The negative of an unsigned word is below every limit there is.
        let outside = sign.negate && !from.signed && from.bits == 32 && saturate;
        let value = self.int_source(a, from, Sign { negate: sign.negate && !outside, ..sign });
        // Fewer bits than 32 leave room for a sign.
        let is_signed = from.signed || sign.negate;
        let value = match saturate {
            true if outside => self.negative_clamped(value, to),
            true if to.bits < 32 || is_signed != to.signed => self.clamped(value, is_signed, to),
            true => value,
            false => self.cut(value, 0, to.bits.into(), false),
        };
        self.result(d, value);
    }

    /// The negative of an unsigned word, clamped.
    fn negative_clamped(&mut self, amount: Value, to: IntFormat) -> Value {
        if !to.signed {
            return self.bits(0);
        }
        let most = self.bits(1 << (u32::from(to.bits.clamp(8, 32)) - 1));
        let amount = self.value(Op::UMin, &[amount, most]);
        self.value(Op::INeg, &[amount])
    }
}
