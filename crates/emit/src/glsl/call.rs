//! Calls: arguments, the functions of the language, helper functions.

use super::expression::{Printed, operator, precedence};
use super::helper::HelperUse;
use super::{Printer, types};
use crate::Error;
use unshade_ir::ast::{Binary, Builtin, Expr, ExprKind, Helper, Scalar, Type};

/// What stands between the commas of a call.
#[derive(Clone, Copy)]
pub(super) enum Argument<'e> {
    Whole(&'e Expr),
    /// A scalar as a vector of so many equal components.
    Repeated(&'e Expr, u8),
    /// One component of a literal.
    Literal(Scalar, u64),
    /// A name with an index behind it.
    Named(&'e str, Option<&'e Expr>),
}

impl Printer<'_> {
    /// `name(arguments)`.
    pub(super) fn call<'e>(&mut self, name: &str, arguments: impl IntoIterator<Item = &'e Expr>) -> Printed {
        self.out.push_str(name);
        self.arguments(arguments.into_iter().map(Argument::Whole))
    }

    /// `(arguments)`: on one line, or one to a line.
    pub(super) fn arguments<'e>(&mut self, arguments: impl Iterator<Item = Argument<'e>>) -> Printed {
        self.out.push('(');
        let mut arguments = arguments.peekable();
        let first = arguments.next();
        // A single argument is broken inside, not off.
        let one_line = self.flat || arguments.peek().is_none();
        self.indent += usize::from(!one_line);
        for (place, argument) in first.into_iter().chain(arguments).enumerate() {
            if place > 0 {
                self.out.push(',');
            }
            if !one_line {
                self.newline();
            } else if place > 0 {
                self.out.push(' ');
            }
            match argument {
                Argument::Whole(expr) => self.expression(expr, precedence::ANY)?,
                Argument::Repeated(expr, components) => {
                    self.call(types::name(Type { components, ..expr.ty }), [expr])?;
                }
                Argument::Named(name, index) => {
                    self.out.push_str(name);
                    index.map_or(Ok(()), |index| self.index(index))?;
                }
                Argument::Literal(scalar, bits) => {
                    self.one_literal(scalar, bits);
                }
            }
        }
        if !one_line {
            self.indent -= 1;
            self.newline();
        }
        self.out.push(')');
        Ok(())
    }

    /// A function that GLSL has, or its nearest form in this version.
    pub(super) fn builtin(&mut self, builtin: Builtin, ty: Type, operands: &[Expr], least: u8) -> Printed {
        match (builtin, operands) {
            (Builtin::InverseTimes | Builtin::TimesInverse, [columns @ .., vector]) => {
                self.inverse_product(columns, vector, builtin == Builtin::TimesInverse, least)
            }
            (Builtin::PackDouble, [words]) if self.declared_double(words)? => Ok(()),
            (Builtin::Fma, [a, b, c]) if !self.version.has_fma() => {
                if self.options.strict {
                    let version = self.version.name();
                    return Err(Error::unsupported(format!("an exact fused multiply-add in GLSL {version}")));
                }
                self.open(precedence::SUM < least);
                self.expression(a, precedence::PRODUCT)?;
                self.out.push_str(" * ");
                self.expression(b, precedence::PRODUCT + 1)?;
                self.out.push_str(" + ");
                self.expression(c, precedence::SUM + 1)?;
                self.close(precedence::SUM < least);
                Ok(())
            }
            (Builtin::Choose, [no, yes, condition]) if ty.components == 1 => {
                self.select([condition, yes, no], least)
            }
            (Builtin::Choose, [no, yes, condition])
                if self.version.is_old() && !self.options.strict && ty.scalar == Scalar::Float =>
            {
                self.chosen_by_step(no, yes, condition)
            }
            (Builtin::Choose, _)
                if !(self.version.mixes_integers()
                    || ty.scalar == Scalar::Float && self.version.mixes_by_truth()) =>
            {
                self.helper_name(HelperUse::Choose(ty));
                self.arguments(operands.iter().map(Argument::Whole))
            }
            (Builtin::Significand | Builtin::Exponent, _) => {
                if self.version.is_old() {
                    return Err(Error::unsupported(format!(
                        "{} in GLSL {}",
                        name(builtin),
                        self.version.name()
                    )));
                }
                self.helper_name(HelperUse::Frexp(builtin == Builtin::Exponent, ty.components));
                self.arguments(operands.iter().map(Argument::Whole))
            }
            (
                Builtin::VoteAll | Builtin::VoteAny | Builtin::VoteEqual | Builtin::Ballot | Builtin::Shuffle,
                _,
            ) => self.lanes_function(builtin, operands),
            (
                Builtin::BitCount
                | Builtin::BitReverse
                | Builtin::FindMsb
                | Builtin::FindLsb
                | Builtin::BitExtract
                | Builtin::BitInsert,
                _,
            ) if !self.version.has_memory() => {
                let version = self.version.name();
                Err(Error::unsupported(format!("{} in GLSL {version}", name(builtin))))
            }
            (Builtin::PackNorm(norm) | Builtin::UnpackNorm(norm), _)
                if !self.version.has_halves() || !norm.wide && !self.version.has_memory() =>
            {
                let version = self.version.name();
                Err(Error::unsupported(format!("{} in GLSL {version}", name(builtin))))
            }
            (Builtin::PackHalf | Builtin::UnpackHalf, _) if !self.version.has_halves() => {
                let version = self.version.name();
                Err(Error::unsupported(format!("{} in GLSL {version}", name(builtin))))
            }
            (Builtin::Trunc | Builtin::RoundEven | Builtin::IsNan | Builtin::IsInf, [operand])
                if self.version.is_old() =>
            {
                self.old_builtin(builtin, operand, least)
            }
            (
                Builtin::Sinh
                | Builtin::Cosh
                | Builtin::Tanh
                | Builtin::Asinh
                | Builtin::Acosh
                | Builtin::Atanh,
                [operand],
            ) if self.version.is_old() => self.old_hyperbolic(builtin, operand),
            // The vector comparisons do not exist for scalars.
            (_, [left, right]) if left.ty.components == 1 => match comparison(builtin) {
                Some(comparison) => {
                    let (sign, level) = operator(comparison);
                    self.open(level < least);
                    self.expression(left, level)?;
                    self.out.push(' ');
                    self.out.push_str(sign);
                    self.out.push(' ');
                    self.expression(right, level + 1)?;
                    self.close(level < least);
                    Ok(())
                }
                None => self.call(name(builtin), operands),
            },
            _ => match usual(builtin, operands) {
                Some(operands) => self.call(name(builtin), &operands),
                None => self.call(name(builtin), operands),
            },
        }
    }

    /// ES 1.00 has no choice by truth values: a mixture by 0 and 1 is the same for finite numbers.
    fn chosen_by_step(&mut self, no: &Expr, yes: &Expr, condition: &Expr) -> Printed {
        self.mixes_finite = true;
        let step = match &condition.kind {
            ExprKind::Builtin(compare, sides) if condition.ty.components > 1 => match (compare, &sides[..]) {
                (Builtin::GreaterThanEqual, [x, edge]) => Some((no, yes, edge, x)),
                (Builtin::LessThanEqual, [edge, x]) => Some((no, yes, edge, x)),
                (Builtin::LessThan, [x, edge]) => Some((yes, no, edge, x)),
                (Builtin::GreaterThan, [edge, x]) => Some((yes, no, edge, x)),
                _ => None,
            },
            _ => None,
        };
        let step = step.filter(|(_, _, edge, x)| edge.ty.scalar == Scalar::Float && edge.ty == x.ty);
        self.out.push_str("mix");
        let Some((zero, one, edge, x)) = step else {
            let ty = Type { scalar: Scalar::Float, ..condition.ty };
            let weight = Expr::new(ty, ExprKind::Convert(Box::new(condition.clone())));
            return self.arguments([no, yes, &weight].into_iter().map(Argument::Whole));
        };
        let weight =
            Expr::new(x.ty, ExprKind::Builtin(Builtin::Step, vec![edge.clone(), x.clone()])).linked(x.link);
        self.arguments([zero, one, &weight].into_iter().map(Argument::Whole))
    }

    /// A function of the machine's own rule.
    pub(super) fn helper(&mut self, helper: Helper, ty: Type, operands: &[Expr]) -> Printed {
        let first = operands.first().map_or(ty.scalar, |operand| operand.ty.scalar);
        self.helper_name(HelperUse::Machine(helper, first, ty.components));
        // The helper takes operands of one type.
        self.arguments(operands.iter().map(|operand| {
            if operand.ty.components == ty.components {
                Argument::Whole(operand)
            } else {
                Argument::Repeated(operand, ty.components)
            }
        }))
    }
}

/// Operands as people write them: the number behind the value that it bounds, and one number for all components.
fn usual(builtin: Builtin, operands: &[Expr]) -> Option<Vec<Expr>> {
    let number = |expr: &Expr| match &expr.kind {
        ExprKind::Literal(bits) => bits.iter().all(|other| Some(other) == bits.first()),
        _ => false,
    };
    let swapped = matches!(
        (builtin, operands),
        (Builtin::Min | Builtin::Max, [a, b]) if number(a) && !matches!(b.kind, ExprKind::Literal(_))
    );
    let mut operands: Vec<Expr> = match swapped {
        true => operands.iter().rev().cloned().collect(),
        false => operands.to_vec(),
    };
    let numbers = match builtin {
        Builtin::Min | Builtin::Max | Builtin::Clamp => 1..operands.len(),
        Builtin::Mix => 2..operands.len(),
        Builtin::Step => 0..1,
        _ => return None,
    };
    let wide = operands.iter().any(|operand| operand.ty.components > 1 && !number(operand));
    let numbers = operands.get_mut(numbers)?;
    let mut short = false;
    if wide && numbers.iter().all(|expr| number(expr) || expr.ty.components == 1) {
        for expr in numbers.iter_mut().filter(|expr| expr.ty.components > 1) {
            if let ExprKind::Literal(bits) = &mut expr.kind {
                bits.truncate(1);
                expr.ty.components = 1;
                short = true;
            }
        }
    }
    (swapped || short).then_some(operands)
}

fn comparison(builtin: Builtin) -> Option<Binary> {
    Some(match builtin {
        Builtin::LessThan => Binary::Lt,
        Builtin::LessThanEqual => Binary::Le,
        Builtin::GreaterThan => Binary::Gt,
        Builtin::GreaterThanEqual => Binary::Ge,
        Builtin::Equal => Binary::Eq,
        Builtin::NotEqual => Binary::Ne,
        _ => return None,
    })
}

pub(super) fn name(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::Abs => "abs",
        Builtin::Floor => "floor",
        Builtin::Ceil => "ceil",
        Builtin::Trunc => "trunc",
        Builtin::RoundEven => "roundEven",
        Builtin::Fract => "fract",
        Builtin::Sqrt => "sqrt",
        Builtin::InverseSqrt => "inversesqrt",
        Builtin::Exp2 => "exp2",
        Builtin::Log2 => "log2",
        Builtin::Sin => "sin",
        Builtin::Cos => "cos",
        Builtin::Atan | Builtin::Atan2 | Builtin::AtanNear | Builtin::Atan2Near => "atan",
        Builtin::Tan => "tan",
        Builtin::Asin => "asin",
        Builtin::Acos => "acos",
        Builtin::Sinh => "sinh",
        Builtin::Cosh => "cosh",
        Builtin::Tanh => "tanh",
        Builtin::Asinh => "asinh",
        Builtin::Acosh => "acosh",
        Builtin::Atanh => "atanh",
        Builtin::Significand => "significand",
        Builtin::Exponent => "exponent",
        Builtin::DerivativeX => "dFdx",
        Builtin::DerivativeY => "dFdy",
        Builtin::DerivativeWidth => "fwidth",
        Builtin::Pow => "pow",
        Builtin::Min => "min",
        Builtin::Max => "max",
        Builtin::Clamp => "clamp",
        Builtin::Mix | Builtin::Choose => "mix",
        Builtin::Step => "step",
        Builtin::Smoothstep => "smoothstep",
        Builtin::Exp => "exp",
        Builtin::Log => "log",
        Builtin::Modulo => "mod",
        Builtin::Dot => "dot",
        Builtin::Length => "length",
        Builtin::Normalize => "normalize",
        Builtin::Cross => "cross",
        Builtin::Reflect => "reflect",
        Builtin::Refract => "refract",
        Builtin::InverseTimes | Builtin::TimesInverse => "inverse",
        Builtin::FaceForward => "faceforward",
        Builtin::Sign => "sign",
        Builtin::Fma => "fma",
        Builtin::Any => "any",
        Builtin::All => "all",
        Builtin::IsNan => "isnan",
        Builtin::IsInf => "isinf",
        Builtin::LessThan => "lessThan",
        Builtin::LessThanEqual => "lessThanEqual",
        Builtin::GreaterThan => "greaterThan",
        Builtin::GreaterThanEqual => "greaterThanEqual",
        Builtin::Equal => "equal",
        Builtin::NotEqual => "notEqual",
        Builtin::BitCount => "bitCount",
        Builtin::BitReverse => "bitfieldReverse",
        Builtin::FindMsb => "findMSB",
        Builtin::FindLsb => "findLSB",
        Builtin::BitExtract => "bitfieldExtract",
        Builtin::BitInsert => "bitfieldInsert",
        Builtin::PackHalf => "packHalf2x16",
        Builtin::UnpackHalf => "unpackHalf2x16",
        Builtin::PackNorm(norm) => match (norm.signed, norm.wide) {
            (false, false) => "packUnorm4x8",
            (false, true) => "packUnorm2x16",
            (true, false) => "packSnorm4x8",
            (true, true) => "packSnorm2x16",
        },
        Builtin::UnpackNorm(norm) => match (norm.signed, norm.wide) {
            (false, false) => "unpackUnorm4x8",
            (false, true) => "unpackUnorm2x16",
            (true, false) => "unpackSnorm4x8",
            (true, true) => "unpackSnorm2x16",
        },
        Builtin::PackDouble => "packDouble2x32",
        Builtin::UnpackDouble => "unpackDouble2x32",
        Builtin::VoteAll => "subgroupAll",
        Builtin::VoteAny => "subgroupAny",
        Builtin::VoteEqual => "subgroupAllEqual",
        Builtin::Ballot => "subgroupBallot",
        Builtin::Shuffle => "subgroupShuffle",
    }
}
