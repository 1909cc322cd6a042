//! Making statements read as a person would have written them: conditions the right way round, `while`,
//! `do` and `for` where an endless loop says nothing else.

use super::super::walk::{bodies_mut, for_each_expr, for_each_mention, for_each_stmt, written};
use super::super::{Binary, Expr, ExprKind, Local, LocalRef, Place, Scalar, Stmt, Unary};
use super::Mode;
use super::expressions::{literal, not};

/// Locals that an expression reads, with a bit for each component.
pub(super) fn reads(expr: &Expr) -> Vec<(LocalRef, u8)> {
    fn walk(expr: &Expr, mask: u8, list: &mut Vec<(LocalRef, u8)>) {
        match &expr.kind {
            ExprKind::Local(local) => list.push((*local, mask)),
            ExprKind::Swizzle(inner, components) => {
                let mask = components.iter().fold(0, |mask, at| mask | 1 << at);
                walk(inner, mask, list);
            }
            _ => super::super::walk::operands(expr).into_iter().for_each(|inner| walk(inner, 15, list)),
        }
    }
    let mut list = Vec::new();
    walk(expr, 15, &mut list);
    list
}

/// Tidies a function's body.
pub(super) fn run(body: &mut Vec<Stmt>, locals: &mut [Local], mode: Mode) {
    straighten(body, mode);
    // How often each local is mentioned in all.
    let mut mentions = vec![0u32; locals.len()];
    for_each_stmt(body, &mut |stmt| {
        for_each_mention(stmt, &mut |local| mentions[local.0 as usize] += 1);
    });
    shape_loops(body, locals, &mentions);
}

/// Conditions without an empty first side or a needless negation.
fn straighten(body: &mut Vec<Stmt>, mode: Mode) {
    for stmt in body.iter_mut() {
        for inner in bodies_mut(stmt) {
            straighten(inner, mode);
        }
        if let Stmt::If { condition, then, otherwise } = stmt {
            let turned = matches!(condition.kind, ExprKind::Unary(Unary::Not, _))
                && !otherwise.is_empty()
                && !matches!(otherwise[..], [Stmt::If { .. }]);
            if then.is_empty() || turned {
                std::mem::swap(then, otherwise);
                let old = std::mem::replace(condition, literal(Scalar::Bool, &[0]));
                *condition = opposite(old, mode);
            }
        }
    }
    body.retain(
        |stmt| !matches!(stmt, Stmt::If { then, otherwise, .. } if then.is_empty() && otherwise.is_empty()),
    );
}

/// The opposite of a condition. In readable mode comparisons are turned round as if there were no NaN.
fn opposite(condition: Expr, mode: Mode) -> Expr {
    match condition.kind {
        ExprKind::Binary(op, a, b) if mode == Mode::Readable && a.ty.scalar == Scalar::Float => {
            let op = match op {
                Binary::Lt => Binary::Ge,
                Binary::Le => Binary::Gt,
                Binary::Gt => Binary::Le,
                Binary::Ge => Binary::Lt,
                op => return not(Expr { ty: condition.ty, kind: ExprKind::Binary(op, a, b) }),
            };
            Expr { ty: condition.ty, kind: ExprKind::Binary(op, a, b) }
        }
        kind => not(Expr { ty: condition.ty, kind }),
    }
}

/// Whether a list of statements has a `continue` of the loop it is the body of.
fn continues(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Continue => true,
        Stmt::If { then, otherwise, .. } => continues(then) || continues(otherwise),
        Stmt::Switch { cases, default, .. } => {
            cases.iter().any(|(_, body)| continues(body)) || continues(default)
        }
        _ => false,
    })
}

fn shape_loops(body: &mut Vec<Stmt>, locals: &[Local], mentions: &[u32]) {
    let mut at = 0;
    while at < body.len() {
        for inner in bodies_mut(&mut body[at]) {
            shape_loops(inner, locals, mentions);
        }
        if let Stmt::Loop(inner) = &mut body[at] {
            let inner = std::mem::take(inner);
            body[at] = shape(inner);
        }
        if let Some(init) = counted(body, at, locals, mentions) {
            body.remove(init);
            at -= 1;
        }
        at += 1;
    }
}

/// `while` or `do` instead of an endless loop, where the first or last thing it does is to leave.
fn shape(mut body: Vec<Stmt>) -> Stmt {
    if let Some(Stmt::If { then, otherwise, .. }) = body.first()
        && then[..] == [Stmt::Break]
        && otherwise.is_empty()
    {
        if let Stmt::If { condition, .. } = body.remove(0) {
            return Stmt::While { condition: not(condition), body };
        }
    }
    if let Some(Stmt::If { then, otherwise, .. }) = body.last()
        && then[..] == [Stmt::Break]
        && otherwise.is_empty()
        && !continues(&body)
        && let Some(Stmt::If { condition, .. }) = body.pop()
    {
        return Stmt::DoWhile { body, condition: not(condition) };
    }
    Stmt::Loop(body)
}

/// Makes the `while` at a place a `for`, if it counts. Gives the place of the statement that sets the
/// counter before it, which then is part of the loop.
fn counted(body: &mut [Stmt], at: usize, locals: &[Local], mentions: &[u32]) -> Option<usize> {
    let Stmt::While { condition, body: inner } = &body[at] else { return None };
    let (counter, step) = match inner.last()? {
        Stmt::Assign(Place::Local(local, components), value) if components.is_empty() => {
            (*local, step_of(*local, value)?)
        }
        _ => return None,
    };
    let ty = locals[counter.0 as usize].ty;
    if !matches!(ty.scalar, Scalar::Int | Scalar::Uint) || ty.components != 1 {
        return None;
    }
    let mut tested = false;
    for_each_expr(condition, &mut |expr| tested |= expr.kind == ExprKind::Local(counter));
    let last = inner.last()?.clone();
    let (tail, front) = inner.split_last()?;
    let _ = tail;
    if !tested || !steps_are_last(front, &last) {
        return None;
    }
    // Only the step writes the counter; what the step adds must not change, since it is read at another
    // time than in the source.
    let mut writes = 0;
    let mut inside = 0;
    let mut steady = true;
    let step_reads = reads(&step);
    for_each_stmt(inner, &mut |stmt| {
        for (local, _) in written(stmt) {
            writes += u32::from(local == counter);
            steady &= !step_reads.iter().any(|(read, _)| *read == local);
        }
        for_each_mention(stmt, &mut |local| inside += u32::from(local == counter));
    });
    let steps = 1 + copies_of(front, &last);
    let mut in_condition = 0;
    for_each_expr(condition, &mut |expr| {
        in_condition += u32::from(expr.kind == ExprKind::Local(counter));
    });
    if writes != steps || !steady {
        return None;
    }
    // The start stands before the loop, and nothing in between changes what it reads.
    let init = (0..at).rev().take(8).find(|before| {
        matches!(&body[*before], Stmt::Assign(Place::Local(local, components), _)
            if *local == counter && components.is_empty())
    })?;
    let Stmt::Assign(_, start) = &body[init] else { return None };
    let start = start.clone();
    let start_reads = reads(&start);
    let mut alone = mentions[counter.0 as usize] == inside + in_condition + 1;
    let mut memory = false;
    for_each_expr(&start, &mut |expr| memory |= matches!(expr.kind, ExprKind::Array(..)));
    for stmt in &body[init + 1..at] {
        let mut changes = memory;
        for (local, _) in written(stmt) {
            changes |= start_reads.iter().any(|(read, _)| *read == local);
        }
        alone &= !changes && super::super::walk::bodies(stmt).is_empty();
    }
    if !alone {
        return None;
    }
    let Stmt::While { condition, body: mut inner } = std::mem::replace(&mut body[at], Stmt::Break) else {
        return None;
    };
    inner.pop();
    drop_steps(&mut inner, &last);
    body[at] = Stmt::For { counter, start, condition, step, body: inner };
    Some(init)
}

/// What is added to a local, if this is the local plus something.
fn step_of(local: LocalRef, value: &Expr) -> Option<Expr> {
    let ExprKind::Binary(op, a, b) = &value.kind else { return None };
    let is = |expr: &Expr| expr.kind == ExprKind::Local(local);
    let step = match op {
        Binary::Add if is(a) => (**b).clone(),
        Binary::Add if is(b) => (**a).clone(),
        Binary::Sub if is(a) => match &b.kind {
            ExprKind::Literal(bits) => literal(b.ty.scalar, &[bits[0].wrapping_neg()]),
            _ => return None,
        },
        _ => return None,
    };
    let mut free = true;
    for_each_expr(&step, &mut |expr| {
        free &= !is(expr) && !matches!(expr.kind, ExprKind::Array(..));
    });
    free.then_some(step)
}

/// Whether every `continue` of the loop stands right behind the step.
fn steps_are_last(body: &[Stmt], step: &Stmt) -> bool {
    body.iter().enumerate().all(|(at, stmt)| match stmt {
        Stmt::Continue => at > 0 && body[at - 1] == *step,
        Stmt::If { then, otherwise, .. } => steps_are_last(then, step) && steps_are_last(otherwise, step),
        Stmt::Switch { cases, default, .. } => {
            cases.iter().all(|(_, body)| steps_are_last(body, step)) && steps_are_last(default, step)
        }
        _ => true,
    })
}

/// How many steps stand before a `continue`.
fn copies_of(body: &[Stmt], step: &Stmt) -> u32 {
    let mut count = 0;
    for (at, stmt) in body.iter().enumerate() {
        count += match stmt {
            Stmt::Continue if at > 0 && body[at - 1] == *step => 1,
            Stmt::If { then, otherwise, .. } => copies_of(then, step) + copies_of(otherwise, step),
            Stmt::Switch { cases, default, .. } => {
                cases.iter().map(|(_, body)| copies_of(body, step)).sum::<u32>() + copies_of(default, step)
            }
            _ => 0,
        };
    }
    count
}

fn drop_steps(body: &mut Vec<Stmt>, step: &Stmt) {
    let mut at = 0;
    while at < body.len() {
        if body[at] == Stmt::Continue && at > 0 && body[at - 1] == *step {
            body.remove(at - 1);
            continue;
        }
        match &mut body[at] {
            Stmt::If { then, otherwise, .. } => {
                drop_steps(then, step);
                drop_steps(otherwise, step);
            }
            Stmt::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, body)| drop_steps(body, step));
                drop_steps(default, step);
            }
            _ => {}
        }
        at += 1;
    }
}
