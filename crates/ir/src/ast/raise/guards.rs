//! Loop bodies of which most stands under one condition: `if (!condition) continue;` comes first instead, so
//! that nothing nests deeper than it must.

use super::super::walk::{bodies, bodies_mut, for_each_stmt};
use super::super::{Expr, Scalar, Stmt};
use super::Mode;
use super::forms::literal;
use super::tidy::opposite;

/// Statements under a condition from which on a `continue` reads better.
const MANY: usize = 5;

/// Puts guards into the bodies of all loops.
pub(super) fn run(body: &mut [Stmt], mode: Mode) {
    for stmt in body {
        let is_loop =
            matches!(stmt, Stmt::For { .. } | Stmt::While { .. } | Stmt::DoWhile { .. } | Stmt::Loop(_));
        for inner in bodies_mut(stmt) {
            if is_loop {
                guard(inner, mode);
            }
            run(inner, mode);
        }
    }
}

fn guard(body: &mut Vec<Stmt>, mode: Mode) {
    while let Some(Stmt::If { then, otherwise, .. }) = body.last()
        && otherwise.is_empty()
        && then.len() > 1
        && size(then) >= MANY
        && !matches!(then.last(), Some(Stmt::Break | Stmt::Return(_) | Stmt::Discard(_)))
    {
        let Some(Stmt::If { condition, then, .. }) = body.pop() else { return };
        body.push(leave(opposite(condition, mode), Stmt::Continue));
        body.extend(then);
    }
    // The last thing of a pass needs no word.
    if body.last() == Some(&Stmt::Continue) {
        body.pop();
    }
}

fn leave(condition: Expr, how: Stmt) -> Stmt {
    Stmt::If { condition, then: vec![how], otherwise: Vec::new() }
}

fn size(body: &[Stmt]) -> usize {
    let mut count = 0;
    for_each_stmt(body, &mut |_| count += 1);
    count
}

/// Makes `if (c) { leave; } else { more }` of a condition whose second side leaves: `if (!c) leave; more`.
pub(super) fn leave_first(body: &mut Vec<Stmt>, mode: Mode) {
    let mut at = 0;
    while at < body.len() {
        for inner in bodies_mut(&mut body[at]) {
            leave_first(inner, mode);
        }
        let leaves = |body: &[Stmt]| {
            matches!(body.last(), Some(Stmt::Break | Stmt::Continue | Stmt::Return(_) | Stmt::Discard(_)))
                && body.iter().all(|stmt| bodies(stmt).is_empty())
        };
        if let Stmt::If { condition, then, otherwise } = &mut body[at] {
            if !leaves(then) && leaves(otherwise) && !then.is_empty() {
                std::mem::swap(then, otherwise);
                let old = std::mem::replace(condition, literal(Scalar::Bool, &[0]));
                *condition = opposite(old, mode);
            }
            if leaves(then) && !otherwise.is_empty() {
                let more = std::mem::take(otherwise);
                body.splice(at + 1..at + 1, more);
            }
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Binary, ExprKind, LocalRef, Place};
    use super::super::forms::{binary, float, ty};
    use super::*;

    fn local(at: u32) -> Expr {
        Expr::new(ty(Scalar::Float, 1), ExprKind::Local(LocalRef(at)))
    }

    fn sets(count: u32) -> Vec<Stmt> {
        (0..count).map(|at| Stmt::Assign(Place::Local(LocalRef(at), Vec::new()), float(1.0))).collect()
    }

    fn less() -> Expr {
        binary(Binary::Lt, local(8), local(9))
    }

    #[test]
    fn a_long_condition_is_a_guard() {
        let mut loops = vec![Stmt::Loop(vec![Stmt::If {
            condition: less(),
            then: sets(MANY as u32),
            otherwise: Vec::new(),
        }])];
        run(&mut loops, Mode::Readable);
        let mut expected = vec![leave(binary(Binary::Ge, local(8), local(9)), Stmt::Continue)];
        expected.extend(sets(MANY as u32));
        assert_eq!(loops, [Stmt::Loop(expected)]);
    }

    #[test]
    fn the_side_that_leaves_comes_first() {
        let mut body = vec![Stmt::If {
            condition: less(),
            then: sets(2),
            otherwise: vec![Stmt::Discard(crate::ast::Link::NONE)],
        }];
        leave_first(&mut body, Mode::Readable);
        let mut expected =
            vec![leave(binary(Binary::Ge, local(8), local(9)), Stmt::Discard(crate::ast::Link::NONE))];
        expected.extend(sets(2));
        assert_eq!(body, expected);
    }
}
