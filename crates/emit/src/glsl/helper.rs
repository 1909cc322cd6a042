//! Functions for operations that GLSL does not have, each printed once and only if used.

use super::directed;
use super::piece::{Group, Piece};
use super::types;
use super::{GlslVersion, Printer};
use crate::signature::{helper_operand, helper_result};
use std::fmt::Write as _;
use unshade_ir::ast::{Helper, Scalar, Type};

/// A helper function with the width it is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HelperUse {
    /// An operation of the machine, of a kind and so many components.
    Machine(Helper, Scalar, u8),
    /// `mix(a, b, bvec)` of a type for which the version has none.
    Choose(Type),
    /// One of the two numbers that `frexp` gives, the exponent or the other, of so many components.
    Frexp(bool, u8),
}

impl HelperUse {
    /// All widths share a name: they are overloads.
    fn wish(self) -> &'static str {
        match self {
            Self::Choose(_) => "choose",
            Self::Frexp(true, _) => "exponentOf",
            Self::Frexp(false, _) => "significandOf",
            Self::Machine(helper, ..) => match helper {
                Helper::MulInfTimesZero => "mul0",
                Helper::MulZeroWins => "mulZeroWins",
                Helper::MaxSecond => "maxSecond",
                Helper::MinSecond => "minSecond",
                Helper::Saturate => "saturate",
                Helper::ToIntSaturate => "toInt",
                Helper::ToUintSaturate => "toUint",
                Helper::MinNumber => "minNumber",
                Helper::MaxNumber => "maxNumber",
                Helper::FlushDenormal => "flushDenormal",
                Helper::DivideInt | Helper::DivideUint => "divide",
                Helper::RemainderInt | Helper::RemainderUint => "remainder",
                Helper::MulHighInt | Helper::MulHighUint => "mulHigh",
                Helper::BitExtractInt | Helper::BitExtractUint => "extractBits",
                Helper::BitInsert => "insertBits",
                Helper::RoundHalf => "roundHalf",
                Helper::FmaHalf => "fmaHalf",
                Helper::FlushHalf => "flushHalf",
                Helper::ToSingle(_)
                | Helper::ToHalf(_)
                | Helper::SumToSingle(_)
                | Helper::AddToward(_)
                | Helper::MulToward(_) => directed::name(helper),
            },
        }
    }
}

impl Printer<'_> {
    /// Prints the name of a helper function and notes its use.
    pub(super) fn helper_name(&mut self, helper: HelperUse) {
        let wish = helper.wish();
        let names = &mut self.names;
        let name = self.helper_names.entry(wish).or_insert_with(|| names.add(wish));
        self.out.push_str(name);
        self.helpers.insert(helper);
        // The vector form calls the scalar one.
        if let HelperUse::Machine(machine, scalar, 2..) = helper {
            self.helpers.insert(HelperUse::Machine(machine, scalar, 1));
        }
        // Sums are rounded by the function that rounds.
        if let HelperUse::Machine(Helper::SumToSingle(round), ..) = helper {
            let rounds = HelperUse::Machine(Helper::ToSingle(round), Scalar::Double, 1);
            let names = &mut self.names;
            self.helper_names.entry(rounds.wish()).or_insert_with(|| names.add(rounds.wish()));
            self.helpers.insert(rounds);
        }
    }

    /// Prints all that were used.
    pub(super) fn helper_functions(&mut self) {
        for helper in std::mem::take(&mut self.helpers) {
            let mut text = String::new();
            let name = self.helper_names.get(helper.wish()).map_or("", String::as_str);
            let precise = self.options.strict && self.version.has_precise();
            match helper {
                HelperUse::Machine(machine, scalar, 1) if !directed::name(machine).is_empty() => {
                    let rounds = match machine {
                        Helper::SumToSingle(round) => directed::name(Helper::ToSingle(round)),
                        _ => "",
                    };
                    let rounds = self.helper_names.get(rounds).map_or("", String::as_str);
                    directed::function(&mut text, machine, scalar, name, rounds);
                }
                HelperUse::Machine(machine, Scalar::Double, 1) => {
                    double_helper(&mut text, machine, name, precise);
                }
                HelperUse::Machine(machine, _, 1) => {
                    scalar_helper(&mut text, machine, name, precise, self.version);
                }
                HelperUse::Machine(machine, scalar, components) => {
                    vector_helper(&mut text, machine, name, scalar, components);
                }
                HelperUse::Choose(ty) => choose(&mut text, ty, name),
                HelperUse::Frexp(exponent, components) => {
                    frexp(&mut text, exponent, components, name, self.version);
                }
            }
            self.pieces.push(Piece { group: Group::Helper, explicit: text.clone(), text, passed: None });
        }
    }
}

/// What `frexp` gives, or its exponent. Versions without it have the bits of floats.
fn frexp(out: &mut String, exponent: bool, components: u8, name: &str, version: GlslVersion) {
    let [float, int] = [Scalar::Float, Scalar::Int].map(|scalar| types::name(Type { scalar, components }));
    let result = if exponent { int } else { float };
    let comment = match exponent {
        true => "The power of two that a number is its significand times.",
        false => "A number without its power of two, from 0.5 up to 1.",
    };
    let _ = writeln!(out, "// {comment}\n{result} {name}({float} a) {{");
    if version.has_frexp() {
        let _ = writeln!(out, "    {int} exponent;");
        out.push_str(match exponent {
            true => "    frexp(a, exponent);\n    return exponent;\n}\n",
            false => "    return frexp(a, exponent);\n}\n",
        });
    } else {
        let zero = match components {
            1 => "int(a == 0.0)".to_owned(),
            _ => format!("{int}(equal(a, {float}(0.0)))"),
        };
        let _ = match exponent {
            true => writeln!(out, "    return (floatBitsToInt(abs(a)) >> 23) - 126 * (1 - {zero});\n}}"),
            false => writeln!(
                out,
                "    return intBitsToFloat(floatBitsToInt(a) & int(0x807fffffu) | 0x3f000000 * (1 - {zero}));\n}}"
            ),
        };
    }
}

/// Comment, first line (`@` is the name) and the rest of functions that are more than an expression.
fn whole_function(helper: Helper) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match helper {
        Helper::BitExtractInt => (
            "Bits from a number on; past the last one they are the sign.",
            "int @(int a, int offset, int count) {\n",
            "    int shifted = a >> min(uint(offset), 31u);\n    \
             int unused = 32 - int(min(uint(count), 32u));\n    \
             return count == 0 ? 0 : (shifted << unused) >> unused;\n}\n",
        ),
        Helper::BitExtractUint => (
            "Bits from a number on; past the last one they are 0.",
            "uint @(uint a, int offset, int count) {\n",
            "    uint shifted = uint(offset) < 32u ? a >> offset : 0u;\n    \
             return uint(count) < 32u ? shifted & ((1u << count) - 1u) : shifted;\n}\n",
        ),
        Helper::BitInsert => (
            "a with bits from a number on taken from b; those past the last one are dropped.",
            "uint @(uint a, uint b, int offset, int count) {\n",
            "    if (uint(offset) >= 32u) {\n        return a;\n    }\n    \
             uint mask = (uint(count) < 32u ? (1u << count) - 1u : 0xffffffffu) << offset;\n    \
             return (a & ~mask) | ((b << offset) & mask);\n}\n",
        ),
        Helper::RoundHalf => (
            "The nearest float of 16 bits.",
            "float @(float a) {\n",
            "    return unpackHalf2x16(packHalf2x16(vec2(a, 0.0))).x;\n}\n",
        ),
        Helper::FmaHalf => (
            "a * b + c of floats of 16 bits, rounded once: the sum of 32 bits is made odd where it is not exact.",
            "float @(float a, float b, float c) {\n",
            "    precise float product = a * b;\n    \
             precise float sum = product + c;\n    \
             precise float part = sum - product;\n    \
             precise float lost = (product - (sum - part)) + (c - part);\n    \
             int bits = floatBitsToInt(sum);\n    \
             if (lost != 0.0 && !isinf(sum) && (bits & 1) == 0) {\n        \
             bits += (lost > 0.0) == (sum > 0.0) ? 1 : -1;\n    }\n    \
             return unpackHalf2x16(packHalf2x16(vec2(intBitsToFloat(bits), 0.0))).x;\n}\n",
        ),
        _ => return None,
    })
}

/// Bodies without the functions that ES 1.00 does not have.
fn old_body(helper: Helper) -> Option<&'static str> {
    Some(match helper {
        Helper::Saturate => "a > 0.0 ? min(a, 1.0) : 0.0",
        Helper::ToIntSaturate => {
            "a >= 2147483648.0 ? 2147483647\n        : a >= -2147483648.0 ? int(a)\n        : a != a ? 0 : (-2147483647 - 1)"
        }
        Helper::MinNumber => "a != a ? b : b != b ? a : min(a, b)",
        Helper::MaxNumber => "a != a ? b : b != b ? a : max(a, b)",
        Helper::FlushDenormal => "abs(a) < 1.17549435e-38 ? 0.0 * a : a",
        _ => return None,
    })
}

fn scalar_helper(out: &mut String, helper: Helper, name: &str, precise: bool, version: GlslVersion) {
    if let Some((comment, signature, body)) = whole_function(helper) {
        let _ = write!(out, "// {comment}\n{}", signature.replace('@', name));
        out.push_str(body);
        return;
    }
    let modern = version.has_precise();
    let (comment, body) = match helper {
        Helper::MulInfTimesZero => (
            "The machine's product: 0 * infinity is 0.",
            "(a == 0.0 && isinf(b)) || (isinf(a) && b == 0.0) ? 0.0 : ",
        ),
        Helper::MulZeroWins => ("The machine's product: 0 * anything is 0.", "a == 0.0 || b == 0.0 ? 0.0 : "),
        Helper::MaxSecond => ("The second operand unless the first is greater.", "a > b ? a : b"),
        Helper::MinSecond => ("The second operand unless the first is less.", "a < b ? a : b"),
        Helper::Saturate => ("To the range 0 to 1, NaN to 0.", "isnan(a) ? 0.0 : clamp(a, 0.0, 1.0)"),
        Helper::ToIntSaturate => (
            "Towards zero, to the nearest int where out of range, NaN to 0.",
            "a >= 2147483648.0 ? 2147483647\n        : a >= -2147483648.0 ? int(a)\n        : isnan(a) ? 0 : int(0x80000000u)",
        ),
        Helper::ToUintSaturate => (
            "Towards zero, to the nearest uint where out of range, NaN to 0.",
            "a >= 4294967296.0 ? 0xffffffffu : a > 0.0 ? uint(a) : 0u",
        ),
        Helper::MinNumber => (
            "The lesser operand; a NaN loses, -0 is less than +0.",
            "isnan(b) || a < b || (a == b && floatBitsToInt(a) < 0) ? a : b",
        ),
        Helper::MaxNumber => (
            "The greater operand; a NaN loses, -0 is less than +0.",
            "isnan(b) || a > b || (a == b && floatBitsToInt(a) >= 0) ? a : b",
        ),
        Helper::FlushDenormal => (
            "A denormal to the zero of its sign.",
            "(floatBitsToUint(a) & 0x7f800000u) == 0u\n        \
             ? uintBitsToFloat(floatBitsToUint(a) & 0x80000000u)\n        : a",
        ),
        Helper::DivideInt => (
            "Towards zero; by 0 it is 0, the smallest number by -1 itself.",
            "b == 0 ? 0 : b == -1 ? int(0u - uint(a)) : a / b",
        ),
        Helper::DivideUint => ("By 0 it is all ones.", "b == 0u ? 0xffffffffu : a / b"),
        Helper::RemainderInt => (
            "What division leaves, with the sign of a; by 0 it is a.",
            "b == 0 ? a : b == -1 ? 0 : a - a / b * b",
        ),
        Helper::RemainderUint => ("What division leaves; by 0 it is a.", "b == 0u ? a : a % b"),
        Helper::MulHighInt | Helper::MulHighUint => ("The high half of the product.", ""),
        Helper::BitExtractInt
        | Helper::BitExtractUint
        | Helper::BitInsert
        | Helper::RoundHalf
        | Helper::FmaHalf
        | Helper::ToSingle(_)
        | Helper::ToHalf(_)
        | Helper::SumToSingle(_)
        | Helper::AddToward(_)
        | Helper::MulToward(_) => ("", ""),
        Helper::FlushHalf => (
            "A denormal of 16 bits to the zero of its sign.",
            "abs(a) < 6.103515625e-5 ? uintBitsToFloat(floatBitsToUint(a) & 0x80000000u) : a",
        ),
    };
    let body = old_body(helper).filter(|_| version.is_old()).unwrap_or(body);
    let result = types::name(Type { scalar: helper_result(helper, Scalar::Float), components: 1 });
    let operand = types::name(Type { scalar: helper_operand(helper, Scalar::Float), components: 1 });
    let two = crate::signature::helper_operands(helper) == 2;
    let second = if two { format!(", {operand} b") } else { String::new() };
    let is_product = matches!(helper, Helper::MulInfTimesZero | Helper::MulZeroWins);
    let _ = write!(out, "// {comment}\n{result} {name}({operand} a{second}) {{\n");
    if is_product && precise {
        out.push_str("    precise float product = a * b;\n");
    }
    let product = match (is_product, precise) {
        (true, true) => "product",
        (true, false) => "a * b",
        _ => "",
    };
    if matches!(helper, Helper::MulHighInt | Helper::MulHighUint) {
        out.push_str(high_half(helper, modern));
        return;
    }
    let _ = write!(out, "    return {body}{product};\n}}\n");
}

/// A function of doubles.
fn double_helper(out: &mut String, helper: Helper, name: &str, precise: bool) {
    let (comment, body) = match helper {
        Helper::MulInfTimesZero => (
            "The machine's product: 0 * infinity is 0.",
            "(a == 0.0LF && isinf(b)) || (isinf(a) && b == 0.0LF) ? 0.0LF : ",
        ),
        Helper::MulZeroWins => {
            ("The machine's product: 0 * anything is 0.", "a == 0.0LF || b == 0.0LF ? 0.0LF : ")
        }
        Helper::MaxSecond => ("The second operand unless the first is greater.", "a > b ? a : b"),
        Helper::MinSecond => ("The second operand unless the first is less.", "a < b ? a : b"),
        Helper::Saturate => ("To the range 0 to 1, NaN to 0.", "a > 0.0LF ? min(a, 1.0LF) : 0.0LF"),
        Helper::ToIntSaturate => (
            "Towards zero, to the nearest int where out of range, NaN to 0.",
            "a >= 2147483648.0LF ? 2147483647\n        : a > -2147483649.0LF ? int(a)\n        \
             : isnan(a) ? 0 : int(0x80000000u)",
        ),
        Helper::ToUintSaturate => (
            "Towards zero, to the nearest uint where out of range, NaN to 0.",
            "a >= 4294967296.0LF ? 0xffffffffu : a > 0.0LF ? uint(a) : 0u",
        ),
        Helper::MinNumber => (
            "The lesser operand; a NaN loses, -0 is less than +0.",
            "isnan(b) || a < b || (a == b && int(unpackDouble2x32(a).y) < 0) ? a : b",
        ),
        Helper::MaxNumber => (
            "The greater operand; a NaN loses, -0 is less than +0.",
            "isnan(b) || a > b || (a == b && int(unpackDouble2x32(a).y) >= 0) ? a : b",
        ),
        Helper::FlushDenormal => (
            "A denormal to the zero of its sign.",
            "(unpackDouble2x32(a).y & 0x7ff00000u) == 0u\n        \
             ? packDouble2x32(uvec2(0u, unpackDouble2x32(a).y & 0x80000000u))\n        : a",
        ),
        Helper::RoundHalf => {
            let _ = write!(
                out,
                "// The nearest float of 16 bits, rounded once: the float of 32 bits is made odd where it is not \
                 exact.\nfloat {name}(double a) {{\n    float near = float(a);\n    \
                 int bits = floatBitsToInt(near);\n    \
                 if (double(near) != a && !isinf(near) && (bits & 1) == 0) {{\n        \
                 bits += abs(double(near)) < abs(a) ? 1 : -1;\n    }}\n    \
                 return unpackHalf2x16(packHalf2x16(vec2(intBitsToFloat(bits), 0.0))).x;\n}}\n"
            );
            return;
        }
        // The check refuses these of doubles; the others are of integers.
        _ => ("", "a"),
    };
    let result = types::name(Type { scalar: helper_result(helper, Scalar::Double), components: 1 });
    let second = if crate::signature::helper_operands(helper) == 2 { ", double b" } else { "" };
    let _ = write!(out, "// {comment}\n{result} {name}(double a{second}) {{\n");
    let is_product = matches!(helper, Helper::MulInfTimesZero | Helper::MulZeroWins);
    if is_product && precise {
        out.push_str("    precise double product = a * b;\n");
    }
    let product = match (is_product, precise) {
        (true, true) => "product",
        (true, false) => "a * b",
        _ => "",
    };
    let _ = write!(out, "    return {body}{product};\n}}\n");
}

/// The rest of the function from its first line on.
fn high_half(helper: Helper, modern: bool) -> &'static str {
    match (helper, modern) {
        (Helper::MulHighInt, true) => {
            "    int high, low;\n    imulExtended(a, b, high, low);\n    return high;\n}\n"
        }
        (_, true) => "    uint high, low;\n    umulExtended(a, b, high, low);\n    return high;\n}\n",
        // By halves; a negative factor counts 2^32 too much.
        (Helper::MulHighInt, false) => {
            "    uint x = uint(a), y = uint(b);\n    \
             uint low = (x & 0xffffu) * (y & 0xffffu);\n    \
             uint first = (x >> 16u) * (y & 0xffffu) + (low >> 16u);\n    \
             uint second = (x & 0xffffu) * (y >> 16u) + (first & 0xffffu);\n    \
             uint high = (x >> 16u) * (y >> 16u) + (first >> 16u) + (second >> 16u);\n    \
             return int(high - (a < 0 ? y : 0u) - (b < 0 ? x : 0u));\n}\n"
        }
        _ => {
            "    uint low = (a & 0xffffu) * (b & 0xffffu);\n    \
             uint first = (a >> 16u) * (b & 0xffffu) + (low >> 16u);\n    \
             uint second = (a & 0xffffu) * (b >> 16u) + (first & 0xffffu);\n    \
             return (a >> 16u) * (b >> 16u) + (first >> 16u) + (second >> 16u);\n}\n"
        }
    }
}

fn vector_helper(out: &mut String, helper: Helper, name: &str, scalar: Scalar, components: u8) {
    let result = types::name(Type { scalar: helper_result(helper, scalar), components });
    let operand = types::name(Type { scalar: helper_operand(helper, scalar), components });
    let two = crate::signature::helper_operands(helper) == 2;
    let second = if two { format!(", {operand} b") } else { String::new() };
    let _ = write!(out, "{result} {name}({operand} a{second}) {{\n    return {result}(");
    for (place, lane) in ["x", "y", "z", "w"].into_iter().take(usize::from(components)).enumerate() {
        out.push_str(if place > 0 { ", " } else { "" });
        let _ = if two { write!(out, "{name}(a.{lane}, b.{lane})") } else { write!(out, "{name}(a.{lane})") };
    }
    out.push_str(");\n}\n");
}

fn choose(out: &mut String, ty: Type, name: &str) {
    let condition = types::name(Type { scalar: Scalar::Bool, ..ty });
    let ty_name = types::name(ty);
    let _ = write!(
        out,
        "// b where the condition holds, a elsewhere.\n\
         {ty_name} {name}({ty_name} a, {ty_name} b, {condition} c) {{\n    return {ty_name}("
    );
    for (place, lane) in ["x", "y", "z", "w"].into_iter().take(usize::from(ty.components)).enumerate() {
        let comma = if place > 0 { ", " } else { "" };
        let _ = write!(out, "{comma}c.{lane} ? b.{lane} : a.{lane}");
    }
    out.push_str(");\n}\n");
}
