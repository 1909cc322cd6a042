//! Functions that round toward zero, down or up. They step from the nearest result to its neighbour where what rounding
//! lost says so.

use std::fmt::Write as _;
use unshade_ir::Round;
use unshade_ir::ast::{Helper, Scalar};

/// The name of a function, by which all widths go; empty for what does not round in a direction.
pub(super) fn name(helper: Helper) -> &'static str {
    let choose = |names: [&'static str; 4], round: Round| match round {
        Round::Nearest => names[0],
        Round::Zero => names[1],
        Round::Down => names[2],
        Round::Up => names[3],
    };
    match helper {
        Helper::ToSingle(round) => choose(["toNearest", "toZero", "toLower", "toUpper"], round),
        Helper::ToHalf(round) => choose(["halfNearest", "halfToZero", "halfDown", "halfUp"], round),
        Helper::SumToSingle(round) => choose(["sumNearest", "sumToZero", "sumDown", "sumUp"], round),
        Helper::AddToward(round) => choose(["addNearest", "addToZero", "addDown", "addUp"], round),
        Helper::MulToward(round) => choose(["mulNearest", "mulToZero", "mulDown", "mulUp"], round),
        _ => "",
    }
}

fn words(round: Round) -> &'static str {
    match round {
        Round::Nearest => "to nearest",
        Round::Zero => "toward zero",
        Round::Down => "down",
        Round::Up => "up",
    }
}

/// Prints a function. `rounds` is the name of that for [`Helper::ToSingle`], which sums take.
pub(super) fn function(out: &mut String, helper: Helper, kind: Scalar, name: &str, rounds: &str) {
    // Writing to a string cannot fail.
    let _ = match helper {
        Helper::ToSingle(round) => write!(
            out,
            "// The float of 32 bits, rounded {}.\n\
             float {name}(double a) {{\n    \
             float near = float(a);\n    \
             int bits = floatBitsToInt(near);\n    \
             return {};\n}}\n",
            words(round),
            match round {
                Round::Nearest => "near",
                Round::Zero => "abs(double(near)) > abs(a) ? intBitsToFloat(bits - 1) : near",
                Round::Down => "double(near) > a ? intBitsToFloat(bits < 0 ? bits + 1 : bits - 1) : near",
                Round::Up => "double(near) < a ? intBitsToFloat(bits < 0 ? bits - 1 : bits + 1) : near",
            }
        ),
        Helper::ToHalf(round) => {
            let (ty, given, near) = match kind {
                Scalar::Double => ("double", "float(a)", "double(near)"),
                _ => ("float", "a", "near"),
            };
            let step = match round {
                Round::Nearest => "bits".to_owned(),
                Round::Zero => format!("abs({near}) > abs(a) ? bits - 1u : bits"),
                Round::Down => {
                    format!("{near} > a ? (bits >= 0x8000u ? bits + 1u : bits - 1u) : bits")
                }
                Round::Up => format!("{near} < a ? (bits >= 0x8000u ? bits - 1u : bits + 1u) : bits"),
            };
            write!(
                out,
                "// The float of 16 bits, rounded {}.\n\
                 float {name}({ty} a) {{\n    \
                 uint bits = packHalf2x16(vec2({given}, 0.0));\n    \
                 float near = unpackHalf2x16(bits).x;\n    \
                 return unpackHalf2x16({step}).x;\n}}\n",
                words(round)
            )
        }
        Helper::SumToSingle(round) => {
            // What cancels is a negative zero where rounding goes down.
            let zero = match round {
                Round::Down => {
                    "    if (sum == 0.0LF && (unpackDouble2x32(a).y | unpackDouble2x32(b).y) >= 0x80000000u) {\n        \
                     return uintBitsToFloat(0x80000000u);\n    }\n"
                }
                _ => "",
            };
            write!(
                out,
                "// a + b as a float of 32 bits, rounded {} once: the sum of 64 bits is made odd where it is not exact.\n\
                 float {name}(double a, double b) {{\n{SUM}{zero}    \
                 uvec2 bits = unpackDouble2x32(sum);\n    \
                 if (abs(rest) > 0.0LF && (bits.x & 1u) == 0u) {{\n        \
                 bool outward = (rest > 0.0LF) == (sum > 0.0LF);\n        \
                 bits.y -= !outward && bits.x == 0u ? 1u : 0u;\n        \
                 bits.x = outward ? bits.x + 1u : bits.x - 1u;\n    }}\n    \
                 return {rounds}(packDouble2x32(bits));\n}}\n",
                words(round)
            )
        }
        Helper::AddToward(round) => {
            let zero = match round {
                Round::Down => {
                    "    if (sum == 0.0LF && (unpackDouble2x32(a).y | unpackDouble2x32(b).y) >= 0x80000000u) {\n        \
                     return packDouble2x32(uvec2(0u, 0x80000000u));\n    }\n"
                }
                _ => "",
            };
            let _ = write!(
                out,
                "// a + b rounded {}.\ndouble {name}(double a, double b) {{\n{SUM}{zero}    \
                 if (isinf(sum)) {{\n        rest = isinf(a) || isinf(b) ? 0.0LF : -sum;\n    }}\n    \
                 uvec2 bits = unpackDouble2x32(sum);\n",
                words(round)
            );
            step(out, round)
        }
        Helper::MulToward(round) => {
            let _ = write!(
                out,
                "// a * b rounded {}; what a small product loses is looked at 2^900 times larger factors.\n\
                 double {name}(double a, double b) {{\n    \
                 precise double product = a * b;\n    \
                 uvec2 bits = unpackDouble2x32(product);\n    \
                 uint scale = (bits.y & 0x7fffffffu) < 0x03f00000u ? 0x78300000u : 0x3ff00000u;\n    \
                 double k = packDouble2x32(uvec2(0u, scale));\n    \
                 precise double rest = fma(a * k, b * k, -(product * k * k));\n    \
                 if (isinf(product)) {{\n        \
                 rest = isinf(a) || isinf(b) ? 0.0LF : -product;\n    }}\n",
                words(round)
            );
            step(out, round)
        }
        _ => Ok(()),
    };
}

/// A sum and what it lost, which is taken from the larger operand exactly.
const SUM: &str = "    precise double sum = a + b;\n    \
                   double large = abs(a) < abs(b) ? b : a;\n    \
                   double small = abs(a) < abs(b) ? a : b;\n    \
                   precise double rest = small - (sum - large);\n";

/// The rest of a function of doubles: from `bits` one step by the sign of `rest`.
fn step(out: &mut String, round: Round) -> std::fmt::Result {
    let when = match round {
        Round::Nearest => "false",
        Round::Zero => "negative ? rest > 0.0LF : rest < 0.0LF",
        Round::Down => "rest < 0.0LF",
        Round::Up => "rest > 0.0LF",
    };
    write!(
        out,
        "    bool negative = bits.y >= 0x80000000u;\n    \
         if ({when}) {{\n        \
         if (negative == (rest < 0.0LF)) {{\n            \
         bits.x += 1u;\n            \
         bits.y += bits.x == 0u ? 1u : 0u;\n        \
         }} else {{\n            \
         bits.y -= bits.x == 0u ? 1u : 0u;\n            \
         bits.x -= 1u;\n        }}\n    }}\n    \
         return packDouble2x32(bits);\n}}\n"
    )
}
