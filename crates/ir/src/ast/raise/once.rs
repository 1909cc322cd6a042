//! Locals that nothing but one expression reads, written where they are read.
//!
//! [`super::schedule`] does so for values of the module. Functions of the source languages are found in expressions
//! only then ([`super::idioms`]), and take two uses of a value for one: `reflect(v, n)` has its `v` once.

use super::super::walk::{
    bodies, bodies_mut, exprs, exprs_mut, for_each_expr, for_each_expr_mut, for_each_stmt, needs_quad,
    reads_local, reads_memory, written,
};
use super::super::{Expr, ExprKind, GlobalRef, Links, LocalRef, Place, Stmt};
use super::forms::swizzle;

/// Statements between a declaration and its use that are looked through.
const FAR: usize = 16;
/// Most operations of an expression that takes in another one.
const LARGEST: usize = 14;

/// What is known of a local.
#[derive(Clone, Copy, Default)]
struct Mentions {
    reads: u32,
    writes: u32,
}

/// Rewrites a function's body.
pub(super) fn run(body: &mut Vec<Stmt>, locals: usize, links: &mut Links) {
    let mut mentions = vec![Mentions::default(); locals];
    for_each_stmt(body, &mut |stmt| {
        for (local, _) in written(stmt) {
            mentions[local.0 as usize].writes += 1;
        }
        for expr in exprs(stmt) {
            for_each_expr(expr, &mut |expr| {
                if let ExprKind::Local(local) = expr.kind {
                    mentions[local.0 as usize].reads += 1;
                }
            });
        }
    });
    block(body, &mentions, links);
}

fn block(body: &mut Vec<Stmt>, mentions: &[Mentions], links: &mut Links) {
    let mut gone = vec![false; body.len()];
    for at in 0..body.len() {
        for inner in bodies_mut(&mut body[at]) {
            block(inner, mentions, links);
        }
        let Some((local, end)) = target(body, at, mentions) else { continue };
        let Stmt::Declare(_, Some(value)) = std::mem::replace(&mut body[at], Stmt::Break) else { continue };
        put(&mut body[end], local, value, links);
        gone[at] = true;
    }
    let mut gone = gone.into_iter();
    body.retain(|_| !gone.next().unwrap_or(false));
}

/// The local that the statement declares, and the statement that may have its value instead.
fn target(body: &[Stmt], at: usize, mentions: &[Mentions]) -> Option<(LocalRef, usize)> {
    let Stmt::Declare(local, Some(value)) = body.get(at)? else { return None };
    let known = mentions.get(local.0 as usize)?;
    if (known.reads, known.writes) != (1, 1) || needs_quad(value) || reads_memory(value) {
        return None;
    }
    let (locals, globals) = read_by(value);
    for (place, stmt) in body.iter().enumerate().skip(at + 1).take(FAR) {
        let user = exprs(stmt).into_iter().find(|expr| reads_local(expr, *local));
        if let Some(user) = user {
            // The conditions of loops are computed again and again.
            let once = !matches!(stmt, Stmt::For { .. } | Stmt::While { .. } | Stmt::DoWhile { .. });
            return (once && size(value) + size(user) <= LARGEST).then_some((*local, place));
        }
        let stays = match stmt {
            Stmt::Declare(other, _) => !locals.contains(other),
            Stmt::Assign(Place::Local(other, _), _) => !locals.contains(other),
            Stmt::Assign(Place::Global(other, ..), _) => !globals.contains(other),
            Stmt::Assign(..) => true,
            _ => false,
        };
        if !stays || !bodies(stmt).is_empty() {
            return None;
        }
    }
    None
}

/// Locals and globals that an expression reads.
fn read_by(value: &Expr) -> (Vec<LocalRef>, Vec<GlobalRef>) {
    let (mut locals, mut globals) = (Vec::new(), Vec::new());
    for_each_expr(value, &mut |expr| match &expr.kind {
        ExprKind::Local(local) => locals.push(*local),
        ExprKind::Global(global, _)
        | ExprKind::MatrixVector(global, ..)
        | ExprKind::Column(global, ..)
        | ExprKind::Interpolate(_, global, _) => globals.push(*global),
        ExprKind::Product(product) => globals.push(product.matrix),
        _ => {}
    });
    (locals, globals)
}

/// Operations of an expression.
fn size(expr: &Expr) -> usize {
    let mut count = 0;
    for_each_expr(expr, &mut |expr| {
        count += usize::from(!matches!(
            expr.kind,
            ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Global(..) | ExprKind::Swizzle(..)
        ));
    });
    count
}

/// Writes a value where a statement reads the local.
fn put(stmt: &mut Stmt, local: LocalRef, value: Expr, links: &mut Links) {
    let mut value = Some(value);
    for expr in exprs_mut(stmt) {
        for_each_expr_mut(expr, &mut |expr| match &mut expr.kind {
            ExprKind::Local(read) if *read == local => {
                if let Some(value) = value.take() {
                    let link = links.union(expr.link, value.link);
                    *expr = Expr { link, ..value };
                }
            }
            ExprKind::Swizzle(inner, lanes) if inner.kind == ExprKind::Local(local) => {
                if let Some(value) = value.take() {
                    let link = links.union(expr.link, value.link);
                    *expr = Expr { link, ..swizzle(value, lanes) };
                }
            }
            _ => {}
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::forms::{binary, float};
    use super::*;
    use crate::ast::{Binary, Scalar, Type};

    const FLOAT: Type = Type { scalar: Scalar::Float, components: 1 };

    fn local(at: u32) -> Expr {
        Expr::new(FLOAT, ExprKind::Local(LocalRef(at)))
    }

    fn sum(a: Expr, b: Expr) -> Expr {
        binary(Binary::Add, a, b)
    }

    fn input(at: u32) -> Expr {
        Expr::new(FLOAT, ExprKind::Global(GlobalRef(at), None))
    }

    #[test]
    fn a_value_read_once_stands_where_it_is_read() {
        let mut body = vec![
            Stmt::Declare(LocalRef(0), Some(sum(input(0), float(1.0)))),
            Stmt::Declare(LocalRef(1), Some(float(2.0))),
            Stmt::Assign(Place::Global(GlobalRef(1), None, Vec::new()), sum(local(0), local(1))),
            Stmt::Return(vec![local(1)]),
        ];
        run(&mut body, 2, &mut Links::default());
        let expected = vec![
            Stmt::Declare(LocalRef(1), Some(float(2.0))),
            Stmt::Assign(
                Place::Global(GlobalRef(1), None, Vec::new()),
                sum(sum(input(0), float(1.0)), local(1)),
            ),
            Stmt::Return(vec![local(1)]),
        ];
        assert_eq!(body, expected);
    }

    /// A value stays before what changes what it is made of, and outside of loops.
    #[test]
    fn a_value_that_changes_in_between_stays() {
        let changed = Stmt::Assign(Place::Local(LocalRef(1), Vec::new()), float(3.0));
        let mut body = vec![
            Stmt::Declare(LocalRef(1), Some(float(2.0))),
            Stmt::Declare(LocalRef(0), Some(sum(local(1), float(1.0)))),
            changed,
            Stmt::Return(vec![local(0)]),
        ];
        let before = body.clone();
        run(&mut body, 2, &mut Links::default());
        assert_eq!(body, before);
        let condition = binary(Binary::Lt, local(0), input(0));
        let mut body = vec![
            Stmt::Declare(LocalRef(0), Some(sum(input(0), float(1.0)))),
            Stmt::While { condition, body: vec![Stmt::Break] },
        ];
        let before = body.clone();
        run(&mut body, 1, &mut Links::default());
        assert_eq!(body, before);
    }
}
