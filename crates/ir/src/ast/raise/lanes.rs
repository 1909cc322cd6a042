//! Stores to the components of one element, one behind the other, are one store of a vector.

use super::super::walk::{bodies_mut, for_each_expr};
use super::super::{Expr, ExprKind, GlobalRef, Link, Links, Place, Stmt};
use super::forms::{swizzle, ty};

/// `components`: how many a global has.
pub(super) fn run(body: &mut Vec<Stmt>, links: &mut Links, components: &impl Fn(u32) -> u8) {
    let mut at = 0;
    while at < body.len() {
        for inner in bodies_mut(&mut body[at]) {
            run(inner, links, components);
        }
        let count = run_length(&body[at..]);
        if count > 1 {
            let stores = body.drain(at..at + count).collect();
            body.insert(at, merged(stores, links, components));
        }
        at += 1;
    }
}

/// Element and component of a store to a component of an element.
fn component(stmt: &Stmt) -> Option<(GlobalRef, &Expr, u8, &Expr)> {
    match stmt {
        Stmt::Assign(Place::Global(global, Some(index), lanes), value) => match lanes[..] {
            [lane] if value.ty.components == 1 => Some((*global, index, lane, value)),
            _ => None,
        },
        _ => None,
    }
}

fn reads(expr: &Expr, global: GlobalRef) -> bool {
    let mut found = false;
    for_each_expr(expr, &mut |expr| {
        found |=
            matches!(&expr.kind, ExprKind::Global(read, _) | ExprKind::Column(read, ..) if *read == global);
    });
    found
}

/// Statements from the first on that are one store.
fn run_length(body: &[Stmt]) -> usize {
    let Some((global, index, first, _)) = body.first().and_then(component) else { return 1 };
    if reads(index, global) {
        return 1;
    }
    let mut seen = 1u8 << first;
    let mut count = 1;
    for stmt in &body[1..] {
        match component(stmt) {
            Some((other, at, lane, value))
                if other == global && at == index && seen >> lane & 1 == 0 && !reads(value, global) =>
            {
                seen |= 1 << lane;
                count += 1;
            }
            _ => break,
        }
    }
    count
}

fn merged(stores: Vec<Stmt>, links: &mut Links, components: &impl Fn(u32) -> u8) -> Stmt {
    let (mut target, mut link) = (None, Link::NONE);
    let mut parts: Vec<(u8, Expr)> = Vec::new();
    for stmt in stores {
        if let Stmt::Assign(Place::Global(global, index, lanes), value) = stmt {
            link = links.union(link, value.link);
            parts.push((lanes.first().copied().unwrap_or(0), value));
            target = Some((global, index));
        }
    }
    parts.sort_by_key(|(lane, _)| *lane);
    let lanes: Vec<u8> = parts.iter().map(|(lane, _)| *lane).collect();
    let (global, index) = target.unwrap_or((GlobalRef(0), None));
    let scalar = parts.first().map_or(super::super::Scalar::Float, |(_, value)| value.ty.scalar);
    let mut joined: Vec<Expr> = Vec::new();
    for (_, value) in parts {
        let together = joined.last().and_then(|last| same_base(last, &value));
        match together {
            Some(expr) => {
                joined.pop();
                joined.push(expr);
            }
            None => joined.push(value),
        }
    }
    let value = match joined.len() {
        1 => joined.swap_remove(0),
        _ => Expr::new(ty(scalar, lanes.len()), ExprKind::Construct(joined)),
    };
    let value = Expr { link, ..value };
    let whole = lanes.iter().copied().eq(0..components(global.0));
    Stmt::Assign(Place::Global(global, index, if whole { Vec::new() } else { lanes }), value)
}

/// Two neighbours that are components of one element, as components of it.
fn same_base(a: &Expr, b: &Expr) -> Option<Expr> {
    let (ExprKind::Swizzle(first, front), ExprKind::Swizzle(second, back)) = (&a.kind, &b.kind) else {
        return None;
    };
    let whole = matches!(first.kind, ExprKind::Global(..) | ExprKind::Local(_));
    (whole && first == second && front.len() + back.len() <= 4)
        .then(|| swizzle((**first).clone(), &[&front[..], &back[..]].concat()))
}
