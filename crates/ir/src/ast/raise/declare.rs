//! Where locals are declared: in the innermost list of statements that holds all of their uses, with their
//! first value where that stands there.

use super::super::walk::{bodies, bodies_mut, for_each_local_mut, for_each_mention, reads_local};
use super::super::{Local, LocalRef, Place, Stmt};
use std::collections::BTreeMap;

/// A list of statements inside of another.
#[derive(Clone, Copy)]
struct Scope {
    parent: u32,
    /// Place of the statement in the parent that holds this list.
    index: u32,
    depth: u32,
}

/// Adds declarations and drops locals that nothing mentions. `hoist`: what has no first value is declared at
/// the start of the function, since a dispatcher takes ways that no list of statements shows.
pub(super) fn run(body: &mut Vec<Stmt>, locals: &mut Vec<Local>, params: usize, hoist: bool) {
    let mut scopes = vec![Scope { parent: 0, index: 0, depth: 0 }];
    let mut found: Vec<Option<(u32, u32)>> = vec![None; locals.len()];
    let mut counters = vec![false; locals.len()];
    visit(body, 0, &mut scopes, &mut found, &mut counters);
    // Declarations by scope and place.
    let mut places: BTreeMap<(u32, u32), Vec<LocalRef>> = BTreeMap::new();
    for (index, at) in found.iter().enumerate().skip(params) {
        if let Some(at) = at
            && !counters[index]
        {
            places.entry(*at).or_default().push(LocalRef(index as u32));
        }
    }
    let mut first = Vec::new();
    let mut next = 0;
    insert(body, &mut next, &places, hoist, &mut first);
    body.splice(0..0, first.into_iter().map(|local| Stmt::Declare(local, None)));
    compact(body, locals, params, &found);
}

fn visit(
    body: &[Stmt],
    scope: u32,
    scopes: &mut Vec<Scope>,
    found: &mut [Option<(u32, u32)>],
    counters: &mut [bool],
) {
    for (index, stmt) in body.iter().enumerate() {
        if let Stmt::For { counter, .. } = stmt {
            counters[counter.0 as usize] = true;
        }
        for_each_mention(stmt, &mut |local| {
            let entry = &mut found[local.0 as usize];
            let here = (scope, index as u32);
            *entry = Some(match *entry {
                Some(other) => common(scopes, other, here),
                None => here,
            });
        });
        for inner in bodies(stmt) {
            let depth = scopes[scope as usize].depth + 1;
            scopes.push(Scope { parent: scope, index: index as u32, depth });
            let inner_scope = scopes.len() as u32 - 1;
            visit(inner, inner_scope, scopes, found, counters);
        }
    }
}

/// The innermost scope around two places, and the earlier place in it.
fn common(scopes: &[Scope], mut a: (u32, u32), mut b: (u32, u32)) -> (u32, u32) {
    let up = |at: (u32, u32)| {
        let scope = scopes[at.0 as usize];
        (scope.parent, scope.index)
    };
    while a.0 != b.0 {
        if scopes[a.0 as usize].depth >= scopes[b.0 as usize].depth {
            a = up(a);
        } else {
            b = up(b);
        }
    }
    (a.0, a.1.min(b.1))
}

/// Inserts declarations; scopes are numbered as [`visit`] numbers them.
fn insert(
    body: &mut Vec<Stmt>,
    next: &mut u32,
    places: &BTreeMap<(u32, u32), Vec<LocalRef>>,
    hoist: bool,
    first: &mut Vec<LocalRef>,
) {
    let scope = *next;
    *next += 1;
    let old = std::mem::take(body);
    body.reserve(old.len());
    for (index, mut stmt) in old.into_iter().enumerate() {
        for inner in bodies_mut(&mut stmt) {
            insert(inner, next, places, hoist, first);
        }
        for local in places.get(&(scope, index as u32)).into_iter().flatten() {
            let first_value = matches!(&stmt, Stmt::Assign(Place::Local(to, components), value)
                if to == local && components.is_empty() && !reads_local(value, *local));
            match stmt {
                Stmt::Assign(_, value) if first_value => stmt = Stmt::Declare(*local, Some(value)),
                other => {
                    stmt = other;
                    if hoist {
                        first.push(*local);
                    } else {
                        body.push(Stmt::Declare(*local, None));
                    }
                }
            }
        }
        body.push(stmt);
    }
}

/// Drops locals without a mention and numbers the rest anew.
fn compact(body: &mut [Stmt], locals: &mut Vec<Local>, params: usize, found: &[Option<(u32, u32)>]) {
    let mut numbers = vec![0; locals.len()];
    let mut kept = 0;
    for (index, number) in numbers.iter_mut().enumerate() {
        if index < params || found[index].is_some() {
            *number = kept;
            kept += 1;
        }
    }
    let mut index = 0;
    locals.retain(|_| {
        index += 1;
        index <= params || found[index - 1].is_some()
    });
    for_each_local_mut(body, &mut |local| local.0 = numbers[local.0 as usize]);
}
