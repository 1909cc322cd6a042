//! How much a result may change when every operation is a little off.
//!
//! Readable source may round otherwise than the machine, each operation by a few units in the last place,
//! relative to the largest term of a sum. What that makes of a whole program depends on the inputs: where
//! large terms cancel, or a comparison is close, a tiny change becomes a large one. So the strict program is
//! run several times with every float operation scaled by `1 + e` for small random `e`, and the spread of the
//! results is the measure for this case (Monte Carlo arithmetic; Parker 1997).

use super::compare::Words;
use super::machine::{Inputs, Machine};
use super::subject::Subject;
use unshade_ir::{
    Access, FloatMode, Function, InstId, Module, Multiply, Op, Origin, Space, Type, Value, Width,
};

/// Binding of the factors in the uniform space; no machine has that many.
const FACTORS: u32 = 1 << 16;
/// Runs whose results are compared.
pub(super) const RUNS: u64 = 12;
/// Runs before a result counts as wrong. Where a program has chaos in it (a texture or a sine of large numbers behind
/// which a pixel is dropped or not), twelve results are alike by chance once in some thousand cases.
pub(super) const MOST_RUNS: u64 = 256;
/// The factors are 1, or 1 plus or minus at most four units in the last place.
const ULPS: u32 = 4;
/// The true error may be larger than what a few runs show.
const MARGIN: f64 = 4.0;

/// A module in which every float operation has a factor of its own, and how many there are.
pub(super) fn instrument(module: &Module) -> (Module, u32) {
    let mut module = module.clone();
    let mut factors = 0;
    for function in &mut module.functions {
        for block in 0..function.blocks.len() {
            let listed = std::mem::take(&mut function.blocks[block].insts);
            let mut insts = Vec::with_capacity(listed.len());
            for id in listed {
                scale(function, id, &mut insts, &mut factors);
                insts.push(id);
            }
            function.blocks[block].insts = insts;
        }
    }
    (module, factors)
}

/// Puts what scales an instruction in front of it.
fn scale(function: &mut Function, id: InstId, insts: &mut Vec<InstId>, factors: &mut u32) {
    let inst = function.insts[id.index()].clone();
    let mut push = |function: &mut Function, op: Op, args: &[Value]| {
        let inst = function.push_inst(op, args, &[Type::B32], Origin::default());
        insts.push(inst);
        function.result(inst, 0)
    };
    let mut factor = |function: &mut Function, push: &mut dyn FnMut(&mut Function, Op, &[Value]) -> Value| {
        let access = Access { space: Space::Uniform, binding: FACTORS, offset: *factors, stride: 0 };
        *factors += 1;
        push(function, Op::Load(access), &[])
    };
    let times = Op::FMul(FloatMode::F32, Multiply::Ieee);
    match inst.op {
        // Factors have 32 bits.
        op if op.float_mode().is_some_and(|mode| mode.width != Width::F32) => {}
        // The terms themselves, so that the change is relative to the larger one; of a product added to something
        // the first factor stands for it.
        Op::FAdd(_) | Op::FFma(..) => {
            let terms = if matches!(inst.op, Op::FAdd(_)) { [0, 1] } else { [0, 2] };
            for position in terms {
                let Some(arg) = inst.args.get(position).copied() else { continue };
                let by = factor(function, &mut push);
                let scaled = push(function, times, &[arg, by]);
                function.insts[id.index()].args[position] = scaled;
            }
        }
        Op::FMul(..)
        | Op::FDiv(_)
        | Op::FRcp(_)
        | Op::FRsq(_)
        | Op::FSqrt(_)
        | Op::FExp2(_)
        | Op::FLog2(_) => {
            let raw = push(function, inst.op, &inst.args);
            let by = factor(function, &mut push);
            let inst = &mut function.insts[id.index()];
            inst.op = times;
            inst.args.clear();
            inst.args.extend([raw, by]);
        }
        _ => {}
    }
}

/// What each word of the result may differ by, from that many runs; nothing where the case is no measure, since a slight change
/// ends elsewhere or leaves the finite numbers.
pub(super) fn allowance(
    subject: &mut Subject<'_>,
    (factors, runs): (u32, u64),
    inputs: &Inputs,
    fuel: u64,
    expected: &Words,
    machine: &dyn Machine,
) -> Option<Vec<Vec<f64>>> {
    let value = |bits: u32| f64::from(f32::from_bits(bits));
    let mut spread: Vec<Vec<f64>> = expected.iter().map(|words| vec![0.0; words.len()]).collect();
    for run in 0..runs {
        let mut state = run.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let words = (0..factors).map(|_| {
            // Xorshift (Marsaglia): three values, drawn alike.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let one = 1.0_f32.to_bits();
            // Below 1 the units are half as large.
            match (state >> 40 & 3, (state >> 42 & 15) as u32) {
                (0, _) => one - 2 * ULPS,
                (1, _) => one + ULPS,
                (2, _) => one,
                // What jumps at one number alone, as the step from `ceil` to `trunc` does at whole ones, or hashes its
                // bits, as a texture without texels does, shows at small steps.
                (_, below @ 0..8) => one - below,
                (_, above) => one + (above - 8) / 2,
            }
        });
        subject.set(Space::Uniform, FACTORS, words.collect());
        let ended = subject.run(inputs, fuel.saturating_mul(4)).0;
        let result = subject.result(machine);
        if ended != super::subject::Ended::Yes || result.len() != expected.len() {
            return None;
        }
        for ((spread, words), expected) in spread.iter_mut().zip(&result).zip(expected) {
            for ((spread, word), expected) in spread.iter_mut().zip(words).zip(expected) {
                if !value(*word).is_finite() {
                    return None;
                }
                *spread = spread.max((value(*word) - value(*expected)).abs());
            }
        }
    }
    for (spread, expected) in spread.iter_mut().zip(expected) {
        for (spread, expected) in spread.iter_mut().zip(expected) {
            let unit = value(*expected).abs().max(f64::from(f32::MIN_POSITIVE)) * f64::from(f32::EPSILON);
            *spread = *spread * MARGIN + f64::from(ULPS) * unit;
        }
    }
    Some(spread)
}
