//! What both sides of a condition begin or end with stands once: in front of the condition or behind it.

use super::super::Stmt;
use super::super::walk::{exprs, for_each_stmt, needs_quad};
use super::tidy::keeps;

/// Takes away what both sides of a condition end with. Ways out are the same on both sides, or none.
pub(super) fn common_end(stmt: &mut Stmt) -> Vec<Stmt> {
    let Stmt::If { then, otherwise, .. } = stmt else { return Vec::new() };
    let mut end = Vec::new();
    while let (Some(a), Some(b)) = (then.last(), otherwise.last())
        && a == b
        && may_move(a)
    {
        end.extend(then.pop());
        otherwise.pop();
    }
    end.reverse();
    end
}

/// Takes away what both sides of a condition begin with, where that leaves the condition as it is.
pub(super) fn common_start(stmt: &mut Stmt) -> Vec<Stmt> {
    let Stmt::If { condition, then, otherwise } = stmt else { return Vec::new() };
    let same = then.iter().zip(otherwise.iter()).take_while(|(a, b)| {
        a == b && may_move(a) && matches!(a, Stmt::Assign(..)) && keeps(condition, std::slice::from_ref(a))
    });
    let count = same.count();
    otherwise.drain(..count);
    then.drain(..count).collect()
}

/// Whether a statement may leave a condition: not what asks the other pixels of the quad.
fn may_move(stmt: &Stmt) -> bool {
    let mut free = true;
    for_each_stmt(std::slice::from_ref(stmt), &mut |inner| {
        free &=
            !exprs(inner).into_iter().any(needs_quad) && !matches!(inner, Stmt::Call { .. } | Stmt::Act(_));
    });
    free
}

#[cfg(test)]
mod tests {
    use super::super::super::{Expr, ExprKind, LocalRef, Place, Scalar};
    use super::super::forms::{binary, float, ty};
    use super::*;
    use crate::ast::Binary;

    fn local(at: u32) -> Expr {
        Expr { ty: ty(Scalar::Float, 1), kind: ExprKind::Local(LocalRef(at)) }
    }

    fn set(at: u32, value: f32) -> Stmt {
        Stmt::Assign(Place::Local(LocalRef(at), Vec::new()), float(value))
    }

    #[test]
    fn what_both_sides_do_stands_once() {
        let condition = binary(Binary::Lt, local(0), local(1));
        let mut stmt = Stmt::If {
            condition: condition.clone(),
            then: vec![set(2, 1.0), set(0, 2.0), set(3, 3.0), Stmt::Break],
            otherwise: vec![set(2, 1.0), set(0, 2.0), set(3, 4.0), Stmt::Break],
        };
        assert_eq!(common_end(&mut stmt), [Stmt::Break]);
        // The second changes what the condition reads.
        assert_eq!(common_start(&mut stmt), [set(2, 1.0)]);
        let then = vec![set(0, 2.0), set(3, 3.0)];
        assert_eq!(stmt, Stmt::If { condition, then, otherwise: vec![set(0, 2.0), set(3, 4.0)] });
    }
}
