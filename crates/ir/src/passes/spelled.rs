//! Functions that compilers of shading languages spell out because the machine has others: angles in turns,
//! `ceil` by `floor`, comparisons with the number in front.

use super::Changes;
use super::edit::constant;
use crate::{FloatMode, Function, InstId, Module, Multiply, Op, Round, Space, Value, Width};
use smallvec::{SmallVec, smallvec};

const MODE: FloatMode = FloatMode::F32;

/// What must hold for angles. Constants of 11 bits are off by as much.
const ANGLES: &str = "the machine's constants for angles in turns stand for 1 / (2 * pi)";
/// How far a product of constants may be from 1.
const TOLERANCE: f32 = 4e-4;

pub(super) fn run(module: &mut Module) -> Changes {
    if !module.from_shading_language {
        return Changes::default();
    }
    let (mut angles, mut others) = (0, 0);
    for function in &mut module.functions {
        for block in 0..function.blocks.len() {
            for position in 0..function.blocks[block].insts.len() {
                let id = function.blocks[block].insts[position];
                let Some((op, args)) = better(function, id) else { continue };
                match op {
                    Op::FSin(_) | Op::FCos(_) => angles += 1,
                    _ => others += 1,
                }
                function.insts[id.index()].op = op;
                function.insts[id.index()].args = args;
            }
        }
    }
    let changes = Changes::from(angles + others);
    if angles > 0 { changes.assume(ANGLES) } else { changes }
}

fn better(function: &Function, id: InstId) -> Option<(Op, SmallVec<[Value; 3]>)> {
    let inst = &function.insts[id.index()];
    let operand = |value: Value, op: Op| {
        function.definition(value).filter(|inst| inst.op == op).and_then(|inst| inst.args.first().copied())
    };
    match (inst.op, &inst.args[..]) {
        (op @ (Op::FSin(MODE) | Op::FCos(MODE)), &[angle]) => {
            let (angle, factor) = scaled(function, angle);
            ((factor - 1.0).abs() <= TOLERANCE && factor != 1.0 || angle != inst.args[0] && factor == 1.0)
                .then(|| (op, smallvec![angle]))
        }
        // Numbers and uniforms stand on the right of a comparison.
        (Op::FCompare(by, mode), &[a, b]) if rank(function, a) > rank(function, b) => {
            Some((Op::FCompare(by.turned(), mode), smallvec![b, a]))
        }
        (op @ Op::FToS(Width::F32, Round::Zero), &[a]) => {
            let x = operand(a, Op::FRound(MODE, Round::Zero))?;
            Some((op, smallvec![x]))
        }
        (Op::FNeg(Width::F32), &[a]) => {
            let inner = operand(a, Op::FRound(MODE, Round::Down))?;
            let x = operand(inner, Op::FNeg(Width::F32))?;
            Some((Op::FRound(MODE, Round::Up), smallvec![x]))
        }
        _ => None,
    }
}

/// How much a value looks like what something is compared with.
fn rank(function: &Function, value: Value) -> u32 {
    match function.definition(value).map(|inst| inst.op) {
        Some(Op::B32(_)) => 2,
        Some(Op::Load(access)) if access.space == Space::Uniform => 1,
        _ => 0,
    }
}

/// What stands inside of products with constants, and their product.
fn scaled(function: &Function, mut value: Value) -> (Value, f32) {
    let mut factor = 1.0;
    for _ in 0..4 {
        let Some(inst) = function.definition(value) else { break };
        let (Op::FMul(MODE, Multiply::Ieee), &[a, b]) = (inst.op, &inst.args[..]) else { break };
        let number = |value| constant(function, value).map(|bits| f32::from_bits(bits as u32));
        match (number(a), number(b)) {
            (None, Some(by)) => (value, factor) = (a, factor * by),
            (Some(by), None) => (value, factor) = (b, factor * by),
            _ => break,
        }
    }
    (value, factor)
}
