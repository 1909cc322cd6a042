//! Functions of the source languages that no operation stands for, found in expressions of readable mode.

use super::super::{Binary, Builtin, Expr, ExprKind, Scalar, Unary};

fn literal_of(expr: &Expr) -> Option<f32> {
    match &expr.kind {
        ExprKind::Literal(bits)
            if expr.ty.scalar != Scalar::Double && bits.iter().all(|other| *other == bits[0]) =>
        {
            bits.first().map(|bits| f32::from_bits(*bits as u32))
        }
        ExprKind::Construct(parts) if parts.len() == 1 => literal_of(&parts[0]),
        _ => None,
    }
}

fn call(function: Builtin, expr: &Expr, args: Vec<Expr>) -> Expr {
    Expr::new(expr.ty, ExprKind::Builtin(function, args)).linked(expr.link)
}

/// A sum or difference as a function, or with a sum in front: `a + (b + c)` is `b + c + a`.
pub(super) fn sum(expr: Expr) -> Expr {
    if let Some(found) = width(&expr).or_else(|| reflection(&expr)) {
        return found;
    }
    let is_sum = |expr: &Expr| matches!(expr.kind, ExprKind::Binary(Binary::Add | Binary::Sub, ..));
    match expr.kind {
        ExprKind::Binary(Binary::Add, a, b) if is_sum(&b) && !is_sum(&a) && a.ty == b.ty => {
            Expr::new(expr.ty, ExprKind::Binary(Binary::Add, b, a)).linked(expr.link)
        }
        kind => Expr::new(expr.ty, kind).linked(expr.link),
    }
}

/// `abs(dFdx(x)) + abs(dFdy(x))`.
fn width(expr: &Expr) -> Option<Expr> {
    let ExprKind::Binary(Binary::Add, a, b) = &expr.kind else { return None };
    let inside = |expr: &Expr| {
        let ExprKind::Builtin(Builtin::Abs, args) = &expr.kind else { return None };
        match &args.first()?.kind {
            ExprKind::Builtin(axis @ (Builtin::DerivativeX | Builtin::DerivativeY), args) => {
                Some((*axis, args.first()?.clone()))
            }
            _ => None,
        }
    };
    let ((first, x), (second, y)) = (inside(a)?, inside(b)?);
    (first != second && x == y).then(|| call(Builtin::DerivativeWidth, expr, vec![x]))
}

/// `i - dot(n, i) * 2.0 * n`, also with the terms in the other order.
fn reflection(expr: &Expr) -> Option<Expr> {
    let negative = |expr: &Expr| match &expr.kind {
        ExprKind::Unary(Unary::Negate, inner) => Some((**inner).clone()),
        _ => None,
    };
    match &expr.kind {
        ExprKind::Binary(Binary::Sub, a, b) => mirrored(expr, a, b).or_else(|| {
            let turned = Expr::new(b.ty, ExprKind::Unary(Unary::Negate, b.clone()));
            mirrored(expr, &turned, &negative(a)?)
        }),
        ExprKind::Binary(Binary::Add, a, b) => {
            let first = negative(b).and_then(|rest| mirrored(expr, a, &rest));
            first.or_else(|| mirrored(expr, b, &negative(a)?))
        }
        _ => None,
    }
}

/// What `incident - rest` is, if that is a reflection.
fn mirrored(expr: &Expr, incident: &Expr, rest: &Expr) -> Option<Expr> {
    let mut factors = Vec::new();
    let mut negated = false;
    collect_factors(rest, &mut factors, &mut negated, 0);
    if factors.len() != 3 || !(2..=3).contains(&expr.ty.components) {
        return None;
    }
    let two = factors.iter().position(|factor| literal_of(factor) == Some(2.0))?;
    factors.remove(two);
    let dot = factors.iter().position(|factor| matches!(factor.kind, ExprKind::Builtin(Builtin::Dot, _)))?;
    let dot = factors.remove(dot);
    let normal = factors.first()?;
    let ExprKind::Builtin(_, args) = &dot.kind else { return None };
    let [a, b] = &args[..] else { return None };
    let other = if a == *normal { b } else { a };
    if a != *normal && b != *normal {
        return None;
    }
    // The dot product of the negative is the negative of the dot product.
    let (plain, turned) = match &incident.kind {
        ExprKind::Unary(Unary::Negate, inner) => (&**inner, true),
        _ => (incident, false),
    };
    let same =
        if turned && other != incident { negated && other == plain } else { !negated && other == incident };
    same.then(|| call(Builtin::Reflect, expr, vec![incident.clone(), (*normal).clone()]))
}

fn collect_factors<'e>(expr: &'e Expr, factors: &mut Vec<&'e Expr>, negated: &mut bool, depth: u32) {
    match &expr.kind {
        ExprKind::Binary(Binary::Mul, a, b) if depth < 4 => {
            collect_factors(a, factors, negated, depth + 1);
            collect_factors(b, factors, negated, depth + 1);
        }
        ExprKind::Unary(Unary::Negate, inner) if depth < 4 => {
            *negated = !*negated;
            collect_factors(inner, factors, negated, depth + 1);
        }
        _ => factors.push(expr),
    }
}

/// A choice as a function: `x > 0 ? 1 : x < 0 ? -1 : 0` is `sign(x)`. A choice by the opposite of a truth value
/// is one by the truth value.
pub(super) fn choice(expr: Expr) -> Expr {
    if let Some(found) = sign(&expr).or_else(|| facing(&expr)) {
        return found;
    }
    match expr.kind {
        ExprKind::Select(condition, a, b) => match condition.kind {
            ExprKind::Unary(Unary::Not, inner) => {
                Expr::new(expr.ty, ExprKind::Select(inner, b, a)).linked(expr.link)
            }
            kind => {
                let condition = Box::new(Expr::new(condition.ty, kind).linked(condition.link));
                Expr::new(expr.ty, ExprKind::Select(condition, a, b)).linked(expr.link)
            }
        },
        kind => Expr::new(expr.ty, kind).linked(expr.link),
    }
}

/// Condition, value where it holds, value elsewhere.
fn parts(expr: &Expr) -> Option<(&Expr, &Expr, &Expr)> {
    match &expr.kind {
        ExprKind::Select(condition, yes, no) => Some((condition, yes, no)),
        ExprKind::Builtin(Builtin::Choose, args) => match &args[..] {
            [no, yes, condition] => Some((condition, yes, no)),
            _ => None,
        },
        _ => None,
    }
}

/// What is greater (less) than zero where a condition holds.
fn compared(condition: &Expr, greater: bool) -> Option<&Expr> {
    let (is_greater, a, b) = match &condition.kind {
        ExprKind::Binary(Binary::Gt, a, b) => (true, &**a, &**b),
        ExprKind::Binary(Binary::Lt, a, b) => (false, &**a, &**b),
        ExprKind::Builtin(Builtin::GreaterThan, args) => (true, args.first()?, args.get(1)?),
        ExprKind::Builtin(Builtin::LessThan, args) => (false, args.first()?, args.get(1)?),
        _ => return None,
    };
    (is_greater == greater && literal_of(b) == Some(0.0)).then_some(a)
}

/// `dot(side, i) < 0 ? v : -v`.
fn facing(expr: &Expr) -> Option<Expr> {
    let (condition, yes, no) = parts(expr)?;
    let ExprKind::Binary(by, dot, zero) = &condition.kind else { return None };
    let (vector, turned) = match by {
        Binary::Lt => (yes, no),
        Binary::Ge => (no, yes),
        _ => return None,
    };
    let ExprKind::Builtin(Builtin::Dot, args) = &dot.kind else { return None };
    let [side, incident] = &args[..] else { return None };
    let is_turned = matches!(&turned.kind, ExprKind::Unary(Unary::Negate, inner) if **inner == *vector);
    let fits = is_turned && literal_of(zero) == Some(0.0) && side.ty == expr.ty && incident.ty == expr.ty;
    fits.then(|| call(Builtin::FaceForward, expr, vec![vector.clone(), incident.clone(), side.clone()]))
}

fn sign(expr: &Expr) -> Option<Expr> {
    let (above, one, rest) = parts(expr)?;
    let (below, minus, zero) = parts(rest)?;
    let (x, y) = (compared(above, true)?, compared(below, false)?);
    let numbers = (literal_of(one)?, literal_of(minus)?, literal_of(zero)?);
    let fits = x == y && numbers == (1.0, -1.0, 0.0) && x.ty == expr.ty;
    fits.then(|| call(Builtin::Sign, expr, vec![x.clone()]))
}
