//! Sines and cosines whose argument a compiler brought into the machine's range: machines that count in turns want
//! `x / 2pi` between -0.5 and 0.5 or 0 and 1, so compilers put `fract(x / 2pi + 0.5) - 0.5` or `fract(x / 2pi)` there,
//! or nothing where they know better; the Wii U's scales to radians and back once more. The function of `x` itself says
//! the same. Compilers join `1 / 2pi` with another constant of the product that `x` is: that one gets it back.

use super::Changes;
use super::edit::{constant, with_room_before};
use crate::{FloatMode, Function, Inst, InstId, Module, Multiply, Op, Origin, Round, Type, Value};
use smallvec::SmallVec;

/// What must hold.
const ASSUMPTION: &str = "angles are so small that taking whole turns off them changes nothing";

const F32: FloatMode = FloatMode::F32;

pub(super) fn run(module: &mut Module) -> Changes {
    let mut changes = Changes::default();
    for function in &mut module.functions {
        changes.count += with_room_before(function, |function, id, front| {
            let inst = &function.insts[id.index()];
            if !matches!(inst.op, Op::FSin(F32) | Op::FCos(F32)) {
                return false;
            }
            let origin = inst.origin;
            let Some(angle) = inst.args.first().and_then(|angle| angle_of(function, *angle)) else {
                return false;
            };
            let angle = angle.write(function, origin, front);
            function.insts[id.index()].args[0] = angle;
            true
        });
    }
    changes.assume(ASSUMPTION)
}

const MUL: Op = Op::FMul(F32, Multiply::Ieee);

/// An angle.
enum Angle {
    /// A value of the code.
    Is(Value),
    /// A value times a number.
    Scaled(Value, f64),
}

impl Angle {
    /// Its value; what is not there yet goes into `front`.
    fn write(self, function: &mut Function, origin: Origin, front: &mut Vec<InstId>) -> Value {
        let (value, factor) = match self {
            Self::Is(value) => return value,
            Self::Scaled(value, factor) => (value, factor),
        };
        let mut push = |function: &mut Function, op: Op, args: &[Value]| {
            let id = function.push_inst(op, args, &[Type::B32], origin);
            front.push(id);
            function.result(id, 0)
        };
        // The number joins the constant factor that the value has.
        let mut others = SmallVec::new();
        let (mut value, number) = scale(function, value, &mut others).unwrap_or((value, 1.0));
        let factor = rounded(factor * number);
        if factor != 1.0 {
            let number = push(function, Op::B32(factor.to_bits()), &[]);
            value = push(function, MUL, &[value, number]);
        }
        for other in others.into_iter().rev() {
            value = push(function, MUL, &[value, other]);
        }
        value
    }
}

/// Factors around a constant one, at most.
const FACTORS: usize = 4;

/// A product's constant factor, and what that is multiplied with; `others` gets the factors around the two, the outermost
/// first.
fn scale(function: &Function, value: Value, others: &mut SmallVec<[Value; FACTORS]>) -> Option<(Value, f64)> {
    let Inst { op: Op::FMul(F32, _), args, .. } = function.definition(value)? else { return None };
    let [a, b] = args[..] else { return None };
    if let Some(found) = beside(function, a, b) {
        return Some(found);
    }
    for (inner, other) in [(a, b), (b, a)] {
        if others.len() < FACTORS {
            others.push(other);
            if let Some(found) = scale(function, inner, others) {
                return Some(found);
            }
            others.pop();
        }
    }
    None
}

/// The number of few digits that a product of two rounded ones stands for, or else the product.
fn rounded(number: f64) -> f32 {
    let short = format!("{number:.5e}").parse().unwrap_or(number);
    let is_short = (short - number).abs() <= number.abs() * f64::from(f32::EPSILON) * 2.0;
    (if is_short { short } else { number }) as f32
}

/// The steps from the argument of a sine down to the angle, at most.
const STEPS: usize = 12;

/// The angle that a sine or cosine of `value` is really of: what is left where scaling to turns, taking off whole turns
/// and scaling back cancel each other. One way is the console's: `t = fract(x / 2pi + 0.5)`, then
/// `(t * 2pi - pi) / 2pi` turns, which the machine multiplies by 2pi.
fn angle_of(function: &Function, value: Value) -> Option<Angle> {
    // The argument is `factor * value + offset`, give or take whole turns.
    let (mut value, mut factor, mut offset) = (value, 1.0_f64, 0.0_f64);
    // Scaling that cancels itself may stand around more of it.
    let (mut reduced, mut scaled) = (false, None);
    for step in 0..STEPS {
        if step > 0 && is_near(factor, 1.0) {
            let turns = (offset / FULL).round();
            if reduced && (offset - turns * FULL).abs() < NEAR {
                return Some(Angle::Is(value));
            }
            if offset == 0.0 {
                scaled = scaled.or(Some(Angle::Is(value)));
            }
        }
        if let Some(inner) = fraction(function, value).filter(|_| !reduced && is_near(factor.abs(), FULL)) {
            // A whole turn more or less.
            (value, reduced) = (inner, true);
            continue;
        }
        let Some(inst) = function.definition(value) else { break };
        let [a, b] = inst.args[..] else { break };
        let Some((next, number)) = beside(function, a, b) else { break };
        match inst.op {
            Op::FMul(F32, _) => factor *= number,
            Op::FAdd(F32) => offset += factor * number,
            _ => break,
        }
        value = next;
    }
    let turns = (offset / FULL).round();
    if reduced && (offset - turns * FULL).abs() < NEAR {
        return Some(Angle::Scaled(value, factor));
    }
    scaled
}

/// A whole turn.
const FULL: f64 = std::f64::consts::TAU;
/// How far an angle may be off: constants of 32 bits are a few units in the last place of a turn away from what they mean.
const NEAR: f64 = 4e-6;

fn is_near(number: f64, wanted: f64) -> bool {
    (number - wanted).abs() <= wanted * 1e-6
}

/// `x` of `x - floor(x)`.
fn fraction(function: &Function, value: Value) -> Option<Value> {
    let Inst { op: Op::FAdd(F32), args, .. } = function.definition(value)? else { return None };
    let minus = function.definition(*args.get(1)?).filter(|inst| matches!(inst.op, Op::FNeg(_)))?;
    let floor = function.definition(*minus.args.first()?)?;
    (floor.op == Op::FRound(F32, Round::Down) && floor.args.first() == args.first()).then_some(args[0])
}

/// The operand beside a constant that is a finite number, and that number.
fn beside(function: &Function, a: Value, b: Value) -> Option<(Value, f64)> {
    let number = |value: Value| {
        let (value, sign) = match function.definition(value) {
            Some(Inst { op: Op::FNeg(_), args, .. }) => (*args.first()?, -1.0),
            _ => (value, 1.0),
        };
        let number = f32::from_bits(constant(function, value)? as u32);
        number.is_finite().then_some(sign * f64::from(number))
    };
    match (number(a), number(b)) {
        (_, Some(number)) => Some((a, number)),
        (Some(number), None) => Some((b, number)),
        _ => None,
    }
}
