//! Integers of 64 bits, which the languages do not have: every operation on them becomes operations on the two
//! words, so that what is left of 64 bits is a double.

use crate::{
    CompareFloat, CompareInt, FloatMode, Function, FunctionId, Inst, InstId, Module, Multiply, Op, Origin,
    Round, Type, Value, Width,
};
use smallvec::SmallVec;

/// Low and high word.
type Words = (Value, Value);

/// Whether an operation on integers of 64 bits is made of operations on words here.
pub(super) fn has_words(op: &Op) -> bool {
    matches!(
        op,
        Op::IAdd
            | Op::ISub
            | Op::IMul
            | Op::INeg
            | Op::ICompare(_)
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Not
            | Op::Shl
            | Op::ShrU
            | Op::ShrS
            | Op::SMin
            | Op::SMax
            | Op::UMin
            | Op::UMax
            | Op::FToS64(..)
            | Op::FToU64(..)
            | Op::SToF(_)
            | Op::UToF(_)
    )
}

fn is_wide(function: &Function, inst: &Inst) -> bool {
    let first = inst.args.first().map(|value| function.ty(*value));
    match inst.op {
        Op::FToS64(..) | Op::FToU64(..) => true,
        op => has_words(&op) && first == Some(Type::B64),
    }
}

/// Lowers them in the given functions. None if there is nothing to do.
pub(super) fn lower(module: &Module, order: &[FunctionId]) -> Option<Module> {
    let listed = |function: &Function| {
        let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
        insts.any(|inst| is_wide(function, &function.insts[inst.index()]))
    };
    if !order.iter().any(|id| listed(&module.functions[id.index()])) {
        return None;
    }
    let mut module = module.clone();
    for id in order {
        let function = &mut module.functions[id.index()];
        for at in 0..function.blocks.len() {
            let old = std::mem::take(&mut function.blocks[at].insts);
            let mut out = Vec::with_capacity(old.len());
            for id in old {
                if is_wide(function, &function.insts[id.index()]) {
                    let inst = function.insts[id.index()].clone();
                    let origin = inst.origin;
                    let (op, args) = Writer { function, out: &mut out, origin }.operation(&inst);
                    function.insts[id.index()].op = op;
                    function.insts[id.index()].args = args;
                }
                out.push(id);
            }
            function.blocks[at].insts = out;
        }
    }
    Some(module)
}

struct Writer<'f> {
    function: &'f mut Function,
    out: &'f mut Vec<InstId>,
    origin: Origin,
}

/// The last operation of several, with what it takes.
type Last = (Op, SmallVec<[Value; 3]>);

fn last(op: Op, args: &[Value]) -> Last {
    (op, SmallVec::from_slice(args))
}

fn joined((low, high): Words) -> Last {
    last(Op::Join, &[low, high])
}

impl Writer<'_> {
    fn push(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        let id = self.function.push_inst(op, args, &[ty], self.origin);
        self.out.push(id);
        self.function.result(id, 0)
    }

    fn word(&mut self, op: Op, args: &[Value]) -> Value {
        self.push(op, args, Type::B32)
    }

    fn bits(&mut self, bits: u32) -> Value {
        self.word(Op::B32(bits), &[])
    }

    fn truth(&mut self, op: Op, args: &[Value]) -> Value {
        self.push(op, args, Type::Bool)
    }

    fn compare(&mut self, by: CompareInt, a: Value, b: Value) -> Value {
        self.truth(Op::ICompare(by), &[a, b])
    }

    /// 1 where a condition holds.
    fn one_if(&mut self, condition: Value) -> Value {
        self.word(Op::BToI, &[condition])
    }

    /// The two words of 64 bits.
    fn words(&mut self, value: Value) -> Words {
        match self.function.definition(value).map(|inst| (inst.op, inst.args.clone())) {
            Some((Op::Join, args)) if args.len() == 2 => (args[0], args[1]),
            Some((Op::B64(bits), _)) => (self.bits(bits as u32), self.bits((bits >> 32) as u32)),
            _ => (self.word(Op::Low, &[value]), self.word(Op::High, &[value])),
        }
    }

    fn operation(&mut self, inst: &Inst) -> Last {
        let operand = |at: usize| inst.args.get(at).copied().unwrap_or_default();
        match inst.op {
            Op::FToS64(width, round) => joined(self.signed_of(operand(0), width, round)),
            Op::FToU64(width, round) => joined(self.unsigned_of(operand(0), width, round)),
            Op::SToF(mode) => {
                let a = self.words(operand(0));
                self.float_of_signed(a, mode)
            }
            Op::UToF(mode) => {
                let a = self.words(operand(0));
                self.float_of_unsigned(a, mode)
            }
            Op::INeg => {
                let a = self.words(operand(0));
                joined(self.negative(a))
            }
            Op::Not => {
                let (low, high) = self.words(operand(0));
                joined((self.word(Op::Not, &[low]), self.word(Op::Not, &[high])))
            }
            op @ (Op::Shl | Op::ShrU | Op::ShrS) => {
                let a = self.words(operand(0));
                let by = self.amount(operand(1));
                joined(self.shift(op, a, by))
            }
            op => {
                let (a, b) = (self.words(operand(0)), self.words(operand(1)));
                self.pair(op, a, b)
            }
        }
    }

    fn pair(&mut self, op: Op, a: Words, b: Words) -> Last {
        match op {
            Op::IAdd => {
                let low = self.word(Op::IAdd, &[a.0, b.0]);
                let carry = self.compare(CompareInt::Ult, low, a.0);
                let carry = self.one_if(carry);
                let high = self.word(Op::IAdd, &[a.1, b.1]);
                joined((low, self.word(Op::IAdd, &[high, carry])))
            }
            Op::ISub => {
                let low = self.word(Op::ISub, &[a.0, b.0]);
                let borrow = self.compare(CompareInt::Ult, a.0, b.0);
                let borrow = self.one_if(borrow);
                let high = self.word(Op::ISub, &[a.1, b.1]);
                joined((low, self.word(Op::ISub, &[high, borrow])))
            }
            Op::IMul => {
                let low = self.word(Op::IMul, &[a.0, b.0]);
                let high = self.word(Op::UMulHigh, &[a.0, b.0]);
                let first = self.word(Op::IMul, &[a.0, b.1]);
                let second = self.word(Op::IMul, &[a.1, b.0]);
                let high = self.word(Op::IAdd, &[high, first]);
                joined((low, self.word(Op::IAdd, &[high, second])))
            }
            Op::ICompare(by) => self.comparison(by, a, b),
            Op::SMin | Op::UMin | Op::SMax | Op::UMax => {
                let signed = matches!(op, Op::SMin | Op::SMax);
                let (first, second) = if matches!(op, Op::SMin | Op::UMin) { (a, b) } else { (b, a) };
                let by = if signed { CompareInt::Slt } else { CompareInt::Ult };
                let (less, args) = self.comparison(by, first, second);
                let less = self.truth(less, &args);
                joined(self.choose(less, a, b))
            }
            // Bit by bit.
            op => joined((self.word(op, &[a.0, b.0]), self.word(op, &[a.1, b.1]))),
        }
    }

    fn comparison(&mut self, by: CompareInt, a: Words, b: Words) -> Last {
        let (high, low) = match by {
            CompareInt::Eq | CompareInt::Ne => {
                let low = self.compare(by, a.0, b.0);
                let high = self.compare(by, a.1, b.1);
                let both = if by == CompareInt::Eq { Op::And } else { Op::Or };
                return last(both, &[low, high]);
            }
            CompareInt::Slt => (CompareInt::Slt, CompareInt::Ult),
            CompareInt::Sle => (CompareInt::Slt, CompareInt::Ule),
            CompareInt::Ult | CompareInt::Ule => (CompareInt::Ult, by),
        };
        let low = self.compare(low, a.0, b.0);
        let high = self.compare(high, a.1, b.1);
        let same = self.compare(CompareInt::Eq, a.1, b.1);
        let within = self.truth(Op::And, &[same, low]);
        last(Op::Or, &[high, within])
    }

    fn choose(&mut self, condition: Value, a: Words, b: Words) -> Words {
        let low = self.word(Op::Select, &[condition, a.0, b.0]);
        (low, self.word(Op::Select, &[condition, a.1, b.1]))
    }

    fn negative(&mut self, (low, high): Words) -> Words {
        let zero = self.bits(0);
        let carries = self.compare(CompareInt::Eq, low, zero);
        let carry = self.one_if(carries);
        let rest = self.word(Op::Not, &[high]);
        (self.word(Op::INeg, &[low]), self.word(Op::IAdd, &[rest, carry]))
    }

    /// How far is shifted, in one word.
    fn amount(&mut self, by: Value) -> Value {
        if self.function.ty(by) != Type::B64 {
            return by;
        }
        let (low, high) = self.words(by);
        let zero = self.bits(0);
        let small = self.compare(CompareInt::Eq, high, zero);
        let all = self.bits(64);
        self.word(Op::Select, &[small, low, all])
    }

    /// Shifts of words give zeros, or the sign, past the last bit.
    fn shift(&mut self, op: Op, (low, high): Words, by: Value) -> Words {
        let width = self.bits(32);
        let (back, beyond) = (self.word(Op::ISub, &[width, by]), self.word(Op::ISub, &[by, width]));
        let near = self.compare(CompareInt::Ult, by, width);
        if op == Op::Shl {
            let kept = self.word(Op::Shl, &[high, by]);
            let moved = self.word(Op::ShrU, &[low, back]);
            let both = self.word(Op::Or, &[kept, moved]);
            let far = self.word(Op::Shl, &[low, beyond]);
            let upper = self.word(Op::Select, &[near, both, far]);
            return (self.word(Op::Shl, &[low, by]), upper);
        }
        let kept = self.word(Op::ShrU, &[low, by]);
        let moved = self.word(Op::Shl, &[high, back]);
        let both = self.word(Op::Or, &[kept, moved]);
        let far = self.word(op, &[high, beyond]);
        let lower = self.word(Op::Select, &[near, both, far]);
        (lower, self.word(op, &[high, by]))
    }

    // ---- floats

    fn float(&mut self, width: Width, value: f64) -> Value {
        match width {
            Width::F64 => self.push(Op::B64(value.to_bits()), &[], Type::B64),
            _ => self.bits((value as f32).to_bits()),
        }
    }

    /// A whole float of 32 or 64 bits, with its width.
    fn whole(&mut self, value: Value, width: Width, round: Round) -> (Value, Width) {
        let (value, width) = match width {
            Width::F16 => (self.word(Op::FConvert(width, FloatMode::F32), &[value]), Width::F32),
            width => (value, width),
        };
        (self.push(Op::FRound(exact(width), round), &[value], width.ty()), width)
    }

    /// The words of a whole float of at least 0 and below 2^64: every step is exact.
    fn split(&mut self, value: Value, width: Width) -> Words {
        let mode = exact(width);
        let (up, down) = (self.float(width, -TWO_32), self.float(width, 1.0 / TWO_32));
        let scaled = self.push(Op::FMul(mode, Multiply::Ieee), &[value, down], width.ty());
        let high = self.push(Op::FRound(mode, Round::Down), &[scaled], width.ty());
        let low = self.push(Op::FFma(mode, Multiply::Ieee), &[high, up, value], width.ty());
        let word = Op::FToU(width, Round::Zero);
        (self.word(word, &[low]), self.word(word, &[high]))
    }

    fn unsigned_of(&mut self, value: Value, width: Width, round: Round) -> Words {
        let (value, width) = self.whole(value, width, round);
        let inside = self.split(value, width);
        let (zero, end) = (self.float(width, 0.0), self.float(width, TWO_32 * TWO_32));
        let by = |by| Op::FCompare(by, exact(width));
        let above = self.truth(by(CompareFloat::Ge), &[value, end]);
        let positive = self.truth(by(CompareFloat::Gt), &[value, zero]);
        let (none, all) = (self.bits(0), self.bits(u32::MAX));
        let inside = self.choose(positive, inside, (none, none));
        self.choose(above, (all, all), inside)
    }

    fn signed_of(&mut self, value: Value, width: Width, round: Round) -> Words {
        let (value, width) = self.whole(value, width, round);
        let amount = self.push(Op::FAbs(width), &[value], width.ty());
        let inside = self.split(amount, width);
        let (zero, end) = (self.float(width, 0.0), self.float(width, TWO_32 * TWO_32 / 2.0));
        let by = |by| Op::FCompare(by, exact(width));
        let fits = self.truth(by(CompareFloat::Lt), &[amount, end]);
        let below = self.truth(by(CompareFloat::Lt), &[value, zero]);
        let above = self.truth(by(CompareFloat::Gt), &[value, zero]);
        let negative = self.negative(inside);
        let inside = self.choose(below, negative, inside);
        let none = self.bits(0);
        // A NaN is neither above nor below.
        let (all, most, least) = (self.bits(u32::MAX), self.bits(i32::MAX as u32), self.bits(1 << 31));
        let outside = self.choose(below, (none, least), (none, none));
        let outside = self.choose(above, (all, most), outside);
        self.choose(fits, inside, outside)
    }

    fn float_of_signed(&mut self, (low, high): Words, mode: FloatMode) -> Last {
        if mode.width == Width::F64 {
            return self.weighed(low, high, Op::SToF(exact(Width::F64)), mode);
        }
        let zero = self.bits(0);
        let below = self.compare(CompareInt::Slt, high, zero);
        let negative = self.negative((low, high));
        let amount = self.choose(below, negative, (low, high));
        let (op, args) = self.float_of_unsigned(amount, mode);
        let value = self.push(op, &args, mode.width.ty());
        // The amount of a negative number is rounded the other way.
        let round = match mode.round {
            Round::Down => Round::Up,
            Round::Up => Round::Down,
            same => same,
        };
        let mut opposite = value;
        if round != mode.round {
            let (op, args) = self.float_of_unsigned(amount, FloatMode { round, ..mode });
            opposite = self.push(op, &args, mode.width.ty());
        }
        let opposite = self.push(Op::FNeg(mode.width), &[opposite], mode.width.ty());
        last(Op::Select, &[below, opposite, value])
    }

    /// `high * 2^32 + low`, rounded once.
    fn weighed(&mut self, low: Value, high: Value, signed: Op, mode: FloatMode) -> Last {
        let high = self.push(signed, &[high], Type::B64);
        let low = self.push(Op::UToF(exact(Width::F64)), &[low], Type::B64);
        let weight = self.float(Width::F64, TWO_32);
        if mode.round != Round::Nearest {
            let high = self.push(Op::FMul(exact(Width::F64), Multiply::Ieee), &[high, weight], Type::B64);
            return last(Op::FAdd(mode), &[high, low]);
        }
        last(Op::FFma(mode, Multiply::Ieee), &[high, weight, low])
    }

    fn float_of_unsigned(&mut self, (low, high): Words, mode: FloatMode) -> Last {
        if mode.width == Width::F64 {
            return self.weighed(low, high, Op::UToF(exact(Width::F64)), mode);
        }
        // The first 32 bits from the highest 1 on, with a 1 at their end for what is lost: that rounds alike.
        let one = self.bits(1);
        let highest = self.word(Op::UFindMsb, &[high]);
        let shift = self.word(Op::IAdd, &[highest, one]);
        let width = self.bits(32);
        let back = self.word(Op::ISub, &[width, shift]);
        let upper = self.word(Op::Shl, &[high, back]);
        let lower = self.word(Op::ShrU, &[low, shift]);
        let first = self.word(Op::Or, &[upper, lower]);
        let end = self.word(Op::Shl, &[one, shift]);
        let mask = self.word(Op::ISub, &[end, one]);
        let lost = self.word(Op::And, &[low, mask]);
        let zero = self.bits(0);
        let is_lost = self.compare(CompareInt::Ne, lost, zero);
        let sticky = self.one_if(is_lost);
        let first = self.word(Op::Or, &[first, sticky]);
        let single = FloatMode { width: Width::F32, ..mode };
        let value = self.word(Op::UToF(single), &[first]);
        let (bias, place) = (self.bits(127), self.bits(23));
        let exponent = self.word(Op::IAdd, &[shift, bias]);
        let weight = self.word(Op::Shl, &[exponent, place]);
        let scaled = last(Op::FMul(exact(Width::F32), Multiply::Ieee), &[value, weight]);
        if mode.width == Width::F32 {
            return scaled;
        }
        // Whole numbers that binary16 holds are few enough for binary32; all others are infinite in both.
        let value = self.word(scaled.0, &scaled.1);
        last(Op::FConvert(Width::F32, mode), &[value])
    }
}

const TWO_32: f64 = 4_294_967_296.0;

/// To nearest, denormals kept.
fn exact(width: Width) -> FloatMode {
    FloatMode { width, ..FloatMode::F32 }
}
