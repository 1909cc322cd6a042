//! Locals for answers of textures that say something in fewer than four components: a comparison, a size. They
//! are declared as wide as the answer is, so that the text needs no filling.

use super::super::walk::{exprs, exprs_mut, for_each_expr_mut, for_each_stmt, operands, written};
use super::super::{Expr, ExprKind, Local, LocalRef, Scalar, Stmt, Type, walk};
use super::forms::swizzle;
use crate::TextureQuery;

/// What becomes of a local.
#[derive(Clone, Copy)]
struct Narrow {
    /// Components from the first on, or the last one alone.
    width: u8,
    /// The only component that is read.
    only: Option<u8>,
}

pub(super) fn run(body: &mut [Stmt], locals: &mut [Local]) {
    let mut answers: Vec<Option<(u8, bool, bool)>> = vec![None; locals.len()];
    let mut writes = vec![0u32; locals.len()];
    for_each_stmt(body, &mut |stmt| {
        for (local, _) in written(stmt) {
            writes[local.0 as usize] += 1;
        }
        if let Stmt::Declare(local, Some(Expr { kind: ExprKind::Texture(fetch), .. })) = stmt {
            let texture = fetch.texture;
            let compares = texture.shadow && texture.query == TextureQuery::Sample;
            let sizes = texture.query == TextureQuery::Size;
            if texture.answer() < 4 {
                answers[local.0 as usize] = Some((texture.answer(), compares, sizes));
            }
        }
    });
    if answers.iter().all(Option::is_none) {
        return;
    }
    // Components that are read, a bit for each; 16: in another way.
    let mut read = vec![0u8; locals.len()];
    for_each_stmt(body, &mut |stmt| exprs(stmt).into_iter().for_each(|expr| reads(expr, &mut read)));
    let narrow: Vec<Option<Narrow>> = (0..locals.len())
        .map(|at| {
            let (width, compares, sizes) =
                answers[at].filter(|_| writes[at] == 1 && locals[at].ty.components == 4)?;
            match read[at] {
                0 => None,
                mask if mask >= 16 => None,
                _ if compares => Some(Narrow { width: 1, only: Some(0) }),
                8 if sizes => Some(Narrow { width: 1, only: Some(3) }),
                mask if mask >> width == 0 => Some(Narrow { width, only: None }),
                _ => None,
            }
        })
        .collect();
    rewrite(body, &narrow);
    for (local, narrow) in locals.iter_mut().zip(&narrow) {
        if let Some(narrow) = narrow {
            local.ty.components = narrow.width;
        }
    }
}

fn reads(expr: &Expr, read: &mut [u8]) {
    match &expr.kind {
        ExprKind::Local(local) => read[local.0 as usize] |= 16,
        ExprKind::Swizzle(inner, lanes) => match inner.kind {
            ExprKind::Local(local) => lanes.iter().for_each(|lane| read[local.0 as usize] |= 1 << (lane & 3)),
            _ => reads(inner, read),
        },
        _ => operands(expr).into_iter().for_each(|part| reads(part, read)),
    }
}

fn rewrite(body: &mut [Stmt], narrow: &[Option<Narrow>]) {
    let of = |local: LocalRef| narrow.get(local.0 as usize).copied().flatten();
    for stmt in body {
        for expr in exprs_mut(stmt) {
            for_each_expr_mut(expr, &mut |expr| {
                let ExprKind::Swizzle(inner, lanes) = &expr.kind else { return };
                let ExprKind::Local(local) = inner.kind else { return };
                let Some(Narrow { width, only }) = of(local) else { return };
                let lanes: Vec<u8> =
                    lanes.iter().map(|lane| if only.is_some() { 0 } else { *lane }).collect();
                let ty = Type { components: width, ..inner.ty };
                *expr = swizzle(Expr::new(ty, ExprKind::Local(local)), &lanes).linked(expr.link);
            });
        }
        if let Stmt::Declare(local, Some(value)) = stmt
            && let Some(Narrow { width, only }) = of(*local)
        {
            let lanes: Vec<u8> = only.map_or_else(|| (0..width).collect(), |lane| vec![lane]);
            let nothing = Expr::new(Type { scalar: Scalar::Bool, components: 1 }, ExprKind::Literal(vec![0]));
            let whole = std::mem::replace(value, nothing);
            *value = swizzle(whole, &lanes);
        }
        for inner in walk::bodies_mut(stmt) {
            rewrite(inner, narrow);
        }
    }
}
