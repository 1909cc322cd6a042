//! Locals that only repeat an input or a uniform under another name: the source says the name that is known.

use super::super::walk::{bodies_mut, exprs_mut, for_each_expr_mut, for_each_stmt, written};
use super::super::{Expr, ExprKind, Links, Stmt};
use crate::Space;

/// Rewrites a function's body. `spaces`: where each global lives.
pub(super) fn run(body: &mut Vec<Stmt>, locals: usize, spaces: &[Space], links: &mut Links) {
    let mut writes = vec![0_u32; locals];
    let mut known: Vec<Option<Expr>> = vec![None; locals];
    let mut any = false;
    for_each_stmt(body, &mut |stmt| {
        for (local, _) in written(stmt) {
            writes[local.0 as usize] += 1;
        }
        if let Stmt::Declare(local, Some(value)) = stmt
            && let ExprKind::Global(global, None) = value.kind
            && matches!(spaces.get(global.0 as usize), Some(Space::Input | Space::Uniform))
        {
            known[local.0 as usize] = Some(value.clone());
            any = true;
        }
    });
    if !any {
        return;
    }
    for (known, writes) in known.iter_mut().zip(writes) {
        if writes != 1 {
            *known = None;
        }
    }
    replace(body, &known, links);
}

fn replace(body: &mut Vec<Stmt>, known: &[Option<Expr>], links: &mut Links) {
    body.retain(|stmt| !matches!(stmt, Stmt::Declare(local, _) if known[local.0 as usize].is_some()));
    for stmt in body {
        for expr in exprs_mut(stmt) {
            for_each_expr_mut(expr, &mut |expr| {
                if let ExprKind::Local(local) = expr.kind
                    && let Some(value) = &known[local.0 as usize]
                {
                    let link = links.union(expr.link, value.link);
                    *expr = Expr { link, ..value.clone() };
                }
            });
        }
        for inner in bodies_mut(stmt) {
            replace(inner, known, links);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::forms::{binary, float};
    use super::*;
    use crate::ast::{Binary, GlobalRef, LocalRef, Place, Scalar, Type};

    #[test]
    fn a_local_that_repeats_an_input_is_the_input() {
        let ty = Type { scalar: Scalar::Float, components: 1 };
        let local = |at| Expr::new(ty, ExprKind::Local(LocalRef(at)));
        let global = |at| Expr::new(ty, ExprKind::Global(GlobalRef(at), None));
        let mut body = vec![
            Stmt::Declare(LocalRef(0), Some(global(0))),
            Stmt::Declare(LocalRef(1), Some(global(1))),
            Stmt::Assign(Place::Local(LocalRef(1), Vec::new()), float(2.0)),
            Stmt::Assign(
                Place::Global(GlobalRef(2), None, Vec::new()),
                binary(Binary::Add, local(0), local(1)),
            ),
        ];
        run(&mut body, 2, &[Space::Input, Space::Input, Space::Output], &mut Links::default());
        let expected = [
            Stmt::Declare(LocalRef(1), Some(global(1))),
            Stmt::Assign(Place::Local(LocalRef(1), Vec::new()), float(2.0)),
            Stmt::Assign(
                Place::Global(GlobalRef(2), None, Vec::new()),
                binary(Binary::Add, global(0), local(1)),
            ),
        ];
        assert_eq!(body, expected);
    }
}
