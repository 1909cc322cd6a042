//! Components that go from one stage to the next, say nothing, and are not read there: machines hand over whole registers,
//! so a compiler fills up `vec4(texCoord, 0.0, 0.0)` or `normal.xyzz` what the source wrote as `texCoord` and `normal`.

use super::super::walk::{
    bodies_mut, exprs, exprs_mut, for_each_expr, for_each_expr_mut, for_each_stmt, operands,
};
use super::super::{Expr, ExprKind, GlobalRef, Place, Program, Stmt};
use super::passed::{Pair, vector, with_components};
use std::collections::BTreeMap;

/// Cuts both sides to what the back one reads, where the front one fills up the rest with numbers or repeats.
pub(super) fn run(front: &mut Program, back: &mut Program, pairs: &[Pair]) {
    let mut times = BTreeMap::new();
    for pair in pairs {
        *times.entry((false, pair.front)).or_insert(0) += 1;
        *times.entry((true, pair.back)).or_insert(0) += 1;
    }
    for pair in pairs {
        let (Some(from), Some(to)) = (front.globals.get(pair.front), back.globals.get(pair.back)) else {
            continue;
        };
        let alone = times.get(&(false, pair.front)) == Some(&1) && times.get(&(true, pair.back)) == Some(&1);
        let named = from.global.named || to.global.named;
        let alike = from.global.shape == to.global.shape && from.global.offset % 4 == to.global.offset % 4;
        let plain = from.matrix_rows.is_none() && to.matrix_rows.is_none();
        let Some(width) = vector(&from.global).filter(|_| alone && alike && plain && !named) else {
            continue;
        };
        let (written, read) = (GlobalRef(pair.front as u32), GlobalRef(pair.back as u32));
        let Some(least) = reads(back, read) else { continue };
        // What is written in part has zeros behind it, which are read like the rest.
        let value = only_write(front, written).filter(|value| u32::from(value.ty.components) == width);
        let Some(value) = value else { continue };
        let kept = (u32::from(least).max(1)..width).find(|kept| says_nothing(value, *kept as u8));
        let Some(kept) = kept.and_then(|kept| u8::try_from(kept).ok()) else { continue };
        cut_write(front, written, kept);
        cut_reads(back, read, kept);
        for (program, at) in [(&mut *front, pair.front), (&mut *back, pair.back)] {
            if let Some(variable) = program.globals.get_mut(at) {
                variable.global.shape = with_components(variable.global.shape, kept);
            }
        }
    }
}

/// How many of its first components are read; `None`: it is taken whole somewhere, or in a way of its own.
fn reads(program: &Program, global: GlobalRef) -> Option<u8> {
    fn of(expr: &Expr, global: GlobalRef, most: &mut Option<u8>) {
        match &expr.kind {
            ExprKind::Swizzle(inner, lanes) if inner.kind == ExprKind::Global(global, None) => {
                let last = lanes.iter().max().map_or(0, |lane| lane + 1);
                *most = most.map(|most| most.max(last));
            }
            ExprKind::Global(other, _) | ExprKind::Interpolate(_, other, _) if *other == global => {
                *most = None
            }
            _ => operands(expr).into_iter().for_each(|operand| of(operand, global, most)),
        }
    }
    let mut most = Some(0);
    for function in &program.functions {
        for_each_stmt(&function.body, &mut |stmt| {
            exprs(stmt).into_iter().for_each(|expr| of(expr, global, &mut most));
        });
    }
    most
}

/// What is written to it, where the entry does so once, on every way, and nothing reads it.
fn only_write(program: &Program, global: GlobalRef) -> Option<&Expr> {
    let (mut places, mut reads) = (0, 0);
    for function in &program.functions {
        for_each_stmt(&function.body, &mut |stmt| {
            places += match stmt {
                Stmt::Assign(Place::Global(to, ..), _) => usize::from(*to == global),
                Stmt::Call { results, .. } => results.iter().flatten().filter(|to| is_of(to, global)).count(),
                Stmt::Act(act) => act.result.iter().filter(|to| is_of(to, global)).count(),
                Stmt::EmitVertex(..) => 2,
                _ => 0,
            };
            for expr in exprs(stmt) {
                for_each_expr(expr, &mut |expr| {
                    reads +=
                        usize::from(matches!(&expr.kind, ExprKind::Global(other, _) if *other == global));
                });
            }
        });
    }
    if (places, reads) != (1, 0) {
        return None;
    }
    program.functions.last()?.body.iter().find_map(|stmt| match stmt {
        Stmt::Assign(Place::Global(to, None, lanes), value) if *to == global => {
            let whole = lanes.is_empty() || lanes.iter().copied().eq(0..value.ty.components);
            whole.then_some(value)
        }
        _ => None,
    })
}

fn is_of(place: &Place, global: GlobalRef) -> bool {
    matches!(place, Place::Global(to, ..) if *to == global)
}

/// Whether the components from one on are numbers, or repeat the one in front of them.
fn says_nothing(value: &Expr, kept: u8) -> bool {
    match &value.kind {
        ExprKind::Swizzle(_, lanes) => {
            let last = lanes.get(usize::from(kept).wrapping_sub(1));
            kept > 1 && lanes.iter().skip(kept.into()).all(|lane| Some(lane) == last)
        }
        ExprKind::Construct(parts) if parts.len() > 1 => {
            let mut at = 0;
            parts.iter().all(|part| {
                let first = at;
                at += part.ty.components;
                // A part stays whole, but for numbers.
                at <= kept || matches!(part.kind, ExprKind::Literal(_)) && first >= 1
            })
        }
        _ => false,
    }
}

fn cut_write(program: &mut Program, global: GlobalRef, kept: u8) {
    let Some(entry) = program.functions.last_mut() else { return };
    for stmt in &mut entry.body {
        if let Stmt::Assign(Place::Global(to, None, lanes), value) = stmt
            && *to == global
        {
            lanes.clear();
            cut(value, kept);
        }
    }
}

/// The first components of a value.
fn cut(value: &mut Expr, kept: u8) {
    value.ty.components = kept;
    match &mut value.kind {
        ExprKind::Swizzle(_, lanes) => lanes.truncate(kept.into()),
        ExprKind::Construct(parts) => {
            let mut left = kept;
            parts.retain_mut(|part| {
                let here = part.ty.components.min(left);
                left -= here;
                if let ExprKind::Literal(bits) = &mut part.kind {
                    bits.truncate(here.into());
                    part.ty.components = here;
                }
                here > 0
            });
        }
        _ => {}
    }
    unwrap(value);
}

/// A swizzle of all components in their order, and a vector of one part, are what is inside of them.
fn unwrap(value: &mut Expr) {
    let inner = match &mut value.kind {
        ExprKind::Swizzle(inner, lanes) if lanes.iter().copied().eq(0..inner.ty.components) => {
            std::mem::replace(&mut **inner, Expr::new(value.ty, ExprKind::Literal(Vec::new())))
        }
        ExprKind::Construct(parts) if parts.len() == 1 && parts[0].ty == value.ty => parts.remove(0),
        _ => return,
    };
    *value = inner.linked(value.link);
}

fn cut_reads(program: &mut Program, global: GlobalRef, kept: u8) {
    fn of_block(body: &mut [Stmt], global: GlobalRef, kept: u8) {
        for stmt in body {
            for expr in exprs_mut(stmt) {
                for_each_expr_mut(expr, &mut |expr| {
                    if let ExprKind::Swizzle(inner, _) = &mut expr.kind
                        && inner.kind == ExprKind::Global(global, None)
                    {
                        inner.ty.components = kept;
                        unwrap(expr);
                    }
                });
            }
            for inner in bodies_mut(stmt) {
                of_block(inner, global, kept);
            }
        }
    }
    program.functions.iter_mut().for_each(|function| of_block(&mut function.body, global, kept));
}
