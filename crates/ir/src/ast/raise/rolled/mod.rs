//! Bodies of loops that the compiler wrote out again, as loops: `a[0] = p * m[0]; a[1] = p * m[1]; a[2] = ...` becomes
//! `for (int i = 0; i < 3; i++) { a[i] = p * m[i]; }`.
//!
//! Runs of statements follow each other that are alike but for integers, each of which grows by the same amount from
//! run to run, or starts again at the end (`(i * 2 + 2) % 6`). Locals that only one run mentions are those of the
//! others under another name; all other locals are the same ones, so that what is carried from run to run is carried
//! by the loop as well. It is done where the text gets clearly shorter.

use super::super::walk::{
    bodies, bodies_mut, exprs, exprs_mut, for_each_expr, for_each_expr_mut, for_each_mention, for_each_stmt,
    reads_local,
};
use super::super::{
    Action, Binary, Expr, ExprKind, Function, GlobalVar, Link, Links, Local, LocalRef, Place, Scalar, Stmt,
};
use super::forms::{binary, convert, literal, ty};
use crate::Space;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;

/// Statements of one run at the most.
const LONGEST: usize = 16;
/// How often a list is gone through: loops around loops that were found before.
const ROUNDS: usize = 3;
/// Integers up to this take part, so that no sum of them overflows.
const LARGEST: i64 = 1 << 20;
/// What a loop costs, in tokens: `for (int i = 0; i < 3; i++) { }`, and a little more, since it has to be worth it.
const LOOP: usize = 20;
/// Two runs are a loop if each has so many tokens.
const LONG: usize = 36;
/// How many statements may be compared for each one that the function has.
const WORK: usize = 48;

/// Rolls up what is written out in a function; answers how many loops it has more. `wraps`: whether `%` may be said,
/// which the oldest language lacks.
pub(super) fn run(function: &mut Function, globals: &[GlobalVar], wraps: bool) -> u32 {
    let mut mentions = vec![0; function.locals.len()];
    let mut statements = 0;
    for_each_stmt(&function.body, &mut |stmt| {
        statements += 1;
        for_each_mention(stmt, &mut |local| mentions[local.0 as usize] += 1);
    });
    let old = function.locals.len();
    let Function { locals, links, .. } = function;
    let mut rolls = Rolls { locals, links, mentions, globals, wraps, work: WORK * statements };
    if rolls.list(&mut function.body) {
        return share_counters(&mut function.body, old, 0, &mut Vec::new());
    }
    0
}

struct Rolls<'a> {
    locals: &'a mut Vec<Local>,
    links: &'a mut Links,
    /// How often each local is mentioned in the whole function.
    mentions: Vec<u32>,
    globals: &'a [GlobalVar],
    wraps: bool,
    /// How many statements may still be compared.
    work: usize,
}

/// A run with its integers taken out, and its own locals numbered behind all others.
struct Run {
    stmts: Vec<Stmt>,
    integers: Vec<i64>,
    own: Vec<LocalRef>,
}

/// What is known of a statement before it is compared with others.
struct Mark {
    /// The same for statements that differ in integers and locals only.
    shape: u64,
    tokens: usize,
    /// Locals in the order in which they are mentioned.
    mentioned: Vec<LocalRef>,
    /// Locals that it declares.
    declared: Vec<LocalRef>,
}

impl Mark {
    fn of(stmt: &Stmt) -> Self {
        let (mut mentioned, mut declared) = (Vec::new(), Vec::new());
        for_each_stmt(std::slice::from_ref(stmt), &mut |stmt| {
            for_each_mention(stmt, &mut |local| mentioned.push(local));
            if let Stmt::Declare(local, _) | Stmt::For { counter: local, .. } = stmt {
                declared.push(*local);
            }
        });
        Self { shape: shape(stmt), tokens: tokens(stmt), mentioned, declared }
    }
}

/// Whether two runs may be alike: where they mention other locals, each has declared its own.
fn may_match(first: &[Mark], second: &[Mark]) -> bool {
    let declares = |run: &[Mark], local: &LocalRef| run.iter().any(|mark| mark.declared.contains(local));
    first.iter().zip(second).all(|(a, b)| {
        a.mentioned.len() == b.mentioned.len()
            && a.mentioned
                .iter()
                .zip(&b.mentioned)
                .all(|(a, b)| a == b || declares(first, a) && declares(second, b))
    })
}

/// How an integer goes on from run to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Course {
    start: i64,
    step: i64,
    /// It starts again at 0 where it comes to this.
    end: Option<i64>,
}

impl Rolls<'_> {
    /// Answers whether something was rolled up.
    fn list(&mut self, body: &mut Vec<Stmt>) -> bool {
        let mut any = false;
        for stmt in &mut *body {
            for inner in bodies_mut(stmt) {
                any |= self.list(inner);
            }
        }
        if !repeats(body) {
            return any;
        }
        // The outputs of each vertex in the same order.
        if let Some(mut aligned) = self.aligned(body)
            && self.rounds(&mut aligned)
        {
            *body = aligned;
            return true;
        }
        self.rounds(body) || any
    }

    fn rounds(&mut self, body: &mut Vec<Stmt>) -> bool {
        (0..ROUNDS).take_while(|_| self.round(body)).count() > 0
    }

    fn round(&mut self, body: &mut Vec<Stmt>) -> bool {
        let mut any = false;
        let mut marks: Vec<Mark> = body.iter().map(Mark::of).collect();
        for length in 1..=LONGEST {
            if 2 * length > body.len() {
                break;
            }
            // How many statements from here on are like those one run further.
            let mut alike = vec![0; marks.len() - length + 1];
            for at in (0..marks.len() - length).rev() {
                alike[at] = if marks[at].shape == marks[at + length].shape { alike[at + 1] + 1 } else { 0 };
            }
            if alike.iter().all(|alike| *alike < length) {
                continue;
            }
            // Where loops begin, and how many statements they take the place of.
            let mut loops: Vec<(usize, usize, Stmt)> = Vec::new();
            let mut at = 0;
            while at < body.len() {
                let runs = alike.get(at).map_or(1, |alike| alike / length + 1);
                let range = at..at + runs * length;
                let rolled = match runs {
                    1 => None,
                    _ => self.rolled(&body[range.clone()], &marks[range], length),
                };
                match rolled {
                    Some((stmt, runs)) => {
                        loops.push((at, runs * length, stmt));
                        at += runs * length;
                    }
                    None => at += 1,
                }
            }
            any |= !loops.is_empty();
            for (at, count, stmt) in loops.into_iter().rev() {
                marks.splice(at..at + count, [Mark::of(&stmt)]);
                body.splice(at..at + count, [stmt]);
            }
        }
        any
    }

    /// The loop of the first of some runs, and how many they are.
    fn rolled(&mut self, stmts: &[Stmt], marks: &[Mark], length: usize) -> Option<(Stmt, usize)> {
        let size: usize = marks[..length].iter().map(|mark| mark.tokens).sum();
        let all = stmts.len() / length;
        if (all - 1) * size < LOOP
            || (all == 2 && size < LONG)
            || !may_match(&marks[..length], &marks[length..2 * length])
            || !may_loop(&stmts[..length], 0)
        {
            return None;
        }
        let first = self.run(&stmts[..length])?;
        let mut integers = vec![first.integers.clone()];
        for stmts in stmts.chunks_exact(length).skip(1) {
            let Some(next) = self.run(stmts) else { break };
            let same =
                |a: &LocalRef, b: &LocalRef| self.locals[a.0 as usize].ty == self.locals[b.0 as usize].ty;
            if next.stmts != first.stmts
                || next.own.len() != first.own.len()
                || !first.own.iter().zip(&next.own).all(|(a, b)| same(a, b))
            {
                break;
            }
            integers.push(next.integers);
        }
        let (courses, runs) = self.courses(&integers)?;
        let counter = LocalRef(self.locals.len() as u32);
        let (looped, added) = counted(stmts[..length].to_vec(), counter, &courses, runs);
        if (runs - 1) * size < LOOP + added || (runs == 2 && size < LONG) || !self.may_say(&looped, counter) {
            return None;
        }
        let Stmt::For { start, .. } = &looped else { return None };
        self.locals.push(Local { name: String::new(), ty: start.ty });
        let mut mentions = 0;
        for_each_stmt(std::slice::from_ref(&looped), &mut |stmt| {
            for_each_mention(stmt, &mut |local| mentions += u32::from(local == counter));
        });
        self.mentions.push(mentions);
        let linked = self.linked(&stmts[..runs * length], length);
        let (looped, _) = counted(linked, counter, &courses, runs);
        Some((looped, runs))
    }

    /// The first of some runs, its expressions with the instructions of all of them.
    fn linked(&mut self, runs: &[Stmt], length: usize) -> Vec<Stmt> {
        let (first, others) = runs.split_at(length);
        let mut first = first.to_vec();
        let others = others.chunks_exact(length).map(|run| {
            let mut links = Vec::new();
            for_each_link(&mut run.to_vec(), &mut |link| links.push(*link));
            links.into_iter()
        });
        let mut others: Vec<_> = others.collect();
        for_each_link(&mut first, &mut |link| {
            let more: Vec<u32> = others
                .iter_mut()
                .filter_map(Iterator::next)
                .flat_map(|link| self.links.of(link))
                .copied()
                .collect();
            *link = self.links.with(*link, more);
        });
        first
    }

    fn run(&mut self, stmts: &[Stmt]) -> Option<Run> {
        let (mut here, mut declared) = (Vec::new(), Vec::new());
        for_each_stmt(stmts, &mut |stmt| {
            self.work = self.work.saturating_sub(1);
            for_each_mention(stmt, &mut |local| here.push(local));
            match stmt {
                Stmt::Declare(local, _) => declared.push((*local, true)),
                Stmt::For { counter, .. } => declared.push((*counter, false)),
                _ => {}
            }
        });
        if self.work == 0 {
            return None;
        }
        let mut own = Vec::new();
        for (local, is_declared) in declared {
            let inside = here.iter().filter(|other| **other == local).count();
            if self.mentions[local.0 as usize] as usize == inside {
                own.push(local);
            } else if is_declared {
                return None;
            }
        }
        let mut stmts = stmts.to_vec();
        let base = self.locals.len() as u32;
        super::super::walk::for_each_local_mut(&mut stmts, &mut |local| {
            if let Some(at) = own.iter().position(|own| own == local) {
                local.0 = base + at as u32;
            }
        });
        let mut integers = Vec::new();
        for_each_integer(&mut stmts, &mut |expr, value| {
            integers.push(value);
            expr.kind = ExprKind::Literal(Vec::new());
        });
        Some(Run { stmts, integers, own })
    }

    /// How each integer goes on, and for how many runs all of them do.
    fn courses(&self, runs: &[Vec<i64>]) -> Option<(Vec<Course>, usize)> {
        let [first, second, ..] = runs else { return None };
        let straight = |at: usize, run: usize| runs[run][at] - runs[run - 1][at] == second[at] - first[at];
        let steady =
            (2..runs.len()).take_while(|run| (0..first.len()).all(|at| straight(at, *run))).count() + 2;
        let course = |at: usize| Course { start: first[at], step: second[at] - first[at], end: None };
        // Two always go on somehow; that they count is believed where they count by one.
        if steady == 2 && runs.len() == 2 && (0..first.len()).any(|at| !matches!(course(at).step, 0 | 1)) {
            return None;
        }
        if steady == runs.len() {
            return Some(((0..first.len()).map(course).collect(), steady));
        }
        let around = |at: usize| {
            let course = course(at);
            if (2..runs.len()).all(|run| straight(at, run)) {
                return Some(course);
            }
            let end = course.step * runs.len() as i64;
            let goes_around = course.step > 0
                && course.start >= 0
                && runs
                    .iter()
                    .zip(0..)
                    .all(|(run, pass)| run[at] == (course.start + course.step * pass) % end);
            goes_around.then_some(Course { end: Some(end), ..course })
        };
        if self.wraps
            && let Some(courses) = (0..first.len()).map(around).collect()
        {
            return Some((courses, runs.len()));
        }
        (steady > 2).then(|| ((0..first.len()).map(course).collect(), steady))
    }

    /// Whether all languages can say what depends on the counter.
    fn may_say(&self, looped: &Stmt, counter: LocalRef) -> bool {
        let global = |at: super::super::GlobalRef| self.globals.get(at.0 as usize);
        let mut may = true;
        for inner in bodies(looped) {
            for_each_stmt(inner, &mut |stmt| {
                if let Stmt::For { start, condition, step, .. } = stmt {
                    may &= ![start, condition, step].into_iter().any(|expr| reads_local(expr, counter));
                }
                // Words that lie behind each other from a place that is found out are components of one vector.
                if let Stmt::Assign(Place::Array(_, index) | Place::Word(_, index, _), _) = stmt {
                    may &= !reads_local(index, counter) || !reads_others(index, counter);
                }
                for expr in exprs(stmt) {
                    for_each_expr(expr, &mut |expr| {
                        may &= match &expr.kind {
                            ExprKind::Global(at, Some(index)) if reads_local(index, counter) => {
                                global(*at).is_some_and(|global| global.matrix_rows.is_none())
                            }
                            ExprKind::Column(_, _, column) => !reads_local(column, counter),
                            ExprKind::Texture(fetch) => {
                                !fetch.element.iter().any(|element| reads_local(element, counter))
                            }
                            ExprKind::Image(..) | ExprKind::Interpolate(..) => false,
                            _ => true,
                        };
                    });
                }
            });
        }
        may
    }

    /// The list with assignments to outputs, which change places with each other freely, in the order in which the
    /// outputs are named first; none if there are no vertices, or they stand so already.
    fn aligned(&self, body: &[Stmt]) -> Option<Vec<Stmt>> {
        if body.iter().filter(|stmt| matches!(stmt, Stmt::EmitVertex(..))).count() < 2 {
            return None;
        }
        let is_output = |at: super::super::GlobalRef| {
            self.globals.get(at.0 as usize).is_none_or(|global| global.global.space == Space::Output)
        };
        let mut order = Vec::new();
        let ranks: Vec<Option<usize>> = body
            .iter()
            .map(|stmt| {
                let Stmt::Assign(Place::Global(global, ..), _) = stmt else { return None };
                let mut free = true;
                for expr in exprs(stmt) {
                    for_each_expr(expr, &mut |expr| {
                        if let ExprKind::Global(read, _) = expr.kind {
                            free &= !is_output(read);
                        }
                    });
                }
                if !free {
                    return None;
                }
                Some(order.iter().position(|known| known == global).unwrap_or_else(|| {
                    order.push(*global);
                    order.len() - 1
                }))
            })
            .collect();
        let mut places: Vec<usize> = (0..body.len()).collect();
        for part in places.chunk_by_mut(|a, b| ranks[*a].is_some() && ranks[*b].is_some()) {
            part.sort_by_key(|at| ranks[*at]);
        }
        Some(places.into_iter().map(|at| body[at].clone()).collect())
    }
}

/// Whether an expression reads more than a local.
fn reads_others(expr: &Expr, local: LocalRef) -> bool {
    let mut found = false;
    for_each_expr(expr, &mut |expr| {
        found |= match &expr.kind {
            ExprKind::Local(other) => *other != local,
            ExprKind::Literal(_) | ExprKind::Binary(..) | ExprKind::Convert(_) => false,
            _ => true,
        };
    });
    found
}

/// Whether two statements of a list are alike.
fn repeats(body: &[Stmt]) -> bool {
    if body.len() < 2 {
        return false;
    }
    let mut shapes: Vec<u64> = body.iter().map(shape).collect();
    shapes.sort_unstable();
    shapes.windows(2).any(|pair| pair[0] == pair[1])
}

/// The same number for statements that differ in integers and locals only.
fn shape(stmt: &Stmt) -> u64 {
    fn add(stmt: &Stmt, to: &mut DefaultHasher) {
        discriminant(stmt).hash(to);
        if let Stmt::Assign(place, _) = stmt {
            discriminant(place).hash(to);
            if let Place::Global(global, _, components) = place {
                (global, components).hash(to);
            }
        }
        for expr in exprs(stmt) {
            for_each_expr(expr, &mut |expr| {
                (expr.ty, discriminant(&expr.kind)).hash(to);
                if let ExprKind::Global(global, _) = &expr.kind {
                    global.hash(to);
                }
            });
        }
        for inner in bodies(stmt) {
            inner.len().hash(to);
            inner.iter().for_each(|stmt| add(stmt, to));
        }
    }
    let mut hasher = DefaultHasher::new();
    add(stmt, &mut hasher);
    hasher.finish()
}

/// How many tokens a statement has, about.
pub(super) fn tokens(stmt: &Stmt) -> usize {
    let mut count = match stmt {
        Stmt::For { .. } => 9,
        Stmt::Comment(_) => 0,
        _ => 3,
    };
    for expr in exprs(stmt) {
        for_each_expr(expr, &mut |expr| {
            count += match &expr.kind {
                ExprKind::Literal(bits) if bits.len() > 1 => 2 * bits.len() + 2,
                ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Global(_, None) => 1,
                ExprKind::Unary(..) | ExprKind::Binary(..) => 1,
                ExprKind::Texture(_) => 5,
                _ => 3,
            };
        });
    }
    count + bodies(stmt).into_iter().flatten().map(tokens).sum::<usize>()
}

/// Whether statements may stand in a loop of their own: nothing leaves one around them, and nothing waits for others,
/// which some languages allow outside of loops only.
fn may_loop(stmts: &[Stmt], depth: usize) -> bool {
    stmts.iter().all(|stmt| match stmt {
        Stmt::Break | Stmt::Continue => depth > 0,
        Stmt::Act(act) => matches!(act.action, Action::Demote),
        Stmt::Call { .. } | Stmt::Comment(_) => false,
        // `continue` in a switch is one of the loop around it.
        Stmt::Switch { .. } => bodies(stmt).into_iter().all(|body| may_loop(body, 0)),
        Stmt::If { .. } => bodies(stmt).into_iter().all(|body| may_loop(body, depth)),
        _ => bodies(stmt).into_iter().all(|body| may_loop(body, depth + 1)),
    })
}

/// Calls back for every small integer, which may be replaced.
fn for_each_integer(stmts: &mut [Stmt], visit: &mut impl FnMut(&mut Expr, i64)) {
    for stmt in stmts {
        for expr in exprs_mut(stmt) {
            // Parts of what stands for an integer now, which come next.
            let mut parts = 0;
            for_each_expr_mut(expr, &mut |expr| {
                if parts > 0 {
                    parts -= 1;
                    return;
                }
                let ExprKind::Literal(bits) = &expr.kind else { return };
                let value = match (expr.ty.scalar, &bits[..]) {
                    (Scalar::Int, [bits]) => i64::from(*bits as u32 as i32),
                    (Scalar::Uint, [bits]) => i64::from(*bits as u32),
                    _ => return,
                };
                if value.abs() <= LARGEST {
                    visit(expr, value);
                    for_each_expr(expr, &mut |_| parts += 1);
                    parts -= 1;
                }
            });
        }
        for inner in bodies_mut(stmt) {
            for_each_integer(inner, visit);
        }
    }
}

/// Calls back for what links statements and expressions to the machine's instructions, in an order that runs which are alike
/// share.
fn for_each_link(stmts: &mut [Stmt], visit: &mut impl FnMut(&mut Link)) {
    for stmt in stmts {
        match stmt {
            Stmt::Discard(link)
            | Stmt::EmitVertex(_, link)
            | Stmt::EndPrimitive(_, link)
            | Stmt::Call { link, .. } => visit(link),
            Stmt::Act(act) => visit(&mut act.link),
            _ => {}
        }
        for expr in exprs_mut(stmt) {
            for_each_expr_mut(expr, &mut |expr| visit(&mut expr.link));
        }
        for inner in bodies_mut(stmt) {
            for_each_link(inner, visit);
        }
    }
}

/// The loop of a run, and how many tokens longer the run got.
fn counted(mut body: Vec<Stmt>, counter: LocalRef, courses: &[Course], runs: usize) -> (Stmt, usize) {
    // Where all integers go the same way, the counter goes it.
    let mut moving = courses.iter().filter(|course| course.step != 0);
    let (start, step) = match moving.next() {
        Some(course) if course.step > 0 && course.start >= 0 && moving.all(|other| other == course) => {
            (course.start, course.step)
        }
        _ => (0, 1),
    };
    let number = |scalar: Scalar, value: i64| literal(scalar, &[value as u32 as u64]);
    let local = Expr::new(ty(Scalar::Int, 1), ExprKind::Local(counter));
    let mut added = 0;
    let mut courses = courses.iter();
    for_each_integer(&mut body, &mut |expr, _| {
        let Some(course) = courses.next().filter(|course| course.step != 0) else { return };
        let int = |value| number(Scalar::Int, value);
        let times = |by: i64| match by {
            1 => local.clone(),
            by => binary(Binary::Mul, local.clone(), int(by)),
        };
        let value = if (course.start, course.step) == (start, step) {
            local.clone()
        } else if course.step < 0 {
            binary(Binary::Sub, int(course.start), times(-course.step))
        } else if course.start == 0 {
            times(course.step)
        } else {
            super::forms::add(times(course.step), int(course.start))
        };
        let value = match course.end {
            Some(end) => binary(Binary::Rem, value, int(end)),
            None => value,
        };
        let value = if expr.ty.scalar == Scalar::Uint { convert(Scalar::Uint, value) } else { value };
        for_each_expr(&value, &mut |_| added += 1);
        added -= 1;
        *expr = value.linked(expr.link);
    });
    let int = |value| number(Scalar::Int, value);
    let condition = binary(Binary::Lt, local.clone(), int(start + step * runs as i64));
    (Stmt::For { counter, start: int(start), condition, step: int(step), body }, added)
}

/// Loops made here that are not inside each other have the same counter; answers how many there are. Counters from
/// `first` on are made here.
fn share_counters(body: &mut [Stmt], first: usize, depth: usize, pool: &mut Vec<LocalRef>) -> u32 {
    let mut count = 0;
    for stmt in body {
        let mut inside = depth;
        if let Stmt::For { counter, .. } = stmt
            && counter.0 as usize >= first
        {
            let old = *counter;
            count += 1;
            inside += 1;
            match pool.get(depth).copied() {
                Some(shared) => {
                    super::super::walk::for_each_local_mut(std::slice::from_mut(stmt), &mut |local| {
                        if *local == old {
                            *local = shared;
                        }
                    });
                }
                None => pool.push(old),
            }
        }
        for inner in bodies_mut(stmt) {
            count += share_counters(inner, first, inside, pool);
        }
    }
    count
}

#[cfg(test)]
mod tests;
