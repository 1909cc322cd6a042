//! What both sides of a condition begin or end with stands once: in front of the condition or behind it.

use super::super::walk::{bodies_mut, exprs, for_each_stmt, needs_quad};
use super::super::{Binary, Expr, ExprKind, Place, Scalar, Stmt};
use super::forms::literal;
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

/// `if (a) x else if (b) x else y` is `if (a || b) x else y`, `if (a) { if (b) x }` is `if (a && b) x`.
pub(super) fn join_nested(stmt: &mut Stmt) {
    let Stmt::If { condition, then, otherwise } = stmt else { return };
    let truth = condition.ty;
    let joined = |op, a: &mut Expr, b: Expr| {
        let first = std::mem::replace(a, literal(Scalar::Bool, &[0]));
        Expr::new(truth, ExprKind::Binary(op, Box::new(first), Box::new(b)))
    };
    if let [Stmt::If { condition: second, then: same, .. }] = &otherwise[..]
        && same == then
        && !needs_quad(second)
    {
        if let Some(Stmt::If { condition: second, otherwise: rest, .. }) = otherwise.pop() {
            *condition = joined(Binary::LogicalOr, condition, second);
            *otherwise = rest;
        }
    } else if let ([Stmt::If { condition: second, otherwise: none, .. }], true) =
        (&then[..], otherwise.is_empty())
        && none.is_empty()
        && !needs_quad(second)
        && let Some(Stmt::If { condition: second, then: inner, .. }) = then.pop()
    {
        *condition = joined(Binary::LogicalAnd, condition, second);
        *then = inner;
    }
}

/// A truth value that the next condition asks for and nothing else is written there: `if (x < y)`, not
/// `bool c = x < y; if (c)`. `mentions`: how often each local stands in the function.
pub(super) fn ask_directly(body: &mut Vec<Stmt>, mentions: &[u32]) {
    let mut at = 0;
    while at < body.len() {
        for inner in bodies_mut(&mut body[at]) {
            ask_directly(inner, mentions);
        }
        let direct = match &body[at..] {
            [Stmt::Assign(Place::Local(local, components), _), Stmt::If { condition, .. }, ..] => {
                components.is_empty()
                    && condition.kind == ExprKind::Local(*local)
                    && mentions.get(local.0 as usize) == Some(&2)
            }
            _ => false,
        };
        if direct
            && let Stmt::Assign(_, value) = body.remove(at)
            && let Some(Stmt::If { condition, .. }) = body.get_mut(at)
        {
            *condition = value;
            continue;
        }
        at += 1;
    }
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
    use super::super::super::LocalRef;
    use super::super::forms::{binary, float, ty};
    use super::*;

    fn local(at: u32) -> Expr {
        Expr::new(ty(Scalar::Float, 1), ExprKind::Local(LocalRef(at)))
    }

    fn set(at: u32, value: f32) -> Stmt {
        Stmt::Assign(Place::Local(LocalRef(at), Vec::new()), float(value))
    }

    fn when(condition: Expr, then: Vec<Stmt>, otherwise: Vec<Stmt>) -> Stmt {
        Stmt::If { condition, then, otherwise }
    }

    #[test]
    fn conditions_join() {
        let (a, b) = (binary(Binary::Lt, local(0), local(1)), binary(Binary::Eq, local(2), local(3)));
        let both = |op| binary(op, a.clone(), b.clone());
        let inner = when(b.clone(), vec![set(4, 1.0)], vec![set(4, 2.0)]);
        let mut either = when(a.clone(), vec![set(4, 1.0)], vec![inner]);
        join_nested(&mut either);
        assert_eq!(either, when(both(Binary::LogicalOr), vec![set(4, 1.0)], vec![set(4, 2.0)]));
        let inner = when(b.clone(), vec![set(4, 1.0)], Vec::new());
        let mut nested = when(a.clone(), vec![inner], Vec::new());
        join_nested(&mut nested);
        assert_eq!(nested, when(both(Binary::LogicalAnd), vec![set(4, 1.0)], Vec::new()));
    }

    #[test]
    fn a_truth_value_is_asked_directly() {
        let less = binary(Binary::Lt, local(0), local(1));
        let truth = Expr::new(ty(Scalar::Bool, 1), ExprKind::Local(LocalRef(2)));
        let body = || {
            let first = Stmt::Assign(Place::Local(LocalRef(2), Vec::new()), less.clone());
            vec![first, when(truth.clone(), vec![set(3, 1.0)], Vec::new())]
        };
        let (mut once, mut twice) = (body(), body());
        ask_directly(&mut once, &[1, 1, 2, 1]);
        assert_eq!(once, [when(less.clone(), vec![set(3, 1.0)], Vec::new())]);
        ask_directly(&mut twice, &[1, 1, 3, 1]);
        assert_eq!(twice, body());
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
