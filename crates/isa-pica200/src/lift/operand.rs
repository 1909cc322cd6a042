//! Source operands: registers, relative addressing, swizzles and signs.
//!
//! # Shape of relative addressing
//! `c[base + a]` reads component `k` as
//!
//! ```text
//! near   = a + 128 <u 256              an offset that is no signed byte counts as 0
//! offset = near ? a : 0
//! number = (base + offset) & 127       seven bits
//! inside = number <u 96
//! loaded = load uniform 0, word k + 4 * number
//! value  = inside ? loaded : 1.0       behind c95 stand ones
//! ```
//!
//! with these operations and operand orders: `Add(a, 128)`, `Ult(_, 256)`, `Select(near, a, 0)`,
//! `Add(offset, base)`, `And(_, 127)`, `Ult(number, 96)`, `Load { offset: k, stride: 4 }(number)`,
//! `Select(inside, loaded, 1.0)`. A readable pass turns it into `load uniform 0, word k + 4 * base + 4 * a`
//! under the assumption that the index stays inside the array.

use super::super::inst::RegKind;
use super::super::{Descriptor, Format, Index, Inst, Operands, Reg};
use super::registers::Register;
use super::write::{Step, Writer};
use unshade_ir::{Access, CompareInt, Op, Space, Value, Width};

/// Binding of the float uniforms in the uniform space: component `k` of c`n` is word `4n + k`.
pub const FLOAT_BINDING: u32 = 0;
/// Binding of the integer uniforms: component `k` of i`n` is word `4n + k`, its byte zero-extended.
pub const INT_BINDING: u32 = 1;
/// Binding of the bool uniforms: b`n` is word `n`, 0 or 1.
pub const BOOL_BINDING: u32 = 2;

/// The sources of an instruction.
#[derive(Debug)]
pub(super) struct Sources {
    regs: [(Reg, Index); 3],
    descriptor: Descriptor,
    /// Components that were read already, after the sign.
    known: [[Option<Value>; 4]; 3],
    /// Number and inside-ness of an indexed register, once computed; there is at most one per instruction.
    indexed: Option<(Value, Value)>,
}

impl Sources {
    /// Sources of an instruction by meaning; places without a source are never asked for.
    pub(super) fn of(inst: Inst, descriptor: Descriptor) -> Self {
        let none = (Reg(0), Index::None);
        let regs = match inst {
            Inst::Known { operands: Operands::One { src1, index, .. }, .. } => [(src1, index), none, none],
            Inst::Known { opcode, operands: Operands::Two { src1, src2, index, .. } } => {
                if opcode.format() == Format::TwoInverted {
                    [(src1, Index::None), (src2, index), none]
                } else {
                    [(src1, index), (src2, Index::None), none]
                }
            }
            Inst::Known { operands: Operands::Compare { src1, src2, index, .. }, .. } => {
                [(src1, index), (src2, Index::None), none]
            }
            Inst::Known { opcode, operands: Operands::Mad { src1, src2, src3, index, .. } } => {
                let first = (src1, Index::None);
                if opcode.format() == Format::MadInverted {
                    [first, (src2, Index::None), (src3, index)]
                } else {
                    [first, (src2, index), (src3, Index::None)]
                }
            }
            _ => [none; 3],
        };
        Self { regs, descriptor, known: [[None; 4]; 3], indexed: None }
    }

    /// Lane of a source, swizzled and with its sign.
    pub(super) fn lane(&mut self, writer: &mut Writer<'_>, source: usize, lane: usize) -> Value {
        let component = self.descriptor.swizzle(source).component(lane);
        if let Some(known) = self.known[source][component] {
            return known;
        }
        let (reg, index) = self.regs[source];
        let value = match (reg.kind(), index) {
            (RegKind::Input(n), _) => {
                writer.at(Step::Read(source), lane);
                writer.load(Space::Input, 0, 4 * u32::from(n) + component as u32)
            }
            (RegKind::Temp(n), _) => {
                writer.at(Step::Read(source), lane);
                writer.read(Register::Temp(n, component as u8))
            }
            (RegKind::Float(n), Index::None) => {
                writer.at(Step::Read(source), lane);
                writer.load(Space::Uniform, FLOAT_BINDING, 4 * u32::from(n) + component as u32)
            }
            (RegKind::Float(n), index) => self.relative(writer, source, n, index, component, lane),
        };
        let value = if self.descriptor.negates(source) {
            writer.at(Step::Negate(source), lane);
            writer.value(Op::FNeg(Width::F32), &[value])
        } else {
            value
        };
        self.known[source][component] = Some(value);
        value
    }

    fn relative(
        &mut self,
        writer: &mut Writer<'_>,
        source: usize,
        base: u8,
        index: Index,
        component: usize,
        lane: usize,
    ) -> Value {
        writer.bases.insert(base);
        let (number, inside) = *self.indexed.get_or_insert_with(|| {
            writer.at(Step::Address, 0);
            let offset = writer.read(match index {
                Index::A0X => Register::Address(0),
                Index::A0Y => Register::Address(1),
                Index::None | Index::AL => Register::Counter,
            });
            let [half, whole, zero] = [128, 256, 0].map(|bits| writer.bits(bits));
            let moved = writer.value(Op::IAdd, &[offset, half]);
            let near = writer.value(Op::ICompare(CompareInt::Ult), &[moved, whole]);
            let offset = writer.value(Op::Select, &[near, offset, zero]);
            let [base, seven, end] = [u32::from(base), 127, 96].map(|bits| writer.bits(bits));
            let sum = writer.value(Op::IAdd, &[offset, base]);
            let number = writer.value(Op::And, &[sum, seven]);
            (number, writer.value(Op::ICompare(CompareInt::Ult), &[number, end]))
        });
        writer.at(Step::Read(source), lane);
        let access =
            Access { space: Space::Uniform, binding: FLOAT_BINDING, offset: component as u32, stride: 4 };
        let loaded = writer.value(Op::Load(access), &[number]);
        writer.at(Step::Behind(source), lane);
        let one = writer.float(1.0);
        writer.value(Op::Select, &[inside, loaded, one])
    }
}
