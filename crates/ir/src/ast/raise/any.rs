//! One question to several components of vectors: `a.x == b.x || a.y == b.y || a.z == b.z` is
//! `any(equal(a.xyz, b.xyz))`, and with `&&` it is `all`. Exact.

use super::super::walk::{bodies_mut, exprs_mut, for_each_expr_mut};
use super::super::{Binary, Builtin, Expr, ExprKind, Scalar, Stmt};
use super::forms::{builtin, literal, swizzle, ty};

/// Fewest components for which a person writes it so.
const FEWEST: usize = 3;

/// Rewrites the questions of all statements.
pub(super) fn run(body: &mut [Stmt]) {
    for stmt in body {
        for expr in exprs_mut(stmt) {
            for_each_expr_mut(expr, &mut |expr| {
                if let Some(better) = together(expr) {
                    *expr = better.linked(expr.link);
                }
                rotate(expr);
            });
        }
        for inner in bodies_mut(stmt) {
            run(inner);
        }
    }
}

/// `a || (b || c)` is `a || b || c`.
fn rotate(expr: &mut Expr) {
    // Each step takes one term from the right side.
    for _ in 0..64 {
        let ExprKind::Binary(op @ (Binary::LogicalAnd | Binary::LogicalOr), _, right) = &expr.kind else {
            return;
        };
        let op = *op;
        if !matches!(&right.kind, ExprKind::Binary(inner, ..) if *inner == op) {
            return;
        }
        let truth = ty(Scalar::Bool, 1);
        let old = std::mem::replace(expr, literal(Scalar::Bool, &[0]));
        let ExprKind::Binary(_, a, right) = old.kind else { return };
        let ExprKind::Binary(_, b, c) = right.kind else { return };
        let front = Expr::new(truth, ExprKind::Binary(op, a, b));
        *expr = Expr::new(truth, ExprKind::Binary(op, Box::new(front), c)).linked(old.link);
    }
}

fn together(expr: &Expr) -> Option<Expr> {
    let ExprKind::Binary(joint @ (Binary::LogicalAnd | Binary::LogicalOr), ..) = expr.kind else {
        return None;
    };
    let mut terms = Vec::new();
    if !flatten(expr, joint, &mut terms) || terms.len() < FEWEST {
        return None;
    }
    let mut compared: Vec<(&Expr, &Expr)> = Vec::new();
    let mut by: Option<Binary> = None;
    for term in terms {
        let ExprKind::Binary(op, a, b) = &term.kind else { return None };
        if *by.get_or_insert(*op) != *op || a.ty.scalar != Scalar::Float {
            return None;
        }
        compared.push((&**a, &**b));
    }
    let function = match by? {
        Binary::Eq => Builtin::Equal,
        Binary::Ne => Builtin::NotEqual,
        Binary::Lt => Builtin::LessThan,
        Binary::Le => Builtin::LessThanEqual,
        Binary::Gt => Builtin::GreaterThan,
        Binary::Ge => Builtin::GreaterThanEqual,
        _ => return None,
    };
    compared.sort_by_key(|(a, b)| (lane(a), lane(b)));
    let (left, right): (Vec<&Expr>, Vec<&Expr>) = compared.into_iter().unzip();
    let (left, right) = (gathered(&left)?, gathered(&right)?);
    let truths = builtin(function, ty(Scalar::Bool, left.ty.components.into()), vec![left, right]);
    let which = if joint == Binary::LogicalOr { Builtin::Any } else { Builtin::All };
    Some(builtin(which, ty(Scalar::Bool, 1), vec![truths]))
}

/// The terms of a chain of one operator, four at most.
fn flatten<'t>(expr: &'t Expr, joint: Binary, terms: &mut Vec<&'t Expr>) -> bool {
    match &expr.kind {
        ExprKind::Binary(op, a, b) if *op == joint && terms.len() < 4 => {
            flatten(a, joint, terms) && flatten(b, joint, terms)
        }
        _ => {
            terms.push(expr);
            terms.len() <= 4
        }
    }
}

/// The component that an expression takes of a vector.
fn lane(expr: &Expr) -> Option<u8> {
    match &expr.kind {
        ExprKind::Swizzle(_, lanes) => lanes.first().copied(),
        _ => None,
    }
}

/// Scalars as one vector: components of one, or numbers.
fn gathered(parts: &[&Expr]) -> Option<Expr> {
    let numbers: Option<Vec<u64>> = parts
        .iter()
        .map(|part| match &part.kind {
            ExprKind::Literal(bits) => bits.first().copied(),
            _ => None,
        })
        .collect();
    if let Some(numbers) = numbers {
        return Some(literal(Scalar::Float, &numbers));
    }
    let mut lanes = Vec::new();
    let mut vector: Option<&Expr> = None;
    for part in parts {
        let ExprKind::Swizzle(inner, at) = &part.kind else { return None };
        if !matches!(inner.kind, ExprKind::Local(_) | ExprKind::Global(..))
            || *vector.get_or_insert(inner) != &**inner
        {
            return None;
        }
        lanes.extend(at.first());
    }
    Some(swizzle(vector?.clone(), &lanes))
}

#[cfg(test)]
mod tests {
    use super::super::super::{LocalRef, Place};
    use super::super::forms::{binary, float};
    use super::*;

    fn lane_of(local: u32, lane: u8) -> Expr {
        swizzle(Expr::new(ty(Scalar::Float, 4), ExprKind::Local(LocalRef(local))), &[lane])
    }

    fn after(value: Expr) -> Expr {
        let mut body = vec![Stmt::Assign(Place::Local(LocalRef(9), Vec::new()), value)];
        run(&mut body);
        match body.pop() {
            Some(Stmt::Assign(_, value)) => value,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn components_are_asked_together() {
        let term = |lane| binary(Binary::Lt, lane_of(0, lane), lane_of(1, lane));
        let or = |a, b| binary(Binary::LogicalOr, a, b);
        let vector = |local| swizzle(lane_of(local, 0), &[0]);
        assert_eq!(after(or(term(1), term(0))), or(term(1), term(0)));
        let chain = after(or(or(term(2), term(0)), term(1)));
        let ExprKind::Builtin(Builtin::Any, args) = &chain.kind else { panic!("{chain:?}") };
        let ExprKind::Builtin(Builtin::LessThan, args) = &args[0].kind else { panic!("{args:?}") };
        assert_eq!((args[0].ty.components, lane(&args[0])), (3, Some(0)));
        assert_eq!(vector(0), lane_of(0, 0));
        let mixed = or(or(term(2), term(0)), binary(Binary::Gt, lane_of(0, 1), float(1.0)));
        assert_eq!(after(mixed.clone()), mixed);
    }
}
