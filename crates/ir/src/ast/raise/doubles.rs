//! Locals that hold the words of doubles hold the doubles: what is read once and used twice is named, and a name for two
//! words of which nothing but a double is made is a name for that.

use super::super::walk::{bodies_mut, exprs, exprs_mut, for_each_expr, for_each_expr_mut, for_each_stmt};
use super::super::{Builtin, Expr, ExprKind, Function, Local, LocalRef, Place, Scalar, Stmt, Type};
use super::forms::{builtin, reinterpret, swizzle};
use smallvec::SmallVec;
use std::collections::BTreeMap;

const DOUBLE: Type = Type { scalar: Scalar::Double, components: 1 };

/// Gives locals of two or four words that are declared with a value and only read as doubles that type.
pub(super) fn run(function: &mut Function) {
    let counts = count(function);
    inline(function, &counts);
    let found = find(counts);
    if found.iter().all(Option::is_none) {
        return;
    }
    // By local: those that stand for its doubles.
    let mut homes = vec![[None; 2]; found.len()];
    for (at, parts) in found.iter().enumerate().filter_map(|(at, found)| Some((at, (*found)?))) {
        let name = function.locals[at].name.clone();
        function.locals[at].ty = DOUBLE;
        homes[at] = parts.map(|is_read| is_read.then_some(LocalRef(at as u32)));
        if parts == [true, true] {
            homes[at][1] = Some(LocalRef(function.locals.len() as u32));
            function.locals.push(Local { name, ty: DOUBLE });
        }
    }
    rewrite(&mut function.body, &homes);
}

/// The locals that stand for the doubles of a local.
type Homes = [Option<LocalRef>; 2];

/// By local, how often it is declared with a value, changed, read, and read as its first and second double.
type Counts = Vec<[u32; 5]>;

fn count(function: &Function) -> Counts {
    let mut counts = vec![[0_u32; 5]; function.locals.len()];
    let mut count = |local: LocalRef, what: usize| {
        if let Some(counts) = counts.get_mut(local.0 as usize) {
            counts[what] += 1;
        }
    };
    function.params.iter().for_each(|param| count(*param, 1));
    for_each_stmt(&function.body, &mut |stmt| {
        match stmt {
            Stmt::Declare(local, Some(_)) => count(*local, 0),
            Stmt::Declare(local, None)
            | Stmt::For { counter: local, .. }
            | Stmt::Assign(Place::Local(local, _), _) => {
                count(*local, 1);
            }
            Stmt::Call { results, .. } => {
                for place in results.iter().flatten() {
                    if let Place::Local(local, _) = place {
                        count(*local, 1);
                    }
                }
            }
            Stmt::Act(act) => {
                if let Some(Place::Local(local, _)) = act.result {
                    count(local, 1);
                }
            }
            _ => {}
        }
        for expr in exprs(stmt) {
            for_each_expr(expr, &mut |expr| {
                if let ExprKind::Local(local) = expr.kind {
                    count(local, 2);
                }
                if let Some((local, part)) = double(expr, function) {
                    count(local, 3 + part);
                }
            });
        }
    });
    counts
}

/// By local, where it only holds doubles: whether its first one is read, and its second one.
fn find(counts: Counts) -> Vec<Option<[bool; 2]>> {
    let kept = |[values, changes, reads, first, second]: [u32; 5]| {
        let all = values == 1 && changes == 0 && reads > 0 && reads == first + second;
        all.then_some([first > 0, second > 0])
    };
    counts.into_iter().map(kept).collect()
}

/// Names for words of a double that has a name are those words: only together they say what they are.
fn inline(function: &mut Function, counts: &Counts) {
    let once = |local: LocalRef| matches!(counts.get(local.0 as usize), Some([1, 0, ..]));
    let mut words: BTreeMap<LocalRef, Vec<Word>> = BTreeMap::new();
    for_each_stmt(&function.body, &mut |stmt| {
        if let Stmt::Declare(local, Some(value)) = stmt
            && once(*local)
            && let Some(found) = words_of_doubles(value, &words, &once)
        {
            words.insert(*local, found);
        }
    });
    if !words.is_empty() {
        put_in(&mut function.body, &words);
    }
}

/// Half of a double that has a name.
type Word = (LocalRef, u8);

fn words_of_doubles(
    value: &Expr,
    known: &BTreeMap<LocalRef, Vec<Word>>,
    once: &impl Fn(LocalRef) -> bool,
) -> Option<Vec<Word>> {
    match &bare(value).kind {
        ExprKind::Local(local) => known.get(local).cloned(),
        ExprKind::Swizzle(inner, lanes) => {
            let words = words_of_doubles(inner, known, once)?;
            lanes.iter().map(|lane| words.get(usize::from(*lane)).copied()).collect()
        }
        ExprKind::Construct(parts) if parts.len() > 1 => {
            let parts: Option<Vec<Vec<Word>>> =
                parts.iter().map(|part| words_of_doubles(part, known, once)).collect();
            Some(parts?.concat())
        }
        ExprKind::Builtin(Builtin::UnpackDouble, operands) => match operands.first()?.kind {
            ExprKind::Local(local) if once(local) => Some(vec![(local, 0), (local, 1)]),
            _ => None,
        },
        _ => None,
    }
}

fn put_in(body: &mut Vec<Stmt>, words: &BTreeMap<LocalRef, Vec<Word>>) {
    body.retain(|stmt| !matches!(stmt, Stmt::Declare(local, Some(_)) if words.contains_key(local)));
    for stmt in body {
        for expr in exprs_mut(stmt) {
            for_each_expr_mut(expr, &mut |expr| {
                let ExprKind::Local(local) = expr.kind else { return };
                let Some(words) = words.get(&local) else { return };
                let unpack = |double: LocalRef| {
                    let double = Expr::new(DOUBLE, ExprKind::Local(double));
                    builtin(Builtin::UnpackDouble, Type { scalar: Scalar::Uint, components: 2 }, vec![double])
                };
                let mut parts: Vec<Expr> = match words[..] {
                    [(a, 0), (b, 1)] if a == b => vec![unpack(a)],
                    _ => words.iter().map(|(double, half)| swizzle(unpack(*double), &[*half])).collect(),
                };
                let whole = match (parts.len(), parts.pop()) {
                    (1, Some(part)) => part,
                    (_, last) => {
                        parts.extend(last);
                        Expr::new(Type { scalar: Scalar::Uint, ..expr.ty }, ExprKind::Construct(parts))
                    }
                };
                *expr = reinterpret(expr.ty.scalar, whole).linked(expr.link);
            });
        }
        bodies_mut(stmt).into_iter().for_each(|body| put_in(body, words));
    }
}

/// The local that an expression makes a double of, and which of its two.
fn double(expr: &Expr, function: &Function) -> Option<(LocalRef, usize)> {
    let ExprKind::Builtin(Builtin::PackDouble, words) = &expr.kind else { return None };
    let (local, lanes) = words_of(words.first()?)?;
    let ty = function.locals.get(local.0 as usize)?.ty;
    part(ty.components, lanes).filter(|_| ty.scalar != Scalar::Double).map(|part| (local, part))
}

fn part(components: u8, lanes: Option<&[u8]>) -> Option<usize> {
    match (components, lanes) {
        (2, None | Some([0, 1])) | (4, Some([0, 1])) => Some(0),
        (4, Some([2, 3])) => Some(1),
        _ => None,
    }
}

fn bare(mut expr: &Expr) -> &Expr {
    while let ExprKind::Bitcast(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

fn words_of(words: &Expr) -> Option<(LocalRef, Option<&[u8]>)> {
    let words = bare(words);
    let (of, lanes) = match &words.kind {
        ExprKind::Swizzle(inner, lanes) => (bare(inner), Some(&lanes[..])),
        _ => (words, None),
    };
    match of.kind {
        ExprKind::Local(local) => Some((local, lanes)),
        _ => None,
    }
}

fn rewrite(body: &mut Vec<Stmt>, homes: &[Homes]) {
    let homes_of = |local: LocalRef| homes.get(local.0 as usize).copied().unwrap_or_default();
    let mut at = 0;
    while at < body.len() {
        for expr in exprs_mut(&mut body[at]) {
            for_each_expr_mut(expr, &mut |expr| {
                let ExprKind::Builtin(Builtin::PackDouble, words) = &expr.kind else { return };
                let Some((local, lanes)) = words.first().and_then(words_of) else { return };
                let second = lanes.is_some_and(|lanes| lanes.starts_with(&[2]));
                if let Some(home) = homes_of(local)[usize::from(second)] {
                    expr.kind = ExprKind::Local(home);
                }
            });
        }
        if let Stmt::Declare(local, Some(value)) = &body[at]
            && homes_of(*local) != [None; 2]
        {
            let parts = homes_of(*local).into_iter().zip([[0, 1], [2, 3]]);
            let made: SmallVec<[Stmt; 2]> = parts
                .filter_map(|(home, lanes)| {
                    let words =
                        if value.ty.components == 4 { swizzle(value.clone(), &lanes) } else { value.clone() };
                    let words = vec![reinterpret(Scalar::Uint, words)];
                    let double = builtin(Builtin::PackDouble, DOUBLE, words).linked(value.link);
                    Some(Stmt::Declare(home?, Some(double)))
                })
                .collect();
            let count = made.len();
            body.splice(at..=at, made);
            at += count;
            continue;
        }
        bodies_mut(&mut body[at]).into_iter().for_each(|body| rewrite(body, homes));
        at += 1;
    }
}
