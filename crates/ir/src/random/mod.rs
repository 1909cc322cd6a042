//! Random modules for tests: well-typed, with loops, irreducible jumps, calls, stores, local arrays and
//! emitted vertices, over variables.
//!
//! Integers come from integers and conversions only, never from the bits of a float result, so that the
//! payload of a NaN is not observed.

mod reach;
mod wide;

use crate::build::FunctionBuilder;
use crate::exec::{Event, Limits, Machine, Memory, Outcome, Program};
use crate::{
    Access, Axis, BlockId, CompareFloat, CompareInt, FloatMode, Function, FunctionId, Global, Image,
    LocalArray, MinMax, Module, Multiply, Op, Origin, Round, Shape, Space, Target, Terminator, Texel,
    Texture, TextureLevel, TextureQuery, TextureShape, Type, UniformBlock, Value, VarId, Width,
};

/// A small generator of numbers (xorshift), so that a module is one seed.
pub struct Dice(pub u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..4 {
            dice.next();
        }
        dice
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit.max(1)
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A float, special ones often.
    pub fn float(&mut self) -> f32 {
        const SPECIAL: [f32; 14] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            2.0,
            0.5,
            -0.5,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            f32::MAX,
            f32::MIN_POSITIVE,
            1e-40,
            3.25,
        ];
        match self.below(3) {
            0 => self.pick(&SPECIAL),
            1 => (self.below(2001) as f32 - 1000.0) / 64.0,
            _ => f32::from_bits(self.next() as u32),
        }
    }
}

/// Float variables, then integer ones, then flags, then doubles.
const FLOATS: usize = 6;
const INTEGERS: usize = 3;
const FLAGS: usize = 2;
const DOUBLES: usize = 3;
const FIRST_DOUBLE: usize = FLOATS + INTEGERS + FLAGS;

struct Kinds {
    floats: Vec<Value>,
    integers: Vec<Value>,
    flags: Vec<Value>,
    doubles: Vec<Value>,
}

/// A random module with a few functions. Runs may be endless; fuel ends them.
pub fn module(seed: u64) -> Module {
    let mut dice = Dice::new(seed);
    let mut module = Module::default();
    for n in 0..FLOATS + INTEGERS + FLAGS {
        let (register, ty, initial) = if n < FLOATS {
            ("r", Type::B32, u64::from(dice.float().to_bits()))
        } else if n < FLOATS + INTEGERS {
            ("i", Type::B32, dice.next() & 7)
        } else {
            ("c", Type::Bool, dice.next() & 1)
        };
        module.push_variable(format!("{register}{}", n / 4), (n % 4) as u8, ty, initial);
    }
    for n in 0..DOUBLES {
        let initial = wide::double(&mut dice).to_bits();
        module.push_variable(format!("w{n}"), 0, Type::B64, initial);
    }
    module.arrays.push(LocalArray { name: "spilled".into(), words: 3 });
    module.arrays.push(LocalArray { name: "scratch".into(), words: 4 });
    module.shared_words = 12;
    module.from_shading_language = seed % 2 == 1;
    module.vectors_by_use = seed % 3 == 1;
    module.globals.push(Global {
        constant: Some(constants()),
        ..Global::new("constant", Space::Uniform, 0, 4, Shape::Float { components: 4, elements: 0 })
    });
    for (shape, offset) in [(TextureShape::Plane, 0), (TextureShape::Cube, 0)] {
        let name = format!("textures{}", shape.coordinates());
        let shape =
            Shape::Sampler { shape, elements: 4, external: false, shadow: false, texel: Texel::Float };
        module.globals.push(Global::new(name, Space::Texture, 0, offset, shape));
    }
    // A block with gaps, an array, and a member that cannot stand where it is.
    module.blocks.push(UniformBlock { name: "Block".into(), named: true, binding: 1, words: 16 });
    for (offset, components, elements) in [(2, 2, 0), (5, 1, 0), (7, 2, 0), (8, 1, 2)] {
        let shape = Shape::Float { components, elements };
        module.globals.push(Global::new(format!("member{offset}"), Space::Uniform, 1, offset, shape));
    }
    let functions = 1 + dice.below(4);
    for id in 0..functions {
        let function = function(&mut dice, id, functions);
        module.push_function(function);
    }
    module
}

/// The words of the constant global, which [`inputs`] provides too.
fn constants() -> Vec<u32> {
    [1.0f32, 0.0, -2.0, 0.5].map(f32::to_bits).to_vec()
}

fn function(dice: &mut Dice, id: usize, functions: usize) -> Function {
    let mut builder = FunctionBuilder::new(format!("f{id}"));
    let count = 1 + dice.below(7);
    let mut blocks = vec![builder.current()];
    blocks.extend((1..count).map(|_| builder.block()));
    for (index, block) in blocks.iter().enumerate() {
        builder.switch_to(*block);
        let kinds = body(dice, &mut builder, id, functions);
        terminate(dice, &mut builder, &blocks, index, &kinds, id);
    }
    builder.finish()
}

fn float_var(dice: &mut Dice) -> VarId {
    VarId(dice.below(FLOATS) as u32)
}

fn integer_var(dice: &mut Dice) -> VarId {
    VarId((FLOATS + dice.below(INTEGERS)) as u32)
}

fn flag_var(dice: &mut Dice) -> VarId {
    VarId((FLOATS + INTEGERS + dice.below(FLAGS)) as u32)
}

fn body(dice: &mut Dice, builder: &mut FunctionBuilder, id: usize, functions: usize) -> Kinds {
    let float = builder.float(1.0);
    let integer = builder.bits(1);
    let flag = builder.truth(dice.one_in(2));
    let doubles = vec![builder.value(Op::B64(1.0f64.to_bits()), &[])];
    let mut kinds = Kinds { floats: vec![float], integers: vec![integer], flags: vec![flag], doubles };
    for n in 0..dice.below(12) {
        builder.at(Origin { instruction: n as u32, step: 0, lane: (n % 4) as u8 });
        if dice.one_in(5) {
            wide::wide(dice, builder, &mut kinds);
            continue;
        }
        match dice.below(20) {
            0..3 => {
                let value = builder.read(float_var(dice), Type::B32);
                kinds.floats.push(value);
            }
            3 => {
                let value = builder.read(integer_var(dice), Type::B32);
                kinds.integers.push(value);
            }
            4 => {
                let value = builder.read(flag_var(dice), Type::Bool);
                kinds.flags.push(value);
            }
            5..8 => builder.write(float_var(dice), kinds.float(dice)),
            8 => builder.write(integer_var(dice), kinds.integer(dice)),
            9 => builder.write(flag_var(dice), kinds.flag(dice)),
            10 if functions > 1 => {
                // Mostly forwards, so that recursion is there but rare.
                let callee = if dice.one_in(8) || id + 1 >= functions {
                    dice.below(functions)
                } else {
                    id + 1 + dice.below(functions - id - 1)
                };
                builder.call(FunctionId(callee as u32), &[], &[]);
            }
            11 | 12 => effect(dice, builder, &mut kinds),
            _ => pure(dice, builder, &mut kinds),
        }
    }
    kinds
}

impl Kinds {
    fn float(&self, dice: &mut Dice) -> Value {
        dice.pick(&self.floats)
    }

    fn integer(&self, dice: &mut Dice) -> Value {
        dice.pick(&self.integers)
    }

    fn flag(&self, dice: &mut Dice) -> Value {
        dice.pick(&self.flags)
    }
}

fn effect(dice: &mut Dice, builder: &mut FunctionBuilder, kinds: &mut Kinds) {
    let value = kinds.float(dice);
    if dice.one_in(3) {
        return reach::reach(dice, builder, kinds);
    }
    match dice.below(7) {
        6 => {
            let access = Access { space: Space::Local, binding: 0, offset: dice.below(4) as u32, stride: 0 };
            builder.effect(Op::Store(access), &[value]);
        }
        0 => builder.effect(Op::EmitVertex(0), &[]),
        1 => builder.effect(Op::EndPrimitive(0), &[]),
        2 => {
            let access = Access { space: Space::Local, binding: 1, offset: 1, stride: 1 };
            builder.effect(Op::Store(access), &[kinds.integer(dice), value]);
        }
        _ => {
            let access = Access { space: Space::Output, binding: 0, offset: dice.below(8) as u32, stride: 0 };
            builder.effect(Op::Store(access), &[value]);
        }
    }
}

/// A question to a texture: plain ones, also of arrays of samplers, and all others.
fn texture(dice: &mut Dice) -> Texture {
    use TextureShape::{Cube, CubeArray, Line, Plane, PlaneArray, PlaneSamples, Rectangle, Volume};
    let unit = dice.below(4) as u32;
    let level = dice.pick(&[TextureLevel::Quad, TextureLevel::Bias, TextureLevel::Given]);
    if !dice.one_in(3) {
        let shape = dice.pick(&[Plane, Cube]);
        return Texture { indexed: dice.one_in(3), ..Texture::sample(unit, shape, level) };
    }
    let shape = dice.pick(&[Line, Plane, Volume, Cube, PlaneArray, CubeArray, Rectangle, PlaneSamples]);
    let query = dice.pick(&[
        TextureQuery::Sample,
        TextureQuery::Texel,
        TextureQuery::Gather(1),
        TextureQuery::Size,
        TextureQuery::Level,
        TextureQuery::Samples,
    ]);
    let plain = Texture::sample(unit, shape, TextureLevel::Quad);
    match query {
        TextureQuery::Sample => Texture {
            level: dice.pick(&[level, TextureLevel::Gradients]),
            shadow: dice.one_in(2),
            offset: [dice.below(3) as i8 - 1, 0, 1],
            ..plain
        },
        TextureQuery::Gather(_) => Texture { query, shadow: dice.one_in(2), ..plain },
        TextureQuery::Texel | TextureQuery::Size => {
            Texture { query, level: dice.pick(&[TextureLevel::Quad, TextureLevel::Given]), ..plain }
        }
        _ => Texture { query, ..plain },
    }
}

fn pure(dice: &mut Dice, builder: &mut FunctionBuilder, kinds: &mut Kinds) {
    if dice.one_in(5) {
        return reach::wider(dice, builder, kinds);
    }
    let mode = FloatMode { flush: dice.one_in(8), ..FloatMode::F32 };
    let rule = dice.pick(&[Multiply::Ieee, Multiply::InfTimesZero, Multiply::ZeroWins]);
    let choice = dice.pick(&[MinMax::SecondUnlessOrdered, MinMax::Number]);
    let (a, b) = (kinds.float(dice), kinds.float(dice));
    let (i, j) = (kinds.integer(dice), kinds.integer(dice));
    let (p, q) = (kinds.flag(dice), kinds.flag(dice));
    match dice.below(29) {
        24 | 25 => {
            let texture = texture(dice);
            let mut args = Vec::new();
            if texture.indexed {
                args.push(i);
            }
            let rest = args.len()..texture.operands();
            let integer = texture.is_integer();
            args.extend(rest.map(|_| if integer { kinds.integer(dice) } else { kinds.float(dice) }));
            let answer = builder.values(Op::Texture(texture), &args);
            if matches!(texture.query, TextureQuery::Size | TextureQuery::Samples) {
                kinds.integers.extend(answer);
            } else {
                kinds.floats.extend(answer);
            }
        }
        26 => {
            let axis = dice.pick(&[Axis::X, Axis::Y]);
            kinds.floats.push(builder.value(Op::Derivative(axis, FloatMode::F32), &[a]));
        }
        0 => {
            let value = dice.float();
            kinds.floats.push(builder.float(value));
        }
        1 => {
            let value = dice.next() as u32 >> dice.below(32);
            kinds.integers.push(builder.bits(value));
        }
        2 => {
            let space = dice.pick(&[Space::Input, Space::Uniform, Space::Output]);
            let binding = u32::from(space == Space::Uniform && dice.one_in(2));
            let access = Access { space, binding, offset: dice.below(12) as u32, stride: 0 };
            kinds.floats.push(builder.value(Op::Load(access), &[]));
        }
        3 => {
            let (space, binding) = dice.pick(&[(Space::Uniform, 0), (Space::Local, 1), (Space::Uniform, 1)]);
            let access = Access { space, binding, offset: 2, stride: 1 };
            kinds.floats.push(builder.value(Op::Load(access), &[i]));
        }
        4 | 5 => kinds.floats.push(builder.value(Op::FAdd(mode), &[a, b])),
        6 | 7 => kinds.floats.push(builder.value(Op::FMul(mode, rule), &[a, b])),
        8 => {
            let c = kinds.float(dice);
            kinds.floats.push(builder.value(Op::FFma(mode, rule), &[a, b, c]));
        }
        9 => kinds.floats.push(builder.value(Op::FNeg(Width::F32), &[a])),
        10 => kinds.floats.push(builder.value(Op::FAbs(Width::F32), &[a])),
        11 => kinds.floats.push(builder.value(Op::FMin(mode, choice), &[a, b])),
        12 => kinds.floats.push(builder.value(Op::FMax(mode, choice), &[a, b])),
        13 => {
            let op = dice.pick(&[
                Op::FRcp(mode),
                Op::FRsq(mode),
                Op::FSqrt(mode),
                Op::FExp2(mode),
                Op::FLog2(mode),
                Op::FSaturate(mode),
                Op::FRound(mode, Round::Down),
            ]);
            kinds.floats.push(builder.value(op, &[a]));
        }
        14 => kinds.floats.push(builder.value(Op::FDiv(mode), &[a, b])),
        15 => kinds.integers.push(builder.value(Op::FToS(Width::F32, Round::Zero), &[a])),
        16 => kinds.floats.push(builder.value(Op::SToF(mode), &[i])),
        17 => {
            use CompareFloat::{Eq, Ge, Gt, Le, Lt, Ne};
            let by = dice.pick(&[Eq, Ne, Lt, Le, Gt, Ge]);
            kinds.flags.push(builder.value(Op::FCompare(by, mode), &[a, b]));
        }
        18 => {
            use CompareInt::{Eq, Ne, Sle, Slt, Ule, Ult};
            let by = dice.pick(&[Eq, Ne, Slt, Sle, Ult, Ule]);
            kinds.flags.push(builder.value(Op::ICompare(by), &[i, j]));
        }
        19 => {
            let op = dice.pick(&[
                Op::IAdd,
                Op::ISub,
                Op::IMul,
                Op::And,
                Op::Or,
                Op::Xor,
                Op::Shl,
                Op::ShrU,
                Op::ShrS,
                Op::SMin,
                Op::SMax,
                Op::UMin,
                Op::UMax,
                Op::SMulHigh,
                Op::UMulHigh,
                Op::SDiv,
                Op::UDiv,
                Op::SRem,
                Op::URem,
            ]);
            kinds.integers.push(builder.value(op, &[i, j]));
        }
        20 => {
            let op = dice.pick(&[Op::And, Op::Or, Op::Xor]);
            kinds.flags.push(builder.value(op, &[p, q]));
        }
        21 => kinds.flags.push(builder.value(Op::Not, &[p])),
        22 => kinds.floats.push(builder.value(Op::Select, &[p, a, b])),
        27 => {
            let access = Access { space: Space::Local, binding: 0, offset: dice.below(4) as u32, stride: 0 };
            kinds.floats.push(builder.value(Op::Load(access), &[]));
        }
        _ => kinds.integers.push(builder.value(Op::Select, &[p, i, j])),
    }
}

fn terminate(
    dice: &mut Dice,
    builder: &mut FunctionBuilder,
    blocks: &[BlockId],
    index: usize,
    kinds: &Kinds,
    id: usize,
) {
    // Mostly forwards, so that most runs end.
    let mut to = || {
        let forwards = index + 1 < blocks.len() && !dice.one_in(7);
        let at = if forwards {
            index + 1 + dice.below(blocks.len() - index - 1)
        } else {
            dice.below(blocks.len())
        };
        Target::plain(blocks[at])
    };
    let (first, second, third) = (to(), to(), to());
    let last = index + 1 == blocks.len();
    let terminator = match dice.below(if last { 40 } else { 10 }) {
        0..4 => Terminator::Jump(first),
        4..8 => Terminator::Branch { condition: kinds.flag(dice), then: first, otherwise: second },
        8 => Terminator::Switch {
            value: kinds.integer(dice),
            cases: vec![(0, first), (1, second)],
            default: third,
        },
        9 if dice.one_in(4) => {
            if id == 0 {
                Terminator::Discard
            } else {
                Terminator::End
            }
        }
        _ => Terminator::Return(Vec::new()),
    };
    builder.terminate(terminator);
}

/// Random inputs for a module made here.
pub fn inputs(seed: u64) -> Memory {
    let mut dice = Dice::new(seed);
    let mut memory = Memory::default();
    for space in [Space::Input, Space::Uniform] {
        let mut words: Vec<u32> = (0..12).map(|_| dice.float().to_bits()).collect();
        if space == Space::Uniform {
            words[4..8].copy_from_slice(&constants());
        }
        memory.set(space, 0, words);
    }
    memory.set(Space::Uniform, 1, (0..16).map(|_| dice.float().to_bits()).collect());
    memory.set(Space::Output, 0, vec![0; 8]);
    memory.set(Space::Shared, 0, (0..12).map(|_| dice.float().to_bits()).collect());
    memory.set(Space::Storage, 0, (0..12).map(|_| dice.float().to_bits()).collect());
    memory.set(Space::Storage, 1, (0..12).map(|_| dice.next() as u32 & 0xFF).collect());
    memory
}

/// What a run is judged by: outcome, outputs, emitted vertices; none if it did not end by itself.
pub fn observe(module: &Module, seed: u64, fuel: u64) -> Option<(Outcome, Memory)> {
    let program = Program::new(module).unwrap_or_else(|refusal| panic!("{refusal}\n{module}"));
    let mut memory = inputs(seed);
    let run = Machine::new(&program).run(&mut memory, Limits::fuel(fuel));
    matches!(run.outcome, Outcome::Ended | Outcome::Discarded).then_some((run.outcome, memory))
}

fn same_words(a: &[u32], b: &[u32]) -> bool {
    let nan = |bits: u32| f32::from_bits(bits).is_nan();
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || nan(*a) && nan(*b))
}

/// Whether two runs show the same, bit for bit, any NaN equal to any other.
pub fn same(a: &(Outcome, Memory), b: &(Outcome, Memory)) -> bool {
    let events = a.1.events.len() == b.1.events.len()
        && a.1.events.iter().zip(&b.1.events).all(|pair| match pair {
            (Event::Vertex { words: a, .. }, Event::Vertex { words: b, .. }) => same_words(a, b),
            (
                Event::Image { image: Image { query: a, .. }, unit: from, operands: first },
                Event::Image { image: Image { query: b, .. }, unit: to, operands: second },
            ) => a == b && from == to && same_words(first, second),
            (a, b) => a == b,
        });
    let shared = [(Space::Output, 0), (Space::Shared, 0), (Space::Storage, 0), (Space::Storage, 1)]
        .iter()
        .all(|(space, binding)| same_words(a.1.words(*space, *binding), b.1.words(*space, *binding)));
    events && a.0 == b.0 && shared
}

/// Checks that a change of a module keeps what its runs show, and keeps it well-formed.
pub fn assert_equal(before: &Module, after: &Module, seed: u64, what: &str) {
    let problems = crate::verify::check(after);
    assert!(problems.is_empty(), "{what}, seed {seed}: {}\nbefore:\n{before}\nafter:\n{after}", problems[0]);
    for case in 0..4 {
        let Some(expected) = observe(before, seed ^ case << 32, 10_000) else { continue };
        let got = observe(after, seed ^ case << 32, 100_000);
        assert!(
            got.as_ref().is_some_and(|got| same(&expected, got)),
            "{what}, seed {seed}, case {case}: {expected:?}\nbecame {got:?}\nbefore:\n{before}\nafter:\n{after}"
        );
    }
}

#[test]
fn most_random_modules_run_to_their_end() {
    let mut ended = 0;
    let mut calls = 0;
    let count = 2000;
    for seed in 0..count {
        let module = module(seed);
        let problems = crate::verify::check(&module);
        assert!(problems.is_empty(), "{}\n{module}", problems[0]);
        ended += u64::from(observe(&module, seed, 20_000).is_some());
        calls += usize::from(module.to_string().contains("call"));
    }
    assert!(ended > count * 6 / 10, "{ended} of {count}");
    assert!(calls > 200, "{calls}");
}
