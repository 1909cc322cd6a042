//! Functions for operations that the languages do not have. They are written as trees and lowered like the
//! functions of the program.

use super::body::Body;
use super::lower::Lower;
use crate::Error;
use crate::signature::helper_operand;
use ::naga::{Function, FunctionArgument, FunctionResult, Handle, Span};
use unshade_ir::ast::{
    self, Binary, Builtin, Expr, ExprKind, Helper, Local, LocalRef, Scalar, Stmt, Type, Unary,
};

/// A helper function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// An operation of the machine, of a kind and so many components.
    Machine(Helper, Scalar, u8),
    /// A float from its bits, at run time.
    FromBits,
    /// A double from its words, at run time.
    FromWords,
    /// A product with the inverse of a matrix of so many columns; whether the vector comes first.
    Inverse(u8, bool),
}

impl Lower<'_> {
    /// The function, made at its first use.
    pub fn helper(&mut self, helper: Use) -> Result<Handle<Function>, Error> {
        if let Some(&function) = self.helpers.get(&helper) {
            return Ok(function);
        }
        let tree = match helper {
            Use::Machine(machine, kind, 1) => scalar(machine, kind),
            Use::Machine(machine, kind, components) => vector(machine, kind, components),
            Use::FromWords => {
                let words = vec![local(0, UINT), local(1, UINT)];
                function("fromWords", &[UINT; 2], from_words(words))
            }
            Use::Inverse(size, vector_first) => super::inverse::product(size, vector_first),
            Use::FromBits => function("fromBits", &[UINT], bits_to_float(local(0, UINT))),
        };
        let name = match helper {
            Use::Machine(_, _, components @ 2..) | Use::Inverse(components, _) => {
                format!("{}_vec{components}", tree.name)
            }
            _ => tree.name.clone(),
        };
        let name = self.names.add(&name);
        let arguments = tree
            .locals
            .iter()
            .take(tree.params.len())
            .map(|local| FunctionArgument {
                name: Some(local.name.clone()),
                ty: self.ty(local.ty),
                binding: None,
            })
            .collect();
        let result = tree.results.first().map(|&ty| FunctionResult { ty: self.ty(ty), binding: None });
        let lowered = Function { name: Some(name), arguments, result, ..Function::default() };
        let names = tree.locals.iter().map(|local| local.name.clone()).collect();
        let mut body = Body::new(self, &tree, names, lowered);
        body.start(None)?;
        body.statements(&tree.body)?;
        let lowered = body.finish();
        let handle = self.module.functions.append(lowered, Span::UNDEFINED);
        self.helpers.insert(helper, handle);
        Ok(handle)
    }
}

pub(super) const FLOAT: Type = Type { scalar: Scalar::Float, components: 1 };
pub(super) const INT: Type = Type { scalar: Scalar::Int, components: 1 };
pub(super) const UINT: Type = Type { scalar: Scalar::Uint, components: 1 };
pub(super) const BOOL: Type = Type { scalar: Scalar::Bool, components: 1 };

/// A function that returns a value made of its parameters `a`, `b`, `c` and `d`.
pub(super) fn function(name: &str, params: &[Type], value: Expr) -> ast::Function {
    let locals = params
        .iter()
        .zip(["a", "b", "c", "d"])
        .map(|(&ty, name)| Local { name: name.to_owned(), ty })
        .collect::<Vec<_>>();
    ast::Function {
        name: name.to_owned(),
        params: (0..).map(LocalRef).take(locals.len()).collect(),
        results: vec![value.ty],
        locals,
        body: vec![Stmt::Return(vec![value])],
        links: ast::Links::default(),
    }
}

fn scalar(helper: Helper, kind: Scalar) -> ast::Function {
    if let Some(directed) = super::directed::scalar(helper, kind) {
        return directed;
    }
    if kind == Scalar::Double {
        return super::double_helper::scalar(helper);
    }
    let a = || local(0, FLOAT);
    let b = || local(1, FLOAT);
    let two = [FLOAT, FLOAT];
    match helper {
        Helper::MulInfTimesZero => {
            let zero_times_infinity =
                |x: Expr, y: Expr| binary(Binary::LogicalAnd, BOOL, is_zero(x), is_infinite(y));
            let either =
                binary(Binary::LogicalOr, BOOL, zero_times_infinity(a(), b()), zero_times_infinity(b(), a()));
            let product = binary(Binary::Mul, FLOAT, a(), b());
            function("mul0", &two, select(either, float(0.0), product))
        }
        Helper::MulZeroWins => {
            let either = binary(Binary::LogicalOr, BOOL, is_zero(a()), is_zero(b()));
            let product = binary(Binary::Mul, FLOAT, a(), b());
            function("mulZeroWins", &two, select(either, float(0.0), product))
        }
        Helper::MaxSecond => {
            function("maxSecond", &two, select(binary(Binary::Gt, BOOL, a(), b()), a(), b()))
        }
        Helper::MinSecond => {
            function("minSecond", &two, select(binary(Binary::Lt, BOOL, a(), b()), a(), b()))
        }
        Helper::MinNumber => function("minNumber", &two, number(Binary::Lt, a(), b(), true)),
        Helper::MaxNumber => function("maxNumber", &two, number(Binary::Gt, a(), b(), false)),
        Helper::Saturate => {
            let clamped =
                Expr::new(FLOAT, ExprKind::Builtin(Builtin::Clamp, vec![a(), float(0.0), float(1.0)]));
            function("saturate", &[FLOAT], select(is_nan(a()), float(0.0), clamped))
        }
        Helper::ToIntSaturate => {
            // The greatest float below 2^31 is 2^31 - 128, so that a conversion never sees more.
            let inside = binary(Binary::Lt, BOOL, a(), float(2_147_483_648.0));
            let above = select(inside, convert(INT, a()), literal(INT, 0x7fff_ffff));
            let below = binary(Binary::Lt, BOOL, a(), float(-2_147_483_648.0));
            let value = select(below, literal(INT, 0x8000_0000), above);
            function("toInt", &[FLOAT], select(is_nan(a()), literal(INT, 0), value))
        }
        Helper::ToUintSaturate => {
            let inside = binary(Binary::Lt, BOOL, a(), float(4_294_967_296.0));
            let above = select(inside, convert(UINT, a()), literal(UINT, u32::MAX));
            let positive = binary(Binary::Gt, BOOL, a(), float(0.0));
            function("toUint", &[FLOAT], select(positive, above, literal(UINT, 0)))
        }
        Helper::FlushDenormal => {
            let sign = binary(Binary::BitAnd, UINT, bits(a()), literal(UINT, 0x8000_0000));
            let exponent = binary(Binary::BitAnd, UINT, bits(a()), literal(UINT, 0x7f80_0000));
            let denormal = binary(Binary::Eq, BOOL, exponent, literal(UINT, 0));
            function("flushDenormal", &[FLOAT], select(denormal, bits_to_float(sign), a()))
        }
        Helper::DivideInt => {
            let negated = Expr::new(INT, ExprKind::Unary(Unary::Negate, Box::new(local(0, INT))));
            let value = select(is_literal(1, INT, u32::MAX), negated, divided(INT));
            function("divide_int", &[INT; 2], select(is_literal(1, INT, 0), literal(INT, 0), value))
        }
        Helper::DivideUint => {
            let value = select(is_literal(1, UINT, 0), literal(UINT, u32::MAX), divided(UINT));
            function("divide_uint", &[UINT; 2], value)
        }
        Helper::RemainderInt => {
            let whole = binary(Binary::Mul, INT, divided(INT), local(1, INT));
            let left = binary(Binary::Sub, INT, local(0, INT), whole);
            let value = select(is_literal(1, INT, u32::MAX), literal(INT, 0), left);
            function("remainder_int", &[INT; 2], select(is_literal(1, INT, 0), local(0, INT), value))
        }
        Helper::RemainderUint => {
            let left = binary(Binary::Rem, UINT, local(0, UINT), local(1, UINT));
            let value = select(is_literal(1, UINT, 0), local(0, UINT), left);
            function("remainder_uint", &[UINT; 2], value)
        }
        // These functions of the languages keep inside of the word by themselves.
        Helper::BitExtractInt => {
            let offset = convert(UINT, local(1, INT));
            let inside = binary(Binary::Lt, BOOL, offset, literal(UINT, 32));
            let sign = binary(Binary::ShiftRight, INT, local(0, INT), literal(UINT, 31));
            let none = is_literal(2, INT, 0);
            let beyond = select(none, literal(INT, 0), sign);
            let field = bit_function(Builtin::BitExtract, vec![local(0, INT), local(1, INT), local(2, INT)]);
            function("extractBits_int", &[INT; 3], select(inside, field, beyond))
        }
        Helper::BitExtractUint => {
            let field = bit_function(Builtin::BitExtract, vec![local(0, UINT), local(1, INT), local(2, INT)]);
            function("extractBits_uint", &[UINT, INT, INT], field)
        }
        Helper::BitInsert => {
            let operands = vec![local(0, UINT), local(1, UINT), local(2, INT), local(3, INT)];
            function("insertBits_uint", &[UINT, UINT, INT, INT], bit_function(Builtin::BitInsert, operands))
        }
        Helper::RoundHalf => {
            let pair = Type { scalar: Scalar::Float, components: 2 };
            let both = Expr::new(pair, ExprKind::Construct(vec![a(), float(0.0)]));
            let packed = Expr::new(UINT, ExprKind::Builtin(Builtin::PackHalf, vec![both]));
            let halves = Expr::new(pair, ExprKind::Builtin(Builtin::UnpackHalf, vec![packed]));
            let first = Expr::new(FLOAT, ExprKind::Swizzle(Box::new(halves), vec![0]));
            function("roundHalf", &[FLOAT], first)
        }
        Helper::FlushHalf => {
            let amount = Expr::new(FLOAT, ExprKind::Builtin(Builtin::Abs, vec![a()]));
            let small = binary(Binary::Lt, BOOL, amount, float(1.0 / 16384.0));
            let sign = binary(Binary::BitAnd, UINT, bits(a()), literal(UINT, 0x8000_0000));
            function("flushHalf", &[FLOAT], select(small, bits_to_float(sign), a()))
        }
        // Of doubles, or refused before.
        Helper::ToSingle(_)
        | Helper::ToHalf(_)
        | Helper::SumToSingle(_)
        | Helper::AddToward(_)
        | Helper::MulToward(_) => function("same", &[FLOAT], a()),
        Helper::FmaHalf => function("fmaHalf", &[FLOAT; 3], a()),
        Helper::MulHighUint => {
            function("mulHigh_uint", &[UINT; 2], high_half(local(0, UINT), local(1, UINT)))
        }
        Helper::MulHighInt => {
            // A negative factor counts 2^32 too much.
            let (x, y) = (|| convert(UINT, local(0, INT)), || convert(UINT, local(1, INT)));
            let excess = |sign: u32, other: Expr| {
                let negative = binary(Binary::Lt, BOOL, local(sign, INT), literal(INT, 0));
                select(negative, other, literal(UINT, 0))
            };
            let high = binary(Binary::Sub, UINT, high_half(x(), y()), excess(0, y()));
            let high = binary(Binary::Sub, UINT, high, excess(1, x()));
            function("mulHigh_int", &[INT; 2], convert(INT, high))
        }
    }
}

/// A function on bits, of the kind of its first operand.
fn bit_function(builtin: Builtin, operands: Vec<Expr>) -> Expr {
    let ty = operands.first().map_or(UINT, |operand| operand.ty);
    Expr::new(ty, ExprKind::Builtin(builtin, operands))
}

fn is_literal(index: u32, ty: Type, bits: u32) -> Expr {
    binary(Binary::Eq, BOOL, local(index, ty), literal(ty, bits))
}

fn divided(ty: Type) -> Expr {
    binary(Binary::Div, ty, local(0, ty), local(1, ty))
}

/// The high half of an unsigned product, from products of halves.
fn high_half(a: Expr, b: Expr) -> Expr {
    let low = |x: &Expr| binary(Binary::BitAnd, UINT, x.clone(), literal(UINT, 0xffff));
    let high = |x: &Expr| binary(Binary::ShiftRight, UINT, x.clone(), literal(UINT, 16));
    let times = |x: Expr, y: Expr| binary(Binary::Mul, UINT, x, y);
    let plus = |x: Expr, y: Expr| binary(Binary::Add, UINT, x, y);
    let first = plus(times(high(&a), low(&b)), high(&times(low(&a), low(&b))));
    let second = plus(times(low(&a), high(&b)), low(&first));
    plus(plus(times(high(&a), high(&b)), high(&first)), high(&second))
}

/// `a` where it compares so with `b`, where `b` is NaN, or where both are equal and its sign fits.
fn number(compare: Binary, a: Expr, b: Expr, negative: bool) -> Expr {
    let sign = binary(Binary::BitAnd, UINT, bits(a.clone()), literal(UINT, 0x8000_0000));
    let op = if negative { Binary::Ne } else { Binary::Eq };
    let sign_fits = binary(op, BOOL, sign, literal(UINT, 0));
    let equal = binary(Binary::Eq, BOOL, a.clone(), b.clone());
    let tie = binary(Binary::LogicalAnd, BOOL, equal, sign_fits);
    let ordered = binary(compare, BOOL, a.clone(), b.clone());
    let decided = binary(Binary::LogicalOr, BOOL, is_nan(b.clone()), ordered);
    select(binary(Binary::LogicalOr, BOOL, decided, tie), a, b)
}

/// Lane by lane.
fn vector(helper: Helper, kind: Scalar, components: u8) -> ast::Function {
    let scalar = scalar(helper, kind);
    let single = Type { scalar: helper_operand(helper, kind), components: 1 };
    let operand = Type { components, ..single };
    let result = scalar.results.first().copied().unwrap_or(FLOAT);
    let params: Vec<Type> = scalar.params.iter().map(|_| operand).collect();
    let lanes = (0..components)
        .map(|lane| {
            let operands = (0..params.len())
                .map(|param| {
                    let whole = local(u32::try_from(param).unwrap_or(0), operand);
                    Expr::new(single, ExprKind::Swizzle(Box::new(whole), vec![lane]))
                })
                .collect();
            Expr::new(result, ExprKind::Helper(helper, operands))
        })
        .collect();
    let value = Expr::new(Type { components, ..result }, ExprKind::Construct(lanes));
    function(&scalar.name, &params, value)
}

pub(super) fn local(index: u32, ty: Type) -> Expr {
    Expr::new(ty, ExprKind::Local(LocalRef(index)))
}

pub(super) fn literal(ty: Type, bits: u32) -> Expr {
    Expr::new(ty, ExprKind::Literal(vec![bits.into()]))
}

/// A double of two words.
pub(super) fn from_words(words: Vec<Expr>) -> Expr {
    let pair = Expr::new(Type { scalar: Scalar::Uint, components: 2 }, ExprKind::Construct(words));
    Expr::new(
        Type { scalar: Scalar::Double, components: 1 },
        ExprKind::Builtin(Builtin::PackDouble, vec![pair]),
    )
}

fn float(value: f32) -> Expr {
    literal(FLOAT, value.to_bits())
}

pub(super) fn binary(binary: Binary, ty: Type, left: Expr, right: Expr) -> Expr {
    Expr::new(ty, ExprKind::Binary(binary, Box::new(left), Box::new(right)))
}

pub(super) fn select(condition: Expr, yes: Expr, no: Expr) -> Expr {
    Expr::new(yes.ty, ExprKind::Select(Box::new(condition), Box::new(yes), Box::new(no)))
}

pub(super) fn convert(to: Type, value: Expr) -> Expr {
    Expr::new(to, ExprKind::Convert(Box::new(value)))
}

pub(super) fn bits(value: Expr) -> Expr {
    Expr::new(UINT, ExprKind::Bitcast(Box::new(value)))
}

pub(super) fn bits_to_float(value: Expr) -> Expr {
    Expr::new(FLOAT, ExprKind::Bitcast(Box::new(value)))
}

fn magnitude(value: Expr) -> Expr {
    binary(Binary::BitAnd, UINT, bits(value), literal(UINT, 0x7fff_ffff))
}

fn is_infinite(value: Expr) -> Expr {
    binary(Binary::Eq, BOOL, magnitude(value), literal(UINT, 0x7f80_0000))
}

/// By the bits: a comparison with itself is something that compilers assume to be true.
fn is_nan(value: Expr) -> Expr {
    binary(Binary::Gt, BOOL, magnitude(value), literal(UINT, 0x7f80_0000))
}

fn is_zero(value: Expr) -> Expr {
    binary(Binary::Eq, BOOL, value, float(0.0))
}
