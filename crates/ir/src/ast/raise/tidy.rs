//! Making statements read as a person would have written them: conditions the right way round, `while`,
//! `do` and `for` where an endless loop says nothing else.

use super::super::walk::{
    bodies_mut, for_each_expr, for_each_mention, for_each_stmt, needs_quad, reads_memory, written,
};
use super::super::{Binary, Expr, ExprKind, Local, LocalRef, Place, Scalar, Stmt, Unary};
use super::Mode;
use super::forms::{literal, not};
use super::{do_while, guards, outcomes, tails};

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

/// Largest sum of parts of two expressions that stand in one select.
const SHORT: u32 = 10;

/// Tidies a function's body.
/// `float_counters`: loops may count in floats.
pub(super) fn run(body: &mut Vec<Stmt>, locals: &mut [Local], mode: Mode, float_counters: bool) {
    straighten(body, mode);
    // How often each local is mentioned in all.
    let mut mentions = vec![0u32; locals.len()];
    for_each_stmt(body, &mut |stmt| {
        for_each_mention(stmt, &mut |local| mentions[local.0 as usize] += 1);
    });
    tails::ask_directly(body, &mentions);
    shape_loops(body, locals, &mentions, mode, float_counters);
    guards::leave_first(body, mode);
    guards::run(body, mode);
    share_counters(body, 0, locals, &mut Vec::new());
}

/// `a = c ? b : a` is `if (c) a = b`.
fn unselect(stmt: &mut Stmt, mode: Mode) {
    let Stmt::Assign(Place::Local(local, components), value) = stmt else { return };
    let stays = |expr: &Expr| match &expr.kind {
        ExprKind::Local(read) => read == local && components.is_empty(),
        ExprKind::Swizzle(inner, read) => inner.kind == ExprKind::Local(*local) && read == components,
        _ => false,
    };
    if let ExprKind::Select(_, a, b) = &value.kind
        && stays(a) != stays(b)
    {
        let swapped = stays(a);
        let place = Place::Local(*local, std::mem::take(components));
        let value = std::mem::replace(value, literal(Scalar::Bool, &[0]));
        if let ExprKind::Select(condition, a, b) = value.kind {
            let (condition, value) =
                if swapped { (opposite(*condition, mode), *b) } else { (*condition, *a) };
            let then = vec![Stmt::Assign(place, value)];
            *stmt = Stmt::If { condition, then, otherwise: Vec::new() };
        }
    }
}

/// Conditions without an empty first side or a needless negation.
fn straighten(body: &mut Vec<Stmt>, mode: Mode) {
    join_conditions(body, mode);
    let mut at = 0;
    while at < body.len() {
        for inner in bodies_mut(&mut body[at]) {
            straighten(inner, mode);
        }
        // What both sides end with comes behind.
        let behind = tails::common_end(&mut body[at]);
        body.splice(at + 1..at + 1, behind);
        // What both begin with comes in front.
        let front = tails::common_start(&mut body[at]);
        let moved = front.len();
        body.splice(at..at, front);
        at += moved;
        let stmt = &mut body[at];
        tails::join_nested(stmt);
        if let Stmt::If { .. } = stmt {
            select(stmt);
        }
        unselect(stmt, mode);
        if let Stmt::Assign(Place::Local(local, _), value) = stmt {
            own_first(*local, value);
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
        at += 1;
    }
    body.retain(
        |stmt| !matches!(stmt, Stmt::If { then, otherwise, .. } if then.is_empty() && otherwise.is_empty()),
    );
    join_conditions(body, mode);
}

/// Neighbours with the same or the opposite condition are one, if the first changes nothing that the
/// condition reads.
fn join_conditions(body: &mut Vec<Stmt>, mode: Mode) {
    let mut at = 0;
    while at + 1 < body.len() {
        let joined = match &body[at..at + 2] {
            [Stmt::If { condition: a, then, otherwise }, Stmt::If { condition: b, .. }] => {
                let turned = if a == b {
                    Some(false)
                } else {
                    (opposite(b.clone(), mode) == *a || opposite(a.clone(), mode) == *b).then_some(true)
                };
                turned.filter(|_| keeps(a, then) && keeps(a, otherwise))
            }
            _ => None,
        };
        let more = joined.map(|_| body.remove(at + 1));
        match (joined, more, body.get_mut(at)) {
            (
                Some(turned),
                Some(Stmt::If { then: mut more, otherwise: mut else_more, .. }),
                Some(Stmt::If { then, otherwise, .. }),
            ) => {
                if turned {
                    std::mem::swap(&mut more, &mut else_more);
                }
                then.append(&mut more);
                otherwise.append(&mut else_more);
                join_conditions(then, mode);
                join_conditions(otherwise, mode);
            }
            _ => at += 1,
        }
    }
}

/// Whether statements leave a condition as it is, and go on behind themselves.
pub(super) fn keeps(condition: &Expr, body: &[Stmt]) -> bool {
    let read = reads(condition);
    let (mut arrays, mut globals) = (false, false);
    for_each_expr(condition, &mut |expr| {
        arrays |= matches!(expr.kind, ExprKind::Array(..) | ExprKind::Word(..) | ExprKind::Image(..));
        globals |= matches!(expr.kind, ExprKind::Global(..));
    });
    let mut kept = true;
    for_each_stmt(body, &mut |stmt| {
        kept &= match stmt {
            Stmt::Break | Stmt::Continue | Stmt::Return(_) | Stmt::Discard(_) => false,
            Stmt::Assign(Place::Array(..) | Place::Word(..), _) => !arrays,
            Stmt::Assign(Place::Global(..), _) => !globals,
            Stmt::Call { .. } | Stmt::Act(_) => !arrays && !globals,
            _ => true,
        };
        for (local, _) in written(stmt) {
            kept &= !read.iter().any(|(other, _)| *other == local);
        }
    });
    kept
}

/// Two short assignments of one thing by a condition are one assignment.
fn select(stmt: &mut Stmt) {
    let Stmt::If { then, otherwise, .. } = stmt else { return };
    let short = match (&then[..], &otherwise[..]) {
        ([Stmt::Assign(a, x)], [Stmt::Assign(b, y)]) => {
            a == b
                && matches!(a, Place::Local(..))
                && size(x) + size(y) <= SHORT
                && !needs_quad(x)
                && !needs_quad(y)
        }
        _ => false,
    };
    if !short {
        return;
    }
    if let Stmt::If { condition, mut then, mut otherwise } = std::mem::replace(stmt, Stmt::Break)
        && let (Some(Stmt::Assign(place, a)), Some(Stmt::Assign(_, b))) = (then.pop(), otherwise.pop())
    {
        let value = Expr::new(a.ty, ExprKind::Select(Box::new(condition), Box::new(a), Box::new(b)));
        *stmt = Stmt::Assign(place, value);
    }
}

/// Parts of an expression that are written out.
fn size(expr: &Expr) -> u32 {
    let mut count = 0;
    for_each_expr(expr, &mut |expr| count += u32::from(!matches!(expr.kind, ExprKind::Swizzle(..))));
    count
}

/// `a = b + a` is `a = a + b`, so that it can be `a += b`; the same for products.
fn own_first(local: LocalRef, value: &mut Expr) {
    let own = |expr: &Expr| match &expr.kind {
        ExprKind::Local(read) => *read == local,
        ExprKind::Swizzle(inner, _) => inner.kind == ExprKind::Local(local),
        _ => false,
    };
    if let ExprKind::Binary(Binary::Add | Binary::Mul, a, b) = &mut value.kind
        && own(b)
        && !own(a)
        && a.ty.components <= b.ty.components
    {
        std::mem::swap(a, b);
    }
}

/// The opposite of a condition. In readable mode comparisons are turned round as if there were no NaN.
pub(super) fn opposite(condition: Expr, mode: Mode) -> Expr {
    let turned = turns(&condition, mode);
    match condition.kind {
        ExprKind::Binary(op @ (Binary::LogicalAnd | Binary::LogicalOr), a, b) if turned => {
            let op = if op == Binary::LogicalAnd { Binary::LogicalOr } else { Binary::LogicalAnd };
            let sides = [opposite(*a, mode), opposite(*b, mode)].map(Box::new);
            let [a, b] = sides;
            Expr::new(condition.ty, ExprKind::Binary(op, a, b)).linked(condition.link)
        }
        ExprKind::Binary(op, a, b) if mode == Mode::Readable && a.ty.scalar.is_float() => {
            let op = match op {
                Binary::Lt => Binary::Ge,
                Binary::Le => Binary::Gt,
                Binary::Gt => Binary::Le,
                Binary::Ge => Binary::Lt,
                op => return not(Expr::new(condition.ty, ExprKind::Binary(op, a, b)).linked(condition.link)),
            };
            Expr::new(condition.ty, ExprKind::Binary(op, a, b)).linked(condition.link)
        }
        kind => not(Expr::new(condition.ty, kind).linked(condition.link)),
    }
}

/// Whether the opposite of a condition is as short as the condition.
fn turns(condition: &Expr, mode: Mode) -> bool {
    match &condition.kind {
        ExprKind::Binary(Binary::LogicalAnd | Binary::LogicalOr, a, b) => turns(a, mode) && turns(b, mode),
        ExprKind::Binary(Binary::Eq | Binary::Ne, ..) | ExprKind::Unary(Unary::Not, _) => true,
        ExprKind::Binary(Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge, a, _) => {
            mode == Mode::Readable || !a.ty.scalar.is_float()
        }
        _ => false,
    }
}

/// Whether a list of statements has a `continue` of the loop it is the body of.
pub(super) fn continues(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Continue => true,
        Stmt::If { then, otherwise, .. } => continues(then) || continues(otherwise),
        Stmt::Switch { cases, default, .. } => {
            cases.iter().any(|(_, body)| continues(body)) || continues(default)
        }
        _ => false,
    })
}

/// Whether a list of statements has a `break` of the loop it is the body of.
fn breaks(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Break => true,
        Stmt::If { then, otherwise, .. } => breaks(then) || breaks(otherwise),
        _ => false,
    })
}

fn shape_loops(body: &mut Vec<Stmt>, locals: &[Local], mentions: &[u32], mode: Mode, floats: bool) {
    let mut at = 0;
    while at < body.len() {
        for inner in bodies_mut(&mut body[at]) {
            shape_loops(inner, locals, mentions, mode, floats);
        }
        do_while::count_first(body, at, mentions);
        if let Stmt::Loop(inner) = &mut body[at] {
            let mut inner = std::mem::take(inner);
            let before = outcomes::hoist(&mut inner);
            let (stmt, after) = shape(inner, mode);
            body[at] = stmt;
            body.splice(at + 1..at + 1, after);
            let hoisted = before.len();
            body.splice(at..at, before);
            at += hoisted;
        }
        if let Some(init) = counted(body, at, locals, mentions, floats) {
            body.remove(init);
            at -= 1;
        }
        at += 1;
    }
}

/// `while` or `do` instead of an endless loop, where the first or last thing it does is to leave. What it
/// does on its only way out comes behind it.
fn shape(mut body: Vec<Stmt>, mode: Mode) -> (Stmt, Vec<Stmt>) {
    // A way out: the condition, and whether more than leaving happens.
    let way_out = |stmt: Option<&Stmt>| match stmt {
        Some(Stmt::If { then, otherwise, .. }) if otherwise.is_empty() => match &then[..] {
            [Stmt::Break] => Some(false),
            [front @ .., Stmt::Break] if !breaks(front) && !continues(front) => Some(true),
            _ => None,
        },
        _ => None,
    };
    let split = |stmt: Stmt| match stmt {
        Stmt::If { condition, mut then, .. } => {
            then.pop();
            Some((opposite(condition, mode), then))
        }
        _ => None,
    };
    if let Some(more) = way_out(body.first())
        && !(more && breaks(&body[1..]))
        && let Some((condition, after)) = split(body.remove(0))
    {
        return (Stmt::While { condition, body }, after);
    }
    if let Some(more) = way_out(body.last())
        && !continues(&body)
        && !(more && breaks(&body[..body.len() - 1]))
        && let Some((condition, after)) = body.pop().and_then(split)
    {
        return (Stmt::DoWhile { body, condition }, after);
    }
    (Stmt::Loop(body), Vec::new())
}

/// Makes the `while` at a place a `for`, if it counts. Gives the place of the statement that sets the
/// counter before it, which then is part of the loop.
fn counted(body: &mut [Stmt], at: usize, locals: &[Local], mentions: &[u32], floats: bool) -> Option<usize> {
    let Stmt::While { condition, .. } = &body[at] else { return None };
    let mut tested: Vec<LocalRef> = reads(condition).into_iter().map(|(local, _)| local).collect();
    tested.dedup();
    tested.into_iter().find_map(|counter| count_by(body, at, counter, locals, mentions, floats))
}

fn count_by(
    body: &mut [Stmt],
    at: usize,
    counter: LocalRef,
    locals: &[Local],
    mentions: &[u32],
    floats: bool,
) -> Option<usize> {
    let Stmt::While { condition, body: inner } = &body[at] else { return None };
    let ty = locals[counter.0 as usize].ty;
    let counts = match ty.scalar {
        Scalar::Int | Scalar::Uint => true,
        Scalar::Float => floats,
        Scalar::Bool | Scalar::Double => false,
    };
    if !counts || ty.components != 1 {
        return None;
    }
    // The step comes last, or only what has nothing to do with it comes behind.
    let place = inner.iter().rposition(|stmt| written(stmt).iter().any(|(local, _)| *local == counter))?;
    let last = inner[place].clone();
    let step = match &last {
        Stmt::Assign(Place::Local(_, components), value) if components.is_empty() => step_of(counter, value)?,
        _ => return None,
    };
    let mut apart = true;
    for_each_stmt(&inner[place + 1..], &mut |stmt| {
        for_each_mention(stmt, &mut |local| apart &= local != counter);
    });
    if !apart || !steps_are_last(&inner[..place], &last) {
        return None;
    }
    // Only the step writes the counter; what the step adds must not change, since it is read at another
    // time than in the source.
    let (mut writes, mut inside, mut steady) = (0, 0, true);
    let step_reads = reads(&step);
    for_each_stmt(inner, &mut |stmt| {
        for (local, _) in written(stmt) {
            writes += u32::from(local == counter);
            steady &= !step_reads.iter().any(|(read, _)| *read == local);
        }
        for_each_mention(stmt, &mut |local| inside += u32::from(local == counter));
    });
    let in_condition = reads(condition).iter().filter(|(local, _)| *local == counter).count() as u32;
    if writes != 1 + copies_of(&inner[..place], &last) || !steady {
        return None;
    }
    // The start stands before the loop, and nothing in between changes what it reads.
    let init = (0..at).rev().take(8).find(|before| {
        matches!(&body[*before], Stmt::Assign(Place::Local(local, components), _)
            if *local == counter && components.is_empty())
    })?;
    let Stmt::Assign(_, start) = &body[init] else { return None };
    let start_reads = reads(start);
    let mut memory = false;
    memory |= reads_memory(start);
    let mut alone = mentions[counter.0 as usize] == inside + in_condition + 1;
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
    let start = start.clone();
    let Stmt::While { condition, body: mut inner } = std::mem::replace(&mut body[at], Stmt::Break) else {
        return None;
    };
    inner.remove(place);
    drop_steps(&mut inner, &last);
    body[at] = Stmt::For { counter, start, condition: below(condition), step, body: inner };
    Some(init)
}

/// `i <= 3` of integers is `i < 4`.
fn below(condition: Expr) -> Expr {
    match condition.kind {
        ExprKind::Binary(Binary::Le, a, b) if matches!(a.kind, ExprKind::Literal(_)) => {
            Expr::new(condition.ty, ExprKind::Binary(Binary::Ge, b, a)).linked(condition.link)
        }
        ExprKind::Binary(Binary::Le, a, b) => match &b.kind {
            ExprKind::Literal(bits) if b.ty.scalar == Scalar::Int && bits[0] != i32::MAX as u64 => {
                let limit = literal(Scalar::Int, &[bits[0].wrapping_add(1)]);
                Expr::new(condition.ty, ExprKind::Binary(Binary::Lt, a, Box::new(limit)))
                    .linked(condition.link)
            }
            _ => Expr::new(condition.ty, ExprKind::Binary(Binary::Le, a, b)).linked(condition.link),
        },
        // With the sides the other way round.
        ExprKind::Binary(Binary::Gt, a, b) if matches!(a.kind, ExprKind::Literal(_)) => {
            Expr::new(condition.ty, ExprKind::Binary(Binary::Lt, b, a)).linked(condition.link)
        }
        kind => Expr::new(condition.ty, kind).linked(condition.link),
    }
}

/// Loops that are not inside each other use the same counters.
fn share_counters(body: &mut [Stmt], depth: usize, locals: &[Local], pool: &mut Vec<LocalRef>) {
    for stmt in body {
        let mut inside = depth;
        let mut renamed = None;
        if let Stmt::For { counter, .. } = stmt {
            let ty = locals[counter.0 as usize].ty;
            inside += 1;
            match pool.get(depth) {
                Some(shared) if locals[shared.0 as usize].ty == ty => renamed = Some((*counter, *shared)),
                Some(_) => {}
                None => pool.push(*counter),
            }
        }
        if let Some((old, new)) = renamed {
            super::super::walk::for_each_local_mut(std::slice::from_mut(stmt), &mut |local| {
                if *local == old {
                    *local = new;
                }
            });
        }
        for inner in bodies_mut(stmt) {
            share_counters(inner, inside, locals, pool);
        }
    }
}

/// What is added to a local, if this is the local plus something.
pub(super) fn step_of(local: LocalRef, value: &Expr) -> Option<Expr> {
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
        free &=
            !is(expr) && !matches!(expr.kind, ExprKind::Array(..) | ExprKind::Word(..) | ExprKind::Image(..));
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
