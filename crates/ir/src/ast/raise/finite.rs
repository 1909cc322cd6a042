//! Questions whether something is a number have their own names: `x != x` is `isnan(x)`, a magnitude that equals
//! infinity is `isinf(x)`. Both are exact.

use super::super::walk::{bodies_mut, exprs_mut, for_each_expr_mut};
use super::super::{Binary, Builtin, Expr, ExprKind, Scalar, Stmt};
use super::forms::{builtin, literal, not, ty};

const INFINITY: u64 = 0x7F80_0000;

/// Names the questions.
pub(super) fn run(body: &mut [Stmt]) {
    for stmt in body {
        for expr in exprs_mut(stmt) {
            for_each_expr_mut(expr, &mut |expr| {
                if let Some((what, of, holds)) = question(expr) {
                    let of = of.clone();
                    let asked = builtin(what, ty(Scalar::Bool, 1), vec![of]);
                    let asked = asked.linked(expr.link);
                    *expr = if holds { asked } else { not(asked) };
                }
            });
        }
        for inner in bodies_mut(stmt) {
            run(inner);
        }
    }
}

/// What is asked of what, and whether yes is true.
fn question(expr: &Expr) -> Option<(Builtin, &Expr, bool)> {
    let ExprKind::Binary(op @ (Binary::Eq | Binary::Ne), a, b) = &expr.kind else { return None };
    if a.ty != ty(Scalar::Float, 1) || b.ty != a.ty {
        return None;
    }
    if a == b {
        return Some((Builtin::IsNan, &**a, *op == Binary::Ne));
    }
    let infinite = |expr: &Expr| *expr == literal(Scalar::Float, &[INFINITY]);
    let magnitude = match (infinite(a), infinite(b)) {
        (true, false) => b,
        (false, true) => a,
        _ => return None,
    };
    match &magnitude.kind {
        ExprKind::Builtin(Builtin::Abs, args) => Some((Builtin::IsInf, args.first()?, *op == Binary::Eq)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{LocalRef, Place};
    use super::super::forms::binary;
    use super::*;

    #[test]
    fn questions_have_names() {
        let x = Expr::new(ty(Scalar::Float, 1), ExprKind::Local(LocalRef(0)));
        let magnitude = builtin(Builtin::Abs, x.ty, vec![x.clone()]);
        let infinity = literal(Scalar::Float, &[INFINITY]);
        let asked = |what| builtin(what, ty(Scalar::Bool, 1), vec![x.clone()]);
        for (before, after) in [
            (binary(Binary::Ne, x.clone(), x.clone()), asked(Builtin::IsNan)),
            (binary(Binary::Eq, x.clone(), x.clone()), not(asked(Builtin::IsNan))),
            (binary(Binary::Eq, infinity.clone(), magnitude.clone()), asked(Builtin::IsInf)),
            (binary(Binary::Ne, magnitude, infinity), not(asked(Builtin::IsInf))),
        ] {
            let mut body = vec![Stmt::Assign(Place::Local(LocalRef(1), Vec::new()), before)];
            run(&mut body);
            assert_eq!(body, [Stmt::Assign(Place::Local(LocalRef(1), Vec::new()), after)]);
        }
    }
}
