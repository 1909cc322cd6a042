//! An upper bound of the vertices that a geometry program emits, for its declaration.

use super::super::{Binary, Expr, ExprKind, Function, LocalRef, Scalar, Stmt};

/// What is declared when the bound is not known: the least that every implementation allows.
const CAP: u32 = 256;

/// The bound for the last function; none if no function emits.
pub(super) fn bound(functions: &[Function], assumptions: &mut Vec<String>) -> Option<u32> {
    let mut bounds: Vec<Bound> = Vec::with_capacity(functions.len());
    for function in functions {
        let found = Bound::of(&function.body, &bounds);
        bounds.push(found);
    }
    match bounds.last()? {
        Bound::Vertices(0) => None,
        Bound::Vertices(count) if *count <= CAP => Some(*count),
        Bound::Vertices(_) | Bound::Unknown => {
            assumptions.push(format!("a run emits at most {CAP} vertices"));
            Some(CAP)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Vertices(u32),
    Unknown,
}

impl Bound {
    fn of(body: &[Stmt], callees: &[Bound]) -> Self {
        body.iter().fold(Self::Vertices(0), |sum, stmt| sum.and(Self::of_stmt(stmt, callees)))
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Vertices(a), Self::Vertices(b)) => Self::Vertices(a.saturating_add(b)),
            _ => Self::Unknown,
        }
    }

    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Vertices(a), Self::Vertices(b)) => Self::Vertices(a.max(b)),
            _ => Self::Unknown,
        }
    }

    fn of_stmt(stmt: &Stmt, callees: &[Bound]) -> Self {
        match stmt {
            Stmt::EmitVertex(..) => Self::Vertices(1),
            Stmt::Call { function, .. } => callees.get(function.0 as usize).copied().unwrap_or(Self::Unknown),
            Stmt::If { then, otherwise, .. } => Self::of(then, callees).or(Self::of(otherwise, callees)),
            Stmt::Switch { cases, default, .. } => cases
                .iter()
                .fold(Self::of(default, callees), |most, (_, body)| most.or(Self::of(body, callees))),
            Stmt::For { counter, start, condition, step, body } => {
                match (Self::of(body, callees), passes(*counter, start, condition, step)) {
                    (Self::Vertices(0), _) => Self::Vertices(0),
                    (Self::Vertices(count), Some(passes)) => Self::Vertices(count.saturating_mul(passes)),
                    _ => Self::Unknown,
                }
            }
            Stmt::While { body, .. } | Stmt::DoWhile { body, .. } | Stmt::Loop(body) => {
                match Self::of(body, callees) {
                    Self::Vertices(0) => Self::Vertices(0),
                    _ => Self::Unknown,
                }
            }
            _ => Self::Vertices(0),
        }
    }
}

/// Passes of a counted loop whose parts are literals.
fn passes(counter: LocalRef, start: &Expr, condition: &Expr, step: &Expr) -> Option<u32> {
    let number = |expr: &Expr| match (&expr.kind, expr.ty.scalar) {
        (ExprKind::Literal(bits), Scalar::Int) => Some(i64::from(bits[0] as i32)),
        _ => None,
    };
    let (start, step) = (number(start)?, number(step)?);
    let ExprKind::Binary(op, a, b) = &condition.kind else { return None };
    if a.kind != ExprKind::Local(counter) {
        return None;
    }
    let end = number(b)?;
    let (distance, step) = match op {
        Binary::Lt if step > 0 => (end - start, step),
        Binary::Le if step > 0 => (end - start + 1, step),
        Binary::Gt if step < 0 => (start - end, -step),
        Binary::Ge if step < 0 => (start - end + 1, -step),
        Binary::Ne if step != 0 && (end - start) % step == 0 && (end - start) / step >= 0 => {
            return u32::try_from((end - start) / step).ok();
        }
        _ => return None,
    };
    u32::try_from(((distance.max(0)) + step - 1) / step).ok()
}
