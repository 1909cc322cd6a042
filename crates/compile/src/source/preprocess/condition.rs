//! What stands behind `#if`: whole numbers, with the operators of C.

use super::{lex::Kind, macros::Piece};

/// Brackets and signs inside each other.
const DEPTH: u8 = 48;

/// What is wrong with a condition.
pub(super) type Wrong = String;

/// The value of a condition.
pub(super) fn value(pieces: &[Piece]) -> Result<i64, Wrong> {
    let words: Vec<&Piece> = pieces.iter().filter(|piece| piece.kind != Kind::Space).collect();
    let mut reader = Reader { words: &words, at: 0 };
    let value = reader.either(0, DEPTH)?;
    match reader.peek() {
        None => Ok(value),
        Some(text) => Err(format!("`{text}` does not belong to the condition")),
    }
}

struct Reader<'p> {
    words: &'p [&'p Piece],
    at: usize,
}

/// Operators by how strongly they bind, the weakest first. What starts like a longer one stands behind that.
const OPERATORS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl<'p> Reader<'p> {
    fn peek(&self) -> Option<&'p str> {
        self.words.get(self.at).map(|piece| piece.text.as_str())
    }

    /// The operator that comes next, of one or two signs.
    fn operator(&self) -> Option<&'static str> {
        let first = self.peek()?;
        let second = self.words.get(self.at + 1).map(|piece| piece.text.as_str()).unwrap_or_default();
        let both = format!("{first}{second}");
        let all = || OPERATORS.iter().copied().flatten().copied();
        all().find(|operator| *operator == both).or_else(|| all().find(|operator| *operator == first))
    }

    fn either(&mut self, level: usize, depth: u8) -> Result<i64, Wrong> {
        let Some(operators) = OPERATORS.get(level) else { return self.one(depth) };
        let mut left = self.either(level + 1, depth)?;
        while let Some(operator) = self.operator().filter(|operator| operators.contains(operator)) {
            self.at += operator.len();
            let right = self.either(level + 1, depth)?;
            left = computed(operator, left, right)?;
        }
        Ok(left)
    }

    fn one(&mut self, depth: u8) -> Result<i64, Wrong> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err("the condition is nested too deep".to_owned());
        };
        let Some(piece) = self.words.get(self.at) else {
            return Err("the condition ends too early".to_owned());
        };
        self.at += 1;
        match (piece.kind, piece.text.as_str()) {
            (Kind::Number, text) => number(text),
            // A name that is not defined is zero.
            (Kind::Word, _) => Ok(0),
            (_, "!") => Ok(i64::from(self.one(depth)? == 0)),
            (_, "~") => Ok(!self.one(depth)?),
            (_, "-") => Ok(self.one(depth)?.wrapping_neg()),
            (_, "+") => self.one(depth),
            (_, "(") => {
                let value = self.either(0, depth)?;
                if self.peek() != Some(")") {
                    return Err("a `)` is missing in the condition".to_owned());
                }
                self.at += 1;
                Ok(value)
            }
            (_, text) => Err(format!("`{text}` is no value of a condition")),
        }
    }
}

fn number(text: &str) -> Result<i64, Wrong> {
    let plain = text.trim_end_matches(['u', 'U']);
    let value = match (plain.strip_prefix("0x").or_else(|| plain.strip_prefix("0X")), plain.strip_prefix('0'))
    {
        (Some(hex), _) => i64::from_str_radix(hex, 16),
        (None, Some(octal)) if !octal.is_empty() => i64::from_str_radix(octal, 8),
        _ => plain.parse(),
    };
    value.map_err(|_| format!("`{text}` is no whole number"))
}

fn computed(operator: &str, a: i64, b: i64) -> Result<i64, Wrong> {
    let shift = u32::try_from(b.clamp(0, 63)).unwrap_or(63);
    Ok(match operator {
        "||" => i64::from(a != 0 || b != 0),
        "&&" => i64::from(a != 0 && b != 0),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<<" => a.wrapping_shl(shift),
        ">>" => a.wrapping_shr(shift),
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        _ if b == 0 => return Err("the condition divides by zero".to_owned()),
        "/" => a.wrapping_div(b),
        _ => a.wrapping_rem(b),
    })
}
