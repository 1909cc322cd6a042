//! Loops that always make a first pass: a machine tests how many passes there were and counts behind the test, people
//! count in front of it and start with one less. `i = 1; loop { ...; if (i >= n) break; i++; }` is
//! `i = 0; do { ...; i++; } while (i < n);`.

use super::super::walk::{for_each_mention, for_each_stmt};
use super::super::{ExprKind, LocalRef, Place, Scalar, Stmt};
use super::forms::literal;
use super::tidy::{continues, step_of};

/// Statements in front of a loop in which its counter is set, at most.
const IN_FRONT: usize = 8;

/// Moves the step of the loop at a place in front of the test that ends its passes, if nothing but these two asks for
/// the counter. `mentions`: how often each local is mentioned in all.
pub(super) fn count_first(body: &mut [Stmt], at: usize, mentions: &[u32]) {
    let Some((counter, step)) = last_step(&body[at], mentions) else { return };
    let (front, from) = body.split_at_mut(at);
    let init = front.iter_mut().rev().take(IN_FRONT).find_map(|stmt| match stmt {
        Stmt::Assign(Place::Local(local, components), value)
            if *local == counter && components.is_empty() =>
        {
            Some(value)
        }
        _ => None,
    });
    let (Some(init), Some(Stmt::Loop(inner))) = (init, from.first_mut()) else { return };
    let ExprKind::Literal(bits) = &init.kind else { return };
    let Some(first) = bits.first().and_then(|bits| (*bits as u32).checked_sub(step)) else { return };
    // A signed one below zero counts from nowhere that people know.
    if first > i32::MAX as u32 {
        return;
    }
    *init = literal(init.ty.scalar, &[first.into()]).linked(init.link);
    let last = inner.len() - 1;
    inner.swap(last - 1, last);
}

/// The counter that a loop's last statement makes a step with, behind the only test of it, and the step.
fn last_step(stmt: &Stmt, mentions: &[u32]) -> Option<(LocalRef, u32)> {
    let Stmt::Loop(inner) = stmt else { return None };
    let [.., Stmt::If { condition, then, otherwise }, last] = &inner[..] else { return None };
    let Stmt::Assign(Place::Local(counter, components), value) = last else { return None };
    let integer = matches!(value.ty.scalar, Scalar::Int | Scalar::Uint) && value.ty.components == 1;
    if !integer || !components.is_empty() || then[..] != [Stmt::Break] || !otherwise.is_empty() {
        return None;
    }
    let step = match step_of(*counter, value)?.kind {
        ExprKind::Literal(bits) => *bits.first()? as u32,
        _ => return None,
    };
    let count = |stmts: &[Stmt]| {
        let mut count = 0;
        for_each_stmt(stmts, &mut |stmt| {
            for_each_mention(stmt, &mut |local| count += u32::from(local == *counter));
        });
        count
    };
    let tested = count(&inner[inner.len() - 2..]) - count(std::slice::from_ref(last));
    let is_alone = count(inner) == count(&inner[inner.len() - 2..])
        && mentions.get(counter.0 as usize) == Some(&(count(inner) + 1));
    let reads = super::tidy::reads(condition).iter().filter(|(local, _)| local == counter).count();
    (is_alone && tested as usize == reads && reads > 0 && step > 0 && !continues(inner))
        .then_some((*counter, step))
}
