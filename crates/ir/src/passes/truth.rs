//! Truth values that the machine holds as 1.0 and 0.0 become truth values: `min(c ? 1 : 0, d ? 1 : 0)` is
//! `c && d ? 1 : 0`, `1 - (c ? 1 : 0)` is `c ? 0 : 1`, their difference is `c ^^ d`.
//!
//! `a >= b && a <= b` is `a == b`, `a < b || a > b` is `a != b`.
//!
//! Exact where no NaN is compared.

use super::Changes;
use super::edit::{constant, constant_choice, with_room_before};
use crate::exec::evaluate;
use crate::{CompareFloat, FloatMode, Function, InstId, Module, Op, Type, Value};
use smallvec::{SmallVec, smallvec};

/// What must hold.
const ASSUMPTION: &str = "no NaN is compared";

const ONE: u32 = 0x3F80_0000;

pub(super) fn run(module: &mut Module) -> Changes {
    if !module.from_shading_language {
        return Changes::default();
    }
    Changes::from(module.functions.iter_mut().map(rewrite).sum::<usize>()).assume(ASSUMPTION)
}

fn rewrite(function: &mut Function) -> usize {
    with_room_before(function, |function, id, before| {
        let Some(found) = better(function, id) else { return false };
        found.apply(function, id, before);
        true
    })
}

/// What an instruction becomes.
enum Better {
    /// A choice between two constants by a condition.
    Choice(Value, u32, u32),
    /// A choice of 1 or 0 by two conditions.
    Both(Op, Truth, Truth),
    /// One comparison for two.
    Compare(CompareFloat, Value, Value),
    /// Whether two conditions differ; and the opposite.
    Differ(Value, Value, bool),
}

/// A condition, or its opposite.
#[derive(Debug, Clone, Copy)]
struct Truth {
    condition: Value,
    negated: bool,
}

impl Better {
    /// Changes the instruction; what it needs before itself goes to the list.
    fn apply(self, function: &mut Function, id: InstId, before: &mut Vec<InstId>) {
        let origin = function.insts[id.index()].origin;
        let mut make = |function: &mut Function, op: Op, args: &[Value], ty: Type| {
            let made = function.push_inst(op, args, &[ty], origin);
            before.push(made);
            function.result(made, 0)
        };
        let (op, args): (Op, SmallVec<[Value; 3]>) = match self {
            Self::Choice(condition, yes, no) => {
                let yes = make(function, Op::B32(yes), &[], Type::B32);
                let no = make(function, Op::B32(no), &[], Type::B32);
                (Op::Select, smallvec![condition, yes, no])
            }
            Self::Both(op, a, b) => {
                let [a, b] = [a, b].map(|truth| match truth.negated {
                    true => make(function, Op::Not, &[truth.condition], Type::Bool),
                    false => truth.condition,
                });
                let condition = make(function, op, &[a, b], Type::Bool);
                let yes = make(function, Op::B32(ONE), &[], Type::B32);
                let no = make(function, Op::B32(0), &[], Type::B32);
                (Op::Select, smallvec![condition, yes, no])
            }
            Self::Compare(by, a, b) => (Op::FCompare(by, FloatMode::F32), smallvec![a, b]),
            Self::Differ(a, b, false) => (Op::Xor, smallvec![a, b]),
            Self::Differ(a, b, true) => {
                let differ = make(function, Op::Xor, &[a, b], Type::Bool);
                (Op::Not, smallvec![differ])
            }
        };
        let inst = &mut function.insts[id.index()];
        inst.op = op;
        inst.args = args;
    }
}

/// The condition of a choice of 1 or 0, either way round.
fn truth(function: &Function, value: Value) -> Option<Truth> {
    match constant_choice(function, value)? {
        (condition, ONE, 0) => Some(Truth { condition, negated: false }),
        (condition, 0, ONE) => Some(Truth { condition, negated: true }),
        _ => None,
    }
}

fn better(function: &Function, id: InstId) -> Option<Better> {
    const MODE: FloatMode = FloatMode::F32;
    let inst = &function.insts[id.index()];
    let both = |op, a: Value, b: Value| Some(Better::Both(op, truth(function, a)?, truth(function, b)?));
    let plain = |condition| Truth { condition, negated: false };
    let float = |value: Value| Some(constant(function, value)? as u32);
    let compute = |args: &[u32]| {
        let args: SmallVec<[u64; 3]> = args.iter().map(|arg| u64::from(*arg)).collect();
        evaluate(&inst.op, Type::B32, &args).map(|bits| bits as u32)
    };
    match (inst.op, &inst.args[..]) {
        (Op::FNeg(_) | Op::FAbs(_) | Op::FSaturate(_) | Op::FRound(..), &[a]) => {
            let (condition, yes, no) = constant_choice(function, a)?;
            Some(Better::Choice(condition, compute(&[yes])?, compute(&[no])?))
        }
        (Op::FAdd(MODE) | Op::FMul(MODE, _) | Op::FMin(MODE, _) | Op::FMax(MODE, _), &[a, b]) => {
            let with_constant = match (constant_choice(function, a), constant_choice(function, b)) {
                (Some((condition, yes, no)), None) => {
                    float(b).and_then(|b| Some((condition, compute(&[yes, b])?, compute(&[no, b])?)))
                }
                (None, Some((condition, yes, no))) => {
                    float(a).and_then(|a| Some((condition, compute(&[a, yes])?, compute(&[a, no])?)))
                }
                _ => None,
            };
            if let Some((condition, yes, no)) = with_constant {
                return Some(Better::Choice(condition, yes, no));
            }
            match inst.op {
                Op::FMul(..) | Op::FMin(..) => both(Op::And, a, b),
                Op::FMax(..) => both(Op::Or, a, b),
                _ => None,
            }
        }
        (Op::FCompare(by @ (CompareFloat::Eq | CompareFloat::Ne), _), &[a, b]) => {
            let (a, b) = (truth(function, a)?, truth(function, b)?);
            let negated = a.negated ^ b.negated ^ (by == CompareFloat::Eq);
            Some(Better::Differ(a.condition, b.condition, negated))
        }
        (Op::And | Op::Or, &[a, b]) if function.ty(a) == Type::Bool => {
            let (a, b) = (function.definition(a)?, function.definition(b)?);
            let (Op::FCompare(first, MODE), Op::FCompare(second, _)) = (a.op, b.op) else { return None };
            // Both with the operands in one order.
            let second = if a.args == b.args {
                second
            } else if a.args[0] == b.args[1] && a.args[1] == b.args[0] {
                second.turned()
            } else {
                return None;
            };
            use CompareFloat::{Eq, Ge, Gt, Le, Lt, Ne};
            let by = match (inst.op, first, second) {
                (Op::And, Ge, Le) | (Op::And, Le, Ge) => Eq,
                (Op::Or, Gt, Lt) | (Op::Or, Lt, Gt) => Ne,
                _ => return None,
            };
            Some(Better::Compare(by, a.args[0], a.args[1]))
        }
        (Op::Select, &[condition, yes, no]) if function.ty(yes) == Type::B32 => {
            match (float(yes), float(no)) {
                (Some(ONE), None) => Some(Better::Both(Op::Or, plain(condition), truth(function, no)?)),
                (None, Some(0)) => Some(Better::Both(Op::And, plain(condition), truth(function, yes)?)),
                _ => None,
            }
        }
        _ => None,
    }
}
