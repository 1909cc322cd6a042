//! Conditions as the machine tests them: one or two comparisons, or a bool uniform.

use super::{Lane, Op, Program, Relation};

/// What a condition asks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Test {
    /// A bool uniform, turned round or not.
    Truth(u16, bool),
    /// A comparison.
    One(Comparison),
    /// Two comparisons: both hold, or one of them.
    Two(Comparison, Comparison, Join),
}

/// How two comparisons are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// Both.
    And,
    /// One at least.
    Or,
}

/// A comparison of two numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// How.
    pub relation: Relation,
    /// Left side.
    pub a: Lane,
    /// Right side.
    pub b: Lane,
}

impl Comparison {
    fn not(self) -> Self {
        Self { relation: self.relation.not(), ..self }
    }
}

impl Test {
    /// What a truth asks.
    pub fn of(program: &Program, lane: Lane) -> Self {
        if let Some((of, turned)) = turned(program, lane) {
            let test = Self::plain(program, of);
            return if turned { test.not() } else { test };
        }
        Self::plain(program, lane)
    }

    fn plain(program: &Program, lane: Lane) -> Self {
        if let Some(comparison) = comparison(program, lane) {
            return Self::One(comparison);
        }
        if let Lane::Of { node, component, negate: false } = lane {
            let of = program.node(node);
            let operand = |at: usize| of.arguments.get(at)?.get(usize::from(component)).copied();
            let join = match of.op {
                Op::Truth(uniform) => return Self::Truth(uniform, false),
                Op::Mul => Some(Join::And),
                Op::Max => Some(Join::Or),
                _ => None,
            };
            if let (Some(join), Some(a), Some(b)) = (join, operand(0), operand(1))
                && let (Some(a), Some(b)) = (comparison(program, a), comparison(program, b))
            {
                return Self::Two(a, b, join);
            }
        }
        Self::One(Comparison { relation: Relation::Ne, a: lane, b: Lane::ZERO })
    }

    /// The opposite.
    #[must_use]
    pub fn not(self) -> Self {
        match self {
            Self::Truth(uniform, turned) => Self::Truth(uniform, !turned),
            Self::One(comparison) => Self::One(comparison.not()),
            Self::Two(a, b, Join::And) => Self::Two(a.not(), b.not(), Join::Or),
            Self::Two(a, b, Join::Or) => Self::Two(a.not(), b.not(), Join::And),
        }
    }

    /// The numbers that are compared.
    pub fn lanes(self) -> impl Iterator<Item = Lane> {
        let (first, second) = match self {
            Self::Truth(..) => (None, None),
            Self::One(one) => (Some(one), None),
            Self::Two(a, b, _) => (Some(a), Some(b)),
        };
        [first, second].into_iter().flatten().flat_map(|comparison| [comparison.a, comparison.b])
    }
}

/// A truth that is 1 minus another one.
fn turned(program: &Program, lane: Lane) -> Option<(Lane, bool)> {
    let Lane::Of { node, component, negate: false } = lane else { return None };
    let of = program.node(node);
    let operand = |at: usize| of.arguments.get(at)?.get(usize::from(component)).copied();
    if of.op != Op::Add {
        return None;
    }
    let (a, b) = (operand(0)?, operand(1)?);
    match (a, b) {
        (inner @ Lane::Of { negate: true, .. }, one) if one.is(1.0) => Some((inner.negated(), true)),
        _ => None,
    }
}

fn comparison(program: &Program, lane: Lane) -> Option<Comparison> {
    let Lane::Of { node, component, negate: false } = lane else { return None };
    let of = program.node(node);
    let operand = |at: usize| of.arguments.get(at)?.get(usize::from(component)).copied();
    match of.op {
        Op::Compare(relation) => Some(Comparison { relation, a: operand(0)?, b: operand(1)? }),
        _ => None,
    }
}
