//! Expressions put together in their shortest form.

use super::super::{Binary, Builtin, Expr, ExprKind, Helper, Scalar, Type, Unary};

/// A type.
pub(super) fn ty(scalar: Scalar, components: usize) -> Type {
    Type { scalar, components: components as u8 }
}

/// A literal of equal or different components.
pub(super) fn literal(scalar: Scalar, bits: &[u64]) -> Expr {
    let mask = if scalar == Scalar::Double { u64::MAX } else { u32::MAX.into() };
    let bits: Vec<u64> = bits.iter().map(|bits| bits & mask).collect();
    Expr::new(ty(scalar, bits.len()), ExprKind::Literal(bits))
}

pub(super) fn float(value: f32) -> Expr {
    literal(Scalar::Float, &[value.to_bits().into()])
}

/// A float of a kind, which may be one of doubles.
pub(super) fn number(scalar: Scalar, value: f32) -> Expr {
    match scalar {
        Scalar::Double => literal(scalar, &[f64::from(value).to_bits()]),
        _ => float(value),
    }
}

pub(super) fn boxed<T>(inner: T) -> Box<T> {
    Box::new(inner)
}

pub(super) fn unary(op: Unary, a: Expr) -> Expr {
    Expr::new(a.ty, ExprKind::Unary(op, boxed(a)))
}

/// An operator; of a scalar and a vector the result is a vector.
pub(super) fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    use Binary::{Eq, Ge, Gt, Le, Lt, Ne};
    let components = a.ty.components.max(b.ty.components);
    let scalar = if matches!(op, Eq | Ne | Lt | Le | Gt | Ge) { Scalar::Bool } else { a.ty.scalar };
    Expr::new(Type { scalar, components }, ExprKind::Binary(op, boxed(a), boxed(b)))
}

pub(super) fn builtin(function: Builtin, result: Type, args: Vec<Expr>) -> Expr {
    Expr::new(result, ExprKind::Builtin(function, args))
}

pub(super) fn helper(function: Helper, result: Type, args: Vec<Expr>) -> Expr {
    Expr::new(result, ExprKind::Helper(function, args))
}

pub(super) fn select(condition: Expr, a: Expr, b: Expr) -> Expr {
    Expr::new(a.ty, ExprKind::Select(boxed(condition), boxed(a), boxed(b)))
}

/// The same value as another kind of scalar.
pub(super) fn convert(to: Scalar, a: Expr) -> Expr {
    Expr::new(Type { scalar: to, ..a.ty }, ExprKind::Convert(boxed(a)))
}

/// The same bits as another kind of scalar; a truth value is 0 or 1.
pub(super) fn reinterpret(to: Scalar, a: Expr) -> Expr {
    match (a.ty.scalar, to) {
        (from, to) if from == to => a,
        (Scalar::Bool, Scalar::Float) => reinterpret(to, convert(Scalar::Int, a)),
        (Scalar::Bool, to) => convert(to, a),
        (_, Scalar::Bool) => {
            let zero = literal(a.ty.scalar, &[0]);
            binary(Binary::Ne, a, zero)
        }
        (_, to) => match a.kind {
            ExprKind::Literal(bits) => {
                Expr::new(Type { scalar: to, ..a.ty }, ExprKind::Literal(bits)).linked(a.link)
            }
            kind => Expr::new(
                Type { scalar: to, ..a.ty },
                ExprKind::Bitcast(boxed(Expr::new(a.ty, kind).linked(a.link))),
            ),
        },
    }
}

/// Components of an expression, in the shortest form.
pub(super) fn swizzle(a: Expr, components: &[u8]) -> Expr {
    let width = a.ty.components;
    let result = ty(a.ty.scalar, components.len());
    if width == 1 {
        return if components.len() == 1 { a } else { Expr::new(result, ExprKind::Construct(vec![a])) };
    }
    if components.len() == usize::from(width) && components.iter().copied().eq(0..width) {
        return a;
    }
    match a.kind {
        ExprKind::Literal(bits) => {
            let bits = components.iter().map(|at| bits[usize::from(*at)]).collect();
            Expr::new(result, ExprKind::Literal(bits)).linked(a.link)
        }
        ExprKind::Swizzle(inner, outer) => {
            let components: Vec<u8> = components.iter().map(|at| outer[usize::from(*at)]).collect();
            swizzle(*inner, &components).linked(a.link)
        }
        kind => {
            let a = Expr::new(a.ty, kind).linked(a.link);
            Expr::new(result, ExprKind::Swizzle(boxed(a), components.to_vec()))
        }
    }
}

/// One scalar in all lanes.
pub(super) fn broadcast(a: Expr, width: usize) -> Expr {
    if width <= 1 || usize::from(a.ty.components) == width {
        return a;
    }
    let result = ty(a.ty.scalar, width);
    match a.kind {
        ExprKind::Literal(bits) => {
            Expr::new(result, ExprKind::Literal(vec![bits.first().copied().unwrap_or(0); width]))
                .linked(a.link)
        }
        ExprKind::Swizzle(inner, outer) => {
            Expr::new(result, ExprKind::Swizzle(inner, vec![outer[0]; width])).linked(a.link)
        }
        kind => {
            let scalar = Expr::new(a.ty, kind).linked(a.link);
            Expr::new(result, ExprKind::Construct(vec![scalar]))
        }
    }
}

/// The negative, without doubling signs.
pub(super) fn negate(a: Expr) -> Expr {
    match a.kind {
        ExprKind::Unary(Unary::Negate, inner) => *inner,
        ExprKind::Literal(bits) if a.ty.scalar.is_float() => {
            let sign = a.ty.scalar.sign_bit();
            Expr::new(a.ty, ExprKind::Literal(bits.iter().map(|bits| bits ^ sign).collect())).linked(a.link)
        }
        kind => unary(Unary::Negate, Expr::new(a.ty, kind).linked(a.link)),
    }
}

/// The opposite of a truth value.
pub(super) fn not(a: Expr) -> Expr {
    let link = a.link;
    let opposite = match a.kind {
        ExprKind::Unary(Unary::Not, inner) => *inner,
        ExprKind::Literal(bits) => {
            Expr::new(a.ty, ExprKind::Literal(bits.iter().map(|bits| bits ^ 1).collect()))
        }
        // Equality is decided for NaN too: one is true exactly where the other is not.
        ExprKind::Binary(Binary::Eq, a, b) => binary(Binary::Ne, *a, *b),
        ExprKind::Binary(Binary::Ne, a, b) => binary(Binary::Eq, *a, *b),
        ExprKind::Binary(op @ (Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge), a, b)
            if !a.ty.scalar.is_float() =>
        {
            binary(reversed(op), *a, *b)
        }
        // Truth values that do not differ are equal.
        ExprKind::Binary(Binary::LogicalXor, a, b) => binary(Binary::Eq, *a, *b),
        kind => unary(Unary::Not, Expr::new(a.ty, kind)),
    };
    opposite.linked(link)
}

/// The comparison that is true where this one is false, NaN aside.
pub(super) fn reversed(op: Binary) -> Binary {
    match op {
        Binary::Lt => Binary::Ge,
        Binary::Le => Binary::Gt,
        Binary::Gt => Binary::Le,
        Binary::Ge => Binary::Lt,
        other => other,
    }
}

/// `index * stride + offset`.
pub(super) fn step(index: Expr, stride: u32, offset: u32) -> Expr {
    let (stride, offset) = (u64::from(stride), u64::from(offset));
    let scaled = match (&index.kind, stride) {
        (_, 1) => index,
        (ExprKind::Literal(bits), stride) => literal(Scalar::Int, &[bits[0].wrapping_mul(stride)]),
        (_, stride) => binary(Binary::Mul, index, literal(Scalar::Int, &[stride])),
    };
    match (&scaled.kind, offset) {
        (_, 0) => scaled,
        (ExprKind::Literal(bits), offset) => literal(Scalar::Int, &[bits[0].wrapping_add(offset)]),
        (_, offset) => add(scaled, literal(Scalar::Int, &[offset])),
    }
}

/// A sum, as a difference where that says the same.
pub(super) fn add(a: Expr, b: Expr) -> Expr {
    let negative = |expr: &Expr| match &expr.kind {
        ExprKind::Unary(Unary::Negate, _) => expr.ty.scalar.is_float(),
        ExprKind::Literal(bits) => match expr.ty.scalar {
            Scalar::Float => bits.iter().all(|bits| bits >> 31 == 1),
            Scalar::Double => bits.iter().all(|bits| bits >> 63 == 1),
            Scalar::Int => bits.iter().all(|bits| bits >> 31 == 1 && *bits != 1 << 31),
            _ => false,
        },
        _ => false,
    };
    let positive = |expr: Expr| match (expr.ty.scalar, expr.kind) {
        (Scalar::Int, ExprKind::Literal(bits)) => {
            literal(Scalar::Int, &bits.iter().map(|bits| bits.wrapping_neg()).collect::<Vec<_>>())
        }
        (_, kind) => negate(Expr::new(expr.ty, kind).linked(expr.link)),
    };
    let number = |expr: &Expr| matches!(expr.kind, ExprKind::Literal(_));
    let (a, b) = if number(&a) && !number(&b) { (b, a) } else { (a, b) };
    if negative(&b) {
        binary(Binary::Sub, a, positive(b))
    } else if negative(&a) {
        binary(Binary::Sub, b, positive(a))
    } else {
        binary(Binary::Add, a, b)
    }
}

/// A float of 16 bits as one of 32.
pub(super) fn widened(half: u16) -> u64 {
    let convert = crate::Op::FConvert(crate::Width::F16, crate::FloatMode::F32);
    crate::exec::evaluate(&convert, crate::Type::B16, &[half.into()]).unwrap_or(0)
}
