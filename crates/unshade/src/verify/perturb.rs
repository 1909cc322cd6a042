//! How much a result may change when every operation is a little off.
//!
//! Readable source may round otherwise than the machine, each operation by a few units in the last place,
//! relative to the largest term of a sum. What that makes of a whole program depends on the inputs: where
//! large terms cancel, or a comparison is close, a tiny change becomes a large one. So the strict program is
//! run several times with every float operation scaled by `1 + e` for small random `e`, and the spread of the
//! results is the measure for this case (Monte Carlo arithmetic; Parker 1997).
//!
//! A few runs do not show what only happens behind a rare condition: `if (fract(large * x) > 0.99)`. So the operands of all
//! conditions are looked at as well, and of what is rounded to whole numbers. Where the runs spread these, and so the last place
//! decides which way the program goes, as many runs follow as may be needed to see it ([`more`]).

use super::compare::Words;
use super::machine::{Inputs, Machine};
use super::subject::{Ended, Subject};
use unshade_ir::{
    Access, Compound, FloatMode, Function, InstId, Module, Multiply, Op, Origin, Space, TextureLevel, Type,
    Value, Width,
};

/// Binding of the factors in the uniform space; no machine has that many.
pub(super) const FACTORS: u32 = 1 << 16;
/// Runs whose results are compared.
pub(super) const RUNS: u64 = 12;
/// Runs before a result counts as wrong. Where a program has chaos in it (a texture or a sine of large numbers behind
/// which a pixel is dropped or not), twelve results are alike by chance once in some thousand cases.
const SOME_RUNS: u64 = 256;
/// The same where conditions hang on the last place: what is behind one that holds for one input in ten thousand is seen then.
const MOST_RUNS: u64 = 1 << 16;
/// Steps that these may take, of programs for which that is not too few of them.
const MOST_STEPS: u64 = 1 << 24;
/// A run that takes that many times the steps of the exact one goes somewhere else.
const LONGER: u64 = 16;
/// Binding of the operands of conditions in the output space; no machine has that many.
pub(super) const OPERANDS: u32 = (1 << 16) + 1;
/// The share of a number, or of 1 where it is rounded to a whole number, by which the runs spread it where it is not stable: a
/// hundred times what some dozen operations do to numbers of ordinary size.
const SPREAD: f64 = 1.0 / 4096.0;
/// The factors are 1, or 1 plus or minus at most four units in the last place.
const ULPS: u32 = 4;
/// The true error may be larger than what a few runs show.
const MARGIN: f64 = 4.0;

/// How a module was made ready for these runs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Perturbation {
    /// Factors that it reads.
    factors: u32,
    /// Pairs of operands that it leaves.
    operands: u32,
    /// Textures answer by formula, which makes chaos of a coordinate.
    pub(super) textured: bool,
}

/// A module in which every float operation has a factor of its own, and operands of conditions are left in the outputs. In
/// `quads` gradients are differences of the places that they move.
pub(super) fn instrument(module: &Module, quads: bool) -> (Module, Perturbation) {
    let mut module = module.clone();
    let mut made = Perturbation::default();
    for function in &mut module.functions {
        for block in 0..function.blocks.len() {
            let listed = std::mem::take(&mut function.blocks[block].insts);
            let mut insts = Vec::with_capacity(listed.len());
            for id in listed {
                made.textured |= matches!(function.insts[id.index()].op, Op::Texture(_));
                leave(function, id, &mut insts, &mut made.operands);
                if quads {
                    walk(function, id, &mut insts, &mut made.factors);
                }
                scale(function, id, &mut insts, &mut made.factors);
                insts.push(id);
            }
            function.blocks[block].insts = insts;
        }
    }
    (module, made)
}

/// Leaves the operands of a condition, or of what is rounded to a whole number, in the outputs in front of it.
fn leave(function: &mut Function, id: InstId, insts: &mut Vec<InstId>, operands: &mut u32) {
    let inst = &function.insts[id.index()];
    let args = match inst.op {
        Op::FCompare(..) => 2,
        Op::FRound(..) | Op::FToS(..) | Op::FToU(..) | Op::FToS64(..) | Op::FToU64(..) => 1,
        _ => return,
    };
    let args: Vec<Value> = inst.args.iter().take(args).copied().collect();
    if args.iter().any(|arg| function.ty(*arg) != Type::B32) {
        return;
    }
    for (n, arg) in (0..).zip(args) {
        let place = Access { space: Space::Output, binding: OPERANDS, offset: 2 * *operands + n, stride: 0 };
        insts.push(function.push_inst(Op::Store(place), &[arg], &[], Origin::default()));
    }
    *operands += 1;
}

/// Makes each gradient of a fetch the difference of the place that it moves and the place itself, both a little off.
fn walk(function: &mut Function, id: InstId, insts: &mut Vec<InstId>, factors: &mut u32) {
    let inst = function.insts[id.index()].clone();
    let Op::Texture(texture) = inst.op else { return };
    let axes = texture.shape.axes();
    if texture.level != TextureLevel::Gradients || axes == 0 {
        return;
    }
    let places = usize::from(texture.indexed);
    let first = texture.operands() - texture.offset_operands() - texture.level_operands();
    for at in 0..texture.level_operands() {
        let (Some(place), Some(step)) = (inst.args.get(places + at % axes), inst.args.get(first + at)) else {
            continue;
        };
        let mut made = |function: &mut Function, op: Op, args: &[Value], scaled: bool| {
            let inst = function.push_inst(op, args, &[Type::B32], Origin::default());
            if scaled {
                scale(function, inst, insts, factors);
            }
            insts.push(inst);
            function.result(inst, 0)
        };
        let moved = made(function, Op::FAdd(FloatMode::F32), &[*place, *step], true);
        let back = made(function, Op::FNeg(Width::F32), &[*place], false);
        let walked = made(function, Op::FAdd(FloatMode::F32), &[moved, back], true);
        function.insts[id.index()].args[first + at] = walked;
    }
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
        // `a + (b - a) * t`: what cancels there is as far off as its terms.
        Op::Mix => {
            let &[a, b, t] = inst.args.as_slice() else { return };
            let negative = push(function, Op::FNeg(Width::F32), &[a]);
            let way = push(function, Op::FAdd(FloatMode::F32), &[b, negative]);
            let part = push(function, times, &[way, t]);
            let mut terms = [a, part];
            for term in &mut terms {
                let by = factor(function, &mut push);
                *term = push(function, times, &[*term, by]);
            }
            let inst = &mut function.insts[id.index()];
            inst.op = Op::FAdd(FloatMode::F32);
            inst.args.clear();
            inst.args.extend(terms);
        }
        // Functions of texts that are sums inside: their terms.
        Op::Dot(_)
        | Op::Cross
        | Op::Normalize(_)
        | Op::Length(_)
        | Op::Refract(_)
        | Op::Fract
        | Op::Compound(Compound::Modulo) => {
            let terms = match inst.op {
                Op::Dot(lanes) => 0..usize::from(lanes),
                Op::Compound(_) => 0..1,
                _ => 0..inst.args.len(),
            };
            for position in terms {
                let Some(arg) = inst.args.get(position).copied() else { continue };
                let by = factor(function, &mut push);
                let scaled = push(function, times, &[arg, by]);
                function.insts[id.index()].args[position] = scaled;
            }
        }
        // What has few values is exact.
        Op::Compound(Compound::Sign | Compound::Step) => {}
        Op::FMul(..)
        | Op::FDiv(_)
        | Op::FRcp(_)
        | Op::FRsq(_)
        | Op::FSqrt(_)
        | Op::FExp2(_)
        | Op::FLog2(_)
        | Op::Pow
        | Op::Compound(_) => {
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

/// What the runs of a case showed.
#[derive(Debug, Default)]
pub(super) struct Allowed {
    /// What each word of the result may differ by. Empty: by nothing.
    pub(super) words: Vec<Vec<f64>>,
    /// Whether the last place decides which way the program goes.
    is_chaos: bool,
    /// Steps of a run.
    steps: u64,
}

impl Allowed {
    /// Both together, word by word.
    pub(super) fn and(mut self, other: &Self) -> Self {
        for (words, others) in self.words.iter_mut().zip(&other.words) {
            for (word, other) in words.iter_mut().zip(others) {
                *word += other;
            }
        }
        self.is_chaos |= other.is_chaos;
        self.steps = self.steps.saturating_add(other.steps);
        self
    }
}

/// How many runs follow on `runs` that do not explain a result; no more than these where it is wrong.
pub(super) fn more(runs: u64, shown: &Allowed) -> u64 {
    match runs {
        _ if shown.words.is_empty() => runs,
        ..SOME_RUNS => SOME_RUNS,
        _ if !shown.is_chaos => runs,
        _ => (MOST_STEPS / shown.steps.max(1)).clamp(SOME_RUNS, MOST_RUNS),
    }
}

/// A run of a case.
#[derive(Clone, Copy)]
pub(super) struct Run<'r> {
    pub(super) inputs: &'r Inputs,
    /// Steps of the exact program.
    pub(super) steps: u64,
    /// What the machine computed.
    pub(super) expected: &'r Words,
    pub(super) machine: &'r dyn Machine,
}

/// What each word of the result may differ by, from that many runs; nothing where the case is no measure, since a slight change
/// ends elsewhere or leaves the finite numbers.
pub(super) fn allowance(
    subject: &mut Subject<'_>,
    perturbation: Perturbation,
    runs: u64,
    case: Run<'_>,
) -> Option<Allowed> {
    let Run { inputs, steps, expected, machine } = case;
    let value = |bits: u32| f64::from(f32::from_bits(bits));
    let fuel = steps.saturating_mul(LONGER).saturating_add(1_000);
    let mut spread: Vec<Vec<f64>> = expected.iter().map(|words| vec![0.0; words.len()]).collect();
    let mut operands = Operands::new(perturbation.operands);
    for run in 0..runs {
        let mut state = run.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let words = (0..perturbation.factors).map(|_| {
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
        operands.clear(subject);
        let ended = subject.run(inputs, fuel).0;
        let result = subject.stored(inputs, machine);
        if ended != Ended::Yes || result.len() != expected.len() {
            return None;
        }
        operands.learn(subject);
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
    Some(Allowed { words: spread, is_chaos: perturbation.textured || operands.are_spread(), steps })
}

/// The operands of conditions over several runs: smallest and largest difference of the two, and the largest operand.
struct Operands(Vec<[f64; 3]>);

impl Operands {
    fn new(count: u32) -> Self {
        Self(vec![[f64::INFINITY, f64::NEG_INFINITY, 0.0]; count as usize])
    }

    fn clear(&self, subject: &mut Subject<'_>) {
        subject.set(Space::Output, OPERANDS, vec![0; 2 * self.0.len()]);
    }

    fn learn(&mut self, subject: &Subject<'_>) {
        let words = subject.words(Space::Output, OPERANDS);
        for (seen, pair) in self.0.iter_mut().zip(words.chunks(2)) {
            let [a, b] = [0, 1].map(|n| f64::from(pair.get(n).copied().map_or(0.0, f32::from_bits)));
            // What is compared with nothing is rounded to whole numbers.
            let size = if b == 0.0 { 1.0 } else { a.abs().max(b.abs()) };
            *seen = [seen[0].min(a - b), seen[1].max(a - b), seen[2].max(size)];
        }
    }

    fn are_spread(&self) -> bool {
        self.0.iter().any(|[least, most, size]| most - least > size * SPREAD)
    }
}
