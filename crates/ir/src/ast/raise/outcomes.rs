//! How a loop ended: a variable that every way out of a loop sets, and nothing in the loop reads, takes what the
//! natural end gives it before the loop. `hit = false; for (...) { ... hit = true; break; }`.

use super::super::walk::{bodies, for_each_mention, for_each_stmt, reads_local};
use super::super::{ExprKind, LocalRef, Place, Stmt};

/// Takes what the first way out of a loop's body sets to numbers, where it may stand in front of the loop.
pub(super) fn hoist(body: &mut [Stmt]) -> Vec<Stmt> {
    let Some(Stmt::If { then, otherwise, .. }) = body.first() else { return Vec::new() };
    let ([front @ .., Stmt::Break], true) = (&then[..], otherwise.is_empty()) else { return Vec::new() };
    let locals: Option<Vec<LocalRef>> = front.iter().map(number_for).collect();
    let Some(locals) = locals.filter(|locals| !locals.is_empty()) else { return Vec::new() };
    // The first condition is asked in every pass.
    let Some(Stmt::If { condition, .. }) = body.first() else { return Vec::new() };
    if locals.iter().any(|local| reads_local(condition, *local) || !set_on_exit(body, *local)) {
        return Vec::new();
    }
    let Some(Stmt::If { then, .. }) = body.first_mut() else { return Vec::new() };
    let count = then.len() - 1;
    then.drain(..count).collect()
}

/// The local that a statement gives a number.
fn number_for(stmt: &Stmt) -> Option<LocalRef> {
    match stmt {
        Stmt::Assign(Place::Local(local, components), value)
            if components.is_empty() && matches!(value.kind, ExprKind::Literal(_)) =>
        {
            Some(*local)
        }
        _ => None,
    }
}

/// Whether the body of a loop mentions a local only to set it, right before it leaves the loop.
fn set_on_exit(body: &[Stmt], local: LocalRef) -> bool {
    let leaves = body.last() == Some(&Stmt::Break);
    // A way out that does not set it leaves what it was before the loop.
    let sets = |stmt: &Stmt| matches!(stmt, Stmt::Assign(Place::Local(other, _), _) if *other == local);
    if body.contains(&Stmt::Break) && !body.iter().any(sets) {
        return false;
    }
    body.iter().enumerate().all(|(at, stmt)| {
        let mut mentioned = false;
        for_each_mention(stmt, &mut |other| mentioned |= other == local);
        if mentioned {
            let sets = matches!(stmt, Stmt::Assign(Place::Local(_, components), value)
                if components.is_empty() && !reads_local(value, local));
            return sets && leaves && body[at + 1..].iter().all(|stmt| bodies(stmt).is_empty());
        }
        match stmt {
            Stmt::If { then, otherwise, .. } => set_on_exit(then, local) && set_on_exit(otherwise, local),
            _ => {
                let mut free = true;
                for_each_stmt(std::slice::from_ref(stmt), &mut |inner| {
                    for_each_mention(inner, &mut |other| free &= other != local);
                });
                free
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::{Binary, Expr, Scalar};
    use super::super::forms::{binary, literal, ty};
    use super::*;

    fn local(at: u32) -> Expr {
        Expr::new(ty(Scalar::Int, 1), ExprKind::Local(LocalRef(at)))
    }

    fn set(at: u32, value: u64) -> Stmt {
        Stmt::Assign(Place::Local(LocalRef(at), Vec::new()), literal(Scalar::Int, &[value]))
    }

    fn leave(left: u32, stmts: Vec<Stmt>) -> Stmt {
        let condition = binary(Binary::Lt, local(left), local(9));
        Stmt::If { condition, then: stmts, otherwise: Vec::new() }
    }

    #[test]
    fn a_flag_is_set_before_the_loop() {
        let mut body = vec![leave(1, vec![set(0, 0), Stmt::Break]), leave(2, vec![set(0, 1), Stmt::Break])];
        assert_eq!(hoist(&mut body), [set(0, 0)]);
        assert_eq!(body[0], leave(1, vec![Stmt::Break]));
    }

    #[test]
    fn what_the_loop_reads_or_keeps_stays() {
        let first = || leave(1, vec![set(0, 0), Stmt::Break]);
        for second in [
            leave(0, vec![Stmt::Break]),
            set(0, 1),
            leave(2, vec![set(0, 1), set(3, 1)]),
            // A way out that keeps what it was.
            leave(2, vec![Stmt::Break]),
        ] {
            let mut body = vec![first(), second];
            assert_eq!(hoist(&mut body), []);
        }
    }
}
