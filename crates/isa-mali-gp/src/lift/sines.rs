//! Sine and cosine from the polynomial that Mesa's compiler puts there, since the machine has neither.
//!
//! The angle `a` becomes `x = 2 * fract(a / (2 * pi) + c) - 1`, a place on one turn from -1 to 1, where `c` is 0.5 for
//! the sine and 0.75 for the cosine. Then `y = 4 * (x - x * abs(x))` is the parabola through the zeros and the peaks,
//! and `y + 0.225 * (y * abs(y) - y)` bends it: at most 1.1e-3 away from the function. [`run`] puts the function in
//! the place of this, as the source has it; [`expand`] goes the other way, so that programs can be compared.
//!
//! What the source adds to the function, the compiler may add between the last two terms.

use std::f32::consts::{FRAC_1_PI, TAU};
use unshade_ir::passes::Changes;
use unshade_ir::{
    Compound, FloatMode, Function, Global, InstId, Module, Multiply, Op, Round, Space, Type, Value, Width,
};

const MODE: FloatMode = FloatMode::F32;
const MUL: Op = Op::FMul(MODE, Multiply::Ieee);
const ADD: Op = Op::FAdd(MODE);
const NEG: Op = Op::FNeg(Width::F32);

/// Angle in turns: what the compiler multiplies by.
const TURN: f32 = 0.5 * FRAC_1_PI;
/// Where on a turn the functions begin.
const SINE: f32 = 0.5;
const COSINE: f32 = 0.75;
/// How far constants may be from these; some were cut on the way.
const NEAR: f32 = 1e-6;

/// Replaces polynomials by functions. The module may be as it was lifted, or behind any pass; variables are turned into
/// values first.
pub fn run(module: &mut Module) -> Changes {
    unshade_ir::ssa::run(module);
    let constants: Vec<Global> =
        module.globals.iter().filter(|global| global.constant.is_some()).cloned().collect();
    let mut changes = Changes::default();
    for function in &mut module.functions {
        for block in 0..function.blocks.len() {
            let mut at = 0;
            while let Some(&id) = function.blocks.get(block).and_then(|block| block.insts.get(at)) {
                let pattern = Pattern { function, constants: &constants };
                let found = pattern.function(id);
                let shared = if found.is_none() { pattern.shared(id) } else { None };
                if let Some(Sine { op, angle, factor }) = found {
                    let argument = argument(function, (block, &mut at), id, (angle, factor));
                    become_op(function, id, op, &[argument]);
                    changes.count += 1;
                } else if let Some((Sine { op, angle, factor }, other)) = shared {
                    let argument = argument(function, (block, &mut at), id, (angle, factor));
                    let function_of = put(function, (block, &mut at), id, op, &[argument]);
                    become_op(function, id, ADD, &[function_of, other]);
                    changes.count += 1;
                }
                at += 1;
            }
        }
    }
    if changes.count > 0 {
        changes.assumptions.push("the compiler's polynomials stand for sine and cosine, off by up to 0.0011");
    }
    changes
}

/// A sine or cosine: of which value, times how much.
struct Sine {
    op: Op,
    angle: Value,
    factor: f32,
}

/// Puts an instruction in front of another, which moves on by one.
fn put(
    function: &mut Function,
    (block, at): (usize, &mut usize),
    before: InstId,
    op: Op,
    args: &[Value],
) -> Value {
    let origin = function.insts.get(before.index()).map(|inst| inst.origin).unwrap_or_default();
    let id = function.push_inst(op, args, &[Type::B32], origin);
    if let Some(block) = function.blocks.get_mut(block) {
        block.insts.insert(*at, id);
        *at += 1;
    }
    function.result(id, 0)
}

/// An angle times a factor, in front of an instruction.
fn argument(
    function: &mut Function,
    (block, at): (usize, &mut usize),
    before: InstId,
    (angle, factor): (Value, f32),
) -> Value {
    if (factor - 1.0).abs() <= NEAR {
        return angle;
    }
    let factor = put(function, (block, at), before, Op::B32(factor.to_bits()), &[]);
    put(function, (block, at), before, MUL, &[angle, factor])
}

/// Makes an instruction another.
fn become_op(function: &mut Function, id: InstId, op: Op, args: &[Value]) {
    if let Some(inst) = function.insts.get_mut(id.index()) {
        inst.op = op;
        inst.args.clear();
        inst.args.extend(args.iter().copied());
    }
}

/// Puts the polynomial in the place of every function.
pub fn expand(module: &mut Module) {
    for function in &mut module.functions {
        for block in 0..function.blocks.len() {
            let Some(listed) = function.blocks.get_mut(block).map(|block| std::mem::take(&mut block.insts))
            else {
                continue;
            };
            let mut insts = Vec::with_capacity(listed.len());
            for id in listed {
                expand_one(function, id, &mut insts);
                insts.push(id);
            }
            if let Some(block) = function.blocks.get_mut(block) {
                block.insts = insts;
            }
        }
    }
}

/// Writes what stands before an instruction, and makes it the last operation of the polynomial. A tangent is a quotient of two.
fn expand_one(function: &mut Function, id: InstId, insts: &mut Vec<InstId>) {
    let Some(inst) = function.insts.get(id.index()) else { return };
    let (op, origin, Some(angle)) = (inst.op, inst.origin, inst.args.first().copied()) else { return };
    let mut push = |op: Op, args: &[Value]| {
        let id = function.push_inst(op, args, &[Type::B32], origin);
        insts.push(id);
        function.result(id, 0)
    };
    let (op, args) = match op {
        Op::FSin(_) => (ADD, polynomial(&mut push, angle, SINE)),
        Op::FCos(_) => (ADD, polynomial(&mut push, angle, COSINE)),
        Op::Compound(Compound::Tan) => {
            let [bent, y] = polynomial(&mut push, angle, SINE);
            let sine = push(ADD, &[bent, y]);
            let [bent, y] = polynomial(&mut push, angle, COSINE);
            let cosine = push(ADD, &[bent, y]);
            (MUL, [sine, push(Op::FRcp(MODE), &[cosine])])
        }
        _ => return,
    };
    if let Some(inst) = function.insts.get_mut(id.index()) {
        inst.op = op;
        inst.args.clear();
        inst.args.extend(args);
    }
}

/// The two terms of the polynomial of an angle.
fn polynomial(push: &mut impl FnMut(Op, &[Value]) -> Value, angle: Value, start: f32) -> [Value; 2] {
    let [turn, start, two, minus, four, bend] =
        [TURN, start, 2.0, -1.0, 4.0, 0.225].map(|number: f32| push(Op::B32(number.to_bits()), &[]));
    let turns = push(MUL, &[angle, turn]);
    let turns = push(ADD, &[turns, start]);
    let whole = push(Op::FRound(MODE, Round::Down), &[turns]);
    let whole = push(NEG, &[whole]);
    let part = push(ADD, &[turns, whole]);
    let place = push(MUL, &[two, part]);
    let x = push(ADD, &[place, minus]);
    let size = push(Op::FAbs(Width::F32), &[x]);
    let square = push(MUL, &[x, size]);
    let square = push(NEG, &[square]);
    let parabola = push(ADD, &[x, square]);
    let y = push(MUL, &[parabola, four]);
    let size = push(Op::FAbs(Width::F32), &[y]);
    let square = push(MUL, &[y, size]);
    let less = push(NEG, &[y]);
    let bent = push(ADD, &[square, less]);
    [push(MUL, &[bent, bend]), y]
}

struct Pattern<'a> {
    function: &'a Function,
    constants: &'a [Global],
}

impl Pattern<'_> {
    /// The function that an instruction is the end of.
    fn function(&self, id: InstId) -> Option<Sine> {
        let inst = self.function.insts.get(id.index())?;
        let (ADD, &[a, b]) = (inst.op, &inst.args[..]) else { return None };
        self.of_terms(a, b).or_else(|| self.of_terms(b, a))
    }

    /// The function two terms of which an instruction adds up with a third, and that third one.
    fn shared(&self, id: InstId) -> Option<(Sine, Value)> {
        let inst = self.function.insts.get(id.index())?;
        let (ADD, &[a, b]) = (inst.op, &inst.args[..]) else { return None };
        let of = |term: Value, sum: Value| {
            let [p, q] = self.operands(sum, ADD)?;
            let sine = |p: Value| self.of_terms(term, p).or_else(|| self.of_terms(p, term));
            sine(p).map(|sine| (sine, q)).or_else(|| sine(q).map(|sine| (sine, p)))
        };
        of(a, b).or_else(|| of(b, a))
    }

    /// The function whose last terms are what bends a parabola, and the parabola.
    fn of_terms(&self, bent: Value, y: Value) -> Option<Sine> {
        if !self.bends(bent, y) {
            return None;
        }
        let x = self.times(y, 4.0).and_then(|parabola| self.parabola(parabola))?;
        let place = self.plus(x, -1.0).and_then(|place| self.times(place, 2.0))?;
        let turns = self.fraction(place)?;
        let (op, turns) = match (self.plus(turns, 0.5), self.plus(turns, 0.75)) {
            (Some(turns), _) => (Op::FSin(MODE), turns),
            (_, Some(turns)) => (Op::FCos(MODE), turns),
            _ => return None,
        };
        let factors = self.operands(turns, MUL).map(|[a, b]| (a, b, self.number(a), self.number(b)));
        let (angle, factor) = match factors {
            Some((_, b, Some(by), _)) => (b, by / TURN),
            Some((a, _, _, Some(by))) => (a, by / TURN),
            _ => (turns, TAU),
        };
        Some(Sine { op, angle, factor })
    }

    /// `0.225 * (y * abs(y) - y)`.
    fn bends(&self, value: Value, y: Value) -> bool {
        let terms = self.times(value, 0.225).and_then(|inner| self.operands(inner, ADD));
        terms.is_some_and(|[a, b]| {
            self.is_square(a, y) && self.is_negative(b, y) || self.is_square(b, y) && self.is_negative(a, y)
        })
    }

    /// `x - x * abs(x)`: the x.
    fn parabola(&self, value: Value) -> Option<Value> {
        let [a, b] = self.operands(value, ADD)?;
        let fits = |x: Value, square: Value| {
            let negated = self.operand(square, NEG).is_some_and(|square| self.is_square(square, x));
            // The sign may stand at a factor.
            negated
                || self.operands(square, MUL).is_some_and(|[p, q]| {
                    let of = |p: Value, q: Value| {
                        self.is_negative(p, x) && self.is_size(q, x)
                            || p == x && self.operand(q, NEG).is_some_and(|q| self.is_size(q, x))
                    };
                    of(p, q) || of(q, p)
                })
        };
        [(a, b), (b, a)].into_iter().find_map(|(x, square)| fits(x, square).then_some(x))
    }

    /// `fract(x)`: the x.
    fn fraction(&self, value: Value) -> Option<Value> {
        if let Some(x) = self.operand(value, Op::Fract) {
            return Some(x);
        }
        let [a, b] = self.operands(value, ADD)?;
        let whole = |x: Value, value: Value| {
            let floor =
                self.operand(value, NEG).and_then(|value| self.operand(value, Op::FRound(MODE, Round::Down)));
            floor == Some(x)
        };
        [(a, b), (b, a)].into_iter().find_map(|(x, value)| whole(x, value).then_some(x))
    }

    /// `x * abs(x)`.
    fn is_square(&self, value: Value, x: Value) -> bool {
        let factors = self.operands(value, MUL);
        factors.is_some_and(|[a, b]| a == x && self.is_size(b, x) || b == x && self.is_size(a, x))
    }

    /// `abs(x)`, which may be the greater one of x and -x.
    fn is_size(&self, value: Value, x: Value) -> bool {
        if self.operand(value, Op::FAbs(Width::F32)) == Some(x) {
            return true;
        }
        let inst = self.function.definition(value);
        inst.is_some_and(|inst| match (inst.op, &inst.args[..]) {
            (Op::FMax(..), &[a, b]) => a == x && self.is_negative(b, x) || b == x && self.is_negative(a, x),
            _ => false,
        })
    }

    fn is_negative(&self, value: Value, x: Value) -> bool {
        self.operand(value, NEG) == Some(x)
    }

    /// What is multiplied by a number.
    fn times(&self, value: Value, number: f32) -> Option<Value> {
        self.beside(value, MUL, number)
    }

    /// What a number is added to.
    fn plus(&self, value: Value, number: f32) -> Option<Value> {
        self.beside(value, ADD, number)
    }

    fn beside(&self, value: Value, op: Op, number: f32) -> Option<Value> {
        let [a, b] = self.operands(value, op)?;
        let is = |value: Value| self.number(value).is_some_and(|found| (found - number).abs() <= NEAR);
        if is(a) { Some(b) } else { is(b).then_some(a) }
    }

    fn operands(&self, value: Value, op: Op) -> Option<[Value; 2]> {
        let inst = self.function.definition(value).filter(|inst| inst.op == op)?;
        inst.args[..].try_into().ok()
    }

    fn operand(&self, value: Value, op: Op) -> Option<Value> {
        self.function
            .definition(value)
            .filter(|inst| inst.op == op)
            .and_then(|inst| inst.args.first().copied())
    }

    /// A constant of the code, or one that lies among the uniforms.
    fn number(&self, value: Value) -> Option<f32> {
        let inst = self.function.definition(value)?;
        match inst.op {
            Op::B32(bits) => Some(f32::from_bits(bits)),
            Op::Load(access) if access.space == Space::Uniform && !access.is_indexed() => {
                let word = |global: &Global| {
                    let at = access.offset.checked_sub(global.offset)?;
                    let same = (global.space, global.binding) == (access.space, access.binding);
                    global.constant.as_ref().filter(|_| same)?.get(at as usize).copied()
                };
                self.constants.iter().find_map(word).map(f32::from_bits)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_ir::Access;
    use unshade_ir::build::FunctionBuilder;
    use unshade_ir::exec::{Limits, Machine, Memory, Program};

    fn access(space: Space) -> Access {
        Access { space, binding: 0, offset: 0, stride: 0 }
    }

    fn program(op: Op) -> Module {
        let mut module = Module::default();
        let mut code = FunctionBuilder::new("main");
        let angle = code.value(Op::Load(access(Space::Input)), &[]);
        let value = code.value(op, &[angle]);
        code.effect(Op::Store(access(Space::Output)), &[value]);
        code.returns(&[]);
        module.entry = module.push_function(code.finish());
        module
    }

    fn result(module: &Module, angle: f32) -> f32 {
        let program = Program::new(module).unwrap();
        let mut memory = Memory::default();
        memory.set(Space::Input, 0, vec![angle.to_bits()]);
        memory.set(Space::Output, 0, vec![0]);
        Machine::new(&program).run(&mut memory, Limits::fuel(1000));
        f32::from_bits(memory.words(Space::Output, 0)[0])
    }

    #[test]
    fn functions_come_back_from_their_polynomials() {
        for op in [Op::FSin(MODE), Op::FCos(MODE)] {
            let source = program(op);
            let mut module = source.clone();
            expand(&mut module);
            let polynomial = module.clone();
            assert_eq!(run(&mut module).count, 1);
            for step in -40_i8..40 {
                let angle = f32::from(step) * 0.37;
                assert_eq!(result(&module, angle).to_bits(), result(&source, angle).to_bits());
                assert!((result(&polynomial, angle) - result(&source, angle)).abs() < 1.2e-3, "{angle}");
            }
            assert_eq!(run(&mut module).count, 0);
        }
    }

    /// A tangent is what the polynomials give for sine over cosine.
    #[test]
    fn tangents_are_quotients() {
        let source = program(Op::Compound(Compound::Tan));
        let mut module = source.clone();
        expand(&mut module);
        for step in -12_i8..=12 {
            let angle = f32::from(step) * 0.1;
            let (found, wanted) = (result(&module, angle), result(&source, angle));
            assert!(
                (found - wanted).abs() < 1.2e-3 * (1.0 + wanted.abs()).powi(2),
                "{angle}: {found}, {wanted}"
            );
            assert!(step == 0 || found.to_bits() != wanted.to_bits(), "{angle}");
        }
    }

    /// `sin(angle) - other`, the subtraction between the terms of the sine in every order.
    #[test]
    fn sums_with_a_third() {
        for order in 0..4 {
            let mut module = Module::default();
            let mut code = FunctionBuilder::new("main");
            let angle = code.value(Op::Load(access(Space::Input)), &[]);
            let value = code.value(Op::FSin(MODE), &[angle]);
            code.effect(Op::Store(access(Space::Output)), &[value]);
            code.returns(&[]);
            module.entry = module.push_function(code.finish());
            expand(&mut module);
            let function = &mut module.functions[0];
            let listed = function.blocks[0].insts.clone();
            let end = listed[listed.len() - 2];
            let [bent, y] = function.insts[end.index()].args[..] else { panic!("{end:?}") };
            let (first, last) = if order & 1 == 0 { (bent, y) } else { (y, bent) };
            let other = function.push_inst(NEG, &[angle], &[Type::B32], unshade_ir::Origin::default());
            let negative = function.result(other, 0);
            let inner =
                function.push_inst(ADD, &[first, negative], &[Type::B32], unshade_ir::Origin::default());
            let sum = function.result(inner, 0);
            let at = function.blocks[0].insts.len() - 2;
            function.blocks[0].insts.splice(at..at, [other, inner]);
            let args = if order & 2 == 0 { [sum, last] } else { [last, sum] };
            become_op(function, end, ADD, &args);
            let polynomial = module.clone();
            assert_eq!(run(&mut module).count, 1, "{module}");
            for step in -40_i8..40 {
                let angle = f32::from(step) * 0.05;
                let (got, wanted) = (result(&module, angle), angle.sin() - angle);
                assert!((got - wanted).abs() < 1e-5, "{angle}");
                assert!((got - result(&polynomial, angle)).abs() < 1.2e-3, "{angle}");
            }
        }
    }

    /// The compiler joins constants: an angle may be multiplied by any number.
    #[test]
    fn angles_that_are_multiples() {
        let mut module = program(Op::FSin(MODE));
        expand(&mut module);
        for function in &mut module.functions {
            for inst in &mut function.insts {
                if inst.op == Op::B32(TURN.to_bits()) {
                    inst.op = Op::B32((3.0 * TURN).to_bits());
                }
            }
        }
        let polynomial = module.clone();
        assert_eq!(run(&mut module).count, 1);
        for step in -40_i8..40 {
            let angle = f32::from(step) * 0.05;
            let (got, wanted) = (result(&module, angle), (3.0 * angle).sin());
            assert!((got - wanted).abs() < 1e-5, "{angle}");
            assert!((got - result(&polynomial, angle)).abs() < 1.2e-3, "{angle}");
        }
    }

    #[test]
    fn other_polynomials_stay() {
        let mut module = program(Op::FSin(MODE));
        expand(&mut module);
        for function in &mut module.functions {
            for inst in &mut function.insts {
                if inst.op == Op::B32(0.5_f32.to_bits()) {
                    inst.op = Op::B32(0.25_f32.to_bits());
                }
            }
        }
        let before = module.clone();
        assert_eq!(run(&mut module).count, 0);
        assert_eq!(module, before);
    }
}
