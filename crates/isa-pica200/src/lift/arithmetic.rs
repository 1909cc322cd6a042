//! The data side of instructions, in the arithmetic of emulators: IEEE binary32 with 0 * inf = 0.
//!
//! | instruction | operations |
//! |---|---|
//! | MUL | `FMul(InfTimesZero)` |
//! | MAD, MADI | multiply, then `FAdd(product, third)` |
//! | DP3, DP4, DPH | products, then `FAdd` from left to right: `((0 + x) + y) + z ...` |
//! | MAX, MIN | `FMax`, `FMin` with `SecondUnlessOrdered` |
//! | SGE, SLT | `Select(FCompare, 1.0, 0.0)` |
//! | MOVA | `FToS` towards zero |
//! | LITP | `max(x, 0)`, `min(max(y, -l), l)`, `0`, `max(w, 0)`; flags `x >= 0`, `w >= 0` |
//!
//! Only lanes in the mask are computed. A result that goes to all lanes is one value.

use super::super::{Compare, Descriptor, Dest, Inst, Opcode, Operands};
use super::operand::Sources;
use super::registers::Register;
use super::write::{Step, Writer};
use unshade_ir::{CompareFloat, FloatMode, MinMax, Multiply, Op, Round, Value, Width};

/// Largest magnitude that LITP lets through in y: 0x7FFF / 0x100 (3dbrew).
const LITP_LIMIT: f32 = 32767.0 / 256.0;

const MODE: FloatMode = FloatMode::F32;
const MUL: Op = Op::FMul(MODE, Multiply::InfTimesZero);
const ADD: Op = Op::FAdd(MODE);
const MAX: Op = Op::FMax(MODE, MinMax::SecondUnlessOrdered);
const MIN: Op = Op::FMin(MODE, MinMax::SecondUnlessOrdered);

/// Writes what an instruction does to the registers. Flow instructions do nothing here.
pub(super) fn instruction(writer: &mut Writer<'_>, inst: Inst, descriptors: &[u32]) {
    let Inst::Known { opcode, operands } = inst else { return };
    let (desc, dest) = match operands {
        Operands::One { desc, dst, .. } | Operands::Two { desc, dst, .. } => (desc, dst),
        Operands::Mad { desc, dst, .. } => (desc, dst),
        Operands::Compare { desc, .. } => (desc, Dest(0)),
        _ => return,
    };
    // An index behind the end of the table finds a descriptor that writes nothing.
    let descriptor = Descriptor(descriptors.get(usize::from(desc)).copied().unwrap_or(0));
    let mut sources = Sources::of(inst, descriptor);
    match operands {
        Operands::Compare { x, y, .. } => return compare(writer, &mut sources, [x, y]),
        _ if opcode == Opcode::Mova => return mova(writer, &mut sources, descriptor),
        _ => {}
    }
    if opcode == Opcode::Litp {
        // The flags follow the source, which the result may overwrite.
        let flags = litp_flags(writer, &mut sources);
        results(writer, &mut sources, opcode, descriptor, dest);
        for (lane, flag) in flags.into_iter().enumerate() {
            writer.write(Register::Flag(lane as u8), flag);
        }
    } else {
        results(writer, &mut sources, opcode, descriptor, dest);
    }
}

/// All lanes are computed before the first is written, since a source may be the destination.
fn results(
    writer: &mut Writer<'_>,
    sources: &mut Sources,
    opcode: Opcode,
    descriptor: Descriptor,
    dest: Dest,
) {
    let mut lanes = [None; 4];
    let mut shared = None;
    for lane in (0..4).filter(|lane| descriptor.writes(*lane)) {
        lanes[lane] = Some(match opcode {
            Opcode::Dp3 | Opcode::Dp4 | Opcode::Dph | Opcode::Dphi => {
                *shared.get_or_insert_with(|| dot(writer, sources, opcode))
            }
            Opcode::Ex2 | Opcode::Lg2 | Opcode::Rcp | Opcode::Rsq => {
                *shared.get_or_insert_with(|| function(writer, sources, opcode))
            }
            _ => lane_wise(writer, sources, opcode, lane),
        });
    }
    for (lane, value) in lanes.into_iter().enumerate() {
        let Some(value) = value else { continue };
        let lane = lane as u8;
        writer.at(Step::Result(0), lane.into());
        writer.write(
            match dest.output() {
                Some(n) => Register::Output(n, lane),
                None => Register::Temp(dest.0 & 15, lane),
            },
            value,
        );
    }
}

fn dot(writer: &mut Writer<'_>, sources: &mut Sources, opcode: Opcode) -> Value {
    let lanes = if opcode == Opcode::Dp3 { 3 } else { 4 };
    let mut products = [Value::default(); 4];
    for (lane, product) in products.iter_mut().enumerate().take(lanes) {
        let homogeneous = lane == 3 && opcode != Opcode::Dp4;
        let first = if homogeneous {
            writer.at(Step::Read(0), lane);
            writer.float(1.0)
        } else {
            sources.lane(writer, 0, lane)
        };
        let second = sources.lane(writer, 1, lane);
        writer.at(Step::Product, lane);
        *product = writer.value(MUL, &[first, second]);
    }
    writer.at(Step::Result(0), 0);
    let mut sum = writer.float(0.0);
    for (step, product) in products.iter().enumerate().take(lanes) {
        writer.at(Step::Result(step as u8), 0);
        sum = writer.value(ADD, &[sum, *product]);
    }
    sum
}

fn function(writer: &mut Writer<'_>, sources: &mut Sources, opcode: Opcode) -> Value {
    let x = sources.lane(writer, 0, 0);
    writer.at(Step::Result(0), 0);
    let op = match opcode {
        Opcode::Ex2 => Op::FExp2(MODE),
        Opcode::Lg2 => Op::FLog2(MODE),
        Opcode::Rcp => Op::FRcp(MODE),
        _ => Op::FRsq(MODE),
    };
    writer.value(op, &[x])
}

fn lane_wise(writer: &mut Writer<'_>, sources: &mut Sources, opcode: Opcode, lane: usize) -> Value {
    let binary = |writer: &mut Writer<'_>, sources: &mut Sources, op: Op| {
        let a = sources.lane(writer, 0, lane);
        let b = sources.lane(writer, 1, lane);
        writer.at(Step::Result(0), lane);
        writer.value(op, &[a, b])
    };
    let truth = |writer: &mut Writer<'_>, sources: &mut Sources, by: CompareFloat| {
        let a = sources.lane(writer, 0, lane);
        let b = sources.lane(writer, 1, lane);
        writer.at(Step::Product, lane);
        let holds = writer.value(Op::FCompare(by, MODE), &[a, b]);
        writer.at(Step::Result(0), lane);
        let [one, zero] = [1.0, 0.0].map(|value| writer.float(value));
        writer.value(Op::Select, &[holds, one, zero])
    };
    match opcode {
        Opcode::Add => binary(writer, sources, ADD),
        Opcode::Mul => binary(writer, sources, MUL),
        Opcode::Max => binary(writer, sources, MAX),
        Opcode::Min => binary(writer, sources, MIN),
        Opcode::Sge | Opcode::Sgei => truth(writer, sources, CompareFloat::Ge),
        Opcode::Slt | Opcode::Slti => truth(writer, sources, CompareFloat::Lt),
        Opcode::Mad | Opcode::Madi => {
            let [a, b] = [0, 1].map(|source| sources.lane(writer, source, lane));
            writer.at(Step::Product, lane);
            let product = writer.value(MUL, &[a, b]);
            let c = sources.lane(writer, 2, lane);
            writer.at(Step::Result(0), lane);
            writer.value(ADD, &[product, c])
        }
        Opcode::Flr => {
            let a = sources.lane(writer, 0, lane);
            writer.at(Step::Result(0), lane);
            writer.value(Op::FRound(MODE, Round::Down), &[a])
        }
        Opcode::Dst | Opcode::Dsti => match lane {
            0 => {
                writer.at(Step::Result(0), lane);
                writer.float(1.0)
            }
            1 => binary(writer, sources, MUL),
            2 => sources.lane(writer, 0, lane),
            _ => sources.lane(writer, 1, lane),
        },
        Opcode::Litp => {
            if lane == 2 {
                writer.at(Step::Result(0), lane);
                return writer.float(0.0);
            }
            let a = sources.lane(writer, 0, lane);
            writer.at(Step::Result(0), lane);
            if lane != 1 {
                let zero = writer.float(0.0);
                return writer.value(MAX, &[a, zero]);
            }
            let [low, high] = [-LITP_LIMIT, LITP_LIMIT].map(|value| writer.float(value));
            let raised = writer.value(MAX, &[a, low]);
            writer.at(Step::Result(1), lane);
            writer.value(MIN, &[raised, high])
        }
        _ => sources.lane(writer, 0, lane),
    }
}

fn litp_flags(writer: &mut Writer<'_>, sources: &mut Sources) -> [Value; 2] {
    [0, 3].map(|lane| {
        let a = sources.lane(writer, 0, lane);
        writer.at(Step::Flag, lane);
        let zero = writer.float(0.0);
        writer.value(Op::FCompare(CompareFloat::Ge, MODE), &[a, zero])
    })
}

fn mova(writer: &mut Writer<'_>, sources: &mut Sources, descriptor: Descriptor) {
    for lane in (0..2).filter(|lane| descriptor.writes(*lane)) {
        let a = sources.lane(writer, 0, lane);
        writer.at(Step::Result(0), lane);
        let integer = writer.value(Op::FToS(Width::F32, Round::Zero), &[a]);
        writer.write(Register::Address(lane as u8), integer);
    }
}

fn compare(writer: &mut Writer<'_>, sources: &mut Sources, by: [Compare; 2]) {
    let flags = [0, 1].map(|lane| {
        let by = match by[lane] {
            Compare::Eq => CompareFloat::Eq,
            Compare::Ne => CompareFloat::Ne,
            Compare::Lt => CompareFloat::Lt,
            Compare::Le => CompareFloat::Le,
            Compare::Gt => CompareFloat::Gt,
            Compare::Ge => CompareFloat::Ge,
            Compare::True6 | Compare::True7 => {
                writer.at(Step::Flag, lane);
                return writer.truth(true);
            }
        };
        let [a, b] = [0, 1].map(|source| sources.lane(writer, source, lane));
        writer.at(Step::Flag, lane);
        writer.value(Op::FCompare(by, MODE), &[a, b])
    });
    for (lane, flag) in flags.into_iter().enumerate() {
        writer.write(Register::Flag(lane as u8), flag);
    }
}
