//! What the units compute.
//!
//! | unit | operations |
//! |---|---|
//! | adders | `FAdd`, `FRound` down, `FMin`, `FMax` with `SecondUnlessOrdered`; `ge` and `lt` are `Select(FCompare, 1, 0)`, `sign` is two of them |
//! | multipliers | `FMul` with IEEE rules and `FNeg` behind; `select` is `Select(FCompare(Ne, 0), ..)` |
//! | complex | `FExp2`, `FLog2`, `FRsq`, `FRcp` |
//! | pass | nothing, or `FMax` and `FMin` |

use super::super::Mul;
use super::super::inst::{Inst, Source, SourceKind};
use super::super::table::{AddOp, ComplexOp, MulOp, PassOp, Unit};
use super::Writer;
use unshade_ir::{CompareFloat, FloatMode, MinMax, Multiply, Op, Round, Value, Width};

const MODE: FloatMode = FloatMode::F32;
const ADD: Op = Op::FAdd(MODE);
const MUL: Op = Op::FMul(MODE, Multiply::Ieee);
const MIN: Op = Op::FMin(MODE, MinMax::SecondUnlessOrdered);
const MAX: Op = Op::FMax(MODE, MinMax::SecondUnlessOrdered);
const NEGATE: Op = Op::FNeg(Width::F32);

impl Writer {
    /// The result of a unit; `None` if that is 0, since the unit is off or its operation unknown.
    pub(super) fn unit(&mut self, inst: &Inst, unit: Unit) -> Option<Value> {
        if !inst.is_on(unit) {
            return None;
        }
        self.at(unit as u8, 0);
        match unit {
            Unit::Add0 => self.adder(inst, 0),
            Unit::Add1 => self.adder(inst, 1),
            Unit::Mul0 => self.first_multiplier(inst),
            Unit::Mul1 if inst.mul_op.is_wide() => None,
            Unit::Mul1 => Some(self.product(inst, &inst.mul[1])),
            Unit::Pass => self.pass(inst),
            Unit::Complex => self.complex(inst),
        }
    }

    fn signed(&mut self, value: Value, negate: bool) -> Value {
        if negate { self.builder.value(NEGATE, &[value]) } else { value }
    }

    fn truth(&mut self, by: CompareFloat, a: Value, b: Value, [yes, no]: [Value; 2]) -> Value {
        let holds = self.builder.value(Op::FCompare(by, MODE), &[a, b]);
        self.builder.value(Op::Select, &[holds, yes, no])
    }

    fn adder(&mut self, inst: &Inst, n: usize) -> Option<Value> {
        let add = inst.add[n & 1];
        let a = self.source(inst, add.sources[0], None);
        let a = self.signed(a, add.negate[0]);
        // Adding -0 changes no value.
        let moves = add.sources[1].kind() == SourceKind::Identity && add.negate[1];
        let second = |writer: &mut Self| {
            let b = writer.source(inst, add.sources[1], Some(0.0));
            writer.signed(b, add.negate[1])
        };
        Some(match inst.add_op {
            AddOp::Add if moves => a,
            AddOp::Add => {
                let b = second(self);
                self.builder.value(ADD, &[a, b])
            }
            AddOp::Min => {
                let b = second(self);
                self.builder.value(MIN, &[a, b])
            }
            AddOp::Max => {
                let b = second(self);
                self.builder.value(MAX, &[a, b])
            }
            AddOp::Ge | AddOp::Lt => {
                let b = second(self);
                let by = if inst.add_op == AddOp::Ge { CompareFloat::Ge } else { CompareFloat::Lt };
                let answers = [1.0, 0.0].map(|number| self.builder.float(number));
                self.truth(by, a, b, answers)
            }
            AddOp::Floor => self.builder.value(Op::FRound(MODE, Round::Down), &[a]),
            AddOp::Sign => {
                let [one, minus, zero] = [1.0, -1.0, 0.0].map(|number| self.builder.float(number));
                let below = self.truth(CompareFloat::Lt, a, zero, [minus, zero]);
                self.truth(CompareFloat::Gt, a, zero, [one, below])
            }
            AddOp::Op3 => return None,
        })
    }

    fn product(&mut self, inst: &Inst, mul: &Mul) -> Value {
        let a = self.source(inst, mul.sources[0], None);
        // Multiplying by 1 changes no value.
        let product = if mul.sources[1] == Source::IDENTITY {
            a
        } else {
            let b = self.source(inst, mul.sources[1], Some(1.0));
            self.builder.value(MUL, &[a, b])
        };
        self.signed(product, mul.negate)
    }

    fn first_multiplier(&mut self, inst: &Inst) -> Option<Value> {
        let [first, second] = inst.mul;
        let value = match inst.mul_op {
            MulOp::Mul | MulOp::Complex2 => return Some(self.product(inst, &first)),
            MulOp::Complex1 => self.source(inst, first.sources[0], None),
            MulOp::Select => {
                let condition = self.source(inst, first.sources[1], Some(1.0));
                let yes = self.source(inst, second.sources[0], None);
                let no = self.source(inst, first.sources[0], None);
                let zero = self.builder.float(0.0);
                self.truth(CompareFloat::Ne, condition, zero, [yes, no])
            }
            MulOp::Op2 | MulOp::Op5 | MulOp::Op6 | MulOp::Op7 => return None,
        };
        Some(self.signed(value, first.negate))
    }

    fn complex(&mut self, inst: &Inst) -> Option<Value> {
        let op = match inst.complex_op {
            ComplexOp::Exp2 => Some(Op::FExp2(MODE)),
            ComplexOp::Log2 => Some(Op::FLog2(MODE)),
            ComplexOp::Rsqrt => Some(Op::FRsq(MODE)),
            ComplexOp::Rcp => Some(Op::FRcp(MODE)),
            ComplexOp::Mov
            | ComplexOp::Address01
            | ComplexOp::Address0
            | ComplexOp::Address1
            | ComplexOp::Address2
            | ComplexOp::Address3 => None,
            ComplexOp::Off
            | ComplexOp::Op1
            | ComplexOp::Op6
            | ComplexOp::Op7
            | ComplexOp::Op8
            | ComplexOp::Op11 => return None,
        };
        let x = self.source(inst, inst.complex, None);
        Some(match op {
            Some(op) => self.builder.value(op, &[x]),
            None => x,
        })
    }

    fn pass(&mut self, inst: &Inst) -> Option<Value> {
        match inst.pass_op {
            PassOp::Mov | PassOp::PreExp2 | PassOp::PostLog2 => Some(self.source(inst, inst.pass, None)),
            PassOp::Clamp => {
                let x = self.source(inst, inst.pass, None);
                let [low, high] = [0, 1].map(|bound| self.load(inst, bound));
                self.at(Unit::Pass as u8, 0);
                let raised = self.builder.value(MAX, &[x, low]);
                Some(self.builder.value(MIN, &[raised, high]))
            }
            PassOp::Op0 | PassOp::Op1 | PassOp::Op3 | PassOp::Op7 => None,
        }
    }
}
