//! Sines and cosines whose argument a compiler brought into the machine's range: machines that count in turns want
//! `x / 2pi` between -0.5 and 0.5 or 0 and 1, so compilers put `fract(x / 2pi + 0.5) - 0.5` or `fract(x / 2pi)` there,
//! or nothing where they know better. The function of `x` itself says the same.

use super::Changes;
use super::edit::constant;
use crate::{FloatMode, Function, Inst, Module, Op, Round, Value};
use std::f32::consts::TAU;

/// What must hold.
const ASSUMPTION: &str = "angles are so small that taking whole turns off them changes nothing";

const F32: FloatMode = FloatMode::F32;

pub(super) fn run(module: &mut Module) -> Changes {
    let mut changes = Changes::default();
    for function in &mut module.functions {
        for block in 0..function.blocks.len() {
            for position in 0..function.blocks[block].insts.len() {
                let id = function.blocks[block].insts[position];
                let inst = &function.insts[id.index()];
                if !matches!(inst.op, Op::FSin(F32) | Op::FCos(F32)) {
                    continue;
                }
                if let Some(angle) = inst.args.first().and_then(|angle| angle_of(function, *angle)) {
                    function.insts[id.index()].args[0] = angle;
                    changes.count += 1;
                }
            }
        }
    }
    changes.assume(ASSUMPTION)
}

/// The angle in `turns * 2pi`.
fn angle_of(function: &Function, value: Value) -> Option<Value> {
    let turns = scaled(function, value, TAU)?;
    let whole = taken_off(function, turns).unwrap_or(turns);
    scaled(function, whole, 1.0 / TAU)
}

/// What is in `fract(turns + 0.5) - 0.5` or `fract(turns)`.
fn taken_off(function: &Function, value: Value) -> Option<Value> {
    match sum(function, value, -0.5) {
        Some(inner) => sum(function, fraction(function, inner)?, 0.5),
        None => fraction(function, value),
    }
}

/// `x` of `x - floor(x)`.
fn fraction(function: &Function, value: Value) -> Option<Value> {
    let Inst { op: Op::FAdd(F32), args, .. } = function.definition(value)? else { return None };
    let minus = function.definition(args[1]).filter(|inst| matches!(inst.op, Op::FNeg(_)))?;
    let floor = function.definition(minus.args[0])?;
    (floor.op == Op::FRound(F32, Round::Down) && floor.args[0] == args[0]).then_some(args[0])
}

/// `x` of `x + number`.
fn sum(function: &Function, value: Value, number: f32) -> Option<Value> {
    let inst = function.definition(value).filter(|inst| inst.op == Op::FAdd(F32))?;
    beside(function, inst, number)
}

/// `x` of `x * factor`.
fn scaled(function: &Function, value: Value, factor: f32) -> Option<Value> {
    let inst = function.definition(value).filter(|inst| matches!(inst.op, Op::FMul(F32, _)))?;
    beside(function, inst, factor)
}

/// The other operand of a constant that is that number, or next to it.
fn beside(function: &Function, inst: &Inst, number: f32) -> Option<Value> {
    let is = |value: Value| {
        constant(function, value).is_some_and(|bits| (bits as u32).abs_diff(number.to_bits()) <= 1)
    };
    let [a, b] = inst.args[..] else { return None };
    match (is(a), is(b)) {
        (_, true) => Some(a),
        (true, false) => Some(b),
        _ => None,
    }
}
