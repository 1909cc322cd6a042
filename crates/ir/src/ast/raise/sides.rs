//! Comparisons as they are spoken: what varies stands on the left, what it is held against on the right.
//! `0.0 > x` is `x < 0.0`, `count > i` of a uniform `count` is `i < count`.

use super::super::walk::{bodies_mut, exprs_mut, for_each_expr, for_each_expr_mut};
use super::super::{Binary, Builtin, Expr, ExprKind, GlobalRef, Stmt};

/// Turns comparisons round. `uniform`: whether a global is one.
pub(super) fn run(body: &mut [Stmt], uniform: &impl Fn(GlobalRef) -> bool) {
    for stmt in body {
        for expr in exprs_mut(stmt) {
            for_each_expr_mut(expr, &mut |expr| turn(expr, uniform));
        }
        for inner in bodies_mut(stmt) {
            run(inner, uniform);
        }
    }
}

fn turn(expr: &mut Expr, uniform: &impl Fn(GlobalRef) -> bool) {
    use Binary::{Eq, Ge, Gt, Le, Lt, Ne};
    match &mut expr.kind {
        ExprKind::Binary(op @ (Eq | Ne | Lt | Le | Gt | Ge), a, b)
            if steadiness(a, uniform) > steadiness(b, uniform) =>
        {
            std::mem::swap(a, b);
            *op = match *op {
                Lt => Gt,
                Le => Ge,
                Gt => Lt,
                Ge => Le,
                same => same,
            };
        }
        ExprKind::Builtin(function, args) => {
            let turned = match function {
                Builtin::LessThan => Builtin::GreaterThan,
                Builtin::LessThanEqual => Builtin::GreaterThanEqual,
                Builtin::GreaterThan => Builtin::LessThan,
                Builtin::GreaterThanEqual => Builtin::LessThanEqual,
                Builtin::Equal => Builtin::Equal,
                Builtin::NotEqual => Builtin::NotEqual,
                _ => return,
            };
            if let [a, b] = &args[..]
                && steadiness(a, uniform) > steadiness(b, uniform)
            {
                args.reverse();
                *function = turned;
            }
        }
        _ => {}
    }
}

/// How little an expression varies: 2 for a number, 1 for what is the same in the whole draw.
fn steadiness(expr: &Expr, uniform: &impl Fn(GlobalRef) -> bool) -> u8 {
    if let ExprKind::Literal(_) = expr.kind {
        return 2;
    }
    let mut steady = true;
    for_each_expr(expr, &mut |part| {
        steady &= match &part.kind {
            ExprKind::Global(global, _)
            | ExprKind::Column(global, ..)
            | ExprKind::MatrixVector(global, ..) => uniform(*global),
            ExprKind::Local(_)
            | ExprKind::Array(..)
            | ExprKind::Word(..)
            | ExprKind::Elements(_)
            | ExprKind::Texture(_)
            | ExprKind::Image(..)
            | ExprKind::Interpolate(..) => false,
            _ => true,
        };
    });
    u8::from(steady)
}

#[cfg(test)]
mod tests {
    use super::super::super::{LocalRef, Place, Scalar};
    use super::super::forms::{binary, float, ty};
    use super::*;

    #[test]
    fn what_varies_comes_first() {
        let local = Expr::new(ty(Scalar::Float, 1), ExprKind::Local(LocalRef(0)));
        let global = |at| Expr::new(ty(Scalar::Float, 1), ExprKind::Global(GlobalRef(at), None));
        let compared = |op, a: &Expr, b: &Expr| {
            let condition = binary(op, a.clone(), b.clone());
            let mut body = vec![Stmt::Assign(Place::Local(LocalRef(1), Vec::new()), condition)];
            run(&mut body, &|global| global.0 == 0);
            match body.pop() {
                Some(Stmt::Assign(_, value)) => value,
                other => panic!("{other:?}"),
            }
        };
        let zero = float(0.0);
        assert_eq!(compared(Binary::Gt, &zero, &local), binary(Binary::Lt, local.clone(), zero.clone()));
        assert_eq!(compared(Binary::Le, &global(0), &local), binary(Binary::Ge, local.clone(), global(0)));
        assert_eq!(compared(Binary::Ne, &zero, &global(0)), binary(Binary::Ne, global(0), zero.clone()));
        assert_eq!(compared(Binary::Lt, &global(1), &local), binary(Binary::Lt, global(1), local.clone()));
        assert_eq!(compared(Binary::Lt, &local, &zero), binary(Binary::Lt, local, zero));
    }
}
